//! The five steps of a dogfight. [Dogfight]

use super::CarrierGame;
use super::action::Target;
use super::fight_choices::{AllocateChoice, BreakOffChoice, JoinChoice, MatchChoice, NextCombatChoice, Step3Choice};
use super::piece::{PieceId, SquadronId, Squads};
use super::process::Process;
use super::search::Search;
use super::stances::Encounter;
use super::state::Table;
use super::walking::Lines;
use crate::combat::{Line, LineResult};
use crate::few::Few;
use crate::geometry::closing;
use crate::rule;
use crate::words::Role;
use flagplot_kernel::{Ask, Asked, Effect, Flow, Note};
use serde::{Deserialize, Serialize};

/// The squadrons of a combat, those of the step's attacking side first.
pub type Combat = (Squads, Squads);

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FightStage {
    /// Squadrons fly: attackers that close in, losers that break off, defenders in step 3.
    Lines(Lines),
    /// The attacking side of the step pairs off.
    Match,
    /// Surplus squadrons of the other side join combats.
    Join,
    NextCombat,
    Combat(Combat),
    /// A side of the last combat shares out its hits.
    Losses,
    /// Squadrons of the last combat break off.
    BreakOff(Squads),
    /// The defenders move.
    Step3,
}

/// Fighters attack a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dogfight {
    pub attackers: Squads,
    pub defenders: Squads,
    /// Those that have broken off.
    pub broken: Squads,
    /// Whether the attackers have intercepted a strike.
    pub against_strike: bool,
    /// The step being fought; 0 while the attackers close in.
    pub(super) step: u8,
    /// Whether the group attacked held strike or recce squadrons when the fight began.
    pub(super) escorting: bool,
    /// Combats of the step that are still to be fought.
    pub(super) combats: Few<Combat, 6>,
    /// Hits of the last combat that are still to be shared out.
    pub(super) hits: Few<(Squads, u8), 2>,
    /// The squadrons of the last combat that are still to break off, the defender's first.
    pub(super) breaking: Few<Squads, 2>,
    /// Whether step 2 was fought.
    pub(super) escorts_fought: bool,
    pub stage: FightStage,
}

impl Dogfight {
    /// The attackers close in until the nearest pair touches.
    pub(super) fn new(table: &Table, attackers: Squads, defenders: Squads, against_strike: bool) -> Self {
        let line = closing(&table.positions(attackers), &table.positions(defenders));
        Self {
            attackers,
            defenders,
            broken: Squads::NONE,
            against_strike,
            step: 0,
            escorting: false,
            combats: Few::default(),
            hits: Few::default(),
            breaking: Few::default(),
            escorts_fought: false,
            stage: FightStage::Lines(Lines::one(attackers, line)),
        }
    }

    pub(super) fn encounter(&self, combat: Combat) -> Encounter {
        Encounter::Combat { combat, against_strike: self.against_strike }
    }

