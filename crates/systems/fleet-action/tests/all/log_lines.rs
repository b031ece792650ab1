//! Who reads which line of the log, and what the other side sees of a boat under water. [C-38, C-40, C-52]

use super::air::Recorder;
use super::fire::{Table, place, ship, squadron};
use super::sea_game;
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::actions::Stage as Acting;
use flagplot_fleet_action::game::deeps::DiveStage;
use flagplot_fleet_action::game::state::*;
use flagplot_fleet_action::geometry::Place;
use flagplot_fleet_action::words::Mode;
use flagplot_kernel::{Chance, Game, Note, Seat, Side, Viewer};
use serde_json::json;
use std::collections::BTreeSet;

const EVERYBODY: [Viewer; 3] = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];

/// The ships of which a viewer knows neither where they are nor what they do: those on markers, and boats out of sight.
fn hidden(game: &FleetGame, state: &State, viewer: Viewer) -> Vec<VesselId> {
    let out_of_sight = |(id, vessel): &(VesselId, &Vessel)| {
        let member = game.battle.member(*id);
        let on_a_marker = !state.sea.squadron(member.squadron).deployed;
        let below = vessel.in_play() && vessel.level != Level::Surfaced && !vessel.seen;
        !viewer.sees(member.side.into()) && (on_a_marker || below)
    };
    state.sea.all().filter(out_of_sight).map(|(id, _)| id).collect()
}

/// Whether a line names a ship or the squadron of a ship.
fn names(game: &FleetGame, note: &Note, id: VesselId) -> bool {
    let member = game.battle.member(id);
    let squad = game.battle.squad(member.squadron);
    let pieces = note.pieces.iter().chain(&note.targets);
    pieces.into_iter().any(|piece| member.id == *piece.as_str())
        || note.text.contains(&member.name)
        || (squad.contact && note.text.contains(&squad.name))
}

#[test]
fn no_line_of_the_log_names_a_ship_to_those_who_do_not_see_her() {
    let (mut private, mut read) = (BTreeSet::new(), 0);
    for id in ["savo-island", "blackett-strait", "i-168"] {
        let game = sea_game(id);
        for seed in 0..4 {
            let (mut state, mut recorder) = (game.setup(), Recorder::new(seed));
            while game.outcome(&state).is_none() {
                let before = EVERYBODY.map(|viewer| hidden(&game, &state, viewer));
                recorder.clear();
                game.step(&mut state, &mut recorder).expect("a recorder answers everything");
                private.extend(recorder.notes.iter().filter(|note| note.only.is_some()).map(|note| note.what));
                for (viewer, before) in EVERYBODY.into_iter().zip(before) {
                    // A ship that shows herself in this step is named in it.
                    let unseen = hidden(&game, &state, viewer).into_iter().filter(|id| before.contains(id));
                    for (id, note) in unseen.flat_map(|id| recorder.notes.iter().map(move |note| (id, note))) {
                        read += usize::from(note.seen_by(viewer));
                        let told = note.seen_by(viewer) && names(&game, note, id);
                        assert!(!told, "{viewer:?} reads of {}: {}", game.battle.member(id).name, note.text);
                    }
                }
            }
        }
    }
    assert!(read > 1000, "{read} lines were read");
    let known = ["alert", "set-up", "sonar-proof", "spotting", "submarine", "torpedo-aim", "torpedo-launch"];
    assert!(private.iter().all(|what| known.contains(what)), "{private:?}");
    for what in ["set-up", "sonar-proof", "submarine", "torpedo-aim", "torpedo-launch"] {
        assert!(private.contains(what), "no battle had a line '{what}' of one side alone");
    }
}

#[test]
fn the_proof_of_a_contact_that_spots_does_not_tell_which_squadron_it_is() {
    let game = sea_game("savo-island");
    let squadrons = ["chokai", "tenryu"].map(|flagship| squadron(&game, flagship));
    let world = |first: SquadronId, second: SquadronId| {
        let mut state = game.setup();
        let held = [Holds::Squadron(first), Holds::Squadron(second), Holds::Dummy];
        for (marker, holds) in state.sea.markers.iter_mut().zip(held) {
            marker.holds = Some(holds);
        }
        for marker in state.sea.markers.iter_mut().skip(3) {
            marker.holds = Some(Holds::Dummy);
        }
        let at = state.sea.markers[0].at.at;
        state.sea.markers[3].at.at = Place { x: at.x + 300, y: at.y };
        state.phase = Phase::Actions(Acting::Ask(Group::Marker(MarkerId(0))));
        state
    };
    let [strong, light] = squadrons;
    for face in [1, 10] {
        let told = [world(strong, light), world(light, strong)].map(|mut state| {
            let mut table = Table::new(1).answer(json!({"spot": "contact-4"})).dice(&[face]);
            game.step(&mut state, &mut table).expect("the contact looks");
            assert!(state.sea.markers[0].real && state.sea.markers[3].gone == (face == 10));
            let seen = EVERYBODY.map(|viewer| {
                let notes: Vec<Note> = table.notes.iter().filter(|note| note.seen_by(viewer)).cloned().collect();
                (game.view(&state, viewer), notes)
            });
            let proof = table.notes.iter().find(|note| note.modifiers.iter().any(|one| one.name == "crew quality"));
            assert_eq!(proof.and_then(|note| note.only), Some(Viewer::Seat(Seat(0))), "her side reads the proof");
            let open = table.notes.iter().find(|note| note.what == "spotting" && note.only.is_none());
            assert_eq!(open.expect("everybody sees the die").dice, [face]);
            seen
        });
        let [[own, enemy, crowd], [other_own, other_enemy, other_crowd]] = told;
        assert!(own != other_own, "its own side knows");
        assert!(enemy == other_enemy && crowd == other_crowd, "face {face}: the enemy can tell");
    }
}

