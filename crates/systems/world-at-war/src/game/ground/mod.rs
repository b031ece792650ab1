//! Ground battles: attrition fronts and offensives on a small map. [4.1 to 4.4]

mod aftermath;
mod attacks;
mod choices;
mod explain;
mod field;
mod fight;
mod grind;
mod losses;
mod luck;
mod map;
mod movement;
mod orders;
mod outlook;
mod places;
mod plan;
mod posture;
mod scene;
mod screens;
mod set;
mod state;
mod thinking;
mod turn;

pub use choices::{BreakOff, Losses, OnOrAway, Order, RetreatTo, Spread, Take};
pub(crate) use map::kind_name;
pub use map::{HexAt, UnitAt};
pub(crate) use set::CAPACITY;
pub use set::Set;
pub use state::{
    AirCombat, AirPool, AirStage, Attack, Combat, Fight, FightStage, GroundState, Owed, Phase, Struggle, StruggleStage,
    Unit,
};

use super::victory::{Limits, SIDES};
use crate::Rules;
use crate::scenarios::GroundScenario;
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Game, Insight, Luck, Outcome, Scene, SeatInfo, SeatQuestion, Side, Standing,
    Viewer,
};
use map::{Map, UnitInfo};
use serde_json::{Value, json};
use std::sync::Arc;

/// A ground battle: what stays the same while it is played.
pub struct GroundGame {
    rules: Arc<Rules>,
    scenario: GroundScenario,
    map: Map,
    units: Vec<UnitInfo>,
    limits: Limits,
    /// Every hex of the map.
    all: Set,
}

impl GroundGame {
    pub(crate) fn new(rules: Arc<Rules>, scenario: GroundScenario) -> Self {
        let map = Map::new(&rules, &scenario);
        let units = UnitInfo::all(&rules, &scenario, &map);
        let limits = Limits {
            attacker: scenario.attacker.side(),
            attacker_wins_at_least: scenario.victory.attacker_wins_at_least,
            defender_wins_at_most: scenario.victory.defender_wins_at_most,
        };
        let all = (0..map.len()).collect();
        Self { rules, scenario, map, units, limits, all }
    }
}

impl Game for GroundGame {
    type State = GroundState;
    type View = GroundState;

    fn seats(&self) -> Vec<SeatInfo> {
        super::seats()
    }

    fn aims(&self) -> BySide<String> {
        self.limits.aims("Objectives taken and enemy counters eliminated")
    }

    fn setup(&self) -> GroundState {
        self.start()
    }

    #[inline]
    fn step(&self, state: &mut GroundState, ask: &mut impl Ask) -> Asked<()> {
        self.take_step(state, ask)
    }

    #[inline]
    fn outcome(&self, state: &GroundState) -> Option<Outcome> {
        if state.phase != Phase::Over {
            return None;
        }
        let points = self.points(state);
        let left = BySide::new_with(|side| self.army(state, side).count());
        let details = json!({
            "turn": state.turn,
            "units_left": [left.first, left.second],
            "air_eliminated": [state.air.first.eliminated, state.air.second.eliminated],
        });
        let winner = match (left.first, left.second) {
            (0, 0) => None,
            (0, _) => Some(Side::Second),
            (_, 0) => Some(Side::First),
            _ => None,
        };
        Some(match winner {
            Some(side) => {
                let why = format!("the {} have no units left on the map", SIDES[side.other()]);
                self.limits.decided(side, points, &why, details)
            }
            None => self.limits.outcome(points, details),
        })
    }

    fn view(&self, state: &GroundState, _: Viewer) -> GroundState {
        state.clone()
    }

    fn scene(&self, view: &GroundState) -> Scene {
        self.board(view)
    }

    fn open(&self) -> bool {
        true
    }

    fn imagine(&self, view: &GroundState, _: &mut Chance) -> GroundState {
        view.clone()
    }

    fn evaluate(&self, view: &GroundState, side: Side) -> Standing {
        thinking::evaluate(self, view, side)
    }

    fn explain(&self, view: &GroundState, _: &[Answer], asked: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
        explain::explain(self, view, asked, value)
    }

    fn luck(&self, before: &GroundState, after: &GroundState) -> [Luck; 2] {
        luck::of_a_step(self, before, after)
    }

    fn settled(&self, state: &GroundState) -> bool {
        matches!(state.phase, Phase::Option | Phase::Over)
    }

    fn horizon(&self) -> u32 {
        40
    }

    /// Every leg of a move costs a point, every attack its units and every round of a fight a counter or an air factor,
    /// save for those that only the rising modifier ends.
    fn step_limit(&self) -> u32 {
        let units = self.units.len() as u32;
        let points: u32 = self.units.iter().map(|info| u32::from(info.movement)).sum();
        let air = self.scenario.air.axis + self.scenario.air.allies;
        let player_turn = 2 * points + 40 * units + 8 * air + 100;
        2 * self.scenario.turns * player_turn
    }
}
