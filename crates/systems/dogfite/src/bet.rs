//! The bet: made, won, lost, and what is left of the manoeuvre. (Move / Maneuver bet, Aerobatics, Bet failure)

use crate::refusals::Barred;
use crate::rule;
use crate::tables::{Tables, bet_row, failure_row};
use crate::who::Who;
use crate::words::{Maneuver, Task, counted, signed};
use flagplot_kernel::{Ask, Asked, D6, Modifier, Note};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// A bet that is about to be rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Bet {
    /// The manoeuvre.
    pub maneuver: Maneuver,
    /// The level of the bet.
    #[shape(0..=3)]
    pub level: i32,
    /// The level the table sets, if a stay in the hex was raised; the same as the level if left out.
    #[serde(rename = "required_level")]
    #[shape(0..=3, null, or = null)]
    pub required: Option<i32>,
    /// Whether the aircraft levels off with it.
    #[shape(or = false)]
    pub leveling: bool,
    /// Aerobatic points staked.
    #[serde(rename = "aerobatic_points")]
    #[shape(0..=99, or = 0)]
    pub points: i32,
    /// Effective flying skill.
    #[serde(rename = "flying_skill")]
    #[shape(-99..=99, or = 0)]
    pub flying: i32,
    /// Damage to the controls.
    #[shape(0..=99, or = 0)]
    pub control_penalty: i32,
    /// Aerobatic points of the formation leader.
    #[shape(0..=99, or = 0)]
    pub formation_points: i32,
    /// The level from which a bet causes a stress test.
    #[shape(0..=3, or = 3)]
    pub stress_bet_level: i32,
}

/// How many of each kind of task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Tasks {
    /// Aerobatic points.
    #[shape(0..=99)]
    pub aerobatics: i32,
    /// Hexsides.
    #[shape(0..=3)]
    pub facing: i32,
    /// The stay in the hex.
    #[shape(0..=1)]
    pub stay_in_hex: i32,
    /// Levelling off.
    #[shape(0..=1)]
    pub leveling: i32,
}

impl Tasks {
    pub fn total(&self) -> i32 {
        self.aerobatics + self.facing + self.stay_in_hex + self.leveling
    }

    fn kind(&mut self, task: Task) -> &mut i32 {
        match task {
            Task::Aerobatics => &mut self.aerobatics,
            Task::Facing => &mut self.facing,
            Task::StayInHex => &mut self.stay_in_hex,
            Task::Leveling => &mut self.leveling,
        }
    }

    /// `count` tasks given up in this order of kinds; kinds not named come after those that are.
    pub fn give_up(mut self, count: i32, order: &[Task]) -> Tasks {
        let mut left = count;
        let mut given = Tasks::default();
        for &task in order.iter().chain(Task::ALL) {
            let more = (*self.kind(task) - *given.kind(task)).min(left);
            *given.kind(task) += more;
            left -= more;
        }
        given
    }

    /// Every way to give up exactly `count` tasks.
    pub fn ways(&self, count: i32) -> Vec<Tasks> {
        let mut ways = Vec::new();
        for leveling in 0..=self.leveling.min(count) {
            for stay_in_hex in 0..=self.stay_in_hex.min(count - leveling) {
                for facing in 0..=self.facing.min(count - leveling - stay_in_hex) {
                    let aerobatics = count - leveling - stay_in_hex - facing;
                    if aerobatics <= self.aerobatics {
                        ways.push(Tasks { aerobatics, facing, stay_in_hex, leveling });
                    }
                }
            }
        }
        ways
    }
}

impl Bet {
    /// The number to reach with a bet of this level.
    fn number(&self, tables: &Tables, level: i32) -> i32 {
        tables.bet.cell(self.row(), level)
    }

    fn row(&self) -> usize {
        if self.points > 0 { bet_row::WITH_AEROBATICS } else { bet_row::TARGET_NUMBER }
    }

    pub fn target_number(&self, tables: &Tables) -> i32 {
        self.number(tables, self.level)
    }

    /// What is added to the dice.
    pub fn modifier(&self) -> i32 {
        self.flying - self.control_penalty - 2 * self.formation_points
    }

    /// The number the bare dice must reach.
    pub fn needs(&self, tables: &Tables) -> i32 {
        self.target_number(tables) - self.modifier()
    }

    /// The level the manoeuvre needs; a raised stay bets more.
    pub fn required(&self) -> i32 {
        self.required.unwrap_or(self.level)
    }

    pub fn tasks(&self) -> Tasks {
        Tasks {
            aerobatics: self.points,
            facing: self.maneuver.hexsides().map_or(0, i32::from),
            stay_in_hex: i32::from(self.maneuver == Maneuver::StayInHex),
            leveling: i32::from(self.leveling),
        }
    }

    /// The edge gained by winning.
    pub fn gain(&self) -> i32 {
        self.level + if self.points > 0 { (self.points + self.flying).max(0) } else { 0 }
    }

    /// The speed the bet itself costs, won or lost.
    pub fn speed_cost(&self, tables: &Tables) -> i32 {
        level_cost(tables, self.level) + i32::from(self.points > 0)
    }