    /// All squadrons in the fight are detected and show their roles.
    fn begin(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Flow {
        self.attackers = table.in_the_air(self.attackers);
        self.defenders = table.in_the_air(self.defenders);
        if self.attackers.is_empty() || self.defenders.is_empty() {
            return Flow::Done;
        }
        let everybody = self.attackers.and(self.defenders);
        for id in everybody.iter() {
            game.mark_detected(table, id);
            table[id].shown_role = table[id].role;
        }
        // Kept, since a squadron that is destroyed no longer shows what it was.
        self.escorting = self.defenders.iter().any(|id| table[id].role != Some(Role::Fighter));
        ask.note(|| {
            Note::new("fight", format!("{} against {}.", self.attackers, self.defenders))
                .by(&[rule::DOGFIGHT, rule::R_58, rule::R_64])
                .pieces(everybody.ids())
        });
        Flow::Continue
    }

    /// Squadrons still in the fight.
    fn fighting(&self, table: &Table, set: Squads) -> Squads {
        table.in_the_air(set.without(self.broken))
    }

    fn defenders(&self, table: &Table, role: Role) -> Squads {
        self.fighting(table, self.defenders).iter().filter(|id| table[*id].role == Some(role)).collect()
    }

    /// Defenders of a role within two lengths of an attacker that is still there.
    fn in_reach(&self, game: &CarrierGame, table: &Table, role: Role) -> Squads {
        let attackers = self.fighting(table, self.attackers);
        let (geometry, reach) = (&game.rules.geometry, game.rules.ranges.dogfight_reach);
        let near = |id: &SquadronId| table.within(geometry, attackers, Squads::one(*id), reach);
        self.defenders(table, role).iter().filter(near).collect()
    }

    /// The sides of the present step, the attacking one of the step first.
    fn sides(&self, game: &CarrierGame, table: &Table) -> Combat {
        let attackers = self.fighting(table, self.attackers);
        match self.step {
            1 => (attackers, self.defenders(table, Role::Fighter)),
            2 => (self.defenders(table, Role::Fighter), attackers),
            _ => (attackers, self.in_reach(game, table, Role::Strike)),
        }
    }

    /// Pairs off the squadrons. [Air combat 1]
    fn pair(&mut self, game: &CarrierGame, table: &Table, ask: &mut impl Ask) -> Asked<()> {
        let (first, second) = self.sides(game, table);
        let pairs = ask.decide(&MatchChoice { first, second })?;
        for (own, enemy) in &pairs {
            match self.combats.iter_mut().find(|(_, second)| second.has(*enemy)) {
                Some((first, _)) => first.put(*own),
                None => self.combats.push((Squads::one(*own), Squads::one(*enemy))),
            }
        }
        ask.note(|| Note::new("matched", "The squadrons are paired off.").by(&[rule::AIR_COMBAT, rule::R_33]).detail());
        self.stage =
            if self.surplus(second).is_empty() { FightStage::Lines(Lines::default()) } else { FightStage::Join };
        Ok(())
    }

    fn surplus(&self, second: Squads) -> Squads {
        second.without(self.combats.iter().fold(Squads::NONE, |all, (_, second)| all.and(*second)))
    }

    /// Surplus squadrons of the other side join combats.
    fn join(&mut self, game: &CarrierGame, table: &Table, ask: &mut impl Ask) -> Asked<()> {
        let surplus = self.surplus(self.sides(game, table).1);
        let firsts = self.combats.iter().fold(Squads::NONE, |all, (first, _)| all.and(*first));
        for (own, enemy) in ask.decide(&JoinChoice { surplus, firsts })? {
            if let Some((_, second)) = self.combats.iter_mut().find(|(first, _)| first.has(enemy)) {
                second.put(own);
            }
        }
        self.stage = FightStage::Lines(Lines::default());
        Ok(())
    }

    fn choose_combat(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        let next = ask.decide(&NextCombatChoice { combats: &self.combats })?;
        let at = self.combats.iter().position(|(first, _)| first.has(next)).unwrap_or(0);
        self.begin_combat(game, table, at);
        Ok(())
    }

    /// A combat is taken up; the strengths in it become public. [Air combat 2]
    fn begin_combat(&mut self, game: &CarrierGame, table: &mut Table, at: usize) {
        let Some(combat) = self.combats.remove(at) else { return };
        for id in combat.0.and(combat.1).iter() {
            game.show_strength(table, id);
        }
        self.stage = FightStage::Combat(combat);
    }

    /// One combat: stances, dice, hits. [Air combat 3-4]
    fn combat(&mut self, game: &CarrierGame, table: &mut Table, combat: Combat, ask: &mut impl Ask) -> Asked<()> {
        let (first, second) = combat;
        let stances = game.both_stances(table, ask, self.encounter(combat))?;
        let facts =
            [first, second].map(|set| set.iter().map(|id| (table[id].strength, table[id].rl)).collect::<Few<_, 6>>());
        let line = |n: usize, set| Line {
            role: game.fights_as(table, set),
            squadrons: &facts[n],
            stance: stances[n].stance,
            markers: stances[n].markers,
        };
        ask.note(|| {
            let [own, enemy] = stances.map(|answer| answer.stance);
            Note::new("combat", format!("{first} ({own}) against {second} ({enemy})."))
                .by(&[rule::AIR_COMBAT, rule::PILOT_SKILL, rule::R_53])
                .pieces(first.ids())
                .on(second.ids())
        });
        let (lines, ids) = ((line(0, first), line(1, second)), [first.listing(), second.listing()]);
        let clash = game.rules.air_combat(ask, &lines.0, &lines.1, [&ids[0], &ids[1]], [&first, &second])?;
        let sides = [(first, clash.first), (second, clash.second)];
        for (set, LineResult { lost, strength, .. }) in sides {
            if lost > 0 && lost < strength && set.count() > 1 {
                self.hits.push((set, lost));
            } else if lost > 0 {
                let losses = set.iter().map(|id| (id, lost.min(table[id].strength))).collect();
                take_losses(game, table, losses, ask);
            }
        }
        self.breaking = sides.iter().filter(|(_, result)| result.breaks_off).map(|(set, _)| *set).collect();
        // The defender of the dogfight breaks off first.
        if !self.attackers.shared(first).is_empty() {
            self.breaking.reverse();
        }
        self.stage = FightStage::Lines(Lines::default());
        Ok(())
    }

    /// A side shares out its hits among its squadrons. [Air combat 4]
    fn share_hits(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        let Some((squadrons, hits)) = self.hits.first().copied() else { return Ok(()) };
        let losses = ask.decide(&AllocateChoice { table, squadrons, hits })?;
        self.hits.remove(0);
        take_losses(game, table, losses.into_iter().filter(|(_, lost)| *lost > 0).collect(), ask);
        self.stage = FightStage::Lines(Lines::default());
        Ok(())
    }

    /// Squadrons break off along a line, which is flown before anything else is asked. [Air combat 5]
    fn break_off(&mut self, game: &CarrierGame, table: &Table, squadrons: Squads, ask: &mut impl Ask) -> Asked<()> {
        let line = ask.decide(&BreakOffChoice { game, table, squadrons })?;
        self.broken = self.broken.and(squadrons);
        ask.note(|| {
            Note::new("breaks-off", format!("{}.", squadrons.doing("breaks off", "break off")))
                .by(&[rule::BREAK_OFF, rule::R_31, rule::R_42, rule::R_43])
                .pieces(squadrons.ids())
        });
        self.stage = FightStage::Lines(Lines::one(squadrons, line));
        Ok(())
    }

    /// The defenders that have not broken off move. [Dogfight 3]
    fn step_3(&mut self, game: &CarrierGame, table: &Table, ask: &mut impl Ask) -> Asked<()> {
        let squadrons = self.fighting(table, self.defenders);
        let attackers = self.fighting(table, self.attackers);
        let against_strike = self.against_strike;
        let moves = ask.decide(&Step3Choice { game, table, squadrons, attackers, against_strike })?;
        let mut lines = Lines::default();
        for (id, line) in moves {
            lines.add(Squads::one(id), line);
        }
        ask.note(|| Note::new("step-3", "The defenders have moved.").by(&[rule::DOGFIGHT, rule::R_50]).detail());
        self.stage = FightStage::Lines(lines);
        Ok(())
    }

    /// Steps 1, 2 and 5: one side attacks the other, if both are there.
    fn attack_step(&mut self, game: &CarrierGame, table: &Table, ask: &mut impl Ask) {
        let (first, second) = self.sides(game, table);
        if first.is_empty() || second.is_empty() {
            return;
        }
        let step = self.step;
        self.escorts_fought |= step == 2;
        ask.note(|| {
            Note::new("step", format!("Step {step}: {} {}.", first.doing("attacks", "attack"), second))
                .by(&[rule::DOGFIGHT, rule::R_33])
                .detail()
        });
        if first.count().min(second.count()) == 1 {
            self.combats.push((first, second));
        } else {
            self.stage = FightStage::Match;
        }
    }

    /// Step 3: a group whose escort has fought may draw away.
    fn draw_away(&mut self, table: &Table, ask: &mut impl Ask) {
        if !self.escorting {
            return;
        }
        let (text, rules): (_, &[_]) = if !self.escorts_fought {
            ("Step 3: no escort fought back, so the defenders do not move.", &[rule::R_51])
        } else if self.fighting(table, self.defenders).is_empty() {
            return;
        } else {
            self.stage = FightStage::Step3;
            ("Step 3: the defenders may move.", &[rule::DOGFIGHT, rule::R_50])
        };
        ask.note(|| Note::new("step", text).by(rules).detail());
    }

    /// Step 4: scouts that the attackers reach are destroyed.
    fn destroy_scouts(&self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) {
        let scouts = self.in_reach(game, table, Role::Recce);
        if scouts.is_empty() {
            return;
        }
        ask.note(|| {
            Note::new(
                "step",
                format!(
                    "Step 4: {} cannot escape and {} destroyed.",
                    scouts,
                    if scouts.count() == 1 { "is" } else { "are" }
                ),
            )
            .by(&[rule::DOGFIGHT, rule::R_66])
        });
        for id in scouts.iter() {
            game.destroy(table, id, ask);
        }
    }

    /// Every squadron of both groups burns fuel.
    fn end(&self, table: &mut Table, ask: &mut impl Ask) {
        for id in table.in_the_air(self.attackers.and(self.defenders)).iter() {
            table[id].burn_fuel();
        }
        ask.note(|| {
            Note::new("fight-over", "The dogfight is over. Every squadron in it loses 1 from its range die.")
                .by(&[rule::DOGFIGHT, rule::R_52])
                .detail()
        });
    }
}

impl Process for Dogfight {
    fn question(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        match &mut self.stage {
            FightStage::Lines(lines) => lines.question(game, table, ask),
            FightStage::Match => self.pair(game, table, ask),
            FightStage::Join => self.join(game, table, ask),
            FightStage::NextCombat => self.choose_combat(game, table, ask),
            FightStage::Combat(combat) => {
                let combat = *combat;
                self.combat(game, table, combat, ask)
            }
            FightStage::Losses => self.share_hits(game, table, ask),
            FightStage::BreakOff(squadrons) => {
                let squadrons = *squadrons;
                self.break_off(game, table, squadrons, ask)
            }
            FightStage::Step3 => self.step_3(game, table, ask),
        }
    }

