//! A game played at a desk is a record that replays to the same bytes, and that notices every change.

use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Commitment, Desk, DiceLine, DiceSource, Joining, Pledge, Record, Secret, Shares};
use flagplot_kernel::{Chance, Seat, Viewer};
use serde_json::json;

fn seats() -> Vec<String> {
    vec!["Ann".into(), "computer: greedy".into()]
}

fn open(catalog: &Catalog, dice: DiceSource) -> Desk {
    Desk::open(catalog, "schiffskrieg", "denmark-strait-1941", serde_json::Value::Null, seats(), dice).unwrap()
}

/// Plays on with the computer in every seat, at most so many answers.
fn play(desk: &mut Desk, seed: u64, most: usize) {
    let mut chance = Chance::seeded(seed);
    for _ in 0..most {
        let Some(seat) = desk.question().and_then(|question| question.open().first().map(|question| question.seat))
        else {
            return;
        };
        let value = desk.think(seat, PlayerKind::Greedy, &mut chance).unwrap();
        desk.answer(seat, value).unwrap();
    }
}

fn finished(catalog: &Catalog) -> Desk {
    let mut desk = open(catalog, DiceSource::committed(vec!["a".into(), "b".into()]));
    play(&mut desk, 1, 1000);
    assert!(desk.outcome().is_some());
    desk
}

#[test]
fn a_finished_game_verifies_and_replays_to_the_same_bytes() {
    let catalog = Catalog::built_in();
    let desk = finished(&catalog);
    let text = desk.record(false).to_text();
    let record = Record::parse(text.as_bytes()).unwrap();
    let verdict = record.verify(&catalog).unwrap();
    assert!(verdict.rolls_proved > 0);
    assert_eq!(record.to_text(), text);
    let again = record.replay(&catalog, None).unwrap();
    assert_eq!(again.checkpoint().bytes(), desk.checkpoint().bytes());
    assert_eq!(again.log(Viewer::Everything, 0), desk.log(Viewer::Everything, 0));
}

#[test]
fn every_changed_byte_is_noticed() {
    let catalog = Catalog::built_in();
    let text = finished(&catalog).record(false).to_text();
    let mut accepted = Vec::new();
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        if Record::parse(&bytes).and_then(|record| record.verify(&catalog)).is_ok() {
            accepted.push((at, text[at.saturating_sub(20)..(at + 20).min(text.len())].to_owned()));
        }
    }
    assert!(accepted.is_empty(), "{accepted:?}");
}

#[test]
fn cut_moved_and_foreign_records_are_refused_by_code() {
    let catalog = Catalog::built_in();
    let text = finished(&catalog).record(false).to_text();
    let lines: Vec<&str> = text.lines().collect();
    let code =
        |text: String| Record::parse(text.as_bytes()).and_then(|record| record.verify(&catalog)).unwrap_err().code;
    assert_eq!(code(lines[..lines.len() - 1].join("\n")), "record-cut");
    assert_eq!(code(lines[..1].join("\n")), "record-cut");
    assert_eq!(code(String::new()), "bad-record");
    let mut moved = lines.clone();
    moved.swap(1, 2);
    assert_eq!(code(moved.join("\n")), "broken-chain");
    let mut gone = lines.clone();
    gone.remove(2);
    assert_eq!(code(gone.join("\n")), "broken-chain");
    let header = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut first: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
        change(&mut first);
        let record = format!("{first}\n{}", lines[1..].join("\n"));
        record
    };
    assert_eq!(code(header(&|first| first["flagplot"] = json!(99))), "unknown-format");
    let desk = finished(&catalog);
    let mut record = desk.record(false);
    record.header.system = "checkers".into();
    assert_eq!(code(record.to_text()), "unknown-system");
    let mut record = desk.record(false);
    record.header.edition = "0000".into();
    assert_eq!(code(record.to_text()), "unknown-edition");
    assert_eq!(Record::parse(&[0xff, 0xfe]).unwrap_err().code, "bad-record");
}

