//! Attacks fought out: the table, losses, further rounds, advance, exploitation. [4.2, steps 3e to 4]

use super::GroundGame;
use super::choices::{Advance, BreakOff, GoOnChoice, LossChoice, Losses, Order, Orders, ResolveNext};
use super::map::{HexAt, UnitAt};
use super::set::Set;
use super::state::{Attack, Combat, Fight, FightStage, GroundState, Owed, Phase};
use crate::ground::{Loss, Measure};
use crate::messages::counted;
use crate::rule;
use flagplot_kernel::{Ask, Asked, BySide, Effect, Note, Side};

impl GroundGame {
    /// The breakthrough hexes into which a unit may be put. An isolated one moves a single hex in its turn. [4.2, C-9]
    pub(crate) fn may_exploit(&self, state: &GroundState, unit: UnitAt) -> Set {
        let (now, info) = (state.unit(unit), self.info(unit));
        let spent = now.attacked || now.exploiting || now.isolated() && now.moved;
        match now.hex {
            Some(hex) if info.armor && !spent && info.side == state.active => {
                state.breakthroughs.and(self.map.links(hex))
            }
            _ => Set::default(),
        }
    }

    /// What follows a combat phase.
    pub(super) fn after_combat(&self, state: &mut GroundState) -> Phase {
        let through = state.combat == Combat::Main && !state.breakthroughs.is_empty();
        if through { Phase::Exploit } else { Phase::Supply }
    }

    /// Step 3e: which attack comes next. One whose odds have fallen below 1:4 is cancelled.
    pub(super) fn resolve_step(&self, state: &mut GroundState, ask: &mut impl Ask) -> Asked<()> {
        let at = match state.attacks.len() {
            0 => {
                state.phase = self.after_combat(state);
                return Ok(());
            }
            1 => 0,
            _ => {
                let next = ask.decide(&ResolveNext { game: self, state })?;
                state.attacks.iter().position(|attack| self.map.id(attack.target) == next).unwrap_or(0)
            }
        };
        let attack = state.attacks.remove(at);
        for unit in attack.units.iter() {
            state.unit_mut(unit).attacked = true;
        }
        let strengths = self.strengths(state, &attack);
        if strengths.ratio().column().is_none() {
            ask.note(|| {
                let (hex, ratio) = (self.map.name(attack.target), strengths.ratio());
                let text = format!("The attack on {hex} is called off: the odds have fallen to {ratio}.");
                Note::new("cancelled", text).by(&[rule::GROUND_TURN, rule::R_10])
            });
            self.fly_home(state, &attack);
            state.phase = Phase::Resolve;
        } else {
            ask.note(|| {
                let (names, hex) = (self.names(attack.units.iter()), self.map.name(attack.target));
                let note = Note::new("attack", format!("{names}: the attack on {hex}.")).by(&[rule::GROUND_TURN]);
                let id = |unit| self.info(unit).id.as_str();
                let defenders: Vec<UnitAt> = self.stack(state, attack.target).collect();
                note.pieces([self.map.id(attack.target).key()])
                    .pieces(attack.units.iter().map(id))
                    .on(defenders.into_iter().map(id))
            });
            state.phase = Phase::Fight(Fight { attack, rounds: 0, river: false, next: FightStage::Round });
        }
        Ok(())
    }

    /// The air of an attack has flown.
    fn fly_home(&self, state: &mut GroundState, attack: &Attack) {
        state.air[state.active].spent += attack.support;
        state.air[state.active.other()].spent += attack.das;
    }

    pub(crate) fn in_fight(&self, state: &GroundState, attack: &Attack, side: Side) -> Vec<UnitAt> {
        if side == state.active {
            attack.units.iter().filter(|unit| state.unit(*unit).hex.is_some()).collect()
        } else {
            self.stack(state, attack.target).collect()
        }
    }

    pub(crate) fn air_in_fight(&self, state: &GroundState, attack: &Attack, side: Side) -> u8 {
        if side == state.active { attack.support } else { attack.das }
    }

