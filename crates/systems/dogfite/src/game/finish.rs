//! Spins, and the end of a move: engine, stress, stall. (7.4, 7.5, 8.6)

use super::Dogfight;
use super::choices::{EngineChoice, EngineOption, Recover, RecoverOption};
use super::moves::Done;
use super::state::{CraftId, Mover, Stage, State};
use crate::ending::{self, Ender};
use crate::flight::{self, SpinBet, SpinRoll};
use crate::rule;
use crate::tables::StallEffect;
use crate::words::{Engine, Flight, Pitch};
use flagplot_kernel::{Ask, Asked, Note};

impl Dogfight {
    /// A try at going into a spin. (8.6; R-65)
    pub(super) fn try_spin(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Asked<Done> {
        mover.spin_tried = true;
        let tables = &self.rules.tables;
        let spin = self.spin(state, mover.who, SpinBet::Enter, ask)?;
        let stress = spin.failure.as_ref().and_then(|failure| failure.stress);
        mover.tally.add_bet(tables, spin.level, spin.speed_loss(tables), false, stress);
        let Some(failure) = &spin.failure else {
            self.enter_spin(state, mover.who, ask);
            self.stress_if_due(state, mover, 0, ask)?;
            return Ok(Done::Yes);
        };
        let craft = state.get_mut(mover.who);
        craft.edge = craft.edge.map(|edge| edge - failure.edge);
        if spin.half_dive() {
            craft.position.pitch = Pitch::Diving;
        }
        Ok(Done::No)
    }

    /// The bet to enter a spin or to recover from one, as this pilot rolls it.
    pub(super) fn spin(&self, state: &State, id: CraftId, action: SpinBet, ask: &mut impl Ask) -> Asked<SpinRoll> {
        let penalty = state.get(id).harm.control_penalty;
        flight::spin(&self.rules.tables, action, self.flying(state, id), penalty, self.who(id), ask)
    }

    /// Into the middle, level, without speed or target.
    fn enter_spin(&self, state: &mut State, id: CraftId, ask: &mut impl Ask) {
        state.lose_target(id);
        let craft = state.get_mut(id);
        craft.position.facing = None;
        craft.position.pitch = Pitch::Level;
        craft.speed = 0;
        craft.flight = Flight::Spinning;
        ask.note(|| {
            let who = self.who(id);
            Note::new("spins", format!("{who} goes into a spin."))
                .by(&[rule::SPIN, rule::R_38, rule::R_58])
                .pieces([who.id])
        });
    }

    /// An aircraft at the end of its move.
    pub(super) fn ender(&self, state: &State, id: CraftId) -> Ender<'_> {
        let harm = &state.get(id).harm;
        Ender {
            who: self.who(id),
            ratings: &self.info(id).ratings,
            flying: self.flying(state, id),
            power_penalty: harm.power_penalty,
            boxes: harm.boxes,
        }
    }

    fn apply_stress(&self, state: &mut State, id: CraftId, stress: Option<flight::Stress>, ask: &mut impl Ask) {
        if let Some(stress) = stress {
            state.get_mut(id).harm.boxes = stress.boxes;
            if stress.destroyed {
                self.destroy(state, id, "breaks up in the air", &[], ask);
            }
        }
    }

    fn stress_if_due(&self, state: &mut State, mover: &Mover, speed: i32, ask: &mut impl Ask) -> Asked<()> {
        let ender = self.ender(state, mover.who);
        let (_, stress) = ending::stress_if_due(&self.rules.tables, &mover.tally, speed, &ender, ask)?;
        self.apply_stress(state, mover.who, stress, ask);
        Ok(())
    }

    /// The engine's choice, if there is one.
    fn engine_option(&self, state: &State, mover: &Mover, ask: &mut impl Ask) -> Asked<EngineOption> {
        let choice = EngineChoice { game: self, state, mover };
        match choice.only() {
            Some(only) => Ok(only),
            None => ask.decide(&choice),
        }
    }

    /// Power or drag, stress, stall: the end of the move. (7.4, 7.5; R-2)
    pub(super) fn engine(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Asked<Done> {
        let Some(engine) = self.engine_option(state, mover, ask)?.engine() else {
            let done = self.try_spin(state, mover, ask)?;
            if let Done::Yes = done {
                mover.stage = Stage::Steps; // The move ended before power or drag.
            }
            return Ok(done);
        };
        let ended = ending::settle(&self.rules.tables, &mover.tally, engine, &self.ender(state, mover.who), ask)?;
        let id = mover.who;
        self.apply_stress(state, id, ended.stress, ask);
        if !state.get(id).in_play() {
            return Ok(Done::Yes);
        }
        state.get_mut(id).speed = ended.speed();
        match ended.stall_effect() {
            StallEffect::None => state.get_mut(id).flight = Flight::Flying,
            StallEffect::Stall => {
                state.lose_target(id);
                let craft = state.get_mut(id);
                craft.position.pitch = Pitch::Diving;
                craft.flight = Flight::Stalled;
                ask.note(|| {
                    let who = self.who(id);
                    Note::new("stalls", format!("{who} stalls.")).by(&[rule::STALL, rule::R_37]).pieces([who.id])
                });
            }
            StallEffect::Spin => self.enter_spin(state, id, ask),
        }
        Ok(Done::Yes)
    }

    /// The move of a spinning aircraft. (8.6)
    pub(super) fn spinning(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Asked<Done> {
        let id = mover.who;
        let wanted = ask.decide(&Recover { game: self, state, who: id })?;
        let rolled = match wanted {
            RecoverOption::KeepSpinning => None,
            RecoverOption::Try => Some(self.spin(state, id, SpinBet::Recover, ask)?),
        };
        let recovered = rolled.as_ref().is_some_and(SpinRoll::won);
        let (speed, level) = flight::after_spinning(recovered, Some(state.get(id).position.level), ask);
        let craft = state.get_mut(id);
        craft.position.level = level.unwrap_or(0);
        craft.speed = speed;
        if let Done::Yes = self.crash_check(state, mover, ask) {
            return Ok(Done::Yes);
        }
        mover.tally = ending::Tally::new(speed);
        if let Some(rolled) = rolled {
            mover.tally.highest_bet = Some(rolled.level);
            (mover.tally.power, mover.tally.passed_by_three) = rolled.power(&self.rules.tables);
        }
        if recovered {
            state.get_mut(id).flight = Flight::Flying;
            mover.stage = Stage::Recovered;
            return Ok(Done::No);
        }
        self.stress_if_due(state, mover, 0, ask)?;
        Ok(Done::Yes)
    }

    /// Power after a recovery; no drag and no stall check.
    pub(super) fn recovered(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Asked<Done> {
        let id = mover.who;
        let chosen = self.engine_option(state, mover, ask)?.engine();
        let speed = if chosen == Some(Engine::Power) {
            let harm = &state.get(id).harm;
            let power = mover.tally.power(&self.info(id).ratings, harm.power_penalty, harm.engine_destroyed);
            flight::power(&self.rules.tables, &power, self.who(id), ask)?.speed
        } else {
            mover.tally.speed
        };
        state.get_mut(id).speed = speed;
        self.stress_if_due(state, mover, speed, ask)?;
        Ok(Done::Yes)
    }
}
