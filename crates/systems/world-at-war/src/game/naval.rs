//! PLACEHOLDER: replaced by the engine.
use crate::Rules;
use crate::scenarios::NavalScenario;
use flagplot_kernel::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

pub struct NavalGame {
    pub rules: Arc<Rules>,
    pub scenario: NavalScenario,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NavalState {}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NavalView {}

impl NavalGame {
    pub(crate) fn new(rules: Arc<Rules>, scenario: NavalScenario) -> Self {
        Self { rules, scenario }
    }
}

impl Game for NavalGame {
    type State = NavalState;
    type View = NavalView;

    fn seats(&self) -> Vec<SeatInfo> {
        super::seats()
    }

    fn setup(&self) -> NavalState {
        unimplemented!()
    }

    fn step(&self, _: &mut NavalState, _: &mut impl Ask) -> Asked<()> {
        unimplemented!()
    }

    fn outcome(&self, _: &NavalState) -> Option<Outcome> {
        unimplemented!()
    }

    fn view(&self, _: &NavalState, _: Viewer) -> NavalView {
        unimplemented!()
    }

    fn scene(&self, _: &NavalView) -> Scene {
        unimplemented!()
    }

    fn imagine(&self, _: &NavalView, _: &mut Chance) -> NavalState {
        unimplemented!()
    }

    fn evaluate(&self, _: &NavalView, _: Side) -> Standing {
        unimplemented!()
    }

    fn explain(&self, _: &NavalView, _: &[Answer], _: &SeatQuestion, _: Option<&Value>) -> Vec<Insight> {
        unimplemented!()
    }

    fn step_limit(&self) -> u32 {
        unimplemented!()
    }
}
