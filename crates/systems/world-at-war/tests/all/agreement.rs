//! Play and referee agree on every chart: whole battles are fought, and what their dice did is asked of the referee.

use crate::common::ask;
use crate::{ground_play, naval_play};
use flagplot_kernel::{Ask, Asked, Chance, Choice, Die, Game, Note, Side};
use flagplot_world_at_war::System;
use flagplot_world_at_war::game::State;
use flagplot_world_at_war::game::ground::{AirStage, Fight, FightStage, GroundState, Phase, StruggleStage};
use flagplot_world_at_war::game::naval::state::{self as sea, Condition, Flight, Gun, Mark, Open, Stage, Status, Task};
use flagplot_world_at_war::game::naval::{Home, NavalState};
use flagplot_world_at_war::land_data::{Terrain, UnitKind};
use flagplot_world_at_war::naval_data::{NamedShip, ShipKind};
use flagplot_world_at_war::scenarios::{Contact, GroundScenario, HexId, NavalScenario, Squadrons};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// A question of a step: its code, the values offered, the answer.
struct Question {
    code: &'static str,
    seat: Side,
    offered: Vec<Value>,
    said: Value,
}

/// Rolls dice and answers, half of the time by instinct; keeps faces and questions of a step.
struct Recorder {
    chance: Chance,
    faces: Vec<u8>,
    questions: Vec<Question>,
}

impl Ask for Recorder {
    fn roll(&mut self, die: Die, _: impl Display) -> Asked<u8> {
        let face = self.chance.face(die);
        self.faces.push(face);
        Ok(face)
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        let said =
            if self.chance.below(2) == 0 { choice.instinct(&mut self.chance) } else { choice.sample(&mut self.chance) };
        let code = choice.prompt().code;
        if ["losses", "retreat"].contains(&code) {
            let json = |value: &C::Value| serde_json::to_value(value).expect("an answer is JSON");
            let offered = choice.candidates().iter().map(|candidate| json(&candidate.value)).collect();
            self.questions.push(Question { code, seat: choice.seat().side(), offered, said: json(&said) });
        }
        Ok(said)
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}

/// Plays a battle and shows each step with its dice and questions.
fn watch(game: &impl Game<State = State>, seed: u64, mut look: impl FnMut(&State, &State, &Recorder)) {
    let mut recorder = Recorder { chance: Chance::seeded(seed), faces: Vec::new(), questions: Vec::new() };
    let mut state = game.setup();
    while game.outcome(&state).is_none() {
        let before = state.clone();
        recorder.faces.clear();
        recorder.questions.clear();
        game.step(&mut state, &mut recorder).expect("a recorder answers everything");
        look(&before, &state, &recorder);
    }
}

fn ruled(system: &System, procedure: &str, input: &Value, dice: &[u8]) -> Value {
    let answer = ask(system, procedure, input.clone(), json!({"dice": dice}));
    assert!(answer["result"].is_object(), "{procedure}: {answer}\n{input}\n{dice:?}");
    answer["result"].clone()
}

/// How often each chart was compared.
type Counts = BTreeMap<String, u32>;

fn count(counts: &mut Counts, what: impl Into<String>) {
    *counts.entry(what.into()).or_default() += 1;
}

// Ground.

struct Counter {
    id: String,
    side: Side,
    kind: UnitKind,
    factors: u32,
    ctl: i32,
    winter: i32,
}

/// A ground battle by its scenario alone.
struct Land<'a> {
    system: &'a System,
    scenario: &'a GroundScenario,
    units: Vec<Counter>,
    counts: &'a mut Counts,
    /// The latest round of a fight: the request and its die.
    round: Option<(Value, Vec<u8>)>,
}

