//! Asks for a JSON value of a given shape, field by field.

use flagplot_catalog::LibraryItem;
use flagplot_kernel::Refusal;
use flagplot_referee::{Codes, Need, Shape};
use serde_json::{Map, Value};
use std::io::{BufRead, Write};

/// A person at the other end of two streams.
pub struct Person<'a> {
    input: Box<dyn BufRead + 'a>,
}

impl<'a> Person<'a> {
    pub fn new(input: impl BufRead + 'a) -> Self {
        Self { input: Box::new(input) }
    }

    /// A line after a prompt, without its end; none when there are no more.
    pub fn line(&mut self, prompt: &str) -> Option<String> {
        anstream::print!("{prompt}");
        let _shown = std::io::stdout().flush();
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim().to_owned()),
        }
    }
}

/// Asks for a value until one fits; none if the person has gone or typed `back`.
pub fn ask(person: &mut Person<'_>, name: &str, help: &str, shape: &Shape, need: &Need, library: &[LibraryItem], codes: &Codes) -> Option<Option<Value>> {
    match shape {
        Shape::Record { fields } if *need == Need::Required || matches!(need, Need::Default(Value::Object(_))) => {
            println!("{name}: {help}");
            let fitting = fitting(shape, library, codes);
            if !fitting.is_empty() {
                let typed = person.line(&format!("  {name} from the data (a name, part of one, JSON, or Enter to fill it in): "))?;
                if !typed.is_empty() {
                    if typed == "back" {
                        return None;
                    }
                    if let Some(value) = from_text(person, &typed, &fitting)
                        && accept(shape, &value, name, codes)
                    {
                        return Some(Some(value));
                    }
                }
            }
            let mut out = Map::new();
            for field in fields {
                let path = format!("{name}.{}", field.name);
                if let Some(value) = ask(person, &path, field.help, &field.shape, &field.need, library, codes)? {
                    out.insert(field.name.to_owned(), value);
                }
            }
            let value = Value::Object(out);
            if accept(shape, &value, name, codes) { Some(Some(value)) } else { ask(person, name, help, shape, need, library, codes) }
        }
        Shape::List { of, min, max } if *need == Need::Required => {
            println!("{name}: {help}. {min} to {max} items; an empty line ends the list.");
            let mut items = Vec::new();
            while items.len() < *max {
                let at = format!("{name}[{}]", items.len());
                let more = person.line(&format!("  {at}: Enter to end, JSON or a name for the item, or + to fill it in: "))?;
                if more.is_empty() {
                    if items.len() >= *min {
                        break;
                    }
                    println!("  At least {min} are needed.");
                    continue;
                }
                if more == "back" {
                    return None;
                }
                if more != "+" {
                    let fitting = fitting(of, library, codes);
                    match from_text(person, &more, &fitting) {
                        Some(value) if accept(of, &value, &at, codes) => items.push(value),
                        _ => {}
                    }
                    continue;
                }
                if let Some(item) = ask(person, &at, "", of, &Need::Required, library, codes)? {
                    items.push(item);
                }
            }
            Some(Some(Value::Array(items)))
        }
        _ => loop {
            let default = match need {
                Need::Required => String::new(),
                Need::Optional => ", Enter to leave it out".to_owned(),
                Need::Default(value) => format!(", Enter for {value}"),
            };
            let typed = person.line(&format!("  {name} ({help}; {}{default}): ", shape.words()))?;
            if typed == "back" {
                return None;
            }
            if typed.is_empty() && *need != Need::Required {
                return Some(None);
            }
            let value = read(shape, &typed);
            if accept(shape, &value, name, codes) {
                return Some(Some(value));
            }
        },
    }
}

/// What was typed, as the shape wants it: words and text need no quotes, `yes` and `no` will do for true and false.
fn read(shape: &Shape, typed: &str) -> Value {
    match shape {
        Shape::Text { .. } | Shape::Word { .. } => Value::String(typed.trim_matches('"').to_owned()),
        Shape::Bool if ["y", "yes"].contains(&typed) => Value::Bool(true),
        Shape::Bool if ["n", "no"].contains(&typed) => Value::Bool(false),
        Shape::Nullable { .. } if ["none", "null", "-"].contains(&typed) => Value::Null,
        Shape::Nullable { of } => read(of, typed),
        _ => serde_json::from_str(typed).unwrap_or_else(|_| Value::String(typed.to_owned())),
    }
}

fn accept(shape: &Shape, value: &Value, name: &str, codes: &Codes) -> bool {
    match shape.check(value.clone(), name, codes) {
        Ok(_) => true,
        Err(refusal) => {
            println!("  {refusal}");
            false
        }
    }
}

/// The items of the library that have this shape.
fn fitting<'a>(shape: &Shape, library: &'a [LibraryItem], codes: &Codes) -> Vec<&'a LibraryItem> {
    if !matches!(shape, Shape::Record { .. }) {
        return Vec::new();
    }
    library.iter().filter(|item| shape.check(item.value.clone(), "item", codes).is_ok()).collect()
}

/// JSON, or an item of the library by its name or a part of it.
fn from_text(person: &mut Person<'_>, typed: &str, fitting: &[&LibraryItem]) -> Option<Value> {
    if typed.starts_with(['{', '[', '"']) {
        return serde_json::from_str(typed).map_err(|error| println!("  Not JSON: {error}.")).ok();
    }
    if fitting.is_empty() {
        return Some(serde_json::from_str(typed).unwrap_or_else(|_| Value::String(typed.to_owned())));
    }
    let wanted = typed.to_lowercase();
    let exact: Vec<_> = fitting.iter().filter(|item| item.id.to_lowercase() == wanted || item.name.to_lowercase() == wanted).collect();
    let found = if exact.is_empty() {
        fitting.iter().filter(|item| item.name.to_lowercase().contains(&wanted) || item.id.to_lowercase().contains(&wanted)).collect()
    } else {
        exact
    };
    match found.as_slice() {
        [] => {
            println!("  Nothing in the data is called '{typed}'.");
            None
        }
        [one] => {
            println!("  {}", one.name);
            Some(one.value.clone())
        }
        several => {
            for (at, item) in several.iter().take(20).enumerate() {
                println!("    {}. {} ({})", at + 1, item.name, item.id);
            }
            let pick: usize = person.line("  Which one? ")?.parse().ok()?;
            several.get(pick.checked_sub(1)?).map(|item| item.value.clone())
        }
    }
}

/// The input of a procedure, field by field.
pub fn input(person: &mut Person<'_>, shape: &Shape, library: &[LibraryItem], codes: &Codes) -> Result<Value, Refusal> {
    println!("Answer each field; `back` gives up.");
    match ask(person, "input", "", shape, &Need::Required, library, codes) {
        Some(Some(value)) => Ok(value),
        _ => Err(Refusal::new("given-up", "The input was not completed.")),
    }
}
