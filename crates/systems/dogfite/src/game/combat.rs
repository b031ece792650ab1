//! Fire, and what it does. (Combat; R-3)

use super::Dogfight;
use super::choices::{FireChoice, FireOption, PipChoice, ReasonToHold};
use super::state::{CraftId, Phase, Shots, State};
use crate::critical;
use crate::damage;
use crate::fire::{self, Gun, RangeReason};
use crate::refusals::Barred;
use crate::rule;
use crate::scenario::{Special, SpecialKind};
use crate::victory::{self, Tallied, Winner};
use crate::words::{Flight, Pip, Status};
use flagplot_kernel::{Ask, Asked, Effect, Note};

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

    /// Why a pilot may want his target alive. Fire costs nothing, so without such a reason nobody is asked. (C-10)
    fn reason_to_hold(&self, state: &State, id: CraftId, prey: CraftId) -> Option<ReasonToHold> {
        let own = self.side(id);
        let ours = |special: &&Special| special.side == own && special.kind != SpecialKind::DrawGoesTo;
        let worth =
            |special: &Special| (special.aircraft.as_deref() == Some(self.who(prey).id)).then_some(special.points);
        let ours = || self.scenario.special.iter().filter(ours);
        let dead = Tallied { status: Status::Destroyed, ..self.tallied(state, prey) };
        if ours().filter_map(worth).sum::<i64>() > victory::points_for(&self.rules.points, &dead) {
            return Some(ReasonToHold::WorthMoreAlive);
        }
        let alone = state.in_play().all(|other| other == prey || self.side(other) == own);
        let unearned = |special: &Special| {
            let craft = special.aircraft.as_ref().and_then(|id| self.find(id));
            special.kind != SpecialKind::Survive && craft.is_some_and(|craft| state.get(craft).in_play())
        };
        if !alone || !ours().any(unearned) {
            return None;
        }
        let mut after = state.clone();
        after.remove(prey, Status::Destroyed);
        let wins = Winner::from(own) == self.current_score(&after).winner;
        (!wins).then_some(ReasonToHold::EndsTheGame)
    }

    /// The next aircraft, in the order of movement, fires if it may and will.
    pub(super) fn next_fire(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        while let Some(&id) = state.order.moved().get(usize::from(state.fired)) {
            state.fired += 1;
            if let Ok((gun, prey)) = self.may_fire(state, id) {
                let reason = self.reason_to_hold(state, id, prey);
                let holds = match reason {
                    None => false,
                    Some(reason) => ask.decide(&FireChoice { game: self, state, who: id, reason })? == FireOption::Hold,
                };
                if holds {
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
        let mut shots = Shots { by: id, at: prey, hits: 0, criticals: 0 };
        let mut rolled = Vec::new();
        for _ in 0..self.info(id).ratings.guns {
            let dice = fire::gun_dice(who, ask)?;
            let pip =
                if gun.has_pips(dice) { ask.decide(&PipChoice { game: self, who: id, gun, dice })? } else { Pip::None };
            let burst = gun.score(&self.rules.tables, dice, pip);
            shots.hits += burst.hits;
            shots.criticals += burst.criticals;
            rolled.push((dice, pip));
        }
        ask.note(|| {
            let at = self.who(prey);
            Note::new("fire", format!("{who} fires at {at}: {}.", fire::told(shots.hits, shots.criticals)))
                .by(&[rule::FIRE, rule::R_3])
                .outcome(shots.hits)
                .pieces([who.id])
                .on([at.id])
                .effect(Effect::of(shots.hits + shots.criticals))
        });
        fire::note_range(&fire::range(&self.rules.tables, &state.get(id).position, &state.get(prey).position), ask);
        for (dice, pip) in rolled {
            fire::burst(gun, dice, pip, who, &self.rules.tables, ask);
        }
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
                self.destroy(state, shots.at, "is shot down", &[], ask);
            }
        }
        state.phase = Phase::End;
        Ok(())
    }
}
