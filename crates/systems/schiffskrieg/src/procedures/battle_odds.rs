//! Exact odds of a whole battle by standing orders.
//!
//! After the first round only three things about a unit matter for the second: in line, in line and damaged, or gone.
//! These are followed jointly; how a unit has gone, and all of the second round, is independent from unit to unit.

use super::base_attack::EndFate;
use super::battle::{Input, line, points_of, retreats};
use super::units::Roster;
use crate::attack::{self, Engagement};
use crate::day_night::{Action, select};
use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::odds::fates;
use crate::resolution::{BattleOutcome, outcome, strength};
use crate::results::{BoxName, Destination};
use crate::unit::Counter;
use flagplot_odds::{Budget, Dist, Exact, Mixture, OddsError, enumerate};
use flagplot_referee::{FieldOdds, Halt};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::hash::Hash;
use std::rc::Rc;

type Ends = Rc<Dist<EndFate>>;

/// Distribution of a faction's strength and the points for its losses.
type Sums = Rc<Dist<(u32, u32)>>;

struct Study<'a> {
    figures: &'a Figures,
    input: &'a Input,
    roster: Roster,
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
    figures: &Figures,
    input: &Input,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Halt> {
    if wanted.is_some_and(|field| field == "rounds" || field.starts_with("rounds.")) {
        return Ok(FieldOdds::default());
    }
    let roster = input.roster();
    let empty = |role: Role| roster.sheets[role].iter().map(|_| Mixture::default()).collect();
    let mut study = Study {
        figures,
        input,
        fates: ByRole::new_with(empty),
        roster,
        budget,
        wanted,
        states: 0,
        second: actions(figures, input, 1, budget)?,
        known: FxHashMap::default(),
        sides: FxHashMap::default(),
        outcome: Mixture::default(),
        rounds: Mixture::default(),
        retreated: Mixture::default(),
        points: ByRole::default(),
        strengths: ByRole::default(),
    };
    let actions = actions(figures, input, 0, budget)?;
    for (&action, weight) in actions.iter() {
        study.first_round(action, weight, actions.total())?;
    }
    let mut odds = FieldOdds::default();
    put(&mut odds, "rounds_fought", wanted, study.rounds, |n| (*n).into());
    put(&mut odds, "retreated", wanted, study.retreated, |role| {
        role.map_or(Value::Null, |role| role.to_string().into())
    });
    put(&mut odds, "outcome", wanted, study.outcome, |outcome| BattleOutcome::WORDS[*outcome as usize].into());
    put(&mut odds, "phasing_strength", wanted, study.strengths.phasing, |n| (*n).into());
    put(&mut odds, "non_phasing_strength", wanted, study.strengths.non_phasing, |n| (*n).into());
    for role in Role::BOTH {
        for (sheet, mixture) in study.roster.sheets[role].iter().zip(std::mem::take(&mut study.fates[role])) {
            put(&mut odds, format!("units.{}.fate", sheet.id), wanted, mixture, |fate| fate.word().into());
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

fn actions(figures: &Figures, input: &Input, round: usize, budget: Budget<'_>) -> Result<Dist<Action>, OddsError> {
    enumerate(budget, |ask| Ok(select(figures, &input.waters(), input.wishes(round), ask)?.action))
}

/// A joint state costs about as much as so many branches of a plain count.
const STATE: u64 = 200;

impl Study<'_> {
    /// Whether a field is asked for, or nothing by name.
    fn wants(&self, is: impl FnOnce(&str) -> bool) -> bool {
        self.wanted.is_none_or(is)
    }

    /// Dice at each unit of both factions in a round.
    fn dice(&self, action: Action, fates: &ByRole<Vec<EndFate>>) -> ByRole<Vec<u32>> {
        let lines = ByRole::new_with(|role| line(&self.roster, fates, role));
        let mut dice = fates.as_ref().map(|fates| vec![0; fates.len()]);
        for role in Role::BOTH {
            let (own, enemy) = (&lines[role], &lines[role.other()]);
            for (attacker, factor, target) in
                self.input.force(role).doctrine.attacks(self.figures, Engagement::from(action), own, enemy)
            {
                if let (Some(attacker), Some(counter)) = (own[attacker], enemy[target]) {
                    dice[role.other()][target] += attack::dice(self.figures, attacker, factor, counter);
                }
            }
        }
        dice
    }

    /// What so many dice make of a unit in line.
    fn ends(&mut self, role: Role, at: usize, damaged: bool, dice: u32) -> Result<Ends, OddsError> {
        if let Some(dist) = self.known.get(&(role, at, damaged, dice)) {
            return Ok(Rc::clone(dist));
        }
        let counter = Counter { sheet: &self.roster.sheets[role][at], damaged };
        let dist = fates(self.figures, counter, dice, self.budget)?.map(|fate| {
            EndFate::new(
                fate.box_name == BoxName::SunkDestroyed,
                fate.destination == Destination::NavalWarfareDelayBox,
                fate.damaged,
            )
        });
        let dist = Rc::new(dist);
        self.known.insert((role, at, damaged, dice), Rc::clone(&dist));
        Ok(dist)
    }

    fn first_round(&mut self, action: Action, weight: &Exact, total: &Exact) -> Result<(), OddsError> {
        let start: ByRole<Vec<EndFate>> = self
            .roster
            .damaged
            .as_ref()
            .map(|units| units.iter().map(|&damaged| EndFate::new(false, false, damaged)).collect());
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
            let ends = self.ends(role, at, self.roster.damaged[role][at], dice[role][at])?;
            let gone: Vec<_> =
                ends.iter().filter(|(fate, _)| is_gone(**fate)).map(|(fate, weight)| (*fate, weight.clone())).collect();
            how_gone.push(if gone.is_empty() {
                None
            } else {
                let mut sum = Exact::ZERO;
                gone.iter().for_each(|(_, weight)| sum += weight);
                let mut mixture = Mixture::default();
                gone.into_iter().for_each(|(fate, weight)| mixture.add(fate, weight, &sum));
                Some(Rc::new(mixture.finish()))
            });
            let three = ends.map(|fate| if is_gone(*fate) { EndFate::SunkDestroyed } else { *fate });
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
        fates: &ByRole<Vec<EndFate>>,
        gone: ByRole<&[Option<Ends>]>,
        weight: &Exact,
        total: &Exact,
    ) -> Result<(), OddsError> {
        let in_line = ByRole::new_with(|role| fates[role].iter().filter(|fate| !is_gone(**fate)).count());
        let over = in_line.phasing == 0 || in_line.non_phasing == 0 || self.figures.max_rounds == 1;
        let retreated = if over { None } else { retreats(self.input, in_line) };
        self.retreated.add(retreated, weight.clone(), total);
        if over || retreated.is_some() {
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
        fates: &ByRole<Vec<EndFate>>,
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
                let dist = match (&gone[role][at], is_gone(fate)) {
                    (Some(how), true) => Rc::clone(how),
                    _ => self.ends(role, at, fate == EndFate::InLineDamaged, dice[role][at])?,
                };
                if self.wants(|field| {
                    field.strip_prefix("units.").and_then(|rest| rest.strip_suffix(".fate"))
                        == Some(self.roster.sheets[role][at].id.as_str())
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
            outcome(self.figures, ByRole { phasing, non_phasing })
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
            let sheet = &self.roster.sheets[role][at];
            let one = ends.map(|&fate| {
                let counter = Counter { sheet, damaged: fate == EndFate::InLineDamaged };
                let strength = if is_gone(fate) { 0 } else { strength(sheet.kind, counter.up().defense) };
                (strength, points_of(&self.roster, role, at, fate))
            });
            sum.with(&one, |a, b| (a.0 + b.0, a.1 + b.1))
        })
    }
}

fn is_gone(fate: EndFate) -> bool {
    !matches!(fate, EndFate::InLine | EndFate::InLineDamaged)
}
