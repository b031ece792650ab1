//! Morale, rallies and alerts. [section 8, C-22, C-48, C-50]

use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::state::*;
use crate::morale::{self, Decline, Nerve};
use crate::rule;
use crate::ship_tests::crew_test;
use flagplot_kernel::{Ask, Asked, D10, Note, Viewer};

impl FleetGame {
    /// What a ship had and has, and what her crew goes by.
    pub(in crate::game) fn ship_decline(&self, sea: &Sea, ship: VesselId) -> (Decline, Decline, Nerve) {
        let (sheet, vessel) = (&self.battle.model(ship).sheet, sea.vessel(ship));
        let (f, s) = vessel.began;
        let structure = Decline { original: sheet.s_max, before: s, now: vessel.now.s };
        let flotation = Decline { original: sheet.f_max, before: f, now: vessel.now.f };
        let commander = vessel.now.gear.flag_officer;
        let command = commander.then(|| sea.squadron(self.battle.member(ship).squadron).command);
        (structure, flotation, Nerve { crew_quality: self.crew_quality(sea, ship), command })
    }

    /// Ships whose damage of this turn tests their crews.
    pub(super) fn shaken_by_damage(&self, sea: &Sea) -> Vec<VesselId> {
        let hurt = |id: VesselId, vessel: &Vessel| {
            let (structure, flotation, _) = self.ship_decline(sea, id);
            let fell = |value: Decline| {
                (3 * value.before > value.original && 3 * value.now <= value.original)
                    || (value.before > 0 && value.now == 0)
            };
            vessel.in_play() && self.battle.model(id).hull == Hull::Ship && (fell(structure) || fell(flotation))
        };
        sea.all().filter(|(id, vessel)| hurt(*id, vessel)).map(|(id, _)| id).collect()
    }

    /// The first failure shakes a ship; the next, or two at once, break her. [C-22]
    pub(super) fn ship_morale(&self, sea: &mut Sea, ship: VesselId, ask: &mut impl Ask) -> Asked<()> {
        if !sea.vessel(ship).in_play() {
            return Ok(());
        }
        let (structure, flotation, nerve) = self.ship_decline(sea, ship);
        self.announce(ship, "The crew of", ask);
        let fires = sea.vessel(ship).now.fires;
        let result = morale::ship(&self.battle.rules, structure, flotation, nerve, fires, ask)?;
        let vessel = sea.vessel_mut(ship);
        vessel.ledger.tested |= result.required;
        for _ in 0..result.failures {
            vessel.mood = lower(vessel.mood);
        }
        let mood = vessel.mood;
        if result.failures > 0 {
            self.note_mood(ship, mood, ask);
        }
        Ok(())
    }

    fn note_mood(&self, ship: VesselId, mood: Mood, ask: &mut impl Ask) {
        ask.note(|| {
            let member = self.battle.member(ship);
            let word = match mood {
                Mood::Steady => "steady",
                Mood::Shaken => "shaken",
                Mood::Broken => "broken",
            };
            Note::new("mood", format!("{} is {word}", member.name)).by(&[rule::C_22]).pieces([&member.id]).outcome(word)
        });
    }

    /// The members of a squadron that count: neither lost nor broken. Those that left the sea are not lost.
    pub(in crate::game) fn members(&self, sea: &Sea, id: SquadronId) -> i32 {
        let ships = self.battle.squad(id).vessels.iter().filter(|ship| {
            let vessel = sea.vessel(**ship);
            vessel.now.afloat() && vessel.mood != Mood::Broken
        });
        let stands = self.battle.squad(id).stands.iter().filter(|stand| sea.stand(**stand).aircraft > 0);
        (ships.count() + stands.count()) as i32
    }

    fn squadron_decline(&self, sea: &Sea, id: SquadronId) -> Decline {
        let squad = self.battle.squad(id);
        let original = (squad.vessels.len() + squad.stands.len()) as i32;
        let now = self.members(sea, id);
        Decline { original, before: sea.squadron(id).began.max(now), now }
    }

    /// Squadrons of ships that lost a member and are at half or below.
    pub(super) fn squadrons_to_test(&self, sea: &Sea) -> Vec<SquadronId> {
        let all = (0..sea.squadrons.len()).map(|at| SquadronId(at as u8));
        all.filter(|id| {
            let Decline { original, before, now } = self.squadron_decline(sea, *id);
            let ships = self.battle.squad(*id).vessels.iter().any(|ship| sea.vessel(*ship).in_play());
            ships && now < before && now > 0 && 2 * now <= original
        })
        .collect()
    }

    /// A squadron that fails goes one step down, ship by ship. [12.5]
    pub(super) fn squadron_morale(&self, sea: &mut Sea, id: SquadronId, ask: &mut impl Ask) -> Asked<()> {
        let decline = self.squadron_decline(sea, id);
        let command = sea.squadron(id).command;
        ask.note(|| {
            Note::new("squadron-morale", format!("{} has lost a ship", self.battle.squad(id).name)).by(&[rule::S12_5])
        });
        if morale::squadron(&self.battle.rules, decline, command, ask)?.failures == 0 {
            return Ok(());
        }
        for &ship in &self.battle.squad(id).vessels {
            let vessel = sea.vessel_mut(ship);
            if vessel.in_play() && self.battle.model(ship).hull != Hull::Submarine {
                (vessel.mood, vessel.ledger.tested) = (lower(vessel.mood), true);
                let mood = vessel.mood;
                self.note_mood(ship, mood, ask);
            }
        }
        Ok(())
    }

