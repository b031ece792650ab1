//! Notes for people: headlines and unfolded proofs.

use flagplot_desk::LogEntry;
use flagplot_kernel::Note;
use flagplot_referee::Chart;

/// A die as people know it.
pub fn die(face: u8) -> String {
    match face {
        1..=6 => {
            char::from_u32(0x267F + u32::from(face)).map_or_else(|| face.to_string(), |sign| format!("{sign}{face}"))
        }
        _ => face.to_string(),
    }
}

/// Tables wider or longer than this are shown by their lit rows alone.
const WIDEST: usize = 100;
const LONGEST: usize = 24;

/// A table with brackets around what was read.
fn table(chart: &Chart, rows: &[usize], columns: &[usize]) -> Vec<String> {
    let read = |row: usize, column: usize| {
        (rows.is_empty() || rows.contains(&row)) && (columns.is_empty() || columns.contains(&column))
    };
    let mut grid = vec![[chart.down.clone()].into_iter().chain(chart.columns.iter().cloned()).collect::<Vec<_>>()];
    for (row, (label, cells)) in chart.rows.iter().enumerate() {
        let cells = cells
            .iter()
            .enumerate()
            .map(|(column, cell)| if read(row, column) { format!("[{cell}]") } else { cell.clone() });
        grid.push([label.clone()].into_iter().chain(cells).collect());
    }
    let across = grid.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..across)
        .map(|column| grid.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    let whole = widths.iter().sum::<usize>() + 2 * across <= WIDEST && grid.len() <= LONGEST;
    let mut lines = vec![if chart.across.is_empty() {
        chart.title.clone()
    } else {
        format!("{} ({} across)", chart.title, chart.across)
    }];
    for (at, row) in grid.iter().enumerate().filter(|(at, _)| whole || *at == 0 || rows.contains(&(at - 1))) {
        let line: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let sign = if at > 0 && rows.contains(&(at - 1)) { ">" } else { " " };
        lines.push(format!("{sign} {}", line.join("  ").trim_end()));
    }
    lines
}

/// A note in full: what, dice, table, modifiers, outcome, rules.
pub fn unfold(note: &Note, indent: &str, charts: &[Chart]) -> Vec<String> {
    let mut lines = vec![format!("{indent}{}", note.text)];
    if !note.dice.is_empty() {
        lines
            .push(format!("{indent}  dice: {}", note.dice.iter().map(|&face| die(face)).collect::<Vec<_>>().join(" ")));
    }
    if let Some(reading) = &note.table {
        let places =
            [("row", &reading.row), ("column", &reading.column)].into_iter().filter(|(_, place)| !place.is_empty());
        lines.push(format!(
            "{indent}  table: {}{}",
            reading.table,
            places.map(|(what, place)| format!(", {what} {place}")).collect::<String>()
        ));
        if let Some(chart) = charts.iter().find(|chart| chart.id == reading.table) {
            let (rows, columns) = chart.lit(reading, &note.dice);
            lines.extend(table(chart, &rows, &columns).into_iter().map(|line| format!("{indent}    {line}")));
        }
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
pub fn unfold_all(notes: &[Note], charts: &[Chart]) -> Vec<String> {
    notes.iter().flat_map(|note| unfold(note, if note.detail { "    " } else { "  " }, charts)).collect()
}

/// The proof of a numbered line of the log, with the details that belong to it.
pub fn why(log: &[LogEntry], number: usize, charts: &[Chart]) -> Option<Vec<String>> {
    let at = log.iter().position(|entry| entry.number == number)?;
    let mut lines = unfold(&log[at].note, "  ", charts);
    for entry in log[at + 1..].iter().take_while(|entry| entry.note.detail) {
        lines.extend(unfold(&entry.note, "    ", charts));
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_shows_its_own_action_only() {
        let line = |number, text: &str, detail| {
            let note = Note::new("line", text);
            LogEntry { number, at: number, note: if detail { note.detail() } else { note } }
        };
        let log = [
            line(1, "Hood fires.", false),
            line(2, "Hood hits.", true),
            line(3, "Bismarck fires.", false),
            line(4, "Bismarck misses.", true),
            line(5, "Hood turns.", false),
        ];
        let shown = |number| why(&log, number, &[]).expect("the line is there").join("\n");
        assert!(shown(1).contains("Hood hits.") && !shown(1).contains("Bismarck"), "{}", shown(1));
        assert!(shown(3).contains("Bismarck misses.") && !shown(3).contains("Hood"), "{}", shown(3));
        assert!(shown(4).contains("Bismarck misses.") && !shown(4).contains("Hood"), "{}", shown(4));
        assert!(!shown(5).contains("Bismarck"), "{}", shown(5));
        assert!(why(&log, 6, &[]).is_none());
    }
}
