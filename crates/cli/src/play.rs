use crate::fields::Person;
use crate::make::make;
use crate::unit::Unit;
use crate::wrap::say;
use crate::{Done, bars, board, file_refusal, fresh, listing, proof, records, scenario, sheet};
use clap::{Args, ValueEnum};
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::hex::Hex;
use flagplot_kernel::scene::{Piece, Ring, Scene, Surface};
use flagplot_kernel::{Chance, Form, Insight, Question, Refusal, Seat, SeatQuestion, Viewer};
use flagplot_odds::Fraction;
use flagplot_referee::Chart;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

/// `flagplot play SYSTEM SCENARIO`
#[derive(Args)]
pub struct Play {
    /// The system; without it, the systems are listed
    system: Option<String>,
    /// The scenario; without it, the scenarios of the system are listed
    scenario: Option<String>,
    /// Who sits where, in order and comma-separated: human, random, greedy, recruit, officer, admiral, search:50ms
    #[arg(long, default_value = "human,greedy")]
    players: String,
    /// Dice and computer players from this number: the same answers give the same game, to the byte. A player who
    /// has a time budget plays a fixed number of imagined games instead
    #[arg(long)]
    seed: Option<u64>,
    /// Where the dice come from
    #[arg(long, value_enum, default_value_t = Dice::Rolled)]
    dice: Dice,
    /// Options of the scenario, as JSON
    #[arg(long)]
    options: Option<String>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "options"])]
    load: Option<PathBuf>,
    /// Write the record here when the game is over
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Dice {
    /// The program rolls
    Rolled,
    /// You roll real dice and type them in
    Typed,
}

/// Who answers for a seat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chair {
    Human,
    Computer(PlayerKind),
}

/// Keeps the thoughts of the computer players apart from the dice of the same seed.
const MINDS: u64 = 0x6d69_6e64_7321_0001;

/// What a computer player answers. Each thought has its own generator, so that hints and undone answers do not change
/// the game.
pub fn thought(desk: &Desk, seat: Seat, kind: PlayerKind, minds: u64) -> Option<Value> {
    let number = (desk.entries().len() as u64) << 8 | u64::from(seat.0);
    desk.think(seat, kind, &mut Chance::stream(minds ^ MINDS, number))
}

const HELP: &str = "  NUMBER      take that option
  list WORDS  the options that have all of these words in them;  list  all of them
  not         why an option you expected is missing
  make        build an answer of your own, piece by piece
  json VALUE  give an answer as JSON
  ?           odds and advice before you answer;  ? NUMBER  for one option
  hint        what the admiral would do, and the main alternatives
  why NUMBER  the proof of that line of the log
  log, board  show them again
  card NAME   the data card of a piece, with what is lost
  look NAME   a piece in words, with its zone of control and its line of supply
  undo        take back your last answer, if nothing has happened since
  save FILE   write the game to a file (flagplot play --load FILE goes on)
  scenario FILE  save the forces of a custom battle as a scenario, named after the file
  resign, quit";

/// Says so if a person sits where there is almost nothing to decide.
fn passive(catalog: &Catalog, desk: &Desk, chairs: &[Chair]) -> Result<(), Refusal> {
    let header = desk.header();
    let scenarios = catalog.system(&header.system)?.scenarios();
    let passive = scenarios.into_iter().find(|scenario| scenario.id == header.scenario);
    for seat in passive.map_or(Vec::new(), |scenario| scenario.passive) {
        let at = usize::from(seat.0);
        if let (Some(Chair::Human), Some(info)) = (chairs.get(at), desk.seats().get(at)) {
            let players: Vec<&str> =
                (0..chairs.len()).map(|other| if other == at { "greedy" } else { "human" }).collect();
            say!(
                "{}: almost nothing to decide in this battle. The computer can take that seat with --players {}.\n",
                info.name,
                players.join(",")
            );
        }
    }
    Ok(())
}

/// The label of the hex with this centre.
fn hex_at(surface: &Surface, at: [i64; 2]) -> Option<&str> {
    let Surface::Hexes { width, height, labels, .. } = surface else { return None };
    let (_, _, label) = labels.iter().find(|(q, r, _)| Hex { q: *q, r: *r }.centre(*width, *height) == at)?;
    Some(label)
}

