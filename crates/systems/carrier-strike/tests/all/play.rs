//! Whole games: they end, nothing offered is refused, and nobody learns what is not his.

use flagplot_carrier_strike::{CarrierGame, System, files};
use flagplot_kernel::{
    Answer, Chance, Choice, Faces, Game, Policy, Progress, Question, Refusal, Sampler, Seat, Side, Tape, Viewer,
    advance,
};
use serde_json::{Value, json};

const SCENARIOS: [&str; 7] =
    ["first-strike", "pull-back-the-horns", "kamikaze", "coral-sea", "hiryu-alone", "santa-cruz", "philippine-sea"];

fn game(scenario: &str) -> CarrierGame {
    System::new(&files()).unwrap().game(scenario, &Value::Null).unwrap()
}

/// Plays at random and insists that everything offered is legal.
struct Strict;

impl Policy for Strict {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        let prompt = choice.prompt();
        let value = choice.sample(chance);
        let insist = |value: &C::Value, what: &str| {
            if let Err(refusal) = choice.check(value) {
                panic!("{}: {what} {} is refused: {refusal}", prompt.code, json!(value));
            }
        };
        insist(&value, "sampled");
        if chance.below(40) == 0 {
            insist(&choice.instinct(chance), "by instinct");
            let candidates = choice.candidates();
            assert!(!candidates.is_empty(), "{} offers nothing", prompt.code);
            for candidate in candidates {
                insist(&candidate.value, &candidate.label);
            }
            let _ = choice.form();
        }
        value
    }
}

#[test]
fn random_games_end_and_nothing_offered_is_refused() {
    for scenario in SCENARIOS {
        let game = game(scenario);
        for seed in 0..200 {
            let mut chance = Chance::stream(7, seed);
            let mut state = game.setup();
            let mut steps = 0;
            while game.outcome(&state).is_none() {
                let mut sampler = Sampler::new(&mut chance, Strict);
                game.step(&mut state, &mut sampler).unwrap();
                steps += 1;
                assert!(steps < game.step_limit(), "{scenario}, seed {seed}: no end in sight at {:?}", state.phase);
            }
            assert!(state.turn <= 12);
        }
    }
}

/// One seat plays by instinct, the other at random.
struct OneThinks {
    thinks: Seat,
}

impl Policy for OneThinks {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        if choice.seat() == self.thinks { choice.instinct(chance) } else { choice.sample(chance) }
    }
}

