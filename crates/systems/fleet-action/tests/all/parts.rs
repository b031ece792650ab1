//! Play and referee agree on the parts of a step: positions are drawn that whole battles seldom meet, one step is
//! played, and each of its parts is asked of the referee with the same dice.

use super::agreement::{Step, ruled, stepped};
use super::fire::{Table, acts, shoot};
use super::sea::SCENARIOS;
use super::system;
use flagplot_fleet_action::System;
use flagplot_fleet_action::derive::{AircraftRatings, Bomb, Gun, ShipRatings, Torpedo};
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::actions::Stage;
use flagplot_fleet_action::game::battle::{Battery, Hull, Model, Ordnance};
use flagplot_fleet_action::game::end;
use flagplot_fleet_action::game::harm::{Hits, Strikes};
use flagplot_fleet_action::game::moving::{self, Task};
use flagplot_fleet_action::game::state::*;
use flagplot_fleet_action::geometry::{Heading, Place, Position};
use flagplot_fleet_action::movement::straight_run_mm;
use flagplot_fleet_action::ship::Ship;
use flagplot_fleet_action::words::*;
use flagplot_kernel::{Chance, Game, Side};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How often each thing was met.
#[derive(Debug, Default)]
struct Met(BTreeMap<String, u32>);

impl Met {
    fn count(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    fn all(&self, list: &[&str]) {
        for what in list {
            assert!(self.0.contains_key(*what), "{what} was never met: {:?}", self.0);
        }
    }
}

/// From `low` to `high`.
fn draw(chance: &mut Chance, low: i32, high: i32) -> i32 {
    low + chance.below((high - low + 1).max(1) as u32) as i32
}

fn pick<T: Copy>(list: &[T], chance: &mut Chance) -> Option<T> {
    list.get(chance.below(list.len() as u32) as usize).copied()
}

fn heading(game: &FleetGame, chance: &mut Chance) -> Heading {
    Heading::new(&game.battle.rules, 15 * draw(chance, 0, 23)).expect("a heading")
}

/// A battle at its start, with all ships on the table and far from each other, under a clear sky.
fn scattered(game: &FleetGame) -> State {
    let mut state = game.setup();
    let sea = &mut state.sea;
    for (number, vessel) in sea.vessels.iter_mut().enumerate() {
        (vessel.at.at, vessel.placed) = (Place { x: 2000 * number as i64, y: -60_000 }, true);
    }
    for squadron in &mut sea.squadrons {
        (squadron.deployed, squadron.surprised) = (true, false);
    }
    for marker in &mut sea.markers {
        (marker.gone, marker.holds) = (true, Some(Holds::Dummy));
    }
    sea.squalls.clear();
    state
}

/// Ships with structure whose crews are the same on every turn.
fn ships(game: &FleetGame) -> Vec<VesselId> {
    let same = |id: VesselId| {
        let placed = game.battle.member(id).placed.as_ref();
        placed.is_none_or(|placed| {
            placed.crew_quality_on.is_empty() && placed.to_hit_on.is_empty() && placed.faulty_main.is_none()
        })
    };
    let all = (0..game.battle.vessels.len()).map(|at| VesselId(at as u8));
    all.filter(|id| game.battle.model(*id).hull == Hull::Ship && same(*id)).collect()
}

/// One weapon that strikes a ship in the next step.
fn struck(on: VesselId, strikes: Strikes, (ip, cv, pen): (i32, i32, i32)) -> Vec<Pending> {
    vec![Pending::Hits(Hits { on, left: 1, ip, cv, pen, multiple: 1, strikes })]
}

/// What the referee says of the ship afterwards; a ship without flotation makes 10 knots, which is no part of a hit.
/// [C-23]
fn same_ship(step: &Step<'_>, id: VesselId, result: &Value) {
    let battle = &step.game.battle;
    let sheet = Arc::new(battle.model(id).sheet.clone());
    let ship = Ship::new(&battle.rules, &sheet, step.after.sea.vessel(id).now);
    let mut ship = serde_json::to_value(ship).expect("a ship is JSON");
    if ship["f"] == 0 {
        ship["speed"] = result["speed"].clone();
    }
    assert_eq!(ship, *result, "{}: {:?}", battle.member(id).name, step.dice);
}

/// The dice of the tests of one kind that a step made; the first is at `first`, and they follow each other.
fn rolls<'a>(step: &Step<'a>, what: &str, first: usize) -> &'a [u8] {
    let count = step.notes.iter().filter(|note| note.what == what).count();
    &step.dice[first..first + count]
}

