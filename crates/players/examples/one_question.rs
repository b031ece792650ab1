//! What thought about one kind of question is worth: a player who searches there, and plays by instinct elsewhere,
//! against instinct. `cargo run --release -p flagplot-players --example one_question -- schiffskrieg midway-1942 wish
//! 400 exact 400 1`
//!
//! With `all` for the question it searches everywhere. Times are those of the processor. With `exact` secret answers
//! are drawn from the mix of the exact payoffs where the rules give them, with `sampled` they are searched for.

use flagplot_kernel::{Chance, Game, Outcome};
use flagplot_players::{Budget, Clock, PlayerKind, Settings, contest_by, search, think, tournament};

struct Task {
    code: String,
    budget: Budget,
    exact: bool,
    games: u32,
    seed: u64,
}

fn play<G: Game>(game: &G, task: &Task, seated: &[PlayerKind; 2], chance: &mut Chance) -> Option<Outcome> {
    contest_by(game, chance, |knowledge, asked, mind| {
        let side = game.seats().get(usize::from(asked.seat.0)).map_or(asked.seat.side(), |info| info.side);
        if (task.code == "all" || asked.prompt.code == task.code) && seated[side.index()] != PlayerKind::Greedy {
            let settings =
                Settings { exact: task.exact, ..Settings::new(task.budget).on_one_core().by(Clock::Processor) };
            return search(knowledge, &settings, mind);
        }
        think(game, knowledge.view(), knowledge.answers(), knowledge.seat(), PlayerKind::Greedy, mind)
    })
    .outcome
}

fn run<G: Game>(game: &G, task: &Task) {
    let players = [PlayerKind::Search(task.budget), PlayerKind::Greedy];
    let found =
        tournament(&players, task.games, task.seed, 1, |seated, chance| play(game, task, seated, chance), |_, _| {});
    let m = &found.matches[0];
    let [decided, score] = [m.decided, m.score].map(|[share, low, high]| format!("{share:.3} ({low:.3} to {high:.3})"));
    println!(
        "{} {} {}: {} won, {} drawn, {} lost; decided {decided}; per game {score}",
        task.code,
        task.budget,
        if task.exact { "exact" } else { "sampled" },
        m.wins,
        m.draws,
        m.losses
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [system, scenario, code, budget, exact, games, seed] = words.as_slice() else {
        return eprintln!("one_question SYSTEM SCENARIO QUESTION BUDGET exact|sampled GAMES SEED");
    };
    let task = Task {
        code: code.clone(),
        budget: budget.parse().expect("a budget"),
        exact: exact == "exact",
        games: games.parse().expect("a number"),
        seed: seed.parse().expect("a number"),
    };
    let options = serde_json::Value::Null;
    macro_rules! run_in {
        ($system:ident) => {{
            let system = $system::System::new(&$system::files()).expect("the data is sound");
            run(&system.game(scenario, &options).expect("a scenario"), &task);
        }};
    }
    match system.as_str() {
        "carrier-strike" => run_in!(flagplot_carrier_strike),
        "dogfite" => run_in!(flagplot_dogfite),
        "fleet-action" => run_in!(flagplot_fleet_action),
        "schiffskrieg" => run_in!(flagplot_schiffskrieg),
        "world-at-war" => run_in!(flagplot_world_at_war),
        _ => eprintln!("There is no system '{system}'."),
    }
}
