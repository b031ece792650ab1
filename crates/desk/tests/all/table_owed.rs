//! What every system's rules owe at a referee's table is kept, offered and never forgotten.

use crate::table::{REFEREE, Table, newest};
use flagplot_catalog::{Catalog, TABLE};
use flagplot_desk::{Desk, DiceSource, Entry};
use flagplot_kernel::Seat;
use serde_json::{Value, json};

fn scenario<'a>(catalog: &'a Catalog, system: &'a str, id: &str) -> Table<'a> {
    let mut table = newest(catalog, system);
    table.done(json!({"do": "scenario", "scenario": id}));
    table
}

fn owed(table: &Table<'_>) -> Vec<Value> {
    table.view()["owed"].as_array().expect("a list").clone()
}

/// What is owed, in words.
fn whys(table: &Table<'_>) -> Vec<String> {
    owed(table).iter().map(|owed| owed["why"].as_str().expect("a sentence").to_owned()).collect()
}

fn find(table: &Table<'_>, act: &str) -> Value {
    let all = owed(table);
    all.iter().find(|owed| owed["act"] == act).unwrap_or_else(|| panic!("{act} is owed: {all:?}")).clone()
}

/// Rules on the first thing owed that is this act, with more facts, and these dice again and again.
fn rule(table: &mut Table<'_>, act: &str, facts: Value, faces: &[u8]) {
    let due = find(table, act);
    table.done(json!({"do": "act", "act": act, "cast": due["cast"], "owed": due["number"], "facts": facts}));
    roll(table, faces);
}

fn roll(table: &mut Table<'_>, faces: &[u8]) {
    let mut faces = faces.iter().copied().cycle();
    while let Some(question) = table.desk.question_to(REFEREE).filter(|question| question.prompt.code == "dice") {
        let form = serde_json::to_value(&question.form).expect("a form");
        let dice: Vec<u8> =
            (0..form["limits"].as_array().expect("limits").len()).filter_map(|_| faces.next()).collect();
        table.done(json!({"dice": dice}));
    }
}

/// Nothing but a ruling or a waiver lets the next phase begin.
fn next(table: &mut Table<'_>) {
    while let Some(one) = owed(table).first() {
        let refusal = table.refused(json!({"do": "next"}));
        assert_eq!(refusal.code, "still-owed");
        table.done(json!({"do": "waive", "owed": one["number"]}));
    }
    table.done(json!({"do": "next"}));
}

/// A record of the table as it stands replays to the same bytes.
fn replays(table: &Table<'_>) {
    let replayed = Desk::resume(table.catalog, &table.desk.record(true)).expect("it replays");
    assert_eq!(replayed.checkpoint().bytes(), table.desk.checkpoint().bytes());
}

fn ids(table: &Table<'_>, kind: &str, side: u8) -> Vec<String> {
    let state = table.state();
    let objects = state["objects"].as_array().expect("objects");
    let of = objects.iter().filter(|one| one["kind"] == kind && one["side"] == side);
    of.map(|one| one["id"].as_str().expect("an id").to_owned()).collect()
}

fn object(table: &Table<'_>, id: &str) -> Value {
    let state = table.state();
    let objects = state["objects"].as_array().expect("objects");
    objects.iter().find(|one| one["id"] == id).unwrap_or_else(|| panic!("{id} is there")).clone()
}

