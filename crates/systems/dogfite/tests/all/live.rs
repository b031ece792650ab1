//! Games played one answer at a time, as a table plays them: what is offered is accepted, nothing leaks, odds are
//! there.

use crate::common::{battles, ruled, system};
use flagplot_dogfite::game::{Dogfight, Formation, Mover, Phase, Shots, Stage, State};
use flagplot_dogfite::words::{Flight, Status};
use flagplot_kernel::{
    Answer, Chance, DiceFrom, Game, Note, Progress, Question, Refusal, Seat, SeatQuestion, Tape, Viewer, advance,
};
use flagplot_odds::Fraction;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How far a step gets with these answers, and the notes on the way. Dice come from asking.
fn run(game: &Dogfight, state: &State, answers: &[Answer]) -> (Result<Progress<State>, Refusal>, Vec<Note>) {
    let mut tape = Tape::new(answers.to_vec());
    let progress = advance(game, state, &mut tape);
    (progress, tape.notes().to_vec())
}

fn visible(notes: &[Note], viewer: Viewer) -> String {
    let seen: Vec<&Note> = notes.iter().filter(|note| note.seen_by(viewer)).collect();
    serde_json::to_string(&seen).unwrap()
}

/// Plays a game through a tape; `look` sees every question with the answers before it.
fn play(game: &Dogfight, seed: u64, mut look: impl FnMut(&State, &[Answer], &Question, &mut Chance)) -> State {
    let mut chance = Chance::seeded(seed);
    let mut state = game.setup();
    let mut steps = 0;
    while game.outcome(&state).is_none() {
        let mut answers: Vec<Answer> = Vec::new();
        state = loop {
            let (progress, _) = run(game, &state, &answers);
            let question = match progress {
                Ok(Progress::Stepped(next)) => break next,
                Ok(Progress::Asks(question)) => question,
                Err(refusal) => panic!("refused: {refusal}"),
            };
            look(&state, &answers, &question, &mut chance);
            match &question {
                Question::Dice { count, die, .. } => answers.push(Answer::Dice(chance.faces(*count, *die))),
                Question::Choice(asked) => answers.push(Answer::Choice(pick(asked, &mut chance))),
                Question::Secret { open, .. } => {
                    let mut sealed = match answers.last() {
                        Some(Answer::Sealed(sealed)) => sealed.clone(),
                        _ => BTreeMap::new(),
                    };
                    if !sealed.is_empty() {
                        answers.pop();
                    }
                    sealed.insert(open[0].seat, pick(&open[0], &mut chance));
                    answers.push(Answer::Sealed(sealed));
                }
            }
        };
        steps += 1;
        assert!(steps <= game.step_limit(), "the game does not end");
    }
    state
}

/// One of the first options as often as any other.
fn pick(asked: &SeatQuestion, chance: &mut Chance) -> Value {
    let options = &asked.options;
    let at = if chance.below(2) == 0 { 0 } else { chance.below(options.len() as u32) };
    options[at as usize].value.clone()
}

#[test]
fn what_is_offered_is_accepted_and_what_is_not_changes_nothing() {
    let system = system();
    let mut codes = BTreeSet::new();
    let battles = battles(&system);
    for (n, id) in battles.iter().chain(&battles).enumerate() {
        let game = system.game(id, &Value::Null).unwrap();
        play(&game, n as u64, |state, answers, question, _| {
            let before = state.clone();
            for asked in question.open() {
                codes.insert(asked.prompt.code);
                assert!(!asked.options.is_empty(), "{} offers nothing", asked.prompt.code);
                for option in &asked.options {
                    let given = with(question, answers, asked.seat, option.value.clone());
                    assert!(
                        run(&game, state, &given).0.is_ok(),
                        "{} refuses what it offers: {}",
                        asked.prompt.code,
                        option.value
                    );
                }
                for bad in [json!(null), json!("nonsense"), json!({"kind": "nonsense"}), json!(-1), json!([[]])] {
                    let refusal = run(&game, state, &with(question, answers, asked.seat, bad))
                        .0
                        .expect_err("nonsense is refused");
                    assert!(!refusal.code.is_empty() && !refusal.message.is_empty());
                }
            }
            assert_eq!(*state, before);
        });
    }
    println!("asked: {codes:?}");
    for code in ["targets", "tail", "vertical", "move", "cancel", "engine", "recover"] {
        assert!(codes.contains(code), "nobody was asked for {code}");
    }
}

