//! The tests that every playable system inherits, written once over the catalog.

use crate::common::{asked, difference, every_scenario, nonsense, open};
use flagplot_catalog::{AnyGame, AnyState, PlayerKind, Position};
use flagplot_desk::{Desk, DiceSource, Record};
use flagplot_kernel::course::Course;
use flagplot_kernel::{
    Answer, Chance, Form, FormItem, FormPart, FormPlace, Note, OptionView, Progress, Question, Refusal, Seat,
    SeatQuestion, Tape, Viewer, filled, parts_of,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A game in the middle of a step.
struct Walk<'a> {
    game: &'a dyn AnyGame,
    checkpoint: Position,
    answers: Vec<Answer>,
    chance: Chance,
    steps: u32,
}

impl<'a> Walk<'a> {
    fn new(game: &'a dyn AnyGame, seed: u64) -> Self {
        Self { game, checkpoint: game.setup(), answers: Vec::new(), chance: Chance::seeded(seed), steps: 0 }
    }

    /// The next question put to a player; dice are rolled on the way. None when the game is over.
    fn question(&mut self) -> Option<(Question, Vec<Note>)> {
        loop {
            if self.game.outcome(self.checkpoint.as_ref()).is_some() {
                return None;
            }
            let mut tape = Tape::new(self.answers.clone());
            match self.game.advance(self.checkpoint.as_ref(), &mut tape).expect("legal answers are accepted") {
                Progress::Stepped(position) => {
                    self.checkpoint = position;
                    self.answers.clear();
                    self.steps += 1;
                    assert!(self.steps <= self.game.step_limit(), "the game does not end");
                }
                Progress::Asks(Question::Dice { count, die, .. }) => {
                    let faces = self.chance.faces(count, die);
                    self.answers.push(Answer::Dice(faces));
                }
                Progress::Asks(question) => return Some((question, tape.notes().to_vec())),
            }
        }
    }

    /// A player's answer, sealed with the others' if it must be.
    fn answer(&mut self, question: &Question, kind: PlayerKind) {
        let value = |walk: &mut Self, seat: Seat| {
            walk.game
                .think(walk.checkpoint.as_ref(), &walk.answers, seat, kind, &mut walk.chance)
                .expect("there is always an answer")
                .value
        };
        let answer = match question {
            Question::Choice(asked) => Answer::Choice(value(self, asked.seat)),
            _ => Answer::Sealed(
                question
                    .open()
                    .iter()
                    .map(|asked| asked.seat)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .map(|seat| (seat, value(self, seat)))
                    .collect(),
            ),
        };
        self.answers.push(answer);
    }
}

/// What comes of one more answer by a seat.
fn attempt(
    game: &dyn AnyGame,
    checkpoint: &dyn AnyState,
    answers: &[Answer],
    question: &Question,
    seat: Seat,
    value: Value,
) -> Result<(), Refusal> {
    let answer = match question {
        Question::Choice(_) => Answer::Choice(value),
        _ => Answer::Sealed(BTreeMap::from([(seat, value)])),
    };
    let mut tape = Tape::new([answers, &[answer]].concat());
    game.advance(checkpoint, &mut tape).map(|_| ())
}

#[test]
fn random_games_end_and_offered_options_are_accepted_and_nonsense_is_refused() {
    every_scenario(|_, system, scenario, game| {
        for seed in 0..2 {
            let mut walk = Walk::new(game.as_ref(), seed);
            let mut number = 0;
            while let Some((question, _)) = walk.question() {
                for asked in question.open() {
                    assert!(!asked.options.is_empty(), "{system} {scenario}: no option for {}", asked.prompt.code);
                    // Every option of some questions, one option of all.
                    let every = if number % 7 == 0 { 1 } else { asked.options.len() };
                    for option in asked.options.iter().step_by(every) {
                        let done = attempt(
                            game.as_ref(),
                            walk.checkpoint.as_ref(),
                            &walk.answers,
                            &question,
                            asked.seat,
                            option.value.clone(),
                        );
                        assert!(
                            done.is_ok(),
                            "{system} {scenario}: {} offers {} and refuses it: {:?}",
                            asked.prompt.code,
                            option.value,
                            done
                        );
                    }
                    for value in nonsense() {
                        if let Err(refusal) = attempt(
                            game.as_ref(),
                            walk.checkpoint.as_ref(),
                            &walk.answers,
                            &question,
                            asked.seat,
                            value.clone(),
                        ) {
                            assert!(
                                !refusal.code.is_empty() && refusal.message.len() > 8,
                                "{system} {scenario}: {refusal:?}"
                            );
                        } else {
                            panic!("{system} {scenario}: {} accepts {value}", asked.prompt.code);
                        }
                    }
                }
                number += 1;
                walk.answer(&question, PlayerKind::Random);
            }
        }
    });
}

