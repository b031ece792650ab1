use crate::data::Rules;
use crate::fuel::{Homing, ditch};
use crate::geometry::lengths;
use crate::rule;
use crate::scenario::VictoryLines;
use crate::victory::{Level, Position, Reason, Tally, judge, surface_action};
use crate::words::{Color, Status, color};
use flagplot_kernel::{Ask, Asked, BySide, Note, Refusal, Rule, Side};
use flagplot_referee::{Procedure, Shape, Shaped, word, word_of};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, Shaped)]
pub struct DitchingInput {
    /// Aircraft.
    #[shape(1..=12)]
    strength: u8,
    /// Range die, which must be 1.
    #[shape(1..=8)]
    rl: u8,
    /// Distance to its carrier card, in thousandths of a card length.
    #[shape(0..=1_000_000)]
    distance: i64,
    /// Whether it flew home from beyond reach in its last action.
    #[shape(or = false)]
    already_ditched: bool,
    /// Whether it has a carrier.
    #[shape(or = true)]
    cv_in_play: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct DitchingOutput {
    /// Aircraft lost.
    #[shape(0..=12)]
    lost: u8,
    /// Aircraft left.
    #[shape(0..=12)]
    remaining: u8,
    /// Whether nothing is left.
    destroyed: bool,
    /// What it does.
    action: Homing,
    /// Distance afterwards.
    #[shape(0..=1_000_000)]
    end_distance: i64,
    /// Whether it has now flown home from beyond reach.
    ditched: bool,
}

/// A squadron on its last fuel.
pub struct Ditching(pub Arc<Rules>);

impl Procedure for Ditching {
    const NAME: &'static str = "ditching";
    const HELP: &'static str = "What a squadron on RL 1 loses, and what it does.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::FUEL, rule::R_5, rule::R_47, rule::R_48];
    type Input = DitchingInput;
    type Facts = DitchingInput;
    type Output = DitchingOutput;

    fn read(&self, input: DitchingInput) -> Result<DitchingInput, Refusal> {
        if input.rl != 1 {
            let message = format!("A squadron on RL {} has fuel and loses nothing.", input.rl);
            return Err(Refusal::new("inconsistent", message).by(rule::FUEL));
        }
        Ok(input)
    }

    fn run(&self, input: &DitchingInput, ask: &mut impl Ask) -> Asked<DitchingOutput> {
        let distance = input.distance;
        ask.note(|| {
            Note::new("distance", format!("It is {} lengths from its carrier.", lengths(distance)))
                .detail()
                .by(&[rule::MEASURING, rule::R_5])
        });
        let ditching = ditch(&self.0, input.strength, input.cv_in_play.then_some(distance), input.already_ditched, ask);
        let remaining = input.strength - ditching.lost;
        Ok(DitchingOutput {
            lost: ditching.lost,
            remaining,
            destroyed: remaining == 0,
            action: ditching.then,
            end_distance: match ditching.then {
                Homing::Land => 0,
                Homing::Move => (distance - self.0.speeds.squadron_move).max(0),
                Homing::None => distance,
            },
            ditched: ditching.ditched,
        })
    }
}

#[derive(Deserialize, Shaped)]
pub struct SurfaceInput {
    /// Blue's hits before.
    #[shape(0..=7)]
    blue_hits: u8,
    /// Red's hits before.
    #[shape(0..=7)]
    red_hits: u8,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct SurfaceOutput {
    /// Damage to Blue.
    #[shape(1..=8)]
    damage_to_blue: u8,
    /// Damage to Red.
    #[shape(1..=8)]
    damage_to_red: u8,
    /// Blue's hits afterwards.
    #[shape(0..=8)]
    blue_hits: u8,
    /// Red's hits afterwards.
    #[shape(0..=8)]
    red_hits: u8,
    /// How Blue fares.
    blue_status: Status,
    /// How Red fares.
    red_status: Status,
    /// Whether Blue lost a carrier this way.
    blue_loses: bool,
    /// Whether Red lost a carrier this way.
    red_loses: bool,
}

/// Carriers that meet.
pub struct SurfaceAction(pub Arc<Rules>);

impl Procedure for SurfaceAction {
    const NAME: &'static str = "surface-action";
    const HELP: &'static str = "Two carrier groups shoot it out.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::SURFACE_ACTION, rule::R_41];
    type Input = SurfaceInput;
    type Facts = BySide<u8>;
    type Output = SurfaceOutput;

    fn read(&self, input: SurfaceInput) -> Result<BySide<u8>, Refusal> {
        Ok(BySide { first: input.blue_hits, second: input.red_hits })
    }

