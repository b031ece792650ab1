//! PostgreSQL: several processes share one database and tell each other of changes by LISTEN and NOTIFY.

mod writer;

use self::writer::{Payload, Writer};
use super::{
    AccountRow, AnalysisRow, Batch, Change, Changed, Channel, ChatRow, GameRow, LONGEST_CALL, ListRow, Maker, Marks,
    News, Notice, PuzzleRow, SeatRow, Store, StoreError, Stored, Usage, sql, tls, within,
};
use async_trait::async_trait;
use deadpool_postgres::{Client, GenericClient, Manager, ManagerConfig, Pool, RecyclingMethod};
use flagplot_desk::os_random;
use futures_util::{StreamExt, stream};
use std::time::Duration;
use tokio::sync::broadcast;
use tokio_postgres::{AsyncMessage, Config, Row};
use tokio_postgres_rustls::MakeRustlsConnect;

const CHANNEL: &str = "flagplot";
/// How many connections one process opens at most.
const LARGEST_POOL: usize = 16;
/// Any number that only migrations lock.
const MIGRATION_LOCK: i64 = 0x666c_6167;

/// A database behind a pool of connections.
pub struct Postgres {
    pool: Pool,
    writer: Writer,
    /// Names this process in notifications, so that it does not hear itself.
    process: String,
    news: broadcast::Sender<News>,
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        // The reason comes after the general message.
        let reasons = std::iter::successors(std::error::Error::source(&error), |error| error.source());
        let text = reasons.map(ToString::to_string).filter(|reason| !reason.is_empty()).fold(
            error.to_string(),
            |text, reason| if text.contains(&reason) { text } else { format!("{text}: {reason}") },
        );
        StoreError(text)
    }
}

impl From<deadpool_postgres::PoolError> for StoreError {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        match error {
            deadpool_postgres::PoolError::Backend(error) => error.into(),
            other => StoreError(other.to_string()),
        }
    }
}

impl Postgres {
    /// Connects, brings the schema up to date and begins to listen.
    pub async fn open(address: &str) -> Stored<Self> {
        let (mut config, tls) = tls::read(address)?;
        config.connect_timeout(LONGEST_CALL);
        // A statement that hangs, such as one that waits for a lock, ends in the database too.
        let limit = format!("-c statement_timeout={}", LONGEST_CALL.as_millis());
        let options = config.get_options().map_or(limit.clone(), |given| format!("{limit} {given}"));
        config.options(options);
        let manager = Manager::from_config(
            config.clone(),
            tls.clone(),
            ManagerConfig { recycling_method: RecyclingMethod::Fast },
        );
        let pool =
            Pool::builder(manager).max_size(LARGEST_POOL).build().map_err(|error| StoreError(error.to_string()))?;
        migrate(&pool).await?;
        let process: String = os_random::<8>().iter().map(|byte| format!("{byte:02x}")).collect();
        let news = broadcast::channel(4096).0;
        tokio::spawn(listen(config, tls, process.clone(), news.clone()));
        let writer = Writer::start(pool.clone(), process.clone());
        Ok(Self { pool, writer, process, news })
    }

    async fn client(&self) -> Stored<Client> {
        within(async { Ok(self.pool.get().await?) }).await
    }

    /// Changes a seat and tells the other processes; the number of seats changed.
    async fn change_seat(
        &self,
        statement: &str,
        game: &str,
        values: &[&(dyn tokio_postgres::types::ToSql + Sync)],
    ) -> Stored<u64> {
        let client = self.client().await?;
        let changed = execute(&client, statement, values).await?;
        Payload::new(&self.process).game(game).send(&client).await?;
        Ok(changed)
    }
}

async fn migrate(pool: &Pool) -> Stored<()> {
    let mut client = pool.get().await?;
    let step = client.transaction().await?;
    step.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK]).await?;
    step.batch_execute("CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY)").await?;
    let done: i64 = step.query_one("SELECT COALESCE(MAX(number), 0) FROM migrations", &[]).await?.get(0);
    let known = sql::MIGRATIONS.len() as i64;
    if done > known {
        return Err(StoreError(format!(
            "the database has schema {done}; this program knows {known}: it was written by a newer one"
        )));
    }
    for (number, migration) in (1i64..).zip(sql::MIGRATIONS).skip(done as usize) {
        step.batch_execute(&migration.replace("{clustered}", "")).await?;
        step.execute("INSERT INTO migrations (number) VALUES ($1)", &[&number]).await?;
    }
    step.commit().await?;
    Ok(())
}

