//! "It is your turn", for players who are away: by webhook and by e-mail.
//!
//! A notice is put into the outbox in the database together with the note that its turn has been taken care of, so that
//! a restart loses none and of several processes one sends it. What cannot be delivered is tried again, later each
//! time. A notice names the game and the player. It holds no token, no position and no secret.

use crate::app::App;
use crate::limit::Action;
use crate::open_game::OpenGame;
use crate::secret;
use crate::store::{Channel, Notice, Stored};
use crate::table::{Table, Turn};
use crate::wire::WebhookForm;
use async_trait::async_trait;
use flagplot_kernel::Seat;
use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{Message, SmtpTransport, Transport};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tracing::{info, warn};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

/// How long a question stays open before its player is notified.
const NOTIFY_AFTER: Duration = Duration::from_secs(3);
/// A player who has the game open is not notified; the server looks again after this time, in milliseconds.
const WATCHED: i64 = 60_000;
/// A process gives others on the same database this time to say that the player has the game open there, in
/// milliseconds.
const OTHERS: i64 = 3_000;
/// How long a webhook or a mail server may take.
const LONGEST_SEND: Duration = Duration::from_secs(10);
/// Other processes leave a notice alone for this time while one sends it, in milliseconds.
const LEASE: i64 = 60_000;
/// How many notices are sent in one round.
const MOST_SENT: i64 = 50;
/// How often a notice is tried.
const TRIES: i64 = 10;
/// The first delay after a failure, which doubles each time, and the longest, in milliseconds.
const FIRST_DELAY: i64 = 2_000;
const LONGEST_DELAY: i64 = 3_600_000;
/// When the owner of an e-mail address may be asked again to confirm it.
const ASK_AGAIN: i64 = 86_400_000;

/// How e-mails are sent.
#[derive(Clone)]
pub struct Mail {
    /// The server, such as `smtps://user:password@mail.example:465`.
    pub server: String,
    /// The sender, such as `Flagplot <flagplot@club.example>`.
    pub from: String,
}

/// What a table has to know about notifications.
#[derive(Clone, Copy, Debug)]
pub struct Telling {
    /// How long a question stays open before its player is notified, in milliseconds.
    pub after: i64,
    /// Whether e-mails are sent.
    pub mail: bool,
}

/// Sends notices.
pub struct Notifier {
    public_address: String,
    courier: Arc<dyn Courier>,
    mails: bool,
    after: Duration,
}

/// Carries notices to where they go.
#[async_trait]
pub trait Courier: Send + Sync + 'static {
    /// Delivers a notice, or says why it was not delivered.
    async fn deliver(&self, notice: &Notice) -> Result<(), Undelivered>;
}

/// Webhooks, and a mail server if there is one.
struct Network {
    agent: ureq::Agent,
    mail: Option<(SmtpTransport, Mailbox)>,
}

/// Resolves only to public addresses, so that a webhook does not reach into the server's own network.
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

/// An e-mail in the outbox.
#[derive(Serialize, Deserialize)]
struct Letter {
    subject: String,
    text: String,
}

/// Why a notice was not delivered.
#[derive(Debug, PartialEq, Eq)]
pub enum Undelivered {
    /// It may be later.
    ForNow(String),
    /// It never will be.
    ForGood(String),
}

