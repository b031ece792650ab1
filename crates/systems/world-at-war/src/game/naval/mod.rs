//! Naval battles: strikes from the air and fleets in each other's sight, in one engine. [6.1, 6.2]

mod air_choices;
mod choices;
mod explain;
mod facts;
pub mod free;
mod gun_choices;
mod imagine;
mod luck;
mod odds;
mod recovery;
mod round;
mod said;
mod scene;
mod score;
mod screens;
pub mod state;
mod strike;
mod surface;
mod thinking;

pub use facts::Home;
pub(crate) use facts::title;
pub use imagine::NavalView;
pub use state::NavalState;

use super::victory::SIDES;
use crate::Rules;
use crate::scenarios::{Contact, NavalScenario};
use facts::Facts;
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Game, Insight, Luck, Outcome, Refusal, Scene, Seat, SeatInfo, SeatQuestion,
    Side, Standing, Viewer,
};
use free::FreeBattle;
use odds::Glance;
use serde_json::Value;
use state::Phase;
use std::sync::Arc;

pub struct NavalGame {
    pub(crate) rules: Arc<Rules>,
    pub(crate) scenario: NavalScenario,
    pub(crate) facts: Facts,
    pub(crate) glance: Glance,
    /// How forces are picked, in a free battle. [C-36]
    pub(crate) free: Option<FreeBattle>,
}

impl NavalGame {
    pub(crate) fn new(rules: Arc<Rules>, scenario: NavalScenario) -> Self {
        let (facts, glance) = (Facts::new(&rules, &scenario), Glance::new(&rules));
        Self { rules, scenario, facts, glance, free: None }
    }

    /// Whether squadrons are given tasks in secret. [C-24, C-27]
    pub(crate) fn keeps_secrets(&self) -> bool {
        self.scenario.contact != Contact::AirOnly && !self.facts.wings.is_empty()
    }
}

impl Game for NavalGame {
    type State = NavalState;
    type View = NavalView;

    fn seats(&self) -> Vec<SeatInfo> {
        super::seats()
    }

    fn aims(&self) -> BySide<String> {
        self.facts.limits.aims("Enemy ships sunk or damaged and squadrons shot down")
    }

    fn setup(&self) -> NavalState {
        let mut state = self.start();
        if self.free.is_some() {
            self.nothing_picked(&mut state);
        }
        state
    }

    #[inline]
    fn step(&self, state: &mut NavalState, ask: &mut impl Ask) -> Asked<()> {
        match state.open.phase {
            Phase::Pick => self.pick(state, ask),
            Phase::Arrivals => {
                self.arrivals(state, ask);
                Ok(())
            }
            Phase::Merge(side) => self.merge(state, side, ask),
            Phase::Tasking => self.tasking(state, ask),
            Phase::Search => self.search(state, ask),
            Phase::Launch => self.launch(state, ask),
            Phase::Strike(stage) => self.strike(state, stage, ask),
            Phase::Recovery => self.recovery(state, ask),
            Phase::Engage(side) => self.engage(state, side, ask),
            Phase::Evade { own, enemy, .. } => self.evade(state, own, enemy, ask),
            Phase::Orders(pair) => self.orders(state, pair, ask),
            Phase::Shot { pair, at } => self.shot(state, pair, at, ask),
            Phase::Effects(pair) => self.effects(state, pair, ask),
            Phase::Withdraw(side) => self.withdraw(state, side, ask),
            Phase::RoundEnd => {
                self.round_end(state, ask);
                Ok(())
            }
            Phase::Over => Ok(()),
        }
    }

    #[inline]
    fn outcome(&self, state: &NavalState) -> Option<Outcome> {
        (state.open.phase == Phase::Over).then(|| self.ended(&state.open))
    }

    #[inline]
    fn result(&self, state: &NavalState) -> Option<Outcome> {
        (state.open.phase == Phase::Over).then(|| self.facts.limits.result(self.points(&state.open)))
    }

    fn view(&self, state: &NavalState, viewer: Viewer) -> NavalView {
        self.seen(state, viewer)
    }

    fn scene(&self, view: &NavalView) -> Scene {
        scene::draw(self, view)
    }

    fn open(&self) -> bool {
        !self.keeps_secrets()
    }

    fn learned(&self, before: &NavalView, after: &NavalView, _: Seat) -> bool {
        self.uncovered(before, after)
    }

    fn imagine(&self, view: &NavalView, chance: &mut Chance) -> NavalState {
        self.imagined(view, chance)
    }

    fn evaluate(&self, view: &NavalView, side: Side) -> Standing {
        thinking::evaluate(self, &view.open, side)
    }

    fn explain(&self, view: &NavalView, _: &[Answer], question: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
        explain::explain(self, view, question, value)
    }

    fn luck(&self, before: &NavalState, after: &NavalState) -> [Luck; 2] {
        luck::of_a_step(self, before, after)
    }

    fn scenario_file(&self, state: &NavalState, id: &str, title: &str) -> Result<String, Refusal> {
        self.saved(state, id, title)
    }

    fn settled(&self, state: &NavalState) -> bool {
        matches!(state.open.phase, Phase::Arrivals | Phase::Over)
    }

    fn horizon(&self) -> u32 {
        60
    }

    /// Every group merges once at most, and every strike, shot and question of a round is a step.
    fn step_limit(&self) -> u32 {
        let (ships, groups) = (self.facts.ships.len() as u32, self.facts.groups.len() as u32);
        let strikes = 2 * groups * (6 + ships + groups);
        let fire = groups * (6 + 2 * (ships + 2));
        1 + self.scenario.rounds * (20 + 2 * groups + strikes + fire)
    }
}
