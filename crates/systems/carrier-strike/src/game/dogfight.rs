//! The five steps of a dogfight.

use super::CarrierGame;
use super::fight_choices::{AllocateChoice, BreakOffChoice, JoinChoice, MatchChoice, NextCombatChoice, Step3Choice};
use super::piece::{Order, SquadronId, Squads};
use super::stances::StanceChoice;
use super::state::{ActKind, Phase, Search, State, ThenLines, ThenSearch};
use crate::combat::{Line, LineResult};
use crate::few::Few;
use crate::rule;
use crate::words::Role;
use flagplot_kernel::{Ask, Asked, Note, Side};

impl CarrierGame {
    /// Fighters attack a group they have detected, or try to detect first. [Dogfight]
    pub(super) fn declare_dogfight(
        &self,
        state: &mut State,
        squadrons: Order,
        target: SquadronId,
        by: Option<SquadronId>,
        ask: &mut impl Ask,
    ) {
        let attackers: Squads = squadrons.iter().copied().collect();
        state.act.kind = ActKind::Dogfight;
        state.act.order = squadrons;
        state.act.group = attackers;
        for id in attackers.iter() {
            state[id].shown_role = Some(Role::Fighter);
            self.prove_real(state, id);
        }
        ask.note(|| {
            Note::new("dogfight", format!("{} attack the group of {target}.", attackers.names()))
                .by(&[rule::DOGFIGHT, rule::R_24, rule::R_58])
                .pieces(attackers.iter())
        });
        if by.is_some() {
            self.begin_search(
                state,
                Search { by, target: super::piece::PieceId::Squadron(target), then: ThenSearch::Dogfight },
                ask,
            );
            return;
        }
        let group = state.group_of(&self.book.geometry, target);
        // A dummy in the group comes off; what is left is one group.
        for id in group.iter().filter(|id| state[*id].is_dummy()).collect::<Squads>().iter() {
            self.expose(state, id, ask);
        }
        let group: Squads = group.iter().filter(|id| state[*id].up()).collect();
        self.close_in(state, attackers, group, ThenLines::BeginFight);
        state.phase = Phase::Lines;
    }

    /// The fight begins: everybody in it is detected and shows what he is.
    pub(super) fn begin_fight(&self, state: &mut State, ask: &mut impl Ask) {
        let alive = |state: &State, set: Squads| set.iter().filter(|id| state[*id].up()).collect::<Squads>();
        state.fight.attackers = alive(state, state.fight.attackers);
        state.fight.defenders = alive(state, state.fight.defenders);
        if state.fight.attackers.is_empty() || state.fight.defenders.is_empty() {
            self.fight_over(state);
            return;
        }
        for id in state.fight.attackers.and(state.fight.defenders).iter() {
            self.mark_detected(state, id);
            state[id].shown_role = state[id].role;
        }
        state.fight.step = 1;
        // Kept, since a squadron that is destroyed no longer shows what it was.
        state.fight.escorting = state.fight.defenders.iter().any(|id| state[id].role != Some(Role::Fighter));
        ask.note(|| {
            Note::new("fight", format!("{} against {}.", state.fight.attackers.names(), state.fight.defenders.names()))
                .by(&[rule::DOGFIGHT, rule::R_58, rule::R_64])
                .pieces(state.fight.attackers.and(state.fight.defenders).iter())
        });
        state.phase = Phase::FightOn;
    }

    /// Squadrons still in the fight.
    pub(super) fn fighting(&self, state: &State, set: Squads) -> Squads {
        set.iter().filter(|id| state[*id].up() && !state.fight.broken.has(*id)).collect()
    }

    pub(super) fn of_role(&self, state: &State, set: Squads, role: Role) -> Squads {
        set.iter().filter(|id| state[*id].role == Some(role)).collect()
    }

