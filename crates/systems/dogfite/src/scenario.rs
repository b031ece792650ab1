//! Scenarios: who is where when the game begins, and what counts at its end. (C-9, C-10, C-12)

use crate::hangar::Hangar;
use crate::position::on_map;
use crate::victory::{DrawGoesTo, Grade};
use crate::words::Alliance;
use flagplot_kernel::hex::{Direction, Hex};
use flagplot_kernel::{DataError, Files};
use serde::Deserialize;

const FILE: &str = "scenarios.toml";

/// What each thing is worth at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// An aircraft destroyed.
    pub destroyed: i64,
    /// More, if its pilot was an ace.
    pub destroyed_ace_extra: i64,
    /// An engine destroyed.
    pub engine_destroyed: i64,
    /// A set doubly filled.
    pub set_double_filled: i64,
    /// A set filled once.
    pub set_single_filled: i64,
    /// A pilot wounded.
    pub pilot_wounded: i64,
    /// An aircraft that left by a neutral side.
    pub left_by_neutral_side: i64,
    /// An aircraft that left by the enemy's side.
    pub left_by_enemy_side: i64,
    /// A lead that wins.
    pub win_margin: i64,
}

/// How one aircraft starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its id in the game.
    pub id: String,
    /// Whose it is.
    pub side: Alliance,
    /// Its type's id.
    pub kind: String,
    /// Its pilot.
    pub pilot: String,
    /// How good he is.
    pub grade: Grade,
    /// Where it is.
    pub hex: Hex,
    /// The edge it is on; none: in the middle.
    pub facing: Option<Direction>,
    /// Its level.
    pub level: i32,
    /// Its speed.
    pub speed: i32,
}

/// Points for what a scenario cares about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Special {
    /// What it is.
    pub kind: SpecialKind,
    /// Who gets the points.
    pub side: Alliance,
    /// Whose doing it is.
    pub aircraft: String,
    /// From which turn on.
    pub from_turn: i32,
    /// How many.
    pub points: i64,
}

/// What a scenario cares about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialKind {
    /// Leaving by the own home side.
    LeaveHome,
    /// Leaving by any side.
    Leave,
    /// Being in play at the end.
    Survive,
}

/// A scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// When it was.
    pub date: String,
    /// How many turns.
    pub turns: i32,
    /// The map's radius.
    pub radius: i32,
    /// The highest level.
    pub top_level: i32,
    /// What it is about.
    pub note: String,
    /// The aircraft.
    pub aircraft: Vec<Start>,
    /// What else counts.
    pub special: Vec<Special>,
    /// Who wins a draw.
    pub draw_goes_to: DrawGoesTo,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    victory: Points,
    scenario: Vec<ScenarioEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioEntry {
    id: String,
    title: String,
    date: String,
    turns: i32,
    radius: i32,
    top_level: i32,
    note: String,
    aircraft: Vec<StartEntry>,
    #[serde(default)]
    special: Vec<SpecialEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StartEntry {
    id: String,
    side: Alliance,
    #[serde(rename = "type")]
    kind: String,
    pilot: String,
    grade: Grade,
    hex: [i32; 2],
    facing: FacingEntry,
    level: i32,
    speed: i32,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum FacingEntry {
    Edge(u8),
    Word(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpecialEntry {
    kind: String,
    side: Alliance,
    aircraft: Option<String>,
    #[serde(default = "first_turn")]
    from_turn: i32,
    #[serde(default)]
    points: i64,
}

fn first_turn() -> i32 {
    1
}

/// Reads and checks `scenarios.toml`.
pub(crate) fn parse(files: &Files, hangar: &Hangar) -> Result<(Points, Vec<Scenario>), DataError> {
    let file: ScenarioFile = files.parse(FILE)?;
    let mut scenarios: Vec<Scenario> = Vec::new();
    for entry in file.scenario {
        let scenario = read(entry)?;
        check(&scenario, hangar).map_err(|why| DataError::new(FILE, format!("scenario '{}': {why}", scenario.id)))?;
        if scenarios.iter().any(|known| known.id == scenario.id) {
            return Err(DataError::new(FILE, format!("the scenario '{}' is there twice", scenario.id)));
        }
        scenarios.push(scenario);
    }
    Ok((file.victory, scenarios))
}

fn read(entry: ScenarioEntry) -> Result<Scenario, DataError> {
    let wrong = |why: String| DataError::new(FILE, format!("scenario '{}': {why}", entry.id));
    let mut aircraft = Vec::new();
    for start in entry.aircraft {
        let StartEntry { id, side, kind, pilot, grade, hex, facing, level, speed } = start;
        let facing = match facing {
            FacingEntry::Edge(edge) => Some(Direction::try_from(edge).map_err(&wrong)?),
            FacingEntry::Word(word) if word == "middle" => None,
            FacingEntry::Word(word) => return Err(wrong(format!("'{word}' is no facing of {id}"))),
        };
        aircraft.push(Start { id, side, kind, pilot, grade, hex: hex.into(), facing, level, speed });
    }
    let mut special = Vec::new();
    let mut draw_goes_to = DrawGoesTo::Nobody;
    for given in entry.special {
        let kind = match given.kind.as_str() {
            "leave-home" => SpecialKind::LeaveHome,
            "leave" => SpecialKind::Leave,
            "survive" => SpecialKind::Survive,
            "draw-goes-to" => {
                draw_goes_to = match given.side {
                    Alliance::Allied => DrawGoesTo::Allied,
                    Alliance::Central => DrawGoesTo::Central,
                };
                continue;
            }
            other => return Err(wrong(format!("'{other}' is no special condition"))),
        };
        let aircraft =
            given.aircraft.ok_or_else(|| wrong(format!("the special condition '{}' names no aircraft", given.kind)))?;
        special.push(Special { kind, side: given.side, aircraft, from_turn: given.from_turn, points: given.points });
    }
    let ScenarioEntry { id, title, date, turns, radius, top_level, note, .. } = entry;
    Ok(Scenario { id, title, date, turns, radius, top_level, note, aircraft, special, draw_goes_to })
}

/// Whether a scenario can be played.
pub(crate) fn check(scenario: &Scenario, hangar: &Hangar) -> Result<(), String> {
    if !(1..=60).contains(&scenario.turns)
        || !(2..=20).contains(&scenario.radius)
        || !(1..=30).contains(&scenario.top_level)
    {
        return Err("there are 1 to 60 turns, a radius of 2 to 20 and a top level of 1 to 30".into());
    }
    if !(2..=16).contains(&scenario.aircraft.len())
        || Alliance::ALL.iter().any(|&side| scenario.aircraft.iter().all(|start| start.side != side))
    {
        return Err("there are 2 to 16 aircraft, and each side has one".into());
    }
    for (at, start) in scenario.aircraft.iter().enumerate() {
        let id = &start.id;
        if scenario.aircraft[..at].iter().any(|other| other.id == *id) {
            return Err(format!("the aircraft '{id}' is there twice"));
        }
        if hangar.find(&start.kind).is_none() {
            return Err(format!("'{id}' is of the unknown type '{}'", start.kind));
        }
        if !on_map(start.hex, scenario.radius)
            || !(1..=scenario.top_level).contains(&start.level)
            || !(1..=20).contains(&start.speed)
        {
            return Err(format!("'{id}' starts off the map, outside the levels, or with a speed outside 1 to 20"));
        }
    }
    for special in &scenario.special {
        if scenario.aircraft.iter().all(|start| start.id != special.aircraft) {
            return Err(format!("a special condition names the unknown aircraft '{}'", special.aircraft));
        }
    }
    Ok(())
}
