//! What several test files share.
#![allow(dead_code, reason = "each test file uses its part")]

use flagplot_dogfite::{System, files};
use flagplot_kernel::{Ask, Asked, Chance, Choice, Die, Faces, Note, Pool, Roll, Rule, Sum};
use std::collections::BTreeSet;

pub fn system() -> System {
    System::new(&files()).unwrap()
}

pub fn battles(system: &System) -> Vec<String> {
    system.scenarios().into_iter().map(|scenario| scenario.id).filter(|id| id != "free-play").collect()
}

/// Answers everything at once like a sampler, but listens: it keeps every rule that a note, a modifier or a prompt cites.
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

    fn roll_as<R: Eq>(&mut self, die: Die, _: impl std::fmt::Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        let face = self.chance.face(die);
        Ok(Roll { read: read(face), face: Some(face) })
    }

    fn pool<const K: usize>(
        &mut self,
        n: u32,
        die: Die,
        _: impl std::fmt::Display,
        class: impl Fn(u8) -> usize,
    ) -> Asked<Pool<K>> {
        let faces = self.chance.faces(n, die);
        let mut counts = [0; K];
        for &face in &faces.0 {
            counts[class(face)] += 1;
        }
        Ok(Pool { counts, faces })
    }

    fn sum(&mut self, n: u32, die: Die, _: impl std::fmt::Display) -> Asked<Sum> {
        let Faces(faces) = self.chance.faces(n, die);
        Ok(Sum { total: faces.iter().map(|&face| u32::from(face)).sum(), faces: Faces(faces) })
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

    fn in_secret<C: Choice>(&mut self, choices: &[C]) -> Asked<Vec<C::Value>> {
        choices.iter().map(|choice| self.decide(choice)).collect()
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
