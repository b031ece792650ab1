//! What makes flying, searching, dogfights and strikes legal.

use super::CarrierGame;
use super::action::{DetectPlan, DogfightDetect, Legal, Target, When, lengths, no};
use super::piece::{CardId, CardLabel, PieceId, SquadronId, Squads};
use super::state::{Form, State};
use crate::geometry::LENGTH;
use crate::rule;
use crate::walk::Waypoints;
use crate::words::{Role, name};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Refusal, Side};

impl CarrierGame {
    pub(super) fn own_die(&self, state: &State, side: Side, id: SquadronId) -> Legal {
        if id.side() != side {
            return Err(no("not-yours", format!("{id} is not your squadron."), rule::GROUPS));
        }
        if !state[id].up() {
            return Err(no("not-deployed", format!("Squadron {id} is not in the air."), rule::MOVE));
        }
        Ok(())
    }

    pub(super) fn fresh_die(&self, state: &State, side: Side, id: SquadronId) -> Legal {
        self.own_die(state, side, id)?;
        if state[id].acted {
            return Err(no(
                "already-acted",
                format!("Squadron {id} has already acted this turn."),
                rule::TURN_SEQUENCE,
            ));
        }
        Ok(())
    }

    /// Squadrons that act together: in the air, unmarked, with fuel, connected among themselves.
    pub(super) fn together(&self, state: &State, side: Side, squadrons: &[SquadronId]) -> Result<Squads, Refusal> {
        let set: Squads = squadrons.iter().copied().collect();
        let Some(first) = squadrons.first() else {
            return Err(no("not-deployed", "Name at least one squadron.", rule::MOVE));
        };
        if set.count() != squadrons.len() {
            return Err(no("duplicate-id", "A squadron is named twice.", rule::GROUPS));
        }
        for id in squadrons {
            self.fresh_die(state, side, *id)?;
            if state[*id].rl <= 1 {
                return Err(no(
                    "fuel-low",
                    format!("Squadron {id} is on RL 1: it may only land or fly straight home."),
                    rule::R_73,
                ));
            }
        }
        if state.component(&self.book.geometry, Squads::one(*first), set) != set {
            return Err(no("not-touching", "The squadrons named do not form one group.", rule::R_3));
        }
        Ok(set)
    }

    /// Whether a path can be flown by some squadrons.
    pub(super) fn path(&self, state: &State, squadrons: &[SquadronId], path: &Waypoints, allowance: i64) -> Legal {
        let Some(lead) = squadrons.first() else {
            return Err(no("not-deployed", "Name at least one squadron.", rule::MOVE));
        };
        if let Some(count) = path.too_many() {
            return Err(no(
                "too-many-waypoints",
                format!("The path has {count} waypoints; {} are allowed.", crate::walk::MOST_WAYPOINTS),
                rule::MOVE,
            ));
        }
        let Some(end) = path.points().last() else {
            return Err(no("path-too-long", "The path needs at least one waypoint.", rule::MOVE));
        };
        let from = state[*lead].pos;
        if let Some(point) = path.points().iter().find(|point| !self.in_sea_room(**point)) {
            return Err(no(
                "out-of-sea-room",
                format!("{}, {} lies outside the sea room.", point.x, point.y),
                rule::R_4,
            ));
        }
        let length = path.length(from);
        if length > allowance {
            return Err(no(
                "path-too-long",
                format!("The path is {length} thousandths of a card length; {allowance} are allowed."),
                rule::MOVE,
            ));
        }
        if let Some(id) = squadrons.iter().find(|id| !self.in_sea_room(*end + (state[**id].pos - from))) {
            return Err(no("out-of-sea-room", format!("{id} would end outside the sea room."), rule::R_4));
        }
        Ok(())
    }

    pub(super) fn may_move(
        &self,
        state: &State,
        side: Side,
        squadrons: &[SquadronId],
        path: Option<&Waypoints>,
        detect: Option<&DetectPlan>,
    ) -> Legal {
        let set = self.together(state, side, squadrons)?;
        if let Some(plan) = detect {
            if !set.has(plan.by) {
                return Err(no(
                    "not-touching",
                    format!("{} is not one of the squadrons that move.", plan.by),
                    rule::DETECT,
                ));
            }
            self.may_search(state, side, PieceId::Squadron(plan.by), plan.target, plan.when)?;
        }
        let before = detect.is_some_and(|plan| plan.when == When::Before);
        match path {
            None if before => Ok(()),
            None => Err(no("path-too-long", "A move needs a path.", rule::MOVE)),
            Some(_) if before => Err(no(
                "path-too-long",
                "With a search before the move the path is asked for after its result.",
                rule::R_75,
            )),
            Some(path) => self.path(state, squadrons, path, self.book.speeds.squadron_move),
        }
    }

