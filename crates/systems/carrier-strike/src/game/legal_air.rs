//! What makes flying, searching, dogfights and strikes legal.

use super::CarrierGame;
use super::action::{DetectPlan, DogfightDetect, Legal, Target, When, lengths, lengths_left, no};
use super::piece::{CardId, CardLabel, PieceId, SquadronId, Squads};
use super::state::{Form, Table};
use crate::geometry::LENGTH;
use crate::rule;
use crate::walk::Waypoints;
use crate::words::{Role, name};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Refusal, Side};

impl CarrierGame {
    pub(super) fn own_die(&self, table: &Table, side: Side, id: SquadronId) -> Legal {
        if id.side() != side {
            return Err(no("not-yours", format!("{id} is not your squadron."), rule::GROUPS));
        }
        if !table[id].up() {
            return Err(no("not-deployed", format!("{id} is not in the air."), rule::MOVE));
        }
        Ok(())
    }

    pub(super) fn fresh_die(&self, table: &Table, side: Side, id: SquadronId) -> Legal {
        self.own_die(table, side, id)?;
        if table[id].acted {
            return Err(no("already-acted", format!("{id} has already acted this turn."), rule::TURN_SEQUENCE));
        }
        Ok(())
    }

    /// Squadrons that act together: in the air, unmarked, with fuel, connected among themselves.
    pub(super) fn together(&self, table: &Table, side: Side, squadrons: &[SquadronId]) -> Result<Squads, Refusal> {
        let set: Squads = squadrons.iter().copied().collect();
        let Some(first) = squadrons.first() else {
            return Err(no("not-deployed", "Name at least one squadron.", rule::MOVE));
        };
        if set.count() != squadrons.len() {
            return Err(no("duplicate-id", "A squadron is named twice.", rule::GROUPS));
        }
        for id in squadrons {
            self.fresh_die(table, side, *id)?;
            if table[*id].rl <= 1 {
                return Err(no("fuel-low", format!("{id} is on RL 1 and can only land or fly home."), rule::R_73));
            }
        }
        if table.component(&self.book.geometry, Squads::one(*first), set) != set {
            return Err(no("not-touching", "These squadrons do not touch, so they are not one group.", rule::R_3));
        }
        Ok(set)
    }