#[test]
fn a_saved_game_goes_on_with_the_same_dice() {
    let catalog = Catalog::built_in();
    let secret = DiceSource::committed(vec![String::new(), String::new()]);
    let mut whole = open(&catalog, secret.clone());
    play(&mut whole, 5, 1000);
    let mut half = open(&catalog, secret);
    let mut chance = Chance::seeded(5);
    for _ in 0..2 {
        let seat = half.question().unwrap().open()[0].seat;
        let value = half.think(seat, PlayerKind::Greedy, &mut chance).unwrap();
        half.answer(seat, value).unwrap();
    }
    let saved = half.record(true).to_text();
    let mut resumed = Desk::resume(&catalog, &Record::parse(saved.as_bytes()).unwrap()).unwrap();
    play(&mut resumed, 5, 1000);
    assert_eq!(resumed.checkpoint().bytes(), whole.checkpoint().bytes());
}

#[test]
fn refusals_change_nothing() {
    let catalog = Catalog::built_in();
    let mut desk = open(&catalog, DiceSource::Seeded(1));
    let before = (desk.checkpoint().bytes(), desk.entries().len());
    let asked = desk.question().unwrap().open()[0].seat;
    assert_eq!(desk.answer(Seat(1 - asked.0), json!([])).unwrap_err().code, "not-your-turn");
    assert_eq!(desk.answer(Seat(9), json!([])).unwrap_err().code, "not-your-turn");
    assert_eq!(desk.answer(asked, json!({"nonsense": 1})).unwrap_err().code, "bad-answer");
    assert_eq!(
        desk.answer(asked, json!([{"attacker": "bismarck", "factor": "airstrike", "target": "hood"}]))
            .unwrap_err()
            .code,
        "illegal-factor"
    );
    assert_eq!(desk.type_dice(vec![1]).unwrap_err().code, "not-typed");
    assert_eq!(desk.undo(asked).unwrap_err().code, "cannot-undo");
    assert_eq!((desk.checkpoint().bytes(), desk.entries().len()), before);
}

#[test]
fn a_sealed_answer_can_be_taken_back_until_all_are_in() {
    let catalog = Catalog::built_in();
    let mut desk =
        Desk::open(&catalog, "schiffskrieg", "midway-1942", serde_json::Value::Null, seats(), DiceSource::Typed)
            .unwrap();
    desk.answer(Seat(0), json!("day")).unwrap();
    assert!(desk.question_to(Seat(0)).is_none());
    desk.undo(Seat(0)).unwrap();
    assert!(desk.question_to(Seat(0)).is_some());
    desk.answer(Seat(0), json!("night")).unwrap();
    desk.answer(Seat(1), json!("night")).unwrap();
    assert_eq!(desk.undo(Seat(1)).unwrap_err().code, "cannot-undo");
}

#[test]
fn typed_dice_are_due_and_checked() {
    let catalog = Catalog::built_in();
    let mut desk =
        Desk::open(&catalog, "schiffskrieg", "midway-1942", serde_json::Value::Null, seats(), DiceSource::Typed)
            .unwrap();
    desk.answer(Seat(0), json!("day")).unwrap();
    desk.answer(Seat(1), json!("night")).unwrap();
    assert_eq!(desk.dice_due().map(|due| due.0), Some(1));
    assert_eq!(desk.type_dice(vec![7]).unwrap_err().code, "bad-die");
    assert_eq!(desk.type_dice(vec![1, 2]).unwrap_err().code, "wrong-number-of-dice");
    desk.type_dice(vec![3]).unwrap();
    desk.type_dice(vec![4]).unwrap();
    assert!(desk.dice_due().is_none());
}

/// A record that somebody has made up: nothing has happened yet, and the secret and what both seats added are known to
/// its maker.
fn made_up(catalog: &Catalog) -> Record {
    let secret = Secret::parse(&"ab".repeat(32)).unwrap();
    let dice = DiceSource::Committed { secret, shares: Shares::unpledged(vec!["mine".into(), "yours".into()]) };
    open(catalog, dice).record(true)
}

#[test]
fn an_imported_game_goes_on_with_dice_its_importer_does_not_know() {
    let catalog = Catalog::built_in();
    let known = made_up(&catalog);
    assert_eq!(known.verify(&catalog).unwrap().rolls_proved, 0);
    let mut foreseen = Desk::resume(&catalog, &known).unwrap();
    play(&mut foreseen, 5, 1000);
    let new = DiceSource::shared(Shares::pledged(vec![Pledge::Awaited, Pledge::Computer]));
    let mut desk = Desk::resume(&catalog, &known.clone().with_new_dice(&new)).unwrap();
    let ann = Secret::new();
    desk.join_dice(Seat(0), Joining::Commit(ann.commitment())).unwrap();
    desk.join_dice(Seat(0), Joining::Reveal(ann.reveal())).unwrap();
    play(&mut desk, 5, 1000);
    assert_ne!(desk.entries(), foreseen.entries(), "the same answers meet other dice");
    let record = Record::parse(desk.record(false).to_text().as_bytes()).unwrap();
    assert_ne!(record.secret, known.secret);
    let verdict = record.verify(&catalog).unwrap();
    assert!(verdict.rolls_proved > 0 && verdict.rolls_imported == 0, "{verdict:?}");
    assert_eq!((verdict.seats_added, verdict.seats_waived), (vec![Seat(0)], vec![]));
}

