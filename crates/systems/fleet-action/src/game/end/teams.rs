//! Damage control teams. [C-20, C-45]

use crate::end_phase::{DamageControl, Repair};
use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::harm::AWASH_KN;
use crate::game::state::{Sea, VesselId};
use crate::rule;
use crate::words::*;
use flagplot_kernel::{
    Ask, Asked, Candidate, Chance, Choice, Decision, Form, FormItem, FormSum, Note, Prompt, Refusal, Screen, Seat, Side,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something that teams can work on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Item {
    Fires,
    Repair(RepairItem),
}

/// The teams on each item of a ship.
pub type Shares = Vec<(Item, i32)>;

impl Item {
    /// Its name in answers.
    pub(super) fn word(self) -> &'static str {
        match self {
            Item::Fires => "fires",
            Item::Repair(item) => item.word(),
        }
    }

    pub(in crate::game) fn label(self) -> &'static str {
        match self {
            Item::Fires => "Fires",
            Item::Repair(RepairItem::Fc) => "Fire control",
            Item::Repair(RepairItem::Sv) => "Steering",
            Item::Repair(RepairItem::Speed) => "Engines",
            Item::Repair(RepairItem::Power) => "Power",
            Item::Repair(RepairItem::H) => "Flight deck",
        }
    }
}

impl FleetGame {
    /// What the teams of a ship can work on. [7.9, R-38]
    pub(in crate::game) fn items(&self, sea: &Sea, ship: VesselId) -> Vec<Item> {
        let (member, now) = (self.battle.member(ship), &sea.vessel(ship).now);
        let whole = &member.model.fresh;
        let towed = member.placed.as_ref().is_some_and(|placed| placed.towed);
        let repairs = [
            (RepairItem::Power, now.gear.power_failed),
            (RepairItem::Sv, now.sv < whole.sv),
            (RepairItem::Fc, now.fc < whole.fc),
            (RepairItem::Speed, now.speed < self.speed_limit(sea, ship) && !towed),
            (RepairItem::H, now.h < whole.h),
        ];
        let repairs = repairs.into_iter().filter(|(_, damaged)| *damaged).map(|(item, _)| Item::Repair(item));
        (now.fires > 0).then_some(Item::Fires).into_iter().chain(repairs).collect()
    }

    /// The most that repairs of the engines can give her. [C-20, C-23]
    fn speed_limit(&self, sea: &Sea, ship: VesselId) -> i32 {
        let whole = self.battle.model(ship).fresh.speed;
        if sea.vessel(ship).now.f == 0 { whole.min(AWASH_KN) } else { whole }
    }

    /// Ships of a side with fires or a repair, with what can be worked on.
    pub(super) fn under_control(&self, sea: &Sea, side: Side) -> Vec<(VesselId, Vec<Item>)> {
        let ships = sea.all().filter(|(id, vessel)| {
            self.battle.member(*id).side == side && vessel.in_play() && self.battle.model(*id).hull != Hull::Boats
        });
        let ships = ships.map(|(id, _)| (id, self.items(sea, id)));
        ships
            .filter(|(id, items)| !items.is_empty() && (items[0] == Item::Fires || sea.vessel(*id).now.dc > 0))
            .collect()
    }

    /// Asks a side for its teams; ships with one thing to do put all of them on it. [C-45]
    pub(super) fn share_teams(&self, sea: &Sea, side: Side, ask: &mut impl Ask) -> Asked<Vec<(VesselId, Shares)>> {
        let ships = self.under_control(sea, side);
        let chooses = |(id, items): &&(VesselId, Vec<Item>)| items.len() > 1 && sea.vessel(*id).now.dc > 0;
        let asked: Vec<(VesselId, Vec<Item>)> = ships.iter().filter(chooses).cloned().collect();
        let sheet = Teams { game: self, sea, side, ships: asked };
        let answer = if sheet.ships.is_empty() { BTreeMap::new() } else { ask.decide(&sheet)? };
        let shares = ships.into_iter().map(|(ship, items)| {
            let dc = sea.vessel(ship).now.dc;
            let alone = items.len() == 1;
            let teams = |item: Item| if alone { dc } else { answer.get(&sheet.key(ship, item)).copied().unwrap_or(0) };
            (ship, items.into_iter().map(|item| (item, teams(item))).collect())
        });
        Ok(shares.collect())
    }

