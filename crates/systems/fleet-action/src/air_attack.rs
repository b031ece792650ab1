//! Aircraft against ships. [9.11, 9.12]

use crate::book::Book;
use crate::gunnery::Boats;
use crate::light_guns::cost;
use crate::rule;
use crate::throw::{Aim, Ground, Mark, Modifiers, Salvo, Saves};
use crate::torpedo;
use crate::words::*;
use flagplot_kernel::{Refusal, Rule};

/// A stand that attacks a ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AirAttack {
    /// How many aircraft.
    pub aircraft: i32,
    /// How they attack.
    pub attack: AttackType,
    /// Their crew quality.
    pub crew_quality: i32,
    /// Flak markers on them.
    pub flak: i32,
    /// What their torpedoes add.
    pub torpedo_modifier: i32,
    /// The target.
    pub target: Mark,
}

impl AirAttack {
    /// Whether it may be done at all.
    pub fn check(&self) -> Result<(), Refusal> {
        let torpedoes = self.attack == AttackType::TorpedoBomber;
        if self.attack == AttackType::AircraftGuns {
            return Err(Refusal::new(
                "wrong-procedure",
                "Gun attacks have saving throws of their own: use air-gun-attack.",
            )
            .by(rule::S9_12));
        }
        if self.torpedo_modifier != 0 && !torpedoes {
            return Err(Refusal::new(
                "not-allowed",
                format!("A torpedo modifier belongs to torpedo bombers, not to a {}.", self.attack),
            )
            .by(rule::S9_11));
        }
        if torpedoes && self.target.ground == Ground::Land {
            return Err(
                Refusal::new("not-a-torpedo-target", "Torpedoes cannot be dropped at a land target.").by(rule::S9_11)
            );
        }
        if torpedoes { torpedo::check_size(self.target.size) } else { Ok(()) }
    }

    /// What each die needs.
    #[must_use]
    pub fn aim(&self, book: &Book) -> Aim {
        self.aimed(book, "9.11 Air attack", &[rule::S9_11, rule::C_12])
    }

    fn aimed(&self, book: &Book, heading: &'static str, rules: &'static [Rule]) -> Aim {
        let splash = if self.attack == AttackType::TorpedoBomber { 0 } else { self.target.splash };
        let modifiers = Modifiers::new()
            .with("crew quality", self.crew_quality, rule::R_46)
            .with("attack type", book.attack_type(self.attack), rule::R_10)
            .with("torpedo modifier", self.torpedo_modifier, rule::S9_11)
            .with("target size", self.target.size, rule::S9_11)
            .with("flak on attackers", -self.flak, rule::R_11)
            .with("splash on target", -splash, rule::S9_11);
        Aim {
            heading,
            table: ("air-attack", String::new(), self.attack.word()),
            rules,
            base: book.needs.air_attack,
            modifiers: self.target.ease(book, modifiers, rule::S9_11),
            again: self.target.again(book),
        }
    }

    /// The dice, one for each band of aircraft.
    #[must_use]
    pub fn salvo<'a>(&self, book: &'a Book) -> Salvo<'a> {
        Salvo { book, dice: book.band(self.aircraft), aim: self.aim(book), saves: None }
    }
}

/// A stand that attacks with its guns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GunAttack {
    /// Which guns.
    pub guns: AirGuns,
    /// Their factor.
    pub acf: i32,
    /// The attack; its type is aircraft guns.
    pub attack: AirAttack,
    /// What kind of target.
    pub class: TargetClass,
    /// The stand, if the target is one.
    pub boats: Option<Boats>,
}

impl GunAttack {
    /// Whether it may be done at all.
    pub fn check(&self) -> Result<(), Refusal> {
        let hurts = match self.class {
            TargetClass::TypeX => true,
            TargetClass::A | TargetClass::C => self.guns == AirGuns::AntiShipping,
            TargetClass::Other => false,
        };
        if hurts {
            return Ok(());
        }
        Err(Refusal::new(
            "not-a-target",
            format!("The {} guns of aircraft cannot hurt a target of class {}.", self.guns, self.class),
        )
        .by(rule::R_13)
        .remedy("Strafing hurts Type X stands; anti-shipping guns also ships of class A and C."))
    }

    /// What each die needs.
    #[must_use]
    pub fn aim(&self, book: &Book) -> Aim {
        self.attack.aimed(book, "9.12 Aircraft guns", &[rule::S9_12, rule::C_12])
    }

    /// What the target saves with; its save is the only test.
    #[must_use]
    pub fn saves(&self, book: &Book) -> Saves {
        let boats = self.class == TargetClass::TypeX;
        let modifiers = Modifiers::new()
            .with("saving throw modifier", self.boats.map_or(0, |boats| boats.save_modifier), rule::S9_12)
            .with("ACF", -book.band(self.acf).min(3), rule::S9_12)
            .when(boats && self.guns == AirGuns::Strafing, "Type X hit by ACF S", 1, rule::S9_12)
            .when(!boats, "ship hit by ACF A/S", 1, rule::R_13);
        Saves { modifiers, rules: &[rule::S9_12, rule::R_12, rule::R_30], cost: cost(self.class), lives: None }
    }

    /// The whole attack.
    #[must_use]
    pub fn salvo<'a>(&self, book: &'a Book) -> Salvo<'a> {
        Salvo { book, dice: book.band(self.attack.aircraft), aim: self.aim(book), saves: Some(self.saves(book)) }
    }
}
