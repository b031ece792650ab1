//! The interface for programs: its document lists every request and describes what goes over the wire.

use crate::common::{Database, Site};
use serde_json::Value;

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
    let text = document.to_string();
    for name in text.split("#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(!document["components"]["schemas"][name].is_null(), "{name} is not described");
    }
}
