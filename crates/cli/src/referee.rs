//! The referee at the table: rulings one after the other, with a sheet that keeps the ships.

use crate::fields::{Form, GivenUp, HOW, Person, Shelf, change, in_words};
use crate::odds::read_json;
use crate::{Done, file_refusal, fresh, print, proof};
use clap::Args;
use flagplot_catalog::{Catalog, LibraryItem};
use flagplot_kernel::{Chance, Die, Note, Refusal};
use flagplot_odds::Budget;
use flagplot_referee::{About, FollowUp, Pick, Response, Ruling, Shape, parse};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
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
    /// Ships and other objects of your own, as a JSON list of {"id","name","kind","value"}
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
  sheet [NAME]        the objects kept, as the last rulings left them
  rulings             what was ruled so far
  why                 the proof of the last ruling
  undo                take back the last ruling and what it changed on the sheet
  put NAME [F=V …]    put an object of the data on the sheet, with changes
  keep NAME PATH      keep a part of the last result (dotted path) on the sheet
  drop NAME           take an object off the sheet
  save FILE, load FILE
  quit";

impl Referee {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let mut table = RefereeTable {
            catalog,
            system: &self.system,
            made: Vec::new(),
            sheets: vec![Vec::new()],
            library: catalog.system(&self.system)?.library(),
            last: None,
        };
        if let Some(path) = &self.own {
            table.library.splice(0..0, own_items(&read_json(path)?)?);
        }
        println!("{}. Type the name of a procedure, or help.\n{HOW}", catalog.system(&self.system)?.title());
        if let Some(path) = &self.load {
            table.load(path)?;
        }
        let mut person = Person::new(std::io::stdin().lock());
        while let Some(typed) = person.line("referee> ") {
            if ["quit", "q", "exit"].contains(&typed.as_str()) {
                break;
            }
            if let Err(refusal) = table.command(&mut person, &typed) {
                println!("{refusal} ({})", refusal.code);
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Objects from the user's own file.
pub fn own_items(list: &Value) -> Result<Vec<LibraryItem>, Refusal> {
    let bad =
        || Refusal::new("bad-value", "Your own file must be a JSON list of objects with id, name, kind and value.");
    let item = |item: &Value| {
        let text = |field: &str| item[field].as_str().map(str::to_owned);
        let id = text("id").ok_or_else(bad)?;
        Ok(LibraryItem {
            name: text("name").unwrap_or_else(|| id.clone()),
            id,
            kind: text("kind").unwrap_or_else(|| "ship".to_owned()),
            value: item["value"].clone(),
        })
    };
    list.as_array().ok_or_else(bad)?.iter().map(item).collect()
}

/// The sheet at the end of a saved file, for the printer.
pub fn saved_sheet(path: &Path, system: &str) -> Result<Vec<LibraryItem>, Refusal> {
    let file = read_json(&path.to_path_buf())?;
    let bad = |why: &str| Refusal::new("bad-sheet", format!("{}: {why}.", path.display()));
    if file["flagplot-sheet"] != 1 {
        return Err(bad("it is no referee's sheet of this program"));
    }
    if file["system"] != system {
        return Err(bad("it belongs to another system"));
    }
    Ok(sheet_items(
        file["rulings"].as_array().and_then(|rulings| rulings.last()).map_or(&file["sheet"], |ruling| &ruling["sheet"]),
    ))
}

fn sheet_items(list: &Value) -> Vec<LibraryItem> {
    let text = |item: &Value, field: &str| item[field].as_str().unwrap_or_default().to_owned();
    let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .map(|item| LibraryItem {
            id: text(item, "id"),
            name: text(item, "name"),
            kind: text(item, "kind"),
            value: item["value"].clone(),
        })
        .collect()
}

struct RefereeTable<'a> {
    catalog: &'a Catalog,
    system: &'a str,
    made: Vec<Made>,
    /// The sheet after each ruling, the one from before the first ruling first.
    sheets: Vec<Vec<LibraryItem>>,
    library: Vec<LibraryItem>,
    last: Option<Vec<Note>>,
}

/// A ruling that is to be made: a procedure with what is known of its input, and the objects that go with it.
struct Task {
    about: About,
    known: Map<String, Value>,
    objects: Vec<(String, String)>,
}

impl RefereeTable<'_> {
    fn command(&mut self, person: &mut Person<'_>, typed: &str) -> Result<(), Refusal> {
        let (word, rest) = typed.split_once(' ').map_or((typed, ""), |(word, rest)| (word, rest.trim()));
        match word {
            "" => {}
            "help" | "h" | "?" => println!("{HELP}"),
            "list" => self
                .catalog
                .procedures(self.system)?
                .iter()
                .for_each(|about| println!("  {:24} {}", about.name, about.help)),
            "sheet" => self.show_sheet(rest)?,
            "rulings" => self.show_rulings(),
            "why" => match &self.last {
                Some(notes) => proof::unfold_all(notes, &self.catalog.system(self.system)?.charts())
                    .iter()
                    .for_each(|line| anstream::println!("{line}")),
                None => println!("There is no ruling to prove."),
            },
            "undo" => match self.made.pop() {
                Some(made) => {
                    self.sheets.pop();
                    self.last = None;
                    println!("The ruling '{}' is taken back; the sheet is as it was before.", made.procedure);
                }
                None => println!("There is nothing to take back."),
            },
            "put" => self.put(rest)?,
            "keep" => self.keep(rest)?,
            "drop" => self.drop(rest)?,
            "save" if !rest.is_empty() => self.save(Path::new(rest))?,
            "load" if !rest.is_empty() => self.load(Path::new(rest))?,
            "save" | "load" => println!("Which file?"),
            _ => {
                let about = self.find(person, typed)?;
                self.rule_on(person, Task { about, known: Map::new(), objects: Vec::new() })?;
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
        let unknown = || {
            Refusal::new("unknown-procedure", format!("No procedure is called '{typed}'."))
                .remedy("Type list for all of them, help for everything else.")
        };
        if typed.chars().count() < 2 {
            return Err(unknown());
        }
        let wanted = typed.to_lowercase();
        let all = |text: &str| wanted.split_whitespace().all(|part| text.to_lowercase().contains(part));
        let by_name: Vec<&About> = abouts.iter().filter(|about| all(about.name)).collect();
        let found = if by_name.is_empty() {
            abouts.iter().filter(|about| all(&format!("{} {}", about.name, about.help))).collect()
        } else {
            by_name
        };
        match found.as_slice() {
            [] => Err(unknown()),
            [one] => Ok((*one).clone()),
            several => {
                several
                    .iter()
                    .enumerate()
                    .for_each(|(at, about)| println!("  {}. {:24} {}", at + 1, about.name, about.help));
                let pick = person
                    .line("Which one (its number)? ")
                    .and_then(|typed| several.get(typed.parse::<usize>().ok()?.checked_sub(1)?).copied());
                pick.cloned().ok_or_else(|| Refusal::new("given-up", "None was chosen."))
            }
        }
    }

    /// A ruling with everything that it leads to, as far as the people at the table want it.
    fn rule_on(&mut self, person: &mut Person<'_>, task: Task) -> Result<(), Refusal> {
        let mut tasks = VecDeque::from([task]);
        while let Some(task) = tasks.pop_front() {
            // What follows from this ruling comes before what was still open.
            let mut next = Vec::new();
            for follow in self.rule(person, &task)? {
                let times = if follow.times > 1 { format!(", {} times", follow.times) } else { String::new() };
                let typed = person
                    .line(&format!("{}: {}{times}. Resolve? (y/n) ", follow.why, follow.procedure))
                    .unwrap_or_default();
                if !["", "y", "yes"].contains(&typed.to_lowercase().as_str()) {
                    continue;
                }
                let Some(about) =
                    self.catalog.procedures(self.system)?.iter().find(|about| about.name == follow.procedure)
                else {
                    continue;
                };
                let FollowUp { known, objects, times, .. } = follow;
                let known = known.as_object().cloned().unwrap_or_default();
                next.extend((0..times).map(|_| Task {
                    about: about.clone(),
                    known: known.clone(),
                    objects: objects.clone(),
                }));
            }
            next.into_iter().rev().for_each(|task| tasks.push_front(task));
        }
        Ok(())
    }

    fn rule(&mut self, person: &mut Person<'_>, task: &Task) -> Result<Vec<FollowUp>, Refusal> {
        let about = &task.about;
        println!("\n{}: {}\n  Dice: {}.", about.name, about.help, about.dice);
        let system = self.catalog.system(self.system)?;
        let codes = system.codes();
        let procedures = self.catalog.procedures(self.system)?.iter().map(|about| about.name).collect();
        let shelf = Shelf::new(system, procedures, self.sheet(), &self.library);
        let mut known = task.known.clone();
        let mut picks = Vec::new();
        for (path, id) in &task.objects {
            let Some(offer) = shelf.find(id) else { continue };
            picks.push(Pick { path: path.clone(), item: offer.item.clone() });
            // A place the input does not have is only carried along.
            if let Shape::Record { fields } = &about.input
                && let Some(field) = fields.iter().find(|field| field.name == path)
                && let Some(form) = shelf.form(id, &field.shape, &codes)
            {
                println!("  {path}: {}", form.name);
                known.insert(path.clone(), form.value.clone());
            }
        }
        for (name, value) in known.iter().filter(|(name, _)| !task.objects.iter().any(|(path, _)| path == *name)) {
            println!("  {name}: {}", in_words(value));
        }
        let mut form = Form::new(person, &shelf, codes);
        let mut facts = form.input(about.name, &about.input, known)?;
        picks.extend(form.picks);
        let ruling = self.with_dice(person, about, &mut facts)?;
        // What was changed after it was picked is part of the object too, and so is what was left to its default.
        let filled = about.input.check(facts.clone(), "input", &codes).unwrap_or_else(|_| facts.clone());
        for pick in picks.iter_mut().filter(|pick| !pick.path.is_empty()) {
            let now = filled.pointer(&format!("/{}", pick.path.replace('.', "/")));
            if let Some(now) = now.filter(|now| {
                now.as_object()
                    .zip(pick.item.value.as_object())
                    .is_some_and(|(now, held)| held.keys().all(|key| now.contains_key(key)))
            }) {
                pick.item.value = now.clone();
            }
        }
        let after = system.aftermath(about.name, &picks, &ruling.result);
        self.show_ruling(&ruling, &picks, &after);
        let mut sheet = self.sheet().to_vec();
        after.into_iter().for_each(|item| put(&mut sheet, item));
        let follow = system.follow_ups(about.name, &facts, &picks, &ruling.result);
        self.made.push(Made {
            procedure: about.name.to_owned(),
            input: facts,
            dice: ruling.rolls.iter().map(|roll| roll.face).collect(),
            result: ruling.result,
        });
        self.sheets.push(sheet);
        self.last = Some(ruling.trace);
        Ok(follow)
    }

    /// The result in words, what changed, and the headlines of the proof.
    fn show_ruling(&self, ruling: &Ruling, picks: &[Pick], after: &[LibraryItem]) {
        println!();
        if !ruling.rolls.is_empty() {
            let rolls: Vec<String> =
                ruling.rolls.iter().map(|roll| format!("{} {} ({})", roll.die, roll.face, roll.what)).collect();
            println!("  Dice: {}", rolls.join(", "));
        }
        let kept: Vec<&Value> = after.iter().map(|item| &item.value).collect();
        for line in summary(&ruling.result, &kept) {
            println!("  {line}");
        }
        for item in after {
            let before = picks.iter().find(|pick| pick.item.id == item.id).map(|pick| &pick.item);
            let mut changed = before.map_or_else(Vec::new, |before| changes(&before.value, &item.value));
            if before.is_some_and(|before| before.kind != item.kind) {
                changed.insert(0, item.kind.clone());
            }
            println!(
                "  {}: {}",
                item.name,
                if changed.is_empty() { "unharmed".to_owned() } else { changed.join(", ") }
            );
        }
        println!("  Because:");
        ruling.trace.iter().filter(|note| !note.detail).for_each(|note| println!("    {}", note.text));
    }

    /// Dice typed one after the other as the rules call for them, or rolled.
    fn with_dice(&self, person: &mut Person<'_>, about: &About, facts: &mut Value) -> Result<Ruling, Refusal> {
        let system = self.catalog.system(self.system)?;
        let codes = system.codes();
        // How many faces there were before each line of dice, so that a line can be taken back.
        let (mut faces, mut lines): (Vec<u8>, Vec<usize>) = (Vec::new(), Vec::new());
        loop {
            match self.ask(about.name, facts, json!({ "dice": faces })) {
                Ok(ruling) => return Ok(ruling),
                Err(refusal) if refusal.code == codes.dice_missing => {
                    let wanted = Wanted::read(&refusal.message);
                    let prompt = wanted.as_ref().map_or_else(|| format!("  {}", refusal.message), Wanted::prompt);
                    let typed = person
                        .line(&format!("{prompt} (faces, or Enter to roll): "))
                        .filter(|typed| typed != "cancel")
                        .ok_or(GivenUp)?;
                    match typed.as_str() {
                        "?" => println!("  {} {}", refusal.message, about.dice),
                        "back" => match lines.pop() {
                            Some(before) => faces.truncate(before),
                            None => self.correct(person, about, facts)?,
                        },
                        "" => {
                            let Some(wanted) = wanted else {
                                return self.ask(about.name, facts, json!({ "seed": fresh::seed() }));
                            };
                            let mut chance = Chance::seeded(fresh::seed());
                            let rolled: Vec<u8> =
                                (0..wanted.count).map(|_| chance.face(Die { sides: wanted.sides })).collect();
                            let shown: Vec<u8> = rolled
                                .iter()
                                .map(|&face| if system.ten_shows_zero() && face == 10 { 0 } else { face })
                                .collect();
                            println!(
                                "  Rolled: {}",
                                shown.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
                            );
                            lines.push(faces.len());
                            faces.extend(shown);
                        }
                        _ => {
                            let more: Result<Vec<u8>, _> =
                                typed.split([' ', ',']).filter(|part| !part.is_empty()).map(str::parse).collect();
                            match more {
                                Ok(more) => {
                                    lines.push(faces.len());
                                    faces.extend(more);
                                }
                                Err(_) => println!(
                                    "  Faces are whole numbers with spaces between them; back takes back the last line of dice."
                                ),
                            }
                        }
                    }
                }
                Err(refusal)
                    if !lines.is_empty() && (refusal.code == "bad-die" || refusal.code == codes.dice_unused) =>
                {
                    println!("  {} The last line of dice is taken back.", refusal.message);
                    faces.truncate(lines.pop().unwrap_or(0));
                }
                Err(refusal) => {
                    println!("  {refusal} ({})", refusal.code);
                    self.correct(person, about, facts)?;
                    faces.clear();
                    lines.clear();
                }
            }
        }
    }

    /// Lets a person change single fields of an input that cannot be ruled on as it is.
    fn correct(&self, person: &mut Person<'_>, about: &About, facts: &mut Value) -> Result<(), Refusal> {
        let codes = self.catalog.system(self.system)?.codes();
        loop {
            let typed = person
                .line("  Change FIELD=VALUE (dotted; FIELD= takes it away), or back to give up: ")
                .ok_or(GivenUp)?;
            if ["back", "cancel"].contains(&typed.as_str()) {
                return Err(GivenUp.into());
            }
            let pairs: Option<Vec<(&str, &str)>> = typed.split_whitespace().map(|word| word.split_once('=')).collect();
            let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) else { continue };
            let wrong =
                pairs.into_iter().find_map(|(name, text)| change(&about.input, facts, name, text, name, &codes).err());
            match wrong {
                None => return Ok(()),
                Some(refusal) => println!("  {refusal}"),
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

    fn show_sheet(&self, name: &str) -> Result<(), Refusal> {
        if self.sheet().is_empty() {
            println!(
                "The sheet is empty. Objects of rulings come onto it by themselves; put NAME puts one of the data on it."
            );
        }
        let system = self.catalog.system(self.system)?;
        let wanted = name.to_lowercase();
        for item in self.sheet().iter().filter(|item| item.name.to_lowercase().contains(&wanted)) {
            let before = self.library.iter().find(|fresh| fresh.id == item.id && fresh.kind == item.kind);
            print::terminal(&system.card(item, before)).iter().for_each(|line| anstream::println!("{line}"));
        }
        Ok(())
    }

    fn show_rulings(&self) {
        if self.made.is_empty() {
            println!("There is no ruling yet.");
        }
        for (at, made) in self.made.iter().enumerate() {
            let dice = made.dice.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            println!("  {:3}. {:24} dice {}", at + 1, made.procedure, if dice.is_empty() { "none" } else { &dice });
        }
    }

    /// Objects of the data and the sheet by a name or a part of it.
    fn named(&self, name: &str) -> Result<&LibraryItem, Refusal> {
        let wanted = name.to_lowercase();
        let all = || self.sheet().iter().chain(&self.library);
        let exact = all().find(|item| item.id.to_lowercase() == wanted || item.name.to_lowercase() == wanted);
        let found =
            exact.or_else(|| all().find(|item| !wanted.is_empty() && item.name.to_lowercase().contains(&wanted)));
        found.ok_or_else(|| {
            Refusal::new("unknown-object", format!("Nothing in the data or on the sheet is called '{name}'."))
        })
    }

    fn put(&mut self, rest: &str) -> Result<(), Refusal> {
        let (changes, name): (Vec<&str>, Vec<&str>) = rest.split_whitespace().partition(|word| word.contains('='));
        let mut item = self.named(&name.join(" "))?.clone();
        for word in changes {
            let (field, text) = word.split_once('=').unwrap_or((word, ""));
            let pointer = format!("/{}", field.replace('.', "/"));
            let place = item
                .value
                .pointer_mut(&pointer)
                .ok_or_else(|| Refusal::new("unknown-field", format!("{} has no field '{field}'.", item.name)))?;
            *place = serde_json::from_str(text).unwrap_or_else(|_| text.into());
        }
        println!("{} is on the sheet.", item.name);
        if let Some(sheet) = self.sheets.last_mut() {
            put(sheet, item);
        }
        Ok(())
    }

    fn keep(&mut self, rest: &str) -> Result<(), Refusal> {
        let (name, path) = rest
            .split_once(' ')
            .ok_or_else(|| Refusal::new("bad-command", "keep NAME PATH, for example: keep Hood ship"))?;
        let made = self.made.last().ok_or_else(|| Refusal::new("bad-command", "There is no ruling yet."))?;
        let pointer = format!("/{}", path.trim().replace('.', "/"));
        let value = made
            .result
            .pointer(&pointer)
            .cloned()
            .ok_or_else(|| Refusal::new("unknown-field", format!("The last result has no '{path}'.")))?;
        let last = path.trim().rsplit('.').next().unwrap_or("kept");
        if let Some(sheet) = self.sheets.last_mut() {
            put(sheet, LibraryItem { id: name.to_lowercase(), name: name.to_owned(), kind: last.to_owned(), value });
        }
        println!("'{name}' is on the sheet.");
        Ok(())
    }

    fn drop(&mut self, name: &str) -> Result<(), Refusal> {
        let wanted = name.to_lowercase();
        let sheet = self.sheets.last_mut();
        let at = sheet.as_ref().and_then(|sheet| {
            sheet.iter().position(|item| item.name.to_lowercase() == wanted || item.id.to_lowercase() == wanted)
        });
        match (sheet, at) {
            (Some(sheet), Some(at)) => {
                println!("{} is off the sheet.", sheet.remove(at).name);
                Ok(())
            }
            _ => Err(Refusal::new("unknown-object", format!("Nothing on the sheet is called '{name}'."))),
        }
    }

    fn save(&self, path: &Path) -> Result<(), Refusal> {
        let made: Vec<Value> = self
            .made
            .iter()
            .zip(&self.sheets[1..])
            .map(|(made, sheet)| json!({"procedure": made.procedure, "input": made.input, "dice": made.dice, "result": made.result, "sheet": sheet}))
            .collect();
        let file = json!({"flagplot-sheet": 1, "system": self.system, "edition": self.catalog.edition(self.system)?, "sheet": self.sheets[0], "rulings": made});
        let text = serde_json::to_string_pretty(&file).expect("a sheet is JSON");
        std::fs::write(path, text).map_err(|error| file_refusal("cannot-write", path, &error))?;
        println!(
            "Written to {}: {} rulings, {} objects on the sheet.",
            path.display(),
            self.made.len(),
            self.sheet().len()
        );
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
        let (mut made, mut sheets, mut last) = (Vec::new(), vec![sheet_items(&file["sheet"])], None);
        for (at, ruling) in file["rulings"].as_array().ok_or_else(|| bad("it has no rulings"))?.iter().enumerate() {
            let procedure = ruling["procedure"].as_str().ok_or_else(|| bad("a ruling has no procedure"))?;
            let again = self.ask(procedure, &ruling["input"], json!({ "dice": ruling["dice"] }))?;
            if again.result != ruling["result"] {
                return Err(bad(&format!("ruling {} does not come out as it is written", at + 1)));
            }
            let dice = again.rolls.iter().map(|roll| roll.face).collect();
            made.push(Made {
                procedure: procedure.to_owned(),
                input: ruling["input"].clone(),
                dice,
                result: again.result,
            });
            sheets.push(sheet_items(&ruling["sheet"]));
            last = Some(again.trace);
        }
        if file["edition"] != self.catalog.edition(self.system)? {
            println!("The sheet was kept under other rules or data; every ruling comes out the same all the same.");
        }
        println!("{} rulings, {} objects on the sheet.", made.len(), sheets.last().map_or(0, Vec::len));
        (self.made, self.sheets, self.last) = (made, sheets, last);
        Ok(())
    }
}

/// Dice that the rules call for.
#[derive(Debug, PartialEq)]
struct Wanted {
    count: u32,
    sides: u8,
    what: String,
}

impl Wanted {
    /// Out of the referee's sentence: `… the rules call for 2 more (d20) for: to hit.`
    fn read(message: &str) -> Option<Self> {
        let (count, rest) = message.split_once("the rules call for ")?.1.split_once(" more (d")?;
        let (sides, what) = rest.split_once(") for: ")?;
        Some(Self {
            count: count.parse().ok()?,
            sides: sides.parse().ok()?,
            what: what.trim_end_matches('.').to_owned(),
        })
    }

    fn prompt(&self) -> String {
        if self.count == 1 {
            format!("  d{} for {}", self.sides, self.what)
        } else {
            format!("  {}d{} for {}", self.count, self.sides, self.what)
        }
    }
}

fn put(sheet: &mut Vec<LibraryItem>, item: LibraryItem) {
    match sheet.iter_mut().find(|held| held.id == item.id) {
        Some(held) => *held = item,
        None => sheet.push(item),
    }
}

/// The fields of a result in words: single values on one line, the rest below; what is on the sheet is left out.
fn summary(result: &Value, kept: &[&Value]) -> Vec<String> {
    let Value::Object(fields) = result else { return vec![in_words(result)] };
    let name = |name: &str| name.replace('_', " ");
    let single: Vec<String> = fields
        .iter()
        .filter(|(_, value)| !value.is_object() && !value.is_array())
        .map(|(field, value)| format!("{} {}", name(field), in_words(value)))
        .collect();
    let mut lines = wrap(&single, 96);
    for (field, value) in
        fields.iter().filter(|(_, value)| (value.is_object() || value.is_array()) && !kept.contains(value))
    {
        match value {
            Value::Array(items) if items.is_empty() => {}
            Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
                lines.push(format!("{}: {}", name(field), items.iter().map(in_words).collect::<Vec<_>>().join(", ")));
            }
            Value::Array(items) if items.iter().all(|item| item["name"].is_string() && item["value"].is_i64()) => {
                let named =
                    |item: &Value| format!("{} {:+}", in_words(&item["name"]), item["value"].as_i64().unwrap_or(0));
                lines.push(format!("{}: {}", name(field), items.iter().map(named).collect::<Vec<_>>().join(", ")));
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    // Short objects, such as named modifiers, need one line each.
                    let brief = in_words(item);
                    if brief.chars().count() < 80
                        && !kept
                            .iter()
                            .any(|held| item.as_object().is_some_and(|item| item.values().any(|value| value == *held)))
                    {
                        lines.push(format!("{} {}: {brief}", name(field), at + 1));
                    } else {
                        lines.push(format!("{} {}:", name(field), at + 1));
                        lines.extend(summary(item, kept).into_iter().map(|line| format!("  {line}")));
                    }
                }
            }
            _ => {
                lines.push(format!("{}:", name(field)));
                lines.extend(summary(value, kept).into_iter().map(|line| format!("  {line}")));
            }
        }
    }
    lines
}

/// Words with dots between them, in lines of at most `width` characters.
pub fn wrap(words: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() + 3 <= width => {
                *line = format!("{line} · {word}")
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
}

/// What has changed between two forms of an object: `f 25 → 21`, `main mounts 2 lost`.
fn changes(before: &Value, after: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare(before, after, "", &mut found);
    found
}

fn compare(before: &Value, after: &Value, name: &str, found: &mut Vec<String>) {
    match (before, after) {
        (before, after) if before == after => {}
        (Value::Object(old), Value::Object(new)) => {
            for (field, value) in new {
                let label = if name.is_empty() {
                    field.replace('_', " ")
                } else {
                    format!("{name} {}", field.replace('_', " "))
                };
                match old.get(field) {
                    // A mount that is lost says so in two words.
                    Some(Value::Bool(false)) if field == "lost" && *value == Value::Bool(true) => {
                        found.push(format!("{name} lost"))
                    }
                    Some(held) => compare(held, value, &label, found),
                    None => {}
                }
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (at, (old, new)) in old.iter().zip(new).enumerate() {
                compare(old, new, &format!("{name} {}", at + 1), found);
            }
        }
        _ => found.push(format!("{name} {} → {}", in_words(before), in_words(after))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_referees_sentence_says_which_dice_are_wanted() {
        let wanted = Wanted::read("3 dice were given and 3 used; the rules call for 2 more (d20) for: to hit.");
        assert_eq!(wanted, Some(Wanted { count: 2, sides: 20, what: "to hit".into() }));
        assert_eq!(Wanted::read("Something else."), None);
    }

    #[test]
    fn changes_name_what_is_lost_and_what_is_less() {
        let before = json!({"f": 9, "speed": 30, "main_mounts": [{"lost": false}, {"lost": false}]});
        let after = json!({"f": 7, "speed": 30, "main_mounts": [{"lost": false}, {"lost": true}]});
        assert_eq!(changes(&before, &after), ["f 9 → 7", "main mounts 2 lost"]);
    }

    #[test]
    fn a_summary_leaves_out_what_is_on_the_sheet() {
        let ship = json!({"f": 7});
        let lines = summary(
            &json!({"hit": true, "needed": 12, "ship": ship, "modifiers": [{"name": "size", "value": 1}]}),
            &[&ship],
        );
        assert_eq!(lines, ["hit yes · needed 12", "modifiers: size +1"]);
    }
}
