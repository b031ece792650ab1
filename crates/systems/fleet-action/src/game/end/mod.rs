//! The End Phase. [6.7]
//!
//! Damage control, fires and fuel side by side, the holder of the initiative first; then morale, leaving, and the end
//! of the turn. What needs no die and no question takes no step of its own.

mod close;
mod insight;
mod leaving;
mod morale;
mod teams;

pub use teams::{Item, Shares};

use crate::critical::Harm;
use crate::end_phase::burn;
use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::state::{Phase, Sea, SquadronId, StandId, State, Vessel, VesselId};
use crate::rule;
use crate::ship_tests::FuelTest;
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Note, Side};
use serde::{Deserialize, Serialize};

/// The fires from which armed aircraft are in danger. [C-19]
const FIRES_AMONG_AIRCRAFT: i32 = 3;

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// A side shares out its teams.
    Teams(Side),
    /// Damage control, the first of these ships next.
    Control {
        side: Side,
        left: Vec<(VesselId, Shares)>,
    },
    Burning {
        side: Side,
        left: Vec<VesselId>,
    },
    /// Fires reach aircraft that are being armed. [C-19]
    Fuel {
        side: Side,
        left: Vec<VesselId>,
    },
    Ships(Vec<VesselId>),
    Squadrons(Vec<SquadronId>),
    Stands(Vec<StandId>),
    /// Shaken ships rally.
    Rally(Vec<VesselId>),
    /// Surprised squadrons hear of the battle. [C-50]
    Alert(Vec<SquadronId>),
    /// A side may let ships leave the sea.
    Leaving(Side),
    /// The turn ends.
    Close,
}

impl FleetGame {
    pub(in crate::game) fn begin_end(&self, sea: &mut Sea) -> Stage {
        Stage::Teams(sea.holder.unwrap_or(sea.first))
    }

    pub(in crate::game) fn step_end(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let Phase::End(stage) = &mut state.phase else { return Ok(()) };
        let sea = &mut state.sea;
        // One thing with a die or a question is done; then the phase goes on to the next such thing.
        let next = match stage {
            Stage::Teams(side) => {
                let side = *side;
                let left = self.share_teams(sea, side, ask)?;
                Stage::Control { side, left }
            }
            Stage::Control { side, left } => {
                if let Some((ship, shares)) = left.first().cloned() {
                    self.control_damage(sea, ship, &shares, ask)?;
                    left.remove(0);
                }
                Stage::Control { side: *side, left: std::mem::take(left) }
            }
            Stage::Burning { side, left } => {
                if let Some(&ship) = left.first() {
                    self.burn(sea, ship, ask)?;
                    left.remove(0);
                }
                Stage::Burning { side: *side, left: std::mem::take(left) }
            }
            Stage::Fuel { side, left } => {
                if let Some(&ship) = left.first() {
                    self.test_fuel(sea, ship, ask)?;
                    left.remove(0);
                }
                Stage::Fuel { side: *side, left: std::mem::take(left) }
            }
            Stage::Ships(left) => {
                if let Some(&ship) = left.first() {
                    self.ship_morale(sea, ship, ask)?;
                    left.remove(0);
                }
                Stage::Ships(std::mem::take(left))
            }
            Stage::Squadrons(left) => {
                if let Some(&squadron) = left.first() {
                    self.squadron_morale(sea, squadron, ask)?;
                    left.remove(0);
                }
                Stage::Squadrons(std::mem::take(left))
            }
            Stage::Stands(left) => {
                if let Some(&stand) = left.first() {
                    self.stand_morale(sea, stand, ask)?;
                    left.remove(0);
                }
                Stage::Stands(std::mem::take(left))
            }
            Stage::Rally(left) => {
                if let Some(&ship) = left.first() {
                    self.rally(sea, ship, ask)?;
                    left.remove(0);
                }
                Stage::Rally(std::mem::take(left))
            }
            Stage::Alert(left) => {
                if let Some(&squadron) = left.first() {
                    self.alert(sea, squadron, ask)?;
                    left.remove(0);
                }
                Stage::Alert(std::mem::take(left))
            }
            Stage::Leaving(side) => {
                let side = *side;
                self.ask_to_leave(sea, side, ask)?;
                self.after_leaving(sea, side)
            }
            Stage::Close => {
                self.close_turn(state, ask);
                return Ok(());
            }
        };
        // An explosion or a loss of control comes before what follows.
        let next = if sea.pending.is_empty() { self.pass_over(sea, next) } else { next };
        state.phase = Phase::End(next);
        Ok(())
    }

