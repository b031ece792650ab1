//! Asks for a JSON value of a given shape, field by field.

use flagplot_catalog::{GameSystem, LibraryItem};
use flagplot_kernel::Refusal;
use flagplot_referee::{Codes, Field, Need, Shape, word};
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

/// An object by name, in one of the forms it has in inputs.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The object itself.
    pub item: LibraryItem,
    /// What this form is called.
    pub name: String,
    /// What this form is.
    pub kind: String,
    /// The form.
    pub value: Value,
}

/// Everything that can be had by name.
pub struct Shelf {
    offers: Vec<Offer>,
    /// The kinds that are whole inputs.
    procedures: Vec<&'static str>,
}

impl Shelf {
    /// What the data holds.
    pub fn new(system: &dyn GameSystem, procedures: Vec<&'static str>) -> Self {
        let mut offers: Vec<Offer> = Vec::new();
        for item in &system.library() {
            let whole = Offer {
                item: item.clone(),
                name: item.name.clone(),
                kind: item.kind.clone(),
                value: item.value.clone(),
            };
            let forms = system.aspects(item).into_iter().map(|form| Offer {
                item: item.clone(),
                name: form.name,
                kind: form.kind,
                value: form.value,
            });
            offers.extend(std::iter::once(whole).chain(forms));
        }
        Self { offers, procedures }
    }

    /// Inputs of a procedure, as far as objects know them.
    fn inputs(&self, procedure: &str) -> Vec<&Offer> {
        self.offers.iter().filter(|offer| offer.kind == procedure).collect()
    }

    /// What fits a shape, each object in the form that knows most.
    fn fitting(&self, shape: &Shape, codes: &Codes) -> Vec<&Offer> {
        let mut best: Vec<&Offer> = Vec::new();
        let known = |offer: &Offer| offer.value.as_object().map_or(0, Map::len);
        for offer in self
            .offers
            .iter()
            .filter(|offer| !self.procedures.contains(&offer.kind.as_str()) && fits(shape, &offer.value, codes))
        {
            match best.iter_mut().find(|held| held.item.id == offer.item.id) {
                Some(held) if known(offer) > known(held) => *held = offer,
                Some(_) => {}
                None => best.push(offer),
            }
        }
        best
    }
}

/// Whether an object can be a value of a shape as far as it goes: fields may be missing, none may be strange.
fn fits(shape: &Shape, value: &Value, codes: &Codes) -> bool {
    let Value::Object(given) = value else { return false };
    let all = |fields: &[Field], tag: Option<&str>| {
        !given.is_empty()
            && given.iter().all(|(name, value)| {
                Some(name.as_str()) == tag
                    || fields
                        .iter()
                        .any(|field| field.name == name && field.shape.check(value.clone(), "item", codes).is_ok())
            })
    };
    match shape {
        Shape::Record { fields } => all(fields, None),
        Shape::Tagged { tag, kinds, .. } => {
            let word = given.get(*tag).and_then(Value::as_str).unwrap_or_default();
            kinds.iter().find(|kind| kind.words.contains(&word)).is_some_and(|kind| all(&kind.fields, Some(tag)))
        }
        Shape::Nullable { of } => fits(of, value, codes),
        _ => false,
    }
}

/// The person has gone, or will not go on with this.
#[derive(Debug)]
pub struct GivenUp;

impl From<GivenUp> for Refusal {
    fn from(_: GivenUp) -> Self {
        Refusal::new("given-up", "You cancelled the input.")
    }
}

/// What came for a field.
enum Given {
    /// A value, or none for a field that may be left out.
    Value(Option<Value>),
    /// Back to the field before.
    Back,
    /// Other fields, by name.
    Others(Vec<(String, String)>),
}

/// Which fields of a record are asked for.
#[derive(Clone, Copy, PartialEq)]
enum Asking {
    /// All that are not known.
    All,
    /// Those that must be there.
    Required,
}

/// A conversation about an input.
pub struct Form<'a, 'p> {
    person: &'a mut Person<'p>,
    shelf: &'a Shelf,
    codes: Codes,
}

/// What can be typed at a field.
pub const HOW: &str = "At a field: Enter accepts the value in brackets, ? shows help, back goes to the previous field, \
     FIELD=VALUE sets another field, cancel stops.";