/// The answers with one more.
fn with(question: &Question, answers: &[Answer], seat: Seat, value: Value) -> Vec<Answer> {
    let mut answers = answers.to_vec();
    if let Question::Secret { .. } = question {
        let mut sealed = match answers.last() {
            Some(Answer::Sealed(sealed)) => sealed.clone(),
            _ => BTreeMap::new(),
        };
        if !sealed.is_empty() {
            answers.pop();
        }
        sealed.insert(seat, value);
        answers.push(Answer::Sealed(sealed));
    } else {
        answers.push(Answer::Choice(value));
    }
    answers
}

/// A world imagined from what a viewer knows shows that viewer the same view, scene, question and notes, byte for byte.
#[test]
fn nothing_leaks() {
    let system = system();
    for (n, id) in ["verdun-1916", "bloody-april-1917", "voss-1917"].iter().enumerate() {
        let game = system.game(id, &json!({"seats": {"allied": 2}})).unwrap();
        let viewers: Vec<Viewer> =
            (0..game.seats().len() as u8).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Spectator]).collect();
        play(&game, 90 + n as u64, |state, answers, question, chance| {
            // Every sealed question and some of the others, so that the test stays short.
            if !matches!(question, Question::Secret { .. }) && chance.below(8) > 0 {
                return;
            }
            for &viewer in &viewers {
                let view = game.view(state, viewer);
                let imagined = game.imagine(&view, chance);
                let text = |state: &State| {
                    serde_json::to_string(&game.view(state, viewer)).unwrap()
                        + &serde_json::to_string(&game.scene(&game.view(state, viewer))).unwrap()
                };
                assert_eq!(text(&imagined), text(state));
                // What other seats have sealed is not part of what this one is shown.
                let known: Vec<Answer> =
                    answers.iter().filter(|answer| !matches!(answer, Answer::Sealed(_))).cloned().collect();
                let asked = |state: &State, answers: &[Answer]| {
                    let (progress, notes) = run(&game, state, answers);
                    let Ok(Progress::Asks(question)) = progress else { panic!("no question") };
                    let own = match viewer {
                        Viewer::Seat(seat) => question.to(seat).cloned(),
                        _ => None,
                    };
                    (serde_json::to_string(&own).unwrap(), visible(&notes, viewer))
                };
                let (true_question, true_notes) = asked(state, answers);
                let (dreamt_question, dreamt_notes) = asked(&imagined, &known);
                if let Viewer::Seat(seat) = viewer
                    && question.to(seat).is_some()
                {
                    assert_eq!(dreamt_question, true_question);
                }
                assert_eq!(dreamt_notes, true_notes);
            }
        });
    }
}

/// Sealed targets of one seat change nothing of what another is asked.
#[test]
fn a_sealed_answer_is_not_seen_in_another_question() {
    let system = system();
    let game = system.game("verdun-1916", &Value::Null).unwrap();
    let state = game.setup();
    let Ok(Progress::Stepped(state)) = run(&game, &state, &[]).0 else { panic!("the first step needs no answer") };
    let asked = |answers: &[Answer]| match run(&game, &state, answers).0 {
        Ok(Progress::Asks(question)) => serde_json::to_string(&question.to(Seat(1))).unwrap(),
        other => panic!("{other:?}"),
    };
    let sealed = |targets: Value| [Answer::Sealed([(Seat(0), targets)].into())];
    let before = asked(&[]);
    assert_eq!(asked(&sealed(json!({"A1": "C1", "A2": "C1"}))), before);
    assert_eq!(asked(&sealed(json!({"A1": null}))), before);
}

