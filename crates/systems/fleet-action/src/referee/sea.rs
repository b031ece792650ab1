//! Initiative, sight, geometry, movement, mines and submarines.

use super::ship::{check_mounts, gun_mount};
use super::*;
use crate::depths::{DEPTH_CHARGE_LOSS, DepthCharging, Search, Transit};
use crate::initiative;
use crate::movement::{Collider, Collision, Handling, Mover, Order, collision};
use crate::rule;
use crate::sea::{self as waters, Heading};
use crate::ship::{GunMount, MOST_OTHER};
use crate::sight::{Line, Lookout, Permission, Spotted};
use crate::throw::{Fallen, Salvo};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Note};
use flagplot_referee::About;
use serde::Deserialize;
use serde_json::json;

pub(super) fn start(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![Box::new(InitiativeModifier(Arc::clone(book))), Box::new(InitiativeRoll(Arc::clone(book)))]
}

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![
        Box::new(Visibility(Arc::clone(book))),
        Box::new(SpottingProcedure(Arc::clone(book))),
        Box::new(Geometry(Arc::clone(book))),
        Box::new(Movement(Arc::clone(book))),
        Box::new(CollisionProcedure(Arc::clone(book))),
        Box::new(MineTransit(Arc::clone(book))),
        Box::new(SubmarineDetection(Arc::clone(book))),
        Box::new(AswAttack(Arc::clone(book))),
    ]
}

// ---- initiative -----------------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct TotalInput {
    total: i32,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct TotalResult {
    total: i32,
    modifier: i32,
}

fn run_total(book: &Book, input: &TotalInput, ask: &mut impl Ask) -> Result<TotalResult, Halt> {
    Ok(TotalResult { total: input.total, modifier: initiative::modifier(book, input.total, ask) })
}

procedure!(InitiativeModifier: TotalInput => TotalResult, About {
    name: "initiative-modifier",
    help: "What a side's command total adds to its initiative.",
    dice: "none",
    input: record(vec![req("total", int(-200, 200), "the command values of a side together")]),
    result: answers(&[("total", number(), "the total"), ("modifier", number(), "what it adds")]),
    rules: &[rule::S6_1, rule::R_1, rule::BANDS],
}, no_check, run_total);

#[derive(Deserialize)]
struct InitiativeInput {
    a_total: i32,
    b_total: i32,
    holder: Holder,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct InitiativeResult {
    a_modifier: i32,
    b_modifier: i32,
    a_score: i32,
    b_score: i32,
    tie: bool,
    winner: SideName,
}

fn run_initiative(book: &Book, input: &InitiativeInput, ask: &mut impl Ask) -> Result<InitiativeResult, Halt> {
    let rolled = initiative::roll(book, [input.a_total, input.b_total], input.holder, ask)?;
    let ([a_modifier, b_modifier], [a_score, b_score]) = (rolled.modifiers, rolled.scores);
    Ok(InitiativeResult { a_modifier, b_modifier, a_score, b_score, tie: a_score == b_score, winner: rolled.winner })
}

procedure!(InitiativeRoll: InitiativeInput => InitiativeResult, About {
    name: "initiative",
    help: "Which side has the initiative this turn.",
    dice: "a d10 for side a, a d10 for side b",
    input: record(vec![
        req("a_total", int(-200, 200), "command total of side a"),
        req("b_total", int(-200, 200), "command total of side b"),
        or("holder", words(Holder::WORDS), "none", "who had it before"),
    ]),
    result: answers(&[
        ("a_modifier", number(), "what side a adds"),
        ("b_modifier", number(), "what side b adds"),
        ("a_score", number(), "the score of side a"),
        ("b_score", number(), "the score of side b"),
        ("tie", bool(), "whether they are equal"),
        ("winner", words(SideName::WORDS), "who has the initiative"),
    ]),
    rules: &[rule::S6_1, rule::R_1, rule::R_36],
}, no_check, run_initiative);

// ---- visibility and spotting ----------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct SightInput {
    light: Light,
    range_mm: Option<i32>,
    range_band: Option<i32>,
    sd: i32,
    tvr: i32,
    obscured: bool,
    battery_radar: bool,
    illuminated: bool,
}

