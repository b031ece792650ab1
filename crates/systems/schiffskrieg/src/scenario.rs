//! A scenario in play: its stages, points and outcome. [stages, points, winning]

use crate::battle::{Battle, Ground, Place, UnitState, Units};
use crate::choices::{PlayOrDecline, SailOrNot};
use crate::data::{Scenario, Stage, StageKind, When};
use crate::day_night::Waters;
use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::game::title;
use crate::points::{self, loss};
use crate::raid::Raid;
use crate::resolution::strength;
use crate::rule;
use crate::unit::{Counter, Sheet};
use flagplot_kernel::{Ask, Asked, BySide, Flow, Note, Outcome, Side};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// A battle or a Base Attack going on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fight {
    /// A battle.
    Battle(Battle),
    /// A Base Attack.
    Raid(Raid),
}

/// Points other than those for losses, which are counted at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ledger {
    /// For holding hexes.
    pub held: i64,
    /// For own convoys.
    pub convoys: i64,
    /// For breaking off a Base Attack early, and for what the enemy declined.
    pub other: i64,
}

impl Ledger {
    fn sum(self) -> i64 {
        self.held + self.convoys + self.other
    }
}

/// Everything that changes in a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScenarioState {
    /// All units.
    pub units: Units,
    /// The stage that is or will be played.
    pub stage: u8,
    /// What is going on in it.
    pub fight: Option<Fight>,
    /// Points so far, losses left out.
    pub ledger: BySide<Ledger>,
    /// Rounds flown in the last Base Attack.
    pub rounds_flown: u8,
    /// Whether all stages are done.
    pub over: bool,
}

/// A scenario in play: what stays the same.
pub struct ScenarioGame {
    pub(crate) figures: Arc<Figures>,
    pub(crate) scenario: Scenario,
    pub(crate) sheets: BySide<Vec<Sheet>>,
    pub(crate) names: BySide<String>,
    started_damaged: BySide<Vec<bool>>,
}

impl ScenarioGame {
    /// A scenario to be played.
    #[must_use]
    pub fn new(figures: Arc<Figures>, scenario: Scenario) -> Self {
        let sheets =
            BySide::new_with(|side| scenario.factions[side].units.iter().map(|unit| unit.entry.sheet).collect());
        let names = BySide::new_with(|side| title(&scenario.factions[side].id));
        let started_damaged =
            BySide::new_with(|side| scenario.factions[side].units.iter().map(|unit| unit.damaged).collect());
        Self { figures, scenario, sheets, names, started_damaged }
    }

