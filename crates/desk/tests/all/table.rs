//! The referee's table at the desk: forces, rulings, chains, undo, records, and the same sheets as by `adjudicate`.

use flagplot_catalog::{Catalog, TABLE, table_options};
use flagplot_desk::{Desk, DiceSource, Entry, Record, Secret, Shares};
use flagplot_kernel::{Refusal, Seat, Viewer};
use flagplot_odds::Budget;
use serde_json::{Value, json};
use std::collections::VecDeque;

pub(crate) const REFEREE: Seat = Seat(0);

pub(crate) struct Table<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) system: &'a str,
    pub(crate) desk: Desk,
}

impl<'a> Table<'a> {
    fn open(catalog: &'a Catalog, system: &'a str, dice: DiceSource) -> Self {
        let seats = (0..5).map(|n| format!("Seat {n}")).collect();
        let desk = Desk::open(catalog, system, TABLE, Value::Null, seats, dice).expect("a table");
        Self { catalog, system, desk }
    }

    fn new(catalog: &'a Catalog, system: &'a str) -> Self {
        Self::open(catalog, system, DiceSource::Seeded(7))
    }

    pub(crate) fn view(&self) -> Value {
        self.desk.situation(Viewer::Spectator).view
    }

    /// The sheets as the desk keeps them.
    pub(crate) fn state(&self) -> Value {
        serde_json::from_slice(&self.desk.checkpoint().bytes()).expect("a state")
    }

    fn sheet(&self, name: &str) -> Value {
        let state = self.state();
        let objects = state["objects"].as_array().expect("objects");
        objects.iter().find(|object| object["name"] == name).unwrap_or_else(|| panic!("{name} is there"))["value"]
            .clone()
    }

    fn id(&self, name: &str) -> String {
        let view = self.view();
        let objects = view["objects"].as_array().expect("objects");
        let found = objects.iter().find(|object| object["name"] == name).unwrap_or_else(|| panic!("{name} is there"));
        found["id"].as_str().expect("an id").to_owned()
    }

    pub(crate) fn tell(&mut self, value: Value) -> Result<(), Refusal> {
        self.desk.answer(REFEREE, value)
    }

    pub(crate) fn done(&mut self, value: Value) {
        self.tell(value.clone()).unwrap_or_else(|refusal| panic!("{value}: {refusal}"));
    }

    pub(crate) fn refused(&mut self, value: Value) -> Refusal {
        let before = self.desk.checkpoint().bytes();
        let refusal = self.tell(value.clone()).expect_err(&format!("{value} is refused"));
        assert_eq!(self.desk.checkpoint().bytes(), before, "a refusal changes nothing");
        refusal
    }

    /// The number of dice that are due and their sides.
    fn due(&self) -> Option<(usize, u8)> {
        let question = self.desk.question_to(REFEREE)?;
        if question.prompt.code != "dice" {
            return None;
        }
        let form = serde_json::to_value(&question.form).expect("a form");
        let limits = form["limits"].as_array().expect("limits").clone();
        Some((limits.len(), limits[0][1].as_u64().expect("a number") as u8))
    }

    /// Types dice from a list for as long as dice are due; returns those used.
    fn dice(&mut self, dice: &mut VecDeque<u8>) -> Vec<u8> {
        self.rolled(&mut |sides| 1 + (dice.pop_front().expect("enough dice") - 1) % sides)
    }

    /// Types the dice of a hand for as long as dice are due; returns those used.
    fn rolled(&mut self, hand: &mut dyn FnMut(u8) -> u8) -> Vec<u8> {
        let mut used = Vec::new();
        while let Some((count, sides)) = self.due() {
            let faces: Vec<u8> = (0..count).map(|_| hand(sides)).collect();
            self.done(json!({"dice": faces}));
            used.extend(faces);
        }
        used
    }

    pub(crate) fn verdict(&self) -> String {
        self.view()["verdict"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn adjudicate(&self, procedure: &str, input: Value, dice: &[u8]) -> Value {
        let request = json!({"system": self.system, "procedure": procedure, "input": input, "dice": dice});
        let request = flagplot_referee::parse(request.to_string().as_bytes()).expect("a request");
        let response = self.catalog.adjudicate(request, || 0, Budget::default());
        let response = response.unwrap_or_else(|refusal| panic!("{procedure}: {refusal}"));
        serde_json::to_value(response).expect("a ruling")["result"].clone()
    }
}

/// A table under the rules that new tables have.
pub(crate) fn newest<'a>(catalog: &'a Catalog, system: &'a str) -> Table<'a> {
    let seats = (0..5).map(|n| format!("Seat {n}")).collect();
    let desk = Desk::open(catalog, system, TABLE, table_options(), seats, DiceSource::Seeded(7)).expect("a table");
    Table { catalog, system, desk }
}

pub(crate) fn force(of: &str, side: u8) -> Value {
    json!({"of": of, "side": side})
}

/// A list of dice that looks rolled and is always the same.
fn many_dice() -> VecDeque<u8> {
    let mut seed = 20_251_117u32;
    (0..4000)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            1 + ((seed >> 16) % 20) as u8
        })
        .collect()
}

/// The dice of the scripted River Plate: with them fires break out, burn and are fought. The browser test rolls the
/// same.
fn river_plate_dice() -> impl FnMut(u8) -> u8 {
    let mut seed = 4u64;
    move |sides| {
        seed = seed * 48_271 % 2_147_483_647;
        1 + ((seed >> 8) % u64::from(sides)) as u8
    }
}

fn duel(catalog: &Catalog) -> Table<'_> {
    let mut table = Table::new(catalog, "fleet-action");
    table.done(json!({"do": "forces", "forces": [force("bismarck", 0), force("hood", 1)]}));
    table
}

