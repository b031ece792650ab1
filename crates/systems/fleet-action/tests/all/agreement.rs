//! Play and referee agree: whole battles are fought, and what their dice did is asked of the referee again.

use super::air::Recorder;
use super::{ask, parts, sea_game, system};
use flagplot_fleet_action::System;
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::actions::{Action, Stage};
use flagplot_fleet_action::game::air::Attack;
use flagplot_fleet_action::game::battle::{self, Hull, Ordnance};
use flagplot_fleet_action::game::deeps::Act;
use flagplot_fleet_action::game::end;
use flagplot_fleet_action::game::harm::{Hits, Strikes};
use flagplot_fleet_action::game::moving::orders::Plan;
use flagplot_fleet_action::game::moving::{self, Task};
use flagplot_fleet_action::game::play::Play;
use flagplot_fleet_action::game::state::*;
use flagplot_fleet_action::geometry::{Place, arc};
use flagplot_fleet_action::ship::{Condition, Ship};
use flagplot_fleet_action::words::*;
use flagplot_kernel::plane::{Point, enters_circle};
use flagplot_kernel::{Game, Note, Side};
use flagplot_referee::System as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc as Shared;

/// A step of a battle, with the dice it rolled.
pub(super) struct Step<'a> {
    pub(super) system: &'a System,
    pub(super) game: &'a FleetGame,
    pub(super) before: &'a State,
    pub(super) after: &'a State,
    pub(super) dice: &'a [u8],
    pub(super) notes: &'a [Note],
    /// Questions that the step asked.
    asked: u32,
}

/// What the referee says, given the dice.
pub(super) fn ruled(system: &System, procedure: &str, input: &Value, dice: &[u8]) -> Value {
    let answer = ask(system, procedure, input, json!({"dice": dice}));
    assert!(answer["result"].is_object(), "{procedure}: {answer}\n{input}\n{dice:?}");
    answer["result"].clone()
}

