//! Whole games: no dead ends, offers that are accepted, states that can be stored, a luck meter that adds up.

use crate::common::{answer_to, asks, by_offers, game, play, playable, system};
use flagplot_kernel::{AtRandom, ByInstinct, Chance, DiceFrom, Game, Luck, Side, Tape, Viewer, advance};
use flagplot_schiffskrieg::campaign::CampaignGame;
use flagplot_schiffskrieg::game::{Schiffskrieg, State};
use flagplot_schiffskrieg::luck::luck;
use flagplot_schiffskrieg::scenario::Fight;

#[test]
fn random_games_end() {
    for (id, options) in playable() {
        let game = system().game(&id, &options).unwrap();
        for seed in 0..20 {
            let state = play(&game, AtRandom, &mut Chance::stream(1, seed), |_, _| ());
            let outcome = game.outcome(&state).unwrap();
            assert_eq!(outcome.details["margin"], outcome.points[0] - outcome.points[1], "{id}");
        }
    }
}

#[test]
fn instinct_games_end() {
    for (id, options) in playable() {
        let game = system().game(&id, &options).unwrap();
        for seed in 0..3 {
            play(&game, ByInstinct, &mut Chance::stream(2, seed), |_, _| ());
        }
    }
}

#[test]
fn every_offer_is_accepted_and_every_question_explained_and_drawn() {
    for (id, options) in playable() {
        let game = system().game(&id, &options).unwrap();
        let mut watch = |state: &State, answers: &[flagplot_kernel::Answer], question: &flagplot_kernel::Question| {
            let view = game.view(state, Viewer::Spectator);
            let scene = game.scene(&view);
            let flagplot_kernel::scene::Surface::Boxes { boxes } = &scene.surface else { panic!("{id}: no boxes") };
            for piece in &scene.pieces {
                let flagplot_kernel::scene::Place::Box(place) = &piece.place else {
                    panic!("{id}: {} is in no box", piece.id)
                };
                assert!(
                    boxes.iter().any(|area| area.id == *place),
                    "{id}: {} is in the box '{place}', which is not there",
                    piece.id
                );
            }
            for asked in question.open() {
                assert!(asked.prompt.rule.is_some(), "{}", asked.prompt.code);
                assert!(!asked.options.is_empty(), "{}: nothing is offered", asked.prompt.code);
                for option in &asked.options {
                    let mut with = answers.to_vec();
                    with.push(answer_to(question, asked, option.value.clone()));
                    let mut tape = Tape::with_dice(with, DiceFrom::Chance(Box::new(Chance::seeded(1))));
                    advance(&game, state, &mut tape).unwrap_or_else(|refusal| {
                        panic!("{}: the offer '{}' is refused: {refusal}", asked.prompt.code, option.label)
                    });
                }
                let value = asked.options.first().map(|option| &option.value);
                for insight in
                    game.explain(&view, &[], asked, None).iter().chain(&game.explain(&view, &[], asked, value))
                {
                    assert_eq!(insight.basis, "exact", "{id}: {}: {insight:?}", asked.prompt.code);
                }
            }
        };
        by_offers(&game, 5, &mut watch);
    }
}

#[test]
fn a_state_survives_its_json_form() {
    let mut nobody = |_: &State, _: &[flagplot_kernel::Answer], _: &flagplot_kernel::Question| ();
    for (id, options) in playable() {
        let game = system().game(&id, &options).unwrap();
        for state in by_offers(&game, 9, &mut nobody) {
            let text = serde_json::to_string(&state).unwrap();
            assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state, "{id}");
        }
    }
}

#[test]
fn a_position_of_another_game_gets_no_further() {
    let (battle, campaign) = (game("midway-1942"), game("middle-sea-1940"));
    let stranger = campaign.setup();
    let refusal = advance(&battle, &stranger, &mut Tape::new(Vec::new())).unwrap_err();
    assert_eq!(refusal.code, "internal");
    assert!(battle.outcome(&stranger).is_none());
}

/// Points for losses of a side at the end of a game.
fn losses(game: &Schiffskrieg, state: &State, side: Side) -> i64 {
    match (game, state) {
        (Schiffskrieg::Scenario(game), State::Scenario(state)) => {
            let other = state.ledger[side];
            game.points(state, side) - other.held - other.convoys - other.other
        }
        (_, State::Campaign(state)) => state.score[side].losses,
        _ => unreachable!("scenarios and campaigns only"),
    }
}

#[test]
fn luck_adds_up_to_the_points_for_losses() {
    for id in ["midway-1942", "pearl-harbor-1941", "taranto-1940", "bismarck-last-battle-1941", "ironbottom-1942"] {
        let game = game(id);
        for seed in 0..3 {
            let mut checkpoints = vec![game.setup()];
            let last = play(&game, AtRandom, &mut Chance::stream(3, seed), |_, after| checkpoints.push(after.clone()));
            let sum = luck(&game, &checkpoints);
            for side in Side::BOTH {
                assert_eq!(sum[side.index()].real, 1000 * losses(&game, &last, side), "{id}, {side:?}");
            }
        }
    }
}

