//! Any legal action, quickly, for playouts.

use super::CarrierGame;
use super::action::{Action, CvDetect, DetectPlan, DogfightDetect, Evasion, Rides, When};
use super::piece::{CardId, CardLabel, Order, PieceId, SquadronId, Squads};
use super::state::{Deck, Form, Table, Where};
use crate::geometry::LENGTH;
use crate::walk::Waypoints;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Chance, Side};
use std::collections::BTreeMap;

/// A vector of at most a length.
fn within(chance: &mut Chance, most: i64) -> Point {
    // Two coordinates out of one draw; what the last digits lose is far below a thousandth.
    let span = 2 * most as u64 + 1;
    for _ in 0..8 {
        let bits = chance.bits();
        let line = Point::new(
            (((bits & 0xffff_ffff) * span) >> 32) as i64 - most,
            (((bits >> 32) * span) >> 32) as i64 - most,
        );
        if line.norm2() <= most * most {
            return line;
        }
    }
    Point::default()
}

impl CarrierGame {
    /// A random end of a straight flight, if one inside the sea room is found.
    pub(super) fn sample_point(
        &self,
        table: &Table,
        squadrons: &[SquadronId],
        allowance: i64,
        chance: &mut Chance,
    ) -> Option<Point> {
        let lead = table[*squadrons.first()?].pos;
        for _ in 0..4 {
            let line = within(chance, allowance);
            if squadrons.iter().all(|id| self.in_sea_room(table[*id].pos + line)) {
                return Some(lead + line);
            }
        }
        None
    }

    /// The unmarked squadrons with fuel that a squadron can move with.
    pub(super) fn fit_group(&self, table: &Table, id: SquadronId) -> Squads {
        let fit = table.pick(id.side(), |squadron| squadron.up() && !squadron.acted && squadron.rl > 1);
        table.component(&self.rules.geometry, Squads::one(id), fit.and(Squads::one(id)))
    }

    /// Something undetected within reach of a point, if there is.
    pub(super) fn findable(&self, table: &Table, side: Side, from: Point) -> Option<PieceId> {
        let enemy = side.other();
        let limit = self.rules.ranges.detect * LENGTH;
        let carrier = &table.carriers[enemy];
        if carrier.undetected()
            && let Some((at, _)) =
                carrier.on_table().find(|(_, card)| self.rules.geometry.near_card(from, *card, limit))
        {
            return Some(PieceId::Card(carrier.card_id(enemy, at)));
        }
        let reach = limit + self.rules.geometry.die_radius;
        let near = |at: Point| {
            (at.x - from.x).abs() <= reach && (at.y - from.y).abs() <= reach && from.dist2(at) <= reach * reach
        };
        let at =
            table.of(enemy).iter().position(|squadron| squadron.up() && !squadron.detected && near(squadron.pos))?;
        Some(PieceId::Squadron(SquadronId((6 * enemy.index() + at) as u8)))
    }

    pub(super) fn go_home(&self, table: &Table, id: SquadronId, chance: &mut Chance) -> Action {
        let carrier = &table.carriers[id.side()];
        let two = table[id].is_dummy() && carrier.on_table().count() == 2;
        let card = two
            .then(|| CardId { side: id.side(), label: if chance.below(2) == 0 { CardLabel::A } else { CardLabel::B } });
        Action::FlyHome { squadron: id, card }
    }

    pub(super) fn sample_action(&self, table: &Table, side: Side, chance: &mut Chance) -> Action {
        // In a thousand, by how many pieces can still do something.
        const PASSES: [u32; 8] = [1000, 340, 100, 20, 4, 0, 0, 0];
        let carrier = &table.carriers[side];
        let afloat = carrier.in_play();
        let first = 6 * side.index();
        // Who has acted can still search, which seldom leads anywhere.
        let searching = chance.below(4) == 0;
        let mut able = u32::from(afloat && (!carrier.acted || searching && !carrier.detect_used)) << 6;
        for (at, squadron) in table.of(side).iter().enumerate() {
            let can = match squadron.place {
                Where::Deployed => !squadron.acted || searching && squadron.real() && !squadron.detect_used,
                Where::Aboard => afloat && !squadron.acted && (at < 4 || squadron.deck != Deck::Landed),
                _ => false,
            };
            able |= u32::from(can) << at;
        }
        let passing = |able: u32, chance: &mut Chance| match PASSES[able.count_ones() as usize] {
            0 => false,
            often => chance.below(1000) < often,
        };
        let mut passes = passing(able, chance);
        while able != 0 && !passes {
            let mut which = chance.below(able.count_ones());
            let mut rest = able;
            while which > 0 {
                rest &= rest - 1;
                which -= 1;
            }
            let pick = rest.trailing_zeros() as u8;
            let action = if pick < 6 {
                self.sample_squadron(table, SquadronId(first as u8 + pick), chance)
            } else {
                self.sample_carrier(table, side, chance)
            };
            if let Some(action) = action {
                return action;
            }
            able &= !(1 << pick);
            passes = passing(able, chance);
        }
        match table.up(side).iter().find(|id| table[*id].rl <= 1 && !table[*id].acted) {
            Some(id) => self.go_home(table, id, chance),
            None => Action::Pass,
        }
    }

