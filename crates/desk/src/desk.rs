use crate::dice::DiceSource;
use crate::record::{DiceLine, Entry, FORMAT, Header, Record};
use flagplot_catalog::{AnyGame, AnyState, Catalog, PlayerKind, Position, Thought};
use flagplot_kernel::{Answer, Chance, Die, Insight, Luck, Note, Outcome, Progress, Question, Refusal, Scene, Seat, SeatInfo, SeatQuestion, Side, Tape, Viewer};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A line of the log: a note with its number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LogEntry {
    /// Its number, from 1, the same for every viewer.
    pub number: usize,
    /// How many answers and rolls stood when it was written, those taken back left out.
    pub at: usize,
    /// What it says.
    #[serde(flatten)]
    pub note: Note,
}

/// What the game waits for, as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Waiting {
    /// The seats that have to answer.
    pub seats: Vec<Seat>,
    /// Whether their answers are sealed until all are in.
    pub secret: bool,
    /// Real dice that have to be typed in: how many, which, what for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub dice: Option<(u32, Die, String)>,
}

/// Everything one viewer may know about a game at this moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Situation {
    /// How many entries the record has; changes with every accepted answer.
    pub at: usize,
    /// What the viewer knows.
    pub view: Value,
    /// What the viewer sees.
    pub scene: Scene,
    /// What the viewer is asked, if it is.
    pub question: Option<SeatQuestion>,
    /// What the game waits for.
    pub waiting: Waiting,
    /// Whether the viewer may take its last answer back.
    pub can_undo: bool,
    /// How the game ended, once it has.
    pub outcome: Option<Outcome>,
}

/// One game being played.
///
/// It is a function of its record: opening the same game and applying the same entries gives the same desk.
pub struct Desk {
    game: Arc<dyn AnyGame>,
    header: Header,
    dice: DiceSource,
    entries: Vec<Entry>,
    live: Live,
}

/// What follows from the entries.
struct Live {
    checkpoint: Position,
    /// The answers of the present step; sealed ones that are not complete are kept apart.
    answers: Vec<Answer>,
    sealed: BTreeMap<Seat, Value>,
    question: Option<Question>,
    /// Notes of finished steps.
    log: Vec<LogEntry>,
    /// Notes of the step that is going on.
    running: Vec<Note>,
    outcome: Option<Outcome>,
    rolls: u64,
    luck: [Luck; 2],
    /// The entries still in effect, those taken back left out, and whether each completed a sealed question.
    standing: Vec<(Entry, bool)>,
}

impl Desk {
    /// Opens a game. `seats` says in words who sits where.
    pub fn open(catalog: &Catalog, system: &str, scenario: &str, options: Value, seats: Vec<String>, dice: DiceSource) -> Result<Self, Refusal> {
        let game = catalog.system(system)?.game(scenario, &options)?;
        let chairs = game.seats().len();
        if seats.len() != chairs {
            return Err(Refusal::new("wrong-seats", format!("This game has {chairs} seats; {} are named.", seats.len())));
        }
        let line = match &dice {
            DiceSource::Committed { secret, entropies } => DiceLine::Committed { commitment: secret.commitment(), entropies: entropies.clone() },
            DiceSource::Seeded(seed) => DiceLine::Seeded { seed: seed.to_string() },
            DiceSource::Typed => DiceLine::Typed,
        };
        let header = Header { flagplot: FORMAT, system: system.to_owned(), edition: catalog.edition(system)?, scenario: scenario.to_owned(), options, seats, dice: line };
        let live = Live::new(game.as_ref());
        let mut desk = Self { game, header, dice, entries: Vec::new(), live };
        desk.settle()?;
        Ok(desk)
    }

    /// Goes on with a record, rolling its dice as before.
    pub fn resume(catalog: &Catalog, record: &Record) -> Result<Self, Refusal> {
        let mut desk = record.replay(catalog, None)?;
        desk.dice = record.dice_source()?;
        desk.settle()?;
        Ok(desk)
    }

    pub(crate) fn set_header_dice(&mut self, dice: DiceLine) {
        self.header.dice = dice;
    }

    /// The first line of the record.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The chairs.
    #[must_use]
    pub fn seats(&self) -> Vec<SeatInfo> {
        self.game.seats()
    }

