//! What makes moves of the carriers, their deck work and their leaving legal.

use super::CarrierGame;
use super::action::{CvDetect, Evasion, Legal, When, lengths, no};
use super::piece::{CardId, CardLabel, PieceId, SquadronId, Squads};
use super::state::{Deck, Form, Table, Where};
use crate::few::Few;
use crate::geometry::LENGTH;
use crate::rule;
use crate::words::Role;
use flagplot_kernel::Side;
use flagplot_kernel::plane::Point;
use std::collections::BTreeMap;

impl CarrierGame {
    /// Cards stay inside the sea room, on their station and apart from all others.
    pub(super) fn cards_fit(&self, table: &Table, side: Side, cards: &[Point]) -> Legal {
        for (at, card) in cards.iter().enumerate() {
            if !self.in_sea_room(*card) {
                return Err(no("out-of-sea-room", "A card may not leave the sea room.", rule::R_4));
            }
            if let Some(most) = self.scenario.sheet(side).cv_max_from_home
                && (card.y - self.scenario.home(side)).abs() > most
            {
                return Err(no(
                    "leaves-its-station",
                    format!("The carriers stay within {} lengths of their home edge.", lengths(most)),
                    rule::C_10,
                ));
            }
            let others = table.carriers[side.other()].on_table().map(|(_, other)| other);
            if others.chain(cards[..at].iter().copied()).any(|other| self.book.geometry.overlap(*card, other)) {
                return Err(no("cards-overlap", "Two carrier cards may not overlap.", rule::R_61));
            }
        }
        Ok(())
    }

    /// Whether the cards of a side may move so. [Move a CV card]
    pub(super) fn cv_move(&self, table: &Table, side: Side, to: &BTreeMap<CardId, Point>) -> Legal {
        let own = &table.carriers[side];
        let speed = self.speed(own.hits);
        let mut cards = own.cards;
        if to.is_empty() {
            return Err(no("wrong-state", "Say where a card goes.", rule::MOVE_CV));
        }
        for (card, point) in to {
            let Some(at) = own.card_at(card.label).filter(|_| card.side == side) else {
                return Err(no("not-deployed", format!("You have no {card}."), rule::MOVE_CV));
            };
            if !self.in_sea_room(*point) {
                return Err(no("out-of-sea-room", "A card may not leave the sea room.", rule::R_4));
            }
            let moved = cards[at].map_or(0, |from| from.ceil_dist(*point));
            if moved > speed {
                let crippled = if speed < self.book.speeds.cv {
                    "A crippled carrier group moves one card width (0.7 lengths) at most"
                } else {
                    "A carrier group moves one card length at most"
                };
                return Err(no(
                    "too-fast",
                    format!("{crippled}, and this is {} lengths.", lengths(moved)),
                    rule::MOVE_CV,
                ));
            }
            cards[at] = Some(*point);
        }
        self.cards_fit(table, side, &cards.into_iter().flatten().collect::<Few<_, 2>>())
    }

    pub(super) fn may_move_cv(
        &self,
        table: &Table,
        side: Side,
        to: Option<&BTreeMap<CardId, Point>>,
        detect: Option<&CvDetect>,
        evade: Option<&Evasion>,
    ) -> Legal {
        let own = &table.carriers[side];
        if !own.in_play() {
            return Err(no("not-deployed", "Your carrier group is not on the map.", rule::MOVE_CV));
        }
        if own.acted {
            return Err(no("already-acted", "The carrier group has already acted this turn.", rule::TURN_SEQUENCE));
        }
        if let Some(plan) = detect {
            self.may_search(table, side, PieceId::Card(CardId { side, label: CardLabel::Cv }), plan.target, plan.when)?;
        }
        let before = detect.is_some_and(|plan| plan.when == When::Before);
        match (to, evade) {
            (None, None) if before => Ok(()),
            (Some(_), None) if before => Err(no(
                "wrong-state",
                "You choose the move when you know the result of the search. Leave it out here.",
                rule::R_75,
            )),
            (Some(to), None) => self.cv_move(table, side, to),
            (None, Some(evasion)) if detect.is_none() => self.may_evade(table, side, evasion),
            (None, None) => Err(no("wrong-state", "Say where the carriers move.", rule::MOVE_CV)),
            _ => Err(no("wrong-state", "A group that slips away makes no other move and no search.", rule::R_23)),
        }
    }

