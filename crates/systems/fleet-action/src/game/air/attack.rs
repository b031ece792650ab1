//! An attack by a stand, step by step: escorts, interceptors, flak, the attack itself. [6.5, 9.11, 9.12]

use super::flak::Volley;
use super::reactions::{Cover, Guard, Pounce};
use crate::air_attack::{AirAttack, AirCrew, GunAttack};
use crate::air_combat::AirCombat;
use crate::data::SpecialDirection;
use crate::game::FleetGame;
use crate::game::battle::{Hull, Ordnance};
use crate::game::harm::{Hits, Strikes};
use crate::game::state::{Aloft, Mission, Pending, Sea, StandId, VesselId};
use crate::geometry::arc;
use crate::light_guns::SmallTarget;
use crate::rule;
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Effect, Note};
use serde::{Deserialize, Serialize};

/// An attack under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Attack {
    pub stand: StandId,
    stage: AttackStage,
}

/// How far it has got. [6.5]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AttackStage {
    /// The attacker's escorts choose whom they fight.
    Escorts,
    /// These dogfights are still to be fought.
    Dogfights(Vec<(StandId, StandId)>),
    /// The defender's fighters choose whether to intercept.
    Interceptors,
    /// These interceptions are still to be fought.
    Intercepting(Vec<StandId>),
    /// The defender shares out the flak.
    Flak,
    /// These volleys are still to be fired.
    Volleys(Vec<Volley>),
    /// The stand attacks with what is left of it.
    Attack,
}

impl Attack {
    #[must_use]
    pub fn new(stand: StandId) -> Self {
        Self { stand, stage: AttackStage::Escorts }
    }
}

impl FleetGame {
    pub(in crate::game) fn raided(&self, sea: &Sea, id: StandId) -> Option<VesselId> {
        match sea.stand(id).mission {
            Mission::Attack(target) | Mission::Strafe(target) => Some(target),
            _ => None,
        }
    }

    /// Goes on with an attack, one question with what follows or one combat at a time; true when it is over.
    pub(in crate::game) fn step_air(&self, sea: &mut Sea, attack: &mut Attack, ask: &mut impl Ask) -> Asked<bool> {
        let id = attack.stand;
        if !sea.stand(id).flies() {
            return Ok(true);
        }
        match &mut attack.stage {
            AttackStage::Escorts => {
                let fights = self.ask_escorts(sea, id, ask)?;
                attack.stage = AttackStage::Dogfights(fights);
            }
            AttackStage::Dogfights(fights) => match fights.is_empty() {
                true => attack.stage = AttackStage::Interceptors,
                false => {
                    let (escort, enemy) = fights.remove(0);
                    let willing = sea.stand(escort).flies() && !sea.stand(escort).acted && sea.stand(enemy).flies();
                    if willing {
                        self.combat(sea, Encounter::Dogfight, escort, enemy, ask)?;
                    }
                }
            },
            AttackStage::Interceptors => {
                let stands = self.ask_interceptors(sea, id, ask)?;
                attack.stage = AttackStage::Intercepting(stands);
            }
            AttackStage::Intercepting(stands) => match stands.is_empty() {
                true => {
                    let at_ship = self.raided(sea, id).is_some();
                    attack.stage = if at_ship { AttackStage::Flak } else { AttackStage::Attack };
                }
                false => {
                    let fighter = stands.remove(0);
                    if sea.stand(fighter).flies() && !sea.stand(fighter).acted {
                        self.combat(sea, Encounter::Intercept, fighter, id, ask)?;
                    }
                }
            },
            AttackStage::Flak => {
                let volleys = self.ask_flak(sea, id, ask)?;
                attack.stage = AttackStage::Volleys(volleys);
            }
            AttackStage::Volleys(volleys) => match volleys.is_empty() {
                true => attack.stage = AttackStage::Attack,
                false => {
                    let volley = volleys.remove(0);
                    self.fire_volley(sea, id, volley, ask)?;
                }
            },
            AttackStage::Attack => {
                self.strike_home(sea, id, ask)?;
                return Ok(true);
            }
        }
        Ok(!sea.stand(id).flies())
    }

    /// Asks which escorts fight which interceptors, if there is something to choose. [C-46]
    fn ask_escorts(&self, sea: &Sea, id: StandId, ask: &mut impl Ask) -> Asked<Vec<(StandId, StandId)>> {
        let cover = Cover::new(self, sea, id);
        if cover.escorts.is_empty() || cover.enemies.is_empty() {
            return Ok(Vec::new());
        }
        let sheet = ask.decide(&cover)?;
        Ok(cover.read(&sheet).unwrap_or_default())
    }