#[test]
pub(super) fn shots_are_seen_laid_and_rolled_as_the_referee_says() {
    let system = system();
    let mut met = Met::default();
    for id in ["river-plate", "hx-84", "two-decks", "savo-island"] {
        let game = super::sea_game(id);
        let all = ships(&game);
        let by: Vec<VesselId> =
            all.iter().copied().filter(|ship| !game.battle.model(*ship).batteries.is_empty()).collect();
        let mut chance = Chance::seeded(17);
        for seed in 0..400 {
            let shooter = pick(&by, &mut chance).expect("a ship with guns");
            let enemies: Vec<VesselId> = all
                .iter()
                .copied()
                .filter(|ship| game.battle.member(*ship).side != game.battle.member(shooter).side)
                .collect();
            let Some(target) = pick(&enemies, &mut chance) else { continue };
            let mut state = scattered(&game);
            // Past the turns on which a scenario lights the night with flares.
            state.sea.turn = 6;
            draw_shot(&game, &mut state, shooter, target, &all, &mut chance);
            shot(&system, &game, &state, shooter, target, seed, &mut chance, &mut met);
        }
    }
    met.all(&[
        "out-of-gun-range",
        "not-visible",
        "does-not-bear",
        "already-fired",
        "crew-test",
        "held",
        "hit",
        "missed",
        "rolled again",
        "raking",
        "intervening",
        "radar",
        "obscured",
        "lit",
        "day",
        "night",
    ]);
}

/// Shooter and target somewhere near each other, in some state, perhaps with a third ship or smoke between them.
fn draw_shot(
    game: &FleetGame,
    state: &mut State,
    shooter: VesselId,
    target: VesselId,
    all: &[VesselId],
    chance: &mut Chance,
) {
    let from = Place { x: 40_000, y: 40_000 };
    let near = |reach: i32, chance: &mut Chance| Place {
        x: from.x + i64::from(draw(chance, -reach, reach)),
        y: from.y + i64::from(draw(chance, -reach, reach)),
    };
    let reach = draw(chance, 60, 1100);
    let there = near(reach, chance);
    let middle =
        Place { x: i64::midpoint(from.x, there.x) + i64::from(draw(chance, -8, 8)), y: i64::midpoint(from.y, there.y) };
    let third = all.iter().copied().find(|ship| *ship != shooter && *ship != target).expect("a third ship");
    if draw(chance, 1, 3) == 1 {
        state.sea.vessel_mut(third).at.at = middle;
    }
    if draw(chance, 1, 4) == 1 {
        state.sea.screens.push(Screen { by: third, at: [middle.point(); 3] });
    }
    for (id, at) in [(shooter, from), (target, there)] {
        let vessel = state.sea.vessel_mut(id);
        vessel.at = Position { at, heading: heading(game, chance) };
        let now = &mut vessel.now;
        (now.splash, now.crew_quality, now.gm) = (draw(chance, 0, 3), draw(chance, -2, 2), draw(chance, -2, 2));
        (now.sd, now.sv) = (draw(chance, 1, 5), draw(chance, 0, now.sv));
        now.gear.gunnery_radar = draw(chance, 1, 3) == 1;
        now.fires = i32::from(draw(chance, 1, 3) == 1);
        vessel.speed = [0, 8, 20, 30][chance.below(4) as usize];
        // Some mounts are lost.
        now.main_lost = u64::from(draw(chance, 1, 4) == 1) * u64::from(chance.below(16));
        now.main_lost &= (1 << game.battle.model(id).sheet.main.len()) - 1;
    }
}

