//! Aircraft against ships. [9.11, 9.12]

use crate::light_guns::SmallTarget;
use crate::rule;
use crate::rules::Rules;
use crate::torpedo;
use crate::volley::{Aim, Modifiers, Salvo, Saves, Target};
use crate::words::*;
use flagplot_kernel::{Refusal, Rule};
use flagplot_referee::Shaped;
use serde::Deserialize;

/// How good the attackers are now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct AirCrew {
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
    /// Flak markers on the stand.
    #[shape(0..=99, or = 0)]
    pub flak: i32,
}

/// A stand that attacks a ship with bombs, torpedoes or rockets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct AirAttack {
    /// Aircraft in the stand.
    #[shape(1..=27)]
    pub aircraft: i32,
    /// Type of attack.
    pub attack: AttackType,
    #[serde(flatten)]
    pub crew: AirCrew,
    /// What the torpedo adds; torpedo bombers only.
    #[shape(-2..=2, or = 0)]
    pub torpedo_modifier: i32,
    /// The ship under attack.
    pub target: Target,
}

impl AirAttack {
    pub fn check(&self) -> Result<(), Refusal> {
        let torpedoes = self.attack == AttackType::TorpedoBomber;
        if self.attack == AttackType::AircraftGuns {
            let text = "Gun attacks have saving throws of their own: use air-gun-attack.";
            return Err(Refusal::new("wrong-procedure", text).by(rule::S9_12));
        }
        if self.torpedo_modifier != 0 && !torpedoes {
            let text = format!("A torpedo modifier belongs to torpedo bombers, not to a {}.", self.attack);
            return Err(Refusal::new("not-allowed", text).by(rule::S9_11));
        }
        if torpedoes && self.target.motion.land {
            let text = "Torpedoes cannot be dropped at a land target.";
            return Err(Refusal::new("not-a-torpedo-target", text).by(rule::S9_11));
        }
        if torpedoes { torpedo::check_size(self.target.size) } else { Ok(()) }
    }

    fn aim(&self, rules: &Rules, heading: &'static str, cited: &'static [Rule]) -> Aim {
        let splash = if self.attack == AttackType::TorpedoBomber { 0 } else { self.target.splash };
        let modifiers = Modifiers::new()
            .with("crew quality", self.crew.crew_quality, rule::R_46)
            .with("attack type", rules.attack_type(self.attack), rule::R_10)
            .with("torpedo modifier", self.torpedo_modifier, rule::S9_11)
            .with("target size", self.target.size, rule::S9_11)
            .with("flak on attackers", -self.crew.flak, rule::R_11)
            .with("splash on target", -splash, rule::S9_11);
        Aim {
            heading,
            table: ("air-attack", String::new(), self.attack.word()),
            rules: cited,
            base: rules.needs.air_attack,
            modifiers: self.target.ease(rules, modifiers, rule::S9_11),
            again: self.target.again(rules),
        }
    }

    /// The dice, one for each band of aircraft.
    #[must_use]
    pub fn salvo<'a>(&self, rules: &'a Rules) -> Salvo<'a> {
        let aim = self.aim(rules, "9.11 Air attack", &[rule::S9_11, rule::C_12]);
        Salvo { rules, dice: rules.band(self.aircraft), aim, saves: None }
    }
}

/// A stand that attacks with its guns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct GunAttack {
    /// Kind of guns.
    pub guns: AirGuns,
    /// Air combat factor of the guns.
    #[shape(1..=60)]
    pub acf: i32,
    /// Aircraft in the stand.
    #[shape(1..=27)]
    pub aircraft: i32,
    #[serde(flatten)]
    pub crew: AirCrew,
    /// The target.
    pub target: SmallTarget,
}

impl GunAttack {
    pub fn check(&self) -> Result<(), Refusal> {
        self.target.check()?;
        let hurts = match self.target.class {
            TargetClass::TypeX => true,
            TargetClass::A | TargetClass::C => self.guns == AirGuns::AntiShipping,
            TargetClass::Other => false,
        };
        if hurts {
            return Ok(());
        }
        let text = format!("The {} guns of aircraft cannot hurt a target of class {}.", self.guns, self.target.class);
        Err(Refusal::new("not-a-target", text)
            .by(rule::R_13)
            .remedy("Strafing hurts Type X stands; anti-shipping guns also ships of class A and C."))
    }

    fn aim(&self, rules: &Rules) -> Aim {
        let (attack, target) = (AttackType::AircraftGuns, self.target.target());
        let Self { aircraft, crew, .. } = *self;
        AirAttack { aircraft, attack, crew, torpedo_modifier: 0, target }.aim(
            rules,
            "9.12 Aircraft guns",
            &[rule::S9_12, rule::C_12],
        )
    }

    /// The saving throw is the only test after a hit.
    fn saves(&self, rules: &Rules) -> Saves {
        let stand = self.target.is_stand();
        let modifiers = self
            .target
            .save(rule::S9_12)
            .with("ACF", -rules.band(self.acf).min(3), rule::S9_12)
            .when(stand && self.guns == AirGuns::Strafing, "Type X hit by ACF S", 1, rule::S9_12)
            .when(!stand, "ship hit by ACF A/S", 1, rule::R_13);
        Saves { modifiers, rules: &[rule::S9_12, rule::R_12, rule::R_30], cost: self.target.cost(), lives: None }
    }

    #[must_use]
    pub fn salvo<'a>(&self, rules: &'a Rules) -> Salvo<'a> {
        Salvo { rules, dice: rules.band(self.aircraft), aim: self.aim(rules), saves: Some(self.saves(rules)) }
    }
}