/// Prints the pieces with all of these words in their names, and what the board shows when a player looks at them.
fn look(scene: &Scene, words: &str) {
    let words: Vec<String> = words.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let named = |piece: &&Piece| {
        let name = piece.name.to_lowercase();
        !words.is_empty() && (words.iter().all(|word| name.contains(word.as_str())) || words.join(" ") == piece.id)
    };
    let found: Vec<&Piece> = scene.pieces.iter().filter(named).collect();
    if found.is_empty() {
        say!("Which piece? Type part of its name, as the board lists it.");
    }
    for piece in found {
        say!("  {} [{}]", piece.text, piece.id);
        let of = |owner: &Option<String>| owner.as_deref() == Some(piece.id.as_str());
        let rings: Vec<&Ring> = scene.rings.iter().filter(|ring| of(&ring.piece)).collect();
        if let Some(first) = rings.iter().find(|ring| !ring.label.is_empty()) {
            let hexes: Vec<&str> = rings.iter().filter_map(|ring| hex_at(&scene.surface, ring.at)).collect();
            let over = if hexes.is_empty() { String::new() } else { format!(" over {}", hexes.join(", ")) };
            say!("    {}{over}", first.label);
        }
        let tracks = scene.tracks.iter().filter(|track| of(&track.piece));
        tracks.for_each(|track| say!("    {}", track.label));
    }
}

/// What there is to play: the systems, or the scenarios of one.
fn offer(catalog: &Catalog, system: Option<&str>) -> Done {
    let line = |id: &str, title: &str, width: usize| println!("  {id:width$}  {title}");
    let Some(id) = system else {
        say!("What do you want to play?\n");
        let width = catalog.ids().map(str::len).max().unwrap_or(0);
        for id in catalog.ids() {
            line(id, catalog.system(id)?.title(), width);
        }
        say!("\n'flagplot play SYSTEM' lists the battles of a system, 'flagplot learn SYSTEM' teaches it.");
        return Ok(ExitCode::SUCCESS);
    };
    let scenarios = catalog.system(id)?.scenarios();
    say!("Which battle?\n");
    let width = scenarios.iter().map(|scenario| scenario.id.chars().count()).max().unwrap_or(0);
    scenarios.iter().for_each(|scenario| line(&scenario.id, &scenario.title, width));
    say!("\nPlay one of them with 'flagplot play {id} SCENARIO'.");
    Ok(ExitCode::SUCCESS)
}

impl Play {
    pub fn run(&self, catalog: &Catalog) -> Done {
        if self.load.is_none() && self.scenario.is_none() {
            return offer(catalog, self.system.as_deref());
        }
        let mut desk = self.open(catalog)?;
        let chairs = self.chairs(desk.seats().len())?;
        passive(catalog, &desk, &chairs)?;
        let mut table = Table {
            charts: catalog.system(&desk.header().system)?.charts(),
            desk: &mut desk,
            chairs,
            minds: self.seed.unwrap_or_else(fresh::seed),
            chance: Chance::seeded(fresh::seed()),
            shown: BTreeMap::new(),
            noted: 0,
            board_at: None,
            person: Person::new(std::io::stdin().lock()),
            last: None,
        };
        let ended = table.play();
        drop(table);
        if let (Some(path), true) = (&self.record, ended) {
            save(&desk, path)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn open(&self, catalog: &Catalog) -> Result<Desk, Refusal> {
        if let Some(path) = &self.load {
            return Desk::resume(catalog, &records::read(path)?);
        }
        let options = match &self.options {
            None => Value::Null,
            Some(text) => serde_json::from_str(text)
                .map_err(|error| Refusal::new("bad-json", format!("--options is not JSON: {error}.")))?,
        };
        let (system, scenario) =
            (self.system.as_deref().unwrap_or_default(), self.scenario.as_deref().unwrap_or_default());
        let game = catalog.system(system)?.game(scenario, &options)?;
        let chairs = self.chairs(game.seats().len())?;
        let names = chairs
            .iter()
            .map(|chair| match chair {
                Chair::Human => "human".to_owned(),
                Chair::Computer(kind) => format!("computer: {kind}"),
            })
            .collect();
        let dice = match (self.dice, self.seed) {
            (Dice::Typed, _) => DiceSource::Typed,
            (Dice::Rolled, Some(seed)) => DiceSource::Seeded(seed),
            (Dice::Rolled, None) => {
                DiceSource::committed(chairs.iter().map(|_| format!("{:016x}", fresh::seed())).collect())
            }
        };
        Desk::open(catalog, system, scenario, options, names, dice)
    }

    fn chairs(&self, seats: usize) -> Result<Vec<Chair>, Refusal> {
        let mut chairs: Vec<Chair> = self
            .players
            .split(',')
            .map(|name| match name.trim() {
                "human" => Ok(Chair::Human),
                name => {
                    let kind = PlayerKind::from_str(name).map_err(|refusal| {
                        refusal.remedy("Name human, or one of the computer players (flagplot help simulate).")
                    });
                    kind.map(|kind| Chair::Computer(if self.seed.is_some() { kind.repeatable() } else { kind }))
                }
            })
            .collect::<Result<_, _>>()?;
        if chairs.len() == 2 && seats > 2 {
            // Two names stand for two sides: the chairs of a side alternate in no system, so the first half is the
            // first side's.
            chairs = (0..seats).map(|seat| chairs[usize::from(seat >= seats / 2)]).collect();
        }
        if chairs.len() == seats {
            Ok(chairs)
        } else {
            Err(Refusal::new(
                "wrong-players",
                format!("This game has {seats} seats; {} players are named.", chairs.len()),
            ))
        }
    }
}

fn save(desk: &Desk, path: &Path) -> Result<(), Refusal> {
    std::fs::write(path, desk.record(true).to_text()).map_err(|error| file_refusal("cannot-write", path, &error))?;
    say!("Written to {}.", path.display());
    Ok(())
}

/// A game in the terminal.
struct Table<'a> {
    desk: &'a mut Desk,
    /// The tables that proofs name.
    charts: Vec<Chart>,
    chairs: Vec<Chair>,
    /// What the computer players draw their thoughts from.
    minds: u64,
    /// For hints, which change nothing.
    chance: Chance,
    /// The number of the last line of the log that was shown to each viewer.
    shown: BTreeMap<Viewer, usize>,
    /// How many lines there were for all viewers together when the log was last shown.
    noted: usize,
    /// The entries there were when the board was last drawn.
    board_at: Option<usize>,
    person: Person<'a>,
    /// The human who was asked last.
    last: Option<Seat>,
}

/// What the person wants to do next.
enum Next {
    Answered,
    Quit,
}

impl Table<'_> {
    /// True when the game has come to its end, false when the person has left.
    fn play(&mut self) -> bool {
        say!("Type help for what you can type.");
        loop {
            self.show_log();
            if let Some(outcome) = self.desk.outcome() {
                println!("\n{}", board::draw(&self.desk.situation(Viewer::Everything).scene));
                say!("{}", outcome.summary);
                return true;
            }
            let next = match self.desk.question().cloned() {
                Some(Question::Dice { count, die, what }) => self.type_dice(count, &die.to_string(), &what),
                Some(question) => self.ask(&question),
                None => Next::Quit,
            };
            if let Next::Quit = next {
                say!("\nGood-bye. The game was not finished.");
                return false;
            }
        }
    }

