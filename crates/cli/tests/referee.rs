//! The referee in the terminal, driven through a pipe: whole battles with typed dice, kept and taken back.

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

/// Prinz Eugen sets the Hood on fire.
const PRINZ_EUGEN: &[&str] = &[
    "gunnery-salvo",
    "range_band=5 control=directed guns=8",
    "",
    "",
    "prinz eugen",
    "hood speed=28",
    "",
    "",
    "prinz eugen main",
    "",
    "hood",
    "19",
    "2 20 20",
    "13",
];

/// Bismarck finds a magazine; the Prince of Wales is close enough to be shaken.
const BISMARCK: &[&str] = &[
    "gunnery-salvo",
    "range_band=4 control=dir guns=8",
    "",
    "",
    "bismarck",
    "hood speed=28",
    "",
    "",
    "bismarck main",
    "",
    "hood",
    "18",
    "1 20 20",
    "15",
    "2",
    "1",
    "1",
    "y",
    "prince of wales",
    "40",
    "",
    "3 4 2 6 1",
    "20",
];

/// The Prince of Wales answers.
const PRINCE_OF_WALES: &[&str] = &[
    "gunnery-salvo",
    "range_band=3 control=local guns=10",
    "",
    "",
    "prince of wales",
    "bismarck",
    "",
    "",
    "prince of wales main",
    "",
    "bismarck",
    "20",
    "1 20 20",
    "5",
    "2",
];

/// Six torpedoes of Prinz Eugen, two of which hit; a die too many is refused and typed again.
const TORPEDOES: &[&str] = &[
    "torpedo-attack",
    "g7a 40",
    "6",
    "",
    "2",
    "",
    "prinz eugen",
    "prince of wales speed=10 arc=bow",
    "20 20 20",
    "20 20",
    "y",
    "2",
    "y",
    "20",
    "8",
    "y",
    "1",
    "3",
    "8",
];

/// Bismarck's teams mend a director.
const DAMAGE_CONTROL: &[&str] = &["damage-control", "bismarck", "", "+", "fc", "3", "", "10"];

fn denmark_strait() -> Vec<&'static str> {
    let put: &[&str] = &["put bismarck crew_quality=1"];
    [put, PRINZ_EUGEN, BISMARCK, PRINCE_OF_WALES, TORPEDOES, DAMAGE_CONTROL].concat()
}

