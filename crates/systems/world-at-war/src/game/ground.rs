//! PLACEHOLDER: replaced by the engine.
use crate::Rules;
use crate::scenarios::GroundScenario;
use flagplot_kernel::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

pub struct GroundGame {
    pub rules: Arc<Rules>,
    pub scenario: GroundScenario,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GroundState {}

impl GroundGame {
    pub(crate) fn new(rules: Arc<Rules>, scenario: GroundScenario) -> Self {
        Self { rules, scenario }
    }
}

impl Game for GroundGame {
    type State = GroundState;
    type View = GroundState;

    fn seats(&self) -> Vec<SeatInfo> {
        super::seats()
    }

    fn setup(&self) -> GroundState {
        unimplemented!()
    }

    fn step(&self, _: &mut GroundState, _: &mut impl Ask) -> Asked<()> {
        unimplemented!()
    }

    fn outcome(&self, _: &GroundState) -> Option<Outcome> {
        unimplemented!()
    }

    fn view(&self, _: &GroundState, _: Viewer) -> GroundState {
        unimplemented!()
    }

    fn scene(&self, _: &GroundState) -> Scene {
        unimplemented!()
    }

    fn imagine(&self, _: &GroundState, _: &mut Chance) -> GroundState {
        unimplemented!()
    }

    fn evaluate(&self, _: &GroundState, _: Side) -> Standing {
        unimplemented!()
    }

    fn explain(&self, _: &GroundState, _: &[Answer], _: &SeatQuestion, _: Option<&Value>) -> Vec<Insight> {
        unimplemented!()
    }

    fn step_limit(&self) -> u32 {
        unimplemented!()
    }
}