    fn sample_squadron(&self, table: &Table, id: SquadronId, chance: &mut Chance) -> Option<Action> {
        let squadron = &table[id];
        if squadron.acted {
            if squadron.real() && !squadron.detect_used {
                let target = self.findable(table, id.side(), squadron.pos)?;
                return Some(Action::Detect { by: PieceId::Squadron(id), target });
            }
            return None;
        }
        match squadron.place {
            Where::Deployed if squadron.rl <= 1 => Some(self.go_home(table, id, chance)),
            Where::Deployed => self.sample_flight(table, id, chance),
            Where::Aboard if table.carriers[id.side()].in_play() => self.sample_deck(table, id, chance),
            _ => None,
        }
    }

    fn sample_flight(&self, table: &Table, id: SquadronId, chance: &mut Chance) -> Option<Action> {
        let side = id.side();
        let squadron = &table[id];
        let roll = chance.below(12);
        if roll == 0 && self.can_land(table, id) && (squadron.is_dummy() || self.room_for(table, id) > 0) {
            return Some(Action::Land { squadron: id });
        }
        let may_strike = squadron.real() && squadron.ordnance == Some(true) && roll < 9;
        if may_strike && self.strike_target(table, side).is_some() {
            let group = self.fit_group(table, id).kept(|member| table[member].real());
            let group = table.component(&self.rules.geometry, Squads::one(id), group.and(Squads::one(id)));
            if let Some(strike) = self.strike_with(table, side, group) {
                return Some(strike);
            }
        }
        if squadron.real() && squadron.role == Some(Role::Fighter) && roll < 9 {
            for enemy in table.up(side.other()).iter() {
                if !table.within(&self.rules.geometry, Squads::one(id), Squads::one(enemy), self.rules.ranges.dogfight)
                {
                    continue;
                }
                let group = table.group_of(&self.rules.geometry, enemy);
                if group.iter().any(|member| table[member].detected) {
                    return Some(Action::Dogfight {
                        squadrons: std::iter::once(id).collect(),
                        target: enemy,
                        detect: None,
                    });
                }
                if !squadron.detect_used {
                    return Some(Action::Dogfight {
                        squadrons: std::iter::once(id).collect(),
                        target: enemy,
                        detect: Some(DogfightDetect { by: id }),
                    });
                }
            }
        }
        let group = if chance.below(2) == 0 { Squads::one(id) } else { self.fit_group(table, id) };
        let squadrons: Order = std::iter::once(id).chain(group.without(Squads::one(id)).iter()).collect();
        if squadron.real()
            && !squadron.detect_used
            && roll.is_multiple_of(3)
            && let Some(target) = self.findable(table, side, squadron.pos)
        {
            return Some(Action::Move {
                squadrons,
                path: None,
                detect: Some(DetectPlan { when: When::Before, by: id, target: Some(target) }),
            });
        }
        let to = self.sample_point(table, &squadrons, self.rules.speeds.squadron_move, chance)?;
        let detect = if squadron.real() && !squadron.detect_used && roll % 3 == 1 {
            self.findable(table, side, to).map(|_| DetectPlan { when: When::After, by: id, target: None })
        } else {
            None
        };
        Some(Action::Move { squadrons, path: Some(Waypoints::to(to)), detect })
    }

    /// A strike straight at the enemy carrier, if a group can make one.
    pub(super) fn strike_with(&self, table: &Table, side: Side, group: Squads) -> Option<Action> {
        let card = self.strike_target(table, side)?;
        let nearest = group.iter().min_by_key(|id| self.rules.geometry.to_card_2(table[*id].pos, card))?;
        if self.rules.geometry.to_card(table[nearest].pos, card) > self.rules.ranges.strike * LENGTH {
            return None;
        }
        let squadrons: Order = group.iter().collect();
        let path = Waypoints::to(self.straight_to_card(table, &squadrons, card));
        let action = Action::Strike { squadrons, path };
        self.legal(table, side, &action).is_ok().then_some(action)
    }

