//! The bet: made, won, lost, and what is left of the manoeuvre. (Move / Maneuver bet, Aerobatics, Bet failure)

use crate::rule;
use crate::tables::{Tables, bet_row, failure_row};
use crate::words::{Maneuver, Task, signed};
use flagplot_kernel::{Ask, Asked, D6, Modifier, Note, Refusal};
use serde::Serialize;

/// A bet that is about to be rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bet {
    /// What it is made for.
    pub maneuver: Maneuver,
    /// Its level, 0 to 3.
    pub level: i32,
    /// The level the manoeuvre asks for; a raised stay in hex bets more.
    pub required: i32,
    /// Whether the aircraft also levels off by it.
    pub leveling: bool,
    /// Aerobatic points staked.
    pub points: i32,
    /// Effective flying skill.
    pub flying: i32,
    /// Damage to the controls.
    pub control_penalty: i32,
    /// Aerobatic points of the leader whom this aircraft follows.
    pub formation_points: i32,
    /// The level from which on a bet calls for a stress test.
    pub stress_bet_level: i32,
}

/// How many of each kind of task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tasks {
    /// Aerobatic points.
    pub aerobatics: i32,
    /// Hexsides.
    pub facing: i32,
    /// Staying in the hex.
    pub stay_in_hex: i32,
    /// Levelling off.
    pub leveling: i32,
}

impl Tasks {
    /// All of them together.
    #[must_use]
    pub fn total(&self) -> i32 {
        self.aerobatics + self.facing + self.stay_in_hex + self.leveling
    }

    /// How many of one kind.
    #[must_use]
    pub fn of(&self, task: Task) -> i32 {
        match task {
            Task::Aerobatics => self.aerobatics,
            Task::Facing => self.facing,
            Task::StayInHex => self.stay_in_hex,
            Task::Leveling => self.leveling,
            Task::Spin => 0,
        }
    }

    fn of_mut(&mut self, task: Task) -> Option<&mut i32> {
        match task {
            Task::Aerobatics => Some(&mut self.aerobatics),
            Task::Facing => Some(&mut self.facing),
            Task::StayInHex => Some(&mut self.stay_in_hex),
            Task::Leveling => Some(&mut self.leveling),
            Task::Spin => None,
        }
    }

    /// `count` tasks given up in this order of kinds; kinds not named come after those that are.
    #[must_use]
    pub fn give_up(&self, count: i32, order: &[Task]) -> Tasks {
        const USUAL: [Task; 4] = [Task::Aerobatics, Task::Facing, Task::StayInHex, Task::Leveling];
        let mut left = count;
        let mut given = Tasks::default();
        for &task in order.iter().chain(&USUAL) {
            let more = (self.of(task) - given.of(task)).min(left);
            if let Some(kind) = given.of_mut(task) {
                *kind += more;
                left -= more;
            }
        }
        given
    }

    /// Every way to give up exactly `count` tasks.
    #[must_use]
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
    /// The number to reach.
    #[must_use]
    pub fn target_number(&self, tables: &Tables) -> i32 {
        self.number_of(tables, self.level)
    }

    fn number_of(&self, tables: &Tables, level: i32) -> i32 {
        let row = if self.points > 0 { bet_row::WITH_AEROBATICS } else { bet_row::TARGET_NUMBER };
        tables.bet.cell(row, level)
    }

    /// What is added to the dice.
    #[must_use]
    pub fn modifier(&self) -> i32 {
        self.flying - self.control_penalty - 2 * self.formation_points
    }

    /// What the manoeuvre is made of.
    #[must_use]
    pub fn tasks(&self) -> Tasks {
        Tasks {
            aerobatics: self.points,
            facing: self.maneuver.hexsides().map_or(0, i32::from),
            stay_in_hex: i32::from(self.maneuver == Maneuver::StayInHex),
            leveling: i32::from(self.leveling),
        }
    }

    /// The speed the bet itself costs, won or lost.
    #[must_use]
    pub fn speed_cost(&self, tables: &Tables) -> i32 {
        -tables.bet.cell(bet_row::SPEED, self.level) + i32::from(self.points > 0)
    }

    /// Whether the level alone calls for a stress test.
    #[must_use]
    pub fn is_stressful(&self) -> bool {
        self.level >= self.stress_bet_level
    }

    /// Whether a stay was bet higher than it had to be.
    #[must_use]
    pub fn is_raised_stay(&self) -> bool {
        self.maneuver == Maneuver::StayInHex && self.level > self.required
    }
}

/// The most aerobatic points for a bet. (Aerobatics)
#[must_use]
pub fn most_points(level: i32, flying: i32, aerobatic_rating: i32) -> i32 {
    (level + flying + aerobatic_rating).max(0)
}

/// Whether so many points may be staked.
pub fn check_points(points: i32, most: i32) -> Result<(), Refusal> {
    if points > most {
        return Err(
            Refusal::new("too-many-points", format!("At most {most} aerobatic points here.")).by(rule::AEROBATICS)
        );
    }
    Ok(())
}

/// The dice of a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BetRoll {
    /// The dice.
    pub roll: i32,
    /// With everything added.
    pub modified: i32,
    /// Above the target number; negative if it was missed.
    pub margin: i32,
}

