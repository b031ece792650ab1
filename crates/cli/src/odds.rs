//! Exact odds: distributions, two situations side by side, and what each step of a number is worth.

use crate::fields::{Form, HOW, Person, Shelf};
use crate::lists::procedure;
use crate::print::aligned;
use crate::{Done, bars, file_refusal};
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_kernel::Refusal;
use flagplot_odds::{Budget, Fraction};
use flagplot_referee::{FieldOdds, Response, Shape, parse};
use serde_json::{Map, Value, json};
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// `flagplot odds SYSTEM PROCEDURE`
#[derive(Args)]
pub struct Odds {
    /// The system
    system: String,
    /// The procedure
    procedure: String,
    /// The input as a JSON file, or - for standard input; without it you are asked field by field
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Only this field of the result; a dot leads into a part, as in `effect.state`
    #[arg(long)]
    field: Option<String>,
    /// A second input, whose odds are shown beside the first
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Draw the distributions as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Also show what each whole number of the input, one less or one more, does to the expectations
    #[arg(long)]
    sensitivity: bool,
    /// Stop looking for effects after this many seconds
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    patience: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Result fields side by side in one table of effects.
const SIDE_BY_SIDE: usize = 4;

impl Odds {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let about = procedure(catalog, &self.system, &self.procedure)?;
        let system = catalog.system(&self.system)?;
        let facts = match &self.input {
            Some(path) => read_json(path)?,
            None => {
                println!("{HOW}");
                let procedures = catalog.procedures(&self.system)?.iter().map(|about| about.name).collect();
                let shelf = Shelf::new(system, procedures);
                Form::new(&mut Person::new(std::io::stdin().lock()), &shelf, system.codes()).input(
                    about.name,
                    &about.input,
                    Map::new(),
                )?
            }
        };
        let odds = self.ask(catalog, &facts, self.field.as_deref())?;
        let other = match &self.against {
            Some(path) => Some(self.ask(catalog, &read_json(path)?, self.field.as_deref())?),
            None => None,
        };
        if let Some(path) = &self.svg {
            let drawing = bars::svg(&format!("{}: {}", system.title(), about.name), odds.fields());
            std::fs::write(path, drawing).map_err(|error| file_refusal("cannot-write", path, &error))?;
        }
        if self.json {
            println!(
                "{}",
                match other {
                    Some(other) => json!({ "odds": odds, "against": other }),
                    None => json!({ "odds": odds }),
                }
            );
            return Ok(ExitCode::SUCCESS);
        }
        println!("{}: {} (exact)", system.title(), about.help);
        match &other {
            Some(other) => side_by_side(&odds, other).iter().for_each(|line| println!("{line}")),
            None => {
                for (field, values) in odds.fields().iter().filter(|(_, values)| values.len() > 1) {
                    let mean = mean(values).map_or(String::new(), |mean| format!(", expected {mean:.3}"));
                    println!("\n{field}{mean}\n{}", bars::table(values, "  ").trim_end());
                }
                let certain = |(field, values): &(String, Vec<(String, Fraction)>)| match values.as_slice() {
                    [(value, _)] => Some(format!("{field} {value}")),
                    _ => None,
                };
                let certain: Vec<String> = odds.fields().iter().filter_map(certain).collect();
                if !certain.is_empty() {
                    println!("\nCertain:");
                    wrap(&certain, 100).iter().for_each(|line| println!("  {line}"));
                }
            }
        }
        if self.sensitivity {
            self.sensitivity(catalog, &about.input, &facts, &odds)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn ask(&self, catalog: &Catalog, facts: &Value, field: Option<&str>) -> Result<FieldOdds, Refusal> {
        let mut request = json!({"system": self.system, "procedure": self.procedure, "input": facts, "odds": true});
        if let Some(field) = field {
            request["field"] = field.into();
        }
        match catalog.adjudicate(parse(request.to_string().as_bytes())?, || 0, Budget::default())? {
            Response::Odds { odds } => Ok(odds),
            Response::Ruling(_) => Err(Refusal::new("internal", "The referee returned a ruling instead of odds.")),
        }
    }

    /// Each whole number of the input, one less and one more, and each yes or no turned round: what it does to every
    /// expectation, side by side.
    fn sensitivity(&self, catalog: &Catalog, shape: &Shape, facts: &Value, base: &FieldOdds) -> Result<(), Refusal> {
        let filled = shape.check(facts.clone(), "input", &catalog.system(&self.system)?.codes())?;
        let end = Instant::now() + Duration::from_secs(self.patience);
        let watched: Vec<(&str, f64)> = base
            .fields()
            .iter()
            .filter(|(_, values)| values.len() > 1)
            .filter_map(|(field, values)| Some((field.as_str(), chance_or_mean(values)?)))
            .collect();
        let mut paths = Vec::new();
        numbers_and_flags(&filled, String::new(), &mut paths);
        let mut rows: Vec<Effect> = Vec::new();
        let mut unread = 0;
        let effects = |changed: Value| -> Vec<Option<f64>> {
            let odds = self.ask(catalog, &changed, self.field.as_deref()).ok();
            let effect = |(field, before): &(&str, f64)| Some(chance_or_mean(odds.as_ref()?.get(field)?)? - before);
            watched.iter().map(effect).collect()
        };
        for path in paths {
            if Instant::now() >= end {
                unread += 1;
                continue;
            }
            let with = |value: Value| {
                let mut changed = filled.clone();
                if let Some(place) = changed.pointer_mut(&path) {
                    *place = value;
                }
                effects(changed)
            };
            let steps = match filled.pointer(&path) {
                Some(Value::Bool(flag)) => Steps::Turned(with((!flag).into())),
                number => {
                    let number = number.and_then(Value::as_i64).unwrap_or(0);
                    let stepped = |step: i64| with(number.saturating_add(step).into());
                    Steps::LessAndMore(first_step(-1, stepped), first_step(1, stepped))
                }
            };
            if steps.any() {
                rows.push(Effect { path: path.trim_start_matches('/').replace('/', "."), steps });
            }
        }
        println!(
            "\nHow each expectation changes with one less and one more (at ±n: the first step that matters), and with \
             yes and no exchanged:"
        );
        if rows.is_empty() {
            println!("  No single step in the input changes an expectation.");
        }
        for (at, part) in watched.chunks(SIDE_BY_SIDE).enumerate() {
            let lines = effect_table(part, at * SIDE_BY_SIDE, &rows);
            lines.iter().for_each(|line| println!("  {line}"));
        }
        if unread > 0 {
            println!("  {unread} fields were not tried; --patience gives more time, --field makes each try faster.");
        }
        Ok(())
    }
}

/// What a step of one field does to each expectation.
struct Effect {
    path: String,
    steps: Steps,
}

enum Steps {
    /// A number made less and made more, each by the first step that matters.
    LessAndMore(Step, Step),
    /// A yes or no turned round.
    Turned(Vec<Option<f64>>),
}

/// A step and its effect on each expectation; none where the input would not be accepted.
struct Step {
    by: i64,
    effects: Vec<Option<f64>>,
}

/// Effects smaller than this are none.
const NOTHING: f64 = 5e-7;

fn matters(effects: &[Option<f64>]) -> bool {
    effects.iter().any(|effect| effect.is_some_and(|effect| effect.abs() > NOTHING))
}

impl Steps {
    fn any(&self) -> bool {
        match self {
            Steps::LessAndMore(less, more) => matters(&less.effects) || matters(&more.effects),
            Steps::Turned(effects) => matters(effects),
        }
    }

