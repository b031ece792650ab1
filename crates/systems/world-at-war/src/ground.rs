//! One round of ground combat: strengths, odds, the table, and what either side must lose. [15.6, 15.61]

use crate::charts::{Charts, GroundResult, OddsColumn};
use crate::nation::{at_edge, modified};
use crate::rule;
use flagplot_kernel::{Ask, Asked, D6, Note, Refusal};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an attacker's counter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttackArm {
    /// A ground unit: lost whole or not at all.
    Ground,
    /// Ground support: lost factor by factor.
    Air,
    /// Shore bombardment: never lost.
    Shore,
}

/// A part of the attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attacker {
    /// What it is.
    pub arm: AttackArm,
    /// Its factors.
    pub factors: u32,
}

/// What a defender's counter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefenseArm {
    /// A ground unit with its defense multiplier.
    Ground {
        /// The multiplier.
        dm: u32,
    },
    /// Defensive air support: never multiplied.
    Air,
}

/// A part of the defence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Defender {
    /// What it is.
    pub arm: DefenseArm,
    /// Its printed factors.
    pub factors: u32,
}

impl Defender {
    /// What it defends with.
    #[must_use]
    pub fn strength(&self) -> u32 {
        self.strength_less(0)
    }

    /// What it would defend with if its multiplier were lower, but not below nothing.
    fn strength_less(&self, less: u32) -> u32 {
        match self.arm {
            DefenseArm::Ground { dm } => self.factors.saturating_mul(dm.saturating_sub(less)),
            DefenseArm::Air => self.factors,
        }
    }
}

/// The strengths of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strengths {
    /// Ground, air and shore factors of the attacker.
    pub attack: u32,
    /// Ground factors by their multipliers, and air support at face value.
    pub defense: u32,
}

/// Adds up both sides. [15.6]
#[must_use]
pub fn strengths(attackers: &[Attacker], defenders: &[Defender]) -> Strengths {
    Strengths {
        attack: attackers.iter().fold(0, |sum, unit| sum.saturating_add(unit.factors)),
        defense: defenders.iter().fold(0, |sum, unit| sum.saturating_add(unit.strength())),
    }
}

/// Odds before they are fitted to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ratio {
    /// So many to one.
    ToOne(u32),
    /// One to so many, at least two.
    OneTo(u32),
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ratio::ToOne(n) => write!(f, "{n}:1"),
            Ratio::OneTo(m) => write!(f, "1:{m}"),
        }
    }
}

impl Strengths {
    /// The odds, rounded for the defender. Against no strength at all they are as good as they can be.
    #[must_use]
    pub fn ratio(self) -> Ratio {
        match (self.attack, self.defense) {
            (attack, 0) => Ratio::ToOne(attack.max(1)),
            (0, defense) => Ratio::OneTo(defense.saturating_add(1)),
            (attack, defense) if attack >= defense => Ratio::ToOne(attack / defense),
            (attack, defense) => Ratio::OneTo(defense.div_ceil(attack)),
        }
    }
}

impl Ratio {
    /// The column of the table; `None` below 1:4, where no attack may be made.
    #[must_use]
    pub fn column(self) -> Option<OddsColumn> {
        Some(match self {
            Ratio::ToOne(0 | 1) => OddsColumn::Even,
            Ratio::ToOne(2) => OddsColumn::TwoToOne,
            Ratio::ToOne(3) => OddsColumn::ThreeToOne,
            Ratio::ToOne(4) => OddsColumn::FourToOne,
            Ratio::ToOne(_) => OddsColumn::FiveToOne,
            Ratio::OneTo(0..=2) => OddsColumn::OneToTwo,
            Ratio::OneTo(3) => OddsColumn::OneToThree,
            Ratio::OneTo(4) => OddsColumn::OneToFour,
            Ratio::OneTo(_) => return None,
        })
    }
}

/// The column of an attack, or why it may not be made.
pub fn column(strengths: Strengths) -> Result<OddsColumn, Refusal> {
    let ratio = strengths.ratio();
    ratio.column().ok_or_else(|| {
        Refusal::new(
            "odds-below-minimum",
            format!(
                "{} against {} is {ratio}: attacks below 1:4 are not allowed.",
                strengths.attack, strengths.defense
            ),
        )
        .by(rule::R_10)
    })
}

