use super::units::{GivenAttack, GivenUnit, Roster, attacks_shape, by_role, check_attacks, check_units, units_shape};
use super::{or_by_name, role_field};
use crate::attack::{self, DISABLED, Engagement, FOR_THE_BOX, HITS};
use crate::day_night::Action;
use crate::faction::{ByRole, Role};
use crate::figures::{Face, Figures};
use crate::odds::{count, how_many, taken};
use crate::results::{BoxName, Destination, Fate, Taken, apply, fate};
use crate::rule;
use crate::unit::{Factor, Id, Sheet};
use flagplot_kernel::{Ask, Asked, Faces, Refusal};
use flagplot_odds::{Budget, Dist, OddsError};
use flagplot_referee::{
    About, Field, FieldOdds, Halt, OldProcedure, Shape, bool, int, list, map, record, req, text, word,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A Combat Round with all attacks declared.
pub(super) struct CombatRound(pub Arc<Figures>);

#[derive(Deserialize)]
pub(super) struct Input {
    action: Action,
    phasing: Force,
    non_phasing: Force,
    attacks: ByRole<Vec<GivenAttack>>,
}

#[derive(Deserialize)]
struct Force {
    units: Vec<GivenUnit>,
}

/// An attack as it was made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Made {
    attacker: Id,
    factor: Factor,
    pub target: Id,
    dice_count: u32,
    attack_dice: Faces,
    pub hits: u32,
    pub disabled_results: u32,
    damage_dice: Faces,
    pub damage_points: u32,
}

impl Made {
    /// Makes an attack.
    pub fn make(
        figures: &Figures,
        roster: &Roster,
        role: Role,
        order: super::units::Order,
        multiplier: u32,
        ask: &mut impl Ask,
    ) -> Asked<Self> {
        let (attacker, target) = (roster.counter(role, order.attacker), roster.counter(role.other(), order.target));
        let (dice_count, got) = attack::resolve(figures, attacker, order.factor, target, multiplier, ask)?;
        Ok(Self {
            attacker: attacker.sheet.id,
            factor: order.factor,
            target: target.sheet.id,
            dice_count,
            attack_dice: got.faces,
            hits: got.counts[HITS],
            disabled_results: got.counts[DISABLED],
            damage_dice: got.point_faces,
            damage_points: got.points,
        })
    }

