//! Whole ground battles: they end, whoever plays.

use flagplot_kernel::{Ask, Asked, Chance, Choice, Die, Game, Note, Policy, Sampler, Seat, Viewer};
use flagplot_world_at_war::game::ground::Phase;
use flagplot_world_at_war::game::{State, WorldAtWar};
use flagplot_world_at_war::{System, files};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Display;

pub const SCENARIOS: [&str; 5] = ["rzhev-1942", "changsha-1941", "sedan-1940", "gazala-1942", "citadel-1943"];

pub fn game(scenario: &str) -> WorldAtWar {
    System::new(&files()).unwrap().game(scenario, &Value::Null).unwrap()
}

/// A policy that answers by instinct for the seats named, at random for the others, and checks every answer.
pub struct Mixed(pub &'static [Seat]);

impl Policy for Mixed {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        let value = if self.0.contains(&choice.seat()) { choice.instinct(chance) } else { choice.sample(chance) };
        let checked = choice.check(&value);
        assert!(checked.is_ok(), "an illegal answer to {}: {checked:?}", choice.prompt().code);
        value
    }
}

pub fn play(game: &WorldAtWar, seats: &'static [Seat], seed: u64, mut look: impl FnMut(&State, &State)) -> State {
    let (mut state, mut chance) = (game.setup(), Chance::seeded(seed));
    for _ in 0..game.step_limit() {
        if game.outcome(&state).is_some() {
            return state;
        }
        let before = state.clone();
        game.step(&mut state, &mut Sampler::new(&mut chance, Mixed(seats))).expect("a sampler answers everything");
        look(&before, &state);
    }
    panic!("the battle did not end within {} steps", game.step_limit());
}

#[test]
fn random_and_greedy_battles_end() {
    for scenario in SCENARIOS {
        let game = game(scenario);
        for (seed, seats) in [(1, &[][..]), (2, &[]), (3, &[Seat(0)]), (4, &[Seat(1)]), (5, &[Seat(0), Seat(1)])] {
            let end = play(&game, seats, seed, |_, _| {});
            assert!(game.outcome(&end).is_some());
        }
    }
}

#[test]
fn instinct_beats_chance() {
    let game = game("citadel-1943");
    let (mut won, mut lost) = (0, 0);
    for seed in 0..20 {
        for (seat, seats) in [(Seat(0), &[Seat(0)][..]), (Seat(1), &[Seat(1)])] {
            let end = play(&game, seats, seed, |_, _| {});
            match game.outcome(&end).unwrap().winner {
                Some(side) if Seat::from(side) == seat => won += 1,
                Some(_) => lost += 1,
                None => {}
            }
        }
    }
    assert!(won >= 9 * lost, "won {won}, lost {lost}");
}

/// Answers like a sampler, half of the time by instinct, and keeps every rule that a note, a prompt or a refusal cites.
struct Listener<'a> {
    chance: &'a mut Chance,
    cited: &'a mut BTreeSet<String>,
}

impl Ask for Listener<'_> {
    fn roll(&mut self, die: Die, _: impl Display) -> Asked<u8> {
        Ok(self.chance.face(die))
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        let prompt = choice.prompt();
        self.cited.extend(prompt.rule.map(|rule| rule.id.to_owned()));
        let offered = choice.candidates();
        assert!(!offered.is_empty(), "{} offers nothing", prompt.code);
        for candidate in &offered {
            let checked = choice.check(&candidate.value);
            assert!(checked.is_ok(), "{} offers {} and refuses it: {checked:?}", prompt.code, candidate.label);
        }
        Ok(if self.chance.below(2) == 0 { choice.instinct(self.chance) } else { choice.sample(self.chance) })
    }

    fn listening(&self) -> bool {
        true
    }

    fn record(&mut self, note: Note) {
        self.cited.extend(note.rules.iter().map(|rule| rule.id.to_owned()));
        self.cited.extend(note.modifiers.iter().filter_map(|modifier| Some(modifier.rule?.id.to_owned())));
    }
}

/// The rules that some battles cite.
pub fn cited() -> BTreeSet<String> {
    let (mut cited, mut chance) = (BTreeSet::new(), Chance::seeded(11));
    for scenario in SCENARIOS.repeat(3) {
        let game = game(scenario);
        let mut state = game.setup();
        while game.outcome(&state).is_none() {
            let ask = &mut Listener { chance: &mut chance, cited: &mut cited };
            game.step(&mut state, ask).expect("a listener answers everything");
            assert!(!game.scene(&game.view(&state, Viewer::Spectator)).status.is_empty());
        }
    }
    cited
}

#[test]
fn the_battles_cite_their_rules_and_accept_what_they_offer() {
    let cited = cited();
    let own =
        ["4.1", "4.2", "4.4", "C-2", "C-5", "C-6", "C-7", "C-8", "C-9", "C-19", "C-21", "C-25", "C-30", "C-31", "C-33"];
    for id in own {
        assert!(cited.contains(id), "no battle cites {id}");
    }
}

#[test]
fn a_stored_state_comes_back_the_same() {
    for scenario in SCENARIOS {
        let game = game(scenario);
        let mut seen = 0;
        play(&game, &[Seat(0)], 7, |_, state| {
            seen += 1;
            if seen % 9 == 0 {
                let text = serde_json::to_string(state).unwrap();
                assert_eq!(serde_json::from_str::<State>(&text).unwrap(), *state, "{scenario}");
            }
        });
    }
}

#[test]
fn air_factors_and_counters_are_never_lost_sight_of() {
    for scenario in ["sedan-1940", "citadel-1943", "gazala-1942"] {
        let game = game(scenario);
        let count = |state: &State| {
            let State::Ground(state) = state else { panic!("not a ground battle") };
            let fight = match state.phase {
                Phase::Fight(fight) => Some(fight.attack),
                _ => None,
            };
            let flying = state.attacks.iter().copied().chain(fight);
            let over: u32 = flying.map(|attack| u32::from(attack.support + attack.das + attack.interceptors)).sum();
            let pools = [state.air.first, state.air.second].map(|pool| pool.ready + pool.spent + pool.eliminated);
            over + pools.iter().map(|factors| u32::from(*factors)).sum::<u32>()
        };
        let all = count(&game.setup());
        for (seed, seats) in [(1, &[][..]), (2, &[Seat(0), Seat(1)])] {
            play(&game, seats, seed, |before, after| assert_eq!(count(after), all, "{before:?}"));
        }
    }
}

#[test]
fn luck_is_measured_where_dice_are_rolled() {
    let game = game("sedan-1940");
    let (mut expected, mut real, mut steps) = (0, 0, 0);
    play(&game, &[Seat(0), Seat(1)], 3, |before, after| {
        for luck in game.luck(before, after) {
            steps += u32::from(luck != Default::default());
            expected += luck.expected;
            real += luck.real;
        }
    });
    assert!(steps > 3, "dice were rolled in {steps} steps");
    assert!(expected != real, "dice that always give their average would be no dice");
}
