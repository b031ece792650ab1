//! Signals: orders that are offered ready made, worked out into plain orders. [C-37]

use super::orders::{Orders, Plan, knots, turning};
use super::run::corners;
use crate::game::state::VesselId;
use crate::geometry::{Heading, Position};
use flagplot_kernel::course::{Leg, UNIT, direction};
use flagplot_kernel::plane::Point;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    Keep,
    /// Every ship turns at once.
    Together {
        turn: i32,
        speed: i32,
    },
    /// Every ship turns where the first one turns.
    Succession {
        turn: i32,
        speed: i32,
    },
    /// Every ship goes along the wake of the ship ahead of her in the list.
    Follow {
        speed: i32,
    },
    /// Every ship turns away from the others.
    Scatter {
        speed: i32,
    },
}

/// The turns that are offered and thought about, in degrees. [section 17.2]
pub(in crate::game) const TURNS: [i32; 15] = [0, -15, 15, -30, 30, -45, 45, -60, 60, -90, 90, -135, 135, -180, 180];

/// The turns in succession that are offered and thought about, in degrees.
pub(in crate::game) const IN_SUCCESSION: [i32; 4] = [-45, 45, -90, 90];

/// The heading, a multiple of 15 degrees, that points best along a vector; none for no vector.
pub(in crate::game) fn bearing(vector: Point) -> Option<i32> {
    if vector == Point::new(0, 0) {
        return None;
    }
    (0..24).map(|step| step * 15).max_by_key(|degrees| direction(*degrees).dot(vector))
}

/// The turn from one heading to another, at most 180 degrees either way.
pub(in crate::game) fn turn_to(from: Heading, to: i32) -> i32 {
    (to - from.degrees() + 180).rem_euclid(360) - 180
}

impl Signal {
    /// What the signal says, for some ships. Signals of one kind and speed share what stands before the colon.
    pub(super) fn words(self, alone: Option<Heading>) -> String {
        let at = |speed: i32| format!("at {speed} knots");
        let hand = |turn: i32| if turn < 0 { "port" } else { "starboard" };
        match (self, alone) {
            (Signal::Keep, _) => "Keep course and speed".to_owned(),
            (Signal::Together { turn: 0, speed } | Signal::Succession { turn: 0, speed }, _) => {
                format!("Keep course {}", at(speed))
            }
            (Signal::Together { turn, speed }, Some(heading)) => {
                format!("Turn {}: to {:03}", at(speed), heading.turned(turn).degrees())
            }
            (Signal::Together { turn, speed }, None) => {
                format!("Turn together {}: {}° to {}", at(speed), turn.abs(), hand(turn))
            }
            (Signal::Succession { turn, speed }, _) => {
                format!("Turn in succession {}: {}° to {}", at(speed), turn.abs(), hand(turn))
            }
            (Signal::Follow { speed }, _) => format!("Follow the ship ahead {}", at(speed)),
            (Signal::Scatter { speed }, _) => format!("Scatter {}", at(speed)),
        }
    }
}

