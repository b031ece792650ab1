use crate::course::Course;
use crate::scene::Piece;
use crate::{Die, Faces, Rule, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What is asked of a player, in words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Prompt {
    /// A stable kebab-case word: `wish`, `declare-attacks`.
    pub code: &'static str,
    /// The question, as a sentence.
    pub text: String,
    /// The rule that asks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// Whether the answer cannot be taken back once given, so that a screen should ask to confirm it.
    pub confirm: bool,
    /// Options one might expect that are not there, each with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The tables of the rules that decide what the answer comes to, by their ids; a screen shows them beside it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<&'static str>,
}

impl Prompt {
    /// A question.
    pub fn new(code: &'static str, text: impl Into<String>, rule: Rule) -> Self {
        Self { code, text: text.into(), rule: Some(rule), confirm: false, missing: Vec::new(), tables: Vec::new() }
    }

    /// Marks the answer as final.
    #[must_use]
    pub fn confirm(mut self) -> Self {
        self.confirm = true;
        self
    }

    /// Names a table that decides what the answer comes to.
    #[must_use]
    pub fn beside(mut self, table: &'static str) -> Self {
        self.tables.push(table);
        self
    }

    /// Says why an option one might expect is not there.
    #[must_use]
    pub fn missing(mut self, why: impl Into<String>) -> Self {
        self.missing.push(why.into());
        self
    }
}

/// How a screen may ask an open question. Whatever the form, the answer is a JSON value that the rules check.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Form {
    /// One of the options.
    Pick,
    /// At most one option for each item; the answer is the list of the values chosen.
    Assign {
        /// The items, each with its options.
        items: Vec<FormItem>,
        /// What leaving an item without an option means, in words.
        none: String,
    },
    /// Any number of the items; the answer is the list of the values chosen.
    Subset {
        /// The items, each with one option.
        items: Vec<FormItem>,
        /// The least number of items.
        min: u32,
        /// The greatest number of items.
        max: u32,
    },
    /// A whole number for each item; the answer is a map from item to number.
    Numbers {
        /// The items; their options are empty.
        items: Vec<FormItem>,
        /// The least and the most for each item.
        limits: Vec<(i64, i64)>,
        /// What the numbers must add up to, if they must.
        total: Option<i64>,
        /// Sums of some of the items that are limited too: what a group has, what a target can take.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        sums: Vec<FormSum>,
        /// The headings of the row and the column that each item stands in, if they make a table.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        cells: Vec<(String, String)>,
    },
    /// A point of the plane or a path of several; the answer is made from the template by putting the points in place
    /// of `"$points"` or the last one in place of `"$point"`, and the items as in [`Form::Parts`].
    Points {
        /// The piece that moves, if one does.
        piece: Option<String>,
        /// The greatest number of points.
        max: u32,
        /// How far it may go, in the scene's units.
        reach: Option<i64>,
        /// What else is to be chosen.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        items: Vec<FormItem>,
        /// The answer with a placeholder.
        template: Value,
    },
    /// Several parts, each with a name: points of the plane, and items with exactly one option each. The answer is the
    /// template with `"$id"` replaced by the part of that id, at any depth. A place that is left out, and an option
    /// whose value is null, take the list's or the map's entry they stand in with them.
    ///
    /// ```
    /// use flagplot_kernel::filled;
    /// use serde_json::{Value, json};
    /// let template = json!({"to": {"a": "$a", "b": "$b"}, "search": "$search"});
    /// let part = |id: &str| if id == "a" { json!([3, 4]) } else { Value::Null };
    /// assert_eq!(filled(&template, &part), json!({"to": {"a": [3, 4]}}));
    /// ```
    Parts {
        /// The points.
        places: Vec<FormPlace>,
        /// The items, each with its options. One that has an option with the value null begins with it.
        items: Vec<FormItem>,
        /// The answer with a placeholder for each part.
        template: Value,
    },
    /// A course to be plotted; the answer is an object as [`Course`] describes it.
    Course(Course),
    /// A sheet with a part for each of several pieces. The answer is a list of entries, in the order in which they are
    /// carried out; an entry is the answer to a part's form, which is an object, together with the part's id in the
    /// field `key`.
    ///
    /// ```
    /// use flagplot_kernel::{Form, FormPart};
    /// use serde_json::json;
    /// let teams = |id: &str| FormPart::new(id, id, Form::numbers([], None));
    /// let form = Form::Sheet { key: "ship".into(), parts: vec![teams("ajax"), teams("exeter")] };
    /// let sheet = json!([{"ship": "exeter"}, {"ship": "ajax"}]);
    /// assert!(form.entries(&sheet).is_ok_and(|entries| entries.len() == 2));
    /// assert_eq!(form.entries(&json!([{"ship": "hood"}])), Err("'hood' is not on this sheet.".to_owned()));
    /// ```
    Sheet {
        /// The field of an entry that names its part: `ship`.
        key: String,
        /// The parts, in the usual order.
        parts: Vec<FormPart>,
    },
    /// Several ways to answer, each with its own form; the answer is that of the one taken.
    Choices {
        /// The ways, by name.
        ways: Vec<(String, Form)>,
    },
}

