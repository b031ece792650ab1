//! Who sees whom: lines of sight, light, ranges and arcs between vessels. [1.1, 9.1, C-6, C-7]

use super::FleetGame;
use super::battle::side;
use super::state::{Level, MarkerId, Sea, VesselId};
use crate::geometry;
use crate::sight::{Line, Permission, Sight};
use crate::words::*;
use flagplot_kernel::plane::{Point, enters_circle};
use flagplot_kernel::{Side, Silent};

/// The radius of each of the three circles of a smoke screen. [C-25]
pub(in crate::game) const SMOKE_RADIUS: i64 = 40;

impl FleetGame {
    /// The distance between two vessels in millimetres, rounded up.
    pub(in crate::game) fn range(&self, sea: &Sea, a: VesselId, b: VesselId) -> i32 {
        self.reach(self.point(sea, a), self.point(sea, b))
    }

    /// The distance between two points, rounded up.
    pub(in crate::game) fn reach(&self, a: Point, b: Point) -> i32 {
        i32::try_from(a.ceil_dist(b)).unwrap_or(i32::MAX)
    }

    pub(in crate::game) fn point(&self, sea: &Sea, id: VesselId) -> Point {
        sea.vessel(id).at.at.point()
    }

    /// The range band of a distance.
    pub(in crate::game) fn band(&self, mm: i32) -> i32 {
        self.battle.rules.range_band(mm)
    }

    /// Whether smoke, a squall or land lies in the line. What stands on a piece of land is not hidden by it. [C-1,
    /// C-25]
    pub(in crate::game) fn obscured(&self, sea: &Sea, from: Point, to: Point) -> bool {
        let scenario = &self.battle.scenario;
        let smoke = || {
            let circles = sea.screens.iter().flat_map(|screen| &screen.at);
            circles.copied().any(|at| enters_circle(from, to, at, SMOKE_RADIUS))
        };
        let squall = || {
            let mut squalls = sea.squalls.iter().zip(&scenario.squalls);
            squalls.any(|(at, round)| enters_circle(from, to, at.point(), round.radius.into()))
        };
        let land = || {
            scenario.land.iter().any(|round| {
                let (at, radius) = (Point::new(round.x.into(), round.y.into()), i64::from(round.radius));
                let ashore = |end: Point| at.dist2(end) < radius * radius;
                !ashore(from) && !ashore(to) && enters_circle(from, to, at, radius)
            })
        };
        smoke() || squall() || land()
    }

    /// Whether a vessel is illuminated at night: on fire or a wreck, in or behind a searchlight, under star shell or
    /// flares. [C-7, C-42]
    pub(in crate::game) fn lit(&self, sea: &Sea, id: VesselId) -> bool {
        let vessel = sea.vessel(id);
        if vessel.now.fires > 0 || vessel.now.status == Status::Wreck || vessel.star_lit {
            return true;
        }
        if vessel.ledger.lights.is_some() && vessel.in_play() {
            return true;
        }
        let reach = self.battle.rules.reach.searchlight;
        let shone_on = sea
            .all()
            .any(|(by, other)| other.ledger.lights == Some(id) && other.in_play() && self.range(sea, by, id) <= reach);
        shone_on || self.under_flares(sea, self.battle.member(id).side, self.point(sea, id))
    }

    /// Whether a contact is illuminated at night. Only flares light one, real or not, by where it is. [C-7, C-40]
    pub(in crate::game) fn contact_lit(&self, sea: &Sea, id: MarkerId) -> bool {
        let marker = sea.marker(id);
        self.battle.light(sea.turn) == Light::Night && self.under_flares(sea, marker.side, marker.at.at.point())
    }

    /// Whether the flares of the scenario light what a side has at a point.
    fn under_flares(&self, sea: &Sea, of: Side, at: Point) -> bool {
        let Some(flares) = &self.battle.scenario.flares else { return false };
        let [first, last] = flares.turns;
        let by = side(flares.side);
        (first..=last).contains(&sea.turn)
            && of != by
            && sea.all().any(|(other, vessel)| {
                self.battle.member(other).side == by
                    && vessel.in_play()
                    && vessel.level == Level::Surfaced
                    && self.reach(self.point(sea, other), at) <= flares.reach_mm
            })
    }

    /// The line from one vessel to another, for what 9.1 permits.
    pub(in crate::game) fn line(&self, sea: &Sea, from: VesselId, to: VesselId) -> Line {
        let (a, b) = (self.point(sea, from), self.point(sea, to));
        let light = self.battle.light(sea.turn);
        Line {
            light,
            band: self.band(self.reach(a, b)),
            sight: Sight {
                sd: sea.vessel(from).now.sd,
                tvr: self.battle.tvr(sea.turn),
                obscured: self.obscured(sea, a, b),
                illuminated: light == Light::Night && self.lit(sea, to),
            },
        }
    }

    /// What 9.1 permits along the line from one vessel to another, without a note.
    pub(in crate::game) fn permitted(&self, sea: &Sea, from: VesselId, to: VesselId, radar: bool) -> Permission {
        self.line(sea, from, to).permission(radar, &mut Silent)
    }

    /// Bases that stand in the line between two vessels.
    pub(in crate::game) fn between(&self, sea: &Sea, from: VesselId, to: VesselId) -> i32 {
        let (a, b) = (self.point(sea, from), self.point(sea, to));
        let stands_between = |&(id, vessel): &(VesselId, &super::state::Vessel)| {
            id != from
                && id != to
                && vessel.in_the_way()
                && geometry::intervenes(a, b, vessel.at.at.point(), self.battle.model(id).size())
        };
        sea.all().filter(stands_between).count() as i32
    }

    /// Whether a side sees an enemy vessel on the water. A submarine that was detected below is a target of depth
    /// charges alone, so she is not among them.
    pub(in crate::game) fn sees(&self, sea: &Sea, side: Side, id: VesselId) -> bool {
        let vessel = sea.vessel(id);
        self.battle.member(id).side != side && vessel.in_play() && vessel.level == Level::Surfaced
    }

    /// The enemy vessels that a side sees.
    pub(in crate::game) fn enemies<'a>(&'a self, sea: &'a Sea, side: Side) -> impl Iterator<Item = VesselId> + 'a {
        sea.all().map(|(id, _)| id).filter(move |id| self.sees(sea, side, *id))
    }

    /// Crew quality, with what the scenario says of this turn; damage counts on top of it.
    pub(in crate::game) fn crew_quality(&self, sea: &Sea, id: VesselId) -> i32 {
        let (member, now) = (self.battle.member(id), sea.vessel(id).now.crew_quality);
        let mut given = member.placed.iter().flat_map(|placed| &placed.crew_quality_on);
        let given = given.rfind(|given| given.turn == sea.turn);
        given.map_or(now, |given| given.value + now - member.fresh.crew_quality)
    }

    /// The contact markers of a side that are still on the table.
    pub(in crate::game) fn contacts<'a>(&'a self, sea: &'a Sea, side: Side) -> impl Iterator<Item = MarkerId> + 'a {
        let markers = sea.markers.iter().enumerate();
        markers.filter(move |(_, marker)| marker.side == side && !marker.gone).map(|(at, _)| MarkerId(at as u8))
    }
}
