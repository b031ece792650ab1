//! Moves carried out: wakes, smoke, land, collisions, forced runs. [section 4, C-5, C-25, C-41]

use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::harm::AWASH_KN;
use crate::game::state::{Screen, Sea, Vessel, VesselId};
use crate::geometry::{Position, base_radius};
use crate::movement::{Collider, Meeting, Mover, Order, collision, straight_run_mm};
use crate::rule;
use flagplot_kernel::course::Leg;
use flagplot_kernel::plane::{Point, enters_circle};
use flagplot_kernel::{Ask, Asked, D6, Note};

/// Where ships that have moved on paper stand.
pub(in crate::game) type Paper = [(VesselId, Point)];

/// A leg as the rules of movement read it. Lengths are checked before.
pub(super) fn order(leg: Leg) -> Order {
    match leg {
        Leg::Ahead(mm) => Order::Ahead(i32::try_from(mm).unwrap_or(i32::MAX)),
        Leg::Turn(degrees) => Order::Turn(degrees),
    }
}

pub(in crate::game) fn end_of(from: Position, legs: &[Leg]) -> Position {
    legs.iter().fold(from, |at, leg| match *leg {
        Leg::Ahead(mm) => at.ahead(mm),
        Leg::Turn(degrees) => Position { heading: at.heading.turned(degrees), ..at },
    })
}

/// The corners of a run with its start and its end.
pub(in crate::game) fn corners(from: Position, legs: &[Leg]) -> Vec<Point> {
    flagplot_kernel::course::run(from.at.point(), from.heading.degrees(), legs).0
}

/// The point at a distance along the legs.
fn along(from: Position, legs: &[Leg], mut mm: i64) -> Point {
    let mut at = from;
    for leg in legs {
        match *leg {
            Leg::Ahead(length) if mm <= length => return at.ahead(mm).at.point(),
            Leg::Ahead(length) => {
                mm -= length;
                at = at.ahead(length);
            }
            Leg::Turn(degrees) => at.heading = at.heading.turned(degrees),
        }
    }
    at.at.point()
}

pub(in crate::game) fn length(legs: &[Leg]) -> i64 {
    legs.iter().map(|leg| if let Leg::Ahead(mm) = leg { *mm } else { 0 }).sum()
}

struct Ran {
    /// Where the last straight leg began, and how long it was.
    last: (Position, i64),
    end: Position,
    path: Vec<Point>,
    /// What she ran of her legs.
    legs: Vec<Leg>,
    aground: bool,
}

impl FleetGame {
    /// The highest speed that a vessel can make.
    pub(in crate::game) fn top_speed(&self, sea: &Sea, id: VesselId) -> i32 {
        let (vessel, model) = (sea.vessel(id), self.battle.model(id));
        match vessel.now.speed {
            _ if vessel.aground || model.sheet.is_air_base() => 0,
            speed if model.hull == Hull::Ship && vessel.now.f <= 0 => speed.min(AWASH_KN),
            speed => speed,
        }
    }

    /// A vessel as the rules of movement see her.
    pub(in crate::game) fn mover(&self, sea: &Sea, id: VesselId) -> Mover {
        let (vessel, model) = (sea.vessel(id), self.battle.model(id));
        Mover {
            position: vessel.at,
            size: model.size(),
            merchant: model.merchant(),
            max_speed: self.top_speed(sea, id),
            last_speed: vessel.last_speed,
            sv: vessel.now.sv,
            crew_quality: self.crew_quality(sea, id),
        }
    }

    /// How far a vessel runs straight before she turns.
    pub(in crate::game) fn straight_run(&self, id: VesselId) -> i64 {
        let model = self.battle.model(id);
        straight_run_mm(model.size(), model.merchant()).into()
    }

    fn radius(&self, id: VesselId) -> i64 {
        base_radius(self.battle.model(id).size()).into()
    }

    fn overlap(&self, id: VesselId, at: Point, other: VesselId, there: Point) -> bool {
        let apart = self.radius(id) + self.radius(other);
        at.dist2(there) < apart * apart
    }

