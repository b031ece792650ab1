//! The board. [section 18]

mod card;
mod pieces;

use super::battle::side;
use super::moving;
use super::sight::SMOKE_RADIUS;
use super::state::{AimPoint, Aloft, Level, Mood, Phase, Sea, SquadronId, VesselId};
use super::{FleetGame, View};
use crate::geometry::{Heading, Position};
use crate::volley::percent;
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::scene::{
    Area, Arrow, Light as TimeOfDay, Outline, Panel, PlaneMark, Ring, Sector, Surface, Track,
};
use flagplot_kernel::{Scene, Side};
use std::borrow::Cow;

/// Open water round everything that is shown.
const MARGIN: i64 = 250;
/// The least width and height of the board.
const LEAST: i64 = 1500;
/// The edges of the arcs, in degrees from the bow, with what they are.
const ARCS: [(Arc, i32, i32); 4] =
    [(Arc::Bow, -30, 30), (Arc::Starboard, 30, 150), (Arc::Stern, 150, 210), (Arc::Port, 210, 330)];

impl FleetGame {
    pub(super) fn draw(&self, view: &View) -> Scene {
        let lost_sight = self.lost_sight(view);
        let mut drawn = Cow::Borrowed(&view.seen.sea);
        for id in &lost_sight {
            drawn.to_mut().vessel_mut(*id).placed = false;
        }
        let sea = drawn.as_ref();
        let last_seen = lost_sight.iter().filter_map(|id| self.last_seen_piece(&view.seen.sea, *id));
        Scene {
            title: self.headline(&view.seen.phase, sea),
            status: self.status(sea),
            surface: self.surface(sea),
            light: Some(match self.battle.light(sea.turn) {
                Light::Day => TimeOfDay::Day,
                Light::Night => TimeOfDay::Night,
            }),
            pieces: self.pieces(sea).into_iter().chain(last_seen).collect(),
            areas: self.areas(sea),
            rings: self.rings(sea),
            sectors: Some(self.fans(view)).filter(|fans| !fans.is_empty()).unwrap_or_else(|| self.sectors(sea)),
            tracks: self.tracks(sea),
            arrows: self.fire_lines(sea),
            panels: vec![self.squadron_panel(&view.seen.sea)],
            cards: self.cards(sea),
            decks: self.decks_drawn(sea),
        }
    }

    /// The submarines of the other side that are under water and out of sight.
    fn lost_sight(&self, view: &View) -> Vec<VesselId> {
        let sea = &view.seen.sea;
        let unseen = sea.all().filter(|(id, vessel)| {
            let submerged = vessel.level != Level::Surfaced && !vessel.seen && vessel.in_play();
            submerged && !view.viewer.sees(self.battle.member(*id).side.into())
        });
        unseen.map(|(id, _)| id).collect()
    }

    fn headline(&self, phase: &Phase, sea: &Sea) -> String {
        let scenario = &self.battle.scenario;
        let phase = match phase {
            Phase::SetUp(_) => return format!("{}: set-up", scenario.title),
            Phase::Over => return format!("{}: the end", scenario.title),
            Phase::Initiative => "initiative",
            Phase::Mines(_) => "mines",
            Phase::Submarines(_) => "submarines",
            Phase::Ships(stage) => match stage {
                moving::Stage::Torpedoes(_) | moving::Stage::Launch { .. } => "torpedoes",
                _ => "ships move",
            },
            Phase::Aircraft(_) => "aircraft move",
            Phase::Actions(_) => "actions",
            Phase::End(_) => "end of the turn",
        };
        format!("{}: turn {} of {}, {phase}", scenario.title, sea.turn, scenario.turns)
    }

    fn status(&self, sea: &Sea) -> Vec<String> {
        let tvr = self.battle.tvr(sea.turn);
        let light = match self.battle.light(sea.turn) {
            Light::Day => "Day",
            Light::Night => "Night",
        };
        let bands = if tvr == 1 { "range band" } else { "range bands" };
        let mut lines = vec![format!("{light}, visibility {tvr} {bands}")];
        if let Some(holder) = sea.holder {
            let (holder, first) = (self.battle.side_name(holder), self.battle.side_name(sea.first));
            lines.push(format!("{holder} has the initiative; {first} moves first"));
        }
        let points = Side::BOTH.map(|side| {
            let total = self.points(sea, side).total();
            format!("{} {total}", self.battle.side_name(side))
        });
        lines.push(format!("Points: {}; par {:+}", points.join(", "), self.battle.scenario.par));
        lines
    }