/// Listens for changes by other processes. After a cut connection every game counts as changed.
async fn listen(config: Config, tls: MakeRustlsConnect, process: String, news: broadcast::Sender<News>) {
    loop {
        if let Ok((client, mut connection)) = config.connect(tls.clone()).await {
            let mut messages = stream::poll_fn(move |context| connection.poll_message(context));
            let subscribe = async {
                let done = client.batch_execute(&format!("LISTEN {CHANNEL}")).await;
                let _ = news.send(News::Any);
                // The client must live as long as the connection is wanted.
                if done.is_ok() {
                    std::future::pending::<()>().await;
                }
            };
            let hear = async {
                while let Some(Ok(message)) = messages.next().await {
                    let AsyncMessage::Notification(note) = message else { continue };
                    let (from, games) = Payload::read(note.payload());
                    for (game, version) in games.filter(|_| from != process) {
                        let game = game.to_owned();
                        let _ = news.send(match version {
                            Some(version) => News::Version(game, version),
                            None => News::Game(game),
                        });
                    }
                }
            };
            tokio::select! { () = subscribe => (), () = hear => () }
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn marks(row: &Row, at: usize) -> Marks {
    Marks { over: row.get::<_, i64>(at) != 0, due: row.get(at + 1), turn: row.get(at + 2) }
}

/// Runs a statement prepared once per connection; gives the number of rows changed.
async fn execute(
    client: &impl GenericClient,
    text: &str,
    values: &[&(dyn tokio_postgres::types::ToSql + Sync)],
) -> Stored<u64> {
    within(async {
        let statement = client.prepare_cached(text).await?;
        Ok(client.execute(&statement, values).await?)
    })
    .await
}

async fn query(
    client: &impl GenericClient,
    text: &str,
    values: &[&(dyn tokio_postgres::types::ToSql + Sync)],
) -> Stored<Vec<Row>> {
    within(async {
        let statement = client.prepare_cached(text).await?;
        Ok(client.query(&statement, values).await?)
    })
    .await
}

async fn put_notice(client: &impl GenericClient, notice: &Notice) -> Stored<()> {
    let (game, seat, at) = match &notice.turn {
        Some((game, seat, at)) => (Some(game), Some(i64::from(*seat)), Some(*at)),
        None => (None, None, None),
    };
    let Notice { id, channel, target, body, due, .. } = notice;
    execute(client, sql::PUT_NOTICE, &[id, &game, &seat, &at, &channel.name(), target, body, due]).await.map(drop)
}

async fn commit(step: deadpool_postgres::Transaction<'_>) -> Stored<()> {
    within(async { Ok(step.commit().await?) }).await
}

async fn add_entries(client: &impl GenericClient, game: &str, batch: &Batch) -> Stored<()> {
    let (seat, answer) = batch.answer.as_ref().map(|(seat, id)| (i64::from(*seat), id.as_str())).unzip();
    execute(client, sql::ADD_ENTRIES, &[&game, &batch.first, &batch.body, &seat, &answer]).await.map(drop)
}

async fn add_chat(client: &impl GenericClient, game: &str, n: i64, line: &ChatRow) -> Stored<()> {
    execute(client, sql::ADD_CHAT, &[&game, &n, &line.at, &line.seat.map(i64::from), &line.text]).await.map(drop)
}

fn seat(number: i64) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

#[async_trait]
impl Store for Postgres {
    fn shared(&self) -> bool {
        true
    }

    async fn create(&self, game: GameRow) -> Stored<()> {
        let mut client = self.client().await?;
        let step = client.transaction().await?;
        let maker = &game.maker;
        execute(
            &step,
            sql::CREATE_GAME,
            &[&game.id, &game.created, &game.header, &game.secret, &game.plan, &maker.account, &maker.address],
        )
        .await?;
        execute(
            &step,
            sql::CREATE_PROGRESS,
            &[
                &game.id,
                &game.version,
                &game.status,
                &i64::from(game.marks.over),
                &game.marks.due,
                &game.marks.turn,
                &game.bytes,
                &game.created,
            ],
        )
        .await?;
        for (seat, row) in (0i64..).zip(&game.seats) {
            execute(&step, sql::CREATE_SEAT, &[&game.id, &seat, &row.token, &row.invitation, &row.account, &row.notes])
                .await?;
        }
        for batch in &game.entries {
            add_entries(&step, &game.id, batch).await?;
        }
        for (n, line) in (0..).zip(&game.chat) {
            add_chat(&step, &game.id, n, line).await?;
        }
        commit(step).await?;
        Ok(())
    }

    async fn load(&self, game: &str) -> Stored<Option<GameRow>> {
        let mut client = self.client().await?;
        // All queries see the same moment.
        let step = client
            .build_transaction()
            .isolation_level(tokio_postgres::IsolationLevel::RepeatableRead)
            .read_only(true)
            .start()
            .await?;
        let found = query(&step, sql::LOAD_GAME, &[&game]).await?;
        let Some(row) = found.first() else { return Ok(None) };
        let mut loaded = GameRow {
            id: game.to_owned(),
            created: row.get(0),
            header: row.get(1),
            secret: row.get(2),
            plan: row.get(3),
            version: row.get(4),
            status: row.get(5),
            marks: marks(row, 6),
            seats: Vec::new(),
            entries: Vec::new(),
            chat: Vec::new(),
            snapshot: None,
            maker: Maker::default(),
            bytes: row.get(9),
        };
        loaded.seats = query(&step, sql::LOAD_SEATS, &[&game])
            .await?
            .iter()
            .map(|row| SeatRow {
                token: row.get(0),
                invitation: row.get(1),
                account: row.get(2),
                notes: row.get(3),
                told: row.get(4),
            })
            .collect();
        loaded.entries = query(&step, sql::LOAD_ENTRIES, &[&game])
            .await?
            .iter()
            .map(|row| {
                let (by, answer): (Option<i64>, Option<String>) = (row.get(2), row.get(3));
                Batch { first: row.get(0), body: row.get(1), answer: by.map(seat).zip(answer) }
            })
            .collect();
        loaded.chat = query(&step, sql::LOAD_CHAT, &[&game])
            .await?
            .iter()
            .map(|row| ChatRow { at: row.get(0), seat: row.get::<_, Option<i64>>(1).map(seat), text: row.get(2) })
            .collect();
        loaded.snapshot = query(&step, sql::LOAD_SNAPSHOT, &[&game]).await?.first().map(|row| (row.get(0), row.get(1)));
        commit(step).await?;
        Ok(Some(loaded))
    }

    async fn put_snapshot(&self, game: &str, entries: i64, body: String) -> Stored<()> {
        let client = self.client().await?;
        execute(&client, sql::PUT_SNAPSHOT, &[&game, &entries, &body]).await.map(drop)
    }

    async fn change(&self, change: Change) -> Stored<Changed> {
        self.writer.change(change).await
    }

    async fn take_seat(
        &self,
        game: &str,
        seat: u8,
        invitation: &str,
        token: &str,
        account: Option<&str>,
    ) -> Stored<bool> {
        let values: [&(dyn tokio_postgres::types::ToSql + Sync); 5] =
            [&token, &account, &game, &i64::from(seat), &invitation];
        Ok(self.change_seat(sql::TAKE_SEAT, game, &values).await? == 1)
    }

    async fn invite(&self, game: &str, seat: u8, invitation: &str) -> Stored<bool> {
        Ok(self.change_seat(sql::INVITE, game, &[&invitation, &game, &i64::from(seat)]).await? == 1)
    }

    async fn put_token(&self, game: &str, seat: u8, token: &str) -> Stored<()> {
        self.change_seat(sql::PUT_TOKEN, game, &[&token, &game, &i64::from(seat)]).await.map(drop)
    }

    async fn bind_seat(&self, game: &str, seat: u8, account: &str) -> Stored<()> {
        self.change_seat(sql::BIND_SEAT, game, &[&account, &game, &i64::from(seat)]).await.map(drop)
    }

    async fn put_notes(&self, game: &str, seat: u8, notes: &str) -> Stored<()> {
        self.change_seat(sql::PUT_NOTES, game, &[&notes, &game, &i64::from(seat)]).await.map(drop)
    }

    async fn claim_turn(&self, game: &str, seat: u8, at: i64, notices: Vec<Notice>) -> Stored<bool> {
        let mut client = self.client().await?;
        let step = client.transaction().await?;
        let claimed = execute(&step, sql::CLAIM_TURN, &[&at, &game, &i64::from(seat)]).await? == 1;
        for notice in notices.iter().filter(|_| claimed) {
            put_notice(&step, notice).await?;
        }
        commit(step).await?;
        Ok(claimed)
    }

    async fn put_notice(&self, notice: Notice) -> Stored<()> {
        put_notice(&self.client().await?, &notice).await
    }

    async fn take_notices(&self, now: i64, until: i64, most: i64) -> Stored<Vec<Notice>> {
        let client = self.client().await?;
        let mut taken = Vec::new();
        for row in query(&client, sql::NOTICES, &[&now, &most]).await? {
            let (game, by, at): (Option<String>, Option<i64>, Option<i64>) = (row.get(1), row.get(2), row.get(3));
            let notice = Notice {
                id: row.get(0),
                turn: game.map(|game| (game, seat(by.unwrap_or_default()), at.unwrap_or_default())),
                channel: Channel::named(row.get(4)),
                target: row.get(5),
                body: row.get(6),
                tries: row.get(7),
                due: until,
            };
            if execute(&client, sql::CLAIM_NOTICE, &[&until, &notice.id, &notice.tries]).await? == 1 {
                taken.push(notice);
            }
        }
        Ok(taken)
    }

    async fn settle_notice(&self, id: &str, due: Option<i64>) -> Stored<()> {
        let client = self.client().await?;
        match due {
            Some(due) => execute(&client, sql::POSTPONE_NOTICE, &[&due, &id]).await.map(drop),
            None => execute(&client, sql::DROP_NOTICE, &[&id]).await.map(drop),
        }
    }

    async fn delete_game(&self, game: &str) -> Stored<bool> {
        let mut client = self.client().await?;
        let step = client.transaction().await?;
        for statement in sql::DELETE_GAME {
            execute(&step, statement, &[&game]).await?;
        }
        let deleted = execute(&step, sql::DELETE_GAME_ROW, &[&game]).await? == 1;
        Payload::new(&self.process).game(game).send(&step).await?;
        commit(step).await?;
        Ok(deleted)
    }

    async fn idle_games(&self, before: i64, most: i64) -> Stored<Vec<String>> {
        let client = self.client().await?;
        Ok(query(&client, sql::IDLE, &[&before, &most]).await?.iter().map(|row| row.get(0)).collect())
    }

    async fn usage(&self, maker: &Maker) -> Stored<[Usage; 2]> {
        let client = self.client().await?;
        let mut usage = [Usage::default(); 2];
        let wanted = [(sql::USED_BY_ACCOUNT, &maker.account), (sql::USED_BY_ADDRESS, &maker.address)];
        for (usage, (statement, who)) in usage.iter_mut().zip(wanted) {
            let Some(who) = who else { continue };
            if let Some(row) = query(&client, statement, &[who]).await?.first() {
                *usage = Usage { games: row.get(0), bytes: row.get(1) };
            }
        }
        Ok(usage)
    }

    async fn set_email(&self, account: &str, email: &str, code: &str) -> Stored<()> {
        let client = self.client().await?;
        execute(&client, sql::SET_EMAIL, &[&email, &code, &account]).await.map(drop)
    }

    async fn confirm_email(&self, code: &str) -> Stored<bool> {
        let client = self.client().await?;
        Ok(execute(&client, sql::CONFIRM_EMAIL, &[&code]).await? == 1)
    }

    async fn ask_address(&self, address: &str, now: i64, again: i64) -> Stored<bool> {
        let client = self.client().await?;
        Ok(execute(&client, sql::ASK_ADDRESS, &[&address, &again, &now]).await? == 1)
    }

    async fn drop_expired(&self, now: i64) -> Stored<()> {
        let client = self.client().await?;
        execute(&client, sql::DROP_ASKED, &[&now]).await?;
        execute(&client, sql::DROP_EXPIRED, &[&now]).await.map(drop)
    }

    async fn beat(&self, millis: i64) -> Stored<i64> {
        let client = self.client().await?;
        let rows = query(&client, sql::BEAT, &[&millis]).await?;
        Ok(rows.first().map_or(millis, |row| row.get(0)))
    }

    async fn try_puzzle(&self, puzzle: &str, browser: &str, address: &str, most: i64, solved: bool) -> Stored<bool> {
        let mut client = self.client().await?;
        let step = client.transaction().await?;
        let counted = execute(&step, sql::TRY_PUZZLE, &[&puzzle, &browser, &address, &most]).await? == 1;
        if counted {
            execute(&step, sql::COUNT_PUZZLE, &[&puzzle, &i64::from(solved)]).await?;
        }
        commit(step).await?;
        Ok(counted)
    }

    async fn puzzle_counts(&self) -> Stored<Vec<PuzzleRow>> {
        let client = self.client().await?;
        let rows = query(&client, sql::PUZZLE_COUNTS, &[]).await?;
        Ok(rows.iter().map(|row| PuzzleRow { puzzle: row.get(0), tried: row.get(1), solved: row.get(2) }).collect())
    }

    async fn put_due(&self, game: &str, version: i64, due: Option<i64>) -> Stored<()> {
        let client = self.client().await?;
        execute(&client, sql::PUT_DUE, &[&due, &game, &version]).await.map(drop)
    }

    async fn due(&self, now: i64, most: i64) -> Stored<Vec<String>> {
        let client = self.client().await?;
        Ok(query(&client, sql::DUE, &[&now, &most]).await?.iter().map(|row| row.get(0)).collect())
    }

    async fn games_of(&self, account: &str, most: i64) -> Stored<Vec<ListRow>> {
        let client = self.client().await?;
        let rows = query(&client, sql::GAMES_OF, &[&account, &most]).await?;
        Ok(rows
            .iter()
            .map(|row| ListRow { game: row.get(0), header: row.get(1), seat: seat(row.get(2)), marks: marks(row, 3) })
            .collect())
    }

    async fn create_account(&self, account: AccountRow) -> Stored<bool> {
        let client = self.client().await?;
        Ok(execute(&client, sql::CREATE_ACCOUNT, &[&account.key, &account.name, &account.password, &account.email])
            .await?
            == 1)
    }

    async fn account(&self, key: &str) -> Stored<Option<AccountRow>> {
        let client = self.client().await?;
        let rows = query(&client, sql::ACCOUNT, &[&key]).await?;
        Ok(rows.first().map(|row| AccountRow {
            key: row.get(0),
            name: row.get(1),
            password: row.get(2),
            email: row.get(3),
            confirmed: row.get::<_, i64>(4) != 0,
        }))
    }

    async fn put_session(&self, hash: &str, account: &str, expires: i64) -> Stored<()> {
        let client = self.client().await?;
        execute(&client, sql::PUT_SESSION, &[&hash, &account, &expires]).await.map(drop)
    }

    async fn session(&self, hash: &str, now: i64) -> Stored<Option<String>> {
        let client = self.client().await?;
        Ok(query(&client, sql::SESSION, &[&hash, &now]).await?.first().map(|row| row.get(0)))
    }

    async fn drop_session(&self, hash: &str) -> Stored<()> {
        let client = self.client().await?;
        execute(&client, sql::DROP_SESSION, &[&hash]).await.map(drop)
    }

    async fn analysis(&self, game: &str) -> Stored<Option<AnalysisRow>> {
        let client = self.client().await?;
        let rows = query(&client, sql::ANALYSIS, &[&game]).await?;
        Ok(rows.first().map(|row| AnalysisRow {
            effort: row.get(0),
            body: row.get(1),
            working: row.get(2),
            progress: (row.get(3), row.get(4)),
            alive: row.get(5),
        }))
    }

    async fn claim_analysis(&self, game: &str, effort: i64, now: i64, stale: i64) -> Stored<bool> {
        let client = self.client().await?;
        Ok(execute(&client, sql::CLAIM_ANALYSIS, &[&game, &effort, &now, &stale]).await? == 1)
    }

    async fn advance_analysis(&self, game: &str, effort: i64, progress: (i64, i64), now: i64) -> Stored<()> {
        let client = self.client().await?;
        execute(&client, sql::ADVANCE_ANALYSIS, &[&progress.0, &progress.1, &now, &game, &effort]).await.map(drop)
    }

    async fn put_analysis(&self, game: &str, effort: i64, body: Option<String>) -> Stored<()> {
        let client = self.client().await?;
        match body {
            Some(body) => execute(&client, sql::PUT_ANALYSIS, &[&body, &effort, &game]).await.map(drop),
            None => execute(&client, sql::LEAVE_ANALYSIS, &[&game, &effort]).await.map(drop),
        }
    }

    fn news(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }
}
