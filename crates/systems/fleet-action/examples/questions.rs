//! Counts how often each player is asked in a turn, instinct against itself: `questions SCENARIO [GAMES]`.

use flagplot_fleet_action::{System, files};
use flagplot_kernel::{Chance, Choice, Game, Policy, Sampler};

/// Instinct that counts the questions to each side.
#[derive(Default)]
struct Counting {
    asked: [u32; 2],
}

impl Policy for Counting {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        self.asked[choice.seat().side().index()] += 1;
        choice.instinct(chance)
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let scenario = words.next().unwrap_or_else(|| "river-plate".into());
    let games: u64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(5);
    let system = System::new(&files()).expect("the data is sound");
    let game = system.battle(&scenario).expect("the scenario is there");
    let (mut most, mut all, mut turns) = ([0.0_f64; 2], [0_u32; 2], 0);
    for seed in 1..=games {
        let mut chance = Chance::seeded(seed);
        let mut sampler = Sampler::new(&mut chance, Counting::default());
        let mut state = game.setup();
        while game.outcome(&state).is_none() {
            game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        }
        let played = state.sea.turn;
        turns += played;
        for (side, asked) in sampler.policy.asked.into_iter().enumerate() {
            all[side] += asked;
            most[side] = most[side].max(f64::from(asked) / f64::from(played));
        }
    }
    let mean = all.map(|asked| f64::from(asked) / f64::from(turns.max(1)));
    println!(
        "{scenario}, {games} games: {:.1} and {:.1} questions a turn; in the game with most {:.1} and {:.1}",
        mean[0], mean[1], most[0], most[1]
    );
}