    /// The cells of a table for one expectation: less, between, more.
    fn cells(&self, at: usize) -> [String; 3] {
        let shown = |effect: Option<f64>, by: i64| match effect {
            None => "–".to_owned(),
            Some(effect) if effect.abs() <= NOTHING => "·".to_owned(),
            Some(effect) if by.abs() == 1 => format!("{effect:+.4}"),
            Some(effect) => format!("{effect:+.4} at {by:+}"),
        };
        match self {
            Steps::LessAndMore(less, more) => {
                [shown(less.effects[at], less.by), String::new(), shown(more.effects[at], more.by)]
            }
            Steps::Turned(effects) => [String::new(), shown(effects[at], 1), String::new()],
        }
    }

    fn part(&self, from: usize, to: usize) -> bool {
        let has = |effects: &[Option<f64>]| matters(&effects[from..to]);
        match self {
            Steps::LessAndMore(less, more) => has(&less.effects) || has(&more.effects),
            Steps::Turned(effects) => has(effects),
        }
    }
}

/// The least step in a direction that matters: one, or what it takes to come into the next column of a table.
fn first_step(direction: i64, stepped: impl Fn(i64) -> Vec<Option<f64>>) -> Step {
    const FARTHEST: [i64; 3] = [20, 10, 5];
    let one = stepped(direction);
    if matters(&one) {
        return Step { by: direction, effects: one };
    }
    let Some(mut far) = FARTHEST.into_iter().find(|by| matters(&stepped(by * direction))) else {
        return Step { by: direction, effects: one };
    };
    // Somewhere above `near` and not above `far` the first effect is found.
    let mut near = 1;
    while far - near > 1 {
        let middle = (near + far) / 2;
        if matters(&stepped(middle * direction)) {
            far = middle;
        } else {
            near = middle;
        }
    }
    Step { by: far * direction, effects: stepped(far * direction) }
}

fn effect_table(watched: &[(&str, f64)], from: usize, rows: &[Effect]) -> Vec<String> {
    let mut head = vec![String::new()];
    let mut now = vec!["as it is".to_owned()];
    for (field, before) in watched {
        head.extend(["−1".to_owned(), (*field).to_owned(), "+1".to_owned()]);
        now.extend([String::new(), format!("{before:.4}"), String::new()]);
    }
    let mut lines = vec![now];
    for row in rows.iter().filter(|row| row.steps.part(from, from + watched.len())) {
        let cells = (from..from + watched.len()).flat_map(|at| row.steps.cells(at));
        lines.push(std::iter::once(row.path.clone()).chain(cells).collect());
    }
    if lines.len() == 1 { Vec::new() } else { aligned(&head, &lines) }
}

/// Two distributions of each field beside each other.
fn side_by_side(one: &FieldOdds, other: &FieldOdds) -> Vec<String> {
    let mut lines = Vec::new();
    let cells = |cells: [String; 4]| cells.to_vec();
    for (field, first) in one.fields() {
        let Some(second) = other.get(field) else { continue };
        if first.len() == 1 && first.as_slice() == second {
            continue;
        }
        let mut values: Vec<&String> = first.iter().map(|(value, _)| value).collect();
        values.extend(
            second.iter().map(|(value, _)| value).filter(|value| first.iter().all(|(known, _)| known != *value)),
        );
        if values.iter().all(|value| value.parse::<i64>().is_ok()) {
            values.sort_by_key(|value| value.parse::<i64>().unwrap_or(0));
        }
        let chance = |values: &[(String, Fraction)], wanted: &str| {
            values.iter().find(|(value, _)| value == wanted).map_or(0.0, |(_, chance)| chance.to_f64() * 100.0)
        };
        let mut rows: Vec<Vec<String>> = values
            .into_iter()
            .map(|value| {
                let (a, b) = (chance(first, value), chance(second, value));
                cells([value.clone(), format!("{a:.2}%"), format!("{b:.2}%"), format!("{:+.2}", b - a)])
            })
            .collect();
        if let (Some(a), Some(b)) = (mean(first), mean(second)) {
            rows.push(cells(["expected".to_owned(), format!("{a:.3}"), format!("{b:.3}"), format!("{:+.3}", b - a)]));
        }
        lines.push(String::new());
        lines.push(field.clone());
        let head = cells([String::new(), "first".to_owned(), "second".to_owned(), "difference".to_owned()]);
        lines.extend(aligned(&head, &rows).into_iter().map(|line| format!("  {line}")));
    }
    lines
}

/// The chance of yes, or the expectation of a number.
fn chance_or_mean(values: &[(String, Fraction)]) -> Option<f64> {
    if values.iter().all(|(value, _)| value == "true" || value == "false") {
        return Some(values.iter().filter(|(value, _)| value == "true").map(|(_, chance)| chance.to_f64()).sum());
    }
    mean(values)
}

/// The expectation of a field whose values are all whole numbers.
pub fn mean(values: &[(String, Fraction)]) -> Option<f64> {
    values.iter().map(|(value, chance)| Some(value.parse::<f64>().ok()? * chance.to_f64())).sum()
}

/// The places of all whole numbers and all flags.
fn numbers_and_flags(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Number(number) if number.is_i64() => found.push(path),
        Value::Bool(_) => found.push(path),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            numbers_and_flags(value, format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), found)
        }),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| numbers_and_flags(value, format!("{path}/{at}"), found))
        }
        _ => {}
    }
}

