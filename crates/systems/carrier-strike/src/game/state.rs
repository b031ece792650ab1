//! What changes while a game is played.

pub use super::group::{Carrier, Form};
use super::piece::{Order, PieceId, SQUADRONS, SquadronId, Squads};
pub use super::squadron::{Class, Deck, Report, Squadron, Unseen, Where};
use crate::data::{Book, Geometry};
use crate::few::Few;
use crate::victory::Verdict;
use crate::walk::Course;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{BySide, Side};
use serde::{Deserialize, Serialize};

/// What an action in progress is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActKind {
    /// None is in progress.
    #[default]
    None,
    /// Squadrons move.
    Move,
    /// A squadron on its last fuel flies home.
    FlyHome,
    /// A strike flies to the carrier.
    Strike,
    /// A strike flies on.
    AfterStrike,
    /// A dogfight has been called for.
    Dogfight,
    /// The carriers move.
    MoveCv,
    /// A search alone.
    Detect,
}

/// What follows a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThenSearch {
    /// A path is chosen.
    Path,
    /// The carriers' move is chosen.
    CvTo,
    /// The dogfight, if something was found.
    Dogfight,
    /// Nothing.
    Done,
}

/// A search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Search {
    /// Who looks; none for the carrier group.
    pub by: Option<SquadronId>,
    /// For what.
    pub target: PieceId,
    /// And then.
    pub then: ThenSearch,
}

/// An action in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Act {
    /// What it is.
    pub kind: ActKind,
    /// The squadrons chosen for it, in their order.
    pub order: Order,
    /// Those still taking part.
    pub group: Squads,
    /// How far they may fly.
    pub allowance: i64,
    /// How far they have flown.
    pub flown: i64,
    /// Where their lead has come by.
    pub track: Vec<Point>,
    /// Where it came into contact.
    pub met_at: Few<Point, 6>,
    /// Where a flight home leads.
    pub home: Option<Point>,
    /// A search under way.
    pub search: Option<Search>,
    /// A search planned for the end.
    pub planned: Option<Search>,
    /// Groups in contact, still to be dealt with.
    pub contacts: Few<Squads, 6>,
    /// The group being met.
    pub enemy: Squads,
    /// Enemy squadrons already dealt with.
    pub met: Squads,
    /// Enemy groups that gave way.
    pub gave_way: Few<Squads, 6>,
    /// Whether contact has broken the path off.
    pub interrupted: bool,
    /// Squadrons still to be fired at where they stand.
    pub under_guns: Squads,
    /// Squadrons that have been fired at.
    pub fired_at: Squads,
    /// Squadrons that have struck.
    pub struck: Squads,
    /// Dice under a moved card, still to slide or stay.
    pub slides: Squads,
    /// The cards that moved.
    pub moved_cards: u8,
    /// Dice that were put on the table or moved.
    pub touched: Squads,
    /// Whether a die has left the table.
    pub lifted: bool,
}

/// What the last action left to be seen: the way its lead flew, and where it came into contact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trail {
    /// Who led it.
    pub lead: Option<SquadronId>,
    /// The points it came by.
    pub track: Vec<Point>,
    /// The points of contact.
    pub met_at: Few<Point, 6>,
}

impl Act {
    /// Nothing is in progress any more.
    pub fn clear(&mut self) {
        let Act {
            kind,
            order,
            group,
            allowance,
            flown,
            track,
            met_at,
            home,
            search,
            planned,
            contacts,
            enemy,
            met,
            gave_way,
            ..
        } = self;
        *kind = ActKind::None;
        order.clear();
        track.clear(); // Its room is used again.
        met_at.clear();
        contacts.clear();
        gave_way.clear();
        (*allowance, *flown) = (0, 0);
        (*home, *search, *planned) = (None, None, None);
        (*group, *enemy, *met) = (Squads::NONE, Squads::NONE, Squads::NONE);
        let Act { interrupted, under_guns, fired_at, struck, slides, moved_cards, touched, lifted, .. } = self;
        (*interrupted, *lifted, *moved_cards) = (false, false, 0);
        for set in [under_guns, fired_at, struck, slides, touched] {
            *set = Squads::NONE;
        }
    }
}

