//! Storage for games and accounts: two databases behind one trait, with the same SQL.

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
use std::time::Duration;
use tokio::sync::broadcast;

/// How long a call to the database may take.
pub const LONGEST_CALL: Duration = Duration::from_secs(5);

/// The database failed. The text is for the operator's log, never for the wire.
#[derive(Debug)]
pub struct StoreError(pub String);

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for StoreError {}

/// The result of a call to the store.
pub type Stored<T> = Result<T, StoreError>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    /// The hash of its token; none for a free seat and for a computer's seat.
    pub token: Option<String>,
    /// The hash of its invitation, used or not.
    pub invitation: Option<String>,
    pub account: Option<String>,
    pub notes: String,
    /// The turn its player was notified of last, as the number of entries when the question was put.
    pub told: i64,
}

impl Default for SeatRow {
    fn default() -> Self {
        Self { token: None, invitation: None, account: None, notes: String::new(), told: -1 }
    }
}

/// Entries appended together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The number of its first entry, from 0.
    pub first: i64,
    /// The entries, as a JSON list.
    pub body: String,
    /// The seat whose answer this is, and the id its client gave the answer.
    pub answer: Option<(u8, String)>,
}

/// A stored line of chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatRow {
    /// The time, in milliseconds since 1970.
    pub at: i64,
    /// The seat that wrote it; none for the server.
    pub seat: Option<u8>,
    pub text: String,
}

/// A stored game. The store does not look into the JSON texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    pub id: String,
    /// When it was created, in milliseconds since 1970.
    pub created: i64,
    /// The first line of its record.
    pub header: String,
    pub secret: Option<String>,
    /// The settings it was created with.
    pub plan: String,
    /// How often it has changed.
    pub version: i64,
    /// The part of its state that is neither entries nor chat.
    pub status: String,
    /// Columns for queries.
    pub marks: Marks,
    pub seats: Vec<SeatRow>,
    pub entries: Vec<Batch>,
    pub chat: Vec<ChatRow>,
    /// The newest snapshot: how many entries it covers, and its text.
    pub snapshot: Option<(i64, String)>,
    pub maker: Maker,
    /// The bytes it takes: header, entries and chat.
    pub bytes: i64,
}

/// Who created a game, as quotas count it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Maker {
    /// The account's key.
    pub account: Option<String>,
    /// The hash of the address.
    pub address: Option<String>,
}

/// How many games a maker has, and how many bytes they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub games: i64,
    pub bytes: i64,
}

/// How a notice is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// To a web address.
    Webhook,
    /// To an e-mail address.
    Mail,
}

impl Channel {
    /// Its name in the database.
    fn name(self) -> &'static str {
        match self {
            Channel::Webhook => "webhook",
            Channel::Mail => "mail",
        }
    }

    fn named(name: &str) -> Self {
        if name == "mail" { Channel::Mail } else { Channel::Webhook }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub id: String,
    /// The turn it tells of: game, seat, number of entries. None for a notice that is not about a turn.
    pub turn: Option<(String, u8, i64)>,
    pub channel: Channel,
    pub target: String,
    pub body: String,
    /// How often it has been tried.
    pub tries: i64,
    /// When it is to be sent, in server time.
    pub due: i64,
}

/// Columns for queries; they follow from the rest of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Whether the game is over.
    pub over: bool,
    /// When the server has to look at the game, in server time: a computer's turn, a clock that runs out.
    pub due: Option<i64>,
    /// The seats whose turn it is: bit n for seat n.
    pub turn: i64,
}

/// A change of a game; it happens as a whole or not at all.
#[derive(Clone, Debug)]
pub struct Change {
    pub game: String,
    /// The version it was made for. If the game has another version, nothing happens.
    pub version: i64,
    pub entries: Option<Batch>,
    /// New lines of chat, the first of them with this number.
    pub chat: Vec<(i64, ChatRow)>,
    /// A new first line of the record.
    pub header: Option<String>,
    /// The part of the state that is neither entries nor chat.
    pub status: String,
    /// Columns for queries.
    pub marks: Marks,
    /// When it is made, in milliseconds since 1970.
    pub changed: i64,
}

impl Change {
    /// By how many bytes the game grows.
    fn bytes(&self) -> i64 {
        let entries = self.entries.as_ref().map_or(0, |batch| batch.body.len());
        let chat: usize = self.chat.iter().map(|(_, line)| line.text.len()).sum();
        i64::try_from(entries + chat).unwrap_or(i64::MAX)
    }
}