    fn run(&self, hits: &BySide<u8>, ask: &mut impl Ask) -> Asked<SurfaceOutput> {
        let BySide { first: blue, second: red } = surface_action(&self.0, *hits, ask);
        Ok(SurfaceOutput {
            damage_to_blue: blue.damage,
            damage_to_red: red.damage,
            blue_hits: blue.hits,
            red_hits: red.hits,
            blue_status: self.0.carrier.status(blue.hits),
            red_status: self.0.carrier.status(red.hits),
            blue_loses: blue.loses,
            red_loses: red.loses,
        })
    }
}

#[derive(Deserialize, Shaped)]
pub struct VictoryInput {
    /// Scenario.
    scenario: String,
    /// Turn.
    #[shape(1..=12)]
    turn: u8,
    /// Whether the turn is finished.
    #[shape(or = true)]
    turn_finished: bool,
    /// Blue.
    blue: Tally,
    /// Red.
    red: Tally,
    /// The sides that lost a carrier to ships.
    #[shape(items = 0..=2, or = [])]
    surface_losers: Vec<Color>,
    /// Aircraft of kamikaze squadrons; kamikaze only.
    #[shape(0..=24)]
    kamikaze_aircraft: Option<u8>,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct VictoryOutput {
    /// Whether it is over.
    over: bool,
    /// Why.
    reason: Reason,
    /// Who leads.
    #[shape(with = word(&["blue", "red", "none"]))]
    winner: &'static str,
    /// How well.
    #[shape(with = word(&["decisive", "major", "minor", "draw", "surface", "both-lose"]))]
    level: &'static str,
    /// What Blue holds.
    blue_level: Level,
    /// What Red holds.
    red_level: Level,
}

pub struct Victory(pub Arc<Rules>);

impl Procedure for Victory {
    const NAME: &'static str = "victory";
    const HELP: &'static str = "Who leads a scenario, how well, and whether it is over.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::VICTORY, rule::R_16, rule::R_55, rule::R_56, rule::C_10, rule::C_11];
    type Input = VictoryInput;
    /// Where the scenario stands in the data, and the position.
    type Facts = (usize, Position);
    type Output = VictoryOutput;

    fn input(&self) -> Shape {
        VictoryInput::shape().with("scenario", word_of(self.0.scenario.iter().map(|scenario| &scenario.id)))
    }

    fn read(&self, input: VictoryInput) -> Result<Self::Facts, Refusal> {
        let Some(at) = self.0.scenario.iter().position(|scenario| scenario.id == input.scenario) else {
            return Err(Refusal::new("bad-enum", format!("There is no scenario '{}'.", input.scenario)));
        };
        let scenario = &self.0.scenario[at];
        let mut reasons = Vec::new();
        let mut bar = |barred: bool, code, message: &str| {
            reasons.extend(barred.then(|| Refusal::new(code, message)));
        };
        let too_late = format!("input.turn must lie between 1 and {}.", scenario.turns);
        bar(input.turn > scenario.turns, "out-of-range", &too_late);
        let (kamikaze, counted) = (scenario.victory == VictoryLines::Kamikaze, input.kamikaze_aircraft.is_some());
        let lacking = "input needs 'kamikaze_aircraft' in this scenario.";
        bar(kamikaze && !counted, "missing-field", lacking);
        bar(!kamikaze && counted, "inconsistent", "Only the kamikaze scenario counts kamikaze aircraft.");
        for (name, side) in [("Blue", &input.blue), ("Red", &input.red)] {
            let both = format!("{name} cannot be both sunk and disengaged.");
            bar(side.disengaged && side.cv_hits >= 8, "inconsistent", &both);
        }
        let losers = &input.surface_losers;
        bar(
            losers.len() == 2 && losers[0] == losers[1],
            "duplicate-id",
            "A side is listed twice among surface_losers.",
        );
        Refusal::all(reasons)?;
        let position = Position {
            sides: BySide { first: input.blue, second: input.red },
            surface_losers: BySide::new_with(|side| losers.iter().any(|loser| loser.side() == side)),
            kamikaze_aircraft: input.kamikaze_aircraft.unwrap_or(0),
            time_is_up: input.turn == scenario.turns && input.turn_finished,
            bid: None,
        };
        Ok((at, position))
    }

    fn run(&self, (scenario, position): &Self::Facts, ask: &mut impl Ask) -> Asked<VictoryOutput> {
        let verdict = judge(&self.0.scenario[*scenario], position, ask);
        Ok(VictoryOutput {
            over: verdict.reason != Reason::None,
            reason: verdict.reason,
            winner: verdict.winner.map_or("none", color),
            level: verdict.level(),
            blue_level: verdict.levels[Side::First],
            red_level: verdict.levels[Side::Second],
        })
    }
}
