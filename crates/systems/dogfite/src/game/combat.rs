//! Fire, and what it does. (Combat; R-3)

use super::Dogfight;
use super::choices::{FireChoice, FireOption, PipChoice};
use super::state::{CraftId, Phase, Shots, State};
use crate::critical;
use crate::damage;
use crate::fire::{self, Gun, RangeReason};
use crate::refusals::Barred;
use crate::rule;
use crate::words::{Flight, Pip};
use flagplot_kernel::{Ask, Asked, Note};

impl Dogfight {
    /// The gun an aircraft would fire with and its target, or why it may not fire. (9.1, 9.2; R-46)
    pub(super) fn may_fire(&self, state: &State, id: CraftId) -> Result<(Gun, CraftId), Barred> {
        let craft = state.get(id);
        if !craft.in_play() || craft.flight == Flight::Spinning {
            return Err(Barred::CannotFire);
        }
        let none = if craft.target.is_some() { Barred::FriendlyTarget } else { Barred::NothingToFireAt };
        let prey = state.prey(self, id).ok_or(none)?;
        let edge = craft.edge.filter(|edge| *edge > 0).ok_or(Barred::NoEdge)?;
        let range = fire::range(&self.rules.tables, &craft.position, &state.get(prey).position);
        match (range.reason, range.in_reach()) {
            (RangeReason::NotFacing, _) => Err(Barred::NotFacing),
            (_, Some(half_hexes)) => Ok((self.gun(state, id, edge, half_hexes), prey)),
            _ => Err(Barred::OutOfRange),
        }
    }

    pub(super) fn gun(&self, state: &State, id: CraftId, edge: i32, half_hexes: i32) -> Gun {
        Gun { edge, firing_rating: self.info(id).ratings.firing, shooting: self.shooting(state, id), half_hexes }
    }

    /// The next aircraft, in the order of movement, fires if it may and will.
    pub(super) fn next_fire(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        while let Some(&id) = state.order.moved().get(usize::from(state.fired)) {
            state.fired += 1;
            if let Ok((gun, prey)) = self.may_fire(state, id) {
                if ask.decide(&FireChoice { game: self, state, who: id })? == FireOption::Hold {
                    let who = self.who(id);
                    ask.note(|| {
                        Note::new("holds", format!("{who} holds fire.")).by(&[rule::FIRE, rule::R_3]).pieces([who.id])
                    });
                    return Ok(());
                }
                return self.fire(state, id, &gun, prey, ask);
            }
        }
        state.phase = Phase::Hits;
        Ok(())
    }

    /// One aircraft's guns. What they do is applied when all have fired.
    fn fire(&self, state: &mut State, id: CraftId, gun: &Gun, prey: CraftId, ask: &mut impl Ask) -> Asked<()> {
        let who = self.who(id);
        fire::note_range(&fire::range(&self.rules.tables, &state.get(id).position, &state.get(prey).position), ask);
        let mut shots = Shots { by: id, at: prey, hits: 0, criticals: 0 };
        for _ in 0..self.info(id).ratings.guns {
            let dice = fire::gun_dice(who, ask)?;
            let pip =
                if gun.has_pips(dice) { ask.decide(&PipChoice { game: self, who: id, gun, dice })? } else { Pip::None };
            let burst = fire::burst(gun, dice, pip, who, &self.rules.tables, ask);
            shots.hits += burst.hits;
            shots.criticals += burst.criticals;
        }
        ask.note(|| {
            let at = self.who(prey);
            Note::new("fire", format!("{who} fires at {at}: {}.", fire::told(shots.hits, shots.criticals)))
                .by(&[rule::FIRE, rule::R_3])
                .outcome(shots.hits)
                .pieces([who.id, at.id])
        });
        state.shots.push(shots);
        Ok(())
    }

    /// All hits and criticals, in the order the firers moved. Nothing more is rolled against an aircraft once it is
    /// lost.
    pub(super) fn hits(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        for shots in std::mem::take(&mut state.shots) {
            if !state.get(shots.at).in_play() {
                continue;
            }
            let who = self.who(shots.at);
            let harm = &mut state.get_mut(shots.at).harm;
            let without_box = damage::hits(&mut harm.boxes, shots.hits, who, ask);
            let mut lost = without_box > 0 || harm.boxes.used_up();
            for _ in 0..shots.criticals {
                if lost {
                    break;
                }
                lost = critical::strike(&self.rules.tables, harm, who, ask)?.destroyed;
            }
            if lost {
                self.destroy(state, shots.at, "is shot down", ask);
            }
        }
        state.phase = Phase::End;
        Ok(())
    }
}
