//! Ground combat pressed on round after round. [15.6, 15.61]

use crate::charts::{Charts, GroundResult, OddsColumn};
use crate::ground::{self, AttackArm, DefenseArm, Forces, Removal, Round};
use crate::messages::counted;
use crate::rule;
use flagplot_kernel::{Ask, Asked, Flow, Note, Process};
use flagplot_referee::{Shaped, words};
use serde::Serialize;

/// How an assault ended. A side is eliminated when it has no ground unit left.
#[words]
pub enum AssaultOutcome {
    DefenderEliminated,
    AttackerEliminated,
    BothEliminated,
    /// The attacker had enough.
    BrokenOff,
    /// The odds fell below 1:4.
    OddsTooLow,
    RoundLimit,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AssaultState {
    pub forces: Forces,
    pub rounds: u32,
    pub outcome: Option<AssaultOutcome>,
    pub history: Vec<Fought>,
}

impl AssaultState {
    /// Before the first round.
    #[must_use]
    pub fn new(forces: Forces) -> Self {
        Self { forces, rounds: 0, outcome: None, history: Vec::new() }
    }
}

/// What is kept of a round.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fought {
    Result(GroundResult),
    Whole(Box<FoughtRound>),
}

/// How much is kept of each round: what is not needed would only keep equal states apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    Nothing,
    Results,
    Rounds,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FoughtRound {
    pub round: Round,
    /// What the attacker gave up.
    pub attacker_removed: Vec<Removal>,
    /// What the defender gave up.
    pub defender_removed: Vec<Removal>,
    pub left: Left,
}

/// The printed factors that both sides have left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Left {
    /// ground factors left
    pub attacker_ground_remaining: u32,
    /// air factors left
    pub attacker_air_remaining: u32,
    /// ground factors left
    pub defender_ground_remaining: u32,
    /// air factors left
    pub defender_air_remaining: u32,
}

impl Left {
    #[must_use]
    pub fn count(forces: &Forces) -> Self {
        let attacking = |arm| forces.attackers.iter().filter(|unit| unit.arm == arm).map(|unit| unit.factors).sum();
        let defending = |arm| forces.defenders.iter().filter(|unit| unit.arm == arm).map(|unit| unit.factors).sum();
        Self {
            attacker_ground_remaining: attacking(AttackArm::Ground),
            attacker_air_remaining: attacking(AttackArm::Air),
            defender_ground_remaining: defending(DefenseArm::Ground),
            defender_air_remaining: defending(DefenseArm::Air),
        }
    }
}

/// How both sides choose what they give up.
#[derive(Clone, Debug)]
pub enum LossOrders {
    /// In these orders, by the units' places in the lists.
    Listed { attacker: Vec<usize>, defender: Vec<usize> },
    /// The smallest set that costs its owner least. [C-31]
    Cheapest,
}

impl LossOrders {
    /// One round with its losses. The column must be that of the forces.
    pub fn round(
        &self,
        charts: &Charts,
        forces: &mut Forces,
        column: OddsColumn,
        previous: u32,
        ask: &mut impl Ask,
    ) -> Asked<FoughtRound> {
        let round = forces.round(charts, column, previous, ask)?;
        let (attacker_removed, defender_removed) = match self {
            LossOrders::Listed { attacker, defender } => (
                ground::pay(&forces.attackers, attacker, round.attacker),
                ground::pay(&forces.defenders, defender, round.defender),
            ),
            LossOrders::Cheapest => (
                ground::cheapest(&forces.attackers, round.attacker),
                ground::cheapest(&forces.defenders, round.defender),
            ),
        };
        for removal in &attacker_removed {
            forces.attackers[removal.at].factors -= removal.factors;
        }
        for removal in &defender_removed {
            forces.defenders[removal.at].factors -= removal.factors;
        }
        ask.note(|| {
            let lost = |removed: &[Removal]| removed.iter().map(|removal| removal.factors).sum::<u32>();
            let (attacker, defender) = (lost(&attacker_removed), lost(&defender_removed));
            let text = format!("The attacker gives up {}, the defender {defender}.", counted(attacker, "factor"));
            Note::new("ground-losses", text).detail().by(&[rule::COMBAT_RESULTS])
        });
        Ok(FoughtRound { round, attacker_removed, defender_removed, left: Left::count(forces) })
    }
}

/// An assault with both owners' decisions.
#[derive(Clone, Debug)]
pub struct Assault<'a> {
    pub charts: &'a Charts,
    pub orders: &'a LossOrders,
    /// The attacker breaks off when the odds fall below this column.
    pub break_off_below: Option<OddsColumn>,
    pub max_rounds: u32,
    pub keep: Keep,
}

impl Assault<'_> {
    /// Why no further round is fought, tested before every round but the first: odds, the attacker's wish, the limit.
    fn stopped(&self, column: Option<OddsColumn>, rounds: u32) -> Option<AssaultOutcome> {
        match column {
            None => Some(AssaultOutcome::OddsTooLow),
            Some(column) if self.break_off_below.is_some_and(|least| column < least) => Some(AssaultOutcome::BrokenOff),
            Some(_) => (rounds >= self.max_rounds).then_some(AssaultOutcome::RoundLimit),
        }
    }
}

impl Process for Assault<'_> {
    type State = AssaultState;

    fn step(&self, state: &mut AssaultState, ask: &mut impl Ask) -> Asked<Flow> {
        let Some(column) = state.forces.strengths().ratio().column() else {
            state.outcome = Some(AssaultOutcome::OddsTooLow);
            return Ok(Flow::Done);
        };
        let fought = self.orders.round(self.charts, &mut state.forces, column, state.rounds, ask)?;
        state.rounds += 1;
        let left = fought.left;
        match self.keep {
            Keep::Nothing => {}
            Keep::Results => state.history.push(Fought::Result(fought.round.result)),
            Keep::Rounds => state.history.push(Fought::Whole(Box::new(fought))),
        }
        state.outcome = match (left.attacker_ground_remaining, left.defender_ground_remaining) {
            (0, 0) => Some(AssaultOutcome::BothEliminated),
            (0, _) => Some(AssaultOutcome::AttackerEliminated),
            (_, 0) => Some(AssaultOutcome::DefenderEliminated),
            _ => self.stopped(state.forces.strengths().ratio().column(), state.rounds),
        };
        let Some(outcome) = state.outcome else { return Ok(Flow::Continue) };
        let rounds = state.rounds;
        ask.note(|| {
            let why = match outcome {
                AssaultOutcome::DefenderEliminated => "the defender is gone",
                AssaultOutcome::AttackerEliminated => "the attacker is gone",
                AssaultOutcome::BothEliminated => "both sides are gone",
                AssaultOutcome::BrokenOff => "the attacker breaks off",
                AssaultOutcome::OddsTooLow => "the odds have fallen below 1:4",
                AssaultOutcome::RoundLimit => "no further round is allowed",
            };
            let text = format!("After {} {why}.", counted(rounds, "round"));
            Note::new("assault-over", text).by(&[rule::COMBAT_TABLE])
        });
        Ok(Flow::Done)
    }
}