    fn viewer(&self) -> Viewer {
        // With one person at the keyboard the log is that person's; with none everything is shown.
        let humans: Vec<usize> = (0..self.chairs.len()).filter(|&at| self.chairs[at] == Chair::Human).collect();
        match (humans.as_slice(), self.last) {
            ([], _) => Viewer::Everything,
            ([one], _) => Viewer::Seat(Seat(*one as u8)),
            (_, Some(seat)) => Viewer::Seat(seat),
            (_, None) => Viewer::Spectator,
        }
    }

    fn show_log(&mut self) {
        let viewer = self.viewer();
        let shown = self.shown.entry(viewer).or_default();
        if self.desk.is_over() {
            *shown = self.noted; // Every line is open now, and the numbers count them all.
        }
        self.noted = self.desk.log(Viewer::Everything, 0).len();
        for entry in self.desk.log(viewer, *shown) {
            if !entry.note.detail {
                say!("{:4}. {}", entry.number, entry.note.text);
            }
            *shown = entry.number;
        }
    }

    fn type_dice(&mut self, count: u32, die: &str, what: &str) -> Next {
        let Some(typed) = self.person.line(&format!("Roll {count}{die} for {what}; type the faces: ")) else {
            return Next::Quit;
        };
        if typed == "quit" {
            return Next::Quit;
        }
        let faces: Result<Vec<u8>, _> =
            typed.split([' ', ',']).filter(|part| !part.is_empty()).map(str::parse).collect();
        match faces {
            Err(_) => say!("Type whole numbers, with spaces between them."),
            Ok(faces) => {
                if let Err(refusal) = self.desk.type_dice(faces) {
                    say!("{refusal}");
                }
            }
        }
        Next::Answered
    }