#[test]
fn a_dogfight_owes_edges_order_ends_of_moves_hits_smoke_and_fire() {
    let catalog = Catalog::built_in();
    let first = catalog.table("dogfite").unwrap().scenarios[0].0.clone();
    let mut table = scenario(&catalog, "dogfite", &first);
    assert_eq!(whys(&table), ["The edges are adjusted", "The order of moves is rolled for"]);
    let (ours, theirs) = (ids(&table, "aircraft", 0), ids(&table, "aircraft", 1));
    let edges = find(&table, "edge-adjustment");
    assert_eq!(edges["cast"]["aircraft"].as_array().unwrap().len(), ours.len() + theirs.len());
    next(&mut table);
    assert_eq!(owed(&table).len(), ours.len() + theirs.len(), "each ends its move: {:?}", whys(&table));
    let due = find(&table, "end-of-move");
    let mover = due["cast"]["aircraft"][0].as_str().unwrap().to_owned();
    let before = object(&table, &mover)["value"]["speed"].as_i64().unwrap();
    rule(
        &mut table,
        "end-of-move",
        json!({"engine": "drag", "vertical.direction": "none", "vertical.points": 0}),
        &[6],
    );
    assert!(object(&table, &mover)["value"]["speed"].as_i64().unwrap() < before, "the sheet has the new speed");
    next(&mut table);
    assert!(owed(&table).is_empty());
    // Both fire before any hit is marked: all fire is simultaneous.
    for (from, to) in [(&ours[0], &theirs[0]), (&theirs[0], &ours[0])] {
        let clean = object(&table, to)["value"]["boxes"].clone();
        let fire = json!({"do": "act", "act": "attack", "cast": {"firer": [from], "target": [to]},
            "facts": {"edge": 10, "half_hexes": 0}});
        table.done(fire);
        roll(&mut table, &[6]);
        assert_eq!(object(&table, to)["value"]["boxes"], clean);
    }
    let hits = owed(&table).iter().filter(|one| one["act"] == "damage").count();
    assert_eq!(hits, 2, "{:?}", whys(&table));
    assert!(owed(&table).iter().any(|one| one["act"] == "critical-hit"));
    let struck = find(&table, "damage")["cast"]["aircraft"][0].as_str().unwrap().to_owned();
    let clean = object(&table, &struck)["value"]["boxes"].clone();
    rule(&mut table, "damage", json!({}), &[]);
    assert_ne!(object(&table, &struck)["value"]["boxes"], clean);
    next(&mut table);
    // The aircraft that smoke or burn at the end are not forgotten.
    table.done(json!({"do": "correct", "object": ours[0], "field": "smoking", "value": true}));
    table.done(json!({"do": "correct", "object": theirs[0], "field": "burning", "value": true}));
    for _ in 0..4 {
        next(&mut table);
    }
    assert_eq!(table.view()["phase"], 3);
    assert_eq!(find(&table, "engine-smoke")["cast"]["aircraft"][0], json!(ours[0]));
    assert_eq!(find(&table, "fire-damage")["cast"]["aircraft"][0], json!(theirs[0]));
    replays(&table);
}

#[test]
fn results_of_a_schiffskrieg_round_add_up_and_take_effect_together() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "schiffskrieg");
    let title = |title: &str| {
        let info = catalog.table("schiffskrieg").unwrap();
        info.forces.iter().find(|force| force.name == title).unwrap_or_else(|| panic!("{title}")).id.clone()
    };
    let [bismarck, eugen, hood] = ["Bismarck", "Prinz Eugen", "Hood"].map(title);
    let side = |of: &str, side: u8| json!({"of": of, "side": side});
    table.done(json!({"do": "forces", "forces": [side(&bismarck, 0)]}));
    assert!(owed(&table).is_empty(), "there is no battle yet");
    table.done(json!({"do": "forces", "forces": [side(&eugen, 0), side(&hood, 1)]}));
    assert_eq!(whys(&table), ["The factions choose day or night"]);
    let night = json!({"all_sea": true, "phasing.wish": "night", "phasing.nearest_air_base": null,
        "non_phasing.wish": "night", "non_phasing.nearest_air_base": null});
    rule(&mut table, "day-night", night, &[1]);
    assert_eq!(table.view()["remarks"], json!(["Night Action: guns and torpedoes attack"]));
    next(&mut table);
    let attack = |table: &mut Table<'_>, by: &str, faces: &[u8]| {
        // The round is known.
        table.done(json!({"do": "act", "act": "attack", "cast": {"attacker": [by], "target": [hood]},
            "facts": {"factor": "gunnery"}}));
        roll(table, faces);
    };
    let dice = object(&table, &bismarck)["value"]["gunnery"].as_u64().unwrap() as usize;
    // One hit for 3 damage points, which do not hurt Hood by themselves, then as much again from another ship.
    let one_hit = |dice: usize| -> Vec<u8> { [vec![6], vec![1; dice - 1], vec![3]].concat() };
    attack(&mut table, &bismarck, &one_hit(dice));
    assert_eq!(table.verdict(), "Bismarck attacks Hood: 1 hit and 3 damage points");
    let dice = object(&table, &eugen)["value"]["gunnery"].as_u64().unwrap() as usize;
    attack(&mut table, &eugen, &one_hit(dice));
    assert_eq!(table.verdict(), "Prinz Eugen attacks Hood: 1 hit and 3 damage points, 6 in this round");
    assert_eq!(object(&table, &hood)["value"]["damaged"], false, "she fights on until the round ends");
    assert_eq!(whys(&table), ["The results of the round take effect"]);
    assert!(table.view()["remarks"].to_string().contains("Hood: 6 damage points in this round"));
    // What the table does is what the procedure does with six points.
    let value = object(&table, &hood)["value"].clone();
    let mut unit = value.clone();
    (unit["damage_points"], unit["disabled_results"]) = (6.into(), 0.into());
    let ruled = table.adjudicate("allocate-boxes", json!({"context": "combat-round", "units": [unit]}), &[]);
    let fate = ruled["units"].as_object().unwrap().values().next().unwrap().clone();
    rule(&mut table, "boxes", json!({}), &[]);
    let after = object(&table, &hood);
    assert_eq!(after["value"]["damaged"], fate["damaged"]);
    assert_eq!(after.get("gone").is_some(), fate["destination"] != "line-of-battle", "{fate}");
    assert_ne!(fate["box"], "line-of-battle", "together they do");
    assert!(owed(&table).is_empty(), "{:?}", whys(&table));
    replays(&table);
}

