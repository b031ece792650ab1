//! Changes of states: what a client makes of them is what the server has, byte for byte, in few bytes.

use crate::common::stream::Stream;
use crate::common::{Database, Game, Site};
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::{Chance, Seat};
use flagplot_server::delta::{Followed, apply, between, digest, in_browser_order};
use flagplot_server::gzip::{Packer, Unpacker, accepted};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const CASES: &str = include_str!("../deltas.json");

/// The compact text of a member of a case, its members in the order of the file.
fn compact(text: &RawValue) -> String {
    let mut out = String::new();
    let (mut quoted, mut escaped) = (false, false);
    for c in text.get().chars() {
        if quoted || !c.is_whitespace() {
            out.push(c);
        }
        (quoted, escaped) = (quoted != (c == '"' && !escaped), quoted && c == '\\' && !escaped);
    }
    out
}

#[test]
fn the_cases_that_the_client_reads_too() {
    #[derive(serde::Deserialize)]
    struct Cases {
        changes: Vec<BTreeMap<String, Box<RawValue>>>,
        digests: Vec<(String, u32)>,
        ordered: Vec<(String, String)>,
        states: Vec<Box<RawValue>>,
    }
    let cases: Cases = serde_json::from_str(CASES).unwrap();
    for case in cases.changes {
        let [old, new, change] = ["old", "new", "change"].map(|name| compact(&case[name]));
        assert_eq!(between(&old, &new).as_deref(), Some(change.as_str()), "{old} -> {new}");
        assert_eq!(apply(&old, &change).as_ref(), Ok(&new));
    }
    for (text, sum) in cases.digests {
        assert_eq!(digest(&text), sum, "{text}");
    }
    for (text, browser) in cases.ordered {
        assert_eq!(in_browser_order(&text), browser);
        assert_eq!(digest(&text), digest(&browser));
    }
    let [before, change, after] = [0, 1, 2].map(|n| compact(&cases.states[n]));
    let mut followed = Followed::begin(&before).unwrap();
    followed.change(&change).unwrap();
    let after = Followed::begin(&after).unwrap();
    assert_eq!((followed.version, followed.frame), (after.version, after.frame));
}

/// Any JSON, of few words, so that values meet again.
fn any(chance: &mut Chance, depth: u32) -> Value {
    const WORDS: [&str; 6] = ["id", "at", "a \"word\"", "é", "", "null"];
    let word = |chance: &mut Chance| WORDS[chance.below(6) as usize].to_owned();
    match chance.below(if depth == 0 { 4 } else { 8 }) {
        0 => Value::Null,
        1 => json!(chance.below(4)),
        2 => json!(-i64::from(chance.below(3))),
        3 => json!(word(chance)),
        4 | 5 => (0..chance.below(6)).map(|_| any(chance, depth - 1)).collect(),
        _ => Value::Object((0..chance.below(6)).map(|_| (word(chance), any(chance, depth - 1))).collect()),
    }
}

/// The same with a few places changed.
fn touched(value: &Value, chance: &mut Chance) -> Value {
    if chance.below(12) == 0 {
        return any(chance, 2);
    }
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(|item| touched(item, chance)).collect();
            if chance.below(4) == 0 {
                items.insert(chance.below(items.len() as u32 + 1) as usize, any(chance, 1));
            }
            if chance.below(4) == 0 && !items.is_empty() {
                items.remove(chance.below(items.len() as u32) as usize);
            }
            if chance.below(8) == 0 {
                chance.shuffle(&mut items);
            }
            items.into()
        }
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), touched(value, chance)))
            .collect::<Vec<_>>()
            .into_iter()
            .collect(),
        other => other.clone(),
    }
}

/// A value's text with the members of every object in an order of their own.
fn shuffled(value: &Value, chance: &mut Chance) -> String {
    let mut parts: Vec<String> = match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| shuffled(item, chance)).collect();
            return format!("[{}]", items.join(","));
        }
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{}:{}", json!(name), shuffled(value, chance))).collect()
        }
        other => return other.to_string(),
    };
    if chance.below(3) == 0 {
        chance.shuffle(&mut parts);
    }
    format!("{{{}}}", parts.join(","))
}

