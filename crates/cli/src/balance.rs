//! Whether scenarios are fair, measured and judged.

use crate::{Done, file_refusal, fresh};
use clap::Args;
use flagplot_catalog::{AnyGame, Catalog, Clock, PlayerKind};
use flagplot_kernel::{Chance, Refusal, Side};
use flagplot_players::{Balance, Bounds, Exploited, Study, balance};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

/// `flagplot balance [SYSTEM [SCENARIO]]`
#[derive(Args)]
#[command(
    after_help = "A fair scenario gives no side more than 60% (a draw counts half), has at most 35% draws and at \
        least\nfour real decisions a seat, and no single idea (pass, flee, never attack, …) scores above 50%.\n\n\
        Examples, the table of the book:\n  flagplot balance --seed 1 --keep balance.jsonl\
        \n  flagplot balance --keep balance.jsonl --show --markdown"
)]
pub struct Measure {
    /// The system; all that can be played if left out
    system: Option<String>,
    /// The scenario; all of the system if left out
    scenario: Option<String>,
    /// Who plays: one player for both sides, or two, comma-separated, who exchange seats
    #[arg(long, default_value = "search:50ms")]
    players: String,
    /// How many games at most; they stop when more would hardly change the verdict
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// Play all the games, however clear the verdict
    #[arg(long)]
    all_games: bool,
    /// How many games each single idea plays on each side at most; one that clearly fails or wins is tried no further
    #[arg(long, default_value_t = 20)]
    tries: u32,
    /// Who plays against the single ideas
    #[arg(long, default_value = "officer")]
    against: String,
    /// The seed; a new one each time by default
    #[arg(long)]
    seed: Option<u64>,
    /// Keep each scenario's measure in this file as soon as it is made, and take from it what is there
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Measure nothing: show what the file holds for the present rules and data
    #[arg(long, requires = "keep")]
    show: bool,
    /// Draw wins, draws and losses
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["csv", "markdown"])]
    json: bool,
    /// Print one line of CSV for each scenario
    #[arg(long, conflicts_with = "markdown")]
    csv: bool,
    /// Print the table for the book
    #[arg(long)]
    markdown: bool,
}

/// How a scenario is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct How {
    players: Vec<PlayerKind>,
    games: u32,
    against: PlayerKind,
    tries: u32,
    /// Whether the games stop once the verdict is clear.
    #[serde(default)]
    early: bool,
    /// Text, because JSON has no numbers of 64 bits.
    seed: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct Line {
    system: String,
    edition: String,
    scenario: String,
    sides: [String; 2],
    /// Why it is a demonstration, if it is one.
    #[serde(default)]
    demonstration: Option<String>,
    how: How,
    balance: Balance,
}

#[derive(Serialize)]
struct Report {
    bounds: Bounds,
    scenarios: Vec<Line>,
}

impl Measure {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let seed = self.seed.unwrap_or_else(fresh::seed);
        let how = self.how(seed)?;
        let kept = self.keep.as_deref().map_or(Ok(Vec::new()), read_kept)?;
        let mut report = Report { bounds: Bounds::default(), scenarios: Vec::new() };
        let quiet = self.json || self.csv || self.markdown;
        for (system, scenario) in self.wanted(catalog)? {
            let edition = catalog.edition(&system)?;
            // The last measure counts.
            let known = kept.iter().rev().find(|line| {
                (&line.system, &line.scenario, &line.edition) == (&system, &scenario, &edition)
                    && (self.show || line.how == how)
            });
            let line = match known {
                Some(line) => line.clone(),
                None if self.show => continue,
                None => {
                    let line = measure(catalog, &system, &scenario, &how, seed, &report.bounds)?;
                    if let Some(path) = &self.keep {
                        keep(path, &line)?;
                    }
                    line
                }
            };
            if !quiet {
                print(&line);
            }
            report.scenarios.push(line);
        }
        if let Some(path) = &self.svg {
            fs::write(path, svg(&report)).map_err(|error| file_refusal("cannot-write", path, &error))?;
        }
        if self.json {
            println!("{}", serde_json::to_string(&report).expect("a report is JSON"));
        } else if self.csv {
            print!("{}", csv(&report));
        } else if self.markdown {
            print!("{}", table(&report));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn how(&self, seed: u64) -> Result<How, Refusal> {
        let names: Result<Vec<PlayerKind>, Refusal> =
            self.players.split(',').map(|name| PlayerKind::from_str(name.trim())).collect();
        let mut players = names?;
        if !(1..=2).contains(&players.len()) {
            let text = format!("{} players are named.", players.len());
            return Err(Refusal::new("wrong-players", text)
                .remedy("Name one player for both sides, or two who exchange seats."));
        }
        players.dedup();
        let against = PlayerKind::from_str(&self.against)?;
        let early = !self.all_games;
        Ok(How { players, games: self.games, against, tries: self.tries, early, seed: seed.to_string() })
    }

    /// The systems and scenarios that are asked for.
    fn wanted(&self, catalog: &Catalog) -> Result<Vec<(String, String)>, Refusal> {
        let systems: Vec<&str> = match &self.system {
            Some(system) => vec![system.as_str()],
            None => catalog.ids().collect(),
        };
        let mut wanted = Vec::new();
        for id in systems {
            let scenarios = catalog.system(id)?.scenarios();
            let named = |scenario: &String| self.scenario.as_ref().is_none_or(|wanted| wanted == scenario);
            let found = scenarios.into_iter().map(|scenario| scenario.id).filter(named);
            wanted.extend(found.map(|scenario| (id.to_owned(), scenario)));
        }
        if let (Some(system), Some(scenario), []) = (&self.system, &self.scenario, wanted.as_slice()) {
            // The system says itself that it knows no such scenario.
            catalog.system(system)?.game(scenario, &Value::Null)?;
        }
        Ok(wanted)
    }
}

/// The measures that a file holds, a line each; none if there is no file yet.
fn read_kept(path: &Path) -> Result<Vec<Line>, Refusal> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(file_refusal("cannot-read", path, &error)),
    };
    let parse = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            let text = format!("Line {} of {} is not a measure: {error}.", at + 1, path.display());
            Refusal::new("bad-file", text)
                .remedy("Name a file that `flagplot balance --keep` has written, or a new one.")
        })
    };
    text.lines().enumerate().map(parse).collect()
}

