//! Further answers to an open question: a good one changed a little, or any legal one.

use super::tree::Node;
use crate::knowledge::Knowledge;
use crate::policy::Habit;
use crate::probe::{Options, answered, legal};
use flagplot_kernel::course::{Course, Leg};
use flagplot_kernel::{Chance, Form, FormItem, FormPart, Game, filled, parts_of};
use serde::Deserialize;
use serde_json::{Map, Value};

/// An answer to try next, legal as far as one world tells.
pub(super) fn fresh<G: Game>(
    knowledge: &Knowledge<'_, G>,
    options: &Options,
    root: &Node,
    chance: &mut Chance,
) -> Option<Value> {
    if chance.below(4) > 0
        && let (Some(form), Some(leader)) = (&options.form, root.leader())
        && let Some(value) = changed(form, &leader.value, chance)
        && !root.has(&value)
        && legal(knowledge, &value, chance)
    {
        return Some(value);
    }
    answered(knowledge, Habit::Random, chance)
}

/// The answer with one or two items answered differently, where the form of the question says what its items are.
fn changed(form: &Form, value: &Value, chance: &mut Chance) -> Option<Value> {
    let mut value = value.clone();
    for _ in 0..=chance.below(2) {
        value = changed_once(form, value, chance)?;
    }
    Some(value)
}

fn changed_once(form: &Form, value: Value, chance: &mut Chance) -> Option<Value> {
    Some(match (form, value) {
        (Form::Assign { items, .. }, Value::Array(list)) => Value::Array(reassigned(items, list, chance)?),
        (Form::Subset { items, .. }, Value::Array(list)) => Value::Array(toggled(items, list, chance)?),
        (Form::Numbers { items, .. }, Value::Object(numbers)) => Value::Object(shifted(form, items, numbers, chance)?),
        (Form::Parts { items, template, .. }, value) => rechosen(items, template, &value, chance)?,
        (Form::Course(course), value) => resteered(course, value, chance)?,
        (Form::Sheet { parts, .. }, value) => rewritten(form, parts, &value, chance)?,
        (Form::Choices { ways }, value) => {
            // The answer does not say which way it was made; one that can change it is as good as any.
            let first = chance.below(u32::try_from(ways.len()).ok().filter(|count| *count > 0)?) as usize;
            let mut turned = ways.iter().cycle().skip(first).take(ways.len());
            turned.find_map(|(_, way)| changed_once(way, value.clone(), chance))?
        }
        _ => return None,
    })
}

/// Another speed, one turn added, changed or taken away, or another option of an item; always a course that can be run.
fn resteered(course: &Course, mut value: Value, chance: &mut Chance) -> Option<Value> {
    let legs = Vec::<Leg>::deserialize(&value["orders"]).ok()?;
    let mut speed = value["speed"].as_i64()?;
    let mut turns = Course::turns(&legs);
    let steps = u32::try_from(course.turn / 15).ok().filter(|steps| *steps > 0);
    let turn = |chance: &mut Chance| -> Option<i32> {
        let by = 15 * (1 + chance.below(steps?) as i32);
        Some(if chance.below(2) == 0 { by } else { -by })
    };
    let count = turns.len() as u32;
    match chance.below(5) {
        0 => {
            let [slowest, fastest] = course.speeds;
            speed = slowest + i64::from(chance.below(u32::try_from(fastest - slowest + 1).ok()?));
        }
        1 => {
            let at = chance.below(count + 1) as usize;
            turns.insert(at, (course.run, turn(chance)?));
        }
        2 if count > 0 => drop(turns.remove(chance.below(count) as usize)),
        3 if count > 0 => {
            let at = chance.below(count) as usize;
            let used: i64 = turns.iter().map(|(length, _)| *length).sum();
            let room = speed.checked_mul(course.scale)?.checked_sub(used)?.max(0);
            if chance.below(2) == 0 {
                turns[at].1 = turn(chance)?;
            } else {
                let most = turns[at].0.saturating_add(room).max(course.run);
                let span = u32::try_from(most - course.run + 1).ok()?;
                turns[at].0 = course.run + i64::from(chance.below(span));
            }
        }
        _ => {
            let item = chance.pick(&course.items)?;
            let option = chance.pick(&item.options)?.value.clone();
            let entries = value.as_object_mut()?;
            entries.remove(&item.id);
            if !option.is_null() {
                entries.insert(item.id.clone(), option);
            }
        }
    }
    let legs = loop {
        match course.legs(speed, &turns) {
            Some(legs) => break legs,
            None => turns.pop()?,
        };
    };
    (value["speed"], value["orders"]) = (speed.into(), serde_json::to_value(legs).ok()?);
    course.wrong(&value).is_none().then_some(value)
}

