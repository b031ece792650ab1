//! What even play gives in custom battles: a line of CSV for each game of instinct against itself, with random
//! settings, from which the par of [custom] is fitted. `custom_par [GAMES] [SEED]`

use flagplot_kernel::{ByInstinct, Chance, Game, Sampler, Side};
use flagplot_schiffskrieg::battle::Place;
use flagplot_schiffskrieg::custom::CustomState;
use flagplot_schiffskrieg::game::State;
use flagplot_schiffskrieg::unit::Kind;
use flagplot_schiffskrieg::{System, files};
use serde_json::{Value, json};

fn settings(system: &System, chance: &mut Chance) -> Value {
    let mut nations: Vec<&str> = system.order_of_battle().nations();
    chance.shuffle(&mut nations);
    let [first, second] = [1 + chance.below(2) as usize, 1 + chance.below(2) as usize];
    let base = |chance: &mut Chance| match chance.below(3) {
        0 => Value::Null,
        _ => json!(chance.below(8)),
    };
    let fixed = |chance: &mut Chance| ["choice", "choice", "day", "night"][chance.below(4) as usize];
    json!({
        "first": {"nations": nations[..first], "nearest_air_base": base(chance)},
        "second": {"nations": nations[first..first + second], "nearest_air_base": base(chance)},
        "phasing": if chance.below(2) == 0 { "first" } else { "second" },
        "all_sea": chance.below(2) == 0,
        "budget": 20 + chance.below(131),
        "fixed_actions": [fixed(chance), fixed(chance)],
    })
}

/// Sums over the units that a side has picked.
fn force(system: &System, settings: &Value, picked: &CustomState, side: Side) -> String {
    let nations = &settings[["first", "second"][side.index()]]["nations"];
    let nations: Vec<&str> = nations.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let entries = system.order_of_battle().0.values().filter(|entry| nations.contains(&entry.nation.as_str()));
    let units = entries.zip(&picked.battle.units[side]).filter(|(_, unit)| unit.place == Place::Ready);
    let mut sums = [0; 10];
    for (entry, _) in units {
        let (sheet, front) = (&entry.sheet, &entry.sheet.front);
        let air = sheet.kind == Kind::Lba;
        let figures = [
            1,
            front.defense,
            front.gunnery,
            front.torpedo,
            front.airstrike,
            sheet.vp,
            front.airstrike.max(front.torpedo),
            front.gunnery.max(front.torpedo),
            if air { front.airstrike } else { 0 },
            if sheet.kind == Kind::Submarine { front.torpedo } else { 0 },
        ];
        for (sum, figure) in sums.iter_mut().zip(figures) {
            *sum += u32::from(figure);
        }
    }
    sums.map(|sum| sum.to_string()).join(" ")
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse().expect("a number"));
    let (games, seed): (u64, u64) = (numbers.next().unwrap_or(20_000), numbers.next().unwrap_or(1));
    let system = System::new(&files()).expect("the built-in data is right");
    println!("budget,phasing,all_sea,days,nights,base_first,base_second,par,margin,first,second");
    for number in 0..games {
        let mut chance = Chance::stream(seed, number);
        let settings = settings(&system, &mut chance);
        let Ok(game) = system.game("custom", &settings) else { continue };
        let mut state = game.setup();
        let mut sampler = Sampler::new(&mut chance, ByInstinct);
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        let State::Custom(picked) = &state else { continue };
        let forces = Side::BOTH.map(|side| force(&system, &settings, picked, side));
        let outcome = loop {
            if let Some(outcome) = game.outcome(&state) {
                break outcome;
            }
            game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        };
        let fixed = |word: &str| (0..2).filter(|round| settings["fixed_actions"][*round] == word).count();
        println!(
            "{},{},{},{},{},{},{},{},{},{},{}",
            settings["budget"],
            settings["phasing"],
            settings["all_sea"],
            fixed("day"),
            fixed("night"),
            settings["first"]["nearest_air_base"],
            settings["second"]["nearest_air_base"],
            outcome.details["par"],
            outcome.points[0] - outcome.points[1],
            forces[0],
            forces[1],
        );
    }
}