fn keep(path: &Path, line: &Line) -> Result<(), Refusal> {
    let text = serde_json::to_string(line).expect("a measure is JSON");
    let append = |mut file: fs::File| writeln!(file, "{text}");
    let written = OpenOptions::new().create(true).append(true).open(path).and_then(append);
    written.map_err(|error| file_refusal("cannot-write", path, &error))
}

fn measure(
    catalog: &Catalog,
    system: &str,
    scenario: &str,
    how: &How,
    seed: u64,
    bounds: &Bounds,
) -> Result<Line, Refusal> {
    let game = catalog.system(system)?.game(scenario, &Value::Null)?;
    let game: &dyn AnyGame = game.as_ref();
    let seats = game.seats();
    let name = |side: Side| seats.iter().find(|seat| seat.side == side).map_or(String::new(), |seat| seat.name.clone());
    let sides = Side::BOTH.map(name);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let players = &how.players;
    let listed = catalog.system(system)?.scenarios().into_iter().find(|listed| listed.id == scenario);
    let demonstration = listed.and_then(|listed| listed.demonstration);
    let study = Study {
        games: how.games,
        tries: how.tries,
        early: how.early,
        cores,
        names: [&sides[0], &sides[1]],
        demonstration: demonstration.is_some(),
    };
    let balance = balance(
        &study,
        bounds,
        |number| {
            // Two players share a seed and exchange seats.
            let pair = players.len() as u64;
            let at = |side: Side| players[(side.index() + number as usize) % players.len()];
            let seated: Vec<PlayerKind> = seats.iter().map(|seat| at(seat.side)).collect();
            game.contest(&seated, Clock::Processor, &mut Chance::stream(seed, number / pair))
        },
        |idea, side, number| {
            let chance = &mut Chance::stream(seed, 1 << 32 | number);
            game.exploit(side, idea, how.against, Clock::Processor, chance)
        },
    );
    let edition = catalog.edition(system)?;
    let how = how.clone();
    Ok(Line { system: system.into(), edition, scenario: scenario.into(), sides, demonstration, how, balance })
}

/// The table for the book. A line says how the scenarios below it were measured.
fn table(report: &Report) -> String {
    let mut text = String::from(
        "| scenario | games | first side, draw, second side (%) | first side, draws split (%) | decisions a seat | \
         best idea (%) | verdict |\n|---|---|---|---|---|---|---|\n",
    );
    let mut before: Option<&Line> = None;
    for line in &report.scenarios {
        if before.is_none_or(|before| (&before.edition, &before.how) != (&line.edition, &line.how)) {
            let How { players, games, against, tries, early, seed } = &line.how;
            let most = if *early { "up to" } else { "exactly" };
            let players: Vec<String> = players.iter().map(ToString::to_string).collect();
            text += &format!(
                "| **{}**, edition {}: {most} {games} games of {}, each idea up to {tries} games a side against \
                 {against}, seed {seed} | | | | | | |\n",
                line.system,
                line.edition,
                players.join(" and "),
            );
        }
        before = Some(line);
        let Balance { games, .. } = &line.balance;
        let best = best(&line.balance).map_or("none applies".to_owned(), |tried| {
            format!("{}, {}: {:.0}", tried.exploit, line.sides[tried.side.index()], 100.0 * tried.score[0])
        });
        text += &format!(
            "| {} | {} | {} {:.0}, {:.0}, {} {:.0} | {} | {} | {best} | {} |\n",
            line.scenario,
            games.games,
            line.sides[0],
            100.0 * games.first[0],
            100.0 * games.drawn[0],
            line.sides[1],
            100.0 * games.second[0],
            percent(games.score),
            decisions(line),
            verdict(line)
        );
    }
    text
}

