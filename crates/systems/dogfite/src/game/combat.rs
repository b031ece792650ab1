//! Fire, and what it does. (Combat; R-3)

use super::Dogfight;
use super::choices::{FireChoice, FireOption, PipChoice};
use super::state::{CraftId, Phase, Shots, State};
use crate::critical;
use crate::damage;
use crate::fire::{self, Gun, RangeReason};
use crate::rule;
use crate::words::{Flight, Pip};
use flagplot_kernel::{Ask, Asked, Note, Refusal};

impl Dogfight {
    /// The gun an aircraft would fire with and its target, or why it may not fire. (9.1, 9.2; R-46)
    pub fn may_fire(&self, state: &State, id: CraftId) -> Result<(Gun, CraftId), Refusal> {
        let refuse = |code, text: &str, rule| Err(Refusal::new(code, text).by(rule));
        let craft = state.get(id);
        if !craft.in_play() || craft.flight == Flight::Spinning {
            return refuse("no-target", "It is spinning or not in play.", rule::R_58);
        }
        let Some(prey) = state.prey(self, id) else {
            return refuse(
                "no-target",
                "It has no enemy target.",
                if craft.target.is_some() { rule::R_11 } else { rule::FIRE },
            );
        };
        let edge = craft.edge.unwrap_or(0);
        if edge < 1 {
            return refuse("no-edge", "Fire needs an edge of at least 1.", rule::R_46);
        }
        let range = fire::range(&self.rules.tables, &craft.position, &state.get(prey).position);
        match (range.reason, range.in_reach()) {
            (RangeReason::NotFacing, _) => refuse("not-facing", "Its nose points elsewhere.", rule::R_43),
            (_, Some(half_hexes)) => Ok((
                Gun {
                    edge,
                    firing_rating: self.info(id).ratings.firing,
                    shooting: self.shooting(state, id),
                    half_hexes,
                },
                prey,
            )),
            _ => refuse("out-of-gun-range", "The target is out of range.", rule::RANGE),
        }
    }

    /// The next of those who have moved: fires if it may and will.
    pub(super) fn next_fire(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        while let Some(&id) = state.order.moved().get(usize::from(state.fired)) {
            state.fired += 1;
            if let Ok((gun, prey)) = self.may_fire(state, id) {
                if ask.decide(&FireChoice { game: self, state, who: id })? == FireOption::Hold {
                    let name = self.name(id);
                    ask.note(|| {
                        Note::new("holds", format!("{name} holds its fire."))
                            .by(&[rule::FIRE, rule::R_3])
                            .pieces([name])
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
        let name = self.name(id);
        fire::note_range(&fire::range(&self.rules.tables, &state.get(id).position, &state.get(prey).position), ask);
        let mut shots = Shots { by: id, at: prey, hits: 0, criticals: 0 };
        for _ in 0..self.info(id).ratings.guns {
            let dice = fire::gun_dice(name, ask)?;
            let pip = if gun.pips(dice).len() > 1 {
                ask.decide(&PipChoice { game: self, who: id, gun, dice })?
            } else {
                Pip::None
            };
            let burst = gun.score(&self.rules.tables, dice, pip);
            fire::note_burst(gun, &burst, dice, name, &self.rules.tables, ask);
            shots.hits += burst.hits;
            shots.criticals += burst.criticals;
        }
        ask.note(|| {
            Note::new(
                "fire",
                format!(
                    "{} fires at {}: {} hits, {} criticals.",
                    self.title(id),
                    self.title(prey),
                    shots.hits,
                    shots.criticals
                ),
            )
            .by(&[rule::FIRE, rule::R_3])
            .outcome(shots.hits)
            .pieces([name, self.name(prey)])
        });
        state.shots.push(shots);
        Ok(())
    }

    /// All hits and criticals, in the order the firers moved. Nothing more is rolled against an aircraft once it is lost.
    pub(super) fn hits(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        for shots in std::mem::take(&mut state.shots) {
            if !state.get(shots.at).in_play() {
                continue;
            }
            let name = self.name(shots.at);
            let harm = &mut state.get_mut(shots.at).harm;
            let without_box = damage::hits(&mut harm.boxes, shots.hits, name, ask);
            let mut lost = without_box > 0 || harm.boxes.used_up();
            for _ in 0..shots.criticals {
                if lost {
                    break;
                }
                lost = critical::strike(&self.rules.tables, harm, name, ask)?.destroyed;
            }
            if lost {
                self.destroy(state, shots.at, "is shot down", ask);
            }
        }
        state.phase = Phase::End;
        Ok(())
    }
}
