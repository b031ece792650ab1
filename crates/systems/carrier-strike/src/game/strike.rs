//! Strikes on the carrier group.

use super::CarrierGame;
use super::choices::StrikeNextChoice;
use super::flight_choices::{PathChoice, PathUse};
use super::piece::{Order, SquadronId, Squads};
use super::stances::StanceChoice;
use super::state::{ActKind, Phase, State};
use crate::combat::Striker;
use crate::rule;
use crate::walk::Waypoints;
use crate::words::{Role, Status};
use flagplot_kernel::{Ask, Asked, Note};

impl CarrierGame {
    /// A strike sets out. [Strike], R-34
    pub(super) fn declare_strike(&self, state: &mut State, squadrons: Order, path: &Waypoints, ask: &mut impl Ask) {
        state.act.kind = ActKind::Strike;
        state.act.group = squadrons.iter().copied().collect();
        state.act.allowance = self.book.speeds.strike_approach;
        for id in &squadrons {
            self.prove_real(state, *id);
        }
        ask.note(|| {
            Note::new("strike-sets-out", format!("{} strike.", state.act.group.names()))
                .by(&[rule::STRIKE, rule::R_34, rule::R_46, rule::R_62])
                .pieces(squadrons.iter())
        });
        state.act.order = squadrons;
        self.begin_path(state, path, ask);
    }

    /// The strike has reached the card.
    pub(super) fn begin_strikes(&self, state: &mut State, ask: &mut impl Ask) {
        ask.note(|| {
            Note::new("over-the-target", format!("{} are over the target.", state.act.group.names()))
                .by(&[rule::STRIKE_ATTACK, rule::R_60])
                .pieces(state.act.group.iter())
        });
        self.more_strikes(state);
    }

    /// Asks on until told to stop, the carrier is gone or everybody has struck.
    fn more_strikes(&self, state: &mut State) {
        let left = state.act.group.without(state.act.struck);
        let target = self.strike_target(state, state.phasing).is_some();
        state.phase = if target && !left.is_empty() { Phase::StrikeNext } else { Phase::AfterStrike };
        if state.phase == Phase::AfterStrike {
            self.strikes_done(state);
        }
    }

    fn strikes_done(&self, state: &mut State) {
        state.act.group = state.act.group.iter().filter(|id| state[*id].up()).collect();
        state.phase = if state.act.group.is_empty() { Phase::Finish } else { Phase::AfterStrike };
    }

    /// Squadrons that can strike now; the last fuel is no bar any more.
    pub(super) fn can_strike(&self, state: &State) -> Squads {
        let able = |id: &SquadronId| state[*id].role == Some(Role::Strike) && state[*id].ordnance == Some(true);
        state.act.group.without(state.act.struck).iter().filter(able).collect()
    }

    pub(super) fn strike_next(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let chosen =
            ask.decide(&StrikeNextChoice { game: self, state, side: state.phasing, able: self.can_strike(state) })?;
        match chosen.strike {
            Some(id) => {
                self.mark_detected(state, id);
                self.show_strength(state, id);
                state[id].shown_role = Some(Role::Strike);
                state.phase = Phase::StrikeRun(id);
            }
            None => self.strikes_done(state),
        }
        Ok(())
    }

    /// One squadron attacks. [Strike 1-6]
    pub(super) fn strike_run(&self, state: &mut State, id: SquadronId, ask: &mut impl Ask) -> Asked<()> {
        let owner = id.side().other();
        let [pilots, gunners] = self.both_stances(
            state,
            ask,
            StanceChoice::striking(self, state, id),
            StanceChoice::gunners(self, state, owner, id),
        )?;
        let striker = Striker {
            strength: state[id].strength,
            kamikaze: self.kamikaze.has(id),
            stance: pilots.stance,
            markers: pilots.markers,
        };
        ask.note(|| {
            Note::new("strike-stances", format!("{id} attacks {}, the guns answer {}.", pilots.stance, gunners.stance))
                .by(&[rule::STRIKE_ATTACK])
                .pieces([id])
        });
        let before = state.carriers[owner].hits;
        let result = self.book.strike(ask, &striker, gunners.stance, before, &self.aa[owner])?;
        state.act.struck.put(id);
        state[id].strength = result.squadron_strength;
        state[id].show_strength();
        state[id].ordnance = Some(false);
        state[id].struck = true;
        if result.squadron_strength == 0 {
            self.destroy(state, id, ask);
        }
        state.carriers[owner].hits = result.cv_hits;
        if result.cv_status == Status::Destroyed {
            self.sink(state, owner, ask);
        } else if result.cv_status == Status::Crippled && self.book.carrier.status(before) == Status::Operational {
            state.carriers[owner].must_shed = true;
        }
        self.more_strikes(state);
        Ok(())
    }

    /// The flight after the strike: one path, all together, no flak.
    pub(super) fn after_strike(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let order: Order = state.act.order.iter().copied().filter(|id| state.act.group.has(*id)).collect();
        let allowance = self.book.speeds.after_strike;
        let chosen = ask.decide(&PathChoice {
            game: self,
            state,
            side: state.phasing,
            squadrons: &order,
            allowance,
            purpose: PathUse::AfterStrike,
        })?;
        match chosen.path {
            Some(path) => {
                state.act.kind = ActKind::AfterStrike;
                state.act.allowance = allowance;
                state.act.flown = 0;
                self.begin_path(state, &path, ask);
            }
            None => state.phase = Phase::Finish,
        }
        Ok(())
    }
}