impl Form {
    /// A whole number for each item, each with the least and the most it may be, and what they must add up to.
    pub fn numbers(items: impl IntoIterator<Item = (FormItem, (i64, i64))>, total: Option<i64>) -> Self {
        let (items, limits) = items.into_iter().unzip();
        Form::Numbers { items, limits, total, sums: Vec::new(), cells: Vec::new() }
    }

    /// What is wrong with the numbers given for a form of [`Form::Numbers`], in words; nothing if they fit, or if it is
    /// a form of another kind. An item without a number counts as 0.
    #[must_use]
    pub fn wrong_numbers(&self, given: &Map<String, Value>) -> Option<String> {
        let Form::Numbers { items, limits, total, sums, .. } = self else { return None };
        let number = |id: &str| given.get(id).map_or(Some(0), Value::as_i64);
        if let Some(other) = given.keys().find(|key| !items.iter().any(|item| item.id == **key)) {
            return Some(format!("There is no field '{other}' here."));
        }
        for (item, (least, most)) in items.iter().zip(limits) {
            if !number(&item.id).is_some_and(|number| (*least..=*most).contains(&number)) {
                return Some(format!("{}: a whole number from {least} to {most}.", item.label));
            }
        }
        let sum = |ids: &mut dyn Iterator<Item = &String>| ids.filter_map(|id| number(id)).sum::<i64>();
        let whole = sum(&mut items.iter().map(|item| &item.id));
        if let Some(total) = total.filter(|&total| total != whole) {
            return Some(format!("The numbers add up to {whole} instead of {total}."));
        }
        sums.iter().find_map(|one| one.wrong(sum(&mut one.items.iter())))
    }
}

impl Form {
    /// The entries of a sheet, each with its part and without the field that names it; or what is wrong, in words: an
    /// entry for no part, too many for one, none for a part that needs one. What an entry says is not looked at.
    pub fn entries<'a>(&'a self, value: &Value) -> Result<Vec<(&'a FormPart, Value)>, String> {
        let Form::Sheet { key, parts } = self else { return Err("This is not a sheet.".to_owned()) };
        let list = value.as_array().ok_or("A sheet is a list of entries.")?;
        let mut entries = Vec::with_capacity(list.len());
        for entry in list {
            let mut entry = entry.as_object().cloned().ok_or("An entry of a sheet is an object.")?;
            let named = entry.remove(key).ok_or_else(|| format!("An entry needs the field '{key}'."))?;
            let known = parts.iter().find(|part| named == *part.id);
            let part = known.ok_or_else(|| {
                let named = named.as_str().map_or_else(|| named.to_string(), str::to_owned);
                format!("'{named}' is not on this sheet.")
            })?;
            entries.push((part, Value::Object(entry)));
        }
        for part in parts {
            let count = entries.iter().filter(|(of, _)| of.id == part.id).count();
            if count > part.most as usize {
                return Err(format!("{} has {count} entries; at most {}.", part.label, part.most));
            }
            if count == 0 && part.left_out.is_empty() {
                return Err(format!("{} has no entry.", part.label));
            }
        }
        Ok(entries)
    }

    /// An entry of a sheet: the answer to a part's form with the name of the part. The other way round from
    /// [`Form::entries`].
    #[must_use]
    pub fn entry(&self, part: &FormPart, answer: Value) -> Value {
        match (self, answer) {
            (Form::Sheet { key, .. }, Value::Object(mut entry)) => {
                entry.insert(key.clone(), part.id.clone().into());
                Value::Object(entry)
            }
            (_, answer) => answer,
        }
    }
}

