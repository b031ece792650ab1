//! What a sensible player does without thinking ahead: find, fly together, strike, come home.
//!
//! Only the acting side's own pieces and public facts are looked at.

use super::CarrierGame;
use super::action::{Action, Evasion};
use super::piece::{Order, PieceId, SquadronId, Squads};
use super::state::{Class, Deck, Form, Table, Where};
use crate::fuel::reach_home;
use crate::geometry::{LENGTH, clip, short_of};
use crate::victory::Level;
use crate::walk::Waypoints;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Chance, Side};

impl CarrierGame {
    pub(super) fn instinct_action(&self, table: &Table, side: Side, chance: &mut Chance) -> Action {
        type Wish = fn(&CarrierGame, &Table, Side, &mut Chance) -> Option<Action>;
        let wishes: [Wish; 9] = [
            Self::leave_as_victor,
            Self::strike_now,
            Self::bring_home,
            Self::attack_bombers,
            Self::search_now,
            Self::launch_next,
            Self::fly_errand,
            Self::slip_or_steam,
            Self::work_deck,
        ];
        for wish in wishes {
            if let Some(action) = wish(self, table, side, chance)
                && self.legal(table, side, &action).is_ok()
            {
                return action;
            }
        }
        if self.may_pass(table, side).is_ok() { Action::Pass } else { self.sample_action(table, side, chance) }
    }

    /// Who is ahead slips out of the battle.
    fn leave_as_victor(&self, table: &Table, side: Side, _: &mut Chance) -> Option<Action> {
        let sides = self.position(table, false).sides;
        let ahead = match self.scenario.victory {
            crate::scenario::VictoryLines::FirstStrike => {
                self.scenario.victory.level(side, &sides, self.scenario.bid) > Level::None
            }
            crate::scenario::VictoryLines::PullBackTheHorns => side == Side::First && sides.second.cv_hits >= 1,
            _ => false,
        };
        let busy = table.up(side).iter().any(|id| table[id].ordnance == Some(true));
        (ahead && !busy).then_some(Action::Disengage { aboard: Vec::new() })
    }

    fn strike_now(&self, table: &Table, side: Side, _: &mut Chance) -> Option<Action> {
        self.strike_target(table, side)?;
        let loaded = table.pick(side, |squadron| {
            squadron.real() && squadron.ordnance == Some(true) && !squadron.acted && squadron.rl > 1
        });
        loaded.iter().find_map(|id| {
            let group: Squads =
                self.fit_group(table, id).iter().filter(|member| table[*member].real() && !member.is_recce()).collect();
            self.strike_with(table, side, table.component(&self.rules.geometry, Squads::one(id), group))
        })
    }

    fn bring_home(&self, table: &Table, side: Side, _: &mut Chance) -> Option<Action> {
        let id = table.up(side).iter().find(|id| table[*id].rl <= 1 && !table[*id].acted)?;
        let carrier = &table.carriers[side];
        let nearest = carrier.on_table().min_by_key(|(_, card)| card.dist2(table[id].pos));
        let two = table[id].is_dummy() && carrier.on_table().count() == 2;
        Some(Action::FlyHome { squadron: id, card: nearest.filter(|_| two).map(|(at, _)| carrier.card_id(side, at)) })
    }

    /// Fighters go for bombers and scouts that have been reported.
    fn attack_bombers(&self, table: &Table, side: Side, _: &mut Chance) -> Option<Action> {
        let prey = |id: SquadronId| {
            let squadron = &table[id];
            squadron.detected
                && (id.is_recce()
                    || squadron.shown_role == Some(Role::Strike)
                    || squadron.report.is_some_and(|report| matches!(report.class, Class::Strike | Class::Mixture)))
        };
        let fighters = table.pick(side, |squadron| {
            squadron.real() && squadron.role == Some(Role::Fighter) && !squadron.acted && squadron.rl > 2
        });
        for id in fighters.iter() {
            // Escorts stay with their bombers.
            if self.fit_group(table, id).iter().any(|member| table[member].ordnance == Some(true)) {
                continue;
            }
            for enemy in table.up(side.other()).iter().filter(|enemy| prey(*enemy)) {
                if table.within(&self.rules.geometry, Squads::one(id), Squads::one(enemy), self.rules.ranges.dogfight) {
                    return Some(Action::Dogfight {
                        squadrons: std::iter::once(id).collect(),
                        target: enemy,
                        detect: None,
                    });
                }
            }
        }
        None
    }

