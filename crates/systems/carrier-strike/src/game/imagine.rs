//! Worlds a viewer cannot tell from the true one, drawn from his beliefs.

use super::CarrierGame;
use super::flight::Purpose;
use super::piece::{SquadronId, Squads};
use super::process::Underway;
use super::search::Planned;
use super::setup_choices::{Arming, SetupCards};
use super::state::{Class, Deck, Form, Phase, State, Table, Where};
use super::view::View;
use super::walking::Walk;
use crate::walk::{Course, Waypoints};
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Chance, Choice, Seat, Side};

/// One in so many undetected dice is taken for a dummy.
pub(super) const DUMMY_ONE_IN: u32 = 5;

impl CarrierGame {
    pub(super) fn imagine_from(&self, view: &View, chance: &mut Chance) -> State {
        let mut state = view.seen.clone();
        for side in Side::BOTH {
            if !view.viewer.sees(Seat::from(side)) {
                self.imagine_side(&mut state, side, chance);
            }
        }
        state
    }

    fn imagine_side(&self, state: &mut State, side: Side, chance: &mut Chance) {
        self.imagine_cards(state, side, chance);
        self.imagine_dice(state, side, chance);
        self.imagine_roles(state, side, chance);
        self.imagine_deck(state, side, chance);
        if state.phasing == side {
            self.imagine_path(state, chance);
        }
    }

    /// The real card: any that may be. In set-up, cards laid somewhere.
    fn imagine_cards(&self, state: &mut State, side: Side, chance: &mut Chance) {
        if let Phase::Cards(laying) = state.phase {
            if side < laying {
                let choice = SetupCards { game: self, side };
                let laid = if chance.below(2) == 0 { choice.instinct(chance) } else { choice.sample(chance) };
                self.place_cards(state, side, laid);
            }
            return;
        }
        let believable = self.believable(state, side);
        let carrier = &mut state.carriers[side];
        if carrier.form == Form::Hidden {
            let open: Vec<u8> =
                (0..2).filter(|at| believable & (1 << at) != 0 && carrier.cards[usize::from(*at)].is_some()).collect();
            carrier.real = chance.pick(&open).copied().or(Some(0));
        }
    }

    /// Dice that may be dummies are so one time in five, and always if no real card can have launched them.
    fn imagine_dice(&self, state: &mut State, side: Side, chance: &mut Chance) {
        let real = state.carriers[side].real.map_or(0, |at| 1u8 << at);
        let hidden = state.carriers[side].form == Form::Hidden;
        for id in SquadronId::of(side).filter(|id| state[*id].up()).collect::<Vec<_>>() {
            if state[id].dummy.is_none() {
                let cannot = hidden && state[id].tied_to & real == 0;
                let dummy = cannot || chance.below(DUMMY_ONE_IN) == 0;
                state[id].dummy = Some(dummy);
            }
            state[id].strength = self.imagine_strength(state, id, chance).max(1);
        }
    }

    /// The strength last seen, less what may have been lost with nobody looking.
    fn imagine_strength(&self, state: &State, id: SquadronId, chance: &mut Chance) -> u8 {
        let squadron = &state[id];
        let (least, most) = squadron.unseen.losses(squadron.real());
        let (low, high) = (squadron.last_seen.saturating_sub(most), squadron.last_seen.saturating_sub(least));
        if low == high {
            return high;
        }
        // Nothing lost is as likely as everything in between.
        if chance.below(2) == 0 { high } else { low + chance.below(u32::from(high - low) + 1) as u8 }
    }

    fn imagine_roles(&self, state: &mut State, side: Side, chance: &mut Chance) {
        let flying: Vec<SquadronId> = SquadronId::of(side).filter(|id| state[*id].real() && !id.is_recce()).collect();
        for id in &flying {
            if state[*id].role.is_some() {
                continue;
            }
            let reported = state[*id].report.map(|report| report.class);
            let role = match reported {
                _ if self.kamikaze.has(*id) => Role::Strike,
                Some(Class::Fighters) => Role::Fighter,
                Some(Class::Strike) => Role::Strike,
                _ if chance.below(2) == 0 => Role::Fighter,
                _ => Role::Strike,
            };
            state[*id].role = Some(role);
        }
        // A mixture holds both, as long as all it was given for are there.
        for id in &flying {
            let Some(report) = state[*id].report.filter(|report| report.class == Class::Mixture) else { continue };
            let given: Vec<SquadronId> = report.given_for.iter().filter(|id| !id.is_recce()).collect();
            if !given.iter().all(|id| state[*id].real() && state[*id].report == Some(report)) {
                continue;
            }
            for missing in [Role::Fighter, Role::Strike] {
                if given.iter().all(|id| state[*id].role != Some(missing)) {
                    let open: Vec<SquadronId> = given
                        .iter()
                        .copied()
                        .filter(|id| state[*id].shown_role.is_none() && !self.kamikaze.has(*id))
                        .collect();
                    if let Some(id) = chance.pick(&open) {
                        state[*id].role = Some(missing);
                    }
                }
            }
        }
        // A strike needs at least one striker.
        let flight = if let Phase::Action(underway) = &state.phase { underway.flight() } else { None };
        let striking = flight.filter(|flight| state.phasing == side && flight.purpose == Purpose::Strike);
        let group = striking.map_or(Squads::NONE, |flight| state.in_the_air(flight.group));
        if striking.is_some() && group.iter().all(|id| state[id].role != Some(Role::Strike)) {
            let open: Vec<SquadronId> = group
                .iter()
                .filter(|id| state[*id].shown_role.is_none() && state[*id].real() && !id.is_recce())
                .collect();
            if let Some(id) = chance.pick(&open) {
                state[*id].role = Some(Role::Strike);
            }
        }
        for id in SquadronId::of(side).filter(|id| state[*id].up()).collect::<Vec<_>>() {
            if state[id].ordnance.is_none() {
                state[id].ordnance = Some(state[id].real() && state[id].role == Some(Role::Strike));
            }
        }
    }

