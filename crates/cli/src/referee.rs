//! `flagplot referee`: opens the referee's table in the terminal.

use crate::odds::read_json;
use crate::{Done, table};
use clap::Args;
use flagplot_catalog::{Catalog, LibraryItem};
use flagplot_kernel::Refusal;
use serde_json::Value;
use std::path::PathBuf;

/// `flagplot referee SYSTEM`
#[derive(Args)]
#[command(after_help = "Examples:\n  flagplot referee fleet-action --record battle.flagplot\
        \n  flagplot print fleet-action --record battle.flagplot --html battle.html")]
pub struct Referee {
    /// The system
    system: String,
    /// Keep the table in this record, and resume it if the file exists; without it, type `save FILE`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Ships and other objects of your own, as a JSON list of {"id","name","kind","value"}
    #[arg(long, value_name = "FILE")]
    own: Option<PathBuf>,
}

impl Referee {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let own = match &self.own {
            Some(path) => own_items(&read_json(path)?)?,
            None => Vec::new(),
        };
        table::run(catalog, &self.system, self.record.as_deref(), own)
    }
}

/// Objects from the user's own file.
pub fn own_items(list: &Value) -> Result<Vec<LibraryItem>, Refusal> {
    let bad =
        || Refusal::new("bad-value", "Your own file must be a JSON list of objects with id, name, kind and value.");
    let item = |item: &Value| {
        let text = |field: &str| item[field].as_str().map(str::to_owned);
        let id = text("id").ok_or_else(bad)?;
        Ok(LibraryItem {
            name: text("name").unwrap_or_else(|| id.clone()),
            id,
            kind: text("kind").unwrap_or_else(|| "ship".to_owned()),
            value: item["value"].clone(),
        })
    };
    list.as_array().ok_or_else(bad)?.iter().map(item).collect()
}
