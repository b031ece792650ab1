//! Adds each route to the router together with its entry in the OpenAPI document.
//!
//! The schemas are those of the Rust types ([`JsonSchema`]); the browser client's types are generated from the
//! document.

use crate::App;
use crate::wire::Refused;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::routing::{MethodRouter, delete, get, post, put};
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Writes a type's schema, or a reference to it.
type Describe = fn(&mut SchemaGenerator) -> Schema;

/// Who may make a request.
#[derive(Clone, Copy)]
enum Caller {
    Anyone,
    Viewer,
    Player,
    Account,
}

/// The content of a body or a reply.
#[derive(Clone, Copy)]
enum Content {
    Json(Describe),
    /// Text of this media type, with a description.
    Text(&'static str, &'static str),
}

/// The description of a request.
pub struct Operation {
    caller: Caller,
    summary: &'static str,
    body: Option<Content>,
    optional_body: bool,
    largest_body: Option<usize>,
    query: Option<Describe>,
    headers: Vec<Value>,
    status: u16,
    reply: Option<Content>,
}

fn operation(caller: Caller, summary: &'static str) -> Operation {
    Operation {
        caller,
        summary,
        body: None,
        optional_body: false,
        largest_body: None,
        query: None,
        headers: Vec::new(),
        status: 204,
        reply: None,
    }
}

/// A request that needs no seat and no account.
pub fn anyone(summary: &'static str) -> Operation {
    operation(Caller::Anyone, summary)
}

/// A request for players and spectators.
pub fn viewer(summary: &'static str) -> Operation {
    operation(Caller::Viewer, summary)
}

/// A request for a player of the game.
pub fn player(summary: &'static str) -> Operation {
    operation(Caller::Player, summary)
}

/// A request for an account.
pub fn account(summary: &'static str) -> Operation {
    operation(Caller::Account, summary)
}

impl Operation {
    /// Takes a JSON body of this type.
    pub fn body<T: JsonSchema>(mut self) -> Self {
        self.body = Some(Content::Json(|schemas| schemas.subschema_for::<T>()));
        self
    }

    /// Takes a JSON body of this type, which may be empty.
    pub fn optional_body<T: JsonSchema>(self) -> Self {
        Self { optional_body: true, ..self.body::<T>() }
    }

    /// Takes a body of plain text.
    pub fn text_body(mut self, description: &'static str) -> Self {
        self.body = Some(Content::Text("text/plain", description));
        self
    }

    /// Sets a limit on the body, in bytes, in place of the usual one.
    pub fn largest_body(mut self, bytes: usize) -> Self {
        self.largest_body = Some(bytes);
        self
    }

    /// Takes the fields of this type as parameters of the address.
    pub fn query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(T::json_schema);
        self
    }

    /// Takes a header, which may be left out.
    pub fn header(mut self, name: &'static str, value: &'static str, description: &'static str) -> Self {
        let schema = json!({ "const": value });
        self.headers.push(json!({ "name": name, "in": "header", "schema": schema, "description": description }));
        self
    }

    /// Replies with JSON of this type.
    pub fn reply<T: JsonSchema>(mut self) -> Self {
        self.status = 200;
        self.reply = Some(Content::Json(|schemas| schemas.subschema_for::<T>()));
        self
    }

    /// Replies with JSON of this type and status 201.
    pub fn created<T: JsonSchema>(self) -> Self {
        Self { status: 201, ..self.reply::<T>() }
    }

    /// Replies with plain text.
    pub fn text_reply(mut self, description: &'static str) -> Self {
        self.status = 200;
        self.reply = Some(Content::Text("text/plain", description));
        self
    }

    /// Replies with a stream of events.
    pub fn events(mut self, description: &'static str) -> Self {
        self.status = 200;
        self.reply = Some(Content::Text("text/event-stream", description));
        self
    }
}

/// The routes with their description.
pub struct Api {
    router: Router<Arc<App>>,
    paths: Map<String, Value>,
    /// Schemas of what the server writes, and of what it reads: the fields that may be missing differ.
    written: SchemaGenerator,
    read: SchemaGenerator,
}

fn generator(contract: Contract) -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.contract = contract;
    settings.into_generator()
}

macro_rules! methods {
    ($($method:ident)*) => {$(
        /// Adds a route of this method.
        pub fn $method<H, T: 'static>(self, path: &str, handler: H, operation: Operation) -> Self
        where
            H: Handler<T, Arc<App>>,
        {
            self.add(stringify!($method), path, $method(handler), operation)
        }
    )*};
}

impl Api {
    /// No routes yet.
    pub fn new() -> Self {
        let (written, read) = (generator(Contract::Serialize), generator(Contract::Deserialize));
        Self { router: Router::new(), paths: Map::new(), written, read }
    }

    methods! { get post put delete }

    /// Describes a type that is sent in events only.
    pub fn also<T: JsonSchema>(mut self) -> Self {
        self.written.subschema_for::<T>();
        self
    }

