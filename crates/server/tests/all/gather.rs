//! PostgreSQL: changes share commits and notifications, and none spoils or holds up another.

use crate::common::stream::Stream;
use crate::common::{Database, Site};
use flagplot_server::store::{Batch, Change, Changed, ChatRow, GameRow, Maker, Marks, News, Postgres, SeatRow, Store};
use futures_util::future::join_all;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

const GAMES: usize = 120;

fn game(n: usize) -> String {
    format!("game-{n:04}")
}

fn row(id: String) -> GameRow {
    GameRow {
        id,
        created: 1,
        header: "{}".into(),
        secret: None,
        plan: "{}".into(),
        version: 1,
        status: "{}".into(),
        marks: Marks::default(),
        seats: vec![SeatRow::default()],
        entries: Vec::new(),
        chat: Vec::new(),
        snapshot: None,
        maker: Maker::default(),
        bytes: 0,
    }
}

/// A change that every part of a game takes part in.
fn change(game: String, version: i64) -> Change {
    let text = format!("said at {version}");
    Change {
        version,
        entries: Some(Batch {
            first: version - 1,
            body: format!("[{version}]"),
            answer: Some((1, format!("a{version}"))),
        }),
        chat: vec![(version - 1, ChatRow { at: 5, seat: Some(0), text })],
        header: Some(format!("{{\"at\":{version}}}")),
        status: format!("{{\"status\":{version}}}"),
        marks: Marks { over: version > 1, due: Some(version), turn: 2 },
        changed: 7,
        game,
    }
}

async fn store(database: &Database) -> Arc<Postgres> {
    Arc::new(Postgres::open(&database.address).await.unwrap())
}

async fn games(store: &Postgres) {
    for n in 0..GAMES {
        store.create(row(game(n))).await.unwrap();
    }
}

