//! What players decide, apart from the steps of a move.

use super::state::{CraftId, GivenUp, Mover, Stage, State, VerticalOption};
use super::{COMPASS, Dogfight, think};
use crate::bet::Tasks;
use crate::fire::{self, Gun};
use crate::flight;
use crate::initiative;
use crate::movement;
use crate::rule;
use crate::words::{Engine, Extent, Flight, Pip, Pitch, Vertical, words};
use flagplot_kernel::hex::Direction;
use flagplot_kernel::{Candidate, Chance, Choice, Form, FormItem, OptionView, Prompt, Refusal, Seat};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use std::collections::BTreeMap;

pub(super) use super::choose_move::MoveChoice;
use super::moves::Plan;

/// Targets by aircraft id; an aircraft that is not named has none. As JSON a list of `{"aircraft", "target"}`, or an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations(pub BTreeMap<String, Option<String>>);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Declaration {
    aircraft: String,
    target: Option<String>,
}

impl Serialize for Declarations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|(aircraft, target)| Declaration { aircraft: aircraft.clone(), target: target.clone() }))
    }
}

impl<'de> Deserialize<'de> for Declarations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            List(Vec<Declaration>),
            Map(BTreeMap<String, Option<String>>),
        }
        match Either::deserialize(deserializer)? {
            Either::Map(map) => Ok(Declarations(map)),
            Either::List(list) => {
                let count = list.len();
                let map: BTreeMap<_, _> = list.into_iter().map(|given| (given.aircraft, given.target)).collect();
                if map.len() == count { Ok(Declarations(map)) } else { Err(serde::de::Error::custom("an aircraft is named twice")) }
            }
        }
    }
}

/// The targets of a seat's aircraft, declared in secret. [Targeting; R-4]
pub(super) struct Targets<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub seat: Seat,
}

impl Targets<'_> {
    /// The aircraft that may name a target.
    pub fn crews(&self) -> impl Iterator<Item = CraftId> + '_ {
        self.state.in_play().filter(|&id| self.game.seat(id) == self.seat && self.state.get(id).flight != Flight::Spinning)
    }

    /// Whether one aircraft may name a target, as far as that aircraft goes.
    pub fn check_one(&self, own: CraftId, target: CraftId) -> Result<(), Refusal> {
        let refuse = |code, text: String, rule| Err(Refusal::new(code, text).by(rule));
        if own == target {
            return refuse("self-target", format!("{} cannot target itself.", self.game.name(own)), rule::TARGETING);
        }
        if !self.state.get(target).in_play() {
            return refuse("unknown-aircraft", format!("{} is not in play.", self.game.name(target)), rule::TARGETING);
        }
        if self.state.get(own).flight == Flight::Spinning {
            return refuse("spinning-has-target", format!("{} spins and cannot have a target.", self.game.name(own)), rule::R_58);
        }
        if self.game.side(own) != self.game.side(target) {
            return Ok(());
        }
        let (follower, leader) = (self.state.get(own), self.state.get(target));
        if !follower.position.same_spot(&leader.position) || follower.flight != Flight::Flying || leader.flight != Flight::Flying {
            return refuse("bad-formation", "Only a friend on the same spot, flying steadily and following nobody, can be followed.".into(), rule::R_12);
        }
        Ok(())
    }

    fn aims(&self, own: CraftId) -> Vec<Option<CraftId>> {
        let all = (0..self.state.craft.len() as u8).filter(|&target| self.check_one(own, target).is_ok());
        std::iter::once(None).chain(all.map(Some)).collect()
    }

    fn answer(&self, aims: impl IntoIterator<Item = (CraftId, Option<CraftId>)>) -> Declarations {
        Declarations(aims.into_iter().map(|(own, target)| (self.game.name(own).to_owned(), target.map(|target| self.game.name(target).to_owned()))).collect())
    }

    /// Declarations with those formations taken out that cannot be.
    fn mended(&self, mut aims: Vec<(CraftId, Option<CraftId>)>) -> Declarations {
        let friend = |own: CraftId, target: Option<CraftId>| target.is_some_and(|target| self.game.side(target) == self.game.side(own));
        for at in 0..aims.len() {
            let (own, target) = aims[at];
            let leads = aims.iter().any(|&(other, aim)| aim == Some(own) && friend(other, aim));
            let led_by_follower = aims.iter().any(|&(other, aim)| Some(other) == target && friend(other, aim));
            if friend(own, target) && (leads || led_by_follower) {
                aims[at].1 = None;
            }
        }
        self.answer(aims)
    }

    fn words(&self, answer: &Declarations) -> String {
        let parts: Vec<String> = answer.0.iter().map(|(own, target)| format!("{own} → {}", target.as_deref().unwrap_or("none"))).collect();
        parts.join(", ")
    }
}

