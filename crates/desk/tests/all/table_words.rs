//! What people read at a table: names, words and units, and never a field, an id, a code or a piece of JSON.

use crate::table::{REFEREE, Table, force, newest};
use flagplot_catalog::{Catalog, TABLE};
use flagplot_desk::{Desk, DiceSource};
use serde_json::{Map, Value, json};

/// What is wrong with a text that a person reads; nothing if all is well.
fn fault(text: &str, ids: &[String]) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for word in text.split(|c: char| c.is_whitespace() || "“”‘’(),;:".contains(c)) {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        if bare.contains('_') && bare.chars().all(plain) {
            return Some(format!("a field, {bare}"));
        }
        if bare == "null" || bare == "thousandths" || word.starts_with("input.") || word == "input" {
            return Some(format!("the word {bare}"));
        }
        let quoted = word.trim_end_matches(['.', ',']).strip_prefix('\'').and_then(|word| word.strip_suffix('\''));
        // An id of a single word may be a word of the language; one with a sign in it is not.
        let coded = |id: &String| id == bare && id.contains(['-', '#']) && !id.contains("--");
        if quoted.is_some_and(|quoted| ids.iter().any(|id| id == quoted)) || ids.iter().any(coded) {
            return Some(format!("the id {bare}"));
        }
        let dotted = bare.split_once('.').is_some_and(|(head, tail)| {
            head.starts_with(|c: char| c.is_ascii_lowercase()) && tail.starts_with(|c: char| c.is_ascii_alphanumeric())
        });
        if dotted {
            return Some(format!("a path, {bare}"));
        }
    }
    ["[", "]", "{", "}", "\""].iter().find(|sign| text.contains(**sign)).map(|sign| format!("the sign {sign}"))
}

#[test]
fn the_check_of_words_finds_what_it_looks_for() {
    let ids = ["bismarck".to_owned(), "prinz-eugen".to_owned(), "fokker#2".to_owned()];
    for bad in [
        "input.gun needs a field.",
        "The figure calibre_mm is too large.",
        "It must be a whole number, or null.",
        "A point is [q, r].",
        "There is no aircraft 'bismarck' in the list.",
        "The ship prinz-eugen is not there.",
        "fokker#2 is in the list twice.",
        "5785 thousandths of a card length.",
        "aircraft.0.target",
        "{\"x\": 3}",
    ] {
        assert!(fault(bad, &ids).is_some(), "{bad}");
    }
    for good in ["Range", "Bismarck misses Hood at 17,000 m", "Splashes on the shooter", "Type 2.5 card lengths."] {
        assert_eq!(fault(good, &ids), None, "{good}");
    }
}

/// Values that no fact of a kind can have.
fn bad_values(shape: &Value) -> Vec<Value> {
    match shape["kind"].as_str().unwrap_or_default() {
        "int" => vec![json!(99_999_999), json!("far"), Value::Null, json!([1, 2])],
        "bool" => vec![json!("perhaps"), json!(3)],
        "word" => vec![json!("adrift"), json!(3)],
        "text" => vec![json!(3), json!("x".repeat(200))],
        _ => vec![json!(3), json!("x"), json!([{}]), json!([[1]]), json!({"x": 1})],
    }
}

struct Crawl<'a> {
    table: Table<'a>,
    ids: Vec<String>,
    seen: usize,
    faults: Vec<String>,
}

