//! What players are asked in a battle or a Base Attack.

use crate::attack::{Engagement, can, dice, judge};
use crate::battle::{Battle, Fighter, Ground, Order, counter};
use crate::day_night::Action;
use crate::faction::Role;
use crate::judgement;
use crate::raid::Raid;
use crate::rule;
use crate::unit::{Counter, Factor, Id, Sheet};
use crate::wishes;
use flagplot_kernel::{
    BySide, Candidate, Chance, Choice, Decision, Form, FormItem, OptionView, Prompt, Refusal, Screen, Seat, Side,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Day or night? Secret, both sides at once.
pub struct Wish<'a> {
    /// Where it is fought.
    pub ground: &'a Ground<'a>,
    /// The battle.
    pub battle: &'a Battle,
    /// Who is asked.
    pub role: Role,
}

impl Decision for Wish<'_> {
    type Value = Action;

    fn seat(&self) -> Seat {
        self.role.side(self.battle.phasing).into()
    }

    fn check(&self, _: &Action) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Screen for Wish<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new(
            "wish",
            format!(
                "Combat Round {}: do you want to fight by day (aircraft, torpedoes) or by night (guns, torpedoes)?",
                self.battle.round
            ),
            rule::R_4,
        )
        .confirm()
        .missing(format!(
            "Retreat: {} [{}]",
            if self.battle.round > 1 {
                "the second Combat Round is fought to its end."
            } else {
                "that is asked after the first Combat Round."
            },
            rule::SEQUENCE_5
        ))
    }

    fn candidates(&self) -> Vec<Candidate<Action>> {
        vec![
            Candidate::new(Action::Day, "Day: aircraft and torpedoes attack (+1 on the die)"),
            Candidate::new(Action::Night, "Night: guns and torpedoes attack"),
        ]
    }
}

impl Choice for Wish<'_> {
    #[inline]
    fn sample(&self, chance: &mut Chance) -> Action {
        Action::BOTH[chance.below(2) as usize]
    }

    fn mix(&self) -> Option<Vec<(Action, u64)>> {
        wishes::mix(self.ground, self.battle, self.role)
    }

    fn instinct(&self, _: &mut Chance) -> Action {
        judgement::wish(self.ground, self.battle, self.role.side(self.battle.phasing))
    }
}

/// Play a stage, or decline it?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayOrDecline {
    /// Sail for it.
    Play,
    /// Leave it.
    Decline,
}

/// Sail for a stage, or decline it? [stages]
pub struct SailOrNot<'a> {
    /// Where it would be fought.
    pub ground: &'a Ground<'a>,
    /// The battle it would be.
    pub battle: &'a Battle,
    /// Who is asked.
    pub side: Side,
    /// What the stage is called.
    pub stage: &'a str,
    /// What the other side gets if it is declined.
    pub decline_vp: i64,
}

impl Decision for SailOrNot<'_> {
    type Value = PlayOrDecline;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, _: &PlayOrDecline) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Screen for SailOrNot<'_> {
    fn prompt(&self) -> Prompt {
        let (stage, points, other) = (self.stage, self.decline_vp, &self.ground.names[self.side.other()]);
        Prompt::new(
            "stage",
            format!("Do you sail for the stage '{stage}', or decline ({points} points to {other})?"),
            rule::STAGES,
        )
        .confirm()
    }

    fn candidates(&self) -> Vec<Candidate<PlayOrDecline>> {
        let decline = format!("Decline: {} points to {}", self.decline_vp, self.ground.names[self.side.other()]);
        vec![Candidate::new(PlayOrDecline::Play, "Sail"), Candidate::new(PlayOrDecline::Decline, decline)]
    }
}

impl Choice for SailOrNot<'_> {
    fn instinct(&self, _: &mut Chance) -> PlayOrDecline {
        judgement::sail(self.ground, self.battle, self.side, self.decline_vp)
    }
}

/// Stay or retreat?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StayOrGo {
    /// Fight on.
    Stay,
    /// Leave with the whole line.
    Retreat,
}

/// Stay, or leave the hex to the enemy? [sequence-5]
pub struct Retreat<'a> {
    /// Where it is fought.
    pub ground: &'a Ground<'a>,
    /// The battle.
    pub battle: &'a Battle,
    /// Who is asked.
    pub role: Role,
}

