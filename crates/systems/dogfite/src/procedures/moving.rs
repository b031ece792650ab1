//! Movement points, climbs and dives, bet levels.

use super::{LEVEL, flag, maybe, procedure, speed};
use crate::movement::{self, Leveling, Stake};
use crate::rule;
use crate::tables::Tables;
use crate::words::{Extent, Maneuver, Pitch, Vertical};
use flagplot_kernel::{Ask, D6, Modifier, Note, Refusal};
use flagplot_referee::{About, Halt, bool, int, nullable, or, record, req, word};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
pub(super) struct PointsInput {
    speed: i32,
    vertical_points: i32,
    aerobatics: bool,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct PointsOutput {
    die: u8,
    modified_die: i32,
    sum: i32,
    mp: i32,
}

procedure! {
    /// Movement points.
    MovementPoints(PointsInput) -> PointsOutput {
        about: About {
            name: "movement-points",
            help: "The movement points of one aircraft.",
            dice: "d6",
            input: record(vec![
                req("speed", speed(), "its starting speed"),
                or("vertical_points", int(0, 3), 0, "speed points of its climb or dive"),
                flag("aerobatics", "whether it spends aerobatic points"),
            ]),
            result: record(vec![
                req("die", int(1, 6), "the die"),
                req("modified_die", int(-3, 6), "the die after steepness and aerobatics"),
                req("sum", int(-3, 999), "with the speed"),
                req("mp", int(0, 2), "movement points"),
            ]),
            rules: &[rule::MOVEMENT_POINTS, rule::R_17],
        },
        check(_rules, _input) { Ok(()) }
        run(rules, input, ask) {
            let die = ask.roll(D6, "movement points")?;
            let mp = movement::movement_points(&rules.tables, die, input.speed, input.vertical_points, input.aerobatics, ask);
            let sum = movement::movement_sum(die, input.speed, input.vertical_points, input.aerobatics);
            Ok(PointsOutput { die, modified_die: sum - input.speed, sum, mp })
        }
    }
}

#[derive(Deserialize)]
pub(super) struct ClimbInput {
    speed: i32,
    direction: Vertical,
    extent: Extent,
    level: Option<i32>,
    top_level: Option<i32>,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct ClimbOutput {
    points: i32,
    speed_for_bets: i32,
    mp_die_modifier: i32,
    pitch: Pitch,
    level: Option<i32>,
    crashed: bool,
}

procedure! {
    /// A climb or dive.
    ClimbDive(ClimbInput) -> ClimbOutput {
        about: About {
            name: "climb-dive",
            help: "What a climb or dive costs or gains, and where it leads.",
            dice: "none",
            input: record(vec![
                req("speed", speed(), "its starting speed"),
                req("direction", word(Vertical::WORDS), "up or down"),
                req("extent", word(Extent::WORDS), "a full level, half a level, or the second half of a move begun before"),
                maybe("level", int(LEVEL.0, LEVEL.1), "its level"),
                maybe("top_level", int(LEVEL.0, LEVEL.1), "the highest level"),
            ]),
            result: record(vec![
                req("points", int(0, 9), "speed points paid or gained"),
                req("speed_for_bets", int(0, 999), "the speed that bets reckon with"),
                req("mp_die_modifier", int(-9, 0), "what it does to the movement die"),
                req("pitch", word(Pitch::WORDS), "the pitch after it"),
                req("level", nullable(int(0, 99)), "the level after it"),
                req("crashed", bool(), "whether that is the ground"),
            ]),
            rules: &[rule::CLIMB_DIVE, rule::R_19, rule::R_20],
        },
        check(rules, input) {
            movement::vertical_move(&rules.tables, input.speed, input.direction, input.extent)?;
            match input.level.zip(input.top_level) {
                Some((level, top)) => movement::check_ceiling(input.direction, level, top),
                None => Ok(()),
            }
        }
        run(rules, input, ask) {
            let made = movement::vertical_move(&rules.tables, input.speed, input.direction, input.extent)?;
            movement::note_vertical(&rules.tables, input.speed, input.extent, ask);
            let level = input.level.map(|level| level + made.levels);
            ask.note(|| {
                let to = level.map_or(String::new(), |level| format!(", level {level}"));
                let note = Note::new("vertical", format!("Speed {} to {}, pitch {}{to}.", input.speed, made.speed, made.pitch))
                    .by(&[rule::CLIMB_DIVE, rule::R_18])
                    .modifier(Modifier::new("movement die", made.mp_die_modifier.into(), rule::CLIMB_DIVE))
                    .outcome(made.speed);
                if level == Some(0) { note.by(&[rule::C_7]) } else { note }
            });
            Ok(ClimbOutput { points: made.points, speed_for_bets: made.speed, mp_die_modifier: made.mp_die_modifier, pitch: made.pitch, level, crashed: level == Some(0) })
        }
    }
}

#[derive(Deserialize)]
pub(super) struct LevelInput {
    speed: i32,
    vertical_change: i32,
    maneuver: Maneuver,
    leveling: bool,
    chosen_level: Option<i32>,
    aerobatics: bool,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct LevelOutput {
    lookup_speed: i32,
    required_level: Option<i32>,
    level: Option<i32>,
    bet: bool,
}

fn level(tables: &Tables, input: &LevelInput, ask: &mut impl Ask) -> Result<LevelOutput, Halt> {
    if input.leveling && input.vertical_change != 0 {
        return Err(Refusal::new("illegal-combination", "An aircraft that levels off neither climbs nor dives.")
            .by(rule::LEVELING)
            .into());
    }
    let leveling =
        if input.leveling { Leveling::Off(movement::finish_points(tables, input.speed)) } else { Leveling::No };
    let lookup_speed = (input.speed + input.vertical_change).clamp(1, 12);
    let required = movement::required_level(tables, lookup_speed, input.maneuver, leveling, ask)?;
    let level = movement::bet_level(
        input.maneuver,
        required,
        leveling,
        Stake { chosen: input.chosen_level, aerobatics: input.aerobatics },
    )?;
    ask.note(|| {
        let asked =
            required.map_or("no bet is asked for".to_owned(), |required| format!("level {required} is asked for"));
        let made = level.map_or("none is made".to_owned(), |level| format!("level {level} is bet"));
        Note::new("bet-level", format!("{} at speed {lookup_speed}: {asked}, {made}.", input.maneuver))
            .by(&[rule::BET_LEVEL, rule::R_26])
            .outcome(serde_json::json!(level))
    });
    Ok(LevelOutput { lookup_speed, required_level: required, level, bet: level.is_some() })
}

procedure! {
    /// The level of a bet.
    BetLevel(LevelInput) -> LevelOutput {
        about: About {
            name: "bet-level",
            help: "The level of the bet for a manoeuvre at a speed.",
            dice: "none",
            input: record(vec![
                req("speed", speed(), "its starting speed"),
                or("vertical_change", int(-3, 3), 0, "what a climb or dive of this turn does to it"),
                req("maneuver", word(&Maneuver::WORDS[..6]), "what is done"),
                flag("leveling", "whether the aircraft levels off with it"),
                maybe("chosen_level", int(0, 3), "the level the pilot names"),
                flag("aerobatics", "whether aerobatic points go with it"),
            ]),
            result: record(vec![
                req("lookup_speed", int(1, 12), "the column"),
                req("required_level", nullable(int(0, 3)), "the level asked for; null if no bet is"),
                req("level", nullable(int(0, 3)), "the level bet; null if no bet is made"),
                req("bet", bool(), "whether a bet is made"),
            ]),
            rules: &[rule::BET_LEVEL, rule::LEVELING, rule::R_21, rule::R_26],
        },
        check(rules, input) {
            match level(&rules.tables, input, &mut flagplot_kernel::Tape::new(Vec::new()).deaf()) {
                Err(Halt::Refused(refusal)) => Err(*refusal),
                _ => Ok(()),
            }
        }
        run(rules, input, ask) { level(&rules.tables, input, ask) }
    }
}
