//! What follows from the entries of a game: where the rules stand, what they ask, what has been noted.

use crate::dice::DiceSource;
use crate::record::Entry;
use flagplot_catalog::{AnyGame, AnyState, Position};
use flagplot_kernel::{Answer, DiceFrom, Luck, Note, Outcome, Progress, Question, Refusal, Seat, Side, Tape, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// A settled line of the log. Its number is the reader's: each viewer counts the lines it may read.
pub(crate) enum Logged {
    /// As it was noted.
    Noted(Box<Noted>),
    /// As JSON.
    Written(Line),
}

/// A note with its place in the game.
#[derive(Serialize)]
pub(crate) struct Noted {
    /// How many answers and rolls stood when it was written, those taken back left out.
    pub(crate) at: usize,
    #[serde(flatten)]
    pub(crate) note: Note,
}

/// A line of the log as JSON, and who may read it.
pub(crate) struct Line {
    pub(crate) only: Option<Viewer>,
    /// A [`Noted`].
    pub(crate) json: Box<RawValue>,
}

impl Line {
    /// The line with a number.
    pub(crate) fn numbered(&self, number: usize) -> Result<Box<RawValue>, serde_json::Error> {
        let fields = self.json.get().strip_prefix('{').unwrap_or_default();
        RawValue::from_string(format!("{{\"number\":{number},{fields}"))
    }
}

impl Logged {
    pub(crate) fn seen_by(&self, viewer: Viewer) -> bool {
        let only = match self {
            Logged::Noted(noted) => noted.note.only,
            Logged::Written(line) => line.only,
        };
        viewer == Viewer::Everything || only.is_none_or(|only| only == viewer)
    }
}

/// An entry that is still in effect.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Entered {
    /// Its number in the record, from 0.
    pub(crate) at: usize,
    /// Who answered; none for dice.
    pub(crate) seat: Option<Seat>,
    /// Why the answer cannot be taken back, if it cannot.
    pub(crate) fixed: Option<Fixed>,
}

/// How many answers can be taken back without replaying the game. Further ones are rare, and replaying finds them.
const MOST_SAVED: usize = 16;

/// The game as it stood before an entry, so that the entry is taken back without replaying the game.
pub(crate) struct Saved {
    /// How many entries stood.
    standing: usize,
    checkpoint: Arc<dyn AnyState>,
    answers: Vec<Answer>,
    sealed: BTreeMap<Seat, Value>,
    question: Question,
    /// How many lines of finished steps there were.
    log: usize,
    running: Vec<Note>,
    luck: [Luck; 2],
}

/// Why an answer cannot be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fixed {
    /// It completed a sealed question, so that secret choices were revealed.
    Revealed,
    /// It showed a player something about another side's pieces.
    Told,
}

/// What follows from the entries.
pub(crate) struct Derived {
    pub(crate) checkpoint: Arc<dyn AnyState>,
    /// Counts checkpoints. Taking an answer back makes a new one.
    pub(crate) step: u64,
    /// The answers of the present step; sealed ones that are not complete are kept apart.
    pub(crate) answers: Vec<Answer>,
    pub(crate) sealed: BTreeMap<Seat, Value>,
    pub(crate) question: Option<Question>,
    /// Notes of finished steps.
    pub(crate) log: Vec<Logged>,
    /// Notes of the step that is going on.
    pub(crate) running: Vec<Note>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) rolls: u64,
    pub(crate) luck: [Luck; 2],
    /// The entries still in effect, those taken back left out.
    pub(crate) standing: Vec<Entered>,
    /// The game before each of the latest entries that may be taken back, oldest first.
    pub(crate) saved: VecDeque<Saved>,
}

fn seat_side(game: &dyn AnyGame, seat: Seat) -> Side {
    game.seats().get(usize::from(seat.0)).map_or(Side::First, |info| info.side)
}

