//! What can be done in an activation, and whether it may be done now. [section 3, C-39, C-47]

use super::guns::{Bearing, MEDIUM_MM, out_of_reach};
use crate::game::FleetGame;
use crate::game::battle::{Battery, Hull, title};
use crate::game::id::Id;
use crate::game::state::*;
use crate::game::{air, deeps};
use crate::light_guns::{LightFire, SmallTarget};
use crate::rule;
use crate::rules::RANGE_BANDS;
use crate::sight::{Lookout, Sight};
use crate::words::*;
use flagplot_kernel::{Refusal, Side};
use serde::{Deserialize, Serialize};

/// The bands in which aircraft spot. [C-6]
const AIR_SD: i32 = 4;

/// One battery, or part of it, at one target under one control.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shoot {
    pub ship: Id,
    pub battery: Id,
    /// The mounts that fire, numbered from 1 in the order of the battery; all that bear if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mounts: Option<Vec<u8>>,
    pub control: Control,
    pub target: Id,
}

/// Close or medium range fire at a vessel.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Light {
    pub ship: Id,
    pub weapon: LightGuns,
    /// Factors used; all that are left if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factors: Option<i32>,
    pub target: Id,
}

/// A look at a contact.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spot {
    /// The ship, stand or contact that looks.
    pub by: Id,
    pub contact: Id,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searchlight {
    pub ship: Id,
    pub target: Id,
}

/// Star shell over a vessel.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StarShell {
    pub ship: Id,
    pub battery: Id,
    pub target: Id,
}

/// Anti-aircraft fire at a stand that attacks nothing now; those that do are met when they attack. [9.9, C-46]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AntiAir {
    pub ship: Id,
    pub weapon: Flak,
    /// Factors used; all that are left if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factors: Option<i32>,
    pub target: Id,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    Shoot(Shoot),
    Light(Light),
    Spot(Spot),
    Searchlight(Searchlight),
    StarShell(StarShell),
    AntiAir(AntiAir),
    /// Aircraft and decks.
    Air(air::Act),
    /// Sonar and depth charges.
    Deep(deeps::Act),
}

/// A shot as it can be fired now.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) struct Shot<'a> {
    pub bearing: Bearing,
    pub battery: &'a Battery,
    /// The place of the battery on the list.
    pub number: usize,
    /// The mounts that fire, a bit each.
    pub mounts: u64,
    pub guns: i32,
    pub control: Control,
    /// The Crew Test that comes first.
    pub test: ShotTest,
}

/// The Crew Test before a shot. [9.1, R-51]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum ShotTest {
    None,
    /// Identifies the target at night.
    Identify,
    /// Finds it by radar.
    Radar,
}

/// Why a shot may not be fired; cheap, because playouts ask often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum Bar {
    NoBattery,
    NoMount(u8),
    Surprised,
    Broken,
    OutOfReach,
    Calibre,
    Unseen,
    RadarFailed,
    NotIdentified,
    Fired,
    DoesNotBear,
    LocalAtBoats,
    Amc,
    NoStructure,
    NoDirector,
}

/// A look at a contact as it can be made now.
pub(in crate::game) struct Look {
    pub contact: MarkerId,
    pub lookout: Lookout,
}

fn refuse(code: &'static str, text: String, rule: flagplot_kernel::Rule) -> Refusal {
    Refusal::new(code, text).by(rule)
}

impl FleetGame {
    /// Why a vessel can do nothing in this activation, if she can do nothing.
    pub(in crate::game) fn fit(&self, sea: &Sea, id: VesselId) -> Result<(), Refusal> {
        let (member, vessel) = (self.battle.member(id), sea.vessel(id));
        let name = &member.name;
        if !vessel.in_play() {
            return Err(refuse("ship-lost", format!("{name} is no longer in the battle."), rule::S6_6));
        }
        if vessel.level != Level::Surfaced {
            return Err(refuse("under-water", format!("{name} is under water."), rule::C_52));
        }
        if self.holds(sea, id) {
            return Err(refuse("must-hold", format!("{name} takes no action this turn."), rule::C_50));
        }
        if vessel.now.gear.power_failed && vessel.ledger.power != Some(true) {
            return Err(refuse("no-power", format!("{name} is without power this turn."), rule::UNDERWATER));
        }
        Ok(())
    }