    /// Where a piece of a target stands: its group, or its card.
    pub(super) fn target_of(&self, state: &State, side: Side, target: PieceId) -> Result<Target, Refusal> {
        if target.side() == side {
            return Err(no("already-detected", format!("{target} is your own."), rule::DETECT));
        }
        match target {
            PieceId::Squadron(id) if state[id].up() => Ok(Target::Group(state.group_of(&self.book.geometry, id))),
            PieceId::Squadron(id) => Err(no("not-deployed", format!("Squadron {id} is not in the air."), rule::DETECT)),
            PieceId::Card(card) => match state.carriers[card.side].card_at(card.label) {
                Some(at) => Ok(Target::Card(card.side, at)),
                None => Err(no("not-deployed", format!("There is no card {card} on the table."), rule::DETECT)),
            },
        }
    }

    /// The distance of a searcher to its target.
    pub(super) fn search_distance(&self, state: &State, from: Point, target: Target) -> i64 {
        match target {
            Target::Group(group) => {
                group.iter().map(|id| self.book.geometry.to_squadron(from, state[id].pos)).min().unwrap_or(i64::MAX)
            }
            Target::Card(side, at) => {
                state.carriers[side].cards[at].map_or(i64::MAX, |card| self.book.geometry.to_card(from, card))
            }
        }
    }

    /// Whether a target can still be detected.
    pub(super) fn undetected(&self, state: &State, target: Target) -> bool {
        match target {
            Target::Group(group) => group.iter().any(|id| !state[id].detected),
            Target::Card(side, _) => state.carriers[side].undetected(),
        }
    }

    pub(super) fn may_search(&self, state: &State, side: Side, by: PieceId, target: PieceId, when: When) -> Legal {
        let (used, from) = match by {
            PieceId::Squadron(id) => {
                self.own_die(state, side, id)?;
                if state[id].is_dummy() {
                    return Err(no("is-dummy", "A dummy cannot attack, search, strike or intercept.", rule::DUMMIES));
                }
                (state[id].detect_used, state[id].pos)
            }
            PieceId::Card(card) => {
                let own = &state.carriers[side];
                let Some(real) = own.real_card().filter(|_| card.side == side && card.label == CardLabel::Cv) else {
                    return Err(no(
                        "not-deployed",
                        format!(
                            "{card} cannot search; your carrier group is '{}'.",
                            CardId { side, label: CardLabel::Cv }
                        ),
                        rule::R_18,
                    ));
                };
                (own.detect_used, real)
            }
        };
        if used {
            return Err(no("detect-used", format!("{by} has already searched this turn."), rule::R_17));
        }
        let found = self.target_of(state, side, target)?;
        if !self.undetected(state, found) {
            return Err(no("already-detected", format!("{target} is already detected."), rule::DETECT));
        }
        let limit = self.book.ranges.detect;
        let distance = self.search_distance(state, from, found);
        if when == When::Before && distance > limit * LENGTH {
            return Err(no(
                "out-of-range",
                format!("The target is {} lengths away; the limit is {limit}.", lengths(distance)),
                rule::R_6,
            ));
        }
        Ok(())
    }

    /// Whether a search can be made now.
    pub(super) fn legal_search(&self, state: &State, side: Side, by: PieceId, target: PieceId) -> bool {
        self.may_search(state, side, by, target, When::Before).is_ok()
    }

    pub(super) fn may_detect(&self, state: &State, side: Side, by: PieceId, target: PieceId) -> Legal {
        self.may_search(state, side, by, target, When::Before)
    }

