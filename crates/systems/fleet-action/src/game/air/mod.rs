//! Aircraft: flight, combat, attacks, decks. [6.5, 9.9 to 9.15]

mod acts;
mod attack;
mod decks;
mod flak;
mod flight;
mod flight_screen;
mod insight;
mod reactions;

pub use acts::Act;
pub use attack::Attack;
pub(in crate::game) use flak::Battery;
pub(in crate::game) use flight::{Doing, FlightEntry, FlightSheet};
pub(in crate::game) use reactions::{Cover, FlakSheet, Guard, Pairing, Pounce};

use crate::air_combat::Fighters;
use crate::anti_air;
use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::state::{Aloft, Mission, Phase, Sea, SquadronId, Stand, StandId, State, VesselId};
use crate::game::turn::Stop;
use crate::rule;
use crate::volley::{Motion, Target};
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Effect, Menu, Note, Prompt, Seat, Side};
use serde::{Deserialize, Serialize};

/// How far the phase has got: whose turn it is to fly a squadron.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlightStage {
    /// This side chooses a squadron and flies it.
    Next(Side),
    Fly(SquadronId),
}

/// Which air squadron flies now?
struct NextFlight<'a> {
    game: &'a FleetGame,
    side: Side,
    open: Vec<SquadronId>,
}

impl Menu for NextFlight<'_> {
    type Option = String;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("flight-squadron", "Which of your air squadrons flies now?", rule::S6_5)
    }

    fn options(&self) -> Vec<String> {
        self.open.iter().map(|id| self.game.battle.squad(*id).id.to_string()).collect()
    }

    fn label(&self, option: &String) -> String {
        let squads = &self.game.battle.squadrons;
        squads.iter().find(|squad| squad.id == **option).map_or_else(|| option.clone(), |squad| squad.name.clone())
    }

    // Bombers first, so that the escorts see where they go.
    fn instinct(&self, _: &mut flagplot_kernel::Chance) -> String {
        self.options().swap_remove(0)
    }
}

impl FleetGame {
    /// Stands that have left are taken off, and what was declared last turn is over. [C-14]
    pub(in crate::game) fn begin_aircraft(&self, sea: &mut Sea) -> Option<FlightStage> {
        for stand in &mut sea.stands {
            (stand.mission, stand.acted, stand.began) = (Mission::None, false, stand.aircraft);
            if stand.aloft == Aloft::Leaving {
                stand.aloft = Aloft::Gone;
            }
        }
        for squadron in &mut sea.squadrons {
            squadron.flown = false;
        }
        self.count_arming(sea);
        self.next_flight(sea, sea.first)
    }

    /// The side that flies next, if anything is left to fly: this one if it can, else the other.
    fn next_flight(&self, sea: &Sea, side: Side) -> Option<FlightStage> {
        let can = |side: &Side| self.unflown(sea, *side).next().is_some();
        [side, side.other()].into_iter().find(can).map(FlightStage::Next)
    }

    /// The squadrons of a side that have not flown and have a stand that can.
    fn unflown<'a>(&'a self, sea: &'a Sea, side: Side) -> impl Iterator<Item = SquadronId> + 'a {
        let all = (0..self.battle.squadrons.len()).map(|at| SquadronId(at as u8));
        all.filter(move |id| {
            let squad = self.battle.squad(*id);
            squad.side == side && !sea.squadron(*id).flown && squad.stands.iter().any(|stand| self.can_fly(sea, *stand))
        })
    }

    /// Whether a stand can be moved in this phase: it is in the air, or its turn to arrive has come and there is an
    /// enemy ship by which its place is reckoned. [C-14, C-53]
    pub(in crate::game) fn can_fly(&self, sea: &Sea, id: StandId) -> bool {
        let (stand, flight) = (sea.stand(id), self.battle.flight(id));
        let may_act = flight.placed.acts_from.is_none_or(|turn| sea.turn >= turn);
        match stand.aloft {
            _ if stand.aircraft < 1 || !may_act => false,
            Aloft::Airborne => true,
            Aloft::Awaited => self.arrives(sea, id),
            _ => false,
        }
    }

    /// Whether a stand that is awaited arrives now.
    pub(in crate::game) fn arrives(&self, sea: &Sea, id: StandId) -> bool {
        let flight = self.battle.flight(id);
        sea.stand(id).aloft == Aloft::Awaited
            && sea.turn >= flight.placed.arrives
            && self.enemies(sea, flight.side).next().is_some()
    }

