use crate::formula::{Facts, derive};
use crate::rule;
use crate::unit::{Factors, Kind};
use flagplot_kernel::{Ask, Note, Refusal};
use flagplot_referee::{About, Halt, OldProcedure, Shape, int, nullable, opt, record, req, word};
use serde::{Deserialize, Serialize};

/// The factors of a counter from public facts.
pub(super) struct FactorsOf;

#[derive(Deserialize)]
pub(super) struct Input {
    kind: Kind,
    ships: Option<u32>,
    tons: Option<u32>,
    belt_mm: Option<u32>,
    guns: Option<u32>,
    gun_mm: Option<u32>,
    tubes: Option<u32>,
    tube_mm: Option<u32>,
    aircraft: Option<u32>,
}

impl Input {
    fn given(&self) -> [(&'static str, Option<u32>); 8] {
        [
            ("ships", self.ships),
            ("tons", self.tons),
            ("belt_mm", self.belt_mm),
            ("guns", self.guns),
            ("gun_mm", self.gun_mm),
            ("tubes", self.tubes),
            ("tube_mm", self.tube_mm),
            ("aircraft", self.aircraft),
        ]
    }

    fn facts(&self) -> Facts {
        let or_none = |fact: Option<u32>| fact.unwrap_or(0);
        Facts {
            ships: or_none(self.ships),
            tons: or_none(self.tons),
            belt_mm: or_none(self.belt_mm),
            guns: or_none(self.guns),
            gun_mm: or_none(self.gun_mm),
            tubes: or_none(self.tubes),
            tube_mm: or_none(self.tube_mm),
            aircraft: or_none(self.aircraft),
        }
    }
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub(super) struct Output {
    gunnery: u8,
    torpedo: u8,
    airstrike: u8,
    defense: u8,
    damage: u8,
    damaged_side: Option<Factors>,
    vp: u8,
}

fn factor() -> Shape {
    int(0, 255)
}

impl OldProcedure for FactorsOf {
    type Input = Input;
    type Output = Output;

    fn about(&self) -> About {
        About {
            name: "factors",
            help: "The factors of a counter by the formula, from its public facts.",
            dice: "none",
            input: record(vec![
                req("kind", word(&Kind::WORDS), "what it is"),
                opt("ships", int(1, 100), "hulls; a convoy's merchantmen"),
                opt("tons", int(1, 400_000), "standard displacement of all hulls"),
                opt("belt_mm", int(0, 600), "thickest main belt"),
                opt("guns", int(0, 200), "guns of the main battery, all hulls"),
                opt("gun_mm", int(0, 510), "their calibre"),
                opt("tubes", int(0, 300), "torpedo tubes, all hulls"),
                opt("tube_mm", int(0, 700), "their calibre"),
                opt("aircraft", int(0, 400), "aircraft embarked; an LBA's strike aircraft"),
            ]),
            result: record(vec![
                req("gunnery", factor(), "Gunnery Factor"),
                req("torpedo", factor(), "Torpedo Factor"),
                req("airstrike", factor(), "Airstrike Factor"),
                req("defense", factor(), "Defense Factor"),
                req("damage", factor(), "Damage Factor"),
                req(
                    "damaged_side",
                    nullable(record(vec![
                        req("gunnery", factor(), "Gunnery Factor"),
                        req("torpedo", factor(), "Torpedo Factor"),
                        req("airstrike", factor(), "Airstrike Factor"),
                        req("defense", factor(), "Defense Factor"),
                    ])),
                    "the back of the counter",
                ),
                req("vp", factor(), "points for sinking it"),
            ]),
            rules: &[rule::FORMULA, rule::C_10, rule::C_15],
        }
    }

    fn check(&self, input: &Input) -> Result<(), Refusal> {
        let needed: &[&str] = match input.kind {
            Kind::Lba => &["aircraft"],
            Kind::Convoy => &["ships"],
            _ => &["ships", "tons", "belt_mm", "guns", "gun_mm", "tubes", "tube_mm", "aircraft"],
        };
        for (name, fact) in input.given() {
            match (fact, needed.contains(&name)) {
                (None, true) => {
                    return Err(Refusal::new(
                        "missing-field",
                        format!("factors needs the field '{name}' for a {}.", input.kind.word()),
                    ));
                }
                (Some(_), false) => {
                    return Err(Refusal::new(
                        "unknown-field",
                        format!("input has no field '{name}' for a {}.", input.kind.word()),
                    ));
                }
                _ => {}
            }
        }
        let bad = |why: &str| Err(Refusal::new("bad-value", why));
        match input.kind {
            Kind::Lba if input.aircraft == Some(0) => bad("input.aircraft is 0; an LBA has 1 to 400."),
            Kind::Convoy | Kind::Lba | Kind::Carrier
                if input.kind == Kind::Convoy
                    || input.kind == Kind::Lba
                    || input.ships.is_some_and(|ships| ships <= 30) =>
            {
                Ok(())
            }
            _ if input.ships.is_some_and(|ships| ships > 30) => bad("input.ships must lie between 1 and 30."),
            _ if input.aircraft.is_some_and(|aircraft| aircraft > 0) => bad("only carriers and LBAs have aircraft."),
            _ => Ok(()),
        }
    }

    fn run(&self, input: &Input, ask: &mut impl Ask) -> Result<Output, Halt> {
        let facts = input.facts();
        let derived = derive(input.kind, &facts);
        ask.note(|| {
            Note::new("factors", arithmetic(input.kind, &facts, &derived.front))
                .by(&[rule::FORMULA, rule::C_10])
                .outcome(serde_json::json!({"front": derived.front, "damage": derived.damage, "back": derived.back}))
        });
        ask.note(|| {
            Note::new("points", format!("Sinking it is worth {}.", derived.vp))
                .by(&[rule::C_15])
                .detail()
                .outcome(derived.vp)
        });
        Ok(Output {
            gunnery: derived.front.gunnery,
            torpedo: derived.front.torpedo,
            airstrike: derived.front.airstrike,
            defense: derived.front.defense,
            damage: derived.damage,
            damaged_side: derived.back,
            vp: derived.vp,
        })
    }
}

fn arithmetic(kind: Kind, facts: &Facts, front: &Factors) -> String {
    match kind {
        Kind::Lba => format!(
            "Airstrike: ({} + 6) div 12 = {}. Defense: 3 + ({} + 12) div 24 = {}.",
            facts.aircraft, front.airstrike, facts.aircraft, front.defense
        ),
        Kind::Convoy => format!("Defense: 2 + ({} + 2) div 4 = {}.", facts.ships, front.defense),
        _ => format!(
            "Gunnery: √({} × ({} ÷ 100)³) ÷ 4.5, rounded half up = {}. Torpedo: √({} tubes of {} mm, weighted) ÷ 3, rounded down = {}. Airstrike: ({} + 6) div 12 = {}. Defense: √({} ÷ 1000) + {} ÷ 150 + {} ÷ 4, rounded half up = {}.",
            facts.guns,
            facts.gun_mm,
            front.gunnery,
            facts.tubes,
            facts.tube_mm,
            front.torpedo,
            facts.aircraft,
            front.airstrike,
            facts.tons,
            facts.belt_mm,
            facts.ships.saturating_sub(1),
            front.defense
        ),
    }
}
