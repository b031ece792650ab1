//! "It is your turn", for people who are not looking: a webhook, an e-mail.
//!
//! Whom to tell and when is kept with the game, so that a restart forgets nobody, and of several processes one tells.
//! What is sent names the game and the player. It holds no token, no position and no secret.

use crate::app::App;
use crate::limit::Doing;
use crate::live::{Live, now};
use crate::store::Stored;
use crate::table::Turn;
use crate::wire::{Webhook, WebhookForm};
use flagplot_kernel::Seat;
use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{Message, SmtpTransport, Transport};
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

/// A question that is answered within this time is not worth a notification.
const PATIENCE: Duration = Duration::from_secs(3);
/// Somebody who looks at the game is told of nothing; whether they still look is seen again after so long, in milliseconds.
const LOOKING: i64 = 60_000;
/// So long a process leaves it to others on the same database to say that somebody looks there, in milliseconds.
const OTHERS: i64 = 3_000;
/// So long a webhook may take.
const WEBHOOK_TIME: Duration = Duration::from_secs(10);

/// How e-mails are sent.
#[derive(Clone)]
pub struct Mail {
    /// The server, such as `smtps://user:password@mail.example:465`.
    pub server: String,
    /// The sender, such as `Flagplot <flagplot@club.example>`.
    pub from: String,
}

/// What a table has to know of notifications.
#[derive(Clone, Copy, Debug)]
pub struct Telling {
    /// How long a question is open before anybody is told, in milliseconds.
    pub after: i64,
    /// Whether e-mails are sent.
    pub mail: bool,
}

/// Tells people who are not looking.
pub struct Notifier {
    public_address: String,
    agent: ureq::Agent,
    mail: Option<(SmtpTransport, Mailbox)>,
    patience: Duration,
}

/// Leads only to addresses that everybody can reach, so that nobody makes the server knock at its neighbours' doors.
#[derive(Debug)]
struct Guarded {
    resolver: DefaultResolver,
    private: bool,
}

impl Resolver for Guarded {
    fn resolve(
        &self,
        uri: &ureq::http::Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.resolver.resolve(uri, config, timeout)?;
        if self.private || found.iter().all(|address| public(address.ip())) {
            Ok(found)
        } else {
            Err(ureq::Error::HostNotFound)
        }
    }
}

fn public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, ..] = v4.octets();
            let shared = a == 100 && (64..128).contains(&b);
            !(v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_unspecified()
                || v4.is_broadcast()
                || v4.is_multicast()
                || v4.is_documentation()
                || shared
                || a == 0
                || a >= 240)
        }
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => public(IpAddr::V4(v4)),
            // Global unicast only.
            None => v6.segments()[0] & 0xe000 == 0x2000,
        },
    }
}