    /// The vessel whose base is in the way of another that would stand at a point, the nearest first. Those that lie
    /// alongside after a collision ignore each other.
    pub(in crate::game) fn blocker(&self, sea: &Sea, paper: &Paper, id: VesselId, at: Point) -> Option<VesselId> {
        let entangled = sea.vessel(id).entangled;
        let place = |other: VesselId, vessel: &Vessel| {
            let moved = paper.iter().rev().find(|(moved, _)| *moved == other);
            moved.map_or(vessel.at.at.point(), |(_, at)| *at)
        };
        let others = sea.all().filter(|(other, vessel)| {
            *other != id && vessel.in_the_way() && entangled & 1_u64.checked_shl(other.0.into()).unwrap_or(0) == 0
        });
        others
            .map(|(other, vessel)| (other, place(other, vessel)))
            .filter(|(other, there)| self.overlap(id, at, *other, *there))
            .min_by_key(|(other, there)| (at.dist2(*there), *other))
            .map(|(other, _)| other)
    }

    /// Whether a straight leg enters land.
    pub(in crate::game) fn runs_ashore(&self, from: Point, to: Point) -> bool {
        let mut land = self.battle.scenario.land.iter();
        land.any(|round| enters_circle(from, to, Point::new(round.x.into(), round.y.into()), round.radius.into()))
    }

    /// How much of a straight leg lies before land.
    pub(super) fn clear_water(&self, from: Position, mm: i64) -> i64 {
        let ashore = |n: i64| self.runs_ashore(from.at.point(), from.ahead(n).at.point());
        if !ashore(mm) {
            return mm;
        }
        let (mut clear, mut hits) = (0, mm);
        while hits - clear > 1 {
            let middle = i64::midpoint(clear, hits);
            if ashore(middle) {
                hits = middle;
            } else {
                clear = middle;
            }
        }
        clear
    }

    /// Runs along legs until land stops her.
    fn run_until_land(&self, from: Position, legs: &[Leg]) -> Ran {
        let (path, whole) = (vec![from.at.point()], Vec::with_capacity(legs.len()));
        let mut ran = Ran { last: (from, 0), end: from, path, legs: whole, aground: false };
        for leg in legs {
            match *leg {
                Leg::Turn(degrees) => {
                    ran.end.heading = ran.end.heading.turned(degrees);
                    ran.legs.push(*leg);
                }
                Leg::Ahead(mm) => {
                    let clear = self.clear_water(ran.end, mm);
                    ran.last = (ran.end, clear);
                    ran.end = ran.end.ahead(clear);
                    ran.path.push(ran.end.at.point());
                    ran.legs.push(Leg::Ahead(clear));
                    if clear < mm {
                        ran.aground = true;
                        break;
                    }
                }
            }
        }
        ran
    }

    /// Puts a vessel where her run has led her.
    pub(in crate::game) fn put(&self, sea: &mut Sea, id: VesselId, at: Position, path: &[Point]) {
        let vessel = sea.vessel_mut(id);
        vessel.at = at;
        let known = usize::from(vessel.wake.last() == path.first());
        vessel.wake.extend(path.iter().skip(known));
        self.disentangle(sea, id);
    }

    /// Vessels that lay alongside each other and are clear now take notice of each other again. [C-41]
    fn disentangle(&self, sea: &mut Sea, id: VesselId) {
        let entangled = sea.vessel(id).entangled;
        if entangled == 0 {
            return;
        }
        let at = self.point(sea, id);
        for other in (0..sea.vessels.len().min(64)).map(|at| VesselId(at as u8)) {
            let bit = 1_u64 << other.0;
            if entangled & bit != 0 && !self.overlap(id, at, other, self.point(sea, other)) {
                sea.vessel_mut(id).entangled &= !bit;
                sea.vessel_mut(other).entangled &= !1_u64.checked_shl(id.0.into()).unwrap_or(0);
            }
        }
    }

    /// A run that nobody chose: loss of control, failed steering, a way that is blocked. Land stops her, mines and
    /// collisions are resolved. What she ran of the legs. [section 4, C-41]
    pub(in crate::game) fn forced_run(
        &self,
        sea: &mut Sea,
        id: VesselId,
        legs: &[Leg],
        ask: &mut impl Ask,
    ) -> Asked<Vec<Leg>> {
        let mut ran = self.run_until_land(sea.vessel(id).at, legs);
        self.put(sea, id, ran.end, &ran.path);
        self.cross_fields(sea, id, &ran.path, ask)?;
        if !sea.vessel(id).in_play() {
            return Ok(ran.legs);
        }
        if ran.aground {
            self.ground(sea, id, ask)?;
        }
        if sea.vessel(id).in_the_way()
            && let Some(left) = self.collide(sea, id, ran.last, ask)?
            && let Some(Leg::Ahead(last)) = ran.legs.iter_mut().rfind(|leg| matches!(leg, Leg::Ahead(_)))
        {
            *last = left;
        }
        Ok(ran.legs)
    }

