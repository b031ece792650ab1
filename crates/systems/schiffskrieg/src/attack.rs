//! One attack: who may use what against whom, with how many dice, and what the faces do. [targeting, results]

use crate::day_night::Action;
use crate::figures::{Face, Figures};
use crate::rule;
use crate::unit::{Counter, Factor, Kind};
use flagplot_kernel::{Ask, Asked, Note, Refusal, Tally, Volley, Volleyed};
use serde::{Deserialize, Serialize};

/// The kind of round an attack belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engagement {
    /// A Day Action.
    Day,
    /// A Night Action.
    Night,
    /// A round of a Base Attack.
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
    #[must_use]
    pub fn allows(self, factor: Factor) -> bool {
        match self {
            Engagement::Day => factor != Factor::Gunnery,
            Engagement::Night => factor != Factor::Airstrike,
            Engagement::BaseAttack => factor == Factor::Airstrike,
        }
    }
}

/// Whether a factor of an attacker can be aimed at a target, and if not, why: factor allowed, factor there, target reachable, dice left.
/// The order is that in which an attempt is judged.
pub fn judge(
    figures: &Figures,
    engagement: Engagement,
    attacker: Counter<'_>,
    factor: Factor,
    target: Counter<'_>,
) -> Result<u32, Refusal> {
    let (x, y) = (attacker.sheet.id, target.sheet.id);
    let title = factor.title();
    if !engagement.allows(factor) {
        return Err(match engagement {
            Engagement::Day => Refusal::new(
                "illegal-factor",
                format!(
                    "In a Day Action only Airstrike and Torpedo Factors attack; '{x}' may not use its {title} Factor."
                ),
            )
            .by(rule::TARGETING),
            Engagement::Night => Refusal::new(
                "illegal-factor",
                format!(
                    "In a Night Action only Gunnery and Torpedo Factors attack; '{x}' may not use its {title} Factor."
                ),
            )
            .by(rule::TARGETING),
            Engagement::BaseAttack => {
                Refusal::new("illegal-factor", "In a Base Attack only Airstrike Factors attack.").by(rule::C_12)
            }
        });
    }
    if attacker.up().of(factor) == 0 {
        return Err(Refusal::new("no-factor", format!("'{x}' has no {title} Factor.")).by(rule::TARGETING));
    }
    let by_air = factor == Factor::Airstrike;
    match target.sheet.kind {
        Kind::Lba if !by_air => {
            return Err(Refusal::new("illegal-target", format!("Only Airstrike Factors can attack the LBA '{y}'."))
                .by(rule::C_6));
        }
        Kind::Submarine if !by_air && attacker.sheet.kind != Kind::Destroyers => {
            return Err(Refusal::new(
                "illegal-target",
                format!("The submarine '{y}' can be attacked only by Airstrike Factors and by destroyers."),
            )
            .by(rule::C_8));
        }
        _ => {}
    }
    match dice(figures, attacker, factor, target) {
        0 => Err(Refusal::new(
            "no-dice",
            format!(
                "The carrier '{x}' has fewer than three Airstrike Factors and so has no die against the LBA '{y}'."
            ),
        )
        .by(rule::R_9)),
        dice => Ok(dice),
    }
}

/// How many dice: the factor of the side that is up; a carrier against an LBA one for three full factors. [R-9, C-3]
#[must_use]
#[inline]
pub fn dice(figures: &Figures, attacker: Counter<'_>, factor: Factor, target: Counter<'_>) -> u32 {
    let factors = attacker.up().of(factor);
    let divided = target.sheet.kind == Kind::Lba && attacker.sheet.kind == Kind::Carrier && factor == Factor::Airstrike;
    u32::from(if divided { factors / figures.carrier_vs_lba_divisor } else { factors })
}

/// Whether the attack is legal, without words.
#[must_use]
#[inline]
pub fn can(
    figures: &Figures,
    engagement: Engagement,
    attacker: Counter<'_>,
    factor: Factor,
    target: Counter<'_>,
) -> bool {
    let by_air = factor == Factor::Airstrike;
    engagement.allows(factor)
        && match target.sheet.kind {
            Kind::Lba => by_air,
            Kind::Submarine => by_air || attacker.sheet.kind == Kind::Destroyers,
            _ => true,
        }
        && dice(figures, attacker, factor, target) > 0
}

