//! What the dice of a round do to a unit: the five boxes. [sequence-4, damage-points, boxes]

use crate::rule;
use crate::unit::{Counter, Kind};
use flagplot_kernel::{Ask, Effect, Note, Rule};
use flagplot_referee::{Shaped, words};
use serde::{Deserialize, Serialize};

#[words]
pub enum BoxName {
    LineOfBattle,
    /// Flips, and goes back to the line.
    DamagedReduced,
    Disabled,
    DamagedAndDisabled,
    SunkDestroyed,
}

impl BoxName {
    pub fn title(self) -> &'static str {
        ["Line of Battle", "Damaged/Reduced", "Disabled", "Damaged & Disabled", "Sunk/Destroyed"][self as usize]
    }
}

#[words]
pub enum Destination {
    LineOfBattle,
    NavalWarfareDelayBox,
    DelayBox,
    RemovedFromPlay,
}

impl Destination {
    pub fn title(self) -> &'static str {
        ["the Line of Battle", "the Naval Warfare Delay Box", "the Delay Box", "removed from play"][self as usize]
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Taken {
    /// Damage Points of all hits, added up.
    pub damage_points: u32,
    /// Whether there was any Disabled result; several are one.
    pub disabled: bool,
}

impl Taken {
    pub fn and(self, more: Taken) -> Taken {
        Taken { damage_points: self.damage_points + more.damage_points, disabled: self.disabled || more.disabled }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Fate {
    /// its box
    #[serde(rename = "box")]
    pub box_name: BoxName,
    /// where that leads
    pub destination: Destination,
    /// whether its damaged side is up afterwards
    pub damaged: bool,
}

impl Fate {
    pub fn sunk(&self) -> bool {
        self.box_name == BoxName::SunkDestroyed
    }

    pub fn in_line(&self) -> bool {
        self.destination == Destination::LineOfBattle
    }
}

/// The box of a unit: the first line of the table that fits.
#[inline]
pub fn box_of(unit: Counter<'_>, taken: Taken) -> BoxName {
    // An LBA has no Disabled result.
    let disabled = taken.disabled && unit.sheet.kind.is_ship();
    let hurt = unit.damage_factor().is_some_and(|factor| taken.damage_points >= u32::from(factor));
    if taken.damage_points >= u32::from(unit.up().defense) {
        BoxName::SunkDestroyed
    } else if hurt && disabled {
        BoxName::DamagedAndDisabled
    } else if hurt {
        BoxName::DamagedReduced
    } else if unit.damaged && disabled {
        BoxName::DamagedAndDisabled
    } else if disabled {
        BoxName::Disabled
    } else {
        BoxName::LineOfBattle
    }
}

/// Where a box leads. [boxes, R-15]
pub fn destination(kind: Kind, box_name: BoxName) -> Destination {
    match box_name {
        BoxName::LineOfBattle | BoxName::DamagedReduced => Destination::LineOfBattle,
        BoxName::Disabled | BoxName::DamagedAndDisabled => Destination::NavalWarfareDelayBox,
        BoxName::SunkDestroyed if kind == Kind::Lba => Destination::DelayBox,
        BoxName::SunkDestroyed => Destination::RemovedFromPlay,
    }
}

#[inline]
pub fn fate(unit: Counter<'_>, taken: Taken) -> Fate {
    let box_name = box_of(unit, taken);
    let damaged = unit.damaged || matches!(box_name, BoxName::DamagedReduced | BoxName::DamagedAndDisabled);
    Fate { box_name, destination: destination(unit.sheet.kind, box_name), damaged }
}

pub fn apply(unit: Counter<'_>, taken: Taken, ask: &mut impl Ask) -> Fate {
    note_fate(unit, taken, ask);
    fate(unit, taken)
}

/// Notes what the dice of a round do to a unit.
pub(crate) fn note_fate(unit: Counter<'_>, taken: Taken, ask: &mut impl Ask) {
    ask.note(|| {
        let fate = fate(unit, taken);
        let (id, name) = (unit.sheet.id, unit.sheet.name);
        let against = match unit.damage_factor() {
            Some(factor) => format!("Damage Factor {factor}, Defense Factor {}", unit.up().defense),
            None if unit.damaged => format!("damaged already, Defense Factor {}", unit.up().defense),
            None => format!("no damaged side, Defense Factor {}", unit.up().defense),
        };
        let disabled = match (taken.disabled, unit.sheet.kind) {
            (false, _) => "",
            (true, Kind::Lba) => ", a Disabled result (none for an LBA)",
            (true, _) => ", disabled",
        };
        let text = format!(
            "{name}: {} against {against}{disabled}: {} Box, {}.",
            damage_points(taken.damage_points),
            fate.box_name.title(),
            fate.destination.title()
        );
        let note = Note::new("box", text).by(&rules_of(unit, taken, fate)).outcome(fate.box_name.word()).pieces([id]);
        match (taken == Taken::default(), fate.sunk()) {
            (true, _) => note.detail(),
            (false, true) => note.effect(Effect::Lost),
            (false, false) => note.effect(Effect::Hit),
        }
    });
}

/// "1 Damage Point", "7 Damage Points".
pub(crate) fn damage_points(points: u32) -> String {
    format!("{points} Damage {}", if points == 1 { "Point" } else { "Points" })
}

fn rules_of(unit: Counter<'_>, taken: Taken, fate: Fate) -> Vec<Rule> {
    let mut cited = vec![rule::DAMAGE_POINTS, rule::BOXES, rule::SEQUENCE_4, rule::R_12];
    if taken.disabled && unit.sheet.kind == Kind::Lba {
        cited.push(rule::R_16);
    } else if taken.disabled {
        cited.push(rule::R_21);
    }
    if matches!(fate.box_name, BoxName::SunkDestroyed | BoxName::DamagedAndDisabled) && taken.disabled {
        cited.push(rule::R_13);
    }
    if unit.damaged {
        cited.push(rule::R_14);
    }
    if matches!(fate.destination, Destination::DelayBox | Destination::NavalWarfareDelayBox) {
        cited.push(rule::R_15);
    }
    cited
}