#[test]
fn odds_are_there_at_every_decision_and_make_sense() {
    let system = system();
    let mut explained: BTreeMap<&str, u32> = BTreeMap::new();
    for (n, id) in ["guynemer-udet-1917", "verdun-1916", "toul-1918"].iter().enumerate() {
        let game = system.game(id, &Value::Null).unwrap();
        play(&game, 40 + n as u64, |state, answers, question, chance| {
            for asked in question.open() {
                // Some of the questions, so that the test stays short; those that come seldom always.
                let often = matches!(asked.prompt.code, "move" | "engine" | "vertical" | "targets");
                if often && chance.below(12) > 0 {
                    continue;
                }
                let view = game.view(state, Viewer::Seat(asked.seat));
                let option = &asked.options[chance.below(asked.options.len() as u32) as usize].value;
                for value in [None, Some(option)] {
                    let insights = game.explain(&view, answers, asked, value);
                    if value.is_some() || asked.prompt.code != "move" {
                        assert!(!insights.is_empty(), "{} says nothing about {value:?}", asked.prompt.code);
                    }
                    for insight in &insights {
                        *explained.entry(asked.prompt.code).or_default() += 1;
                        for chance in &insight.chances {
                            let fraction = Fraction::parse(&chance.chance)
                                .unwrap_or_else(|| panic!("'{}' is no fraction", chance.chance));
                            assert!(fraction.to_f64() >= 0.0 && fraction.to_f64() <= 1.0, "{insight:?}");
                        }
                        let spread = insight.title.starts_with("Net edge")
                            || insight.title.starts_with("Speed")
                            || insight.title == "Hits"
                            || insight.title == "Critical hits";
                        let sum = insight
                            .chances
                            .iter()
                            .fold(Fraction::zero(), |sum, chance| sum.plus(&Fraction::parse(&chance.chance).unwrap()));
                        assert!(!spread || sum == Fraction::one(), "{insight:?}");
                    }
                }
            }
        });
    }
    println!("insights: {explained:?}");
    for code in ["targets", "vertical", "move", "engine"] {
        assert!(explained.contains_key(code), "nothing was explained of {code}");
    }
}

/// Richthofen has an edge of 4 over Brown, in his hex; their friends, but for the German novice, have the status given.
fn about_to_fire(game: &Dogfight, allies: Status, central: Status) -> State {
    let mut state = game.setup();
    let of = |id: &str| game.find(id).unwrap();
    let (ace, prey) = (of("C1"), of("A1"));
    state.get_mut(ace).position = state.get(prey).position;
    (state.get_mut(ace).target, state.get_mut(ace).edge) = (Some(prey), Some(4));
    for (ids, status) in [(["A2", "A3", "A4"], allies), (["C2", "C3", "C3"], central)] {
        ids.iter().for_each(|id| state.get_mut(of(id)).status = status);
    }
    state.phase = Phase::Combat;
    state.order.has_just_moved(ace, &[0; 8]);
    state
}

/// Fire costs nothing: a pilot is asked only where a kill would end the game short of victory while his side can still
/// earn points of the scenario.
#[test]
fn fire_is_asked_only_with_a_reason_to_hold_it() {
    let game = system().game("red-baron-1918", &Value::Null).unwrap();
    let asked = |state: &State| match run(&game, state, &[]).0 {
        Ok(Progress::Asks(Question::Choice(asked))) => Some(asked.prompt.text),
        Ok(Progress::Asks(Question::Dice { .. })) => None,
        other => panic!("{other:?}"),
    };
    let text = asked(&about_to_fire(&game, Status::LeftHome, Status::Destroyed)).expect("the kill would not win");
    assert!(text.contains("would end the game before you have won"), "{text}");
    assert_eq!(asked(&about_to_fire(&game, Status::InPlay, Status::Destroyed)), None, "others fly on");
    assert_eq!(asked(&about_to_fire(&game, Status::LeftHome, Status::InPlay)), None, "the kill wins");
    let mut home = about_to_fire(&game, Status::LeftHome, Status::Destroyed);
    home.get_mut(game.find("C4").unwrap()).status = Status::LeftHome;
    assert_eq!(asked(&home), None, "the novice's points are paid");
}