    /// Squadrons off the table, and those a dummy flies for: their state can be reached with the deck work counted.
    fn imagine_deck(&self, state: &mut State, side: Side, chance: &mut Chance) {
        let armed_yet = match state.phase {
            Phase::Cards(_) => false,
            Phase::Roles(arming) => side < arming,
            _ => true,
        };
        let mut operations = state.deck_operations[side];
        let mut order: Vec<SquadronId> = SquadronId::of(side).collect();
        chance.shuffle(&mut order);
        for id in order {
            let squadron = state[id];
            match squadron.place {
                Where::OffTable => {
                    let (least, most) = squadron.unseen.losses(false);
                    let gone = squadron.last_seen <= least
                        || (squadron.may_be_lost && squadron.last_seen <= most && chance.below(3) == 0);
                    let strength = if gone { 0 } else { self.imagine_strength(state, id, chance).max(1) };
                    let squadron = &mut state[id];
                    squadron.place = if gone { Where::LostUnseen } else { Where::Aboard };
                    squadron.strength = strength;
                    squadron.dummy = Some(false);
                    squadron.ordnance = Some(false);
                    let turn = state.turn;
                    let (deck, acted) = self.imagine_state(state, id, armed_yet, &mut operations, chance);
                    state[id].deck = deck;
                    state[id].acted = acted
                        || (state[id].left_turn == turn && !matches!(state.phase, Phase::Cards(_) | Phase::Roles(_)));
                }
                Where::Deployed if squadron.dummy == Some(true) => {
                    state[id].deck = self.imagine_ready(id, side, chance);
                }
                Where::Deployed => state[id].deck = Deck::Refuelled,
                Where::Absent | Where::Lost | Where::Aboard | Where::LostUnseen => {
                    let gone = &mut state[id];
                    (gone.deck, gone.dummy, gone.ordnance) = (Deck::Refuelled, Some(false), Some(false));
                }
            }
        }
        self.imagine_room(state, side, chance);
    }

    fn imagine_ready(&self, id: SquadronId, side: Side, chance: &mut Chance) -> Deck {
        let mut arming = vec![Arming::Strike, Arming::Strike];
        if !self.kamikaze.has(id) {
            arming.extend([Arming::Fighter, Arming::Fighter]);
        }
        if !self.scenario.sheet(side).must_be_armed {
            arming.push(Arming::Refuelled);
        }
        chance.pick(&arming).map_or(Deck::Strike, |arming| arming.deck())
    }

    fn imagine_state(
        &self,
        state: &State,
        id: SquadronId,
        armed_yet: bool,
        operations: &mut [u8; 12],
        chance: &mut Chance,
    ) -> (Deck, bool) {
        let squadron = &state[id];
        if id.is_recce() {
            let rested = squadron.left_turn == 0 || squadron.left_turn + 1 < state.turn;
            return (if rested { Deck::Refuelled } else { Deck::Landed }, false);
        }
        if squadron.left_turn == 0 || squadron.known_ready {
            return (if armed_yet { self.imagine_ready(id, id.side(), chance) } else { Deck::Refuelled }, false);
        }
        let mut deck = Deck::Landed;
        let mut acted = false;
        for turn in squadron.left_turn + 1..=state.turn.min(12) {
            let left = &mut operations[usize::from(turn) - 1];
            if *left == 0 || chance.below(4) == 0 {
                continue;
            }
            deck = match deck {
                Deck::Landed => Deck::Refuelled,
                Deck::Refuelled if self.kamikaze.has(id) || chance.below(2) == 0 => Deck::Strike,
                Deck::Refuelled => Deck::Fighter,
                _ => break,
            };
            *left -= 1;
            acted = turn == state.turn;
        }
        (deck, acted)
    }

