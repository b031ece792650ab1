//! Limits on what an imported record may hold. A record is text that a stranger wrote.

use flagplot_desk::{DiceLine, Entry, Header, Record};
use flagplot_kernel::Refusal;
use serde_json::Value;

const MOST_SEATS: usize = 8;
const MOST_IMPORTS: usize = 20;
const MOST_ENTRIES: usize = 20_000;
const MOST_FACES: usize = 1_000;
const LONGEST_NAME: usize = 200;
const LONGEST_ENTROPY: usize = 200;
/// The largest options of a scenario, and the largest answer, in strings, numbers and lists together.
const LARGEST_OPTIONS: usize = 20_000;
const LARGEST_ANSWER: usize = 2_000;
const LONGEST_TEXT: usize = 1_000;

fn too_long(what: &str, most: usize) -> Refusal {
    Refusal::new("too-long", format!("{what} of an imported record: at most {most}."))
}

fn at_most(what: &str, length: usize, most: usize) -> Result<(), Refusal> {
    if length > most { Err(too_long(what, most)) } else { Ok(()) }
}

/// Counts the values inside a value; refuses a text or key that is too long.
fn values(what: &str, value: &Value) -> Result<usize, Refusal> {
    Ok(match value {
        Value::String(text) => {
            at_most(&format!("The texts in {what}"), text.len(), LONGEST_TEXT)?;
            1
        }
        Value::Array(items) => items.iter().try_fold(1, |sum, item| Ok::<_, Refusal>(sum + values(what, item)?))?,
        Value::Object(fields) => fields.iter().try_fold(1, |sum, (key, field)| {
            at_most(&format!("The names in {what}"), key.len(), LONGEST_TEXT)?;
            Ok::<_, Refusal>(sum + 1 + values(what, field)?)
        })?,
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
    })
}

fn check_dice(dice: &DiceLine, secret: Option<&String>) -> Result<(), Refusal> {
    at_most("The characters in a secret", secret.map_or(0, String::len), LONGEST_ENTROPY)?;
    match dice {
        DiceLine::Committed { commitment, shares } => {
            at_most("The characters in a commitment", commitment.0.len(), LONGEST_ENTROPY)?;
            at_most("The entropies", shares.entropies.len(), MOST_SEATS)?;
            at_most("The pledges", shares.pledges.len(), MOST_SEATS)?;
            let longest = shares.entropies.iter().map(String::len).max().unwrap_or(0);
            at_most("The characters in an entropy", longest, LONGEST_ENTROPY)
        }
        DiceLine::Seeded { seed } => at_most("The characters in a seed", seed.len(), LONGEST_ENTROPY),
        DiceLine::Typed => Ok(()),
    }
}

fn check_header(header: &Header) -> Result<(), Refusal> {
    for text in [&header.system, &header.edition, &header.scenario].into_iter().chain(&header.seats) {
        at_most("The characters in a name", text.len(), LONGEST_NAME)?;
    }
    at_most("The seats", header.seats.len(), MOST_SEATS)?;
    at_most("The imports", header.imported.len(), MOST_IMPORTS)?;
    at_most("The hints", header.hints.len(), MOST_ENTRIES)?;
    for hint in &header.hints {
        at_most("The characters in a name", hint.player.len(), LONGEST_NAME)?;
        at_most("The values in a hint", values("a hint", &hint.value)?, LARGEST_ANSWER)?;
    }
    at_most("The values in the options", values("the options", &header.options)?, LARGEST_OPTIONS)
}

/// Refuses a record with a text or list that no game of this program has.
pub fn check(record: &Record) -> Result<(), Refusal> {
    check_header(&record.header)?;
    check_dice(&record.header.dice, record.secret.as_ref())?;
    for part in &record.header.imported {
        check_dice(&part.dice, part.secret.as_ref())?;
    }
    at_most("The entries", record.entries.len(), MOST_ENTRIES)?;
    for entry in &record.entries {
        match entry {
            Entry::Dice(faces) => at_most("The dice in a roll", faces.0.len(), MOST_FACES)?,
            Entry::Answer { value, .. } => {
                at_most("The values in an answer", values("an answer", value)?, LARGEST_ANSWER)?;
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_desk::{FORMAT, Shares};
    use flagplot_kernel::{Faces, Seat};
    use serde_json::json;

    fn record() -> Record {
        Record {
            header: Header {
                flagplot: FORMAT,
                system: "schiffskrieg".into(),
                edition: "0".into(),
                scenario: "midway-1942".into(),
                options: Value::Null,
                seats: vec!["Ann".into(), "Bob".into()],
                dice: DiceLine::Typed,
                imported: Vec::new(),
                hints: Vec::new(),
            },
            entries: vec![Entry::Answer { seat: Seat(0), value: json!({ "attack": ["a", "b"] }) }],
            secret: None,
            outcome: None,
        }
    }

    #[test]
    fn every_text_and_list_has_a_limit() {
        assert_eq!(check(&record()), Ok(()));
        let long = "x".repeat(5_000);
        let many = vec![json!(1); 30_000];
        let entropies = vec![long.clone()];
        let dice = DiceLine::Committed {
            commitment: flagplot_desk::Commitment(long.clone()),
            shares: Shares::unpledged(entropies),
        };
        let spoiled: [&dyn Fn(&mut Record); 11] = [
            &|record| record.header.system = long.clone(),
            &|record| record.header.scenario = long.clone(),
            &|record| record.header.seats[0] = long.clone(),
            &|record| record.header.seats = vec![String::new(); 9],
            &|record| record.header.options = json!(many),
            &|record| record.header.options = json!({ long.clone(): 1 }),
            &|record| record.header.dice = dice.clone(),
            &|record| record.secret = Some(long.clone()),
            &|record| record.entries = vec![Entry::Draw; 20_001],
            &|record| record.entries[0] = Entry::Dice(Faces(vec![1; 1_001])),
            &|record| record.entries[0] = Entry::Answer { seat: Seat(0), value: json!({ "text": long }) },
        ];
        for spoil in spoiled {
            let mut record = record();
            spoil(&mut record);
            assert_eq!(check(&record).unwrap_err().code, "too-long");
        }
    }
}
