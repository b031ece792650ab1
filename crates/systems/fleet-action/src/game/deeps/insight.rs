//! The odds of submarines and of those who hunt them, all of them exact. [15]

use super::act::{Act, depth};
use super::dive::{DiveEntry, DiveSheet};
use crate::game::state::{Level, Phase, VesselId};
use crate::game::{FleetGame, View};
use crate::words::*;
use flagplot_kernel::{Insight, Viewer};
use serde_json::Value;

impl FleetGame {
    /// How likely escorts are to find each submarine where a sheet brings her, if they stay where they are.
    pub(in crate::game) fn dive_insights(&self, view: &View, value: Option<&Value>) -> Vec<Insight> {
        let (Phase::Submarines(_), Viewer::Seat(seat)) = (&view.seen.phase, view.viewer) else { return Vec::new() };
        let sea = &view.seen.sea;
        let sheet = DiveSheet { game: self, sea, side: seat.side() };
        let entries: Option<Vec<DiveEntry>> = value.and_then(|value| serde_json::from_value(value.clone()).ok());
        let entries = entries.unwrap_or_else(|| self.dive_instinct(&sheet));
        let Ok(plans) = sheet.read(&entries) else { return Vec::new() };
        let mut insights = Vec::new();
        for plan in plans {
            let moved = sheet.moved(&plan);
            for shot in &plan.shots {
                insights.extend(self.launch_insight(&moved, shot));
            }
            let name = &self.battle.member(plan.submarine).name;
            let Some(depth) = depth(plan.level) else {
                insights.push(Insight::exact(format!("{name} on the surface")).line("Everybody sees her."));
                continue;
            };
            let mut insight =
                Insight::exact(format!("Chance that sonar finds {name}, if the hunters stay where they are"));
            for hunter in self.hunters(view, plan.submarine) {
                let range = self.range(&moved, hunter, plan.submarine);
                if range <= self.battle.rules.reach.sonar {
                    let search = self.sonar(&moved, hunter, range, depth, !plan.shots.is_empty());
                    let needed = self.battle.rules.needs.test_pass_d10 - search.modifiers().total();
                    let faces = (11 - needed).clamp(0, 10);
                    insight = insight.chance(&self.battle.member(hunter).name, format!("{faces}/10"));
                }
            }
            if insight.chances.is_empty() {
                insight = insight.line("No hunter is within reach of her sonar.");
            }
            insights.push(insight);
        }
        insights
    }

    /// The enemies of a submarine that have sonar.
    fn hunters<'a>(&'a self, view: &'a View, submarine: VesselId) -> impl Iterator<Item = VesselId> + 'a {
        let sea = &view.seen.sea;
        let side = self.battle.member(submarine).side;
        self.enemies(sea, side).filter(|id| sea.vessel(*id).now.asw > 0 && sea.vessel(*id).level == Level::Surfaced)
    }

    /// What depth charges of a fire plan can be expected to do.
    pub(in crate::game) fn charge_insight(&self, view: &View, act: &Act) -> Option<Insight> {
        let Act::DepthCharge(charges) = act else { return None };
        let sea = &view.seen.sea;
        let (ship, target) = (self.battle.find(charges.ship.as_str())?, self.battle.find(charges.target.as_str())?);
        let charging = self.charging(sea, ship, target)?;
        let salvo = charging.salvo(&self.battle.rules);
        let faces = (21 - salvo.aim.needed()).clamp(0, 20);
        let fails = (self.battle.rules.needs.test_pass_d10 - 1 - salvo.save_modifier()).clamp(0, 10);
        let (hunter, prey) = (&self.battle.member(ship).name, &self.battle.member(target).name);
        let at = match charging.depth {
            Depth::Periscope => "at periscope depth",
            Depth::Deep => "deep",
        };
        Some(
            Insight::exact(format!("{hunter} attacks {prey}, {at}, with {} depth charge dice", salvo.dice))
                .chance("each die hits", format!("{faces}/20"))
                .chance("each hit costs 3 Flotation", format!("{fails}/10")),
        )
    }
}
