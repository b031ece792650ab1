//! What players decide, apart from targets and the steps of a move.

use super::moves::Plan;
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
use flagplot_kernel::{Candidate, Chance, Choice, Decision, Prompt, Refusal, Screen, Seat};

/// No piece stands for any of the options.
macro_rules! no_piece {
    ($value:ty) => {
        #[allow(clippy::unused_self, reason = "every closed choice has the same form")]
        fn piece(&self, _: $value) -> Option<&str> {
            None
        }
    };
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
macro_rules! closed_rule {
    ($value:ty) => {
        type Value = $value;

        fn check(&self, value: &$value) -> Result<(), Refusal> {
            self.check_option(*value)
        }
    };
}

/// Shows the options of a short closed list.
macro_rules! closed_screen {
    ($value:ty) => {
        fn candidates(&self) -> Vec<Candidate<$value>> {
            self.options()
                .into_iter()
                .map(|option| Candidate::new(option, self.label(option)).at(self.piece(option)))
                .collect()
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

/// Whether an aircraft waits for its target. (Tailing; R-13)
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
        let Some(prey) = self.state.prey(self.game, self.who) else {
            return refuse("There is no enemy target to wait for.", rule::TAILING);
        };
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
        if self.check_possible().is_ok() {
            vec![TailOption::Wait, TailOption::MoveNow]
        } else {
            vec![TailOption::MoveNow]
        }
    }

    fn check_option(&self, option: TailOption) -> Result<(), Refusal> {
        if option == TailOption::Wait { self.check_possible() } else { Ok(()) }
    }

    fn piece(&self, option: TailOption) -> Option<&str> {
        self.state.get(self.who).target.filter(|_| option == TailOption::Wait).map(|target| self.game.name(target))
    }

    fn label(&self, option: TailOption) -> String {
        match option {
            TailOption::Wait => "Wait and move after the target".into(),
            TailOption::MoveNow => "Move now".into(),
        }
    }
}

impl Decision for Tail<'_> {
    closed_rule!(TailOption);

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }
}

impl Screen for Tail<'_> {
    closed_screen!(TailOption);

    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new(
            "tail",
            format!("{}: wait for the target or move now?", self.game.title(self.who)),
            rule::TAILING,
        );
        match self.check_possible() {
            Err(refusal) => prompt.missing(format!("Wait and move after the target: {refusal}")),
            Ok(()) => prompt,
        }
    }
}

impl Choice for Tail<'_> {
    any_option!(TailOption);

    fn instinct(&self, _: &mut Chance) -> TailOption {
        self.options()[0]
    }
}

/// The climb or dive of a move. (Climbing / Diving)
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
                return Err(
                    Refusal::new("already-pitched", "Finish the half move or level off first.").by(rule::CLIMB_DIVE)
                );
            }
            movement::vertical_move(tables, speed, way, extent)?;
            movement::check_ceiling(way, position.level, self.game.scenario.top_level)
        };
        match option {
            VerticalOption::Stay if pitched => {
                Err(Refusal::new("already-pitched", "Finish the half move or level off first.").by(rule::CLIMB_DIVE))
            }
            VerticalOption::Stay => Ok(()),
            VerticalOption::HalfClimb => begin(Vertical::Climb, Extent::Half),
            VerticalOption::HalfDive => begin(Vertical::Dive, Extent::Half),
            VerticalOption::FullClimb => begin(Vertical::Climb, Extent::Full),
            VerticalOption::FullDive => begin(Vertical::Dive, Extent::Full),
            VerticalOption::Finish | VerticalOption::LevelOff if !pitched => {
                Err(Refusal::new("impossible-climb-dive", "There is no half move to finish or to break off.")
                    .by(rule::CLIMB_DIVE))
            }
            VerticalOption::Finish => {
                let way = if position.pitch == Pitch::Climbing { Vertical::Climb } else { Vertical::Dive };
                movement::vertical_move(tables, speed, way, Extent::Finish).map(|_| ())
            }
            VerticalOption::LevelOff => Ok(()),
        }
    }

    no_piece!(VerticalOption);

    fn label(&self, option: VerticalOption) -> String {
        let position = &self.state.get(self.mover.who).position;
        let (tables, speed) = (&self.game.rules.tables, self.mover.tally.speed);
        let points = |way, extent| {
            movement::vertical_move(tables, speed, way, extent)
                .map_or(String::new(), |made| format!(", speed {} to {}", speed, made.speed))
        };
        match option {
            VerticalOption::Stay => "Stay level".into(),
            VerticalOption::HalfClimb => format!("Begin to climb{}", points(Vertical::Climb, Extent::Half)),
            VerticalOption::HalfDive => format!("Begin to dive{}", points(Vertical::Dive, Extent::Half)),
            VerticalOption::FullClimb => format!("Climb a level{}", points(Vertical::Climb, Extent::Full)),
            VerticalOption::FullDive => format!("Dive a level{}", points(Vertical::Dive, Extent::Full)),
            VerticalOption::Finish if position.pitch == Pitch::Climbing => {
                format!("Finish the climb{}", points(Vertical::Climb, Extent::Finish))
            }
            VerticalOption::Finish => format!(
                "Finish the dive{}{}",
                points(Vertical::Dive, Extent::Finish),
                if position.level == 1 { " and crash" } else { "" }
            ),
            VerticalOption::LevelOff => {
                format!("Level off, by a bet of level {}", movement::finish_points(tables, speed))
            }
        }
    }
}

