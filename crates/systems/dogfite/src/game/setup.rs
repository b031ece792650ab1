//! From a scenario or from a player's wishes to a game. (C-9, C-12, C-13)

use super::{CraftInfo, Dogfight};
use crate::Rules;
use crate::hangar::{AircraftType, Figures, Hangar};
use crate::rule;
use crate::scenario::{Scenario, Start, check};
use crate::victory::{DrawGoesTo, Grade};
use crate::words::Alliance;
use flagplot_kernel::hex::{Direction, Hex};
use flagplot_kernel::{Refusal, SeatInfo};
use flagplot_referee::{Shape, bool, int, list, opt, record, req, text, word, word_of};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The id of the pick-up game.
pub const FREE_PLAY: &str = "free-play";

/// The most aircraft of one side.
const MOST_OF_A_SIDE: usize = 8;

/// What may be wished for in any game.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    /// How many players share each side.
    seats: SeatCounts,
}

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

/// What may be wished for in a pick-up game.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FreeOptions {
    allied: Vec<Entry>,
    central: Vec<Entry>,
    seats: SeatCounts,
    turns: i32,
    radius: i32,
    top_level: i32,
    /// Whether the sides may differ by more than 2 points of value.
    uneven: bool,
    /// Types of the player's own.
    aircraft: Vec<OwnType>,
}

impl Default for FreeOptions {
    fn default() -> Self {
        let two = |kind: &str| {
            vec![
                Entry { kind: kind.into(), grade: Grade::Regular, pilot: None },
                Entry { kind: kind.into(), grade: Grade::Regular, pilot: None },
            ]
        };
        Self {
            allied: two("sopwith-camel"),
            central: two("fokker-d7"),
            seats: SeatCounts::default(),
            turns: 14,
            radius: 6,
            top_level: 8,
            uneven: false,
            aircraft: Vec::new(),
        }
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default = "regular")]
    grade: Grade,
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

/// What can be wished for in a pick-up game, and what it is without a wish.
pub(crate) fn wishes(hangar: &Hangar) -> (Shape, Value) {
    let FreeOptions { allied, central, turns, radius, top_level, uneven, .. } = FreeOptions::default();
    let types = || word_of(hangar.aircraft().iter().map(|aircraft| aircraft.id.as_str()));
    let aircraft = || {
        let pilot = opt("pilot", text(40), "the pilot's name");
        list(
            record(vec![req("type", types(), ""), req("grade", word(Grade::WORDS), "the pilot"), pilot]),
            1,
            MOST_OF_A_SIDE,
        )
    };
    let shape = record(vec![
        req("allied", aircraft(), ""),
        req("central", aircraft(), ""),
        req("turns", int(1, 60), "how long it lasts"),
        req("radius", int(2, 20), "of the map, in hexes"),
        req("top_level", int(1, 30), "how high one can climb"),
        req("uneven", bool(), "the sides may differ by more than 2 points of value"),
    ]);
    let side = |entries: &[Entry]| {
        entries
            .iter()
            .map(|entry| json!({"type": entry.kind, "grade": Grade::WORDS[entry.grade as usize]}))
            .collect::<Vec<_>>()
    };
    (
        shape,
        json!({"allied": side(&allied), "central": side(&central), "turns": turns, "radius": radius, "top_level": top_level, "uneven": uneven}),
    )
}

fn bad(message: impl Into<String>) -> Refusal {
    Refusal::new("bad-options", message).by(rule::C_13)
}

fn read<T: Default + for<'de> Deserialize<'de>>(options: &Value) -> Result<T, Refusal> {
    match options {
        Value::Null => Ok(T::default()),
        options => serde_json::from_value(options.clone())
            .map_err(|error| bad(format!("The options cannot be read: {error}."))),
    }
}

/// A game of a scenario, or a pick-up game.
pub(crate) fn game(rules: &Arc<Rules>, id: &str, options: &Value) -> Result<Dogfight, Refusal> {
    if id == FREE_PLAY {
        return free_play(rules, read(options)?);
    }
    let Some(scenario) = rules.scenarios.iter().find(|scenario| scenario.id == id) else {
        let known: Vec<&str> = rules.scenarios.iter().map(|scenario| scenario.id.as_str()).chain([FREE_PLAY]).collect();
        let shown: String = id.chars().take(60).collect();
        return Err(Refusal::new("unknown-scenario", format!("There is no scenario '{shown}'."))
            .by(rule::C_9)
            .remedy(format!("There are: {}.", known.join(", "))));
    };
    let options: Options = read(options)?;
    build(rules, scenario.clone(), options.seats, &rules.hangar)
}

fn free_play(rules: &Arc<Rules>, options: FreeOptions) -> Result<Dogfight, Refusal> {
    let mut hangar = rules.hangar.clone();
    if options.aircraft.len() > 16 {
        return Err(bad("There may be 16 types of your own."));
    }
    for own in &options.aircraft {
        own.source.check()?;
        if !(1..=2).contains(&own.guns) || own.id.is_empty() || own.id.chars().count() > 40 {
            return Err(bad("A type of your own has 1 or 2 guns and an id of 1 to 40 characters."));
        }
        let ratings = own.source.ratings(own.guns);
        let name = own.name.clone().unwrap_or_else(|| own.id.clone()).chars().take(60).collect();
        let added = AircraftType {
            id: own.id.clone(),
            name,
            side: own.side.unwrap_or(Alliance::Allied),
            service_from: String::new(),
            value: ratings.value(),
            ratings,
            figures: Some(own.source),
        };
        hangar.add(added).map_err(bad)?;
    }
    let mut values = [0, 0];
    let mut aircraft = Vec::new();
    for (side, entries) in [(Alliance::Allied, &options.allied), (Alliance::Central, &options.central)] {
        if !(1..=MOST_OF_A_SIDE).contains(&entries.len()) {
            return Err(bad(format!("A side has 1 to {MOST_OF_A_SIDE} aircraft.")));
        }
        for (n, entry) in entries.iter().enumerate() {
            let kind = hangar.find(&entry.kind).ok_or_else(|| {
                let known: Vec<&str> = hangar.aircraft().iter().map(|aircraft| aircraft.id.as_str()).collect();
                bad(format!("There is no aircraft '{}'.", entry.kind.chars().take(40).collect::<String>()))
                    .remedy(format!("There are: {}.", known.join(", ")))
            })?;
            values[side as usize] += kind.value + hangar.pilot(entry.grade).value;
            aircraft.push(start(side, n, entry, kind, options.top_level));
        }
    }
    if !options.uneven && (values[0] - values[1]).abs() > 2 {
        return Err(Refusal::new(
            "uneven",
            format!("The Allies are worth {} and the Central Powers {}; they may be 2 apart.", values[0], values[1]),
        )
        .by(rule::C_13)
        .remedy("Choose others, or say \"uneven\": true."));
    }
    let scenario = Scenario {
        id: FREE_PLAY.into(),
        title: "Pick-up game".into(),
        date: String::new(),
        turns: options.turns,
        radius: options.radius,
        top_level: options.top_level,
        note: String::new(),
        aircraft,
        special: Vec::new(),
        draw_goes_to: DrawGoesTo::Nobody,
    };
    check(&scenario, &hangar).map_err(bad)?;
    build(rules, scenario, options.seats, &hangar)
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
                format!("The {side} side has {aircraft} aircraft for {count} players."),
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
            title: format!("{name} ({}, {})", start.id, kind.name),
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