    /// Passes over stages in which nothing is left to do.
    fn pass_over(&self, sea: &mut Sea, mut stage: Stage) -> Stage {
        loop {
            stage = match stage {
                Stage::Teams(side) if self.under_control(sea, side).is_empty() => {
                    Stage::Control { side, left: Vec::new() }
                }
                Stage::Control { side, left } if left.is_empty() => {
                    Stage::Burning { side, left: self.ships_where(sea, side, |vessel| vessel.now.fires > 0) }
                }
                Stage::Burning { side, left } if left.is_empty() => {
                    let armed = |vessel: &Vessel| vessel.now.fires >= FIRES_AMONG_AIRCRAFT && vessel.now.rearming > 0;
                    let mut left = self.ships_where(sea, side, armed);
                    left.retain(|ship| self.battle.model(*ship).sheet.kind == Kind::Carrier);
                    Stage::Fuel { side, left }
                }
                Stage::Fuel { side, left } if left.is_empty() => {
                    let first = sea.holder.unwrap_or(sea.first);
                    if side == first { Stage::Teams(side.other()) } else { Stage::Ships(self.shaken_by_damage(sea)) }
                }
                Stage::Ships(left) if left.is_empty() => Stage::Squadrons(self.squadrons_to_test(sea)),
                Stage::Squadrons(left) if left.is_empty() => Stage::Stands(self.stands_to_test(sea)),
                Stage::Stands(left) if left.is_empty() => Stage::Rally(self.to_rally(sea)),
                Stage::Rally(left) if left.is_empty() => Stage::Alert(self.to_alert(sea)),
                Stage::Alert(left) if left.is_empty() => Stage::Leaving(sea.holder.unwrap_or(sea.first)),
                Stage::Leaving(side) if self.leavers(sea, side).is_empty() => self.after_leaving(sea, side),
                other => return other,
            };
        }
    }

    fn after_leaving(&self, sea: &Sea, side: Side) -> Stage {
        if side == sea.holder.unwrap_or(sea.first) { Stage::Leaving(side.other()) } else { Stage::Close }
    }

    /// Ships of a side in play of which something is true; small craft neither burn nor are repaired.
    fn ships_where(&self, sea: &Sea, side: Side, holds: impl Fn(&Vessel) -> bool) -> Vec<VesselId> {
        let of_side = |id: VesselId| self.battle.member(id).side == side && self.battle.model(id).hull != Hull::Boats;
        sea.all().filter(|(id, vessel)| of_side(*id) && vessel.in_play() && holds(vessel)).map(|(id, _)| id).collect()
    }

    /// Fires eat a ship. [C-20]
    fn burn(&self, sea: &mut Sea, ship: VesselId, ask: &mut impl Ask) -> Asked<()> {
        if !sea.vessel(ship).in_play() {
            return Ok(());
        }
        self.announce(ship, "Fires aboard", ask);
        let sheet = self.sheet_at(sea, ship);
        let (mut now, extra) = self.as_today(sea, ship);
        let harm = burn(&self.battle.rules, &sheet, &mut now, ask)?;
        drop(sheet);
        self.settle(sea, ship, now, harm, extra, ask);
        Ok(())
    }

    /// A burning carrier with aircraft being armed. [C-19]
    fn test_fuel(&self, sea: &mut Sea, ship: VesselId, ask: &mut impl Ask) -> Asked<()> {
        if !sea.vessel(ship).in_play() {
            return Ok(());
        }
        ask.note(|| {
            let member = self.battle.member(ship);
            let text = format!("Fires reach the aircraft being armed aboard {}", member.name);
            Note::new("fuel", text).by(&[rule::C_19]).pieces([&member.id])
        });
        let sheet = &self.battle.model(ship).sheet;
        let (mut now, extra) = self.as_today(sea, ship);
        let test = FuelTest::new(&self.battle.rules, now.fires, now.rearming, sheet.weakness.poor_carrier_safety);
        let (outcome, fires) = test.roll(ask)?;
        let mut harm = Harm::default();
        now.fires += fires;
        if outcome == FuelOutcome::Explosion {
            now.status = Status::Exploded;
            harm.explosion_dice = sheet.explosion_dice();
        }
        self.settle(sea, ship, now, harm, extra, ask);
        Ok(())
    }
}
