use crate::fields::Person;
use crate::records::read;
use crate::wrap::say;
use crate::{Done, board, file_refusal, fresh};
use clap::{Args, Subcommand};
use flagplot_catalog::Catalog;
use flagplot_desk::puzzle::{CHECK_SEED, Collection, Difficulty, Mine, Posed, Puzzle, from_record, percent};
use flagplot_kernel::{Chance, Refusal, Viewer};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// `flagplot puzzles [SYSTEM] [NUMBER]`
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Puzzles {
    /// The system; without it the puzzles are counted
    system: Option<String>,
    /// Which of its puzzles; the easy ones come first
    number: Option<usize>,
    /// The puzzle of the day
    #[arg(long, conflicts_with_all = ["system", "check"])]
    today: bool,
    /// Prove every stored puzzle again, or those of the system
    #[arg(long, conflicts_with = "number")]
    check: bool,
    /// The seed for --check
    #[arg(long, requires = "check", default_value_t = CHECK_SEED)]
    seed: u64,
    /// A file of puzzles, in place of those in the program
    #[arg(long, value_name = "FILE", conflicts_with = "today")]
    file: Option<PathBuf>,
    /// Write the puzzles that still hold to a file, with their figures under the present rules
    #[arg(long, value_name = "FILE", requires_all = ["check", "file"])]
    keep: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Find new puzzles in simulated games or in a record
    Mine(Dig),
}

