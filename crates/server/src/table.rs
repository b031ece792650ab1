//! One game in memory: its desk, who sits at it, and what each viewer is told.

use crate::clock::Clock;
use crate::failure::Failure;
use crate::notify::Telling;
use crate::secret;
use crate::store::{Batch, Change, ChatRow, GameRow, Marks, SeatRow};
use crate::wire::{
    ChatLine, ClockPlan, DiceMode, Entropy, GameState, Meta, OnTimeout, SeatKind, SeatMeta, SeatPlan, Watcher, Webhook,
    You,
};
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceLine, Entry, Header, Joining, Picture, Pledge, Record};
use flagplot_kernel::{Question, Refusal, Seat, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use std::collections::HashMap;

/// A computer's turn that nobody has taken up after this time is taken up by whoever looks, in milliseconds.
const COMPUTER_DUE: i64 = 5_000;

/// What was agreed when the game was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Who sits where.
    pub seats: Vec<SeatPlan>,
    /// Where the dice come from.
    pub dice: DiceMode,
    /// Whether everybody may watch.
    pub spectators: bool,
    /// How much time there is.
    pub clock: Option<ClockPlan>,
    /// Who is told.
    pub webhook: Option<Webhook>,
    /// The maker's own seats: they may invite to the others.
    #[serde(default)]
    pub own: Vec<Seat>,
    /// How many entries the game had when it was imported, if it was.
    #[serde(default)]
    pub imported: Option<usize>,
}

/// What changes apart from entries and chat.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Status {
    /// Who offers a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_offer: Option<Seat>,
    /// The clocks.
    #[serde(default, skip_serializing_if = "Clock::is_new")]
    pub clock: Clock,
    /// The game that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<String>,
    /// Whom to tell that it is their turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Turn>,
}

/// A person's turn that the person wants to be told of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Whose.
    pub seat: Seat,
    /// How many entries there were when the question was put.
    pub at: usize,
    /// When it is to be told, if it is still open then.
    pub due: i64,
}

/// What a viewer has seen last. It stays the same for all answers of a step.
struct Told {
    picture: Picture,
    number: (u64, bool),
}

/// One game in memory. It is a cache of what the store has: dropping it loses nothing.
pub struct Table {
    /// Its id.
    pub id: String,
    /// How often it has changed.
    pub version: i64,
    /// When it began.
    pub created: i64,
    /// The game.
    pub desk: Desk,
    /// What was agreed.
    pub plan: Plan,
    /// What changes.
    pub status: Status,
    /// The seats.
    pub seats: Vec<SeatRow>,
    /// The chat.
    pub chat: Vec<ChatLine>,
    /// The secret of the dice.
    pub secret: Option<String>,
    /// How often an answer was taken back: the log may then have become shorter.
    pub undone: usize,
    title: String,
    meta: Option<Box<RawValue>>,
    /// How many entries and lines of chat the store has.
    kept: (usize, usize),
    /// For how many entries there is a snapshot.
    snapshot: usize,
    answers: HashMap<(u8, String), usize>,
    told: HashMap<Viewer, Told>,
    telling: Telling,
}

fn unreadable(what: &str) -> impl Fn(serde_json::Error) -> Failure + '_ {
    move |error| Failure::internal(format!("the {what} of a stored game cannot be read: {error}"))
}