    fn surface(&self, sea: &Sea) -> Surface {
        let ships = sea.all().filter(|(_, ship)| ship.placed && !ship.left).map(|(id, _)| self.point(sea, id));
        let markers = sea.markers.iter().filter(|marker| !marker.gone).map(|marker| marker.at.at.point());
        let stands = sea.stands.iter().filter(|stand| stand.flies()).map(|stand| stand.at.point());
        let land = self.battle.scenario.land.iter().flat_map(|round| {
            let (at, radius) = (Point::new(round.x.into(), round.y.into()), i64::from(round.radius));
            [at + Point::new(radius, radius), at - Point::new(radius, radius)]
        });
        let all: Vec<Point> = ships.chain(markers).chain(stands).chain(land).collect();
        let span = |of: fn(&Point) -> i64| {
            let (least, most) = (all.iter().map(of).min().unwrap_or(0), all.iter().map(of).max().unwrap_or(0));
            let more = ((LEAST - (most - least)) / 2).max(MARGIN);
            (least - more, most + more)
        };
        let ((left, right), (low, high)) = (span(|point| point.x), span(|point| point.y));
        let lines = self.battle.scenario.leave.iter().filter_map(|leave| {
            let x = i64::from(leave.x_above?);
            let of = side(leave.side);
            let label = format!("{} may leave the sea beyond this line", self.battle.side_name(of));
            Some(PlaneMark { label, side: Some(of), from: [x, low], to: [x, high] })
        });
        Surface::Plane { min: [left, low], max: [right, high], marks: lines.collect() }
    }

    fn areas(&self, sea: &Sea) -> Vec<Area> {
        let scenario = &self.battle.scenario;
        let circle = |at: Point, radius: i64| Outline::Circle { at: at.into(), radius };
        let named = |name: &str, other: &str| if name.is_empty() { other.to_owned() } else { name.to_owned() };
        let land = scenario.land.iter().map(|round| Area {
            kind: "land".into(),
            label: named(&round.name, "land"),
            outline: circle(Point::new(round.x.into(), round.y.into()), round.radius.into()),
            side: None,
        });
        let squalls = sea.squalls.iter().zip(&scenario.squalls).map(|(at, round)| Area {
            kind: "squall".into(),
            label: named(&round.name, "squall"),
            outline: circle(at.point(), round.radius.into()),
            side: None,
        });
        let smoke = sea.screens.iter().flat_map(|screen| {
            let member = self.battle.member(screen.by);
            screen.at.map(|at| Area {
                kind: "smoke".into(),
                label: format!("smoke of {}", member.name),
                outline: circle(at, SMOKE_RADIUS),
                side: Some(member.side),
            })
        });
        let fields = sea.fields.iter().filter(|field| field.density.is_some()).map(|field| Area {
            kind: "mine-field".into(),
            label: field.density.map_or_else(String::new, |density| format!("{density} mine field")),
            outline: Outline::Polygon { points: field.corners(&self.battle.rules).map(Into::into).into() },
            side: Some(field.side),
        });
        land.chain(squalls).chain(fields).chain(smoke).collect()
    }

    /// The last band that a ship's guns reach and she can see.
    fn gun_reach(&self, sea: &Sea, id: VesselId) -> i32 {
        let guns = self.battle.model(id).batteries.iter().map(|battery| battery.gun.max_band).max().unwrap_or(0);
        guns.min(sea.vessel(id).now.sd)
    }

    fn rings(&self, sea: &Sea) -> Vec<Ring> {
        let mm = i64::from(self.battle.rules.scale.mm_per_range_band);
        let drawn = sea.all().filter(|(_, ship)| ship.in_play());
        drawn
            .flat_map(|(id, ship)| {
                let member = self.battle.member(id);
                let at: [i64; 2] = self.point(sea, id).into();
                let ring = move |band: i64, label: String| Ring {
                    at,
                    radius: band * mm,
                    label,
                    side: Some(member.side),
                    piece: Some(member.id.to_string()),
                };
                let bands =
                    (1..=i64::from(self.gun_reach(sea, id))).map(move |band| (band, format!("range band {band}")));
                let sight = i64::from(ship.now.sd.min(self.battle.tvr(sea.turn)));
                bands
                    .chain((sight > 0).then(|| (sight, "sight".to_owned())))
                    .map(move |(band, label)| ring(band, label))
            })
            .collect()
    }

