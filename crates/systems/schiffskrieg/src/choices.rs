//! The questions of a battle or a Base Attack, and which answers are legal.

use crate::attack::{self, Berth, Engagement, Named, Order, declared};
use crate::battle::{Battle, Fighter, Ground, counter};
use crate::day_night::Action;
use crate::faction::Role;
use crate::raid::Raid;
use crate::rule;
use crate::unit::{Counter, Factor, Sheet};
use crate::{thinking, wishes};
use flagplot_kernel::{BySide, Chance, Decision, Menu, Prompt, Refusal, Seat, Side};
use flagplot_referee::words;
use serde::{Deserialize, Serialize};

/// Day or night? Secret, both sides at once.
pub struct Wish<'a> {
    pub ground: &'a Ground<'a>,
    pub battle: &'a Battle,
    pub role: Role,
}

impl Menu for Wish<'_> {
    type Option = Action;

    fn seat(&self) -> Seat {
        self.role.side(self.battle.phasing).into()
    }

    fn prompt(&self) -> Prompt {
        let round = self.battle.round;
        let text = format!("Combat Round {round}: fight by day (aircraft, torpedoes) or by night (guns, torpedoes)?");
        let why = if round > 1 {
            "the second Combat Round is fought to its end."
        } else {
            "you may retreat after the first Combat Round."
        };
        let prompt = Prompt::new("wish", text, rule::R_4).confirm().beside("day-night");
        prompt.missing(format!("Retreat: {why} [{}]", rule::SEQUENCE_5))
    }

    fn options(&self) -> Vec<Action> {
        Action::BOTH.to_vec()
    }

    fn label(&self, action: &Action) -> String {
        match action {
            Action::Day => {
                let drm = self.ground.rules.day_night.day_drm;
                format!("Day: aircraft and torpedoes attack ({drm:+} on the die)")
            }
            Action::Night => "Night: guns and torpedoes attack".into(),
        }
    }

    #[inline]
    fn sample(&self, chance: &mut Chance) -> Action {
        Action::BOTH[chance.below(2) as usize]
    }

    fn mix(&self) -> Option<Vec<(Action, u64)>> {
        wishes::mix(self.ground, self.battle, self.role)
    }

    fn instinct(&self, _: &mut Chance) -> Action {
        thinking::wish(self.ground, self.battle, self.role.side(self.battle.phasing))
    }
}

#[words]
pub enum PlayOrDecline {
    Play,
    Decline,
}

/// Sail for a stage, or decline it? [stages]
pub struct SailOrNot<'a> {
    pub ground: &'a Ground<'a>,
    pub battle: &'a Battle,
    pub side: Side,
    pub stage: &'a str,
    pub decline_vp: i64,
}

impl Menu for SailOrNot<'_> {
    type Option = PlayOrDecline;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        let (points, other) = (points(self.decline_vp), &self.ground.names[self.side.other()]);
        let text = format!("Do you sail for the next stage ({}), or decline ({points} to {other})?", self.stage);
        Prompt::new("stage", text, rule::STAGES).confirm()
    }

    fn options(&self) -> Vec<PlayOrDecline> {
        PlayOrDecline::ALL.to_vec()
    }

    fn label(&self, option: &PlayOrDecline) -> String {
        match option {
            PlayOrDecline::Play => "Sail".into(),
            PlayOrDecline::Decline => {
                format!("Decline: {} to {}", points(self.decline_vp), self.ground.names[self.side.other()])
            }
        }
    }

    fn instinct(&self, _: &mut Chance) -> PlayOrDecline {
        thinking::sail(self.ground, self.battle, self.side, self.decline_vp)
    }
}

#[words]
pub enum StayOrGo {
    Stay,
    Retreat,
}

/// Stay, or leave the hex to the enemy? [sequence-5]
pub struct Retreat<'a> {
    pub ground: &'a Ground<'a>,
    pub battle: &'a Battle,
    pub role: Role,
}

impl Menu for Retreat<'_> {
    type Option = StayOrGo;

    fn seat(&self) -> Seat {
        self.role.side(self.battle.phasing).into()
    }

    fn prompt(&self) -> Prompt {
        let text = "Stay for the second Combat Round, or retreat with your whole line?";
        Prompt::new("retreat", text, rule::SEQUENCE_5)
            .confirm()
            .missing(format!("Retreat with some units: the line leaves as a whole. [{}]", rule::SEQUENCE_5))
    }

    fn options(&self) -> Vec<StayOrGo> {
        StayOrGo::ALL.to_vec()
    }

    fn label(&self, option: &StayOrGo) -> String {
        match option {
            StayOrGo::Stay => "Stay and fight a second round",
            StayOrGo::Retreat => "Retreat: all units in line are safe; the enemy takes the hex if it can hold it",
        }
        .into()
    }

    #[inline]
    fn sample(&self, chance: &mut Chance) -> StayOrGo {
        StayOrGo::ALL[chance.below(2) as usize]
    }

    fn instinct(&self, _: &mut Chance) -> StayOrGo {
        thinking::retreat(self.ground, self.battle, self.role)
    }
}

#[words]
pub enum OnOrOff {
    AnotherRound,
    BreakOff,
}

/// Another round of a Base Attack, or break off? [base-attack]
pub struct AnotherRound<'a> {
    pub ground: &'a Ground<'a>,
    pub raid: &'a Raid,
}

