//! How orders and torpedoes are asked for. [C-36, C-37, C-38]

use super::orders::{Entry, Orders, Plan};
use super::signals::Signal;
use super::torpedoes::{Declaration, TorpedoSheet};
use crate::game::battle::Hull;
use crate::game::state::VesselId;
use crate::rule;
use crate::words::*;
use flagplot_kernel::course::Course;
use flagplot_kernel::plane::Point;
use flagplot_kernel::scene::{Piece, Place};
use flagplot_kernel::{
    Candidate, Chance, Choice, Decision, Form, FormItem, FormPart, FormPlace, OptionView, Prompt, Region, Screen,
};
use serde_json::{Value, json};

impl Orders<'_> {
    fn entries(&self, plans: &[Plan]) -> Vec<Entry> {
        plans.iter().map(|plan| self.entry(plan)).collect()
    }

    fn course(&self, ship: VesselId) -> Course {
        let (game, sea) = (self.game, self.sea);
        let vessel = sea.vessel(ship);
        let (slowest, fastest) = game.mover(sea, ship).speeds();
        let mut items = Vec::new();
        if game.may_smoke(sea, ship, fastest).is_ok() {
            items.push(FormItem {
                id: "smoke".into(),
                label: "Smoke".into(),
                options: vec![OptionView::new(Value::Null, "no smoke"), OptionView::new(true, "make smoke")],
            });
        }
        Course {
            piece: game.battle.member(ship).id.to_string(),
            from: vessel.at.at.point().into(),
            heading: vessel.at.heading.degrees(),
            speeds: [slowest.into(), fastest.into()],
            scale: game.battle.rules.scale.mm_per_knot.into(),
            run: game.straight_run(ship),
            turn: game.battle.rules.movement.turn_limit_deg,
            items,
        }
    }

    /// A random legal plan of one ship, with those that moved on paper before her.
    fn any_plan(&self, paper: &[(VesselId, Point)], ship: VesselId, chance: &mut Chance) -> Option<Plan> {
        let (game, sea) = (self.game, self.sea);
        let (slowest, fastest) = game.mover(sea, ship).speeds();
        let spread = (fastest - slowest).max(0);
        // Mostly near the highest speed: battles are not fought lying still.
        let slower = chance.below(1 + spread as u32) as i32 * chance.below(3) as i32 / 2;
        let speed = (fastest - slower).max(slowest);
        let turn = 15 * (chance.below(13) as i32 - 6);
        let mut plan = self.turn_plan(ship, speed, turn);
        plan.smoke = chance.below(8) == 0 && game.may_smoke(sea, ship, speed).is_ok();
        game.lawful(sea, paper, &plan).is_ok().then_some(plan)
    }
}

impl Screen for Orders<'_> {
    fn prompt(&self) -> Prompt {
        let battle = &self.game.battle;
        match self.only {
            Some(ship) => {
                let text =
                    format!("{}'s orders can no longer be carried out. What does she do?", battle.member(ship).name);
                Prompt::new("orders", text, rule::C_36)
            }
            None => {
                let text = format!("What are the orders of {}?", battle.squad(self.squadron).name);
                Prompt::new("orders", text, rule::C_36)
            }
        }
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Entry>>> {
        let ships = self.ships();
        let alone = match ships.as_slice() {
            [ship] => Some(self.sea.vessel(*ship).at.heading),
            _ => None,
        };
        // Instinct reads the enemy's ships too, so it is shown only what this side knows of them.
        let seen = self.game.seen_by(self.sea, self.game.battle.squad(self.squadron).side);
        let best = self.game.orders_instinct(&Orders { sea: &seen, ..*self }, &mut Chance::seeded(0));
        let mut candidates = vec![Candidate::new(best, "Suggested orders")];
        for signal in self.signals(&ships) {
            let entries = self.entries(&self.work_out(&ships, signal));
            let again = candidates.iter().skip(1).any(|known| known.value == entries);
            if !entries.is_empty() && !again {
                candidates.push(Candidate::new(entries, signal.words(alone)));
            }
        }
        candidates
    }

    fn form(&self) -> Form {
        let ships = self.ships();
        let plans = self.work_out(&ships, Signal::Keep);
        let part = |ship: &VesselId| {
            let member = self.game.battle.member(*ship);
            let mut part = FormPart::new(member.id.as_str(), &member.name, Form::Course(self.course(*ship)));
            if let Some(plan) = plans.iter().find(|plan| plan.vessel == *ship) {
                part.begins.push(json!({"speed": plan.speed, "orders": plan.legs}));
            }
            part.left_out = "keeps her course and speed".into();
            part
        };
        Form::Sheet { key: "ship".into(), parts: ships.iter().map(part).collect() }
    }
}

