//! What an act is worth before it is done: facts still to be told, the odds on the button, what each switch changes.

use super::deed::{Deed, read, signed};
use super::facts::{Open, places, put};
use super::figures::field_of;
use super::game::Table;
use super::ruling::Ready;
use super::{Act, Before, Headline, Known, Part, Reading, Source, State, Unit};
use crate::odds::FieldOdds;
use crate::{Attempt, Shape, System};
use flagplot_kernel::Refusal;
use flagplot_odds::{Budget, Fraction};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// The odds on a button are exact or absent: larger questions are left to the page of odds.
const BUDGET: Budget<'static> = Budget { branches: 400_000, states: 60_000, bytes: 64 << 20, give_up: None };
/// The most values of a fact whose worth is shown.
const MOST_CHOICES: usize = 5;

/// A fact that an act can be told.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FactView {
    /// Its place, for the deed.
    pub path: String,
    /// What it is called.
    pub label: String,
    /// What it must look like.
    pub shape: Shape,
    /// Its unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// Other units that a person may use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<Unit>,
    /// Its usual values, each with a word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<(Value, String)>,
    /// What it is now: given, measured, from a sheet, or its default.
    pub value: Value,
    /// Whether it has yet to be told.
    pub missing: bool,
    /// Whether it was measured on the map.
    pub measured: bool,
    /// Whether it is one of those that matter most.
    pub main: bool,
}

/// A figure on the button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Chance {
    /// What it is called.
    pub label: String,
    /// The figure in words: `37%`, `4.2`.
    pub text: String,
    /// The exact chance as a fraction; none for a mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<String>,
}

/// What another value of a fact would change.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SwitchWorth {
    /// The fact.
    pub path: String,
    /// The other value.
    pub value: Value,
    /// What changes of the figures on the button: `hit +5%, damage +0.4`, `not possible`.
    pub worth: String,
}

/// What is to be said of an act before it is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Considered {
    /// Whether it can be done now.
    pub ready: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// What happens, in a sentence.
    pub sentence: String,
    /// The facts.
    pub facts: Vec<FactView>,
    /// The parts of the acting object to choose from.
    pub parts: Vec<Part>,
    /// The figures on the button.
    pub chances: Vec<Chance>,
    /// What other values of facts would change.
    pub worth: Vec<SwitchWorth>,
    /// What comes first, in a sentence; empty if nothing does.
    pub first: String,
}

