//! Gathers changes of games: one commit and one notification for all that arrive while the last commit is under way.
//!
//! A commit with a notification holds a lock of the whole database, so that commits of one change each would queue up
//! behind each other, whatever game they belong to.

use super::{CHANNEL, add_chat, add_entries, commit, execute, query};
use crate::store::{Change, Changed, StoreError, Stored, sql, within};
use deadpool_postgres::{Client, Pool};
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// How many changes share a commit at most.
const LARGEST_BATCH: usize = 256;
/// How many changes wait at most; those who come later wait to be let in.
const LONGEST_QUEUE: usize = 4096;
/// How long a commit right after another gathers changes: many players share commits, and a lone player does not wait.
const GATHER: Duration = Duration::from_millis(2);
/// The database takes payloads below 8,000 bytes.
const LONGEST_PAYLOAD: usize = 7_900;

/// The only way to change games.
pub struct Writer {
    queue: mpsc::Sender<Wanted>,
}

struct Wanted {
    change: Change,
    reply: oneshot::Sender<Stored<Changed>>,
}

/// What became of a change in a batch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Settled(Changed),
    /// Another transaction holds the game: the change is tried again by itself, so that no other game waits for it.
    Contested,
}

/// The text of a notification: the process it comes from, and games with the versions they have come to.
pub struct Payload(String);

impl Payload {
    pub fn new(process: &str) -> Self {
        Self(process.to_owned())
    }

    /// A game of which something has changed that its version does not count.
    pub fn game(mut self, game: &str) -> Self {
        self.0.push(' ');
        self.0.push_str(game);
        self
    }

    /// The payloads for games that have come to these versions: one, unless it would be too long.
    pub fn versions<'a>(process: &str, games: impl IntoIterator<Item = (&'a str, i64)>) -> Vec<Self> {
        let mut all = vec![Self::new(process)];
        for (game, version) in games {
            let text = format!(" {game}={version}");
            match all.last_mut().filter(|last| last.0.len() + text.len() <= LONGEST_PAYLOAD) {
                Some(last) => last.0.push_str(&text),
                None => all.push(Self(format!("{process}{text}"))),
            }
        }
        all
    }

    /// The process a notification comes from, and its games with their versions.
    pub fn read(text: &str) -> (&str, impl Iterator<Item = (&str, Option<i64>)>) {
        let (process, games) = text.split_once(' ').unwrap_or((text, ""));
        let read = |word| match str::split_once(word, '=') {
            // A version that cannot be read is treated like none: the game is loaded again.
            Some((game, version)) => (game, version.parse().ok()),
            None => (word, None),
        };
        (process, games.split(' ').filter(|word| !word.is_empty()).map(read))
    }

    pub async fn send(&self, client: &impl deadpool_postgres::GenericClient) -> Stored<()> {
        execute(client, "SELECT pg_notify($1, $2)", &[&CHANNEL, &self.0]).await.map(drop)
    }
}

fn gone<E>(_: E) -> StoreError {
    StoreError("the task that writes to the database has ended".into())
}

impl Writer {
    /// Starts the task that writes; it ends when the writer is dropped.
    pub fn start(pool: Pool, process: String) -> Self {
        let (queue, wanted) = mpsc::channel(LONGEST_QUEUE);
        tokio::spawn(write_all(pool, process, wanted));
        Self { queue }
    }

    pub async fn change(&self, change: Change) -> Stored<Changed> {
        let (reply, answer) = oneshot::channel();
        within(async {
            self.queue.send(Wanted { change, reply }).await.map_err(gone)?;
            answer.await.map_err(gone)?
        })
        .await
    }
}

async fn write_all(pool: Pool, process: String, mut queue: mpsc::Receiver<Wanted>) {
    let mut rested = Instant::now();
    while let Some(first) = queue.recv().await {
        // A change waits only if the last commit was a moment ago.
        tokio::time::sleep_until(rested).await;
        let mut games = HashSet::new();
        let (mut batch, mut apart) = (Vec::new(), Vec::new());
        let mut next = Some(first);
        while let Some(wanted) = next {
            // A caller that has given up was told that the change failed.
            if !wanted.reply.is_closed() {
                let first = games.insert(wanted.change.game.clone());
                if first { &mut batch } else { &mut apart }.push(wanted);
            }
            next = if batch.len() < LARGEST_BATCH { queue.try_recv().ok() } else { None };
        }
        let changes: Vec<&Change> = batch.iter().map(|wanted| &wanted.change).collect();
        match change_all(&pool, &process, &changes).await {
            Ok(fates) => {
                for (wanted, fate) in batch.into_iter().zip(fates) {
                    match fate {
                        Fate::Settled(changed) => drop(wanted.reply.send(Ok(changed))),
                        Fate::Contested => apart.push(wanted),
                    }
                }
            }
            // One change may have spoilt it for all. None is made twice: the versions see to that.
            Err(_) if batch.len() > 1 => apart.append(&mut batch),
            Err(error) => {
                batch.into_iter().for_each(|wanted| drop(wanted.reply.send(Err(StoreError(error.0.clone())))))
            }
        }
        for Wanted { change, reply } in apart {
            let (pool, process) = (pool.clone(), process.clone());
            tokio::spawn(async move { reply.send(change_one(&pool, &process, &change).await) });
        }
        rested = Instant::now() + GATHER;
    }
}

