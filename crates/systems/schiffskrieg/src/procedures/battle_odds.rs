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
use serde::Serialize;
use serde_json::json;
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
    states: u64,
    second: Rc<Dist<Action>>,
    known: FxHashMap<(Role, usize, bool, u32), Ends>,
    /// How a unit has gone in the first round, if it has.
    gone: ByRole<Vec<Option<Ends>>>,
    sides: FxHashMap<(Role, Vec<(u8, u32)>), Sums>,
    found: Found,
}

#[derive(Default)]
struct Found {
    fates: ByRole<Vec<Mixture<EndFate>>>,
    outcome: Mixture<BattleOutcome>,
    rounds: Mixture<u32>,
    retreated: Mixture<Option<Role>>,
    points: ByRole<Mixture<u32>>,
    strengths: ByRole<Mixture<u32>>,
}

pub fn odds(rules: &Rules, facts: &Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
    if wanted.is_some_and(|field| field == "rounds" || field.starts_with("rounds.")) {
        return Ok(FieldOdds::default());
    }
    let actions = |round: usize| enumerate(budget, |ask| Ok(facts.select(rules, round, ask)?.action));
    let mut study = Study {
        rules,
        facts,
        budget,
        wanted,
        states: 0,
        second: Rc::new(actions(1)?),
        known: FxHashMap::default(),
        gone: ByRole::default(),
        sides: FxHashMap::default(),
        found: Found::default(),
    };
    study.found.fates = facts.roster.as_ref().map(|units| units.iter().map(|_| Mixture::default()).collect());
    let first = actions(0)?;
    for (&action, weight) in first.iter() {
        study.first_round(action, weight, first.total())?;
    }
    let Found { fates, outcome, rounds, retreated, points, strengths } = study.found;
    let mut odds = FieldOdds::default();
    put(&mut odds, "rounds_fought", wanted, rounds);
    put(&mut odds, "retreated", wanted, retreated);
    put(&mut odds, "outcome", wanted, outcome);
    put(&mut odds, "phasing_strength", wanted, strengths.phasing);
    put(&mut odds, "non_phasing_strength", wanted, strengths.non_phasing);
    let units = facts.roster.phasing.iter().chain(&facts.roster.non_phasing);
    for (unit, mixture) in units.zip(fates.phasing.into_iter().chain(fates.non_phasing)) {
        put(&mut odds, format!("units.{}.fate", unit.sheet.id), wanted, mixture);
    }
    put(&mut odds, "vp.phasing", wanted, points.phasing);
    put(&mut odds, "vp.non_phasing", wanted, points.non_phasing);
    Ok(odds)
}

/// Adds a field, unless nothing was gathered for it because another is wanted.
fn put<T: Eq + Hash + Serialize>(
    odds: &mut FieldOdds,
    field: impl Into<String>,
    wanted: Option<&str>,
    mixture: Mixture<T>,
) {
    if mixture.outcomes() > 0 {
        odds.put(field, wanted, &mixture.finish(), |outcome| json!(outcome));
    }
}

/// A joint state costs about as much as so many branches of a plain count.
const STATE: u64 = 200;