/// Index of each class in the counts of a volley.
pub const MISSES: usize = Face::Miss as usize;
/// See [`MISSES`].
pub const DISABLED: usize = Face::Disabled as usize;
/// See [`MISSES`].
pub const HITS: usize = Face::Hit as usize;

/// What is asked of the dice in play: the number of fives and sixes, and the Damage Points.
pub const ALL_COUNTED: [Tally; 3] = [Tally::Ignore, Tally::Count, Tally::Count];
/// What decides a unit's box: whether there is any five, and the Damage Points.
pub const FOR_THE_BOX: [Tally; 3] = [Tally::Ignore, Tally::Any, Tally::Ignore];

/// The dice of an attack: all attack dice, then one die of damage for each hit. [C-1, C-2]
#[inline]
pub fn roll(
    figures: &Figures,
    dice: u32,
    tally: [Tally; 3],
    what: impl std::fmt::Display,
    ask: &mut impl Ask,
) -> Asked<Volleyed<3>> {
    let volley = Volley {
        dice,
        die: figures.die,
        class: |face| figures.faces[face as usize] as usize,
        tally,
        scored: HITS,
        points: figures.die,
    };
    ask.volley(volley, what)
}

/// One declared attack: its dice and the proof. Counts as `tally` asks.
pub fn resolve(
    figures: &Figures,
    attacker: Counter<'_>,
    factor: Factor,
    target: Counter<'_>,
    multiplier: u32,
    ask: &mut impl Ask,
) -> Asked<(u32, Volleyed<3>)> {
    let (x, y) = (attacker.sheet.name, target.sheet.name);
    let dice = dice(figures, attacker, factor, target) * multiplier;
    let got = roll(figures, dice, ALL_COUNTED, format_args!("{x}, {factor} at {y}"), ask)?;
    ask.note(|| proof(figures, attacker, factor, target, multiplier, dice, &got));
    if got.counts[HITS] > 0 {
        ask.note(|| {
            let faces: Vec<String> = got.point_faces.0.iter().map(ToString::to_string).collect();
            Note::new(
                "damage",
                format!("{x} at {y}, a die for each hit: {} = {} Damage Points.", faces.join(" + "), got.points),
            )
            .by(&[rule::C_2])
            .dice(&got.point_faces.0)
            .outcome(got.points)
            .pieces([attacker.sheet.id, target.sheet.id])
        });
    }
    Ok((dice, got))
}

fn proof(
    figures: &Figures,
    attacker: Counter<'_>,
    factor: Factor,
    target: Counter<'_>,
    multiplier: u32,
    dice: u32,
    got: &Volleyed<3>,
) -> Note {
    let (x, y) = (attacker.sheet.name, target.sheet.name);
    let side = if attacker.damaged { "damaged side" } else { "front" };
    let factors = u32::from(attacker.up().of(factor));
    let mut how = format!("{} Factor {factors} of the {side}", factor.title());
    let mut rules = vec![rule::TARGETING, rule::RESULTS, rule::C_1];
    if target.sheet.kind == Kind::Lba && attacker.sheet.kind == Kind::Carrier {
        how += &format!(", a die for every {} against an LBA", figures.carrier_vs_lba_divisor);
        rules.push(rule::R_9);
    } else {
        rules.push(rule::C_3);
    }
    if factor == Factor::Torpedo {
        rules.push(rule::R_22);
    }
    if multiplier > 1 {
        how += &format!(", times {multiplier} for surprise");
        rules.push(rule::C_12);
    }
    let named: Vec<String> = got
        .faces
        .0
        .iter()
        .map(|&face| match figures.faces[face as usize] {
            Face::Miss => format!("{face} miss"),
            Face::Disabled if target.sheet.kind == Kind::Lba => format!("{face} no effect on an LBA"),
            Face::Disabled => format!("{face} Disabled"),
            Face::Hit => format!("{face} Hit"),
        })
        .collect();
    Note::new("attack", format!("{x} attacks {y} with {factor}: {dice} dice ({how}): {}.", named.join(", ")))
        .by(&rules)
        .dice(&got.faces.0)
        .table("attack-die", "", "result")
        .outcome(serde_json::json!({"hits": got.counts[HITS], "disabled_results": got.counts[DISABLED]}))
        .pieces([attacker.sheet.id, target.sheet.id])
}