    pub(super) fn fight_step(&self, state: &mut GroundState, mut fight: Fight, ask: &mut impl Ask) -> Asked<()> {
        match fight.next {
            FightStage::Round => {
                let forces = self.forces(state, &fight.attack);
                let Some(column) = forces.strengths().ratio().column() else {
                    self.end_fight(state, fight);
                    return Ok(());
                };
                fight.river = self.behind_river(state, fight.attack.target, &fight.attack.units);
                self.note_multipliers(state, &fight, ask);
                let round = forces.round(&self.rules.charts, column, u32::from(fight.rounds), ask)?;
                fight.rounds += 1;
                let owed = BySide::new_with(|side| if side == state.active { round.attacker } else { round.defender });
                let mut left = BySide::<Owed>::default();
                for side in [state.active.other(), state.active] {
                    left[side] = self.settle(state, &mut fight, side, owed[side], ask);
                }
                fight.next = FightStage::Losses(left);
                self.after_losses(state, fight, ask);
            }
            FightStage::Losses(mut left) => {
                let sides = [state.active.other(), state.active];
                let side = sides.into_iter().find(|side| left[*side].factors > 0).unwrap_or(state.active);
                let losses = ask.decide(&LossChoice { game: self, state, fight: &fight, side, owed: left[side] })?;
                self.remove(state, &mut fight, side, &losses, ask);
                left[side] = Owed::default();
                fight.next = FightStage::Losses(left);
                self.after_losses(state, fight, ask);
            }
            FightStage::GoOn => match ask.decide(&GoOnChoice { game: self, state, fight: &fight })? {
                BreakOff::Continue => {
                    fight.next = FightStage::Round;
                    state.phase = Phase::Fight(fight);
                }
                BreakOff::BreakOff => {
                    ask.note(|| {
                        let text = format!("The attack on {} is broken off.", self.map.name(fight.attack.target));
                        Note::new("break-off", text).by(&[rule::GROUND_TURN])
                    });
                    self.end_fight(state, fight);
                }
            },
            FightStage::Advance => {
                let units = self.in_fight(state, &fight.attack, state.active);
                let advance = Advance { game: self, state, hex: fight.attack.target, units: &units, least: 0 };
                let chosen = ask.decide(&advance)?;
                let chosen: Set = chosen.iter().filter_map(|id| self.find(id)).collect();
                self.advance(state, chosen, fight.attack.target, ask);
                if chosen.iter().any(|unit| self.info(unit).armor) && state.combat == Combat::Main {
                    state.breakthroughs.insert(fight.attack.target);
                }
                self.end_fight(state, fight);
            }
        }
        Ok(())
    }

    fn note_multipliers(&self, state: &GroundState, fight: &Fight, ask: &mut impl Ask) {
        ask.note(|| {
            let (target, river) = (fight.attack.target, fight.river);
            let each = self.stack(state, target).map(|unit| {
                let dm = self.multiplier(state, unit, target, river);
                let parts = self.multiplier_parts(state, unit, target, river);
                let parts: Vec<String> = parts.iter().map(|(why, value)| format!("{why} {value:+}")).collect();
                format!("{} × {dm} ({})", self.info(unit).name, parts.join(", "))
            });
            let text = format!("Defense multipliers: {}.", each.collect::<Vec<_>>().join("; "));
            Note::new("multipliers", text).by(&[rule::C_5]).detail()
        });
    }

    /// Takes a loss that leaves no choice; what is still owed otherwise.
    fn settle(&self, state: &mut GroundState, fight: &mut Fight, side: Side, loss: Loss, ask: &mut impl Ask) -> Owed {
        let owed = match loss {
            Loss::AtLeast(0, _) => return Owed::default(),
            Loss::AtLeast(number, measure) => {
                Owed { factors: number.min(u32::from(u16::MAX)) as u16, modified: measure == Measure::Modified }
            }
            Loss::Everything(_) => Owed { factors: u16::MAX, modified: false },
        };
        let only = {
            let choice = LossChoice { game: self, state, fight, side, owed };
            choice.only()
        };
        match only {
            Some(losses) => {
                self.remove(state, fight, side, &losses, ask);
                Owed::default()
            }
            None => owed,
        }
    }

    pub(super) fn remove(
        &self,
        state: &mut GroundState,
        fight: &mut Fight,
        side: Side,
        losses: &Losses,
        ask: &mut impl Ask,
    ) {
        let units: Set = losses.units.iter().filter_map(|id| self.find(id)).collect();
        self.eliminate(state, units);
        let flying = if side == state.active { &mut fight.attack.support } else { &mut fight.attack.das };
        *flying -= losses.air;
        state.air[side].eliminated += losses.air;
        ask.note(|| {
            let air = (losses.air > 0).then(|| counted(u32::from(losses.air), "air factor"));
            let names = units.iter().map(|unit| self.info(unit).name.as_str()).chain(air.as_deref());
            let text = format!("The {} lose {}.", crate::game::victory::SIDES[side], super::attacks::listed(names));
            Note::new("losses", text).by(&[rule::COMBAT_RESULTS, rule::C_31]).pieces(&losses.units).effect(Effect::Lost)
        });
    }

    pub(super) fn eliminate(&self, state: &mut GroundState, units: Set) {
        for unit in units.iter() {
            let gone = state.unit_mut(unit);
            (gone.hex, gone.isolation, gone.spent) = (None, 0, 0);
            (gone.moved, gone.attacked, gone.exploiting) = (false, false, false);
        }
    }

