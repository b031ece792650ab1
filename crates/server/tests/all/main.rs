//! The server's tests, in one program.

#[macro_use]
mod common;

mod book;
mod corpus;
mod delta;
mod fair;
mod gather;
mod guard;
mod kill;
mod leak;
mod lookback;
mod mail;
mod notices;
mod openapi;
mod play;
mod processes;
mod puzzles;
mod simulation;
mod stream;
mod tls;
mod torn;

/// Not a test: the program started again as a server.
#[test]
fn serve() {
    common::process::serve_if_asked();
}
