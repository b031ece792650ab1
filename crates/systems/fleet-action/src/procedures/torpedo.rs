//! Torpedoes.

use super::*;
use crate::torpedo::{self, Launch, Spread};
use crate::volley::Salvo;
use flagplot_kernel::Note;

procedures![TorpedoAttack, UnderwaterLocation];

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct TorpedoResult {
    /// Range band.
    range_band: i32,
    /// Number of the table; 0 out of range.
    base: i32,
    /// All modifiers together.
    modifier: i32,
    /// Lowest face that hits; 0 out of range.
    needed: i32,
    /// Dice rolled.
    dice: i32,
    /// The torpedoes ran out before the target.
    out_of_range: bool,
    /// Hits.
    hits: i32,
}

impl Procedure for TorpedoAttack {
    const NAME: &'static str = "torpedo-attack";
    const HELP: &'static str = "How many torpedoes of one attack hit one target.";
    const DICE: &'static str = "a d20 for each band of torpedoes, a re-roll directly after its miss";
    const RULES: &'static [Rule] = &[rule::S9_7, rule::C_9, rule::R_4, rule::R_43];
    type Input = Launch;
    type Facts = Spread;
    type Output = TorpedoResult;

    fn read(&self, input: Launch) -> Result<Spread, Refusal> {
        input.read(&self.0)
    }

    fn run(&self, spread: &Spread, ask: &mut impl Ask) -> Asked<TorpedoResult> {
        let salvo = spread.salvo(&self.0);
        let Salvo { dice, aim, .. } = &salvo;
        let (range_band, modifier, out_of_range) = (spread.band, aim.modifiers.total(), spread.out_of_range());
        if out_of_range {
            ask.note(|| {
                let (band, last) = (spread.band, spread.launch.max_band);
                let text = format!("RB {band} is beyond RB {last}: the torpedoes run out");
                Note::new("out-of-range", text).by(&[rule::C_9])
            });
            return Ok(TorpedoResult { range_band, base: 0, modifier, needed: 0, dice: 0, out_of_range, hits: 0 });
        }
        let (base, needed, dice, hits) = (aim.base, aim.needed(), *dice, salvo.fire(ask)?.hits);
        Ok(TorpedoResult { range_band, base, modifier, needed, dice, out_of_range, hits })
    }
}

#[derive(Deserialize, Shaped)]
struct Approached {
    /// Direction the torpedo or mine comes from.
    from: Approach,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct Located {
    /// Where it strikes.
    column: Column,
}

impl Procedure for UnderwaterLocation {
    const NAME: &'static str = "underwater-location";
    const HELP: &'static str = "Where a torpedo or mine strikes.";
    const DICE: &'static str = "d10";
    const RULES: &'static [Rule] = &[rule::C_9];
    type Input = Approached;
    type Facts = Approach;
    type Output = Located;

    fn read(&self, input: Approached) -> Result<Approach, Refusal> {
        Ok(input.from)
    }

    fn run(&self, &from: &Approach, ask: &mut impl Ask) -> Asked<Located> {
        Ok(Located { column: torpedo::location(&self.0, from, ask)? })
    }
}
