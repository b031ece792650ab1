//! Sentences that fit the terminal: they break between words, and what follows stands under the text.

use std::io::IsTerminal;
use unicode_width::UnicodeWidthStr;

/// Prints sentences like `println!`. In a terminal they break between words at its width; in a pipe or a file they stay
/// as they are.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::wrap::print(&format!($($words)*))
    };
}
pub(crate) use say;

/// Nothing is broken narrower than this: a column of single words reads worse than lines that a terminal breaks.
const NARROWEST: usize = 30;

pub fn print(text: &str) {
    let width = if std::io::stdout().is_terminal() { terminal_size::terminal_size() } else { None };
    match width {
        None => println!("{text}"),
        Some((width, _)) => println!("{}", wrapped(text, width.0.into())),
    }
}

/// The text with every line broken between words. What follows is indented like the line, past the number of a list.
fn wrapped(text: &str, width: usize) -> String {
    let width = width.max(NARROWEST);
    let lines = text.split('\n').map(|line| if line.width() <= width { line.to_owned() } else { broken(line, width) });
    lines.collect::<Vec<_>>().join("\n")
}

fn broken(line: &str, width: usize) -> String {
    let indent = hanging(line).min(width / 2);
    let (margin, text) = (line.len() - line.trim_start().len(), line.trim_start());
    let mut out = line[..margin].to_owned();
    let mut at = margin;
    for (n, word) in text.split(' ').enumerate() {
        let wide = word.width();
        if n > 0 && at + 1 + wide > width {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            at = indent;
        } else if n > 0 {
            out.push(' ');
            at += 1;
        }
        out.push_str(word);
        at += wide;
    }
    out
}

/// How far a line is indented, counting the number or mark of a list ("12.", "do.", "-") as part of it.
fn hanging(line: &str) -> usize {
    let text = line.trim_start();
    let margin = line.len() - text.len();
    let Some((first, rest)) = text.split_once(' ') else { return margin };
    let marks = first == "-" || (first.ends_with('.') && first.len() <= 5 && margin > 0);
    let gap = rest.len() - rest.trim_start().len();
    if marks { margin + first.width() + 1 + gap } else { margin }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_under_their_text() {
        let line = "  12. Bismarck fires at Hood: two hits, one critical.";
        assert_eq!(wrapped(line, 80), line);
        let said = "  12. Bismarck fires at Hood:\n      two hits, one critical.";
        assert_eq!(wrapped(line, 30), said);
        assert_eq!(wrapped("short\n\nlines", 30), "short\n\nlines");
    }

    #[test]
    fn no_word_is_lost_and_no_line_is_too_wide() {
        let text =
            "   4. The U.S.S. Enterprise (CV-6) steams north-north-east; a café, 1½ hexes away, is not lit. ".repeat(3);
        for width in 30..120 {
            let told = wrapped(&text, width);
            assert!(told.lines().all(|line| line.width() <= width), "{width}: {told}");
            assert!(told.split_whitespace().eq(text.split_whitespace()), "{width}");
        }
    }

    #[test]
    fn a_word_wider_than_the_terminal_stands_alone() {
        let long = "x".repeat(50);
        assert_eq!(wrapped(&format!("see {long} there"), 40), format!("see\n{long}\nthere"));
    }
}
