use flagplot_kernel::Refusal;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How long a search may think about one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Budget {
    /// Milliseconds by the clock.
    Millis(u32),
    /// A number of imagined games, whatever time they take. The same seed then gives the same answer on every machine.
    Iterations(u32),
}

impl Budget {
    /// The longest time there is, in milliseconds.
    pub const MOST_MILLIS: u32 = 600_000;
    /// The most imagined games there are.
    pub const MOST_ITERATIONS: u32 = 10_000_000;
}

/// Imagined games in a millisecond, roughly, on two cores.
const GAMES_PER_MILLI: u32 = 4;

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Millis(millis) => write!(f, "{millis}ms"),
            Budget::Iterations(iterations) => write!(f, "{iterations}"),
        }
    }
}

impl FromStr for Budget {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let number = |digits: &str, most: u32| digits.parse::<u32>().ok().filter(|number| (1..=most).contains(number));
        let read = match text.strip_suffix("ms") {
            Some(digits) => number(digits, Self::MOST_MILLIS).map(Budget::Millis),
            None => number(text, Self::MOST_ITERATIONS).map(Budget::Iterations),
        };
        read.ok_or_else(|| {
            Refusal::new(
                "bad-budget",
                format!("'{}' is not a budget for a search.", text.chars().take(40).collect::<String>()),
            )
            .remedy(format!(
                "Give a time such as 50ms (at most {}ms), or a number of imagined games such as 2000 (at most {}).",
                Self::MOST_MILLIS,
                Self::MOST_ITERATIONS
            ))
        })
    }
}

/// The players there are. Written and read as a word: `random`, `greedy`, `search:50ms`, `search:2000`, `recruit`,
/// `officer`, `admiral`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PlayerKind {
    /// Any legal answer.
    Random,
    /// Rules of thumb, without thinking ahead.
    Greedy,
    /// Plays imagined games and takes the answer that did best.
    Search(Budget),
    /// The easy level: rules of thumb, and a random answer one time in four.
    Recruit,
    /// The middle level: a search that answers well within a second.
    Officer,
    /// The strong level: a search that takes its time.
    Admiral,
}

impl PlayerKind {
    /// What `search` means without a budget.
    pub const SEARCH: PlayerKind = PlayerKind::Search(Budget::Millis(50));

    /// All of them, the search with its usual budget.
    pub const ALL: [PlayerKind; 6] = [
        PlayerKind::Random,
        PlayerKind::Greedy,
        PlayerKind::SEARCH,
        PlayerKind::Recruit,
        PlayerKind::Officer,
        PlayerKind::Admiral,
    ];

    /// How long it may think, if it thinks ahead at all.
    #[must_use]
    pub fn budget(self) -> Option<Budget> {
        match self {
            PlayerKind::Random | PlayerKind::Greedy | PlayerKind::Recruit => None,
            PlayerKind::Search(budget) => Some(budget),
            PlayerKind::Officer => Some(Budget::Millis(250)),
            PlayerKind::Admiral => Some(Budget::Millis(1500)),
        }
    }

    /// Whether the same seed always gives the same answers: it does unless the player thinks by the clock.
    #[must_use]
    pub fn repeats(self) -> bool {
        !matches!(self.budget(), Some(Budget::Millis(_)))
    }

    /// The same player with a number of imagined games in place of a time, so that a game can be repeated: as many as
    /// a search plays in that time on an ordinary machine.
    #[must_use]
    pub fn repeatable(self) -> PlayerKind {
        match self.budget() {
            Some(Budget::Millis(millis)) => {
                PlayerKind::Search(Budget::Iterations((GAMES_PER_MILLI * millis).clamp(1, Budget::MOST_ITERATIONS)))
            }
            Some(Budget::Iterations(_)) | None => self,
        }
    }

    /// What it is called on a screen.
    #[must_use]
    pub fn title(self) -> String {
        match self {
            PlayerKind::Random => "Random".into(),
            PlayerKind::Greedy => "Greedy".into(),
            PlayerKind::Search(budget) => format!("Search ({budget})"),
            PlayerKind::Recruit => "Recruit".into(),
            PlayerKind::Officer => "Officer".into(),
            PlayerKind::Admiral => "Admiral".into(),
        }
    }