    /// Everything that has happened.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How the game ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.live.outcome.clone()
    }

    /// What the rules wait for.
    #[must_use]
    pub fn question(&self) -> Option<&Question> {
        self.live.question.as_ref()
    }

    /// The question put to a seat, if it has not answered yet.
    #[must_use]
    pub fn question_to(&self, seat: Seat) -> Option<&SeatQuestion> {
        self.live.question.as_ref().and_then(|question| question.to(seat))
    }

    /// The dice that are due, if dice are.
    #[must_use]
    pub fn dice_due(&self) -> Option<(u32, Die, String)> {
        match &self.live.question {
            Some(Question::Dice { count, die, what }) => Some((*count, *die, what.clone())),
            _ => None,
        }
    }

    /// Everything a viewer may know now.
    #[must_use]
    pub fn situation(&self, viewer: Viewer) -> Situation {
        let viewer = if self.live.outcome.is_some() { Viewer::Everything } else { viewer };
        let position = self.live.checkpoint.as_ref();
        let question = match viewer {
            Viewer::Seat(seat) => self.question_to(seat).cloned(),
            _ => None,
        };
        let (seats, secret) = match &self.live.question {
            Some(question @ Question::Secret { .. }) => (question.open().iter().map(|question| question.seat).collect(), true),
            Some(question) => (question.open().iter().map(|question| question.seat).collect(), false),
            None => (Vec::new(), false),
        };
        let can_undo = matches!(viewer, Viewer::Seat(seat) if self.undoable(seat).is_ok());
        Situation {
            at: self.entries.len(),
            view: self.game.view(position, viewer),
            scene: self.game.scene(position, viewer),
            question,
            waiting: Waiting { seats, secret, dice: self.dice_due() },
            can_undo,
            outcome: self.live.outcome.clone(),
        }
    }

    /// The log from entry `after` on, as far as a viewer may read it. The notes of an unfinished step come last and may still change.
    #[must_use]
    pub fn log(&self, viewer: Viewer, after: usize) -> Vec<LogEntry> {
        let viewer = if self.live.outcome.is_some() { Viewer::Everything } else { viewer };
        let first = self.live.log.len();
        // Numbers are positions: what comes before `after` is skipped before it is copied.
        let settled = self.live.log.iter().skip(after).filter(|entry| entry.note.seen_by(viewer)).cloned();
        let running = self.live.running.iter().enumerate().skip(after.saturating_sub(first)).filter(|(_, note)| note.seen_by(viewer));
        settled.chain(running.map(|(at, note)| LogEntry { number: first + at + 1, at: self.live.standing.len(), note: note.clone() })).collect()
    }

    /// How many entries of the log belong to finished steps: only an answer taken back can change them.
    #[must_use]
    pub fn settled_log(&self) -> usize {
        self.live.log.len()
    }

    /// What the asked seat may want to know before it answers (with `value`, or at all).
    #[must_use]
    pub fn explain(&self, seat: Seat, value: Option<&Value>) -> Vec<Insight> {
        match self.question_to(seat) {
            Some(question) => self.game.explain(self.live.checkpoint.as_ref(), &self.live.answers, question, value),
            None => Vec::new(),
        }
    }

    /// What a player made of code would answer for a seat, from what that seat knows.
    #[must_use]
    pub fn think(&self, seat: Seat, kind: PlayerKind, chance: &mut Chance) -> Option<Value> {
        self.question_to(seat)?;
        self.game.think(self.live.checkpoint.as_ref(), &self.live.answers, seat, kind, chance).map(|thought| thought.value)
    }

    /// What a player of this kind (the admiral, say) would do for a seat, with the main alternatives and what they are worth. From what that seat knows.
    #[must_use]
    pub fn hint(&self, seat: Seat, kind: PlayerKind, chance: &mut Chance) -> Option<Thought> {
        self.question_to(seat)?;
        self.game.think(self.live.checkpoint.as_ref(), &self.live.answers, seat, kind, chance)
    }

    /// A seat answers. What is refused changes nothing.
    pub fn answer(&mut self, seat: Seat, value: Value) -> Result<(), Refusal> {
        self.apply(Entry::Answer { seat, value })
    }

    /// Somebody types in the dice that are due.
    pub fn type_dice(&mut self, faces: Vec<u8>) -> Result<(), Refusal> {
        if !matches!(self.dice, DiceSource::Typed) {
            return Err(Refusal::new("not-typed", "The dice of this game are not typed in by hand."));
        }
        self.apply(Entry::Dice(flagplot_kernel::Faces(faces)))
    }

    /// A seat takes back its last answer: only if nothing has happened since, no die, no revealed secret, no act of another.
    pub fn undo(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.apply(Entry::Undo { seat })
    }

    /// A seat gives up.
    pub fn resign(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.apply(Entry::Resign { seat })
    }

    /// Both sides have agreed on a draw.
    pub fn agree_draw(&mut self) -> Result<(), Refusal> {
        self.apply(Entry::Draw)
    }

    /// Applies an entry; what is refused changes nothing.
    pub fn apply(&mut self, entry: Entry) -> Result<(), Refusal> {
        if self.live.outcome.is_some() {
            return Err(Refusal::new("game-over", "The game is over."));
        }
        let known = |seat: Seat| usize::from(seat.0) < self.header.seats.len();
        match &entry {
            Entry::Undo { seat } => {
                let standing = self.undoable(*seat)?;
                let mut live = Live::new(self.game.as_ref());
                for (entry, _) in standing {
                    live.run(self.game.as_ref())?;
                    live.take(self.game.as_ref(), entry)?;
                }
                live.run(self.game.as_ref())?;
                self.live = live;
            }
            Entry::Resign { seat } if known(*seat) => self.live.end(self.game.as_ref(), Some(seat_side(self.game.as_ref(), *seat).other()), "resignation"),
            Entry::Resign { seat } => return Err(Refusal::new("unknown-seat", format!("There is no {seat} in this game."))),
            Entry::Draw => self.live.end(self.game.as_ref(), None, "agreed draw"),
            Entry::Dice(_) | Entry::Answer { .. } => self.live.take(self.game.as_ref(), &entry)?,
        }
        self.entries.push(entry);
        self.settle()
    }

    /// Lets the rules run until they wait for a player.
    fn settle(&mut self) -> Result<(), Refusal> {
        loop {
            self.live.run(self.game.as_ref())?;
            let Some((count, die, what)) = self.dice_due() else { return Ok(()) };
            let Some(faces) = self.dice.roll(self.live.rolls, count, die, &what) else { return Ok(()) };
            let entry = Entry::Dice(faces);
            self.live.take(self.game.as_ref(), &entry)?;
            self.entries.push(entry);
        }
    }

    /// The entries that would stand if the seat took its last answer back.
    fn undoable(&self, seat: Seat) -> Result<&[(Entry, bool)], Refusal> {
        let cannot = |why: &str| Err(Refusal::new("cannot-undo", why));
        match self.live.standing.as_slice() {
            _ if self.live.outcome.is_some() => Err(Refusal::new("game-over", "The game is over.")),
            [] => cannot("There is nothing to take back."),
            // A sealed answer may be taken back while it is sealed.
            [.., (Entry::Answer { .. }, true)] => cannot("Secret choices have been revealed since."),
            [before @ .., (Entry::Answer { seat: last, .. }, false)] if *last == seat => Ok(before),
            _ => cannot("Dice have been rolled or somebody else has acted since."),
        }
    }

    /// The game as a record. The secret of the dice is in it if the game is over, or if it is to be resumed from this file.
    #[must_use]
    pub fn record(&self, resumable: bool) -> Record {
        let over = self.live.outcome.is_some();
        let secret = match &self.dice {
            DiceSource::Committed { secret, .. } if over || resumable => Some(secret.reveal()),
            _ => None,
        };
        Record { header: self.header.clone(), entries: self.entries.clone(), secret, outcome: self.live.outcome.as_ref().map(|outcome| outcome.summary.clone()) }
    }

    /// The forces that were put together at this table, as a data file from which they can be played again under this id.
    pub fn scenario_file(&self, id: &str, title: &str) -> Result<String, Refusal> {
        self.game.scenario_file(self.live.checkpoint.as_ref(), id, title)
    }

    /// The checkpoint of the present step, for tests and snapshots.
    #[must_use]
    pub fn checkpoint(&self) -> &dyn AnyState {
        self.live.checkpoint.as_ref()
    }

    /// The answers of the present step.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.live.answers
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }
}