    /// Every search in reach of an enemy card, scouts first.
    fn search_now(&self, table: &Table, side: Side, _: &mut Chance) -> Option<Action> {
        let enemy = side.other();
        let carrier = &table.carriers[enemy];
        if !carrier.undetected() {
            return None;
        }
        let lookers = table.pick(side, |squadron| squadron.real() && !squadron.detect_used);
        let mut order: Vec<SquadronId> = lookers.iter().collect();
        order.sort_by_key(|id| !id.is_recce());
        order.into_iter().find_map(|id| {
            let seen = carrier
                .on_table()
                .filter(|(at, _)| carrier.may_be_real & (1 << at) != 0)
                .map(|(at, _)| PieceId::Card(carrier.card_id(enemy, at)));
            let mut targets =
                seen.filter(|target| self.may_detect(table, side, PieceId::Squadron(id), *target).is_ok());
            targets.next().map(|target| Action::Detect { by: PieceId::Squadron(id), target })
        })
    }

    /// The enemy card a squadron makes for: the open one, or one of those that may be real.
    fn quarry(&self, table: &Table, side: Side, which: usize) -> Option<Point> {
        let carrier = &table.carriers[side.other()];
        let cards: Vec<Point> = carrier
            .on_table()
            .filter(|(at, _)| carrier.form == Form::Revealed || carrier.may_be_real & (1 << at) != 0)
            .map(|(_, card)| card)
            .collect();
        if cards.is_empty() { None } else { Some(cards[which % cards.len()]) }
    }

    /// Whether a squadron can still come home after flying to a point. [Running out of fuel]
    fn fuel_allows(&self, table: &Table, id: SquadronId, to: Point) -> bool {
        let Some(home) = table.carriers[id.side()].real_card() else { return true };
        let rl = table[id].rl;
        // A loaded strike counts on its carriers coming to meet it.
        let met_half_way = if table[id].ordnance == Some(true) && rl > 2 { i64::from(rl - 1) * LENGTH } else { 0 };
        self.rules.geometry.to_card(to, home) <= reach_home(rl) + met_half_way
    }

    /// Where a set of squadrons should fly.
    fn errand(&self, table: &Table, side: Side, squadrons: &[SquadronId], allowance: i64) -> Option<Point> {
        let lead = *squadrons.first()?;
        let from = table[lead].pos;
        let enemy = &table.carriers[side.other()];
        let geometry = &self.rules.geometry;
        // A dummy flies as bombers do, or it would be known for one.
        let loaded = squadrons.iter().any(|id| table[*id].ordnance == Some(true) || table[*id].is_dummy());
        let found = self.strike_target(table, side);
        let goal = if lead.is_recce() {
            let card = self.quarry(table, side, lead.number())?;
            let edge = geometry.nearest_of_card(from, card);
            if found.is_some() {
                (from.ceil_dist(edge) > 5000).then(|| short_of(from, edge, 3500))
            } else {
                Some(short_of(from, edge, if enemy.undetected() { 900 } else { 3500 }))
            }
        } else if loaded {
            let card = found.or_else(|| self.quarry(table, side, 0))?;
            let edge = geometry.nearest_of_card(from, card);
            // Near enough that a carrier steaming away stays in reach.
            let stand_off = if found.is_some() { 1800 } else { 4200 };
            (from.ceil_dist(edge) > stand_off).then(|| short_of(from, edge, stand_off))
        } else {
            None
        };
        let out = goal
            .map(|goal| clip(from, goal, allowance))
            .filter(|to| squadrons.iter().all(|id| self.fuel_allows(table, *id, *to)));
        if out.is_some_and(|to| to != from) {
            return out;
        }
        // Nothing to do out here, or no fuel for it: home, unless it already waits in a good place.
        let waits = squadrons.iter().all(|id| self.fuel_allows(table, *id, from) && table[*id].rl > 2)
            && (lead.is_recce() || loaded);
        let (real, home) = (table.carriers[side].real_card()?, self.haven(table, side)?);
        let at_home =
            if home == real { geometry.to_card(from, home) <= 2900 } else { from.dist2(home) <= LENGTH * LENGTH };
        if waits || at_home {
            return None;
        }
        let to = if home == real { short_of(from, geometry.nearest_of_card(from, home), 1500) } else { home };
        Some(clip(from, to, allowance)).filter(|to| *to != from)
    }