impl Choice for Orders<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Entry> {
        let ships = self.ships();
        let mut paper: Vec<(VesselId, Point)> = Vec::with_capacity(ships.len());
        let mut entries = Vec::with_capacity(ships.len());
        for ship in ships {
            if let Some(plan) = self.any_plan(&paper, ship, chance) {
                paper.push((ship, self.game.end(self.sea, &plan).at.point()));
                entries.push(self.entry(&plan));
            }
        }
        entries
    }

    fn instinct(&self, chance: &mut Chance) -> Vec<Entry> {
        self.game.orders_instinct(self, chance)
    }
}

impl TorpedoSheet<'_> {
    /// The ships that can launch.
    pub(in crate::game) fn ships(&self) -> Vec<VesselId> {
        self.game.may_launch(self.sea, self.squadron).collect()
    }

    /// Mounts as their numbers on the data sheet.
    pub(in crate::game) fn numbers(&self, ship: VesselId, mounts: u32) -> Vec<u8> {
        match self.game.battle.model(ship).hull {
            Hull::Boats => Vec::new(),
            _ => (0..32_u8).filter(|at| mounts >> at & 1 == 1).map(|at| at + 1).collect(),
        }
    }

    /// Everything of a ship that bears, at an enemy, at a setting.
    pub(in crate::game) fn aimed(&self, ship: VesselId, target: VesselId, setting: usize) -> Declaration {
        let mounts = self.game.tubes_bearing(self.sea, ship, self.game.point(self.sea, target));
        Declaration {
            ship: self.game.battle.member(ship).id.clone(),
            mounts: self.numbers(ship, mounts),
            mode: Mode::Aimed,
            target: Some(self.game.battle.member(target).id.clone()),
            point: None,
            setting: setting as u8 + 1,
        }
    }

    /// Everything of a ship that bears, into an area, at a setting.
    pub(in crate::game) fn spread(&self, ship: VesselId, point: Point, setting: usize) -> Declaration {
        let mounts = self.game.tubes_bearing(self.sea, ship, point);
        Declaration {
            ship: self.game.battle.member(ship).id.clone(),
            mounts: self.numbers(ship, mounts),
            mode: Mode::WideSpread,
            target: None,
            point: Some(point),
            setting: setting as u8 + 1,
        }
    }

    /// The aimed launches that a ship can declare, everything that bears at each enemy, at the fastest setting that
    /// reaches.
    pub(in crate::game) fn aims(&self, ship: VesselId) -> Vec<(VesselId, Declaration)> {
        let side = self.game.battle.member(ship).side;
        let enemies = self.game.enemies(self.sea, side);
        let best = |target: VesselId| {
            let settings = 0..self.game.settings(ship).len();
            settings.map(|setting| self.aimed(ship, target, setting)).find(|declared| self.read(declared).is_ok())
        };
        enemies.filter_map(|target| Some((target, best(target)?))).collect()
    }

    fn mount_item(&self, ship: VesselId) -> FormItem {
        let loaded = self.game.tubes(self.sea, ship);
        let model = self.game.battle.model(ship);
        let mut sets: Vec<(Vec<u8>, String)> = Vec::new();
        if model.hull == Hull::Boats {
            let count = self.game.torpedoes_in(self.sea, ship, loaded);
            sets.push((Vec::new(), format!("all {count} torpedoes")));
        } else {
            let mounts: Vec<usize> = (0..model.sheet.torpedoes.len()).filter(|at| loaded >> at & 1 == 1).collect();
            let tubes = |chosen: &[usize]| chosen.iter().map(|at| model.sheet.torpedoes[*at].tubes).sum::<i32>();
            let numbers = |chosen: &[usize]| chosen.iter().map(|at| *at as u8 + 1).collect::<Vec<u8>>();
            let mut add = |chosen: &[usize], label: String| {
                let numbers = numbers(chosen);
                if !numbers.is_empty() && !sets.iter().any(|(known, _)| *known == numbers) {
                    sets.push((numbers, format!("{label}, {} tubes", tubes(chosen))));
                }
            };
            add(&mounts, "all mounts".into());
            for (side, not) in [("port", Station::Starboard), ("starboard", Station::Port)] {
                let chosen: Vec<usize> =
                    mounts.iter().copied().filter(|at| model.sheet.torpedoes[*at].arc != not).collect();
                add(&chosen, format!("all that bear to {side}"));
            }
            for at in &mounts {
                add(&[*at], format!("mount {} ({})", at + 1, model.sheet.torpedoes[*at].arc));
            }
        }
        let options = sets.into_iter().map(|(numbers, label)| OptionView::new(json!(numbers), label)).collect();
        FormItem { id: "mounts".into(), label: "Mounts".into(), options }
    }

    fn setting_item(&self, ship: VesselId) -> FormItem {
        let settings = self.game.settings(ship).iter().enumerate();
        let option = |(at, setting): (usize, &crate::derive::Setting)| {
            let label = format!("{} knots, to band {} ({:+})", setting.speed_kn, setting.max_band, setting.modifier);
            OptionView::new(at as i64 + 1, label)
        };
        FormItem { id: "setting".into(), label: "Setting".into(), options: settings.map(option).collect() }
    }

    fn part(&self, ship: VesselId) -> FormPart {
        let (game, sea) = (self.game, self.sea);
        let member = game.battle.member(ship);
        let (mounts, setting) = (self.mount_item(ship), self.setting_item(ship));
        let mut ways = Vec::new();
        let aims = self.aims(ship);
        if !aims.is_empty() {
            let target = |(target, _): &(VesselId, Declaration)| {
                let target = game.battle.member(*target);
                OptionView::new(target.id.as_str(), &target.name).at([&target.id])
            };
            let targets =
                FormItem { id: "target".into(), label: "Target".into(), options: aims.iter().map(target).collect() };
            let template = json!({"mode": "aimed", "target": "$target", "mounts": "$mounts", "setting": "$setting"});
            let items = vec![targets, mounts.clone(), setting.clone()];
            ways.push(("Aimed at a ship".to_owned(), Form::Parts { places: Vec::new(), items, template }));
        }
        let furthest = game.settings(ship).iter().map(|setting| setting.max_band).max().unwrap_or(0);
        let bands = furthest.min(sea.vessel(ship).now.sd).min(game.battle.tvr(sea.turn));
        let from: [i64; 2] = game.point(sea, ship).into();
        let place = FormPlace {
            id: "point".into(),
            label: "Where it goes".into(),
            piece: Piece {
                id: "point".into(),
                name: format!("Spread of {}", member.name),
                side: Some(member.side),
                kind: "aim-point".into(),
                place: Place::Point(from),
                facing: None,
                size: None,
                badges: Vec::new(),
                states: Vec::new(),
                text: "the middle of the spread".into(),
            },
            regions: vec![Region::Around {
                middle: from,
                size: [0, 0],
                least: 1,
                most: i64::from(bands) * i64::from(game.battle.rules.scale.mm_per_range_band),
            }],
            origin: None,
            optional: false,
        };
        let template = json!({"mode": "wide-spread", "point": "$point", "mounts": "$mounts", "setting": "$setting"});
        ways.push((
            "Wide spread".to_owned(),
            Form::Parts { places: vec![place], items: vec![mounts, setting], template },
        ));
        let mut part = FormPart::new(member.id.as_str(), &member.name, Form::Choices { ways });
        part.left_out = "launches nothing".into();
        part.most = game.tubes(sea, ship).count_ones();
        part.options = aims
            .iter()
            .map(|(target, declared)| {
                let value = json!({
                    "mode": "aimed", "target": declared.target, "mounts": declared.mounts, "setting": declared.setting,
                });
                let target = game.battle.member(*target);
                OptionView::new(value, format!("Everything that bears at {}", target.name)).at([&target.id])
            })
            .collect();
        part
    }
}

