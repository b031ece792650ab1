//! A turn, phase by phase. (Sequence of play)

use super::Dogfight;
use super::choices::{Tail, TailOption};
use super::choose_targets::Targets;
use super::state::{Craft, CraftId, Formation, Mover, Phase, State};
use crate::critical::{self, Harm};
use crate::damage::{self, Boxes};
use crate::edge::{self, Aim, Hunter};
use crate::initiative::{self, Entrant, Next, Order, RollOff, Seniority, Why};
use crate::position::Position;
use crate::rule;
use crate::words::{Alliance, Flight, Pitch, Status};
use flagplot_kernel::{Ask, Asked, Effect, Note, Rule};
use smallvec::SmallVec;

impl Dogfight {
    /// The state before the first turn. (C-12)
    pub(super) fn start(&self) -> State {
        let craft = self
            .craft
            .iter()
            .map(|info| Craft {
                position: Position {
                    hex: info.start.hex,
                    facing: info.start.facing,
                    level: info.start.level,
                    pitch: Pitch::Level,
                },
                speed: info.start.speed,
                flight: Flight::Flying,
                status: Status::InPlay,
                target: None,
                edge: None,
                posted: 0,
                rank: 0,
                harm: Harm::none(Boxes::clean(info.ratings.sets, info.ratings.boxes_per_set)),
                left_in_turn: 0,
            })
            .collect();
        State {
            turn: 1,
            phase: Phase::Smoke,
            craft,
            order: Order::default(),
            mover: None,
            trails: Vec::new(),
            fired: 0,
            shots: Vec::new(),
        }
    }

    /// One step: a phase, a decision of the aircraft that is moving, or one aircraft's fire.
    pub(super) fn take_step(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        match state.phase {
            Phase::Smoke => self.smoke_and_fire(state, ask),
            Phase::Targets => self.targets(state, ask),
            Phase::Initiative => self.initiative(state, ask),
            Phase::Movement if state.mover.is_some() => self.move_on(state, ask),
            Phase::Movement => self.next_mover(state, ask),
            Phase::Combat => self.next_fire(state, ask),
            Phase::Hits => self.hits(state, ask),
            Phase::End => {
                self.end_of_turn(state, ask);
                Ok(())
            }
            Phase::Over => Ok(()),
        }
    }

    /// Phase 1: burning aircraft take damage, smoking ones may catch fire.
    fn smoke_and_fire(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        if state.turn == 1 {
            ask.note(|| {
                let ids = self.craft.iter().map(|info| &info.start.id);
                Note::new("start", format!("{} begins.", self.scenario.title)).by(self.origin()).pieces(ids)
            });
        }
        ask.note(|| Note::new("turn", format!("Turn {} of {}.", state.turn, self.scenario.turns)).outcome(state.turn));
        let in_play: SmallVec<[CraftId; 16]> = state.in_play().collect();
        for id in in_play {
            let who = self.who(id);
            let harm = &mut state.get_mut(id).harm;
            if harm.burning {
                damage::fire_damage(&mut harm.boxes, who, ask)?;
                if harm.boxes.used_up() {
                    self.destroy(state, id, "burns out", &[], ask);
                }
            } else if harm.smoking {
                critical::smoke(&self.rules.tables, harm, who, ask)?;
            }
        }
        state.phase = Phase::Targets;
        Ok(())
    }

    /// An aircraft is lost.
    pub(super) fn destroy(&self, state: &mut State, id: CraftId, how: &str, rules: &[Rule], ask: &mut impl Ask) {
        state.remove(id, Status::Destroyed);
        ask.note(|| {
            let who = self.who(id);
            let note = Note::new("destroyed", format!("{who} {how}.")).by(rules);
            note.by(&[rule::DAMAGE, rule::EDGE_RECORDING]).pieces([who.id]).effect(Effect::Lost)
        });
    }

