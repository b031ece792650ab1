//! What makes flying, searching, dogfights and strikes legal.

use super::CarrierGame;
use super::action::{DetectPlan, DogfightDetect, Target, When};
use super::piece::{CardId, CardLabel, PieceId, SquadronId, Squads};
use super::refusals::{Barred, Legal};
use super::state::{Form, Table};
use crate::geometry::{LENGTH, lengths, lengths_left};
use crate::walk::{MOST_WAYPOINTS, Waypoints};
use crate::words::{Role, name};
use flagplot_kernel::Side;
use flagplot_kernel::plane::{Point, ceil_sqrt};

impl CarrierGame {
    pub(super) fn own_die(&self, table: &Table, side: Side, id: SquadronId) -> Legal {
        if id.side() != side {
            return Err(Barred::NotYours { id });
        }
        if !table[id].up() {
            return Err(Barred::NotInTheAir { id });
        }
        Ok(())
    }

    pub(super) fn fresh_die(&self, table: &Table, side: Side, id: SquadronId) -> Legal {
        self.own_die(table, side, id)?;
        if table[id].acted {
            return Err(Barred::HasActed { id });
        }
        Ok(())
    }

    /// Squadrons that act together: in the air, unmarked, with fuel, connected among themselves.
    pub(super) fn together(&self, table: &Table, side: Side, squadrons: &[SquadronId]) -> Result<Squads, Barred> {
        let set: Squads = squadrons.iter().copied().collect();
        let Some(first) = squadrons.first() else {
            return Err(Barred::NoneNamed);
        };
        if set.count() != squadrons.len() {
            return Err(Barred::NamedTwice);
        }
        for id in squadrons {
            self.fresh_die(table, side, *id)?;
            if table[*id].rl <= 1 {
                return Err(Barred::LastFuel { id: *id });
            }
        }
        if table.component(&self.rules.geometry, Squads::one(*first), set) != set {
            return Err(Barred::NotTouching);
        }
        Ok(set)
    }

    /// Whether a path can be flown by some squadrons.
    pub(super) fn path(&self, table: &Table, squadrons: &[SquadronId], path: &Waypoints, allowance: i64) -> Legal {
        let Some(lead) = squadrons.first() else {
            return Err(Barred::NoneNamed);
        };
        if let Some(count) = path.too_many() {
            return Err(Barred::TooManyWaypoints { count, most: MOST_WAYPOINTS });
        }
        let Some(end) = path.points().last() else {
            return Err(Barred::NoWaypoint);
        };
        let from = table[*lead].pos;
        if path.points().iter().any(|point| !self.in_sea_room(*point)) {
            return Err(Barred::PathOutside);
        }
        let length = path.length(from);
        if length > allowance {
            return Err(Barred::PathTooLong { is: lengths(length), most: lengths_left(allowance) });
        }
        if let Some(id) = squadrons.iter().find(|id| !self.in_sea_room(*end + (table[**id].pos - from))) {
            return Err(Barred::EndsOutside { id: *id });
        }
        Ok(())
    }

    pub(super) fn may_move(
        &self,
        table: &Table,
        side: Side,
        squadrons: &[SquadronId],
        path: Option<&Waypoints>,
        detect: Option<&DetectPlan>,
    ) -> Legal {
        let set = self.together(table, side, squadrons)?;
        if let Some(plan) = detect {
            if !set.has(plan.by) {
                return Err(Barred::SearcherStays { id: plan.by });
            }
            self.may_plan(table, side, PieceId::Squadron(plan.by), plan.when, plan.target)?;
        }
        let before = detect.is_some_and(|plan| plan.when == When::Before);
        match path {
            None if before => Ok(()),
            None => Err(Barred::NoPath),
            Some(_) if before => Err(Barred::PathTooEarly),
            Some(path) => self.path(table, squadrons, path, self.rules.speeds.squadron_move),
        }
    }

    /// Where a piece of a target stands: its group, or its card.
    pub(super) fn target_of(&self, table: &Table, side: Side, target: PieceId) -> Result<Target, Barred> {
        if target.side() == side {
            return Err(Barred::OwnPiece { target });
        }
        match target {
            PieceId::Squadron(id) if table[id].up() => Ok(Target::Group(table.group_of(&self.rules.geometry, id))),
            PieceId::Squadron(id) => Err(Barred::TargetDown { id }),
            PieceId::Card(card) => match table.carriers[card.side].card_at(card.label) {
                Some(at) => Ok(Target::Card(card.side, at)),
                None => Err(Barred::NotOnTable { card }),
            },
        }
    }

    pub(super) fn search_distance(&self, table: &Table, from: Point, target: Target) -> i64 {
        match target {
            Target::Group(group) => {
                group.iter().map(|id| self.rules.geometry.to_squadron(from, table[id].pos)).min().unwrap_or(i64::MAX)
            }
            Target::Card(side, at) => {
                table.carriers[side].cards[at].map_or(i64::MAX, |card| self.rules.geometry.to_card(from, card))
            }
        }
    }

    pub(super) fn undetected(&self, table: &Table, target: Target) -> bool {
        match target {
            Target::Group(group) => group.iter().any(|id| !table[id].detected),
            Target::Card(side, _) => table.carriers[side].undetected(),
        }
    }

    /// Whether a piece may search, and from where.
    pub(super) fn may_search(&self, table: &Table, side: Side, by: PieceId) -> Result<Point, Barred> {
        let (used, from) = match by {
            PieceId::Squadron(id) => {
                self.own_die(table, side, id)?;
                if table[id].is_dummy() {
                    return Err(Barred::IsDummy);
                }
                (table[id].detect_used, table[id].pos)
            }
            PieceId::Card(card) => {
                let own = &table.carriers[side];
                let Some(real) = own.real_card().filter(|_| card.side == side && card.label == CardLabel::Cv) else {
                    return Err(Barred::SearchesAs { id: CardId { side, label: CardLabel::Cv }.id() });
                };
                (own.detect_used, real)
            }
        };
        if used { Err(Barred::HasSearched { by }) } else { Ok(from) }
    }

