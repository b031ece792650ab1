//! What can be played, behind one interface: a scenario, a campaign, a custom battle.

use crate::campaign::{self, CampaignGame, CampaignState};
use crate::custom::{CustomGame, CustomState};
use crate::scenario::{ScenarioGame, ScenarioState};
use crate::{explain, luck, rule, scene};
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Game, Insight, Luck, Outcome, Refusal, Scene, SeatInfo, SeatQuestion, Side,
    Unanswered, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub enum Schiffskrieg {
    Scenario(ScenarioGame),
    Campaign(CampaignGame),
    Custom(CustomGame),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    Scenario(ScenarioState),
    Campaign(CampaignState),
    Custom(CustomState),
}

/// What a viewer knows: a copy of the state, because nothing in a state is hidden. Wishes, orders and picks are sealed
/// within their question, and revealed to everybody by the step that takes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    #[serde(flatten)]
    pub state: State,
}

/// A faction's id as people read it.
pub fn title(id: &str) -> String {
    let capital = |word: &str| -> String {
        let first = word.chars().take(1).flat_map(char::to_uppercase);
        first.chain(word.chars().skip(1)).collect()
    };
    id.split('-').map(capital).collect::<Vec<String>>().join(" ")
}

// A state belongs to the game that made it: a step of any other stops, and nothing else is known of it.
impl Game for Schiffskrieg {
    type State = State;
    type View = View;

    fn seats(&self) -> Vec<SeatInfo> {
        let seat = |side: Side| {
            let (id, names) = match self {
                Schiffskrieg::Scenario(game) => (&game.scenario.factions[side].id, &game.names),
                Schiffskrieg::Campaign(game) => (&game.campaign.factions[side].id, &game.names),
                Schiffskrieg::Custom(game) => (&game.battle.scenario.factions[side].id, &game.battle.names),
            };
            SeatInfo { id: id.clone(), name: names[side].clone(), side }
        };
        Side::BOTH.map(seat).into()
    }

    fn aims(&self) -> BySide<String> {
        match self {
            Schiffskrieg::Scenario(game) => game.scenario.bands.aims("at the end of the battle"),
            Schiffskrieg::Campaign(game) => game.campaign.bands.aims("at the end of the campaign"),
            Schiffskrieg::Custom(game) => game.aims(),
        }
    }

    fn setup(&self) -> State {
        match self {
            Schiffskrieg::Scenario(game) => State::Scenario(game.setup()),
            Schiffskrieg::Campaign(game) => State::Campaign(game.setup()),
            Schiffskrieg::Custom(game) => State::Custom(game.setup()),
        }
    }

    #[inline]
    fn step(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        match (self, state) {
            (Schiffskrieg::Scenario(game), State::Scenario(state)) => game.step(state, ask),
            (Schiffskrieg::Campaign(game), State::Campaign(state)) => game.step(state, ask),
            (Schiffskrieg::Custom(game), State::Custom(state)) => game.step(state, ask),
            _ => Err(Unanswered),
        }
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        match (self, state) {
            (Schiffskrieg::Scenario(game), State::Scenario(state)) => game.outcome(state),
            (Schiffskrieg::Campaign(game), State::Campaign(state)) => game.outcome(state),
            (Schiffskrieg::Custom(game), State::Custom(state)) => game.outcome(state),
            _ => None,
        }
    }

    #[inline]
    fn result(&self, state: &State) -> Option<Outcome> {
        match (self, state) {
            (Schiffskrieg::Scenario(game), State::Scenario(state)) => game.result(state),
            _ => self.outcome(state),
        }
    }

    fn scenario_file(&self, state: &State, id: &str, title: &str) -> Result<String, Refusal> {
        match (self, state) {
            (Schiffskrieg::Custom(game), State::Custom(state)) => game.scenario_file(state, id, title),
            _ => {
                let message = "Only a custom battle, whose forces the players picked, can be saved as a scenario.";
                Err(Refusal::new("not-custom", message).by(rule::CUSTOM))
            }
        }
    }

    fn view(&self, state: &State, _: Viewer) -> View {
        View { state: state.clone() }
    }

    fn open(&self) -> bool {
        true
    }

    fn scene(&self, view: &View) -> Scene {
        match (self, &view.state) {
            (Schiffskrieg::Scenario(game), State::Scenario(state)) => scene::scenario(game, state),
            (Schiffskrieg::Campaign(game), State::Campaign(state)) => campaign::scene::draw(game, state),
            (Schiffskrieg::Custom(game), State::Custom(state)) => scene::custom(game, state),
            _ => scene::nothing(),
        }
    }

    fn imagine(&self, view: &View, _: &mut Chance) -> State {
        view.state.clone()
    }

    fn evaluate(&self, view: &View, side: Side) -> i64 {
        match (self, &view.state) {
            (Schiffskrieg::Scenario(game), State::Scenario(state)) => game.evaluate(state, side),
            (Schiffskrieg::Campaign(game), State::Campaign(state)) => game.evaluate(state, side),
            (Schiffskrieg::Custom(game), State::Custom(state)) => game.battle.evaluate(&state.battle, side),
            _ => 0,
        }
    }

    fn explain(&self, view: &View, _: &[Answer], question: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
        explain::explain(self, &view.state, question, value)
    }

    fn luck(&self, before: &State, after: &State) -> [Luck; 2] {
        luck::of_a_step(self, before, after)
    }

    /// A campaign is judged between two turns; a battle is played to its end.
    fn settled(&self, state: &State) -> bool {
        match state {
            State::Campaign(state) => state.step == campaign::Step::Arrivals,
            State::Scenario(_) | State::Custom(_) => true,
        }
    }

    fn horizon(&self) -> u32 {
        match self {
            Schiffskrieg::Campaign(_) => 1,
            Schiffskrieg::Scenario(_) | Schiffskrieg::Custom(_) => 60,
        }
    }

    fn step_limit(&self) -> u32 {
        match self {
            Schiffskrieg::Scenario(game) => game.step_limit(),
            Schiffskrieg::Campaign(game) => game.step_limit(),
            Schiffskrieg::Custom(game) => game.battle.step_limit() + 1,
        }
    }
}
