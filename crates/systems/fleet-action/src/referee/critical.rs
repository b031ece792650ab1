//! The three critical tables and collateral damage.

use super::hits::{DamageResult, air_base_under_water};
use super::scalars::{damage_odds, watched_odds};
use super::ship::{ShipInput, damage_fields, ship_at_distance, ship_shape};
use super::*;
use crate::critical::{Critical, CriticalTable, Harm, Spending};
use crate::hit::Blast;
use crate::rule;
use crate::ship::{Condition, Ship};
use flagplot_kernel::{Ask, D6, Note};
use flagplot_odds::enumerate;
use flagplot_referee::About;
use serde::Deserialize;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![
        Box::new(StructuralCritical(Arc::clone(book))),
        Box::new(CarrierCritical(Arc::clone(book))),
        Box::new(UnderwaterCritical(Arc::clone(book))),
        Box::new(CollateralDamage(Arc::clone(book))),
    ]
}

/// A critical that is ready to be rolled.
struct Case {
    ship: Ship,
    table: CriticalTable,
    cv: i32,
    pen: i32,
    direction: Direction,
}

impl Case {
    fn critical<'a>(&'a self, book: &'a Book) -> Critical<'a> {
        Critical {
            book,
            sheet: &self.ship.sheet,
            cv: self.cv,
            pen: self.pen,
            direction: self.direction,
            fires_when_hit: self.ship.now.fires,
        }
    }

    fn run(&self, book: &Book, ask: &mut impl Ask) -> Result<DamageResult, Halt> {
        let (now, harm) = self.critical(book).resolve(self.ship.now, Harm::default(), self.table, ask)?;
        Ok(DamageResult::new(book, &self.ship, now, 1, Some(harm)))
    }

    fn odds(&self, book: &Book, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        let critical = self.critical(book);
        let start = critical.begin(self.ship.now, Harm::default(), self.table);
        if let Some(field) = wanted
            && let Some(odds) = watched_odds(book, &critical, start, field, budget)?
        {
            return Ok(odds);
        }
        let output = |end: &Spending| DamageResult::new(book, &self.ship, end.ship, 1, Some(end.harm));
        let dist: Dist<Spending, Exact> = distribution(&critical, Dist::certain(start), budget)?;
        damage_odds(book, &self.ship.sheet, &dist, output, wanted)
    }
}

#[derive(Deserialize)]
struct AboveInput {
    cv: i32,
    pen: i32,
    direction: Direction,
    ship: ShipInput,
}

impl AboveInput {
    fn read(&self, book: &Book, table: CriticalTable) -> Result<Case, Refusal> {
        let ship = self.ship.read(book, "input.ship")?;
        if CriticalTable::of(&ship.sheet, self.direction, Column::Midships) != table {
            let (needs, rule) = if ship.sheet.uses_carrier_table() {
                ("carrier", rule::CARRIER)
            } else {
                ("structural", rule::STRUCTURAL)
            };
            return Err(Refusal::new(
                "wrong-table",
                format!("A {} is struck on the {needs} table: use {needs}-critical.", ship.sheet.kind),
            )
            .by(rule));
        }
        Ok(Case { ship, table, cv: self.cv, pen: self.pen, direction: self.direction })
    }
}

fn above_shape() -> Shape {
    record(vec![
        req("cv", int(1, 40), "the CV of the hit"),
        req("pen", int(0, 99), "its penetration"),
        or("direction", word(&["vertical", "horizontal"]), "vertical", "how it strikes"),
        req("ship", ship_shape(), "the ship"),
    ])
}

const CRITICAL_DICE: &str =
    "a d20 on the table, with all that its row calls for, and again while there is something to spend";

fn check_structural(book: &Book, input: &AboveInput) -> Result<(), Refusal> {
    input.read(book, CriticalTable::Structural).map(|_| ())
}

fn run_structural(book: &Book, input: &AboveInput, ask: &mut impl Ask) -> Result<DamageResult, Halt> {
    input.read(book, CriticalTable::Structural)?.run(book, ask)
}