/// One part of a sheet is answered differently, left out or taken up, or two entries change places.
fn rewritten(form: &Form, parts: &[FormPart], value: &Value, chance: &mut Chance) -> Option<Value> {
    let mut entries = form.entries(value).ok()?;
    if entries.len() > 1 && chance.below(8) == 0 {
        let at = chance.below(entries.len() as u32 - 1) as usize;
        entries.swap(at, at + 1);
    } else {
        let part = chance.pick(parts)?;
        let own: Vec<usize> = (0..entries.len()).filter(|at| entries[*at].0.id == part.id).collect();
        let option = |chance: &mut Chance| {
            let begins = part.begins.iter();
            let all: Vec<&Value> = part.options.iter().map(|option| &option.value).chain(begins).collect();
            chance.pick(&all).map(|value| (*value).clone())
        };
        match chance.pick(&own).copied() {
            Some(at) if chance.below(8) == 0 && (own.len() > 1 || !part.left_out.is_empty()) => {
                entries.remove(at);
            }
            Some(at) => {
                let varied =
                    if chance.below(4) == 0 { None } else { changed_once(&part.form, entries[at].1.clone(), chance) };
                entries[at].1 = varied.or_else(|| option(chance))?;
            }
            None => {
                let straight = |chance: &mut Chance| match &part.form {
                    Form::Course(course) => resteered(course, course.straight(), chance),
                    _ => None,
                };
                entries.push((part, option(chance).or_else(|| straight(chance))?));
            }
        }
    }
    let sheet = entries.into_iter().map(|(part, answer)| form.entry(part, answer)).collect();
    Some(sheet).filter(|sheet| form.entries(sheet).is_ok())
}

/// One item gets another option; points stay where they are.
fn rechosen(items: &[FormItem], template: &Value, value: &Value, chance: &mut Chance) -> Option<Value> {
    let item = chance.pick(items)?;
    let option = chance.pick(&item.options)?;
    let offered = |id: &str, value: &Value| {
        items
            .iter()
            .find(|item| item.id == id)
            .is_none_or(|item| item.options.iter().any(|option| option.value == *value))
    };
    let mut parts = parts_of(template, value, &offered)?;
    parts.insert(item.id.clone(), option.value.clone());
    Some(filled(template, &|id| parts.get(id).cloned().unwrap_or_default()))
}

/// One item gets another option, or now and then none.
fn reassigned(items: &[FormItem], mut list: Vec<Value>, chance: &mut Chance) -> Option<Vec<Value>> {
    let item = chance.pick(items)?;
    let at = list.iter().position(|entry| item.options.iter().any(|option| option.value == *entry));
    let option = if chance.below(8) == 0 { None } else { chance.pick(&item.options) };
    match (at, option) {
        (Some(at), Some(option)) => list[at] = option.value.clone(),
        (Some(at), None) => drop(list.remove(at)),
        (None, Some(option)) => list.push(option.value.clone()),
        (None, None) => {}
    }
    Some(list)
}

/// One item is taken in or left out.
fn toggled(items: &[FormItem], mut list: Vec<Value>, chance: &mut Chance) -> Option<Vec<Value>> {
    let option = chance.pick(items)?.options.first()?;
    match list.iter().position(|entry| *entry == option.value) {
        Some(at) => drop(list.remove(at)),
        None => list.push(option.value.clone()),
    }
    Some(list)
}