/// `flagplot puzzles mine SYSTEM`
#[derive(Args)]
struct Dig {
    /// The system
    system: String,
    /// The scenarios; all of them by default
    scenarios: Vec<String>,
    /// How many puzzles
    #[arg(long, default_value_t = 10)]
    count: usize,
    /// How many puzzles from one game, at most
    #[arg(long, default_value_t = 3)]
    per_game: usize,
    /// The share of puzzles whose best answer may be the obvious one
    #[arg(long, default_value_t = 0.6)]
    obvious: f64,
    /// The share of each game that is left out at its beginning
    #[arg(long, default_value_t = 0.0)]
    late: f64,
    /// Look at answers that both sides give in secret too
    #[arg(long)]
    secret: bool,
    /// How long to look, in minutes
    #[arg(long, default_value_t = 60)]
    minutes: u32,
    /// The seed; a new one each time by default
    #[arg(long)]
    seed: Option<u64>,
    /// A record of a finished game to look in, in place of simulated games
    #[arg(long, value_name = "FILE", conflicts_with = "scenarios")]
    record: Option<PathBuf>,
    /// The file to write; puzzles that it holds already are kept
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// How many of the latest lines of the log are shown.
const LOG: usize = 6;

fn load(path: &Path) -> Result<Collection, Refusal> {
    let text = std::fs::read_to_string(path).map_err(|error| file_refusal("cannot-read", path, &error))?;
    Collection::parse(&text)
}

fn write(path: &Path, collection: &Collection) -> Result<(), Refusal> {
    std::fs::write(path, collection.written()).map_err(|error| file_refusal("cannot-write", path, &error))
}

fn bar(length: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}");
    ProgressBar::new(length as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

impl Puzzles {
    pub fn run(&self, catalog: &Catalog) -> Done {
        if let Some(Command::Mine(dig)) = &self.command {
            return dig.run(catalog);
        }
        let own = match &self.file {
            None => None,
            Some(path) => Some(load(path)?),
        };
        let wanted = |one: &&Collection| self.system.as_ref().is_none_or(|system| one.system == *system);
        let collections: Vec<&Collection> = match (&own, &self.system) {
            (Some(own), _) => vec![own].into_iter().filter(wanted).collect(),
            (None, Some(system)) => vec![Collection::of(system)?],
            (None, None) => Collection::all().collect::<Result<_, _>>()?,
        };
        if self.check {
            return self.check(catalog, &collections);
        }
        if self.today {
            let day = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
            return solve(catalog, Puzzle::of_day(day)?);
        }
        match (self.number, self.system.is_some(), collections.first()) {
            (Some(number), _, Some(collection)) => solve(catalog, collection.puzzle(number)?),
            (None, true, Some(collection)) => list(catalog, collection),
            _ => overview(catalog, &collections),
        }
    }

    fn check(&self, catalog: &Catalog, collections: &[&Collection]) -> Done {
        let mut faults = 0;
        for collection in collections {
            let begun = Instant::now();
            let bar = bar(collection.len()).with_message(collection.system.clone());
            let mut kept = Vec::new();
            let mut broken: Vec<Refusal> = Vec::new();
            for puzzle in collection.puzzles() {
                let proved = puzzle.pose(catalog).and_then(|posed| {
                    puzzle.prove(&posed, self.seed)?;
                    Ok(posed)
                });
                match proved {
                    Ok(posed) if self.keep.is_some() => kept.extend(puzzle.renewed(&posed)),
                    Ok(_) => {}
                    Err(refusal) => {
                        bar.suspend(|| eprintln!("{}: {refusal} ({})", collection.system, refusal.code));
                        broken.push(refusal);
                    }
                }
                bar.inc(1);
            }
            bar.finish_and_clear();
            let held = collection.len() - broken.len();
            println!(
                "{}: {held} of {} proved again in {:.0} s.",
                collection.system,
                counted(collection.len(), "puzzle"),
                begun.elapsed().as_secs_f64()
            );
            if collection.edition != catalog.edition(&collection.system)? {
                println!("  They were found under another edition of the rules.");
            }
            if let Some(path) = &self.keep {
                let mut renewed = Collection::empty(catalog, &collection.system)?;
                for source in &collection.sources {
                    let own =
                        |one: &&flagplot_desk::puzzle::Position| source.puzzles.iter().any(|old| old.id == one.id);
                    let puzzles = kept.iter().filter(own).cloned().collect();
                    renewed.add(flagplot_desk::puzzle::Source { puzzles, ..source.clone() });
                }
                renewed.retain(|_| true);
                write(path, &renewed)?;
                println!("  {} written to {}.", counted(renewed.len(), "puzzle"), path.display());
            }
            faults += broken.len();
        }
        Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

impl Dig {
    fn run(&self, catalog: &Catalog) -> Done {
        let seed = self.seed.unwrap_or_else(fresh::seed);
        let known = if self.out.exists() { load(&self.out)? } else { Collection::empty(catalog, &self.system)? };
        if known.system != self.system {
            let why = format!("{} holds puzzles of {}, not of {}.", self.out.display(), known.system, self.system);
            return Err(Refusal::new("wrong-system", why));
        }
        let mut mine = Mine::new(catalog, known, &self.scenarios, self.count, seed)?;
        (mine.per_game, mine.obvious_share) = (self.per_game, self.obvious);
        (mine.late, mine.secret) = (self.late, self.secret);
        let bar = bar(self.count);
        if let Some(path) = &self.record {
            let record = read(path)?;
            if record.header.system != self.system {
                let why = format!("The record is of {}, not of {}.", record.header.system, self.system);
                return Err(Refusal::new("wrong-system", why));
            }
            mine.search(from_record(&record), &mut Chance::seeded(seed))?;
        } else {
            let end = Instant::now() + Duration::from_secs(60 * u64::from(self.minutes));
            while !mine.done() && Instant::now() < end {
                if mine.dig()? > 0 {
                    bar.set_position(mine.collection.len() as u64);
                    write(&self.out, &mine.collection)?;
                }
            }
        }
        bar.finish_and_clear();
        write(&self.out, &mine.collection)?;
        println!("{} written to {}.", counted(mine.collection.len(), "puzzle"), self.out.display());
        Ok(ExitCode::SUCCESS)
    }
}

fn word(difficulty: Difficulty) -> &'static str {
    match difficulty {
        Difficulty::Easy => "easy",
        Difficulty::Medium => "medium",
        Difficulty::Hard => "hard",
    }
}

fn overview(catalog: &Catalog, collections: &[&Collection]) -> Done {
    say!("Positions from real games in which one answer is clearly the best. Find it.\n");
    for collection in collections {
        let title = catalog.system(&collection.system)?.title();
        let mut hard: BTreeMap<Difficulty, usize> = BTreeMap::new();
        collection.puzzles().for_each(|one| *hard.entry(one.position.difficulty()).or_default() += 1);
        let hard: Vec<String> = hard.into_iter().map(|(one, count)| format!("{count} {}", word(one))).collect();
        let count = counted(collection.len(), "puzzle");
        say!("{:<15} {title}: {count} ({})", collection.system, hard.join(", "));
    }
    say!("\nflagplot puzzles SYSTEM lists them, flagplot puzzles SYSTEM NUMBER sets one,");
    say!("flagplot puzzles --today sets the puzzle of the day.");
    Ok(ExitCode::SUCCESS)
}

fn list(catalog: &Catalog, collection: &Collection) -> Done {
    for puzzle in collection.puzzles() {
        let (title, scenario) = (puzzle.title(), puzzle.scenario(catalog)?);
        say!("{:4}. {title} ({scenario}), {}", puzzle.number, word(puzzle.position.difficulty()));
    }
    say!("\nflagplot puzzles {} NUMBER sets one.", collection.system);
    Ok(ExitCode::SUCCESS)
}

/// Shows a puzzle, asks for the answer and says what each is worth.
fn solve(catalog: &Catalog, puzzle: Puzzle<'_>) -> Done {
    let posed = puzzle.pose(catalog)?;
    let (system, seat) = (&puzzle.source.opening.system, puzzle.position.seat);
    let desk = posed.stage.desk();
    let viewer = Viewer::Seat(seat);
    say!(
        "Puzzle {} of {}, {}: {} ({})\n",
        puzzle.number,
        catalog.system(system)?.title(),
        word(puzzle.position.difficulty()),
        puzzle.title(),
        puzzle.scenario(catalog)?
    );
    let log: Vec<_> = desk.log(viewer, 0).into_iter().filter(|entry| !entry.note.detail).collect();
    for entry in &log[log.len().saturating_sub(LOG)..] {
        say!("{:4}. {}", entry.number, entry.note.text);
    }
    println!("\n{}", board::draw(&desk.situation(viewer).scene));
    if let Some(chair) = desk.seats().get(usize::from(seat.0)) {
        say!("You play {}. {}", chair.name, desk.game().aims()[chair.side]);
    }
    say!("\n{}\nWhich answer wins most often?", posed.question.prompt.text);
    for (at, option) in posed.options.iter().enumerate() {
        say!("  {}. {}", at + 1, option.label);
    }
    let mut person = Person::new(std::io::stdin().lock());
    let chosen = loop {
        let Some(typed) = person.line("> ") else { return Ok(ExitCode::SUCCESS) };
        match typed.as_str() {
            "" => {}
            "quit" | "q" => return Ok(ExitCode::SUCCESS),
            _ => match typed.parse::<usize>().ok().filter(|number| (1..=posed.options.len()).contains(number)) {
                Some(number) => break number - 1,
                None => {
                    say!("'{typed}' is not an option. Type a number from 1 to {}, or quit.", posed.options.len())
                }
            },
        }
    };
    answered(&puzzle, &posed, chosen);
    Ok(ExitCode::SUCCESS)
}

fn answered(puzzle: &Puzzle<'_>, posed: &Posed, chosen: usize) {
    let position = puzzle.position;
    let label = |at: usize| &posed.options[at].label;
    if chosen == position.best {
        say!("\nRight: {}.", label(chosen));
    } else {
        say!("\nNot the best. The best answer: {}.", label(position.best));
    }
    let mut order: Vec<usize> = (0..position.options.len()).collect();
    order.sort_by(|a, b| position.options[*b].worth().total_cmp(&position.options[*a].worth()));
    for at in order {
        let one = &position.options[at];
        let mark = if at == chosen { "  (yours)" } else { "" };
        say!("  {:>10}  {}{mark}", percent(one.worth(), one.error()), label(at));
    }
    say!("\n{}", puzzle.method());
}
