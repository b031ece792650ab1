//! The statements, the same for both databases unless said otherwise: parameters are written `$1` and appear in order.

/// The migrations, each run once, in order. `{clustered}` becomes `WITHOUT ROWID` where rows can live in their key.
pub const MIGRATIONS: &[&str] = &[
    "
CREATE TABLE games (id TEXT PRIMARY KEY, created BIGINT NOT NULL, header TEXT NOT NULL, secret TEXT, plan TEXT NOT \
NULL);
CREATE TABLE progress (game TEXT PRIMARY KEY REFERENCES games(id), version BIGINT NOT NULL, status TEXT NOT NULL, \
ended BIGINT NOT NULL, due BIGINT, turn BIGINT NOT NULL) {clustered};
CREATE INDEX progress_due ON progress(due) WHERE due IS NOT NULL;
CREATE TABLE seats (game TEXT NOT NULL REFERENCES games(id), seat BIGINT NOT NULL, token TEXT, account TEXT, notes \
TEXT NOT NULL, PRIMARY KEY (game, seat));
CREATE INDEX seats_account ON seats(account) WHERE account IS NOT NULL;
CREATE TABLE entries (game TEXT NOT NULL REFERENCES games(id), first BIGINT NOT NULL, body TEXT NOT NULL, seat BIGINT, \
answer TEXT, PRIMARY KEY (game, first)) {clustered};
CREATE TABLE chat (game TEXT NOT NULL REFERENCES games(id), n BIGINT NOT NULL, at BIGINT NOT NULL, seat BIGINT, text \
TEXT NOT NULL, PRIMARY KEY (game, n));
CREATE TABLE accounts (key TEXT PRIMARY KEY, name TEXT NOT NULL, password TEXT NOT NULL, email TEXT);
CREATE TABLE sessions (hash TEXT PRIMARY KEY, account TEXT NOT NULL, expires BIGINT NOT NULL);
",
    "
CREATE TABLE snapshots (game TEXT PRIMARY KEY REFERENCES games(id), entries BIGINT NOT NULL, body TEXT NOT NULL);
",
    "
CREATE TABLE analyses (game TEXT PRIMARY KEY REFERENCES games(id), effort BIGINT NOT NULL, body TEXT, working BIGINT \
NOT NULL, done BIGINT NOT NULL, total BIGINT NOT NULL, alive BIGINT NOT NULL);
ALTER TABLE seats ADD COLUMN told BIGINT NOT NULL DEFAULT -1;
",
    "
ALTER TABLE seats ADD COLUMN invitation TEXT;
",
    "
ALTER TABLE games ADD COLUMN maker_account TEXT;
ALTER TABLE games ADD COLUMN maker_address TEXT;
CREATE INDEX games_maker_account ON games(maker_account) WHERE maker_account IS NOT NULL;
CREATE INDEX games_maker_address ON games(maker_address) WHERE maker_address IS NOT NULL;
ALTER TABLE progress ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE progress ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
UPDATE progress SET changed = (SELECT created FROM games WHERE games.id = progress.game);
CREATE INDEX progress_changed ON progress(changed);
ALTER TABLE accounts ADD COLUMN confirmed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN code TEXT;
CREATE TABLE outbox (id TEXT PRIMARY KEY, game TEXT, seat BIGINT, at BIGINT, channel TEXT NOT NULL, target TEXT NOT \
NULL, body TEXT NOT NULL, tries BIGINT NOT NULL, due BIGINT NOT NULL);
CREATE INDEX outbox_due ON outbox(due);
CREATE TABLE uptime (id BIGINT PRIMARY KEY, millis BIGINT NOT NULL);
",
    "
CREATE TABLE puzzle_tries (puzzle TEXT NOT NULL, browser TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (puzzle, \
browser)) {clustered};
CREATE INDEX puzzle_tries_address ON puzzle_tries(puzzle, address);
CREATE TABLE puzzle_counts (puzzle TEXT PRIMARY KEY, tried BIGINT NOT NULL, solved BIGINT NOT NULL);
",
    "
CREATE TABLE letters (address TEXT PRIMARY KEY, again BIGINT NOT NULL) {clustered};
",
];

pub const CREATE_GAME: &str = "INSERT INTO games (id, created, header, secret, plan, maker_account, maker_address) \
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
pub const CREATE_PROGRESS: &str = "INSERT INTO progress (game, version, status, ended, due, turn, bytes, changed) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
pub const CREATE_SEAT: &str =
    "INSERT INTO seats (game, seat, token, invitation, account, notes) VALUES ($1, $2, $3, $4, $5, $6)";