impl Derived {
    pub(crate) fn new(game: &dyn AnyGame) -> Self {
        let checkpoint: Arc<dyn AnyState> = game.setup().into();
        let outcome = game.outcome(checkpoint.as_ref());
        Self {
            checkpoint,
            step: 0,
            answers: Vec::new(),
            sealed: BTreeMap::new(),
            question: None,
            log: Vec::new(),
            running: Vec::new(),
            outcome,
            rolls: 0,
            luck: [Luck::default(); 2],
            standing: Vec::new(),
            saved: VecDeque::new(),
        }
    }

    /// Keeps the game as it stands before an entry, whose question is open.
    fn save(&mut self) {
        let Some(question) = self.question.clone() else { return };
        if self.saved.len() >= MOST_SAVED {
            self.saved.pop_front();
        }
        self.saved.push_back(Saved {
            standing: self.standing.len(),
            checkpoint: self.checkpoint.clone(),
            answers: self.answers.clone(),
            sealed: self.sealed.clone(),
            question,
            log: self.log.len(),
            running: self.running.clone(),
            luck: self.luck,
        });
    }

    /// Goes back to where `standing` entries stood; false if that is no longer kept. Rolls are counted on: one that was
    /// taken back is never drawn again.
    pub(crate) fn go_back(&mut self, standing: usize) -> bool {
        while self.saved.back().is_some_and(|saved| saved.standing > standing) {
            self.saved.pop_back();
        }
        if self.saved.back().is_none_or(|saved| saved.standing != standing) {
            return false;
        }
        let Some(saved) = self.saved.pop_back() else { return false };
        self.checkpoint = saved.checkpoint;
        self.step += 1;
        self.answers = saved.answers;
        self.sealed = saved.sealed;
        self.question = Some(saved.question);
        self.log.truncate(saved.log);
        self.running = saved.running;
        self.luck = saved.luck;
        self.standing.truncate(standing);
        true
    }

    /// The answers of the present step, those that are still sealed included, as the rules read them.
    fn tape(&self) -> Vec<Answer> {
        let mut answers = self.answers.clone();
        if !self.sealed.is_empty() {
            answers.push(Answer::Sealed(self.sealed.clone()));
        }
        answers
    }

    /// Runs the rules until they ask or the game is over. Returns what they roll meanwhile: entries of the record from
    /// number `at` on.
    pub(crate) fn run(&mut self, game: &dyn AnyGame, at: usize, dice: &Arc<DiceSource>) -> Result<Vec<Entry>, Refusal> {
        let mut entries = Vec::new();
        while self.outcome.is_none() && self.question.is_none() {
            let answers = self.tape();
            let known = answers.len();
            let mut tape = Tape::with_dice(answers, DiceFrom::Numbered(dice.clone(), self.rolls));
            let progress = game.advance(self.checkpoint.as_ref(), &mut tape)?;
            let rolled = tape.answers()[known..].to_vec();
            let (_, notes, _) = tape.into_parts();
            self.enter(game, at, &rolled, &mut entries);
            match progress {
                Progress::Asks(question) => {
                    self.answers.extend(rolled);
                    self.running = notes;
                    self.question = Some(question);
                }
                Progress::Stepped(position) => {
                    if let Some(Entered { seat: Some(seat), fixed: fixed @ None, .. }) = self.standing.last_mut() {
                        *fixed = game.tells(self.checkpoint.as_ref(), position.as_ref(), *seat).then_some(Fixed::Told);
                    }
                    self.stepped(game, position, notes);
                }
            }
        }
        Ok(entries)
    }

    /// Takes note of rolls that become entries of the record, the first of `entries` being number `at`.
    fn enter(&mut self, game: &dyn AnyGame, at: usize, rolled: &[Answer], entries: &mut Vec<Entry>) {
        for answer in rolled {
            if let Answer::Dice(faces) = answer {
                self.rolls += 1;
                // Nothing before a roll can be taken back, except by a referee.
                if !game.table() {
                    self.saved.clear();
                }
                self.standing.push(Entered { at: at + entries.len(), seat: None, fixed: None });
                entries.push(Entry::Dice(faces.clone()));
            }
        }
    }

