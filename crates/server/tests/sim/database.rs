//! The simulated database: tables in memory behind the server's own trait, and everything that can go wrong with one.

use super::world::{Life, World};
use async_trait::async_trait;
use flagplot_server::store::{
    AccountRow, AnalysisRow, Batch, Change, Changed, GameRow, LONGEST_CALL, ListRow, Maker, News, Notice, PuzzleRow,
    Store, StoreError, Stored, Usage,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{broadcast, oneshot};
use tokio::time::{sleep, timeout};

/// A fault planted on purpose, to show that the simulation finds it. Each sits in the simulated surroundings of the
/// server, so that none can be reached in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// A change is acknowledged before it is stored.
    EarlyAcknowledgement,
    /// A change is made whatever version it was made for.
    VersionIgnored,
    /// The ids of answers are not read back.
    AnswerIdsForgotten,
    /// A power cut leaves half of a change behind.
    TornWrite,
    /// A full disk is reported as success.
    FullDiskIgnored,
    /// Processes do not hear of each other's changes.
    NewsLost,
    /// Server time follows the wall clock.
    WallClock,
    /// No game is ever due.
    DueForgotten,
    /// The turn is noted as told, and the notice is not put into the outbox.
    NoticeLost,
    /// A cache in front of the server keeps replies by their address alone.
    SharedCache,
    /// A line of the log is lost on the way to a seat.
    LogLineLost,
}

impl Planted {
    pub const ALL: [Planted; 11] = [
        Planted::EarlyAcknowledgement,
        Planted::VersionIgnored,
        Planted::AnswerIdsForgotten,
        Planted::TornWrite,
        Planted::FullDiskIgnored,
        Planted::NewsLost,
        Planted::WallClock,
        Planted::DueForgotten,
        Planted::NoticeLost,
        Planted::SharedCache,
        Planted::LogLineLost,
    ];
}

/// When a change was made, for the checks.
#[derive(Clone, Debug)]
pub struct Made {
    /// When the server asked for it, and when it was stored, in milliseconds since the beginning.
    pub asked: i64,
    pub stored: i64,
    /// For how long a server had been up when it was asked for.
    pub up: i64,
    /// How many entries there were after it.
    pub at: usize,
    /// The seats whose turn it was after it.
    pub turn: i64,
    /// The entries it added, as JSON, and the id of the answer if a player gave one.
    pub body: Option<String>,
    pub answer: Option<(u8, String)>,
}

#[derive(Default)]
pub struct Tables {
    pub games: BTreeMap<String, GameRow>,
    pub outbox: BTreeMap<String, Notice>,
    pub made: BTreeMap<String, Vec<Made>>,
    uptime: i64,
    /// When server time was last stored, and the longest time between two such moments, while a server was up.
    beaten: i64,
    pub longest_pause: i64,
}

fn entries_in(batch: &Batch) -> usize {
    serde_json::from_str::<Vec<serde_json::Value>>(&batch.body).map_or(0, |list| list.len())
}

impl Tables {
    fn change(&mut self, change: &Change, ignore_version: bool) -> Result<Changed, StoreError> {
        let Some(game) = self.games.get_mut(&change.game) else { return Ok(Changed::Stale) };
        if game.version != change.version && !ignore_version {
            return Ok(Changed::Stale);
        }
        if let Some(batch) = &change.entries {
            match game.entries.iter().position(|old| old.first >= batch.first) {
                Some(at) if ignore_version => game.entries[at] = batch.clone(),
                Some(_) => return Err(StoreError("the entries are there already".into())),
                None => game.entries.push(batch.clone()),
            }
        }
        for (n, line) in &change.chat {
            match usize::try_from(*n) {
                Ok(n) if n < game.chat.len() && ignore_version => game.chat[n] = line.clone(),
                Ok(n) if n == game.chat.len() => game.chat.push(line.clone()),
                _ => return Err(StoreError("the line of chat is there already".into())),
            }
        }
        if let Some(header) = &change.header {
            game.header = header.clone();
        }
        game.version += 1;
        game.status = change.status.clone();
        game.marks = change.marks.clone();
        Ok(Changed::Done)
    }

