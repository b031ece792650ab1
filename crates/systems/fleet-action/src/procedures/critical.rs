//! The three critical tables and collateral damage.

use super::hits::{DamageResult, air_base_under_water};
use super::scalars::{damage_odds, watched_odds};
use super::*;
use crate::critical::{Critical, CriticalState, CriticalTable, Harm};
use crate::hit::{Blast, BlastState};
use crate::ship::{Ship, ShipObject};
use flagplot_kernel::{D6, Note};
use flagplot_odds::{OddsError, enumerate};

procedures![StructuralCritical, CarrierCritical, UnderwaterCritical, CollateralDamage];

/// A critical that is ready to be rolled.
struct Case {
    ship: Ship,
    table: CriticalTable,
    cv: i32,
    pen: i32,
    direction: Direction,
}

impl Case {
    fn critical<'a>(&'a self, rules: &'a Rules) -> Critical<'a> {
        let Self { cv, pen, direction, .. } = *self;
        Critical { rules, sheet: &self.ship.sheet, cv, pen, direction, fires_when_hit: self.ship.now.fires }
    }

    fn run(&self, rules: &Rules, ask: &mut impl Ask) -> Asked<DamageResult> {
        let (now, harm) = self.critical(rules).resolve(self.ship.now, Harm::default(), self.table, ask)?;
        Ok(DamageResult::new(rules, &self.ship, now, 1, Some(harm)))
    }

    fn odds(&self, rules: &Rules, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let critical = self.critical(rules);
        let start = critical.begin(self.ship.now, Harm::default(), self.table);
        if let Some(field) = wanted
            && let Some(odds) = watched_odds(&critical, start, field, budget)?
        {
            return Ok(odds);
        }
        let output = |end: &CriticalState| DamageResult::new(rules, &self.ship, end.ship, 1, Some(end.harm));
        let dist: Dist<CriticalState, Exact> = distribution(&critical, Dist::certain(start), budget)?;
        Ok(match wanted {
            Some(_) => projected(&dist, output, wanted),
            None => damage_odds(&critical, &dist, output),
        })
    }
}

#[derive(Deserialize, Shaped)]
struct HitAbove {
    /// CV of the hit.
    #[shape(1..=40)]
    cv: i32,
    /// Penetration of the hit.
    #[shape(0..=99)]
    pen: i32,
    /// Direction of the hit.
    #[shape(or = AboveWater::Vertical)]
    direction: AboveWater,
    /// The ship that is hit.
    ship: ShipObject,
}

impl HitAbove {
    fn read(self, rules: &Rules, table: CriticalTable) -> Result<Case, Refusal> {
        let Self { cv, pen, direction, ship } = self;
        let (ship, direction) = (ship.read(rules, "input.ship")?, direction.into());
        if CriticalTable::of(&ship.sheet, direction, Column::Midships) != table {
            let (needs, rule) = if ship.sheet.uses_carrier_table() {
                ("carrier", rule::CARRIER)
            } else {
                ("structural", rule::STRUCTURAL)
            };
            let text = format!("A {} is struck on the {needs} table: use {needs}-critical.", ship.sheet.kind);
            return Err(Refusal::new("wrong-table", text).by(rule));
        }
        Ok(Case { ship, table, cv, pen, direction })
    }
}

#[derive(Deserialize, Shaped)]
struct HitBelow {
    /// CV of the hit.
    #[shape(1..=40)]
    cv: i32,
    /// Where it strikes.
    #[shape(or = Column::Midships)]
    column: Column,
    /// The critical comes from a flashover.
    #[shape(or = false)]
    flashover: bool,
    /// The ship that is hit.
    ship: ShipObject,
}

impl HitBelow {
    fn read(self, rules: &Rules) -> Result<Case, Refusal> {
        let ship = self.ship.read(rules, "input.ship")?;
        if ship.sheet.is_air_base() {
            return Err(air_base_under_water());
        }
        let table = if self.flashover { CriticalTable::Flashover } else { CriticalTable::Underwater }(self.column);
        Ok(Case { ship, table, cv: self.cv, pen: 0, direction: Direction::Underwater })
    }
}

/// The three procedures differ in their input and in nothing else.
macro_rules! critical {
    ($procedure:ident: $input:ty, $name:literal, $help:literal, [$($rule:ident)*], $read:expr) => {
        impl Procedure for $procedure {
            const NAME: &'static str = $name;
            const HELP: &'static str = $help;
            const DICE: &'static str =
                "a d20 on the table, with all that its row calls for, and again while CV is left to spend";
            const RULES: &'static [Rule] = &[$(rule::$rule),*];
            type Input = $input;
            type Facts = Case;
            type Output = DamageResult;

            fn read(&self, input: $input) -> Result<Case, Refusal> {
                $read(input, &self.0)
            }

            fn run(&self, case: &Case, ask: &mut impl Ask) -> Asked<DamageResult> {
                case.run(&self.0, ask)
            }

            fn odds(&self, case: &Case, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
                case.odds(&self.0, wanted, budget)
            }
        }
    };
}

critical!(
    StructuralCritical: HitAbove,
    "structural-critical",
    "One critical on a warship or merchant, above water.",
    [STRUCTURAL C_16 R_17 R_18 R_49],
    |input: HitAbove, rules: &Rules| input.read(rules, CriticalTable::Structural)
);
critical!(
    CarrierCritical: HitAbove,
    "carrier-critical",
    "One critical on a carrier or air base, above water.",
    [CARRIER C_19 R_7 R_24 R_25 R_52],
    |input: HitAbove, rules: &Rules| input.read(rules, CriticalTable::Carrier)
);
critical!(
    UnderwaterCritical: HitBelow,
    "underwater-critical",
    "One critical of a torpedo, a mine or a flashover.",
    [UNDERWATER R_21 R_22 R_23 R_26],
    HitBelow::read
);

