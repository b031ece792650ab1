//! Where games and people are kept. Two databases behind one small trait, with the same SQL.

mod postgres;
mod sql;
mod sqlite;

pub use postgres::Postgres;
pub use sqlite::Sqlite;

use async_trait::async_trait;
use std::fmt;
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatRow {
    /// The hash of its token; none while nobody has claimed it, or for a computer's seat.
    pub token: Option<String>,
    /// The account that has taken it.
    pub account: Option<String>,
    /// Its private notes.
    pub notes: String,
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
    /// Which database it is, in a word.
    fn kind(&self) -> &'static str;
    /// Keeps a new game.
    async fn create(&self, game: GameRow) -> Stored<()>;
    /// A game with everything that belongs to it.
    async fn load(&self, game: &str) -> Stored<Option<GameRow>>;
    /// Keeps a snapshot of a game, unless there is a newer one. It may be lost: the entries are the truth.
    async fn put_snapshot(&self, game: &str, entries: i64, body: String) -> Stored<()>;
    /// Changes a game. When it returns `Done`, the change survives a power cut.
    async fn change(&self, change: Change) -> Stored<Changed>;
    /// Changes a seat: its token, its account, its notes.
    async fn put_seat(&self, game: &str, seat: u8, row: SeatRow) -> Stored<()>;
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
    /// News from other processes on the same database.
    fn news(&self) -> broadcast::Receiver<News>;
    /// Whether it answers.
    async fn healthy(&self) -> bool;
}

/// Opens the database: `postgres://…` or the path of a file.
pub async fn open(database: &str) -> Stored<Arc<dyn Store>> {
    if database.starts_with("postgres://") || database.starts_with("postgresql://") {
        Ok(Arc::new(Postgres::open(database).await?))
    } else {
        Ok(Arc::new(Sqlite::open(database)?))
    }
}