#[test]
fn a_record_says_where_imported_dice_end() {
    let catalog = Catalog::built_in();
    let mut first = Desk::resume(&catalog, &made_up(&catalog)).unwrap();
    while !first.entries().iter().any(|entry| matches!(entry, flagplot_desk::Entry::Dice(_))) {
        play(&mut first, 5, 1);
    }
    let old = first.entries().len();
    let again = first.record(true).with_new_dice(&DiceSource::shared(Shares::pledged(vec![Pledge::Awaited; 2])));
    let mut desk = Desk::resume(&catalog, &again).unwrap();
    for seat in [Seat(0), Seat(1)] {
        assert!(desk.join_dice(seat, Joining::Waive).unwrap());
    }
    play(&mut desk, 5, 1000);
    let record = desk.record(false);
    assert_eq!(record.header.imported[0].entries, old);
    let verdict = record.verify(&catalog).unwrap();
    let rolls = record.entries.iter().filter(|entry| matches!(entry, flagplot_desk::Entry::Dice(_))).count();
    assert!(verdict.rolls_imported > 0 && verdict.rolls_proved > 0, "{verdict:?}");
    assert_eq!(verdict.rolls_imported + verdict.rolls_proved, rolls);
    assert_eq!(verdict.seats_waived, [Seat(0), Seat(1)]);
    // The whole of it replays to the same bytes, and neither part can be laid on the other's dice.
    assert_eq!(Record::parse(record.to_text().as_bytes()).unwrap(), record);
    assert_eq!(record.replay(&catalog, None).unwrap().checkpoint().bytes(), desk.checkpoint().bytes());
    let code = |change: &dyn Fn(&mut Record)| {
        let mut record = record.clone();
        change(&mut record);
        record.verify(&catalog).unwrap_err().code
    };
    assert_eq!(code(&|record| record.header.imported[0].entries = 0), "wrong-dice");
    assert_eq!(code(&|record| record.header.imported[0].entries = record.entries.len()), "wrong-dice");
    assert_eq!(code(&|record| record.header.imported[0].entries = usize::MAX), "bad-record");
    assert_eq!(code(&|record| drop(record.header.imported.pop())), "wrong-dice");
}

#[test]
fn dice_wait_for_every_seat_and_a_forged_addition_is_noticed() {
    let catalog = Catalog::built_in();
    let [ann, bob] = [Secret::new(), Secret::new()];
    let mut desk = open(&catalog, DiceSource::shared(Shares::pledged(vec![Pledge::Awaited; 2])));
    // Answers are taken as usual until a die is due.
    play(&mut desk, 5, 1000);
    let waiting = desk.situation(Viewer::Spectator).waiting;
    assert!(desk.dice_due().is_some() && desk.outcome().is_none() && !desk.entries().is_empty());
    assert_eq!((waiting.seats, waiting.dice, waiting.joining), (vec![], None, vec![Seat(0), Seat(1)]));
    assert!(!desk.entries().iter().any(|entry| matches!(entry, flagplot_desk::Entry::Dice(_))));
    for seat in [Seat(0), Seat(1)] {
        assert_eq!(desk.undo(seat).unwrap_err().code, "cannot-undo");
    }
    desk.join_dice(Seat(0), Joining::Commit(ann.commitment())).unwrap();
    assert_eq!(desk.joining(), [Seat(1)]);
    desk.join_dice(Seat(1), Joining::Commit(bob.commitment())).unwrap();
    desk.join_dice(Seat(1), Joining::Reveal(bob.reveal())).unwrap();
    assert_eq!(desk.joining(), [Seat(0)]);
    // What is kept is enough to go on from here, elsewhere.
    let mut desk = Desk::resume(&catalog, &desk.record(true)).unwrap();
    let rolled = desk.entries().len();
    desk.join_dice(Seat(0), Joining::Reveal(ann.reveal())).unwrap();
    assert!(desk.entries().len() > rolled && desk.joining().is_empty());
    play(&mut desk, 5, 1000);
    let record = desk.record(false);
    let verdict = record.verify(&catalog).unwrap();
    assert_eq!(verdict.seats_added, [Seat(0), Seat(1)]);
    let mut forged = record.clone();
    let DiceLine::Committed { shares, .. } = &mut forged.header.dice else { unreachable!() };
    shares.pledges[0] = Pledge::Committed(Commitment("0".repeat(64)));
    assert_eq!(forged.verify(&catalog).unwrap_err().code, "wrong-entropy");
    let DiceLine::Committed { shares, .. } = &mut forged.header.dice else { unreachable!() };
    shares.pledges.clear();
    shares.entropies[0] = "another".into();
    assert_eq!(forged.verify(&catalog).unwrap_err().code, "wrong-dice");
}

