//! A sheet in the terminal: a line for each part with its present answer. To change one, type the part and a new
//! answer.

use crate::fields::Person;
use crate::make::make;
use crate::unit::Unit;
use flagplot_desk::entry_in_words;
use flagplot_kernel::{COURSE_HELP, Form, FormPart};
use serde_json::Value;

const HELP: &str = "  Enter sends the sheet as it stands.\n  PART ANSWER changes a part: ajax 26 s40 p30. PART alone \
    asks for its answer; PART NUMBER takes one of its suggestions.\n  PART - leaves a part out. PART + ANSWER adds \
    another entry, where several are allowed.\n  first PART carries it out first, last PART last. show prints the \
    sheet, back leaves it.";

/// A sheet that is being filled in.
struct Sheet<'a> {
    form: &'a Form,
    parts: &'a [FormPart],
    /// The entries in the order in which they are carried out, by the numbers of their parts.
    entries: Vec<(usize, Value)>,
    unit: Unit,
}

/// Fills in a sheet; `line` is the first thing typed, if something was typed already.
pub fn fill(person: &mut Person<'_>, form: &Form, line: Option<&str>, unit: Unit) -> Option<Value> {
    let Form::Sheet { parts, .. } = form else { return None };
    let begins = parts.iter().enumerate().flat_map(|(at, part)| part.begins.iter().map(move |one| (at, one.clone())));
    let mut sheet = Sheet { form, parts, entries: begins.collect(), unit };
    if let Some(line) = line {
        sheet.change(person, line);
    }
    sheet.show();
    loop {
        let typed = person.line("sheet> ")?;
        match typed.as_str() {
            "" => match sheet.whole() {
                Ok(value) => return Some(value),
                Err(wrong) => println!("  {wrong}"),
            },
            "back" => return None,
            "show" => sheet.show(),
            "?" | "help" => {
                println!("{HELP}");
                if parts.iter().any(|part| matches!(part.form, Form::Course(_))) {
                    println!("  {COURSE_HELP}");
                }
            }
            line => {
                if sheet.change(person, line) {
                    sheet.show();
                }
            }
        }
    }
}

/// Whether a line begins with the name of a part of a sheet.
pub fn names_part(form: &Form, line: &str) -> bool {
    matches!(form, Form::Sheet { parts, .. } if find(parts, line.split(' ').next().unwrap_or_default()).is_some())
}

/// The part of a name: its id, its label, or the beginning of just one of them.
fn find(parts: &[FormPart], name: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let plain = |text: &str| text.to_lowercase().replace(' ', "-");
    let exact = parts.iter().position(|part| plain(&part.id) == name || plain(&part.label) == name);
    exact.or_else(|| {
        let starts = |part: &&FormPart| plain(&part.id).starts_with(&name) || plain(&part.label).starts_with(&name);
        let mut found = parts.iter().enumerate().filter(|(_, part)| !name.is_empty() && starts(part));
        found.next().filter(|_| found.next().is_none()).map(|(at, _)| at)
    })
}

impl Sheet<'_> {
    fn whole(&self) -> Result<Value, String> {
        let entry = |(at, value): &(usize, Value)| self.form.entry(&self.parts[*at], value.clone());
        let sheet = Value::Array(self.entries.iter().map(entry).collect());
        self.form.entries(&sheet).map(|_| sheet)
    }

    fn show(&self) {
        println!("  The sheet, carried out from top to bottom (Enter sends it, ? for help):");
        for (number, (at, value)) in self.entries.iter().enumerate() {
            let part = &self.parts[*at];
            let typed = match &part.form {
                Form::Course(course) => course.text(value).map_or(String::new(), |text| format!("   [{text}]")),
                _ => String::new(),
            };
            println!("  {:2}. {}: {}{typed}", number + 1, part.label, entry_in_words(part, value));
        }
        for (at, part) in self.parts.iter().enumerate() {
            if self.entries.iter().all(|(of, _)| *of != at) {
                let left_out = if part.left_out.is_empty() { "needs an answer" } else { &part.left_out };
                println!("   –  {}: {left_out}", part.label);
            }
        }
    }

    /// Whether the sheet has changed.
    fn change(&mut self, person: &mut Person<'_>, line: &str) -> bool {
        let (name, rest) = line.split_once(' ').map_or((line, ""), |(name, rest)| (name, rest.trim()));
        if let ("first" | "last", Some(at)) = (name, find(self.parts, rest)) {
            let first = name == "first";
            self.entries.sort_by_key(|(of, _)| (*of == at) != first);
            return true;
        }
        let Some(at) = find(self.parts, name) else {
            let names: Vec<&str> = self.parts.iter().map(|part| part.id.as_str()).collect();
            println!("  '{name}' is not on this sheet. Its parts are {}.", names.join(", "));
            return false;
        };
        let part = &self.parts[at];
        if rest == "-" {
            if part.left_out.is_empty() {
                println!("  {} cannot be left out.", part.label);
                return false;
            }
            self.entries.retain(|(of, _)| *of != at);
            return true;
        }
        let (more, typed) = rest.strip_prefix('+').map_or((false, rest), |typed| (true, typed.trim()));
        let standing = self.entries.iter().filter(|(of, _)| *of == at).count();
        if more && standing >= part.most as usize {
            println!(
                "  {} may have {} {} at most.",
                part.label,
                part.most,
                if part.most == 1 { "entry" } else { "entries" }
            );
            return false;
        }
        let now = self.entries.iter().find(|(of, _)| *of == at).map(|(_, value)| value);
        let value = match answer(person, part, typed, now.filter(|_| !more), self.unit) {
            Ok(Some(value)) => value,
            Ok(None) => return false,
            Err(wrong) => {
                println!("  {}: {wrong}", part.label);
                return false;
            }
        };
        match self.entries.iter().position(|(of, _)| *of == at).filter(|_| !more) {
            Some(place) => {
                self.entries[place].1 = value;
                let mut number = 0;
                self.entries.retain(|(of, _)| {
                    number += usize::from(*of == at);
                    *of != at || number == 1
                });
            }
            None => self.entries.push((at, value)),
        }
        true
    }
}