/// One item gives one to another, or one item gets one more or one fewer, within every limit and sum.
fn shifted(
    form: &Form,
    items: &[FormItem],
    numbers: Map<String, Value>,
    chance: &mut Chance,
) -> Option<Map<String, Value>> {
    let item = |chance: &mut Chance| chance.pick(items).map(|item| item.id.clone());
    let changes = match chance.below(4) {
        0 => vec![(item(chance)?, 1)],
        1 => vec![(item(chance)?, -1)],
        _ => vec![(item(chance)?, -1), (item(chance)?, 1)],
    };
    let mut next = numbers;
    for (id, by) in changes {
        let now = next.get(&id).map_or(Some(0), Value::as_i64)?;
        next.insert(id, now.checked_add(by)?.into());
    }
    form.wrong_numbers(&next).is_none().then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_kernel::{FormSum, OptionView};
    use serde_json::json;

    fn item(id: &str, options: &[&str]) -> FormItem {
        let options = options.iter().map(|option| OptionView::new(json!(format!("{id}:{option}")), "")).collect();
        FormItem { id: id.into(), label: String::new(), options }
    }

    #[test]
    fn each_item_keeps_at_most_one_option() {
        let form =
            Form::Assign { items: vec![item("a", &["1", "2"]), item("b", &["1", "2", "3"])], none: String::new() };
        let mut chance = Chance::seeded(1);
        let mut value = json!(["a:1", "b:3"]);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..300 {
            value = changed(&form, &value, &mut chance).unwrap();
            let list = value.as_array().unwrap();
            for id in ["a", "b"] {
                assert!(list.iter().filter(|entry| entry.as_str().unwrap().starts_with(id)).count() <= 1, "{value}");
            }
            let mut sorted: Vec<String> = list.iter().map(ToString::to_string).collect();
            sorted.sort();
            seen.insert(sorted);
        }
        assert_eq!(seen.len(), 3 * 4, "every assignment is reached");
    }

    #[test]
    fn parts_keep_one_option_for_each_item() {
        let form = Form::Parts {
            places: Vec::new(),
            items: vec![item("a", &["1", "2"]), item("b", &["1", "2", "3"])],
            template: json!({"a": "$a", "b": "$b"}),
        };
        let mut chance = Chance::seeded(1);
        let mut value = json!({"a": "a:1", "b": "b:3"});
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..300 {
            value = changed(&form, &value, &mut chance).unwrap();
            assert!(
                value["a"].as_str().unwrap().starts_with("a:") && value["b"].as_str().unwrap().starts_with("b:"),
                "{value}"
            );
            seen.insert(value.to_string());
        }
        assert_eq!(seen.len(), 2 * 3, "every table is reached");
        assert_eq!(
            changed(&form, &json!({"a": "a:7", "b": "b:1"}), &mut chance),
            None,
            "what the form cannot say is left alone"
        );
    }

    fn course(id: &str) -> Course {
        let options = vec![OptionView::new(Value::Null, "none"), OptionView::new(true, "smoke")];
        Course {
            piece: id.into(),
            from: [0, 0],
            heading: 0,
            speeds: [4, 9],
            scale: 10,
            run: 30,
            turn: 30,
            items: vec![FormItem { id: "smoke".into(), label: String::new(), options }],
        }
    }

    #[test]
    fn a_course_stays_one_that_can_be_run() {
        let form = Form::Course(course("ajax"));
        let mut chance = Chance::seeded(1);
        let mut value = course("ajax").straight();
        let (mut speeds, mut turns, mut smoke) = (std::collections::BTreeSet::new(), [false; 4], 0);
        for _ in 0..3000 {
            value = changed(&form, &value, &mut chance).unwrap_or(value);
            assert_eq!(course("ajax").wrong(&value), None, "{value}");
            speeds.insert(value["speed"].as_i64());
            turns[Course::turns(&Vec::deserialize(&value["orders"]).unwrap()).len()] = true;
            smoke += u32::from(value["smoke"] == true);
        }
        assert_eq!(speeds.len(), 6, "every speed is reached");
        assert_eq!(turns, [true; 4], "courses with none to three turns are reached");
        assert!((300..2700).contains(&smoke), "{smoke}");
    }

    #[test]
    fn a_sheet_keeps_its_parts() {
        let part = |id: &str, left_out: &str| FormPart {
            left_out: left_out.into(),
            ..FormPart::new(id, id, Form::Course(course(id)))
        };
        let mut teams = FormPart::new("hood", "hood", Form::Pick);
        teams.options = vec![OptionView::new(json!({"teams": 1}), ""), OptionView::new(json!({"teams": 2}), "")];
        let form = Form::Sheet { key: "ship".into(), parts: vec![part("ajax", ""), part("exeter", "keeps"), teams] };
        let entry = |id: &str| {
            let mut entry = course(id).straight();
            entry["ship"] = id.into();
            entry
        };
        let mut value = json!([entry("ajax"), {"ship": "hood", "teams": 1}]);
        let mut chance = Chance::seeded(1);
        let (mut orders, mut teams) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
        for _ in 0..2000 {
            value = changed(&form, &value, &mut chance).unwrap_or(value);
            let entries = form.entries(&value).unwrap();
            for (part, entry) in &entries {
                match &part.form {
                    Form::Course(course) => assert_eq!(course.wrong(entry), None, "{entry}"),
                    _ => drop(teams.insert(entry["teams"].as_i64())),
                }
            }
            orders.insert(entries.iter().map(|(part, _)| part.id.clone()).collect::<Vec<_>>());
        }
        assert_eq!(teams.len(), 2, "another option is found");
        assert_eq!(orders.len(), 2 + 6, "every order is reached, with and without the part that may be left out");
        assert_eq!(changed(&form, &json!([{"ship": "renown"}]), &mut chance), None);
    }

    #[test]
    fn numbers_keep_their_total_and_limits() {
        let form = Form::numbers([(item("a", &[]), (0, 3)), (item("b", &[]), (0, 2))], Some(3));
        let mut chance = Chance::seeded(1);
        let mut value = json!({"a": 3, "b": 0});
        for _ in 0..100 {
            value = changed(&form, &value, &mut chance).unwrap_or(value);
            let (a, b) = (value["a"].as_i64().unwrap(), value["b"].as_i64().unwrap());
            assert!(a + b == 3 && (0..=3).contains(&a) && (0..=2).contains(&b), "{value}");
        }
    }

    #[test]
    fn numbers_without_a_total_reach_everything_that_keeps_to_the_sums() {
        let mut form = Form::numbers(["a", "b", "c"].map(|id| (item(id, &[]), (0, 3))), None);
        let Form::Numbers { sums, .. } = &mut form else { unreachable!() };
        let sum = |items: [&str; 2], min, max| FormSum {
            label: String::new(),
            items: items.map(str::to_owned).to_vec(),
            min,
            max,
        };
        *sums = vec![sum(["a", "b"], 0, 3), sum(["b", "c"], 1, 4)];
        let mut chance = Chance::seeded(1);
        let mut value = json!({"a": 0, "b": 1, "c": 0});
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..3000 {
            value = changed(&form, &value, &mut chance).unwrap_or(value);
            let [a, b, c] = ["a", "b", "c"].map(|id| value[id].as_i64().unwrap());
            assert!(a + b <= 3 && (1..=4).contains(&(b + c)) && a.min(b).min(c) >= 0, "{value}");
            seen.insert([a, b, c]);
        }
        let fits = |[a, b, c]: [i64; 3]| a + b <= 3 && (1..=4).contains(&(b + c));
        let all = (0..64).map(|n| [n / 16, n / 4 % 4, n % 4]).filter(|&numbers| fits(numbers)).count();
        assert_eq!(seen.len(), all, "every split is reached");
    }
}