/// A part of a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FormPart {
    /// Its name in the answer, which is that of the piece if there is one.
    pub id: String,
    /// What it is, in words.
    pub label: String,
    /// How a screen may ask for it. Its answers are objects.
    pub form: Form,
    /// The answers to choose from where the form is [`Form::Pick`]; good ones otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionView>,
    /// What it begins with, if it begins with anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub begins: Vec<Value>,
    /// What leaving it out means, in words; empty if it cannot be left out.
    pub left_out: String,
    /// How many entries it may have.
    pub most: u32,
}

impl FormPart {
    /// A part that must have one entry.
    pub fn new(id: impl Into<String>, label: impl Into<String>, form: Form) -> Self {
        Self {
            id: id.into(),
            label: label.into(),
            form,
            options: Vec::new(),
            begins: Vec::new(),
            left_out: String::new(),
            most: 1,
        }
    }
}

/// A sum of some items of a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FormSum {
    /// What it is, in words: `Air factors at London`.
    pub label: String,
    /// The items that count, by their ids.
    pub items: Vec<String>,
    /// It is at least this.
    pub min: i64,
    /// It is at most this.
    pub max: i64,
}

impl FormSum {
    /// What is wrong with a sum, in words.
    #[must_use]
    pub fn wrong(&self, sum: i64) -> Option<String> {
        let Self { label, min, max, .. } = self;
        match sum {
            _ if (*min..=*max).contains(&sum) => None,
            _ if min == max => Some(format!("{label}: {sum}, must be {max}.")),
            _ if sum > *max => Some(format!("{label}: {sum}, at most {max}.")),
            _ => Some(format!("{label}: {sum}, at least {min}.")),
        }
    }
}

/// One item of a form.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FormItem {
    /// The piece's id, or another name for the item.
    pub id: String,
    /// What it is, in words.
    pub label: String,
    /// What can be chosen for it.
    pub options: Vec<OptionView>,
}

/// One point of a form.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FormPlace {
    /// Its name in the template.
    pub id: String,
    /// What it is, in words.
    pub label: String,
    /// What is put there, as the scene draws it. Its own place is where it begins, or where it stays if it is left out.
    pub piece: Piece,
    /// The point lies in one of these; anywhere if there are none.
    pub regions: Vec<Region>,
    /// The answer counts from here; without it, from the origin of the scene.
    pub origin: Option<[i64; 2]>,
    /// Whether it may be left out.
    pub optional: bool,
}

/// Where a point may lie, in the scene's units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Region {
    /// On a line.
    Line {
        /// One end.
        from: [i64; 2],
        /// The other.
        to: [i64; 2],
    },
    /// At a distance from a box, or from its middle if it has no size. Distances are rounded up to whole units.
    Around {
        /// The middle of the box.
        middle: [i64; 2],
        /// Its width and height.
        size: [i64; 2],
        /// At least so far.
        least: i64,
        /// At most so far.
        most: i64,
    },
}

