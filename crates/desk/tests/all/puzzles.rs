//! The stored puzzles on the rules as they are, some proved afresh; and what is said of one that no longer fits.

use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::puzzle::{CHECK_SEED, Collection, Difficulty, Mine, Posed, Puzzle, Turn, from_record};
use flagplot_desk::script::Stage;
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::{Chance, Refusal, Viewer};
use serde_json::{Value, json};
use std::collections::HashSet;

fn all() -> Vec<&'static Collection> {
    Collection::all().collect::<Result<_, _>>().unwrap_or_else(|refusal: Refusal| panic!("{refusal}"))
}

/// A collection of one puzzle with something changed.
fn changed(change: impl FnOnce(&mut Collection)) -> Collection {
    let mut collection = Collection::of("schiffskrieg").unwrap().clone();
    let first = collection.puzzles().find(|one| one.position.at > 1).unwrap().position.id.clone();
    collection.retain(|position| position.id == first);
    change(&mut collection);
    Collection::parse(&collection.written()).unwrap()
}

#[test]
fn every_system_has_its_hundred_puzzles_easy_and_hard_each_with_a_clear_answer() {
    let catalog = Catalog::built_in();
    let mut ids: HashSet<&str> = HashSet::new();
    let systems: Vec<&str> = all().iter().map(|one| one.system.as_str()).collect();
    assert_eq!(systems, catalog.ids().collect::<Vec<_>>());
    for collection in all() {
        let system = &collection.system;
        assert!(collection.len() >= 100, "{system}: {} puzzles", collection.len());
        for level in [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard] {
            let count = collection.puzzles().filter(|one| one.position.difficulty() == level).count();
            assert!(count >= 5, "{system}: {count} {level:?} puzzles");
        }
        for puzzle in collection.puzzles() {
            let position = puzzle.position;
            let id = &position.id;
            assert!(ids.insert(id), "{id} is there twice");
            assert!((2..=8).contains(&position.options.len()), "{id}: {} options", position.options.len());
            assert!(position.games >= 240, "{id}: {} games", position.games);
            for (at, one) in position.options.iter().enumerate().filter(|(at, _)| *at != position.best) {
                assert!(one.gap() >= 6.0 * one.gap_error() - 1e-9 && one.gap() > 0.03, "{id}: option {at}");
                assert!(one.gap_error() > 0.0 && position.best().worth() > one.worth(), "{id}: option {at}");
            }
        }
    }
}

#[test]
fn every_stored_puzzle_replays_to_its_question_with_its_options() {
    let catalog = Catalog::built_in();
    for collection in all() {
        let mut seen = 0;
        let look = |puzzle: Puzzle<'_>, posed: &Posed| {
            seen += 1;
            let id = &puzzle.position.id;
            let labels: HashSet<&str> = posed.options.iter().map(|one| one.label.as_str()).collect();
            assert_eq!(labels.len(), puzzle.position.options.len(), "{id}: two options are called the same");
            assert!(posed.stage.desk().situation(Viewer::Seat(puzzle.position.seat)).question.is_some(), "{id}");
        };
        collection.replay(&catalog, look).unwrap_or_else(|refusal| panic!("{refusal}"));
        assert_eq!(seen, collection.len(), "{}", collection.system);
    }
}

#[test]
fn some_puzzles_of_every_system_are_proved_afresh() {
    let catalog = Catalog::built_in();
    for collection in all() {
        let mut quick: Vec<Puzzle<'_>> = collection.puzzles().collect();
        quick.sort_by_key(|one| one.position.games as usize * one.position.options.len());
        for puzzle in quick.iter().take(2) {
            let posed = puzzle.pose(&catalog).unwrap();
            puzzle.prove(&posed, CHECK_SEED).unwrap_or_else(|refusal| panic!("{refusal}"));
        }
    }
}

