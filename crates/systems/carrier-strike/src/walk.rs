//! Walking a path: what defines contact, overflight and detection in passing.
//!
//! Each leg of length L is walked in L steps of about one thousandth. Nothing can happen in a step that ends too far
//! from everything, so such steps are skipped many at a time; a property test compares with walking every one.

use crate::data::Geometry;
use crate::geometry::LENGTH;
use flagplot_kernel::plane::{Point, floor_sqrt, round_div};
use serde::{Deserialize, Serialize};

/// At most so many waypoints.
pub const MOST_WAYPOINTS: usize = 8;

/// The waypoints of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Point>", into = "Vec<Point>")]
pub struct Waypoints {
    count: u8,
    at: [Point; MOST_WAYPOINTS],
}

impl Waypoints {
    /// A path of one waypoint.
    #[must_use]
    pub fn to(point: Point) -> Self {
        let mut at = [Point::default(); MOST_WAYPOINTS];
        at[0] = point;
        Self { count: 1, at }
    }

    /// The waypoints.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.at[..usize::from(self.count)]
    }

    /// The sum of the legs from a starting point.
    #[must_use]
    pub fn length(&self, from: Point) -> i64 {
        let mut last = from;
        self.points().iter().fold(0, |sum, &point| sum + std::mem::replace(&mut last, point).ceil_dist(point))
    }

    /// The last waypoint, or where it starts.
    #[must_use]
    pub fn end(&self, from: Point) -> Point {
        self.points().last().copied().unwrap_or(from)
    }
}

impl TryFrom<&[Point]> for Waypoints {
    type Error = String;
    fn try_from(points: &[Point]) -> Result<Self, String> {
        if points.len() > MOST_WAYPOINTS {
            return Err(format!("a path has at most {MOST_WAYPOINTS} waypoints"));
        }
        let mut path = Self { count: points.len() as u8, ..Self::default() };
        path.at[..points.len()].copy_from_slice(points);
        Ok(path)
    }
}

impl TryFrom<Vec<Point>> for Waypoints {
    type Error = String;
    fn try_from(points: Vec<Point>) -> Result<Self, String> {
        points.as_slice().try_into()
    }
}

impl From<Waypoints> for Vec<Point> {
    fn from(path: Waypoints) -> Self {
        path.points().to_vec()
    }
}

/// A path that is being walked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Course {
    /// The whole path.
    pub path: Waypoints,
    /// Where the lead is, also after it is lost.
    pub lead: Point,
    leg: u8,
    from: Point,
    step: i64,
    /// Steps walked so far, on all legs.
    pub flown: i64,
}

impl Course {
    /// A path from its first step.
    #[must_use]
    pub fn new(lead: Point, path: Waypoints) -> Self {
        Self { path, lead, leg: 0, from: lead, step: 0, flown: 0 }
    }

    /// The points the lead has come by, and where it is.
    pub fn track(&self) -> impl Iterator<Item = Point> + '_ {
        self.path.points().iter().copied().take(usize::from(self.leg)).chain([self.lead])
    }

    /// The leg being walked: its vector and its number of steps.
    fn leg(&mut self) -> Option<(Point, i64)> {
        loop {
            let end = *self.path.points().get(usize::from(self.leg))?;
            let steps = self.from.ceil_dist(end);
            if self.step < steps {
                return Some((end - self.from, steps));
            }
            self.leg += 1;
            self.from = end;
            self.step = 0;
        }
    }
}

/// What a walk must look out for.
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

/// What happened at a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// The movers that have come within a length of each hidden card.
    pub near: [u16; 2],
    /// The groups in contact.
    pub contact: u16,
    /// The movers that have come over a card with guns.
    pub entered: u16,
    /// Whether the path is at its end.
    pub ended: bool,
}

impl Stop {
    fn happened(&self) -> bool {
        self.near != [0; 2] || self.contact != 0 || self.entered != 0
    }
}

/// The movers within a length of each hidden card, where they stand.
#[must_use]
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
    stride_by(geometry, course, movers, hazards, slack)
}