    /// Asks which fighters attack the stand, if there is something to choose. [C-46]
    fn ask_interceptors(&self, sea: &Sea, id: StandId, ask: &mut impl Ask) -> Asked<Vec<StandId>> {
        // A stand that intercepts is met by no others: they would have to be told of it first.
        if self.raided(sea, id).is_none() {
            return Ok(Vec::new());
        }
        let pounce = Pounce::new(self, sea, id);
        if pounce.fighters.is_empty() {
            return Ok(Vec::new());
        }
        let chosen = ask.decide(&pounce)?;
        Ok(pounce.read(&chosen).unwrap_or_default())
    }

    /// Asks for the flak sheet, if a ship can fire. [C-46]
    fn ask_flak(&self, sea: &Sea, id: StandId, ask: &mut impl Ask) -> Asked<Vec<Volley>> {
        let Some(target) = self.raided(sea, id) else { return Ok(Vec::new()) };
        let guard = Guard::new(self, sea, id, target);
        if guard.batteries.is_empty() {
            return Ok(Vec::new());
        }
        let sheet = ask.decide(&guard)?;
        Ok(guard.read(&sheet).unwrap_or_default())
    }

    /// One stand attacks another, which shoots back. It costs the attacker its action of the turn. [9.15]
    fn combat(&self, sea: &mut Sea, encounter: Encounter, by: StandId, at: StandId, ask: &mut impl Ask) -> Asked<()> {
        let combat = AirCombat {
            encounter,
            return_fire: true,
            attacker: self.fighters(sea, by),
            defender: self.fighters(sea, at),
        };
        if combat.check().is_err() {
            return Ok(());
        }
        let names = (&self.battle.flight(by).name, &self.battle.flight(at).name);
        ask.note(|| {
            let verb = if encounter == Encounter::Intercept { "intercepts" } else { "dogfights" };
            Note::new("air-combat", format!("{} {verb} {}", names.0, names.1))
                .by(&[rule::S9_15, rule::C_46])
                .pieces([&self.battle.flight(by).id])
                .on([&self.battle.flight(at).id])
        });
        let (first, second) = combat.fight(&self.battle.rules, ask)?;
        sea.stand_mut(by).acted = true;
        self.shoot_down(sea, at, first.kills, ask);
        self.shoot_down(sea, by, second.kills, ask);
        Ok(())
    }

    /// The attack itself.
    fn strike_home(&self, sea: &mut Sea, id: StandId, ask: &mut impl Ask) -> Asked<()> {
        match sea.stand(id).mission {
            Mission::Attack(target) if sea.vessel(target).in_play() => self.drop_load(sea, id, target, ask)?,
            Mission::Strafe(target) if sea.vessel(target).in_play() => self.strafe(sea, id, target, ask)?,
            Mission::Intercept(other) if self.may_pounce(sea, id, other) => {
                self.combat(sea, Encounter::Intercept, id, other, ask)?;
            }
            _ => {}
        }
        let once = self.battle.flight(id).placed.once;
        let stand = sea.stand_mut(id);
        stand.acted = true;
        if once && stand.aloft == Aloft::Airborne {
            stand.aloft = Aloft::Leaving;
        }
        Ok(())
    }

    /// The attack with bombs, torpedoes or rockets as the rules see it.
    pub(in crate::game) fn air_attack(&self, sea: &Sea, id: StandId, target: VesselId) -> Option<AirAttack> {
        let (stand, flight) = (sea.stand(id), self.battle.flight(id));
        let attack = flight.attack?;
        let torpedo_modifier = match flight.ordnance.as_ref()? {
            Ordnance::Torpedo(torpedo) => torpedo.ratings.settings.first().map_or(0, |setting| setting.modifier),
            _ => 0,
        };
        let crew = AirCrew { crew_quality: stand.crew_quality, flak: stand.flak };
        Some(AirAttack {
            aircraft: stand.aircraft,
            attack,
            crew,
            torpedo_modifier: torpedo_modifier.clamp(-2, 2),
            target: self.air_target(sea, target),
        })
    }

    /// One hit of a stand's load: IP, CV, penetration and where it strikes from. [6.2, 7.4]
    pub(in crate::game) fn load_hit(
        &self,
        sea: &Sea,
        id: StandId,
        target: VesselId,
    ) -> Option<(i32, i32, i32, Strikes)> {
        let ordnance = self.battle.flight(id).ordnance.as_ref()?;
        Some(match ordnance {
            Ordnance::Torpedo(torpedo) => {
                let from = match arc(sea.vessel(target).at, self.stand_point(sea, id)) {
                    Arc::Bow => Approach::Bow,
                    Arc::Stern => Approach::Stern,
                    Arc::Port | Arc::Starboard => Approach::Beam,
                };
                (torpedo.ratings.ip, torpedo.ratings.cv, 0, Strikes::Underwater(from))
            }
            Ordnance::Bomb(bomb) => {
                let skips = self.battle.flight(id).attack == Some(AttackType::SkipBomber);
                let strikes = match bomb.direction {
                    Direction::Horizontal if !skips => Strikes::Horizontal,
                    _ => Strikes::Vertical,
                };
                (bomb.ratings.ip, bomb.ratings.cv, bomb.ratings.pen, strikes)
            }
            Ordnance::Special(special) => {
                let strikes = match special.direction {
                    SpecialDirection::Vertical => Strikes::Vertical,
                    SpecialDirection::Horizontal => Strikes::Horizontal,
                    SpecialDirection::Either => Strikes::Either,
                };
                (special.ip, special.cv, special.pen, strikes)
            }
        })
    }

