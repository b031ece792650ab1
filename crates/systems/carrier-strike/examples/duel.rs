//! Scratch: instinct against chance, with the time a random playout takes.
use flagplot_carrier_strike::{System, files};
use flagplot_kernel::{AtRandom, Chance, Choice, Game, Policy, Sampler, Seat, Side};
use serde_json::Value;

struct OneThinks { thinks: Seat }
impl Policy for OneThinks {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        if choice.seat() == self.thinks { choice.instinct(chance) } else { choice.sample(chance) }
    }
}
fn main() {
    let system = System::new(&files()).unwrap();
    let mut args = std::env::args().skip(1);
    let scenario = args.next().unwrap_or("first-strike".into());
    let trace: Option<u64> = args.next().and_then(|a| a.parse().ok());
    let game = system.game(&scenario, &Value::Null).unwrap();
    let start = std::time::Instant::now();
    let n = 2000;
    let mut answered = 0;
    for seed in 0..n {
        let mut chance = Chance::stream(1, seed);
        let mut state = game.setup();
        let mut s = Sampler::new(&mut chance, AtRandom);
        while game.outcome(&state).is_none() { game.step(&mut state, &mut s).unwrap(); }
        answered += s.answered;
    }
    println!("{:?} per random game, {} answers", start.elapsed() / n as u32, answered / n);
    let mut won = 0; let mut lost = 0;
    for seed in 0..400u64 {
        if trace.is_some_and(|t| t != seed) { continue; }
        let thinks = Side::BOTH[(seed % 2) as usize];
        let mut chance = Chance::stream(11, seed);
        let mut state = game.setup();
        while game.outcome(&state).is_none() {
            let before = (state.turn, state.phasing);
            let mut s = Sampler::new(&mut chance, OneThinks { thinks: thinks.into() });
            game.step(&mut state, &mut s).unwrap();
            if trace.is_some() && before.1 == thinks {
                println!("t{} {:?} cv {:?} {:?} | {}", before.0, state.phase, state.carriers[thinks].real_card(), state.carriers[thinks.other()].form,
                    state.squadrons.iter().enumerate().filter(|(i, s)| i / 6 == thinks.index() && s.up()).map(|(i, s)| format!("{}@{},{} n{} rl{} {:?}{}", i % 6, s.pos.x, s.pos.y, s.strength, s.rl, s.role.unwrap(), if s.acted {"*"} else {""})).collect::<Vec<_>>().join(" "));
            }
        }
        let o = game.outcome(&state).unwrap();
        match o.winner { Some(w) if w == thinks => won += 1, Some(_) => { lost += 1; println!("lost {seed} {}", o.summary) }, None => println!("draw {seed} {}", o.summary) }
    }
    println!("{scenario}: won {won} lost {lost}");
}
