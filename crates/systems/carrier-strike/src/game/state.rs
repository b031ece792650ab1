//! What changes while a game is played.

pub use super::group::{Carrier, Form};
use super::piece::{Order, SQUADRONS, SquadronId, Squads};
use super::process::Underway;
pub use super::squadron::{Class, Deck, Report, Squadron, Unseen, Where};
use crate::data::{Geometry, Rules};
use crate::few::Few;
use crate::victory::Verdict;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{BySide, Side};
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// What the action under way has done so far, whatever kind of action it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ActionRecord {
    /// The squadrons that act, the lead first. They are marked when the action is complete.
    pub squadrons: Order,
    /// Dice that were put on the table or moved.
    pub moved: Squads,
    /// Whether a die has left the table.
    pub lifted: bool,
    /// The cards that moved: 1 for a, 2 for b.
    pub moved_cards: u8,
    /// Squadrons that have come over enemy guns and have not been fired at yet.
    pub over_guns: Squads,
    /// Squadrons that have been fired at, once each.
    pub fired_at: Squads,
}

/// The way the lead of an action has flown: the one under way, or else the last one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trail {
    pub lead: Option<SquadronId>,
    pub track: Vec<Point>,
    pub met_at: Few<Point, 6>,
}

impl Trail {
    pub fn clear(&mut self) {
        self.lead = None;
        self.track.clear(); // Keeps its memory for the next action.
        self.met_at.clear();
    }

    pub fn pass(&mut self, point: Point) {
        if self.track.last() != Some(&point) {
            self.track.push(point);
        }
    }
}

/// What the game waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Cards(Side),
    Roles(Side),
    /// A squadron that starts in the air is placed.
    Airborne(u8),
    /// The phasing side chooses an action.
    Choose,
    /// An action has been chosen and is not over yet.
    Action(Underway),
    /// A crippled group sheds aircraft.
    Shed(Side),
    Over,
}

/// The table with everything on it and behind the screens: all that changes, but for the action under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Table {
    /// The turn, from 1.
    pub turn: u8,
    pub start: Side,
    /// Whose go it is.
    pub phasing: Side,
    pub passed: BySide<bool>,
    /// Deck operations by side and turn.
    pub deck_operations: BySide<[u8; 12]>,
    /// Whether a carrier detected a carrier this turn.
    pub surface_contact: bool,
    pub carriers: BySide<Carrier>,
    pub squadrons: [Squadron; SQUADRONS],
    pub action: ActionRecord,
    pub trail: Trail,
    /// Who has lost a carrier to ships.
    pub surface_losers: BySide<bool>,
    pub verdict: Option<Verdict>,
}

/// Everything that changes. It stands for its table wherever only that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    pub table: Table,
    pub phase: Phase,
}

impl Deref for State {
    type Target = Table;
    fn deref(&self) -> &Table {
        &self.table
    }
}

impl DerefMut for State {
    fn deref_mut(&mut self) -> &mut Table {
        &mut self.table
    }
}

impl Index<SquadronId> for Table {
    type Output = Squadron;
    fn index(&self, id: SquadronId) -> &Squadron {
        &self.squadrons[id.index()]
    }
}

impl IndexMut<SquadronId> for Table {
    fn index_mut(&mut self, id: SquadronId) -> &mut Squadron {
        &mut self.squadrons[id.index()]
    }
}

impl Table {
    /// A new action begins, and what the last one left to be seen goes.
    pub fn begin_action(&mut self, squadrons: Order) {
        self.action = ActionRecord { squadrons, ..ActionRecord::default() };
        self.trail.clear();
    }

    /// The action is over. What was flown in it stays in sight until the next one.
    pub fn end_action(&mut self) {
        self.action = ActionRecord::default();
        if self.trail.track.len() < 2 {
            self.trail.clear();
        }
    }

    /// The squadrons of the action have acted.
    pub fn mark_acted(&mut self) {
        for id in &self.action.squadrons {
            self.squadrons[id.index()].acted = true;
        }
    }

    /// Those of a set whose dice are on the table.
    #[inline]
    pub fn in_the_air(&self, set: Squads) -> Squads {
        set.kept(|id| self[id].up())
    }

    /// The squadrons of the action that belong to a set, the lead first.
    pub fn in_order(&self, set: Squads) -> Order {
        self.action.squadrons.iter().copied().filter(|id| set.has(*id)).collect()
    }

