//! From a scenario or from a player's options to a game. (C-9, C-12, C-13)

use super::{CraftInfo, Dogfight};
use crate::Rules;
use crate::hangar::{AircraftType, Figures, Hangar};
use crate::rule;
use crate::scenario::{Scenario, Start};
use crate::victory::Grade;
use crate::words::Alliance;
use flagplot_kernel::hex::{Direction, Hex};
use flagplot_kernel::{Refusal, SeatInfo};
use flagplot_referee::{Shape, Shaped, word_of};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// The id of the pick-up game.
pub const FREE_PLAY: &str = "free-play";

/// The most aircraft of one side.
const MOST_OF_A_SIDE: usize = 8;

/// The smallest map that has room for the starting hexes of a pick-up game, three hexes from the middle. (C-13)
const LEAST_RADIUS: i64 = 3;

/// How many players share each side.
#[derive(Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SeatCounts {
    allied: usize,
    central: usize,
}

impl Default for SeatCounts {
    fn default() -> Self {
        Self { allied: 1, central: 1 }
    }
}

impl SeatCounts {
    fn of(&self, side: Alliance) -> usize {
        match side {
            Alliance::Allied => self.allied,
            Alliance::Central => self.central,
        }
    }
}

/// What a player may choose for a pick-up game.
#[derive(Serialize, Deserialize, Shaped)]
#[serde(default, deny_unknown_fields)]
struct Wishes {
    /// The Allied aircraft.
    #[shape(items = 1..=MOST_OF_A_SIDE)]
    allied: Vec<Entry>,
    /// The Central aircraft.
    #[shape(items = 1..=MOST_OF_A_SIDE)]
    central: Vec<Entry>,
    /// How many turns the game lasts.
    #[shape(1..=60)]
    turns: i32,
    /// The radius of the map, in hexes.
    #[shape(LEAST_RADIUS..=20)]
    radius: i32,
    /// The highest level.
    #[shape(1..=30)]
    top_level: i32,
    /// Whether the sides may differ by more than 2 points of value.
    uneven: bool,
}

impl Default for Wishes {
    fn default() -> Self {
        let two = |kind: &str| vec![Entry { kind: kind.into(), grade: Grade::Regular, pilot: None }; 2];
        let (allied, central) = (two("sopwith-camel"), two("fokker-d7"));
        Self { allied, central, turns: 14, radius: 6, top_level: 8, uneven: false }
    }
}

#[derive(Clone, Serialize, Deserialize, Shaped)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The aircraft.
    #[serde(rename = "type")]
    kind: String,
    /// The pilot's grade.
    #[serde(default = "regular")]
    grade: Grade,
    /// The pilot's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[shape(chars = 40)]
    pilot: Option<String>,
}

fn regular() -> Grade {
    Grade::Regular
}

/// An aircraft made from published figures by the formula.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnType {
    id: String,
    name: Option<String>,
    side: Option<Alliance>,
    guns: u8,
    source: Figures,
}

/// What a player may choose for a pick-up game, and what it is if he does not.
pub(crate) fn wishes(hangar: &Hangar) -> (Shape, Value) {
    let types = || word_of(hangar.aircraft().iter().map(|aircraft| aircraft.id.as_str()));
    let shape = Wishes::shape().with("allied.type", types()).with("central.type", types());
    (shape, json!(Wishes::default()))
}

fn bad(message: impl Into<String>) -> Refusal {
    Refusal::new("bad-options", message).by(rule::C_13)
}

fn read<T: DeserializeOwned>(options: Value) -> Result<T, Refusal> {
    serde_json::from_value(options).map_err(|error| bad(format!("The options cannot be read: {error}.")))
}

/// Takes one of the options out; the default if it is not given.
fn take<T: Default + DeserializeOwned>(options: &mut Value, key: &str) -> Result<T, Refusal> {
    match options.as_object_mut().and_then(|options| options.remove(key)) {
        None => Ok(T::default()),
        Some(value) => read(value),
    }
}

