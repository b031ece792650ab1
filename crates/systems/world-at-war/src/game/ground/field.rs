//! Who stands where, zones of control, stacking, multipliers, supply. [4.1]

use super::GroundGame;
use super::map::{HexAt, UnitAt, UnitInfo};
use super::set::Set;
use super::state::{Attack, GroundState, Unit};
use crate::ground::{AttackArm, Attacker, Defender, DefenseArm, Forces};
use crate::land_data::UnitKind;
use flagplot_kernel::Side;

impl GroundGame {
    #[inline]
    pub(crate) fn info(&self, unit: UnitAt) -> &UnitInfo {
        &self.units[usize::from(unit)]
    }

    pub(crate) fn find(&self, id: &str) -> Option<UnitAt> {
        self.units.iter().position(|info| info.id == id).map(|at| at as UnitAt)
    }

    /// The units of a side on the map, with their hexes.
    pub(crate) fn army<'a>(
        &'a self,
        state: &'a GroundState,
        side: Side,
    ) -> impl Iterator<Item = (UnitAt, &'a Unit, HexAt)> + Clone + 'a {
        let all = state.units.iter().zip(&self.units).enumerate();
        all.filter(move |(_, (_, info))| info.side == side)
            .filter_map(|(at, (unit, _))| unit.hex.map(|hex| (at as UnitAt, unit, hex)))
    }

    /// Both sides' units in a hex.
    pub(crate) fn stack<'a>(&'a self, state: &'a GroundState, hex: HexAt) -> impl Iterator<Item = UnitAt> + Clone + 'a {
        let all = state.units.iter().enumerate();
        all.filter(move |(_, unit)| unit.hex == Some(hex)).map(|(at, _)| at as UnitAt)
    }

    pub(crate) fn occupied(&self, state: &GroundState, side: Side) -> Set {
        self.army(state, side).map(|(_, _, hex)| hex).collect()
    }

    /// The hexes in a side's zones of control. Units in a hex do not cancel one. [C-7]
    pub(crate) fn zones(&self, state: &GroundState, side: Side) -> Set {
        let armor = self.army(state, side).filter(|(at, ..)| self.info(*at).zone);
        armor.fold(Set::default(), |zones, (_, _, hex)| zones.or(&self.map.zone[usize::from(hex)]))
    }

    pub(crate) fn stacking(&self) -> u32 {
        self.rules.terrain.stacking.ground_units_per_hex
    }

    /// Whether a hex has room for a unit that is not in it. [C-8]
    pub(crate) fn has_room(&self, state: &GroundState, hex: HexAt, unit: UnitAt) -> bool {
        let others = self.stack(state, hex).filter(|other| *other != unit).count();
        (others as u32) < self.stacking()
    }

    pub(crate) fn factors(&self, units: impl IntoIterator<Item = UnitAt>) -> u32 {
        units.into_iter().map(|unit| u32::from(self.info(unit).factors)).sum()
    }

    /// The defense multiplier of a unit, by its reasons. [C-5]
    pub(crate) fn multiplier_parts(
        &self,
        state: &GroundState,
        unit: UnitAt,
        hex: HexAt,
        river: bool,
    ) -> Vec<(&'static str, i32)> {
        let figures = &self.rules.terrain.defense_multiple;
        let still = matches!(self.info(unit).kind, UnitKind::Garrison | UnitKind::Partisan);
        let mut parts = vec![("basic", if still { figures.garrison } else { figures.basic })];
        let mut add = |why, value: i32| {
            if value != 0 {
                parts.push((why, value));
            }
        };
        if self.map.rough.contains(hex) {
            add("terrain", figures.terrain_bonus);
        }
        if river {
            add("river", figures.river_bonus);
        }
        add("fortification", i32::from(self.map.fortification[usize::from(hex)]) * figures.fortification_level);
        if state.unit(unit).isolated() {
            add("isolated", figures.isolated);
        }
        parts
    }

    /// Whether every attacker that is left attacks across a river.
    pub(crate) fn behind_river(&self, state: &GroundState, hex: HexAt, attackers: &Set) -> bool {
        let mut places = attackers.iter().filter_map(|unit| state.unit(unit).hex).peekable();
        places.peek().is_some() && places.all(|from| self.map.across_river(from, hex))
    }

    /// The same as a number, at least 1 and at most 5. [C-5]
    pub(crate) fn multiplier(&self, state: &GroundState, unit: UnitAt, hex: HexAt, river: bool) -> u32 {
        let figures = &self.rules.terrain.defense_multiple;
        let still = matches!(self.info(unit).kind, UnitKind::Garrison | UnitKind::Partisan);
        let mut sum = if still { figures.garrison } else { figures.basic };
        sum += if self.map.rough.contains(hex) { figures.terrain_bonus } else { 0 };
        sum += if river { figures.river_bonus } else { 0 };
        sum += i32::from(self.map.fortification[usize::from(hex)]) * figures.fortification_level;
        sum += if state.unit(unit).isolated() { figures.isolated } else { 0 };
        sum.clamp(figures.minimum, figures.maximum) as u32
    }

    /// The two sides of an attack as the table reads them: ground units in their order, air last.
    pub(crate) fn forces(&self, state: &GroundState, attack: &Attack) -> Forces {
        let alive = attack.units.iter().filter(|unit| state.unit(*unit).hex.is_some());
        let ground = |unit| Attacker { factors: u32::from(self.info(unit).factors), arm: AttackArm::Ground };
        let mut attackers: Vec<Attacker> = alive.map(ground).collect();
        let support = u32::from(attack.support) * self.rules.units.air.support_per_air_factor;
        if support > 0 {
            attackers.push(Attacker { factors: support, arm: AttackArm::Air });
        }
        let river = self.behind_river(state, attack.target, &attack.units);
        let stack = self.stack(state, attack.target);
        let mut defenders: Vec<Defender> = stack
            .map(|unit| Defender {
                factors: u32::from(self.info(unit).factors),
                arm: DefenseArm::Ground,
                dm: Some(self.multiplier(state, unit, attack.target, river)),
            })
            .collect();
        let das = u32::from(attack.das) * self.rules.units.air.support_per_air_factor;
        if das > 0 {
            defenders.push(Defender { factors: das, arm: DefenseArm::Air, dm: None });
        }
        Forces { attackers, defenders }
    }

    /// The hexes from which a side's units are supplied: those joined to one of its supply hexes by hexes it controls,
    /// free of enemies and of their zones of control unless its own units stand there. [C-9]
    pub(crate) fn supplied(&self, state: &GroundState, side: Side) -> Set {
        let open = self.open_to_supply(state, side);
        self.joined(open.and(&self.map.supply[side]), &open)
    }

    /// Whether isolated units of a side would be in supply again if it took a hex. [C-9]
    pub(crate) fn frees(&self, state: &GroundState, side: Side, hex: HexAt) -> bool {
        let isolated: Set = self.army(state, side).filter(|(_, unit, _)| unit.isolated()).map(|(.., at)| at).collect();
        if isolated.is_empty() {
            return false;
        }
        let mut taken = state.clone();
        for unit in self.stack(state, hex).filter(|unit| self.info(*unit).side != side) {
            taken.unit_mut(unit).hex = None;
        }
        taken.take(side, hex);
        let mut open = self.open_to_supply(&taken, side);
        // A unit that advances keeps the hex open in a zone of control.
        open.insert(hex);
        let supplied = self.joined(open.and(&self.map.supply[side]), &open);
        isolated.without(&self.supplied(state, side)).meets(&supplied)
    }

    fn open_to_supply(&self, state: &GroundState, side: Side) -> Set {
        let (own, enemy) = (self.occupied(state, side), self.occupied(state, side.other()));
        let held: Set = match side {
            Side::First => state.axis,
            Side::Second => self.all.without(&state.axis),
        };
        held.without(&enemy).without(&self.zones(state, side.other()).without(&own))
    }

    /// A shortest line of supply from a hex to a supply hex of its side, both included; of equal ones that of the
    /// lowest hex ids. [C-9]
    pub(crate) fn supply_line(&self, state: &GroundState, side: Side, from: HexAt) -> Option<Vec<HexAt>> {
        let open = self.open_to_supply(state, side);
        let goals = open.and(&self.map.supply[side]);
        let mut before: Vec<Option<HexAt>> = vec![None; self.map.ids.len()];
        let mut reached: Set = [from].into_iter().collect();
        let mut edge = reached;
        while !edge.meets(&goals) {
            let mut next = Set::default();
            for hex in edge.iter() {
                for to in self.map.links(hex).and(&open).without(&reached).without(&next).iter() {
                    before[usize::from(to)] = Some(hex);
                    next.insert(to);
                }
            }
            if next.is_empty() {
                return None;
            }
            reached = reached.or(&next);
            edge = next;
        }
        let mut line: Vec<HexAt> = edge.and(&goals).nth(0).into_iter().collect();
        while let Some(hex) = line.last().and_then(|hex| before[usize::from(*hex)]) {
            line.push(hex);
        }
        line.reverse();
        Some(line)
    }

    /// Everything in `open` that is joined to `start`.
    pub(crate) fn joined(&self, start: Set, open: &Set) -> Set {
        let (mut reached, mut edge) = (start, start);
        while !edge.is_empty() {
            let next = edge.iter().fold(Set::default(), |next, hex| next.or(self.map.links(hex)));
            edge = next.and(open).without(&reached);
            reached = reached.or(&edge);
        }
        reached
    }
}
