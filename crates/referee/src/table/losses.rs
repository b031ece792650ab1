//! Losses that a ruling demands: proposed, changed if their owner likes, and confirmed.

use super::deed::signed;
use flagplot_kernel::{
    Candidate, Chance, Choice, Decision, Form, FormItem, OptionView, Prompt, Refusal, Rule, Screen, Seat,
};
use serde_json::{Value, json};

/// An object that can be given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stake {
    /// Its id.
    pub id: String,
    /// What all of it pays.
    pub worth: u32,
    /// Whether it is lost whole or not at all; otherwise it pays what the others leave to be paid.
    pub whole: bool,
}

/// A loss that a ruling demands of the objects in a role.
#[derive(Clone, Debug)]
pub struct Demand {
    /// The role.
    pub role: &'static str,
    /// Why, in a sentence without a full stop.
    pub why: String,
    /// What must be paid at least.
    pub owed: u32,
    /// What it is counted in: one, and more than one.
    pub unit: (&'static str, &'static str),
    /// What can be given up.
    pub stakes: Vec<Stake>,
    /// What the rules propose, by id.
    pub proposed: Vec<String>,
    /// The rule that demands it, and the rule that nothing more is given up.
    pub rules: (Rule, Rule),
}

impl Demand {
    /// Whether there is anything to choose.
    #[must_use]
    pub fn open(&self) -> bool {
        let all = self.stakes.iter().fold(0u32, |sum, stake| sum.saturating_add(stake.worth));
        self.owed > 0 && all > self.owed && self.stakes.len() > 1
    }

    fn counted(&self, number: u32) -> String {
        format!("{number} {}", if number == 1 { self.unit.0 } else { self.unit.1 })
    }
}

/// Losses to be confirmed by their owner or the referee.
pub(super) struct LossesDue {
    /// The seats that may choose, beside the referee's.
    pub seats: Vec<u8>,
    pub demand: Demand,
    /// What each stake is called, in the order of the stakes.
    pub names: Vec<String>,
}

impl LossesDue {
    /// The objects given up, in the order in which they pay: what is lost whole first.
    pub fn chosen(&self, value: &Value) -> Result<Vec<String>, Refusal> {
        let (by, value) = signed(value);
        if by != Seat(0) && !self.seats.contains(&by.0) {
            return Err(
                Refusal::new("not-your-ship", "Another player's losses are due.").remedy("Wait until they are chosen.")
            );
        }
        let demand = &self.demand;
        let wrong = || {
            Refusal::new("bad-losses", "These are not losses to choose here.")
                .by(demand.rules.0)
                .remedy("Choose from the list, each once.")
        };
        let mut places = Vec::new();
        for id in value["lose"].as_array().ok_or_else(wrong)? {
            let at = demand.stakes.iter().position(|stake| *id == *stake.id).ok_or_else(wrong)?;
            if places.contains(&at) {
                return Err(wrong());
            }
            places.push(at);
        }
        // What is lost piece by piece pays last, and so no more than it must.
        places.sort_by_key(|at| !demand.stakes[*at].whole);
        let mut paid = 0u32;
        let mut idle = None;
        for &at in &places {
            let Stake { worth, whole, .. } = demand.stakes[at];
            let pays = if whole { worth } else { worth.min(demand.owed.saturating_sub(paid)) };
            paid = paid.saturating_add(pays);
            idle = idle.or((pays == 0).then_some(at));
        }
        if paid < demand.owed {
            let message = format!("Give up at least {}; you chose {paid}.", demand.counted(demand.owed));
            return Err(Refusal::new("insufficient-losses", message).by(demand.rules.0).remedy("Give up more."));
        }
        let spare = |at: &&usize| demand.stakes[**at].whole && paid - demand.stakes[**at].worth >= demand.owed;
        if let Some(at) = idle.or_else(|| places.iter().find(spare).copied()) {
            let message = format!("{} can be kept.", self.names[at]);
            return Err(Refusal::new("needless-losses", message)
                .by(demand.rules.1)
                .remedy("Give up no more than you must."));
        }
        Ok(places.into_iter().map(|at| demand.stakes[at].id.clone()).collect())
    }
}