/// A game of a scenario, or a pick-up game.
pub(crate) fn game(rules: &Arc<Rules>, id: &str, options: &Value) -> Result<Dogfight, Refusal> {
    let mut options = if options.is_null() { json!({}) } else { options.clone() };
    let seats: SeatCounts = take(&mut options, "seats")?;
    if id == FREE_PLAY {
        let own = take(&mut options, "aircraft")?;
        return free_play(rules, &read(options)?, own, seats);
    }
    let Some(scenario) = rules.scenarios.iter().find(|scenario| scenario.id == id) else {
        let known = rules.scenarios.iter().map(|scenario| scenario.id.as_str()).chain([FREE_PLAY]);
        return Err(Refusal::unknown("unknown-scenario", "Dogfite! has", "scenario", id, known).by(rule::C_9));
    };
    if options.as_object().is_none_or(|options| !options.is_empty()) {
        return Err(bad("The only option of this scenario is 'seats'."));
    }
    build(rules, scenario.clone(), seats, &rules.hangar)
}

fn free_play(rules: &Arc<Rules>, wishes: &Wishes, own: Vec<OwnType>, seats: SeatCounts) -> Result<Dogfight, Refusal> {
    let mut hangar = rules.hangar.clone();
    if own.len() > 16 {
        return Err(bad("At most 16 types of your own are allowed."));
    }
    for own in own {
        own.source.check()?;
        if !(1..=2).contains(&own.guns) || own.id.is_empty() || own.id.chars().count() > 40 {
            return Err(bad("A type of your own has 1 or 2 guns and an id of 1 to 40 characters."));
        }
        let ratings = own.source.ratings(own.guns);
        let name = own.name.as_ref().unwrap_or(&own.id).chars().take(60).collect();
        let added = AircraftType {
            id: own.id,
            name,
            side: own.side.unwrap_or(Alliance::Allied),
            service_from: String::new(),
            value: ratings.value(),
            ratings,
            figures: Some(own.source),
        };
        hangar.add(added).map_err(bad)?;
    }
    if i64::from(wishes.radius) < LEAST_RADIUS {
        let text = format!("The aircraft start {LEAST_RADIUS} hexes from the middle: the radius is too small.");
        return Err(bad(text).remedy(format!("Choose a radius of at least {LEAST_RADIUS}.")));
    }
    let mut values = [0, 0];
    let mut aircraft = Vec::new();
    for (side, entries) in [(Alliance::Allied, &wishes.allied), (Alliance::Central, &wishes.central)] {
        if !(1..=MOST_OF_A_SIDE).contains(&entries.len()) {
            return Err(bad(format!("A side has 1 to {MOST_OF_A_SIDE} aircraft.")));
        }
        for (n, entry) in entries.iter().enumerate() {
            let kind = hangar.find(&entry.kind).ok_or_else(|| {
                let known: Vec<&str> = hangar.aircraft().iter().map(|aircraft| aircraft.id.as_str()).collect();
                bad(format!("There is no aircraft '{}'.", entry.kind.chars().take(40).collect::<String>()))
                    .remedy(format!("Choose one of: {}.", known.join(", ")))
            })?;
            values[side as usize] += kind.value + hangar.pilot(entry.grade).value;
            aircraft.push(start(side, n, entry, kind, wishes.top_level));
        }
    }
    if !wishes.uneven && (values[0] - values[1]).abs() > 2 {
        return Err(Refusal::new(
            "uneven",
            format!("The Allies are worth {} and the Central Powers {}: more than 2 apart.", values[0], values[1]),
        )
        .by(rule::C_13)
        .remedy("Choose other aircraft, or allow uneven sides (\"uneven\": true)."));
    }
    let scenario = Scenario {
        id: FREE_PLAY.into(),
        title: "Pick-up game".into(),
        date: String::new(),
        turns: wishes.turns,
        radius: wishes.radius,
        top_level: wishes.top_level,
        win_margin: None,
        note: String::new(),
        demonstration: None,
        aircraft,
        special: Vec::new(),
    };
    scenario.check(&hangar).map_err(bad)?;
    build(rules, scenario, seats, &hangar)
}

