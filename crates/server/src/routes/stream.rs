//! The live stream of a game: server-sent events.
//!
//! Every `state` is whole but for the log, which brings what is new. So a slow or cut connection loses nothing: the next
//! state, or the first one after coming back, says how things stand, and states that nobody was there to read are left out.

use crate::failure::{Failure, Reply};
use crate::live::{App, Listening, Live, now};
use crate::wire::Thinking;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use flagplot_kernel::{Seat, Viewer};
use futures_util::stream::{self, Stream};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::sync::watch;

/// A line that says nothing is sent so often, so that nobody in between thinks the connection dead.
const PULSE: Duration = Duration::from_secs(15);

struct Reader {
    app: Arc<App>,
    live: Arc<Live>,
    viewer: Viewer,
    revision: watch::Receiver<u64>,
    closing: watch::Receiver<bool>,
    _listening: Listening,
    /// What this connection has been told.
    sent: Option<Sent>,
    ready: VecDeque<Event>,
}

#[derive(Clone, PartialEq)]
struct Sent {
    version: i64,
    at: usize,
    settled: usize,
    undone: usize,
    chat: usize,
    thinking: Vec<Seat>,
    draw_offer: Option<Seat>,
    rematch: Option<String>,
}

/// The events for one viewer, from now on.
pub fn events(app: Arc<App>, live: Arc<Live>, viewer: Viewer) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut revision = live.listen();
    revision.mark_changed();
    let closing = app.closing.subscribe();
    let listening = Listening::new(&app, &live, viewer);
    let reader = Reader { app, live, viewer, revision, closing, _listening: listening, sent: None, ready: VecDeque::new() };
    let events = stream::unfold(reader, |mut reader| async move {
        loop {
            if let Some(event) = reader.ready.pop_front() {
                reader.app.metrics.events.fetch_add(1, Relaxed);
                return Some((Ok(event), reader));
            }
            tokio::select! {
                changed = reader.revision.changed() => changed.ok()?,
                _ = reader.closing.wait_for(|closing| *closing) => return None,
            }
            // When the store does not answer, the stream ends; the browser comes back by itself.
            reader.look().await.ok()?;
        }
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(PULSE))
}

impl Reader {
    /// Finds what is new and makes events of it.
    async fn look(&mut self) -> Reply<()> {
        let thinking = self.live.thinking();
        let mut table = self.app.hold(&self.live).await?;
        let now_sent = Sent {
            version: table.version,
            at: table.desk.entries().len(),
            settled: table.desk.settled_log(),
            undone: table.undone,
            chat: table.chat.len(),
            thinking: thinking.clone(),
            draw_offer: table.status.draw_offer,
            rematch: table.status.rematch.clone(),
        };
        let before = self.sent.replace(now_sent.clone());
        let version = now_sent.version.to_string();
        match before {
            Some(before) if before == now_sent => {}
            Some(before) if (Sent { thinking: Vec::new(), ..before.clone() }) == (Sent { thinking: Vec::new(), ..now_sent.clone() }) => {
                self.ready.push_back(event("thinking", &Thinking { seats: thinking })?);
            }
            Some(before) if (Sent { chat: 0, version: 0, ..before.clone() }) == (Sent { chat: 0, version: 0, ..now_sent.clone() }) && before.chat < now_sent.chat => {
                for line in &table.chat[before.chat..] {
                    self.ready.push_back(event("chat", line)?.id(&version));
                }
            }
            before => {
                // An answer taken back may have made the log shorter: then it is sent whole.
                let log_after = before.filter(|before| before.undone == now_sent.undone).map_or(0, |before| before.settled);
                let state = table.state(self.viewer, log_after, thinking, now())?;
                self.ready.push_back(event("state", &state)?.id(version));
            }
        }
        Ok(())
    }
}

fn event(name: &str, data: &impl serde::Serialize) -> Reply<Event> {
    Ok(Event::default().event(name).data(serde_json::to_string(data).map_err(Failure::internal)?))
}
