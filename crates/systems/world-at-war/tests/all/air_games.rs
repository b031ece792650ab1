//! Air battles played to their end, and their rules one by one.

use crate::common::system;
use flagplot_kernel::{
    Answer, AtRandom, ByInstinct, Chance, DiceFrom, Game, Policy, Progress, Question, Sampler, Seat, Side, Tape,
    Viewer, advance,
};
use flagplot_world_at_war::game::air::{AirState, Phase};
use flagplot_world_at_war::game::{State, WorldAtWar};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub const BATTLES: [&str; 3] = ["adlertag-1940", "malta-1942", "schweinfurt-1943"];

pub fn game(battle: &str) -> WorldAtWar {
    system().game(battle, &Value::Null).expect("a battle")
}

pub fn air(state: &State) -> &AirState {
    match state {
        State::Air(state) => state,
        _ => panic!("an air battle has air states"),
    }
}

fn played<P: Policy>(
    game: &WorldAtWar,
    chance: &mut Chance,
    policy: P,
    mut watch: impl FnMut(&State, &State),
) -> State {
    let mut state = game.setup();
    let mut sampler = Sampler::new(chance, policy);
    for _ in 0..game.step_limit() {
        if game.outcome(&state).is_some() {
            return state;
        }
        let before = state.clone();
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        watch(&before, &state);
    }
    panic!("the battle goes on after {} steps", game.step_limit());
}

#[test]
fn random_and_greedy_battles_end_within_the_limit_and_lose_no_factor() {
    for battle in BATTLES {
        let game = game(battle);
        let per = if battle == "schweinfurt-1943" { [1, 1] } else { [2, 2] };
        for seed in 0..40 {
            let mut chance = Chance::seeded(seed);
            let check = |_: &State, after: &State| {
                let state = air(after);
                for wing in [&state.wings.attacker, &state.wings.defender] {
                    let over: u16 = wing.over.iter().sum();
                    assert!(u32::from(over) <= wing.strength(), "{battle}: {state:?}");
                }
                let bytes = serde_json::to_vec(after).expect("a state has a JSON form");
                assert_eq!(serde_json::from_slice::<State>(&bytes).expect("and comes back"), *after);
            };
            let end = match seed % 2 {
                0 => played(&game, &mut chance, AtRandom, check),
                _ => played(&game, &mut chance, ByInstinct, check),
            };
            let outcome = game.outcome(&end).expect("an end");
            let state = air(&end);
            let gone = |wing: &flagplot_world_at_war::game::air::Wing| {
                wing.eliminated.iter().map(|&n| i64::from(n)).sum::<i64>()
            };
            let score = outcome.details["score"].as_i64().expect("a score");
            let (ours, theirs) = (gone(&state.wings.defender), gone(&state.wings.attacker));
            assert_eq!(score, state.bombing + per[0] * ours - per[1] * theirs, "{battle}");
        }
    }
}

/// Plays on with these answers from a state: dice as faces, choices as values, plans by seat.
pub struct Played {
    pub game: WorldAtWar,
    pub state: State,
    pub notes: Vec<String>,
}

impl Played {
    pub fn new(battle: &str) -> Self {
        Self { game: game(battle), state: game(battle).setup(), notes: Vec::new() }
    }

    pub fn air(&self) -> &AirState {
        air(&self.state)
    }

    pub fn step(&mut self, answers: Vec<Answer>) -> &mut Self {
        let mut tape = Tape::new(answers);
        match advance(&self.game, &self.state, &mut tape) {
            Ok(Progress::Stepped(state)) => self.state = state,
            Ok(Progress::Asks(question)) => panic!("still asked: {question:?}"),
            Err(refusal) => panic!("refused: {refusal}"),
        }
        self.notes.extend(tape.notes().iter().map(|note| note.text.clone()));
        self
    }

    pub fn dice(&mut self, faces: &[[u8; 2]]) -> &mut Self {
        let answers = faces.iter().map(|faces| Answer::Dice(flagplot_kernel::Faces(faces.to_vec()))).collect();
        self.step(answers)
    }

    pub fn plans(&mut self, axis: Value, allies: Value) -> &mut Self {
        self.step(vec![Answer::Sealed(BTreeMap::from([(Seat(0), axis), (Seat(1), allies)]))])
    }

    pub fn choose(&mut self, value: Value) -> &mut Self {
        self.step(vec![Answer::Choice(value)])
    }

    pub fn question(&self) -> Question {
        match advance(&self.game, &self.state, &mut Tape::new(Vec::new())) {
            Ok(Progress::Asks(question)) => question,
            other => panic!("nothing is asked: {other:?}"),
        }
    }
}