/// What a form makes by itself: every place where it begins, and each option of each item in turn.
fn made(form: &Form) -> Vec<Value> {
    let (places, items, template): (&[FormPlace], &[FormItem], &Value) = match form {
        Form::Points { items, template, .. } => (&[], items, template),
        Form::Parts { places, items, template } => (places, items, template),
        Form::Choices { ways } => return ways.iter().flat_map(|(_, way)| made(way)).collect(),
        Form::Numbers { .. } => return least_numbers(form).into_iter().collect(),
        Form::Course(course) => return courses(course),
        Form::Sheet { parts, .. } => return sheets(form, parts),
        _ => return Vec::new(),
    };
    let most = items.iter().map(|item| item.options.len()).max().unwrap_or(1);
    let part = |at: usize, id: &str| match id {
        "point" => json!([0, 0]),
        "points" if !items.iter().any(|item| item.id == id) => json!([[0, 0]]),
        _ if places.iter().any(|place| place.id == id) => json!([0, 0]),
        _ => items
            .iter()
            .find(|item| item.id == id)
            .unwrap_or_else(|| panic!("{template} names {id}, which is no part"))
            .options
            .iter()
            .cycle()
            .nth(at)
            .unwrap()
            .value
            .clone(),
    };
    (0..most).map(|at| filled(template, &|id| part(at, id))).collect()
}

/// Straight ahead at both ends of the speeds, a turn to each side as soon as it may be, each option of each item.
fn courses(course: &Course) -> Vec<Value> {
    let start = course.straight();
    let mut made = vec![start.clone()];
    for (speed, turns) in [(0, vec![]), (1, vec![]), (1, vec![(course.run, 15)]), (1, vec![(course.run, -course.turn)])]
    {
        let speed = course.speeds[speed];
        let Some(legs) = course.legs(speed, &turns) else { continue };
        let mut one = start.clone();
        (one["speed"], one["orders"]) = (speed.into(), json!(legs));
        made.push(one);
    }
    for item in &course.items {
        for option in &item.options {
            let mut one = start.clone();
            one.as_object_mut().unwrap().remove(&item.id);
            if !option.value.is_null() {
                one[&item.id] = option.value.clone();
            }
            made.push(one);
        }
    }
    for one in &made {
        assert_eq!(course.wrong(one), None, "{one}");
        let text = course.text(one).expect("a course can be typed");
        assert_eq!(course.parse(&text, None).as_ref(), Ok(one), "{text}");
    }
    made
}

/// A sheet as it begins, one with nothing on it if it may be empty, and each part in each of its ways.
fn sheets(form: &Form, parts: &[FormPart]) -> Vec<Value> {
    let ways = |part: &FormPart| match &part.form {
        Form::Pick => part.options.iter().map(|option| option.value.clone()).collect(),
        form => made(form),
    };
    let begins = |part: &FormPart| part.begins.iter().map(|answer| form.entry(part, answer.clone())).collect();
    let fallback = |part: &FormPart| -> Vec<Value> {
        let first = part.left_out.is_empty().then(|| ways(part).into_iter().next()).flatten();
        first.into_iter().map(|answer| form.entry(part, answer)).collect()
    };
    let start: Vec<Vec<Value>> = parts
        .iter()
        .map(|part| {
            Some(begins(part)).filter(|begins: &Vec<Value>| !begins.is_empty()).unwrap_or_else(|| fallback(part))
        })
        .collect();
    let mut made = vec![Value::Array(start.concat())];
    made.extend(parts.iter().all(|part| !part.left_out.is_empty()).then(|| json!([])));
    for (at, part) in parts.iter().enumerate() {
        made.extend(ways(part).into_iter().map(|answer| {
            let mut sheet = start.clone();
            sheet[at] = vec![form.entry(part, answer)];
            Value::Array(sheet.concat())
        }));
    }
    for sheet in &made {
        assert!(form.entries(sheet).is_ok(), "{sheet}: {:?}", form.entries(sheet));
    }
    made
}