    fn stepped(&mut self, game: &dyn AnyGame, position: Position, notes: Vec<Note>) {
        let at = self.standing.len();
        for note in notes {
            self.log.push(Logged::Noted(Box::new(Noted { at, note })));
        }
        for (sum, step) in self.luck.iter_mut().zip(game.luck(self.checkpoint.as_ref(), position.as_ref())) {
            *sum += step;
        }
        self.checkpoint = position.into();
        self.step += 1;
        self.answers.clear();
        self.sealed.clear();
        self.running.clear();
        self.question = None;
        self.outcome = game.outcome(self.checkpoint.as_ref());
        if self.outcome.is_some() {
            self.tell_luck(game, at);
        }
    }

    /// The luck meter of a finished game: what the dice gave each side, beside what such dice give on average.
    fn tell_luck(&mut self, game: &dyn AnyGame, at: usize) {
        for side in Side::BOTH {
            let luck = self.luck[side.index()];
            if luck == Luck::default() {
                continue;
            }
            let name = game.seats().into_iter().find(|seat| seat.side == side).map_or(String::new(), |seat| seat.name);
            let points = |thousandths: i64| {
                format!(
                    "{}{}.{:02}",
                    if thousandths < 0 { "−" } else { "" },
                    thousandths.abs() / 1000,
                    thousandths.abs() % 1000 / 10
                )
            };
            let text = format!(
                "Luck: the dice gave {name} {} points; the average is {}.",
                points(luck.real),
                points(luck.expected)
            );
            let note =
                Note::new("luck", text).outcome(serde_json::json!({"expected": luck.expected, "real": luck.real}));
            self.log.push(Logged::Noted(Box::new(Noted { at, note })));
        }
    }

    /// Takes an answer to the open question: entry number `at` of the record, from 0. Returns what the rules roll then:
    /// the entries after it.
    pub(crate) fn take(
        &mut self,
        game: &dyn AnyGame,
        at: usize,
        entry: &Entry,
        dice: &Arc<DiceSource>,
    ) -> Result<Vec<Entry>, Refusal> {
        let question = self.question.as_ref().ok_or_else(|| Refusal::new("nothing-asked", "Nothing is asked."))?;
        let given = match (entry, question) {
            (Entry::Dice(faces), Question::Dice { .. }) => Answer::Dice(faces.clone()),
            (Entry::Answer { seat, value }, Question::Choice(asked)) if game.table() || asked.seat == *seat => {
                let mut value = value.clone();
                if let Some(fields) = value.as_object_mut().filter(|_| game.table()) {
                    fields.insert("by".to_owned(), seat.0.into());
                }
                Answer::Choice(value)
            }
            (Entry::Answer { seat, value }, Question::Secret { .. }) if question.to(*seat).is_some() => {
                let mut sealed = self.sealed.clone();
                sealed.insert(*seat, value.clone());
                Answer::Sealed(sealed)
            }
            (Entry::Answer { .. }, Question::Dice { .. }) => {
                return Err(Refusal::new("dice-due", "Dice have to be rolled first."));
            }
            (Entry::Answer { seat, .. }, _) => {
                return Err(Refusal::new("not-your-turn", format!("{seat} has nothing to answer now.")));
            }
            _ => return Err(Refusal::new("no-dice-due", "No dice are called for now.")),
        };
        let before = self.answers.len();
        let mut answers = Vec::with_capacity(before + 1);
        answers.extend_from_slice(&self.answers);
        answers.push(given.clone());
        let rolls = self.rolls + u64::from(matches!(entry, Entry::Dice(_)));
        let mut tape = Tape::with_dice(answers, DiceFrom::Numbered(dice.clone(), rolls));
        let progress = game.advance(self.checkpoint.as_ref(), &mut tape)?;
        let rolled = tape.answers()[before + 1..].to_vec();
        let (used, (_, notes, _)) = (tape.used(), tape.into_parts());
        let revealed =
            matches!(given, Answer::Sealed(_)) && (matches!(progress, Progress::Stepped(_)) || used > before);
        let seat = match entry {
            Entry::Answer { seat, .. } => Some(*seat),
            _ => None,
        };
        let told = match (&progress, &given, seat) {
            (Progress::Stepped(position), _, Some(seat)) => {
                game.tells(self.checkpoint.as_ref(), position.as_ref(), seat)
            }
            // Where something is hidden, what is asked next within the step may follow from it.
            (Progress::Asks(_), Answer::Choice(_), _) => !game.open(),
            _ => false,
        };
        let fixed = if revealed { Some(Fixed::Revealed) } else { told.then_some(Fixed::Told) };
        match (seat, fixed) {
            (Some(_), None | Some(Fixed::Told)) => self.save(),
            _ if game.table() => {}
            _ => self.saved.clear(),
        }
        self.rolls = rolls;
        self.standing.push(Entered { at, seat, fixed });
        let mut entries = Vec::new();
        self.enter(game, at + 1, &rolled, &mut entries);
        match progress {
            Progress::Stepped(position) => self.stepped(game, position, notes),
            Progress::Asks(question) => {
                match given {
                    Answer::Sealed(sealed) if !revealed => self.sealed = sealed,
                    // Sealed answers that are all in have become part of the tape.
                    given => {
                        self.answers.push(given);
                        self.answers.extend(rolled);
                        self.sealed.clear();
                    }
                }
                self.running = notes;
                self.question = Some(question);
            }
        }
        Ok(entries)
    }

