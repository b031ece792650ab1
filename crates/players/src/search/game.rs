//! One imagined game: the answers of the step so far, the root, the tree, then a playout.

use super::dice::{Readings, of_die, of_pool, of_sum};
use super::scale::Ending;
use super::tree::{Advice, Tree, Visit, hash_of, join};
use crate::knowledge::{Knowledge, World};
use crate::policy::Habit;
use flagplot_kernel::{
    Ask, Asked, Chance, Choice, Die, Faces, Game, Note, Policy, Pool, Roll, Sampler, Seat, Side, Sum, Tape, Unanswered,
    Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Display;

/// What is answered at the root.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plan<'a> {
    /// What instinct says.
    Instinct,
    /// This; and that by the rival who chooses at the same moment, if it can.
    Answers { own: &'a Value, rival: Option<(Seat, &'a Value)> },
    /// No seat is asked: the position itself is played out.
    Nothing,
}

/// What came of an imagined game.
#[derive(Debug)]
pub(crate) struct Played {
    pub ending: Ending,
    /// What the standing was where the game would have been cut.
    pub cut: i64,
    /// The rival's answer at the root.
    pub rival: Option<Value>,
    pub path: Vec<Visit>,
}

/// Nobody waits longer than so many steps for a settled moment.
const UNSETTLED: u32 = 400;

/// How far an imagined game is played out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    /// Cut so many steps after the question.
    Cut(u32),
    /// To the end, noting the standing so many steps on.
    End(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Root,
    Tree,
    Out,
}

/// Plays one imagined game. None if the imagined world does not allow the answers already given in the step.
pub(crate) fn play<G: Game>(
    knowledge: &Knowledge<'_, G>,
    sides: &[Side],
    plan: Plan<'_>,
    tree: Option<&mut Tree>,
    habit: Habit<'static>,
    until: Until,
    chance: &mut Chance,
) -> Option<Played> {
    let game = knowledge.game();
    let mut world = knowledge.imagine(chance);
    let mut own_tree = None;
    let tree = tree.unwrap_or_else(|| own_tree.insert(Tree::default()));
    let stage = if matches!(plan, Plan::Nothing) { Stage::Out } else { Stage::Root };
    let flat = matches!(until, Until::End(_));
    let mut run = Run {
        tape: Tape::new(knowledge.answers().to_vec()).deaf(),
        seat: knowledge.seat(),
        sides,
        plan,
        stage,
        flat,
        tree,
        habit,
        chance,
        path: Vec::new(),
        trail: 0,
        rival: None,
    };
    let (depth, to_the_end) = match until {
        Until::Cut(depth) => (depth, false),
        Until::End(depth) => (depth, true),
    };
    let limit = game.step_limit();
    let (mut steps, mut out) = (0, 0);
    let mut cut = None;
    // Every step has dice of its own, so that games that differ in one step may meet the same luck in the next.
    let dice = run.chance.bits();
    let ending = loop {
        if let Some(outcome) = world.result(game) {
            break Ending { result: Some(outcome.winner), standing: 1000 * (outcome.points[0] - outcome.points[1]) };
        }
        let after = run.stage != Stage::Root && run.replayed();
        if after && out >= depth && cut.is_none() && (world.settled(game) || out >= depth.saturating_add(UNSETTLED)) {
            cut = Some(world.evaluate(game, Side::First));
        }
        if (cut.is_some() && !to_the_end) || steps >= limit {
            break Ending { result: None, standing: cut.unwrap_or_else(|| world.evaluate(game, Side::First)) };
        }
        *run.chance = Chance::stream(dice, u64::from(steps));
        if run.stage == Stage::Out && run.replayed() {
            let mut sampler = Sampler::new(run.chance, habit);
            world.step(game, &mut sampler).ok()?;
        } else {
            let before = world.clone();
            let mut answerer = Answerer { run: &mut run, game, before: &before, seen: [None; 8], step: 0 };
            world.step(game, &mut answerer).ok()?;
        }
        out += u32::from(after);
        steps += 1;
    };
    Some(Played { ending, cut: cut.unwrap_or(ending.standing), rival: run.rival, path: run.path })
}