    /// The sides of the present step, the attacking one of the step first.
    pub(super) fn step_sides(&self, state: &State) -> (Squads, Squads) {
        let attackers = self.fighting(state, state.fight.attackers);
        let defenders = self.fighting(state, state.fight.defenders);
        let fighters = self.of_role(state, defenders, Role::Fighter);
        match state.fight.step {
            1 => (attackers, fighters),
            2 => (fighters, attackers),
            _ => (attackers, self.in_reach(state, Role::Strike)),
        }
    }

    /// Defenders of a role within two lengths of an attacker that is still there.
    fn in_reach(&self, state: &State, role: Role) -> Squads {
        let attackers = self.fighting(state, state.fight.attackers);
        let defenders = self.of_role(state, self.fighting(state, state.fight.defenders), role);
        defenders
            .iter()
            .filter(|id| {
                state.within(&self.book.geometry, attackers, Squads::one(*id), self.book.ranges.dogfight_reach)
            })
            .collect()
    }

    /// Finds what comes next: another combat, another step, the end. [Dogfight 1-5]
    pub(super) fn fight_on(&self, state: &mut State, ask: &mut impl Ask) {
        state.fight.current = None;
        state.fight.combats.retain(|(first, second)| !first.is_empty() && !second.is_empty());
        if !state.fight.combats.is_empty() {
            state.phase = Phase::NextCombat;
            if state.fight.combats.len() == 1 {
                self.begin_combat(state, 0);
            }
            return;
        }
        loop {
            // Step 0 of the loop: has the present step been fought? Then on to the next.
            let step = state.fight.step;
            let attackers = self.fighting(state, state.fight.attackers);
            match step {
                1 | 2 | 5 => {
                    let (first, second) = self.step_sides(state);
                    state.fight.step += 1; // What follows once these combats are fought.
                    if first.is_empty() || second.is_empty() {
                        continue;
                    }
                    if step == 2 {
                        state.fight.escorts_fought = true;
                    }
                    ask.note(|| {
                        Note::new("step", format!("Step {step}: {} attack {}.", first.names(), second.names()))
                            .by(&[rule::DOGFIGHT, rule::R_33])
                            .detail()
                    });
                    if first.count().min(second.count()) == 1 {
                        state.fight.combats = std::iter::once((first, second)).collect();
                        self.begin_combat(state, 0);
                    } else {
                        state.fight.step = step;
                        state.phase = Phase::Match;
                    }
                    return;
                }
                3 => {
                    state.fight.step = 4;
                    if state.fight.escorts_fought
                        && state.fight.escorting
                        && !self.fighting(state, state.fight.defenders).is_empty()
                    {
                        ask.note(|| {
                            Note::new("step", "Step 3: the defenders may move.")
                                .by(&[rule::DOGFIGHT, rule::R_50])
                                .detail()
                        });
                        state.phase = Phase::Step3;
                        return;
                    }
                    if state.fight.escorting && !state.fight.escorts_fought {
                        ask.note(|| {
                            Note::new("step", "No escort has fought back, so the defenders do not move.")
                                .by(&[rule::R_51])
                                .detail()
                        });
                    }
                }
                4 => {
                    state.fight.step = 5;
                    if attackers.is_empty() {
                        continue;
                    }
                    let scouts = self.in_reach(state, Role::Recce);
                    if !scouts.is_empty() {
                        ask.note(|| {
                            Note::new("step", format!("Step 4: {} cannot escape.", scouts.names()))
                                .by(&[rule::DOGFIGHT, rule::R_66])
                        });
                        for id in scouts.iter() {
                            self.destroy(state, id, ask);
                        }
                    }
                }
                _ => {
                    // Every squadron of both groups burns fuel.
                    for id in state.fight.attackers.and(state.fight.defenders).iter() {
                        if state[id].up() {
                            state[id].rl = state[id].rl.saturating_sub(1).max(1);
                        }
                    }
                    ask.note(|| {
                        Note::new(
                            "fight-over",
                            "The dogfight is over; every squadron in it loses one from its range die.",
                        )
                        .by(&[rule::DOGFIGHT, rule::R_52])
                        .detail()
                    });
                    self.fight_over(state);
                    return;
                }
            }
        }
    }

