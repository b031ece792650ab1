use super::made::{EndFate, Made, Total};
use super::units::{Attacks, GivenUnit, Roster, read_roster};
use super::{base_attack_odds, or_by_name};
use crate::attack::{self, Berth, Engagement, Order};
use crate::faction::{ByRole, Role};
use crate::results::{Destination, Fate, Taken, apply, fate};
use crate::rule;
use crate::rules::Rules;
use crate::unit::{Counter, Id, Kind};
use flagplot_kernel::{Ask, Asked, Note, Refusal, Rule};
use flagplot_odds::Budget;
use flagplot_referee::{FieldOdds, Procedure, Shaped};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct BaseAttack(pub Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub struct Input {
    /// the raiders
    phasing: Force,
    /// the units in the base
    non_phasing: Force,
    /// how many rounds, from the first, are a surprise
    #[shape(0..=3, or = 0)]
    surprise_rounds: usize,
    /// the planned attacks of each round, in order
    #[shape(items = 1..=3)]
    rounds: Vec<ByRole<Attacks>>,
}

#[derive(Deserialize, Shaped)]
struct Force {
    /// the units
    #[shape(items = 0..=60)]
    units: Vec<GivenUnit>,
}

/// A Base Attack as planned: what the ruling and its odds share.
pub struct Facts {
    pub roster: Roster,
    surprise_rounds: usize,
    pub rounds: Vec<ByRole<Vec<Order>>>,
}

/// What a unit is between two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Status {
    pub gone: bool,
    pub damaged: bool,
    pub noted: u32,
}

impl Status {
    /// After a round: damage takes effect, Disabled results are only noted.
    pub fn after(self, kind: Kind, fate: Fate, disabled: u32) -> Self {
        Self {
            gone: self.gone || fate.sunk(),
            damaged: fate.damaged,
            noted: self.noted + if kind.is_ship() { disabled } else { 0 },
        }
    }

    pub fn end(self) -> EndFate {
        EndFate::new(self.gone, self.noted > 0, self.damaged)
    }
}

impl Facts {
    pub fn start(&self) -> ByRole<Vec<Status>> {
        ByRole::new_with(|role| {
            let start = self.roster[role].iter();
            start.map(|unit| Status { gone: false, damaged: unit.damaged, noted: 0 }).collect()
        })
    }

    pub fn counter(&self, now: &ByRole<Vec<Status>>, role: Role, at: usize) -> Counter<'_> {
        Counter { sheet: &self.roster[role][at].sheet, damaged: now[role][at].damaged }
    }

    fn multiplier(&self, rules: &Rules, round: usize, role: Role) -> u32 {
        let surprise = role == Role::Phasing && round < self.surprise_rounds;
        if surprise { u32::from(rules.base_attack.surprise_multiplier) } else { 1 }
    }

    /// The dice of a planned attack; none if it is skipped because a unit has gone or no die is left.
    pub fn dice(
        &self,
        rules: &Rules,
        now: &ByRole<Vec<Status>>,
        round: usize,
        role: Role,
        order: &Order,
    ) -> Option<u32> {
        let (from, to) = (usize::from(order.attacker), usize::from(order.target));
        if now[role][from].gone || now[role.other()][to].gone {
            return None;
        }
        let [attacker, target] = [self.counter(now, role, from), self.counter(now, role.other(), to)];
        let dice = attack::dice(rules, attacker, order.factor, target) * self.multiplier(rules, round, role);
        (dice > 0).then_some(dice)
    }
}

#[derive(Default, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct Round {
    /// the attacks made
    #[shape(items = 0..=120)]
    attacks: Vec<Made>,
    /// attackers whose plan fell through
    #[shape(items = 0..=120)]
    skipped: Vec<Id>,
    /// Damage Points of units that took some
    #[shape(1..=99_999, items = 0..=120)]
    damage_points: BTreeMap<Id, u32>,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct UnitResult {
    /// what became of it
    fate: EndFate,
    /// whether its damaged side is up
    damaged: bool,
    /// Disabled results noted; none for LBAs
    #[shape(0..=9999)]
    disabled_results: u32,
    /// where it goes
    destination: Destination,
}

#[derive(Default, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct Summary {
    /// units with that fate
    #[shape(0..=60)]
    in_line: u32,
    /// units with that fate
    #[shape(0..=60)]
    in_line_damaged: u32,
    /// units with that fate
    #[shape(0..=60)]
    delayed: u32,
    /// units with that fate
    #[shape(0..=60)]
    delayed_damaged: u32,
    /// units with that fate
    #[shape(0..=60)]
    sunk_destroyed: u32,
}

