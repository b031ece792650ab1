//! Bets, their failure, and spins.

use crate::Rules;
use crate::bet::{self, BetRoll, Failure, Settled};
use crate::flight::{self, SpinBet};
use crate::refusals::Barred;
use crate::rule;
use crate::who::Who;
use crate::words::Task;
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_referee::{Procedure, Shaped};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, Shaped)]
pub(super) struct BetInput {
    #[serde(flatten)]
    bet: bet::Bet,
    /// The aircraft's rating.
    #[shape(-99..=99, or = 0)]
    aerobatic_rating: i32,
    /// The order in which tasks are given up.
    #[shape(items = 0..=8, or = ["aerobatics", "facing", "stay-in-hex", "leveling"])]
    cancel: Vec<Task>,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct BetOutput {
    #[serde(flatten)]
    rolled: BetRoll,
    /// How far it is above the target number.
    #[shape(-999..=999)]
    margin: i32,
    /// The most points that could be staked.
    #[shape(0..=999)]
    max_aerobatic_points: i32,
    /// What aerobatics do to the movement die.
    #[shape(-1..=0)]
    mp_die_modifier: i32,
    /// The failure table; null if the bet was won.
    failure: Option<Failure>,
    /// How many tasks there were.
    #[shape(0..=999)]
    tasks: i32,
    #[serde(flatten)]
    settled: Settled,
    /// Whether a stress test is due.
    stress_test: bool,
    /// Its modifier from the failure.
    #[shape(-2..=0)]
    stress_modifier: i32,
}

pub(super) struct Bet(pub Arc<Rules>);

fn most_points(input: &BetInput) -> i32 {
    bet::most_points(input.bet.level, input.bet.flying, input.aerobatic_rating)
}

impl Procedure for Bet {
    const NAME: &'static str = "bet";
    const HELP: &'static str = "A manoeuvre bet, won or lost, with all its effects.";
    const DICE: &'static str = "2d6; if it is lost 2d6 for the failure";
    const RULES: &'static [Rule] =
        &[rule::BET, rule::AEROBATICS, rule::BET_FAILURE, rule::R_23, rule::R_29, rule::R_31, rule::R_32];
    type Input = BetInput;
    type Facts = BetInput;
    type Output = BetOutput;

    fn read(&self, input: BetInput) -> Result<BetInput, Refusal> {
        let bet = &input.bet;
        let (required, raised) = (bet.required(), bet.level > bet.required());
        let staked = bet.points > 0 || bet.formation_points > 0;
        let reasons = [
            (bet.level < required, Barred::LevelTooLow { required }),
            (raised && (bet.leveling || bet.maneuver.hexsides().is_some()), Barred::OnlyStayRaised),
            (bet.maneuver.is_plain() && bet.level == 0 && !staked && !bet.leveling, Barred::BetOfNothing),
            (bet.points > 0 && bet.formation_points > 0, Barred::FollowerAerobatics),
        ];
        let reasons = reasons.into_iter().filter(|(holds, _)| *holds).map(|(_, barred)| barred);
        let too_many = bet::check_points(bet.points, most_points(&input)).err();
        Refusal::all(reasons.chain(too_many).map(Refusal::from).collect())?;
        Ok(input)
    }

