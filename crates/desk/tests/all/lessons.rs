//! The guided battles, played step by step on the rules; and what is said of one that no longer fits.

use flagplot_catalog::Catalog;
use flagplot_desk::Lesson;
use flagplot_kernel::Viewer;
use serde_json::{Value, json};

/// The lesson of a system with something changed.
fn changed(system: &str, change: impl FnOnce(&mut Lesson)) -> Lesson {
    let mut lesson = Lesson::of(system).unwrap().clone();
    change(&mut lesson);
    lesson
}

#[test]
fn every_lesson_fits_the_rules_at_every_step() {
    let catalog = Catalog::built_in();
    let mut systems: Vec<&str> = Vec::new();
    for lesson in Lesson::all() {
        let lesson = lesson.unwrap();
        lesson.check(&catalog).unwrap_or_else(|refusal| panic!("{refusal}"));
        systems.push(&lesson.opening.system);
    }
    assert_eq!(systems, catalog.ids().collect::<Vec<_>>(), "one lesson for each system");
}

#[test]
fn every_lesson_is_of_ten_minutes_with_decisions_and_results_explained() {
    let catalog = Catalog::built_in();
    for lesson in Lesson::all() {
        let lesson = lesson.unwrap();
        let system = &lesson.opening.system;
        assert!((8..=20).contains(&lesson.steps.len()), "{system}: {} steps", lesson.steps.len());
        let game = catalog.system(system).unwrap().game(&lesson.opening.scenario, &lesson.opening.options).unwrap();
        let side = game.seats()[usize::from(lesson.seat.0)].side;
        assert_eq!(lesson.aim, game.aims()[side], "{system}: the aim is the game's own");
        assert!(lesson.end.len() >= 3, "{system}: the last results are not explained");
        assert!(lesson.examples.len() >= 5, "{system}: {} examples", lesson.examples.len());
        let rules = catalog.system(system).unwrap().rules();
        for example in &lesson.examples {
            assert!(rules.iter().any(|rule| rule.id == example.rule), "{system}: no rule {}", example.rule);
            assert!(!example.proof.is_empty(), "{system}: '{}' proves nothing", example.title);
        }
        let mut decisions = 0;
        for (at, step) in lesson.steps.iter().enumerate() {
            let words = step.say.split_whitespace().count();
            assert!(words <= 45, "{system}, step {}: {words} words", at + 1);
            assert!(!step.wrong.is_empty(), "{system}, step {}", at + 1);
            let answers: Vec<Value> = lesson.steps[..at].iter().map(|step| step.answer.clone()).collect();
            let stage = lesson.play(&catalog, &answers).unwrap();
            let question = stage.desk().question_to(lesson.seat).unwrap();
            decisions += usize::from(question.options.len() != 1);
            assert!(stage.desk().situation(Viewer::Seat(lesson.seat)).waiting.dice.is_none(), "{system} {at}");
        }
        assert!(decisions >= 6, "{system}: {decisions} decisions");
        let told = lesson.steps.iter().filter(|step| !step.told.is_empty()).count();
        assert!(told >= 3, "{system}: {told} results are explained");
    }
}

#[test]
fn a_broken_lesson_is_named_with_its_step() {
    let catalog = Catalog::built_in();
    let told = |lesson: &Lesson| lesson.check(&catalog).unwrap_err().message;
    let other = changed("schiffskrieg", |lesson| lesson.steps[2].ask = "another-question".into());
    assert!(
        told(&other).starts_with("The lesson of schiffskrieg no longer fits the rules at step 3 of "),
        "{}",
        told(&other)
    );
    let refused = changed("dogfite", |lesson| lesson.steps[0].answer = json!({"no": "answer"}));
    assert!(told(&refused).contains("at step 1 of "), "{}", told(&refused));
    let untrue = changed("dogfite", |lesson| lesson.steps[1].expect.push("pigs fly".into()));
    assert!(told(&untrue).contains("The log no longer says 'pigs fly'"), "{}", told(&untrue));
    let dice = changed("carrier-strike", |lesson| lesson.steps[0].rolls = vec![vec![9; 9]]);
    assert!(told(&dice).contains("at step 1 of "), "{}", told(&dice));
    let unlit = changed("fleet-action", |lesson| lesson.steps[0].piece = Some("no-such-ship".into()));
    assert!(told(&unlit).contains("no piece 'no-such-ship'"), "{}", told(&unlit));
}

#[test]
fn an_unwanted_answer_is_met_with_the_lessons_words_and_changes_nothing() {
    let catalog = Catalog::built_in();
    for lesson in Lesson::all() {
        let lesson = lesson.unwrap();
        let refusal = lesson.play(&catalog, &[json!("something else")]).err().unwrap();
        assert_eq!((refusal.code, &refusal.message), ("not-this-step", &lesson.steps[0].wrong));
        let many = vec![Value::Null; lesson.steps.len() + 1];
        assert_eq!(lesson.play(&catalog, &many).err().unwrap().code, "lesson-over");
    }
    assert_eq!(Lesson::of("chess").err().unwrap().code, "no-lesson");
}