    fn drop_load(&self, sea: &mut Sea, id: StandId, target: VesselId, ask: &mut impl Ask) -> Asked<()> {
        let Some(attack) = self.air_attack(sea, id, target).filter(|attack| attack.check().is_ok()) else {
            return Ok(());
        };
        let Some((ip, cv, pen, strikes)) = self.load_hit(sea, id, target) else { return Ok(()) };
        let (flight, member) = (self.battle.flight(id), self.battle.member(target));
        let salvo = attack.salvo(&self.battle.rules);
        let fired = salvo.fire(ask)?;
        sea.stand_mut(id).loaded = false;
        sea.vessel_mut(target).ledger.shot_at = true;
        ask.note(|| {
            let hits = match fired.hits {
                0 => "no hits".to_owned(),
                1 => "1 hit".to_owned(),
                hits => format!("{hits} hits"),
            };
            let text = format!("{} attacks {}: {hits}", flight.name, member.name);
            Note::new("air-attack", text)
                .by(&[rule::S9_11, rule::C_54])
                .pieces([&flight.id])
                .on([&member.id])
                .outcome(fired.hits)
                .effect(Effect::of(fired.hits))
        });
        if attack.attack == AttackType::Kamikaze {
            self.shoot_down(sea, id, salvo.dice, ask);
        }
        if fired.hits > 0 {
            let hits = Hits { on: target, left: fired.hits, ip, cv, pen, multiple: 1, strikes };
            sea.pending.push(Pending::Hits(hits));
        }
        Ok(())
    }

    /// A vessel as the guns of aircraft see it.
    fn small_target(&self, sea: &Sea, id: VesselId) -> SmallTarget {
        let (vessel, model, target) = (sea.vessel(id), self.battle.model(id), self.air_target(sea, id));
        let boats = model.hull == Hull::Boats;
        let class = match model.light_class {
            _ if boats => TargetClass::TypeX,
            LightClass::A => TargetClass::A,
            LightClass::C => TargetClass::C,
            LightClass::None => TargetClass::Other,
        };
        SmallTarget {
            class,
            size: Some(target.size),
            splash: target.splash,
            motion: target.motion,
            sv: target.sv,
            vessels: boats.then_some(vessel.vessels),
            save_modifier: boats.then_some(model.save_modifier),
        }
    }

    /// The best attack of a stand's guns on a vessel, if they can hurt it. [9.12]
    pub(in crate::game) fn gun_attack(&self, sea: &Sea, id: StandId, target: VesselId) -> Option<GunAttack> {
        let (stand, ratings) = (sea.stand(id), &self.battle.flight(id).aircraft.ratings);
        let crew = AirCrew { crew_quality: stand.crew_quality, flak: stand.flak };
        let target = self.small_target(sea, target);
        let guns = [(AirGuns::AntiShipping, ratings.acf_as), (AirGuns::Strafing, ratings.acf_s)];
        let attacks = guns.into_iter().filter(|(_, acf)| *acf > 0).map(|(guns, acf)| GunAttack {
            guns,
            acf,
            aircraft: stand.aircraft,
            crew,
            target,
        });
        attacks
            .filter(|attack| attack.check().is_ok())
            .min_by_key(|attack| attack.salvo(&self.battle.rules).save_modifier())
    }

    fn strafe(&self, sea: &mut Sea, id: StandId, target: VesselId, ask: &mut impl Ask) -> Asked<()> {
        let Some(attack) = self.gun_attack(sea, id, target) else { return Ok(()) };
        let (flight, member) = (self.battle.flight(id), self.battle.member(target));
        let fired = attack.salvo(&self.battle.rules).fire(ask)?;
        sea.vessel_mut(target).ledger.shot_at = true;
        ask.note(|| {
            let text =
                format!("{} strafes {}: {} hits, {} not saved", flight.name, member.name, fired.hits, fired.failed);
            Note::new("strafing", text)
                .by(&[rule::S9_12, rule::R_30])
                .pieces([&flight.id])
                .on([&member.id])
                .outcome(fired.failed)
                .effect(Effect::of(fired.failed))
        });
        if fired.hits > 0 {
            self.splash(sea, target);
        }
        match self.battle.model(target).hull {
            Hull::Boats => self.lose_vessels(sea, target, fired.failed, ask),
            _ => {
                let vessel = sea.vessel_mut(target);
                vessel.now.s = (vessel.now.s - fired.failed).max(0);
            }
        }
        Ok(())
    }
}