/// How a defender's losses are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// By printed factors.
    Printed,
    /// Ground factors by their multipliers.
    Modified,
}

/// What a side must lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// At least so much of what it has.
    AtLeast(u32, Measure),
    /// Everything, which is worth so much.
    Everything(u32),
}

impl Loss {
    /// Nothing at all.
    pub const NONE: Loss = Loss::AtLeast(0, Measure::Printed);

    /// The number the table asks for.
    #[must_use]
    pub fn required(self) -> u32 {
        match self {
            Loss::AtLeast(number, _) | Loss::Everything(number) => number,
        }
    }
}

/// What a combat result costs both sides. [15.61]
#[must_use]
pub fn losses(result: GroundResult, attackers: &[Attacker], defenders: &[Defender]) -> (Loss, Loss) {
    let Strengths { attack, defense } = strengths(attackers, defenders);
    let at_stake = attackers
        .iter()
        .filter(|unit| unit.arm != AttackArm::Shore)
        .fold(0, |sum: u32, unit| sum.saturating_add(unit.factors));
    let printed = defenders.iter().fold(0, |sum: u32, unit| sum.saturating_add(unit.factors));
    let lowered = |less| defenders.iter().fold(0, |sum: u32, unit| sum.saturating_add(unit.strength_less(less)));
    let attacker = |number| Loss::AtLeast(number, Measure::Printed);
    match result {
        GroundResult::AttackerLoses => (attacker(defense), Loss::NONE),
        GroundResult::AttackerHalf => (attacker(defense.div_ceil(2)), Loss::NONE),
        GroundResult::Exchange if attack < defense => {
            (Loss::Everything(at_stake), Loss::AtLeast(attack, Measure::Modified))
        }
        GroundResult::Exchange if attack > defense => (attacker(defense), Loss::Everything(defense)),
        GroundResult::Exchange => (Loss::Everything(at_stake), Loss::Everything(defense)),
        GroundResult::ExchangeLessOne => (attacker(lowered(1)), Loss::Everything(defense)),
        GroundResult::ExchangeLessTwo => (attacker(lowered(2)), Loss::Everything(defense)),
        GroundResult::DefenderHalf => (Loss::NONE, Loss::AtLeast(printed.div_ceil(2), Measure::Printed)),
        GroundResult::DefenderLoses => (Loss::NONE, Loss::Everything(printed)),
    }
}

/// A round as the dice decided it, before anybody has chosen what to lose.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    /// The strengths.
    pub strengths: Strengths,
    /// The column read.
    pub column: OddsColumn,
    /// The die.
    pub roll: u8,
    /// The die with one more for each earlier round.
    pub modified_roll: i32,
    /// The row read.
    pub row: u8,
    /// What the table says.
    pub result: GroundResult,
    /// What the attacker must lose.
    pub attacker: Loss,
    /// What the defender must lose.
    pub defender: Loss,
}

/// Rolls a round of ground combat. [15.6, R-9]
pub fn round(
    charts: &Charts,
    attackers: &[Attacker],
    defenders: &[Defender],
    column: OddsColumn,
    previous_rounds: u32,
    ask: &mut impl Ask,
) -> Asked<Round> {
    let strengths = strengths(attackers, defenders);
    let roll = ask.roll(D6, "ground combat")?;
    let modified_roll = i32::from(roll) + previous_rounds as i32;
    ask.note(|| {
        let mut rules = vec![rule::COMBAT_TABLE, rule::R_10];
        if attackers.iter().any(|unit| unit.arm == AttackArm::Shore) {
            rules.push(rule::R_13);
        }
        let text =
            format!("{} against {} is {}: {roll} on the die", strengths.attack, strengths.defense, strengths.ratio());
        let note = Note::new("ground-combat", text).by(&rules).dice(&[roll]).outcome(modified_roll);
        modified(at_edge(note, modified_roll, 1..=6), &[("earlier rounds", previous_rounds as i32, rule::R_9)])
    });
    let result = *charts.ground.read(ask, rule::COMBAT_TABLE, i64::from(modified_roll), column as i64);
    let (attacker, defender) = losses(result, attackers, defenders);
    ask.note(|| {
        let text =
            format!("{result}: the attacker must lose {}, the defender {}.", attacker.required(), defender.required());
        Note::new("ground-result", text).by(&reasons(result, strengths, defenders)).outcome(result.to_string())
    });
    Ok(Round {
        strengths,
        column,
        roll,
        modified_roll,
        row: modified_roll.clamp(1, 6) as u8,
        result,
        attacker,
        defender,
    })
}

