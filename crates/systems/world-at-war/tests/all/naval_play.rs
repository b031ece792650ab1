//! Naval battles played to their end.

use crate::common::system;
use flagplot_kernel::{
    Answer, AtRandom, ByInstinct, Chance, Game, Note, Outcome, Policy, Progress, Question, Sampler, Tape, advance,
};
use flagplot_world_at_war::game::{State, WorldAtWar};
use serde_json::Value;

pub const NAVAL: [&str; 9] = [
    "pearl-harbor-1941",
    "force-z-1941",
    "coral-sea-1942",
    "midway-1942",
    "bismarck-1941",
    "matapan-1941",
    "guadalcanal-1942",
    "surigao-1944",
    "fleet-free",
];

pub fn game(id: &str) -> WorldAtWar {
    system().game(id, &Value::Null).unwrap()
}

/// A battle from its beginning to its end.
pub fn play(game: &WorldAtWar, policy: impl Policy + Copy, chance: &mut Chance) -> Outcome {
    let mut state = game.setup();
    let mut steps = 0;
    loop {
        if let Some(outcome) = game.outcome(&state) {
            return outcome;
        }
        game.step(&mut state, &mut Sampler::new(chance, policy)).unwrap();
        steps += 1;
        assert!(steps <= game.step_limit(), "the battle does not end");
    }
}

#[test]
fn random_and_greedy_battles_end() {
    for id in NAVAL {
        let game = game(id);
        let mut scores = [Vec::new(), Vec::new()];
        for seed in 0..40 {
            let chance = &mut Chance::seeded(seed);
            scores[0].push(play(&game, AtRandom, chance).details["score"].as_i64().unwrap());
            scores[1].push(play(&game, ByInstinct, chance).details["score"].as_i64().unwrap());
        }
        for scores in scores {
            assert!(scores.iter().any(|score| *score != scores[0]), "{id}: every battle ends alike: {scores:?}");
        }
    }
}

/// Plays with a tape, as a live game does, and gives every state and question on the way to `look`.
pub fn walk(game: &WorldAtWar, seed: u64, look: impl FnMut(&State, &[Answer], &Question)) {
    walk_noting(game, seed, look, |_| ());
}

/// The same, and gives the notes of every step to `noted`.
fn walk_noting(
    game: &WorldAtWar,
    seed: u64,
    mut look: impl FnMut(&State, &[Answer], &Question),
    mut noted: impl FnMut(&[Note]),
) {
    let mut chance = Chance::seeded(seed);
    let mut state = game.setup();
    let mut answers: Vec<Answer> = Vec::new();
    while game.outcome(&state).is_none() {
        let mut tape = Tape::new(answers.clone());
        match advance(game, &state, &mut tape).unwrap_or_else(|refusal| panic!("{refusal}")) {
            Progress::Stepped(next) => {
                noted(tape.notes());
                state = next;
                answers.clear();
            }
            Progress::Asks(question) => {
                look(&state, &answers, &question);
                answers.push(match &question {
                    Question::Dice { count, die, .. } => Answer::Dice(chance.faces(*count, *die)),
                    Question::Choice(asked) => Answer::Choice(chance.pick(&asked.options).unwrap().value.clone()),
                    Question::Secret { open, .. } => {
                        let pick = |chance: &mut Chance, options| chance.pick(options).cloned();
                        let each = open.iter().map(|asked| {
                            let option: Option<flagplot_kernel::OptionView> = pick(&mut chance, &asked.options);
                            (asked.seat, option.unwrap().value)
                        });
                        Answer::Sealed(each.collect())
                    }
                });
            }
        }
    }
}

#[test]
fn every_option_offered_is_legal_and_states_come_back_from_json() {
    for id in NAVAL {
        let game = game(id);
        for seed in 0..6 {
            walk(&game, seed, |state, answers, question| {
                let again: State = serde_json::from_str(&serde_json::to_string(state).unwrap()).unwrap();
                assert_eq!(again, *state, "{id}");
                for asked in question.open() {
                    for option in &asked.options {
                        let answer = match question {
                            Question::Choice(_) => Answer::Choice(option.value.clone()),
                            _ => Answer::Sealed([(asked.seat, option.value.clone())].into()),
                        };
                        let mut tape = Tape::new([answers, &[answer]].concat());
                        let refused = advance(&game, state, &mut tape).err();
                        assert!(refused.is_none(), "{id}: {} {}: {refused:?}", asked.prompt.code, option.value);
                    }
                }
            });
        }
    }
}

/// The rules that whole battles cite, in questions and in notes.
pub fn met() -> std::collections::BTreeSet<String> {
    let mut met = std::collections::BTreeSet::new();
    for id in NAVAL {
        let game = game(id);
        for seed in 0..12 {
            let mut asked: Vec<&'static str> = Vec::new();
            let look = |_: &State, _: &[Answer], question: &Question| {
                asked.extend(question.open().iter().filter_map(|asked| asked.prompt.rule).map(|rule| rule.id));
            };
            walk_noting(&game, seed, look, |notes| {
                met.extend(notes.iter().flat_map(|note| &note.rules).map(|rule| rule.id.to_owned()));
            });
            met.extend(asked.into_iter().map(str::to_owned));
        }
    }
    met
}
