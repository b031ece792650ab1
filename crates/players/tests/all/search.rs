//! The players on a real system: they answer legally, alike for alike seeds, and better with thought.

use crate::common::walk;
use flagplot_kernel::{Answer, Chance, Game, Seat, Viewer};
use flagplot_players::{
    Budget, Clock, Knowledge, PlayerKind, Settings, Thought, compare, contest, playout, search, think, tournament,
    weigh,
};
use flagplot_schiffskrieg::game::{Schiffskrieg, State};
use serde_json::json;

fn scenario(id: &str) -> Schiffskrieg {
    flagplot_schiffskrieg::System::new(&flagplot_schiffskrieg::files())
        .unwrap()
        .game(id, &serde_json::Value::Null)
        .unwrap()
}

/// The first position in which a question with this code is asked, all earlier ones answered by the computer.
fn until(game: &Schiffskrieg, code: &str, seed: u64) -> (State, Vec<Answer>, Seat) {
    let mut found = None;
    walk(game, seed..seed + 1, |state, answers, asked| {
        if asked.prompt.code == code {
            found = Some((state.clone(), answers.to_vec(), asked.seat));
        }
        found.is_some()
    });
    found.unwrap()
}

fn searched(game: &Schiffskrieg, at: &(State, Vec<Answer>, Seat), settings: &Settings, seed: u64) -> Thought {
    let view = game.view(&at.0, Viewer::Seat(at.2));
    search(&Knowledge::new(game, &view, &at.1, at.2), settings, &mut Chance::seeded(seed)).unwrap()
}

#[test]
fn the_same_seed_and_iterations_give_the_same_thought_on_any_number_of_cores() {
    let game = scenario("midway-1942");
    for code in ["wish", "declare-attacks"] {
        let at = until(&game, code, 3);
        let mut settings = Settings::new(Budget::Iterations(1000));
        settings.cores = 3;
        let many = searched(&game, &at, &settings, 5);
        assert_eq!(many, searched(&game, &at, &settings.clone().on_one_core(), 5), "{code}");
        assert!(!many.alternatives.is_empty());
    }
}

#[test]
fn every_answer_is_legal_in_the_true_world() {
    for (id, seed) in [("midway-1942", 1), ("pearl-harbor-1941", 2), ("denmark-strait-1941", 3)] {
        let game = scenario(id);
        for kind in ["search:20", "recruit", "random", "greedy"] {
            let kind: PlayerKind = kind.parse().unwrap();
            // `contest` stops at an illegal answer, so that there is no outcome then.
            assert!(
                contest(&game, &[kind, kind], Clock::Wall, &mut Chance::seeded(seed)).outcome.is_some(),
                "{id} {kind}"
            );
        }
    }
}

#[test]
fn a_secret_wish_is_drawn_from_the_exact_table_or_from_a_mix_that_adds_up() {
    let game = scenario("midway-1942");
    let at = until(&game, "wish", 1);
    let exact = Settings::new(Budget::Iterations(200));
    let thought = searched(&game, &at, &exact, 1);
    // Nobody gains by wishing for what suits the other, so that one wish has all of the mix; the other is told with
    // what it would cost.
    assert_eq!(
        thought.alternatives.iter().map(|alternative| alternative.share).collect::<Vec<_>>(),
        [Some(1.0), Some(0.0)],
        "{thought:?}"
    );
    assert!(thought.alternatives.iter().all(|alternative| alternative.games > 0), "{thought:?}");
    assert!(thought.method.contains("equilibrium of the exact payoffs"), "{}", thought.method);
    let thought = searched(&game, &at, &Settings { exact: false, ..exact }, 1);
    let shares: f64 = thought.alternatives.iter().map(|alternative| alternative.share.unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-6, "{thought:?}");
    assert!(thought.method.contains("equilibrium of their results"));
    assert_eq!(thought.alternatives.len(), 2);
}

#[test]
fn an_answer_asked_about_is_among_those_weighed_and_no_attack_is_found_worse() {
    let game = scenario("midway-1942");
    let at = until(&game, "declare-attacks", 4);
    let mut settings = Settings::new(Budget::Iterations(200));
    // An answer that no rule would accept is passed over.
    settings.also = vec![json!([]), json!("nonsense")];
    let thought = searched(&game, &at, &settings, 9);
    let none = thought.alternatives.iter().find(|alternative| alternative.value == json!([])).unwrap();
    assert_ne!(thought.value, json!([]));
    assert!(none.estimate < thought.alternatives[0].estimate);
    let view = game.view(&at.0, Viewer::Seat(at.2));
    let knowledge = Knowledge::new(&game, &view, &at.1, at.2);
    let better = compare(&knowledge, &thought.value, &json!([]), 80, &mut Chance::seeded(2));
    assert!(better.difference > 2.0 * better.error && better.games == 80, "{better:?}");
}

