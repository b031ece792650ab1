use crate::{
    Answer, Ask, Asked, Chance, Choice, Die, Faces, Note, OptionView, Pool, Question, Refusal, Roll, Seat,
    SeatQuestion, Sum, Unanswered,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

/// A die that has been rolled, with what it was for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Rolled {
    /// Which die, as `d6`.
    pub die: String,
    /// What it showed.
    pub face: u8,
    /// What it was for.
    #[serde(rename = "for")]
    pub what: String,
}

/// Dice whose rolls are numbered, so that each can be made again.
pub trait Dice: std::fmt::Debug + Send + Sync {
    /// Roll number `n`, from 0; none if a person must roll it.
    fn roll(&self, n: u64, count: u32, die: Die, what: &str) -> Option<Faces>;
}

/// Where a tape takes dice from when it has run out of answers.
#[derive(Clone, Debug)]
pub enum DiceFrom {
    /// From a person: the tape suspends.
    Asking,
    /// From a list of faces, one after the other: real dice typed in, or a test vector.
    Script(Vec<u8>),
    /// From a generator.
    Chance(Box<Chance>),
    /// From dice whose rolls are numbered, from this one on.
    Numbered(Arc<dyn Dice>, u64),
}

/// Answers from a list, and suspends where the list ends. It keeps the question that was reached,
/// every die and every note.
#[derive(Clone, Debug)]
pub struct Tape {
    answers: Vec<Answer>,
    read: usize,
    dice: DiceFrom,
    script_used: usize,
    listening: bool,
    question: Option<Question>,
    refused: Option<Refusal>,
    rolled: Vec<Rolled>,
    notes: Vec<Note>,
}

impl Tape {
    /// A tape that holds these answers and then suspends.
    #[must_use]
    pub fn new(answers: Vec<Answer>) -> Self {
        Self::with_dice(answers, DiceFrom::Asking)
    }

