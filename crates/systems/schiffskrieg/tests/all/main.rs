//! Every test of Schiffskrieg.

mod agreement;
mod campaign;
mod common;
mod every_field;
mod games;
mod order_of_battle;
mod referee;
mod refusals;
mod rules;
mod scenarios;
mod wishes;
