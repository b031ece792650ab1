//! The turn of a campaign, rule by rule.

use crate::common::{asks, game, step};
use flagplot_kernel::{Answer, Chance, Game, Seat, Side};
use flagplot_schiffskrieg::battle::Place;
use flagplot_schiffskrieg::campaign::{CampaignState, Goal, Station, Step};
use flagplot_schiffskrieg::delay;
use flagplot_schiffskrieg::game::{Schiffskrieg, State};
use flagplot_schiffskrieg::scenario::Fight;
use serde_json::{Value, json};

const SLOT: u8 = 0;
const EASTERN_SOLOMONS: u8 = 1;
const SANTA_CRUZ: u8 = 2;
const BISMARCK_SEA: u8 = 3;

fn inner(state: &State) -> &CampaignState {
    match state {
        State::Campaign(state) => state,
        _ => panic!("a campaign"),
    }
}

fn inner_mut(state: &mut State) -> &mut CampaignState {
    match state {
        State::Campaign(state) => state,
        _ => panic!("a campaign"),
    }
}

/// The position of a unit of a side.
fn at(game: &Schiffskrieg, state: &State, side: Side, id: &str) -> usize {
    let Schiffskrieg::Campaign(game) = game else { panic!("a campaign") };
    (0..inner(state).units[side].len())
        .find(|&at| game.counter(inner(state), side, at).sheet.id.as_str() == id)
        .unwrap_or_else(|| panic!("no '{id}'"))
}

fn station(game: &Schiffskrieg, state: &State, side: Side, id: &str) -> Station {
    inner(state).stations[side][at(game, state, side, id)]
}

/// The first turn of the Solomons at its orders.
fn orders() -> (Schiffskrieg, State) {
    let game = game("ironbottom-1942");
    let mut state = game.setup();
    while inner(&state).step != Step::Orders {
        state = step(&game, &state, Vec::new(), &[]).unwrap();
    }
    (game, state)
}

fn list(orders: &[(&str, &str)]) -> Value {
    orders.iter().map(|(unit, order)| json!({"unit": unit, "order": order})).collect()
}

/// The position after the orders of Japan and the United States.
fn ordered(japan: &[(&str, &str)], united_states: &[(&str, &str)]) -> (Schiffskrieg, State) {
    let (game, state) = orders();
    let answer = Answer::Sealed([(Seat(0), list(japan)), (Seat(1), list(united_states))].into());
    let state = step(&game, &state, vec![answer], &[]).unwrap();
    (game, state)
}

/// Steps without questions and dice until this step of the turn begins.
fn go_to(game: &Schiffskrieg, mut state: State, to: Step) -> State {
    for _ in 0..40 {
        if inner(&state).step == to && inner(&state).fight.is_none() {
            return state;
        }
        state = step(game, &state, Vec::new(), &[]).unwrap();
    }
    panic!("{to:?} does not come");
}

#[test]
fn a_unit_that_is_not_named_stays_in_port() {
    let (game, state) = ordered(&[("hiei", "slot")], &[]);
    assert_eq!(station(&game, &state, Side::First, "hiei"), Station::Zone(SLOT));
    assert_eq!(station(&game, &state, Side::First, "kirishima"), Station::Port);
    assert_eq!(inner(&state).orders.first[at(&game, &state, Side::First, "kirishima")], Some(Goal::Port));
    assert_eq!(inner(&state).orders.first[at(&game, &state, Side::First, "mutsu")], None, "she arrives later");
}

#[test]
fn a_raid_is_stopped_in_the_approach() {
    let (game, state) = ordered(&[("shokaku", "raid")], &[("chicago", "santa-cruz")]);
    let state = go_to(&game, state, Step::Battles(SLOT));
    assert_eq!(station(&game, &state, Side::First, "shokaku"), Station::Zone(SANTA_CRUZ));
}

#[test]
fn a_submarine_does_not_stop_a_raid_and_an_lba_in_port_spoils_the_surprise() {
    let raid = |home: &[(&str, &str)]| {
        let (game, mut state) = ordered(&[("shokaku", "raid")], home);
        while inner(&state).fight.is_none() {
            state = step(&game, &state, Vec::new(), &[]).unwrap();
        }
        let Some(Fight::Raid(raid)) = inner(&state).fight.clone() else { panic!("a raid") };
        raid
    };
    let alert = raid(&[("us_submarines", "santa-cruz")]);
    assert_eq!((alert.raiders, alert.max_rounds, alert.surprise_rounds), (Side::First, 2, 0));
    let asleep = raid(&[("us_submarines", "santa-cruz"), ("cactus", "slot"), ("espiritu_bombers", "slot")]);
    assert_eq!(asleep.surprise_rounds, 1);
    // Those at sea are not found.
    assert_eq!(alert.line.second.len(), asleep.line.second.len() + 2);
}