impl SightInput {
    fn read(&self, book: &Book) -> Result<Line, Refusal> {
        let band = band_of(book, self.range_mm, self.range_band)?;
        Ok(Line { light: self.light, band, sd: self.sd, tvr: self.tvr, obscured: self.obscured, illuminated: self.illuminated })
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct SightResult {
    row: SightRow,
    range_band: i32,
    guns: Leave,
    torpedo_aimed: Leave,
    torpedo_wide_spread: Leave,
    guns_bonus: i32,
}

fn check_sight(book: &Book, input: &SightInput) -> Result<(), Refusal> {
    input.read(book).map(|_| ())
}

fn run_sight(book: &Book, input: &SightInput, ask: &mut impl Ask) -> Result<SightResult, Halt> {
    let line = input.read(book)?;
    let Permission { row, guns, aimed, wide_spread, guns_bonus } = line.permission(input.battery_radar, ask);
    Ok(SightResult { row, range_band: line.band, guns, torpedo_aimed: aimed, torpedo_wide_spread: wide_spread, guns_bonus })
}

procedure!(Visibility: SightInput => SightResult, About {
    name: "visibility",
    help: "Whether guns may shoot and torpedoes may be launched at a target.",
    dice: "none",
    input: {
        let mut fields = vec![req("light", words(Light::WORDS), "day or night")];
        fields.extend(range_fields());
        fields.extend([
            req("sd", int(0, 9), "spotting distance of the ship in bands"),
            req("tvr", int(0, 9), "tactical visibility range in bands"),
            flag("obscured", "smoke, weather or land hides the target"),
            flag("battery_radar", "the battery has gunnery radar"),
            flag("illuminated", "the target is lit"),
        ]);
        record(fields)
    },
    result: answers(&[
        ("row", words(SightRow::WORDS), "the row that applies"),
        ("range_band", number(), "the range band"),
        ("guns", words(Leave::WORDS), "guns"),
        ("torpedo_aimed", words(Leave::WORDS), "torpedoes at a ship"),
        ("torpedo_wide_spread", words(Leave::WORDS), "torpedoes into an area"),
        ("guns_bonus", number(), "what radar adds to the guns"),
    ]),
    rules: &[rule::S9_1, rule::R_28, rule::R_29, rule::R_50, rule::R_51],
}, check_sight, run_sight);

#[derive(Deserialize)]
struct SpotInput {
    light: Light,
    range_mm: i32,
    sd: i32,
    tvr: i32,
    obscured: bool,
    search_radar: bool,
    illuminated: bool,
    target_size: i32,
    crew_quality: i32,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct SpotResult {
    possible: bool,
    automatic: bool,
    modifier: i32,
    spotted: bool,
}

fn run_spot(book: &Book, input: &SpotInput, ask: &mut impl Ask) -> Result<SpotResult, Halt> {
    let SpotInput { light, range_mm, sd, tvr, obscured, search_radar, illuminated, target_size, crew_quality } = *input;
    let line = Line { light, band: book.range_band(range_mm), sd, tvr, obscured, illuminated };
    let Spotted { possible, automatic, modifier, spotted } = Lookout { line, range_mm, search_radar, target_size, crew_quality }.look(book, ask)?;
    Ok(SpotResult { possible, automatic, modifier, spotted })
}

procedure!(SpottingProcedure: SpotInput => SpotResult, About {
    name: "spotting",
    help: "Whether a ship makes out what a contact is.",
    dice: "a d10, unless it is seen without a roll or not at all",
    input: record(vec![
        req("light", words(Light::WORDS), "day or night"),
        req("range_mm", range_mm(), "the distance"),
        req("sd", int(0, 9), "spotting distance of the ship in bands"),
        req("tvr", int(0, 9), "tactical visibility range in bands"),
        flag("obscured", "smoke, weather or land hides the contact"),
        flag("search_radar", "the ship has search radar"),
        flag("illuminated", "the contact is lit"),
        req("target_size", int(-4, 3), "size of the largest ship in the contact"),
        quality(),
    ]),
    result: answers(&[
        ("possible", bool(), "whether it could be seen at all"),
        ("automatic", bool(), "whether it was seen without a roll"),
        ("modifier", number(), "what is added to the roll; 0 without one"),
        ("spotted", bool(), "whether it was seen"),
    ]),
    rules: &[rule::C_6],
}, no_check, run_spot);

// ---- geometry -------------------------------------------------------------------------------------------------------

fn coordinate(name: &'static str) -> Field {
    req(name, int(-1_000_000, 1_000_000), "position in millimetres")
}

fn heading_field() -> Field {
    req("heading", int(0, 345), "degrees clockwise from north, a multiple of 15")
}

fn heading(book: &Book, degrees: i32, path: &str) -> Result<Heading, Refusal> {
    Heading::new(book, degrees)
        .ok_or_else(|| Refusal::new("out-of-range", format!("{path}.heading is {degrees}; it must be a multiple of 15 from 0 to 345.")).by(rule::C_1))
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
        intervening_bases: input.others.iter().filter(|other| waters::intervenes(from, to, Point::new(other.x, other.y), other.size)).count(),
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
        let mover = Mover { at: Point::new(x, y), heading: heading(book, self.ship.heading, "input.ship")?, size, handling, max_speed, last_speed, sv, crew_quality };
        let orders = self.orders.iter().enumerate().map(|(at, order)| order.read(book, at)).collect::<Result<Vec<_>, _>>()?;
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
                    return Err(
                        Refusal::new("out-of-range", format!("{path}.turn is {degrees}; a turn is 15, 30 or 45 degrees to either side, at most {limit}.")).by(rule::C_3)
                    );
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
    let Collision { avoided, losses: [moving_f_loss, other_f_loss] } = collision(book, input.moving.read(), input.other.read(), ask)?;
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

// ---- mines and submarines -------------------------------------------------------------------------------------------

#[derive(Deserialize)]
struct MineInput {
    density: Density,
    size: i32,
    paravanes: bool,
    slow: bool,
}

impl MineInput {
    fn read(&self) -> Transit {
        let MineInput { density, size, paravanes, slow } = *self;
        Transit { density, size, paravanes, slow }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct MineResult {
    needed: i32,
    strike: bool,
    column: &'static str,
}

fn run_mine(book: &Book, input: &MineInput, ask: &mut impl Ask) -> Result<MineResult, Halt> {
    let transit = input.read();
    let column = transit.cross(book, ask)?;
    Ok(MineResult { needed: transit.aim(book).needed(), strike: column.is_some(), column: column.map_or("none", Column::word) })
}

procedure!(MineTransit: MineInput => MineResult, About {
    name: "mine-transit",
    help: "Whether and where a ship that enters a minefield strikes a mine.",
    dice: "d20, and a d10 for a strike",
    input: record(vec![
        req("density", words(Density::WORDS), "how thick the field is"),
        req("size", int(-4, 3), "size of the ship"),
        flag("paravanes", "she has paravanes out"),
        flag("slow", "she goes at 10 knots or less"),
    ]),
    result: answers(&[("needed", number(), "the lowest face of a strike"), ("strike", bool(), "whether she strikes one"), ("column", column_or_none(), "where; none without a strike")]),
    rules: &[rule::C_31, rule::C_9],
}, no_check, run_mine);

#[derive(Deserialize)]
struct SonarInput {
    crew_quality: i32,
    sonar: i32,
    hunter_speed: HunterSpeed,
    depth: Depth,
    fired_this_turn: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct SonarResult {
    modifier: i32,
    detected: bool,
}

fn run_sonar(book: &Book, input: &SonarInput, ask: &mut impl Ask) -> Result<SonarResult, Halt> {
    let SonarInput { crew_quality, sonar, hunter_speed, depth, fired_this_turn } = *input;
    let search = Search { crew_quality, sonar, speed: hunter_speed, depth, fired: fired_this_turn };
    Ok(SonarResult { modifier: search.modifiers().total(), detected: search.listen(book, ask)? })
}

/// How far sonar reaches, as the tables have it; the shape refuses what lies beyond.
const SONAR_REACH_MM: i64 = 125;

procedure!(SubmarineDetection: SonarInput => SonarResult, About {
    name: "submarine-detection",
    help: "Whether sonar finds a submarine.",
    dice: "d10",
    input: record(vec![
        req("range_mm", int(0, SONAR_REACH_MM), "the distance, within the reach of sonar"),
        quality(),
        req("sonar", int(0, 2), "the set"),
        req("hunter_speed", words(HunterSpeed::WORDS), "the hunter's speed: slow to 10 knots, normal to 20, fast above"),
        req("depth", words(Depth::WORDS), "the submarine's depth"),
        flag("fired_this_turn", "it fired this turn"),
    ]),
    result: answers(&[("modifier", number(), "all modifiers together"), ("detected", bool(), "whether it is found")]),
    rules: &[rule::C_30],
}, no_check, run_sonar);

#[derive(Deserialize)]
struct SubmarineInput {
    f: i32,
    f_max: Option<i32>,
    crew_quality: i32,
}

#[derive(Deserialize)]
struct AswInput {
    asw: i32,
    depth: Depth,
    crew_quality: i32,
    splash: i32,
    submarine: SubmarineInput,
}

impl AswInput {
    fn read(&self) -> DepthCharging {
        let AswInput { asw, depth, crew_quality, splash, .. } = *self;
        DepthCharging { asw, depth, crew_quality, splash, f: self.submarine.f, submarine_quality: self.submarine.crew_quality }
    }

    fn f_max(&self) -> i32 {
        self.submarine.f_max.unwrap_or(self.submarine.f)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct AswResult {
    needed: i32,
    hits: i32,
    failed_saves: i32,
    f: i32,
    sunk: bool,
    forced_up: bool,
}

fn asw_result(salvo: &Salvo<'_>, fallen: &Fallen, input: &AswInput) -> AswResult {
    let f = (input.submarine.f - DEPTH_CHARGE_LOSS * fallen.failed).max(0);
    AswResult { needed: salvo.aim.needed(), hits: fallen.hits, failed_saves: fallen.failed, f, sunk: f == 0, forced_up: f > 0 && 3 * f <= input.f_max() }
}

fn check_asw(_: &Book, input: &AswInput) -> Result<(), Refusal> {
    if input.submarine.f > input.f_max() {
        return Err(
            Refusal::new("out-of-range", format!("input.submarine.f is {}; it cannot be above f_max, which is {}.", input.submarine.f, input.f_max())).by(rule::C_30)
        );
    }
    Ok(())
}

fn run_asw(book: &Book, input: &AswInput, ask: &mut impl Ask) -> Result<AswResult, Halt> {
    let salvo = input.read().salvo(book);
    let fallen = salvo.fire(ask)?;
    Ok(asw_result(&salvo, &fallen, input))
}

fn odds_asw(book: &Book, input: &AswInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
    let salvo = input.read().salvo(book);
    process_odds(&salvo, Fallen::default(), |fallen| asw_result(&salvo, fallen, input), wanted, budget)
}

procedure!(AswAttack: AswInput => AswResult, About {
    name: "asw-attack",
    help: "Depth charges on a submarine that has been detected.",
    dice: "a d20 for each factor, then a d10 for each hit while it has flotation left",
    input: record(vec![
        req("asw", int(1, 20), "factors used"),
        req("depth", words(Depth::WORDS), "its depth"),
        quality(),
        splash("splash markers on the hunter"),
        req("submarine", record(vec![req("f", int(1, 200), "flotation"), opt("f_max", int(1, 200), "original flotation; by default f"), quality()]), "the submarine"),
    ]),
    result: answers(&[
        ("needed", number(), "the lowest face that hits"),
        ("hits", number(), "hits"),
        ("failed_saves", number(), "saving throws failed"),
        ("f", number(), "flotation left"),
        ("sunk", bool(), "whether it is sunk"),
        ("forced_up", bool(), "whether it must surface"),
    ]),
    rules: &[rule::C_30],
}, check_asw, run_asw, odds_asw);