#[test]
fn bismarck_fires_at_hood_without_a_typed_figure() {
    let catalog = Catalog::built_in();
    let mut table = duel(&catalog);
    let hood = table.sheet("Hood");
    let salvo = json!({"do": "act", "act": "salvo", "cast": {"shooter": ["bismarck"], "target": ["hood"]}, "part": "0",
        "facts": {"range_mm": 930}});
    let considered = table.desk.consider(&salvo).expect("a table considers");
    assert_eq!(considered["ready"], true, "{considered}");
    let labels: Vec<&str> =
        considered["chances"].as_array().unwrap().iter().map(|chance| chance["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["hit", "damage", "critical"]);
    assert!(!considered["worth"].as_array().unwrap().is_empty(), "switches say what they are worth");
    table.done(salvo);
    let mut dice: VecDeque<u8> = [20, 20, 20, 20, 20, 20, 20, 20, 20, 20].into_iter().chain(many_dice()).collect();
    let used = table.dice(&mut dice);
    assert!(table.verdict().starts_with("Bismarck hits Hood at 17,000 m: "), "{}", table.verdict());
    // The same ruling by the procedure itself.
    let bismarck = table.sheet("Bismarck");
    let input = json!({
        "range_mm": 930, "control": "directed", "guns": 8,
        "shooter": {"crew_quality": bismarck["crew_quality"], "gunnery_modifier": bismarck["gm"],
            "splash": bismarck["splash"], "fc": bismarck["fc"], "amc": false},
        "target": {},
        "gun": catalog.system("fleet-action").unwrap().library().into_iter()
            .find(|item| item.id == "bismarck-battery-0").unwrap().value,
        "ship": hood,
    });
    assert_eq!(table.adjudicate("gunnery-salvo", input, &used)["ship"], table.sheet("Hood"));
}

#[test]
fn what_is_refused_is_said_in_words() {
    let catalog = Catalog::built_in();
    let mut table = duel(&catalog);
    let act =
        |cast: Value, facts: Value| json!({"do": "act", "act": "salvo", "cast": cast, "part": "0", "facts": facts});
    let both = || json!({"shooter": ["bismarck"], "target": ["hood"]});
    let cases = [
        (act(json!({}), json!({})), "choose the shooter"),
        (act(both(), json!({})), "still needed: Range"),
        (act(json!({"shooter": ["tirpitz"], "target": ["hood"]}), json!({})), "not on the table"),
        (act(both(), json!({"range_mm": 2000})), "beyond the reach"),
        (act(both(), json!({"range_mm": "far"})), "Range"),
        (act(both(), json!({"range_mm": 930, "colour": 3})), "is not used here"),
        (json!({"do": "act", "act": "dance"}), "no such act"),
        (json!({"do": "next"}), "Still due"),
        (json!({"do": "forces", "forces": [force("yamoto", 0)]}), "nothing called"),
        (json!({"do": "forces", "forces": [{"name": "Mine", "value": {"s": 20}, "side": 0}]}), "Mine"),
    ];
    for (value, words) in cases {
        let refusal = table.refused(value.clone());
        assert!(refusal.message.contains(words), "{value}: {}", refusal.message);
        for odd in ["input", "_", "#", "range_mm", "gun.", "bismarck"] {
            assert!(!refusal.message.contains(odd), "{value}: '{odd}' in {}", refusal.message);
        }
    }
}

#[test]
fn a_ship_that_stands_on_the_map_needs_no_typed_range() {
    let catalog = Catalog::built_in();
    let mut table = duel(&catalog);
    table.done(json!({"do": "place", "object": "bismarck", "place": {"x": 0, "y": 0, "heading": 90}}));
    table.done(json!({"do": "place", "object": "hood", "place": {"x": 0, "y": 900, "heading": 180}}));
    let salvo =
        json!({"do": "act", "act": "salvo", "cast": {"shooter": ["bismarck"], "target": ["hood"]}, "part": "0"});
    let considered = table.desk.consider(&salvo).unwrap();
    assert_eq!(considered["ready"], true, "{considered}");
    let fact = |path: &str| {
        let facts = considered["facts"].as_array().unwrap();
        facts.iter().find(|fact| fact["path"] == path).unwrap_or_else(|| panic!("{path}")).clone()
    };
    assert_eq!(fact("range_mm")["value"], 900);
    assert_eq!(fact("range_mm")["measured"], true);
    assert_eq!(fact("guns")["value"], 8, "a broadside");
    assert_eq!(fact("raking")["value"], true, "Hood heads for Bismarck");
    // End-on, only the guns that bear fire.
    table.done(json!({"do": "place", "object": "bismarck", "place": {"x": 0, "y": 0, "heading": 0}}));
    let considered = table.desk.consider(&salvo).unwrap();
    let guns =
        considered["facts"].as_array().unwrap().iter().find(|fact| fact["path"] == "guns").unwrap()["value"].clone();
    assert_eq!(guns, 4);
}

#[test]
fn night_and_smoke_are_ruled_by_what_the_ship_sees() {
    let catalog = Catalog::built_in();
    let mut table = duel(&catalog);
    let salvo = |facts: Value| {
        json!({"do": "act", "act": "salvo", "cast": {"shooter": ["bismarck"],
            "target": ["hood"]}, "part": "0", "facts": facts})
    };
    // Without gunnery radar nothing is shot at through smoke.
    table.done(json!({"do": "forces", "forces": [force("exeter", 0)]}));
    let blind = json!({"do": "act", "act": "salvo", "cast": {"shooter": ["exeter"], "target": ["hood"]}, "part": "0",
        "facts": {"range_mm": 700, "obscured": true}});
    let hidden = table.refused(blind);
    assert!(hidden.message.contains("Exeter does not see Hood"), "{hidden}");
    table.done(salvo(json!({"range_mm": 240, "night": true})));
    let prompt = table.desk.question_to(REFEREE).unwrap().prompt.text.clone();
    assert!(prompt.contains("Crew Test"), "{prompt}");
    table.done(json!({"dice": [1]}));
    assert!(table.verdict().contains("fails its test and does not fire"), "{}", table.verdict());
}

#[test]
fn undo_of_ten_rulings_restores_the_same_sheets_and_draws_no_die_again() {
    let catalog = Catalog::built_in();
    // The same dice in every run: with some, a ship is lost too soon.
    let secret = Secret::parse(&"7a".repeat(32)).expect("a secret");
    let dice = DiceSource::Committed { secret, shares: Shares::default() };
    let mut table = Table::open(&catalog, "fleet-action", dice);
    table.done(json!({"do": "forces", "forces": [force("bismarck", 0), force("hood", 1)]}));
    let before = table.desk.checkpoint().bytes();
    let log = table.desk.log(Viewer::Spectator, 0).len();
    let fire = |table: &mut Table<'_>| {
        let (from, to) = if table.state()["rulings"].as_u64().unwrap().is_multiple_of(2) {
            ("hood", "bismarck")
        } else {
            ("bismarck", "hood")
        };
        table.tell(json!({"do": "act", "act": "salvo", "cast": {"shooter": [from], "target": [to]}, "part": "0",
            "facts": {"range_mm": 1100}}))?;
        while table.due().is_some() {
            table.done(json!({"roll": true}));
        }
        Ok::<_, Refusal>(())
    };
    let mut rulings = 0;
    while rulings < 10 && fire(&mut table).is_ok() {
        rulings += 1;
    }
    assert!(rulings >= 3, "only {rulings} rulings before a ship was lost");
    let rolled = |desk: &Desk| {
        desk.entries()
            .iter()
            .filter_map(|entry| match entry {
                Entry::Dice(faces) => Some(faces.0.clone()),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    let first = rolled(&table.desk);
    let mut undone = 0;
    while table.desk.checkpoint().bytes() != before || table.due().is_some() {
        table.desk.undo(REFEREE).expect("the referee takes back");
        undone += 1;
        assert!(undone < 500);
    }
    assert_eq!(table.desk.checkpoint().bytes(), before);
    assert_eq!(table.desk.log(Viewer::Spectator, 0).len(), log);
    for _ in 0..3 {
        drop(fire(&mut table));
    }
    let again = rolled(&table.desk);
    assert_eq!(again[..first.len()], first[..], "what was rolled stays in the record");
    // The rolls go on where they were: the record proves them all.
    table.done(json!({"do": "close"}));
    let record = table.desk.record(false);
    let verdict = record.verify(&catalog).expect("the record is proved");
    assert_eq!(verdict.rolls_proved, again.len());
    let parsed = Record::parse(record.to_text().as_bytes()).expect("it is read");
    assert_eq!(parsed.replay(&catalog, None).unwrap().checkpoint().bytes(), table.desk.checkpoint().bytes());
}

#[test]
fn a_table_is_resumed_from_a_snapshot_with_the_same_bytes() {
    let catalog = Catalog::built_in();
    let mut table = duel(&catalog);
    table.done(json!({"do": "act", "act": "salvo", "cast": {"shooter": ["bismarck"], "target": ["hood"]}, "part": "0",
        "facts": {"range_mm": 500}}));
    table.done(json!({"dice": [20]}));
    // In the middle of a ruling, with dice still due.
    assert!(table.due().is_some());
    let snapshot = table.desk.snapshot().unwrap().expect("a snapshot");
    let record = table.desk.record(true);
    let resumed = Desk::resume_from(&catalog, &record, &snapshot).expect("it fits");
    assert_eq!(resumed.situation(Viewer::Seat(REFEREE)), table.desk.situation(Viewer::Seat(REFEREE)));
    let replayed = Desk::resume(&catalog, &record).expect("it replays");
    assert_eq!(replayed.situation(Viewer::Seat(REFEREE)), table.desk.situation(Viewer::Seat(REFEREE)));
}

#[test]
fn players_act_for_their_own_ships_only() {
    let catalog = Catalog::built_in();
    let mut table = duel(&catalog);
    let (ann, bob) = (Seat(1), Seat(2));
    table.done(json!({"do": "give", "object": "bismarck", "player": 1}));
    let salvo = json!({"do": "act", "act": "salvo", "cast": {"shooter": ["bismarck"], "target": ["hood"]}, "part": "0",
        "facts": {"range_mm": 930}});
    let code = |done: Result<(), Refusal>| done.unwrap_err().code;
    assert_eq!(code(table.desk.answer(bob, salvo.clone())), "not-your-ship");
    assert_eq!(code(table.desk.answer(ann, json!({"do": "next"}))), "referee-only");
    // Nobody signs for another.
    let mut forged = salvo.clone();
    forged["by"] = 0.into();
    assert_eq!(code(table.desk.answer(bob, forged)), "not-your-ship");
    table.desk.answer(ann, salvo).expect("her own ship");
    assert_eq!(code(table.desk.answer(bob, json!({"dice": [3]}))), "not-your-ship");
    table.desk.answer(ann, json!({"dice": [1]})).expect("her own dice");
    assert_eq!(table.verdict(), "Bismarck misses Hood at 17,000 m");
    assert_eq!(code(table.desk.undo(bob)), "cannot-undo");
    table.desk.undo(ann).expect("her own answer");
    let record = table.desk.record(true);
    assert_eq!(record.replay(&catalog, None).unwrap().checkpoint().bytes(), table.desk.checkpoint().bytes());
    assert!(table.desk.resign(REFEREE).is_err() && table.desk.agree_draw().is_err());
}

#[test]
fn objects_of_one_name_are_counted() {
    let catalog = Catalog::built_in();
    let mut table = Table::new(&catalog, "fleet-action");
    let johnston = || force("johnston", 0);
    table.done(json!({"do": "forces", "forces": [johnston(), johnston(), johnston()]}));
    let names: Vec<Value> =
        table.view()["objects"].as_array().unwrap().iter().map(|object| object["name"].clone()).collect();
    assert_eq!(names.len(), 3);
    assert!(names[0].as_str().unwrap().ends_with(" 1") && names[2].as_str().unwrap().ends_with(" 3"), "{names:?}");
}

#[test]
fn a_derived_ship_joins_and_fires() {
    let catalog = Catalog::built_in();
    let mut table = duel(&catalog);
    let example = catalog.system("fleet-action").unwrap().examples().into_iter();
    let facts =
        example.into_iter().map(|one| json!(one)).find(|one| one["procedure"] == "derive-ship").unwrap()["input"]
            .clone();
    table.done(json!({"do": "forces", "forces": [{"derive": facts, "name": "My Exeter", "side": 1}]}));
    let exeter = table.id("My Exeter");
    let salvo = json!({"do": "act", "act": "salvo", "cast": {"shooter": [exeter], "target": ["bismarck"]}, "part": "0",
        "facts": {"range_mm": 500}});
    table.done(salvo);
    table.done(json!({"dice": [1]}));
    assert!(table.verdict().starts_with("My Exeter misses Bismarck"), "{}", table.verdict());
    // A typed sheet without batteries asks for its gun.
    table.done(json!({"do": "forces", "forces": [{"name": "Raider", "kind": "ship", "side": 0,
        "value": {"f": 20, "s": 40, "size": 1, "fc": 1}}]}));
    let raider = table.id("Raider");
    let salvo = |facts: Value| {
        json!({"do": "act", "act": "salvo", "cast": {"shooter": [&raider], "target": ["hood"]},
            "facts": facts})
    };
    let considered = table.desk.consider(&salvo(json!({"range_mm": 200}))).unwrap();
    assert_eq!(considered["ready"], false);
    assert!(considered["facts"].as_array().unwrap().iter().any(|fact| fact["path"] == "gun.calibre_mm"));
    table.done(salvo(json!({"range_mm": 200, "guns": 6, "gun.calibre_mm": 150})));
}

/// The sheets as they come out of `adjudicate`, ruling by ruling, without a table.
struct Book(std::collections::BTreeMap<String, Value>);

impl Book {
    #[allow(clippy::too_many_arguments, reason = "the facts of one salvo")]
    fn salvo(
        &mut self,
        table: &Table<'_>,
        from: &str,
        to: &str,
        battery: &Value,
        guns: i64,
        facts: &Value,
        dice: &[u8],
    ) {
        let shooter = &self.0[from];
        let number = |field: &str| shooter[field].as_i64().unwrap();
        let mut input = json!({
            "control": if number("fc") > 0 { "directed" } else { "local" },
            "guns": guns,
            "shooter": {"crew_quality": number("crew_quality"), "gunnery_modifier": number("gm"),
                "splash": number("splash"), "fc": number("fc"), "amc": false},
            "target": {},
            "gun": battery,
            "ship": self.0[to],
        });
        for (field, value) in facts.as_object().unwrap() {
            input[field] = value.clone();
        }
        let result = table.adjudicate("gunnery-salvo", input, dice);
        assert_eq!(result["explosion_dice"], 0, "the script has no explosion");
        self.0.insert(to.to_owned(), result["ship"].clone());
    }

    fn owed(&mut self, table: &Table<'_>, act: &str, name: &str, began: &Book, dice: &[u8]) {
        let ship = self.0[name].clone();
        let first = &began.0[name];
        match act {
            "damage-control" => {
                let mut input = json!({"dc": ship["dc"], "crew_quality": ship["crew_quality"], "fires": ship["fires"]});
                let worse = |field: &str| ship[field].as_i64() < first[field].as_i64();
                if ship["fires"].as_i64() > Some(0) {
                    input["teams_on_fires"] = ship["dc"].clone();
                } else {
                    let items = [
                        ("power", ship["power_failed"] == true),
                        ("sv", worse("sv")),
                        ("fc", worse("fc")),
                        ("speed", worse("speed")),
                        ("h", worse("h")),
                    ];
                    let item = items.iter().find(|(_, damaged)| *damaged).expect("something to repair").0;
                    input["repairs"] = json!([{"item": item, "teams": ship["dc"]}]);
                }
                let result = table.adjudicate("damage-control", input, dice);
                let now = self.0.get_mut(name).unwrap();
                now["fires"] = result["fires"].clone();
                now["speed"] = (ship["speed"].as_i64().unwrap() + result["speed_restored"].as_i64().unwrap()).into();
                for item in result["repaired"].as_array().unwrap() {
                    match item.as_str().unwrap() {
                        field @ ("fc" | "sv" | "h") => now[field] = (ship[field].as_i64().unwrap() + 1).into(),
                        "power" => now["power_failed"] = false.into(),
                        _ => {}
                    }
                }
            }
            "burn" => {
                let result = table.adjudicate("fire-burn", json!({"ship": ship}), dice);
                self.0.insert(name.to_owned(), result["ship"].clone());
            }
            _ => {}
        }
    }
}

/// Three turns of the River Plate with all four ships: guns, damage control, fires, morale. The sheets end as they do
/// when the same rulings are made one by one with `adjudicate`.
#[test]
fn the_river_plate_ends_in_the_same_sheets_as_by_adjudicate() {
    let catalog = Catalog::built_in();
    let mut table = Table::new(&catalog, "fleet-action");
    table.done(json!({"do": "scenario", "scenario": "river-plate"}));
    let view = table.view();
    let names: Vec<String> =
        view["objects"].as_array().unwrap().iter().map(|object| object["name"].as_str().unwrap().to_owned()).collect();
    assert!(names.len() >= 4, "{names:?}");
    let side = |name: &str| {
        view["objects"].as_array().unwrap().iter().find(|object| object["name"] == name).unwrap()["side"].clone()
    };
    let mut book = Book(names.iter().map(|name| (name.clone(), table.sheet(name))).collect());
    let began = Book(book.0.clone());
    let library = catalog.system("fleet-action").unwrap().library();
    let mut dice = river_plate_dice();
    let (mut salvoes, mut burns, mut fought) = (0, 0, 0);
    for turn in 1..=3 {
        assert_eq!(table.view()["turn"], turn);
        for phase in 0..9 {
            assert_eq!(table.view()["phase"], phase);
            if phase == 2 {
                for from in &names {
                    let to = names.iter().find(|to| side(to) != side(from)).unwrap();
                    let (from_id, to_id) = (table.id(from), table.id(to));
                    let afloat = |table: &Table<'_>, name: &str| table.sheet(name)["status"] == "afloat";
                    if !afloat(&table, from) || !afloat(&table, to) {
                        continue;
                    }
                    let deed = json!({"do": "act", "act": "salvo", "cast": {"shooter": [from_id], "target": [to_id]},
                        "part": "0", "facts": {"range_mm": 480, "raking": false, "intervening_bases": 0}});
                    let said = table.desk.consider(&deed).unwrap();
                    let fact = |path: &str| {
                        said["facts"]
                            .as_array()
                            .unwrap()
                            .iter()
                            .find(|fact| fact["path"] == path)
                            .map(|fact| fact["value"].clone())
                    };
                    if said["ready"] != true {
                        continue;
                    }
                    let guns = fact("guns").and_then(|guns| guns.as_i64()).unwrap();
                    table.done(deed);
                    let used = table.rolled(&mut dice);
                    let gun =
                        library.iter().find(|item| item.id == format!("{from_id}-battery-0")).unwrap().value.clone();
                    book.salvo(
                        &table,
                        from,
                        to,
                        &gun,
                        guns,
                        &json!({"range_mm": 480, "raking": false, "intervening_bases": 0}),
                        &used,
                    );
                    salvoes += 1;
                    assert_eq!(book.0[to], table.sheet(to), "{from} at {to} on turn {turn}");
                }
            }
            while let Some(owed) = table.view()["owed"].as_array().unwrap().first().cloned() {
                let act = owed["act"].as_str().unwrap().to_owned();
                let name = owed["cast"]["ship"][0]
                    .as_str()
                    .map(|id| names.iter().find(|name| table.id(name) == id).expect("a ship of the table").clone());
                let on_fire = name.as_ref().is_some_and(|name| book.0[name]["fires"].as_i64() > Some(0));
                burns += usize::from(act == "burn");
                fought += usize::from(act == "damage-control" && on_fire);
                table.done(json!({"do": "act", "act": act, "owed": owed["number"]}));
                let used = table.rolled(&mut dice);
                if let Some(name) = name {
                    book.owed(&table, &act, &name, &began, &used);
                    assert_eq!(book.0[&name], table.sheet(&name), "{act} of {name} on turn {turn}");
                }
            }
            if phase == 7 {
                // Markers go when the end phase begins.
                book.0.values_mut().for_each(|ship| ship["splash"] = 0.into());
            }
            table.done(json!({"do": "next"}));
        }
    }
    assert!(salvoes >= 9, "{salvoes} salvoes");
    assert!(burns > 0 && fought > 0, "{burns} fires burnt, {fought} were fought");
    for name in &names {
        assert_eq!(book.0[name], table.sheet(name), "{name}");
    }
}

#[test]
fn a_carrier_strike_of_a_world_at_war_is_ruled_by_typed_dice() {
    let catalog = Catalog::built_in();
    let mut table = Table::new(&catalog, "world-at-war");
    table.done(json!({"do": "line", "line": "9 squadrons Japan elite", "side": 0}));
    table.done(json!({"do": "line", "line": "4 squadrons United States", "side": 1}));
    let library = catalog.table("world-at-war").unwrap();
    let carrier = |words: &str| {
        library.forces.iter().find(|force| force.name.contains(words) && force.kind == "ship").expect(words).id.clone()
    };
    let (lexington, yorktown) = (carrier("Lexington"), carrier("Yorktown"));
    table.done(json!({"do": "forces", "forces": [force(&lexington, 1), force(&yorktown, 1)]}));
    let view = table.view();
    let of = |kind: &str, side: u64| {
        let found =
            view["objects"].as_array().unwrap().iter().find(|object| object["kind"] == kind && object["side"] == side);
        found.unwrap()["id"].clone()
    };
    let strike = json!({"do": "act", "act": "strike",
        "cast": {"attackers": [of("air", 0)], "cap": [of("air", 1)], "targets": [lexington, yorktown]},
        "facts": {"targets.0.squadrons": 5, "targets.1.squadrons": 4}});
    let said = table.desk.consider(&strike).unwrap();
    assert_eq!(said["ready"], true, "{said}");
    table.done(strike);
    let mut dice: VecDeque<u8> = many_dice().into_iter().map(|face| 1 + (face - 1) % 6).collect();
    let used = table.dice(&mut dice);
    let ship = |id: &str| {
        let value = catalog
            .system("world-at-war")
            .unwrap()
            .library()
            .into_iter()
            .find(|item| item.id == id && item.kind == "target")
            .unwrap()
            .value;
        json!({"kind": value["kind"], "nation": value["nation"], "size": value["size"]})
    };
    let factors: u64 = [&lexington, &yorktown].iter().map(|id| ship(id)["size"].as_u64().unwrap()).sum();
    let result = table.adjudicate(
        "air-strike",
        json!({
            "attackers": [{"nation": "japan", "count": 9, "type": "naval-air", "elite": true}],
            "cap": [{"nation": "united-states", "count": 4, "type": "naval-air", "elite": false}],
            "defenses": {"naval_factors": factors},
            "targets": [{"id": "Lexington", "squadrons": 5, "ship": ship(&lexington)},
                {"id": "Yorktown", "squadrons": 4, "ship": ship(&yorktown)}],
        }),
        &used,
    );
    let state = table.state();
    let object =
        |id: &Value| state["objects"].as_array().unwrap().iter().find(|object| object["id"] == *id).unwrap().clone();
    let left = 9 - result["attackers"]["eliminated"].as_u64().unwrap();
    assert_eq!(object(&of("air", 0))["value"]["count"], left);
    for (at, id) in [&lexington, &yorktown].into_iter().enumerate() {
        let after = object(&json!(id));
        let fate = result["attacks"][at]["effect"]["state"].as_str().unwrap();
        assert_eq!(after["gone"] == "sunk", fate == "sunk", "{id}: {fate}");
        assert_eq!(after["value"]["damaged"] == true, fate == "damaged", "{id}: {fate}");
    }
    assert!(table.verdict().contains("get through") || table.verdict().contains("gets through"), "{}", table.verdict());
}

#[test]
fn nine_units_of_three_factors_are_one_line_and_attack_round_by_round() {
    let catalog = Catalog::built_in();
    let mut table = Table::new(&catalog, "world-at-war");
    table.done(json!({"do": "line", "line": "9 × 3 factors", "side": 0}));
    table.done(json!({"do": "line", "line": "2 x 4 factors", "side": 1}));
    let view = table.view();
    let ids = |side: u64| -> Vec<Value> {
        view["objects"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|object| object["side"] == side)
            .map(|object| object["id"].clone())
            .collect()
    };
    assert_eq!((ids(0).len(), ids(1).len()), (9, 2));
    let attack =
        json!({"do": "act", "act": "ground", "cast": {"attackers": ids(0), "defenders": ids(1)}, "facts": {"dm": 2}});
    table.done(attack.clone());
    table.done(json!({"dice": [3]}));
    // A table from before losses were proposed asks for nothing more.
    let first = table.verdict();
    assert!(first.contains("attackers lose"), "{first}");
    let refusal = table.refused(json!({"do": "line", "line": "many men", "side": 0}));
    assert!(refusal.remedy.unwrap().contains("9 × 3 factors"));
}

/// The names of what a loss proposes.
fn proposed(table: &Table<'_>) -> Vec<String> {
    let question = table.desk.question_to(REFEREE).expect("a question").clone();
    assert_eq!(question.prompt.code, "losses", "{}", question.prompt.text);
    let view = table.view();
    let name = |id: &Value| {
        let found = view["objects"].as_array().unwrap().iter().find(|object| object["id"] == *id);
        found.unwrap()["name"].as_str().unwrap().to_owned()
    };
    question.options[0].value["lose"].as_array().unwrap().iter().map(name).collect()
}

#[test]
fn losses_are_proposed_after_the_die_changed_and_confirmed() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "world-at-war");
    for (line, side) in [("4 x 3 factors", 0), ("4 x 4 factors", 0), ("4 x 3 factors", 1)] {
        table.done(json!({"do": "line", "line": line, "side": side}));
    }
    let names = |factors: u32, at: std::ops::RangeInclusive<u32>| -> Vec<String> {
        at.map(|at| format!("{factors}-factor unit {at}")).collect()
    };
    let ids =
        |table: &Table<'_>, names: &[String]| -> Vec<String> { names.iter().map(|name| table.id(name)).collect() };
    let (threes, fours, defenders) = (names(3, 1..=4), names(4, 1..=4), names(3, 5..=8));
    let attackers = [threes.clone(), fours.clone()].concat();
    let (attacking, defending) = (ids(&table, &attackers), ids(&table, &defenders));
    let attack = json!({"do": "act", "act": "ground", "cast": {"attackers": attacking, "defenders": defending}});
    table.done(attack);
    // 28 against 24 is 1:1, and a 2 costs the attacker half of the defense strength.
    table.done(json!({"dice": [2]}));
    assert_eq!(proposed(&table), fours[..3], "the smallest set that costs least");
    assert_eq!(table.verdict(), "", "nothing is ruled yet");
    let lose = |table: &Table<'_>, names: &[String]| json!({"lose": ids(table, names)});
    let few = lose(&table, &threes[..3]);
    let refusal = table.refused(few);
    assert_eq!(
        (refusal.code, refusal.message.as_str()),
        ("insufficient-losses", "Give up at least 12 factors; you chose 9.")
    );
    let many = lose(&table, &[&threes[..1], &fours[..3]].concat());
    let refusal = table.refused(many);
    assert_eq!((refusal.code, refusal.message.as_str()), ("needless-losses", "3-factor unit 1 can be kept."));
    assert_eq!(table.refused(json!({"lose": defending})).code, "bad-losses");
    assert_eq!(table.desk.answer(Seat(3), lose(&table, &threes)).unwrap_err().code, "not-your-ship");
    // The owner chooses otherwise.
    let other = lose(&table, &threes);
    table.done(other);
    assert!(
        table.verdict().starts_with("At 1:1 (a): attackers lose 12 factors (3-factor unit 1"),
        "{}",
        table.verdict()
    );
    let state = table.state();
    let gone: Vec<&str> = state["objects"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|object| object["gone"] == "eliminated")
        .map(|object| object["name"].as_str().unwrap())
        .collect();
    assert_eq!(gone, threes);
    // It is undone step by step, and replays to the same bytes.
    let record = table.desk.record(true);
    assert_eq!(record.replay(&catalog, None).unwrap().checkpoint().bytes(), table.desk.checkpoint().bytes());
    table.desk.undo(REFEREE).expect("the choice is taken back");
    assert_eq!(proposed(&table), fours[..3]);
    let as_proposed = lose(&table, &fours[..3]);
    table.done(as_proposed);
    assert_eq!(table.view()["rulings"], 1);
}

#[test]
fn the_defender_chooses_the_defenders_losses() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "world-at-war");
    table.done(json!({"do": "line", "line": "6 x 4 factors", "side": 0}));
    table.done(json!({"do": "line", "line": "2 x 3 factors", "side": 1}));
    let id = |table: &Table<'_>, name: &str| table.id(name);
    let attackers: Vec<String> = (1..=6).map(|at| id(&table, &format!("4-factor unit {at}"))).collect();
    let defenders: Vec<String> = (1..=2).map(|at| id(&table, &format!("3-factor unit {at}"))).collect();
    table.done(json!({"do": "give", "object": defenders[1], "player": 2}));
    // 24 against 12 is 2:1, and a 5 costs the defender half of the printed factors.
    table.done(json!({"do": "act", "act": "ground", "cast": {"attackers": attackers, "defenders": defenders}}));
    table.done(json!({"dice": [5]}));
    assert_eq!(proposed(&table), ["3-factor unit 1"]);
    let other = json!({"lose": [defenders[1]]});
    assert_eq!(table.desk.answer(Seat(1), other.clone()).unwrap_err().code, "not-your-ship");
    table.desk.answer(Seat(2), other).expect("the owner of a defender chooses");
    assert!(table.verdict().contains("defenders lose 3 factors (3-factor unit 2)"), "{}", table.verdict());
}