#[test]
fn raiders_are_not_found_by_a_raid_on_their_own_port() {
    // The United States have the initiative and raid first; nobody else of theirs stays in port, so that Japan finds
    // nobody.
    let us: Vec<&str> = {
        let (game, state) = orders();
        let Schiffskrieg::Campaign(campaign) = &game else { panic!() };
        let port = campaign.at(inner(&state), Side::Second, Station::Port);
        port.map(|at| campaign.counter(inner(&state), Side::Second, at).sheet.id.to_string())
            .map(|id| &*Box::leak(id.into_boxed_str()))
            .collect()
    };
    let home: Vec<(&str, &str)> =
        us.iter().map(|&id| (id, if ["enterprise", "wasp"].contains(&id) { "raid" } else { "slot" })).collect();
    let japan: Vec<(&str, &str)> = vec![("shokaku", "raid"), ("hiei", "bismarck-sea")];
    let (game, state) = ordered(&japan, &home);
    let state = go_to(&game, state, Step::Battles(SLOT));
    assert_eq!(station(&game, &state, Side::Second, "enterprise"), Station::Zone(BISMARCK_SEA), "stopped by Hiei");
    assert_eq!(station(&game, &state, Side::First, "shokaku"), Station::Port, "found nobody and went home");
}

#[test]
fn alone_takes_control_but_a_submarine_does_not() {
    let (game, state) = ordered(&[("hiei", "eastern-solomons"), ("i_boats", "santa-cruz")], &[]);
    let state = go_to(&game, state, Step::Points);
    let zones = &inner(&state).zones;
    assert_eq!(zones[usize::from(EASTERN_SOLOMONS)].control, Some(Side::First));
    assert_eq!(zones[usize::from(SANTA_CRUZ)].control, Some(Side::Second));
    let state = step(&game, &state, Vec::new(), &[]).unwrap();
    // Eastern Solomons 3 and Bismarck Sea 2 to Japan, Santa Cruz 2 to the United States; the Slot is nobody's.
    assert_eq!((inner(&state).score.first.zones, inner(&state).score.second.zones), (5, 2));
}

#[test]
fn the_controller_is_not_phasing_and_without_one_the_initiative_phases() {
    let phasing = |zone: &str| {
        let (game, mut state) = ordered(&[("hiei", zone)], &[("chicago", zone)]);
        while inner(&state).fight.is_none() {
            state = step(&game, &state, Vec::new(), &[]).unwrap();
        }
        let Some(Fight::Battle(battle)) = inner(&state).fight.clone() else { panic!("a battle") };
        battle.phasing
    };
    assert_eq!(phasing("slot"), Side::Second, "initiative");
    assert_eq!(phasing("santa-cruz"), Side::First);
    assert_eq!(phasing("bismarck-sea"), Side::Second);
}

#[test]
fn convoys_alone() {
    let (game, mut state) = ordered(&[], &[("turner-1", "slot")]);
    let convoy = at(&game, &state, Side::Second, "turner-1");
    let sound = go_to(&game, state.clone(), Step::Points);
    // Seven ships: D = 2 + 9 div 4 = 4, so 8 points.
    assert_eq!((inner(&sound).score.second.convoys, inner(&sound).stations.second[convoy]), (8, Station::Delivered));
    assert_eq!(inner(&sound).zones[usize::from(SLOT)].control, None, "a convoy cannot hold");
    inner_mut(&mut state).units.second[convoy].damaged = true;
    let hurt = go_to(&game, state, Step::Points);
    assert_eq!(inner(&hurt).score.second.convoys, 4);
}

/// A battle in the Slot by night in which these attacks of one side are rolled, and then both stay or the first seat
/// asked retreats.
fn slot(japan: &[(&str, &str)], us: &[(&str, &str)], answers: &[(Value, &[u8])]) -> (Schiffskrieg, State) {
    let (game, mut state) = ordered(japan, us);
    while inner(&state).fight.is_none() {
        state = step(&game, &state, Vec::new(), &[]).unwrap();
    }
    let mut answers = answers.iter();
    while inner(&state).fight.is_some() {
        let answer = match asks(&game, &state) {
            None => None,
            Some(question) if question.open().first().is_some_and(|asked| asked.prompt.code == "wish") => {
                Some(Answer::Sealed([(Seat(0), json!("night")), (Seat(1), json!("night"))].into()))
            }
            Some(flagplot_kernel::Question::Dice { .. }) => None,
            Some(_) => Some(Answer::Choice(answers.next().expect("an answer").0.clone())),
        };
        let faces: &[u8] = match (&answer, asks(&game, &state)) {
            (None, Some(flagplot_kernel::Question::Dice { .. })) => answers.next().expect("faces").1,
            _ => &[],
        };
        state = step(&game, &state, answer.into_iter().collect(), faces).unwrap();
    }
    (game, state)
}