impl Crawl<'_> {
    fn read(&mut self, place: &str, text: &str) {
        self.seen += 1;
        if let Some(what) = fault(text, &self.ids) {
            let line = format!("{place}: {what}: {text}");
            if !self.faults.contains(&line) {
                self.faults.push(line);
            }
        }
    }

    fn refusal(&mut self, place: &str, refusal: &Value) {
        for text in [&refusal["message"], &refusal["remedy"]].into_iter().filter_map(Value::as_str) {
            self.read(place, text);
        }
        for also in refusal["also"].as_array().into_iter().flatten() {
            self.refusal(place, also);
        }
    }

    /// Reads all that is said of a deed; returns its facts.
    fn consider(&mut self, place: &str, deed: &Value) -> Value {
        let said = self.table.desk.consider(deed).expect("a table considers");
        self.refusal(&format!("{place}, refusal"), &said["refusal"]);
        for field in ["sentence", "first"] {
            self.read(&format!("{place}, {field}"), said[field].as_str().unwrap_or_default());
        }
        for fact in said["facts"].as_array().into_iter().flatten() {
            let label = fact["label"].as_str().expect("a label");
            self.read(&format!("{place}, label"), label);
            assert!(!label.trim().is_empty(), "{place}: {fact}");
            for choice in fact["choices"].as_array().into_iter().flatten() {
                self.read(&format!("{place}, choice of {label}"), choice[1].as_str().expect("a word"));
            }
            self.read(&format!("{place}, unit"), fact["unit"].as_str().unwrap_or_default());
        }
        for (list, fields) in [("parts", &["name"][..]), ("chances", &["label", "text"]), ("worth", &["worth"])] {
            for one in said[list].as_array().into_iter().flatten() {
                for field in fields {
                    self.read(&format!("{place}, {list}"), one[*field].as_str().unwrap_or_default());
                }
            }
        }
        said
    }
}

/// A value that a fact can have.
fn good_value(fact: &Value) -> Value {
    if let Some(choice) = fact["choices"].as_array().and_then(|choices| choices.first()) {
        return choice[0].clone();
    }
    let shape = &fact["shape"];
    match shape["kind"].as_str().unwrap_or_default() {
        "int" => {
            let (least, most) = (shape["min"].as_i64().unwrap(), shape["max"].as_i64().unwrap());
            1.clamp(least, most).into()
        }
        "bool" => false.into(),
        "word" => shape["words"][0].clone(),
        "text" => "Somebody".into(),
        _ => Value::Null,
    }
}

