//! Scenarios: who is where when the game begins, and what counts at its end. (C-9, C-10, C-12)

use crate::hangar::Hangar;
use crate::position::on_map;
use crate::victory::{Grade, SideOrNobody};
use crate::words::Alliance;
use flagplot_kernel::hex::{Direction, Hex};
use flagplot_kernel::{DataError, Files};
use flagplot_referee::words;
use serde::{Deserialize, Deserializer, de};

const FILE: &str = "scenarios.toml";

/// What each thing is worth at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    pub destroyed: i64,
    pub destroyed_ace_extra: i64,
    pub engine_destroyed: i64,
    pub set_double_filled: i64,
    pub set_single_filled: i64,
    pub pilot_wounded: i64,
    pub left_by_neutral_side: i64,
    pub left_by_enemy_side: i64,
    /// For the side that still flies when the other has left.
    pub holds_field: i64,
    /// The same where at least half of those who left had cause.
    pub holds_field_against_cause: i64,
    /// A lead that wins.
    pub win_margin: i64,
}

/// How one aircraft starts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    pub id: String,
    pub side: Alliance,
    /// The id of its type.
    #[serde(rename = "type")]
    pub kind: String,
    pub pilot: String,
    pub grade: Grade,
    pub hex: Hex,
    /// The edge it is on; none: in the middle.
    #[serde(deserialize_with = "edge_or_middle")]
    pub facing: Option<Direction>,
    pub level: i32,
    pub speed: i32,
}

fn edge_or_middle<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Direction>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Facing {
        Edge(u8),
        Word(String),
    }
    match Facing::deserialize(deserializer)? {
        Facing::Edge(edge) => Direction::try_from(edge).map(Some).map_err(de::Error::custom),
        Facing::Word(word) if word == "middle" => Ok(None),
        Facing::Word(word) => Err(de::Error::custom(format!("'{word}' is not a facing"))),
    }
}

/// What a scenario counts beside the usual points.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Special {
    pub kind: SpecialKind,
    /// The side that gets the points.
    pub side: Alliance,
    /// The aircraft that earns them.
    pub aircraft: Option<String>,
    #[serde(default = "first_turn")]
    pub from_turn: i32,
    #[serde(default)]
    pub points: i64,
}

fn first_turn() -> i32 {
    1
}

/// Leaving by the home side, leaving by any side, being in play at the end, winning a draw, or points from the start.
#[words]
pub enum SpecialKind {
    LeaveHome,
    Leave,
    Survive,
    DrawGoesTo,
    HeadStart,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub id: String,
    pub title: String,
    pub date: String,
    pub turns: i32,
    /// The map's radius.
    pub radius: i32,
    pub top_level: i32,
    /// A lead that wins, where it is not the usual one.
    pub win_margin: Option<i64>,
    pub note: String,
    /// Why it is a demonstration, if it is one.
    pub demonstration: Option<String>,
    pub aircraft: Vec<Start>,
    #[serde(default)]
    pub special: Vec<Special>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    victory: Points,
    scenario: Vec<Scenario>,
}

/// Reads and checks `scenarios.toml`.
pub(crate) fn parse(files: &Files, hangar: &Hangar) -> Result<(Points, Vec<Scenario>), DataError> {
    let file: ScenarioFile = files.parse(FILE)?;
    for (at, scenario) in file.scenario.iter().enumerate() {
        let id = &scenario.id;
        scenario.check(hangar).map_err(|why| DataError::new(FILE, format!("scenario '{id}': {why}")))?;
        if file.scenario[..at].iter().any(|known| known.id == *id) {
            return Err(DataError::new(FILE, format!("the scenario '{id}' is in the file twice")));
        }
    }
    Ok((file.victory, file.scenario))
}

impl Scenario {
    pub(crate) fn draw_goes_to(&self) -> SideOrNobody {
        let special = self.special.iter().find(|special| special.kind == SpecialKind::DrawGoesTo);
        special.map(|special| special.side).into()
    }

    /// Whether it can be played.
    pub(crate) fn check(&self, hangar: &Hangar) -> Result<(), String> {
        if !(1..=60).contains(&self.turns) || !(2..=20).contains(&self.radius) || !(1..=30).contains(&self.top_level) {
            return Err("turns must be 1 to 60, the radius 2 to 20 and the top level 1 to 30".into());
        }
        if self.win_margin.is_some_and(|margin| !(1..=20).contains(&margin)) {
            return Err("the lead that wins must be 1 to 20".into());
        }
        let absent = |side| self.aircraft.iter().all(|start| start.side != side);
        if !(2..=16).contains(&self.aircraft.len()) || Alliance::ALL.iter().any(|&side| absent(side)) {
            return Err("there must be 2 to 16 aircraft, with at least one on each side".into());
        }
        for (at, start) in self.aircraft.iter().enumerate() {
            let id = &start.id;
            if self.aircraft[..at].iter().any(|other| other.id == *id) {
                return Err(format!("the aircraft '{id}' is listed twice"));
            }
            if hangar.find(&start.kind).is_none() {
                return Err(format!("'{id}' is of the unknown type '{}'", start.kind));
            }
            if !on_map(start.hex, self.radius)
                || !(1..=self.top_level).contains(&start.level)
                || !(1..=20).contains(&start.speed)
            {
                return Err(format!("'{id}' starts off the map, outside the levels, or with a speed outside 1 to 20"));
            }
        }
        let of_a_side = |kind| matches!(kind, SpecialKind::DrawGoesTo | SpecialKind::HeadStart);
        for special in self.special.iter().filter(|special| !of_a_side(special.kind)) {
            let Some(aircraft) = &special.aircraft else {
                return Err(format!("the special condition '{}' names no aircraft", special.kind));
            };
            if self.aircraft.iter().all(|start| start.id != *aircraft) {
                return Err(format!("a special condition names the unknown aircraft '{aircraft}'"));
            }
        }
        Ok(())
    }
}
