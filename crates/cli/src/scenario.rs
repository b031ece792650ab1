//! Forces that were picked at the table, saved as a scenario.

use crate::{Done, file_refusal, records};
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_desk::Desk;
use flagplot_kernel::Refusal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `flagplot scenario RECORD FILE`
#[derive(Args)]
#[command(after_help = "Example:\n  flagplot scenario evening.record club/schiffskrieg/scenarios-solomons.toml\
        \n  flagplot --data club play schiffskrieg solomons")]
pub struct SaveScenario {
    /// The record of a custom battle
    record: PathBuf,
    /// The file to write; laid as DIR/SYSTEM/scenarios-NAME.toml it is played with --data DIR
    file: PathBuf,
    /// The id it is played by; the file's name if left out
    #[arg(long)]
    id: Option<String>,
    /// What it is called
    #[arg(long)]
    title: Option<String>,
}

impl SaveScenario {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let desk = records::read(&self.record)?.replay(catalog, None)?;
        write(&desk, &self.file, self.id.as_deref(), self.title.as_deref())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the forces of a game to a scenario file and says how it is played.
pub fn write(desk: &Desk, path: &Path, id: Option<&str>, title: Option<&str>) -> Result<(), Refusal> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let id = id.unwrap_or_else(|| stem.strip_prefix("scenarios-").unwrap_or(stem));
    let text = desk.scenario_file(id, title.unwrap_or(id))?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| file_refusal("cannot-write", folder, &error))?;
    }
    std::fs::write(path, text).map_err(|error| file_refusal("cannot-write", path, &error))?;
    let system = &desk.header().system;
    println!(
        "Written to {}. As DIR/{system}/scenarios-{id}.toml it is played with: flagplot --data DIR play {system} {id}",
        path.display()
    );
    Ok(())
}
