use super::GroundGame;
use super::state::GroundState;
use flagplot_kernel::Luck;
pub(super) fn of_a_step(_: &GroundGame, _: &GroundState, _: &GroundState) -> [Luck; 2] {
    Default::default()
}