impl<'a, 'p> Form<'a, 'p> {
    pub fn new(person: &'a mut Person<'p>, shelf: &'a Shelf, codes: Codes) -> Self {
        Self { person, shelf, codes }
    }

    /// The input of a procedure, field by field. What is known is not asked for.
    pub fn input(&mut self, procedure: &str, shape: &Shape, known: Map<String, Value>) -> Result<Value, GivenUp> {
        let mut known = known;
        let inputs = self.shelf.inputs(procedure);
        if known.is_empty() && !inputs.is_empty() {
            loop {
                let typed = self.line("  Which object from the data? (name; Enter for none) ")?;
                match typed.as_str() {
                    "" => break,
                    "back" => return Err(GivenUp),
                    "?" => list_names(&inputs),
                    _ => {
                        if let Some(offer) = choose(self.person, &typed, &inputs)?
                            && let Value::Object(fields) = &offer.value
                        {
                            println!("  {}: {}", offer.name, in_words(&offer.value));
                            known.extend(fields.clone());
                            break;
                        }
                    }
                }
            }
        }
        match self.object("", shape, known, Asking::All)? {
            Some(value) => Ok(value),
            None => Err(GivenUp),
        }
    }

    fn line(&mut self, prompt: &str) -> Result<String, GivenUp> {
        match self.person.line(prompt) {
            None => Err(GivenUp),
            Some(typed) if typed == "cancel" => Err(GivenUp),
            Some(typed) => Ok(typed),
        }
    }

    /// An object of a record's or a tagged shape; none to go back.
    fn object(
        &mut self,
        path: &str,
        shape: &Shape,
        mut known: Map<String, Value>,
        asking: Asking,
    ) -> Result<Option<Value>, GivenUp> {
        match shape {
            Shape::Record { fields } => self.record(path, fields, known, asking),
            Shape::Tagged { tag, help, kinds } => loop {
                let words: Vec<&'static str> = kinds.iter().flat_map(|kind| kind.words.iter().copied()).collect();
                let field = Field { name: tag, help, shape: word(&words), need: Need::Required, unit: None };
                let asked = !known.contains_key(*tag);
                if asked {
                    match self.field(path, &field, &[])? {
                        Given::Value(Some(word)) => known.insert((*tag).to_owned(), word),
                        Given::Back => return Ok(None),
                        _ => continue,
                    };
                }
                let word = known.get(*tag).and_then(Value::as_str).unwrap_or_default();
                let Some(kind) = kinds.iter().find(|kind| kind.words.contains(&word)) else {
                    known.remove(*tag);
                    continue;
                };
                match self.record(path, &kind.fields, known.clone(), asking)? {
                    Some(value) => return Ok(Some(value)),
                    None if asked => known.remove(*tag),
                    None => return Ok(None),
                };
            },
            _ => Ok(None),
        }
    }

    /// The fields of a record one by one; none to go back to what came before it.
    fn record(
        &mut self,
        path: &str,
        fields: &[Field],
        known: Map<String, Value>,
        asking: Asking,
    ) -> Result<Option<Value>, GivenUp> {
        let mut values = known;
        let mut asked: Vec<usize> = Vec::new();
        let mut at = 0;
        // Long records would be tiresome: what may be left out is asked for only when wanted.
        let spare =
            fields.iter().filter(|field| field.need != Need::Required && !values.contains_key(field.name)).count();
        let mut asking = if asking == Asking::All && !path.is_empty() && spare > 8 { Asking::Required } else { asking };
        let mut offer_spare = asking == Asking::Required && spare > 8 && values.is_empty();
        loop {
            let Some(field) = fields.get(at) else {
                if !offer_spare {
                    break;
                }
                offer_spare = false;
                let typed = self.line(&format!(
                    "  {spare} more fields keep their defaults. Type FIELD=VALUE to set one, + to step through them, \
                     or Enter to go on: "
                ))?;
                if typed == "+" {
                    (asking, at) = (Asking::All, 0);
                } else if let Some(pairs) = pairs(&typed, fields) {
                    self.set(path, fields, &mut values, &pairs);
                    offer_spare = true;
                }
                continue;
            };
            if values.contains_key(field.name)
                || (asking == Asking::Required && field.need != Need::Required)
                || asked.contains(&at)
            {
                at += 1;
                continue;
            }
            match self.field(path, field, fields)? {
                Given::Value(value) => {
                    if let Some(value) = value {
                        values.insert(field.name.to_owned(), value);
                    }
                    asked.push(at);
                    at += 1;
                }
                Given::Others(pairs) => {
                    self.set(path, fields, &mut values, &pairs);
                }
                Given::Back => match asked.pop() {
                    None => return Ok(None),
                    Some(before) => {
                        values.remove(fields[before].name);
                        at = before;
                    }
                },
            }
        }
        // In the order of the declaration, which is the order people read them in.
        let order = |name: &str| fields.iter().position(|field| field.name == name);
        let mut pairs: Vec<(String, Value)> = values.into_iter().collect();
        pairs.sort_by_key(|(name, _)| order(name));
        Ok(Some(Value::Object(pairs.into_iter().collect())))
    }

