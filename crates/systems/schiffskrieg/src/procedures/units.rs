//! Units and attacks as the referee's form writes them.

use crate::attack::{Engagement, judge};
use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::formula;
use crate::rule;
use crate::unit::{Counter, Factor, Factors, Id, Kind, Name, Sheet};
use flagplot_kernel::Refusal;
use flagplot_referee::{Field, Shape, bool, int, list, nullable, opt, or, record, req, text, word};
use serde::{Deserialize, Serialize};

/// How many units a faction may have in a request.
pub(super) const MOST_UNITS: usize = 60;

/// A unit given in full.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct GivenUnit {
    pub id: Id,
    pub kind: Kind,
    gunnery: u8,
    torpedo: u8,
    airstrike: u8,
    defense: u8,
    damage: u8,
    damaged_side: Option<Factors>,
    pub damaged: bool,
    vp: Option<u8>,
}

impl GivenUnit {
    pub fn sheet(&self) -> Sheet {
        let front =
            Factors { gunnery: self.gunnery, torpedo: self.torpedo, airstrike: self.airstrike, defense: self.defense };
        Sheet {
            id: self.id,
            name: Name::new(self.id.as_str()).unwrap_or_default(),
            kind: self.kind,
            front,
            damage: self.damage,
            back: self.damaged_side,
            vp: self.vp.unwrap_or_else(|| formula::points(self.kind, &front)),
        }
    }

    fn check(&self) -> Result<(), Refusal> {
        let bad = |why: &str| Err(Refusal::new("bad-value", format!("unit '{}': {why}", self.id)));
        let front = self.sheet().front;
        if self.id.as_str().is_empty() {
            return bad("an id is not empty.");
        }
        if self.damage > self.defense {
            return bad("the Damage Factor may not exceed the Defense Factor.");
        }
        if self.damage < self.defense && self.damaged_side.is_none() {
            return bad("a Damage Factor below the Defense Factor needs a damaged side.");
        }
        if self.damage == self.defense && self.damaged_side.is_some() {
            return bad("with equal Damage and Defense Factors the damaged side is never reached.");
        }
        if self.damaged && self.damaged_side.is_none() {
            return bad("it has no damaged side and cannot be damaged.");
        }
        for side in [Some(front), self.damaged_side].into_iter().flatten() {
            match self.kind {
                Kind::Lba if side.gunnery > 0 || side.torpedo > 0 => {
                    return bad("an LBA has only an Airstrike Factor.");
                }
                Kind::Submarine if side.gunnery > 0 => return bad("a submarine has no Gunnery Factor."),
                Kind::Convoy if side.gunnery > 0 || side.torpedo > 0 || side.airstrike > 0 => {
                    return bad("a convoy has no factor to attack with.");
                }
                Kind::Carrier | Kind::Lba => {}
                _ if side.airstrike > 0 => return bad("only carriers and LBAs have an Airstrike Factor."),
                _ => {}
            }
        }
        Ok(())
    }
}

fn unit_fields() -> Vec<Field> {
    let back = record(vec![
        req("gunnery", int(0, 40), "Gunnery Factor"),
        req("torpedo", int(0, 40), "Torpedo Factor"),
        req("airstrike", int(0, 40), "Airstrike Factor"),
        req("defense", int(1, 40), "Defense Factor"),
    ]);
    vec![
        req("id", text(Id::LONGEST), "name of the unit, different from all others"),
        req("kind", word(&Kind::WORDS), "what it is"),
        req("gunnery", int(0, 40), "Gunnery Factor of the front"),
        req("torpedo", int(0, 40), "Torpedo Factor of the front"),
        req("airstrike", int(0, 40), "Airstrike Factor of the front"),
        req("defense", int(1, 40), "Defense Factor of the front: Damage Points that sink"),
        req("damage", int(1, 40), "Damage Factor: Damage Points that damage"),
        or("damaged_side", nullable(back), serde_json::Value::Null, "the back of the counter"),
        or("damaged", bool(), false, "whether the damaged side is up"),
        opt("vp", int(0, 99), "points for sinking it; by the formula when absent"),
    ]
}

/// The shape of a unit.
pub(super) fn unit_shape() -> Shape {
    record(unit_fields())
}

/// The shape of a unit with further fields.
pub(super) fn unit_shape_with(more: Vec<Field>) -> Shape {
    let mut fields = unit_fields();
    fields.extend(more);
    record(fields)
}

