//! Refusals of procedures in the words of the table: names and labels, no fields and no ids.

use super::facts::Open;
use super::{Act, State};
use flagplot_kernel::Refusal;

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
    let text = &fields_by_help(text);
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
    }
}
