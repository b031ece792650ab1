//! The map and the units of a battle as the rules read them: what stays the same while it is played.

use super::set::Set;
use crate::Rules;
use crate::land_data::{Barrier, MovementCost, Terrain, UnitKind};
use crate::nation::Nation;
use crate::scenarios::{GroundScenario, HexId};
use flagplot_kernel::{BySide, Side};

/// A hex by its place in the order of hex ids.
pub type HexAt = u8;

/// A unit by its place in the scenario.
pub type UnitAt = u8;

/// Hexes in the order of their ids: column by column, from north to south.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub ids: Vec<HexId>,
    pub rows: i32,
    pub terrain: Vec<Terrain>,
    pub names: Vec<Option<String>>,
    /// What entering a hex costs, zones of control and rivers apart.
    pub cost: Vec<u8>,
    /// Hexes whose terrain raises the defense multiplier.
    pub rough: Set,
    pub fortification: Vec<u8>,
    /// The neighbours that ground units can go to, and into which they can attack.
    pub links: Vec<Set>,
    /// Those of them across a river.
    pub rivers: Vec<Set>,
    /// Into which hexes a zone of control reaches.
    pub zone: Vec<Set>,
    pub supply: BySide<Set>,
    /// Hexes under Axis control at the start.
    pub axis: Set,
    pub objectives: Vec<(HexAt, i64)>,
}

/// What is printed on a counter.
#[derive(Clone, Debug)]
pub(crate) struct UnitInfo {
    pub id: String,
    pub name: String,
    pub side: Side,
    pub nation: Nation,
    pub kind: UnitKind,
    pub factors: u8,
    pub movement: u8,
    pub armor: bool,
    /// Whether it exerts a zone of control. [C-7]
    pub zone: bool,
    pub ctl: i32,
    pub winter: i32,
    pub start: HexAt,
    /// Units of one class in one hex stand for each other. [C-31]
    pub class: u8,
}

fn entry_cost(terrain: Terrain, costs: &MovementCost) -> u32 {
    match terrain {
        Terrain::Clear | Terrain::Sea => costs.clear,
        Terrain::Forest => costs.forest,
        Terrain::Mountain => costs.mountain,
        Terrain::Swamp => costs.swamp,
        Terrain::Jungle => costs.jungle,
        Terrain::City | Terrain::ObjectiveCity => costs.city,
    }
}

impl Map {
    pub fn new(rules: &Rules, scenario: &GroundScenario) -> Self {
        let rows = scenario.map.len() as i32;
        let columns = scenario.map.first().map_or(0, |row| row.chars().count()) as i32;
        let ids: Vec<HexId> =
            (1..=columns).flat_map(|column| (1..=rows).map(move |row| HexId { column, row })).collect();
        let place = |hex: HexId| -> Option<HexAt> {
            let inside = (1..=columns).contains(&hex.column) && (1..=rows).contains(&hex.row);
            inside.then(|| ((hex.column - 1) * rows + hex.row - 1) as HexAt)
        };
        let line = |hex: &HexId| {
            let code = scenario.map[hex.row as usize - 1].chars().nth(hex.column as usize - 1).unwrap_or_default();
            rules.terrain.at(code).copied()
        };
        let lines: Vec<_> = ids.iter().filter_map(line).collect();
        let all = |hexes: &[HexId]| hexes.iter().filter_map(|hex| place(*hex)).collect::<Set>();
        let side = |sides: &[[HexId; 2]], one: HexId, other: HexId| {
            sides.iter().any(|pair| *pair == [one, other] || *pair == [other, one])
        };
        let near = |hex: HexId, keep: &dyn Fn(HexId) -> bool| -> Set {
            let land = |at: &HexAt| lines[usize::from(*at)].passable;
            hex.neighbours().into_iter().filter(|other| keep(*other)).filter_map(place).filter(land).collect()
        };
        let stops = |barrier| rules.terrain.zone_of_control.blocked_by.contains(&barrier);
        let walled = |one, other| side(&scenario.impassable, one, other);
        let level =
            |hex: &HexId| scenario.fortifications.iter().find(|(at, _)| at == hex).map_or(0, |(_, level)| *level);
        Map {
            rows,
            terrain: lines.iter().map(|line| line.id).collect(),
            names: ids.iter().map(|hex| scenario.names.get(&hex.to_string()).cloned()).collect(),
            cost: lines.iter().map(|line| entry_cost(line.id, &rules.terrain.movement_cost).min(99) as u8).collect(),
            rough: (0..lines.len() as u8).filter(|at| lines[usize::from(*at)].rough).collect(),
            fortification: ids.iter().map(|hex| level(hex) as u8).collect(),
            links: ids.iter().map(|hex| near(*hex, &|other| !walled(*hex, other))).collect(),
            rivers: ids.iter().map(|hex| near(*hex, &|other| side(&scenario.rivers, *hex, other))).collect(),
            zone: ids
                .iter()
                .map(|hex| near(*hex, &|other| !stops(Barrier::ImpassableHexside) || !walled(*hex, other)))
                .collect(),
            supply: BySide { first: all(&scenario.axis_supply), second: all(&scenario.allied_supply) },
            axis: all(&scenario.axis_hexes),
            objectives: scenario
                .victory
                .objectives
                .iter()
                .filter_map(|(hex, value)| Some((place(*hex)?, *value)))
                .collect(),
            ids,
        }
    }

