//! What goes over the wire, apart from what the desk, the referee and the kernel already have a form for.
//!
//! The browser client's types are generated from these (feature `ts`), so that the two cannot drift apart.

#[cfg(feature = "ts")]
use flagplot_desk::{Analysis, LogEntry, Situation};
use flagplot_kernel::scene::Piece;
use flagplot_kernel::{Insight, Refusal, Rule, ScenarioInfo, Seat, Side};
use flagplot_referee::About;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::Arc;

/// JSON that has been written once and is sent many times.
pub type Written = Arc<RawValue>;

/// What is sent when something is refused.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Refused {
    /// Why.
    pub error: Refusal,
    /// The position as it is now, when the answer was made for another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub state: Option<GameState>,
}

/// A procedure in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ProcedureBrief {
    /// Its name.
    pub name: &'static str,
    /// What it settles.
    pub help: &'static str,
}

/// A system in the list of systems.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SystemBrief {
    /// Its id.
    pub id: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What it is, in a sentence.
    pub blurb: &'static str,
    /// The edition of its rules and data.
    pub edition: String,
    /// What can be played.
    pub scenarios: Vec<ScenarioInfo>,
    /// What the referee settles.
    pub procedures: Vec<ProcedureBrief>,
}

/// A rule reference with its title.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RuleTitle {
    /// Its identifier.
    pub id: &'static str,
    /// What it is about.
    pub title: &'static str,
}

impl From<&Rule> for RuleTitle {
    fn from(rule: &Rule) -> Self {
        Self { id: rule.id, title: rule.title }
    }
}

/// A system with its procedures and rules.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SystemDetail {
    /// Its id.
    pub id: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What it is, in a sentence.
    pub blurb: &'static str,
    /// The edition of its rules and data.
    pub edition: String,
    /// What can be played.
    pub scenarios: Vec<ScenarioInfo>,
    /// What the referee settles, with the shapes of input and result.
    pub procedures: Vec<About>,
    /// Its rule references.
    pub rules: Vec<RuleTitle>,
}

/// A rules page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RulesPage {
    /// The page, with an anchor for every rule.
    pub markdown: &'static str,
}

/// A kind of computer player.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PlayerInfo {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// How it plays, in a sentence.
    pub help: String,
}

/// Who shall sit on a chair.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SeatPlan {
    /// A person or a program.
    pub kind: SeatKind,
    /// Which program, for a computer's seat; without it the server chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub player: Option<String>,
    /// What the player is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub name: Option<String>,
}

/// A person or a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum SeatKind {
    /// A person, or a bot that answers over the wire.
    Human,
    /// One of the server's own players.
    Computer,
}

/// Where the dice come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DiceMode {
    /// From a secret the server has committed to.
    #[default]
    Fair,
    /// Real dice, typed in.
    Typed,
    /// From a number.
    Seeded,
}

/// How much time the players have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClockPlan {
    /// So long for each answer.
    PerMove {
        /// Seconds for an answer.
        seconds: u32,
        /// What happens when they are over.
        on_timeout: OnTimeout,
    },
    /// An account of time to which every day adds something.
    Banked {
        /// Seconds added at the start of each day of the game, the first included.
        seconds_per_day: u32,
        /// Seconds to begin with.
        bank_seconds: u32,
        /// What happens when the account is empty.
        on_timeout: OnTimeout,
    },
}

impl ClockPlan {
    /// What happens when time runs out.
    #[must_use]
    pub fn on_timeout(&self) -> OnTimeout {
        match self {
            ClockPlan::PerMove { on_timeout, .. } | ClockPlan::Banked { on_timeout, .. } => *on_timeout,
        }
    }
}

/// What happens when time runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum OnTimeout {
    /// The game is lost.
    Lose,
    /// The computer answers in the player's place, this once.
    Computer,
}

/// A web address that is told when a person has to answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    /// Where to.
    pub url: String,
    /// In which form.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<WebhookForm>", optional))]
    pub form: WebhookForm,
}