#[test]
fn a_figure_is_corrected_under_its_name_and_keeps_its_kind() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "fleet-action");
    table.done(json!({"do": "forces", "forces": [force("bismarck", 0), force("hood", 1)]}));
    let correct =
        |field: &str, value: Value| json!({"do": "correct", "object": "hood", "field": field, "value": value});
    let said = table.desk.consider(&correct("", Value::Null)).unwrap();
    let figures = said["facts"].as_array().unwrap();
    let labels: Vec<&str> = figures.iter().map(|fact| fact["label"].as_str().unwrap()).collect();
    for label in ["Flotation", "Structure", "Fires", "Belt", "Main battery: mount 1 (fwd) is lost"] {
        assert!(labels.contains(&label), "{label} in {labels:?}");
    }
    for figure in figures {
        // What it says now is a legal correction.
        let same = correct(figure["path"].as_str().unwrap(), figure["value"].clone());
        assert_eq!(table.desk.consider(&same).unwrap()["ready"], true, "{figure}");
    }
    table.done(correct("fires", 2.into()));
    table.done(correct("smoke", false.into()));
    assert_eq!((&table.sheet("Hood")["fires"], &table.sheet("Hood")["smoke"]), (&json!(2), &json!(false)));
    let log = table.desk.log(Viewer::Spectator, 0);
    assert_eq!(log.last().unwrap().note.text, "The referee corrects Hood: Smoke no");
    for (field, value, code) in [
        ("fires", json!("many"), "bad-figure"),
        ("fires", json!(1.5), "bad-figure"),
        ("funnels", json!(2), "unknown-figure"),
    ] {
        assert_eq!(table.refused(correct(field, value)).code, code);
    }
    // Every sheet of every system has figures to correct, and none is called by a code.
    for system in catalog.ids() {
        let mut table = newest(&catalog, system);
        let scenario = catalog.table(system).unwrap().scenarios[0].0.clone();
        table.done(json!({"do": "scenario", "scenario": scenario}));
        for object in table.view()["objects"].as_array().unwrap() {
            let deed = json!({"do": "correct", "object": object["id"], "field": "", "value": null});
            let said = table.desk.consider(&deed).unwrap();
            let figures = said["facts"].as_array().unwrap();
            assert!(!figures.is_empty(), "{system}: {}", object["name"]);
            assert!(figures.iter().all(|one| !one["label"].as_str().unwrap().contains('_')), "{system}: {figures:?}");
        }
    }
}

