//! Movement, contacts, torpedo sheets and the set-up in whole battles.

use super::system;
use flagplot_fleet_action::game::FleetGame;
use flagplot_kernel::{AtRandom, ByInstinct, Chance, Choice, Game, Policy, Sampler};
use serde_json::Value;

pub(crate) const SCENARIOS: [&str; 10] = [
    "river-plate",
    "denmark-strait",
    "savo-island",
    "samar",
    "hx-84",
    "illustrious",
    "kormoran",
    "two-decks",
    "blackett-strait",
    "i-168",
];

/// Makes sure that every answer is legal, survives its JSON form, and can be put on a screen.
pub(crate) struct Strict<P> {
    pub policy: P,
    /// Every so many questions the screen is drawn too.
    pub screens: u32,
    pub asked: u32,
}

impl<P: Policy> Policy for Strict<P> {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        self.asked += 1;
        if self.screens > 0 && self.asked % self.screens == 0 {
            let prompt = choice.prompt();
            assert!(prompt.text.ends_with('?') || prompt.text.ends_with('.'), "{}", prompt.text);
            let candidates = choice.candidates();
            assert!(!candidates.is_empty(), "{}", prompt.code);
            for candidate in candidates {
                if let Err(refusal) = choice.check(&candidate.value) {
                    panic!("{}: the candidate '{}' is refused: {refusal}", prompt.code, candidate.label);
                }
            }
            let _ = choice.form();
        }
        let value = self.policy.decide(choice, chance);
        let json = serde_json::to_value(&value).expect("an answer is JSON");
        if let Err(refusal) = choice.check(&value) {
            panic!("{}: {json}: {refusal}", choice.prompt().code);
        }
        let read: C::Value = serde_json::from_value(json.clone()).expect("an answer reads its own JSON");
        assert_eq!(serde_json::to_value(&read).expect("an answer is JSON"), json);
        value
    }
}

pub(crate) fn play(game: &FleetGame, policy: impl Policy, seed: u64, screens: u32, steps: u32) -> u32 {
    let mut chance = Chance::seeded(seed);
    let mut sampler = Sampler::new(&mut chance, Strict { policy, screens, asked: 0 });
    let mut state = game.setup();
    for step in 0..steps {
        if game.outcome(&state).is_some() {
            return step;
        }
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
    }
    steps
}

pub(crate) fn game(id: &str) -> FleetGame {
    system().game(id, &Value::Null).expect("the scenario is there")
}

#[test]
fn every_battle_is_sailed_at_random_and_by_instinct() {
    for id in SCENARIOS {
        let game = game(id);
        for seed in 0..4 {
            play(&game, AtRandom, seed, 7, 400);
        }
        play(&game, ByInstinct, 1, 5, 200);
    }
}