    /// A crippled group holds no more than it has room for.
    fn imagine_room(&self, state: &mut State, side: Side, chance: &mut Chance) {
        if state.carriers[side].must_shed || !state.carriers[side].in_play() {
            return;
        }
        let (mut aircraft, scouts) = self.excess(state, side);
        let aboard: Squads = SquadronId::of(side).filter(|id| state[*id].aboard()).collect();
        let mut order: Vec<SquadronId> = aboard.iter().filter(|id| !id.is_recce()).collect();
        chance.shuffle(&mut order);
        // Some from each, or all from one after the other.
        let together = chance.below(2) == 0;
        while aircraft > 0 {
            // A dummy's squadron is aboard, so it has not lost everything.
            let least = |id: SquadronId| u8::from(state[id].up());
            let Some(at) = order.iter().position(|id| state[*id].strength > least(*id)) else { break };
            let id = order[at];
            let taken = if together { aircraft } else { 1 }.min(state[id].strength - least(id));
            state[id].strength -= taken;
            aircraft -= taken;
            if state[id].strength == 0 && state[id].place == Where::Aboard {
                state[id].place = Where::LostUnseen;
            }
            if !together {
                order.rotate_left(at + 1);
            }
        }
        let mut idle: Vec<SquadronId> = aboard.iter().filter(|id| id.is_recce()).collect();
        chance.shuffle(&mut idle);
        for id in idle.into_iter().take(usize::from(scouts)) {
            state[id].place = Where::LostUnseen;
            state[id].strength = 0;
        }
    }

    /// A path not yet flown: any legal one from where the lead is. A strike goes to the card, a flight home goes home.
    fn imagine_path(&self, state: &mut State, chance: &mut Chance) {
        let State { table, phase: Phase::Action(underway) } = state else { return };
        let Some(flight) = underway.flight_mut() else { return };
        let Some(walk) = flight.walk.filter(|walk| walk.course.path.points().is_empty()) else { return };
        let movers: Vec<SquadronId> = table.in_the_air(walk.movers).iter().collect();
        let lead = walk.course.lead;
        let left = flight.allowance - flight.flown;
        let path = match (flight.purpose, movers.first()) {
            (Purpose::Home(home), _) => Waypoints::to(home),
            (_, None) => Waypoints::default(),
            (Purpose::Strike, Some(first)) => {
                let end = self
                    .strike_target(table, table.phasing)
                    .map(|card| lead + (self.straight_to_card(table, &movers, card) - table[*first].pos));
                end.map_or_else(Waypoints::default, |end| {
                    self.detour(lead, end, left, chance).unwrap_or_else(|| Waypoints::to(end))
                })
            }
            // It may be at its end already.
            (_, Some(first)) if left > 0 && chance.below(6) > 0 => {
                let from = table[*first].pos;
                let way = |chance: &mut Chance, most| {
                    self.sample_point(table, &movers, most, chance).map(|end| lead + (end - from))
                };
                let path = if chance.below(3) == 0 {
                    way(chance, left / 2).and_then(|end| self.detour(lead, end, left, chance))
                } else {
                    way(chance, left).map(Waypoints::to)
                };
                path.unwrap_or_default()
            }
            _ => Waypoints::default(),
        };
        let legal = !flight.meets_forbidden(self, table, &movers, &path);
        let mut course = Course::new(lead, if legal { path } else { Waypoints::default() });
        course.flown = walk.course.flown;
        flight.walk = Some(Walk { course, ..walk });
        if let Underway::Move(moving) = underway {
            moving.search = self.imagine_plan(table, &movers, chance);
        }
    }

    /// A path with one or two corners that is not too long, if one is found.
    fn detour(&self, from: Point, to: Point, most: i64, chance: &mut Chance) -> Option<Waypoints> {
        let corners = 1 + chance.below(2);
        let spare = most - from.ceil_dist(to);
        if spare <= 2 {
            return None;
        }
        let points: Vec<Point> = (1..=i64::from(corners))
            .map(|n| {
                let aside = (spare / 4).max(1);
                let shift = Point::new(
                    i64::from(chance.below(2 * aside as u32 + 1)) - aside,
                    i64::from(chance.below(2 * aside as u32 + 1)) - aside,
                );
                from + (to - from).scale(n, i64::from(corners) + 1) + shift
            })
            .chain([to])
            .collect();
        let path = Waypoints::from(points);
        (path.length(from) <= most && path.points().iter().all(|point| self.in_sea_room(*point))).then_some(path)
    }

    /// A search planned for the end of a move, now and then.
    fn imagine_plan(&self, table: &Table, movers: &[SquadronId], chance: &mut Chance) -> Option<Planned> {
        if movers.iter().any(|id| table[*id].detect_used) || chance.below(3) > 0 {
            return None;
        }
        let able: Vec<SquadronId> = movers.iter().copied().filter(|id| table[*id].real()).collect();
        Some(Planned { by: Some(*chance.pick(&able)?), target: None })
    }
}