pub const ADD_ENTRIES: &str = "INSERT INTO entries (game, first, body, seat, answer) VALUES ($1, $2, $3, $4, $5)";
pub const ADD_CHAT: &str = "INSERT INTO chat (game, n, at, seat, text) VALUES ($1, $2, $3, $4, $5)";
pub const LOAD_GAME: &str = "SELECT g.created, g.header, g.secret, g.plan, p.version, p.status, p.ended, p.due, \
    p.turn, p.bytes FROM games g JOIN progress p ON p.game = g.id WHERE g.id = $1";
pub const LOAD_SEATS: &str = "SELECT token, invitation, account, notes, told FROM seats WHERE game = $1 ORDER BY seat";
pub const LOAD_ENTRIES: &str = "SELECT first, body, seat, answer FROM entries WHERE game = $1 ORDER BY first";
pub const LOAD_CHAT: &str = "SELECT at, seat, text FROM chat WHERE game = $1 ORDER BY n";
pub const LOAD_SNAPSHOT: &str = "SELECT entries, body FROM snapshots WHERE game = $1";
pub const PUT_SNAPSHOT: &str = "INSERT INTO snapshots (game, entries, body) VALUES ($1, $2, $3) ON CONFLICT (game) DO \
    UPDATE SET entries = excluded.entries, body = excluded.body WHERE excluded.entries > snapshots.entries";
pub const ADVANCE: &str = "UPDATE progress SET version = version + 1, status = $1, ended = $2, due = $3, turn = $4, \
    bytes = bytes + $5, changed = $6 WHERE game = $7 AND version = $8";
/// Locks the games of a batch, except those that another transaction holds. PostgreSQL only, like the next two.
pub const LOCK_GAMES: &str = "SELECT game, version FROM progress WHERE game = ANY($1) FOR UPDATE SKIP LOCKED";
pub const ADVANCE_ALL: &str = "UPDATE progress SET version = progress.version + 1, status = new.status, ended = \
    new.ended, due = new.due, turn = new.turn, bytes = progress.bytes + new.bytes, changed = new.changed FROM \
    UNNEST($1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[]) AS new(game, \
    status, ended, due, turn, bytes, changed) WHERE progress.game = new.game";
pub const ADD_ALL_ENTRIES: &str = "INSERT INTO entries (game, first, body, seat, answer) SELECT * FROM \
    UNNEST($1::TEXT[], $2::BIGINT[], $3::TEXT[], $4::BIGINT[], $5::TEXT[])";
pub const SET_HEADER: &str = "UPDATE games SET header = $1 WHERE id = $2";
pub const TAKE_SEAT: &str = "UPDATE seats SET token = $1, account = $2, told = -1 WHERE game = $3 AND seat = $4 AND \
    invitation = $5 AND token IS NULL";
pub const INVITE: &str = "UPDATE seats SET invitation = $1 WHERE game = $2 AND seat = $3 AND token IS NULL";
pub const PUT_TOKEN: &str = "UPDATE seats SET token = $1, told = -1 WHERE game = $2 AND seat = $3";
pub const BIND_SEAT: &str = "UPDATE seats SET account = $1 WHERE game = $2 AND seat = $3 AND account IS NULL";
pub const PUT_NOTES: &str = "UPDATE seats SET notes = $1 WHERE game = $2 AND seat = $3";
pub const CLAIM_TURN: &str = "UPDATE seats SET told = $1 WHERE game = $2 AND seat = $3 AND told <> $1";
pub const PUT_DUE: &str = "UPDATE progress SET due = $1 WHERE game = $2 AND (version = $3 OR $3 < 0)";
pub const DUE: &str = "SELECT game FROM progress WHERE due IS NOT NULL AND due <= $1 ORDER BY due LIMIT $2";
pub const GAMES_OF: &str = "SELECT g.id, g.header, s.seat, p.ended, p.due, p.turn FROM seats s JOIN games g ON g.id = \
    s.game JOIN progress p ON p.game = s.game WHERE s.account = $1 ORDER BY g.created DESC, s.seat LIMIT $2";
pub const CREATE_ACCOUNT: &str =
    "INSERT INTO accounts (key, name, password, email) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
pub const ACCOUNT: &str = "SELECT key, name, password, email, confirmed FROM accounts WHERE key = $1";
pub const SET_EMAIL: &str = "UPDATE accounts SET email = $1, confirmed = 0, code = $2 WHERE key = $3";
pub const CONFIRM_EMAIL: &str = "UPDATE accounts SET confirmed = 1, code = NULL WHERE code = $1";
pub const PUT_SESSION: &str = "INSERT INTO sessions (hash, account, expires) VALUES ($1, $2, $3)";
pub const SESSION: &str = "SELECT account FROM sessions WHERE hash = $1 AND expires > $2";
pub const DROP_SESSION: &str = "DELETE FROM sessions WHERE hash = $1";
pub const ASK_ADDRESS: &str = "INSERT INTO letters (address, again) VALUES ($1, $2) ON CONFLICT (address) DO \
    UPDATE SET again = excluded.again WHERE letters.again <= $3";
