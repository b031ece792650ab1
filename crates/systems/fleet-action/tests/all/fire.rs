//! Fire, damage, the End Phase and points: whole battles to their verdict.

use super::sea::{SCENARIOS, Strict, battle as game};
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::state::State;
use flagplot_kernel::{AtRandom, ByInstinct, Chance, Game, Outcome, Policy, Sampler, Side};

/// Plays a battle to its end; after every step the state is the same as its JSON.
fn battle(game: &FleetGame, policy: impl Policy, seed: u64, screens: u32) -> (State, Outcome) {
    let mut chance = Chance::seeded(seed);
    let mut sampler = Sampler::new(&mut chance, Strict { policy, screens, asked: 0 });
    let mut state = game.setup();
    for step in 0..game.step_limit() {
        if let Some(outcome) = game.outcome(&state) {
            return (state, outcome);
        }
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        sound(game, &state);
        if step % 5 == 0 {
            let json = serde_json::to_value(&state).expect("a state is JSON");
            let read: State = serde_json::from_value(json).expect("a state reads its own JSON");
            assert_eq!(read, state, "step {step}");
        }
    }
    panic!("the battle does not end");
}

/// What holds in every state.
fn sound(game: &FleetGame, state: &State) {
    for (at, vessel) in state.sea.vessels.iter().enumerate() {
        let member = &game.battle.vessels[at];
        let (now, sheet) = (&vessel.now, &member.model.sheet);
        assert!((0..=sheet.f_max).contains(&now.f) && now.s >= 0, "{}: {now:?}", member.name);
        assert!(now.fires >= 0 && now.splash >= 0 && now.dc >= 0, "{}: {now:?}", member.name);
        assert!(now.fc <= member.model.fresh.fc.max(member.fresh.fc), "{}: {now:?}", member.name);
        assert!((0..=member.vessels).contains(&vessel.vessels), "{}", member.name);
        assert_eq!(vessel.lost_on.is_some(), !now.afloat(), "{}: {:?}", member.name, now.status);
    }
}

#[test]
fn every_battle_at_random_comes_to_a_verdict() {
    for id in SCENARIOS {
        let game = game(id);
        for seed in 0..3 {
            let (state, outcome) = battle(&game, AtRandom, seed, 11);
            println!("{id} {seed}: turn {} {}", state.sea.turn, outcome.summary);
            let standing = game.evaluate(&game.view(&state, flagplot_kernel::Viewer::Everything), Side::First);
            let margin = outcome.points[0] - outcome.points[1] - i64::from(game.battle.scenario.par);
            assert_eq!(standing, 1000 * margin, "{id}");
        }
    }
}

#[test]
fn every_battle_by_instinct_comes_to_a_verdict() {
    for id in SCENARIOS {
        let game = game(id);
        for seed in 0..2 {
            let (state, outcome) = battle(&game, ByInstinct, seed, 13);
            println!("{id} {seed}: turn {} {}", state.sea.turn, outcome.summary);
        }
    }
}
