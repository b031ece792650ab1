//! Ratings from facts.

use super::*;
use crate::derive::*;
use flagplot_kernel::Note;

procedures![DeriveGun, DeriveTorpedo, DeriveBomb, DeriveShip, DeriveAircraft];

fn derived<T: Serialize>(what: &str, ratings: T, rule: Rule, ask: &mut impl Ask) -> T {
    ask.note(|| {
        Note::new("derive", format!("The ratings of the {what} follow from its facts"))
            .by(&[rule])
            .outcome(serde_json::to_value(&ratings).unwrap_or_default())
    });
    ratings
}

fn unchecked<T>(_: &T) -> Result<(), Refusal> {
    Ok(())
}

/// The five procedures differ in their types and in nothing else: a check of the facts, and the ratings.
macro_rules! derivation {
    ($procedure:ident: $facts:ty => $ratings:ty, $name:literal, $help:literal, $what:literal, $rule:ident,
     $check:expr, $derive:expr) => {
        impl Procedure for $procedure {
            const NAME: &'static str = $name;
            const HELP: &'static str = $help;
            const DICE: &'static str = "none";
            const RULES: &'static [Rule] = &[rule::$rule];
            type Input = $facts;
            type Facts = $facts;
            type Output = $ratings;

            fn read(&self, input: $facts) -> Result<$facts, Refusal> {
                $check(&input)?;
                Ok(input)
            }

            fn run(&self, facts: &$facts, ask: &mut impl Ask) -> Asked<$ratings> {
                Ok(derived($what, $derive(facts, &self.0), rule::$rule, ask))
            }
        }
    };
    ($procedure:ident: $facts:ty => $ratings:ty, $name:literal, $help:literal, $what:literal, $rule:ident) => {
        derivation!($procedure: $facts => $ratings, $name, $help, $what, $rule, unchecked,
            |facts: &$facts, _: &Rules| facts.derive());
    };
}

derivation!(DeriveGun: GunFacts => Gun, "derive-gun", "The ratings of a gun.", "gun", C_26);
derivation!(DeriveTorpedo: TorpedoFacts => Torpedo, "derive-torpedo", "The ratings of a torpedo.", "torpedo", C_28);
derivation!(DeriveBomb: BombFacts => Bomb, "derive-bomb", "The ratings of a bomb.", "bomb", C_28);
derivation!(DeriveShip: ShipFacts => ShipRatings, "derive-ship", "The ratings of a ship.", "ship", C_26,
    ShipFacts::check, ShipFacts::derive);
derivation!(DeriveAircraft: AircraftFacts => AircraftRatings, "derive-aircraft", "The ratings of an aircraft.",
    "aircraft", C_27);
