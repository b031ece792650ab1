//! A Base Attack in play. [base-attack, C-12]

use crate::attack::{Berth, Engagement, Order};
use crate::battle::{Fighter, Ground, Place, UnitState, Units, counter, muster, names_attacks, roll_order, settle_all};
use crate::choices::{AnotherRound, Declare, OnOrOff};
use crate::results::Taken;
use crate::rule;
use crate::rules::Rules;
use crate::scenario::tell;
use flagplot_kernel::{Ask, Asked, BySide, Flow, Note, Side};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Declaration(Side),
    Attacks(Side),
    Damage,
    Decision,
    Conclusion,
    Over,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Raid {
    pub raiders: Side,
    pub round: u8,
    pub max_rounds: u8,
    pub surprise_rounds: u8,
    pub phase: Phase,
    pub line: BySide<Vec<Fighter>>,
    pub orders: Vec<Order>,
    pub attacked: Vec<u8>,
    /// Points for flying no more than so many rounds.
    pub early_withdrawal: Option<(u8, i64)>,
}

impl Raid {
    pub fn new(
        raiders: Side,
        units: &Units,
        present: &BySide<Vec<usize>>,
        max_rounds: u8,
        surprise_rounds: u8,
    ) -> Self {
        Self {
            raiders,
            round: 1,
            max_rounds,
            surprise_rounds,
            phase: Phase::Declaration(raiders),
            line: muster(units, present),
            orders: Vec::new(),
            attacked: Vec::new(),
            early_withdrawal: None,
        }
    }

    pub fn surprised(&self) -> bool {
        self.round <= self.surprise_rounds
    }

    pub fn multiplier(&self, rules: &Rules, side: Side) -> u32 {
        if side == self.raiders && self.surprised() { u32::from(rules.base_attack.surprise_multiplier) } else { 1 }
    }

    pub fn declare<'a>(&'a self, ground: &'a Ground<'a>, side: Side) -> Declare<'a> {
        let last = if self.round >= self.max_rounds { 2 } else { 1 };
        Declare {
            multiplier: self.multiplier(ground.rules, side),
            berth: if side == self.raiders { Berth::AtSea } else { Berth::InPort },
            ..Declare::new(ground, &self.line, side, Engagement::BaseAttack, last)
        }
    }

    pub fn step(&mut self, ground: &Ground<'_>, units: &mut Units, ask: &mut impl Ask) -> Asked<Flow> {
        match self.phase {
            Phase::Declaration(side) => self.declaration(ground, side, ask)?,
            Phase::Attacks(side) => {
                let order = self.orders[0];
                let multiplier = self.multiplier(ground.rules, side);
                roll_order(ground, &mut self.line, side, order, multiplier, ask)?;
                if side == self.raiders {
                    let unit = self.line[side.other()][usize::from(order.target)].unit;
                    if !self.attacked.contains(&unit) {
                        self.attacked.push(unit);
                    }
                }
                self.orders.remove(0);
                if self.orders.is_empty() {
                    self.phase = self.after(side);
                }
            }
            Phase::Damage => self.damage(ground, units, ask),
            Phase::Decision => self.decision(ground, ask)?,
            Phase::Conclusion => self.conclusion(ground, units, ask),
            Phase::Over => {}
        }
        Ok(if self.phase == Phase::Over { Flow::Done } else { Flow::Continue })
    }

    fn after(&self, side: Side) -> Phase {
        // A surprised base does not attack.
        if side == self.raiders && !self.surprised() { Phase::Declaration(side.other()) } else { Phase::Damage }
    }

    fn declaration(&mut self, ground: &Ground<'_>, side: Side, ask: &mut impl Ask) -> Asked<()> {
        if side == self.raiders {
            let (round, surprised) = (self.round, if self.surprised() { ", with surprise" } else { "" });
            tell(ask, "base-attack-round", &[rule::BASE_ATTACK, rule::C_12], || {
                format!("Base Attack round {round}{surprised}.")
            });
        }
        let declare = self.declare(ground, side);
        let orders = if declare.possible() { declare.orders(ask.decide(&declare)?) } else { Vec::new() };
        tell(ask, "declaration", &[rule::BASE_ATTACK, rule::R_10], || names_attacks(&ground.names[side], orders.len()));
        self.phase = if orders.is_empty() { self.after(side) } else { Phase::Attacks(side) };
        self.orders = orders;
        Ok(())
    }

    /// Damage at once, Disabled results only noted.
    fn damage(&mut self, ground: &Ground<'_>, units: &mut Units, ask: &mut impl Ask) {
        let round = self.round;
        tell(ask, "results", &[rule::BASE_ATTACK, rule::R_17], || format!("The damage of round {round} takes effect."));
        let damage_alone = |fighter: &Fighter| Taken { disabled: false, ..fighter.taken };
        for side in Side::BOTH {
            for fighter in &mut self.line[side] {
                let unit = counter(ground.sheets, side, fighter);
                if fighter.taken.disabled && unit.sheet.kind.is_ship() && !fighter.noted {
                    fighter.noted = true;
                    ask.note(|| {
                        Note::new("noted", format!("{}: a Disabled result is noted.", unit.sheet.name))
                            .by(&[rule::R_17])
                            .pieces([unit.sheet.id])
                    });
                }
            }
        }
        settle_all(ground, &mut self.line, self.raiders, units, damage_alone, ask);
        let again = self.round < self.max_rounds && self.declare(ground, self.raiders).possible();
        self.phase = if again { Phase::Decision } else { Phase::Conclusion };
    }

    fn decision(&mut self, ground: &Ground<'_>, ask: &mut impl Ask) -> Asked<()> {
        let on = ask.decide(&AnotherRound { ground, raid: self })?;
        let name = &ground.names[self.raiders];
        match on {
            OnOrOff::AnotherRound => {
                tell(ask, "raid", &[rule::BASE_ATTACK], || format!("{name} flies another round."));
                self.round += 1;
                self.phase = Phase::Declaration(self.raiders);
            }
            OnOrOff::BreakOff => {
                tell(ask, "raid", &[rule::BASE_ATTACK], || format!("{name} breaks off."));
                self.phase = Phase::Conclusion;
            }
        }
        Ok(())
    }

    /// Ships that were disabled and are afloat leave for their box.
    fn conclusion(&mut self, ground: &Ground<'_>, units: &mut Units, ask: &mut impl Ask) {
        for side in Side::BOTH {
            self.line[side].retain(|fighter| {
                if fighter.noted {
                    let sheet = counter(ground.sheets, side, fighter).sheet;
                    ask.note(|| {
                        let text = format!("{} was disabled: to the Naval Warfare Delay Box.", sheet.name);
                        Note::new("conclusion", text).by(&[rule::R_17, rule::R_15]).pieces([sheet.id])
                    });
                    units[side][usize::from(fighter.unit)] =
                        UnitState { damaged: fighter.damaged, place: Place::NavalWarfareDelayBox };
                }
                !fighter.noted
            });
        }
        self.phase = Phase::Over;
    }
}
