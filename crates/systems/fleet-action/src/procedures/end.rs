//! Morale, damage control and burning.

use super::hits::DamageResult;
use super::*;
use crate::end_phase::{DamageControl, Repaired, burn};
use crate::morale::{self, Decline, Morale, Nerve};
use crate::ship::{Ship, ShipObject};

procedures![ShipMorale, SquadronMorale, AircraftMorale, DamageControlTeams, FireBurn];

#[derive(Deserialize, Shaped)]
struct HurtShip {
    /// Original structure.
    #[shape(1..=200)]
    s_max: i32,
    /// Structure at the start of the turn.
    #[shape(0..=200)]
    s_before: i32,
    /// Structure now.
    #[shape(0..=200)]
    s_now: i32,
    /// Original flotation.
    #[shape(0..=200)]
    f_max: i32,
    /// Flotation at the start of the turn.
    #[shape(0..=200)]
    f_before: i32,
    /// Flotation now.
    #[shape(0..=200)]
    f_now: i32,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    crew_quality: i32,
    /// The squadron commander is aboard.
    #[shape(or = false)]
    co_on_board: bool,
    /// Command value.
    #[shape(-9..=2, or = 0)]
    command: i32,
    /// Fires aboard.
    #[shape(0..=99, or = 0)]
    fires: i32,
}

impl HurtShip {
    fn structure(&self) -> Decline {
        Decline { original: self.s_max, before: self.s_before, now: self.s_now }
    }

    fn flotation(&self) -> Decline {
        Decline { original: self.f_max, before: self.f_before, now: self.f_now }
    }
}

impl Procedure for ShipMorale {
    const NAME: &'static str = "ship-morale";
    const HELP: &'static str = "Whether a ship that was badly hurt this turn keeps her nerve.";
    const DICE: &'static str =
        "a d10 for each cause: structure at a third, structure gone, flotation at a third, flotation gone";
    const RULES: &'static [Rule] = &[rule::S12_3, rule::R_14, rule::R_33, rule::R_53];
    type Input = HurtShip;
    type Facts = HurtShip;
    type Output = Morale;

    fn read(&self, input: HurtShip) -> Result<HurtShip, Refusal> {
        input.structure().check("Structure")?;
        input.flotation().check("Flotation")?;
        Ok(input)
    }

    fn run(&self, facts: &HurtShip, ask: &mut impl Ask) -> Asked<Morale> {
        let nerve = Nerve { crew_quality: facts.crew_quality, command: facts.co_on_board.then_some(facts.command) };
        morale::ship(&self.0, facts.structure(), facts.flotation(), nerve, facts.fires, ask)
    }
}

#[derive(Deserialize, Shaped)]
struct HurtSquadron {
    #[serde(flatten)]
    members: Decline,
    /// Command value.
    #[shape(-9..=2)]
    command: i32,
}

impl Procedure for SquadronMorale {
    const NAME: &'static str = "squadron-morale";
    const HELP: &'static str = "Whether a squadron that lost members this turn holds together.";
    const DICE: &'static str = "a d10 if it is at half its number or below";
    const RULES: &'static [Rule] = &[rule::S12_5, rule::R_14, rule::R_34];
    type Input = HurtSquadron;
    type Facts = HurtSquadron;
    type Output = Morale;

    fn read(&self, input: HurtSquadron) -> Result<HurtSquadron, Refusal> {
        input.members.check("The number of members")?;
        Ok(input)
    }

    fn run(&self, facts: &HurtSquadron, ask: &mut impl Ask) -> Asked<Morale> {
        morale::squadron(&self.0, facts.members, facts.command, ask)
    }
}

#[derive(Deserialize, Shaped)]
struct HurtStand {
    #[serde(flatten)]
    aircraft: Decline,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    crew_quality: i32,
    /// The stand is the last of its squadron.
    #[shape(or = false)]
    only_stand: bool,
    /// Command value.
    #[shape(-9..=2, or = 0)]
    command: i32,
}

impl Procedure for AircraftMorale {
    const NAME: &'static str = "aircraft-morale";
    const HELP: &'static str = "Whether a stand that lost aircraft this turn goes on.";
    const DICE: &'static str = "a d10 if it is at a third of its number or below";
    const RULES: &'static [Rule] = &[rule::S12_4, rule::R_35];
    type Input = HurtStand;
    type Facts = HurtStand;
    type Output = Morale;

    fn read(&self, input: HurtStand) -> Result<HurtStand, Refusal> {
        input.aircraft.check("The number of aircraft")?;
        Ok(input)
    }

    fn run(&self, facts: &HurtStand, ask: &mut impl Ask) -> Asked<Morale> {
        let nerve = Nerve { crew_quality: facts.crew_quality, command: facts.only_stand.then_some(facts.command) };
        morale::stand(&self.0, facts.aircraft, nerve, ask)
    }
}

impl Procedure for DamageControlTeams {
    const NAME: &'static str = "damage-control";
    const HELP: &'static str = "What the damage control teams of a ship achieve.";
    const DICE: &'static str =
        "a d10 against the fires if there are any; for each repair a d10 and, for repaired engines, a d6";
    const RULES: &'static [Rule] = &[rule::C_20, rule::R_38];
    type Input = DamageControl;
    type Facts = DamageControl;
    type Output = Repaired;

    fn read(&self, input: DamageControl) -> Result<DamageControl, Refusal> {
        input.check()?;
        Ok(input)
    }

    fn run(&self, facts: &DamageControl, ask: &mut impl Ask) -> Asked<Repaired> {
        facts.work(&self.0, ask)
    }
}

#[derive(Deserialize, Shaped)]
struct Burning {
    /// The burning ship.
    ship: ShipObject,
}

impl Procedure for FireBurn {
    const NAME: &'static str = "fire-burn";
    const HELP: &'static str = "What the fires aboard a ship cost at the end of a turn.";
    const DICE: &'static str = "a Wreck Test if due";
    const RULES: &'static [Rule] = &[rule::C_20, rule::S10_2];
    type Input = Burning;
    type Facts = Ship;
    type Output = DamageResult;

    fn read(&self, input: Burning) -> Result<Ship, Refusal> {
        input.ship.read(&self.0, "input.ship")
    }

    fn run(&self, ship: &Ship, ask: &mut impl Ask) -> Asked<DamageResult> {
        let mut now = ship.now;
        let harm = burn(&self.0, &ship.sheet, &mut now, ask)?;
        Ok(DamageResult::new(&self.0, ship, now, 0, Some(harm)))
    }
}