#[test]
fn a_whole_denmark_strait_is_refereed_saved_reloaded_and_undone_by_one_ruling() {
    let saved = file("denmark-strait.json");
    let save = format!("save {}", saved.display());
    let mut lines = denmark_strait();
    lines.extend(["why", "rulings", "sheet", save.as_str(), "quit"]);
    let printed = flagplot(&["referee", "fleet-action"], &lines);
    assert_lines(
        &printed,
        &[
            "Hood: s 137 → 132, fires 0 → 1, splash 0 → 1",
            "9.5 Directed, RB 5: 18+; d20 19 + guns 1 + target size 3 + gunnery modifier 1 = 24: hit",
            // Hood starts from what the ruling before left of her.
            "Magazine Test: explosion to 3, flashover to 6; d20 1: explosion",
            "explosion_dice: 5",
            "Prince of Wales: splash 0 → 1",
            "Bismarck: f 51 → 42, s 136 → 115, fc 3 → 0, splash 0 → 1",
            "2 torpedoes hit: underwater-location, 2 times. Resolve? (y/n)",
            "It strikes the hull: bow: resolve-hit. Resolve? (y/n)",
            "weapon: G7a 53 cm (Germany)",
            "It strikes the hull: midships: resolve-hit. Resolve? (y/n)",
            "Bismarck: fc 0 → 1",
            "1. gunnery-salvo            dice 19 2 20 20 13",
            "10. damage-control           dice 10",
            "objects on the sheet.",
        ],
    );
    assert!(printed.contains("The last line of dice is taken back."), "a die too many is noticed");
    assert_lines(
        &printed,
        &[
            "Bismarck  (Bismarck class BB, Germany)",
            "Hood  ** EXPLODED **  (Admiral class BC, Britain)",
            "Prince of Wales  (King George V class BB, Britain)",
        ],
    );

    let path = saved.to_str().expect("a plain path");
    let again = flagplot(&["referee", "fleet-action", "--load", path], &["sheet", "quit"]);
    assert_lines(&again, &["10 rulings, 3 objects on the sheet."]);
    let sheet = |printed: &str| {
        printed
            .split_once("Bismarck  (")
            .map(|(_, sheet)| sheet.split("referee>").next().unwrap_or_default().to_owned())
    };
    assert_eq!(sheet(&printed), sheet(&again), "the sheet is as it was saved");

    let undone = flagplot(
        &["referee", "fleet-action", "--load", path],
        &["undo", "rulings", "sheet bismarck", "undo", "undo", "sheet wales", "quit"],
    );
    assert_lines(
        &undone,
        &[
            "The ruling 'damage-control' is taken back; the sheet is as it was before.",
            "9. resolve-hit              dice 1 3 8",
            "The ruling 'resolve-hit' is taken back; the sheet is as it was before.",
        ],
    );
    assert!(undone.contains("Directors 3 → 0"), "{undone}");
    assert!(!undone.contains("10. damage-control"));

    let drawn = file("denmark-strait.svg");
    flagplot(&["print", "fleet-action", "--sheet", path, "--svg", drawn.to_str().expect("a plain path")], &[]);
    let drawing = std::fs::read_to_string(&drawn).expect("it was written");
    assert!(drawing.contains(">EXPLODED<") && drawing.contains(">Prince of Wales<"));

    let mut edited =
        std::fs::read_to_string(&saved).expect("it was written").replacen("\"fires\": 1", "\"fires\": 0", 1);
    edited.push('\n');
    std::fs::write(file("edited.json"), edited).expect("it can be written");
    let refused = flagplot(&["referee", "fleet-action"], &[&format!("load {}", file("edited.json").display()), "quit"]);
    assert!(refused.contains("(bad-sheet)"), "{refused}");
}

#[test]
fn back_goes_back_one_field_and_a_wrong_input_is_put_right() {
    let printed = flagplot(
        &["referee", "fleet-action"],
        &["crew-test", "", "1", "back", "0", "", "back", "crew_quality=2", "4", "quit"],
    );
    assert_lines(&printed, &["Crew Test: 6+; d10 4 + crew quality 2 = 6: passed"]);
    // Neither a distance nor a band: the refusal asks for the field and the ruling goes on.
    let fields: &[&str] =
        &["gunnery-to-hit", "", "", "", "directed", "8", "bismarck", "hood", "", "", "range_band=1", "20", "n", "quit"];
    let printed = flagplot(&["referee", "fleet-action"], fields);
    assert!(printed.contains("input needs range_mm or range_band."), "{printed}");
    assert_lines(&printed, &["The guns hit: resolve-hit. Resolve? (y/n) referee>"]);
}

#[test]
fn ships_of_the_other_system_come_by_name_too_and_are_lost_there() {
    let attack = |squadrons, ship, dice| {
        ["naval-attack", "air", "+", "japan", squadrons, "naval-air", "", "", "", "", "", ship, "", "", dice]
    };
    let lines = [attack("6", "hood", "6 6").as_slice(), &attack("4", "bismarck", "5 5"), &["sheet", "quit"]].concat();
    let printed = flagplot(&["referee", "world-at-war"], &lines);
    assert_lines(
        &printed,
        &[
            "Hood: lost",
            "Bismarck: damaged no → yes",
            "Hood  ** SUNK **  (battlecruiser, capital ship, Britain)",
            "✗ sound side lost; damaged side",
        ],
    );
}

#[test]
fn one_s_own_ships_are_taken_by_name() {
    let own = file("own.json");
    std::fs::write(&own, r#"[{"id": "q-ship", "name": "Q-Ship", "kind": "ship", "value": {"name": "Q-Ship", "f": 9, "s": 20, "fires": 2}}]"#).expect("it can be written");
    let printed = flagplot(
        &["referee", "fleet-action", "--own", own.to_str().expect("a plain path")],
        &["fire-burn", "q-ship", "sheet", "quit"],
    );
    assert_lines(&printed, &["Q-Ship  (warship)"]);
}
