//! Movement points, climbs and dives, bet levels.

use crate::Rules;
use crate::movement::{self, Leveling, Stake, VerticalMove};
use crate::refusals::Barred;
use crate::rule;
use crate::words::{Extent, Maneuver, Pitch, Vertical};
use flagplot_kernel::{Ask, Asked, D6, Modifier, Note, Refusal, Rule};
use flagplot_referee::{Procedure, Shaped, json, word};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, Shaped)]
pub(super) struct PointsInput {
    /// Its starting speed.
    #[shape(0..=99)]
    speed: i32,
    /// Speed points of its climb or dive.
    #[shape(0..=3, or = 0)]
    vertical_points: i32,
    /// Whether it spends aerobatic points.
    #[shape(or = false)]
    aerobatics: bool,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct PointsOutput {
    /// The die.
    #[shape(1..=6)]
    die: u8,
    /// The die after steepness and aerobatics.
    #[shape(-3..=6)]
    modified_die: i32,
    /// With the speed.
    #[shape(-3..=999)]
    sum: i32,
    /// Movement points.
    #[shape(0..=2)]
    mp: i32,
}

pub(super) struct MovementPoints(pub Arc<Rules>);

impl Procedure for MovementPoints {
    const NAME: &'static str = "movement-points";
    const HELP: &'static str = "The movement points of one aircraft.";
    const DICE: &'static str = "d6";
    const RULES: &'static [Rule] = &[rule::MOVEMENT_POINTS, rule::R_17];
    type Input = PointsInput;
    type Facts = PointsInput;
    type Output = PointsOutput;

    fn read(&self, input: PointsInput) -> Result<PointsInput, Refusal> {
        Ok(input)
    }

