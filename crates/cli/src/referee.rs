//! The referee at the table: rulings one after the other, with a sheet that keeps the ships.

use crate::fields::{Person, input};
use crate::odds::read_json;
use crate::{Done, file_refusal, fresh, proof};
use clap::Args;
use flagplot_catalog::{Catalog, LibraryItem};
use flagplot_kernel::{Note, Refusal};
use flagplot_odds::Budget;
use flagplot_referee::{About, Response, Ruling, Shape, parse};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `flagplot referee SYSTEM`
#[derive(Args)]
pub struct Referee {
    /// The system
    system: String,
    /// Go on with a saved sheet
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Ships and other objects of your own, as a JSON list of {"id","name","value"}
    #[arg(long, value_name = "FILE")]
    own: Option<PathBuf>,
}

/// A ruling that was made.
#[derive(Clone)]
struct Made {
    procedure: String,
    input: Value,
    dice: Vec<u8>,
    result: Value,
}

const HELP: &str = "  NAME or part of it  rule by that procedure
  list                the procedures
  sheet               the objects kept, as the last rulings left them
  keep NAME PATH      keep a part of the last result (dotted path) on the sheet
  undo                take back the last ruling and what it changed on the sheet
  why                 the proof of the last ruling
  save FILE, load FILE
  quit";