#[test]
fn a_change_makes_the_new_text_of_the_old_one_whatever_they_are() {
    let mut chance = Chance::seeded(5);
    let mut parts = 0;
    for _ in 0..20_000 {
        let old = any(&mut chance, 4);
        let new = if chance.below(8) == 0 { any(&mut chance, 4) } else { touched(&old, &mut chance) };
        let (old, new) = (shuffled(&old, &mut chance), shuffled(&new, &mut chance));
        let Some(change) = between(&old, &new) else {
            assert_eq!(old, new);
            continue;
        };
        assert_ne!(old, new);
        assert_eq!(apply(&old, &change).as_ref(), Ok(&new), "{old} by {change}");
        assert!(change.len() <= new.len() + 2, "{change} is longer than {new}");
        parts += usize::from(change.len() < new.len());
        // What does not fit is refused or makes something else; nothing panics.
        let _ = apply(&shuffled(&any(&mut chance, 3), &mut chance), &change);
        let _ = apply(&old, &shuffled(&any(&mut chance, 3), &mut chance));
    }
    assert!(parts > 1_000, "{parts} changes were shorter than the whole");
}

/// Asserts that a browser reads every number as it is; the digest relies on that.
fn survives_a_browser(text: &Value, place: &str) {
    match text {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| survives_a_browser(value, &format!("{place}/{name}")))
        }
        Value::Array(items) => items.iter().for_each(|item| survives_a_browser(item, place)),
        Value::Number(number) => {
            let whole = number.as_i64().unwrap_or_else(|| panic!("{place}: {number} is not whole"));
            assert!(whole.unsigned_abs() < 1 << 53, "{place}: {number} is too large for a browser");
        }
        _ => {}
    }
}

/// A viewer who follows a game by changes, as the browser does.
struct Viewer {
    token: String,
    stream: Stream,
    followed: Option<Followed>,
    log: Vec<Value>,
    /// Bytes that came after the first state, by the stream and by replies.
    bytes: usize,
}

impl Viewer {
    async fn new(game: &Game, token: &str) -> Self {
        let query = if token.is_empty() { String::new() } else { format!("&token={token}") };
        let stream = Stream::open_packed(&game.site, &format!("{}?changes=true{query}", game.path("/events"))).await;
        let mut viewer = Self { token: token.to_owned(), stream, followed: None, log: Vec::new(), bytes: 0 };
        viewer.read().await;
        viewer.stream.carried = 0;
        viewer
    }

    async fn read(&mut self) {
        let event = self.stream.next().await;
        let text = event.text.as_str();
        match (event.name.as_str(), &mut self.followed) {
            ("state", followed @ None) => *followed = Some(Followed::begin(text).unwrap()),
            ("change", Some(followed)) => followed.change(text).unwrap(),
            ("thinking" | "chat", _) => return,
            (name, _) => panic!("an event {name} out of place"),
        }
        let after = event.data["log_after"].as_u64().unwrap() as usize;
        assert!(after <= self.log.len(), "lines of the log are missing");
        self.log.truncate(after);
        self.log.extend(event.data["log"].as_array().unwrap().iter().cloned());
    }

    /// Reads until the game has come to a version, and compares with what the server says when it is asked.
    async fn follow(&mut self, game: &Game, version: u64) {
        while self.followed.as_ref().unwrap().version < version {
            self.read().await;
        }
        self.bytes += std::mem::take(&mut self.stream.carried);
        self.stream.seen.clear();
        let asked = game.site.get(&game.path(""), &self.token).await.text;
        let whole = Followed::begin(&asked).unwrap();
        let frame = &self.followed.as_ref().unwrap().frame;
        assert_eq!(*frame, whole.frame);
        assert_eq!(json!(self.log), serde_json::from_str::<Value>(&asked).unwrap()["log"]);
        survives_a_browser(&serde_json::from_str(frame).unwrap(), "");
    }
}

/// Plays a game between two greedy players while everyone follows; gives the answers, and the bytes that each of the
/// viewers was sent.
async fn followed(system: &str, scenario: &str, most: usize) -> (usize, Vec<usize>) {
    const SEED: u64 = 7;
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let catalog = Catalog::built_in();
    let names = vec!["Ann".to_owned(), "Bob".to_owned()];
    let mut desk = Desk::open(&catalog, system, scenario, Value::Null, names, DiceSource::Seeded(SEED)).unwrap();
    let seats = json!([{ "kind": "human", "name": "Ann" }, { "kind": "human", "name": "Bob" }]);
    let wish =
        json!({ "system": system, "scenario": scenario, "seats": seats, "dice": "seeded", "seed": SEED.to_string() });
    let game = site.game(wish).await;
    let mut viewers = Vec::new();
    for token in [game.tokens[0].as_str(), game.tokens[1].as_str(), ""] {
        viewers.push(Viewer::new(&game, token).await);
    }
    let greedy: PlayerKind = "greedy".parse().unwrap();
    let mut chance = Chance::seeded(SEED);
    let mut answers = 0;
    while answers < most {
        let Some(seat) = desk.question().and_then(|question| question.open().first().map(|asked| asked.seat)) else {
            break;
        };
        let value = desk.think(seat, greedy, &mut chance).unwrap();
        let body = json!({ "id": answers.to_string(), "at": desk.entries().len(), "value": value });
        let viewer = &mut viewers[usize::from(seat.0)];
        let done = site.minimal(&game.path("/answer"), &viewer.token, body).await;
        viewer.bytes += done.text.len();
        let done = done.ok();
        desk.answer(seat, value).unwrap();
        answers += 1;
        assert_eq!(done["at"], desk.entries().len());
        for viewer in &mut viewers {
            viewer.follow(&game, done["version"].as_u64().unwrap()).await;
        }
    }
    assert_eq!(desk.outcome().is_some(), answers < most);
    (answers, viewers.iter().map(|viewer| viewer.bytes).collect())
}

