//! One round of ground combat: strengths, odds, the table, and what either side must lose. [15.6, 15.61]

use crate::charts::{Charts, GroundResult, OddsColumn};
use crate::nation::{at_edge, modified};
use crate::rule;
use flagplot_kernel::{Ask, Asked, D6, Note, Refusal, Rule};
use flagplot_referee::{Shaped, words};
use serde::{Deserialize, Serialize};
use std::fmt;

#[words]
pub enum AttackArm {
    /// Lost whole or not at all.
    Ground,
    /// Ground support: lost factor by factor.
    Air,
    /// Shore bombardment: never lost.
    Shore,
}

/// A part of the attack. One that is gone has no factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Attacker {
    /// printed factors
    #[shape(1..=1_000_000)]
    pub factors: u32,
    /// ground unit, ground support, shore bombardment
    #[serde(rename = "kind")]
    #[shape(or = AttackArm::Ground)]
    pub arm: AttackArm,
}

#[words]
pub enum DefenseArm {
    Ground,
    /// Defensive air support: never multiplied.
    Air,
}

/// A part of the defense. One that is gone has no factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Defender {
    /// printed factors
    #[shape(1..=1_000_000)]
    pub factors: u32,
    /// ground unit, defensive air support
    #[serde(rename = "kind")]
    #[shape(or = DefenseArm::Ground)]
    pub arm: DefenseArm,
    /// defense multiplier, of ground units only
    #[serde(skip_serializing_if = "Option::is_none")]
    #[shape(1..=9)]
    pub dm: Option<u32>,
}

impl Defender {
    /// Every ground unit has a multiplier, and nothing else has one.
    pub fn check(&self, path: &str) -> Result<(), Refusal> {
        let (code, message) = match (self.arm, self.dm) {
            (DefenseArm::Ground, None) => ("missing-field", "needs the field 'dm' (defense multiplier)."),
            (DefenseArm::Air, Some(_)) => ("unknown-field", "has no field 'dm': air support is never multiplied."),
            _ => return Ok(()),
        };
        Err(Refusal::new(code, format!("{path} {message}")).by(rule::COMBAT_TABLE))
    }

    /// What it defends with.
    #[must_use]
    pub fn strength(&self) -> u32 {
        self.strength_less(0)
    }

    /// What it would defend with if its multiplier were lower, but not below nothing.
    fn strength_less(&self, less: u32) -> u32 {
        self.dm.map_or(self.factors, |dm| self.factors.saturating_mul(dm.saturating_sub(less)))
    }
}

/// The two sides of a ground combat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Forces {
    pub attackers: Vec<Attacker>,
    pub defenders: Vec<Defender>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strengths {
    /// Ground, air and shore factors of the attacker.
    pub attack: u32,
    /// Ground factors by their multipliers, and air support at face value.
    pub defense: u32,
}