    fn run(&self, facts: &PointsInput, ask: &mut impl Ask) -> Asked<PointsOutput> {
        let PointsInput { speed, vertical_points, aerobatics } = *facts;
        let die = ask.roll(D6, "movement points")?;
        let mp = movement::movement_points(&self.0.tables, die, speed, vertical_points, aerobatics, ask);
        let sum = movement::movement_sum(die, speed, vertical_points, aerobatics);
        Ok(PointsOutput { die, modified_die: sum - speed, sum, mp })
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct ClimbInput {
    /// Its starting speed.
    #[shape(0..=99)]
    speed: i32,
    /// Up or down.
    direction: Vertical,
    /// A full level, half a level, or the second half of a move begun before.
    extent: Extent,
    /// Its level.
    #[shape(1..=99, null, or = null)]
    level: Option<i32>,
    /// The highest level.
    #[shape(1..=99, null, or = null)]
    top_level: Option<i32>,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct ClimbOutput {
    /// Speed points paid or gained.
    #[shape(0..=9)]
    points: i32,
    /// The speed for bets.
    #[shape(0..=999)]
    speed_for_bets: i32,
    /// What it does to the movement die.
    #[shape(-9..=0)]
    mp_die_modifier: i32,
    /// The pitch after it.
    pitch: Pitch,
    /// The level after it.
    #[shape(0..=99)]
    level: Option<i32>,
    /// Whether that is the ground.
    crashed: bool,
}

pub(super) struct ClimbDive(pub Arc<Rules>);

impl Procedure for ClimbDive {
    const NAME: &'static str = "climb-dive";
    const HELP: &'static str = "What a climb or dive costs or gains, and where it leads.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::CLIMB_DIVE, rule::R_19, rule::R_20];
    type Input = ClimbInput;
    type Facts = (ClimbInput, VerticalMove);
    type Output = ClimbOutput;

    fn read(&self, input: ClimbInput) -> Result<Self::Facts, Refusal> {
        let made = movement::vertical_move(&self.0.tables, input.speed, input.direction, input.extent)?;
        if let Some((level, top)) = input.level.zip(input.top_level) {
            movement::check_ceiling(input.direction, level, top)?;
        }
        Ok((input, made))
    }

    fn run(&self, (input, made): &Self::Facts, ask: &mut impl Ask) -> Asked<ClimbOutput> {
        movement::note_vertical(&self.0.tables, input.speed, input.extent, ask);
        let level = input.level.map(|level| level + made.levels);
        let mp_die_modifier = movement::steepness_modifier(made.points);
        ask.note(|| {
            let to = level.map_or(String::new(), |level| format!(", level {level}"));
            let text = format!("Speed {} to {}, pitch {}{to}.", input.speed, made.speed, made.pitch);
            let note = Note::new("vertical", text)
                .by(&[rule::CLIMB_DIVE, rule::R_18])
                .modifier(Modifier::new("movement die", mp_die_modifier.into(), rule::CLIMB_DIVE))
                .outcome(made.speed);
            if level == Some(0) { note.by(&[rule::C_7]) } else { note }
        });
        Ok(ClimbOutput {
            points: made.points,
            speed_for_bets: made.speed,
            mp_die_modifier,
            pitch: made.pitch,
            level,
            crashed: level == Some(0),
        })
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct LevelInput {
    /// Its starting speed.
    #[shape(0..=99)]
    speed: i32,
    /// What a climb or dive of this turn does to it.
    #[shape(-3..=3, or = 0)]
    vertical_change: i32,
    /// The manoeuvre.
    #[shape(with = word(&Maneuver::WORDS[..6]))]
    maneuver: Maneuver,
    /// Whether the aircraft levels off with it.
    #[shape(or = false)]
    leveling: bool,
    /// The level the pilot names.
    #[shape(0..=3, null, or = null)]
    chosen_level: Option<i32>,
    /// Whether aerobatic points go with it.
    #[shape(or = false)]
    aerobatics: bool,
}

pub(super) struct LevelFacts {
    maneuver: Maneuver,
    leveling: Leveling,
    lookup_speed: i32,
    required: Option<i32>,
    level: Option<i32>,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct LevelOutput {
    /// The column.
    #[shape(1..=12)]
    lookup_speed: i32,
    /// The level the manoeuvre needs; null if it needs no bet.
    #[shape(0..=3)]
    required_level: Option<i32>,
    /// The level bet; null if no bet is made.
    #[shape(0..=3)]
    level: Option<i32>,
    /// Whether a bet is made.
    bet: bool,
}

pub(super) struct BetLevel(pub Arc<Rules>);

impl Procedure for BetLevel {
    const NAME: &'static str = "bet-level";
    const HELP: &'static str = "The level of the bet for a manoeuvre at a speed.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::BET_LEVEL, rule::LEVELING, rule::R_21, rule::R_26];
    type Input = LevelInput;
    type Facts = LevelFacts;
    type Output = LevelOutput;

    fn read(&self, input: LevelInput) -> Result<LevelFacts, Refusal> {
        let LevelInput { speed, maneuver, aerobatics, chosen_level: chosen, .. } = input;
        if input.leveling && input.vertical_change != 0 {
            return Err(Barred::LevelingAndClimbing.into());
        }
        let tables = &self.0.tables;
        let leveling =
            if input.leveling { Leveling::Off(movement::finish_points(tables, speed)) } else { Leveling::No };
        let lookup_speed = (speed + input.vertical_change).clamp(1, 12);
        let required = movement::required_level(tables, lookup_speed, maneuver, leveling)?;
        let level = movement::bet_level(maneuver, required, leveling, Stake { chosen, aerobatics })?;
        Ok(LevelFacts { maneuver, leveling, lookup_speed, required, level })
    }

    fn run(&self, facts: &LevelFacts, ask: &mut impl Ask) -> Asked<LevelOutput> {
        let LevelFacts { maneuver, leveling, lookup_speed, required, level } = *facts;
        movement::note_required_level(&self.0.tables, lookup_speed, maneuver, leveling, ask);
        ask.note(|| {
            let needed = required.map_or("it needs no bet".to_owned(), |required| format!("it needs level {required}"));
            let made = level.map_or("the pilot makes none".to_owned(), |level| format!("the pilot bets level {level}"));
            Note::new("bet-level", format!("{maneuver} at speed {lookup_speed}: {needed}, {made}."))
                .by(&[rule::BET_LEVEL, rule::R_26])
                .outcome(json!(level))
        });
        Ok(LevelOutput { lookup_speed, required_level: required, level, bet: level.is_some() })
    }
}
