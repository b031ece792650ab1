//! What a naval battle is worth to either side. [6.4]

use super::NavalGame;
use super::state::{Condition, Open, Status};
use flagplot_kernel::{BySide, Outcome, Side};
use serde_json::json;

impl NavalGame {
    /// Points of both sides, as if the battle ended now.
    pub(crate) fn points(&self, open: &Open) -> BySide<i64> {
        let lost = self.losses(open);
        let victory = &self.scenario.victory;
        BySide::new_with(|side| {
            let enemy = side.other();
            let mut points = lost[enemy];
            if let Some(invasion) = self.facts.invasion
                && self.side_of_group(invasion) == side
                && self.invades(open)
            {
                points += victory.invasion_survives;
            }
            points + if self.concedes(open, enemy) { self.concession(enemy) } else { 0 }
        })
    }

    /// The points that a side's losses give its enemy.
    pub(crate) fn losses(&self, open: &Open) -> BySide<i64> {
        let victory = &self.scenario.victory;
        let mut lost = BySide::new_with(|side| {
            i64::from(open.light_sunk[side]) * victory.sunk_per_factor
                + i64::from(open.squadrons_lost[side]) * victory.squadron_eliminated
        });
        for (ship, condition) in self.facts.ships.iter().zip(&open.ships) {
            lost[ship.side] += i64::from(ship.size)
                * match condition {
                    Condition::Sunk => victory.sunk_per_factor,
                    Condition::Damaged => victory.damaged_per_factor,
                    Condition::Sound | Condition::Absent => 0,
                };
        }
        for (facts, group) in self.facts.groups.iter().zip(&open.groups) {
            lost[facts.side] += 2 * i64::from(group.lights.damaged_cruisers) * victory.damaged_per_factor;
        }
        lost
    }

    /// Whether a transport of the invasion is afloat and has not withdrawn. [6.4]
    pub(crate) fn invades(&self, open: &Open) -> bool {
        self.facts.invasion.is_some_and(|invasion| {
            let group = &open.groups[usize::from(open.joined(invasion))];
            group.lights.transports > 0 && group.status != Status::Withdrawn
        })
    }

    /// What a side gives its enemy for leaving the battle. [C-23]
    pub(crate) fn concession(&self, side: Side) -> i64 {
        self.scenario.victory.concede.map_or(0, |seats| seats.sides()[side])
    }

    /// Whether a side has withdrawn more naval factors than it has in the battle or still to come. [C-23]
    pub(crate) fn concedes(&self, open: &Open, side: Side) -> bool {
        let (mut gone, mut left) = (0, 0);
        for group in 0..open.groups.len() as u8 {
            let status = open.groups[usize::from(group)].status;
            if self.side_of_group(group) == side && !matches!(status, Status::Merged(_)) {
                let factors = self.naval_factors(open, group);
                *(if status == Status::Withdrawn { &mut gone } else { &mut left }) += factors;
            }
        }
        gone > left
    }

    pub(crate) fn ended(&self, open: &Open) -> Outcome {
        let points = self.points(open);
        let lost = self.losses(open);
        let conceded = Side::BOTH.map(|side| self.concedes(open, side));
        let details = json!({
            "rounds": open.round,
            "losses": [lost.first, lost.second],
            "conceded": conceded,
            "invasion": self.facts.invasion.map(|_| self.invades(open)),
        });
        self.facts.limits.outcome(points, details)
    }
}
