//! What decides a battle: the score from the attacker's side, and two limits. [4.4]

use flagplot_kernel::{BySide, Outcome, Side};
use serde_json::{Value, json};

pub(crate) const SIDES: BySide<&str> = BySide { first: "Axis", second: "Allies" };

fn wordless(winner: Option<Side>, points: BySide<i64>) -> Outcome {
    Outcome {
        winner,
        level: if winner.is_some() { "victory" } else { "draw" }.into(),
        points: [points.first, points.second],
        summary: String::new(),
        details: Value::Null,
    }
}

/// The two limits of a scenario. Between them lies a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub attacker: Side,
    pub attacker_wins_at_least: i64,
    pub defender_wins_at_most: i64,
}

impl Limits {
    /// The score: what the attacker has gained less what the defender has.
    pub fn score(&self, points: BySide<i64>) -> i64 {
        points[self.attacker] - points[self.attacker.other()]
    }

    pub fn winner(&self, score: i64) -> Option<Side> {
        if score >= self.attacker_wins_at_least {
            Some(self.attacker)
        } else if score <= self.defender_wins_at_most {
            Some(self.attacker.other())
        } else {
            None
        }
    }

    /// How each side wins; `gain` says what gives points.
    pub fn aims(&self, gain: &str) -> BySide<String> {
        let Self { attacker, attacker_wins_at_least: high, defender_wins_at_most: low } = *self;
        let enemy = SIDES[attacker];
        BySide::new_with(|side| {
            if side == attacker {
                format!(
                    "You win if your score is {high} or more at the end. {gain} count for you, your own losses against \
                     you."
                )
            } else {
                format!(
                    "You win if the {enemy} score {low} or less. {gain} count for them, their own losses against them."
                )
            }
        })
    }

    /// The end of a battle by its score.
    pub fn outcome(&self, points: BySide<i64>, details: Value) -> Outcome {
        self.ended(self.winner(self.score(points)), points, None, details)
    }

    /// The end of a battle for a reason other than the score.
    pub fn decided(&self, winner: Side, points: BySide<i64>, why: &str, details: Value) -> Outcome {
        self.ended(Some(winner), points, Some(why), details)
    }

    /// The end of a battle by its score, without words.
    pub fn result(&self, points: BySide<i64>) -> Outcome {
        wordless(self.winner(self.score(points)), points)
    }

    fn ended(&self, winner: Option<Side>, points: BySide<i64>, why: Option<&str>, details: Value) -> Outcome {
        let score = self.score(points);
        let end = winner.map_or("A draw".to_owned(), |side| format!("Victory for the {}", SIDES[side]));
        let why = why.map_or_else(|| self.reason(score), str::to_owned);
        Outcome {
            summary: format!("{end}: {why}."),
            details: json!({"score": score, "battle": details}),
            ..wordless(winner, points)
        }
    }

    fn reason(&self, score: i64) -> String {
        let Self { attacker, attacker_wins_at_least: high, defender_wins_at_most: low } = *self;
        let attacker = SIDES[attacker];
        format!("the {attacker} scored {score}; {high} or more wins for them, {low} or less for the defender")
    }

    /// Where the battle stands and what would win, for the head of the board.
    pub fn status(&self, points: BySide<i64>) -> Vec<String> {
        let Self { attacker, attacker_wins_at_least: high, defender_wins_at_most: low } = *self;
        let score = self.score(points);
        let standing = match self.winner(score) {
            None => "a draw as it stands".to_owned(),
            Some(side) => format!("the {} would win as it stands", SIDES[side]),
        };
        vec![
            format!("Score {score}: {standing}."),
            format!(
                "The {} win with {high} or more, the {} with {low} or less.",
                SIDES[attacker],
                SIDES[attacker.other()]
            ),
        ]
    }
}