#[test]
fn luck_is_nobodys_in_the_long_run() {
    let game = game("denmark-strait-1941");
    let mut sum = [Luck::default(); 2];
    let games = 600;
    for seed in 0..games {
        play(&game, AtRandom, &mut Chance::stream(4, seed), |before, after| {
            for (sum, more) in sum.iter_mut().zip(game.luck(before, after)) {
                *sum += more;
            }
        });
    }
    for luck in sum {
        // A game's luck has a deviation of some five points, so that the mean of 600 games has one of 0.2.
        let mean = (luck.real - luck.expected) / games as i64;
        assert!(luck.expected > 0 && mean.abs() < 1000, "{sum:?}");
    }
}

#[test]
fn a_campaign_between_sensible_players_is_about_zones_and_ships() {
    // A player who commits his fleet by instinct beats one who sends it anywhere.
    struct Against(Side);
    impl flagplot_kernel::Policy for Against {
        fn decide<C: flagplot_kernel::Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
            if choice.seat().side() == self.0 { choice.instinct(chance) } else { choice.sample(chance) }
        }
    }
    for id in ["ironbottom-1942", "middle-sea-1940"] {
        let game = game(id);
        for side in Side::BOTH {
            let wins = (0..12)
                .filter(|&seed| {
                    let last = play(&game, Against(side), &mut Chance::stream(6, seed), |_, _| ());
                    game.outcome(&last).unwrap().winner == Some(side)
                })
                .count();
            assert!(wins >= 10, "{id}: {side:?} won {wins} of 12");
        }
    }
}

#[test]
fn a_campaign_state_is_small() {
    let Schiffskrieg::Campaign(game) = game("ironbottom-1942") else { panic!() };
    let _: &CampaignGame = &game;
    assert!(std::mem::size_of::<State>() <= 512, "{}", std::mem::size_of::<State>());
}

/// The expected points of the first unit's attack on one enemy unit, damaged by then, where the first action is fixed.
fn expected_points(scenario: &str, enemy: usize) -> String {
    let game = game(scenario);
    let mut state = game.setup();
    // The stage begins, and its action is known.
    for _ in 0..2 {
        game.step(&mut state, &mut Tape::new(Vec::new())).expect("nothing is asked");
    }
    let State::Scenario(inner) = &mut state else { panic!("a scenario") };
    let Some(Fight::Battle(battle)) = &mut inner.fight else { panic!("a battle") };
    battle.line.first.truncate(1);
    battle.line.second = vec![battle.line.second[enemy]];
    battle.line.second[0].damaged = true;
    let question = asks(&game, &state).expect("the phasing faction declares");
    let insights = game.explain(&game.view(&state, Viewer::Everything), &[], &question.open()[0], None);
    insights[0].lines[0].clone()
}

#[test]
fn expected_points_count_no_half_twice() {
    // Bismarck's five dice at Hood (worth 9, 5 points sink her now): half was counted when she was damaged, 5 are left.
    assert_eq!(expected_points("denmark-strait-1941", 0), "Expected points from losses: 1.51.");
    // Warspite's five dice at destroyers that began the day damaged (worth 4, 2 points sink them): all of it is still
    // to be had.
    assert_eq!(expected_points("narvik-1940", 1), "Expected points from losses: 2.12.");
}

#[test]
fn whoever_may_leave_is_told_what_the_convoy_is_worth() {
    let game = game("barents-sea-1942");
    let mut told = 0;
    let mut watch = |state: &State, _: &[flagplot_kernel::Answer], question: &flagplot_kernel::Question| {
        let State::Scenario(inner) = state else { panic!("a scenario") };
        let Some(Fight::Battle(battle)) = &inner.fight else { return };
        for asked in question.open().iter().filter(|asked| asked.prompt.code == "retreat") {
            let lines = game.explain(&game.view(state, Viewer::Spectator), &[], asked, None).remove(0).lines;
            // The convoy is the first unit of the second side, and nobody else has one.
            let there = battle
                .line
                .second
                .iter()
                .find(|fighter| fighter.unit == 0)
                .filter(|_| asked.seat.side() == Side::Second);
            let expected = there.map(|convoy| {
                format!(
                    "Your convoys do not come through, which gives up their {} points.",
                    if convoy.damaged { 6 } else { 12 }
                )
            });
            assert_eq!(lines.into_iter().find(|line| line.contains("convoy")), expected);
            told += u32::from(expected.is_some());
        }
    };
    for seed in 0..20 {
        by_offers(&game, seed, &mut watch);
    }
    assert!(told > 0);
}