impl Referee {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let mut table =
            RefereeTable { catalog, system: &self.system, made: Vec::new(), sheets: vec![Vec::new()], library: catalog.system(&self.system)?.library(), last: None };
        if let Some(path) = &self.own {
            table.own(read_json(path)?)?;
        }
        if let Some(path) = &self.load {
            table.load(path)?;
        }
        println!("{}. Type the name of a procedure, or help.", catalog.system(&self.system)?.title());
        let mut person = Person::new(std::io::stdin().lock());
        while let Some(typed) = person.line("referee> ") {
            if ["quit", "q"].contains(&typed.as_str()) {
                break;
            }
            if let Err(refusal) = table.command(&mut person, &typed) {
                println!("{refusal} ({})", refusal.code);
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct RefereeTable<'a> {
    catalog: &'a Catalog,
    system: &'a str,
    made: Vec<Made>,
    /// The sheet after each ruling, the empty one first.
    sheets: Vec<Vec<LibraryItem>>,
    library: Vec<LibraryItem>,
    last: Option<Vec<Note>>,
}

impl RefereeTable<'_> {
    fn command(&mut self, person: &mut Person<'_>, typed: &str) -> Result<(), Refusal> {
        let (word, rest) = typed.split_once(' ').map_or((typed, ""), |(word, rest)| (word, rest.trim()));
        match word {
            "" => {}
            "help" | "h" | "?" => println!("{HELP}"),
            "list" => self.catalog.procedures(self.system)?.iter().for_each(|about| println!("  {:24} {}", about.name, about.help)),
            "sheet" => self.show_sheet(),
            "why" => match &self.last {
                Some(notes) => notes.iter().flat_map(|note| proof::unfold(note, "  ")).for_each(|line| println!("{line}")),
                None => println!("There is no ruling yet."),
            },
            "undo" => match self.made.pop() {
                Some(made) => {
                    self.sheets.pop();
                    self.last = None;
                    println!("The ruling '{}' is taken back; the sheet is as it was before.", made.procedure);
                }
                None => println!("There is nothing to take back."),
            },
            "keep" => self.keep(rest)?,
            "save" if !rest.is_empty() => self.save(Path::new(rest))?,
            "load" if !rest.is_empty() => self.load(Path::new(rest))?,
            "save" | "load" => println!("Which file?"),
            _ => {
                let about = self.find(person, typed)?;
                self.rule(person, &about)?;
            }
        }
        Ok(())
    }

    fn sheet(&self) -> &[LibraryItem] {
        self.sheets.last().map_or(&[], Vec::as_slice)
    }

    fn find(&self, person: &mut Person<'_>, typed: &str) -> Result<About, Refusal> {
        let abouts = self.catalog.procedures(self.system)?;
        if let Some(about) = abouts.iter().find(|about| about.name == typed) {
            return Ok(about.clone());
        }
        let wanted = typed.to_lowercase();
        let found: Vec<&About> = abouts.iter().filter(|about| about.name.contains(&wanted) || about.help.to_lowercase().contains(&wanted)).collect();
        match found.as_slice() {
            [] => Err(Refusal::new("unknown-procedure", format!("No procedure is called '{typed}'.")).remedy("Type list for all of them.")),
            [one] => Ok((*one).clone()),
            several => {
                several.iter().enumerate().for_each(|(at, about)| println!("  {}. {:24} {}", at + 1, about.name, about.help));
                let pick = person.line("Which one? ").and_then(|typed| several.get(typed.parse::<usize>().ok()?.checked_sub(1)?).copied());
                pick.cloned().ok_or_else(|| Refusal::new("given-up", "None was chosen."))
            }
        }
    }

    fn rule(&mut self, person: &mut Person<'_>, about: &About) -> Result<(), Refusal> {
        println!("{}: {}\nDice: {}", about.name, about.help, about.dice);
        let system = self.catalog.system(self.system)?;
        // What is on the sheet comes before what is in the data.
        let library: Vec<LibraryItem> = self.sheet().iter().chain(&self.library).cloned().collect();
        let facts = input(person, &about.input, &library, &system.codes())?;
        let ruling = self.with_dice(person, about, &facts)?;
        println!("\n{}", serde_json::to_string_pretty(&ruling.result).expect("a result is JSON"));
        ruling.trace.iter().filter(|note| !note.detail).for_each(|note| println!("  {}", note.text));
        let mut sheet = self.sheet().to_vec();
        keep_ships(&ruling.result, &about.result, &facts, &library, &mut sheet);
        self.made.push(Made { procedure: about.name.to_owned(), input: facts, dice: ruling.rolls.iter().map(|roll| roll.face).collect(), result: ruling.result.clone() });
        self.sheets.push(sheet);
        self.last = Some(ruling.trace.clone());
        for hint in chains(&ruling.result, self.catalog.procedures(self.system)?) {
            println!("  {hint}");
        }
        Ok(())
    }

    /// Dice typed one after the other as the rules call for them, or rolled.
    fn with_dice(&self, person: &mut Person<'_>, about: &About, facts: &Value) -> Result<Ruling, Refusal> {
        let mut faces: Vec<u8> = Vec::new();
        loop {
            match self.ask(about.name, facts, json!({ "dice": faces })) {
                Ok(ruling) => return Ok(ruling),
                Err(refusal) if refusal.code == "not-enough-dice" || refusal.code == "dice-missing" => {
                    println!("  {}", refusal.message);
                    let typed = person.line("  Type the faces, or Enter to let the program roll: ").ok_or_else(|| Refusal::new("given-up", "No dice were given."))?;
                    if typed.is_empty() {
                        if faces.is_empty() {
                            return self.ask(about.name, facts, json!({ "seed": fresh::seed() }));
                        }
                        println!("  Some dice are typed already: type the rest too, or undo with back.");
                        continue;
                    }
                    if typed == "back" {
                        return Err(Refusal::new("given-up", "The ruling was given up."));
                    }
                    let more: Result<Vec<u8>, _> = typed.split([' ', ',']).filter(|part| !part.is_empty()).map(str::parse).collect();
                    match more {
                        Ok(more) => faces.extend(more),
                        Err(_) => println!("  Whole numbers, with spaces between them."),
                    }
                }
                Err(refusal) if refusal.code == "bad-die" => {
                    println!("  {}", refusal.message);
                    faces.pop();
                }
                Err(refusal) => return Err(refusal),
            }
        }
    }

    fn ask(&self, procedure: &str, facts: &Value, dice: Value) -> Result<Ruling, Refusal> {
        let mut request = json!({"system": self.system, "procedure": procedure, "input": facts});
        if let (Some(request), Value::Object(dice)) = (request.as_object_mut(), dice) {
            request.extend(dice);
        }
        match self.catalog.adjudicate(parse(request.to_string().as_bytes())?, fresh::seed, Budget::default())? {
            Response::Ruling(ruling) => Ok(*ruling),
            Response::Odds { .. } => Err(Refusal::new("internal", "A ruling was asked for and odds came.")),
        }
    }

    fn show_sheet(&self) {
        if self.sheet().is_empty() {
            println!("The sheet is empty. Objects of rulings come onto it by themselves.");
        }
        for item in self.sheet() {
            println!("{} ({})\n  {}", item.name, item.kind, item.value);
        }
    }

    fn keep(&mut self, rest: &str) -> Result<(), Refusal> {
        let (name, path) = rest.split_once(' ').ok_or_else(|| Refusal::new("bad-command", "keep NAME PATH, for example: keep Hood ship"))?;
        let made = self.made.last().ok_or_else(|| Refusal::new("bad-command", "There is no ruling yet."))?;
        let pointer = format!("/{}", path.trim().replace('.', "/"));
        let value = made.result.pointer(&pointer).cloned().ok_or_else(|| Refusal::new("unknown-field", format!("The last result has no '{path}'.")))?;
        if let Some(sheet) = self.sheets.last_mut() {
            put(sheet, LibraryItem { id: name.to_owned(), name: name.to_owned(), kind: "kept".into(), value });
        }
        println!("'{name}' is on the sheet.");
        Ok(())
    }

    fn own(&mut self, list: Value) -> Result<(), Refusal> {
        let bad = || Refusal::new("bad-value", "A file of one's own is a JSON list of objects with id, name and value.");
        for item in list.as_array().ok_or_else(bad)? {
            let text = |field: &str| item[field].as_str().map(str::to_owned);
            let id = text("id").ok_or_else(bad)?;
            self.library.insert(0, LibraryItem { name: text("name").unwrap_or_else(|| id.clone()), id, kind: "own".into(), value: item["value"].clone() });
        }
        Ok(())
    }

    fn save(&self, path: &Path) -> Result<(), Refusal> {
        let made: Vec<Value> = self
            .made
            .iter()
            .zip(&self.sheets[1..])
            .map(|(made, sheet)| json!({"procedure": made.procedure, "input": made.input, "dice": made.dice, "result": made.result, "sheet": sheet}))
            .collect();
        let text = serde_json::to_string_pretty(&json!({"flagplot-sheet": 1, "system": self.system, "edition": self.catalog.edition(self.system)?, "rulings": made}))
            .expect("a sheet is JSON");
        std::fs::write(path, text).map_err(|error| file_refusal("cannot-write", path, &error))?;
        println!("Written to {}: {} rulings.", path.display(), self.made.len());
        Ok(())
    }

    /// Reads a sheet back; every ruling is made again, so that an edited file is noticed.
    fn load(&mut self, path: &Path) -> Result<(), Refusal> {
        let file = read_json(&path.to_path_buf())?;
        let bad = |why: &str| Refusal::new("bad-sheet", format!("{}: {why}.", path.display()));
        if file["flagplot-sheet"] != 1 {
            return Err(bad("it is no referee's sheet of this program"));
        }
        if file["system"] != self.system {
            return Err(bad("it belongs to another system"));
        }
        let (mut made, mut sheets) = (Vec::new(), vec![Vec::new()]);
        for (at, ruling) in file["rulings"].as_array().ok_or_else(|| bad("it has no rulings"))?.iter().enumerate() {
            let procedure = ruling["procedure"].as_str().ok_or_else(|| bad("a ruling has no procedure"))?;
            let again = self.ask(procedure, &ruling["input"], json!({ "dice": ruling["dice"] }))?;
            if again.result != ruling["result"] {
                return Err(bad(&format!("ruling {} does not come out as it is written", at + 1)));
            }
            let mut sheet = Vec::new();
            for item in ruling["sheet"].as_array().ok_or_else(|| bad("a ruling has no sheet"))? {
                let text = |field: &str| item[field].as_str().unwrap_or_default().to_owned();
                sheet.push(LibraryItem { id: text("id"), name: text("name"), kind: text("kind"), value: item["value"].clone() });
            }
            let dice = again.rolls.iter().map(|roll| roll.face).collect();
            made.push(Made { procedure: procedure.to_owned(), input: ruling["input"].clone(), dice, result: again.result });
            sheets.push(sheet);
            self.last = Some(again.trace);
        }
        println!("{} rulings, {} objects on the sheet.", made.len(), sheets.last().map_or(0, Vec::len));
        self.made = made;
        self.sheets = sheets;
        Ok(())
    }
}

fn put(sheet: &mut Vec<LibraryItem>, item: LibraryItem) {
    match sheet.iter_mut().find(|held| held.id == item.id) {
        Some(held) => *held = item,
        None => sheet.push(item),
    }
}

/// Objects of the result that are such as the input took (a `ship` out of a `ship`) come onto the sheet under the name they had.
fn keep_ships(result: &Value, shape: &Shape, facts: &Value, library: &[LibraryItem], sheet: &mut Vec<LibraryItem>) {
    let (Value::Object(result), Value::Object(facts), Shape::Record { fields }) = (result, facts, shape) else { return };
    for field in fields {
        let (Some(after), Some(before)) = (result.get(field.name), facts.get(field.name)) else { continue };
        if !(after.is_object() && before.is_object()) {
            continue;
        }
        let known = library.iter().find(|item| item.value == *before).map(|item| (item.id.clone(), item.name.clone()));
        let named = ["name", "id"].iter().find_map(|key| after[*key].as_str()).filter(|name| !name.is_empty()).map(|name| (name.to_owned(), name.to_owned()));
        let (id, name) = known.or(named).unwrap_or_else(|| (field.name.to_owned(), field.name.to_owned()));
        println!("  On the sheet: {name}.");
        put(sheet, LibraryItem { id, name, kind: field.name.to_owned(), value: after.clone() });
    }
}

/// What a result calls for next: a number of something that has a procedure of its own.
fn chains(result: &Value, abouts: &[About]) -> Vec<String> {
    let Value::Object(fields) = result else { return Vec::new() };
    let mut hints = Vec::new();
    for (name, value) in fields {
        let stem = name.trim_end_matches('s').replace('_', "-");
        let Some(count) = value.as_u64().filter(|count| *count > 0) else { continue };
        let called: Vec<&str> = abouts.iter().map(|about| about.name).filter(|procedure| procedure.ends_with(&format!("-{stem}")) || *procedure == stem).collect();
        if !called.is_empty() {
            hints.push(format!("{name}: {count}. To resolve: {}.", called.join(" or ")));
        }
    }
    hints
}
