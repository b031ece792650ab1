//! Factors from public facts, in whole numbers only. [formula, C-10]

use crate::unit::{Factors, Kind};
use flagplot_referee::{Shape, Shaped};
use serde::{Deserialize, Serialize};

/// Public facts of a counter: totals over all of its hulls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[serde(default, deny_unknown_fields)]
pub struct Facts {
    /// hulls
    #[shape(1..=30)]
    pub ships: u32,
    /// standard displacement of all hulls
    #[shape(1..=400_000, unit = "t")]
    pub tons: u32,
    /// thickest main belt
    #[shape(0..=600, unit = "mm")]
    pub belt_mm: u32,
    /// guns of the main battery, all hulls
    #[shape(0..=200)]
    pub guns: u32,
    /// their calibre
    #[shape(0..=510, unit = "mm")]
    pub gun_mm: u32,
    /// torpedo tubes, all hulls
    #[shape(0..=300)]
    pub tubes: u32,
    /// their calibre
    #[shape(0..=700, unit = "mm")]
    pub tube_mm: u32,
    /// aircraft embarked
    #[shape(0..=400)]
    pub aircraft: u32,
}

impl Facts {
    /// Whether the facts of a counter of this kind are within the limits of the formula; if not, which is not.
    pub fn check(&self, kind: Kind) -> Result<(), String> {
        let given = serde_json::json!(self);
        for field in Self::shape().into_fields(false) {
            let Shape::Int { min, max } = field.shape else { continue };
            let (min, max) = match (kind, field.name) {
                (Kind::Convoy, "ships") => (1, 100),
                (Kind::Lba, "aircraft") => (1, max),
                (Kind::Convoy | Kind::Lba, _) => (0, max),
                _ => (min, max),
            };
            let value = given[field.name].as_i64().unwrap_or(0);
            if !(min..=max).contains(&value) {
                return Err(format!("its fact '{}' is {value}; it may be {min} to {max}", field.name));
            }
        }
        Ok(())
    }
}

/// What the formula gives: everything on a counter but its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Derived {
    #[serde(flatten)]
    pub front: Factors,
    /// Damage Factor
    #[shape(0..=255)]
    pub damage: u8,
    /// the back of the counter
    #[serde(rename = "damaged_side")]
    pub back: Option<Factors>,
    /// points for sinking it
    #[shape(0..=255)]
    pub vp: u8,
}

/// The largest number for which `fits` holds, counting up from `from`; `from` itself need not fit.
fn largest(from: u64, fits: impl Fn(u64) -> bool) -> u64 {
    let mut n = from;
    while fits(n + 1) {
        n += 1;
    }
    n
}

pub fn derive(kind: Kind, facts: &Facts) -> Derived {
    let wide = |n: u32| u64::from(n);
    let airstrike = if kind == Kind::Convoy { 0 } else { (wide(facts.aircraft) + 6) / 12 };
    let front = match kind {
        Kind::Lba => Factors {
            airstrike: small(airstrike),
            defense: small(3 + (wide(facts.aircraft) + 12) / 24),
            ..Factors::default()
        },
        Kind::Convoy => Factors { defense: small(2 + (wide(facts.ships) + 2) / 4), ..Factors::default() },
        _ => Factors {
            gunnery: if kind == Kind::Submarine { 0 } else { small(gunnery(facts)) },
            torpedo: small(torpedo(facts)),
            airstrike: small(airstrike),
            defense: small(defense(facts)),
        },
    };
    let damage = front.defense.div_ceil(2);
    let back = (damage != front.defense).then_some(Factors {
        gunnery: front.gunnery / 2,
        torpedo: front.torpedo / 2,
        airstrike: front.airstrike / 2,
        defense: damage,
    });
    Derived { front, damage, back, vp: points(kind, &front) }
}

/// Points for sinking a unit. [C-15]
pub fn points(kind: Kind, front: &Factors) -> u8 {
    match kind {
        Kind::Lba => front.defense / 2,
        Kind::Convoy => front.defense.saturating_mul(2),
        _ => front.defense.saturating_add(front.airstrike),
    }
}

fn small(n: u64) -> u8 {
    u8::try_from(n).unwrap_or(u8::MAX)
}

fn gunnery(facts: &Facts) -> u64 {
    let power = 16 * u64::from(facts.guns) * u64::from(facts.gun_mm).pow(3);
    largest(0, |g| 81 * (2 * g - 1).pow(2) * 1_000_000 <= power)
}

fn torpedo(facts: &Facts) -> u64 {
    let weight = match facts.tube_mm {
        600.. => 3,
        500.. => 2,
        _ => 1,
    };
    let power = u64::from(facts.tubes) * weight;
    largest(0, |t| 9 * t * t <= power)
}

fn defense(facts: &Facts) -> u64 {
    let fits = |d: u64| {
        let rest = 300 * d as i64 - 150 - 2 * i64::from(facts.belt_mm) - 75 * (i64::from(facts.ships) - 1);
        rest <= 0 || rest * rest <= 90 * i64::from(facts.tons)
    };
    largest(0, fits).max(1)
}
