use crate::{Done, file_refusal, fresh};
use clap::Args;
use flagplot_catalog::{Catalog, Clock, PlayerKind};
use flagplot_kernel::{Refusal, Side};
use flagplot_players::tournament;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

/// `flagplot tournament SYSTEM SCENARIO`
#[derive(Args)]
pub struct Tournament {
    /// The system
    system: String,
    /// The scenario
    scenario: String,
    /// The players, comma-separated: random, greedy, search:50ms, search:2000, recruit, officer, admiral
    #[arg(long, default_value = "greedy,random")]
    players: String,
    /// Games for each pair of players; every seed is played twice, with the seats exchanged. Times are processor time
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// The seed; a new one each time by default
    #[arg(long)]
    seed: Option<u64>,
    /// Options of the scenario, as JSON
    #[arg(long)]
    options: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the ratings with their intervals
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Tournament {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let options = match &self.options {
            None => Value::Null,
            Some(text) => serde_json::from_str(text)
                .map_err(|error| Refusal::new("bad-json", format!("--options is not JSON: {error}.")))?,
        };
        let game = catalog.system(&self.system)?.game(&self.scenario, &options)?;
        let players: Vec<PlayerKind> =
            self.players.split(',').map(|name| PlayerKind::from_str(name.trim())).collect::<Result<_, _>>()?;
        if players.len() < 2 {
            return Err(Refusal::new("wrong-players", "A tournament needs two players or more."));
        }
        if let Some((_, twice)) =
            players.iter().enumerate().find(|&(at, player)| player.repeats() && players[..at].contains(player))
        {
            let (system, scenario) = (&self.system, &self.scenario);
            let text =
                format!("{twice} is named twice. It is deterministic, so both games of a seed would be identical.");
            return Err(Refusal::new("wrong-players", text).remedy(format!(
                "Use flagplot simulate {system} {scenario} --players {twice},{twice}, which plays each game once."
            )));
        }
        let seats = game.seats();
        let bar = ProgressBar::new(1);
        bar.set_style(
            ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let seed = self.seed.unwrap_or_else(fresh::seed);
        let result = tournament(
            &players,
            self.games,
            seed,
            cores,
            |sides, chance| {
                game.contest(
                    &seats.iter().map(|seat| sides[seat.side.index()]).collect::<Vec<_>>(),
                    Clock::Processor,
                    chance,
                )
                .outcome
            },
            |done, of| {
                bar.set_length(of as u64);
                bar.set_position(done as u64);
            },
        );
        bar.finish_and_clear();
        if let Some(path) = &self.svg {
            std::fs::write(path, result.to_svg()).map_err(|error| file_refusal("cannot-write", path, &error))?;
        }
        if self.json {
            println!("{}", serde_json::to_string(&result).expect("a tournament is JSON"));
            return Ok(ExitCode::SUCCESS);
        }
        println!(
            "{} {}: {} games for each pair of players, seed {seed}, 95% intervals",
            self.system, self.scenario, result.games
        );
        for rating in &result.ratings {
            println!(
                "  {:16} {:+7.0}  ({:+.0} to {:+.0})",
                rating.player.to_string(),
                rating.rating,
                rating.interval[0],
                rating.interval[1]
            );
        }
        for pair in &result.matches {
            println!(
                "  {} against {}: {} won, {} drawn, {} lost; of decided games {:.1}% ({:.1}% to {:.1}%), points per \
                 game {:.3} ({:.3} to {:.3})",
                pair.one,
                pair.two,
                pair.wins,
                pair.draws,
                pair.losses,
                pair.decided[0] * 100.0,
                pair.decided[1] * 100.0,
                pair.decided[2] * 100.0,
                pair.score[0],
                pair.score[1],
                pair.score[2]
            );
            let name = |side: Side| seats.iter().find(|seat| seat.side == side).map_or("", |seat| seat.name.as_str());
            println!(
                "    by side: {} won {}, {} won {}",
                name(Side::First),
                pair.wins_by_side[0],
                name(Side::Second),
                pair.wins_by_side[1]
            );
        }
        println!("  {}", result.method);
        Ok(ExitCode::SUCCESS)
    }
}