/// A dogfight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fight {
    /// The attacking fighters.
    pub attackers: Squads,
    /// The group attacked.
    pub defenders: Squads,
    /// Those that have broken off.
    pub broken: Squads,
    /// The step.
    pub step: u8,
    /// Whether the group attacked held strike or recce squadrons when the fight began.
    pub escorting: bool,
    /// Whether step 2 was fought.
    pub escorts_fought: bool,
    /// Combats still to be fought, the first side's squadrons first.
    pub combats: Few<(Squads, Squads), 6>,
    /// The combat being fought.
    pub current: Option<(Squads, Squads)>,
}

/// A flight in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Walk {
    /// Who flies.
    pub movers: Squads,
    /// Along what.
    pub course: Course,
    /// Whether it can meet the enemy.
    pub contact: bool,
    /// Whether guns fire at it.
    pub guns: bool,
    /// Whether it is the action's own path, not a line flown inside it.
    pub main: bool,
}

/// What follows when all lines are flown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThenLines {
    /// The dogfight begins.
    #[default]
    BeginFight,
    /// The dogfight goes on.
    FightOn,
    /// The next contact.
    Meet,
}

/// Where the game stands: what is asked next, or what the rules do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// A side lays its cards.
    Cards(Side),
    /// A side arms its squadrons.
    Roles(Side),
    /// A squadron that starts in the air is placed.
    Airborne(u8),
    /// The phasing side chooses an action.
    Choose,
    /// Both choose a detection number.
    Numbers,
    /// A path after a search.
    Path,
    /// The carriers' move after a search.
    CvTo,
    /// The rules walk.
    Walking,
    /// The rules fly the lines chosen.
    Lines,
    /// Guns fire at a squadron.
    Flak(SquadronId),
    /// The rules take up the next contact.
    Meet,
    /// The group met intercepts or gives way.
    Contact,
    /// Guns fire at who stands over them after a contact.
    AfterContact,
    /// The move goes on or stops.
    Resume,
    /// A dogfight begins.
    BeginFight,
    /// The rules find the next combat.
    FightOn,
    /// The attacking side pairs off.
    Match,
    /// Surplus squadrons of the other side join.
    Join,
    /// Which combat is next.
    NextCombat,
    /// A combat.
    Combat,
    /// The defenders move.
    Step3,
    /// Which squadron strikes next.
    StrikeNext,
    /// A strike.
    StrikeRun(SquadronId),
    /// The flight after a strike.
    AfterStrike,
    /// A die under a card slides or stays.
    Slide(SquadronId),
    /// The action ends.
    Finish,
    /// Housekeeping.
    Housekeeping,
    /// A crippled group sheds aircraft.
    Shed(Side),
    /// The next go.
    Next,
    /// The turn ends.
    EndTurn,
    /// It is over.
    Over,
}

/// Everything that changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// The turn, from 1.
    pub turn: u8,
    /// Who began it.
    pub start: Side,
    /// Whose go it is.
    pub phasing: Side,
    /// Who has passed.
    pub passed: BySide<bool>,
    /// Deck operations by side and turn.
    pub deck_operations: BySide<[u8; 12]>,
    /// Whether a carrier detected a carrier this turn.
    pub surface_contact: bool,
    /// The carrier groups.
    pub carriers: BySide<Carrier>,
    /// The squadrons.
    pub squadrons: [Squadron; SQUADRONS],
    /// Where the game stands.
    pub phase: Phase,
    /// The action in progress.
    pub act: Act,
    /// The dogfight in progress.
    pub fight: Fight,
    /// The flight in progress.
    pub walk: Option<Walk>,
    /// What the last action left to be seen.
    pub trail: Trail,
    /// Lines still to be flown.
    pub lines: Few<(Squads, Point), 8>,
    /// What follows them.
    pub then: ThenLines,
    /// Who has lost a carrier to ships.
    pub surface_losers: BySide<bool>,
    /// How it ended.
    pub verdict: Option<Verdict>,
}

