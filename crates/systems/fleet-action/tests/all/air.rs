//! Aircraft, submarines and mines in whole battles, and the refusals of their sheets.

use super::system;
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::state::{Aloft, Level, Sea, State};
use flagplot_kernel::{AtRandom, ByInstinct, Chance, Choice, Game, Policy, Sampler};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

const BATTLES: [&str; 5] = ["illustrious", "samar", "two-decks", "blackett-strait", "i-168"];

fn game(id: &str) -> FleetGame {
    system().battle(id).expect("the scenario is there")
}

/// Makes sure that every answer and every candidate is legal, and counts the questions by their codes.
struct Strict<'a, P> {
    policy: P,
    asked: &'a RefCell<BTreeMap<&'static str, u32>>,
}

impl<P: Policy> Policy for Strict<'_, P> {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        let prompt = choice.prompt();
        let asked = {
            let mut asked = self.asked.borrow_mut();
            let count = asked.entry(prompt.code).or_default();
            *count += 1;
            *count
        };
        if asked % 5 == 1 {
            for candidate in choice.candidates() {
                if let Err(refusal) = choice.check(&candidate.value) {
                    panic!("{}: the candidate '{}' is refused: {refusal}", prompt.code, candidate.label);
                }
            }
            let _ = choice.form();
        }
        let value = self.policy.decide(choice, chance);
        let json = serde_json::to_value(&value).expect("an answer is JSON");
        if let Err(refusal) = choice.check(&value) {
            panic!("{}: {json}: {refusal}", prompt.code);
        }
        let read: C::Value = serde_json::from_value(json.clone()).expect("an answer reads its own JSON");
        assert_eq!(serde_json::to_value(&read).expect("an answer is JSON"), json);
        value
    }
}

/// What must hold between any two steps.
fn sound(game: &FleetGame, sea: &Sea) {
    for (flight, stand) in game.battle.stands.iter().zip(&sea.stands) {
        let name = &flight.name;
        assert!((0..=flight.placed.count).contains(&stand.aircraft), "{name}: {} aircraft", stand.aircraft);
        assert!(stand.aircraft > 0 || stand.aloft == Aloft::Gone, "{name}: {:?} without aircraft", stand.aloft);
        assert!(stand.flak >= 0, "{name}");
        if let Aloft::Aboard { ready } | Aloft::Launching { off: ready } | Aloft::Landing { down: ready } = stand.aloft
        {
            assert!((0..=stand.aircraft).contains(&ready), "{name}: {:?}", stand.aloft);
            assert!(stand.home.is_some(), "{name} is aboard no ship");
        }
    }
    for (member, vessel) in game.battle.vessels.iter().zip(&sea.vessels) {
        let name = &member.name;
        assert!(vessel.ledger.handled <= member.model.sheet.h_max, "{name}: {}", vessel.ledger.handled);
        let dives = member.model.submerged_speed > 0;
        assert!(dives || vessel.level == Level::Surfaced, "{name} is under water");
        assert!((0..=member.vessels).contains(&vessel.vessels), "{name}: {} vessels", vessel.vessels);
    }
}

/// Plays a battle to its end, with the questions asked.
fn play(game: &FleetGame, policy: impl Policy, seed: u64) -> (State, BTreeMap<&'static str, u32>) {
    let mut chance = Chance::seeded(seed);
    let asked = RefCell::default();
    let mut sampler = Sampler::new(&mut chance, Strict { policy, asked: &asked });
    let mut state = game.setup();
    for step in 0..game.step_limit() {
        if game.outcome(&state).is_some() {
            return (state, asked.take());
        }
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        sound(game, &state.sea);
        if step % 16 == 0 {
            let json = serde_json::to_string(&state).expect("a state is JSON");
            let read: State = serde_json::from_str(&json).expect("a state reads its own JSON");
            assert!(read == state, "a state is not what its JSON says");
        }
    }
    panic!("{} has no end", game.battle.scenario.id);
}

#[test]
fn battles_in_the_air_and_under_water_are_fought_to_the_end() {
    let mut codes = BTreeSet::new();
    for id in BATTLES {
        let game = game(id);
        for seed in 0..3 {
            codes.extend(play(&game, AtRandom, seed).1.into_keys());
            codes.extend(play(&game, ByInstinct, seed).1.into_keys());
        }
    }
    for code in ["flight", "escorts", "interceptors", "flak", "dive", "flight-squadron"] {
        assert!(codes.contains(code), "'{code}' was never asked");
    }
}
