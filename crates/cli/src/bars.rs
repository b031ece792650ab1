//! Distributions for people: bars in the terminal, and as a drawing.

use flagplot_odds::Fraction;
use std::fmt::Write;

const WIDTH: usize = 40;

/// A chance as a person reads it; only what is impossible is 0%, and only what is certain is 100%.
pub fn percent(fraction: &Fraction) -> String {
    let share = fraction.to_f64() * 100.0;
    match () {
        () if *fraction == Fraction::zero() => "0%".to_owned(),
        () if *fraction == Fraction::one() => "100%".to_owned(),
        () if share < 0.01 => "< 0.01%".to_owned(),
        () if share > 99.99 => "> 99.99%".to_owned(),
        () => format!("{share:.2}%"),
    }
}

/// The exact chance, cut where it is too long to read; nothing where the percentage says it all.
fn exact(fraction: &Fraction) -> String {
    if [Fraction::zero(), Fraction::one()].contains(fraction) {
        return String::new();
    }
    let exact = fraction.to_string();
    if exact.len() > 28 { format!("{}…", exact.chars().take(27).collect::<String>()) } else { exact }
}

/// A distribution as lines with bars.
pub fn table(values: &[(String, Fraction)], indent: &str) -> String {
    let width = values.iter().map(|(value, _)| value.chars().count()).max().unwrap_or(0).min(44);
    let most = values.iter().map(|(_, chance)| chance.to_f64()).fold(0.0, f64::max);
    let mut text = String::new();
    for (value, chance) in values {
        let share = chance.to_f64();
        let eighths = if most > 0.0 { (share / most * (WIDTH * 8) as f64).round() as usize } else { 0 };
        let line =
            format!("{indent}{value:width$}  {:>8}  {:WIDTH$}  {}", percent(chance), bar(eighths), exact(chance));
        let _infallible = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A bar, its length in eighths of a character.
fn bar(eighths: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

/// Several distributions as an SVG drawing.
pub fn svg(title: &str, fields: &[(String, Vec<(String, Fraction)>)]) -> String {
    let row = 22;
    let rows: usize = fields.iter().map(|(_, values)| values.len() + 2).sum();
    let height = 60 + rows * row;
    let mut text = String::new();
    let mut line = |part: std::fmt::Arguments<'_>| {
        let _infallible = text.write_fmt(part);
    };
    line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 {height}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" role=\"img\">\n"
    ));
    line(format_args!(
        "<title>{0}</title>\n<rect width=\"760\" height=\"{height}\" fill=\"#f7f9fb\"/>\n\
         <text x=\"20\" y=\"32\" font-size=\"18\" font-weight=\"600\" fill=\"#12324a\">{0}</text>\n",
        escape(title)
    ));
    let mut y = 60;
    for (field, values) in fields {
        line(format_args!(
            "<text x=\"20\" y=\"{}\" font-weight=\"600\" fill=\"#12324a\">{}</text>\n",
            y + 14,
            escape(field)
        ));
        y += row;
        let most = values.iter().map(|(_, chance)| chance.to_f64()).fold(0.0, f64::max);
        for (value, chance) in values {
            let share = chance.to_f64();
            let width = if most > 0.0 { share / most * 400.0 } else { 0.0 };
            line(format_args!(
                "<text x=\"212\" y=\"{}\" text-anchor=\"end\" fill=\"#33475b\">{}</text>",
                y + 15,
                escape(value)
            ));
            line(format_args!(
                "<rect x=\"220\" y=\"{}\" width=\"{width:.1}\" height=\"15\" rx=\"2\" fill=\"#2f6f9f\"/>",
                y + 3
            ));
            line(format_args!(
                "<text x=\"{:.1}\" y=\"{}\" fill=\"#33475b\">{}</text>\n",
                228.0 + width,
                y + 15,
                percent(chance)
            ));
            y += row;
        }
        y += row;
    }
    line(format_args!("</svg>\n"));
    text
}

/// Text as XML wants it.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bar_is_the_likeliest_value() {
        let values = vec![("hit".to_owned(), Fraction::new(1u8, 4u8)), ("miss".to_owned(), Fraction::new(3u8, 4u8))];
        let text = table(&values, "");
        let bars: Vec<usize> = text.lines().map(|line| line.matches('█').count()).collect();
        assert_eq!(bars, [13, 40]);
        assert!(text.contains("25.00%") && text.contains("3/4"));
    }

    #[test]
    fn only_what_is_certain_has_no_fraction_and_a_whole_percentage() {
        let chances = [(0u32, 1u32), (1, 1), (1, 20_000), (19_999, 20_000), (1, 3)];
        let told = chances.map(|(some, all)| percent(&Fraction::new(some, all)));
        assert_eq!(told, ["0%", "100%", "< 0.01%", "> 99.99%", "33.33%"]);
        let values = chances.map(|(some, all)| (some.to_string(), Fraction::new(some, all)));
        let text = table(&values, "");
        let fractions: Vec<&str> = text.lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
        assert!(!text.contains("0/1\n") && !text.contains("1/1\n"), "{text}");
        assert_eq!(fractions[2..], ["1/20000", "19999/20000", "1/3"]);
    }

    #[test]
    fn a_drawing_escapes_what_it_is_given() {
        let drawn = svg("a<b", &[("f&g".to_owned(), vec![("\"x\"".to_owned(), Fraction::one())])]);
        assert!(drawn.contains("a&lt;b") && drawn.contains("f&amp;g") && drawn.contains("&quot;x&quot;"));
    }
}