    /// How it plays, in a sentence.
    #[must_use]
    pub fn help(self) -> String {
        match self {
            PlayerKind::Random => "Gives any legal answer.".into(),
            PlayerKind::Greedy => "Plays by rules of thumb, without thinking ahead.".into(),
            PlayerKind::Search(Budget::Millis(millis)) => {
                format!("Plays imagined games for {millis} ms and takes the answer that did best.")
            }
            PlayerKind::Search(Budget::Iterations(iterations)) => {
                format!("Plays {iterations} imagined games and takes the answer that did best.")
            }
            PlayerKind::Recruit => {
                "For a first game: plays by rules of thumb and makes a random move one time in four.".into()
            }
            PlayerKind::Officer => "Once you know the rules: thinks ahead for a quarter of a second.".into(),
            PlayerKind::Admiral => "The strongest: thinks ahead for a second and a half.".into(),
        }
    }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerKind::Random => f.write_str("random"),
            PlayerKind::Greedy => f.write_str("greedy"),
            PlayerKind::Search(budget) => write!(f, "search:{budget}"),
            PlayerKind::Recruit => f.write_str("recruit"),
            PlayerKind::Officer => f.write_str("officer"),
            PlayerKind::Admiral => f.write_str("admiral"),
        }
    }
}

impl From<PlayerKind> for String {
    fn from(kind: PlayerKind) -> String {
        kind.to_string()
    }
}

impl TryFrom<String> for PlayerKind {
    type Error = Refusal;
    fn try_from(text: String) -> Result<Self, Refusal> {
        text.parse()
    }
}

impl FromStr for PlayerKind {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        if text == "search" {
            return Ok(Self::SEARCH);
        }
        if let Some(budget) = text.strip_prefix("search:") {
            return budget.parse().map(PlayerKind::Search);
        }
        let plain = Self::ALL.into_iter().filter(|kind| !matches!(kind, PlayerKind::Search(_)));
        plain.clone().find(|kind| kind.to_string() == text).ok_or_else(|| {
            let known: Vec<String> = plain.map(|kind| kind.to_string()).collect();
            let shown: String = text.chars().take(40).collect();
            Refusal::new("unknown-player", format!("There is no player '{shown}'.")).remedy(format!(
                "The players are: {}, search:50ms (or another time), search:2000 (or another number of \
                    imagined games).",
                known.join(", ")
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_is_read_as_it_is_written() {
        let more = ["search:1", "search:10000000", "search:600000ms"].map(|text| text.parse::<PlayerKind>().unwrap());
        for kind in PlayerKind::ALL.into_iter().chain(more) {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{kind}\""));
            assert_eq!(serde_json::from_str::<PlayerKind>(&json).unwrap(), kind);
        }
        assert_eq!("search".parse(), Ok(PlayerKind::SEARCH));
    }

    #[test]
    fn a_player_without_a_clock_repeats_itself() {
        for kind in PlayerKind::ALL {
            assert!(kind.repeatable().repeats(), "{kind}");
            assert!(!kind.repeats() || kind.repeatable() == kind, "{kind}");
        }
        assert_eq!(PlayerKind::Officer.repeatable().to_string(), "search:1000");
        assert!(!PlayerKind::Admiral.repeats());
    }

    #[test]
    fn unknown_players_and_budgets_are_refused_by_code() {
        let code = |text: &str| text.parse::<PlayerKind>().unwrap_err().code;
        for text in ["", "Random", "grandmaster", "searching"] {
            assert_eq!(code(text), "unknown-player", "{text}");
        }
        for text in [
            "search:",
            "search:0",
            "search:-1",
            "search:0ms",
            "search:600001ms",
            "search:10000001",
            "search:5s",
            "search:1e3",
        ] {
            assert_eq!(code(text), "bad-budget", "{text}");
        }
        assert!("search:x".parse::<PlayerKind>().unwrap_err().remedy.is_some());
    }
}