    /// Half of a change, as a power cut would leave it without a journal.
    fn tear(&mut self, change: &Change) {
        let Some(game) = self.games.get_mut(&change.game).filter(|game| game.version == change.version) else { return };
        if let Some(batch) = &change.entries
            && game.entries.last().is_none_or(|last| last.first < batch.first)
        {
            let half = batch.body.chars().take(batch.body.chars().count() / 2).collect();
            game.entries.push(Batch { body: half, ..batch.clone() });
        }
    }

    fn seat(&mut self, game: &str, seat: u8) -> Option<&mut flagplot_server::store::SeatRow> {
        self.games.get_mut(game)?.seats.get_mut(usize::from(seat))
    }
}

/// What becomes of one call.
pub struct Fate {
    /// How long it takes to get there, and how long the reply takes.
    pub there: Duration,
    pub back: Duration,
    /// Whether the database carries it out.
    pub done: bool,
    /// Whether the reply arrives.
    pub replied: bool,
    /// Whether it arrives although the process is killed before.
    pub outlives: bool,
    /// Why it is not carried out.
    pub why: &'static str,
}

/// The database as one process sees it.
pub struct Connection {
    pub world: Arc<World>,
    pub life: Arc<Life>,
    news: broadcast::Sender<News>,
}

impl Connection {
    pub fn new(world: Arc<World>, life: Arc<Life>) -> Self {
        Self { world, life, news: broadcast::channel(4096).0 }
    }

    pub fn hear(&self, news: News) {
        let _ = self.news.send(news);
    }

    /// A call, carried out by the database whether or not the caller still waits.
    async fn call<T: Send + 'static>(
        &self,
        what: &str,
        writes: bool,
        work: impl FnOnce(&Arc<World>, &mut Tables) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        self.life.stop_if_ended().await;
        let fate = self.world.fate(writes);
        let (reply, answer) = oneshot::channel();
        let (world, life) = (self.world.clone(), self.life.clone());
        let (what, process) = (what.to_owned(), life.name.clone());
        tokio::spawn(async move {
            sleep(fate.there).await;
            if life.ended() && !fate.outlives {
                return;
            }
            let result = if fate.done {
                let mut tables = world.tables();
                work(&world, &mut tables)
            } else {
                Err(StoreError(fate.why.into()))
            };
            if writes && what != "beat" {
                world.note(format!("{process} {what}: {}", if result.is_ok() { "ok" } else { fate.why }));
            }
            sleep(fate.back).await;
            if fate.replied {
                let _ = reply.send(result);
            }
        });
        // As the real databases do: a call that takes too long has failed, and may still be carried out.
        let result = match timeout(LONGEST_CALL, answer).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(StoreError("the connection was cut".into())),
            Err(_) => Err(StoreError("no answer in time".into())),
        };
        self.life.stop_if_ended().await;
        result
    }

    async fn write<T: Send + 'static>(
        &self,
        what: &str,
        work: impl FnOnce(&mut Tables) -> T + Send + 'static,
    ) -> Stored<T> {
        self.call(what, true, move |_, tables| Ok(work(tables))).await
    }

    /// A change of a seat, of which the other processes are told.
    async fn write_seat<T: Send + 'static>(
        &self,
        what: &str,
        game: &str,
        work: impl FnOnce(&mut Tables) -> T + Send + 'static,
    ) -> Stored<T> {
        let (from, game) = (self.life.clone(), game.to_owned());
        self.call(what, true, move |world, tables| {
            let result = work(tables);
            world.announce(&from, &game);
            Ok(result)
        })
        .await
    }

    async fn read<T: Send + 'static>(&self, work: impl FnOnce(&mut Tables) -> T + Send + 'static) -> Stored<T> {
        self.call("read", false, move |_, tables| Ok(work(tables))).await
    }
}

