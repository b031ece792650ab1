//! The edge: what is carried over, what position adds, and who loses what another gains. (Edge adjustment, Edge
//! recording)

use crate::position::{Bearing, Diagram, Position, PositionBonus};
use crate::rule;
use crate::who::Who;
use crate::words::{divided_up, signed};
use flagplot_kernel::{Ask, Modifier, Note};
use flagplot_referee::{Shaped, words};
use serde::Serialize;

/// No edge is above this at the end of movement.
pub const MOST: i32 = 10;

/// How a starting edge came about.
#[words]
pub enum EdgeRule {
    Kept,
    KeptTargetBehind,
    New,
    NewHandicap,
    NoTarget,
    Friend,
}

impl EdgeRule {
    fn because(self) -> &'static str {
        match self {
            EdgeRule::Kept => "the same target",
            EdgeRule::KeptTargetBehind => "its target has got behind it",
            EdgeRule::New => "a new target",
            EdgeRule::NewHandicap => "a new target, which has an edge over it",
            EdgeRule::NoTarget => "no target",
            EdgeRule::Friend => "it follows a friend",
        }
    }
}

/// Last turn's edge over the same target, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The same target with this edge at the end of last turn.
    Kept(i32),
    /// A new target, which itself carries over this much against the aircraft, if it keeps it as its target.
    New(Option<i32>),
}

/// An edge carried into the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Carryover {
    /// The edge.
    #[shape(-999..=999)]
    pub edge: i32,
    /// What it was divided by; null for a new target.
    #[shape(1..=9999)]
    pub divisor: Option<i32>,
    /// Whether the target is behind.
    pub behind: bool,
    /// How it came about.
    pub rule: EdgeRule,
}

/// What an edge is divided by: the range, with a hex for every two levels, at least 1. (Carryover)
fn divisor(attacker: &Position, target: &Position) -> i32 {
    (attacker.hexes_to(target) + attacker.levels_to(target) / 2).max(1)
}

/// The edge with which the turn begins, before position, without a trace.
pub fn carried(attacker: &Position, target: &Position, hold: Hold) -> Carryover {
    let behind = attacker.bearing(target.hex) == Bearing::Behind;
    let divisor = matches!(hold, Hold::Kept(_)).then(|| divisor(attacker, target));
    let (edge, rule) = match hold {
        Hold::Kept(edge) if edge > 0 && behind => (0, EdgeRule::KeptTargetBehind),
        Hold::Kept(edge) => (divided_up(edge, divisor.unwrap_or(1)), EdgeRule::Kept),
        Hold::New(Some(theirs)) if theirs > 0 => (-theirs, EdgeRule::NewHandicap),
        Hold::New(_) => (0, EdgeRule::New),
    };
    Carryover { edge, divisor, behind, rule }
}

/// The edge with which the turn begins, before position. (Edge adjustment)
pub fn carryover(attacker: &Position, target: &Position, hold: Hold, ask: &mut impl Ask) -> Carryover {
    let carried = carried(attacker, target, hold);
    ask.note(|| {
        let (text, rules): (_, &[_]) = match (carried.rule, hold) {
            (EdgeRule::KeptTargetBehind, _) => {
                ("The target has got behind: nothing is carried over.".to_owned(), &[rule::R_10, rule::R_6])
            }
            (_, Hold::Kept(edge)) => {
                let divisor = carried.divisor.unwrap_or(1);
                let rules = &[rule::R_6, rule::R_5, rule::R_7];
                (
                    format!("Edge {edge} carried over at range {divisor}: {}.", carried.edge),
                    if edge < 0 { rules } else { &rules[1..] },
                )
            }
            (EdgeRule::NewHandicap, _) => {
                (format!("The new target has an edge over it: {}.", signed(carried.edge)), &[rule::R_8])
            }
            _ => ("A new target: nothing is carried over.".to_owned(), &[rule::R_8]),
        };
        Note::new("carryover", text).detail().by(&[rule::CARRYOVER]).by(rules).outcome(carried.edge)
    });
    carried
}

/// What position adds to the edge. (Position)
pub fn position_bonus(diagram: &Diagram, attacker: &Position, target: &Position, ask: &mut impl Ask) -> PositionBonus {
    let bonus = diagram.bonus(attacker, target);
    ask.note(|| {
        let note = Note::new("position", format!("Position {}: {}.", bonus.cell, signed(bonus.bonus)))
            .detail()
            .by(&[rule::POSITION, rule::C_1, rule::R_9, rule::C_2])
            .table("position", bonus.cell, "bonus")
            .modifier(Modifier::new("diagram", bonus.base_bonus.into(), rule::C_1))
            .outcome(bonus.bonus);
        if bonus.bonus == bonus.base_bonus {
            note
        } else {
            note.modifier(Modifier::new("levels between", (bonus.bonus - bonus.base_bonus).into(), rule::C_1))
        }
    });
    bonus
}