fn odds_structural(
    book: &Book,
    input: &AboveInput,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Halt> {
    input.read(book, CriticalTable::Structural)?.odds(book, wanted, budget)
}

procedure!(StructuralCritical: AboveInput => DamageResult, About {
    name: "structural-critical",
    help: "One critical on a warship or merchant, above water.",
    dice: CRITICAL_DICE,
    input: above_shape(),
    result: record(damage_fields()),
    rules: &[rule::STRUCTURAL, rule::C_16, rule::R_17, rule::R_18, rule::R_49],
}, check_structural, run_structural, odds_structural);

fn check_carrier(book: &Book, input: &AboveInput) -> Result<(), Refusal> {
    input.read(book, CriticalTable::Carrier).map(|_| ())
}

fn run_carrier(book: &Book, input: &AboveInput, ask: &mut impl Ask) -> Result<DamageResult, Halt> {
    input.read(book, CriticalTable::Carrier)?.run(book, ask)
}

fn odds_carrier(book: &Book, input: &AboveInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
    input.read(book, CriticalTable::Carrier)?.odds(book, wanted, budget)
}

procedure!(CarrierCritical: AboveInput => DamageResult, About {
    name: "carrier-critical",
    help: "One critical on a carrier or air base, above water.",
    dice: CRITICAL_DICE,
    input: above_shape(),
    result: record(damage_fields()),
    rules: &[rule::CARRIER, rule::C_19, rule::R_7, rule::R_24, rule::R_25, rule::R_52],
}, check_carrier, run_carrier, odds_carrier);

#[derive(Deserialize)]
struct UnderInput {
    cv: i32,
    column: Column,
    flashover: bool,
    ship: ShipInput,
}

impl UnderInput {
    fn read(&self, book: &Book) -> Result<Case, Refusal> {
        let ship = self.ship.read(book, "input.ship")?;
        if ship.sheet.is_air_base() {
            return Err(air_base_under_water());
        }
        let table =
            if self.flashover { CriticalTable::Flashover(self.column) } else { CriticalTable::Underwater(self.column) };
        Ok(Case { ship, table, cv: self.cv, pen: 0, direction: Direction::Underwater })
    }
}

fn check_under(book: &Book, input: &UnderInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_under(book: &Book, input: &UnderInput, ask: &mut impl Ask) -> Result<DamageResult, Halt> {
    input.read(book)?.run(book, ask)
}

fn odds_under(book: &Book, input: &UnderInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
    input.read(book)?.odds(book, wanted, budget)
}

procedure!(UnderwaterCritical: UnderInput => DamageResult, About {
    name: "underwater-critical",
    help: "One critical of a torpedo, a mine or a flashover.",
    dice: CRITICAL_DICE,
    input: record(vec![
        req("cv", int(1, 40), "the CV of the hit"),
        or("column", words(Column::WORDS), "midships", "where it strikes"),
        flag("flashover", "it comes from a flashover"),
        req("ship", ship_shape(), "the ship"),
    ]),
    result: record(damage_fields()),
    rules: &[rule::UNDERWATER, rule::R_21, rule::R_22, rule::R_23, rule::R_26],
}, check_under, run_under, odds_under);

// ---- collateral-damage ----------------------------------------------------------------------------------------------

/// Most ships beside an explosion.
const MOST_SHIPS: usize = 20;
/// Most dice of an explosion.
const MOST_DICE: i64 = 40;

#[derive(Deserialize)]
struct CollateralInput {
    explosion_dice: i32,
    ships: Vec<ShipInput>,
}

struct Neighbour {
    ship: Ship,
    distance_mm: i32,
}

impl CollateralInput {
    fn read(&self, book: &Book) -> Result<Vec<Neighbour>, Refusal> {
        let read = |(at, input): (usize, &ShipInput)| {
            Ok(Neighbour {
                ship: input.read(book, &format!("input.ships[{at}]"))?,
                distance_mm: input.distance_mm.unwrap_or(0),
            })
        };
        self.ships.iter().enumerate().map(read).collect()
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct NeighbourResult {
    hit: bool,
    ship: Ship,
    explosion_dice: i32,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct CollateralResult {
    explosion_cv: i32,
    ships: Vec<NeighbourResult>,
}

fn check_collateral(book: &Book, input: &CollateralInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn blast(input: &CollateralInput, ask: &mut impl Ask) -> flagplot_kernel::Asked<i32> {
    let sum = ask.sum(input.explosion_dice as u32, D6, "explosion CV")?;
    ask.note(|| {
        Note::new("explosion", format!("The explosion has CV {}", sum.total))
            .by(&[rule::C_18])
            .dice(&sum.faces.0)
            .outcome(sum.total)
    });
    Ok(sum.total as i32)
}

/// What an explosion of this CV does to one ship.
fn beside(
    book: &Book,
    cv: i32,
    neighbour: &Neighbour,
    ask: &mut impl Ask,
) -> flagplot_kernel::Asked<(bool, Condition, Harm)> {
    let blast = Blast { book, cv };
    let (mut now, mut harm) = (neighbour.ship.now, Harm::default());
    if !blast.reaches(neighbour.distance_mm) {
        return Ok((false, now, harm));
    }
    let critical = blast.critical(&neighbour.ship.sheet, &now);
    let hit = blast.shake(&mut now, ask)?;
    if hit {
        let table = CriticalTable::of(&neighbour.ship.sheet, Direction::Vertical, Column::Midships);
        (now, harm) = critical.resolve(now, harm, table, ask)?;
    }
    Ok((hit, now, harm))
}

fn run_collateral(book: &Book, input: &CollateralInput, ask: &mut impl Ask) -> Result<CollateralResult, Halt> {
    let neighbours = input.read(book)?;
    let explosion_cv = blast(input, ask)?;
    let mut ships = Vec::with_capacity(neighbours.len());
    for neighbour in &neighbours {
        let (hit, now, harm) = beside(book, explosion_cv, neighbour, ask)?;
        ships.push(NeighbourResult {
            hit,
            ship: Ship::new(book, &neighbour.ship.sheet, now),
            explosion_dice: harm.explosion_dice,
        });
    }
    Ok(CollateralResult { explosion_cv, ships })
}

/// Whether a ship was struck, and what became of her.
type Fate = (bool, Condition, Harm);

/// The distribution of one ship's fate for each CV, by the merging of equal states.
fn fate(book: &Book, cv: i32, neighbour: &Neighbour, budget: Budget<'_>) -> Result<Dist<Fate, Exact>, Halt> {
    let blast = Blast { book, cv };
    let now = neighbour.ship.now;
    if !blast.reaches(neighbour.distance_mm) {
        return Ok(Dist::certain((false, now, Harm::default())));
    }
    let shaken = enumerate::<_, Exact>(budget, |ask| {
        let mut now = now;
        let hit = blast.shake(&mut now, ask)?;
        Ok((hit, now))
    })?;
    let critical = blast.critical(&neighbour.ship.sheet, &now);
    let table = CriticalTable::of(&neighbour.ship.sheet, Direction::Vertical, Column::Midships);
    shaken.then(|&(hit, now)| {
        if !hit {
            return Ok(Dist::certain((false, now, Harm::default())));
        }
        let start = critical.begin(now, Harm::default(), table);
        let end: Dist<Spending, Exact> = distribution(&critical, Dist::certain(start), budget)?;
        Ok(end.map(|end| (true, end.ship, end.harm)))
    })
}

/// Ships suffer independently of each other once the CV is known, so that a question about one needs no other.
fn odds_collateral(
    book: &Book,
    input: &CollateralInput,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Halt> {
    let neighbours = input.read(book)?;
    let cvs = enumerate::<_, Exact>(budget, |ask| blast(input, ask))?;
    let asked: Vec<usize> = match wanted.and_then(|field| field.strip_prefix("ships")) {
        None => Vec::new(),
        Some(rest) => {
            match rest.strip_prefix('.').and_then(|rest| rest.split('.').next()).and_then(|at| at.parse::<usize>().ok())
            {
                Some(at) => (0..neighbours.len()).filter(|&index| index == at).collect(),
                None => (0..neighbours.len()).collect(),
            }
        }
    };
    let all: Dist<(i32, Vec<Fate>), Exact> = cvs.then(|&cv| {
        let mut fates = Dist::certain((cv, Vec::new()));
        for &at in &asked {
            let next = fate(book, cv, &neighbours[at], budget)?;
            if fates.len().saturating_mul(next.len()) > budget.states {
                return Err(Halt::from(flagplot_odds::OddsError::BudgetExceeded));
            }
            fates = fates.with(&next, |(cv, before), one| {
                let mut list = before.clone();
                list.push(*one);
                (*cv, list)
            });
        }
        Ok(fates)
    })?;
    let output = |(cv, fates): &(i32, Vec<Fate>)| {
        let mut ships: Vec<Option<NeighbourResult>> = neighbours.iter().map(|_| None).collect();
        for (&at, (hit, now, harm)) in asked.iter().zip(fates) {
            ships[at] = Some(NeighbourResult {
                hit: *hit,
                ship: Ship::new(book, &neighbours[at].ship.sheet, *now),
                explosion_dice: harm.explosion_dice,
            });
        }
        serde_json::json!({ "explosion_cv": cv, "ships": ships })
    };
    project(&all, output, wanted)
}

procedure!(CollateralDamage: CollateralInput => CollateralResult, About {
    name: "collateral-damage",
    help: "What an explosion does to the ships around it.",
    dice: "the d6 of the explosion; for each ship within 50 mm a d20 and, if it is struck, its critical in full",
    input: record(vec![
        req("explosion_dice", int(1, MOST_DICE), "d6 of the explosion"),
        req("ships", list(ship_at_distance(), 0, MOST_SHIPS), "the ships around it"),
    ]),
    result: record(vec![
        req("explosion_cv", number(), "the CV of the explosion"),
        req("ships", list(record(vec![
            req("hit", bool(), "whether it was struck"),
            req("ship", ship_shape(), "the ship afterwards"),
            req("explosion_dice", number(), "d6 of its own explosion"),
        ]), 0, MOST_SHIPS), "the ships in the order given"),
    ]),
    rules: &[rule::C_18],
}, check_collateral, run_collateral, odds_collateral);