fn total(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(0, u32::saturating_add)
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
    let (Strengths { attack, defense }, ratio) = (strengths, strengths.ratio());
    ratio.column().ok_or_else(|| {
        let message = format!("{attack} against {defense} is {ratio}: attacks below 1:4 are not allowed.");
        Refusal::new("odds-below-minimum", message).by(rule::R_10)
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
    pub const NONE: Loss = Loss::AtLeast(0, Measure::Printed);

    /// The number the table asks for.
    #[must_use]
    pub fn required(self) -> u32 {
        match self {
            Loss::AtLeast(number, _) | Loss::Everything(number) => number,
        }
    }
}

/// A round as the dice decided it, before either side has chosen what to lose.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    pub strengths: Strengths,
    pub column: OddsColumn,
    pub roll: u8,
    /// The die with one more for each earlier round.
    pub modified_roll: i32,
    pub row: u8,
    pub result: GroundResult,
    /// What the attacker must lose.
    pub attacker: Loss,
    /// What the defender must lose.
    pub defender: Loss,
}

impl Forces {
    /// Adds up both sides. [15.6]
    #[must_use]
    pub fn strengths(&self) -> Strengths {
        Strengths {
            attack: total(self.attackers.iter().map(|unit| unit.factors)),
            defense: total(self.defenders.iter().map(Defender::strength)),
        }
    }

    /// What a combat result costs both sides. [15.61]
    #[must_use]
    pub fn losses(&self, result: GroundResult) -> (Loss, Loss) {
        let Strengths { attack, defense } = self.strengths();
        let losable = self.attackers.iter().filter(|unit| unit.arm != AttackArm::Shore);
        let at_stake = total(losable.map(|unit| unit.factors));
        let printed = total(self.defenders.iter().map(|unit| unit.factors));
        let lowered = |less| total(self.defenders.iter().map(|unit| unit.strength_less(less)));
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

    /// Rolls a round of ground combat. The column must be that of the forces. [15.6, R-9]
    pub fn round(&self, charts: &Charts, column: OddsColumn, previous: u32, ask: &mut impl Ask) -> Asked<Round> {
        let strengths = self.strengths();
        let roll = ask.roll(D6, "ground combat")?;
        let modified_roll = i32::from(roll) + previous as i32;
        ask.note(|| {
            let shore = self.attackers.iter().any(|unit| unit.arm == AttackArm::Shore);
            let bombardment: &[_] = if shore { &[rule::R_13] } else { &[] };
            let (Strengths { attack, defense }, ratio) = (strengths, strengths.ratio());
            let text = format!("{attack} against {defense} is {ratio}: {roll} on the die");
            let note = Note::new("ground-combat", text).by(&[rule::COMBAT_TABLE, rule::R_10]).by(bombardment);
            let note = at_edge(note.dice(&[roll]).outcome(modified_roll), modified_roll, 1..=6);
            modified(note, &[("earlier rounds", previous as i32, rule::R_9)])
        });
        let result = *charts.ground.read(ask, rule::COMBAT_TABLE, i64::from(modified_roll), column as i64);
        let (attacker, defender) = self.losses(result);
        ask.note(|| {
            let (attacker, defender) = (attacker.required(), defender.required());
            let text = format!("{result}: the attacker must lose {attacker}, the defender {defender}.");
            Note::new("ground-result", text).by(&self.reasons(result)).outcome(result.to_string())
        });
        let row = modified_roll.clamp(1, 6) as u8;
        Ok(Round { strengths, column, roll, modified_roll, row, result, attacker, defender })
    }

    /// The rules behind a result.
    fn reasons(&self, result: GroundResult) -> Vec<Rule> {
        use GroundResult::{
            AttackerHalf, AttackerLoses, DefenderHalf, DefenderLoses, Exchange, ExchangeLessOne, ExchangeLessTwo,
        };
        let Strengths { attack, defense } = self.strengths();
        let air = self.defenders.iter().any(|unit| unit.arm == DefenseArm::Air);
        let multipliers: Vec<u32> = self.defenders.iter().filter_map(|unit| unit.dm).collect();
        let mixed = multipliers.windows(2).any(|pair| pair[0] != pair[1]);
        let mut reasons = vec![rule::COMBAT_RESULTS];
        reasons.extend(match result {
            AttackerHalf | DefenderHalf => Some(rule::R_11),
            Exchange if attack == defense => Some(rule::R_23),
            Exchange if attack < defense => Some(rule::R_41),
            ExchangeLessOne | ExchangeLessTwo => Some(rule::R_34),
            Exchange | AttackerLoses | DefenderLoses => None,
        });
        reasons.extend(match result {
            AttackerLoses | AttackerHalf if air => Some(rule::R_22),
            DefenderHalf | DefenderLoses if air => Some(rule::R_14),
            ExchangeLessOne | ExchangeLessTwo if mixed => Some(rule::R_24),
            _ => None,
        });
        reasons
    }
}

/// What is taken from one counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Removal {
    /// The counter's place in the list.
    pub at: usize,
    /// The printed factors taken: all of a ground unit, any number of an air unit.
    pub factors: u32,
}

/// A counter as far as paying for losses goes.
pub trait Payer {
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
        Some(self.dm.filter(|_| measure == Measure::Modified).unwrap_or(1))
    }

    fn by_factors(&self) -> bool {
        self.arm == DefenseArm::Air
    }
}

