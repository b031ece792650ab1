use crate::{Done, file_refusal, picture};
use clap::Args;
use flagplot_catalog::Catalog;
use flagplot_desk::Lesson;
use flagplot_kernel::{Note, Refusal};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `flagplot examples DIR`
#[derive(Args)]
pub struct Examples {
    /// The folder to write to; each system has a page and its pictures there
    folder: PathBuf,
    /// Write nothing, and say which files are out of date
    #[arg(long)]
    check: bool,
}

impl Examples {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let mut stale = Vec::new();
        let mut written = 0;
        for lesson in Lesson::all() {
            for (name, text) in pages(catalog, lesson?)? {
                let path = self.folder.join(name);
                if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
                    continue;
                }
                if self.check {
                    stale.push(path.display().to_string());
                } else {
                    write(&path, &text)?;
                    written += 1;
                }
            }
        }
        if stale.is_empty() {
            println!(
                "{}",
                if self.check { "Every example is up to date.".into() } else { format!("{written} files written.") }
            );
            return Ok(ExitCode::SUCCESS);
        }
        Err(Refusal::new("out-of-date", format!("These examples are out of date: {}.", stale.join(", ")))
            .remedy(format!("Write them again: flagplot examples {}", self.folder.display())))
    }
}

fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    let failed = |error: std::io::Error| file_refusal("cannot-write", path, &error);
    path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed)?;
    std::fs::write(path, text).map_err(failed)
}

/// The files of a system: a page of examples, and a picture for each.
fn pages(catalog: &Catalog, lesson: &Lesson) -> Result<Vec<(String, String)>, Refusal> {
    let system = &lesson.opening.system;
    let mut files = Vec::new();
    let mut page = String::from("## Examples, step by step\n");
    for (at, example) in lesson.examples.iter().enumerate() {
        let shown = lesson.show(catalog, example)?;
        let (name, rule) = (format!("{system}-{}.svg", at + 1), &example.rule);
        // Writing to a string cannot fail.
        let _infallible = write!(
            page,
            "\n### {}\n\n{} ([{rule}](#{rule}))\n\n![{}](examples/{name})\n",
            example.title, example.text, example.title
        );
        for entry in &shown.proof {
            let indent = if entry.note.detail { "  " } else { "" };
            let dice: Vec<String> = entry.note.dice.iter().map(u8::to_string).collect();
            let dice = if dice.is_empty() { String::new() } else { format!(" (dice: {})", dice.join(", ")) };
            let _infallible = write!(page, "\n{indent}- {}{dice}", entry.note.text);
        }
        page.push('\n');
        let told: Vec<&Note> = shown.proof.iter().map(|entry| &entry.note).collect();
        files.push((name, picture::svg(&shown.scene, &example.title, &told)));
    }
    files.push((format!("{system}.md"), page));
    Ok(files)
}
