use crate::{Done, fresh};
use clap::Args;
use flagplot_catalog::{AnyGame, Catalog, Clock, PlayerKind};
use flagplot_kernel::{Chance, Outcome, Refusal, Side};
use flagplot_players::{Playout, side_by_side};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::Value;
use std::process::ExitCode;
use std::str::FromStr;

/// `flagplot simulate SYSTEM SCENARIO`
#[derive(Args)]
pub struct Simulate {
    /// The system
    system: String,
    /// The scenario
    scenario: String,
    /// How many games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// The players of the seats in order, comma-separated: random, greedy, recruit, officer, admiral, search:50ms,
    /// search:2000. Those who think ahead take their time for every answer of every game
    #[arg(long, default_value = "greedy,greedy")]
    players: String,
    /// The seed; a new one each time by default
    #[arg(long)]
    seed: Option<u64>,
    /// Options of the scenario, as JSON
    #[arg(long)]
    options: Option<String>,
    /// Print one line of JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print one line of CSV for each game
    #[arg(long)]
    csv: bool,
}

/// What a game came to.
struct Played {
    outcome: Outcome,
    steps: u32,
    answered: u64,
}

/// A share with its 95% interval (Wilson).
#[derive(Serialize)]
pub struct Share {
    /// How often.
    pub count: u64,
    /// Of all.
    pub share: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Share {
    pub fn new(count: u64, of: u64) -> Self {
        if of == 0 {
            return Self { count, share: 0.0, low: 0.0, high: 1.0 };
        }
        let [share, low, high] =
            flagplot_players::wilson(u32::try_from(count).unwrap_or(u32::MAX), u32::try_from(of).unwrap_or(u32::MAX));
        Self { count, share, low, high }
    }

    fn text(&self) -> String {
        format!(
            "{:5.1}%  ({:.1}% to {:.1}%, {} games)",
            self.share * 100.0,
            self.low * 100.0,
            self.high * 100.0,
            self.count
        )
    }
}

/// A mean with its 95% interval.
#[derive(Serialize)]
struct Mean {
    mean: f64,
    low: f64,
    high: f64,
}

impl Mean {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let n = values.clone().count().max(1) as f64;
        let mean = values.clone().sum::<f64>() / n;
        let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        let half = 1.959_964 * (variance / n).sqrt();
        Self { mean, low: mean - half, high: mean + half }
    }

    fn text(&self) -> String {
        format!("{:.2}  ({:.2} to {:.2})", self.mean, self.low, self.high)
    }
}

#[derive(Serialize)]
struct Report {
    system: String,
    scenario: String,
    edition: String,
    players: Vec<String>,
    games: u64,
    seed: String,
    first: Share,
    second: Share,
    drawn: Share,
    levels: Vec<(String, Share)>,
    points: [Mean; 2],
    margin: Mean,
    steps: Mean,
    answers: Mean,
}

