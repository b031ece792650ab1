//! Taking an answer back costs the same however long the game is, and leads to the game as it was.

use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::{Chance, Seat, Viewer, work};
use serde_json::Value;
use std::cell::Cell;
use std::rc::Rc;

const GAMES: [(&str, &str); 3] =
    [("schiffskrieg", "midway-1942"), ("dogfite", "guynemer-udet-1917"), ("carrier-strike", "coral-sea-1942")];

fn open(catalog: &Catalog, (system, scenario): (&str, &str)) -> Desk {
    let scenarios = catalog.system(system).unwrap().scenarios();
    let scenario = scenarios.iter().find(|known| known.id == scenario).unwrap_or(&scenarios[0]).id.clone();
    let seats = vec!["Ann".into(), "Bob".into()];
    Desk::open(catalog, system, &scenario, Value::Null, seats, DiceSource::Seeded(3)).unwrap()
}

/// Everything a viewer can know, but for the number of entries.
fn seen(desk: &Desk) -> Vec<String> {
    let viewers = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];
    let one = |viewer| {
        let mut situation = desk.situation(viewer);
        situation.at = 0;
        format!(
            "{}{}",
            serde_json::to_string(&situation).unwrap(),
            serde_json::to_string(&desk.lines(viewer, 0)).unwrap()
        )
    };
    viewers.into_iter().map(one).collect()
}

/// How many steps of the rules something takes.
fn steps(work: impl FnOnce()) -> u32 {
    // The limit is asked with every 32nd step.
    let asked = Rc::new(Cell::new(0));
    let counted = asked.clone();
    let count = move || {
        counted.set(counted.get() + 1);
        false
    };
    work::limited(count, work).unwrap();
    asked.get() * 32
}

#[test]
fn an_answer_taken_back_leaves_the_game_as_it_was() {
    let catalog = Catalog::built_in();
    for game in GAMES {
        let mut desk = open(&catalog, game);
        let mut chance = Chance::seeded(11);
        let mut taken_back = 0;
        for _ in 0..120 {
            let Some(seat) = desk.question().and_then(|question| Some(question.open().first()?.seat)) else { break };
            let before = seen(&desk);
            let value = desk.think(seat, PlayerKind::Random, &mut chance).unwrap();
            desk.answer(seat, value.clone()).unwrap();
            if desk.undo(seat).is_ok() {
                assert_eq!(seen(&desk), before, "{game:?} after {} entries", desk.entries().len());
                desk.answer(seat, value).unwrap();
                taken_back += 1;
            }
        }
        assert!(taken_back > 0, "{game:?}");
        // A replay comes to the same.
        let again = desk.record(true).replay(&catalog, None).unwrap();
        assert_eq!(seen(&again), seen(&desk));
    }
}

#[test]
fn taking_back_replays_nothing() {
    let catalog = Catalog::built_in();
    let mut desk = open(&catalog, GAMES[1]);
    let mut chance = Chance::seeded(5);
    let mut taken_back = 0;
    while desk.entries().len() < 400 && !desk.is_over() {
        let seat = desk.question().unwrap().open()[0].seat;
        let value = desk.think(seat, PlayerKind::Random, &mut chance).unwrap();
        desk.answer(seat, value.clone()).unwrap();
        let mut undone = false;
        let took = steps(|| undone = desk.undo(seat).is_ok());
        if undone {
            taken_back += 1;
            assert_eq!(took, 0, "taking back after {} entries ran {took} steps of the rules", desk.entries().len());
            desk.answer(seat, value).unwrap();
        }
    }
    assert!(taken_back > 10, "{taken_back}");
}
