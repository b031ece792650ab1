//! Walking a path: what defines contact, overflight and detection in passing.
//!
//! Each leg of length L is walked in L steps of about one thousandth. Where something can happen first follows from the
//! line and the circles and boxes round what it may meet; only the last steps before that are walked one by one. A
//! property test compares with walking every one.

use crate::data::Geometry;
use crate::geometry::LENGTH;
use flagplot_kernel::plane::{Point, ceil_sqrt, floor_sqrt, round_div};
use serde::{Deserialize, Serialize};

/// The most groups that one walk can meet.
const GROUPS: usize = 12;

/// The most waypoints of a path.
pub const MOST_WAYPOINTS: usize = 8;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Point>", into = "Vec<Point>")]
pub struct Waypoints {
    /// How many there are, or were given.
    count: u8,
    at: [Point; MOST_WAYPOINTS],
}

impl Waypoints {
    /// A path of one waypoint.
    pub fn to(point: Point) -> Self {
        let mut at = [Point::default(); MOST_WAYPOINTS];
        at[0] = point;
        Self { count: 1, at }
    }
    pub fn points(&self) -> &[Point] {
        &self.at[..usize::from(self.count).min(MOST_WAYPOINTS)]
    }

    /// How many waypoints were given, if they are too many.
    pub fn too_many(&self) -> Option<u8> {
        (usize::from(self.count) > MOST_WAYPOINTS).then_some(self.count)
    }

    /// The sum of the legs from a starting point.
    pub fn length(&self, from: Point) -> i64 {
        let mut last = from;
        self.points().iter().fold(0, |sum, &point| sum + std::mem::replace(&mut last, point).ceil_dist(point))
    }

    /// The last waypoint, or where it starts.
    pub fn end(&self, from: Point) -> Point {
        self.points().last().copied().unwrap_or(from)
    }
}

impl From<&[Point]> for Waypoints {
    fn from(points: &[Point]) -> Self {
        let mut path = Self { count: points.len().min(255) as u8, ..Self::default() };
        for (place, point) in path.at.iter_mut().zip(points) {
            *place = *point;
        }
        path
    }
}

impl From<Vec<Point>> for Waypoints {
    fn from(points: Vec<Point>) -> Self {
        points.as_slice().into()
    }
}