#[test]
fn records_of_format_1_stay_as_they_are() {
    let catalog = Catalog::built_in();
    let mut record = finished(&catalog).record(false);
    record.header.flagplot = 1;
    let text = record.to_text();
    let edition = &record.header.edition;
    let secret = Secret::parse(record.secret.as_ref().unwrap()).unwrap();
    let first = format!(
        concat!(
            r#"{{"flagplot":1,"system":"schiffskrieg","edition":"{edition}","scenario":"denmark-strait-1941","#,
            r#""seats":["Ann","computer: greedy"],"#,
            r#""dice":{{"kind":"committed","commitment":"{commitment}","entropies":["a","b"]}}}}"#
        ),
        edition = edition,
        commitment = secret.commitment().0
    );
    assert_eq!(text.lines().next(), Some(first.as_str()));
    let read = Record::parse(text.as_bytes()).unwrap();
    assert_eq!(read.verify(&catalog).unwrap().rolls_imported, 0);
    assert_eq!(Desk::resume(&catalog, &read).unwrap().record(false).to_text(), text);
    // What format 1 does not know is not read into it.
    record.header.dice = DiceLine::Committed {
        commitment: secret.commitment(),
        shares: Shares { entropies: vec!["a".into(), "b".into()], pledges: vec![Pledge::Waived; 2] },
    };
    assert_eq!(Record::parse(record.to_text().as_bytes()).unwrap_err().code, "bad-record");
}

/// Records that were made once with these rules, with the words of their time.
#[test]
fn stored_records_verify() {
    let catalog = Catalog::built_in();
    let records = [
        include_bytes!("../../../../fuzz/seeds/record/hawker.flagplot").as_slice(),
        include_bytes!("../../../../fuzz/seeds/record/midway.flagplot").as_slice(),
        include_bytes!("records/ironbottom.flagplot").as_slice(),
        include_bytes!("records/first-strike.flagplot").as_slice(),
        include_bytes!("records/rzhev.flagplot").as_slice(),
        include_bytes!("records/sedan.flagplot").as_slice(),
        include_bytes!("records/malta.flagplot").as_slice(),
        include_bytes!("records/coral-sea.flagplot").as_slice(),
        include_bytes!("records/surigao.flagplot").as_slice(),
        include_bytes!("records/river-plate.flagplot").as_slice(),
        include_bytes!("records/savo-island.flagplot").as_slice(),
        include_bytes!("records/two-decks.flagplot").as_slice(),
        include_bytes!("records/i-168.flagplot").as_slice(),
    ];
    for record in records {
        let record = Record::parse(record).unwrap();
        let verdict = record.verify(&catalog).unwrap_or_else(|refusal| panic!("{}: {refusal}", record.header.scenario));
        assert!(verdict.outcome.is_some());
        let touched = Record { outcome: Some("Nobody wins: 1 to 1.".into()), ..record };
        assert_eq!(touched.verify(&catalog).unwrap_err().code, "wrong-outcome");
    }
}

/// Rules that have changed since make another edition: a record of the former one is not replayed wrongly.
#[test]
fn a_record_of_a_former_edition_is_refused_by_name() {
    let catalog = Catalog::built_in();
    let record = Record::parse(include_bytes!("records/former-edition.flagplot")).unwrap();
    let refused = [record.verify(&catalog).err(), Desk::resume(&catalog, &record).err()];
    for refusal in refused.map(|refusal| refusal.expect("its rules have changed")) {
        assert_eq!(refusal.code, "unknown-edition");
        assert!(refusal.message.contains(&record.header.edition), "{refusal}");
    }
}
