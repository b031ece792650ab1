//! What can be played, behind one interface: a battle of the scenarios, or one with forces of one's own. [C-55]

use super::custom::{CustomGame, CustomState, side_name};
use super::state::State;
use super::{FleetGame, View};
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Game, Insight, Luck, Outcome, Refusal, Scene, Seat, SeatInfo, SeatQuestion,
    Side, Standing, Unanswered, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A game of Fleet Action.
pub enum Play {
    Battle(Box<FleetGame>),
    Custom(CustomGame),
}

/// Everything that changes in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayState {
    Battle(State),
    Custom(CustomState),
}

/// What a viewer knows of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayView {
    Battle(View),
    /// The forces, which everybody knows once they are picked, and what is known of the battle.
    Custom {
        forces: Option<[super::custom::Force; 2]>,
        battle: Option<View>,
        viewer: Viewer,
    },
}

impl Play {
    /// Calls something with the battle that a view is of.
    fn with<T>(&self, view: &PlayView, call: impl FnOnce(&FleetGame, &View) -> T) -> Option<T> {
        match (self, view) {
            (Play::Battle(game), PlayView::Battle(view)) => Some(call(game, view)),
            (Play::Custom(game), PlayView::Custom { forces: Some(forces), battle: Some(view), .. }) => {
                game.battle(forces).ok().map(|game| call(&game, view))
            }
            _ => None,
        }
    }
}

// A state belongs to the game that made it: a step of any other stops, and nothing else is known of it.
impl Game for Play {
    type State = PlayState;
    type View = PlayView;

    fn seats(&self) -> Vec<SeatInfo> {
        match self {
            Play::Battle(game) => game.seats(),
            Play::Custom(_) => {
                let seat = |(side, id): (Side, &str)| SeatInfo { id: id.into(), name: side_name(side).into(), side };
                [(Side::First, "a"), (Side::Second, "b")].map(seat).into()
            }
        }
    }

    fn aims(&self) -> BySide<String> {
        match self {
            Play::Battle(game) => game.aims(),
            Play::Custom(game) => game.aims(),
        }
    }

    fn setup(&self) -> PlayState {
        match self {
            Play::Battle(game) => PlayState::Battle(game.setup()),
            Play::Custom(game) => PlayState::Custom(game.setup()),
        }
    }

    fn step(&self, state: &mut PlayState, ask: &mut impl Ask) -> Asked<()> {
        match (self, state) {
            (Play::Battle(game), PlayState::Battle(state)) => game.step(state, ask),
            (Play::Custom(game), PlayState::Custom(state)) => game.step(state, ask),
            _ => Err(Unanswered),
        }
    }

    fn outcome(&self, state: &PlayState) -> Option<Outcome> {
        match (self, state) {
            (Play::Battle(game), PlayState::Battle(state)) => game.outcome(state),
            (Play::Custom(game), PlayState::Custom(CustomState { forces: Some(forces), battle: Some(battle) })) => {
                game.battle(forces).ok()?.outcome(battle)
            }
            _ => None,
        }
    }

    fn view(&self, state: &PlayState, viewer: Viewer) -> PlayView {
        match (self, state) {
            (Play::Battle(game), PlayState::Battle(state)) => PlayView::Battle(game.view(state, viewer)),
            (Play::Custom(game), PlayState::Custom(CustomState { forces: Some(forces), battle: Some(battle) })) => {
                let seen = game.battle(forces).ok().map(|game| game.view(battle, viewer));
                PlayView::Custom { forces: Some(forces.clone()), battle: seen, viewer }
            }
            _ => PlayView::Custom { forces: None, battle: None, viewer },
        }
    }

    fn scene(&self, view: &PlayView) -> Scene {
        self.with(view, |game, view| game.scene(view)).unwrap_or_else(|| match self {
            Play::Custom(game) => game.draw_picking(),
            Play::Battle(_) => Scene::default(),
        })
    }

    fn learned(&self, before: &PlayView, after: &PlayView, by: Seat) -> bool {
        let views = |view: &PlayView| match view {
            PlayView::Battle(view) | PlayView::Custom { battle: Some(view), .. } => Some(view.clone()),
            PlayView::Custom { .. } => None,
        };
        match (views(before), views(after)) {
            (Some(then), Some(now)) => self.with(after, |game, _| game.learned(&then, &now, by)).unwrap_or(true),
            _ => before != after,
        }
    }

    fn imagine(&self, view: &PlayView, chance: &mut Chance) -> PlayState {
        let imagined = self.with(view, |game, view| game.imagine(view, chance));
        match (view, imagined) {
            (PlayView::Battle(_), Some(state)) => PlayState::Battle(state),
            (PlayView::Custom { forces, .. }, Some(state)) => {
                PlayState::Custom(CustomState { forces: forces.clone(), battle: Some(state) })
            }
            _ => self.setup(),
        }
    }

    fn evaluate(&self, view: &PlayView, side: Side) -> Standing {
        self.with(view, |game, view| game.evaluate(view, side)).unwrap_or(0)
    }

    fn explain(
        &self,
        view: &PlayView,
        answers: &[Answer],
        question: &SeatQuestion,
        value: Option<&Value>,
    ) -> Vec<Insight> {
        let told = self.with(view, |game, view| game.explain(view, answers, question, value));
        told.unwrap_or_else(|| match self {
            Play::Custom(game) => game.pick_insights(question.seat.side(), value),
            Play::Battle(_) => Vec::new(),
        })
    }

    fn luck(&self, before: &PlayState, after: &PlayState) -> [Luck; 2] {
        match (self, before, after) {
            (Play::Battle(game), PlayState::Battle(before), PlayState::Battle(after)) => game.luck(before, after),
            (Play::Custom(game), PlayState::Custom(before), PlayState::Custom(after)) => {
                let battle = after.forces.as_ref().and_then(|forces| game.battle(forces).ok());
                match (battle, &before.battle, &after.battle) {
                    (Some(game), Some(before), Some(after)) => game.luck(before, after),
                    _ => [Luck::default(); 2],
                }
            }
            _ => [Luck::default(); 2],
        }
    }

    fn scenario_file(&self, state: &PlayState, id: &str, title: &str) -> Result<String, Refusal> {
        match (self, state) {
            (Play::Custom(game), PlayState::Custom(state)) => game.scenario_file(state, id, title),
            _ => {
                let text = "Only a custom battle, whose forces the players picked, can be saved as a scenario.";
                Err(Refusal::new("not-custom", text).by(crate::rule::C_55))
            }
        }
    }

    fn settled(&self, state: &PlayState) -> bool {
        match (self, state) {
            (Play::Battle(game), PlayState::Battle(state)) => game.settled(state),
            (Play::Custom(game), PlayState::Custom(CustomState { forces: Some(forces), battle: Some(battle) })) => {
                game.battle(forces).is_ok_and(|game| game.settled(battle))
            }
            _ => false,
        }
    }

    fn horizon(&self) -> u32 {
        match self {
            Play::Battle(game) => game.horizon(),
            Play::Custom(_) => 60,
        }
    }

    fn step_limit(&self) -> u32 {
        match self {
            Play::Battle(game) => game.step_limit(),
            Play::Custom(game) => 20_000 * u32::try_from(game.settings.turns).unwrap_or(1) + 1,
        }
    }
}
