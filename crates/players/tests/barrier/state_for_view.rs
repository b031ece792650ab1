//! A policy cannot be given the state in place of the view.
use flagplot_kernel::{Answer, Game, Seat};
use flagplot_players::Knowledge;

fn cheat<G: Game>(game: &G, state: &G::State, answers: &[Answer]) {
    let _ = Knowledge::new(game, state, answers, Seat(0));
}

fn main() {}
