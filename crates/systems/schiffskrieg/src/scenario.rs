//! A scenario in play: its stages, points and outcome. [stages, points, winning]

use crate::attack::Order;
use crate::battle::{self, Battle, Fighter, Ground, Place, UnitState, Units};
use crate::choices::{PlayOrDecline, SailOrNot};
use crate::data::{Bands, Scenario, Stage, StageKind, When};
use crate::day_night::Waters;
use crate::faction::{ByRole, Role};
use crate::game::title;
use crate::points::{self, loss};
use crate::raid::{self, Raid};
use crate::resolution::strength;
use crate::results;
use crate::rule;
use crate::rules::Rules;
use crate::unit::{Counter, Sheet};
use flagplot_kernel::{Ask, Asked, BySide, Flow, Note, Outcome, Rule, Side};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fight {
    Battle(Battle),
    Raid(Raid),
}

impl Fight {
    pub(crate) fn line(&self) -> &BySide<Vec<Fighter>> {
        match self {
            Fight::Battle(battle) => &battle.line,
            Fight::Raid(raid) => &raid.line,
        }
    }

    /// The attacks of a side that are named and not rolled yet, and what their dice are multiplied by.
    pub(crate) fn attacks(&self, rules: &Rules) -> Option<(Side, &[Order], u32)> {
        match self {
            Fight::Battle(battle) => match battle.phase {
                battle::Phase::Attacks(role) => Some((role.side(battle.phasing), &battle.orders, 1)),
                _ => None,
            },
            Fight::Raid(raid) => match raid.phase {
                raid::Phase::Attacks(side) => Some((side, &raid.orders, raid.multiplier(rules, side))),
                _ => None,
            },
        }
    }

    pub(crate) fn step(&mut self, ground: &Ground<'_>, units: &mut Units, ask: &mut impl Ask) -> Asked<Flow> {
        match self {
            Fight::Battle(battle) => battle.step(ground, units, ask),
            Fight::Raid(raid) => raid.step(ground, units, ask),
        }
    }
}

pub(crate) fn tell(ask: &mut impl Ask, code: &'static str, rules: &[Rule], text: impl FnOnce() -> String) {
    ask.note(|| Note::new(code, text()).by(rules));
}

/// Points other than those for losses, which are counted at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ledger {
    pub held: i64,
    pub convoys: i64,
    /// For breaking off a Base Attack early, and for what the enemy declined.
    pub other: i64,
}

