//! How fast games are played out on one core: `cargo run --release -p flagplot-schiffskrieg --example playouts --
//! [scenario] [random|instinct] [games]`.

use flagplot_kernel::{AtRandom, ByInstinct, Chance, Game, Policy, Sampler};
use flagplot_schiffskrieg::game::Schiffskrieg;
use flagplot_schiffskrieg::{System, files};
use std::time::Instant;

fn play(game: &Schiffskrieg, policy: impl Policy + Copy, games: u64) -> (u64, u64) {
    let (mut answered, mut steps) = (0, 0);
    let mut chance = Chance::seeded(1);
    for _ in 0..games {
        let mut state = game.setup();
        let mut sampler = Sampler::new(&mut chance, policy);
        while game.outcome(&state).is_none() && game.step(&mut state, &mut sampler).is_ok() {
            steps += 1;
        }
        answered += sampler.answered;
    }
    (answered, steps)
}

fn main() {
    let mut args = std::env::args().skip(1);
    let scenario = args.next().unwrap_or_else(|| "midway-1942".into());
    let player = args.next().unwrap_or_else(|| "random".into());
    let games: u64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(200_000);
    let system = System::new(&files()).expect("the built-in data is right");
    let game = match system.game(&scenario, &serde_json::Value::Null) {
        Ok(game) => game,
        Err(refusal) => return eprintln!("{refusal}"),
    };
    let start = Instant::now();
    let (answered, steps) =
        if player == "instinct" { play(&game, ByInstinct, games) } else { play(&game, AtRandom, games) };
    let nanos = start.elapsed().as_nanos().max(1);
    // On a busy machine the time on the processor says more than the clock on the wall; Linux tells it.
    let on_core = std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<u128>().ok());
    let per_second = |n: u64| u128::from(n) * 1_000_000_000 / nanos;
    println!(
        "{scenario}, {player}: {games} games, {answered} dice and choices, {steps} steps in {} ms",
        nanos / 1_000_000
    );
    println!("{} dice and choices a second, {} games a second", per_second(answered), per_second(games));
    if let Some(nanos) = on_core {
        println!(
            "{} dice and choices for each second on the processor",
            u128::from(answered) * 1_000_000_000 / nanos.max(1)
        );
    }
}
