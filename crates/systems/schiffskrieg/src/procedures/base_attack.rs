use super::combat_round::Made;
use super::or_by_name;
use super::units::{
    GivenAttack, GivenUnit, Order, Roster, attacks_shape, by_role, check_attacks, check_units, units_shape,
};
use crate::attack::{self, Engagement};
use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::results::{BoxName, Destination, Taken, apply, destination};
use crate::rule;
use crate::unit::{Id, Kind};
use flagplot_kernel::{Ask, Note, Refusal};
use flagplot_odds::Budget;
use flagplot_referee::{About, FieldOdds, Halt, OldProcedure, bool, int, list, map, or, record, req, text, word};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A Base Attack with all rounds planned.
pub(super) struct BaseAttack(pub Arc<Figures>);

#[derive(Deserialize)]
pub(super) struct Input {
    phasing: Force,
    non_phasing: Force,
    surprise_rounds: usize,
    pub rounds: Vec<ByRole<Vec<GivenAttack>>>,
}

#[derive(Deserialize)]
struct Force {
    units: Vec<GivenUnit>,
}

impl Input {
    pub fn roster(&self) -> Roster {
        Roster::new(ByRole { phasing: &self.phasing.units, non_phasing: &self.non_phasing.units })
    }

    pub fn multiplier(&self, figures: &Figures, round: usize, role: Role) -> u32 {
        if role == Role::Phasing && round < self.surprise_rounds { u32::from(figures.surprise_multiplier) } else { 1 }
    }
}

/// What became of a unit of a battle or Base Attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EndFate {
    InLine,
    InLineDamaged,
    Delayed,
    DelayedDamaged,
    SunkDestroyed,
}