impl Decision for Retreat<'_> {
    type Value = StayOrGo;

    fn seat(&self) -> Seat {
        self.role.side(self.battle.phasing).into()
    }

    fn check(&self, _: &StayOrGo) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Screen for Retreat<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new("retreat", "Stay for the second Combat Round, or retreat with your whole line?", rule::SEQUENCE_5)
            .confirm()
            .missing(format!(
                "Retreat with some units: the line leaves as a whole or not at all. [{}]",
                rule::SEQUENCE_5
            ))
    }

    fn candidates(&self) -> Vec<Candidate<StayOrGo>> {
        vec![
            Candidate::new(StayOrGo::Stay, "Stay and fight a second round"),
            Candidate::new(
                StayOrGo::Retreat,
                "Retreat: all units in line are safe, the hex is the enemy's if it can hold it",
            ),
        ]
    }
}

impl Choice for Retreat<'_> {
    #[inline]
    fn sample(&self, chance: &mut Chance) -> StayOrGo {
        if chance.below(2) == 0 { StayOrGo::Stay } else { StayOrGo::Retreat }
    }

    fn instinct(&self, _: &mut Chance) -> StayOrGo {
        judgement::retreat(self.ground, self.battle, self.role)
    }
}

/// Fly another round of a Base Attack?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnOrOff {
    /// Another round.
    AnotherRound,
    /// Break off.
    BreakOff,
}

/// Another round, or break off? [base-attack]
pub struct AnotherRound<'a> {
    /// Where it is flown.
    pub ground: &'a Ground<'a>,
    /// The Base Attack.
    pub raid: &'a Raid,
}

impl Decision for AnotherRound<'_> {
    type Value = OnOrOff;

    fn seat(&self) -> Seat {
        self.raid.raiders.into()
    }

    fn check(&self, _: &OnOrOff) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Screen for AnotherRound<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new(
            "another-round",
            format!(
                "Round {} of at most {} has been flown. Another round, or break off?",
                self.raid.round, self.raid.max_rounds
            ),
            rule::BASE_ATTACK,
        )
        .confirm()
        .missing(format!(
            "An attack by guns or torpedoes: a base is attacked by aircraft alone. [{}]",
            rule::BASE_ATTACK
        ))
    }

    fn candidates(&self) -> Vec<Candidate<OnOrOff>> {
        vec![Candidate::new(OnOrOff::AnotherRound, "Fly another round"), Candidate::new(OnOrOff::BreakOff, "Break off")]
    }
}

impl Choice for AnotherRound<'_> {
    fn instinct(&self, _: &mut Chance) -> OnOrOff {
        judgement::another_round(self.ground, self.raid)
    }
}

/// An attack as a player names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Who attacks.
    pub attacker: Id,
    /// With what.
    pub factor: Factor,
    /// Whom.
    pub target: Id,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {} with {}", self.attacker, self.target, self.factor)
    }
}

/// A declaration: attacks by position, or as a player has named them. Its JSON form is the list of names in either case.
#[derive(Clone, Debug)]
pub enum Attacks<'a> {
    /// By position in the two lines.
    Placed {
        /// The attacks.
        orders: Vec<Order>,
        /// What is printed on the counters.
        sheets: &'a BySide<Vec<Sheet>>,
        /// The two lines.
        line: &'a BySide<Vec<Fighter>>,
        /// Who attacks.
        side: Side,
    },
    /// By name.
    Named(Vec<Named>),
}

impl Attacks<'_> {
    /// The attacks by name.
    #[must_use]
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
    /// Where it is fought.
    pub ground: &'a Ground<'a>,
    /// Both lines.
    pub line: &'a BySide<Vec<Fighter>>,
    /// Who is asked.
    pub side: Side,
    /// The kind of the round.
    pub engagement: Engagement,
    /// The round; from the second on nothing comes after it.
    pub round: u8,
    /// What the dice are multiplied by.
    pub multiplier: u32,
    in_port: bool,
}

impl<'a> Declare<'a> {
    /// The declaration of a side.
    #[must_use]
    pub fn new(
        ground: &'a Ground<'a>,
        line: &'a BySide<Vec<Fighter>>,
        side: Side,
        engagement: Engagement,
        round: u8,
    ) -> Self {
        Self { ground, line, side, engagement, round, multiplier: 1, in_port: false }
    }

    /// The same by a side whose ships lie in port.
    #[must_use]
    pub fn from_port(mut self) -> Self {
        self.in_port = true;
        self
    }

    /// The same with multiplied dice.
    #[must_use]
    pub fn multiplied(mut self, multiplier: u32) -> Self {
        self.multiplier = multiplier;
        self
    }

