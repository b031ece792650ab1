//! Play and referee agree: whole battles are fought, and what their dice did is asked of the referee again.

use super::air::Recorder;
use super::{ask, sea_game, system};
use flagplot_fleet_action::System;
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::actions::{Action, Stage};
use flagplot_fleet_action::game::battle::Hull;
use flagplot_fleet_action::game::deeps::Act;
use flagplot_fleet_action::game::end;
use flagplot_fleet_action::game::harm::{Hits, Strikes};
use flagplot_fleet_action::game::state::*;
use flagplot_fleet_action::geometry::arc;
use flagplot_fleet_action::ship::{Condition, Ship};
use flagplot_fleet_action::words::*;
use flagplot_kernel::Game;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc as Shared;

/// A step of a battle, with the dice it rolled.
struct Step<'a> {
    system: &'a System,
    game: &'a FleetGame,
    before: &'a State,
    after: &'a State,
    dice: &'a [u8],
}

impl Step<'_> {
    fn rule(&self, procedure: &str, input: &Value, dice: &[u8]) -> Value {
        let answer = ask(self.system, procedure, input, json!({"dice": dice}));
        assert!(answer["result"].is_object(), "{procedure}: {answer}\n{input}");
        answer["result"].clone()
    }

    /// A ship as requests describe her.
    fn object(&self, id: VesselId) -> Value {
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
        if let Some(pending) = sea.pending.first() {
            return match pending {
                Pending::Hits(hits) => self.hit(hits),
                _ => None,
            };
        }
        match &self.before.phase {
            Phase::Actions(Stage::Torpedoes(squadron)) => self.torpedoes(*squadron),
            Phase::Actions(Stage::Carry { left, .. }) => match left.first()? {
                Action::Light(light) => self.light(light.ship.as_str(), light.weapon, light.target.as_str()),
                Action::Shoot(shoot) => {
                    self.at_boats(shoot.ship.as_str(), shoot.battery.as_str(), shoot.target.as_str())
                }
                Action::Deep(Act::DepthCharge(charges)) => self.charges(charges.ship.as_str(), charges.target.as_str()),
                _ => None,
            },
            Phase::End(end::Stage::Burning { left, .. }) => self.burning(*left.first()?),
            Phase::End(end::Stage::Control { left, .. }) => self.control(left.first()?),
            Phase::End(end::Stage::Ships(left)) => self.morale(*left.first()?),
            _ => None,
        }
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
        for seed in 0..6 {
            let mut recorder = Recorder::new(seed);
            let mut state = game.setup();
            while game.outcome(&state).is_none() {
                recorder.clear();
                let before = state.clone();
                game.step(&mut state, &mut recorder).expect("a recorder answers everything");
                let step = Step { system: &system, game: &game, before: &before, after: &state, dice: &recorder.faces };
                if let Some(procedure) = step.compare() {
                    *met.entry(procedure).or_default() += 1;
                }
            }
        }
    }
    println!("{met:?}");
    for procedure in ["resolve-hit", "torpedo-attack", "crf-mrf-fire", "fire-burn", "damage-control", "ship-morale"] {
        assert!(met.get(procedure).is_some_and(|times| *times > 3), "{procedure} was met too seldom: {met:?}");
    }
}