/// Whether a change was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is on the disk.
    Done,
    /// Another change came first.
    Stale,
}

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
    /// Whether its owner has confirmed the e-mail address.
    pub confirmed: bool,
}

/// A game in an account's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow {
    pub game: String,
    /// The first line of its record.
    pub header: String,
    /// The account's seat.
    pub seat: u8,
    /// Columns for queries.
    pub marks: Marks,
}

/// The analysis of a finished game, and the state of the work on a better one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalysisRow {
    /// The effort of the stored analysis, or 0 without one.
    pub effort: i64,
    pub body: Option<String>,
    /// The effort of the analysis in progress, or 0 without one.
    pub working: i64,
    /// How many pieces of it are done, and how many there are.
    pub progress: (i64, i64),
    /// When the process that works on it was last heard of.
    pub alive: i64,
}

/// How many have tried and solved a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleRow {
    pub puzzle: String,
    pub tried: i64,
    /// How many of them were right at once.
    pub solved: i64,
}

/// News from another process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// This game has come to this version. A process that has it already need not load the game again.
    Version(String, i64),
    /// Something of this game has changed that its version does not count, such as who sits where.
    Game(String),
    /// Any game may have changed: the connection was cut.
    Any,
}

/// Storage for games and accounts.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Whether other processes may use it too.
    fn shared(&self) -> bool;
    async fn create(&self, game: GameRow) -> Stored<()>;
    /// A game with everything that belongs to it.
    async fn load(&self, game: &str) -> Stored<Option<GameRow>>;
    /// Stores a snapshot of a game unless there is a newer one. It may be lost: the entries are the truth.
    async fn put_snapshot(&self, game: &str, entries: i64, body: String) -> Stored<()>;
    /// Changes a game. When it returns `Done`, the change survives a power cut.
    async fn change(&self, change: Change) -> Stored<Changed>;
    /// Exchanges a seat's invitation for a token, by their hashes; false if the seat is taken or has another
    /// invitation.
    async fn take_seat(
        &self,
        game: &str,
        seat: u8,
        invitation: &str,
        token: &str,
        account: Option<&str>,
    ) -> Stored<bool>;
    /// Gives a free seat an invitation, by its hash; false if the seat is taken.
    async fn invite(&self, game: &str, seat: u8, invitation: &str) -> Stored<bool>;
    /// Gives a seat another token, by its hash.
    async fn put_token(&self, game: &str, seat: u8, token: &str) -> Stored<()>;
    /// Puts a seat on an account's list, unless it is on one already.
    async fn bind_seat(&self, game: &str, seat: u8, account: &str) -> Stored<()>;
    /// Stores a seat's private notes.
    async fn put_notes(&self, game: &str, seat: u8, notes: &str) -> Stored<()>;
    /// Notes that a seat is notified of its turn, and puts the notices into the outbox; false if that has been done.
    async fn claim_turn(&self, game: &str, seat: u8, at: i64, notices: Vec<Notice>) -> Stored<bool>;
    /// Puts a notice into the outbox.
    async fn put_notice(&self, notice: Notice) -> Stored<()>;
    /// Takes the notices that are due; other processes leave them alone until `until`.
    async fn take_notices(&self, now: i64, until: i64, most: i64) -> Stored<Vec<Notice>>;
    /// Puts a notice off, or removes it from the outbox.
    async fn settle_notice(&self, id: &str, due: Option<i64>) -> Stored<()>;
    /// Sets when the server has to look at a game next, if it still has this version (any version if that is below 0).
    async fn put_due(&self, game: &str, version: i64, due: Option<i64>) -> Stored<()>;
    /// Games the server has to look at by now.
    async fn due(&self, now: i64, most: i64) -> Stored<Vec<String>>;
    /// An account's games, the latest first.
    async fn games_of(&self, account: &str, most: i64) -> Stored<Vec<ListRow>>;
    /// Deletes a game with everything that belongs to it. False if the game does not exist.
    async fn delete_game(&self, game: &str) -> Stored<bool>;
    /// Games that have not changed since `before`, the oldest first.
    async fn idle_games(&self, before: i64, most: i64) -> Stored<Vec<String>>;
    /// What the games of a maker take: of the account if there is one, and of the address.
    async fn usage(&self, maker: &Maker) -> Stored<[Usage; 2]>;
    /// Stores a new account; false if the name is taken.
    async fn create_account(&self, account: AccountRow) -> Stored<bool>;
    async fn account(&self, key: &str) -> Stored<Option<AccountRow>>;
    /// Changes an account's e-mail address, which is then unconfirmed; `code` is the hash of what confirms it.
    async fn set_email(&self, account: &str, email: &str, code: &str) -> Stored<()>;
    /// Confirms the e-mail address that this code was sent to, by the hash of the code. False if the code is unknown.
    async fn confirm_email(&self, code: &str) -> Stored<bool>;
    /// Notes that the owner of an e-mail address, by its hash, is asked to confirm it and is not to be asked again
    /// before a moment; false if that moment has not come.
    async fn ask_address(&self, address: &str, now: i64, again: i64) -> Stored<bool>;
    /// Stores a session by the hash of its secret.
    async fn put_session(&self, hash: &str, account: &str, expires: i64) -> Stored<()>;
    /// The account of a session that has not expired.
    async fn session(&self, hash: &str, now: i64) -> Stored<Option<String>>;
    async fn drop_session(&self, hash: &str) -> Stored<()>;
    /// Deletes the sessions that have expired, and what is kept of e-mail addresses that may be asked again.
    async fn drop_expired(&self, now: i64) -> Stored<()>;
    /// Stores how long the server has been up, in milliseconds; the greatest value that any process has stored.
    async fn beat(&self, millis: i64) -> Stored<i64>;
    /// Counts the first answer of a browser to a puzzle, by the hashes of browser and address; false if it has been
    /// counted, or if as many browsers of the address have.
    async fn try_puzzle(&self, puzzle: &str, browser: &str, address: &str, most: i64, solved: bool) -> Stored<bool>;
    /// How many have tried and solved each puzzle that has been tried.
    async fn puzzle_counts(&self) -> Stored<Vec<PuzzleRow>>;
    async fn analysis(&self, game: &str) -> Stored<Option<AnalysisRow>>;
    /// Starts an analysis with this effort; false if there is one, or if a process heard of since `stale` works on it.
    async fn claim_analysis(&self, game: &str, effort: i64, now: i64, stale: i64) -> Stored<bool>;
    /// Stores how far the work on it has come.
    async fn advance_analysis(&self, game: &str, effort: i64, progress: (i64, i64), now: i64) -> Stored<()>;
    /// Stores its result; without one, gives it up.
    async fn put_analysis(&self, game: &str, effort: i64, body: Option<String>) -> Stored<()>;
    /// News from other processes on the same database.
    fn news(&self) -> broadcast::Receiver<News>;
}

