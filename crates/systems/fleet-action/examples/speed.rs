//! Measures whole battles by chance and by instinct: `speed SCENARIO random|greedy GAMES`.

use flagplot_fleet_action::{System, files};
use flagplot_kernel::{AtRandom, ByInstinct, Chance, Game, Policy, Sampler};
use std::time::Instant;

fn play<P: Policy>(game: &impl Game, policy: P, seed: u64) -> u64 {
    let mut chance = Chance::seeded(seed);
    let mut sampler = Sampler::new(&mut chance, policy);
    let mut state = game.setup();
    while game.outcome(&state).is_none() {
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
    }
    sampler.answered
}

fn main() {
    let mut words = std::env::args().skip(1);
    let scenario = words.next().unwrap_or_else(|| "river-plate".into());
    let greedy = words.next().is_some_and(|word| word == "greedy");
    let games: u64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(100);
    let system = System::new(&files()).expect("the data is sound");
    let game = system.battle(&scenario).expect("the scenario is there");
    let start = Instant::now();
    let answered: u64 =
        (0..games).map(|seed| if greedy { play(&game, ByInstinct, seed) } else { play(&game, AtRandom, seed) }).sum();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{scenario}: {:.3} ms a game, {:.2} million dice and choices a second",
        1000.0 * seconds / games as f64,
        answered as f64 / seconds / 1e6
    );
}
