//! SQLite inside the program. One thread writes; changes that arrive during a commit share the next one. Another thread
//! reads.

use super::{
    AccountRow, AnalysisRow, Batch, Change, Changed, Channel, ChatRow, GameRow, ListRow, Maker, Marks, News, Notice,
    PuzzleRow, SeatRow, Store, StoreError, Stored, Usage, private, sql, within,
};
use async_trait::async_trait;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tokio::sync::{broadcast, oneshot};

/// How many changes share a commit at most.
const LARGEST_BATCH: usize = 256;

/// How long a commit right after another gathers changes: many players share commits, and a lone player does not wait.
const GATHER: Duration = Duration::from_millis(2);

/// Called with the connection, or with the reason why nothing can be done.
type Job = Box<dyn FnOnce(Result<&Connection, String>) -> Finish + Send>;
/// Called with whether the commit succeeded.
type Finish = Box<dyn FnOnce(Result<(), String>) + Send>;

/// A database in a file.
pub struct Sqlite {
    writer: mpsc::Sender<Job>,
    reader: mpsc::Sender<Job>,
    news: broadcast::Sender<News>,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        StoreError(error.to_string())
    }
}

fn gone<E>(_: E) -> StoreError {
    StoreError("the database's thread has ended".into())
}

impl Sqlite {
    /// Opens the file and brings its schema up to date. Missing folders are made.
    pub fn open(path: &str) -> Stored<Self> {
        if let Some(folder) = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| StoreError(format!("{}: {error}", folder.display())))?;
        }
        private(path).map_err(|error| StoreError(format!("{path}: {error}")))?;
        let connection = Connection::open(path)?;
        // Every commit is on the disk before it is acknowledged.
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
            PRAGMA busy_timeout = 2000; PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -4000;",
        )?;
        connection.set_prepared_statement_cache_capacity(64);
        migrate(&connection)?;
        let reading =
            Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        reading.execute_batch("PRAGMA busy_timeout = 2000;")?;
        reading.set_prepared_statement_cache_capacity(64);
        let (writer, writes) = mpsc::channel::<Job>();
        let (reader, reads) = mpsc::channel::<Job>();
        let spawn = |name: &str, run: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new().name(name.into()).spawn(run).map_err(|error| StoreError(error.to_string()))
        };
        spawn("flagplot-write", Box::new(move || write_all(&connection, &writes)))?;
        spawn(
            "flagplot-read",
            Box::new(move || {
                for job in reads {
                    job(Ok(&reading))(Ok(()));
                }
            }),
        )?;
        Ok(Self { writer, reader, news: broadcast::channel(1).0 })
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Stored<T> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            // A change that fails is rolled back alone.
            let result = connection.map_err(StoreError).and_then(|connection| {
                let result = run(connection, "SAVEPOINT change")
                    .and_then(|()| work(connection))
                    .and_then(|value| run(connection, "RELEASE change").map(|()| value));
                if result.is_err() {
                    let _ = connection.execute_batch("ROLLBACK TO change; RELEASE change");
                }
                Ok(result?)
            });
            Box::new(move |committed| {
                let result = committed.map_err(StoreError).and(result);
                let _ = reply.send(result);
            })
        });
        self.writer.send(job).map_err(gone)?;
        within(async { answer.await.map_err(gone)? }).await
    }

    /// Sets something of a seat; the number of seats changed.
    async fn set(&self, statement: &'static str, game: &str, seat: u8, value: &str) -> Stored<usize> {
        let [game, value] = [game, value].map(str::to_owned);
        self.write(move |c| c.prepare_cached(statement)?.execute(params![value, game, seat])).await
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Stored<T> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let _ = reply.send(connection.map_err(StoreError).and_then(|connection| Ok(work(connection)?)));
            Box::new(|_| ())
        });
        self.reader.send(job).map_err(gone)?;
        within(async { answer.await.map_err(gone)? }).await
    }
}

/// Runs a statement that is parsed only once.
fn run(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(statement)?.execute([]).map(drop)
}

