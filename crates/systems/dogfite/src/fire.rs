//! Range, guns and critical hits. (Combat, Critical hits)

use crate::position::Position;
use crate::refusals::Barred;
use crate::rule;
use crate::tables::Tables;
use crate::who::Who;
use crate::words::{Pip, Pitch, counted};
use flagplot_kernel::{Ask, Asked, D6, Modifier, Note};
use flagplot_referee::{Shaped, words};
use serde::{Deserialize, Serialize};

/// Whether an aircraft can fire, and why not.
#[words]
pub enum RangeReason {
    Ok,
    TooFar,
    NotFacing,
    /// Two levels or more between them.
    Altitude,
}

/// The range between two aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct FireRange {
    /// Half hexes across; null if that is out of reach.
    #[shape(0..=2)]
    pub horizontal: Option<i32>,
    /// Half hexes for the levels; null if that is out of reach.
    #[shape(0..=2)]
    pub vertical: Option<i32>,
    /// Both together, more than 2 being out of range; null if either is.
    #[shape(0..=4)]
    pub half_hexes: Option<i32>,
    /// What that does to the gun roll; null if the aircraft cannot fire.
    #[shape(-10..=0)]
    pub modifier: Option<i32>,
    /// Whether the aircraft can fire.
    pub can_fire: bool,
    /// Why, or why not.
    pub reason: RangeReason,
}

impl FireRange {
    /// The half hexes, if the aircraft can fire.
    pub fn in_reach(&self) -> Option<i32> {
        self.half_hexes.filter(|_| self.can_fire)
    }
}

/// The farthest that guns reach, in half hexes.
pub const FARTHEST: i32 = 2;

