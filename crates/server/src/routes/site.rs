//! The client's files, and pages for operators.

use crate::app::App;
use crate::failure::Failure;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use std::sync::Arc;

struct File {
    path: &'static str,
    bytes: &'static [u8],
    gzip: &'static [u8],
}

static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/client.rs"));

/// Shown by a program that was built without the client.
const NO_CLIENT: &str = "<!doctype html><html lang=\"en\"><meta \
    charset=\"utf-8\"><title>Flagplot</title><h1>Flagplot</h1><p>The server is running, but it was built without the \
    browser client. Its interface for programs is described in <a \
    href=\"/api/openapi.json\">/api/openapi.json</a>.</p></html>";

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("txt") => "text/plain; charset=utf-8",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// A file of the client, or its start page for every other address.
pub async fn client(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if uri.path().starts_with("/api/") || uri.path() == "/api" {
        return Failure::missing("unknown-path", "There is nothing at this address.").into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return Failure::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", "This address accepts only GET.")
            .into_response();
    }
    let wanted = uri.path().trim_start_matches('/');
    let found =
        FILES.iter().find(|file| file.path == wanted).or_else(|| FILES.iter().find(|file| file.path == "index.html"));
    let Some(file) = found else {
        return ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], NO_CLIENT).into_response();
    };
    let tag: String = Sha256::digest(file.bytes).iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    // Files with a hash in their name never change.
    let lasting = file.path.starts_with("assets/");
    let caching = if lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    let same = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let gzip = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains("gzip"));
    let mut response = match (same, gzip) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, true) => ([(header::CONTENT_ENCODING, "gzip")], file.gzip).into_response(),
        (false, false) => file.bytes.into_response(),
    };
    let all = response.headers_mut();
    all.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(file.path)));
    all.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    all.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        all.insert(header::ETAG, tag);
    }
    response
}

/// Whether the process is alive.
pub async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether the server can do its work: it writes to the database.
pub async fn readyz(State(app): State<Arc<App>>) -> Response {
    match app.uptime.beat(app.store.as_ref()).await {
        Ok(()) => (StatusCode::OK, "ok\n").into_response(),
        Err(error) => {
            tracing::error!(%error, "the database cannot be written");
            (StatusCode::SERVICE_UNAVAILABLE, "the database cannot be written\n").into_response()
        }
    }
}

/// Counters for Prometheus.
pub async fn metrics(State(app): State<Arc<App>>) -> Result<Response, Failure> {
    let text = app.metrics.text(app.lives()).map_err(Failure::internal)?;
    Ok(([(header::CONTENT_TYPE, prometheus::TEXT_FORMAT)], text).into_response())
}