    /// Asks the computer seats at once, then one of the people.
    fn ask(&mut self, question: &Question) -> Next {
        for open in question.open() {
            if let Chair::Computer(kind) = self.chairs[usize::from(open.seat.0)] {
                let answer = thought(self.desk, open.seat, kind, self.minds);
                let done = answer.map_or_else(
                    || Err(Refusal::new("no-answer", "The computer has no answer.")),
                    |value| self.desk.answer(open.seat, value),
                );
                if let Err(refusal) = done {
                    say!("{} (computer): {refusal}", open.seat);
                    return Next::Quit;
                }
                return Next::Answered;
            }
        }
        match question.open().first() {
            Some(open) => self.ask_person(open, matches!(question, Question::Secret { .. })),
            None => Next::Quit,
        }
    }

    fn ask_person(&mut self, question: &SeatQuestion, secret: bool) -> Next {
        let seats = self.desk.seats();
        let name = seats.get(usize::from(question.seat.0)).map_or(String::new(), |seat| seat.name.clone());
        let people = self.chairs.iter().filter(|chair| **chair == Chair::Human).count();
        if people > 1 && self.last != Some(question.seat) {
            if self
                .person
                .line(&format!("\n{name}, take the keyboard. Everyone else, look away. Press Enter. "))
                .is_none()
            {
                return Next::Quit;
            }
            println!("{}", "\n".repeat(3));
        }
        self.last = Some(question.seat);
        self.show_log();
        if self.board_at != Some(self.desk.entries().len()) {
            self.board_at = Some(self.desk.entries().len());
            println!("\n{}", board::draw(&self.desk.situation(Viewer::Seat(question.seat)).scene));
            if let Some(seat) = seats.get(usize::from(question.seat.0)) {
                say!("{}\n", self.desk.game().aims()[seat.side]);
            }
        }
        let rule = question.prompt.rule.map_or(String::new(), |rule| format!(" [{rule}]"));
        say!("Now ({name}): {}{rule}", question.prompt.text);
        if secret {
            say!("  Your answer stays sealed until every player has answered.");
        }
        let pieces = self.desk.situation(Viewer::Seat(question.seat)).scene.pieces;
        listing::overview(question, &pieces).iter().for_each(|line| say!("{line}"));
        if question.form != Form::Pick {
            say!("  make. An answer of your own");
        }
        if matches!(question.form, Form::Sheet { .. }) {
            say!("  Enter shows the sheet; type a part and its answer to change it.");
        }
        loop {
            let Some(typed) = self.person.line("> ") else { return Next::Quit };
            let (word, rest) = typed.split_once(' ').map_or((typed.as_str(), ""), |(word, rest)| (word, rest.trim()));
            match word {
                "" if matches!(question.form, Form::Sheet { .. }) => {
                    if self.filled(question, None) {
                        return Next::Answered;
                    }
                }
                "" => {}
                "help" | "h" => println!("{HELP}"),
                "quit" | "q" => return Next::Quit,
                "look" => look(&self.desk.situation(Viewer::Seat(question.seat)).scene, rest),
                "board" => println!("{}", board::draw(&self.desk.situation(Viewer::Seat(question.seat)).scene)),
                "card" => {
                    let scene = self.desk.situation(Viewer::Seat(question.seat)).scene;
                    board::card(&scene, rest).iter().for_each(|line| anstream::println!("{line}"));
                }
                "log" => {
                    self.shown.remove(&self.viewer());
                    self.show_log();
                }
                "why" => {
                    match rest.parse().ok().and_then(|number| {
                        proof::why(&self.desk.log(Viewer::Seat(question.seat), 0), number, &self.charts)
                    }) {
                        Some(lines) => lines.iter().for_each(|line| say!("{line}")),
                        None => say!("Which line of the log? why NUMBER"),
                    }
                }
                "?" => self.explain(question, rest),
                "list" => listing::find(question, if rest.is_empty() { "all" } else { rest })
                    .iter()
                    .for_each(|line| say!("{line}")),
                "not" if question.prompt.missing.is_empty() => say!("Nothing is missing here."),
                "not" => question.prompt.missing.iter().for_each(|why| say!("  {why}")),
                "hint" => self.hint(question),
                "undo" => match self.desk.undo(question.seat) {
                    Ok(()) => {
                        for (viewer, shown) in &mut self.shown {
                            *shown = self.desk.log(*viewer, 0).len().min(*shown);
                        }
                        return Next::Answered;
                    }
                    Err(refusal) => say!("{refusal}"),
                },
                "save" if !rest.is_empty() => {
                    if let Err(refusal) = save(self.desk, Path::new(rest)) {
                        say!("{refusal}");
                    }
                }
                "save" => say!("Into which file? save FILE"),
                "scenario" if !rest.is_empty() => {
                    if let Err(refusal) = scenario::write(self.desk, Path::new(rest), None, None) {
                        say!("{refusal}");
                    }
                }
                "scenario" => say!("Into which file? scenario FILE"),
                "resign" => {
                    if let Err(refusal) = self.desk.resign(question.seat) {
                        say!("{refusal}");
                    }
                    return Next::Answered;
                }
                "make" => {
                    let unit = self.unit(question.seat);
                    if let Some(value) = make(&mut self.person, &question.form, unit)
                        && self.give(question.seat, value)
                    {
                        return Next::Answered;
                    }
                }
                "json" => match serde_json::from_str(rest) {
                    Ok(value) => {
                        if self.give(question.seat, value) {
                            return Next::Answered;
                        }
                    }
                    Err(error) => say!("Not JSON: {error}."),
                },
                _ if sheet::names_part(&question.form, &typed) => {
                    if self.filled(question, Some(&typed)) {
                        return Next::Answered;
                    }
                }
                number => {
                    match number.parse::<usize>().ok().and_then(|number| question.options.get(number.checked_sub(1)?)) {
                        Some(option) => {
                            if self.give(question.seat, option.value.clone()) {
                                return Next::Answered;
                            }
                        }
                        None => say!(
                            "'{typed}' is not an option. Type a number from 1 to {}, or help.",
                            question.options.len()
                        ),
                    }
                }
            }
        }
    }

