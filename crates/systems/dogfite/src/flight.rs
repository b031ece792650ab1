//! The end of a move: power and drag, stress, stall; spins and recovery. (Speed increase, Speed decrease, Stress,
//! Stall / Spin)

use crate::bet::{self, BetRoll, Failure};
use crate::damage::{Boxes, note_breaking_up};
use crate::refusals::Barred;
use crate::rule;
use crate::tables::{StallEffect, StressEffect, Tables, bet_row};
use crate::who::Who;
use flagplot_kernel::{Ask, Asked, D6, Modifier, Note};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// What goes into a power roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Power {
    pub speed: i32,
    pub max_speed: i32,
    pub rating: i32,
    /// Damage to the engine.
    pub penalty: i32,
    /// What the bets of this move do to it.
    pub bets: i32,
    pub passed_by_three: bool,
    /// The climb rating, if it climbed.
    pub climb: Option<i32>,
    pub engine_destroyed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EngineRoll {
    pub die: u8,
    pub modified: i32,
    /// How much the speed changed, up or down.
    pub change: i32,
    pub speed: i32,
}

impl Power {
    /// Whether the roll may be made at all.
    pub fn check(&self) -> Result<(), Barred> {
        if self.engine_destroyed {
            return Err(Barred::NoEngine);
        }
        if self.speed >= self.max_speed {
            return Err(Barred::AtMaxSpeed { speed: self.speed, max_speed: self.max_speed });
        }
        Ok(())
    }

    fn modifier(&self) -> i32 {
        self.rating - self.penalty + self.bets + i32::from(self.passed_by_three) + self.climb.unwrap_or(0)
            - i32::from(self.speed == self.max_speed - 1)
    }
}

/// The power roll. (Speed increase, C-5)
pub fn power(tables: &Tables, power: &Power, who: Who<'_>, ask: &mut impl Ask) -> Asked<EngineRoll> {
    let die = ask.roll(D6, format_args!("power of {}", who.id))?;
    let modified = i32::from(die) + power.modifier();
    let gain = tables.engine.read(ask, rule::POWER, 0, modified);
    let speed = (power.speed + gain).min(power.max_speed);
    ask.note(|| {
        let mut note = Note::new("power", format!("{who}: power {modified}, speed {} to {speed}.", power.speed))
            .by(&[rule::POWER, rule::R_41, rule::R_42, rule::R_25])
            .dice(&[die])
            .modifier(Modifier::new("power rating", power.rating.into(), rule::POWER))
            .modifier(Modifier::new("bets of level 1", power.bets.into(), rule::R_25))
            .outcome(speed)
            .pieces([who.id]);
        if power.penalty != 0 {
            note = note.modifier(Modifier::new("engine hits", (-power.penalty).into(), rule::R_49));
        }
        if power.passed_by_three {
            note = note.modifier(Modifier::new("a bet passed by three", 1, rule::R_25));
        }
        if let Some(climb) = power.climb {
            note = note.modifier(Modifier::new("climb rating", climb.into(), rule::C_5));
        }
        if power.speed == power.max_speed - 1 {
            note = note.modifier(Modifier::new("near maximum speed", -1, rule::R_41));
        }
        note
    });
    Ok(EngineRoll { die, modified, change: speed - power.speed, speed })
}

/// What goes into a drag roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Drag {
    /// The speed before it.
    #[shape(0..=99)]
    pub speed: i32,
    /// The aircraft's rating.
    #[serde(rename = "drag_rating")]
    #[shape(-99..=99, or = 0)]
    pub rating: i32,
    /// Speed points of its dive.
    #[shape(0..=3, or = 0)]
    pub dive_points: i32,
}

/// The drag roll. (Speed decrease)
pub fn drag(tables: &Tables, drag: &Drag, who: Who<'_>, ask: &mut impl Ask) -> Asked<EngineRoll> {
    let Drag { speed, rating, dive_points } = *drag;
    let die = ask.roll(D6, format_args!("drag of {}", who.id))?;
    let modified = i32::from(die) + rating - dive_points;
    let loss = tables.engine.read(ask, rule::DRAG, 0, modified);
    let after = (speed - loss).max(0);
    ask.note(|| {
        Note::new("drag", format!("{who}: drag {modified}, speed {speed} to {after}."))
            .by(&[rule::DRAG, rule::R_42])
            .dice(&[die])
            .modifier(Modifier::new("drag rating", rating.into(), rule::DRAG))
            .modifier(Modifier::new("steepness of the dive", (-dive_points).into(), rule::DRAG))
            .outcome(after)
            .pieces([who.id])
    });
    Ok(EngineRoll { die, modified, change: speed - after, speed: after })
}

/// What a stress test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strain {
    pub boxes: Boxes,
    pub speed: i32,
    /// The printed maximum dive speed.
    pub max_dive: i32,
    /// Stress modifiers of lost bets.
    pub failures: i32,
}

