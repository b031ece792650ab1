//! The steps of a move: what may be done, and what of it is worth showing. (7.2, 8.2, 8.3)

use super::choices::check_spin;
use super::state::{Act, Mover, State};
use super::{COMPASS, Dogfight, think};
use crate::bet;
use crate::movement::movement_points_in_words;
use crate::rule;
use crate::words::{Flight, Maneuver};
use flagplot_kernel::hex::Direction;
use flagplot_kernel::{Candidate, Chance, Choice, Decision, Form, FormItem, OptionView, Prompt, Refusal, Screen, Seat};
use serde::Serialize;
use serde_json::{Value, json};

/// The next step of an aircraft.
pub(super) struct MoveChoice<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub mover: &'a Mover,
}

impl MoveChoice<'_> {
    /// Whether there is nothing left to choose.
    pub fn is_over(&self) -> bool {
        let mover = self.mover;
        let stalled = self.state.get(mover.who).flight == Flight::Stalled;
        self.game.points_left(mover) == 0
            && mover.leveling.is_none()
            && (mover.used > 0 || mover.bet_only_made || stalled)
    }

    /// The most aerobatic points for a bet of a level. (8.3)
    pub fn most_points(&self, level: i32) -> i32 {
        if self.mover.is_follower() || self.state.get(self.mover.who).flight == Flight::Stalled {
            return 0;
        }
        bet::most_points(
            level,
            self.game.flying(self.state, self.mover.who),
            self.game.info(self.mover.who).ratings.aerobatic,
        )
    }

    fn check_act(&self, act: &Act) -> Result<(), Refusal> {
        let (mover, game) = (self.mover, self.game);
        let refuse = |code, text: &str, rule| Err(Refusal::new(code, text).by(rule));
        let craft = self.state.get(mover.who);
        let points = act.points();
        if points < 0 || act.level().is_some_and(|level| !(0..=3).contains(&level)) {
            return refuse("out-of-range", "Levels are 0 to 3, and points are not negative.", rule::BET);
        }
        let left = game.points_left(mover);
        match act {
            Act::Stop if left > 0 && mover.just_stayed && craft.position.facing.is_none() => return Ok(()),
            Act::Stop if left > 0 => {
                return refuse("must-move", "Remaining movement points must be used.", rule::STEPS);
            }
            Act::Stop if mover.leveling.is_some() => {
                return refuse("already-pitched", "The levelling bet must be made.", rule::LEVELING);
            }
            Act::Stop => return Ok(()),
            Act::Spin => return check_spin(self.state, mover),
            Act::BetOnly { .. }
                if mover.used > 0
                    || mover.bet_only_made
                    || game.points_of(mover, mover.aerobatics || points > 0) > 0 =>
            {
                return refuse(
                    "must-move",
                    "A bet without a step is for those who have no movement points, once.",
                    rule::R_57,
                );
            }
            Act::BetOnly { .. } => {}
            _ if left == 0 => {
                return refuse("no-movement-points", "There are no movement points left.", rule::MOVEMENT_POINTS);
            }
            Act::Straight { .. } | Act::Facing { .. } if craft.position.facing.is_none() => {
                return refuse("wrong-spot", "From the middle an aircraft leaves by an edge or stays.", rule::STEPS);
            }
            Act::Exit { .. } if craft.position.facing.is_some() => {
                return refuse("wrong-spot", "Only an aircraft in the middle can leave the middle.", rule::STEPS);
            }
            _ => {}
        }
        let stalled = craft.flight == Flight::Stalled;
        if stalled && !matches!(act, Act::Straight { .. } | Act::Exit { .. } | Act::BetOnly { .. }) {
            return refuse("stalled", "A stalled aircraft flies straight.", rule::R_37);
        }
        if stalled
            && mover.leveling.is_none()
            && (act.level().is_some() || points > 0 || matches!(act, Act::BetOnly { .. }))
        {
            return refuse("stalled", "A stalled aircraft makes no bets of its own will.", rule::R_37);
        }
        let plain = matches!(act, Act::Straight { level: None, points: 0 });
        if !plain && !matches!(act, Act::BetOnly { .. }) && game.leaves(self.state, mover, Maneuver::Straight).is_some()
        {
            return refuse(
                "pointless-bet",
                "The hex ahead is off the map: the step is straight and nothing is bet on it.",
                rule::R_67,
            );
        }
        let plan = game.plan(self.state, mover, act)?;
        let Some(bet) = plan.bet else {
            return if matches!(act, Act::BetOnly { .. }) {
                refuse("pointless-bet", "A bet needs a level or aerobatic points.", rule::R_57)
            } else {
                Ok(())
            };
        };
        if points > 0 && mover.is_follower() {
            return refuse(
                "follower-aerobatics",
                "A formation follower spends no aerobatic points of its own.",
                rule::FORMATION,
            );
        }
        bet::check_points(points, self.most_points(bet.level))?;
        if points > 0 && !matches!(act, Act::BetOnly { .. }) && game.points_of(mover, true) < mover.used + 1 {
            return refuse(
                "mp-lost",
                "Aerobatics would lower the movement die so far that it no longer pays for this step.",
                rule::R_17,
            );
        }
        Ok(())
    }

    /// The acts there are, bets with every level and number of points that is allowed.
    pub fn acts(&self, points_wanted: Points) -> Vec<Act> {
        let craft = self.state.get(self.mover.who);
        let mut acts = Vec::with_capacity(64);
        let levels = [None, Some(0), Some(1), Some(2), Some(3)];
        let mut add = |act: &dyn Fn(Option<i32>, i32) -> Act, levels: &[Option<i32>]| {
            for &level in levels {
                let most = level.map_or(self.most_points(3), |level| self.most_points(level));
                for points in 0..=most {
                    if points_wanted == Points::All || points == 0 || points == most {
                        acts.push(act(level, points));
                    }
                }
            }
        };
        let steps = self.game.points_left(self.mover) > 0;
        match craft.position.facing {
            _ if !steps => {}
            Some(_) => {
                add(&|level, points| Act::Straight { level, points }, &levels);
                for turn in [-3, -2, -1, 1, 2] {
                    add(&move |_, points| Act::Facing { turn: if turn == -3 { 3 } else { turn }, points }, &[None]);
                }
                add(&|level, points| Act::Stay { level, points }, &levels);
            }
            None => {
                add(&|level, points| Act::Stay { level, points }, &levels);
                for edge in Direction::ALL {
                    add(&move |level, points| Act::Exit { edge, level, points }, &levels);
                }
            }
        }
        if self.mover.used == 0 {
            add(&|level, points| Act::BetOnly { level, points }, &levels);
        }
        acts.extend([Act::Stop, Act::Spin]);
        acts.retain(|act| self.check_act(act).is_ok() && !self.says_twice(act));
        acts
    }

    /// Whether an act is another way of saying one that is listed too: a level that is asked for anyway, or none where it is 0.
    fn says_twice(&self, act: &Act) -> bool {
        match (act.level(), self.game.plan(self.state, self.mover, act)) {
            (Some(level), Ok(plan)) => plan
                .bet
                .is_some_and(|bet| level == bet.required && (bet.leveling || plan.maneuver == Maneuver::StayInHex)),
            (None, Ok(plan)) => plan.maneuver.is_plain() && plan.bet.is_some_and(|bet| !bet.leveling),
            _ => false,
        }
    }

    /// An act that may well be legal.
    fn guess(&self, chance: &mut Chance) -> Act {
        let bets = chance.below(2) == 0;
        let level = bets.then(|| chance.below(4) as i32);
        let points = if bets && chance.below(2) == 0 { self.most_points(level.unwrap_or(0)) } else { 0 };
        let in_middle = self.state.get(self.mover.who).position.facing.is_none();
        if self.game.points_left(self.mover) == 0 {
            return match chance.below(8) {
                0 => Act::Spin,
                1..=4 => Act::BetOnly { level, points },
                _ => Act::Stop,
            };
        }
        match (chance.below(40), in_middle) {
            (0, _) => Act::Spin,
            (1..=3, true) if self.mover.just_stayed => Act::Stop,
            (1..=12, _) => Act::Stay { level, points },
            (_, true) => Act::Exit { edge: Direction::new(chance.below(6) as i32), level, points },
            (13..=25, false) => Act::Straight { level, points },
            (_, false) => Act::Facing { turn: [-2, -1, 1, 2, 3][chance.below(5) as usize], points },
        }
    }

    fn label(&self, act: &Act) -> String {
        let what = match act {
            Act::Straight { .. } => match self.game.leaves(self.state, self.mover, Maneuver::Straight) {
                Some(status) => format!("Leave the map ({status})"),
                None => "Straight ahead".to_owned(),
            },
            Act::Facing { turn, .. } => format!(
                "Turn {} {}",
                turn.abs(),
                if turn.abs() == 3 {
                    "about"
                } else if *turn < 0 {
                    "left"
                } else {
                    "right"
                }
            ),
            Act::Stay { .. } => "Stay in hex".to_owned(),
            Act::Exit { edge, .. } => format!("Leave the middle to the {}", COMPASS[usize::from(edge.index())]),
            Act::BetOnly { .. } => "Bet without a step".to_owned(),
            Act::Spin => return "Try to go into a spin".to_owned(),
            Act::Stop => return "No more steps".to_owned(),
        };
        match self.game.plan(self.state, self.mover, act) {
            Ok(plan) => match plan.bet {
                None => what,
                Some(bet) => {
                    let leveling = if bet.leveling { ", levelling off" } else { "" };
                    let points = if bet.points > 0 {
                        format!(", {} aerobatic {}", bet.points, if bet.points == 1 { "point" } else { "points" })
                    } else {
                        String::new()
                    };
                    format!(
                        "{what}{leveling}: bet level {}{points}, {} or more",
                        bet.level,
                        bet.target_number(&self.game.rules.tables) - bet.modifier()
                    )
                }
            },
            Err(_) => what,
        }
    }

    /// A step with any level and number of aerobatic points.
    fn bet_form(&self, step: Option<FormItem>, mut template: Value) -> Form {
        let levels = std::iter::once(option(None::<i32>, "none of its own".into()))
            .chain((0..=3).map(|level| option(Some(level), level.to_string())));
        let level = FormItem { id: "level".into(), label: "Bet level".into(), options: levels.collect() };
        let most = (0..=3).map(|level| self.most_points(level)).max().unwrap_or(0);
        let points = (0..=most).map(|points| option(points, points.to_string()));
        let points = FormItem { id: "points".into(), label: "Aerobatic points".into(), options: points.collect() };
        template["level"] = json!("$level");
        template["points"] = json!("$points");
        Form::Parts { places: Vec::new(), items: step.into_iter().chain([level, points]).collect(), template }
    }

    /// Steps one might expect that cannot be made, those with the same reason together, each with its rule.
    fn not_there(&self) -> Vec<String> {
        let turns = [-1, 1, -2, 2, 3].map(|turn| Act::Facing { turn, points: 0 });
        let edges = Direction::ALL.map(|edge| Act::Exit { edge, level: None, points: 0 });
        let steps: &[Act] = if self.state.get(self.mover.who).position.facing.is_some() { &turns } else { &edges };
        let (straight, stay) = (Act::Straight { level: None, points: 0 }, Act::Stay { level: None, points: 0 });
        let there = self.acts(Points::NoneAndMost);
        let same_step = |one: &Act, other: &Act| match (one, other) {
            (Act::Facing { turn: a, .. }, Act::Facing { turn: b, .. }) => a == b,
            (Act::Exit { edge: a, .. }, Act::Exit { edge: b, .. }) => a == b,
            _ => std::mem::discriminant(one) == std::mem::discriminant(other),
        };
        let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
        for act in [straight]
            .iter()
            .chain(steps)
            .chain(&[stay, Act::Stop, Act::Spin])
            .filter(|act| !there.iter().any(|other| same_step(act, other)))
        {
            let Err(refusal) = self.check_act(act) else { continue };
            let why = refusal.to_string();
            let label = self.label(act).split(':').next().unwrap_or_default().to_owned();
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, labels)) => labels.push(label),
                None => reasons.push((why, vec![label])),
            }
        }
        reasons
            .into_iter()
            .map(|(why, labels)| format!("{}: {why}", labels.join(", ")))
            .chain(self.bets_not_there())
            .collect()
    }

    /// Bets one might expect on the plainest step that cannot be made: levels, and more aerobatic points.
    fn bets_not_there(&self) -> Vec<String> {
        let in_middle = self.state.get(self.mover.who).position.facing.is_none();
        let step =
            |level, points| if in_middle { Act::Stay { level, points } } else { Act::Straight { level, points } };
        if self.check_act(&step(None, 0)).is_err() && self.check_act(&step(Some(3), 0)).is_err() {
            return Vec::new();
        }
        let most = self.most_points(3);
        let levels = (0..=3).map(|level| (format!("A bet of level {level}"), step(Some(level), 0)));
        let points = std::iter::once((format!("More than {most} aerobatic points"), step(Some(3), most + 1)));
        let refused = levels.chain(points).filter_map(|(what, act)| Some((what, self.check_act(&act).err()?)));
        let mut told: Vec<(String, String)> = Vec::new();
        for (what, refusal) in refused {
            match told.iter_mut().find(|(_, why)| *why == refusal.to_string()) {
                Some((names, _)) => *names = format!("{names}, {what}"),
                None => told.push((what, refusal.to_string())),
            }
        }
        told.into_iter().map(|(what, why)| format!("{what}: {why}")).collect()
    }

    /// The hex a step leads to as it is named in the scene, and the spot in it: `1,-2@3` by its edge, `1,-2@m` in the middle.
    fn place(&self, act: &Act) -> Option<[String; 2]> {
        let position = &self.state.get(self.mover.who).position;
        let (hex, facing) = match (act, position.facing) {
            (Act::Straight { .. }, Some(facing)) => (position.hex.step(facing), Some(facing)),
            (Act::Facing { turn, .. }, Some(facing)) => (position.hex.step(facing), Some(facing.turn(*turn))),
            (Act::Stay { .. }, Some(facing)) => (position.hex.step(facing), None),
            (Act::Stay { .. }, None) => (position.hex, None),
            (Act::Exit { edge, .. }, None) => (position.hex, Some(*edge)),
            _ => return None,
        };
        let spot = facing.map_or("m".to_owned(), |facing| facing.index().to_string());
        Some([format!("{},{}", hex.q, hex.r), format!("{},{}@{spot}", hex.q, hex.r)])
    }
}