impl Decision for LossesDue {
    type Value = Value;

    fn seat(&self) -> Seat {
        Seat(0)
    }

    fn check(&self, value: &Value) -> Result<(), Refusal> {
        self.chosen(value).map(drop)
    }
}

impl Screen for LossesDue {
    fn prompt(&self) -> Prompt {
        Prompt::new("losses", format!("{}. Which go?", self.demand.why), self.demand.rules.0)
    }

    fn candidates(&self) -> Vec<Candidate<Value>> {
        let Demand { proposed, stakes, .. } = &self.demand;
        let names: Vec<&str> = stakes
            .iter()
            .zip(&self.names)
            .filter(|(stake, _)| proposed.contains(&stake.id))
            .map(|(_, name)| name.as_str())
            .collect();
        vec![Candidate::new(json!({"lose": proposed}), super::facts::listed(&names)).at(proposed)]
    }

    fn form(&self) -> Form {
        let item = |(stake, name): (&Stake, &String)| {
            let mut option = OptionView::new(stake.id.clone(), format!("worth {}", stake.worth));
            option.tag = stake.worth.to_string();
            FormItem { id: stake.id.clone(), label: name.clone(), options: vec![option] }
        };
        let items: Vec<FormItem> = self.demand.stakes.iter().zip(&self.names).map(item).collect();
        let max = u32::try_from(items.len()).unwrap_or(u32::MAX);
        Form::Subset { items, min: 1, max }
    }
}

impl Choice for LossesDue {
    fn sample(&self, _: &mut Chance) -> Value {
        json!({"lose": self.demand.proposed})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule { id: "X-1", title: "" };

    fn due() -> LossesDue {
        let stake = |id: &str, worth, whole| Stake { id: id.to_owned(), worth, whole };
        let stakes = vec![stake("a", 3, true), stake("b", 4, true), stake("c", 2, true), stake("air", 5, false)];
        let names = ["Alpha", "Bravo", "Charlie", "Air"].map(str::to_owned).to_vec();
        let demand = Demand {
            role: "attackers",
            why: "The attackers must lose 6 factors".to_owned(),
            owed: 6,
            unit: ("factor", "factors"),
            stakes,
            proposed: vec!["b".to_owned(), "c".to_owned()],
            rules: (RULE, RULE),
        };
        LossesDue { seats: vec![2], demand, names }
    }

    #[track_caller]
    fn check(value: Value, expect: Result<&[&str], (&str, &str)>) {
        match (due().chosen(&value), expect) {
            (Ok(ids), Ok(wanted)) => assert_eq!(ids, wanted),
            (Err(refusal), Err((code, words))) => {
                assert_eq!(refusal.code, code);
                assert!(refusal.message.contains(words), "{}", refusal.message);
            }
            (found, wanted) => panic!("{found:?} and not {wanted:?}"),
        }
    }

    #[test]
    fn enough_is_given_up_and_nothing_that_can_be_kept() {
        check(json!({"lose": ["b", "c"]}), Ok(&["b", "c"]));
        check(json!({"lose": ["air", "a"]}), Ok(&["a", "air"]));
        check(json!({"lose": ["a"]}), Err(("insufficient-losses", "Give up at least 6 factors; you chose 3.")));
        check(json!({"lose": ["a", "b", "c"]}), Err(("needless-losses", "Alpha can be kept.")));
        check(json!({"lose": ["b", "c", "air"]}), Err(("needless-losses", "Air can be kept.")));
        check(json!({"lose": ["b", "b"]}), Err(("bad-losses", "")));
        check(json!({"lose": ["hood"]}), Err(("bad-losses", "")));
        check(json!({}), Err(("bad-losses", "")));
        check(json!({"lose": ["b", "c"], "by": 2}), Ok(&["b", "c"]));
        check(json!({"lose": ["b", "c"], "by": 1}), Err(("not-your-ship", "Another player's")));
    }
}
