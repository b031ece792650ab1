//! The `flagplot` program: plays, referees and analyses tabletop air and naval wargames.

mod adjudicate;
mod analyse;
mod attack;
mod balance;
mod bars;
mod bench;
mod bench_fleet;
mod board;
mod bot;
mod chart;
mod country;
mod data;
mod examples;
mod fields;
mod fresh;
mod learn;
mod listing;
mod lists;
mod make;
mod odds;
mod picture;
mod play;
mod print;
mod proof;
mod puzzles;
mod records;
mod referee;
mod scenario;
mod serve;
mod sheet;
mod simulate;
mod sky;
mod table;
mod tournament;
mod unit;
mod wrap;

use clap::{CommandFactory, Parser, Subcommand};
use flagplot_catalog::Catalog;
use flagplot_kernel::Refusal;
use std::path::PathBuf;
use std::process::ExitCode;

/// Many small pieces of memory come and go with every answer, which is what this allocator is made for.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Plays, referees and analyses tabletop air and naval wargames: every rule enforced, every result explained, exact
/// odds.
///
/// Exit codes: 0 done; 1 refused or failed, with the reason; 2 wrong usage.
#[derive(Parser)]
#[command(
    name = "flagplot",
    version,
    after_help = "Try:\n  flagplot systems\n  flagplot play schiffskrieg midway-1942\
        \n  flagplot odds schiffskrieg attack"
)]
struct Cli {
    /// A folder with data files of your own, laid over the built-in ones: DIR/SYSTEM/*.toml (see flagplot data)
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the browser client on this machine (the default without a command)
    Serve(serve::Serve),
    /// List the systems with their scenarios and procedures
    Systems(lists::Systems),
    /// Print the JSON Schema of a procedure's input and result
    Schema(lists::Schema),
    /// Print the OpenAPI document of the server
    Openapi,
    /// Print the rules of a system, or one rule
    Rules(lists::Rules),
    /// Answer a referee's request (JSON on standard input)
    Adjudicate(adjudicate::Adjudicate),
    /// Rule on a battle at your own table: forces, turns, dice typed or rolled, sheets and a record
    Referee(referee::Referee),
    /// Exact odds of a procedure
    Odds(odds::Odds),
    /// Print ship data sheets and chart cards, in the terminal or as SVG or HTML
    Print(print::Print),
    /// Learn a game by a guided first battle, in ten minutes
    Learn(learn::Learn),
    /// Solve puzzles: positions in which one answer is clearly the best; find new ones, prove them again
    Puzzles(puzzles::Puzzles),
    /// Play a game in the terminal
    Play(play::Play),
    /// Play many games between computer players and report
    Simulate(simulate::Simulate),
    /// Let computer players play each other, both seats and paired dice, and rate them
    Tournament(tournament::Tournament),
    /// Measure whether scenarios are fair, and try to win them with a single idea
    Balance(balance::Measure),
    /// Show a recorded game
    Replay(records::Replay),
    /// Save the forces of a custom battle as a scenario file
    Scenario(scenario::SaveScenario),
    /// Write the built-in data files of a system to a folder, to change them
    Data(data::Data),
    /// Prove a record: replay it, check its hash chain, its edition and its dice
    Verify(records::Verify),
    /// Was it me or the dice? What each roll of a finished game was worth, and what each choice gave away
    Analyse(analyse::Analyse),
    /// Let a program play a seat: one JSON question per line out, one JSON answer per line in
    Bot(bot::Bot),
    /// Attack a server on this machine while honest games go on, and report what they noticed
    Attack(attack::Attack),
    /// Draw the examples of the rules pages from real games, or check that they are up to date
    Examples(examples::Examples),
    /// Measure how fast this machine plays games and computes odds
    Bench(bench::Bench),
    /// Print shell completions
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// What a command comes to.
type Done = Result<ExitCode, Refusal>;

/// Ends without an error when the reader of the output stops reading (`flagplot systems | head`).
fn exit_quietly_on_broken_pipe() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic
            .payload_as_str()
            .is_some_and(|message| message.starts_with("failed printing to std") && message.contains("Broken pipe"))
        {
            std::process::exit(0);
        }
        report(panic);
    }));
}

fn main() -> ExitCode {
    exit_quietly_on_broken_pipe();
    let cli = Cli::parse();
    match run(cli) {
        Ok(code) => code,
        Err(refusal) => {
            anstream::eprintln!("flagplot: {refusal} ({})", refusal.code);
            for also in &refusal.also {
                anstream::eprintln!("  also: {also} ({})", also.code);
            }
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Done {
    let mut catalog = Catalog::built_in();
    if let Some(dir) = &cli.data {
        data::lay(&mut catalog, dir)?;
    }
    match cli.command.unwrap_or_else(|| Command::Serve(serve::Serve::default())) {
        Command::Serve(command) => command.run(catalog),
        Command::Systems(command) => command.run(&catalog),
        Command::Schema(command) => command.run(&catalog),
        Command::Openapi => {
            println!("{:#}", flagplot_server::openapi());
            Ok(ExitCode::SUCCESS)
        }
        Command::Rules(command) => command.run(&catalog),
        Command::Adjudicate(command) => command.run(&catalog),
        Command::Referee(command) => command.run(&catalog),
        Command::Odds(command) => command.run(&catalog),
        Command::Print(command) => command.run(&catalog),
        Command::Learn(command) => command.run(&catalog),
        Command::Puzzles(command) => command.run(&catalog),
        Command::Play(command) => command.run(&catalog),
        Command::Simulate(command) => command.run(&catalog),
        Command::Tournament(command) => command.run(&catalog),
        Command::Balance(command) => command.run(&catalog),
        Command::Replay(command) => command.run(&catalog),
        Command::Scenario(command) => command.run(&catalog),
        Command::Data(command) => command.run(&catalog),
        Command::Verify(command) => command.run(&catalog),
        Command::Analyse(command) => command.run(&catalog),
        Command::Bot(command) => command.run(&catalog),
        Command::Attack(command) => command.run(&catalog),
        Command::Examples(command) => command.run(&catalog),
        Command::Bench(command) => command.run(&catalog),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "flagplot", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// A refusal for a file that cannot be read or written.
fn file_refusal(code: &'static str, path: &std::path::Path, error: &std::io::Error) -> Refusal {
    Refusal::new(code, format!("{}: {error}.", path.display()))
}
