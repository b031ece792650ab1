//! What several rules say in the same words.

use flagplot_kernel::{Refusal, Rule};

/// A number with its noun: `1 hex`, `2 hexes`.
pub(crate) fn counted(number: u32, noun: &str) -> String {
    let plural = match number {
        1 => "",
        _ if noun.ends_with('x') => "es",
        _ => "s",
    };
    format!("{number} {noun}{plural}")
}

/// Refuses a side that has nothing.
pub(crate) fn nobody(side: &str, path: &str, rule: Rule) -> Refusal {
    let (code, verb) = if side == "attackers" { ("no-attackers", "attack") } else { ("no-defenders", "defend") };
    Refusal::new(code, format!("{path}: there is nothing to {verb} with.")).by(rule)
}

/// Refuses an id that appears twice.
pub(crate) fn distinct<'a>(ids: impl IntoIterator<Item = &'a str>, path: &str) -> Result<(), Refusal> {
    let mut seen: Vec<&str> = Vec::new();
    for id in ids {
        if seen.contains(&id) {
            return Err(Refusal::new("duplicate-id", format!("{path}: '{id}' is there twice.")));
        }
        seen.push(id);
    }
    Ok(())
}
