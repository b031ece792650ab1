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

/// Every reason at once, the first one in front.
pub(crate) fn all(checks: impl IntoIterator<Item = Result<(), Refusal>>) -> Result<(), Refusal> {
    let mut reasons = Vec::new();
    for mut reason in checks.into_iter().filter_map(Result::err) {
        let also = std::mem::take(&mut reason.also);
        reasons.push(reason);
        reasons.extend(also);
    }
    Refusal::all(reasons)
}

/// Refuses what is not so.
pub(crate) fn ensure(holds: bool, refusal: impl FnOnce() -> Refusal) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(refusal()) }
}

/// Refuses an attacker or a defender of no strength.
pub(crate) fn armed(strength: u32, side: &str, path: &str, rule: Rule) -> Result<(), Refusal> {
    let (code, verb) = if side == "attackers" { ("no-attackers", "attack") } else { ("no-defenders", "defend") };
    ensure(strength > 0, || Refusal::new(code, format!("{path}: there is nothing to {verb} with.")).by(rule))
}

/// Refuses an id that appears twice.
pub(crate) fn distinct<'a>(ids: impl IntoIterator<Item = &'a str>, path: &str) -> Result<(), Refusal> {
    let mut seen: Vec<&str> = Vec::new();
    for id in ids {
        if seen.contains(&id) {
            return Err(Refusal::new("duplicate-id", format!("{path}: '{id}' appears twice.")));
        }
        seen.push(id);
    }
    Ok(())
}
