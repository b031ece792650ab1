//! Fits par, margin and decisive of a battle on games of instinct against itself, and counts who wins other games.
//! [C-49]
//!
//! `par SCENARIO [FITTED] [COUNTED] [SEED]`

use flagplot_fleet_action::{System, files};
use flagplot_kernel::{ByInstinct, Chance, Game, Sampler};

/// Points of the first side less those of the second at the end of a game.
fn score(game: &impl Game, seed: u64, number: u64) -> i64 {
    let mut chance = Chance::stream(seed, number);
    let mut sampler = Sampler::new(&mut chance, ByInstinct);
    let mut state = game.setup();
    loop {
        if let Some(outcome) = game.outcome(&state) {
            return outcome.points[0] - outcome.points[1];
        }
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
    }
}

/// The share of some games with its 95% interval (Wilson), in per cent.
fn share(count: usize, of: usize) -> String {
    let (n, p, z) = (of as f64, count as f64 / of as f64, 1.959_964);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    format!("{:.0}% ({:.0}-{:.0})", 100.0 * p, 100.0 * (middle - half), 100.0 * (middle + half))
}

fn shares(scores: &[i64], par: i64, margin: i64) -> String {
    let count = |wins: fn(i64, i64) -> bool| scores.iter().filter(|score| wins(**score - par, margin)).count();
    let of = scores.len();
    format!(
        "a {}, drawn {}, b {}",
        share(count(|lead, margin| lead >= margin), of),
        share(count(|lead, margin| lead.abs() < margin), of),
        share(count(|lead, margin| -lead >= margin), of)
    )
}

fn main() {
    let mut words = std::env::args().skip(1);
    let scenario = words.next().unwrap_or_else(|| "river-plate".into());
    let mut number = |or: u64| words.next().and_then(|word| word.parse().ok()).unwrap_or(or);
    let (fitted, counted, seed) = (number(2000), number(500), number(11));
    let system = System::new(&files()).expect("the data is sound");
    let game = system.battle(&scenario).expect("the scenario is there");
    let mut scores: Vec<i64> = (0..fitted).map(|number| score(&game, seed, number)).collect();
    let others: Vec<i64> = (0..counted).map(|number| score(&game, seed + 1, number)).collect();
    scores.sort_unstable();
    let par = scores[scores.len() / 2];
    let mut leads: Vec<i64> = scores.iter().map(|score| (score - par).abs()).collect();
    leads.sort_unstable();
    // The greatest margin that leaves at most a quarter of the games drawn.
    let margin = leads[leads.len() / 4].max(3);
    let decisive = leads[leads.len() * 5 / 6].max(margin + 1);
    let now = &game.battle.scenario;
    println!("{scenario}: {fitted} games fitted: par {par}, margin {margin}, decisive {decisive}");
    println!("  so  {counted} others: {}", shares(&others, par, margin));
    println!(
        "  now (par {}, margin {}, decisive {}): {}",
        now.par,
        now.margin,
        now.decisive,
        shares(&others, now.par.into(), now.margin.into())
    );
    let mut counts = std::collections::BTreeMap::new();
    for score in &scores {
        *counts.entry(*score).or_insert(0_usize) += 1;
    }
    let mut common: Vec<_> = counts.into_iter().filter(|(_, count)| count * 20 > scores.len()).collect();
    common.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    println!("  most common: {common:?}");
}
