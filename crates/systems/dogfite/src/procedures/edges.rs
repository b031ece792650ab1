//! Position, carryover, edges.

use crate::Rules;
use crate::edge::{self, Aim, Hold, StartingEdge};
use crate::position::{self, Position};
use crate::refusals::Barred;
use crate::rule;
use crate::who::Who;
use crate::words::{Alliance, ById};
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_referee::{Procedure, Shaped};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, Shaped)]
pub(super) struct Pair {
    /// The attacker's position.
    attacker: Position,
    /// The target's position.
    target: Position,
}

pub(super) struct PositionBonus(pub Arc<Rules>);

impl Procedure for PositionBonus {
    const NAME: &'static str = "position-bonus";
    const HELP: &'static str = "The edge an attacker gains from being behind its target.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::POSITION, rule::C_1, rule::R_9];
    type Input = Pair;
    type Facts = Pair;
    type Output = position::PositionBonus;

    fn read(&self, pair: Pair) -> Result<Pair, Refusal> {
        Ok(pair)
    }

    fn run(&self, pair: &Pair, ask: &mut impl Ask) -> Asked<Self::Output> {
        Ok(edge::position_bonus(&self.0.diagram, &pair.attacker, &pair.target, ask))
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct CarryoverInput {
    #[serde(flatten)]
    pair: Pair,
    /// Whether the target is the same as last turn.
    same_target: bool,
    /// The edge at the end of last turn.
    #[shape(-999..=999, or = 0)]
    previous_edge: i32,
    /// What a new target carries over against this aircraft, if it keeps it as its target.
    #[shape(-999..=999, null, or = null)]
    targets_carryover_on_you: Option<i32>,
}

pub(super) struct Carryover;

impl Procedure for Carryover {
    const NAME: &'static str = "carryover";
    const HELP: &'static str = "The edge with which a turn begins, before position.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::CARRYOVER, rule::R_5, rule::R_6, rule::R_7, rule::R_8, rule::R_10];
    type Input = CarryoverInput;
    type Facts = (Pair, Hold);
    type Output = edge::Carryover;

    fn read(&self, input: CarryoverInput) -> Result<Self::Facts, Refusal> {
        let hold =
            if input.same_target { Hold::Kept(input.previous_edge) } else { Hold::New(input.targets_carryover_on_you) };
        Ok((input.pair, hold))
    }

    fn run(&self, (pair, hold): &Self::Facts, ask: &mut impl Ask) -> Asked<edge::Carryover> {
        Ok(edge::carryover(&pair.attacker, &pair.target, *hold, ask))
    }
}

/// The ids of a list of aircraft.
pub(super) struct Ids(pub Vec<String>);

impl Ids {
    /// Notes an id that appears twice.
    pub fn new<'a>(ids: impl Iterator<Item = &'a String>, reasons: &mut Vec<Refusal>) -> Ids {
        let ids: Vec<String> = ids.cloned().collect();
        for (at, id) in ids.iter().enumerate() {
            if ids[..at].contains(id) {
                reasons.push(Refusal::new("duplicate-aircraft", format!("The aircraft '{id}' is in the list twice.")));
            }
        }
        Ids(ids)
    }

    /// Where an aircraft is.
    pub fn find(&self, id: &str) -> Result<usize, Refusal> {
        self.0.iter().position(|other| other == id).ok_or_else(|| {
            Refusal::new("unknown-aircraft", format!("There is no aircraft '{id}' in the list.")).by(rule::TARGETING)
        })
    }

    /// Where a target is; it must be another aircraft. Notes what is wrong.
    pub fn target(&self, own: &str, target: Option<&String>, reasons: &mut Vec<Refusal>) -> Option<usize> {
        let target = target?;
        let found = if own == target { Err(Barred::OwnTarget.into()) } else { self.find(target) };
        found.map_err(|refusal| reasons.push(refusal)).ok()
    }

    pub fn names(&self) -> Vec<Who<'_>> {
        self.0.iter().map(|id| Who::from(id.as_str())).collect()
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct Adjusted {
    /// Its name.
    #[shape(chars = 40)]
    id: String,
    /// Its side.
    side: Alliance,
    /// Where it is.
    position: Position,
    /// Its target of last turn.
    #[shape(chars = 40, null, or = null)]
    previous_target: Option<String>,
    /// Its edge at the end of last turn.
    #[shape(-999..=999, or = 0)]
    previous_edge: i32,
    /// Its target of this turn.
    #[shape(chars = 40, null, or = null)]
    target: Option<String>,
}

#[derive(Deserialize, Shaped)]
pub(super) struct AdjustmentInput {
    /// All aircraft.
    #[shape(items = 0..=64)]
    aircraft: Vec<Adjusted>,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct AdjustmentOutput {
    /// The edge of each; null without an enemy target.
    #[shape(-999..=999)]
    edges: ById<Option<i32>>,
    /// How each came about.
    detail: ById<StartingEdge>,
}

pub(super) struct EdgeAdjustment(pub Arc<Rules>);

impl Procedure for EdgeAdjustment {
    const NAME: &'static str = "edge-adjustment";
    const HELP: &'static str = "The starting edges of all aircraft: carryover, handicap of new targets, position.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::CARRYOVER, rule::POSITION, rule::R_8, rule::R_9, rule::R_11];
    type Input = AdjustmentInput;
    type Facts = (Ids, Vec<edge::Hunter>);
    type Output = AdjustmentOutput;

    fn read(&self, AdjustmentInput { aircraft: list }: AdjustmentInput) -> Result<Self::Facts, Refusal> {
        let mut reasons = Vec::new();
        let ids = Ids::new(list.iter().map(|craft| &craft.id), &mut reasons);
        let hunters = list.iter().map(|craft| edge::Hunter {
            position: craft.position,
            aim: match ids.target(&craft.id, craft.target.as_ref(), &mut reasons) {
                None => Aim::Nobody,
                Some(at) if list[at].side == craft.side => Aim::Friend,
                Some(at) => Aim::Enemy(at),
            },
            kept: (craft.target.is_some() && craft.target == craft.previous_target).then_some(craft.previous_edge),
        });
        let hunters = hunters.collect();
        Refusal::all(reasons)?;
        Ok((ids, hunters))
    }

    fn run(&self, (ids, hunters): &Self::Facts, ask: &mut impl Ask) -> Asked<AdjustmentOutput> {
        let starts = edge::adjustment(&self.0.diagram, hunters, &ids.names(), ask);
        let named = || ids.0.iter().cloned().zip(&starts);
        Ok(AdjustmentOutput {
            edges: named().map(|(id, start)| (id, start.edge())).collect(),
            detail: named().map(|(id, start)| (id, *start)).collect(),
        })
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct Recorded {
    /// Its name.
    #[shape(chars = 40)]
    id: String,
    /// Its target.
    #[shape(chars = 40, null, or = null)]
    target: Option<String>,
    /// Its edge.
    #[shape(-999..=999, null, or = null)]
    edge: Option<i32>,
    /// Whether the target is its formation leader.
    #[shape(or = false)]
    formation: bool,
}

#[derive(Deserialize, Shaped)]
pub(super) struct RecordingInput {
    /// The aircraft that gains.
    #[shape(chars = 40)]
    mover: String,
    /// What it gains.
    #[shape(0..=999)]
    bonus: i32,
    /// All aircraft.
    #[shape(items = 0..=64)]
    aircraft: Vec<Recorded>,
    /// Whether movement is over, so that no edge stays above 10.
    #[shape(or = false)]
    end_of_phase: bool,
}

pub(super) struct Recording {
    ids: Ids,
    mover: usize,
    bonus: i32,
    aims: Vec<Aim<usize>>,
    edges: Vec<Option<i32>>,
    end_of_phase: bool,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct RecordingOutput {
    /// How much each edge changes.
    #[shape(-999..=999)]
    changes: ById<i32>,
    /// Each edge after it; null without an enemy target.
    #[shape(-999..=999)]
    edges: ById<Option<i32>>,
}

pub(super) struct EdgeRecording;

impl Procedure for EdgeRecording {
    const NAME: &'static str = "edge-recording";
    const HELP: &'static str = "What a bonus of one aircraft does to every edge.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::EDGE_RECORDING, rule::R_53, rule::R_54];
    type Input = RecordingInput;
    type Facts = Recording;
    type Output = RecordingOutput;

    fn read(
        &self,
        RecordingInput { mover, bonus, aircraft, end_of_phase }: RecordingInput,
    ) -> Result<Recording, Refusal> {
        let mut reasons = Vec::new();
        let ids = Ids::new(aircraft.iter().map(|craft| &craft.id), &mut reasons);
        let mover = ids.find(&mover).map_err(|refusal| reasons.push(refusal)).unwrap_or_default();
        let mut aims = Vec::new();
        for craft in &aircraft {
            let target = ids.target(&craft.id, craft.target.as_ref(), &mut reasons);
            match target {
                None if craft.formation && craft.target.is_none() => reasons.push(Barred::NoLeader.into()),
                Some(at) if craft.formation && aircraft[at].formation => reasons.push(Barred::LeaderFollows.into()),
                _ => {}
            }
            aims.push(match target {
                None => Aim::Nobody,
                Some(_) if craft.formation => Aim::Friend,
                Some(at) => Aim::Enemy(at),
            });
        }
        Refusal::all(reasons)?;
        let edges = aircraft.iter().zip(&aims);
        let edges = edges.map(|(craft, aim)| matches!(aim, Aim::Enemy(_)).then(|| craft.edge.unwrap_or(0))).collect();
        Ok(Recording { ids, mover, bonus, aims, edges, end_of_phase })
    }

    fn run(&self, facts: &Recording, ask: &mut impl Ask) -> Asked<RecordingOutput> {
        let changes = edge::recording(facts.mover, facts.bonus, &facts.aims, ask);
        let after = facts.ids.names().into_iter().zip(&facts.edges).zip(&changes).map(|((who, edge), change)| {
            let edge = edge.map(|edge| edge + change);
            let edge = edge.map(|edge| if facts.end_of_phase { edge::capped(edge, who, ask) } else { edge });
            (who.id.to_owned(), edge)
        });
        Ok(RecordingOutput { edges: after.collect(), changes: facts.ids.0.iter().cloned().zip(changes).collect() })
    }
}
