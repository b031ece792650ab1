//! The procedures of the referee: what each wants to know, and which rule answers.

mod air;
mod critical;
mod damage;
mod depths;
mod derive;
mod end;
mod gunnery;
mod hits;
mod light;
mod scalars;
mod sea;
mod ship;
mod sight;
mod torpedo;

use crate::book::Book;
use crate::words::*;
use flagplot_kernel::{Process, Refusal};
use flagplot_odds::{Budget, Dist, Exact, distribution};
use flagplot_referee::{
    AnyProcedure, Field, FieldOdds, Halt, Projection, Shape, bool, int, list, opt, or, record, req, word,
};
use serde::Serialize;
use std::sync::Arc;

/// Declares a procedure: its name as a type, its input and result, what it says of itself, its check and its run.
macro_rules! procedure {
    ($name:ident: $input:ty => $output:ty, $about:expr, $check:path, $run:path $(, $odds:path)?) => {
        struct $name(std::sync::Arc<crate::book::Book>);

        impl flagplot_referee::OldProcedure for $name {
            type Input = $input;
            type Output = $output;

            fn about(&self) -> flagplot_referee::About {
                $about
            }

            fn check(&self, input: &$input) -> Result<(), flagplot_kernel::Refusal> {
                $check(&self.0, input)
            }

            fn run(&self, input: &$input, ask: &mut impl flagplot_kernel::Ask) -> Result<$output, flagplot_referee::Halt> {
                $run(&self.0, input, ask)
            }

            $(fn odds(&self, input: &$input, wanted: Option<&str>, budget: flagplot_odds::Budget<'_>) -> Result<flagplot_referee::FieldOdds, flagplot_referee::Halt> {
                $odds(&self.0, input, wanted, budget)
            })?
        }
    };
}
use procedure;

/// All procedures, in the order of the rules page.
pub(crate) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    let mut list = sight::start(book);
    list.extend(gunnery::all(book));
    list.extend(hits::all(book));
    list.extend(torpedo::all(book));
    list.extend(light::all(book));
    list.extend(air::all(book));
    list.extend(critical::all(book));
    list.extend(damage::all(book));
    list.extend(end::all(book));
    list.extend(sight::all(book));
    list.extend(sea::all(book));
    list.extend(depths::all(book));
    list.extend(derive::all(book));
    list
}

/// For procedures whose input is right once it has its shape.
fn no_check<T>(_: &Book, _: &T) -> Result<(), Refusal> {
    Ok(())
}

/// The exact odds of a process, merging equal states between its steps.
fn process_odds<P: Process, O: Serialize>(
    process: &P,
    start: P::State,
    output: impl Fn(&P::State) -> O,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Halt> {
    let dist: Dist<P::State, Exact> = distribution(process, Dist::certain(start), budget)?;
    project(&dist, output, wanted)
}

fn project<T: Eq + std::hash::Hash, O: Serialize>(
    dist: &Dist<T, Exact>,
    output: impl Fn(&T) -> O,
    wanted: Option<&str>,
) -> Result<FieldOdds, Halt> {
    let mut projection = Projection::new(wanted);
    for (state, weight) in dist.iter() {
        let value = serde_json::to_value(output(state)).map_err(|error| Refusal::new("internal", error.to_string()))?;
        projection.add(&value, weight);
    }
    Ok(projection.finish(dist.total()))
}

fn missing(path: &str, field: &str) -> Refusal {
    Refusal::new("missing-field", format!("{path} needs the field '{field}'."))
}

fn unwanted(path: &str, field: &str, why: &str) -> Refusal {
    Refusal::new("unknown-field", format!("{path}.{field} does not belong here: {why}."))
}

/// The range band of a request that gives either a distance or a band.
fn band_of(book: &Book, range_mm: Option<i32>, range_band: Option<i32>) -> Result<i32, Refusal> {
    match (range_mm, range_band) {
        (Some(mm), None) => Ok(book.range_band(mm)),
        (None, Some(band)) => Ok(band),
        (Some(_), Some(_)) => {
            Err(Refusal::new("unknown-field", "Give range_mm or range_band, not both.").by(crate::rule::R_3))
        }
        (None, None) => Err(Refusal::new("missing-field", "input needs range_mm or range_band.").by(crate::rule::R_3)),
    }
}

fn range_fields() -> [Field; 2] {
    [
        opt("range_mm", range_mm(), "the distance in millimetres; this or range_band"),
        opt("range_band", int(1, 99), "the range band; this or range_mm"),
    ]
}

fn range_mm() -> Shape {
    int(0, 100_000)
}

fn quality() -> Field {
    or("crew_quality", int(-9, 2), 0, "crew quality")
}

fn command() -> Field {
    or("command", int(-9, 2), 0, "command value")
}

fn flag(name: &'static str, help: &'static str) -> Field {
    or(name, bool(), false, help)
}

fn splash(help: &'static str) -> Field {
    or("splash", int(0, 99), 0, help)
}

fn flak() -> Field {
    or("flak", int(0, 99), 0, "flak markers on the stand")
}

fn size(default: i64) -> Field {
    or("size", int(-4, 3), default, "size of the target")
}

fn speed() -> Field {
    or("speed", int(0, 60), 20, "speed of the target in knots: 0 is stopped, 1 to 10 slow")
}

fn sv() -> Field {
    or("sv", int(0, 9), 1, "steering value of the target")
}

fn land() -> Field {
    flag("land", "the target is on land")
}

fn aircraft() -> Field {
    req("aircraft", int(1, 27), "aircraft in the stand")
}

fn words(of: &[&'static str]) -> Shape {
    word(of)
}

/// A record whose every field is an optional part of some result.
fn answers(fields: &[(&'static str, Shape, &'static str)]) -> Shape {
    record(fields.iter().map(|(name, shape, help)| req(name, shape.clone(), help)).collect())
}

/// Any whole number a result may hold.
fn number() -> Shape {
    int(-1_000_000, 1_000_000)
}

fn modifiers_shape() -> Shape {
    list(answers(&[("name", flagplot_referee::text(60), "what it is for"), ("value", number(), "what it adds")]), 0, 20)
}

/// The words of a column, with one more for none.
fn column_or_none() -> Shape {
    let mut words = Column::WORDS.to_vec();
    words.push("none");
    word(&words)
}