    /// What stays the same in the present stage.
    pub(crate) fn ground(&self, state: &ScenarioState) -> Ground<'_> {
        let nowhere = Ground {
            figures: &self.figures,
            sheets: &self.sheets,
            names: &self.names,
            started_damaged: &self.started_damaged,
            waters: Waters { all_sea: false, nearest_air_base: ByRole::default() },
            fixed_actions: [None; 2],
            hold_vp: 0,
            hold_scores: 0,
        };
        match self.scenario.stages.get(usize::from(state.stage)) {
            Some(stage) => match &stage.kind {
                StageKind::Battle { all_sea, nearest_air_base, fixed_actions, hold_vp, .. } => Ground {
                    waters: Waters {
                        all_sea: *all_sea,
                        nearest_air_base: ByRole::new_with(|role| nearest_air_base[role.side(stage.phasing)]),
                    },
                    fixed_actions: *fixed_actions,
                    hold_vp: *hold_vp,
                    hold_scores: *hold_vp,
                    ..nowhere
                },
                StageKind::BaseAttack { .. } => nowhere,
            },
            None => nowhere,
        }
    }

    /// Who of the present stage is there, by position. [C-19]
    fn present(&self, state: &ScenarioState, stage: &Stage) -> BySide<Vec<usize>> {
        BySide::new_with(|side| {
            stage.participants[side].iter().copied().filter(|&at| state.units[side][at].place == Place::Ready).collect()
        })
    }

    /// The battle that the next stage would be.
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
        let flown = !matches!(stage.when, When::IfRoundsFlown(n) if state.rounds_flown < n);
        if !flown {
            ask.note(|| {
                Note::new("stage", format!("The stage '{}' is not played: too few rounds were flown.", stage.id))
                    .by(&[rule::STAGES])
            });
            self.finish_stage(state);
            return Ok(());
        }
        if !there(Side::First) || !there(Side::Second) {
            // Nobody is left on a side: neither offered nor played.
            if let StageKind::Battle { hold_vp, .. } = stage.kind {
                for side in Side::BOTH.into_iter().filter(|&side| there(side)) {
                    let strength: u32 = present[side].iter().map(|&at| self.strength(state, side, at)).sum();
                    if strength > 0 {
                        state.ledger[side].held += hold_vp;
                    }
                    state.ledger[side].convoys +=
                        present[side].iter().map(|&at| self.convoy(state, side, at)).sum::<i64>();
                }
            } else {
                state.rounds_flown = 0;
            }
            ask.note(|| {
                Note::new("stage", format!("The stage '{}' is not played: a side has nobody left.", stage.id))
                    .by(&[rule::C_19])
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
            ask.note(|| Note::new("stage", format!("{name} {does}.")).by(&[rule::STAGES]));
            if answer == PlayOrDecline::Decline {
                state.ledger[side.other()].other += decline_vp;
                self.finish_stage(state);
                return Ok(());
            }
        }
        ask.note(|| Note::new("stage", format!("{}: {}.", self.scenario.title, stage.id)).by(&[rule::STAGES]));
        state.fight = Some(match stage.kind {
            StageKind::Battle { .. } => Fight::Battle(Battle::new(stage.phasing, &state.units, &present)),
            StageKind::BaseAttack { max_rounds, surprise_rounds, early_withdrawal } => Fight::Raid(Raid {
                early_withdrawal,
                ..Raid::new(stage.phasing, &state.units, &present, max_rounds, surprise_rounds)
            }),
        });
        Ok(())
    }

    /// A stage is done: the next one, or the end.
    fn finish_stage(&self, state: &mut ScenarioState) {
        state.fight = None;
        state.stage += 1;
        state.over = usize::from(state.stage) >= self.scenario.stages.len();
    }

    fn strength(&self, state: &ScenarioState, side: Side, at: usize) -> u32 {
        let counter = Counter { sheet: &self.sheets[side][at], damaged: state.units[side][at].damaged };
        strength(counter.sheet.kind, counter.up().defense)
    }

    /// What an own convoy that came through is worth. [C-9]
    fn convoy(&self, state: &ScenarioState, side: Side, at: usize) -> i64 {
        points::convoy(Counter { sheet: &self.sheets[side][at], damaged: state.units[side][at].damaged })
    }

    /// The points of a battle that is over. [points]
    fn score_battle(&self, state: &mut ScenarioState, battle: &Battle, ask: &mut impl Ask) {
        let hold_vp = self.ground(state).hold_vp;
        if let Some(holder) = battle.outcome.and_then(|outcome| outcome.holder()) {
            let side = holder.side(battle.phasing);
            state.ledger[side].held += hold_vp;
            ask.note(|| {
                Note::new("points", format!("{} gets {hold_vp} points for holding the hex.", self.names[side]))
                    .by(&[rule::POINTS])
            });
        }
        for side in Side::BOTH {
            if battle.retreated == Some(Role::of(side, battle.phasing)) {
                continue;
            }
            let points: i64 =
                battle.line[side].iter().map(|fighter| self.convoy(state, side, usize::from(fighter.unit))).sum();
            if points > 0 {
                state.ledger[side].convoys += points;
                ask.note(|| {
                    Note::new("points", format!("{} gets {points} points for its convoy.", self.names[side]))
                        .by(&[rule::POINTS, rule::C_9])
                });
            }
        }
    }

    /// Points of a side as the position stands.
    #[must_use]
    pub fn points(&self, state: &ScenarioState, side: Side) -> i64 {
        let enemy = side.other();
        let units = self.scenario.factions[enemy].units.iter().zip(&state.units[enemy]);
        let lost = |place: Place| matches!(place, Place::Removed | Place::DelayBox);
        let losses: i64 = units
            .map(|(unit, now)| i64::from(loss(&unit.entry.sheet, unit.damaged, lost(now.place), now.damaged)))
            .sum();
        losses + state.ledger[side].sum()
    }

    /// The position before the first step.
    #[must_use]
    pub fn setup(&self) -> ScenarioState {
        let units = BySide::new_with(|side| {
            self.scenario.factions[side]
                .units
                .iter()
                .map(|unit| UnitState { damaged: unit.damaged, place: Place::Ready })
                .collect()
        });
        ScenarioState { units, stage: 0, fight: None, ledger: BySide::default(), rounds_flown: 0, over: false }
    }

    /// One step of the present stage.
    pub fn step(&self, state: &mut ScenarioState, ask: &mut impl Ask) -> Asked<()> {
        let ground = self.ground(state);
        let flow = match &mut state.fight {
            None => return self.begin(state, ask),
            Some(Fight::Battle(battle)) => battle.step(&ground, &mut state.units, ask)?,
            Some(Fight::Raid(raid)) => raid.step(&ground, &mut state.units, ask)?,
        };
        if flow == Flow::Continue {
            return Ok(());
        }
        let Some(fight) = state.fight.take() else { return Ok(()) };
        match &fight {
            Fight::Battle(battle) => self.score_battle(state, battle, ask),
            Fight::Raid(raid) => {
                state.rounds_flown = raid.round;
                if let Some((rounds, vp)) = raid.early_withdrawal
                    && raid.round <= rounds
                {
                    state.ledger[raid.raiders].other += vp;
                    ask.note(|| {
                        Note::new(
                            "points",
                            format!(
                                "{} gets {vp} points for breaking off after {} rounds.",
                                self.names[raid.raiders], raid.round
                            ),
                        )
                        .by(&[rule::POINTS])
                    });
                }
            }
        }
        self.finish_stage(state);
        Ok(())
    }

    /// How it ended, once it has. [winning]
    #[must_use]
    pub fn outcome(&self, state: &ScenarioState) -> Option<Outcome> {
        let Scenario { par, draw_band, decisive_band, .. } = self.scenario;
        state.over.then(|| {
            judge(
                &self.names,
                BySide::new_with(|side| self.points(state, side)),
                Bands { par, draw_band, decisive_band },
            )
        })
    }

    /// How good the position is for a side, in thousandths of a point.
    #[must_use]
    pub fn evaluate(&self, state: &ScenarioState, side: Side) -> i64 {
        let mut value = 1000 * (self.points(state, side) - self.points(state, side.other()));
        if let Some(Fight::Battle(battle)) = &state.fight {
            // Half of what holding the hex would bring at the present strengths, and what is in the pipeline of this round.
            let ground = self.ground(state);
            let own = i64::from(battle.strength(&ground, Role::of(side, battle.phasing)));
            let other = i64::from(battle.strength(&ground, Role::of(side.other(), battle.phasing)));
            value +=
                500 * ground.hold_vp * (own - other).clamp(-own.max(other), own.max(other)) / own.max(other).max(1);
            for which in Side::BOTH {
                for fighter in &battle.line[which] {
                    let counter = crate::battle::counter(&self.sheets, which, fighter);
                    let fate = crate::results::fate(counter, fighter.taken);
                    let started = self.scenario.factions[which].units[usize::from(fighter.unit)].damaged;
                    let sunk = fate.box_name == crate::results::BoxName::SunkDestroyed;
                    let pending = i64::from(loss(counter.sheet, started, sunk, fate.damaged))
                        - i64::from(loss(counter.sheet, started, false, fighter.damaged));
                    value += if which == side { -1000 } else { 1000 } * pending;
                }
            }
        }
        value
    }

    /// A bound on the number of steps.
    #[must_use]
    pub fn step_limit(&self) -> u32 {
        // Each fight has at most three rounds; a round has two declarations, an attack for each unit, and a handful of other steps.
        let units = (self.sheets.first.len() + self.sheets.second.len()) as u32;
        self.scenario.stages.len() as u32 * 3 * (units + 12) + 1
    }
}

