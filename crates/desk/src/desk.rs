use crate::derived::{Derived, Ending, Entered, Fixed, Line, Logged, Noted};
use crate::dice::{DiceSource, Joining};
use crate::record::{DiceLine, Entry, FORMAT, Header, HintUse, Record};
use crate::words::thought_in_words;
use flagplot_catalog::{AnyGame, AnyState, Catalog, PlayerKind, Thought};
use flagplot_kernel::{
    Answer, Chance, Dice, Die, Insight, Note, Outcome, Question, Refusal, Scene, Seat, SeatInfo, SeatQuestion, Viewer,
};
use schemars::JsonSchema;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;

/// A line of the log: a note with its number.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LogEntry {
    /// Its number among the lines this viewer may read, from 1. Once the game is over, every viewer reads every line.
    pub number: usize,
    /// How many answers and rolls stood when it was written, those taken back left out.
    pub at: usize,
    /// What it says.
    #[serde(flatten)]
    pub note: Note,
}

/// What the game waits for, as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Waiting {
    /// The seats that have to answer.
    pub seats: Vec<Seat>,
    /// Whether their answers are sealed until all are in.
    pub secret: bool,
    /// Real dice that have to be typed in: how many, which, what for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<(u32, Die, String)>,
    /// The seats that have yet to take part in the dice before the roll that is due.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joining: Vec<Seat>,
}

/// Everything one viewer may know about a game at this moment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
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

/// What a viewer sees of a checkpoint, written as JSON. It stays the same until the step is finished.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What the viewer knows.
    pub view: Arc<RawValue>,
    /// What the viewer sees.
    pub scene: Arc<RawValue>,
}

/// A [`Situation`] that borrows what it shows: the same fields in the same order.
#[derive(Serialize)]
pub struct Shown<'a> {
    at: usize,
    view: &'a RawValue,
    scene: &'a RawValue,
    question: Option<&'a SeatQuestion>,
    waiting: Waiting,
    can_undo: bool,
    outcome: Option<&'a Outcome>,
}

/// The part of a [`Situation`] that changes with every answer: all but view and scene, in the same order.
#[derive(Serialize)]
pub struct Moment<'a> {
    at: usize,
    question: Option<&'a SeatQuestion>,
    waiting: Waiting,
    can_undo: bool,
    outcome: Option<&'a Outcome>,
}

/// The log as far as a viewer may read it, on its way out.
pub struct Lines<'a> {
    desk: &'a Desk,
    viewer: Viewer,
    after: usize,
}

/// A [`LogEntry`] that borrows what it says.
#[derive(Serialize)]
struct Numbered<'a> {
    number: usize,
    #[serde(flatten)]
    noted: &'a Noted,
}

impl Serialize for Lines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lines = serializer.serialize_seq(None)?;
        for (number, line) in self.desk.settled(self.viewer, self.after) {
            match line {
                Logged::Noted(noted) => lines.serialize_element(&Numbered { number, noted })?,
                Logged::Written(line) => {
                    lines.serialize_element(&line.numbered(number).map_err(serde::ser::Error::custom)?)?;
                }
            }
        }
        for entry in self.desk.running(self.viewer, self.after) {
            lines.serialize_element(&entry)?;
        }
        lines.end()
    }
}

fn cannot_undo(why: &str) -> Refusal {
    Refusal::new("cannot-undo", why)
}

/// One game being played.
///
/// It is a function of its record: opening the same game and applying the same entries gives the same desk.
pub struct Desk {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) header: Header,
    pub(crate) dice: Arc<DiceSource>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) derived: Derived,
}

impl Desk {
    /// Opens a game. `seats` says in words who sits where.
    pub fn open(
        catalog: &Catalog,
        system: &str,
        scenario: &str,
        options: Value,
        seats: Vec<String>,
        dice: DiceSource,
    ) -> Result<Self, Refusal> {
        let game = catalog.game(system, scenario, &options)?;
        let chairs = game.seats().len();
        if seats.len() != chairs {
            return Err(Refusal::new(
                "wrong-seats",
                format!("This game has {chairs} seats; {} are named.", seats.len()),
            ));
        }
        let header = Header {
            flagplot: FORMAT,
            system: system.to_owned(),
            edition: catalog.edition(system)?,
            scenario: scenario.to_owned(),
            options,
            seats,
            dice: DiceLine::from(&dice),
            imported: Vec::new(),
            hints: Vec::new(),
        };
        let derived = Derived::new(game.as_ref());
        let mut desk = Self { game, header, dice: Arc::new(dice), entries: Vec::new(), derived };
        desk.settle()?;
        Ok(desk)
    }

