//! Launching, landing, deck work, the flight home, leaving the battle.

use super::CarrierGame;
use super::flight::{Flight, Purpose};
use super::piece::{CardId, SquadronId, Squads};
use super::state::{Deck, Form, Table, Unseen, Where};
use crate::fuel::{Homing, ditching, noted};
use crate::geometry::LENGTH;
use crate::rule;
use crate::walk::Waypoints;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Note, Side};

impl CarrierGame {
    /// A squadron, or a dummy for it, takes off. [Launch], [Dummy squadrons]
    pub(super) fn launch(&self, table: &mut Table, id: SquadronId, at: Point, dummy: bool, ask: &mut impl Ask) {
        let side = id.side();
        let carrier = table.carriers[side];
        let reach = self.rules.ranges.launch * LENGTH;
        let near = carrier
            .on_table()
            .filter(|(_, card)| self.rules.geometry.near_card(at, *card, reach))
            .map(|(at, _)| 1 << at)
            .sum::<u8>();
        let range = if id.is_recce() { self.rules.squadron.recce_range } else { self.rules.squadron.combat_range };
        let deck = table[id].deck;
        let squadron = &mut table[id];
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
        table.action.moved.put(id);
        self.conclude(table, side);
        ask.note(|| {
            Note::new("launch", format!("{id} takes off."))
                .by(&[rule::LAUNCH, rule::R_10, rule::R_74])
                .pieces([id.id()])
        });
        self.tell(side, ask, || {
            let what = if dummy {
                "It is a dummy.".to_owned()
            } else {
                format!(
                    "It flies as {}{}.",
                    table[id].role.map_or("", |role| role.word()),
                    if table[id].role == Some(Role::Strike) && table[id].ordnance != Some(true) {
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
    }

    /// A squadron lands, as far as there is room. [Land], R-15, R-40
    pub(super) fn land(&self, table: &mut Table, id: SquadronId, ask: &mut impl Ask) {
        let side = id.side();
        // Whether there is room is for its owner to know.
        ask.note(|| {
            Note::new("land", format!("{id} comes in to land."))
                .by(&[rule::LAND, rule::R_10, rule::R_5, rule::R_40])
                .pieces([id.id()])
        });
        let reach = self.rules.ranges.land * LENGTH;
        let carrier = table.carriers[side];
        if carrier.form == Form::Hidden && table[id].proved_real {
            let at = table[id].pos;
            let near = carrier
                .on_table()
                .filter(|(_, card)| self.rules.geometry.near_card(at, *card, reach))
                .map(|(at, _)| 1 << at)
                .sum::<u8>();
            if carrier.may_be_real & near != 0 {
                table.carriers[side].may_be_real &= near;
            }
        }
        let crippled = carrier.hits >= self.rules.carrier.crippled_at;
        if crippled {
            table[id].unseen.loses(0, Unseen::ALL); // Nobody else sees how many find room.
        }
        if table[id].is_dummy() {
            self.lift(table, id, Where::Aboard);
        } else {
            let room = self.room_for(table, id);
            let strength = table[id].strength;
            let landed = strength.min(room);
            self.tell(side, ask, || {
                let text = match landed {
                    0 => format!("{id} finds no room and ditches."),
                    _ if landed < strength => {
                        format!("{id} finds no room for {} aircraft, which ditch.", strength - landed)
                    }
                    _ => return Note::new("landed", format!("{id} lands.")).detail().by(&[rule::LAND]),
                };
                Note::new("no-room", text).by(&[rule::R_15])
            });
            self.lift(table, id, if landed == 0 { Where::LostUnseen } else { Where::Aboard });
            table[id].strength = landed;
            table[id].deck = Deck::Landed;
        }
        // What nobody saw is judged by what everybody saw: a dummy leaves the same doubt as a squadron.
        if crippled {
            table[id].may_be_lost = true;
        }
        table[id].acted = true;
        self.conclude(table, side);
    }

    /// Refuelling and arming: the other side hears of deck operations, no more.
    pub(super) fn deck_work(&self, table: &mut Table, id: SquadronId, to: Deck, ask: &mut impl Ask) {
        let side = id.side();
        table[id].deck = to;
        table[id].acted = true;
        let turn = usize::from(table.turn.clamp(1, 12)) - 1;
        table.deck_operations[side][turn] += 1;
        ask.note(|| {
            Note::new("deck-operations", format!("{} works on its decks.", self.side_name(side))).by(&[rule::R_12])
        });
        self.tell(side, ask, || {
            let (what, by) = match to {
                Deck::Fighter => ("armed as fighters", rule::RE_ARM),
                Deck::Strike => ("armed for strikes", rule::RE_ARM),
                _ => ("refuelled", rule::REFUEL),
            };
            Note::new("deck-work", format!("{id} is {what}.")).detail().by(&[by])
        });
    }

    /// A squadron on its last fuel lands, flies home or is lost. [Running out of fuel]
    pub(super) fn fly_home(
        &self,
        table: &mut Table,
        id: SquadronId,
        card: Option<CardId>,
        ask: &mut impl Ask,
    ) -> Option<Flight> {
        let side = id.side();
        let carrier = table.carriers[side];
        let dummy = table[id].is_dummy();
        // A real squadron flies to its carrier, a dummy where its owner says.
        let chosen = if dummy {
            let given = card.and_then(|card| carrier.card_at(card.label));
            given.or_else(|| {
                carrier
                    .on_table()
                    .min_by_key(|(_, card)| self.rules.geometry.to_card(table[id].pos, *card))
                    .map(|(at, _)| at)
            })
        } else {
            carrier.real.filter(|_| carrier.in_play()).map(usize::from)
        };
        let home = chosen.and_then(|at| carrier.cards[at]);
        let distance = home.map(|home| self.rules.geometry.to_card(table[id].pos, home));
        let strength = if dummy { u8::MAX } else { table[id].strength };
        let (mut result, rules) = ditching(&self.rules, strength, distance, table[id].ditched);
        if dummy && result.then != Homing::None {
            result.lost = 0;
        }
        table[id].acted = true;
        if !table[id].detected {
            table[id].may_be_lost = true;
        }
        if let (Form::Hidden, Some(at)) = (carrier.form, chosen)
            && distance.is_some_and(|distance| distance > self.rules.ranges.land * LENGTH)
            && result.then == Homing::Move
        {
            table[id].tied_to = 1 << at;
            self.conclude(table, side);
        }
        if !table[id].detected {
            self.guess_ditching(table, id, result.then, chosen);
        }
        if !dummy && result.lost > 0 {
            table[id].strength -= result.lost;
            if table[id].detected {
                table[id].show_strength();
                ask.note(|| noted(&result, rules, &id.to_string()).pieces([id.id()]));
            } else {
                self.tell(side, ask, || noted(&result, rules, &id.to_string()).by(&[rule::R_45]).pieces([id.id()]));
            }
        }
        match (result.then, home) {
            (Homing::Land, Some(_)) => {
                self.land(table, id, ask);
                None
            }
            (Homing::Move, Some(home)) => {
                table[id].ditched = true;
                let allowance = self.rules.speeds.squadron_move;
                let from = table[id].pos;
                let to = self.homeward(from, home, allowance);
                table.action.squadrons = std::iter::once(id).collect();
                let mut flight = Flight::new(table, Purpose::Home(to), allowance);
                ask.note(|| {
                    Note::new("flight-home", format!("{id} is on its last fuel and flies home."))
                        .by(&[rule::FUEL, rule::R_49, rule::R_73])
                        .pieces([id.id()])
                });
                flight.set_out(table, &Waypoints::to(to), ask);
                Some(flight)
            }
            _ => {
                self.lost_at_sea(table, id, ask);
                None
            }
        }
    }

    /// What everybody can tell of the losses of a die on its last fuel that is not detected: those on the way to the
    /// card it flies to, or to any card that may be its carrier if it comes off the table.
    fn guess_ditching(&self, table: &mut Table, id: SquadronId, then: Homing, chosen: Option<usize>) {
        let carrier = &table.carriers[id.side()];
        let reach = self.rules.ranges.land * LENGTH;
        let open = |at: usize| carrier.form == Form::Revealed || carrier.may_be_real & (1 << at) != 0;
        let mut range: Option<(u8, u8)> = None;
        for (at, card) in carrier.on_table() {
            let distance = self.rules.geometry.to_card(table[id].pos, card);
            let may_be = match then {
                Homing::Move => chosen == Some(at),
                Homing::Land => open(at) && distance <= reach,
                Homing::None => false,
            };
            if !may_be {
                continue;
            }
            let (result, _) = ditching(&self.rules, Unseen::ALL, Some(distance), table[id].ditched);
            range =
                Some(range.map_or((result.lost, result.lost), |(least, most)| {
                    (least.min(result.lost), most.max(result.lost))
                }));
        }
        let (least, most) = range.unwrap_or((Unseen::ALL, Unseen::ALL));
        table[id].unseen.loses(least, most);
    }

    /// Where a flight home ends: the card's centre if that is near enough, else as near to the card as it gets.
    fn homeward(&self, from: Point, home: Point, allowance: i64) -> Point {
        if from.ceil_dist(home) <= allowance {
            return home;
        }
        let edge = self.rules.geometry.nearest_of_card(from, home);
        let distance = self.rules.geometry.to_card(from, home);
        if distance <= allowance { edge } else { from + (edge - from).scale(allowance, distance) }
    }

    /// The carrier group leaves for good and takes friends near by aboard. [Disengage], R-57
    pub(super) fn disengage(&self, table: &mut Table, first: &[SquadronId], ask: &mut impl Ask) {
        let side = table.phasing;
        let near: Squads = table.up(side).iter().filter(|id| self.can_land(table, *id)).collect();
        let named: Vec<SquadronId> = first.iter().copied().filter(|id| near.has(*id)).collect();
        let rest: Vec<SquadronId> = near.iter().filter(|id| !named.contains(id)).collect();
        for id in named.into_iter().chain(rest) {
            let fits = table[id].is_dummy() || self.room_for(table, id) > 0;
            if fits && table[id].up() {
                self.land(table, id, ask);
            }
        }
        let carrier = &mut table.carriers[side];
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
    }

    /// Aircraft aboard above the room, as combat aircraft and scouts.
    pub(super) fn excess(&self, table: &Table, side: Side) -> (u8, u8) {
        let room = self.rules.carrier.room(table.carriers[side].hits);
        let load = table.load(side);
        (load.0.saturating_sub(room.combat_aircraft), load.1.saturating_sub(room.recce_squadrons))
    }
}