impl Step<'_> {
    pub(super) fn rule(&self, procedure: &str, input: &Value, dice: &[u8]) -> Value {
        ruled(self.system, procedure, input, dice)
    }

    /// A ship as requests describe her.
    pub(super) fn object(&self, id: VesselId) -> Value {
        let sheet = Shared::new(self.game.battle.model(id).sheet.clone());
        let ship = Ship::new(&self.game.battle.rules, &sheet, self.before.sea.vessel(id).now);
        serde_json::to_value(ship).expect("a ship is JSON")
    }

    /// Whether a ship's condition is what the referee says; the speed of a ship without flotation is the game's own.
    fn same(&self, id: VesselId, result: &Value) {
        let Condition { f, s, fires, sv, fc, gm, dc, crew_quality, asw, mrf, crf, h, .. } =
            self.after.sea.vessel(id).now;
        let now = [f, s, fires, sv, fc, gm, dc, crew_quality, asw, mrf, crf, h];
        let names = ["f", "s", "fires", "sv", "fc", "gm", "dc", "crew_quality", "asw", "mrf", "crf", "h"];
        let said = names.map(|name| result["ship"][name].as_i64().unwrap_or(-99));
        assert_eq!(now.map(i64::from), said, "{} of {names:?}", self.game.battle.member(id).name);
        let status = self.after.sea.vessel(id).now.status;
        assert_eq!(json!(status.word()), result["ship"]["status"]);
    }

    /// What was done, if it is one of the things compared here.
    fn compare(&self) -> Option<&'static str> {
        let sea = &self.before.sea;
        if self.said("dropped").is_some() {
            return None;
        }
        if let Some(pending) = sea.pending.first() {
            return match pending {
                Pending::Hits(hits) => self.hit(hits),
                Pending::Blast { cv, at, left } => self.blast(*cv, *at, *left.first()?),
                _ => None,
            };
        }
        match &self.before.phase {
            Phase::Initiative => self.initiative(),
            Phase::Ships(moving::Stage::Run { left, .. }) => match left.first()? {
                Task::Ordered(plan) => self.run(plan),
                _ => None,
            },
            Phase::Actions(Stage::Torpedoes(squadron)) => self.torpedoes(*squadron),
            Phase::Actions(Stage::Carry { left, .. }) => match left.first()? {
                Action::Light(light) => self.light(light.ship.as_str(), light.weapon, light.target.as_str()),
                Action::Shoot(shoot) => {
                    let (ship, battery, target) = (shoot.ship.as_str(), shoot.battery.as_str(), shoot.target.as_str());
                    self.at_boats(ship, battery, target).or_else(|| self.salvo(ship, battery, target, shoot.control))
                }
                Action::Spot(spot) => self.spot(spot.by.as_str(), spot.contact.as_str()),
                Action::AntiAir(fire) => self.flak(self.game.battle.find_stand(fire.target.as_str())?),
                Action::Deep(Act::DepthCharge(charges)) => self.charges(charges.ship.as_str(), charges.target.as_str()),
                Action::Deep(Act::Search(ship)) => self.sonar(ship.as_str()),
                _ => None,
            },
            Phase::Actions(Stage::Air { attack, .. }) => {
                self.flak(attack.stand).or_else(|| self.air_combat()).or_else(|| self.raid(attack.stand))
            }
            Phase::End(end::Stage::Fuel { left, .. }) => self.fuel(*left.first()?),
            Phase::End(end::Stage::Squadrons(left)) => self.squadron(*left.first()?),
            Phase::End(end::Stage::Stands(left)) => self.stand(*left.first()?),
            Phase::End(end::Stage::Burning { left, .. }) => self.burning(*left.first()?),
            Phase::End(end::Stage::Control { left, .. }) => self.control(left.first()?),
            Phase::End(end::Stage::Ships(left)) => self.morale(*left.first()?),
            _ => None,
        }
    }

    /// Whether smoke, a squall or land lies between two points. [C-1, C-25]
    pub(super) fn hidden(&self, from: Point, to: Point) -> bool {
        let (sea, scenario) = (&self.before.sea, &self.game.battle.scenario);
        let mut smoke = sea.screens.iter().flat_map(|screen| screen.at);
        let mut squalls = sea.squalls.iter().zip(&scenario.squalls);
        let mut land = scenario.land.iter();
        smoke.any(|at| enters_circle(from, to, at, 40))
            || squalls.any(|(at, round)| enters_circle(from, to, at.point(), round.radius.into()))
            || land
                .any(|round| enters_circle(from, to, Point::new(round.x.into(), round.y.into()), round.radius.into()))
    }

    pub(super) fn said(&self, what: &str) -> Option<&Note> {
        self.notes.iter().find(|note| note.what == what)
    }

    fn initiative(&self) -> Option<&'static str> {
        if self.dice.len() != 2 {
            return None;
        }
        let (sea, battle) = (&self.before.sea, &self.game.battle);
        // Totals as the text counts them: squadrons with a member that is neither lost, gone nor broken. [6.1]
        let total = |side: Side| -> i32 {
            let squads = battle.squadrons.iter().zip(&sea.squadrons).filter(|(squad, _)| squad.side == side);
            let fit = squads.filter(|(squad, _)| {
                let ships = squad.vessels.iter().map(|id| sea.vessel(*id));
                let mut stands = squad.stands.iter().map(|id| sea.stand(*id));
                ships.into_iter().any(|ship| ship.now.afloat() && !ship.left && ship.mood != Mood::Broken)
                    || stands.any(|stand| stand.aircraft > 0 && stand.aloft != Aloft::Gone)
            });
            fit.map(|(_, now)| now.command).sum()
        };
        let holder = match sea.holder {
            Some(Side::First) => "a",
            Some(Side::Second) => "b",
            None => battle.scenario.first.word(),
        };
        let input = json!({"a_total": total(Side::First), "b_total": total(Side::Second), "holder": holder});
        let result = self.rule("initiative", &input, self.dice);
        let winner = if self.after.sea.holder == Some(Side::First) { "a" } else { "b" };
        assert_eq!(result["winner"], winner, "{input}");
        Some("initiative")
    }

    /// A move by orders in open water, with its steering test. [section 4]
    fn run(&self, plan: &Plan) -> Option<&'static str> {
        let (was, now) = (self.before.sea.vessel(plan.vessel), self.after.sea.vessel(plan.vessel));
        let forced = ["collision", "aground", "minefield"].into_iter().any(|what| self.said(what).is_some());
        let model = self.game.battle.model(plan.vessel);
        // A ship that was asked again has other orders by now. [C-36]
        if !was.in_play() || forced || self.asked > 0 || was.now.f == 0 || was.aground || self.said("move").is_none() {
            return None;
        }
        let orders = serde_json::to_value(&plan.legs).expect("orders are JSON");
        let input = json!({
            "ship": {"x": was.at.at.x, "y": was.at.at.y, "heading": was.at.heading.degrees(), "size": model.size(),
                "merchant": model.sheet.kind == Kind::Merchant, "max_speed": was.now.speed,
                "last_speed": was.last_speed, "sv": was.now.sv, "crew_quality": was.now.crew_quality},
            "speed": plan.speed, "orders": orders,
        });
        let result = self.rule("movement", &input, self.dice);
        let end = json!([now.at.at.x, now.at.at.y, now.at.heading.degrees()]);
        assert_eq!(json!([result["x"], result["y"], result["heading"]]), end, "{input}");
        Some("movement")
    }

    /// A battery at a ship: geometry, permission, Crew Test, salvo with its hit. [9.1, 9.5, 5.3]
    fn salvo(&self, ship: &str, battery: &str, target: &str, control: Control) -> Option<&'static str> {
        let (battle, sea) = (&self.game.battle, &self.before.sea);
        let (ship, target) = (battle.find(ship)?, battle.find(target)?);
        let (shooter, was, model) = (sea.vessel(ship), sea.vessel(target), battle.model(ship));
        let number = model.batteries.iter().position(|known| known.id == *battery)?;
        let battery = &model.batteries[number];
        if battle.model(target).hull == Hull::Boats || battle.model(target).sheet.is_air_base() {
            return None;
        }
        let (mounts, lost, fired) = match battery.group {
            GunGroup::Main => (&model.sheet.main, shooter.now.main_lost, shooter.ledger.main_fired),
            GunGroup::Other => (&model.sheet.other, shooter.now.other_lost, shooter.ledger.other_fired),
        };
        let silent = |at: usize| {
            let at_aircraft = mounts[at].aa && shooter.ledger.lrf_used > 0;
            (lost | fired) >> at & 1 == 1 || at_aircraft
        };
        let ready: Vec<Value> = battery
            .mounts
            .iter()
            .filter(|at| !silent(**at))
            .map(|at| serde_json::to_value(mounts[*at]).expect("a mount is JSON"))
            .collect();
        let others: Vec<Value> = sea
            .all()
            .filter(|(id, other)| *id != ship && *id != target && other.in_the_way())
            .map(|(id, other)| json!({"x": other.at.at.x, "y": other.at.at.y, "size": battle.model(id).size()}))
            .collect();
        let position =
            |vessel: &Vessel| json!({"x": vessel.at.at.x, "y": vessel.at.at.y, "heading": vessel.at.heading.degrees()});
        let mut from = position(shooter);
        from["mounts"] = ready.into();
        let seen = self.rule("geometry", &json!({"shooter": from, "target": position(was), "others": others}), &[]);
        let night = battle.light(sea.turn) == Light::Night;
        let lit = was.now.fires > 0
            || was.star_lit
            || was.ledger.lights.is_some()
            || sea.all().any(|(_, other)| other.ledger.lights == Some(target));
        if night && (lit || battle.scenario.flares.is_some()) {
            return None;
        }
        let input = json!({
            "light": if night { "night" } else { "day" }, "range_mm": seen["range_mm"], "sd": shooter.now.sd,
            "tvr": battle.tvr(sea.turn), "battery_radar": shooter.now.gear.gunnery_radar,
            "obscured": self.hidden(shooter.at.at.point(), was.at.at.point()),
        });
        let permission = self.rule("visibility", &input, &[]);
        assert_ne!(permission["guns"], "forbidden", "{input}");
        let mut dice = self.dice;
        let tested = match permission["row"] == "beyond-or-obscured" {
            true => shooter.ledger.radar_tested >> number & 1 == 1,
            false => shooter.ledger.identified.is_some(),
        };
        if permission["guns"] == "crew-test" && !tested {
            let test = json!({"crew_quality": shooter.now.crew_quality});
            let passed = self.rule("crew-test", &test, &dice[..1])["passed"].clone();
            dice = &dice[1..];
            if passed == false {
                assert!(dice.is_empty() && self.after.sea.vessel(target).now == was.now, "she holds her fire");
                return Some("crew-test");
            }
        }
        let input = json!({
            "range_mm": seen["range_mm"], "max_band": battery.gun.max_band, "control": control.word(),
            "guns": seen["guns_bearing"], "intervening_bases": seen["intervening_bases"],
            "radar_bonus": permission["guns_bonus"] == 1, "raking": seen["raking"],
            "shooter": {"crew_quality": shooter.now.crew_quality, "gunnery_modifier": shooter.now.gm,
                "splash": shooter.now.splash, "fc": shooter.now.fc, "amc": model.amc},
            "target": {"speed": was.speed}, "ship": self.object(target),
            "gun": {"ip": battery.gun.ip, "cv": battery.gun.cv, "pen": battery.gun.pen},
        });
        self.same(target, &self.rule("gunnery-salvo", &input, dice));
        Some("gunnery-salvo")
    }

    fn spot(&self, by: &str, contact: &str) -> Option<&'static str> {
        let (battle, sea) = (&self.game.battle, &self.before.sea);
        let at = sea.markers.iter().enumerate().position(|(at, _)| format!("contact-{}", at + 1) == contact)?;
        let (marker, ship) = (&sea.markers[at], battle.find(by)?);
        let squads = battle.squadrons.iter().filter(|squad| squad.contact && squad.side == marker.side);
        let size = squads.flat_map(|squad| &squad.vessels).map(|id| battle.model(*id).size()).max()?;
        let vessel = sea.vessel(ship);
        let night = battle.light(sea.turn) == Light::Night;
        let flares = battle.scenario.flares.is_some_and(|flares| {
            let near = |(id, ship): (VesselId, &Vessel)| {
                ship.in_play()
                    && battle.member(id).side != marker.side
                    && ship.at.at.point().ceil_dist(marker.at.at.point()) <= i64::from(flares.reach_mm)
            };
            battle::side(flares.side) != marker.side
                && (flares.turns[0]..=flares.turns[1]).contains(&sea.turn)
                && sea.all().any(near)
        });
        let input = json!({
            "illuminated": night && flares,
            "light": if night { "night" } else { "day" }, "sd": vessel.now.sd, "tvr": battle.tvr(sea.turn),
            "range_mm": vessel.at.at.point().ceil_dist(marker.at.at.point()), "target_size": size,
            "search_radar": vessel.now.gear.search_radar, "crew_quality": vessel.now.crew_quality,
            "obscured": self.hidden(vessel.at.at.point(), marker.at.at.point()),
        });
        let result = self.rule("spotting", &input, self.dice);
        assert_eq!(json!(self.after.sea.markers[at].gone), result["spotted"], "{input}");
        Some("spotting")
    }

    /// A volley at aircraft, in reaction or not. [9.9]
    fn flak(&self, stand: StandId) -> Option<&'static str> {
        let (battle, note) = (&self.game.battle, self.said("flak")?);
        let ship = battle.find(&note.pieces[0])?;
        let (vessel, ledger) = (self.before.sea.vessel(ship), &self.after.sea.vessel(ship).ledger);
        let then = &vessel.ledger;
        let used = [
            ("lrf", ledger.lrf_used - then.lrf_used),
            ("mrf", ledger.mrf_used - then.mrf_used),
            ("crf", ledger.crf_used - then.crf_used),
        ];
        let (weapon, factors) = used.into_iter().find(|(_, used)| *used > 0)?;
        if battle.model(ship).hull == Hull::Boats || !self.before.sea.screens.is_empty() {
            return None;
        }
        let (was, now) = (self.before.sea.stand(stand), self.after.sea.stand(stand));
        let input = json!({
            "weapon": weapon, "factors": factors, "range_mm": vessel.at.at.point().ceil_dist(was.at.point()),
            "target": {"aircraft": was.aircraft, "flak": was.flak,
                "hit_points": battle.flight(stand).aircraft.ratings.hit_points},
            "crew_quality": vessel.now.crew_quality, "splash": vessel.now.splash,
            "dpaa_radar": weapon == "lrf" && vessel.now.gear.gunnery_radar,
            "aa_plus": weapon == "lrf" && battle.model(ship).aa_plus,
            "shore": battle.model(ship).sheet.is_air_base(),
        });
        let result = self.rule("aa-fire", &input, self.dice);
        assert_eq!((&result["aircraft"], &result["flak"]), (&json!(now.aircraft), &json!(now.flak)), "{input}");
        Some("aa-fire")
    }

    /// One stand meets another. [9.15]
    fn air_combat(&self) -> Option<&'static str> {
        let (battle, note) = (&self.game.battle, self.said("air-combat")?);
        let (by, at) = (battle.find_stand(&note.pieces[0])?, battle.find_stand(note.targets.first()?)?);
        let fighters = |id: StandId| {
            let (stand, flight) = (self.before.sea.stand(id), battle.flight(id));
            let role = match (flight.aircraft.facts.role, stand.loaded) {
                (AircraftRole::Bomber, _) => "other",
                (_, true) => "loaded-fighter-bomber",
                (AircraftRole::Fighter, false) => "fighter",
                (AircraftRole::FighterBomber, false) => "empty-fighter-bomber",
            };
            let ratings = &flight.aircraft.ratings;
            json!({"role": role, "aircraft": stand.aircraft, "hit_points": ratings.hit_points, "flak": stand.flak,
                "crew_quality": stand.crew_quality, "intercept": ratings.intercept,
                "dogfight_1": ratings.dogfight_1, "dogfight_2": ratings.dogfight_2})
        };
        let mode = if note.text.contains("intercepts") { "intercept" } else { "dogfight" };
        let input = json!({"mode": mode, "attacker": fighters(by), "defender": fighters(at)});
        let result = self.rule("air-combat", &input, self.dice);
        let left = [by, at].map(|id| json!(self.after.sea.stand(id).aircraft));
        assert_eq!([&result["attacker_left"], &result["defender_left"]], [&left[0], &left[1]], "{input}");
        Some("air-combat")
    }

    /// Bombs, torpedoes or guns of a stand at a vessel. [9.11, 9.12]
    fn raid(&self, stand: StandId) -> Option<&'static str> {
        let (battle, was) = (&self.game.battle, self.before.sea.stand(stand));
        let (flight, sea) = (battle.flight(stand), &self.before.sea);
        let target = |id: VesselId| {
            let (ship, model) = (sea.vessel(id), battle.model(id));
            json!({"size": model.size(), "speed": ship.speed, "splash": ship.now.splash, "sv": ship.now.sv,
                "land": model.sheet.is_air_base()})
        };
        let mut input = json!({"aircraft": was.aircraft, "crew_quality": was.crew_quality, "flak": was.flak});
        match was.mission {
            Mission::Attack(on) => {
                let note = self.said("air-attack")?;
                input["target"] = target(on);
                input["attack"] = flight.attack?.word().into();
                if let Some(Ordnance::Torpedo(torpedo)) = &flight.ordnance {
                    input["torpedo_modifier"] = torpedo.ratings.settings.first()?.modifier.clamp(-2, 2).into();
                }
                let result = self.rule("air-attack-on-ship", &input, self.dice);
                assert_eq!(result["hits"], note.outcome, "{input}");
                Some("air-attack-on-ship")
            }
            Mission::Strafe(on) => {
                let note = self.said("strafing")?;
                let (ship, model) = (sea.vessel(on), battle.model(on));
                input["target"] = target(on);
                let boats = model.hull == Hull::Boats;
                let class = match model.light_class {
                    _ if boats => "type-x",
                    LightClass::A => "a",
                    LightClass::C => "c",
                    LightClass::None => "other",
                };
                input["target"]["class"] = class.into();
                if boats {
                    input["target"]["vessels"] = ship.vessels.into();
                    input["target"]["save_modifier"] = model.save_modifier.into();
                }
                let ratings = &flight.aircraft.ratings;
                let heavy = ratings.acf_as > 0 && (!boats || ratings.acf_as >= ratings.acf_s);
                (input["guns"], input["acf"]) = if heavy {
                    ("anti-shipping".into(), ratings.acf_as.into())
                } else {
                    ("strafing".into(), ratings.acf_s.into())
                };
                let result = self.rule("air-gun-attack", &input, self.dice);
                assert_eq!(result["failed_saves"], note.outcome, "{input}");
                Some("air-gun-attack")
            }
            _ => None,
        }
    }

    /// A search with sonar for what lies within its reach. [C-30, C-52]
    fn sonar(&self, ship: &str) -> Option<&'static str> {
        let (battle, sea) = (&self.game.battle, &self.before.sea);
        let ship = battle.find(ship)?;
        let hunter = sea.vessel(ship);
        let from = hunter.at.at.point();
        let below = sea.all().filter(|(id, vessel)| {
            battle.member(*id).side != battle.member(ship).side && vessel.in_play() && vessel.level != Level::Surfaced
        });
        let near = below.map(|(id, vessel)| (from.ceil_dist(vessel.at.at.point()), id)).min();
        let Some((range, found)) = near.filter(|(range, _)| *range <= 125) else {
            assert!(self.after.sea.all().all(|(id, vessel)| vessel.detected == sea.vessel(id).detected));
            return Some("sonar that finds nothing");
        };
        let speed = match hunter.speed {
            ..=10 => "slow",
            11..=20 => "normal",
            _ => "fast",
        };
        let depth = if sea.vessel(found).level == Level::Deep { "deep" } else { "periscope" };
        let input = json!({
            "range_mm": range, "crew_quality": hunter.now.crew_quality, "sonar": hunter.now.asw.min(2),
            "hunter_speed": speed, "depth": depth, "fired_this_turn": sea.vessel(found).ledger.launched,
        });
        let result = self.rule("submarine-detection", &input, self.dice);
        let heard = self.after.sea.vessel(found).detected;
        assert_eq!(heard, sea.vessel(found).detected || result["detected"] == true, "{input}");
        Some("submarine-detection")
    }

    /// An explosion reaches a ship. [C-18]
    fn blast(&self, cv: i32, at: Place, on: VesselId) -> Option<&'static str> {
        let was = self.before.sea.vessel(on);
        if !was.in_play() || self.game.battle.model(on).hull == Hull::Boats || cv < 1 {
            return None;
        }
        let mut object = self.object(on);
        object["distance_mm"] = was.at.at.point().ceil_dist(at.point()).into();
        // So many sixes and one more die as come to the same CV.
        let count = (cv + 5) / 6;
        let mut dice = vec![6_u8; count as usize - 1];
        dice.push((cv - 6 * (count - 1)) as u8);
        dice.extend(self.dice);
        let result = self.rule("collateral-damage", &json!({"explosion_dice": count, "ships": [object]}), &dice);
        self.same(on, &result["ships"][0]);
        Some("collateral-damage")
    }

    fn fuel(&self, ship: VesselId) -> Option<&'static str> {
        let (was, now) = (&self.before.sea.vessel(ship).now, &self.after.sea.vessel(ship).now);
        if !self.before.sea.vessel(ship).in_play() {
            return None;
        }
        let poor = self.game.battle.model(ship).sheet.weakness.poor_carrier_safety;
        let input = json!({"cv": was.fires, "rearming": was.rearming, "poor_carrier_safety": poor});
        let result = self.rule("fuel-explosion-test", &input, self.dice);
        assert_eq!(!now.afloat(), result["outcome"] == "explosion", "{input}");
        assert_eq!(json!(now.fires - was.fires), result["extra_fires"], "{input}");
        Some("fuel-explosion-test")
    }

    fn squadron(&self, id: SquadronId) -> Option<&'static str> {
        let (battle, sea) = (&self.game.battle, &self.before.sea);
        let squad = battle.squad(id);
        let ships = squad.vessels.iter().map(|id| sea.vessel(*id));
        let ships = ships.filter(|ship| ship.now.afloat() && ship.mood != Mood::Broken).count();
        let stands = squad.stands.iter().filter(|id| sea.stand(**id).aircraft > 0).count();
        let input = json!({
            "original": squad.vessels.len() + squad.stands.len(), "before": sea.squadron(id).began,
            "now": ships + stands, "command": sea.squadron(id).command,
        });
        let failed = self.rule("squadron-morale", &input, self.dice)["failures"] != 0;
        let steady = squad
            .vessels
            .iter()
            .find(|ship| sea.vessel(**ship).in_play() && sea.vessel(**ship).mood == Mood::Steady)?;
        assert_eq!(self.after.sea.vessel(*steady).mood == Mood::Shaken, failed, "{input}");
        Some("squadron-morale")
    }

    fn stand(&self, id: StandId) -> Option<&'static str> {
        let (battle, sea) = (&self.game.battle, &self.before.sea);
        let (stand, flight) = (sea.stand(id), battle.flight(id));
        let others = battle.squad(flight.squadron).stands.iter().filter(|other| **other != id);
        let only = others.into_iter().all(|other| sea.stand(*other).aircraft == 0);
        let input = json!({
            "original": flight.placed.count, "before": stand.began, "now": stand.aircraft,
            "crew_quality": stand.crew_quality, "only_stand": only, "command": sea.squadron(flight.squadron).command,
        });
        let failed = self.rule("aircraft-morale", &input, self.dice)["failures"] != 0;
        assert_eq!(self.after.sea.stand(id).aloft == Aloft::Leaving, failed, "{input}");
        Some("aircraft-morale")
    }

    /// Torpedoes, bombs and rockets that have hit. [5.3, 5.5]
    fn hit(&self, hits: &Hits) -> Option<&'static str> {
        let on = hits.on;
        if !self.before.sea.vessel(on).in_play() || self.game.battle.model(on).hull == Hull::Boats {
            return None;
        }
        let mut dice = self.dice;
        let mut input = json!({
            "weapon": {"ip": hits.ip, "cv": hits.cv, "multiple": hits.multiple}, "ship": self.object(on),
        });
        let direction = match hits.strikes {
            Strikes::Vertical => "vertical",
            Strikes::Horizontal => "horizontal",
            Strikes::Either => return None,
            Strikes::Underwater(from) => {
                let place = self.rule("underwater-location", &json!({"from": from.word()}), &dice[..1]);
                input["column"] = place["column"].clone();
                dice = &dice[1..];
                "underwater"
            }
        };
        input["direction"] = direction.into();
        if direction != "underwater" {
            input["weapon"]["pen"] = hits.pen.into();
        }
        self.same(on, &self.rule("resolve-hit", &input, dice));
        Some("resolve-hit")
    }

    fn torpedoes(&self, squadron: SquadronId) -> Option<&'static str> {
        let sea = &self.before.sea;
        let launch = sea.running.iter().find(|run| self.game.battle.member(run.by).squadron == squadron)?;
        let (aim, by) = (launch.aim?, self.game.battle.member(launch.by));
        let AimPoint::Vessel(target) = aim.at else { return None };
        let (there, model) = (sea.vessel(target), self.game.battle.model(target));
        if !there.in_play() || launch.frozen.is_some() || there.level != Level::Surfaced || model.size() < -3 {
            return None;
        }
        let setting = &by.model.torpedo.as_ref()?.ratings.settings[usize::from(aim.setting)];
        let aspect = match arc(there.at, launch.from.at.point()) {
            Arc::Bow => "bow",
            Arc::Stern => "stern",
            Arc::Port | Arc::Starboard => "beam",
        };
        let shooter = &sea.vessel(launch.by).now;
        let input = json!({
            "torpedoes": launch.torpedoes, "range_mm": launch.from.at.point().ceil_dist(there.at.at.point()),
            "max_band": setting.max_band, "setting_modifier": setting.modifier,
            "shooter": {"crew_quality": shooter.crew_quality, "splash": shooter.splash},
            "target": {"size": model.size(), "arc": aspect, "speed": there.speed, "sv": there.now.sv},
        });
        let result = self.rule("torpedo-attack", &input, self.dice);
        assert_eq!(json!(self.after.sea.arrived.last()?.hits), result["hits"], "{input}");
        Some("torpedo-attack")
    }

    fn light(&self, ship: &str, weapon: LightGuns, target: &str) -> Option<&'static str> {
        let battle = &self.game.battle;
        let (ship, target) = (battle.find(ship)?, battle.find(target)?);
        let (was, now) = (self.before.sea.vessel(target), self.after.sea.vessel(target));
        let (shooter, used) = (self.before.sea.vessel(ship), &self.after.sea.vessel(ship).ledger);
        let factors = match weapon {
            LightGuns::Crf => used.crf_used - shooter.ledger.crf_used,
            LightGuns::Mrf => used.mrf_used - shooter.ledger.mrf_used,
        };
        if factors < 1 {
            return None;
        }
        let boats = battle.model(target).hull == Hull::Boats;
        let class = match battle.model(target).light_class {
            _ if boats => "type-x",
            LightClass::A => "a",
            LightClass::C => "c",
            LightClass::None => "other",
        };
        let mut input = json!({
            "weapon": weapon.word(), "factors": factors,
            "range_mm": shooter.at.at.point().ceil_dist(was.at.at.point()), "shooter_splash": shooter.now.splash,
            "target": {"class": class, "size": battle.model(target).size(), "splash": was.now.splash,
                "speed": was.speed, "sv": was.now.sv},
        });
        if boats {
            input["target"]["vessels"] = was.vessels.into();
            input["target"]["save_modifier"] = battle.model(target).save_modifier.into();
        }
        if battle.model(ship).hull == Hull::Boats {
            input["firing_vessels"] = shooter.vessels.into();
        }
        let result = self.rule("crf-mrf-fire", &input, self.dice);
        if boats {
            assert_eq!(json!(now.vessels), result["vessels"], "{input}");
        } else {
            let lost = result["structure_lost"].as_i64().unwrap_or(-1).min(was.now.s.into());
            assert_eq!(i64::from(was.now.s - now.now.s), lost, "{input}");
        }
        assert_eq!(json!(now.now.splash), result["splash"], "{input}");
        Some("crf-mrf-fire")
    }

    /// Guns at small craft in sight by day or after no test. [9.6]
    fn at_boats(&self, ship: &str, battery: &str, target: &str) -> Option<&'static str> {
        let battle = &self.game.battle;
        let (ship, target) = (battle.find(ship)?, battle.find(target)?);
        let (was, now) = (self.before.sea.vessel(target), self.after.sea.vessel(target));
        let (shooter, model) = (self.before.sea.vessel(ship), battle.model(ship));
        let battery = model.batteries.iter().find(|known| known.id == *battery)?;
        let fired = self.after.sea.vessel(ship).ledger.main_fired & !shooter.ledger.main_fired;
        if battle.model(target).hull != Hull::Boats || battery.group != GunGroup::Main || fired == 0 {
            return None;
        }
        let guns: i32 =
            model.sheet.main.iter().enumerate().filter(|(at, _)| fired >> at & 1 == 1).map(|(_, m)| m.guns).sum();
        // A Crew Test that comes first is not part of the shot; neither is what stands in the line.
        if self.after.sea.vessel(ship).ledger.identified != shooter.ledger.identified || shooter.now.gear.gunnery_radar
        {
            return None;
        }
        let input = |between: i32| {
            json!({
                "calibre_mm": battery.calibre_mm, "range_mm": shooter.at.at.point().ceil_dist(was.at.at.point()),
                "guns": guns, "intervening_bases": between,
                "shooter": {"crew_quality": shooter.now.crew_quality, "gunnery_modifier": shooter.now.gm,
                    "splash": shooter.now.splash},
                "target": {"vessels": was.vessels, "save_modifier": battle.model(target).save_modifier,
                    "size": battle.model(target).size(), "splash": was.now.splash, "speed": was.speed},
            })
        };
        let clear = self.before.sea.all().all(|(id, other)| {
            id == ship || id == target || !other.in_the_way() || other.at.at.point().dist2(was.at.at.point()) > 90_000
        });
        if !clear {
            return None;
        }
        let result = self.rule("type-x-gunnery", &input(0), self.dice);
        assert_eq!(json!(now.vessels), result["vessels"]);
        Some("type-x-gunnery")
    }

    fn charges(&self, ship: &str, target: &str) -> Option<&'static str> {
        let battle = &self.game.battle;
        let (ship, target) = (battle.find(ship)?, battle.find(target)?);
        let (hunter, was) = (self.before.sea.vessel(ship), self.before.sea.vessel(target));
        let depth = if was.level == Level::Deep { "deep" } else { "periscope" };
        let input = json!({
            "asw": hunter.now.asw, "depth": depth, "crew_quality": hunter.now.crew_quality, "splash": hunter.now.splash,
            "submarine": {"f": was.now.f, "f_max": battle.model(target).sheet.f_max,
                "crew_quality": was.now.crew_quality},
        });
        let result = self.rule("asw-attack", &input, self.dice);
        let now = self.after.sea.vessel(target);
        assert_eq!((json!(now.now.f), json!(!now.now.afloat())), (result["f"].clone(), result["sunk"].clone()));
        Some("asw-attack")
    }

    fn burning(&self, ship: VesselId) -> Option<&'static str> {
        if !self.before.sea.vessel(ship).in_play() {
            return None;
        }
        self.same(ship, &self.rule("fire-burn", &json!({"ship": self.object(ship)}), self.dice));
        Some("fire-burn")
    }

    fn control(&self, (ship, shares): &(VesselId, end::Shares)) -> Option<&'static str> {
        let (was, now) = (&self.before.sea.vessel(*ship).now, &self.after.sea.vessel(*ship).now);
        let on_fires: i32 = shares.iter().filter(|(item, _)| *item == end::Item::Fires).map(|(_, teams)| teams).sum();
        let repairs: Vec<Value> = shares
            .iter()
            .filter_map(|(item, teams)| match item {
                end::Item::Repair(item) if *teams > 0 => Some(json!({"item": item.word(), "teams": teams})),
                _ => None,
            })
            .collect();
        if self.dice.is_empty() {
            return None;
        }
        let input = json!({"dc": was.dc, "crew_quality": was.crew_quality, "fires": was.fires,
            "teams_on_fires": on_fires, "repairs": repairs});
        let result = self.rule("damage-control", &input, self.dice);
        assert_eq!(json!(now.fires), result["fires"], "{input}");
        Some("damage-control")
    }

    fn morale(&self, ship: VesselId) -> Option<&'static str> {
        let (vessel, sheet) = (self.before.sea.vessel(ship), &self.game.battle.model(ship).sheet);
        if !vessel.in_play() {
            return None;
        }
        let (f, s) = vessel.began;
        let command = self.before.sea.squadron(self.game.battle.member(ship).squadron).command;
        let input = json!({
            "s_max": sheet.s_max, "s_before": s, "s_now": vessel.now.s.min(s), "f_max": sheet.f_max, "f_before": f,
            "f_now": vessel.now.f.min(f), "crew_quality": vessel.now.crew_quality,
            "co_on_board": vessel.now.gear.flag_officer, "command": command, "fires": vessel.now.fires,
        });
        let result = self.rule("ship-morale", &input, self.dice);
        let fell = |mood: Mood| mood as i64;
        let steps = fell(self.after.sea.vessel(ship).mood) - fell(vessel.mood);
        let failures = result["failures"].as_i64().unwrap_or(-1);
        assert_eq!(steps, failures.min(2 - fell(vessel.mood)), "{input}");
        Some("ship-morale")
    }
}