#[test]
fn a_disabled_ship_leaves_the_line_and_is_rolled_for_in_the_delay_box() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "schiffskrieg");
    let info = catalog.table("schiffskrieg").unwrap();
    let of = |name: &str| info.forces.iter().find(|force| force.name == name).unwrap().id.clone();
    let [bismarck, hood, wales] = ["Bismarck", "Hood", "Prince of Wales"].map(of);
    let side = |of: &str, side: u8| json!({"of": of, "side": side});
    table.done(json!({"do": "forces", "forces": [side(&bismarck, 0), side(&hood, 1), side(&wales, 1)]}));
    next(&mut table);
    table.done(json!({"do": "act", "act": "attack", "cast": {"attacker": [bismarck], "target": [hood]},
        "facts": {"factor": "gunnery", "action": "night"}}));
    roll(&mut table, &[5]);
    assert!(table.verdict().ends_with("Hood is disabled"), "{}", table.verdict());
    rule(&mut table, "boxes", json!({}), &[]);
    assert_eq!(object(&table, &hood)["gone"], "in the Delay Box");
    next(&mut table);
    let retreat = find(&table, "retreat");
    assert_eq!(retreat["why"], "A faction may retreat");
    assert_eq!(retreat["cast"]["non-phasing"], json!([wales]), "who is disabled is not in line");
    rule(&mut table, "retreat", json!({"non_phasing.retreats": true}), &[]);
    assert!(table.verdict().starts_with("The battle is over"), "{}", table.verdict());
    next(&mut table);
    let delay = find(&table, "delay");
    assert_eq!(delay["cast"]["counters"], json!([hood]));
    rule(&mut table, "delay", json!({"turn": 1, "faction_drm": 0}), &[3]);
    next(&mut table);
    assert_eq!(table.view()["turn"], 2);
    assert!(owed(&table).is_empty(), "the battle is over: {:?}", whys(&table));
    replays(&table);
}

#[test]
fn squadrons_of_carrier_strike_run_out_of_range_and_must_fly_home() {
    let catalog = Catalog::built_in();
    let mut table = scenario(&catalog, "carrier-strike", "first-strike");
    let (squadrons, targets) = (ids(&table, "squadron", 0), ids(&table, "carrier group", 1));
    let flyer = squadrons[0].clone();
    let strike = json!({"do": "act", "act": "strike", "cast": {"squadron": [flyer], "cv": targets},
        "facts": {"squadron.stance": "patient", "squadron.aa_stance": "patient"}});
    table.done(strike);
    roll(&mut table, &[3]);
    assert!(table.view()["remarks"].to_string().contains("is in the air, range 6"), "{}", table.view()["remarks"]);
    for turn in 1..=5 {
        while table.view()["phase"] != 3 {
            next(&mut table);
        }
        assert!(owed(&table).is_empty(), "turn {turn}: {:?}", whys(&table));
        next(&mut table);
        assert_eq!(find(&table, "victory")["why"], "The turn ends: has a side won?");
        assert_eq!(object(&table, &flyer)["value"]["rl"], 6 - turn);
        next(&mut table);
    }
    while table.view()["phase"] != 3 {
        next(&mut table);
    }
    let home = find(&table, "ditching");
    assert_eq!(home["cast"]["squadron"], json!([flyer]));
    rule(&mut table, "ditching", json!({"distance": 1000}), &[3]);
    assert!(table.view()["remarks"].as_array().unwrap().is_empty(), "it has landed");
    replays(&table);
}

#[test]
fn carriers_that_find_carriers_fight_at_the_end_of_the_turn() {
    let catalog = Catalog::built_in();
    let mut table = scenario(&catalog, "carrier-strike", "first-strike");
    table.done(json!({"do": "act", "act": "detection", "cast": {},
        "facts": {"searcher": "cv", "distance": 2500, "searcher_number": 1, "hider_number": 1}}));
    assert_eq!(table.verdict(), "The enemy is found");
    for _ in 0..4 {
        next(&mut table);
    }
    let fight = find(&table, "surface-action");
    assert_eq!(fight["cast"], json!({"blue": ["blue-cv"], "red": ["red-cv"]}));
}

