//! Counts how often instinct beats chance: `against_chance SCENARIO [GAMES] [SEED]`, half of them on either side.

use flagplot_fleet_action::{System, files};
use flagplot_kernel::{Chance, Choice, Game, Policy, Sampler, Side};

/// Instinct for one side, chance for the other.
struct Half(Side);

impl Policy for Half {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        if choice.seat().side() == self.0 { choice.instinct(chance) } else { choice.sample(chance) }
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let scenario = words.next().unwrap_or_else(|| "river-plate".into());
    let mut number = |or: u64| words.next().and_then(|word| word.parse().ok()).unwrap_or(or);
    let (games, seed) = (number(400), number(21));
    let system = System::new(&files()).expect("the data is sound");
    let game = system.battle(&scenario).expect("the scenario is there");
    let (mut won, mut lost, mut drawn) = (0, 0, 0);
    for at in 0..games {
        let side = if at % 2 == 0 { Side::First } else { Side::Second };
        let mut chance = Chance::stream(seed, at);
        let mut sampler = Sampler::new(&mut chance, Half(side));
        let mut state = game.setup();
        let outcome = loop {
            if let Some(outcome) = game.outcome(&state) {
                break outcome;
            }
            game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        };
        match outcome.winner {
            None => drawn += 1,
            Some(winner) if winner == side => won += 1,
            Some(_) => lost += 1,
        }
    }
    let decided = (won + lost).max(1);
    println!("{scenario}: greedy {won}, random {lost}, drawn {drawn}: {}% of those decided", 100 * won / decided);
}