/// What a margin is measured against. [winning]
#[derive(Clone, Copy, Debug)]
pub struct Bands {
    /// The margin that even play gives.
    pub par: i64,
    /// So far from par is a draw.
    pub draw_band: i64,
    /// Further from par than this is decisive.
    pub decisive_band: i64,
}

/// Who has won with these points, and how well. [winning, C-15]
#[must_use]
pub fn judge(names: &BySide<String>, points: BySide<i64>, bands: Bands) -> Outcome {
    let Bands { par, draw_band, decisive_band } = bands;
    let margin = points.first - points.second;
    let x = margin - par;
    let winner = if x.abs() <= draw_band { None } else { Some(if x > 0 { Side::First } else { Side::Second }) };
    let level = match winner {
        None => "draw",
        Some(_) if x.abs() > decisive_band => "decisive",
        Some(_) => "victory",
    };
    let who = winner.map_or("Nobody wins".to_owned(), |side| format!("{} wins ({level})", names[side]));
    let summary = format!(
        "{who}: {} {} points, {} {}; margin {margin} against par {par}.",
        names.first, points.first, names.second, points.second
    );
    let rules = [rule::WINNING, rule::C_15];
    Outcome {
        winner,
        level: level.into(),
        points: [points.first, points.second],
        summary,
        details: json!({"margin": margin, "par": par, "rules": rules}),
    }
}