impl Ledger {
    fn sum(self) -> i64 {
        self.held + self.convoys + self.other
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScenarioState {
    pub units: Units,
    pub stage: u8,
    pub fight: Option<Fight>,
    pub ledger: BySide<Ledger>,
    pub rounds_flown: u8,
    pub over: bool,
}

pub struct ScenarioGame {
    pub(crate) rules: Arc<Rules>,
    pub(crate) scenario: Scenario,
    pub(crate) sheets: BySide<Vec<Sheet>>,
    pub(crate) names: BySide<String>,
    started_damaged: BySide<Vec<bool>>,
}

impl ScenarioGame {
    pub fn new(rules: Arc<Rules>, scenario: Scenario) -> Self {
        let sheets = BySide::new_with(|side| scenario.factions[side].units.iter().map(|unit| unit.sheet).collect());
        let names = BySide::new_with(|side| title(&scenario.factions[side].id));
        let started_damaged =
            BySide::new_with(|side| scenario.factions[side].units.iter().map(|unit| unit.damaged).collect());
        Self { rules, scenario, sheets, names, started_damaged }
    }

    pub(crate) fn ground(&self, state: &ScenarioState) -> Ground<'_> {
        let nowhere = Ground {
            rules: &self.rules,
            sheets: &self.sheets,
            names: &self.names,
            started_damaged: &self.started_damaged,
            waters: Waters { all_sea: false, nearest_air_base: ByRole::default() },
            fixed_actions: [None; 2],
            hold_vp: 0,
            hold_scores: 0,
        };
        let Some(stage) = self.scenario.stages.get(usize::from(state.stage)) else { return nowhere };
        match stage.kind {
            StageKind::Battle { all_sea, nearest_air_base, fixed_actions, hold_vp, .. } => {
                let nearest_air_base = ByRole::new_with(|role| nearest_air_base[role.side(stage.phasing)]);
                let waters = Waters { all_sea, nearest_air_base };
                Ground { waters, fixed_actions, hold_vp, hold_scores: hold_vp, ..nowhere }
            }
            StageKind::BaseAttack { .. } => nowhere,
        }
    }

    /// The units that are there for a stage, by position. [C-19]
    fn present(&self, state: &ScenarioState, stage: &Stage) -> BySide<Vec<usize>> {
        BySide::new_with(|side| {
            let mut there = Vec::with_capacity(stage.participants[side].len());
            let ready = |at: &usize| state.units[side][*at].place == Place::Ready;
            there.extend(stage.participants[side].iter().copied().filter(ready));
            there
        })
    }

    pub(crate) fn battle_ahead(&self, state: &ScenarioState) -> Option<Battle> {
        let stage = self.scenario.stages.get(usize::from(state.stage))?;
        matches!(stage.kind, StageKind::Battle { .. })
            .then(|| Battle::new(stage.phasing, &state.units, &self.present(state, stage)))
    }

    /// Begins the present stage, or passes it over. [stages, C-19]
    fn begin(&self, state: &mut ScenarioState, ask: &mut impl Ask) -> Asked<()> {
        let stage = &self.scenario.stages[usize::from(state.stage)];
        let present = self.present(state, stage);
        let there = |side: Side| !present[side].is_empty();
        if matches!(stage.when, When::IfRoundsFlown(n) if state.rounds_flown < n) {
            tell(ask, "stage", &[rule::STAGES], || {
                format!("The stage '{}' is not played: too few rounds were flown.", stage.id)
            });
            self.finish_stage(state);
            return Ok(());
        }
        if !there(Side::First) || !there(Side::Second) {
            if let StageKind::Battle { hold_vp, .. } = stage.kind {
                for side in Side::BOTH.into_iter().filter(|&side| there(side)) {
                    let units: Vec<_> = present[side].iter().map(|&at| self.counter(state, side, at)).collect();
                    let ledger = &mut state.ledger[side];
                    if units.iter().any(|&unit| strength(unit) > 0) {
                        ledger.held += hold_vp;
                    }
                    ledger.convoys += units.into_iter().map(points::convoy).sum::<i64>();
                }
            } else {
                state.rounds_flown = 0;
            }
            tell(ask, "stage", &[rule::C_19], || {
                format!("The stage '{}' is not played: a side has no units left.", stage.id)
            });
            self.finish_stage(state);
            return Ok(());
        }
        if let When::ChosenBy(side) = stage.when {
            let decline_vp = if let StageKind::Battle { decline_vp, .. } = stage.kind { decline_vp } else { 0 };
            let ground = self.ground(state);
            let battle = Battle::new(stage.phasing, &state.units, &present);
            let answer =
                ask.decide(&SailOrNot { ground: &ground, battle: &battle, side, stage: &stage.id, decline_vp })?;
            let name = &self.names[side];
            let does = if answer == PlayOrDecline::Play { "sails" } else { "declines" };
            tell(ask, "stage", &[rule::STAGES], || format!("{name} {does}."));
            if answer == PlayOrDecline::Decline {
                state.ledger[side.other()].other += decline_vp;
                self.finish_stage(state);
                return Ok(());
            }
        }
        tell(ask, "stage", &[rule::STAGES], || format!("{}: {}.", self.scenario.title, stage.id));
        state.fight = Some(match stage.kind {
            StageKind::Battle { .. } => Fight::Battle(Battle::new(stage.phasing, &state.units, &present)),
            StageKind::BaseAttack { max_rounds, surprise_rounds, early_withdrawal } => Fight::Raid(Raid {
                early_withdrawal,
                ..Raid::new(stage.phasing, &state.units, &present, max_rounds, surprise_rounds)
            }),
        });
        Ok(())
    }

    fn finish_stage(&self, state: &mut ScenarioState) {
        state.fight = None;
        state.stage += 1;
        state.over = usize::from(state.stage) >= self.scenario.stages.len();
    }

    fn counter(&self, state: &ScenarioState, side: Side, at: usize) -> Counter<'_> {
        Counter { sheet: &self.sheets[side][at], damaged: state.units[side][at].damaged }
    }

    /// The points of a battle that is over. [points]
    fn score_battle(&self, state: &mut ScenarioState, battle: &Battle, ask: &mut impl Ask) {
        let hold_vp = self.ground(state).hold_vp;
        let score = |ask: &mut _, rules: &[Rule], side: Side, points: i64, why: &str| {
            tell(ask, "points", rules, || format!("{} gets {points} points for {why}.", self.names[side]));
        };
        if let Some(holder) = battle.outcome.and_then(|outcome| outcome.holder()) {
            let side = holder.side(battle.phasing);
            state.ledger[side].held += hold_vp;
            score(ask, &[rule::POINTS], side, hold_vp, "holding the hex");
        }
        for side in Side::BOTH {
            if battle.retreated == Some(Role::of(side, battle.phasing)) {
                continue;
            }
            let line = battle.line[side].iter();
            let came = line.map(|fighter| points::convoy(self.counter(state, side, usize::from(fighter.unit))));
            let points: i64 = came.sum();
            if points > 0 {
                state.ledger[side].convoys += points;
                score(ask, &[rule::POINTS, rule::C_9], side, points, "its convoy");
            }
        }
    }

    pub fn points(&self, state: &ScenarioState, side: Side) -> i64 {
        let enemy = side.other();
        let units = self.scenario.factions[enemy].units.iter().zip(&state.units[enemy]);
        let lost = |place: Place| matches!(place, Place::Removed | Place::DelayBox);
        let losses: u32 = units.map(|(unit, now)| loss(&unit.sheet, unit.damaged, lost(now.place), now.damaged)).sum();
        i64::from(losses) + state.ledger[side].sum()
    }