#[test]
fn nothing_that_a_person_reads_at_a_table_is_a_code() {
    let catalog = Catalog::built_in();
    let mut all = Vec::new();
    for system in catalog.ids() {
        let info = catalog.table(system).unwrap();
        let mut table = newest(&catalog, system);
        let scenario = info.scenarios[0].0.clone();
        table.done(json!({"do": "scenario", "scenario": scenario}));
        // What a scenario may lack: one object of every kind.
        let mut kinds: Vec<&str> = info.forces.iter().map(|one| one.kind.as_str()).collect();
        kinds.dedup();
        for kind in kinds {
            for side in 0..2 {
                let of = info.forces.iter().find(|one| one.kind == kind).unwrap();
                table.done(json!({"do": "forces", "forces": [force(&of.id, side)]}));
            }
        }
        while let Some(owed) = table.view()["owed"].as_array().unwrap().first().cloned() {
            table.done(json!({"do": "waive", "owed": owed["number"]}));
        }
        let view = table.view();
        let objects = view["objects"].as_array().unwrap().clone();
        let ids = objects.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
        let mut crawl = Crawl { table, ids, seen: 0, faults: Vec::new() };
        for phase in &info.phases {
            crawl.read(&format!("{system}, phases"), phase.title);
            crawl.read(&format!("{system}, phases"), phase.help);
        }
        for object in &objects {
            crawl.read(&format!("{system}, objects"), object["name"].as_str().unwrap());
            crawl.read(&format!("{system}, objects"), object["kind"].as_str().unwrap());
        }
        for force in &info.forces {
            crawl.read(&format!("{system}, forces"), &force.name);
            crawl.read(&format!("{system}, forces"), &force.detail);
        }
        for act in &info.acts {
            let place = format!("{system}, {}", act.id);
            for text in [act.title, act.verb, act.group, act.help, act.dice] {
                crawl.read(&format!("{place}, list"), text);
            }
            act.roles.iter().for_each(|role| crawl.read(&format!("{place}, role"), role.title));
            let mut cast = Map::new();
            let mut taken: Vec<Value> = Vec::new();
            for role in &act.roles {
                let many = json!(role.count) == "many" || json!(role.count) == "any";
                let fits = |one: &&Value| role.kinds.contains(&one["kind"].as_str().unwrap());
                let fitting = objects.iter().filter(fits).map(|one| one["id"].clone());
                let fitting: Vec<Value> =
                    fitting.filter(|id| !taken.contains(id)).take(if many { 2 } else { 1 }).collect();
                taken.extend(fitting.clone());
                cast.insert(role.id.to_owned(), fitting.into());
            }
            crawl.consider(&place, &json!({"do": "act", "act": act.id}));
            let deed = |facts: &Map<String, Value>, part: &Value| {
                let mut deed = json!({"do": "act", "act": act.id, "cast": cast, "facts": facts});
                if part.is_string() {
                    deed["part"] = part.clone();
                }
                deed
            };
            let said = crawl.consider(&place, &deed(&Map::new(), &Value::Null));
            let part = said["parts"][0]["id"].clone();
            let mut facts = Map::new();
            // What is missing is told until nothing is.
            for _ in 0..6 {
                let said = crawl.consider(&place, &deed(&facts, &part));
                let missing = said["facts"].as_array().into_iter().flatten().filter(|fact| fact["missing"] == true);
                let told: Vec<(String, Value)> =
                    missing.map(|fact| (fact["path"].as_str().unwrap().to_owned(), good_value(fact))).collect();
                if told.is_empty() {
                    break;
                }
                facts.extend(told);
            }
            let said = crawl.consider(&place, &deed(&facts, &part));
            for fact in said["facts"].as_array().into_iter().flatten() {
                for bad in bad_values(&fact["shape"]) {
                    let mut told = facts.clone();
                    told.insert(fact["path"].as_str().unwrap().to_owned(), bad);
                    crawl.consider(&place, &deed(&told, &part));
                }
            }
            let mut odd = facts.clone();
            odd.insert("no_such_fact".into(), json!(3));
            crawl.consider(&place, &deed(&odd, &part));
            // Where it can be ruled on, the questions of its dice and its verdict are read, too.
            if said["ready"] == true && crawl.table.tell(deed(&facts, &part)).is_ok() {
                let mut left = 60;
                while let Some(question) = crawl.table.desk.question_to(REFEREE).cloned() {
                    left -= 1;
                    if question.prompt.code == "deed" || left == 0 {
                        break;
                    }
                    crawl.read(&format!("{place}, question"), &question.prompt.text);
                    let next = question.options.first().map_or(json!({"roll": true}), |option| option.value.clone());
                    crawl.table.done(next);
                }
                let verdict = crawl.table.verdict();
                crawl.read(&format!("{place}, verdict"), &verdict);
                for remark in crawl.table.view()["remarks"].as_array().unwrap().clone() {
                    crawl.read(&format!("{place}, remark"), remark.as_str().unwrap());
                }
                // The next act begins with the same sheets.
                while crawl.table.view()["rulings"].as_u64() > Some(0) {
                    crawl.table.desk.undo(REFEREE).expect("the referee takes back");
                }
                while crawl.table.desk.question_to(REFEREE).is_some_and(|question| question.prompt.code != "deed") {
                    crawl.table.desk.undo(REFEREE).expect("the referee takes back");
                }
            }
        }
        for deed in [
            json!({"do": "scenario", "scenario": "no-where"}),
            json!({"do": "forces", "forces": [force("yamoto", 0)]}),
            json!({"do": "forces", "forces": [{"name": "Mine", "value": {"no_such": 3}, "side": 0}]}),
            json!({"do": "forces", "forces": [{"name": "Mine", "value": [1], "side": 0}]}),
            json!({"do": "forces", "forces": [{"name": "Mine", "derive": {"type": 3}, "side": 0}]}),
            json!({"do": "line", "line": "{}", "side": 0}),
            json!({"do": "waive", "owed": 900}),
            json!({"do": "place", "object": "nobody", "place": null}),
            json!({"do": "give", "object": objects[0]["id"], "player": 9}),
            json!({"do": "sides", "names": ["", ""]}),
            json!({"do": "dance"}),
        ] {
            // Some systems take any sheet.
            match crawl.table.tell(deed.clone()) {
                Err(refusal) => crawl.refusal(&format!("{system}, {}", deed["do"]), &json!(refusal)),
                Ok(()) => drop(crawl.table.desk.undo(REFEREE)),
            }
        }
        assert!(crawl.seen > 500, "{system}: only {} texts were read", crawl.seen);
        all.extend(crawl.faults);
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

/// A table under the rules of an older version.
fn older<'a>(catalog: &'a Catalog, system: &'a str, version: u32) -> Table<'a> {
    let seats = (0..5).map(|n| format!("Seat {n}")).collect();
    let dice = DiceSource::Seeded(7);
    let desk = Desk::open(catalog, system, TABLE, json!({"version": version}), seats, dice).expect("a table");
    Table { catalog, system, desk }
}

#[track_caller]
fn replays(table: &Table<'_>) {
    let record = table.desk.record(true);
    let again = record.replay(table.catalog, None).expect("it replays");
    assert_eq!(again.checkpoint().bytes(), table.desk.checkpoint().bytes());
}

fn facts(said: &Value) -> Vec<&Value> {
    said["facts"].as_array().expect("facts").iter().collect()
}

#[track_caller]
fn fact<'a>(said: &'a Value, label: &str) -> &'a Value {
    let labels: Vec<&Value> = facts(said).iter().map(|fact| &fact["label"]).collect();
    facts(said).into_iter().find(|fact| fact["label"] == label).unwrap_or_else(|| panic!("{label} in {labels:?}"))
}