    pub(super) fn instinct_path(
        &self,
        table: &Table,
        side: Side,
        squadrons: &[SquadronId],
        allowance: i64,
        _: &mut Chance,
    ) -> Option<Point> {
        self.errand(table, side, squadrons, allowance)
            .filter(|to| squadrons.iter().all(|id| self.in_sea_room(table[*id].pos + (*to - table[squadrons[0]].pos))))
    }

    fn fly_errand(&self, table: &Table, side: Side, _: &mut Chance) -> Option<Action> {
        let fit = table.pick(side, |squadron| squadron.up() && !squadron.acted && squadron.rl > 1);
        // Scouts first, then loaded groups, then the rest.
        let mut order: Vec<SquadronId> = fit.iter().collect();
        order.sort_by_key(|id| (!id.is_recce(), table[*id].ordnance != Some(true)));
        for id in order {
            let home = self.can_land(table, id);
            let done = table[id].real() && !id.is_recce() && table[id].ordnance != Some(true);
            let group: Order = if id.is_recce() {
                std::iter::once(id).collect()
            } else {
                let others = self
                    .fit_group(table, id)
                    .iter()
                    .filter(|member| *member != id && !member.is_recce() && table[*member].real())
                    .collect::<Squads>();
                let touching = table.component(&self.rules.geometry, Squads::one(id), others.and(Squads::one(id)));
                std::iter::once(id).chain(touching.iter().filter(|member| *member != id)).collect()
            };
            let escorts = done && group.iter().any(|member| table[*member].ordnance == Some(true));
            let spent = done
                && !escorts
                && (table[id].role != Some(Role::Fighter)
                    || table[id].rl <= 3
                    || self.no_threat(table, side) && self.strike_in_time(table, side));
            if home && (spent || table[id].rl <= 2) && (table[id].is_dummy() || self.room_for(table, id) > 0) {
                return Some(Action::Land { squadron: id });
            }
            if escorts {
                continue; // It flies when its bombers do.
            }
            if let Some(to) = self.errand(table, side, &group, self.rules.speeds.squadron_move) {
                return Some(Action::Move { squadrons: group, path: Some(Waypoints::to(to)), detect: None });
            }
        }
        None
    }

    /// Whether no enemy die is near the own carriers.
    fn no_threat(&self, table: &Table, side: Side) -> bool {
        let Some(home) = table.carriers[side].real_card() else { return true };
        table.up(side.other()).iter().all(|id| {
            table[id].proved_dummy || id.is_recce() || self.rules.geometry.to_card(table[id].pos, home) > 9 * LENGTH
        })
    }

    /// Whether a strike launched now can still reach the enemy before the game ends.
    fn strike_in_time(&self, table: &Table, side: Side) -> bool {
        let left = i64::from(self.scenario.turns.saturating_sub(table.turn));
        let reach = self.rules.ranges.launch * LENGTH
            + self.rules.speeds.squadron_move * (left - 1)
            + self.rules.ranges.strike * LENGTH;
        let home = table.carriers[side].real_card();
        let near =
            |(_, card): (usize, Point)| home.is_some_and(|home| self.rules.geometry.to_card(home, card) <= reach);
        left > 0 && table.carriers[side.other()].on_table().any(near)
    }

