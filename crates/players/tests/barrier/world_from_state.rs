//! Nobody makes a world out of a state.
use flagplot_kernel::Game;
use flagplot_players::World;

fn cheat<G: Game>(state: G::State) -> World<G> {
    World { state }
}

fn main() {}
