//! A game that goes on from a snapshot is the same game; a snapshot that does not fit is left aside.

use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource, Entry, Record};
use flagplot_kernel::{Chance, Seat, Viewer};
use serde_json::Value;

const GAMES: [(&str, &str); 3] =
    [("schiffskrieg", "midway-1942"), ("dogfite", "guynemer-udet-1917"), ("carrier-strike", "coral-sea-1942")];

fn open(catalog: &Catalog, (system, scenario): (&str, &str)) -> Desk {
    let scenarios = catalog.system(system).unwrap().scenarios();
    let scenario = scenarios.iter().find(|known| known.id == scenario).unwrap_or(&scenarios[0]).id.clone();
    Desk::open(
        catalog,
        system,
        &scenario,
        Value::Null,
        vec!["Ann".into(), "Bob".into()],
        DiceSource::committed(vec!["a".into(), "b".into()]),
    )
    .unwrap()
}

/// The next answer of the seat that is asked first.
fn next(desk: &Desk, chance: &mut Chance) -> Option<(Seat, Value)> {
    let seat = desk.question()?.open().first()?.seat;
    Some((seat, desk.think(seat, PlayerKind::Random, chance).unwrap()))
}

/// Everything that can be known of a desk.
fn everything(desk: &Desk) -> String {
    let mut all = String::new();
    for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator, Viewer::Everything] {
        all.push_str(&serde_json::to_string(&desk.situation(viewer)).unwrap());
        all.push_str(&serde_json::to_string(&desk.lines(viewer, 0)).unwrap());
    }
    all + &desk.record(true).to_text()
}

#[test]
fn a_game_goes_on_from_any_snapshot_as_if_it_had_been_played_through() {
    let catalog = Catalog::built_in();
    for game in GAMES {
        let mut chance = Chance::seeded(5);
        let mut desk = open(&catalog, game);
        let mut kept: Option<String> = None;
        let mut later = 0;
        for turn in 0..36 {
            let Some((seat, value)) = next(&desk, &mut chance) else { break };
            desk.answer(seat, value).unwrap();
            if turn % 3 == 0 && desk.undo(seat).is_ok() {
                let (seat, value) = next(&desk, &mut chance).unwrap();
                desk.answer(seat, value).unwrap();
            }
            if turn % 5 == 1 {
                desk.write_down().unwrap();
            }
            if turn % 3 != 1 && desk.outcome().is_none() {
                if turn % 7 == 0 {
                    kept = desk.snapshot().unwrap().or(kept);
                }
                continue;
            }
            let record = desk.record(true);
            // From the snapshot of this moment, and from an older one.
            let fresh = desk.snapshot().unwrap();
            for snapshot in fresh.iter().chain(&kept) {
                let again = Desk::resume_from(&catalog, &record, snapshot).expect("it fits");
                assert_eq!(everything(&again), everything(&desk), "{game:?} after {turn} answers");
                later += 1;
            }
        }
        assert!(later >= 4, "{game:?} was too short to say anything");
    }
}

#[test]
fn an_answer_given_before_the_snapshot_can_be_taken_back() {
    let catalog = Catalog::built_in();
    let mut chance = Chance::seeded(3);
    let mut desk = open(&catalog, GAMES[1]);
    for _ in 0..40 {
        let (seat, value) = next(&desk, &mut chance).unwrap();
        desk.answer(seat, value).unwrap();
        if desk.situation(Viewer::Seat(seat)).can_undo {
            let snapshot = desk.snapshot().unwrap().unwrap();
            let mut again = Desk::resume_from(&catalog, &desk.record(true), &snapshot).unwrap();
            again.undo(seat).unwrap();
            desk.undo(seat).unwrap();
            assert_eq!(everything(&again), everything(&desk));
            return;
        }
    }
    panic!("nothing could be taken back");
}

#[test]
fn what_does_not_fit_is_left_aside() {
    let catalog = Catalog::built_in();
    let mut chance = Chance::seeded(3);
    let mut desk = open(&catalog, GAMES[1]);
    for _ in 0..4 {
        let (seat, value) = next(&desk, &mut chance).unwrap();
        desk.answer(seat, value).unwrap();
    }
    let record = desk.record(true);
    let good = desk.snapshot().unwrap().unwrap();
    assert!(Desk::resume_from(&catalog, &record, &good).is_some());
    let edition = &record.header.edition;
    let shorter = Record { entries: record.entries[..1].to_vec(), ..record.clone() };
    assert!(Desk::resume_from(&catalog, &shorter, &good).is_none(), "it stands for more entries than there are");
    for bad in [
        good.replace(edition.as_str(), "0000000000000000"),
        good.replace("\"snapshot\":2", "\"snapshot\":1"),
        good.replace(&record.header.scenario, "elsewhere"),
        good.replacen("\"state\":{", "\"state\":{\"more\":", 1),
        good[..good.len() / 2].to_owned(),
        String::new(),
    ] {
        assert!(Desk::resume_from(&catalog, &record, &bad).is_none(), "{}", &bad[..bad.len().min(80)]);
    }
}

#[test]
fn what_is_written_is_what_is_said() {
    let catalog = Catalog::built_in();
    for game in GAMES {
        let mut chance = Chance::seeded(9);
        let mut desk = open(&catalog, game);
        let mut written = open(&catalog, game);
        for _ in 0..30 {
            let Some((seat, value)) = next(&desk, &mut chance) else { break };
            desk.answer(seat, value).unwrap();
            written = desk.record(true).replay(&catalog, None).unwrap();
            written.write_down().unwrap();
            let mut other = None;
            for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator] {
                let picture = desk.picture(viewer, other.as_ref());
                assert_eq!(
                    serde_json::to_string(&desk.shown(viewer, &picture)).unwrap(),
                    serde_json::to_string(&desk.situation(viewer)).unwrap()
                );
                other = Some(picture);
                for after in [0, 2, desk.settled_log(viewer)] {
                    let said = serde_json::to_string(&desk.log(viewer, after)).unwrap();
                    assert_eq!(serde_json::to_string(&desk.lines(viewer, after)).unwrap(), said);
                    assert_eq!(serde_json::to_string(&written.lines(viewer, after)).unwrap(), said);
                }
            }
        }
        assert!(written.settled_log(Viewer::Spectator) > 0);
    }
}

#[test]
fn time_that_runs_out_is_an_ending_of_its_own() {
    let catalog = Catalog::built_in();
    let mut desk = open(&catalog, GAMES[0]);
    assert_eq!(desk.lose_on_time(Seat(9)).unwrap_err().code, "unknown-seat");
    desk.lose_on_time(Seat(0)).unwrap();
    let outcome = desk.outcome().unwrap();
    assert_eq!((outcome.level.as_str(), outcome.winner), ("time", Some(Seat(1).side())));
    assert!(outcome.summary.ends_with(" on time."), "{}", outcome.summary);
    let last = desk.log(Viewer::Spectator, 0).pop().unwrap();
    assert_eq!(last.note.what, "time");
    assert!(last.note.text.ends_with("has run out."), "{}", last.note.text);
    assert_eq!(desk.entries().last(), Some(&Entry::Timeout { seat: Seat(0) }));
    let text = desk.record(false).to_text();
    let verdict = Record::parse(text.as_bytes()).unwrap().verify(&catalog).unwrap();
    assert_eq!(verdict.outcome, Some(outcome));
    assert_eq!(desk.lose_on_time(Seat(1)).unwrap_err().code, "game-over");
}
