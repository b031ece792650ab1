//! An answer that can be taken back has told nobody anything: no seat scouts by trying.

use crate::common::{asked, difference, every_scenario, open};
use flagplot_catalog::{AnyGame, AnyState, Catalog, PlayerKind, Position};
use flagplot_desk::{Desk, DiceSource, Entry};
use flagplot_kernel::{Answer, Chance, Note, Progress, Question, Seat, Tape, Viewer};
use serde_json::{Value, json};
use std::sync::Arc;

/// So many worlds are imagined for each answer and viewer.
const WORLDS: usize = 4;
/// So many answers of a game are looked at.
const ANSWERS: usize = 130;

/// A desk just before an answer.
struct Moment {
    game: Arc<dyn AnyGame>,
    checkpoint: Position,
    answers: Vec<Answer>,
    answer: Answer,
    entries: usize,
}

impl Moment {
    /// None for a sealed answer, which nobody sees.
    fn of(desk: &Desk, value: &Value) -> Option<Self> {
        let Some(Question::Choice(_)) = desk.question() else { return None };
        Some(Self {
            game: desk.game().clone(),
            checkpoint: desk.checkpoint().clone_box(),
            answers: desk.answers().to_vec(),
            answer: Answer::Choice(value.clone()),
            entries: desk.entries().len(),
        })
    }

    /// What a viewer sees of a world after the answer: the checkpoint reached, the next question, the notes. None if
    /// the answer is refused there.
    fn seen(&self, world: &dyn AnyState, viewer: Viewer) -> Option<String> {
        let game = self.game.as_ref();
        let mut position = world.clone_box();
        let mut given = [self.answers.as_slice(), std::slice::from_ref(&self.answer)].concat();
        let mut notes: Vec<Note> = Vec::new();
        let next = loop {
            let mut tape = Tape::new(std::mem::take(&mut given));
            let progress = game.advance(position.as_ref(), &mut tape).ok()?;
            notes.extend(tape.notes().iter().filter(|note| note.seen_by(viewer)).cloned());
            match progress {
                Progress::Asks(question) => break Some(question),
                Progress::Stepped(next) => position = next,
            }
            if game.outcome(position.as_ref()).is_some() {
                break None;
            }
        };
        let waits: Vec<Seat> = next.iter().flat_map(|next| next.open()).map(|asked| asked.seat).collect();
        let own = match viewer {
            Viewer::Seat(seat) => next.as_ref().and_then(|next| next.to(seat)),
            _ => None,
        };
        let dice = matches!(next, Some(Question::Dice { .. }));
        let (view, scene) = (game.view(position.as_ref(), viewer), game.scene(position.as_ref(), viewer));
        Some(
            json!({"view": view, "scene": scene, "question": own, "waits": waits, "dice": dice, "notes": notes})
                .to_string(),
        )
    }

    /// What the answer told a viewer, if anything: whether it sees something else in a world that it could not tell
    /// from the true one before.
    fn told(&self, viewer: Viewer, chance: &mut Chance) -> Option<String> {
        let truth = self.seen(self.checkpoint.as_ref(), viewer).expect("it was taken");
        (0..WORLDS).find_map(|_| {
            let world = self.game.imagine(self.checkpoint.as_ref(), viewer, chance);
            let dream = self.seen(world.as_ref(), viewer)?;
            (dream != truth).then(|| format!("{viewer:?}: {}", difference(&truth, &dream)))
        })
    }
}

