//! What fights, strikes and flak come to, from what the asking side knows.

use super::CarrierGame;
use super::duel::Duel;
use super::flight::{Flight, FlightStage, Purpose};
use super::flight_choices::ContactAnswer;
use super::piece::{SquadronId, Squads, listed};
use super::stances::Encounter;
use super::state::{Class, Table};
use crate::combat::{Guns, Striker};
use crate::duels::{Played, rational, written};
use crate::geometry::LENGTH;
use crate::procedures::{DogfightFacts, Fighter, dogfight_odds};
use crate::words::{Markers, Role, Stance, name};
use dashu_int::IBig;
use dashu_ratio::RBig;
use flagplot_kernel::{Insight, Side};
use flagplot_odds::{Budget, Dist, Exact, Mixture, enumerate};
use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

fn decimal(value: &RBig) -> String {
    let hundredths = (value * RBig::from(100)).round();
    let negative = hundredths < IBig::ZERO;
    let hundredths = i64::try_from(hundredths).unwrap_or(0).unsigned_abs();
    format!("{}{}.{:02}", if negative { "-" } else { "" }, hundredths / 100, hundredths % 100)
}

fn played((stance, markers): &Played) -> String {
    match markers.total() {
        0 => stance.to_string(),
        _ => format!("{stance} with {} red and {} blue", markers.red, markers.blue),
    }
}

/// What the squadrons of a group may be.
type Roles = Vec<(SquadronId, Role)>;

/// A squadron without its name: role, strength, range die.
type Look = (Role, u8, u8);

/// Who strikes, as far as it matters.
type Kind = (u8, bool);

impl CarrierGame {
    /// A matrix of secret plays: every cell, its value, how to mix.
    fn matrix(duel: &Duel, side: Side) -> Insight {
        let (value, [rows, columns]) = (&duel.matrix.play.value, &duel.names);
        let mut insight = Insight::exact(duel.title.clone()).line(format!(
            "Worth {} ({}) aircraft to {rows}.",
            written(value),
            decimal(value)
        ));
        for (own, row) in duel.plays[0].iter().zip(&duel.matrix.cells) {
            for (enemy, cell) in duel.plays[1].iter().zip(row) {
                let figures: Vec<String> =
                    cell.iter().map(|(what, value)| format!("{} {}", what.replace('_', " "), decimal(value))).collect();
                insight = insight.line(format!(
                    "{rows} {} against {columns} {}: {}.",
                    played(own),
                    played(enemy),
                    figures.join(", ")
                ));
            }
        }
        for (play, share) in duel.mix(side) {
            insight = insight.chance(format!("play {}", played(&play)), written(share));
        }
        for (play, share) in duel.mix(side.other()).filter(|(_, share)| **share != RBig::ZERO) {
            insight =
                insight.line(format!("The other side should play {} with chance {}.", played(&play), written(share)));
        }
        insight
    }

    /// Every cell of the stances with their markers, and the mix.
    pub(super) fn explain_stance(&self, table: &Table, encounter: Encounter, side: Side) -> Insight {
        Self::matrix(&self.duel(table, encounter), side)
    }

    /// The hits a carrier group has after one strike, everybody instinctive.
    fn one_strike(&self, side: Side, (strength, kamikaze): Kind, hits: u8) -> Option<Dist<u8>> {
        if hits >= self.rules.carrier.steps {
            return Some(Dist::certain(hits));
        }
        let markers = Markers { red: self.skill(side, Role::Strike).markers(), blue: 0 };
        let striker = Striker { markers, ..Striker::plain(strength, kamikaze) };
        let guns = Guns { hits, aa: self.aa[side.other()] };
        enumerate::<_, Exact>(Budget::default(), |ask| {
            Ok(self.rules.strike(ask, &striker, Stance::Instinctive, &guns)?.cv_hits)
        })
        .ok()
    }

