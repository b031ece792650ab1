//! Retreat and resolution. [sequence-5, sequence-6, C-11]

use crate::faction::{ByRole, Role};
use crate::rule;
use crate::rules::Rules;
use crate::unit::{Counter, Kind};
use flagplot_kernel::{Ask, Note};
use flagplot_referee::words;

#[words]
pub enum BattleOutcome {
    Success,
    Repulsion,
    Stalemate,
}

impl BattleOutcome {
    pub fn holder(self) -> Option<Role> {
        match self {
            BattleOutcome::Success => Some(Role::Phasing),
            BattleOutcome::Repulsion => Some(Role::NonPhasing),
            BattleOutcome::Stalemate => None,
        }
    }
}

/// What a unit adds to the strength of its faction: nothing if it cannot hold. [C-8, C-9, C-11]
#[inline]
pub fn strength(unit: Counter<'_>) -> u32 {
    strength_of(unit.sheet.kind, unit.up().defense)
}

/// The same from the Defense Factor of the side that is up.
#[inline]
pub fn strength_of(kind: Kind, defense: u8) -> u32 {
    if matches!(kind, Kind::Submarine | Kind::Convoy) { 0 } else { u32::from(defense) }
}

/// Who holds the hex with these strengths, those of a faction that has retreated being 0.
pub fn outcome(rules: &Rules, strength: ByRole<u32>) -> BattleOutcome {
    let holds = |own: u32, other: u32| own > 0 && own >= rules.battle.hold_ratio * other;
    if holds(strength.phasing, strength.non_phasing) {
        BattleOutcome::Success
    } else if holds(strength.non_phasing, strength.phasing) {
        BattleOutcome::Repulsion
    } else {
        BattleOutcome::Stalemate
    }
}

pub fn resolve(rules: &Rules, strength: ByRole<u32>, ask: &mut impl Ask) -> BattleOutcome {
    let outcome = outcome(rules, strength);
    ask.note(|| {
        let title = match outcome {
            BattleOutcome::Success => "Success: the phasing faction holds the hex",
            BattleOutcome::Repulsion => "Repulsion: the non-phasing faction holds the hex",
            BattleOutcome::Stalemate => "Stalemate: neither side holds the hex",
        };
        Note::new(
            "resolution",
            format!(
                "Strength {} phasing, {} non-phasing; {} times the other's holds. {title}.",
                strength.phasing, strength.non_phasing, rules.battle.hold_ratio
            ),
        )
        .by(&[rule::SEQUENCE_6, rule::C_11])
        .outcome(outcome.word())
    });
    outcome
}