fn seat_side(game: &dyn AnyGame, seat: Seat) -> Side {
    game.seats().get(usize::from(seat.0)).map_or(Side::First, |info| info.side)
}

impl Live {
    fn new(game: &dyn AnyGame) -> Self {
        let checkpoint = game.setup();
        let outcome = game.outcome(checkpoint.as_ref());
        Self {
            checkpoint,
            answers: Vec::new(),
            sealed: BTreeMap::new(),
            question: None,
            log: Vec::new(),
            running: Vec::new(),
            outcome,
            rolls: 0,
            luck: [Luck::default(); 2],
            standing: Vec::new(),
        }
    }

    /// Runs the rules until they ask or the game is over.
    fn run(&mut self, game: &dyn AnyGame) -> Result<(), Refusal> {
        while self.outcome.is_none() && self.question.is_none() {
            let mut answers = self.answers.clone();
            if !self.sealed.is_empty() {
                answers.push(Answer::Sealed(self.sealed.clone()));
            }
            let mut tape = Tape::new(answers);
            match game.advance(self.checkpoint.as_ref(), &mut tape)? {
                Progress::Asks(question) => {
                    self.running = tape.notes().to_vec();
                    self.question = Some(question);
                }
                Progress::Stepped(position) => self.stepped(game, position, &tape),
            }
        }
        Ok(())
    }