#[test]
fn whole_battles_do_what_the_referee_says() {
    let system = system();
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    // Battles in which no crew is better on some turns than on others, and no ship lies in a squall.
    for battle in ["river-plate", "savo-island", "hx-84", "illustrious", "two-decks", "blackett-strait", "i-168"] {
        let game = sea_game(battle);
        let plain = game.battle.scenario.squalls.is_empty()
            && game.battle.vessels.iter().all(|ship| {
                ship.placed
                    .as_ref()
                    .is_none_or(|placed| placed.crew_quality_on.is_empty() && placed.to_hit_on.is_empty())
            });
        if !plain {
            continue;
        }
        for seed in 0..8 {
            let mut recorder = Recorder::new(seed);
            let mut state = game.setup();
            while game.outcome(&state).is_none() {
                recorder.clear();
                let before = state.clone();
                game.step(&mut state, &mut recorder).expect("a recorder answers everything");
                let step = Step {
                    system: &system,
                    game: &game,
                    before: &before,
                    after: &state,
                    dice: &recorder.faces,
                    notes: &recorder.notes,
                    asked: recorder.asked,
                };
                if let Some(procedure) = step.compare() {
                    *met.entry(procedure).or_default() += 1;
                }
            }
        }
    }
    println!("{met:?}");
    for procedure in PLAYED {
        assert!(met.get(procedure).is_some_and(|times| *times > 0), "{procedure} was never met: {met:?}");
    }
}

