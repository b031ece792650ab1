//! The end of a move: power and drag, stress, stall; spins and recovery. (Speed increase, Speed decrease, Stress, Stall / Spin)

use crate::damage::{Boxes, note_breaking_up};
use crate::rule;
use crate::tables::{StallEffect, StressEffect, Tables, bet_row};
use flagplot_kernel::{Ask, Asked, D6, Modifier, Note, Refusal};
use serde::Serialize;

/// What goes into a power roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Power {
    /// The speed before it.
    pub speed: i32,
    /// The most it can reach.
    pub max_speed: i32,
    /// The aircraft's rating.
    pub rating: i32,
    /// Damage to the engine.
    pub penalty: i32,
    /// What the bets of this move do to it.
    pub bets: i32,
    /// Whether a bet of this move was passed by three.
    pub passed_by_three: bool,
    /// The climb rating, if it climbed.
    pub climb: Option<i32>,
    /// Whether there is no engine left.
    pub engine_destroyed: bool,
}

/// A power or drag roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EngineRoll {
    /// The die.
    pub die: u8,
    /// With everything added.
    pub modified: i32,
    /// How much the speed changed, up or down.
    pub change: i32,
    /// The new speed.
    pub speed: i32,
}

impl Power {
    /// Whether the roll may be made at all.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.engine_destroyed {
            return Err(engine_destroyed());
        }
        if self.speed >= self.max_speed {
            return Err(Refusal::new(
                "at-max-speed",
                format!("Speed {} is the maximum of {} or more; power adds nothing.", self.speed, self.max_speed),
            )
            .by(rule::R_41));
        }
        Ok(())
    }

    /// Everything added to the die.
    #[must_use]
    pub fn modifier(&self) -> i32 {
        self.rating - self.penalty + self.bets + i32::from(self.passed_by_three) + self.climb.unwrap_or(0)
            - i32::from(self.speed == self.max_speed - 1)
    }
}

/// The refusal when the engine has gone.
pub(crate) fn engine_destroyed() -> Refusal {
    Refusal::new("engine-destroyed", "The engine is destroyed: the drag roll must be taken.").by(rule::DRAG)
}

/// The power roll. (Speed increase, C-5)
pub fn power(tables: &Tables, power: &Power, who: &str, ask: &mut impl Ask) -> Asked<EngineRoll> {
    let die = ask.roll(D6, format_args!("power of {who}"))?;
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
            .pieces([who]);
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

/// The drag roll. (Speed decrease)
pub fn drag(
    tables: &Tables,
    speed: i32,
    rating: i32,
    dive_points: i32,
    who: &str,
    ask: &mut impl Ask,
) -> Asked<EngineRoll> {
    let die = ask.roll(D6, format_args!("drag of {who}"))?;
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
            .pieces([who])
    });
    Ok(EngineRoll { die, modified, change: speed - after, speed: after })
}

/// A stress test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Stress {
    /// The dice.
    pub roll: i32,
    /// What damage takes off.
    pub damage_modifier: i32,
    /// What overspeed takes off.
    pub speed_modifier: i32,
    /// With everything added.
    pub modified: i32,
    /// What it does.
    pub outcome: StressEffect,
    /// The boxes after it.
    pub boxes: Boxes,
    /// Whether the aircraft is lost.
    pub destroyed: bool,
}