fn unused<T>(what: &str) -> Stored<T> {
    Err(StoreError(format!("the simulation has no {what}")))
}

#[async_trait]
impl Store for Connection {
    fn shared(&self) -> bool {
        self.world.shared
    }

    async fn create(&self, game: GameRow) -> Stored<()> {
        let (asked, up) = (self.world.millis(), self.world.up());
        self.call("create", true, move |world, tables| {
            let at = game.entries.iter().map(entries_in).sum();
            let turn = game.marks.turn;
            let body = game.entries.first().map(|batch| batch.body.clone());
            let made = Made { asked, stored: world.millis(), up, at, turn, body, answer: None };
            tables.made.insert(game.id.clone(), vec![made]);
            tables.games.insert(game.id.clone(), game);
            Ok(())
        })
        .await
    }

    async fn load(&self, game: &str) -> Stored<Option<GameRow>> {
        let (id, planted) = (game.to_owned(), self.world.planted);
        self.read(move |tables| {
            let mut row = tables.games.get(&id).cloned();
            if planted == Some(Planted::AnswerIdsForgotten) {
                row.iter_mut().flat_map(|row| &mut row.entries).for_each(|batch| batch.answer = None);
            }
            row
        })
        .await
    }

    async fn put_snapshot(&self, game: &str, entries: i64, body: String) -> Stored<()> {
        let game = game.to_owned();
        self.write("snapshot", move |tables| {
            if let Some(row) = tables.games.get_mut(&game)
                && row.snapshot.as_ref().is_none_or(|(old, _)| *old < entries)
            {
                row.snapshot = Some((entries, body));
            }
        })
        .await
    }

    async fn change(&self, change: Change) -> Stored<Changed> {
        let (asked, up, planted) = (self.world.millis(), self.world.up(), self.world.planted);
        let (life, game) = (self.life.clone(), change.game.clone());
        if planted == Some(Planted::TornWrite) && self.world.power_fails() {
            let torn = change.clone();
            return self
                .call("torn change", true, move |_, tables| {
                    tables.tear(&torn);
                    Err(StoreError("the power was cut".into()))
                })
                .await;
        }
        if planted == Some(Planted::FullDiskIgnored) && self.world.disk_full() {
            return Ok(Changed::Done);
        }
        let ids = change.entries.as_ref().and_then(|batch| batch.answer.clone());
        let what = format!("change {} v{} {ids:?}", change.game, change.version);
        let call = self.call(&what, true, {
            let change = change.clone();
            move |world, tables| {
                let changed = tables.change(&change, planted == Some(Planted::VersionIgnored))?;
                if changed == Changed::Done {
                    let at = tables.games[&game].entries.iter().map(entries_in).sum();
                    let body = change.entries.as_ref().map(|batch| batch.body.clone());
                    let (turn, stored) = (change.marks.turn, world.millis());
                    let made = Made { asked, stored, up, at, turn, body, answer: ids };
                    tables.made.entry(game.clone()).or_default().push(made);
                    world.announce(&life, &game);
                }
                world.note(format!("{} v{}: {changed:?}", change.game, change.version));
                Ok(changed)
            }
        });
        if planted == Some(Planted::EarlyAcknowledgement) {
            // The change goes its way while the server takes it for stored.
            let stale = self.world.tables().games.get(&change.game).is_none_or(|row| row.version != change.version);
            if stale {
                return Ok(Changed::Stale);
            }
            let _on_its_way = timeout(Duration::ZERO, call).await;
            return Ok(Changed::Done);
        }
        call.await
    }

    async fn take_seat(
        &self,
        game: &str,
        seat: u8,
        invitation: &str,
        token: &str,
        account: Option<&str>,
    ) -> Stored<bool> {
        let [id, invitation, token] = [game, invitation, token].map(str::to_owned);
        let account = account.map(str::to_owned);
        self.write_seat("take seat", game, move |tables| {
            let Some(row) = tables.seat(&id, seat) else { return false };
            if row.token.is_some() || row.invitation.as_ref() != Some(&invitation) {
                return false;
            }
            (row.token, row.account, row.told) = (Some(token), account, -1);
            true
        })
        .await
    }

