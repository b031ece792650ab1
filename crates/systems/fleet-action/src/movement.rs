//! Movement of ships and collisions. [C-3, C-5]

use crate::geometry::{Place, Position};
use crate::rule;
use crate::rules::Rules;
use crate::ship_tests::crew_test;
use flagplot_kernel::{Ask, Asked, D6, Note, Refusal};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Straight ahead, in millimetres.
    Ahead(i32),
    /// A turn in degrees, to starboard if positive.
    Turn(i32),
}

/// How many knots a ship gains in a turn at most.
#[must_use]
pub fn acceleration(size: i32, merchant: bool) -> i32 {
    match size {
        _ if merchant => 4,
        2.. => 6,
        0..=1 => 8,
        _ => 12,
    }
}

/// How far a ship runs straight before a turn.
#[must_use]
pub fn straight_run_mm(size: i32, merchant: bool) -> i32 {
    let run = match size {
        2.. => 50,
        0..=1 => 40,
        -2..=-1 => 30,
        _ => 20,
    };
    if merchant { run + 10 } else { run }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Mover {
    #[serde(flatten)]
    pub position: Position,
    /// Size.
    #[shape(-4..=3)]
    pub size: i32,
    /// The ship handles like a merchant.
    #[shape(or = false)]
    pub merchant: bool,
    /// Highest speed left.
    #[shape(0..=60, unit = "knots")]
    pub max_speed: i32,
    /// Speed last turn.
    #[shape(0..=60, unit = "knots")]
    pub last_speed: i32,
    /// Steering value.
    #[shape(0..=9, or = 1)]
    pub sv: i32,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
}

/// Where a move ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Moved {
    #[serde(flatten)]
    pub position: Position,
    /// The orders were carried out.
    pub steered: bool,
}

impl Mover {
    /// The slowest and the fastest she may go this turn.
    #[must_use]
    pub fn speeds(&self) -> (i32, i32) {
        let gain = acceleration(self.size, self.merchant);
        let fastest = self.max_speed.min(self.last_speed + gain);
        // Damage may leave less than the slowest speed her way would allow.
        (self.max_speed.min((self.last_speed - 2 * gain).max(0)), fastest)
    }

    /// Whether the orders are legal; all reasons at once.
    pub fn check(&self, rules: &Rules, speed: i32, orders: &[Order]) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        let mut refuse = |code, text: String| reasons.push(Refusal::new(code, text).by(rule::C_3));
        let (slowest, fastest) = self.speeds();
        if speed > fastest {
            refuse("too-fast", format!("The ship can make {fastest} knots at most this turn, not {speed}."));
        }
        if speed < slowest {
            refuse("too-slow", format!("The ship must make at least {slowest} knots this turn, not {speed}."));
        }
        let needed = straight_run_mm(self.size, self.merchant);
        let (mut run, mut total) = (0, 0);
        for (at, order) in orders.iter().enumerate() {
            match *order {
                Order::Ahead(mm) => {
                    run += mm;
                    total += mm;
                }
                Order::Turn(_) => {
                    if run < needed {
                        let (order, must) = (at + 1, format!("run {needed} mm straight before a turn"));
                        refuse("illegal-turn", format!("Order {order}: the ship must {must}; she has run {run} mm."));
                    }
                    run = 0;
                }
            }
        }
        let distance = speed * rules.scale.mm_per_knot;
        if total != distance {
            refuse("distance-mismatch", format!("The orders run {total} mm; {speed} knots are {distance} mm."));
        }
        Refusal::all(reasons)
    }

    /// Whether she turns as ordered; without steering a Crew Test decides. [C-3]
    pub fn steers(&self, rules: &Rules, orders: &[Order], ask: &mut impl Ask) -> Asked<bool> {
        let turns = orders.iter().any(|order| matches!(order, Order::Turn(_)));
        Ok(self.sv > 0 || !turns || crew_test(rules, "steering: Crew Test", self.crew_quality).roll(ask)?)
    }

    /// The move; without steering a Crew Test decides whether she turns. [C-3]
    pub fn go(&self, rules: &Rules, speed: i32, orders: &[Order], ask: &mut impl Ask) -> Asked<Moved> {
        let mut moved = Moved { position: self.position, steered: true };
        if !self.steers(rules, orders, ask)? {
            moved.position = self.position.ahead(i64::from(speed * rules.scale.mm_per_knot));
            moved.steered = false;
        } else {
            for order in orders {
                match *order {
                    Order::Ahead(mm) => moved.position = moved.position.ahead(i64::from(mm)),
                    Order::Turn(degrees) => moved.position.heading = moved.position.heading.turned(degrees),
                }
            }
        }
        ask.note(|| {
            let (Place { x, y }, heading) = (moved.position.at, moved.position.heading.degrees());
            let how = if moved.steered { "" } else { ", straight ahead without steering" };
            Note::new("move", format!("She runs to ({x}, {y}), heading {heading}{how}"))
                .by(&[rule::C_3])
                .outcome(vec![x, y])
        });
        Ok(moved)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Collider {
    /// Size.
    #[shape(-4..=3)]
    pub size: i32,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
}

/// Two ships whose bases meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Meeting {
    /// The ship that moved.
    pub moving: Collider,
    /// The other ship.
    pub other: Collider,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Collision {
    /// One of the ships got clear.
    pub avoided: bool,
    /// Flotation lost by the moving ship.
    pub moving_f_loss: i32,
    /// Flotation lost by the other ship.
    pub other_f_loss: i32,
}

/// Both try to get clear; if neither does, both are holed. [C-5]
pub fn collision(rules: &Rules, meeting: &Meeting, ask: &mut impl Ask) -> Asked<Collision> {
    let Meeting { moving, other } = *meeting;
    let first = crew_test(rules, "collision: Crew Test of the moving ship", moving.crew_quality).roll(ask)?;
    let second = crew_test(rules, "collision: Crew Test of the other ship", other.crew_quality).roll(ask)?;
    if first || second {
        ask.note(|| Note::new("collision", "They get clear of each other").by(&[rule::C_5]));
        return Ok(Collision { avoided: true, moving_f_loss: 0, other_f_loss: 0 });
    }
    let faces = [ask.roll(D6, "flotation lost by the moving ship")?, ask.roll(D6, "flotation lost by the other ship")?];
    let losses = [i32::from(faces[0]) + (other.size + 4) / 2, i32::from(faces[1]) + (moving.size + 4) / 2];
    ask.note(|| {
        Note::new("collision", format!("They collide: {} and {} flotation lost", losses[0], losses[1]))
            .by(&[rule::C_5])
            .dice(&faces)
            .outcome(losses.to_vec())
    });
    Ok(Collision { avoided: false, moving_f_loss: losses[0], other_f_loss: losses[1] })
}
