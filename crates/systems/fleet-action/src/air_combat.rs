//! Aircraft against aircraft. [9.15]

use crate::anti_air::Stand;
use crate::rule;
use crate::rules::Rules;
use crate::volley::{Again, Aim, Modifiers, Salvo, SalvoState, Saves};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Flow, Process, Refusal};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// A stand in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Fighters {
    /// What the stand can do now.
    pub role: Role,
    #[serde(flatten)]
    pub stand: Stand,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
    /// Factor when intercepting.
    #[shape(0..=60, or = 0)]
    pub intercept: i32,
    /// Factor of fighters in a dogfight.
    #[shape(0..=60, or = 0)]
    pub dogfight_1: i32,
    /// Factor of all other aircraft in a dogfight.
    #[shape(0..=60, or = 0)]
    pub dogfight_2: i32,
}

impl Fighters {
    /// The factor for an encounter; 0 if there is none.
    #[must_use]
    pub fn factor(&self, encounter: Encounter) -> i32 {
        match (encounter, self.role) {
            (Encounter::Intercept, Role::Fighter | Role::EmptyFighterBomber) => self.intercept,
            (Encounter::Intercept, _) => 0,
            (Encounter::Dogfight, Role::Fighter | Role::EmptyFighterBomber) => self.dogfight_1,
            (Encounter::Dogfight, _) => self.dogfight_2,
        }
    }
}

/// One stand attacks another, which may shoot back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct AirCombat {
    /// How the combat begins.
    #[serde(rename = "mode")]
    pub encounter: Encounter,
    /// The defender fires back.
    #[shape(or = true)]
    pub return_fire: bool,
    /// The stand that attacks.
    pub attacker: Fighters,
    /// The stand under attack.
    pub defender: Fighters,
}

/// What one stand did to the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Burst {
    /// Dice rolled.
    pub dice: i32,
    /// All modifiers together.
    pub modifier: i32,
    /// What the other side adds to its saving throws.
    pub save_modifier_against: i32,
    /// Hits.
    pub hits: i32,
    /// Aircraft shot down.
    pub kills: i32,
}

impl AirCombat {
    pub fn check(&self) -> Result<(), Refusal> {
        if self.attacker.factor(self.encounter) > 0 {
            return Ok(());
        }
        let rule = if self.attacker.role == Role::LoadedFighterBomber && self.encounter == Encounter::Dogfight {
            rule::R_44
        } else {
            rule::S9_15
        };
        let text = format!("A stand of role {} has no factor for this {}.", self.attacker.role, self.encounter);
        Err(Refusal::new("no-air-combat-factor", text).by(rule))
    }

    fn salvo<'a>(&self, rules: &'a Rules, by: &Fighters, at: &Fighters, factor: i32) -> Salvo<'a> {
        let modifiers = Modifiers::new().with("crew quality", by.crew_quality, rule::R_46).with(
            "flak on both stands",
            -(by.stand.flak + at.stand.flak),
            rule::S9_15,
        );
        let aim = Aim {
            heading: "9.15 Air combat",
            table: ("to-hit", String::new(), "air combat"),
            rules: &[rule::S9_15, rule::C_13],
            base: rules.needs.air_combat,
            modifiers,
            again: Again::No,
        };
        let saves = Saves {
            modifiers: Modifiers::new().with(
                "ACF against hit points",
                -rules.band(factor - at.stand.hit_points),
                rule::R_45,
            ),
            rules: &[rule::S9_15, rule::R_45],
            cost: "an aircraft is lost",
            lives: Some(at.stand.aircraft),
        };
        Salvo { rules, dice: rules.band(by.stand.aircraft), aim, saves: Some(saves) }
    }

    /// Both attack at once; then the defender's aircraft save, then the attacker's.
    pub fn fight(&self, rules: &Rules, ask: &mut impl Ask) -> Asked<(Burst, Burst)> {
        let attack = self.salvo(rules, &self.attacker, &self.defender, self.attacker.factor(self.encounter));
        let back = self.defender.factor(Encounter::Dogfight);
        let defence = (self.return_fire && back > 0).then(|| self.salvo(rules, &self.defender, &self.attacker, back));
        let first = shots(&attack, ask)?;
        let second = defence.as_ref().map(|defence| shots(defence, ask)).transpose()?;
        let attacker = burst(&attack, first, ask)?;
        let defender = match (&defence, second) {
            (Some(defence), Some(second)) => burst(defence, second, ask)?,
            _ => Burst::default(),
        };
        Ok((attacker, defender))
    }
}

/// The attack dice alone.
fn shots(salvo: &Salvo<'_>, ask: &mut impl Ask) -> Asked<SalvoState> {
    let bare = Salvo { saves: None, ..salvo.clone() };
    bare.fire(ask)
}

/// The saving throws after the attack dice.
fn burst(salvo: &Salvo<'_>, mut state: SalvoState, ask: &mut impl Ask) -> Asked<Burst> {
    while salvo.step(&mut state, ask)? == Flow::Continue {}
    Ok(Burst {
        dice: salvo.dice,
        modifier: salvo.aim.modifiers.total(),
        save_modifier_against: salvo.save_modifier(),
        hits: state.hits,
        kills: state.failed,
    })
}
