//! What must hold, whatever goes wrong.

use super::database::Made;
use super::players::Played;
use super::world::{World, send};
use flagplot_catalog::Catalog;
use flagplot_desk::{Desk, DiceSource, Entry};
use flagplot_kernel::{Seat, Viewer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::built_in);

/// When all players have left, idle games leave memory and notices are settled within this time.
const QUIET: Duration = Duration::from_secs(300);

/// An answer that the server has acknowledged.
pub struct Acknowledged {
    pub game: String,
    pub seat: u8,
    pub body: Value,
}

/// What a seat was sent.
#[derive(PartialEq)]
struct Seen {
    seat: u8,
    at: u64,
    situation: Value,
    /// The whole log, if it was sent whole.
    log: Option<Value>,
}

/// What the players have seen and what they were promised.
#[derive(Default)]
pub struct Ledger {
    pub broken: Vec<String>,
    pub acknowledged: usize,
    pub kills: usize,
    pub notices: usize,
    /// Lines of chat that were acknowledged, with their games.
    pub lines: Vec<(String, String)>,
    answers: Vec<Acknowledged>,
    seen: BTreeMap<String, Vec<Seen>>,
    /// What only one seat may be sent, by game and seat; without a seat, what no seat may be sent.
    secrets: Vec<(String, Option<u8>, String)>,
}

/// A text that only one seat may read.
pub fn canary(game: &str, seat: u8) -> String {
    format!("private notes of seat {seat} in {game}")
}

impl Ledger {
    /// A game begins: from now on its secrets are watched.
    pub fn begin(&mut self, game: &str, tokens: &[(u8, String)], seed: String) {
        for (seat, token) in tokens {
            self.secrets.push((game.to_owned(), Some(*seat), token.clone()));
            self.secrets.push((game.to_owned(), Some(*seat), canary(game, *seat)));
        }
        self.secrets.push((game.to_owned(), None, seed));
    }

    /// Something was sent to a seat, or to nobody in particular.
    pub fn saw_text(&mut self, to: Option<(&str, u8)>, text: &str) {
        for (game, seat, secret) in &self.secrets {
            let own = to.is_some_and(|to| to.0 == game && Some(to.1) == *seat);
            if !own && text.contains(secret.as_str()) {
                self.broken.push(format!("{to:?} was sent a secret of seat {seat:?} in {game}"));
            }
        }
    }
}

/// What is wrong with the numbers of the log in a state: a gap would tell of a line that only another seat may read.
fn gap(state: &Value) -> Option<String> {
    let after = state["log_after"].as_u64().unwrap_or(0);
    let lines = state["log"].as_array()?;
    let numbers: Vec<u64> = lines.iter().filter_map(|line| line["number"].as_u64()).collect();
    let wanted = after + 1..=after + lines.len() as u64;
    (!numbers.iter().copied().eq(wanted)).then(|| format!("the log after line {after} has the numbers {numbers:?}"))
}

fn entries(made: &Made) -> Vec<Entry> {
    made.body.as_deref().map(|body| serde_json::from_str(body).unwrap_or_default()).unwrap_or_default()
}

impl World {
    /// A state was sent to a seat.
    pub fn saw(&self, game: &str, seat: u8, state: &Value) {
        let text = state.to_string();
        let stored = self.tables().made.get(game).and_then(|made| made.last()).map_or(0, |made| made.at);
        let at = state["situation"]["at"].as_u64().unwrap_or(0);
        let mut broken = Vec::new();
        if at > stored as u64 {
            broken.push(format!("seat {seat} was told of entry {at} when {stored} were stored"));
        }
        if state["you"]["seat"].as_u64() != Some(u64::from(seat)) {
            broken.push(format!("seat {seat} was sent the state for {}", state["you"]));
        }
        broken.extend(gap(state).map(|gap| format!("seat {seat}: {gap}")));
        let log = (state["log_after"].as_u64().unwrap_or(0) == 0).then(|| state["log"].clone());
        let now = Seen { seat, at, situation: state["situation"].clone(), log };
        let mut ledger = self.ledger();
        ledger.saw_text(Some((game, seat)), &text);
        let seen = ledger.seen.entry(game.to_owned()).or_default();
        if !seen.contains(&now) {
            seen.push(now);
        }
        drop(ledger);
        broken.into_iter().for_each(|what| self.broken(what));
    }

    /// An event came by a seat's stream.
    pub fn heard(&self, game: &str, seat: u8, event: &str) {
        self.ledger().saw_text(Some((game, seat)), event);
        let data = event.lines().find_map(|line| line.strip_prefix("data: ")).unwrap_or_default();
        let state: Value = serde_json::from_str(data).unwrap_or_default();
        if let Some(gap) = gap(&state) {
            self.broken(format!("by its stream seat {seat}: {gap}"));
        }
    }