/// What lasts through one imagined game.
struct Run<'a> {
    tape: Tape,
    seat: Seat,
    sides: &'a [Side],
    plan: Plan<'a>,
    stage: Stage,
    /// Whether play leaves the tree alone.
    flat: bool,
    tree: &'a mut Tree,
    habit: Habit<'static>,
    chance: &'a mut Chance,
    path: Vec<Visit>,
    /// The hash of everything answered and rolled in the tree, which is where in the tree a roll is.
    trail: u64,
    rival: Option<Value>,
}

impl Run<'_> {
    /// Whether all answers given before have been used.
    fn replayed(&self) -> bool {
        self.tape.used() == self.tape.answers().len()
    }

    /// Dice that lie on the table already. Where positions are compared, as many are drawn and thrown away, so that
    /// those that follow are the same as in a game in which these had still to be rolled.
    fn lying(&mut self, n: u32, die: Die) {
        if matches!(self.plan, Plan::Nothing) {
            for _ in 0..n {
                self.chance.face(die);
            }
        }
    }

    fn side(&self, seat: Seat) -> Side {
        self.sides.get(usize::from(seat.0)).copied().unwrap_or(seat.side())
    }
}

/// Answers the rules within one step.
struct Answerer<'r, 'a, G: Game> {
    run: &'r mut Run<'a>,
    game: &'r G,
    before: &'r World<G>,
    /// The hash of what each seat knew before the step, once it is wanted.
    seen: [Option<u64>; 8],
    /// The hash of what has been answered within it, which every seat knows.
    step: u64,
}

impl<G: Game> Answerer<'_, '_, G> {
    /// The information set of a seat: what it knew before the step, and what has been answered since.
    fn key(&mut self, seat: Seat) -> u64 {
        let slot = &mut self.seen[usize::from(seat.0) % 8];
        let seen = *slot
            .get_or_insert_with(|| join(u64::from(seat.0), hash_of(&self.before.view(self.game, Viewer::Seat(seat)))));
        join(seen, self.step)
    }

    fn heard(&mut self, what: impl Into<u64>) {
        let what = what.into();
        self.step = join(self.step, what);
        self.run.trail = join(self.run.trail, what);
    }

    /// What a roll with few readings shows here in the tree; none beyond the tree and for a roll with many.
    fn by_odds<T>(&mut self, readings: impl FnOnce() -> Option<Readings<T>>) -> Option<T> {
        if self.run.stage != Stage::Tree {
            return None;
        }
        let (mut readings, run) = (readings()?, &mut *self.run);
        let at = run.tree.roll(run.trail, &readings, run.chance);
        Some(readings.swap_remove(at).0)
    }

    fn heard_value(&mut self, value: &impl Serialize) {
        if self.run.stage == Stage::Tree {
            let hash = hash_of(value);
            self.heard(hash);
        }
    }

    fn by_habit<C: Choice>(&mut self, choice: &C) -> C::Value {
        self.run.habit.decide(choice, self.run.chance)
    }

    /// An answer that is as good as given: the tree's where it has one.
    fn by_tree<C: Choice>(&mut self, choice: &C) -> C::Value {
        if self.run.stage != Stage::Tree {
            return self.by_habit(choice);
        }
        let (key, side) = (self.key(choice.seat()), self.run.side(choice.seat()));
        match self.run.tree.advise(key, side, choice, self.run.chance) {
            Advice::Follow(value, visit) => {
                self.run.path.push(visit);
                value
            }
            Advice::Leaf(value, visit) => {
                self.run.path.push(visit);
                self.run.stage = Stage::Out;
                value
            }
            Advice::None => {
                self.run.stage = Stage::Out;
                self.by_habit(choice)
            }
        }
    }

    /// The root's answer: the one planned.
    fn at_root<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        let planned = |value: &Value| C::Value::deserialize(value).ok().filter(|value| choice.check(value).is_ok());
        let value = match self.run.plan {
            Plan::Answers { own, .. } => planned(own).ok_or(Unanswered)?,
            Plan::Instinct | Plan::Nothing => choice.instinct(self.run.chance),
        };
        Ok(value)
    }

    fn after_root(&mut self) {
        self.run.stage = if self.run.flat { Stage::Out } else { Stage::Tree };
    }
}

