//! Exact odds of a Base Attack.
//!
//! Dice depend only on which units still attack and with which side. So the units that attack *and* are attacked are
//! followed jointly up to the last round; given their history every other unit is a chain of its own, and in the last
//! round all are.

use super::base_attack::{Facts, Status};
use super::made::EndFate;
use crate::attack::{self, DISABLED, FOR_THE_BOX};
use crate::faction::{ByRole, Role};
use crate::odds::{how_many, taken};
use crate::results::{Taken, fate};
use crate::rules::Rules;
use crate::unit::Counter;
use flagplot_kernel::{Refusal, Tally};
use flagplot_odds::{Budget, Dist, Mixture, OddsError, enumerate};
use flagplot_referee::FieldOdds;
use rustc_hash::FxHashMap;

/// How much of a status is followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Look {
    /// What decides the fate: of a unit that has gone nothing more, of Disabled results whether there is any.
    Fate,
    Closely,
}

type Place = (Role, usize);

/// The dice in each round so far at every unit that is a chain of its own, and the statuses of the joint units now.
type History = (Vec<Vec<u32>>, Vec<Status>);

/// A joint status costs about as much as so many branches of a plain count.
const STATUS: u64 = 16;

struct Study<'a> {
    rules: &'a Rules,
    facts: &'a Facts,
    start: ByRole<Vec<Status>>,
    places: Vec<Place>,
    /// The units that both attack and are attacked somewhere in the plans.
    joint: Vec<Place>,
    budget: Budget<'a>,
    known: FxHashMap<(Place, Status, u32, Look), Dist<Status>>,
}

impl<'a> Study<'a> {
    fn new(rules: &'a Rules, facts: &'a Facts, budget: Budget<'a>) -> Self {
        let units = |role: Role| (0..facts.roster[role].len()).map(move |at| (role, at));
        let places: Vec<Place> = Role::BOTH.into_iter().flat_map(units).collect();
        let attacks = |&(role, at): &Place| {
            facts.rounds.iter().any(|round| round[role].iter().any(|order| usize::from(order.attacker) == at))
        };
        let joint = places.iter().copied().filter(|place| attacks(place) && attacked(facts, *place)).collect();
        Self { rules, facts, start: facts.start(), places, joint, budget, known: FxHashMap::default() }
    }

    fn round(&mut self, place: Place, status: Status, dice: u32, look: Look) -> Result<Dist<Status>, OddsError> {
        if status.gone || dice == 0 {
            return Ok(Dist::certain(status));
        }
        let key = (place, status, dice, look);
        if let Some(dist) = self.known.get(&key) {
            return Ok(dist.clone());
        }
        let unit = Counter { sheet: &self.facts.roster[place.0][place.1].sheet, damaged: status.damaged };
        let after = |damage_points: u32, disabled: u32| {
            let fate = fate(unit, Taken { damage_points, disabled: false });
            let Status { gone, damaged, noted } = status.after(unit.sheet.kind, fate, disabled);
            match look {
                Look::Closely => Status { gone, damaged, noted },
                Look::Fate if gone => Status { gone, damaged: false, noted: 0 },
                Look::Fate => Status { gone, damaged, noted: noted.min(1) },
            }
        };
        let dist = match look {
            Look::Closely => enumerate(self.budget, |ask| {
                let counted = [Tally::Ignore, Tally::Count, Tally::Ignore];
                let got = attack::roll(self.rules, dice, counted, "attack", ask)?;
                Ok((got.points, got.counts[DISABLED]))
            })?
            .map(|&(points, disabled)| after(points, disabled)),
            Look::Fate => taken(self.rules, dice, FOR_THE_BOX, self.budget)?
                .map(|taken| after(taken.damage_points, u32::from(taken.disabled))),
        };
        self.known.insert(key, dist.clone());
        Ok(dist)
    }

    /// Dice at each unit in a round that begins with these statuses of the joint units. A plan against a unit that has
    /// gone costs nothing: the chain of a unit that has gone stands still.
    fn dice_at(&self, round: usize, statuses: &[Status]) -> ByRole<Vec<u32>> {
        let mut now = self.start.clone();
        for (&(role, at), status) in self.joint.iter().zip(statuses) {
            now[role][at] = *status;
        }
        let mut dice = now.as_ref().map(|units| vec![0; units.len()]);
        for role in Role::BOTH {
            for order in &self.facts.rounds[round][role] {
                let more = self.facts.dice(self.rules, &now, round, role, order);
                dice[role.other()][usize::from(order.target)] += more.unwrap_or(0);
            }
        }
        dice
    }

    /// The histories up to the last round, with the dice at the units of `chains` and one joint unit looked at closely.
    fn histories(&mut self, chains: &[Place], close: Option<Place>) -> Result<Dist<History>, OddsError> {
        let joint = self.joint.clone();
        let mut work: u64 = 0;
        let mut histories: Dist<History> =
            Dist::certain((Vec::new(), joint.iter().map(|&place| self.start[place.0][place.1]).collect()));
        for round in 0..self.facts.rounds.len() - 1 {
            histories = histories.then(|(past, statuses)| -> Result<Dist<History>, OddsError> {
                let dice = self.dice_at(round, statuses);
                let each = joint.iter().zip(statuses).map(|(&place, &status)| {
                    let look = if close == Some(place) { Look::Closely } else { Look::Fate };
                    self.round(place, status, dice[place.0][place.1], look)
                });
                let each: Vec<Dist<Status>> = each.collect::<Result<_, _>>()?;
                // Whether that is too much is known before it is done.
                work = each.iter().map(|one| one.len() as u64).fold(1, u64::saturating_mul).saturating_add(work);
                if work.saturating_mul(STATUS) > self.budget.branches
                    || self.budget.give_up.is_some_and(|give_up| give_up())
                {
                    return Err(OddsError::BudgetExceeded);
                }
                let mut past = past.clone();
                past.push(chains.iter().map(|&(role, at)| dice[role][at]).collect());
                let next = each.iter().fold(Dist::certain(Vec::new()), |next: Dist<Vec<Status>>, one| {
                    next.with(one, |list, status| list.iter().chain([status]).copied().collect())
                });
                Ok(next.map(|statuses| (past.clone(), statuses.clone())))
            })?;
        }
        Ok(histories)
    }

