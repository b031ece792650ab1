//! Tasks are secrets: no viewer can tell an imagined world from the true one.

use crate::naval_play::{game, walk};
use flagplot_kernel::{Answer, Chance, Game, Note, Progress, Question, Seat, SeatQuestion, Tape, Viewer, advance};
use flagplot_world_at_war::game::{State, View, WorldAtWar};
use serde_json::json;

/// So many states are looked at in each battle; `FLAGPLOT_STATES=10000` makes a longer run.
fn states() -> usize {
    std::env::var("FLAGPLOT_STATES").ok().and_then(|number| number.parse().ok()).unwrap_or(2000)
}

const VIEWERS: [Viewer; 3] = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];

/// Everything a viewer can tell about a world in the middle of a step.
fn tell(game: &WorldAtWar, state: &State, answers: &[Answer], viewer: Viewer) -> String {
    let mut tape = Tape::new(answers.to_vec());
    let question = match advance(game, state, &mut tape) {
        Ok(Progress::Asks(question)) => Some(question),
        Ok(Progress::Stepped(_)) => None,
        Err(refusal) => panic!("{refusal}"),
    };
    let notes: Vec<&Note> = tape.notes().iter().filter(|note| note.seen_by(viewer)).collect();
    let waits: Vec<Seat> = question.iter().flat_map(|question| question.open()).map(|asked| asked.seat).collect();
    let own: Option<&SeatQuestion> = match viewer {
        Viewer::Seat(seat) => question.as_ref().and_then(|question| question.to(seat)),
        _ => None,
    };
    let view = game.view(state, viewer);
    let explained = own.map(|own| game.explain(&view, answers, own, None));
    let dice = matches!(question, Some(Question::Dice { .. }));
    json!({
        "view": view, "scene": game.scene(&view), "own": own, "waits": waits, "dice": dice, "notes": notes,
        "explained": explained, "evaluated": flagplot_kernel::Side::BOTH.map(|side| game.evaluate(&view, side)),
    })
    .to_string()
}

#[test]
fn an_imagined_world_looks_the_same_in_the_carrier_battles() {
    for id in ["coral-sea-1942", "midway-1942"] {
        let game = game(id);
        let mut chance = Chance::seeded(5);
        let (mut seen, mut differ) = (0, 0);
        for seed in 0.. {
            walk(&game, seed, |state, answers, _| {
                seen += 1;
                for viewer in VIEWERS {
                    let imagined = game.imagine(&game.view(state, viewer), &mut chance);
                    differ += usize::from(imagined != *state);
                    let (truth, dream) = (tell(&game, state, answers, viewer), tell(&game, &imagined, answers, viewer));
                    assert!(truth == dream, "{id}, {viewer:?}\n{truth}\n{dream}");
                }
            });
            if seen >= states() {
                break;
            }
        }
        println!(
            "{id}: {seen} states (FLAGPLOT_STATES asks for {}), {differ} imagined worlds that differ from the true one",
            states()
        );
        assert!(differ > states() / 2, "{id}: imagination only ever finds the truth");
    }
}

/// A task counts as learned when CAP shows itself or a round ends, and not when the owner launches.
#[test]
fn what_is_uncovered_is_learned() {
    let game = game("coral-sea-1942");
    let mut learned = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let mut last: Option<State> = None;
        walk(&game, seed, |state, _, _| {
            if let Some(before) = last.replace(state.clone())
                && before != *state
            {
                let views = [&before, state].map(|state| game.view(state, Viewer::Seat(Seat(0))));
                let State::Naval(was) = &before else { panic!("a naval battle") };
                if game.learned(&views[0], &views[1], Seat(0)) {
                    learned.insert(format!("{:?}", was.open.phase).chars().take(7).collect::<String>());
                } else {
                    let known = |view: &View| match view {
                        View::Naval(view) => view.tasks.iter().filter(|task| task.cap.is_some()).count(),
                        _ => 0,
                    };
                    assert!(known(&views[1]) <= known(&views[0]), "CAP has shown itself");
                }
            }
        });
    }
    assert!(learned.len() > 1, "{learned:?}");
}

#[test]
fn open_battles_say_so() {
    for (id, open) in [
        ("pearl-harbor-1941", true),
        ("bismarck-1941", true),
        ("surigao-1944", true),
        ("fleet-free", true),
        ("force-z-1941", false),
        ("coral-sea-1942", false),
        ("midway-1942", false),
        // What is planned in secret on land and in the air is open from the end of its step.
        ("rzhev-1942", true),
        ("changsha-1941", true),
        ("sedan-1940", true),
        ("gazala-1942", true),
        ("citadel-1943", true),
        ("adlertag-1940", true),
        ("malta-1942", true),
        ("schweinfurt-1943", true),
    ] {
        assert_eq!(game(id).open(), open, "{id}");
    }
}
