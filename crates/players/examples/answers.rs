//! How long a player takes for its answers, and what they are worth beside those of instinct:
//! `cargo run --release -p flagplot-players --example answers -- schiffskrieg midway-1942 officer 4 1 0`
//!
//! The player plays games against `greedy`, in either seat by turns. With a number of pairs above 0 every answer that
//! is not instinct's is played out against it in so many pairs of games.

use flagplot_kernel::{Chance, Game};
use flagplot_players::{PlayerKind, compare, contest_by, think};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Tally {
    times: Vec<Duration>,
    changed: u32,
    /// What the changed answers gained in winning, with the sum of squared errors.
    gain: f64,
    squares: f64,
}

impl Tally {
    fn line(&mut self, name: &str) {
        self.times.sort();
        let at = |share: usize| {
            self.times
                .get((self.times.len() * share / 100).min(self.times.len().saturating_sub(1)))
                .copied()
                .unwrap_or_default()
                .as_secs_f64()
                * 1e3
        };
        println!(
            "{name}: {} answers; median {:.0} ms, 99% within {:.0} ms, longest {:.0} ms; {} unlike instinct, together \
             {:+.3} wins (error {:.3})",
            self.times.len(),
            at(50),
            at(99),
            at(100),
            self.changed,
            self.gain,
            self.squares.sqrt()
        );
    }
}

fn run<G: Game>(game: &G, kind: PlayerKind, games: u64, seed: u64, pairs: u32) {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for number in 0..games {
        let mut chance = Chance::stream(seed, number / 2);
        let played = contest_by(game, &mut chance, |knowledge, asked, mind| {
            let think = |kind, mind: &mut Chance| {
                think(game, knowledge.view(), knowledge.answers(), knowledge.seat(), kind, mind)
            };
            if u64::from(asked.seat.0) % 2 != number % 2 {
                return think(PlayerKind::Greedy, mind);
            }
            let begun = Instant::now();
            let thought = think(kind, mind)?;
            let time = begun.elapsed();
            let tally = tallies.entry(asked.prompt.code.to_owned()).or_default();
            tally.times.push(time);
            let instinct = think(PlayerKind::Greedy, mind)?;
            if instinct.value != thought.value {
                tally.changed += 1;
                if pairs > 0 {
                    let found = compare(knowledge, &thought.value, &instinct.value, pairs, mind);
                    tally.gain += found.difference;
                    tally.squares += found.error.powi(2);
                    println!(
                        "  {number} {}: {:+.3} ({:.3}) {}",
                        asked.prompt.code, found.difference, found.error, thought.method
                    );
                }
            }
            Some(thought)
        });
        if played.outcome.is_none() {
            println!("game {number} did not end");
        }
    }
    let mut all = Tally::default();
    for (code, tally) in &mut tallies {
        tally.line(code);
        all.times.append(&mut tally.times);
        all.changed += tally.changed;
        all.gain += tally.gain;
        all.squares += tally.squares;
    }
    all.line("all");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [system, scenario, kind, games, seed, pairs] = words.as_slice() else {
        return eprintln!("answers SYSTEM SCENARIO PLAYER GAMES SEED PAIRS");
    };
    let kind: PlayerKind = kind.parse().expect("a player");
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let (games, seed, pairs) = (number(games), number(seed), number(pairs) as u32);
    let options = serde_json::Value::Null;
    macro_rules! run_in {
        ($system:ident) => {{
            let system = $system::System::new(&$system::files()).expect("the data is sound");
            run(&system.game(scenario, &options).expect("a scenario"), kind, games, seed, pairs);
        }};
    }
    match system.as_str() {
        "carrier-strike" => run_in!(flagplot_carrier_strike),
        "dogfite" => run_in!(flagplot_dogfite),
        "fleet-action" => run_in!(flagplot_fleet_action),
        "schiffskrieg" => run_in!(flagplot_schiffskrieg),
        "world-at-war" => run_in!(flagplot_world_at_war),
        _ => eprintln!("There is no system '{system}'."),
    }
}