/// One battery at one ship: geometry, permission, Crew Test, the die to hit.
#[allow(clippy::too_many_arguments, reason = "a shot has all of them")]
fn shot(
    system: &System,
    game: &FleetGame,
    state: &State,
    shooter: VesselId,
    target: VesselId,
    seed: u64,
    chance: &mut Chance,
    met: &mut Met,
) {
    let (battle, sea) = (&game.battle, &state.sea);
    let (model, by, at) = (battle.model(shooter), sea.vessel(shooter), sea.vessel(target));
    let battery = &model.batteries[chance.below(model.batteries.len() as u32) as usize];
    let control =
        if by.now.fc < 1 || model.amc || draw(chance, 1, 2) == 1 { Control::Local } else { Control::Directed };
    let (mounts, lost) = match battery.group {
        GunGroup::Main => (&model.sheet.main, by.now.main_lost),
        GunGroup::Other => (&model.sheet.other, by.now.other_lost),
    };
    let ready: Vec<_> = battery.mounts.iter().filter(|at| lost >> **at & 1 == 0).map(|at| &mounts[*at]).collect();
    let others = sea.all().filter(|(id, _)| *id != shooter && *id != target);
    let others =
        others.map(|(id, other)| json!({"x": other.at.at.x, "y": other.at.at.y, "size": battle.model(id).size()}));
    let mut from = json!(by.at);
    from["mounts"] = json!(ready);
    let input = json!({"shooter": from, "target": at.at, "others": others.collect::<Vec<_>>()});
    let seen = ruled(system, "geometry", &input, &[]);
    let night = battle.light(sea.turn) == Light::Night;
    let obscured = stepped((system, game), state, &[], seed, |step| step.hidden(by.at.at.point(), at.at.at.point()));
    let lit = night && at.now.fires > 0;
    let input = json!({
        "light": if night { "night" } else { "day" }, "range_mm": seen["range_mm"], "sd": by.now.sd,
        "tvr": battle.tvr(sea.turn), "battery_radar": by.now.gear.gunnery_radar, "obscured": obscured,
        "illuminated": lit,
    });
    let permission = ruled(system, "visibility", &input, &[]);
    let band = seen["range_band"].as_i64().expect("a band");
    let expected = match () {
        () if band > i64::from(battery.gun.max_band.min(5)) => Some("out-of-gun-range"),
        () if permission["guns"] == "forbidden" => Some("not-visible"),
        () if ready.is_empty() => Some("already-fired"),
        () if seen["guns_bearing"] == 0 => Some("does-not-bear"),
        () => None,
    };
    let mut asked = state.clone();
    acts(game, &mut asked, battle.member(shooter).id.as_str());
    let order = shoot(
        battle.member(shooter).id.as_str(),
        battery.id.as_str(),
        control.word(),
        battle.member(target).id.as_str(),
    );
    let mut table = Table::new(seed).answer(json!([order]));
    let taken = game.step(&mut asked, &mut table).is_ok();
    if !table.codes.contains(&"actions") {
        // She and her squadron can do nothing at all.
        assert!(expected.is_some(), "{input}: not asked, but the referee lets her fire");
        return met.count("not asked");
    }
    let refused = table.refused.map(|refusal| refusal.code);
    assert_eq!((taken, refused), (expected.is_none(), expected), "{input}\n{seen}\n{permission}");
    if let Some(code) = refused {
        return met.count(code);
    }
    met.count(if night { "night" } else { "day" });
    for (what, there) in [("obscured", obscured), ("lit", lit), ("radar", permission["guns_bonus"] == 1)] {
        if there {
            met.count(what);
        }
    }
    stepped((system, game), &asked, &[], seed, |step| {
        let mut dice = step.dice;
        if permission["guns"] == "crew-test" {
            met.count("crew-test");
            let passed = step.rule("crew-test", &json!({"crew_quality": by.now.crew_quality}), &dice[..1]);
            dice = &dice[1..];
            if passed["passed"] == false {
                assert!(dice.is_empty(), "she holds her fire");
                return met.count("held");
            }
        }
        let input = json!({
            "range_mm": seen["range_mm"], "max_band": battery.gun.max_band, "control": control.word(),
            "guns": seen["guns_bearing"], "intervening_bases": seen["intervening_bases"],
            "radar_bonus": permission["guns_bonus"] == 1,
            "shooter": {"crew_quality": by.now.crew_quality, "gunnery_modifier": by.now.gm, "splash": by.now.splash,
                "fc": by.now.fc, "amc": model.amc},
            "target": {"size": battle.model(target).size(), "splash": at.now.splash, "speed": at.speed,
                "sv": at.now.sv},
        });
        let count = step.notes.iter().filter(|note| note.what == "attack").count();
        let to_hit = step.rule("gunnery-to-hit", &input, &dice[..count]);
        let note = step.said("attack").expect("the die to hit is noted");
        let told: Vec<Value> =
            note.modifiers.iter().map(|given| json!({"name": given.name, "value": given.value})).collect();
        assert_eq!(json!(told), to_hit["modifiers"], "{input}");
        let row = note.table.as_ref().map(|table| table.row.clone());
        assert_eq!(row, Some(to_hit["range_band"].to_string()), "{input}");
        let hit = step.after.sea.vessel(target).now.splash > at.now.splash;
        assert_eq!(json!(hit), to_hit["hit"], "{input}");
        met.count(if hit { "hit" } else { "missed" });
        let raking = step.said("shoot").is_some_and(|note| note.text.ends_with(", raking"));
        assert_eq!(json!(raking), seen["raking"], "{input}");
        for (what, there) in [
            ("rolled again", to_hit["rerolled"] == true),
            ("raking", raking),
            ("intervening", seen["intervening_bases"] != 0),
        ] {
            if there {
                met.count(what);
            }
        }
    });
}

/// Somehow damaged.
fn damaged(game: &FleetGame, state: &mut State, id: VesselId, chance: &mut Chance) {
    let sheet = &game.battle.model(id).sheet;
    let now = &mut state.sea.vessel_mut(id).now;
    now.f = if sheet.is_air_base() { 0 } else { draw(chance, 1, sheet.f_max) };
    now.s = draw(chance, i32::from(sheet.is_air_base()), sheet.s_max);
    (now.speed, now.sv, now.fc) = (draw(chance, 0, now.speed), draw(chance, 0, now.sv), draw(chance, 0, now.fc));
    (now.dc, now.fires, now.crew_quality) = (draw(chance, 0, now.dc), draw(chance, 0, 3), draw(chance, -2, 2));
    (now.h, now.catapults, now.rearming) = (draw(chance, 0, now.h), draw(chance, 0, now.catapults), 0);
    now.gear.flag_officer = draw(chance, 1, 2) == 1;
}

/// A way in which weapons strike.
fn way(sheet: &flagplot_fleet_action::ship::Sheet, chance: &mut Chance) -> Strikes {
    match draw(chance, 1, if sheet.is_air_base() { 2 } else { 4 }) {
        1 => Strikes::Vertical,
        2 => Strikes::Horizontal,
        _ => Strikes::Underwater([Approach::Beam, Approach::Bow, Approach::Stern][chance.below(3) as usize]),
    }
}