pub const DROP_ASKED: &str = "DELETE FROM letters WHERE again <= $1";
pub const DROP_EXPIRED: &str = "DELETE FROM sessions WHERE expires <= $1";
pub const USED_BY_ACCOUNT: &str = "SELECT COUNT(*), CAST(COALESCE(SUM(p.bytes), 0) AS BIGINT) FROM games g JOIN \
    progress p ON p.game = g.id WHERE g.maker_account = $1";
pub const USED_BY_ADDRESS: &str = "SELECT COUNT(*), CAST(COALESCE(SUM(p.bytes), 0) AS BIGINT) FROM games g JOIN \
    progress p ON p.game = g.id WHERE g.maker_address = $1";
pub const IDLE: &str = "SELECT game FROM progress WHERE changed < $1 ORDER BY changed LIMIT $2";
/// What belongs to a game, the game itself last.
pub const DELETE_GAME: [&str; 7] = [
    "DELETE FROM outbox WHERE game = $1",
    "DELETE FROM analyses WHERE game = $1",
    "DELETE FROM snapshots WHERE game = $1",
    "DELETE FROM chat WHERE game = $1",
    "DELETE FROM entries WHERE game = $1",
    "DELETE FROM seats WHERE game = $1",
    "DELETE FROM progress WHERE game = $1",
];
pub const DELETE_GAME_ROW: &str = "DELETE FROM games WHERE id = $1";
pub const PUT_NOTICE: &str = "INSERT INTO outbox (id, game, seat, at, channel, target, body, tries, due) VALUES ($1, \
    $2, $3, $4, $5, $6, $7, 0, $8)";
pub const NOTICES: &str =
    "SELECT id, game, seat, at, channel, target, body, tries FROM outbox WHERE due <= $1 ORDER BY due LIMIT $2";
pub const CLAIM_NOTICE: &str = "UPDATE outbox SET due = $1, tries = tries + 1 WHERE id = $2 AND tries = $3";
pub const POSTPONE_NOTICE: &str = "UPDATE outbox SET due = $1 WHERE id = $2";
pub const DROP_NOTICE: &str = "DELETE FROM outbox WHERE id = $1";
pub const BEAT: &str = "INSERT INTO uptime (id, millis) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET millis = CASE \
    WHEN excluded.millis > uptime.millis THEN excluded.millis ELSE uptime.millis END RETURNING millis";
pub const TRY_PUZZLE: &str = "INSERT INTO puzzle_tries (puzzle, browser, address) SELECT CAST($1 AS TEXT), CAST($2 AS \
    TEXT), CAST($3 AS TEXT) WHERE (SELECT COUNT(*) FROM puzzle_tries WHERE puzzle = $1 AND address = $3) < $4 ON \
    CONFLICT DO NOTHING";
pub const COUNT_PUZZLE: &str = "INSERT INTO puzzle_counts (puzzle, tried, solved) VALUES ($1, 1, $2) ON CONFLICT \
    (puzzle) DO UPDATE SET tried = puzzle_counts.tried + 1, solved = puzzle_counts.solved + excluded.solved";
pub const PUZZLE_COUNTS: &str = "SELECT puzzle, tried, solved FROM puzzle_counts";
pub const ANALYSIS: &str = "SELECT effort, body, working, done, total, alive FROM analyses WHERE game = $1";
pub const CLAIM_ANALYSIS: &str = "INSERT INTO analyses (game, effort, body, working, done, total, alive) VALUES ($1, \
    0, NULL, $2, 0, 0, $3) ON CONFLICT (game) DO UPDATE SET working = excluded.working, done = 0, total = 0, alive = \
    excluded.alive WHERE analyses.effort < excluded.working AND (analyses.working < excluded.working OR analyses.alive \
    < $4)";
pub const ADVANCE_ANALYSIS: &str =
    "UPDATE analyses SET done = $1, total = $2, alive = $3 WHERE game = $4 AND working = $5";
pub const PUT_ANALYSIS: &str = "UPDATE analyses SET body = $1, effort = $2, working = CASE WHEN working = $2 THEN 0 \
    ELSE working END WHERE game = $3 AND effort < $2";
pub const LEAVE_ANALYSIS: &str = "UPDATE analyses SET working = 0 WHERE game = $1 AND working = $2";