#[test]
fn aircraft_on_the_table_have_edges_and_an_order_without_a_form() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "dogfite");
    table.done(json!({"do": "scenario", "scenario": "verdun-1916"}));
    let view = table.view();
    let objects = view["objects"].as_array().unwrap();
    let ids: Vec<&Value> = objects.iter().map(|one| &one["id"]).collect();
    let of = |side: u64| objects.iter().find(|one| one["side"] == side).unwrap()["name"].as_str().unwrap();
    let (ally, german) = (of(0), of(1));
    let deed = |act: &str, told: Value| json!({"do": "act", "act": act, "cast": {"aircraft": ids}, "facts": told});
    let said = table.desk.consider(&deed("edge-adjustment", json!({}))).unwrap();
    assert_eq!(said["ready"], true, "the scenario knows where they are: {}", said["refusal"]);
    for fact in facts(&said) {
        assert!(["int", "word", "text"].contains(&fact["shape"]["kind"].as_str().unwrap()), "a form: {fact}");
    }
    // Whom it hunts is chosen by name.
    let target = fact(&said, &format!("{ally}: Target")).clone();
    let choices = target["choices"].as_array().unwrap();
    assert!(choices.iter().any(|choice| choice[1] == german), "{choices:?}");
    assert_eq!(choices.last().unwrap()[1], "no target");
    let told = json!({target["path"].as_str().unwrap(): german});
    table.done(deed("edge-adjustment", told));
    assert!(table.verdict().starts_with(&format!("The edges: {ally} ")), "{}", table.verdict());
    let sheet = table.view()["objects"].to_string();
    assert!(sheet.contains("\"Target\"") && sheet.contains("\"Edge\""), "the sheet shows them");
    // The order of moves knows target and edge, and asks for nothing.
    let said = table.desk.consider(&deed("initiative-order", json!({}))).unwrap();
    assert_eq!(said["ready"], true, "{}", said["refusal"]);
    assert_eq!(fact(&said, &format!("{ally}: Target"))["value"], german);
    assert!(fact(&said, &format!("{ally}: Edge"))["value"].is_number());
    table.done(deed("initiative-order", json!({})));
    while table.desk.question_to(REFEREE).is_some_and(|question| question.prompt.code == "dice") {
        table.done(json!({"roll": true}));
    }
    assert!(table.verdict().starts_with("They move in this order: "), "{}", table.verdict());
    // A gain is recorded for one of them, and the edge of its hunter falls.
    let (mover, others) = (ids[0], &ids[1..]);
    let cast = json!({"mover": [mover], "aircraft": others});
    table.done(json!({"do": "act", "act": "edge-recording", "cast": cast, "facts": {"bonus": 2}}));
    let bare = table.refused(json!({"do": "act", "act": "initiative-order"}));
    assert!(bare.message.contains("choose the aircraft"), "{bare}");
    replays(&table);
}

