//! How well the computer fights at sea, and what the limits of the scenarios make of it.

use crate::naval_play::{NAVAL, game, play};
use flagplot_kernel::{AtRandom, ByInstinct, Chance, Choice, Game, Policy, Sampler, Seat, Side};

/// So many games are played unless the environment says otherwise.
fn games(usual: u64) -> u64 {
    std::env::var("FLAGPLOT_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(usual)
}

/// One seat plays by instinct, the other at random.
#[derive(Clone, Copy)]
struct Against {
    sensible: Seat,
}

impl Policy for Against {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        if choice.seat() == self.sensible { choice.instinct(chance) } else { choice.sample(chance) }
    }
}

/// Wins and losses of the sensible player, seats exchanged.
fn against_random(id: &str, games: u64) -> [u64; 2] {
    let game = game(id);
    let mut decided = [0, 0];
    for number in 0..games {
        let sensible = Seat((number % 2) as u8);
        let outcome = play(&game, Against { sensible }, &mut Chance::stream(7, number / 2));
        if let Some(winner) = outcome.winner {
            decided[usize::from(winner != sensible.side())] += 1;
        }
    }
    decided
}

#[test]
fn sense_beats_chance() {
    for (id, least) in [("coral-sea-1942", 90), ("surigao-1944", 75)] {
        let [won, lost] = against_random(id, games(160));
        println!("{id}: {won} won, {lost} lost");
        assert!(100 * won >= least * (won + lost), "{id}: {won} won, {lost} lost");
    }
}

/// Neither side of a scenario is without hope when both play sensibly. With `FLAGPLOT_GAMES=500` and `--nocapture` it
/// prints what limits are fitted from. [C-37]
#[test]
fn either_side_can_win() {
    for id in NAVAL {
        let game = game(id);
        let mut scores: Vec<i64> = Vec::new();
        let mut wins = [0, 0, 0];
        for number in 0..games(120) {
            let outcome = play(&game, ByInstinct, &mut Chance::stream(1, number));
            scores.push(outcome.details["score"].as_i64().unwrap());
            wins[match outcome.winner {
                Some(Side::First) => 0,
                None => 1,
                Some(Side::Second) => 2,
            }] += 1;
        }
        scores.sort_unstable();
        let at = |hundredth: usize| scores[(scores.len() - 1) * hundredth / 100];
        let tenths: Vec<i64> = (0..=20).map(|step| at(5 * step)).collect();
        println!("{id}: Axis, draw, Allies {wins:?}; scores by twentieths {tenths:?}");
        assert!(wins[0] > 0 && wins[2] > 0, "{id}: {wins:?}");
    }
}

/// Plays for a while and prints how fast; `--release` and `--nocapture` make it a measurement.
#[test]
fn random_playouts_count_their_dice_and_choices() {
    for id in ["bismarck-1941", "coral-sea-1942"] {
        let game = game(id);
        let started = std::time::Instant::now();
        let (mut answered, rounds) = (0, games(60) * 20);
        for number in 0..rounds {
            let mut chance = Chance::stream(3, number);
            let mut state = game.setup();
            while game.outcome(&state).is_none() {
                let mut sampler = Sampler::new(&mut chance, AtRandom);
                game.step(&mut state, &mut sampler).unwrap();
                answered += sampler.answered;
            }
        }
        let micros = started.elapsed().as_micros().max(1) as u64;
        println!("{id}: {answered} dice and choices, {} thousand a second", answered * 1000 / micros);
        assert!(answered > 10 * rounds, "{id}: a battle has dice and choices");
        let started = std::time::Instant::now();
        let battles = games(60).min(200);
        for number in 0..battles {
            play(&game, ByInstinct, &mut Chance::stream(4, number));
        }
        println!("{id}: {} microseconds a greedy battle", started.elapsed().as_micros() as u64 / battles);
    }
}