/// A stress test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Stress {
    /// The dice.
    #[shape(2..=12)]
    pub roll: i32,
    /// What filled sets take off.
    #[shape(-99..=0)]
    pub damage_modifier: i32,
    /// What overspeed takes off.
    #[shape(-999..=0)]
    pub speed_modifier: i32,
    /// The dice with all modifiers.
    #[shape(-999..=12)]
    pub modified: i32,
    /// The result of the test.
    pub outcome: StressEffect,
    /// The boxes after it.
    pub boxes: Boxes,
    /// Whether the aircraft is lost.
    pub destroyed: bool,
}

/// The stress test at the end of a move. (Stress)
pub fn stress(tables: &Tables, strain: &Strain, who: Who<'_>, ask: &mut impl Ask) -> Asked<Stress> {
    let Strain { boxes, speed, max_dive, failures } = *strain;
    let wear = boxes.wear();
    let speed_modifier = -(speed - (max_dive - wear.max_dive_reduction)).max(0);
    let sum = ask.sum(2, D6, format_args!("stress test of {}", who.id))?;
    let modified = sum.total as i32 + wear.stress_modifier + speed_modifier + failures;
    let outcome = tables.stress.read(ask, rule::STRESS, 0, modified);
    let mut after = boxes;
    let filled = match outcome {
        StressEffect::FillCurrent => 1,
        StressEffect::FillCurrentAndNext => 2,
        StressEffect::Destroyed | StressEffect::None => 0,
    };
    after.fill(filled);
    let destroyed = outcome == StressEffect::Destroyed || after.used_up();
    ask.note(|| {
        let mut note = Note::new("stress", format!("{who}: stress test {modified}: {outcome}."))
            .by(&[rule::STRESS, rule::R_34, rule::R_2])
            .dice(&sum.faces.0)
            .modifier(Modifier::new("filled sets", wear.stress_modifier.into(), rule::DAMAGE))
            .modifier(Modifier::new("failed bets", failures.into(), rule::BET_FAILURE))
            .outcome(outcome.word())
            .pieces([who.id]);
        if speed_modifier != 0 {
            note = note.modifier(Modifier::new("overspeed", speed_modifier.into(), rule::R_56));
        }
        if filled > 0 { note.by(&[rule::R_35]) } else { note }
    });
    note_breaking_up(&after, ask);
    Ok(Stress {
        roll: sum.total as i32,
        damage_modifier: wear.stress_modifier,
        speed_modifier,
        modified,
        outcome,
        boxes: after,
        destroyed,
    })
}

/// A check for stall or spin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Stall {
    /// The speed at or below which it is checked.
    #[shape(0..=999)]
    pub minimum: i32,
    /// Whether it was.
    pub checked: bool,
    /// The die.
    #[shape(1..=6)]
    pub die: Option<u8>,
    /// The die with all modifiers.
    #[shape(-999..=999)]
    pub modified: Option<i32>,
    /// The result of the check.
    pub outcome: StallEffect,
    /// The speed after it.
    #[shape(0..=999)]
    pub speed: i32,
}

/// What a stall check looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Slow {
    /// The speed at the end of the move.
    #[shape(0..=99)]
    pub speed: i32,
    /// The aircraft's minimum speed.
    #[shape(0..=99)]
    pub min_speed: i32,
    /// What bets of this move add to it.
    #[serde(rename = "min_speed_increase")]
    #[shape(0..=99, or = 0)]
    pub increase: i32,
    /// The aircraft's rating.
    #[shape(-99..=99, or = 0)]
    pub spin_rating: i32,
    /// Effective flying skill.
    #[serde(rename = "flying_skill")]
    #[shape(-99..=99, or = 0)]
    pub flying: i32,
}

impl Slow {
    pub fn minimum(&self) -> i32 {
        self.min_speed + self.increase
    }
}

/// The check at the end of a move. (Stall / Spin)
pub fn stall(tables: &Tables, slow: &Slow, who: Who<'_>, ask: &mut impl Ask) -> Asked<Stall> {
    let Slow { speed, increase, spin_rating, flying, .. } = *slow;
    let minimum = slow.minimum();
    if speed > minimum {
        ask.note(|| {
            let text = format!("{who} at speed {speed} is above its minimum of {minimum}: no check for a stall.");
            Note::new("fast-enough", text).detail().by(&[rule::STALL]).outcome("none")
        });
        return Ok(Stall { minimum, checked: false, die: None, modified: None, outcome: StallEffect::None, speed });
    }
    let die = ask.roll(D6, format_args!("stall or spin of {}", who.id))?;
    let modified = i32::from(die) + spin_rating + flying;
    let outcome = tables.stall_spin.read(ask, rule::STALL, usize::from(speed < minimum), modified);
    let after = match outcome {
        StallEffect::None => speed,
        StallEffect::Stall => speed + 1,
        StallEffect::Spin => 0,
    };
    ask.note(|| {
        let mut note = Note::new("stall", format!("{who} at speed {speed}, minimum {minimum}: {modified}, {outcome}."))
            .by(&[rule::STALL, rule::R_36, rule::R_2])
            .dice(&[die])
            .modifier(Modifier::new("spin rating", spin_rating.into(), rule::STALL))
            .modifier(Modifier::new("flying skill", flying.into(), rule::STALL))
            .outcome(outcome.word())
            .pieces([who.id]);
        if increase > 0 {
            note = note.by(&[rule::R_60, rule::R_25]);
        }
        match outcome {
            StallEffect::None => note,
            StallEffect::Stall => note.by(&[rule::R_37]),
            StallEffect::Spin => note.by(&[rule::R_38]),
        }
    });
    Ok(Stall { minimum, checked: true, die: Some(die), modified: Some(modified), outcome, speed: after })
}