    fn run(&self, input: &BetInput, ask: &mut impl Ask) -> Asked<BetOutput> {
        let (tables, bet) = (&self.0.tables, &input.bet);
        let (rolled, failure) = bet::roll(tables, bet, Who::AIRCRAFT, ask)?;
        let tasks = bet.tasks();
        let cancelled = failure.as_ref().map(|failure| tasks.give_up(failure.cut, &input.cancel)).unwrap_or_default();
        let settled = bet::settle(tables, bet, rolled, failure.as_ref(), cancelled, ask);
        Ok(BetOutput {
            rolled,
            margin: rolled.margin(),
            max_aerobatic_points: most_points(input),
            mp_die_modifier: -i32::from(bet.points > 0),
            failure,
            tasks: tasks.total(),
            stress_test: settled.level_stress || settled.failure_stress.is_some(),
            stress_modifier: settled.failure_stress.unwrap_or(0),
            settled,
        })
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct FailureInput {
    /// How much the bet was missed by.
    #[shape(1..=999)]
    missed_by: i32,
}

pub(super) struct BetFailure(pub Arc<Rules>);

impl Procedure for BetFailure {
    const NAME: &'static str = "bet-failure";
    const HELP: &'static str = "What a lost bet costs.";
    const DICE: &'static str = "2d6";
    const RULES: &'static [Rule] = &[rule::BET_FAILURE, rule::R_30];
    type Input = FailureInput;
    type Facts = FailureInput;
    type Output = Failure;

    fn read(&self, input: FailureInput) -> Result<FailureInput, Refusal> {
        Ok(input)
    }

    fn run(&self, input: &FailureInput, ask: &mut impl Ask) -> Asked<Failure> {
        bet::failure(&self.0.tables, input.missed_by, Who::AIRCRAFT, ask)
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct SpinInput {
    /// Into a spin or out of it.
    action: SpinBet,
    /// Effective flying skill.
    #[shape(-99..=99, or = 0)]
    flying_skill: i32,
    /// Damage to the controls.
    #[shape(0..=99, or = 0)]
    control_penalty: i32,
    /// Its level.
    #[shape(1..=99, null, or = null)]
    level: Option<i32>,
    /// The level from which a bet causes a stress test.
    #[shape(0..=3, or = 3)]
    stress_bet_level: i32,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct SpinOutput {
    /// The level of the bet.
    #[shape(0..=3)]
    bet_level: i32,
    #[serde(flatten)]
    rolled: BetRoll,
    /// Whether it was won.
    success: bool,
    /// Whether it spins now.
    spinning: bool,
    /// Whether a stress test is due.
    stress_test: bool,
    #[serde(flatten)]
    entered: Option<Entered>,
    #[serde(flatten)]
    recovered: Option<Recovered>,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
struct Entered {
    /// Going in: the failure table; null if the bet was won.
    failure: Option<Failure>,
    /// Going in: whether it is forced into a half dive.
    half_dive: bool,
    /// Going in: speed lost.
    #[shape(0..=9)]
    speed_loss: i32,
    /// Going in: edge lost.
    #[shape(0..=6)]
    edge_loss: i32,
    /// Going in: the stress test's modifier.
    #[shape(-2..=0)]
    stress_modifier: i32,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
struct Recovered {
    /// Recovery: the speed after it.
    #[shape(0..=2)]
    speed: i32,
    /// Recovery: the level after it.
    #[shape(0..=99)]
    level: Option<i32>,
    /// Recovery: whether that is the ground.
    crashed: bool,
}

pub(super) struct Spin(pub Arc<Rules>);

impl Procedure for Spin {
    const NAME: &'static str = "spin";
    const HELP: &'static str = "The bet to go into a spin or to recover from one.";
    const DICE: &'static str = "2d6; if going into it is lost 2d6 for the failure";
    const RULES: &'static [Rule] = &[rule::SPIN, rule::R_38, rule::R_39, rule::R_40];
    type Input = SpinInput;
    type Facts = SpinInput;
    type Output = SpinOutput;

    fn read(&self, input: SpinInput) -> Result<SpinInput, Refusal> {
        Ok(input)
    }

    fn run(&self, input: &SpinInput, ask: &mut impl Ask) -> Asked<SpinOutput> {
        let SpinInput { action, flying_skill, control_penalty, level, stress_bet_level } = *input;
        let spin = flight::spin(&self.0.tables, action, flying_skill, control_penalty, Who::AIRCRAFT, ask)?;
        let won = spin.won();
        let failure_stress = spin.failure.as_ref().and_then(|failure| failure.stress);
        let (entered, recovered) = match action {
            SpinBet::Enter => {
                let entered = Entered {
                    half_dive: spin.half_dive(),
                    speed_loss: spin.speed_loss(&self.0.tables),
                    edge_loss: spin.failure.as_ref().map_or(0, |failure| failure.edge),
                    stress_modifier: failure_stress.unwrap_or(0),
                    failure: spin.failure.clone(),
                };
                (Some(entered), None)
            }
            SpinBet::Recover => {
                let (speed, level) = flight::after_spinning(won, level, ask);
                (None, Some(Recovered { speed, level, crashed: level == Some(0) }))
            }
        };
        Ok(SpinOutput {
            bet_level: spin.level,
            rolled: spin.roll,
            success: won,
            spinning: won == (action == SpinBet::Enter),
            stress_test: spin.level >= stress_bet_level || failure_stress.is_some(),
            entered,
            recovered,
        })
    }
}
