//! Geometry, movement and collisions.

use super::ship::{check_mounts, gun_mount};
use super::*;
use crate::movement::{Collider, Collision, Handling, Mover, Order, collision};
use crate::rule;
use crate::sea::{self as waters, Heading};
use crate::ship::{GunMount, MOST_OTHER};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Note};
use flagplot_referee::About;
use serde::Deserialize;
use serde_json::json;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![
        Box::new(Geometry(Arc::clone(book))),
        Box::new(Movement(Arc::clone(book))),
        Box::new(CollisionProcedure(Arc::clone(book))),
    ]
}

// ---- geometry -------------------------------------------------------------------------------------------------------

fn coordinate(name: &'static str) -> Field {
    req(name, int(-1_000_000, 1_000_000), "position in millimetres")
}

fn heading_field() -> Field {
    req("heading", int(0, 345), "degrees clockwise from north, a multiple of 15")
}

fn heading(book: &Book, degrees: i32, path: &str) -> Result<Heading, Refusal> {
    Heading::new(book, degrees).ok_or_else(|| {
        Refusal::new("out-of-range", format!("{path}.heading is {degrees}; it must be a multiple of 15 from 0 to 345."))
            .by(rule::C_1)
    })
}

#[derive(Deserialize)]
struct ShooterAt {
    x: i64,
    y: i64,
    heading: i32,
    mounts: Vec<GunMount>,
}

#[derive(Deserialize)]
struct TargetAt {
    x: i64,
    y: i64,
    heading: i32,
}

#[derive(Deserialize)]
struct OtherAt {
    x: i64,
    y: i64,
    size: i32,
}

#[derive(Deserialize)]
struct GeometryInput {
    shooter: ShooterAt,
    target: TargetAt,
    others: Vec<OtherAt>,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct GeometryResult {
    range_mm: i64,
    range_band: i32,
    shooter_arc: Arc_,
    target_arc: Arc_,
    raking: bool,
    intervening_bases: usize,
    guns_bearing: i32,
}

type Arc_ = crate::words::Arc;

fn check_geometry(book: &Book, input: &GeometryInput) -> Result<(), Refusal> {
    heading(book, input.shooter.heading, "input.shooter")?;
    heading(book, input.target.heading, "input.target")?;
    check_mounts(&input.shooter.mounts, "input.shooter.mounts")
}

fn run_geometry(book: &Book, input: &GeometryInput, ask: &mut impl Ask) -> Result<GeometryResult, Halt> {
    let (from, to) = (Point::new(input.shooter.x, input.shooter.y), Point::new(input.target.x, input.target.y));
    let range_mm = from.ceil_dist(to);
    let shooter_arc = waters::arc(from, heading(book, input.shooter.heading, "input.shooter")?, to);
    let target_arc = waters::arc(to, heading(book, input.target.heading, "input.target")?, from);
    let result = GeometryResult {
        range_mm,
        range_band: book.range_band(i32::try_from(range_mm).unwrap_or(i32::MAX / 2)),
        shooter_arc,
        target_arc,
        raking: matches!(target_arc, Arc_::Bow | Arc_::Stern),
        intervening_bases: input
            .others
            .iter()
            .filter(|other| waters::intervenes(from, to, Point::new(other.x, other.y), other.size))
            .count(),
        guns_bearing: waters::guns_bearing(&input.shooter.mounts, shooter_arc),
    };
    ask.note(|| {
        let text = format!(
            "{} mm, RB {}: target to {}, shooter in the target's {} arc, {} bases between",
            result.range_mm, result.range_band, shooter_arc, target_arc, result.intervening_bases
        );
        Note::new("geometry", text).by(&[rule::C_1, rule::R_3]).outcome(result.range_mm)
    });
    Ok(result)
}

procedure!(Geometry: GeometryInput => GeometryResult, About {
    name: "geometry",
    help: "Range, arcs, guns that bear and ships in between.",
    dice: "none",
    input: record(vec![
        req("shooter", record(vec![coordinate("x"), coordinate("y"), heading_field(), or("mounts", list(gun_mount(), 0, MOST_OTHER), json!([]), "her gun mounts")]), "who shoots"),
        req("target", record(vec![coordinate("x"), coordinate("y"), heading_field()]), "at whom"),
        or("others", list(record(vec![coordinate("x"), coordinate("y"), or("size", int(-4, 3), 0, "size")]), 0, 100), json!([]), "all other ships and wrecks"),
    ]),
    result: answers(&[
        ("range_mm", number(), "the distance"),
        ("range_band", number(), "the range band"),
        ("shooter_arc", words(Arc_::WORDS), "where the shooter sees the target"),
        ("target_arc", words(Arc_::WORDS), "where the target sees the shooter"),
        ("raking", bool(), "whether hits rake"),
        ("intervening_bases", number(), "ships in the line between"),
        ("guns_bearing", number(), "guns that bear"),
    ]),
    rules: &[rule::C_1, rule::R_3],
}, check_geometry, run_geometry);

// ---- movement and collision -----------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct MoverInput {
    x: i64,
    y: i64,
    heading: i32,
    size: i32,
    merchant: bool,
    max_speed: i32,
    last_speed: i32,
    sv: i32,
    crew_quality: i32,
}

