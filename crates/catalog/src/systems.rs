use crate::erased::{AnyGame, Typed};
use flagplot_kernel::{DataError, Files, Refusal, Rule, ScenarioInfo};
use flagplot_odds::Budget;
use flagplot_referee::table::{TABLE, Table, TableInfo};
use flagplot_referee::{About, Index, Request, Response, Shape, System as Referee, adjudicate};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};

/// The version of the rules as code. It changes with every change of behaviour, so that a record says which rules it
/// was played by.
pub type RulesVersion = u32;

/// A system whose types are forgotten.
pub trait GameSystem: Referee + Send + Sync {
    /// What it is called.
    fn title(&self) -> &'static str;
    /// What it is, in a sentence.
    fn blurb(&self) -> &'static str;
    /// The version of its rules as code.
    fn version(&self) -> RulesVersion;
    /// What can be played.
    fn scenarios(&self) -> Vec<ScenarioInfo>;
    /// What can be wished for in a game of a scenario, if anything: what it must look like, and what it is unless one
    /// wishes otherwise.
    fn options(&self, scenario: &str) -> Option<(Shape, Value)>;
    /// Its rule references.
    fn rules(&self) -> &'static [Rule];
    /// Its rules page, as Markdown.
    fn rules_page(&self) -> &'static str;
    fn game(&self, scenario: &str, options: &Value) -> Result<Arc<dyn AnyGame>, Refusal>;
}

/// Declares a system of the catalog: its crate, its words, its version.
macro_rules! system {
    ($crate_name:ident, $title:literal, $blurb:literal, $version:literal $(,)?) => {
        impl GameSystem for $crate_name::System {
            system!(@common $crate_name, $title, $blurb, $version);
            fn scenarios(&self) -> Vec<ScenarioInfo> {
                $crate_name::System::scenarios(self)
            }
            fn options(&self, scenario: &str) -> Option<(Shape, Value)> {
                $crate_name::System::options(self, scenario)
            }
            fn game(&self, scenario: &str, options: &Value) -> Result<Arc<dyn AnyGame>, Refusal> {
                Ok(Arc::new(Typed($crate_name::System::game(self, scenario, options)?)))
            }
        }
    };
    (@common $crate_name:ident, $title:literal, $blurb:literal, $version:literal) => {
        fn title(&self) -> &'static str {
            $title
        }
        fn blurb(&self) -> &'static str {
            $blurb
        }
        fn version(&self) -> RulesVersion {
            $version
        }
        fn rules(&self) -> &'static [Rule] {
            $crate_name::System::rules(self)
        }
        fn rules_page(&self) -> &'static str {
            $crate_name::System::rules_page(self)
        }
    };
}

system!(
    flagplot_carrier_strike,
    "Carrier Strike",
    "A double-blind carrier duel on an open sea: scouts, decoys, escorted strikes and fuel.",
    2,
);
system!(
    flagplot_dogfite,
    "Dogfite!",
    "Air combat of the First World War as a game of nerve: edges, bets and tight turns over big hexes.",
    2,
);
system!(
    flagplot_fleet_action,
    "Fleet Action",
    "Naval miniatures of the Second World War: guns, torpedoes, armour, criticals and air strikes.",
    4,
);
system!(
    flagplot_world_at_war,
    "A World at War",
    "Battles of the Second World War on the charts of the strategic game: on land, in the air and at sea.",
    3,
);
system!(
    flagplot_schiffskrieg,
    "Schiffskrieg",
    "The battle board of Axis Empires: fleets, flotillas and land-based air in one or two rounds of dice.",
    1,
);

/// Built-in data files.
type BuiltIn = fn() -> Files;
/// Makes a system from its data.
type Build = fn(&Files) -> Result<Arc<dyn GameSystem>, DataError>;

/// Each system once: id, built-in data, how it is made from data. Adding a system is one line here and one `system!`
/// above.
const SYSTEMS: &[(&str, BuiltIn, Build)] = &[
    ("carrier-strike", flagplot_carrier_strike::files, |files| {
        Ok(Arc::new(flagplot_carrier_strike::System::new(files)?))
    }),
    ("dogfite", flagplot_dogfite::files, |files| Ok(Arc::new(flagplot_dogfite::System::new(files)?))),
    ("fleet-action", flagplot_fleet_action::files, |files| Ok(Arc::new(flagplot_fleet_action::System::new(files)?))),
    ("world-at-war", flagplot_world_at_war::files, |files| Ok(Arc::new(flagplot_world_at_war::System::new(files)?))),
    ("schiffskrieg", flagplot_schiffskrieg::files, |files| Ok(Arc::new(flagplot_schiffskrieg::System::new(files)?))),
];

/// What the names of further files begin with that a system reads beside its built-in ones.
fn families(system: &str) -> &'static [&'static str] {
    match system {
        "fleet-action" => flagplot_fleet_action::data::FAMILIES,
        "schiffskrieg" => flagplot_schiffskrieg::data::FAMILIES,
        _ => &[],
    }
}