#[test]
fn losses_score_when_they_happen_and_a_stalemate_contests_the_zone() {
    // United States phasing. Portland (G2) at Chōkai: two hits of 1 damage her (M 2); nobody else attacks; both stay;
    // then they sink her.
    let shot = json!([{"attacker": "portland", "factor": "gunnery", "target": "chokai"}]);
    let none = json!([]);
    let rolls: &[(Value, &[u8])] = &[
        (shot.clone(), &[]),
        (Value::Null, &[6, 6, 1, 1]),
        (none.clone(), &[]),
        (json!("stay"), &[]),
        (json!("retreat"), &[]),
    ];
    let (game, state) = slot(&[("chokai", "slot")], &[("portland", "slot")], rolls);
    let score = &inner(&state).score;
    let Schiffskrieg::Campaign(campaign) = &game else { panic!() };
    let chokai = at(&game, &state, Side::First, "chokai");
    let vp = i64::from(campaign.counter(inner(&state), Side::First, chokai).sheet.vp);
    assert_eq!(score.second.losses, vp / 2);
    assert!(inner(&state).units.first[chokai].damaged);
    assert_eq!(inner(&state).stations.first[chokai], Station::Port, "a force that retreats is back in port");
    assert_eq!(inner(&state).zones[usize::from(SLOT)].control, Some(Side::Second), "Portland holds");

    let rolls: &[(Value, &[u8])] = &[
        (shot.clone(), &[]),
        (Value::Null, &[6, 6, 1, 1]),
        (none.clone(), &[]),
        (json!("stay"), &[]),
        (json!("stay"), &[]),
        (shot.clone(), &[]),
        (Value::Null, &[6, 1, 6]),
        (none.clone(), &[]),
    ];
    let (_, state) = slot(&[("chokai", "slot")], &[("portland", "slot")], rolls);
    assert_eq!(inner(&state).score.second.losses, vp, "half when she was damaged, the rest when she went down");
    assert_eq!(inner(&state).units.first[chokai].place, Place::Removed);
    assert_eq!(inner(&state).stations.first[chokai], Station::Removed);

    let rolls: &[(Value, &[u8])] = &[
        (none.clone(), &[]),
        (none.clone(), &[]),
        (json!("stay"), &[]),
        (json!("stay"), &[]),
        (none.clone(), &[]),
        (none, &[]),
    ];
    let (game, state) = slot(&[("chokai", "slot")], &[("portland", "slot"), ("turner-1", "slot")], rolls);
    assert!(inner(&state).zones[usize::from(SLOT)].contested);
    assert_eq!(inner(&state).score.second.convoys, 4, "half of a convoy's points in a stalemate");
    assert_eq!(station(&game, &state, Side::Second, "turner-1"), Station::Delivered);
}

/// The Delay Segment of the United States (modifier −2) in a turn, with these faces.
fn delays(
    turn: u8,
    edit: impl FnOnce(&Schiffskrieg, &mut State),
    answer: Option<Value>,
    faces: &[u8],
) -> (Schiffskrieg, State) {
    let (game, mut state) = orders();
    inner_mut(&mut state).turn = turn;
    inner_mut(&mut state).step = Step::Repairs(Side::Second);
    edit(&game, &mut state);
    let answers = answer.into_iter().map(Answer::Choice).collect();
    let state = step(&game, &state, answers, &[]).unwrap();
    let state = step(&game, &state, Vec::new(), faces).unwrap();
    (game, state)
}

#[test]
fn delay_with_and_without_repair() {
    let edit = |game: &Schiffskrieg, state: &mut State| {
        for (id, damaged, station) in [
            ("enterprise", true, Station::NavalWarfareDelayBox(None)),
            ("saratoga", true, Station::NavalWarfareDelayBox(None)),
            ("wasp", true, Station::NavalWarfareDelayBox(Some(delay::Choice::Repair))),
            ("chicago", false, Station::NavalWarfareDelayBox(None)),
            ("cactus", true, Station::DelayBox),
        ] {
            let at = at(game, state, Side::Second, id);
            inner_mut(state).stations.second[at] = station;
            inner_mut(state).units.second[at].damaged = damaged;
        }
    };
    // Only Enterprise and Saratoga are asked about; Wasp came in by the refit.
    let answer = json!([{"unit": "enterprise", "choice": "repair"}, {"unit": "saratoga", "choice": "return-damaged"}]);
    let (game, state) = delays(1, edit, Some(answer), &[3, 4, 2, 1, 5]);
    let of = |id: &str| {
        (
            station(&game, &state, Side::Second, id),
            inner(&state).units.second[at(&game, &state, Side::Second, id)].damaged,
        )
    };
    assert_eq!(of("enterprise"), (Station::TurnTrack(4), false)); // 3 − 2 + 2
    assert_eq!(of("saratoga"), (Station::TurnTrack(3), true)); // 4 − 2
    assert_eq!(of("wasp"), (Station::TurnTrack(3), false)); // 2 − 2 + 2
    assert_eq!(of("chicago"), (Station::TurnTrack(2), false)); // 1 − 2, at least 1
    assert_eq!(of("cactus"), (Station::TurnTrack(4), false)); // 5 − 2, at full strength
}