/// The answer to a part: what was typed, a suggestion by its number, or what its form asks for.
fn answer(
    person: &mut Person<'_>,
    part: &FormPart,
    typed: &str,
    now: Option<&Value>,
    unit: Unit,
) -> Result<Option<Value>, String> {
    let number = typed.parse::<usize>().ok();
    match &part.form {
        Form::Course(course) if !typed.is_empty() => course.parse(typed, now).map(Some),
        Form::Course(course) => {
            let text = now.and_then(|now| course.text(now)).unwrap_or_default();
            match person.line(&format!("  {} (now {text}): ", part.label)) {
                Some(typed) if !typed.is_empty() && typed != "back" => course.parse(&typed, now).map(Some),
                _ => Ok(None),
            }
        }
        form => {
            let all = part.options.len();
            if let Some(number) = number {
                let option = number.checked_sub(1).and_then(|at| part.options.get(at));
                let wrong = || format!("There are {all} suggestions.");
                return option.map(|option| Some(option.value.clone())).ok_or_else(wrong);
            }
            for (at, option) in part.options.iter().enumerate() {
                println!("  {}. {}", at + 1, option.label);
            }
            if all > 0 {
                let typed = match person.line("  A number, or Enter for another answer: ") {
                    Some(typed) if typed != "back" => typed,
                    _ => return Ok(None),
                };
                match typed.parse::<usize>() {
                    Ok(number) => {
                        let option = number.checked_sub(1).and_then(|at| part.options.get(at));
                        let wrong = || format!("Type a number from 1 to {all}.");
                        return option.map(|option| Some(option.value.clone())).ok_or_else(wrong);
                    }
                    Err(_) if !typed.is_empty() => return Err(format!("Type a number from 1 to {all}.")),
                    Err(_) => {}
                }
            }
            Ok(make(person, form, unit))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_kernel::course::Course;
    use flagplot_kernel::{FormItem, OptionView};
    use serde_json::json;

    fn ship(id: &str, label: &str) -> FormPart {
        let options = vec![OptionView::new(Value::Null, "no smoke"), OptionView::new(true, "smoke")];
        let course = Course {
            piece: id.into(),
            from: [0, 0],
            heading: 0,
            speeds: [14, 30],
            scale: 10,
            run: 40,
            turn: 45,
            items: vec![FormItem { id: "smoke".into(), label: "Smoke".into(), options }],
        };
        let begins = vec![course.parse("20", None).unwrap()];
        FormPart { left_out: "keeps her course".into(), begins, ..FormPart::new(id, label, Form::Course(course)) }
    }

    fn typed(parts: Vec<FormPart>, lines: &str) -> Option<Value> {
        fill(&mut Person::new(lines.as_bytes()), &Form::Sheet { key: "ship".into(), parts }, None, Unit::Millimetre)
    }

    fn entry(id: &str, speed: i64, smoke: Option<bool>) -> Value {
        let mut entry = json!({"ship": id, "speed": speed, "orders": [{"ahead": speed * 10}]});
        if let Some(smoke) = smoke {
            entry["smoke"] = smoke.into();
        }
        entry
    }

    #[test]
    fn a_sheet_is_typed_line_by_line() {
        let parts = || vec![ship("ajax", "Ajax"), ship("exeter", "HMS Exeter")];
        let (ajax, exeter) = (entry("ajax", 20, None), entry("exeter", 20, None));
        assert_eq!(typed(parts(), "\n"), Some(json!([ajax, exeter])), "Enter sends it as it stands");
        assert_eq!(
            typed(parts(), "exe 26 smoke\n?\nhood 3\najax x\n\n"),
            Some(json!([ajax, entry("exeter", 26, Some(true))])),
            "what is mistyped changes nothing"
        );
        assert_eq!(typed(parts(), "first hms-exeter\n\n"), Some(json!([exeter, ajax])));
        assert_eq!(typed(parts(), "last ajax\nexeter -\n\n"), Some(json!([ajax])));
        assert_eq!(typed(parts(), "ajax\n26\n\n"), Some(json!([entry("ajax", 26, None), exeter])));
        assert_eq!(typed(parts(), "back\n"), None);
        assert_eq!(typed(parts(), ""), None);
    }

    #[test]
    fn other_parts_are_suggested_or_asked_for() {
        let mut teams = FormPart::new("hood", "Hood", Form::Pick);
        teams.options = vec![OptionView::new(json!({"a": 1}), "one"), OptionView::new(json!({"a": 2}), "two")];
        teams.most = 2;
        let sheet = |lines: &str| typed(vec![teams.clone()], lines);
        assert_eq!(sheet("\nhood 2\n\n"), Some(json!([{"ship": "hood", "a": 2}])), "it needs an answer");
        assert_eq!(
            sheet("hood\n1\nhood + 2\nhood + 1\nhood 9\nhood -\n\n"),
            Some(json!([{"ship": "hood", "a": 1}, {"ship": "hood", "a": 2}]))
        );
        let two = Form::Sheet { key: "ship".into(), parts: vec![teams.clone(), ship("hotspur", "Hotspur")] };
        assert!(names_part(&two, "hood 3") && !names_part(&two, "ho 3") && !names_part(&two, "make"));
    }
}
