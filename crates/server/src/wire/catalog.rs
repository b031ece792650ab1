//! Systems, their rules and procedures, and the computer players.

use flagplot_kernel::{Rule, ScenarioInfo};
use flagplot_referee::{About, Example, Shape};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A procedure in a list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProcedureBrief {
    /// Its name.
    pub name: &'static str,
    /// What it rules on.
    pub help: &'static str,
    /// The group of acts at a referee's table that it rules on first; empty if it rules on none.
    pub group: &'static str,
    /// A picture by name.
    pub icon: &'static str,
    /// What the acts are called that it rules on.
    pub acts: Vec<&'static str>,
}

/// A system in the list of systems.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SystemBrief {
    /// Its id.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// A description, in a sentence.
    pub blurb: &'static str,
    /// The edition of its rules and data.
    pub edition: String,
    /// Its scenarios.
    pub scenarios: Vec<ScenarioInfo>,
    /// Its procedures.
    pub procedures: Vec<ProcedureBrief>,
}

/// A rule reference with its title.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RuleTitle {
    /// Its identifier.
    pub id: &'static str,
    /// Its subject.
    pub title: &'static str,
}

impl From<&Rule> for RuleTitle {
    fn from(rule: &Rule) -> Self {
        Self { id: rule.id, title: rule.title }
    }
}

/// A system with its procedures and rules.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SystemDetail {
    /// Its id.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// A description, in a sentence.
    pub blurb: &'static str,
    /// The edition of its rules and data.
    pub edition: String,
    /// Its scenarios.
    pub scenarios: Vec<ScenarioInfo>,
    /// Its procedures, with the shapes of input and result.
    pub procedures: Vec<About>,
    /// An example for each of them; the first is the best to begin with.
    pub examples: Vec<Example>,
    /// The options of scenarios that have any.
    pub options: Vec<ScenarioOptions>,
    /// Its rule references.
    pub rules: Vec<RuleTitle>,
}

/// The options of a scenario.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScenarioOptions {
    /// The scenario.
    pub scenario: String,
    /// Their shape.
    pub shape: Shape,
    /// Their default values.
    pub value: Value,
}

/// A rules page.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RulesPage {
    /// The page, with an anchor for every rule.
    pub markdown: &'static str,
}

/// A kind of computer player.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlayerInfo {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How it plays, in a sentence.
    pub help: String,
}
