//! Simulated players: they learn by their event stream that something has changed, and answer by chance.

use super::check::Acknowledged;
use super::world::{World, millis};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Games with sealed answers, with hidden forces, and short ones.
const SCENARIOS: [(&str, &str); 3] =
    [("dogfite", "guynemer-udet-1917"), ("carrier-strike", "first-strike"), ("schiffskrieg", "denmark-strait-1941")];

/// A game that was played.
pub struct Played {
    pub id: String,
    pub wish: Value,
    /// The token of each person's seat, with the seat.
    pub tokens: Vec<(u8, String)>,
}

struct Player {
    world: Arc<World>,
    game: String,
    seat: u8,
    token: String,
    /// After how many answers it resigns.
    most: u32,
    given: AtomicU32,
    /// The newest version that the stream has told of.
    heard: Arc<AtomicU64>,
}

fn wish(world: &World) -> Value {
    let (system, scenario) = SCENARIOS[world.below(SCENARIOS.len() as u32) as usize];
    let person = |name: &str| json!({ "kind": "human", "name": name });
    let other = match world.below(3) {
        0 => json!({ "kind": "computer", "player": "greedy" }),
        _ => person("Bob"),
    };
    let mut wish = json!({
        "system": system, "scenario": scenario, "seats": [person("Ann"), other],
        "dice": "seeded", "seed": (9_000_000_000u64 + u64::from(world.below(1_000_000))).to_string(),
        "webhook": { "url": "http://phone.example/hook" },
    });
    match world.below(4) {
        0 => {}
        1 => wish["clock"] = json!({ "kind": "per-move", "seconds": 60, "on_timeout": "computer" }),
        _ => wish["clock"] = json!({ "kind": "per-move", "seconds": 60, "on_timeout": "lose" }),
    }
    wish
}

/// Waits a moment before a request is tried again.
async fn again(world: &World) {
    sleep(millis(50 + world.below(900))).await;
}

/// Asks until there is an answer; refusals for the moment do not count.
async fn insist(world: &World, method: &str, path: &str, token: &str, body: &Value) -> (u16, Value) {
    let text = if body.is_null() { String::new() } else { body.to_string() };
    loop {
        match world.ask(method, path, token, &text).await {
            Ok((503, _)) | Err(_) => again(world).await,
            // A process that has not yet heard that the seat is taken.
            Ok((401, reply)) => {
                world.refused_token(path, &reply);
                again(world).await;
            }
            Ok((status, reply)) => return (status, serde_json::from_str(&reply).unwrap_or(Value::Null)),
        }
    }
}

/// Makes a game and plays it to its end.
pub async fn game(world: Arc<World>, number: u32) -> Played {
    sleep(millis(world.below(3_000))).await;
    let wish = wish(&world);
    let (status, created) = insist(&world, "POST", "/api/games", "", &wish).await;
    assert_eq!(status, 201, "{created}");
    let id = created["game"].as_str().unwrap().to_owned();
    world.note(format!("game {number} is {id}: {wish}"));
    let mut tokens = Vec::new();
    for seat in created["seats"].as_array().unwrap() {
        let token = match seat["invitation"].as_str() {
            None => seat["token"].as_str().unwrap().to_owned(),
            Some(invitation) => {
                // The client makes the token, so that it can ask again when the reply is lost.
                let token: String = (0..43).map(|_| char::from(b'a' + world.below(26) as u8)).collect();
                let body = json!({ "invitation": invitation, "token": token });
                let (status, reply) = insist(&world, "POST", &format!("/api/games/{id}/take"), "", &body).await;
                if status != 201 {
                    world.broken(format!("an invited player was not let in: {reply}"));
                }
                token
            }
        };
        tokens.push((seat["seat"].as_u64().unwrap() as u8, token));
    }
    let seed = wish["seed"].as_str().unwrap().to_owned();
    world.ledger().begin(&id, &tokens, seed);
    let players: Vec<_> = tokens
        .iter()
        .map(|(seat, token)| {
            let most = 3 + world.below(20);
            let (seat, token) = (*seat, token.clone());
            let (world, game) = (world.clone(), id.clone());
            let player = Player { world, game, seat, token, most, given: AtomicU32::new(0), heard: Arc::default() };
            tokio::spawn(player.play())
        })
        .collect();
    for player in players {
        player.await.unwrap();
    }
    Played { id, wish, tokens }
}

impl Player {
    fn path(&self, rest: &str) -> String {
        format!("/api/games/{}{rest}", self.game)
    }

    async fn play(self) {
        let notes = json!({ "text": super::check::canary(&self.game, self.seat) });
        insist(&self.world, "PUT", &self.path("/notes"), &self.token, &notes).await;
        loop {
            // Here, with the game open, or away, until a notice comes.
            let bell = Arc::new(Notify::new());
            let listening = self.listen(bell.clone());
            loop {
                bell.notified().await;
                if self.act().await {
                    return;
                }
                if self.world.below(12) == 0 {
                    break;
                }
            }
            drop(listening);
            self.world.note(format!("{} seat {} goes away", self.game, self.seat));
            let phone = self.world.phone(&self.game, self.seat);
            tokio::select! {
                biased;
                () = phone.notified() => {}
                // No notice tells that a game is over: its players look again some day.
                () = self.over() => {}
            }
            self.world.note(format!("{} seat {} comes back", self.game, self.seat));
        }
    }