    /// The counter of an own fighter.
    #[must_use]
    #[inline]
    pub fn own(&self, at: usize) -> Counter<'a> {
        counter(self.ground.sheets, self.side, &self.line[self.side][at])
    }

    /// The counter of an enemy fighter.
    #[must_use]
    #[inline]
    pub fn enemy(&self, at: usize) -> Counter<'a> {
        counter(self.ground.sheets, self.side.other(), &self.line[self.side.other()][at])
    }

    /// How many own fighters there are.
    #[must_use]
    pub fn shooters(&self) -> usize {
        self.line[self.side].len()
    }

    /// How many enemy fighters there are.
    #[must_use]
    pub fn targets(&self) -> usize {
        self.line[self.side.other()].len()
    }

    /// Whether an attack is legal.
    #[must_use]
    #[inline]
    pub fn legal(&self, attacker: usize, factor: Factor, target: usize) -> bool {
        let unit = self.own(attacker);
        !(self.in_port && unit.sheet.kind.is_ship())
            && unit.up().of(factor) > 0
            && can(self.ground.figures, self.engagement, unit, factor, self.enemy(target))
    }

    /// Dice of a legal attack.
    #[must_use]
    pub fn dice(&self, attacker: usize, factor: Factor, target: usize) -> u32 {
        dice(self.ground.figures, self.own(attacker), factor, self.enemy(target)) * self.multiplier
    }

    /// Whether any unit has a legal attack.
    #[must_use]
    pub fn possible(&self) -> bool {
        (0..self.shooters()).any(|attacker| {
            Factor::ALL.into_iter().any(|factor| (0..self.targets()).any(|target| self.legal(attacker, factor, target)))
        })
    }

    /// The attacks by position; they have been checked.
    #[must_use]
    pub fn orders(&self, attacks: Attacks<'_>) -> Vec<Order> {
        let place = |named: &Named| {
            Some(Order {
                attacker: self.find(self.side, named.attacker)? as u8,
                factor: named.factor,
                target: self.find(self.side.other(), named.target)? as u8,
            })
        };
        match attacks {
            Attacks::Placed { orders, .. } => orders,
            Attacks::Named(named) => named.iter().filter_map(place).collect(),
        }
    }

    /// Attacks by position, as a value.
    #[must_use]
    pub fn placed(&self, orders: Vec<Order>) -> Attacks<'a> {
        Attacks::Placed { orders, sheets: self.ground.sheets, line: self.line, side: self.side }
    }

    fn find(&self, side: Side, id: Id) -> Option<usize> {
        self.line[side].iter().position(|fighter| counter(self.ground.sheets, side, fighter).sheet.id == id)
    }

    /// Everything at one target, each unit with its strongest factor that reaches it.
    fn all_at(&self, target: usize) -> Vec<Order> {
        (0..self.shooters())
            .filter_map(|attacker| {
                let factor = Factor::ALL
                    .into_iter()
                    .filter(|&factor| self.legal(attacker, factor, target))
                    .max_by_key(|&factor| self.dice(attacker, factor, target))?;
                Some(Order { attacker: attacker as u8, factor, target: target as u8 })
            })
            .collect()
    }
}

impl<'a> Decision for Declare<'a> {
    type Value = Attacks<'a>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Attacks<'a>) -> Result<(), Refusal> {
        let mut used: Vec<Id> = Vec::new();
        for named in value.named() {
            let Named { attacker, factor, target } = named;
            let Some(own) = self.find(self.side, attacker) else {
                return Err(
                    Refusal::new("unknown-unit", format!("You have no unit '{attacker}' here.")).by(rule::TARGETING)
                );
            };
            let Some(enemy) = self.find(self.side.other(), target) else {
                return Err(if self.find(self.side, target).is_some() {
                    Refusal::new("illegal-target", format!("'{target}' is a friend of '{attacker}'."))
                        .by(rule::TARGETING)
                } else {
                    Refusal::new("unknown-unit", format!("The enemy has no unit '{target}' here.")).by(rule::TARGETING)
                });
            };
            if used.contains(&attacker) {
                return Err(
                    Refusal::new("already-attacked", format!("'{attacker}' attacks once in a round.")).by(rule::R_8)
                );
            }
            used.push(attacker);
            if self.in_port && self.own(own).sheet.kind.is_ship() {
                return Err(Refusal::new(
                    "cannot-attack",
                    format!("'{attacker}' lies in port and does not attack; only LBAs defend a base."),
                )
                .by(rule::C_12));
            }
            judge(self.ground.figures, self.engagement, self.own(own), factor, self.enemy(enemy))?;
        }
        Ok(())
    }
}

