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
    (
        "get",
        "/api/systems/{id}",
        Who::Anyone,
        "A system with the shapes of its procedures and its rule references.",
        None,
        "SystemDetail",
    ),
    (
        "get",
        "/api/systems/{id}/tables",
        Who::Anyone,
        "The tables that proofs name, with all their cells.",
        None,
        "Charts",
    ),
    ("get", "/api/systems/{id}/rules", Who::Anyone, "A system's rules page.", None, "RulesPage"),
    ("get", "/api/players", Who::Anyone, "The kinds of computer players.", None, "Players"),
    (
        "post",
        "/api/adjudicate",
        Who::Anyone,
        "A ruling with dice given, seeded or rolled, or exact odds.",
        Some("RefereeRequest"),
        "RulingOrOdds",
    ),
    ("post", "/api/odds", Who::Anyone, "Exact odds: the same request, asked for odds.", Some("RefereeRequest"), "Odds"),
    (
        "post",
        "/api/games",
        Who::Anyone,
        "Makes a game. The reply holds tokens for the maker's own seats and invitations for others; they are shown once.",
        Some("CreateGame"),
        "Created",
    ),
    (
        "post",
        "/api/games/import",
        Who::Anyone,
        "Makes a game from a record. A game that goes on draws new dice; the record says where the old ones end.",
        Some("Record"),
        "Created",
    ),
    (
        "post",
        "/api/games/{id}/take",
        Who::Anyone,
        "Takes a seat: exchanges its invitation for a token, once.",
        Some("TakeBody"),
        "CreatedSeat",
    ),
    (
        "post",
        "/api/games/{id}/invite",
        Who::Player,
        "A new invitation to a seat that nobody has taken, for the maker of the game. The old one is void.",
        Some("InviteBody"),
        "CreatedSeat",
    ),
    ("post", "/api/verify", Who::Anyone, "Replays a record and proves its dice.", Some("Record"), "Verdict"),
    ("get", "/api/games/{id}", Who::Viewer, "Everything the bearer may know about the game.", None, "GameState"),
    (
        "get",
        "/api/games/{id}/events",
        Who::Viewer,
        "Server-sent events: state, chat, thinking. The first is a whole state, also after coming back.",
        None,
        "Events",
    ),
    (
        "post",
        "/api/games/{id}/answer",
        Who::Player,
        "Answers the open question. 409 with the new state if the game has moved on; the same id counts once.",
        Some("AnswerBody"),
        "StateOrDone",
    ),
    ("post", "/api/games/{id}/dice", Who::Player, "Types in real dice that are due.", Some("DiceBody"), "GameState"),
    (
        "post",
        "/api/games/{id}/undo",
        Who::Player,
        "Takes the last answer back, if nothing has happened since.",
        Some("UndoBody"),
        "GameState",
    ),
    ("post", "/api/games/{id}/resign", Who::Player, "Gives up.", None, "GameState"),
    (
        "post",
        "/api/games/{id}/draw",
        Who::Player,
        "Offers a draw, agrees to one, or refuses one.",
        Some("DrawBody"),
        "GameState",
    ),
    ("post", "/api/games/{id}/chat", Who::Player, "Says something to everybody.", Some("TextBody"), "GameState"),
    ("put", "/api/games/{id}/notes", Who::Player, "Keeps private notes.", Some("TextBody"), "Nothing"),
    (
        "post",
        "/api/games/{id}/entropy",
        Who::Player,
        "Takes part in fair dice before the first roll: commits to 256 random bits, then reveals them, or waives.",
        Some("EntropyBody"),
        "GameState",
    ),
    (
        "post",
        "/api/games/{id}/explain",
        Who::Player,
        "The odds worth knowing before an answer.",
        Some("ExplainBody"),
        "Insights",
    ),
    (
        "post",
        "/api/games/{id}/preview",
        Who::Player,
        "An answer tried out and not given: whether the rules take it, its odds, where pieces may stand after it.",
        Some("ExplainBody"),
        "Preview",
    ),
    (
        "post",
        "/api/games/{id}/hint",
        Who::Player,
        "What a computer player would answer, and what else it has weighed.",
        Some("HintBody"),
        "Hint",
    ),
    (
        "get",
        "/api/games/{id}/replay",
        Who::Viewer,
        "The game as of entry `at`, as the seat `as` knew it (`spectator`, `all`); of a running game only as the bearer knew it.",
        None,
        "GameState",
    ),
    (
        "post",
        "/api/games/{id}/analysis",
        Who::Viewer,
        "Luck and losses of a finished game. Ask again until `analysis` is there (with `longer`: until `longer` is true).",
        Some("AnalysisBody"),
        "AnalysisState",
    ),
    (
        "get",
        "/api/games/{id}/scenario",
        Who::Viewer,
        "The forces of a custom battle as a scenario file with this `id` and `title`.",
        None,
        "ScenarioFile",
    ),
    ("get", "/api/games/{id}/export", Who::Viewer, "The record of a finished game.", None, "Record"),
    (
        "post",
        "/api/games/{id}/rematch",
        Who::Player,
        "The same game with sides exchanged; each seat that asks gets its own token.",
        None,
        "Created",
    ),
    ("post", "/api/account", Who::Anyone, "Makes an account and comes in.", Some("NewAccount"), "Me"),
    ("post", "/api/session", Who::Anyone, "Comes in.", Some("Login"), "Me"),
    ("delete", "/api/session", Who::Account, "Goes out.", None, "Nothing"),
    ("get", "/api/me", Who::Account, "Who one is, and one's games.", None, "Me"),
    ("get", "/api/openapi.json", Who::Anyone, "This document.", None, "Document"),
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