    async fn invite(&self, game: &str, seat: u8, invitation: &str) -> Stored<bool> {
        let [id, invitation] = [game, invitation].map(str::to_owned);
        self.write_seat("invite", game, move |tables| match tables.seat(&id, seat) {
            Some(row) if row.token.is_none() => {
                row.invitation = Some(invitation);
                true
            }
            _ => false,
        })
        .await
    }

    async fn put_token(&self, game: &str, seat: u8, token: &str) -> Stored<()> {
        let [id, token] = [game, token].map(str::to_owned);
        self.write_seat("put token", game, move |tables| {
            if let Some(row) = tables.seat(&id, seat) {
                (row.token, row.told) = (Some(token), -1);
            }
        })
        .await
    }

    async fn bind_seat(&self, game: &str, seat: u8, account: &str) -> Stored<()> {
        let [id, account] = [game, account].map(str::to_owned);
        self.write_seat("bind seat", game, move |tables| {
            if let Some(row) = tables.seat(&id, seat) {
                row.account.get_or_insert(account);
            }
        })
        .await
    }

    async fn put_notes(&self, game: &str, seat: u8, notes: &str) -> Stored<()> {
        let [id, notes] = [game, notes].map(str::to_owned);
        self.write_seat("notes", game, move |tables| {
            if let Some(row) = tables.seat(&id, seat) {
                row.notes = notes;
            }
        })
        .await
    }

    async fn claim_turn(&self, game: &str, seat: u8, at: i64, notices: Vec<Notice>) -> Stored<bool> {
        let (game, planted) = (game.to_owned(), self.world.planted);
        self.write("claim turn", move |tables| {
            let Some(row) = tables.seat(&game, seat).filter(|row| row.told != at) else { return false };
            row.told = at;
            if planted != Some(Planted::NoticeLost) {
                tables.outbox.extend(notices.into_iter().map(|notice| (notice.id.clone(), notice)));
            }
            true
        })
        .await
    }

    async fn put_notice(&self, notice: Notice) -> Stored<()> {
        self.write("put notice", move |tables| drop(tables.outbox.insert(notice.id.clone(), notice))).await
    }

    async fn take_notices(&self, now: i64, until: i64, most: i64) -> Stored<Vec<Notice>> {
        self.write("take notices", move |tables| {
            let mut due: Vec<&mut Notice> = tables.outbox.values_mut().filter(|notice| notice.due <= now).collect();
            due.sort_by_key(|notice| notice.due);
            let taken = due.into_iter().take(usize::try_from(most).unwrap_or(0)).map(|notice| {
                notice.due = until;
                notice.tries += 1;
                Notice { tries: notice.tries - 1, ..notice.clone() }
            });
            taken.collect()
        })
        .await
    }

    async fn settle_notice(&self, id: &str, due: Option<i64>) -> Stored<()> {
        let id = id.to_owned();
        self.write("settle notice", move |tables| match due {
            Some(due) => tables.outbox.get_mut(&id).into_iter().for_each(|notice| notice.due = due),
            None => drop(tables.outbox.remove(&id)),
        })
        .await
    }

    async fn put_due(&self, game: &str, version: i64, due: Option<i64>) -> Stored<()> {
        let game = game.to_owned();
        self.write("put due", move |tables| {
            if let Some(row) = tables.games.get_mut(&game).filter(|row| version < 0 || row.version == version) {
                row.marks.due = due;
            }
        })
        .await
    }