/// A stalled aircraft flies straight, and its player is not asked for what he cannot choose.
#[test]
fn a_move_without_a_choice_is_not_asked() {
    let game = system().game("guynemer-udet-1917", &Value::Null).unwrap();
    let mut state = game.setup();
    let own = game.find("A1").unwrap();
    state.get_mut(own).flight = Flight::Stalled;
    let mut mover = Mover::new(own, state.get(own), Formation::No);
    (mover.stage, mover.die) = (Stage::Steps, 1);
    (state.mover, state.phase) = (Some(mover), Phase::Movement);
    let before = state.get(own).position;
    let Ok(Progress::Stepped(after)) = run(&game, &state, &[]).0 else { panic!("a question without a choice") };
    assert_eq!(after.get(own).position.hex, before.hex.step(before.facing.unwrap()));
    state.get_mut(own).position.facing = None;
    assert!(matches!(run(&game, &state, &[]).0, Ok(Progress::Asks(_))), "six edges are a choice");
}

/// An ace with edge 4 at range 0: more than half a chance of a critical with two guns, as every player knows.
#[test]
fn fire_is_explained() {
    let system = system();
    let game = system.game("red-baron-1918", &Value::Null).unwrap();
    let mut state = about_to_fire(&game, Status::LeftHome, Status::Destroyed);
    let prey = game.find("A1").unwrap();
    let Ok(Progress::Asks(Question::Choice(asked))) = run(&game, &state, &[]).0 else { panic!("nobody is asked") };
    let insights = game.explain(&game.view(&state, Viewer::Seat(asked.seat)), &[], &asked, None);
    let of = |title: &str, label: &str| {
        let insight = insights.iter().find(|insight| insight.title.starts_with(title)).unwrap();
        Fraction::parse(&insight.chances.iter().find(|chance| chance.label == label).unwrap().chance).unwrap()
    };
    let sum = |title: &str| {
        insights
            .iter()
            .find(|insight| insight.title == title)
            .unwrap()
            .chances
            .iter()
            .fold(Fraction::zero(), |sum, chance| sum.plus(&Fraction::parse(&chance.chance).unwrap()))
    };
    assert_eq!((sum("Hits"), sum("Critical hits")), (Fraction::one(), Fraction::one()));
    let ruled = ruled(&system, "attack", &json!({"edge": 4, "shooting_skill": 2, "guns": 2}), json!({"odds": true}));
    for (title, field) in [("Hits", "hits"), ("Critical hits", "criticals")] {
        for (value, chance) in ruled["odds"][field].as_object().unwrap() {
            assert_eq!(of(title, value), Fraction::parse(chance.as_str().unwrap()).unwrap(), "{field} {value}");
        }
    }
    assert!((0.40..0.48).contains(&of("Critical hits", "0").to_f64()), "{insights:?}");
    assert!((0.03..0.08).contains(&of("This fire alone", "destroyed").to_f64()), "{insights:?}");
    assert!(!insights.iter().any(|insight| insight.title.contains("earlier fire")));
    // Somebody else has scored a critical before, which kills the pilot once in 36 times.
    state.shots.push(Shots { by: game.find("C4").unwrap(), at: prey, hits: 4, criticals: 1 });
    let insights = game.explain(&game.view(&state, Viewer::Seat(asked.seat)), &[], &asked, None);
    let together = insights.iter().find(|insight| insight.title.contains("earlier fire")).unwrap();
    let chance = |label: &str| {
        together
            .chances
            .iter()
            .find(|chance| chance.label == label)
            .map(|chance| Fraction::parse(&chance.chance).unwrap())
            .unwrap()
    };
    assert_eq!(chance("destroyed without this fire").to_string(), "1/36");
    assert!(chance("destroyed").to_f64() > of("This fire alone", "destroyed").to_f64());
}