const MOST_SHIPS: usize = 20;

#[derive(Deserialize, Shaped)]
struct NeighbourInput {
    #[serde(flatten)]
    ship: ShipObject,
    /// Distance from the explosion.
    #[shape(0..=100_000, unit = "mm")]
    distance_mm: i32,
}

#[derive(Deserialize, Shaped)]
struct Explosion {
    /// Number of d6 of the explosion.
    #[shape(1..=40)]
    explosion_dice: i32,
    /// Ships around the explosion.
    #[shape(items = 0..=MOST_SHIPS)]
    ships: Vec<NeighbourInput>,
}

struct Neighbour {
    ship: Ship,
    distance_mm: i32,
}

impl Neighbour {
    fn blast<'a>(&'a self, rules: &'a Rules, cv: i32) -> Blast<'a> {
        let (sheet, distance_mm, fires) = (&self.ship.sheet, self.distance_mm, self.ship.now.fires);
        Blast { rules, cv, sheet, distance_mm, fires }
    }

    fn result(&self, rules: &Rules, state: &BlastState) -> NeighbourResult {
        NeighbourResult {
            hit: state.hit,
            ship: Ship::new(rules, &self.ship.sheet, state.ship),
            explosion_dice: state.harm.explosion_dice,
        }
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct NeighbourResult {
    /// The ship was struck.
    hit: bool,
    /// The ship afterwards.
    ship: Ship,
    /// Number of d6 of her own explosion.
    explosion_dice: i32,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct CollateralResult {
    /// CV of the explosion.
    explosion_cv: i32,
    /// Ships in the order given.
    #[shape(items = 0..=MOST_SHIPS)]
    ships: Vec<NeighbourResult>,
}

struct CollateralFacts {
    dice: u32,
    neighbours: Vec<Neighbour>,
}

impl CollateralFacts {
    fn cv(&self, ask: &mut impl Ask) -> Asked<i32> {
        let sum = ask.sum(self.dice, D6, "explosion CV")?;
        ask.note(|| {
            Note::new("explosion", format!("The explosion has CV {}", sum.total))
                .by(&[rule::C_18])
                .dice(&sum.faces.0)
                .outcome(sum.total)
        });
        Ok(sum.total as i32)
    }

    /// The ships that a question about `wanted` is about.
    fn asked(&self, wanted: Option<&str>) -> std::ops::Range<usize> {
        let all = self.neighbours.len();
        let Some(rest) = wanted.and_then(|field| field.strip_prefix("ships")) else { return 0..0 };
        let at = rest.strip_prefix('.').and_then(|rest| rest.split('.').next()).and_then(|at| at.parse().ok());
        at.map_or(0..all, |at: usize| at.min(all)..at.saturating_add(1).min(all))
    }
}

impl Procedure for CollateralDamage {
    const NAME: &'static str = "collateral-damage";
    const HELP: &'static str = "What an explosion does to the ships around it.";
    const DICE: &'static str =
        "the d6 of the explosion; for each ship within 50 mm a d20 and, if it is struck, its critical in full";
    const RULES: &'static [Rule] = &[rule::C_18];
    type Input = Explosion;
    type Facts = CollateralFacts;
    type Output = CollateralResult;

    fn read(&self, input: Explosion) -> Result<CollateralFacts, Refusal> {
        let read = |(at, NeighbourInput { ship, distance_mm })| -> Result<Neighbour, Refusal> {
            let ship = ShipObject::read(ship, &self.0, &format!("input.ships[{at}]"))?;
            Ok(Neighbour { ship, distance_mm })
        };
        let neighbours = input.ships.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(CollateralFacts { dice: input.explosion_dice as u32, neighbours })
    }

    fn run(&self, facts: &CollateralFacts, ask: &mut impl Ask) -> Asked<CollateralResult> {
        let rules = &*self.0;
        let explosion_cv = facts.cv(ask)?;
        let ships = facts.neighbours.iter().map(|neighbour| {
            let state = neighbour.blast(rules, explosion_cv).resolve(neighbour.ship.now, ask)?;
            Ok(neighbour.result(rules, &state))
        });
        Ok(CollateralResult { explosion_cv, ships: ships.collect::<Asked<_>>()? })
    }

    /// Ships suffer independently of each other once the CV is known, so a question about one needs no other.
    fn odds(&self, facts: &CollateralFacts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let rules = &*self.0;
        let cvs = enumerate::<_, Exact>(budget, |ask| facts.cv(ask))?;
        let asked = facts.asked(wanted);
        let all: Dist<(i32, Vec<BlastState>), Exact> = cvs.then(|&cv| {
            let mut fates = Dist::certain((cv, Vec::new()));
            for neighbour in &facts.neighbours[asked.clone()] {
                let start = Dist::certain(BlastState::new(neighbour.ship.now));
                let next: Dist<BlastState, Exact> = distribution(&neighbour.blast(rules, cv), start, budget)?;
                if fates.len().saturating_mul(next.len()) > budget.states {
                    return Err(OddsError::BudgetExceeded);
                }
                fates = fates.with(&next, |(cv, before), one| {
                    let mut list = before.clone();
                    list.push(*one);
                    (*cv, list)
                });
            }
            Ok(fates)
        })?;
        let output = |(cv, fates): &(i32, Vec<BlastState>)| {
            let mut ships: Vec<Option<NeighbourResult>> = facts.neighbours.iter().map(|_| None).collect();
            for (at, state) in asked.clone().zip(fates) {
                ships[at] = Some(facts.neighbours[at].result(rules, state));
            }
            serde_json::json!({ "explosion_cv": cv, "ships": ships })
        };
        Ok(projected(&all, output, wanted))
    }
}