    /// Whether the level alone causes a stress test.
    pub fn is_stressful(&self) -> bool {
        self.level >= self.stress_bet_level
    }

    fn is_raised_stay(&self) -> bool {
        self.maneuver == Maneuver::StayInHex && self.level > self.required()
    }
}

/// The speed a bet of a level costs.
pub fn level_cost(tables: &Tables, level: i32) -> i32 {
    -tables.bet.cell(bet_row::SPEED, level)
}

/// The most aerobatic points for a bet. (Aerobatics)
pub fn most_points(level: i32, flying: i32, aerobatic_rating: i32) -> i32 {
    (level + flying + aerobatic_rating).max(0)
}

pub fn check_points(points: i32, most: i32) -> Result<(), Barred> {
    if points > most { Err(Barred::TooManyPoints { most }) } else { Ok(()) }
}

/// The dice of a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct BetRoll {
    /// The number to reach.
    #[shape(2..=10)]
    pub target_number: i32,
    /// The dice.
    #[shape(2..=12)]
    pub roll: i32,
    /// The dice with all modifiers.
    #[shape(-999..=999)]
    pub modified: i32,
}

impl BetRoll {
    /// How far it is above the target number; negative if it missed.
    pub fn margin(&self) -> i32 {
        self.modified - self.target_number
    }

    pub fn won(&self) -> bool {
        self.margin() >= 0
    }
}

/// Rolls a bet, even one that cannot be lost, and the failure table if it is lost.
pub fn roll(tables: &Tables, bet: &Bet, who: Who<'_>, ask: &mut impl Ask) -> Asked<(BetRoll, Option<Failure>)> {
    let target = tables.bet.read(ask, rule::BET, bet.row(), bet.level);
    let sum = ask.sum(2, D6, format_args!("bet of {}", who.id))?;
    let roll = sum.total as i32;
    let made = BetRoll { target_number: target, roll, modified: roll + bet.modifier() };
    ask.note(|| {
        let end = if made.won() { "won" } else { "lost" };
        let text = format!(
            "{who} bets level {} on {}, against {target}: {}, {end} by {}.",
            bet.level,
            bet.maneuver.told(),
            made.modified,
            made.margin().abs()
        );
        let mut note = Note::new("bet", text)
            .by(&[rule::BET, rule::R_23, rule::R_24])
            .dice(&sum.faces.0)
            .modifier(Modifier::new("flying skill", bet.flying.into(), rule::R_23))
            .outcome(end)
            .pieces([who.id]);
        if bet.control_penalty != 0 {
            note = note.modifier(Modifier::new("controls hit", (-bet.control_penalty).into(), rule::CRITICAL_TABLE));
        }
        if bet.formation_points != 0 {
            let penalty = (-2 * bet.formation_points).into();
            note = note.modifier(Modifier::new("leader's aerobatics", penalty, rule::FORMATION));
        }
        if bet.points > 0 {
            note = note.by(&[rule::AEROBATICS, rule::R_28]);
        }
        if 2 + bet.modifier() >= target {
            note = note.by(&[rule::R_52]);
        }
        match bet.maneuver {
            Maneuver::Straight => note.by(&[rule::R_26]),
            Maneuver::ExitMiddle => note.by(&[rule::R_59]),
            Maneuver::BetOnly => note.by(&[rule::R_57]),
            _ => note,
        }
    });
    let failure = if made.won() { None } else { Some(failure(tables, -made.margin(), who, ask)?) };
    Ok((made, failure))
}

/// A reading of the failure table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Failure {
    /// The dice.
    #[shape(2..=12)]
    pub roll: i32,
    /// The dice less the number missed by.
    #[shape(-999..=12)]
    pub value: i32,
    /// The column read.
    #[shape(chars = 4)]
    pub column: String,
    /// Edge lost.
    #[shape(0..=6)]
    pub edge: i32,
    /// Tasks cut.
    #[serde(rename = "move")]
    #[shape(0..=3)]
    pub cut: i32,
    /// Speed lost.
    #[shape(0..=2)]
    pub speed: i32,
    /// The modifier of the stress test; null: no test.
    #[shape(-2..=0)]
    pub stress: Option<i32>,
}

/// Reads the failure table. (Bet failure; R-30)
pub fn failure(tables: &Tables, missed_by: i32, who: Who<'_>, ask: &mut impl Ask) -> Asked<Failure> {
    let sum = ask.sum(2, D6, format_args!("bet failure of {}", who.id))?;
    let value = sum.total as i32 - missed_by;
    let chart = &tables.bet_failure;
    let read = |row: usize| chart.cell(row, value).0;
    let column = match chart.column(value) {
        "<=-5" => "-5".to_owned(),
        label => label.to_owned(),
    };
    let failed = Failure {
        roll: sum.total as i32,
        value,
        column,
        edge: -read(failure_row::EDGE).unwrap_or(0),
        cut: -read(failure_row::MOVE).unwrap_or(0),
        speed: -read(failure_row::SPEED).unwrap_or(0),
        stress: read(failure_row::STRESS),
    };
    ask.note(|| {
        let rules: &[_] =
            if (-5..=4).contains(&value) { &[rule::BET_FAILURE] } else { &[rule::BET_FAILURE, rule::R_30] };
        let stress = failed.stress.map_or("no stress test".to_owned(), |n| format!("stress test {}", signed(n)));
        let (edge, cut, speed) = (failed.edge, counted(failed.cut, "task"), failed.speed);
        Note::new("bet-failure", format!("{who} loses {edge} edge, {cut} and {speed} speed; {stress}."))
            .detail()
            .by(rules)
            .table("bet-failure", "", &failed.column)
            .dice(&sum.faces.0)
            .modifier(Modifier::new("missed by", (-missed_by).into(), rule::BET_FAILURE))
            .outcome(serde_json::to_value(&failed).unwrap_or_default())
    });
    Ok(failed)
}

