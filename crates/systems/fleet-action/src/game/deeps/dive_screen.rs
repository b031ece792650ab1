//! How the sheet of submarines is put to a person, and random sheets for playouts. [9.2]

use super::dive::{DiveEntry, DivePlan, DiveSheet, STRAIGHT_MM};
use crate::game::moving::torpedoes::Shot;
use crate::game::state::{Aim, AimPoint, Level, VesselId};
use crate::rule;
use crate::torpedo::check_size;
use crate::words::{Leave, Mode};
use flagplot_kernel::course::{Course, Leg};
use flagplot_kernel::{Candidate, Chance, Choice, Form, FormItem, FormPart, OptionView, Prompt, Screen};
use serde_json::{Value, json};

/// A depth in words.
pub(in crate::game) fn words(level: Level) -> &'static str {
    match level {
        Level::Surfaced => "on the surface",
        Level::Periscope => "at periscope depth",
        Level::Deep => "deep",
    }
}

impl DiveSheet<'_> {
    pub(in crate::game) fn entry(&self, plan: &DivePlan) -> DiveEntry {
        DiveEntry {
            ship: self.game.battle.member(plan.submarine).id.clone(),
            depth: Some(plan.level),
            speed: i32::try_from(plan.length() / self.knot()).ok(),
            orders: plan.legs.clone(),
            torpedoes: Vec::new(),
        }
    }

    /// How far a knot carries a vessel.
    fn knot(&self) -> i64 {
        i64::from(self.game.battle.rules.scale.mm_per_knot).max(1)
    }

    /// A run of about this length, in whole knots, with a turn as early as the rules allow.
    pub(in crate::game) fn course_plan(&self, id: VesselId, level: Level, turn: i32, mm: i64) -> DivePlan {
        let mm = mm - mm % self.knot();
        let mut legs = Vec::with_capacity(3);
        if turn != 0 && mm >= STRAIGHT_MM {
            legs.extend([Leg::Ahead(STRAIGHT_MM), Leg::Turn(turn), Leg::Ahead(mm - STRAIGHT_MM)]);
        } else if mm > 0 {
            legs.push(Leg::Ahead(mm));
        }
        DivePlan { submarine: id, level, legs, shots: Vec::new() }
    }

    fn part(&self, id: VesselId) -> FormPart {
        let (game, sea) = (self.game, self.sea);
        let (member, vessel) = (game.battle.member(id), sea.vessel(id));
        let depths = self.depths(id);
        let options = depths.iter().map(|level| OptionView::new(json!(level), words(*level)));
        let depth = FormItem { id: "depth".into(), label: "Depth".into(), options: options.collect() };
        let ways = self.torpedo_ways(id);
        let mut items = vec![depth];
        if ways.len() > 1 {
            items.push(FormItem { id: "torpedoes".into(), label: "Torpedoes".into(), options: ways });
        }
        let scale = self.knot();
        let most = depths.iter().map(|level| self.reach(id, *level)).max().unwrap_or(0) / scale;
        let course = Course {
            piece: member.id.to_string(),
            from: vessel.at.at.point().into(),
            heading: vessel.at.heading.degrees(),
            speeds: [0, most],
            scale,
            run: STRAIGHT_MM,
            turn: 180,
            items,
        };
        let mut part = FormPart::new(member.id.as_str(), &member.name, Form::Course(course));
        part.left_out = "stays where she is".into();
        part
    }

    /// Aimed launches at every enemy in sight, with each loaded mount or all of them, at every setting. Whether they
    /// bear depends on the course.
    fn torpedo_ways(&self, id: VesselId) -> Vec<OptionView> {
        let (game, sea) = (self.game, self.sea);
        let loaded = game.tubes(sea, id);
        let mut salvoes: Vec<u32> = (0..32).map(|at| loaded & 1 << at).filter(|mount| *mount != 0).collect();
        if salvoes.len() > 1 {
            salvoes.insert(0, loaded);
        }
        let targets = game.enemies(sea, self.side).filter(|ship| check_size(game.battle.model(*ship).size()).is_ok());
        let mut ways = vec![OptionView::new(Value::Null, "no torpedoes")];
        for target in targets {
            for &mounts in &salvoes {
                for setting in 0..game.settings(id).len() {
                    let aim = Aim { at: AimPoint::Vessel(target), setting: setting as u8 };
                    let shot = Shot { by: id, mounts, mode: Mode::Aimed, aim, leave: Leave::Allowed };
                    ways.push(OptionView::new(json!([game.declared(&shot)]), game.shot_label(sea, &shot)));
                }
            }
        }
        ways
    }
}

impl Screen for DiveSheet<'_> {
    fn prompt(&self) -> Prompt {
        let names: Vec<&str> = self.submarines().iter().map(|id| self.game.battle.member(*id).name.as_str()).collect();
        let text = format!("{}: what course, what depth, any torpedoes?", names.join(", "));
        Prompt::new("dive", text, rule::S6_3).confirm()
    }

    fn candidates(&self) -> Vec<Candidate<Vec<DiveEntry>>> {
        let mut candidates = vec![Candidate::new(self.game.dive_instinct(self), "Suggested course")];
        for level in [Level::Periscope, Level::Deep, Level::Surfaced] {
            let can = |id: &VesselId| self.depths(*id).contains(&level);
            let entries: Vec<DiveEntry> = self
                .submarines()
                .into_iter()
                .filter(can)
                .map(|id| self.course_plan(id, level, 0, self.reach(id, level)))
                .filter(|plan| self.read_one(&self.entry(plan)).is_ok())
                .map(|plan| self.entry(&plan))
                .collect();
            if !entries.is_empty() && candidates.iter().all(|known| known.value != entries) {
                candidates.push(Candidate::new(entries, format!("Straight ahead, {}", words(level))));
            }
        }
        candidates.push(Candidate::new(Vec::new(), "Lie still"));
        candidates
    }

    fn form(&self) -> Form {
        Form::Sheet { key: "ship".into(), parts: self.submarines().iter().map(|id| self.part(*id)).collect() }
    }
}

impl Choice for DiveSheet<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<DiveEntry> {
        let mut entries = Vec::new();
        for id in self.submarines() {
            let depths = self.depths(id);
            let level = depths[chance.below(depths.len() as u32) as usize];
            let turn = 15 * (chance.below(25) as i32 - 12);
            let mm = i64::from(chance.below(self.reach(id, level) as u32 + 1));
            let plan = self.course_plan(id, level, turn, mm);
            let mut entry = self.entry(&plan);
            if self.read_one(&entry).is_err() {
                continue;
            }
            if level != Level::Deep && chance.below(3) == 0 && self.sea.vessel(id).loaded != 0 {
                let moved = self.moved(&plan);
                let shots = self.game.submarine_shots(self, &moved, id);
                if let Some(shot) = shots.get(chance.below(shots.len() as u32) as usize) {
                    entry.torpedoes.push(self.game.declared(shot));
                }
            }
            entries.push(entry);
        }
        entries
    }

    fn instinct(&self, _: &mut Chance) -> Vec<DiveEntry> {
        self.game.dive_instinct(self)
    }
}