impl<S: System + Send + Sync + ?Sized + 'static> Table<S> {
    /// What is to be said of a deed before it is done.
    pub(super) fn considered(&self, state: &State, value: &Value) -> Considered {
        let given = value.clone();
        let (by, value) = signed(value);
        let deed = match read(value) {
            Ok(deed) => deed,
            Err(refusal) => return Considered { refusal: Some(refusal), ..Considered::default() },
        };
        let (act, cast, part, facts, owed) = match deed {
            Deed::Act { act, cast, part, facts, owed } => (act, cast, part, facts, owed),
            Deed::Correct { object, .. } => {
                let refusal = self.planned(state, &given).err();
                let facts = state.object(&object).map(|object| self.figures(object)).unwrap_or_default();
                return Considered { ready: refusal.is_none(), refusal, facts, ..Considered::default() };
            }
            _ => return Considered { ready: true, ..Considered::default() },
        };
        match self.merged(state, &act, cast, part, facts, owed, by) {
            Ok(ready) => self.weighed(state, ready),
            Err(refusal) => Considered { refusal: Some(refusal), ..Considered::default() },
        }
    }

    fn weighed(&self, state: &State, mut ready: Ready) -> Considered {
        let act = &self.acts[ready.act];
        let mut parts = Vec::new();
        for role in act.roles.iter().filter(|role| role.part.is_some()) {
            if let Some(object) = ready.cast_on(state).one(role.id) {
                parts = self.system.parts(act.id, role.id, object);
            }
        }
        if let ([only], None) = (parts.as_slice(), &ready.part) {
            ready.part = Some(only.id.clone());
        }
        let checked = self.check_ready(state, &ready);
        let (known, _, open) = self.assembled(state, &ready);
        let facts = self.facts(state, &known, &open, &ready);
        let mut said = Considered {
            ready: checked.is_ok(),
            refusal: checked.err(),
            sentence: self.system.announce(act.id, &ready.cast_on(state)).unwrap_or_default(),
            facts,
            parts,
            ..Considered::default()
        };
        if !said.ready {
            return said;
        }
        said.first = self.first(state, &ready);
        let now = self.headlined(state, &ready);
        said.chances = now.iter().map(|(headline, figure)| chance(headline, figure)).collect();
        if now.is_empty() {
            return said;
        }
        let others: Vec<(String, Value)> = said.facts.iter().flat_map(|fact| others(act, fact)).collect();
        for (path, value) in others {
            let mut other = ready.clone();
            other.told.insert(path.clone(), value.clone());
            let worth = match self.check_ready(state, &other) {
                Err(_) => "not possible".to_owned(),
                Ok(()) if matches!(self.go(state, &other), Gone::Needs(_)) => "a test first".to_owned(),
                Ok(()) => differences(&now, &self.headlined(state, &other)),
            };
            if !worth.is_empty() {
                said.worth.push(SwitchWorth { path, value, worth });
            }
        }
        said
    }

    fn facts(&self, state: &State, known: &[Known], open: &[Open], ready: &Ready) -> Vec<FactView> {
        let act = &self.acts[ready.act];
        let cast = ready.cast_on(state);
        let choices = |path: &str| -> Vec<(Value, String)> {
            let given = act.words(path).map(|fact| fact.choices.as_slice()).unwrap_or_default();
            if given.is_empty() {
                return self.system.choices(act.id, path, &cast);
            }
            given.iter().map(|(value, word)| (value.clone(), word.to_string())).collect()
        };
        let mut views: Vec<FactView> = Vec::new();
        for extra in &act.extras {
            views.push(FactView {
                path: extra.id.to_owned(),
                label: extra.label.to_owned(),
                shape: extra.shape.clone(),
                unit: None,
                units: Vec::new(),
                choices: Vec::new(),
                value: ready.told.get(extra.id).unwrap_or(&extra.default).clone(),
                missing: false,
                measured: false,
                main: true,
            });
        }
        // What a sheet or the map says can be told otherwise where the act has words for it.
        let mut sheets = Value::Object(Map::new());
        known.iter().for_each(|known| put(&mut sheets, &known.path, known.value.clone()));
        let about = self.procedure(act.procedure).ok();
        for fact in &act.facts {
            for path in places(fact.path, &sheets) {
                let tells = known.iter().rev().find_map(|known| known.tells(&path));
                let Some((sure, source)) = tells.filter(|(sure, _)| !sure.is_null()) else { continue };
                let Some((shape, unit)) = about.and_then(|(_, about)| field_of(&about.input, &path)) else { continue };
                views.push(FactView {
                    label: self.item_label(state, ready, &sheets, &path, fact.label),
                    shape,
                    unit,
                    units: fact.units.clone(),
                    choices: choices(&path),
                    value: ready.told.get(&path).unwrap_or(sure).clone(),
                    missing: false,
                    measured: source == Source::Map && !ready.told.contains_key(&path),
                    main: !fact.aside,
                    path,
                });
            }
        }
        for open in open {
            let told = ready.told.get(&open.path);
            let words = act.words(&open.path);
            views.push(FactView {
                path: open.path.clone(),
                label: open.label.clone(),
                shape: open.shape.clone(),
                unit: open.unit,
                units: words.map(|fact| fact.units.clone()).unwrap_or_default(),
                choices: choices(&open.path),
                value: told.or(open.default.as_ref()).cloned().unwrap_or_default(),
                missing: told.is_none() && open.need && open.default.is_none(),
                measured: false,
                main: open.need || words.is_some_and(|fact| !fact.aside),
            });
        }
        let rank = |view: &FactView| {
            let place = act.facts.iter().position(|fact| fact.covers(&view.path));
            (!view.main, act.extras.iter().any(|extra| extra.id == view.path), place.unwrap_or(usize::MAX))
        };
        views.sort_by_key(rank);
        views
    }

    /// The figures of a sheet that can be corrected.
    fn figures(&self, object: &super::Object) -> Vec<FactView> {
        let now = |figure: &super::SheetFigure| match super::facts::at(&object.value, &figure.field) {
            // What a sheet does not say is not so.
            Value::Null if figure.shape == Shape::Bool => Value::Bool(false),
            value => value.clone(),
        };
        let figure = |figure: super::SheetFigure| FactView {
            value: now(&figure),
            path: figure.field,
            label: figure.label,
            shape: figure.shape,
            unit: None,
            units: Vec::new(),
            choices: Vec::new(),
            missing: false,
            measured: false,
            main: true,
        };
        self.system.figures(object).into_iter().map(figure).collect()
    }

    /// What has to be ruled on first, in words.
    fn first(&self, state: &State, ready: &Ready) -> String {
        match self.go(state, ready) {
            Gone::Needs(procedure) => {
                let title = self.acts.iter().find(|act| act.procedure == procedure).map_or(procedure, |act| act.title);
                format!("A {} comes first", title.to_lowercase())
            }
            Gone::Stopped(verdict) => verdict,
            Gone::Ready(_) => String::new(),
        }
    }

    fn go(&self, state: &State, ready: &Ready) -> Gone {
        let act = &self.acts[ready.act];
        let mut ruled: Vec<(&'static str, Value)> = Vec::new();
        loop {
            match self.system.before(act.id, &ready.cast_on(state), &ruled) {
                Before::Go(facts) => return Gone::Ready(facts),
                Before::Stop(verdict) => return Gone::Stopped(verdict),
                Before::Refuse(refusal) => return Gone::Stopped(refusal.message),
                Before::Rule { procedure: name, input } => {
                    let Ok((procedure, about)) = self.procedure(name) else { return Gone::Needs(name) };
                    match procedure.attempt(&about.input, input, &[], &self.system.codes()) {
                        Ok(Attempt::Done(ruling)) => ruled.push((name, ruling.result)),
                        _ => return Gone::Needs(name),
                    }
                }
            }
        }
    }

    /// The figures on the button, exact; those that take too long are left out.
    fn headlined<'a>(&'a self, state: &State, ready: &Ready) -> Vec<(&'a Headline, Fraction)> {
        let act = &self.acts[ready.act];
        let (_, mut input, _) = self.assembled(state, ready);
        if let Gone::Ready(facts) = self.go(state, ready) {
            for (path, value) in facts {
                put(&mut input, &path, value);
            }
        }
        let Ok((procedure, about)) = self.procedure(act.procedure) else { return Vec::new() };
        let mut fields: Vec<(&str, Option<FieldOdds>)> = Vec::new();
        for headline in &act.headlines {
            if fields.iter().all(|(field, _)| *field != headline.field) {
                let wanted = Some(headline.field);
                let odds = procedure.odds(&about.input, input.clone(), wanted, &self.system.codes(), BUDGET);
                fields.push((headline.field, odds.ok()));
            }
        }
        let figure = |headline: &'a Headline| {
            let (_, odds) = fields.iter().find(|(field, _)| *field == headline.field)?;
            let values = odds.as_ref()?.get(headline.field)?;
            let number = |text: &str| text.parse::<i64>().ok();
            let sum = |holds: &dyn Fn(&str) -> bool| {
                let these = values.iter().filter(|(value, _)| holds(value));
                these.fold(Fraction::zero(), |sum, (_, chance)| sum.plus(chance))
            };
            let figure = match headline.reading {
                Reading::Is(word) => sum(&|value| value == word),
                Reading::AtLeast(least) => sum(&|value| number(value).is_some_and(|number| number >= least)),
                Reading::Mean => values.iter().fold(Fraction::zero(), |sum, (value, chance)| {
                    let times = u64::try_from(number(value).unwrap_or(0)).unwrap_or(0);
                    sum.plus(&chance.times(&Fraction::new(times, 1u8)))
                }),
            };
            Some((headline, figure))
        };
        act.headlines.iter().filter_map(figure).collect()
    }
}