    /// Goes on with a record, rolling its dice as before.
    pub fn resume(catalog: &Catalog, record: &Record) -> Result<Self, Refusal> {
        record.replay(catalog, None)?.with_dice_of(record)
    }

    /// The same desk with a record's dice. A finished game rolls no more: its record may lack the secret.
    pub(crate) fn with_dice_of(mut self, record: &Record) -> Result<Self, Refusal> {
        match record.dice_source() {
            Ok(dice) => self.dice = Arc::new(dice),
            Err(_) if self.is_over() => {}
            Err(refusal) => return Err(refusal),
        }
        self.settle()?;
        Ok(self)
    }

    /// A seat commits to what it adds to the dice, reveals it, or waives; false if it has done so before. After the
    /// last seat, the dice that are due are rolled. A refusal changes nothing.
    pub fn join_dice(&mut self, seat: Seat, joining: Joining) -> Result<bool, Refusal> {
        let DiceSource::Committed { secret, shares } = &*self.dice else {
            return Err(Refusal::new(
                "no-fair-dice",
                "The dice of this game do not come from a secret the server has committed to.",
            ));
        };
        let (secret, mut shares) = (secret.clone(), shares.clone());
        if !shares.join(seat, joining)? {
            return Ok(false);
        }
        let dice = DiceSource::Committed { secret, shares };
        self.header.dice = DiceLine::from(&dice);
        self.dice = Arc::new(dice);
        self.settle()?;
        Ok(true)
    }

    /// The seats that a roll waits for: they have yet to take part in the dice.
    #[must_use]
    pub fn joining(&self) -> Vec<Seat> {
        match (&self.derived.question, self.header.dice.shares()) {
            (Some(Question::Dice { .. }), Some(shares)) => shares.missing(),
            _ => Vec::new(),
        }
    }

    /// The first line of the record.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Notes in the record that a seat was given a hint.
    pub fn note_hint(&mut self, hint: HintUse) {
        self.header.flagplot = self.header.flagplot.max(FORMAT);
        self.header.hints.push(hint);
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
        self.derived.outcome.clone()
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.derived.outcome.is_some()
    }

    /// What the rules wait for.
    #[must_use]
    pub fn question(&self) -> Option<&Question> {
        self.derived.question.as_ref()
    }

    /// The question put to a seat, if it has not answered yet.
    #[must_use]
    pub fn question_to(&self, seat: Seat) -> Option<&SeatQuestion> {
        let question = self.derived.question.as_ref()?;
        let shared = || question.open().first().filter(|_| self.game.table());
        question.to(seat).or_else(shared)
    }

    /// The dice that are due, if dice are.
    #[must_use]
    pub fn dice_due(&self) -> Option<(u32, Die, String)> {
        match &self.derived.question {
            Some(Question::Dice { count, die, what }) => Some((*count, *die, what.clone())),
            _ => None,
        }
    }

    /// A finished game is open to everyone.
    fn eyes(&self, viewer: Viewer) -> Viewer {
        if self.derived.outcome.is_some() { Viewer::Everything } else { viewer }
    }

    fn question_for(&self, viewer: Viewer) -> Option<&SeatQuestion> {
        match viewer {
            Viewer::Seat(seat) => self.question_to(seat),
            _ => None,
        }
    }

    fn waiting(&self) -> Waiting {
        let (seats, secret) = match &self.derived.question {
            Some(question) => (
                question.open().iter().map(|question| question.seat).collect(),
                matches!(question, Question::Secret { .. }),
            ),
            None => (Vec::new(), false),
        };
        // Dice are typed in only where that was agreed; all others are rolled.
        let dice = self.dice_due().filter(|_| self.header.dice == DiceLine::Typed);
        Waiting { seats, secret, dice, joining: self.joining() }
    }

    fn can_undo(&self, viewer: Viewer) -> bool {
        matches!(viewer, Viewer::Seat(seat) if self.undoable(seat).is_ok())
    }

    /// Everything a viewer may know now.
    #[must_use]
    pub fn situation(&self, viewer: Viewer) -> Situation {
        let viewer = self.eyes(viewer);
        let position = self.derived.checkpoint.as_ref();
        Situation {
            at: self.entries.len(),
            view: self.game.view(position, viewer),
            scene: self.game.scene(position, viewer),
            question: self.question_for(viewer).cloned(),
            waiting: self.waiting(),
            can_undo: self.can_undo(viewer),
            outcome: self.derived.outcome.clone(),
        }
    }

