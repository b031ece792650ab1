//! The actions as players write them, and what makes one legal.
//!
//! Every check reads only what the acting side can see: its own pieces and public facts.

use super::CarrierGame;
use super::piece::{CardId, CardLabel, Order, PieceId, SquadronId, Squads};
use super::state::{Deck, Form, State, Where};
use crate::geometry::LENGTH;
use crate::rule;
use crate::walk::Waypoints;
use crate::words::{Role, name};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Refusal, Rule, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a side does in its go.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Action {
    Pass,
    Move {
        squadrons: Order,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<Waypoints>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detect: Option<DetectPlan>,
    },
    FlyHome {
        squadron: SquadronId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<CardId>,
    },
    MoveCv {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<BTreeMap<CardId, Point>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detect: Option<CvDetect>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evade: Option<Evasion>,
    },
    Launch {
        squadron: SquadronId,
        at: Point,
        #[serde(default)]
        dummy: bool,
    },
    Land {
        squadron: SquadronId,
    },
    Refuel {
        squadron: SquadronId,
    },
    ReArm {
        squadron: SquadronId,
        role: Role,
    },
    Dogfight {
        squadrons: Order,
        target: SquadronId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detect: Option<DogfightDetect>,
    },
    Strike {
        squadrons: Order,
        path: Waypoints,
    },
    Detect {
        by: PieceId,
        target: PieceId,
    },
    Disengage {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        aboard: Vec<SquadronId>,
    },
}

/// When a search is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Before the move.
    Before,
    /// After it.
    After,
}

/// A search of a squadron with its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectPlan {
    /// When.
    pub when: When,
    /// By whom.
    pub by: SquadronId,
    /// For what.
    pub target: PieceId,
}

/// A search of the carrier group with its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CvDetect {
    /// When.
    pub when: When,
    /// For what.
    pub target: PieceId,
}

/// A search before a dogfight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DogfightDetect {
    /// By whom.
    pub by: SquadronId,
}

/// Slipping away.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evasion {
    /// Where the carrier group goes.
    pub real: Point,
    /// Where the decoy goes.
    pub decoy: Point,
    /// With which card each die on the old card goes.
    #[serde(default)]
    pub riders: BTreeMap<SquadronId, Rides>,
}

/// With which card a die goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rides {
    /// With the carrier group.
    Real,
    /// With the decoy.
    Decoy,
}

type Legal = Result<(), Refusal>;

fn no(code: &'static str, message: impl Into<String>, rule: Rule) -> Refusal {
    Refusal::new(code, message).by(rule)
}

/// Thousandths as lengths, for sentences.
fn lengths(thousandths: i64) -> String {
    format!("{}.{:03}", thousandths / LENGTH, thousandths % LENGTH)
}

impl CarrierGame {
    /// Whether a side may do this now.
    pub fn legal(&self, state: &State, side: Side, action: &Action) -> Legal {
        if state.verdict.is_some() {
            return Err(no("game-over", "The game is over.", rule::VICTORY));
        }
        if state.phasing != side {
            return Err(no("not-your-turn", "It is not your action.", rule::TURN_SEQUENCE));
        }
        if state.passed[side] {
            return Err(no("already-passed", "You have passed this turn.", rule::R_7));
        }
        match action {
            Action::Pass => self.may_pass(state, side),
            Action::Move { squadrons, path, detect } => self.may_move(state, side, squadrons, path.as_ref(), detect.as_ref()),
            Action::FlyHome { squadron, card } => self.may_fly_home(state, side, *squadron, *card),
            Action::MoveCv { to, detect, evade } => self.may_move_cv(state, side, to.as_ref(), detect.as_ref(), evade.as_ref()),
            Action::Launch { squadron, at, dummy } => self.may_launch(state, side, *squadron, *at, *dummy),
            Action::Land { squadron } => self.may_land(state, side, *squadron),
            Action::Refuel { squadron } => self.may_refuel(state, side, *squadron),
            Action::ReArm { squadron, role } => self.may_re_arm(state, side, *squadron, *role),
            Action::Dogfight { squadrons, target, detect } => self.may_dogfight(state, side, squadrons, *target, detect.as_ref()),
            Action::Strike { squadrons, path } => self.may_strike(state, side, squadrons, path),
            Action::Detect { by, target } => self.may_detect(state, side, *by, *target),
            Action::Disengage { aboard } => self.may_disengage(state, side, aboard),
        }
    }

