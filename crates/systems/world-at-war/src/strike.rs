//! An air strike: through patrols and air defence to the targets. [R-47, C-16]

use crate::Rulebook;
use crate::air::{self, AirGroup, AirRole, AirRound, AirSetting, AirUnit};
use crate::air_defense::{self, AirDefense, Defenses};
use crate::naval::{self, AirAttack, Target, Waters};
use crate::rule;
use flagplot_kernel::{Ask, Asked, Note};

/// A strike with the striker's decisions.
#[derive(Clone, Debug)]
pub struct Strike<'a> {
    /// The rules.
    pub book: &'a Rulebook,
    /// The squadrons that set out.
    pub attackers: &'a [AirGroup],
    /// The squadrons that wait over the ships.
    pub cap: &'a [AirGroup],
    /// Whether those are carrier patrols or land-based cover.
    pub cap_role: AirRole,
    /// Everything that shoots.
    pub defenses: Defenses,
    /// The striker's surprise level.
    pub surprise: u32,
    /// Where the ships lie.
    pub waters: Waters,
    /// The targets in order of priority, with the squadrons meant for each.
    pub targets: &'a [(u32, Target)],
}

/// How a strike got to its targets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Approach {
    /// The fight with the patrols, if there were any.
    pub cap_combat: Option<AirRound>,
    /// What air defence did, if somebody was left to shoot at.
    pub air_defense: Option<AirDefense>,
    /// The squadrons that get through.
    pub force: Vec<AirGroup>,
    /// Patrols left.
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

impl Strike<'_> {
    /// One round against the patrols, then air defence against what is left.
    pub fn approach(&self, ask: &mut impl Ask) -> Asked<Approach> {
        ask.note(|| {
            Note::new("strike", format!("{} squadrons strike.", air::strength(self.attackers))).by(&[rule::R_47])
        });
        let mut force = self.attackers.to_vec();
        let mut cap = self.cap.to_vec();
        let mut cap_combat = None;
        if air::strength(&cap) > 0 {
            let setting = AirSetting { unit: AirUnit::Squadrons, role: self.cap_role, radar_results: 0 };
            cap_combat = Some(air::round(self.book, &mut force, &mut cap, setting, ask)?);
        }
        let mut air_defense = None;
        if air::strength(&force) > 0 {
            air_defense = Some(air_defense::air_defense(self.book, &mut force, &self.defenses, self.surprise, ask)?);
        }
        Ok(Approach { cap_combat, air_defense, force, cap_remaining: air::strength(&cap) })
    }

    /// The squadrons left for each target: targets are filled in order, from the groups in their order. [C-16]
    #[must_use]
    pub fn fill(&self, force: &[AirGroup]) -> Vec<Vec<AirGroup>> {
        let mut force = force.to_vec();
        let meant = self.targets.iter().map(|(squadrons, _)| *squadrons);
        meant
            .map(|mut wanted| {
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
            })
            .collect()
    }

    /// The attack on one target, if anybody is left for it.
    pub fn attack(&self, target: &Target, squadrons: &[AirGroup], ask: &mut impl Ask) -> Asked<Option<AirAttack>> {
        if air::strength(squadrons) == 0 {
            ask.note(|| Note::new("no-attack", "No squadron is left for this target.").by(&[rule::C_16]));
            return Ok(None);
        }
        naval::air_attack(self.book, squadrons, target, self.waters, self.surprise, ask).map(Some)
    }
}