#[test]
fn every_figure_that_is_offered_can_be_corrected_within_its_limits() {
    let catalog = Catalog::built_in();
    for system in catalog.ids() {
        let mut table = newest(&catalog, system);
        for (scenario, _) in catalog.table(system).unwrap().scenarios.into_iter().take(3) {
            table.done(json!({"do": "scenario", "scenario": scenario}));
        }
        for object in table.view()["objects"].as_array().unwrap() {
            let id = &object["id"];
            let deed =
                |field: &Value, value: Value| json!({"do": "correct", "object": id, "field": field, "value": value});
            let said = table.desk.consider(&deed(&json!(""), Value::Null)).unwrap();
            for figure in said["facts"].as_array().unwrap() {
                let shape = &figure["shape"];
                let (good, bad) = match shape["kind"].as_str().unwrap() {
                    "bool" => (vec![true.into(), false.into()], vec![json!(1), json!("perhaps")]),
                    "int" => {
                        let (least, most) = (shape["min"].as_i64().unwrap(), shape["max"].as_i64().unwrap());
                        (vec![least.into(), most.into()], vec![(least - 1).into(), (most + 1).into()])
                    }
                    "word" => (shape["words"].as_array().unwrap().clone(), vec![json!("adrift")]),
                    _ => (vec![figure["value"].clone()], vec![json!("?????")]),
                };
                for value in good {
                    let said = table.desk.consider(&deed(&figure["path"], value.clone())).unwrap();
                    assert_eq!(said["ready"], true, "{system}: {value} for {figure}: {}", said["refusal"]);
                }
                for value in bad {
                    let said = table.desk.consider(&deed(&figure["path"], value.clone())).unwrap();
                    assert_eq!(said["ready"], false, "{system}: {value} for {figure}");
                    let words = said["refusal"]["message"].as_str().unwrap();
                    assert!(!words.contains(['_', '[']) && !words.contains("null"), "{system}: {words}");
                }
            }
        }
    }
}

