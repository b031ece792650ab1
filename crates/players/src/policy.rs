use crate::probe::Probe;
use flagplot_kernel::{Answer, AtRandom, ByInstinct, Chance, Choice, Game, Outcome, Policy, Refusal, Sampler, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// The players there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// Any legal answer.
    Random,
    /// What a sensible player answers without thinking ahead.
    Greedy,
}

impl PlayerKind {
    /// All of them.
    pub const ALL: [PlayerKind; 2] = [PlayerKind::Random, PlayerKind::Greedy];
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlayerKind::Random => "random",
            PlayerKind::Greedy => "greedy",
        })
    }
}

impl FromStr for PlayerKind {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let known: Vec<String> = Self::ALL.iter().map(ToString::to_string).collect();
        Self::ALL
            .into_iter()
            .find(|kind| kind.to_string() == text)
            .ok_or_else(|| Refusal::new("unknown-player", format!("There is no player '{text}'.")).remedy(format!("The players are: {}.", known.join(", "))))
    }
}

/// One policy for each seat.
#[derive(Clone, Debug)]
pub struct Mixed<'a>(pub &'a [PlayerKind]);

impl Policy for Mixed<'_> {
    #[inline]
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        match self.0.get(usize::from(choice.seat().0)).copied().unwrap_or(PlayerKind::Random) {
            PlayerKind::Random => AtRandom.decide(choice, chance),
            PlayerKind::Greedy => ByInstinct.decide(choice, chance),
        }
    }
}

/// What a player answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thought {
    /// The answer.
    pub value: Value,
}

/// What a player of this kind answers to the question that `seat` is asked, from what the seat knows: its view of the checkpoint and
/// the answers of the step so far. Nothing if the seat is not asked.
pub fn think<G: Game>(game: &G, view: &G::View, answers: &[Answer], seat: Seat, kind: PlayerKind, chance: &mut Chance) -> Option<Thought> {
    let mut world = game.imagine(view, chance);
    let kinds = vec![kind; usize::from(seat.0) + 1];
    let mut probe = Probe::new(answers.to_vec(), seat, Mixed(&kinds), chance);
    let _unanswered = game.step(&mut world, &mut probe);
    probe.found.map(|value| Thought { value })
}

/// A game played to its end.
#[derive(Clone, Debug)]
pub struct Playout {
    /// How it ended; none if it did not within the step limit, which is a defect of the system.
    pub outcome: Option<Outcome>,
    /// Steps taken.
    pub steps: u32,
    /// Dice rolled and choices made.
    pub answered: u64,
}

/// Plays a whole game, one policy for each seat.
pub fn playout<G: Game>(game: &G, players: &[PlayerKind], chance: &mut Chance) -> Playout {
    let mut state = game.setup();
    let limit = game.step_limit();
    let mut sampler = Sampler::new(chance, Mixed(players));
    let mut steps = 0;
    let mut outcome = game.outcome(&state);
    while outcome.is_none() && steps < limit {
        if game.step(&mut state, &mut sampler).is_err() {
            break;
        }
        steps += 1;
        outcome = game.outcome(&state);
    }
    Playout { outcome, steps, answered: sampler.answered }
}
