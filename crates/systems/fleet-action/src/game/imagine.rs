//! Worlds that a viewer cannot tell from the true one. [C-38, C-40, C-52]

use super::battle::{Hull, side};
use super::setup::Laid;
use super::state::{Aim, AimPoint, Field, Holds, Level, MarkerId, Running, Sea, SquadronId, State, VesselId};
use super::{FleetGame, View};
use crate::geometry::{Heading, Place, Position, arc, bears};
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Chance, Seat, Side, course};

/// How often a random place is tried before one that always fits is taken.
const TRIES: u32 = 200;

impl FleetGame {
    /// A world that fits what a viewer knows.
    pub(super) fn imagined(&self, view: &View, chance: &mut Chance) -> State {
        let mut state = view.seen.clone();
        for side in Side::BOTH.into_iter().filter(|side| !view.viewer.sees(Seat::from(*side))) {
            self.imagine_markers(&mut state.sea, side, chance);
            self.imagine_submarines(&mut state.sea, side, chance);
            self.imagine_fields(&mut state.sea, side, chance);
            self.imagine_aims(&mut state.sea, side, chance);
        }
        state
    }

    /// All ways to put the squadrons that have not deployed on the markers that are left are equally likely, as long as
    /// one that is known to be real holds a squadron. [C-40]
    fn imagine_markers(&self, sea: &mut Sea, side: Side, chance: &mut Chance) {
        let own = |at: &usize| sea.markers[*at].side == side && !sea.markers[*at].gone;
        let mut places: Vec<usize> = (0..sea.markers.len()).filter(own).collect();
        if places.is_empty() || !sea.ready[side] {
            return;
        }
        let hidden = |at: &usize| {
            let squad = &self.battle.squadrons[*at];
            squad.side == side && squad.contact && !sea.squadrons[*at].deployed
        };
        let squadrons: Vec<usize> = (0..self.battle.squadrons.len()).filter(hidden).collect();
        for _ in 0..TRIES {
            chance.shuffle(&mut places);
            if places.iter().skip(squadrons.len()).all(|at| !sea.markers[*at].real) {
                break;
            }
        }
        // Those known to be real first, if chance was unkind.
        if places.iter().skip(squadrons.len()).any(|at| sea.markers[*at].real) {
            places.sort_by_key(|at| !sea.markers[*at].real);
        }
        for (number, at) in places.into_iter().enumerate() {
            let holds = squadrons.get(number).map_or(Holds::Dummy, |at| Holds::Squadron(SquadronId(*at as u8)));
            sea.marker_mut(MarkerId(at as u8)).holds = Some(holds);
        }
    }

    /// A submarine out of sight lies within reach of where she was last seen, or of where she was put down. [C-52]
    fn imagine_submarines(&self, sea: &mut Sea, side: Side, chance: &mut Chance) {
        for id in (0..self.battle.vessels.len()).map(|at| VesselId(at as u8)) {
            let member = self.battle.member(id);
            let vessel = sea.vessel(id);
            let submerged = vessel.level != Level::Surfaced && !vessel.seen && vessel.now.afloat() && !vessel.left;
            if member.side != side || member.model.hull != Hull::Submarine || !submerged || !sea.ready[side] {
                continue;
            }
            let run = |turns: i32| {
                i64::from(turns.max(0) * member.model.submerged_speed * self.battle.rules.scale.mm_per_knot)
            };
            let (centre, least, most) = match (vessel.sighted, member.around) {
                (Some((at, turn)), _) => (at, 0, run(sea.turn - turn + 1)),
                (None, Some((ship, least, most))) => {
                    let drift = run(sea.turn);
                    (self.battle.member(ship).start.at, (least - drift).max(0), most + drift)
                }
                (None, None) => (member.start.at, 0, run(sea.turn)),
            };
            let at = somewhere(centre, least, most, chance);
            let heading = Heading::new(&self.battle.rules, chance.below(24) as i32 * 15).unwrap_or_default();
            let level = if chance.below(2) == 0 { Level::Periscope } else { Level::Deep };
            let vessel = sea.vessel_mut(id);
            (vessel.at, vessel.level, vessel.placed) = (Position { at, heading }, level, true);
        }
    }

