//! The tools keep their word: who is named plays, a seed repeats a game, files of one's own are read or refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flagplot")).args(arguments).output().expect("the program starts")
}

/// What the program prints.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Why the program refuses.
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn a_seed_gives_the_same_record_to_the_byte_computers_included() {
    let folder = folder("seeded");
    let play = |name: &str, seed: &str, players: &str| {
        let file = folder.join(name);
        let scenario = ["play", "schiffskrieg", "denmark-strait-1941"];
        printed(&[&scenario[..], &["--players", players, "--seed", seed, "--record", text(&file)]].concat());
        std::fs::read(&file).expect("a record")
    };
    // A player who thinks by the clock plays so many imagined games instead.
    let first = play("one", "3", "search:10ms,recruit");
    assert_eq!(first, play("two", "3", "search:10ms,recruit"));
    assert!(String::from_utf8_lossy(&first).contains("computer: search:40"), "the record names who has played");
    assert_ne!(first, play("three", "4", "search:10ms,recruit"));
    assert!(printed(&["verify", text(&folder.join("one"))]).contains("The record is intact"), "the record holds");
}

#[test]
fn a_simulation_plays_who_is_named() {
    let games = |players: &str| {
        let scenario = ["simulate", "schiffskrieg", "denmark-strait-1941", "--games", "6", "--seed", "1", "--csv"];
        printed(&[&scenario[..], &["--players", players]].concat())
    };
    assert_ne!(games("search:4,greedy"), games("greedy,greedy"), "a search is no greedy player");
    assert_eq!(games("search:4,greedy"), games("search:4,greedy"), "and repeats itself");
}

#[test]
fn a_tournament_tells_the_sides_apart_and_plays_no_game_twice() {
    let tournament = ["tournament", "schiffskrieg", "denmark-strait-1941", "--games", "4", "--seed", "1"];
    let told = printed(&[&tournament[..], &["--players", "greedy,random"]].concat());
    let by_side = told.lines().find(|line| line.trim_start().starts_with("by side: ")).expect("wins by side");
    assert_eq!(by_side.matches(" won ").count(), 2, "{by_side}");
    let why = refused(&[&tournament[..], &["--players", "greedy,random,greedy"]].concat());
    assert!(why.contains("greedy is named twice") && why.contains("flagplot simulate schiffskrieg"), "{why}");
}

#[test]
fn files_of_your_own_are_read_or_refused_by_name() {
    let folder = folder("own-data");
    let systems = || printed(&["--data", text(&folder), "systems", "--json"]);
    printed(&["data", "dogfite", "--into", text(&folder)]);
    assert_eq!(systems(), printed(&["systems", "--json"]), "the built-in files change nothing");
    let why = refused(&["data", "dogfite", "--into", text(&folder)]);
    assert!(why.contains("never overwritten"), "{why}");
    for file in ["aircraft.toml", "pilots.toml", "position.toml", "tables.toml"] {
        std::fs::remove_file(folder.join("dogfite").join(file)).expect("the file was written");
    }
    // One table.
    let scenarios = folder.join("dogfite/scenarios.toml");
    let whole = std::fs::read_to_string(&scenarios).expect("the file");
    let (before, after) = whole.split_once("[[scenario]]").expect("a scenario");
    let victory = before.split_once("[victory]").expect("a table").1.replace("win_margin = 3", "win_margin = 2");
    std::fs::write(&scenarios, format!("[victory]{victory}")).expect("written");
    let changed = systems();
    assert!(changed.contains("verdun-1916") && changed != printed(&["systems", "--json"]));
    // One scenario, under a new name.
    let one = after.split_once("[[scenario]]").expect("more than one").0.replace("verdun-1916", "verdun-again");
    std::fs::write(&scenarios, format!("[[scenario]]{one}")).expect("written");
    let changed = systems();
    assert!(changed.contains("verdun-1916") && changed.contains("verdun-again"));
    // What no system reads.
    for stray in ["dogfite/scenario.toml", "dogfight/scenarios.toml", "notes.txt"] {
        let path = folder.join(stray);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, "").expect("written");
        let why = refused(&["--data", text(&folder), "systems"]);
        let named = stray.split('/').next_back().expect("a name");
        assert!(why.contains("unknown-file") && (why.contains(named) || why.contains("dogfight")), "{stray}: {why}");
        std::fs::remove_file(&path).expect("removed");
        let _ = std::fs::remove_dir(folder.join("dogfight"));
    }
}