/// Numbers that keep to every limit and sum, begun with the least and raised where something is still short.
fn least_numbers(form: &Form) -> Option<Value> {
    let Form::Numbers { items, limits, total, sums, cells } = form else { return None };
    assert_eq!(items.len(), limits.len(), "each item has its limits");
    assert!(cells.is_empty() || cells.len() == items.len(), "each item has its cell, or none has");
    let known = |id: &String| items.iter().any(|item| item.id == *id);
    assert!(sums.iter().flat_map(|sum| &sum.items).all(known), "sums count items of the form: {sums:?}");
    let mut numbers: BTreeMap<&str, i64> =
        items.iter().zip(limits).map(|(item, (least, _))| (item.id.as_str(), *least)).collect();
    let over = |numbers: &BTreeMap<&str, i64>| {
        sums.iter().any(|sum| sum.items.iter().map(|id| numbers[id.as_str()]).sum::<i64>() > sum.max)
    };
    let all = || items.iter().map(|item| item.id.clone()).collect();
    let short = sums.iter().map(|sum| (sum.items.clone(), sum.min)).chain(total.map(|total| (all(), total)));
    for (ids, wanted) in short {
        for (item, (_, most)) in items.iter().zip(limits).filter(|(item, _)| ids.contains(&item.id)) {
            while numbers[item.id.as_str()] < *most && ids.iter().map(|id| numbers[id.as_str()]).sum::<i64>() < wanted {
                let mut more = numbers.clone();
                *more.get_mut(item.id.as_str())? += 1;
                if over(&more) {
                    break;
                }
                numbers = more;
            }
        }
    }
    let value = json!(numbers);
    form.wrong_numbers(value.as_object()?).is_none().then_some(value)
}

/// Whether a person can say this by the form.
fn says(options: &[OptionView], form: &Form, value: &Value) -> bool {
    let point = |value: &Value| value.as_array().is_some_and(|list| list.len() == 2 && list.iter().all(Value::is_i64));
    let offered = |item: &FormItem, value: &Value| item.options.iter().any(|option| option.value == *value);
    let whole = |items: &[FormItem], template: &Value, fits: &dyn Fn(&str, &Value) -> bool| {
        let chosen = |id: &str, value: &Value| {
            items.iter().find(|item| item.id == id).map_or_else(|| fits(id, value), |item| offered(item, value))
        };
        parts_of(template, value, &chosen)
            .is_some_and(|parts| items.iter().all(|item| parts.contains_key(&item.id) || offered(item, &Value::Null)))
    };
    match form {
        Form::Pick => options.iter().any(|option| option.value == *value),
        Form::Choices { ways } => ways.iter().any(|(_, way)| says(options, way, value)),
        Form::Points { items, template, .. } => whole(items, template, &|id, value| {
            if id == "points" { value.as_array().is_some_and(|list| list.iter().all(point)) } else { point(value) }
        }),
        Form::Parts { places, items, template } => {
            whole(items, template, &|id, value| places.iter().any(|place| place.id == id) && point(value))
        }
        Form::Numbers { .. } => value.as_object().is_some_and(|numbers| form.wrong_numbers(numbers).is_none()),
        Form::Course(course) => course.wrong(value).is_none(),
        Form::Sheet { .. } => form.entries(value).is_ok_and(|entries| {
            let offered = |part: &FormPart, entry: &Value| part.options.iter().any(|option| option.value == *entry);
            entries.iter().all(|(part, entry)| offered(part, entry) || says(&part.options, &part.form, entry))
        }),
        Form::Assign { .. } | Form::Subset { .. } => true,
    }
}

