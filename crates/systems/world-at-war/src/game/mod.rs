//! The battles as games: one engine each for ground, air and naval battles, behind one interface.

pub mod air;
pub mod ground;
pub mod naval;
pub mod victory;

use air::{AirGame, AirState};
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Game, Insight, Luck, Outcome, Refusal, Scene, Seat, SeatInfo, SeatQuestion,
    Side, Standing, Unanswered, Viewer, scene::Surface,
};
use ground::{GroundGame, GroundState};
use naval::{NavalGame, NavalState, NavalView};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use victory::SIDES;

#[allow(clippy::large_enum_variant, reason = "a program holds few of them")]
pub enum WorldAtWar {
    Ground(Box<GroundGame>),
    Air(AirGame),
    Naval(Box<NavalGame>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(clippy::large_enum_variant, reason = "a game holds states of one kind")]
pub enum State {
    Ground(GroundState),
    Air(AirState),
    Naval(NavalState),
}

/// What a viewer knows. Ground and air battles hide nothing between steps; naval battles hide tasks. [C-24]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(clippy::large_enum_variant, reason = "a game holds views of one kind")]
pub enum View {
    Ground(GroundState),
    Air(AirState),
    Naval(NavalView),
}

/// The two chairs of every battle.
pub(crate) fn seats() -> Vec<SeatInfo> {
    let ids = BySide { first: "axis", second: "allies" };
    Side::BOTH.map(|side| SeatInfo { id: ids[side].into(), name: SIDES[side].into(), side }).into()
}

/// Calls the engine a state or a view belongs to; one of another engine gives `$other`.
macro_rules! engine {
    ($of:ident, $game:expr, $state:expr, |$engine:ident, $inner:ident| $body:expr, $other:expr) => {
        match ($game, $state) {
            (WorldAtWar::Ground($engine), $of::Ground($inner)) => $body,
            (WorldAtWar::Air($engine), $of::Air($inner)) => $body,
            (WorldAtWar::Naval($engine), $of::Naval($inner)) => $body,
            _ => $other,
        }
    };
}

// A state belongs to the game that made it: a step of any other stops, and nothing else is known of it.
impl Game for WorldAtWar {
    type State = State;
    type View = View;

    fn seats(&self) -> Vec<SeatInfo> {
        seats()
    }

    fn aims(&self) -> BySide<String> {
        match self {
            WorldAtWar::Ground(game) => game.aims(),
            WorldAtWar::Air(game) => game.aims(),
            WorldAtWar::Naval(game) => game.aims(),
        }
    }

    fn setup(&self) -> State {
        match self {
            WorldAtWar::Ground(game) => State::Ground(game.setup()),
            WorldAtWar::Air(game) => State::Air(game.setup()),
            WorldAtWar::Naval(game) => State::Naval(game.setup()),
        }
    }

    #[inline]
    fn step(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        engine!(State, self, state, |game, state| game.step(state, ask), Err(Unanswered))
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        engine!(State, self, state, |game, state| game.outcome(state), None)
    }

    fn result(&self, state: &State) -> Option<Outcome> {
        engine!(State, self, state, |game, state| game.result(state), None)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        match (self, state) {
            (WorldAtWar::Naval(game), State::Naval(state)) => View::Naval(game.view(state, viewer)),
            (_, State::Ground(state)) => View::Ground(state.clone()),
            (_, State::Air(state)) => View::Air(state.clone()),
            (_, State::Naval(_)) => View::Naval(NavalView::default()),
        }
    }

    fn scene(&self, view: &View) -> Scene {
        engine!(View, self, view, |game, view| game.scene(view), nothing())
    }

    fn open(&self) -> bool {
        match self {
            WorldAtWar::Ground(game) => game.open(),
            WorldAtWar::Air(game) => game.open(),
            WorldAtWar::Naval(game) => game.open(),
        }
    }

    fn learned(&self, before: &View, after: &View, by: Seat) -> bool {
        match (self, before, after) {
            (WorldAtWar::Naval(game), View::Naval(before), View::Naval(after)) => game.learned(before, after, by),
            _ => before != after,
        }
    }

    fn imagine(&self, view: &View, chance: &mut Chance) -> State {
        match (self, view) {
            (WorldAtWar::Naval(game), View::Naval(view)) => State::Naval(game.imagine(view, chance)),
            (_, View::Ground(state)) => State::Ground(state.clone()),
            (_, View::Air(state)) => State::Air(state.clone()),
            (_, View::Naval(_)) => self.setup(),
        }
    }

    fn evaluate(&self, view: &View, side: Side) -> Standing {
        engine!(View, self, view, |game, view| game.evaluate(view, side), 0)
    }

    fn explain(&self, view: &View, answers: &[Answer], question: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
        engine!(View, self, view, |game, view| game.explain(view, answers, question, value), Vec::new())
    }

    fn luck(&self, before: &State, after: &State) -> [Luck; 2] {
        match (self, before, after) {
            (WorldAtWar::Ground(game), State::Ground(before), State::Ground(after)) => game.luck(before, after),
            (WorldAtWar::Air(game), State::Air(before), State::Air(after)) => game.luck(before, after),
            (WorldAtWar::Naval(game), State::Naval(before), State::Naval(after)) => game.luck(before, after),
            _ => [Luck::default(); 2],
        }
    }

    fn scenario_file(&self, state: &State, id: &str, title: &str) -> Result<String, Refusal> {
        let other = || Err(Refusal::new("not-custom", "Only a free battle can be saved as a scenario."));
        engine!(State, self, state, |game, state| game.scenario_file(state, id, title), other())
    }

    fn settled(&self, state: &State) -> bool {
        engine!(State, self, state, |game, state| game.settled(state), true)
    }

    fn horizon(&self) -> u32 {
        match self {
            WorldAtWar::Ground(game) => game.horizon(),
            WorldAtWar::Air(game) => game.horizon(),
            WorldAtWar::Naval(game) => game.horizon(),
        }
    }

    fn step_limit(&self) -> u32 {
        match self {
            WorldAtWar::Ground(game) => game.step_limit(),
            WorldAtWar::Air(game) => game.step_limit(),
            WorldAtWar::Naval(game) => game.step_limit(),
        }
    }
}

fn nothing() -> Scene {
    Scene {
        title: String::new(),
        status: Vec::new(),
        surface: Surface::Boxes { boxes: Vec::new() },
        ..Scene::default()
    }
}
