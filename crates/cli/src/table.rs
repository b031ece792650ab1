//! The referee's table in the terminal: the same table, the same record and the same chain as in the browser.

use crate::fields::{Form, HOW, Person, Shelf};
use crate::wrap::say;
use crate::{Done, file_refusal, print, proof};
use flagplot_catalog::{Catalog, GameSystem, LibraryItem, TABLE, TableInfo, table_options};
use flagplot_desk::{Desk, DiceSource, Record};
use flagplot_kernel::{Form as Choices, Refusal, Seat, SeatQuestion, Viewer};
use flagplot_referee::table::{Object, State, card_of, field_of};
use flagplot_referee::{Card, Field, Need, Shape};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const REFEREE: Seat = Seat(0);

const HELP: &str = "  forces WORDS      find forces of the data and put one on the table
  scenario [WORDS]  put the forces of a scenario on the table
  line TEXT         add forces written on one line, where the system supports it
  derive NAME       put a ship on the table by the figures of an encyclopaedia
  side 1 or 2       the side of the forces that follow
  place NAME X Y H  set an object on the map: millimetres east and north, heading in degrees
  correct NAME F=V  correct a figure of a sheet: correct Hood Structure=20
  remove NAME       take an object off the table
  acts [WORDS]      what can be done
  WORDS             do the act of that name
  owed              what is still due; then: do N, waive N
  next              the next phase
  sheet [NAME]      the sheets
  why               the proof of the last ruling
  undo              take back the last answer
  log               all verdicts
  save FILE         keep the table in a record from now on
  close             close the table for good
  quit";

struct Terminal<'a> {
    catalog: &'a Catalog,
    system: String,
    info: TableInfo,
    desk: Desk,
    /// The record, if the table is kept in one.
    file: Option<PathBuf>,
    /// Objects of the referee's own, beside those of the data.
    own: Vec<LibraryItem>,
    side: u8,
}

/// Rules a battle. Its record, if it has one, is written after every answer.
pub fn run(catalog: &Catalog, system: &str, file: Option<&Path>, own: Vec<LibraryItem>) -> Done {
    let desk = match file.map(|file| (file, std::fs::read(file))) {
        Some((_, Ok(bytes))) => resumed(catalog, system, &Record::parse(&bytes)?)?,
        Some((file, Err(error))) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(file_refusal("cannot-read", file, &error));
        }
        _ => {
            let options = table_options();
            let seats = catalog.game(system, TABLE, &options)?.seats().into_iter().map(|seat| seat.name).collect();
            Desk::open(catalog, system, TABLE, options, seats, DiceSource::committed(Vec::new()))?
        }
    };
    let info = catalog.table(system)?;
    let file = file.map(Path::to_owned);
    let mut table = Terminal { catalog, system: system.to_owned(), info, desk, file, own, side: 0 };
    table.keep()?;
    say!("{}: the referee's table. Type the name of an act, or help.", catalog.system(system)?.title());
    let mut person = Person::new(std::io::stdin().lock());
    table.show();
    table.roll_on(&mut person);
    while let Some(typed) = person.line("table> ") {
        if ["quit", "q", "exit"].contains(&typed.as_str()) {
            break;
        }
        if let Err(refusal) = table.command(&mut person, &typed) {
            say!("{refusal} ({})", refusal.code);
        }
        table.roll_on(&mut person);
    }
    if table.file.is_none() && table.view()["rulings"].as_u64() > Some(0) {
        say!("This table was not kept. Use --record FILE, or save FILE, to keep one.");
    }
    Ok(ExitCode::SUCCESS)
}