impl Menu for AnotherRound<'_> {
    type Option = OnOrOff;

    fn seat(&self) -> Seat {
        self.raid.raiders.into()
    }

    fn prompt(&self) -> Prompt {
        let Raid { round, max_rounds, .. } = self.raid;
        let text = format!("You have flown round {round} of at most {max_rounds}. Another round, or break off?");
        Prompt::new("another-round", text, rule::BASE_ATTACK)
            .confirm()
            .missing(format!("Guns or torpedoes: only aircraft attack a base. [{}]", rule::BASE_ATTACK))
    }

    fn options(&self) -> Vec<OnOrOff> {
        OnOrOff::ALL.to_vec()
    }

    fn label(&self, option: &OnOrOff) -> String {
        match option {
            OnOrOff::AnotherRound => "Fly another round",
            OnOrOff::BreakOff => "Break off",
        }
        .into()
    }

    fn instinct(&self, _: &mut Chance) -> OnOrOff {
        thinking::another_round(self.ground, self.raid)
    }
}

pub(crate) fn points(n: i64) -> String {
    format!("{n} {}", if n == 1 { "point" } else { "points" })
}

pub(crate) fn dice(n: u32) -> String {
    format!("{n} {}", if n == 1 { "die" } else { "dice" })
}

/// A declaration: attacks by position, or as a player has named them. Its JSON form is the list of names either way.
#[derive(Clone, Debug)]
pub enum Attacks<'a> {
    Placed { orders: Vec<Order>, sheets: &'a BySide<Vec<Sheet>>, line: &'a BySide<Vec<Fighter>>, side: Side },
    Named(Vec<Named>),
}

impl Attacks<'_> {
    pub fn named(&self) -> Vec<Named> {
        match self {
            Attacks::Named(named) => named.clone(),
            Attacks::Placed { orders, sheets, line, side } => {
                let id = |side: Side, at: u8| counter(sheets, side, &line[side][usize::from(at)]).sheet.id;
                orders
                    .iter()
                    .map(|order| Named {
                        attacker: id(*side, order.attacker),
                        factor: order.factor,
                        target: id(side.other(), order.target),
                    })
                    .collect()
            }
        }
    }
}

impl Serialize for Attacks<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.named().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Attacks<'_> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Attacks::Named)
    }
}

/// All attacks of a faction for this round; the empty list is legal.
pub struct Declare<'a> {
    pub ground: &'a Ground<'a>,
    pub line: &'a BySide<Vec<Fighter>>,
    pub side: Side,
    pub engagement: Engagement,
    /// From the second round on nothing comes after it.
    pub round: u8,
    pub multiplier: u32,
    pub berth: Berth,
}

impl<'a> Declare<'a> {
    pub fn new(
        ground: &'a Ground<'a>,
        line: &'a BySide<Vec<Fighter>>,
        side: Side,
        engagement: Engagement,
        round: u8,
    ) -> Self {
        Self { ground, line, side, engagement, round, multiplier: 1, berth: Berth::AtSea }
    }

    #[inline]
    pub fn own(&self, at: usize) -> Counter<'a> {
        counter(self.ground.sheets, self.side, &self.line[self.side][at])
    }

    #[inline]
    pub fn enemy(&self, at: usize) -> Counter<'a> {
        counter(self.ground.sheets, self.side.other(), &self.line[self.side.other()][at])
    }

    pub fn shooters(&self) -> usize {
        self.line[self.side].len()
    }

    pub fn targets(&self) -> usize {
        self.line[self.side.other()].len()
    }

    /// The dice of an attack, if it is legal.
    #[inline]
    pub fn attack(&self, attacker: usize, factor: Factor, target: usize) -> Option<u32> {
        let unit = self.own(attacker);
        if self.berth.bars(unit) {
            return None;
        }
        let dice = attack::check(self.ground.rules, self.engagement, unit, factor, self.enemy(target)).ok()?;
        Some(dice * self.multiplier)
    }

    #[inline]
    pub fn legal(&self, attacker: usize, factor: Factor, target: usize) -> bool {
        self.attack(attacker, factor, target).is_some()
    }

    pub fn dice(&self, order: &Order) -> u32 {
        self.attack(usize::from(order.attacker), order.factor, usize::from(order.target)).unwrap_or(0)
    }

    pub fn can_attack(&self, attacker: usize) -> bool {
        let up = self.own(attacker).up();
        let usable = |factor: &Factor| self.engagement.allows(*factor) && up.of(*factor) > 0;
        let mut factors = Factor::ALL.iter().copied().filter(usable);
        factors.any(|factor| (0..self.targets()).any(|target| self.legal(attacker, factor, target)))
    }

    pub fn possible(&self) -> bool {
        (0..self.shooters()).any(|attacker| self.can_attack(attacker))
    }

    fn read(&self, named: &[Named]) -> Result<Vec<Order>, Refusal> {
        let own: Vec<_> = (0..self.shooters()).map(|at| self.own(at)).collect();
        let enemy: Vec<_> = (0..self.targets()).map(|at| self.enemy(at)).collect();
        declared(self.ground.rules, self.engagement, self.berth, [&own, &enemy], named)
    }

    /// The legal attacks among these, by position.
    pub fn orders(&self, attacks: Attacks<'_>) -> Vec<Order> {
        match attacks {
            Attacks::Placed { orders, .. } => orders,
            Attacks::Named(named) => named.chunks(1).flat_map(|one| self.read(one).unwrap_or_default()).collect(),
        }
    }

    pub fn placed(&self, orders: Vec<Order>) -> Attacks<'a> {
        Attacks::Placed { orders, sheets: self.ground.sheets, line: self.line, side: self.side }
    }
}

impl<'a> Decision for Declare<'a> {
    type Value = Attacks<'a>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Attacks<'a>) -> Result<(), Refusal> {
        self.read(&value.named()).map(drop)
    }
}