    /// The teams of a ship at work. [7.9]
    pub(super) fn control_damage(
        &self,
        sea: &mut Sea,
        ship: VesselId,
        shares: &Shares,
        ask: &mut impl Ask,
    ) -> Asked<()> {
        if !sea.vessel(ship).in_play() {
            return Ok(());
        }
        let Some(work) = self.damage_control(sea, ship, shares) else { return Ok(()) };
        ask.note(|| {
            let member = self.battle.member(ship);
            Note::new("damage-control", format!("Damage control aboard {}", member.name))
                .by(&[rule::C_20, rule::C_45])
                .pieces([&member.id])
        });
        let done = work.work(&self.battle.rules, ask)?;
        let limit = self.speed_limit(sea, ship);
        let now = &mut sea.vessel_mut(ship).now;
        now.fires = done.fires;
        for item in done.items {
            match item {
                RepairItem::Fc => now.fc += 1,
                RepairItem::Sv => now.sv += 1,
                RepairItem::Speed => now.speed = limit.min(now.speed + done.speed_restored).max(now.speed),
                RepairItem::Power => now.gear.power_failed = false,
                RepairItem::H => now.h += 1,
            }
        }
        Ok(())
    }

    /// The work as the rules see it; none if there is neither a fire nor a team on a repair.
    pub(in crate::game) fn damage_control(&self, sea: &Sea, ship: VesselId, shares: &Shares) -> Option<DamageControl> {
        let now = &sea.vessel(ship).now;
        let repairs: Vec<Repair> = shares
            .iter()
            .filter_map(|(item, teams)| match item {
                Item::Repair(item) if *teams > 0 => Some(Repair { item: *item, teams: *teams }),
                _ => None,
            })
            .collect();
        if now.fires == 0 && repairs.is_empty() {
            return None;
        }
        Some(DamageControl {
            dc: now.dc,
            crew_quality: self.crew_quality(sea, ship),
            fires: now.fires,
            teams_on_fires: shares.iter().filter(|(item, _)| *item == Item::Fires).map(|(_, teams)| teams).sum(),
            repairs,
        })
    }
}

/// How does a side share out its teams?
pub(in crate::game) struct Teams<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub side: Side,
    /// Ships that have a choice, with what can be worked on.
    pub ships: Vec<(VesselId, Vec<Item>)>,
}

impl Teams<'_> {
    /// The name of an item in the answer.
    pub fn key(&self, ship: VesselId, item: Item) -> String {
        format!("{}.{}", self.game.battle.member(ship).id, item.word())
    }

    fn teams(&self, ship: VesselId) -> i32 {
        self.sea.vessel(ship).now.dc
    }

    fn sheet(&self, mut share: impl FnMut(VesselId, &[Item]) -> Vec<i32>) -> BTreeMap<String, i32> {
        let mut sheet = BTreeMap::new();
        for (ship, items) in &self.ships {
            let shares = share(*ship, items);
            sheet.extend(items.iter().zip(shares).map(|(item, teams)| (self.key(*ship, *item), teams)));
        }
        sheet
    }
}

impl Decision for Teams<'_> {
    type Value = BTreeMap<String, i32>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &BTreeMap<String, i32>) -> Result<(), Refusal> {
        let mut known: BTreeMap<String, VesselId> = BTreeMap::new();
        for (ship, items) in &self.ships {
            known.extend(items.iter().map(|item| (self.key(*ship, *item), *ship)));
        }
        let mut used: BTreeMap<VesselId, i64> = BTreeMap::new();
        for (key, teams) in value {
            let Some(ship) = known.get(key) else {
                let text = format!("'{}' is not on this sheet.", key.chars().take(60).collect::<String>());
                let keys: Vec<&str> = known.keys().map(String::as_str).collect();
                return Err(Refusal::new("unknown-item", text)
                    .by(rule::C_45)
                    .remedy(format!("Items: {}.", keys.join(", "))));
            };
            if *teams < 0 {
                let text = format!("{key} is {teams}; a number of teams is 0 or more.");
                return Err(Refusal::new("out-of-range", text).by(rule::C_45));
            }
            *used.entry(*ship).or_default() += i64::from(*teams);
        }
        for (ship, used) in used {
            let teams = self.teams(ship);
            if used > i64::from(teams) {
                let name = &self.game.battle.member(ship).name;
                let text = format!("{used} teams are assigned aboard {name}; she has {teams}.");
                return Err(Refusal::new("too-many-teams", text).by(rule::C_20));
            }
        }
        Ok(())
    }
}

