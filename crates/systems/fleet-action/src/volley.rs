//! Throws of dice with their modifiers, and the sentences that prove them.

use crate::rule;
use crate::rules::Rules;
use flagplot_kernel::{Ask, Asked, D10, D20, Die, Flow, Modifier, Note, Process, Rule};
use flagplot_odds::Fraction;
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// What is added to a throw, each part by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers(Vec<(&'static str, i32, Rule)>);

impl Modifiers {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more; what is 0 is left out.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: i32, rule: Rule) -> Self {
        if value != 0 {
            self.0.push((name, value, rule));
        }
        self
    }

    /// The same with one more where it applies.
    #[must_use]
    pub fn when(self, applies: bool, name: &'static str, value: i32, rule: Rule) -> Self {
        if applies { self.with(name, value, rule) } else { self }
    }

    #[must_use]
    pub fn total(&self) -> i32 {
        self.0.iter().map(|(_, value, _)| value).sum()
    }

    /// Each with its name, as results list them.
    #[must_use]
    pub fn named(&self) -> Vec<NamedModifier> {
        self.iter().map(|(name, value)| NamedModifier { name, value }).collect()
    }

    fn iter(&self) -> impl Iterator<Item = (&'static str, i32)> {
        self.0.iter().map(|&(name, value, _)| (name, value))
    }

    /// Onto a note.
    #[must_use]
    pub fn onto(&self, note: Note) -> Note {
        self.0
            .iter()
            .fold(note, |note, &(name, value, rule)| note.modifier(Modifier::new(name, i64::from(value), rule)))
    }

    /// `d20 10 + crew quality 1 - splash 2 = 9`.
    fn sum(&self, die: Die, face: u8) -> String {
        let mut text = format!("{die} {face}");
        for (name, value) in self.iter() {
            let sign = if value < 0 { '-' } else { '+' };
            let _ = write!(text, " {sign} {name} {}", value.abs());
        }
        if !self.0.is_empty() {
            let _ = write!(text, " = {}", i32::from(face) + self.total());
        }
        text
    }
}

/// A modifier that is not 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct NamedModifier {
    /// What it is for.
    pub name: &'static str,
    /// What it adds.
    pub value: i32,
}

/// A test on a d10 that a total of 6 or more passes.
#[derive(Clone, Debug)]
pub struct Test<'a> {
    /// A word for the trace.
    pub what: &'static str,
    pub name: &'a str,
    pub rules: &'a [Rule],
    pub modifiers: Modifiers,
    pub needed: i32,
    /// What a pass and a failure mean.
    pub words: (&'a str, &'a str),
}

impl Test<'_> {
    /// Rolls; true is a pass.
    pub fn roll(&self, ask: &mut impl Ask) -> Asked<bool> {
        let total = self.modifiers.total();
        let roll = ask.roll_as(D10, self.name, |face| i32::from(face) + total >= self.needed)?;
        self.note(ask, roll.face.unwrap_or(0), roll.read);
        Ok(roll.read)
    }

    /// Rolls and gives the total with whether it is a pass.
    pub fn roll_total(&self, ask: &mut impl Ask) -> Asked<(i32, bool)> {
        let face = ask.roll(D10, self.name)?;
        let total = i32::from(face) + self.modifiers.total();
        self.note(ask, face, total >= self.needed);
        Ok((total, total >= self.needed))
    }

    fn note(&self, ask: &mut impl Ask, face: u8, passed: bool) {
        ask.note(|| {
            let word = if passed { self.words.0 } else { self.words.1 };
            let text = format!("{}: {}+; {}: {word}", self.name, self.needed, self.modifiers.sum(D10, face));
            self.modifiers.onto(Note::new(self.what, text).by(self.rules).dice(&[face]).outcome(word))
        });
    }
}

/// A d20 against a number, with its modifiers, and whether a miss is rolled again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Aim {
    /// What is shot: `9.5 Directed`.
    pub heading: &'static str,
    /// The table that gives the number, with the row and column read.
    pub table: (&'static str, String, &'static str),
    pub rules: &'static [Rule],
    pub base: i32,
    pub modifiers: Modifiers,
    pub again: Again,
}

/// The denominator of the chance of an aimed d20: all outcomes of the die and its re-roll.
pub const CHANCE_PARTS: i64 = 20 * 20;

/// The chance of a d20 that needs a face, and of its re-roll.
#[must_use]
pub fn chance(needed: i32, again: bool) -> i64 {
    let faces = i64::from((21 - needed).clamp(0, 20));
    if again { CHANCE_PARTS - (20 - faces) * (20 - faces) } else { faces * 20 }
}

