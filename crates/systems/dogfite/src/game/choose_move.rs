//! The steps of a move: what may be done. (7.2, 8.2, 8.3)

use super::Dogfight;
use super::choices::check_spin;
use super::state::{Act, Mover, State};
use crate::bet::{self, Bet};
use crate::refusals::Barred;
use crate::words::{Flight, Maneuver};
use flagplot_kernel::hex::Direction;
use flagplot_kernel::{Decision, Refusal, Seat};

/// The next step of an aircraft.
pub(super) struct MoveChoice<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub mover: &'a Mover,
}

impl Decision for MoveChoice<'_> {
    type Value = Act;

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn check(&self, act: &Act) -> Result<(), Refusal> {
        Ok(self.check_act(act)?)
    }
}

impl MoveChoice<'_> {
    /// Whether there is nothing left to choose.
    pub fn is_over(&self) -> bool {
        let mover = self.mover;
        self.game.points_left(mover) == 0
            && mover.leveling.is_none()
            && (mover.used > 0 || mover.bet_only_made || self.is_stalled())
    }

    /// The act, where there is only one. An aircraft that may spin has another.
    pub fn only(&self) -> Option<Act> {
        check_spin(self.state, self.mover).err()?;
        let mut acts = self.listed(Points::All);
        let first = acts.next()?;
        acts.next().is_none().then_some(first)
    }

    pub fn is_stalled(&self) -> bool {
        self.state.get(self.mover.who).flight == Flight::Stalled
    }

    pub fn is_in_middle(&self) -> bool {
        self.state.get(self.mover.who).position.facing.is_none()
    }

    /// The most aerobatic points for a bet of a level. (8.3)
    pub fn most_points(&self, level: i32) -> i32 {
        let id = self.mover.who;
        if self.mover.is_follower() || self.is_stalled() {
            return 0;
        }
        bet::most_points(level, self.game.flying(self.state, id), self.game.info(id).ratings.aerobatic)
    }

    /// Whether the aircraft is where an act can be made, with the movement points it takes.
    fn check_spot(&self, act: &Act) -> Result<(), Barred> {
        let (mover, game) = (self.mover, self.game);
        let left = game.points_left(mover);
        match act {
            Act::Stop if left > 0 && mover.just_stayed && self.is_in_middle() => Ok(()),
            Act::Stop if left > 0 => Err(Barred::PointsLeft),
            Act::Stop if mover.leveling.is_some() => Err(Barred::LevelingDue),
            Act::Spin => check_spin(self.state, mover),
            Act::BetOnly { points, .. } => {
                let could_step = game.points_of(mover, mover.aerobatics || *points > 0) > 0;
                let barred = mover.used > 0 || mover.bet_only_made || could_step;
                if barred { Err(Barred::StepPossible) } else { Ok(()) }
            }
            Act::Stop => Ok(()),
            _ if left == 0 => Err(Barred::NoPointsLeft),
            Act::Straight { .. } | Act::Facing { .. } if self.is_in_middle() => Err(Barred::InMiddle),
            Act::Exit { .. } if !self.is_in_middle() => Err(Barred::NotInMiddle),
            _ => Ok(()),
        }
    }

    pub fn check_act(&self, act: &Act) -> Result<(), Barred> {
        self.bet(act).map(drop)
    }

    /// The bet of an act, if it makes one, or why the act cannot be made.
    fn bet(&self, act: &Act) -> Result<Option<Bet>, Barred> {
        let (mover, game) = (self.mover, self.game);
        let points = act.points();
        if points < 0 || act.level().is_some_and(|level| !(0..=3).contains(&level)) {
            return Err(Barred::BetOutOfRange);
        }
        self.check_spot(act)?;
        let bet_only = matches!(act, Act::BetOnly { .. });
        match act {
            Act::Stop | Act::Spin => return Ok(None),
            Act::Facing { .. } | Act::Stay { .. } if self.is_stalled() => return Err(Barred::StalledFliesStraight),
            _ => {}
        }
        if self.is_stalled() && mover.leveling.is_none() && (act.level().is_some() || points > 0 || bet_only) {
            return Err(Barred::StalledMakesNoBet);
        }
        let plain = matches!(act, Act::Straight { level: None, points: 0 });
        if !plain && !bet_only && game.leaves(self.state, mover, Maneuver::Straight).is_some() {
            return Err(Barred::BetWhileLeaving);
        }
        let Some(bet) = game.plan(self.state, mover, act)?.and_then(|plan| plan.bet) else {
            return if bet_only { Err(Barred::EmptyBet) } else { Ok(None) };
        };
        if points > 0 && mover.is_follower() {
            return Err(Barred::FollowerAerobatics);
        }
        bet::check_points(points, self.most_points(bet.level))?;
        if points > 0 && !bet_only && game.points_of(mover, true) < mover.used + 1 {
            return Err(Barred::StepLost);
        }
        Ok(Some(bet))
    }

    /// The acts there are, bets with every level and number of points that is allowed.
    pub fn acts(&self, points_wanted: Points) -> Vec<Act> {
        self.listed(points_wanted).collect()
    }

    /// The same one by one.
    fn listed(&self, points_wanted: Points) -> impl Iterator<Item = Act> + '_ {
        let steps: &[Act] = match (self.game.points_left(self.mover) > 0, self.is_in_middle()) {
            (false, _) => &[],
            (true, true) => &IN_THE_MIDDLE,
            (true, false) => &ON_A_HEXSIDE,
        };
        let bet_only = (self.mover.used == 0).then_some(BET_ONLY);
        let bets = steps.iter().copied().chain(bet_only).flat_map(move |act| {
            let levels: &[Option<i32>] = if matches!(act, Act::Facing { .. }) { &[None] } else { &LEVELS };
            levels.iter().flat_map(move |&level| {
                let most = self.most_points(level.unwrap_or(3));
                let wanted = move |points: &i32| points_wanted == Points::All || *points == 0 || *points == most;
                (0..=most).filter(wanted).map(move |points| act.with_bet(level, points))
            })
        });
        let acts = bets.chain([Act::Stop, Act::Spin]);
        acts.filter(|act| self.bet(act).is_ok_and(|bet| !bet.is_some_and(|bet| says_twice(act, &bet))))
    }
}

/// Whether an act is another way of saying one that is listed too: a level that is needed anyway, or none where it is
/// 0.
fn says_twice(act: &Act, bet: &Bet) -> bool {
    match act.level() {
        Some(level) => level == bet.required() && (bet.leveling || bet.maneuver == Maneuver::StayInHex),
        None => bet.maneuver.is_plain() && !bet.leveling,
    }
}

const LEVELS: [Option<i32>; 5] = [None, Some(0), Some(1), Some(2), Some(3)];

const STAY: Act = Act::Stay { level: None, points: 0 };

const BET_ONLY: Act = Act::BetOnly { level: None, points: 0 };

const fn exit(edge: usize) -> Act {
    Act::Exit { edge: Direction::ALL[edge], level: None, points: 0 }
}

const fn facing(turn: i32) -> Act {
    Act::Facing { turn, points: 0 }
}

/// The steps out of the middle of a hex, and on any other place.
const IN_THE_MIDDLE: [Act; 7] = [STAY, exit(0), exit(1), exit(2), exit(3), exit(4), exit(5)];
const ON_A_HEXSIDE: [Act; 7] =
    [Act::Straight { level: None, points: 0 }, facing(3), facing(-2), facing(-1), facing(1), facing(2), STAY];

/// Which numbers of aerobatic points are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Points {
    All,
    NoneAndMost,
}