#[test]
fn a_day_goes_from_sealed_plans_to_bombs() {
    let mut day = Played::new("adlertag-1940");
    day.step(Vec::new());
    assert_eq!(day.air().phase, Phase::Plans);
    let Question::Secret { open, .. } = day.question() else { panic!("both plan at once") };
    let seats: Vec<Seat> = open.iter().map(|asked| asked.seat).collect();
    assert_eq!(seats, [Seat(0), Seat(1)]);
    day.plans(
        json!({"luftflotte-2:radar": 8, "luftflotte-2:airfields": 4, "luftflotte-3:airfields": 4}),
        json!({"group-11:radar": 4, "group-12:reserve": 4}),
    );
    assert_eq!(day.air().phase, Phase::Reserve);
    day.choose(json!("airfields"));
    // Nobody attacks the convoys; over the radar stations 8 meet 4 with equal modifiers.
    assert_eq!(day.air().phase, Phase::Fight { target: 1, round: 1 });
    // 8 with a 7: 3/4. 4 with a 7: 1/3.
    day.dice(&[[3, 4], [3, 4]]);
    assert_eq!(day.air().wings.defender.ready, [5, 5], "three of No. 11 Group are gone, one turned back");
    assert_eq!(day.air().wings.attacker.ready, [13, 10]);
    // No defender is left: 8 - 1 - 3 = 4 meet the guns of level 2, which with a 2 do nothing; 3 bombs count.
    assert_eq!(day.air().phase, Phase::Guns { target: 1 });
    day.dice(&[[1, 1]]);
    assert_eq!(day.air().bombing, 6);
    assert_eq!(day.air().phase, Phase::Fight { target: 2, round: 1 });
    // 8 with a 2: 1/3. 4 with a 2: 1/1. Four defenders of the reserve: one eliminated, three aborted.
    day.dice(&[[1, 1], [1, 1]]);
    assert_eq!(day.air().phase, Phase::Guns { target: 2 });
    // Six are left; level 3 with a 12: 2/2.
    day.dice(&[[6, 6]]);
    assert_eq!(day.air().bombing, 6 + 4);
    assert_eq!((day.air().day, day.air().phase), (2, Phase::Dawn));
    day.step(Vec::new());
    assert_eq!(day.air().wings.attacker.ready, [14 - 1 - 1 - 2 + 1, 10]);
    assert_eq!(day.air().wings.defender.ready, [5 + 2, 4]);
    assert!(
        day.notes.iter().any(|note| note.contains("bomb Radar stations; 3 count, for 6 points")),
        "{:?}",
        day.notes
    );
}

#[test]
fn a_side_withdraws_and_the_other_goes_through() {
    let at_stay = || {
        let mut day = Played::new("adlertag-1940");
        day.step(Vec::new());
        day.plans(json!({"luftflotte-2:radar": 8}), json!({"group-11:radar": 8}));
        // Both eliminate 1 and abort 3.
        day.dice(&[[1, 1], [1, 1]]);
        day
    };
    let mut day = at_stay();
    let stay = |role| Phase::Stay { target: 1, round: 2, role };
    use flagplot_world_at_war::game::air::Role;
    assert_eq!(day.air().phase, stay(Role::Attacker));
    day.choose(json!("withdraw"));
    assert_eq!((day.air().bombing, day.air().day), (0, 2), "no bombs, and the day is over");
    let mut day = at_stay();
    day.choose(json!("continue"));
    assert_eq!(day.air().phase, stay(Role::Defender));
    day.choose(json!("withdraw"));
    assert_eq!(day.air().phase, Phase::Guns { target: 1 });
    let mut day = at_stay();
    day.choose(json!("continue")).choose(json!("continue"));
    assert_eq!(day.air().phase, Phase::Fight { target: 1, round: 2 });
    day.dice(&[[1, 1], [1, 1]]);
    assert!(
        matches!(day.air().phase, Phase::Guns { target: 1 } | Phase::Dawn),
        "two rounds are all that the fuel allows"
    );
}

