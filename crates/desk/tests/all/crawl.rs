//! Every text that a person sees in whole games of every scenario is words: no id, no JSON, no raw coordinate.

use crate::common::{asked, every_scenario, open};
use flagplot_catalog::PlayerKind;
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::{Chance, Seat, Viewer};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Fields that name pieces, places and answers to programs.
const IDS: [&str; 9] = ["id", "value", "piece", "pieces", "targets", "box", "key", "template", "begins"];
/// Fields that say other things to programs; whatever stands in any other field is read by people.
const SIGNS: [&str; 9] = ["kind", "code", "what", "states", "tables", "rule", "rules", "effect", "only"];

/// The texts and the names of one game.
#[derive(Default)]
struct Crawl {
    /// Texts, each with the field in which it was first met.
    texts: BTreeMap<String, String>,
    names: BTreeSet<String>,
}

impl Crawl {
    /// Reads all that is sent to a screen.
    fn read(&mut self, what: &str, sent: &impl Serialize) {
        self.walk(what, "", &serde_json::to_value(sent).unwrap());
    }

    fn walk(&mut self, at: &str, field: &str, value: &Value) {
        match value {
            // The items of a sum are named by their ids; those of a form are objects.
            Value::String(text) if IDS.contains(&field) || field == "items" => {
                self.names.insert(text.clone());
            }
            _ if SIGNS.contains(&field) => {}
            Value::String(text) if !text.is_empty() && !self.texts.contains_key(text) => {
                self.texts.insert(text.clone(), at.to_owned());
            }
            Value::Array(list) => list.iter().for_each(|one| self.walk(at, field, one)),
            Value::Object(map) => {
                for (key, one) in map {
                    // An arrow names its ends, the outcome of a line is for programs.
                    let named = match (field, key.as_str()) {
                        ("arrows", "from" | "to") => "id",
                        _ if IDS.contains(&field) => field,
                        _ => key,
                    };
                    if (at, key.as_str()) != ("log", "outcome") {
                        self.walk(at, named, one);
                    }
                }
            }
            _ => {}
        }
    }

    /// The texts that a person could not read, each with what is wrong.
    fn faults(&self) -> Vec<String> {
        // An English word may be a name as well; a word with a digit is an id.
        let odd = |name: &&String| {
            let has = |test: fn(char) -> bool| name.contains(test);
            has(|c| c.is_ascii_digit()) && has(|c| c.is_ascii_alphabetic()) && !name.contains(' ')
        };
        let ids: HashSet<&str> =
            self.names.iter().filter(odd).filter(|name| !self.texts.contains_key(*name)).map(String::as_str).collect();
        self.texts
            .iter()
            .filter_map(|(text, at)| {
                wrong(&unquoted(text, at), &ids, &self.names).map(|why| format!("{at}: {why}: {text}"))
            })
            .collect()
    }
}

/// A refusal may quote what was typed, and list what can be typed.
fn unquoted(text: &str, at: &str) -> String {
    if at != "refusal" {
        return text.to_owned();
    }
    let listed = text.split(": ").next().unwrap_or_default();
    listed.split('\'').enumerate().filter(|(n, part)| n % 2 == 0 || part.contains(' ')).map(|(_, part)| part).collect()
}

/// What is wrong with a text that a person reads.
fn wrong(text: &str, ids: &HashSet<&str>, names: &BTreeSet<String>) -> Option<String> {
    let json = ["{\"", "\":", "[{", "[[", "[\"", "{}", "[]", "Some(", "None)", "null"];
    if let Some(sign) = json.iter().find(|sign| text.contains(*sign)) {
        return Some(format!("JSON or code, {sign}"));
    }
    if text.to_lowercase().contains("thousandths") {
        return Some("a raw unit".into());
    }
    if coordinate(text, names) {
        return Some("a raw coordinate".into());
    }
    // A rule is cited in brackets; a counter may bear its sign in small print.
    let uncited = text.split('[').flat_map(|part| part.split_once(']').map_or([part, ""], |(_, rest)| [rest, ""]));
    let words = uncited.flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && !"-_".contains(c)));
    let mut words = words.filter(|word| *word != text);
    words.find(|word| ids.contains(word) || word.trim_matches('_').contains('_')).map(|id| format!("the id {id}"))
}