#[test]
fn a_corrected_mount_changes_what_follows_from_it_and_is_taken_back_whole() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "fleet-action");
    table.done(json!({"do": "forces", "forces": [force("bismarck", 0), force("hood", 1)]}));
    let correct =
        |field: &str, value: Value| json!({"do": "correct", "object": "bismarck", "field": field, "value": value});
    let salvo = json!({"do": "act", "act": "salvo", "part": "0", "facts": {"range_mm": 600},
        "cast": {"shooter": ["bismarck"], "target": ["hood"]}});
    let guns = |table: &Table<'_>| {
        let said = table.desk.consider(&salvo).unwrap();
        said["facts"].as_array().unwrap().iter().find(|fact| fact["path"] == "guns").unwrap()["value"].clone()
    };
    let before = table.desk.checkpoint().bytes();
    assert_eq!(guns(&table), 8);
    table.done(correct("main_mounts.0.lost", true.into()));
    assert_eq!((guns(&table), &table.sheet("Bismarck")["main_lost"]), (json!(6), &json!(1)));
    let lrf = table.sheet("Bismarck")["lrf"].as_i64().unwrap();
    table.done(correct("other_mounts.0.lost", true.into()));
    assert!(table.sheet("Bismarck")["lrf"].as_i64().unwrap() <= lrf);
    // What follows from the mounts is not corrected by itself.
    assert_eq!(table.refused(correct("lrf", 3.into())).code, "unknown-figure");
    table.done(correct("status", "sunk".into()));
    assert_eq!(table.view()["objects"][0]["gone"], "sunk");
    table.done(correct("status", "afloat".into()));
    assert_eq!(table.view()["objects"][0]["gone"], "");
    let record = table.desk.record(true);
    assert_eq!(record.replay(&catalog, None).unwrap().checkpoint().bytes(), table.desk.checkpoint().bytes());
    for _ in 0..4 {
        table.desk.undo(REFEREE).unwrap();
    }
    assert_eq!(table.desk.checkpoint().bytes(), before);
}