#[test]
fn what_is_due_after_the_last_turn_does_not_come_back() {
    let edit = |game: &Schiffskrieg, state: &mut State| {
        let at = at(game, state, Side::Second, "chicago");
        inner_mut(state).stations.second[at] = Station::NavalWarfareDelayBox(None);
    };
    let (game, state) = delays(5, edit, None, &[4]);
    assert_eq!(station(&game, &state, Side::Second, "chicago"), Station::Removed);
    let (game, state) = delays(5, edit, None, &[3]);
    assert_eq!(station(&game, &state, Side::Second, "chicago"), Station::TurnTrack(6));
}

#[test]
fn a_reduced_lba_recovers_in_port_if_it_was_left_alone() {
    let recovered = |orders: &[(&str, &str)], attacked: bool| {
        let (game, mut state) = ordered(&[], orders);
        let cactus = at(&game, &state, Side::Second, "cactus");
        inner_mut(&mut state).units.second[cactus].damaged = true;
        if attacked {
            inner_mut(&mut state).attacked.second |= 1 << cactus;
        }
        inner_mut(&mut state).step = Step::Recovery;
        let state = step(&game, &state, Vec::new(), &[]).unwrap();
        assert_eq!((inner(&state).turn, inner(&state).step), (2, Step::Arrivals));
        assert_eq!(station(&game, &state, Side::Second, "cactus"), Station::Port);
        !inner(&state).units.second[cactus].damaged
    };
    assert!(recovered(&[], false));
    assert!(!recovered(&[], true));
    assert!(!recovered(&[("cactus", "slot")], false));
}

#[test]
fn a_raid_marks_whom_it_attacked() {
    let (game, mut state) = ordered(&[("shokaku", "raid")], &[]);
    while inner(&state).fight.is_none() {
        state = step(&game, &state, Vec::new(), &[]).unwrap();
    }
    let cactus = at(&game, &state, Side::Second, "cactus");
    // Shōkaku's six factors are two dice against an LBA; they miss, the base does not shoot, the raid breaks off.
    let shot = Answer::Choice(json!([{"attacker": "shokaku", "factor": "airstrike", "target": "cactus"}]));
    state = step(&game, &state, vec![shot], &[]).unwrap();
    state = step(&game, &state, Vec::new(), &[1, 1]).unwrap();
    state = step(&game, &state, vec![Answer::Choice(json!([]))], &[]).unwrap();
    state = step(&game, &state, Vec::new(), &[]).unwrap();
    state = step(&game, &state, vec![Answer::Choice(json!("break-off"))], &[]).unwrap();
    state = step(&game, &state, Vec::new(), &[]).unwrap();
    assert_eq!(inner(&state).attacked.second, 1 << cactus);
    assert_eq!(station(&game, &state, Side::First, "shokaku"), Station::Port);
}

#[test]
fn the_campaign_ends_after_the_points_of_its_last_turn() {
    let (game, mut state) = ordered(&[], &[]);
    inner_mut(&mut state).turn = 6;
    inner_mut(&mut state).step = Step::Points;
    assert!(game.outcome(&state).is_none());
    let state = step(&game, &state, Vec::new(), &[]).unwrap();
    let outcome = game.outcome(&state).expect("it is over");
    assert_eq!(outcome.points, [2, 5], "the zones as they were at the start");
}

#[test]
fn a_faction_without_units_in_port_is_not_asked() {
    let (game, mut state) = orders();
    inner_mut(&mut state).stations.first.fill(Station::Removed);
    let question = asks(&game, &state).expect("the other is asked");
    assert!(question.to(Seat(0)).is_none() && question.to(Seat(1)).is_some());
    inner_mut(&mut state).stations.second.fill(Station::Removed);
    assert!(asks(&game, &state).is_none());
    let state = step(&game, &state, Vec::new(), &[]).unwrap();
    let last = {
        let mut state = state;
        let mut chance = Chance::seeded(1);
        let mut sampler = flagplot_kernel::Sampler::new(&mut chance, flagplot_kernel::AtRandom);
        while game.outcome(&state).is_none() {
            game.step(&mut state, &mut sampler).unwrap();
        }
        state
    };
    assert_eq!(inner(&last).turn, 6, "it never ends sooner");
}
