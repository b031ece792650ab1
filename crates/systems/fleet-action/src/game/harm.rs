//! What a hit does to a vessel, and what it leaves to be resolved. [5.3, 7.8]

use crate::armour;
use crate::critical::Harm;
use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::state::{Aloft, Level, Pending, Sea, VesselId};
use crate::geometry::Place;
use crate::hit::{Blast, Hit, Weapon, take_damage};
use crate::movement::straight_run_mm;
use crate::rule;
use crate::ship::{Condition, Sheet};
use crate::ship_tests::{Sinking, WreckCause};
use crate::torpedo::location;
use crate::volley::{Modifiers, Test};
use crate::words::*;
use flagplot_kernel::course::Leg;
use flagplot_kernel::{Ask, Asked, D6, Effect, Note};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Hits of one kind on one vessel that wait, one a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hits {
    pub on: VesselId,
    pub left: i32,
    pub ip: i32,
    pub cv: i32,
    pub pen: i32,
    pub multiple: i32,
    pub strikes: Strikes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strikes {
    Vertical,
    Horizontal,
    /// A kamikaze: a d10 decides. [7.4]
    Either,
    /// Under water; a d10 says where, from the approach. [5.5]
    Underwater(Approach),
}

/// The highest speed of a ship without flotation. [C-23]
pub(in crate::game) const AWASH_KN: i32 = 10;

impl FleetGame {
    /// Resolves what comes before anything else.
    pub(super) fn resolve_pending(&self, sea: &mut Sea, ask: &mut impl Ask) -> Asked<()> {
        if sea.pending.is_empty() {
            return Ok(());
        }
        // What the first one starts goes before the rest.
        match sea.pending.remove(0) {
            Pending::Explosion { by, at, dice } => self.explode(sea, by, at, dice, ask),
            Pending::Blast { cv, at, left } => self.shake_next(sea, cv, at, left, ask),
            Pending::Sheer { vessel, to } => self.sheer(sea, vessel, to, ask),
            Pending::Hits(hits) => self.next_hit(sea, hits, ask),
        }
    }

    /// One hit on a vessel: damage, Wreck Test, criticals; explosions and loss of control are left pending. A stand of
    /// small craft makes a saving throw instead. [5.3, C-34]
    pub(super) fn strike(&self, sea: &mut Sea, on: VesselId, weapon: Weapon, ask: &mut impl Ask) -> Asked<()> {
        if !sea.vessel(on).in_play() {
            return Ok(());
        }
        if self.battle.model(on).hull == Hull::Boats {
            return self.strike_boats(sea, on, weapon, ask);
        }
        let sheet = self.sheet_at(sea, on);
        let (before, extra) = self.as_today(sea, on);
        let hit = Hit { rules: &self.battle.rules, sheet: &sheet, weapon };
        let struck = hit.resolve(before, ask)?;
        drop(sheet);
        sea.vessel_mut(on).ledger.criticals += struck.criticals;
        self.settle(sea, on, struck.ship, struck.harm, extra, ask);
        Ok(())
    }

    /// A mine costs a vessel; anything else a splash marker and a saving throw. [C-34]
    fn strike_boats(&self, sea: &mut Sea, on: VesselId, weapon: Weapon, ask: &mut impl Ask) -> Asked<()> {
        if weapon.direction == Direction::Underwater {
            self.lose_vessels(sea, on, 1, ask);
            return Ok(());
        }
        self.splash(sea, on);
        let modifiers = Modifiers::new()
            .with("saving throw modifier", self.battle.model(on).save_modifier, rule::S9_6)
            .with("IP of the weapon", -weapon.ip, rule::C_34);
        let save = Test {
            what: "save",
            name: "Saving throw",
            rules: &[rule::C_34, rule::S9_6],
            modifiers,
            needed: self.battle.rules.needs.test_pass_d10,
            words: ("saved", "a vessel is lost"),
        };
        if !save.roll(ask)? {
            self.lose_vessels(sea, on, 1, ask);
        }
        Ok(())
    }

    /// Flotation lost without a hit: collisions, grounding. A Wreck Test follows if it is due. [C-5]
    pub(super) fn lose_flotation(&self, sea: &mut Sea, on: VesselId, points: i32, ask: &mut impl Ask) -> Asked<()> {
        if !sea.vessel(on).in_play() || self.battle.model(on).hull == Hull::Boats {
            return Ok(());
        }
        let sheet = self.sheet_at(sea, on);
        let (mut ship, extra) = self.as_today(sea, on);
        if take_damage(&sheet, &mut ship, Direction::Underwater, points) {
            ship.status = Sinking::of(&sheet, &ship).wreck_test(&self.battle.rules, WreckCause::Damage, ask)?;
        }
        drop(sheet);
        self.settle(sea, on, ship, Harm::default(), extra, ask);
        Ok(())
    }

    /// Puts a splash marker on a vessel.
    pub(super) fn splash(&self, sea: &mut Sea, on: VesselId) {
        sea.vessel_mut(on).now.splash += 1;
    }

    /// Small craft of a stand are lost; the stand goes with its last one. [1.5]
    pub(super) fn lose_vessels(&self, sea: &mut Sea, on: VesselId, lost: i32, ask: &mut impl Ask) {
        if lost < 1 {
            return;
        }
        let stand = sea.vessel_mut(on);
        stand.vessels = (stand.vessels - lost).max(0);
        let left = stand.vessels;
        ask.note(|| {
            let name = &self.battle.member(on).name;
            let text = match left {
                0 => format!("{name} loses its last vessel"),
                1 => format!("{name} loses a vessel; 1 is left"),
                _ => format!("{name} loses a vessel; {left} are left"),
            };
            let effect = if left == 0 { Effect::Lost } else { Effect::Hit };
            Note::new("vessel-lost", text)
                .by(&[rule::S9_6])
                .pieces([&self.battle.member(on).id])
                .outcome(left)
                .effect(effect)
        });
        if left == 0 {
            self.remove(sea, on, Status::Sunk);
        }
    }

    /// A vessel is lost. Her torpedoes run on with the values she had, and what is aboard goes with her. [2, phase 6]
    pub(super) fn remove(&self, sea: &mut Sea, on: VesselId, status: Status) {
        let frozen = (self.crew_quality(sea, on), sea.vessel(on).now.splash);
        let turn = sea.turn;
        let vessel = sea.vessel_mut(on);
        vessel.now.status = status;
        vessel.lost_on.get_or_insert(turn);
        (vessel.speed, vessel.level) = (0, Level::Surfaced);
        for running in sea.running.iter_mut().filter(|running| running.by == on) {
            running.frozen.get_or_insert(frozen);
        }
        for stand in &mut sea.stands {
            let aboard = matches!(stand.aloft, Aloft::Aboard { .. } | Aloft::Launching { .. } | Aloft::Landing { .. });
            if aboard && stand.home == Some(on) {
                (stand.aircraft, stand.aloft) = (0, Aloft::Gone);
            }
        }
    }

    /// Her sheet, with the weather she lies in. [C-25]
    pub(in crate::game) fn sheet_at(&self, sea: &Sea, id: VesselId) -> Cow<'_, Sheet> {
        let sheet = &self.battle.model(id).sheet;
        let at = sea.vessel(id).at.at.point();
        let mut squalls = sea.squalls.iter().zip(&self.battle.scenario.squalls);
        let inside = squalls
            .any(|(centre, round)| centre.point().dist2(at) <= i64::from(round.radius) * i64::from(round.radius));
        if !inside {
            return Cow::Borrowed(sheet);
        }
        let mut sheet = sheet.clone();
        sheet.weakness.bad_weather = true;
        Cow::Owned(sheet)
    }

    /// Her condition with the crew quality of this turn, and by how much that differs from her own. [C-50]
    pub(in crate::game) fn as_today(&self, sea: &Sea, id: VesselId) -> (Condition, i32) {
        let mut now = sea.vessel(id).now;
        let extra = self.crew_quality(sea, id) - now.crew_quality;
        now.crew_quality += extra;
        (now, extra)
    }

    /// Takes over what became of a ship, and leaves pending what it starts.
    pub(in crate::game) fn settle(
        &self,
        sea: &mut Sea,
        on: VesselId,
        mut after: Condition,
        harm: Harm,
        extra: i32,
        ask: &mut impl Ask,
    ) {
        after.crew_quality -= extra;
        let before = sea.vessel(on).now;
        if after.f == 0 && !self.battle.model(on).sheet.is_air_base() {
            after.speed = after.speed.min(AWASH_KN);
        }
        let member = self.battle.member(on);
        let squadron = member.squadron;
        let vessel = sea.vessel_mut(on);
        vessel.now = after;
        vessel.loaded &= !after.torpedoes_lost;
        vessel.reloads.retain(|(mount, _)| after.torpedoes_lost >> mount & 1 == 0);
        let at = vessel.at.at;
        if after.command != before.command {
            sea.squadron_mut(squadron).command += after.command - before.command;
        }
        if before.gear.smoke && !after.gear.smoke {
            sea.screens.retain(|screen| screen.by != on);
        }
        if !after.afloat() {
            ask.note(|| {
                let text = match after.status {
                    Status::Exploded => format!("{} blows up", member.name),
                    Status::Wreck => format!("{} is a wreck", member.name),
                    _ => format!("{} sinks", member.name),
                };
                let note = Note::new("lost", text).by(&[rule::S10_2]).pieces([&member.id]).effect(Effect::Lost);
                note.outcome(after.status.word())
            });
            self.remove(sea, on, after.status);
            if harm.explosion_dice > 0 {
                sea.pending.insert(0, Pending::Explosion { by: on, at, dice: harm.explosion_dice });
            }
        } else if harm.helm != Sheer::None {
            sea.pending.insert(0, Pending::Sheer { vessel: on, to: harm.helm });
        }
    }

    /// The dice of an explosion, and the vessels it reaches. [C-18]
    fn explode(&self, sea: &mut Sea, by: VesselId, at: Place, dice: i32, ask: &mut impl Ask) -> Asked<()> {
        let sum = ask.sum(dice.max(0) as u32, D6, "CV of the explosion")?;
        let cv = sum.total as i32;
        ask.note(|| {
            let text = format!("The explosion of {} has CV {cv}", self.battle.member(by).name);
            Note::new("explosion", text).by(&[rule::C_18]).dice(&sum.faces.0).outcome(cv)
        });
        let reach = i64::from(self.battle.rules.reach.collateral);
        let near = |other: &crate::game::state::Vessel| {
            other.in_play() && other.level == Level::Surfaced && other.at.at.point().ceil_dist(at.point()) <= reach
        };
        let left: Vec<VesselId> = sea.all().filter(|(id, other)| *id != by && near(other)).map(|(id, _)| id).collect();
        if !left.is_empty() {
            sea.pending.insert(0, Pending::Blast { cv, at, left });
        }
        Ok(())
    }

    /// The explosion reaches the next vessel. [C-18, C-34]
    fn shake_next(&self, sea: &mut Sea, cv: i32, at: Place, mut left: Vec<VesselId>, ask: &mut impl Ask) -> Asked<()> {
        if left.is_empty() {
            return Ok(());
        }
        let on = left.remove(0);
        if !left.is_empty() {
            sea.pending.insert(0, Pending::Blast { cv, at, left });
        }
        if !sea.vessel(on).in_play() {
            return Ok(());
        }
        if self.battle.model(on).hull == Hull::Boats {
            self.splash(sea, on);
            return Ok(());
        }
        let sheet = self.sheet_at(sea, on);
        let (before, extra) = self.as_today(sea, on);
        let distance_mm = sea.vessel(on).at.at.point().ceil_dist(at.point()) as i32;
        let blast = Blast { rules: &self.battle.rules, cv, sheet: &sheet, distance_mm, fires: before.fires };
        self.announce(on, "The explosion reaches", ask);
        let shaken = blast.resolve(before, ask)?;
        drop(sheet);
        sea.vessel_mut(on).ledger.criticals += i32::from(shaken.hit);
        self.settle(sea, on, shaken.ship, shaken.harm, extra, ask);
        Ok(())
    }

    /// Loss of control: 45 degrees to a side, then her straight run. [section 4]
    fn sheer(&self, sea: &mut Sea, on: VesselId, to: Sheer, ask: &mut impl Ask) -> Asked<()> {
        let degrees = match to {
            Sheer::None => return Ok(()),
            Sheer::Port => -self.battle.rules.movement.turn_limit_deg,
            Sheer::Starboard => self.battle.rules.movement.turn_limit_deg,
        };
        if !sea.vessel(on).in_play() || self.battle.model(on).sheet.is_air_base() || sea.vessel(on).aground {
            return Ok(());
        }
        let model = self.battle.model(on);
        let run = straight_run_mm(model.size(), model.merchant());
        ask.note(|| {
            let member = self.battle.member(on);
            let text = format!("{} is out of control and sheers to {to}", member.name);
            Note::new("sheer", text).by(&[rule::R_21, rule::C_41]).pieces([&member.id]).outcome(to.word())
        });
        self.forced_run(sea, on, &[Leg::Turn(degrees), Leg::Ahead(i64::from(run))], ask).map(drop)
    }

    fn next_hit(&self, sea: &mut Sea, mut hits: Hits, ask: &mut impl Ask) -> Asked<()> {
        if hits.left < 1 || !sea.vessel(hits.on).in_play() {
            return Ok(());
        }
        hits.left -= 1;
        let Hits { on, ip, cv, pen, multiple, strikes, left } = hits;
        if left > 0 {
            sea.pending.insert(0, Pending::Hits(hits));
        }
        self.announce(on, "A hit on", ask);
        let (direction, column) = match strikes {
            Strikes::Vertical => (Direction::Vertical, Column::Midships),
            Strikes::Horizontal => (Direction::Horizontal, Column::Midships),
            Strikes::Either => (armour::direction(Strike::Kamikaze, ask)?, Column::Midships),
            Strikes::Underwater(_) if self.battle.model(on).hull == Hull::Boats => {
                (Direction::Underwater, Column::Midships)
            }
            Strikes::Underwater(from) => (Direction::Underwater, location(&self.battle.rules, from, ask)?),
        };
        self.strike(sea, on, Weapon { ip, cv, pen, multiple, direction, column }, ask)
    }

    /// A headline that names the vessel.
    pub(in crate::game) fn announce(&self, on: VesselId, what: &str, ask: &mut impl Ask) {
        ask.note(|| {
            let member = self.battle.member(on);
            Note::new("struck", format!("{what} {}", member.name)).on([&member.id]).effect(Effect::Hit)
        });
    }
}
