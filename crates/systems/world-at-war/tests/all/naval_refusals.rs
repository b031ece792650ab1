//! Illegal attempts in naval battles are told what is wrong, and change nothing.

use crate::naval_play::game;
use flagplot_kernel::{Answer, Chance, Game, Progress, Question, Refusal, Seat, Tape, advance};
use flagplot_world_at_war::game::{State, WorldAtWar};
use flagplot_world_at_war::{System, files};
use serde_json::{Value, json};

/// A battle that waits for an answer.
struct Table {
    game: WorldAtWar,
    state: State,
    answers: Vec<Answer>,
    chance: Chance,
}

impl Table {
    fn new(id: &str, seed: u64) -> Self {
        let game = game(id);
        Self { state: game.setup(), game, answers: Vec::new(), chance: Chance::seeded(seed) }
    }

    /// The next question; dice are rolled on the way.
    fn question(&mut self) -> Option<Question> {
        loop {
            if self.game.outcome(&self.state).is_some() {
                return None;
            }
            match advance(&self.game, &self.state, &mut Tape::new(self.answers.clone())).unwrap() {
                Progress::Stepped(next) => {
                    self.state = next;
                    self.answers.clear();
                }
                Progress::Asks(Question::Dice { count, die, .. }) => {
                    let faces = self.chance.faces(count, die);
                    self.answers.push(Answer::Dice(faces));
                }
                Progress::Asks(question) => return Some(question),
            }
        }
    }

    fn answer(&mut self, question: &Question, of: impl Fn(Seat) -> Value) {
        self.answers.push(match question {
            Question::Choice(asked) => Answer::Choice(of(asked.seat)),
            _ => Answer::Sealed(question.open().iter().map(|asked| (asked.seat, of(asked.seat))).collect()),
        });
    }

    /// Plays the first option of every question until one with this code is asked of a seat.
    fn until(&mut self, code: &str) -> Option<(Question, Seat)> {
        while let Some(question) = self.question() {
            if let Some(asked) = question.open().iter().find(|asked| asked.prompt.code == code) {
                let seat = asked.seat;
                return Some((question, seat));
            }
            let first = |seat| question.to(seat).unwrap().options[0].value.clone();
            self.answer(&question, first);
        }
        None
    }

    /// What an attempt is told.
    fn refused(&self, question: &Question, seat: Seat, value: Value) -> Refusal {
        let answer = match question {
            Question::Choice(_) => Answer::Choice(value.clone()),
            _ => Answer::Sealed([(seat, value.clone())].into()),
        };
        let before = self.state.clone();
        let mut tape = Tape::new([self.answers.as_slice(), &[answer]].concat());
        let refusal = advance(&self.game, &self.state, &mut tape).err();
        assert_eq!(before, self.state);
        refusal.unwrap_or_else(|| panic!("{value} is accepted"))
    }
}

/// The first of several seeds with which a question is asked.
fn at(id: &str, code: &str) -> (Table, Question, Seat) {
    let found = (0..60).find_map(|seed| {
        let mut table = Table::new(id, seed);
        table.until(code).map(|(question, seat)| (table, question, seat))
    });
    found.unwrap_or_else(|| panic!("{id} never asks {code}"))
}

/// Checks the code and the words of a refusal.
fn check(told: &Refusal, code: &str, words: &str) {
    assert_eq!(told.code, code, "{told}");
    assert!(told.to_string().contains(words), "{told}");
    assert!(told.rule.is_some(), "{told}: no rule");
}

#[test]
fn tasks_beyond_what_is_aboard_or_may_fly_are_refused() {
    let (table, question, _) = at("coral-sea-1942", "tasking");
    let refused = |value| table.refused(&question, Seat(0), value);
    check(
        &refused(json!({"striking-force.cap": 5, "striking-force.strike": 5})),
        "too-many-squadrons",
        "Striking Force has 9 squadrons for CAP and strike.",
    );
    check(
        &refused(json!({"striking-force.cap": 6})),
        "too-much-cap",
        "At most 5 squadrons of Striking Force may fly CAP.",
    );
    check(&refused(json!({"task-force-17.cap": 1})), "unknown-unit", "not a task of your squadrons");
    check(&refused(json!({"striking-force.strike": -1})), "bad-value", "not a number of squadrons");
}