/// The other procedures, each with the test that compares a step from a drawn state with it. A procedure that play had
/// no use for would stand here with a test that says why.
const DRAWN: [(&str, fn()); 23] = [
    ("gunnery-to-hit", parts::shots_are_seen_laid_and_rolled_as_the_referee_says),
    ("geometry", parts::shots_are_seen_laid_and_rolled_as_the_referee_says),
    ("visibility", parts::shots_are_seen_laid_and_rolled_as_the_referee_says),
    ("structural-critical", parts::criticals_are_those_of_the_referee),
    ("carrier-critical", parts::criticals_are_those_of_the_referee),
    ("underwater-critical", parts::criticals_are_those_of_the_referee),
    ("underwater-location", parts::criticals_are_those_of_the_referee),
    ("weapon-loss", parts::weapons_and_magazines_go_as_the_referee_says),
    ("magazine-test", parts::weapons_and_magazines_go_as_the_referee_says),
    ("armour-protection", parts::armour_stops_what_the_referee_says),
    ("wreck-test", parts::ships_without_flotation_sink_as_the_referee_says),
    ("fire-test", parts::bombs_among_armed_aircraft_burn_as_the_referee_says),
    ("collision", parts::ships_collide_as_the_referee_says),
    ("mine-transit", parts::mines_strike_as_the_referee_says),
    ("initiative-modifier", parts::command_adds_to_the_initiative_what_the_referee_says),
    ("derive-ship", parts::ratings_in_play_are_those_the_referee_derives),
    ("derive-gun", parts::ratings_in_play_are_those_the_referee_derives),
    ("derive-torpedo", parts::ratings_in_play_are_those_the_referee_derives),
    ("derive-bomb", parts::ratings_in_play_are_those_the_referee_derives),
    ("derive-aircraft", parts::ratings_in_play_are_those_the_referee_derives),
    ("collateral-damage", explosions_reach_ships_as_the_referee_says),
    ("type-x-gunnery", guns_at_small_craft_do_as_the_referee_says),
    ("air-gun-attack", strafing_does_as_the_referee_says),
];

