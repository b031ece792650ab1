//! Builds the browser client in `web/` and packs its files into the program.
//!
//! Without `web/package.json` there is no client to build, and the server shows a page that says so.
//! `FLAGPLOT_SKIP_CLIENT=1` packs what `web/dist` has, if anything, without building it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let web = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../web");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    for part in [
        "src",
        "public",
        "index.html",
        "package.json",
        "package-lock.json",
        "vite.config.ts",
        "svelte.config.js",
        "tsconfig.json",
    ] {
        // A path that is not there would make cargo build this again every time.
        if web.join(part).exists() {
            println!("cargo::rerun-if-changed={}", web.join(part).display());
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FLAGPLOT_SKIP_CLIENT");
    if web.join("package.json").exists() && env::var_os("FLAGPLOT_SKIP_CLIENT").is_none() {
        let lock = fs::metadata(web.join("package-lock.json")).and_then(|file| file.modified()).ok();
        let installed = fs::metadata(web.join("node_modules/.package-lock.json")).and_then(|file| file.modified()).ok();
        if installed.is_none() || installed < lock {
            npm(&web, &["ci", "--no-audit", "--no-fund"]);
        }
        npm(&web, &["run", "build"]);
    }
    let mut list = String::from("&[\n");
    pack(&web.join("dist"), "", &out, &mut list);
    list.push(']');
    fs::write(out.join("client.rs"), list).expect("the build folder can be written");
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
        // A file that went away since the folder was listed belongs to a build of the client that is going on elsewhere.
        let Ok(bytes) = fs::read(&path) else { continue };
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&bytes).expect("memory can be written");
        let gzip = gzip.finish().expect("memory can be written");
        // Copies: the client may be built again while the compiler reads them. The number names them; the name itself may hold anything.
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
