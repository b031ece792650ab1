//! How the open questions are put to a player: tasks to give up, steps, targets.

use super::choices::Cancel;
use super::choose_move::{MoveChoice, Points};
use super::choose_targets::{Declarations, Targets};
use super::state::{Act, CraftId, GivenUp, Step};
use super::{COMPASS, think};
use crate::bet::Tasks;
use crate::refusals::Barred;
use crate::rule;
use crate::words::{Maneuver, counted};
use flagplot_kernel::hex::Direction;
use flagplot_kernel::{Candidate, Decision, Form, FormItem, OptionView, Prompt, Refusal, Screen};
use serde::Serialize;
use serde_json::{Value, json};
use std::cmp::Reverse;

/// A prompt with what is missing from its options, those with the same reason together.
fn with_missing(prompt: Prompt, missing: impl IntoIterator<Item = (String, Barred)>) -> Prompt {
    let mut told: Vec<(String, Barred)> = Vec::new();
    for (what, barred) in missing {
        match told.iter_mut().find(|(_, known)| *known == barred) {
            Some((names, _)) => *names = format!("{names}, {what}"),
            None => told.push((what, barred)),
        }
    }
    told.into_iter().fold(prompt, |prompt, (what, barred)| prompt.missing(format!("{what}: {}", Refusal::from(barred))))
}

/// The chance that two dice reach a number.
fn percent(number: i32) -> String {
    format!("{}%", (think::ways_to_reach(number) * 100 + 18) / 36)
}

fn option(value: impl Serialize, label: impl Into<String>) -> OptionView {
    OptionView::new(json!(value), label)
}

impl Screen for Cancel<'_> {
    fn prompt(&self) -> Prompt {
        let (who, maneuver) = (self.game.who(self.mover.who), self.plan.maneuver.told());
        let (count, total) = (self.count, self.tasks.total());
        let text = format!("{who} fails the {maneuver} and loses {count} of {total} tasks. Which ones?");
        Prompt::new("cancel", text, rule::R_31)
    }

    fn candidates(&self) -> Vec<Candidate<GivenUp>> {
        let label = |given: &Tasks| {
            let parts = [
                (given.aerobatics, counted(given.aerobatics, "aerobatic point")),
                (given.facing, counted(given.facing, "hexside")),
                (given.stay_in_hex, "the stay in the hex".to_owned()),
                (given.leveling, "levelling off".to_owned()),
            ];
            let words: Vec<String> = parts.into_iter().filter(|(n, _)| *n > 0).map(|(_, what)| what).collect();
            format!("Give up {}", words.join(" and "))
        };
        self.tasks.ways(self.count).into_iter().map(|given| Candidate::new(given.into(), label(&given))).collect()
    }
}