    /// Changes whenever a [`Picture`] may have changed: with every finished step, with an answer taken back, with the
    /// end.
    #[must_use]
    pub fn picture_number(&self) -> (u64, bool) {
        (self.derived.step, self.derived.outcome.is_some())
    }

    /// What a viewer sees of the checkpoint, as JSON. Where all viewers see the same, another one's picture is reused.
    #[must_use]
    pub fn picture(&self, viewer: Viewer, other: Option<&Picture>) -> Picture {
        if let Some(same) = other.filter(|_| self.game.open()) {
            return same.clone();
        }
        let [view, scene] = self.game.show(self.derived.checkpoint.as_ref(), self.eyes(viewer)).map(Arc::from);
        Picture { view, scene }
    }

    /// The [`situation`](Desk::situation), to be serialised, with the viewer's picture of the present checkpoint.
    #[must_use]
    pub fn shown<'a>(&'a self, viewer: Viewer, picture: &'a Picture) -> Shown<'a> {
        let Moment { at, question, waiting, can_undo, outcome } = self.moment(viewer);
        Shown { at, view: &picture.view, scene: &picture.scene, question, waiting, can_undo, outcome }
    }

    /// The [`situation`](Desk::situation) without view and scene, to be serialised.
    #[must_use]
    pub fn moment(&self, viewer: Viewer) -> Moment<'_> {
        let viewer = self.eyes(viewer);
        Moment {
            at: self.entries.len(),
            question: self.question_for(viewer),
            waiting: self.waiting(),
            can_undo: self.can_undo(viewer),
            outcome: self.derived.outcome.as_ref(),
        }
    }

    /// The log after the viewer's line number `after`, as far as the viewer may read it. The notes of an unfinished
    /// step come last and may still change. Lines that were [written down](Desk::write_down) are not among them.
    #[must_use]
    pub fn log(&self, viewer: Viewer, after: usize) -> Vec<LogEntry> {
        let viewer = self.eyes(viewer);
        let settled = self.settled(viewer, after).filter_map(|(number, line)| match line {
            Logged::Noted(noted) => Some(LogEntry { number, at: noted.at, note: noted.note.clone() }),
            Logged::Written(_) => None,
        });
        settled.chain(self.running(viewer, after)).collect()
    }

    /// The lines of finished steps that a viewer may read, with the viewer's numbers.
    fn settled(&self, viewer: Viewer, after: usize) -> impl Iterator<Item = (usize, &Logged)> {
        let read = self.derived.log.iter().filter(move |line| line.seen_by(viewer));
        read.enumerate().skip(after).map(|(n, line)| (n + 1, line))
    }

    fn running(&self, viewer: Viewer, after: usize) -> impl Iterator<Item = LogEntry> {
        let at = self.derived.standing.len();
        let settled = if self.derived.running.is_empty() { 0 } else { self.settled(viewer, 0).count() };
        let read = self.derived.running.iter().filter(move |note| note.seen_by(viewer)).enumerate();
        read.skip(after.saturating_sub(settled)).map(move |(n, note)| LogEntry {
            number: settled + n + 1,
            at,
            note: note.clone(),
        })
    }

    /// Turns the settled lines of the log into JSON, once for all viewers: less memory for a server, and the form that
    /// snapshots hold.
    pub fn write_down(&mut self) -> Result<(), serde_json::Error> {
        let new =
            self.derived.log.iter().rposition(|line| matches!(line, Logged::Written(_))).map_or(0, |last| last + 1);
        for line in &mut self.derived.log[new..] {
            if let Logged::Noted(noted) = line {
                *line = Logged::Written(Line { only: noted.note.only, json: serde_json::value::to_raw_value(noted)? });
            }
        }
        Ok(())
    }

    /// The log after the viewer's line number `after`, as far as the viewer may read it, lines written down included,
    /// to be written.
    #[must_use]
    pub fn lines(&self, viewer: Viewer, after: usize) -> Lines<'_> {
        Lines { desk: self, viewer: self.eyes(viewer), after }
    }

    /// How many of the lines a viewer may read belong to finished steps: only an answer taken back can change them.
    #[must_use]
    pub fn settled_log(&self, viewer: Viewer) -> usize {
        self.settled(self.eyes(viewer), 0).count()
    }

    /// What the asked seat may want to know before it answers (with `value`, or at all).
    #[must_use]
    pub fn explain(&self, seat: Seat, value: Option<&Value>) -> Vec<Insight> {
        match self.question_to(seat) {
            Some(question) => {
                self.game.explain(self.derived.checkpoint.as_ref(), &self.derived.answers, question, value)
            }
            None => Vec::new(),
        }
    }

    /// What is to be said of a deed at a referee's table before it is done.
    #[must_use]
    pub fn consider(&self, value: &Value) -> Option<Value> {
        self.game.consider(self.derived.checkpoint.as_ref(), value)
    }

    /// What a computer player would answer for a seat, from what that seat knows.
    #[must_use]
    pub fn think(&self, seat: Seat, kind: PlayerKind, chance: &mut Chance) -> Option<Value> {
        self.question_to(seat)?;
        self.game
            .think(self.derived.checkpoint.as_ref(), &self.derived.answers, seat, kind, chance)
            .map(|thought| thought.value)
    }

    /// What a computer player of this kind would answer for a seat, with the main alternatives in words and their
    /// worth, from what that seat knows.
    #[must_use]
    pub fn hint(&self, seat: Seat, kind: PlayerKind, chance: &mut Chance) -> Option<Thought> {
        let question = self.question_to(seat)?;
        let thought = self.game.think(self.derived.checkpoint.as_ref(), &self.derived.answers, seat, kind, chance)?;
        Some(thought_in_words(question, thought))
    }

    /// A seat answers. What is refused changes nothing.
    pub fn answer(&mut self, seat: Seat, value: Value) -> Result<(), Refusal> {
        self.apply(Entry::Answer { seat, value })
    }

    /// Takes typed dice that are due.
    pub fn type_dice(&mut self, faces: Vec<u8>) -> Result<(), Refusal> {
        if !matches!(*self.dice, DiceSource::Typed) {
            return Err(Refusal::new("not-typed", "The dice of this game are not typed in by hand."));
        }
        self.apply(Entry::Dice(flagplot_kernel::Faces(faces)))
    }

    /// A seat takes back its last answer: only if nothing has happened since (no die, no revealed secret, no act of
    /// another seat), and if the answer showed no player anything about another side's pieces.
    pub fn undo(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.undoable(seat)?;
        self.apply(Entry::Undo { seat })
    }

    pub fn resign(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.apply(Entry::Resign { seat })
    }

    /// A seat's time has run out, and that loses the game.
    pub fn lose_on_time(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.apply(Entry::Timeout { seat })
    }

    /// Seats of both sides have run out of time in the same moment, so that neither wins.
    pub fn both_out_of_time(&mut self) -> Result<(), Refusal> {
        self.apply(Entry::TimeoutOfBoth)
    }

    /// Both sides have agreed on a draw.
    pub fn agree_draw(&mut self) -> Result<(), Refusal> {
        self.apply(Entry::Draw)
    }

    /// Applies an entry; what is refused changes nothing. An answer that a record says was taken back is taken back,
    /// whatever it told: older programs allowed that.
    pub fn apply(&mut self, entry: Entry) -> Result<(), Refusal> {
        if self.derived.outcome.is_some() {
            return Err(Refusal::new("game-over", "The game is over."));
        }
        let known = |seat: Seat| usize::from(seat.0) < self.header.seats.len();
        match &entry {
            Entry::Resign { .. } | Entry::Timeout { .. } | Entry::TimeoutOfBoth | Entry::Draw if self.game.table() => {
                return Err(Refusal::new("table", "A referee's table is neither won nor lost.")
                    .remedy("The referee closes it when the battle is over."));
            }
            Entry::Undo { seat } => {
                let (standing, _) = self.last_answer(*seat)?;
                let before = standing.len();
                if self.derived.go_back(before) {
                    self.entries.push(entry);
                    return self.settle();
                }
                let standing = &self.derived.standing[..before];
                let mut derived = Derived::new(self.game.as_ref());
                // What was rolled stands in the record; nothing is rolled anew.
                let (next, dice) = (self.entries.len() + 1, Arc::new(DiceSource::Typed));
                for entered in standing {
                    derived.run(self.game.as_ref(), next, &dice)?;
                    derived.take(self.game.as_ref(), entered.at, &self.entries[entered.at], &dice)?;
                }
                derived.run(self.game.as_ref(), next, &dice)?;
                derived.step += self.derived.step + 1;
                // A roll that was taken back, as only a referee can, is never drawn again.
                derived.rolls = self.derived.rolls;
                self.derived = derived;
            }
            Entry::Resign { seat } | Entry::Timeout { seat } if !known(*seat) => {
                return Err(Refusal::new("unknown-seat", format!("There is no {seat} in this game.")));
            }
            Entry::Resign { seat } => self.derived.end(self.game.as_ref(), Ending::Resignation(*seat)),
            Entry::Timeout { seat } => self.derived.end(self.game.as_ref(), Ending::Time(*seat)),
            Entry::TimeoutOfBoth => self.derived.end(self.game.as_ref(), Ending::TimeOfBoth),
            Entry::Draw => self.derived.end(self.game.as_ref(), Ending::Draw),
            Entry::Dice(_) | Entry::Answer { .. } => {
                self.take(entry)?;
                return self.settle();
            }
        }
        self.entries.push(entry);
        self.settle()
    }

    /// An answer or typed dice, and whatever the rules roll after it.
    fn take(&mut self, entry: Entry) -> Result<(), Refusal> {
        let rolled = self.derived.take(self.game.as_ref(), self.entries.len(), &entry, &self.dice)?;
        self.entries.push(entry);
        self.entries.extend(rolled);
        Ok(())
    }

    /// Lets the rules run until they wait for a player.
    pub(crate) fn settle(&mut self) -> Result<(), Refusal> {
        loop {
            let rolled = self.derived.run(self.game.as_ref(), self.entries.len(), &self.dice)?;
            self.entries.extend(rolled);
            // Dice that were due before it was known where they come from.
            let Some((count, die, what)) = self.dice_due() else { return Ok(()) };
            let Some(faces) = self.dice.roll(self.derived.rolls, count, die, &what) else { return Ok(()) };
            self.take(Entry::Dice(faces))?;
        }
    }

    /// The entries before the seat's last answer, and the answer: only if nothing has happened since and it is not
    /// revealed.
    fn last_answer(&self, seat: Seat) -> Result<(&[Entered], &Entered), Refusal> {
        if self.derived.outcome.is_some() {
            return Err(Refusal::new("game-over", "The game is over."));
        }
        if !self.joining().is_empty() {
            return Err(cannot_undo("A roll is due; it waits only for players to add to the dice."));
        }
        if self.game.table() {
            return self.last_correction(seat);
        }
        match self.derived.standing.as_slice() {
            [] => Err(cannot_undo("There is nothing to take back.")),
            // A sealed answer may be taken back while it is sealed.
            [.., Entered { fixed: Some(Fixed::Revealed), .. }] => {
                Err(cannot_undo("Secret choices have been revealed since."))
            }
            [before @ .., last] if last.seat == Some(seat) => Ok((before, last)),
            _ => Err(cannot_undo("Dice have been rolled or another player has acted since.")),
        }
    }

    /// The last answer at a referee's table with what was rolled after it. The referee corrects every mistake; a player
    /// only the latest answer of its own, and no dice that were rolled for it.
    fn last_correction(&self, seat: Seat) -> Result<(&[Entered], &Entered), Refusal> {
        let standing = self.derived.standing.as_slice();
        let Some(at) = standing.iter().rposition(|entered| entered.seat.is_some()) else {
            return Err(cannot_undo("There is nothing to take back."));
        };
        if seat != Seat(0) && (standing[at].seat != Some(seat) || at + 1 < standing.len()) {
            return Err(cannot_undo("Only the referee takes this back."));
        }
        Ok((&standing[..at], &standing[at]))
    }

    /// Whether the seat may take its last answer back.
    fn undoable(&self, seat: Seat) -> Result<(), Refusal> {
        match self.last_answer(seat)? {
            (_, Entered { fixed: Some(_), .. }) => Err(cannot_undo(
                "You cannot take this back: it showed a player something about the other side's pieces.",
            )),
            _ => Ok(()),
        }
    }

    /// The game as a record. It holds the secret of the dice if the game is over, or if it is to be resumed from the
    /// file.
    #[must_use]
    pub fn record(&self, resumable: bool) -> Record {
        let over = self.derived.outcome.is_some();
        let secret = match &*self.dice {
            DiceSource::Committed { secret, .. } if over || resumable => Some(secret.reveal()),
            _ => None,
        };
        Record {
            header: self.header.clone(),
            entries: self.entries.clone(),
            secret,
            outcome: self.derived.outcome.as_ref().map(|outcome| outcome.summary.clone()),
        }
    }

    /// The forces put together at this table, as a data file from which they can be played again under this id.
    pub fn scenario_file(&self, id: &str, title: &str) -> Result<String, Refusal> {
        self.game.scenario_file(self.derived.checkpoint.as_ref(), id, title)
    }

    /// The checkpoint of the present step, for tests and snapshots.
    #[must_use]
    pub fn checkpoint(&self) -> &dyn AnyState {
        self.derived.checkpoint.as_ref()
    }

    /// The answers of the present step.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.derived.answers
    }

    #[must_use]
    pub fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }
}
