//! Fire, damage, the End Phase and points: whole battles to their verdict, drawn seas, every refusal.

use super::sea::SCENARIOS;
use super::{ask, system};
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::actions::Stage;
use flagplot_fleet_action::game::end;
use flagplot_fleet_action::game::state::*;
use flagplot_fleet_action::geometry::{Heading, Place, Position};
use flagplot_fleet_action::ship::Ship;
use flagplot_fleet_action::words::{Mode, Status};
use flagplot_kernel::{
    Ask, Asked, Chance, Choice, Die, Game, Note, Outcome, Refusal, Seat, SeatQuestion, Side, Unanswered, Viewer,
};
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Display;
use std::sync::Arc;

pub(super) fn game(id: &str) -> FleetGame {
    super::sea_game(id)
}

/// Answers from a script; where the script is silent, at random or by instinct. Keeps what it hears.
pub(super) struct Table {
    pub(super) chance: Chance,
    pub(super) instinct: bool,
    pub(super) dice: VecDeque<u8>,
    pub(super) answers: VecDeque<Value>,
    pub(super) notes: Vec<Note>,
    pub(super) rules: BTreeSet<String>,
    pub(super) codes: Vec<&'static str>,
    pub(super) refused: Option<Refusal>,
}

impl Table {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            chance: Chance::seeded(seed),
            instinct: false,
            dice: VecDeque::new(),
            answers: VecDeque::new(),
            notes: Vec::new(),
            rules: BTreeSet::new(),
            codes: Vec::new(),
            refused: None,
        }
    }

    pub(super) fn dice(mut self, faces: &[u8]) -> Self {
        self.dice.extend(faces);
        self
    }

    pub(super) fn answer(mut self, value: Value) -> Self {
        self.answers.push_back(value);
        self
    }
}

impl Ask for Table {
    fn roll(&mut self, die: Die, _: impl Display) -> Asked<u8> {
        Ok(self.dice.pop_front().unwrap_or_else(|| self.chance.face(die)))
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        let prompt = choice.prompt();
        self.codes.push(prompt.code);
        self.rules.extend(prompt.rule.map(|rule| rule.id.to_owned()));
        let value = match self.answers.pop_front() {
            Some(json) => match serde_json::from_value(json) {
                Ok(value) => value,
                Err(error) => {
                    self.refused = Some(Refusal::new("unreadable", error.to_string()));
                    return Err(Unanswered);
                }
            },
            None if self.instinct => choice.instinct(&mut self.chance),
            None => choice.sample(&mut self.chance),
        };
        if let Err(refusal) = choice.check(&value) {
            self.rules.extend(refusal.rule.map(|rule| rule.id.to_owned()));
            self.refused = Some(refusal);
            return Err(Unanswered);
        }
        Ok(value)
    }

    fn listening(&self) -> bool {
        true
    }

    fn record(&mut self, note: Note) {
        self.rules.extend(note.rules.iter().map(|rule| rule.id.to_owned()));
        self.rules.extend(note.modifiers.iter().filter_map(|modifier| Some(modifier.rule?.id.to_owned())));
        self.notes.push(note);
    }
}

/// Plays a battle to its end with every answer checked.
fn battle(game: &FleetGame, table: &mut Table) -> (State, Outcome) {
    let mut state = game.setup();
    for step in 0..game.step_limit() {
        if let Some(outcome) = game.outcome(&state) {
            return (state, outcome);
        }
        if game.step(&mut state, table).is_err() {
            panic!("{:?}: {:?}", table.codes.last(), table.refused);
        }
        sound(game, &state);
        if step % 16 == 0 {
            let json = serde_json::to_value(&state).expect("a state is JSON");
            let read: State = serde_json::from_value(json).expect("a state reads its own JSON");
            assert_eq!(read, state, "step {step}");
        }
        table.notes.clear();
    }
    panic!("the battle does not end");
}

/// What holds in every state.
fn sound(game: &FleetGame, state: &State) {
    for (at, vessel) in state.sea.vessels.iter().enumerate() {
        let member = &game.battle.vessels[at];
        let (now, sheet) = (&vessel.now, &member.model.sheet);
        assert!((0..=sheet.f_max).contains(&now.f) && (0..=sheet.s_max).contains(&now.s), "{}: {now:?}", member.name);
        assert!(now.fires >= 0 && now.splash >= 0 && now.dc >= 0, "{}: {now:?}", member.name);
        assert!(now.fc <= member.model.fresh.fc && now.speed <= member.model.fresh.speed, "{}: {now:?}", member.name);
        assert!((0..=member.vessels).contains(&vessel.vessels), "{}", member.name);
        assert_eq!(vessel.lost_on.is_some(), !now.afloat(), "{}: {:?}", member.name, now.status);
        assert_eq!(vessel.loaded & now.torpedoes_lost, 0, "{}: a lost mount is loaded", member.name);
    }
}

