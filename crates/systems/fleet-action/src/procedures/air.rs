//! Anti-aircraft fire, air attacks and air combat.

use super::*;
use crate::air_attack::{AirAttack, GunAttack};
use crate::air_combat::{AirCombat, Burst};
use crate::anti_air::{FlakVolley, Stand};
use crate::light_guns::LightHits;
use crate::volley::{Salvo, SalvoState, Volley};

procedures![AaFire, AirAttackOnShip, AirGunAttack, AirCombatOfStands];

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct FlakResult {
    #[serde(flatten)]
    volley: Volley,
    /// What is added to each saving throw.
    save_modifier: i32,
    /// Hits.
    hits: i32,
    /// Aircraft shot down.
    aircraft_lost: i32,
    /// Aircraft left.
    aircraft: i32,
    /// Flak markers on the stand afterwards.
    flak: i32,
}

fn flak_result(salvo: &Salvo<'_>, state: &SalvoState, target: &Stand) -> FlakResult {
    FlakResult {
        volley: salvo.volley(),
        save_modifier: salvo.save_modifier(),
        hits: state.hits,
        aircraft_lost: state.failed,
        aircraft: target.aircraft - state.failed,
        flak: target.flak + i32::from(state.hits > 0),
    }
}

impl Procedure for AaFire {
    const NAME: &'static str = "aa-fire";
    const HELP: &'static str = "One volley of anti-aircraft fire of one ship at one stand.";
    const DICE: &'static str = "a d20 for each factor (a re-roll directly after its miss), \
        then a d10 for each hit while aircraft are left";
    const RULES: &'static [Rule] = &[rule::S9_9, rule::C_10, rule::C_11, rule::R_9, rule::R_30, rule::R_31];
    type Input = FlakVolley;
    type Facts = FlakVolley;
    type Output = FlakResult;

    fn read(&self, input: FlakVolley) -> Result<FlakVolley, Refusal> {
        input.check(&self.0)?;
        Ok(input)
    }

    fn run(&self, facts: &FlakVolley, ask: &mut impl Ask) -> Asked<FlakResult> {
        let salvo = facts.salvo(&self.0);
        let state = salvo.fire(ask)?;
        Ok(flak_result(&salvo, &state, &facts.target))
    }

    fn odds(&self, facts: &FlakVolley, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let salvo = facts.salvo(&self.0);
        process_odds(&salvo, SalvoState::default(), |end| flak_result(&salvo, end, &facts.target), wanted, budget)
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct AttackResult {
    #[serde(flatten)]
    volley: Volley,
    /// Misses are rolled again.
    reroll_misses: bool,
    /// Hits.
    hits: i32,
}

impl Procedure for AirAttackOnShip {
    const NAME: &'static str = "air-attack-on-ship";
    const HELP: &'static str = "How many bombs, torpedoes or rockets of a stand hit a ship.";
    const DICE: &'static str = "a d20 for each band of aircraft, a re-roll directly after its miss";
    const RULES: &'static [Rule] = &[rule::S9_11, rule::C_12, rule::R_10, rule::R_11];
    type Input = AirAttack;
    type Facts = AirAttack;
    type Output = AttackResult;

    fn read(&self, input: AirAttack) -> Result<AirAttack, Refusal> {
        input.check()?;
        Ok(input)
    }

    fn run(&self, facts: &AirAttack, ask: &mut impl Ask) -> Asked<AttackResult> {
        let salvo = facts.salvo(&self.0);
        let hits = salvo.fire(ask)?.hits;
        Ok(AttackResult { volley: salvo.volley(), reroll_misses: salvo.aim.rerolls(), hits })
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct GunsResult {
    #[serde(flatten)]
    volley: Volley,
    /// Misses are rolled again.
    reroll_misses: bool,
    #[serde(flatten)]
    light: LightHits,
}

impl Procedure for AirGunAttack {
    const NAME: &'static str = "air-gun-attack";
    const HELP: &'static str = "Aircraft strafing, or attacking with anti-shipping guns.";
    const DICE: &'static str =
        "a d20 for each band of aircraft (a re-roll directly after its miss), then a d10 for each hit";
    const RULES: &'static [Rule] = &[rule::S9_12, rule::R_12, rule::R_13, rule::R_30];
    type Input = GunAttack;
    type Facts = GunAttack;
    type Output = GunsResult;

    fn read(&self, input: GunAttack) -> Result<GunAttack, Refusal> {
        input.check()?;
        Ok(input)
    }

    fn run(&self, facts: &GunAttack, ask: &mut impl Ask) -> Asked<GunsResult> {
        let salvo = facts.salvo(&self.0);
        let state = salvo.fire(ask)?;
        let light = LightHits::new(&salvo, &state, &facts.target);
        Ok(GunsResult { volley: salvo.volley(), reroll_misses: salvo.aim.rerolls(), light })
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct CombatResult {
    /// What the attacker did.
    attacker: Burst,
    /// What the defender did.
    defender: Burst,
    /// Aircraft of the attacker left.
    attacker_left: i32,
    /// Aircraft of the defender left.
    defender_left: i32,
}

impl Procedure for AirCombatOfStands {
    const NAME: &'static str = "air-combat";
    const HELP: &'static str = "One stand attacks another in the air, which may fire back.";
    const DICE: &'static str = "a d20 for each band of attackers, the same for the defenders if they fire back, \
        a d10 for each hit on the defenders, then on the attackers, while aircraft are left";
    const RULES: &'static [Rule] = &[rule::S9_15, rule::C_13, rule::R_44, rule::R_45];
    type Input = AirCombat;
    type Facts = AirCombat;
    type Output = CombatResult;

    fn read(&self, input: AirCombat) -> Result<AirCombat, Refusal> {
        input.check()?;
        Ok(input)
    }

    fn run(&self, facts: &AirCombat, ask: &mut impl Ask) -> Asked<CombatResult> {
        let (attacker, defender) = facts.fight(&self.0, ask)?;
        let attacker_left = facts.attacker.stand.aircraft - defender.kills;
        let defender_left = facts.defender.stand.aircraft - attacker.kills;
        Ok(CombatResult { attacker, defender, attacker_left, defender_left })
    }
}
