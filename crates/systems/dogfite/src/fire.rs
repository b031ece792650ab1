//! Range, guns and critical hits. (Combat, Critical hits)

use crate::position::Position;
use crate::rule;
use crate::tables::Tables;
use crate::words::{Pip, Pitch, words};
use flagplot_kernel::hex::Direction;
use flagplot_kernel::{Ask, Asked, D6, Modifier, Note, Refusal};
use serde::Serialize;

words! {
    /// Whether fire is possible, and why not.
    RangeReason {
        /// It is.
        Ok = "ok",
        /// Too far away.
        TooFar = "too-far",
        /// The nose points elsewhere.
        NotFacing = "not-facing",
        /// Two levels or more between them.
        Altitude = "altitude",
    }
}

/// The range between two aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct FireRange {
    /// Half hexes across.
    pub horizontal: Option<i32>,
    /// Half hexes for the levels.
    pub vertical: Option<i32>,
    /// Both together; more than 2 are out of range.
    pub half_hexes: Option<i32>,
    /// What that does to the gun roll.
    pub modifier: Option<i32>,
    /// Whether fire is possible.
    pub can_fire: bool,
    /// Why, or why not.
    pub reason: RangeReason,
}

impl FireRange {
    /// The half hexes at which fire is possible.
    #[must_use]
    pub fn in_reach(&self) -> Option<i32> {
        self.half_hexes.filter(|_| self.can_fire)
    }
}

/// The farthest that guns reach, in half hexes.
const FARTHEST: i32 = 2;

/// The range in half hexes. (Combat)
#[must_use]
pub fn range(tables: &Tables, firer: &Position, target: &Position) -> FireRange {
    let horizontal = match firer.hexes_to(target) {
        0 => Ok(0),
        1 => {
            let facing = firer.facing.map(|facing| facing_hex(firer, facing) == target.hex);
            match (facing, target.facing) {
                (Some(false), _) => Err(RangeReason::NotFacing),
                (Some(true), None) => Ok(1),
                (None, _) | (Some(true), Some(_)) => Ok(2),
            }
        }
        _ => Err(RangeReason::TooFar),
    };
    let vertical = match (firer.level - target.level, firer.pitch) {
        (0, _) | (1, Pitch::Diving) => Ok(0),
        (1, _) | (-1, Pitch::Climbing) => Ok(1),
        (-1, _) => Ok(2),
        _ => Err(RangeReason::Altitude),
    };
    let sum = horizontal.and_then(|across| vertical.map(|up| across + up));
    let within = sum.and_then(|sum| if sum <= FARTHEST { Ok(sum) } else { Err(RangeReason::TooFar) });
    FireRange {
        horizontal: horizontal.ok(),
        vertical: vertical.ok(),
        half_hexes: sum.ok(),
        modifier: within.ok().map(|sum| tables.range.cell(0, sum)),
        can_fire: within.is_ok(),
        reason: within.err().unwrap_or(RangeReason::Ok),
    }
}

fn facing_hex(firer: &Position, facing: Direction) -> flagplot_kernel::hex::Hex {
    firer.hex.step(facing)
}

/// Notes a range.
pub(crate) fn note_range(range: &FireRange, ask: &mut impl Ask) {
    ask.note(|| {
        let text = match (range.half_hexes, range.modifier) {
            (Some(half_hexes), Some(modifier)) => format!("Range {half_hexes} half hexes: {modifier}."),
            _ => format!("No fire: {}.", range.reason),
        };
        let mut note =
            Note::new("range", text).detail().by(&[rule::RANGE, rule::R_43, rule::R_45]).outcome(range.reason.word());
        if let (Some(half_hexes), true) = (range.half_hexes, range.can_fire) {
            note = note.table("range", "modifier", half_hexes);
        }
        if let Some(across) = range.horizontal {
            note = note.modifier(Modifier::new("half hexes across", across.into(), rule::RANGE));
        }
        if let Some(levels) = range.vertical.filter(|levels| *levels != 0) {
            note = note.modifier(Modifier::new("half hexes for the levels", levels.into(), rule::R_44));
        }
        if range.vertical != Some(0) {
            note = note.by(&[rule::R_44]);
        }
        note
    });
}

/// What a gun brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gun {
    /// The firer's edge.
    pub edge: i32,
    /// The aircraft as a gun platform.
    pub firing_rating: i32,
    /// Effective shooting skill.
    pub shooting: i32,
    /// Range.
    pub half_hexes: i32,
}

