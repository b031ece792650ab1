//! Morale of ships, squadrons and stands. [12.3, 12.4, 12.5]

use crate::rule;
use crate::rules::Rules;
use crate::volley::{Modifiers, Test};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// A value at the start, before the turn and now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Decline {
    /// Original number.
    #[shape(1..=99)]
    pub original: i32,
    /// Number at the start of the turn.
    #[shape(0..=99)]
    pub before: i32,
    /// Number now.
    #[shape(0..=99)]
    pub now: i32,
}

impl Decline {
    /// A value does not rise while ships fight.
    pub fn check(&self, what: &str) -> Result<(), Refusal> {
        if self.now > self.before || self.before > self.original {
            let text =
                format!("{what} cannot rise: {} originally, {} before, {} now.", self.original, self.before, self.now);
            return Err(Refusal::new("out-of-range", text).by(rule::R_53));
        }
        Ok(())
    }

    fn fell_to_a_third(&self) -> bool {
        3 * self.before > self.original && 3 * self.now <= self.original
    }

    fn fell_to_nothing(&self) -> bool {
        self.before > 0 && self.now == 0
    }

    fn fell(&self) -> bool {
        self.now < self.before && self.now > 0
    }
}

/// The value that decides a morale test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nerve {
    pub crew_quality: i32,
    /// The command value, which counts instead if the commander is there.
    pub command: Option<i32>,
}

impl Nerve {
    fn modifiers(self, rule: Rule) -> Modifiers {
        match self.command {
            Some(command) => Modifiers::new().with("command value", command, rule),
            None => Modifiers::new().with("crew quality", self.crew_quality, rule),
        }
    }
}

/// The result of morale tests.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Morale {
    /// There was a cause to test.
    pub required: bool,
    /// What is added to each die.
    pub modifier: i32,
    /// Causes of the tests.
    #[shape(items = 0..=4)]
    pub causes: Vec<MoraleCause>,
    /// Tests failed.
    pub failures: i32,
    /// No test failed.
    pub passed: bool,
}

fn test(
    rules: &Rules,
    name: &str,
    causes: Vec<MoraleCause>,
    modifiers: Modifiers,
    cited: &[Rule],
    ask: &mut impl Ask,
) -> Asked<Morale> {
    let modifier = modifiers.total();
    let mut failures = 0;
    for cause in &causes {
        let name = format!("{name} ({cause})");
        let test = Test {
            what: "morale",
            name: &name,
            rules: cited,
            modifiers: modifiers.clone(),
            needed: rules.needs.test_pass_d10,
            words: ("she holds", "morale fails"),
        };
        failures += i32::from(!test.roll(ask)?);
    }
    Ok(Morale { required: !causes.is_empty(), modifier, causes, failures, passed: failures == 0 })
}

/// A ship: one test for each cause of this turn. [12.3, R-33]
pub fn ship(
    rules: &Rules,
    structure: Decline,
    flotation: Decline,
    nerve: Nerve,
    fires: i32,
    ask: &mut impl Ask,
) -> Asked<Morale> {
    let causes = [
        (structure.fell_to_a_third(), MoraleCause::StructureOneThird),
        (structure.fell_to_nothing(), MoraleCause::StructureZero),
        (flotation.fell_to_a_third(), MoraleCause::FlotationOneThird),
        (flotation.fell_to_nothing(), MoraleCause::FlotationZero),
    ];
    let causes = causes.into_iter().filter(|(fell, _)| *fell).map(|(_, cause)| cause).collect();
    let modifiers = nerve.modifiers(rule::S12_3).with("fires", -rules.band(fires), rule::BANDS);
    test(rules, "Morale of the ship", causes, modifiers, &[rule::S12_3, rule::R_33, rule::R_53], ask)
}

/// A squadron that lost a member and is at half or below. [12.5, R-34]
pub fn squadron(rules: &Rules, members: Decline, command: i32, ask: &mut impl Ask) -> Asked<Morale> {
    let due = members.fell() && 2 * members.now <= members.original;
    let causes = if due { vec![MoraleCause::HalfTheSquadron] } else { Vec::new() };
    let modifiers = Modifiers::new().with("command value", command, rule::S12_5);
    test(rules, "Morale of the squadron", causes, modifiers, &[rule::S12_5, rule::R_34, rule::R_14], ask)
}

/// A stand that lost aircraft and is at a third or below. [12.4, R-35]
pub fn stand(rules: &Rules, aircraft: Decline, nerve: Nerve, ask: &mut impl Ask) -> Asked<Morale> {
    let due = aircraft.fell() && 3 * aircraft.now <= aircraft.original;
    let causes = if due { vec![MoraleCause::OneThirdOfTheStand] } else { Vec::new() };
    test(rules, "Morale of the stand", causes, nerve.modifiers(rule::S12_4), &[rule::S12_4, rule::R_35], ask)
}
