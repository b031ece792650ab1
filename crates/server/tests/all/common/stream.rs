//! The live stream, read as a client would.

use super::Site;
use axum::body::Body;
use axum::http::Request;
use flagplot_server::gzip::Unpacker;
use http_body_util::BodyExt;
use serde_json::Value;
use std::time::Duration;
use tower::ServiceExt;

/// A stream of events, without a network.
pub struct Stream {
    body: Body,
    text: String,
    /// Every byte that came.
    pub seen: String,
    /// How many bytes the network carried.
    pub carried: usize,
    unpacker: Option<Unpacker>,
}

#[derive(Debug)]
pub struct Event {
    pub name: String,
    pub id: Option<u64>,
    pub data: Value,
    /// The data as it came.
    pub text: String,
}

impl Stream {
    pub async fn open(site: &Site, path: &str, last: Option<u64>) -> Self {
        Self::open_as(site, path, last, None).await
    }

    /// The same for a client that accepts gzip, as browsers do.
    pub async fn open_packed(site: &Site, path: &str) -> Self {
        Self::open_as(site, path, None, Some("deflate, gzip;q=1.0, br")).await
    }

    async fn open_as(site: &Site, path: &str, last: Option<u64>, accepts: Option<&str>) -> Self {
        let mut request = Request::get(path);
        if let Some(accepts) = accepts {
            request = request.header("accept-encoding", accepts);
        }
        if let Some(last) = last {
            request = request.header("last-event-id", last.to_string());
        }
        let response = site.0.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let packed = response.headers().get("content-encoding").is_some_and(|encoding| encoding == "gzip");
        assert_eq!(packed, accepts.is_some());
        let unpacker = packed.then(Unpacker::default);
        Self { body: response.into_body(), text: String::new(), seen: String::new(), carried: 0, unpacker }
    }

    pub async fn next(&mut self) -> Event {
        tokio::time::timeout(Duration::from_secs(60), self.wait()).await.expect("an event comes")
    }

    async fn wait(&mut self) -> Event {
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let block: String = self.text.drain(..end + 2).collect();
                let field = |name: &str| {
                    block.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")).map(str::to_owned))
                };
                if let Some(data) = field("data") {
                    return Event {
                        name: field("event").unwrap(),
                        id: field("id").map(|id| id.parse().unwrap()),
                        data: serde_json::from_str(&data).unwrap(),
                        text: data,
                    };
                }
                continue;
            }
            let frame = self.body.frame().await.expect("the stream goes on").unwrap();
            let data = frame.data_ref().unwrap();
            self.carried += data.len();
            let new = match &mut self.unpacker {
                Some(unpacker) => unpacker.unpack(data).unwrap(),
                None => data.to_vec(),
            };
            let new = String::from_utf8(new).unwrap();
            self.text.push_str(&new);
            self.seen.push_str(&new);
        }
    }

    /// Reads states until the game has come to `at`, and gives the log as a client would keep it.
    pub async fn follow(&mut self, log: &mut Vec<Value>, at: u64) -> Value {
        loop {
            let event = self.next().await;
            if event.name != "state" {
                continue;
            }
            let after = event.data["log_after"].as_u64().unwrap();
            log.retain(|line| line["number"].as_u64().unwrap() <= after);
            log.extend(event.data["log"].as_array().unwrap().iter().cloned());
            if event.data["situation"]["at"].as_u64().unwrap() >= at {
                return event.data;
            }
        }
    }
}

impl Stream {
    /// Follows until `at`, unless the last state read was there already.
    pub async fn follow_if_behind(&mut self, log: &mut Vec<Value>, at: u64) -> Option<Value> {
        tokio::time::timeout(Duration::from_secs(2), self.follow(log, at)).await.ok()
    }
}