async fn client(database: &Database) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(&database.address, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn transactions(database: &Database) -> i64 {
    // Rows that were written by the same transaction name it.
    client(database).await.query_one("SELECT COUNT(DISTINCT xmin::TEXT) FROM progress", &[]).await.unwrap().get(0)
}

/// Waits until so many processes listen for notifications.
async fn listening(database: &Database, processes: usize) {
    let client = client(database).await;
    for _ in 0..500 {
        let found = client.query(LISTENERS, &[]).await.unwrap();
        if found.len() == processes {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("nobody listens");
}

const LISTENERS: &str = "SELECT pid FROM pg_stat_activity \
                         WHERE datname = current_database() AND state = 'idle' AND query = 'LISTEN flagplot'";

macro_rules! with_postgres {
    ($database:ident) => {
        let Some($database) = Database::postgres().await else {
            eprintln!("not run: FLAGPLOT_TEST_POSTGRES names no server");
            return;
        };
    };
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_that_arrive_together_share_commits_and_notifications() {
    with_postgres!(database);
    let (store, other) = (store(&database).await, store(&database).await);
    games(&store).await;
    listening(&database, 2).await;
    let (mut own, mut news) = (store.news(), other.news());
    for version in [1, 2] {
        let all = join_all((0..GAMES).map(|n| store.change(change(game(n), version)))).await;
        assert!(all.iter().all(|changed| *changed.as_ref().unwrap() == Changed::Done));
        let commits = transactions(&database).await;
        assert!(commits <= 10, "{commits} commits for {GAMES} changes");
        let mut heard = HashMap::new();
        while heard.len() < GAMES {
            let next = tokio::time::timeout(Duration::from_secs(10), news.recv()).await.expect("news comes").unwrap();
            let News::Version(game, version) = next else { panic!("{next:?}") };
            assert_eq!(heard.insert(game, version), None, "each change is told once");
        }
        assert!((0..GAMES).all(|n| heard[&game(n)] == version + 1), "the version that each game has come to");
    }
    assert!(own.try_recv().is_err(), "a process does not hear itself");
    let loaded = store.load(&game(3)).await.unwrap().unwrap();
    let made = change(game(3), 2);
    assert_eq!((loaded.version, &loaded.header, &loaded.status), (3, made.header.as_ref().unwrap(), &made.status));
    assert_eq!(loaded.marks, made.marks);
    let batches = [change(game(3), 1).entries.unwrap(), made.entries.unwrap()];
    assert_eq!(loaded.entries, batches);
    assert_eq!(loaded.chat.len(), 2);
    assert_eq!(loaded.bytes, 2 * ("[1]".len() + "said at 1".len()) as i64);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_changes_for_one_version_one_is_made() {
    with_postgres!(database);
    let stores = [store(&database).await, store(&database).await];
    games(&stores[0]).await;
    for version in 1..=5 {
        let racing = (0..GAMES)
            .flat_map(|n| stores.iter().chain(&stores[..1]).map(move |store| store.change(change(game(n), version))));
        let all: Vec<Changed> = join_all(racing).await.into_iter().map(Result::unwrap).collect();
        for made in all.chunks(3) {
            assert_eq!(made.iter().filter(|made| **made == Changed::Done).count(), 1, "{made:?}");
        }
    }
    for n in 0..GAMES {
        let loaded = stores[1].load(&game(n)).await.unwrap().unwrap();
        assert_eq!((loaded.version, loaded.entries.len(), loaded.chat.len()), (6, 5, 5));
    }
    assert_eq!(stores[0].change(change("no-such-game".into(), 1)).await.unwrap(), Changed::Stale);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_that_fails_fails_alone() {
    with_postgres!(database);
    let store = store(&database).await;
    games(&store).await;
    let spoilt = Change { status: "no\0text".into(), ..change(game(50), 1) };
    let all =
        join_all((0..GAMES).map(|n| store.change(if n == 50 { spoilt.clone() } else { change(game(n), 1) }))).await;
    for (n, changed) in all.iter().enumerate() {
        assert_eq!(changed.as_ref().ok(), (n != 50).then_some(&Changed::Done), "{n}: {changed:?}");
    }
    let loaded = store.load(&game(50)).await.unwrap().unwrap();
    assert_eq!((loaded.version, loaded.entries.len(), loaded.chat.len()), (1, 0, 0), "nothing of it was kept");
    assert_eq!(store.change(change(game(50), 1)).await.unwrap(), Changed::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_is_held_holds_up_no_other() {
    with_postgres!(database);
    let store = store(&database).await;
    games(&store).await;
    let mut client = client(&database).await;
    let holding = client.transaction().await.unwrap();
    holding.execute("SELECT 1 FROM progress WHERE game = $1 FOR UPDATE", &[&game(7)]).await.unwrap();
    let waits = tokio::spawn({
        let store = store.clone();
        async move { store.change(change(game(7), 1)).await.unwrap() }
    });
    for version in [1, 2] {
        let others = join_all((0..GAMES).filter(|n| *n != 7).map(|n| store.change(change(game(n), version)))).await;
        assert!(others.into_iter().all(|changed| changed.unwrap() == Changed::Done));
    }
    assert!(!waits.is_finished(), "the held game waits");
    holding.rollback().await.unwrap();
    assert_eq!(waits.await.unwrap(), Changed::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_missed_a_notification_catches_up() {
    with_postgres!(database);
    let (here, there) = (Site::open(&database).await, Site::open(&database).await);
    let game = here.game(crate::common::long_game()).await;
    let mut stream = Stream::open(&there, &format!("{}?token={}", game.path("/events"), game.tokens[1]), None).await;
    stream.next().await;
    listening(&database, 2).await;
    let cut = format!("SELECT pg_terminate_backend(pid) FROM ({LISTENERS}) AS listening");
    client(&database).await.execute(&cut, &[]).await.unwrap();
    game.play(2).await;
    let at = game.state(&game.tokens[0]).await["situation"]["at"].as_u64().unwrap();
    let mut log = Vec::new();
    let state = stream.follow(&mut log, at).await;
    assert_eq!(state["situation"]["at"], json!(at));
}
