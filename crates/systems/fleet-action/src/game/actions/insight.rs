//! What a player may want to know before a squadron acts: every battery at every enemy, what one face more or less
//! does, what a hit and a critical may do. Everything is exact and from the view.

use super::act::Action;
use super::guns::Bearing;
use super::offers::{Offer, What};
use super::{FirePlan, Reply, Stage};
use crate::critical::{Critical, CriticalTable, Harm};
use crate::game::battle::{Battery, Hull};
use crate::game::state::{Group, MarkerId, Phase, Sea, SquadronId, VesselId};
use crate::game::{FleetGame, View};
use crate::hit::{Hit, Weapon};
use crate::volley::fraction;
use crate::words::*;
use flagplot_kernel::Insight;
use flagplot_odds::{Budget, Dist, Exact, Fraction, distribution, enumerate};
use serde_json::Value;

/// So many shots are listed.
const MOST_SHOTS: usize = 16;
/// So many shots of a list are looked at closely.
const MOST_CLOSE: usize = 4;

/// The work that one insight may cost.
pub(in crate::game) fn budget() -> Budget<'static> {
    Budget { branches: 400_000, states: 100_000, ..Budget::USUAL }
}

impl FleetGame {
    pub(in crate::game) fn action_insights(&self, view: &View, value: Option<&Value>) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let Phase::Actions(Stage::Ask(Group::Squadron(squadron))) = view.seen.phase else { return Vec::new() };
        let offers = self.offers(sea, squadron);
        let mut insights: Vec<Insight> = self.shots_at_all(sea, squadron, &offers).into_iter().collect();
        insights.extend(self.fire_table(sea, squadron, "Expected fire of each battery at each enemy"));
        let given = value.and_then(|value| serde_json::from_value::<Reply>(value.clone()).ok());
        let list = match given {
            Some(Reply::List(list)) => list,
            Some(Reply::End) => Vec::new(),
            None => FirePlan { game: self, sea, squadron, offers }.suggested(),
        };
        let shots = list.iter().filter_map(|action| match action {
            Action::Shoot(shoot) => self.read_shot(sea, squadron, shoot).ok(),
            _ => None,
        });
        for shot in shots.take(MOST_CLOSE) {
            insights.extend(self.close_look(sea, &shot.bearing, shot.battery, shot.guns, shot.control));
        }
        insights.extend(list.iter().take(MOST_CLOSE).filter_map(|action| match action {
            Action::Air(act) => self.act_insight(view, act),
            Action::Deep(act) => self.charge_insight(view, act),
            _ => None,
        }));
        insights
    }

    /// The chance of every battery at every enemy, the most valuable first.
    fn shots_at_all(&self, sea: &Sea, squadron: SquadronId, offers: &[Offer]) -> Option<Insight> {
        let mut shots: Vec<(i64, &Offer)> = offers
            .iter()
            .filter(|offer| matches!(offer.what, What::Guns { .. }))
            .map(|offer| (self.offer_value(sea, squadron, offer), offer))
            .collect();
        if shots.is_empty() {
            return None;
        }
        shots.sort_by_key(|(value, _)| -value);
        let mut insight = Insight::exact("Chance to hit of each battery");
        for (_, offer) in shots.into_iter().take(MOST_SHOTS) {
            let What::Guns { bearing, battery, guns, control } = offer.what else { continue };
            let (by, at) = (self.battle.member(bearing.shooter), self.battle.member(bearing.target));
            let Some(battery) = by.model.batteries.get(battery) else { continue };
            let aim = self.gun_aim(sea, &bearing, battery, guns, control);
            let label = format!("{}, {} at {}, {control}", by.name, battery.name, at.name);
            insight = insight.chance(label, fraction(aim.chance()));
        }
        Some(insight)
    }

    /// One shot: its modifiers' worth, what a hit costs, what a critical may do.
    fn close_look(&self, sea: &Sea, bearing: &Bearing, battery: &Battery, guns: i32, control: Control) -> Vec<Insight> {
        let (by, at) = (self.battle.member(bearing.shooter), self.battle.member(bearing.target));
        let aim = self.gun_aim(sea, bearing, battery, guns, control);
        let shifted = |by: i32| {
            let mut aim = aim.clone();
            aim.base -= by;
            fraction(aim.chance())
        };
        let mut insight = Insight::exact(format!("{}, {} at {}, {control}", by.name, battery.name, at.name))
            .chance("hits", fraction(aim.chance()))
            .chance("hits with 1 more", shifted(1))
            .chance("hits with 1 less", shifted(-1));
        for modifier in aim.modifiers.named() {
            let label = format!("hits without {} ({:+})", modifier.name, modifier.value);
            insight = insight.chance(label, shifted(-modifier.value));
        }
        if bearing.permission.guns == Leave::CrewTest {
            let tenths = self.crew_test_tenths(sea, bearing.shooter) as u64;
            insight = insight.chance("finds her target first", Fraction::new(tenths, 10_u64).to_string());
        }
        if at.model.hull == Hull::Boats {
            return vec![insight.line("A hit costs the stand a vessel unless it saves.")];
        }
        let weapon = self.shell(bearing, battery, guns);
        insight = insight.line(self.hit_line(sea, bearing.target, &weapon));
        let mut insights = vec![insight];
        insights.extend(self.hit_odds(sea, bearing.target, weapon));
        insights.extend(self.critical_odds(sea, bearing.target, &weapon));
        insights.extend(self.dangers(sea, bearing.target, weapon.cv));
        insights
    }

    fn hit_line(&self, sea: &Sea, on: VesselId, weapon: &Weapon) -> String {
        let sheet = self.sheet_at(sea, on);
        let hit = Hit { rules: &self.battle.rules, sheet: &sheet, weapon: *weapon };
        let damage = enumerate::<_, Exact>(budget(), |ask| {
            let mut striking = hit.begin(sea.vessel(on).now);
            hit.strike(&mut striking, ask)?;
            Ok((striking.damage, striking.penetrates))
        });
        let (damage, through) =
            damage.ok().and_then(|dist| dist.iter().next().map(|(it, _)| *it)).unwrap_or((0, false));
        let armour = if through { "goes through the armour" } else { "does not go through the armour" };
        let chances = match weapon.multiple {
            1 => "1 chance".to_owned(),
            chances => format!("{chances} chances"),
        };
        format!(
            "A hit {armour}, costs {damage} points and gives {chances} of a critical on {} or less with a d20.",
            weapon.cv
        )
    }

    /// How many criticals a hit brings, and whether the damage alone wrecks her.
    fn hit_odds(&self, sea: &Sea, on: VesselId, weapon: Weapon) -> Option<Insight> {
        let sheet = self.sheet_at(sea, on);
        let (ship, _) = self.as_today(sea, on);
        let hit = Hit { rules: &self.battle.rules, sheet: &sheet, weapon };
        let odds: Dist<(bool, i32)> = enumerate::<_, Exact>(budget(), |ask| {
            let mut striking = hit.begin(ship);
            hit.strike(&mut striking, ask)?;
            Ok((striking.ship.afloat(), striking.criticals))
        })
        .ok()?;
        let name = &self.battle.member(on).name;
        let mut insight = Insight::exact(format!("A hit on {name}"));
        for criticals in 0..=weapon.multiple {
            let chance = odds.chance_of(|(_, count)| *count == criticals).to_string();
            let label = if criticals == 1 { "1 critical".to_owned() } else { format!("{criticals} criticals") };
            insight = insight.chance(label, chance);
        }
        let lost = odds.chance_of(|(afloat, _)| !afloat).to_string();
        if lost != "0/1" {
            insight = insight.chance("the damage alone wrecks her", lost);
        }
        Some(insight)
    }

    /// What one critical does: sinks, slows, silences.
    pub(in crate::game) fn critical_odds(&self, sea: &Sea, on: VesselId, weapon: &Weapon) -> Option<Insight> {
        let sheet = self.sheet_at(sea, on);
        let (ship, _) = self.as_today(sea, on);
        let Weapon { cv, pen, direction, column, .. } = *weapon;
        let critical =
            Critical { rules: &self.battle.rules, sheet: &sheet, cv, pen, direction, fires_when_hit: ship.fires };
        let begin = critical.begin(ship, Harm::default(), CriticalTable::of(&sheet, direction, column));
        let odds = distribution::<_, Exact>(&critical, Dist::certain(begin), budget()).ok()?;
        let name = &self.battle.member(on).name;
        let chance =
            |holds: &dyn Fn(&crate::ship::Condition) -> bool| odds.chance_of(|state| holds(&state.ship)).to_string();
        let insight = Insight::exact(format!("One critical on {name}"))
            .chance("she is lost", chance(&|now| !now.afloat()))
            .chance("loses speed", chance(&|now| now.afloat() && now.speed < ship.speed))
            .chance("loses steering", chance(&|now| now.afloat() && now.sv < ship.sv))
            .chance("loses fire control", chance(&|now| now.afloat() && now.fc < ship.fc))
            .chance("loses a main mount", chance(&|now| now.afloat() && now.main_lost != ship.main_lost))
            .chance("catches fire", chance(&|now| now.afloat() && now.fires > ship.fires))
            .chance("nothing", chance(&|now| *now == ship));
        Some(insight)
    }

    /// The chance of each look that a contact can make.
    pub(in crate::game) fn contact_insights(&self, view: &View) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let Phase::Actions(Stage::Ask(Group::Marker(marker))) = view.seen.phase else { return Vec::new() };
        let mut insight = Insight::exact("Chance to spot");
        let contacts: Vec<MarkerId> = self.contacts(sea, sea.marker(marker).side.other()).collect();
        for contact in contacts {
            let Ok(look) = self.contact_look(sea, marker, contact) else { continue };
            let seen = enumerate::<_, Exact>(budget(), |ask| Ok(look.lookout.look(&self.battle.rules, ask)?.spotted));
            if let Ok(seen) = seen {
                insight = insight.chance(self.marker_name(contact), seen.chance(&true).to_string());
            }
        }
        if insight.chances.is_empty() { Vec::new() } else { vec![insight] }
    }
}
