//! A single idea does not win: a short scenario of each system, every idea on both sides, two games each.

use flagplot_catalog::{Catalog, Clock, PlayerKind};
use flagplot_kernel::{Chance, Outcome, Side};
use flagplot_players::Exploit;
use serde_json::Value;

/// Who plays against the ideas. A quarter of a second an answer is too long for every run of the tests and does not
/// repeat; `FLAGPLOT_AGAINST=officer` takes that time.
fn against(usual: &str) -> PlayerKind {
    let named = std::env::var("FLAGPLOT_AGAINST");
    named.as_deref().unwrap_or(usual).parse().expect("a player")
}

fn points(outcome: Option<Outcome>, side: Side) -> u32 {
    match outcome.expect("the game ends within its step limit").winner {
        Some(winner) => 2 * u32::from(winner == side),
        None => 1,
    }
}

/// Half points that each idea gets in two games on each side; at most 8.
fn tried(system: &str, scenario: &str, usual: &str) {
    let catalog = Catalog::built_in();
    let game = catalog.system(system).unwrap().game(scenario, &Value::Null).unwrap();
    let mut all = [0, 0];
    for idea in Exploit::ALL {
        let mut got = [0, 0];
        for (side, number) in Side::BOTH.into_iter().flat_map(|side| [0, 1].map(|number| (side, number))) {
            let chance = &mut Chance::stream(15, number);
            let (played, given) = game.exploit(side, idea, against(usual), Clock::Processor, chance);
            if given > 0 {
                got = [got[0] + points(played.outcome, side), got[1] + 2];
            }
        }
        println!("{system} {scenario}: {idea} got {} of {} half points", got[0], got[1]);
        assert!(got[1] < 8 || got[0] < 8, "{system} {scenario}: {idea} won all its games");
        all = [all[0] + got[0], all[1] + got[1]];
    }
    assert!(all[1] >= 16, "{system} {scenario}: only {} half points were played for", all[1]);
    assert!(2 * all[0] <= all[1], "{system} {scenario}: the ideas got {} of {} half points", all[0], all[1]);
}

#[test]
fn no_idea_wins_a_battle_of_schiffskrieg() {
    tried("schiffskrieg", "narvik-1940", "search:400");
}

#[test]
fn no_idea_wins_a_battle_of_a_world_at_war() {
    tried("world-at-war", "matapan-1941", "search:60");
}

#[test]
fn no_idea_wins_a_carrier_duel() {
    tried("carrier-strike", "hiryu-alone", "search:20");
}

#[test]
fn no_idea_wins_a_dogfight() {
    tried("dogfite", "guynemer-udet-1917", "search:20");
}

#[test]
fn no_idea_wins_a_sea_fight() {
    tried("fleet-action", "kormoran", "search:20");
}

/// Hawker may not simply fly home.
#[test]
fn hawker_does_not_win_by_flying_home() {
    let catalog = Catalog::built_in();
    let game = catalog.system("dogfite").unwrap().game("hawker-1916", &Value::Null).unwrap();
    let got: u32 = (0..4)
        .map(|number| {
            let chance = &mut Chance::stream(16, number);
            let (played, _) = game.exploit(Side::First, Exploit::Flee, against("search:20"), Clock::Processor, chance);
            points(played.outcome, Side::First)
        })
        .sum();
    println!("Hawker, fleeing, got {got} of 8 half points");
    assert!(got <= 4, "Hawker, fleeing, got {got} of 8 half points");
}