/// A new procedure is in neither list until a comparison is written for it.
#[test]
fn every_procedure_is_compared_with_play() {
    let system = system();
    let mut all: Vec<&str> = system.procedures().iter().map(|procedure| procedure.about().name).collect();
    let mut compared: Vec<&str> = PLAYED.into_iter().chain(DRAWN.map(|(procedure, _)| procedure)).collect();
    all.sort_unstable();
    compared.sort_unstable();
    assert_eq!(compared, all);
}

/// Procedures that whole battles are compared with.
const PLAYED: [&str; 19] = [
    "initiative",
    "movement",
    "gunnery-salvo",
    "crew-test",
    "resolve-hit",
    "torpedo-attack",
    "crf-mrf-fire",
    "spotting",
    "aa-fire",
    "air-combat",
    "air-attack-on-ship",
    "submarine-detection",
    "asw-attack",
    "fire-burn",
    "fuel-explosion-test",
    "damage-control",
    "ship-morale",
    "squadron-morale",
    "aircraft-morale",
];

/// One step from a drawn state; the first of its dice are given.
pub(super) fn stepped<T>(
    (system, game): (&System, &FleetGame),
    before: &State,
    given: &[u8],
    seed: u64,
    look: impl FnOnce(&Step<'_>) -> T,
) -> T {
    let (mut recorder, mut after) = (Recorder::new(seed), before.clone());
    recorder.given.extend(given);
    game.step(&mut after, &mut recorder).expect("a recorder answers everything");
    let Recorder { faces, notes, asked, .. } = &recorder;
    look(&Step { system, game, before, after: &after, dice: faces, notes, asked: *asked })
}

/// One step from a drawn state, compared.
fn drawn(game: &FleetGame, state: &State, seed: u64) -> Option<&'static str> {
    stepped((&system(), game), state, &[], seed, |step| step.compare())
}