impl Study<'_> {
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

    fn ends(&mut self, role: Role, at: usize, damaged: bool, dice: u32) -> Result<Ends, OddsError> {
        if let Some(dist) = self.known.get(&(role, at, damaged, dice)) {
            return Ok(Rc::clone(dist));
        }
        let unit = Counter { sheet: &self.facts.roster[role][at].sheet, damaged };
        let dist = Rc::new(fates(self.rules, unit, dice, self.budget)?.map(|fate| EndFate::from(*fate)));
        self.known.insert((role, at, damaged, dice), Rc::clone(&dist));
        Ok(dist)
    }

    fn first_round(&mut self, action: Action, weight: &Exact, total: &Exact) -> Result<(), OddsError> {
        let start = self.facts.start();
        let dice = self.dice(action, &start);
        // How a unit has gone depends on the first round's action: sums are shared within one only.
        self.sides.clear();
        // Each unit by itself; "gone" is one outcome for the joint states, and how it has gone is kept apart.
        let mut each: Vec<Dist<EndFate>> = Vec::new();
        for role in Role::BOTH {
            self.gone[role].clear();
            for at in 0..start[role].len() {
                let ends = self.ends(role, at, start[role][at].damaged(), dice[role][at])?;
                let gone = || ends.iter().filter(|(fate, _)| !fate.in_line());
                let sum = gone().fold(Exact::ZERO, |sum, (_, weight)| sum + weight);
                let mut how = Mixture::default();
                gone().for_each(|(fate, weight)| how.add(*fate, weight.clone(), &sum));
                self.gone[role].push((how.outcomes() > 0).then(|| Rc::new(how.finish())));
                each.push(ends.map(|fate| if fate.in_line() { *fate } else { EndFate::SunkDestroyed }));
            }
        }
        // Whether that is too much is known before the first of them.
        let states = each.iter().map(|one| one.len() as u64).fold(1, u64::saturating_mul);
        if self.states.saturating_add(states).saturating_mul(STATE) > self.budget.branches {
            return Err(OddsError::BudgetExceeded);
        }
        let joint = each.iter().fold(Dist::certain(Vec::new()), |joint: Dist<Vec<EndFate>>, one| {
            joint.with(one, |list, fate| list.iter().chain([fate]).copied().collect())
        });
        let (phasing, total) = (start.phasing.len(), total * joint.total());
        for (list, share) in joint.iter() {
            if self.budget.give_up.is_some_and(|give_up| self.states.is_multiple_of(64) && give_up()) {
                return Err(OddsError::BudgetExceeded);
            }
            self.states += 1;
            let fates = ByRole { phasing: list[..phasing].to_vec(), non_phasing: list[phasing..].to_vec() };
            self.after_first(&fates, &(weight * share), &total)?;
        }
        Ok(())
    }

    fn after_first(&mut self, fates: &Fates, weight: &Exact, total: &Exact) -> Result<(), OddsError> {
        match self.facts.after(self.rules, 1, fates) {
            After::Resolution(retreated) => {
                self.found.retreated.add(retreated, weight.clone(), total);
                self.found.rounds.add(1, weight.clone(), total);
                let none = fates.as_ref().map(|fates| vec![0; fates.len()]);
                self.end(fates, &none, retreated, weight, total)
            }
            After::Round => {
                self.found.retreated.add(None, weight.clone(), total);
                self.found.rounds.add(2, weight.clone(), total);
                let second = Rc::clone(&self.second);
                let total = total * second.total();
                for (&action, share) in second.iter() {
                    self.end(fates, &self.dice(action, fates), None, &(weight * share), &total)?;
                }
                Ok(())
            }
        }
    }

    /// The last round: so many dice at each unit, every one independent of the others.
    fn end(
        &mut self,
        fates: &Fates,
        dice: &ByRole<Vec<u32>>,
        retreated: Option<Role>,
        weight: &Exact,
        total: &Exact,
    ) -> Result<(), OddsError> {
        let mut sums: Vec<Sums> = Vec::new();
        for role in Role::BOTH {
            let mut ends: Vec<Ends> = Vec::new();
            for (at, &fate) in fates[role].iter().enumerate() {
                let dist = match &self.gone[role][at] {
                    Some(how) if !fate.in_line() => Rc::clone(how),
                    _ => self.ends(role, at, fate == EndFate::InLineDamaged, dice[role][at])?,
                };
                let id = self.facts.roster[role][at].sheet.id;
                let unit = self.wanted.map(|field| field.strip_prefix("units.")?.strip_suffix(".fate"));
                if unit.is_none_or(|unit| unit == Some(id.as_str())) {
                    self.found.fates[role][at].add_all(&dist, weight, total);
                }
                ends.push(dist);
            }
            if self.wanted.is_some_and(|field| field.starts_with("units.")) {
                continue;
            }
            let key = (role, fates[role].iter().zip(&dice[role]).map(|(fate, dice)| (*fate as u8, *dice)).collect());
            let facts = self.facts;
            sums.push(Rc::clone(self.sides.entry(key).or_insert_with(|| Rc::new(add_up(facts, role, &ends)))));
        }
        let [phasing, non_phasing] = &sums[..] else { return Ok(()) };
        let left = |role: Role, strength: u32| if retreated == Some(role) { 0 } else { strength };
        let strengths = ByRole {
            phasing: phasing.map(|sum| left(Role::Phasing, sum.0)),
            non_phasing: non_phasing.map(|sum| left(Role::NonPhasing, sum.0)),
        };
        let outcomes = strengths.phasing.with(&strengths.non_phasing, |&phasing, &non_phasing| {
            outcome(self.rules, ByRole { phasing, non_phasing })
        });
        let found = &mut self.found;
        found.outcome.add_all(&outcomes, weight, total);
        found.strengths.phasing.add_all(&strengths.phasing, weight, total);
        found.strengths.non_phasing.add_all(&strengths.non_phasing, weight, total);
        found.points.phasing.add_all(&non_phasing.map(|sum| sum.1), weight, total);
        found.points.non_phasing.add_all(&phasing.map(|sum| sum.1), weight, total);
        Ok(())
    }
}

fn add_up(facts: &Facts, role: Role, ends: &[Ends]) -> Dist<(u32, u32)> {
    ends.iter().enumerate().fold(Dist::certain((0, 0)), |sum, (at, ends)| {
        let one = ends.map(|&fate| facts.worth(role, at, fate));
        sum.with(&one, |a, b| (a.0 + b.0, a.1 + b.1))
    })
}