fn write_all(connection: &Connection, jobs: &mpsc::Receiver<Job>) {
    let mut rested = Instant::now();
    while let Ok(first) = jobs.recv() {
        // A change waits only if the last commit was a moment ago.
        std::thread::sleep(rested.saturating_duration_since(Instant::now()));
        let mut finish = Vec::new();
        let mut result = run(connection, "BEGIN IMMEDIATE");
        if let Err(error) = &result {
            // The file is locked: those who wait behind need not each wait for it again.
            finish.push(first(Err(error.to_string())));
            finish.extend(jobs.try_iter().map(|job| job(Err(error.to_string()))));
        } else {
            finish.push(first(Ok(connection)));
            while finish.len() < LARGEST_BATCH {
                let Ok(job) = jobs.try_recv() else { break };
                finish.push(job(Ok(connection)));
            }
            result = run(connection, "COMMIT");
            if result.is_err() {
                let _ = connection.execute_batch("ROLLBACK");
            }
            rested = Instant::now() + GATHER;
        }
        let result = result.map_err(|error| error.to_string());
        for finish in finish {
            finish(result.clone());
        }
    }
}

fn migrate(connection: &Connection) -> Stored<()> {
    let done: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let known = sql::MIGRATIONS.len() as i64;
    if done > known {
        return Err(StoreError(format!(
            "the database has schema {done}; this program knows {known}: it was written by a newer one"
        )));
    }
    for (number, migration) in (1..).zip(sql::MIGRATIONS).skip(done as usize) {
        connection.execute_batch(&format!(
            "BEGIN; {} PRAGMA user_version = {number}; COMMIT;",
            migration.replace("{clustered}", "WITHOUT ROWID")
        ))?;
    }
    Ok(())
}

fn marks(row: &Row<'_>, at: usize) -> rusqlite::Result<Marks> {
    Ok(Marks { over: row.get::<_, i64>(at)? != 0, due: row.get(at + 1)?, turn: row.get(at + 2)? })
}

fn add_entries(connection: &Connection, game: &str, batch: &Batch) -> rusqlite::Result<()> {
    let (seat, answer) = batch.answer.as_ref().map(|(seat, id)| (*seat, id.as_str())).unzip();
    connection.prepare_cached(sql::ADD_ENTRIES)?.execute(params![game, batch.first, batch.body, seat, answer]).map(drop)
}

fn add_chat(connection: &Connection, game: &str, n: i64, line: &ChatRow) -> rusqlite::Result<()> {
    connection.prepare_cached(sql::ADD_CHAT)?.execute(params![game, n, line.at, line.seat, line.text]).map(drop)
}

fn put_notice(connection: &Connection, notice: &Notice) -> rusqlite::Result<()> {
    let (game, seat, at) = match &notice.turn {
        Some((game, seat, at)) => (Some(game), Some(*seat), Some(*at)),
        None => (None, None, None),
    };
    let Notice { id, channel, target, body, due, .. } = notice;
    connection
        .prepare_cached(sql::PUT_NOTICE)?
        .execute(params![id, game, seat, at, channel.name(), target, body, due])
        .map(drop)
}

#[async_trait]
impl Store for Sqlite {
    fn shared(&self) -> bool {
        false
    }

    async fn create(&self, game: GameRow) -> Stored<()> {
        self.write(move |c| {
            c.prepare_cached(sql::CREATE_GAME)?.execute(params![
                game.id,
                game.created,
                game.header,
                game.secret,
                game.plan,
                game.maker.account,
                game.maker.address
            ])?;
            c.prepare_cached(sql::CREATE_PROGRESS)?.execute(params![
                game.id,
                game.version,
                game.status,
                i64::from(game.marks.over),
                game.marks.due,
                game.marks.turn,
                game.bytes,
                game.created
            ])?;
            for (seat, row) in game.seats.iter().enumerate() {
                c.prepare_cached(sql::CREATE_SEAT)?.execute(params![
                    game.id,
                    seat as i64,
                    row.token,
                    row.invitation,
                    row.account,
                    row.notes
                ])?;
            }
            for batch in &game.entries {
                add_entries(c, &game.id, batch)?;
            }
            for (n, line) in (0..).zip(&game.chat) {
                add_chat(c, &game.id, n, line)?;
            }
            Ok(())
        })
        .await
    }