macro_rules! games {
    ($($name:ident: $system:literal $scenario:literal $most:literal $bytes:literal)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let (answers, bytes) = followed($system, $scenario, $most).await;
            let each: Vec<usize> = bytes.iter().map(|bytes| bytes / answers.max(1)).collect();
            eprintln!("{answers} answers, bytes for an answer by viewer: {each:?}");
            assert!(answers >= 5, "the game was too short to say anything");
            assert!(each.iter().all(|bytes| *bytes <= $bytes), "{each:?} bytes for an answer");
        }
    )*};
}

games! {
    games_of_dogfite: "dogfite" "verdun-1916" 10_000 4_096
    games_of_carrier_strike: "carrier-strike" "coral-sea" 10_000 4_096
    games_of_schiffskrieg: "schiffskrieg" "denmark-strait-1941" 300 100_000
    games_of_fleet_action: "fleet-action" "river-plate" 300 100_000
    games_of_world_at_war: "world-at-war" "sedan-1940" 300 100_000
    games_of_world_at_war_at_sea: "world-at-war" "coral-sea-1942" 300 100_000
}

#[test]
fn pieces_of_every_length_make_one_gzip_stream() {
    let mut chance = Chance::seeded(3);
    let (mut packer, mut unpacker) = (Packer::default(), Unpacker::default());
    let (mut stream, mut all) = (Vec::new(), Vec::new());
    for length in [0, 1, 2_047, 2_048, 65_535, 65_536, 300_000, 3] {
        // Text, and noise that no compressor makes shorter.
        for choices in [4, 256] {
            let event: Vec<u8> = (0..length).map(|_| chance.below(choices) as u8).collect();
            let piece = packer.pack(&event).unwrap();
            assert_eq!(unpacker.unpack(&piece).unwrap(), event);
            assert!(piece.len() <= length + length / 1_000 + 64, "{} bytes for {length}", piece.len());
            stream.extend(piece);
            all.extend(event);
        }
    }
    // Another program reads it too, as far as it goes.
    let mut read = vec![0; all.len()];
    std::io::Read::read_exact(&mut flate2::read::GzDecoder::new(stream.as_slice()), &mut read).unwrap();
    assert_eq!(read, all);
    assert!(["gzip", "br, gzip", "deflate;q=1, GZIP;q=0.5"].into_iter().all(accepted));
    assert!(!["", "br", "gzip;q=0", "gzip; q=0.0", "x-gzip-not"].into_iter().any(accepted));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_of_changes_begins_whole_and_refuses_nonsense() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let game = site.duel().await;
    site.get(&format!("{}?changes=perhaps", game.path("/events")), &game.tokens[0]).await.refused(400, "bad-query");
    let mut viewer = Viewer::new(&game, &game.tokens[0]).await;
    // A change that came too late or too early does not fit.
    let before = viewer.followed.as_ref().unwrap();
    let mut behind = Followed { version: before.version - 1, frame: before.frame.clone() };
    let mut other = Followed { version: before.version, frame: before.frame.replace("Ann", "Eve") };
    let body = game.advised(&game.tokens[0], "one").await;
    let seat = if body.is_some() { Seat(0) } else { Seat(1) };
    let token = &game.tokens[usize::from(seat.0)];
    let body = game.advised(token, "one").await.unwrap();
    site.post(&game.path("/answer"), token, body).await.ok();
    let event = viewer.stream.next().await;
    assert_eq!(event.name, "change");
    assert!(behind.change(&event.text).is_err(), "the number is checked");
    assert!(other.change(&event.text).is_err(), "the digest is checked");
    viewer.followed.as_mut().unwrap().change(&event.text).unwrap();
    assert_eq!(viewer.followed.unwrap().version, event.id.unwrap());
}