impl Notifier {
    /// With the address people type, the mail server if there is one, whether webhooks may reach private networks, and
    /// how long a question stays open before its player is notified.
    pub fn new(
        public_address: Option<String>,
        mail: Option<Mail>,
        private: bool,
        after: Option<Duration>,
    ) -> Result<Self, String> {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(LONGEST_SEND))
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
                // The address may hold a password, so no message repeats it.
                let transport = SmtpTransport::from_url(&mail.server)
                    .map_err(|_| "the mail server's address is not valid")?
                    .timeout(Some(LONGEST_SEND))
                    .build();
                let from = mail.from.parse().map_err(|_| "the sender of e-mails is not a valid address")?;
                Ok::<_, &str>((transport, from))
            })
            .transpose()?;
        Ok(Self {
            public_address: public_address.unwrap_or_default().trim_end_matches('/').to_owned(),
            mails: mail.is_some(),
            courier: Arc::new(Network { agent, mail }),
            after: after.unwrap_or(NOTIFY_AFTER),
        })
    }

    /// The same with another courier, if there is one.
    #[must_use]
    pub fn carried_by(self, courier: Option<Arc<dyn Courier>>) -> Self {
        Self { courier: courier.unwrap_or(self.courier), ..self }
    }

    /// What a table has to know about notifications.
    pub fn telling(&self) -> Telling {
        Telling { after: i64::try_from(self.after.as_millis()).unwrap_or(i64::MAX / 2), mail: self.mails }
    }

    /// Whether e-mails are sent.
    pub fn mails(&self) -> bool {
        self.mails
    }

    /// Puts notices into the outbox for players of a game who have been asked for long enough and are away.
    pub async fn remind(&self, app: &Arc<App>, live: &Arc<OpenGame>) -> Stored<()> {
        let Ok(mut table) = app.hold(live).await else { return Ok(()) };
        let time = app.uptime.millis();
        let late: Vec<Turn> = table.untold().filter(|turn| turn.due <= time).cloned().collect();
        for turn in late {
            if live.hears(turn.seat) {
                let same = table.status.turns.iter_mut().filter(|other| other.seat == turn.seat);
                same.for_each(|turn| turn.due = time + WATCHED);
                continue;
            }
            // The player may have the game open at another process.
            if app.store.shared() && turn.due + OTHERS > time {
                continue;
            }
            let at = i64::try_from(turn.at).unwrap_or(i64::MAX);
            let notices = self.notices(app, &table, turn.seat, at, time).await?;
            if app.store.claim_turn(&table.id, turn.seat.0, at, notices).await? {
                app.metrics.notifications.inc();
            }
            if let Some(row) = table.seats.get_mut(usize::from(turn.seat.0)) {
                row.told = at;
            }
        }
        app.store.put_due(&table.id, table.version, table.marks(time).due).await
    }

    /// The notices of a turn: to the game's webhook, and to the player's confirmed e-mail address.
    async fn notices(&self, app: &App, table: &Table, seat: Seat, at: i64, due: i64) -> Stored<Vec<Notice>> {
        let told = Told {
            game: &table.id,
            title: table.title(),
            seat,
            name: table.name(seat),
            link: format!("{}/#/game/{}", self.public_address, table.id),
        };
        let turn = Some((table.id.clone(), seat.0, at));
        let notice = |channel, target, body| Notice {
            id: app.random.token(),
            turn: turn.clone(),
            channel,
            target,
            body,
            tries: 0,
            due,
        };
        // Games that strangers make with an address must not flood it.
        let may = |whom: &str| app.limiter.account(Action::Notify, whom).is_ok();
        let mut notices = Vec::new();
        if let Some(webhook) = table.plan.webhook.as_ref().filter(|webhook| may(&webhook.url)) {
            notices.push(notice(Channel::Webhook, webhook.url.clone(), told.webhook(webhook.form).to_string()));
        }
        let account = table.seats.get(usize::from(seat.0)).and_then(|row| row.account.clone());
        if let (true, Some(account)) = (self.mails(), account)
            && let Some(account) = app.store.account(&account).await?
            && let Some(email) = account.email.filter(|email| account.confirmed && may(&email.to_lowercase()))
        {
            let letter = Letter {
                subject: format!("Your turn: {}", told.title),
                text: format!("{}\n\n{}\n", told.sentence(), told.link),
            };
            notices.push(notice(Channel::Mail, email, json!(letter).to_string()));
        }
        Ok(notices)
    }

    /// Whether the owner of an e-mail address may be asked to confirm it: once a day, for all accounts together.
    pub async fn may_ask(&self, app: &App, email: &str) -> Stored<bool> {
        let (email, now) = (email.to_lowercase(), app.wall.millis());
        Ok(self.mails() && app.store.ask_address(&secret::hash(&email), now, now + ASK_AGAIN).await?)
    }

    /// Puts the letter into the outbox that asks the owner of an e-mail address to confirm it.
    pub async fn ask_to_confirm(&self, app: &App, name: &str, email: &str, code: &str) -> Stored<()> {
        let letter = Letter {
            subject: "Confirm your e-mail address for Flagplot".into(),
            text: format!(
                "The account {name} wants to send its notifications to this address. To allow that, open\n\n\
                 {}/confirm?code={code}\n\nIf this account is not yours, ignore this e-mail: you will get no \
                 notifications.\n",
                self.public_address
            ),
        };
        app.store
            .put_notice(Notice {
                id: app.random.token(),
                turn: None,
                channel: Channel::Mail,
                target: email.to_owned(),
                body: json!(letter).to_string(),
                tries: 0,
                due: app.uptime.millis(),
            })
            .await
    }

    /// Sends the notices that are due, each in a task of its own.
    pub async fn send_due(&self, app: &Arc<App>) -> Stored<()> {
        let time = app.uptime.millis();
        for notice in app.store.take_notices(time, time + LEASE, MOST_SENT).await? {
            let app = app.clone();
            tokio::spawn(async move { app.notifier.deliver(&app, notice).await });
        }
        Ok(())
    }

    async fn deliver(&self, app: &Arc<App>, notice: Notice) {
        let settled = if still_open(app, &notice).await {
            match self.courier.deliver(&notice).await {
                Ok(()) => None,
                Err(Undelivered::ForNow(why)) if notice.tries + 1 < TRIES => {
                    let delay = (FIRST_DELAY << notice.tries.clamp(0, 20)).min(LONGEST_DELAY);
                    info!(why, tries = notice.tries + 1, delay, "could not deliver a notice, will retry");
                    Some(app.uptime.millis() + delay)
                }
                Err(Undelivered::ForNow(why) | Undelivered::ForGood(why)) => {
                    warn!(why, tries = notice.tries + 1, "gave up on a notice");
                    None
                }
            }
        } else {
            None
        };
        if let Err(error) = app.store.settle_notice(&notice.id, settled).await {
            warn!(%error, "a notice stays in the outbox");
        }
    }
}

