use crate::clock::Clock;
use crate::kind::PlayerKind;
use crate::knowledge::Knowledge;
use crate::probe::answered;
use crate::search::{Settings, search};
use flagplot_kernel::{
    Answer, Chance, Choice, Form, Game, Outcome, Policy, Progress, Question, Sampler, Seat, SeatQuestion, Tape, Viewer,
    advance,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// How seats answer without thinking ahead. One type for every habit, because the rules of each game are compiled anew
/// for each type of answerer.
#[derive(Clone, Copy, Debug)]
pub enum Habit<'a> {
    /// Each seat by its kind of player. A player who would think ahead answers by instinct.
    Kinds(&'a [PlayerKind]),
    /// Instinct, with a random answer one time in so many, so that its blind spots are seen; 0 for never.
    Instinct { random_one_in: u32 },
    /// Any legal value.
    Random,
}

/// Instinct alone.
pub(crate) const BY_INSTINCT: Habit<'static> = Habit::Instinct { random_one_in: 0 };

impl Policy for Habit<'_> {
    #[inline]
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        let random = match self {
            Habit::Kinds(kinds) => match kinds.get(usize::from(choice.seat().0)) {
                None | Some(PlayerKind::Random) => true,
                Some(PlayerKind::Recruit) => chance.below(4) == 0,
                Some(_) => false,
            },
            Habit::Instinct { random_one_in } => *random_one_in > 0 && chance.below(*random_one_in) == 0,
            Habit::Random => true,
        };
        if random { choice.sample(chance) } else { choice.instinct(chance) }
    }
}

/// What a player answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thought {
    /// The answer.
    pub value: Value,
    /// What was weighed, the best first. Empty for a player who does not think ahead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// How the figures were found, in a sentence; empty if there are none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub method: String,
}

impl Thought {
    /// An answer given at once.
    #[must_use]
    pub fn at_once(value: Value) -> Self {
        Self { value, alternatives: Vec::new(), method: String::new() }
    }
}

/// An answer that was weighed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Alternative {
    /// The answer.
    pub value: Value,
    /// The same in words.
    pub label: String,
    /// What it is worth: near the chance to win, with a small part for the margin. 1 is best. No alternative is worth
    /// more than the answer given.
    pub estimate: f64,
    /// The standard error of the estimate.
    pub error: f64,
    /// The standard error of the difference to the answer given, in the same worlds with the same dice; 0 for that
    /// answer itself.
    pub gap_error: f64,
    /// In how many imagined games it was tried.
    pub games: u32,
    /// How often it should be played, where the answer is drawn from a mix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// What a player of this kind answers to the question that `seat` is asked, from what the seat knows: its view of the
/// checkpoint and the answers of the step so far. Nothing if the seat is not asked.
pub fn think<G: Game>(
    game: &G,
    view: &G::View,
    answers: &[Answer],
    seat: Seat,
    kind: PlayerKind,
    chance: &mut Chance,
) -> Option<Thought> {
    let knowledge = Knowledge::new(game, view, answers, seat);
    match kind.budget() {
        Some(budget) => search(&knowledge, &Settings::new(budget), chance),
        None => at_once(&knowledge, kind, chance),
    }
}

/// An answer without thinking ahead.
pub(crate) fn at_once<G: Game>(knowledge: &Knowledge<'_, G>, kind: PlayerKind, chance: &mut Chance) -> Option<Thought> {
    let kinds = vec![kind; usize::from(knowledge.seat().0) + 1];
    answered(knowledge, Habit::Kinds(&kinds), chance).map(Thought::at_once)
}

/// A game played to its end.
#[derive(Clone, Debug)]
pub struct Playout {
    /// How it ended, of a [`playout`] without words; none if it did not within the step limit, which is a defect of the
    /// system.
    pub outcome: Option<Outcome>,
    /// Steps taken.
    pub steps: u32,
    /// Dice rolled and choices made.
    pub answered: u64,
    /// The real decisions of each seat, those with more than one answer; empty where they were not counted.
    pub decisions: Vec<u32>,
}