/// The schemas of the types on the wire, as a test has written them, and of what has no type of its own.
fn schemas() -> Value {
    let mut all: Value = serde_json::from_str(include_str!("schemas.json")).unwrap_or_default();
    let text = |what: &str| json!({ "type": "string", "description": what });
    let more = json!({
        "Systems": list(named("SystemBrief")),
        "Charts": list(named("Chart")),
        "Players": list(named("PlayerInfo")),
        "Insights": list(named("Insight")),
        "RefereeRequest": object(&["system", "procedure", "input"], json!({
            "system": text("A system's id."), "procedure": text("One of its procedures."), "input": { "description": "As the procedure's shape says." },
            "dice": { "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 255 }, "description": "What real dice show, in the order in which they are asked for." },
            "seed": { "type": "integer", "description": "Dice from a number. Without dice and seed they are rolled." },
            "odds": { "type": "boolean", "description": "Exact odds rather than a ruling." },
            "field": text("Odds of this field of the result only.") })),
        "Odds": object(&["odds"], json!({ "odds": {
            "type": "object", "description": "For each field of the result its values, each with its chance as a fraction.",
            "additionalProperties": { "type": "object", "additionalProperties": { "type": "string" } } } })),
        "RulingOrOdds": { "anyOf": [named("Ruling"), named("Odds")] },
        "Done": object(&["at", "version"], json!({
            "at": { "type": "integer", "description": "How many entries the game has." }, "version": { "type": "integer", "description": "How often it has changed." } })),
        "StateOrDone": { "anyOf": [named("GameState"), named("Done")] },
        "Record": text("A record: JSON lines."),
        "ScenarioFile": text("A scenario as TOML."),
        "Events": text("Server-sent events: `state` with a GameState, `chat` with a ChatLine, `thinking` with a Thinking."),
        "PlainText": { "type": "string" },
        "Document": { "type": "object" },
    });
    if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
        all.extend(more);
    }
    all
}

fn content(schema: &str) -> Value {
    let kind = match schema {
        "Record" | "ScenarioFile" | "PlainText" => "text/plain",
        "Events" => "text/event-stream",
        _ => "application/json",
    };
    json!({ kind: { "schema": named(schema) } })
}

fn operation(&(_, path, who, summary, body, reply): &Operation) -> Value {
    let status = match reply {
        "Created" | "CreatedSeat" => "201",
        _ if path == "/api/account" => "201",
        "Nothing" => "204",
        _ => "200",
    };
    let mut parameters = Vec::new();
    if path.contains("{id}") {
        parameters.push(json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }));
    }
    let mut query = |name: &str, required: bool, schema: Value| {
        parameters.push(json!({ "name": name, "in": "query", "required": required, "schema": schema }))
    };
    if path.ends_with("/replay") {
        query("at", false, json!({ "type": "integer", "minimum": 0 }));
        query("as", false, json!({ "type": "string", "description": "The number of a seat, `spectator` or `all`." }));
    }
    if path.ends_with("/import") {
        query(
            "own",
            false,
            json!({ "type": "string", "description": "One's own seats, such as `0,1`; without it, the first seat of a person." }),
        );
    }
    if path.ends_with("/scenario") {
        query("id", true, json!({ "type": "string" }));
        query("title", false, json!({ "type": "string" }));
    }
    if path.starts_with("/api/games/{id}") {
        query(
            "seat",
            false,
            json!({ "type": "integer", "minimum": 0, "maximum": 255, "description": "Which of one's seats, for an account that has several." }),
        );
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
    let reply = if status == "204" {
        json!({ "description": "Done." })
    } else {
        json!({ "description": "As asked.", "content": content(reply) })
    };
    let mut all = json!({
        "summary": summary,
        "parameters": parameters,
        "security": security,
        "responses": { status: reply, "default": { "description": "Refused: nothing has changed.", "content": { "application/json": { "schema": named("Refused") } } } },
    });
    if let Some(body) = body {
        all["requestBody"] = json!({ "required": !matches!(body, "ExplainBody" | "HintBody" | "AnalysisBody" | "UndoBody"), "content": content(body) });
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
            "description": "Tabletop air and naval games: played, refereed, analysed. A seat is proved by its token. Requests that change something and carry a session's cookie, \
                or come from a page in a browser, need the header `X-Flagplot: 1`.",
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