    /// Whether a group may slip away now: undetected, and its real card plain to see.
    pub(super) fn can_evade(&self, table: &Table, side: Side) -> Option<Point> {
        let own = &table.carriers[side];
        if own.undetected() && own.on_table().count() == 1 { own.real_card() } else { None }
    }

    /// The dice of a side on one of its cards.
    pub(super) fn riders(&self, table: &Table, side: Side, card: Point) -> Squads {
        table.up(side).iter().filter(|id| self.book.geometry.on_card(table[*id].pos, card)).collect()
    }

    pub(super) fn may_evade(&self, table: &Table, side: Side, evasion: &Evasion) -> Legal {
        let Some(old) = self.can_evade(table, side) else {
            return Err(no(
                "wrong-state",
                "Only an undetected group with one card on the table can slip away.",
                rule::R_23,
            ));
        };
        self.cards_fit(table, side, &[evasion.real, evasion.decoy])?;
        let speed = self.speed(table.carriers[side].hits);
        if [evasion.real, evasion.decoy].iter().any(|card| card.ceil_dist(old) != speed) {
            return Err(no(
                "not-full-speed",
                format!("To slip away, both cards move at full speed, exactly {} lengths.", lengths(speed)),
                rule::R_23,
            ));
        }
        let riders = self.riders(table, side, old);
        if evasion.riders.keys().copied().collect::<Squads>() != riders {
            return Err(no("wrong-state", format!("Say which card each of {} goes with.", riders.names()), rule::R_65));
        }
        Ok(())
    }

    pub(super) fn own_aboard(&self, table: &Table, side: Side, id: SquadronId) -> Legal {
        if id.side() != side {
            return Err(no("not-yours", format!("{id} is not your squadron."), rule::GROUPS));
        }
        let squadron = &table[id];
        if squadron.place != Where::Aboard || !table.carriers[side].in_play() {
            return Err(no("not-aboard", format!("{id} is not aboard a carrier on the map."), rule::LAUNCH));
        }
        if squadron.acted {
            return Err(no("already-acted", format!("{id} has already acted this turn."), rule::TURN_SEQUENCE));
        }
        Ok(())
    }

    pub(super) fn may_launch(&self, table: &Table, side: Side, id: SquadronId, at: Point, dummy: bool) -> Legal {
        self.own_aboard(table, side, id)?;
        if !table[id].deck.ready() {
            return Err(no(
                "wrong-state",
                format!("{id} has just landed and must refuel first."),
                if id.is_recce() { rule::R_13 } else { rule::LAUNCH },
            ));
        }
        let own = &table.carriers[side];
        if dummy && id.is_recce() {
            return Err(no("dummy-not-allowed", "Scouts cannot be dummies.", rule::R_38));
        }
        if dummy && !own.undetected() {
            return Err(no("dummy-not-allowed", "A detected carrier group cannot launch dummies.", rule::DUMMIES));
        }
        if !self.in_sea_room(at) {
            return Err(no("out-of-sea-room", "The point is outside the sea room.", rule::R_4));
        }
        let limit = self.book.ranges.launch;
        let distance = if dummy {
            self.to_either_card(table, side, at)
        } else {
            own.real_card().map(|card| self.book.geometry.to_card(at, card))
        };
        match distance {
            Some(distance) if distance <= limit * LENGTH => Ok(()),
            other => Err(no(
                "out-of-range",
                format!("The point is {} lengths from the card. {limit} is the most.", lengths(other.unwrap_or(0))),
                rule::R_5,
            )),
        }
    }

    /// The distance of a point to the nearest card of a side.
    pub(super) fn to_either_card(&self, table: &Table, side: Side, at: Point) -> Option<i64> {
        table.carriers[side].on_table().map(|(_, card)| self.book.geometry.to_card(at, card)).min()
    }