    /// Nobody passes while a squadron on its last fuel can act.
    pub(super) fn may_pass(&self, state: &State, side: Side) -> Legal {
        match state.up(side).iter().find(|id| state[*id].rl <= 1 && !state[*id].acted) {
            Some(id) => Err(no("must-bring-home", format!("You cannot pass: squadron {id} is on its last fuel and must land or fly home."), rule::R_44)),
            None => Ok(()),
        }
    }

    fn own_die(&self, state: &State, side: Side, id: SquadronId) -> Legal {
        if id.side() != side {
            return Err(no("not-yours", format!("{id} is not your squadron."), rule::GROUPS));
        }
        if !state[id].up() {
            return Err(no("not-deployed", format!("Squadron {id} is not in the air."), rule::MOVE));
        }
        Ok(())
    }

    fn fresh_die(&self, state: &State, side: Side, id: SquadronId) -> Legal {
        self.own_die(state, side, id)?;
        if state[id].acted {
            return Err(no("already-acted", format!("Squadron {id} has already acted this turn."), rule::TURN_SEQUENCE));
        }
        Ok(())
    }

    /// Squadrons that act together: in the air, unmarked, with fuel, connected among themselves.
    fn together(&self, state: &State, side: Side, squadrons: &[SquadronId]) -> Result<Squads, Refusal> {
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
                return Err(no("fuel-low", format!("Squadron {id} is on RL 1: it may only land or fly straight home."), rule::R_73));
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
            return Err(no("too-many-waypoints", format!("The path has {count} waypoints; {} are allowed.", crate::walk::MOST_WAYPOINTS), rule::MOVE));
        }
        let Some(end) = path.points().last() else {
            return Err(no("path-too-long", "The path needs at least one waypoint.", rule::MOVE));
        };
        let from = state[*lead].pos;
        if let Some(point) = path.points().iter().find(|point| !self.in_sea_room(**point)) {
            return Err(no("out-of-sea-room", format!("{}, {} lies outside the sea room.", point.x, point.y), rule::R_4));
        }
        let length = path.length(from);
        if length > allowance {
            return Err(no("path-too-long", format!("The path is {length} thousandths of a card length; {allowance} are allowed."), rule::MOVE));
        }
        if let Some(id) = squadrons.iter().find(|id| !self.in_sea_room(*end + (state[**id].pos - from))) {
            return Err(no("out-of-sea-room", format!("{id} would end outside the sea room."), rule::R_4));
        }
        Ok(())
    }

    fn may_move(&self, state: &State, side: Side, squadrons: &[SquadronId], path: Option<&Waypoints>, detect: Option<&DetectPlan>) -> Legal {
        let set = self.together(state, side, squadrons)?;
        if let Some(plan) = detect {
            if !set.has(plan.by) {
                return Err(no("not-touching", format!("{} is not one of the squadrons that move.", plan.by), rule::DETECT));
            }
            self.may_search(state, side, PieceId::Squadron(plan.by), plan.target, plan.when)?;
        }
        let before = detect.is_some_and(|plan| plan.when == When::Before);
        match path {
            None if before => Ok(()),
            None => Err(no("path-too-long", "A move needs a path.", rule::MOVE)),
            Some(_) if before => Err(no("path-too-long", "With a search before the move the path is asked for after its result.", rule::R_75)),
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
            Target::Group(group) => group.iter().map(|id| self.book.geometry.to_squadron(from, state[id].pos)).min().unwrap_or(i64::MAX),
            Target::Card(side, at) => state.carriers[side].cards[at].map_or(i64::MAX, |card| self.book.geometry.to_card(from, card)),
        }
    }

    /// Whether a target can still be detected.
    pub(super) fn undetected(&self, state: &State, target: Target) -> bool {
        match target {
            Target::Group(group) => group.iter().any(|id| !state[id].detected),
            Target::Card(side, _) => state.carriers[side].undetected(),
        }
    }

    fn may_search(&self, state: &State, side: Side, by: PieceId, target: PieceId, when: When) -> Legal {
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
                    return Err(no("not-deployed", format!("{card} cannot search; your carrier group is '{}'.", CardId { side, label: CardLabel::Cv }), rule::R_18));
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
            return Err(no("out-of-range", format!("The target is {} lengths away; the limit is {limit}.", lengths(distance)), rule::R_6));
        }
        Ok(())
    }

    /// Whether a search can be made now.
    pub(super) fn legal_search(&self, state: &State, side: Side, by: PieceId, target: PieceId) -> bool {
        self.may_search(state, side, by, target, When::Before).is_ok()
    }

    fn may_detect(&self, state: &State, side: Side, by: PieceId, target: PieceId) -> Legal {
        self.may_search(state, side, by, target, When::Before)
    }

    fn may_fly_home(&self, state: &State, side: Side, id: SquadronId, card: Option<CardId>) -> Legal {
        self.fresh_die(state, side, id)?;
        if state[id].rl > 1 {
            return Err(no("wrong-state", format!("Squadron {id} still has fuel; only one on RL 1 flies home."), rule::R_73));
        }
        let own = &state.carriers[side];
        let two_cards = own.on_table().count() == 2;
        match card {
            None if state[id].is_dummy() && two_cards => Err(no("is-dummy", format!("{id} is a dummy: say to which card it flies."), rule::R_40)),
            Some(card) if card.side != side || own.card_at(card.label).is_none() => Err(no("not-deployed", format!("You have no card {card}."), rule::FUEL)),
            Some(_) if !state[id].is_dummy() && two_cards => Err(no("wrong-state", "A squadron flies home to its carrier; only a dummy has a choice.", rule::R_40)),
            _ => Ok(()),
        }
    }

    /// Cards stay inside the sea room, on their station and apart from all others.
    fn cards_fit(&self, state: &State, side: Side, cards: &[Point]) -> Legal {
        for (at, card) in cards.iter().enumerate() {
            if !self.in_sea_room(*card) {
                return Err(no("out-of-sea-room", format!("{}, {} lies outside the sea room.", card.x, card.y), rule::R_4));
            }
            if let Some(most) = self.scenario.sheet(side).cv_max_from_home
                && (card.y - self.scenario.home(side)).abs() > most
            {
                return Err(no("leaves-its-station", format!("The carriers are bound to within {most} of their home edge."), rule::C_10));
            }
            let others = state.carriers[side.other()].on_table().map(|(_, other)| other);
            if others.chain(cards[..at].iter().copied()).any(|other| self.book.geometry.overlap(*card, other)) {
                return Err(no("cards-overlap", "Two carrier cards may not overlap.", rule::R_61));
            }
        }
        Ok(())
    }

    /// Whether the cards of a side may move so. [Move a CV card]
    pub(super) fn cv_move(&self, state: &State, side: Side, to: &BTreeMap<CardId, Point>) -> Legal {
        let own = &state.carriers[side];
        let speed = self.speed(own.hits);
        let mut cards = own.cards;
        if to.is_empty() {
            return Err(no("wrong-state", "Say where a card goes.", rule::MOVE_CV));
        }
        for (card, point) in to {
            let Some(at) = own.card_at(card.label).filter(|_| card.side == side) else {
                return Err(no("not-deployed", format!("You have no card {card}."), rule::MOVE_CV));
            };
            if !self.in_sea_room(*point) {
                return Err(no("out-of-sea-room", format!("{}, {} lies outside the sea room.", point.x, point.y), rule::R_4));
            }
            let moved = cards[at].map_or(0, |from| from.ceil_dist(*point));
            if moved > speed {
                let crippled = if speed < self.book.speeds.cv { "A crippled group moves one card width" } else { "A carrier group moves one card length" };
                return Err(no("too-fast", format!("{crippled}, {speed} thousandths; this is {moved}."), rule::MOVE_CV));
            }
            cards[at] = Some(*point);
        }
        self.cards_fit(state, side, &cards.into_iter().flatten().collect::<Vec<_>>())
    }

    fn may_move_cv(&self, state: &State, side: Side, to: Option<&BTreeMap<CardId, Point>>, detect: Option<&CvDetect>, evade: Option<&Evasion>) -> Legal {
        let own = &state.carriers[side];
        if !own.in_play() {
            return Err(no("not-deployed", "Your carrier group is not on the map.", rule::MOVE_CV));
        }
        if own.acted {
            return Err(no("already-acted", "The carrier group has already acted this turn.", rule::TURN_SEQUENCE));
        }
        if let Some(plan) = detect {
            self.may_search(state, side, PieceId::Card(CardId { side, label: CardLabel::Cv }), plan.target, plan.when)?;
        }
        let before = detect.is_some_and(|plan| plan.when == When::Before);
        match (to, evade) {
            (None, None) if before => Ok(()),
            (Some(_), None) if before => Err(no("wrong-state", "With a search before the move the move is asked for after its result.", rule::R_75)),
            (Some(to), None) => self.cv_move(state, side, to),
            (None, Some(evasion)) if detect.is_none() => self.may_evade(state, side, evasion),
            (None, None) => Err(no("wrong-state", "Say where the carriers go.", rule::MOVE_CV)),
            _ => Err(no("wrong-state", "Slipping away goes with no other move and no search.", rule::R_23)),
        }
    }

    /// Whether a group may slip away now: undetected, and its real card plain to see.
    pub(super) fn can_evade(&self, state: &State, side: Side) -> Option<Point> {
        let own = &state.carriers[side];
        if own.undetected() && own.on_table().count() == 1 { own.real_card() } else { None }
    }

    /// The dice of a side on one of its cards.
    pub(super) fn riders(&self, state: &State, side: Side, card: Point) -> Squads {
        state.up(side).iter().filter(|id| self.book.geometry.to_card_2(state[*id].pos, card) == 0).collect()
    }

    fn may_evade(&self, state: &State, side: Side, evasion: &Evasion) -> Legal {
        let Some(old) = self.can_evade(state, side) else {
            return Err(no("wrong-state", "Only an undetected group whose one card is known can slip away.", rule::R_23));
        };
        self.cards_fit(state, side, &[evasion.real, evasion.decoy])?;
        let speed = self.speed(state.carriers[side].hits);
        if [evasion.real, evasion.decoy].iter().any(|card| card.ceil_dist(old) != speed) {
            return Err(no("not-full-speed", format!("To slip away both cards must lie at full speed, exactly {speed} thousandths, from the old one."), rule::R_23));
        }
        let riders = self.riders(state, side, old);
        if evasion.riders.keys().copied().collect::<Squads>() != riders {
            return Err(no("wrong-state", format!("Say with which card each die on the old card goes: {}.", riders.names()), rule::R_65));
        }
        Ok(())
    }

    fn own_aboard(&self, state: &State, side: Side, id: SquadronId) -> Legal {
        if id.side() != side {
            return Err(no("not-yours", format!("{id} is not your squadron."), rule::GROUPS));
        }
        let squadron = &state[id];
        if squadron.place != Where::Aboard || !state.carriers[side].in_play() {
            return Err(no("not-aboard", format!("Squadron {id} is not aboard a carrier on the map."), rule::LAUNCH));
        }
        if squadron.acted {
            return Err(no("already-acted", format!("Squadron {id} has already acted this turn."), rule::TURN_SEQUENCE));
        }
        Ok(())
    }

    fn may_launch(&self, state: &State, side: Side, id: SquadronId, at: Point, dummy: bool) -> Legal {
        self.own_aboard(state, side, id)?;
        if !state[id].deck.ready() {
            return Err(no("wrong-state", format!("Squadron {id} is landed and must refuel first."), if id.is_recce() { rule::R_13 } else { rule::LAUNCH }));
        }
        let own = &state.carriers[side];
        if dummy && id.is_recce() {
            return Err(no("dummy-not-allowed", "Scouts cannot be dummies.", rule::R_38));
        }
        if dummy && !own.undetected() {
            return Err(no("dummy-not-allowed", "A detected carrier group cannot launch dummies.", rule::DUMMIES));
        }
        if !self.in_sea_room(at) {
            return Err(no("out-of-sea-room", format!("{}, {} lies outside the sea room.", at.x, at.y), rule::R_4));
        }
        let limit = self.book.ranges.launch;
        let distance = if dummy { self.to_either_card(state, side, at) } else { own.real_card().map(|card| self.book.geometry.to_card(at, card)) };
        match distance {
            Some(distance) if distance <= limit * LENGTH => Ok(()),
            other => Err(no("out-of-range", format!("The point is {} lengths from the card; the limit is {limit}.", lengths(other.unwrap_or(0))), rule::R_5)),
        }
    }

    /// The distance of a point to the nearest card of a side.
    pub(super) fn to_either_card(&self, state: &State, side: Side, at: Point) -> Option<i64> {
        state.carriers[side].on_table().map(|(_, card)| self.book.geometry.to_card(at, card)).min()
    }

    /// The distance that counts when a die lands.
    pub(super) fn landing_distance(&self, state: &State, id: SquadronId) -> Option<i64> {
        if state[id].is_dummy() { self.to_either_card(state, id.side(), state[id].pos) } else { state.to_home(&self.book, id) }
    }

    /// Room left for a squadron's kind.
    pub(super) fn room_for(&self, state: &State, id: SquadronId) -> u8 {
        let room = self.book.carrier.room(state.carriers[id.side()].hits);
        let load = state.load(id.side());
        if id.is_recce() { room.recce_squadrons.saturating_sub(load.1) } else { room.combat_aircraft.saturating_sub(load.0) }
    }

    fn may_land(&self, state: &State, side: Side, id: SquadronId) -> Legal {
        self.fresh_die(state, side, id)?;
        let limit = self.book.ranges.land;
        match self.landing_distance(state, id) {
            None => return Err(no("not-deployed", "You have no carrier on the map to land on.", rule::LAND)),
            Some(distance) if distance > limit * LENGTH => {
                if state[id].rl <= 1 {
                    return Err(no("out-of-range", format!("The card is {} lengths away; the limit is {limit}. Fly home instead.", lengths(distance)), rule::R_73));
                }
                return Err(no("out-of-range", format!("The card is {} lengths away; the limit is {limit}.", lengths(distance)), rule::R_5));
            }
            Some(_) => {}
        }
        if !state[id].is_dummy() && state[id].rl > 1 && self.room_for(state, id) == 0 {
            return Err(no("no-room", "The carrier has room for 0 more aircraft.", rule::R_15));
        }
        Ok(())
    }

    fn may_refuel(&self, state: &State, side: Side, id: SquadronId) -> Legal {
        self.own_aboard(state, side, id)?;
        if id.is_recce() {
            return Err(no("wrong-state", "A reconnaissance squadron refuels by itself.", rule::R_13));
        }
        if state[id].deck != Deck::Landed {
            return Err(no("wrong-state", format!("Squadron {id} is refuelled already."), rule::REFUEL));
        }
        Ok(())
    }

    fn may_re_arm(&self, state: &State, side: Side, id: SquadronId, role: Role) -> Legal {
        self.own_aboard(state, side, id)?;
        if id.is_recce() || role == Role::Recce {
            return Err(no("cannot-re-arm", "A reconnaissance squadron has no weapons.", rule::RE_ARM));
        }
        if role == Role::Fighter && self.kamikaze.has(id) {
            return Err(no("cannot-re-arm", "Kamikaze pilots only fly strikes.", rule::KAMIKAZE));
        }
        if state[id].deck == Deck::Landed {
            return Err(no("wrong-state", format!("Squadron {id} is landed and must refuel first."), rule::RE_ARM));
        }
        Ok(())
    }

    fn may_dogfight(&self, state: &State, side: Side, squadrons: &[SquadronId], target: SquadronId, detect: Option<&DogfightDetect>) -> Legal {
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
            let distance = state.nearest(set, group).map_or(0, flagplot_kernel::plane::ceil_sqrt) - self.book.geometry.die_radius;
            return Err(no("out-of-range", format!("The target is {} lengths away; the limit is {limit}.", lengths(distance)), rule::R_6));
        }
        match detect {
            Some(plan) if !set.has(plan.by) => Err(no("not-touching", format!("{} is not one of the squadrons that attack.", plan.by), rule::DETECT)),
            Some(plan) => self.may_search(state, side, PieceId::Squadron(plan.by), PieceId::Squadron(target), When::Before),
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
        squadrons.iter().any(|id| self.book.geometry.to_card(state[*id].pos + shift, card) <= self.book.geometry.die_radius)
    }

    fn may_strike(&self, state: &State, side: Side, squadrons: &[SquadronId], path: &Waypoints) -> Legal {
        let set = match self.together(state, side, squadrons) {
            Err(refusal) if refusal.code == "fuel-low" => return Err(refusal.by(rule::R_46)),
            other => other?,
        };
        if set.iter().any(|id| state[id].is_dummy()) {
            return Err(no("is-dummy", "A dummy cannot attack, search, strike or intercept.", rule::DUMMIES));
        }
        if !set.iter().any(|id| state[id].role == Some(Role::Strike) && state[id].ordnance == Some(true)) {
            let spent = set.iter().any(|id| state[id].struck);
            return Err(no("no-ordnance", "No squadron in this group carries ordnance.", if spent { rule::R_14 } else { rule::R_11 }));
        }
        let Some(card) = self.strike_target(state, side) else {
            return Err(no("not-detected", format!("{}'s carrier group has not been detected.", name(side.other())), rule::STRIKE));
        };
        let limit = self.book.ranges.strike;
        let distance = set.iter().map(|id| self.book.geometry.to_card(state[id].pos, card)).min().unwrap_or(0);
        if distance > limit * LENGTH {
            return Err(no("out-of-range", format!("The target is {} lengths away; the limit is {limit}.", lengths(distance)), rule::R_6));
        }
        self.path(state, squadrons, path, self.book.speeds.strike_approach)?;
        if !self.ends_at_card(state, squadrons, path, card) {
            return Err(no("not-at-the-card", "The strike must end with a die touching the carrier card.", rule::STRIKE));
        }
        Ok(())
    }

    pub(super) fn may_disengage(&self, state: &State, side: Side, aboard: &[SquadronId]) -> Legal {
        let own = &state.carriers[side];
        if !self.scenario.sheet(side).may_disengage {
            return Err(no("cannot-disengage", "The carrier group is bound to its station.", rule::DISENGAGE));
        }
        if own.form != Form::Hidden || !own.slipped {
            return Err(no("cannot-disengage", "The group must have been found and have slipped away first.", rule::R_25));
        }
        if own.real_card().is_some_and(|card| self.watched_card(state, side, card)) {
            return Err(no("cannot-disengage", "There are enemy dice within 6 lengths or an enemy carrier card within 3.", rule::R_22));
        }
        for id in aboard {
            self.own_die(state, side, *id)?;
            if self.landing_distance(state, *id).is_none_or(|distance| distance > self.book.ranges.land * LENGTH) {
                return Err(no("out-of-range", format!("Squadron {id} is too far away to be taken aboard."), rule::R_57));
            }
        }
        Ok(())
    }
}

/// A target of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A group of squadrons.
    Group(Squads),
    /// A card of a side.
    Card(Side, usize),
}