#[test]
fn strikes_on_what_was_not_found_or_with_what_is_not_ready_are_refused() {
    let (mut table, mut question, mut seat) = at("coral-sea-1942", "launch");
    // The Axis hides three groups; a search that finds one or two of them leaves others.
    for seed in 0..200 {
        let missing = question.to(seat).unwrap().prompt.missing.iter().any(|why| why.contains("not found"));
        if seat == Seat(1) && missing {
            break;
        }
        table = Table::new("coral-sea-1942", seed);
        if let Some(found) = table.until("launch") {
            (question, seat) = found;
        }
    }
    let asked = question.to(seat).unwrap();
    let why = asked.prompt.missing.iter().find(|why| why.contains("not found")).expect("a group that was not found");
    let (name, _) = why.split_once(':').unwrap();
    let id = name.to_lowercase().replace(' ', "-");
    let refused = |value| table.refused(&question, seat, value);
    check(&refused(json!({format!("task-force-17>{id}"): 1})), "not-found", "has not been found.");
    let found = ["striking-force", "covering-force", "invasion-force"]
        .into_iter()
        .find(|other| !asked.prompt.missing.iter().any(|why| why.to_lowercase().replace(' ', "-").starts_with(other)));
    let target = format!("task-force-17>{}", found.unwrap());
    check(&refused(json!({target: 60})), "not-enough-squadrons", "ready to strike.");
    check(&refused(json!({"nowhere>striking-force": 1})), "unknown-unit", "not a strike");
}

#[test]
fn a_group_strikes_one_enemy_group_in_a_round() {
    let groups = ["striking-force", "covering-force", "invasion-force"];
    let found = |question: &Question, seat: Seat| -> Vec<&str> {
        let missing = &question.to(seat).unwrap().prompt.missing;
        let hidden = |id: &str| missing.iter().any(|why| why.to_lowercase().replace(' ', "-").starts_with(id));
        groups.into_iter().filter(|id| !hidden(id)).collect()
    };
    let mut met = false;
    for seed in 0..200 {
        let mut table = Table::new("coral-sea-1942", seed);
        let Some((question, seat)) = table.until("launch") else { continue };
        if seat != Seat(1) {
            continue;
        }
        if let [one, two, ..] = found(&question, seat)[..] {
            let both = json!({format!("task-force-17>{one}"): 1, format!("task-force-17>{two}"): 1});
            let refusal = table.refused(&question, seat, both);
            // A carrier group that is not ready to strike is refused for that; what is tested is the other case.
            met |= refusal.code == "two-targets";
            if met {
                check(&refusal, "two-targets", "strikes one enemy group in a round.");
                break;
            }
        }
    }
    assert!(met, "no launch in 200 battles had two groups to choose from");
}

#[test]
fn squadrons_must_all_have_targets_that_are_there() {
    let (table, question, seat) = at("pearl-harbor-1941", "targets");
    let refused = |value| table.refused(&question, seat, value);
    check(&refused(json!({"arizona": 1})), "bad-allocation", "but 1 is given targets.");
    check(&refused(json!({"hood": 1})), "unknown-target", "no target 'hood'");
    let twice = json!([{"target": "arizona", "squadrons": 1}, {"target": "arizona", "squadrons": 1}]);
    check(&refused(twice), "duplicate-target", "Arizona is named twice");
    check(
        &refused(json!([{"target": "arizona", "squadrons": 0}])),
        "bad-allocation",
        "No squadron is given to Arizona.",
    );
}