    async fn due(&self, now: i64, most: i64) -> Stored<Vec<String>> {
        let planted = self.world.planted;
        self.read(move |tables| {
            let due = |row: &&GameRow| row.marks.due.is_some_and(|due| due <= now);
            let mut due: Vec<&GameRow> = tables.games.values().filter(due).collect();
            due.sort_by_key(|row| row.marks.due);
            let most = if planted == Some(Planted::DueForgotten) { 0 } else { usize::try_from(most).unwrap_or(0) };
            due.into_iter().take(most).map(|row| row.id.clone()).collect()
        })
        .await
    }

    async fn games_of(&self, account: &str, most: i64) -> Stored<Vec<ListRow>> {
        let _ = (account, most);
        unused("accounts")
    }

    async fn delete_game(&self, game: &str) -> Stored<bool> {
        let id = game.to_owned();
        self.write_seat("delete", game, move |tables| tables.games.remove(&id).is_some()).await
    }

    async fn idle_games(&self, before: i64, most: i64) -> Stored<Vec<String>> {
        let _ = (before, most);
        Ok(Vec::new())
    }

    async fn usage(&self, maker: &Maker) -> Stored<[Usage; 2]> {
        let _ = maker;
        self.read(|_| [Usage::default(); 2]).await
    }

    async fn create_account(&self, account: AccountRow) -> Stored<bool> {
        let _ = account;
        unused("accounts")
    }

    async fn account(&self, key: &str) -> Stored<Option<AccountRow>> {
        let _ = key;
        self.read(|_| None).await
    }

    async fn set_email(&self, account: &str, email: &str, code: &str) -> Stored<()> {
        let _ = (account, email, code);
        unused("accounts")
    }

    async fn confirm_email(&self, code: &str) -> Stored<bool> {
        let _ = code;
        unused("accounts")
    }

    async fn ask_address(&self, address: &str, now: i64, again: i64) -> Stored<bool> {
        let _ = (address, now, again);
        unused("e-mail addresses")
    }

    async fn put_session(&self, hash: &str, account: &str, expires: i64) -> Stored<()> {
        let _ = (hash, account, expires);
        unused("sessions")
    }

    async fn session(&self, hash: &str, now: i64) -> Stored<Option<String>> {
        let _ = (hash, now);
        self.read(|_| None).await
    }

    async fn drop_session(&self, hash: &str) -> Stored<()> {
        let _ = hash;
        unused("sessions")
    }

    async fn drop_expired(&self, now: i64) -> Stored<()> {
        let _ = now;
        self.write("drop expired", |_| ()).await
    }

    async fn beat(&self, millis: i64) -> Stored<i64> {
        let wall = (self.world.planted == Some(Planted::WallClock)).then(|| self.life.wall());
        self.call("beat", true, move |world, tables| {
            tables.uptime = tables.uptime.max(millis).max(wall.unwrap_or(0));
            tables.longest_pause = tables.longest_pause.max(world.up() - tables.beaten);
            tables.beaten = world.up();
            Ok(tables.uptime)
        })
        .await
    }

    async fn try_puzzle(&self, puzzle: &str, browser: &str, address: &str, most: i64, solved: bool) -> Stored<bool> {
        let _ = (puzzle, browser, address, most, solved);
        unused("puzzles")
    }

    async fn puzzle_counts(&self) -> Stored<Vec<PuzzleRow>> {
        unused("puzzles")
    }

    async fn analysis(&self, game: &str) -> Stored<Option<AnalysisRow>> {
        let _ = game;
        unused("analyses")
    }

    async fn claim_analysis(&self, game: &str, effort: i64, now: i64, stale: i64) -> Stored<bool> {
        let _ = (game, effort, now, stale);
        unused("analyses")
    }

    async fn advance_analysis(&self, game: &str, effort: i64, progress: (i64, i64), now: i64) -> Stored<()> {
        let _ = (game, effort, progress, now);
        unused("analyses")
    }

    async fn put_analysis(&self, game: &str, effort: i64, body: Option<String>) -> Stored<()> {
        let _ = (game, effort, body);
        unused("analyses")
    }

    fn news(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }
}