/// Such a chance as a fraction.
#[must_use]
pub fn fraction(chance: i64) -> String {
    Fraction::new(chance.clamp(0, CHANCE_PARTS) as u64, CHANCE_PARTS as u64).to_string()
}

/// Such a chance in per cent.
#[must_use]
pub fn percent(chance: i64) -> String {
    format!("{}%", (chance * 100 + CHANCE_PARTS / 2) / CHANCE_PARTS)
}

/// Whether misses are rolled again, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Again {
    No,
    Once(Rule),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shot {
    pub hit: bool,
    /// Whether a first miss was rolled again.
    pub rerolled: bool,
}

impl Aim {
    /// The lowest face that hits.
    #[must_use]
    pub fn needed(&self) -> i32 {
        self.base - self.modifiers.total()
    }

    #[must_use]
    pub fn rerolls(&self) -> bool {
        self.again != Again::No
    }

    /// The chance to hit, in parts of [`CHANCE_PARTS`].
    #[must_use]
    pub fn chance(&self) -> i64 {
        chance(self.needed(), self.rerolls())
    }

    fn hits(&self, face: u8) -> bool {
        i32::from(face) >= self.needed()
    }

    fn note(&self, ask: &mut impl Ask, face: Option<u8>, hit: bool, second: bool) {
        ask.note(|| {
            let face = face.unwrap_or(0);
            let (table, row, column) = &self.table;
            let word = if hit { "hit" } else { "miss" };
            let again = if second { ", rolled again" } else { "" };
            let row_text = if row.is_empty() { String::new() } else { format!(", RB {row}") };
            let text =
                format!("{}{row_text}: {}+{again}; {}: {word}", self.heading, self.base, self.modifiers.sum(D20, face));
            let note = Note::new("attack", text).by(self.rules).table(*table, row, column).dice(&[face]).outcome(word);
            let note =
                if let (true, Again::Once(rule)) = (second, self.again) { note.by(&[rule, rule::R_32]) } else { note };
            self.modifiers.onto(note)
        });
    }

    /// One die, with its re-roll directly after it.
    pub fn shoot(&self, ask: &mut impl Ask) -> Asked<Shot> {
        let first = ask.roll_as(D20, format_args!("{}: to hit", self.heading), |face| self.hits(face))?;
        self.note(ask, first.face, first.read, false);
        if first.read || !self.rerolls() {
            return Ok(Shot { hit: first.read, rerolled: false });
        }
        let second = ask.roll_as(D20, format_args!("{}: a miss rolled again", self.heading), |face| self.hits(face))?;
        self.note(ask, second.face, second.read, true);
        Ok(Shot { hit: second.read, rerolled: true })
    }
}

/// What a target saves itself from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Saves {
    pub modifiers: Modifiers,
    pub rules: &'static [Rule],
    /// What a failure costs, in words.
    pub cost: &'static str,
    /// So many failures can count; after that no more dice are rolled. `None`: every hit is saved against.
    pub lives: Option<i32>,
}

/// A volley: dice that are all aimed alike, then the saving throws of what they hit.
#[derive(Clone, Debug)]
pub struct Salvo<'a> {
    pub rules: &'a Rules,
    pub dice: i32,
    pub aim: Aim,
    /// The saving throws, where there are some.
    pub saves: Option<Saves>,
}

/// How far a volley has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SalvoState {
    pub rolled: i32,
    pub hits: i32,
    pub saved: i32,
    pub failed: i32,
}

impl Salvo<'_> {
    pub fn fire(&self, ask: &mut impl Ask) -> Asked<SalvoState> {
        let mut state = SalvoState::default();
        while self.step(&mut state, ask)? == Flow::Continue {}
        Ok(state)
    }

    fn attack(&self, state: &mut SalvoState, ask: &mut impl Ask) -> Asked<()> {
        if self.aim.rerolls() {
            let shot = self.aim.shoot(ask)?;
            state.rolled += 1;
            state.hits += i32::from(shot.hit);
            return Ok(());
        }
        let pool = ask.pool::<2>(self.dice as u32, D20, format_args!("{}: to hit", self.aim.heading), |face| {
            usize::from(self.aim.hits(face))
        })?;
        for &face in &pool.faces.0 {
            self.aim.note(ask, Some(face), self.aim.hits(face), false);
        }
        state.rolled = self.dice;
        state.hits = pool.counts[1] as i32;
        Ok(())
    }

    /// As many saving throws as are certain to be rolled: more are called for only while something is left to lose.
    fn save(&self, saves: &Saves, state: &mut SalvoState, ask: &mut impl Ask) -> Asked<()> {
        let due = saves.due(state);
        let total = saves.modifiers.total();
        let needed = self.rules.needs.test_pass_d10;
        let fails = |face: u8| i32::from(face) + total < needed;
        let pool = ask.pool::<2>(due as u32, D10, "saving throw", |face| usize::from(fails(face)))?;
        for &face in &pool.faces.0 {
            ask.note(|| {
                let word = if fails(face) { saves.cost } else { "saved" };
                let text = format!("Saving throw: {needed}+; {}: {word}", saves.modifiers.sum(D10, face));
                saves.modifiers.onto(Note::new("save", text).by(saves.rules).dice(&[face]).outcome(word))
            });
        }
        state.saved += due;
        state.failed += pool.counts[1] as i32;
        Ok(())
    }
}