#[test]
fn explosions_reach_ships_as_the_referee_says() {
    let game = sea_game("two-decks");
    let mut state = game.setup();
    for (seed, id) in (0..40).zip(["akagi", "tone", "yorktown", "astoria"].into_iter().cycle()) {
        let on = game.battle.find(id).expect("she is there");
        let at = state.sea.vessel(on).at.at;
        state.sea.pending = vec![Pending::Blast { cv: 1 + seed as i32 % 24, at, left: vec![on] }];
        assert_eq!(drawn(&game, &state, seed), Some("collateral-damage"));
    }
}

#[test]
fn guns_at_small_craft_do_as_the_referee_says() {
    let game = sea_game("blackett-strait");
    let mut state = game.setup();
    let (ship, boats) = (game.battle.find("yunagi").expect("she"), game.battle.find("section-one-1").expect("they"));
    let squadron = game.battle.member(ship).squadron;
    for vessel in &mut state.sea.vessels {
        vessel.at.at = Place { x: 90_000, y: 90_000 };
    }
    for (id, x) in [(ship, 0), (boats, 200)] {
        let vessel = state.sea.vessel_mut(id);
        (vessel.placed, vessel.at.at, vessel.star_lit) = (true, Place { x, y: -2000 }, true);
    }
    let shoot = json!({"shoot": {"ship": "yunagi", "battery": "main", "control": "local", "target": "section-one-1"}});
    let left = vec![serde_json::from_value(shoot).expect("an action")];
    state.phase = Phase::Actions(Stage::Carry { squadron, left });
    for seed in 0..30 {
        assert_eq!(drawn(&game, &state, seed), Some("type-x-gunnery"));
    }
}

