//! What an attack brings on average, by the rules of the fight itself. [15.2]

use super::GroundGame;
use super::state::{Attack, GroundState};
use crate::assault::LossOrders;
use crate::charts::OddsColumn;
use crate::ground::{AttackArm, DefenseArm, Forces};
use flagplot_kernel::{Ask, Asked, Choice, Die, Note, Unanswered};
use std::fmt::Display;

/// Answers every die with one face.
pub(super) struct Face(pub u8);

impl Ask for Face {
    fn roll(&mut self, _: Die, _: impl Display) -> Asked<u8> {
        Ok(self.0)
    }

    fn decide<C: Choice>(&mut self, _: &C) -> Asked<C::Value> {
        Err(Unanswered)
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}

/// One in a million times.
const WHOLE: i64 = 1_000_000;

/// What an attack brings on average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outlook {
    /// How often the hex falls, in a million.
    take: i64,
    /// The attacker's losses: millionths of a third of a counter.
    own: i64,
    /// The defender's losses likewise.
    enemy: i64,
}

impl Outlook {
    /// The balance in thousandths of a point, if the hex is worth so much.
    pub fn worth(&self, hex: i64) -> i64 {
        (self.enemy - self.own) / (WHOLE / 1000 * 3) + self.take * hex / WHOLE
    }

    /// How often the hex falls, in a thousand.
    pub fn chance(&self) -> i64 {
        self.take * 1000 / WHOLE
    }
}

/// The column from which an attack is pressed on. [15.5]
pub(crate) const GO_ON_FROM: OddsColumn = OddsColumn::Even;

impl GroundGame {
    /// What an attack brings if it is pressed on for so many rounds and both sides give up what costs them least.
    pub(crate) fn outlook(&self, state: &GroundState, attack: &Attack, rounds: u32) -> Outlook {
        let mut outlook = Outlook::default();
        self.fought(&self.forces(state, attack), 0, WHOLE, rounds, &mut outlook);
        outlook
    }

    fn fought(&self, forces: &Forces, fought: u32, weight: i64, rounds: u32, into: &mut Outlook) {
        let Some(column) = forces.strengths().ratio().column() else { return };
        if rounds == 0 || (fought > 0 && column < GO_ON_FROM) {
            return;
        }
        let share = weight / 6;
        for face in 1..=6 {
            let mut next = forces.clone();
            let round = LossOrders::Cheapest.round(&self.rules.charts, &mut next, column, fought, &mut Face(face));
            let Ok(round) = round else { return };
            let thirds = |air: bool, factors: u32| if air { i64::from(factors) } else { 3 };
            for removal in &round.attacker_removed {
                into.own += share * thirds(forces.attackers[removal.at].arm == AttackArm::Air, removal.factors);
            }
            for removal in &round.defender_removed {
                into.enemy += share * thirds(forces.defenders[removal.at].arm == DefenseArm::Air, removal.factors);
            }
            match (round.left.attacker_ground_remaining, round.left.defender_ground_remaining) {
                (0, _) => {}
                (_, 0) => into.take += share,
                _ => self.fought(&next, fought + 1, share, rounds - 1, into),
            }
        }
    }
}
