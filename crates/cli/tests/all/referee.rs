//! The referee's table in the terminal, driven through a pipe: rulings with typed dice, kept and taken back.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs the program with lines typed into it; what it prints.
fn flagplot(arguments: &[&str], typed: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_flagplot"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines: String = typed.iter().map(|line| format!("{line}\n")).collect();
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Every line must be there, in this order.
fn assert_lines(printed: &str, expected: &[&str]) {
    let mut rest = printed.lines();
    for wanted in expected {
        assert!(
            rest.any(|line| line.trim_end().ends_with(wanted)),
            "'{wanted}' is missing (or in another order) in:\n{printed}"
        );
    }
}

/// Bismarck and Hood come on the table.
const DUEL: &[&str] = &["forces bismarck", "side 2", "forces hood"];

/// Bismarck's main battery fires at Hood: shooter, target, battery, range, and Enter to fire.
const SALVO: &[&str] = &["fire guns", "1", "2", "1", "17000 m", ""];

fn lines(parts: &[&[&'static str]]) -> Vec<&'static str> {
    parts.concat()
}

#[test]
fn a_battle_is_ruled_recorded_resumed_undone_and_printed() {
    let kept = file("denmark-strait.flagplot");
    let _absent = std::fs::remove_file(&kept);
    let path = kept.to_str().expect("a plain path");
    // A miss, then a hit with one critical in the hull.
    let dice: &[&str] = &["20", "20 20 1", "1"];
    let typed = lines(&[DUEL, SALVO, &["2"], SALVO, dice, &["why", "log", "quit"]]);
    let printed = flagplot(&["referee", "fleet-action", "--record", path], &typed);
    assert_lines(&printed, &["Bismarck misses Hood at 17,000 m."]);
    assert!(printed.contains("Bismarck hits Hood at 17,000 m: 21 structure, 13 flotation, 1 critical"), "{printed}");
    assert!(!printed.contains("(unknown-act)"), "every die was called for:\n{printed}");
    assert!(printed.contains("hit ") && printed.contains('%'), "the odds stand before the act:\n{printed}");

    let again = flagplot(&["referee", "fleet-action", "--record", path], &["sheet hood", "undo", "log", "quit"]);
    assert_lines(&again, &["Hood  (Admiral class BC, Britain)", "The last answer is taken back."]);

    let page = file("denmark-strait.html");
    flagplot(&["print", "fleet-action", "--record", path, "--html", page.to_str().expect("a plain path")], &[]);
    let page = std::fs::read_to_string(&page).expect("it was written");
    assert!(page.contains(">Bismarck<") && page.contains("Bismarck misses Hood at 17,000 m"), "{page}");

    // It is a record like any other: the browser takes it, and it is proved.
    let verified = flagplot(&["verify", path], &[]);
    assert!(!verified.is_empty());
}

#[test]
fn adjudicate_answers_a_line_before_the_next_one_is_written() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_flagplot"))
        .args(["adjudicate", "--lines"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let (mut to, mut from) =
        (child.stdin.take().expect("a pipe"), BufReader::new(child.stdout.take().expect("a pipe")));
    for (face, passed) in [(5, false), (6, true)] {
        let request = format!(
            r#"{{"system":"fleet-action","procedure":"crew-test","input":{{"crew_quality":0}},"dice":[{face}]}}"#
        );
        writeln!(to, "{request}").expect("it reads");
        let mut answer = String::new();
        from.read_line(&mut answer).expect("it answers");
        assert!(answer.contains(&format!("\"passed\":{passed}")), "{answer}");
    }
    drop(to);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn without_a_record_the_table_is_in_memory_until_it_is_saved() {
    let forgotten = flagplot(&["referee", "fleet-action"], &lines(&[DUEL, SALVO, &["2", "quit"]]));
    assert_lines(&forgotten, &["This table was not kept. Use --record FILE, or save FILE, to keep one."]);

    let kept = file("saved.flagplot");
    let _absent = std::fs::remove_file(&kept);
    let save = format!("save {}", kept.display());
    let mut typed = lines(&[DUEL, SALVO, &["2"]]);
    typed.extend([save.as_str(), "place hood 0 900 180", "correct hood fires=2", "quit"]);
    let printed = flagplot(&["referee", "fleet-action"], &typed);
    assert_lines(&printed, &[&format!("The table is kept in {}.", kept.display())]);
    assert!(!printed.contains("was not kept"), "{printed}");
    let path = kept.to_str().expect("a plain path");
    let again = flagplot(&["referee", "fleet-action", "--record", path], &["sheet hood", "log", "remove hood", "quit"]);
    assert!(again.contains("Fires 0 → 2"), "what came after the command is kept too:\n{again}");
    assert!(again.contains("Bismarck misses Hood at 17,000 m"), "{again}");

    let mut other = lines(&[DUEL]);
    other.extend([save.as_str(), "quit"]);
    let refused = flagplot(&["referee", "fleet-action"], &other);
    assert!(refused.contains("is there already") && refused.contains("(file-there)"), "{refused}");
}

#[test]
fn what_cannot_be_done_is_refused_in_words_with_its_code() {
    let typed = ["dance", "next", "forces yamoto", "place hood far 2 3", "correct hood", "save", "sheet", "quit"];
    let printed = flagplot(&["referee", "fleet-action"], &typed);
    for code in ["(unknown-act)", "(unknown-force)", "(bad-command)"] {
        assert!(printed.contains(code), "{code} is missing in:\n{printed}");
    }
    assert!(!printed.contains("input."), "{printed}");
}

#[test]
fn the_other_systems_have_the_same_table() {
    let typed = ["line 9 x 3 factors", "side 2", "line 2 x 4 factors", "sheet", "quit"];
    let printed = flagplot(&["referee", "world-at-war"], &typed);
    assert!(printed.contains("3-factor unit 9") && printed.contains("4-factor unit 2"), "{printed}");
    let printed = flagplot(&["referee", "schiffskrieg"], &["scenario denmark", "sheet bismarck", "quit"]);
    assert!(printed.contains("Bismarck"), "{printed}");
}

#[test]
fn losses_are_proposed_in_the_terminal_too() {
    let typed = [
        "line 2 x 3 factors",
        "line 2 x 4 factors",
        "side 2",
        "line 2 x 3 factors",
        "a round of ground combat",
        "1 2 3 4",
        "5 6",
        "",
        "2",
        "1",
        "3 4",
        "undo",
        "",
        "correct 3-factor unit 3 Factors=2",
        "sheet",
        "quit",
    ];
    let printed = flagplot(&["referee", "world-at-war"], &typed);
    assert_lines(
        &printed,
        &[
            "At 1:1 the attackers must lose at least 6 factors. Which go?",
            "1. 3-factor unit 1 (worth 3), proposed",
            "4. 4-factor unit 2 (worth 4)",
            "Give up at least 6 factors; you chose 3. [15.61] Give up more.",
        ],
    );
    assert!(printed.contains("attackers lose 8 factors (4-factor unit 1 and 4-factor unit 2)"), "{printed}");
    assert!(printed.contains("attackers lose 6 factors (3-factor unit 1 and 3-factor unit 2)"), "{printed}");
    assert!(printed.contains("2/3"), "the figure is corrected by its name:\n{printed}");
}

#[test]
fn one_s_own_ships_are_taken_by_name() {
    let own = file("own.json");
    let list = r#"[{"id": "q-ship", "name": "Q-Ship", "kind": "ship", "value": {"f": 9, "s": 20, "fires": 2}}]"#;
    std::fs::write(&own, list).expect("it can be written");
    let printed = flagplot(
        &["referee", "fleet-action", "--own", own.to_str().expect("a plain path")],
        &["forces q-ship", "sheet", "quit"],
    );
    assert_lines(&printed, &["Q-Ship (your own ship) joins the table.", "Q-Ship  (warship)"]);
}

#[test]
fn a_fact_says_what_it_is_worth_and_what_it_says_in_the_units_of_a_person() {
    let printed = flagplot(&["referee", "fleet-action"], &lines(&[DUEL, SALVO, &["2", "quit"]]));
    assert!(printed.contains("Range: 930 mm (17008 m)"), "{printed}");
    assert!(printed.contains("Night: no (yes: "), "{printed}");
    assert!(printed.contains("Target's speed: under way (slow: hit +"), "{printed}");
    // Along her length the shells of small guns meet the deck and not the belt.
    let small: &[&str] = &["fire guns", "1", "2", "2", "300", "x", "quit"];
    let printed = flagplot(&["referee", "fleet-action"], &lines(&[DUEL, small]));
    assert!(printed.contains("Raking: along the target's length: no (yes: damage +"), "{printed}");
}

#[test]
fn a_lost_mount_is_corrected_by_its_name() {
    let mount = "correct Bismarck Main battery: mount 1 (fwd) is lost=yes";
    let typed = lines(&[DUEL, &[mount, "correct Bismarck Structure=999", "correct Bismarck LRF=1", "log", "quit"]]);
    let printed = flagplot(&["referee", "fleet-action"], &typed);
    assert!(printed.contains("The referee corrects Bismarck: Main battery: mount 1 (fwd) is lost yes"), "{printed}");
    assert!(printed.contains("“Structure” of Bismarck is 999; it must lie between 0 and "), "{printed}");
    assert!(printed.contains("(unknown-figure)"), "{printed}");
}

#[test]
fn a_ship_is_derived_from_the_figures_of_an_encyclopaedia() {
    let printed = flagplot(&["referee", "fleet-action"], &["derive", "derive Kongo", "cancel", "help", "quit"]);
    assert!(printed.contains("A ship of your own needs a name.") && printed.contains("(given-up)"), "{printed}");
}