    async fn over(&self) {
        let over = || self.world.tables().games.get(&self.game).is_none_or(|row| row.marks.over);
        while !over() {
            sleep(millis(10_000)).await;
        }
    }

    /// Keeps an event stream open, and rings when something has changed. It reads on whatever the player does, as the
    /// task of a connection does.
    fn listen(&self, bell: Arc<Notify>) -> JoinSet<()> {
        let path = self.path(&format!("/events?token={}", self.token));
        let (world, game, seat, newest) = (self.world.clone(), self.game.clone(), self.seat, self.heard.clone());
        let mut listening = JoinSet::new();
        listening.spawn(async move {
            loop {
                let heard = |text: &str| {
                    world.note(format!("{game} seat {seat} hears of something"));
                    world.heard(&game, seat, text);
                    let version = text.lines().find_map(|line| line.strip_prefix("id: ")?.parse().ok());
                    newest.fetch_max(version.unwrap_or(0), SeqCst);
                    bell.notify_one();
                };
                let _cut = world.follow(&path, heard).await;
                again(&world).await;
            }
        });
        listening
    }

    async fn state(&self) -> Value {
        loop {
            let (status, state) = insist(&self.world, "GET", &self.path(""), &self.token, &Value::Null).await;
            if status != 200 {
                self.world.broken(format!("seat {} was not shown its game: {status} {state}", self.seat));
            }
            self.world.saw(&self.game, self.seat, &state);
            // Another process than that of the stream may not have heard of the change yet.
            if state["version"].as_u64().unwrap_or(0) >= self.heard.load(SeqCst) {
                return state;
            }
            again(&self.world).await;
        }
    }

    /// Does what there is to do; whether the game is over.
    async fn act(&self) -> bool {
        loop {
            let state = self.state().await;
            let situation = &state["situation"];
            if !situation["outcome"].is_null() {
                return true;
            }
            if situation["question"].is_null() {
                return false;
            }
            let slow = self.world.below(40) == 0;
            sleep(millis(self.world.below(if slow { 90_000 } else { 1_500 }))).await;
            let options = situation["question"]["options"].as_array().map_or(&[][..], Vec::as_slice);
            if self.given.load(SeqCst) >= self.most || options.is_empty() {
                self.world.note(format!("{} seat {} resigns", self.game, self.seat));
                insist(&self.world, "POST", &self.path("/resign"), &self.token, &Value::Null).await;
                continue;
            }
            let value = options[self.world.below(options.len() as u32) as usize]["value"].clone();
            let id = format!("{}-{}", self.seat, self.given.fetch_add(1, SeqCst));
            self.answer(json!({ "id": id, "at": situation["at"], "value": value })).await;
            match self.world.below(20) {
                0 => drop(self.world.ask("POST", &self.path("/undo"), &self.token, "").await),
                1 => self.chat().await,
                _ => {}
            }
        }
    }

    /// Gives an answer until the server has said what became of it.
    async fn answer(&self, body: Value) {
        let (path, text) = (self.path("/answer"), body.to_string());
        loop {
            let once = || self.world.ask("POST", &path, &self.token, &text);
            // Some clients send twice, to whatever process they reach.
            let replies = match self.world.below(10) {
                0 => {
                    let (first, second) = tokio::join!(biased; once(), once());
                    vec![first, second]
                }
                _ => vec![once().await],
            };
            let mut settled = false;
            for (status, reply) in replies.into_iter().flatten() {
                let reply: Value = serde_json::from_str(&reply).unwrap_or(Value::Null);
                let state = if status == 200 { &reply } else { &reply["state"] };
                if state.is_object() {
                    self.world.saw(&self.game, self.seat, state);
                }
                match status {
                    200 => {
                        self.world.acknowledged(Acknowledged {
                            game: self.game.clone(),
                            seat: self.seat,
                            body: body.clone(),
                        });
                        settled = true;
                    }
                    503 => {}
                    401 => self.world.refused_token(&path, &reply.to_string()),
                    _ => {
                        let code = &reply["error"]["code"];
                        self.world.note(format!("{} seat {} is refused {}: {code}", self.game, self.seat, body["id"]));
                        settled = true;
                    }
                }
            }
            if settled {
                return;
            }
            again(&self.world).await;
        }
    }

    /// Writes a line, once: a line that was acknowledged is there once, any other at most once.
    async fn chat(&self) {
        let text = format!("line {} of seat {}", self.given.load(SeqCst), self.seat);
        let body = json!({ "text": text }).to_string();
        if let Ok((200, _)) = self.world.ask("POST", &self.path("/chat"), &self.token, &body).await {
            self.world.ledger().lines.push((self.game.clone(), text));
        }
    }
}