/// The level of a bet for going into a spin or out of it.
pub fn spin_bet_level(flying: i32) -> i32 {
    (1 - flying).clamp(0, 3)
}

/// Into a spin or out of it.
#[flagplot_referee::words]
pub enum SpinBet {
    Enter,
    Recover,
}

/// A bet to enter a spin or to recover from one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpinRoll {
    pub level: i32,
    pub roll: BetRoll,
    /// What a lost bet to enter costs.
    pub failure: Option<Failure>,
}

impl SpinRoll {
    pub fn won(&self) -> bool {
        self.roll.won()
    }

    pub fn speed_loss(&self, tables: &Tables) -> i32 {
        bet::level_cost(tables, self.level) + self.failure.as_ref().map_or(0, |failure| failure.speed)
    }

    /// Whether a lost bet to enter forces a half dive.
    pub fn half_dive(&self) -> bool {
        self.failure.as_ref().is_some_and(|failure| failure.cut > 1)
    }

    /// What the bet does to the power roll of a recovery.
    pub fn power(&self, tables: &Tables) -> (i32, bool) {
        (tables.bet.cell(bet_row::POWER_ROLL, self.level), self.level >= 1 && self.roll.margin() >= 3)
    }
}

/// Rolls a spin bet, and the failure table if a bet to enter is lost.
pub fn spin(
    tables: &Tables,
    action: SpinBet,
    flying: i32,
    control_penalty: i32,
    who: Who<'_>,
    ask: &mut impl Ask,
) -> Asked<SpinRoll> {
    let level = spin_bet_level(flying);
    let target_number = tables.bet.read(ask, rule::SPIN, bet_row::TARGET_NUMBER, level);
    let sum = ask.sum(2, D6, format_args!("spin bet of {}", who.id))?;
    let recovery = i32::from(action == SpinBet::Recover);
    let modified = sum.total as i32 + flying - control_penalty - recovery;
    let roll = BetRoll { target_number, roll: sum.total as i32, modified };
    ask.note(|| {
        let end = if roll.won() { "won" } else { "lost" };
        let (what, rules) = match action {
            SpinBet::Recover => ("to recover from the spin", [rule::SPIN, rule::R_39, rule::R_38]),
            SpinBet::Enter => ("to go into a spin", [rule::SPIN, rule::R_39, rule::R_65]),
        };
        let text = format!("{who} bets level {level} {what}, against {target_number}: {modified}, {end}.");
        let note = Note::new("spin-bet", text)
            .by(&rules)
            .dice(&sum.faces.0)
            .modifier(Modifier::new("flying skill", flying.into(), rule::R_23))
            .modifier(Modifier::new("controls hit", (-control_penalty).into(), rule::CRITICAL_TABLE))
            .outcome(end)
            .pieces([who.id]);
        if recovery == 1 { note.modifier(Modifier::new("recovery", -1, rule::SPIN)) } else { note }
    });
    let failure = match action {
        SpinBet::Enter if !roll.won() => Some(bet::failure(tables, -roll.margin(), who, ask)?),
        _ => None,
    };
    Ok(SpinRoll { level, roll, failure })
}

/// Speed and level after a turn of spinning: a level down, but a recovery never ends on the ground. (R-38, R-40, C-7)
pub fn after_spinning(recovered: bool, level: Option<i32>, ask: &mut impl Ask) -> (i32, Option<i32>) {
    let lowest = i32::from(recovered);
    let after = level.map(|level| (level - 1).max(lowest));
    let speed = if recovered { 2 } else { 0 };
    ask.note(|| {
        let to = after.map_or(String::new(), |level| format!(" to level {level}"));
        let (text, rules): (_, &[_]) = if recovered {
            (format!("Out of the spin{to} at speed 2."), &[rule::SPIN, rule::R_40, rule::R_66, rule::C_7])
        } else {
            (format!("The spin goes on, down{to}."), &[rule::SPIN, rule::R_38, rule::C_7])
        };
        Note::new("spin", text).detail().by(rules).outcome(speed)
    });
    (speed, after)
}