#[test]
fn an_older_table_takes_the_order_of_moves_as_it_was_told() {
    let catalog = Catalog::built_in();
    let mut table = older(&catalog, "dogfite", 4);
    table.done(json!({"do": "scenario", "scenario": "verdun-1916"}));
    assert!(table.state()["objects"].as_array().unwrap().iter().all(|object| object.get("marks").is_none()));
    let one = |id: &str, side: &str| json!({"id": id, "side": side, "speed": 6, "level": 5, "roll": 3});
    let list = json!([one("A1", "allied"), {"id": "C1", "side": "central", "speed": 6, "level": 4, "roll": 5}]);
    table.done(json!({"do": "act", "act": "initiative-order", "facts": {"aircraft": list}}));
    assert_eq!(table.verdict(), "Order of moves is done");
    assert_eq!(table.state()["marks"], json!({"version": 4}));
    assert!(table.state()["objects"].as_array().unwrap().iter().all(|object| object.get("marks").is_none()));
    replays(&table);
}

#[test]
fn the_scenario_of_the_table_says_who_has_won() {
    let catalog = Catalog::built_in();
    let info = catalog.table("carrier-strike").unwrap();
    let look = |told: Value| json!({"do": "act", "act": "victory", "facts": told});
    // Nothing is set up: the scenarios are offered by name.
    let table = newest(&catalog, "carrier-strike");
    let said = table.desk.consider(&look(json!({}))).unwrap();
    let scenario = fact(&said, "Scenario");
    assert_eq!(scenario["missing"], true);
    let titles: Vec<&Value> = scenario["choices"].as_array().unwrap().iter().map(|choice| &choice[1]).collect();
    assert_eq!(titles, info.scenarios.iter().map(|(_, title)| title).collect::<Vec<_>>());
    // The one that was set up is taken, with the hits and aircraft on the table.
    for (id, title) in &info.scenarios {
        let mut table = newest(&catalog, "carrier-strike");
        table.done(json!({"do": "scenario", "scenario": id}));
        let said = table.desk.consider(&look(json!({}))).unwrap();
        assert_eq!(fact(&said, "Scenario")["value"], *id, "{title}");
        assert!(fact(&said, "Blue's aircraft left, scouts not counted")["value"].as_i64() > Some(0), "{title}");
        let told = if said["ready"] == true { json!({}) } else { json!({"kamikaze_aircraft": 12}) };
        table.done(look(told));
        let verdict = table.verdict();
        assert!(verdict.starts_with("The game ") || verdict.contains(" wins"), "{title}: {verdict}");
        replays(&table);
    }
    let mut old = older(&catalog, "carrier-strike", 4);
    old.done(json!({"do": "scenario", "scenario": info.scenarios[0].0}));
    assert_eq!(old.state()["marks"], json!({"version": 4}));
}