impl BetRoll {
    /// Whether it was won.
    #[must_use]
    pub fn won(&self) -> bool {
        self.margin >= 0
    }
}

/// Rolls a bet. It is always rolled, even if it cannot be lost.
pub fn roll(tables: &Tables, bet: &Bet, who: &str, ask: &mut impl Ask) -> Asked<BetRoll> {
    let row = if bet.points > 0 { bet_row::WITH_AEROBATICS } else { bet_row::TARGET_NUMBER };
    let target = tables.bet.read(ask, rule::BET, row, bet.level);
    let sum = ask.sum(2, D6, format_args!("bet of {who}"))?;
    let roll = sum.total as i32;
    let modified = roll + bet.modifier();
    let made = BetRoll { roll, modified, margin: modified - target };
    ask.note(|| {
        let end = if made.won() { "won" } else { "lost" };
        let mut note = Note::new(
            "bet",
            format!(
                "{who} bets level {} on {}, against {target}: {modified}, {end} by {}.",
                bet.level,
                bet.maneuver.told(),
                made.margin.abs()
            ),
        )
        .by(&[rule::BET, rule::R_23, rule::R_24])
        .dice(&sum.faces.0)
        .modifier(Modifier::new("flying skill", bet.flying.into(), rule::R_23))
        .outcome(end)
        .pieces([who]);
        if bet.control_penalty != 0 {
            note = note.modifier(Modifier::new("controls hit", (-bet.control_penalty).into(), rule::CRITICAL_TABLE));
        }
        if bet.formation_points != 0 {
            note = note.modifier(Modifier::new(
                "leader's aerobatics",
                (-2 * bet.formation_points).into(),
                rule::FORMATION,
            ));
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
    Ok(made)
}

/// A reading of the failure table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Failure {
    /// The dice.
    pub roll: i32,
    /// The dice less the number missed by.
    pub value: i32,
    /// The column read.
    pub column: String,
    /// Edge lost.
    pub edge: i32,
    /// Tasks cut.
    #[serde(rename = "move")]
    pub cut: i32,
    /// Speed lost.
    pub speed: i32,
    /// The modifier of the stress test; none: no test.
    pub stress: Option<i32>,
}

/// Reads the failure table. (Bet failure; R-30)
pub fn failure(tables: &Tables, missed_by: i32, who: &str, ask: &mut impl Ask) -> Asked<Failure> {
    let sum = ask.sum(2, D6, format_args!("bet failure of {who}"))?;
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
        let stress =
            failed.stress.map_or("no stress test".to_owned(), |modifier| format!("stress test {}", signed(modifier)));
        Note::new(
            "bet-failure",
            format!("{who} loses {} edge, {} tasks and {} speed; {stress}.", failed.edge, failed.cut, failed.speed),
        )
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settled {
    /// Whether it was won.
    pub won: bool,
    /// Edge gained, to be recorded before any loss.
    pub edge_gain: i32,
    /// Edge lost.
    pub edge_loss: i32,
    /// Speed lost, for every cause.
    pub speed_loss: i32,
    /// What the minimum speed of this move goes up by.
    pub min_speed_increase: i32,
    /// What the level does to the power roll.
    pub power_modifier: i32,
    /// What passing by three does to the power roll.
    pub power_bonus: i32,
    /// The lower level that a lost raised stay reaches.
    pub lesser_level: Option<i32>,
    /// What was given up.
    pub cancelled: Tasks,
    /// Hexsides turned, if any were tried.
    pub facing_done: Option<i32>,
    /// Whether it stayed in the hex, if that was tried.
    pub stayed: Option<bool>,
    /// Whether it levelled off, if that was tried.
    pub leveled: Option<bool>,
    /// Whether it is forced into a half dive.
    pub half_dive: bool,
    /// Whether the level of the bet calls for a stress test.
    pub level_stress: bool,
    /// The modifier of a stress test that the failure calls for.
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
    let required_reached = roll.modified >= bet.number_of(tables, bet.required);
    let lesser_level = if !won && bet.is_raised_stay() {
        (0..bet.level).rev().find(|&level| roll.modified >= bet.number_of(tables, level))
    } else {
        None
    };
    let edge_gain = if won {
        bet.level + if bet.points > 0 { (bet.points + bet.flying).max(0) } else { 0 }
    } else {
        (tasks.aerobatics - cancelled.aerobatics) + lesser_level.unwrap_or(0)
    };
    let settled = Settled {
        won,
        edge_gain,
        edge_loss: failure.map_or(0, |failure| failure.edge),
        speed_loss: bet.speed_cost(tables) + failure.map_or(0, |failure| failure.speed),
        min_speed_increase: tables.bet.cell(bet_row::MINIMUM_SPEED, bet.level),
        power_modifier: tables.bet.cell(bet_row::POWER_ROLL, bet.level),
        power_bonus: i32::from(won && bet.level >= 1 && roll.margin >= 3),
        lesser_level,
        cancelled,
        facing_done: bet.maneuver.hexsides().map(|_| tasks.facing - cancelled.facing),
        stayed: (bet.maneuver == Maneuver::StayInHex)
            .then(|| cancelled.stay_in_hex == 0 || (bet.is_raised_stay() && required_reached)),
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
            text += &format!(", {} tasks given up", cancelled.total());
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