    /// A tape that takes dice from elsewhere once its answers are used up.
    #[must_use]
    pub fn with_dice(answers: Vec<Answer>, dice: DiceFrom) -> Self {
        Self {
            answers,
            read: 0,
            dice,
            script_used: 0,
            listening: true,
            question: None,
            refused: None,
            rolled: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The same tape without notes.
    #[must_use]
    pub fn deaf(mut self) -> Self {
        self.listening = false;
        self
    }

    /// The question on which the rules suspended.
    #[must_use]
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// Why the last answer on the tape was not accepted.
    #[must_use]
    pub fn refused(&self) -> Option<&Refusal> {
        self.refused.as_ref()
    }

    pub(crate) fn take_question(&mut self) -> Option<Question> {
        self.question.take()
    }

    pub(crate) fn take_refused(&mut self) -> Option<Refusal> {
        self.refused.take()
    }

    /// Every die rolled so far.
    #[must_use]
    pub fn rolled(&self) -> &[Rolled] {
        &self.rolled
    }

    /// The proof so far.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The answers on the tape, including dice it has taken from elsewhere.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// How many answers the rules have used.
    #[must_use]
    pub fn used(&self) -> usize {
        self.read
    }

    /// How many faces of a script have not been called for.
    #[must_use]
    pub fn script_left(&self) -> usize {
        match &self.dice {
            DiceFrom::Script(faces) => faces.len() - self.script_used,
            _ => 0,
        }
    }

    /// Takes the tape apart into its dice, its notes and its question.
    #[must_use]
    pub fn into_parts(self) -> (Vec<Rolled>, Vec<Note>, Option<Question>) {
        (self.rolled, self.notes, self.question)
    }

    fn reject<T>(&mut self, refusal: Refusal) -> Asked<T> {
        self.refused = Some(refusal);
        Err(Unanswered)
    }

    fn faces(&mut self, count: u32, die: Die, what: &dyn Display) -> Asked<Faces> {
        if self.question.is_some() || self.refused.is_some() {
            return Err(Unanswered); // A rule that goes on after a suspension gets no further.
        }
        if count == 0 {
            return Ok(Faces::default());
        }
        if self.read == self.answers.len() {
            let faces = match &mut self.dice {
                DiceFrom::Asking => None,
                DiceFrom::Script(script) => {
                    script.get(self.script_used..self.script_used + count as usize).map(<[u8]>::to_vec)
                }
                DiceFrom::Chance(chance) => Some(chance.faces(count, die).0),
                DiceFrom::Numbered(dice, next) => {
                    dice.roll(*next, count, die, &what.to_string()).map(|Faces(faces)| {
                        *next += 1;
                        faces
                    })
                }
            };
            let Some(faces) = faces else {
                self.question = Some(Question::Dice { count, die, what: what.to_string() });
                return Err(Unanswered);
            };
            if let DiceFrom::Script(_) = self.dice {
                self.script_used += faces.len();
            }
            self.answers.push(Answer::Dice(Faces(faces)));
        }
        let Answer::Dice(Faces(faces)) = self.answers[self.read].clone() else {
            return self
                .reject(Refusal::new("dice-expected", format!("The rules call for {count}{die} here: {what}.")));
        };
        if faces.len() != count as usize {
            return self.reject(Refusal::new(
                "wrong-number-of-dice",
                format!("The rules call for {count} dice here ({what}); {} were given.", faces.len()),
            ));
        }
        if let Some(at) = faces.iter().position(|face| !die.has(*face)) {
            let number = self.rolled.len() + at + 1;
            return self.reject(Refusal::new(
                "bad-die",
                format!("Die {number} ({what}): a {die} shows 1 to {}; it cannot show '{}'.", die.sides, faces[at]),
            ));
        }
        self.read += 1;
        if self.listening {
            let what = what.to_string();
            self.rolled.extend(faces.iter().map(|&face| Rolled { die: die.to_string(), face, what: what.clone() }));
        }
        Ok(Faces(faces))
    }

    fn checked<C: Choice>(choice: &C, value: &serde_json::Value) -> Result<C::Value, Refusal> {
        let value: C::Value = serde_json::from_value(value.clone()).map_err(|error| {
            Refusal::new("bad-answer", format!("This does not answer '{}': {error}.", choice.prompt().code))
        })?;
        choice.check(&value).map(|()| value)
    }
}

fn seat_question<C: Choice>(choice: &C) -> SeatQuestion {
    let options = choice
        .candidates()
        .into_iter()
        .map(|candidate| OptionView {
            value: serde_json::to_value(&candidate.value).expect("a choice's value has a JSON form"),
            label: candidate.label,
            pieces: candidate.pieces,
            tag: candidate.tag,
        })
        .collect();
    SeatQuestion { seat: choice.seat(), prompt: choice.prompt(), options, form: choice.form() }
}

impl Ask for Tape {
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8> {
        Ok(self.faces(1, die, &what)?.0[0])
    }

    fn roll_as<R: Eq>(&mut self, die: Die, what: impl Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        let face = self.roll(die, what)?;
        Ok(Roll { read: read(face), face: Some(face) })
    }

    fn pool<const K: usize>(
        &mut self,
        n: u32,
        die: Die,
        what: impl Display,
        class: impl Fn(u8) -> usize,
    ) -> Asked<Pool<K>> {
        let faces = self.faces(n, die, &what)?;
        let mut counts = [0; K];
        for &face in &faces.0 {
            counts[class(face)] += 1;
        }
        Ok(Pool { counts, faces })
    }

    fn sum(&mut self, n: u32, die: Die, what: impl Display) -> Asked<Sum> {
        let faces = self.faces(n, die, &what)?;
        Ok(Sum { total: faces.0.iter().map(|&face| u32::from(face)).sum(), faces })
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        if self.question.is_some() || self.refused.is_some() {
            return Err(Unanswered);
        }
        let Some(answer) = self.answers.get(self.read) else {
            self.question = Some(Question::Choice(seat_question(choice)));
            return Err(Unanswered);
        };
        let Answer::Choice(value) = answer else {
            let refusal = Refusal::new("choice-expected", format!("{} must choose here.", choice.seat()));
            return self.reject(refusal);
        };
        match Self::checked(choice, value) {
            Ok(value) => {
                self.read += 1;
                Ok(value)
            }
            Err(refusal) => self.reject(refusal),
        }
    }

    fn in_secret<C: Choice>(&mut self, choices: &[C]) -> Asked<Vec<C::Value>> {
        if self.question.is_some() || self.refused.is_some() {
            return Err(Unanswered);
        }
        let none = BTreeMap::new();
        let given = match self.answers.get(self.read) {
            None => &none,
            Some(Answer::Sealed(given)) => given,
            Some(_) => return self.reject(Refusal::new("choice-expected", "Sealed choices are expected here.")),
        };
        let mut values = Vec::with_capacity(choices.len());
        let mut open = Vec::new();
        let mut sealed: Vec<Seat> = Vec::new();
        for choice in choices {
            match given.get(&choice.seat()) {
                None => open.push(seat_question(choice)),
                Some(value) => match Self::checked(choice, value) {
                    Ok(value) => {
                        sealed.push(choice.seat());
                        values.push(value);
                    }
                    Err(refusal) => return self.reject(refusal),
                },
            }
        }
        if given.len() != sealed.len() {
            return self.reject(Refusal::new("not-asked", "A seat that was not asked has answered."));
        }
        if open.is_empty() {
            self.read += 1;
            return Ok(values);
        }
        self.question = Some(Question::Secret { open, sealed });
        Err(Unanswered)
    }

    fn refuse(&mut self, refusal: Refusal) -> Unanswered {
        self.refused.get_or_insert(refusal);
        Unanswered
    }

    fn listening(&self) -> bool {
        self.listening
    }

    fn record(&mut self, note: Note) {
        self.notes.push(note);
    }
}
