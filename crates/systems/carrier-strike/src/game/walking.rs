//! Squadrons on their way: what a walk meets, and the straight lines flown inside an action.

use super::CarrierGame;
use super::piece::{SquadronId, Squads};
use super::process::Process;
use super::state::Table;
use crate::few::Few;
use crate::geometry::LENGTH;
use crate::walk::{Course, Hazards, Stop, Waypoints, near_cards, stride, walk_steps};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Flow, Side};
use serde::{Deserialize, Serialize};

/// What kind of flight a walk is, which says what can happen on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WalkKind {
    /// A path of squadrons that move: contact and guns.
    Path,
    /// A path of squadrons that strike, to the card or away from it: contact only.
    Strike,
    /// Standing where a move was stopped: guns only.
    Stop,
    /// A straight line inside an action: guns only.
    Line,
}

/// Squadrons that fly together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Walk {
    pub kind: WalkKind,
    pub movers: Squads,
    pub course: Course,
}

pub(super) enum Pause {
    /// Guns fire at a squadron.
    Flak(SquadronId),
    /// These groups are met.
    Contact(Few<Squads, 6>),
    End,
}

/// Enemies that a walk treats apart from all others.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<'a> {
    /// Squadrons already dealt with in this action.
    pub met: Squads,
    /// Groups that gave way and may not be approached again.
    pub gave_way: &'a [Squads],
}

impl Walk {
    /// Walks to the next pause. [Move a squadron]
    pub(super) fn go_on(&mut self, game: &CarrierGame, table: &mut Table, known: Known, ask: &mut impl Ask) -> Pause {
        loop {
            // A squadron that came over the guns at a contact is fired at after it, if it still stands there:
            // a line flown inside the contact comes first.
            if (self.kind != WalkKind::Line || self.course.flown > 0)
                && let Some(id) = game.next_under_guns(table, self.movers, ask)
            {
                return Pause::Flak(id);
            }
            let movers: Few<SquadronId, 6> = table.in_the_air(self.movers).iter().collect();
            let Some(side) = movers.first().map(|id| id.side()) else { return Pause::End };
            let mut at: Few<Point, 6> = movers.iter().map(|id| table[*id].pos).collect();
            let passed = self.course.passed();
            let mut met = Few::default();
            let mut stop = Stop { ended: true, ..Stop::default() };
            let (near_dice, near_cards) = self.what_is_near(game, table, &at, side.other());
            if near_dice || near_cards {
                let known = near_dice.then_some(known);
                let Some(happened) = self.walk_past(game, table, &movers, &mut at, known, &mut met, ask) else {
                    continue;
                };
                stop = happened;
            } else {
                self.course.walk_out(&mut at);
            }
            if self.kind != WalkKind::Line {
                self.course.track().skip(passed).for_each(|point| table.trail.pass(point));
            }
            for (id, point) in movers.iter().zip(&at) {
                table[*id].pos = *point;
                table.action.moved.put(*id);
            }
            if stop.near != [0; 2] {
                game.look_at_cards(table, self.movers, ask);
            }
            for (n, id) in movers.iter().enumerate() {
                if stop.entered & (1 << n) != 0 {
                    table.action.over_guns.put(*id);
                }
            }
            if stop.contact != 0 {
                table.trail.met_at.push(self.course.lead);
                return Pause::Contact(met);
            }
            if stop.ended {
                if self.kind != WalkKind::Strike && self.course.flown > 0 {
                    game.stand_over_guns(table, self.movers);
                }
                if table.action.over_guns.shared(self.movers).is_empty() {
                    return Pause::End;
                }
            }
        }
    }

    /// Whether an enemy die or an enemy card is anywhere near the path at all, so that it is worth looking closer.
    fn what_is_near(&self, game: &CarrierGame, table: &Table, movers: &[Point], enemy: Side) -> (bool, bool) {
        const ROUNDING: i64 = 2;
        let geometry = &game.rules.geometry;
        let (low, high) = self.course.bounds(movers);
        let near = |at: Point, wide: Point| {
            low.x - wide.x <= at.x && at.x <= high.x + wide.x && low.y - wide.y <= at.y && at.y <= high.y + wide.y
        };
        let contact = geometry.centres(1) + ROUNDING;
        let dice = matches!(self.kind, WalkKind::Path | WalkKind::Strike)
            && table.of(enemy).iter().any(|squadron| squadron.up() && near(squadron.pos, Point::new(contact, contact)));
        let sight =
            Point::new(geometry.card_width / 2 + LENGTH + ROUNDING, geometry.card_length / 2 + LENGTH + ROUNDING);
        let cards = table.carriers[enemy].on_table().any(|(_, card)| near(card, sight));
        (dice, cards)
    }