#[test]
fn no_alternative_is_worth_more_than_the_answer_given() {
    let game = scenario("midway-1942");
    for seed in 1..=6 {
        let at = until(&game, "declare-attacks", seed);
        let thought = searched(&game, &at, &Settings::new(Budget::Iterations(60)), seed);
        let [first, rest @ ..] = thought.alternatives.as_slice() else { panic!("{thought:?}") };
        assert_eq!((&first.value, first.gap_error), (&thought.value, 0.0), "{thought:?}");
        assert!(thought.alternatives.is_sorted_by(|a, b| a.estimate >= b.estimate), "{thought:?}");
        assert!(rest.iter().all(|other| other.gap_error > 0.0), "{thought:?}");
        assert!(thought.alternatives.iter().all(|one| (0.0..=1.0).contains(&one.estimate)), "{thought:?}");
    }
}

#[test]
fn every_answer_of_a_mix_is_worth_as_much_and_no_other_is_worth_more() {
    let game = scenario("midway-1942");
    for (seed, exact) in [(1, true), (2, false), (3, false)] {
        let at = until(&game, "wish", seed);
        let settings = Settings { exact, ..Settings::new(Budget::Iterations(200)) };
        let thought = searched(&game, &at, &settings, seed);
        let worth = thought.alternatives.iter().find(|one| one.value == thought.value).unwrap().estimate;
        for one in &thought.alternatives {
            let mixed = one.share.is_some_and(|share| share > 0.0);
            assert!(if mixed { one.estimate == worth } else { one.estimate <= worth }, "{thought:?}");
        }
    }
}

#[test]
fn two_thoughts_of_a_question_agree_within_their_errors() {
    let game = scenario("midway-1942");
    let at = until(&game, "declare-attacks", 4);
    let think = |seed| searched(&game, &at, &Settings::new(Budget::Iterations(400)), seed);
    let (one, two) = (think(1), think(2));
    for a in &one.alternatives {
        let Some(b) = two.alternatives.iter().find(|b| b.value == a.value) else { continue };
        assert!((a.estimate - b.estimate).abs() < 4.0 * a.error.hypot(b.error), "{a:?} {b:?}");
    }
}

#[test]
fn what_a_position_is_worth_to_both_sides_adds_up_to_one() {
    let game = scenario("midway-1942");
    let (state, answers, _) = until(&game, "declare-attacks", 4);

    let of = |seat: Seat| {
        let view = game.view(&state, Viewer::Seat(seat));
        weigh(&Knowledge::new(&game, &view, &answers, seat), &[answers.len()], 0..100, 1).remove(0)
    };
    // Nothing is hidden in this system, and both are judged by the same games.
    for (one, two) in of(Seat(0)).into_iter().zip(of(Seat(1))) {
        assert_eq!(one.unwrap() + two.unwrap(), 1.0);
    }
}

#[test]
fn nobody_is_asked_no_thought() {
    let game = scenario("midway-1942");
    let (state, answers, seat) = until(&game, "declare-attacks", 4);
    let other = Seat(1 - seat.0);
    let view = game.view(&state, Viewer::Seat(other));
    for kind in ["search:50", "greedy", "recruit"] {
        assert_eq!(think(&game, &view, &answers, other, kind.parse().unwrap(), &mut Chance::seeded(1)), None);
    }
}

#[test]
fn instinct_beats_chance_and_a_contest_repeats() {
    let game = scenario("midway-1942");
    let run = || {
        tournament(
            &[PlayerKind::Greedy, PlayerKind::Random],
            40,
            11,
            2,
            |seated, chance| contest(&game, seated, Clock::Wall, chance).outcome,
            |_, _| {},
        )
    };
    let found = run();
    assert!(found.matches[0].decided[0] > 0.75, "{:?}", found.matches[0]);
    assert_eq!(found.matches[0].unfinished, 0);
    assert_eq!(found, run());
    assert!(playout(&game, &[PlayerKind::Greedy, PlayerKind::Random], &mut Chance::seeded(1)).outcome.is_some());
}
