//! What stays the same while a naval battle is fought: ships, groups, bases and air units by number.

use super::super::victory::Limits;
use crate::Rules;
use crate::air::{AirGroup, AirType};
use crate::air_defense::Defenses;
use crate::hits::LightShips;
use crate::nation::{Nation, Supply};
use crate::naval_data::{ShipKind, Speed};
use crate::scenarios::{NavalScenario, Squadrons};
use flagplot_kernel::{BySide, Side};

#[derive(Clone, Debug)]
pub(crate) struct ShipFacts {
    pub id: String,
    pub name: String,
    pub nation: Nation,
    pub kind: ShipKind,
    pub size: u32,
    pub speed: Speed,
    pub capacity: u32,
    pub side: Side,
    pub group: u8,
}

/// A combat group as the scenario has it.
#[derive(Clone, Debug)]
pub(crate) struct GroupFacts {
    pub id: String,
    pub name: String,
    pub side: Side,
    pub nation: Nation,
    pub from_round: u8,
    pub encumbered: bool,
    pub base: Defenses,
    pub lights: LightShips,
    /// Squadrons away, by round and number.
    pub away: Vec<(u8, u8)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Home {
    Group(u8),
    Base(u8),
}

/// Squadrons of one kind at one home at the start.
#[derive(Clone, Debug)]
pub(crate) struct WingFacts {
    pub home: Home,
    /// Which kind, by its place among the units.
    pub unit: u8,
    pub count: u8,
    pub from_round: u8,
}

#[derive(Clone, Debug)]
pub(crate) struct BaseFacts {
    pub id: String,
    pub name: String,
    pub side: Side,
}

/// Land-based cover over a group.
#[derive(Clone, Debug)]
pub(crate) struct CoverFacts {
    pub group: u8,
    pub air: AirGroup,
    pub from_round: u8,
}

/// All of a battle that does not change.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub ships: Vec<ShipFacts>,
    pub groups: Vec<GroupFacts>,
    pub bases: Vec<BaseFacts>,
    /// The kinds of squadrons, each once, with a count of 0.
    pub units: Vec<AirGroup>,
    pub wings: Vec<WingFacts>,
    pub covers: Vec<CoverFacts>,
    pub at_sea: BySide<bool>,
    pub search: BySide<i32>,
    pub limits: Limits,
    /// The invasion group, if the battle has one.
    pub invasion: Option<u8>,
}

/// An id as people read it: `task-force-17` is Task Force 17.
pub(crate) fn title(id: &str) -> String {
    let capital = |word: &str| -> String {
        let first = word.chars().take(1).flat_map(char::to_uppercase);
        first.chain(word.chars().skip(1)).collect()
    };
    id.split('-').map(capital).collect::<Vec<String>>().join(" ")
}

impl Facts {
    pub fn new(rules: &Rules, scenario: &NavalScenario) -> Self {
        let (mut ships, mut groups, mut wings, mut covers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut units: Vec<AirGroup> = Vec::new();
        let mut unit = |air: AirGroup| {
            let air = AirGroup { count: 0, ..air };
            units.iter().position(|known| *known == air).unwrap_or_else(|| {
                units.push(air);
                units.len() - 1
            }) as u8
        };
        for (at, group) in scenario.group.iter().enumerate() {
            let (at, side) = (at as u8, group.seat.side());
            for named in group.ships.iter().filter_map(|id| rules.ship(id)) {
                ships.push(ShipFacts {
                    id: named.id.clone(),
                    name: named.name.clone(),
                    nation: named.nation,
                    kind: named.kind,
                    size: named.size,
                    speed: named.speed,
                    capacity: named.capacity,
                    side,
                    group: at,
                });
            }
            let (cruisers, destroyers) = (group.cruisers, group.destroyers);
            let (cves, transports) = (group.cves, group.transports);
            groups.push(GroupFacts {
                id: group.id.clone(),
                name: title(&group.id),
                side,
                nation: group.nation,
                from_round: group.from_round as u8,
                encumbered: group.activity,
                base: group.base.unwrap_or_default(),
                lights: LightShips { cruisers, damaged_cruisers: 0, destroyers, cves, transports },
                away: group.committed.iter().map(|away| (away.round as u8, away.count as u8)).collect(),
            });
            if group.air > 0 {
                let (kind, elite) = (AirType::NavalAir, group.elite);
                let air = AirGroup { kind, elite, ..AirGroup::new(group.nation, 0) };
                let count = group.air as u8;
                wings.push(WingFacts { home: Home::Group(at), unit: unit(air), count, from_round: 1 });
            }
            covers.extend(group.cover.iter().map(|cover| CoverFacts {
                group: at,
                air: land_based(cover),
                from_round: cover.from_round as u8,
            }));
        }
        let mut bases = Vec::new();
        for (at, base) in scenario.base.iter().enumerate() {
            bases.push(BaseFacts { id: base.id.clone(), name: title(&base.id), side: base.seat.side() });
            for air in &base.air {
                let (count, from_round) = (air.count as u8, air.from_round as u8);
                wings.push(WingFacts { home: Home::Base(at as u8), unit: unit(land_based(air)), count, from_round });
            }
        }
        let victory = &scenario.victory;
        let invasion = victory.invasion_group.as_ref();
        let invasion = invasion.and_then(|id| scenario.group.iter().position(|group| group.id == *id));
        Self {
            ships,
            groups,
            bases,
            units,
            wings,
            covers,
            at_sea: scenario.at_sea.map_or(BySide { first: true, second: true }, |seats| seats.sides()),
            search: scenario.search.map_or(BySide::default(), |seats| seats.sides()),
            limits: Limits {
                attacker: scenario.attacker.side(),
                attacker_wins_at_least: victory.attacker_wins_at_least,
                defender_wins_at_most: victory.defender_wins_at_most,
            },
            invasion: invasion.map(|at| at as u8),
        }
    }

    /// Whose squadrons are at home there.
    pub fn side_of(&self, home: Home) -> Side {
        match home {
            Home::Group(at) => self.groups[usize::from(at)].side,
            Home::Base(at) => self.bases[usize::from(at)].side,
        }
    }

    pub fn home_name(&self, home: Home) -> &str {
        match home {
            Home::Group(at) => &self.groups[usize::from(at)].name,
            Home::Base(at) => &self.bases[usize::from(at)].name,
        }
    }

    pub fn home_id(&self, home: Home) -> &str {
        match home {
            Home::Group(at) => &self.groups[usize::from(at)].id,
            Home::Base(at) => &self.bases[usize::from(at)].id,
        }
    }

    /// A kind of squadron in words: `elite Japanese naval air`.
    pub fn unit_name(&self, unit: u8) -> String {
        air_name(&self.units[usize::from(unit)])
    }
}

pub(crate) fn air_name(air: &AirGroup) -> String {
    let elite = if air.elite { "elite " } else { "" };
    format!("{elite}{} {}", air.nation.adjective(), air.kind.word().replace('-', " "))
}

fn land_based(air: &Squadrons) -> AirGroup {
    AirGroup {
        nation: air.nation,
        count: air.count,
        kind: air.kind,
        elite: air.elite,
        winter_effect: 0,
        supply: Supply::default(),
    }
}
