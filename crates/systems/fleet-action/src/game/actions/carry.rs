//! Actions carried out, one a step. [C-39]

use super::Stage;
use super::act::{Action, Light, Look, Searchlight, Shot, ShotTest, Spot, StarShell, shown};
use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::moving::contact::Formation;
use crate::game::state::*;
use crate::light_guns::{LightFire, LightHits};
use crate::rule;
use crate::ship_tests::crew_test;
use crate::volley::Salvo;
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D10, Note, Refusal};

/// Who looks at a contact.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) enum Eyes {
    Ship(VesselId),
    Stand(StandId),
}

/// What an action leaves of the list it stands on.
enum Done {
    GoOn,
    /// A test failed: the rest is dropped and the question asked again.
    Drop,
    /// An air attack goes on step by step.
    Attack(crate::game::air::Attack),
}

impl FleetGame {
    /// Carries out the next action of a list. If it can no longer be done, it and the rest are dropped. [C-39]
    pub(super) fn carry_next(
        &self,
        sea: &mut Sea,
        squadron: SquadronId,
        left: &mut Vec<Action>,
        ask: &mut impl Ask,
    ) -> Asked<Option<Stage>> {
        if left.is_empty() {
            return Ok(self.ask_or_end(sea, squadron));
        }
        if let Err(refusal) = self.check_action(sea, squadron, &left[0]) {
            ask.note(|| {
                let text = format!("The rest of the list is dropped: {}", refusal.message);
                Note::new("dropped", text).by(&[rule::C_39])
            });
            return Ok(self.ask_or_end(sea, squadron));
        }
        let action = left[0].clone();
        let done = self.carry(sea, squadron, &action, ask)?;
        let rest = left.split_off(1);
        Ok(match done {
            Done::GoOn => self.carry_on(sea, squadron, rest),
            Done::Drop => self.ask_or_end(sea, squadron),
            Done::Attack(attack) => Some(Stage::Air { squadron, left: rest, attack }),
        })
    }

    fn carry(&self, sea: &mut Sea, squadron: SquadronId, action: &Action, ask: &mut impl Ask) -> Asked<Done> {
        match action {
            Action::Shoot(shoot) => match self.read_shot(sea, squadron, shoot) {
                Ok(shot) => self.fire(sea, &shot, ask),
                Err(_) => Ok(Done::Drop),
            },
            Action::Light(light) => self.fire_light(sea, squadron, light, ask),
            Action::Spot(spot) => self.spot(sea, squadron, spot, ask),
            Action::Searchlight(lamp) => Ok(self.switch_on(sea, squadron, lamp, ask)),
            Action::StarShell(star) => self.fire_star_shell(sea, squadron, star, ask),
            Action::AntiAir(fire) => match self.read_anti_air(sea, squadron, fire) {
                Ok((stand, volley)) => {
                    self.fire_volley(sea, stand, volley, ask)?;
                    Ok(Done::GoOn)
                }
                Err(_) => Ok(Done::Drop),
            },
            Action::Air(act) => Ok(match self.begin_air(sea, squadron, act, ask)? {
                Some(attack) => Done::Attack(attack),
                None => Done::GoOn,
            }),
            Action::Deep(act) => {
                self.do_deep(sea, squadron, act, ask)?;
                Ok(Done::GoOn)
            }
        }
    }

    /// The Crew Test of a shot is made, with this result.
    pub(super) fn mark_test(&self, sea: &mut Sea, shot: &Shot<'_>, passed: bool) {
        let ledger = &mut sea.vessel_mut(shot.bearing.shooter).ledger;
        match shot.test {
            ShotTest::None => {}
            ShotTest::Identify => ledger.identified = Some((shot.bearing.target, passed)),
            ShotTest::Radar => {
                let bit = 1_u16 << shot.number.min(15);
                ledger.radar_tested |= bit;
                if passed {
                    ledger.radar_passed |= bit;
                }
            }
        }
    }

    /// The mounts of a shot, and a director if it is Directed, are used up.
    pub(super) fn mark_fired(&self, sea: &mut Sea, shot: &Shot<'_>) {
        let ledger = &mut sea.vessel_mut(shot.bearing.shooter).ledger;
        match shot.battery.group {
            GunGroup::Main => ledger.main_fired |= shot.mounts,
            GunGroup::Other => ledger.other_fired |= shot.mounts,
        }
        ledger.directed += i32::from(shot.control == Control::Directed);
    }

