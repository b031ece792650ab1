use super::made::{Made, Total};
use super::or_by_name;
use super::units::{Attacks, GivenUnit, Roster, Unit, read_roster};
use crate::attack::{Berth, FOR_THE_BOX, Order, dice};
use crate::day_night::Action;
use crate::faction::{ByRole, Role, by_role};
use crate::odds::{count, how_many, taken};
use crate::results::{BoxName, Destination, Fate, Taken, apply, fate};
use crate::rule;
use crate::rules::{Face, Rules};
use crate::unit::Id;
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_odds::{Budget, Dist, OddsError};
use flagplot_referee::{FieldOdds, Procedure, Shaped, words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct CombatRound(pub Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub struct Input {
    /// the kind of the round
    action: Action,
    #[serde(flatten)]
    lines: ByRole<Line>,
    /// all attacks of both factions, in order
    attacks: ByRole<Attacks>,
}

#[derive(Deserialize, Shaped)]
struct Line {
    /// the units in line
    #[shape(items = 0..=60)]
    units: Vec<GivenUnit>,
}

pub struct Facts {
    roster: Roster,
    orders: ByRole<Vec<Order>>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct Summary {
    /// units lost
    #[shape(0..=60)]
    sunk_destroyed: u32,
    /// units in that box
    #[shape(0..=60)]
    damaged_and_disabled: u32,
    /// units in that box
    #[shape(0..=60)]
    damaged_reduced: u32,
    /// units in that box
    #[shape(0..=60)]
    disabled: u32,
    /// units left in line, damaged ones too
    #[shape(0..=60)]
    in_line: u32,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct UnitResult {
    /// its box
    #[serde(rename = "box")]
    box_name: BoxName,
    /// where that leads
    destination: Destination,
    /// Damage Points of the round
    #[shape(0..=99_999)]
    damage_points: u32,
    /// hits
    #[shape(0..=9999)]
    hits: u32,
    /// fives
    #[shape(0..=9999)]
    disabled_results: u32,
    /// whether its damaged side is up afterwards
    damaged: bool,
}

#[words]
enum EmptyLine {
    None,
    Phasing,
    NonPhasing,
    Both,
}

impl EmptyLine {
    fn new(phasing: bool, non_phasing: bool) -> Self {
        match (phasing, non_phasing) {
            (false, false) => EmptyLine::None,
            (true, false) => EmptyLine::Phasing,
            (false, true) => EmptyLine::NonPhasing,
            (true, true) => EmptyLine::Both,
        }
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Output {
    /// the attacks in order
    #[shape(items = 0..=120)]
    attacks: Vec<Made>,
    /// what became of each unit
    #[shape(items = 0..=120)]
    units: BTreeMap<Id, UnitResult>,
    /// the units left in both lines
    #[shape(with = by_role(<Vec<Id>>::shape().items(0..=60)))]
    line_of_battle: ByRole<Vec<Id>>,
    /// how many units of both factions in each box
    summary: ByRole<Summary>,
    /// whose line is empty
    empty_line: EmptyLine,
}

fn left_in_line(units: &[Unit], fates: &[Dist<Fate>], budget: Budget<'_>) -> Result<Dist<Vec<Id>>, OddsError> {
    let mut left = Dist::certain(Vec::new());
    for (unit, fates) in units.iter().zip(fates) {
        left = left.with(&fates.map(Fate::in_line), |ids: &Vec<Id>, stays| {
            if *stays { ids.iter().copied().chain([unit.sheet.id]).collect() } else { ids.clone() }
        });
        if left.len() > budget.states / 16 {
            return Err(OddsError::BudgetExceeded);
        }
    }
    Ok(left)
}

impl Procedure for CombatRound {
    const NAME: &'static str = "combat-round";
    const HELP: &'static str = "A Combat Round: both factions' attacks, then all results at once.";
    const DICE: &'static str =
        "the phasing attacks in order, each its attack dice and then its damage dice; then the non-phasing ones";
    const RULES: &'static [Rule] =
        &[rule::SEQUENCE_2, rule::SEQUENCE_3, rule::SEQUENCE_4, rule::R_8, rule::R_10, rule::R_11];

    type Input = Input;
    type Facts = Facts;
    type Output = Output;

    fn read(&self, Input { action, lines, attacks }: Input) -> Result<Facts, Refusal> {
        let roster = read_roster(lines.phasing.units, lines.non_phasing.units)?;
        let read = |role: Role| attacks[role].read(&self.0, action.into(), &roster, role, Berth::AtSea);
        let orders = ByRole { phasing: read(Role::Phasing)?, non_phasing: read(Role::NonPhasing)? };
        Ok(Facts { roster, orders })
    }

    fn run(&self, Facts { roster, orders }: &Facts, ask: &mut impl Ask) -> Asked<Output> {
        let mut attacks = Vec::new();
        // Nothing takes effect before both factions have attacked.
        for role in Role::BOTH {
            for order in &orders[role] {
                let units = [&roster[role][order.attacker as usize], &roster[role.other()][order.target as usize]];
                attacks.push(Made::make(&self.0, units.map(Unit::counter), order.factor, 1, ask)?);
            }
        }
        let mut units = BTreeMap::new();
        let mut line_of_battle: ByRole<Vec<Id>> = ByRole::default();
        let mut summary: ByRole<Summary> = ByRole::default();
        for role in Role::BOTH {
            for unit in &roster[role] {
                let id = unit.sheet.id;
                let Total { damage_points, hits, disabled_results } = Total::of(&attacks, id);
                let taken = Taken { damage_points, disabled: disabled_results > 0 };
                let fate = apply(unit.counter(), taken, ask);
                let sum = &mut summary[role];
                match fate.box_name {
                    BoxName::LineOfBattle => {}
                    BoxName::DamagedReduced => sum.damaged_reduced += 1,
                    BoxName::Disabled => sum.disabled += 1,
                    BoxName::DamagedAndDisabled => sum.damaged_and_disabled += 1,
                    BoxName::SunkDestroyed => sum.sunk_destroyed += 1,
                }
                if fate.in_line() {
                    sum.in_line += 1;
                    line_of_battle[role].push(id);
                }
                let Fate { box_name, destination, damaged } = fate;
                let result = UnitResult { box_name, destination, damage_points, hits, disabled_results, damaged };
                units.insert(id, result);
            }
        }
        let empty_line = EmptyLine::new(line_of_battle.phasing.is_empty(), line_of_battle.non_phasing.is_empty());
        Ok(Output { attacks, units, line_of_battle, summary, empty_line })
    }

    /// Once attacks are declared, what happens to one unit says nothing of another: each is counted by itself, then the
    /// factions are added up.
    fn odds(&self, facts: &Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let Facts { roster, orders } = facts;
        let mut odds = FieldOdds::default();
        let mut boxes: ByRole<Vec<Dist<Fate>>> = ByRole::default();
        for role in Role::BOTH {
            for (at, unit) in roster[role].iter().enumerate() {
                let enemy = &roster[role.other()];
                let attacks = orders[role.other()].iter().filter(|order| usize::from(order.target) == at);
                let dice = attacks
                    .map(|order| dice(&self.0, enemy[order.attacker as usize].counter(), order.factor, unit.counter()))
                    .sum();
                let taken = taken(&self.0, dice, FOR_THE_BOX, budget)?;
                let fates = taken.map(|taken| fate(unit.counter(), *taken));
                let field = |name: &str| format!("units.{}.{name}", unit.sheet.id);
                odds.put(field("box"), wanted, &fates, |fate| fate.box_name.word().into());
                odds.put(field("destination"), wanted, &fates, |fate| fate.destination.word().into());
                odds.put(field("damage_points"), wanted, &taken, |taken| taken.damage_points.into());
                let mut counted = |name: &str, face: Face| -> Result<(), OddsError> {
                    odds.put(field(name), wanted, &count(&self.0, dice, face, budget)?, |n| (*n).into());
                    Ok(())
                };
                counted("hits", Face::Hit)?;
                counted("disabled_results", Face::Disabled)?;
                odds.put(field("damaged"), wanted, &fates, |fate| fate.damaged.into());
                boxes[role].push(fates);
            }
        }
        for role in Role::BOTH {
            let mut sum = |field: &str, happens: &dyn Fn(&Fate) -> bool| {
                let field = format!("summary.{}.{field}", role.field());
                if wanted.is_none_or(|wanted| wanted == field) {
                    odds.put(field, wanted, &how_many(&boxes[role], happens), |n| (*n).into());
                }
            };
            let is = |name: BoxName| move |fate: &Fate| fate.box_name == name;
            sum("sunk_destroyed", &is(BoxName::SunkDestroyed));
            sum("damaged_and_disabled", &is(BoxName::DamagedAndDisabled));
            sum("damaged_reduced", &is(BoxName::DamagedReduced));
            sum("disabled", &is(BoxName::Disabled));
            sum("in_line", &Fate::in_line);
        }
        if wanted.is_none_or(|wanted| wanted == "empty_line") {
            let empty = |role: Role| {
                boxes[role].iter().fold(Dist::certain(true), |empty, unit| {
                    empty.with(&unit.map(Fate::in_line), |empty, stays| *empty && !stays)
                })
            };
            let both = empty(Role::Phasing).with(&empty(Role::NonPhasing), |a, b| EmptyLine::new(*a, *b));
            odds.put("empty_line", wanted, &both, |empty| empty.word().into());
        }
        for role in Role::BOTH {
            let field = format!("line_of_battle.{}", role.field());
            if wanted == Some(&*field) {
                let left = left_in_line(&roster[role], &boxes[role], budget)?;
                odds.put(field, wanted, &left, |ids| serde_json::json!(ids));
            }
        }
        or_by_name(odds, self, facts, wanted, budget)
    }
}
