//! Whole games: they end, whoever plays; and instinct beats chance.

use crate::common::{battles, system};
use flagplot_dogfite::game::{Dogfight, Formation, Stage, State};
use flagplot_dogfite::initiative::Why;
use flagplot_dogfite::words::{Flight, Status};
use flagplot_kernel::{AtRandom, ByInstinct, Chance, Choice, Game, Policy, Sampler, Seat, Side};
use serde_json::{Value, json};

/// A policy for each seat, instinct where it is named.
struct Mixed(Vec<Seat>);

impl Policy for Mixed {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        let value = if self.0.contains(&choice.seat()) { choice.instinct(chance) } else { choice.sample(chance) };
        assert!(
            choice.check(&value).is_ok(),
            "an illegal answer to {:?}: {:?}",
            choice.prompt().code,
            choice.check(&value)
        );
        value
    }
}

#[derive(Default, Debug)]
struct Met {
    formations: u32,
    kept_formation: u32,
    circles: u32,
    tailings: u32,
    spins: u32,
    recoveries: u32,
    stalls: u32,
    fires: u32,
    departures: u32,
    crashes_and_breakups: u32,
}

fn play(game: &Dogfight, policy: impl Policy, chance: &mut Chance, met: &mut Met) -> State {
    let mut state = game.setup();
    let mut policy = Some(policy);
    for _ in 0..game.step_limit() {
        if game.outcome(&state).is_some() {
            return state;
        }
        let before = state.clone();
        let mut sampler = Sampler::new(chance, policy.take().unwrap());
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        policy = Some(sampler.policy);
        observe(&before, &state, met);
    }
    panic!("a game of {} did not end", game.step_limit());
}

fn observe(before: &State, after: &State, met: &mut Met) {
    // A follower that has kept formation to the end stands where its leader stands.
    if let (Some(mover), None) = (&before.mover, &after.mover)
        && mover.stage == Stage::Engine
        && matches!(mover.formation, Formation::Copying(_))
        && let Some((leader, _)) = before.order.follows(mover.who)
    {
        let (follower, leader) = (after.get(mover.who), after.get(leader));
        if follower.in_play()
            && leader.in_play()
            && follower.flight != Flight::Spinning
            && leader.flight != Flight::Spinning
        {
            assert_eq!(
                (follower.position.hex, follower.position.facing, follower.position.level),
                (leader.position.hex, leader.position.facing, leader.position.level)
            );
            met.kept_formation += 1;
        }
    }
    met.formations += (after.trails.len() > before.trails.len()) as u32;
    met.circles += (after.order.circles().len() > before.order.circles().len()) as u32;
    for id in 0..after.craft.len() as u8 {
        let (old, new) = (before.get(id), after.get(id));
        let tails = |state: &State| matches!(state.order.follows(id), Some((_, Why::Tailing)));
        met.tailings += (tails(after) && !tails(before)) as u32;
        met.spins += (old.flight != Flight::Spinning && new.flight == Flight::Spinning) as u32;
        met.recoveries += (old.flight == Flight::Spinning && new.flight != Flight::Spinning && new.in_play()) as u32;
        met.stalls += (old.flight != Flight::Stalled && new.flight == Flight::Stalled) as u32;
        met.fires += (!old.harm.burning && new.harm.burning) as u32;
        if old.in_play() && !new.in_play() {
            match new.status {
                Status::Destroyed => met.crashes_and_breakups += 1,
                _ => met.departures += 1,
            }
        }
    }
}

/// How many games a series has: 100, or as many as `FLAGPLOT_GAMES` says.
fn games() -> u64 {
    std::env::var("FLAGPLOT_GAMES").map_or(100, |games| games.parse().expect("FLAGPLOT_GAMES is a number"))
}

