//! Ground combat pressed on round after round. [15.6, 15.61]

use crate::charts::{Charts, GroundResult, OddsColumn};
use crate::ground::{self, AttackArm, Attacker, Defender, DefenseArm, Removal, Round};
use crate::rule;
use flagplot_kernel::{Ask, Asked, Flow, Note, Process};
use serde::Serialize;

/// How an assault ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssaultOutcome {
    /// The defender has no ground unit left.
    DefenderEliminated,
    /// The attacker has none left.
    AttackerEliminated,
    /// Neither has.
    BothEliminated,
    /// The attacker had enough.
    BrokenOff,
    /// The odds fell below 1:4.
    OddsTooLow,
    /// No more rounds were allowed.
    RoundLimit,
}

/// The two forces and what has happened to them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AssaultState {
    /// The attackers; a unit that is gone has no factors.
    pub attackers: Vec<Attacker>,
    /// The defenders; a unit that is gone has no factors.
    pub defenders: Vec<Defender>,
    /// Rounds fought.
    pub rounds: u32,
    /// How it ended, once it has.
    pub outcome: Option<AssaultOutcome>,
    /// What is kept of each round, as far as anybody wants to know.
    pub history: Vec<Fought>,
}

/// What is kept of a round.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fought {
    /// Its result.
    Result(GroundResult),
    /// All of it.
    Whole(Box<FoughtRound>),
}

/// How much is kept of each round: what nobody asks for would only keep equal states apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing.
    Nothing,
    /// The results.
    Results,
    /// Everything.
    Rounds,
}

/// A round with its losses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FoughtRound {
    /// What the dice decided.
    pub round: Round,
    /// What the attacker gave up.
    pub attacker_removed: Vec<Removal>,
    /// What the defender gave up.
    pub defender_removed: Vec<Removal>,
    /// Both sides after the round.
    pub left: Left,
}

/// What both sides have left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Left {
    /// Ground factors of the attacker.
    pub attacker_ground_remaining: u32,
    /// Air factors of the attacker.
    pub attacker_air_remaining: u32,
    /// Printed ground factors of the defender.
    pub defender_ground_remaining: u32,
    /// Air factors of the defender.
    pub defender_air_remaining: u32,
}

impl Left {
    /// Counts what is left.
    #[must_use]
    pub fn count(attackers: &[Attacker], defenders: &[Defender]) -> Self {
        let attacking = |arm| attackers.iter().filter(|unit| unit.arm == arm).map(|unit| unit.factors).sum();
        let defending =
            |air| defenders.iter().filter(|unit| (unit.arm == DefenseArm::Air) == air).map(|unit| unit.factors).sum();
        Self {
            attacker_ground_remaining: attacking(AttackArm::Ground),
            attacker_air_remaining: attacking(AttackArm::Air),
            defender_ground_remaining: defending(false),
            defender_air_remaining: defending(true),
        }
    }
}

/// An assault with both owners' decisions: in which order units are given up, and when to stop.
#[derive(Clone, Debug)]
pub struct Assault<'a> {
    /// The charts.
    pub charts: &'a Charts,
    /// The attacker's order of losses.
    pub attacker_order: Vec<usize>,
    /// The defender's order of losses.
    pub defender_order: Vec<usize>,
    /// The attacker breaks off when the odds fall below this column.
    pub break_off_below: Option<OddsColumn>,
    /// At most so many rounds.
    pub max_rounds: u32,
    /// What is kept of each round.
    pub keep: Keep,
}

impl Assault<'_> {
    /// One round with its losses. The column must be that of the forces.
    pub fn round(
        &self,
        attackers: &mut [Attacker],
        defenders: &mut [Defender],
        column: OddsColumn,
        previous: u32,
        ask: &mut impl Ask,
    ) -> Asked<FoughtRound> {
        let round = ground::round(self.charts, attackers, defenders, column, previous, ask)?;
        let attacker_removed = ground::pay(attackers, &self.attacker_order, round.attacker);
        let defender_removed = ground::pay(defenders, &self.defender_order, round.defender);
        for removal in &attacker_removed {
            attackers[removal.at].factors -= removal.factors;
        }
        for removal in &defender_removed {
            defenders[removal.at].factors -= removal.factors;
        }
        let left = Left::count(attackers, defenders);
        let lost = |removed: &[Removal]| removed.iter().map(|removal| removal.factors).sum::<u32>();
        ask.note(|| {
            let text = format!(
                "The attacker gives up {} factors, the defender {}.",
                lost(&attacker_removed),
                lost(&defender_removed)
            );
            Note::new("ground-losses", text).detail().by(&[rule::COMBAT_RESULTS])
        });
        Ok(FoughtRound { round, attacker_removed, defender_removed, left })
    }

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
        let Some(column) = ground::strengths(&state.attackers, &state.defenders).ratio().column() else {
            state.outcome = Some(AssaultOutcome::OddsTooLow);
            return Ok(Flow::Done);
        };
        let fought = self.round(&mut state.attackers, &mut state.defenders, column, state.rounds, ask)?;
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
            _ => self.stopped(ground::strengths(&state.attackers, &state.defenders).ratio().column(), state.rounds),
        };
        let Some(outcome) = state.outcome else { return Ok(Flow::Continue) };
        let rounds = state.rounds;
        ask.note(|| {
            let text = format!(
                "After {rounds} rounds: {}",
                match outcome {
                    AssaultOutcome::DefenderEliminated => "the defender is gone.",
                    AssaultOutcome::AttackerEliminated => "the attacker is gone.",
                    AssaultOutcome::BothEliminated => "both sides are gone.",
                    AssaultOutcome::BrokenOff => "the attacker breaks off.",
                    AssaultOutcome::OddsTooLow => "the odds have fallen below 1:4.",
                    AssaultOutcome::RoundLimit => "no further round is allowed.",
                }
            );
            Note::new("assault-over", text).by(&[rule::COMBAT_TABLE])
        });
        Ok(Flow::Done)
    }
}
