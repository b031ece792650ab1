//! Refusals of procedures in the words of the table: names and labels, no fields and no ids.

use super::facts::Open;
use super::{Act, Fact, State, Unit};
use crate::Shape;
use flagplot_kernel::Refusal;
use serde_json::Value;

/// A refusal as a person at the table reads it.
pub(super) fn plain(act: &Act, open: &[Open], state: &State, refusal: Refusal) -> Refusal {
    let words = |text: &str| in_words(open, state, text);
    Refusal {
        code: refusal.code,
        message: format!("{}: {}", act.title, words(&refusal.message)),
        rule: refusal.rule,
        remedy: refusal.remedy.map(|remedy| words(&remedy)),
        also: refusal
            .also
            .into_iter()
            .map(|also| Refusal { message: words(&also.message), remedy: also.remedy.map(|text| words(&text)), ..also })
            .collect(),
    }
}

/// The most words that a refusal lists.
const MOST_WORDS: usize = 12;

/// What is wrong with a figure, a switch or a word that was told; nothing if its shape allows it.
pub(super) fn told_wrong(
    label: &str,
    shape: &Shape,
    unit: Option<&str>,
    fact: Option<&Fact>,
    value: &Value,
) -> Option<String> {
    match shape {
        Shape::Bool if !value.is_boolean() => Some(format!("“{label}” is a switch: it is on or off.")),
        Shape::Int { min, max } => {
            // People measure in units that have a name.
            let units = fact.map(|fact| fact.units.as_slice()).unwrap_or_default();
            let own = Unit { name: "", these: 1, those: 1 };
            let other = units.first().filter(|_| unit.is_none()).copied().unwrap_or(own);
            let name = unit.unwrap_or(other.name);
            let says = |number: i64| amount(number, other);
            let limits = |and: &str| format!("{} {and} {} {name}", says(*min), says(*max)).trim_end().to_owned();
            match value.as_i64() {
                Some(number) if (*min..=*max).contains(&number) => None,
                Some(number) => Some(format!("“{label}” is {}; it must lie between {}.", says(number), limits("and"))),
                None => Some(format!("“{label}” is a number from {}.", limits("to"))),
            }
        }
        Shape::Text { max } => match value.as_str() {
            Some(text) if text.chars().count() <= *max => None,
            _ => Some(format!("“{label}” is text of at most {max} letters.")),
        },
        Shape::Word { words, .. } if !value.as_str().is_some_and(|value| words.iter().any(|word| word == value)) => {
            let choices = fact.map(|fact| fact.choices.as_slice()).unwrap_or_default();
            let words: Vec<String> = if choices.is_empty() {
                words.iter().map(|word| word.replace(['-', '_'], " ")).collect()
            } else {
                choices.iter().map(|(_, word)| word.to_string()).collect()
            };
            Some(match words.len() {
                0..=MOST_WORDS => format!("“{label}” is one of these: {}.", words.join(", ")),
                _ => format!("“{label}” is one of those in the list."),
            })
        }
        _ => None,
    }
}

