//! Launching, landing, deck work, the flight home, leaving the battle.

use super::CarrierGame;
use super::piece::{CardId, SquadronId, Squads};
use super::state::{ActKind, Deck, Form, Phase, State, Unseen, Where};
use crate::fuel::{Homing, ditching, noted};
use crate::geometry::LENGTH;
use crate::rule;
use crate::walk::Waypoints;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Note, Side};

impl CarrierGame {
    /// A squadron, or a dummy for it, takes off. [Launch], [Dummy squadrons]
    pub(super) fn launch(&self, state: &mut State, id: SquadronId, at: Point, dummy: bool, ask: &mut impl Ask) {
        let side = id.side();
        let carrier = state.carriers[side];
        let reach = self.book.ranges.launch * LENGTH;
        let near = carrier
            .on_table()
            .filter(|(_, card)| self.book.geometry.near_card(at, *card, reach))
            .map(|(at, _)| 1 << at)
            .sum::<u8>();
        let range = if id.is_recce() { self.book.squadron.recce_range } else { self.book.squadron.combat_range };
        let deck = state[id].deck;
        let squadron = &mut state[id];
        squadron.place = Where::Deployed;
        squadron.pos = at;
        squadron.rl = range;
        squadron.dummy = Some(dummy);
        squadron.tied_to = if carrier.form == Form::Hidden { near } else { 3 };
        squadron.acted = true;
        squadron.launched = true;
        squadron.ditched = false;
        squadron.known_ready = false;
        squadron.may_be_lost = false;
        squadron.proved_real = !carrier.undetected(); // A detected group launches no dummies.
        squadron.role = if dummy {
            None
        } else if id.is_recce() {
            Some(Role::Recce)
        } else if deck == Deck::Fighter {
            Some(Role::Fighter)
        } else {
            Some(Role::Strike) // Also when it was not armed.
        };
        squadron.ordnance = Some(!dummy && deck == Deck::Strike);
        state.act.touched.put(id);
        self.conclude(state, side);
        ask.note(|| {
            Note::new("launch", format!("{id} takes off at {}, {}.", at.x, at.y))
                .by(&[rule::LAUNCH, rule::R_10, rule::R_74])
                .pieces([id])
        });
        self.tell(side, ask, || {
            let what = if dummy {
                "It is a dummy.".to_owned()
            } else {
                format!(
                    "It flies as {}{}.",
                    state[id].role.map_or("", Role::word),
                    if state[id].role == Some(Role::Strike) && state[id].ordnance != Some(true) {
                        " without ordnance"
                    } else {
                        ""
                    }
                )
            };
            let unarmed = deck == Deck::Refuelled && !id.is_recce() && !dummy;
            Note::new("launch-role", what).detail().by(if dummy {
                &[rule::DUMMIES]
            } else if unarmed {
                &[rule::R_11]
            } else {
                &[rule::ROLES]
            })
        });
        state.phase = Phase::Housekeeping;
    }

    /// A squadron lands, as far as there is room. [Land], R-15, R-40
    pub(super) fn land(&self, state: &mut State, id: SquadronId, ask: &mut impl Ask) {
        let side = id.side();
        let reach = self.book.ranges.land * LENGTH;
        let carrier = state.carriers[side];
        if carrier.form == Form::Hidden && state[id].proved_real {
            let at = state[id].pos;
            let near = carrier
                .on_table()
                .filter(|(_, card)| self.book.geometry.near_card(at, *card, reach))
                .map(|(at, _)| 1 << at)
                .sum::<u8>();
            if carrier.may_be_real & near != 0 {
                state.carriers[side].may_be_real &= near;
            }
        }
        let crippled = carrier.hits >= self.book.carrier.crippled_at;
        if crippled {
            state[id].unseen.loses(0, Unseen::ALL); // Nobody else sees how many find room.
        }
        if state[id].is_dummy() {
            self.lift(state, id, Where::Aboard);
        } else {
            let room = self.room_for(state, id);
            let strength = state[id].strength;
            let landed = strength.min(room);
            if landed < strength {
                self.tell(side, ask, || {
                    Note::new("no-room", format!("{} of {id} find no room and ditch.", strength - landed))
                        .by(&[rule::R_15])
                });
            }
            self.lift(state, id, if landed == 0 { Where::LostUnseen } else { Where::Aboard });
            state[id].strength = landed;
            state[id].deck = Deck::Landed;
        }
        // What nobody saw is judged by what everybody saw: a dummy leaves the same doubt as a squadron.
        if crippled {
            state[id].may_be_lost = true;
        }
        state[id].acted = true;
        self.conclude(state, side);
        ask.note(|| {
            Note::new("land", format!("{id} lands.")).by(&[rule::LAND, rule::R_10, rule::R_5, rule::R_40]).pieces([id])
        });
        state.phase = Phase::Housekeeping;
    }