    /// Walks on past enemies to the next step at which something happens. The groups met are put into `met`. None if
    /// a card was found before the first step, so that everything must be looked at again.
    #[allow(clippy::too_many_arguments, reason = "the parts of one walk")]
    fn walk_past(
        &mut self,
        game: &CarrierGame,
        table: &mut Table,
        movers: &[SquadronId],
        at: &mut Few<Point, 6>,
        known: Option<Known>,
        met: &mut Few<Squads, 6>,
        ask: &mut impl Ask,
    ) -> Option<Stop> {
        let geometry = &game.rules.geometry;
        let enemy = movers.first()?.side().other();
        let mut groups: Few<Squads, 12> = Few::default();
        let mut squadrons: Few<(Point, u8), 12> = Few::default();
        let mut forbidden = 0u16;
        if let Some(known) = known {
            let others = table.groups(geometry, enemy);
            let others = others.iter().map(|group| (group.without(known.met), false));
            let gone = known.gave_way.iter().map(|group| (table.in_the_air(*group), true));
            for (members, gave_way) in others.chain(gone).filter(|(members, _)| !members.is_empty()) {
                forbidden |= u16::from(gave_way) << groups.len();
                members.iter().for_each(|id| squadrons.push((table[id].pos, groups.len() as u8)));
                groups.push(members);
            }
        }
        let carrier = &table.carriers[enemy];
        let hidden: Few<Point, 2> = carrier.on_table().filter(|_| carrier.undetected()).map(|(_, card)| card).collect();
        let mask = |f: &dyn Fn(SquadronId) -> bool| {
            movers.iter().enumerate().filter(|(_, id)| f(**id)).map(|(at, _)| 1u16 << at).sum::<u16>()
        };
        let seers = mask(&|id| !table[id].proved_dummy);
        let drawing_fire = self.kind != WalkKind::Strike;
        let targets = if drawing_fire { mask(&|id| !table.action.fired_at.has(id)) } else { 0 };
        let guns = carrier.real_card();
        let hazards = Hazards { squadrons: &squadrons, hidden: &hidden, seers, guns: guns.as_slice(), targets };
        if near_cards(geometry, at, &hazards) != [0; 2] {
            game.look_at_cards(table, self.movers, ask);
            return None;
        }
        let before = self.course;
        let mut stop = stride(geometry, &mut self.course, at, &hazards);
        if stop.contact & forbidden != 0 {
            // It stops short of a group that gave way.
            let steps = self.course.flown - before.flown - 1;
            self.course = before;
            *at = movers.iter().map(|id| table[*id].pos).collect();
            walk_steps(&mut self.course, at, steps);
            stop = Stop { ended: true, ..Stop::default() };
        }
        *met =
            groups.iter().enumerate().filter(|(n, _)| stop.contact & (1 << n) != 0).map(|(_, group)| *group).collect();
        Some(stop)
    }
}

/// Straight lines that squadrons fly one after the other inside an action. Guns fire at them, and nobody is met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lines {
    pub(super) waiting: Few<(Squads, Point), 6>,
    pub(super) walk: Option<Walk>,
    /// The squadron under fire.
    pub flak: Option<SquadronId>,
}

impl Lines {
    pub(super) fn one(movers: Squads, line: Point) -> Self {
        let mut lines = Self::default();
        lines.add(movers, line);
        lines
    }

    pub(super) fn add(&mut self, movers: Squads, line: Point) {
        if line != Point::default() {
            self.waiting.push((movers, line));
        }
    }
}

impl Process for Lines {
    fn question(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        self.flak.take().map_or(Ok(()), |id| game.flak(table, id, ask))
    }

    fn run(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Flow {
        loop {
            if let Some(walk) = &mut self.walk
                && let Pause::Flak(id) = walk.go_on(game, table, Known::default(), ask)
            {
                self.flak = Some(id);
                return Flow::Continue;
            }
            self.walk = None;
            let Some((movers, line)) = self.waiting.remove(0) else { return Flow::Done };
            let movers = table.in_the_air(movers);
            if let Some(lead) = movers.first() {
                let from = table[lead].pos;
                let course = Course::new(from, Waypoints::to(from + line));
                self.walk = Some(Walk { kind: WalkKind::Line, movers, course });
            }
        }
    }
}