/// The rules that whole battles meet in notes, prompts and refusals.
pub(crate) fn met_in_play() -> BTreeSet<String> {
    let mut met = BTreeSet::new();
    for id in SCENARIOS {
        let game = game(id);
        for seed in 0..4 {
            let mut table = Table::new(seed);
            table.instinct = seed == 0;
            let (state, outcome) = battle(&game, &mut table);
            let standing = game.evaluate(&game.view(&state, Viewer::Everything), Side::First);
            let margin = outcome.points[0] - outcome.points[1] - i64::from(game.battle.scenario.par);
            assert_eq!(standing, 1000 * margin, "{id}: the worth of a finished battle is its margin");
            met.append(&mut table.rules);
        }
    }
    // A ship without structure lays her guns locally.
    let (game, mut state) = abeam();
    state.sea.vessel_mut(ship(&game, SPEE)).now.s = 0;
    let mut table = Table::new(1).answer(json!([shoot(SPEE, "main", "directed", "exeter")]));
    assert!(game.step(&mut state, &mut table).is_err());
    met.append(&mut table.rules);
    let mut table = Table::new(1).dice(&[1]);
    bombed_barges(&mut table);
    met.append(&mut table.rules);
    met
}

/// A bomb strikes the first stand of barges; the vessels and splash markers afterwards.
fn bombed_barges(table: &mut Table) -> (i32, i32) {
    let game = game("blackett-strait");
    let mut state = game.setup();
    let barges = ship(&game, "barges-1");
    state.sea.pending = vec![Pending::Hits(flagplot_fleet_action::game::harm::Hits {
        on: barges,
        left: 1,
        ip: 1,
        cv: 5,
        pen: 1,
        multiple: 1,
        strikes: flagplot_fleet_action::game::harm::Strikes::Horizontal,
    })];
    game.step(&mut state, table).expect("the bomb falls");
    (state.sea.vessel(barges).vessels, state.sea.vessel(barges).now.splash)
}

#[test]
fn a_bomb_costs_a_stand_of_barges_one_vessel_unless_it_saves() {
    assert_eq!(bombed_barges(&mut Table::new(1).dice(&[1])), (5, 1));
    assert_eq!(bombed_barges(&mut Table::new(1).dice(&[10])), (6, 1));
}

#[test]
fn every_battle_comes_to_a_verdict() {
    let met = met_in_play();
    for rule in ["9.5", "C-8", "C-20", "C-24", "C-39", "C-47", "12.3", "6.6", "6.7", "R-54"] {
        assert!(met.contains(rule), "no battle meets {rule}");
    }
}

pub(super) fn ship(game: &FleetGame, id: &str) -> VesselId {
    game.battle.find(id).unwrap_or_else(|| panic!("{id} is in the scenario"))
}

pub(super) fn squadron(game: &FleetGame, id: &str) -> SquadronId {
    game.battle.member(ship(game, id)).squadron
}

pub(super) fn place(game: &FleetGame, state: &mut State, id: &str, x: i64, y: i64, heading: i32) {
    let heading = Heading::new(&game.battle.rules, heading).expect("a heading");
    let vessel = state.sea.vessel_mut(ship(game, id));
    (vessel.at, vessel.placed) = (Position { at: Place { x, y }, heading }, true);
}

/// Spee heads north; Exeter lies 50 cm abeam of her to the east, heading north too; the others are far away.
pub(super) fn abeam() -> (FleetGame, State) {
    let game = game("river-plate");
    let mut state = game.setup();
    place(&game, &mut state, "admiral-graf-spee", 0, 0, 0);
    place(&game, &mut state, "exeter", 500, 0, 0);
    place(&game, &mut state, "ajax", 9000, 9000, 0);
    place(&game, &mut state, "achilles", 9100, 9000, 0);
    state.sea.turn = 2;
    acts(&game, &mut state, "admiral-graf-spee");
    (game, state)
}

/// The squadron of a ship is asked what it does.
pub(super) fn acts(game: &FleetGame, state: &mut State, id: &str) {
    state.sea.holder = Some(game.battle.member(ship(game, id)).side);
    state.phase = Phase::Actions(Stage::Ask(Group::Squadron(squadron(game, id))));
}