/// The n-th aircraft of a side in a pick-up game. (C-13)
fn start(side: Alliance, n: usize, entry: &Entry, kind: &AircraftType, top_level: i32) -> Start {
    let r = [1, 2, 0, 3][n % 4];
    let facing = if r >= 2 { 1 } else { 2 };
    let (letter, hex, facing) = match side {
        Alliance::Allied => ('A', Hex::new(-3, r), facing),
        Alliance::Central => ('C', Hex::new(3, -r), facing + 3),
    };
    let pilot = entry.pilot.clone().unwrap_or_else(|| format!("No. {}", n + 1)).chars().take(40).collect();
    Start {
        id: format!("{letter}{}", n + 1),
        side,
        kind: kind.id.clone(),
        pilot,
        grade: entry.grade,
        hex,
        facing: Some(Direction::new(facing)),
        level: top_level.min(6),
        speed: (kind.ratings.max_speed - 1).max(1),
    }
}

/// What an aircraft is called: its pilot; where two pilots are called the same, with the side or, if that does not
/// help, the id.
fn name(start: &Start, all: &[Start]) -> String {
    let Start { id, side, pilot, .. } = start;
    let same = || all.iter().filter(|other| other.id != *id && other.pilot == *pilot);
    match (same().next(), same().any(|other| other.side == *side)) {
        (None, _) => pilot.clone(),
        (Some(_), false) => format!("{} {pilot}", side.name()),
        (Some(_), true) => format!("{pilot} {id}"),
    }
}

/// Puts aircraft and seats together.
fn build(rules: &Arc<Rules>, scenario: Scenario, counts: SeatCounts, hangar: &Hangar) -> Result<Dogfight, Refusal> {
    let mut starts = scenario.aircraft.clone();
    starts.sort_by(|a, b| a.id.cmp(&b.id));
    let mut seats = Vec::new();
    let mut first_seat = [0, 0];
    for &side in Alliance::ALL {
        let aircraft = starts.iter().filter(|start| start.side == side).count();
        let count = counts.of(side);
        if !(1..=aircraft).contains(&count) {
            return Err(Refusal::new(
                "bad-options",
                format!("The {} side has {aircraft} aircraft; {count} players cannot share them.", side.name()),
            )
            .by(rule::C_9));
        }
        first_seat[side as usize] = seats.len();
        for n in 1..=count {
            let (id, name) = if count == 1 {
                (side.word().to_owned(), side.name().to_owned())
            } else {
                (format!("{side}-{n}"), format!("{} {n}", side.name()))
            };
            seats.push(SeatInfo { id, name, side: side.side() });
        }
    }
    let mut dealt = [0, 0];
    let mut craft = Vec::new();
    let names: Vec<String> = starts.iter().map(|start| name(start, &starts)).collect();
    for (start, name) in starts.into_iter().zip(names) {
        let kind = hangar.find(&start.kind).ok_or_else(|| bad(format!("There is no aircraft '{}'.", start.kind)))?;
        let side = start.side as usize;
        let seat = first_seat[side] + dealt[side] % counts.of(start.side);
        dealt[side] += 1;
        craft.push(CraftInfo {
            seat: flagplot_kernel::Seat(seat as u8),
            type_name: kind.name.clone(),
            title: format!("{name} ({})", kind.name),
            name,
            ratings: kind.ratings,
            ratings_told: kind.ratings.in_words(),
            pilot: hangar.pilot(start.grade),
            pilot_told: format!("{} ({})", start.pilot, start.grade),
            start,
        });
    }
    Ok(Dogfight { rules: Arc::clone(rules), scenario, seats, craft })
}