impl Screen for TorpedoSheet<'_> {
    fn prompt(&self) -> Prompt {
        let text = format!("Which torpedoes does {} launch?", self.game.battle.squad(self.squadron).name);
        Prompt::new("torpedoes", text, rule::C_38).confirm()
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Declaration>>> {
        let best = self.game.torpedo_instinct(self);
        let mut candidates = Vec::new();
        if !best.is_empty() {
            candidates.push(Candidate::new(best, "Suggested launches"));
        }
        candidates.push(Candidate::new(Vec::new(), "Launch nothing"));
        let ships = self.ships();
        let side = self.game.battle.squad(self.squadron).side;
        for target in self.game.enemies(self.sea, side) {
            let all: Vec<Declaration> = ships
                .iter()
                .flat_map(|ship| self.aims(*ship).into_iter().filter(|(at, _)| *at == target).map(|(_, aim)| aim))
                .collect();
            if !all.is_empty() && self.check(&all).is_ok() {
                let target = self.game.battle.member(target);
                candidates
                    .push(Candidate::new(all, format!("Everything that bears at {}", target.name)).at([&target.id]));
            }
        }
        candidates
    }

    fn form(&self) -> Form {
        Form::Sheet { key: "ship".into(), parts: self.ships().into_iter().map(|ship| self.part(ship)).collect() }
    }
}

impl Choice for TorpedoSheet<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Declaration> {
        if chance.below(4) != 0 {
            return Vec::new();
        }
        let ships = self.ships();
        let Some(ship) = chance.pick(&ships).copied() else { return Vec::new() };
        let side = self.game.battle.member(ship).side;
        let enemies: Vec<VesselId> = self.game.enemies(self.sea, side).collect();
        let Some(target) = chance.pick(&enemies).copied() else { return Vec::new() };
        let setting = chance.below(self.game.settings(ship).len().max(1) as u32) as usize;
        let declared = if chance.below(3) == 0 {
            let off = |chance: &mut Chance| i64::from(chance.below(121)) - 60;
            let at = self.game.point(self.sea, target);
            self.spread(ship, at + Point::new(off(chance), off(chance)), setting)
        } else {
            self.aimed(ship, target, setting)
        };
        if self.read(&declared).is_ok() { vec![declared] } else { Vec::new() }
    }

    fn instinct(&self, _: &mut Chance) -> Vec<Declaration> {
        self.game.torpedo_instinct(self)
    }
}
