//! Submarines move before all ships, in secret. [6.3, 9.2, C-52]

use super::dive::{DivePlan, DiveSheet};
use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::state::{Level, Phase, Running, Sea, State, VesselId};
use crate::game::turn::Stop;
use crate::rule;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Note, Side, Viewer};
use serde::{Deserialize, Serialize};

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiveStage {
    /// Both sides write their sheets.
    Sheets,
    /// These ran on the surface, and their paths are tested against minefields.
    Surfaced(Vec<(VesselId, Vec<Point>)>),
}

impl FleetGame {
    /// The submarines of a side that are not lost.
    pub(in crate::game) fn submarines<'a>(&'a self, sea: &'a Sea, side: Side) -> impl Iterator<Item = VesselId> + 'a {
        sea.all()
            .filter(move |(id, vessel)| {
                let member = self.battle.member(*id);
                member.side == side && member.model.hull == Hull::Submarine && vessel.in_play()
            })
            .map(|(id, _)| id)
    }

    pub(in crate::game) fn begin_submarines(&self, sea: &mut Sea) -> Option<DiveStage> {
        let any = Side::BOTH.into_iter().any(|side| self.submarines(sea, side).next().is_some());
        any.then_some(DiveStage::Sheets)
    }

    pub(in crate::game) fn step_submarines(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let Phase::Submarines(stage) = state.phase.clone() else { return Ok(()) };
        match stage {
            DiveStage::Sheets => {
                let sides = Side::BOTH.into_iter().filter(|side| self.submarines(&state.sea, *side).next().is_some());
                let sheets: Vec<DiveSheet<'_>> =
                    sides.map(|side| DiveSheet { game: self, sea: &state.sea, side }).collect();
                let answers = ask.in_secret(&sheets)?;
                let plans: Vec<DivePlan> =
                    sheets.iter().zip(&answers).flat_map(|(sheet, answer)| sheet.plans(answer)).collect();
                let paths: Vec<(VesselId, Vec<Point>)> =
                    plans.iter().filter_map(|plan| self.dive(&mut state.sea, plan, ask)).collect();
                if paths.is_empty() {
                    self.after(Stop::Submarines, state);
                } else {
                    state.phase = Phase::Submarines(DiveStage::Surfaced(paths));
                }
            }
            DiveStage::Surfaced(paths) => {
                for (id, path) in paths {
                    self.cross_fields(&mut state.sea, id, &path, ask)?;
                }
                self.after(Stop::Submarines, state);
            }
        }
        Ok(())
    }

    /// Carries out the sheet of one submarine; her path, if she ran on the surface.
    fn dive(&self, sea: &mut Sea, plan: &DivePlan, ask: &mut impl Ask) -> Option<(VesselId, Vec<Point>)> {
        let member = self.battle.member(plan.submarine);
        let (was, mm) = (sea.vessel(plan.submarine).level, plan.length());
        let (corners, end) = plan.run(sea.vessel(plan.submarine).at);
        let turn = sea.turn;
        let vessel = sea.vessel_mut(plan.submarine);
        if vessel.seen || was == Level::Surfaced {
            vessel.sighted = Some((vessel.at.at, turn));
        }
        vessel.last_wake = std::mem::replace(&mut vessel.wake, corners.clone());
        vessel.at = end;
        vessel.last_speed = vessel.speed;
        vessel.speed = (mm / i64::from(self.battle.rules.scale.mm_per_knot)) as i32;
        vessel.level = plan.level;
        vessel.seen = plan.level == Level::Surfaced;
        vessel.detected = false;
        ask.note(|| {
            let how = match plan.level {
                Level::Surfaced => "on the surface",
                Level::Periscope => "at periscope depth",
                Level::Deep => "deep",
            };
            let note = Note::new("submarine", format!("{} runs {mm} mm, now {how}", member.name))
                .by(&[rule::S6_3, rule::C_52])
                .pieces([&member.id]);
            let open = plan.level == Level::Surfaced;
            if open { note } else { note.only(Viewer::Seat(member.side.into())) }
        });
        if plan.level == Level::Surfaced && was != Level::Surfaced {
            self.untangle(sea, plan.submarine);
        }
        for shot in &plan.shots {
            let launched = Running {
                by: plan.submarine,
                from: end,
                mode: shot.mode,
                mounts: shot.mounts,
                torpedoes: self.torpedoes_in(sea, plan.submarine, shot.mounts),
                aim: Some(shot.aim),
                could: Vec::new(),
                frozen: None,
                hidden: true,
            };
            let vessel = sea.vessel_mut(plan.submarine);
            vessel.loaded &= !shot.mounts;
            vessel.ledger.launched = true;
            ask.note(|| {
                Note::new("torpedo-launch", format!("{} launches {} torpedoes", member.name, launched.torpedoes))
                    .by(&[rule::C_30, rule::C_52])
                    .pieces([&member.id])
                    .only(Viewer::Seat(member.side.into()))
            });
            sea.running.push(launched);
        }
        let on_the_surface = plan.level == Level::Surfaced && was == Level::Surfaced;
        (on_the_surface && corners.len() > 1).then_some((plan.submarine, corners))
    }
}