impl Decision for VerticalChoice<'_> {
    closed_rule!(VerticalOption);

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }
}

impl Screen for VerticalChoice<'_> {
    closed_screen!(VerticalOption);

    fn prompt(&self) -> Prompt {
        let missing = VerticalOption::ALL
            .iter()
            .filter_map(|&option| self.check_option(option).err().map(|refusal| format!("{option}: {refusal}")));
        let mut prompt = Prompt::new(
            "vertical",
            format!("{} has rolled {}: climb, dive or stay level?", self.game.title(self.mover.who), self.mover.die),
            rule::CLIMB_DIVE,
        );
        prompt.missing.extend(missing);
        prompt
    }
}

impl Choice for VerticalChoice<'_> {
    any_option!(VerticalOption);

    fn instinct(&self, _: &mut Chance) -> VerticalOption {
        think::vertical(self)
    }
}

/// Which tasks of a lost bet are given up. (Bet failure; R-31)
pub(super) struct Cancel<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub mover: &'a Mover,
    pub tasks: Tasks,
    pub count: i32,
    pub plan: &'a Plan,
}

impl Decision for Cancel<'_> {
    type Value = GivenUp;

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn check(&self, value: &GivenUp) -> Result<(), Refusal> {
        if self.tasks.ways(self.count).contains(&(*value).into()) {
            return Ok(());
        }
        Err(Refusal::new("bad-cancel", format!("Give up exactly {} of the tasks of this manoeuvre.", self.count))
            .by(rule::R_31))
    }
}

impl Screen for Cancel<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new(
            "cancel",
            format!(
                "{} has lost its bet on {} and must give up {} of {} tasks.",
                self.game.title(self.mover.who),
                self.plan.maneuver,
                self.count,
                self.tasks.total()
            ),
            rule::R_31,
        )
    }

    fn candidates(&self) -> Vec<Candidate<GivenUp>> {
        let label = |given: &Tasks| {
            let parts = [
                (given.aerobatics, "aerobatic points"),
                (given.facing, "hexsides"),
                (given.stay_in_hex, "the stay in hex"),
                (given.leveling, "levelling off"),
            ];
            let words: Vec<String> = parts
                .iter()
                .filter(|(n, _)| *n > 0)
                .map(|(n, what)| {
                    if what.starts_with("the") || what.starts_with("lev") {
                        (*what).to_owned()
                    } else {
                        format!("{n} {what}")
                    }
                })
                .collect();
            format!("Give up {}", words.join(" and "))
        };
        self.tasks.ways(self.count).into_iter().map(|given| Candidate::new(given.into(), label(&given))).collect()
    }
}

impl Choice for Cancel<'_> {
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

impl Decision for ExitEdge<'_> {
    type Value = Direction;

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn check(&self, _: &Direction) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Screen for ExitEdge<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new(
            "exit-edge",
            format!("{} is thrown out of the middle: by which edge?", self.game.title(self.mover.who)),
            rule::R_33,
        )
    }

    fn candidates(&self) -> Vec<Candidate<Direction>> {
        Direction::ALL
            .iter()
            .map(|&edge| Candidate::new(edge, format!("To the {}", COMPASS[usize::from(edge.index())])))
            .collect()
    }
}

impl Choice for ExitEdge<'_> {
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

/// Power, drag or neither; or a spin after the last step. (7.4; R-42)
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

    no_piece!(EngineOption);

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

/// Whether an aircraft may try to go into a spin. (8.6; R-65)
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

impl Decision for EngineChoice<'_> {
    closed_rule!(EngineOption);

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }
}

