//! A Base Attack in play. [base-attack, C-12]

use crate::attack::Engagement;
use crate::battle::{Fighter, Ground, Order, Place, UnitState, Units, counter, muster, place, roll_order};
use crate::choices::{AnotherRound, Declare, OnOrOff};
use crate::results::{Destination, Taken, apply};
use crate::rule;
use flagplot_kernel::{Ask, Asked, BySide, Flow, Note, Side};
use serde::{Deserialize, Serialize};

/// Where a Base Attack stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The attacks of a side are named.
    Declaration(Side),
    /// The attacks of a side are rolled.
    Attacks(Side),
    /// Damage takes effect.
    Damage,
    /// The raiders go on or break off.
    Decision,
    /// Disabled results take effect.
    Conclusion,
    /// Over.
    Over,
}

/// A Base Attack.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Raid {
    /// The side that raids.
    pub raiders: Side,
    /// The round, from 1: how many have been begun.
    pub round: u8,
    /// Rounds at most.
    pub max_rounds: u8,
    /// The first so many are surprised.
    pub surprise_rounds: u8,
    /// Where it stands.
    pub phase: Phase,
    /// The raiders, and the units in the base.
    pub line: BySide<Vec<Fighter>>,
    /// Attacks named and not rolled yet.
    pub orders: Vec<Order>,
    /// Units in the base that have been attacked.
    pub attacked: Vec<u8>,
    /// Points for flying no more than so many rounds.
    pub early_withdrawal: Option<(u8, i64)>,
}

impl Raid {
    /// A Base Attack by the units at these positions.
    #[must_use]
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

    /// Whether the present round is surprised.
    #[must_use]
    pub fn surprised(&self) -> bool {
        self.round <= self.surprise_rounds
    }

    /// What a side's dice are multiplied by.
    #[must_use]
    pub fn multiplier(&self, ground: &Ground<'_>, side: Side) -> u32 {
        if side == self.raiders && self.surprised() { u32::from(ground.figures.surprise_multiplier) } else { 1 }
    }

    /// The declaration of a side in this round.
    #[must_use]
    pub fn declare<'a>(&'a self, ground: &'a Ground<'a>, side: Side) -> Declare<'a> {
        let last = if self.round >= self.max_rounds { 2 } else { 1 };
        let declare = Declare::new(ground, &self.line, side, Engagement::BaseAttack, last)
            .multiplied(self.multiplier(ground, side));
        if side == self.raiders { declare } else { declare.from_port() }
    }

    /// One step.
    pub fn step(&mut self, ground: &Ground<'_>, units: &mut Units, ask: &mut impl Ask) -> Asked<Flow> {
        match self.phase {
            Phase::Declaration(side) => self.declaration(ground, side, ask)?,
            Phase::Attacks(side) => {
                let order = self.orders[0];
                let multiplier = self.multiplier(ground, side);
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
            ask.note(|| {
                Note::new("base-attack-round", format!("Base Attack round {round}{surprised}."))
                    .by(&[rule::BASE_ATTACK, rule::C_12])
            });
        }
        let declare = self.declare(ground, side);
        let orders = if declare.possible() { declare.orders(ask.decide(&declare)?) } else { Vec::new() };
        let name = &ground.names[side];
        ask.note(|| {
            Note::new("declaration", format!("{name} names {} attacks.", orders.len()))
                .by(&[rule::BASE_ATTACK, rule::R_10])
        });
        self.phase = if orders.is_empty() { self.after(side) } else { Phase::Attacks(side) };
        self.orders = orders;
        Ok(())
    }

    /// Damage at once, Disabled results only noted.
    fn damage(&mut self, ground: &Ground<'_>, units: &mut Units, ask: &mut impl Ask) {
        for side in Side::BOTH {
            self.line[side].retain_mut(|fighter| {
                let unit = counter(ground.sheets, side, fighter);
                if fighter.taken.disabled && unit.sheet.kind.is_ship() && !fighter.noted {
                    fighter.noted = true;
                    ask.note(|| {
                        Note::new("noted", format!("{}: a Disabled result is noted.", unit.sheet.name))
                            .by(&[rule::R_17])
                            .pieces([unit.sheet.id])
                    });
                }
                let fate = apply(unit, Taken { disabled: false, ..fighter.taken }, ask);
                fighter.damaged = fate.damaged;
                fighter.taken = Taken::default();
                let place = place(fate.destination);
                units[side][usize::from(fighter.unit)] = UnitState { damaged: fate.damaged, place };
                place == Place::Ready
            });
        }
        let again = self.round < self.max_rounds && self.next_round(ground);
        self.phase = if again { Phase::Decision } else { Phase::Conclusion };
    }

    /// Whether a raider still has a legal attack.
    fn next_round(&self, ground: &Ground<'_>) -> bool {
        self.declare(ground, self.raiders).possible()
    }

    fn decision(&mut self, ground: &Ground<'_>, ask: &mut impl Ask) -> Asked<()> {
        let on = ask.decide(&AnotherRound { ground, raid: self })?;
        let name = &ground.names[self.raiders];
        match on {
            OnOrOff::AnotherRound => {
                ask.note(|| Note::new("raid", format!("{name} flies another round.")).by(&[rule::BASE_ATTACK]));
                self.round += 1;
                self.phase = Phase::Declaration(self.raiders);
            }
            OnOrOff::BreakOff => {
                ask.note(|| Note::new("raid", format!("{name} breaks off.")).by(&[rule::BASE_ATTACK]));
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
                        Note::new(
                            "conclusion",
                            format!("{} was disabled: to {}.", sheet.name, Destination::NavalWarfareDelayBox.title()),
                        )
                        .by(&[rule::R_17, rule::R_15])
                        .pieces([sheet.id])
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