    /// Who broke off is out of the action; the action goes on.
    fn fight_over(&self, state: &mut State) {
        state.act.group = state.act.group.without(state.fight.broken);
        state.fight = super::state::Fight::default();
        state.phase = if state.act.kind == ActKind::Dogfight { Phase::Finish } else { Phase::Meet };
    }

    /// Pairs off the squadrons. [Air combat 1]
    pub(super) fn pair(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let (first, second) = self.step_sides(state);
        let Some(seat) = first.first().map(|id| id.side()) else {
            state.phase = Phase::FightOn;
            return Ok(());
        };
        let pairs = ask.decide(&MatchChoice { side: seat, first, second })?;
        let mut combats: Few<(Squads, Squads), 6> = Few::default();
        for (own, enemy) in &pairs {
            match combats.iter_mut().find(|(_, second)| second.has(*enemy)) {
                Some((first, _)) => first.put(*own),
                None => combats.push((Squads::one(*own), Squads::one(*enemy))),
            }
        }
        state.fight.combats = combats;
        ask.note(|| Note::new("matched", "The squadrons are paired off.").by(&[rule::AIR_COMBAT, rule::R_33]).detail());
        self.matched(state, second);
        Ok(())
    }

    fn unmatched(&self, state: &State, second: Squads) -> Squads {
        second.without(state.fight.combats.iter().fold(Squads::NONE, |all, (_, second)| all.and(*second)))
    }

    fn matched(&self, state: &mut State, second: Squads) {
        if self.unmatched(state, second).is_empty() {
            state.fight.step += 1;
            state.phase = Phase::FightOn;
        } else {
            state.phase = Phase::Join;
        }
    }

    /// Surplus squadrons of the other side join combats.
    pub(super) fn join(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let (_, second) = self.step_sides(state);
        let surplus = self.unmatched(state, second);
        if let Some(side) = surplus.first().map(|id| id.side()) {
            let firsts = state.fight.combats.iter().fold(Squads::NONE, |all, (first, _)| all.and(*first));
            let joins = ask.decide(&JoinChoice { side, surplus, firsts })?;
            for (own, enemy) in joins {
                if let Some((_, second)) = state.fight.combats.iter_mut().find(|(first, _)| first.has(enemy)) {
                    second.put(own);
                }
            }
        }
        self.matched(state, second);
        Ok(())
    }

    pub(super) fn next_combat(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let side =
            state.fight.combats.first().and_then(|(first, _)| first.first()).map_or(state.phasing, |id| id.side());
        let next = ask.decide(&NextCombatChoice { side, combats: &state.fight.combats })?;
        let at = state.fight.combats.iter().position(|(first, _)| first.has(next)).unwrap_or(0);
        self.begin_combat(state, at);
        Ok(())
    }

    /// A combat is taken up; the strengths in it become public. [Air combat 2]
    fn begin_combat(&self, state: &mut State, at: usize) {
        let Some(combat) = state.fight.combats.remove(at) else { return };
        for id in combat.0.and(combat.1).iter() {
            self.show_strength(state, id);
        }
        state.fight.current = Some(combat);
        state.phase = Phase::Combat;
    }

    /// The role in which a set fights: bombers only where they are attacked.
    pub(super) fn fights_as(&self, state: &State, set: Squads) -> Role {
        if set.iter().all(|id| state[id].shown_role == Some(Role::Fighter)) { Role::Fighter } else { Role::Strike }
    }