pub(super) fn shoot(ship: &str, battery: &str, control: &str, target: &str) -> Value {
    json!({"shoot": {"ship": ship, "battery": battery, "control": control, "target": target}})
}

/// The code with which an answer is refused.
pub(super) fn refused(game: &FleetGame, state: &State, answer: Value) -> String {
    let mut table = Table::new(1).answer(answer.clone());
    let mut copy = state.clone();
    let result = game.step(&mut copy, &mut table);
    assert!(result.is_err(), "{answer} is accepted");
    let refusal = table.refused.expect("a refusal");
    assert!(refusal.message.ends_with('.') || refusal.code == "unreadable", "{refusal}");
    refusal.code.to_owned()
}

/// Whether a squadron that is to act has nothing to do and is passed over.
fn not_asked(game: &FleetGame, state: &State) -> bool {
    let mut table = Table::new(1);
    game.step(&mut state.clone(), &mut table).expect("the step is taken");
    !table.codes.contains(&"actions")
}

pub(super) const SPEE: &str = "admiral-graf-spee";

#[test]
fn illegal_shots_are_refused_by_ship_and_rule() {
    let (game, state) = abeam();
    let main = shoot(SPEE, "main", "directed", "exeter");
    let code = |answer: Value| refused(&game, &state, answer);
    assert_eq!(code(json!([main.clone(), main.clone()])), "already-fired");
    assert_eq!(code(json!([])), "bad-list");
    assert_eq!(code(json!("stop")), "unreadable");
    assert_eq!(code(json!([{"shoot": {}}])), "unreadable");
    assert_eq!(code(json!([{"dance": {}}])), "unreadable");
    assert_eq!(code(json!([shoot("exeter", "main", "directed", SPEE)])), "unknown-ship");
    assert_eq!(code(json!([shoot(SPEE, "main", "directed", "hood")])), "unknown-target");
    assert_eq!(code(json!([shoot(SPEE, "main", "directed", SPEE)])), "unknown-target");
    assert_eq!(code(json!([shoot(SPEE, "other-9", "directed", "exeter")])), "unknown-battery");
    assert_eq!(code(json!([shoot(SPEE, "main", "directed", "ajax")])), "out-of-gun-range");
    let mounts = |list: Value| {
        json!([{"shoot": {"ship": SPEE, "battery": "main", "mounts": list,
            "control": "directed", "target": "exeter"}}])
    };
    assert_eq!(code(mounts(json!([0]))), "unknown-mount");
    assert_eq!(code(mounts(json!([3]))), "unknown-mount");
    let light = |weapon: &str, target: &str| json!([{"light": {"ship": SPEE, "weapon": weapon, "target": target}}]);
    assert_eq!(code(light("crf", "exeter")), "not-a-target");
    let lamp = json!([{"searchlight": {"ship": SPEE, "target": "exeter"}}]);
    assert_eq!(code(lamp), "not-at-night");
    let star = json!([{"star-shell": {"ship": SPEE, "battery": "other-1", "target": "exeter"}}]);
    assert_eq!(code(star), "not-at-night");
    assert_eq!(code(json!([{"spot": {"by": SPEE, "contact": "contact-1"}}])), "unknown-contact");
}

#[test]
fn what_a_ship_has_lost_forbids_shots() {
    let (game, mut state) = abeam();
    // Ajax is so near that there is always something to do.
    place(&game, &mut state, "ajax", -200, 0, 0);
    let spee = ship(&game, SPEE);
    let check = |change: &dyn Fn(&mut State), answer: Value, code: &str| {
        let mut state = state.clone();
        change(&mut state);
        assert_eq!(refused(&game, &state, json!([answer])), code);
    };
    let main = || shoot(SPEE, "main", "directed", "exeter");
    check(&|state| state.sea.vessel_mut(spee).now.fc = 0, main(), "no-fire-control");
    check(&|state| state.sea.vessel_mut(spee).now.s = 0, main(), "no-fire-control");
    check(&|state| state.sea.vessel_mut(spee).ledger.directed = 9, main(), "no-fire-control");
    check(&|state| state.sea.vessel_mut(spee).now.sd = 1, main(), "not-visible");
    check(&|state| state.sea.vessel_mut(spee).mood = Mood::Broken, main(), "morale-forbids");
    check(&|state| state.sea.vessel_mut(spee).now.main_lost = 3, main(), "already-fired");
    check(&|state| state.sea.vessel_mut(spee).at.heading = Heading::default().turned(90), main_part(), "does-not-bear");
    let mut dark = state.clone();
    dark.sea.vessel_mut(spee).now.gear.power_failed = true;
    assert!(not_asked(&game, &dark), "without power she does nothing");
    let mut surprised = state.clone();
    surprised.sea.squadron_mut(squadron(&game, SPEE)).surprised = true;
    assert!(not_asked(&game, &surprised), "surprised she does nothing");
    let afloat = |state: &mut State| state.sea.vessel_mut(ship(&game, "exeter")).now.status = Status::Wreck;
    check(&afloat, main(), "unknown-target");
}