#[test]
fn a_derived_ship_is_what_her_type_makes_her() {
    let catalog = Catalog::built_in();
    let facts = json!({"type": "AMC", "year": 1925, "displacement_t": 16700, "speed_kn": 15, "complement": 250,
        "batteries": [{"group": "main", "calibre_mm": 152, "gun_year": 1900, "range_yd": 14000,
            "mounts": [{"type": "open", "arc": "fwd", "guns": 1, "count": 4}]}]});
    let join =
        json!({"do": "forces", "forces": [{"derive": facts, "name": "Rawalpindi", "side": 1}, force("hood", 0)]});
    let control = |mut table: Table<'_>| {
        table.done(join.clone());
        let cast = json!({"shooter": ["own-rawalpindi"], "target": ["hood"]});
        let deed = json!({"do": "act", "act": "salvo", "cast": cast, "facts": {"range_mm": 300}});
        let said = table.desk.consider(&deed).unwrap();
        let facts = said["facts"].as_array().unwrap();
        assert!(table.sheet("Rawalpindi").get("marks").is_none(), "the sheet is a sheet");
        facts.iter().find(|fact| fact["path"] == "control").unwrap()["value"].clone()
    };
    // An armed merchant has no director; an older table did not know what she is.
    assert_eq!(control(newest(&catalog, "fleet-action")), "local");
    control(Table::new(&catalog, "fleet-action"));
}

