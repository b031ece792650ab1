//! What makes moves of the carriers, their deck work and their leaving legal.

use super::CarrierGame;
use super::action::{CvDetect, Evasion, When};
use super::piece::{CardId, CardLabel, PieceId, SquadronId, Squads};
use super::refusals::{Barred, Legal};
use super::state::{Deck, Form, Table, Where};
use crate::few::Few;
use crate::geometry::{LENGTH, lengths};
use crate::words::Role;
use flagplot_kernel::Side;
use flagplot_kernel::plane::Point;
use std::collections::BTreeMap;

impl CarrierGame {
    /// Cards stay inside the sea room, on their station and apart from all others.
    pub(super) fn cards_fit(&self, table: &Table, side: Side, cards: &[Point]) -> Legal {
        for (at, card) in cards.iter().enumerate() {
            if !self.in_sea_room(*card) {
                return Err(Barred::CardOutside);
            }
            if let Some(most) = self.scenario.sheet(side).cv_max_from_home
                && (card.y - self.scenario.home(side)).abs() > most
            {
                return Err(Barred::LeavesStation { most: lengths(most) });
            }
            let others = table.carriers[side.other()].on_table().map(|(_, other)| other);
            if others.chain(cards[..at].iter().copied()).any(|other| self.rules.geometry.overlap(*card, other)) {
                return Err(Barred::CardsOverlap);
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
            return Err(Barred::NoCardNamed);
        }
        for (card, point) in to {
            let Some(at) = own.card_at(card.label).filter(|_| card.side == side) else {
                return Err(Barred::NoSuchCard { card: *card });
            };
            if !self.in_sea_room(*point) {
                return Err(Barred::CardOutside);
            }
            let moved = cards[at].map_or(0, |from| from.ceil_dist(*point));
            if moved > speed {
                let (moved, crippled) = (lengths(moved), speed < self.rules.speeds.cv);
                return Err(if crippled { Barred::TooFastCrippled { moved } } else { Barred::TooFast { moved } });
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
            return Err(Barred::CarriersGone);
        }
        if own.acted {
            return Err(Barred::CarriersActed);
        }
        if let Some(plan) = detect {
            let by = PieceId::Card(CardId { side, label: CardLabel::Cv });
            self.may_plan(table, side, by, plan.when, plan.target)?;
        }
        let before = detect.is_some_and(|plan| plan.when == When::Before);
        match (to, evade) {
            (None, None) if before => Ok(()),
            (Some(_), None) if before => Err(Barred::MoveTooEarly),
            (Some(to), None) => self.cv_move(table, side, to),
            (None, Some(evasion)) if detect.is_none() => self.may_evade(table, side, evasion),
            (None, None) => Err(Barred::NoMove),
            _ => Err(Barred::OnlySlipsAway),
        }
    }

    /// The card of a group that may slip away now: it was detected, contact has lapsed, and no enemy is near.
    pub(super) fn can_evade(&self, table: &Table, side: Side) -> Option<Point> {
        let own = &table.carriers[side];
        let card = own.real_card().filter(|_| own.form == Form::Revealed && own.contact_lost)?;
        (!self.watched_card(table, side, card)).then_some(card)
    }

    /// The dice of a side on one of its cards.
    pub(super) fn riders(&self, table: &Table, side: Side, card: Point) -> Squads {
        table.up(side).iter().filter(|id| self.rules.geometry.on_card(table[*id].pos, card)).collect()
    }

    pub(super) fn may_evade(&self, table: &Table, side: Side, evasion: &Evasion) -> Legal {
        let Some(old) = self.can_evade(table, side) else {
            return Err(Barred::CannotSlipAway);
        };
        self.cards_fit(table, side, &[evasion.real, evasion.decoy])?;
        let speed = self.speed(table.carriers[side].hits);
        if [evasion.real, evasion.decoy].iter().any(|card| card.ceil_dist(old) != speed) {
            return Err(Barred::NotFullSpeed { speed: lengths(speed) });
        }
        let riders = self.riders(table, side, old);
        if evasion.riders.keys().copied().collect::<Squads>() != riders {
            return Err(Barred::RidersUnsaid { riders });
        }
        Ok(())
    }

    pub(super) fn own_aboard(&self, table: &Table, side: Side, id: SquadronId) -> Legal {
        if id.side() != side {
            return Err(Barred::NotYours { id });
        }
        let squadron = &table[id];
        if squadron.place != Where::Aboard || !table.carriers[side].in_play() {
            return Err(Barred::NotAboard { id });
        }
        if squadron.acted {
            return Err(Barred::HasActed { id });
        }
        Ok(())
    }

    pub(super) fn may_launch(&self, table: &Table, side: Side, id: SquadronId, at: Point, dummy: bool) -> Legal {
        self.own_aboard(table, side, id)?;
        if !table[id].deck.ready() {
            return Err(if id.is_recce() { Barred::ScoutRests { id } } else { Barred::MustRefuel { id } });
        }
        let own = &table.carriers[side];
        if dummy && id.is_recce() {
            return Err(Barred::ScoutDummy);
        }
        if dummy && !own.undetected() {
            return Err(Barred::NoDummiesInSight);
        }
        if !self.in_sea_room(at) {
            return Err(Barred::PointOutside);
        }
        let limit = self.rules.ranges.launch;
        let distance = if dummy {
            self.to_either_card(table, side, at)
        } else {
            own.real_card().map(|card| self.rules.geometry.to_card(at, card))
        };
        match distance {
            Some(distance) if distance <= limit * LENGTH => Ok(()),
            other => Err(Barred::LaunchTooFar { distance: lengths(other.unwrap_or(0)), most: limit }),
        }
    }

    /// The distance of a point to the nearest card of a side.
    pub(super) fn to_either_card(&self, table: &Table, side: Side, at: Point) -> Option<i64> {
        table.carriers[side].on_table().map(|(_, card)| self.rules.geometry.to_card(at, card)).min()
    }

    /// The distance that counts when a die lands.
    pub(super) fn landing_distance(&self, table: &Table, id: SquadronId) -> Option<i64> {
        if table[id].is_dummy() {
            self.to_either_card(table, id.side(), table[id].pos)
        } else {
            table.to_home(&self.rules, id)
        }
    }

    pub(super) fn can_land(&self, table: &Table, id: SquadronId) -> bool {
        self.landing_distance(table, id).is_some_and(|distance| distance <= self.rules.ranges.land * LENGTH)
    }

    pub(super) fn room_for(&self, table: &Table, id: SquadronId) -> u8 {
        let room = self.rules.carrier.room(table.carriers[id.side()].hits);
        let load = table.load(id.side());
        if id.is_recce() {
            room.recce_squadrons.saturating_sub(load.1)
        } else {
            room.combat_aircraft.saturating_sub(load.0)
        }
    }

    pub(super) fn may_land(&self, table: &Table, side: Side, id: SquadronId) -> Legal {
        self.fresh_die(table, side, id)?;
        let most = self.rules.ranges.land;
        let distance = self.landing_distance(table, id).ok_or(Barred::NowhereToLand)?;
        if distance > most * LENGTH {
            let distance = lengths(distance);
            let last_fuel = table[id].rl <= 1;
            return Err(if last_fuel {
                Barred::FlyHomeInstead { distance, most }
            } else {
                Barred::LandTooFar { distance, most }
            });
        }
        if !table[id].is_dummy() && table[id].rl > 1 && self.room_for(table, id) == 0 {
            return Err(Barred::NoRoom);
        }
        Ok(())
    }

    pub(super) fn may_refuel(&self, table: &Table, side: Side, id: SquadronId) -> Legal {
        self.own_aboard(table, side, id)?;
        if id.is_recce() {
            return Err(Barred::ScoutsRefuel);
        }
        if table[id].deck != Deck::Landed {
            return Err(Barred::IsRefuelled { id });
        }
        Ok(())
    }

    pub(super) fn may_re_arm(&self, table: &Table, side: Side, id: SquadronId, role: Role) -> Legal {
        self.own_aboard(table, side, id)?;
        if id.is_recce() || role == Role::Recce {
            return Err(Barred::ScoutsUnarmed);
        }
        if role == Role::Fighter && self.kamikaze.has(id) {
            return Err(Barred::KamikazeFighters);
        }
        if table[id].deck == Deck::Landed {
            return Err(Barred::MustRefuelToArm { id });
        }
        Ok(())
    }

    pub(super) fn may_disengage(&self, table: &Table, side: Side, aboard: &[SquadronId]) -> Legal {
        let own = &table.carriers[side];
        if !self.scenario.sheet(side).may_disengage {
            return Err(Barred::BoundToStation);
        }
        if own.form != Form::Hidden || own.slipped_turn == 0 {
            return Err(Barred::NotSlippedAway);
        }
        if own.slipped_turn == table.turn {
            return Err(Barred::LeaveLater);
        }
        if own.real_card().is_some_and(|card| self.watched_card(table, side, card)) {
            return Err(Barred::Watched);
        }
        for id in aboard {
            self.own_die(table, side, *id)?;
            if !self.can_land(table, *id) {
                return Err(Barred::TooFarToBoard { id: *id });
            }
        }
        Ok(())
    }
}
