//! What several test files share.

use flagplot_dogfite::{System, files};
use flagplot_kernel::{Ask, Asked, Chance, Choice, Die, Note, Rule};
use flagplot_referee::answer;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub fn system() -> System {
    System::new(&files()).unwrap()
}

pub fn battles(system: &System) -> Vec<String> {
    system.scenarios().into_iter().map(|scenario| scenario.id).filter(|id| id != "free-play").collect()
}

/// The referee's answer; `how` gives the dice, or asks for odds.
pub fn ruled(system: &System, procedure: &str, input: &Value, how: Value) -> Value {
    let mut request = json!({"system": "dogfite", "procedure": procedure, "input": input});
    request.as_object_mut().unwrap().extend(how.as_object().unwrap().clone());
    answer(system, &request.to_string())
}

/// Answers everything at once like a sampler, but listens: it keeps every rule that a note, a modifier or a prompt
/// cites.
pub struct Listener<'a> {
    pub chance: &'a mut Chance,
    /// Of 100 answers so many are instinct's.
    pub instinct: u32,
    pub cited: &'a mut BTreeSet<&'static str>,
}

impl Listener<'_> {
    pub fn cite(&mut self, rules: impl IntoIterator<Item = Rule>) {
        self.cited.extend(rules.into_iter().map(|rule| rule.id));
    }
}

impl Ask for Listener<'_> {
    fn roll(&mut self, die: Die, _: impl std::fmt::Display) -> Asked<u8> {
        Ok(self.chance.face(die))
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        let prompt = choice.prompt();
        self.cite(prompt.rule);
        let value = if self.chance.below(100) < self.instinct {
            choice.instinct(self.chance)
        } else {
            choice.sample(self.chance)
        };
        assert_eq!(choice.check(&value), Ok(()), "an illegal answer to {}", prompt.code);
        Ok(value)
    }

    fn listening(&self) -> bool {
        true
    }

    fn record(&mut self, note: Note) {
        let modifiers: Vec<Rule> = note.modifiers.iter().filter_map(|modifier| modifier.rule).collect();
        self.cite(note.rules);
        self.cite(modifiers);
    }
}
