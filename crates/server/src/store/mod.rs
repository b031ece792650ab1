//! Where games and people are kept. Two databases behind one small trait, with the same SQL.

mod postgres;
mod sql;
mod sqlite;
mod tls;

pub use postgres::Postgres;
pub use sqlite::Sqlite;

use async_trait::async_trait;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::broadcast;

/// The database failed. The text is for the operator's log, never for the wire.
#[derive(Debug)]
pub struct StoreError(pub String);

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for StoreError {}

/// What the store gives.
pub type Stored<T> = Result<T, StoreError>;

/// A seat as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    /// The hash of its token; none while nobody has taken it, or for a computer's seat.
    pub token: Option<String>,
    /// The hash of its invitation, also when it has been used.
    pub invitation: Option<String>,
    /// The account that has taken it.
    pub account: Option<String>,
    /// Its private notes.
    pub notes: String,
    /// The turn it was told of last: how many entries there were when the question was put.
    pub told: i64,
}

impl Default for SeatRow {
    fn default() -> Self {
        Self { token: None, invitation: None, account: None, notes: String::new(), told: -1 }
    }
}

/// Entries that were appended together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The number of its first entry, from 0.
    pub first: i64,
    /// The entries, as a JSON list.
    pub body: String,
    /// The seat that brought it about, and the id its client gave it.
    pub answer: Option<(u8, String)>,
}

/// A line of chat as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatRow {
    /// When.
    pub at: i64,
    /// Which seat; none: the server.
    pub seat: Option<u8>,
    /// What.
    pub text: String,
}

/// A game as it is kept. The JSON texts are not looked at by the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// Its id.
    pub id: String,
    /// When it began.
    pub created: i64,
    /// The first line of its record.
    pub header: String,
    /// The secret of its dice.
    pub secret: Option<String>,
    /// What was agreed when it was made.
    pub plan: String,
    /// How often it has changed.
    pub version: i64,
    /// What changes apart from entries and chat.
    pub status: String,
    /// What follows from the entries and is looked for by queries.
    pub marks: Marks,
    /// The seats, in order.
    pub seats: Vec<SeatRow>,
    /// The entries, in order.
    pub entries: Vec<Batch>,
    /// The chat, in order.
    pub chat: Vec<ChatRow>,
    /// The newest snapshot: for how many entries it stands, and what it says.
    pub snapshot: Option<(i64, String)>,
}

/// What queries look for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Whether the game is over.
    pub over: bool,
    /// When somebody has to look at the game: a computer's turn, a clock that runs out.
    pub due: Option<i64>,
    /// The seats whose turn it is: bit n for seat n.
    pub turn: i64,
}

/// A change of a game: all of it or nothing.
#[derive(Clone, Debug)]
pub struct Change {
    /// Which game.
    pub game: String,
    /// The version it was made for. If the game has another one, nothing happens.
    pub version: i64,
    /// New entries.
    pub entries: Option<Batch>,
    /// New lines of chat, the first of them with this number.
    pub chat: Vec<(i64, ChatRow)>,
    /// A new first line of the record.
    pub header: Option<String>,
    /// What changes apart from entries and chat.
    pub status: String,
    /// What queries look for.
    pub marks: Marks,
}

/// Whether a change was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is on the disk.
    Done,
    /// Somebody else was faster.
    Stale,
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRow {
    /// Its name in lower case.
    pub key: String,
    /// Its name as it was written.
    pub name: String,
    /// The password's hash.
    pub password: String,
    /// Where notifications go.
    pub email: Option<String>,
}

/// A game in somebody's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow {
    /// Its id.
    pub game: String,
    /// The first line of its record.
    pub header: String,
    /// One's seat.
    pub seat: u8,
    /// What queries look for.
    pub marks: Marks,
}

/// The analysis of a finished game, and who is at work on a better one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalysisRow {
    /// How carefully the one that is kept was made; 0 if there is none.
    pub effort: i64,
    /// What it says.
    pub body: Option<String>,
    /// How carefully the one is being made that somebody works on; 0 if nobody does.
    pub working: i64,
    /// Pieces of that work done, and in all.
    pub progress: (i64, i64),
    /// When whoever works on it was last heard of.
    pub alive: i64,
}

/// News from another process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// This game has changed.
    Game(String),
    /// Some games may have changed: the line was cut.
    Any,
}

