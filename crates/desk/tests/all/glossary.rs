//! Every mark that occurs on a board in whole games of every scenario has an entry in the glossary of its system.

use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource, glossary, marks};
use flagplot_kernel::{Chance, Viewer};
use std::collections::BTreeSet;

/// The marks of a whole game between quick players, as every viewer sees it.
fn crawl(catalog: &Catalog, system: &str, scenario: &str, seed: u64) -> BTreeSet<String> {
    let game = catalog.system(system).unwrap().game(scenario, &serde_json::Value::Null).unwrap();
    let seats: Vec<String> = game.seats().into_iter().map(|seat| seat.name).collect();
    let dice = DiceSource::Seeded(seed);
    let mut desk = Desk::open(catalog, system, scenario, serde_json::Value::Null, seats, dice).unwrap();
    let mut chance = Chance::seeded(seed);
    let mut found = BTreeSet::new();
    let mut drawn = None;
    while let Some(open) = desk.question().and_then(|question| question.open().first()).map(|open| open.seat) {
        if drawn != Some(desk.picture_number()) {
            drawn = Some(desk.picture_number());
            found.extend(marks(&desk.situation(Viewer::Everything).scene));
            found.extend(marks(&desk.situation(Viewer::Seat(open)).scene));
        }
        let value = desk.think(open, PlayerKind::Greedy, &mut chance).unwrap();
        desk.answer(open, value).unwrap();
    }
    found.extend(marks(&desk.situation(Viewer::Everything).scene));
    found
}

#[test]
fn every_mark_of_whole_games_is_explained() {
    let catalog = Catalog::built_in();
    let mut missing = Vec::new();
    let mut met = 0;
    for system in catalog.ids() {
        let terms = glossary(system).unwrap();
        let mut all = BTreeSet::new();
        for scenario in catalog.system(system).unwrap().scenarios() {
            all.extend(crawl(&catalog, system, &scenario.id, 11));
        }
        met += all.len();
        let unknown = all.into_iter().filter(|mark| !terms.iter().any(|term| term.explains(mark)));
        missing.extend(unknown.map(|mark| format!("{system} {mark}")));
    }
    assert!(met > 100, "only {met} marks were met");
    assert!(missing.is_empty(), "no glossary entry for:\n{}", missing.join("\n"));
}

#[test]
fn every_entry_is_whole_and_its_rule_is_there() {
    let catalog = Catalog::built_in();
    for system in catalog.ids() {
        let rules = catalog.system(system).unwrap().rules();
        let mut seen = BTreeSet::new();
        for term in glossary(system).unwrap() {
            assert!(seen.insert(term.term.to_lowercase()), "{system}: '{}' twice", term.term);
            assert!(term.text.ends_with('.'), "{system}: '{}' is not a sentence", term.term);
            if let Some(rule) = &term.rule {
                assert!(rules.iter().any(|known| known.id == rule), "{system}: '{}' names no rule {rule}", term.term);
            }
        }
    }
}

#[test]
fn the_entries_say_what_the_rules_say() {
    // What an entry must say, and what it once said against the rules.
    let facts = [
        ("carrier-strike", "scout", "finds more often than others", "sees furthest"),
        ("carrier-strike", "last fuel", "can only land or fly home", "is lost"),
        ("carrier-strike", "detection", "A scout finds with more sums", "the closer the search"),
        ("dogfite", "with aerobatics", "aerobatic points are spent", "movement point"),
        ("dogfite", "set", "all four sets are filled twice", "four full sets"),
        ("dogfite", "critical", "the pilot or the airframe", "fuel"),
        ("fleet-action", "surprised", "holds course and speed and can only spot", "does not act"),
        ("fleet-action", "Flotation", "only while she passes Wreck Tests", "at 0 she sinks"),
        ("fleet-action", "Structure", "fire Local only", "wreck"),
        ("fleet-action", "Spotting", "far she can see and shoot", "she is seen"),
        ("fleet-action", "Armour", "does half damage", "must penetrate"),
        ("fleet-action", "range band", "does half damage", "does nothing"),
        ("schiffskrieg", "Disabled", "the Naval Warfare Delay Box", "in the Delay Box"),
        ("schiffskrieg", "waters", "adds 1 to its roll for day or night", "reach it less"),
    ];
    for (system, term, right, wrong) in facts {
        let text = &glossary(system).unwrap().iter().find(|known| known.term == term).unwrap().text;
        assert!(text.contains(right) && !text.contains(wrong), "{system}, {term}: {text}");
    }
}