impl Land<'_> {
    fn rows(&self) -> i32 {
        self.scenario.map.len() as i32
    }

    fn hex(&self, at: u8) -> HexId {
        HexId { column: i32::from(at) / self.rows() + 1, row: i32::from(at) % self.rows() + 1 }
    }

    fn terrain(&self, hex: HexId) -> Option<Terrain> {
        let row = usize::try_from(hex.row - 1).ok().and_then(|row| self.scenario.map.get(row))?;
        let code = usize::try_from(hex.column - 1).ok().and_then(|column| row.chars().nth(column))?;
        Some(self.system.data().terrain.at(code)?.id)
    }

    fn parted(pairs: &[[HexId; 2]], one: HexId, other: HexId) -> bool {
        pairs.contains(&[one, other]) || pairs.contains(&[other, one])
    }

    /// The neighbours that ground units can go to.
    fn near(&self, hex: HexId) -> Vec<HexId> {
        let open = |other: &HexId| {
            self.terrain(*other).is_some_and(|terrain| terrain != Terrain::Sea)
                && !Self::parted(&self.scenario.impassable, hex, *other)
        };
        hex.neighbours().into_iter().filter(open).collect()
    }

    fn at(&self, state: &GroundState, unit: usize) -> Option<HexId> {
        state.units[unit].hex.map(|hex| self.hex(hex))
    }

    fn place(&self, hex: HexId) -> u8 {
        ((hex.column - 1) * self.rows() + hex.row - 1) as u8
    }

    fn stack(&self, state: &GroundState, hex: HexId) -> Vec<usize> {
        (0..self.units.len()).filter(|unit| self.at(state, *unit) == Some(hex)).collect()
    }

    /// The multiplier by the text of 4.1.
    fn multiplier(&self, state: &GroundState, unit: usize, target: HexId, attackers: &[usize]) -> i64 {
        let mut sum = if matches!(self.units[unit].kind, UnitKind::Garrison | UnitKind::Partisan) { 1 } else { 2 };
        sum += i64::from(self.terrain(target) != Some(Terrain::Clear));
        let mut from = attackers.iter().filter_map(|unit| self.at(state, *unit));
        sum += i64::from(from.all(|from| Self::parted(&self.scenario.rivers, from, target)));
        let fort = self.scenario.fortifications.iter().find(|(hex, _)| *hex == target);
        sum += fort.map_or(0, |(_, level)| i64::from(*level));
        sum -= i64::from(state.units[unit].isolation > 0);
        sum.clamp(1, 5)
    }

    /// A fight as a request.
    fn forces(&self, state: &GroundState, fight: &Fight) -> Value {
        let target = self.hex(fight.attack.target);
        let alive = |unit: &usize| state.units[*unit].hex.is_some();
        let sent: Vec<usize> = fight.attack.units.iter().map(usize::from).filter(alive).collect();
        let mut attackers: Vec<Value> =
            sent.iter().map(|&unit| json!({"id": self.units[unit].id, "factors": self.units[unit].factors})).collect();
        if fight.attack.support > 0 {
            attackers.push(json!({"id": "air", "kind": "air", "factors": fight.attack.support}));
        }
        let each = self.stack(state, target).into_iter().map(|unit| {
            let Counter { id, factors, .. } = &self.units[unit];
            json!({"id": id, "factors": factors, "dm": self.multiplier(state, unit, target, &sent)})
        });
        let mut defenders: Vec<Value> = each.collect();
        if fight.attack.das > 0 {
            defenders.push(json!({"id": "air", "kind": "air", "factors": fight.attack.das}));
        }
        json!({"attackers": attackers, "defenders": defenders, "previous_rounds": fight.rounds})
    }

    /// Units and air factors that a side lost in a step.
    fn lost(&self, before: &GroundState, after: &GroundState, side: Side) -> (BTreeSet<String>, u64) {
        let gone = (0..self.units.len()).filter(|&unit| {
            self.units[unit].side == side && before.units[unit].hex.is_some() && after.units[unit].hex.is_none()
        });
        let air = after.air[side].eliminated - before.air[side].eliminated;
        (gone.map(|unit| self.units[unit].id.clone()).collect(), u64::from(air))
    }

    fn round(&mut self, before: &GroundState, after: &GroundState, fight: &Fight, faces: &[u8]) {
        let mut input = self.forces(before, fight);
        input["losses"] = json!("cheapest");
        let said = ruled(self.system, "ground-combat", &input, faces);
        let owed = match &after.phase {
            Phase::Fight(Fight { next: FightStage::Losses(owed), .. }) => *owed,
            _ => Default::default(),
        };
        for side in Side::BOTH {
            let role = if side == before.active { "attacker" } else { "defender" };
            if owed[side].factors > 0 {
                assert_eq!(json!(owed[side].factors), said[format!("{role}_loss_required")], "{role}: {input}\n{said}");
                continue;
            }
            let (units, air) = self.lost(before, after, side);
            let factors = self.units.iter().filter(|unit| units.contains(&unit.id)).map(|unit| u64::from(unit.factors));
            let lost = factors.sum::<u64>() + air;
            assert_eq!(json!(lost), said[format!("{role}_lost")], "{role}: {input}\n{said}");
        }
        let result = said["result"].as_str().expect("a result");
        let strength = |key: &str| said[key].as_u64().expect("a number");
        let sides = strength("attack_strength").cmp(&strength("defense_strength"));
        let which = if result == "Ex" { format!("Ex {sides:?}") } else { result.to_owned() };
        count(self.counts, which);
        input["losses"] = json!("listed");
        self.round = Some((input, faces.to_vec()));
    }

    /// What an owner gave up is what the referee takes, told to take it first.
    fn losses(&mut self, active: Side, question: &Question) {
        let (input, faces) = self.round.as_ref().expect("a round before its losses");
        let role = if question.seat == active { "attacker" } else { "defender" };
        for said in question.offered.iter().chain([&question.said]) {
            let mut order: Vec<Value> = said["units"].as_array().cloned().unwrap_or_default();
            let air = said["air"].as_u64().unwrap_or(0);
            if air > 0 {
                order.push(json!("air"));
            }
            let mut input = input.clone();
            input[format!("{role}_loss_order")] = json!(order);
            let ruled = ruled(self.system, "ground-combat", &input, faces);
            let removed = ruled[format!("{role}_removed")].as_array().expect("a list").clone();
            let ids: BTreeSet<String> = removed.iter().map(|unit| unit["id"].as_str().unwrap().to_owned()).collect();
            let named: BTreeSet<String> = order.iter().map(|id| id.as_str().unwrap().to_owned()).collect();
            assert_eq!(ids, named, "{role}: {input}\n{ruled}");
            let flown =
                removed.iter().find(|unit| unit["id"] == "air").map_or(0, |unit| unit["factors"].as_u64().unwrap());
            assert_eq!(flown, air, "{role}: {input}\n{ruled}");
        }
        count(self.counts, format!("losses of the {role}"));
    }

    fn attrition(&mut self, before: &GroundState, after: &GroundState, faces: &[u8]) {
        let Phase::Attrition(front) = before.phase else { return };
        let units = |of: &flagplot_world_at_war::game::ground::Set| -> Vec<&Counter> {
            of.iter().map(|unit| &self.units[usize::from(unit)]).collect()
        };
        let (attackers, defenders) = (units(&front.attackers), units(&front.defenders));
        // The level of most factors, the lower one when tied.
        let winter = |of: &[&Counter]| {
            let mut sums: BTreeMap<i32, u32> = BTreeMap::new();
            of.iter().for_each(|unit| *sums.entry(unit.winter).or_default() += unit.factors);
            sums.into_iter().max_by_key(|(level, factors)| (*factors, -level)).map_or(0, |(level, _)| level)
        };
        let list = |of: &[&Counter]| -> Value {
            of.iter().map(|unit| json!({"factors": unit.factors, "ctl": unit.ctl})).collect()
        };
        let input = json!({
            "attackers": list(&attackers), "defenders": list(&defenders),
            "winter": self.scenario.winter_turns.contains(&u32::from(before.turn)),
            "attacker_winter_preparation": winter(&attackers), "defender_winter_preparation": winter(&defenders),
            "board": serde_json::to_value(self.scenario.board).expect("a board"),
        });
        let said = ruled(self.system, "attrition", &input, faces);
        let number = |key: &str| said[key].as_u64().expect("a number");
        let Phase::Attrition(now) = after.phase else {
            assert!(number("counters") >= u64::from(front.defenders.len()), "{input}: {said}");
            return;
        };
        assert_eq!(u64::from(now.hexes), number("hexes"), "{input}: {said}");
        let counters = match now.next {
            StruggleStage::Counters(counters) => u64::from(counters),
            _ => self.lost(before, after, before.active.other()).0.len() as u64,
        };
        assert_eq!(counters, number("counters").min(u64::from(front.defenders.len())), "{input}: {said}");
        count(self.counts, if number("table_hexes") > number("hexes") { "attrition, halved" } else { "attrition" });
        if input["winter"] == json!(true) {
            count(self.counts, "attrition in winter");
        }
    }

    /// The hexes to which the referee lets a unit retreat.
    fn retreats(&self, state: &GroundState, unit: usize) -> BTreeSet<String> {
        let side = self.units[unit].side;
        let from = self.at(state, unit).expect("a unit on the map");
        let armor = |unit: &usize| self.units[*unit].side != side && self.units[*unit].kind == UnitKind::Armor;
        let zones: BTreeSet<HexId> = (0..self.units.len())
            .filter(armor)
            .filter_map(|unit| self.at(state, unit))
            .flat_map(|hex| self.near(hex))
            .collect();
        let look = |hex: HexId| {
            let stack = self.stack(state, hex);
            let own = stack.iter().filter(|other| self.units[**other].side == side).count();
            json!({
                "id": hex.to_string(), "friendly_units": own, "enemy_units": stack.len() - own,
                "enemy_zoc": zones.contains(&hex),
                "enemy_controlled": state.axis.contains(self.place(hex)) != (side == Side::First),
            })
        };
        let hexes: Vec<Value> = self.near(from).into_iter().map(look).collect();
        let said = ruled(self.system, "retreat-hex", &json!({"hexes": hexes}), &[]);
        said["options"].as_array().expect("a list").iter().map(|id| id.as_str().unwrap().to_owned()).collect()
    }

    fn retreat(&mut self, before: &GroundState, after: &GroundState, hex: u8, questions: &[Question]) {
        for unit in self.stack(before, self.hex(hex)) {
            let open = self.retreats(before, unit);
            if let Some(question) = questions.iter().find(|question| question.code == "retreat") {
                let own = question.offered.iter().filter(|way| way["unit"] == json!(self.units[unit].id));
                let own: Vec<&Value> = own.collect();
                // Equal units stand for each other.
                if !own.is_empty() {
                    let told: BTreeSet<String> =
                        own.iter().filter_map(|way| way["to"].as_str()).map(str::to_owned).collect();
                    assert_eq!(told, open, "{}", self.units[unit].id);
                    count(self.counts, "retreat, asked");
                }
            } else if self.at(after, unit) != self.at(before, unit) {
                assert_eq!(open.len(), usize::from(after.units[unit].hex.is_some()), "a single way is not asked");
                assert!(self.at(after, unit).is_none_or(|to| open.contains(&to.to_string())));
                count(self.counts, "retreat");
            }
        }
    }

    fn air_combat(&mut self, before: &GroundState, after: &GroundState, target: u8, faces: &[u8]) {
        let attack = before.attack_on(target).expect("an attack");
        let air = &self.scenario.air;
        let nation = |side: Side| if side == Side::First { air.axis_nation } else { air.allies_nation };
        let (active, enemy) = (before.active, before.active.other());
        let input = json!({
            "attackers": [{"nation": nation(active), "count": attack.interceptors}],
            "defenders": [{"nation": nation(enemy), "count": attack.das}],
        });
        let said = ruled(self.system, "air-combat", &input, faces);
        for (side, losses) in [(active, "attacker_losses"), (enemy, "defender_losses")] {
            let gone = after.air[side].eliminated - before.air[side].eliminated;
            assert_eq!(json!(gone), said[losses]["eliminated"], "{input}: {said}");
        }
        let left = after.attack_on(target).map_or(0, |attack| attack.das);
        assert_eq!(json!(left), said["defender_losses"]["remaining"], "{input}: {said}");
        count(self.counts, "air combat over a hex");
    }

    fn step(&mut self, before: &GroundState, after: &GroundState, recorder: &Recorder) {
        let faces = &recorder.faces;
        match &before.phase {
            Phase::Fight(fight) if fight.next == FightStage::Round && !faces.is_empty() => {
                self.round(before, after, fight, faces);
            }
            Phase::Fight(Fight { next: FightStage::Losses(_), .. }) => {
                self.losses(before.active, &recorder.questions[0])
            }
            Phase::Attrition(front) if front.next == StruggleStage::Roll => self.attrition(before, after, faces),
            Phase::Attrition(front) => {
                if let StruggleStage::Retreat(hex) = front.next {
                    self.retreat(before, after, hex, &recorder.questions);
                }
            }
            Phase::AirCombat(combat) if combat.next == AirStage::Round => {
                self.air_combat(before, after, combat.target, faces);
            }
            _ => {}
        }
    }
}