#[test]
pub(super) fn criticals_are_those_of_the_referee() {
    let system = system();
    let (mut met, mut chance) = (Met::default(), Chance::seeded(18));
    for id in SCENARIOS {
        let game = super::sea_game(id);
        for (seed, on) in (0..8).flat_map(|round| ships(&game).into_iter().map(move |on| (round, on))) {
            let mut state = scattered(&game);
            damaged(&game, &mut state, on, &mut chance);
            let sheet = &game.battle.model(on).sheet;
            let (cv, pen, strikes) = (draw(&mut chance, 1, 40), draw(&mut chance, 0, 20), way(sheet, &mut chance));
            // No damage, so that the chance of a critical comes first; the given die takes it.
            state.sea.pending = struck(on, strikes, (0, cv, pen));
            let located = matches!(strikes, Strikes::Underwater(_));
            let given = if located { vec![draw(&mut chance, 1, 10) as u8, 1] } else { vec![1] };
            stepped((&system, &game), &state, &given, seed, |step| {
                let mut input = json!({"cv": cv, "ship": step.object(on)});
                let procedure = match strikes {
                    Strikes::Underwater(from) => {
                        let place = step.rule("underwater-location", &json!({"from": from.word()}), &step.dice[..1]);
                        let told = step.said("location").map(|note| note.outcome.clone());
                        assert_eq!(told.as_ref(), Some(&place["column"]));
                        met.count(format!("from {}", from.word()));
                        input["column"] = place["column"].clone();
                        "underwater-critical"
                    }
                    _ => {
                        input["pen"] = pen.into();
                        let above = if strikes == Strikes::Vertical { "vertical" } else { "horizontal" };
                        input["direction"] = above.into();
                        if sheet.uses_carrier_table() { "carrier-critical" } else { "structural-critical" }
                    }
                };
                let result = step.rule(procedure, &input, &step.dice[given.len()..]);
                same_ship(step, on, &result["ship"]);
                let started = match step.after.sea.pending.first() {
                    Some(Pending::Explosion { dice, .. }) => (*dice, Sheer::None),
                    Some(Pending::Sheer { to, .. }) => (0, *to),
                    _ => (0, Sheer::None),
                };
                let afloat = result["ship"]["status"] == "afloat";
                let helm = if afloat { result["helm"].clone() } else { json!("none") };
                assert_eq!(json!(started), json!([result["explosion_dice"], helm]), "{input}");
                met.count(procedure);
            });
        }
    }
    met.all(&["structural-critical", "carrier-critical", "underwater-critical", "from beam", "from bow", "from stern"]);
}

#[test]
pub(super) fn weapons_and_magazines_go_as_the_referee_says() {
    let system = system();
    let (mut met, mut chance) = (Met::default(), Chance::seeded(19));
    for id in SCENARIOS {
        let game = super::sea_game(id);
        for (seed, on) in (0..20).flat_map(|round| ships(&game).into_iter().map(move |on| (round, on))) {
            let sheet = &game.battle.model(on).sheet;
            let mut state = scattered(&game);
            let now = &mut state.sea.vessel_mut(on).now;
            now.main_lost = u64::from(chance.below(1 << sheet.main.len().min(8)));
            now.other_lost = u64::from(chance.below(1 << sheet.other.len().min(8)));
            now.torpedoes_lost = chance.below(1 << sheet.torpedoes.len());
            let (cv, pen, strikes) = (draw(&mut chance, 1, 20), draw(&mut chance, 0, 16), way(sheet, &mut chance));
            state.sea.pending = struck(on, strikes, (0, cv, pen));
            // The chance of a critical, then the row of the weapons.
            let given = match strikes {
                Strikes::Underwater(_) => vec![draw(&mut chance, 1, 10) as u8, 1, 20],
                _ if sheet.uses_carrier_table() => vec![1, 14],
                _ => vec![1, draw(&mut chance, 14, 20) as u8],
            };
            stepped((&system, &game), &state, &given, seed, |step| {
                weapons(step, on, (cv, pen, strikes), given.len(), &mut met);
            });
        }
    }
    met.all(&[
        "main",
        "other",
        "torpedoes",
        "applied",
        "stopped-by-armour",
        "cannot-be-applied",
        "safe",
        "flashover",
        "explosion",
    ]);
}

