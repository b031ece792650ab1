//! The end of the turn: markers, wrecks, reloads, squalls, and whether there is another one. [6.7, C-42]

use crate::game::FleetGame;
use crate::game::state::*;
use crate::game::turn::Stop;
use crate::geometry::{Heading, Place, Position};
use crate::rule;
use crate::words::Status;
use flagplot_kernel::{Ask, Note, Side};

impl FleetGame {
    /// Clears the table and begins the next turn, or ends the battle.
    pub(super) fn close_turn(&self, state: &mut State, ask: &mut impl Ask) {
        let sea = &mut state.sea;
        self.ready_stands(sea);
        self.clear_markers(sea, ask);
        self.drift(sea);
        let last = self.battle.scenario.turns;
        let beaten = Side::BOTH.into_iter().find(|side| !self.fights_on(sea, *side));
        if sea.turn >= last || beaten.is_some() {
            ask.note(|| {
                let text = match beaten {
                    Some(side) => {
                        format!("{} has nothing left that fights: the battle is over", self.battle.side_name(side))
                    }
                    None => format!("Turn {last} was the last: the battle is over"),
                };
                Note::new("over", text).by(&[rule::C_24])
            });
            ask.note(|| {
                let outcome = self.verdict(sea);
                Note::new("verdict", outcome.summary).by(&[rule::C_49, rule::C_24]).outcome(outcome.level)
            });
            state.phase = Phase::Over;
            return;
        }
        self.begin_turn(sea);
        ask.note(|| Note::new("turn", format!("Turn {}", sea.turn)).by(&[rule::S6_7]).outcome(sea.turn));
        self.after(Stop::End, state);
    }

    /// Splashes, flak and star shell go; wrecks of the last turn sink; tubes are loaded again. [C-42, 5.5]
    fn clear_markers(&self, sea: &mut Sea, ask: &mut impl Ask) {
        let turn = sea.turn;
        for (vessel, member) in sea.vessels.iter_mut().zip(&self.battle.vessels) {
            vessel.now.splash = 0;
            vessel.star_lit = false;
            let old = vessel.now.status == Status::Wreck && vessel.lost_on.is_some_and(|on| on < turn);
            if old && vessel.placed {
                vessel.placed = false;
                ask.note(|| {
                    let text = format!("The wreck of {} goes down", member.name);
                    Note::new("wreck-gone", text).by(&[rule::C_42]).pieces([&member.id])
                });
            }
            let lost = vessel.now.torpedoes_lost;
            let (due, later) = std::mem::take(&mut vessel.reloads).into_iter().partition(|(_, on)| *on <= turn);
            vessel.reloads = later;
            let due: Vec<(u8, i32)> = due;
            for (mount, _) in due {
                let bit = 1_u32 << mount.min(31);
                if lost & bit == 0 {
                    vessel.loaded |= bit;
                    vessel.reloaded |= bit;
                }
            }
        }
        for stand in &mut sea.stands {
            stand.flak = 0;
        }
        let gone: Vec<VesselId> = sea.all().filter(|(_, vessel)| !vessel.in_play()).map(|(id, _)| id).collect();
        sea.screens.retain(|screen| !gone.contains(&screen.by));
    }

    /// Squalls move. [C-50]
    fn drift(&self, sea: &mut Sea) {
        let Some(drift) = self.battle.scenario.drift else { return };
        let heading = Heading::new(&self.battle.rules, drift.heading).unwrap_or_default();
        for squall in &mut sea.squalls {
            let moved = Position { at: *squall, heading }.ahead(drift.mm.into());
            *squall = Place { ..moved.at };
        }
    }

    /// Whether a side has an unbroken ship or a stand left, contacts and arrivals still to come counted. [C-24]
    pub(in crate::game) fn fights_on(&self, sea: &Sea, side: Side) -> bool {
        let ships = sea.all().any(|(id, vessel)| {
            self.battle.member(id).side == side && vessel.now.afloat() && !vessel.left && vessel.mood != Mood::Broken
        });
        let stands = || {
            sea.all_stands().any(|(id, stand)| {
                self.battle.flight(id).side == side && stand.aircraft > 0 && stand.aloft != Aloft::Gone
            })
        };
        ships || stands()
    }

    /// What is counted by the turn begins anew.
    fn begin_turn(&self, sea: &mut Sea) {
        sea.turn += 1;
        sea.arrived.clear();
        for vessel in &mut sea.vessels {
            vessel.ledger = Ledger::default();
            vessel.began = (vessel.now.f, vessel.now.s);
        }
        for stand in &mut sea.stands {
            stand.began = stand.aircraft;
            stand.acted = false;
        }
        for at in 0..sea.squadrons.len() {
            let began = self.members(sea, SquadronId(at as u8));
            let squadron = &mut sea.squadrons[at];
            squadron.began = began;
            (squadron.moved, squadron.flown, squadron.acted) = (false, false, false);
        }
        for marker in &mut sea.markers {
            (marker.moved, marker.acted) = (false, false);
        }
    }
}
