//! One game in memory: its desk, its players, and the state that each viewer is sent.

use crate::clock::Clock;
use crate::failure::Failure;
use crate::frame::{Aside, Compared, Frame, Part};
use crate::machine::Wall;
use crate::notify::Telling;
use crate::secret;
use crate::store::{Batch, Change, ChatRow, GameRow, Maker, Marks, SeatRow};
use crate::wire::{
    ChatLine, ClockPlan, ClockState, DiceMode, Entropy, GameState, Hints, Meta, OnTimeout, SeatKind, SeatMeta,
    SeatPlan, StateChange, Watcher, Webhook, You,
};
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceLine, Entry, Header, HintUse, Joining, Picture, Pledge, Record};
use flagplot_kernel::{Question, Refusal, Seat, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::HashMap;
use std::sync::Arc;

/// A computer's turn that no process has taken up after this time is taken up by any, in milliseconds.
const COMPUTER_DUE: i64 = 5_000;

/// The longest game, in entries, and the largest, in bytes.
const MOST_ENTRIES: usize = 50_000;
const MOST_BYTES: i64 = 16 << 20;

/// The settings a game was created with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub seats: Vec<SeatPlan>,
    pub dice: DiceMode,
    /// Whether anyone with the address may watch.
    pub spectators: bool,
    pub clock: Option<ClockPlan>,
    /// The web address that is notified of turns.
    pub webhook: Option<Webhook>,
    /// Whether people who play each other may ask for hints, if all agree.
    #[serde(default)]
    pub hints: bool,
    /// The maker's own seats. They may invite players to the others, and delete the game.
    #[serde(default)]
    pub own: Vec<Seat>,
    /// How many entries the game had when it was imported, if it was.
    #[serde(default)]
    pub imported: Option<usize>,
    /// The account that created it.
    #[serde(default)]
    pub account: Option<String>,
    /// The hash of the address it was created from.
    #[serde(default)]
    pub address: Option<String>,
}

/// The part of a game's state that is neither entries nor chat.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Status {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_offer: Option<Seat>,
    #[serde(default, skip_serializing_if = "Clock::is_new")]
    pub clock: Clock,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<String>,
    /// Whether the players kept their sides in the rematch.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rematch_same_sides: bool,
    /// The invited players who agreed to hints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agreed: Vec<Seat>,
    /// The last hint of each seat, so that the same question has the same hint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<KeptHint>,
    /// The turns that players are to be notified of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Turn>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptHint {
    pub seat: Seat,
    /// A hash of what it was made from: the seat's view, its question and the player asked.
    pub key: String,
    pub hint: Value,
}

/// A turn that its player is to be notified of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The player's seat.
    pub seat: Seat,
    /// How many entries there were when the question was put.
    pub at: usize,
    /// When to notify, in server time, if the question is still open then.
    pub due: i64,
}

/// The picture a viewer was sent last. It stays the same for all answers of a step.
struct Told {
    picture: Picture,
    /// View and scene.
    parts: [Part; 2],
    number: (u64, bool),
}

/// One game in memory: a cache of the database, which can be dropped at any time.
pub struct Table {
    pub id: String,
    /// How often it has changed.
    pub version: i64,
    /// When it was created, in milliseconds since 1970.
    pub created: i64,
    pub desk: Desk,
    /// The settings it was created with.
    pub plan: Plan,
    /// The part of its state that is neither entries nor chat.
    pub status: Status,
    pub seats: Vec<SeatRow>,
    pub chat: Vec<ChatLine>,
    pub secret: Option<String>,
    /// How often an answer was taken back, which may make the log shorter.
    pub undone: usize,
    title: String,
    meta: Option<Part>,
    /// How many entries and lines of chat are stored.
    kept: (usize, usize),
    bytes: i64,
    /// How many entries the last snapshot covers.
    snapshot: usize,
    answers: HashMap<(u8, String), usize>,
    told: HashMap<Viewer, Told>,
    compared: Compared,
    telling: Telling,
    wall: Wall,
}

fn unreadable(what: &str) -> impl Fn(serde_json::Error) -> Failure + '_ {
    move |error| Failure::internal(format!("the {what} of a game cannot be read or written: {error}"))
}

