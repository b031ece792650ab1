//! A player turn: the option, movement, and what ends it. [4.2, 4.4]

use super::GroundGame;
use super::choices::{Order, Orders, Overstacked, SpreadFor, TurnChoice};
use super::map::{HexAt, UnitAt};
use super::movement::Terrain;
use super::set::Set;
use super::state::{AirPool, Attack, Combat, GroundState, Phase, Unit};
use crate::game::victory::SIDES;
use crate::rule;
use crate::scenarios::{HexId, TurnOption};
use flagplot_kernel::{Ask, Asked, BySide, Note, Side};

impl GroundGame {
    pub(super) fn start(&self) -> GroundState {
        let pool = |ready: u32| AirPool { ready: ready.min(255) as u8, spent: 0, eliminated: 0 };
        let units = self.units.iter().map(|info| Unit {
            hex: Some(info.start),
            isolation: 0,
            spent: 0,
            moved: false,
            attacked: false,
            exploiting: false,
        });
        GroundState {
            turn: 1,
            active: self.scenario.first.side(),
            phase: Phase::Option,
            option: TurnOption::Pass,
            combat: Combat::Main,
            units: units.collect(),
            axis: self.map.axis,
            air: BySide { first: pool(self.scenario.air.axis), second: pool(self.scenario.air.allies) },
            attacks: Vec::<Attack>::new(),
            attacked: Set::default(),
            taken_back: 0,
            breakthroughs: Set::default(),
        }
    }

    pub(super) fn take_step(&self, state: &mut GroundState, ask: &mut impl Ask) -> Asked<()> {
        match state.phase {
            Phase::Option => self.option_step(state, ask)?,
            Phase::Movement => return self.movement_step(state, ask),
            Phase::Overstack => self.overstack_step(state, ask)?,
            Phase::Declare => return self.declare_step(state, ask),
            Phase::Das => return self.spread_step(state, SpreadFor::Das, ask),
            Phase::Intercept => return self.spread_step(state, SpreadFor::Intercept, ask),
            Phase::AirCombat(combat) => return self.air_combat_step(state, combat, ask),
            Phase::Resolve => return self.resolve_step(state, ask),
            Phase::Fight(fight) => self.fight_step(state, fight, ask)?,
            Phase::Exploit => return self.exploit_step(state, ask),
            Phase::Attrition(struggle) => self.attrition_step(state, struggle, ask)?,
            Phase::Supply => self.supply_step(state, ask),
            Phase::Over => {}
        }
        self.end_if_gone(state, ask);
        Ok(())
    }

    /// A side without units on the map loses at once; if that befalls both, the score decides. [4.4]
    fn end_if_gone(&self, state: &mut GroundState, ask: &mut impl Ask) {
        let gone: Vec<Side> = Side::BOTH.into_iter().filter(|side| self.army(state, *side).next().is_none()).collect();
        if gone.is_empty() {
            return;
        }
        state.phase = Phase::Over;
        ask.note(|| {
            let text = match gone.as_slice() {
                [side] => format!("The {} have no units left on the map.", SIDES[*side]),
                _ => "Neither side has units left on the map: the score decides.".into(),
            };
            Note::new("gone", text).by(&[rule::GROUND_VICTORY])
        });
    }

    /// Step 1.
    fn option_step(&self, state: &mut GroundState, ask: &mut impl Ask) -> Asked<()> {
        state.option = match self.scenario.options.as_slice() {
            [only] => *only,
            _ => ask.decide(&TurnChoice { game: self, state })?,
        };
        state.phase = Phase::Movement;
        ask.note(|| {
            let what = match state.option {
                TurnOption::Offensive => "an offensive",
                TurnOption::Attrition => "attrition",
                TurnOption::Pass => "a pass",
            };
            let text = format!("Turn {}: the {} choose {what}.", state.turn, SIDES[state.active]);
            Note::new("option", text).by(&[rule::GROUND_TURN])
        });
        Ok(())
    }

    /// Whether a unit can go anywhere from a hex.
    pub(crate) fn can_step(&self, state: &GroundState, terrain: &Terrain, unit: UnitAt, from: HexAt) -> bool {
        self.map.links(from).iter().any(|to| self.can_go(state, terrain, unit, from, to))
            || (self.points_left(state, unit) > 1
                && !state.unit(unit).isolated()
                && self.can_go_far(state, terrain, unit))
    }

    fn can_go_far(&self, state: &GroundState, terrain: &Terrain, unit: UnitAt) -> bool {
        let Some(from) = state.unit(unit).hex else { return false };
        let reach = self.reach(state, terrain, unit, from, self.points_left(state, unit));
        reach.hexes.iter().any(|hex| self.has_room(state, hex, unit))
    }

    /// Whether a unit can go to a neighbour.
    #[inline]
    pub(crate) fn can_go(&self, state: &GroundState, terrain: &Terrain, unit: UnitAt, from: HexAt, to: HexAt) -> bool {
        let points = self.points_left(state, unit);
        let free = self.rules.terrain.movement_cost.always_one_hex && !state.unit(unit).moved;
        points > 0
            && !terrain.closed.contains(to)
            && (free || self.step_cost(terrain, from, to) <= points)
            && self.has_room(state, to, unit)
    }

