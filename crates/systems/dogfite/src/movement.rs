//! Movement points, climbs and dives, and the level of bets. (Variable movement points, Movement, Climbing / Diving)

use crate::refusals::Barred;
use crate::rule;
use crate::tables::{Required, Tables};
use crate::words::{Extent, Maneuver, Pitch, Vertical, counted};
use flagplot_kernel::{Ask, Modifier, Note};
use std::cmp::Ordering;

/// What a climb or dive of so many points does to the movement die. (Climbing / Diving)
pub fn steepness_modifier(points: i32) -> i32 {
    -(points - 1).max(0)
}

/// The movement die with speed and reductions.
pub fn movement_sum(die: u8, speed: i32, vertical_points: i32, aerobatics: bool) -> i32 {
    i32::from(die) + speed + steepness_modifier(vertical_points) - i32::from(aerobatics)
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
        let text = format!("Die {die} and speed {speed} make {sum}: {}.", counted(points, "movement point"));
        let mut note = Note::new("movement-points", text)
            .detail()
            .by(&[rule::MOVEMENT_POINTS, rule::R_17, rule::R_18])
            .dice(&[die])
            .modifier(Modifier::new("speed", speed.into(), rule::MOVEMENT_POINTS))
            .outcome(points);
        if vertical_points > 1 {
            let steepness = steepness_modifier(vertical_points).into();
            note = note.modifier(Modifier::new("steepness", steepness, rule::CLIMB_DIVE));
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
    pub way: Vertical,
    pub extent: Extent,
    /// Speed points paid or gained.
    pub points: i32,
    pub speed: i32,
    pub pitch: Pitch,
    pub levels: i32,
}

/// A climb or dive at a starting speed, or why it cannot be. (Climbing / Diving)
pub fn vertical_move(tables: &Tables, speed: i32, way: Vertical, extent: Extent) -> Result<VerticalMove, Barred> {
    let Some(points) = tables.climb_dive.cell(Tables::climb_dive_row(extent), speed).0 else {
        return Err(match extent {
            Extent::Half => Barred::HalfMoveImpossible { extent, way, speed },
            _ => Barred::FullMoveImpossible { extent, way, speed },
        });
    };
    if way == Vertical::Climb && points > speed {
        return Err(Barred::ClimbTooDear { points, speed });
    }
    let (pitch, levels) = match (extent, way) {
        (Extent::Half, _) => (way.pitch(), 0),
        (_, Vertical::Climb) => (Pitch::Level, 1),
        (_, Vertical::Dive) => (Pitch::Level, -1),
    };
    Ok(VerticalMove { way, extent, points, speed: speed + way.speed_change(points), pitch, levels })
}

/// Whether a climb may be begun (or finished) in a level.
pub fn check_ceiling(way: Vertical, level: i32, top_level: i32) -> Result<(), Barred> {
    if way == Vertical::Climb && level >= top_level { Err(Barred::AboveCeiling { top_level }) } else { Ok(()) }
}

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
    No,
    /// The half move would have cost so many points.
    Off(i32),
}

/// The level a manoeuvre needs; none if it needs no bet. (Movement; R-21)
pub fn required_level(
    tables: &Tables,
    speed: i32,
    maneuver: Maneuver,
    leveling: Leveling,
) -> Result<Option<i32>, Barred> {
    let table = match Tables::bet_level_row(maneuver).map(|row| tables.bet_level.cell(row, speed)) {
        Some(Required::Impossible) => return Err(Barred::ManeuverImpossible { maneuver, speed }),
        None => None,
        Some(Required::Auto) => Some(None),
        Some(Required::Level(level)) => Some(Some(level)),
    };
    match (table, leveling) {
        (table, Leveling::No) => Ok(table.flatten()),
        (None, Leveling::Off(points)) => Ok(Some(points)),
        (Some(level), Leveling::Off(points)) => {
            let level = 1 + points.max(level.unwrap_or(0));
            if level > 3 { Err(Barred::LevelTooHigh { maneuver, level }) } else { Ok(Some(level)) }
        }
    }
}

/// Notes how the level of a manoeuvre was found.
pub(crate) fn note_required_level(
    tables: &Tables,
    speed: i32,
    maneuver: Maneuver,
    leveling: Leveling,
    ask: &mut impl Ask,
) {
    if let Some(row) = Tables::bet_level_row(maneuver) {
        tables.bet_level.read(ask, rule::BET_LEVEL, row, speed);
    }
    if let (Leveling::Off(points), Ok(level)) = (leveling, required_level(tables, speed, maneuver, leveling)) {
        ask.note(|| {
            let level = level.unwrap_or(0);
            Note::new("leveling", format!("Levelling off, {}: a bet of level {level}.", counted(points, "point")))
                .detail()
                .by(&[rule::LEVELING, rule::R_21])
        });
    }
}

/// What a pilot wants to stake: the level he names, where he may, and whether aerobatic points go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stake {
    pub chosen: Option<i32>,
    pub aerobatics: bool,
}

/// The level of the bet that is made; none if none is. (8.2)
pub fn bet_level(
    maneuver: Maneuver,
    required: Option<i32>,
    leveling: Leveling,
    stake: Stake,
) -> Result<Option<i32>, Barred> {
    let Some(chosen) = stake.chosen else {
        return Ok(required.or(stake.aerobatics.then_some(0)));
    };
    if maneuver.hexsides().is_some() {
        return Err(Barred::TurnLevelFixed);
    }
    if let (Leveling::Off(_), Some(required)) = (leveling, required) {
        return match chosen.cmp(&required) {
            Ordering::Less => Err(Barred::LevelTooLow { required }),
            Ordering::Equal => Ok(Some(chosen)),
            Ordering::Greater => Err(Barred::LevelingLevelFixed),
        };
    }
    match required {
        _ if maneuver.is_plain() && chosen == 0 && !stake.aerobatics => Err(Barred::BetOfNothing),
        Some(required) if !maneuver.is_plain() && chosen < required => Err(Barred::LevelTooLow { required }),
        _ => Ok(Some(chosen)),
    }
}

/// The points of the half move that a pitched aircraft would finish.
pub fn finish_points(tables: &Tables, speed: i32) -> i32 {
    tables.climb_dive.cell(Tables::climb_dive_row(Extent::Finish), speed).0.unwrap_or(1)
}
