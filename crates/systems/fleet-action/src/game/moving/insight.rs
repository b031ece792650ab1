//! What is worth knowing before orders and launches. Everything is from the view.

use super::Stage;
use super::orders::{Entry, Orders, Plan};
use super::torpedoes::{Declaration, Shot, TorpedoSheet};
use crate::game::state::{AimPoint, Phase, Sea, SquadronId, VesselId};
use crate::game::{FleetGame, View};
use crate::volley::{SalvoState, fraction};
use crate::words::*;
use flagplot_kernel::Insight;
use flagplot_odds::{Budget, Dist, Exact, Fraction, distribution};
use serde::Deserialize;
use serde_json::Value;

/// A chance in tenths as a fraction.
fn tenths(chance: i64) -> String {
    Fraction::new(chance.clamp(0, 10) as u64, 10_u64).to_string()
}

impl FleetGame {
    /// Hit chances of both sides now, or after the orders given.
    pub(in crate::game) fn order_insights(&self, view: &View, value: Option<&Value>) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let Some((squadron, only)) = self.ordered_now(&view.seen.phase) else { return Vec::new() };
        let orders = Orders { game: self, sea, squadron, only };
        let ships = orders.ships();
        let entries = value.map(Vec::<Entry>::deserialize);
        let plans: Vec<Plan> = match entries {
            Some(Ok(entries)) => entries.iter().filter_map(|entry| orders.plan(&ships, entry)).collect(),
            Some(Err(_)) => return Vec::new(),
            None => Vec::new(),
        };
        let mut after = sea.clone();
        for plan in &plans {
            let end = self.end(sea, plan);
            let ship = after.vessel_mut(plan.vessel);
            (ship.at, ship.speed) = (end, plan.speed);
        }
        let title = if value.is_some() {
            "Best hit chances after this move, if the enemy stays where it is"
        } else {
            "Best hit chances where the ships are now"
        };
        let mut insights = vec![self.hit_chances(&after, squadron, title)];
        insights.extend(self.fire_table(&after, squadron, "Expected fire from there"));
        insights.extend(self.range_curves(&after, squadron));
        let steering = self.steering_insight(sea, &plans);
        insights.extend((!steering.chances.is_empty()).then_some(steering));
        insights
    }

    /// The squadron, or the one ship of it, that gets orders now.
    fn ordered_now(&self, phase: &Phase) -> Option<(SquadronId, Option<VesselId>)> {
        match phase {
            Phase::Ships(Stage::Orders(squadron)) => Some((*squadron, None)),
            Phase::Ships(Stage::Run { squadron, left, .. }) => match left.first()? {
                super::Task::Ordered(plan) => Some((*squadron, Some(plan.vessel))),
                _ => None,
            },
            _ => None,
        }
    }

    pub(in crate::game) fn hit_chances(&self, sea: &Sea, squadron: SquadronId, title: &str) -> Insight {
        let squad = self.battle.squad(squadron);
        let mut insight = Insight::exact(title);
        for ship in self.afloat(sea, squadron) {
            for enemy in self.enemies(sea, squad.side) {
                let (own, other) = (&self.battle.member(ship).name, &self.battle.member(enemy).name);
                let test = |from: VesselId, to: VesselId| {
                    let due = self.bearing(sea, from, to).permission.guns == Leave::CrewTest;
                    if due { " (after a Crew Test)" } else { "" }
                };
                if let Some(chance) = self.best_chance(sea, ship, enemy).filter(|chance| *chance > 0) {
                    insight = insight.chance(format!("{own} at {other}{}", test(ship, enemy)), fraction(chance));
                }
                if let Some(chance) = self.best_chance(sea, enemy, ship).filter(|chance| *chance > 0) {
                    insight = insight.chance(format!("{other} at {own}{}", test(enemy, ship)), fraction(chance));
                }
            }
        }
        if insight.chances.is_empty() {
            return insight.line("No gun of either side can fire at such ranges.");
        }
        insight
    }

    fn steering_insight(&self, sea: &Sea, plans: &[Plan]) -> Insight {
        let turning = plans.iter().filter(|plan| plan.turns() && sea.vessel(plan.vessel).now.sv == 0);
        turning.fold(Insight::exact("Chance that she answers her helm"), |insight, plan| {
            let name = &self.battle.member(plan.vessel).name;
            insight.chance(name, tenths(self.crew_test_tenths(sea, plan.vessel)))
        })
    }

    /// Hits of torpedoes: of the launches declared, or of everything that bears at each enemy.
    pub(in crate::game) fn torpedo_insights(&self, view: &View, value: Option<&Value>) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let Phase::Ships(Stage::Torpedoes(squadron)) = view.seen.phase else { return Vec::new() };
        let sheet = TorpedoSheet { game: self, sea, squadron };
        let declared: Vec<Declaration> = match value.map(Vec::<Declaration>::deserialize) {
            Some(Ok(declared)) => declared,
            Some(Err(_)) => return Vec::new(),
            None => sheet.ships().into_iter().flat_map(|ship| self.fan(&sheet, ship)).collect(),
        };
        let shots = declared.iter().filter_map(|declared| sheet.read(declared).ok());
        shots.take(24).filter_map(|shot| self.launch_insight(sea, &shot)).collect()
    }

    /// What a ship can launch: at each enemy, and in a wide spread where each is expected, at every setting.
    fn fan(&self, sheet: &TorpedoSheet<'_>, ship: VesselId) -> Vec<Declaration> {
        let side = self.battle.member(ship).side;
        let settings = 0..self.settings(ship).len();
        let targets = self.enemies(sheet.sea, side).flat_map(|target| {
            let there = self.expected_position(sheet.sea, target).at.point();
            let each = settings.clone().map(move |at| (target, there, at));
            each.collect::<Vec<_>>()
        });
        targets.flat_map(|(target, there, at)| [sheet.aimed(ship, target, at), sheet.spread(ship, there, at)]).collect()
    }

    /// How many torpedoes of a wide spread hit which ships, if all keep their courses.
    fn spread_insight(&self, sea: &Sea, shot: &Shot) -> Option<Insight> {
        let by = &self.battle.member(shot.by).name;
        let knots = self.settings(shot.by).get(usize::from(shot.aim.setting))?.speed_kn;
        let meets = self.spread_meets(sea, shot);
        let names: Vec<&str> = meets.iter().map(|(id, _)| self.battle.member(*id).name.as_str()).collect();
        if names.is_empty() {
            let insight = Insight::exact(format!("Wide spread of {by}, {knots} knots"));
            return Some(insight.line("No ship is expected in that area."));
        }
        let title = format!("Wide spread of {by} at {}, {knots} knots, if all keep course and speed", names.join(", "));
        let mut insight = Insight::exact(title);
        if shot.leave == Leave::CrewTest {
            insight = insight.chance("passes her Crew Test", tenths(self.crew_test_tenths(sea, shot.by)));
        }
        for (target, dice) in meets {
            let name = &self.battle.member(target).name;
            let Some(spread) = self.spread_on(sea, shot, target).filter(|spread| !spread.out_of_range()) else {
                insight = insight.line(format!("They run out before they reach {name}."));
                continue;
            };
            let mut salvo = spread.salvo(&self.battle.rules);
            salvo.dice = dice;
            let start = Dist::<SalvoState, Exact>::certain(SalvoState::default());
            let odds = distribution(&salvo, start, Budget::default()).ok()?;
            insight = insight.chance(format!("hits {name}"), odds.chance_of(|end| end.hits > 0).to_string());
        }
        Some(insight)
    }

    /// How many torpedoes of a launch hit, if the target keeps her course.
    pub(in crate::game) fn launch_insight(&self, sea: &Sea, shot: &Shot) -> Option<Insight> {
        let AimPoint::Vessel(target) = shot.aim.at else { return self.spread_insight(sea, shot) };
        let spread = self.spread_on(sea, shot, target)?;
        let (by, at) = (&self.battle.member(shot.by).name, &self.battle.member(target).name);
        let knots = self.settings(shot.by).get(usize::from(shot.aim.setting))?.speed_kn;
        let mut insight =
            Insight::exact(format!("Torpedoes of {by} at {at}, {knots} knots, if she keeps course and speed"));
        if shot.leave == Leave::CrewTest {
            insight = insight.chance("identifies her target", tenths(self.crew_test_tenths(sea, shot.by)));
        }
        if spread.out_of_range() {
            return Some(insight.line(format!("They run out before they reach {at}.")));
        }
        let salvo = spread.salvo(&self.battle.rules);
        let start = Dist::<SalvoState, Exact>::certain(SalvoState::default());
        let odds = distribution(&salvo, start, Budget::default()).ok()?;
        for hits in 0..=salvo.dice {
            let chance = odds.chance_of(|end| end.hits == hits);
            if chance != Fraction::zero() {
                let label = if hits == 1 { "1 hit".to_owned() } else { format!("{hits} hits") };
                insight = insight.chance(label, chance.to_string());
            }
        }
        Some(insight)
    }
}
