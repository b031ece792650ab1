//! Movement points, climbs and dives, and the level of bets. (Variable movement points, Movement, Climbing / Diving)

use crate::rule;
use crate::tables::{Required, Tables};
use crate::words::{Extent, Maneuver, Pitch, Vertical};
use flagplot_kernel::{Ask, Modifier, Note, Refusal};

/// What a climb or dive of so many points does to the movement die. (Climbing / Diving)
#[must_use]
pub fn steepness_modifier(points: i32) -> i32 {
    -(points - 1).max(0)
}

/// The sum of the movement die, speed and reductions.
#[must_use]
pub fn movement_sum(die: u8, speed: i32, vertical_points: i32, aerobatics: bool) -> i32 {
    i32::from(die) + speed + steepness_modifier(vertical_points) - i32::from(aerobatics)
}

/// So many movement points, in words.
pub(crate) fn movement_points_in_words(points: i32) -> String {
    format!("{points} movement {}", if points == 1 { "point" } else { "points" })
}

/// Movement points out of the die. (Variable movement points; R-17)
pub fn movement_points(
    tables: &Tables,
    die: u8,
    speed: i32,
    vertical_points: i32,
    aerobatics: bool,
    ask: &mut impl Ask,
) -> i32 {
    let sum = movement_sum(die, speed, vertical_points, aerobatics);
    let points = tables.movement_points.read(ask, rule::MOVEMENT_POINTS, 0, sum);
    ask.note(|| {
        let mut note = Note::new(
            "movement-points",
            format!("Die {die} and speed {speed} make {sum}: {}.", movement_points_in_words(points)),
        )
        .detail()
        .by(&[rule::MOVEMENT_POINTS, rule::R_17, rule::R_18])
        .dice(&[die])
        .modifier(Modifier::new("speed", speed.into(), rule::MOVEMENT_POINTS))
        .outcome(points);
        if vertical_points > 1 {
            note =
                note.modifier(Modifier::new("steepness", steepness_modifier(vertical_points).into(), rule::CLIMB_DIVE));
        }
        if aerobatics {
            note = note.modifier(Modifier::new("aerobatics", -1, rule::R_28));
        }
        note
    });
    points
}

/// A climb or dive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerticalMove {
    /// Speed points paid or gained.
    pub points: i32,
    /// The speed it leaves.
    pub speed: i32,
    /// What it does to the movement die.
    pub mp_die_modifier: i32,
    /// The pitch it leaves.
    pub pitch: Pitch,
    /// Levels gained.
    pub levels: i32,
}

/// A climb or dive at a starting speed, or why it cannot be. (Climbing / Diving)
pub fn vertical_move(tables: &Tables, speed: i32, way: Vertical, extent: Extent) -> Result<VerticalMove, Refusal> {
    let Some(points) = tables.climb_dive.cell(Tables::climb_dive_row(extent), speed).0 else {
        let why = if extent == Extent::Half { rule::R_19 } else { rule::R_20 };
        return Err(Refusal::new(
            "impossible-climb-dive",
            format!("A {extent} {way} is not possible at speed {speed}."),
        )
        .by(why));
    };
    if way == Vertical::Climb && points > speed {
        return Err(Refusal::new(
            "not-enough-speed",
            format!("The climb costs {points} points of speed; there are {speed}."),
        )
        .by(rule::CLIMB_DIVE));
    }
    let (pitch, levels) = match (extent, way) {
        (Extent::Half, _) => (way.pitch(), 0),
        (_, Vertical::Climb) => (Pitch::Level, 1),
        (_, Vertical::Dive) => (Pitch::Level, -1),
    };
    Ok(VerticalMove {
        points,
        speed: speed + way.speed_change(points),
        mp_die_modifier: steepness_modifier(points),
        pitch,
        levels,
    })
}

/// Whether a climb may be begun (or finished) in a level.
pub fn check_ceiling(way: Vertical, level: i32, top_level: i32) -> Result<(), Refusal> {
    if way == Vertical::Climb && level >= top_level {
        return Err(
            Refusal::new("above-ceiling", format!("Level {top_level} is the highest there is.")).by(rule::CLIMB_DIVE)
        );
    }
    Ok(())
}

