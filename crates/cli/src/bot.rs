use crate::{Done, file_refusal, fresh, play};
use clap::Args;
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource, play_bot};
use flagplot_kernel::{Refusal, Seat};
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

/// `flagplot bot SYSTEM SCENARIO`
#[derive(Args)]
pub struct Bot {
    /// The system
    system: String,
    /// The scenario
    scenario: String,
    /// The seat the bot plays: 1, 2, …
    #[arg(long, default_value_t = 1)]
    seat: u8,
    /// Who plays the other seats
    #[arg(long, default_value = "greedy")]
    against: String,
    /// Dice and computer players from this number, to repeat a game; fair dice without it
    #[arg(long)]
    seed: Option<u64>,
    /// Options of the scenario, as JSON
    #[arg(long)]
    options: Option<String>,
    /// Write the record here when the game is over
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl Bot {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let options = match &self.options {
            None => Value::Null,
            Some(text) => serde_json::from_str(text)
                .map_err(|error| Refusal::new("bad-json", format!("--options is not JSON: {error}.")))?,
        };
        let kind = PlayerKind::from_str(&self.against)?;
        let kind = if self.seed.is_some() { kind.repeatable() } else { kind };
        let chairs = catalog.system(&self.system)?.game(&self.scenario, &options)?.seats().len();
        let seat = self.seat.checked_sub(1).filter(|seat| usize::from(*seat) < chairs).map(Seat);
        let seat = seat.ok_or_else(|| {
            Refusal::new("unknown-seat", format!("There is no seat {}; this game has {chairs}.", self.seat))
        })?;
        let names = (0..chairs)
            .map(|at| if at == usize::from(seat.0) { "bot".to_owned() } else { format!("computer: {kind}") })
            .collect();
        let dice = self.seed.map_or_else(
            || DiceSource::committed((0..chairs).map(|_| format!("{:016x}", fresh::seed())).collect()),
            DiceSource::Seeded,
        );
        let mut desk = Desk::open(catalog, &self.system, &self.scenario, options, names, dice)?;
        let minds = self.seed.unwrap_or_else(fresh::seed);
        let ended = play_bot(
            &mut desk,
            seat,
            |desk, seat| play::thought(desk, seat, kind, minds),
            std::io::stdin().lock(),
            std::io::stdout().lock(),
        );
        if let Some(path) = &self.record {
            std::fs::write(path, desk.record(true).to_text())
                .map_err(|error| file_refusal("cannot-write", path, &error))?;
        }
        ended.map_err(|error| Refusal::new("bot-stopped", error.to_string()))?;
        Ok(ExitCode::SUCCESS)
    }
}
