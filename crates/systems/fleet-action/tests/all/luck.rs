//! The luck meter: exact means, and nobody's in the long run.

use super::sea_game;
use flagplot_fleet_action::game::FleetGame;
use flagplot_kernel::{AtRandom, ByInstinct, Chance, Game, Policy, Sampler};

/// Games of each battle; set `FLAGPLOT_GAMES` for a longer run.
fn games() -> u64 {
    std::env::var("FLAGPLOT_GAMES").ok().and_then(|number| number.parse().ok()).unwrap_or(6)
}

/// What luck a game had, by side, and how many of its steps were weighed.
fn lucks<P: Policy>(game: &FleetGame, policy: P, seed: u64) -> (Vec<i64>, i64) {
    let mut chance = Chance::seeded(seed);
    let mut sampler = Sampler::new(&mut chance, policy);
    let (mut state, mut all, mut dealt) = (game.setup(), Vec::new(), 0);
    while game.outcome(&state).is_none() {
        let before = state.clone();
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        for luck in game.luck(&before, &state) {
            if luck.expected != 0 || luck.real != 0 {
                all.push(luck.real - luck.expected);
                dealt += luck.real;
            }
        }
    }
    (all, dealt)
}

#[test]
fn luck_is_nobodys_in_the_long_run() {
    let battles = ["river-plate", "savo-island", "samar", "illustrious", "two-decks", "blackett-strait", "i-168"];
    for battle in battles {
        let game = sea_game(battle);
        let mut all: Vec<i64> = Vec::new();
        let mut dealt = 0;
        for seed in 0..games() {
            let (more, harm) =
                if seed % 3 == 0 { lucks(&game, ByInstinct, seed) } else { lucks(&game, AtRandom, seed) };
            all.extend(more);
            dealt += harm;
        }
        let sum: i64 = all.iter().sum();
        // Steps are independent given what came before, so their squares add up.
        let squares: i128 = all.iter().map(|luck| i128::from(*luck) * i128::from(*luck)).sum();
        println!("{battle}: {} steps, {dealt} dealt, {sum} beyond the mean, {squares} squared", all.len());
        assert!(!all.is_empty(), "{battle}: no die was weighed");
        assert!(i128::from(sum) * i128::from(sum) <= 16 * squares, "{battle}: {sum} in {} steps", all.len());
    }
}
