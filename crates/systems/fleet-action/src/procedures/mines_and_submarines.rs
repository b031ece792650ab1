//! Mines and submarines.

use super::*;
use crate::mines_and_submarines::{DEPTH_CHARGE_LOSS, DepthCharging, Search, Transit};
use crate::volley::{Salvo, SalvoState};
use flagplot_referee::{Shape, int};

procedures![MineTransit, SubmarineDetection, AswAttack];

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct MineResult {
    /// Lowest face of a strike.
    needed: i32,
    /// The ship strikes a mine.
    strike: bool,
    /// Where the mine strikes; none without a strike.
    column: MineColumn,
}

impl Procedure for MineTransit {
    const NAME: &'static str = "mine-transit";
    const HELP: &'static str = "Whether and where a ship that enters a minefield strikes a mine.";
    const DICE: &'static str = "d20, and a d10 for a strike";
    const RULES: &'static [Rule] = &[rule::C_31, rule::C_9];
    type Input = Transit;
    type Facts = Transit;
    type Output = MineResult;

    fn read(&self, input: Transit) -> Result<Transit, Refusal> {
        Ok(input)
    }

    fn run(&self, facts: &Transit, ask: &mut impl Ask) -> Asked<MineResult> {
        let column = facts.cross(&self.0, ask)?;
        Ok(MineResult { needed: facts.aim(&self.0).needed(), strike: column.is_some(), column: column.into() })
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct SonarResult {
    /// All modifiers together.
    modifier: i32,
    /// The submarine is detected.
    detected: bool,
}

impl Procedure for SubmarineDetection {
    const NAME: &'static str = "submarine-detection";
    const HELP: &'static str = "Whether sonar finds a submarine.";
    const DICE: &'static str = "d10";
    const RULES: &'static [Rule] = &[rule::C_30];
    type Input = Search;
    type Facts = Search;
    type Output = SonarResult;

    fn input(&self) -> Shape {
        Search::shape().with("range_mm", int(0, self.0.reach.sonar.into()))
    }

    fn read(&self, input: Search) -> Result<Search, Refusal> {
        Ok(input)
    }

    fn run(&self, facts: &Search, ask: &mut impl Ask) -> Asked<SonarResult> {
        Ok(SonarResult { modifier: facts.modifiers().total(), detected: facts.listen(&self.0, ask)? })
    }
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct AswResult {
    /// Lowest face that hits.
    needed: i32,
    /// Hits.
    hits: i32,
    /// Saving throws failed.
    failed_saves: i32,
    /// Flotation left.
    f: i32,
    /// The submarine is sunk.
    sunk: bool,
    /// The submarine must surface.
    forced_up: bool,
}

fn asw_result(salvo: &Salvo<'_>, state: &SalvoState, facts: &DepthCharging) -> AswResult {
    let f = (facts.submarine.f - DEPTH_CHARGE_LOSS * state.failed).max(0);
    AswResult {
        needed: salvo.aim.needed(),
        hits: state.hits,
        failed_saves: state.failed,
        f,
        sunk: f == 0,
        forced_up: f > 0 && 3 * f <= facts.submarine.f_max(),
    }
}

impl Procedure for AswAttack {
    const NAME: &'static str = "asw-attack";
    const HELP: &'static str = "Depth charges on a submarine that has been detected.";
    const DICE: &'static str = "a d20 for each factor, then a d10 for each hit while it has flotation left";
    const RULES: &'static [Rule] = &[rule::C_30];
    type Input = DepthCharging;
    type Facts = DepthCharging;
    type Output = AswResult;

    fn read(&self, input: DepthCharging) -> Result<DepthCharging, Refusal> {
        input.submarine.check()?;
        Ok(input)
    }

    fn run(&self, facts: &DepthCharging, ask: &mut impl Ask) -> Asked<AswResult> {
        let salvo = facts.salvo(&self.0);
        let state = salvo.fire(ask)?;
        Ok(asw_result(&salvo, &state, facts))
    }

    fn odds(&self, facts: &DepthCharging, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let salvo = facts.salvo(&self.0);
        process_odds(&salvo, SalvoState::default(), |state| asw_result(&salvo, state, facts), wanted, budget)
    }
}
