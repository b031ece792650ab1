//! The loss of weapons. [10.8]

use crate::armour::{area_of, penetrates, protection};
use crate::rule;
use crate::rules::Rules;
use crate::ship::{Armour, GunMount, is_lost};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Die, Note};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// A critical on the weapons of a ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct MountHit {
    /// Penetration.
    #[shape(0..=99, or = 99)]
    pub pen: i32,
    /// Direction of the hit.
    #[shape(or = Direction::Vertical)]
    pub direction: Direction,
    /// Armour of the deck above casemates.
    #[shape(0..=40, or = 0)]
    pub deck: i32,
}

impl MountHit {
    fn goes_through(&self, mount: &GunMount, ask: &mut impl Ask) -> bool {
        let area = area_of(mount);
        let armour = Armour { deck: self.deck, ..Armour::default() };
        let ac = protection(area, self.direction, &armour, mount.ac);
        penetrates(area, self.pen, ac, self.direction, ask)
    }
}

/// The kinds of mount in the order in which they are lost. [C-15]
pub const LOSS_ORDER: [&str; 6] =
    ["open", "shielded", "casemate, unarmoured", "turret, unarmoured", "casemate, armoured", "turret, armoured"];

/// The place of a mount in the order of loss: armour puts casemates and turrets last.
#[must_use]
pub fn loss_place(mount: &GunMount) -> usize {
    match (mount.mounting, mount.ac > 0) {
        (Mounting::Open, _) => 0,
        (Mounting::Shielded, _) => 1,
        (Mounting::Casemate, false) => 2,
        (Mounting::Turret, false) => 3,
        (Mounting::Casemate, true) => 4,
        (Mounting::Turret, true) => 5,
    }
}

/// The place of the first class of mounts that survives.
#[must_use]
pub fn first_class(mounts: &[GunMount], lost: u64) -> Option<usize> {
    mounts.iter().enumerate().filter(|(at, _)| !is_lost(lost, *at)).map(|(_, mount)| loss_place(mount)).min()
}

/// What became of a result on the main battery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MainLoss {
    Lost(usize),
    StoppedByArmour,
    /// There is none left, or the budget does not reach.
    CannotBeApplied,
}

/// One mount of the first class that survives. [10.8]
pub fn lose_main(
    rules: &Rules,
    mounts: &[GunMount],
    lost: &mut u64,
    budget: i32,
    blow: MountHit,
    ask: &mut impl Ask,
) -> Asked<MainLoss> {
    let Some(place) = first_class(mounts, *lost) else {
        return Ok(MainLoss::CannotBeApplied);
    };
    if budget < rules.weapon_cost(place) {
        return Ok(MainLoss::CannotBeApplied);
    }
    let class: Vec<usize> =
        (0..mounts.len()).filter(|&at| !is_lost(*lost, at) && loss_place(&mounts[at]) == place).collect();
    let at = if let [only] = class[..] {
        only
    } else {
        // At most MOST_MAIN mounts, so that the number of sides fits.
        let die = Die { sides: class.len() as u8 };
        let face = ask.roll(die, "which main mount")?;
        let at = class[usize::from(face) - 1];
        ask.note(|| {
            let text = format!("{} main mounts are next to be lost: {die} {face}: mount {}", class.len(), at + 1);
            Note::new("which-mount", text).by(&[rule::S10_8]).dice(&[face]).outcome(at + 1).detail()
        });
        at
    };
    if !blow.goes_through(&mounts[at], ask) {
        return Ok(MainLoss::StoppedByArmour);
    }
    *lost |= 1u64 << at;
    ask.note(|| {
        let text = format!("Main mount {} ({}) is lost; it uses all of the critical", at + 1, mounts[at].mounting);
        Note::new("weapons", text)
            .by(&[rule::S10_8, rule::R_8])
            .table("weapon-loss", LOSS_ORDER[place], "cost")
            .outcome(at + 1)
    });
    Ok(MainLoss::Lost(at))
}

/// Light factors that are lost with other guns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Factors {
    /// Depth charge factors.
    #[shape(0..=20, or = 0)]
    pub asw: i32,
    /// Medium range fire.
    #[shape(0..=20, or = 0)]
    pub mrf: i32,
    /// Close range fire.
    #[shape(0..=20, or = 0)]
    pub crf: i32,
}

impl Factors {
    /// Takes the next factor in order; carriers and air bases lose no depth charges. False if there is none.
    fn take(&mut self, kind: Kind) -> bool {
        let next = match self {
            Factors { asw, .. } if *asw > 0 && !kind.flies() => asw,
            Factors { mrf, .. } if *mrf > 0 => mrf,
            Factors { crf, .. } if *crf > 0 => crf,
            _ => return false,
        };
        *next -= 1;
        true
    }
}

/// Other mounts in order of loss, each taking a factor with it; then factors alone. [10.8, C-15]
pub fn lose_other(
    rules: &Rules,
    (kind, mounts): (Kind, &[GunMount]),
    lost: &mut u64,
    budget: &mut i32,
    blow: MountHit,
    factors: &mut Factors,
    ask: &mut impl Ask,
) -> LossOutcome {
    let mut order: Vec<usize> = (0..mounts.len()).filter(|&at| !is_lost(*lost, at)).collect();
    order.sort_by_key(|&at| (loss_place(&mounts[at]), at));
    let (mut taken, mut armour_held) = (0, false);
    for at in order {
        if !blow.goes_through(&mounts[at], ask) {
            armour_held = true;
            continue;
        }
        let price = rules.weapon_cost(loss_place(&mounts[at]));
        if price > *budget {
            break;
        }
        *budget -= price;
        *lost |= 1u64 << at;
        factors.take(kind);
        taken += 1;
        ask.note(|| {
            let text = format!(
                "Other mount {} ({}) is lost for {price}, and a light factor with it",
                at + 1,
                mounts[at].mounting
            );
            Note::new("weapons", text)
                .by(&[rule::S10_8, rule::C_15])
                .table("weapon-loss", LOSS_ORDER[loss_place(&mounts[at])], "cost")
                .outcome(at + 1)
        });
    }
    let none_left = (0..mounts.len()).all(|at| is_lost(*lost, at));
    if none_left {
        while *budget > 0 && factors.take(kind) {
            *budget -= 1;
            taken += 1;
            ask.note(|| Note::new("weapons", "No other mount is left: a light factor is lost for 1").by(&[rule::C_15]));
        }
    }
    match (taken, armour_held) {
        (0, true) => LossOutcome::StoppedByArmour,
        (0, false) => LossOutcome::CannotBeApplied,
        _ => LossOutcome::Applied,
    }
}

/// Torpedo mounts in the order of the sheet. [C-15]
pub fn lose_torpedoes(
    rules: &Rules,
    mounts: usize,
    lost: &mut u64,
    budget: &mut i32,
    ask: &mut impl Ask,
) -> LossOutcome {
    let price = rules.torpedo_mount_cost;
    let mut taken = 0;
    for at in 0..mounts {
        if is_lost(*lost, at) {
            continue;
        }
        if *budget < price {
            break;
        }
        *budget -= price;
        *lost |= 1u64 << at;
        taken += 1;
        ask.note(|| {
            Note::new("weapons", format!("Torpedo mount {} is lost for {price}", at + 1))
                .by(&[rule::S10_8, rule::C_15])
                .outcome(at + 1)
        });
    }
    if taken > 0 { LossOutcome::Applied } else { LossOutcome::CannotBeApplied }
}