    /// Where batteries bear, with the guns that are left.
    fn sectors(&self, sea: &Sea) -> Vec<Sector> {
        let mm = i64::from(self.battle.rules.scale.mm_per_range_band);
        let mut sectors = Vec::new();
        for (id, ship) in sea.all().filter(|(_, ship)| ship.in_play()) {
            let member = self.battle.member(id);
            for (arc, from, to) in ARCS {
                let batteries = member.model.batteries.iter().filter_map(|battery| {
                    let mounts = self.bearing_mounts(id, battery, self.sound_mounts(ship, battery), arc);
                    let guns = self.guns_in(id, battery, mounts);
                    (guns > 0).then(|| (battery.gun.max_band, format!("{guns} × {} mm", battery.calibre_mm)))
                });
                let batteries: Vec<(i32, String)> = batteries.collect();
                let reach = batteries.iter().map(|(band, _)| *band).max().unwrap_or(0).min(ship.now.sd);
                if reach == 0 {
                    continue;
                }
                let heading = ship.at.heading.degrees();
                let guns: Vec<String> = batteries.into_iter().map(|(_, guns)| guns).collect();
                sectors.push(Sector {
                    at: self.point(sea, id).into(),
                    radius: i64::from(reach) * mm,
                    from: (heading + from).rem_euclid(360),
                    to: (heading + to).rem_euclid(360),
                    label: guns.join(", "),
                    side: Some(member.side),
                    piece: Some(member.id.to_string()),
                });
            }
        }
        sectors
    }

    /// How far and where torpedoes can go, by setting, while their owner is asked for them. [18.3]
    fn fans(&self, view: &View) -> Vec<Sector> {
        let sea = &view.seen.sea;
        let Phase::Ships(moving::Stage::Torpedoes(squadron)) = view.seen.phase else { return Vec::new() };
        if !view.viewer.sees(self.battle.squad(squadron).side.into()) {
            return Vec::new();
        }
        let mm = i64::from(self.battle.rules.scale.mm_per_range_band);
        let mut fans = Vec::new();
        for ship in self.may_launch(sea, squadron) {
            let (member, vessel) = (self.battle.member(ship), sea.vessel(ship));
            let heading = vessel.at.heading.degrees();
            for (_, from, to) in ARCS {
                let middle = Heading::new(&self.battle.rules, (heading + (from + to) / 2).rem_euclid(360));
                let ahead = Position { heading: middle.unwrap_or_default(), ..vessel.at }.ahead(mm).at.point();
                let bearing = self.tubes_bearing(sea, ship, ahead);
                let tubes = self.torpedoes_in(sea, ship, bearing);
                if bearing == 0 || tubes < 1 {
                    continue;
                }
                fans.extend(self.settings(ship).iter().map(|setting| Sector {
                    at: self.point(sea, ship).into(),
                    radius: i64::from(setting.max_band) * mm,
                    from: (heading + from).rem_euclid(360),
                    to: (heading + to).rem_euclid(360),
                    label: format!(
                        "{} at {} knots ({:+})",
                        counted_torpedoes(tubes),
                        setting.speed_kn,
                        setting.modifier
                    ),
                    side: Some(member.side),
                    piece: Some(member.id.to_string()),
                }));
            }
        }
        fans
    }

    fn tracks(&self, sea: &Sea) -> Vec<Track> {
        let mut tracks = Vec::new();
        for (id, ship) in sea.all().filter(|(_, ship)| ship.placed && !ship.left) {
            let member = self.battle.member(id);
            for (points, label) in [(&ship.last_wake, "wake of last turn"), (&ship.wake, "wake")] {
                if points.len() > 1 {
                    tracks.push(Track {
                        kind: "wake".into(),
                        points: points.iter().map(|point| (*point).into()).collect(),
                        label: format!("{}, {label}", member.name),
                        side: Some(member.side),
                        piece: Some(member.id.to_string()),
                    });
                }
            }
        }
        for squad in &self.battle.squadrons {
            let ships = squad
                .vessels
                .iter()
                .filter(|id| sea.vessel(**id).in_play() && sea.vessel(**id).level == Level::Surfaced);
            let points: Vec<[i64; 2]> = ships.map(|id| self.point(sea, *id).into()).collect();
            if points.len() > 1 {
                tracks.push(Track {
                    kind: "squadron".into(),
                    points,
                    label: squad.name.clone(),
                    side: Some(squad.side),
                    piece: None,
                });
            }
        }
        // Only those who know the aim see where torpedoes run.
        for launch in &sea.running {
            let member = self.battle.member(launch.by);
            let Some(aim) = launch.aim else { continue };
            let to = match aim.at {
                AimPoint::Vessel(target) => self.point(sea, target),
                AimPoint::Point(place) => place.point(),
            };
            tracks.push(Track {
                kind: "torpedo".into(),
                points: vec![launch.from.at.point().into(), to.into()],
                label: format!("{} of {}", counted_torpedoes(launch.torpedoes), member.name),
                side: Some(member.side),
                piece: Some(member.id.to_string()),
            });
        }
        for launch in &sea.arrived {
            let member = self.battle.member(launch.by);
            let hits = match launch.hits {
                0 => "no hit".to_owned(),
                hits => counted(hits as usize, "hit"),
            };
            tracks.push(Track {
                kind: if launch.hits > 0 { "torpedo-hit" } else { "torpedo-spent" }.into(),
                points: vec![launch.from.point().into(), launch.to.point().into()],
                label: format!("{} of {}: {hits}", counted_torpedoes(launch.torpedoes), member.name),
                side: Some(member.side),
                piece: None,
            });
        }
        tracks
    }

