//! An air strike: through patrols and air defense to the targets. [R-47, C-16]

use crate::air::{self, AirGroup, AirRole, AirRound, AirSetting, AirUnit};
use crate::air_defense::{self, AirDefense, Defenses};
use crate::messages::counted;
use crate::naval::{self, Attack, Conditions, Target};
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, Note};
use flagplot_referee::{Shaped, word};
use serde::Deserialize;

/// A strike with the striker's decisions.
#[derive(Clone, Debug, Deserialize, Shaped)]
pub struct Strike {
    /// the squadrons, in the order in which they are lost
    #[shape(items = 0..=200)]
    pub attackers: Vec<AirGroup>,
    /// squadrons over the ships
    #[shape(items = 0..=200, or = [])]
    pub cap: Vec<AirGroup>,
    /// carrier patrol or land-based cover
    #[shape(with = word(&[AirRole::Cap.word(), AirRole::AirCover.word()]), or = AirRole::Cap)]
    pub cap_role: AirRole,
    /// everything that shoots
    pub defenses: Defenses,
    #[serde(flatten)]
    pub conditions: Conditions,
    /// in order of priority; their squadrons are those of the attackers
    #[shape(items = 0..=200)]
    pub targets: Vec<StrikeTarget>,
}

#[derive(Clone, Debug, Deserialize, Shaped)]
pub struct StrikeTarget {
    /// a name
    #[shape(chars = 80)]
    pub id: String,
    /// squadrons meant for it
    #[shape(1..=1_000_000)]
    pub squadrons: u32,
    /// what it is
    pub ship: Target,
}

/// How a strike got to its targets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Approach {
    /// The fight with the patrols, if there were any.
    pub cap_combat: Option<AirRound>,
    /// What air defense did, if there was something left to shoot at.
    pub air_defense: Option<AirDefense>,
    /// The squadrons that get through.
    pub force: Vec<AirGroup>,
    pub cap_remaining: u32,
}

impl Approach {
    /// Squadrons eliminated on the way.
    #[must_use]
    pub fn eliminated(&self) -> u32 {
        self.cap_combat.as_ref().map_or(0, |combat| combat.attacker_losses.eliminated)
            + self.air_defense.as_ref().map_or(0, |defense| defense.eliminated)
    }

    /// Squadrons aborted on the way.
    #[must_use]
    pub fn aborted(&self) -> u32 {
        self.cap_combat.as_ref().map_or(0, |combat| combat.attacker_losses.aborted)
            + self.air_defense.as_ref().map_or(0, |defense| defense.aborted)
    }
}

/// The squadrons each target receives: targets are filled in order, from the groups in their order. [C-16]
pub fn fill(wanted: impl IntoIterator<Item = u32>, force: &[AirGroup]) -> Vec<Vec<AirGroup>> {
    let mut force = force.to_vec();
    let fill = |mut wanted: u32| {
        let mut sent = Vec::new();
        for group in &mut force {
            let count = group.count.min(wanted);
            if count > 0 {
                sent.push(AirGroup { count, ..*group });
                group.count -= count;
                wanted -= count;
            }
        }
        sent
    };
    wanted.into_iter().map(fill).collect()
}

impl Strike {
    /// One round against the patrols, then air defense against what is left.
    pub fn approach(&self, rules: &Rules, ask: &mut impl Ask) -> Asked<Approach> {
        ask.note(|| {
            let squadrons = counted(air::strength(&self.attackers), "squadron");
            Note::new("strike", format!("A strike of {squadrons}.")).by(&[rule::R_47])
        });
        let (mut force, mut cap) = (self.attackers.clone(), self.cap.clone());
        let mut cap_combat = None;
        if air::strength(&cap) > 0 {
            let setting = AirSetting { unit: AirUnit::Squadrons, role: self.cap_role, radar_results: 0 };
            cap_combat = Some(air::round(rules, &mut force, &mut cap, setting, ask)?);
        }
        let mut air_defense = None;
        if air::strength(&force) > 0 {
            let surprise = self.conditions.surprise_level;
            air_defense = Some(air_defense::air_defense(rules, &mut force, &self.defenses, surprise, ask)?);
        }
        Ok(Approach { cap_combat, air_defense, force, cap_remaining: air::strength(&cap) })
    }

    /// The squadrons left for each target. [C-16]
    #[must_use]
    pub fn fill(&self, force: &[AirGroup]) -> Vec<Vec<AirGroup>> {
        fill(self.targets.iter().map(|target| target.squadrons), force)
    }

    /// The attack on one target, by place in the list, with the squadrons left for it.
    pub fn attack(&self, rules: &Rules, at: usize, squadrons: &[AirGroup], ask: &mut impl Ask) -> Asked<Attack> {
        let StrikeTarget { id, ship: target, .. } = &self.targets[at];
        ask.note(|| Note::new("strike-target", format!("Target {}: {id}", at + 1)).by(&[rule::C_16]));
        if air::strength(squadrons) == 0 {
            ask.note(|| Note::new("no-attack", "No squadron is left for this target.").by(&[rule::C_16]));
            let effect = target.hit(rules, 0, ask);
            return Ok(Attack { squadrons: Some(0), factors: None, shot: None, hits: 0, effect });
        }
        naval::air_attack(rules, squadrons, target, self.conditions, ask)
    }
}