    /// One shot with its hit. [9.5, 9.6]
    fn fire(&self, sea: &mut Sea, shot: &Shot<'_>, ask: &mut impl Ask) -> Asked<Done> {
        let (ship, target) = (shot.bearing.shooter, shot.bearing.target);
        self.note_fire(shot, ask);
        if shot.test != ShotTest::None {
            let name = match shot.test {
                ShotTest::Radar => "radar: Crew Test",
                _ => "identification: Crew Test",
            };
            let passed = crew_test(&self.battle.rules, name, self.crew_quality(sea, ship)).roll(ask)?;
            self.mark_test(sea, shot, passed);
            ask.note(|| {
                let word =
                    if passed { "She finds her target" } else { "She does not find her target and holds her fire" };
                Note::new("identification", word).by(&[rule::R_51, rule::S9_1]).detail()
            });
            if !passed {
                return Ok(Done::Drop);
            }
        }
        let guns = self.working_guns(shot, ask)?;
        let aim = self.gun_aim(sea, &shot.bearing, shot.battery, guns, shot.control);
        let weapon = self.shell(&shot.bearing, shot.battery, guns);
        let boats = self.battle.model(target).hull == Hull::Boats;
        let saves = boats.then(|| self.boat_shoot(sea, &shot.bearing, shot.battery, guns).saves());
        let hit = if boats {
            let state = Salvo { rules: &self.battle.rules, dice: 1, aim, saves }.fire(ask)?;
            if state.hits > 0 {
                self.splash(sea, target);
            }
            self.lose_vessels(sea, target, state.failed, ask);
            false
        } else {
            aim.shoot(ask)?.hit
        };
        self.mark_fired(sea, shot);
        sea.vessel_mut(target).ledger.shot_at = true;
        if hit {
            self.splash(sea, target);
            self.strike(sea, target, weapon, ask)?;
        }
        Ok(Done::GoOn)
    }

    /// Guns that work: a main battery that is not worked up may fail in part. [C-50]
    fn working_guns(&self, shot: &Shot<'_>, ask: &mut impl Ask) -> Asked<i32> {
        let member = self.battle.member(shot.bearing.shooter);
        let faulty = member.placed.as_ref().and_then(|placed| placed.faulty_main);
        let Some(faulty) = faulty.filter(|_| shot.battery.group == GunGroup::Main) else { return Ok(shot.guns) };
        let fails = ask.roll_as(D10, "faults in the main battery", |face| i32::from(face) <= faulty)?;
        let guns = if fails.read { (shot.guns / 2).max(1) } else { shot.guns };
        ask.note(|| {
            let face = fails.face.unwrap_or(0);
            let text = if fails.read {
                format!("The main battery of {} fails in part: {guns} of {} guns fire", member.name, shot.guns)
            } else {
                format!("All {guns} guns of {} fire", member.name)
            };
            Note::new("faulty", text).by(&[rule::C_50]).dice(&[face]).outcome(guns).detail()
        });
        Ok(guns)
    }

    fn note_fire(&self, shot: &Shot<'_>, ask: &mut impl Ask) {
        ask.note(|| {
            let (by, at) = (self.battle.member(shot.bearing.shooter), self.battle.member(shot.bearing.target));
            let guns = if shot.guns == 1 { "1 gun".to_owned() } else { format!("{} guns", shot.guns) };
            let control = match shot.control {
                Control::Directed => "Directed",
                Control::Local => "Local",
            };
            let raking = match shot.bearing.direction {
                Direction::Horizontal => ", raking",
                _ => "",
            };
            let text = format!(
                "{} fires her {} at {}: {guns}, {control}, range band {}{raking}",
                by.name, shot.battery.name, at.name, shot.bearing.band
            );
            Note::new("shoot", text).by(&[rule::S9_5, rule::C_47]).pieces([&by.id]).on([&at.id])
        });
    }

    /// Factors of light guns are used up.
    pub(super) fn mark_light(&self, sea: &mut Sea, ship: VesselId, fire: &LightFire) {
        let ledger = &mut sea.vessel_mut(ship).ledger;
        match fire.weapon {
            LightGuns::Crf => ledger.crf_used += fire.factors,
            LightGuns::Mrf => ledger.mrf_used += fire.factors,
        }
    }

    /// Close or medium range fire. [9.8]
    fn fire_light(&self, sea: &mut Sea, squadron: SquadronId, light: &Light, ask: &mut impl Ask) -> Asked<Done> {
        let Ok((ship, target, fire)) = self.read_light(sea, squadron, light) else { return Ok(Done::Drop) };
        ask.note(|| {
            let (by, at) = (self.battle.member(ship), self.battle.member(target));
            let text = format!("{} fires {} at {}", by.name, fire.weapon.word().to_uppercase(), at.name);
            Note::new("light-fire", text).by(&[rule::S9_8]).pieces([&by.id]).on([&at.id])
        });
        let salvo = fire.salvo(&self.battle.rules);
        let state = salvo.fire(ask)?;
        let hits = LightHits::new(&salvo, &state, &fire.target);
        self.mark_light(sea, ship, &fire);
        let vessel = sea.vessel_mut(target);
        vessel.now.splash = hits.splash;
        vessel.ledger.shot_at = true;
        if fire.target.is_stand() {
            self.lose_vessels(sea, target, hits.failed_saves, ask);
        } else {
            // A ship loses structure only: what is beyond it is no damage of light guns.
            vessel.now.s = (vessel.now.s - hits.structure_lost).max(0);
        }
        Ok(Done::GoOn)
    }