impl Summary {
    fn count(&mut self, fate: EndFate) {
        *match fate {
            EndFate::InLine => &mut self.in_line,
            EndFate::InLineDamaged => &mut self.in_line_damaged,
            EndFate::Delayed => &mut self.delayed,
            EndFate::DelayedDamaged => &mut self.delayed_damaged,
            EndFate::SunkDestroyed => &mut self.sunk_destroyed,
        } += 1;
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Output {
    /// each round
    #[shape(items = 1..=3)]
    rounds: Vec<Round>,
    /// what became of each unit
    #[shape(items = 0..=120)]
    units: BTreeMap<Id, UnitResult>,
    /// how many units of both factions met each fate
    summary: ByRole<Summary>,
}

impl Procedure for BaseAttack {
    const NAME: &'static str = "base-attack";
    const HELP: &'static str = "A Base Attack of one to three rounds, with its conclusion.";
    const DICE: &'static str = "round by round, the raiders and then the base, as in combat-round";
    const RULES: &'static [Rule] = &[rule::BASE_ATTACK, rule::C_12, rule::R_11, rule::R_17];

    type Input = Input;
    type Facts = Facts;
    type Output = Output;

    fn read(&self, input: Input) -> Result<Facts, Refusal> {
        let roster = read_roster(input.phasing.units, input.non_phasing.units)?;
        if roster.phasing.iter().all(|unit| unit.counter().up().airstrike == 0) {
            return Err(Refusal::new("cannot-attack", "A raid needs a unit with an Airstrike Factor.").by(rule::C_12));
        }
        let surprise_rounds = input.surprise_rounds;
        let mut rounds = Vec::new();
        for (at, round) in input.rounds.iter().enumerate() {
            let read =
                |role: Role, berth: Berth| round[role].read(&self.0, Engagement::BaseAttack, &roster, role, berth);
            let phasing = read(Role::Phasing, Berth::AtSea)?;
            if at < surprise_rounds && !round.non_phasing.is_empty() {
                let message = format!("Round {} is a surprise: the base does not attack.", at + 1);
                return Err(Refusal::new("cannot-attack", message).by(rule::C_12));
            }
            rounds.push(ByRole { phasing, non_phasing: read(Role::NonPhasing, Berth::InPort)? });
        }
        Ok(Facts { roster, surprise_rounds, rounds })
    }

    fn run(&self, facts: &Facts, ask: &mut impl Ask) -> Asked<Output> {
        let (rules, roster) = (&*self.0, &facts.roster);
        let mut now = facts.start();
        let mut rounds = Vec::new();
        for (number, plans) in facts.rounds.iter().enumerate() {
            ask.note(|| {
                Note::new("base-attack-round", format!("Base Attack round {}.", number + 1)).by(&[rule::BASE_ATTACK])
            });
            let mut round = Round::default();
            for role in Role::BOTH {
                for order in &plans[role] {
                    let (from, to) = (usize::from(order.attacker), usize::from(order.target));
                    let units = [facts.counter(&now, role, from), facts.counter(&now, role.other(), to)];
                    if facts.dice(rules, &now, number, role, order).is_some() {
                        let multiplier = facts.multiplier(rules, number, role);
                        round.attacks.push(Made::make(rules, units, order.factor, multiplier, ask)?);
                        continue;
                    }
                    let [attacker, target] = units.map(|unit| unit.sheet.id);
                    ask.note(|| {
                        let text =
                            format!("{attacker} does not attack {target}: one of them has gone, or no die is left.");
                        Note::new("skipped", text).by(&[rule::BASE_ATTACK])
                    });
                    round.skipped.push(attacker);
                }
            }
            for role in Role::BOTH {
                for at in 0..roster[role].len() {
                    let unit = facts.counter(&now, role, at);
                    let (id, kind) = (unit.sheet.id, unit.sheet.kind);
                    let Total { damage_points, disabled_results, .. } = Total::of(&round.attacks, id);
                    if kind.is_ship() && disabled_results > 0 {
                        ask.note(|| {
                            Note::new("noted", format!("{id}: a Disabled result is noted."))
                                .by(&[rule::R_17])
                                .pieces([id])
                        });
                    }
                    let taken = Taken { damage_points, disabled: false };
                    let fate = match damage_points {
                        0 => fate(unit, taken),
                        _ => {
                            round.damage_points.insert(id, damage_points);
                            apply(unit, taken, ask)
                        }
                    };
                    now[role][at] = now[role][at].after(kind, fate, disabled_results);
                }
            }
            rounds.push(round);
        }
        let mut units = BTreeMap::new();
        let mut summary: ByRole<Summary> = ByRole::default();
        for role in Role::BOTH {
            for (unit, status) in roster[role].iter().zip(&now[role]) {
                let (id, fate) = (unit.sheet.id, status.end());
                if matches!(fate, EndFate::Delayed | EndFate::DelayedDamaged) {
                    ask.note(|| {
                        Note::new("conclusion", format!("{id} was disabled: to the Naval Warfare Delay Box."))
                            .by(&[rule::R_17, rule::BASE_ATTACK])
                            .pieces([id])
                    });
                }
                summary[role].count(fate);
                let destination = fate.destination(unit.sheet.kind);
                let Status { damaged, noted: disabled_results, .. } = *status;
                units.insert(id, UnitResult { fate, damaged, disabled_results, destination });
            }
        }
        Ok(Output { rounds, units, summary })
    }

    fn odds(&self, facts: &Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        or_by_name(base_attack_odds::odds(&self.0, facts, wanted, budget)?, self, facts, wanted, budget)
    }
}