#[async_trait]
impl Courier for Network {
    async fn deliver(&self, notice: &Notice) -> Result<(), Undelivered> {
        let failed = |why: tokio::task::JoinError| Undelivered::ForNow(why.to_string());
        let (target, body) = (notice.target.clone(), notice.body.clone());
        match notice.channel {
            Channel::Webhook => {
                let agent = self.agent.clone();
                tokio::task::spawn_blocking(move || post(&agent, &target, body)).await.map_err(failed)?
            }
            Channel::Mail => {
                let Some((transport, from)) = self.mail.clone() else {
                    return Err(Undelivered::ForGood("there is no mail server".into()));
                };
                tokio::task::spawn_blocking(move || mail(&transport, from, &target, &body)).await.map_err(failed)?
            }
        }
    }
}

/// Whether what a notice tells is still true.
async fn still_open(app: &Arc<App>, notice: &Notice) -> bool {
    let Some((game, seat, at)) = &notice.turn else { return true };
    let live = match app.game(game).await {
        Ok(live) => live,
        // A notice too many does less harm than one that is lost because the database did not answer.
        Err(failure) => return failure.refusal.code != "unknown-game",
    };
    let Ok(table) = app.hold(&live).await else { return true };
    table.waiting().contains(&Seat(*seat)) && i64::try_from(table.asked_at()) == Ok(*at)
}

fn post(agent: &ureq::Agent, url: &str, body: String) -> Result<(), Undelivered> {
    match agent.post(url).header("content-type", "application/json").send(body) {
        Ok(_) => Ok(()),
        Err(ureq::Error::StatusCode(status)) if (400..500).contains(&status) && ![408, 425, 429].contains(&status) => {
            Err(Undelivered::ForGood(format!("the webhook answered {status}")))
        }
        Err(error) => Err(Undelivered::ForNow(error.to_string())),
    }
}

fn mail(transport: &SmtpTransport, from: Mailbox, to: &str, body: &str) -> Result<(), Undelivered> {
    let bad = |why: &dyn std::fmt::Display| Undelivered::ForGood(why.to_string());
    let letter: Letter = serde_json::from_str(body).map_err(|error| bad(&error))?;
    let message = Message::builder()
        .from(from)
        .to(to.parse::<Mailbox>().map_err(|error| bad(&error))?)
        .message_id(None)
        .header(ContentType::TEXT_PLAIN)
        .subject(letter.subject)
        .body(letter.text)
        .map_err(|error| bad(&error))?;
    transport.send(&message).map(drop).map_err(|error| match error.is_permanent() {
        true => Undelivered::ForGood(error.to_string()),
        false => Undelivered::ForNow(error.to_string()),
    })
}

/// What a notice says.
struct Told<'a> {
    game: &'a str,
    title: &'a str,
    seat: Seat,
    name: String,
    link: String,
}

impl Told<'_> {
    fn sentence(&self) -> String {
        format!("{}, it is your turn in {}.", self.name, self.title)
    }

    fn webhook(&self, form: WebhookForm) -> Value {
        match form {
            WebhookForm::Json => {
                json!({ "event": "your-turn", "game": self.game, "title": self.title, "seat": self.seat,
                    "name": self.name, "link": self.link })
            }
            // A player may be called @everyone: the message must not call everyone.
            WebhookForm::Discord => {
                json!({ "content": format!("{} {}", self.sentence(), self.link), "allowed_mentions": { "parse": [] } })
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