    /// What follows when a round's losses are taken.
    fn after_losses(&self, state: &mut GroundState, mut fight: Fight, ask: &mut impl Ask) {
        if let FightStage::Losses(left) = fight.next
            && (left.first.factors > 0 || left.second.factors > 0)
        {
            state.phase = Phase::Fight(fight);
            return;
        }
        let ours = self.in_fight(state, &fight.attack, state.active);
        let theirs = self.in_fight(state, &fight.attack, state.active.other());
        match (ours.is_empty(), theirs.is_empty()) {
            (false, true) => fight.next = FightStage::Advance,
            (false, false) if self.strengths(state, &fight.attack).ratio().column().is_some() => {
                fight.next = FightStage::GoOn;
            }
            (false, false) => {
                ask.note(|| {
                    let text = "The odds have fallen below 1:4, and the attack ends.";
                    Note::new("odds-too-low", text).by(&[rule::COMBAT_TABLE, rule::R_10])
                });
                return self.end_fight(state, fight);
            }
            (true, _) => return self.end_fight(state, fight),
        }
        state.phase = Phase::Fight(fight);
    }

    fn end_fight(&self, state: &mut GroundState, fight: Fight) {
        self.fly_home(state, &fight.attack);
        state.phase = Phase::Resolve;
    }

    /// Moves units into a hex that has fallen.
    pub(super) fn advance(&self, state: &mut GroundState, units: Set, hex: HexAt, ask: &mut impl Ask) {
        for unit in units.iter() {
            state.unit_mut(unit).hex = Some(hex);
            state.take(self.info(unit).side, hex);
        }
        ask.note(|| {
            let hex = self.map.name(hex);
            let text = match units.len() {
                0 => format!("Nothing advances into {hex}."),
                1 => format!("{} advances into {hex}.", self.names(units.iter())),
                _ => format!("{} advance into {hex}.", self.names(units.iter())),
            };
            Note::new("advance", text).by(&[rule::GROUND_TURN, rule::C_8])
        });
    }

    /// Armor that could still do something in the exploitation phase.
    pub(crate) fn can_exploit(&self, state: &GroundState) -> bool {
        let terrain = self.terrain(state, state.active);
        self.army(state, state.active).any(|(unit, now, hex)| {
            if now.exploiting {
                return self.can_step(state, &terrain, unit, hex);
            }
            self.may_exploit(state, unit).iter().any(|through| {
                let fresh = self.fresh(state, unit, through);
                self.has_room(state, through, unit) || self.can_step(&fresh, &terrain, unit, through)
            })
        })
    }

    /// The same battle with a unit put into a breakthrough hex, its allowance whole again unless it is isolated.
    pub(crate) fn fresh(&self, state: &GroundState, unit: UnitAt, through: HexAt) -> GroundState {
        let mut fresh = state.clone();
        self.put_in(&mut fresh, unit, through);
        fresh
    }

    fn put_in(&self, state: &mut GroundState, unit: UnitAt, through: HexAt) {
        let movement = self.info(unit).movement;
        let moving = state.unit_mut(unit);
        let spent = if moving.isolated() { movement } else { 0 };
        (moving.hex, moving.spent, moving.moved, moving.exploiting) = (Some(through), spent, false, true);
    }

    /// Step 4: armor goes through the breakthroughs. [C-9]
    pub(super) fn exploit_step(&self, state: &mut GroundState, ask: &mut impl Ask) -> Asked<()> {
        let order = if self.can_exploit(state) { ask.decide(&Orders { game: self, state })? } else { Order::Done };
        match order {
            Order::Exploit { unit, through, to } => {
                let (Some(unit), Some(through), Some(to)) =
                    (self.find(&unit), self.map.place(through), self.map.place(to))
                else {
                    return Ok(());
                };
                self.put_in(state, unit, through);
                if to != through {
                    self.go(state, unit, through, to);
                }
                ask.note(|| {
                    let (name, through) = (&self.info(unit).name, self.map.name(through));
                    let text = format!("{name} exploits through {through} to {}.", self.map.name(to));
                    Note::new("exploit", text).by(&[rule::C_9]).pieces([&self.info(unit).id])
                });
            }
            Order::Move { unit, to } => self.move_unit(state, &unit, to, ask),
            _ => {
                let any = self.army(state, state.active).any(|(_, unit, _)| unit.exploiting);
                state.combat = Combat::Exploitation;
                (state.attacked, state.taken_back) = (Set::default(), 0);
                state.phase = if any { Phase::Declare } else { Phase::Supply };
            }
        }
        Ok(())
    }
}