/// What every volley says of its dice.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Volley {
    /// Dice rolled.
    pub dice: i32,
    /// All modifiers together.
    pub modifier: i32,
    /// Lowest face that hits.
    pub needed: i32,
}

impl Salvo<'_> {
    #[must_use]
    pub fn volley(&self) -> Volley {
        Volley { dice: self.dice, modifier: self.aim.modifiers.total(), needed: self.aim.needed() }
    }

    /// What is added to each saving throw.
    #[must_use]
    pub fn save_modifier(&self) -> i32 {
        self.saves.as_ref().map_or(0, |saves| saves.modifiers.total())
    }
}

impl Saves {
    fn due(&self, state: &SalvoState) -> i32 {
        let open = state.hits - state.saved;
        self.lives.map_or(open, |lives| open.min(lives - state.failed))
    }
}

impl Process for Salvo<'_> {
    type State = SalvoState;

    fn step(&self, state: &mut SalvoState, ask: &mut impl Ask) -> Asked<Flow> {
        if state.rolled < self.dice {
            self.attack(state, ask)?;
        } else if let Some(saves) = &self.saves
            && saves.due(state) > 0
        {
            self.save(saves, state, ask)?;
        }
        let attacks_left = state.rolled < self.dice;
        let saves_left = self.saves.as_ref().is_some_and(|saves| saves.due(state) > 0);
        if attacks_left || saves_left {
            return Ok(Flow::Continue);
        }
        // What was saved is of no interest any more, so that equal results are one.
        state.saved = 0;
        Ok(Flow::Done)
    }
}

/// How a target moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Motion {
    /// Speed of the target: 0 is stopped, 1 to 10 slow.
    #[shape(0..=60, or = 20, unit = "knots")]
    pub speed: i32,
    /// The target is on land.
    #[shape(or = false)]
    pub land: bool,
}

/// A target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Target {
    /// Size of the target.
    #[shape(-4..=3, or = 0)]
    pub size: i32,
    /// Splash markers on the target.
    #[shape(0..=99, or = 0)]
    pub splash: i32,
    #[serde(flatten)]
    pub motion: Motion,
    /// Steering value of the target.
    #[shape(0..=9, or = 1)]
    pub sv: i32,
}

/// How a ship moves through the water.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    Stopped,
    /// At 1 to 10 knots.
    Slow,
    UnderWay,
}

impl Motion {
    /// A target on land neither moves nor counts as stopped.
    #[must_use]
    pub fn way(self, rules: &Rules) -> Way {
        match self.speed {
            _ if self.land => Way::UnderWay,
            ..=0 => Way::Stopped,
            knots if knots <= rules.movement.slow_limit_kn => Way::Slow,
            _ => Way::UnderWay,
        }
    }
}

impl Target {
    /// What damaged steering and slow speed give; 0 where they give nothing.
    #[must_use]
    pub fn eased(&self, rules: &Rules, rule: Rule) -> [(&'static str, i32, Rule); 2] {
        let steering = !self.motion.land && self.sv == 0;
        let slow = self.motion.way(rules) == Way::Slow;
        [("target's steering out", i32::from(steering), rule), ("target slow", i32::from(slow), rule::C_4)]
    }

    /// Adds what damaged steering and slow speed give.
    #[must_use]
    pub fn ease(&self, rules: &Rules, modifiers: Modifiers, rule: Rule) -> Modifiers {
        self.eased(rules, rule).into_iter().fold(modifiers, |all, (name, value, rule)| all.with(name, value, rule))
    }

    /// Whether misses at it are rolled again.
    #[must_use]
    pub fn again(&self, rules: &Rules) -> Again {
        let still = self.motion.land || self.motion.way(rules) == Way::Stopped;
        if still { Again::Once(rule::R_43) } else { Again::No }
    }
}