/// Notes a climb or dive.
pub(crate) fn note_vertical(tables: &Tables, speed: i32, extent: Extent, ask: &mut impl Ask) {
    if ask.listening() {
        let rule = match extent {
            Extent::Half => rule::R_19,
            Extent::Full => rule::R_20,
            Extent::Finish => rule::CLIMB_DIVE,
        };
        tables.climb_dive.read(ask, rule, Tables::climb_dive_row(extent), speed);
        if !(1..=12).contains(&speed) {
            ask.note(|| {
                Note::new("table-end", format!("Speed {speed} lies beyond the tables and reads their end."))
                    .detail()
                    .by(&[rule::R_55])
            });
        }
    }
}

/// Whether a first step also levels the aircraft off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leveling {
    /// It does not.
    No,
    /// It does; the half move would have cost so many points.
    Off(i32),
}

/// The level a manoeuvre asks for; none if it asks for no bet. (Movement; R-21)
pub fn required_level(
    tables: &Tables,
    speed: i32,
    maneuver: Maneuver,
    leveling: Leveling,
    ask: &mut impl Ask,
) -> Result<Option<i32>, Refusal> {
    let table = match Tables::bet_level_row(maneuver) {
        None => None,
        Some(row) => match tables.bet_level.read(ask, rule::BET_LEVEL, row, speed) {
            Required::Impossible => {
                return Err(Refusal::new(
                    "impossible-maneuver",
                    format!("{maneuver} is not possible at speed {speed}."),
                )
                .by(rule::BET_LEVEL));
            }
            Required::Auto => Some(None),
            Required::Level(level) => Some(Some(level)),
        },
    };
    let level = match (table, leveling) {
        (table, Leveling::No) => table.flatten(),
        (None, Leveling::Off(points)) => Some(points),
        (Some(level), Leveling::Off(points)) => {
            let level = 1 + points.max(level.unwrap_or(0));
            if level > 3 {
                return Err(Refusal::new(
                    "level-too-high",
                    format!("Levelling off together with {maneuver} would be a bet of level {level}."),
                )
                .by(rule::LEVELING));
            }
            Some(level)
        }
    };
    if let Leveling::Off(points) = leveling {
        ask.note(|| {
            Note::new("leveling", format!("Levelling off, {points} points: a bet of level {}.", level.unwrap_or(0)))
                .detail()
                .by(&[rule::LEVELING, rule::R_21])
        });
    }
    Ok(level)
}

/// What a pilot wants to stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stake {
    /// The level he names, where he may.
    pub chosen: Option<i32>,
    /// Whether aerobatic points go with it.
    pub aerobatics: bool,
}

/// The level of the bet that is made; none if none is. (8.2)
pub fn bet_level(
    maneuver: Maneuver,
    required: Option<i32>,
    leveling: Leveling,
    stake: Stake,
) -> Result<Option<i32>, Refusal> {
    let refuse = |code, text: String| Err(Refusal::new(code, text).by(rule::BET));
    let Some(chosen) = stake.chosen else {
        return Ok(required.or(stake.aerobatics.then_some(0)));
    };
    if maneuver.hexsides().is_some() {
        return refuse(
            "level-not-yours",
            "The level of a facing change is the table's, levelling off included.".into(),
        );
    }
    if let (Leveling::Off(_), Some(required)) = (leveling, required) {
        return match chosen.cmp(&required) {
            std::cmp::Ordering::Less => refuse("level-too-low", format!("The level must be at least {required}.")),
            std::cmp::Ordering::Equal => Ok(Some(chosen)),
            std::cmp::Ordering::Greater => refuse("level-not-yours", "A levelling bet cannot be raised.".into()),
        };
    }
    if maneuver.is_plain() {
        if chosen == 0 && !stake.aerobatics {
            return refuse("pointless-bet", "A bet of level 0 is only worth making with aerobatic points.".into());
        }
        return Ok(Some(chosen));
    }
    match required {
        Some(required) if chosen < required => {
            refuse("level-too-low", format!("The level must be at least {required}."))
        }
        _ => Ok(Some(chosen)),
    }
}

/// The points of the half move that an aircraft already pitched would finish.
#[must_use]
pub fn finish_points(tables: &Tables, speed: i32) -> i32 {
    tables.climb_dive.cell(Tables::climb_dive_row(Extent::Finish), speed).0.unwrap_or(1)
}
