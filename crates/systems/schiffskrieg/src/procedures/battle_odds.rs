//! Exact odds of a whole battle by standing orders.
//!
//! After the first round only three things about a unit matter for the second: in line, in line and damaged, or gone.
//! These are followed jointly; how a unit has gone, and all of the second round, is independent from unit to unit.

use super::battle::{After, Facts, Fates};
use super::made::EndFate;
use crate::attack;
use crate::day_night::Action;
use crate::faction::{ByRole, Role};
use crate::odds::fates;
use crate::resolution::{BattleOutcome, outcome};
use crate::rules::Rules;
use crate::unit::Counter;
use flagplot_kernel::Refusal;
use flagplot_odds::{Budget, Dist, Exact, Mixture, OddsError, enumerate};
use flagplot_referee::FieldOdds;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::hash::Hash;
use std::rc::Rc;

type Ends = Rc<Dist<EndFate>>;

/// Distribution of a faction's strength and the points for its losses.
type Sums = Rc<Dist<(u32, u32)>>;

struct Study<'a> {
    rules: &'a Rules,
    facts: &'a Facts,
    budget: Budget<'a>,
    wanted: Option<&'a str>,
    /// Joint states looked at so far.
    states: u64,
    /// The action of the second round.
    second: Dist<Action>,
    known: FxHashMap<(Role, usize, bool, u32), Ends>,
    sides: FxHashMap<(Role, Vec<(u8, u32)>), Sums>,
    fates: ByRole<Vec<Mixture<EndFate>>>,
    outcome: Mixture<BattleOutcome>,
    rounds: Mixture<u32>,
    retreated: Mixture<Option<Role>>,
    points: ByRole<Mixture<u32>>,
    strengths: ByRole<Mixture<u32>>,
}

