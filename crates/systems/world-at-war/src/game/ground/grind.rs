//! The attrition phase: the roll, counters, hexes, retreats, advances. [4.2, step 5; C-19]

use super::GroundGame;
use super::choices::{Advance, Counters, NextHex, Retreats, Take};
use super::map::{HexAt, UnitAt};
use super::set::Set;
use super::state::{GroundState, Phase, Struggle, StruggleStage};
use crate::attrition::{Front, Trained};
use crate::messages::counted;
use crate::nation::majority;
use crate::retreat::{Retreat, RetreatHex, Stacking};
use crate::rule;
use flagplot_kernel::{Ask, Asked, Effect, Note};

impl GroundGame {
    /// Who is involved: supplied units next to an enemy, and the enemies next to those. [4.2]
    pub(crate) fn involved(&self, state: &GroundState) -> (Set, Set) {
        let enemies = self.occupied(state, state.active.other());
        let attackers: Vec<(UnitAt, HexAt)> = self
            .army(state, state.active)
            .filter(|(_, unit, hex)| !unit.isolated() && self.map.links(*hex).meets(&enemies))
            .map(|(at, _, hex)| (at, hex))
            .collect();
        let near = attackers.iter().fold(Set::default(), |near, (_, hex)| near.or(self.map.links(*hex)));
        let defenders = self.army(state, state.active.other()).filter(|(_, _, hex)| near.contains(*hex));
        (attackers.iter().map(|(at, _)| *at).collect(), defenders.map(|(at, ..)| at).collect())
    }

    /// The attrition as the chart wants it. [14.41, R-42, R-48]
    pub(crate) fn front(&self, state: &GroundState, attackers: &Set, defenders: &Set) -> Front {
        let trained = |units: &Set| -> Vec<Trained> {
            let infos = units.iter().map(|unit| self.info(unit));
            infos.map(|info| Trained { factors: u32::from(info.factors), ctl: info.ctl }).collect()
        };
        let winter = |units: &Set| {
            let units: Vec<(i32, u32)> =
                units.iter().map(|unit| self.info(unit)).map(|info| (info.winter, u32::from(info.factors))).collect();
            majority(units.iter().copied())
        };
        Front {
            attackers: trained(attackers),
            defenders: trained(defenders),
            winter: self.scenario.winter_turns.contains(&u32::from(state.turn)),
            attacker_winter_preparation: winter(attackers),
            defender_winter_preparation: winter(defenders),
            board: self.scenario.board,
        }
    }

    pub(super) fn start_attrition(&self, state: &GroundState) -> Phase {
        let (attackers, defenders) = self.involved(state);
        if attackers.is_empty() {
            return Phase::Supply;
        }
        Phase::Attrition(Struggle { attackers, defenders, hexes: 0, next: StruggleStage::Roll })
    }

    /// The attackers that could advance into a hex. [4.2]
    pub(crate) fn advancers(&self, state: &GroundState, struggle: &Struggle, hex: HexAt) -> Vec<UnitAt> {
        let near = |unit: &UnitAt| state.unit(*unit).hex.is_some_and(|from| self.map.links(from).contains(hex));
        struggle.attackers.iter().filter(near).collect()
    }

    /// Enemy-controlled hexes next to an attacker that can still advance; a fortress is among them.
    pub(crate) fn within_grasp(&self, state: &GroundState, struggle: &Struggle) -> Set {
        let places = struggle.attackers.iter().filter_map(|unit| state.unit(unit).hex);
        let near = places.fold(Set::default(), |near, hex| near.or(self.map.links(hex)));
        near.iter().filter(|hex| state.controls(state.active.other(), *hex)).collect()
    }

    pub(crate) fn is_fortress(&self, hex: HexAt) -> bool {
        self.map.fortification[usize::from(hex)] >= 2
    }

