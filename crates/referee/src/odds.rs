use flagplot_odds::{Dist, Exact, Fraction, Weight};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;

/// The distribution of each field of a result: dotted name, then value as text, then its chance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldOdds(Vec<(String, Vec<(String, Fraction)>)>);

impl FieldOdds {
    /// The fields with their distributions, in the order of the result.
    #[must_use]
    pub fn fields(&self) -> &[(String, Vec<(String, Fraction)>)] {
        &self.0
    }

    /// Whether it has a field.
    #[must_use]
    pub fn has(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// The distribution of a field.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&[(String, Fraction)]> {
        self.0.iter().find(|(name, _)| name == field).map(|(_, values)| values.as_slice())
    }

    /// Adds all fields of other odds after these.
    pub fn extend(&mut self, others: FieldOdds) {
        self.0.extend(others.0);
    }

    /// Adds a field from a distribution of anything with a JSON form, unless another field is wanted.
    pub fn put<T: Eq + Hash>(
        &mut self,
        field: impl Into<String>,
        wanted: Option<&str>,
        dist: &Dist<T>,
        mut value: impl FnMut(&T) -> Value,
    ) {
        let field = field.into();
        if wanted.is_some_and(|wanted| wanted != field) {
            return;
        }
        let texts = dist.map(|outcome| text(&value(outcome)));
        let mut values: Vec<(String, Fraction)> = texts
            .iter()
            .map(|(text, weight)| (text.clone(), Fraction::new(weight.clone(), texts.total().clone())))
            .collect();
        sort(&mut values);
        self.0.push((field, values));
    }

    /// Adds a field that only some results have, as JSON text; without any that has it there is no such field.
    pub(crate) fn put_where_there(&mut self, field: &str, dist: &Dist<Option<Value>>) {
        let there = dist.iter().filter_map(|(value, weight)| {
            Some((text(value.as_ref()?), Fraction::new(weight.clone(), dist.total().clone())))
        });
        let mut values: Vec<(String, Fraction)> = there.collect();
        if !values.is_empty() {
            sort(&mut values);
            self.0.push((field.to_owned(), values));
        }
    }

    /// Adds a field that is certain, unless another field is wanted.
    pub fn put_certain(&mut self, field: impl Into<String>, wanted: Option<&str>, value: impl Into<Value>) {
        let value = value.into();
        self.put(field, wanted, &Dist::certain(()), |()| value.clone());
    }
}

impl Serialize for FieldOdds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (field, values) in &self.0 {
            let values: serde_json::Map<String, Value> =
                values.iter().map(|(value, chance)| (value.clone(), chance.to_string().into())).collect();
            map.serialize_entry(field, &values)?;
        }
        map.end()
    }
}

/// A value as the odds write it: JSON, without quotes around text.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Numbers by size, everything else by its text.
fn sort(values: &mut [(String, Fraction)]) {
    values.sort_by(|(a, _), (b, _)| match (a.parse::<i64>(), b.parse::<i64>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => a.cmp(b),
    });
}

/// Gathers weighted results into the distributions of their fields.
#[derive(Debug)]
pub struct Projection {
    wanted: Option<String>,
    /// The keys that the object at each path has had.
    keys: BTreeMap<String, Keys>,
    fields: HashMap<String, BTreeMap<String, Exact>>,
}

impl Projection {
    /// For all scalar fields, or for the one that is wanted (which may be a list).
    #[must_use]
    pub fn new(wanted: Option<&str>) -> Self {
        Self { wanted: wanted.map(str::to_owned), keys: BTreeMap::new(), fields: HashMap::new() }
    }

    /// Adds a result.
    pub fn add(&mut self, result: &Value, weight: &Exact) {
        flagplot_kernel::work::tick();
        match self.wanted.clone() {
            Some(field) => {
                if let Some(value) = at(result, &field) {
                    self.put(field, value, weight);
                }
            }
            None => self.walk(result, String::new(), weight),
        }
    }

    fn walk(&mut self, value: &Value, path: String, weight: &Exact) {
        match value {
            Value::Object(fields) => {
                self.keys.entry(path.clone()).or_default().add(fields.keys());
                for (name, value) in fields {
                    self.walk(value, below_path(&path, name), weight);
                }
            }
            Value::Array(_) => {}
            scalar => self.put(path, scalar, weight),
        }
    }

    fn put(&mut self, field: String, value: &Value, weight: &Exact) {
        let values = self.fields.entry(field).or_default();
        let sum = values.entry(text(value)).or_insert_with(|| Exact::whole(0));
        *sum += weight;
    }

    /// The fields at and below a path, in the order of the results.
    fn list(&self, path: String, order: &mut Vec<String>) {
        for name in self.keys.get(&path).map_or_else(Vec::new, Keys::in_order) {
            self.list(below_path(&path, name), order);
        }
        order.push(path);
    }

    /// The distributions. What lies below a null is null itself, and the null is told there: something that is an
    /// object in other results is no field of its own. A field that is absent from some results for another reason has
    /// chances that sum to less than 1.
    #[must_use]
    pub fn finish(mut self, total: &Exact) -> FieldOdds {
        let mut order = Vec::new();
        match self.wanted.take() {
            Some(field) => order.push(field),
            None => self.list(String::new(), &mut order),
        }
        order.retain(|field| self.fields.contains_key(field));
        for field in &order {
            let above =
                field.match_indices('.').filter_map(|(at, _)| self.fields.get(&field[..at])?.get("null").cloned());
            let null = above.fold(Exact::whole(0), |sum, weight| sum + weight);
            if let Some(values) = self.fields.get_mut(field).filter(|_| !null.is_zero()) {
                *values.entry("null".to_owned()).or_insert_with(|| Exact::whole(0)) += null;
            }
        }
        let objects: Vec<String> = order
            .iter()
            .filter(|field| {
                order.iter().any(|other| other.strip_prefix(*field).is_some_and(|rest| rest.starts_with('.')))
            })
            .cloned()
            .collect();
        order.retain(|field| !objects.contains(field));
        let fields = order.into_iter().map(|field| {
            let values = self.fields.remove(&field).unwrap_or_default();
            let mut values: Vec<_> =
                values.into_iter().map(|(value, weight)| (value, Fraction::new(weight, total.clone()))).collect();
            sort(&mut values);
            (field, values)
        });
        FieldOdds(fields.collect())
    }
}