#[test]
fn play_and_referee_agree_on_land() {
    let system = crate::common::system();
    let mut counts = Counts::new();
    for name in ground_play::SCENARIOS {
        let game = ground_play::game(name);
        let scenario = system.data().scenarios.ground.iter().find(|battle| battle.id == name).expect("a scenario");
        let units = || {
            let each = scenario.forces.iter().flat_map(|force| {
                force.units.iter().map(|(id, nation, kind, _)| Counter {
                    id: id.clone(),
                    side: force.seat.side(),
                    kind: *kind,
                    factors: system.data().units.of(*nation, *kind).expect("values").factors,
                    ctl: scenario.levels.ctl[nation],
                    winter: scenario.levels.winter_preparation.get(nation).copied().unwrap_or(0),
                })
            });
            each.collect()
        };
        for seed in 0..14 {
            let mut land = Land { system: &system, scenario, units: units(), counts: &mut counts, round: None };
            watch(&game, seed, |before, after, recorder| {
                let (State::Ground(before), State::Ground(after)) = (before, after) else { panic!("a ground battle") };
                land.step(before, after, recorder);
            });
        }
    }
    let wanted = [
        "A",
        "a",
        "Ex Less",
        "Ex Equal",
        "Ex Greater",
        "Ex-1",
        "Ex-2",
        "d",
        "D",
        "losses of the attacker",
        "losses of the defender",
        "attrition",
        "attrition, halved",
        "attrition in winter",
        "retreat",
        "retreat, asked",
        "air combat over a hex",
    ];
    for what in wanted {
        assert!(counts.get(what).is_some_and(|times| *times > 1), "{what} was not compared: {counts:?}");
    }
}

