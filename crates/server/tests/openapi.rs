//! The interface for programs: its document lists every request, and describes what goes over the wire as the types do.
//!
//! `src/schemas.json` is made from the types on the wire, which are written out in `web/src/wire`: `FLAGPLOT_WRITE=1 cargo test -p flagplot-server --test openapi`.

mod common;

use common::{Database, Site};
use serde_json::{Map, Value, json};
use std::path::Path;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Doc(String),
    Word(String),
    Text(String),
    Sign(char),
}

/// The tokens of a file of types.
fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = source.trim_start();
    while let Some(first) = rest.chars().next() {
        let taken = if let Some(comment) = rest.strip_prefix("/**") {
            let end = comment.find("*/").expect("a comment ends");
            let lines = comment[..end]
                .lines()
                .map(|line| line.trim().trim_start_matches('*').trim())
                .filter(|line| !line.is_empty());
            tokens.push(Token::Doc(lines.collect::<Vec<_>>().join(" ")));
            end + 5
        } else if rest.starts_with("//") || rest.starts_with("import ") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            let end = rest[1..].find('"').expect("a text ends");
            tokens.push(Token::Text(rest[1..=end].to_owned()));
            end + 2
        } else if first.is_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_owned()));
            end
        } else {
            tokens.push(Token::Sign(first));
            first.len_utf8()
        };
        rest = rest[taken..].trim_start();
    }
    tokens
}

/// Reads types and writes them as JSON Schema.
struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    fn next(&mut self) -> Token {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn take(&mut self, sign: char) -> bool {
        let there = self.tokens.get(self.at) == Some(&Token::Sign(sign));
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, sign: char) {
        assert!(self.take(sign), "{sign} is not where it should be: {:?}", &self.tokens[self.at.saturating_sub(8)..]);
    }

    fn doc(&mut self) -> Option<String> {
        let Some(Token::Doc(text)) = self.tokens.get(self.at).cloned() else { return None };
        self.at += 1;
        Some(text)
    }

    /// Types separated by `|`.
    fn any_of(&mut self) -> Value {
        self.take('|');
        let mut ways = vec![self.all_of()];
        while self.take('|') {
            ways.push(self.all_of());
        }
        if ways.len() == 1 {
            return ways.remove(0);
        }
        match ways.iter().map(|way| way.get("const").cloned()).collect::<Option<Vec<_>>>() {
            Some(words) => json!({ "enum": words }),
            None => json!({ "anyOf": ways }),
        }
    }

    /// Types separated by `&`.
    fn all_of(&mut self) -> Value {
        let mut parts = vec![self.one()];
        while self.take('&') {
            parts.push(self.one());
        }
        if parts.len() == 1 { parts.remove(0) } else { json!({ "allOf": parts }) }
    }

    fn one(&mut self) -> Value {
        match self.next() {
            Token::Sign('(') => {
                let inner = self.any_of();
                self.expect(')');
                inner
            }
            Token::Sign('[') => {
                let mut items = Vec::new();
                while !self.take(']') {
                    items.push(self.any_of());
                    self.take(',');
                }
                json!({ "type": "array", "prefixItems": items, "minItems": items.len(), "maxItems": items.len() })
            }
            Token::Sign('{') => self.object(),
            Token::Text(text) => json!({ "const": text }),
            Token::Word(word) => match word.as_str() {
                "string" | "number" | "boolean" | "null" => json!({ "type": word }),
                // Any JSON: a schema that says nothing.
                "JsonValue" => json!({}),
                "Array" => {
                    self.expect('<');
                    let items = self.any_of();
                    self.expect('>');
                    json!({ "type": "array", "items": items })
                }
                name => json!({ "$ref": format!("#/components/schemas/{name}") }),
            },
            other => panic!("a type does not begin with {other:?}"),
        }
    }

    fn object(&mut self) -> Value {
        let (mut fields, mut required) = (Map::new(), Vec::new());
        let mut values = Value::Null;
        while !self.take('}') {
            let doc = self.doc();
            if self.take('[') {
                // `[key in string]: …`
                while !self.take(']') {
                    self.at += 1;
                }
                self.take('?');
                self.expect(':');
                values = self.any_of();
            } else {
                let (Token::Word(name) | Token::Text(name)) = self.next() else { panic!("a field has a name") };
                if !self.take('?') {
                    required.push(name.clone());
                }
                self.expect(':');
                let field = self.any_of();
                fields.insert(name, described(field, doc));
            }
            self.take(',');
        }
        if !values.is_null() {
            return json!({ "type": "object", "additionalProperties": values });
        }
        json!({ "type": "object", "required": required, "properties": fields })
    }
}

fn described(mut schema: Value, doc: Option<String>) -> Value {
    if let (Some(fields), Some(doc)) = (schema.as_object_mut(), doc) {
        fields.insert("description".into(), doc.into());
    }
    schema
}

/// The schemas of all types on the wire.
fn schemas(folder: &Path) -> Map<String, Value> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let mut all = Map::new();
    for name in names.iter().filter_map(|name| name.strip_suffix(".ts")) {
        let source = std::fs::read_to_string(folder.join(format!("{name}.ts"))).unwrap();
        // What was not written from a Rust type says nothing about the wire.
        if !source.starts_with("// This file was generated") {
            continue;
        }
        let mut reader = Reader { tokens: tokens(&source), at: 0 };
        let doc = reader.doc();
        let start = [reader.next(), reader.next(), reader.next()];
        assert_eq!(start, ["export", "type", name].map(|word| Token::Word(word.into())));
        reader.expect('=');
        let schema = reader.any_of();
        all.insert(name.to_owned(), described(schema, doc));
    }
    all
}

#[test]
fn the_schemas_are_those_of_the_types() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A line for each type.
    let lines: Vec<String> = schemas(&here.join("../../web/src/wire"))
        .iter()
        .map(|(name, schema)| format!("{}:{schema}", json!(name)))
        .collect();
    let made = format!("{{\n{}\n}}\n", lines.join(",\n"));
    let file = here.join("src/schemas.json");
    if std::env::var_os("FLAGPLOT_WRITE").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    assert!(
        std::fs::read_to_string(&file).unwrap() == made,
        "the types on the wire have changed: FLAGPLOT_WRITE=1 cargo test -p flagplot-server --test openapi"
    );
}

#[tokio::test]
async fn every_request_is_in_the_document() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let document = site.get("/api/openapi.json", "").await.ok();
    let paths = document["paths"].as_object().unwrap();
    for (path, methods) in paths {
        for method in methods.as_object().unwrap().keys() {
            let got = site.ask(&method.to_uppercase(), &path.replace("{id}", "none"), "", Value::Null).await;
            assert_ne!(got.status, 405, "{method} {path}");
            assert!(!got.text.contains("unknown-path"), "{method} {path}");
        }
    }
    // And the other way round: what the router's source lists is described.
    let source = include_str!("../src/lib.rs");
    for line in source.lines().filter_map(|line| line.trim().strip_prefix(".route(\"")) {
        let path = line.split('"').next().unwrap();
        assert!(paths.contains_key(path) || paths.contains_key(&format!("/api{path}")), "{path} is not described");
    }
    let text = document.to_string();
    for name in text.split("#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(!document["components"]["schemas"][name].is_null(), "{name} is not described");
    }
}