    fn set(&mut self, path: &str, fields: &[Field], values: &mut Map<String, Value>, pairs: &[(String, String)]) {
        let mut whole = Value::Object(std::mem::take(values));
        for (name, text) in pairs {
            if let Err(refusal) = change(
                &Shape::Record { fields: fields.to_vec() },
                &mut whole,
                name,
                text,
                &join(path, name),
                &self.codes,
            ) {
                println!("  {refusal}");
            }
        }
        if let Value::Object(whole) = whole {
            *values = whole;
        }
    }

    /// One field. `siblings` are the fields that can be set beside it.
    fn field(&mut self, path: &str, field: &Field, siblings: &[Field]) -> Result<Given, GivenUp> {
        let place = join(path, field.name);
        match &field.shape {
            Shape::Record { .. } | Shape::Tagged { .. } => self.composite(&place, field, &field.shape, siblings),
            Shape::Nullable { of } if matches!(**of, Shape::Record { .. } | Shape::Tagged { .. }) => {
                self.composite(&place, field, of, siblings)
            }
            Shape::List { of, min, max }
                if matches!(**of, Shape::Record { .. } | Shape::Tagged { .. } | Shape::List { .. }) =>
            {
                self.list(&place, field, of, (*min, *max), siblings)
            }
            shape => {
                let prompt = format!(
                    "  {place}, {}{}{}: ",
                    field.help,
                    kind_in_words(shape),
                    default_in_words(&field.need, shape)
                );
                loop {
                    let typed = self.line(&prompt)?;
                    match typed.as_str() {
                        "back" => return Ok(Given::Back),
                        "?" => explain(&place, field),
                        "" if field.need != Need::Required => return Ok(Given::Value(None)),
                        "" if !matches!(shape, Shape::List { min: 0, .. } | Shape::Text { .. }) => {
                            println!("  This field is required: {}.", shape.words())
                        }
                        _ => {
                            if let Some(pairs) = pairs(&typed, siblings) {
                                return Ok(Given::Others(pairs));
                            }
                            match shape.check(read(shape, &typed), &place, &self.codes) {
                                Ok(value) => return Ok(Given::Value(Some(value))),
                                Err(refusal) => println!("  {refusal}"),
                            }
                        }
                    }
                }
            }
        }
    }

    /// An object: by name, as JSON, or filled in.
    fn composite(&mut self, place: &str, field: &Field, shape: &Shape, siblings: &[Field]) -> Result<Given, GivenUp> {
        let shelf = self.shelf;
        let offers = shelf.fitting(shape, &self.codes);
        let required = field.need == Need::Required;
        let prompt = match (offers.is_empty(), required) {
            (true, true) => {
                println!("  {place}: {}.", field.help);
                return Ok(match self.object(place, shape, Map::new(), Asking::All)? {
                    Some(value) => Given::Value(Some(value)),
                    None => Given::Back,
                });
            }
            (true, false) => {
                format!("  {place}, {} (+ to fill it in){}: ", field.help, default_in_words(&field.need, shape))
            }
            (false, true) => format!(
                "  {place}, {} (a name, with FIELD=VALUE to change something; Enter to fill it in): ",
                field.help
            ),
            (false, false) => format!(
                "  {place}, {} (a name, or + to fill it in){}: ",
                field.help,
                default_in_words(&field.need, shape)
            ),
        };
        loop {
            let typed = self.line(&prompt)?;
            match typed.as_str() {
                "back" => return Ok(Given::Back),
                "?" => {
                    explain(place, field);
                    list_names(&offers);
                }
                "" if !required => return Ok(Given::Value(None)),
                "none" | "null" | "-" if matches!(field.shape, Shape::Nullable { .. }) => {
                    return Ok(Given::Value(Some(Value::Null)));
                }
                "" | "+" => {
                    if let Some(value) = self.object(place, shape, Map::new(), Asking::All)? {
                        return Ok(Given::Value(Some(value)));
                    }
                }
                _ => {
                    if let Some(pairs) = pairs(&typed, siblings) {
                        return Ok(Given::Others(pairs));
                    }
                    if let Some(value) = self.named(place, shape, &typed, &offers)? {
                        return Ok(Given::Value(Some(value)));
                    }
                }
            }
        }
    }