    /// The fighters of a group that is met that can intercept: with fuel, marked or not.
    pub fn interceptors(&self, met: Squads) -> Squads {
        met.kept(|id| self[id].role == Some(Role::Fighter) && self[id].rl >= 2)
    }

    /// The squadrons of a side that `f` picks.
    #[inline]
    pub fn pick(&self, side: Side, f: impl Fn(&Squadron) -> bool) -> Squads {
        let mut set = 0;
        for (at, squadron) in self.of(side).iter().enumerate() {
            set |= u16::from(f(squadron)) << at;
        }
        Squads(set << (6 * side.index()))
    }

    #[inline]
    pub fn of(&self, side: Side) -> &[Squadron; 6] {
        let (first, second) = self.squadrons.split_at(6);
        let six = if side == Side::First { first } else { second };
        six.first_chunk().expect("each side has six places")
    }

    /// The dice of a side on the table.
    #[inline]
    pub fn up(&self, side: Side) -> Squads {
        self.pick(side, Squadron::up)
    }

    pub fn positions(&self, set: Squads) -> Few<Point, SQUADRONS> {
        set.iter().map(|id| self[id].pos).collect()
    }

    /// The whole group of a squadron. [Squadrons and groups]
    pub fn group_of(&self, geometry: &Geometry, id: SquadronId) -> Squads {
        self.component(geometry, Squads::one(id), self.up(id.side()))
    }

    /// What is connected with some squadrons within a set.
    pub fn component(&self, geometry: &Geometry, from: Squads, within: Squads) -> Squads {
        let mut group = from;
        let mut rest = within.without(from);
        let mut fresh = from;
        // Each round looks only from those found in the last.
        while !fresh.is_empty() && !rest.is_empty() {
            let mut next = Squads::NONE;
            for member in fresh.iter() {
                let from = self[member].pos;
                next = next.and(rest.kept(|id| geometry.touch(from, self[id].pos)));
            }
            group = group.and(next);
            rest = rest.without(next);
            fresh = next;
        }
        group
    }

    /// The groups of a side, those with the lowest ids first.
    pub fn groups(&self, geometry: &Geometry, side: Side) -> Few<Squads, 6> {
        let mut rest = self.up(side);
        let mut groups = Few::default();
        while let Some(first) = rest.first() {
            let group = self.component(geometry, Squads::one(first), rest);
            rest = rest.without(group);
            groups.push(group);
        }
        groups
    }

    /// The square of the least distance between two sets; none if one is empty.
    pub fn nearest(&self, one: Squads, other: Squads) -> Option<i64> {
        one.iter().flat_map(|a| other.iter().map(move |b| (a, b))).map(|(a, b)| self[a].pos.dist2(self[b].pos)).min()
    }

    /// Whether two sets are within some lengths of each other.
    pub fn within(&self, geometry: &Geometry, one: Squads, other: Squads, lengths: i64) -> bool {
        let reach = geometry.centres(lengths);
        for a in one.iter() {
            let from = self[a].pos;
            for b in other.iter() {
                if from.dist2(self[b].pos) <= reach * reach {
                    return true;
                }
            }
        }
        false
    }

    /// The distance of a die to its own real card.
    pub fn to_home(&self, rules: &Rules, id: SquadronId) -> Option<i64> {
        self.carriers[id.side()].real_card().map(|card| rules.geometry.to_card(self[id].pos, card))
    }

    /// Aircraft of combat squadrons, and scouts, aboard.
    pub fn load(&self, side: Side) -> (u8, u8) {
        let mut load = (0, 0);
        for id in SquadronId::of(side).filter(|id| self[*id].aboard()) {
            if id.is_recce() {
                load.1 += 1;
            } else {
                load.0 += self[id].strength;
            }
        }
        load
    }

    /// What each squadron of a set loses when a policy shares out so many hits.
    pub fn shared_out(
        &self,
        set: Squads,
        hits: u8,
        policy: fn(&mut [u8], u8),
    ) -> impl Iterator<Item = (SquadronId, u8)> + '_ {
        let mut left: Few<u8, 6> = set.iter().map(|id| self[id].strength).collect();
        policy(&mut left, hits);
        set.iter().enumerate().map(move |(at, id)| (id, self[id].strength - left[at]))
    }

    pub fn other(&self) -> Side {
        self.phasing.other()
    }
}