/// An edge at the end of movement. (Edge recording)
pub fn capped(edge: i32, who: Who<'_>, ask: &mut impl Ask) -> i32 {
    if edge > MOST {
        ask.note(|| {
            Note::new("edge-cap", format!("{who}: edge {edge} is cut to {MOST}."))
                .detail()
                .by(&[rule::EDGE_RECORDING])
                .outcome(MOST)
                .pieces([who.id])
        });
    }
    edge.min(MOST)
}

/// Whom an aircraft targets, as far as edges are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim<Id> {
    Nobody,
    /// It flies in formation.
    Friend,
    Enemy(Id),
}

/// What a bonus of the mover takes off the edge of an aircraft that targets it. Every share is rounded by itself. (Edge
/// recording; R-53)
pub fn loss_to<Id: PartialEq>(bonus: i32, mover_aims: Aim<Id>, hunter: Id) -> i32 {
    match mover_aims {
        Aim::Enemy(target) if target == hunter => bonus,
        Aim::Enemy(_) | Aim::Friend => divided_up(bonus, 4),
        Aim::Nobody => divided_up(bonus, 2),
    }
}

/// The change of every edge when `mover` gains `bonus`. An aircraft without an enemy target has no edge and does not
/// change.
pub fn recording(mover: usize, bonus: i32, aims: &[Aim<usize>], ask: &mut impl Ask) -> Vec<i32> {
    let mut changes = vec![0; aims.len()];
    let Some(&own) = aims.get(mover).filter(|_| bonus > 0) else { return changes };
    for (at, (change, aim)) in changes.iter_mut().zip(aims).enumerate() {
        *change = match aim {
            Aim::Enemy(_) if at == mover => bonus,
            Aim::Enemy(target) if *target == mover => -loss_to(bonus, own, at),
            _ => 0,
        };
    }
    ask.note(|| {
        let (share, rules): (_, &[_]) = match own {
            Aim::Nobody => ("half of it from each pursuer", &[]),
            Aim::Friend => ("a quarter of it from each pursuer", &[rule::R_11]),
            Aim::Enemy(_) => ("all of it from the target and a quarter from other pursuers", &[rule::R_54]),
        };
        Note::new("edge-recording", format!("A gain of {bonus} takes {share}."))
            .detail()
            .by(&[rule::EDGE_RECORDING, rule::R_53])
            .by(rules)
            .outcome(serde_json::json!(changes))
    });
    changes
}

/// What the edge adjustment needs to know of an aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hunter {
    pub position: Position,
    pub aim: Aim<usize>,
    /// Last turn's edge, if it has kept its target.
    pub kept: Option<i32>,
}

/// A starting edge and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct StartingEdge {
    /// What was carried over, handicap included; null without an enemy target.
    #[shape(-999..=999)]
    pub carryover: Option<i32>,
    /// What position added.
    #[shape(0..=10)]
    pub position: Option<i32>,
    /// How it came about.
    pub rule: EdgeRule,
}

impl StartingEdge {
    pub fn edge(&self) -> Option<i32> {
        Some(self.carryover? + self.position?)
    }
}

/// The starting edges of all aircraft: carryover of kept targets, handicap of new ones, then position. (Edge
/// adjustment)
pub fn adjustment(diagram: &Diagram, hunters: &[Hunter], names: &[Who<'_>], ask: &mut impl Ask) -> Vec<StartingEdge> {
    let kept_carryover = |at: usize, target: usize| {
        let (hunter, prey) = (hunters.get(at)?, hunters.get(target)?);
        Some(carried(&hunter.position, &prey.position, Hold::Kept(hunter.kept?)).edge)
    };
    let mut starts = Vec::with_capacity(hunters.len());
    for (at, hunter) in hunters.iter().enumerate() {
        let start = match hunter.aim {
            Aim::Nobody => StartingEdge { carryover: None, position: None, rule: EdgeRule::NoTarget },
            Aim::Friend => StartingEdge { carryover: None, position: None, rule: EdgeRule::Friend },
            Aim::Enemy(target) => {
                let prey = &hunters[target];
                let hold = match hunter.kept {
                    Some(edge) => Hold::Kept(edge),
                    None => Hold::New(if prey.aim == Aim::Enemy(at) { kept_carryover(target, at) } else { None }),
                };
                let carried = carryover(&hunter.position, &prey.position, hold, ask);
                let bonus = position_bonus(diagram, &hunter.position, &prey.position, ask);
                StartingEdge { carryover: Some(carried.edge), position: Some(bonus.bonus), rule: carried.rule }
            }
        };
        ask.note(|| {
            let who = names[at];
            let rules: &[_] = if start.rule == EdgeRule::Friend { &[rule::R_11] } else { &[] };
            let text = match start.edge() {
                Some(edge) => format!("{who} starts with edge {} ({}).", signed(edge), start.rule.because()),
                None => format!("{who} has no edge ({}).", start.rule.because()),
            };
            let outcome = serde_json::json!(start.edge());
            Note::new("starting-edge", text).by(&[rule::CARRYOVER]).by(rules).outcome(outcome).pieces([who.id])
        });
        starts.push(start);
    }
    starts
}