#[test]
fn what_a_player_answers_can_be_said_by_the_form_and_what_the_form_makes_is_an_answer() {
    every_scenario(|_, system, scenario, game| {
        let mut walk = Walk::new(game.as_ref(), 3);
        while let Some((question, _)) = walk.question() {
            for asked in question.open() {
                for value in made(&asked.form) {
                    if let Err(refusal) = attempt(
                        game.as_ref(),
                        walk.checkpoint.as_ref(),
                        &walk.answers,
                        &question,
                        asked.seat,
                        value.clone(),
                    ) {
                        assert_ne!(
                            refusal.code, "bad-answer",
                            "{system} {scenario}: the form of {} makes {value}: {refusal}",
                            asked.prompt.code
                        );
                    }
                }
                // A closed list has one way to say each thing; players may know another.
                for kind in [PlayerKind::Random, PlayerKind::Greedy].into_iter().filter(|_| asked.form != Form::Pick) {
                    let thought = game
                        .think(walk.checkpoint.as_ref(), &walk.answers, asked.seat, kind, &mut walk.chance)
                        .expect("there is always an answer");
                    let value = thought.value;
                    assert!(
                        asked.options.iter().any(|option| option.value == value)
                            || says(&asked.options, &asked.form, &value),
                        "{system} {scenario}: {} has no way to say {value}",
                        asked.prompt.code
                    );
                }
            }
            walk.answer(&question, PlayerKind::Random);
        }
    });
}

/// What a viewer can tell about a world: view, scene, question, notes, refusals.
fn tell(game: &dyn AnyGame, checkpoint: &dyn AnyState, answers: &[Answer], viewer: Viewer) -> String {
    let mut tape = Tape::new(answers.to_vec());
    let question = match game.advance(checkpoint, &mut tape) {
        Ok(Progress::Asks(question)) => Ok(Some(question)),
        Ok(Progress::Stepped(_)) => Ok(None),
        Err(refusal) => Err(refusal),
    };
    let notes: Vec<&Note> = tape.notes().iter().filter(|note| note.seen_by(viewer)).collect();
    let (mut own, mut waits, mut refusals): (Option<SeatQuestion>, Vec<Seat>, Vec<Option<Refusal>>) =
        (None, Vec::new(), Vec::new());
    if let Ok(Some(question)) = &question {
        waits = question.open().iter().map(|asked| asked.seat).collect();
        if let Viewer::Seat(seat) = viewer
            && let Some(asked) = question.to(seat)
        {
            own = Some(asked.clone());
            refusals = nonsense()
                .into_iter()
                .map(|value| attempt(game, checkpoint, answers, question, seat, value).err())
                .collect();
        }
    }
    let dice = matches!(&question, Ok(Some(Question::Dice { .. })));
    json!({"view": game.view(checkpoint, viewer), "scene": game.scene(checkpoint, viewer), "question": own,
        "waits": waits, "dice": dice, "notes": notes, "refusals": refusals,
        "refused": question.err(), "outcome": game.outcome(checkpoint)})
    .to_string()
}

#[test]
fn an_imagined_world_looks_the_same_to_the_one_who_imagines_it() {
    every_scenario(|_, system, scenario, game| {
        let mut walk = Walk::new(game.as_ref(), 99);
        let mut seen = 0u32;
        let mut number = 0u32;
        while let Some((question, _)) = walk.question() {
            number += 1;
            if number % 3 == 1 && seen < 60 {
                seen += 1;
                let viewers =
                    (0..game.seats().len() as u8).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Spectator]);
                for viewer in viewers {
                    let imagined = game.imagine(walk.checkpoint.as_ref(), viewer, &mut walk.chance);
                    let (truth, dream) = (
                        tell(game.as_ref(), walk.checkpoint.as_ref(), &walk.answers, viewer),
                        tell(game.as_ref(), imagined.as_ref(), &walk.answers, viewer),
                    );
                    assert!(
                        truth == dream,
                        "{system} {scenario}, question {number}, {viewer:?}: the imagined world differs\n{}",
                        difference(&truth, &dream)
                    );
                }
            }
            walk.answer(&question, if number.is_multiple_of(2) { PlayerKind::Random } else { PlayerKind::Greedy });
        }
    });
}

