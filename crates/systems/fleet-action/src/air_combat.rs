//! Aircraft against aircraft. [9.15]

use crate::book::Book;
use crate::rule;
use crate::throw::{Again, Aim, Fallen, Modifiers, Salvo, Saves};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Flow, Process, Refusal};

/// A stand in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fighters {
    /// What it can do now.
    pub role: Role,
    /// How many aircraft.
    pub aircraft: i32,
    /// Hit points of each.
    pub hit_points: i32,
    /// Crew quality.
    pub crew_quality: i32,
    /// Flak markers.
    pub flak: i32,
    /// Factor when intercepting.
    pub intercept: i32,
    /// Factor of fighters in a dogfight.
    pub dogfight_1: i32,
    /// Factor of everybody else in a dogfight.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AirCombat {
    /// How it begins.
    pub encounter: Encounter,
    /// Whether the defender shoots back.
    pub return_fire: bool,
    /// Who attacks.
    pub attacker: Fighters,
    /// Who is attacked.
    pub defender: Fighters,
}

/// What one stand did to the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Burst {
    /// Dice rolled.
    pub dice: i32,
    /// What was added to them.
    pub modifier: i32,
    /// What the other side added to its saves.
    pub save_modifier_against: i32,
    /// Hits.
    pub hits: i32,
    /// Aircraft shot down.
    pub kills: i32,
}

impl AirCombat {
    /// Whether it may be done at all.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.attacker.factor(self.encounter) > 0 {
            return Ok(());
        }
        let rule = if self.attacker.role == Role::LoadedFighterBomber && self.encounter == Encounter::Dogfight {
            rule::R_44
        } else {
            rule::S9_15
        };
        Err(Refusal::new(
            "no-air-combat-factor",
            format!("A stand of role {} has no factor for this {}.", self.attacker.role, self.encounter),
        )
        .by(rule))
    }

    fn salvo<'a>(&self, book: &'a Book, by: &Fighters, at: &Fighters, factor: i32) -> Salvo<'a> {
        let modifiers = Modifiers::new().with("crew quality", by.crew_quality, rule::R_46).with(
            "flak on both stands",
            -(by.flak + at.flak),
            rule::S9_15,
        );
        let aim = Aim {
            heading: "9.15 Air combat",
            table: ("to-hit", String::new(), "air combat"),
            rules: &[rule::S9_15, rule::C_13],
            base: book.needs.air_combat,
            modifiers,
            again: Again::No,
        };
        let saves = Saves {
            modifiers: Modifiers::new().with("ACF against hit points", -book.band(factor - at.hit_points), rule::R_45),
            rules: &[rule::S9_15, rule::R_45],
            cost: "an aircraft is lost",
            lives: Some(at.aircraft),
        };
        Salvo { book, dice: book.band(by.aircraft), aim, saves: Some(saves) }
    }

    /// Both attack at once; then the defender's aircraft save, then the attacker's.
    pub fn fight(&self, book: &Book, ask: &mut impl Ask) -> Asked<(Burst, Burst)> {
        let attack = self.salvo(book, &self.attacker, &self.defender, self.attacker.factor(self.encounter));
        let back = self.defender.factor(Encounter::Dogfight);
        let defence = (self.return_fire && back > 0).then(|| self.salvo(book, &self.defender, &self.attacker, back));
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
fn shots(salvo: &Salvo<'_>, ask: &mut impl Ask) -> Asked<Fallen> {
    let bare = Salvo { saves: None, ..salvo.clone() };
    bare.fire(ask)
}

/// The saving throws after the attack dice.
fn burst(salvo: &Salvo<'_>, mut fallen: Fallen, ask: &mut impl Ask) -> Asked<Burst> {
    while salvo.step(&mut fallen, ask)? == Flow::Continue {}
    Ok(Burst {
        dice: salvo.dice,
        modifier: salvo.aim.modifiers.total(),
        save_modifier_against: salvo.saves.as_ref().map_or(0, |saves| saves.modifiers.total()),
        hits: fallen.hits,
        kills: fallen.failed,
    })
}