impl MoveChoice<'_> {
    /// An act without its bet.
    fn step_label(&self, act: &Act) -> String {
        match act {
            Act::Straight { .. } => match self.game.leaves(self.state, self.mover, Maneuver::Straight) {
                Some(status) => format!("Leave the map {}", status.destination()),
                None => "Straight ahead".to_owned(),
            },
            Act::Facing { turn, .. } => {
                let way = match turn {
                    -3 | 3 => "about",
                    ..0 => "left",
                    _ => "right",
                };
                format!("Turn {} {way}", turn.abs())
            }
            Act::Stay { .. } => "Stay in hex".to_owned(),
            Act::Exit { edge, .. } => format!("Leave the middle to the {}", COMPASS[usize::from(edge.index())]),
            Act::BetOnly { .. } => "Bet without moving".to_owned(),
            Act::Spin => "Try to go into a spin".to_owned(),
            Act::Stop => "No more steps".to_owned(),
        }
    }

    fn label(&self, act: &Act) -> String {
        let what = self.step_label(act);
        let Some(bet) = self.game.bet_on(self.state, self.mover, act) else { return what };
        let leveling = if bet.leveling { ", levelling off" } else { "" };
        let points = match bet.points {
            0 => String::new(),
            points => format!(", {}", counted(points, "aerobatic point")),
        };
        let needs = bet.needs(&self.game.rules.tables);
        let chance = percent(needs);
        let edge = match bet.gain() {
            ..=0 => String::new(),
            gain => format!(", {gain} edge if won"),
        };
        format!("{what}{leveling}: bet level {}{points}, {needs} or more ({chance}){edge}", bet.level)
    }

    /// A step with any level and number of aerobatic points.
    fn bet_form(&self, step: Option<FormItem>, mut template: Value) -> Form {
        let levels = std::iter::once(option(None::<i32>, "the level that the table gives"))
            .chain((0..=3).map(|level| option(Some(level), level.to_string())));
        let level = FormItem { id: "level".into(), label: "Bet level".into(), options: levels.collect() };
        let most = (0..=3).map(|level| self.most_points(level)).max().unwrap_or(0);
        let points = (0..=most).map(|points| option(points, points.to_string()));
        let points = FormItem { id: "points".into(), label: "Aerobatic points".into(), options: points.collect() };
        template["level"] = json!("$level");
        template["points"] = json!("$points");
        Form::Parts { places: Vec::new(), items: step.into_iter().chain([level, points]).collect(), template }
    }

    /// Steps that a player might expect and that cannot be made.
    fn missing_steps(&self) -> Vec<(String, Barred)> {
        let turns = [-1, 1, -2, 2, 3].map(|turn| Act::Facing { turn, points: 0 });
        let edges = Direction::ALL.map(|edge| Act::Exit { edge, level: None, points: 0 });
        let steps: &[Act] = if self.is_in_middle() { &edges } else { &turns };
        let (straight, stay) = (Act::Straight { level: None, points: 0 }, Act::Stay { level: None, points: 0 });
        let offered = self.acts(Points::NoneAndMost);
        let same_step = |one: &Act, other: &Act| match (one, other) {
            (Act::Facing { turn: a, .. }, Act::Facing { turn: b, .. }) => a == b,
            (Act::Exit { edge: a, .. }, Act::Exit { edge: b, .. }) => a == b,
            _ => std::mem::discriminant(one) == std::mem::discriminant(other),
        };
        let all = [straight].into_iter().chain(steps.iter().copied()).chain([stay, Act::Stop, Act::Spin]);
        all.filter(|act| !offered.iter().any(|other| same_step(act, other)))
            .filter_map(|act| Some((self.step_label(&act), self.check_act(&act).err()?)))
            .collect()
    }

    /// Bets on the plainest step that a player might expect and that cannot be made: levels, and more aerobatic points.
    fn missing_bets(&self) -> Vec<(String, Barred)> {
        let in_middle = self.is_in_middle();
        let step =
            |level, points| if in_middle { Act::Stay { level, points } } else { Act::Straight { level, points } };
        if self.check_act(&step(None, 0)).is_err() && self.check_act(&step(Some(3), 0)).is_err() {
            return Vec::new();
        }
        let most = self.most_points(3);
        let levels = (0..=3).map(|level| (format!("A bet of level {level}"), step(Some(level), 0)));
        let points = (format!("More than {}", counted(most, "aerobatic point")), step(Some(3), most + 1));
        levels.chain([points]).filter_map(|(what, act)| Some((what, self.check_act(&act).err()?))).collect()
    }

    /// The hex a step leads to as the scene names it, and the spot in it: `1,-2@3` by its edge, `1,-2@m` in the middle.
    fn place(&self, act: &Act) -> Option<[String; 2]> {
        let plan = self.game.plan(self.state, self.mover, act).ok()??;
        let (to, step) = plan.goal(&self.state.get(self.mover.who).position)?;
        if step == Step::Nowhere {
            return None;
        }
        let (q, r) = (to.hex.q, to.hex.r);
        let spot = to.facing.map_or("m".to_owned(), |facing| facing.index().to_string());
        Some([format!("{q},{r}"), format!("{q},{r}@{spot}")])
    }
}

impl Screen for MoveChoice<'_> {
    fn prompt(&self) -> Prompt {
        let (who, speed) = (self.game.who(self.mover.who), self.mover.tally.speed_for_bets());
        let left = counted(self.game.points_left(self.mover), "movement point");
        let prompt = Prompt::new("move", format!("{who} has {left} left (speed {speed}). What next?"), rule::STEPS);
        with_missing(with_missing(prompt, self.missing_steps()), self.missing_bets())
    }

    fn candidates(&self) -> Vec<Candidate<Act>> {
        let acts = self.acts(if self.is_in_middle() { Points::NoneAndMost } else { Points::All });
        let mover = self.game.who(self.mover.who).id.to_owned();
        let candidate = |act: Act| {
            let place = self.place(&act).into_iter().flat_map(|[hex, spot]| [hex, spot, mover.clone()]);
            let bet = self.game.bet_on(self.state, self.mover, &act);
            let tag = bet.map_or_else(String::new, |bet| percent(bet.needs(&self.game.rules.tables)));
            Candidate::new(act, self.label(&act)).at(place).tagged(tag)
        };
        acts.into_iter().map(candidate).collect()
    }

    fn form(&self) -> Form {
        if !self.is_in_middle() {
            return Form::Pick;
        }
        // Six edges with every bet would be too long a list: bets with some of the points are put together from parts.
        let mut ways = vec![("One of these".to_owned(), Form::Pick)];
        let offered = self.acts(Points::NoneAndMost);
        let may_bet = !self.is_stalled() || self.mover.leveling.is_some();
        let is_exit = |act: &Act, way| matches!(act, Act::Exit { edge, .. } if *edge == way);
        let edges = Direction::ALL.into_iter().filter(|&way| offered.iter().any(|act| is_exit(act, way)));
        let edges = edges.map(|edge| option(edge, format!("to the {}", COMPASS[usize::from(edge.index())])));
        let edges: Vec<OptionView> = edges.collect();
        if may_bet && !edges.is_empty() {
            let edge = FormItem { id: "edge".into(), label: "Leave the middle".into(), options: edges };
            ways.push(("Leave with a bet".into(), self.bet_form(Some(edge), json!({"kind": "exit", "edge": "$edge"}))));
        }
        if may_bet && offered.iter().any(|act| matches!(act, Act::Stay { .. })) {
            ways.push(("Stay with a bet".into(), self.bet_form(None, json!({"kind": "stay"}))));
        }
        if offered.iter().any(|act| matches!(act, Act::BetOnly { .. })) {
            ways.push(("Bet without moving".into(), self.bet_form(None, json!({"kind": "bet-only"}))));
        }
        Form::Choices { ways }
    }
}