    /// Phases 2 and 3: targets, sealed and revealed together; then the edges. (Targeting, Edge adjustment; R-4)
    fn targets(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let choices: Vec<Targets<'_>> = (0..self.seats.len() as u8)
            .map(|seat| Targets { game: self, state, seat: flagplot_kernel::Seat(seat) })
            .filter(|choice| choice.crews().next().is_some())
            .collect();
        let answers = if choices.is_empty() { Vec::new() } else { ask.in_secret(&choices)? };
        let mut declared: Vec<Option<CraftId>> = vec![None; state.craft.len()];
        for answer in answers {
            for (own, target) in answer.0 {
                if let (Some(own), Some(target)) = (self.find(&own), target.and_then(|target| self.find(&target))) {
                    declared[usize::from(own)] = Some(target);
                }
            }
        }
        let friend =
            |own: CraftId, target: Option<CraftId>| target.is_some_and(|target| self.side(target) == self.side(own));
        // Two players of one side may have named each other's aircraft unseen: a leader who follows cannot be followed.
        let lapsed: Vec<CraftId> = (0..declared.len() as u8)
            .filter(|&own| {
                friend(own, declared[usize::from(own)])
                    && declared[usize::from(own)].is_some_and(|leader| friend(leader, declared[usize::from(leader)]))
            })
            .collect();
        for own in lapsed {
            declared[usize::from(own)] = None;
            ask.note(|| {
                let who = self.who(own);
                let text = format!("{who} cannot join the formation: its leader follows another aircraft.");
                Note::new("formation-lapses", text).by(&[rule::R_12, rule::FORMATION]).pieces([who.id])
            });
        }
        let hunters: Vec<Hunter> = (0..state.craft.len())
            .map(|at| {
                let craft = &state.craft[at];
                let target = declared[at];
                let aim = match target {
                    None => Aim::Nobody,
                    Some(target) if self.side(target) == self.side(at as CraftId) => Aim::Friend,
                    Some(target) => Aim::Enemy(usize::from(target)),
                };
                Hunter { position: craft.position, aim, kept: if target == craft.target { craft.edge } else { None } }
            })
            .collect();
        for id in state.in_play() {
            ask.note(|| {
                let (who, target) = (self.who(id), declared[usize::from(id)]);
                let (text, rules): (_, &[_]) = match target.map(|target| self.who(target)) {
                    None => (format!("{who} declares no target."), &[]),
                    Some(leader) if friend(id, target) => {
                        (format!("{who} flies in formation on {leader}."), &[rule::FORMATION, rule::R_12])
                    }
                    Some(prey) => (format!("{who} targets {prey}."), &[]),
                };
                let pieces = [id].into_iter().chain(target).map(|id| self.who(id).id);
                Note::new("target", text).by(&[rule::TARGETING, rule::R_4]).by(rules).pieces(pieces)
            });
        }
        let names = self.names();
        let starts = edge::adjustment(&self.rules.diagram, &hunters, &names, ask);
        for (at, start) in starts.into_iter().enumerate() {
            let craft = &mut state.craft[at];
            craft.target = declared[at];
            craft.edge = start.edge();
        }
        state.phase = Phase::Initiative;
        Ok(())
    }

    /// Phase 4: initiative is posted and ranked, and the order of movement laid out. (Initiative)
    fn initiative(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let in_play: Vec<CraftId> = state.in_play().collect();
        let mut keys = Vec::with_capacity(in_play.len());
        for &id in &in_play {
            let key = initiative::post(&self.rules.tables, self.who(id), None, self.seniority(state, id), ask)?;
            state.get_mut(id).posted = key.posted;
            keys.push(key);
        }
        let listed: Vec<_> = in_play.iter().map(|&id| self.who(id)).collect();
        let ranked = initiative::rank(&keys, &listed, RollOff::Dice, ask)?;
        for (rank, at) in ranked.into_iter().enumerate() {
            state.get_mut(in_play[at]).rank = rank as u8;
        }
        let entrants: Vec<Option<Entrant>> = (0..state.craft.len() as u8)
            .map(|id| {
                let craft = state.get(id);
                craft.in_play().then(|| Entrant {
                    spinning: craft.flight == Flight::Spinning,
                    rank: craft.rank,
                    target: craft.target,
                    formation: state.aim(self, id) == Aim::Friend,
                })
            })
            .collect();
        state.order = Order::begin(&entrants, &self.names(), RollOff::Dice, ask)?;
        state.trails.clear();
        state.phase = Phase::Movement;
        Ok(())
    }

    /// What ranks an aircraft beside its die.
    pub(super) fn seniority(&self, state: &State, id: CraftId) -> Seniority {
        let craft = state.get(id);
        Seniority { experience: self.experience(state, id), level: craft.position.level, speed: craft.speed }
    }

    /// Phase 5: whose place it is, and whether it waits for its target. (Tailing; R-64)
    fn next_mover(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        match state.order.up_next() {
            Next::Nobody => {
                for (craft, who) in state.craft.iter_mut().zip(self.names()) {
                    craft.edge = craft.edge.map(|edge| edge::capped(edge, who, ask));
                }
                state.fired = 0;
                state.shots.clear();
                state.phase = Phase::Combat;
            }
            Next::Moves(id) => self.begin_move(state, id),
            Next::Place(id) => {
                let tail = Tail { game: self, state, who: id };
                let tailing = tail.tailing().ok().filter(|tailing| tailing.allowed());
                match (tailing, state.get(id).target) {
                    (Some(tailing), Some(target)) if ask.decide(&tail)? == TailOption::Wait => {
                        tailing.note(self.who(id), ask);
                        state.order.tail(id, target, &self.names(), RollOff::Dice, ask)?;
                    }
                    _ => self.begin_move(state, id),
                }
            }
        }
        Ok(())
    }

    fn begin_move(&self, state: &mut State, id: CraftId) {
        let formation = match state.order.follows(id) {
            Some((_, Why::Formation)) => Formation::Copying(0),
            _ => Formation::No,
        };
        state.mover = Some(Mover::new(id, state.get(id), formation));
    }

    /// Phase 7: whether the game is over. (C-10)
    fn end_of_turn(&self, state: &mut State, ask: &mut impl Ask) {
        state.order = Order::default();
        state.trails.clear();
        let over = state.turn >= self.scenario.turns || Alliance::ALL.iter().any(|&side| !state.has_any(self, side));
        if over {
            state.phase = Phase::Over;
            self.score(state, ask);
        } else {
            state.turn += 1;
            state.phase = Phase::Smoke;
        }
    }
}
