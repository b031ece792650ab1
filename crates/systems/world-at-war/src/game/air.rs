//! PLACEHOLDER: replaced by the engine.
use crate::Rules;
use crate::scenarios::AirScenario;
use flagplot_kernel::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

pub struct AirGame {
    pub rules: Arc<Rules>,
    pub scenario: AirScenario,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AirState {}

impl AirGame {
    pub(crate) fn new(rules: Arc<Rules>, scenario: AirScenario) -> Self {
        Self { rules, scenario }
    }
}

impl Game for AirGame {
    type State = AirState;
    type View = AirState;

    fn seats(&self) -> Vec<SeatInfo> {
        super::seats()
    }

    fn setup(&self) -> AirState {
        unimplemented!()
    }

    fn step(&self, _: &mut AirState, _: &mut impl Ask) -> Asked<()> {
        unimplemented!()
    }

    fn outcome(&self, _: &AirState) -> Option<Outcome> {
        unimplemented!()
    }

    fn view(&self, _: &AirState, _: Viewer) -> AirState {
        unimplemented!()
    }

    fn scene(&self, _: &AirState) -> Scene {
        unimplemented!()
    }

    fn imagine(&self, _: &AirState, _: &mut Chance) -> AirState {
        unimplemented!()
    }

    fn evaluate(&self, _: &AirState, _: Side) -> Standing {
        unimplemented!()
    }

    fn explain(&self, _: &AirState, _: &[Answer], _: &SeatQuestion, _: Option<&Value>) -> Vec<Insight> {
        unimplemented!()
    }

    fn step_limit(&self) -> u32 {
        unimplemented!()
    }
}