impl Choice for Targets<'_> {
    type Value = Declarations;

    fn seat(&self) -> Seat {
        self.seat
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("targets", "Name a target for each of your aircraft.", rule::TARGETING).confirm()
    }

    fn check(&self, value: &Declarations) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        let unknown =
            |id: &str| Refusal::new("unknown-aircraft", format!("'{}' is not in play, or not yours.", id.chars().take(40).collect::<String>())).by(rule::TARGETING);
        let mut followers = Vec::new();
        for (own, target) in &value.0 {
            let Some(own) = self.game.find(own).filter(|&own| self.game.seat(own) == self.seat && self.state.get(own).in_play()) else {
                reasons.push(unknown(own));
                continue;
            };
            let Some(target) = target else { continue };
            let Some(target) = self.game.find(target) else {
                reasons.push(unknown(target));
                continue;
            };
            match self.check_one(own, target) {
                Err(refusal) => reasons.push(refusal),
                Ok(()) if self.game.side(own) == self.game.side(target) => followers.push((own, target)),
                Ok(()) => {}
            }
        }
        for &(own, leader) in &followers {
            if followers.iter().any(|&(other, _)| other == leader) {
                reasons.push(
                    Refusal::new("bad-formation", format!("{} follows somebody itself; {} cannot follow it.", self.game.name(leader), self.game.name(own)))
                        .by(rule::R_12),
                );
            }
        }
        Refusal::all(reasons)
    }

    fn candidates(&self) -> Vec<Candidate<Declarations>> {
        let mut answers = vec![think::targets(self)];
        let crews: Vec<CraftId> = self.crews().collect();
        let first = answers[0].clone();
        for &own in &crews {
            for target in self.aims(own) {
                let mut changed = first.clone();
                changed.0.insert(self.game.name(own).to_owned(), target.map(|target| self.game.name(target).to_owned()));
                answers.push(changed);
            }
        }
        answers.push(self.answer(crews.iter().map(|&own| (own, None))));
        let mut seen: Vec<Declarations> = Vec::new();
        for answer in answers {
            if !seen.contains(&answer) && self.check(&answer).is_ok() {
                seen.push(answer);
            }
        }
        seen.into_iter()
            .map(|answer| {
                let words = self.words(&answer);
                Candidate::new(answer, words)
            })
            .collect()
    }

    fn form(&self) -> Form {
        let items = self.crews().map(|own| FormItem {
            id: self.game.name(own).to_owned(),
            label: self.game.title(own),
            options: self
                .aims(own)
                .into_iter()
                .flatten()
                .map(|target| OptionView {
                    value: json!({"aircraft": self.game.name(own), "target": self.game.name(target)}),
                    label: self.game.title(target),
                    pieces: vec![self.game.name(target).to_owned()],
                })
                .collect(),
        });
        Form::Assign { items: items.collect(), none: "no target".into() }
    }

    fn sample(&self, chance: &mut Chance) -> Declarations {
        let aims = self.crews().map(|own| {
            let aims = self.aims(own);
            (own, aims[chance.below(aims.len() as u32) as usize])
        });
        self.mended(aims.collect())
    }

    fn instinct(&self, _: &mut Chance) -> Declarations {
        think::targets(self)
    }
}

/// Every option alike.
macro_rules! any_option {
    ($value:ty) => {
        fn sample(&self, chance: &mut Chance) -> $value {
            let options = self.options();
            options[chance.below(options.len() as u32) as usize]
        }
    };
}

/// Builds the usual parts of a choice from a short closed list.
macro_rules! closed_choice {
    ($value:ty) => {
        type Value = $value;

        fn check(&self, value: &$value) -> Result<(), Refusal> {
            self.check_option(*value)
        }

        fn candidates(&self) -> Vec<Candidate<$value>> {
            self.options().into_iter().map(|option| Candidate::new(option, self.label(option))).collect()
        }
    };
}

