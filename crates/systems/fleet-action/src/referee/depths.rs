//! Mines and submarines.

use super::*;
use crate::depths::{DEPTH_CHARGE_LOSS, DepthCharging, Search, Transit};
use crate::rule;
use crate::throw::{Fallen, Salvo};
use flagplot_kernel::Ask;
use flagplot_referee::About;
use serde::Deserialize;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![
        Box::new(MineTransit(Arc::clone(book))),
        Box::new(SubmarineDetection(Arc::clone(book))),
        Box::new(AswAttack(Arc::clone(book))),
    ]
}

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
    Ok(MineResult {
        needed: transit.aim(book).needed(),
        strike: column.is_some(),
        column: column.map_or("none", Column::word),
    })
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
        DepthCharging {
            asw,
            depth,
            crew_quality,
            splash,
            f: self.submarine.f,
            submarine_quality: self.submarine.crew_quality,
        }
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
    AswResult {
        needed: salvo.aim.needed(),
        hits: fallen.hits,
        failed_saves: fallen.failed,
        f,
        sunk: f == 0,
        forced_up: f > 0 && 3 * f <= input.f_max(),
    }
}

fn check_asw(_: &Book, input: &AswInput) -> Result<(), Refusal> {
    if input.submarine.f > input.f_max() {
        return Err(Refusal::new(
            "out-of-range",
            format!(
                "input.submarine.f is {}; it cannot be above f_max, which is {}.",
                input.submarine.f,
                input.f_max()
            ),
        )
        .by(rule::C_30));
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