/// Both turrets of Spee at once; end on only one bears.
fn main_part() -> Value {
    json!({"shoot": {"ship": SPEE, "battery": "main", "mounts": [1, 2], "control": "local", "target": "exeter"}})
}

#[test]
fn a_raider_lays_her_guns_locally_and_sydney_holds_her_fire() {
    let game = game("kormoran");
    let mut state = game.setup();
    state.sea.turn = 1;
    acts(&game, &mut state, "kormoran");
    assert_eq!(refused(&game, &state, json!([shoot("kormoran", "main", "directed", "sydney")])), "amc-must-use-local");
    acts(&game, &mut state, "sydney");
    assert!(not_asked(&game, &state), "Sydney keeps her course and takes no action");
}

#[test]
fn lights_and_lookouts_have_their_limits() {
    let game = game("savo-island");
    let mut state = game.setup();
    for marker in &mut state.sea.markers {
        marker.holds = Some(Holds::Dummy);
    }
    place(&game, &mut state, "chokai", -300, -300, 90);
    place(&game, &mut state, "canberra", 100, -300, 270);
    acts(&game, &mut state, "chokai");
    let light = |target: &str| json!([{"searchlight": {"ship": "chokai", "target": target}}]);
    assert_eq!(refused(&game, &state, light("canberra")), "out-of-gun-range");
    assert_eq!(refused(&game, &state, json!([{"spot": {"by": "chokai", "contact": "contact-1"}}])), "unknown-contact");
    assert_eq!(refused(&game, &state, json!([{"spot": {"by": "canberra", "contact": "contact-5"}}])), "unknown-ship");
    assert_eq!(refused(&game, &state, json!([{"spot": {"by": "chokai", "contact": "contact-5"}}])), "cannot-see");
    place(&game, &mut state, "canberra", -200, -300, 270);
    state.sea.vessel_mut(ship(&game, "chokai")).now.gear.searchlights = false;
    assert_eq!(refused(&game, &state, light("canberra")), "no-searchlight");
    let star = |battery: &str| json!([{"star-shell": {"ship": "chokai", "battery": battery, "target": "canberra"}}]);
    assert_eq!(refused(&game, &state, star("main")), "wrong-calibre");
    assert_eq!(refused(&game, &state, star("other-7")), "unknown-battery");
    state.sea.vessel_mut(ship(&game, "chokai")).now.s = 0;
    assert_eq!(refused(&game, &state, star("other-1")), "no-star-shell");
    state.phase = Phase::Actions(Stage::Ask(Group::Marker(MarkerId(0))));
    assert_eq!(refused(&game, &state, json!({"spot": "contact-5"})), "dummy-contact");
    assert_eq!(refused(&game, &state, json!({"spot": "contact-2"})), "not-offered");
}

#[test]
fn a_spotted_dummy_is_taken_away_and_a_spotted_squadron_deploys() {
    let game = game("savo-island");
    let mut state = game.setup();
    place(&game, &mut state, "chokai", 0, -300, 90);
    let southern = squadron(&game, "canberra");
    for (holds, deployed) in [(Holds::Dummy, false), (Holds::Squadron(southern), true)] {
        let mut state = state.clone();
        state.sea.marker_mut(MarkerId(3)).holds = Some(holds);
        acts(&game, &mut state, "chokai");
        let mut table = Table::new(1).answer(json!([{"spot": {"by": "chokai", "contact": "contact-4"}}])).dice(&[10]);
        game.step(&mut state, &mut table).expect("the list is read");
        game.step(&mut state, &mut table).expect("the look is made");
        assert!(state.sea.marker(MarkerId(3)).gone);
        assert_eq!(state.sea.squadron(southern).deployed, deployed);
    }
}