#[test]
fn a_move_is_told_in_words() {
    let catalog = Catalog::built_in();
    let moved = |mut table: Table<'_>| {
        table.done(json!({"do": "forces", "forces": [force("bismarck", 0)]}));
        table.done(json!({"do": "place", "object": "bismarck", "place": {"x": 100, "y": -50, "heading": 90}}));
        while let Some(owed) = table.view()["owed"].as_array().unwrap().first().cloned() {
            table.done(json!({"do": "waive", "owed": owed["number"]}));
        }
        let orders = json!({"speed": 20, "orders": [{"ahead": 200}], "ship.last_speed": 20});
        table.done(json!({"do": "act", "act": "move", "cast": {"ship": ["bismarck"]}, "facts": orders}));
        replays(&table);
        table.verdict()
    };
    assert_eq!(
        moved(newest(&catalog, "fleet-action")),
        "Bismarck moves 200 mm (3,700 m) and stands 50 mm south and 300 mm east of the middle, heading 90° (east)"
    );
    assert_eq!(moved(older(&catalog, "fleet-action", 4)), "Bismarck now stands at 300, -50 mm, heading 90°");
}

#[test]
fn night_stays_until_it_is_changed_and_smoke_between_the_same_ships() {
    let catalog = Catalog::built_in();
    let salvo = |from: &str, to: &str, told: Value| {
        json!({"do": "act", "act": "salvo",
            "cast": {"shooter": [from], "target": [to]}, "part": "0", "facts": told})
    };
    let on = |table: &Table<'_>, from: &str, to: &str, label: &str| {
        let said = table.desk.consider(&salvo(from, to, json!({"range_mm": 240}))).unwrap();
        fact(&said, label)["value"].clone()
    };
    let fire = |table: &mut Table<'_>, deed: Value| {
        table.done(deed);
        while table.desk.question_to(REFEREE).is_some_and(|question| question.prompt.code == "dice") {
            table.done(json!({"dice": [1]}));
        }
    };
    let set_up = |mut table: Table<'static>| {
        let ships = [force("bismarck", 0), force("prinz-eugen", 0), force("hood", 1), force("exeter", 1)];
        table.done(json!({"do": "forces", "forces": ships}));
        while let Some(owed) = table.view()["owed"].as_array().unwrap().first().cloned() {
            table.done(json!({"do": "waive", "owed": owed["number"]}));
        }
        table
    };
    let kept: &'static Catalog = Box::leak(Box::new(catalog));
    let mut table = set_up(newest(kept, "fleet-action"));
    let smoke = "Smoke, weather or land between";
    fire(&mut table, salvo("bismarck", "hood", json!({"range_mm": 240, "night": true})));
    assert_eq!(on(&table, "exeter", "prinz-eugen", "Night"), true, "for every ship");
    assert_eq!(table.view()["remarks"], json!(["It is night"]));
    // The next salvo meets the same Crew Test without being told.
    table.done(salvo("hood", "bismarck", json!({"range_mm": 240})));
    assert!(table.desk.question_to(REFEREE).unwrap().prompt.text.contains("Crew Test"));
    table.done(json!({"dice": [1]}));
    fire(&mut table, salvo("bismarck", "hood", json!({"range_mm": 240, "night": false, "obscured": true})));
    assert_eq!(on(&table, "exeter", "prinz-eugen", "Night"), false, "until it is changed");
    assert_eq!(on(&table, "hood", "bismarck", smoke), true, "it hides each from the other");
    assert_eq!(on(&table, "exeter", "prinz-eugen", smoke), false, "and nobody else");
    assert_eq!(table.view()["remarks"], json!(["Smoke, weather or land between Bismarck and Hood"]));
    replays(&table);
    table.done(json!({"do": "remove", "object": "hood"}));
    assert_eq!(table.view()["remarks"], json!([]));
    assert!(table.state()["marks"].get("kept").is_none());
    // An older table is told anew for every salvo.
    let mut old = set_up(older(kept, "fleet-action", 4));
    fire(&mut old, salvo("bismarck", "hood", json!({"range_mm": 240, "night": true})));
    assert_eq!(on(&old, "bismarck", "hood", "Night"), false);
    assert_eq!(old.state()["marks"], json!({"version": 4}));
    replays(&old);
}