async fn client(pool: &Pool) -> Stored<Client> {
    within(async { Ok(pool.get().await?) }).await
}

/// Makes changes of different games in one transaction.
async fn change_all(pool: &Pool, process: &str, changes: &[&Change]) -> Stored<Vec<Fate>> {
    let mut client = client(pool).await?;
    let step = client.transaction().await?;
    let games: Vec<&str> = changes.iter().map(|change| change.game.as_str()).collect();
    let locked: HashMap<String, i64> =
        query(&step, sql::LOCK_GAMES, &[&games]).await?.iter().map(|row| (row.get(0), row.get(1))).collect();
    let fates: Vec<Fate> = changes
        .iter()
        .map(|change| match locked.get(&change.game) {
            Some(version) if *version == change.version => Fate::Settled(Changed::Done),
            Some(_) => Fate::Settled(Changed::Stale),
            None => Fate::Contested,
        })
        .collect();
    let made: Vec<&Change> = changes
        .iter()
        .zip(&fates)
        .filter(|(_, fate)| **fate == Fate::Settled(Changed::Done))
        .map(|(c, _)| *c)
        .collect();
    if made.is_empty() {
        return Ok(fates);
    }
    // What is sent without waiting in between travels together.
    tokio::try_join!(
        advance(&step, &made),
        enter(&step, &made),
        say(&step, &made),
        head(&step, &made),
        tell(&step, process, &made)
    )?;
    commit(step).await?;
    Ok(fates)
}

type Step<'a> = deadpool_postgres::Transaction<'a>;

async fn advance(step: &Step<'_>, made: &[&Change]) -> Stored<()> {
    let texts = |of: fn(&Change) -> &str| made.iter().map(|change| of(change)).collect::<Vec<_>>();
    let numbers = |of: fn(&Change) -> i64| made.iter().map(|change| of(change)).collect::<Vec<_>>();
    let due: Vec<Option<i64>> = made.iter().map(|change| change.marks.due).collect();
    execute(
        step,
        sql::ADVANCE_ALL,
        &[
            &texts(|change| &change.game),
            &texts(|change| &change.status),
            &numbers(|change| i64::from(change.marks.over)),
            &due,
            &numbers(|change| change.marks.turn),
            &numbers(Change::bytes),
            &numbers(|change| change.changed),
        ],
    )
    .await
    .map(drop)
}

async fn enter(step: &Step<'_>, made: &[&Change]) -> Stored<()> {
    let entered: Vec<_> =
        made.iter().filter_map(|change| Some((change.game.as_str(), change.entries.as_ref()?))).collect();
    if entered.is_empty() {
        return Ok(());
    }
    let games: Vec<&str> = entered.iter().map(|(game, _)| *game).collect();
    let firsts: Vec<i64> = entered.iter().map(|(_, batch)| batch.first).collect();
    let bodies: Vec<&str> = entered.iter().map(|(_, batch)| batch.body.as_str()).collect();
    let answers = entered.iter().map(|(_, batch)| batch.answer.as_ref());
    let (seats, ids): (Vec<_>, Vec<_>) =
        answers.map(|answer| answer.map(|(seat, id)| (i64::from(*seat), id.as_str())).unzip()).unzip();
    execute(step, sql::ADD_ALL_ENTRIES, &[&games, &firsts, &bodies, &seats, &ids]).await.map(drop)
}

async fn say(step: &Step<'_>, made: &[&Change]) -> Stored<()> {
    for change in made {
        for (n, line) in &change.chat {
            add_chat(step, &change.game, *n, line).await?;
        }
    }
    Ok(())
}

async fn head(step: &Step<'_>, made: &[&Change]) -> Stored<()> {
    for change in made {
        if let Some(header) = &change.header {
            execute(step, sql::SET_HEADER, &[header, &change.game]).await?;
        }
    }
    Ok(())
}

async fn tell(step: &Step<'_>, process: &str, made: &[&Change]) -> Stored<()> {
    for payload in Payload::versions(process, made.iter().map(|change| (change.game.as_str(), change.version + 1))) {
        payload.send(step).await?;
    }
    Ok(())
}

/// Makes one change, and waits for the game if another transaction holds it.
async fn change_one(pool: &Pool, process: &str, change: &Change) -> Stored<Changed> {
    let mut client = client(pool).await?;
    let step = client.transaction().await?;
    let marks = &change.marks;
    // The row's lock makes racing changes queue up; the version lets only the first of them pass.
    let advanced = execute(
        &step,
        sql::ADVANCE,
        &[
            &change.status,
            &i64::from(marks.over),
            &marks.due,
            &marks.turn,
            &change.bytes(),
            &change.changed,
            &change.game,
            &change.version,
        ],
    )
    .await?;
    if advanced == 0 {
        return Ok(Changed::Stale);
    }
    if let Some(batch) = &change.entries {
        add_entries(&step, &change.game, batch).await?;
    }
    say(&step, &[change]).await?;
    head(&step, &[change]).await?;
    tell(&step, process, &[change]).await?;
    commit(step).await?;
    Ok(Changed::Done)
}