/// The worth of an answer is found from what the seat sees: another world that looks the same gives the same games.
#[test]
fn what_the_seat_cannot_see_does_not_change_the_figures() {
    let catalog = Catalog::built_in();
    for system in ["carrier-strike", "fleet-action"] {
        let collection = Collection::of(system).unwrap();
        let mut compared = 0;
        for puzzle in collection.puzzles() {
            if compared == 2 {
                break;
            }
            let posed = puzzle.pose(&catalog).unwrap();
            let (desk, seat) = (posed.stage.desk(), puzzle.position.seat);
            if !desk.answers().is_empty() {
                continue;
            }
            let twin = desk.game().imagine(desk.checkpoint(), Viewer::Seat(seat), &mut Chance::seeded(7));
            let values: Vec<&Value> = puzzle.position.options.iter().map(|one| one.value()).collect();
            let worth = |position| desk.game().worth(position, &[], seat, &values, 0..12, 5);
            assert_eq!(worth(desk.checkpoint()), worth(twin.as_ref()), "{}", puzzle.position.id);
            compared += 1;
        }
        assert!(compared > 0, "{system}: no puzzle to compare");
    }
}

#[test]
fn a_puzzle_that_a_changed_rule_breaks_is_named() {
    let catalog = Catalog::built_in();
    let told = |collection: &Collection| {
        let id = collection.puzzles().next().unwrap().position.id.clone();
        let refusal = collection.replay(&catalog, |_, _| ()).unwrap_err();
        assert_eq!(refusal.code, "puzzle-broken");
        assert!(refusal.message.contains(&format!("Puzzle {id} no longer fits")), "{refusal}");
        refusal.message
    };
    let other = changed(|one| one.sources[0].puzzles[0].ask = "another-question".into());
    assert!(told(&other).contains("not 'another-question'"), "{}", told(&other));
    let refused =
        changed(|one| one.sources[0].turns[0] = Turn(one.sources[0].turns[0].0, json!("pigs fly"), Vec::new()));
    assert!(told(&refused).contains("The rules refuse the answer"), "{}", told(&refused));
    let option = changed(|one| one.sources[0].puzzles[0].options[1].0 = json!("pigs fly"));
    assert!(told(&option).contains("no longer offered"), "{}", told(&option));
    let fewer = changed(|one| one.sources[0].puzzles[0].of += 1);
    assert!(told(&fewer).contains("answers are offered, not"), "{}", told(&fewer));
    let scenario = changed(|one| one.sources[0].opening.scenario = "no-such-battle".into());
    told(&scenario);
}

#[test]
fn a_puzzle_whose_figures_are_wrong_is_not_proved() {
    let catalog = Catalog::built_in();
    let prove = |collection: &Collection| {
        let puzzle = collection.puzzles().next().unwrap();
        puzzle.prove(&puzzle.pose(&catalog).unwrap(), CHECK_SEED)
    };
    assert_eq!(prove(&changed(|_| ())), Ok(()));
    let worse = changed(|one| {
        let position = &mut one.sources[0].puzzles[0];
        position.best = (position.best + 1) % position.options.len();
    });
    let refusal = prove(&worse).unwrap_err();
    assert_eq!(refusal.code, "puzzle-unproved");
    assert!(refusal.message.contains("no longer clearly better"), "{refusal}");
    let moved = changed(|one| {
        let position = &mut one.sources[0].puzzles[0];
        position.options[position.best].1 = 0.05;
    });
    assert!(prove(&moved).unwrap_err().message.contains("and now wins"));
}