    pub(super) fn may_detect(&self, table: &Table, side: Side, by: PieceId, target: PieceId) -> Legal {
        let from = self.may_search(table, side, by)?;
        let found = self.target_of(table, side, target)?;
        if !self.undetected(table, found) {
            return Err(Barred::IsDetected { target });
        }
        let limit = self.rules.ranges.detect;
        let distance = self.search_distance(table, from, found);
        if distance > limit * LENGTH {
            return Err(Barred::TooFar { distance: lengths(distance), most: limit });
        }
        Ok(())
    }

    /// Whether a search may go with a move: before it the target is named, after it not yet.
    pub(super) fn may_plan(
        &self,
        table: &Table,
        side: Side,
        by: PieceId,
        when: When,
        target: Option<PieceId>,
    ) -> Legal {
        match (when, target) {
            (When::Before, Some(target)) => self.may_detect(table, side, by, target),
            (When::Before, None) => Err(Barred::NoTarget),
            (When::After, Some(_)) => Err(Barred::TargetTooEarly),
            (When::After, None) => self.may_search(table, side, by).map(|_| ()),
        }
    }

    pub(super) fn may_fly_home(&self, table: &Table, side: Side, id: SquadronId, card: Option<CardId>) -> Legal {
        self.fresh_die(table, side, id)?;
        if table[id].rl > 1 {
            return Err(Barred::HasFuel { id });
        }
        let own = &table.carriers[side];
        let two_cards = own.on_table().count() == 2;
        match card {
            None if table[id].is_dummy() && two_cards => Err(Barred::WhichCard { id }),
            Some(card) if card.side != side || own.card_at(card.label).is_none() => Err(Barred::NoCardToFlyTo { card }),
            Some(_) if !table[id].is_dummy() && two_cards => Err(Barred::OnlyDummiesChoose),
            _ => Ok(()),
        }
    }

    pub(super) fn may_dogfight(
        &self,
        table: &Table,
        side: Side,
        squadrons: &[SquadronId],
        target: SquadronId,
        detect: Option<&DogfightDetect>,
    ) -> Legal {
        let set = self.together(table, side, squadrons)?;
        if set.iter().any(|id| table[id].is_dummy()) {
            return Err(Barred::IsDummy);
        }
        if set.iter().any(|id| table[id].role != Some(Role::Fighter)) {
            return Err(Barred::OnlyFightersAttack);
        }
        let Target::Group(group) = self.target_of(table, side, PieceId::Squadron(target))? else {
            return Err(Barred::OnlySquadronsAttacked);
        };
        let limit = self.rules.ranges.dogfight;
        if !table.within(&self.rules.geometry, set, group, limit) {
            let distance = table.nearest(set, group).map_or(0, ceil_sqrt) - self.rules.geometry.die_radius;
            return Err(Barred::TooFar { distance: lengths(distance), most: limit });
        }
        match detect {
            Some(plan) if !set.has(plan.by) => Err(Barred::SearcherStaysOut { id: plan.by }),
            Some(plan) => self.may_detect(table, side, PieceId::Squadron(plan.by), PieceId::Squadron(target)),
            None if group.iter().any(|id| table[id].detected) => Ok(()),
            None => Err(Barred::GroupUndetected),
        }
    }

    /// The enemy carrier group as the target of a strike.
    pub(super) fn strike_target(&self, table: &Table, side: Side) -> Option<Point> {
        let enemy = &table.carriers[side.other()];
        if enemy.form == Form::Revealed && enemy.detected { enemy.cards[0] } else { None }
    }

    /// Whether a path of strikers ends at the card.
    pub(super) fn ends_at_card(&self, table: &Table, squadrons: &[SquadronId], path: &Waypoints, card: Point) -> bool {
        let Some(lead) = squadrons.first() else { return false };
        let from = table[*lead].pos;
        let shift = path.end(from) - from;
        squadrons
            .iter()
            .any(|id| self.rules.geometry.to_card(table[*id].pos + shift, card) <= self.rules.geometry.die_radius)
    }

    pub(super) fn may_strike(&self, table: &Table, side: Side, squadrons: &[SquadronId], path: &Waypoints) -> Legal {
        let set = match self.together(table, side, squadrons) {
            Err(Barred::LastFuel { id }) => return Err(Barred::LastFuelNoStrike { id }),
            other => other?,
        };
        if set.iter().any(|id| table[id].is_dummy()) {
            return Err(Barred::IsDummy);
        }
        if !set.iter().any(|id| table[id].role == Some(Role::Strike) && table[id].ordnance == Some(true)) {
            let spent = set.iter().any(|id| table[id].struck);
            return Err(if spent { Barred::OrdnanceSpent } else { Barred::NoOrdnance });
        }
        let Some(card) = self.strike_target(table, side) else {
            return Err(Barred::CarriersUndetected { whose: name(side.other()) });
        };
        let limit = self.rules.ranges.strike;
        let distance = set.iter().map(|id| self.rules.geometry.to_card(table[id].pos, card)).min().unwrap_or(0);
        if distance > limit * LENGTH {
            return Err(Barred::TooFar { distance: lengths(distance), most: limit });
        }
        self.path(table, squadrons, path, self.rules.speeds.strike_approach)?;
        if !self.ends_at_card(table, squadrons, path, card) {
            return Err(Barred::NotAtCard);
        }
        Ok(())
    }
}