    /// Refuelling and arming: the other side hears of deck operations, no more.
    pub(super) fn deck_work(&self, state: &mut State, id: SquadronId, to: Deck, ask: &mut impl Ask) {
        let side = id.side();
        state[id].deck = to;
        state[id].acted = true;
        let turn = usize::from(state.turn.clamp(1, 12)) - 1;
        state.deck_operations[side][turn] += 1;
        ask.note(|| {
            Note::new("deck-operations", format!("{} carries out deck operations.", self.side_name(side)))
                .by(&[rule::R_12])
        });
        self.tell(side, ask, || {
            let (what, by) = match to {
                Deck::Fighter => ("armed as fighters", rule::RE_ARM),
                Deck::Strike => ("armed for strikes", rule::RE_ARM),
                _ => ("refuelled", rule::REFUEL),
            };
            Note::new("deck-work", format!("{id} is {what}.")).detail().by(&[by])
        });
        state.act.clear();
        state.phase = Phase::Next; // Nothing on the table has changed: there is no house to keep.
    }

    /// A squadron on its last fuel lands, flies home or is lost. [Running out of fuel]
    pub(super) fn fly_home(&self, state: &mut State, id: SquadronId, card: Option<CardId>, ask: &mut impl Ask) {
        let side = id.side();
        let carrier = state.carriers[side];
        let dummy = state[id].is_dummy();
        // A real squadron flies to its carrier, a dummy where its owner says.
        let chosen = if dummy {
            let given = card.and_then(|card| carrier.card_at(card.label));
            given.or_else(|| {
                carrier
                    .on_table()
                    .min_by_key(|(_, card)| self.book.geometry.to_card(state[id].pos, *card))
                    .map(|(at, _)| at)
            })
        } else {
            carrier.real.filter(|_| carrier.in_play()).map(usize::from)
        };
        let home = chosen.and_then(|at| carrier.cards[at]);
        let distance = home.map(|home| self.book.geometry.to_card(state[id].pos, home));
        let strength = if dummy { u8::MAX } else { state[id].strength };
        let (mut result, rules) = ditching(&self.book, strength, distance, state[id].ditched);
        if dummy && result.then != Homing::None {
            result.lost = 0;
        }
        state[id].acted = true;
        if !state[id].detected {
            state[id].may_be_lost = true;
        }
        if let (Form::Hidden, Some(at)) = (carrier.form, chosen)
            && distance.is_some_and(|distance| distance > self.book.ranges.land * LENGTH)
            && result.then == Homing::Move
        {
            state[id].tied_to = 1 << at;
            self.conclude(state, side);
        }
        if !state[id].detected {
            self.guess_ditching(state, id, result.then, chosen);
        }
        if !dummy && result.lost > 0 {
            state[id].strength -= result.lost;
            if state[id].detected {
                state[id].show_strength();
                ask.note(|| noted(&result, rules, id.name()).pieces([id]));
            } else {
                self.tell(side, ask, || noted(&result, rules, id.name()).by(&[rule::R_45]).pieces([id]));
            }
        }
        match (result.then, home) {
            (Homing::Land, Some(_)) => {
                if !dummy && self.room_for(state, id) == 0 {
                    self.tell(side, ask, || {
                        Note::new("no-room", format!("{id} finds no room and ditches.")).by(&[rule::R_15])
                    });
                }
                self.land(state, id, ask);
            }
            (Homing::Move, Some(home)) => {
                state[id].ditched = true;
                let allowance = self.book.speeds.squadron_move;
                let from = state[id].pos;
                let to = self.homeward(from, home, allowance);
                state.act.kind = ActKind::FlyHome;
                state.act.order = std::iter::once(id).collect();
                state.act.group = Squads::one(id);
                state.act.allowance = allowance;
                state.act.home = Some(to);
                ask.note(|| {
                    Note::new("flight-home", format!("{id} is on its last fuel and flies home."))
                        .by(&[rule::FUEL, rule::R_49, rule::R_73])
                        .pieces([id])
                });
                self.begin_path(state, &Waypoints::to(to), ask);
            }
            _ => {
                self.lost_at_sea(state, id, ask);
                state.phase = Phase::Housekeeping;
            }
        }
    }

