//! The odds a player wants before aircraft fly, fight and are shot at, all of them exact. [15]

use super::flak::Volley;
use super::flight::{FlightEntry, FlightSheet};
use super::reactions::{Cover, FlakSheet, Guard, Pairing, Pounce};
use super::{Act, Attack, FlightStage};
use crate::air_combat::AirCombat;
use crate::game::actions::Stage;
use crate::game::id::Id;
use crate::game::state::{Mission, Phase, Sea, StandId, VesselId};
use crate::game::{FleetGame, View};
use crate::volley::{Salvo, SalvoState};
use crate::words::*;
use flagplot_kernel::Insight;
use flagplot_odds::{Budget, Dist, Exact, Fraction, OddsError, distribution, enumerate};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// An answer that is being considered, if it can be read.
fn read<T: DeserializeOwned>(value: Option<&Value>) -> Option<T> {
    serde_json::from_value(value?.clone()).ok()
}

fn salvo_odds(salvo: &Salvo<'_>) -> Result<Dist<SalvoState>, OddsError> {
    distribution(salvo, Dist::<SalvoState, Exact>::certain(SalvoState::default()), Budget::default())
}

/// Adds the chance of each number from 0 to the most.
fn numbers<T: Eq + std::hash::Hash>(
    mut insight: Insight,
    odds: &Dist<T>,
    most: i32,
    words: impl Fn(i32) -> String,
    number: impl Fn(&T) -> i32,
) -> Insight {
    for count in 0..=most {
        let chance = odds.chance_of(|end| number(end) == count);
        if chance != Fraction::zero() {
            insight = insight.chance(words(count), chance.to_string());
        }
    }
    insight
}

fn hits(count: i32) -> String {
    if count == 1 { "1 hit".into() } else { format!("{count} hits") }
}

fn lost(count: i32) -> String {
    if count == 0 { "no aircraft lost".into() } else { format!("{count} aircraft lost") }
}

impl FleetGame {
    /// The attack that is under way in a view.
    fn attack_seen(view: &View) -> Option<&Attack> {
        match &view.seen.phase {
            Phase::Actions(Stage::Air { attack, .. }) => Some(attack),
            _ => None,
        }
    }

    /// What a stand's attack on a vessel does, if nothing of it is shot down before.
    pub(in crate::game) fn hits_insight(
        &self,
        sea: &Sea,
        id: StandId,
        target: VesselId,
        guns: bool,
    ) -> Option<Insight> {
        let (flight, ship) = (&self.battle.flight(id).name, &self.battle.member(target).name);
        let rules = &self.battle.rules;
        if guns {
            let salvo = self.gun_attack(sea, id, target)?;
            let salvo = salvo.salvo(rules);
            let odds = salvo_odds(&salvo).ok()?;
            let insight = Insight::exact(format!("{flight} strafes {ship}, if no aircraft is lost before"));
            let failed = |end: &SalvoState| end.failed;
            return Some(numbers(insight, &odds, salvo.dice, |count| format!("{} not saved", hits(count)), failed));
        }
        let attack = self.air_attack(sea, id, target).filter(|attack| attack.check().is_ok())?;
        let salvo = attack.salvo(rules);
        let odds = salvo_odds(&salvo).ok()?;
        let insight = Insight::exact(format!("{flight} attacks {ship}, if no aircraft is lost before"));
        Some(numbers(insight, &odds, salvo.dice, hits, |end| end.hits))
    }

    /// What a declared attack of a fire plan can be expected to do.
    pub(in crate::game) fn act_insight(&self, view: &View, act: &Act) -> Option<Insight> {
        let Act::Attack(named) = act else { return None };
        let sea = &view.seen.sea;
        let id = self.battle.find_stand(named.as_str())?;
        match sea.stand(id).mission {
            Mission::Attack(target) => self.hits_insight(sea, id, target, false),
            Mission::Strafe(target) => self.hits_insight(sea, id, target, true),
            Mission::Intercept(other) => self.combat_insight(sea, Encounter::Intercept, id, other),
            _ => None,
        }
    }

    /// What the attacks of a flight sheet can be expected to do.
    pub(in crate::game) fn flight_insights(&self, view: &View, value: Option<&Value>) -> Vec<Insight> {
        let Phase::Aircraft(FlightStage::Fly(squadron)) = view.seen.phase else { return Vec::new() };
        let sea = &view.seen.sea;
        let sheet = FlightSheet { game: self, sea, squadron };
        let entries = read::<Vec<FlightEntry>>(value).unwrap_or_else(|| self.flight_instinct(&sheet));
        let Ok(plans) = sheet.read(&entries) else { return Vec::new() };
        let mut insights = Vec::new();
        for plan in plans {
            let (target, guns) = match plan.mission {
                Mission::Attack(target) => (target, false),
                Mission::Strafe(target) => (target, true),
                _ => continue,
            };
            let mut there = sea.clone();
            let stand = there.stand_mut(plan.stand);
            stand.at = crate::geometry::Place { x: plan.to.x, y: plan.to.y };
            stand.mission = plan.mission;
            insights.extend(self.hits_insight(&there, plan.stand, target, guns));
            let guard = Guard::new(self, &there, plan.stand, target);
            let all = guard.sheet(|battery| battery.factors);
            insights.extend(self.flak_odds(&guard, &all, "if every gun in reach fires at it"));
        }
        insights
    }