/// Too fast for its wings, an aircraft may still be saved by its drag.
#[test]
fn the_engine_question_tells_the_chance_of_overspeed() {
    let system = system();
    let game = system.game("guynemer-udet-1917", &Value::Null).unwrap();
    let mut state = game.setup();
    let own = game.find("C1").unwrap();
    let craft = state.get_mut(own);
    craft.speed = game.info(own).ratings.max_dive + 1;
    let mut mover = Mover::new(own, craft, Formation::No);
    mover.stage = Stage::Engine;
    state.mover = Some(mover);
    state.phase = Phase::Movement;
    let Ok(Progress::Asks(Question::Choice(asked))) = run(&game, &state, &[]).0 else { panic!("nobody is asked") };
    let insights = game.explain(&game.view(&state, Viewer::Seat(asked.seat)), &[], &asked, None);
    let above = |title: &str| {
        let dangers = insights.iter().find(|insight| insight.title == format!("Dangers with {title}")).unwrap();
        dangers
            .chances
            .iter()
            .find(|chance| chance.label == "above the maximum dive speed")
            .map(|chance| chance.chance.clone())
    };
    // One above it: drag, at rating 0, slows it on 3 or more.
    assert_eq!(
        (above("neither").as_deref(), above("drag").as_deref(), above("a spin")),
        (Some("1/1"), Some("1/3"), None)
    );
}

/// The end of a bet as the screen shows it and as the referee rules it are one rule.
#[test]
fn the_bet_screen_agrees_with_the_referee() {
    let system = system();
    let game = system.game("guynemer-udet-1917", &Value::Null).unwrap();
    let mut compared = 0;
    play(&game, 3, |state, answers, question, _| {
        let Question::Choice(asked) = question else { return };
        if asked.prompt.code != "move" || compared > 3 {
            return;
        }
        let view = game.view(state, Viewer::Seat(asked.seat));
        let mover = state.mover.as_ref().unwrap();
        let flying = game.flying(state, mover.who) - state.get(mover.who).harm.control_penalty;
        for insight in game
            .explain(&view, answers, asked, None)
            .iter()
            .filter(|insight| insight.title.starts_with("straight: level 2, 1 "))
        {
            let bet = json!({"maneuver": "straight", "level": 2, "aerobatic_points": 1, "flying_skill": flying});
            let ruled = ruled(&system, "bet", &bet, json!({"odds": true, "field": "success"}));
            let shown = insight.chances.iter().find(|chance| chance.label == "won").unwrap();
            assert_eq!(ruled["odds"]["success"]["true"], shown.chance.as_str());
            compared += 1;
        }
    });
    assert!(compared > 0, "no such bet came up");
}

#[test]
fn a_state_comes_back_from_its_json() {
    let system = system();
    let game = system.game("red-baron-1918", &Value::Null).unwrap();
    let mut seen = 0;
    play(&game, 8, |state, _, _, _| {
        let text = serde_json::to_string(state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&text).unwrap(), *state);
        seen += 1;
    });
    assert!(seen > 100);
}

/// The same seed and answers give the same game, whether somebody listens or not.
#[test]
fn listening_changes_nothing() {
    let system = system();
    let game = system.game("toul-1918", &Value::Null).unwrap();
    play(&game, 12, |state, answers, question, chance| {
        if let Question::Dice { .. } = question {
            let seed = chance.fork();
            let tape = |deaf: bool| {
                let tape = Tape::with_dice(answers.to_vec(), DiceFrom::Chance(Box::new(seed.clone())));
                if deaf { tape.deaf() } else { tape }
            };
            let end = |mut tape: Tape| match advance(&game, state, &mut tape) {
                Ok(Progress::Stepped(state)) => serde_json::to_string(&state).unwrap(),
                Ok(Progress::Asks(question)) => serde_json::to_string(&question).unwrap(),
                Err(refusal) => refusal.to_string(),
            };
            assert_eq!(end(tape(true)), end(tape(false)));
        }
    });
}

#[test]
fn a_scene_shows_every_aircraft_where_it_is() {
    let system = system();
    let game = system.game("bloody-april-1917", &Value::Null).unwrap();
    let state = game.setup();
    let scene = game.scene(&game.view(&state, Viewer::Spectator));
    assert_eq!(scene.pieces.len(), 7);
    // Two on one spot do not hide each other.
    let places: BTreeSet<String> = scene.pieces.iter().map(|piece| format!("{:?}", piece.place)).collect();
    assert_eq!(places.len(), 7);
    assert_eq!(scene.panels.len(), 8);
}