#[test]
fn a_file_that_cannot_be_read_is_refused_with_its_line() {
    let head = r#"{"puzzles":1,"system":"dogfite","edition":"x"}"#;
    let game = r#"{"opening":{"system":"schiffskrieg","scenario":"midway-1942"},"turns":[],"puzzles":[]}"#;
    let position = r#"{"id":"d","at":3,"seat":0,"ask":"a","best":0,"games":9,"seed":1,"options":[]}"#;
    let beyond = format!(r#"{{"opening":{{"system":"dogfite","scenario":"x"}},"turns":[],"puzzles":[{position}]}}"#);
    for (text, says) in [
        (String::new(), "Line 1 "),
        (head.replace('1', "2"), "reads format 1"),
        (format!("{head}\n{{}}"), "Line 2 "),
        (format!("{head}\n{game}"), "a game of schiffskrieg"),
        (format!("{head}\n{beyond}"), "points beyond"),
    ] {
        let refusal = Collection::parse(&text).unwrap_err();
        assert_eq!(refusal.code, "bad-puzzles");
        assert!(refusal.message.contains(says), "{refusal}");
    }
    assert_eq!(Collection::of("chess").err().unwrap().code, "no-puzzles");
    assert_eq!(Puzzle::named("dogfite-0").err().unwrap().code, "no-puzzle");
    assert_eq!(Collection::of("dogfite").unwrap().puzzle(0).err().unwrap().code, "no-puzzle");
}

#[test]
fn the_days_take_turns_among_the_systems_and_their_puzzles() {
    let ids: Vec<&str> = (20_000..20_500).map(|day| Puzzle::of_day(day).unwrap().position.id.as_str()).collect();
    let systems: HashSet<&str> = ids[..5].iter().map(|id| id.rsplit_once('-').unwrap().0).collect();
    assert_eq!(systems.len(), 5);
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 500, "a puzzle comes again within 500 days");
    Puzzle::of_day(u64::MAX).unwrap();
}

#[test]
fn puzzles_are_found_in_simulated_games_and_survive_their_file() {
    let catalog = Catalog::built_in();
    let known = Collection::empty(&catalog, "schiffskrieg").unwrap();
    let mut mine = Mine::new(&catalog, known, &["guadalcanal-1942".to_owned()], 2, 3).unwrap();
    for _ in 0..200 {
        if mine.done() {
            break;
        }
        mine.dig().unwrap();
    }
    assert_eq!(mine.collection.len(), 2);
    let again = Collection::parse(&mine.collection.written()).unwrap();
    again
        .replay(&catalog, |puzzle, posed| {
            assert_eq!(puzzle.prove(posed, CHECK_SEED), Ok(()), "{}", puzzle.position.id);
            let renewed = puzzle.renewed(posed).unwrap();
            assert_eq!(renewed, *puzzle.position, "the same games give the same figures");
        })
        .unwrap();
}

#[test]
fn a_recorded_game_can_be_looked_through_with_its_own_dice() {
    let catalog = Catalog::built_in();
    let seats = vec!["Ann".to_owned(), "Bob".to_owned()];
    let dice = DiceSource::Seeded(11);
    let mut desk = Desk::open(&catalog, "schiffskrieg", "guadalcanal-1942", Value::Null, seats, dice).unwrap();
    let mut chance = Chance::seeded(4);
    while let Some(seat) = desk.question().and_then(|one| one.open().first()).map(|one| one.seat) {
        let value = desk.think(seat, PlayerKind::Recruit, &mut chance).unwrap();
        desk.answer(seat, value).unwrap();
    }
    let source = from_record(&desk.record(false));
    let mut stage = Stage::open(&catalog, &source.opening).unwrap();
    for Turn(seat, value, rolls) in &source.turns {
        stage.answer(*seat, value, rolls).unwrap();
    }
    assert_eq!(stage.desk().outcome(), desk.outcome());
    let known = Collection::empty(&catalog, "schiffskrieg").unwrap();
    let mut mine = Mine::new(&catalog, known, &[], 3, 1).unwrap();
    let found = mine.search(source, &mut chance).unwrap();
    mine.collection.replay(&catalog, |puzzle, posed| assert_eq!(puzzle.prove(posed, 9), Ok(()))).unwrap();
    assert_eq!(found, mine.collection.len());
}
