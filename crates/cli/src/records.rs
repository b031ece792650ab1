use crate::{Done, board, file_refusal, proof};
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_desk::{Record, Verdict};
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
    /// Show only the first N entries
    #[arg(long, value_name = "N")]
    step: Option<usize>,
    /// Show only what this seat (1, 2, …) could see; without it, everything
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
            None => {
                let names = |seats: &[Seat]| seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
                match situation.waiting.joining.as_slice() {
                    [] => println!("The game waits for {}.", names(&situation.waiting.seats)),
                    joining => println!("The next roll waits for random numbers from {}.", names(joining)),
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// "1 roll", "2 rolls".
fn rolls(count: usize) -> String {
    format!("{count} {}", if count == 1 { "roll" } else { "rolls" })
}

/// What a verdict says about the dice.
fn dice_in_words(record: &Record, verdict: &Verdict) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(part) = record.header.imported.last() {
        lines.push(format!(
            "Imported after entry {}: the {} before it cannot be verified.",
            part.entries,
            rolls(verdict.rolls_imported)
        ));
    }
    let since = if record.header.imported.is_empty() { "" } else { " since then" };
    let proved = verdict.rolls_proved;
    match verdict.dice {
        "typed" => lines.push("Its dice were typed in by hand: nothing can prove them.".to_owned()),
        "seeded" => lines.push(format!(
            "{}{since}: each follows from its seed, and anyone who knew the seed knew them.",
            rolls(proved)
        )),
        _ if record.secret.is_none() => {
            lines.push("The secret of its dice is not revealed yet: its rolls cannot be proved.".to_owned());
        }
        _ if proved == 0 => lines.push(format!("No dice were rolled{since}.")),
        _ => {
            lines.push(format!("{}{since}: every roll matches the committed secret.", rolls(proved)));
            let seats = |seats: &[Seat]| {
                let numbers: Vec<String> = seats.iter().map(|seat| (u32::from(seat.0) + 1).to_string()).collect();
                format!("Seat{} {}", if seats.len() == 1 { "" } else { "s" }, numbers.join(" and "))
            };
            if verdict.seats_added.is_empty() {
                lines.push("No player added randomness: the program that chose the secret knew every roll.".to_owned());
            } else {
                lines.push(format!(
                    "{} added randomness they had committed to before anything was revealed.",
                    seats(&verdict.seats_added)
                ));
            }
            if !verdict.seats_waived.is_empty() {
                lines.push(format!("{} chose to add nothing to the dice.", seats(&verdict.seats_waived)));
            }
        }
    }
    lines
}

/// Who asked for hints, and when.
fn hints_in_words(record: &Record, verdict: &Verdict) -> Vec<String> {
    let seats = (0u8..).map(Seat).zip(&record.header.seats);
    let told = seats.filter_map(|(seat, name)| {
        let hints: Vec<String> =
            verdict.hints.iter().filter(|(by, _)| *by == seat).map(|(_, at)| (at + 1).to_string()).collect();
        let count = if hints.len() == 1 { "a hint".to_owned() } else { format!("{} hints", hints.len()) };
        (!hints.is_empty()).then(|| format!("{name} asked for {count}, before entry {}.", hints.join(", ")))
    });
    told.collect()
}

/// `flagplot verify FILE`
#[derive(Args)]
pub struct Verify {
    /// The record
    file: PathBuf,
    /// Print JSON
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
        println!("The record is intact and every entry is legal: {} entries.", verdict.entries);
        dice_in_words(&record, &verdict).iter().for_each(|line| println!("{line}"));
        hints_in_words(&record, &verdict).iter().for_each(|line| println!("{line}"));
        match verdict.outcome {
            Some(outcome) => println!("{}", outcome.summary),
            None => println!("The game is not over."),
        }
        Ok(ExitCode::SUCCESS)
    }
}