    /// Its shape.
    pub fn shape() -> Shape {
        let faces = || list(int(1, 6), 0, 200);
        record(vec![
            req("attacker", text(Id::LONGEST), "who attacked"),
            req("factor", word(&Factor::WORDS), "with what"),
            req("target", text(Id::LONGEST), "whom"),
            req("dice_count", int(0, 200), "attack dice"),
            req("attack_dice", faces(), "their faces"),
            req("hits", int(0, 200), "sixes"),
            req("disabled_results", int(0, 200), "fives"),
            req("damage_dice", faces(), "faces of the damage dice"),
            req("damage_points", int(0, 1200), "their sum"),
        ])
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
struct Summary {
    sunk_destroyed: u32,
    damaged_and_disabled: u32,
    damaged_reduced: u32,
    disabled: u32,
    in_line: u32,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
struct UnitResult {
    #[serde(rename = "box")]
    box_name: BoxName,
    destination: Destination,
    damage_points: u32,
    hits: u32,
    disabled_results: u32,
    damaged: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub(super) struct Output {
    attacks: Vec<Made>,
    units: BTreeMap<Id, UnitResult>,
    line_of_battle: ByRole<Vec<Id>>,
    summary: ByRole<Summary>,
    empty_line: &'static str,
}

fn empty_line(empty: ByRole<bool>) -> &'static str {
    match (empty.phasing, empty.non_phasing) {
        (false, false) => "none",
        (true, false) => "phasing",
        (false, true) => "non-phasing",
        (true, true) => "both",
    }
}

/// The ids of those that are left in line.
fn left_in_line(sheets: &[Sheet], fates: &[Dist<Fate>], budget: Budget<'_>) -> Result<Dist<Vec<Id>>, OddsError> {
    let mut left = Dist::certain(Vec::new());
    for (sheet, fates) in sheets.iter().zip(fates) {
        left = left.with(&fates.map(in_line), |ids: &Vec<Id>, stays| {
            if *stays { ids.iter().copied().chain([sheet.id]).collect() } else { ids.clone() }
        });
        if left.len() > budget.states / 16 {
            return Err(OddsError::BudgetExceeded);
        }
    }
    Ok(left)
}

fn in_line(fate: &Fate) -> bool {
    fate.destination == Destination::LineOfBattle
}

impl Input {
    fn roster(&self) -> Roster {
        Roster::new(ByRole { phasing: &self.phasing.units, non_phasing: &self.non_phasing.units })
    }
}

impl OldProcedure for CombatRound {
    type Input = Input;
    type Output = Output;

    fn about(&self) -> About {
        let force = record(vec![req("units", units_shape(0), "the units in line")]);
        let mut input = vec![req("action", word(&Action::WORDS), "the kind of the round")];
        input.extend(by_role(&force, "the faction's line"));
        input.push(req("attacks", record(by_role(&attacks_shape(), "the faction's attacks in order")), "all attacks"));
        let count = |name, help| -> Field { req(name, int(0, 60), help) };
        let summary = record(vec![
            count("sunk_destroyed", "units lost"),
            count("damaged_and_disabled", "units in that box"),
            count("damaged_reduced", "units in that box"),
            count("disabled", "units in that box"),
            count("in_line", "units left in line, damaged ones too"),
        ]);
        let unit = record(vec![
            req("box", word(&BoxName::WORDS), "its box"),
            req("destination", word(&Destination::WORDS), "where that leads"),
            req("damage_points", int(0, 99_999), "Damage Points of the round"),
            req("hits", int(0, 9999), "hits"),
            req("disabled_results", int(0, 9999), "fives"),
            req("damaged", bool(), "whether its damaged side is up afterwards"),
        ]);
        About {
            name: "combat-round",
            help: "A Combat Round: both factions' attacks, then all results at once.",
            dice: "the phasing attacks in order, each its attack dice and then its damage dice; then the non-phasing ones",
            input: record(input),
            result: record(vec![
                req("attacks", list(Made::shape(), 0, 120), "the attacks in order"),
                req("units", map(unit, 120), "what became of each unit"),
                req(
                    "line_of_battle",
                    record(by_role(&list(text(Id::LONGEST), 0, 60), "units left in line")),
                    "both lines",
                ),
                req("summary", record(by_role(&summary, "how many in each box")), "both factions"),
                req("empty_line", word(&["none", "phasing", "non-phasing", "both"]), "whose line is empty"),
            ]),
            rules: &[rule::SEQUENCE_2, rule::SEQUENCE_3, rule::SEQUENCE_4, rule::R_8, rule::R_10, rule::R_11],
        }
    }

    fn check(&self, input: &Input) -> Result<(), Refusal> {
        check_units(input.phasing.units.iter().chain(&input.non_phasing.units))?;
        let roster = input.roster();
        Role::BOTH.into_iter().try_for_each(|role| {
            check_attacks(&self.0, Engagement::from(input.action), &roster, role, &input.attacks[role], None)
        })
    }

    fn run(&self, input: &Input, ask: &mut impl Ask) -> Result<Output, Halt> {
        let roster = input.roster();
        let mut attacks = Vec::new();
        // Nothing takes effect before both factions have attacked.
        for role in Role::BOTH {
            for attack in &input.attacks[role] {
                attacks.push(Made::make(&self.0, &roster, role, roster.order(role, attack), 1, ask)?);
            }
        }
        let mut units = BTreeMap::new();
        let mut line_of_battle: ByRole<Vec<Id>> = ByRole::default();
        let mut summary: ByRole<Summary> = ByRole::default();
        for role in Role::BOTH {
            for (at, sheet) in roster.sheets[role].iter().enumerate() {
                let on = || attacks.iter().filter(|made| made.target == sheet.id);
                let damage_points = on().map(|made| made.damage_points).sum();
                let disabled_results: u32 = on().map(|made| made.disabled_results).sum();
                let fate =
                    apply(roster.counter(role, at), Taken { damage_points, disabled: disabled_results > 0 }, ask);
                let sum = &mut summary[role];
                match fate.box_name {
                    BoxName::LineOfBattle => {}
                    BoxName::DamagedReduced => sum.damaged_reduced += 1,
                    BoxName::Disabled => sum.disabled += 1,
                    BoxName::DamagedAndDisabled => sum.damaged_and_disabled += 1,
                    BoxName::SunkDestroyed => sum.sunk_destroyed += 1,
                }
                if in_line(&fate) {
                    sum.in_line += 1;
                    line_of_battle[role].push(sheet.id);
                }
                let hits = on().map(|made| made.hits).sum();
                units.insert(
                    sheet.id,
                    UnitResult {
                        box_name: fate.box_name,
                        destination: fate.destination,
                        damage_points,
                        hits,
                        disabled_results,
                        damaged: fate.damaged,
                    },
                );
            }
        }
        let empty_line = empty_line(ByRole::new_with(|role| line_of_battle[role].is_empty()));
        Ok(Output { attacks, units, line_of_battle, summary, empty_line })
    }

    /// Once attacks are declared, what happens to one unit says nothing of another: each is counted by itself, then the factions are added up.
    fn odds(&self, input: &Input, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        let roster = input.roster();
        let mut odds = FieldOdds::default();
        let mut boxes: ByRole<Vec<Dist<Fate>>> = ByRole::default();
        for role in Role::BOTH {
            for (at, sheet) in roster.sheets[role].iter().enumerate() {
                let counter = roster.counter(role, at);
                let dice = input.attacks[role.other()]
                    .iter()
                    .filter(|attack| attack.target == sheet.id)
                    .map(|attack| {
                        attack::dice(
                            &self.0,
                            roster.counter(role.other(), roster.order(role.other(), attack).attacker),
                            attack.factor,
                            counter,
                        )
                    })
                    .sum();
                let taken = taken(&self.0, dice, FOR_THE_BOX, budget)?;
                let fates = taken.map(|taken| fate(counter, *taken));
                let field = |name: &str| format!("units.{}.{name}", sheet.id);
                odds.put(field("box"), wanted, &fates, |fate| BoxName::WORDS[fate.box_name as usize].into());
                odds.put(field("destination"), wanted, &fates, |fate| {
                    Destination::WORDS[fate.destination as usize].into()
                });
                odds.put(field("damage_points"), wanted, &taken, |taken| taken.damage_points.into());
                odds.put(field("hits"), wanted, &count(&self.0, dice, Face::Hit, budget)?, |n| (*n).into());
                odds.put(field("disabled_results"), wanted, &count(&self.0, dice, Face::Disabled, budget)?, |n| {
                    (*n).into()
                });
                odds.put(field("damaged"), wanted, &fates, |fate| fate.damaged.into());
                boxes[role].push(fates);
            }
        }
        for role in Role::BOTH {
            let name = role_field(role);
            let mut sum = |field: &str, happens: &dyn Fn(&Fate) -> bool| {
                let field = format!("summary.{name}.{field}");
                if wanted.is_none_or(|wanted| wanted == field) {
                    odds.put(field, wanted, &how_many(&boxes[role], happens), |n| (*n).into());
                }
            };
            let is = |name: BoxName| move |fate: &Fate| fate.box_name == name;
            sum("sunk_destroyed", &is(BoxName::SunkDestroyed));
            sum("damaged_and_disabled", &is(BoxName::DamagedAndDisabled));
            sum("damaged_reduced", &is(BoxName::DamagedReduced));
            sum("disabled", &is(BoxName::Disabled));
            sum("in_line", &in_line);
        }
        if wanted.is_none_or(|wanted| wanted == "empty_line") {
            let empty = |role: Role| {
                boxes[role].iter().fold(Dist::certain(true), |empty, unit| {
                    empty.with(&unit.map(in_line), |empty, stays| *empty && !stays)
                })
            };
            let both = empty(Role::Phasing)
                .with(&empty(Role::NonPhasing), |&phasing, &non_phasing| empty_line(ByRole { phasing, non_phasing }));
            odds.put("empty_line", wanted, &both, |word| (*word).into());
        }
        for role in Role::BOTH {
            let field = format!("line_of_battle.{}", role_field(role));
            if wanted == Some(&*field) {
                odds.put(field, wanted, &left_in_line(&roster.sheets[role], &boxes[role], budget)?, |ids| {
                    serde_json::json!(ids)
                });
            }
        }
        or_by_name(odds, self, input, wanted, budget)
    }
}