    /// Whether a path can be flown by some squadrons.
    pub(super) fn path(&self, table: &Table, squadrons: &[SquadronId], path: &Waypoints, allowance: i64) -> Legal {
        let Some(lead) = squadrons.first() else {
            return Err(no("not-deployed", "Name at least one squadron.", rule::MOVE));
        };
        if let Some(count) = path.too_many() {
            return Err(no(
                "too-many-waypoints",
                format!("The path has {count} waypoints. {} is the most.", crate::walk::MOST_WAYPOINTS),
                rule::MOVE,
            ));
        }
        let Some(end) = path.points().last() else {
            return Err(no("path-too-long", "Give the path at least one waypoint.", rule::MOVE));
        };
        let from = table[*lead].pos;
        if path.points().iter().any(|point| !self.in_sea_room(*point)) {
            return Err(no("out-of-sea-room", "The path leaves the sea room.", rule::R_4));
        }
        let length = path.length(from);
        if length > allowance {
            return Err(no(
                "path-too-long",
                format!("The path is {} lengths long. {} is the most.", lengths(length), lengths_left(allowance)),
                rule::MOVE,
            ));
        }
        if let Some(id) = squadrons.iter().find(|id| !self.in_sea_room(*end + (table[**id].pos - from))) {
            return Err(no("out-of-sea-room", format!("{id} would end outside the sea room."), rule::R_4));
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
                return Err(no(
                    "not-touching",
                    format!("{} is not one of the squadrons that move.", plan.by),
                    rule::DETECT,
                ));
            }
            self.may_search(table, side, PieceId::Squadron(plan.by), plan.target, plan.when)?;
        }
        let before = detect.is_some_and(|plan| plan.when == When::Before);
        match path {
            None if before => Ok(()),
            None => Err(no("path-too-long", "Give the path of the move.", rule::MOVE)),
            Some(_) if before => Err(no(
                "path-too-long",
                "You choose the path when you know the result of the search. Leave it out here.",
                rule::R_75,
            )),
            Some(path) => self.path(table, squadrons, path, self.book.speeds.squadron_move),
        }
    }

    /// Where a piece of a target stands: its group, or its card.
    pub(super) fn target_of(&self, table: &Table, side: Side, target: PieceId) -> Result<Target, Refusal> {
        if target.side() == side {
            return Err(no("already-detected", format!("{target} is your own."), rule::DETECT));
        }
        match target {
            PieceId::Squadron(id) if table[id].up() => Ok(Target::Group(table.group_of(&self.book.geometry, id))),
            PieceId::Squadron(id) => Err(no("not-deployed", format!("{id} is not in the air."), rule::DETECT)),
            PieceId::Card(card) => match table.carriers[card.side].card_at(card.label) {
                Some(at) => Ok(Target::Card(card.side, at)),
                None => Err(no("not-deployed", format!("{card} is not on the table."), rule::DETECT)),
            },
        }
    }

    pub(super) fn search_distance(&self, table: &Table, from: Point, target: Target) -> i64 {
        match target {
            Target::Group(group) => {
                group.iter().map(|id| self.book.geometry.to_squadron(from, table[id].pos)).min().unwrap_or(i64::MAX)
            }
            Target::Card(side, at) => {
                table.carriers[side].cards[at].map_or(i64::MAX, |card| self.book.geometry.to_card(from, card))
            }
        }
    }

    pub(super) fn undetected(&self, table: &Table, target: Target) -> bool {
        match target {
            Target::Group(group) => group.iter().any(|id| !table[id].detected),
            Target::Card(side, _) => table.carriers[side].undetected(),
        }
    }

    pub(super) fn may_search(&self, table: &Table, side: Side, by: PieceId, target: PieceId, when: When) -> Legal {
        let (used, from) = match by {
            PieceId::Squadron(id) => {
                self.own_die(table, side, id)?;
                if table[id].is_dummy() {
                    return Err(no("is-dummy", "A dummy cannot attack, search, strike or intercept.", rule::DUMMIES));
                }
                (table[id].detect_used, table[id].pos)
            }
            PieceId::Card(card) => {
                let own = &table.carriers[side];
                let Some(real) = own.real_card().filter(|_| card.side == side && card.label == CardLabel::Cv) else {
                    return Err(no(
                        "not-deployed",
                        format!("Your carrier group searches as '{}'.", CardId { side, label: CardLabel::Cv }.id()),
                        rule::R_18,
                    ));
                };
                (own.detect_used, real)
            }
        };
        if used {
            return Err(no("detect-used", format!("{by} has already searched this turn."), rule::R_17));
        }
        let found = self.target_of(table, side, target)?;
        if !self.undetected(table, found) {
            return Err(no("already-detected", format!("{target} is already detected."), rule::DETECT));
        }
        let limit = self.book.ranges.detect;
        let distance = self.search_distance(table, from, found);
        if when == When::Before && distance > limit * LENGTH {
            return Err(no(
                "out-of-range",
                format!("The target is {} lengths away. {limit} is the most.", lengths(distance)),
                rule::R_6,
            ));
        }
        Ok(())
    }

    pub(super) fn may_detect(&self, table: &Table, side: Side, by: PieceId, target: PieceId) -> Legal {
        self.may_search(table, side, by, target, When::Before)
    }

    pub(super) fn may_fly_home(&self, table: &Table, side: Side, id: SquadronId, card: Option<CardId>) -> Legal {
        self.fresh_die(table, side, id)?;
        if table[id].rl > 1 {
            return Err(no(
                "wrong-state",
                format!("{id} still has fuel. Only a squadron on RL 1 flies home."),
                rule::R_73,
            ));
        }
        let own = &table.carriers[side];
        let two_cards = own.on_table().count() == 2;
        match card {
            None if table[id].is_dummy() && two_cards => {
                Err(no("is-dummy", format!("{id} is a dummy. Say to which card it flies."), rule::R_40))
            }
            Some(card) if card.side != side || own.card_at(card.label).is_none() => {
                Err(no("not-deployed", format!("You have no {card}."), rule::FUEL))
            }
            Some(_) if !table[id].is_dummy() && two_cards => Err(no(
                "wrong-state",
                "A squadron flies home to its carrier. Only a dummy can fly to either card.",
                rule::R_40,
            )),
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
            return Err(no("is-dummy", "A dummy cannot attack, search, strike or intercept.", rule::DUMMIES));
        }
        if set.iter().any(|id| table[id].role != Some(Role::Fighter)) {
            return Err(no("not-fighters", "Only fighters can attack in a dogfight.", rule::ROLES));
        }
        let Target::Group(group) = self.target_of(table, side, PieceId::Squadron(target))? else {
            return Err(no("not-detected", "Only squadrons can be attacked in a dogfight.", rule::DOGFIGHT));
        };
        let limit = self.book.ranges.dogfight;
        if !table.within(&self.book.geometry, set, group, limit) {
            let distance =
                table.nearest(set, group).map_or(0, flagplot_kernel::plane::ceil_sqrt) - self.book.geometry.die_radius;
            return Err(no(
                "out-of-range",
                format!("The target is {} lengths away. {limit} is the most.", lengths(distance)),
                rule::R_6,
            ));
        }
        match detect {
            Some(plan) if !set.has(plan.by) => {
                Err(no("not-touching", format!("{} is not one of the squadrons that attack.", plan.by), rule::DETECT))
            }
            Some(plan) => {
                self.may_search(table, side, PieceId::Squadron(plan.by), PieceId::Squadron(target), When::Before)
            }
            None if group.iter().any(|id| table[id].detected) => Ok(()),
            None => Err(no("not-detected", "That group has not been detected.", rule::R_58)),
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
            .any(|id| self.book.geometry.to_card(table[*id].pos + shift, card) <= self.book.geometry.die_radius)
    }

    pub(super) fn may_strike(&self, table: &Table, side: Side, squadrons: &[SquadronId], path: &Waypoints) -> Legal {
        let set = match self.together(table, side, squadrons) {
            Err(refusal) if refusal.code == "fuel-low" => return Err(refusal.by(rule::R_46)),
            other => other?,
        };
        if set.iter().any(|id| table[id].is_dummy()) {
            return Err(no("is-dummy", "A dummy cannot attack, search, strike or intercept.", rule::DUMMIES));
        }
        if !set.iter().any(|id| table[id].role == Some(Role::Strike) && table[id].ordnance == Some(true)) {
            let spent = set.iter().any(|id| table[id].struck);
            return Err(no(
                "no-ordnance",
                "No squadron of this group carries ordnance.",
                if spent { rule::R_14 } else { rule::R_11 },
            ));
        }
        let Some(card) = self.strike_target(table, side) else {
            return Err(no(
                "not-detected",
                format!("{}'s carrier group has not been detected.", name(side.other())),
                rule::STRIKE,
            ));
        };
        let limit = self.book.ranges.strike;
        let distance = set.iter().map(|id| self.book.geometry.to_card(table[id].pos, card)).min().unwrap_or(0);
        if distance > limit * LENGTH {
            return Err(no(
                "out-of-range",
                format!("The target is {} lengths away. {limit} is the most.", lengths(distance)),
                rule::R_6,
            ));
        }
        self.path(table, squadrons, path, self.book.speeds.strike_approach)?;
        if !self.ends_at_card(table, squadrons, path, card) {
            return Err(no("not-at-the-card", "The path of a strike must end at the carrier card.", rule::STRIKE));
        }
        Ok(())
    }
}