words! {
    /// Whether a pilot waits for his target.
    TailOption {
        /// He waits.
        Wait = "wait",
        /// He moves.
        MoveNow = "move-now",
    }
}

/// Whether an aircraft waits for its target. [Tailing; R-13]
pub(super) struct Tail<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub who: CraftId,
}

impl Tail<'_> {
    /// Whether it may.
    pub fn check_possible(&self) -> Result<(), Refusal> {
        let craft = self.state.get(self.who);
        let refuse = |text: &str, rule| Err(Refusal::new("cannot-tail", text).by(rule));
        let Some(prey) = self.state.prey(self.game, self.who) else { return refuse("There is no enemy target to wait for.", rule::TAILING) };
        if self.state.order.has_moved(prey) {
            return refuse("The target has moved already.", rule::R_64);
        }
        let target = self.state.get(prey);
        if !initiative::can_tail(craft.edge.unwrap_or(0), craft.posted, target.posted, target.target.is_some()) {
            return refuse("The edge does not lift it above the target's initiative.", rule::R_13);
        }
        Ok(())
    }

    fn options(&self) -> Vec<TailOption> {
        if self.check_possible().is_ok() { vec![TailOption::Wait, TailOption::MoveNow] } else { vec![TailOption::MoveNow] }
    }

    fn check_option(&self, option: TailOption) -> Result<(), Refusal> {
        if option == TailOption::Wait { self.check_possible() } else { Ok(()) }
    }

    fn label(&self, option: TailOption) -> String {
        match option {
            TailOption::Wait => "Wait and move after the target".into(),
            TailOption::MoveNow => "Move now".into(),
        }
    }
}

impl Choice for Tail<'_> {
    closed_choice!(TailOption);
    any_option!(TailOption);

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("tail", format!("{}: wait for the target or move now?", self.game.title(self.who)), rule::TAILING)
    }

    fn instinct(&self, _: &mut Chance) -> TailOption {
        self.options()[0]
    }
}

/// The climb or dive of a move. [Climbing / Diving]
pub(super) struct VerticalChoice<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub mover: &'a Mover,
}

impl VerticalChoice<'_> {
    /// Everything that may be done.
    pub fn options(&self) -> Vec<VerticalOption> {
        VerticalOption::ALL.iter().copied().filter(|&option| self.check_option(option).is_ok()).collect()
    }

    /// Whether something may be done.
    pub fn check_option(&self, option: VerticalOption) -> Result<(), Refusal> {
        let position = &self.state.get(self.mover.who).position;
        let (speed, tables) = (self.mover.tally.speed, &self.game.rules.tables);
        let pitched = position.pitch != Pitch::Level;
        let begin = |way, extent| {
            if pitched {
                return Err(Refusal::new("already-pitched", "Finish the half move or level off first.").by(rule::CLIMB_DIVE));
            }
            movement::vertical_move(tables, speed, way, extent)?;
            movement::check_ceiling(way, position.level, self.game.scenario.top_level)
        };
        match option {
            VerticalOption::Stay if pitched => Err(Refusal::new("already-pitched", "Finish the half move or level off first.").by(rule::CLIMB_DIVE)),
            VerticalOption::Stay => Ok(()),
            VerticalOption::HalfClimb => begin(Vertical::Climb, Extent::Half),
            VerticalOption::HalfDive => begin(Vertical::Dive, Extent::Half),
            VerticalOption::FullClimb => begin(Vertical::Climb, Extent::Full),
            VerticalOption::FullDive => begin(Vertical::Dive, Extent::Full),
            VerticalOption::Finish | VerticalOption::LevelOff if !pitched => {
                Err(Refusal::new("impossible-climb-dive", "There is no half move to finish or to break off.").by(rule::CLIMB_DIVE))
            }
            VerticalOption::Finish => {
                let way = if position.pitch == Pitch::Climbing { Vertical::Climb } else { Vertical::Dive };
                movement::vertical_move(tables, speed, way, Extent::Finish).map(|_| ())
            }
            VerticalOption::LevelOff => Ok(()),
        }
    }

    fn label(&self, option: VerticalOption) -> String {
        let position = &self.state.get(self.mover.who).position;
        let (tables, speed) = (&self.game.rules.tables, self.mover.tally.speed);
        let points = |way, extent| movement::vertical_move(tables, speed, way, extent).map_or(String::new(), |made| format!(", speed {} to {}", speed, made.speed));
        match option {
            VerticalOption::Stay => "Stay level".into(),
            VerticalOption::HalfClimb => format!("Begin to climb{}", points(Vertical::Climb, Extent::Half)),
            VerticalOption::HalfDive => format!("Begin to dive{}", points(Vertical::Dive, Extent::Half)),
            VerticalOption::FullClimb => format!("Climb a level{}", points(Vertical::Climb, Extent::Full)),
            VerticalOption::FullDive => format!("Dive a level{}", points(Vertical::Dive, Extent::Full)),
            VerticalOption::Finish if position.pitch == Pitch::Climbing => format!("Finish the climb{}", points(Vertical::Climb, Extent::Finish)),
            VerticalOption::Finish => format!("Finish the dive{}{}", points(Vertical::Dive, Extent::Finish), if position.level == 1 { " and crash" } else { "" }),
            VerticalOption::LevelOff => format!("Level off, by a bet of level {}", movement::finish_points(tables, speed)),
        }
    }
}

