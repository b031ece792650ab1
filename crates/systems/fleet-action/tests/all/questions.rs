//! How often a player is asked in a turn. [section 19]

use super::sea_game;
use flagplot_kernel::{Chance, Choice, Game, Policy, Sampler};

/// Instinct that counts the questions to each side.
#[derive(Default)]
struct Counting {
    asked: [u32; 2],
}

impl Policy for Counting {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        self.asked[choice.seat().side().index()] += 1;
        choice.instinct(chance)
    }
}

/// Questions to each side and turns, over whole games of instinct against itself.
fn counted(battle: &str, games: u64) -> ([u32; 2], u32) {
    let game = sea_game(battle);
    let (mut asked, mut turns) = ([0; 2], 0);
    for seed in 1..=games {
        let mut chance = Chance::seeded(seed);
        let mut sampler = Sampler::new(&mut chance, Counting::default());
        let mut state = game.setup();
        while game.outcome(&state).is_none() {
            game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        }
        turns += u32::try_from(state.sea.turn).expect("a turn");
        for (all, more) in asked.iter_mut().zip(sampler.policy.asked) {
            *all += more;
        }
    }
    (asked, turns)
}

#[test]
fn a_player_is_asked_few_questions_in_a_turn() {
    for (battle, games, most) in [("river-plate", 12, 8), ("samar", 4, 14)] {
        let (asked, turns) = counted(battle, games);
        for (side, asked) in asked.into_iter().enumerate() {
            let mean = f64::from(asked) / f64::from(turns);
            println!("{battle}, side {side}: {mean:.1} questions a turn");
            assert!(asked >= turns, "{battle}: side {side} is asked {asked} questions in {turns} turns");
            assert!(asked <= most * turns, "{battle}: side {side} is asked {mean:.1} questions a turn");
        }
    }
}