#[test]
fn fire_keeps_to_the_ships_that_can_fire_and_be_fired_on() {
    let salvo = |firer: &str, target: &str| json!({"firer": firer, "target": target});
    let (table, question, _) = at("matapan-1941", "fire");
    let refused = |seat, value| table.refused(&question, seat, value);
    check(
        &refused(Seat(1), json!([salvo("formidable", "vittorio-veneto")])),
        "firer-cannot-fire",
        "Formidable is a carrier.",
    );
    check(
        &refused(Seat(0), json!([salvo("vittorio-veneto", "formidable")])),
        "target-screened",
        "Formidable is screened.",
    );
    check(
        &refused(Seat(0), json!([salvo("cruisers", "warspite"), salvo("cruisers", "light")])),
        "firer-used-twice",
        "fires once in a round",
    );
    check(&refused(Seat(0), json!([salvo("cruisers", "bismarck")])), "unknown-target", "no enemy 'bismarck'");
    check(&refused(Seat(0), json!([salvo("hood", "warspite")])), "unknown-firer", "no ship 'hood'");
    check(&refused(Seat(0), json!([salvo("destroyers", "hood")])), "unknown-target", "Fire on Warspite");
}

#[test]
fn a_damaged_ship_does_not_fire() {
    for seed in 0..200 {
        let mut table = Table::new("bismarck-1941", seed);
        while let Some((question, _)) = table.until("fire") {
            for asked in question.open() {
                for why in asked.prompt.missing.iter().filter(|why| why.contains("it is damaged")) {
                    let id = why.split_once(':').unwrap().0.to_lowercase().replace(' ', "-");
                    let target = if asked.seat == Seat(0) { "light" } else { "bismarck" };
                    let told = table.refused(&question, asked.seat, json!([{"firer": id, "target": target}]));
                    if told.code == "firer-cannot-fire" {
                        check(&told, "firer-cannot-fire", "is damaged.");
                        return;
                    }
                }
            }
            let first = |seat| question.to(seat).unwrap().options[0].value.clone();
            table.answer(&question, first);
        }
    }
    panic!("no ship was ever damaged");
}

#[test]
fn groups_that_are_not_there_do_not_withdraw_or_pick() {
    let (table, question, seat) = at("bismarck-1941", "withdraw");
    check(&table.refused(&question, seat, json!(["force-z"])), "unknown-unit", "not another of your groups");
    let (table, question, _) = at("fleet-free", "pick");
    let refused = |value| table.refused(&question, Seat(0), value);
    let pick = |ships: Value, cruisers: u32| json!({"ships": ships, "cruisers": cruisers, "destroyers": 0});
    check(&refused(pick(json!(["bismarck", "tirpitz"]), 9)), "too-many-factors", "28 naval factors; 24 are allowed");
    check(&refused(pick(json!(["hood"]), 0)), "unknown-unit", "not a ship of your navies");
    check(&refused(pick(json!(["bismarck", "bismarck"]), 0)), "duplicate-id", "picked twice");
    check(&refused(pick(json!([]), 0)), "no-ships", "A fleet needs a ship.");
}

#[test]
fn free_battles_say_what_is_wrong_with_their_settings_and_can_be_saved() {
    let system = crate::common::system();
    for (options, words) in [
        (json!({"factors": 500}), "500 naval factors"),
        (json!({"axis": ["atlantis"]}), "There is no navy 'atlantis'"),
        (json!({"axis": ["britain"]}), "named twice"),
        (json!({"allies": []}), "0 navies"),
        (json!({"ships": 3}), "The settings of the free fleet battle are not valid"),
    ] {
        let refusal = system.game("fleet-free", &options).err().expect("a refusal");
        let all: Vec<String> = std::iter::once(&refusal).chain(&refusal.also).map(ToString::to_string).collect();
        assert!(all.join(" ").contains(words), "{all:?}");
    }
    let (mut table, question, _) = at("fleet-free", "pick");
    assert_eq!(table.game.scenario_file(&table.state, "mine", "Mine").unwrap_err().code, "wrong-time");
    let first = |seat| question.to(seat).unwrap().options[0].value.clone();
    table.answer(&question, first);
    table.question();
    assert_eq!(table.game.scenario_file(&table.state, "No", "Mine").unwrap_err().code, "bad-value");
    let text = table.game.scenario_file(&table.state, "mine", "A fight of mine").unwrap();
    let mut files = flagplot_world_at_war::files();
    files.lay("scenarios-naval-mine.toml", text);
    let system = flagplot_world_at_war::System::new(&files).unwrap_or_else(|error| panic!("{error}"));
    assert!(system.game("mine", &Value::Null).is_ok());
    let bismarck = game("bismarck-1941");
    assert_eq!(bismarck.scenario_file(&bismarck.setup(), "mine", "Mine").unwrap_err().code, "not-custom");
}

