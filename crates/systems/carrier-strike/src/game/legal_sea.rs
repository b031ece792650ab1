//! What makes moves of the carriers, their deck work and their leaving legal.

use super::CarrierGame;
use super::action::{CvDetect, Evasion, Legal, When, lengths, no};
use super::piece::{CardId, CardLabel, PieceId, SquadronId, Squads};
use super::state::{Deck, Form, State, Where};
use crate::few::Few;
use crate::geometry::LENGTH;
use crate::rule;
use crate::words::Role;
use flagplot_kernel::Side;
use flagplot_kernel::plane::Point;
use std::collections::BTreeMap;

impl CarrierGame {
    /// Cards stay inside the sea room, on their station and apart from all others.
    pub(super) fn cards_fit(&self, state: &State, side: Side, cards: &[Point]) -> Legal {
        for (at, card) in cards.iter().enumerate() {
            if !self.in_sea_room(*card) {
                return Err(no(
                    "out-of-sea-room",
                    format!("{}, {} lies outside the sea room.", card.x, card.y),
                    rule::R_4,
                ));
            }
            if let Some(most) = self.scenario.sheet(side).cv_max_from_home
                && (card.y - self.scenario.home(side)).abs() > most
            {
                return Err(no(
                    "leaves-its-station",
                    format!("The carriers are bound to within {most} of their home edge."),
                    rule::C_10,
                ));
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
                return Err(no(
                    "out-of-sea-room",
                    format!("{}, {} lies outside the sea room.", point.x, point.y),
                    rule::R_4,
                ));
            }
            let moved = cards[at].map_or(0, |from| from.ceil_dist(*point));
            if moved > speed {
                let crippled = if speed < self.book.speeds.cv {
                    "A crippled group moves one card width"
                } else {
                    "A carrier group moves one card length"
                };
                return Err(no(
                    "too-fast",
                    format!("{crippled}, {speed} thousandths; this is {moved}."),
                    rule::MOVE_CV,
                ));
            }
            cards[at] = Some(*point);
        }
        self.cards_fit(state, side, &cards.into_iter().flatten().collect::<Few<_, 2>>())
    }

    pub(super) fn may_move_cv(
        &self,
        state: &State,
        side: Side,
        to: Option<&BTreeMap<CardId, Point>>,
        detect: Option<&CvDetect>,
        evade: Option<&Evasion>,
    ) -> Legal {
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
            (Some(_), None) if before => Err(no(
                "wrong-state",
                "With a search before the move the move is asked for after its result.",
                rule::R_75,
            )),
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
        state.up(side).iter().filter(|id| self.book.geometry.on_card(state[*id].pos, card)).collect()
    }

    pub(super) fn may_evade(&self, state: &State, side: Side, evasion: &Evasion) -> Legal {
        let Some(old) = self.can_evade(state, side) else {
            return Err(no(
                "wrong-state",
                "Only an undetected group whose one card is known can slip away.",
                rule::R_23,
            ));
        };
        self.cards_fit(state, side, &[evasion.real, evasion.decoy])?;
        let speed = self.speed(state.carriers[side].hits);
        if [evasion.real, evasion.decoy].iter().any(|card| card.ceil_dist(old) != speed) {
            return Err(no(
                "not-full-speed",
                format!(
                    "To slip away both cards must lie at full speed, exactly {speed} thousandths, from the old one."
                ),
                rule::R_23,
            ));
        }
        let riders = self.riders(state, side, old);
        if evasion.riders.keys().copied().collect::<Squads>() != riders {
            return Err(no(
                "wrong-state",
                format!("Say with which card each die on the old card goes: {}.", riders.names()),
                rule::R_65,
            ));
        }
        Ok(())
    }

    pub(super) fn own_aboard(&self, state: &State, side: Side, id: SquadronId) -> Legal {
        if id.side() != side {
            return Err(no("not-yours", format!("{id} is not your squadron."), rule::GROUPS));
        }
        let squadron = &state[id];
        if squadron.place != Where::Aboard || !state.carriers[side].in_play() {
            return Err(no("not-aboard", format!("Squadron {id} is not aboard a carrier on the map."), rule::LAUNCH));
        }
        if squadron.acted {
            return Err(no(
                "already-acted",
                format!("Squadron {id} has already acted this turn."),
                rule::TURN_SEQUENCE,
            ));
        }
        Ok(())
    }