    /// An object by its name with changes, or as JSON; none if it did not work out.
    fn named(&mut self, place: &str, shape: &Shape, typed: &str, offers: &[&Offer]) -> Result<Option<Value>, GivenUp> {
        if typed.starts_with('{') {
            let value =
                serde_json::from_str(typed).map_err(|error| Refusal::new("bad-json", format!("Not JSON: {error}.")));
            return match value.and_then(|value| shape.check(value, place, &self.codes)) {
                Ok(value) => Ok(Some(value)),
                Err(refusal) => {
                    println!("  {refusal}");
                    Ok(None)
                }
            };
        }
        let (changes, name): (Vec<&str>, Vec<&str>) = typed.split_whitespace().partition(|word| word.contains('='));
        let Some(offer) = choose(self.person, &name.join(" "), offers)? else { return Ok(None) };
        let mut value = offer.value.clone();
        for word in changes {
            let (name, text) = word.split_once('=').unwrap_or((word, ""));
            if let Err(refusal) = change(shape, &mut value, name, text, &join(place, name), &self.codes) {
                println!("  {refusal}");
                return Ok(None);
            }
        }
        let brief = in_words(&value);
        println!("  {}{}", offer.name, if brief.chars().count() > 150 { String::new() } else { format!(": {brief}") });
        let Value::Object(known) = value else { return Ok(None) };
        self.object(place, shape, known, Asking::Required)
    }

    /// A list of objects or of lists, item by item.
    fn list(
        &mut self,
        place: &str,
        field: &Field,
        of: &Shape,
        (min, max): (usize, usize),
        siblings: &[Field],
    ) -> Result<Given, GivenUp> {
        let shelf = self.shelf;
        let offers = shelf.fitting(of, &self.codes);
        let mut items: Vec<Value> = Vec::new();
        let by_name = if offers.is_empty() { "+ to fill it in" } else { "a name, or + to fill it in" };
        println!(
            "  {place}: {} ({} items).",
            field.help,
            if min == max { min.to_string() } else { format!("{min} to {max}") }
        );
        while items.len() < max {
            let at = join(place, &items.len().to_string());
            // Where a list must have so many items, they are simply asked for.
            let must = items.len() < min && offers.is_empty();
            let typed = match (must, of) {
                (true, _) => "+".to_owned(),
                (false, _) if items.len() >= min => {
                    self.line(&format!("  {place}, number {} ({by_name}; Enter ends the list): ", items.len() + 1))?
                }
                (false, _) => self.line(&format!("  {place}, number {} ({by_name}): ", items.len() + 1))?,
            };
            match typed.as_str() {
                "?" => {
                    explain(place, field);
                    list_names(&offers);
                }
                "" if items.len() >= min => break,
                "" => println!("  At least {min} are needed."),
                "back" if items.is_empty() => return Ok(Given::Back),
                "back" => {
                    items.pop();
                }
                "+" => {
                    let made = match of {
                        Shape::List { of, min, max } => {
                            let inner = Field {
                                name: "",
                                help: field.help,
                                shape: Shape::List { of: of.clone(), min: *min, max: *max },
                                need: Need::Required,
                                unit: None,
                            };
                            match self.list(&at, &inner, of, (*min, *max), &[])? {
                                Given::Value(value) => value,
                                _ => None,
                            }
                        }
                        _ => {
                            println!("  Number {} of {place}:", items.len() + 1);
                            self.object(&at, of, Map::new(), Asking::All)?
                        }
                    };
                    match made {
                        Some(value) => items.push(value),
                        None if must && items.pop().is_none() => return Ok(Given::Back),
                        None => {}
                    }
                }
                _ => {
                    if let Some(pairs) = pairs(&typed, siblings).filter(|_| items.is_empty()) {
                        return Ok(Given::Others(pairs));
                    }
                    if typed.starts_with('[') {
                        let list = serde_json::from_str(&typed)
                            .map_err(|error| Refusal::new("bad-json", format!("Not JSON: {error}.")));
                        match list.and_then(|list| field.shape.check(list, place, &self.codes)) {
                            Ok(list) => return Ok(Given::Value(Some(list))),
                            Err(refusal) => println!("  {refusal}"),
                        }
                    } else if let Some(value) = self.named(&at, of, &typed, &offers)? {
                        items.push(value);
                    }
                }
            }
        }
        if items.is_empty() && field.need != Need::Required {
            return Ok(Given::Value(None));
        }
        Ok(Given::Value(Some(Value::Array(items))))
    }
}