/// The form of a notification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum WebhookForm {
    /// An object with the facts.
    #[default]
    Json,
    /// A line of text in the field `content`, as Discord wants it.
    Discord,
}

/// A wish for a new game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct CreateGame {
    /// The system.
    pub system: String,
    /// The scenario.
    pub scenario: String,
    /// The scenario's options.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    #[cfg_attr(feature = "ts", ts(as = "Option<Value>", optional))]
    pub options: Value,
    /// Who sits where, one for each chair of the scenario.
    pub seats: Vec<SeatPlan>,
    /// Where the dice come from.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<DiceMode>", optional))]
    pub dice: DiceMode,
    /// The number that seeded dice follow from, as text because it may have 64 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub seed: Option<String>,
    /// Whether everybody who has the address may watch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub spectators: Option<bool>,
    /// How much time the players have; without it, as much as they like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub clock: Option<ClockPlan>,
    /// Who is told when a person has to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub webhook: Option<Webhook>,
}

/// A seat of a new game. Whoever has the token plays it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CreatedSeat {
    /// Which.
    pub seat: Seat,
    /// Its token. It is shown once and kept nowhere.
    pub token: String,
    /// The client's page with that token.
    pub link: String,
}

/// A new game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Created {
    /// Its id.
    pub game: String,
    /// The seats of people.
    pub seats: Vec<CreatedSeat>,
    /// The client's page for watching, if that is allowed.
    pub spectate: Option<String>,
}

/// Who a view is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum You {
    /// A player.
    Player {
        /// Which.
        seat: Seat,
    },
    /// Somebody who watches.
    Watcher(Watcher),
}

/// The word for somebody who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Watcher {
    /// The word.
    Spectator,
}

/// Who sits on a chair.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SeatMeta {
    /// Its number, from 0.
    pub seat: Seat,
    /// The faction's id.
    pub id: String,
    /// The faction's name.
    pub faction: String,
    /// What the player is called.
    pub name: String,
    /// Which side it plays on.
    pub side: Side,
    /// A person or a program.
    pub kind: SeatKind,
    /// Which program.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub player: Option<String>,
    /// Whether it has added something of its own to the dice.
    pub entropy: bool,
}

/// What does not change while a game is played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Meta {
    /// The system.
    pub system: String,
    /// The scenario.
    pub scenario: String,
    /// The scenario's title.
    pub title: String,
    /// The edition of the rules and data.
    pub edition: String,
    /// The chairs.
    pub seats: Vec<SeatMeta>,
    /// Where the dice come from.
    pub dice: DiceMode,
    /// What the server has committed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub commitment: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub created: i64,
    /// Whether everybody may watch.
    pub spectators: bool,
}

/// A line of the chat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ChatLine {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The seat that says it; none: the server.
    pub from: Option<Seat>,
    /// What it says.
    pub text: String,
}

/// A seat's clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SeatClock {
    /// Whose.
    pub seat: Seat,
    /// Milliseconds left when this was sent.
    pub left: i64,
    /// Whether it is running down.
    pub running: bool,
}

/// The clocks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ClockState {
    /// What was agreed.
    pub plan: ClockPlan,
    /// The seats of people.
    pub seats: Vec<SeatClock>,
}

/// Everything one viewer is told about a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GameState {
    /// The game's id.
    pub game: String,
    /// The number of this state in the stream of events; larger is later.
    pub version: u64,
    /// What does not change.
    pub meta: Meta,
    /// Who this is for.
    pub you: You,
    /// Where the game stands.
    #[cfg_attr(feature = "ts", ts(as = "Situation"))]
    pub situation: Written,
    /// The lines below replace all with a larger number than this; 0: the log is whole.
    pub log_after: usize,
    /// The log.
    #[cfg_attr(feature = "ts", ts(as = "Vec<LogEntry>"))]
    pub log: Written,
    /// The chat.
    pub chat: Vec<ChatLine>,
    /// The seat's own notes.
    pub notes: String,
    /// The clocks, if there are any.
    pub clock: Option<ClockState>,
    /// The seat that offers a draw.
    pub draw_offer: Option<Seat>,
    /// The computer's seats that have been thinking for a while.
    pub thinking: Vec<Seat>,
    /// The game that follows this one, with sides changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub rematch: Option<String>,
}