#[test]
fn balance_measures_a_scenario_and_tries_to_break_it() {
    let measure = [
        "balance",
        "schiffskrieg",
        "denmark-strait-1941",
        "--players",
        "greedy",
        "--games",
        "10",
        "--tries",
        "2",
        "--against",
        "greedy",
        "--seed",
        "1",
    ];
    let report: serde_json::Value =
        serde_json::from_str(&printed(&[&measure[..], &["--json"]].concat())).expect("JSON");
    let line = &report["scenarios"][0]["balance"];
    assert_eq!(line["games"]["games"], 10);
    assert_eq!(line["games"]["at_step_limit"][0], 0.0);
    let shares: f64 =
        ["first", "drawn", "second"].iter().map(|end| line["games"][end][0].as_f64().expect("a share")).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{line}");
    let tried: Vec<&str> =
        line["exploits"].as_array().expect("a list").iter().filter_map(|one| one["exploit"].as_str()).collect();
    for idea in ["pass", "never-attack", "one-target", "first-option"] {
        assert_eq!(tried.iter().filter(|one| **one == idea).count(), 2, "{idea}, on both sides: {tried:?}");
    }
    assert!(printed(&[&measure[..], &["--markdown"]].concat()).contains("| denmark-strait-1941 |"));
    assert_eq!(printed(&[&measure[..], &["--csv"]].concat()).lines().count(), 2);
    assert!(refused(&["balance", "schiffskrieg", "jutland"]).contains("jutland"));

    let file = folder("kept").join("balance.jsonl");
    let file = text(&file);
    let kept = [&measure[..], &["--keep", file, "--json"]].concat();
    printed(&kept);
    let again = printed(&kept);
    assert_eq!(std::fs::read_to_string(file).expect("a file").lines().count(), 1, "what is kept is not measured again");
    assert_eq!(printed(&["balance", "--keep", file, "--show", "--json"]), again, "other scenarios are left out");
    std::fs::write(file, "{}\n").expect("it can be written");
    assert!(refused(&kept).contains("Line 1"));
}

#[test]
fn play_without_a_battle_lists_what_there_is() {
    assert!(printed(&["play"]).contains("fleet-action"), "the systems are listed");
    let battles = printed(&["play", "fleet-action"]);
    assert!(battles.contains("river-plate") && battles.contains("flagplot play fleet-action SCENARIO"), "{battles}");
    assert!(refused(&["play", "fleet"]).contains("There is no system 'fleet'"));
}

/// What a lesson says to someone who types these lines.
fn taught(arguments: &[&str], typed: &str) -> String {
    use std::io::Write as _;
    let mut program = Command::new(env!("CARGO_BIN_EXE_flagplot"));
    program.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = program.spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_lesson_is_taken_back_left_and_resumed_at_its_step() {
    let learn = ["learn", "schiffskrieg"];
    let steps = |text: &str| -> Vec<String> {
        let named = text.lines().filter(|line| line.starts_with("Step "));
        named.map(|line| line.split_once(':').expect("an instruction").0.to_owned()).collect()
    };
    let left = taught(&learn, "back\ndo\ndo\nback\ndo\nquit\n");
    let of = steps(&left)[0].trim_start_matches("Step 1").to_owned();
    let numbers = |numbers: &[usize]| -> Vec<String> { numbers.iter().map(|n| format!("Step {n}{of}")).collect() };
    assert_eq!(steps(&left), numbers(&[1, 1, 2, 3, 2, 3]), "{left}");
    assert!(left.contains("This is the first step."));
    assert!(left.contains("To go on here: flagplot learn schiffskrieg --step 3"), "{left}");
    // The board, the question and what to do are those that were left.
    let resumed = taught(&[&learn[..], &["--step", "3"]].concat(), "quit\n");
    let screen = |text: &str| -> Vec<String> { text.lines().rev().take(20).map(str::to_owned).collect() };
    assert_eq!(screen(&resumed), screen(&left));
    assert!(
        taught(&[&learn[..], &["--step", "3"]].concat(), &"do\n".repeat(40)).contains("You have finished the lesson")
    );
    for beyond in ["0", "99"] {
        assert!(refused(&[&learn[..], &["--step", beyond]].concat()).contains("The steps of this lesson are 1 to"));
    }
}