    /// What everybody can tell of the losses of a die on its last fuel that is not detected: those on the way to the card it
    /// flies to, or to any card that may be its carrier if it comes off the table.
    fn guess_ditching(&self, state: &mut State, id: SquadronId, then: Homing, chosen: Option<usize>) {
        let carrier = &state.carriers[id.side()];
        let reach = self.book.ranges.land * LENGTH;
        let open = |at: usize| carrier.form == Form::Revealed || carrier.may_be_real & (1 << at) != 0;
        let mut range: Option<(u8, u8)> = None;
        for (at, card) in carrier.on_table() {
            let distance = self.book.geometry.to_card(state[id].pos, card);
            let may_be = match then {
                Homing::Move => chosen == Some(at),
                Homing::Land => open(at) && distance <= reach,
                Homing::None => false,
            };
            if !may_be {
                continue;
            }
            let (result, _) = ditching(&self.book, Unseen::ALL, Some(distance), state[id].ditched);
            range =
                Some(range.map_or((result.lost, result.lost), |(least, most)| {
                    (least.min(result.lost), most.max(result.lost))
                }));
        }
        let (least, most) = range.unwrap_or((Unseen::ALL, Unseen::ALL));
        state[id].unseen.loses(least, most);
    }

    /// Where a flight home ends: the card's centre if that is near enough, else as near to the card as it gets.
    fn homeward(&self, from: Point, home: Point, allowance: i64) -> Point {
        if from.ceil_dist(home) <= allowance {
            return home;
        }
        let edge = self.book.geometry.nearest_of_card(from, home);
        let distance = self.book.geometry.to_card(from, home);
        if distance <= allowance { edge } else { from + (edge - from).scale(allowance, distance) }
    }

    /// The carrier group leaves for good and takes friends near by aboard. [Disengage], R-57
    pub(super) fn disengage(&self, state: &mut State, first: &[SquadronId], ask: &mut impl Ask) {
        let side = state.phasing;
        let near: Squads = state.up(side).iter().filter(|id| self.can_land(state, *id)).collect();
        let named: Vec<SquadronId> = first.iter().copied().filter(|id| near.has(*id)).collect();
        let rest: Vec<SquadronId> = near.iter().filter(|id| !named.contains(id)).collect();
        for id in named.into_iter().chain(rest) {
            let fits = state[id].is_dummy() || self.room_for(state, id) > 0;
            if fits && state[id].up() {
                self.land(state, id, ask);
            }
        }
        let carrier = &mut state.carriers[side];
        carrier.form = Form::Disengaged;
        carrier.cards = [None; 2];
        carrier.real = None;
        carrier.detected = false;
        ask.note(|| {
            Note::new("disengaged", format!("{}'s carrier group leaves the battle.", self.side_name(side))).by(&[
                rule::DISENGAGE,
                rule::R_25,
                rule::R_57,
            ])
        });
        state.phase = Phase::Housekeeping;
    }

    /// Aircraft aboard above the room, as combat aircraft and scouts.
    pub(super) fn excess(&self, state: &State, side: Side) -> (u8, u8) {
        let room = self.book.carrier.room(state.carriers[side].hits);
        let load = state.load(side);
        (load.0.saturating_sub(room.combat_aircraft), load.1.saturating_sub(room.recce_squadrons))
    }
}