#[test]
fn strategic_bombing_has_one_round_radar_and_no_aborts_for_the_defender() {
    let mut day = Played::new("schweinfurt-1943");
    day.step(Vec::new());
    day.plans(
        json!({"jagdkorps-1:schweinfurt": 6, "day-fighters:schweinfurt": 3}),
        json!({"eighth-air-force:schweinfurt": 12}),
    );
    // The bombers add 2 - 3 - 2 = -3: 12 factors with a 7 read 4, 3/5. The aborts are ignored, and the defender says
    // who is lost. 9 fighters with a 7 + 3 read 10: 4/6.
    day.dice(&[[3, 4], [3, 4]]);
    let Question::Choice(asked) = day.question() else { panic!("the defender chooses") };
    assert_eq!((asked.seat, asked.prompt.code), (Seat(0), "losses"));
    assert_eq!(day.air().wings.attacker.ready, [12]);
    day.choose(json!({"jagdkorps-1": 1, "day-fighters": 2}));
    assert_eq!(day.air().wings.defender.ready, [7, 1]);
    assert_eq!(day.air().phase, Phase::Guns { target: 0 }, "nobody is asked to withdraw");
    // 12 - 4 - 6 = 2 are left for the guns of level 5: with a 2 they eliminate one.
    day.dice(&[[1, 1]]);
    assert_eq!(day.air().bombing, 3);
    assert_eq!(day.air().day, 2);
}

#[test]
fn an_owner_with_two_nations_shares_out_eliminations_before_aborts() {
    let mut day = Played::new("malta-1942");
    day.step(Vec::new());
    day.plans(
        json!({"fliegerkorps-2:grand-harbour": 5, "aeronautica:grand-harbour": 3}),
        json!({"malta-wing:grand-harbour": 4}),
    );
    // 4 with a 7 and equal modifiers: 1/3. 8 with a 7: 3/4, so that all four defenders are gone.
    day.dice(&[[3, 4], [3, 4]]);
    let Question::Choice(asked) = day.question() else { panic!("the attacker chooses") };
    assert!(asked.prompt.text.contains("cost you 1 factor"), "{}", asked.prompt.text);
    day.choose(json!({"aeronautica": 1}));
    let Question::Choice(asked) = day.question() else { panic!("the attacker chooses again") };
    assert!(asked.prompt.text.contains("turn back 3 factors"), "{}", asked.prompt.text);
    day.choose(json!({"fliegerkorps-2": 1, "aeronautica": 2}));
    assert_eq!(day.air().wings.attacker.ready, [9, 4]);
    // Four Germans are left, one kind: the guns' losses are not asked for. Level 7 with a 7: 2/2.
    day.dice(&[[3, 4]]);
    assert_eq!((day.air().wings.attacker.ready.clone(), day.air().bombing), (vec![7, 4], 0));
}

#[test]
fn a_side_without_factors_does_not_plan_and_an_attacker_without_any_has_lost_the_sky() {
    let mut day = Played::new("malta-1942");
    day.step(Vec::new());
    if let State::Air(state) = &mut day.state {
        state.wings.defender.ready = vec![0];
        state.wings.attacker.ready = vec![1, 0];
    }
    let Question::Secret { open, .. } = day.question() else { panic!("a sealed plan") };
    assert_eq!(open.iter().map(|asked| asked.seat).collect::<Vec<_>>(), [Seat(0)]);
    day.step(vec![Answer::Sealed(BTreeMap::from([(Seat(0), json!({"fliegerkorps-2:airfields": 1}))]))]);
    // Level 4 with a 2: one eliminated.
    day.dice(&[[1, 1]]);
    let outcome = day.game.outcome(&day.state).expect("the battle ends with the last attacker");
    assert_eq!(outcome.winner, Some(Side::Second));
    assert_eq!(outcome.details["score"], -2);
}

#[test]
fn nothing_is_hidden_between_steps_and_the_plans_stand_side_by_side() {
    let mut day = Played::new("adlertag-1940");
    assert!(day.game.open());
    day.step(Vec::new());
    let before = day.game.scene(&day.game.view(&day.state, Viewer::Spectator));
    assert!(before.panels.iter().all(|panel| !panel.title.starts_with("Plans")));
    day.plans(json!({"luftflotte-3:convoys": 5}), json!({"group-12:convoys": 2, "group-11:reserve": 3}));
    let scene = day.game.scene(&day.game.view(&day.state, Viewer::Spectator));
    let plans = scene.panels.iter().find(|panel| panel.title == "Plans of day 1").expect("both plans");
    assert_eq!(plans.rows[1], ["Channel convoys", "Luftflotte 3 5", "No. 12 Group 2", ""]);
    let over = scene.pieces.iter().find(|piece| piece.id == "luftflotte-3:convoys").expect("a piece over the convoys");
    assert!(over.text.contains("5 factors, over Channel convoys"), "{}", over.text);
    assert!(scene.status.iter().any(|line| line.contains("The Axis win with")), "{:?}", scene.status);
}