/// A call to the database, or that it took too long.
async fn within<T>(call: impl Future<Output = Stored<T>>) -> Stored<T> {
    tokio::time::timeout(LONGEST_CALL, call)
        .await
        .unwrap_or_else(|_| Err(StoreError(format!("no answer within {} s", LONGEST_CALL.as_secs()))))
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
            "{scheme}:// is not a database this program knows; give the path of a file (SQLite) or postgres://…"
        )));
    }
    if database.is_empty() {
        return Err(StoreError("its name is empty; give the path of a file (SQLite) or postgres://…".into()));
    }
    Sqlite::open(database)
        .map(|store| Arc::new(store) as Arc<dyn Store>)
        .map_err(|error| if error.0.contains(database) { error } else { StoreError(format!("{database}: {error}")) })
}

/// Locks an SQLite file for this process as long as the result lives: processes on one file would not hear of each
/// other's answers.
pub fn alone(database: &str) -> Stored<Option<std::fs::File>> {
    if is_postgres(database) || database.contains("://") || database.is_empty() {
        return Ok(None);
    }
    let path = format!("{database}.lock");
    let failed = |error: &dyn fmt::Display| StoreError(format!("{path}: {error}"));
    if let Some(folder) = Path::new(database).parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| StoreError(format!("{}: {error}", folder.display())))?;
    }
    let file = private(&path).map_err(|error| failed(&error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(std::fs::TryLockError::WouldBlock) => Err(StoreError(format!(
            "another server is using {database}; several processes share a database only with PostgreSQL"
        ))),
        // Some file systems have no locks.
        Err(std::fs::TryLockError::Error(_)) => Ok(None),
    }
}

/// Opens a file, created if need be, that only this user may read: it holds every secret of every game.
fn private(path: &str) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::File::options();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        let file = options.mode(0o600).open(path)?;
        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}