/// What comes of a bet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Settled {
    /// Whether it was won.
    #[serde(rename = "success")]
    pub won: bool,
    /// Edge gained, recorded before any loss.
    #[shape(0..=999)]
    pub edge_gain: i32,
    /// Edge lost.
    #[shape(0..=6)]
    pub edge_loss: i32,
    /// Speed lost, for every cause.
    #[shape(0..=9)]
    pub speed_loss: i32,
    /// What the minimum speed of this move goes up by.
    #[shape(0..=4)]
    pub min_speed_increase: i32,
    /// What the level does to the power roll.
    #[shape(-1..=0)]
    pub power_modifier: i32,
    /// What passing by three does to it.
    #[shape(0..=1)]
    pub power_bonus: i32,
    /// The lower level that a lost raised stay reaches.
    #[shape(0..=2)]
    pub lesser_level: Option<i32>,
    /// The tasks given up.
    pub cancelled: Tasks,
    /// Hexsides turned, if any were tried.
    #[shape(0..=3)]
    pub facing_done: Option<i32>,
    /// Whether it stayed in the hex, if it tried.
    pub stayed: Option<bool>,
    /// Whether it levelled off, if it tried.
    pub leveled: Option<bool>,
    /// Whether it is forced into a half dive.
    pub half_dive: bool,
    #[serde(skip)]
    pub level_stress: bool,
    #[serde(skip)]
    pub failure_stress: Option<i32>,
}

/// Settles a bet: a won one at once, a lost one with the tasks given up. (8.4, 8.5)
pub fn settle(
    tables: &Tables,
    bet: &Bet,
    roll: BetRoll,
    failure: Option<&Failure>,
    cancelled: Tasks,
    ask: &mut impl Ask,
) -> Settled {
    let tasks = bet.tasks();
    let won = failure.is_none();
    let reaches = |level: i32| roll.modified >= bet.number(tables, level);
    let lesser_level =
        if !won && bet.is_raised_stay() { (0..bet.level).rev().find(|&level| reaches(level)) } else { None };
    let edge_gain =
        if won { bet.gain() } else { (tasks.aerobatics - cancelled.aerobatics) + lesser_level.unwrap_or(0) };
    let settled = Settled {
        won,
        edge_gain,
        edge_loss: failure.map_or(0, |failure| failure.edge),
        speed_loss: bet.speed_cost(tables) + failure.map_or(0, |failure| failure.speed),
        min_speed_increase: tables.bet.cell(bet_row::MINIMUM_SPEED, bet.level),
        power_modifier: tables.bet.cell(bet_row::POWER_ROLL, bet.level),
        power_bonus: i32::from(won && bet.level >= 1 && roll.margin() >= 3),
        lesser_level,
        cancelled,
        facing_done: bet.maneuver.hexsides().map(|_| tasks.facing - cancelled.facing),
        stayed: (bet.maneuver == Maneuver::StayInHex)
            .then(|| cancelled.stay_in_hex == 0 || (bet.is_raised_stay() && reaches(bet.required()))),
        leveled: bet.leveling.then_some(cancelled.leveling == 0),
        half_dive: failure.is_some_and(|failure| failure.cut > tasks.total()),
        level_stress: bet.is_stressful(),
        failure_stress: failure.and_then(|failure| failure.stress),
    };
    ask.note(|| {
        let mut rules = vec![rule::BET, rule::R_24];
        let mut text = format!("Edge {}, speed −{}", signed(settled.edge_gain - settled.edge_loss), settled.speed_loss);
        if won && bet.points > 0 {
            rules.extend([rule::AEROBATICS, rule::R_27]);
        }
        if !won {
            rules.extend([rule::BET_FAILURE, rule::R_31]);
            text += &format!(", {} given up", counted(cancelled.total(), "task"));
            if tasks.aerobatics > cancelled.aerobatics {
                rules.push(rule::R_32);
            }
            if bet.is_raised_stay() {
                rules.push(rule::R_29);
            }
        }
        if settled.half_dive {
            text += ", forced into a half dive";
        }
        if settled.level_stress {
            text += ", stress test due";
            if bet.stress_bet_level < 3 {
                rules.push(rule::R_61);
            }
        }
        Note::new("bet-settled", text + ".").detail().by(&rules).outcome(settled.edge_gain - settled.edge_loss)
    });
    settled
}
