//! Retreat and resolution. [sequence-5, sequence-6, C-11]

use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::rule;
use crate::unit::Kind;
use flagplot_kernel::{Ask, Note};
use serde::{Deserialize, Serialize};

/// How a battle ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BattleOutcome {
    /// The phasing faction holds the hex.
    Success,
    /// The non-phasing faction holds it.
    Repulsion,
    /// Nobody does.
    Stalemate,
}

impl BattleOutcome {
    /// The words of all outcomes.
    pub const WORDS: [&'static str; 3] = ["success", "repulsion", "stalemate"];

    /// Who holds the hex.
    #[must_use]
    pub fn holder(self) -> Option<Role> {
        match self {
            BattleOutcome::Success => Some(Role::Phasing),
            BattleOutcome::Repulsion => Some(Role::NonPhasing),
            BattleOutcome::Stalemate => None,
        }
    }
}

/// What a unit adds to the strength of its faction: nothing if it cannot hold. [C-8, C-9, C-11]
#[must_use]
#[inline]
pub fn strength(kind: Kind, defense: u8) -> u32 {
    if matches!(kind, Kind::Submarine | Kind::Convoy) { 0 } else { u32::from(defense) }
}

/// Who holds the hex with these strengths, those of a faction that has retreated being 0.
#[must_use]
pub fn outcome(figures: &Figures, strength: ByRole<u32>) -> BattleOutcome {
    let holds = |own: u32, other: u32| own > 0 && own >= figures.hold_ratio * other;
    if holds(strength.phasing, strength.non_phasing) {
        BattleOutcome::Success
    } else if holds(strength.non_phasing, strength.phasing) {
        BattleOutcome::Repulsion
    } else {
        BattleOutcome::Stalemate
    }
}

/// The resolution with its proof.
pub fn resolve(figures: &Figures, strength: ByRole<u32>, ask: &mut impl Ask) -> BattleOutcome {
    let outcome = outcome(figures, strength);
    ask.note(|| {
        let title = match outcome {
            BattleOutcome::Success => "Success: the phasing faction holds the hex",
            BattleOutcome::Repulsion => "Repulsion: the non-phasing faction holds the hex",
            BattleOutcome::Stalemate => "Stalemate: nobody holds the hex",
        };
        Note::new(
            "resolution",
            format!(
                "Strength {} phasing, {} non-phasing; {} times the other's holds. {title}.",
                strength.phasing, strength.non_phasing, figures.hold_ratio
            ),
        )
        .by(&[rule::SEQUENCE_6, rule::C_11])
        .outcome(BattleOutcome::WORDS[outcome as usize])
    });
    outcome
}