impl<G: Game> Ask for Answerer<'_, '_, G> {
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8> {
        if !self.run.replayed() {
            self.run.lying(1, die);
            return self.run.tape.roll(die, what);
        }
        let face =
            self.by_odds(|| of_die(die, |face| face)).map_or_else(|| self.run.chance.face(die), |(face, _)| face);
        self.heard(face);
        Ok(face)
    }

    fn roll_as<R: Eq>(&mut self, die: Die, what: impl Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        if !self.run.replayed() {
            self.run.lying(1, die);
            return self.run.tape.roll_as(die, what, read);
        }
        // Faces with one reading are one branch, named by its first face.
        let (first, read) = self.by_odds(|| of_die(die, &read)).unwrap_or_else(|| {
            let seen = read(self.run.chance.face(die));
            (die.faces().find(|&face| read(face) == seen).unwrap_or_default(), seen)
        });
        self.heard(first);
        Ok(Roll { read, face: None })
    }

    fn pool<const K: usize>(
        &mut self,
        n: u32,
        die: Die,
        what: impl Display,
        class: impl Fn(u8) -> usize,
    ) -> Asked<Pool<K>> {
        if !self.run.replayed() {
            self.run.lying(n, die);
            return self.run.tape.pool(n, die, what, class);
        }
        let counts = self.by_odds(|| of_pool::<K>(n, die, &class)).unwrap_or_else(|| {
            let mut counts = [0; K];
            (0..n).for_each(|_| counts[class(self.run.chance.face(die))] += 1);
            counts
        });
        for &count in &counts {
            self.heard(count);
        }
        Ok(Pool { counts, faces: Faces::default() })
    }

    fn sum(&mut self, n: u32, die: Die, what: impl Display) -> Asked<Sum> {
        if !self.run.replayed() {
            self.run.lying(n, die);
            return self.run.tape.sum(n, die, what);
        }
        let total = self
            .by_odds(|| of_sum(n, die))
            .unwrap_or_else(|| (0..n).map(|_| u32::from(self.run.chance.face(die))).sum());
        self.heard(total);
        Ok(Sum { total, faces: Faces::default() })
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        if !self.run.replayed() {
            return self.run.tape.decide(choice);
        }
        if self.run.stage == Stage::Root && choice.seat() == self.run.seat {
            let value = self.at_root(choice)?;
            self.after_root();
            self.heard_value(&value);
            return Ok(value);
        }
        let value = self.by_tree(choice);
        self.heard_value(&value);
        Ok(value)
    }

    fn in_secret<C: Choice>(&mut self, choices: &[C]) -> Asked<Vec<C::Value>> {
        if !self.run.replayed() {
            return self.run.tape.in_secret(choices);
        }
        if self.run.stage == Stage::Root && choices.iter().any(|choice| choice.seat() == self.run.seat) {
            let rival = if let Plan::Answers { rival, .. } = self.run.plan { rival } else { None };
            let mut values = Vec::with_capacity(choices.len());
            for choice in choices {
                if choice.seat() == self.run.seat {
                    values.push(self.at_root(choice)?);
                    continue;
                }
                let planned = rival
                    .filter(|(seat, _)| *seat == choice.seat())
                    .and_then(|(_, value)| C::Value::deserialize(value).ok())
                    .filter(|value| choice.check(value).is_ok());
                let value = planned.unwrap_or_else(|| choice.instinct(self.run.chance));
                if rival.is_none_or(|(seat, _)| seat == choice.seat()) && self.run.rival.is_none() {
                    self.run.rival = serde_json::to_value(&value).ok();
                }
                values.push(value);
            }
            self.after_root();
            for value in &values {
                self.heard_value(value);
            }
            return Ok(values);
        }
        let values: Vec<C::Value> = choices.iter().map(|choice| self.by_tree(choice)).collect();
        for value in &values {
            self.heard_value(value);
        }
        Ok(values)
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}