impl Choice for VerticalChoice<'_> {
    closed_choice!(VerticalOption);
    any_option!(VerticalOption);

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn prompt(&self) -> Prompt {
        let missing = VerticalOption::ALL.iter().filter_map(|&option| self.check_option(option).err().map(|refusal| format!("{option}: {refusal}")));
        let mut prompt =
            Prompt::new("vertical", format!("{} has rolled {}: climb, dive or stay level?", self.game.title(self.mover.who), self.mover.die), rule::CLIMB_DIVE);
        prompt.missing.extend(missing);
        prompt
    }

    fn instinct(&self, _: &mut Chance) -> VerticalOption {
        think::vertical(self)
    }
}

/// Which tasks of a lost bet are given up. [Bet failure; R-31]
pub(super) struct Cancel<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub mover: &'a Mover,
    pub tasks: Tasks,
    pub count: i32,
    pub plan: &'a Plan,
}

impl Choice for Cancel<'_> {
    type Value = GivenUp;

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn prompt(&self) -> Prompt {
        Prompt::new(
            "cancel",
            format!("{} has lost its bet on {} and must give up {} of {} tasks.", self.game.title(self.mover.who), self.plan.maneuver, self.count, self.tasks.total()),
            rule::R_31,
        )
    }

    fn check(&self, value: &GivenUp) -> Result<(), Refusal> {
        if self.tasks.ways(self.count).contains(&(*value).into()) {
            return Ok(());
        }
        Err(Refusal::new("bad-cancel", format!("Give up exactly {} of the tasks of this manoeuvre.", self.count)).by(rule::R_31))
    }

    fn candidates(&self) -> Vec<Candidate<GivenUp>> {
        let label = |given: &Tasks| {
            let parts = [(given.aerobatics, "aerobatic points"), (given.facing, "hexsides"), (given.stay_in_hex, "the stay in hex"), (given.leveling, "levelling off")];
            let words: Vec<String> = parts
                .iter()
                .filter(|(n, _)| *n > 0)
                .map(|(n, what)| if what.starts_with("the") || what.starts_with("lev") { (*what).to_owned() } else { format!("{n} {what}") })
                .collect();
            format!("Give up {}", words.join(" and "))
        };
        self.tasks.ways(self.count).into_iter().map(|given| Candidate::new(given.into(), label(&given))).collect()
    }

    fn instinct(&self, _: &mut Chance) -> GivenUp {
        think::cancel(self).into()
    }
}

/// The edge by which an aircraft is thrown out of the middle.
pub(super) struct ExitEdge<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub mover: &'a Mover,
}