fn below_path(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The keys of an object in all results, from which the order of its fields follows.
#[derive(Debug, Default)]
struct Keys {
    /// Those of the last result, which are mostly those of the next one too.
    last: Vec<String>,
    seen: BTreeSet<String>,
    /// Each key with the one right before it in some result.
    ahead: BTreeMap<String, BTreeSet<String>>,
}

impl Keys {
    fn add<'a>(&mut self, keys: impl Iterator<Item = &'a String> + Clone) {
        if self.last.iter().eq(keys.clone()) {
            return;
        }
        self.last = keys.cloned().collect();
        self.seen.extend(self.last.iter().cloned());
        for pair in self.last.windows(2) {
            self.ahead.entry(pair[1].clone()).or_default().insert(pair[0].clone());
        }
    }

    /// Each key behind those that stand before it in any result; by name where the results do not say. So the order
    /// does not depend on which result came first.
    fn in_order(&self) -> Vec<&str> {
        let mut left: BTreeSet<&str> = self.seen.iter().map(String::as_str).collect();
        let mut order = Vec::with_capacity(left.len());
        while let Some(&first) = left.first() {
            let waits = |key: &str| {
                self.ahead.get(key).is_some_and(|ahead| ahead.iter().any(|other| left.contains(other.as_str())))
            };
            let next = left.iter().copied().find(|key| !waits(key)).unwrap_or(first);
            left.remove(next);
            order.push(next);
        }
        order
    }
}

/// The value at a dotted path; a number picks an item of a list, from 0. A key may have dots of its own.
pub(crate) fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
    match value {
        Value::Null => Some(value), // What lies below a null is null.
        Value::Object(fields) => ends
            .filter_map(|end| Some((fields.get(&path[..end])?, end)))
            .find_map(|(value, end)| below(value, &path[end..])),
        Value::Array(items) => {
            let end = path.find('.').unwrap_or(path.len());
            below(items.get(path[..end].parse::<usize>().ok()?)?, &path[end..])
        }
        _ => None,
    }
}

/// The value at what is left of a path: itself if nothing is left.
fn below<'a>(value: &'a Value, rest: &str) -> Option<&'a Value> {
    match rest.strip_prefix('.') {
        Some(path) => at(value, path),
        None => Some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_fields_does_not_depend_on_the_order_of_results() {
        let won = json!({"roll": 9, "failure": null, "tasks": 1});
        let lost = json!({"roll": 3, "failure": {"edge": 2, "speed": 1}, "tasks": 1});
        let fields = |results: [&Value; 2]| {
            let mut projection = Projection::new(None);
            results.iter().for_each(|result| projection.add(result, &Exact::whole(1)));
            let odds = projection.finish(&Exact::whole(2));
            odds.fields().iter().map(|(field, _)| field.clone()).collect::<Vec<_>>()
        };
        assert_eq!(fields([&won, &lost]), ["roll", "failure.edge", "failure.speed", "tasks"]);
        assert_eq!(fields([&lost, &won]), fields([&won, &lost]));
        let follows = |who: &str| json!({"roll": 1, "follows": {who: "c"}, "order": 2});
        let (a, b) = (follows("a"), follows("b"));
        assert_eq!(fields([&a, &b]), ["roll", "follows.a", "follows.b", "order"]);
        assert_eq!(fields([&b, &a]), fields([&a, &b]), "keys that never stand side by side");
    }

    #[test]
    fn keys_stand_behind_those_that_came_before_them_in_any_list() {
        let order = |lists: &[&[&str]]| {
            let mut keys = Keys::default();
            for list in lists {
                let list: Vec<String> = list.iter().map(|key| (*key).to_owned()).collect();
                keys.add(list.iter());
            }
            keys.in_order().join(" ")
        };
        assert_eq!(order(&[&["z", "a"], &["z", "m", "a"]]), "z m a");
        assert_eq!(order(&[&["z", "b"], &["z", "a"]]), "z a b");
        assert_eq!(order(&[&["b", "a"], &["a", "b"]]), "a b", "a contradiction is settled by name");
    }

    #[test]
    fn a_path_goes_through_keys_with_dots_lists_and_nulls() {
        let result = json!({"units": {"st. lo": {"box": "a"}, "st": 3}, "rounds": [{"hits": 2}], "retreated": null});
        let found = |path: &str| at(&result, path).cloned();
        assert_eq!(found("units.st. lo.box"), Some(json!("a")));
        assert_eq!(found("units.st"), Some(json!(3)));
        assert_eq!(found("rounds.0.hits"), Some(json!(2)));
        assert_eq!(found("rounds"), Some(json!([{"hits": 2}])));
        assert_eq!(found("retreated.by"), Some(json!(null)));
        assert_eq!(
            [found("units.st.box"), found("rounds.1.hits"), found("rounds.x"), found("zz"), found("")],
            [None, None, None, None, None]
        );
    }
}
