//! Units and attacks as the referee's form gives them.

use crate::attack::{Berth, Engagement, Named, Order, declared};
use crate::faction::{ByRole, Role};
use crate::formula;
use crate::rules::Rules;
use crate::unit::{Counter, Factors, Id, Kind, Name, Sheet};
use flagplot_kernel::Refusal;
use flagplot_referee::Shaped;
use serde::Deserialize;

#[derive(Clone, Copy, Debug, Deserialize, Shaped)]
pub struct GivenUnit {
    /// name of the unit, different from all others
    id: Id,
    /// what it is
    kind: Kind,
    #[serde(flatten)]
    front: Factors,
    /// Damage Factor: Damage Points that damage
    #[shape(1..=40)]
    damage: u8,
    /// the back of the counter
    #[shape(null, or = null)]
    damaged_side: Option<Factors>,
    /// whether the damaged side is up
    #[shape(or = false)]
    damaged: bool,
    /// points for sinking it; by the formula when absent
    #[shape(0..=99)]
    vp: Option<u8>,
}

#[derive(Clone, Copy)]
pub struct Unit {
    pub sheet: Sheet,
    pub damaged: bool,
}

pub type Roster = ByRole<Vec<Unit>>;

impl Unit {
    pub fn counter(&self) -> Counter<'_> {
        Counter { sheet: &self.sheet, damaged: self.damaged }
    }

    fn read(given: GivenUnit) -> Result<Self, Refusal> {
        let GivenUnit { id, kind, front, damage, damaged_side: back, damaged, vp } = given;
        let name = Name::new(id.as_str()).unwrap_or_default();
        let vp = vp.unwrap_or_else(|| formula::points(kind, &front));
        let sheet = Sheet { id, name, kind, front, damage, back, vp };
        let fault = match sheet.check() {
            Ok(()) if damaged && back.is_none() => Err("it has no damaged side and cannot be damaged"),
            checked => checked,
        };
        match fault {
            Ok(()) => Ok(Unit { sheet, damaged }),
            Err(why) => Err(Refusal::new("bad-value", format!("unit '{id}': {why}."))),
        }
    }
}

pub fn once(seen: &mut Vec<Id>, id: Id) -> Result<(), Refusal> {
    if seen.contains(&id) {
        return Err(Refusal::new("duplicate-unit", format!("The unit '{id}' appears twice.")));
    }
    seen.push(id);
    Ok(())
}

/// Reads every unit by itself; no id may be there twice.
pub fn read_units(given: impl IntoIterator<Item = GivenUnit>) -> Result<Vec<Unit>, Refusal> {
    let (mut units, mut seen, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    for unit in given {
        match Unit::read(unit).and_then(|read| once(&mut seen, unit.id).map(|()| read)) {
            Ok(unit) => units.push(unit),
            Err(refusal) => reasons.push(refusal),
        }
    }
    Refusal::all(reasons).map(|()| units)
}

pub fn read_roster(phasing: Vec<GivenUnit>, non_phasing: Vec<GivenUnit>) -> Result<Roster, Refusal> {
    let many = phasing.len();
    let mut phasing = read_units(phasing.into_iter().chain(non_phasing))?;
    let non_phasing = phasing.split_off(many);
    Ok(ByRole { phasing, non_phasing })
}

#[derive(Deserialize, Shaped)]
#[shape(items = 0..=60)]
pub struct Attacks(Vec<Named>);

impl Attacks {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn read(
        &self,
        rules: &Rules,
        engagement: Engagement,
        roster: &Roster,
        role: Role,
        berth: Berth,
    ) -> Result<Vec<Order>, Refusal> {
        let line = |role: Role| roster[role].iter().map(Unit::counter).collect::<Vec<_>>();
        declared(rules, engagement, berth, [&line(role), &line(role.other())], &self.0)
    }
}