fn join(path: &str, name: &str) -> String {
    match (path.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (_, true) => path.to_owned(),
        _ => format!("{path}.{name}"),
    }
}

/// `FIELD=VALUE` for fields of this record, if that is all there is.
fn pairs(typed: &str, fields: &[Field]) -> Option<Vec<(String, String)>> {
    let known = |name: &str| fields.iter().any(|field| field.name == name.split('.').next().unwrap_or(name));
    let words: Option<Vec<(String, String)>> = typed
        .split_whitespace()
        .map(|word| {
            word.split_once('=').filter(|(name, _)| known(name)).map(|(name, text)| (name.to_owned(), text.to_owned()))
        })
        .collect();
    words.filter(|words| !words.is_empty())
}

/// Sets a part of a value by its dotted name. An empty text takes the part away.
fn change(shape: &Shape, value: &mut Value, name: &str, text: &str, path: &str, codes: &Codes) -> Result<(), Refusal> {
    let unknown = || Refusal::new("unknown-field", format!("There is no field '{path}'."));
    let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
    let tagged;
    let inner = match shape {
        Shape::Nullable { of } => return change(of, value, name, text, path, codes),
        Shape::Record { fields } => &fields.iter().find(|field| field.name == first).ok_or_else(unknown)?.shape,
        Shape::Tagged { tag, kinds, .. } if first == *tag => {
            tagged = word(&kinds.iter().flat_map(|kind| kind.words.iter().copied()).collect::<Vec<_>>());
            &tagged
        }
        Shape::Tagged { tag, kinds, .. } => {
            let word = value[*tag].as_str().unwrap_or_default();
            let kind = kinds.iter().find(|kind| kind.words.contains(&word)).ok_or_else(unknown)?;
            &kind.fields.iter().find(|field| field.name == first).ok_or_else(unknown)?.shape
        }
        Shape::List { of, .. } => {
            let item = first.parse::<usize>().ok().and_then(|at| value.get_mut(at)).ok_or_else(unknown)?;
            return match rest {
                Some(rest) => change(of, item, rest, text, path, codes),
                None => {
                    *item = of.check(read(of, text), path, codes)?;
                    Ok(())
                }
            };
        }
        _ => return Err(unknown()),
    };
    if value.is_null() {
        *value = Value::Object(Map::new());
    }
    let Value::Object(fields) = value else { return Err(unknown()) };
    match rest {
        Some(rest) => change(inner, fields.entry(first).or_insert(Value::Null), rest, text, path, codes),
        None if text.is_empty() => {
            fields.remove(first);
            Ok(())
        }
        None => {
            let checked = inner.check(read(inner, text), path, codes)?;
            fields.insert(first.to_owned(), checked);
            Ok(())
        }
    }
}