impl Table {
    /// A game that is not stored yet. `time` is the server's.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        catalog: &Catalog,
        wall: Wall,
        telling: Telling,
        id: String,
        (created, time): (i64, i64),
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
        let title = if desk.game().table() { "Referee's table".to_owned() } else { title };
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
            bytes: 0,
            snapshot: 0,
            answers: HashMap::new(),
            told: HashMap::new(),
            compared: Compared::default(),
            telling,
            wall,
        };
        table.run_clocks(time);
        table
    }

    /// The row of a game that is not stored yet.
    pub fn row(&mut self, now: i64) -> Result<GameRow, Failure> {
        let json = unreadable("new form");
        let entries = match self.desk.entries() {
            [] => Vec::new(),
            entries => vec![Batch { first: 0, body: serde_json::to_string(entries).map_err(&json)?, answer: None }],
        };
        let header = serde_json::to_string(self.desk.header()).map_err(&json)?;
        let bytes = header.len() + entries.first().map_or(0, |batch: &Batch| batch.body.len());
        self.bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.kept = (self.desk.entries().len(), self.chat.len());
        Ok(GameRow {
            id: self.id.clone(),
            created: self.created,
            header,
            secret: self.secret.clone(),
            plan: serde_json::to_string(&self.plan).map_err(&json)?,
            version: self.version,
            status: serde_json::to_string(&self.status).map_err(&json)?,
            marks: self.marks(now),
            seats: self.seats.clone(),
            entries,
            chat: self.chat.iter().map(chat_row).collect(),
            snapshot: None,
            maker: Maker { account: self.plan.account.clone(), address: self.plan.address.clone() },
            bytes: self.bytes,
        })
    }

    pub fn restore(catalog: &Catalog, wall: Wall, telling: Telling, row: GameRow) -> Result<Self, Failure> {
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
        let created = (row.created, row.created);
        let mut table = Self::new(catalog, wall, telling, row.id, created, desk, plan, row.seats, row.secret);
        table.version = row.version;
        table.bytes = row.bytes;
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

    /// A snapshot, if the last one is at least `age` entries old: how many entries it covers, and its text.
    pub fn snapshot(&mut self, age: usize) -> Result<Option<(i64, String)>, Failure> {
        let entries = self.kept.0;
        if entries < self.snapshot + age || entries != self.desk.entries().len() {
            return Ok(None);
        }
        let body = self.desk.snapshot().map_err(unreadable("snapshot"))?;
        self.snapshot = entries;
        Ok(body.map(|body| (entries as i64, body)))
    }

    /// What has to be stored of the changes since the last time.
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
            changed: self.wall.millis(),
        })
    }

    /// Refuses a change of a game that has grown too long.
    pub fn room(&self) -> Result<(), Refusal> {
        if self.desk.entries().len() < MOST_ENTRIES && self.bytes < MOST_BYTES {
            return Ok(());
        }
        Err(Refusal::new("game-too-long", format!("A game has at most {MOST_ENTRIES} entries and {MOST_BYTES} bytes."))
            .remedy("Resign, or agree on a draw."))
    }

    /// The callers charged for work on this game: its maker and the game itself.
    pub fn callers(&self) -> Vec<String> {
        let account = self.plan.account.iter().map(|account| format!("account {account}"));
        let address = self.plan.address.iter().map(|address| format!("address {address}"));
        account.chain(address).chain([format!("game {}", self.id)]).collect()
    }

    /// Notes that the changes are stored.
    pub fn kept(&mut self, answer: Option<(u8, String)>) {
        if let Some(answer) = answer {
            self.answers.insert(answer, self.kept.0);
        }
        let new = &self.desk.entries()[self.kept.0..];
        // About what they take as JSON.
        self.bytes += 100 * i64::try_from(new.len()).unwrap_or(i64::MAX / 200);
        let undone = new.iter().filter(|entry| matches!(entry, Entry::Undo { .. })).count();
        self.undone += undone;
        self.kept = (self.desk.entries().len(), self.chat.len());
        self.version += 1;
    }

    /// Whether this answer of a client has counted already.
    pub fn counted(&self, seat: Seat, id: &str) -> bool {
        // Ids are short and the map is small: making a key costs less than a second index.
        self.answers.contains_key(&(seat.0, id.to_owned()))
    }

    /// Whether an answer made for position `at` is meant for the open question. Answers that other seats have sealed
    /// since do not matter.
    pub fn meant_for_now(&self, at: usize) -> bool {
        (self.asked_at()..=self.desk.entries().len()).contains(&at)
    }

    /// How many entries there were when the question was put. Answers sealed since do not count.
    pub fn asked_at(&self) -> usize {
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

    pub fn seat_of(&self, token: &str) -> Option<Seat> {
        let hash = secret::hash(token);
        self.seats.iter().position(|seat| seat.token.as_ref() == Some(&hash)).map(|at| Seat(at as u8))
    }

    /// The seat an invitation belongs to, by its hash.
    pub fn invited(&self, hash: &str) -> Option<Seat> {
        self.seats.iter().position(|seat| seat.invitation.as_deref() == Some(hash)).map(|at| Seat(at as u8))
    }

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

    /// Whether a computer plays the seat.
    pub fn is_computer(&self, seat: Seat) -> bool {
        self.plan.seats.get(usize::from(seat.0)).is_some_and(|plan| plan.kind == SeatKind::Computer)
    }

    /// The computer player of a seat.
    pub fn player(&self, seat: Seat) -> Option<PlayerKind> {
        self.plan.seats.get(usize::from(seat.0))?.player.as_ref()?.parse().ok()
    }

    /// The scenario's title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The name of a seat's player.
    pub fn name(&self, seat: Seat) -> String {
        let plan = self.plan.seats.get(usize::from(seat.0));
        plan.and_then(|plan| plan.name.clone().or_else(|| plan.player.clone()))
            .or_else(|| self.desk.seats().get(usize::from(seat.0)).map(|info| info.name.clone()))
            .unwrap_or_default()
    }

    /// Adds a line to the chat.
    pub fn say(&mut self, from: Option<Seat>, text: impl Into<String>) {
        self.chat.push(ChatLine { at: self.wall.millis(), from, text: text.into() });
    }

    pub fn people(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..self.plan.seats.len() as u8).map(Seat).filter(|seat| !self.is_computer(*seat))
    }

    /// Runs the clocks of the seats that have to answer and stops all others; queues notifications of their turns.
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

    /// A player takes a seat: the question that is open is put to that player.
    pub fn seat_taken(&mut self, seat: Seat) {
        self.status.turns.retain(|turn| turn.seat != seat);
        if let Some(row) = self.seats.get_mut(usize::from(seat.0)) {
            row.told = -1;
        }
    }

    /// The turns whose players have not been notified yet.
    pub fn untold(&self) -> impl Iterator<Item = &Turn> {
        self.status.turns.iter().filter(|turn| {
            self.seats.get(usize::from(turn.seat.0)).is_some_and(|row| usize::try_from(row.told) != Ok(turn.at))
        })
    }

    /// Whether a seat has lost on time, even if the server has not yet ended the game.
    pub fn lost_on_time(&self, seat: Seat, now: i64) -> bool {
        let clock = self.plan.clock.as_ref().filter(|plan| plan.on_timeout() == OnTimeout::Lose);
        clock.is_some_and(|plan| {
            self.waiting().contains(&seat) && self.status.clock.left(plan, seat, self.created, now) <= 0
        })
    }

    /// The seats that have to answer and whose time ran out first. Several, if theirs ran out in the same moment.
    pub fn timed_out(&self, now: i64) -> Vec<Seat> {
        let Some(plan) = self.plan.clock.as_ref() else { return Vec::new() };
        let people = self.waiting().into_iter().filter(|seat| !self.is_computer(*seat));
        let left: Vec<(i64, Seat)> =
            people.map(|seat| (self.status.clock.left(plan, seat, self.created, now), seat)).collect();
        let least = left.iter().map(|(left, _)| *left).min().filter(|left| *left <= 0);
        left.into_iter().filter(|(left, _)| Some(*left) == least).map(|(_, seat)| seat).collect()
    }

    /// Columns for queries.
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

    /// For each seat, whether it is taken, and its part in the dice. This part of a game's description may change.
    pub fn roster(&self) -> Vec<(bool, Entropy)> {
        (0..self.plan.seats.len()).map(|seat| (self.is_taken(Seat(seat as u8)), self.entropy(seat))).collect()
    }

    fn meta(&self) -> Meta {
        let header = self.desk.header();
        let aims = self.desk.game().aims();
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
                aim: aims[info.side].clone(),
                kind: plan.kind,
                player: plan.player.clone(),
                entropy,
                taken,
                hints: header.hints.iter().filter(|hint| hint.seat == Seat(at as u8)).map(|hint| hint.at).collect(),
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
            hints: self.hints(),
        }
    }

    /// Whether players may ask for hints: against computers always, between people if all agreed.
    pub fn hints(&self) -> Hints {
        let people: Vec<Seat> = self.people().collect();
        let agreed = |seat: &Seat| self.plan.own.contains(seat) || self.status.agreed.contains(seat);
        match (people.len() > 1, self.plan.hints) {
            (false, _) => Hints::On,
            (true, false) => Hints::Off,
            (true, true) if people.iter().all(agreed) => Hints::On,
            (true, true) if people.iter().any(|seat| !agreed(seat) && self.is_taken(*seat)) => Hints::Off,
            (true, true) => Hints::Offered,
        }
    }

    fn is_taken(&self, seat: Seat) -> bool {
        self.is_computer(seat) || self.seats.get(usize::from(seat.0)).is_some_and(|row| row.token.is_some())
    }

    /// The hint that a seat was given before for the same question.
    pub fn kept_hint(&self, seat: Seat, key: &str) -> Option<&Value> {
        self.status.hints.iter().find(|kept| kept.seat == seat && kept.key == key).map(|kept| &kept.hint)
    }

    /// Keeps a hint and notes in the record that it was given.
    pub fn keep_hint(&mut self, kept: KeptHint, used: HintUse) {
        self.status.hints.retain(|old| old.seat != kept.seat);
        self.status.hints.push(kept);
        self.desk.note_hint(used);
        self.meta = None;
    }

    /// The state for a viewer, made from the desk's view for that viewer and from nothing else.
    pub fn state(
        &mut self,
        viewer: Viewer,
        log_after: usize,
        chat_after: usize,
        thinking: Vec<Seat>,
        now: i64,
    ) -> Result<GameState<'_>, Failure> {
        let log_after = self.log_from(viewer, log_after);
        let after = (log_after, chat_after.min(self.chat.len()));
        self.draw(viewer)?;
        let (told, meta) = self.drawn(viewer)?;
        Ok(self.sheet(&self.desk, viewer, viewer, &told.picture, &meta.text, after, thinking, now))
    }

    /// Makes sure that the viewer's picture and the game's description are there.
    fn draw(&mut self, viewer: Viewer) -> Result<(), Failure> {
        let number = self.desk.picture_number();
        if self.told.get(&viewer).is_none_or(|told| told.number != number) {
            let other = self.told.values().find(|told| told.number == number);
            let picture = self.desk.picture(viewer, other.map(|told| &told.picture));
            let parts = match other.filter(|told| Arc::ptr_eq(&told.picture.scene, &picture.scene)) {
                Some(same) => same.parts.clone(),
                None => [&picture.view, &picture.scene].map(|text| Part::new(text.clone())),
            };
            self.told.insert(viewer, Told { picture, parts, number });
        }
        if self.meta.is_none() {
            self.meta = Some(Part::new(to_raw_value(&self.meta()).map_err(unreadable("description"))?.into()));
        }
        Ok(())
    }

    fn drawn(&self, viewer: Viewer) -> Result<(&Told, &Part), Failure> {
        self.told
            .get(&viewer)
            .zip(self.meta.as_ref())
            .ok_or_else(|| Failure::internal("a picture just made is missing"))
    }

    /// The part of the state for a viewer that changes are computed for.
    pub fn frame(&mut self, viewer: Viewer) -> Result<Frame, Failure> {
        self.draw(viewer)?;
        let (told, meta) = self.drawn(viewer)?;
        let aside = Aside {
            notes: self.notes(viewer),
            draw_offer: self.status.draw_offer,
            rematch: self.status.rematch.as_deref(),
        };
        Frame::new(meta.clone(), told.parts.clone(), &self.desk.moment(viewer), &aside).map_err(unreadable("state"))
    }

    /// What changed for a viewer since an older frame.
    pub fn change_since(
        &mut self,
        viewer: Viewer,
        (after, old): (i64, &Frame),
        (log_after, log): (usize, Vec<Box<RawValue>>),
        chat_after: usize,
        thinking: Vec<Seat>,
        now: i64,
    ) -> Result<(StateChange<'_>, Frame), Failure> {
        let frame = self.frame(viewer)?;
        let change = frame.since(old, &mut self.compared).map_err(Failure::internal)?;
        let chat_after = chat_after.min(self.chat.len());
        let change = StateChange {
            after: after.unsigned_abs(),
            version: self.version.unsigned_abs(),
            change: RawValue::from_string(change).map_err(Failure::internal)?,
            log_after,
            log,
            chat_after,
            chat: &self.chat[chat_after..],
            clock: self.clocks(now),
            thinking,
            digest: frame.digest(),
        };
        Ok((change, frame))
    }

    /// The lines of a viewer's log after those that stay as they are, with the number of these.
    pub fn lines(&self, viewer: Viewer, log_after: usize) -> Result<(usize, Vec<Box<RawValue>>), Failure> {
        let after = self.log_from(viewer, log_after);
        let text = serde_json::to_string(&self.desk.lines(viewer, after)).map_err(unreadable("log"))?;
        Ok((after, serde_json::from_str(&text).map_err(unreadable("log"))?))
    }

    /// After which line the log is sent to a viewer who has so many. When a game is over, hidden lines appear anywhere
    /// and the numbers change, so it is sent whole.
    fn log_from(&self, viewer: Viewer, log_after: usize) -> usize {
        if self.desk.is_over() { 0 } else { log_after.min(self.desk.settled_log(viewer)) }
    }

    fn notes(&self, viewer: Viewer) -> &str {
        match viewer {
            Viewer::Seat(seat) => self.seats.get(usize::from(seat.0)).map_or("", |seat| &seat.notes),
            _ => "",
        }
    }

    fn clocks(&self, now: i64) -> Option<ClockState> {
        let plan = self.plan.clock.as_ref()?;
        Some(self.status.clock.state(plan, &self.people().collect::<Vec<_>>(), self.created, now))
    }

    /// Drops the caches for viewers; they are filled again on demand.
    pub fn slim(&mut self) {
        self.told = HashMap::new();
        self.compared = Compared::default();
        self.meta = None;
    }

    /// The state for a viewer at an earlier position of the same game, as JSON, without the chat.
    pub fn state_at(&self, desk: &Desk, viewer: Viewer, you: Viewer, now: i64) -> Result<Box<RawValue>, Failure> {
        let meta = to_raw_value(&self.meta()).map_err(unreadable("description"))?;
        let picture = desk.picture(viewer, None);
        self.sheet(desk, viewer, you, &picture, &meta, (0, self.chat.len()), Vec::new(), now)
            .written()
            .map_err(unreadable("view"))
    }

    #[allow(clippy::too_many_arguments)]
    fn sheet<'a>(
        &'a self,
        desk: &'a Desk,
        viewer: Viewer,
        you: Viewer,
        picture: &'a Picture,
        meta: &'a RawValue,
        (log_after, chat_after): (usize, usize),
        thinking: Vec<Seat>,
        now: i64,
    ) -> GameState<'a> {
        let notes = self.notes(you);
        let you = match you {
            Viewer::Seat(seat) => You::Player { seat },
            _ => You::Watcher(Watcher::Spectator),
        };
        GameState {
            game: &self.id,
            version: self.version.unsigned_abs(),
            meta,
            you,
            situation: desk.shown(viewer, picture),
            log_after,
            log: desk.lines(viewer, log_after),
            chat_after,
            chat: &self.chat[chat_after..],
            notes,
            clock: self.clocks(now),
            draw_offer: self.status.draw_offer,
            thinking,
            rematch: self.status.rematch.as_deref(),
        }
    }

    /// A seat takes part in the dice; false if nothing changes.
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