    fn stand_decline(&self, sea: &Sea, id: StandId) -> Decline {
        let stand = sea.stand(id);
        let original = self.battle.flight(id).placed.count;
        Decline { original, before: stand.began.max(stand.aircraft), now: stand.aircraft }
    }

    /// Stands in the air that lost aircraft and are at a third or below.
    pub(super) fn stands_to_test(&self, sea: &Sea) -> Vec<StandId> {
        let tests = |id: StandId| {
            let Decline { original, before, now } = self.stand_decline(sea, id);
            sea.stand(id).aloft == Aloft::Airborne && now < before && now > 0 && 3 * now <= original
        };
        sea.all_stands().map(|(id, _)| id).filter(|id| tests(*id)).collect()
    }

    /// A stand that fails throws its load away and leaves. [12.4]
    pub(super) fn stand_morale(&self, sea: &mut Sea, id: StandId, ask: &mut impl Ask) -> Asked<()> {
        let flight = self.battle.flight(id);
        let others = self.battle.squad(flight.squadron).stands.iter().filter(|other| **other != id);
        let only = others.filter(|other| sea.stand(**other).aircraft > 0).count() == 0;
        let command = only.then(|| sea.squadron(flight.squadron).command);
        let nerve = Nerve { crew_quality: sea.stand(id).crew_quality, command };
        ask.note(|| {
            let text = format!("{} has lost aircraft", flight.name);
            Note::new("stand-morale", text).by(&[rule::S12_4]).pieces([&flight.id])
        });
        if morale::stand(&self.battle.rules, self.stand_decline(sea, id), nerve, ask)?.failures > 0 {
            let stand = sea.stand_mut(id);
            (stand.aloft, stand.loaded, stand.mission) = (Aloft::Leaving, false, Mission::None);
            ask.note(|| {
                let text = format!("{} jettisons its load and turns for home", flight.name);
                Note::new("aborts", text).by(&[rule::C_22]).pieces([&flight.id])
            });
        }
        Ok(())
    }

    /// Shaken ships that did not test this phase.
    pub(super) fn to_rally(&self, sea: &Sea) -> Vec<VesselId> {
        let shaken = |vessel: &Vessel| vessel.in_play() && vessel.mood == Mood::Shaken && !vessel.ledger.tested;
        sea.all().filter(|(_, vessel)| shaken(vessel)).map(|(id, _)| id).collect()
    }

    pub(super) fn rally(&self, sea: &mut Sea, ship: VesselId, ask: &mut impl Ask) -> Asked<()> {
        ask.note(|| {
            let member = self.battle.member(ship);
            Note::new("rally", format!("The officers rally the crew of {}", member.name))
                .by(&[rule::C_48, rule::C_22])
                .pieces([&member.id])
        });
        let quality = self.crew_quality(sea, ship);
        if crew_test(&self.battle.rules, "rally: Crew Test", quality).roll(ask)? {
            sea.vessel_mut(ship).mood = Mood::Steady;
            self.note_mood(ship, Mood::Steady, ask);
        }
        Ok(())
    }

    /// Squadrons that know of the battle now, or may hear of it. Those that know are alerted at once. [C-50]
    pub(super) fn to_alert(&self, sea: &mut Sea) -> Vec<SquadronId> {
        let Some(alert) = self.battle.scenario.alert else { return Vec::new() };
        let ids: Vec<SquadronId> = (0..sea.squadrons.len()).map(|at| SquadronId(at as u8)).collect();
        for &id in &ids {
            let knows = self.battle.squad(id).vessels.iter().any(|ship| {
                let ledger = &sea.vessel(*ship).ledger;
                (alert.shot_at && ledger.shot_at) || (alert.spotted && ledger.saw)
            });
            if knows {
                sea.squadron_mut(id).surprised = false;
            }
        }
        let (Some(from), Some(_)) = (alert.spreads_from_turn, alert.spreads_d10) else { return Vec::new() };
        if sea.turn < from {
            return Vec::new();
        }
        let hears = |id: &SquadronId| {
            let side = self.battle.squad(*id).side;
            let alerted = |other: &SquadronId| {
                let squad = self.battle.squad(*other);
                squad.side == side && squad.surprised && !sea.squadron(*other).surprised
            };
            sea.squadron(*id).surprised && ids.iter().any(alerted)
        };
        ids.iter().copied().filter(hears).collect()
    }

    /// A squadron that is still surprised may hear the guns.
    pub(super) fn alert(&self, sea: &mut Sea, id: SquadronId, ask: &mut impl Ask) -> Asked<()> {
        let Some(needed) = self.battle.scenario.alert.and_then(|alert| alert.spreads_d10) else { return Ok(()) };
        let roll = ask.roll_as(D10, "alert", |face| i32::from(face) >= needed)?;
        ask.note(|| {
            let (face, name) = (roll.face.unwrap_or(0), &self.battle.squad(id).name);
            let word = if roll.read { "alerted" } else { "still surprised" };
            let note = Note::new("alert", format!("{name}: {needed}+; d10 {face}: {word}"))
                .by(&[rule::C_50, rule::C_2])
                .dice(&[face])
                .outcome(word);
            // Who is not alerted yet would tell which squadron is on the marker that has spotted something.
            let side = self.battle.squad(id).side;
            if self.on_a_marker(sea, id) { note.only(Viewer::Seat(side.into())) } else { note }
        });
        if roll.read {
            sea.squadron_mut(id).surprised = false;
        }
        Ok(())
    }
}

/// One step down.
fn lower(mood: Mood) -> Mood {
    match mood {
        Mood::Steady => Mood::Shaken,
        Mood::Shaken | Mood::Broken => Mood::Broken,
    }
}
