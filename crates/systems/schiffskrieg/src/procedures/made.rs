//! Attacks and fates as a ruling tells them.

use crate::attack::{self, DISABLED, HITS};
use crate::results::{BoxName, Destination, Fate, destination};
use crate::rules::Rules;
use crate::unit::{Counter, Factor, Id, Kind};
use flagplot_kernel::{Ask, Asked, Faces};
use flagplot_referee::{Shaped, words};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Rolled {
    /// attack dice
    #[shape(0..=200)]
    dice_count: u32,
    /// their faces
    #[shape(with = <Vec<u8>>::shape(), 1..=6, items = 0..=200)]
    attack_dice: Faces,
    /// sixes
    #[shape(0..=200)]
    pub hits: u32,
    /// fives, against an LBA too
    #[shape(0..=200)]
    pub disabled_results: u32,
    /// faces of the damage dice
    #[shape(with = <Vec<u8>>::shape(), 1..=6, items = 0..=200)]
    damage_dice: Faces,
    /// their sum
    #[shape(0..=1200)]
    pub damage_points: u32,
}

impl Rolled {
    pub fn roll(
        rules: &Rules,
        [attacker, target]: [Counter<'_>; 2],
        factor: Factor,
        multiplier: u32,
        ask: &mut impl Ask,
    ) -> Asked<Self> {
        let (dice_count, got) = attack::resolve(rules, attacker, factor, target, multiplier, ask)?;
        Ok(Self {
            dice_count,
            attack_dice: got.faces,
            hits: got.counts[HITS],
            disabled_results: got.counts[DISABLED],
            damage_dice: got.point_faces,
            damage_points: got.points,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Made {
    /// the unit that attacked
    attacker: Id,
    /// the factor it used
    factor: Factor,
    /// its target
    target: Id,
    #[serde(flatten)]
    rolled: Rolled,
}

impl Made {
    pub fn make(
        rules: &Rules,
        units: [Counter<'_>; 2],
        factor: Factor,
        multiplier: u32,
        ask: &mut impl Ask,
    ) -> Asked<Self> {
        let rolled = Rolled::roll(rules, units, factor, multiplier, ask)?;
        let [attacker, target] = units.map(|unit| unit.sheet.id);
        Ok(Self { attacker, factor, target, rolled })
    }
}

#[derive(Clone, Copy, Default)]
pub struct Total {
    pub damage_points: u32,
    pub hits: u32,
    pub disabled_results: u32,
}

impl Total {
    pub fn of(attacks: &[Made], target: Id) -> Self {
        let mut total = Self::default();
        for Made { rolled, .. } in attacks.iter().filter(|made| made.target == target) {
            total.damage_points += rolled.damage_points;
            total.hits += rolled.hits;
            total.disabled_results += rolled.disabled_results;
        }
        total
    }
}

#[words]
pub enum EndFate {
    InLine,
    InLineDamaged,
    Delayed,
    DelayedDamaged,
    SunkDestroyed,
}

impl EndFate {
    pub fn new(sunk: bool, delayed: bool, damaged: bool) -> Self {
        match (sunk, delayed, damaged) {
            (true, ..) => EndFate::SunkDestroyed,
            (_, false, false) => EndFate::InLine,
            (_, false, true) => EndFate::InLineDamaged,
            (_, true, false) => EndFate::Delayed,
            (_, true, true) => EndFate::DelayedDamaged,
        }
    }

    pub fn in_line(self) -> bool {
        matches!(self, EndFate::InLine | EndFate::InLineDamaged)
    }

    pub fn damaged(self) -> bool {
        matches!(self, EndFate::InLineDamaged | EndFate::DelayedDamaged)
    }

    pub fn destination(self, kind: Kind) -> Destination {
        match self {
            EndFate::InLine | EndFate::InLineDamaged => Destination::LineOfBattle,
            EndFate::Delayed | EndFate::DelayedDamaged => Destination::NavalWarfareDelayBox,
            EndFate::SunkDestroyed => destination(kind, BoxName::SunkDestroyed),
        }
    }
}

impl From<Fate> for EndFate {
    fn from(fate: Fate) -> Self {
        EndFate::new(fate.sunk(), fate.destination == Destination::NavalWarfareDelayBox, fate.damaged)
    }
}