/// Where games and people are kept.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Whether other processes may be using it.
    fn shared(&self) -> bool;
    /// Keeps a new game.
    async fn create(&self, game: GameRow) -> Stored<()>;
    /// A game with everything that belongs to it.
    async fn load(&self, game: &str) -> Stored<Option<GameRow>>;
    /// Keeps a snapshot of a game, unless there is a newer one. It may be lost: the entries are the truth.
    async fn put_snapshot(&self, game: &str, entries: i64, body: String) -> Stored<()>;
    /// Changes a game. When it returns `Done`, the change survives a power cut.
    async fn change(&self, change: Change) -> Stored<Changed>;
    /// Exchanges a seat's invitation for a token, by their hashes; false if somebody has taken the seat, or it has another invitation.
    async fn take_seat(
        &self,
        game: &str,
        seat: u8,
        invitation: &str,
        token: &str,
        account: Option<&str>,
    ) -> Stored<bool>;
    /// Gives a seat that nobody has taken an invitation, by its hash; false if somebody has.
    async fn invite(&self, game: &str, seat: u8, invitation: &str) -> Stored<bool>;
    /// Gives a seat another token, by its hash.
    async fn put_token(&self, game: &str, seat: u8, token: &str) -> Stored<()>;
    /// Puts a seat on an account's list, unless it is on one already.
    async fn bind_seat(&self, game: &str, seat: u8, account: &str) -> Stored<()>;
    /// Keeps a seat's private notes.
    async fn put_notes(&self, game: &str, seat: u8, notes: &str) -> Stored<()>;
    /// Takes it upon oneself to tell a seat of its turn; false if that has been done.
    async fn claim_turn(&self, game: &str, seat: u8, at: i64) -> Stored<bool>;
    /// When somebody has to look at a game next, unless it has changed since this version; whatever its version if that is below 0.
    async fn put_due(&self, game: &str, version: i64, due: Option<i64>) -> Stored<()>;
    /// Games somebody has to look at by now.
    async fn due(&self, now: i64, most: i64) -> Stored<Vec<String>>;
    /// An account's games, the latest first.
    async fn games_of(&self, account: &str, most: i64) -> Stored<Vec<ListRow>>;
    /// Keeps a new account; false if the name is taken.
    async fn create_account(&self, account: AccountRow) -> Stored<bool>;
    /// An account.
    async fn account(&self, key: &str) -> Stored<Option<AccountRow>>;
    /// Keeps a session by the hash of its secret.
    async fn put_session(&self, hash: &str, account: &str, expires: i64) -> Stored<()>;
    /// The account of a session that has not expired.
    async fn session(&self, hash: &str, now: i64) -> Stored<Option<String>>;
    /// Ends a session, and forgets those that have expired.
    async fn drop_session(&self, hash: &str, now: i64) -> Stored<()>;
    /// The analysis of a game.
    async fn analysis(&self, game: &str) -> Stored<Option<AnalysisRow>>;
    /// Takes an analysis with this effort upon oneself; false if there is one, or somebody is at work on it who was heard of since `stale`.
    async fn claim_analysis(&self, game: &str, effort: i64, now: i64, stale: i64) -> Stored<bool>;
    /// Says how far one has come with it.
    async fn advance_analysis(&self, game: &str, effort: i64, progress: (i64, i64), now: i64) -> Stored<()>;
    /// Keeps its result; without one it is given up.
    async fn put_analysis(&self, game: &str, effort: i64, body: Option<String>) -> Stored<()>;
    /// News from other processes on the same database.
    fn news(&self) -> broadcast::Receiver<News>;
    /// Whether it answers.
    async fn healthy(&self) -> bool;
}

fn is_postgres(database: &str) -> bool {
    database.starts_with("postgres://") || database.starts_with("postgresql://")
}

/// Opens the database: `postgres://…` or the path of a file.
pub async fn open(database: &str) -> Stored<Arc<dyn Store>> {
    if is_postgres(database) {
        return Ok(Arc::new(Postgres::open(database).await?));
    }
    // The scheme alone is repeated: the rest may hold a password.
    if let Some((scheme, _)) = database.split_once("://") {
        return Err(StoreError(format!(
            "{scheme}:// is no database this program knows; it takes the path of a file (SQLite) or postgres://…"
        )));
    }
    if database.is_empty() {
        return Err(StoreError("its name is empty; the path of a file (SQLite) or postgres://… is wanted".into()));
    }
    Sqlite::open(database)
        .map(|store| Arc::new(store) as Arc<dyn Store>)
        .map_err(|error| if error.0.contains(database) { error } else { StoreError(format!("{database}: {error}")) })
}

/// Takes a file of games for this process alone, as long as what comes back lives. Processes on one file would not hear of each other's answers.
pub fn alone(database: &str) -> Stored<Option<std::fs::File>> {
    if is_postgres(database) || database.contains("://") || database.is_empty() {
        return Ok(None);
    }
    let path = format!("{database}.lock");
    let failed = |error: &dyn fmt::Display| StoreError(format!("{path}: {error}"));
    if let Some(folder) = Path::new(database).parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| StoreError(format!("{}: {error}", folder.display())))?;
    }
    let file = std::fs::File::create(&path).map_err(|error| failed(&error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(std::fs::TryLockError::WouldBlock) => Err(StoreError(format!(
            "another server is using {database}; several processes share a database only with PostgreSQL"
        ))),
        // Not every file system knows locks.
        Err(std::fs::TryLockError::Error(_)) => Ok(None),
    }
}