/// Plays a whole game as fast as it goes, one policy for each seat, each answering in the true world without thinking
/// ahead. For balance studies and benchmarks; a contest between players is [`contest`].
pub fn playout<G: Game>(game: &G, players: &[PlayerKind], chance: &mut Chance) -> Playout {
    let mut state = game.setup();
    let limit = game.step_limit();
    let mut sampler = Sampler::new(chance, Habit::Kinds(players));
    let mut steps = 0;
    let mut outcome = game.result(&state);
    while outcome.is_none() && steps < limit {
        flagplot_kernel::work::tick();
        if game.step(&mut state, &mut sampler).is_err() {
            break;
        }
        steps += 1;
        outcome = game.result(&state);
    }
    Playout { outcome, steps, answered: sampler.answered, decisions: Vec::new() }
}

/// Plays a whole game in which every player answers from what its seat knows, as at a desk. A search keeps to one core
/// here, so that many games can be played side by side. The dice follow from `chance` alone, whoever plays.
pub fn contest<G: Game>(game: &G, players: &[PlayerKind], clock: Clock, chance: &mut Chance) -> Playout {
    contest_by(game, chance, |knowledge, _, mind| {
        let kind = players.get(usize::from(knowledge.seat().0)).copied().unwrap_or(PlayerKind::Random);
        on_one_core(knowledge, kind, clock, mind)
    })
}

/// What a player answers beside many other games: a search keeps to one core.
pub(crate) fn on_one_core<G: Game>(
    knowledge: &Knowledge<'_, G>,
    kind: PlayerKind,
    clock: Clock,
    mind: &mut Chance,
) -> Option<Thought> {
    match kind.budget() {
        Some(budget) => search(knowledge, &Settings::new(budget).on_one_core().by(clock), mind),
        None => at_once(knowledge, kind, mind),
    }
}

/// The same with any players: `mind` is asked for each seat in turn and has a generator of that seat.
pub fn contest_by<G: Game>(
    game: &G,
    chance: &mut Chance,
    mut mind: impl FnMut(&Knowledge<'_, G>, &SeatQuestion, &mut Chance) -> Option<Thought>,
) -> Playout {
    let mut dice = chance.fork();
    let mut minds: Vec<Chance> = game.seats().iter().map(|_| chance.fork()).collect();
    let mut decisions = vec![0; minds.len()];
    let mut state = game.setup();
    let (mut steps, mut answered) = (0, 0);
    let mut answers: Vec<Answer> = Vec::new();
    let mut outcome = game.outcome(&state);
    while outcome.is_none() && steps < game.step_limit() {
        let mut tape = Tape::new(answers.clone()).deaf();
        let Ok(progress) = advance(game, &state, &mut tape) else { break };
        match progress {
            Progress::Stepped(next) => {
                state = next;
                answers.clear();
                steps += 1;
                outcome = game.outcome(&state);
            }
            Progress::Asks(question) => {
                let mut ask = |asked: &SeatQuestion| {
                    if let Some(made) = decisions.get_mut(usize::from(asked.seat.0)) {
                        *made += u32::from(asked.options.len() > 1 || asked.form != Form::Pick);
                    }
                    let view = game.view(&state, Viewer::Seat(asked.seat));
                    mind(
                        &Knowledge::new(game, &view, &answers, asked.seat),
                        asked,
                        minds.get_mut(usize::from(asked.seat.0))?,
                    )
                };
                let answer = match &question {
                    Question::Dice { count, die, .. } => Some(Answer::Dice(dice.faces(*count, *die))),
                    Question::Choice(asked) => ask(asked).map(|thought| Answer::Choice(thought.value)),
                    Question::Secret { open, .. } => {
                        let sealed: Option<BTreeMap<Seat, Value>> =
                            open.iter().map(|asked| Some((asked.seat, ask(asked)?.value))).collect();
                        sealed.map(Answer::Sealed)
                    }
                };
                let Some(answer) = answer else { break };
                answered += 1;
                answers.push(answer);
            }
        }
    }
    Playout { outcome, steps, answered, decisions }
}