#[test]
fn instinct_beats_chance() {
    let game = game("first-strike");
    let (mut won, mut lost) = (0, 0);
    let games = 200;
    for seed in 0..games {
        let thinks = Side::BOTH[(seed % 2) as usize];
        let mut chance = Chance::stream(11, seed);
        let mut state = game.setup();
        while game.outcome(&state).is_none() {
            let mut sampler = Sampler::new(&mut chance, OneThinks { thinks: thinks.into() });
            game.step(&mut state, &mut sampler).unwrap();
        }
        match game.outcome(&state).and_then(|outcome| outcome.winner) {
            Some(side) if side == thinks => won += 1,
            Some(_) => lost += 1,
            None => {}
        }
    }
    assert!(won * 10 >= games * 9, "instinct won {won} and lost {lost} of {games}");
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

/// Runs the present step with the answers so far: what is asked, and the notes.
fn look(
    game: &CarrierGame,
    state: &<CarrierGame as Game>::State,
    answers: &[Answer],
) -> (Result<Option<Question>, Refusal>, Tape) {
    let mut tape = Tape::new(answers.to_vec());
    let result = advance(game, state, &mut tape).map(|progress| match progress {
        Progress::Asks(question) => Some(question),
        Progress::Stepped(_) => None,
    });
    (result, tape)
}

/// What a viewer may see of an open question: everything put to him, and who else is asked what kind of thing.
fn seen(question: &Question, viewer: Viewer) -> String {
    let own: Vec<_> = question.open().iter().filter(|asked| viewer == Viewer::Seat(asked.seat)).collect();
    let who: Vec<_> = question.open().iter().map(|asked| (asked.seat, asked.prompt.code)).collect();
    let dice = matches!(question, Question::Dice { .. }).then_some(question);
    text(&(own, who, dice))
}

const BAD: [&str; 19] = [
    r#"{"path":[[9223372036854775807,-9223372036854775808]]}"#,
    r#"{"action":"move","squadrons":["b1"],"path":[[9223372036854775807,0]]}"#,
    r#"{"action":"launch","squadron":"r2","at":[-9223372036854775808,9223372036854775807],"dummy":true}"#,
    r#"{"action":"move-cv","evade":{"real":[9223372036854775807,0],"decoy":[0,-9223372036854775808]}}"#,
    r#"{"contact":"give-way","line":[9223372036854775807,-9223372036854775808]}"#,
    r#"[9223372036854775807,9223372036854775807]"#,
    r#"{"r1":[9223372036854775807,1],"b1":[0,-9223372036854775808]}"#,
    r#"{"action":"strike","squadrons":["b1","b2"],"path":[[6000,15000]]}"#,
    r#"{"action":"strike","squadrons":["r1"],"path":[[6000,500]]}"#,
    r#"{"action":"dogfight","squadrons":["b1"],"target":"r1"}"#,
    r#"{"action":"dogfight","squadrons":["r1"],"target":"b2","detect":{"by":"r1"}}"#,
    r#"{"action":"detect","by":"b1","target":"red-a"}"#,
    r#"{"action":"detect","by":"rr1","target":"blue-b"}"#,
    r#"{"action":"detect","by":"blue-cv","target":"r1"}"#,
    r#"{"action":"disengage"}"#,
    r#"{"action":"pass"}"#,
    r#"{"path":[[6000,8000]]}"#,
    r#"{"contact":"intercept","squadrons":["b1"]}"#,
    r#"{"action":"move-cv","to":{"red-cv":[6000,12000]}}"#,
];

#[test]
fn imagined_worlds_look_the_same() {
    let viewers = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];
    let mut kinds = std::collections::BTreeSet::new();
    for (n, scenario) in SCENARIOS.iter().enumerate() {
        let game = game(scenario);
        for seed in 0..3 {
            let mut chance = Chance::stream(23 + n as u64, seed);
            let mut state = game.setup();
            let mut answers: Vec<Answer> = Vec::new();
            while game.outcome(&state).is_none() {
                let mut tape = Tape::new(answers.clone());
                let question = match advance(&game, &state, &mut tape).unwrap() {
                    Progress::Stepped(next) => {
                        state = next;
                        answers.clear();
                        continue;
                    }
                    Progress::Asks(question) => question,
                };
                kinds.extend(question.open().iter().map(|asked| asked.prompt.code));
                if chance.below(12) == 0
                    || question.open().first().is_some_and(|asked| asked.prompt.code != "choose-action")
                {
                    for viewer in viewers {
                        let view = game.view(&state, viewer);
                        let world = game.imagine(&view, &mut chance);
                        let again = game.view(&world, viewer);
                        assert_eq!(text(&again), text(&view), "{scenario} {seed} {viewer:?} at {:?}", state.phase);
                        assert_eq!(text(&game.scene(&again)), text(&game.scene(&view)));
                        let (asked, other) = look(&game, &world, &answers);
                        let asked = asked
                            .unwrap_or_else(|refusal| {
                                panic!("{scenario} {seed} {viewer:?} at {:?}: refused {refusal:?}", state.phase)
                            })
                            .expect("the imagined world asks too");
                        assert_eq!(
                            seen(&asked, viewer),
                            seen(&question, viewer),
                            "{scenario} {seed} {viewer:?} at {:?}",
                            state.phase
                        );
                        let notes = |tape: &Tape| {
                            text(&tape.notes().iter().filter(|note| note.seen_by(viewer)).collect::<Vec<_>>())
                        };
                        assert_eq!(notes(&other), notes(&tape));
                        if let Viewer::Seat(seat) = viewer
                            && question.to(seat).is_some()
                        {
                            for bad in BAD {
                                let wrong = wrong_answer(&question, seat, serde_json::from_str(bad).unwrap());
                                let refused = |state| {
                                    let mut with = answers.clone();
                                    with.push(wrong.clone());
                                    look(&game, state, &with).0.err()
                                };
                                let (truth, imagined) = (refused(&state), refused(&world));
                                assert_eq!(text(&imagined), text(&truth), "{scenario} {seed} {viewer:?}: {bad}");
                            }
                        }
                    }
                }
                answers.push(any_answer(&question, &mut chance));
            }
        }
    }
    for code in [
        "choose-action",
        "detection-number",
        "stance",
        "contact",
        "resume",
        "path",
        "strike-next",
        "after-strike",
        "break-off",
    ] {
        assert!(kinds.contains(code), "no game came to '{code}'; seen: {kinds:?}");
    }
}

