use super::base_attack::EndFate;
use super::combat_round::Made;
use super::or_by_name;
use super::units::{GivenUnit, Order, Roster, by_role, check_units, units_shape};
use crate::attack::Engagement;
use crate::day_night::{Action, Waters, select};
use crate::doctrine::Doctrine;
use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::points::loss;
use crate::resolution::{BattleOutcome, resolve, strength};
use crate::results::{BoxName, Destination, Taken, apply};
use crate::rule;
use crate::unit::{Counter, Id};
use flagplot_kernel::{Ask, Note, Refusal};
use flagplot_odds::Budget;
use flagplot_referee::{
    About, FieldOdds, Halt, OldProcedure, bool, int, list, map, nullable, opt, record, req, text, word,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A whole battle by standing orders.
pub(super) struct Battle(pub Arc<Figures>);

#[derive(Deserialize)]
pub(super) struct Input {
    all_sea: bool,
    phasing: Force,
    non_phasing: Force,
}

#[derive(Deserialize)]
pub(super) struct Force {
    units: Vec<GivenUnit>,
    nearest_air_base: Option<u8>,
    pub doctrine: Doctrine,
}

impl Input {
    pub fn force(&self, role: Role) -> &Force {
        match role {
            Role::Phasing => &self.phasing,
            Role::NonPhasing => &self.non_phasing,
        }
    }

    pub fn roster(&self) -> Roster {
        Roster::new(ByRole { phasing: &self.phasing.units, non_phasing: &self.non_phasing.units })
    }

    pub fn waters(&self) -> Waters {
        Waters {
            all_sea: self.all_sea,
            nearest_air_base: ByRole {
                phasing: self.phasing.nearest_air_base,
                non_phasing: self.non_phasing.nearest_air_base,
            },
        }
    }

    pub fn wishes(&self, round: usize) -> ByRole<Action> {
        ByRole::new_with(|role| self.force(role).doctrine.wish[round])
    }
}

#[derive(PartialEq, Eq, Hash, Serialize)]
struct Round {
    action: Action,
    rolled: bool,
    attacks: Vec<Made>,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
struct UnitResult {
    fate: EndFate,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub(super) struct Output {
    rounds: Vec<Round>,
    rounds_fought: u32,
    retreated: Option<Role>,
    outcome: BattleOutcome,
    phasing_strength: u32,
    non_phasing_strength: u32,
    units: BTreeMap<Id, UnitResult>,
    vp: ByRole<u32>,
}

/// The counters of a faction that are in line.
pub(super) fn line<'a>(roster: &'a Roster, fates: &ByRole<Vec<EndFate>>, role: Role) -> Vec<Option<Counter<'a>>> {
    fates[role]
        .iter()
        .zip(&roster.sheets[role])
        .map(|(fate, sheet)| match fate {
            EndFate::InLine => Some(Counter { sheet, damaged: false }),
            EndFate::InLineDamaged => Some(Counter { sheet, damaged: true }),
            _ => None,
        })
        .collect()
}

/// Who retreats after a round that is not the last, once both lines hold somebody: the phasing faction decides first.
pub(super) fn retreats(input: &Input, in_line: ByRole<usize>) -> Option<Role> {
    Role::BOTH.into_iter().find(|&role| input.force(role).doctrine.retreats(in_line[role], in_line[role.other()]))
}

/// Points that the loss of a unit gives to the enemy.
pub(super) fn points_of(roster: &Roster, role: Role, at: usize, fate: EndFate) -> u32 {
    let damaged = matches!(fate, EndFate::InLineDamaged | EndFate::DelayedDamaged);
    loss(&roster.sheets[role][at], roster.damaged[role][at], fate == EndFate::SunkDestroyed, damaged)
}

impl OldProcedure for Battle {
    type Input = Input;
    type Output = Output;

    fn about(&self) -> About {
        let doctrine = record(vec![
            req("wish", list(word(&Action::WORDS), 2, 2), "the wish in round 1 and in round 2"),
            req("targeting", word(&["focus", "spread"]), "all at the first target, or spread evenly"),
            opt("priority", list(text(Id::LONGEST), 0, 60), "enemy units that come first"),
            req("retreat", word(&["never", "always", "if-fewer"]), "when the faction retreats after round 1"),
        ]);
        let force = record(vec![
            req("units", units_shape(1), "the units in line"),
            req("nearest_air_base", nullable(int(0, 99)), "hexes to its nearest Air Base, or null"),
            req("doctrine", doctrine, "its standing orders"),
        ]);
        let mut input = vec![req("all_sea", bool(), "whether the hex holds only water")];
        input.extend(by_role(&force, "the faction's force"));
        let round = record(vec![
            req("action", word(&Action::WORDS), "its kind"),
            req("rolled", bool(), "whether dice decided"),
            req("attacks", list(Made::shape(), 0, 120), "its attacks"),
        ]);
        About {
            name: "battle",
            help: "A whole battle by standing orders, for analysis.",
            dice: "each round the selection if the wishes differ, then the attacks as in combat-round",
            input: record(input),
            result: record(vec![
                req("rounds", list(round, 1, 2), "each round"),
                req("rounds_fought", int(1, 2), "how many"),
                req("retreated", nullable(word(&["phasing", "non-phasing"])), "who retreated"),
                req("outcome", word(&BattleOutcome::WORDS), "who holds the hex"),
                req("phasing_strength", int(0, 9999), "strength of the phasing faction"),
                req("non_phasing_strength", int(0, 9999), "strength of the other"),
                req(
                    "units",
                    map(record(vec![req("fate", word(&EndFate::WORDS), "what became of it")]), 120),
                    "each unit",
                ),
                req("vp", record(by_role(&int(0, 9999), "points from enemy losses")), "both factions"),
            ]),
            rules: &[
                rule::SEQUENCE_1,
                rule::SEQUENCE_2,
                rule::SEQUENCE_3,
                rule::SEQUENCE_4,
                rule::SEQUENCE_5,
                rule::SEQUENCE_6,
                rule::POINTS,
            ],
        }
    }

    fn check(&self, input: &Input) -> Result<(), Refusal> {
        check_units(input.phasing.units.iter().chain(&input.non_phasing.units))?;
        let roster = input.roster();
        for role in Role::BOTH {
            let mut seen = Vec::new();
            for id in &input.force(role).doctrine.priority {
                if roster.find(role.other(), *id).is_none() {
                    return Err(Refusal::new(
                        "unknown-unit",
                        format!("The priority list of the {role} faction names '{id}', which is no unit of the enemy."),
                    ));
                }
                if seen.contains(id) {
                    return Err(Refusal::new(
                        "duplicate-unit",
                        format!("The priority list of the {role} faction names '{id}' twice."),
                    ));
                }
                seen.push(*id);
            }
        }
        Ok(())
    }

    fn run(&self, input: &Input, ask: &mut impl Ask) -> Result<Output, Halt> {
        let figures = &*self.0;
        let mut roster = input.roster();
        let mut fates = roster
            .damaged
            .as_ref()
            .map(|units| units.iter().map(|&damaged| EndFate::new(false, false, damaged)).collect::<Vec<_>>());
        let mut rounds: Vec<Round> = Vec::new();
        let mut retreated = None;
        for number in 0..usize::from(figures.max_rounds) {
            let selection = select(figures, &input.waters(), input.wishes(number), ask)?;
            let engagement = Engagement::from(selection.action);
            // Targets of both factions follow from the state at the start of the round.
            let plans = ByRole::new_with(|role| {
                let doctrine = &input.force(role).doctrine;
                doctrine.attacks(
                    figures,
                    engagement,
                    &line(&roster, &fates, role),
                    &line(&roster, &fates, role.other()),
                )
            });
            let mut attacks = Vec::new();
            for role in Role::BOTH {
                for &(attacker, factor, target) in &plans[role] {
                    attacks.push(Made::make(figures, &roster, role, Order { attacker, factor, target }, 1, ask)?);
                }
            }
            for role in Role::BOTH {
                for at in 0..fates[role].len() {
                    if !matches!(fates[role][at], EndFate::InLine | EndFate::InLineDamaged) {
                        continue;
                    }
                    let counter = roster.counter(role, at);
                    let made = || attacks.iter().filter(|made| made.target == counter.sheet.id);
                    let taken = Taken {
                        damage_points: made().map(|made| made.damage_points).sum(),
                        disabled: made().any(|made| made.disabled_results > 0),
                    };
                    let fate = apply(counter, taken, ask);
                    fates[role][at] = EndFate::new(
                        fate.box_name == BoxName::SunkDestroyed,
                        fate.destination == Destination::NavalWarfareDelayBox,
                        fate.damaged,
                    );
                    roster.damaged[role][at] = fate.damaged;
                }
            }
            rounds.push(Round { action: selection.action, rolled: selection.totals.is_some(), attacks });
            let in_line = ByRole::new_with(|role| line(&roster, &fates, role).iter().flatten().count());
            if in_line.phasing == 0 || in_line.non_phasing == 0 {
                break;
            }
            if number + 1 < usize::from(figures.max_rounds) {
                retreated = retreats(input, in_line);
                if let Some(role) = retreated {
                    ask.note(|| {
                        Note::new("retreat", format!("The {role} faction retreats with its whole line."))
                            .by(&[rule::SEQUENCE_5, rule::R_19])
                    });
                    break;
                }
            }
        }
        let strengths = ByRole::new_with(|role| {
            if retreated == Some(role) {
                return 0;
            }
            line(&roster, &fates, role)
                .iter()
                .flatten()
                .map(|counter| strength(counter.sheet.kind, counter.up().defense))
                .sum()
        });
        let outcome = resolve(figures, strengths, ask);
        let start = input.roster();
        let vp = ByRole::new_with(|role| {
            fates[role.other()].iter().enumerate().map(|(at, &fate)| points_of(&start, role.other(), at, fate)).sum()
        });
        ask.note(|| {
            Note::new("points", format!("Points from losses: phasing {}, non-phasing {}.", vp.phasing, vp.non_phasing))
                .by(&[rule::POINTS, rule::C_15])
        });
        let units = Role::BOTH
            .into_iter()
            .flat_map(|role| {
                start.sheets[role].iter().zip(&fates[role]).map(|(sheet, &fate)| (sheet.id, UnitResult { fate }))
            })
            .collect();
        Ok(Output {
            rounds_fought: rounds.len() as u32,
            rounds,
            retreated,
            outcome,
            phasing_strength: strengths.phasing,
            non_phasing_strength: strengths.non_phasing,
            units,
            vp,
        })
    }

    fn odds(&self, input: &Input, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        or_by_name(super::battle_odds::odds(&self.0, input, wanted, budget)?, self, input, wanted, budget)
    }
}
