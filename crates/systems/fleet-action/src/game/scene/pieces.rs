//! Ships, markers and aircraft as pieces of the board.

use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::state::{Aloft, Holds, Level, MarkerId, Mission, Mood, Sea, StandId, VesselId};
use crate::words::*;
use flagplot_kernel::scene::{Aboard, Badge, Deck, Piece, Place};

impl FleetGame {
    pub(super) fn pieces(&self, sea: &Sea) -> Vec<Piece> {
        let ships =
            sea.all().filter(|(_, ship)| ship.placed && !ship.left).filter_map(|(id, _)| self.ship_piece(sea, id));
        let markers = (0..sea.markers.len()).map(|at| MarkerId(at as u8)).filter(|id| !sea.marker(*id).gone);
        let stands = sea.all_stands().filter(|(_, stand)| stand.flies()).map(|(id, _)| id);
        ships
            .chain(markers.map(|id| self.marker_piece(sea, id)))
            .chain(stands.map(|id| self.stand_piece(sea, id)))
            .collect()
    }

    /// Which picture a vessel wants.
    fn picture(&self, id: VesselId) -> &'static str {
        let model = self.battle.model(id);
        match (model.hull, model.sheet.kind, model.code) {
            (Hull::Submarine, ..) => "submarine",
            (Hull::Boats, ..) => "boats",
            (_, Kind::AirBase, _) => "base",
            (_, Kind::Merchant, _) | (_, _, Some(ShipType::Amc)) => "merchant",
            (_, Kind::Carrier, _) => "carrier",
            (_, _, Some(ShipType::Bb | ShipType::B | ShipType::Bbl | ShipType::Bbh | ShipType::Bcd | ShipType::Sd)) => {
                "battleship"
            }
            (_, _, Some(ShipType::Bc)) => "battlecruiser",
            (_, _, Some(ShipType::Dd | ShipType::Dde | ShipType::Tb | ShipType::Ddt)) => "destroyer",
            _ if model.size() <= -2 => "destroyer",
            _ => "cruiser",
        }
    }

    fn ship_piece(&self, sea: &Sea, id: VesselId) -> Option<Piece> {
        let (ship, member) = (sea.vessel(id), self.battle.member(id));
        let wreck = ship.now.status == Status::Wreck;
        if !wreck && !ship.now.afloat() {
            return None;
        }
        let model = &member.model;
        let mut badges = vec![Badge::new("kn", ship.speed, format!("{} knots", ship.speed))];
        let mut count = |label: &str, value: i32, title: String| {
            if value > 0 {
                badges.push(Badge::new(label, value, title));
            }
        };
        count("fire", ship.now.fires, plural(ship.now.fires, "fire"));
        count("splash", ship.now.splash, plural(ship.now.splash, "splash marker"));
        let running: i32 = sea.running.iter().filter(|run| run.by == id).map(|run| run.torpedoes).sum();
        count("torp", running, format!("{running} torpedoes running"));
        if model.hull == Hull::Boats {
            count("boats", ship.vessels, plural(ship.vessels, "vessel"));
        }
        let squadron = sea.squadron(member.squadron);
        let marked = [
            (ship.now.s < model.sheet.s_max || ship.now.f < model.sheet.f_max, "damaged"),
            (wreck, "wreck"),
            (ship.now.fires > 0, "burning"),
            (ship.mood == Mood::Shaken, "shaken"),
            (ship.mood == Mood::Broken, "broken"),
            (ship.aground, "aground"),
            (ship.level != Level::Surfaced, "hidden"),
            (squadron.surprised, "surprised"),
            (squadron.acted, "acted"),
            (member.flagship, "flagship"),
        ];
        let states: Vec<String> = marked.iter().filter(|(on, _)| *on).map(|(_, word)| (*word).to_owned()).collect();
        Some(Piece {
            id: member.id.to_string(),
            name: member.name.clone(),
            side: Some(member.side),
            kind: self.picture(id).into(),
            place: Place::Point(ship.at.at.point().into()),
            facing: Some(ship.at.heading.degrees()),
            size: Some([i64::from(model.size()) + 5, 0]),
            badges,
            text: self.ship_words(sea, id, &states),
            states,
        })
    }

    /// The mark where everybody last saw a submarine that is out of sight now.
    pub(super) fn last_seen_piece(&self, sea: &Sea, id: VesselId) -> Option<Piece> {
        let (place, turn) = sea.vessel(id).sighted?;
        let member = self.battle.member(id);
        let side = self.battle.side_name(member.side);
        Some(Piece {
            id: member.id.to_string(),
            name: member.name.clone(),
            side: Some(member.side),
            kind: self.picture(id).into(),
            place: Place::Point(place.point().into()),
            facing: None,
            size: Some([i64::from(member.model.size()) + 5, 0]),
            badges: Vec::new(),
            text: format!("{} ({side}): last seen here, until turn {turn}", member.name),
            states: vec!["hidden".to_owned()],
        })
    }

    fn ship_words(&self, sea: &Sea, id: VesselId, states: &[String]) -> String {
        let (ship, member) = (sea.vessel(id), self.battle.member(id));
        let side = self.battle.side_name(member.side);
        let course = format!("course {:03}, {} knots", ship.at.heading.degrees(), ship.speed);
        let depth = match ship.level {
            Level::Surfaced => "",
            Level::Periscope => ", at periscope depth",
            Level::Deep => ", deep",
        };
        let health = match member.model.hull {
            Hull::Boats => plural(ship.vessels, "vessel"),
            _ if member.model.sheet.is_air_base() => format!("structure {}/{}", ship.now.s, member.model.sheet.s_max),
            _ => {
                let sheet = &member.model.sheet;
                format!("flotation {}/{}, structure {}/{}", ship.now.f, sheet.f_max, ship.now.s, sheet.s_max)
            }
        };
        let told: Vec<&str> = states.iter().map(String::as_str).filter(|word| *word != "hidden").collect();
        let states = if told.is_empty() { String::new() } else { format!(", {}", told.join(", ")) };
        format!("{} ({side}): {course}{depth}, {health}{states}", member.name)
    }

    fn marker_piece(&self, sea: &Sea, id: MarkerId) -> Piece {
        let marker = sea.marker(id);
        let name = self.marker_name(id);
        let side = self.battle.side_name(marker.side);
        let holds = match marker.holds {
            Some(Holds::Squadron(of)) => format!(", holds {}", self.battle.squad(of).name),
            Some(Holds::Dummy) => ", a dummy".to_owned(),
            None if marker.real => ", a real squadron".to_owned(),
            None => String::new(),
        };
        let marked = [(marker.real, "detected"), (marker.acted, "acted")];
        Piece {
            id: self.marker_id(id).to_string(),
            side: Some(marker.side),
            kind: "contact".into(),
            place: Place::Point(marker.at.at.point().into()),
            facing: Some(marker.at.heading.degrees()),
            size: None,
            badges: vec![Badge::new("kn", marker.speed, format!("{} knots", marker.speed))],
            states: marked.iter().filter(|(on, _)| *on).map(|(_, word)| (*word).to_owned()).collect(),
            text: format!("{name} ({side}): course {:03}, {} knots{holds}", marker.at.heading.degrees(), marker.speed),
            name,
        }
    }

    /// The carriers and air bases with the stands aboard.
    pub(super) fn decks_drawn(&self, sea: &Sea) -> Vec<Deck> {
        let ships = sea.all().filter(|(_, ship)| ship.placed && ship.in_play()).map(|(id, _)| id);
        let decks = ships.filter(|id| self.flies_aircraft(*id)).map(|id| {
            let member = self.battle.member(id);
            let home = sea.all_stands().filter(|(_, stand)| stand.home == Some(id) && stand.aircraft > 0);
            let aboard = home.filter_map(|(of, stand)| {
                let flight = self.battle.flight(of);
                let state = match stand.aloft {
                    Aloft::Aboard { ready } if ready >= stand.aircraft => "ready".to_owned(),
                    Aloft::Aboard { ready } => format!("{ready} of {} ready", stand.aircraft),
                    Aloft::Launching { off } => format!("{off} of {} launched", stand.aircraft),
                    Aloft::Landing { down } => format!("{down} of {} landed", stand.aircraft),
                    Aloft::Awaited | Aloft::Airborne | Aloft::Leaving | Aloft::Gone => return None,
                };
                Some(Aboard {
                    id: flight.id.to_string(),
                    name: flight.name.clone(),
                    kind: if flight.attack.is_some() { "bomber".into() } else { "fighter".into() },
                    strength: u32::try_from(stand.aircraft).unwrap_or(0),
                    state,
                })
            });
            let title = format!("Aboard {}", member.name);
            Deck { piece: member.id.to_string(), title, aboard: aboard.collect() }
        });
        decks.filter(|deck| !deck.aboard.is_empty()).collect()
    }

    fn stand_piece(&self, sea: &Sea, id: StandId) -> Piece {
        let (stand, flight) = (sea.stand(id), self.battle.flight(id));
        let mut badges = vec![Badge::new("planes", stand.aircraft, plural(stand.aircraft, "aircraft"))];
        if stand.flak > 0 {
            badges.push(Badge::new("flak", stand.flak, plural(stand.flak, "flak marker")));
        }
        let mission = match stand.mission {
            Mission::None => String::new(),
            Mission::Attack(target) => format!(", attacks {}", self.battle.member(target).name),
            Mission::Strafe(target) => format!(", strafes {}", self.battle.member(target).name),
            Mission::Intercept(target) => format!(", intercepts {}", self.battle.flight(target).name),
            Mission::Escort(whom) => format!(", escorts {}", self.battle.flight(whom).name),
            Mission::Patrol => ", on patrol".to_owned(),
        };
        let load = if stand.loaded { ", loaded" } else { "" };
        let leaves = if stand.aloft == Aloft::Leaving { ", on its way home" } else { "" };
        let marked = [(stand.acted, "acted"), (stand.aloft == Aloft::Leaving, "spent")];
        let side = self.battle.side_name(flight.side);
        let aircraft = plural(stand.aircraft, "aircraft");
        Piece {
            id: flight.id.to_string(),
            name: flight.name.clone(),
            side: Some(flight.side),
            kind: if flight.attack.is_some() { "bomber".into() } else { "fighter".into() },
            place: Place::Point(stand.at.point().into()),
            facing: None,
            size: None,
            badges,
            states: marked.iter().filter(|(on, _)| *on).map(|(_, word)| (*word).to_owned()).collect(),
            text: format!("{} ({side}): {aircraft}{load}{mission}{leaves}", flight.name),
        }
    }
}

/// `1 fire`, `2 fires`, `3 aircraft`.
fn plural(count: i32, word: &str) -> String {
    let ending = match (count, word) {
        (1, _) | (_, "aircraft") => "",
        _ => "s",
    };
    format!("{count} {word}{ending}")
}