impl Screen for Teams<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new("teams", "What do your damage control teams work on?", rule::C_45)
    }

    fn candidates(&self) -> Vec<Candidate<BTreeMap<String, i32>>> {
        let best = self.sheet(|ship, items| self.game.team_instinct(self.sea, ship, items));
        let fires = self.sheet(|ship, items| {
            items.iter().enumerate().map(|(at, _)| if at == 0 { self.teams(ship) } else { 0 }).collect()
        });
        let mut list = vec![Candidate::new(best, "Suggested teams")];
        if fires != list[0].value {
            list.push(Candidate::new(fires, "All teams on the first item of each ship"));
        }
        list
    }

    fn form(&self) -> Form {
        let (mut items, mut limits, mut sums, mut cells) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (ship, list) in &self.ships {
            let name = &self.game.battle.member(*ship).name;
            let teams = i64::from(self.teams(*ship));
            for item in list {
                let label = format!("{name}: {}", item.label());
                items.push(FormItem { id: self.key(*ship, *item), label, options: Vec::new() });
                limits.push((0, teams));
                cells.push((name.clone(), item.label().to_owned()));
            }
            let keys = list.iter().map(|item| self.key(*ship, *item)).collect();
            sums.push(FormSum { label: format!("Teams of {name}"), items: keys, min: 0, max: teams });
        }
        Form::Numbers { items, limits, total: None, sums, cells }
    }
}

impl Choice for Teams<'_> {
    fn sample(&self, chance: &mut Chance) -> BTreeMap<String, i32> {
        self.sheet(|ship, items| {
            let mut shares = vec![0; items.len()];
            for _ in 0..self.teams(ship) {
                if let Some(share) = shares.get_mut(chance.below(items.len().max(1) as u32) as usize) {
                    *share += 1;
                }
            }
            shares
        })
    }

    fn instinct(&self, _: &mut Chance) -> BTreeMap<String, i32> {
        self.sheet(|ship, items| self.game.team_instinct(self.sea, ship, items))
    }
}

impl FleetGame {
    /// Fires up to the band above theirs, then power, steering and fire control that are gone, then speed. [17.9]
    pub(in crate::game) fn team_instinct(&self, sea: &Sea, ship: VesselId, items: &[Item]) -> Vec<i32> {
        let now = &sea.vessel(ship).now;
        let rules = &self.battle.rules;
        let mut left = now.dc;
        let mut shares = vec![0; items.len()];
        let mut give = |wanted: &dyn Fn(Item) -> bool, most: i32, left: &mut i32| {
            if let Some(at) = items.iter().position(|item| wanted(*item)) {
                let teams = most.min(*left).max(0);
                shares[at] += teams;
                *left -= teams;
            }
        };
        // The smallest number of teams whose band is above that of the fires.
        let above = (1..=left).find(|teams| rules.band(*teams) > rules.band(now.fires)).unwrap_or(left);
        give(&|item| item == Item::Fires, above, &mut left);
        let urgent = [
            (RepairItem::Power, true),
            (RepairItem::Sv, now.sv == 0),
            (RepairItem::Fc, now.fc == 0),
            (RepairItem::Speed, true),
            (RepairItem::H, true),
            (RepairItem::Fc, true),
            (RepairItem::Sv, true),
        ];
        for (wanted, due) in urgent {
            if due && left > 0 {
                // A band of teams on each: three make the second.
                give(&|item| item == Item::Repair(wanted), 3, &mut left);
            }
        }
        if let (Some(first), true) = (shares.first_mut(), left > 0) {
            *first += left;
        }
        shares
    }
}
