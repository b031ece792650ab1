//! Exact odds of a Base Attack.
//!
//! Dice depend only on who still attacks and with which side. So the units that attack *and* are attacked are
//! followed jointly up to the last round; given their history every other unit is a chain of its own, and in the last round all are.

use super::base_attack::{EndFate, Input, Running};
use super::role_field;
use super::units::Roster;
use crate::attack::{self, DISABLED, FOR_THE_BOX};
use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::odds::{how_many, taken};
use crate::results::{BoxName, Destination, Taken, fate};
use crate::unit::Counter;
use flagplot_kernel::Tally;
use flagplot_odds::{Budget, Dist, Mixture, OddsError, enumerate};
use flagplot_referee::{FieldOdds, Halt};
use rustc_hash::FxHashMap;

/// What a unit is between two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Status {
    gone: bool,
    damaged: bool,
    /// Disabled results noted: how many for a unit that is looked at closely, else 1 for any.
    noted: u32,
}

impl Status {
    fn end(self) -> EndFate {
        EndFate::new(self.gone, self.noted > 0, self.damaged)
    }
}

type Place = (Role, usize);

/// The dice in each round so far at every unit that is a chain of its own, and the statuses of the joint units now.
type History = (Vec<Vec<u32>>, Vec<Status>);

/// A joint status costs about as much as so many branches of a plain count.
const STATUS: u64 = 16;

struct Study<'a> {
    figures: &'a Figures,
    input: &'a Input,
    roster: Roster,
    /// All units.
    places: Vec<Place>,
    /// Who attacks and is attacked somewhere in the plans.
    joint: Vec<Place>,
    budget: Budget<'a>,
    known: FxHashMap<(Place, Status, u32, bool), Dist<Status>>,
}

impl<'a> Study<'a> {
    fn new(figures: &'a Figures, input: &'a Input, budget: Budget<'a>) -> Self {
        let roster = input.roster();
        let places: Vec<Place> =
            Role::BOTH.into_iter().flat_map(|role| (0..roster.sheets[role].len()).map(move |at| (role, at))).collect();
        let joint = |&(role, at): &Place| {
            let id = roster.sheets[role][at].id;
            let attacks = input.rounds.iter().any(|round| round[role].iter().any(|attack| attack.attacker == id));
            attacks && input.rounds.iter().any(|round| round[role.other()].iter().any(|attack| attack.target == id))
        };
        let joint = places.iter().copied().filter(joint).collect();
        Self { figures, input, roster, places, joint, budget, known: FxHashMap::default() }
    }

    fn start(&self, (role, at): Place) -> Status {
        Status { gone: false, damaged: self.roster.damaged[role][at], noted: 0 }
    }

    /// What so many dice in one round make of a unit. Looked at closely, the damaged side and the number of Disabled results of one that has gone
    /// are kept.
    fn round(&mut self, place: Place, status: Status, dice: u32, closely: bool) -> Result<Dist<Status>, OddsError> {
        if status.gone || dice == 0 {
            return Ok(Dist::certain(status));
        }
        let key = (place, status, dice, closely);
        if let Some(dist) = self.known.get(&key) {
            return Ok(dist.clone());
        }
        let counter = Counter { damaged: status.damaged, ..self.roster.counter(place.0, place.1) };
        let ship = counter.sheet.kind.is_ship();
        let after = |damage_points: u32, disabled: u32| {
            let fate = fate(counter, Taken { damage_points, disabled: false });
            let gone = fate.box_name == BoxName::SunkDestroyed;
            let noted = status.noted + if ship { disabled } else { 0 };
            match closely {
                true => Status { gone, damaged: fate.damaged, noted },
                false => Status { gone, damaged: fate.damaged && !gone, noted: if gone { 0 } else { noted.min(1) } },
            }
        };
        let dist = if closely {
            let counted = [Tally::Ignore, Tally::Count, Tally::Ignore];
            enumerate(self.budget, |ask| {
                attack::roll(self.figures, dice, counted, "attack", ask).map(|got| (got.points, got.counts[DISABLED]))
            })?
            .map(|&(points, disabled)| after(points, disabled))
        } else {
            taken(self.figures, dice, FOR_THE_BOX, self.budget)?
                .map(|taken| after(taken.damage_points, u32::from(taken.disabled)))
        };
        self.known.insert(key, dist.clone());
        Ok(dist)
    }

    /// Dice at each unit in a round that begins with these statuses of the joint units. A plan against a unit that has gone costs
    /// nothing: the chain of a unit that has gone stands still.
    fn dice_at(&self, round: usize, statuses: &[Status]) -> ByRole<Vec<u32>> {
        let mut running = Running {
            roster: self.input.roster(),
            gone: self.roster.damaged.as_ref().map(|units| vec![false; units.len()]),
        };
        for (&(role, at), status) in self.joint.iter().zip(statuses) {
            running.gone[role][at] = status.gone;
            running.roster.damaged[role][at] = status.damaged;
        }
        let mut dice = self.roster.sheets.as_ref().map(|sheets| vec![0; sheets.len()]);
        for role in Role::BOTH {
            for planned in &self.input.rounds[round][role] {
                if let Some(order) = running.order(self.figures, role, planned) {
                    let (attacker, target) = (
                        running.roster.counter(role, order.attacker),
                        running.roster.counter(role.other(), order.target),
                    );
                    dice[role.other()][order.target] += attack::dice(self.figures, attacker, order.factor, target)
                        * self.input.multiplier(self.figures, round, role);
                }
            }
        }
        dice
    }

