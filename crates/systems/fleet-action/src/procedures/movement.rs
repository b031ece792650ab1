//! Geometry, movement and collisions.

use super::*;
use crate::geometry::{Place, Position, arc, guns_bearing, intervenes};
use crate::movement::{Collision, Meeting, Moved, Mover, Order, collision};
use crate::ship::{GunMount, MOST_OTHER, check_mounts, missing, unwanted};
use crate::words::Arc as SeaArc;
use flagplot_kernel::Note;

procedures![Geometry, Movement, CollisionOfShips];

#[derive(Deserialize, Shaped)]
struct ShooterAt {
    #[serde(flatten)]
    position: Position,
    /// Gun mounts of the shooter.
    #[shape(items = 0..=MOST_OTHER, or = [])]
    mounts: Vec<GunMount>,
}

#[derive(Deserialize, Shaped)]
struct OtherAt {
    #[serde(flatten)]
    at: Place,
    /// Size.
    #[shape(-4..=3, or = 0)]
    size: i32,
}

#[derive(Deserialize, Shaped)]
struct Positions {
    /// The ship that fires.
    shooter: ShooterAt,
    /// The target.
    target: Position,
    /// All other ships and wrecks.
    #[shape(items = 0..=100, or = [])]
    others: Vec<OtherAt>,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct GeometryResult {
    /// Distance between the ships.
    range_mm: i64,
    /// Range band.
    range_band: i32,
    /// Arc in which the shooter sees the target.
    shooter_arc: SeaArc,
    /// Arc in which the target sees the shooter.
    target_arc: SeaArc,
    /// Hits rake the target.
    raking: bool,
    /// Ships in the line of fire.
    intervening_bases: usize,
    /// Guns that bear.
    guns_bearing: i32,
}

impl Procedure for Geometry {
    const NAME: &'static str = "geometry";
    const HELP: &'static str = "Range, arcs, guns that bear and ships in between.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::C_1, rule::R_3];
    type Input = Positions;
    type Facts = Positions;
    type Output = GeometryResult;

    fn read(&self, input: Positions) -> Result<Positions, Refusal> {
        input.shooter.position.check(&self.0, "input.shooter")?;
        input.target.check(&self.0, "input.target")?;
        check_mounts(&input.shooter.mounts, "input.shooter.mounts")?;
        Ok(input)
    }

    fn run(&self, facts: &Positions, ask: &mut impl Ask) -> Asked<GeometryResult> {
        let Positions { shooter, target, others } = facts;
        let (from, to) = (shooter.position.at.point(), target.at.point());
        let (shooter_arc, target_arc) = (arc(shooter.position, to), arc(*target, from));
        let range_mm = from.ceil_dist(to);
        let range_band = self.0.range_band(i32::try_from(range_mm).unwrap_or(i32::MAX / 2));
        let raking = matches!(target_arc, SeaArc::Bow | SeaArc::Stern);
        let between = others.iter().filter(|other| intervenes(from, to, other.at.point(), other.size));
        let intervening_bases = between.count();
        let guns_bearing = guns_bearing(&shooter.mounts, shooter_arc);
        ask.note(|| {
            let text = format!(
                "{range_mm} mm, RB {range_band}: target to {shooter_arc}, shooter in the target's {target_arc} arc, \
                 {intervening_bases} bases between"
            );
            Note::new("geometry", text).by(&[rule::C_1, rule::R_3]).outcome(range_mm)
        });
        Ok(GeometryResult { range_mm, range_band, shooter_arc, target_arc, raking, intervening_bases, guns_bearing })
    }
}

#[derive(Deserialize, Shaped)]
struct OrderInput {
    /// Distance straight ahead.
    #[shape(0..=1000, unit = "mm")]
    ahead: Option<i32>,
    /// Degrees of a turn, to starboard if positive.
    #[shape(-360..=360, unit = "degrees")]
    turn: Option<i32>,
}

impl OrderInput {
    fn read(&self, rules: &Rules, at: usize) -> Result<Order, Refusal> {
        let path = format!("input.orders[{at}]");
        let (limit, step) = (rules.movement.turn_limit_deg, rules.movement.heading_step_deg);
        match (self.ahead, self.turn) {
            (Some(mm), None) => Ok(Order::Ahead(mm)),
            (None, Some(degrees)) if degrees == 0 || degrees.abs() > limit || degrees % step != 0 => {
                let must = format!("a turn is 15, 30 or 45 degrees to either side, at most {limit}");
                Err(Refusal::new("out-of-range", format!("{path}.turn is {degrees}; {must}.")).by(rule::C_3))
            }
            (None, Some(degrees)) => Ok(Order::Turn(degrees)),
            (Some(_), Some(_)) => Err(unwanted(&path, "turn", "an order is either ahead or turn")),
            (None, None) => Err(missing(&path, "ahead")),
        }
    }
}

#[derive(Deserialize, Shaped)]
struct MoveInput {
    /// The ship that moves.
    ship: Mover,
    /// Speed this turn.
    #[shape(0..=60, unit = "knots")]
    speed: i32,
    /// Orders in sequence.
    #[shape(items = 0..=100)]
    orders: Vec<OrderInput>,
}

struct Move {
    ship: Mover,
    speed: i32,
    orders: Vec<Order>,
}

impl Procedure for Movement {
    const NAME: &'static str = "movement";
    const HELP: &'static str = "Where a ship's orders take her, if they are legal.";
    const DICE: &'static str = "a d10 Crew Test if she has no steering and the orders turn";
    const RULES: &'static [Rule] = &[rule::C_3];
    type Input = MoveInput;
    type Facts = Move;
    type Output = Moved;

    fn read(&self, input: MoveInput) -> Result<Move, Refusal> {
        let MoveInput { ship, speed, orders } = input;
        ship.position.check(&self.0, "input.ship")?;
        let orders =
            orders.iter().enumerate().map(|(at, order)| order.read(&self.0, at)).collect::<Result<Vec<_>, _>>()?;
        ship.check(&self.0, speed, &orders)?;
        Ok(Move { ship, speed, orders })
    }

    fn run(&self, facts: &Move, ask: &mut impl Ask) -> Asked<Moved> {
        facts.ship.go(&self.0, facts.speed, &facts.orders, ask)
    }
}

impl Procedure for CollisionOfShips {
    const NAME: &'static str = "collision";
    const HELP: &'static str = "What happens when the bases of two ships meet after a forced move.";
    const DICE: &'static str = "a d10 Crew Test each; if both fail a d6 each";
    const RULES: &'static [Rule] = &[rule::C_5];
    type Input = Meeting;
    type Facts = Meeting;
    type Output = Collision;

    fn read(&self, input: Meeting) -> Result<Meeting, Refusal> {
        Ok(input)
    }

    fn run(&self, facts: &Meeting, ask: &mut impl Ask) -> Asked<Collision> {
        collision(&self.0, facts, ask)
    }
}
