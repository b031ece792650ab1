//! The interface for programs, as an OpenAPI document. One line for each request.

use axum::Json;
use serde_json::{Map, Value, json};

/// Who may ask.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    Anyone,
    Viewer,
    Player,
    Account,
}

/// A request: method, path, who may ask, what it does, its body, what comes back.
type Operation = (&'static str, &'static str, Who, &'static str, Option<&'static str>, &'static str);

const OPERATIONS: &[Operation] = &[
    ("get", "/api/systems", Who::Anyone, "All systems with their scenarios and procedures.", None, "Systems"),
    ("get", "/api/systems/{id}", Who::Anyone, "A system with the shapes of its procedures and its rule references.", None, "System"),
    ("get", "/api/systems/{id}/tables", Who::Anyone, "The tables that proofs name, with all their cells.", None, "Anything"),
    ("get", "/api/systems/{id}/rules", Who::Anyone, "A system's rules page.", None, "RulesPage"),
    ("get", "/api/players", Who::Anyone, "The kinds of computer players.", None, "Players"),
    ("post", "/api/adjudicate", Who::Anyone, "A ruling with dice given, seeded or rolled, or exact odds.", Some("RefereeRequest"), "RefereeResponse"),
    ("post", "/api/odds", Who::Anyone, "Exact odds: the same request, asked for odds.", Some("RefereeRequest"), "RefereeResponse"),
    ("post", "/api/games", Who::Anyone, "Makes a game. The tokens in the reply are shown once.", Some("CreateGame"), "Created"),
    ("post", "/api/games/import", Who::Anyone, "Makes a game from a record.", Some("Record"), "Created"),
    ("post", "/api/verify", Who::Anyone, "Replays a record and proves its dice.", Some("Record"), "Verdict"),
    ("get", "/api/games/{id}", Who::Viewer, "Everything the bearer may know about the game.", None, "GameState"),
    ("get", "/api/games/{id}/events", Who::Viewer, "Server-sent events: state, chat, thinking. The first is a whole state, also after coming back.", None, "Events"),
    (
        "post",
        "/api/games/{id}/answer",
        Who::Player,
        "Answers the open question. 409 with the new state if the game has moved on; the same id counts once.",
        Some("Answer"),
        "GameState",
    ),
    ("post", "/api/games/{id}/dice", Who::Player, "Types in real dice that are due.", Some("Dice"), "GameState"),
    ("post", "/api/games/{id}/undo", Who::Player, "Takes the last answer back, if nothing has happened since.", None, "GameState"),
    ("post", "/api/games/{id}/resign", Who::Player, "Gives up.", None, "GameState"),
    ("post", "/api/games/{id}/draw", Who::Player, "Offers a draw, agrees to one, or refuses one.", Some("Draw"), "GameState"),
    ("post", "/api/games/{id}/chat", Who::Player, "Says something to everybody.", Some("Text"), "GameState"),
    ("put", "/api/games/{id}/notes", Who::Player, "Keeps private notes.", Some("Text"), "Nothing"),
    ("post", "/api/games/{id}/entropy", Who::Player, "Adds something to fair dice before anything has happened.", Some("Text"), "GameState"),
    ("post", "/api/games/{id}/explain", Who::Player, "The odds worth knowing before an answer.", Some("Explain"), "Insights"),
    (
        "post",
        "/api/games/{id}/preview",
        Who::Player,
        "An answer tried out and not given: whether the rules take it, its odds, where pieces may stand after it.",
        Some("Explain"),
        "Preview",
    ),
    ("post", "/api/games/{id}/hint", Who::Player, "What a computer player would answer, and what else it has weighed.", Some("HintWish"), "Hint"),
    (
        "get",
        "/api/games/{id}/replay",
        Who::Viewer,
        "The game as of entry `at`, as the seat `as` knew it (`spectator`, `all`); of a running game only as the bearer knew it.",
        None,
        "GameState",
    ),
    ("post", "/api/games/{id}/analysis", Who::Viewer, "Luck and losses of a finished game. Ask again until `analysis` is there.", None, "Analysis"),
    ("get", "/api/games/{id}/scenario", Who::Viewer, "The forces of a custom battle as a scenario file with this `id` and `title`.", None, "RecordText"),
    ("get", "/api/games/{id}/export", Who::Viewer, "The record of a finished game.", None, "RecordText"),
    ("post", "/api/games/{id}/rematch", Who::Player, "The same game with sides exchanged; each seat that asks gets its own token.", None, "Created"),
    ("post", "/api/account", Who::Anyone, "Makes an account and comes in.", Some("Account"), "Me"),
    ("post", "/api/session", Who::Anyone, "Comes in.", Some("Login"), "Me"),
    ("delete", "/api/session", Who::Account, "Goes out.", None, "Nothing"),
    ("get", "/api/me", Who::Account, "Who one is, and one's games.", None, "Me"),
    ("get", "/api/openapi.json", Who::Anyone, "This document.", None, "Anything"),
    ("get", "/healthz", Who::Anyone, "Whether the server can do its work.", None, "PlainText"),
    ("get", "/metrics", Who::Anyone, "Counters in Prometheus' form.", None, "PlainText"),
];

fn object(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}

fn list(of: Value) -> Value {
    json!({ "type": "array", "items": of })
}

fn named(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn schemas() -> Value {
    let text = || json!({ "type": "string" });
    let number = || json!({ "type": "integer" });
    let flag = || json!({ "type": "boolean" });
    let any = || json!({});
    let seat = || json!({ "type": "integer", "description": "A seat, numbered from 0." });
    json!({
        "Refusal": object(&["code", "message"], json!({ "code": text(), "message": text(), "rule": text(), "remedy": text(), "also": list(named("Refusal")) })),
        "Refused": object(&["error"], json!({ "error": named("Refusal"), "state": named("GameState") })),
        "Systems": list(named("System")),
        "System": object(&["id", "title", "blurb", "edition", "scenarios", "procedures"], json!({
            "id": text(), "title": text(), "blurb": text(), "edition": text(), "scenarios": list(any()), "procedures": list(any()), "rules": list(any()) })),
        "RulesPage": object(&["markdown"], json!({ "markdown": text() })),
        "Players": list(object(&["id", "title", "help"], json!({ "id": text(), "title": text(), "help": text() }))),
        "RefereeRequest": object(&["system", "procedure", "input"], json!({
            "system": text(), "procedure": text(), "input": any(), "dice": list(number()), "seed": number(), "odds": flag(), "field": text() })),
        "RefereeResponse": object(&[], json!({ "result": any(), "rolls": list(any()), "trace": list(any()), "odds": any() })),
        "Clock": object(&["kind", "on_timeout"], json!({
            "kind": { "enum": ["per-move", "banked"] }, "seconds": number(), "seconds_per_day": number(), "bank_seconds": number(), "on_timeout": { "enum": ["lose", "computer"] } })),
        "CreateGame": object(&["system", "scenario", "seats"], json!({
            "system": text(), "scenario": text(), "options": any(),
            "seats": list(object(&["kind"], json!({ "kind": { "enum": ["human", "computer"] }, "player": text(), "name": text() }))),
            "dice": { "enum": ["fair", "typed", "seeded"] }, "seed": text(), "spectators": flag(), "clock": named("Clock"),
            "webhook": object(&["url"], json!({ "url": text(), "form": { "enum": ["json", "discord"] } })) })),
        "Created": object(&["game", "seats", "spectate"], json!({
            "game": text(), "seats": list(object(&["seat", "token", "link"], json!({ "seat": seat(), "token": text(), "link": text() }))), "spectate": { "type": ["string", "null"] } })),
        "Situation": object(&["at", "view", "scene", "question", "waiting", "can_undo", "outcome"], json!({
            "at": { "type": "integer", "description": "Give it back with an answer." }, "view": any(), "scene": any(), "question": any(), "waiting": any(), "can_undo": flag(), "outcome": any() })),
        "GameState": object(&["game", "version", "meta", "you", "situation", "log_after", "log", "chat", "notes", "clock", "draw_offer", "thinking"], json!({
            "game": text(), "version": number(), "meta": any(), "you": any(), "situation": named("Situation"),
            "log_after": { "type": "integer", "description": "The lines of this log replace all with a larger number." }, "log": list(any()),
            "chat": list(object(&["at", "from", "text"], json!({ "at": number(), "from": any(), "text": text() }))),
            "notes": text(), "clock": any(), "draw_offer": any(), "thinking": list(seat()), "rematch": text() })),
        "Answer": object(&["id", "at", "value"], json!({ "id": { "type": "string", "maxLength": 100 }, "at": number(), "value": any(), "log_after": number() })),
        "Dice": object(&["id", "faces"], json!({ "id": { "type": "string", "maxLength": 100 }, "at": number(), "faces": list(number()) })),
        "Draw": object(&["offer"], json!({ "offer": flag() })),
        "Text": object(&["text"], json!({ "text": text() })),
        "Explain": object(&[], json!({ "value": any() })),
        "Insights": list(object(&["title", "basis"], json!({ "title": text(), "basis": text(), "chances": list(any()), "lines": list(text()) }))),
        "HintWish": object(&[], json!({ "player": text() })),
        "Hint": object(&["value", "label", "alternatives", "method"], json!({ "value": any(), "label": text(), "alternatives": list(any()), "method": text() })),
        "Preview": object(&["insights", "ghosts"], json!({ "refusal": named("Refusal"), "insights": named("Insights"), "ghosts": list(any()) })),
        "Analysis": object(&["done", "total"], json!({ "done": number(), "total": number(), "analysis": any() })),
        "Record": { "type": "string", "description": "A record: JSON lines." },
        "RecordText": { "type": "string", "description": "A record: JSON lines." },
        "Verdict": object(&["entries", "rolls_proved", "dice", "outcome"], json!({ "entries": number(), "rolls_proved": number(), "dice": text(), "outcome": any() })),
        "Events": { "type": "string", "description": "text/event-stream" },
        "Account": object(&["name", "password"], json!({ "name": text(), "password": text(), "email": text() })),
        "Login": object(&["name", "password"], json!({ "name": text(), "password": text() })),
        "Me": object(&["name", "games"], json!({ "name": text(), "games": list(object(&["game", "system", "scenario", "seat", "your_turn", "over"], json!({
            "game": text(), "system": text(), "scenario": text(), "seat": seat(), "your_turn": flag(), "over": flag() }))) })),
        "Nothing": { "type": "null" },
        "PlainText": { "type": "string" },
        "Anything": {},
    })
}

fn content(schema: &str) -> Value {
    let kind = match schema {
        "Record" | "RecordText" | "PlainText" => "text/plain",
        "Events" => "text/event-stream",
        _ => "application/json",
    };
    json!({ kind: { "schema": named(schema) } })
}

fn operation(&(_, path, who, summary, body, reply): &Operation) -> Value {
    let status = match reply {
        "Created" => "201",
        "Nothing" => "204",
        _ => "200",
    };
    let mut parameters = Vec::new();
    if path.contains("{id}") {
        parameters.push(json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }));
    }
    if path.ends_with("/replay") {
        parameters.push(json!({ "name": "at", "in": "query", "schema": { "type": "integer" } }));
    }
    if path.ends_with("/answer") {
        parameters.push(json!({ "name": "Prefer", "in": "header", "schema": { "const": "return=minimal" }, "description": "Reply only with `at` and `version`." }));
    }
    let security = match who {
        Who::Anyone => json!([]),
        Who::Viewer => json!([{ "seat": [] }, { "seatInAddress": [] }, { "session": [] }, {}]),
        Who::Player => json!([{ "seat": [] }, { "seatInAddress": [] }, { "session": [] }]),
        Who::Account => json!([{ "session": [] }]),
    };
    let reply = if status == "204" { json!({ "description": "Done." }) } else { json!({ "description": "As asked.", "content": content(reply) }) };
    let mut all = json!({
        "summary": summary,
        "parameters": parameters,
        "security": security,
        "responses": { status: reply, "default": { "description": "Refused: nothing has changed.", "content": { "application/json": { "schema": named("Refused") } } } },
    });
    if let Some(body) = body {
        all["requestBody"] = json!({ "required": !matches!(body, "Explain" | "HintWish"), "content": content(body) });
    }
    all
}

/// The document.
#[must_use]
pub fn document() -> Value {
    let mut paths = Map::new();
    for line in OPERATIONS {
        let path = paths.entry(line.1).or_insert_with(|| json!({}));
        path[line.0] = operation(line);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Flagplot",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Tabletop air and naval games: played, refereed, analysed. A seat is proved by its token. Requests that change something and carry a session's cookie need the header `X-Flagplot: 1`.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {
                "seat": { "type": "http", "scheme": "bearer", "description": "A seat's token." },
                "seatInAddress": { "type": "apiKey", "in": "query", "name": "token" },
                "session": { "type": "apiKey", "in": "cookie", "name": "flagplot_session" },
            },
        },
    })
}

/// Sends the document.
pub async fn show() -> Json<Value> {
    Json(document())
}