    pub(super) fn move_unit(&self, state: &mut GroundState, unit: &str, to: HexId, ask: &mut impl Ask) {
        let (Some(unit), Some(to)) = (self.find(unit), self.map.place(to)) else { return };
        let Some(from) = state.unit(unit).hex else { return };
        let way = self.go(state, unit, from, to);
        ask.note(|| {
            let name = &self.info(unit).name;
            let over: Vec<String> = way[..way.len().saturating_sub(1)].iter().map(|hex| self.map.name(*hex)).collect();
            let by = if over.is_empty() { String::new() } else { format!(" by {}", over.join(", ")) };
            let text = format!("{name} moves from {} to {}{by}.", self.map.name(from), self.map.name(to));
            let zones = self.zones(state, self.info(unit).side.other());
            let zone: &[_] = if way.iter().any(|hex| zones.contains(*hex)) { &[rule::C_7] } else { &[] };
            Note::new("move", text).by(&[rule::C_25]).by(zone).pieces([&self.info(unit).id])
        });
    }

    /// Step 2: one leg of one unit, or the end of movement.
    fn movement_step(&self, state: &mut GroundState, ask: &mut impl Ask) -> Asked<()> {
        let terrain = self.terrain(state, state.active);
        let stuck = !self.army(state, state.active).any(|(unit, _, hex)| self.can_step(state, &terrain, unit, hex));
        let order = if stuck { Order::Done } else { ask.decide(&Orders { game: self, state })? };
        match order {
            Order::Move { unit, to } => self.move_unit(state, &unit, to, ask),
            _ => {
                state.phase =
                    if self.overstacked(state).is_some() { Phase::Overstack } else { self.after_movement(state) }
            }
        }
        Ok(())
    }

    fn after_movement(&self, state: &GroundState) -> Phase {
        match state.option {
            TurnOption::Offensive => Phase::Declare,
            TurnOption::Attrition => self.start_attrition(state),
            TurnOption::Pass => Phase::Supply,
        }
    }

    /// The first hex, by id, in which the active side has too many units. [C-8]
    pub(crate) fn overstacked(&self, state: &GroundState) -> Option<HexAt> {
        let mut counts = [0u32; super::set::CAPACITY];
        for (_, _, hex) in self.army(state, state.active) {
            counts[usize::from(hex)] += 1;
        }
        counts.iter().position(|count| *count > self.stacking()).map(|hex| hex as HexAt)
    }

    fn overstack_step(&self, state: &mut GroundState, ask: &mut impl Ask) -> Asked<()> {
        let Some(hex) = self.overstacked(state) else {
            state.phase = self.after_movement(state);
            return Ok(());
        };
        let choice = Overstacked { game: self, state, hex };
        let lost = match choice.only() {
            Some(only) => only,
            None => ask.decide(&choice)?,
        };
        let lost: Set = lost.iter().filter_map(|id| self.find(id)).collect();
        self.eliminate(state, lost);
        ask.note(|| {
            let text = format!("{} is overstacked: {} are eliminated.", self.map.name(hex), self.names(lost.iter()));
            Note::new("overstacked", text).by(&[rule::C_8])
        });
        Ok(())
    }

    /// Step 6: the enemy's supply, and the end of the player turn. [C-9]
    fn supply_step(&self, state: &mut GroundState, ask: &mut impl Ask) {
        let enemy = state.active.other();
        let supplied = self.supplied(state, enemy);
        let mut starved = Set::default();
        for (at, info) in self.units.iter().enumerate().filter(|(_, info)| info.side == enemy) {
            let unit = &mut state.units[at];
            let Some(hex) = unit.hex else { continue };
            if supplied.contains(hex) {
                unit.isolation = 0;
                continue;
            }
            unit.isolation += 1;
            let over = unit.isolation >= 2;
            if over {
                starved.insert(at as UnitAt);
            }
            ask.note(|| {
                let what = if over { "is still isolated and is eliminated" } else { "is isolated" };
                Note::new("isolated", format!("{} {what}.", info.name))
                    .by(&[rule::C_9, rule::GROUND_BATTLE])
                    .pieces([&info.id])
            });
        }
        self.eliminate(state, starved);
        self.end_player_turn(state, ask);
    }

    fn end_player_turn(&self, state: &mut GroundState, ask: &mut impl Ask) {
        for unit in &mut state.units {
            (unit.spent, unit.moved, unit.attacked, unit.exploiting) = (0, false, false, false);
        }
        for side in Side::BOTH {
            let pool = &mut state.air[side];
            pool.ready += pool.spent;
            pool.spent = 0;
        }
        state.combat = Combat::Main;
        (state.attacked, state.breakthroughs, state.taken_back) = (Set::default(), Set::default(), 0);
        let first = self.scenario.first.side();
        if state.active != first {
            if u32::from(state.turn) == self.scenario.turns {
                state.phase = Phase::Over;
                ask.note(|| {
                    Note::new("over", "The last turn is over: the score decides.")
                        .by(&[rule::GROUND_VICTORY, rule::C_30])
                        .outcome(self.limits.score(self.points(state)))
                });
                return;
            }
            state.turn += 1;
        }
        state.active = state.active.other();
        (state.phase, state.option) = (Phase::Option, TurnOption::Pass);
    }

    /// Both sides' points: objectives taken, counters and air factors of the enemy eliminated. [4.4, C-30]
    pub(crate) fn points(&self, state: &GroundState) -> BySide<i64> {
        let victory = &self.scenario.victory;
        let mut points = BySide { first: 0, second: 0 };
        for (hex, value) in &self.map.objectives {
            let began = self.map.began_with(*hex);
            if state.controls(began.other(), *hex) {
                points[began.other()] += value;
            }
        }
        for (unit, info) in state.units.iter().zip(&self.units) {
            if unit.hex.is_none() {
                points[info.side.other()] += victory.per_enemy_counter_eliminated;
            }
        }
        for side in Side::BOTH {
            let counters = u32::from(state.air[side].eliminated) / victory.air_factors_per_counter.max(1);
            points[side.other()] += i64::from(counters) * victory.per_enemy_counter_eliminated;
        }
        points
    }
}
