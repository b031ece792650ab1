use crate::Done;
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_kernel::Refusal;
use serde_json::{Value, json};
use std::process::ExitCode;

/// `flagplot systems`
#[derive(Args)]
pub struct Systems {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Systems {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let mut list = Vec::new();
        for id in catalog.ids() {
            let system = catalog.system(id)?;
            let procedures = catalog.procedures(id)?;
            let scenarios = system.scenarios();
            if self.json {
                let procedures: Vec<Value> = procedures
                    .iter()
                    .map(|about| json!({"name": about.name, "help": about.help, "dice": about.dice}))
                    .collect();
                list.push(json!({"id": id, "title": system.title(), "about": system.blurb(),
                    "edition": catalog.edition(id)?, "scenarios": scenarios, "procedures": procedures}));
                continue;
            }
            println!("{id}: {}\n  {}\n  edition {}", system.title(), system.blurb(), catalog.edition(id)?);
            if scenarios.is_empty() {
                println!("  Scenarios: none; this system can be refereed and analysed.");
            } else {
                println!("  Scenarios (flagplot play {id} SCENARIO):");
                let width = scenarios.iter().map(|scenario| scenario.id.chars().count()).max().unwrap_or(0);
                for scenario in &scenarios {
                    println!("    {:width$}  {}", scenario.id, scenario.title);
                    if let Some(why) = &scenario.demonstration {
                        println!("    {:width$}  A demonstration: {why}", "");
                    }
                }
            }
            println!("  Procedures (flagplot odds {id} PROCEDURE):");
            let width = procedures.iter().map(|about| about.name.chars().count()).max().unwrap_or(0);
            for about in procedures {
                println!("    {:width$}  {}", about.name, about.help);
            }
            println!();
        }
        if self.json {
            println!("{}", Value::Array(list));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// `flagplot schema SYSTEM PROCEDURE`
#[derive(Args)]
pub struct Schema {
    /// The system
    system: String,
    /// The procedure
    procedure: String,
}

impl Schema {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let about = procedure(catalog, &self.system, &self.procedure)?;
        let examples: Vec<_> = catalog
            .system(&self.system)?
            .examples()
            .into_iter()
            .filter(|example| example.procedure == about.name)
            .map(|example| example.input)
            .collect();
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": format!("{} {}", self.system, about.name),
            "description": about.help,
            "dice": about.dice,
            "rules": about.rules,
            "input": about.input.json_schema(),
            "result": about.result.json_schema(),
            "examples": examples,
        });
        println!("{}", serde_json::to_string_pretty(&schema).expect("a schema is JSON"));
        Ok(ExitCode::SUCCESS)
    }
}

/// What a procedure says of itself.
pub fn procedure<'a>(catalog: &'a Catalog, system: &str, name: &str) -> Result<&'a flagplot_referee::About, Refusal> {
    let abouts = catalog.procedures(system)?;
    abouts.iter().find(|about| about.name == name).ok_or_else(|| {
        let known = abouts.iter().map(|about| about.name);
        Refusal::unknown("unknown-procedure", format_args!("{system} has"), "procedure", name, known)
    })
}

/// `flagplot rules SYSTEM [RULE]`
#[derive(Args)]
pub struct Rules {
    /// The system
    system: String,
    /// A rule reference, such as R-12; without it the whole page is printed
    rule: Option<String>,
}

impl Rules {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let system = catalog.system(&self.system)?;
        let Some(id) = &self.rule else {
            println!("{}", system.rules_page());
            return Ok(ExitCode::SUCCESS);
        };
        let rule = system
            .rules()
            .iter()
            .find(|rule| rule.id.eq_ignore_ascii_case(id))
            .ok_or_else(|| Refusal::new("unknown-rule", format!("{} has no rule '{id}'.", self.system)))?;
        println!("{}: {}\n", rule.id, rule.title);
        let anchor = format!("<a id=\"{}\"></a>", rule.id);
        if let Some(from) = system.rules_page().lines().position(|line| line.contains(&anchor)) {
            let lines: Vec<&str> = system.rules_page().lines().collect();
            let end = lines[from + 1..]
                .iter()
                .position(|line| line.contains("<a id=") || line.starts_with('#'))
                .map_or(lines.len(), |at| from + 1 + at);
            println!("{}", lines[from..end].join("\n").replace(&anchor, "").trim());
        }
        Ok(ExitCode::SUCCESS)
    }
}