/// Up to so many declarations are all listed.
const FEW: usize = 24;

impl Targets<'_> {
    fn all(&self, aims: &[(CraftId, Vec<Option<CraftId>>)]) -> Vec<Declarations> {
        let mut answers = vec![Vec::new()];
        for (own, aims) in aims {
            answers = answers
                .into_iter()
                .flat_map(|answer: Vec<_>| {
                    aims.iter().map(move |aim| answer.iter().copied().chain([(*own, *aim)]).collect())
                })
                .collect();
        }
        answers.into_iter().map(|answer| self.answer(answer)).filter(|answer| self.check(answer).is_ok()).collect()
    }

    /// Legal declarations that differ from one in one aircraft, and no targets at all.
    fn near(&self, first: &Declarations, aims: &[(CraftId, Vec<Option<CraftId>>)]) -> Vec<Declarations> {
        let mut answers = vec![first.clone(), self.answer(aims.iter().map(|(own, _)| (*own, None)))];
        answers.dedup();
        for (own, aims) in aims {
            for target in aims {
                let mut changed = first.clone();
                changed.0.extend(self.answer([(*own, *target)]).0);
                if !answers.contains(&changed) && self.check(&changed).is_ok() {
                    answers.push(changed);
                }
            }
        }
        answers
    }

    fn label(&self, answer: &Declarations) -> String {
        let name = |id: Option<&str>| id.and_then(|id| self.game.find(id)).map_or("none", |id| self.game.who(id).name);
        let arrow =
            |(own, target): (&String, &Option<String>)| format!("{} → {}", name(Some(own)), name(target.as_deref()));
        answer.0.iter().map(arrow).collect::<Vec<_>>().join(", ")
    }
}

impl Screen for Targets<'_> {
    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new("targets", "Choose a target for each of your aircraft.", rule::TARGETING).confirm();
        let who = |id| self.game.who(id);
        let pairs = self.crews().flat_map(|own| self.state.in_play().map(move |target| (own, target)));
        let missing = pairs.filter(|(own, target)| own != target).filter_map(|(own, target)| {
            Some((format!("{} after {}", who(own), who(target)), self.check_one(own, target).err()?))
        });
        with_missing(prompt, missing)
    }

    /// Where there are few, all legal declarations; else the standard one and those that differ from it in one
    /// aircraft. The standard one comes first, then the most promising.
    fn candidates(&self) -> Vec<Candidate<Declarations>> {
        let aims: Vec<(CraftId, Vec<Option<CraftId>>)> = self.crews().map(|own| (own, self.aims(own))).collect();
        let first = think::targets(self);
        let mut answers = match aims.iter().map(|(_, aims)| aims.len()).try_fold(1usize, usize::checked_mul) {
            Some(count) if count <= FEW => self.all(&aims),
            _ => self.near(&first, &aims),
        };
        answers.sort_by_cached_key(|answer| (*answer != first, Reverse(think::worth_of_targets(self, answer))));
        let labelled = answers.into_iter().map(|answer| (self.label(&answer), answer));
        labelled.map(|(label, answer)| Candidate::new(answer, label)).collect()
    }

    fn form(&self) -> Form {
        let target = |own, target| {
            let id = self.game.who(target).id;
            let value = json!({"aircraft": self.game.who(own).id, "target": id});
            OptionView::new(value, self.game.title(target)).at([id])
        };
        let items = self.crews().map(|own| FormItem {
            id: self.game.who(own).id.to_owned(),
            label: self.game.title(own).to_owned(),
            options: self.aims(own).into_iter().flatten().map(|aim| target(own, aim)).collect(),
        });
        Form::Assign { items: items.collect(), none: "no target".into() }
    }
}