#[test]
fn dice_that_miss_their_average_are_luck_and_add_up_to_nothing() {
    let game = game("adlertag-1940");
    let (mut expected, mut real) = (0i64, 0i64);
    for seed in 0..60 {
        let mut chance = Chance::seeded(seed);
        played(&game, &mut chance, ByInstinct, |before, after| {
            for luck in game.luck(before, after) {
                expected += luck.expected;
                real += luck.real;
            }
        });
    }
    assert!(real > 0 && (real - expected).abs() * 20 < real, "real {real}, expected {expected}");
}

#[test]
fn greedy_beats_random() {
    struct Seats(Seat);
    impl Policy for Seats {
        fn decide<C: flagplot_kernel::Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
            if choice.seat() == self.0 { choice.instinct(chance) } else { choice.sample(chance) }
        }
    }
    let game = game("adlertag-1940");
    let (mut won, mut lost) = (0, 0);
    for seed in 0..60 {
        let greedy = Seat((seed % 2) as u8);
        let end = played(&game, &mut Chance::seeded(seed), Seats(greedy), |_, _| {});
        match game.outcome(&end).expect("an end").winner {
            Some(side) if Seat::from(side) == greedy => won += 1,
            Some(_) => lost += 1,
            None => {}
        }
    }
    assert!(won >= 9 * lost, "greedy won {won} and lost {lost}");
}

/// The referee, given the same forces and the same dice, says the same.
#[test]
fn play_and_referee_agree_on_air_combat_and_air_defense() {
    let system = system();
    let mut fights = 0;
    for battle in BATTLES {
        let game = game(battle);
        let scenario = system.data().scenarios.air.iter().find(|scenario| scenario.id == battle).expect("a scenario");
        let mut chance = Chance::seeded(5);
        for _ in 0..6 {
            let mut state = game.setup();
            while game.outcome(&state).is_none() {
                let before = air(&state).clone();
                let mut tape = Tape::with_dice(Vec::new(), DiceFrom::Chance(Box::new(chance.fork())));
                let next = match advance(&game, &state, &mut tape) {
                    Ok(Progress::Stepped(next)) => next,
                    _ => {
                        let mut sampler = Sampler::new(&mut chance, AtRandom);
                        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
                        continue;
                    }
                };
                let faces: Vec<u8> = tape.rolled().iter().map(|rolled| rolled.face).collect();
                let at = |target: u8| usize::from(target);
                let groups = |attacking: bool, target: u8| -> Value {
                    let (groups, wing) = match attacking {
                        true => (&scenario.attacker_groups, &before.wings.attacker),
                        false => (&scenario.defender_groups, &before.wings.defender),
                    };
                    let targets = scenario.targets.len();
                    let each = groups.iter().enumerate().map(|(group, of)| {
                        json!({"nation": of.nation, "type": of.kind, "count": wing.over[group * targets + at(target)]})
                    });
                    each.collect()
                };
                let lost = |attacking: bool, target: u8| {
                    let of = |state: &AirState| match attacking {
                        true => state.raids[at(target)].lost.attacker,
                        false => state.raids[at(target)].lost.defender,
                    };
                    let (was, is) = (of(&before), of(air(&next)));
                    [is.eliminated - was.eliminated, is.aborted - was.aborted]
                };
                let told =
                    |losses: &Value| ["eliminated", "aborted"].map(|field| losses[field].as_u64().unwrap() as u16);
                match before.phase {
                    Phase::Fight { target, .. } => {
                        let strategic = battle == "schweinfurt-1943";
                        let input = json!({
                            "attackers": groups(true, target), "defenders": groups(false, target),
                            "role": if strategic { "strategic-bombing-defense" } else { "interception" },
                            "radar_results": scenario.radar_results,
                        });
                        let said = crate::common::ask(&system, "air-combat", input, json!({"dice": faces}));
                        assert_eq!(told(&said["result"]["attacker_losses"]), lost(true, target), "{battle}: {said}");
                        assert_eq!(told(&said["result"]["defender_losses"]), lost(false, target), "{battle}: {said}");
                        fights += 1;
                    }
                    Phase::Guns { target } => {
                        let defenses = &scenario.targets[at(target)].defenses;
                        let attackers: u64 = groups(true, target)
                            .as_array()
                            .unwrap()
                            .iter()
                            .map(|group| group["count"].as_u64().unwrap())
                            .sum();
                        let input = json!({"attackers": attackers, "defenses": {
                            "flak": defenses.flak, "airbases": defenses.airbases, "cities": defenses.cities,
                            "ports": defenses.ports,
                        }});
                        let said = crate::common::ask(&system, "air-defense", input, json!({"dice": faces}));
                        assert_eq!(told(&said["result"]), lost(true, target), "{battle}: {said}");
                        fights += 1;
                    }
                    _ => {}
                }
                state = next;
            }
        }
    }
    assert!(fights > 100, "{fights}");
}
