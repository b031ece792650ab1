//! Figures of Fleet Action: a critical, an officer's answer, a sheet of orders, the scene of a large battle.

use crate::bench::{Bench, Figure};
use flagplot_catalog::{AnyGame, Catalog, PlayerKind, Position};
use flagplot_kernel::{Answer, Chance, Faces, Form, Progress, Question, Seat, SeatQuestion, Tape, Viewer};
use serde_json::{Value, json};
use std::time::Instant;

/// So many answers and rolls are given before a question is given up.
const MOST_ANSWERS: usize = 20_000;

impl Bench {
    /// The figures of Fleet Action beside its playouts.
    pub(crate) fn fleet_action(&self, catalog: &Catalog) -> Vec<Figure> {
        let figure =
            |what: &str, seconds: f64| Figure { what: what.into(), value: seconds * 1e3, unit: "ms", beside: None };
        let mut figures = vec![figure(
            "one critical of CV 9 on a cruiser, joint, every odds field",
            self.odds(catalog, &[critical()]),
        )];
        let game =
            |scenario: &str| catalog.system("fleet-action").and_then(|system| system.game(scenario, &Value::Null));
        if let Ok(samar) = game("samar")
            && let Some((position, answers, question)) =
                reach(samar.as_ref(), |question| question.prompt.code == "orders")
        {
            let scene = self.time(|| drop(samar.scene(position.as_ref(), Viewer::Seat(Seat(0)))));
            figures.push(figure("the scene of samar", scene));
            let officer: PlayerKind = "officer".parse().unwrap_or(PlayerKind::Greedy);
            let start = Instant::now();
            samar.think(position.as_ref(), &answers, question.seat, officer, &mut Chance::seeded(1));
            figures.push(figure("an officer's orders in samar", start.elapsed().as_secs_f64()));
        }
        if let Ok(convoy) = game("hx-84") {
            let eight =
                |question: &SeatQuestion| matches!(&question.form, Form::Sheet { parts, .. } if parts.len() == 8);
            if let Some((position, mut answers, question)) = reach(convoy.as_ref(), eight)
                && let Some(best) = question.options.first()
            {
                answers.push(Answer::Choice(best.value.clone()));
                let check = self.time(|| {
                    let taken = convoy.advance(position.as_ref(), &mut Tape::new(answers.clone()));
                    assert!(taken.is_ok(), "the suggested orders are legal");
                });
                figures.push(figure("a sheet of orders for eight ships, checked", check));
            }
        }
        figures
    }
}

/// The first question of a game by instinct that is wanted, with what was answered in its step before it.
fn reach(game: &dyn AnyGame, wanted: impl Fn(&SeatQuestion) -> bool) -> Option<(Position, Vec<Answer>, SeatQuestion)> {
    let mut chance = Chance::seeded(1);
    let mut position = game.setup();
    let mut answers: Vec<Answer> = Vec::new();
    for _ in 0..MOST_ANSWERS {
        if game.outcome(position.as_ref()).is_some() {
            return None;
        }
        let answer = match game.advance(position.as_ref(), &mut Tape::new(answers.clone())).ok()? {
            Progress::Stepped(next) => {
                position = next;
                answers.clear();
                continue;
            }
            Progress::Asks(Question::Dice { count, die, .. }) => {
                Answer::Dice(Faces((0..count).map(|_| chance.face(die)).collect()))
            }
            Progress::Asks(Question::Choice(question)) if wanted(&question) => {
                return Some((position, answers, question));
            }
            Progress::Asks(Question::Choice(question)) => {
                Answer::Choice(greedy(game, &position, &answers, question.seat)?)
            }
            Progress::Asks(question @ Question::Secret { .. }) => {
                let seats = question.open().iter().map(|question| question.seat).collect::<Vec<Seat>>();
                let sealed = seats.into_iter().map(|seat| Some((seat, greedy(game, &position, &answers, seat)?)));
                Answer::Sealed(sealed.collect::<Option<_>>()?)
            }
        };
        answers.push(answer);
    }
    None
}

fn greedy(game: &dyn AnyGame, position: &Position, answers: &[Answer], seat: Seat) -> Option<Value> {
    let thought = game.think(position.as_ref(), answers, seat, PlayerKind::Greedy, &mut Chance::seeded(1));
    thought.map(|thought| thought.value)
}

/// A heavy cruiser whose armour is pierced by a hit of CV 9.
fn critical() -> Value {
    let turret = |arc: &str| json!({"type": "turret", "ac": 8, "guns": 3, "arc": arc});
    let ship = json!({"size": 1, "f": 25, "s": 67, "speed": 32, "sv": 3, "fc": 2, "sd": 4, "gm": 1, "dc": 3,
        "flag_officer": true, "armour": {"belt": 5, "deck": 2, "ct": 3},
        "main_mounts": [turret("fwd"), turret("fwd"), turret("aft")],
        "other_mounts": vec![json!({"type": "open", "aa": true}); 8], "torpedo_mounts": [{}, {}], "mrf": 4, "crf": 3,
        "searchlights": true, "ship_planes": true, "gunnery_radar": true, "search_radar": true, "smoke": true});
    json!({"system": "fleet-action", "procedure": "structural-critical", "input": {"cv": 9, "pen": 20, "ship": ship}})
}
