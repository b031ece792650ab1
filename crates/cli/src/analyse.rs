use crate::records::read;
use crate::{Done, fresh};
use clap::Args;
use flagplot_catalog::{Budget, Catalog};
use flagplot_desk::{LuckSettings, SeatAnalysis, analyse};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

/// `flagplot analyse FILE`
#[derive(Args)]
pub struct Analyse {
    /// The record
    file: PathBuf,
    /// Games played out from each position around a roll, on average; as many pairs compare two answers
    #[arg(long, default_value_t = 400)]
    games: u32,
    /// How long each choice is thought about again: 200ms, or a number of imagined games
    #[arg(long, default_value = "1000")]
    budget: String,
    /// The seed; the figures repeat with it
    #[arg(long)]
    seed: Option<u64>,
    /// Print JSON, with the curve
    #[arg(long)]
    json: bool,
}

impl Analyse {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let record = read(&self.file)?;
        let settings = LuckSettings {
            games: self.games.clamp(1, 1_000_000),
            pairs: self.games.clamp(1, 1_000_000),
            budget: Budget::from_str(&self.budget)?,
            seed: self.seed.unwrap_or_else(fresh::seed),
            ..LuckSettings::default()
        };
        let bar = ProgressBar::new(1);
        bar.set_style(
            ProgressStyle::with_template("{bar:40} {pos}/{len}, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let analysis = analyse(catalog, &record, &settings, |done, of| {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
        })?;
        bar.finish_and_clear();
        if self.json {
            println!("{}", serde_json::to_string(&analysis).expect("an analysis is JSON"));
            return Ok(ExitCode::SUCCESS);
        }
        for seat in &analysis.seats {
            show(seat);
        }
        println!("\n{}", analysis.method);
        Ok(ExitCode::SUCCESS)
    }
}

/// Percentage points with their standard error.
fn points(value: f64, error: f64) -> String {
    format!("{:+5.1} ± {:.1}", value * 100.0, error * 100.0)
}

fn show(seat: &SeatAnalysis) {
    println!(
        "\n{}: dice {} percentage points, lost by own choices {}",
        seat.name,
        points(seat.luck[0], seat.luck[1]),
        points(seat.loss[0], seat.loss[1])
    );
    println!("  chance to win through the game: {}", curve(seat));
    let mut rolls: Vec<_> = seat.rolls.iter().collect();
    rolls.sort_by(|a, b| b.luck.abs().total_cmp(&a.luck.abs()));
    println!("  the rolls that mattered most:");
    for roll in rolls.iter().take(6) {
        println!("    {}  entry {:4}  {:?}  {}", points(roll.luck, roll.error), roll.at, roll.faces, roll.what);
    }
    let mut choices: Vec<_> = seat.choices.iter().filter(|choice| choice.loss > 0.0).collect();
    choices.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    println!("  the choices that cost most:");
    for choice in choices.iter().take(6) {
        println!(
            "    {}  entry {:4}  {}: better was {}",
            points(choice.loss, choice.error),
            choice.at,
            choice.question,
            choice.best_label
        );
    }
    if choices.is_empty() {
        println!("    none that is clearly worse than the best");
    }
}

/// The curve in a line of blocks.
fn curve(seat: &SeatAnalysis) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let step = seat.curve.len().div_ceil(70).max(1);
    let blocks: String =
        seat.curve.iter().step_by(step).map(|point| BLOCKS[((point.value * 7.999) as usize).min(7)]).collect();
    seat.curve.first().zip(seat.curve.last()).map_or(String::new(), |(first, last)| {
        format!("{:.0}% {blocks} {:.0}%", first.value * 100.0, last.value * 100.0)
    })
}