/// A template with every placeholder `"$id"` replaced by what `part` says; entries for which it says null are left out.
#[must_use]
pub fn filled(template: &Value, part: &impl Fn(&str) -> Value) -> Value {
    let stays = |value: &Value, whole: &Value| !value.is_null() || whole.is_null();
    match template {
        Value::String(text) => text.strip_prefix('$').map_or_else(|| template.clone(), part),
        Value::Array(list) => list
            .iter()
            .map(|one| (filled(one, part), one))
            .filter(|(value, one)| stays(value, one))
            .map(|(value, _)| value)
            .collect(),
        Value::Object(map) => {
            let entries = map.iter().map(|(key, one)| (key.clone(), filled(one, part), one));
            Value::Object(
                entries.filter(|(_, value, one)| stays(value, one)).map(|(key, value, _)| (key, value)).collect(),
            )
        }
        other => other.clone(),
    }
}

/// The parts that make `value` out of a template, as far as `fits` lets a part have a value; nothing if the rest
/// differs. Parts that were left out are not among them.
#[must_use]
pub fn parts_of(
    template: &Value,
    value: &Value,
    fits: &impl Fn(&str, &Value) -> bool,
) -> Option<BTreeMap<String, Value>> {
    let placeholder = |one: &Value| one.as_str().is_some_and(|text| text.starts_with('$'));
    let mut found = BTreeMap::new();
    match (template, value) {
        (Value::String(text), _) if text.starts_with('$') => {
            if !fits(&text[1..], value) {
                return None;
            }
            found.insert(text[1..].to_owned(), value.clone());
        }
        (Value::Object(map), Value::Object(given)) if given.keys().all(|key| map.contains_key(key)) => {
            for (key, one) in map {
                match given.get(key) {
                    Some(value) => found.append(&mut parts_of(one, value, fits)?),
                    None if placeholder(one) => {}
                    None => return None,
                }
            }
        }
        (Value::Array(list), Value::Array(given)) => {
            let mut given = given.iter().peekable();
            for one in list {
                match given.peek().and_then(|value| parts_of(one, value, fits)) {
                    Some(mut parts) => {
                        found.append(&mut parts);
                        given.next();
                    }
                    None if placeholder(one) => {}
                    None => return None,
                }
            }
            if given.next().is_some() {
                return None;
            }
        }
        _ if template == value => {}
        _ => return None,
    }
    Some(found)
}

/// An option as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OptionView {
    /// The answer it stands for.
    pub value: Value,
    /// The same in words.
    pub label: String,
    /// The pieces and places a click on which means this option.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<String>,
    /// What stands beside the lit place: what it costs to go there.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tag: String,
}

impl OptionView {
    /// An option with its words.
    pub fn new(value: impl Into<Value>, label: impl Into<String>) -> Self {
        Self { value: value.into(), label: label.into(), pieces: Vec::new(), tag: String::new() }
    }

    /// Names the pieces and places that stand for it.
    #[must_use]
    pub fn at<S: ToString>(mut self, pieces: impl IntoIterator<Item = S>) -> Self {
        self.pieces.extend(pieces.into_iter().map(|piece| piece.to_string()));
        self
    }
}

/// What one seat is asked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SeatQuestion {
    /// Who is asked.
    pub seat: Seat,
    /// What is asked.
    pub prompt: Prompt,
    /// Answers worth showing.
    pub options: Vec<OptionView>,
    /// How a screen may ask for it.
    pub form: Form,
}

/// What the rules wait for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(clippy::large_enum_variant, reason = "one lives at a time")]
pub enum Question {
    /// Some dice.
    Dice {
        /// How many; at least 1.
        count: u32,
        /// Which.
        die: Die,
        /// What they are for.
        what: String,
    },
    /// A player's choice.
    Choice(SeatQuestion),
    /// Choices of several seats, sealed until all are in. Only those still missing are listed.
    Secret {
        /// The questions still open.
        open: Vec<SeatQuestion>,
        /// The seats whose answers are in.
        sealed: Vec<Seat>,
    },
}