/// The same, with another way to tell how many steps are safe.
pub(crate) fn stride_by(
    geometry: &Geometry,
    course: &mut Course,
    movers: &mut [Point],
    hazards: &Hazards,
    safe: impl Fn(&Geometry, Point, &[Point], &Hazards) -> i64,
) -> Stop {
    let reach = geometry.centres(1);
    let reach = reach * reach;
    let mut before = [i64::MAX; 16];
    loop {
        let Some((vector, steps)) = course.leg() else { return Stop { ended: true, ..Stop::default() } };
        let by = safe(geometry, vector, movers, hazards);
        let step = course.step.saturating_add(by).saturating_add(1).min(steps);
        if step > course.step + 1 {
            to_step(course, vector, steps, step - 1, movers); // Nothing happens up to here.
        }
        nearest(movers, hazards, &mut before);
        let on: u16 = over(geometry, movers, hazards);
        to_step(course, vector, steps, step, movers);
        let mut stop = Stop { near: near_cards(geometry, movers, hazards), ..Stop::default() };
        let mut now = [i64::MAX; 16];
        nearest(movers, hazards, &mut now);
        for group in 0..16 {
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
fn nearest(movers: &[Point], hazards: &Hazards, least: &mut [i64; 16]) {
    *least = [i64::MAX; 16];
    for &(squadron, group) in hazards.squadrons {
        let least = &mut least[usize::from(group & 15)];
        for mover in movers {
            *least = (*least).min(mover.dist2(squadron));
        }
    }
}

fn over(geometry: &Geometry, movers: &[Point], hazards: &Hazards) -> u16 {
    let mut on = 0;
    for &card in hazards.guns {
        for (at, &mover) in movers.iter().enumerate() {
            if hazards.targets & (1 << at) != 0 && geometry.to_card_2(mover, card) == 0 {
                on |= 1 << at;
            }
        }
    }
    on
}

/// A number of further steps in which nothing can happen. A step moves less than a thousandth and a half,
/// rounding included, and after n steps nobody is further than n + 1.5 from where he was.
fn slack(geometry: &Geometry, vector: Point, movers: &[Point], hazards: &Hazards) -> i64 {
    const ROUNDING: i64 = 2;
    let contact = geometry.centres(1);
    let mut least = i64::MAX - 1;
    for &(squadron, _) in hazards.squadrons {
        for &mover in movers {
            let apart = squadron - mover;
            // Each coordinate moves one way only, so nobody comes nearer to what lies behind in both.
            if apart.x * vector.x <= 0 && apart.y * vector.y <= 0 {
                continue;
            }
            let distance = floor_sqrt(apart.norm2());
            if distance > contact + ROUNDING {
                if apart.dot(vector) <= 0 {
                    continue;
                }
                let across = i128::from(apart.cross(vector));
                let wide = i128::from(contact + ROUNDING + 1);
                if across * across > wide * wide * i128::from(vector.norm2()) {
                    continue; // The line passes by too far away.
                }
            }
            least = least.min(distance - contact - ROUNDING);
        }
    }
    for &card in hazards.hidden {
        for (at, &mover) in movers.iter().enumerate() {
            if hazards.seers & (1 << at) != 0 {
                least = least.min(floor_sqrt(geometry.to_card_2(mover, card)) - LENGTH - ROUNDING);
            }
        }
    }
    for &card in hazards.guns {
        for (at, &mover) in movers.iter().enumerate() {
            if hazards.targets & (1 << at) != 0 {
                let apart = mover - card;
                let inside = (geometry.card_width / 2 - apart.x.abs()).min(geometry.card_length / 2 - apart.y.abs());
                let away = if inside >= 0 { inside } else { floor_sqrt(geometry.to_card_2(mover, card)) };
                least = least.min(away - ROUNDING);
            }
        }
    }
    least.max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Book;
    use flagplot_kernel::Chance;

    /// Skipping steps and walking every one find the same stops.
    #[test]
    fn skipping_steps_changes_nothing() {
        let book = Book::read(&crate::files()).unwrap();
        let mut chance = Chance::seeded(16);
        let mut contacts = 0;
        let mut entries = 0;
        for round in 0..1500 {
            let size = [300, 2000, 5000, 12_000][round % 4];
            let mut point = || Point::new(i64::from(chance.below(size)) - i64::from(size) / 2, i64::from(chance.below(size)) - i64::from(size) / 2);
            let lead = point();
            let movers: Vec<Point> = (0..1 + round % 3).map(|at| lead + Point::new(at as i64 * 150, 70)).collect();
            let path: Vec<Point> = (0..1 + round % 4).map(|_| point()).collect();
            let squadrons: Vec<(Point, u8)> = (0..4).map(|at| (point(), at / 2)).collect();
            let hidden = [point(), point()];
            let guns = [point()];
            let seers = u16::from(round % 5 == 0); // A card in sight stops every step, so that little else is met.
            let hazards = Hazards { squadrons: &squadrons, hidden: &hidden, seers, guns: &guns, targets: 3 };
            let start = Course::new(lead, path.as_slice().try_into().unwrap());
            let (mut fast, mut slow) = ((start, movers.clone()), (start, movers));
            for _ in 0..40 {
                let quick = stride(&book.geometry, &mut fast.0, &mut fast.1, &hazards);
                let every = stride_by(&book.geometry, &mut slow.0, &mut slow.1, &hazards, |_, _, _, _| 0);
                assert_eq!((quick, fast.0, &fast.1), (every, slow.0, &slow.1), "round {round}");
                contacts += quick.contact.count_ones();
                entries += quick.entered.count_ones();
                if quick.ended {
                    break;
                }
            }
        }
        assert!(contacts > 500 && entries > 100, "the rounds met too little: {contacts} contacts, {entries} overflights");
    }
}
