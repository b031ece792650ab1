//! Whole ground battles: they end, whoever plays.

use flagplot_kernel::{Chance, Choice, Game, Policy, Sampler, Seat};
use flagplot_world_at_war::game::{State, WorldAtWar};
use flagplot_world_at_war::{System, files};
use serde_json::Value;

pub const SCENARIOS: [&str; 5] = ["rzhev-1942", "changsha-1941", "sedan-1940", "gazala-1942", "citadel-1943"];

pub fn game(scenario: &str) -> WorldAtWar {
    System::new(&files()).unwrap().game(scenario, &Value::Null).unwrap()
}

/// A policy that answers by instinct for the seats named, at random for the others, and checks every answer.
pub struct Mixed(pub &'static [Seat]);

impl Policy for Mixed {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        let value = if self.0.contains(&choice.seat()) { choice.instinct(chance) } else { choice.sample(chance) };
        let checked = choice.check(&value);
        assert!(checked.is_ok(), "an illegal answer to {}: {checked:?}", choice.prompt().code);
        value
    }
}

pub fn play(game: &WorldAtWar, seats: &'static [Seat], seed: u64, mut look: impl FnMut(&State, &State)) -> State {
    let (mut state, mut chance) = (game.setup(), Chance::seeded(seed));
    for _ in 0..game.step_limit() {
        if game.outcome(&state).is_some() {
            return state;
        }
        let before = state.clone();
        game.step(&mut state, &mut Sampler::new(&mut chance, Mixed(seats))).expect("a sampler answers everything");
        look(&before, &state);
    }
    panic!("the battle did not end within {} steps", game.step_limit());
}

#[test]
fn random_and_greedy_battles_end() {
    for scenario in SCENARIOS {
        let game = game(scenario);
        for (seed, seats) in [(1, &[][..]), (2, &[]), (3, &[Seat(0)]), (4, &[Seat(1)]), (5, &[Seat(0), Seat(1)])] {
            let end = play(&game, seats, seed, |_, _| {});
            assert!(game.outcome(&end).is_some());
        }
    }
}
