use crate::Codes;
use flagplot_kernel::{Refusal, Rule};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// What a JSON value must look like. One declaration checks input, fills in defaults, and describes itself.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Shape {
    /// True or false.
    Bool,
    /// A whole number.
    Int {
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// Text.
    Text {
        /// The greatest number of characters.
        max: usize,
    },
    /// One of some words.
    Word {
        /// The words.
        words: Vec<Cow<'static, str>>,
        /// The code of another word and the rule that says so, where the common code will not do.
        #[serde(skip)]
        other: Option<(&'static str, Rule)>,
    },
    /// A list.
    List {
        /// What its items look like.
        of: Box<Shape>,
        /// The least number of items.
        min: usize,
        /// The greatest number of items.
        max: usize,
    },
    /// A list of a fixed length, each item of its own shape. Another length has a code of its own.
    Tuple {
        /// The items.
        of: Vec<Shape>,
    },
    /// An object with free keys.
    Map {
        /// What its values look like.
        of: Box<Shape>,
        /// The greatest number of entries.
        max: usize,
    },
    /// An object with these fields and no others.
    Record {
        /// The fields, in the order they are checked.
        fields: Vec<Field>,
    },
    /// An object whose other fields depend on the word in one of them.
    Tagged {
        /// The field that holds the word; it must be there.
        tag: &'static str,
        /// What the word decides, in a few words.
        help: &'static str,
        /// The kinds of object.
        kinds: Vec<Kind>,
    },
    /// The shape, or null.
    Nullable {
        /// The shape.
        of: Box<Shape>,
    },
    /// The first of some shapes whose JSON type fits.
    Either {
        /// The shapes.
        of: Vec<Shape>,
    },
}

/// One kind of a tagged object.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Kind {
    /// The words that stand for it.
    pub words: Vec<&'static str>,
    /// Its other fields, in the order they are checked.
    pub fields: Vec<Field>,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it means, in a few words.
    pub help: &'static str,
    /// What it must look like.
    pub shape: Shape,
    /// Whether it may be left out.
    pub need: Need,
    /// The unit of its number, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
}

impl Field {
    /// The same field, with the unit of its number.
    #[must_use]
    pub fn unit(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }
}

/// Whether a field may be left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// It must be there.
    Required,
    /// It may be left out and is then absent.
    Optional,
    /// It may be left out and then has this value.
    Default(Value),
}

/// True or false.
#[must_use]
pub fn bool() -> Shape {
    Shape::Bool
}

/// A whole number from `min` to `max`.
#[must_use]
pub fn int(min: i64, max: i64) -> Shape {
    Shape::Int { min, max }
}

/// Text of at most `max` characters.
#[must_use]
pub fn text(max: usize) -> Shape {
    Shape::Text { max }
}