impl From<Waypoints> for Vec<Point> {
    fn from(path: Waypoints) -> Self {
        path.points().to_vec()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Course {
    pub path: Waypoints,
    /// Where the lead is, also after it is lost.
    pub lead: Point,
    leg: u8,
    from: Point,
    /// Steps of the present leg; 0 before it has been measured.
    steps: i64,
    step: i64,
    /// Steps walked so far, on all legs.
    pub flown: i64,
}

impl Course {
    pub fn new(lead: Point, path: Waypoints) -> Self {
        Self { path, lead, leg: 0, from: lead, steps: 0, step: 0, flown: 0 }
    }

    /// The points the lead has come by, and where it is.
    pub fn track(&self) -> impl Iterator<Item = Point> + '_ {
        self.path.points().iter().copied().take(usize::from(self.leg)).chain([self.lead])
    }

    /// The waypoints still to come.
    pub fn ahead(&self) -> &[Point] {
        self.path.points().get(usize::from(self.leg)..).unwrap_or_default()
    }

    /// The box that holds everything movers can come by from here on.
    pub fn bounds(&self, movers: &[Point]) -> (Point, Point) {
        let around = |points: &[Point]| {
            let (mut low, mut high) = (self.lead, self.lead);
            for at in points {
                low = Point::new(low.x.min(at.x), low.y.min(at.y));
                high = Point::new(high.x.max(at.x), high.y.max(at.y));
            }
            (low, high)
        };
        let way = around(self.ahead());
        let group = around(movers);
        (way.0 + (group.0 - self.lead), way.1 + (group.1 - self.lead))
    }
    pub fn passed(&self) -> usize {
        usize::from(self.leg)
    }

    /// Walks to the end, where there is nothing to look out for.
    pub fn walk_out(&mut self, movers: &mut [Point]) {
        let start = self.lead;
        while let Some((vector, steps)) = self.leg() {
            self.flown += steps - self.step;
            self.step = steps;
            self.lead = self.from + vector;
        }
        for mover in movers {
            *mover = *mover + (self.lead - start);
        }
    }

    /// The leg being walked: its vector and its number of steps.
    fn leg(&mut self) -> Option<(Point, i64)> {
        loop {
            let end = *self.path.points().get(usize::from(self.leg))?;
            if self.steps == 0 {
                self.steps = self.from.ceil_dist(end);
            }
            if self.step < self.steps {
                return Some((end - self.from, self.steps));
            }
            self.leg += 1;
            self.from = end;
            (self.steps, self.step) = (0, 0);
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Hazards<'a> {
    /// Enemy squadrons that can be met, each with the number of its group.
    pub squadrons: &'a [(Point, u8)],
    /// Enemy cards that are detected by coming within a length.
    pub hidden: &'a [Point],
    /// The movers that look for them.
    pub seers: u16,
    /// Real enemy cards, whose guns fire at who enters.
    pub guns: &'a [Point],
    /// The movers they fire at.
    pub targets: u16,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// The movers that have come within a length of each hidden card.
    pub near: [u16; 2],
    pub contact: u16,
    /// The movers that have come over a card with guns.
    pub entered: u16,
    pub ended: bool,
}

impl Stop {
    fn happened(&self) -> bool {
        self.near != [0; 2] || self.contact != 0 || self.entered != 0
    }
}

/// The movers within a length of each hidden card, where they stand.
pub fn near_cards(geometry: &Geometry, movers: &[Point], hazards: &Hazards) -> [u16; 2] {
    let mut near = [0; 2];
    for (card, near) in hazards.hidden.iter().zip(&mut near) {
        for (at, &mover) in movers.iter().enumerate() {
            if hazards.seers & (1 << at) != 0 && geometry.to_card_2(mover, *card) <= LENGTH * LENGTH {
                *near |= 1 << at;
            }
        }
    }
    near
}

/// Walks on to the next step at which something happens, or to the end. The movers keep their places to the lead.
pub fn stride(geometry: &Geometry, course: &mut Course, movers: &mut [Point], hazards: &Hazards) -> Stop {
    stride_by(geometry, course, movers, hazards, idle)
}

/// The same, with another way to tell how many steps are idle.
pub(crate) fn stride_by(
    geometry: &Geometry,
    course: &mut Course,
    movers: &mut [Point],
    hazards: &Hazards,
    idle: impl Fn(&Geometry, Leg, &[Point], &Hazards) -> i64,
) -> Stop {
    let reach = geometry.centres(1);
    let reach = reach * reach;
    loop {
        let Some((vector, steps)) = course.leg() else { return Stop { ended: true, ..Stop::default() } };
        let left = steps - course.step;
        let by = idle(geometry, Leg { vector, steps, left }, movers, hazards);
        if by > 0 {
            to_step(course, vector, steps, course.step + by.min(left), movers);
            if by >= left {
                continue; // Nothing happens on the rest of the leg.
            }
        }
        let before = nearest(movers, hazards);
        let on: u16 = over(geometry, movers, hazards);
        to_step(course, vector, steps, course.step + 1, movers);
        let mut stop = Stop { near: near_cards(geometry, movers, hazards), ..Stop::default() };
        let now = nearest(movers, hazards);
        for group in 0..GROUPS {
            if now[group] <= reach && now[group] < before[group] {
                stop.contact |= 1 << group;
            }
        }
        stop.entered = over(geometry, movers, hazards) & !on;
        if stop.happened() {
            return stop;
        }
    }
}

/// Walks so many steps without looking out for anything.
pub fn walk_steps(course: &mut Course, movers: &mut [Point], mut steps: i64) {
    while steps > 0 {
        let Some((vector, length)) = course.leg() else { return };
        let by = steps.min(length - course.step);
        let step = course.step + by;
        to_step(course, vector, length, step, movers);
        steps -= by;
    }
}

fn to_step(course: &mut Course, vector: Point, steps: i64, step: i64, movers: &mut [Point]) {
    let lead = course.from + Point::new(round_div(vector.x * step, steps), round_div(vector.y * step, steps));
    let by = lead - course.lead;
    for mover in movers {
        *mover = *mover + by;
    }
    course.flown += step - course.step;
    course.step = step;
    course.lead = lead;
}

/// The square of the distance from the movers to each group.
fn nearest(movers: &[Point], hazards: &Hazards) -> [i64; GROUPS] {
    let mut least = [i64::MAX; GROUPS];
    for &(squadron, group) in hazards.squadrons {
        let least = &mut least[usize::from(group) % GROUPS];
        for mover in movers {
            *least = (*least).min(mover.dist2(squadron));
        }
    }
    least
}

fn over(geometry: &Geometry, movers: &[Point], hazards: &Hazards) -> u16 {
    let mut on = 0;
    for &card in hazards.guns {
        for (at, &mover) in movers.iter().enumerate() {
            if hazards.targets & (1 << at) != 0 && geometry.on_card(mover, card) {
                on |= 1 << at;
            }
        }
    }
    on
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    vector: Point,
    steps: i64,
    /// Those not yet walked.
    left: i64,
}

/// A step ends less than a thousandth from the line, and so did the one before; two cover both.
const ROUNDING: i64 = 2;

impl Leg {
    /// The steps before a mover can come into a box, given by its centre and its half sizes: the time at which the line
    /// is inside both of its strips. None if it never is.
    fn before_box(&self, mover: Point, centre: Point, half: Point) -> Option<i64> {
        let away = centre - mover;
        // Nothing of the leg is near it: no need to divide.
        let beside = |away: i64, half: i64, vector: i64| {
            away + half + ROUNDING < vector.min(0) || away - half - ROUNDING > vector.max(0)
        };
        if beside(away.x, half.x, self.vector.x) || beside(away.y, half.y, self.vector.y) {
            return None;
        }
        let (mut enter, mut leave) = (0, self.left);
        for (away, half, vector) in
            [(away.x, half.x + ROUNDING, self.vector.x), (away.y, half.y + ROUNDING, self.vector.y)]
        {
            let (near, far) = if vector < 0 { (-away - half, -away + half) } else { (away - half, away + half) };
            let speed = vector.abs();
            if far < 0 || (near > 0 && speed == 0) {
                return None;
            }
            if speed > 0 {
                // Rounded down to come in early, and up to go out late.
                enter = enter.max(near.max(0) * self.steps / speed - 1);
                leave = leave.min(far * self.steps / speed + 1);
            }
        }
        (enter <= leave).then_some(enter)
    }

    /// The steps before a mover can come within contact of a squadron, from where the line cuts the circle round it.
    fn before_circle(&self, mover: Point, squadron: Point, radius: i64) -> Option<i64> {
        let apart = squadron - mover;
        // Each coordinate moves one way only, so nobody comes nearer to what lies behind in both.
        if apart.x * self.vector.x <= 0 && apart.y * self.vector.y <= 0 {
            return None;
        }
        let enter = self.before_box(mover, squadron, Point::new(radius, radius))?;
        let radius = radius + ROUNDING;
        let inside = apart.norm2() <= radius * radius;
        let along = apart.dot(self.vector);
        if !inside && along <= 0 {
            return None;
        }
        if inside || enter >= self.left {
            return Some(enter);
        }
        // The steps are at least as many as the leg is long, so both parts come out too small, never too large.
        let across = apart.cross(self.vector).abs() / self.steps;
        if across > radius {
            return None;
        }
        let chord = ceil_sqrt(radius * radius - across * across);
        Some(enter.max(along / self.steps - chord - 1))
    }
}

/// A number of further steps in which nothing can happen, found from the line and not by walking it.
fn idle(geometry: &Geometry, leg: Leg, movers: &[Point], hazards: &Hazards) -> i64 {
    let contact = geometry.centres(1);
    let mut least = leg.left;
    for &(squadron, _) in hazards.squadrons {
        for &mover in movers {
            if let Some(steps) = leg.before_circle(mover, squadron, contact) {
                least = least.min(steps);
            }
        }
    }
    let half = Point::new(geometry.card_width / 2, geometry.card_length / 2);
    for &card in hazards.hidden {
        for (at, &mover) in movers.iter().enumerate() {
            if hazards.seers & (1 << at) != 0
                && let Some(steps) = leg.before_box(mover, card, half + Point::new(LENGTH, LENGTH))
            {
                // The corners of that box are further away than a length.
                let to_go =
                    if steps > 0 { steps } else { floor_sqrt(geometry.to_card_2(mover, card)) - LENGTH - ROUNDING };
                least = least.min(to_go);
            }
        }
    }
    for &card in hazards.guns {
        for (at, &mover) in movers.iter().enumerate() {
            if hazards.targets & (1 << at) != 0
                && let Some(steps) = leg.before_box(mover, card, half)
            {
                // Who is well inside cannot enter before he has left.
                let apart = mover - card;
                let inside = (half.x - apart.x.abs()).min(half.y - apart.y.abs());
                least = least.min(steps.max(inside - ROUNDING));
            }
        }
    }
    least.max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Rules;
    use flagplot_kernel::Chance;

    /// Skipping steps and walking every one find the same stops.
    #[test]
    fn skipping_steps_changes_nothing() {
        let rules = Rules::read(&crate::files()).unwrap();
        let mut chance = Chance::seeded(16);
        let mut contacts = 0;
        let mut entries = 0;
        for round in 0..1500 {
            let size = [300, 2000, 5000, 12_000][round % 4];
            let mut point = || {
                Point::new(
                    i64::from(chance.below(size)) - i64::from(size) / 2,
                    i64::from(chance.below(size)) - i64::from(size) / 2,
                )
            };
            let lead = point();
            let movers: Vec<Point> = (0..1 + round % 3).map(|at| lead + Point::new(at as i64 * 150, 70)).collect();
            let path: Vec<Point> = (0..1 + round % 4).map(|_| point()).collect();
            let squadrons: Vec<(Point, u8)> = (0..4).map(|at| (point(), at / 2)).collect();
            let hidden = [point(), point()];
            let guns = [point()];
            let seers = u16::from(round % 5 == 0); // A card in sight stops every step, so that little else is met.
            let hazards = Hazards { squadrons: &squadrons, hidden: &hidden, seers, guns: &guns, targets: 3 };
            let start = Course::new(lead, path.as_slice().into());
            let (mut fast, mut slow) = ((start, movers.clone()), (start, movers));
            for _ in 0..40 {
                let quick = stride(&rules.geometry, &mut fast.0, &mut fast.1, &hazards);
                let every = stride_by(&rules.geometry, &mut slow.0, &mut slow.1, &hazards, |_, _, _, _| 0);
                assert_eq!((quick, fast.0, &fast.1), (every, slow.0, &slow.1), "round {round}");
                contacts += quick.contact.count_ones();
                entries += quick.entered.count_ones();
                if quick.ended {
                    break;
                }
            }
        }
        let far = Hazards { squadrons: &[], hidden: &[], seers: 0, guns: &[], targets: 0 };
        for round in 0..200 {
            let mut point = || Point::new(i64::from(chance.below(9000)), i64::from(chance.below(9000)));
            let start = Course::new(point(), (0..round % 5).map(|_| point()).collect::<Vec<_>>().into());
            let (mut fast, mut slow) = ((start, vec![point()]), (start, vec![]));
            slow.1 = fast.1.clone();
            fast.0.walk_out(&mut fast.1);
            stride_by(&rules.geometry, &mut slow.0, &mut slow.1, &far, |_, _, _, _| 0);
            assert_eq!(fast, slow, "round {round}");
        }
        assert!(
            contacts > 500 && entries > 100,
            "the rounds met too little: {contacts} contacts, {entries} overflights"
        );
    }
}
