//! Whole games: no dead ends, offers that are accepted, the same game by every way of answering.

use flagplot_kernel::{Answer, AtRandom, ByInstinct, Chance, DiceFrom, Game, Policy, Progress, Question, Sampler, Tape, Viewer, advance};
use flagplot_schiffskrieg::game::{Schiffskrieg, State};
use flagplot_schiffskrieg::{System, files};
use serde_json::{Value, json};

fn system() -> System {
    System::new(&files()).expect("the built-in data is right")
}

fn playable() -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = system().scenarios().into_iter().map(|info| (info.id, Value::Null)).collect();
    assert_eq!(all.len(), 16 + 2 + 1);
    all.push(("custom".into(), json!({"first": {"nations": ["france", "soviet-union"], "nearest_air_base": 3}, "second": {"nations": ["germany"]}, "phasing": "second", "all_sea": false, "budget": 20, "fixed_actions": ["night", "choice"]})));
    all.push(("custom".into(), json!({"budget": 150})));
    all
}

fn ends(game: &Schiffskrieg, policy: impl Policy, chance: &mut Chance) -> State {
    let mut state = game.setup();
    let mut sampler = Sampler::new(chance, policy);
    for _ in 0..game.step_limit() {
        if game.outcome(&state).is_some() {
            return state;
        }
        game.step(&mut state, &mut sampler).expect("a sampler always answers");
    }
    panic!("the game did not end within {} steps: {state:?}", game.step_limit());
}

#[test]
fn random_games_end() {
    for (id, options) in playable() {
        let game = system().game(&id, &options).unwrap();
        for seed in 0..30 {
            let state = ends(&game, AtRandom, &mut Chance::stream(1, seed));
            let outcome = game.outcome(&state).unwrap();
            let margin = outcome.points[0] - outcome.points[1];
            assert_eq!(outcome.details["margin"], margin, "{id}");
        }
    }
}

#[test]
fn instinct_games_end() {
    for (id, options) in playable() {
        let game = system().game(&id, &options).unwrap();
        for seed in 0..3 {
            ends(&game, ByInstinct, &mut Chance::stream(2, seed));
        }
    }
}

/// Plays a game answer by answer as a desk does, picking among what is offered; every offer of every question must be accepted.
fn by_offers(game: &Schiffskrieg, seed: u64, mut seen: impl FnMut(&State, &Question)) -> Vec<State> {
    let mut chance = Chance::seeded(seed);
    let mut states = vec![game.setup()];
    while game.outcome(states.last().unwrap()).is_none() {
        let state = states.last().unwrap().clone();
        let mut answers: Vec<Answer> = Vec::new();
        loop {
            let mut tape = Tape::with_dice(answers.clone(), DiceFrom::Chance(Box::new(chance.fork())));
            let question = match advance(game, &state, &mut tape).unwrap_or_else(|refusal| panic!("{refusal}")) {
                Progress::Stepped(next) => {
                    states.push(next);
                    break;
                }
                Progress::Asks(question) => question,
            };
            answers = tape.answers().to_vec();
            seen(&state, &question);
            for asked in question.open() {
                assert!(!asked.options.is_empty(), "{}: nothing is offered", asked.prompt.code);
                for option in &asked.options {
                    let mut with = answers.clone();
                    match &question {
                        Question::Secret { .. } => with.push(Answer::Sealed([(asked.seat, option.value.clone())].into())),
                        _ => with.push(Answer::Choice(option.value.clone())),
                    }
                    let mut tape = Tape::with_dice(with, DiceFrom::Chance(Box::new(Chance::seeded(1))));
                    advance(game, &state, &mut tape).unwrap_or_else(|refusal| panic!("{}: the offer '{}' is refused: {refusal}", asked.prompt.code, option.label));
                }
            }
            let pick = |asked: &flagplot_kernel::SeatQuestion, chance: &mut Chance| chance.pick(&asked.options).unwrap().value.clone();
            answers.push(match &question {
                Question::Secret { open, .. } => Answer::Sealed(open.iter().map(|asked| (asked.seat, pick(asked, &mut chance))).collect()),
                Question::Choice(asked) => Answer::Choice(pick(asked, &mut chance)),
                Question::Dice { .. } => unreachable!("the tape has dice"),
            });
        }
    }
    states
}

#[test]
fn every_offer_is_accepted_and_explained_and_drawn() {
    for (id, options) in playable() {
        let game = system().game(&id, &options).unwrap();
        by_offers(&game, 5, |state, question| {
            let view = game.view(state, Viewer::Spectator);
            let scene = game.scene(&view);
            for piece in &scene.pieces {
                let flagplot_kernel::scene::Place::Box(place) = &piece.place else { panic!("{id}: {} is in no box", piece.id) };
                let flagplot_kernel::scene::Surface::Boxes { boxes } = &scene.surface else { panic!("{id}: no boxes") };
                assert!(boxes.iter().any(|area| area.id == *place), "{id}: {} is in the box '{place}', which is not there", piece.id);
            }
            for asked in question.open() {
                assert!(asked.prompt.rule.is_some(), "{}", asked.prompt.code);
                let value = asked.options.first().map(|option| &option.value);
                for insight in game.explain(&view, &[], asked, None).iter().chain(&game.explain(&view, &[], asked, value)) {
                    assert_eq!(insight.basis, "exact", "{id}: {}: {insight:?}", asked.prompt.code);
                }
            }
        });
    }
}

#[test]
fn a_state_survives_its_json_form() {
    for (id, options) in playable() {
        let game = system().game(&id, &options).unwrap();
        for state in by_offers(&game, 9, |_, _| ()) {
            let text = serde_json::to_string(&state).unwrap();
            assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state, "{id}");
        }
    }
}
