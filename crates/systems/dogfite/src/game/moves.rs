//! The move of one aircraft. (Movement, Move / Maneuver bet, Formation flying)

use super::Dogfight;
use super::choices::{Cancel, ExitEdge, VerticalChoice};
use super::choose_move::MoveChoice;
use super::state::{Act, CraftId, Formation, Leg, Mover, Stage, State, Step, Trail, VerticalOption};
use crate::bet::{self, Bet, Settled};
use crate::edge;
use crate::initiative::Why;
use crate::movement::{self, Leveling, Stake, VerticalMove};
use crate::position::{Position, departure};
use crate::refusals::Barred;
use crate::rule;
use crate::words::{Flight, Maneuver, Pitch, Status, counted};
use flagplot_kernel::hex::Direction;
use flagplot_kernel::{Ask, Asked, D6, Note};
use smallvec::SmallVec;

/// What an act comes to before the dice.
pub(super) struct Plan {
    pub maneuver: Maneuver,
    /// Hexsides to the right.
    pub turn: i32,
    pub exit: Option<Direction>,
    /// The bet, if one is made.
    pub bet: Option<Bet>,
}

impl Plan {
    /// Where it leads with so many hexsides turned, and whether the aircraft keeps to its hex; none if it is thrown out
    /// of the middle. (8.5)
    pub fn lead(&self, from: &Position, turned: i32, stayed: bool) -> Option<(Position, Step)> {
        let mut to = *from;
        let step = match (self.maneuver, from.facing) {
            (Maneuver::BetOnly, _) => Step::Nowhere,
            (Maneuver::ExitMiddle, _) => {
                let edge = self.exit.unwrap_or(Direction::new(0));
                to.facing = Some(edge);
                Step::Exit(edge)
            }
            (Maneuver::StayInHex, None) if stayed => Step::Stay,
            (_, None) => return None,
            (maneuver, Some(facing)) => {
                to.hex = to.hex.step(facing);
                if maneuver == Maneuver::StayInHex && stayed {
                    to.facing = None;
                    Step::Stay
                } else {
                    to.facing = Some(facing.turn(turned));
                    if turned == 0 { Step::Straight } else { Step::Turn(turned) }
                }
            }
        };
        Some((to, step))
    }

    /// Where it leads if all goes well.
    pub fn goal(&self, from: &Position) -> Option<(Position, Step)> {
        self.lead(from, self.turn, true)
    }
}

impl Dogfight {
    /// The next decision of the aircraft that is moving.
    pub(super) fn move_on(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let Some(mut mover) = state.mover.take() else { return Ok(()) };
        let done = match mover.stage {
            Stage::Die => self.roll_movement(state, &mut mover, ask)?,
            Stage::Vertical => self.climb_or_dive(state, &mut mover, ask)?,
            Stage::Steps => self.steps(state, &mut mover, ask)?,
            Stage::Engine => self.engine(state, &mut mover, ask)?,
            Stage::Spinning => self.spinning(state, &mut mover, ask)?,
            Stage::Recovered => self.recovered(state, &mut mover, ask)?,
        };
        match done {
            Done::No => state.mover = Some(mover),
            Done::Yes => self.has_moved(state, &mover),
        }
        Ok(())
    }

    /// The move is over: its followers are due, and those in formation learn what to repeat.
    fn has_moved(&self, state: &mut State, mover: &Mover) {
        let ranks: SmallVec<[u8; 16]> = state.craft.iter().map(|craft| craft.rank).collect();
        state.order.has_just_moved(mover.who, &ranks);
        let craft = state.get(mover.who);
        let spun = craft.flight == Flight::Spinning && mover.stage != Stage::Engine;
        let broken_off = spun || !craft.in_play() && mover.stage != Stage::Engine;
        // A leader who spins before any step takes nobody along, up or down.
        let vertical = mover.vertical.filter(|_| !(spun && mover.legs.is_empty()));
        let follows = |id| state.order.follows(id) == Some((mover.who, Why::Formation));
        if (0..state.craft.len() as u8).any(follows) {
            state.trails.push(Trail {
                leader: mover.who,
                die: mover.die,
                speed: mover.tally.speed,
                vertical,
                legs: mover.legs.clone(),
                broken_off,
            });
        }
    }