/// The stress test at the end of a move. (Stress)
pub fn stress(
    tables: &Tables,
    boxes: Boxes,
    speed: i32,
    max_dive: i32,
    failure_modifier: i32,
    who: &str,
    ask: &mut impl Ask,
) -> Asked<Stress> {
    let wear = boxes.wear();
    let speed_modifier = -(speed - (max_dive - wear.max_dive_reduction)).max(0);
    let sum = ask.sum(2, D6, format_args!("stress test of {who}"))?;
    let modified = sum.total as i32 + wear.stress_modifier + speed_modifier + failure_modifier;
    let outcome = tables.stress.read(ask, rule::STRESS, 0, modified);
    let mut after = boxes;
    match outcome {
        StressEffect::FillCurrent => after.fill_current(),
        StressEffect::FillCurrentAndNext => {
            after.fill_current();
            after.fill_current();
        }
        StressEffect::Destroyed | StressEffect::None => {}
    }
    let destroyed = outcome == StressEffect::Destroyed || after.used_up();
    ask.note(|| {
        let mut note = Note::new("stress", format!("{who}: stress test {modified}: {outcome}."))
            .by(&[rule::STRESS, rule::R_34, rule::R_2])
            .dice(&sum.faces.0)
            .modifier(Modifier::new("filled sets", wear.stress_modifier.into(), rule::DAMAGE))
            .modifier(Modifier::new("failed bets", failure_modifier.into(), rule::BET_FAILURE))
            .outcome(outcome.word())
            .pieces([who]);
        if speed_modifier != 0 {
            note = note.modifier(Modifier::new("overspeed", speed_modifier.into(), rule::R_56));
        }
        if matches!(outcome, StressEffect::FillCurrent | StressEffect::FillCurrentAndNext) {
            note = note.by(&[rule::R_35]);
        }
        note
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Stall {
    /// The speed at or below which it is checked.
    pub minimum: i32,
    /// Whether it was.
    pub checked: bool,
    /// The die, if one was rolled.
    pub die: Option<u8>,
    /// With everything added.
    pub modified: Option<i32>,
    /// What it does.
    pub outcome: StallEffect,
    /// The speed after it.
    pub speed: i32,
}

/// What a stall check looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slow {
    /// The speed at the end of the move.
    pub speed: i32,
    /// The aircraft's minimum speed.
    pub min_speed: i32,
    /// What bets of this move add to it.
    pub increase: i32,
    /// The aircraft's rating.
    pub spin_rating: i32,
    /// Effective flying skill.
    pub flying: i32,
}

/// The check at the end of a move. (Stall / Spin)
pub fn stall(tables: &Tables, slow: &Slow, who: &str, ask: &mut impl Ask) -> Asked<Stall> {
    let Slow { speed, min_speed, increase, spin_rating, flying } = *slow;
    let minimum = min_speed + increase;
    if speed > minimum {
        note_fast_enough(speed, minimum, who, ask);
        return Ok(Stall { minimum, checked: false, die: None, modified: None, outcome: StallEffect::None, speed });
    }
    let die = ask.roll(D6, format_args!("stall or spin of {who}"))?;
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
            .pieces([who]);
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

/// Notes that no check is due.
pub(crate) fn note_fast_enough(speed: i32, minimum: i32, who: &str, ask: &mut impl Ask) {
    ask.note(|| {
        Note::new(
            "fast-enough",
            format!("{who} at speed {speed} is above its minimum of {minimum}: no check for a stall."),
        )
        .detail()
        .by(&[rule::STALL])
        .outcome("none")
    });
}

/// The level of a bet for going into a spin or out of it.
#[must_use]
pub fn spin_bet_level(flying: i32) -> i32 {
    (1 - flying).clamp(0, 3)
}

/// Into a spin or out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpinBet {
    /// Into it.
    Enter,
    /// Out of it.
    Recover,
}

/// The dice of a spin bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpinRoll {
    /// The level.
    pub level: i32,
    /// The number to reach.
    pub target_number: i32,
    /// The dice.
    pub roll: i32,
    /// With everything added.
    pub modified: i32,
}

impl SpinRoll {
    /// Whether the bet was won.
    #[must_use]
    pub fn won(&self) -> bool {
        self.modified >= self.target_number
    }

    /// What the bet does to the power roll of a recovery.
    #[must_use]
    pub fn power(&self, tables: &Tables) -> (i32, bool) {
        (tables.bet.cell(bet_row::POWER_ROLL, self.level), self.level >= 1 && self.modified - self.target_number >= 3)
    }
}

/// Rolls a spin bet.
pub fn spin(
    tables: &Tables,
    action: SpinBet,
    flying: i32,
    control_penalty: i32,
    who: &str,
    ask: &mut impl Ask,
) -> Asked<SpinRoll> {
    let level = spin_bet_level(flying);
    let target_number = tables.bet.read(ask, rule::SPIN, bet_row::TARGET_NUMBER, level);
    let sum = ask.sum(2, D6, format_args!("spin bet of {who}"))?;
    let recovery = i32::from(action == SpinBet::Recover);
    let modified = sum.total as i32 + flying - control_penalty - recovery;
    let rolled = SpinRoll { level, target_number, roll: sum.total as i32, modified };
    ask.note(|| {
        let end = if rolled.won() { "won" } else { "lost" };
        let what = if recovery == 1 { "to recover from the spin" } else { "to go into a spin" };
        let rules: &[_] =
            if recovery == 1 { &[rule::SPIN, rule::R_39, rule::R_38] } else { &[rule::SPIN, rule::R_39, rule::R_65] };
        let mut note = Note::new(
            "spin-bet",
            format!("{who} bets level {level} {what}, against {target_number}: {modified}, {end}."),
        )
        .by(rules)
        .dice(&sum.faces.0)
        .modifier(Modifier::new("flying skill", flying.into(), rule::R_23))
        .modifier(Modifier::new("controls hit", (-control_penalty).into(), rule::CRITICAL_TABLE))
        .outcome(end)
        .pieces([who]);
        if recovery == 1 {
            note = note.modifier(Modifier::new("recovery", -1, rule::SPIN));
        }
        note
    });
    Ok(rolled)
}

/// The speed and the level after a turn of spinning: a level down, but a recovery never ends on the ground. (R-38, R-40, C-7)
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