#[test]
fn an_unlit_target_must_be_identified_first() {
    let game = game("savo-island");
    let mut state = game.setup();
    state.sea.turn = 6;
    place(&game, &mut state, "chokai", 0, -300, 0);
    place(&game, &mut state, "canberra", 300, -300, 0);
    acts(&game, &mut state, "chokai");
    let shot = json!([shoot("chokai", "main", "directed", "canberra")]);
    // The crew of Chokai (+2) fails with a 3 and keeps her shells.
    let mut table = Table::new(1).answer(shot.clone()).dice(&[3]);
    let mut failed = state.clone();
    game.step(&mut failed, &mut table).expect("the list is read");
    game.step(&mut failed, &mut table).expect("the shot is tried");
    let chokai = ship(&game, "chokai");
    assert_eq!(failed.sea.vessel(chokai).ledger.identified, Some((ship(&game, "canberra"), false)));
    assert_eq!(failed.sea.vessel(chokai).ledger.main_fired, 0);
    acts(&game, &mut failed, "chokai");
    assert_eq!(refused(&game, &failed, shot.clone()), "not-visible");
    let mut table = Table::new(1).answer(shot).dice(&[4, 1]);
    game.step(&mut state, &mut table).expect("the list is read");
    game.step(&mut state, &mut table).expect("the shot is fired");
    assert_ne!(state.sea.vessel(chokai).ledger.main_fired, 0);
    assert!(state.sea.vessel(ship(&game, "canberra")).ledger.shot_at);
}

#[test]
fn play_and_referee_agree_on_a_salvo() {
    let (game, state) = abeam();
    let exeter = ship(&game, "exeter");
    let model = &game.battle.member(exeter).model;
    let rules = &game.battle.rules;
    let object = Ship::new(rules, &Arc::new(model.sheet.clone()), state.sea.vessel(exeter).now);
    let spee = game.battle.member(ship(&game, SPEE));
    let battery = &spee.model.batteries[0];
    let before = state.sea.vessel(ship(&game, SPEE)).now;
    for seed in 0..200_u64 {
        let mut chance = Chance::seeded(seed);
        // Faces that every die has, so that the same list serves all dice.
        let dice: Vec<u8> = (0..400).map(|_| 1 + chance.below(6) as u8).collect();
        let mut dice = dice;
        dice[0] = 20;
        let mut played = state.clone();
        let mut table = Table::new(0).answer(json!([shoot(SPEE, "main", "directed", "exeter")])).dice(&dice);
        game.step(&mut played, &mut table).expect("the list is read");
        game.step(&mut played, &mut table).expect("the shot is fired");
        let used = dice.len() - table.dice.len();
        let now = played.sea.vessel(exeter).now;
        let input = json!({
            "range_mm": 500, "control": "directed", "guns": 6,
            "shooter": {"crew_quality": before.crew_quality, "gunnery_modifier": before.gm, "fc": before.fc},
            "target": {"speed": state.sea.vessel(exeter).speed},
            "gun": {"ip": battery.gun.ip, "cv": battery.gun.cv, "pen": battery.gun.pen},
            "radar_bonus": before.gear.gunnery_radar,
            "ship": object,
        });
        let answer = ask(&system(), "gunnery-salvo", &input, json!({"dice": &dice[..used]}));
        let result = &answer["result"];
        assert!(result.is_object(), "{answer}");
        let field = |name: &str| result["ship"][name].as_i64().unwrap_or(-1);
        assert_eq!(i64::from(now.splash), field("splash"), "seed {seed}");
        let mine = [now.f, now.s, now.fires, now.fc, now.gm, now.dc, now.crew_quality].map(i64::from);
        assert_eq!(mine, ["f", "s", "fires", "fc", "gm", "dc", "crew_quality"].map(field), "seed {seed}");
        assert_eq!(now.status.word(), result["ship"]["status"].as_str().unwrap_or(""), "seed {seed}");
    }
}

#[test]
fn torpedoes_arrive_where_the_target_is_now() {
    let (game, mut state) = abeam();
    let (spee, exeter) = (ship(&game, SPEE), ship(&game, "exeter"));
    let from = state.sea.vessel(spee).at;
    state.sea.running.push(Running {
        by: spee,
        from,
        mode: Mode::Aimed,
        mounts: 1,
        torpedoes: 4,
        aim: Some(Aim { at: AimPoint::Vessel(exeter), setting: 0 }),
        could: vec![exeter],
        frozen: None,
        hidden: false,
    });
    let mut near = state.clone();
    place(&game, &mut near, "exeter", 200, 0, 0);
    near.phase = Phase::Actions(Stage::Torpedoes(squadron(&game, SPEE)));
    let mut table = Table::new(1).dice(&[20, 20, 5]);
    game.step(&mut near, &mut table).expect("the torpedoes arrive");
    assert!(near.sea.running.is_empty());
    assert!(matches!(near.sea.pending.as_slice(), [Pending::Hits(hits)] if hits.left == 2 && hits.on == exeter));
    let before = near.sea.vessel(exeter).now.f;
    game.step(&mut near, &mut table).expect("the first hit is resolved");
    assert!(near.sea.vessel(exeter).now.f < before);
    // Out of reach they miss without a die.
    place(&game, &mut state, "exeter", 5000, 0, 0);
    state.phase = Phase::Actions(Stage::Torpedoes(squadron(&game, SPEE)));
    let mut table = Table::new(1).dice(&[20, 20]);
    game.step(&mut state, &mut table).expect("the torpedoes run out");
    assert_eq!(table.dice.len(), 2);
    assert!(state.sea.pending.is_empty() && state.sea.running.is_empty());
}