/// The one critical on weapons in a step, whose own dice begin at `first`.
fn weapons(step: &Step<'_>, on: VesselId, (cv, pen, strikes): (i32, i32, Strikes), first: usize, met: &mut Met) {
    let mut groups = step.notes.iter().filter(|note| note.what == "group");
    let (Some(group), None) = (groups.next(), groups.next()) else { return };
    let (sheet, before, now) =
        (&step.game.battle.model(on).sheet, step.before.sea.vessel(on).now, step.after.sea.vessel(on).now);
    let word = group.outcome.as_str().expect("a group");
    let (mounts, lost) = match word {
        "main" => (json!(sheet.main), (before.main_lost, now.main_lost)),
        "other" => (json!(sheet.other), (before.other_lost, now.other_lost)),
        _ => (json!(sheet.torpedoes), (before.torpedoes_lost.into(), now.torpedoes_lost.into())),
    };
    let mut mounts = mounts.as_array().expect("a list").clone();
    for (at, mount) in mounts.iter_mut().enumerate() {
        mount["lost"] = (lost.0 >> at & 1 == 1).into();
        if word == "torpedoes" {
            mount.as_object_mut().expect("a mount").retain(|name, _| name != "ac" && name != "guns");
        }
    }
    let direction = match strikes {
        Strikes::Vertical => "vertical",
        Strikes::Horizontal => "horizontal",
        _ => "underwater",
    };
    let input = json!({
        "group": word, "cv": cv, "pen": pen, "direction": direction, "deck": sheet.armour.deck,
        "kind": sheet.kind.word(), "mounts": mounts, "asw": before.asw, "mrf": before.mrf, "crf": before.crf,
    });
    // After the die of the group, and that which decides on cargo or on fuel, comes the one that picks a main mount.
    let decided = step.said("weapons-or-cargo").is_some() || step.said("last-row").is_some();
    let next = first + 1 + usize::from(decided);
    let picked = usize::from(step.said("which-mount").is_some());
    let result = step.rule("weapon-loss", &input, &step.dice[next..next + picked]);
    let taken: Vec<usize> = (0..mounts.len()).filter(|at| (lost.1 & !lost.0) >> at & 1 == 1).map(|at| at + 1).collect();
    assert_eq!(json!(taken), result["lost"], "{input}");
    assert_eq!(json!([now.asw, now.mrf, now.crf]), json!([result["asw"], result["mrf"], result["crf"]]), "{input}");
    met.count(word);
    met.count(result["outcome"].as_str().expect("an outcome"));
    let tested = step.said("magazine-test");
    assert_eq!(json!(tested.is_some()), result["magazine_test"], "{input}");
    if let Some(tested) = tested {
        let input = json!({"cv": cv, "unsafe_magazines": sheet.weakness.unsafe_magazines});
        let magazine = step.rule("magazine-test", &input, &step.dice[next + picked..=next + picked]);
        assert_eq!(magazine["outcome"], tested.outcome, "{input}");
        assert_eq!(magazine["outcome"] == "flashover", step.said("flashover").is_some(), "{input}");
        if magazine["outcome"] == "explosion" {
            assert_eq!(now.status, Status::Exploded, "{input}");
        }
        met.count(magazine["outcome"].as_str().expect("an outcome"));
    } else if let Some(then) = step.notes.iter().filter(|note| note.what == "critical").nth(1) {
        let left = format!("; {} to spend", result["cv_left"]);
        assert!(then.text.ends_with(&left), "{}: {input}\n{result}", then.text);
        met.count("rolled on");
    }
}

#[test]
pub(super) fn armour_stops_what_the_referee_says() {
    let system = system();
    let (mut met, mut chance) = (Met::default(), Chance::seeded(20));
    for id in SCENARIOS {
        let game = super::sea_game(id);
        for (seed, on) in (0..6).flat_map(|round| ships(&game).into_iter().map(move |on| (round, on))) {
            let sheet = &game.battle.model(on).sheet;
            let (ip, pen) = (draw(&mut chance, 2, 9), draw(&mut chance, 0, 16));
            let (strikes, attack) =
                [(Strikes::Vertical, "gunfire"), (Strikes::Horizontal, "bomb"), (Strikes::Either, "kamikaze")]
                    [chance.below(3) as usize];
            let mut state = scattered(&game);
            state.sea.vessel_mut(on).now.rearming = 0;
            state.sea.pending = struck(on, strikes, (ip, 1, pen));
            // No chance of a critical comes true.
            let rolled = strikes == Strikes::Either;
            let given = if rolled { vec![draw(&mut chance, 1, 10) as u8, 20] } else { vec![20] };
            stepped((&system, &game), &state, &given, seed, |step| {
                let says = |area: &str| {
                    let input = json!({"area": area, "attack": attack, "armour": sheet.armour, "pen": pen});
                    step.rule("armour-protection", &input, &step.dice[..usize::from(rolled)])
                };
                // From above the stronger of the two decks counts.
                let above = says("belt")["direction"] == "horizontal";
                let area = if above && sheet.armour.flight_deck > sheet.armour.deck { "flight-deck" } else { "belt" };
                let result = says(area);
                if rolled {
                    assert_eq!(step.said("kamikaze").map(|note| &note.outcome), Some(&result["direction"]));
                }
                let (was, now) = (step.before.sea.vessel(on).now, step.after.sea.vessel(on).now);
                let through = result["penetrates"] == true;
                let expected = if through { ip } else { (ip + 1) / 2 };
                assert_eq!(was.s + was.f - now.s - now.f, expected, "{ip} IP, PEN {pen}, {attack}: {result}");
                met.count(format!("{} {through}", result["direction"].as_str().expect("a direction")));
                met.count(attack);
            });
        }
    }
    met.all(&["vertical true", "vertical false", "horizontal true", "horizontal false", "kamikaze"]);
}