/// An answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AnswerBody {
    /// Made by the client, different for each answer; sent twice, an answer counts once.
    pub id: String,
    /// The `at` of the situation it was made for.
    pub at: usize,
    /// The answer.
    pub value: Value,
    /// The reply's log may begin after this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub log_after: Option<usize>,
}

/// Real dice.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DiceBody {
    /// Made by the client, different for each roll; sent twice, a roll counts once.
    pub id: String,
    /// The `at` of the situation it was made for, if the client wants that checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub at: Option<usize>,
    /// What the dice show.
    pub faces: Vec<u8>,
}

/// A draw offered or refused.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DrawBody {
    /// True: offers a draw or agrees to the one offered. False: refuses it or takes it back.
    pub offer: bool,
}

/// A line of chat, a page of notes, something for the dice.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TextBody {
    /// The text.
    pub text: String,
}

/// What to explain.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ExplainBody {
    /// The answer that is being thought about, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub value: Option<Value>,
}

/// What is explained.
pub type Insights = Vec<Insight>;

/// Whose advice is wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HintBody {
    /// A kind of computer player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub player: Option<String>,
}

/// A piece of advice.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hint {
    /// The answer.
    pub value: Value,
    /// The same in words.
    pub label: String,
    /// What was weighed, the best first; empty for a player who does not think ahead.
    pub alternatives: Vec<Alternative>,
    /// How the figures were found; empty if there are none.
    pub method: String,
}

/// An answer that was weighed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Alternative {
    /// The answer.
    pub value: Value,
    /// The same in words.
    pub label: String,
    /// What it is worth: near the chance to win.
    pub estimate: f64,
    /// The standard error of that.
    pub error: f64,
    /// In how many imagined games it was tried.
    pub games: u32,
    /// How often it should be played, where the answer is drawn from a mix.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub share: Option<f64>,
}

/// An answer tried out without giving it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Preview {
    /// Why the rules would not take it, if they would not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub refusal: Option<Refusal>,
    /// What it would meet and cost, as far as the seat can know.
    pub insights: Vec<Insight>,
    /// Where pieces would stand, the likeliest first.
    pub ghosts: Vec<Ghost>,
}

/// What may come of an answer on the board.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Ghost {
    /// In what share of worlds imagined from what the seat knows.
    pub share: f64,
    /// The pieces that would have moved, as they would stand.
    pub pieces: Vec<Piece>,
}

/// How far the analysis of a finished game has come.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AnalysisState {
    /// Pieces of work done.
    pub done: usize,
    /// Pieces of work in all; 0 while it waits for others.
    pub total: usize,
    /// The result, once it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Analysis>"))]
    pub analysis: Option<Written>,
}

/// The computer's seats that have been thinking for a while.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Thinking {
    /// The seats.
    pub seats: Vec<Seat>,
}

/// A new account.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewAccount {
    /// What one is called.
    pub name: String,
    /// The password.
    pub password: String,
    /// Where notifications go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub email: Option<String>,
}

/// Somebody who wants to come in.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The account's name.
    pub name: String,
    /// The password.
    pub password: String,
}

/// A game in somebody's list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MyGame {
    /// Its id.
    pub game: String,
    /// The system.
    pub system: String,
    /// The scenario.
    pub scenario: String,
    /// One's seat.
    pub seat: Seat,
    /// Whether one has to answer.
    pub your_turn: bool,
    /// Whether it is over.
    pub over: bool,
}

/// An account with its games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Me {
    /// What one is called.
    pub name: String,
    /// One's games, the latest first.
    pub games: Vec<MyGame>,
}