impl std::ops::Index<SquadronId> for State {
    type Output = Squadron;
    fn index(&self, id: SquadronId) -> &Squadron {
        &self.squadrons[id.index()]
    }
}

impl std::ops::IndexMut<SquadronId> for State {
    fn index_mut(&mut self, id: SquadronId) -> &mut Squadron {
        &mut self.squadrons[id.index()]
    }
}

impl State {
    /// An action is over. What was flown in it stays in sight until the next one.
    pub fn end_action(&mut self) {
        if self.act.track.len() > 1 {
            self.trail.lead = self.act.order.first().copied();
            std::mem::swap(&mut self.trail.track, &mut self.act.track);
            self.trail.met_at = self.act.met_at;
        }
        self.act.clear();
    }

    /// A new action begins.
    pub fn begin_action(&mut self) {
        self.act.clear();
        if self.trail.lead.is_some() {
            self.trail.lead = None;
            self.trail.track.clear();
            self.trail.met_at.clear();
        }
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

    /// The squadrons of a side, in order.
    #[inline]
    #[must_use]
    pub fn of(&self, side: Side) -> &[Squadron; 6] {
        let (first, second) = self.squadrons.split_at(6);
        let six = if side == Side::First { first } else { second };
        six.first_chunk().expect("each side has six places")
    }

    /// The dice of a side on the table.
    #[inline]
    #[must_use]
    pub fn up(&self, side: Side) -> Squads {
        self.pick(side, Squadron::up)
    }

    /// Where squadrons are, in order.
    #[must_use]
    pub fn positions(&self, set: Squads) -> Few<Point, SQUADRONS> {
        set.iter().map(|id| self[id].pos).collect()
    }

    /// The whole group of a squadron. [Squadrons and groups]
    #[must_use]
    pub fn group_of(&self, geometry: &Geometry, id: SquadronId) -> Squads {
        self.component(geometry, Squads::one(id), self.up(id.side()))
    }

    /// What is connected with some squadrons within a set.
    #[must_use]
    pub fn component(&self, geometry: &Geometry, from: Squads, within: Squads) -> Squads {
        let mut group = from;
        let mut rest = within.without(from);
        let mut fresh = from;
        // Each round looks only from those found in the last.
        while !fresh.is_empty() && !rest.is_empty() {
            let mut next = Squads::NONE;
            for member in fresh.iter() {
                for id in rest.iter() {
                    if geometry.touch(self[member].pos, self[id].pos) {
                        next.put(id);
                    }
                }
            }
            group = group.and(next);
            rest = rest.without(next);
            fresh = next;
        }
        group
    }

    /// The groups of a side, those with the lowest ids first.
    #[must_use]
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
    #[must_use]
    pub fn nearest(&self, one: Squads, other: Squads) -> Option<i64> {
        one.iter().flat_map(|a| other.iter().map(move |b| (a, b))).map(|(a, b)| self[a].pos.dist2(self[b].pos)).min()
    }

    /// Whether two sets are within some lengths of each other.
    #[must_use]
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
    #[must_use]
    pub fn to_home(&self, book: &Book, id: SquadronId) -> Option<i64> {
        self.carriers[id.side()].real_card().map(|card| book.geometry.to_card(self[id].pos, card))
    }

    /// Aircraft of combat squadrons, and scouts, aboard.
    #[must_use]
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

    /// Who else.
    #[must_use]
    pub fn other(&self) -> Side {
        self.phasing.other()
    }
}
