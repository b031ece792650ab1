//! The stages of scenarios and what they score.

use crate::common::{asks, game, nobody_left, step};
use flagplot_kernel::{Answer, Game, Seat, Side};
use flagplot_schiffskrieg::battle::Place;
use flagplot_schiffskrieg::data::Bands;
use flagplot_schiffskrieg::game::{Schiffskrieg, State};
use flagplot_schiffskrieg::scenario::{Fight, ScenarioState, judge};
use serde_json::json;

fn inner(state: &State) -> &ScenarioState {
    match state {
        State::Scenario(state) => state,
        _ => panic!("a scenario"),
    }
}

fn inner_mut(state: &mut State) -> &mut ScenarioState {
    match state {
        State::Scenario(state) => state,
        _ => panic!("a scenario"),
    }
}

#[test]
fn a_stage_for_which_nobody_is_left_goes_to_the_other_side() {
    let (game, state) = nobody_left();
    let state = step(&game, &state, Vec::new(), &[]).unwrap();
    assert!(inner(&state).over, "it was neither offered nor played");
    assert_eq!(
        (inner(&state).ledger.first.held, inner(&state).ledger.first.other),
        (6, 0),
        "holding, but nothing for declining"
    );
    let Schiffskrieg::Scenario(scenario) = &game else { panic!() };
    assert_eq!(scenario.points(inner(&state), Side::First), 6 + 9 + 9 + 4 * 7 + 7 + 3 + 2, "and every unit's points");
}

#[test]
fn convoys_of_the_side_that_is_left_score() {
    // Force Z is gone before the battle: Japan holds for 4, and its convoy of D 5 comes through for 10.
    let game = game("force-z-1941");
    let mut state = game.setup();
    inner_mut(&mut state).units.first.iter_mut().for_each(|unit| unit.place = Place::Removed);
    let state = step(&game, &state, Vec::new(), &[]).unwrap();
    assert_eq!((inner(&state).ledger.second.held, inner(&state).ledger.second.convoys), (4, 10));
}

#[test]
fn a_base_attack_without_raiders_counts_no_rounds() {
    let game = game("pearl-harbor-1941");
    let mut state = game.setup();
    for unit in inner_mut(&mut state).units.first.iter_mut().take(6) {
        unit.place = Place::NavalWarfareDelayBox;
    }
    inner_mut(&mut state).rounds_flown = 3;
    let state = step(&game, &state, Vec::new(), &[]).unwrap();
    assert_eq!((inner(&state).stage, inner(&state).rounds_flown), (1, 0));
    assert_eq!(inner(&state).ledger.first.other, 0, "nothing for breaking off what was not flown");
    let state = step(&game, &state, Vec::new(), &[]).unwrap();
    assert!(inner(&state).over, "too few rounds for the second stage");
}

#[test]
fn a_sortie_may_be_declined() {
    let game = game("taranto-1940");
    let mut state = game.setup();
    inner_mut(&mut state).stage = 1;
    assert_eq!(asks(&game, &state).unwrap().to(Seat(1)).unwrap().prompt.code, "stage");
    let declined = step(&game, &state, vec![Answer::Choice(json!("decline"))], &[]).unwrap();
    assert_eq!((inner(&declined).over, inner(&declined).ledger.first.other), (true, 3));
    let sailed = step(&game, &state, vec![Answer::Choice(json!("play"))], &[]).unwrap();
    let Some(Fight::Battle(battle)) = &inner(&sailed).fight else { panic!("no battle") };
    assert_eq!((battle.phasing, battle.line.second.len()), (Side::Second, 9));
}

#[test]
fn nagumo_is_paid_for_going_home() {
    let game = game("pearl-harbor-1941");
    let mut state = step(&game, &game.setup(), Vec::new(), &[]).unwrap();
    // No attack at all, then break off: one round flown.
    while inner(&state).fight.is_some() {
        let answer = match asks(&game, &state) {
            Some(question) if question.open()[0].prompt.code == "another-round" => {
                Some(Answer::Choice(json!("break-off")))
            }
            Some(_) => Some(Answer::Choice(json!([]))),
            None => None,
        };
        state = step(&game, &state, answer.into_iter().collect(), &[]).unwrap();
    }
    assert_eq!((inner(&state).rounds_flown, inner(&state).ledger.first.other), (1, 18));
}

#[test]
fn levels_of_victory() {
    let names = flagplot_kernel::BySide { first: "A".to_owned(), second: "B".to_owned() };
    let level = |first: i64, second: i64| {
        let outcome =
            judge(&names, flagplot_kernel::BySide { first, second }, Bands { par: 5, draw_band: 2, decisive_band: 8 });
        (outcome.winner, outcome.level)
    };
    assert_eq!(level(7, 0), (None, "draw".into()));
    assert_eq!(level(3, 0), (None, "draw".into()));
    assert_eq!(level(8, 0), (Some(Side::First), "victory".into()));
    assert_eq!(level(2, 0), (Some(Side::Second), "victory".into()));
    assert_eq!(level(13, 0), (Some(Side::First), "victory".into()));
    assert_eq!(level(14, 0), (Some(Side::First), "decisive".into()));
    assert_eq!(level(0, 4), (Some(Side::Second), "decisive".into()));
}