    /// Finds what comes next: another combat, another step, the end. [Dogfight 1-5]
    fn run(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Flow {
        let FightStage::Lines(lines) = &mut self.stage else { return Flow::Continue };
        if lines.run(game, table, ask) == Flow::Continue {
            return Flow::Continue;
        }
        if !self.hits.is_empty() {
            self.stage = FightStage::Losses;
            return Flow::Continue;
        }
        while let Some(squadrons) = self.breaking.remove(0).map(|set| table.in_the_air(set)) {
            if !squadrons.is_empty() {
                self.stage = FightStage::BreakOff(squadrons);
                return Flow::Continue;
            }
        }
        if self.step == 0 && self.begin(game, table, ask) == Flow::Done {
            return Flow::Done;
        }
        loop {
            match self.combats.len() {
                0 => self.step += 1,
                1 => {
                    self.begin_combat(game, table, 0);
                    return Flow::Continue;
                }
                _ => {
                    self.stage = FightStage::NextCombat;
                    return Flow::Continue;
                }
            }
            match self.step {
                1 | 2 | 5 => self.attack_step(game, table, ask),
                3 => self.draw_away(table, ask),
                4 => self.destroy_scouts(game, table, ask),
                _ => {
                    self.end(table, ask);
                    return Flow::Done;
                }
            }
            if matches!(self.stage, FightStage::Match | FightStage::Step3) {
                return Flow::Continue;
            }
        }
    }
}

fn take_losses(game: &CarrierGame, table: &mut Table, losses: Few<(SquadronId, u8), 6>, ask: &mut impl Ask) {
    for &(id, lost) in &losses {
        table[id].strength = table[id].strength.saturating_sub(lost);
        table[id].show_strength();
        ask.note(|| {
            Note::new("losses", format!("{id} loses {lost} aircraft and has {} left.", table[id].strength))
                .by(&[rule::AIR_COMBAT])
                .detail()
                .pieces([id.id()])
                .outcome(lost)
                .effect(Effect::Hit)
        });
        if table[id].strength == 0 {
            game.destroy(table, id, ask);
        }
    }
}

/// Fighters attack a group that is detected, or try to detect it first. [Dogfight]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attack {
    Search {
        search: Search,
        attackers: Squads,
    },
    Fight(Box<Dogfight>),
    /// The search has found nothing to attack.
    Nobody,
}

impl Attack {
    pub(super) fn new(
        game: &CarrierGame,
        table: &mut Table,
        target: SquadronId,
        searcher: Option<SquadronId>,
        ask: &mut impl Ask,
    ) -> Self {
        let attackers: Squads = table.action.squadrons.iter().copied().collect();
        for id in attackers.iter() {
            table[id].shown_role = Some(Role::Fighter);
            game.prove_real(table, id);
        }
        ask.note(|| {
            Note::new("dogfight", format!("{} the group of {target}.", attackers.doing("attacks", "attack")))
                .by(&[rule::DOGFIGHT, rule::R_24, rule::R_58])
                .pieces(attackers.ids())
        });
        if searcher.is_some() {
            let search = Search { by: searcher, target: PieceId::Squadron(target) };
            search.announce(game, table, ask);
            return Attack::Search { search, attackers };
        }
        let group = table.group_of(&game.rules.geometry, target);
        // A dummy in the group comes off; what is left is one group.
        for id in group.iter().filter(|id| table[*id].is_dummy()).collect::<Squads>().iter() {
            game.expose(table, id, ask);
        }
        Attack::Fight(Box::new(Dogfight::new(table, attackers, table.in_the_air(group), false)))
    }
}

impl Process for Attack {
    fn question(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        match self {
            Attack::Search { search, attackers } => {
                let left = match search.numbers(game, table, ask)? {
                    Some(Target::Group(group)) => table.in_the_air(group),
                    _ => Squads::NONE,
                };
                *self = if left.is_empty() {
                    table.action.squadrons.clear(); // Nobody has acted.
                    Attack::Nobody
                } else {
                    Attack::Fight(Box::new(Dogfight::new(table, *attackers, left, false)))
                };
                Ok(())
            }
            Attack::Fight(fight) => fight.question(game, table, ask),
            Attack::Nobody => Ok(()),
        }
    }

    fn run(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Flow {
        match self {
            Attack::Search { .. } => Flow::Continue,
            Attack::Fight(fight) => fight.run(game, table, ask),
            Attack::Nobody => Flow::Done,
        }
    }
}