impl Gun {
    /// Everything but the dice.
    #[must_use]
    pub fn modifier(&self, tables: &Tables) -> i32 {
        self.edge - 10 + self.firing_rating + self.shooting + tables.range.cell(0, self.half_hexes)
    }

    /// So many hits make a critical.
    #[must_use]
    pub fn hits_per_critical(&self) -> i32 {
        (4 - self.shooting).max(2)
    }

    /// The pips that the pilot may move with these dice.
    #[must_use]
    pub fn pips(&self, dice: [u8; 2]) -> &'static [Pip] {
        match (dice[0].abs_diff(dice[1]), self.shooting) {
            (1, 2..) => &[Pip::None, Pip::Subtract, Pip::Add],
            (1, 1) => &[Pip::None, Pip::Subtract],
            _ => &[Pip::None],
        }
    }

    /// The best pip to move: adding where that is allowed, else subtracting where it leaves a critical.
    #[must_use]
    pub fn best_pip(&self, tables: &Tables, dice: [u8; 2]) -> Pip {
        let pips = self.pips(dice);
        if pips.contains(&Pip::Add) {
            return Pip::Add;
        }
        let subtracts = pips.contains(&Pip::Subtract) && self.score(tables, dice, Pip::Subtract).criticals >= 1;
        if subtracts { Pip::Subtract } else { Pip::None }
    }

    /// Hits and criticals of a roll.
    #[must_use]
    pub fn score(&self, tables: &Tables, dice: [u8; 2], pip: Pip) -> Burst {
        let roll = i32::from(dice[0]) + i32::from(dice[1]);
        let total = match pip {
            Pip::None => roll,
            Pip::Subtract => roll - 1,
            Pip::Add => roll + 1,
        };
        let doubles = pip != Pip::None || dice[0] == dice[1];
        let hits = (total + self.modifier(tables)).max(0);
        let hits_per_critical = self.hits_per_critical();
        Burst {
            modifier: self.modifier(tables),
            roll,
            pip,
            doubles,
            total,
            hits,
            hits_per_critical,
            criticals: if doubles { hits / hits_per_critical } else { 0 },
        }
    }
}

/// What a gun did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Burst {
    /// Everything but the dice.
    pub modifier: i32,
    /// The dice.
    pub roll: i32,
    /// The pip that was moved.
    pub pip: Pip,
    /// Whether they are doubles, after that.
    pub doubles: bool,
    /// Their total, after that.
    pub total: i32,
    /// Hits.
    pub hits: i32,
    /// So many hits make a critical.
    pub hits_per_critical: i32,
    /// Criticals.
    pub criticals: i32,
}

/// Refuses a pip that may not be moved.
pub(crate) fn no_pip(pip: Pip) -> Refusal {
    let need = if pip == Pip::Add { "a shooting skill of 2" } else { "a shooting skill of 1" };
    Refusal::new("no-pip", format!("To {pip} a pip takes {need} and dice that differ by one.")).by(rule::R_48)
}

/// The two dice of a gun.
pub fn gun_dice(who: &str, ask: &mut impl Ask) -> Asked<[u8; 2]> {
    Ok([ask.roll(D6, format_args!("gun of {who}"))?, ask.roll(D6, format_args!("gun of {who}"))?])
}

/// Notes what a gun did.
pub(crate) fn note_burst(gun: &Gun, burst: &Burst, dice: [u8; 2], who: &str, tables: &Tables, ask: &mut impl Ask) {
    ask.note(|| {
        let mut note = Note::new("gun", format!("{who}: {} hits, {} criticals.", burst.hits, burst.criticals))
            .by(&[rule::FIRE, rule::R_46])
            .dice(&dice)
            .modifier(Modifier::new("base", -10, rule::FIRE))
            .modifier(Modifier::new("edge", gun.edge.into(), rule::FIRE))
            .modifier(Modifier::new("firing rating", gun.firing_rating.into(), rule::FIRE))
            .modifier(Modifier::new("shooting skill", gun.shooting.into(), rule::FIRE))
            .modifier(Modifier::new("range", tables.range.cell(0, gun.half_hexes).into(), rule::RANGE))
            .outcome(serde_json::json!({"hits": burst.hits, "criticals": burst.criticals}))
            .pieces([who]);
        if burst.pip != Pip::None {
            let value = if burst.pip == Pip::Add { 1 } else { -1 };
            note = note.modifier(Modifier::new("pip moved", value, rule::R_48));
        }
        if burst.doubles {
            note = note.by(&[rule::CRITICALS, rule::R_47]);
        }
        note
    });
}