#[test]
fn wrong_battles_are_refused_by_file_scenario_and_fault() {
    for (old, new, words) in [
        (
            "ships = [\"bismarck\"]",
            "ships = [\"bismark\"]",
            "bismarck-1941: group bismarck-group: there is no ship 'bismark'",
        ),
        ("rounds = 5", "rounds = 500", "bismarck-1941: a battle has 1 to 50 rounds, not 500"),
        ("air = 28", "air = 40", "pearl-harbor-1941: group kido-butai: 40 squadrons on carriers for"),
        (
            "attacker_wins_at_least = 57\ndefender_wins_at_most = 51",
            "attacker_wins_at_least = 0\ndefender_wins_at_most = -9",
            "pearl-harbor-1941: allies loses a battle in which nothing happens",
        ),
        ("id = \"bismarck-1941\"", "id = \"fleet-free\"", "fleet-free: this id belongs to the free battle"),
    ] {
        let mut files = flagplot_world_at_war::files();
        let text = files.text("scenarios-naval.toml").unwrap();
        assert!(text.contains(old), "{old}");
        let text = text.replacen(old, new, 1);
        files.lay("scenarios-naval.toml", text);
        let error = flagplot_world_at_war::System::new(&files).err().expect("an error").to_string();
        assert!(error.starts_with("scenarios-naval.toml: ") && error.contains(words), "{error}");
    }
}

#[test]
fn a_group_that_is_engaged_is_not_engaged_again() {
    // Both sides have two groups: one seat has engaged with one of them, and the other is asked in the same round.
    let mut files = files();
    let text = files.text("scenarios-naval.toml").expect("the file").to_owned();
    let group = "[[scenario.group]]\nseat = \"allies\"\nid = \"task-force-17\"\n";
    let more = "[[scenario.group]]\nseat = \"allies\"\nid = \"task-force-44\"\nnation = \"australia\"\nships = []\n\
                cruisers = 3\ndestroyers = 2\n";
    files.lay("scenarios-naval.toml", text.replacen(group, &format!("{more}{group}"), 1));
    let system = System::new(&files).expect("a battle with one more group");
    let found = (0..200).find_map(|seed| {
        let game = system.game("coral-sea-1942", &Value::Null).expect("a game");
        let mut table = Table { state: game.setup(), game, answers: Vec::new(), chance: Chance::seeded(seed) };
        while let Some(question) = table.question() {
            let asked = question.open()[0].clone();
            if asked.prompt.missing.iter().any(|line| line.contains("is engaged already in this round")) {
                return Some((table, question, asked.seat));
            }
            // Groups stay apart and engage where they can.
            table.answer(&question, |seat| match question.to(seat).unwrap() {
                asked if asked.prompt.code == "merge" => json!("done"),
                asked if asked.prompt.code == "engage" => asked.options.last().unwrap().value.clone(),
                asked => asked.options[0].value.clone(),
            });
        }
        None
    });
    let (table, question, seat) = found.expect("a round with a second engagement");
    let pairs = (0..9).flat_map(|own| (0..9).map(move |enemy| json!({"engage": [own, enemy]})));
    let refusals: Vec<Refusal> = pairs
        .filter(|value| question.to(seat).unwrap().options.iter().all(|option| option.value != *value))
        .map(|value| table.refused(&question, seat, value))
        .collect();
    let engaged = refusals.iter().find(|told| told.code == "not-now").expect("a pair that is engaged");
    check(engaged, "not-now", "is engaged already in this round.");
    assert!(refusals.iter().any(|told| told.code == "not-offered"), "other numbers are no groups at all");
}
