//! Spins, and the end of a move: engine, stress, stall. (7.4, 7.5, 8.6)

use super::Dogfight;
use super::choices::{EngineChoice, EngineOption, Recover, RecoverOption};
use super::moves::Done;
use super::state::{CraftId, Mover, Stage, State};
use crate::bet;
use crate::ending::{self, Ender};
use crate::flight::{self, SpinBet};
use crate::rule;
use crate::tables::{StallEffect, bet_row};
use crate::words::{Engine, Flight, Pitch};
use flagplot_kernel::{Ask, Asked, Note};

impl Dogfight {
    /// A try at going into a spin. (8.6; R-65)
    pub(super) fn try_spin(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Asked<Done> {
        let name = self.name(mover.who);
        let harm = state.get(mover.who).harm;
        mover.spin_tried = true;
        let rolled = flight::spin(
            &self.rules.tables,
            SpinBet::Enter,
            self.flying(state, mover.who),
            harm.control_penalty,
            name,
            ask,
        )?;
        let cost = -self.rules.tables.bet.cell(bet_row::SPEED, rolled.level);
        if rolled.won() {
            mover.tally.add_bet(&self.rules.tables, rolled.level, cost, false, None);
            self.enter_spin(state, mover.who, ask);
            let (_, stress) =
                ending::stress_if_due(&self.rules.tables, &mover.tally, 0, &self.ender(state, mover.who), ask)?;
            self.apply_stress(state, mover.who, stress, ask);
            return Ok(Done::Yes);
        }
        let failure = bet::failure(&self.rules.tables, rolled.target_number - rolled.modified, name, ask)?;
        mover.tally.add_bet(&self.rules.tables, rolled.level, cost + failure.speed, false, failure.stress);
        let craft = state.get_mut(mover.who);
        craft.edge = craft.edge.map(|edge| edge - failure.edge);
        if failure.cut > 1 {
            craft.position.pitch = Pitch::Diving;
        }
        Ok(Done::No)
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
            Note::new("spins", format!("{} spins.", self.title(id)))
                .by(&[rule::SPIN, rule::R_38, rule::R_58])
                .pieces([self.name(id)])
        });
    }

    fn ender<'a>(&'a self, state: &State, id: CraftId) -> Ender<'a> {
        let harm = &state.get(id).harm;
        Ender {
            who: self.name(id),
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
                self.destroy(state, id, "breaks up in the air", ask);
            }
        }
    }

    /// Power or drag, stress, stall: the end of the move. (7.4, 7.5; R-2)
    pub(super) fn engine(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Asked<Done> {
        let choice = EngineChoice { game: self, state, mover };
        let options = choice.options();
        let chosen = match options.as_slice() {
            [only] => *only,
            _ => ask.decide(&choice)?,
        };
        let engine = match chosen {
            EngineOption::Power => Engine::Power,
            EngineOption::Drag => Engine::Drag,
            EngineOption::None => Engine::None,
            EngineOption::Spin => {
                let done = self.try_spin(state, mover, ask)?;
                if let Done::Yes = done {
                    mover.stage = Stage::Steps; // It ended before the engine had its say.
                }
                return Ok(done);
            }
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
                    Note::new("stalls", format!("{} stalls.", self.title(id)))
                        .by(&[rule::STALL, rule::R_37])
                        .pieces([self.name(id)])
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
            RecoverOption::Try => Some(flight::spin(
                &self.rules.tables,
                SpinBet::Recover,
                self.flying(state, id),
                state.get(id).harm.control_penalty,
                self.name(id),
                ask,
            )?),
        };
        let recovered = rolled.is_some_and(|rolled| rolled.won());
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
        let (_, stress) = ending::stress_if_due(&self.rules.tables, &mover.tally, 0, &self.ender(state, id), ask)?;
        self.apply_stress(state, id, stress, ask);
        Ok(Done::Yes)
    }

    /// Power after a recovery; no drag and no stall check.
    pub(super) fn recovered(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Asked<Done> {
        let id = mover.who;
        let choice = EngineChoice { game: self, state, mover };
        let options = choice.options();
        let chosen = match options.as_slice() {
            [only] => *only,
            _ => ask.decide(&choice)?,
        };
        let harm = state.get(id).harm;
        let speed = match chosen {
            EngineOption::Power => {
                let power = mover.tally.power(&self.info(id).ratings, harm.power_penalty, harm.engine_destroyed);
                flight::power(&self.rules.tables, &power, self.name(id), ask)?.speed
            }
            _ => mover.tally.speed,
        };
        state.get_mut(id).speed = speed;
        let (_, stress) = ending::stress_if_due(&self.rules.tables, &mover.tally, speed, &self.ender(state, id), ask)?;
        self.apply_stress(state, id, stress, ask);
        Ok(Done::Yes)
    }
}