    pub(super) fn may_fly_home(&self, state: &State, side: Side, id: SquadronId, card: Option<CardId>) -> Legal {
        self.fresh_die(state, side, id)?;
        if state[id].rl > 1 {
            return Err(no(
                "wrong-state",
                format!("Squadron {id} still has fuel; only one on RL 1 flies home."),
                rule::R_73,
            ));
        }
        let own = &state.carriers[side];
        let two_cards = own.on_table().count() == 2;
        match card {
            None if state[id].is_dummy() && two_cards => {
                Err(no("is-dummy", format!("{id} is a dummy: say to which card it flies."), rule::R_40))
            }
            Some(card) if card.side != side || own.card_at(card.label).is_none() => {
                Err(no("not-deployed", format!("You have no card {card}."), rule::FUEL))
            }
            Some(_) if !state[id].is_dummy() && two_cards => {
                Err(no("wrong-state", "A squadron flies home to its carrier; only a dummy has a choice.", rule::R_40))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn may_dogfight(
        &self,
        state: &State,
        side: Side,
        squadrons: &[SquadronId],
        target: SquadronId,
        detect: Option<&DogfightDetect>,
    ) -> Legal {
        let set = self.together(state, side, squadrons)?;
        if set.iter().any(|id| state[id].is_dummy()) {
            return Err(no("is-dummy", "A dummy cannot attack, search, strike or intercept.", rule::DUMMIES));
        }
        if set.iter().any(|id| state[id].role != Some(Role::Fighter)) {
            return Err(no("not-fighters", "Only fighters can dogfight.", rule::ROLES));
        }
        let Target::Group(group) = self.target_of(state, side, PieceId::Squadron(target))? else {
            return Err(no("not-detected", "A dogfight is with a group.", rule::DOGFIGHT));
        };
        let limit = self.book.ranges.dogfight;
        if !state.within(&self.book.geometry, set, group, limit) {
            let distance =
                state.nearest(set, group).map_or(0, flagplot_kernel::plane::ceil_sqrt) - self.book.geometry.die_radius;
            return Err(no(
                "out-of-range",
                format!("The target is {} lengths away; the limit is {limit}.", lengths(distance)),
                rule::R_6,
            ));
        }
        match detect {
            Some(plan) if !set.has(plan.by) => {
                Err(no("not-touching", format!("{} is not one of the squadrons that attack.", plan.by), rule::DETECT))
            }
            Some(plan) => {
                self.may_search(state, side, PieceId::Squadron(plan.by), PieceId::Squadron(target), When::Before)
            }
            None if group.iter().any(|id| state[id].detected) => Ok(()),
            None => Err(no("not-detected", "That group has not been detected.", rule::R_58)),
        }
    }

    /// The enemy carrier group as the target of a strike.
    pub(super) fn strike_target(&self, state: &State, side: Side) -> Option<Point> {
        let enemy = &state.carriers[side.other()];
        if enemy.form == Form::Revealed && enemy.detected { enemy.cards[0] } else { None }
    }

    /// Whether a path of strikers ends at the card.
    pub(super) fn ends_at_card(&self, state: &State, squadrons: &[SquadronId], path: &Waypoints, card: Point) -> bool {
        let Some(lead) = squadrons.first() else { return false };
        let from = state[*lead].pos;
        let shift = path.end(from) - from;
        squadrons
            .iter()
            .any(|id| self.book.geometry.to_card(state[*id].pos + shift, card) <= self.book.geometry.die_radius)
    }

    pub(super) fn may_strike(&self, state: &State, side: Side, squadrons: &[SquadronId], path: &Waypoints) -> Legal {
        let set = match self.together(state, side, squadrons) {
            Err(refusal) if refusal.code == "fuel-low" => return Err(refusal.by(rule::R_46)),
            other => other?,
        };
        if set.iter().any(|id| state[id].is_dummy()) {
            return Err(no("is-dummy", "A dummy cannot attack, search, strike or intercept.", rule::DUMMIES));
        }
        if !set.iter().any(|id| state[id].role == Some(Role::Strike) && state[id].ordnance == Some(true)) {
            let spent = set.iter().any(|id| state[id].struck);
            return Err(no(
                "no-ordnance",
                "No squadron in this group carries ordnance.",
                if spent { rule::R_14 } else { rule::R_11 },
            ));
        }
        let Some(card) = self.strike_target(state, side) else {
            return Err(no(
                "not-detected",
                format!("{}'s carrier group has not been detected.", name(side.other())),
                rule::STRIKE,
            ));
        };
        let limit = self.book.ranges.strike;
        let distance = set.iter().map(|id| self.book.geometry.to_card(state[id].pos, card)).min().unwrap_or(0);
        if distance > limit * LENGTH {
            return Err(no(
                "out-of-range",
                format!("The target is {} lengths away; the limit is {limit}.", lengths(distance)),
                rule::R_6,
            ));
        }
        self.path(state, squadrons, path, self.book.speeds.strike_approach)?;
        if !self.ends_at_card(state, squadrons, path, card) {
            return Err(no(
                "not-at-the-card",
                "The strike must end with a die touching the carrier card.",
                rule::STRIKE,
            ));
        }
        Ok(())
    }
}