    fn stepped(&mut self, game: &dyn AnyGame, position: Position, tape: &Tape) {
        let at = self.standing.len();
        for note in tape.notes() {
            let number = self.log.len() + 1;
            self.log.push(LogEntry { number, at, note: note.clone() });
        }
        for (sum, step) in self.luck.iter_mut().zip(game.luck(self.checkpoint.as_ref(), position.as_ref())) {
            *sum += step;
        }
        self.checkpoint = position;
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
            let points = |thousandths: i64| format!("{}{}.{:02}", if thousandths < 0 { "−" } else { "" }, thousandths.abs() / 1000, thousandths.abs() % 1000 / 10);
            let text = format!("Luck: the dice gave {name} {} points; on average such dice give {}.", points(luck.real), points(luck.expected));
            let note = Note::new("luck", text).outcome(serde_json::json!({"expected": luck.expected, "real": luck.real}));
            let number = self.log.len() + 1;
            self.log.push(LogEntry { number, at, note });
        }
    }

    /// Takes an answer to the open question.
    fn take(&mut self, game: &dyn AnyGame, entry: &Entry) -> Result<(), Refusal> {
        let question = self.question.as_ref().ok_or_else(|| Refusal::new("nothing-asked", "Nothing is asked."))?;
        let mut answers = self.answers.clone();
        let mut sealed = self.sealed.clone();
        match (entry, question) {
            (Entry::Dice(faces), Question::Dice { .. }) => answers.push(Answer::Dice(faces.clone())),
            (Entry::Answer { seat, value }, Question::Choice(asked)) if asked.seat == *seat => answers.push(Answer::Choice(value.clone())),
            (Entry::Answer { seat, value }, Question::Secret { .. }) if question.to(*seat).is_some() => {
                sealed.insert(*seat, value.clone());
            }
            (Entry::Answer { .. }, Question::Dice { .. }) => return Err(Refusal::new("dice-due", "Dice have to be rolled first.")),
            (Entry::Answer { seat, .. }, _) => return Err(Refusal::new("not-your-turn", format!("{seat} is not asked anything now."))),
            _ => return Err(Refusal::new("no-dice-due", "No dice are called for now.")),
        }
        let mut tape_answers = answers.clone();
        if !sealed.is_empty() {
            tape_answers.push(Answer::Sealed(sealed.clone()));
        }
        let mut tape = Tape::new(tape_answers);
        let progress = game.advance(self.checkpoint.as_ref(), &mut tape)?;
        self.rolls += u64::from(matches!(entry, Entry::Dice(_)));
        let revealed = !sealed.is_empty() && (matches!(progress, Progress::Stepped(_)) || tape.used() > answers.len());
        self.standing.push((entry.clone(), revealed));
        match progress {
            Progress::Stepped(position) => self.stepped(game, position, &tape),
            Progress::Asks(question) => {
                // Sealed answers that are all in have become part of the tape.
                if revealed {
                    answers.push(Answer::Sealed(std::mem::take(&mut sealed)));
                }
                self.answers = answers;
                self.sealed = sealed;
                self.running = tape.notes().to_vec();
                self.question = Some(question);
            }
        }
        Ok(())
    }

    /// Ends the game by agreement or resignation.
    fn end(&mut self, game: &dyn AnyGame, winner: Option<Side>, how: &str) {
        let name = |side: Side| game.seats().into_iter().find(|seat| seat.side == side).map_or(String::new(), |seat| seat.name);
        let summary = winner.map_or_else(|| "A draw by agreement.".to_owned(), |side| format!("{} wins by resignation.", name(side)));
        self.question = None;
        self.outcome = Some(Outcome { winner, level: how.to_owned(), points: [0, 0], summary, details: Value::Null });
    }
}
