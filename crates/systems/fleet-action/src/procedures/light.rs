//! Light guns, and guns at small craft.

use super::*;
use crate::gunnery::BoatShoot;
use crate::light_guns::{LightFire, LightHits};
use crate::volley::{Salvo, SalvoState};
use flagplot_kernel::Flow;

procedures![CrfMrfFire, TypeXGunnery];

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct LightResult {
    /// Attacks made.
    attacks: i32,
    /// All modifiers together.
    modifier: i32,
    /// Lowest face that hits.
    needed: i32,
    #[serde(flatten)]
    light: LightHits,
}

fn light_result(salvo: &Salvo<'_>, state: &SalvoState, fire: &LightFire) -> LightResult {
    LightResult {
        attacks: salvo.dice,
        modifier: salvo.aim.modifiers.total(),
        needed: salvo.aim.needed(),
        light: LightHits::new(salvo, state, &fire.target),
    }
}

impl Procedure for CrfMrfFire {
    const NAME: &'static str = "crf-mrf-fire";
    const HELP: &'static str = "Light guns at a Type X stand or a small or merchant vessel.";
    const DICE: &'static str = "a d20 for each attack (a re-roll directly after its miss), then a d10 for each hit";
    const RULES: &'static [Rule] = &[rule::S9_8, rule::R_5, rule::R_30, rule::R_37, rule::C_10];
    type Input = LightFire;
    type Facts = LightFire;
    type Output = LightResult;

    fn read(&self, input: LightFire) -> Result<LightFire, Refusal> {
        input.check(&self.0)?;
        Ok(input)
    }

    fn run(&self, facts: &LightFire, ask: &mut impl Ask) -> Asked<LightResult> {
        let salvo = facts.salvo(&self.0);
        let state = salvo.fire(ask)?;
        Ok(light_result(&salvo, &state, facts))
    }

    fn odds(&self, facts: &LightFire, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let salvo = facts.salvo(&self.0);
        process_odds(&salvo, SalvoState::default(), |state| light_result(&salvo, state, facts), wanted, budget)
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct BoatResult {
    /// Range band.
    range_band: i32,
    /// Number of the table.
    base: i32,
    /// All modifiers together.
    modifier: i32,
    /// Lowest face that hits.
    needed: i32,
    /// The guns hit.
    hit: bool,
    /// A miss was rolled again.
    rerolled: bool,
    /// What is added to the saving throw.
    save_modifier: i32,
    /// The hit was saved.
    saved: bool,
    /// Vessels left.
    vessels: i32,
    /// Splash markers on the stand afterwards.
    splash: i32,
}

impl Procedure for TypeXGunnery {
    const NAME: &'static str = "type-x-gunnery";
    const HELP: &'static str = "Guns of 99 to 155 mm at a stand of small craft.";
    const DICE: &'static str = "d20, a d20 for a miss that is rolled again, a d10 saving throw for a hit";
    const RULES: &'static [Rule] = &[rule::S9_6, rule::R_6];
    type Input = BoatShoot;
    type Facts = (BoatShoot, i32);
    type Output = BoatResult;

    fn read(&self, input: BoatShoot) -> Result<(BoatShoot, i32), Refusal> {
        let band = input.check(&self.0)?;
        Ok((input, band))
    }

    fn run(&self, (shoot, band): &(BoatShoot, i32), ask: &mut impl Ask) -> Asked<BoatResult> {
        let aim = shoot.aim(&self.0, *band);
        let shot = aim.shoot(ask)?;
        // One hit needs one saving throw: a volley of one die that has already hit.
        let salvo = Salvo { rules: &self.0, dice: 1, aim, saves: Some(shoot.saves()) };
        let mut state = SalvoState { rolled: 1, hits: i32::from(shot.hit), ..SalvoState::default() };
        while salvo.step(&mut state, ask)? == Flow::Continue {}
        Ok(BoatResult {
            range_band: *band,
            base: salvo.aim.base,
            modifier: salvo.aim.modifiers.total(),
            needed: salvo.aim.needed(),
            hit: shot.hit,
            rerolled: shot.rerolled,
            save_modifier: salvo.save_modifier(),
            saved: shot.hit && state.failed == 0,
            vessels: shoot.target.vessels - state.failed,
            splash: shoot.target.splash + i32::from(shot.hit),
        })
    }
}