/// One of some words.
#[must_use]
pub fn word(words: &[&'static str]) -> Shape {
    Shape::Word { words: words.iter().copied().map(Cow::Borrowed).collect(), other: None }
}

/// One of some words out of the data.
#[must_use]
pub fn word_of<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Shape {
    Shape::Word { words: words.into_iter().map(|word| Cow::Owned(word.into())).collect(), other: None }
}

/// A list of `min` to `max` items.
#[must_use]
pub fn list(of: Shape, min: usize, max: usize) -> Shape {
    Shape::List { of: Box::new(of), min, max }
}

/// A list of a fixed length.
#[must_use]
pub fn tuple(of: Vec<Shape>) -> Shape {
    Shape::Tuple { of }
}

/// An object with free keys, at most `max` of them.
#[must_use]
pub fn map(of: Shape, max: usize) -> Shape {
    Shape::Map { of: Box::new(of), max }
}

/// An object with these fields.
#[must_use]
pub fn record(fields: Vec<Field>) -> Shape {
    Shape::Record { fields }
}

/// The shape, or null.
#[must_use]
pub fn nullable(of: Shape) -> Shape {
    Shape::Nullable { of: Box::new(of) }
}

/// The first of some shapes whose JSON type fits.
#[must_use]
pub fn either(of: Vec<Shape>) -> Shape {
    Shape::Either { of }
}

/// An object whose other fields depend on the word in one of them.
#[must_use]
pub fn tagged(tag: &'static str, help: &'static str, kinds: Vec<(Vec<&'static str>, Vec<Field>)>) -> Shape {
    Shape::Tagged { tag, help, kinds: kinds.into_iter().map(|(words, fields)| Kind { words, fields }).collect() }
}

/// A field that must be there.
#[must_use]
pub fn req(name: &'static str, shape: Shape, help: &'static str) -> Field {
    Field { name, help, shape, need: Need::Required, unit: None }
}

/// A field that may be absent.
#[must_use]
pub fn opt(name: &'static str, shape: Shape, help: &'static str) -> Field {
    Field { name, help, shape, need: Need::Optional, unit: None }
}

/// A field with a default.
#[must_use]
pub fn or(name: &'static str, shape: Shape, default: impl Into<Value>, help: &'static str) -> Field {
    Field { name, help, shape, need: Need::Default(default.into()), unit: None }
}

/// How much of a wrong value is shown back.
const SHOWN: usize = 60;

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        None => text,
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}

fn read_record(
    fields: &[Field],
    mut given: Map<String, Value>,
    path: &str,
    codes: &Codes,
    reasons: &mut Vec<Refusal>,
) -> Value {
    let known = |name: &str| fields.iter().any(|field| field.name == name);
    for name in given.keys().filter(|name| !known(name)) {
        let name: String = name.chars().take(SHOWN).collect();
        let known: Vec<_> = fields.iter().map(|field| field.name).collect();
        reasons.push(
            Refusal::new("unknown-field", format!("{path} has no field '{name}'."))
                .remedy(format!("Its fields are: {}.", known.join(", "))),
        );
    }
    let mut read = Map::new();
    for field in fields {
        let value = match (given.remove(field.name), &field.need) {
            (Some(value), _) => value,
            (None, Need::Default(value)) => value.clone(),
            (None, Need::Optional) => continue,
            (None, Need::Required) => {
                let message = format!("{path} needs the field '{}' ({}).", field.name, field.help);
                reasons.push(Refusal::new("missing-field", message));
                continue;
            }
        };
        let value = field.shape.read(value, &format!("{path}.{}", field.name), codes, reasons);
        read.insert(field.name.to_owned(), value);
    }
    Value::Object(read)
}

impl Shape {
    /// Checks a value and fills in defaults. `path` names it in messages. What is wrong is said all at once: the first
    /// reason, with the others attached.
    pub fn check(&self, value: Value, path: &str, codes: &Codes) -> Result<Value, Refusal> {
        let mut reasons = Vec::new();
        let value = self.read(value, path, codes, &mut reasons);
        Refusal::all(reasons).map(|()| value)
    }

    /// The value with its defaults. It is null where a reason was found.
    fn read(&self, value: Value, path: &str, codes: &Codes, reasons: &mut Vec<Refusal>) -> Value {
        let mut refuse = |code, message| {
            reasons.push(Refusal::new(code, message));
            Value::Null
        };
        let wrong_type = |value: &Value| format!("{path} must be {}, not {}.", self.words(), shown(value));
        match (self, value) {
            (Shape::Bool, value @ Value::Bool(_)) => value,
            (Shape::Int { min, max }, Value::Number(number)) => {
                // A number beyond 64 bits is whole all the same, and out of range; 2.0 is not whole.
                let whole = number.as_i64().or_else(|| number.as_u64().map(|_| i64::MAX));
                let huge = number.as_f64().is_some_and(|float| float.abs() >= 9.0e18);
                match whole {
                    Some(n) if (*min..=*max).contains(&n) => Value::from(n),
                    None if !huge => refuse(codes.wrong_type, wrong_type(&Value::Number(number))),
                    _ => {
                        let number = shown(&Value::Number(number));
                        refuse(codes.out_of_range, format!("{path} is {number}; it must lie between {min} and {max}."))
                    }
                }
            }
            (Shape::Text { max }, Value::String(text)) => {
                if text.chars().count() > *max {
                    return refuse(codes.out_of_range, format!("{path} has more than {max} characters."));
                }
                Value::String(text)
            }
            (Shape::Word { words, other }, Value::String(text)) => {
                if words.iter().any(|word| *word == text) {
                    return Value::String(text);
                }
                let given = shown(&Value::String(text));
                let refusal =
                    |code| Refusal::new(code, format!("{path} must be one of {}, not {given}.", words.join(", ")));
                reasons.push(match other {
                    Some((code, rule)) => refusal(code).by(*rule),
                    None => refusal(codes.bad_word),
                });
                Value::Null
            }
            (Shape::List { min, max, .. }, Value::Array(items)) if !(*min..=*max).contains(&items.len()) => {
                let count = items.len();
                refuse(codes.out_of_range, format!("{path} has {count} items; it must have {min} to {max}."))
            }
            (Shape::List { of, .. }, Value::Array(items)) => {
                let items = items.into_iter().enumerate();
                items.map(|(at, item)| of.read(item, &format!("{path}[{at}]"), codes, reasons)).collect()
            }
            (Shape::Tuple { of }, Value::Array(items)) if items.len() != of.len() => {
                refuse(codes.wrong_length, wrong_type(&Value::Array(items)))
            }
            (Shape::Tuple { of }, Value::Array(items)) => {
                let items = items.into_iter().zip(of).enumerate();
                items.map(|(at, (item, of))| of.read(item, &format!("{path}[{at}]"), codes, reasons)).collect()
            }
            (Shape::Map { max, .. }, Value::Object(entries)) if entries.len() > *max => {
                let count = entries.len();
                refuse(codes.out_of_range, format!("{path} has {count} entries; it may have {max}."))
            }
            (Shape::Map { of, .. }, Value::Object(entries)) => {
                let entries = entries.into_iter().map(|(key, value)| {
                    let value = of.read(value, &format!("{path}.{key}"), codes, reasons);
                    (key, value)
                });
                Value::Object(entries.collect())
            }
            (Shape::Record { fields }, Value::Object(given)) => read_record(fields, given, path, codes, reasons),
            (Shape::Tagged { tag, help, kinds }, Value::Object(given)) => {
                let kind = match given.get(*tag) {
                    None => {
                        return refuse("missing-field", format!("{path} needs the field '{tag}' ({help})."));
                    }
                    Some(Value::String(text)) => kinds.iter().find(|kind| kind.words.contains(&text.as_str())),
                    Some(_) => None,
                };
                match kind {
                    Some(kind) => {
                        let mut fields = vec![req(tag, word(&kind.words), help)];
                        fields.extend(kind.fields.iter().cloned());
                        read_record(&fields, given, path, codes, reasons)
                    }
                    None => {
                        let words: Vec<_> = kinds.iter().flat_map(|kind| kind.words.iter().copied()).collect();
                        let value = given.get(*tag).cloned().unwrap_or_default();
                        word(&words).read(value, &format!("{path}.{tag}"), codes, reasons)
                    }
                }
            }
            (Shape::Nullable { .. }, Value::Null) => Value::Null,
            (Shape::Nullable { of }, value) => of.read(value, path, codes, reasons),
            (Shape::Either { of }, value) => match of.iter().find(|shape| shape.fits(&value)) {
                Some(shape) => shape.read(value, path, codes, reasons),
                None => refuse(codes.wrong_type, wrong_type(&value)),
            },
            (_, value) => refuse(codes.wrong_type, wrong_type(&value)),
        }
    }

    /// The same shape with whole numbers from `range`; of a list, a map or an option, the numbers in it.
    #[must_use]
    pub fn within(mut self, range: RangeInclusive<i64>) -> Self {
        self.each_scalar(&mut |scalar| {
            if let Shape::Int { min, max } = scalar {
                (*min, *max) = (*range.start(), *range.end());
            }
        });
        self
    }

    /// The same shape with texts of at most `most` characters.
    #[must_use]
    pub fn chars(mut self, most: usize) -> Self {
        self.each_scalar(&mut |scalar| {
            if let Shape::Text { max } = scalar {
                *max = most;
            }
        });
        self
    }

    /// The same words with a code of their own for any other word, and the rule that says so.
    #[must_use]
    pub fn or_refuse(mut self, code: &'static str, rule: Rule) -> Self {
        if let Shape::Word { other, .. } = &mut self {
            *other = Some((code, rule));
        }
        self
    }

    /// The same list or map with this many items.
    #[must_use]
    pub fn items(mut self, items: RangeInclusive<usize>) -> Self {
        match &mut self {
            Shape::List { min, max, .. } => (*min, *max) = (*items.start(), *items.end()),
            Shape::Map { max, .. } => *max = *items.end(),
            Shape::Nullable { of } => **of = (**of).clone().items(items),
            Shape::Either { of } => of.iter_mut().for_each(|of| *of = of.clone().items(items.clone())),
            _ => {}
        }
        self
    }

    /// Changes the scalars of a shape, but not those of the fields of an object.
    fn each_scalar(&mut self, change: &mut dyn FnMut(&mut Shape)) {
        match self {
            Shape::List { of, .. } | Shape::Map { of, .. } | Shape::Nullable { of } => of.each_scalar(change),
            Shape::Tuple { of } | Shape::Either { of } => of.iter_mut().for_each(|of| of.each_scalar(change)),
            Shape::Record { .. } | Shape::Tagged { .. } => {}
            scalar => change(scalar),
        }
    }

    /// The fields of an object, to become fields of another. With `optional` none of them is required.
    ///
    /// # Panics
    /// If it is not an object with fields of its own: a declaration that cannot be meant.
    #[must_use]
    pub fn into_fields(self, optional: bool) -> Vec<Field> {
        let mut fields = match self {
            Shape::Record { fields } => fields,
            Shape::Nullable { of } => return of.into_fields(true),
            other => panic!("only the fields of an object can be flattened, not {}", other.words()),
        };
        for field in fields.iter_mut().filter(|field| optional && field.need == Need::Required) {
            field.need = Need::Optional;
        }
        fields
    }

    /// The same object with another shape for the field at a dotted path: for words that come from the data.
    ///
    /// # Panics
    /// If there is no such field: a declaration that cannot be meant.
    #[must_use]
    pub fn with(mut self, path: &str, shape: Shape) -> Self {
        *self.field_mut(path).unwrap_or_else(|| panic!("there is no field '{path}'")) = shape;
        self
    }

    fn field_mut(&mut self, path: &str) -> Option<&mut Shape> {
        match self {
            Shape::Record { fields } => {
                let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
                let field = fields.iter_mut().find(|field| field.name == name)?;
                match rest {
                    Some(rest) => field.shape.field_mut(rest),
                    None => Some(&mut field.shape),
                }
            }
            Shape::List { of, .. } | Shape::Map { of, .. } | Shape::Nullable { of } => of.field_mut(path),
            _ => None,
        }
    }

    /// Whether a value of this shape can have something at a dotted path; a number picks an item of a list.
    #[must_use]
    pub fn reaches(&self, path: &str) -> bool {
        let below = |shape: &Shape, end: usize| path[end..].strip_prefix('.').is_none_or(|rest| shape.reaches(rest));
        let first = path.find('.').unwrap_or(path.len());
        match self {
            Shape::Record { fields } => {
                fields.iter().any(|field| field.name == &path[..first] && below(&field.shape, first))
            }
            Shape::Tagged { tag, kinds, .. } => {
                path == *tag
                    || kinds.iter().any(|kind| {
                        kind.fields.iter().any(|field| field.name == &path[..first] && below(&field.shape, first))
                    })
            }
            Shape::List { of, .. } => path[..first].parse::<usize>().is_ok() && below(of, first),
            Shape::Tuple { of } => {
                path[..first].parse::<usize>().is_ok_and(|at| of.get(at).is_some_and(|shape| below(shape, first)))
            }
            // A key may have dots of its own.
            Shape::Map { of, .. } => {
                path.match_indices('.').map(|(at, _)| at).chain([path.len()]).any(|end| below(of, end))
            }
            Shape::Nullable { of } => of.reaches(path),
            Shape::Either { of } => of.iter().any(|shape| shape.reaches(path)),
            Shape::Bool | Shape::Int { .. } | Shape::Text { .. } | Shape::Word { .. } => false,
        }
    }

    fn fits(&self, value: &Value) -> bool {
        match self {
            Shape::Bool => value.is_boolean(),
            Shape::Int { .. } => value.is_number(),
            Shape::Text { .. } | Shape::Word { .. } => value.is_string(),
            Shape::List { .. } | Shape::Tuple { .. } => value.is_array(),
            Shape::Map { .. } | Shape::Record { .. } | Shape::Tagged { .. } => value.is_object(),
            Shape::Nullable { of } => value.is_null() || of.fits(value),
            Shape::Either { of } => of.iter().any(|shape| shape.fits(value)),
        }
    }

    /// What it must be, in words.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Shape::Bool => "true or false".into(),
            Shape::Int { min, max } => format!("a whole number from {min} to {max}"),
            Shape::Text { .. } => "text".into(),
            Shape::Word { words, .. } => format!("one of {}", words.join(", ")),
            Shape::List { .. } => "a list".into(),
            Shape::Tuple { of } => {
                format!("a list of {}: {}", of.len(), of.iter().map(Shape::words).collect::<Vec<_>>().join("; "))
            }
            Shape::Map { .. } | Shape::Record { .. } | Shape::Tagged { .. } => "an object".into(),
            Shape::Nullable { of } => format!("{} or null", of.words()),
            Shape::Either { of } => of.iter().map(Shape::words).collect::<Vec<_>>().join(", or "),
        }
    }

    /// As a JSON Schema (draft 2020-12), without its `$schema`.
    #[must_use]
    pub fn json_schema(&self) -> Value {
        match self {
            Shape::Bool => json!({"type": "boolean"}),
            Shape::Int { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
            Shape::Text { max } => json!({"type": "string", "maxLength": max}),
            Shape::Word { words, .. } => json!({"enum": words}),
            Shape::List { of, min, max } => {
                json!({"type": "array", "items": of.json_schema(), "minItems": min, "maxItems": max})
            }
            Shape::Tuple { of } => {
                json!({"type": "array", "prefixItems": of.iter().map(Shape::json_schema).collect::<Vec<_>>(),
                    "minItems": of.len(), "maxItems": of.len()})
            }
            Shape::Map { of, max } => {
                json!({"type": "object", "additionalProperties": of.json_schema(), "maxProperties": max})
            }
            Shape::Nullable { of } => json!({"anyOf": [of.json_schema(), {"type": "null"}]}),
            Shape::Tagged { tag, help, kinds } => {
                let kinds = kinds.iter().map(|kind| {
                    let mut fields = vec![req(tag, word(&kind.words), help)];
                    fields.extend(kind.fields.iter().cloned());
                    record(fields).json_schema()
                });
                json!({"oneOf": kinds.collect::<Vec<_>>()})
            }
            Shape::Either { of } => json!({"anyOf": of.iter().map(Shape::json_schema).collect::<Vec<_>>()}),
            Shape::Record { fields } => {
                let mut properties = Map::new();
                let mut required = Vec::new();
                for field in fields {
                    let mut schema = field.shape.json_schema();
                    if let Value::Object(schema) = &mut schema {
                        schema.insert("description".into(), field.help.into());
                        if let Need::Default(value) = &field.need {
                            schema.insert("default".into(), value.clone());
                        }
                    }
                    properties.insert(field.name.into(), schema);
                    if field.need == Need::Required {
                        required.push(field.name);
                    }
                }
                json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: &Shape, value: Value) -> Result<Value, &'static str> {
        shape.check(value, "input", &Codes::default()).map_err(|refusal| refusal.code)
    }

    #[test]
    fn whole_numbers_are_whole_and_in_range() {
        let shape = int(0, 40);
        assert_eq!(check(&shape, json!(40)), Ok(json!(40)));
        assert_eq!(check(&shape, json!(41)), Err("bad-value"));
        assert_eq!(check(&shape, json!(2.0)), Err("bad-type"));
        assert_eq!(check(&shape, json!(true)), Err("bad-type"));
        assert_eq!(check(&shape, serde_json::from_str("123456789012345678901234567890").unwrap()), Err("bad-value"));
        assert_eq!(check(&shape, json!(u64::MAX)), Err("bad-value"));
    }

    #[test]
    fn words_can_have_a_code_of_their_own() {
        const RULE: Rule = Rule { id: "C-3", title: "Nations" };
        let shape = word(&["japan", "italy"]).or_refuse("unknown-nation", RULE);
        assert_eq!(check(&shape, json!("italy")), Ok(json!("italy")));
        let refusal = shape.check(json!("prussia"), "input", &Codes::default()).unwrap_err();
        assert_eq!((refusal.code, refusal.rule), ("unknown-nation", Some(RULE)));
        assert_eq!(check(&shape, json!(3)), Err("bad-type"));
    }

    #[test]
    fn records_fill_in_defaults_and_know_their_fields() {
        let shape =
            record(vec![req("a", bool(), "a flag"), or("b", int(1, 3), 1, "a number"), opt("c", text(3), "a name")]);
        assert_eq!(check(&shape, json!({"a": true})), Ok(json!({"a": true, "b": 1})));
        assert_eq!(check(&shape, json!({"b": 1})), Err("missing-field"));
        assert_eq!(check(&shape, json!({"a": true, "d": 1})), Err("unknown-field"));
        assert_eq!(check(&shape, json!({"a": true, "c": "long"})), Err("bad-value"));
        assert_eq!(check(&shape, json!([])), Err("bad-type"));
    }

    #[test]
    fn a_tagged_object_takes_the_fields_of_its_kind() {
        let shape = tagged(
            "kind",
            "what it is",
            vec![
                (vec!["dog", "wolf"], vec![req("teeth", int(0, 42), "how many")]),
                (vec!["hen"], vec![or("eggs", int(0, 9), 1, "a day")]),
            ],
        );
        assert_eq!(check(&shape, json!({"kind": "wolf", "teeth": 42})), Ok(json!({"kind": "wolf", "teeth": 42})));
        assert_eq!(check(&shape, json!({"kind": "hen"})), Ok(json!({"kind": "hen", "eggs": 1})));
        assert_eq!(check(&shape, json!({"kind": "hen", "teeth": 0})), Err("unknown-field"));
        assert_eq!(check(&shape, json!({"kind": "dog"})), Err("missing-field"));
        assert_eq!(check(&shape, json!({"teeth": 1})), Err("missing-field"));
        assert_eq!(check(&shape, json!({"kind": "cow"})), Err("bad-value"));
        assert_eq!(check(&shape, json!({"kind": 3})), Err("bad-type"));
        assert_eq!(shape.json_schema()["oneOf"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let shape = record(vec![req("a", bool(), "a flag"), req("b", list(int(1, 3), 1, 2), "numbers")]);
        let refusal = shape.check(json!({"b": [0, 9], "c": 1, "d": 2}), "input", &Codes::default()).unwrap_err();
        let codes: Vec<_> = [&refusal].into_iter().chain(&refusal.also).map(|reason| reason.code).collect();
        assert_eq!(codes, ["unknown-field", "unknown-field", "missing-field", "bad-value", "bad-value"]);
    }

    #[test]
    fn a_shape_knows_its_paths() {
        let hits = record(vec![req("hits", int(0, 9), "hits")]);
        let shape = record(vec![
            req("rounds", list(hits.clone(), 0, 3), "rounds"),
            req("units", map(hits, 9), "units"),
            req("who", nullable(word(&["a"])), "who"),
        ]);
        for path in
            ["rounds", "rounds.0", "rounds.2.hits", "units", "units.x", "units.x.hits", "units.st. lo.hits", "who"]
        {
            assert!(shape.reaches(path), "{path}");
        }
        for path in ["", "zz", "rounds.x", "rounds.0.zz", "who.hits", "rounds."] {
            assert!(!shape.reaches(path), "{path}");
        }
    }

    #[test]
    fn a_message_shows_little_of_what_is_long() {
        let refusal = int(0, 1).check(Value::String("x".repeat(5000)), "input", &Codes::default()).unwrap_err();
        assert!(refusal.message.len() < 200);
    }
}