impl Screen for EngineChoice<'_> {
    closed_screen!(EngineOption);

    fn prompt(&self) -> Prompt {
        let missing = EngineOption::ALL
            .iter()
            .filter_map(|&option| self.check_option(option).err().map(|refusal| format!("{option}: {refusal}")));
        let mut prompt = Prompt::new(
            "engine",
            format!(
                "{} ends its move at speed {}: power, drag or neither?",
                self.game.title(self.mover.who),
                self.mover.tally.speed_before_engine()
            ),
            rule::R_42,
        );
        prompt.missing.extend(missing);
        prompt
    }
}

impl Choice for EngineChoice<'_> {
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

/// Whether a spinning pilot tries to recover. (8.6)
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

    no_piece!(RecoverOption);

    fn label(&self, option: RecoverOption) -> String {
        match option {
            RecoverOption::Try => format!(
                "Try to recover, by a bet of level {}",
                flight::spin_bet_level(self.game.flying(self.state, self.who))
            ),
            RecoverOption::KeepSpinning => "Keep spinning".into(),
        }
    }
}

impl Decision for Recover<'_> {
    closed_rule!(RecoverOption);

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }
}

impl Screen for Recover<'_> {
    closed_screen!(RecoverOption);

    fn prompt(&self) -> Prompt {
        Prompt::new(
            "recover",
            format!(
                "{} spins at level {}: try to recover?",
                self.game.title(self.who),
                self.state.get(self.who).position.level
            ),
            rule::SPIN,
        )
    }
}

impl Choice for Recover<'_> {
    any_option!(RecoverOption);

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

/// Whether an aircraft fires. (9.1)
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

    fn piece(&self, option: FireOption) -> Option<&str> {
        self.state.get(self.who).target.filter(|_| option == FireOption::Fire).map(|target| self.game.name(target))
    }

    fn label(&self, option: FireOption) -> String {
        match option {
            FireOption::Fire => "Fire".into(),
            FireOption::Hold => "Hold fire".into(),
        }
    }
}

impl Decision for FireChoice<'_> {
    closed_rule!(FireOption);

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }
}

impl Screen for FireChoice<'_> {
    closed_screen!(FireOption);

    fn prompt(&self) -> Prompt {
        let at = self.state.get(self.who).target.map_or("nobody", |target| self.game.title(target));
        let prompt = Prompt::new(
            "fire",
            format!(
                "{}: fire at {at} with edge {}?",
                self.game.title(self.who),
                self.state.get(self.who).edge.unwrap_or(0)
            ),
            rule::FIRE,
        );
        let prompt = match self.check_option(FireOption::Fire) {
            Err(refusal) => prompt.missing(format!("Fire: {refusal}")),
            Ok(()) => prompt,
        };
        // Somebody nearer may be in the way; one shoots at whom one has named all the same.
        let others = self.state.in_play().filter(|&other| {
            self.game.side(other) != self.game.side(self.who) && Some(other) != self.state.get(self.who).target
        });
        match others.map(|other| self.game.name(other)).collect::<Vec<_>>().join(", ") {
            names if names.is_empty() => prompt,
            names => prompt.missing(format!(
                "Fire at {names}: an aircraft fires at the target it has declared and at no other. [{}]",
                rule::FIRE
            )),
        }
    }
}

impl Choice for FireChoice<'_> {
    any_option!(FireOption);

    fn instinct(&self, _: &mut Chance) -> FireOption {
        self.options()[0]
    }
}

/// Which pip is moved. (9.4; R-48)
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

    no_piece!(Pip);

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

impl Decision for PipChoice<'_> {
    closed_rule!(Pip);

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }
}

impl Screen for PipChoice<'_> {
    closed_screen!(Pip);

    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new(
            "pip",
            format!("{} has rolled {} and {}: move a pip?", self.game.title(self.who), self.dice[0], self.dice[1]),
            rule::R_48,
        );
        let refused = [Pip::Subtract, Pip::Add]
            .into_iter()
            .filter_map(|pip| Some((self.label(pip), self.check_option(pip).err()?)));
        refused.fold(prompt, |prompt, (label, refusal)| {
            prompt.missing(format!("{}: {refusal}", label.split(':').next().unwrap_or_default()))
        })
    }
}

impl Choice for PipChoice<'_> {
    any_option!(Pip);

    fn instinct(&self, _: &mut Chance) -> Pip {
        self.gun.best_pip(&self.game.rules.tables, self.dice)
    }
}
