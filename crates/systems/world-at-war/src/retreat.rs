//! Where a unit may retreat to. [14.73]

use crate::rule;
use flagplot_kernel::{Ask, Note};
use serde::Serialize;

/// A hex next to a retreating unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RetreatHex {
    /// Own ground units in it.
    pub friendly_units: u32,
    /// Enemy ground units in it.
    pub enemy_units: u32,
    /// Whether an enemy zone of control reaches it.
    pub enemy_zoc: bool,
    /// Whether the enemy controls it.
    pub enemy_controlled: bool,
    /// Whether it is land that can be entered from here.
    pub passable: bool,
}

/// What is bad about a retreat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evil {
    /// Nothing.
    None,
    /// Too many own units.
    Overstack,
    /// An enemy zone of control.
    EnemyZoc,
    /// The hex is the enemy's.
    EnemyControlled,
    /// There is nowhere to go.
    Eliminated,
}

impl Evil {
    /// How much it weighs: each evil more than all lesser ones together.
    fn weight(self) -> u32 {
        match self {
            Evil::None | Evil::Eliminated => 0,
            Evil::Overstack => 1,
            Evil::EnemyZoc => 2,
            Evil::EnemyControlled => 4,
        }
    }
}

/// How many units a hex holds and how many come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stacking {
    /// Units a hex holds.
    pub limit: u32,
    /// Units that retreat together.
    pub retreating: u32,
}

impl RetreatHex {
    /// The evils of the hex, the least one first; `None` if it is closed. [14.73, R-8]
    #[must_use]
    pub fn evils(&self, stacking: Stacking) -> Option<Vec<Evil>> {
        if self.enemy_units > 0 || !self.passable {
            return None;
        }
        let overstacked = self.friendly_units.saturating_add(stacking.retreating) > stacking.limit;
        let evils = [
            (overstacked, Evil::Overstack),
            (self.enemy_zoc, Evil::EnemyZoc),
            (self.enemy_controlled, Evil::EnemyControlled),
        ];
        Some(evils.into_iter().filter(|(there, _)| *there).map(|(_, evil)| evil).collect())
    }

    /// All evils added up; `None` if it is closed.
    #[must_use]
    pub fn severity(&self, stacking: Stacking) -> Option<u32> {
        self.evils(stacking).map(|evils| evils.into_iter().map(Evil::weight).sum())
    }
}

/// Where a unit may go.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Retreat {
    /// The hexes of least severity, by their place in the list.
    pub options: Vec<usize>,
    /// How severe they are; `None` if the unit is eliminated.
    pub severity: Option<u32>,
    /// The worst evil in them.
    pub evil: Evil,
}

/// The hexes of least severity among the neighbours. [14.73]
pub fn retreat(hexes: &[RetreatHex], stacking: Stacking, ask: &mut impl Ask) -> Retreat {
    let severities: Vec<Option<u32>> = hexes.iter().map(|hex| hex.severity(stacking)).collect();
    let severity = severities.iter().flatten().min().copied();
    let options: Vec<usize> = (0..hexes.len()).filter(|&at| severity.is_some() && severities[at] == severity).collect();
    let evil = match severity {
        None => Evil::Eliminated,
        Some(0) => Evil::None,
        Some(1) => Evil::Overstack,
        Some(2 | 3) => Evil::EnemyZoc,
        Some(_) => Evil::EnemyControlled,
    };
    ask.note(|| {
        let text = match severity {
            None => "No hex is open: the unit is eliminated.".to_owned(),
            Some(severity) => {
                format!("{} of {} hexes are the least evil, severity {severity}.", options.len(), hexes.len())
            }
        };
        Note::new("retreat", text).by(&[rule::RETREAT_PRIORITY, rule::R_8]).outcome(severity)
    });
    Retreat { options, severity, evil }
}
