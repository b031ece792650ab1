//! The data sheet of a ship, with what is lost struck out. [18.3]

use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::state::{Aloft, Sea, VesselId};
use crate::ship::is_lost;
use crate::words::*;
use flagplot_kernel::card::{Card, Figure, Fitting, Section};
use flagplot_kernel::scene::PieceCard;

impl FleetGame {
    pub(super) fn cards(&self, sea: &Sea) -> Vec<PieceCard> {
        let drawn = sea.all().filter(|(_, ship)| ship.placed && !ship.left);
        drawn
            .map(|(id, _)| PieceCard { piece: self.battle.member(id).id.to_string(), card: self.ship_card(sea, id) })
            .collect()
    }

    fn ship_card(&self, sea: &Sea, id: VesselId) -> Card {
        let (ship, member) = (sea.vessel(id), self.battle.member(id));
        let (model, now, fresh) = (&member.model, &ship.now, &member.fresh);
        let sheet = &model.sheet;
        let track = |label: &str, now: i32, most: i32| Section::Track {
            label: label.into(),
            now: now.max(0) as u32,
            most: most.max(0) as u32,
        };
        let mut sections = Vec::new();
        if model.hull == Hull::Boats {
            sections.push(track("Vessels", ship.vessels, member.vessels));
        } else {
            if !sheet.is_air_base() {
                sections.push(track("Flotation", now.f, sheet.f_max));
            }
            sections.push(track("Structure", now.s, sheet.s_max));
        }
        let figures = |label: &str, list: &[(&str, i32, i32)]| Section::Figures {
            label: label.into(),
            figures: list.iter().map(|(name, now, was)| Figure::new(name, now, was)).collect(),
        };
        sections.push(figures(
            "Ship",
            &[
                ("Top speed", self.top_speed(sea, id), fresh.speed),
                ("Size", sheet.size, sheet.size),
                ("Steering", now.sv, fresh.sv),
                ("Directors", now.fc, fresh.fc),
                ("Gunnery", now.gm, fresh.gm),
                ("Spotting", now.sd, fresh.sd),
                ("Damage control", now.dc, fresh.dc),
                ("Crew", self.crew_quality(sea, id), fresh.crew_quality),
            ],
        ));
        let light = [
            ("MRF", now.mrf, fresh.mrf),
            ("CRF", now.crf, fresh.crf),
            ("ASW", now.asw, fresh.asw),
            ("Fires", now.fires, 0),
            ("Splashes", now.splash, 0),
        ];
        sections.push(figures("Light guns and markers", &light));
        let armour = sheet.armour;
        if armour != crate::ship::Armour::default() {
            let list =
                [("Belt", armour.belt), ("Deck", armour.deck), ("CT", armour.ct), ("Flight deck", armour.flight_deck)];
            sections.push(figures("Armour", &list.map(|(name, ac)| (name, ac, ac))));
        }
        if sheet.h_max > 0 {
            let list = [
                ("Handling", now.h, fresh.h),
                ("Served", now.rrr, fresh.rrr),
                ("Catapults", now.catapults, fresh.catapults),
                ("Arming", now.rearming, now.rearming),
            ];
            sections.push(figures("Aircraft", &list));
        }
        sections.extend(self.mount_sections(sea, id));
        sections.extend(self.gun_table(id));
        sections.extend(self.aboard(sea, id));
        sections.extend(self.equipment(sea, id));
        let stamp = match now.status {
            Status::Afloat => None,
            Status::Wreck => Some("Wreck"),
            Status::Sunk => Some("Sunk"),
            Status::Exploded => Some("Exploded"),
        };
        let class = if model.name == member.name { String::new() } else { format!("{}, ", model.name) };
        let code = model.code.map_or("", |code| code.word());
        let subtitle = format!("{class}{code} {}", self.battle.squad(member.squadron).name).trim().to_owned();
        Card { title: member.name.clone(), subtitle, stamp: stamp.map(str::to_owned), sections }
    }