#[test]
fn what_can_be_taken_back_has_told_nobody_anything_of_anothers_pieces() {
    let (mut could, mut barred) = (0, 0);
    every_scenario(|catalog, system, scenario, game| {
        if game.open() {
            return;
        }
        for (seed, kind) in [(3, PlayerKind::Greedy), (4, PlayerKind::Random)] {
            let mut desk = open(catalog, system, scenario, game, DiceSource::Seeded(seed));
            let mut chance = Chance::seeded(seed);
            for n in 0..ANSWERS {
                let Some(seat) = asked(&desk) else { break };
                let value = desk.think(seat, kind, &mut chance).unwrap();
                let moment = Moment::of(&desk, &value);
                desk.answer(seat, value.clone()).unwrap();
                let Some(moment) = moment.filter(|_| !desk.is_over()) else { continue };
                let can = desk.situation(Viewer::Seat(seat)).can_undo;
                if !can && n % 2 > 0 {
                    continue; // It is enough to see now and then that something was told.
                }
                let viewers = (0..2).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Spectator]);
                let told: Vec<String> = viewers.filter_map(|viewer| moment.told(viewer, &mut chance)).collect();
                could += usize::from(can);
                barred += usize::from(!told.is_empty() && desk.entries().len() == moment.entries + 1);
                assert!(
                    !can || told.is_empty(),
                    "{system} {scenario}: {seat} may take back {value}, which has told\n{}",
                    told.join("\n")
                );
            }
        }
    });
    assert!(could > 200, "only {could} answers could be taken back");
    assert!(barred > 8, "only {barred} answers told something without dice");
}

/// Plays until a scout or a squadron has found something without dice, and gives the desk with who found it.
fn found_something(catalog: &Catalog) -> (Desk, Seat) {
    let mut chance = Chance::seeded(1);
    for seed in 0..20 {
        let game = catalog.system("carrier-strike").unwrap().game("coral-sea", &Value::Null).unwrap();
        let mut desk = open(catalog, "carrier-strike", "coral-sea", &game, DiceSource::Seeded(seed));
        while let Some(seat) = asked(&desk) {
            let (entries, lines) = (desk.entries().len(), desk.log(Viewer::Everything, 0).len());
            let value = desk.think(seat, PlayerKind::Greedy, &mut chance).unwrap();
            let chosen = matches!(desk.question(), Some(Question::Choice(_)));
            desk.answer(seat, value).unwrap();
            let found = ["decoy-exposed", "carrier-detected", "group-detected"];
            if chosen
                && desk.entries().len() == entries + 1
                && desk.log(Viewer::Everything, lines).iter().any(|line| found.contains(&line.note.what))
            {
                return (desk, seat);
            }
        }
    }
    panic!("nothing was found in twenty games");
}

#[test]
fn a_scout_that_has_found_something_does_not_fly_back() {
    let catalog = Catalog::built_in();
    let (mut desk, seat) = found_something(&catalog);
    let record = desk.record(true);
    let again = Desk::resume_from(&catalog, &record, &desk.snapshot().unwrap().unwrap()).unwrap();
    for desk in [&mut desk, &mut { again }, &mut record.replay(&catalog, None).unwrap()] {
        let before = (desk.checkpoint().bytes(), desk.entries().len());
        assert!(!desk.situation(Viewer::Seat(seat)).can_undo);
        let refusal = desk.undo(seat).unwrap_err();
        assert_eq!(refusal.code, "cannot-undo");
        assert!(refusal.message.contains("the other side's pieces"), "{refusal}");
        assert_eq!((desk.checkpoint().bytes(), desk.entries().len()), before, "what is refused changes nothing");
    }
}

#[test]
fn a_record_in_which_it_flew_back_still_replays() {
    let catalog = Catalog::built_in();
    let (desk, seat) = found_something(&catalog);
    let mut record = desk.record(true);
    let before = record.replay(&catalog, Some(record.entries.len() - 1)).unwrap();
    record.entries.push(Entry::Undo { seat });
    let after = record.replay(&catalog, None).unwrap();
    assert_eq!(after.checkpoint().bytes(), before.checkpoint().bytes());
    assert_eq!(after.log(Viewer::Everything, 0), before.log(Viewer::Everything, 0));
    assert_eq!(Desk::resume(&catalog, &record).unwrap().entries(), after.entries());
    record.verify(&catalog).unwrap();
}