#[test]
fn a_squadron_whose_aircraft_are_corrected_comes_back() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "carrier-strike");
    table.done(json!({"do": "forces", "forces": [force("fighters", 0)]}));
    let correct = |value: i64| json!({"do": "correct", "object": "fighters", "field": "strength", "value": value});
    table.done(correct(0));
    assert_eq!(table.view()["objects"][0]["gone"], "destroyed");
    table.done(correct(5));
    assert_eq!(table.view()["objects"][0]["gone"], "");
    let refusal = table.refused(correct(13));
    assert!(refusal.message.contains("“Aircraft” of Fighters is 13; it must lie between 0 and 12."), "{refusal}");
}

/// What the switches of an act say they are worth, by the label of their fact.
fn worths(said: &Value) -> Vec<String> {
    let label = |path: &Value| {
        let fact = said["facts"].as_array().unwrap().iter().find(|fact| fact["path"] == *path).unwrap();
        fact["label"].as_str().unwrap().to_owned()
    };
    said["worth"].as_array().unwrap().iter().map(|worth| label(&worth["path"])).collect()
}

#[test]
fn every_circumstance_says_what_it_is_worth() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "fleet-action");
    let forces = ["bismarck", "prinz-eugen", "hood"].iter().map(|of| force(of, u8::from(*of == "hood")));
    table.done(json!({"do": "forces", "forces": forces.collect::<Vec<_>>()}));
    let bomber = catalog
        .table("fleet-action")
        .unwrap()
        .forces
        .iter()
        .find(|one| one.name.contains("Swordfish"))
        .unwrap()
        .id
        .clone();
    table.done(json!({"do": "forces", "forces": [force(&bomber, 1)]}));
    let cast = |shooter: &str| json!({"shooter": [shooter], "target": ["hood"]});
    let cases = [
        (
            json!({"do": "act", "act": "salvo", "part": "0", "cast": cast("bismarck"), "facts": {"range_mm": 600}}),
            &[
                "Night",
                "Smoke, weather or land between",
                "Target's speed",
                "Splashes on the shooter",
                "Splashes on the target",
                "Ships in between",
                "Gunnery radar helps",
            ][..],
        ),
        // Along her length the shells of small guns meet the deck and not the belt.
        (
            json!({"do": "act", "act": "salvo", "part": "1", "cast": cast("bismarck"), "facts": {"range_mm": 300}}),
            &["Raking: along the target's length"],
        ),
        (
            json!({"do": "act", "act": "torpedoes", "part": "0", "cast": cast("prinz-eugen"),
                "facts": {"range_mm": 200}}),
            &[
                "Night",
                "Smoke, weather or land between",
                "Target's speed",
                "Splashes on the launcher",
                "They run into the target's",
                "Aim",
            ],
        ),
        (
            json!({"do": "act", "act": "air-attack", "part": "0", "cast": {"stand": [bomber], "target": ["bismarck"]}}),
            &["Target's speed", "Flak on the attackers"],
        ),
    ];
    for (deed, labels) in cases {
        let said = table.desk.consider(&deed).unwrap();
        assert_eq!(said["ready"], true, "{said}");
        let found = worths(&said);
        for label in labels {
            assert!(found.iter().any(|one| one == label), "{label} of {} says nothing: {found:?}", deed["act"]);
        }
        // Each worth names the figure that it changes.
        let figures: Vec<&str> =
            said["chances"].as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap()).collect();
        for worth in said["worth"].as_array().unwrap().iter().map(|one| one["worth"].as_str().unwrap()) {
            let named = |part: &str| figures.iter().any(|figure| part.starts_with(&format!("{figure} ")));
            let plain = ["not possible", "a test first"].contains(&worth);
            assert!(plain || worth.split(", ").all(named), "{worth}");
        }
    }
}