#[test]
fn an_explosion_reaches_ships_beside_it_and_no_others() {
    let (game, mut state) = abeam();
    place(&game, &mut state, "ajax", 540, 0, 0);
    place(&game, &mut state, "achilles", 560, 0, 0);
    let exeter = ship(&game, "exeter");
    let at = state.sea.vessel(exeter).at.at;
    state.sea.vessel_mut(exeter).now.status = Status::Exploded;
    state.sea.pending = vec![Pending::Explosion { by: exeter, at, dice: 2 }];
    let mut table = Table::new(1).dice(&[3, 4, 20]);
    game.step(&mut state, &mut table).expect("the explosion");
    game.step(&mut state, &mut table).expect("the blast");
    assert!(state.sea.pending.is_empty());
    let splash = |id: &str| state.sea.vessel(ship(&game, id)).now.splash;
    assert_eq!((splash("ajax"), splash("achilles"), splash(SPEE)), (1, 0, 0));
}

#[test]
fn a_launcher_that_is_lost_leaves_her_torpedoes_their_values() {
    let (game, mut state) = abeam();
    let exeter = ship(&game, "exeter");
    let from = state.sea.vessel(exeter).at;
    state.sea.running.push(Running {
        by: exeter,
        from,
        mode: Mode::Aimed,
        mounts: 1,
        torpedoes: 3,
        aim: Some(Aim { at: AimPoint::Vessel(ship(&game, SPEE)), setting: 0 }),
        could: vec![ship(&game, SPEE)],
        frozen: None,
        hidden: false,
    });
    let vessel = state.sea.vessel_mut(exeter);
    (vessel.now.f, vessel.now.s, vessel.now.splash) = (0, 0, 2);
    // The hit costs flotation that is not there; her crew fails the Wreck Test.
    let mut table = Table::new(1).answer(json!([shoot(SPEE, "main", "directed", "exeter")])).dice(&[20, 1]);
    game.step(&mut state, &mut table).expect("the list is read");
    game.step(&mut state, &mut table).expect("the shot is fired");
    assert_eq!(state.sea.vessel(exeter).now.status, Status::Wreck);
    assert_eq!(state.sea.vessel(exeter).lost_on, Some(2));
    assert_eq!(state.sea.running[0].frozen, Some((0, 3)));
}

/// Steps until the next turn begins or the battle is over.
fn end_turn(game: &FleetGame, state: &mut State, table: &mut Table) {
    let turn = state.sea.turn;
    state.phase = Phase::End(end::Stage::Teams(Side::First));
    state.sea.holder = Some(Side::First);
    while matches!(state.phase, Phase::End(_)) && state.sea.turn == turn {
        game.step(state, table).unwrap_or_else(|_| panic!("{:?}", table.refused));
    }
}

#[test]
fn teams_are_shared_out_and_no_more_than_there_are() {
    let (game, mut state) = abeam();
    let spee = ship(&game, SPEE);
    let vessel = state.sea.vessel_mut(spee);
    (vessel.now.fires, vessel.now.fc) = (2, 0);
    state.phase = Phase::End(end::Stage::Teams(Side::First));
    let key = |item: &str| format!("{SPEE}.{item}");
    assert_eq!(refused(&game, &state, json!({key("fires"): 9})), "too-many-teams");
    assert_eq!(refused(&game, &state, json!({key("fires"): -1})), "out-of-range");
    assert_eq!(refused(&game, &state, json!({key("sv"): 1})), "unknown-item");
    let sheet = json!({key("fires"): 3, key("fc"): 1});
    // Fires: 10 wins and puts 2 out; the repair fails with a 1.
    let mut table = Table::new(1).answer(sheet).dice(&[10, 1]);
    end_turn(&game, &mut state, &mut table);
    assert_eq!(state.sea.vessel(spee).now.fires, 0);
    assert_eq!(state.sea.vessel(spee).now.fc, 0);
    assert_eq!(table.codes.first(), Some(&"teams"));
}

