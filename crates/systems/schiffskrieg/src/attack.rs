//! One attack: who may use what against whom, with how many dice, and what the faces do. [targeting, results]

use crate::day_night::Action;
use crate::results::{Taken, damage_points};
use crate::rule;
use crate::rules::{Face, Rules};
use crate::unit::{Counter, Factor, Id, Kind};
use flagplot_kernel::{Ask, Asked, D6, Effect, Note, Refusal, Tally, Volley, Volleyed};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engagement {
    Day,
    Night,
    BaseAttack,
}

impl From<Action> for Engagement {
    fn from(action: Action) -> Self {
        match action {
            Action::Day => Engagement::Day,
            Action::Night => Engagement::Night,
        }
    }
}

impl Engagement {
    /// Whether a factor attacks in it. [targeting, R-22]
    pub fn allows(self, factor: Factor) -> bool {
        match self {
            Engagement::Day => factor != Factor::Gunnery,
            Engagement::Night => factor != Factor::Airstrike,
            Engagement::BaseAttack => factor == Factor::Airstrike,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// a unit of the faction
    pub attacker: Id,
    /// the factor it uses
    pub factor: Factor,
    /// a unit of the enemy
    pub target: Id,
}

/// An attack by the positions of its units in the two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Order {
    pub attacker: u8,
    pub factor: Factor,
    pub target: u8,
}

/// Why a factor of an attacker cannot be aimed at a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barred {
    WrongFactor(Engagement),
    NoFactor,
    /// Only aircraft reach an LBA.
    Lba,
    /// Only aircraft and destroyers reach a submarine.
    Submarine,
    /// A carrier with too few factors against an LBA.
    NoDice,
}

/// The dice of an attack, or why it cannot be made: the first reason in the order in which an attempt is judged.
#[inline]
pub fn check(
    rules: &Rules,
    engagement: Engagement,
    attacker: Counter<'_>,
    factor: Factor,
    target: Counter<'_>,
) -> Result<u32, Barred> {
    if !engagement.allows(factor) {
        return Err(Barred::WrongFactor(engagement));
    }
    if attacker.up().of(factor) == 0 {
        return Err(Barred::NoFactor);
    }
    let by_air = factor == Factor::Airstrike;
    match target.sheet.kind {
        Kind::Lba if !by_air => return Err(Barred::Lba),
        Kind::Submarine if !by_air && attacker.sheet.kind != Kind::Destroyers => return Err(Barred::Submarine),
        _ => {}
    }
    match dice(rules, attacker, factor, target) {
        0 => Err(Barred::NoDice),
        dice => Ok(dice),
    }
}

impl Barred {
    pub fn refusal(self, attacker: Counter<'_>, factor: Factor, target: Counter<'_>) -> Refusal {
        let (x, y, title) = (&attacker.sheet.name, &target.sheet.name, factor.title());
        let (code, message, rule) = match self {
            Barred::WrongFactor(Engagement::BaseAttack) => {
                ("illegal-factor", "In a Base Attack only Airstrike Factors attack.".to_owned(), rule::C_12)
            }
            Barred::WrongFactor(engagement) => {
                let (action, factors) = match engagement {
                    Engagement::Night => ("Night", "Gunnery"),
                    _ => ("Day", "Airstrike"),
                };
                let message = format!(
                    "In a {action} Action only {factors} and Torpedo Factors attack; \
                     {x} may not use its {title} Factor."
                );
                ("illegal-factor", message, rule::TARGETING)
            }
            Barred::NoFactor => ("no-factor", format!("{x} has no {title} Factor."), rule::TARGETING),
            Barred::Lba => ("illegal-target", format!("Only Airstrike Factors can attack the LBA {y}."), rule::C_6),
            Barred::Submarine => {
                let message = format!("Only Airstrike Factors and destroyers can attack the submarine {y}.");
                ("illegal-target", message, rule::C_8)
            }
            Barred::NoDice => {
                let message = format!(
                    "The carrier {x} has fewer than three Airstrike Factors and so has no die against the LBA {y}."
                );
                ("no-dice", message, rule::R_9)
            }
        };
        Refusal::new(code, message).by(rule)
    }
}

