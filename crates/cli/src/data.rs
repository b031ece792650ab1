//! Data files of a player's own: laid over the built-in ones, and written out to start from.

use crate::{Done, file_refusal};
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_kernel::Refusal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The entries of a folder by name, hidden files left out.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let refuse = |error: &std::io::Error| file_refusal("cannot-read", folder, error);
    let listed = std::fs::read_dir(folder).map_err(|error| refuse(&error))?;
    let mut paths: Vec<PathBuf> = listed
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(|error| refuse(&error))?;
    paths.retain(|path| !name(path).starts_with('.'));
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Lays the files of a folder over the built-in data. A file that no system reads is refused by name.
pub fn lay(catalog: &mut Catalog, dir: &Path) -> Result<(), Refusal> {
    let systems: Vec<&str> = catalog.ids().collect();
    let mut found = false;
    for folder in entries(dir)? {
        let system = name(&folder);
        if !folder.is_dir() || !systems.contains(&system.as_str()) {
            let text = format!("{}: no system uses this.", folder.display());
            let systems = systems.join(", ");
            return Err(Refusal::new("unknown-file", text)
                .remedy(format!("Put your files into folders named after the systems: {systems}.")));
        }
        for path in entries(&folder)? {
            let text = std::fs::read_to_string(&path).map_err(|error| file_refusal("cannot-read", &path, &error))?;
            catalog.lay(&system, &name(&path), &text)?;
            found = true;
        }
        catalog.system(&system)?;
    }
    if found {
        Ok(())
    } else {
        Err(Refusal::new("no-data", format!("{}: there is no SYSTEM/*.toml in this folder.", dir.display())))
    }
}

/// `flagplot data SYSTEM`
#[derive(Args)]
#[command(
    after_help = "Example:\n  flagplot data dogfite --into club\n  flagplot --data club play dogfite verdun-1916\n\n\
        A file of your own replaces only what it holds: keep the table or the scenario that you change, delete the \
        rest."
)]
pub struct Data {
    /// The system
    system: String,
    /// Only this file; all of them if left out
    file: Option<String>,
    /// The folder; the files go into DIR/SYSTEM, where --data DIR finds them
    #[arg(long, value_name = "DIR", default_value = "data")]
    into: PathBuf,
}

impl Data {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let files = catalog.files(&self.system)?;
        let wanted = |name: &str| self.file.as_deref().is_none_or(|file| file == name);
        let chosen: Vec<(&str, &str)> = files.iter().filter(|(name, _)| wanted(name)).collect();
        if chosen.is_empty() {
            let known: Vec<&str> = files.iter().map(|(name, _)| name).collect();
            let file = self.file.as_deref().unwrap_or_default();
            return Err(Refusal::new("unknown-file", format!("{} has no file '{file}'.", self.system))
                .remedy(format!("Its files are: {}.", known.join(", "))));
        }
        let folder = self.into.join(&self.system);
        std::fs::create_dir_all(&folder).map_err(|error| file_refusal("cannot-write", &folder, &error))?;
        for (name, text) in chosen {
            let path = folder.join(name);
            let mut options = std::fs::OpenOptions::new();
            let written = options
                .write(true)
                .create_new(true)
                .open(&path)
                .and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
            written.map_err(|error| {
                file_refusal("cannot-write", &path, &error).remedy("Existing files are never overwritten.")
            })?;
            println!("{}", path.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}
