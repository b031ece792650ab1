//! Movement of ships and collisions. [C-3, C-5]

use crate::book::Book;
use crate::rule;
use crate::sea::{Heading, ahead};
use crate::tests_of_fate::crew_test;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, D6, Note, Refusal};

/// A piece of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Straight ahead, in millimetres.
    Ahead(i32),
    /// A turn in degrees, to starboard if positive.
    Turn(i32),
}

/// Whether a ship handles like a merchant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handling {
    /// Built to fight.
    Naval,
    /// Built to trade.
    Mercantile,
}

/// How many knots a ship gains in a turn at most.
#[must_use]
pub fn acceleration(size: i32, handling: Handling) -> i32 {
    match (handling, size) {
        (Handling::Mercantile, _) => 4,
        (_, 2..) => 6,
        (_, 0..=1) => 8,
        _ => 12,
    }
}

/// How far a ship runs straight before a turn.
#[must_use]
pub fn straight_run_mm(size: i32, handling: Handling) -> i32 {
    let run = match size {
        2.. => 50,
        0..=1 => 40,
        -2..=-1 => 30,
        _ => 20,
    };
    if handling == Handling::Mercantile { run + 10 } else { run }
}

/// A ship under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mover {
    /// Where she is.
    pub at: Point,
    /// Her heading.
    pub heading: Heading,
    /// Her size.
    pub size: i32,
    /// How she handles.
    pub handling: Handling,
    /// The highest speed left.
    pub max_speed: i32,
    /// Her speed last turn.
    pub last_speed: i32,
    /// Her steering.
    pub sv: i32,
    /// Crew quality.
    pub crew_quality: i32,
}

/// Where a move ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moved {
    /// The position.
    pub at: Point,
    /// The heading.
    pub heading: Heading,
    /// Whether the orders were carried out.
    pub steered: bool,
}

impl Mover {
    /// The slowest and the fastest she may go this turn.
    #[must_use]
    pub fn speeds(&self) -> (i32, i32) {
        let gain = acceleration(self.size, self.handling);
        let fastest = self.max_speed.min(self.last_speed + gain);
        // Damage may leave less than the slowest speed her way would allow.
        (self.max_speed.min((self.last_speed - 2 * gain).max(0)), fastest)
    }

    /// Whether the orders are legal; all reasons at once.
    pub fn check(&self, book: &Book, speed: i32, orders: &[Order]) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        let (slowest, fastest) = self.speeds();
        if speed > fastest {
            reasons.push(
                Refusal::new(
                    "too-fast",
                    format!("{speed} knots are ordered; at most {fastest} are possible this turn."),
                )
                .by(rule::C_3),
            );
        }
        if speed < slowest {
            reasons.push(
                Refusal::new(
                    "too-slow",
                    format!("{speed} knots are ordered; at least {slowest} are possible this turn."),
                )
                .by(rule::C_3),
            );
        }
        let needed = straight_run_mm(self.size, self.handling);
        let (mut run, mut total) = (0, 0);
        for (at, order) in orders.iter().enumerate() {
            match *order {
                Order::Ahead(mm) => {
                    run += mm;
                    total += mm;
                }
                Order::Turn(_) => {
                    if run < needed {
                        let text = format!(
                            "Order {}: she must run {needed} mm straight before a turn and has run {run}.",
                            at + 1
                        );
                        reasons.push(Refusal::new("illegal-turn", text).by(rule::C_3));
                    }
                    run = 0;
                }
            }
        }
        let distance = speed * book.scale.mm_per_knot;
        if total != distance {
            reasons.push(
                Refusal::new(
                    "distance-mismatch",
                    format!("The orders run {total} mm; {speed} knots are {distance} mm."),
                )
                .by(rule::C_3),
            );
        }
        Refusal::all(reasons)
    }

    /// The move; without steering a Crew Test decides whether she turns. [C-3]
    pub fn go(&self, book: &Book, speed: i32, orders: &[Order], ask: &mut impl Ask) -> Asked<Moved> {
        let turns = orders.iter().any(|order| matches!(order, Order::Turn(_)));
        let mut moved = Moved { at: self.at, heading: self.heading, steered: true };
        if self.sv < 1 && turns && !crew_test(book, "steering: Crew Test", self.crew_quality).roll(ask)? {
            moved.at = ahead(self.at, self.heading, i64::from(speed * book.scale.mm_per_knot));
            moved.steered = false;
        } else {
            for order in orders {
                match *order {
                    Order::Ahead(mm) => moved.at = ahead(moved.at, moved.heading, i64::from(mm)),
                    Order::Turn(degrees) => moved.heading = moved.heading.turned(degrees),
                }
            }
        }
        ask.note(|| {
            let Point { x, y } = moved.at;
            let how = if moved.steered { "" } else { ", straight ahead without steering" };
            Note::new("move", format!("She runs to ({x}, {y}), heading {}{how}", moved.heading.degrees()))
                .by(&[rule::C_3])
                .outcome(vec![x, y])
        });
        Ok(moved)
    }
}

/// A ship that may collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collider {
    /// Her size.
    pub size: i32,
    /// Crew quality.
    pub crew_quality: i32,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Collision {
    /// Whether one of them got clear.
    pub avoided: bool,
    /// Flotation lost by the moving ship and by the other.
    pub losses: [i32; 2],
}

/// Both try to get clear; if neither does, both are holed. [C-5]
pub fn collision(book: &Book, moving: Collider, other: Collider, ask: &mut impl Ask) -> Asked<Collision> {
    let first = crew_test(book, "collision: Crew Test of the moving ship", moving.crew_quality).roll(ask)?;
    let second = crew_test(book, "collision: Crew Test of the other ship", other.crew_quality).roll(ask)?;
    if first || second {
        ask.note(|| Note::new("collision", "They get clear of each other").by(&[rule::C_5]));
        return Ok(Collision { avoided: true, losses: [0, 0] });
    }
    let faces = [ask.roll(D6, "flotation lost by the moving ship")?, ask.roll(D6, "flotation lost by the other ship")?];
    let losses = [i32::from(faces[0]) + (other.size + 4) / 2, i32::from(faces[1]) + (moving.size + 4) / 2];
    ask.note(|| {
        Note::new("collision", format!("They collide: {} and {} flotation lost", losses[0], losses[1]))
            .by(&[rule::C_5])
            .dice(&faces)
            .outcome(losses.to_vec())
    });
    Ok(Collision { avoided: false, losses })
}