    /// The fields that a scenario grants and that no ship has met lie anywhere in their rectangle. [C-52]
    fn imagine_fields(&self, sea: &mut Sea, side_of: Side, chance: &mut Chance) {
        if !sea.ready[side_of] {
            return;
        }
        for granted in self.battle.scenario.fields.iter().filter(|granted| side(granted.side) == side_of) {
            let met = sea.fields.iter().filter(|field| field.side == side_of).count();
            for _ in met..usize::try_from(granted.count).unwrap_or(0) {
                let Laid { at, heading } = self.placement(sea, side_of).any_field(granted, chance);
                let at = self.position(at, heading);
                sea.fields.push(Field { side: side_of, at, density: Some(granted.density), known: false });
            }
        }
    }

    /// Torpedoes run at one of the ships that could have been named, at a speed that reached it. [C-38]
    fn imagine_aims(&self, sea: &mut Sea, side: Side, chance: &mut Chance) {
        let unknown = |run: &Running| run.aim.is_none() && self.battle.member(run.by).side == side;
        for at in 0..sea.running.len() {
            if unknown(&sea.running[at]) {
                let aim = self.imagine_aim(sea, &sea.running[at], chance);
                sea.running[at].aim = Some(aim);
            }
        }
    }

    fn imagine_aim(&self, sea: &Sea, run: &Running, chance: &mut Chance) -> Aim {
        let settings = self.battle.model(run.by).torpedo.as_ref().map_or(&[][..], |torpedo| &torpedo.ratings.settings);
        let band = |to: Point| self.battle.rules.range_band(run.from.at.point().ceil_dist(to) as i32);
        let reaching = |to: Point, chance: &mut Chance| {
            let fit: Vec<usize> = (0..settings.len()).filter(|at| settings[*at].max_band >= band(to)).collect();
            let furthest = || (0..settings.len()).max_by_key(|at| settings[*at].max_band).unwrap_or(0);
            chance.pick(&fit).copied().unwrap_or_else(furthest) as u8
        };
        let target = chance.pick(&run.could).copied();
        let place = target.map_or(run.from.ahead(250).at, |id| sea.vessel(id).at.at);
        if let (Mode::Aimed, Some(target)) = (run.mode, target) {
            return Aim { at: AimPoint::Vessel(target), setting: reaching(place.point(), chance) };
        }
        let bears_on = |point: Point| {
            let mounts = &self.battle.model(run.by).sheet.torpedoes;
            let fired = mounts.iter().enumerate().filter(|(at, _)| run.mounts >> at & 1 == 1);
            let arc = arc(run.from, point);
            run.mounts == 0 || fired.into_iter().all(|(_, mount)| bears(mount.arc, arc))
        };
        let mut point = place;
        for _ in 0..TRIES {
            let near = somewhere(place, 0, 80, chance);
            if bears_on(near.point()) {
                point = near;
                break;
            }
        }
        Aim { at: AimPoint::Point(point), setting: reaching(point.point(), chance) }
    }
}

/// A random place between two distances from another.
fn somewhere(centre: Place, least: i64, most: i64, chance: &mut Chance) -> Place {
    let spread = u32::try_from(2 * most).unwrap_or(u32::MAX - 1);
    for _ in 0..TRIES {
        let x = i64::from(chance.below(spread + 1)) - most;
        let y = i64::from(chance.below(spread + 1)) - most;
        if (least * least..=most * most).contains(&(x * x + y * y)) {
            return Place { x: centre.x + x, y: centre.y + y };
        }
    }
    let Point { x, y } = course::ahead(centre.point(), chance.below(24) as i32 * 15, (least + most) / 2);
    Place { x, y }
}
