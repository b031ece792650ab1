//! The procedures of the referee: what a request gives, and which rule answers.

mod air;
mod critical;
mod damage;
mod derive;
mod end;
mod gunnery;
mod hits;
mod initiative;
mod light;
mod mines_and_submarines;
mod movement;
mod scalars;
mod sight;
mod torpedo;

use crate::rule;
use crate::rules::Rules;
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Process, Refusal, Rule};
use flagplot_odds::{Budget, Dist, Exact, distribution};
use flagplot_referee::{AnyProcedure, FieldOdds, Procedure, Shaped, projected};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Declares the procedures of a module, each a type that holds the rules, and lists them.
macro_rules! procedures {
    ($($name:ident),*) => {
        $(struct $name(#[allow(dead_code, reason = "not every procedure reads a table")] Arc<Rules>);)*

        pub(super) fn all(rules: &Arc<Rules>) -> Vec<Box<dyn AnyProcedure>> {
            vec![$($name(Arc::clone(rules)).boxed()),*]
        }
    };
}
use procedures;

/// All procedures, in the order of the rules page.
pub(crate) fn all(rules: &Arc<Rules>) -> Vec<Box<dyn AnyProcedure>> {
    let modules = [
        initiative::all,
        gunnery::all,
        hits::all,
        torpedo::all,
        light::all,
        air::all,
        critical::all,
        damage::all,
        end::all,
        sight::all,
        movement::all,
        mines_and_submarines::all,
        derive::all,
    ];
    modules.iter().flat_map(|all| all(rules)).collect()
}

/// The exact odds of a process, merging equal states between its steps.
fn process_odds<P: Process, O: Serialize>(
    process: &P,
    start: P::State,
    output: impl Fn(&P::State) -> O,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Refusal> {
    let dist: Dist<P::State, Exact> = distribution(process, Dist::certain(start), budget)?;
    Ok(projected(&dist, output, wanted))
}
