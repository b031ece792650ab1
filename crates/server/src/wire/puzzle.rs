//! Puzzles.

use flagplot_desk::LogEntry;
use flagplot_desk::puzzle::Difficulty;
use flagplot_kernel::{OptionView, Rule, Scene, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A puzzle in the list of them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PuzzleBrief {
    /// Its id.
    pub id: &'static str,
    /// The system.
    pub system: &'static str,
    /// Its number among the puzzles of the system, easy ones first.
    pub number: usize,
    /// What is decided, in a few words.
    pub title: String,
    /// The battle.
    pub scenario: String,
    /// How hard it is.
    pub difficulty: Difficulty,
    /// How many players have tried it.
    pub tried: i64,
    /// How many of them were right at once.
    pub solved: i64,
}

/// The puzzles of a system.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PuzzleShelf {
    /// The system.
    pub system: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// How many puzzles it has.
    pub puzzles: usize,
}

/// The puzzle of the day, and where the others are.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PuzzleOverview {
    /// The puzzle of the day, the same for everybody: the day changes at midnight UTC.
    pub today: PuzzleBrief,
    /// The systems that have puzzles.
    pub systems: Vec<PuzzleShelf>,
}

/// A puzzle on the board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PuzzleState {
    /// The puzzle.
    pub puzzle: PuzzleBrief,
    /// What the system is called.
    pub system_title: &'static str,
    /// What each side is called, the first one first.
    pub factions: [String; 2],
    /// The side that the player of the puzzle is on.
    pub side: Side,
    /// Whom the player of the puzzle commands.
    pub seat: String,
    /// How the player's side wins.
    pub aim: String,
    /// The question.
    pub question: String,
    /// The rule that asks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// The answers to choose from.
    pub options: Vec<OptionView>,
    /// The board, as the seat sees it.
    pub scene: Scene,
    /// The latest lines of the log, as the seat reads it.
    pub log: Vec<LogEntry>,
    /// The next puzzle of the system; the last one is followed by the first.
    pub next: &'static str,
}

/// An answer to a puzzle.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAnswer {
    /// The option's place in the list, from 0.
    pub option: usize,
    /// A random name that the browser has given itself: its first answer to a puzzle counts, and no other.
    pub browser: String,
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct PuzzleWorth {
    /// How often the seat wins with it, a draw counting a half.
    pub worth: f64,
    /// The standard error of that.
    pub error: f64,
}

/// What came of an answer to a puzzle.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PuzzleResult {
    /// Whether it is the best.
    pub right: bool,
    /// The best answer: its place in the list.
    pub best: usize,
    /// What each answer is worth, in the order of the list.
    pub options: Vec<PuzzleWorth>,
    /// How the figures were found.
    pub method: String,
    /// Whether the answer counts among those of the players.
    pub counted: bool,
    /// How many players have tried the puzzle.
    pub tried: i64,
    /// How many of them were right at once.
    pub solved: i64,
}