impl Choice for ExitEdge<'_> {
    type Value = Direction;

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("exit-edge", format!("{} is thrown out of the middle: by which edge?", self.game.title(self.mover.who)), rule::R_33)
    }

    fn check(&self, _: &Direction) -> Result<(), Refusal> {
        Ok(())
    }

    fn candidates(&self) -> Vec<Candidate<Direction>> {
        Direction::ALL.iter().map(|&edge| Candidate::new(edge, format!("To the {}", COMPASS[usize::from(edge.index())]))).collect()
    }

    fn instinct(&self, _: &mut Chance) -> Direction {
        think::exit_edge(self.game, self.state, self.mover.who)
    }
}

words! {
    /// What the end of a move is used for.
    EngineOption {
        /// Power.
        Power = "power",
        /// Drag.
        Drag = "drag",
        /// Neither.
        None = "none",
        /// A try at a spin, before either.
        Spin = "spin",
    }
}

/// Power, drag or neither; or a spin after the last step. [7.4; R-42]
pub(super) struct EngineChoice<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub mover: &'a Mover,
}

impl EngineChoice<'_> {
    /// Everything that may be done.
    pub fn options(&self) -> Vec<EngineOption> {
        EngineOption::ALL.iter().copied().filter(|&option| self.check_option(option).is_ok()).collect()
    }

    /// Whether something may be done.
    pub fn check_option(&self, option: EngineOption) -> Result<(), Refusal> {
        let craft = self.state.get(self.mover.who);
        let ratings = &self.game.info(self.mover.who).ratings;
        let recovered = self.mover.stage == Stage::Recovered;
        let engine = match option {
            EngineOption::Power => Engine::Power,
            EngineOption::Drag => Engine::Drag,
            EngineOption::None => Engine::None,
            EngineOption::Spin => return check_spin(self.state, self.mover),
        };
        if recovered {
            return match option {
                EngineOption::Power => self.mover.tally.power(ratings, 0, craft.harm.engine_destroyed).check(),
                EngineOption::None => Ok(()),
                _ => Err(Refusal::new("no-drag", "There is no drag roll in the move of a recovery.").by(rule::R_40)),
            };
        }
        self.mover.tally.check_engine(engine, ratings, craft.harm.engine_destroyed)
    }

    fn label(&self, option: EngineOption) -> String {
        let speed = self.mover.tally.speed_before_engine();
        match option {
            EngineOption::Power => format!("Power, from speed {speed}"),
            EngineOption::Drag => format!("Drag, from speed {speed}"),
            EngineOption::None => format!("Neither: speed {speed}"),
            EngineOption::Spin => "Try to go into a spin".into(),
        }
    }
}

/// Whether an aircraft may try to go into a spin. [8.6; R-65]
pub(super) fn check_spin(state: &State, mover: &Mover) -> Result<(), Refusal> {
    let refuse = |code, text: &str, rule| Err(Refusal::new(code, text).by(rule));
    let craft = state.get(mover.who);
    match craft.flight {
        Flight::Spinning => return refuse("already-spinning", "It spins already.", rule::SPIN),
        Flight::Stalled => return refuse("stalled", "A stalled aircraft flies straight.", rule::R_37),
        Flight::Flying => {}
    }
    if mover.stage == Stage::Recovered {
        return refuse("spin-tried", "It has only just come out of a spin.", rule::R_65);
    }
    if mover.spin_tried {
        return refuse("spin-tried", "One attempt in a move.", rule::R_65);
    }
    if mover.leveling.is_some() {
        return refuse("already-pitched", "Levelling off comes first.", rule::SPIN);
    }
    Ok(())
}

impl Choice for EngineChoice<'_> {
    closed_choice!(EngineOption);

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn prompt(&self) -> Prompt {
        let missing = EngineOption::ALL.iter().filter_map(|&option| self.check_option(option).err().map(|refusal| format!("{option}: {refusal}")));
        let mut prompt = Prompt::new(
            "engine",
            format!("{} ends its move at speed {}: power, drag or neither?", self.game.title(self.mover.who), self.mover.tally.speed_before_engine()),
            rule::R_42,
        );
        prompt.missing.extend(missing);
        prompt
    }

    fn sample(&self, chance: &mut Chance) -> EngineOption {
        let mut options = self.options();
        if chance.below(16) > 0 && options.len() > 1 {
            options.retain(|option| *option != EngineOption::Spin); // Spins are rare among random answers too: they end a move, and most games.
        }
        options[chance.below(options.len() as u32) as usize]
    }

    fn instinct(&self, _: &mut Chance) -> EngineOption {
        think::engine(self)
    }
}