    /// Scouts go out at once, then the strike with its escort, side by side, and fighters on patrol when it is too late
    /// for a strike. A squadron that has to wait may send a dummy.
    fn launch_next(&self, table: &Table, side: Side, chance: &mut Chance) -> Option<Action> {
        let carrier = &table.carriers[side];
        let home = self.haven(table, side)?;
        let ready =
            table.pick(side, |squadron| squadron.place == Where::Aboard && squadron.deck.ready() && !squadron.acted);
        let combat = |deck: Deck| ready.iter().find(|id| !id.is_recce() && table[*id].deck == deck);
        let in_time = self.strike_in_time(table, side);
        let strikers_out = table.up(side).iter().any(|id| table[id].ordnance == Some(true));
        let scout = ready.iter().find(|id| id.is_recce()).filter(|_| {
            table.turn < self.scenario.turns
                && (table.carriers[side.other()].undetected() || table.up(side).iter().all(|id| !id.is_recce()))
        });
        let wanted = |escort: bool| !in_time || escort && strikers_out || !self.no_threat(table, side);
        let fighter = |escort: bool| combat(Deck::Fighter).filter(|_| wanted(escort));
        let (id, dummy) = match (scout, combat(Deck::Strike).filter(|_| in_time)) {
            (Some(id), _) | (None, Some(id)) => (id, false),
            (None, None) => match fighter(combat(Deck::Strike).is_none()) {
                Some(id) => (id, false),
                None => (combat(Deck::Fighter).filter(|_| carrier.undetected() && chance.below(8) == 0)?, true),
            },
        };
        let points = self.launch_points(table, side, dummy);
        let north = if side == Side::First { 1 } else { -1 };
        let patrol = table[id].deck == Deck::Fighter && !strikers_out && !dummy;
        let mut ahead: Vec<Point> =
            points.iter().map(|(at, _)| *at).filter(|at| (at.y - home.y) * north >= LENGTH).collect();
        chance.shuffle(&mut ahead);
        // Beside whoever was launched this turn.
        let mates = table.pick(side, |squadron| squadron.up() && squadron.launched && squadron.real());
        let mates: Squads = mates.iter().filter(|mate| !mate.is_recce() && !id.is_recce()).collect();
        let beside = mates.iter().flat_map(|mate| {
            [Point::new(180, 0), Point::new(-180, 0), Point::new(0, 180), Point::new(0, -180)]
                .map(|step| table[mate].pos + step)
        });
        let taken = |at: Point| mates.iter().any(|mate| table[mate].pos == at);
        beside
            .chain(patrol.then_some(home))
            .chain(ahead)
            .chain(points.iter().map(|(at, _)| *at))
            .filter(|at| !taken(*at))
            .map(|at| Action::Launch { squadron: id, at, dummy })
            .find(|action| self.legal(table, side, action).is_ok())
    }

    /// A group that was found slips away; otherwise it steams to meet its returning aircraft, early in the game.
    fn slip_or_steam(&self, table: &Table, side: Side, chance: &mut Chance) -> Option<Action> {
        let carrier = &table.carriers[side];
        if carrier.acted || !carrier.in_play() {
            return None;
        }
        let ways = self.evasions(table, side);
        if !ways.is_empty() {
            // The pair farthest from the enemy; chance says which card is real.
            let away = |evasion: &Evasion| {
                let nearest = |card: Point| table.up(side.other()).iter().map(|id| table[id].pos.dist2(card)).min();
                nearest(evasion.real).min(nearest(evasion.decoy)).unwrap_or(0)
            };
            let most = ways.iter().map(away).max();
            let best: Vec<&Evasion> = ways.iter().filter(|way| Some(away(way)) == most).collect();
            return chance.pick(&best).map(|evasion| Action::MoveCv {
                to: None,
                detect: None,
                evade: Some((*evasion).clone()),
            });
        }
        let real = carrier.real_card()?;
        let far =
            table.carriers[side.other()].on_table().all(|(_, card)| card.dist2(real) > (9 * LENGTH) * (9 * LENGTH));
        let homing = table.up(side).iter().any(|id| table[id].real() && !id.is_recce());
        if !far || !homing || table.turn > 8 {
            return None;
        }
        let speed = self.speed(carrier.hits);
        let ahead = Point::new(0, if side == Side::First { speed } else { -speed });
        let to = carrier.on_table().map(|(at, card)| (carrier.card_id(side, at), card + ahead)).collect();
        Some(Action::MoveCv { to: Some(to), detect: None, evade: None })
    }

    fn work_deck(&self, table: &Table, side: Side, _: &mut Chance) -> Option<Action> {
        let aboard = table.pick(side, |squadron| squadron.place == Where::Aboard && !squadron.acted);
        for id in aboard.iter().filter(|id| !id.is_recce()) {
            let kamikaze = self.kamikaze.has(id);
            match table[id].deck {
                Deck::Landed => return Some(Action::Refuel { squadron: id }),
                // Too late to strike, they fly patrols.
                Deck::Strike if !kamikaze && !self.strike_in_time(table, side) => {
                    return Some(Action::ReArm { squadron: id, role: Role::Fighter });
                }
                Deck::Refuelled => {
                    let fighters = SquadronId::of(side).any(|other| {
                        table[other].deck == Deck::Fighter && table[other].aboard()
                            || table[other].role == Some(Role::Fighter)
                    });
                    let strike = kamikaze || fighters && self.strike_in_time(table, side);
                    let role = if strike { Role::Strike } else { Role::Fighter };
                    return Some(Action::ReArm { squadron: id, role });
                }
                _ => {}
            }
        }
        None
    }
}
