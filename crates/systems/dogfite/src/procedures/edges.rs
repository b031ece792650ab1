//! Position, carryover, edges.

use super::{EDGE, flag, id, maybe, position, procedure, side};
use crate::edge::{self, Aim, EdgeRule, Hold};
use crate::position::{self as place, CellName, Position};
use crate::rule;
use crate::words::{Alliance, ById};
use flagplot_kernel::Refusal;
use flagplot_referee::{About, bool, int, list, map, nullable, or, record, req, word};
use serde::{Deserialize, Serialize};

/// Two aircraft.
#[derive(Deserialize)]
pub(super) struct Pair {
    attacker: Position,
    target: Position,
}

procedure! {
    /// What position gives.
    PositionBonus(Pair) -> place::PositionBonus {
        about: About {
            name: "position-bonus",
            help: "The edge an attacker gains from being behind its target.",
            dice: "none",
            input: record(vec![req("attacker", position(), "the attacker's position"), req("target", position(), "the target's position")]),
            result: record(vec![
                req("cell", word(CellName::WORDS), "the part of the diagram"),
                req("base_bonus", int(0, 10), "what the diagram gives"),
                req("bonus", int(0, 10), "what the levels between them leave of it"),
            ]),
            rules: &[rule::POSITION, rule::C_1, rule::R_9],
        },
        check(_rules, _input) { Ok(()) }
        run(rules, input, ask) { Ok(edge::position_bonus(&rules.diagram, &input.attacker, &input.target, ask)) }
    }
}