    fn add(mut self, method: &str, path: &str, route: MethodRouter<Arc<App>>, operation: Operation) -> Self {
        let route = match operation.largest_body {
            Some(bytes) => route.layer(DefaultBodyLimit::max(bytes)),
            None => route,
        };
        self.router = self.router.route(path, route);
        let described = self.describe(path, operation);
        self.paths.entry(path).or_insert_with(|| json!({}))[method] = described;
        self
    }

    fn describe(&mut self, path: &str, operation: Operation) -> Value {
        let mut parameters = Vec::new();
        if path.contains("{id}") {
            parameters.push(json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }));
        }
        if let Some(query) = operation.query {
            parameters.extend(parameters_of(query(&mut self.read)));
        }
        if matches!(operation.caller, Caller::Viewer | Caller::Player) {
            let schema = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
            let description = "Which of the account's seats, if it has several.";
            parameters.push(json!({ "name": "seat", "in": "query", "schema": schema, "description": description }));
        }
        parameters.extend(operation.headers);
        let security = match operation.caller {
            Caller::Anyone => json!([]),
            Caller::Viewer => json!([{ "seat": [] }, { "seatInAddress": [] }, { "session": [] }, {}]),
            Caller::Player => json!([{ "seat": [] }, { "seatInAddress": [] }, { "session": [] }]),
            Caller::Account => json!([{ "session": [] }]),
        };
        let reply = match operation.reply {
            None => json!({ "description": "Done." }),
            Some(reply) => {
                json!({ "description": "The request was carried out.", "content": content(reply, &mut self.written) })
            }
        };
        let refused = content(Content::Json(|schemas| schemas.subschema_for::<Refused>()), &mut self.written);
        let mut described = json!({
            "summary": operation.summary,
            "parameters": parameters,
            "security": security,
            "responses": {
                operation.status.to_string(): reply,
                "default": { "description": "Refused: nothing has changed.", "content": refused },
            },
        });
        if let Some(body) = operation.body {
            let content = content(body, &mut self.read);
            described["requestBody"] = json!({ "required": !operation.optional_body, "content": content });
        }
        described
    }

    pub fn finish(mut self) -> (Router<Arc<App>>, Value) {
        let mut schemas = self.written.take_definitions(true);
        schemas.values_mut().for_each(tidy);
        for (name, schema) in self.read.take_definitions(true) {
            schemas.entry(name).or_insert(schema);
        }
        let document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Flagplot",
                "version": env!("CARGO_PKG_VERSION"),
                "description": "Tabletop air and naval games: played, refereed, analysed. A token proves a seat. \
                    A request that changes something needs the header `X-Flagplot: 1` if it carries a session's \
                    cookie or comes from a page in a browser.",
                "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
            },
            "servers": [{ "url": "/" }],
            "paths": self.paths,
            "components": {
                "schemas": schemas,
                "securitySchemes": {
                    "seat": { "type": "http", "scheme": "bearer", "description": "A seat's token." },
                    "seatInAddress": { "type": "apiKey", "in": "query", "name": "token" },
                    "session": { "type": "apiKey", "in": "cookie", "name": "flagplot_session" },
                },
            },
        });
        (self.router, document)
    }
}

fn content(content: Content, schemas: &mut SchemaGenerator) -> Value {
    match content {
        Content::Json(describe) => json!({ "application/json": { "schema": describe(schemas) } }),
        Content::Text(kind, description) => {
            json!({ kind: { "schema": { "type": "string", "description": description } } })
        }
    }
}

/// Fits schemas to what the server writes: an optional field is missing and never null, and a list of fixed length is a
/// tuple.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(fields) => {
            fields.values_mut().for_each(tidy);
            let length = fields.get("minItems").filter(|least| fields.get("maxItems") == Some(least));
            let length = length.and_then(Value::as_u64).filter(|length| *length <= 8);
            if let (Some(length), Some(item @ Value::Object(_))) = (length, fields.get("items").cloned()) {
                fields.remove("items");
                fields.insert("prefixItems".into(), (0..length).map(|_| item.clone()).collect());
            }
            let required = fields.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            if let Some(Value::Object(properties)) = fields.get_mut("properties") {
                for (_, property) in properties.iter_mut().filter(|(name, _)| !required.iter().any(|one| one == *name))
                {
                    not_null(property);
                }
            }
        }
        _ => {}
    }
}

fn not_null(schema: &mut Value) {
    let Value::Object(fields) = schema else { return };
    if let Some(Value::Array(types)) = fields.get_mut("type") {
        types.retain(|one| one != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            fields.insert("type".into(), one);
        }
    }
    if let Some(Value::Array(ways)) = fields.get_mut("anyOf") {
        ways.retain(|way| way["type"] != "null");
        if let [Value::Object(way)] = ways.as_slice() {
            let way = way.clone();
            fields.remove("anyOf");
            fields.extend(way);
        }
    }
}

/// The properties of an object as parameters of the address.
fn parameters_of(schema: Schema) -> Vec<Value> {
    let schema = schema.to_value();
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .map(|(name, schema)| {
            let mut schema = schema.clone();
            let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
            let mut parameter = json!({ "name": name, "in": "query", "required": required(name), "schema": schema });
            if let Some(description) = description {
                parameter["description"] = description;
            }
            parameter
        })
        .collect()
}