    /// One combat: stances, dice, hits, breaking off. [Air combat 3-5]
    pub(super) fn combat(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let Some((first, second)) = state.fight.current else {
            state.phase = Phase::FightOn;
            return Ok(());
        };
        let stances = self.both_stances(
            state,
            ask,
            StanceChoice::in_combat(self, state, first, second),
            StanceChoice::in_combat(self, state, second, first),
        )?;
        let facts =
            [first, second].map(|set| set.iter().map(|id| (state[id].strength, state[id].rl)).collect::<Few<_, 6>>());
        let line = |n: usize, set| Line {
            role: self.fights_as(state, set),
            squadrons: &facts[n],
            stance: stances[n].stance,
            markers: stances[n].markers,
        };
        let names = if ask.listening() { [first.names(), second.names()] } else { [String::new(), String::new()] };
        ask.note(|| {
            Note::new(
                "combat",
                format!("{} ({}) against {} ({}).", names[0], stances[0].stance, names[1], stances[1].stance),
            )
            .by(&[rule::AIR_COMBAT, rule::PILOT_SKILL, rule::R_53])
            .pieces(first.and(second).iter())
        });
        let clash = self.book.air_combat(ask, &line(0, first), &line(1, second), [&names[0], &names[1]])?;
        self.take_losses(state, first, &clash.first, ask)?;
        self.take_losses(state, second, &clash.second, ask)?;
        // The defender of the dogfight breaks off first.
        let mut sides = [(first, clash.first), (second, clash.second)];
        if !state.fight.attackers.shared(first).is_empty() {
            sides.reverse();
        }
        for (set, result) in sides {
            let left: Squads = set.iter().filter(|id| state[*id].up()).collect();
            if let (true, Some(side)) = (result.breaks_off, left.first().map(|id| id.side())) {
                let line = ask.decide(&BreakOffChoice { game: self, state, side, squadrons: left })?;
                state.fight.broken = state.fight.broken.and(left);
                ask.note(|| {
                    Note::new("breaks-off", format!("{} break off.", left.names()))
                        .by(&[rule::BREAK_OFF, rule::R_31, rule::R_42, rule::R_43])
                        .pieces(left.iter())
                });
                self.queue_line(state, left, line);
            }
        }
        state.fight.current = None;
        state.then = ThenLines::FightOn;
        state.phase = Phase::Lines;
        Ok(())
    }

    fn take_losses(&self, state: &mut State, set: Squads, result: &LineResult, ask: &mut impl Ask) -> Asked<()> {
        let Some(side) = set.first().map(|id| id.side()) else { return Ok(()) };
        let losses: Few<(SquadronId, u8), 6> = if result.lost == 0 {
            Few::default()
        } else if result.lost >= result.strength {
            set.iter().map(|id| (id, state[id].strength)).collect()
        } else if set.count() == 1 {
            set.iter().map(|id| (id, result.lost)).collect()
        } else {
            ask.decide(&AllocateChoice { state, side, squadrons: set, hits: result.lost })?.into_iter().collect()
        };
        for &(id, lost) in &losses {
            state[id].strength = state[id].strength.saturating_sub(lost);
            state[id].show_strength();
            ask.note(|| {
                Note::new("losses", format!("{id} loses {lost} and has {} left.", state[id].strength))
                    .by(&[rule::AIR_COMBAT])
                    .detail()
                    .pieces([id])
                    .outcome(lost)
            });
            if state[id].strength == 0 {
                self.destroy(state, id, ask);
            }
        }
        Ok(())
    }

    /// The defenders that have not broken off move. [Dogfight 3]
    pub(super) fn step_3(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let able = self.fighting(state, state.fight.defenders);
        let side: Side = able.first().map_or(state.phasing, |id| id.side());
        let moves = ask.decide(&Step3Choice { game: self, state, side, squadrons: able })?;
        for (id, line) in moves {
            self.queue_line(state, Squads::one(id), line);
        }
        ask.note(|| Note::new("step-3", "The defenders have moved.").by(&[rule::DOGFIGHT, rule::R_50]).detail());
        state.then = ThenLines::FightOn;
        state.phase = Phase::Lines;
        Ok(())
    }
}