/// A figure on the button in words.
fn chance(headline: &Headline, figure: &Fraction) -> Chance {
    let mean = headline.reading == Reading::Mean;
    let text = if mean { format!("{:.1}", figure.to_f64()) } else { percent(figure) };
    Chance { label: headline.label.to_owned(), text, chance: (!mean).then(|| figure.to_string()) }
}

/// How far the rulings before an act come without dice.
enum Gone {
    Ready(Vec<(String, Value)>),
    Needs(&'static str),
    Stopped(String),
}

/// The other values of a fact that are worth showing.
fn others(act: &Act, fact: &FactView) -> Vec<(String, Value)> {
    let counted = || act.words(&fact.path).is_some_and(|known| known.counted);
    let values: Vec<Value> = match &fact.shape {
        Shape::Int { max, .. } if counted() => {
            fact.value.as_i64().map(|now| now + 1).filter(|more| more <= max).map(Value::from).into_iter().collect()
        }
        _ if !fact.choices.is_empty() => fact.choices.iter().map(|(value, _)| value.clone()).collect(),
        Shape::Bool => vec![Value::Bool(fact.value != Value::Bool(true))],
        Shape::Word { words, .. } if words.len() <= MOST_CHOICES => {
            words.iter().map(|word| word.to_string().into()).collect()
        }
        _ => Vec::new(),
    };
    if !fact.main && !matches!(fact.shape, Shape::Bool) {
        return Vec::new();
    }
    values.into_iter().filter(|value| *value != fact.value).map(|value| (fact.path.clone(), value)).collect()
}

/// A chance in whole percents; what is neither 0 nor certain never looks like it.
fn percent(chance: &Fraction) -> String {
    let share = chance.to_f64() * 100.0;
    let whole = share.round();
    if *chance == Fraction::zero() || *chance == Fraction::one() {
        format!("{whole}%")
    } else if whole < 1.0 {
        "below 1%".to_owned()
    } else if whole > 99.0 {
        "above 99%".to_owned()
    } else {
        format!("{whole}%")
    }
}

/// What another value changes of the figures on the button: `hit +5%, damage +0.4`; empty if nothing does that shows.
fn differences(now: &[(&Headline, Fraction)], then: &[(&Headline, Fraction)]) -> String {
    let change = |(headline, now): &(&Headline, Fraction)| {
        let (_, then) = then.iter().find(|(other, _)| other == headline)?;
        Some(format!("{} {}", headline.label, difference(now, then, headline.reading)?))
    };
    now.iter().filter_map(change).collect::<Vec<_>>().join(", ")
}

fn difference(now: &Fraction, then: &Fraction, reading: Reading) -> Option<String> {
    let (change, unit) = match reading {
        Reading::Mean => (then.to_f64() - now.to_f64(), ""),
        _ => ((then.to_f64() - now.to_f64()) * 100.0, "%"),
    };
    let coarse = if reading == Reading::Mean { 1 } else { 0 };
    // As many places as show a change, and one more for a small one.
    let shown = [coarse, coarse + 1].map(|places| format!("{:.places$}", change.abs()));
    let text = shown.into_iter().find(|text| text.chars().any(|digit| ('1'..='9').contains(&digit)))?;
    Some(format!("{}{text}{unit}", if change < 0.0 { "−" } else { "+" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADLINES: [Headline; 2] = [
        Headline { label: "hit", field: "hit", reading: Reading::Is("true") },
        Headline { label: "damage", field: "damage", reading: Reading::Mean },
    ];

    #[track_caller]
    fn check(now: [(u64, u64); 2], then: [(u64, u64); 2], expect: &str) {
        let figures = |of: [(u64, u64); 2]| -> Vec<(&Headline, Fraction)> {
            HEADLINES.iter().zip(of.map(|(above, below)| Fraction::new(above, below))).collect()
        };
        assert_eq!(differences(&figures(now), &figures(then)), expect);
    }

    #[test]
    fn a_switch_is_worth_what_it_changes_of_each_figure() {
        check([(1, 4), (3, 1)], [(3, 10), (7, 2)], "hit +5%, damage +0.5");
        check([(1, 4), (3, 1)], [(1, 4), (7, 2)], "damage +0.5");
        check([(1, 4), (3, 1)], [(1, 5), (3, 1)], "hit −5%");
        check([(1, 4), (3, 1)], [(251, 1000), (302, 100)], "hit +0.1%, damage +0.02");
        check([(1, 4), (3, 1)], [(250_001, 1_000_000), (3, 1)], "");
    }
}