/// A JSON file, or standard input for `-`.
pub fn read_json(path: &PathBuf) -> Result<Value, Refusal> {
    let mut text = String::new();
    if path.as_os_str() == "-" {
        std::io::stdin().read_to_string(&mut text).map_err(|error| file_refusal("cannot-read", path, &error))?;
    } else {
        text = std::fs::read_to_string(path).map_err(|error| file_refusal("cannot-read", path, &error))?;
    }
    serde_json::from_str(&text)
        .map_err(|error| Refusal::new("bad-json", format!("{}: not JSON: {error}.", path.display())))
}

/// Words with dots between them, in lines of at most `width` characters.
fn wrap(words: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() + 3 <= width => {
                *line = format!("{line} · {word}")
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(a: &str, b: &str) -> Vec<(String, Fraction)> {
        vec![(a.to_owned(), Fraction::new(1u8, 4u8)), (b.to_owned(), Fraction::new(3u8, 4u8))]
    }

    #[test]
    fn flags_have_a_chance_and_numbers_an_expectation() {
        assert_eq!(chance_or_mean(&half("false", "true")), Some(0.75));
        assert_eq!(chance_or_mean(&half("2", "4")), Some(3.5));
        assert_eq!(chance_or_mean(&half("sunk", "afloat")), None);
    }

    #[test]
    fn the_first_step_that_matters_may_be_a_column_away() {
        let column = |step: i64| vec![Some(if (14 + step) / 10 == 1 { 0.0 } else { 1.0 })];
        assert_eq!(first_step(1, column).by, 6);
        assert_eq!(first_step(-1, column).by, -5);
        assert_eq!(first_step(1, |_| vec![None]).by, 1);
    }

    #[test]
    fn effects_stand_side_by_side_and_fields_without_one_are_left_out() {
        let step = |by, effect| Step { by, effects: vec![effect] };
        let effect = |path: &str, steps| Effect { path: path.to_owned(), steps };
        let rows = [
            effect("guns", Steps::LessAndMore(step(-1, None), step(1, Some(0.05)))),
            effect("size", Steps::LessAndMore(step(-1, Some(0.0)), step(1, Some(0.0)))),
            effect("radar", Steps::Turned(vec![Some(0.1)])),
        ];
        let lines = effect_table(&[("hit", 0.5)], 0, &rows);
        assert_eq!(
            lines,
            [
                "          −1      hit       +1",
                "as it is       0.5000",
                "guns       –           +0.0500",
                "radar         +0.1000"
            ]
        );
    }
}
