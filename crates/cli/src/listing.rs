//! Options in the terminal: a short list as it is, a long one by who acts, with the rest to be asked for.

use flagplot_kernel::scene::Piece;
use flagplot_kernel::{OptionView, SeatQuestion};

/// A list up to this length is shown whole.
const SHORT: usize = 24;
/// How many options of each group of a long list are shown at first.
const FIRST: usize = 3;
/// How many reasons for missing options are shown unasked.
const REASONS: usize = 3;

/// Options under a common heading, each with its number.
struct Group<'a> {
    name: String,
    options: Vec<(usize, &'a OptionView)>,
}

/// The group of an option: the words before its colon, or its pieces by name.
fn heading(option: &OptionView, pieces: &[Piece]) -> String {
    match option.label.split_once(": ") {
        Some((name, _)) => name.to_owned(),
        None => {
            let named =
                |id: &String| pieces.iter().find(|piece| piece.id == *id).map_or(id.clone(), |p| p.name.clone());
            option.pieces.iter().filter(|piece| !piece.contains(',')).map(named).collect::<Vec<_>>().join(", ")
        }
    }
}

fn groups<'a>(options: &'a [OptionView], pieces: &[Piece]) -> Vec<Group<'a>> {
    let mut all: Vec<Group> = Vec::new();
    for (at, option) in options.iter().enumerate() {
        let name = heading(option, pieces);
        match all.iter_mut().find(|group| group.name == name) {
            Some(group) => group.options.push((at + 1, option)),
            None => all.push(Group { name, options: vec![(at + 1, option)] }),
        }
    }
    all
}

/// The options and what is not among them, as lines for the screen; `pieces` gives the names on the board.
pub fn overview(question: &SeatQuestion, pieces: &[Piece]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let missing = &question.prompt.missing;
    if missing.len() <= REASONS {
        lines.extend(missing.iter().map(|why| format!("  Not offered: {why}")));
    } else {
        lines.push(format!("  {} options are missing; type 'not' to read why.", missing.len()));
    }
    let options = &question.options;
    if options.len() <= SHORT {
        lines.extend(options.iter().enumerate().map(|(at, option)| format!("  {}. {}", at + 1, option.label)));
        return lines;
    }
    for group in groups(options, pieces) {
        if !group.name.is_empty() && group.options.len() > 1 {
            lines.push(format!("  {} ({})", group.name, group.options.len()));
        }
        lines
            .extend(group.options.iter().take(FIRST).map(|(number, option)| format!("    {number}. {}", option.label)));
        if let Some(rest) = group.options.len().checked_sub(FIRST).filter(|rest| *rest > 0) {
            lines.push(format!(
                "    … and {rest} more: list {}",
                if group.name.is_empty() { "all" } else { &group.name }
            ));
        }
    }
    lines.push(format!(
        "  {} options in all. 'list WORDS' shows those with all of these words, 'list all' every one.",
        options.len()
    ));
    lines
}

/// The options that have all of some words in them, or in the names of the pieces they are about.
pub fn find(question: &SeatQuestion, words: &str) -> Vec<String> {
    let wanted: Vec<String> = if words == "all" {
        Vec::new()
    } else {
        words.to_lowercase().split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let found: Vec<String> = question
        .options
        .iter()
        .enumerate()
        .filter(|(_, option)| {
            let label = format!("{} {}", option.label, option.pieces.join(" ")).to_lowercase();
            let parts: Vec<&str> = label.split(|sign: char| !sign.is_alphanumeric() && sign != '-').collect();
            wanted.iter().all(|word| parts.iter().any(|part| part.starts_with(word.as_str())))
        })
        .map(|(at, option)| format!("  {}. {}", at + 1, option.label))
        .collect();
    if found.is_empty() { vec![format!("No option has '{words}' in it.")] } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_kernel::{Form, Prompt, Rule, Seat};

    fn question(labels: &[&str]) -> SeatQuestion {
        let options = labels
            .iter()
            .map(|label| OptionView::new(*label, *label).at([label.split([':', ' ']).next().unwrap_or_default()]));
        let prompt = Prompt::new("choose", "Choose.", Rule { id: "R-1", title: "choosing" });
        SeatQuestion { seat: Seat(0), prompt, options: options.collect(), form: Form::Pick }
    }

    #[test]
    fn a_short_list_is_shown_whole() {
        assert_eq!(overview(&question(&["b1: to red-a", "b1 lands"]), &[]), ["  1. b1: to red-a", "  2. b1 lands"]);
    }

    #[test]
    fn a_long_list_is_grouped_and_can_be_searched() {
        let labels: Vec<String> = (0..30).map(|n| format!("b1: NE {n}")).chain(["b2 lands".to_owned()]).collect();
        let asked = question(&labels.iter().map(String::as_str).collect::<Vec<_>>());
        let lines = overview(&asked, &[]);
        assert!(lines.contains(&"  b1 (30)".to_owned()), "{lines:?}");
        assert!(lines.contains(&"    … and 27 more: list b1".to_owned()), "{lines:?}");
        assert!(lines.contains(&"    31. b2 lands".to_owned()), "{lines:?}");
        assert!(lines.len() < 12, "{lines:?}");
        assert_eq!(find(&asked, "b2 land"), ["  31. b2 lands"]);
        assert_eq!(find(&asked, "all").len(), 31);
        assert_eq!(find(&asked, "ships"), ["No option has 'ships' in it."]);
    }
}