#[test]
pub(super) fn ships_without_flotation_sink_as_the_referee_says() {
    let system = system();
    let (mut met, mut chance) = (Met::default(), Chance::seeded(21));
    for id in SCENARIOS {
        let game = super::sea_game(id);
        let afloat: Vec<VesselId> =
            ships(&game).into_iter().filter(|id| !game.battle.model(*id).sheet.is_air_base()).collect();
        for (seed, on) in (0..8).flat_map(|round| afloat.iter().map(move |on| (round, *on))) {
            let mut state = scattered(&game);
            damaged(&game, &mut state, on, &mut chance);
            let weakness = game.battle.model(on).sheet.weakness;
            let critical = draw(&mut chance, 1, 2) == 1;
            let storm = !game.battle.scenario.squalls.is_empty() && draw(&mut chance, 1, 2) == 1;
            let vessel = state.sea.vessel_mut(on);
            (vessel.now.f, vessel.now.s) = (draw(&mut chance, 1, 9), 0);
            let (at, now) = (vessel.at.at, vessel.now);
            if storm {
                state.sea.squalls = vec![at];
            }
            let input = json!({
                "crew_quality": now.crew_quality, "dc": now.dc, "fires": now.fires,
                "poor_carrier_safety": weakness.poor_carrier_safety, "poor_underwater": weakness.poor_underwater,
                "bad_weather": storm, "from_critical": critical,
            });
            // A torpedo that costs all flotation, or one that costs none and floods her by its critical.
            let weapon = if critical { (0, 20, 0) } else { (60, 1, 0) };
            state.sea.pending = struck(on, Strikes::Underwater(Approach::Beam), weapon);
            let given: &[u8] = if critical { &[5, 1, 1] } else { &[5] };
            stepped((&system, &game), &state, given, seed, |step| {
                let result = step.rule("wreck-test", &input, rolls(step, "wreck-test", given.len()));
                let told = step.notes.iter().rfind(|note| note.what == "wreck-test").expect("a Wreck Test");
                assert_eq!(result["survives"], told.outcome == "she stays afloat", "{input}");
                if result["survives"] == false {
                    assert_eq!(json!(step.after.sea.vessel(on).now.status.word()), result["fate"], "{input}");
                    assert_eq!(step.after.sea.vessel(on).in_the_way(), result["wreck_marker"] == true, "{input}");
                }
                met.count(format!("{} {critical}", result["fate"].as_str().expect("a fate")));
                if storm {
                    met.count("bad weather");
                }
            });
        }
    }
    met.all(&["afloat true", "afloat false", "wreck false", "sunk true", "bad weather"]);
}

#[test]
pub(super) fn bombs_among_armed_aircraft_burn_as_the_referee_says() {
    let system = system();
    let (mut met, mut chance) = (Met::default(), Chance::seeded(22));
    for id in ["two-decks", "illustrious", "samar"] {
        let game = super::sea_game(id);
        let carriers: Vec<VesselId> =
            ships(&game).into_iter().filter(|id| game.battle.model(*id).sheet.kind == Kind::Carrier).collect();
        for (seed, on) in (0..20).flat_map(|round| carriers.iter().map(move |on| (round, *on))) {
            let mut state = scattered(&game);
            state.sea.vessel_mut(on).now.rearming = 1;
            let cv = draw(&mut chance, 1, 19);
            state.sea.pending = struck(on, Strikes::Horizontal, (0, cv, 60));
            let given = [draw(&mut chance, 1, 20) as u8, 20];
            stepped((&system, &game), &state, &given, seed, |step| {
                assert_eq!(step.dice, given, "a Fire Test and the chance of a critical");
                let result = step.rule("fire-test", &json!({"cv": cv}), &given[..1]);
                let fires = step.after.sea.vessel(on).now.fires - step.before.sea.vessel(on).now.fires;
                assert_eq!(json!(fires == 1), result["success"], "CV {cv}: {given:?}");
                met.count(if fires == 1 { "fire" } else { "no fire" });
            });
        }
    }
    met.all(&["fire", "no fire"]);
}

#[test]
pub(super) fn ships_collide_as_the_referee_says() {
    let system = system();
    let (mut met, mut chance) = (Met::default(), Chance::seeded(23));
    for id in SCENARIOS {
        let game = super::sea_game(id);
        let all: Vec<VesselId> =
            ships(&game).into_iter().filter(|id| !game.battle.model(*id).sheet.is_air_base()).collect();
        for seed in 0..30 {
            let [Some(one), Some(two)] = [pick(&all, &mut chance), pick(&all, &mut chance)] else { continue };
            if one == two {
                continue;
            }
            let mut state = scattered(&game);
            for on in [one, two] {
                let now = &mut state.sea.vessel_mut(on).now;
                now.crew_quality = draw(&mut chance, -4, 2);
            }
            let model = game.battle.model(one);
            let to = if draw(&mut chance, 1, 2) == 1 { Sheer::Port } else { Sheer::Starboard };
            let turn = if to == Sheer::Port { -45 } else { 45 };
            let from = state.sea.vessel(one).at;
            let course = Position { heading: from.heading.turned(turn), ..from };
            let run = straight_run_mm(model.size(), model.merchant());
            state.sea.vessel_mut(two).at.at = course.ahead(run.into()).at;
            state.sea.pending = vec![Pending::Sheer { vessel: one, to }];
            let collider = |id: VesselId| {
                let quality = state.sea.vessel(id).now.crew_quality;
                json!({"size": game.battle.model(id).size(), "crew_quality": quality})
            };
            let input = json!({"moving": collider(one), "other": collider(two)});
            stepped((&system, &game), &state, &[], seed, |step| {
                // Two Crew Tests, and two dice of flotation if both fail; Wreck Tests come after them.
                let failed = step.notes.iter().any(|note| note.what == "collision" && !note.dice.is_empty());
                let result = step.rule("collision", &input, &step.dice[..if failed { 4 } else { 2 }]);
                assert_eq!(json!(!failed), result["avoided"], "{input}");
                for (on, loss) in [(one, "moving_f_loss"), (two, "other_f_loss")] {
                    let (was, now) = (step.before.sea.vessel(on).now.f, step.after.sea.vessel(on).now.f);
                    let loss = result[loss].as_i64().expect("a number") as i32;
                    assert_eq!(now, (was - loss).max(0), "{input}");
                }
                met.count(if failed { "collided" } else { "avoided" });
            });
        }
    }
    met.all(&["collided", "avoided"]);
}