/// Whether two numbers stand beside each other as the parts of a point do, one of them of four digits or negative.
fn coordinate(text: &str, names: &BTreeSet<String>) -> bool {
    let parts: Vec<&str> = text.split(", ").collect();
    let sign = |c: &char| c.is_ascii_digit() || *c == '-';
    let last = |part: &str| part.chars().rev().take_while(sign).collect::<Vec<_>>().into_iter().rev().collect();
    let first = |part: &str| part.chars().take_while(sign).collect();
    let number = |text: &str| text.parse::<i64>().is_ok();
    let raw = |text: &str| text.starts_with('-') || text.trim_start_matches('-').len() > 3;
    parts.windows(2).any(|pair| {
        let (one, other): (String, String) = (last(pair[0]), first(pair[1]));
        // The numbers of hexes are printed on the map.
        let printed = names.contains(&one) || one.len() == 4 && one.starts_with('0');
        number(&one) && number(&other) && !printed && (raw(&one) || raw(&other))
    })
}

/// A whole game, as each viewer reads it; hints and odds for the first two questions of each kind.
fn play(mut desk: Desk, kind: PlayerKind, seed: u64) -> Crawl {
    let mut chance = Chance::seeded(seed);
    let mut crawl = Crawl::default();
    let mut asked_before: BTreeMap<&'static str, u32> = BTreeMap::new();
    let mut given: BTreeMap<&'static str, Value> = BTreeMap::new();
    let mut drawn = None;
    let viewers = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];
    while let Some(seat) = asked(&desk) {
        if drawn != Some(desk.picture_number()) {
            drawn = Some(desk.picture_number());
            viewers.iter().for_each(|viewer| crawl.read("scene", &desk.situation(*viewer).scene));
        }
        let question = desk.question_to(seat).unwrap().clone();
        crawl.read("question", &question);
        // What was an answer to another question of its kind is one no longer.
        if let Some(former) = given.get(question.prompt.code)
            && !question.options.iter().any(|option| option.value == *former)
        {
            match desk.answer(seat, former.clone()) {
                Err(refusal) => crawl.read("refusal", &refusal),
                Ok(()) => continue,
            }
        }
        let times = asked_before.entry(question.prompt.code).or_default();
        *times += 1;
        let value = if *times <= 2 {
            let hint = desk.hint(seat, kind, &mut chance).unwrap();
            crawl.read("hint", &hint);
            crawl.read("odds", &desk.explain(seat, None));
            crawl.read("odds", &desk.explain(seat, Some(&hint.value)));
            hint.value
        } else {
            desk.think(seat, kind, &mut chance).unwrap()
        };
        given.insert(question.prompt.code, value.clone());
        desk.answer(seat, value).unwrap();
    }
    crawl.read("scene", &desk.situation(Viewer::Everything).scene);
    crawl.read("outcome", &desk.outcome());
    crawl.read("log", &desk.log(Viewer::Everything, 0));
    crawl
}

#[test]
fn every_text_of_whole_games_is_words() {
    let (mut faults, mut texts) = (BTreeSet::new(), 0);
    every_scenario(|catalog, system, scenario, game| {
        for (kind, seed) in [(PlayerKind::Greedy, 11), (PlayerKind::Random, 12)] {
            let crawl = play(open(catalog, system, scenario, game, DiceSource::Seeded(seed)), kind, seed);
            texts += crawl.texts.len();
            faults.extend(crawl.faults().into_iter().map(|fault| format!("{system} {scenario}, {fault}")));
        }
    });
    assert!(texts > 10_000, "only {texts} texts were met");
    let shown: Vec<String> = faults.iter().take(40).cloned().collect();
    assert!(faults.is_empty(), "{} texts:\n{}", faults.len(), shown.join("\n"));
}