    /// The distance that counts when a die lands.
    pub(super) fn landing_distance(&self, table: &Table, id: SquadronId) -> Option<i64> {
        if table[id].is_dummy() {
            self.to_either_card(table, id.side(), table[id].pos)
        } else {
            table.to_home(&self.book, id)
        }
    }

    pub(super) fn can_land(&self, table: &Table, id: SquadronId) -> bool {
        self.landing_distance(table, id).is_some_and(|distance| distance <= self.book.ranges.land * LENGTH)
    }

    pub(super) fn room_for(&self, table: &Table, id: SquadronId) -> u8 {
        let room = self.book.carrier.room(table.carriers[id.side()].hits);
        let load = table.load(id.side());
        if id.is_recce() {
            room.recce_squadrons.saturating_sub(load.1)
        } else {
            room.combat_aircraft.saturating_sub(load.0)
        }
    }

    pub(super) fn may_land(&self, table: &Table, side: Side, id: SquadronId) -> Legal {
        self.fresh_die(table, side, id)?;
        let limit = self.book.ranges.land;
        match self.landing_distance(table, id) {
            None => return Err(no("not-deployed", "You have no carrier on the map to land on.", rule::LAND)),
            Some(distance) if distance > limit * LENGTH => {
                if table[id].rl <= 1 {
                    return Err(no(
                        "out-of-range",
                        format!(
                            "The card is {} lengths away. {limit} is the most: fly home instead.",
                            lengths(distance)
                        ),
                        rule::R_73,
                    ));
                }
                return Err(no(
                    "out-of-range",
                    format!("The card is {} lengths away. {limit} is the most.", lengths(distance)),
                    rule::R_5,
                ));
            }
            Some(_) => {}
        }
        if !table[id].is_dummy() && table[id].rl > 1 && self.room_for(table, id) == 0 {
            return Err(no("no-room", "The carriers have no room left.", rule::R_15));
        }
        Ok(())
    }

    pub(super) fn may_refuel(&self, table: &Table, side: Side, id: SquadronId) -> Legal {
        self.own_aboard(table, side, id)?;
        if id.is_recce() {
            return Err(no("wrong-state", "Scouts refuel on their own.", rule::R_13));
        }
        if table[id].deck != Deck::Landed {
            return Err(no("wrong-state", format!("{id} is already refuelled."), rule::REFUEL));
        }
        Ok(())
    }

    pub(super) fn may_re_arm(&self, table: &Table, side: Side, id: SquadronId, role: Role) -> Legal {
        self.own_aboard(table, side, id)?;
        if id.is_recce() || role == Role::Recce {
            return Err(no("cannot-re-arm", "Scouts carry no weapons.", rule::RE_ARM));
        }
        if role == Role::Fighter && self.kamikaze.has(id) {
            return Err(no("cannot-re-arm", "Kamikaze pilots fly strikes only.", rule::KAMIKAZE));
        }
        if table[id].deck == Deck::Landed {
            return Err(no("wrong-state", format!("{id} has just landed and must refuel first."), rule::RE_ARM));
        }
        Ok(())
    }

    pub(super) fn may_disengage(&self, table: &Table, side: Side, aboard: &[SquadronId]) -> Legal {
        let own = &table.carriers[side];
        if !self.scenario.sheet(side).may_disengage {
            return Err(no("cannot-disengage", "The carrier group is bound to its station.", rule::DISENGAGE));
        }
        if own.form != Form::Hidden || !own.slipped {
            return Err(no(
                "cannot-disengage",
                "The group must be detected and slip away before it can leave the battle.",
                rule::R_25,
            ));
        }
        if own.real_card().is_some_and(|card| self.watched_card(table, side, card)) {
            return Err(no(
                "cannot-disengage",
                "An enemy squadron is within 6 lengths, or an enemy card within 3.",
                rule::R_22,
            ));
        }
        for id in aboard {
            self.own_die(table, side, *id)?;
            if !self.can_land(table, *id) {
                return Err(no("out-of-range", format!("{id} is too far away to come aboard."), rule::R_57));
            }
        }
        Ok(())
    }
}
