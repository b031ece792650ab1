//! What the dice of a round do to a unit: the five boxes. [sequence-4, damage-points, boxes]

use crate::rule;
use crate::unit::{Counter, Kind};
use flagplot_kernel::{Ask, Note, Rule};
use serde::{Deserialize, Serialize};

/// The boxes of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoxName {
    /// Fit to fight.
    LineOfBattle,
    /// Flips, and goes back to the line.
    DamagedReduced,
    /// Out for some turns.
    Disabled,
    /// Out for some turns, damaged side up.
    DamagedAndDisabled,
    /// Lost; an LBA for some turns.
    SunkDestroyed,
}

impl BoxName {
    /// All five, in the order of the board.
    pub const ALL: [BoxName; 5] = [
        BoxName::LineOfBattle,
        BoxName::DamagedReduced,
        BoxName::Disabled,
        BoxName::DamagedAndDisabled,
        BoxName::SunkDestroyed,
    ];
    /// Their words.
    pub const WORDS: [&'static str; 5] =
        ["line-of-battle", "damaged-reduced", "disabled", "damaged-and-disabled", "sunk-destroyed"];

    /// As it is printed.
    #[must_use]
    pub fn title(self) -> &'static str {
        ["Line of Battle", "Damaged/Reduced", "Disabled", "Damaged & Disabled", "Sunk/Destroyed"][self as usize]
    }
}

/// Where a unit goes from its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Destination {
    /// Stays, or comes back.
    LineOfBattle,
    /// Disabled ships wait here.
    NavalWarfareDelayBox,
    /// Destroyed LBAs wait here.
    DelayBox,
    /// Sunk.
    RemovedFromPlay,
}

impl Destination {
    /// The words of all destinations.
    pub const WORDS: [&'static str; 4] =
        ["line-of-battle", "naval-warfare-delay-box", "delay-box", "removed-from-play"];

    /// As people say it.
    #[must_use]
    pub fn title(self) -> &'static str {
        ["the Line of Battle", "the Naval Warfare Delay Box", "the Delay Box", "removed from play"][self as usize]
    }
}

/// What a unit has taken in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Taken {
    /// Damage Points of all hits, added up.
    pub damage_points: u32,
    /// Whether there was any Disabled result; several are one.
    pub disabled: bool,
}

/// What becomes of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fate {
    /// Its box.
    pub box_name: BoxName,
    /// Where that leads.
    pub destination: Destination,
    /// Whether its damaged side is up afterwards.
    pub damaged: bool,
}

/// The box of a unit: the first line of the table that fits.
#[must_use]
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
#[must_use]
pub fn destination(kind: Kind, box_name: BoxName) -> Destination {
    match box_name {
        BoxName::LineOfBattle | BoxName::DamagedReduced => Destination::LineOfBattle,
        BoxName::Disabled | BoxName::DamagedAndDisabled => Destination::NavalWarfareDelayBox,
        BoxName::SunkDestroyed if kind == Kind::Lba => Destination::DelayBox,
        BoxName::SunkDestroyed => Destination::RemovedFromPlay,
    }
}

/// What becomes of a unit, without a trace.
#[must_use]
#[inline]
pub fn fate(unit: Counter<'_>, taken: Taken) -> Fate {
    let box_name = box_of(unit, taken);
    let damaged = unit.damaged || matches!(box_name, BoxName::DamagedReduced | BoxName::DamagedAndDisabled);
    Fate { box_name, destination: destination(unit.sheet.kind, box_name), damaged }
}

/// What becomes of a unit, with its proof.
pub fn apply(unit: Counter<'_>, taken: Taken, ask: &mut impl Ask) -> Fate {
    let fate = fate(unit, taken);
    ask.note(|| {
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
            "{name}: {} Damage Points against {against}{disabled}: {} Box, {}.",
            taken.damage_points,
            fate.box_name.title(),
            fate.destination.title()
        );
        let note = Note::new("box", text)
            .by(&rules_of(unit, taken, fate))
            .outcome(BoxName::WORDS[fate.box_name as usize])
            .pieces([id]);
        if taken == Taken::default() { note.detail() } else { note }
    });
    fate
}

fn rules_of(unit: Counter<'_>, taken: Taken, fate: Fate) -> Vec<Rule> {
    let mut rules = vec![rule::DAMAGE_POINTS, rule::BOXES, rule::SEQUENCE_4, rule::R_12];
    if taken.disabled && unit.sheet.kind == Kind::Lba {
        rules.push(rule::R_16);
    } else if taken.disabled {
        rules.push(rule::R_21);
    }
    if matches!(fate.box_name, BoxName::SunkDestroyed | BoxName::DamagedAndDisabled) && taken.disabled {
        rules.push(rule::R_13);
    }
    if unit.damaged {
        rules.push(rule::R_14);
    }
    if matches!(fate.destination, Destination::DelayBox | Destination::NavalWarfareDelayBox) {
        rules.push(rule::R_15);
    }
    rules
}
