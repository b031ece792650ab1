//! What changes while a naval battle is fought. Everything is open but the tasks of squadrons. [6.1, C-24]

use super::NavalGame;
use super::facts::{Home, ShipFacts};
use crate::air::AirGroup;
use crate::air_defense::Defenses;
use crate::hits::{LightShips, ShipState};
use crate::nation::Nation;
use crate::naval::{LightGroup, LightTarget, ShipTarget, Target};
use crate::naval_data::{ShipKind, Speed};
use flagplot_kernel::{BySide, Side};
use serde::{Deserialize, Serialize};

/// A battle with its secrets.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NavalState {
    pub open: Open,
    /// What the squadrons of each wing do this round; the owner's secret until it shows. [C-24]
    pub tasks: Vec<Task>,
}

/// All of a battle that every seat sees. A secret has no place here.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Open {
    pub round: u8,
    pub phase: Phase,
    pub ships: Vec<Condition>,
    pub groups: Vec<Group>,
    pub wings: Vec<Wing>,
    /// Squadrons of land-based cover, by their place in the scenario.
    pub covers: Vec<u8>,
    pub sight: BySide<Sight>,
    /// How far the launches of the round have come.
    pub launches: u8,
    pub flights: Vec<Flight>,
    /// The pairs of groups that fight on the surface this round: the attacker's, the defender's.
    pub engaged: Vec<(u8, u8)>,
    pub fire: Vec<Fire>,
    /// Naval factors of light ships sunk.
    pub light_sunk: BySide<u16>,
    pub squadrons_lost: BySide<u16>,
    /// Cruisers and destroyers picked for a free battle. [C-36]
    pub picked: BySide<(u8, u8)>,
    /// What the squadrons did in the round before: side, home, CAP, strike, reserve. [C-24]
    pub shown: Vec<ShownTask>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Both seats pick their ships. [C-36]
    Pick,
    Arrivals,
    Merge(Side),
    Tasking,
    Search,
    Launch,
    /// The first flight in line is dealt with.
    Strike(Stage),
    Recovery,
    Engage(Side),
    /// A side's group is engaged by an enemy group and may evade.
    Evade {
        by: Side,
        own: u8,
        enemy: u8,
    },
    /// Fire orders of an engaged pair.
    Orders(u8),
    /// An attack of an engaged pair.
    Shot {
        pair: u8,
        at: u8,
    },
    /// The effects of a pair's fire.
    Effects(u8),
    Withdraw(Side),
    RoundEnd,
    Over,
}

/// How far a strike has come. [6.2]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The strike arrives, and CAP over the group shows itself.
    Arrive,
    Cap,
    Guns,
    Targets,
    Attack(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    Sound,
    Damaged,
    Sunk,
    /// Not picked for a free battle.
    Absent,
}

impl Condition {
    #[inline]
    pub fn afloat(self) -> bool {
        matches!(self, Condition::Sound | Condition::Damaged)
    }

    #[inline]
    pub fn state(self) -> ShipState {
        match self {
            Condition::Sound => ShipState::Unharmed,
            Condition::Damaged => ShipState::Damaged,
            Condition::Sunk | Condition::Absent => ShipState::Sunk,
        }
    }
}

impl From<ShipState> for Condition {
    fn from(state: ShipState) -> Self {
        match state {
            ShipState::Unharmed => Condition::Sound,
            ShipState::Damaged => Condition::Damaged,
            ShipState::Sunk => Condition::Sunk,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Still to come.
    Coming,
    Here,
    Withdrawn,
    /// Part of another group. [C-32]
    Merged(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Group {
    pub status: Status,
    pub lights: LightShips,
    /// Whose light ships they are, by most of their factors.
    pub nation: Nation,
    pub encumbered: bool,
}

/// Squadrons of one kind at one home. Those without a task and not counted here are in reserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wing {
    pub home: Home,
    pub unit: u8,
    /// Squadrons not eliminated.
    pub count: u8,
    /// Away for the round.
    pub away: u8,
    /// Aborted in the round before, so in reserve in this one.
    pub tired: u8,
    /// Launched and still on the way.
    pub flying: u8,
    /// Launched and driven off.
    pub aborted: u8,
    /// Whether its CAP has shown itself.
    pub cap_shown: bool,
}

/// What the squadrons of a wing do; the rest is reserve. [6.2]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Task {
    pub cap: u8,
    pub strike: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ShownTask {
    pub home: Home,
    pub unit: u8,
    pub cap: u8,
    pub strike: u8,
    pub reserve: u8,
}

/// What a side got out of the search of this round. [C-12]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sight {
    /// Whether search aircraft are out: squadrons in reserve or held at a base.
    pub search_air: Option<bool>,
    pub total: i8,
    /// Enemy groups found, one bit each.
    pub found: u32,
    pub surprise: u8,
}

/// Squadrons on their way to an enemy group. [6.2]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Flight {
    pub side: Side,
    pub target: u8,
    /// Wings with the squadrons still on the way, in scenario order, groups before bases.
    pub force: Vec<(u8, u8)>,
    /// The targets with their squadrons, in the order chosen.
    pub aims: Vec<(Mark, u8)>,
}

impl Flight {
    pub fn squadrons(&self) -> u32 {
        self.force.iter().map(|(_, count)| u32::from(*count)).sum()
    }
}

/// What is attacked in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    Ship(u8),
    Light,
}

