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