    fn mount_sections(&self, sea: &Sea, id: VesselId) -> Vec<Section> {
        let (ship, model) = (sea.vessel(id), self.battle.model(id));
        let mut sections = Vec::new();
        let groups = [
            ("Main battery", &model.sheet.main, ship.now.main_lost, ship.ledger.main_fired),
            ("Other guns", &model.sheet.other, ship.now.other_lost, ship.ledger.other_fired),
        ];
        for (label, mounts, lost, fired) in groups {
            let pieces: Vec<Fitting> = mounts
                .iter()
                .enumerate()
                .map(|(at, mount)| Fitting {
                    name: format!("{} {}", mount.guns, mount.mounting),
                    detail: format!("{}{}", mount.arc, if is_lost(fired, at) { ", fired" } else { "" }),
                    lost: is_lost(lost, at),
                })
                .collect();
            if !pieces.is_empty() {
                sections.push(Section::Pieces { label: label.into(), pieces });
            }
        }
        let tubes = |(at, mount): (usize, &crate::ship::TorpedoMount)| Fitting {
            name: format!("{} tubes", mount.tubes),
            detail: format!("{}{}", mount.arc, if ship.loaded >> at & 1 == 1 { "" } else { ", empty" }),
            lost: ship.now.torpedoes_lost >> at & 1 == 1,
        };
        let pieces: Vec<Fitting> = model.sheet.torpedoes.iter().enumerate().map(tubes).collect();
        if !pieces.is_empty() {
            sections.push(Section::Pieces { label: "Torpedo mounts".into(), pieces });
        }
        if model.hull == Hull::Boats && model.torpedo.is_some() {
            let name = "torpedoes for each boat".to_owned();
            let pieces = vec![Fitting { name, detail: ship.torpedoes.to_string(), lost: ship.torpedoes == 0 }];
            sections.push(Section::Pieces { label: "Torpedoes".into(), pieces });
        }
        sections
    }

    fn gun_table(&self, id: VesselId) -> Option<Section> {
        let batteries = &self.battle.model(id).batteries;
        if batteries.is_empty() {
            return None;
        }
        let columns = ["Battery", "IP", "CV", "RB 1", "RB 2", "RB 3", "RB 4", "RB 5"].map(str::to_owned).to_vec();
        let rows =
            batteries.iter().map(|battery| {
                let pen =
                    battery.gun.pen.iter().enumerate().map(|(at, pen)| {
                        if (at as i32) < battery.gun.max_band { pen.to_string() } else { "–".to_owned() }
                    });
                let start = [battery.name.clone(), battery.gun.ip.to_string(), battery.gun.cv.to_string()];
                start.into_iter().chain(pen).collect()
            });
        Some(Section::Grid { label: "Guns: penetration by range band".into(), columns, rows: rows.collect() })
    }

    /// The stands aboard, which are not on the board.
    fn aboard(&self, sea: &Sea, id: VesselId) -> Option<Section> {
        let stands = sea.all_stands().filter(|(_, stand)| stand.home == Some(id) && stand.aircraft > 0);
        let pieces: Vec<Fitting> = stands
            .filter_map(|(stand_id, stand)| {
                let state = match stand.aloft {
                    Aloft::Aboard { ready } if ready >= stand.aircraft => "ready".to_owned(),
                    Aloft::Aboard { ready } => format!("{ready} of {} ready", stand.aircraft),
                    Aloft::Launching { off } => format!("{off} of {} launched", stand.aircraft),
                    Aloft::Landing { down } => format!("{down} of {} landed", stand.aircraft),
                    Aloft::Awaited | Aloft::Airborne | Aloft::Leaving | Aloft::Gone => return None,
                };
                Some(Fitting { name: self.battle.flight(stand_id).name.clone(), detail: state, lost: false })
            })
            .collect();
        (!pieces.is_empty()).then(|| Section::Pieces { label: "Aboard".into(), pieces })
    }

    fn equipment(&self, sea: &Sea, id: VesselId) -> Option<Section> {
        let (now, fresh) = (&sea.vessel(id).now, &self.battle.member(id).fresh);
        let list = [
            ("flag officer", now.gear.flag_officer, fresh.gear.flag_officer),
            ("searchlights", now.gear.searchlights, fresh.gear.searchlights),
            ("planes", now.gear.ship_planes, fresh.gear.ship_planes),
            ("gunnery radar", now.gear.gunnery_radar, fresh.gear.gunnery_radar),
            ("search radar", now.gear.search_radar, fresh.gear.search_radar),
            ("smoke", now.gear.smoke, fresh.gear.smoke),
            ("power", !now.gear.power_failed, now.gear.power_failed),
        ];
        let fitting = |name: String, detail: String, lost: bool| Fitting { name, detail, lost };
        let mut pieces: Vec<Fitting> = list
            .iter()
            .filter(|(_, _, had)| *had)
            .map(|(name, has, _)| fitting((*name).to_owned(), String::new(), !has))
            .collect();
        if let Some(cargo) = self.battle.model(id).sheet.cargo {
            pieces.push(fitting(format!("cargo: {}", cargo.kind), cargo.points.to_string(), now.cargo_destroyed));
        }
        (!pieces.is_empty()).then(|| Section::Pieces { label: "Equipment".into(), pieces })
    }
}