fn wrong_answer(question: &Question, seat: Seat, value: Value) -> Answer {
    match question {
        Question::Secret { .. } => Answer::Sealed([(seat, value)].into()),
        _ => Answer::Choice(value),
    }
}

/// Any of the answers offered; strikes, fights and flights rather than waiting.
fn any_answer(question: &Question, chance: &mut Chance) -> Answer {
    let mut pick = |asked: &flagplot_kernel::SeatQuestion| {
        let keen: Vec<&flagplot_kernel::OptionView> = asked
            .options
            .iter()
            .filter(|option| {
                matches!(
                    option.value["action"].as_str(),
                    Some("strike" | "dogfight" | "launch" | "detect" | "fly-home")
                ) || option.value.get("contact").is_some()
            })
            .collect();
        let searches: Vec<&flagplot_kernel::OptionView> =
            asked.options.iter().filter(|option| option.value.get("detect").is_some()).collect();
        let keen_now = !keen.is_empty() && chance.below(3) > 0;
        if !searches.is_empty() && chance.below(4) == 0 {
            chance.pick(&searches).unwrap().value.clone()
        } else if keen_now {
            chance.pick(&keen).unwrap().value.clone()
        } else {
            chance.pick(&asked.options).unwrap().value.clone()
        }
    };
    match question {
        Question::Dice { count, die, .. } => Answer::Dice(Faces(chance.faces(*count, *die).0)),
        Question::Choice(asked) => Answer::Choice(pick(asked)),
        Question::Secret { open, .. } => Answer::Sealed(open.iter().map(|asked| (asked.seat, pick(asked))).collect()),
    }
}

/// The bid counts in play, and both sides are told. [victory]
#[test]
fn the_bid_evens_two_battles() {
    let winner = |scenario, blue: i64, red: i64| match (scenario, red - blue) {
        ("kamikaze", _) => Some(if blue + 2 >= 4 { Side::Second } else { Side::First }),
        (_, 2) => None,
        (_, lead) => Some(if lead > 2 { Side::First } else { Side::Second }),
    };
    for scenario in ["kamikaze", "philippine-sea"] {
        let game = game(scenario);
        let mut ends = std::collections::BTreeSet::new();
        for seed in 0..60 {
            let mut chance = Chance::stream(5, seed);
            let mut state = game.setup();
            let outcome = loop {
                if let Some(outcome) = game.outcome(&state) {
                    break outcome;
                }
                game.step(&mut state, &mut Sampler::new(&mut chance, flagplot_kernel::ByInstinct)).unwrap();
            };
            if ["surface", "both-lose"].contains(&outcome.level.as_str()) {
                continue;
            }
            let hits = |side: &str| outcome.details[side].as_i64().unwrap();
            let expected = winner(scenario, hits("blue_hits"), hits("red_hits"));
            assert_eq!(outcome.winner, expected, "{scenario}: {}", outcome.details);
            ends.insert(outcome.winner);
        }
        assert!(ends.len() > 1, "{scenario}: both sides win");
    }
    assert_eq!(game("kamikaze").aims().first, "You win if your carrier takes no more than 1 hit.");
    assert_eq!(game("kamikaze").aims().second, "You win if the enemy carrier takes 2 hits or more.");
    let aims = game("philippine-sea").aims();
    assert_eq!(
        aims.first,
        "You win if the enemy carrier takes at least 3 hits more than yours; exactly 2 more is a draw."
    );
    assert_eq!(
        aims.second,
        "You win if your carrier takes at most 1 hit more than the enemy's; exactly 2 more is a draw."
    );
}