/// The range in half hexes. (Combat)
pub fn range(tables: &Tables, firer: &Position, target: &Position) -> FireRange {
    let horizontal = match firer.hexes_to(target) {
        0 => Ok(0),
        1 => {
            let facing = firer.facing.map(|facing| firer.hex.step(facing) == target.hex);
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

pub(crate) fn note_range(range: &FireRange, ask: &mut impl Ask) {
    ask.note(|| {
        let text = match (range.half_hexes, range.modifier) {
            (Some(1), Some(modifier)) => format!("Range 1 half hex: {modifier}."),
            (Some(half_hexes), Some(modifier)) => format!("Range {half_hexes} half hexes: {modifier}."),
            _ => format!("No fire: {}.", range.reason),
        };
        let mut note =
            Note::new("range", text).detail().by(&[rule::RANGE, rule::R_43, rule::R_45]).outcome(range.reason.word());
        if let Some(half_hexes) = range.in_reach() {
            note = note.table("range", "modifier", half_hexes);
        }
        if let Some(across) = range.horizontal {
            note = note.modifier(Modifier::new("half hexes across", across.into(), rule::RANGE));
        }
        if let Some(levels) = range.vertical.filter(|levels| *levels != 0) {
            note = note.modifier(Modifier::new("half hexes for the levels", levels.into(), rule::R_44));
        }
        if range.vertical == Some(0) { note } else { note.by(&[rule::R_44]) }
    });
}

/// What a gun brings. The form takes any edge and range; the rule says which of them allow fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Gun {
    /// The firer's edge.
    #[shape(-1_000_000_000..=10)]
    pub edge: i32,
    /// The aircraft's rating.
    #[shape(-99..=99, or = 0)]
    pub firing_rating: i32,
    /// Effective shooting skill.
    #[serde(rename = "shooting_skill")]
    #[shape(-99..=99, or = 0)]
    pub shooting: i32,
    /// Range in half hexes.
    #[shape(0..=1_000_000_000, or = 0)]
    pub half_hexes: i32,
}

impl Gun {
    /// Everything but the dice.
    pub fn modifier(&self, tables: &Tables) -> i32 {
        self.edge - 10 + self.firing_rating + self.shooting + tables.range.cell(0, self.half_hexes)
    }

    /// How many hits make a critical.
    pub fn hits_per_critical(&self) -> i32 {
        (4 - self.shooting).max(2)
    }

    /// Whether the pilot may move this pip with these dice.
    pub fn check_pip(&self, dice: [u8; 2], pip: Pip) -> Result<(), Barred> {
        self.check_pip_skill(pip)?;
        let skill = pip_skill(pip);
        if skill == 0 || dice[0].abs_diff(dice[1]) == 1 { Ok(()) } else { Err(Barred::NoPip { pip, skill }) }
    }

    pub fn check_pip_skill(&self, pip: Pip) -> Result<(), Barred> {
        let skill = pip_skill(pip);
        if skill == 0 || self.shooting >= skill { Ok(()) } else { Err(Barred::NoPip { pip, skill }) }
    }

    /// Whether there is a pip to move.
    pub fn has_pips(&self, dice: [u8; 2]) -> bool {
        self.check_pip(dice, Pip::Subtract).is_ok()
    }

    /// The best pip to move: adding where that is allowed, else subtracting where it leaves a critical.
    pub fn best_pip(&self, tables: &Tables, dice: [u8; 2]) -> Pip {
        if self.check_pip(dice, Pip::Add).is_ok() {
            return Pip::Add;
        }
        let subtracts = self.has_pips(dice) && self.score(tables, dice, Pip::Subtract).criticals >= 1;
        if subtracts { Pip::Subtract } else { Pip::None }
    }

    /// Hits and criticals of a roll.
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

/// The shooting skill that moving a pip takes.
fn pip_skill(pip: Pip) -> i32 {
    match pip {
        Pip::None => 0,
        Pip::Subtract => 1,
        Pip::Add => 2,
    }
}

/// What a gun did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Burst {
    /// All modifiers of the dice.
    #[shape(-999..=999)]
    pub modifier: i32,
    /// The dice.
    #[shape(2..=12)]
    pub roll: i32,
    /// The pip that was moved.
    pub pip: Pip,
    /// Whether the dice are doubles after that.
    pub doubles: bool,
    /// Their total after that.
    #[shape(2..=12)]
    pub total: i32,
    /// Hits.
    #[shape(0..=999)]
    pub hits: i32,
    /// How many hits make a critical.
    #[shape(2..=999)]
    pub hits_per_critical: i32,
    /// Critical hits.
    #[shape(0..=999)]
    pub criticals: i32,
}

/// "3 hits, 1 critical hit".
pub(crate) fn told(hits: i32, criticals: i32) -> String {
    if (hits, criticals) == (0, 0) {
        return "no hit".to_owned();
    }
    format!("{}, {}", counted(hits, "hit"), counted(criticals, "critical hit"))
}

/// The two dice of a gun.
pub fn gun_dice(who: Who<'_>, ask: &mut impl Ask) -> Asked<[u8; 2]> {
    Ok([ask.roll(D6, format_args!("gun of {}", who.id))?, ask.roll(D6, format_args!("gun of {}", who.id))?])
}

/// What a gun does with its dice and a pip.
pub fn burst(gun: &Gun, dice: [u8; 2], pip: Pip, who: Who<'_>, tables: &Tables, ask: &mut impl Ask) -> Burst {
    let burst = gun.score(tables, dice, pip);
    ask.note(|| {
        let mut note = Note::new("gun", format!("{who}: {}.", told(burst.hits, burst.criticals)))
            .detail()
            .by(&[rule::FIRE, rule::R_46])
            .dice(&dice)
            .modifier(Modifier::new("base", -10, rule::FIRE))
            .modifier(Modifier::new("edge", gun.edge.into(), rule::FIRE))
            .modifier(Modifier::new("firing rating", gun.firing_rating.into(), rule::FIRE))
            .modifier(Modifier::new("shooting skill", gun.shooting.into(), rule::FIRE))
            .modifier(Modifier::new("range", tables.range.cell(0, gun.half_hexes).into(), rule::RANGE))
            .outcome(serde_json::json!({"hits": burst.hits, "criticals": burst.criticals}))
            .pieces([who.id]);
        if pip != Pip::None {
            let value = if pip == Pip::Add { 1 } else { -1 };
            note = note.modifier(Modifier::new("pip moved", value, rule::R_48));
        }
        if burst.doubles { note.by(&[rule::CRITICALS, rule::R_47]) } else { note }
    });
    burst
}
