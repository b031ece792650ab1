//! The live stream of a game: server-sent events.
//!
//! A `state` is whole, except that log and chat hold only what is new. A viewer who wants changes gets one whole state
//! and from then on a `change` in its place: what differs from what this connection was sent before. A slow or cut
//! connection loses nothing: the next event, or the first one after reconnecting, brings the viewer up to date, and
//! states in between are skipped. Each event is one piece of the body.

use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::frame::{Frame, SentLog};
use crate::gzip::Packer;
use crate::open_game::{Listening, OpenGame};
use crate::wire::{Entropy, Thinking};
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use flagplot_kernel::{Seat, Viewer};
use futures_util::stream;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// How often an empty line is sent, so that proxies keep the connection open.
const PULSE: Duration = Duration::from_secs(15);

struct Reader {
    app: Arc<App>,
    live: Arc<OpenGame>,
    viewer: Viewer,
    news: broadcast::Receiver<()>,
    closing: watch::Receiver<bool>,
    _listening: Listening,
    pulse: Interval,
    /// What this connection has been sent.
    sent: Option<Sent>,
    /// Whether the viewer wants changes in place of whole states.
    changes: bool,
    /// The state or change that this connection was sent last, with its version, if changes are wanted.
    base: Option<(i64, Base)>,
    log: SentLog,
    /// Packs the events, if the client accepts that.
    packer: Option<Packer>,
    /// Whether nothing has happened since the last pulse.
    quiet: bool,
    ready: VecDeque<Bytes>,
}

/// A frame that changes are computed from.
enum Base {
    Ready(Frame),
    /// Of a stream that is quiet: most open streams wait for a player who thinks.
    Packed(Box<[u8]>),
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
    roster: Vec<(bool, Entropy)>,
}

/// How a client wants its events.
#[derive(Clone, Copy)]
pub struct Manner {
    /// `change` in place of every `state` but the first.
    pub changes: bool,
    pub gzip: bool,
}

/// The events for one viewer, from now on.
pub fn events(app: Arc<App>, live: Arc<OpenGame>, viewer: Viewer, listening: Listening, manner: Manner) -> Response {
    let Manner { changes, gzip } = manner;
    let news = live.listen();
    let closing = app.closing.subscribe();
    let mut pulse = interval_at(Instant::now() + PULSE, PULSE);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let reader = Reader {
        app,
        live,
        viewer,
        news,
        closing,
        _listening: listening,
        pulse,
        sent: None,
        changes,
        base: None,
        log: SentLog::default(),
        packer: gzip.then(Packer::default),
        quiet: false,
        ready: VecDeque::new(),
    };
    let events = stream::unfold(reader, |mut reader| async move {
        loop {
            if let Some(event) = reader.ready.pop_front() {
                reader.app.metrics.events.inc();
                let event = match &mut reader.packer {
                    Some(packer) => packer.pack(&event).ok()?.into(),
                    None => event,
                };
                return Some((Ok::<_, Infallible>(event), reader));
            }
            // The first event is the present state. Later ones wait in a fixed order, so that a simulation repeats.
            if reader.sent.is_some() {
                let heard = tokio::select! {
                    biased;
                    _ = reader.closing.wait_for(|closing| *closing) => return None,
                    heard = reader.news.recv() => Some(heard),
                    _ = reader.pulse.tick() => None,
                };
                match heard {
                    Some(Err(RecvError::Closed)) => return None,
                    Some(_) => {}
                    None => {
                        reader.rest().ok()?;
                        reader.ready.push_back(Bytes::from_static(b":\n\n"));
                        continue;
                    }
                }
            }
            // When the database does not answer, the stream ends and the browser reconnects.
            reader.look().await.ok()?;
        }
    });
    let mut response = Response::new(Body::from_stream(events));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if gzip {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

impl Reader {
    /// Packs what is kept of the last state, once nothing has happened between two pulses.
    fn rest(&mut self) -> Reply<()> {
        if let Some((_, base)) = &mut self.base
            && let Base::Ready(frame) = base
            && self.quiet
        {
            *base = Base::Packed(frame.pack()?);
        }
        self.quiet = true;
        Ok(())
    }

    /// Makes events of what is new.
    async fn look(&mut self) -> Reply<()> {
        self.quiet = false;
        let thinking = self.live.thinking();
        let mut table = self.app.hold(&self.live).await?;
        let now_sent = Sent {
            version: table.version,
            at: table.desk.entries().len(),
            settled: table.desk.settled_log(self.viewer),
            undone: table.undone,
            chat: table.chat.len(),
            thinking: thinking.clone(),
            draw_offer: table.status.draw_offer,
            rematch: table.status.rematch.clone(),
            roster: table.roster(),
        };
        let version = now_sent.version;
        match self.sent.replace(now_sent.clone()) {
            Some(before) if before == now_sent => {}
            Some(before)
                if (Sent { thinking: Vec::new(), ..before.clone() })
                    == (Sent { thinking: Vec::new(), ..now_sent.clone() }) =>
            {
                self.ready.push_back(event("thinking", None, &Thinking { seats: thinking })?);
            }
            Some(before)
                if (Sent { chat: 0, version: 0, ..before.clone() })
                    == (Sent { chat: 0, version: 0, ..now_sent.clone() })
                    && before.chat < now_sent.chat =>
            {
                for line in &table.chat[before.chat..] {
                    self.ready.push_back(event("chat", Some(version), line)?);
                }
            }
            before => {
                let chat_after = before.as_ref().map_or(0, |before| before.chat);
                // An answer taken back may have made the log shorter: then it is sent whole.
                let log_after =
                    before.filter(|before| before.undone == now_sent.undone).map_or(0, |before| before.settled);
                let time = self.app.uptime.millis();
                let old = match self.base.take() {
                    Some((after, Base::Ready(frame))) => Some((after, frame)),
                    Some((after, Base::Packed(packed))) => Some((after, Frame::unpack(&packed)?)),
                    None => None,
                };
                if let Some((after, old)) = old {
                    let (start, lines) = table.lines(self.viewer, log_after)?;
                    let news = self.log.news(start, lines);
                    let (change, frame) =
                        table.change_since(self.viewer, (after, &old), news, chat_after, thinking, time)?;
                    self.ready.push_back(event("change", Some(version), &change)?);
                    self.base = Some((version, Base::Ready(frame)));
                } else {
                    let state = table.state(self.viewer, log_after, chat_after, thinking, time)?;
                    self.ready.push_back(event("state", Some(version), &state)?);
                    if self.changes {
                        self.base = Some((version, Base::Ready(table.frame(self.viewer)?)));
                        let (start, lines) = table.lines(self.viewer, 0)?;
                        self.log.news(start, lines);
                    }
                }
            }
        }
        Ok(())
    }
}

/// An event in its wire form. The JSON has no line ends, so one line holds the data.
fn event(name: &str, id: Option<i64>, data: &impl serde::Serialize) -> Reply<Bytes> {
    let mut text = Vec::with_capacity(4 << 10);
    if let Some(id) = id {
        text.extend_from_slice(format!("id: {id}\n").as_bytes());
    }
    text.extend_from_slice(format!("event: {name}\ndata: ").as_bytes());
    serde_json::to_writer(&mut text, data).map_err(Failure::internal)?;
    text.extend_from_slice(b"\n\n");
    Ok(text.into())
}