    /// She runs aground: d6 flotation lost, and she moves no more. [section 4]
    fn ground(&self, sea: &mut Sea, id: VesselId, ask: &mut impl Ask) -> Asked<()> {
        let vessel = sea.vessel_mut(id);
        (vessel.aground, vessel.speed, vessel.last_speed) = (true, 0, 0);
        let member = self.battle.member(id);
        if member.model.hull == Hull::Boats {
            ask.note(|| {
                let text = format!("{} run aground and stay there", member.name);
                Note::new("aground", text).by(&[rule::C_5]).pieces([&member.id])
            });
            return Ok(());
        }
        let face = ask.roll(D6, format_args!("{} runs aground: flotation lost", member.name))?;
        ask.note(|| {
            let text = format!("{} runs aground, loses {face} flotation and moves no more", member.name);
            Note::new("aground", text).by(&[rule::C_5]).dice(&[face]).outcome(face).pieces([&member.id])
        });
        self.lose_flotation(sea, id, face.into(), ask)
    }

    /// After a forced run bases may overlap: both ships try to get clear, and the moving one ends where her last leg is
    /// clear of other bases. What is left of that leg, if they met. [section 4, C-41]
    fn collide(&self, sea: &mut Sea, id: VesselId, last: (Position, i64), ask: &mut impl Ask) -> Asked<Option<i64>> {
        let Some(other) = self.blocker(sea, &[], id, self.point(sea, id)) else { return Ok(None) };
        let boats = |id: VesselId| self.battle.model(id).hull == Hull::Boats;
        let collider =
            |id: VesselId| Collider { size: self.battle.model(id).size(), crew_quality: self.crew_quality(sea, id) };
        let losses = if boats(id) || boats(other) {
            None
        } else {
            let meeting = Meeting { moving: collider(id), other: collider(other) };
            ask.note(|| {
                let (one, two) = (self.battle.member(id), self.battle.member(other));
                let text = format!("{} and {} are about to collide", one.name, two.name);
                Note::new("collision", text).by(&[rule::C_5]).pieces([&one.id, &two.id])
            });
            let result = collision(&self.battle.rules, &meeting, ask)?;
            (!result.avoided).then_some([(id, result.moving_f_loss), (other, result.other_f_loss)])
        };
        let left = self.put_back(sea, id, last);
        for (id, loss) in losses.into_iter().flatten() {
            let vessel = sea.vessel_mut(id);
            (vessel.speed, vessel.last_speed) = (0, 0);
            if vessel.in_play() {
                self.lose_flotation(sea, id, loss, ask)?;
            }
        }
        Ok(Some(left))
    }

    /// Puts her back along her last leg until she is clear, at the worst to its start; whom she still touches there she
    /// ignores until they are clear of each other. How much of the leg is left. [C-41]
    fn put_back(&self, sea: &mut Sea, id: VesselId, (start, ran): (Position, i64)) -> i64 {
        let clear = (0..ran).rev().find(|&mm| self.blocker(sea, &[], id, start.ahead(mm).at.point()).is_none());
        let clear = clear.unwrap_or(0);
        let at = start.ahead(clear);
        let vessel = sea.vessel_mut(id);
        vessel.at = at;
        if let Some(end) = vessel.wake.last_mut() {
            *end = at.at.point();
        }
        while let Some(other) = self.blocker(sea, &[], id, at.at.point()).filter(|other| other.0 < 64 && id.0 < 64) {
            sea.vessel_mut(id).entangled |= 1 << other.0;
            sea.vessel_mut(other).entangled |= 1 << id.0;
        }
        self.disentangle(sea, id);
        clear
    }

    /// Lays smoke along the first two thirds of a run that began at `from`. [C-25]
    pub(super) fn lay_smoke(&self, sea: &mut Sea, id: VesselId, from: Position, legs: &[Leg]) {
        let whole = length(legs);
        let at = [0, whole / 3, whole * 2 / 3].map(|mm| along(from, legs, mm));
        sea.screens.push(Screen { by: id, at });
    }
}
