//! Guns at ships.

use super::*;
use crate::gunnery::{Firing, Shoot};
use crate::rules::RANGE_BANDS;
use crate::volley::{Aim, NamedModifier, Shot, Target};

procedures![GunneryToHit];

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub(super) struct ToHitResult {
    /// Range band.
    range_band: i32,
    /// Number of the table.
    base: i32,
    /// All modifiers together.
    modifier: i32,
    /// Lowest face that hits.
    needed: i32,
    /// Each modifier that is not 0.
    #[shape(items = 0..=20)]
    modifiers: Vec<NamedModifier>,
    /// A miss is rolled again.
    reroll_misses: bool,
    /// The guns hit.
    hit: bool,
    /// A miss was rolled again.
    rerolled: bool,
}

impl ToHitResult {
    pub(super) fn new(shoot: &Shoot, aim: &Aim, shot: Shot) -> Self {
        Self {
            range_band: shoot.band,
            base: aim.base,
            modifier: aim.modifiers.total(),
            needed: aim.needed(),
            modifiers: aim.modifiers.named(),
            reroll_misses: aim.rerolls(),
            hit: shot.hit,
            rerolled: shot.rerolled,
        }
    }
}

impl Procedure for GunneryToHit {
    const NAME: &'static str = "gunnery-to-hit";
    const HELP: &'static str = "Whether the guns of one battery hit their target.";
    const DICE: &'static str = "d20, and a d20 for a miss that is rolled again";
    const RULES: &'static [Rule] = &[rule::S9_5, rule::R_2, rule::R_3, rule::R_43, rule::C_8];
    type Input = Firing<Target>;
    type Facts = Shoot;
    type Output = ToHitResult;

    fn read(&self, input: Firing<Target>) -> Result<Shoot, Refusal> {
        input.shoot(&self.0, input.target, RANGE_BANDS as i32)
    }

    fn run(&self, shoot: &Shoot, ask: &mut impl Ask) -> Asked<ToHitResult> {
        let aim = shoot.aim(&self.0);
        let shot = aim.shoot(ask)?;
        Ok(ToHitResult::new(shoot, &aim, shot))
    }
}