    /// The histories up to the last round, with the dice at the units of `chains` and one joint unit looked at closely.
    fn histories(&mut self, chains: &[Place], close: Option<Place>) -> Result<Dist<History>, OddsError> {
        let joint = self.joint.clone();
        let mut work: u64 = 0;
        let mut histories: Dist<History> =
            Dist::certain((Vec::new(), joint.iter().map(|&place| self.start(place)).collect()));
        for round in 0..self.input.rounds.len() - 1 {
            histories = histories.then(|(past, statuses)| -> Result<Dist<History>, OddsError> {
                let dice = self.dice_at(round, statuses);
                let each = joint.iter().zip(statuses).map(|(&(role, at), &status)| {
                    self.round((role, at), status, dice[role][at], close == Some((role, at)))
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
                    next.with(one, |list, status| {
                        let mut list = list.clone();
                        list.push(*status);
                        list
                    })
                });
                Ok(next.map(|statuses| (past.clone(), statuses.clone())))
            })?;
        }
        Ok(histories)
    }

    /// What becomes of a unit in the end, given a history and the dice of the last round. `chain` is its number among the chains of the history.
    fn end(
        &mut self,
        place: Place,
        (past, statuses): &History,
        last: &ByRole<Vec<u32>>,
        chain: Option<usize>,
        closely: bool,
    ) -> Result<Dist<Status>, OddsError> {
        let dice = last[place.0][place.1];
        if let Some(index) = self.joint.iter().position(|&joint| joint == place) {
            return self.round(place, statuses[index], dice, closely);
        }
        let mut dist = Dist::certain(self.start(place));
        for dice in past.iter().map(|dice| chain.map_or(0, |chain| dice[chain])).chain([dice]) {
            dist = dist.then(|status| self.round(place, *status, dice, closely))?;
        }
        Ok(dist)
    }

    /// Whether anybody attacks a unit at any time.
    fn attacked(&self, (role, at): Place) -> bool {
        let id = self.roster.sheets[role][at].id;
        self.input.rounds.iter().any(|round| round[role.other()].iter().any(|attack| attack.target == id))
    }

    /// The last status of one unit looked at closely.
    fn closely(&mut self, place: Place) -> Result<Dist<Status>, OddsError> {
        let (chains, close) = if self.joint.contains(&place) { (Vec::new(), Some(place)) } else { (vec![place], None) };
        let histories = self.histories(&chains, close)?;
        let mut mixture = Mixture::default();
        for (history, weight) in histories.iter() {
            let last = self.dice_at(self.input.rounds.len() - 1, &history.1);
            mixture.add_all(&self.end(place, history, &last, Some(0), true)?, weight, histories.total());
        }
        Ok(mixture.finish())
    }
}

pub(super) fn odds(
    figures: &Figures,
    input: &Input,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Halt> {
    let mut study = Study::new(figures, input, budget);
    let places = study.places.clone();
    let field_of =
        |study: &Study<'_>, (role, at): Place, name: &str| format!("units.{}.{name}", study.roster.sheets[role][at].id);
    let wants = |field: &str| wanted.is_none_or(|wanted| wanted == field);

    // Fates and their sums.
    let fated: Vec<Place> = places
        .iter()
        .copied()
        .filter(|&place| ["fate", "destination"].iter().any(|name| wants(&field_of(&study, place, name))))
        .collect();
    let summed = wanted.is_none_or(|wanted| wanted.starts_with("summary."));
    let mut fates: FxHashMap<Place, Mixture<EndFate>> = FxHashMap::default();
    let mut sums: ByRole<[Mixture<u32>; 5]> = ByRole::default();
    if summed || !fated.is_empty() {
        let needed = if summed { &places } else { &fated };
        let chains: Vec<Place> =
            needed.iter().copied().filter(|&place| !study.joint.contains(&place) && study.attacked(place)).collect();
        let histories = study.histories(&chains, None)?;
        for (history, weight) in histories.iter() {
            let last = study.dice_at(input.rounds.len() - 1, &history.1);
            let mut ends: ByRole<Vec<Dist<EndFate>>> = ByRole::default();
            for &place in needed {
                let chain = chains.iter().position(|&chain| chain == place);
                let dist = study.end(place, history, &last, chain, false)?.map(|status| status.end());
                fates.entry(place).or_default().add_all(&dist, weight, histories.total());
                ends[place.0].push(dist);
            }
            for role in Role::BOTH {
                for fate in EndFate::ALL {
                    if wants(&format!("summary.{}.{}", role_field(role), EndFate::FIELDS[fate as usize])) {
                        sums[role][fate as usize].add_all(
                            &how_many(&ends[role], |end| *end == fate),
                            weight,
                            histories.total(),
                        );
                    }
                }
            }
        }
    }

    let mut odds = FieldOdds::default();
    for &place in &places {
        let kind = study.roster.sheets[place.0][place.1].kind;
        let (damaged, disabled) = (field_of(&study, place, "damaged"), field_of(&study, place, "disabled_results"));
        if let Some(mixture) = fates.remove(&place) {
            let dist = mixture.finish();
            odds.put(field_of(&study, place, "fate"), wanted, &dist, |fate| fate.word().into());
            odds.put(field_of(&study, place, "destination"), wanted, &dist, |fate| {
                Destination::WORDS[fate.destination(kind) as usize].into()
            });
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
        for (mixture, field) in std::mem::take(&mut sums[role]).into_iter().zip(EndFate::FIELDS) {
            if mixture.outcomes() > 0 {
                odds.put(format!("summary.{}.{field}", role_field(role)), wanted, &mixture.finish(), |n| (*n).into());
            }
        }
    }
    Ok(odds)
}