#[test]
fn strafing_does_as_the_referee_says() {
    let play = system().game("custom", &json!({"points": 100, "turns": 2})).expect("a custom battle");
    let forces = [json!({"ship:ajax": 1, "air:sbd-3:dive-bomber": 9}), json!({"boats:pt-boat": 12})];
    let forces = forces.map(|force| serde_json::from_value(force).expect("a force"));
    let Play::Custom(custom) = &play else { panic!("it is a custom battle") };
    let game = custom.battle(&forces).expect("a battle");
    let mut state = game.setup();
    let boats = game.battle.find("b-pt-boat-1").expect("the boats");
    let stand = game.battle.find_stand("a-air-1").expect("the stand");
    let at = state.sea.vessel(boats).at.at;
    let bombers = state.sea.stand_mut(stand);
    (bombers.aloft, bombers.at, bombers.mission) = (Aloft::Airborne, at, Mission::Strafe(boats));
    let squadron = game.battle.flight(stand).squadron;
    let mut met = 0;
    for seed in 0..10 {
        let mut state = state.clone();
        state.phase = Phase::Actions(Stage::Air { squadron, left: Vec::new(), attack: Attack::new(stand) });
        let mut recorder = Recorder::new(seed);
        while matches!(state.phase, Phase::Actions(Stage::Air { .. })) {
            met += i32::from(drawn(&game, &state, seed + 50) == Some("air-gun-attack"));
            game.step(&mut state, &mut recorder).expect("a recorder answers everything");
        }
    }
    assert!(met > 3, "{met} attacks with guns");
}

/// The dice that play rolls by itself, for which there is no procedure, or which a procedure rolls as a plain sum.
const OWN_DICE: [&str; 5] =
    ["alert", "what", "faults in the main battery", "runs aground: flotation lost", "CV of the explosion"];

/// Everything else that is rolled in play is rolled by the functions that the procedures call: criticals, magazines,
/// wrecks, armour, weapons, mines, collisions have no dice of their own in the game.
#[test]
fn play_rolls_only_what_the_shared_rules_roll() {
    let mut rolls = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/game")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source is text");
            let calls = ["ask.roll(", "ask.roll_as(", "ask.sum(", "ask.pool(", "ask.volley("];
            let lines = text.lines().filter(|line| calls.iter().any(|call| line.contains(call)));
            rolls.extend(lines.map(|line| (path.display().to_string(), line.trim().to_owned())));
        }
    }
    assert_eq!(rolls.len(), OWN_DICE.len(), "{rolls:#?}");
    for (file, line) in rolls {
        assert!(OWN_DICE.iter().any(|what| line.contains(what)), "{file} rolls a die of its own: {line}");
    }
}