/// Pays a loss by walking down an order: ground units whole, air only as far as needed, until it is paid or nothing is
/// left. [15.61, R-13]
#[must_use]
pub fn pay<U: Payer>(units: &[U], order: &[usize], loss: Loss) -> Vec<Removal> {
    let (mut owed, measure) = match loss {
        Loss::AtLeast(number, measure) => (number, measure),
        Loss::Everything(_) => (u32::MAX, Measure::Printed),
    };
    let mut removed = Vec::new();
    for &at in order {
        let Some(unit) = units.get(at).filter(|unit| unit.factors() > 0) else { continue };
        let Some(worth) = unit.worth(measure) else { continue };
        if owed == 0 {
            break;
        }
        let factors = if unit.by_factors() { unit.factors().min(owed) } else { unit.factors() };
        owed = owed.saturating_sub(factors.saturating_mul(worth));
        removed.push(Removal { at, factors });
    }
    removed
}

/// What a lost counter costs its owner besides its factors, and what an air factor does, where three of these make a
/// counter. [C-30]
pub const COUNTER_PRICE: u32 = 10;
pub const AIR_PRICE: u32 = 3;

/// More ground units than this are not tried in all sets.
const TRIED: usize = 8;

/// The smallest set of losses that costs its owner least: few counters, then few factors, and air before either. [C-31]
#[must_use]
pub fn cheapest<U: Payer>(units: &[U], loss: Loss) -> Vec<Removal> {
    let Loss::AtLeast(owed, measure) = loss else { return pay(units, &(0..units.len()).collect::<Vec<_>>(), loss) };
    if owed == 0 {
        return Vec::new();
    }
    let there = |at: &usize| units[*at].factors() > 0 && units[*at].worth(measure).is_some();
    let mut ground: Vec<usize> = (0..units.len()).filter(|at| there(at) && !units[*at].by_factors()).collect();
    let air: Vec<usize> = (0..units.len()).filter(|at| there(at) && units[*at].by_factors()).collect();
    let worth = |at: usize| units[at].factors() * units[at].worth(measure).unwrap_or(0);
    let flying: u32 = air.iter().map(|&at| units[at].factors()).sum();
    let in_order = |ground: &[usize]| pay(units, &[&air[..], ground].concat(), loss);
    if ground.len() > TRIED || flying >= owed {
        ground.sort_by_key(|&at| units[at].factors());
        return in_order(&ground);
    }
    let mut best: Option<(u32, u32)> = None;
    for mask in 0u32..1 << ground.len() {
        let chosen = (0..ground.len()).filter(|place| mask >> place & 1 == 1).map(|place| ground[place]);
        let (sum, price) =
            chosen.fold((0, 0), |(sum, price), at| (sum + worth(at), price + COUNTER_PRICE + units[at].factors()));
        let needed = owed.saturating_sub(sum);
        let price = price + AIR_PRICE * needed;
        if needed <= flying && best.is_none_or(|(least, _)| price < least) {
            best = Some((price, mask));
        }
    }
    let Some((_, mask)) = best else { return in_order(&ground) };
    let chosen = (0..ground.len()).filter(|place| mask >> place & 1 == 1).map(|place| ground[place]);
    let mut removed: Vec<Removal> = chosen.map(|at| Removal { at, factors: units[at].factors() }).collect();
    let mut needed = owed.saturating_sub(removed.iter().map(|removal| worth(removal.at)).sum());
    for at in air {
        let factors = units[at].factors().min(needed);
        if factors > 0 {
            needed -= factors;
            removed.push(Removal { at, factors });
        }
    }
    removed
}