/// I-168 under water at some distance from a destroyer that hunts her.
fn below(distance: i64) -> (FleetGame, State, VesselId) {
    let game = sea_game("i-168");
    let mut state = game.setup();
    (state.sea.turn, state.sea.ready[Side::First], state.sea.ready[Side::Second]) = (3, true, true);
    let boat = ship(&game, "i-168");
    let at = state.sea.vessel(ship(&game, "balch")).at.at;
    place(&game, &mut state, "i-168", at.x + distance, at.y, 0);
    let vessel = state.sea.vessel_mut(boat);
    (vessel.level, vessel.placed) = (Level::Periscope, true);
    state.sea.squadron_mut(squadron(&game, "i-168")).deployed = true;
    (game, state, boat)
}

#[test]
fn a_boat_that_is_found_shows_neither_her_launch_nor_the_way_she_came() {
    let (game, mut state, boat) = below(100);
    let vessel = state.sea.vessel_mut(boat);
    (vessel.seen, vessel.detected, vessel.ledger.launched) = (true, true, true);
    vessel.loaded &= !1;
    let (at, from) = (vessel.at, Place { x: vessel.at.at.x - 80, y: vessel.at.at.y });
    vessel.wake = vec![from.point(), at.at.point()];
    let aim = Some(Aim { at: AimPoint::Vessel(ship(&game, "yorktown")), setting: 0 });
    let running = Running {
        by: boat,
        from: at,
        mode: Mode::Aimed,
        mounts: 1,
        torpedoes: 4,
        aim,
        could: Vec::new(),
        frozen: None,
        hidden: true,
    };
    state.sea.running.push(running);
    for viewer in [Viewer::Seat(Seat(1)), Viewer::Spectator] {
        let seen = game.view(&state, viewer).seen.sea;
        let vessel = seen.vessel(boat);
        assert_eq!((vessel.at, vessel.loaded & 1, vessel.ledger.launched), (at, 1, false));
        assert!(seen.running.is_empty() && vessel.wake.is_empty());
    }
    let own = game.view(&state, Viewer::Seat(Seat(0))).seen.sea;
    assert!(own.vessel(boat).ledger.launched && own.running.len() == 1 && own.vessel(boat).wake.len() == 2);
}

#[test]
fn a_boat_out_of_sight_is_looked_for_where_everybody_last_saw_her() {
    let (game, mut state, boat) = below(100);
    let enemy = Viewer::Seat(Seat(1));
    let drawn = |state: &State, viewer: Viewer| {
        let scene = game.scene(&game.view(state, viewer));
        let piece = scene.pieces.iter().find(|piece| piece.id == "i-168").map(|piece| piece.text.clone());
        let rings = scene.rings.iter().any(|ring| ring.piece.as_deref() == Some("i-168"));
        (piece, rings)
    };
    assert_eq!(drawn(&state, enemy), (None, false), "nobody has seen her yet");
    assert!(drawn(&state, Viewer::Seat(Seat(0))).1, "her own side sees her");
    // Torpedoes or sonar have shown her; then she runs on under water.
    state.sea.vessel_mut(boat).seen = true;
    let seen_at = state.sea.vessel(boat).at.at;
    assert!(drawn(&state, enemy).1);
    state.sea.turn = 4;
    let run = json!([{"ship": "i-168", "orders": [{"ahead": 80}]}]);
    state.phase = Phase::Submarines(DiveStage::Sheets);
    game.step(&mut state, &mut Table::new(1).answer(run)).expect("she runs on");
    assert_ne!(state.sea.vessel(boat).at.at, seen_at);
    let view = game.view(&state, enemy);
    assert_eq!(view.seen.sea.vessel(boat).at.at, seen_at);
    let (piece, rings) = drawn(&state, enemy);
    assert!(piece.is_some_and(|text| text.ends_with("last seen here, until turn 4")) && !rings);
    let mut chance = Chance::seeded(5);
    for _ in 0..200 {
        let dream = game.imagine(&view, &mut chance);
        let (there, most) = (dream.sea.vessel(boat).at.at, 80);
        assert!(there.point().ceil_dist(seen_at.point()) <= most, "{there:?} is out of her reach");
    }
}