    async fn load(&self, game: &str) -> Stored<Option<GameRow>> {
        let id = game.to_owned();
        self.read(move |c| {
            // All queries see the same moment.
            let c = c.unchecked_transaction()?;
            let mut read = c.prepare_cached(sql::LOAD_GAME)?;
            let found = read
                .query_row(params![id], |row| {
                    Ok(GameRow {
                        id: id.clone(),
                        created: row.get(0)?,
                        header: row.get(1)?,
                        secret: row.get(2)?,
                        plan: row.get(3)?,
                        version: row.get(4)?,
                        status: row.get(5)?,
                        marks: marks(row, 6)?,
                        seats: Vec::new(),
                        entries: Vec::new(),
                        chat: Vec::new(),
                        snapshot: None,
                        maker: Maker::default(),
                        bytes: row.get(9)?,
                    })
                })
                .optional()?;
            let Some(mut game) = found else { return Ok(None) };
            game.seats = c
                .prepare_cached(sql::LOAD_SEATS)?
                .query_map(params![id], |row| {
                    Ok(SeatRow {
                        token: row.get(0)?,
                        invitation: row.get(1)?,
                        account: row.get(2)?,
                        notes: row.get(3)?,
                        told: row.get(4)?,
                    })
                })?
                .collect::<Result<_, _>>()?;
            game.entries = c
                .prepare_cached(sql::LOAD_ENTRIES)?
                .query_map(params![id], |row| {
                    let (seat, answer): (Option<u8>, Option<String>) = (row.get(2)?, row.get(3)?);
                    Ok(Batch { first: row.get(0)?, body: row.get(1)?, answer: seat.zip(answer) })
                })?
                .collect::<Result<_, _>>()?;
            game.chat = c
                .prepare_cached(sql::LOAD_CHAT)?
                .query_map(params![id], |row| Ok(ChatRow { at: row.get(0)?, seat: row.get(1)?, text: row.get(2)? }))?
                .collect::<Result<_, _>>()?;
            game.snapshot = c
                .prepare_cached(sql::LOAD_SNAPSHOT)?
                .query_row(params![id], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            Ok(Some(game))
        })
        .await
    }

    async fn put_snapshot(&self, game: &str, entries: i64, body: String) -> Stored<()> {
        let game = game.to_owned();
        self.write(move |c| c.prepare_cached(sql::PUT_SNAPSHOT)?.execute(params![game, entries, body]).map(drop)).await
    }

    async fn change(&self, change: Change) -> Stored<Changed> {
        self.write(move |c| {
            let marks = &change.marks;
            let advanced = c.prepare_cached(sql::ADVANCE)?.execute(params![
                change.status,
                i64::from(marks.over),
                marks.due,
                marks.turn,
                change.bytes(),
                change.changed,
                change.game,
                change.version
            ])?;
            if advanced == 0 {
                return Ok(Changed::Stale);
            }
            if let Some(batch) = &change.entries {
                add_entries(c, &change.game, batch)?;
            }
            for (n, line) in &change.chat {
                add_chat(c, &change.game, *n, line)?;
            }
            if let Some(header) = &change.header {
                c.prepare_cached(sql::SET_HEADER)?.execute(params![header, change.game])?;
            }
            Ok(Changed::Done)
        })
        .await
    }

    async fn take_seat(
        &self,
        game: &str,
        seat: u8,
        invitation: &str,
        token: &str,
        account: Option<&str>,
    ) -> Stored<bool> {
        let [game, invitation, token] = [game, invitation, token].map(str::to_owned);
        let account = account.map(str::to_owned);
        self.write(move |c| {
            Ok(c.prepare_cached(sql::TAKE_SEAT)?.execute(params![token, account, game, seat, invitation])? == 1)
        })
        .await
    }

    async fn invite(&self, game: &str, seat: u8, invitation: &str) -> Stored<bool> {
        Ok(self.set(sql::INVITE, game, seat, invitation).await? == 1)
    }

    async fn put_token(&self, game: &str, seat: u8, token: &str) -> Stored<()> {
        self.set(sql::PUT_TOKEN, game, seat, token).await.map(drop)
    }

    async fn bind_seat(&self, game: &str, seat: u8, account: &str) -> Stored<()> {
        self.set(sql::BIND_SEAT, game, seat, account).await.map(drop)
    }

    async fn put_notes(&self, game: &str, seat: u8, notes: &str) -> Stored<()> {
        self.set(sql::PUT_NOTES, game, seat, notes).await.map(drop)
    }

    async fn claim_turn(&self, game: &str, seat: u8, at: i64, notices: Vec<Notice>) -> Stored<bool> {
        let game = game.to_owned();
        self.write(move |c| {
            let claimed = c.prepare_cached(sql::CLAIM_TURN)?.execute(params![at, game, seat])? == 1;
            for notice in notices.iter().filter(|_| claimed) {
                put_notice(c, notice)?;
            }
            Ok(claimed)
        })
        .await
    }

    async fn put_notice(&self, notice: Notice) -> Stored<()> {
        self.write(move |c| put_notice(c, &notice)).await
    }

    async fn take_notices(&self, now: i64, until: i64, most: i64) -> Stored<Vec<Notice>> {
        self.write(move |c| {
            let due: Vec<Notice> = c
                .prepare_cached(sql::NOTICES)?
                .query_map(params![now, most], |row| {
                    let (game, seat, at) = (row.get::<_, Option<String>>(1)?, row.get(2)?, row.get(3)?);
                    Ok(Notice {
                        id: row.get(0)?,
                        turn: game.map(|game| {
                            (game, Option::<u8>::unwrap_or_default(seat), Option::<i64>::unwrap_or_default(at))
                        }),
                        channel: Channel::named(&row.get::<_, String>(4)?),
                        target: row.get(5)?,
                        body: row.get(6)?,
                        tries: row.get(7)?,
                        due: until,
                    })
                })?
                .collect::<Result<_, _>>()?;
            for notice in &due {
                c.prepare_cached(sql::CLAIM_NOTICE)?.execute(params![until, notice.id, notice.tries])?;
            }
            Ok(due)
        })
        .await
    }

    async fn settle_notice(&self, id: &str, due: Option<i64>) -> Stored<()> {
        let id = id.to_owned();
        self.write(move |c| match due {
            Some(due) => c.prepare_cached(sql::POSTPONE_NOTICE)?.execute(params![due, id]).map(drop),
            None => c.prepare_cached(sql::DROP_NOTICE)?.execute(params![id]).map(drop),
        })
        .await
    }

    async fn delete_game(&self, game: &str) -> Stored<bool> {
        let game = game.to_owned();
        self.write(move |c| {
            for statement in sql::DELETE_GAME {
                c.prepare_cached(statement)?.execute(params![game])?;
            }
            Ok(c.prepare_cached(sql::DELETE_GAME_ROW)?.execute(params![game])? == 1)
        })
        .await
    }

    async fn idle_games(&self, before: i64, most: i64) -> Stored<Vec<String>> {
        self.read(move |c| c.prepare_cached(sql::IDLE)?.query_map(params![before, most], |row| row.get(0))?.collect())
            .await
    }

    async fn usage(&self, maker: &Maker) -> Stored<[Usage; 2]> {
        let wanted = [(sql::USED_BY_ACCOUNT, maker.account.clone()), (sql::USED_BY_ADDRESS, maker.address.clone())];
        self.read(move |c| {
            let mut usage = [Usage::default(); 2];
            for (usage, (statement, who)) in usage.iter_mut().zip(wanted) {
                if let Some(who) = who {
                    *usage = c
                        .prepare_cached(statement)?
                        .query_row(params![who], |row| Ok(Usage { games: row.get(0)?, bytes: row.get(1)? }))?;
                }
            }
            Ok(usage)
        })
        .await
    }

    async fn set_email(&self, account: &str, email: &str, code: &str) -> Stored<()> {
        let [account, email, code] = [account, email, code].map(str::to_owned);
        self.write(move |c| c.prepare_cached(sql::SET_EMAIL)?.execute(params![email, code, account]).map(drop)).await
    }

    async fn confirm_email(&self, code: &str) -> Stored<bool> {
        let code = code.to_owned();
        self.write(move |c| Ok(c.prepare_cached(sql::CONFIRM_EMAIL)?.execute(params![code])? == 1)).await
    }

    async fn ask_address(&self, address: &str, now: i64, again: i64) -> Stored<bool> {
        let address = address.to_owned();
        self.write(move |c| Ok(c.prepare_cached(sql::ASK_ADDRESS)?.execute(params![address, again, now])? == 1)).await
    }

    async fn drop_expired(&self, now: i64) -> Stored<()> {
        self.write(move |c| {
            c.prepare_cached(sql::DROP_ASKED)?.execute(params![now])?;
            c.prepare_cached(sql::DROP_EXPIRED)?.execute(params![now]).map(drop)
        })
        .await
    }

    async fn beat(&self, millis: i64) -> Stored<i64> {
        self.write(move |c| c.prepare_cached(sql::BEAT)?.query_row(params![millis], |row| row.get(0))).await
    }

    async fn try_puzzle(&self, puzzle: &str, browser: &str, address: &str, most: i64, solved: bool) -> Stored<bool> {
        let [puzzle, browser, address] = [puzzle, browser, address].map(str::to_owned);
        self.write(move |c| {
            let counted = c.prepare_cached(sql::TRY_PUZZLE)?.execute(params![puzzle, browser, address, most])? == 1;
            if counted {
                c.prepare_cached(sql::COUNT_PUZZLE)?.execute(params![puzzle, i64::from(solved)])?;
            }
            Ok(counted)
        })
        .await
    }

    async fn puzzle_counts(&self) -> Stored<Vec<PuzzleRow>> {
        self.read(|c| {
            c.prepare_cached(sql::PUZZLE_COUNTS)?
                .query_map(params![], |row| {
                    Ok(PuzzleRow { puzzle: row.get(0)?, tried: row.get(1)?, solved: row.get(2)? })
                })?
                .collect()
        })
        .await
    }

    async fn put_due(&self, game: &str, version: i64, due: Option<i64>) -> Stored<()> {
        let game = game.to_owned();
        self.write(move |c| c.prepare_cached(sql::PUT_DUE)?.execute(params![due, game, version]).map(drop)).await
    }

    async fn due(&self, now: i64, most: i64) -> Stored<Vec<String>> {
        self.read(move |c| c.prepare_cached(sql::DUE)?.query_map(params![now, most], |row| row.get(0))?.collect()).await
    }

    async fn games_of(&self, account: &str, most: i64) -> Stored<Vec<ListRow>> {
        let account = account.to_owned();
        self.read(move |c| {
            c.prepare_cached(sql::GAMES_OF)?
                .query_map(params![account, most], |row| {
                    Ok(ListRow { game: row.get(0)?, header: row.get(1)?, seat: row.get(2)?, marks: marks(row, 3)? })
                })?
                .collect()
        })
        .await
    }

    async fn create_account(&self, account: AccountRow) -> Stored<bool> {
        self.write(move |c| {
            Ok(c.prepare_cached(sql::CREATE_ACCOUNT)?.execute(params![
                account.key,
                account.name,
                account.password,
                account.email
            ])? == 1)
        })
        .await
    }

    async fn account(&self, key: &str) -> Stored<Option<AccountRow>> {
        let key = key.to_owned();
        self.read(move |c| {
            c.prepare_cached(sql::ACCOUNT)?
                .query_row(params![key], |row| {
                    Ok(AccountRow {
                        key: row.get(0)?,
                        name: row.get(1)?,
                        password: row.get(2)?,
                        email: row.get(3)?,
                        confirmed: row.get::<_, i64>(4)? != 0,
                    })
                })
                .optional()
        })
        .await
    }

    async fn put_session(&self, hash: &str, account: &str, expires: i64) -> Stored<()> {
        let (hash, account) = (hash.to_owned(), account.to_owned());
        self.write(move |c| c.prepare_cached(sql::PUT_SESSION)?.execute(params![hash, account, expires]).map(drop))
            .await
    }

    async fn session(&self, hash: &str, now: i64) -> Stored<Option<String>> {
        let hash = hash.to_owned();
        self.read(move |c| c.prepare_cached(sql::SESSION)?.query_row(params![hash, now], |row| row.get(0)).optional())
            .await
    }

    async fn drop_session(&self, hash: &str) -> Stored<()> {
        let hash = hash.to_owned();
        self.write(move |c| c.prepare_cached(sql::DROP_SESSION)?.execute(params![hash]).map(drop)).await
    }

    async fn analysis(&self, game: &str) -> Stored<Option<AnalysisRow>> {
        let game = game.to_owned();
        self.read(move |c| {
            c.prepare_cached(sql::ANALYSIS)?
                .query_row(params![game], |row| {
                    Ok(AnalysisRow {
                        effort: row.get(0)?,
                        body: row.get(1)?,
                        working: row.get(2)?,
                        progress: (row.get(3)?, row.get(4)?),
                        alive: row.get(5)?,
                    })
                })
                .optional()
        })
        .await
    }

    async fn claim_analysis(&self, game: &str, effort: i64, now: i64, stale: i64) -> Stored<bool> {
        let game = game.to_owned();
        self.write(move |c| Ok(c.prepare_cached(sql::CLAIM_ANALYSIS)?.execute(params![game, effort, now, stale])? == 1))
            .await
    }

    async fn advance_analysis(&self, game: &str, effort: i64, progress: (i64, i64), now: i64) -> Stored<()> {
        let game = game.to_owned();
        self.write(move |c| {
            c.prepare_cached(sql::ADVANCE_ANALYSIS)?
                .execute(params![progress.0, progress.1, now, game, effort])
                .map(drop)
        })
        .await
    }

    async fn put_analysis(&self, game: &str, effort: i64, body: Option<String>) -> Stored<()> {
        let game = game.to_owned();
        self.write(move |c| match body {
            Some(body) => c.prepare_cached(sql::PUT_ANALYSIS)?.execute(params![body, effort, game]).map(drop),
            None => c.prepare_cached(sql::LEAVE_ANALYSIS)?.execute(params![game, effort]).map(drop),
        })
        .await
    }

    fn news(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }
}