/// Which ships fire together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gun {
    Ship(u8),
    Cruisers,
    Destroyers,
}

/// All fire of a side on one target. [C-20]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fire {
    pub side: Side,
    pub target: Mark,
    pub guns: Vec<Gun>,
    pub hits: u8,
}

impl Open {
    #[inline]
    pub fn here(&self, group: u8) -> bool {
        self.groups[usize::from(group)].status == Status::Here
    }

    /// The group a scenario group has become part of, or itself.
    #[inline]
    pub fn joined(&self, mut group: u8) -> u8 {
        while let Status::Merged(into) = self.groups[usize::from(group)].status {
            group = into;
        }
        group
    }
}

impl NavalGame {
    pub(crate) fn ship(&self, at: u8) -> &ShipFacts {
        &self.facts.ships[usize::from(at)]
    }

    pub(crate) fn side_of_group(&self, group: u8) -> Side {
        self.facts.groups[usize::from(group)].side
    }

    pub(crate) fn group_name(&self, group: u8) -> &str {
        &self.facts.groups[usize::from(group)].name
    }

    /// The named ships of a group that float.
    #[inline]
    pub(crate) fn afloat<'a>(&'a self, open: &'a Open, group: u8) -> impl Iterator<Item = (u8, &'a ShipFacts)> + 'a {
        self.facts.ships.iter().enumerate().filter_map(move |(at, ship)| {
            let there = open.ships[at].afloat() && (ship.group == group || open.joined(ship.group) == group);
            there.then_some((at as u8, ship))
        })
    }

    /// Naval factors of a group, damaged ships included.
    pub(crate) fn naval_factors(&self, open: &Open, group: u8) -> u32 {
        let named: u32 = self.afloat(open, group).map(|(_, ship)| ship.size).sum();
        named + open.groups[usize::from(group)].lights.factors()
    }

    /// Whether a group is in the battle with a ship afloat.
    pub(crate) fn present(&self, open: &Open, group: u8) -> bool {
        open.here(group)
            && (!open.groups[usize::from(group)].lights.is_empty() || self.afloat(open, group).next().is_some())
    }

    /// The groups of a side that are in the battle.
    pub(crate) fn present_of<'a>(&'a self, open: &'a Open, side: Side) -> impl Iterator<Item = u8> + 'a {
        (0..self.facts.groups.len() as u8)
            .filter(move |&group| self.side_of_group(group) == side && self.present(open, group))
    }

    /// Whether a side has a group in the battle or still to come. [6.2]
    pub(crate) fn fights(&self, open: &Open, side: Side) -> bool {
        self.present_of(open, side).next().is_some()
            || self.facts.groups.iter().zip(&open.groups).any(|(facts, group)| {
                facts.side == side && group.status == Status::Coming && facts.from_round > open.round
            })
    }

    /// Whether a named ship can fire. [C-11]
    #[inline]
    pub(crate) fn fires(&self, open: &Open, ship: u8) -> bool {
        let damaged = self.rules.naval.damage.damaged_ship_fires;
        let state = open.ships[usize::from(ship)];
        !self.ship(ship).kind.is_carrier() && (state == Condition::Sound || (damaged && state == Condition::Damaged))
    }

    /// Cruisers that can fire. [C-11]
    pub(crate) fn firing_cruisers(&self, lights: &LightShips) -> u32 {
        lights.cruisers + if self.rules.naval.damage.damaged_ship_fires { lights.damaged_cruisers } else { 0 }
    }

    /// Fleet factors of a group. [6.1]
    pub(crate) fn fleet_factors(&self, open: &Open, group: u8) -> u32 {
        let lights = &open.groups[usize::from(group)].lights;
        let named = self.afloat(open, group).filter(|(at, _)| self.fires(open, *at));
        named.map(|(_, ship)| ship.size).sum::<u32>() + 2 * self.firing_cruisers(lights) + lights.destroyers
    }

    /// Whether carriers, escort carriers and transports of a group cannot be fired on. [C-14]
    pub(crate) fn screened(&self, open: &Open, group: u8) -> bool {
        let lights = &open.groups[usize::from(group)].lights;
        let carriers = self.afloat(open, group).filter(|(_, ship)| ship.kind.is_carrier());
        let soft = carriers.map(|(_, ship)| ship.size).sum::<u32>() + lights.cves + lights.transports;
        soft > 0 && self.fleet_factors(open, group) >= soft * self.rules.naval.screen.ratio
    }

    /// Whether all ships of a group are fast. [6.1]
    pub(crate) fn fast(&self, open: &Open, group: u8) -> bool {
        let lights = &open.groups[usize::from(group)].lights;
        let sound = |at: u8| open.ships[usize::from(at)] == Condition::Sound;
        lights.damaged_cruisers + lights.cves + lights.transports == 0
            && self.afloat(open, group).all(|(at, ship)| sound(at) && ship.speed == Speed::Fast)
    }

    /// Squadrons that the sound carriers of a group can carry. [C-15]
    pub(crate) fn capacity(&self, open: &Open, group: u8) -> u32 {
        let operates = self.rules.naval.damage.damaged_carrier_operates_air;
        let carriers = self.afloat(open, group);
        let sound = carriers.filter(|(at, _)| operates || open.ships[usize::from(*at)] == Condition::Sound);
        sound.map(|(_, ship)| ship.capacity).sum()
    }

    /// What shoots at a strike on a group. [23.42, R-35]
    pub(crate) fn defenses(&self, open: &Open, group: u8) -> Defenses {
        let side = self.side_of_group(group);
        let lights = &open.groups[usize::from(group)].lights;
        let mut all = Defenses {
            naval_factors: 2 * (lights.cruisers + lights.damaged_cruisers) + lights.destroyers,
            cves: lights.cves,
            ..Defenses::default()
        };
        for (_, ship) in self.afloat(open, group) {
            all.naval_factors += ship.size;
            all.five_factor_battleships += u32::from(crate::naval::Firers::is_five_factor(ship.kind, ship.size));
            all.cvbs += u32::from(ship.kind == ShipKind::Cvb);
        }
        if !self.facts.at_sea[side] {
            let parts = (0..self.facts.groups.len() as u8).filter(|&part| open.joined(part) == group);
            for part in parts {
                let base = &self.facts.groups[usize::from(part)].base;
                all.naval_factors += base.naval_factors;
                all.cves += base.cves;
                all.research_results += base.research_results;
                all.flak += base.flak;
                all.airbases += base.airbases;
                all.objectives += base.objectives;
                all.anchors += base.anchors;
                all.cities += base.cities;
                all.ports += base.ports;
                all.fortifications += base.fortifications;
                all.fortresses += base.fortresses;
                all.five_factor_battleships += base.five_factor_battleships;
                all.cvbs += base.cvbs;
            }
        }
        all
    }

    /// A target as the charts want it; light ships without those behind a screen.
    pub(crate) fn target(&self, open: &Open, group: u8, mark: Mark, screened: bool) -> Target {
        match mark {
            Mark::Ship(at) => {
                let ship = self.ship(at);
                Target::Ship(ShipTarget {
                    kind: ship.kind,
                    nation: ship.nation,
                    size: ship.size,
                    damaged: open.ships[usize::from(at)] == Condition::Damaged,
                    supply: Default::default(),
                })
            }
            Mark::Light => {
                let Group { lights, nation, .. } = open.groups[usize::from(group)];
                let ships = if screened { LightShips { cves: 0, transports: 0, ..lights } } else { lights };
                let group = LightGroup { nation, ships, one_factor_order: Vec::new() };
                Target::Light(LightTarget { group, supply: Default::default() })
            }
        }
    }

    /// Everything in a group that can be attacked from the air: named ships, then the light group.
    pub(crate) fn marks(&self, open: &Open, group: u8) -> Vec<Mark> {
        let mut marks: Vec<Mark> = self.afloat(open, group).map(|(at, _)| Mark::Ship(at)).collect();
        if !open.groups[usize::from(group)].lights.is_empty() {
            marks.push(Mark::Light);
        }
        marks
    }

    pub(crate) fn mark_name(&self, mark: Mark) -> &str {
        match mark {
            Mark::Ship(at) => &self.ship(at).name,
            Mark::Light => "the light ships",
        }
    }

    pub(crate) fn mark_id(&self, mark: Mark) -> &str {
        match mark {
            Mark::Ship(at) => &self.ship(at).id,
            Mark::Light => "light",
        }
    }

    pub(crate) fn gun_name(&self, gun: Gun) -> &str {
        match gun {
            Gun::Ship(at) => &self.ship(at).name,
            Gun::Cruisers => "the cruisers",
            Gun::Destroyers => "the destroyers",
        }
    }

    pub(crate) fn gun_id(&self, gun: Gun) -> &str {
        match gun {
            Gun::Ship(at) => &self.ship(at).id,
            Gun::Cruisers => "cruisers",
            Gun::Destroyers => "destroyers",
        }
    }

    /// Whether the squadrons of a wing take part in the battle this round.
    pub(crate) fn operates(&self, open: &Open, wing: &Wing) -> bool {
        wing.count > 0
            && match wing.home {
                Home::Group(group) => open.here(group),
                Home::Base(_) => true,
            }
    }

    /// The wings of a side that take part, by their place.
    pub(crate) fn wings_of<'a>(&'a self, open: &'a Open, side: Side) -> impl Iterator<Item = (u8, &'a Wing)> + 'a {
        let all = open.wings.iter().enumerate().map(|(at, wing)| (at as u8, wing));
        all.filter(move |(_, wing)| self.facts.side_of(wing.home) == side && self.operates(open, wing))
    }

    /// The wings at a home that take part.
    pub(crate) fn wings_at<'a>(&'a self, open: &'a Open, home: Home) -> impl Iterator<Item = (u8, &'a Wing)> + 'a {
        self.wings_of(open, self.facts.side_of(home)).filter(move |(_, wing)| wing.home == home)
    }

    /// A wing's id in forms: its home's, with its kind where a home has several.
    pub(crate) fn wing_id(&self, open: &Open, at: u8) -> String {
        let wing = &open.wings[usize::from(at)];
        let id = self.facts.home_id(wing.home);
        let alone = open.wings.iter().filter(|other| other.home == wing.home && other.count > 0).count() <= 1;
        if alone { id.to_owned() } else { format!("{id}.{}", wing.unit) }
    }

    pub(crate) fn wing_name(&self, open: &Open, at: u8) -> String {
        let wing = &open.wings[usize::from(at)];
        let name = self.facts.home_name(wing.home);
        let alone = open.wings.iter().filter(|other| other.home == wing.home && other.count > 0).count() <= 1;
        if alone { name.to_owned() } else { format!("{name} ({})", self.facts.unit_name(wing.unit)) }
    }

    /// So many squadrons of a wing as the charts want them.
    pub(crate) fn squadrons(&self, open: &Open, wing: u8, count: u8) -> AirGroup {
        let unit = open.wings[usize::from(wing)].unit;
        AirGroup { count: u32::from(count), ..self.facts.units[usize::from(unit)] }
    }

    /// The cover that flies over a group in this round, by its place in the scenario.
    pub(crate) fn covers<'a>(&'a self, open: &'a Open, group: u8) -> impl Iterator<Item = (usize, AirGroup)> + 'a {
        self.facts.covers.iter().enumerate().filter_map(move |(at, cover)| {
            let count = u32::from(open.covers[at]);
            let flies = count > 0 && cover.from_round <= open.round && open.joined(cover.group) == group;
            flies.then_some((at, AirGroup { count, ..cover.air }))
        })
    }
}

impl Wing {
    /// Squadrons that can be given a task: neither away nor aborted in the round before.
    #[inline]
    pub fn free(&self) -> u8 {
        self.count.saturating_sub(self.away).saturating_sub(self.tired)
    }

    /// Squadrons aboard or ashore, with this task: neither away nor in the air.
    #[inline]
    pub fn aboard(&self, cap: u8) -> u8 {
        self.count.saturating_sub(self.away + self.flying + self.aborted + cap)
    }

    /// Squadrons in reserve, with these tasks.
    #[inline]
    pub fn reserve(&self, task: Task) -> u8 {
        self.aboard(task.cap).saturating_sub(task.strike)
    }
}