impl Simulate {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let options = match &self.options {
            None => Value::Null,
            Some(text) => serde_json::from_str(text)
                .map_err(|error| Refusal::new("bad-json", format!("--options is not JSON: {error}.")))?,
        };
        let game = catalog.system(&self.system)?.game(&self.scenario, &options)?;
        let seats = game.seats();
        let mut players: Vec<PlayerKind> =
            self.players.split(',').map(|name| PlayerKind::from_str(name.trim())).collect::<Result<_, _>>()?;
        if players.len() == 2 && seats.len() > 2 {
            // Two names stand for the two sides.
            players = seats.iter().map(|seat| players[seat.side.index()]).collect();
        }
        if players.len() != seats.len() {
            return Err(Refusal::new(
                "wrong-players",
                format!("This game has {} seats; {} players are named.", seats.len(), players.len()),
            ));
        }
        let seed = self.seed.unwrap_or_else(fresh::seed);
        let played = self.play(game.as_ref(), &players, seed)?;
        if self.csv {
            println!("game,winner,level,points_first,points_second,steps,answers");
            for (number, game) in played.iter().enumerate() {
                let winner =
                    game.outcome.winner.map_or("none", |side| if side == Side::First { "first" } else { "second" });
                println!(
                    "{},{winner},{},{},{},{},{}",
                    number + 1,
                    game.outcome.level,
                    game.outcome.points[0],
                    game.outcome.points[1],
                    game.steps,
                    game.answered
                );
            }
            return Ok(ExitCode::SUCCESS);
        }
        let won = |side: Option<Side>| {
            Share::new(played.iter().filter(|game| game.outcome.winner == side).count() as u64, self.games)
        };
        let mut levels: Vec<String> = played.iter().map(|game| game.outcome.level.clone()).collect();
        levels.sort();
        levels.dedup();
        let level = |name: String| {
            let share = Share::new(played.iter().filter(|game| game.outcome.level == name).count() as u64, self.games);
            (name, share)
        };
        let points = |side: usize| Mean::of(played.iter().map(move |game| game.outcome.points[side] as f64));
        let report = Report {
            system: self.system.clone(),
            scenario: self.scenario.clone(),
            edition: catalog.edition(&self.system)?,
            players: players.iter().map(ToString::to_string).collect(),
            games: self.games,
            seed: seed.to_string(),
            first: won(Some(Side::First)),
            second: won(Some(Side::Second)),
            drawn: won(None),
            levels: levels.into_iter().map(level).collect(),
            points: [points(0), points(1)],
            margin: Mean::of(played.iter().map(|game| (game.outcome.points[0] - game.outcome.points[1]) as f64)),
            steps: Mean::of(played.iter().map(|game| f64::from(game.steps))),
            answers: Mean::of(played.iter().map(|game| game.answered as f64)),
        };
        if self.json {
            println!("{}", serde_json::to_string(&report).expect("a report is JSON"));
            return Ok(ExitCode::SUCCESS);
        }
        let name = |side: Side| {
            seats
                .iter()
                .zip(&report.players)
                .find(|(seat, _)| seat.side == side)
                .map_or(String::new(), |(seat, player)| format!("{} ({player})", seat.name))
        };
        println!("{} {}: {} games, seed {seed}, 95% intervals", self.system, self.scenario, self.games);
        println!("  {:30} wins {}", name(Side::First), report.first.text());
        println!("  {:30} wins {}", name(Side::Second), report.second.text());
        println!("  {:30}      {}", "drawn", report.drawn.text());
        for (level, share) in &report.levels {
            println!("    level {level:12} {}", share.text());
        }
        println!("  points        {}  against  {}", report.points[0].text(), report.points[1].text());
        println!("  margin        {}", report.margin.text());
        println!("  steps         {}", report.steps.text());
        println!("  dice, choices {}", report.answers.text());
        if let Some(player) = players.iter().find(|player| !player.repeats()) {
            println!(
                "  {player} searches by the clock, so a seed does not repeat its games. Use search:1000 for that."
            );
        }
        Ok(ExitCode::SUCCESS)
    }

    /// All games on all cores; game number n follows from the seed and n alone, unless a player thinks by the clock.
    fn play(&self, game: &dyn AnyGame, players: &[PlayerKind], seed: u64) -> Result<Vec<Played>, Refusal> {
        let bar = ProgressBar::new(self.games);
        bar.set_style(
            ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let played = side_by_side(self.games, cores, |number| -> Result<Played, Refusal> {
            let chance = &mut Chance::stream(seed, number);
            // A player who thinks ahead answers from what his seat knows, as at a desk.
            let played = if players.iter().any(|player| player.budget().is_some()) {
                game.contest(players, Clock::Processor, chance)
            } else {
                game.playout(players, chance)
            };
            bar.inc(1);
            let Playout { outcome, steps, answered, .. } = played;
            let outcome = outcome.ok_or_else(|| {
                let limit = game.step_limit();
                let text = format!("Game {} of seed {seed} did not end within {limit} steps.", number + 1);
                Refusal::new("endless-game", text)
            })?;
            Ok(Played { outcome, steps, answered })
        });
        bar.finish_and_clear();
        played.into_iter().collect()
    }
}
