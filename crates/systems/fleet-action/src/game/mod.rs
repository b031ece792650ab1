//! The battle as a game, in the order of the turn.
//!
//! A step is short: one question with what follows from it, one ship's move, one shot with its hits. What a step leaves
//! to be resolved before anything else (an explosion, a ship out of control) waits in [`state::Sea::pending`].

pub mod actions;
pub mod air;
pub mod battle;
pub mod custom;
mod custom_screen;
pub mod deeps;
pub mod end;
mod explain;
mod fresh;
pub mod harm;
pub mod id;
mod imagine;
mod luck;
pub mod moving;
mod outlook;
pub mod play;
mod scene;
pub mod score;
pub mod setup;
pub mod sight;
pub mod state;
mod thinking;
mod turn;
mod view;

use battle::Battle;
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Game, Insight, Luck, Outcome, Scene, Seat, SeatInfo, SeatQuestion, Side,
    Standing, Viewer, lead,
};
use serde_json::Value;
use state::{Phase, State};
pub use view::View;

/// A battle that is played.
pub struct FleetGame {
    pub battle: Battle,
}

impl FleetGame {
    #[must_use]
    pub fn new(battle: Battle) -> Self {
        Self { battle }
    }
}

/// How each side wins that needs this margin after so many turns. [C-49]
pub(crate) fn aims(need: BySide<i64>, turns: impl std::fmt::Display) -> BySide<String> {
    need.map(|need| {
        let lead = lead(need);
        format!(
            "You win if you {lead} after turn {turns}. Enemy ships lost or hurt, and aircraft shot down, give points."
        )
    })
}

impl Game for FleetGame {
    type State = State;
    type View = View;

    fn seats(&self) -> Vec<SeatInfo> {
        let ids = [(Side::First, "a"), (Side::Second, "b")];
        ids.map(|(side, id)| SeatInfo { id: id.into(), name: self.battle.side_name(side).into(), side }).into()
    }

    fn aims(&self) -> BySide<String> {
        let scenario = &self.battle.scenario;
        let (par, margin) = (i64::from(scenario.par), i64::from(scenario.margin));
        aims(BySide { first: par + margin, second: margin - par }, scenario.turns)
    }

    fn setup(&self) -> State {
        self.first_state()
    }

    fn step(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        if !state.sea.pending.is_empty() {
            return self.resolve_pending(&mut state.sea, ask);
        }
        match &state.phase {
            Phase::SetUp(_) => self.step_setup(state, ask),
            Phase::Initiative => self.step_initiative(state, ask),
            Phase::Mines(_) => self.step_mines(state, ask),
            Phase::Submarines(_) => self.step_submarines(state, ask),
            Phase::Ships(_) => self.step_ships(state, ask),
            Phase::Aircraft(_) => self.step_aircraft(state, ask),
            Phase::Actions(_) => self.step_actions(state, ask),
            Phase::End(_) => self.step_end(state, ask),
            Phase::Over => Ok(()),
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.phase == Phase::Over).then(|| self.verdict(&state.sea))
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        self.view_of(state, viewer)
    }

    fn scene(&self, view: &View) -> Scene {
        self.draw(view)
    }

    fn learned(&self, before: &View, after: &View, by: Seat) -> bool {
        self.learned_by(before, after, by)
    }

    fn imagine(&self, view: &View, chance: &mut Chance) -> State {
        self.imagined(view, chance)
    }

    fn evaluate(&self, view: &View, side: Side) -> Standing {
        self.standing(&view.seen, side)
    }

    fn explain(&self, view: &View, answers: &[Answer], question: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
        self.insights(view, answers, question, value)
    }

    fn luck(&self, before: &State, after: &State) -> [Luck; 2] {
        self.luck_of(before, after)
    }

    fn settled(&self, state: &State) -> bool {
        matches!(state.phase, Phase::Initiative | Phase::Over)
    }

    fn step_limit(&self) -> u32 {
        // A turn asks and rolls a few hundred times at most, even with twenty ships.
        20_000 * u32::try_from(self.battle.scenario.turns).unwrap_or(1)
    }
}