/// The table of a record. One whose dice cannot go on, because a server keeps their secret, draws new ones.
fn resumed(catalog: &Catalog, system: &str, record: &Record) -> Result<Desk, Refusal> {
    if record.header.scenario != TABLE || record.header.system != system {
        return Err(Refusal::new("other-record", format!("This is not the record of a referee's table of {system}.")));
    }
    match Desk::resume(catalog, record) {
        Ok(desk) => Ok(desk),
        Err(_) => Desk::resume(catalog, &record.clone().with_new_dice(&DiceSource::committed(Vec::new()))),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn matches(words: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    words.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

impl Terminal<'_> {
    fn view(&self) -> Value {
        self.desk.situation(Viewer::Seat(REFEREE)).view
    }

    fn keep(&self) -> Result<(), Refusal> {
        let Some(file) = &self.file else { return Ok(()) };
        let fresh = file.with_extension("part");
        let write = std::fs::write(&fresh, self.desk.record(true).to_text());
        write.and_then(|()| std::fs::rename(&fresh, file)).map_err(|error| file_refusal("cannot-write", file, &error))
    }

    fn answer(&mut self, value: Value) -> Result<(), Refusal> {
        self.desk.answer(REFEREE, value)?;
        self.keep()
    }

    fn show(&self) {
        let view = self.view();
        let phase = self.info.phases.get(view["phase"].as_u64().unwrap_or(0) as usize).map_or("", |phase| phase.title);
        say!("Turn {}, {phase}.", view["turn"]);
        for owed in view["owed"].as_array().into_iter().flatten() {
            say!("  owed {}: {}", owed["number"], text(&owed["why"]));
        }
    }

    /// Asks for dice as long as they are due.
    fn roll_on(&mut self, person: &mut Person<'_>) {
        let mut asked = false;
        let due = |question: &&SeatQuestion| ["dice", "losses"].contains(&question.prompt.code);
        while let Some(prompt) = self.desk.question_to(REFEREE).filter(due).cloned() {
            asked = true;
            if prompt.prompt.code == "losses" {
                if !self.lose(person, &prompt) {
                    return;
                }
                continue;
            }
            let line = format!("{} (the faces, or r to roll) ", prompt.prompt.text);
            let Some(typed) = person.line(&line) else { return };
            let value = match typed.trim() {
                "r" | "roll" => json!({"roll": true}),
                "undo" => {
                    if let Err(refusal) = self.desk.undo(REFEREE).and_then(|()| self.keep()) {
                        say!("{refusal}");
                    }
                    continue;
                }
                faces => json!({"dice": faces_in(faces, &prompt.form)}),
            };
            if let Err(refusal) = self.answer(value) {
                say!("{refusal}");
            }
        }
        if asked {
            say!("\n{}.\n", text(&self.view()["verdict"]));
            self.show();
        }
    }

    /// Shows the losses that are proposed, and takes them or others. False: nothing more is typed.
    fn lose(&mut self, person: &mut Person<'_>, question: &SeatQuestion) -> bool {
        let proposed = question.options.first().map(|option| option.value.clone()).unwrap_or_default();
        let Choices::Subset { items, .. } = &question.form else { return false };
        say!("{}", question.prompt.text);
        for (at, item) in items.iter().enumerate() {
            let goes = proposed["lose"].as_array().is_some_and(|list| list.iter().any(|id| *id == *item.id));
            let worth = item.options.first().map_or("", |option| &option.label);
            say!("  {}. {} ({worth}){}", at + 1, item.label, if goes { ", proposed" } else { "" });
        }
        let Some(typed) =
            person.line("Press Enter to accept the proposed losses, or type the numbers of the units to remove: ")
        else {
            return false;
        };
        if typed.trim() == "undo" {
            if let Err(refusal) = self.desk.undo(REFEREE).and_then(|()| self.keep()) {
                say!("{refusal}");
            }
            return true;
        }
        let chosen: Vec<&str> = typed
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|word| items.get(word.parse::<usize>().ok()?.checked_sub(1)?))
            .map(|item| item.id.as_str())
            .collect();
        let value = if typed.trim().is_empty() { proposed } else { json!({"lose": chosen}) };
        if let Err(refusal) = self.answer(value) {
            say!("{refusal}");
        }
        true
    }

    fn command(&mut self, person: &mut Person<'_>, typed: &str) -> Result<(), Refusal> {
        let (word, rest) = typed.split_once(' ').map_or((typed, ""), |(word, rest)| (word, rest.trim()));
        match word {
            "" => self.show(),
            "help" | "h" | "?" => println!("{HELP}"),
            "side" => {
                self.side = u8::from(rest == "2");
                say!("The next forces join {}.", text(&self.view()["sides"][usize::from(self.side)]));
            }
            "forces" => self.forces(person, rest)?,
            "scenario" => {
                let list: Vec<(String, String)> =
                    self.info.scenarios.iter().filter(|(_, title)| matches(rest, title)).cloned().collect();
                let titles: Vec<String> = list.iter().map(|(_, title)| title.clone()).collect();
                if let Some(at) = pick(person, "Which scenario", &titles) {
                    self.answer(json!({"do": "scenario", "scenario": list[at].0}))?;
                    self.show();
                }
            }
            "line" => self.answer(json!({"do": "line", "line": rest, "side": self.side}))?,
            "derive" => self.derive(person, rest)?,
            "acts" => {
                let found = self.info.acts.iter().filter(|act| matches(rest, &format!("{} {}", act.title, act.help)));
                found.for_each(|act| say!("  {:32} {}", act.title, act.help));
            }
            "owed" => self.show(),
            "do" => {
                let number = rest.parse::<u64>().unwrap_or(0);
                let view = self.view();
                let owed = view["owed"].as_array().into_iter().flatten().find(|owed| owed["number"] == number);
                let owed = owed
                    .ok_or_else(|| Refusal::new("not-owed", "No due item has that number. Type owed for the list."))?
                    .clone();
                self.act(person, text(&owed["act"]), owed["cast"].clone(), Some(number))?;
            }
            "waive" => self.answer(json!({"do": "waive", "owed": rest.parse::<u64>().unwrap_or(0)}))?,
            "next" => {
                self.answer(json!({"do": "next"}))?;
                self.show();
            }
            "sheet" | "sheets" => {
                let view = self.view();
                for object in view["objects"].as_array().into_iter().flatten() {
                    if matches(rest, text(&object["name"])) {
                        self.sheet(text(&object["id"]))?;
                    }
                }
            }
            "why" => {
                let notes: Vec<_> =
                    self.desk.log(Viewer::Seat(REFEREE), 0).into_iter().map(|entry| entry.note).collect();
                let from = notes.iter().rposition(|note| note.what == "act").unwrap_or(0);
                let charts = self.catalog.system(&self.system)?.charts();
                proof::unfold_all(&notes[from..], &charts).iter().for_each(|line| anstream::println!("{line}"));
            }
            "undo" => {
                self.desk.undo(REFEREE)?;
                self.keep()?;
                say!("The last answer is taken back.");
                self.show();
            }
            "log" => self
                .desk
                .log(Viewer::Seat(REFEREE), 0)
                .iter()
                .filter(|entry| !entry.note.detail)
                .for_each(|entry| say!("  {}", entry.note.text)),
            "save" if rest.is_empty() => {
                return Err(Refusal::new("bad-command", "Name a file, for example: save battle.flagplot"));
            }
            "save" => self.save(Path::new(rest))?,
            "place" => self.place(rest)?,
            "correct" => self.correct(rest)?,
            "remove" => {
                let id = self.named(rest)?;
                self.answer(json!({"do": "remove", "object": id}))?;
            }
            "close" => self.answer(json!({"do": "close"}))?,
            _ => {
                let found: Vec<_> = self.info.acts.iter().filter(|act| matches(typed, act.title)).collect();
                let titles: Vec<String> = found.iter().map(|act| act.title.to_owned()).collect();
                let ids: Vec<&'static str> = found.iter().map(|act| act.id).collect();
                if ids.is_empty() {
                    return Err(
                        Refusal::new("unknown-act", "No act is called that.").remedy("Type acts for all of them.")
                    );
                }
                let whole = titles.iter().position(|title| title.eq_ignore_ascii_case(typed));
                if let Some(at) = whole.or_else(|| pick(person, "Which act", &titles)) {
                    self.act(person, ids[at], json!({}), None)?;
                }
            }
        }
        Ok(())
    }

    /// Asks for the figures of an encyclopaedia field by field, and puts what follows from them on the table.
    fn derive(&mut self, person: &mut Person<'_>, name: &str) -> Result<(), Refusal> {
        let Some(procedure) = self.info.derives else {
            return Err(Refusal::new("not-derived", "This system cannot rate a ship from encyclopaedia figures."));
        };
        if name.is_empty() {
            return Err(Refusal::new("no-name", "A ship of your own needs a name.").remedy("For example: derive Kongo"));
        }
        say!("{HOW}");
        let facts = self.form(person, procedure, &self.input_of(procedure)?)?;
        self.answer(json!({"do": "forces", "forces": [{"derive": facts, "name": name, "side": self.side}]}))?;
        say!("{name} joins the table.");
        Ok(())
    }

    fn input_of(&self, procedure: &str) -> Result<Shape, Refusal> {
        let list = self.catalog.procedures(&self.system)?;
        let about = list.iter().find(|about| about.name == procedure);
        about.map(|about| about.input.clone()).ok_or_else(|| Refusal::new("unknown-act", "No act is called that."))
    }

    fn form(&self, person: &mut Person<'_>, procedure: &str, shape: &Shape) -> Result<Value, Refusal> {
        let system = self.catalog.system(&self.system)?;
        let shelf = Shelf::new(system, Vec::new());
        Ok(Form::new(person, &shelf, system.codes()).input(procedure, shape, Map::new())?)
    }

    /// Asks for a fact; what has parts is asked for part by part.
    fn tell(&self, person: &mut Person<'_>, act: &str, fact: &Value) -> Option<Value> {
        if ["bool", "int", "word", "text"].contains(&text(&fact["shape"]["kind"])) {
            return tell(person, fact);
        }
        let acts = self.catalog.system(&self.system).ok()?.acts();
        let procedure = acts.iter().find(|known| known.id == act)?.procedure;
        let (shape, unit) = field_of(&self.input_of(procedure).ok()?, text(&fact["path"]))?;
        // A form asks for records: the fact is its only field.
        let help: &'static str = "what the act needs";
        let only = Field { name: "it", help, shape, need: Need::Required, unit };
        say!("{}", text(&fact["label"]));
        let told = self.form(person, "", &Shape::Record { fields: vec![only] }).ok()?;
        told.get("it").cloned()
    }

    /// The id of an object on the table by its name or a part of it.
    fn named(&self, name: &str) -> Result<String, Refusal> {
        let view = self.view();
        let objects: Vec<&Value> = view["objects"].as_array().into_iter().flatten().collect();
        let exact = objects.iter().find(|object| text(&object["name"]).eq_ignore_ascii_case(name));
        let begun = || objects.iter().find(|object| !name.is_empty() && matches(name, text(&object["name"])));
        exact.or_else(begun).map(|object| text(&object["id"]).to_owned()).ok_or_else(|| {
            Refusal::new("unknown-object", format!("Nothing on the table is called '{name}'."))
                .remedy("Type sheet for everything on the table.")
        })
    }

    /// Keeps the table in a record from now on; a file that is there is not written over.
    fn save(&mut self, file: &Path) -> Result<(), Refusal> {
        if file.exists() && self.file.as_deref() != Some(file) {
            return Err(Refusal::new("file-there", format!("{} is there already.", file.display()))
                .remedy("Choose another name, or go on with it: --record FILE."));
        }
        self.file = Some(file.to_owned());
        self.keep()?;
        say!("The table is kept in {}.", file.display());
        Ok(())
    }

    fn place(&mut self, rest: &str) -> Result<(), Refusal> {
        let wrong = || Refusal::new("bad-command", "place NAME EAST NORTH HEADING, for example: place Hood 0 900 180");
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [name @ .., x, y, heading] = words.as_slice() else { return Err(wrong()) };
        let number = |word: &str| word.parse::<i64>().map_err(|_| wrong());
        let place = json!({"x": number(x)?, "y": number(y)?, "heading": number(heading)?});
        let id = self.named(&name.join(" "))?;
        self.answer(json!({"do": "place", "object": id, "place": place}))
    }

    fn correct(&mut self, rest: &str) -> Result<(), Refusal> {
        let wrong = || Refusal::new("bad-command", "correct NAME FIGURE=VALUE, for example: correct Hood fires=1");
        let (words, value) = rest.split_once('=').ok_or_else(wrong)?;
        let value = match value.trim() {
            "yes" => Value::Bool(true),
            "no" => Value::Bool(false),
            value => serde_json::from_str(value).unwrap_or_else(|_| value.into()),
        };
        // A name and a figure may both have several words: the longest name that is on the table counts.
        let splits = words.match_indices(' ').map(|(at, _)| (&words[..at], words[at..].trim()));
        let found = splits.rev().find_map(|(name, figure)| Some((self.named(name).ok()?, figure)));
        let (id, figure) = match found {
            Some(found) => found,
            None => (self.named(words.rsplit_once(' ').ok_or_else(wrong)?.0)?, ""),
        };
        let sheet = json!({"do": "correct", "object": id, "field": "", "value": null});
        let facts = self.desk.consider(&sheet).unwrap_or_default()["facts"].take();
        let called = |fact: &&Value| text(&fact["label"]).eq_ignore_ascii_case(figure);
        let field = facts.as_array().into_iter().flatten().find(called).map_or(figure, |fact| text(&fact["path"]));
        self.answer(json!({"do": "correct", "object": id, "field": field, "value": value}))
    }

    fn sheet(&self, id: &str) -> Result<(), Refusal> {
        let system = self.catalog.system(&self.system)?;
        let objects = objects(&self.desk);
        let card = objects.iter().find(|object| object.id == id).map(|object| card(system, object));
        card.iter().flat_map(print::terminal).for_each(|line| anstream::println!("{line}"));
        Ok(())
    }

    fn forces(&mut self, person: &mut Person<'_>, words: &str) -> Result<(), Refusal> {
        let side = self.side;
        let own = self.own.iter().filter(|item| matches(words, &format!("{} {}", item.name, item.kind))).map(|item| {
            let recruit = json!({"name": item.name, "kind": item.kind, "value": item.value, "side": side});
            (recruit, format!("{} (your own {})", item.name, item.kind))
        });
        let data = self
            .info
            .forces
            .iter()
            .filter(|force| matches(words, &format!("{} {} {}", force.name, force.kind, force.detail)))
            .map(|force| (json!({"of": force.id, "side": side}), format!("{} ({})", force.name, force.detail)));
        let found: Vec<(Value, String)> = own.chain(data).collect();
        if found.is_empty() {
            return Err(Refusal::new("unknown-force", "The data has nothing called that."));
        }
        // A name that is typed whole is not asked about.
        let whole = found
            .iter()
            .position(|(_, name)| name.split(" (").next().is_some_and(|name| name.eq_ignore_ascii_case(words)));
        let names: Vec<String> = found.iter().map(|(_, name)| name.clone()).collect();
        if let Some(at) = whole.or_else(|| pick(person, "Which of them", &names)) {
            self.answer(json!({"do": "forces", "forces": [found[at].0]}))?;
            say!("{} joins the table.", found[at].1);
        }
        Ok(())
    }

    fn act(&mut self, person: &mut Person<'_>, id: &str, cast: Value, owed: Option<u64>) -> Result<(), Refusal> {
        let Some(act) = self.info.acts.iter().find(|act| act.id == id).cloned() else { return Ok(()) };
        let mut cast: Map<String, Value> = cast.as_object().cloned().unwrap_or_default();
        let view = self.view();
        for role in &act.roles {
            if cast.contains_key(role.id) {
                continue;
            }
            let objects: Vec<&Value> = view["objects"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|object| role.kinds.contains(&text(&object["kind"])) && text(&object["gone"]).is_empty())
                .collect();
            let names: Vec<String> = objects.iter().map(|object| text(&object["name"]).to_owned()).collect();
            names.iter().enumerate().for_each(|(at, name)| say!("  {}. {name}", at + 1));
            let line = format!("{} (numbers; Enter for none)? ", role.title);
            let typed = person.line(&line).unwrap_or_default();
            let chosen: Vec<Value> = typed
                .split(|c: char| !c.is_ascii_digit())
                .filter_map(|word| objects.get(word.parse::<usize>().ok()?.checked_sub(1)?))
                .map(|object| object["id"].clone())
                .collect();
            cast.insert(role.id.to_owned(), chosen.into());
        }
        let mut deed = json!({"do": "act", "act": id, "cast": cast, "facts": {}});
        if let Some(owed) = owed {
            deed["owed"] = owed.into();
        }
        let mut all = false;
        loop {
            let said = self.desk.consider(&deed).unwrap_or_default();
            let parts = said["parts"].as_array().cloned().unwrap_or_default();
            if parts.len() > 1 && deed.get("part").is_none() {
                let names: Vec<String> = parts.iter().map(|part| text(&part["name"]).to_owned()).collect();
                let Some(at) = pick(person, "Which", &names) else { return Ok(()) };
                deed["part"] = parts[at]["id"].clone();
                continue;
            }
            let missing = said["facts"].as_array().into_iter().flatten().find(|fact| fact["missing"] == true);
            if let Some(fact) = missing {
                let Some(value) = self.tell(person, id, fact) else { return Ok(()) };
                let path = text(&fact["path"]).to_owned();
                deed["facts"][path] = value;
                continue;
            }
            if said["ready"] != true {
                say!("{}", text(&said["refusal"]["message"]));
            }
            let facts: Vec<&Value> =
                said["facts"].as_array().into_iter().flatten().filter(|fact| all || fact["main"] == true).collect();
            for (at, fact) in facts.iter().enumerate() {
                say!("  {}. {}: {}{}", at + 1, text(&fact["label"]), told(fact), worth(fact, &said["worth"]));
            }
            let more = said["facts"].as_array().map_or(0, Vec::len) - facts.len();
            if more > 0 {
                say!("  more: {more} further circumstances");
            }
            if !text(&said["first"]).is_empty() {
                say!("{}.", text(&said["first"]));
            }
            let chances: Vec<String> = said["chances"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|chance| format!("{} {}", text(&chance["label"]), text(&chance["text"])))
                .collect();
            let line = format!("{}? {} (Enter, the number of a fact to change, or x) ", act.verb, chances.join(", "));
            let typed = person.line(&line).unwrap_or_else(|| "x".to_owned());
            match typed.trim() {
                "" | "y" => {
                    self.answer(deed)?;
                    if self.desk.question_to(REFEREE).is_none_or(|question| question.prompt.code == "deed") {
                        say!("\n{}.\n", text(&self.view()["verdict"]));
                        self.show();
                    }
                    return Ok(());
                }
                "more" => all = true,
                number => match number.parse::<usize>().ok().and_then(|at| facts.get(at.checked_sub(1)?).copied()) {
                    Some(fact) => {
                        if let Some(value) = self.tell(person, id, fact) {
                            let path = text(&fact["path"]).to_owned();
                            deed["facts"][path] = value;
                        }
                    }
                    None => return Ok(()),
                },
            }
        }
    }
}

/// The faces that were typed; with dice of at most nine faces every digit is a die, as in the browser.
fn faces_in(typed: &str, form: &Choices) -> Vec<u64> {
    let form = serde_json::to_value(form).unwrap_or_default();
    let single = form["limits"][0][1].as_i64().is_some_and(|most| most <= 9);
    if single && typed.chars().all(|c| c.is_ascii_digit()) {
        return typed.chars().filter_map(|face| face.to_digit(10)).map(u64::from).collect();
    }
    typed.split(|c: char| !c.is_ascii_digit()).filter_map(|face| face.parse().ok()).collect()
}

/// What a fact says now, in the words and units of a person.
fn told(fact: &Value) -> String {
    if let Some(word) = word_of(fact, &fact["value"]) {
        return word;
    }
    let unit = text(&fact["unit"]);
    let value = format!("{}{}{unit}", shown(&fact["value"]), if unit.is_empty() { "" } else { " " });
    let other = fact["units"].as_array().and_then(|units| units.first()).zip(fact["value"].as_i64());
    let other = other.and_then(|(unit, value)| {
        let (these, those) = (unit["these"].as_i64()?, unit["those"].as_i64()?.max(1));
        Some(format!("{} {}", in_unit(value, these, those), text(&unit["name"])))
    });
    match other {
        Some(other) if unit.is_empty() => other,
        Some(other) => format!("{value} ({other})"),
        None => value,
    }
}

/// A number in another unit: to the whole where it is the smaller one, otherwise to three places.
fn in_unit(value: i64, these: i64, those: i64) -> String {
    if those < 10 * these {
        return ((value * these + those / 2) / those).to_string();
    }
    let thousandths = value * these * 1000 / those;
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The word for a value among a fact's choices.
fn word_of(fact: &Value, value: &Value) -> Option<String> {
    let choices = fact["choices"].as_array()?;
    choices.iter().find(|choice| choice[0] == *value).map(|choice| text(&choice[1]).to_owned())
}

/// What other values of a fact would change: ` (yes: hit −12%)`, ` (one more: hit −6%)`.
fn worth(fact: &Value, worth: &Value) -> String {
    let other = |one: &Value| match (fact["value"].as_i64(), one["value"].as_i64(), word_of(fact, &one["value"])) {
        (.., Some(word)) => word,
        (Some(now), Some(then), None) if then == now + 1 => "one more".to_owned(),
        _ => shown(&one["value"]),
    };
    let of_this = worth.as_array().into_iter().flatten().filter(|one| one["path"] == fact["path"]);
    let list: Vec<String> = of_this.map(|one| format!("{}: {}", other(one), text(&one["worth"]))).collect();
    if list.is_empty() { String::new() } else { format!(" ({})", list.join("; ")) }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Null => "not told".to_owned(),
        Value::String(word) => word.replace(['-', '_'], " "),
        other => other.to_string(),
    }
}

/// Asks for a fact that is one figure; a number may name another unit: `17000 m`.
fn tell(person: &mut Person<'_>, fact: &Value) -> Option<Value> {
    let kind = text(&fact["shape"]["kind"]);
    let given = fact["choices"].as_array().into_iter().flatten();
    let choices: Vec<(String, Value)> = match kind {
        "word" if fact["choices"].as_array().is_none_or(Vec::is_empty) => {
            let words = fact["shape"]["words"].as_array().into_iter().flatten();
            words.map(|word| (shown(word), word.clone())).collect()
        }
        _ => given.map(|choice| (text(&choice[1]).to_owned(), choice[0].clone())).collect(),
    };
    let units: Vec<&str> = fact["units"].as_array().into_iter().flatten().map(|unit| text(&unit["name"])).collect();
    let unit = text(&fact["unit"]);
    let help = match kind {
        "bool" => "y or n".to_owned(),
        _ if !choices.is_empty() => choices.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(", "),
        _ if units.is_empty() => unit.to_owned(),
        _ if unit.is_empty() => format!("in {}", units.join(" or ")),
        _ => format!("in {unit}, or with {}", units.join(" or ")),
    };
    let help = if help.is_empty() { help } else { format!(" ({help})") };
    let label = text(&fact["label"]);
    let typed = person.line(&format!("{label}{help}? "))?;
    let typed = typed.trim();
    let chosen = choices.iter().find(|(word, _)| word.eq_ignore_ascii_case(typed)).or_else(|| {
        let begun = |word: &str| !typed.is_empty() && word.to_lowercase().starts_with(&typed.to_lowercase());
        let mut found = choices.iter().filter(|(word, _)| begun(word));
        found.next().filter(|_| found.next().is_none())
    });
    if let Some((_, value)) = chosen {
        return Some(value.clone());
    }
    match kind {
        "bool" => Some(Value::Bool(["y", "yes", "true"].contains(&typed))),
        "int" => {
            let number: String = typed.chars().filter(|c| c.is_ascii_digit() || "-.".contains(*c)).collect();
            let (whole, places) = number.split_once('.').unwrap_or((&number, ""));
            // So many thousandths: a person may type 2.5 card lengths.
            let places: i64 = format!("{places:0<3}").get(..3)?.parse().ok()?;
            let thousandths = whole.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(places)?;
            let named = typed.trim_start_matches(|c: char| c.is_ascii_digit() || "-,. ".contains(c));
            let other = fact["units"].as_array().into_iter().flatten().find(|unit| text(&unit["name"]) == named);
            let in_unit = other.and_then(|unit| Some((unit["these"].as_i64()?, unit["those"].as_i64()?)));
            let only = fact["units"].as_array().and_then(|units| units.first()).filter(|_| unit.is_empty());
            let in_unit =
                in_unit.or_else(|| only.and_then(|unit| Some((unit["these"].as_i64()?, unit["those"].as_i64()?))));
            let (these, those) = in_unit.unwrap_or((1, 1));
            let per = these.max(1).checked_mul(1000)?;
            Some((thousandths.checked_mul(those)?.checked_add(per - 1)?.div_euclid(per)).into())
        }
        _ => Some(typed.into()),
    }
}

/// One of some things by its number; the only one without a question.
fn pick(person: &mut Person<'_>, what: &str, names: &[String]) -> Option<usize> {
    if names.len() < 2 {
        return (!names.is_empty()).then_some(0);
    }
    names.iter().enumerate().for_each(|(at, name)| say!("  {}. {name}", at + 1));
    let typed = person.line(&format!("{what} (its number)? "))?;
    typed.trim().parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < names.len())
}

fn objects(desk: &Desk) -> Vec<Object> {
    let state: Result<State, _> = serde_json::from_slice(&desk.checkpoint().bytes());
    state.map(|state| state.objects).unwrap_or_default()
}

fn card(system: &dyn GameSystem, object: &Object) -> Card {
    card_of(system, object)
}

/// The cards of a table's record as they are now, and its log.
pub fn cards(catalog: &Catalog, file: &Path) -> Result<(Vec<Card>, Vec<String>), Refusal> {
    let bytes = std::fs::read(file).map_err(|error| file_refusal("cannot-read", file, &error))?;
    let desk = Record::parse(&bytes)?.replay(catalog, None)?;
    if !desk.game().table() {
        return Err(Refusal::new("no-table", "This is not the record of a referee's table."));
    }
    let header = desk.header();
    let system = catalog.system(&header.system)?;
    let cards = objects(&desk).iter().map(|object| card(system, object)).collect();
    let log =
        desk.log(Viewer::Everything, 0).into_iter().filter(|entry| !entry.note.detail && entry.note.what != "act");
    Ok((cards, log.map(|entry| entry.note.text).collect()))
}