    fn trail<'a>(&self, state: &'a State, mover: &Mover) -> Option<&'a Trail> {
        let (leader, _) = state.order.follows(mover.who)?;
        state.trails.iter().find(|trail| trail.leader == leader)
    }

    /// The movement die, before any choice. A follower at its leader's speed uses the leader's.
    fn roll_movement(&self, state: &State, mover: &mut Mover, ask: &mut impl Ask) -> Asked<Done> {
        let shared = match (mover.formation, self.trail(state, mover)) {
            (Formation::Copying(_), Some(trail)) => {
                (trail.speed == mover.tally.speed && trail.die > 0).then_some(trail.die)
            }
            _ => None,
        };
        let who = self.who(mover.who);
        mover.die = match shared {
            Some(die) => die,
            None => ask.roll(D6, format_args!("movement points of {}", who.id))?,
        };
        ask.note(|| {
            let (speed, points) = (mover.tally.speed, counted(self.points_of(mover, false), "movement point"));
            Note::new("moves", format!("{who} moves at speed {speed} with {points}."))
                .by(&[rule::MOVEMENT_POINTS])
                .pieces([who.id])
        });
        if let Some(die) = shared {
            ask.note(|| {
                Note::new("formation-die", format!("{who} uses its leader's die, {die}."))
                    .detail()
                    .by(&[rule::FORMATION, rule::R_63])
                    .pieces([who.id])
            });
        }
        movement::movement_points(&self.rules.tables, mover.die, mover.tally.speed, 0, false, ask);
        mover.stage = Stage::Vertical;
        Ok(Done::No)
    }

    /// Movement points that a move has in all, as things stand.
    pub(super) fn points_of(&self, mover: &Mover, aerobatics: bool) -> i32 {
        self.rules
            .tables
            .movement_points
            .cell(0, movement::movement_sum(mover.die, mover.tally.speed, mover.steepness, aerobatics))
    }

    pub(super) fn points_left(&self, mover: &Mover) -> i32 {
        (self.points_of(mover, mover.aerobatics) - mover.used).max(0)
    }

    /// The climb or dive of the turn. (Climbing / Diving)
    fn climb_or_dive(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Asked<Done> {
        let choice = VerticalChoice { game: self, state, mover };
        let copying = matches!(mover.formation, Formation::Copying(_));
        let copied = self.trail(state, mover).filter(|_| copying).and_then(|trail| trail.vertical);
        let copied = copied.filter(|vertical| choice.check_option(*vertical).is_ok());
        let option = match copied.or_else(|| choice.only()) {
            Some(option) => option,
            None => ask.decide(&choice)?,
        };
        if copying && copied.is_none() {
            self.fall_out(mover, "cannot copy its leader's climb or dive", ask);
        }
        mover.vertical = Some(option);
        mover.stage = Stage::Steps;
        let who = self.who(mover.who);
        ask.note(|| {
            Note::new("vertical", format!("{who} {}.", option.told()))
                .by(&[rule::CLIMB_DIVE, rule::R_18])
                .outcome(option.word())
                .pieces([who.id])
        });
        if option == VerticalOption::LevelOff {
            mover.leveling = Some(movement::finish_points(&self.rules.tables, mover.tally.speed));
        }
        let Some(made) = self.vertical(state, mover, option) else { return Ok(Done::No) };
        movement::note_vertical(&self.rules.tables, mover.tally.speed, made.extent, ask);
        mover.steepness = made.points;
        self.climb(state, mover, &made);
        Ok(self.crash_check(state, mover, ask))
    }

    /// A climb or dive that is allowed; none if the aircraft stays level or levels off.
    pub(super) fn vertical(&self, state: &State, mover: &Mover, option: VerticalOption) -> Option<VerticalMove> {
        let (way, extent) = option.way(state.get(mover.who).position.pitch)?;
        movement::vertical_move(&self.rules.tables, mover.tally.speed, way, extent).ok()
    }

    fn climb(&self, state: &mut State, mover: &mut Mover, made: &VerticalMove) {
        mover.tally.vertical = Some((made.way, made.points));
        let position = &mut state.get_mut(mover.who).position;
        position.pitch = made.pitch;
        position.level += made.levels;
    }

    /// Level 0 is the ground. (C-7; R-67)
    pub(super) fn crash_check(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Done {
        if state.get(mover.who).position.level > 0 {
            return Done::No;
        }
        mover.vertical = None;
        self.destroy(state, mover.who, "flies into the ground", &[rule::C_7, rule::R_67], ask);
        Done::Yes
    }

    fn fall_out(&self, mover: &mut Mover, why: &str, ask: &mut impl Ask) {
        mover.formation = Formation::Out;
        let who = self.who(mover.who);
        ask.note(|| {
            Note::new("out-of-formation", format!("{who} {why} and is out of formation."))
                .by(&[rule::FORMATION, rule::R_12, rule::R_63])
                .pieces([who.id])
        });
    }

    /// The steps of a move: copied from the leader, or chosen one by one. (Movement)
    fn steps(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Asked<Done> {
        if let Formation::Copying(next) = mover.formation {
            let leg = match self.trail(state, mover) {
                Some(trail) => match trail.legs.get(usize::from(next)) {
                    Some(leg) => Some(*leg),
                    None if trail.broken_off => None,
                    None => {
                        mover.stage = Stage::Engine; // The remaining movement points are forfeited.
                        return Ok(Done::No);
                    }
                },
                None => None,
            };
            let Some(leg) = leg else {
                self.fall_out(mover, "has no leader to follow", ask);
                return Ok(Done::No);
            };
            return self.copy_step(state, mover, leg, next, ask);
        }
        let act = {
            let choice = MoveChoice { game: self, state, mover };
            if choice.is_over() {
                mover.stage = Stage::Engine;
                return Ok(Done::No);
            }
            match choice.only() {
                Some(act) => act,
                None => ask.decide(&choice)?,
            }
        };
        match act {
            Act::Stop => {
                self.note_waiting(state, mover, ask);
                mover.stage = Stage::Engine;
                Ok(Done::No)
            }
            Act::Spin => self.try_spin(state, mover, ask),
            act => {
                let Ok(Some(plan)) = self.plan(state, mover, &act) else { return Ok(Done::No) }; // Checked before.
                self.carry_out(state, mover, &plan, ask)
            }
        }
    }

    fn note_waiting(&self, state: &State, mover: &Mover, ask: &mut impl Ask) {
        if state.get(mover.who).position.facing.is_none() && mover.used == 0 {
            let who = self.who(mover.who);
            ask.note(|| {
                Note::new("waits", format!("{who} has no movement points and stays in the middle without a bet."))
                    .detail()
                    .by(&[rule::R_62, rule::STEPS])
                    .pieces([who.id])
            });
        }
    }

    /// What an act comes to: its manoeuvre and its bet, or why it cannot be; none if it is not a step. (7.2, 8.2, 8.3)
    pub(super) fn plan(&self, state: &State, mover: &Mover, act: &Act) -> Result<Option<Plan>, Barred> {
        let (maneuver, turn, exit) = match *act {
            Act::Straight { .. } => (Maneuver::Straight, 0, None),
            Act::Facing { turn, .. } => {
                let maneuver = u8::try_from(turn.unsigned_abs()).ok().and_then(Maneuver::facing);
                (maneuver.ok_or(Barred::TurnOutOfRange)?, turn, None)
            }
            Act::Stay { .. } => (Maneuver::StayInHex, 0, None),
            Act::Exit { edge, .. } => (Maneuver::ExitMiddle, 0, Some(edge)),
            Act::BetOnly { .. } => (Maneuver::BetOnly, 0, None),
            Act::Spin | Act::Stop => return Ok(None),
        };
        let (leveling, points) = (self.leveling(mover), act.points());
        let speed = mover.tally.speed_for_bets();
        let required = movement::required_level(&self.rules.tables, speed, maneuver, leveling)?;
        let stake = Stake { chosen: act.level(), aerobatics: points > 0 };
        let level = movement::bet_level(maneuver, required, leveling, stake)?;
        let bet = level.map(|level| Bet { required, points, ..self.bet_of(state, mover, maneuver, level) });
        Ok(Some(Plan { maneuver, turn, exit, bet }))
    }

    /// The bet of an act that is allowed, if it makes one.
    pub(super) fn bet_on(&self, state: &State, mover: &Mover, act: &Act) -> Option<Bet> {
        self.plan(state, mover, act).ok().flatten()?.bet
    }

    fn leveling(&self, mover: &Mover) -> Leveling {
        mover.leveling.map_or(Leveling::No, Leveling::Off)
    }

    /// A bet without aerobatic points.
    fn bet_of(&self, state: &State, mover: &Mover, maneuver: Maneuver, level: i32) -> Bet {
        let harm = &state.get(mover.who).harm;
        Bet {
            maneuver,
            level,
            required: None,
            leveling: mover.leveling.is_some(),
            points: 0,
            flying: self.flying(state, mover.who),
            control_penalty: harm.control_penalty,
            formation_points: 0,
            stress_bet_level: harm.boxes.wear().stress_bet_level,
        }
    }

    /// Repeats a step of the leader, with a bet of its own where one is due. (5.5; R-63)
    fn copy_step(&self, state: &mut State, mover: &mut Mover, leg: Leg, next: u8, ask: &mut impl Ask) -> Asked<Done> {
        let (maneuver, turn, exit) = match leg.step {
            Step::Straight => (Maneuver::Straight, 0, None),
            Step::Turn(turn) => (Maneuver::facing(turn.unsigned_abs() as u8).unwrap_or(Maneuver::Straight), turn, None),
            Step::Stay => (Maneuver::StayInHex, 0, None),
            Step::Exit(edge) => (Maneuver::ExitMiddle, 0, Some(edge)),
            Step::Nowhere => (Maneuver::BetOnly, 0, None),
        };
        if leg.step != Step::Nowhere && self.points_left(mover) == 0 {
            self.fall_out(mover, "has no movement points left", ask);
            return Ok(Done::No);
        }
        let off_map = leg.step != Step::Nowhere && self.leaves(state, mover, maneuver).is_some();
        let (tables, speed, leveling) = (&self.rules.tables, mover.tally.speed_for_bets(), self.leveling(mover));
        movement::note_required_level(tables, speed, maneuver, leveling, ask);
        let required = movement::required_level(tables, speed, maneuver, leveling);
        let (Ok(required), false) = (required, off_map) else {
            self.fall_out(mover, "cannot repeat its leader's step", ask);
            return Ok(Done::No);
        };
        let level = match required {
            Some(required) => Some(required),
            None if leg.points == 0 => None,
            None if maneuver.is_plain() => Some(leg.level),
            None => Some(0),
        };
        let formation_points = leg.points;
        let bet = level.map(|level| Bet { formation_points, ..self.bet_of(state, mover, maneuver, level) });
        mover.formation = Formation::Copying(next + 1);
        self.carry_out(state, mover, &Plan { maneuver, turn, exit, bet }, ask)
    }

    /// Where a step leads off the map, and what that makes of the aircraft.
    pub(super) fn leaves(&self, state: &State, mover: &Mover, maneuver: Maneuver) -> Option<Status> {
        let position = &state.get(mover.who).position;
        let facing = position.facing.filter(|_| maneuver != Maneuver::BetOnly)?;
        departure(position.hex.step(facing), self.scenario.radius, self.side(mover.who))
    }

    /// Makes a step with its bet.
    fn carry_out(&self, state: &mut State, mover: &mut Mover, plan: &Plan, ask: &mut impl Ask) -> Asked<Done> {
        let who = self.who(mover.who);
        mover.just_stayed = false;
        if plan.maneuver == Maneuver::BetOnly {
            mover.bet_only_made = true;
        } else {
            mover.used += 1;
        }
        if let Some(status) = self.leaves(state, mover, plan.maneuver) {
            ask.note(|| {
                Note::new("leaves", format!("{who} leaves the map {}.", status.destination()))
                    .by(&[rule::LEAVING, rule::C_8, rule::R_67])
                    .outcome(status.word())
                    .pieces([who.id])
            });
            state.remove(mover.who, status);
            return Ok(Done::Yes);
        }
        let Some(bet) = &plan.bet else {
            let leg = self.fly(state, mover, plan, None, ask)?;
            mover.legs.push(leg);
            return Ok(Done::No);
        };
        if bet.points > 0 {
            mover.aerobatics = true;
        }
        let (roll, failure) = bet::roll(&self.rules.tables, bet, who, ask)?;
        let cancelled = match &failure {
            None => bet::Tasks::default(),
            Some(failure) => {
                let tasks = bet.tasks();
                let ways = tasks.ways(failure.cut);
                match ways.as_slice() {
                    [] => tasks, // More is cut than there is.
                    [only] => *only,
                    _ => ask.decide(&Cancel { game: self, state, mover, tasks, count: failure.cut, plan })?.into(),
                }
            }
        };
        let settled = bet::settle(&self.rules.tables, bet, roll, failure.as_ref(), cancelled, ask);
        mover.tally.add_settled(&self.rules.tables, bet, &settled);
        self.record_edge(state, mover.who, &settled, ask);
        if failure.is_some() && matches!(mover.formation, Formation::Copying(_)) {
            self.fall_out(mover, "loses its bet", ask);
        }
        let mut leg = self.fly(state, mover, plan, Some(&settled), ask)?;
        (leg.level, leg.points) = (bet.level, bet.points);
        mover.legs.push(leg);
        if bet.leveling {
            mover.leveling = None;
            if settled.leveled == Some(true) {
                state.get_mut(mover.who).position.pitch = Pitch::Level;
            } else if let Done::Yes = self.finish_after_all(state, mover, ask) {
                return Ok(Done::Yes);
            }
        }
        if settled.half_dive {
            state.get_mut(mover.who).position.pitch = Pitch::Diving;
        }
        Ok(Done::No)
    }

    /// Levelling was given up: the half move is finished. (7.3; R-22)
    fn finish_after_all(&self, state: &mut State, mover: &mut Mover, ask: &mut impl Ask) -> Done {
        match self.vertical(state, mover, VerticalOption::Finish) {
            Some(made) => {
                self.climb(state, mover, &made);
                mover.vertical = Some(VerticalOption::Finish);
            }
            None => state.get_mut(mover.who).position.pitch = Pitch::Diving, // A climber that cannot pay.
        }
        let who = self.who(mover.who);
        ask.note(|| {
            Note::new("finishes", format!("{who} fails to level off and finishes its climb or dive."))
                .by(&[rule::LEVELING, rule::R_22])
                .pieces([who.id])
        });
        self.crash_check(state, mover, ask)
    }

    /// The edge gained by a bet, and what others lose by it; then what the mover loses. (5.4; R-53)
    fn record_edge(&self, state: &mut State, who: CraftId, settled: &Settled, ask: &mut impl Ask) {
        if settled.edge_gain > 0 {
            let aims: Vec<_> = (0..state.craft.len() as u8).map(|id| state.aim(self, id)).collect();
            let changes = edge::recording(usize::from(who), settled.edge_gain, &aims, ask);
            for (craft, change) in state.craft.iter_mut().zip(changes) {
                craft.edge = craft.edge.map(|edge| edge + change);
            }
        }
        let own = &mut state.get_mut(who).edge;
        *own = own.map(|edge| edge - settled.edge_loss);
    }

    /// Moves the aircraft by what is left of the manoeuvre after any cut. (8.5)
    fn fly(
        &self,
        state: &mut State,
        mover: &mut Mover,
        plan: &Plan,
        settled: Option<&Settled>,
        ask: &mut impl Ask,
    ) -> Asked<Leg> {
        let position = state.get(mover.who).position;
        let turned =
            settled.and_then(|settled| settled.facing_done).map_or(plan.turn, |done| done * plan.turn.signum());
        let stayed = settled.and_then(|settled| settled.stayed).unwrap_or(true);
        let who = self.who(mover.who);
        let (position, step) = match plan.lead(&position, turned, stayed) {
            Some(led) => led,
            None => {
                let edge = ask.decide(&ExitEdge { game: self, state, who: mover.who })?;
                ask.note(|| {
                    Note::new("thrown-out", format!("{who} is thrown out of the middle."))
                        .by(&[rule::BET_FAILURE, rule::R_33])
                        .pieces([who.id])
                });
                (Position { facing: Some(edge), ..position }, Step::Exit(edge))
            }
        };
        mover.just_stayed = step == Step::Stay;
        state.get_mut(mover.who).position = position;
        ask.note(|| {
            let (hex, spot, level) = (position.hex, super::spot(&position), position.level);
            Note::new("step", format!("{who} is at {} {spot}, level {level}.", self.hex_name(hex)))
                .by(&[rule::STEPS, rule::C_2])
                .pieces([who.id])
        });
        Ok(Leg { step, level: 0, points: 0 })
    }
}

/// Whether a move is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    No,
    Yes,
}