impl<'a> Screen for Declare<'a> {
    fn prompt(&self) -> Prompt {
        let (kind, cited) = match self.engagement {
            Engagement::Day => ("a Day Action: aircraft and torpedoes attack", rule::TARGETING),
            Engagement::Night => ("a Night Action: guns and torpedoes attack", rule::TARGETING),
            Engagement::BaseAttack => ("a Base Attack: only aircraft attack", rule::BASE_ATTACK),
        };
        let mut prompt = Prompt::new(
            "declare-attacks",
            format!("Name your attacks ({kind}): one target for each unit, or none."),
            cited,
        )
        .confirm();
        for at in 0..self.shooters() {
            let any =
                Factor::ALL.into_iter().any(|factor| (0..self.targets()).any(|target| self.legal(at, factor, target)));
            if !any {
                let unit = self.own(at);
                let why = Factor::ALL
                    .into_iter()
                    .flat_map(|factor| (0..self.targets()).map(move |target| (factor, target)))
                    .find_map(|(factor, target)| {
                        judge(self.ground.figures, self.engagement, unit, factor, self.enemy(target))
                            .err()
                            .filter(|refusal| refusal.code != "no-factor")
                    });
                let why = if self.in_port && unit.sheet.kind.is_ship() {
                    format!("ships in port do not attack [{}]", rule::BASE_ATTACK)
                } else {
                    why.map_or(format!("it has no factor for this action [{cited}]"), |refusal| refusal.to_string())
                };
                prompt = prompt.missing(format!("{} cannot attack: {why}", unit.sheet.name));
            }
        }
        prompt
    }

    fn candidates(&self) -> Vec<Candidate<Attacks<'a>>> {
        let suggested = judgement::allocate(self).orders;
        let mut out = vec![Candidate::new(self.placed(suggested), "The attacks of a sensible player")];
        for target in 0..self.targets() {
            let orders = self.all_at(target);
            if !orders.is_empty() {
                let sheet = self.enemy(target).sheet;
                out.push(
                    Candidate::new(self.placed(orders), format!("Everything that can at {}", sheet.name))
                        .at([sheet.id]),
                );
            }
        }
        out.push(Candidate::new(self.placed(Vec::new()), "No attack"));
        out
    }

    fn form(&self) -> Form {
        let items = (0..self.shooters())
            .map(|at| {
                let unit = self.own(at).sheet;
                let mut options = Vec::new();
                for target in 0..self.targets() {
                    for factor in Factor::ALL {
                        if self.legal(at, factor, target) {
                            let enemy = self.enemy(target).sheet;
                            let named = Named { attacker: unit.id, factor, target: enemy.id };
                            let dice = self.dice(at, factor, target);
                            options.push(OptionView {
                                value: serde_json::to_value(named).unwrap_or_default(),
                                label: format!(
                                    "{} with {factor}, {dice} {}",
                                    enemy.name,
                                    if dice == 1 { "die" } else { "dice" }
                                ),
                                pieces: vec![named.target.to_string()],
                            });
                        }
                    }
                }
                FormItem { id: unit.id.to_string(), label: unit.name.to_string(), options }
            })
            .filter(|item| !item.options.is_empty())
            .collect();
        Form::Assign { items, none: "no attack".into() }
    }
}

impl<'a> Choice for Declare<'a> {
    fn sample(&self, chance: &mut Chance) -> Attacks<'a> {
        let targets = self.targets() as u32;
        let mut orders = Vec::with_capacity(self.shooters());
        for attacker in 0..self.shooters() {
            let unit = self.own(attacker);
            let up = unit.up();
            let mut usable = [Factor::Gunnery; 3];
            let mut many = 0;
            for factor in Factor::ALL {
                if self.engagement.allows(factor) && up.of(factor) > 0 {
                    usable[many] = factor;
                    many += 1;
                }
            }
            if many == 0 {
                continue;
            }
            // A few draws find a legal target if there are many; a unit that finds none passes.
            for _ in 0..4 {
                let factor = if many == 1 { usable[0] } else { usable[chance.below(many as u32) as usize] };
                let target = chance.below(targets) as usize;
                if self.legal(attacker, factor, target) {
                    orders.push(Order { attacker: attacker as u8, factor, target: target as u8 });
                    break;
                }
            }
        }
        self.placed(orders)
    }

    fn instinct(&self, _: &mut Chance) -> Attacks<'a> {
        self.placed(judgement::allocate(self).orders)
    }
}
