//! Builds the browser client in `web/` into `client/`, and packs its files into the program.
//!
//! A packed crate has no `web/` beside it and brings `client/` along. `FLAGPLOT_SKIP_CLIENT=1` packs what `client/`
//! holds without building it; if it holds nothing, the server shows a page that says so.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use std::{env, fs};

/// What the client is built from.
const SOURCES: [&str; 8] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
];

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let (web, client) = (here.join("../../web"), here.join("client"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    // A path that is not there would make cargo build this again every time.
    let sources: Vec<PathBuf> = SOURCES.iter().map(|part| web.join(part)).filter(|path| path.exists()).collect();
    for path in &sources {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FLAGPLOT_SKIP_CLIENT");
    // Another profile may have built it already.
    let stale = newest(&sources) > modified(&client.join("index.html"));
    if !sources.is_empty() && stale && env::var_os("FLAGPLOT_SKIP_CLIENT").is_none() {
        if modified(&web.join("node_modules/.package-lock.json")) < modified(&web.join("package-lock.json")) {
            npm(&web, &["ci", "--no-audit", "--no-fund"]);
        }
        npm(&web, &["run", "build"]);
    }
    let mut list = String::from("&[\n");
    pack(&client, "", &out, &mut list);
    list.push(']');
    fs::write(out.join("client.rs"), list).expect("the build folder can be written");
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|file| file.modified()).ok()
}

/// When any of the files was last changed.
fn newest(paths: &[PathBuf]) -> Option<SystemTime> {
    let below = |path: &PathBuf| {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        newest(&entries.map(|entry| entry.path()).collect::<Vec<_>>()).max(modified(path))
    };
    paths.iter().map(below).max().flatten()
}

fn npm(web: &Path, arguments: &[&str]) {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    match Command::new(program).args(arguments).current_dir(web).output() {
        Err(error) => panic!(
            "\n\nThe browser client is built with Node.js, and `npm` cannot be run ({error}).\n\
             Install Node.js 20 or newer (https://nodejs.org, or your system's packages `nodejs` and `npm`) and build again.\n\
             To build without the browser client set FLAGPLOT_SKIP_CLIENT=1.\n\n"
        ),
        Ok(output) if !output.status.success() => {
            panic!(
                "\n\n`npm {}` failed in {}:\n{}\n{}\n\n",
                arguments.join(" "),
                web.display(),
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            )
        }
        Ok(_) => {}
    }
}

/// Lists the files below a folder, each as it is and compressed.
fn pack(folder: &Path, prefix: &str, out: &Path, list: &mut String) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            pack(&path, &format!("{name}/"), out, list);
            continue;
        }
        // A file that went away since the folder was listed belongs to a build of the client that is going on
        // elsewhere.
        let Ok(bytes) = fs::read(&path) else { continue };
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&bytes).expect("memory can be written");
        let gzip = gzip.finish().expect("memory can be written");
        // Copies: the client may be built again while the compiler reads them. The number names them; the name itself
        // may hold anything.
        let (plain, packed) =
            (out.join(format!("client-{}", list.len())), out.join(format!("client-{}.gz", list.len())));
        fs::write(&plain, bytes).and_then(|()| fs::write(&packed, gzip)).expect("the build folder can be written");
        writeln!(
            list,
            "    File {{ path: {name:?}, bytes: include_bytes!({:?}), gzip: include_bytes!({:?}) }},",
            plain.display().to_string(),
            packed.display().to_string()
        )
        .expect("memory can be written");
    }
}