    /// Ends the game for a reason outside its rules, and says so in the log.
    pub(crate) fn end(&mut self, game: &dyn AnyGame, ending: Ending) {
        let seats = game.seats();
        let player = |seat: Seat| seats.get(usize::from(seat.0)).map_or(String::new(), |seat| seat.name.clone());
        let side =
            |side: Side| seats.iter().find(|seat| seat.side == side).map_or(String::new(), |seat| seat.name.clone());
        let winner = match ending {
            Ending::Resignation(seat) | Ending::Time(seat) => Some(seat_side(game, seat).other()),
            Ending::TimeOfBoth | Ending::Draw => None,
        };
        let won = winner.map(side).unwrap_or_default();
        let (level, what, text, summary) = match ending {
            Ending::Resignation(seat) => (
                "resignation",
                "resignation",
                says(&player(seat), "resigns.", "resign."),
                says(&won, "wins by resignation.", "win by resignation."),
            ),
            Ending::Time(seat) => {
                let text = format!("The time of {} has run out.", player(seat));
                ("time", "time", text, says(&won, "wins on time.", "win on time."))
            }
            Ending::TimeOfBoth => (
                "time",
                "time",
                "Both sides have run out of time.".to_owned(),
                "A draw: both sides ran out of time in the same moment.".to_owned(),
            ),
            Ending::Draw => {
                ("agreed draw", "draw", "Both sides agree on a draw.".to_owned(), "A draw by agreement.".to_owned())
            }
        };
        self.question = None;
        // What the unfinished step has shown so far stays in the log, before the line that ends the game.
        let at = self.standing.len();
        for note in std::mem::take(&mut self.running).into_iter().chain([Note::new(what, text)]) {
            self.log.push(Logged::Noted(Box::new(Noted { at, note })));
        }
        self.outcome = Some(Outcome { winner, level: level.to_owned(), points: [0, 0], summary, details: Value::Null });
    }
}

/// A sentence about a side: `Germany resigns.`, `The Allies resign.`
fn says(name: &str, one: &str, many: &str) -> String {
    let several = ["Allies", "Powers"].iter().any(|end| name.ends_with(end));
    if several { format!("The {name} {many}") } else { format!("{name} {one}") }
}

/// A reason outside the rules for which a game ends.
#[derive(Clone, Copy)]
pub(crate) enum Ending {
    Resignation(Seat),
    Time(Seat),
    TimeOfBoth,
    Draw,
}