#[test]
pub(super) fn mines_strike_as_the_referee_says() {
    let system = system();
    let (mut met, mut chance) = (Met::default(), Chance::seeded(24));
    for id in SCENARIOS {
        let game = super::sea_game(id);
        let all: Vec<VesselId> =
            ships(&game).into_iter().filter(|id| !game.battle.model(*id).sheet.is_air_base()).collect();
        for (seed, on) in (0..6).flat_map(|round| all.iter().map(move |on| (round, *on))) {
            let model = game.battle.model(on);
            let mut state = scattered(&game);
            let vessel = state.sea.vessel_mut(on);
            let speed = draw(&mut chance, 6, vessel.now.speed.max(6));
            (vessel.speed, vessel.last_speed) = (speed, speed);
            // A sweeper has a Crew Test of her own before the mines.
            if model.light_class == LightClass::C && speed <= 10 || vessel.now.speed < 6 {
                continue;
            }
            let density = [Density::Light, Density::Medium, Density::Heavy][chance.below(3) as usize];
            let rules = &game.battle.rules;
            let centre = vessel.at.ahead(i64::from(rules.mine.field_width_mm) / 2 + 5);
            let at = Position { heading: vessel.at.heading.turned(90), ..centre };
            let squadron = game.battle.member(on).squadron;
            state.sea.fields = vec![Field { side: Side::First, at, density: Some(density), known: false }];
            let left = vec![Task::Keeps(on)];
            state.phase = Phase::Ships(moving::Stage::Run { squadron, left, guide: None });
            let input = json!({
                "density": density.word(), "size": model.size(), "slow": speed <= 10,
                "paravanes": model.size() >= 0 && !model.merchant(),
            });
            stepped((&system, &game), &state, &[], seed, |step| {
                assert!(step.said("minefield").is_some(), "{} enters the field", model.name);
                let struck = step.said("location").is_some();
                let dice = 1 + usize::from(struck);
                let result = step.rule("mine-transit", &input, &step.dice[..dice]);
                assert_eq!(json!(struck), result["strike"], "{input}");
                let left = step.after.sea.fields[0].density;
                assert_eq!(left, if struck { density.thinned() } else { Some(density) }, "{input}");
                met.count(format!("{} {struck}", density.word()));
                if struck {
                    assert_eq!(step.said("location").map(|note| &note.outcome), Some(&result["column"]));
                    let mine = json!({
                        "weapon": {"ip": rules.mine.ip, "cv": rules.mine.cv}, "direction": "underwater",
                        "column": result["column"], "ship": step.object(on),
                    });
                    same_ship(step, on, &step.rule("resolve-hit", &mine, &step.dice[dice..])["ship"]);
                }
            });
        }
    }
    met.all(&["light true", "medium true", "heavy true", "light false", "medium false", "heavy false"]);
}

#[test]
pub(super) fn command_adds_to_the_initiative_what_the_referee_says() {
    let (system, game) = (system(), super::sea_game("river-plate"));
    let mut chance = Chance::seeded(25);
    for seed in 0..60 {
        let mut state = scattered(&game);
        (state.sea.turn, state.phase) = (2, Phase::Initiative);
        let mut totals = [0, 0];
        for (squad, squadron) in game.battle.squadrons.iter().zip(&mut state.sea.squadrons) {
            squadron.command = draw(&mut chance, -9, 14);
            totals[usize::from(squad.side == Side::Second)] += squadron.command;
        }
        stepped((&system, &game), &state, &[], seed, |step| {
            let told = step.notes.iter().filter(|note| note.what == "initiative-modifier");
            let told: Vec<Value> = told.map(|note| note.outcome.clone()).collect();
            let says =
                totals.map(|total| step.rule("initiative-modifier", &json!({"total": total}), &[])["modifier"].clone());
            assert_eq!(told, says, "{totals:?}");
        });
    }
}