fn series(name: &str, instinct: bool) {
    let system = system();
    let scenarios = battles(&system);
    assert_eq!(scenarios.len(), 9);
    let mut met = Met::default();
    let mut ends = [0; 3];
    for n in 0..games() {
        let game = system.game(&scenarios[n as usize % 9], &Value::Null).unwrap();
        let mut chance = Chance::stream(7, n);
        let seats = if instinct { vec![Seat(0), Seat(1)] } else { Vec::new() };
        let state = play(&game, Mixed(seats), &mut chance, &mut met);
        let outcome = game.outcome(&state).unwrap();
        ends[outcome.winner.map_or(2, Side::index)] += 1;
    }
    println!("{name}: {} games, Allied {}, Central {}, draws {}; {met:?}", games(), ends[0], ends[1], ends[2]);
    assert!(
        met.formations > 0 && met.kept_formation > 0 && met.spins > 0 && met.recoveries > 0 && met.stalls > 0,
        "{met:?}"
    );
    assert!(!instinct || (met.tailings > 0 && met.circles > 0), "{met:?}");
}

#[test]
fn many_random_games_end() {
    series("random", false);
}

#[test]
fn many_games_of_instinct_end() {
    series("instinct", true);
}

#[test]
fn instinct_beats_chance_at_verdun() {
    let system = system();
    let game = system.game("verdun-1916", &Value::Null).unwrap();
    let (mut won, mut lost) = (0, 0);
    for n in 0..100u64 {
        let own = Seat((n % 2) as u8);
        let state = play(&game, Mixed(vec![own]), &mut Chance::stream(11, n), &mut Met::default());
        match game.outcome(&state).unwrap().winner {
            Some(side) if Seat::from(side) == own => won += 1,
            Some(_) => lost += 1,
            None => {}
        }
    }
    println!("instinct won {won} and lost {lost}");
    assert!(won + lost >= 50 && won * 100 >= (won + lost) * 90, "{won} won, {lost} lost");
}

/// Counts what instinct answers when it is asked to climb or dive.
#[derive(Default)]
struct Verticals {
    asked: u32,
    begun_dives: u32,
}

impl Policy for &mut Verticals {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        let value = choice.instinct(chance);
        let prompt = choice.prompt();
        if prompt.code == "vertical" {
            self.asked += 1;
            self.begun_dives +=
                u32::from(matches!(serde_json::to_value(&value).unwrap().as_str(), Some("half-dive" | "full-dive")));
        }
        value
    }
}

/// Height is worth something: instinct dives for a reason. And its games are decided often enough.
#[test]
fn instinct_does_not_dive_by_habit_and_comes_to_a_decision() {
    let system = system();
    let mut seen = Verticals::default();
    let mut drawn = 0;
    for id in battles(&system) {
        let game = system.game(&id, &Value::Null).unwrap();
        let mut ends = [0; 3];
        for n in 0..games() / 5 {
            let state = play(&game, &mut seen, &mut Chance::stream(17, n), &mut Met::default());
            ends[game.outcome(&state).unwrap().winner.map_or(2, Side::index)] += 1;
        }
        println!("{id}: Allied {}, Central {}, drawn {}", ends[0], ends[1], ends[2]);
        drawn += ends[2];
    }
    let games = 9 * (games() / 5);
    println!("{} of {} answers began a dive; {drawn} of {games} games drawn", seen.begun_dives, seen.asked);
    assert!(seen.asked > 1000 && seen.begun_dives * 4 < seen.asked, "{} of {}", seen.begun_dives, seen.asked);
    assert!(drawn * 2 < games, "{drawn} of {games} drawn");
}

#[test]
fn plain_policies_play_too() {
    let system = system();
    let game = system.game("red-baron-1918", &json!({"seats": {"allied": 2, "central": 3}})).unwrap();
    assert_eq!(game.seats().len(), 5);
    play(&game, AtRandom, &mut Chance::seeded(1), &mut Met::default());
    play(&game, ByInstinct, &mut Chance::seeded(2), &mut Met::default());
}
