use crate::Rule;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// Why an answer, a request or a file is not accepted. Nothing has changed when one is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Refusal {
    /// Stable and kebab-case, for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// The rule that says so, where it is a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// What would make it legal, where that can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// Further reasons, when several apply at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Refusal>,
}

impl Refusal {
    /// A refusal with a code and a sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), rule: None, remedy: None, also: Vec::new() }
    }

    /// A name that is not known: says what is wrong, what was probably meant, and what there is. What was asked is cut
    /// short, since it comes from outside.
    #[must_use]
    pub fn unknown<'a>(
        code: &'static str,
        whose: impl fmt::Display,
        kind: &str,
        asked: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let shown: String = asked.chars().take(60).collect();
        let known: Vec<&str> = known.into_iter().collect();
        let listed = format!("The {kind}s are: {}.", known.join(", "));
        let remedy = match nearest(&shown, &known) {
            Some(meant) => format!("Did you mean '{meant}'? {listed}"),
            None => listed,
        };
        Self::new(code, format!("{whose} no {kind} '{shown}'.")).remedy(remedy)
    }

    /// The same, citing the rule that says so.
    #[must_use]
    pub fn by(mut self, rule: Rule) -> Self {
        self.rule = Some(rule);
        self
    }

    /// The same, saying what would be accepted.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// One refusal out of many: the first, with the rest attached. `Ok` if there is none.
    pub fn all(reasons: Vec<Refusal>) -> Result<(), Refusal> {
        let mut reasons = reasons.into_iter();
        match reasons.next() {
            None => Ok(()),
            Some(mut first) => {
                first.also.extend(reasons);
                Err(first)
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if let Some(rule) = self.rule {
            write!(f, " [{rule}]")?;
        }
        if let Some(remedy) = &self.remedy {
            write!(f, " {remedy}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

/// The known name that is most like the one that was asked for, if a few slips of the hand explain the difference or it
/// begins the same way.
fn nearest<'a>(asked: &str, known: &[&'a str]) -> Option<&'a str> {
    let asked = asked.trim().to_lowercase().replace([' ', '_'], "-");
    if asked.is_empty() {
        return None;
    }
    let slips = |name: &&&str| strsim::damerau_levenshtein(&asked, name);
    let close = known.iter().min_by_key(slips).filter(|name| slips(name) <= 1 + asked.chars().count() / 4);
    let mut begun = known.iter().filter(|name| asked.len() > 2 && name.starts_with(&asked));
    match (close, begun.next(), begun.next()) {
        (Some(close), ..) => Some(close),
        (None, Some(only), None) => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_name_is_recognised() {
        let known = ["malta-1942", "midway-1942", "wake-1941"];
        let cases = [
            ("malta-1942", Some("malta-1942")),
            ("Malta 1942", Some("malta-1942")),
            ("mlata-1942", Some("malta-1942")),
            ("midwy-1943", Some("midway-1942")),
            ("wake", Some("wake-1941")),
            ("m", None),
            ("", None),
            ("jutland", None),
        ];
        for (asked, meant) in cases {
            assert_eq!(nearest(asked, &known), meant, "{asked}");
        }
    }

    #[test]
    fn an_unknown_name_is_told_with_what_there_is() {
        let refusal = Refusal::unknown("unknown-scenario", "Dogfite! has", "scenario", "duell", ["duel", "balloons"]);
        let said = "Dogfite! has no scenario 'duell'. Did you mean 'duel'? The scenarios are: duel, balloons.";
        assert_eq!(refusal.to_string(), said);
        let long = Refusal::unknown("unknown-scenario", "There is", "scenario", &"x".repeat(10_000), []);
        assert!(long.to_string().len() < 200);
    }
}