    /// From every ship to each enemy that a battery of hers can hit, with the chance of the best. [18.4]
    fn fire_lines(&self, sea: &Sea) -> Vec<Arrow> {
        let mut lines = Vec::new();
        for (id, _) in sea.all().filter(|(_, ship)| ship.in_play()) {
            let member = self.battle.member(id);
            for enemy in self.enemies(sea, member.side) {
                if let Some(chance) = self.best_chance(sea, id, enemy).filter(|chance| *chance > 0) {
                    lines.push(Arrow {
                        from: member.id.to_string(),
                        to: self.battle.member(enemy).id.to_string(),
                        label: percent(chance),
                        side: Some(member.side),
                    });
                }
            }
        }
        lines
    }

    /// The hit chance of the best battery of a ship at an enemy, in parts of
    /// [`CHANCE_PARTS`](crate::volley::CHANCE_PARTS); nothing if none can fire.
    pub(in crate::game) fn best_chance(&self, sea: &Sea, id: VesselId, enemy: VesselId) -> Option<i64> {
        let bearing = self.bearing(sea, id, enemy);
        let (ship, model) = (sea.vessel(id), self.battle.model(id));
        if bearing.permission.guns == Leave::Forbidden {
            return None;
        }
        let directed = ship.now.fc > 0 && ship.now.s > 0 && !model.amc;
        let control = if directed { Control::Directed } else { Control::Local };
        let batteries = model.batteries.iter().filter_map(|battery| {
            let mounts = self.bearing_mounts(id, battery, self.sound_mounts(ship, battery), bearing.arc);
            let guns = self.guns_in(id, battery, mounts);
            let worth = self.battery_value(sea, &bearing, battery, guns, control);
            (worth > 0).then(|| self.gun_chance(sea, &bearing, battery, guns, control))
        });
        batteries.max()
    }

    fn squadron_panel(&self, sea: &Sea) -> Panel {
        let mut rows = vec![["Squadron", "Side", "Command", "State"].map(str::to_owned).to_vec()];
        for (at, squad) in self.battle.squadrons.iter().enumerate() {
            let now = sea.squadron(SquadronId(at as u8));
            let ships = squad.vessels.iter().filter(|id| sea.vessel(**id).in_play()).count();
            let flying = squad.stands.iter().filter(|id| sea.stand(**id).aloft != Aloft::Gone).count();
            let broken = squad.vessels.iter().filter(|id| sea.vessel(**id).mood == Mood::Broken).count();
            let mut words = Vec::new();
            if !squad.vessels.is_empty() {
                words.push(if now.deployed { counted(ships, "ship") } else { "not deployed".to_owned() });
            }
            if !squad.stands.is_empty() {
                words.push(counted(flying, "stand"));
            }
            if broken > 0 {
                words.push(format!("{broken} broken"));
            }
            if now.surprised {
                words.push("surprised".into());
            }
            if now.shy {
                words.push("shrinks from torpedoes".into());
            }
            let side = self.battle.side_name(squad.side).to_owned();
            rows.push(vec![squad.name.clone(), side, format!("{:+}", now.command), words.join(", ")]);
        }
        Panel { title: "Squadrons".into(), side: None, rows, header: true }
    }
}

fn counted_torpedoes(count: i32) -> String {
    if count == 1 { "1 torpedo".to_owned() } else { format!("{count} torpedoes") }
}

/// `1 ship`, `2 ships`.
pub(super) fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