    /// The server has acknowledged an answer.
    pub fn acknowledged(&self, answer: Acknowledged) {
        self.note(format!("{} seat {} has {} acknowledged", answer.game, answer.seat, answer.body["id"]));
        let mut ledger = self.ledger();
        ledger.acknowledged += 1;
        ledger.answers.push(answer);
    }

    /// A player's token was refused: another process may not have heard of it yet, but not for ever.
    pub fn refused_token(&self, path: &str, reply: &str) {
        self.note(format!("a token is refused at {path}"));
        if self.is_calm() {
            self.broken(format!("a player's token was refused: {path} {reply}"));
        }
    }
}

/// Checks a game that all its players have seen to its end.
pub async fn game(world: &World, played: Played) {
    tokio::time::sleep(QUIET).await;
    let mut broken = Vec::new();
    same_everywhere(world, &played, &mut broken).await;
    exactly_once(world, &played, &mut broken).await;
    shown_by_the_desk(world, &played, &mut broken);
    fair_clocks(world, &played, &mut broken);
    let stuck = world.tables().outbox.values().filter(|notice| notice.tries > 0 && notice.turn.is_some()).count();
    if stuck > 0 {
        broken.push(format!("{stuck} notices of finished games are still in the outbox"));
    }
    broken.into_iter().for_each(|what| world.broken(format!("{}: {what}", played.id)));
}

/// Every process tells every seat the same end, and has the same record, which can be verified.
async fn same_everywhere(world: &World, played: &Played, broken: &mut Vec<String>) {
    let mut records: Vec<String> = Vec::new();
    for (name, router) in world.routers() {
        let path = format!("/api/games/{}", played.id);
        for (seat, token) in &played.tokens {
            let (status, state) = send(&router, "GET", &path, token, "").await;
            let state: Value = serde_json::from_str(&state).unwrap_or(Value::Null);
            if status != 200 || state["situation"]["outcome"].is_null() {
                broken.push(format!("at {name} the game is not over for seat {seat}: {status}"));
            }
            if state["notes"] != canary(&played.id, *seat) {
                broken.push(format!("at {name} seat {seat} has lost its notes: {}", state["notes"]));
            }
        }
        let (status, record) = send(&router, "GET", &format!("{path}/export"), "", "").await;
        if status != 200 {
            broken.push(format!("{name} does not export the game: {status} {record}"));
        }
        if records.first().is_some_and(|first| *first != record) {
            broken.push(format!("{name} has another record"));
        }
        if records.is_empty() {
            let (status, verdict) = send(&router, "POST", "/api/verify", "", &record).await;
            if status != 200 {
                broken.push(format!("the record is not valid: {verdict}"));
            }
        }
        records.push(record);
    }
    if records.is_empty() {
        broken.push("no process is up".into());
    }
}

/// An acknowledged answer is stored exactly once, with its value, and counts as what it was when it is sent again.
async fn exactly_once(world: &World, played: &Played, broken: &mut Vec<String>) {
    let Some(row) = world.tables().games.get(&played.id).cloned() else {
        broken.push("the game is gone".into());
        return;
    };
    let mut counts: BTreeMap<(u8, String), Vec<Value>> = BTreeMap::new();
    for batch in &row.entries {
        if let Some((seat, id)) = &batch.answer {
            let entries: Vec<Value> = serde_json::from_str(&batch.body).unwrap_or_default();
            let value = entries.first().map_or(Value::Null, |entry| entry["answer"]["value"].clone());
            counts.entry((*seat, id.clone())).or_default().push(value);
        }
    }
    let of_game = |ledger: &Ledger| -> Vec<(u8, Value)> {
        let own = ledger.answers.iter().filter(|answer| answer.game == played.id);
        own.map(|answer| (answer.seat, answer.body.clone())).collect()
    };
    let acknowledged = of_game(&world.ledger());
    for (key, values) in &counts {
        if values.len() > 1 {
            broken.push(format!("answer {key:?} is there {} times", values.len()));
        }
    }
    let Some((name, router)) = world.routers().into_iter().next() else { return };
    for (seat, body) in acknowledged {
        let id = body["id"].as_str().unwrap_or_default().to_owned();
        match counts.get(&(seat, id.clone())).map(Vec::as_slice) {
            Some([value]) if *value == body["value"] => {}
            Some([value, ..]) => broken.push(format!("answer {id} of seat {seat} became {value}")),
            _ => broken.push(format!("answer {id} of seat {seat} was acknowledged and is lost")),
        }
        let token = played.tokens.iter().find(|(own, _)| *own == seat).map_or("", |(_, token)| token);
        let path = format!("/api/games/{}/answer", played.id);
        let (status, reply) = send(&router, "POST", &path, token, &body.to_string()).await;
        if status != 200 {
            broken.push(format!("{name} no longer knows answer {id} of seat {seat}: {status} {reply}"));
        }
    }
    let after = world.tables().games.get(&played.id).map(|row| row.version);
    if after != Some(row.version) {
        broken.push("an answer that was sent again changed the game".into());
    }
    for (game, line) in &world.ledger().lines {
        let count = row.chat.iter().filter(|kept| kept.text == *line).count();
        if *game == played.id && count != 1 {
            broken.push(format!("'{line}' was acknowledged and is there {count} times"));
        }
    }
}

