//! Where a unit may retreat to. [14.73]

use crate::rule;
use flagplot_kernel::{Ask, Note};
use flagplot_referee::{Shaped, words};
use serde::Deserialize;

/// A hex next to a retreating unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct RetreatHex {
    /// own ground units in it
    #[shape(0..=1000, or = 0)]
    pub friendly_units: u32,
    /// enemy ground units in it
    #[shape(0..=1000, or = 0)]
    pub enemy_units: u32,
    /// in an enemy zone of control
    #[shape(or = false)]
    pub enemy_zoc: bool,
    /// under enemy control
    #[shape(or = false)]
    pub enemy_controlled: bool,
    /// land that can be entered from here
    #[shape(or = true)]
    pub passable: bool,
}

/// What is bad about a retreat.
#[words]
pub enum Evil {
    None,
    /// Too many own units.
    Overstack,
    EnemyZoc,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Stacking {
    /// units a hex holds
    #[serde(rename = "stacking_limit")]
    #[shape(0..=1000, or = 2)]
    pub limit: u32,
    /// units that retreat together
    #[shape(1..=1000, or = 1)]
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

impl Retreat {
    /// The hexes of least severity among the neighbours. [14.73]
    #[must_use]
    pub fn new(hexes: &[RetreatHex], stacking: Stacking) -> Self {
        let severities: Vec<Option<u32>> = hexes.iter().map(|hex| hex.severity(stacking)).collect();
        let severity = severities.iter().flatten().min().copied();
        let options = (0..hexes.len()).filter(|&at| severity.is_some() && severities[at] == severity).collect();
        let evil = match severity {
            None => Evil::Eliminated,
            Some(0) => Evil::None,
            Some(1) => Evil::Overstack,
            Some(2 | 3) => Evil::EnemyZoc,
            Some(_) => Evil::EnemyControlled,
        };
        Self { options, severity, evil }
    }

    /// Notes it; `hexes` is how many hexes there were.
    pub fn note(&self, hexes: usize, ask: &mut impl Ask) {
        ask.note(|| {
            let text = match self.severity {
                None => "No hex is open: the unit is eliminated.".to_owned(),
                Some(severity) => {
                    format!("Hexes with the least severity, {severity}: {} of {hexes}.", self.options.len())
                }
            };
            Note::new("retreat", text).by(&[rule::RETREAT_PRIORITY, rule::R_8]).outcome(self.severity)
        });
    }
}
