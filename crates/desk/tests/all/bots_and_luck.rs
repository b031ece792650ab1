//! A bot plays by lines of JSON; a finished game is taken apart into luck and choices.

use flagplot_catalog::{Budget, Catalog, PlayerKind};
use flagplot_desk::{BotError, Desk, DiceSource, HintUse, LuckSettings, Record, analyse, play_bot};
use flagplot_kernel::{Chance, Seat};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::{BufReader, Read, Write};
use std::rc::Rc;

fn open(catalog: &Catalog, scenario: &str, seed: u64) -> Desk {
    Desk::open(
        catalog,
        "schiffskrieg",
        scenario,
        Value::Null,
        vec!["bot".into(), "greedy".into()],
        DiceSource::Seeded(seed),
    )
    .unwrap()
}

/// A bot at the other end of the line: it hears what is written and answers when it is read from.
struct Bot<F> {
    heard: Rc<RefCell<Vec<Value>>>,
    answer: F,
}

impl<F: FnMut(&[Value]) -> Option<String>> Read for Bot<F> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let Some(line) = (self.answer)(&self.heard.borrow()) else { return Ok(0) };
        let bytes = format!("{line}\n").into_bytes();
        into[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

#[derive(Default)]
struct Ear {
    heard: Rc<RefCell<Vec<Value>>>,
    line: Vec<u8>,
}

impl Write for Ear {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.line.extend(bytes);
        while let Some(end) = self.line.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.line.drain(..=end).collect();
            self.heard.borrow_mut().push(serde_json::from_slice(&line).unwrap());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn play(
    desk: &mut Desk,
    answer: impl FnMut(&[Value]) -> Option<String>,
) -> (Result<flagplot_kernel::Outcome, BotError>, Vec<Value>) {
    let heard = Rc::new(RefCell::new(Vec::new()));
    let mut chance = Chance::seeded(1);
    let input = BufReader::new(Bot { heard: Rc::clone(&heard), answer });
    let others = |desk: &Desk, seat| desk.think(seat, PlayerKind::Greedy, &mut chance);
    let result = play_bot(desk, Seat(0), others, input, Ear { heard: Rc::clone(&heard), line: Vec::new() });
    let heard = heard.borrow().clone();
    (result, heard)
}

#[test]
fn a_bot_that_takes_the_first_option_plays_a_whole_game() {
    let catalog = Catalog::built_in();
    let mut desk = open(&catalog, "midway-1942", 4);
    let (result, heard) = play(&mut desk, |heard| {
        Some(json!({"value": heard.last()?["ask"]["question"]["options"][0]["value"]}).to_string())
    });
    let outcome = result.unwrap();
    assert_eq!(Some(outcome.summary), desk.outcome().map(|outcome| outcome.summary));
    assert!(heard.iter().filter(|line| line.get("ask").is_some()).count() >= 3);
    assert!(heard.iter().all(|line| line.get("refused").is_none()));
    assert!(heard.last().unwrap().get("over").is_some());
}

#[test]
fn bad_lines_are_refused_and_asked_again_until_it_is_enough() {
    let catalog = Catalog::built_in();
    let mut desk = open(&catalog, "midway-1942", 4);
    let mut lines =
        ["", "nonsense", "{\"value\": 7}", "{\"values\": 7}", "{\"resign\": false}", "{\"resign\": true}"].into_iter();
    let (result, heard) = play(&mut desk, |_| lines.next().map(str::to_owned));
    assert!(result.unwrap().summary.contains("resign"));
    let codes: Vec<&str> = heard.iter().filter_map(|line| line["refused"]["code"].as_str()).collect();
    assert_eq!(codes, ["bad-answer"; 5]);
    let (result, _) = play(&mut open(&catalog, "midway-1942", 4), |_| Some("[]".into()));
    assert!(matches!(result, Err(BotError::Stubborn(refusal)) if refusal.code == "bad-answer"));
    let (result, _) = play(&mut open(&catalog, "midway-1942", 4), |_| None);
    assert!(matches!(result, Err(BotError::Gone)));
}

#[test]
fn luck_and_loss_of_a_finished_game() {
    let catalog = Catalog::built_in();
    let mut desk = open(&catalog, "denmark-strait-1941", 2);
    let mut chance = Chance::seeded(3);
    // The first side never attacks; the second plays sensibly.
    while let Some(seat) = desk.question().and_then(|question| question.open().first().map(|question| question.seat)) {
        let declares = desk.question_to(seat).unwrap().prompt.code == "declare-attacks";
        let value = if seat == Seat(0) && declares {
            json!([])
        } else {
            desk.think(seat, PlayerKind::Greedy, &mut chance).unwrap()
        };
        desk.answer(seat, value).unwrap();
    }
    let settings = LuckSettings { games: 100, budget: Budget::Iterations(100), pairs: 100, seed: 1, cores: 2 };
    let record = desk.record(false);
    let found = analyse(&catalog, &record, &settings, |_, _| {}).unwrap();
    let [one, two] = found.seats.as_slice() else { panic!("two seats") };
    let dice = record.entries.iter().filter(|entry| matches!(entry, flagplot_desk::Entry::Dice(_))).count();
    assert_eq!(one.rolls.len(), dice);
    assert_eq!(one.curve.len(), record.entries.len() + 1);
    // Not attacking gives a lot away, and more than what the sensible side gives away.
    assert!(one.loss[0] > 0.1 && one.loss[0] > two.loss[0], "{:?} {:?}", one.loss, two.loss);
    assert!(
        one.choices
            .iter()
            .any(|choice| choice.chosen == json!([]) && choice.best != json!([]) && choice.loss > 2.0 * choice.error)
    );
    // Nothing is hidden here: what is good luck for one is bad luck for the other.
    assert!((one.luck[0] + two.luck[0]).abs() < 1e-9, "{:?} {:?}", one.luck, two.luck);
    // The same games before and after a roll tell more than different ones would.
    let apart: f64 = one.rolls.iter().map(|roll| roll.error.powi(2)).sum();
    let error = |at: usize| one.curve.iter().find(|point| point.at == at).unwrap().error;
    let different: f64 = one.rolls.iter().map(|roll| error(roll.at).hypot(error(roll.at - 1)).powi(2)).sum();
    assert!(apart < different, "{apart} {different}");
    // The curve ends where the game does.
    let ends =
        desk.outcome().unwrap().winner.map_or(0.5, |side| if side == flagplot_kernel::Side::First { 1.0 } else { 0.0 });
    assert_eq!(one.curve.last().unwrap().value, ends);
    assert_eq!(
        found,
        analyse(&catalog, &record, &LuckSettings { cores: 1, ..settings }, |_, _| {}).unwrap(),
        "the same on any number of cores"
    );
    assert!(found.method.contains("100 games"));
}

#[test]
fn what_was_taken_back_is_no_choice() {
    let catalog = Catalog::built_in();
    let mut desk = open(&catalog, "midway-1942", 1);
    desk.answer(Seat(0), json!("day")).unwrap();
    desk.undo(Seat(0)).unwrap();
    desk.answer(Seat(0), json!("night")).unwrap();
    let settings = LuckSettings { games: 10, budget: Budget::Iterations(20), pairs: 10, seed: 1, cores: 1 };
    let found = analyse(&catalog, &desk.record(true), &settings, |_, _| {}).unwrap();
    assert_eq!(
        found.seats[0].choices.iter().map(|choice| (choice.at, choice.chosen.clone())).collect::<Vec<_>>(),
        [(3, json!("night"))]
    );
}

#[test]
fn a_hint_that_was_followed_is_charged_no_more_than_its_error() {
    let catalog = Catalog::built_in();
    let mut desk = open(&catalog, "midway-1942", 1);
    let mut chance = Chance::seeded(3);
    // Up to the first attacks, in which attacking nothing is plainly worse than attacking.
    let (seat, at) = loop {
        let asked = desk.question().unwrap().open()[0].clone();
        if asked.prompt.code == "declare-attacks" {
            break (asked.seat, desk.entries().len());
        }
        let value = desk.think(asked.seat, PlayerKind::Greedy, &mut chance).unwrap();
        desk.answer(asked.seat, value).unwrap();
    };
    desk.answer(seat, json!([])).unwrap();
    let settings = LuckSettings { games: 4, budget: Budget::Iterations(100), pairs: 60, seed: 1, cores: 1 };
    let charged = |desk: &Desk| {
        let found = analyse(&catalog, &desk.record(true), &settings, |_, _| {}).unwrap();
        found.seats[usize::from(seat.0)].choices.iter().find(|choice| choice.at == at + 1).unwrap().clone()
    };
    let plain = charged(&desk);
    assert!(plain.loss > 2.0 * plain.error && !plain.hinted, "{plain:?}");
    let hint = |value| HintUse { at, seat, player: "admiral".into(), value, error: Some(0.01) };
    desk.note_hint(hint(json!("another answer")));
    assert_eq!(charged(&desk), plain, "a hint that was not followed excuses nothing");
    desk.note_hint(hint(json!([])));
    let followed = charged(&desk);
    assert!(followed.hinted && followed.loss <= followed.error && followed.error >= 0.01, "{followed:?}");
    // The record says who was advised and when, and is read as it was written.
    let text = desk.record(true).to_text();
    let read = Record::parse(text.as_bytes()).unwrap();
    assert_eq!(read.to_text(), text);
    assert_eq!(read.verify(&catalog).unwrap().hints, [(seat, at), (seat, at)]);
    let mut older = read.clone();
    older.header.flagplot = 2;
    assert_eq!(Record::parse(older.to_text().as_bytes()).unwrap_err().code, "bad-record");
    let mut foreign = read;
    foreign.header.hints[0].seat = Seat(7);
    assert_eq!(foreign.verify(&catalog).unwrap_err().code, "bad-record");
}

#[test]
fn a_hint_says_what_was_weighed() {
    let catalog = Catalog::built_in();
    let desk = open(&catalog, "midway-1942", 1);
    let hint = desk.hint(Seat(0), "search:60".parse().unwrap(), &mut Chance::seeded(1)).unwrap();
    assert_eq!(hint.alternatives.len(), 2);
    assert!(!hint.method.is_empty() && hint.alternatives.iter().all(|alternative| !alternative.label.is_empty()));
}