impl EndFate {
    pub const ALL: [EndFate; 5] =
        [EndFate::InLine, EndFate::InLineDamaged, EndFate::Delayed, EndFate::DelayedDamaged, EndFate::SunkDestroyed];
    pub const WORDS: [&'static str; 5] = ["in-line", "in-line-damaged", "delayed", "delayed-damaged", "sunk-destroyed"];
    pub const FIELDS: [&'static str; 5] =
        ["in_line", "in_line_damaged", "delayed", "delayed_damaged", "sunk_destroyed"];

    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    pub fn new(sunk: bool, delayed: bool, damaged: bool) -> Self {
        match (sunk, delayed, damaged) {
            (true, ..) => EndFate::SunkDestroyed,
            (_, false, false) => EndFate::InLine,
            (_, false, true) => EndFate::InLineDamaged,
            (_, true, false) => EndFate::Delayed,
            (_, true, true) => EndFate::DelayedDamaged,
        }
    }

    pub fn destination(self, kind: Kind) -> Destination {
        match self {
            EndFate::InLine | EndFate::InLineDamaged => Destination::LineOfBattle,
            EndFate::Delayed | EndFate::DelayedDamaged => Destination::NavalWarfareDelayBox,
            EndFate::SunkDestroyed => destination(kind, BoxName::SunkDestroyed),
        }
    }
}

#[derive(PartialEq, Eq, Hash, Serialize)]
struct Round {
    attacks: Vec<Made>,
    skipped: Vec<Id>,
    damage_points: BTreeMap<Id, u32>,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
struct UnitResult {
    fate: EndFate,
    damaged: bool,
    disabled_results: u32,
    destination: Destination,
}

#[derive(Default, PartialEq, Eq, Hash, Serialize)]
struct Summary {
    in_line: u32,
    in_line_damaged: u32,
    delayed: u32,
    delayed_damaged: u32,
    sunk_destroyed: u32,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub(super) struct Output {
    rounds: Vec<Round>,
    units: BTreeMap<Id, UnitResult>,
    summary: ByRole<Summary>,
}

/// What changes from round to round of a Base Attack.
pub(super) struct Running {
    pub roster: Roster,
    pub gone: ByRole<Vec<bool>>,
}

impl Running {
    /// The order of a planned attack; none if it is skipped because somebody has gone or no die is left.
    pub fn order(&self, figures: &Figures, role: Role, planned: &GivenAttack) -> Option<Order> {
        let order = self.roster.order(role, planned);
        let there = !self.gone[role][order.attacker] && !self.gone[role.other()][order.target];
        let dice = attack::dice(
            figures,
            self.roster.counter(role, order.attacker),
            order.factor,
            self.roster.counter(role.other(), order.target),
        );
        (there && dice > 0).then_some(order)
    }
}

impl OldProcedure for BaseAttack {
    type Input = Input;
    type Output = Output;

    fn about(&self) -> About {
        let force = record(vec![req("units", units_shape(0), "the units")]);
        let mut input = by_role(&force, "phasing: the raiders; non_phasing: the units in the base");
        input.push(or("surprise_rounds", int(0, 3), 0, "the first so many rounds are surprised"));
        input.push(req(
            "rounds",
            list(record(by_role(&attacks_shape(), "planned attacks in order")), 1, 3),
            "the plans of each round",
        ));
        let round = record(vec![
            req("attacks", list(Made::shape(), 0, 120), "the attacks made"),
            req("skipped", list(text(Id::LONGEST), 0, 120), "attackers whose plan fell through"),
            req("damage_points", map(int(1, 99_999), 120), "Damage Points of units that took some"),
        ]);
        let unit = record(vec![
            req("fate", word(&EndFate::WORDS), "what became of it"),
            req("damaged", bool(), "whether its damaged side is up"),
            req("disabled_results", int(0, 9999), "Disabled results noted; none for LBAs"),
            req("destination", word(&Destination::WORDS), "where it goes"),
        ]);
        let summary =
            record(EndFate::FIELDS.into_iter().map(|name| req(name, int(0, 60), "units with that fate")).collect());
        About {
            name: "base-attack",
            help: "A Base Attack of one to three rounds, with its conclusion.",
            dice: "round by round, the raiders and then the base, as in combat-round",
            input: record(input),
            result: record(vec![
                req("rounds", list(round, 1, 3), "each round"),
                req("units", map(unit, 120), "what became of each unit"),
                req("summary", record(by_role(&summary, "how many of each fate")), "both factions"),
            ]),
            rules: &[rule::BASE_ATTACK, rule::C_12, rule::R_11, rule::R_17],
        }
    }

    fn check(&self, input: &Input) -> Result<(), Refusal> {
        check_units(input.phasing.units.iter().chain(&input.non_phasing.units))?;
        let roster = input.roster();
        if (0..roster.sheets.phasing.len()).all(|at| roster.counter(Role::Phasing, at).up().airstrike == 0) {
            return Err(Refusal::new("cannot-attack", "A raid needs a unit with an Airstrike Factor.").by(rule::C_12));
        }
        for (at, round) in input.rounds.iter().enumerate() {
            check_attacks(
                &self.0,
                Engagement::BaseAttack,
                &roster,
                Role::Phasing,
                &round.phasing,
                Some(Role::NonPhasing),
            )?;
            if at < input.surprise_rounds && !round.non_phasing.is_empty() {
                return Err(Refusal::new(
                    "cannot-attack",
                    format!("Round {} is surprised: the base does not attack.", at + 1),
                )
                .by(rule::C_12));
            }
            check_attacks(
                &self.0,
                Engagement::BaseAttack,
                &roster,
                Role::NonPhasing,
                &round.non_phasing,
                Some(Role::NonPhasing),
            )?;
        }
        Ok(())
    }

    fn run(&self, input: &Input, ask: &mut impl Ask) -> Result<Output, Halt> {
        let roster = input.roster();
        let gone = roster.damaged.as_ref().map(|units| vec![false; units.len()]);
        let mut noted = roster.damaged.as_ref().map(|units| vec![0u32; units.len()]);
        let mut running = Running { roster, gone };
        let mut rounds = Vec::new();
        for (number, plans) in input.rounds.iter().enumerate() {
            ask.note(|| {
                Note::new("base-attack-round", format!("Base Attack round {}.", number + 1)).by(&[rule::BASE_ATTACK])
            });
            let mut round = Round { attacks: Vec::new(), skipped: Vec::new(), damage_points: BTreeMap::new() };
            for role in Role::BOTH {
                for planned in &plans[role] {
                    match running.order(&self.0, role, planned) {
                        Some(order) => round.attacks.push(Made::make(
                            &self.0,
                            &running.roster,
                            role,
                            order,
                            input.multiplier(&self.0, number, role),
                            ask,
                        )?),
                        None => {
                            ask.note(|| {
                                Note::new(
                                    "skipped",
                                    format!(
                                        "{} does not attack {}: one of them has gone, or no die is left.",
                                        planned.attacker, planned.target
                                    ),
                                )
                                .by(&[rule::BASE_ATTACK])
                            });
                            round.skipped.push(planned.attacker);
                        }
                    }
                }
            }
            // Damage takes effect now, Disabled results are only noted.
            for role in Role::BOTH {
                for at in 0..running.gone[role].len() {
                    let counter = running.roster.counter(role, at);
                    let (id, kind) = (counter.sheet.id, counter.sheet.kind);
                    let made = || round.attacks.iter().filter(|made| made.target == id);
                    let damage_points: u32 = made().map(|made| made.damage_points).sum();
                    let disabled: u32 = made().map(|made| made.disabled_results).sum();
                    if kind.is_ship() && disabled > 0 {
                        noted[role][at] += disabled;
                        ask.note(|| {
                            Note::new("noted", format!("{id}: a Disabled result is noted."))
                                .by(&[rule::R_17])
                                .pieces([id])
                        });
                    }
                    if damage_points > 0 {
                        let fate = apply(counter, Taken { damage_points, disabled: false }, ask);
                        round.damage_points.insert(id, damage_points);
                        running.gone[role][at] |= fate.box_name == BoxName::SunkDestroyed;
                        running.roster.damaged[role][at] = fate.damaged;
                    }
                }
            }
            rounds.push(round);
        }
        let mut units = BTreeMap::new();
        let mut summary: ByRole<Summary> = ByRole::default();
        for role in Role::BOTH {
            for at in 0..running.gone[role].len() {
                let counter = running.roster.counter(role, at);
                let (id, kind) = (counter.sheet.id, counter.sheet.kind);
                let delayed = noted[role][at] > 0 && !running.gone[role][at];
                if delayed {
                    ask.note(|| {
                        Note::new("conclusion", format!("{id} was disabled: to the Naval Warfare Delay Box."))
                            .by(&[rule::R_17, rule::BASE_ATTACK])
                            .pieces([id])
                    });
                }
                let fate = EndFate::new(running.gone[role][at], delayed, counter.damaged);
                let sum = &mut summary[role];
                *[
                    &mut sum.in_line,
                    &mut sum.in_line_damaged,
                    &mut sum.delayed,
                    &mut sum.delayed_damaged,
                    &mut sum.sunk_destroyed,
                ][fate as usize] += 1;
                units.insert(
                    id,
                    UnitResult {
                        fate,
                        damaged: counter.damaged,
                        disabled_results: noted[role][at],
                        destination: fate.destination(kind),
                    },
                );
            }
        }
        Ok(Output { rounds, units, summary })
    }

    fn odds(&self, input: &Input, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        or_by_name(super::base_attack_odds::odds(&self.0, input, wanted, budget)?, self, input, wanted, budget)
    }
}