/// "57% (±4)".
fn percent([share, low, high]: [f64; 3]) -> String {
    format!("{:.0} (±{:.0})", 100.0 * share, 50.0 * (high - low))
}

fn decisions(line: &Line) -> String {
    let each: Vec<String> = line.balance.games.decisions.iter().map(|made| format!("{made:.0}")).collect();
    each.join(", ")
}

/// The idea that scores most.
fn best(balance: &Balance) -> Option<&Exploited> {
    balance.exploits.iter().max_by(|a, b| a.score[0].total_cmp(&b.score[0]))
}

fn verdict(line: &Line) -> String {
    let demonstration = line.demonstration.is_some();
    if line.balance.findings.is_empty() {
        return if demonstration { "fair; a demonstration".into() } else { "fair".into() };
    }
    let told = line.balance.findings.iter().map(|found| {
        let sure = if found.clear { "" } else { " (too close to call)" };
        format!("{}{sure}", found.text)
    });
    let told = told.chain(demonstration.then(|| "a demonstration".to_owned()));
    told.collect::<Vec<_>>().join("; ")
}

fn print(line: &Line) {
    let Balance { games, exploits, .. } = &line.balance;
    println!("{} {}: {} games, 95% intervals", line.system, line.scenario, games.games);
    let shares =
        [(line.sides[0].as_str(), games.first), ("drawn", games.drawn), (line.sides[1].as_str(), games.second)];
    for (name, share) in shares {
        println!("  {name:20} {}%", percent(share));
    }
    println!("  {:20} {}%", format!("{}, draws split", line.sides[0]), percent(games.score));
    println!("  {:20} {:.0}, decisions of the seats {}", "steps", games.steps, decisions(line));
    println!("  {:20} {}%", "at the step limit", percent(games.at_step_limit));
    for tried in exploits {
        println!(
            "  {:20} {}: {} won, {} drawn, {} lost, {}%",
            tried.exploit.to_string(),
            line.sides[tried.side.index()],
            tried.won,
            tried.drawn,
            tried.lost,
            percent(tried.score)
        );
    }
    println!("  verdict: {}", verdict(line));
}

fn csv(report: &Report) -> String {
    let mut text = String::from(
        "system,scenario,edition,games,first,drawn,second,score,score_low,score_high,steps,decisions_first_seat,\
         decisions_second_seat,at_step_limit,best_idea,best_idea_score,verdict\n",
    );
    for line in &report.scenarios {
        let Balance { games, .. } = &line.balance;
        let best = best(&line.balance);
        let made = |seat: usize| games.decisions.get(seat).copied().unwrap_or(0.0);
        text += &format!(
            "{},{},{},{},{:.4},{:.4},{:.4},{:.4},{:.4},{:.4},{:.1},{:.1},{:.1},{:.4},{},{:.4},\"{}\"\n",
            line.system,
            line.scenario,
            line.edition,
            games.games,
            games.first[0],
            games.drawn[0],
            games.second[0],
            games.score[0],
            games.score[1],
            games.score[2],
            games.steps,
            made(0),
            made(1),
            games.at_step_limit[0],
            best.map_or(String::new(), |tried| tried.exploit.to_string()),
            best.map_or(0.0, |tried| tried.score[0]),
            verdict(line)
        );
    }
    text
}

/// A bar for each scenario: wins of the first side, draws, wins of the second.
fn svg(report: &Report) -> String {
    let (left, bar, row) = (260.0, 420.0, 24.0);
    let (width, height) = (left + bar + 40.0, row * (report.scenarios.len() as f64 + 2.0));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\"><title>Wins of the first side, draws, wins of the second</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (n, line) in report.scenarios.iter().enumerate() {
        let (y, mut x) = (row * (n as f64 + 1.0), left);
        let games = &line.balance.games;
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 10.0,
            y + 13.0,
            line.scenario
        );
        for (share, colour) in [(games.first[0], "#27517d"), (games.drawn[0], "#ccc"), (games.second[0], "#a33c2c")] {
            svg += &format!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                 fill=\"{colour}\"><title>{:.0}%</title></rect>",
                share * bar,
                row - 6.0,
                100.0 * share
            );
            x += share * bar;
        }
        svg.push('\n');
    }
    let middle = left + bar / 2.0;
    svg + &format!(
        "<line x1=\"{middle:.1}\" y1=\"{:.1}\" x2=\"{middle:.1}\" y2=\"{:.1}\" stroke=\"#000\" \
         stroke-dasharray=\"3\"/>\n</svg>\n",
        row / 2.0,
        height - row / 2.0
    )
}