words! {
    /// What a spinning pilot does.
    RecoverOption {
        /// He tries to come out of it.
        Try = "try",
        /// He lets it spin.
        KeepSpinning = "keep-spinning",
    }
}

/// Whether a spinning pilot tries to recover. [8.6]
pub(super) struct Recover<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub who: CraftId,
}

impl Recover<'_> {
    fn options(&self) -> Vec<RecoverOption> {
        RecoverOption::ALL.to_vec()
    }

    #[allow(clippy::unused_self, reason = "every closed choice has the same form")]
    fn check_option(&self, _: RecoverOption) -> Result<(), Refusal> {
        Ok(())
    }

    fn label(&self, option: RecoverOption) -> String {
        match option {
            RecoverOption::Try => format!("Try to recover, by a bet of level {}", flight::spin_bet_level(self.game.flying(self.state, self.who))),
            RecoverOption::KeepSpinning => "Keep spinning".into(),
        }
    }
}

impl Choice for Recover<'_> {
    closed_choice!(RecoverOption);
    any_option!(RecoverOption);

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("recover", format!("{} spins at level {}: try to recover?", self.game.title(self.who), self.state.get(self.who).position.level), rule::SPIN)
    }

    fn instinct(&self, _: &mut Chance) -> RecoverOption {
        RecoverOption::Try
    }
}

words! {
    /// Whether guns are fired.
    FireOption {
        /// They are.
        Fire = "fire",
        /// They are not.
        Hold = "hold",
    }
}

/// Whether an aircraft fires. [9.1]
pub(super) struct FireChoice<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub who: CraftId,
}

impl FireChoice<'_> {
    fn options(&self) -> Vec<FireOption> {
        FireOption::ALL.iter().copied().filter(|&option| self.check_option(option).is_ok()).collect()
    }

    fn check_option(&self, option: FireOption) -> Result<(), Refusal> {
        if option == FireOption::Fire { self.game.may_fire(self.state, self.who).map(|_| ()) } else { Ok(()) }
    }

    fn label(&self, option: FireOption) -> String {
        match option {
            FireOption::Fire => "Fire".into(),
            FireOption::Hold => "Hold fire".into(),
        }
    }
}

impl Choice for FireChoice<'_> {
    closed_choice!(FireOption);
    any_option!(FireOption);

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }

    fn prompt(&self) -> Prompt {
        let at = self.state.get(self.who).target.map_or("nobody".to_owned(), |target| self.game.title(target));
        Prompt::new("fire", format!("{}: fire at {at} with edge {}?", self.game.title(self.who), self.state.get(self.who).edge.unwrap_or(0)), rule::FIRE)
    }

    fn instinct(&self, _: &mut Chance) -> FireOption {
        self.options()[0]
    }
}

/// Which pip is moved. [9.4; R-48]
pub(super) struct PipChoice<'a> {
    pub game: &'a Dogfight,
    pub who: CraftId,
    pub gun: &'a Gun,
    pub dice: [u8; 2],
}

impl PipChoice<'_> {
    fn options(&self) -> Vec<Pip> {
        self.gun.pips(self.dice).to_vec()
    }

    fn check_option(&self, pip: Pip) -> Result<(), Refusal> {
        if self.gun.pips(self.dice).contains(&pip) { Ok(()) } else { Err(fire::no_pip(pip)) }
    }

    fn label(&self, pip: Pip) -> String {
        let burst = self.gun.score(&self.game.rules.tables, self.dice, pip);
        let what = match pip {
            Pip::None => "Leave the dice",
            Pip::Subtract => "Take a pip off the higher die",
            Pip::Add => "Add a pip to the lower die",
        };
        format!("{what}: {} hits, {} criticals", burst.hits, burst.criticals)
    }
}

impl Choice for PipChoice<'_> {
    closed_choice!(Pip);
    any_option!(Pip);

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("pip", format!("{} has rolled {} and {}: move a pip?", self.game.title(self.who), self.dice[0], self.dice[1]), rule::R_48)
    }

    fn instinct(&self, _: &mut Chance) -> Pip {
        self.gun.best_pip(&self.game.rules.tables, self.dice)
    }
}
