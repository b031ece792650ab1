//! Exact odds of a Base Attack.
//!
//! Dice depend only on who still attacks and with which side. So the units that attack *and* are attacked are
//! followed jointly, round by round; given their history every other unit is a chain of its own.

use super::base_attack::{EndFate, Input, Running};
use super::units::Roster;
use crate::attack::{self, FOR_THE_BOX};
use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::odds::{how_many, taken};
use crate::results::{BoxName, Taken, fate};
use crate::unit::Counter;
use flagplot_odds::{Budget, Dist, Mixture, OddsError};
use flagplot_referee::{FieldOdds, Halt};
use rustc_hash::FxHashMap;

/// What a unit is between two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Status {
    gone: bool,
    damaged: bool,
    noted: bool,
}

impl Status {
    fn end(self) -> EndFate {
        EndFate::new(self.gone, self.noted, self.damaged)
    }
}

type Place = (Role, usize);

struct Chains<'a> {
    figures: &'a Figures,
    roster: &'a Roster,
    budget: Budget<'a>,
    known: FxHashMap<(Place, Status, u32), Dist<Status>>,
}

impl Chains<'_> {
    /// What so many dice in one round make of a unit.
    fn round(&mut self, place: Place, status: Status, dice: u32) -> Result<Dist<Status>, OddsError> {
        if status.gone || dice == 0 {
            return Ok(Dist::certain(status));
        }
        if let Some(dist) = self.known.get(&(place, status, dice)) {
            return Ok(dist.clone());
        }
        let counter = Counter { damaged: status.damaged, ..self.roster.counter(place.0, place.1) };
        let dist = taken(self.figures, dice, FOR_THE_BOX, self.budget)?.map(|taken| {
            let fate = fate(counter, Taken { disabled: false, ..*taken });
            let noted = status.noted || (taken.disabled && counter.sheet.kind.is_ship());
            Status { gone: fate.box_name == BoxName::SunkDestroyed, damaged: fate.damaged, noted }
        });
        self.known.insert((place, status, dice), dist.clone());
        Ok(dist)
    }

    /// What rounds with so many dice each make of a unit.
    fn all(&mut self, place: Place, start: Status, dice: &[u32]) -> Result<Dist<Status>, OddsError> {
        let mut dist = Dist::certain(start);
        for &dice in dice {
            dist = dist.then(|status| self.round(place, *status, dice))?;
        }
        Ok(dist)
    }
}

pub(super) fn odds(figures: &Figures, input: &Input, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
    let roster = input.roster();
    let start = |(role, at): Place| Status { gone: false, damaged: roster.damaged[role][at], noted: false };
    let places: Vec<Place> = Role::BOTH.into_iter().flat_map(|role| (0..roster.sheets[role].len()).map(move |at| (role, at))).collect();
    // Who attacks and is attacked somewhere in the plans is followed jointly.
    let joint: Vec<Place> = places
        .iter()
        .copied()
        .filter(|&(role, at)| {
            let id = roster.sheets[role][at].id;
            let attacks = input.rounds.iter().any(|round| round[role].iter().any(|attack| attack.attacker == id));
            attacks && input.rounds.iter().any(|round| round[role.other()].iter().any(|attack| attack.target == id))
        })
        .collect();
    let mut chains = Chains { figures, roster: &roster, budget, known: FxHashMap::default() };

    // Dice at each unit in a round that begins with these statuses of the joint units. A plan against a unit that has gone costs
    // nothing: the chain of a unit that has gone stands still.
    let dice_at = |round: usize, statuses: &[Status]| -> ByRole<Vec<u32>> {
        let mut running = Running { roster: input.roster(), gone: roster.damaged.as_ref().map(|units| vec![false; units.len()]) };
        for (&(role, at), status) in joint.iter().zip(statuses) {
            running.gone[role][at] = status.gone;
            running.roster.damaged[role][at] = status.damaged;
        }
        let mut dice = roster.sheets.as_ref().map(|sheets| vec![0; sheets.len()]);
        for role in Role::BOTH {
            for planned in &input.rounds[round][role] {
                if let Some(order) = running.order(figures, role, planned) {
                    let (attacker, target) = (running.roster.counter(role, order.attacker), running.roster.counter(role.other(), order.target));
                    dice[role.other()][order.target] += attack::dice(figures, attacker, order.factor, target) * input.multiplier(figures, round, role);
                }
            }
        }
        dice
    };

    // Histories: the dice at every unit in each round so far, and the statuses of the joint units now.
    type History = (Vec<ByRole<Vec<u32>>>, Vec<Status>);
    let mut histories: Dist<History> = Dist::certain((Vec::new(), joint.iter().map(|&place| start(place)).collect()));
    for round in 0..input.rounds.len() {
        histories = histories.then(|(past, statuses)| -> Result<Dist<History>, OddsError> {
            let dice = dice_at(round, statuses);
            let mut next: Dist<Vec<Status>> = Dist::certain(Vec::new());
            for (&(role, at), &status) in joint.iter().zip(statuses) {
                let one = chains.round((role, at), status, dice[role][at])?;
                next = next.with(&one, |list, status| {
                    let mut list = list.clone();
                    list.push(*status);
                    list
                });
                if next.len() > budget.states {
                    return Err(OddsError::BudgetExceeded);
                }
            }
            Ok(next.map(|statuses| {
                let mut past = past.clone();
                past.push(dice.clone());
                (past, statuses.clone())
            }))
        })?;
        if histories.len() > budget.states {
            return Err(OddsError::BudgetExceeded.into());
        }
    }

    let mut fates: FxHashMap<Place, Mixture<EndFate>> = FxHashMap::default();
    let mut sums: ByRole<[Mixture<u32>; 5]> = ByRole::default();
    for ((past, statuses), weight) in histories.iter() {
        let mut ends: ByRole<Vec<Dist<EndFate>>> = ByRole::default();
        for &(role, at) in &places {
            let dist = match joint.iter().position(|&place| place == (role, at)) {
                Some(index) => Dist::certain(statuses[index].end()),
                None => {
                    let dice: Vec<u32> = past.iter().map(|dice| dice[role][at]).collect();
                    chains.all((role, at), start((role, at)), &dice)?.map(|status| status.end())
                }
            };
            fates.entry((role, at)).or_default().add_all(&dist, weight, histories.total());
            ends[role].push(dist);
        }
        for role in Role::BOTH {
            for fate in EndFate::ALL {
                let field = format!("summary.{}.{}", name(role), EndFate::FIELDS[fate as usize]);
                if wanted.is_none_or(|wanted| wanted == field) {
                    sums[role][fate as usize].add_all(&how_many(&ends[role], |end| *end == fate), weight, histories.total());
                }
            }
        }
    }
    let mut odds = FieldOdds::default();
    for &(role, at) in &places {
        if let Some(mixture) = fates.remove(&(role, at)) {
            odds.put(format!("units.{}.fate", roster.sheets[role][at].id), wanted, &mixture.finish(), |fate| fate.word().into());
        }
    }
    for role in Role::BOTH {
        for (mixture, field) in std::mem::take(&mut sums[role]).into_iter().zip(EndFate::FIELDS) {
            if mixture.outcomes() > 0 {
                odds.put(format!("summary.{}.{field}", name(role)), wanted, &mixture.finish(), |n| (*n).into());
            }
        }
    }
    Ok(odds)
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Phasing => "phasing",
        Role::NonPhasing => "non_phasing",
    }
}