/// The shape of a list of units.
pub(super) fn units_shape(min: usize) -> Shape {
    list(unit_shape(), min, MOST_UNITS)
}

/// A pair of fields named after the two parts.
pub(super) fn by_role(shape: &Shape, help: &'static str) -> Vec<Field> {
    vec![req("phasing", shape.clone(), help), req("non_phasing", shape.clone(), help)]
}

/// An attack as it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct GivenAttack {
    pub attacker: Id,
    pub factor: Factor,
    pub target: Id,
}

/// The shape of a list of attacks.
pub(super) fn attacks_shape() -> Shape {
    let attack = record(vec![
        req("attacker", text(Id::LONGEST), "a unit of the faction"),
        req("factor", word(&Factor::WORDS), "the factor used"),
        req("target", text(Id::LONGEST), "a unit of the enemy"),
    ]);
    list(attack, 0, MOST_UNITS)
}

/// Checks every unit by itself, and that no id is there twice.
pub(super) fn check_units<'a>(units: impl IntoIterator<Item = &'a GivenUnit>) -> Result<(), Refusal> {
    let mut seen = Vec::new();
    for unit in units {
        unit.check()?;
        if seen.contains(&unit.id) {
            return Err(Refusal::new("duplicate-unit", format!("The unit '{}' is there twice.", unit.id)));
        }
        seen.push(unit.id);
    }
    Ok(())
}

/// The units of both factions with their sheets.
pub(super) struct Roster {
    pub sheets: ByRole<Vec<Sheet>>,
    pub damaged: ByRole<Vec<bool>>,
}

impl Roster {
    pub fn new(units: ByRole<&Vec<GivenUnit>>) -> Self {
        Self {
            sheets: units.map(|units| units.iter().map(GivenUnit::sheet).collect()),
            damaged: units.map(|units| units.iter().map(|unit| unit.damaged).collect()),
        }
    }

    pub fn counter(&self, role: Role, at: usize) -> Counter<'_> {
        Counter { sheet: &self.sheets[role][at], damaged: self.damaged[role][at] }
    }

    pub fn find(&self, role: Role, id: Id) -> Option<usize> {
        self.sheets[role].iter().position(|sheet| sheet.id == id)
    }

    /// The order of an attack by positions; the attack has been checked.
    pub fn order(&self, role: Role, attack: &GivenAttack) -> Order {
        Order {
            attacker: self.find(role, attack.attacker).unwrap_or(0),
            factor: attack.factor,
            target: self.find(role.other(), attack.target).unwrap_or(0),
        }
    }
}

/// An attack by the positions of its units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub attacker: usize,
    pub factor: Factor,
    pub target: usize,
}

/// Judges a faction's attacks one after the other. `port` is the faction whose ships lie in port, where there is one.
pub(super) fn check_attacks(
    figures: &Figures,
    engagement: Engagement,
    roster: &Roster,
    role: Role,
    attacks: &[GivenAttack],
    port: Option<Role>,
) -> Result<(), Refusal> {
    let mut used = Vec::new();
    for attack in attacks {
        let Some(attacker) = roster.find(role, attack.attacker) else {
            return Err(Refusal::new("unknown-unit", format!("There is no {role} unit '{}'.", attack.attacker)));
        };
        let Some(target) = roster.find(role.other(), attack.target) else {
            return Err(if roster.find(role, attack.target).is_some() {
                Refusal::new("illegal-target", format!("'{}' is a friend of '{}'.", attack.target, attack.attacker))
                    .by(rule::TARGETING)
            } else {
                Refusal::new("unknown-unit", format!("There is no {} unit '{}'.", role.other(), attack.target))
            });
        };
        if used.contains(&attacker) {
            return Err(Refusal::new("already-attacked", format!("'{}' attacks once in a round.", attack.attacker))
                .by(rule::R_8));
        }
        used.push(attacker);
        let counter = roster.counter(role, attacker);
        if port == Some(role) && counter.sheet.kind.is_ship() {
            return Err(Refusal::new(
                "cannot-attack",
                format!("'{}' lies in port and does not attack; only LBAs defend a base.", attack.attacker),
            )
            .by(rule::C_12));
        }
        judge(figures, engagement, counter, attack.factor, roster.counter(role.other(), target))?;
    }
    Ok(())
}