pub(super) fn odds(
    rules: &Rules,
    facts: &Facts,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Refusal> {
    if wanted.is_some_and(|field| field == "rounds" || field.starts_with("rounds.")) {
        return Ok(FieldOdds::default());
    }
    let mut study = Study {
        rules,
        facts,
        fates: facts.roster.as_ref().map(|units| units.iter().map(|_| Mixture::default()).collect()),
        budget,
        wanted,
        states: 0,
        second: actions(rules, facts, 1, budget)?,
        known: FxHashMap::default(),
        sides: FxHashMap::default(),
        outcome: Mixture::default(),
        rounds: Mixture::default(),
        retreated: Mixture::default(),
        points: ByRole::default(),
        strengths: ByRole::default(),
    };
    let actions = actions(rules, facts, 0, budget)?;
    for (&action, weight) in actions.iter() {
        study.first_round(action, weight, actions.total())?;
    }
    let mut odds = FieldOdds::default();
    put(&mut odds, "rounds_fought", wanted, study.rounds, |n| (*n).into());
    put(&mut odds, "retreated", wanted, study.retreated, |role| role.map_or(Value::Null, |role| role.word().into()));
    put(&mut odds, "outcome", wanted, study.outcome, |outcome| outcome.word().into());
    put(&mut odds, "phasing_strength", wanted, study.strengths.phasing, |n| (*n).into());
    put(&mut odds, "non_phasing_strength", wanted, study.strengths.non_phasing, |n| (*n).into());
    for role in Role::BOTH {
        for (unit, mixture) in facts.roster[role].iter().zip(std::mem::take(&mut study.fates[role])) {
            put(&mut odds, format!("units.{}.fate", unit.sheet.id), wanted, mixture, |fate| fate.word().into());
        }
    }
    put(&mut odds, "vp.phasing", wanted, study.points.phasing, |n| (*n).into());
    put(&mut odds, "vp.non_phasing", wanted, study.points.non_phasing, |n| (*n).into());
    Ok(odds)
}

/// Adds a field, unless nothing was gathered for it because another is wanted.
fn put<T: Eq + Hash>(
    odds: &mut FieldOdds,
    field: impl Into<String>,
    wanted: Option<&str>,
    mixture: Mixture<T>,
    value: impl FnMut(&T) -> Value,
) {
    if mixture.outcomes() > 0 {
        odds.put(field, wanted, &mixture.finish(), value);
    }
}

fn actions(rules: &Rules, facts: &Facts, round: usize, budget: Budget<'_>) -> Result<Dist<Action>, OddsError> {
    enumerate(budget, |ask| Ok(facts.select(rules, round, ask)?.action))
}

/// A joint state costs about as much as so many branches of a plain count.
const STATE: u64 = 200;

impl Study<'_> {
    /// Whether a field is asked for, or nothing by name.
    fn wants(&self, is: impl FnOnce(&str) -> bool) -> bool {
        self.wanted.is_none_or(is)
    }

    /// Dice at each unit of both factions in a round.
    fn dice(&self, action: Action, fates: &Fates) -> ByRole<Vec<u32>> {
        let mut dice = fates.as_ref().map(|fates| vec![0; fates.len()]);
        let plans = self.facts.plans(self.rules, action, fates);
        for role in Role::BOTH {
            for order in &plans[role] {
                let (from, to) = (usize::from(order.attacker), usize::from(order.target));
                let attacker = self.facts.counter(fates, role, from);
                let target = self.facts.counter(fates, role.other(), to);
                dice[role.other()][to] += attack::dice(self.rules, attacker, order.factor, target);
            }
        }
        dice
    }

    /// What so many dice make of a unit in line.
    fn ends(&mut self, role: Role, at: usize, damaged: bool, dice: u32) -> Result<Ends, OddsError> {
        if let Some(dist) = self.known.get(&(role, at, damaged, dice)) {
            return Ok(Rc::clone(dist));
        }
        let unit = Counter { sheet: &self.facts.roster[role][at].sheet, damaged };
        let dist = fates(self.rules, unit, dice, self.budget)?.map(|fate| EndFate::from(*fate));
        let dist = Rc::new(dist);
        self.known.insert((role, at, damaged, dice), Rc::clone(&dist));
        Ok(dist)
    }

    fn first_round(&mut self, action: Action, weight: &Exact, total: &Exact) -> Result<(), OddsError> {
        let start = self.facts.start();
        let dice = self.dice(action, &start);
        // How a unit has gone depends on the first round's action: sums are shared within one only.
        self.sides.clear();
        let places: Vec<(Role, usize)> =
            Role::BOTH.into_iter().flat_map(|role| (0..start[role].len()).map(move |at| (role, at))).collect();
        // Each unit by itself; "gone" is one outcome for the joint states, and how it has gone is kept apart.
        let mut each: Vec<Vec<(EndFate, Exact)>> = Vec::new();
        let mut how_gone: Vec<Option<Ends>> = Vec::new();
        let mut denominator = total.clone();
        let mut states: u64 = 1;
        for &(role, at) in &places {
            let ends = self.ends(role, at, start[role][at].damaged(), dice[role][at])?;
            let gone: Vec<_> =
                ends.iter().filter(|(fate, _)| !fate.in_line()).map(|(fate, weight)| (*fate, weight.clone())).collect();
            how_gone.push(if gone.is_empty() {
                None
            } else {
                let mut sum = Exact::ZERO;
                gone.iter().for_each(|(_, weight)| sum += weight);
                let mut mixture = Mixture::default();
                gone.into_iter().for_each(|(fate, weight)| mixture.add(fate, weight, &sum));
                Some(Rc::new(mixture.finish()))
            });
            let three = ends.map(|fate| if fate.in_line() { *fate } else { EndFate::SunkDestroyed });
            denominator *= three.total();
            states = states.saturating_mul(three.len() as u64);
            each.push(three.into_iter().collect());
        }
        // Whether that is too much is known before the first of them.
        if self.states.saturating_add(states).saturating_mul(STATE) > self.budget.branches {
            return Err(OddsError::BudgetExceeded);
        }
        self.joint_states(&each, &mut Vec::new(), start.phasing.len(), &how_gone, weight, &denominator)
    }

    /// Every way in which the units of the list so far can be continued.
    fn joint_states(
        &mut self,
        each: &[Vec<(EndFate, Exact)>],
        list: &mut Vec<EndFate>,
        phasing: usize,
        how_gone: &[Option<Ends>],
        weight: &Exact,
        denominator: &Exact,
    ) -> Result<(), OddsError> {
        let Some(unit) = each.get(list.len()) else {
            if self.budget.give_up.is_some_and(|give_up| self.states.is_multiple_of(64) && give_up()) {
                return Err(OddsError::BudgetExceeded);
            }
            self.states += 1;
            let fates = ByRole { phasing: list[..phasing].to_vec(), non_phasing: list[phasing..].to_vec() };
            let gone = ByRole { phasing: &how_gone[..phasing], non_phasing: &how_gone[phasing..] };
            return self.after_first(&fates, gone, weight, denominator);
        };
        for (fate, share) in unit {
            list.push(*fate);
            self.joint_states(each, list, phasing, how_gone, &(weight * share), denominator)?;
            list.pop();
        }
        Ok(())
    }

    fn after_first(
        &mut self,
        fates: &Fates,
        gone: ByRole<&[Option<Ends>]>,
        weight: &Exact,
        total: &Exact,
    ) -> Result<(), OddsError> {
        let after = self.facts.after(self.rules, 1, fates);
        let retreated = if let After::Resolution(retreated) = after { retreated } else { None };
        self.retreated.add(retreated, weight.clone(), total);
        if let After::Resolution(_) = after {
            self.rounds.add(1, weight.clone(), total);
            let dice = fates.as_ref().map(|fates| vec![0; fates.len()]);
            return self.end(fates, gone, &dice, retreated, weight, total);
        }
        self.rounds.add(2, weight.clone(), total);
        let total = total * self.second.total();
        for action in Action::BOTH {
            let Some(share) = self.second.iter().find(|(other, _)| **other == action).map(|(_, share)| weight * share)
            else {
                continue;
            };
            let dice = self.dice(action, fates);
            self.end(fates, gone, &dice, None, &share, &total)?;
        }
        Ok(())
    }

    /// The last round: so many dice at each unit, every one independent of the others.
    fn end(
        &mut self,
        fates: &Fates,
        gone: ByRole<&[Option<Ends>]>,
        dice: &ByRole<Vec<u32>>,
        retreated: Option<Role>,
        weight: &Exact,
        total: &Exact,
    ) -> Result<(), OddsError> {
        let mut sums: ByRole<Option<Sums>> = ByRole::default();
        for role in Role::BOTH {
            let mut ends: Vec<Ends> = Vec::new();
            for (at, &fate) in fates[role].iter().enumerate() {
                let dist = match (&gone[role][at], fate.in_line()) {
                    (Some(how), false) => Rc::clone(how),
                    _ => self.ends(role, at, fate == EndFate::InLineDamaged, dice[role][at])?,
                };
                if self.wants(|field| {
                    field.strip_prefix("units.").and_then(|rest| rest.strip_suffix(".fate"))
                        == Some(self.facts.roster[role][at].sheet.id.as_str())
                }) {
                    self.fates[role][at].add_all(&dist, weight, total);
                }
                ends.push(dist);
            }
            if !self.wants(|field| !field.starts_with("units.")) {
                continue;
            }
            let key = (
                role,
                fates[role].iter().zip(&dice[role]).map(|(fate, dice)| (*fate as u8, *dice)).collect::<Vec<_>>(),
            );
            let sum = match self.sides.get(&key) {
                Some(sum) => Rc::clone(sum),
                None => {
                    let sum = Rc::new(self.add_up(role, &ends));
                    self.sides.insert(key, Rc::clone(&sum));
                    sum
                }
            };
            sums[role] = Some(sum);
        }
        let (Some(phasing), Some(non_phasing)) = (&sums.phasing, &sums.non_phasing) else { return Ok(()) };
        let left = |role: Role, strength: u32| if retreated == Some(role) { 0 } else { strength };
        let strengths = ByRole {
            phasing: phasing.map(|sum| left(Role::Phasing, sum.0)),
            non_phasing: non_phasing.map(|sum| left(Role::NonPhasing, sum.0)),
        };
        let outcomes = strengths.phasing.with(&strengths.non_phasing, |&phasing, &non_phasing| {
            outcome(self.rules, ByRole { phasing, non_phasing })
        });
        self.outcome.add_all(&outcomes, weight, total);
        self.strengths.phasing.add_all(&strengths.phasing, weight, total);
        self.strengths.non_phasing.add_all(&strengths.non_phasing, weight, total);
        self.points.phasing.add_all(&non_phasing.map(|sum| sum.1), weight, total);
        self.points.non_phasing.add_all(&phasing.map(|sum| sum.1), weight, total);
        Ok(())
    }

    /// Strength left and points lost of a whole faction, together.
    fn add_up(&self, role: Role, ends: &[Ends]) -> Dist<(u32, u32)> {
        ends.iter().enumerate().fold(Dist::certain((0, 0)), |sum, (at, ends)| {
            let one = ends.map(|&fate| self.facts.worth(role, at, fate));
            sum.with(&one, |a, b| (a.0 + b.0, a.1 + b.1))
        })
    }
}