/// Where the ships of a side are: in port they do not attack. [C-12]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Berth {
    AtSea,
    InPort,
}

impl Berth {
    #[inline]
    pub fn bars(self, unit: Counter<'_>) -> bool {
        self == Berth::InPort && unit.sheet.kind.is_ship()
    }
}

/// The attacks a side names for a round, by position; or what is wrong with them, all at once.
pub fn declared(
    rules: &Rules,
    engagement: Engagement,
    berth: Berth,
    [own, enemy]: [&[Counter<'_>]; 2],
    attacks: &[Named],
) -> Result<Vec<Order>, Refusal> {
    let find = |line: &[Counter<'_>], id: Id| line.iter().position(|unit| unit.sheet.id == id);
    let order = |at: usize, &Named { attacker, factor, target }: &Named| {
        let refuse = |code, message: String, rule| Err(Refusal::new(code, message).by(rule));
        let Some(from) = find(own, attacker) else {
            return refuse("unknown-unit", format!("The attacker has no unit '{attacker}' here."), rule::TARGETING);
        };
        let Some(to) = find(enemy, target) else {
            return match find(own, target) {
                Some(_) => {
                    refuse("illegal-target", format!("'{target}' is a friend of '{attacker}'."), rule::TARGETING)
                }
                None => refuse("unknown-unit", format!("The enemy has no unit '{target}' here."), rule::TARGETING),
            };
        };
        if attacks[..at].iter().any(|other| other.attacker == attacker) {
            return refuse("already-attacked", format!("'{attacker}' attacks only once in a round."), rule::R_8);
        }
        if berth.bars(own[from]) {
            let message = format!("'{attacker}' lies in port and does not attack; only LBAs defend a base.");
            return refuse("cannot-attack", message, rule::C_12);
        }
        match check(rules, engagement, own[from], factor, enemy[to]) {
            Ok(_) => Ok(Order { attacker: from as u8, factor, target: to as u8 }),
            Err(barred) => Err(barred.refusal(own[from], factor, enemy[to])),
        }
    };
    let (mut orders, mut reasons) = (Vec::with_capacity(attacks.len()), Vec::new());
    for (at, attack) in attacks.iter().enumerate() {
        match order(at, attack) {
            Ok(order) => orders.push(order),
            Err(refusal) => reasons.push(refusal),
        }
    }
    Refusal::all(reasons).map(|()| orders)
}

/// How many dice: the factor of the side that is up; a carrier against an LBA one for three full factors. [R-9, C-3]
#[inline]
pub fn dice(rules: &Rules, attacker: Counter<'_>, factor: Factor, target: Counter<'_>) -> u32 {
    let factors = attacker.up().of(factor);
    let divided = target.sheet.kind == Kind::Lba && attacker.sheet.kind == Kind::Carrier && factor == Factor::Airstrike;
    u32::from(if divided { factors / rules.dice_count.carrier_vs_lba_divisor } else { factors })
}

/// The classes of dice in the counts of a volley.
pub const DISABLED: usize = Face::Disabled as usize;
pub const HITS: usize = Face::Hit as usize;

/// What is asked of the dice in play: the number of fives and sixes, and the Damage Points.
pub const ALL_COUNTED: [Tally; 3] = [Tally::Ignore, Tally::Count, Tally::Count];
/// What decides a unit's box: whether there is any five, and the Damage Points.
pub const FOR_THE_BOX: [Tally; 3] = [Tally::Ignore, Tally::Any, Tally::Ignore];

/// The dice of an attack: all attack dice, then one die of damage for each hit. [C-1, C-2]
#[inline]
pub fn roll(
    rules: &Rules,
    dice: u32,
    tally: [Tally; 3],
    what: impl std::fmt::Display,
    ask: &mut impl Ask,
) -> Asked<Volleyed<3>> {
    let volley =
        Volley { dice, die: D6, class: |face| rules.faces[face as usize] as usize, tally, scored: HITS, points: D6 };
    ask.volley(volley, what)
}

#[inline]
pub fn taken(got: &Volleyed<3>) -> Taken {
    Taken { damage_points: got.points, disabled: got.counts[DISABLED] > 0 }
}

pub fn resolve(
    rules: &Rules,
    attacker: Counter<'_>,
    factor: Factor,
    target: Counter<'_>,
    multiplier: u32,
    ask: &mut impl Ask,
) -> Asked<(u32, Volleyed<3>)> {
    let (x, y) = (&attacker.sheet.name, &target.sheet.name);
    let dice = dice(rules, attacker, factor, target) * multiplier;
    let got = roll(rules, dice, ALL_COUNTED, format_args!("{x}, {factor} at {y}"), ask)?;
    ask.note(|| proof(rules, attacker, factor, target, multiplier, dice, &got));
    if got.counts[HITS] > 0 {
        ask.note(|| {
            let faces: Vec<String> = got.point_faces.0.iter().map(ToString::to_string).collect();
            Note::new(
                "damage",
                format!("{x} at {y}, a die for each hit: {} = {}.", faces.join(" + "), damage_points(got.points)),
            )
            .by(&[rule::C_2])
            .dice(&got.point_faces.0)
            .outcome(got.points)
            .pieces([attacker.sheet.id])
            .on([target.sheet.id])
            .effect(Effect::Hit)
        });
    }
    Ok((dice, got))
}

fn proof(
    rules: &Rules,
    attacker: Counter<'_>,
    factor: Factor,
    target: Counter<'_>,
    multiplier: u32,
    dice: u32,
    got: &Volleyed<3>,
) -> Note {
    let (x, y) = (&attacker.sheet.name, &target.sheet.name);
    let side = if attacker.damaged { "damaged side" } else { "front" };
    let factors = u32::from(attacker.up().of(factor));
    let mut how = format!("{} Factor {factors} of the {side}", factor.title());
    let mut cited = vec![rule::TARGETING, rule::RESULTS, rule::C_1];
    if target.sheet.kind == Kind::Lba && attacker.sheet.kind == Kind::Carrier {
        how += &format!(", a die for every {} against an LBA", rules.dice_count.carrier_vs_lba_divisor);
        cited.push(rule::R_9);
    } else {
        cited.push(rule::C_3);
    }
    if factor == Factor::Torpedo {
        cited.push(rule::R_22);
    }
    if multiplier > 1 {
        how += &format!(", times {multiplier} for surprise");
        cited.push(rule::C_12);
    }
    let named: Vec<String> = got
        .faces
        .0
        .iter()
        .map(|&face| match rules.faces[face as usize] {
            Face::Miss => format!("{face} miss"),
            Face::Disabled if target.sheet.kind == Kind::Lba => format!("{face} no effect on an LBA"),
            Face::Disabled => format!("{face} Disabled"),
            Face::Hit => format!("{face} Hit"),
        })
        .collect();
    Note::new(
        "attack",
        format!(
            "{x} attacks {y} with {factor}: {dice} {} ({how}): {}.",
            if dice == 1 { "die" } else { "dice" },
            named.join(", ")
        ),
    )
    .by(&cited)
    .dice(&got.faces.0)
    .table("attack-die", "", "result")
    .outcome(serde_json::json!({"hits": got.counts[HITS], "disabled_results": got.counts[DISABLED]}))
    .pieces([attacker.sheet.id])
    .on([target.sheet.id])
    .effect(Effect::of(got.counts[HITS] + got.counts[DISABLED]))
}