    pub fn len(&self) -> u8 {
        self.ids.len() as u8
    }

    /// The place of a hex on this map; none if it is off the map.
    pub fn place(&self, hex: HexId) -> Option<HexAt> {
        let at = (hex.column - 1) * self.rows + hex.row - 1;
        let at = usize::try_from(at).ok()?;
        (self.ids.get(at) == Some(&hex)).then_some(at as HexAt)
    }

    pub fn id(&self, hex: HexAt) -> HexId {
        self.ids[usize::from(hex)]
    }

    #[inline]
    pub fn links(&self, hex: HexAt) -> &Set {
        &self.links[usize::from(hex)]
    }

    pub fn across_river(&self, from: HexAt, to: HexAt) -> bool {
        self.rivers[usize::from(from)].contains(to)
    }

    /// A hex in a sentence: `Sedan (0404)`, or `0404`.
    pub fn name(&self, hex: HexAt) -> String {
        let id = self.id(hex);
        self.names[usize::from(hex)].as_ref().map_or_else(|| id.to_string(), |name| format!("{name} ({id})"))
    }

    /// What an objective is worth; 0 for any other hex.
    pub fn worth(&self, hex: HexAt) -> i64 {
        self.objectives.iter().find(|(at, _)| *at == hex).map_or(0, |(_, value)| *value)
    }

    /// Whose it was at the start.
    pub fn began_with(&self, hex: HexAt) -> Side {
        if self.axis.contains(hex) { Side::First } else { Side::Second }
    }
}

pub(crate) fn kind_name(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::Infantry => "infantry",
        UnitKind::ShockInfantry => "shock infantry",
        UnitKind::CrackInfantry => "crack infantry",
        UnitKind::Armor => "armor",
        UnitKind::Garrison => "garrison",
        UnitKind::Partisan => "partisans",
    }
}

impl UnitInfo {
    /// All units of a scenario, in its order.
    pub fn all(rules: &Rules, scenario: &GroundScenario, map: &Map) -> Vec<UnitInfo> {
        let mut classes: Vec<(Nation, UnitKind)> = Vec::new();
        let mut units = Vec::new();
        for force in &scenario.forces {
            for (id, nation, kind, hex) in &force.units {
                let class = classes.iter().position(|known| *known == (*nation, *kind)).unwrap_or_else(|| {
                    classes.push((*nation, *kind));
                    classes.len() - 1
                });
                let values = rules.units.of(*nation, *kind);
                let level = |levels: &std::collections::BTreeMap<Nation, i32>| levels.get(nation).copied().unwrap_or(0);
                let plain = || format!("{} {} {id}", nation.adjective(), kind_name(*kind));
                units.push(UnitInfo {
                    id: id.clone(),
                    name: scenario.unit_names.get(id).cloned().unwrap_or_else(plain),
                    side: force.seat.side(),
                    nation: *nation,
                    kind: *kind,
                    factors: values.map_or(0, |values| values.factors) as u8,
                    movement: values.map_or(0, |values| values.movement) as u8,
                    armor: *kind == UnitKind::Armor,
                    zone: rules.terrain.zone_of_control.exerted_by.contains(kind),
                    ctl: level(&scenario.levels.ctl),
                    winter: level(&scenario.levels.winter_preparation),
                    start: map.place(*hex).unwrap_or(0),
                    class: class as u8,
                });
            }
        }
        units
    }

    /// What it is, in words.
    pub fn title(&self) -> String {
        format!("{} {}", self.nation.adjective(), kind_name(self.kind))
    }
}
