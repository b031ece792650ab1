//! What a player may want to know before the teams go to work: fires, repairs, Wreck Tests, morale. Exact, from the
//! view.

use super::teams::{Item, Shares};
use crate::end_phase::Repaired;
use crate::game::actions::budget;
use crate::game::state::{Phase, Sea, VesselId};
use crate::game::{FleetGame, View};
use crate::morale;
use crate::ship_tests::{Sinking, WreckCause};
use crate::words::{FireFighting, Status};
use flagplot_kernel::Insight;
use flagplot_odds::{Dist, Exact, enumerate};
use serde_json::Value;
use std::collections::BTreeMap;

impl FleetGame {
    pub(in crate::game) fn team_insights(&self, view: &View, value: Option<&Value>) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let Phase::End(super::Stage::Teams(side)) = view.seen.phase else { return Vec::new() };
        let given: Option<BTreeMap<String, i32>> = value.and_then(|value| serde_json::from_value(value.clone()).ok());
        let mut insights = Vec::new();
        for (ship, items) in self.under_control(sea, side) {
            let dc = sea.vessel(ship).now.dc;
            let suggested = self.team_instinct(sea, ship, &items);
            let id = &self.battle.member(ship).id;
            let share = |at: usize, item: Item| match &given {
                _ if items.len() == 1 => dc,
                Some(given) => given.get(&format!("{id}.{}", item.word())).copied().unwrap_or(0),
                None => suggested.get(at).copied().unwrap_or(0),
            };
            let shares: Shares = items.iter().enumerate().map(|(at, item)| (*item, share(at, *item))).collect();
            if shares.iter().all(|(_, teams)| (0..=dc).contains(teams)) {
                insights.extend(self.work_odds(sea, ship, &shares));
            }
            insights.extend(self.danger_odds(sea, ship));
            let enemies = self.enemies(sea, side).flat_map(|enemy| &self.battle.model(enemy).batteries);
            let heaviest = enemies.map(|battery| battery.gun.cv).max().unwrap_or(0);
            insights.extend(self.dangers(sea, ship, heaviest));
        }
        insights
    }

    /// What the teams of a ship may achieve.
    fn work_odds(&self, sea: &Sea, ship: VesselId, shares: &Shares) -> Option<Insight> {
        let work = self.damage_control(sea, ship, shares)?;
        let odds: Dist<Repaired> = enumerate::<_, Exact>(budget(), |ask| work.work(&self.battle.rules, ask)).ok()?;
        let words: Vec<String> =
            shares.iter().map(|(item, teams)| format!("{}: {teams}", item.label().to_lowercase())).collect();
        let name = &self.battle.member(ship).name;
        let mut insight = Insight::exact(format!("Damage control aboard {name} ({})", words.join(", ")));
        if work.fires > 0 {
            let won = odds.chance_of(|done| done.fire_fighting == FireFighting::Won).to_string();
            let out = odds.chance_of(|done| done.fires == 0).to_string();
            insight = insight.chance("the fires shrink", won).chance("the fires are out", out);
        }
        for repair in &work.repairs {
            let done = odds.chance_of(|done| done.items.contains(&repair.item)).to_string();
            insight = insight.chance(format!("{} repaired", Item::Repair(repair.item).label().to_lowercase()), done);
        }
        Some(insight)
    }

    /// The next Wreck Test and the morale tests that are due at the end of this phase.
    fn danger_odds(&self, sea: &Sea, ship: VesselId) -> Option<Insight> {
        let sheet = self.sheet_at(sea, ship);
        let (now, _) = self.as_today(sea, ship);
        let rules = &self.battle.rules;
        let burning = rules.band(now.fires);
        let last = if sheet.is_air_base() { now.s } else { now.s + now.f };
        let (structure, flotation, nerve) = self.ship_decline(sea, ship);
        let causes = enumerate::<_, Exact>(budget(), |ask| {
            Ok(morale::ship(rules, structure, flotation, nerve, now.fires, ask)?.failures)
        })
        .ok()?;
        let mut insight = Insight::exact(format!("Dangers of {}", self.battle.member(ship).name));
        if burning > 0 && burning >= last {
            let sinking = Sinking::of(&sheet, &now);
            let test = enumerate::<_, Exact>(budget(), |ask| {
                Ok(sinking.wreck_test(rules, WreckCause::Damage, ask)? == Status::Afloat)
            })
            .ok()?;
            insight = insight.chance("she survives the Wreck Test if she burns on", test.chance(&true).to_string());
        }
        let holds = causes.chance(&0).to_string();
        if holds != "1/1" {
            insight = insight.chance("her crew holds", holds);
        }
        if insight.chances.is_empty() { None } else { Some(insight) }
    }
}