    pub(in crate::game) fn step_aircraft(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let Phase::Aircraft(stage) = state.phase.clone() else { return Ok(()) };
        let squadron = match stage {
            FlightStage::Next(side) => {
                let open: Vec<SquadronId> = self.unflown(&state.sea, side).collect();
                let squadron = match open.as_slice() {
                    [] => {
                        self.after(Stop::Aircraft, state);
                        return Ok(());
                    }
                    [only] => *only,
                    _ => {
                        let menu = NextFlight { game: self, side, open };
                        let name = ask.decide(&menu)?;
                        let chosen = menu.open.iter().find(|id| self.battle.squad(**id).id == *name);
                        chosen.copied().unwrap_or(menu.open[0])
                    }
                };
                state.phase = Phase::Aircraft(FlightStage::Fly(squadron));
                return Ok(());
            }
            FlightStage::Fly(squadron) => squadron,
        };
        let sheet = FlightSheet { game: self, sea: &state.sea, squadron };
        let entries = ask.decide(&sheet)?;
        let plans = sheet.plans(&entries);
        for plan in plans {
            self.fly(&mut state.sea, &plan, ask);
        }
        state.sea.squadron_mut(squadron).flown = true;
        let side = self.battle.squad(squadron).side;
        match self.next_flight(&state.sea, side.other()) {
            Some(stage) => state.phase = Phase::Aircraft(stage),
            None => self.after(Stop::Aircraft, state),
        }
        Ok(())
    }

    /// What a stand can do in the air now. [1.4]
    pub(in crate::game) fn role(&self, sea: &Sea, id: StandId) -> Role {
        let (flight, loaded) = (self.battle.flight(id), sea.stand(id).loaded);
        match flight.aircraft.facts.role {
            AircraftRole::Fighter if loaded => Role::LoadedFighterBomber,
            AircraftRole::Fighter => Role::Fighter,
            AircraftRole::FighterBomber if loaded => Role::LoadedFighterBomber,
            AircraftRole::FighterBomber => Role::EmptyFighterBomber,
            AircraftRole::Bomber => Role::Other,
        }
    }

    /// A stand as air combat sees it. [9.15]
    pub(in crate::game) fn fighters(&self, sea: &Sea, id: StandId) -> Fighters {
        let (stand, ratings) = (sea.stand(id), &self.battle.flight(id).aircraft.ratings);
        Fighters {
            role: self.role(sea, id),
            stand: self.under_fire(sea, id),
            crew_quality: stand.crew_quality,
            intercept: ratings.intercept,
            dogfight_1: ratings.dogfight_1,
            dogfight_2: ratings.dogfight_2,
        }
    }

    /// A stand as flak sees it.
    pub(in crate::game) fn under_fire(&self, sea: &Sea, id: StandId) -> anti_air::Stand {
        let Stand { aircraft, flak, .. } = *sea.stand(id);
        anti_air::Stand { aircraft, hit_points: self.battle.flight(id).aircraft.ratings.hit_points, flak }
    }

    /// A vessel as air attacks see it.
    pub(in crate::game) fn air_target(&self, sea: &Sea, id: VesselId) -> Target {
        let (vessel, model) = (sea.vessel(id), self.battle.model(id));
        let land = model.sheet.is_air_base();
        Target {
            size: model.size(),
            splash: vessel.now.splash,
            motion: Motion { speed: vessel.speed, land },
            // Small craft have no steering value that could be lost.
            sv: if model.hull == Hull::Boats { 1 } else { vessel.now.sv },
        }
    }

    pub(in crate::game) fn stand_point(&self, sea: &Sea, id: StandId) -> Point {
        sea.stand(id).at.point()
    }

    /// Whether two points are in contact. [C-14]
    pub(in crate::game) fn contact(&self, a: Point, b: Point) -> bool {
        let reach = i64::from(self.battle.rules.reach.aircraft_contact);
        a.dist2(b) <= reach * reach
    }

    /// Aircraft are lost; the stand goes with its last one.
    pub(in crate::game) fn shoot_down(&self, sea: &mut Sea, id: StandId, lost: i32, ask: &mut impl Ask) {
        if lost < 1 {
            return;
        }
        let stand = sea.stand_mut(id);
        stand.aircraft = (stand.aircraft - lost).max(0);
        let left = stand.aircraft;
        if left == 0 {
            stand.aloft = Aloft::Gone;
        }
        let flight = self.battle.flight(id);
        ask.note(|| {
            let planes = if lost == 1 { "1 aircraft".to_owned() } else { format!("{lost} aircraft") };
            let rest = match left {
                0 => "none is left".to_owned(),
                1 => "1 is left".to_owned(),
                _ => format!("{left} are left"),
            };
            Note::new("aircraft-lost", format!("{} loses {planes}; {rest}", flight.name))
                .by(&[rule::S9_9])
                .pieces([&flight.id])
                .outcome(left)
                .effect(if left == 0 { Effect::Lost } else { Effect::Hit })
        });
    }
}