/// What each seat was sent is what the desk shows that seat at that position, byte for byte.
fn shown_by_the_desk(world: &World, played: &Played, broken: &mut Vec<String>) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let seed = text(&played.wish["seed"]).parse().unwrap_or(0);
    let (system, scenario) = (text(&played.wish["system"]), text(&played.wish["scenario"]));
    let names = vec!["Ann".to_owned(), "Bob".to_owned()];
    let mut desk = Desk::open(&CATALOG, &system, &scenario, Value::Null, names, DiceSource::Seeded(seed)).unwrap();
    let made = world.tables().made.get(&played.id).cloned().unwrap_or_default();
    let mut ledger = world.ledger();
    let mut seen = ledger.seen.remove(&played.id).unwrap_or_default();
    drop(ledger);
    for made in &made {
        for entry in entries(made) {
            if !matches!(entry, Entry::Dice(_))
                && let Err(refusal) = desk.apply(entry)
            {
                broken.push(format!("the record does not replay: {refusal}"));
                return;
            }
        }
        if desk.entries().len() != made.at {
            broken.push(format!("a change led to entry {} and the desk to {}", made.at, desk.entries().len()));
            return;
        }
        let (here, rest) = seen.into_iter().partition::<Vec<_>, _>(|seen| seen.at == made.at as u64);
        seen = rest;
        for seat in 0..2u8 {
            let here: Vec<&Seen> = here.iter().filter(|seen| seen.seat == seat).collect();
            if here.is_empty() {
                continue;
            }
            let viewer = Viewer::Seat(Seat(seat));
            let shown = serde_json::to_value(desk.situation(viewer)).unwrap();
            if here.iter().any(|seen| seen.situation != shown) {
                broken.push(format!("seat {seat} was shown something else than its desk at entry {}", made.at));
            }
            let log = serde_json::to_value(desk.log(viewer, 0)).unwrap();
            if here.iter().any(|seen| seen.log.as_ref().is_some_and(|seen| *seen != log)) {
                broken.push(format!("seat {seat} was sent another log than its desk's at entry {}", made.at));
            }
        }
    }
    if let Some(seen) = seen.first() {
        broken.push(format!("seat {} was shown entry {}, at which no change ended", seen.seat, seen.at));
    }
}

/// No seat runs out of time before it had its time while a server was up. A process that starts goes by the time that
/// was stored last, so that a seat may lose as much as passed between two such moments.
fn fair_clocks(world: &World, played: &Played, broken: &mut Vec<String>) {
    let Some(seconds) = played.wish["clock"]["seconds"].as_i64() else { return };
    let least = seconds * 1_000 - world.tables().longest_pause - 10;
    let people: Vec<u8> = played.tokens.iter().map(|(seat, _)| *seat).collect();
    let made = world.tables().made.get(&played.id).cloned().unwrap_or_default();
    let mut since: BTreeMap<u8, i64> = BTreeMap::new();
    for made in &made {
        for entry in entries(made) {
            let out = match entry {
                Entry::Timeout { seat } => vec![seat.0],
                Entry::TimeoutOfBoth => people.clone(),
                // The computer answers for a player whose time has run out.
                Entry::Answer { seat, .. } if made.answer.is_none() && people.contains(&seat.0) => vec![seat.0],
                _ => Vec::new(),
            };
            for seat in out {
                let had = since.get(&seat).map_or(0, |since| made.up - since);
                if had < least {
                    broken.push(format!("clocks must be fair: seat {seat} was out of time after {had} ms"));
                }
            }
            if let Entry::Answer { seat, .. } = entry {
                since.remove(&seat.0);
            }
        }
        since.retain(|seat, _| made.turn & (1 << seat) != 0);
        for seat in people.iter().filter(|seat| made.turn & (1 << **seat) != 0) {
            since.entry(*seat).or_insert(made.up);
        }
    }
}