/// What was typed, as the shape wants it: words and text need no quotes, the beginning of a word is enough, `y` and `n`
/// will do.
fn read(shape: &Shape, typed: &str) -> Value {
    let json = || serde_json::from_str(typed).unwrap_or_else(|_| Value::String(typed.to_owned()));
    match shape {
        Shape::Text { .. } => Value::String(typed.trim_matches('"').to_owned()),
        Shape::Word { words, .. } => {
            let begun: Vec<_> = words.iter().filter(|word| word.starts_with(typed)).collect();
            let whole = words.iter().any(|word| word == typed);
            Value::String(if let ([one], false) = (begun.as_slice(), whole) {
                one.to_string()
            } else {
                typed.trim_matches('"').to_owned()
            })
        }
        Shape::Bool if ["y", "yes"].contains(&typed) => Value::Bool(true),
        Shape::Bool if ["n", "no"].contains(&typed) => Value::Bool(false),
        Shape::Nullable { .. } if ["none", "null", "-"].contains(&typed) => Value::Null,
        Shape::Nullable { of } => read(of, typed),
        Shape::List { of, .. } if !typed.starts_with('[') => Value::Array(
            typed.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty()).map(|part| read(of, part)).collect(),
        ),
        Shape::Tuple { of } if !typed.starts_with('[') => {
            let parts = typed.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty());
            Value::Array(
                parts
                    .zip(of.iter().chain(std::iter::repeat(&Shape::Bool)))
                    .map(|(part, shape)| read(shape, part))
                    .collect(),
            )
        }
        Shape::Map { of, .. } if !typed.starts_with('{') => {
            let entries = typed.split([',', ' ']).filter_map(|part| part.split_once(['=', ':']));
            Value::Object(entries.map(|(key, text)| (key.trim().to_owned(), read(of, text.trim()))).collect())
        }
        _ => json(),
    }
}

fn kind_in_words(shape: &Shape) -> String {
    match shape {
        Shape::Bool => " (y/n)".to_owned(),
        Shape::Int { min, max } => format!(" ({min} to {max})"),
        Shape::Word { words, .. } => format!(" ({})", words.join(" | ")),
        Shape::Text { .. } => String::new(),
        Shape::Nullable { of } => kind_in_words(of),
        Shape::List { of, .. } => format!(" (several{}, separated by commas)", kind_in_words(of)),
        Shape::Map { of, .. } => format!(" (name=value{}, separated by commas)", kind_in_words(of)),
        other => format!(" ({})", other.words()),
    }
}

fn default_in_words(need: &Need, shape: &Shape) -> String {
    match need {
        Need::Required if matches!(shape, Shape::List { min: 0, .. }) => " [none]".to_owned(),
        Need::Required => String::new(),
        Need::Optional | Need::Default(Value::Null) => " [none]".to_owned(),
        Need::Default(Value::Bool(true)) => " [y]".to_owned(),
        Need::Default(Value::Bool(false)) => " [n]".to_owned(),
        Need::Default(Value::Array(items)) if items.is_empty() => " [none]".to_owned(),
        Need::Default(Value::Object(fields)) if fields.is_empty() => " [as usual]".to_owned(),
        Need::Default(value) => format!(" [{}]", in_words(value)),
    }
}

/// A value for people: `speed 30, fires 2`.
fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(in_words).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{name} {}", in_words(value))).collect::<Vec<_>>().join(", ")
        }
        number @ Value::Number(_) => number.to_string(),
    }
}

fn explain(place: &str, field: &Field) {
    println!(
        "  {place}: {}. It must be {}{}.",
        field.help,
        field.shape.words(),
        match &field.need {
            Need::Required => String::new(),
            Need::Optional => "; it may be left out".to_owned(),
            Need::Default(value) => format!("; if it is left out: {}", in_words(value)),
        }
    );
    let mut shape = &field.shape;
    while let Shape::Nullable { of } | Shape::List { of, .. } = shape {
        shape = of;
    }
    if let Shape::Record { fields } = shape {
        for field in fields {
            println!("    {:20} {}{}", field.name, field.help, default_in_words(&field.need, &field.shape));
        }
    }
    if let Shape::Tagged { tag, help, kinds } = shape {
        println!("    {tag:20} {help}");
        for kind in kinds {
            println!(
                "    {}: {}",
                kind.words.join(", "),
                kind.fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
            );
        }
    }
}

fn list_names(offers: &[&Offer]) {
    const SHOWN: usize = 60;
    if offers.is_empty() {
        return;
    }
    let names: Vec<&str> = offers.iter().take(SHOWN).map(|offer| offer.name.as_str()).collect();
    let more = offers.len().saturating_sub(SHOWN);
    println!(
        "    By name: {}{}.",
        names.join(", "),
        if more > 0 { format!(", and {more} more") } else { String::new() }
    );
}