    /// A vessel of a squadron that an answer names.
    pub(in crate::game) fn own_vessel(&self, squadron: SquadronId, id: &Id) -> Result<VesselId, Refusal> {
        let found = self.battle.find(id.as_str());
        found.filter(|found| self.battle.member(*found).squadron == squadron).ok_or_else(|| {
            let text = format!("'{}' is not a ship of {}.", shown(id), self.battle.squad(squadron).name);
            refuse("unknown-ship", text, rule::C_39)
        })
    }

    /// An enemy vessel in sight that an answer names.
    pub(in crate::game) fn enemy_vessel(&self, sea: &Sea, side: Side, id: &Id) -> Result<VesselId, Refusal> {
        let found = self.battle.find(id.as_str()).filter(|found| self.sees(sea, side, *found));
        found.ok_or_else(|| {
            let names: Vec<&str> =
                self.enemies(sea, side).map(|enemy| self.battle.member(enemy).name.as_str()).collect();
            let text = format!("'{}' is not an enemy in sight.", shown(id));
            let refusal = refuse("unknown-target", text, rule::S9_1);
            if names.is_empty() { refusal } else { refusal.remedy(format!("In sight: {}.", names.join(", "))) }
        })
    }

    /// The shot, if it may be fired now.
    pub(in crate::game) fn read_shot(
        &self,
        sea: &Sea,
        squadron: SquadronId,
        shoot: &Shoot,
    ) -> Result<Shot<'_>, Refusal> {
        let side = self.battle.squad(squadron).side;
        let ship = self.own_vessel(squadron, &shoot.ship)?;
        self.fit(sea, ship)?;
        let model = self.battle.model(ship);
        let name = &self.battle.member(ship).name;
        let number = model.batteries.iter().position(|battery| battery.id == shoot.battery).ok_or_else(|| {
            let names: Vec<&str> = model.batteries.iter().map(|battery| battery.id.as_str()).collect();
            let text = format!("{name} has no battery '{}'.", shown(&shoot.battery));
            refuse("unknown-battery", text, rule::C_47).remedy(format!("She has {}.", names.join(", ")))
        })?;
        let target = self.enemy_vessel(sea, side, &shoot.target)?;
        let bearing = self.bearing(sea, ship, target);
        self.shot(sea, &bearing, number, shoot.mounts.as_deref(), shoot.control)
            .map_err(|bar| self.barred(sea, &bearing, number, bar))
    }

    /// The shot of a battery along a bearing, if it may be fired now. [section 3]
    pub(in crate::game) fn shot(
        &self,
        sea: &Sea,
        bearing: &Bearing,
        number: usize,
        given: Option<&[u8]>,
        control: Control,
    ) -> Result<Shot<'_>, Bar> {
        let (ship, target) = (bearing.shooter, bearing.target);
        let vessel = sea.vessel(ship);
        let battery = self.battle.model(ship).batteries.get(number).ok_or(Bar::NoBattery)?;
        if sea.squadron(self.battle.member(ship).squadron).surprised {
            return Err(Bar::Surprised);
        }
        if vessel.mood == Mood::Broken && bearing.band > 1 {
            return Err(Bar::Broken);
        }
        if out_of_reach(battery.gun.max_band, bearing.band) {
            return Err(Bar::OutOfReach);
        }
        let boats = self.battle.model(target).hull == Hull::Boats;
        if boats && !MEDIUM_MM.contains(&battery.calibre_mm) {
            return Err(Bar::Calibre);
        }
        let test = self.shot_test(sea, bearing, number)?;
        let ready = self.ready_mounts(ship, vessel, battery);
        let mut wanted = ready;
        if let Some(list) = given {
            wanted = 0;
            for &place in list {
                let at = usize::from(place).checked_sub(1).and_then(|at| battery.mounts.get(at));
                wanted |= 1_u64 << at.ok_or(Bar::NoMount(place))?;
            }
        }
        if ready == 0 || wanted & !ready != 0 {
            return Err(Bar::Fired);
        }
        let mounts = self.bearing_mounts(ship, battery, wanted, bearing.arc);
        if mounts == 0 || (given.is_some() && mounts != wanted) {
            return Err(Bar::DoesNotBear);
        }
        if control == Control::Directed {
            match vessel.now {
                _ if boats => return Err(Bar::LocalAtBoats),
                _ if self.battle.model(ship).amc => return Err(Bar::Amc),
                now if now.s == 0 => return Err(Bar::NoStructure),
                _ if self.directors_left(ship, vessel) < 1 => return Err(Bar::NoDirector),
                _ => {}
            }
        }
        let guns = self.guns_in(ship, battery, mounts);
        Ok(Shot { bearing: *bearing, battery, number, mounts, guns, control, test })
    }

    /// The Crew Test that comes before a shot, if the shot is possible. [9.1, R-51]
    fn shot_test(&self, sea: &Sea, bearing: &Bearing, number: usize) -> Result<ShotTest, Bar> {
        let ledger = &sea.vessel(bearing.shooter).ledger;
        match (bearing.permission.guns, bearing.permission.row) {
            (Leave::Forbidden, _) => Err(Bar::Unseen),
            (Leave::Allowed, _) => Ok(ShotTest::None),
            (Leave::CrewTest, SightRow::BeyondOrObscured) => {
                let bit = 1_u16 << number.min(15);
                match (ledger.radar_tested & bit, ledger.radar_passed & bit) {
                    (0, _) => Ok(ShotTest::Radar),
                    (_, 0) => Err(Bar::RadarFailed),
                    _ => Ok(ShotTest::None),
                }
            }
            (Leave::CrewTest, _) => match ledger.identified {
                None => Ok(ShotTest::Identify),
                Some((known, true)) if known == bearing.target => Ok(ShotTest::None),
                Some(_) => Err(Bar::NotIdentified),
            },
        }
    }

    /// Why a shot may not be fired, in words.
    pub(super) fn barred(&self, sea: &Sea, bearing: &Bearing, number: usize, bar: Bar) -> Refusal {
        let (name, aimed) = (&self.battle.member(bearing.shooter).name, &self.battle.member(bearing.target).name);
        let vessel = sea.vessel(bearing.shooter);
        let batteries = &self.battle.model(bearing.shooter).batteries;
        let (battery, reach, mounts) = batteries.get(number).map_or(("battery", 0, 0), |battery| {
            (battery.name.as_str(), battery.gun.max_band.min(RANGE_BANDS as i32), battery.mounts.len())
        });
        let band = bearing.band;
        let (code, text, rule) = match bar {
            Bar::NoBattery => ("unknown-battery", format!("{name} has no such battery."), rule::C_47),
            Bar::Surprised => (
                "surprised",
                format!("{name} is surprised and can only spot until her squadron is alerted."),
                rule::C_2,
            ),
            Bar::Broken => (
                "morale-forbids",
                format!("{name} is broken and fires only within range band 1; {aimed} is in band {band}."),
                rule::C_22,
            ),
            Bar::OutOfReach => (
                "out-of-gun-range",
                format!("{aimed} is in range band {band}; the {battery} of {name} reaches band {reach}."),
                rule::R_3,
            ),
            Bar::Calibre => {
                let (first, last) = (MEDIUM_MM.start(), MEDIUM_MM.end());
                let text = format!("Only guns of {first} to {last} mm fire at small craft, not the {battery}.");
                ("wrong-calibre", text, rule::S9_6)
            }
            Bar::Unseen => ("not-visible", format!("{name} cannot see {aimed} well enough to fire."), rule::S9_1),
            Bar::RadarFailed => {
                ("not-visible", format!("The radar of the {battery} has not found a target this turn."), rule::R_51)
            }
            Bar::NotIdentified => (
                "not-visible",
                format!("{name} has used her attempt to identify a target this turn, and it did not find {aimed}."),
                rule::R_51,
            ),
            Bar::NoMount(place) => {
                ("unknown-mount", format!("The {battery} of {name} has mounts 1 to {mounts}, not {place}."), rule::C_47)
            }
            Bar::Fired => (
                "already-fired",
                format!("The {battery} of {name} has fired this turn, or these mounts are lost."),
                rule::S9_5,
            ),
            Bar::DoesNotBear => {
                ("does-not-bear", format!("The {battery} of {name} does not bear on {aimed}."), rule::C_1)
            }
            Bar::LocalAtBoats => ("must-use-local", "Guns at small craft use Local control.".to_owned(), rule::R_6),
            Bar::Amc => (
                "amc-must-use-local",
                format!("{name} is an armed merchant cruiser: her guns use Local control."),
                rule::S9_5,
            ),
            Bar::NoStructure => {
                ("no-fire-control", format!("{name} has no Structure left: her guns use Local control."), rule::C_23)
            }
            Bar::NoDirector if vessel.now.fc == 0 => {
                ("no-fire-control", format!("{name} has no fire control left: her guns use Local control."), rule::C_8)
            }
            Bar::NoDirector => {
                let text =
                    format!("{name} has used her {} Directed shoots this turn. Use Local control.", vessel.now.fc);
                ("no-fire-control", text, rule::C_8)
            }
        };
        refuse(code, text, rule)
    }

    /// The factors of light guns she has left.
    pub(in crate::game) fn factors_left(&self, vessel: &Vessel, weapon: LightGuns) -> i32 {
        match weapon {
            LightGuns::Crf => vessel.now.crf - vessel.ledger.crf_used,
            LightGuns::Mrf => vessel.now.mrf - vessel.ledger.mrf_used,
        }
    }

    /// The fire of light guns at a vessel, with shooter and target, if it is possible now. [9.8]
    pub(in crate::game) fn read_light(
        &self,
        sea: &Sea,
        squadron: SquadronId,
        light: &Light,
    ) -> Result<(VesselId, VesselId, LightFire), Refusal> {
        let ship = self.own_vessel(squadron, &light.ship)?;
        self.fit(sea, ship)?;
        let target = self.enemy_vessel(sea, self.battle.squad(squadron).side, &light.target)?;
        let fire = self.light_fire(sea, ship, target, light.weapon, light.factors)?;
        Ok((ship, target, fire))
    }

    pub(in crate::game) fn light_fire(
        &self,
        sea: &Sea,
        ship: VesselId,
        target: VesselId,
        weapon: LightGuns,
        factors: Option<i32>,
    ) -> Result<LightFire, Refusal> {
        let (vessel, aimed) = (sea.vessel(ship), sea.vessel(target));
        let name = &self.battle.member(ship).name;
        if sea.squadron(self.battle.member(ship).squadron).surprised {
            let text = format!("{name} is surprised and can only spot until the squadron is alerted.");
            return Err(refuse("surprised", text, rule::C_2));
        }
        let left = self.factors_left(vessel, weapon);
        let factors = factors.unwrap_or(left);
        if factors < 1 || factors > left {
            let kind = weapon.word().to_uppercase();
            let text = format!("{name} has {} {kind} factors left this turn.", left.max(0));
            return Err(refuse("already-fired", text, rule::S9_8));
        }
        let model = self.battle.model(target);
        let stand = model.hull == Hull::Boats;
        let class = match model.light_class {
            _ if stand => TargetClass::TypeX,
            LightClass::A => TargetClass::A,
            LightClass::C => TargetClass::C,
            LightClass::None => TargetClass::Other,
        };
        let fire = LightFire {
            weapon,
            factors,
            firing_vessels: (self.battle.model(ship).hull == Hull::Boats).then_some(vessel.vessels),
            range_mm: self.range(sea, ship, target),
            shooter_splash: vessel.now.splash,
            target: SmallTarget {
                class,
                size: Some(model.size()),
                splash: aimed.now.splash,
                motion: self.motion(sea, target),
                sv: aimed.now.sv,
                vessels: stand.then_some(aimed.vessels),
                save_modifier: stand.then_some(model.save_modifier),
            },
        };
        fire.check(&self.battle.rules)?;
        if self.obscured(sea, self.point(sea, ship), self.point(sea, target)) {
            let text = format!("{name} cannot see {}.", self.battle.member(target).name);
            return Err(refuse("not-visible", text, rule::S9_1));
        }
        Ok(fire)
    }

    /// The size of the largest ship of all contact squadrons of a side. [C-40]
    fn contact_size(&self, side: Side) -> i32 {
        let squads = self.battle.squadrons.iter().filter(|squad| squad.side == side && squad.contact);
        squads.flat_map(|squad| &squad.vessels).map(|ship| self.battle.model(*ship).size()).max().unwrap_or(0)
    }

    /// A look from somewhere at an enemy contact.
    fn lookout(
        &self,
        sea: &Sea,
        contact: MarkerId,
        from: flagplot_kernel::plane::Point,
        (sd, search_radar, crew_quality): (i32, bool, i32),
    ) -> Lookout {
        let marker = sea.marker(contact);
        let at = marker.at.at.point();
        Lookout {
            light: self.battle.light(sea.turn),
            range_mm: self.reach(from, at),
            sight: Sight {
                sd,
                tvr: self.battle.tvr(sea.turn),
                obscured: self.obscured(sea, from, at),
                illuminated: self.contact_lit(sea, contact),
            },
            search_radar,
            target_size: self.contact_size(marker.side),
            crew_quality,
        }
    }

    /// The enemy contact that an answer names.
    pub(in crate::game) fn enemy_contact(&self, sea: &Sea, side: Side, id: &Id) -> Result<MarkerId, Refusal> {
        let found = self.find_marker(sea, id.as_str());
        found.filter(|found| sea.marker(*found).side != side && !sea.marker(*found).gone).ok_or_else(|| {
            let text = format!("{} is not an enemy contact.", title(&shown(id)));
            refuse("unknown-contact", text, rule::C_6)
        })
    }

    /// A ship's look at a contact, if she can make it now. [C-6]
    pub(in crate::game) fn ship_look(&self, sea: &Sea, ship: VesselId, contact: MarkerId) -> Result<Look, Refusal> {
        let (name, vessel) = (&self.battle.member(ship).name, sea.vessel(ship));
        if vessel.ledger.spotted {
            let text = format!("{name} has tried to spot a contact this turn.");
            return Err(refuse("already-spotted", text, rule::C_6));
        }
        let eyes = (vessel.now.sd, vessel.now.gear.search_radar, self.crew_quality(sea, ship));
        let lookout = self.lookout(sea, contact, self.point(sea, ship), eyes);
        self.possible(name, contact, lookout)
    }

    /// A look of a contact at another: with the eyes of its flagship. [C-2]
    pub(in crate::game) fn contact_look(&self, sea: &Sea, by: MarkerId, contact: MarkerId) -> Result<Look, Refusal> {
        let name = self.marker_name(by);
        let Some(Holds::Squadron(held)) = sea.marker(by).holds else {
            return Err(refuse("dummy-contact", format!("{name} is a dummy and sees nothing."), rule::C_2));
        };
        let squad = self.battle.squad(held);
        let Some(flagship) = squad.flagship.or(squad.vessels.first().copied()) else {
            return Err(refuse("cannot-see", format!("{name} has no ships."), rule::C_2));
        };
        let now = &sea.vessel(flagship).now;
        let eyes = (now.sd, now.gear.search_radar, self.crew_quality(sea, flagship));
        let lookout = self.lookout(sea, contact, sea.marker(by).at.at.point(), eyes);
        self.possible(&name, contact, lookout)
    }

    /// A look from the air. [C-6]
    pub(in crate::game) fn stand_look(&self, sea: &Sea, by: StandId, contact: MarkerId) -> Result<Look, Refusal> {
        let (name, stand) = (&self.battle.flight(by).name, sea.stand(by));
        if !stand.flies() || stand.acted {
            return Err(refuse("already-acted", format!("{name} cannot look for contacts now."), rule::C_6));
        }
        let lookout = self.lookout(sea, contact, stand.at.point(), (AIR_SD, false, stand.crew_quality));
        self.possible(name, contact, lookout)
    }

    fn possible(&self, name: &str, contact: MarkerId, lookout: Lookout) -> Result<Look, Refusal> {
        let band = self.band(lookout.range_mm);
        let Sight { sd, tvr, obscured, .. } = lookout.sight;
        let visual = !obscured && band <= sd.min(tvr);
        if visual || (lookout.search_radar && band <= sd) {
            return Ok(Look { contact, lookout });
        }
        let text = format!("{name} cannot see {} from where it is.", self.marker_name(contact));
        Err(refuse("cannot-see", text, rule::C_6))
    }

    /// A searchlight, if it can be used now. [C-7]
    pub(in crate::game) fn read_searchlight(&self, sea: &Sea, ship: VesselId, target: VesselId) -> Result<(), Refusal> {
        let (name, vessel) = (&self.battle.member(ship).name, sea.vessel(ship));
        self.check_night(sea, ship)?;
        if !vessel.now.gear.searchlights || vessel.ledger.lights.is_some() {
            let text = format!("{name} has no searchlight free.");
            return Err(refuse("no-searchlight", text, rule::C_7));
        }
        let reach = self.battle.rules.reach.searchlight;
        if self.range(sea, ship, target) > reach {
            let text = format!(
                "A searchlight reaches {} cm; {} is further away.",
                reach / 10,
                self.battle.member(target).name
            );
            return Err(refuse("out-of-gun-range", text, rule::C_7));
        }
        if self.obscured(sea, self.point(sea, ship), self.point(sea, target)) {
            let text = format!("{name} cannot see {}.", self.battle.member(target).name);
            return Err(refuse("not-visible", text, rule::S9_1));
        }
        Ok(())
    }

    fn check_night(&self, sea: &Sea, ship: VesselId) -> Result<(), Refusal> {
        if self.battle.light(sea.turn) == crate::words::Light::Day {
            return Err(refuse("not-at-night", "Lights are of use only at night.".into(), rule::C_7));
        }
        if sea.squadron(self.battle.member(ship).squadron).surprised {
            let text = format!("{} is surprised and can only spot.", self.battle.member(ship).name);
            return Err(refuse("surprised", text, rule::C_2));
        }
        Ok(())
    }

    /// The battery that fires star shell, if it can now. [C-7, C-23]
    pub(in crate::game) fn read_star_shell(
        &self,
        sea: &Sea,
        ship: VesselId,
        battery: usize,
        target: VesselId,
    ) -> Result<&Battery, Refusal> {
        let (name, vessel) = (&self.battle.member(ship).name, sea.vessel(ship));
        self.check_night(sea, ship)?;
        let Some(battery) = self.battle.model(ship).batteries.get(battery) else {
            return Err(refuse("unknown-battery", format!("{name} has no such battery."), rule::C_47));
        };
        if vessel.now.s == 0 {
            let text = format!("{name} has no Structure left and fires no star shell.");
            return Err(refuse("no-star-shell", text, rule::C_23));
        }
        if !MEDIUM_MM.contains(&battery.calibre_mm) {
            let text = format!("Star shell is fired by guns of 99 to 155 mm, not by the {}.", battery.name);
            return Err(refuse("wrong-calibre", text, rule::C_7));
        }
        let ready = self.ready_mounts(ship, vessel, battery);
        if ready == 0 || ready != self.sound_mounts(vessel, battery) {
            let text = format!("The {} of {name} has fired this turn.", battery.name);
            return Err(refuse("already-fired", text, rule::C_7));
        }
        let reach = self.battle.rules.reach.star_shell;
        if self.range(sea, ship, target) > reach {
            let text =
                format!("Star shell reaches {} cm; {} is further away.", reach / 10, self.battle.member(target).name);
            return Err(refuse("out-of-gun-range", text, rule::C_7));
        }
        if sea.vessel(target).star_lit {
            let text = format!("{} is under star shell already.", self.battle.member(target).name);
            return Err(refuse("already-lit", text, rule::C_7));
        }
        Ok(battery)
    }
}

/// What a player wrote, short enough to be shown.
pub(in crate::game) fn shown(id: &Id) -> String {
    id.as_str().chars().take(40).collect()
}
