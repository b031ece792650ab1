//! The pars, measured: the mean margin of games between two players who follow their instinct, with its 95 % interval.
//! `cargo run --release -p flagplot-schiffskrieg --example pars -- [games] [scenario]`.

use flagplot_kernel::{ByInstinct, Chance, Game, Sampler};
use flagplot_schiffskrieg::{System, files};

fn main() {
    let mut args = std::env::args().skip(1);
    let games: u64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(2000);
    let only = args.next();
    let system = System::new(&files()).expect("the built-in data is right");
    for info in system.scenarios().into_iter().filter(|info| only.as_ref().is_none_or(|only| *only == info.id)) {
        let game = match system.game(&info.id, &serde_json::Value::Null) {
            Ok(game) => game,
            Err(refusal) => return eprintln!("{refusal}"),
        };
        let (mut sum, mut squares, mut par) = (0i64, 0i64, 0);
        let mut levels = std::collections::BTreeMap::new();
        for at in 0..games {
            let mut chance = Chance::stream(1944, at);
            let mut state = game.setup();
            let mut sampler = Sampler::new(&mut chance, ByInstinct);
            let outcome = loop {
                if let Some(outcome) = game.outcome(&state) {
                    break outcome;
                }
                if game.step(&mut state, &mut sampler).is_err() {
                    return eprintln!("{}: a game stopped", info.id);
                }
            };
            let margin = outcome.points[0] - outcome.points[1];
            sum += margin;
            squares += margin * margin;
            par = outcome.details["par"].as_i64().unwrap_or(0);
            let who = outcome.winner.map_or("draw".to_owned(), |side| format!("{side:?}").to_lowercase());
            *levels.entry(who).or_insert(0u64) += 1;
        }
        let n = games as f64;
        let mean = sum as f64 / n;
        let deviation = ((squares as f64 / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0)).sqrt();
        println!(
            "{}: {games} games, mean {mean:+.2} ± {:.2}, deviation {deviation:.1}; par {par:+}; {levels:?}",
            info.id,
            1.96 * deviation / n.sqrt()
        );
    }
}
