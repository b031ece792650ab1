//! Notes for people: headlines and unfolded proofs.

use flagplot_desk::LogEntry;
use flagplot_kernel::Note;

/// A die as people know it.
pub fn die(face: u8) -> String {
    match face {
        1..=6 => char::from_u32(0x267F + u32::from(face)).map_or_else(|| face.to_string(), |sign| format!("{sign}{face}")),
        _ => face.to_string(),
    }
}

/// A note in full: what, dice, table, modifiers, outcome, rules.
pub fn unfold(note: &Note, indent: &str) -> Vec<String> {
    let mut lines = vec![format!("{indent}{}", note.text)];
    if !note.dice.is_empty() {
        lines.push(format!("{indent}  dice: {}", note.dice.iter().map(|&face| die(face)).collect::<Vec<_>>().join(" ")));
    }
    if let Some(table) = &note.table {
        let column = if table.column.is_empty() { String::new() } else { format!(", column {}", table.column) };
        lines.push(format!("{indent}  table: {}, row {}{column}", table.table, table.row));
    }
    for modifier in &note.modifiers {
        let rule = modifier.rule.map_or(String::new(), |rule| format!(" [{rule}]"));
        lines.push(format!("{indent}  {:+} {}{rule}", modifier.value, modifier.name));
    }
    if !note.outcome.is_null() {
        lines.push(format!("{indent}  outcome: {}", note.outcome.to_string().trim_matches('"')));
    }
    for rule in &note.rules {
        lines.push(format!("{indent}  [{rule}] {}", rule.title));
    }
    lines
}

/// A whole proof: each headline with the details that belong to it below.
pub fn unfold_all(notes: &[Note]) -> Vec<String> {
    notes.iter().flat_map(|note| unfold(note, if note.detail { "    " } else { "  " })).collect()
}

/// The proof of a numbered line of the log, with the details that belong to it.
pub fn why(log: &[LogEntry], number: usize) -> Option<Vec<String>> {
    let at = log.iter().position(|entry| entry.number == number)?;
    let mut lines = unfold(&log[at].note, "  ");
    for entry in log[at + 1..].iter().take_while(|entry| entry.note.detail) {
        lines.extend(unfold(&entry.note, "    "));
    }
    Some(lines)
}
