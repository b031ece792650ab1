//! The table as the scenario describes it.

use crate::data::StandRole;
use crate::game::FleetGame;
use crate::game::battle::{Flight, Hull, Member, Squad, side};
use crate::game::state::*;
use crate::geometry::{Heading, Place, Position};
use flagplot_kernel::BySide;

impl FleetGame {
    /// The table as the scenario describes it, before anything is put down in secret.
    pub(in crate::game) fn fresh_sea(&self) -> Sea {
        let battle = &self.battle;
        let marker = |placed: &crate::data::PlacedMarker| Marker {
            side: side(placed.side),
            at: Position {
                at: Place { x: placed.x.into(), y: placed.y.into() },
                heading: Heading::new(&battle.rules, placed.heading).unwrap_or_default(),
            },
            speed: placed.speed,
            holds: None,
            real: false,
            gone: false,
            moved: false,
            acted: false,
        };
        let scenario = &battle.scenario;
        Sea {
            turn: 1,
            holder: None,
            first: side(scenario.first),
            squadrons: battle.squadrons.iter().map(|squad| self.fresh_squadron(squad)).collect(),
            vessels: battle.vessels.iter().map(|member| self.fresh_vessel(member)).collect(),
            stands: battle.stands.iter().map(|flight| self.fresh_stand(flight)).collect(),
            markers: scenario.marker.iter().map(marker).collect(),
            screens: Vec::new(),
            squalls: scenario.squalls.iter().map(|round| Place { x: round.x.into(), y: round.y.into() }).collect(),
            running: Vec::new(),
            arrived: Vec::new(),
            fields: Vec::new(),
            ready: BySide { first: false, second: false },
            pending: Vec::new(),
        }
    }

    fn fresh_squadron(&self, squad: &Squad) -> Squadron {
        Squadron {
            command: squad.command,
            deployed: !squad.contact,
            surprised: squad.surprised,
            began: (squad.vessels.len() + squad.stands.len()) as i32,
            moved: false,
            flown: false,
            acted: false,
            torpedoed_on: None,
            torpedoed_by: Vec::new(),
            shy: false,
        }
    }

    pub(in crate::game) fn fresh_vessel(&self, member: &Member) -> Vessel {
        let Member { model, fresh, placed, .. } = member;
        let floats = self.battle.scenario.smoke_floats.as_ref();
        let floats = floats.filter(|floats| self.battle.squad(member.squadron).id == *floats.squadron.as_str());
        let submarine = model.hull == Hull::Submarine;
        Vessel {
            at: member.start,
            speed: member.start_speed,
            last_speed: member.start_speed,
            now: *fresh,
            vessels: member.vessels,
            level: if submarine { Level::Periscope } else { Level::Surfaced },
            mood: Mood::Steady,
            left: false,
            aground: false,
            placed: !submarine && !self.battle.squad(member.squadron).contact,
            seen: false,
            detected: false,
            loaded: (1_u32 << model.sheet.torpedoes.len().min(31)) - 1,
            reloads: Vec::new(),
            reloaded: 0,
            torpedoes: model.torpedoes_per_vessel,
            floats: floats.map_or(0, |floats| floats.each),
            mines: placed.as_ref().map_or(0, |placed| placed.mines),
            ledger: Ledger::default(),
            began: (fresh.f, fresh.s),
            lost_on: None,
            wake: Vec::new(),
            last_wake: Vec::new(),
            entangled: 0,
            star_lit: false,
            sighted: None,
        }
    }

    fn fresh_stand(&self, flight: &Flight) -> Stand {
        let placed = &flight.placed;
        let at = match (placed.x, placed.y, flight.from) {
            (Some(x), Some(y), _) => Place { x: x.into(), y: y.into() },
            (_, _, Some(ship)) => self.battle.member(ship).start.at,
            _ => Place { x: 0, y: 0 },
        };
        let aloft = match (flight.from, placed.x) {
            (Some(_), _) => Aloft::Aboard { ready: if placed.ready == Some(true) { placed.count } else { 0 } },
            (None, Some(_)) if placed.arrives <= 1 => Aloft::Airborne,
            _ => Aloft::Awaited,
        };
        Stand {
            aloft,
            at,
            aircraft: placed.count,
            began: placed.count,
            loaded: placed.role == StandRole::Loaded,
            flak: 0,
            mission: Mission::None,
            acted: false,
            crew_quality: placed.crew_quality,
            home: flight.from,
        }
    }
}