impl Notifier {
    /// With the address people type, the mail server if there is one, and whether webhooks may lead into private networks.
    pub fn new(
        public_address: Option<String>,
        mail: Option<Mail>,
        private: bool,
        patience: Option<Duration>,
    ) -> Result<Self, String> {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(WEBHOOK_TIME))
            .max_redirects(0)
            .user_agent("flagplot")
            .build();
        let agent = ureq::Agent::with_parts(
            config,
            DefaultConnector::default(),
            Guarded { resolver: DefaultResolver::default(), private },
        );
        let mail = mail
            .map(|mail| {
                // The address may hold a password: no message repeats it.
                let transport = SmtpTransport::from_url(&mail.server)
                    .map_err(|_| "the mail server's address cannot be read")?
                    .build();
                let from = mail.from.parse().map_err(|_| "the sender of e-mails cannot be read")?;
                Ok::<_, &str>((transport, from))
            })
            .transpose()?;
        Ok(Self {
            public_address: public_address.unwrap_or_default().trim_end_matches('/').to_owned(),
            agent,
            mail,
            patience: patience.unwrap_or(PATIENCE),
        })
    }

    /// What a table has to know of it.
    pub fn telling(&self) -> Telling {
        Telling { after: i64::try_from(self.patience.as_millis()).unwrap_or(i64::MAX / 2), mail: self.mail.is_some() }
    }

    /// Tells those of a game who have to answer for long enough now and do not look. None of the game's viewers notices.
    pub async fn remind(&self, app: &Arc<App>, live: &Arc<Live>) -> Stored<()> {
        let Ok(mut table) = app.hold(live).await else { return Ok(()) };
        let time = now();
        let late: Vec<Turn> = table.untold().filter(|turn| turn.due <= time).cloned().collect();
        for turn in late {
            if live.hears(turn.seat) {
                table
                    .status
                    .turns
                    .iter_mut()
                    .filter(|other| other.seat == turn.seat)
                    .for_each(|turn| turn.due = time + LOOKING);
                continue;
            }
            // Others on the same database may know that somebody looks there.
            if app.store.shared() && turn.due + OTHERS > time {
                continue;
            }
            let at = i64::try_from(turn.at).unwrap_or(i64::MAX);
            let mine = app.store.claim_turn(&table.id, turn.seat.0, at).await?;
            let Some(row) = table.seats.get_mut(usize::from(turn.seat.0)) else { continue };
            row.told = at;
            if mine {
                let (webhook, account, link) = (
                    table.plan.webhook.clone(),
                    table.seats[usize::from(turn.seat.0)].account.clone(),
                    format!("{}/#/game/{}", self.public_address, table.id),
                );
                let note = Note {
                    game: table.id.clone(),
                    title: table.title().to_owned(),
                    seat: turn.seat,
                    name: table.name(turn.seat),
                    link,
                };
                let app = app.clone();
                tokio::spawn(async move { app.notifier.send(&app, note, webhook, account).await });
            }
        }
        app.store.put_due(&table.id, table.version, table.marks(time).due).await
    }

    async fn send(&self, app: &App, note: Note, webhook: Option<Webhook>, account: Option<String>) {
        app.metrics.notifications.fetch_add(1, Relaxed);
        // Nobody is to be flooded by games that somebody else makes with their address.
        let may = |whom: &str| app.limiter.account(Doing::Notify, whom).is_ok();
        if let Some(webhook) = webhook.filter(|webhook| may(&webhook.url)) {
            let agent = self.agent.clone();
            let body = note.body(webhook.form).to_string();
            let sent = tokio::task::spawn_blocking(move || post(&agent, &webhook, body)).await;
            if !matches!(sent, Ok(Ok(()))) {
                eprintln!("flagplot: a webhook of game {} did not take a notification", note.game);
            }
        }
        if let (Some((transport, from)), Some(account)) = (self.mail.clone(), account)
            && let Ok(Some(account)) = app.store.account(&account).await
            && let Some(to) =
                account.email.filter(|email| may(&email.to_lowercase())).and_then(|email| email.parse().ok())
        {
            let message = Message::builder()
                .from(from)
                .to(to)
                .message_id(None)
                .header(ContentType::TEXT_PLAIN)
                .subject(format!("Your turn: {}", note.title))
                .body(format!("{}\n\n{}\n", note.text(), note.link));
            let sent = match message {
                Ok(message) => {
                    tokio::task::spawn_blocking(move || transport.send(&message).is_ok()).await.unwrap_or(false)
                }
                Err(_) => false,
            };
            if !sent {
                eprintln!("flagplot: an e-mail for game {} could not be sent", note.game);
            }
        }
    }
}

fn post(agent: &ureq::Agent, webhook: &Webhook, body: String) -> Result<(), ureq::Error> {
    agent.post(&webhook.url).header("content-type", "application/json").send(body).map(drop)
}

/// What is told.
struct Note {
    game: String,
    title: String,
    seat: Seat,
    name: String,
    link: String,
}

impl Note {
    fn text(&self) -> String {
        format!("{}, it is your turn in {}.", self.name, self.title)
    }

    fn body(&self, form: WebhookForm) -> Value {
        match form {
            WebhookForm::Json => {
                json!({ "event": "your-turn", "game": self.game, "title": self.title, "seat": self.seat, "name": self.name, "link": self.link })
            }
            // A player may be called @everyone: nobody is to be called by that.
            WebhookForm::Discord => {
                json!({ "content": format!("{} {}", self.text(), self.link), "allowed_mentions": { "parse": [] } })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_not_public() {
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.1",
            "172.16.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "::1",
            "fe80::1",
            "fd00::1",
            "::ffff:10.0.0.1",
        ] {
            assert!(!public(address.parse().unwrap()), "{address}");
        }
        for address in ["93.184.216.34", "2606:2800:220:1::1"] {
            assert!(public(address.parse().unwrap()), "{address}");
        }
    }
}