    /// What the volleys of a flak sheet do to a stand.
    fn flak_odds(&self, guard: &Guard<'_>, sheet: &FlakSheet, when: &str) -> Option<Insight> {
        let volleys = guard.read(sheet).ok().filter(|volleys| !volleys.is_empty())?;
        let (sea, id) = (guard.sea, guard.stand);
        let stand = sea.stand(id);
        let mut odds: Dist<(i32, i32)> = Dist::certain((stand.aircraft, stand.flak));
        for volley in volleys {
            odds = odds.then(|&(aircraft, flak)| self.after_volley(sea, id, volley, aircraft, flak)).ok()?;
        }
        let insight = Insight::exact(format!("{} under fire, {when}", self.battle.flight(id).name));
        Some(numbers(insight, &odds, stand.aircraft, lost, |(left, _)| stand.aircraft - left))
    }

    /// Aircraft left and flak markers after a volley.
    fn after_volley(
        &self,
        sea: &Sea,
        id: StandId,
        volley: Volley,
        aircraft: i32,
        flak: i32,
    ) -> Result<Dist<(i32, i32)>, OddsError> {
        if aircraft < 1 {
            return Ok(Dist::certain((0, flak)));
        }
        let mut shot = self.volley(sea, id, volley);
        (shot.target.aircraft, shot.target.flak) = (aircraft, flak);
        let odds = salvo_odds(&shot.salvo(&self.battle.rules))?;
        Ok(odds.map(|end| (aircraft - end.failed, flak + i32::from(end.hits > 0))))
    }

    /// What a flak sheet does, and what the attack does without it.
    pub(in crate::game) fn flak_insights(&self, view: &View, value: Option<&Value>) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let Some((id, target)) =
            Self::attack_seen(view).and_then(|attack| Some((attack.stand, self.raided(sea, attack.stand)?)))
        else {
            return Vec::new();
        };
        let guard = Guard::new(self, sea, id, target);
        let sheet = read::<FlakSheet>(value).unwrap_or_else(|| guard.sheet(|battery| battery.factors));
        let guns = matches!(sea.stand(id).mission, Mission::Strafe(_));
        let when = if value.is_some() { "with this fire" } else { "if every gun in reach fires at it" };
        self.flak_odds(&guard, &sheet, when).into_iter().chain(self.hits_insight(sea, id, target, guns)).collect()
    }

    /// What a combat between two stands costs each.
    fn combat_insight(&self, sea: &Sea, encounter: Encounter, by: StandId, at: StandId) -> Option<Insight> {
        let combat = AirCombat {
            encounter,
            return_fire: true,
            attacker: self.fighters(sea, by),
            defender: self.fighters(sea, at),
        };
        combat.check().ok()?;
        let rules = &self.battle.rules;
        let odds: Dist<(i32, i32)> = enumerate(Budget::default(), |ask| {
            let (first, second) = combat.fight(rules, ask)?;
            Ok((first.kills, second.kills))
        })
        .ok()?;
        let (attacker, defender) = (&self.battle.flight(by).name, &self.battle.flight(at).name);
        let insight = Insight::exact(format!("{attacker} fights {defender}"));
        let of = |name: &str, count: i32| format!("{name}: {}", lost(count));
        let insight = numbers(insight, &odds, sea.stand(at).aircraft, |count| of(defender, count), |(kills, _)| *kills);
        Some(numbers(insight, &odds, sea.stand(by).aircraft, |count| of(attacker, count), |(_, kills)| *kills))
    }

    /// What interceptors do.
    pub(in crate::game) fn pounce_insights(&self, view: &View, value: Option<&Value>) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let Some(attack) = Self::attack_seen(view) else { return Vec::new() };
        let pounce = Pounce::new(self, sea, attack.stand);
        let chosen = read::<Vec<Id>>(value).and_then(|ids| pounce.read(&ids).ok());
        let fighters = chosen.unwrap_or_else(|| pounce.fighters.clone());
        let fights = fighters.into_iter().take(8);
        fights.filter_map(|fighter| self.combat_insight(sea, Encounter::Intercept, fighter, attack.stand)).collect()
    }

    /// What escorts do.
    pub(in crate::game) fn cover_insights(&self, view: &View, value: Option<&Value>) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let Some(attack) = Self::attack_seen(view) else { return Vec::new() };
        let cover = Cover::new(self, sea, attack.stand);
        let pairs = read::<Vec<Pairing>>(value).unwrap_or_else(|| self.cover_instinct(&cover));
        let Ok(fights) = cover.read(&pairs) else { return Vec::new() };
        let fights = fights.into_iter().take(8);
        fights.filter_map(|(escort, enemy)| self.combat_insight(sea, Encounter::Dogfight, escort, enemy)).collect()
    }
}