#[derive(Deserialize)]
struct OrderInput {
    ahead: Option<i32>,
    turn: Option<i32>,
}

#[derive(Deserialize)]
struct MovementInput {
    ship: MoverInput,
    speed: i32,
    orders: Vec<OrderInput>,
}

impl MovementInput {
    fn read(&self, book: &Book) -> Result<(Mover, Vec<Order>), Refusal> {
        let MoverInput { x, y, size, merchant, max_speed, last_speed, sv, crew_quality, .. } = self.ship;
        let handling = if merchant { Handling::Mercantile } else { Handling::Naval };
        let mover = Mover {
            at: Point::new(x, y),
            heading: heading(book, self.ship.heading, "input.ship")?,
            size,
            handling,
            max_speed,
            last_speed,
            sv,
            crew_quality,
        };
        let orders =
            self.orders.iter().enumerate().map(|(at, order)| order.read(book, at)).collect::<Result<Vec<_>, _>>()?;
        mover.check(book, self.speed, &orders)?;
        Ok((mover, orders))
    }
}

impl OrderInput {
    fn read(&self, book: &Book, at: usize) -> Result<Order, Refusal> {
        let path = format!("input.orders[{at}]");
        match (self.ahead, self.turn) {
            (Some(mm), None) => Ok(Order::Ahead(mm)),
            (None, Some(degrees)) => {
                let limit = book.movement.turn_limit_deg;
                if degrees == 0 || degrees.abs() > limit || degrees % book.movement.heading_step_deg != 0 {
                    return Err(Refusal::new(
                        "out-of-range",
                        format!(
                            "{path}.turn is {degrees}; a turn is 15, 30 or 45 degrees to either side, at most {limit}."
                        ),
                    )
                    .by(rule::C_3));
                }
                Ok(Order::Turn(degrees))
            }
            (Some(_), Some(_)) => Err(unwanted(&path, "turn", "an order is either ahead or turn")),
            (None, None) => Err(missing(&path, "ahead")),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct MovementResult {
    x: i64,
    y: i64,
    heading: i32,
    steered: bool,
}

fn check_movement(book: &Book, input: &MovementInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_movement(book: &Book, input: &MovementInput, ask: &mut impl Ask) -> Result<MovementResult, Halt> {
    let (mover, orders) = input.read(book)?;
    let moved = mover.go(book, input.speed, &orders, ask)?;
    Ok(MovementResult { x: moved.at.x, y: moved.at.y, heading: moved.heading.degrees(), steered: moved.steered })
}

procedure!(Movement: MovementInput => MovementResult, About {
    name: "movement",
    help: "Where a ship's orders take her, if they are legal.",
    dice: "a d10 Crew Test if she has no steering and the orders turn",
    input: record(vec![
        req("ship", record(vec![
            coordinate("x"),
            coordinate("y"),
            heading_field(),
            req("size", int(-4, 3), "size"),
            flag("merchant", "she handles like a merchant"),
            req("max_speed", int(0, 60), "the highest speed left"),
            req("last_speed", int(0, 60), "her speed last turn"),
            or("sv", int(0, 9), 1, "steering value"),
            quality(),
        ]), "who moves"),
        req("speed", int(0, 60), "speed this turn"),
        req("orders", list(record(vec![opt("ahead", int(0, 1000), "millimetres straight ahead"), opt("turn", int(-360, 360), "degrees, to starboard if positive")]), 0, 100), "the path"),
    ]),
    result: answers(&[
        ("x", number(), "east"),
        ("y", number(), "north"),
        ("heading", number(), "heading"),
        ("steered", bool(), "whether the orders were carried out"),
    ]),
    rules: &[rule::C_3],
}, check_movement, run_movement);

#[derive(Deserialize)]
struct ColliderInput {
    size: i32,
    crew_quality: i32,
}

impl ColliderInput {
    fn read(&self) -> Collider {
        Collider { size: self.size, crew_quality: self.crew_quality }
    }
}

#[derive(Deserialize)]
struct CollisionInput {
    moving: ColliderInput,
    other: ColliderInput,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct CollisionResult {
    avoided: bool,
    moving_f_loss: i32,
    other_f_loss: i32,
}

fn run_collision(book: &Book, input: &CollisionInput, ask: &mut impl Ask) -> Result<CollisionResult, Halt> {
    let Collision { avoided, losses: [moving_f_loss, other_f_loss] } =
        collision(book, input.moving.read(), input.other.read(), ask)?;
    Ok(CollisionResult { avoided, moving_f_loss, other_f_loss })
}

procedure!(CollisionProcedure: CollisionInput => CollisionResult, About {
    name: "collision",
    help: "What happens when the bases of two ships meet after a forced move.",
    dice: "a d10 Crew Test each; if both fail a d6 each",
    input: {
        let ship = || record(vec![req("size", int(-4, 3), "size"), quality()]);
        record(vec![req("moving", ship(), "the ship that moved"), req("other", ship(), "the other")])
    },
    result: answers(&[
        ("avoided", bool(), "whether one of them got clear"),
        ("moving_f_loss", number(), "flotation lost by the moving ship"),
        ("other_f_loss", number(), "flotation lost by the other"),
    ]),
    rules: &[rule::C_5],
}, no_check, run_collision);