// Naval battles.

/// A naval battle by its scenario alone.
struct Sea<'a> {
    system: &'a System,
    scenario: &'a NavalScenario,
    counts: &'a mut Counts,
}

impl Sea<'_> {
    fn ships(&self) -> Vec<(usize, &NamedShip)> {
        let groups = self.scenario.group.iter().enumerate();
        let each = groups.flat_map(|(at, group)| group.ships.iter().map(move |id| (at, id)));
        each.map(|(group, id)| (group, self.system.data().ship(id).expect("a ship"))).collect()
    }

    /// The kinds of squadrons, each once.
    fn units(&self) -> Vec<Value> {
        let mut units: Vec<Value> = Vec::new();
        let mut add = |unit: Value| {
            if !units.contains(&unit) {
                units.push(unit);
            }
        };
        for group in self.scenario.group.iter().filter(|group| group.air > 0) {
            add(json!({"nation": group.nation, "type": "naval-air", "elite": group.elite}));
        }
        for air in self.scenario.base.iter().flat_map(|base| &base.air) {
            add(Self::land_based(air));
        }
        units
    }

    fn land_based(air: &Squadrons) -> Value {
        json!({"nation": air.nation, "type": air.kind, "elite": air.elite})
    }

    fn counted(mut unit: Value, count: u32) -> Value {
        unit["count"] = json!(count);
        unit
    }

    fn squadrons(&self, open: &Open, wing: u8, count: u8) -> Value {
        Self::counted(self.units()[usize::from(open.wings[usize::from(wing)].unit)].clone(), count.into())
    }

    fn force(&self, open: &Open, flight: &Flight) -> Vec<Value> {
        let sent = flight.force.iter().filter(|(_, count)| *count > 0);
        sent.map(|&(wing, count)| self.squadrons(open, wing, count)).collect()
    }

    fn afloat(&self, open: &Open, group: u8) -> Vec<(usize, &NamedShip)> {
        let there = |(at, (home, _)): &(usize, (usize, &NamedShip))| {
            open.joined(*home as u8) == group && matches!(open.ships[*at], Condition::Sound | Condition::Damaged)
        };
        let all = self.ships().into_iter().enumerate().filter(there);
        all.map(|(at, (_, ship))| (at, ship)).collect()
    }

    fn side(&self, group: u8) -> Side {
        self.scenario.group[usize::from(group)].seat.side()
    }

    fn present(&self, open: &Open, side: Side) -> usize {
        let here = |group: &u8| {
            let now = &open.groups[usize::from(*group)];
            self.side(*group) == side
                && now.status == Status::Here
                && (!now.lights.is_empty() || !self.afloat(open, *group).is_empty())
        };
        (0..open.groups.len() as u8).filter(here).count()
    }

    /// A named ship or the light ships of a group as a target.
    fn target(&self, open: &Open, group: u8, mark: Mark, screened: bool) -> Value {
        match mark {
            Mark::Ship(at) => {
                let ship = self.ships()[usize::from(at)].1;
                let damaged = open.ships[usize::from(at)] == Condition::Damaged;
                json!({"kind": ship.kind, "nation": ship.nation, "size": ship.size, "damaged": damaged})
            }
            Mark::Light => {
                let group = &open.groups[usize::from(group)];
                let mut target = serde_json::to_value(group.lights).expect("light ships");
                (target["kind"], target["nation"]) = (json!("light-group"), json!(group.nation));
                if screened {
                    (target["cves"], target["transports"]) = (json!(0), json!(0));
                }
                target
            }
        }
    }

    /// Whether a group screens its carriers and transports, by the text of 6.1.
    fn screened(&self, open: &Open, group: u8) -> bool {
        let lights = &open.groups[usize::from(group)].lights;
        let (mut guns, mut soft) = (2 * lights.cruisers + lights.destroyers, lights.cves + lights.transports);
        for (at, ship) in self.afloat(open, group) {
            if ship.kind == ShipKind::CapitalShip {
                guns += if open.ships[at] == Condition::Sound { ship.size } else { 0 };
            } else {
                soft += ship.size;
            }
        }
        soft > 0 && guns >= soft
    }

    /// A light group after hits: cruisers as the referee says, ships of one factor as many.
    fn light(&self, after: &Open, group: u8, effect: &Value, behind: u32) {
        let lights = after.groups[usize::from(group)].lights;
        let left = |key: &str| effect["remaining"][key].as_u64().expect("a number") as u32;
        assert_eq!(
            [lights.cruisers, lights.damaged_cruisers],
            [left("cruisers"), left("damaged_cruisers")],
            "{effect}"
        );
        let small = left("destroyers") + left("cves") + left("transports");
        assert_eq!(lights.destroyers + lights.cves + lights.transports, small + behind, "{effect}");
    }

    fn same_ship(after: &Open, at: u8, state: &Value) {
        let now = match after.ships[usize::from(at)] {
            Condition::Sound => "unharmed",
            Condition::Damaged => "damaged",
            _ => "sunk",
        };
        assert_eq!(*state, json!(now));
    }

    fn search(&mut self, before: &Open, after: &Open, faces: &[u8]) {
        let attacker = self.scenario.attacker.side();
        let order = [attacker, attacker.other()];
        let modifier = |side: Side| {
            let own = self.scenario.search.map_or(0, |search| search.sides()[side]);
            let air = i32::from(before.sight[side].search_air == Some(true));
            own + i32::from(before.round) - 1 + air - if self.scenario.night { 2 } else { 0 }
        };
        let sides = order.map(|side| json!({"groups": self.present(before, side), "modifier": modifier(side)}));
        let said = ruled(self.system, "naval-search", &json!({"sides": sides}), faces);
        for (at, side) in order.into_iter().enumerate() {
            let (said, sight) = (&said["sides"][at], after.sight[side]);
            assert_eq!(said["total"], json!(sight.total), "{said}");
            assert_eq!(said["groups_found"], json!(sight.found.count_ones()), "{said}");
            assert_eq!(said["surprise_level"], json!(sight.surprise), "{said}");
        }
        count(self.counts, "search");
    }

    fn cap(&mut self, before: &NavalState, after: &Open, faces: &[u8]) {
        let open = &before.open;
        let flight = &open.flights[0];
        let here = open.wings.iter().zip(&before.tasks).enumerate();
        let flies = here.filter(|(_, (wing, task))| wing.home == Home::Group(flight.target) && task.cap > 0);
        let cap: Vec<Value> = flies.map(|(at, (_, Task { cap, .. }))| self.squadrons(open, at as u8, *cap)).collect();
        let groups = self.scenario.group.iter().enumerate();
        let covers = groups.flat_map(|(at, group)| group.cover.iter().map(move |cover| (at as u8, cover)));
        let over = covers.enumerate().filter(|(at, (group, cover))| {
            open.covers[*at] > 0 && cover.from_round <= open.round.into() && open.joined(*group) == flight.target
        });
        let cover: Vec<Value> =
            over.map(|(at, (_, cover))| Self::counted(Self::land_based(cover), open.covers[at].into())).collect();
        let role = if cap.is_empty() { "air-cover" } else { "cap" };
        let defenders = [cap, cover].concat();
        let input = json!({"attackers": self.force(open, flight), "defenders": defenders,
            "unit": "squadrons", "role": role});
        let said = ruled(self.system, "air-combat", &input, faces);
        let lost = |side: Side| json!(after.squadrons_lost[side] - open.squadrons_lost[side]);
        assert_eq!(said["attacker_losses"]["eliminated"], lost(flight.side), "{input}: {said}");
        assert_eq!(said["defender_losses"]["eliminated"], lost(flight.side.other()), "{input}: {said}");
        let left = after.flights.first().map_or(0, Flight::squadrons);
        assert_eq!(said["attacker_losses"]["remaining"], json!(left), "{input}: {said}");
        count(self.counts, role);
    }

    fn guns(&mut self, open: &Open, after: &Open, faces: &[u8]) {
        let flight = &open.flights[0];
        let side = flight.side;
        if flight.squadrons() == 0 {
            return;
        }
        let lights = &open.groups[usize::from(flight.target)].lights;
        let mut sums: BTreeMap<&str, u32> = BTreeMap::new();
        let mut add = |key, number| *sums.entry(key).or_default() += number;
        add("naval_factors", 2 * (lights.cruisers + lights.damaged_cruisers) + lights.destroyers);
        add("cves", lights.cves);
        for (_, ship) in self.afloat(open, flight.target) {
            add("naval_factors", ship.size);
            add("five_factor_battleships", u32::from(ship.kind == ShipKind::CapitalShip && ship.size == 5));
            add("cvbs", u32::from(ship.kind == ShipKind::Cvb));
        }
        let at_sea = self.scenario.at_sea.is_none_or(|seats| seats.sides()[side.other()]);
        for (at, group) in self.scenario.group.iter().enumerate() {
            if let Some(base) = group.base.filter(|_| !at_sea && open.joined(at as u8) == flight.target) {
                for (key, number) in [
                    ("naval_factors", base.naval_factors),
                    ("cves", base.cves),
                    ("research_results", base.research_results),
                    ("flak", base.flak),
                    ("airbases", base.airbases),
                    ("objectives", base.objectives),
                    ("anchors", base.anchors),
                    ("cities", base.cities),
                    ("ports", base.ports),
                    ("fortifications", base.fortifications),
                    ("fortresses", base.fortresses),
                ] {
                    add(key, number);
                }
            }
        }
        let input = json!({"attackers": flight.squadrons(), "defenses": sums,
            "surprise_level": open.sight[side].surprise});
        let said = ruled(self.system, "air-defense", &input, faces);
        let lost = after.squadrons_lost[side] - open.squadrons_lost[side];
        assert_eq!(said["eliminated"], json!(lost), "{input}: {said}");
        let left = after.flights.first().map_or(0, Flight::squadrons);
        if said["remaining"] != json!(0) {
            assert_eq!(said["remaining"], json!(left), "{input}: {said}");
        }
        count(self.counts, "air defense");
    }

    /// One attack of a strike; the squadrons are told off in the order of the targets.
    fn raid(&mut self, open: &Open, after: &Open, at: usize, faces: &[u8]) {
        let flight = &open.flights[0];
        let Some(&(mark, wanted)) = flight.aims.get(at) else { return };
        let mut skip: u8 = flight.aims[..at].iter().map(|(_, count)| *count).sum();
        let mut wanted = wanted;
        let mut attackers: Vec<Value> = Vec::new();
        for &(wing, count) in &flight.force {
            let passed = count.min(skip);
            skip -= passed;
            let sent = (count - passed).min(wanted);
            wanted -= sent;
            if sent > 0 {
                attackers.push(self.squadrons(open, wing, sent));
            }
        }
        let at_sea = self.scenario.at_sea.is_none_or(|seats| seats.sides()[flight.side.other()]);
        let input = json!({"mode": "air", "attackers": attackers, "target": self.target(open, flight.target, mark,
            false),
            "at_sea": at_sea, "surprise_level": open.sight[flight.side].surprise});
        let said = ruled(self.system, "naval-attack", &input, faces);
        match mark {
            Mark::Ship(ship) => {
                Self::same_ship(after, ship, &said["effect"]["state"]);
                count(self.counts, "air attack on a ship");
            }
            Mark::Light => {
                self.light(after, flight.target, &said["effect"], 0);
                count(self.counts, "air attack on light ships");
            }
        }
    }

    /// The groups that fire at each other.
    fn pair(&self, open: &Open, at: u8) -> [u8; 2] {
        if self.scenario.contact == Contact::Engaged {
            return Side::BOTH.map(|side| {
                let here = |group: &u8| self.side(*group) == side && open.here(*group);
                let alive = |group: &u8| {
                    !open.groups[usize::from(*group)].lights.is_empty() || !self.afloat(open, *group).is_empty()
                };
                (0..open.groups.len() as u8).filter(here).find(alive).expect("a group")
            });
        }
        let (one, other) = open.engaged[usize::from(at)];
        if self.side(one) == Side::First { [one, other] } else { [other, one] }
    }

    fn shot(&mut self, open: &Open, after: &Open, (pair, at): (u8, u8), faces: &[u8]) {
        let Some(order) = open.fire.get(usize::from(at)) else { return };
        let groups = self.pair(open, pair);
        let (own, enemy) = (groups[order.side.index()], groups[order.side.other().index()]);
        let firers = order.guns.iter().map(|gun| match gun {
            Gun::Ship(at) => {
                let ship = self.ships()[usize::from(*at)].1;
                json!({"nation": ship.nation, "factors": ship.size, "five_factor": ship.size == 5})
            }
            Gun::Cruisers => {
                let group = &open.groups[usize::from(own)];
                json!({"nation": group.nation, "factors": 2 * group.lights.cruisers})
            }
            Gun::Destroyers => {
                let group = &open.groups[usize::from(own)];
                json!({"nation": group.nation, "factors": group.lights.destroyers})
            }
        });
        let attackers: Vec<Value> = firers.collect();
        let encumbered = |group: u8| open.groups[usize::from(group)].encumbered;
        let target = self.target(open, enemy, order.target, self.screened(open, enemy));
        let input = json!({"mode": "fleet", "attackers": attackers, "target": target,
            "attacker_encumbered": encumbered(own), "target_encumbered": encumbered(enemy)});
        let said = ruled(self.system, "naval-attack", &input, faces);
        assert_eq!(said["hits"], json!(after.fire[usize::from(at)].hits), "{input}: {said}");
        count(self.counts, "fleet fire");
    }

    /// All effects of a pair's fire.
    fn effects(&mut self, open: &Open, after: &Open, pair: u8) {
        let groups = self.pair(open, pair);
        for order in &open.fire {
            let enemy = groups[order.side.other().index()];
            let screened = self.screened(open, enemy);
            let input = json!({"hits": order.hits, "target": self.target(open, enemy, order.target, screened)});
            let said = ruled(self.system, "allocate-naval-losses", &input, &[]);
            match order.target {
                Mark::Ship(ship) => {
                    Self::same_ship(after, ship, &said["state"]);
                    count(self.counts, "hits on a ship");
                }
                Mark::Light => {
                    let lights = &open.groups[usize::from(enemy)].lights;
                    let behind = if screened { lights.cves + lights.transports } else { 0 };
                    self.light(after, enemy, &said, behind);
                    count(self.counts, if behind > 0 { "hits on a screen" } else { "hits on light ships" });
                }
            }
        }
    }

    fn step(&mut self, before: &NavalState, after: &NavalState, faces: &[u8]) {
        match before.open.phase {
            sea::Phase::Search if faces.len() == 4 => self.search(&before.open, &after.open, faces),
            sea::Phase::Strike(Stage::Cap) => self.cap(before, &after.open, faces),
            sea::Phase::Strike(Stage::Guns) => self.guns(&before.open, &after.open, faces),
            sea::Phase::Strike(Stage::Attack(at)) => self.raid(&before.open, &after.open, at.into(), faces),
            sea::Phase::Shot { pair, at } => self.shot(&before.open, &after.open, (pair, at), faces),
            sea::Phase::Effects(pair) => self.effects(&before.open, &after.open, pair),
            _ => {}
        }
    }
}

#[test]
fn play_and_referee_agree_at_sea() {
    let system = crate::common::system();
    let mut counts = Counts::new();
    for name in naval_play::NAVAL {
        let game = naval_play::game(name);
        let Some(scenario) = system.data().scenarios.naval.iter().find(|battle| battle.id == name) else { continue };
        let mut sea = Sea { system: &system, scenario, counts: &mut counts };
        for seed in 0..12 {
            watch(&game, seed, |before, after, recorder| {
                let (State::Naval(before), State::Naval(after)) = (before, after) else { panic!("a naval battle") };
                sea.step(before, after, &recorder.faces);
            });
        }
    }
    let wanted = [
        "search",
        "cap",
        "air-cover",
        "air defense",
        "air attack on a ship",
        "air attack on light ships",
        "fleet fire",
        "hits on a ship",
        "hits on light ships",
        "hits on a screen",
    ];
    for what in wanted {
        assert!(counts.get(what).is_some_and(|times| *times > 1), "{what} was not compared: {counts:?}");
    }
}