#[test]
fn a_strike_of_a_world_at_war_goes_on_past_patrols_and_guns_to_the_ships() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "world-at-war");
    table.done(json!({"do": "line", "line": "12 squadrons Japan", "side": 0}));
    table.done(json!({"do": "line", "line": "2 squadrons United States", "side": 1}));
    let info = catalog.table("world-at-war").unwrap();
    let lexington = info.forces.iter().find(|force| force.name.contains("Lexington")).unwrap().id.clone();
    table.done(json!({"do": "forces", "forces": [{"of": lexington, "side": 1}]}));
    let (ours, theirs) = (ids(&table, "air", 0), ids(&table, "air", 1));
    table.done(json!({"do": "act", "act": "air-combat", "facts": {"role": "cap"},
        "cast": {"attackers": ours, "defenders": theirs, "ships": [lexington]}}));
    roll(&mut table, &[6]);
    // Every link of the chain is ruled by itself as its dice are typed: the guns and the ship have spoken, too.
    let acts: Vec<String> = table
        .desk
        .log(flagplot_kernel::Viewer::Spectator, 0)
        .iter()
        .flat_map(|entry| serde_json::to_value(entry).ok())
        .filter_map(|entry| (entry.to_string().contains("\"act\"")).then(|| entry.to_string()))
        .collect();
    for link in ["A round of air combat", "Air defense", "Air strike on ships"] {
        assert!(acts.iter().any(|entry| entry.contains(link)), "{link}: {acts:?}");
    }
    assert!(table.verdict().contains("Lexington"), "{}", table.verdict());
    assert!(owed(&table).is_empty(), "{:?}", whys(&table));
    assert_eq!(table.view()["rulings"], 3);
    // Squadrons that were turned back do not attack, and stay on the sheet.
    let (left, through) = (object(&table, &ours[0])["value"]["count"].as_u64().unwrap(), table.verdict());
    let through: u64 = through.split(' ').next().unwrap().parse().expect("a number");
    assert!(through < left, "{through} of {left}");
    replays(&table);
}

#[test]
fn fleets_of_a_world_at_war_owe_their_search() {
    let catalog = Catalog::built_in();
    let musters = catalog.table("world-at-war").unwrap().scenarios;
    let (force_z, _) = musters.iter().find(|(_, title)| title.starts_with("Force Z")).expect("Force Z").clone();
    let mut table = scenario(&catalog, "world-at-war", &force_z);
    next(&mut table);
    assert_eq!(whys(&table), ["Both sides search for the enemy"]);
}

#[test]
fn ships_holed_by_a_collision_take_their_wreck_tests() {
    let catalog = Catalog::built_in();
    let mut table = newest(&catalog, "fleet-action");
    let side = |of: &str, side: u8| json!({"of": of, "side": side});
    table.done(json!({"do": "forces", "forces": [side("exeter", 0), side("ajax", 0)]}));
    for id in ["exeter", "ajax"] {
        table.done(json!({"do": "correct", "object": id, "field": "f", "value": 1}));
    }
    while let Some(one) = owed(&table).first() {
        table.done(json!({"do": "waive", "owed": one["number"]}));
    }
    table.done(json!({"do": "act", "act": "collide", "cast": {"moving": ["exeter"], "other": ["ajax"]}}));
    // Both fail to get clear and are holed; Exeter founders, Ajax stays afloat.
    for (dice, words) in [([1], "crew"), ([1], "crew"), ([6], "flotation"), ([6], "flotation"), ([1], "wreck")] {
        let prompt = table.desk.question_to(REFEREE).unwrap().prompt.text.clone();
        assert!(prompt.to_lowercase().contains(words), "{prompt}");
        table.done(json!({"dice": dice}));
    }
    assert_ne!(object(&table, "exeter").get("gone").unwrap(), "", "{}", object(&table, "exeter"));
    assert!(table.desk.question_to(REFEREE).unwrap().prompt.text.to_lowercase().contains("wreck"));
    roll(&mut table, &[10]);
    assert!(object(&table, "ajax").get("gone").is_none());
    assert_eq!(object(&table, "ajax")["marks"]["speed"], 0, "both stop");
    assert!(owed(&table).is_empty());
    replays(&table);
}

#[test]
fn a_table_of_version_5_owes_what_it_did() {
    let catalog = Catalog::built_in();
    for (system, owes) in [("fleet-action", true), ("dogfite", false), ("schiffskrieg", false)] {
        let seats = (0..5).map(|n| format!("Seat {n}")).collect();
        let mut options = flagplot_catalog::table_options();
        options["version"] = 5.into();
        let desk = Desk::open(&catalog, system, TABLE, options, seats, DiceSource::Seeded(7)).expect("a table");
        let mut table = Table { catalog: &catalog, system, desk };
        let first = catalog.table(system).unwrap().scenarios[0].0.clone();
        table.done(json!({"do": "scenario", "scenario": first}));
        assert_eq!(!owed(&table).is_empty(), owes, "{system}: {:?}", whys(&table));
        assert!(table.desk.entries().iter().all(|entry| !matches!(entry, Entry::Dice(_))));
        assert!(table.desk.question_to(Seat(0)).is_some());
    }
}
