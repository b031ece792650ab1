//! Games that are written down beforehand: the moves and the dice are data, the rules are the real ones.
//!
//! Lessons and the examples of the rules pages stand on this. A scripted game is played with typed dice, so that its
//! record can never pass for one with fair dice.

use crate::{Desk, DiceSource};
use flagplot_catalog::Catalog;
use flagplot_kernel::{Chance, Refusal, Seat, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::VecDeque;
use std::fmt;

/// What a scripted game begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    pub system: String,
    pub scenario: String,
    /// The scenario's options.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub options: Value,
    /// Rolls that are not written down follow from this number; without it every roll must be written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The rolls before the first move, each with its faces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolls: Vec<Vec<u8>>,
}

/// The answer of a seat, and the dice that follow it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Who answers.
    pub seat: Seat,
    /// The code of the question it answers: `declare-attacks`.
    pub ask: String,
    pub answer: Value,
    /// The first rolls after it, each with its faces; an empty list leaves that roll to the seed.
    #[serde(default)]
    pub rolls: Vec<Vec<u8>>,
    /// What the log must say by the time of the next move, in whatever order.
    #[serde(default)]
    pub expect: Vec<String>,
}

/// A scripted game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// What it begins with.
    pub opening: Opening,
    /// Its moves, in order.
    pub moves: Vec<Move>,
}

/// Where a scripted game no longer fits the rules, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// How many moves fitted.
    pub fitted: usize,
    /// Why the next one does not, in a sentence.
    pub why: String,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "After move {}: {}", self.fitted, self.why)
    }
}

impl From<Misfit> for Refusal {
    fn from(misfit: Misfit) -> Self {
        Refusal::new("script-misfit", misfit.to_string())
    }
}

impl Script {
    /// Reads a script from TOML.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        toml::from_str(text).map_err(|error| Refusal::new("bad-script", format!("The script cannot be read: {error}")))
    }

    /// Plays the first moves, all of them if there are not so many.
    pub fn play(&self, catalog: &Catalog, moves: usize) -> Result<Stage, Misfit> {
        let mut stage = Stage::open(catalog, &self.opening)?;
        for one in self.moves.iter().take(moves) {
            stage.take(one)?;
        }
        Ok(stage)
    }
}

/// A scripted game as far as it has been played.
pub struct Stage {
    desk: Desk,
    seed: Option<u64>,
    waiting: VecDeque<Vec<u8>>,
    rolled: Vec<(String, Vec<u8>)>,
    moved: usize,
}

impl Stage {
    /// Opens a scripted game and rolls what is due before the first move.
    pub fn open(catalog: &Catalog, opening: &Opening) -> Result<Self, Misfit> {
        let refused = |refusal: Refusal| Misfit { fitted: 0, why: refusal.to_string() };
        let game = catalog.system(&opening.system).and_then(|system| system.game(&opening.scenario, &opening.options));
        let seats = game.map_err(refused)?.seats().into_iter().map(|seat| seat.name).collect();
        let (system, scenario) = (&opening.system, &opening.scenario);
        let desk = Desk::open(catalog, system, scenario, opening.options.clone(), seats, DiceSource::Typed);
        let waiting = opening.rolls.iter().cloned().collect();
        let mut stage =
            Self { desk: desk.map_err(refused)?, seed: opening.seed, waiting, rolled: Vec::new(), moved: 0 };
        stage.roll()?;
        Ok(stage)
    }

    /// The game.
    #[must_use]
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// How many moves have been made.
    #[must_use]
    pub fn moved(&self) -> usize {
        self.moved
    }

    /// Every roll so far: what it was for, and its faces.
    #[must_use]
    pub fn rolled(&self) -> &[(String, Vec<u8>)] {
        &self.rolled
    }

    /// Makes a move and rolls the dice that follow it.
    pub fn take(&mut self, one: &Move) -> Result<(), Misfit> {
        let before = self.lines();
        let name =
            self.desk.seats().get(usize::from(one.seat.0)).map_or_else(|| one.seat.to_string(), |s| s.name.clone());
        let asked = self.desk.question_to(one.seat).map(|question| question.prompt.code);
        match asked {
            Some(code) if code == one.ask => {}
            Some(code) => return Err(self.misfit(format!("{name} is asked '{code}', not '{}'.", one.ask))),
            None => {
                let open = self.desk.question().map_or(&[][..], |question| question.open());
                let others: Vec<String> =
                    open.iter().map(|other| format!("{} is asked '{}'", other.seat, other.prompt.code)).collect();
                let instead = if others.is_empty() { "the game is over".to_owned() } else { others.join(", ") };
                return Err(self.misfit(format!("{name} is not asked '{}': {instead}.", one.ask)));
            }
        }
        self.give(one.seat, &one.answer, &one.rolls)?;
        self.says(before, &one.ask, &one.expect)?;
        self.moved += 1;
        Ok(())
    }

    /// Answers whatever the seat is asked, and rolls the dice that follow.
    pub fn answer(&mut self, seat: Seat, answer: &Value, rolls: &[Vec<u8>]) -> Result<(), Misfit> {
        self.give(seat, answer, rolls)?;
        self.moved += 1;
        Ok(())
    }

    fn give(&mut self, seat: Seat, answer: &Value, rolls: &[Vec<u8>]) -> Result<(), Misfit> {
        let asked = self.desk.question_to(seat).map_or("nothing", |question| question.prompt.code);
        let answered = self.desk.answer(seat, answer.clone());
        answered.map_err(|refusal| self.misfit(format!("The rules refuse the answer to '{asked}': {refusal}")))?;
        self.waiting.extend(rolls.iter().cloned());
        self.roll()
    }

    /// How many lines the log has.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.desk.log(Viewer::Everything, 0).len()
    }

    /// Whether the log says all of this after its first lines; `ask` names the question that led to it.
    pub fn says(&self, after: usize, ask: &str, expected: &[String]) -> Result<(), Misfit> {
        // The last line of an unfinished step may have been replaced since.
        let log = self.desk.log(Viewer::Everything, after.saturating_sub(1));
        let missing = expected.iter().find(|words| !log.iter().any(|entry| entry.note.text.contains(words.as_str())));
        match missing {
            None => Ok(()),
            Some(words) => Err(self.misfit(format!("The log no longer says '{words}' after '{ask}'."))),
        }
    }

    /// Rolls whatever is due.
    fn roll(&mut self) -> Result<(), Misfit> {
        while let Some((count, die, what)) = self.desk.dice_due() {
            let written = self.waiting.pop_front().filter(|faces| !faces.is_empty());
            let faces = match (written, self.seed) {
                (Some(faces), _) => faces,
                (None, Some(seed)) => Chance::stream(seed, self.rolled.len() as u64).faces(count, die).0,
                (None, None) => return Err(self.misfit(format!("{count}{die} for {what} are not in the script."))),
            };
            let typed = self.desk.type_dice(faces.clone());
            typed.map_err(|refusal| self.misfit(format!("{count}{die} for {what}: {refusal}")))?;
            self.rolled.push((what, faces));
        }
        if self.waiting.is_empty() {
            Ok(())
        } else {
            Err(self.misfit(format!("The script has rolls that the game does not call for: {:?}.", self.waiting)))
        }
    }

    fn misfit(&self, why: String) -> Misfit {
        Misfit { fitted: self.moved, why }
    }
}