    pub(super) fn attrition_step(&self, state: &mut GroundState, mut now: Struggle, ask: &mut impl Ask) -> Asked<()> {
        match now.next {
            StruggleStage::Roll => {
                let front = self.front(state, &now.attackers, &now.defenders);
                ask.note(|| {
                    let text = format!(
                        "Attrition: {} against {}.",
                        counted(now.attackers.len(), "unit"),
                        counted(now.defenders.len(), "unit")
                    );
                    Note::new("attrition-front", text).by(&[rule::GROUND_TURN, rule::C_19])
                });
                let result = front.attrition(&self.rules.charts, ask)?;
                now.hexes = result.hexes.min(255) as u8;
                if result.counters >= now.defenders.len() {
                    self.lose_counters(state, now.defenders, ask);
                    now.defenders = Set::default();
                    now.next = StruggleStage::Hex;
                } else if result.counters > 0 {
                    now.next = StruggleStage::Counters(result.counters as u8);
                } else {
                    now.next = StruggleStage::Hex;
                }
                state.phase = Phase::Attrition(now);
            }
            StruggleStage::Counters(count) => {
                let chosen = ask.decide(&Counters { game: self, state, among: now.defenders, count })?;
                self.lose_counters(state, chosen.iter().filter_map(|id| self.find(id)).collect(), ask);
                now.next = StruggleStage::Hex;
                state.phase = Phase::Attrition(now);
            }
            StruggleStage::Hex => {
                let open = |hex: &HexAt| !self.is_fortress(*hex);
                let some = now.hexes > 0 && self.within_grasp(state, &now).iter().any(|hex| open(&hex));
                let take = if some { ask.decide(&NextHex { game: self, state, struggle: &now })? } else { Take::Stop };
                state.phase = match take {
                    Take::Hex(id) => {
                        let hex = self.map.place(id).unwrap_or(0);
                        ask.note(|| {
                            let text = format!("{} must be given up.", self.map.name(hex));
                            Note::new("hex", text).by(&[rule::C_19]).pieces([id.key()])
                        });
                        now.hexes -= 1;
                        Phase::Attrition(Struggle { next: StruggleStage::Retreat(hex), ..now })
                    }
                    Take::Stop => Phase::Supply,
                };
            }
            StruggleStage::Retreat(hex) => self.retreat_step(state, now, hex, ask)?,
            StruggleStage::Advance(hex) => {
                let units = self.advancers(state, &now, hex);
                let advance = Advance { game: self, state, hex, units: &units, least: 1 };
                let chosen = match units.as_slice() {
                    [only] => vec![self.info(*only).id.clone()],
                    _ => ask.decide(&advance)?,
                };
                let chosen: Set = chosen.iter().filter_map(|id| self.find(id)).collect();
                self.advance(state, chosen, hex, ask);
                now.attackers = now.attackers.without(&chosen);
                now.next = StruggleStage::Hex;
                state.phase = Phase::Attrition(now);
            }
        }
        Ok(())
    }

    fn lose_counters(&self, state: &mut GroundState, units: Set, ask: &mut impl Ask) {
        self.eliminate(state, units);
        ask.note(|| {
            let text = format!("Attrition eliminates {}.", self.names(units.iter()));
            let ids = units.iter().map(|unit| self.info(unit).id.as_str());
            Note::new("counters", text).by(&[rule::C_19, rule::C_31]).pieces(ids).effect(Effect::Lost)
        });
    }

    /// Where a unit may retreat to: the neighbours with the least evil. [14.73]
    pub(crate) fn retreat(&self, state: &GroundState, unit: UnitAt) -> (Retreat, Vec<HexAt>) {
        let looks = self.retreat_hexes(state, unit);
        (Retreat::new(&looks, Stacking { limit: self.stacking(), retreating: 1 }), self.neighbours(state, unit))
    }

    fn neighbours(&self, state: &GroundState, unit: UnitAt) -> Vec<HexAt> {
        state.unit(unit).hex.map_or_else(Vec::new, |from| self.map.links(from).iter().collect())
    }

    /// The neighbours of a unit as the retreat priority looks at them.
    pub(crate) fn retreat_hexes(&self, state: &GroundState, unit: UnitAt) -> Vec<RetreatHex> {
        let side = self.info(unit).side;
        let zones = self.zones(state, side.other());
        let look = |hex: HexAt| {
            let count = |of| self.stack(state, hex).filter(|other| self.info(*other).side == of).count() as u32;
            RetreatHex {
                friendly_units: count(side),
                enemy_units: count(side.other()),
                enemy_zoc: zones.contains(hex),
                enemy_controlled: state.controls(side.other(), hex),
                passable: true,
            }
        };
        self.neighbours(state, unit).into_iter().map(look).collect()
    }

    fn retreat_step(&self, state: &mut GroundState, now: Struggle, hex: HexAt, ask: &mut impl Ask) -> Asked<()> {
        let units: Vec<UnitAt> = self.stack(state, hex).collect();
        if units.is_empty() {
            state.phase = Phase::Attrition(Struggle { next: StruggleStage::Advance(hex), ..now });
            return Ok(());
        }
        let choice = Retreats::new(self, state, &units);
        let (unit, to) = match choice.only() {
            Some(only) => only,
            None => {
                let chosen = ask.decide(&choice)?;
                (self.find(&chosen.unit).unwrap_or(units[0]), chosen.to.and_then(|to| self.map.place(to)))
            }
        };
        if ask.listening() {
            let (retreat, near) = self.retreat(state, unit);
            retreat.note(near.len(), ask);
        }
        match to {
            Some(to) => {
                state.unit_mut(unit).hex = Some(to);
                state.take(self.info(unit).side, to);
            }
            None => self.eliminate(state, [unit].into_iter().collect()),
        }
        ask.note(|| {
            let name = &self.info(unit).name;
            let text = match to {
                Some(to) => format!("{name} retreats from {} to {}.", self.map.name(hex), self.map.name(to)),
                None => format!("{name} has nowhere to go and is eliminated."),
            };
            Note::new("retreats", text).by(&[rule::RETREAT_PRIORITY, rule::C_19]).pieces([&self.info(unit).id])
        });
        Ok(())
    }
}
