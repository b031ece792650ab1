//! Lets two players play a scenario against each other and prints what came of it:
//! `cargo run --release -p flagplot-catalog --example measure -- schiffskrieg midway-1942 greedy random 400 1`

use flagplot_catalog::{Catalog, Clock, PlayerKind, tournament};
use std::time::Instant;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [system, scenario, one, two, games, seed] = words.as_slice() else {
        return eprintln!("measure SYSTEM SCENARIO ONE TWO GAMES SEED");
    };
    let catalog = Catalog::built_in();
    let game =
        catalog.system(system).and_then(|system| system.game(scenario, &serde_json::Value::Null)).expect("a scenario");
    let players: [PlayerKind; 2] = [one, two].map(|text| text.parse().expect("a player"));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let begun = Instant::now();
    let play = |seated: &[PlayerKind; 2], chance: &mut flagplot_kernel::Chance| {
        game.contest(seated, Clock::Processor, chance).outcome
    };
    let found =
        tournament(&players, games.parse().expect("a number"), seed.parse().expect("a seed"), cores, play, |_, _| {});
    let m = &found.matches[0];
    println!(
        "{system} {scenario}: {} v {}: {} won, {} drawn, {} lost, {} unfinished; of decided games {:.3} ({:.3} to \
         {:.3}); per game {:.3} ({:.3} to {:.3}); wins by seat {:?}; {:.1} s",
        m.one,
        m.two,
        m.wins,
        m.draws,
        m.losses,
        m.unfinished,
        m.decided[0],
        m.decided[1],
        m.decided[2],
        m.score[0],
        m.score[1],
        m.score[2],
        m.wins_by_seat,
        begun.elapsed().as_secs_f64()
    );
}