#[test]
fn anyone_measures_even_while_something_is_owed() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "fleet-action");
    table.done(json!({"do": "scenario", "scenario": "denmark-strait"}));
    let measure =
        json!({"do": "act", "act": "geometry", "cast": {"shooter": ["bismarck"], "target": ["hood"]}, "by": 255});
    let sentence = |table: &Table<'_>| table.desk.consider(&measure).unwrap()["sentence"].as_str().unwrap().to_owned();
    assert!(sentence(&table).contains("Bismarck to Hood: "), "{}", sentence(&table));
}

#[test]
fn the_forces_of_every_scenario_are_put_on_the_table_at_once() {
    let catalog = Catalog::built_in();
    for system in catalog.ids() {
        let info = catalog.table(system).unwrap();
        assert!(info.scenarios.len() >= 5, "{system} has {} scenarios", info.scenarios.len());
        for (scenario, title) in &info.scenarios {
            let mut table = newest(&catalog, system);
            table.done(json!({"do": "scenario", "scenario": scenario}));
            let view = table.view();
            let objects = view["objects"].as_array().unwrap();
            for side in 0..2 {
                assert!(objects.iter().any(|object| object["side"] == side), "{system} {title}: side {side} is empty");
            }
            let names: Vec<&str> = objects.iter().map(|object| object["name"].as_str().unwrap()).collect();
            let mut distinct = names.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), names.len(), "{system} {title}: {names:?}");
            // Every object can do something, and no sheet shows a code for a word.
            for object in objects {
                let kind = object["kind"].as_str().unwrap();
                let acts = info.acts.iter().flat_map(|act| &act.roles);
                assert!(acts.into_iter().any(|role| role.kinds.contains(&kind)), "{system} {title}: {kind}");
                let card = object["card"].to_string();
                for code in
                    ["naval-air", "army-air", "united-states", "strategic-bomber", "damaged_side", "power_rating"]
                {
                    assert!(!card.contains(code), "{system} {title}: {code} on {card}");
                }
            }
        }
        let mut table = newest(&catalog, system);
        assert_eq!(table.refused(json!({"do": "scenario", "scenario": "nowhere"})).code, "unknown-scenario");
    }
}

#[test]
fn tubes_are_empty_after_a_launch_and_a_record_of_an_older_table_still_replays() {
    let catalog = Catalog::built_in();
    let launch = json!({"do": "act", "act": "torpedoes", "cast": {"shooter": ["prinz-eugen"], "target": ["hood"]},
        "part": "0", "facts": {"range_mm": 200}});
    let ready = |mut table: Table<'_>| {
        table.done(json!({"do": "forces", "forces": [force("prinz-eugen", 0), force("hood", 1)]}));
        let tubes = |table: &Table<'_>| {
            let view = table.view();
            let card = &view["objects"][0]["card"]["sections"];
            let mounts = card.as_array().unwrap().iter().find(|section| section["label"] == "Torpedo mounts").unwrap();
            mounts["pieces"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|piece| piece["detail"].as_str().unwrap().contains("empty"))
                .count()
        };
        table.done(launch.clone());
        table.rolled(&mut |_| 1);
        let spent = tubes(&table);
        let again = table.tell(launch.clone()).map_err(|refusal| refusal.message);
        let record = table.desk.record(true);
        assert_eq!(record.replay(&catalog, None).unwrap().checkpoint().bytes(), table.desk.checkpoint().bytes());
        (spent, again)
    };
    let (spent, again) = ready(newest(&catalog, "fleet-action"));
    assert!(spent > 0, "the sheet shows empty tubes");
    assert!(again.unwrap_err().contains("The torpedo tubes of Prinz Eugen are empty"), "they are not launched twice");
    // A table from before tubes were counted goes on as it was.
    assert_eq!(ready(Table::new(&catalog, "fleet-action")), (0, Ok(())));
    assert!(catalog.game("fleet-action", TABLE, &json!({"version": 7})).is_err());
    assert!(catalog.game("fleet-action", TABLE, &json!({"colour": 3})).is_err());
}

#[test]
fn a_ship_that_is_being_moved_is_measured_before_it_is_put_down() {
    let catalog = Catalog::built_in();
    let mut table = duel(&catalog);
    table.done(json!({"do": "place", "object": "bismarck", "place": {"x": 0, "y": 0, "heading": 90}}));
    table.done(json!({"do": "place", "object": "hood", "place": {"x": 0, "y": 900, "heading": 180}}));
    let said = |facts: Value| {
        let deed = json!({"do": "act", "act": "geometry", "cast": {"shooter": ["bismarck"], "target": ["hood"]},
            "facts": facts});
        table.desk.consider(&deed).unwrap()["sentence"].as_str().unwrap().to_owned()
    };
    let here = said(json!({}));
    assert!(here.contains("(900 mm)") && here.contains("8 of 8 × 380 mm bear"), "{here}");
    let there = said(json!({"shooter": {"x": 0, "y": 400, "heading": 0}}));
    assert!(there.contains("(500 mm)") && there.contains("4 of 8 × 380 mm bear"), "{there}");
}

#[test]
fn every_act_of_every_system_is_ruled_by_a_procedure_and_offered_in_words() {
    let catalog = Catalog::built_in();
    for system in catalog.ids() {
        let info = catalog.table(system).unwrap();
        let procedures: Vec<&str> = catalog.procedures(system).unwrap().iter().map(|about| about.name).collect();
        assert!(!info.acts.is_empty() && !info.forces.is_empty(), "{system}");
        for act in &info.acts {
            assert!(!act.help.is_empty(), "{system}: {} has a procedure", act.id);
            assert!(info.phases.iter().any(|phase| phase.id == act.phase), "{system}: {} has a phase", act.id);
        }
        let table = Table::new(&catalog, system);
        for act in &info.acts {
            let said = table.desk.consider(&json!({"do": "act", "act": act.id})).unwrap();
            let words = said["refusal"]["message"].as_str().unwrap_or_default();
            assert!(!words.contains("input") && !words.contains('_'), "{system} {}: {words}", act.id);
        }
        for procedure in procedures {
            let acts = catalog.system(system).unwrap().acts();
            assert!(acts.iter().any(|act| act.procedure == procedure), "{system}: {procedure} has no act");
        }
    }
}