/// An option of a form.
fn option(value: impl Serialize, label: String) -> OptionView {
    OptionView { value: json!(value), label, pieces: Vec::new() }
}

/// Which numbers of aerobatic points are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Points {
    /// Every number.
    All,
    /// None and the most.
    NoneAndMost,
}

impl Decision for MoveChoice<'_> {
    type Value = Act;

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn check(&self, value: &Act) -> Result<(), Refusal> {
        self.check_act(value)
    }
}

impl Screen for MoveChoice<'_> {
    fn prompt(&self) -> Prompt {
        let left = self.game.points_left(self.mover);
        let text = format!(
            "{}: {} left, speed {} for bets.",
            self.game.title(self.mover.who),
            movement_points_in_words(left),
            self.mover.tally.speed_for_bets()
        );
        self.not_there().into_iter().fold(Prompt::new("move", text, rule::STEPS), Prompt::missing)
    }

    fn candidates(&self) -> Vec<Candidate<Act>> {
        let in_middle = self.state.get(self.mover.who).position.facing.is_none();
        let acts = self.acts(if in_middle { Points::NoneAndMost } else { Points::All });
        let mover = self.game.name(self.mover.who).to_owned();
        acts.into_iter()
            .map(|act| {
                Candidate::new(act, self.label(&act))
                    .at(self.place(&act).into_iter().flat_map(|[hex, spot]| [hex, spot, mover.clone()]))
            })
            .collect()
    }

    fn form(&self) -> Form {
        if self.state.get(self.mover.who).position.facing.is_some() {
            return Form::Pick;
        }
        // Six edges with every bet would be too long a list: bets with some of the points are put together from their parts.
        let mut ways = vec![("One of these".to_owned(), Form::Pick)];
        let there = self.acts(Points::NoneAndMost);
        let may_bet = self.state.get(self.mover.who).flight != Flight::Stalled || self.mover.leveling.is_some();
        if may_bet && there.iter().any(|act| matches!(act, Act::Exit { .. })) {
            let edges = Direction::ALL
                .into_iter()
                .filter(|way| there.iter().any(|act| matches!(act, Act::Exit { edge, .. } if edge == way)));
            let edges = edges.map(|edge| option(edge, format!("to the {}", COMPASS[usize::from(edge.index())])));
            let edge = FormItem { id: "edge".into(), label: "Leave the middle".into(), options: edges.collect() };
            ways.push(("Leave with a bet".into(), self.bet_form(Some(edge), json!({"kind": "exit", "edge": "$edge"}))));
        }
        if may_bet && there.iter().any(|act| matches!(act, Act::Stay { .. })) {
            ways.push(("Stay with a bet".into(), self.bet_form(None, json!({"kind": "stay"}))));
        }
        if there.iter().any(|act| matches!(act, Act::BetOnly { .. })) {
            ways.push(("Bet without a step".into(), self.bet_form(None, json!({"kind": "bet-only"}))));
        }
        Form::Choices { ways }
    }
}

impl Choice for MoveChoice<'_> {
    fn sample(&self, chance: &mut Chance) -> Act {
        // Guessing is much quicker than listing everything, and flying comes more often than betting.
        for _ in 0..6 {
            let guess = self.guess(chance);
            if self.check_act(&guess).is_ok() {
                return guess;
            }
        }
        let acts = self.acts(Points::NoneAndMost);
        chance.pick(&acts).copied().unwrap_or(Act::Stop)
    }

    fn instinct(&self, chance: &mut Chance) -> Act {
        think::act(self, chance)
    }
}