    pub fn setup(&self) -> ScenarioState {
        let units = BySide::new_with(|side| {
            let units = self.scenario.factions[side].units.iter();
            units.map(|unit| UnitState { damaged: unit.damaged, place: Place::Ready }).collect()
        });
        ScenarioState { units, stage: 0, fight: None, ledger: BySide::default(), rounds_flown: 0, over: false }
    }

    pub fn step(&self, state: &mut ScenarioState, ask: &mut impl Ask) -> Asked<()> {
        let ground = self.ground(state);
        let Some(fight) = &mut state.fight else { return self.begin(state, ask) };
        if fight.step(&ground, &mut state.units, ask)? == Flow::Continue {
            return Ok(());
        }
        match state.fight.take() {
            Some(Fight::Battle(battle)) => self.score_battle(state, &battle, ask),
            Some(Fight::Raid(Raid { round, raiders, early_withdrawal, .. })) => {
                state.rounds_flown = round;
                if let Some((_, vp)) = early_withdrawal.filter(|(rounds, _)| round <= *rounds) {
                    state.ledger[raiders].other += vp;
                    tell(ask, "points", &[rule::POINTS], || {
                        format!("{} gets {vp} points for breaking off after {round} rounds.", self.names[raiders])
                    });
                }
            }
            None => {}
        }
        self.finish_stage(state);
        Ok(())
    }

    /// How it ended, once it has. [winning]
    pub fn outcome(&self, state: &ScenarioState) -> Option<Outcome> {
        state.over.then(|| judge(&self.names, self.all_points(state), self.scenario.bands))
    }

    /// The same without words.
    pub fn result(&self, state: &ScenarioState) -> Option<Outcome> {
        state.over.then(|| judge_without_words(self.all_points(state), self.scenario.bands))
    }

    fn all_points(&self, state: &ScenarioState) -> BySide<i64> {
        BySide::new_with(|side| self.points(state, side))
    }

    /// What the loss of a unit, or damage to it, adds to the enemy's points.
    pub(crate) fn gain(&self, side: Side, at: u8, unit: Counter<'_>, sunk: bool, damaged: bool) -> i64 {
        let started = self.scenario.factions[side].units[usize::from(at)].damaged;
        i64::from(loss(unit.sheet, started, sunk, damaged)) - i64::from(loss(unit.sheet, started, false, unit.damaged))
    }

    /// How good the position is for a side, in thousandths of a point.
    pub fn evaluate(&self, state: &ScenarioState, side: Side) -> i64 {
        let mut value = 1000 * (self.points(state, side) - self.points(state, side.other()));
        if let Some(Fight::Battle(battle)) = &state.fight {
            // Half of what holding the hex would bring at the present strengths, and the results of this round so far.
            let ground = self.ground(state);
            let of = |side: Side| i64::from(battle.strength(&ground, Role::of(side, battle.phasing)));
            let (own, other) = (of(side), of(side.other()));
            value += 500 * ground.hold_vp * (own - other) / own.max(other).max(1);
            for which in Side::BOTH {
                for fighter in &battle.line[which] {
                    let unit = battle::counter(&self.sheets, which, fighter);
                    let fate = results::fate(unit, fighter.taken);
                    let pending = self.gain(which, fighter.unit, unit, fate.sunk(), fate.damaged);
                    value += if which == side { -1000 } else { 1000 } * pending;
                }
            }
        }
        value
    }

    pub fn step_limit(&self) -> u32 {
        // A fight has at most three rounds; a round has an attack for each unit and a handful of other steps.
        let units = (self.sheets.first.len() + self.sheets.second.len()) as u32;
        self.scenario.stages.len() as u32 * 3 * (units + 12) + 1
    }
}

/// The winner with these points, and how well. [winning, C-15]
pub fn judge(names: &BySide<String>, points: BySide<i64>, bands: Bands) -> Outcome {
    let (margin, par) = (points.first - points.second, bands.par);
    let judged = judge_without_words(points, bands);
    let what = match judged.winner {
        None => "Draw".to_owned(),
        Some(side) if judged.level == "decisive" => format!("Decisive victory for {}", names[side]),
        Some(side) => format!("Victory for {}", names[side]),
    };
    let summary = format!(
        "{what}: {} {} points, {} {}; margin {margin} against par {par}.",
        names.first, points.first, names.second, points.second
    );
    let cited = [rule::WINNING, rule::C_15];
    Outcome { summary, details: json!({"margin": margin, "par": par, "rules": cited}), ..judged }
}

fn judge_without_words(points: BySide<i64>, bands: Bands) -> Outcome {
    let Bands { par, draw_band, decisive_band } = bands;
    let x = points.first - points.second - par;
    let winner = if x.abs() <= draw_band { None } else { Some(if x > 0 { Side::First } else { Side::Second }) };
    let level = match winner {
        None => "draw",
        Some(_) if x.abs() > decisive_band => "decisive",
        Some(_) => "victory",
    };
    Outcome {
        winner,
        level: level.into(),
        points: [points.first, points.second],
        summary: String::new(),
        details: Value::Null,
    }
}
