//! What is asked in a dogfight.

use super::CarrierGame;
use super::dogfight::Combat;
use super::flight_choices::modest;
use super::piece::{SquadronId, Squads};
use super::refusals::{Barred, Count};
use super::state::Table;
use crate::geometry::{COMPASS, clip, lengths};
use crate::rule;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Decision, Menu, Prompt, Refusal, Seat, Side};
use std::collections::BTreeMap;

/// Who fights whom: each squadron of the first side, and its enemy.
pub(super) struct MatchChoice {
    pub first: Squads,
    pub second: Squads,
}

impl MatchChoice {
    pub(super) fn by_order(&self, turn: usize) -> BTreeMap<SquadronId, SquadronId> {
        let second: Vec<SquadronId> = self.second.iter().collect();
        self.first.iter().enumerate().map(|(at, id)| (id, second[(at + turn) % second.len()])).collect()
    }
}

impl Decision for MatchChoice {
    type Value = BTreeMap<SquadronId, SquadronId>;

    fn seat(&self) -> Seat {
        self.first.side().into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let own: Squads = value.keys().copied().collect();
        let enemies: Squads = value.values().copied().collect();
        let combats = self.first.count().min(self.second.count());
        if own != self.first || !enemies.without(self.second).is_empty() || enemies.count() != combats {
            return Err(Barred::BadMatch { first: self.first, second: self.second, combats }.into());
        }
        Ok(())
    }
}

/// Which combats surplus squadrons join: each, and the enemy it helps against.
pub(super) struct JoinChoice {
    pub surplus: Squads,
    pub firsts: Squads,
}

impl Decision for JoinChoice {
    type Value = BTreeMap<SquadronId, SquadronId>;

    fn seat(&self) -> Seat {
        self.surplus.side().into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let own: Squads = value.keys().copied().collect();
        if own != self.surplus || value.values().any(|id| !self.firsts.has(*id)) {
            return Err(Barred::BadJoin { surplus: self.surplus, firsts: self.firsts }.into());
        }
        Ok(())
    }
}

/// Which combat is fought next, by one of the first side's squadrons in it.
pub(super) struct NextCombatChoice<'a> {
    pub combats: &'a [Combat],
}

impl Menu for NextCombatChoice<'_> {
    type Option = SquadronId;

    fn seat(&self) -> Seat {
        self.combats.first().map_or(Side::First, |(first, _)| first.side()).into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("next-combat", "Which combat do you fight next?", rule::AIR_COMBAT)
    }

    fn options(&self) -> Vec<SquadronId> {
        self.combats.iter().filter_map(|(first, _)| first.first()).collect()
    }

    fn label(&self, option: &SquadronId) -> String {
        self.combat(*option).map_or_else(String::new, |(first, second)| format!("{first} against {second}"))
    }

    fn pieces(&self, option: &SquadronId) -> Vec<String> {
        self.combat(*option)
            .map_or_else(Vec::new, |(first, second)| first.and(*second).ids().map(str::to_owned).collect())
    }
}

impl NextCombatChoice<'_> {
    fn combat(&self, by: SquadronId) -> Option<&Combat> {
        self.combats.iter().find(|(first, _)| first.has(by))
    }
}

pub(super) struct AllocateChoice<'a> {
    pub table: &'a Table,
    pub squadrons: Squads,
    pub hits: u8,
}

impl AllocateChoice<'_> {
    pub(super) fn by(&self, policy: fn(&mut [u8], u8)) -> BTreeMap<SquadronId, u8> {
        self.table.shared_out(self.squadrons, self.hits, policy).collect()
    }
}

impl Decision for AllocateChoice<'_> {
    type Value = BTreeMap<SquadronId, u8>;

    fn seat(&self) -> Seat {
        self.squadrons.side().into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let within = value.iter().all(|(id, lost)| self.squadrons.has(*id) && *lost <= self.table[*id].strength);
        if !within || value.values().map(|lost| u32::from(*lost)).sum::<u32>() != u32::from(self.hits) {
            return Err(Barred::BadHits { hits: Count(self.hits, "hit") }.into());
        }
        Ok(())
    }
}

pub(super) struct BreakOffChoice<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    pub squadrons: Squads,
}

impl BreakOffChoice<'_> {
    pub(super) fn inside(&self, line: Point) -> bool {
        self.squadrons.iter().all(|id| self.game.in_sea_room(self.table[id].pos + line))
    }
}

impl Decision for BreakOffChoice<'_> {
    type Value = Point;

    fn seat(&self) -> Seat {
        self.squadrons.side().into()
    }

    fn check(&self, value: &Point) -> Result<(), Refusal> {
        if !modest(*value) || value.ceil_dist(Point::default()) != self.game.rules.speeds.break_off {
            return Err(Barred::BreakOffByThree.into());
        }
        if !self.inside(*value) {
            return Err(Barred::LineOutside.into());
        }
        Ok(())
    }
}

pub(super) struct Step3Choice<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    pub squadrons: Squads,
    pub attackers: Squads,
    pub against_strike: bool,
}

impl Step3Choice<'_> {
    pub(super) fn all_by(&self, line: Point) -> BTreeMap<SquadronId, Point> {
        self.squadrons
            .iter()
            .filter(|id| self.game.in_sea_room(self.table[*id].pos + line))
            .map(|id| (id, line))
            .collect()
    }

    /// A line of at most three lengths from the first squadron toward a point.
    pub(super) fn toward(&self, to: Point) -> Point {
        let from = self.squadrons.first().map_or(Point::default(), |id| self.table[id].pos);
        let most = self.game.rules.speeds.step_3_move;
        clip(from, to, most) - from
    }

    pub(super) fn ways(&self) -> Vec<(Point, &'static str)> {
        let attacker = self.attackers.first().map(|id| self.table[id].pos);
        let from = self.squadrons.first().map_or(Point::default(), |id| self.table[id].pos);
        let mut all = Vec::new();
        if let Some(attacker) = attacker {
            let away = COMPASS.iter().max_by_key(|line| (from + **line).dist2(attacker));
            all.extend(away.map(|line| (*line, "Fly away from the attackers")));
        }
        if let Some(card) = self.game.strike_target(self.table, self.squadrons.side()) {
            all.push((self.toward(card), "Fly toward the target"));
        }
        if let Some(home) = self.game.haven(self.table, self.squadrons.side()) {
            all.push((self.toward(home), "Fly toward home"));
        }
        all
    }
}

impl Decision for Step3Choice<'_> {
    type Value = BTreeMap<SquadronId, Point>;

    fn seat(&self) -> Seat {
        self.squadrons.side().into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        for (id, line) in value {
            if !self.squadrons.has(*id) {
                return Err(Barred::NotOneOf { id: *id, squadrons: self.squadrons }.into());
            }
            let most = self.game.rules.speeds.step_3_move;
            if !modest(*line) || line.ceil_dist(Point::default()) > most {
                return Err(Barred::MovesTooFar { id: *id, most: lengths(most) }.into());
            }
            if !self.game.in_sea_room(self.table[*id].pos + *line) {
                return Err(Barred::EndsOutside { id: *id }.into());
            }
        }
        Ok(())
    }
}