    /// Who looks at which contact, if that is possible now. [C-6]
    pub(super) fn read_spot(&self, sea: &Sea, squadron: SquadronId, spot: &Spot) -> Result<(Eyes, Look), Refusal> {
        let squad = self.battle.squad(squadron);
        let contact = self.enemy_contact(sea, squad.side, &spot.contact)?;
        if let Some(stand) = self.battle.find_stand(spot.by.as_str()).filter(|stand| squad.stands.contains(stand)) {
            return Ok((Eyes::Stand(stand), self.stand_look(sea, stand, contact)?));
        }
        let ship = self.battle.find(spot.by.as_str()).filter(|ship| squad.vessels.contains(ship));
        let ship = ship.ok_or_else(|| {
            let text = format!("'{}' is not a ship or stand of {}.", shown(&spot.by), squad.name);
            Refusal::new("unknown-ship", text).by(rule::C_39)
        })?;
        self.fit(sea, ship)?;
        Ok((Eyes::Ship(ship), self.ship_look(sea, ship, contact)?))
    }

    fn spot(&self, sea: &mut Sea, squadron: SquadronId, spot: &Spot, ask: &mut impl Ask) -> Asked<Done> {
        let Ok((eyes, look)) = self.read_spot(sea, squadron, spot) else { return Ok(Done::Drop) };
        let (name, id) = match eyes {
            Eyes::Ship(ship) => (&self.battle.member(ship).name, &self.battle.member(ship).id),
            Eyes::Stand(stand) => (&self.battle.flight(stand).name, &self.battle.flight(stand).id),
        };
        let seen = self.look_at(sea, name, id.as_str(), &look, ask)?;
        match eyes {
            Eyes::Ship(ship) => {
                let ledger = &mut sea.vessel_mut(ship).ledger;
                (ledger.spotted, ledger.saw) = (true, ledger.saw || seen);
            }
            Eyes::Stand(stand) => sea.stand_mut(stand).acted = true,
        }
        Ok(Done::GoOn)
    }

    /// A look at a contact; spotted, it is deployed or taken away.
    pub(super) fn look_at(
        &self,
        sea: &mut Sea,
        name: &str,
        piece: &str,
        look: &Look,
        ask: &mut impl Ask,
    ) -> Asked<bool> {
        ask.note(|| {
            let text = format!("{name} looks for {}", self.marker_name(look.contact));
            Note::new("look", text).by(&[rule::C_6]).pieces([piece, self.marker_id(look.contact).as_str()])
        });
        let seen = look.lookout.look(&self.battle.rules, ask)?.spotted;
        if seen {
            self.deploy_and_tell(sea, look.contact, Formation::Ahead, ask);
        }
        Ok(seen)
    }

    fn switch_on(&self, sea: &mut Sea, squadron: SquadronId, lamp: &Searchlight, ask: &mut impl Ask) -> Done {
        let (Ok(ship), Some(target)) = (self.own_vessel(squadron, &lamp.ship), self.battle.find(lamp.target.as_str()))
        else {
            return Done::Drop;
        };
        sea.vessel_mut(ship).ledger.lights = Some(target);
        ask.note(|| {
            let (by, at) = (self.battle.member(ship), self.battle.member(target));
            let text = format!("{} turns her searchlight on {}; both are illuminated", by.name, at.name);
            Note::new("searchlight", text).by(&[rule::C_7]).pieces([&by.id, &at.id])
        });
        Done::GoOn
    }

    /// The whole battery is used up.
    pub(super) fn mark_star_shell(&self, sea: &mut Sea, ship: VesselId, number: usize) {
        let Some(battery) = self.battle.model(ship).batteries.get(number) else { return };
        let mounts = battery.mounts.iter().fold(0, |bits, at| bits | 1_u64 << at);
        let ledger = &mut sea.vessel_mut(ship).ledger;
        ledger.star_shell = true;
        match battery.group {
            GunGroup::Main => ledger.main_fired |= mounts,
            GunGroup::Other => ledger.other_fired |= mounts,
        }
    }

    fn fire_star_shell(
        &self,
        sea: &mut Sea,
        squadron: SquadronId,
        star: &StarShell,
        ask: &mut impl Ask,
    ) -> Asked<Done> {
        let (Ok(ship), Some(target)) = (self.own_vessel(squadron, &star.ship), self.battle.find(star.target.as_str()))
        else {
            return Ok(Done::Drop);
        };
        ask.note(|| {
            let (by, at) = (self.battle.member(ship), self.battle.member(target));
            let text = format!("{} fires star shell over {}", by.name, at.name);
            Note::new("star-shell", text).by(&[rule::C_7]).pieces([&by.id, &at.id])
        });
        let quality = self.crew_quality(sea, ship);
        let passed = crew_test(&self.battle.rules, "star shell: Crew Test", quality).roll(ask)?;
        self.mark_star_shell(sea, ship, self.battery_number(ship, &star.battery));
        if passed {
            sea.vessel_mut(target).star_lit = true;
        }
        Ok(if passed { Done::GoOn } else { Done::Drop })
    }
}