    fn unit(&self, seat: Seat) -> Unit {
        Unit::of(&self.desk.situation(Viewer::Seat(seat)).scene)
    }

    /// Fills in a sheet and gives it.
    fn filled(&mut self, question: &SeatQuestion, line: Option<&str>) -> bool {
        let unit = self.unit(question.seat);
        let value = sheet::fill(&mut self.person, &question.form, line, unit);
        value.is_some_and(|value| self.give(question.seat, value))
    }

    /// Gives an answer; says why if it is refused.
    fn give(&mut self, seat: Seat, value: Value) -> bool {
        match self.desk.answer(seat, value) {
            Ok(()) => true,
            Err(refusal) => {
                say!("{refusal} ({})", refusal.code);
                refusal.also.iter().for_each(|also| say!("  also: {also} ({})", also.code));
                false
            }
        }
    }

    /// The admiral's answer, and what it weighed it against.
    fn hint(&mut self, question: &SeatQuestion) {
        let Some(thought) = self.desk.hint(question.seat, PlayerKind::Admiral, &mut self.chance) else {
            return say!("  No hint.");
        };
        say!("  {}", label_of(question, &thought.value));
        for other in thought.alternatives.iter().take(5) {
            let share = other.share.map_or_else(String::new, |share| format!(", {:.0}% of the time", share * 100.0));
            say!("    {:.3} ± {:.3}{share}: {}", other.estimate, other.error, other.label);
        }
        if !thought.method.is_empty() {
            say!("  {}", thought.method);
        }
    }

    fn explain(&self, question: &SeatQuestion, which: &str) {
        let option = which.parse::<usize>().ok().and_then(|number| question.options.get(number.checked_sub(1)?));
        if option.is_none() && !which.is_empty() {
            say!("There is no option '{which}'; there are {}.", question.options.len());
            return;
        }
        let insights = self.desk.explain(question.seat, option.map(|option| &option.value));
        if insights.is_empty() {
            say!("  No odds for this choice.");
        }
        insights.iter().for_each(show_insight);
    }
}

fn label_of(question: &SeatQuestion, value: &Value) -> String {
    question.options.iter().position(|option| option.value == *value).map_or_else(
        || flagplot_desk::in_words(question, value),
        |at| format!("{}. {}", at + 1, question.options[at].label),
    )
}

fn show_insight(insight: &Insight) {
    say!("  {} ({})", insight.title, insight.basis);
    let values: Vec<(String, Fraction)> = insight
        .chances
        .iter()
        .filter_map(|chance| Some((chance.label.clone(), Fraction::parse(&chance.chance)?)))
        .collect();
    print!("{}", bars::table(&values, "    "));
    print_table(&insight.table);
    if let Some(curves) = &insight.curves {
        let head = std::iter::once(curves.along.clone()).chain(curves.steps.iter().cloned()).collect();
        let row = |curve: &flagplot_kernel::Curve| {
            let values = curve.values.iter().map(|value| format!("{}.{}", value / 1000, value.abs() % 1000 / 100));
            std::iter::once(format!("{} ({})", curve.label, curves.unit)).chain(values).collect()
        };
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(curves.curves.iter().map(row)).collect();
        print_table(&rows);
    }
    for line in &insight.lines {
        say!("    {line}");
    }
}

/// A table in columns as wide as their widest cell.
fn print_table(rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        println!("    {}", cells.join("  ").trim_end());
    }
}
