use crate::{Done, board, file_refusal, proof};
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_desk::Record;
use flagplot_kernel::{Refusal, Seat, Viewer};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Reads a record from a file.
pub fn read(path: &Path) -> Result<Record, Refusal> {
    let bytes = std::fs::read(path).map_err(|error| file_refusal("cannot-read", path, &error))?;
    Record::parse(&bytes)
}

/// `flagplot replay FILE`
#[derive(Args)]
pub struct Replay {
    /// The record
    file: PathBuf,
    /// Only its first N entries
    #[arg(long, value_name = "N")]
    step: Option<usize>,
    /// With the eyes of this seat (1, 2, …); without it everything is shown
    #[arg(long, value_name = "S")]
    seat: Option<u8>,
    /// Unfold every proof
    #[arg(long)]
    proofs: bool,
}

impl Replay {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let record = read(&self.file)?;
        let desk = record.replay(catalog, self.step)?;
        let viewer = match self.seat {
            None => Viewer::Everything,
            Some(seat) if seat >= 1 && usize::from(seat) <= record.header.seats.len() => Viewer::Seat(Seat(seat - 1)),
            Some(seat) => {
                return Err(Refusal::new(
                    "unknown-seat",
                    format!("There is no seat {seat}; this game has {}.", record.header.seats.len()),
                ));
            }
        };
        println!(
            "{} {} (edition {}), {} of {} entries; seats: {}",
            record.header.system,
            record.header.scenario,
            record.header.edition,
            desk.entries().len(),
            record.entries.len(),
            record.header.seats.join(", ")
        );
        let charts = catalog.system(&record.header.system)?.charts();
        for entry in desk.log(viewer, 0) {
            if self.proofs {
                println!("{}.", entry.number);
                proof::unfold(&entry.note, "  ", &charts).into_iter().for_each(|line| println!("{line}"));
            } else if !entry.note.detail {
                println!("{:4}. {}", entry.number, entry.note.text);
            }
        }
        let situation = desk.situation(viewer);
        println!("\n{}", board::draw(&situation.scene));
        match situation.outcome {
            Some(outcome) => println!("{}", outcome.summary),
            None => println!(
                "The game waits for {}.",
                situation.waiting.seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
            ),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// `flagplot verify FILE`
#[derive(Args)]
pub struct Verify {
    /// The record
    file: PathBuf,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let record = read(&self.file)?;
        let verdict = record.verify(catalog)?;
        if self.json {
            println!("{}", serde_json::to_string(&verdict).expect("a verdict is JSON"));
            return Ok(ExitCode::SUCCESS);
        }
        println!("The record is whole and every entry is legal: {} entries.", verdict.entries);
        match verdict.dice {
            "typed" => println!("Its dice were typed in by hand: nothing can prove them."),
            "seeded" => {
                println!("All {} rolls follow from its seed; whoever knew the seed knew them.", verdict.rolls_proved)
            }
            _ if verdict.rolls_proved == 0 => {
                println!("The secret of its dice is not revealed yet: its rolls cannot be proved.")
            }
            _ => println!("All {} rolls follow from the secret that was committed to.", verdict.rolls_proved),
        }
        match verdict.outcome {
            Some(outcome) => println!("{}", outcome.summary),
            None => println!("The game is not over."),
        }
        Ok(ExitCode::SUCCESS)
    }
}
