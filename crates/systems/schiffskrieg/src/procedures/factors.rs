use crate::formula::{Derived, Facts, derive};
use crate::rule;
use crate::unit::Kind;
use flagplot_kernel::{Ask, Asked, Note, Refusal, Rule};
use flagplot_referee::{Procedure, Shaped};
use serde::Deserialize;

pub struct FactorsOf;

/// what it is
#[derive(Deserialize, Shaped)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Input {
    Battleship(Facts),
    Carrier(Facts),
    Cruiser(Facts),
    Destroyers(Facts),
    Submarine(Facts),
    Convoy {
        /// merchantmen
        #[shape(1..=100)]
        ships: u32,
    },
    Lba {
        /// strike aircraft
        #[shape(1..=400)]
        aircraft: u32,
    },
}

impl Procedure for FactorsOf {
    const NAME: &'static str = "factors";
    const HELP: &'static str = "The factors of a counter by the formula, from its public facts.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::FORMULA, rule::C_10, rule::C_15];

    type Input = Input;
    type Facts = (Kind, Facts);
    type Output = Derived;

    fn read(&self, input: Input) -> Result<Self::Facts, Refusal> {
        let (kind, facts) = match input {
            Input::Battleship(facts) => (Kind::Battleship, facts),
            Input::Carrier(facts) => (Kind::Carrier, facts),
            Input::Cruiser(facts) => (Kind::Cruiser, facts),
            Input::Destroyers(facts) => (Kind::Destroyers, facts),
            Input::Submarine(facts) => (Kind::Submarine, facts),
            Input::Convoy { ships } => (Kind::Convoy, Facts { ships, ..Facts::default() }),
            Input::Lba { aircraft } => (Kind::Lba, Facts { aircraft, ..Facts::default() }),
        };
        if !matches!(kind, Kind::Carrier | Kind::Lba) && facts.aircraft > 0 {
            return Err(Refusal::new("bad-value", "Only carriers and LBAs have aircraft; input.aircraft must be 0."));
        }
        Ok((kind, facts))
    }

    fn run(&self, (kind, facts): &Self::Facts, ask: &mut impl Ask) -> Asked<Derived> {
        let derived = derive(*kind, facts);
        ask.note(|| {
            Note::new("factors", arithmetic(*kind, facts, &derived))
                .by(&[rule::FORMULA, rule::C_10])
                .outcome(serde_json::json!({"front": derived.front, "damage": derived.damage, "back": derived.back}))
        });
        ask.note(|| {
            Note::new("points", format!("Sinking it is worth {}.", derived.vp))
                .by(&[rule::C_15])
                .detail()
                .outcome(derived.vp)
        });
        Ok(derived)
    }
}

fn arithmetic(kind: Kind, facts: &Facts, Derived { front, .. }: &Derived) -> String {
    let Facts { ships, tons, belt_mm, guns, gun_mm, tubes, tube_mm, aircraft } = facts;
    let airstrike = format!("Airstrike: ({aircraft} + 6) div 12 = {}.", front.airstrike);
    let defense = front.defense;
    match kind {
        Kind::Lba => format!("{airstrike} Defense: 3 + ({aircraft} + 12) div 24 = {defense}."),
        Kind::Convoy => format!("Defense: 2 + ({ships} + 2) div 4 = {defense}."),
        _ => format!(
            "Gunnery: √({guns} × ({gun_mm} ÷ 100)³) ÷ 4.5, rounded half up = {}. \
             Torpedo: √({tubes} tubes of {tube_mm} mm, weighted) ÷ 3, rounded down = {}. {airstrike} \
             Defense: √({tons} ÷ 1000) + {belt_mm} ÷ 150 + {} ÷ 4, rounded half up = {defense}.",
            front.gunnery,
            front.torpedo,
            ships.saturating_sub(1)
        ),
    }
}
