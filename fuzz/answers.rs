//! A game played by any bytes: the first line names system, scenario and a seed, each further line is an answer, either
//! the number of an option or JSON. The fuzz target `answers` and a test of the desk share it.

use flagplot_catalog::Catalog;
use flagplot_desk::{Desk, DiceSource};
use serde_json::Value;

/// So many answers are tried at most.
const LONGEST: usize = 400;

/// Plays, and says how many answers were taken; none if the first line names no game. An answer that is refused must
/// change nothing, and what was taken must replay to the same state.
///
/// # Panics
/// If it does not.
pub fn play(catalog: &Catalog, bytes: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text.lines();
    let mut head = lines.next()?.split_whitespace();
    let (system, scenario) = (head.next()?, head.next()?);
    let seed = head.next().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let seats = catalog.system(system).ok()?.game(scenario, &Value::Null).ok()?.seats().len();
    let names = vec!["fuzz".to_owned(); seats];
    let mut desk = Desk::open(catalog, system, scenario, Value::Null, names, DiceSource::Seeded(seed)).ok()?;
    let mut taken = 0;
    for line in lines.take(LONGEST) {
        let Some(asked) = desk.question().and_then(|question| question.open().first().cloned()) else { break };
        let value = match line.trim().parse::<usize>() {
            Ok(number) if !asked.options.is_empty() => asked.options[number % asked.options.len()].value.clone(),
            _ => match serde_json::from_str(line) {
                Ok(value) => value,
                Err(_) => continue,
            },
        };
        let before = (desk.checkpoint().bytes(), desk.entries().len(), format!("{:?}", desk.question()));
        match desk.answer(asked.seat, value.clone()) {
            Ok(()) => taken += 1,
            Err(refusal) => {
                assert!(!refusal.code.is_empty() && !refusal.message.is_empty(), "{value}: a refusal without words");
                let after = (desk.checkpoint().bytes(), desk.entries().len(), format!("{:?}", desk.question()));
                assert!(before == after, "{value} was refused and changed the game");
            }
        }
    }
    let again = desk.record(true).replay(catalog, None).expect("what was played can be replayed");
    assert!(again.checkpoint().bytes() == desk.checkpoint().bytes(), "a replay ends elsewhere");
    Some(taken)
}