/// A number of the procedure's own unit in another: `2.5`.
fn amount(number: i64, unit: Unit) -> String {
    let thousandths = i128::from(number) * i128::from(unit.these) * 1000 / i128::from(unit.those.max(1));
    let sign = if thousandths < 0 { "-" } else { "" };
    let text = format!("{sign}{}.{:03}", (thousandths / 1000).abs(), (thousandths % 1000).abs());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `must be a list or null, not {"x":1}.` as `must be a list or nothing.`: a person typed no such value.
fn without_values(text: &str) -> String {
    let Some((must, given)) = text.split_once(", not ").filter(|(must, _)| must.contains(" must be ")) else {
        return text.to_owned();
    };
    let value = given.starts_with(|c: char| "[{\"-".contains(c) || c.is_ascii_digit())
        || ["null", "true", "false"].iter().any(|word| given.starts_with(word));
    if !value {
        return text.to_owned();
    }
    let (who, what) = must.split_once(" must be ").unwrap_or((must, ""));
    let what = what.replace(" or null", " or nothing").replace("true or false", "yes or no");
    format!("{who} must be {}.", what.replace("an object", "a group of figures"))
}

fn is_path(token: &str) -> bool {
    !token.is_empty() && token.chars().all(|c| c.is_ascii_alphanumeric() || "._[]#-".contains(c))
}

/// `the field 'kind' (what it is)` as `“What it is”`: a person knows a field by what it tells.
fn fields_by_help(text: &str) -> String {
    const BEFORE: &str = "the field '";
    let (mut said, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(BEFORE) {
        let after = &rest[at + BEFORE.len()..];
        let told = after.split_once("' (").and_then(|(name, more)| Some((name, more.split_once(").")?)));
        let Some((_, (help, tail))) = told.filter(|(name, _)| is_path(name)) else { break };
        said.push_str(&rest[..at]);
        said.push_str(&format!("“{}”.", super::facts::capital(help.trim_end_matches('.'))));
        rest = tail;
    }
    said + rest
}

/// Fields and ids in a sentence replaced by what they are called.
pub(super) fn in_words(open: &[Open], state: &State, text: &str) -> String {
    let text = &fields_by_help(&without_values(text));
    let mut said = String::with_capacity(text.len());
    for (at, word) in text.split(' ').enumerate() {
        if at > 0 {
            said.push(' ');
        }
        let start = word.find(|c: char| c.is_ascii_alphanumeric()).unwrap_or(word.len());
        let end = word.rfind(|c: char| c.is_ascii_alphanumeric() || c == ']').map_or(start, |end| end + 1).max(start);
        let (before, token, after) = (&word[..start], &word[start..end], &word[end..]);
        let quoted = before.ends_with('\'');
        let named = state.objects.iter().find(|object| object.id == token).map(|object| object.name.clone());
        let path = token.strip_prefix("input.").map(|path| path.replace('[', ".").replace(']', ""));
        let field = |path: &str| {
            open.iter()
                .find(|open| open.path == path || open.path.rsplit('.').next() == Some(path))
                .map(|open| format!("“{}”", open.label))
        };
        let spoken = match path {
            Some(path) => Some(field(&path).unwrap_or_else(|| {
                let last = path.rsplit('.').find(|part| part.parse::<usize>().is_err()).unwrap_or(&path);
                last.replace('_', " ")
            })),
            None if token == "input" => Some("the ruling".to_owned()),
            None if quoted && named.is_some() => named,
            None if quoted || token.contains('_') && is_path(token) => {
                field(token).or_else(|| token.contains('_').then(|| token.replace('_', " ")))
            }
            None => None,
        };
        match spoken {
            Some(spoken) => {
                said.push_str(before.trim_end_matches('\''));
                said.push_str(&spoken);
                said.push_str(after.trim_start_matches('\''));
            }
            None => said.push_str(word),
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(in_words(&[], &State::default(), text), expect);
    }

    #[test]
    fn no_field_of_an_input_reaches_a_person() {
        check("input needs the field 'kind' (what it is).", "the ruling needs “What it is”.");
        check("input.gun needs the field 'calibre_mm' (Calibre.).", "gun needs “Calibre”.");
        check("input.shots[2].dice is 9; it must lie between 1 and 6.", "dice is 9; it must lie between 1 and 6.");
        check("The field is open.", "The field is open.");
        check("input.orders must be a list or null, not {\"x\":1}.", "orders must be a list or nothing.");
        check("input.units[0] must be an object, not [1, 2].", "units must be a group of figures.");
        check("It must be day, not night.", "It must be day, not night.");
    }

    #[test]
    fn a_wrong_figure_is_told_by_its_label_and_in_the_unit_people_use() {
        let cards = Unit { name: "card lengths", these: 1, those: 1000 };
        let act = Act::new("", "", "", "").fact("d", "Distance").units(&[cards]);
        let wrong = |shape: Shape, unit, value: Value| told_wrong("Distance", &shape, unit, act.facts.first(), &value);
        let said = |text: &str| Some(text.to_owned());
        let far = || crate::int(0, 6000);
        assert_eq!(wrong(far(), None, 2500.into()), None);
        assert_eq!(
            wrong(far(), None, 7250.into()),
            said("“Distance” is 7.25; it must lie between 0 and 6 card lengths.")
        );
        assert_eq!(wrong(far(), Some("mm"), "far".into()), said("“Distance” is a number from 0 to 6000 mm."));
        assert_eq!(wrong(crate::bool(), None, 3.into()), said("“Distance” is a switch: it is on or off."));
        assert_eq!(
            wrong(crate::word(&["gung-ho", "patient"]), None, "adrift".into()),
            said("“Distance” is one of these: gung ho, patient.")
        );
    }
}