/// The rules behind a result.
fn reasons(result: GroundResult, strengths: Strengths, defenders: &[Defender]) -> Vec<flagplot_kernel::Rule> {
    let air = defenders.iter().any(|unit| unit.arm == DefenseArm::Air);
    let multipliers: Vec<u32> = defenders
        .iter()
        .filter_map(|unit| match unit.arm {
            DefenseArm::Ground { dm } => Some(dm),
            DefenseArm::Air => None,
        })
        .collect();
    let mut rules = vec![rule::COMBAT_RESULTS];
    match result {
        GroundResult::AttackerLoses => {}
        GroundResult::AttackerHalf | GroundResult::DefenderHalf => rules.push(rule::R_11),
        GroundResult::Exchange if strengths.attack == strengths.defense => rules.push(rule::R_23),
        GroundResult::Exchange if strengths.attack < strengths.defense => rules.push(rule::R_41),
        GroundResult::Exchange => {}
        GroundResult::ExchangeLessOne | GroundResult::ExchangeLessTwo => rules.push(rule::R_34),
        GroundResult::DefenderLoses => {}
    }
    match result {
        GroundResult::AttackerLoses | GroundResult::AttackerHalf if air => rules.push(rule::R_22),
        GroundResult::DefenderHalf | GroundResult::DefenderLoses if air => rules.push(rule::R_14),
        GroundResult::ExchangeLessOne | GroundResult::ExchangeLessTwo
            if multipliers.windows(2).any(|pair| pair[0] != pair[1]) =>
        {
            rules.push(rule::R_24)
        }
        _ => {}
    }
    rules
}

/// What is taken from one counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Removal {
    /// Its place in the list.
    pub at: usize,
    /// The printed factors taken: all of a ground unit, any number of an air unit.
    pub factors: u32,
}

/// A counter as far as paying for losses goes.
pub trait Payer {
    /// Its printed factors.
    fn factors(&self) -> u32;
    /// What one printed factor pays; `None` if it cannot be lost.
    fn worth(&self, measure: Measure) -> Option<u32>;
    /// Whether it is lost factor by factor.
    fn by_factors(&self) -> bool;
}

impl Payer for Attacker {
    fn factors(&self) -> u32 {
        self.factors
    }

    fn worth(&self, _: Measure) -> Option<u32> {
        (self.arm != AttackArm::Shore).then_some(1)
    }

    fn by_factors(&self) -> bool {
        self.arm == AttackArm::Air
    }
}

impl Payer for Defender {
    fn factors(&self) -> u32 {
        self.factors
    }

    fn worth(&self, measure: Measure) -> Option<u32> {
        Some(match (self.arm, measure) {
            (DefenseArm::Ground { dm }, Measure::Modified) => dm,
            _ => 1,
        })
    }

    fn by_factors(&self) -> bool {
        self.arm == DefenseArm::Air
    }
}

/// Pays a loss by walking down an order: ground units whole, air only as far as needed, until it is paid or nothing is left. [15.61, R-13]
#[must_use]
pub fn pay<U: Payer>(units: &[U], order: &[usize], loss: Loss) -> Vec<Removal> {
    let (mut owed, measure) = match loss {
        Loss::AtLeast(number, measure) => (number, measure),
        Loss::Everything(_) => (u32::MAX, Measure::Printed),
    };
    let mut removed = Vec::new();
    for &at in order {
        let Some(unit) = units.get(at) else { continue };
        let Some(worth) = unit.worth(measure) else { continue };
        if owed == 0 {
            break;
        }
        if unit.factors() == 0 {
            continue;
        }
        let factors = if unit.by_factors() { unit.factors().min(owed) } else { unit.factors() };
        owed = owed.saturating_sub(factors.saturating_mul(worth));
        removed.push(Removal { at, factors });
    }
    removed
}