impl Question {
    /// The question put to `seat`, if it is asked something.
    #[must_use]
    pub fn to(&self, seat: Seat) -> Option<&SeatQuestion> {
        self.open().iter().find(|question| question.seat == seat)
    }

    /// All questions put to players.
    #[must_use]
    pub fn open(&self) -> &[SeatQuestion] {
        match self {
            Question::Dice { .. } => &[],
            Question::Choice(question) => std::slice::from_ref(question),
            Question::Secret { open, .. } => open,
        }
    }
}

/// An answer on the tape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The faces of some dice.
    Dice(Faces),
    /// A player's choice.
    Choice(Value),
    /// Sealed choices by seat. While some are missing the question stays open.
    Sealed(BTreeMap<Seat, Value>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_keep_to_their_limits_and_to_every_sum() {
        let item = |id: &str| FormItem { id: id.into(), label: format!("Group {id}"), options: Vec::new() };
        let sum = |label: &str, items: &[&str], min, max| FormSum {
            label: label.into(),
            items: items.iter().map(ToString::to_string).collect(),
            min,
            max,
        };
        let mut form = Form::numbers(["a", "b", "c"].map(|id| (item(id), (0, 4))), Some(6));
        let Form::Numbers { sums, .. } = &mut form else { unreachable!() };
        *sums = vec![sum("London", &["a", "b"], 0, 5), sum("Reserve", &["c"], 2, 4), sum("Night", &["b"], 2, 2)];
        let wrong = |given: Value| form.wrong_numbers(given.as_object().unwrap());
        let told = |given: Value, words: &str| assert_eq!(wrong(given).as_deref(), Some(words));
        assert_eq!(wrong(json!({"a": 2, "b": 2, "c": 2})), None);
        told(json!({"a": 5, "c": 1}), "Group a: a whole number from 0 to 4.");
        told(json!({"a": "2"}), "Group a: a whole number from 0 to 4.");
        told(json!({"a": 2, "d": 1}), "There is no field 'd' here.");
        told(json!({"a": 4}), "The numbers add up to 4 instead of 6.");
        told(json!({"a": 4, "b": 2}), "London: 6, at most 5.");
        told(json!({"a": 3, "b": 2, "c": 1}), "Reserve: 1, at least 2.");
        told(json!({"a": 1, "b": 3, "c": 2}), "Night: 3, must be 2.");
    }

    #[test]
    fn parts_are_put_in_and_found_again() {
        let template = json!({"to": {"a": "$a", "b": "$b"}, "who": ["$c", "x"], "kept": null});
        let parts = |id: &str| match id {
            "a" => json!([1, 2]),
            "c" => json!("r1"),
            _ => Value::Null,
        };
        let value = filled(&template, &parts);
        assert_eq!(value, json!({"to": {"a": [1, 2]}, "who": ["r1", "x"], "kept": null}));
        let found =
            |template: &Value, value: Value| parts_of(template, &value, &|id, value| id != "c" || *value == "r1");
        assert_eq!(
            found(&template, value),
            Some(BTreeMap::from([("a".into(), json!([1, 2])), ("c".into(), json!("r1"))]))
        );
        assert_eq!(
            found(&template, json!({"to": {}, "who": ["x"], "kept": null})),
            Some(BTreeMap::new()),
            "one of a list was left out"
        );
        for other in [
            json!({"to": {}, "who": ["r1", "y"], "kept": null}),
            json!({"to": {"d": 1}, "who": ["x"], "kept": null}),
            json!({"to": {}, "who": ["x", "x"], "kept": null}),
        ] {
            assert_eq!(found(&template, other), None);
        }
        assert_eq!(found(&json!("$all"), json!(7)), Some(BTreeMap::from([("all".into(), json!(7))])));
        assert_eq!(filled(&json!("$gone"), &parts), Value::Null);
    }
}