    /// What becomes of a unit in the end, given a history with its number among the chains, and the dice of the last
    /// round.
    fn end(
        &mut self,
        place: Place,
        (past, statuses): &History,
        last: &ByRole<Vec<u32>>,
        chain: Option<usize>,
        look: Look,
    ) -> Result<Dist<Status>, OddsError> {
        let dice = last[place.0][place.1];
        if let Some(index) = self.joint.iter().position(|&joint| joint == place) {
            return self.round(place, statuses[index], dice, look);
        }
        let mut dist = Dist::certain(self.start[place.0][place.1]);
        for dice in past.iter().map(|dice| chain.map_or(0, |chain| dice[chain])).chain([dice]) {
            dist = dist.then(|status| self.round(place, *status, dice, look))?;
        }
        Ok(dist)
    }

    fn closely(&mut self, place: Place) -> Result<Dist<Status>, OddsError> {
        let (chains, close) = if self.joint.contains(&place) { (Vec::new(), Some(place)) } else { (vec![place], None) };
        let histories = self.histories(&chains, close)?;
        let mut mixture = Mixture::default();
        for (history, weight) in histories.iter() {
            let last = self.dice_at(self.facts.rounds.len() - 1, &history.1);
            mixture.add_all(&self.end(place, history, &last, Some(0), Look::Closely)?, weight, histories.total());
        }
        Ok(mixture.finish())
    }
}

fn attacked(facts: &Facts, (role, at): Place) -> bool {
    facts.rounds.iter().any(|round| round[role.other()].iter().any(|order| usize::from(order.target) == at))
}

pub fn odds(rules: &Rules, facts: &Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
    let mut study = Study::new(rules, facts, budget);
    let places = study.places.clone();
    let field_of = |(role, at): Place, name: &str| format!("units.{}.{name}", facts.roster[role][at].sheet.id);
    let wants = |field: &str| wanted.is_none_or(|wanted| wanted == field);

    let summary = |role: Role, fate: EndFate| format!("summary.{}.{}", role.field(), fate.word().replace('-', "_"));

    // Fates and their sums.
    let fate_wanted = |&place: &Place| ["fate", "destination"].iter().any(|name| wants(&field_of(place, name)));
    let fated: Vec<Place> = places.iter().copied().filter(fate_wanted).collect();
    let summed = wanted.is_none_or(|wanted| wanted.starts_with("summary."));
    let mut fates: FxHashMap<Place, Mixture<EndFate>> = FxHashMap::default();
    let mut sums: ByRole<[Mixture<u32>; 5]> = ByRole::default();
    if summed || !fated.is_empty() {
        let needed = if summed { &places } else { &fated };
        let chains: Vec<Place> =
            needed.iter().copied().filter(|&place| !study.joint.contains(&place) && attacked(facts, place)).collect();
        let histories = study.histories(&chains, None)?;
        for (history, weight) in histories.iter() {
            let last = study.dice_at(facts.rounds.len() - 1, &history.1);
            let mut ends: ByRole<Vec<Dist<EndFate>>> = ByRole::default();
            for &place in needed {
                let chain = chains.iter().position(|&chain| chain == place);
                let dist = study.end(place, history, &last, chain, Look::Fate)?.map(|status| status.end());
                fates.entry(place).or_default().add_all(&dist, weight, histories.total());
                ends[place.0].push(dist);
            }
            for role in Role::BOTH {
                for &fate in EndFate::ALL {
                    if wants(&summary(role, fate)) {
                        let many = how_many(&ends[role], |end| *end == fate);
                        sums[role][fate as usize].add_all(&many, weight, histories.total());
                    }
                }
            }
        }
    }

    let mut odds = FieldOdds::default();
    for &place in &places {
        let kind = facts.roster[place.0][place.1].sheet.kind;
        let (damaged, disabled) = (field_of(place, "damaged"), field_of(place, "disabled_results"));
        if let Some(mixture) = fates.remove(&place) {
            let dist = mixture.finish();
            odds.put(field_of(place, "fate"), wanted, &dist, |fate| fate.word().into());
            odds.put(field_of(place, "destination"), wanted, &dist, |fate| fate.destination(kind).word().into());
        }
        if wants(&damaged) || wants(&disabled) {
            match study.closely(place) {
                Ok(dist) => {
                    odds.put(damaged, wanted, &dist, |status| status.damaged.into());
                    odds.put(disabled, wanted, &dist, |status| status.noted.into());
                }
                // Among all fields these two are the dearest; the others are told without them.
                Err(OddsError::BudgetExceeded) if wanted.is_none() => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    for role in Role::BOTH {
        for (mixture, &fate) in std::mem::take(&mut sums[role]).into_iter().zip(EndFate::ALL) {
            if mixture.outcomes() > 0 {
                odds.put(summary(role, fate), wanted, &mixture.finish(), |n| (*n).into());
            }
        }
    }
    Ok(odds)
}