impl Orders<'_> {
    /// The speeds that are offered: as now, the highest, and one between, as far as the squadron can make them.
    pub(in crate::game) fn speeds(&self, ships: &[VesselId]) -> Vec<i32> {
        let limits = || ships.iter().map(|ship| self.game.mover(self.sea, *ship).speeds());
        let slowest = limits().map(|(slowest, _)| slowest).max().unwrap_or(0);
        let fastest = limits().map(|(_, fastest)| fastest).min().unwrap_or(0).max(slowest);
        let last = ships.iter().map(|ship| self.sea.vessel(*ship).last_speed).min().unwrap_or(0);
        let mut speeds = vec![last.clamp(slowest, fastest)];
        for speed in [fastest, i32::midpoint(slowest, fastest)] {
            if !speeds.contains(&speed) {
                speeds.push(speed);
            }
        }
        speeds
    }

    /// The signals that are offered: about a dozen, at the highest speed but for one that slows down. Every other
    /// course is plotted ship by ship.
    pub(super) fn signals(&self, ships: &[VesselId]) -> Vec<Signal> {
        let speeds = self.speeds(ships);
        let (speed, slow) = (speeds.iter().max().copied().unwrap_or(0), speeds.iter().min().copied().unwrap_or(0));
        let mut signals = vec![Signal::Keep, Signal::Together { turn: 0, speed }];
        let turns: &[i32] = if ships.len() > 1 { &[-45, 45, -90, 90, 180] } else { &[-30, 30, -60, 60, -90, 90, 180] };
        signals.extend(turns.iter().map(|&turn| Signal::Together { turn, speed }));
        if ships.len() > 1 {
            signals.extend(IN_SUCCESSION.map(|turn| Signal::Succession { turn, speed }));
            signals.extend([Signal::Follow { speed }, Signal::Scatter { speed }]);
        } else {
            signals.push(Signal::Together { turn: 0, speed: slow });
        }
        signals
    }

    /// The orders that a signal means. A ship that it would be refused for is left out and keeps her course.
    pub(in crate::game) fn work_out(&self, ships: &[VesselId], signal: Signal) -> Vec<Plan> {
        let (game, sea) = (self.game, self.sea);
        let mut paper: Vec<(VesselId, Point)> = Vec::with_capacity(ships.len());
        let mut plans: Vec<Plan> = Vec::with_capacity(ships.len());
        for (at, &ship) in ships.iter().enumerate() {
            let plan = match signal {
                Signal::Keep => game.keep(sea, &paper, ship),
                Signal::Together { turn, speed } => self.turn_plan(ship, speed, turn),
                Signal::Succession { turn, speed } if at == 0 => self.turn_plan(ship, speed, turn),
                Signal::Succession { speed, .. } => {
                    let lead = plans.first().filter(|plan| Some(&plan.vessel) == ships.first());
                    self.turn_where(ship, speed, lead)
                }
                Signal::Follow { speed } => {
                    self.follow(ship, speed, at.checked_sub(1).and_then(|at| ships.get(at)), &plans)
                }
                Signal::Scatter { speed } => self.turn_plan(ship, speed, self.away(ships, at)),
            };
            if game.lawful(sea, &paper, &plan).is_ok() {
                paper.push((ship, game.end(sea, &plan).at.point()));
                plans.push(plan);
            }
        }
        plans
    }

    /// A ship's own turn, as early as she can, at a speed as near as she can make it.
    pub(in crate::game) fn turn_plan(&self, ship: VesselId, speed: i32, turn: i32) -> Plan {
        let (slowest, fastest) = self.game.mover(self.sea, ship).speeds();
        let speed = speed.clamp(slowest, fastest.max(slowest));
        let whole = knots(&self.game.battle.rules, speed);
        Plan { vessel: ship, speed, legs: turning(self.game.straight_run(ship), whole, turn), smoke: false }
    }

    /// The turns of the first ship, at the points where she made them; straight on if they are out of reach.
    fn turn_where(&self, ship: VesselId, speed: i32, lead: Option<&Plan>) -> Plan {
        let straight = self.turn_plan(ship, speed, 0);
        let Some(lead) = lead else { return straight };
        let run = self.game.straight_run(ship);
        let (mut at, mut left) = (self.sea.vessel(ship).at, knots(&self.game.battle.rules, straight.speed));
        let mut leader = self.sea.vessel(lead.vessel).at;
        let mut legs = Vec::with_capacity(lead.legs.len());
        for leg in &lead.legs {
            match *leg {
                Leg::Ahead(mm) => leader = leader.ahead(mm),
                Leg::Turn(by) => {
                    leader.heading = leader.heading.turned(by);
                    let ahead = along(at, leader.at.point());
                    if ahead < run || ahead > left {
                        break;
                    }
                    legs.extend([Leg::Ahead(ahead), Leg::Turn(by)]);
                    at = at.ahead(ahead);
                    at.heading = at.heading.turned(by);
                    left -= ahead;
                }
            }
        }
        if left > 0 {
            legs.push(Leg::Ahead(left));
        }
        Plan { legs, ..straight }
    }

    /// Along the wake of the ship ahead: to where she was, then the way she went.
    fn follow(&self, ship: VesselId, speed: i32, ahead: Option<&VesselId>, plans: &[Plan]) -> Plan {
        let straight = self.turn_plan(ship, speed, 0);
        let Some(ahead) = ahead else { return straight };
        let start = self.sea.vessel(*ahead).at;
        let wake = match plans.iter().find(|plan| plan.vessel == *ahead) {
            Some(plan) => corners(start, &plan.legs),
            None => vec![start.at.point()],
        };
        let run = self.game.straight_run(ship);
        let (mut at, mut left) = (self.sea.vessel(ship).at, knots(&self.game.battle.rules, straight.speed));
        let mut legs = Vec::new();
        for point in wake {
            let Some(course) = bearing(point - at.ahead(run.min(left)).at.point()) else { continue };
            let turn = turn_to(at.heading, course).clamp(-45, 45);
            if turn != 0 && along(at, point) > 0 && left >= run {
                legs.extend([Leg::Ahead(run), Leg::Turn(turn)]);
                at = at.ahead(run);
                at.heading = at.heading.turned(turn);
                left -= run;
            }
            let on = along(at, point).clamp(0, left);
            if on > 0 {
                legs.push(Leg::Ahead(on));
                at = at.ahead(on);
                left -= on;
            }
        }
        if left > 0 {
            legs.push(Leg::Ahead(left));
        }
        Plan { legs, ..straight }
    }

    /// The turn that takes a ship away from the middle of her squadron.
    fn away(&self, ships: &[VesselId], at: usize) -> i32 {
        let points = || ships.iter().map(|ship| self.game.point(self.sea, *ship));
        let sum = points().fold(Point::new(0, 0), |sum, point| sum + point);
        let count = ships.len().max(1) as i64;
        let middle = Point::new(sum.x / count, sum.y / count);
        let Some(ship) = ships.get(at) else { return 0 };
        let heading = self.sea.vessel(*ship).at.heading;
        bearing(self.game.point(self.sea, *ship) - middle).map_or(0, |course| turn_to(heading, course))
    }
}

/// How far ahead of a ship a point lies, measured along her course.
fn along(at: Position, point: Point) -> i64 {
    (point - at.at.point()).dot(direction(at.heading.degrees())) / UNIT
}