#[derive(Deserialize)]
pub(super) struct CarryoverInput {
    attacker: Position,
    target: Position,
    same_target: bool,
    previous_edge: i32,
    targets_carryover_on_you: Option<i32>,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct CarryoverOutput {
    edge: i32,
    divisor: Option<i32>,
    behind: bool,
    rule: EdgeRule,
}

procedure! {
    /// What is carried over.
    Carryover(CarryoverInput) -> CarryoverOutput {
        about: About {
            name: "carryover",
            help: "The edge with which a turn begins, before position.",
            dice: "none",
            input: record(vec![
                req("attacker", position(), "the attacker's position"),
                req("target", position(), "the target's position"),
                req("same_target", bool(), "whether the target is the same as last turn"),
                or("previous_edge", int(EDGE.0, EDGE.1), 0, "the edge at the end of last turn"),
                maybe("targets_carryover_on_you", int(EDGE.0, EDGE.1), "what a new target carries over against this aircraft, if it keeps it as its target"),
            ]),
            result: record(vec![
                req("edge", int(EDGE.0, EDGE.1), "the edge"),
                req("divisor", nullable(int(1, 9999)), "what it was divided by; null for a new target"),
                req("behind", bool(), "whether the target is behind"),
                req("rule", word(EdgeRule::WORDS), "how it came about"),
            ]),
            rules: &[rule::CARRYOVER, rule::R_5, rule::R_6, rule::R_7, rule::R_8, rule::R_10],
        },
        check(_rules, _input) { Ok(()) }
        run(_rules, input, ask) {
            let hold = if input.same_target { Hold::Kept(input.previous_edge) } else { Hold::New(input.targets_carryover_on_you) };
            let carried = edge::carryover(&input.attacker, &input.target, hold, ask);
            Ok(CarryoverOutput { edge: carried.edge, divisor: carried.divisor, behind: carried.behind, rule: carried.rule })
        }
    }
}

/// Where an aircraft of a list is. Refuses what is not there and the aircraft itself.
pub(super) fn find(ids: &[&str], own: &str, target: &str) -> Result<usize, Refusal> {
    if own == target {
        return Err(Refusal::new("self-target", format!("{own} cannot target itself.")).by(rule::TARGETING));
    }
    ids.iter().position(|other| *other == target).ok_or_else(|| {
        Refusal::new("unknown-aircraft", format!("There is no aircraft '{target}' in the list.")).by(rule::TARGETING)
    })
}

/// Refuses an id that is there twice.
pub(super) fn check_ids(ids: &[&str]) -> Result<(), Refusal> {
    match ids.iter().enumerate().find(|(at, id)| ids[..*at].contains(id)) {
        None => Ok(()),
        Some((_, id)) => Err(Refusal::new("duplicate-aircraft", format!("The aircraft '{id}' is in the list twice."))),
    }
}

#[derive(Deserialize)]
pub(super) struct Adjusted {
    id: String,
    side: Alliance,
    position: Position,
    previous_target: Option<String>,
    previous_edge: i32,
    target: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct AdjustmentInput {
    aircraft: Vec<Adjusted>,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct Detail {
    carryover: Option<i32>,
    position: Option<i32>,
    rule: EdgeRule,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct AdjustmentOutput {
    edges: ById<Option<i32>>,
    detail: ById<Detail>,
}

procedure! {
    /// The whole phase.
    EdgeAdjustment(AdjustmentInput) -> AdjustmentOutput {
        about: About {
            name: "edge-adjustment",
            help: "The starting edges of all aircraft: carryover, handicap of new targets, position.",
            dice: "none",
            input: record(vec![req(
                "aircraft",
                list(
                    record(vec![
                        req("id", id(), "its id"),
                        side("side"),
                        req("position", position(), "where it is"),
                        maybe("previous_target", id(), "its target of last turn"),
                        or("previous_edge", int(EDGE.0, EDGE.1), 0, "its edge at the end of last turn"),
                        maybe("target", id(), "its target of this turn"),
                    ]),
                    0,
                    64,
                ),
                "all aircraft",
            )]),
            result: record(vec![
                req("edges", map(nullable(int(EDGE.0, EDGE.1)), 64), "the edge of each; null without an enemy target"),
                req(
                    "detail",
                    map(
                        record(vec![
                            req("carryover", nullable(int(EDGE.0, EDGE.1)), "what was carried over"),
                            req("position", nullable(int(0, 10)), "what position added"),
                            req("rule", word(EdgeRule::WORDS), "how it came about"),
                        ]),
                        64,
                    ),
                    "how each came about",
                ),
            ]),
            rules: &[rule::CARRYOVER, rule::POSITION, rule::R_8, rule::R_9, rule::R_11],
        },
        check(_rules, input) {
            let ids: Vec<&str> = input.aircraft.iter().map(|craft| craft.id.as_str()).collect();
            check_ids(&ids)?;
            input.aircraft.iter().filter_map(|craft| craft.target.as_ref().map(|target| find(&ids, &craft.id, target).map(|_| ()))).collect()
        }
        run(rules, input, ask) {
            let list = &input.aircraft;
            let ids: Vec<&str> = list.iter().map(|craft| craft.id.as_str()).collect();
            let mut targets = Vec::new();
            for craft in list {
                targets.push(match &craft.target {
                    None => None,
                    Some(target) => Some(find(&ids, &craft.id, target)?),
                });
            }
            let hunters: Vec<edge::Hunter> = list
                .iter()
                .zip(&targets)
                .map(|(craft, target)| edge::Hunter {
                    position: craft.position,
                    aim: match target {
                        None => Aim::Nobody,
                        Some(at) if list[*at].side == craft.side => Aim::Friend,
                        Some(at) => Aim::Enemy(*at),
                    },
                    kept: (craft.target.is_some() && craft.target == craft.previous_target).then_some(craft.previous_edge),
                })
                .collect();
            let adjusted = edge::adjustment(&rules.diagram, &hunters, &ids, ask);
            let (mut edges, mut detail) = (ById::default(), ById::default());
            for (craft, start) in list.iter().zip(adjusted) {
                edges.0.push((craft.id.clone(), start.edge()));
                detail.0.push((craft.id.clone(), Detail { carryover: start.carryover, position: start.position, rule: start.rule }));
            }
            Ok(AdjustmentOutput { edges, detail })
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Recorded {
    id: String,
    target: Option<String>,
    edge: Option<i32>,
    formation: bool,
}

#[derive(Deserialize)]
pub(super) struct RecordingInput {
    mover: String,
    bonus: i32,
    aircraft: Vec<Recorded>,
    end_of_phase: bool,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct RecordingOutput {
    changes: ById<i32>,
    edges: ById<Option<i32>>,
}

/// Refuses a formation on nobody, or on an aircraft that itself follows.
pub(super) fn bad_formation(text: &str) -> Refusal {
    Refusal::new("bad-formation", text).by(rule::R_12)
}

procedure! {
    /// One bonus.
    EdgeRecording(RecordingInput) -> RecordingOutput {
        about: About {
            name: "edge-recording",
            help: "What a bonus of one aircraft does to everybody's edge.",
            dice: "none",
            input: record(vec![
                req("mover", id(), "who gains"),
                req("bonus", int(0, 999), "how much"),
                req(
                    "aircraft",
                    list(
                        record(vec![
                            req("id", id(), "its id"),
                            maybe("target", id(), "its target"),
                            maybe("edge", int(EDGE.0, EDGE.1), "its edge"),
                            flag("formation", "whether the target is its formation leader"),
                        ]),
                        0,
                        64,
                    ),
                    "all aircraft",
                ),
                flag("end_of_phase", "whether movement is over, so that no edge stays above 10"),
            ]),
            result: record(vec![
                req("changes", map(int(EDGE.0, EDGE.1), 64), "how much each edge changes"),
                req("edges", map(nullable(int(EDGE.0, EDGE.1)), 64), "each edge after it; null without an enemy target"),
            ]),
            rules: &[rule::EDGE_RECORDING, rule::R_53, rule::R_54],
        },
        check(_rules, input) {
            let ids: Vec<&str> = input.aircraft.iter().map(|craft| craft.id.as_str()).collect();
            check_ids(&ids)?;
            if !ids.contains(&input.mover.as_str()) {
                return Err(Refusal::new("unknown-aircraft", format!("There is no aircraft '{}' in the list.", input.mover)));
            }
            for craft in &input.aircraft {
                match &craft.target {
                    None if craft.formation => return Err(bad_formation("A formation needs a leader.")),
                    None => {}
                    Some(target) => {
                        let leader = find(&ids, &craft.id, target)?;
                        if craft.formation && input.aircraft[leader].formation {
                            return Err(bad_formation("A leader follows nobody."));
                        }
                    }
                }
            }
            Ok(())
        }
        run(_rules, input, ask) {
            let ids: Vec<&str> = input.aircraft.iter().map(|craft| craft.id.as_str()).collect();
            let mut aims = Vec::new();
            for craft in &input.aircraft {
                aims.push(match &craft.target {
                    None => Aim::Nobody,
                    Some(_) if craft.formation => Aim::Friend,
                    Some(target) => Aim::Enemy(find(&ids, &craft.id, target)?),
                });
            }
            let mover = ids.iter().position(|id| *id == input.mover).unwrap_or(0);
            let changes = edge::recording(mover, input.bonus, &aims, ask);
            let (mut changed, mut edges) = (ById::default(), ById::default());
            for ((craft, aim), change) in input.aircraft.iter().zip(&aims).zip(changes) {
                let after = matches!(aim, Aim::Enemy(_)).then(|| craft.edge.unwrap_or(0) + change);
                changed.0.push((craft.id.clone(), change));
                edges.0.push((craft.id.clone(), after.map(|edge| if input.end_of_phase { edge::capped(edge, &craft.id, ask) } else { edge })));
            }
            Ok(RecordingOutput { changes: changed, edges })
        }
    }
}