    pub(super) fn may_launch(&self, state: &State, side: Side, id: SquadronId, at: Point, dummy: bool) -> Legal {
        self.own_aboard(state, side, id)?;
        if !state[id].deck.ready() {
            return Err(no(
                "wrong-state",
                format!("Squadron {id} is landed and must refuel first."),
                if id.is_recce() { rule::R_13 } else { rule::LAUNCH },
            ));
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
        let distance = if dummy {
            self.to_either_card(state, side, at)
        } else {
            own.real_card().map(|card| self.book.geometry.to_card(at, card))
        };
        match distance {
            Some(distance) if distance <= limit * LENGTH => Ok(()),
            other => Err(no(
                "out-of-range",
                format!("The point is {} lengths from the card; the limit is {limit}.", lengths(other.unwrap_or(0))),
                rule::R_5,
            )),
        }
    }

    /// The distance of a point to the nearest card of a side.
    pub(super) fn to_either_card(&self, state: &State, side: Side, at: Point) -> Option<i64> {
        state.carriers[side].on_table().map(|(_, card)| self.book.geometry.to_card(at, card)).min()
    }

    /// The distance that counts when a die lands.
    pub(super) fn landing_distance(&self, state: &State, id: SquadronId) -> Option<i64> {
        if state[id].is_dummy() {
            self.to_either_card(state, id.side(), state[id].pos)
        } else {
            state.to_home(&self.book, id)
        }
    }

    /// Room left for a squadron's kind.
    pub(super) fn room_for(&self, state: &State, id: SquadronId) -> u8 {
        let room = self.book.carrier.room(state.carriers[id.side()].hits);
        let load = state.load(id.side());
        if id.is_recce() {
            room.recce_squadrons.saturating_sub(load.1)
        } else {
            room.combat_aircraft.saturating_sub(load.0)
        }
    }

    pub(super) fn may_land(&self, state: &State, side: Side, id: SquadronId) -> Legal {
        self.fresh_die(state, side, id)?;
        let limit = self.book.ranges.land;
        match self.landing_distance(state, id) {
            None => return Err(no("not-deployed", "You have no carrier on the map to land on.", rule::LAND)),
            Some(distance) if distance > limit * LENGTH => {
                if state[id].rl <= 1 {
                    return Err(no(
                        "out-of-range",
                        format!(
                            "The card is {} lengths away; the limit is {limit}. Fly home instead.",
                            lengths(distance)
                        ),
                        rule::R_73,
                    ));
                }
                return Err(no(
                    "out-of-range",
                    format!("The card is {} lengths away; the limit is {limit}.", lengths(distance)),
                    rule::R_5,
                ));
            }
            Some(_) => {}
        }
        if !state[id].is_dummy() && state[id].rl > 1 && self.room_for(state, id) == 0 {
            return Err(no("no-room", "The carrier has room for 0 more aircraft.", rule::R_15));
        }
        Ok(())
    }

    pub(super) fn may_refuel(&self, state: &State, side: Side, id: SquadronId) -> Legal {
        self.own_aboard(state, side, id)?;
        if id.is_recce() {
            return Err(no("wrong-state", "A reconnaissance squadron refuels by itself.", rule::R_13));
        }
        if state[id].deck != Deck::Landed {
            return Err(no("wrong-state", format!("Squadron {id} is refuelled already."), rule::REFUEL));
        }
        Ok(())
    }

    pub(super) fn may_re_arm(&self, state: &State, side: Side, id: SquadronId, role: Role) -> Legal {
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

    pub(super) fn may_disengage(&self, state: &State, side: Side, aboard: &[SquadronId]) -> Legal {
        let own = &state.carriers[side];
        if !self.scenario.sheet(side).may_disengage {
            return Err(no("cannot-disengage", "The carrier group is bound to its station.", rule::DISENGAGE));
        }
        if own.form != Form::Hidden || !own.slipped {
            return Err(no(
                "cannot-disengage",
                "The group must have been found and have slipped away first.",
                rule::R_25,
            ));
        }
        if own.real_card().is_some_and(|card| self.watched_card(state, side, card)) {
            return Err(no(
                "cannot-disengage",
                "There are enemy dice within 6 lengths or an enemy carrier card within 3.",
                rule::R_22,
            ));
        }
        for id in aboard {
            self.own_die(state, side, *id)?;
            if self.landing_distance(state, *id).is_none_or(|distance| distance > self.book.ranges.land * LENGTH) {
                return Err(no(
                    "out-of-range",
                    format!("Squadron {id} is too far away to be taken aboard."),
                    rule::R_57,
                ));
            }
        }
        Ok(())
    }
}