#[test]
fn a_ship_with_one_thing_to_do_is_not_asked() {
    let (game, mut state) = abeam();
    let spee = ship(&game, SPEE);
    state.sea.vessel_mut(spee).now.fires = 1;
    let s = state.sea.vessel(spee).now.s;
    // The fires win, then burn two points' band.
    let mut table = Table::new(1).dice(&[1]);
    end_turn(&game, &mut state, &mut table);
    assert!(!table.codes.contains(&"teams"), "{:?}", table.codes);
    assert_eq!(state.sea.vessel(spee).now.fires, 2);
    assert_eq!(state.sea.vessel(spee).now.s, s - 1);
}

#[test]
fn markers_go_wrecks_lie_a_turn_and_tubes_are_loaded_again() {
    let (game, mut state) = abeam();
    let (spee, exeter) = (ship(&game, SPEE), ship(&game, "exeter"));
    state.sea.vessel_mut(spee).now.splash = 3;
    state.sea.vessel_mut(spee).loaded = 0;
    state.sea.vessel_mut(spee).reloads = vec![(0, 2), (1, 3)];
    state.sea.vessel_mut(exeter).now.status = Status::Wreck;
    state.sea.vessel_mut(exeter).lost_on = Some(2);
    let mut table = Table::new(1);
    end_turn(&game, &mut state, &mut table);
    assert_eq!((state.sea.turn, state.sea.vessel(spee).now.splash, state.sea.vessel(spee).loaded), (3, 0, 1));
    assert!(state.sea.vessel(exeter).in_the_way(), "a wreck lies where it is until the end of the next turn");
    end_turn(&game, &mut state, &mut table);
    assert!(!state.sea.vessel(exeter).in_the_way());
    assert_eq!(state.sea.vessel(spee).loaded, 3);
}

#[test]
fn failed_morale_shakes_and_then_breaks_and_steady_crews_rally() {
    let (game, mut state) = abeam();
    let exeter = ship(&game, "exeter");
    let vessel = state.sea.vessel_mut(exeter);
    vessel.now.s = 1;
    let mut table = Table::new(1).dice(&[1]);
    end_turn(&game, &mut state, &mut table);
    assert_eq!(state.sea.vessel(exeter).mood, Mood::Shaken);
    let mut rallied = state.clone();
    let mut table = Table::new(1).dice(&[10]);
    end_turn(&game, &mut rallied, &mut table);
    assert_eq!(rallied.sea.vessel(exeter).mood, Mood::Steady);
    state.sea.vessel_mut(exeter).now.s = 0;
    let mut table = Table::new(1).dice(&[1]);
    end_turn(&game, &mut state, &mut table);
    assert_eq!(state.sea.vessel(exeter).mood, Mood::Broken);
}

#[test]
fn a_raider_far_from_everything_may_leave_and_that_ends_the_battle() {
    let (game, mut state) = abeam();
    place(&game, &mut state, "exeter", 1500, 0, 0);
    let mut table = Table::new(1);
    end_turn(&game, &mut state, &mut table);
    assert!(!table.codes.contains(&"leave"), "1500 mm are not more than 1500 mm");
    place(&game, &mut state, "exeter", 1501, 0, 0);
    let mut table = Table::new(1).answer(json!([SPEE]));
    end_turn(&game, &mut state, &mut table);
    assert_eq!(table.codes, ["leave"]);
    let outcome = game.outcome(&state).expect("Germany has nothing left at sea");
    assert_eq!(outcome.points, [10, 0]);
    assert_eq!((outcome.winner, outcome.level.as_str()), (Some(Side::First), "decisive"));
}

#[test]
fn a_ship_that_may_not_leave_is_refused() {
    let (game, mut state) = abeam();
    place(&game, &mut state, "exeter", 1501, 0, 0);
    state.phase = Phase::End(end::Stage::Leaving(Side::First));
    assert_eq!(refused(&game, &state, json!(["exeter"])), "cannot-leave");
    assert_eq!(refused(&game, &state, json!([SPEE, SPEE])), "named-twice");
}

#[test]
fn points_count_losses_gutted_ships_and_bonuses() {
    let (game, mut state) = abeam();
    let points = |state: &State| {
        let mut over = state.clone();
        over.phase = Phase::Over;
        game.outcome(&over).expect("a verdict").points
    };
    assert_eq!(points(&state), [0, 0]);
    let exeter = ship(&game, "exeter");
    state.sea.vessel_mut(exeter).now.s = 0;
    assert_eq!(points(&state), [12, 0], "half of 23, rounded up");
    state.sea.vessel_mut(exeter).now.status = Status::Sunk;
    assert_eq!(points(&state), [23 + 10, 0], "and Spee is clear of the others");
    state.sea.vessel_mut(ship(&game, SPEE)).now.speed = 19;
    assert_eq!(points(&state), [33, 15]);
}