#[test]
fn a_game_at_the_desk_replays_to_the_same_bytes_and_tells_no_secret() {
    every_scenario(|catalog, system, scenario, game| {
        let seats = game.seats().iter().map(|seat| seat.name.clone()).collect::<Vec<_>>();
        let dice = DiceSource::committed(seats.iter().map(|_| "entropy".to_owned()).collect());
        let mut desk = Desk::open(catalog, system, scenario, Value::Null, seats, dice).unwrap();
        let secret = desk.record(true).secret.unwrap();
        let mut chance = Chance::seeded(4);
        while let Some(seat) = asked(&desk) {
            let value = desk.think(seat, PlayerKind::Greedy, &mut chance).unwrap();
            desk.answer(seat, value).unwrap_or_else(|refusal| panic!("{system} {scenario}: {refusal}"));
            if desk.outcome().is_none() && desk.entries().len().is_multiple_of(11) {
                assert!(!serde_json::to_string(&desk.situation(Viewer::Seat(Seat(0)))).unwrap().contains(&secret));
                assert!(desk.record(false).secret.is_none());
            }
        }
        let text = desk.record(false).to_text();
        let record = Record::parse(text.as_bytes()).unwrap();
        record.verify(catalog).unwrap_or_else(|refusal| panic!("{system} {scenario}: {refusal}"));
        let again = record.replay(catalog, None).unwrap();
        assert_eq!(again.checkpoint().bytes(), desk.checkpoint().bytes(), "{system} {scenario}");
        assert_eq!(again.log(Viewer::Everything, 0), desk.log(Viewer::Everything, 0));
        assert_eq!(again.record(false).to_text().lines().count(), text.lines().count());
        let restored = game.restore(&desk.checkpoint().bytes()).unwrap();
        assert_eq!(restored.bytes(), desk.checkpoint().bytes(), "{system} {scenario}: a stored position comes back");
    });
}

#[test]
fn undo_gives_back_the_exact_situation_and_never_crosses_dice_or_another_seat() {
    every_scenario(|catalog, system, scenario, game| {
        let mut desk = open(catalog, system, scenario, game, DiceSource::Seeded(8));
        let mut chance = Chance::seeded(12);
        for _ in 0..40 {
            let Some(seat) = asked(&desk) else { break };
            let before = (
                desk.checkpoint().bytes(),
                desk.answers().to_vec(),
                desk.question().cloned(),
                desk.log(Viewer::Everything, 0),
            );
            let entries = desk.entries().len();
            let value = desk.think(seat, PlayerKind::Random, &mut chance).unwrap();
            desk.answer(seat, value.clone()).unwrap();
            let only_mine = desk.entries().len() == entries + 1;
            match desk.undo(seat) {
                Ok(()) => {
                    assert!(only_mine, "{system} {scenario}: an undo crossed dice");
                    let after = (
                        desk.checkpoint().bytes(),
                        desk.answers().to_vec(),
                        desk.question().cloned(),
                        desk.log(Viewer::Everything, 0),
                    );
                    assert!(before == after, "{system} {scenario}: undo does not give back the situation");
                    desk.answer(seat, value).unwrap();
                }
                Err(refusal) => assert!(["cannot-undo", "game-over"].contains(&refusal.code), "{refusal:?}"),
            }
            let other = Seat(1 - seat.0.min(1));
            if other != seat && desk.outcome().is_none() {
                assert!(desk.undo(other).is_err(), "{system} {scenario}: a seat undid another's answer");
            }
        }
    });
}