/// An object by its name or by parts of it; none if it did not work out.
fn choose<'o>(person: &mut Person<'_>, typed: &str, offers: &[&'o Offer]) -> Result<Option<&'o Offer>, GivenUp> {
    const SHOWN: usize = 20;
    let wanted = typed.to_lowercase();
    let names = |offer: &Offer| (offer.name.to_lowercase(), offer.item.id.to_lowercase());
    let exact: Vec<&&Offer> =
        offers.iter().filter(|offer| names(offer).0 == wanted || names(offer).1 == wanted).collect();
    let found = if exact.is_empty() {
        let all = |text: &str| wanted.split_whitespace().all(|part| text.contains(part));
        offers.iter().filter(|offer| !wanted.is_empty() && (all(&names(offer).0) || all(&names(offer).1))).collect()
    } else {
        exact
    };
    match found.as_slice() {
        [] => {
            println!("  Nothing here is called '{typed}'. Type ? for the list.");
            Ok(None)
        }
        [one] => Ok(Some(one)),
        several => {
            for (at, offer) in several.iter().take(SHOWN).enumerate() {
                println!("    {}. {} ({})", at + 1, offer.name, offer.item.kind);
            }
            if several.len() > SHOWN {
                println!("    … and {} more", several.len() - SHOWN);
            }
            let typed = person.line("  Which one (its number)? ").ok_or(GivenUp)?;
            let pick = typed.parse::<usize>().ok().and_then(|n| several.get(n.checked_sub(1)?)).map(|offer| **offer);
            if pick.is_none() {
                println!("  You chose none.");
            }
            Ok(pick)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_referee::{int, list, opt, or, record, req, text, word};
    use serde_json::json;

    fn shape() -> Shape {
        record(vec![
            req("guns", int(1, 9), "guns"),
            req("control", word(&["directed", "local"]), "control"),
            or("splash", int(0, 9), 0, "splashes"),
            opt("side", record(vec![req("name", text(9), "a name")]), "a side"),
            or("ids", list(text(9), 0, 3), json!([]), "ids"),
        ])
    }

    fn answered(typed: &str) -> Option<Value> {
        let mut person = Person::new(std::io::Cursor::new(typed.to_owned()));
        let shelf = Shelf { offers: Vec::new(), procedures: Vec::new() };
        Form::new(&mut person, &shelf, Codes::default()).input("p", &shape(), Map::new()).ok()
    }

    #[test]
    fn enter_leaves_out_what_has_a_default_and_the_beginning_of_a_word_will_do() {
        assert_eq!(answered("3\ndir\n\n\n\n"), Some(json!({"guns": 3, "control": "directed"})));
        assert_eq!(
            answered("3\nlocal\n2\n+\nHood\na, b\n"),
            Some(json!({"guns": 3, "control": "local", "splash": 2, "side": {"name": "Hood"}, "ids": ["a", "b"]}))
        );
    }

    #[test]
    fn back_goes_back_one_field_and_out_of_the_first_one_gives_up() {
        assert_eq!(answered("3\nback\n4\nlocal\n\n\n\n"), Some(json!({"guns": 4, "control": "local"})));
        assert_eq!(
            answered("3\nlocal\n\n+\nback\nback\n5\n\n\n"),
            Some(json!({"guns": 3, "control": "local", "splash": 5}))
        );
        assert_eq!(answered("3\nback\nback\n"), None);
        assert_eq!(answered("3\nlocal\ncancel\n"), None);
    }

    #[test]
    fn fields_can_be_set_by_name_and_wrong_ones_are_asked_again() {
        assert_eq!(
            answered("control=local splash=2\n12\n7\n\n\n"),
            Some(json!({"guns": 7, "control": "local", "splash": 2}))
        );
    }

    #[test]
    fn a_part_is_changed_by_its_dotted_name() {
        let mut value = json!({"guns": 3, "control": "local", "ids": ["a", "b"]});
        let codes = Codes::default();
        change(&shape(), &mut value, "side.name", "Hood", "side.name", &codes).unwrap();
        change(&shape(), &mut value, "ids.1", "c", "ids.1", &codes).unwrap();
        change(&shape(), &mut value, "guns", "", "guns", &codes).unwrap();
        assert_eq!(value, json!({"control": "local", "ids": ["a", "c"], "side": {"name": "Hood"}}));
        assert_eq!(change(&shape(), &mut value, "guns", "10", "guns", &codes).unwrap_err().code, "bad-value");
        assert_eq!(change(&shape(), &mut value, "tubes", "1", "tubes", &codes).unwrap_err().code, "unknown-field");
    }
}