impl Table {
    /// A game that is not kept yet.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        catalog: &Catalog,
        telling: Telling,
        id: String,
        created: i64,
        desk: Desk,
        plan: Plan,
        seats: Vec<SeatRow>,
        secret: Option<String>,
    ) -> Self {
        let header = desk.header();
        let title = catalog
            .system(&header.system)
            .ok()
            .and_then(|system| system.scenarios().into_iter().find(|scenario| scenario.id == header.scenario))
            .map_or_else(|| header.scenario.clone(), |scenario| scenario.title);
        let undone = desk.entries().iter().filter(|entry| matches!(entry, Entry::Undo { .. })).count();
        let mut table = Self {
            id,
            version: 1,
            created,
            desk,
            plan,
            status: Status::default(),
            seats,
            chat: Vec::new(),
            secret,
            undone,
            title,
            meta: None,
            kept: (0, 0),
            snapshot: 0,
            answers: HashMap::new(),
            told: HashMap::new(),
            telling,
        };
        table.run_clocks(created);
        table
    }

    /// The row of a game that is not kept yet.
    pub fn row(&self, now: i64) -> Result<GameRow, Failure> {
        let json = unreadable("new form");
        let entries = match self.desk.entries() {
            [] => Vec::new(),
            entries => vec![Batch { first: 0, body: serde_json::to_string(entries).map_err(&json)?, answer: None }],
        };
        Ok(GameRow {
            id: self.id.clone(),
            created: self.created,
            header: serde_json::to_string(self.desk.header()).map_err(&json)?,
            secret: self.secret.clone(),
            plan: serde_json::to_string(&self.plan).map_err(&json)?,
            version: self.version,
            status: serde_json::to_string(&self.status).map_err(&json)?,
            marks: self.marks(now),
            seats: self.seats.clone(),
            entries,
            chat: self.chat.iter().map(chat_row).collect(),
            snapshot: None,
        })
    }

    /// A game from what the store has.
    pub fn restore(catalog: &Catalog, telling: Telling, row: GameRow) -> Result<Self, Failure> {
        let header: Header = serde_json::from_str(&row.header).map_err(unreadable("header"))?;
        let plan: Plan = serde_json::from_str(&row.plan).map_err(unreadable("plan"))?;
        let mut entries = Vec::new();
        let mut answers = HashMap::new();
        for batch in row.entries {
            if let Some(answer) = batch.answer {
                answers.insert(answer, entries.len());
            }
            entries.extend(serde_json::from_str::<Vec<Entry>>(&batch.body).map_err(unreadable("entries"))?);
        }
        let kept = (entries.len(), row.chat.len());
        let record = Record { header, entries, secret: row.secret.clone(), outcome: None };
        let snapshot = row.snapshot.and_then(|(entries, body)| {
            Some((usize::try_from(entries).ok()?, Desk::resume_from(catalog, &record, &body)?))
        });
        let (snapshot, mut desk) = match snapshot {
            Some((entries, desk)) => (entries, desk),
            None => (0, Desk::resume(catalog, &record)?),
        };
        desk.write_down().map_err(unreadable("log"))?;
        let mut table = Self::new(catalog, telling, row.id, row.created, desk, plan, row.seats, row.secret);
        table.version = row.version;
        table.status = serde_json::from_str(&row.status).map_err(unreadable("status"))?;
        table.chat = row
            .chat
            .into_iter()
            .map(|line| ChatLine { at: line.at, from: line.seat.map(Seat), text: line.text })
            .collect();
        table.kept = kept;
        table.answers = answers;
        table.snapshot = snapshot;
        Ok(table)
    }

    /// A snapshot, if the last one is at least so many entries old: for how many entries it stands, and what it says.
    pub fn snapshot(&mut self, age: usize) -> Result<Option<(i64, String)>, Failure> {
        let entries = self.kept.0;
        if entries < self.snapshot + age || entries != self.desk.entries().len() {
            return Ok(None);
        }
        let body = self.desk.snapshot().map_err(unreadable("snapshot"))?;
        self.snapshot = entries;
        Ok(body.map(|body| (entries as i64, body)))
    }

    /// What has to be kept of the changes since the last time.
    pub fn change(&self, now: i64, answer: Option<(u8, String)>, header: bool) -> Result<Change, Failure> {
        let json = unreadable("change");
        let (entries, chat) = self.kept;
        let entries = match &self.desk.entries()[entries..] {
            [] => None,
            new => Some(Batch { first: entries as i64, body: serde_json::to_string(new).map_err(&json)?, answer }),
        };
        Ok(Change {
            game: self.id.clone(),
            version: self.version,
            entries,
            chat: self.chat.iter().enumerate().skip(chat).map(|(n, line)| (n as i64, chat_row(line))).collect(),
            header: if header { Some(serde_json::to_string(self.desk.header()).map_err(&json)?) } else { None },
            status: serde_json::to_string(&self.status).map_err(&json)?,
            marks: self.marks(now),
        })
    }

    /// Notes that the changes are kept.
    pub fn kept(&mut self, answer: Option<(u8, String)>) {
        if let Some(answer) = answer {
            self.answers.insert(answer, self.kept.0);
        }
        let undone =
            self.desk.entries()[self.kept.0..].iter().filter(|entry| matches!(entry, Entry::Undo { .. })).count();
        self.undone += undone;
        self.kept = (self.desk.entries().len(), self.chat.len());
        self.version += 1;
    }

    /// Whether a client's answer has been counted before.
    pub fn counted(&self, seat: Seat, id: &str) -> bool {
        // Ids are short and the map small: a key made for the question costs less than a second index.
        self.answers.contains_key(&(seat.0, id.to_owned()))
    }

    /// Whether an answer of `seat` made for position `at` is meant for what it is asked now. Answers that others have sealed since
    /// change nothing for it.
    pub fn meant_for_now(&self, at: usize) -> bool {
        (self.asked_at()..=self.desk.entries().len()).contains(&at)
    }

    /// How many entries there were when the question was put: answers that are sealed since do not count.
    fn asked_at(&self) -> usize {
        let sealed = match self.desk.question() {
            Some(Question::Secret { sealed, .. }) => sealed.len(),
            _ => 0,
        };
        let since = self
            .desk
            .entries()
            .iter()
            .rev()
            .take(sealed)
            .take_while(|entry| matches!(entry, Entry::Answer { .. }))
            .count();
        self.desk.entries().len() - since
    }

    /// The seat a token belongs to.
    pub fn seat_of(&self, token: &str) -> Option<Seat> {
        let hash = secret::hash(token);
        self.seats.iter().position(|seat| seat.token.as_ref() == Some(&hash)).map(|at| Seat(at as u8))
    }

    /// The seat an invitation belongs to, by its hash.
    pub fn invited(&self, hash: &str) -> Option<Seat> {
        self.seats.iter().position(|seat| seat.invitation.as_deref() == Some(hash)).map(|at| Seat(at as u8))
    }

    /// The seats of an account.
    pub fn seats_of<'a>(&'a self, account: &'a str) -> impl Iterator<Item = Seat> + 'a {
        self.seats
            .iter()
            .enumerate()
            .filter(move |(_, seat)| seat.account.as_deref() == Some(account))
            .map(|(at, _)| Seat(at as u8))
    }

    /// The seats that have to answer, or to take part in the dice before a roll that is due.
    pub fn waiting(&self) -> Vec<Seat> {
        let asked = self.desk.question().into_iter().flat_map(|question| question.open()).map(|question| question.seat);
        asked.chain(self.desk.joining()).collect()
    }

    /// Whether a program sits there.
    pub fn is_computer(&self, seat: Seat) -> bool {
        self.plan.seats.get(usize::from(seat.0)).is_some_and(|plan| plan.kind == SeatKind::Computer)
    }

    /// Which program sits there.
    pub fn player(&self, seat: Seat) -> Option<PlayerKind> {
        self.plan.seats.get(usize::from(seat.0))?.player.as_ref()?.parse().ok()
    }

    /// The scenario's title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What the player of a seat is called.
    pub fn name(&self, seat: Seat) -> String {
        let plan = self.plan.seats.get(usize::from(seat.0));
        plan.and_then(|plan| plan.name.clone().or_else(|| plan.player.clone()))
            .or_else(|| self.desk.seats().get(usize::from(seat.0)).map(|info| info.name.clone()))
            .unwrap_or_default()
    }

    /// Adds a line to the chat.
    pub fn say(&mut self, at: i64, from: Option<Seat>, text: impl Into<String>) {
        self.chat.push(ChatLine { at, from, text: text.into() });
    }

    /// The people's seats.
    pub fn people(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..self.plan.seats.len() as u8).map(Seat).filter(|seat| !self.is_computer(*seat))
    }

    /// Lets the clocks run for those who have to answer, and for nobody else, and notes whom to tell that it is their turn.
    pub fn run_clocks(&mut self, now: i64) {
        let at = self.asked_at();
        let wants = |seat: &Seat| {
            let account = self.seats.get(usize::from(seat.0)).is_some_and(|row| row.account.is_some());
            !self.is_computer(*seat) && (self.plan.webhook.is_some() || (self.telling.mail && account))
        };
        let wanted: Vec<Seat> = self.waiting().into_iter().filter(wants).collect();
        self.status.turns.retain(|turn| turn.at == at && wanted.contains(&turn.seat));
        for seat in wanted {
            if !self.status.turns.iter().any(|turn| turn.seat == seat) {
                self.status.turns.push(Turn { seat, at, due: now + self.telling.after });
            }
        }
        if let Some(plan) = self.plan.clock.clone() {
            let waiting: Vec<Seat> = self.waiting().into_iter().filter(|seat| !self.is_computer(*seat)).collect();
            self.status.clock.run(&plan, self.plan.seats.len(), &waiting, now);
        }
    }

    /// The turns that nobody has been told of yet.
    pub fn untold(&self) -> impl Iterator<Item = &Turn> {
        self.status.turns.iter().filter(|turn| {
            self.seats.get(usize::from(turn.seat.0)).is_some_and(|row| usize::try_from(row.told) != Ok(turn.at))
        })
    }

    /// Whether a seat has lost by the clock, even if nobody has looked at it yet.
    pub fn lost_on_time(&self, seat: Seat, now: i64) -> bool {
        let clock = self.plan.clock.as_ref().filter(|plan| plan.on_timeout() == OnTimeout::Lose);
        clock.is_some_and(|plan| {
            self.waiting().contains(&seat) && self.status.clock.left(plan, seat, self.created, now) <= 0
        })
    }

    /// A seat's time is over, and it has to answer.
    pub fn timed_out(&self, now: i64) -> Option<Seat> {
        let plan = self.plan.clock.as_ref()?;
        self.waiting()
            .into_iter()
            .find(|seat| !self.is_computer(*seat) && self.status.clock.left(plan, *seat, self.created, now) <= 0)
    }

    /// What queries look for.
    pub fn marks(&self, now: i64) -> Marks {
        let waiting = self.waiting();
        let computer = waiting.iter().any(|seat| self.is_computer(*seat)).then_some(now + COMPUTER_DUE);
        let clock = self.plan.clock.as_ref().and_then(|plan| {
            waiting
                .iter()
                .filter(|seat| !self.is_computer(**seat))
                .map(|seat| now + self.status.clock.left(plan, *seat, self.created, now))
                .min()
        });
        let told = self.untold().map(|turn| turn.due);
        let over = self.desk.is_over();
        Marks {
            over,
            due: if over { None } else { computer.into_iter().chain(clock).chain(told).min() },
            turn: waiting.iter().fold(0, |bits, seat| bits | 1i64.checked_shl(u32::from(seat.0)).unwrap_or(0)),
        }
    }

    /// A seat's part in fair dice.
    fn entropy(&self, seat: usize) -> Entropy {
        let Some(shares) = self.desk.header().dice.shares() else { return Entropy::None };
        let added = shares.entropies.get(seat).is_some_and(|text| !text.is_empty());
        match shares.pledges.get(seat) {
            Some(Pledge::Awaited) => Entropy::Awaited,
            Some(Pledge::Committed(_)) if !added => Entropy::Committed,
            Some(Pledge::Waived | Pledge::Withdrawn(_)) => Entropy::Waived,
            _ if added => Entropy::Added,
            _ => Entropy::None,
        }
    }

    /// For each seat, whether it is taken and its part in the dice: what may change in a game's description.
    pub fn roster(&self) -> Vec<(bool, Entropy)> {
        let taken = |seat: usize| {
            self.is_computer(Seat(seat as u8)) || self.seats.get(seat).is_some_and(|row| row.token.is_some())
        };
        (0..self.plan.seats.len()).map(|seat| (taken(seat), self.entropy(seat))).collect()
    }

    fn meta(&self) -> Meta {
        let header = self.desk.header();
        let seats = self
            .desk
            .seats()
            .into_iter()
            .zip(&self.plan.seats)
            .zip(self.roster())
            .enumerate()
            .map(|(at, ((info, plan), (taken, entropy)))| SeatMeta {
                seat: Seat(at as u8),
                id: info.id,
                name: self.name(Seat(at as u8)),
                faction: info.name,
                side: info.side,
                kind: plan.kind,
                player: plan.player.clone(),
                entropy,
                taken,
            })
            .collect();
        Meta {
            system: header.system.clone(),
            scenario: header.scenario.clone(),
            title: self.title.clone(),
            edition: header.edition.clone(),
            seats,
            dice: self.plan.dice,
            commitment: match &header.dice {
                DiceLine::Committed { commitment, .. } => Some(commitment.0.clone()),
                _ => None,
            },
            imported: self.plan.imported,
            created: self.created,
            spectators: self.plan.spectators,
        }
    }

    /// What a viewer is told. It is made from the desk's view for that viewer and from nothing else.
    pub fn state(
        &mut self,
        viewer: Viewer,
        log_after: usize,
        thinking: Vec<Seat>,
        now: i64,
    ) -> Result<GameState<'_>, Failure> {
        // A finished game is open to everyone: lines that were hidden may appear anywhere in the log, and the numbers
        // change.
        let log_after = if self.desk.is_over() { 0 } else { log_after.min(self.desk.settled_log(viewer)) };
        let number = self.desk.picture_number();
        if self.told.get(&viewer).is_none_or(|told| told.number != number) {
            let other = self.told.values().find(|told| told.number == number).map(|told| &told.picture);
            let told = Told { picture: self.desk.picture(viewer, other), number };
            self.told.insert(viewer, told);
        }
        if self.meta.is_none() {
            self.meta = Some(to_raw_value(&self.meta()).map_err(unreadable("description"))?);
        }
        let (Some(told), Some(meta)) = (self.told.get(&viewer), &self.meta) else {
            return Err(Failure::internal("what was written is not there"));
        };
        Ok(self.sheet(&self.desk, viewer, viewer, &told.picture, meta, log_after, thinking, now))
    }

    /// Forgets what was written for viewers; it is written again when somebody asks.
    pub fn slim(&mut self) {
        self.told = HashMap::new();
        self.meta = None;
    }

    /// What a viewer was told at another position of the same game, as JSON.
    pub fn state_at(&self, desk: &Desk, viewer: Viewer, you: Viewer, now: i64) -> Result<Box<RawValue>, Failure> {
        let meta = to_raw_value(&self.meta()).map_err(unreadable("description"))?;
        let picture = desk.picture(viewer, None);
        self.sheet(desk, viewer, you, &picture, &meta, 0, Vec::new(), now).written().map_err(unreadable("view"))
    }

    #[allow(clippy::too_many_arguments)]
    fn sheet<'a>(
        &'a self,
        desk: &'a Desk,
        viewer: Viewer,
        you: Viewer,
        picture: &'a Picture,
        meta: &'a RawValue,
        log_after: usize,
        thinking: Vec<Seat>,
        now: i64,
    ) -> GameState<'a> {
        let (you, notes) = match you {
            Viewer::Seat(seat) => {
                (You::Player { seat }, self.seats.get(usize::from(seat.0)).map_or("", |seat| &seat.notes))
            }
            _ => (You::Watcher(Watcher::Spectator), ""),
        };
        let clock = self
            .plan
            .clock
            .as_ref()
            .map(|plan| self.status.clock.state(plan, &self.people().collect::<Vec<_>>(), self.created, now));
        GameState {
            game: &self.id,
            version: self.version.unsigned_abs(),
            meta,
            you,
            situation: desk.shown(viewer, picture),
            log_after,
            log: desk.lines(viewer, log_after),
            chat: &self.chat,
            notes,
            clock,
            draw_offer: self.status.draw_offer,
            thinking,
            rematch: self.status.rematch.as_deref(),
        }
    }

    /// A seat takes part in the dice; false if nothing has changed.
    pub fn join_dice(&mut self, seat: Seat, joining: Joining) -> Result<bool, Refusal> {
        let changed = self.desk.join_dice(seat, joining)?;
        if changed {
            self.meta = None;
        }
        Ok(changed)
    }
}

fn chat_row(line: &ChatLine) -> ChatRow {
    ChatRow { at: line.at, seat: line.from.map(|seat| seat.0), text: line.text.clone() }
}