struct Entry {
    id: &'static str,
    files: Files,
    build: Build,
    system: OnceLock<Result<Arc<dyn GameSystem>, DataError>>,
    index: OnceLock<Index>,
}

/// All systems with their data. A system's data is read when it is first asked for.
pub struct Catalog {
    entries: Vec<Entry>,
}

impl Default for Catalog {
    fn default() -> Self {
        Self::built_in()
    }
}

impl Catalog {
    /// The systems with the data built into the program.
    #[must_use]
    pub fn built_in() -> Self {
        Self {
            entries: SYSTEMS
                .iter()
                .map(|&(id, files, build)| Entry {
                    id,
                    files: files(),
                    build,
                    system: OnceLock::new(),
                    index: OnceLock::new(),
                })
                .collect(),
        }
    }

    /// Lays a user's data file over a system's; refused if the system reads no file of that name.
    pub fn lay(&mut self, system: &str, name: &str, text: &str) -> Result<(), Refusal> {
        let at = self.find(system)?;
        let entry = &mut self.entries[at];
        let more = families(system);
        let read = entry.files.text(name).is_ok()
            || name.ends_with(".toml") && more.iter().any(|family| name.starts_with(family));
        if !read {
            let mut known: Vec<String> = entry.files.iter().map(|(name, _)| name.to_owned()).collect();
            known.extend(more.iter().map(|family| format!("{family}*.toml")));
            return Err(Refusal::new("unknown-file", format!("{system} reads no file '{name}'."))
                .remedy(format!("Its files are: {}.", known.join(", "))));
        }
        let laid = entry.files.overlay(name, text);
        laid.map_err(|error| Refusal::new("bad-data", format!("{system}/{error}.")))?;
        entry.system = OnceLock::new();
        entry.index = OnceLock::new();
        Ok(())
    }

    /// The data files of a system, as it reads them.
    pub fn files(&self, system: &str) -> Result<&Files, Refusal> {
        Ok(&self.entries[self.find(system)?].files)
    }

    pub fn ids(&self) -> impl Iterator<Item = &'static str> {
        self.entries.iter().map(|entry| entry.id)
    }

    fn find(&self, id: &str) -> Result<usize, Refusal> {
        let unknown = || Refusal::unknown("unknown-system", "There is", "system", id, self.ids());
        self.entries.iter().position(|entry| entry.id == id).ok_or_else(unknown)
    }

    /// A system; refused if it is unknown or its data is wrong.
    pub fn system(&self, id: &str) -> Result<&dyn GameSystem, Refusal> {
        self.shared(id).map(AsRef::as_ref)
    }

    fn shared(&self, id: &str) -> Result<&Arc<dyn GameSystem>, Refusal> {
        let entry = &self.entries[self.find(id)?];
        match entry.system.get_or_init(|| (entry.build)(&entry.files)) {
            Ok(system) => Ok(system),
            Err(error) => Err(Refusal::new("bad-data", format!("{error}."))),
        }
    }

    /// A game of a scenario, or a referee's table, which every system has and none lists among its scenarios.
    pub fn game(&self, id: &str, scenario: &str, options: &Value) -> Result<Arc<dyn AnyGame>, Refusal> {
        let system = self.shared(id)?;
        if scenario != TABLE {
            return system.game(scenario, options);
        }
        Ok(Arc::new(Typed(Table::new(Arc::clone(system)).with_options(options)?)))
    }

    /// What a referee's table of a system offers.
    pub fn table(&self, id: &str) -> Result<TableInfo, Refusal> {
        Ok(Table::new(Arc::clone(self.shared(id)?)).info())
    }

    fn index(&self, id: &str) -> Result<&Index, Refusal> {
        let system = self.system(id)?;
        Ok(self.entries[self.find(id)?].index.get_or_init(|| Index::of(system)))
    }

    /// What the procedures of a system say of themselves.
    pub fn procedures(&self, id: &str) -> Result<&[About], Refusal> {
        Ok(self.index(id)?.abouts())
    }

    /// The edition of a system: a hash over its id, the version of its rules and all of its data. A game ends under the
    /// edition it began under.
    pub fn edition(&self, id: &str) -> Result<String, Refusal> {
        let entry = &self.entries[self.find(id)?];
        let mut hash = Sha256::new();
        hash.update(format!("{id}\n{}\n", self.system(id)?.version()));
        for (name, text) in entry.files.iter() {
            hash.update(format!("{name}\n{}\n", text.len()));
            hash.update(text);
        }
        Ok(hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
    }

    /// Answers a referee's request.
    pub fn adjudicate(
        &self,
        request: Request,
        fresh: impl FnOnce() -> u64,
        budget: Budget<'_>,
    ) -> Result<Response, Refusal> {
        let system = self.system(&request.system)?;
        adjudicate(system, self.index(&request.system)?, request, fresh, budget)
    }
}