#[test]
pub(super) fn crews_pass_the_tests_that_the_referee_says() {
    let system = system();
    let (mut met, mut chance) = (Met::default(), Chance::seeded(26));
    let game = super::sea_game("savo-island");
    let all = ships(&game);
    let enemy =
        |of: VesselId| all.iter().copied().find(|other| game.battle.member(*other).side != game.battle.member(of).side);
    for (seed, on) in (0..4).flat_map(|round| all.iter().map(move |on| (round, *on))) {
        let squadron = game.battle.member(on).squadron;
        let quality = draw(&mut chance, -3, 2);
        let mut state = scattered(&game);
        state.sea.turn = 6;
        let vessel = state.sea.vessel_mut(on);
        vessel.now.crew_quality = quality;
        let at = vessel.at.at;
        let says =
            |step: &Step<'_>| step.rule("crew-test", &json!({"crew_quality": quality}), step.dice)["passed"] == true;
        let mut shaken = state.clone();
        shaken.sea.vessel_mut(on).mood = Mood::Shaken;
        shaken.phase = Phase::End(end::Stage::Rally(vec![on]));
        stepped((&system, &game), &shaken, &[], seed, |step| {
            let rallied = step.after.sea.vessel(on).mood == Mood::Steady;
            assert_eq!(rallied, says(step), "rally: {:?}", step.dice);
            met.count(format!("rally {rallied}"));
        });
        let mut dark = state.clone();
        dark.sea.vessel_mut(on).now.gear.power_failed = true;
        dark.phase = Phase::Actions(Stage::Power { squadron, left: vec![on] });
        stepped((&system, &game), &dark, &[], seed, |step| {
            let power = step.after.sea.vessel(on).ledger.power;
            assert_eq!(power, Some(says(step)), "power: {:?}", step.dice);
            met.count(format!("power {}", power == Some(true)));
        });
        let medium = |battery: &&Battery| (99..=155).contains(&battery.calibre_mm);
        let (Some(battery), Some(target)) = (game.battle.model(on).batteries.iter().find(medium), enemy(on)) else {
            continue;
        };
        state.sea.vessel_mut(target).at.at = Place { x: at.x, y: at.y + 300 };
        let [by, target_id] = [on, target].map(|id| game.battle.member(id).id.as_str());
        let star = json!({"star-shell": {"ship": by, "battery": battery.id, "target": target_id}});
        let left = vec![serde_json::from_value(star).expect("an action")];
        state.phase = Phase::Actions(Stage::Carry { squadron, left });
        stepped((&system, &game), &state, &[], seed, |step| {
            let lit = step.after.sea.vessel(target).star_lit;
            assert_eq!(lit, says(step), "star shell: {:?}", step.dice);
            met.count(format!("star shell {lit}"));
        });
    }
    for what in ["rally", "power", "star shell"] {
        met.all(&[&format!("{what} true"), &format!("{what} false")]);
    }
}

/// Facts as a request gives them: what is not there is left out.
fn facts(facts: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(facts).expect("facts are JSON");
    value.as_object_mut().expect("facts are an object").retain(|_, fact| !fact.is_null());
    value
}

#[test]
pub(super) fn ratings_in_play_are_those_the_referee_derives() {
    let system = system();
    let mut met = Met::default();
    let derived = |procedure: &str, of: &Value| ruled(&system, procedure, of, &[]);
    for id in SCENARIOS {
        let game = super::sea_game(id);
        for member in game.battle.vessels.iter().filter(|member| member.model.code.is_some()) {
            let model = &member.model;
            let mut entry = system.fleet().ships.iter().find(|ship| ship.id == model.id).expect("a ship").clone();
            let ratings = derived("derive-ship", &facts(&entry.facts));
            entry.ratings = serde_json::from_value::<ShipRatings>(ratings).expect("ratings");
            let made = Model::of_ship(&entry, system.fleet());
            assert_eq!((&made.sheet, &made.fresh, made.vp), (&model.sheet, &model.fresh, model.vp), "{}", model.name);
            assert_eq!((&made.batteries, made.light_class), (&model.batteries, model.light_class), "{}", model.name);
            met.count("derive-ship");
            for (battery, given) in model.batteries.iter().zip(&entry.facts.batteries) {
                let gun = derived("derive-gun", &facts(&given.gun));
                assert_eq!(serde_json::from_value::<Gun>(gun).expect("a gun"), battery.gun, "{}", battery.name);
                met.count("derive-gun");
            }
        }
        for torpedo in game.battle.vessels.iter().filter_map(|member| member.model.torpedo.as_ref()) {
            let ratings = derived("derive-torpedo", &facts(&torpedo.facts));
            assert_eq!(serde_json::from_value::<Torpedo>(ratings).expect("ratings"), torpedo.ratings);
            met.count("derive-torpedo");
        }
        for flight in &game.battle.stands {
            let ratings = derived("derive-aircraft", &facts(&flight.aircraft.facts));
            assert_eq!(serde_json::from_value::<AircraftRatings>(ratings).expect("ratings"), flight.aircraft.ratings);
            met.count("derive-aircraft");
            if let Some(Ordnance::Bomb(bomb)) = &flight.ordnance {
                let ratings = derived("derive-bomb", &facts(&bomb.facts));
                assert_eq!(serde_json::from_value::<Bomb>(ratings).expect("ratings"), bomb.ratings);
                met.count("derive-bomb");
            }
        }
    }
    met.all(&["derive-ship", "derive-gun", "derive-torpedo", "derive-aircraft", "derive-bomb"]);
}