    fn sample_deck(&self, table: &Table, id: SquadronId, chance: &mut Chance) -> Option<Action> {
        let side = id.side();
        let carrier = &table.carriers[side];
        match table[id].deck {
            Deck::Landed if id.is_recce() => None,
            Deck::Landed => Some(Action::Refuel { squadron: id }),
            _ if !id.is_recce() && chance.below(8) == 0 => {
                let role = if self.kamikaze.has(id) || chance.below(2) == 0 { Role::Strike } else { Role::Fighter };
                Some(Action::ReArm { squadron: id, role })
            }
            _ => {
                let reach = self.rules.ranges.launch * LENGTH;
                let real = carrier.real_card()?;
                let may_be_dummy = !id.is_recce() && carrier.undetected();
                // A launch that fits both cards points at neither; where none does, every other one is a dummy's.
                let (dummy, at) = match self.open_cards(table, side)[..] {
                    [a, b] if a.dist2(b) < 4 * reach * reach => {
                        let middle = Point::new((a.x + b.x) / 2, (a.y + b.y) / 2);
                        let spare = reach - (a.ceil_dist(b) + 1) / 2;
                        (may_be_dummy && chance.below(6) == 0, middle + within(chance, spare.max(0)))
                    }
                    [a, b] if may_be_dummy && chance.below(2) == 0 => {
                        (true, if a == real { b } else { a } + within(chance, reach))
                    }
                    _ => (false, real + within(chance, reach)),
                };
                self.in_sea_room(at).then_some(Action::Launch { squadron: id, at, dummy })
            }
        }
    }

    fn sample_carrier(&self, table: &Table, side: Side, chance: &mut Chance) -> Option<Action> {
        let carrier = &table.carriers[side];
        if carrier.form == Form::Hidden
            && carrier.slipped_turn > 0
            && chance.below(8) == 0
            && self.may_disengage(table, side, &[]).is_ok()
        {
            return Some(Action::Disengage { aboard: Vec::new() });
        }
        if !carrier.in_play() {
            return None;
        }
        if !carrier.detect_used
            && chance.below(3) == 0
            && let Some(target) = carrier.real_card().and_then(|card| self.findable(table, side, card))
        {
            if carrier.acted || chance.below(2) == 0 {
                return Some(Action::Detect { by: PieceId::Card(CardId { side, label: CardLabel::Cv }), target });
            }
            return Some(Action::MoveCv {
                to: None,
                detect: Some(CvDetect { when: When::Before, target: Some(target) }),
                evade: None,
            });
        }
        if carrier.acted {
            return None;
        }
        let speed = self.speed(carrier.hits);
        if self.can_evade(table, side).is_some() && chance.below(2) == 0 {
            let ways = self.evasions(table, side);
            if let Some(evasion) = chance.pick(&ways) {
                return Some(Action::MoveCv { to: None, detect: None, evade: Some(evasion.clone()) });
            }
        }
        let mut to = BTreeMap::new();
        for (at, card) in carrier.on_table() {
            if chance.below(4) > 0 {
                to.insert(carrier.card_id(side, at), card + within(chance, speed));
            }
        }
        let detect = if !carrier.detect_used && chance.below(4) == 0 {
            carrier
                .real_card()
                .and_then(|card| self.findable(table, side, card))
                .map(|_| CvDetect { when: When::After, target: None })
        } else {
            None
        };
        let action = Action::MoveCv { to: Some(to), detect, evade: None };
        self.legal(table, side, &action).is_ok().then_some(action)
    }

    /// Ways to slip away: opposite pairs of the eight directions, either card real.
    pub(super) fn evasions(&self, table: &Table, side: Side) -> Vec<Evasion> {
        let Some(old) = self.can_evade(table, side) else { return Vec::new() };
        let speed = self.speed(table.carriers[side].hits);
        let riders: BTreeMap<SquadronId, Rides> =
            self.riders(table, side, old).iter().map(|id| (id, Rides::Real)).collect();
        let mut all = Vec::new();
        for line in super::candidates::rose(speed) {
            let evasion = Evasion { real: old + line, decoy: old - line, riders: riders.clone() };
            let action = Action::MoveCv { to: None, detect: None, evade: Some(evasion.clone()) };
            if self.legal(table, side, &action).is_ok() {
                all.push(evasion);
            }
        }
        all
    }
}