    /// Hits by every order and number of squadrons, guns and crews instinctive. With `first` given, only orders that
    /// begin with it.
    pub(super) fn explain_strikes(
        &self,
        table: &Table,
        side: Side,
        able: Squads,
        first: Option<SquadronId>,
    ) -> Vec<Insight> {
        let hits = table.carriers[side.other()].hits;
        if hits >= self.rules.carrier.steps {
            return Vec::new();
        }
        let kind = |id: SquadronId| (table[id].strength, self.kamikaze.has(id));
        // Each order once, squadrons that are alike counting as one.
        let mut orders: BTreeMap<Vec<Kind>, (Vec<SquadronId>, Dist<u8>)> = BTreeMap::new();
        let mut singles: BTreeMap<(Kind, u8), Dist<u8>> = BTreeMap::new();
        let mut open: Vec<(Vec<SquadronId>, Dist<u8>)> = vec![(Vec::new(), Dist::certain(hits))];
        while let Some((order, standing)) = open.pop() {
            for id in able
                .iter()
                .filter(|id| !order.contains(id) && (!order.is_empty() || first.is_none_or(|first| first == *id)))
            {
                let longer: Vec<SquadronId> = order.iter().copied().chain([id]).collect();
                let kinds: Vec<Kind> = longer.iter().map(|id| kind(*id)).collect();
                if orders.contains_key(&kinds) {
                    continue;
                }
                let next = standing.then(|hits| {
                    let single = match singles.entry((kind(id), *hits)) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(new) => new.insert(self.one_strike(side, kind(id), *hits).ok_or(())?),
                    };
                    Ok::<_, ()>(single.map(|hits| *hits))
                });
                let Ok(next) = next else { return Vec::new() };
                orders.insert(kinds, (longer.clone(), next.map(|hits| *hits)));
                open.push((longer, next));
            }
        }
        let mut all = Vec::new();
        for number in 1..=able.count() {
            let mut same: Vec<(RBig, &Vec<SquadronId>, &Dist<u8>)> = orders
                .values()
                .filter(|(order, _)| order.len() == number)
                .map(|(order, dist)| (rational(&dist.expect(|total| u64::from(*total - hits))), order, dist))
                .collect();
            same.sort_by(|a, b| b.0.cmp(&a.0));
            let Some((_, order, best)) = same.first() else { continue };
            let names = |order: &[SquadronId]| listed(order.iter());
            let crippled = |dist: &Dist<u8>| dist.chance_of(|hits| *hits >= self.rules.carrier.crippled_at);
            let sunk = |dist: &Dist<u8>| dist.chance_of(|hits| *hits >= self.rules.carrier.steps);
            let plural = if number == 1 { "" } else { "s" };
            let mut insight =
                Insight::exact(format!("Hits after {number} attack{plural}, {}, all instinctive", names(order)));
            let mut totals: Vec<u8> = best.iter().map(|(hits, _)| *hits).collect();
            totals.sort_unstable();
            for total in totals {
                insight = insight.chance(format!("{total} hits"), best.chance(&total).to_string());
            }
            insight =
                insight.chance("crippled or worse", crippled(best).to_string()).chance("sunk", sunk(best).to_string());
            for (average, order, dist) in &same {
                insight = insight.line(format!(
                    "{}: {} hits on average, crippled or worse {}, sunk {}.",
                    names(order),
                    decimal(average),
                    decimal(&rational(&crippled(dist))),
                    decimal(&rational(&sunk(dist)))
                ));
            }
            all.push(insight);
        }
        all
    }

    /// What an interception would come to, and what giving way would.
    pub(super) fn explain_contact(&self, table: &Table, flight: &Flight, value: Option<&Value>) -> Vec<Insight> {
        let FlightStage::Contact(met) = flight.stage else { return Vec::new() };
        let (side, able) = (met.side(), table.interceptors(met));
        let chosen = match value.and_then(|value| serde_json::from_value::<ContactAnswer>(value.clone()).ok()) {
            Some(ContactAnswer::Intercept { squadrons }) => {
                squadrons.iter().copied().filter(|id| able.has(*id)).collect()
            }
            Some(ContactAnswer::GiveWay { .. }) => Squads::NONE,
            None => able,
        };
        let mut all = Vec::new();
        if able.is_empty() {
            all.push(Insight::exact("Intercepting").line("No fighter of the group can intercept. It must give way."));
        }
        if !chosen.is_empty() {
            all.push(self.explain_fight(table, side, chosen, flight.group, "Intercepting"));
        }
        let mut way =
            Insight::exact("Giving way").line("The group moves 3 lengths away and is not met again in this action.");
        let bombers = self.may_be_bombers(table, flight.group);
        if flight.purpose == Purpose::Strike && !bombers.is_empty() {
            way = way.line(format!(
                "{} can fly on to your carriers. Below is what they can do there, at the strengths last seen.",
                bombers
            ));
            all.push(way);
            all.extend(self.explain_strikes(table, side.other(), bombers, None).pop());
        } else {
            all.push(way);
        }
        all
    }

    /// Squadrons that carry bombs, as far as is known.
    fn may_be_bombers(&self, table: &Table, set: Squads) -> Squads {
        let may_be = |id: &SquadronId| {
            let squadron = &table[*id];
            let fighters = squadron.shown_role == Some(Role::Fighter)
                || squadron.report.is_some_and(|report| report.class == Class::Fighters);
            !id.is_recce() && squadron.ordnance != Some(false) && !fighters
        };
        set.iter().filter(may_be).collect()
    }

    /// Every way in which the roles of a group can be, as far as its side's reports leave them open.
    fn role_cases(&self, table: &Table, group: Squads) -> Vec<Roles> {
        let mut cases: Vec<Roles> = vec![Vec::new()];
        for id in group.iter() {
            let squadron = &table[id];
            let open: &[Role] = match (squadron.role, squadron.report.map(|report| report.class)) {
                (Some(Role::Fighter), _) | (None, Some(Class::Fighters)) => &[Role::Fighter],
                (Some(Role::Strike), _) | (None, Some(Class::Strike)) => &[Role::Strike],
                (Some(Role::Recce), _) => &[Role::Recce],
                _ if self.kamikaze.has(id) => &[Role::Strike],
                _ => &[Role::Fighter, Role::Strike],
            };
            cases = cases
                .iter()
                .flat_map(|case| open.iter().map(|role| case.iter().copied().chain([(id, *role)]).collect()))
                .collect();
        }
        // A mixture that is still together holds both.
        let mixed = |case: &Roles| {
            group.iter().filter_map(|id| table[id].report.filter(|report| report.class == Class::Mixture)).all(
                |report| {
                    let there = report.given_for.without(group).iter().all(|id| id.is_recce());
                    let has = |role| case.iter().any(|(id, is)| report.given_for.has(*id) && *is == role);
                    !there || (has(Role::Fighter) && has(Role::Strike))
                },
            )
        };
        let held: Vec<_> = cases.iter().filter(|case| mixed(case)).cloned().collect();
        if held.is_empty() { cases } else { held }
    }

    /// The outcome of a dogfight of own fighters with an enemy group, over every way its roles can be.
    pub(super) fn explain_fight(&self, table: &Table, side: Side, own: Squads, group: Squads, title: &str) -> Insight {
        let enemy = side.other();
        let cases = self.role_cases(table, group);
        let skill = [(side, Role::Fighter), (enemy, Role::Fighter), (enemy, Role::Strike)]
            .map(|(side, role)| self.skill(side, role));
        // Cases that differ only in names are one.
        let mut distinct: BTreeMap<Vec<Look>, (u64, &Roles)> = BTreeMap::new();
        for case in &cases {
            let mut key: Vec<Look> =
                case.iter().map(|(id, role)| (*role, table[*id].strength, table[*id].rl)).collect();
            key.sort_unstable();
            distinct.entry(key).or_insert((0, case)).0 += 1;
        }
        let ways = if cases.len() == 1 {
            String::new()
        } else {
            format!(", each of {} possible roles counted alike", cases.len())
        };
        let mut insight = Insight::with_basis(
            format!("{title} with {}, all instinctive", own),
            format!("exact for the strengths last seen{ways}"),
        );
        let mut gathered: [Mixture<u8>; 3] = std::array::from_fn(|_| Mixture::default());
        for (weight, case) in distinct.into_values() {
            let fighter = |id: SquadronId, kind, rl| Fighter {
                id: id.id().into(),
                kind,
                strength: table[id].strength.clamp(1, 12),
                rl,
            };
            let attackers = own.iter().map(|id| fighter(id, Role::Fighter, table[id].rl.clamp(2, 6))).collect();
            let defenders = case.iter().map(|(id, role)| fighter(*id, *role, table[*id].rl)).collect();
            let facts = DogfightFacts::instinctive(attackers, defenders, skill);
            let budget = Budget { branches: 400_000, states: 60_000, ..Budget::USUAL };
            let Some(odds) = dogfight_odds(&self.rules, &facts, budget) else {
                insight.lines.push("The fight is too large for exact odds.".into());
                return insight;
            };
            for (mixture, dist) in gathered.iter_mut().zip(&odds) {
                mixture.add_all(dist, &weight.into(), &(cases.len() as u64).into());
            }
        }
        for (what, mixture) in
            ["own aircraft lost", "enemy aircraft lost", "enemy bombers still in the fight"].into_iter().zip(gathered)
        {
            let dist = mixture.finish();
            let mut values: Vec<u8> = dist.iter().map(|(value, _)| *value).collect();
            values.sort_unstable();
            insight
                .lines
                .push(format!("{what}: {} on average.", decimal(&rational(&dist.expect(|value| u64::from(*value))))));
            for value in values {
                insight = insight.chance(format!("{what}: {value}"), dist.chance(&value).to_string());
            }
        }
        let near = table.carriers[side]
            .real_card()
            .is_some_and(|home| group.iter().any(|id| self.rules.geometry.near_card(table[id].pos, home, 3 * LENGTH)));
        if near {
            insight.lines.push(format!("{}'s group is within 3 lengths of your carriers.", name(enemy)));
        }
        insight
    }
}