#[test]
fn a_surprised_squadron_is_alerted_by_fire_and_may_hear_of_it() {
    let game = game("savo-island");
    let mut state = game.setup();
    let (southern, northern) = (squadron(&game, "canberra"), squadron(&game, "vincennes"));
    state.sea.turn = 3;
    state.sea.vessel_mut(ship(&game, "canberra")).ledger.shot_at = true;
    let mut heard = state.clone();
    end_turn(&game, &mut state, &mut Table::new(1).dice(&[7]));
    assert!(!state.sea.squadron(southern).surprised && state.sea.squadron(northern).surprised);
    end_turn(&game, &mut heard, &mut Table::new(1).dice(&[8]));
    assert!(!heard.sea.squadron(southern).surprised && !heard.sea.squadron(northern).surprised);
}

#[test]
fn squalls_drift() {
    let game = game("samar");
    let mut state = game.setup();
    let before = state.sea.squalls[0];
    end_turn(&game, &mut state, &mut Table::new(1));
    assert_eq!(state.sea.squalls[0], Place { x: before.x - 100, y: before.y });
}

#[test]
fn the_suggested_plan_fires_all_that_bears_and_insights_are_chances() {
    let (game, mut state) = abeam();
    let mut table = Table::new(1);
    table.instinct = true;
    let view = game.view(&state, Viewer::Seat(Seat(0)));
    let question = SeatQuestion {
        seat: Seat(0),
        prompt: flagplot_kernel::Prompt::new("actions", "", flagplot_fleet_action::rule::C_39),
        options: Vec::new(),
        form: flagplot_kernel::Form::Pick,
    };
    let insights = game.explain(&view, &[], &question, None);
    let titles: Vec<&str> = insights.iter().map(|insight| insight.title.as_str()).collect();
    assert!(titles.contains(&"Chance to hit of each battery"), "{titles:?}");
    assert!(titles.contains(&"One critical on Exeter"), "{titles:?}");
    let all = &insights[0];
    let main = all.chances.iter().find(|chance| chance.label.contains("283 mm main battery at Exeter, directed"));
    // 9+ in band 2; crew +2, gunnery modifier +1, radar +1: 5 or more.
    assert_eq!(main.map(|chance| chance.chance.as_str()), Some("4/5"), "{:?}", all.chances);
    game.step(&mut state, &mut table).expect("the plan is made");
    let Phase::Actions(Stage::Carry { left, .. }) = &state.phase else { panic!("{:?}", state.phase) };
    assert!(left.len() >= 2, "{left:?}");
    assert!(serde_json::to_value(&left[0]).is_ok_and(|first| first["shoot"]["battery"] == "main"));
}

#[test]
fn the_luck_of_a_salvo_is_what_it_did_beside_its_exact_mean() {
    let (game, mut asked) = abeam();
    let order = json!([shoot("admiral-graf-spee", "main", "directed", "exeter")]);
    game.step(&mut asked, &mut Table::new(1).answer(order)).expect("the order is legal");
    let luck = |faces: &[u8]| {
        let mut after = asked.clone();
        game.step(&mut after, &mut Table::new(1).dice(faces)).expect("the dice are there");
        game.luck(&asked, &after)
    };
    // A miss, a hit without a critical, a hit with two.
    let [miss, plain, struck] = [luck(&[1]), luck(&[20, 20, 20]), luck(&[20, 1, 1])].map(|luck| luck[0]);
    assert_eq!((miss.real, miss.expected), (0, plain.expected));
    assert_eq!(plain.expected, struck.expected);
    // Six guns: damage 5 times 2, of Exeter's 61 Structure, which is a quarter of her 23 points.
    assert_eq!(plain.real, 23_000 * (250 * 10 / 61) / 1000);
    // Two criticals of CV 9 through her belt.
    assert_eq!(struck.real - plain.real, 2 * (23 * 50 * 9 / 8));
    // The guns hit on 5 or more, and each of two chances is a critical on 9 or less.
    let mean = plain.real * 20 + (struck.real - plain.real) * 9;
    assert!((miss.expected * 20 * 20 - mean * 16).abs() <= 400, "{} {mean}", miss.expected);
    assert_eq!(luck(&[1])[1], flagplot_kernel::Luck::default(), "the other side rolled nothing");
}
