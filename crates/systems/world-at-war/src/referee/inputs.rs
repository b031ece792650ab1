//! What requests give: loose JSON forms, and their way into the rules' types.

use crate::air::{self, AirGroup, AirType};
use crate::hits::{LightShips, OneFactorClass, ShipState};
use crate::nation::{Nation, Supply};
use crate::naval::{Firers, LightTarget, ShipTarget, Target};
use crate::naval_data::ShipKind;
use crate::rule;
use flagplot_kernel::Refusal;
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct AirGroupInput {
    nation: String,
    count: u32,
    #[serde(rename = "type")]
    kind: AirType,
    elite: bool,
    winter_effect: u8,
    partial_supply: bool,
    oil_effects: bool,
}

/// The groups of a side. Elite is Japanese naval air only.
pub(super) fn air_groups(groups: &[AirGroupInput], path: &str) -> Result<Vec<AirGroup>, Refusal> {
    let read = groups.iter().enumerate().map(|(at, group)| {
        let nation = Nation::read(&group.nation, &format!("{path}[{at}].nation"))?;
        if group.elite && (nation, group.kind) != (Nation::Japan, AirType::NavalAir) {
            return Err(Refusal::new(
                "not-elite",
                format!("{path}[{at}].elite: only Japanese naval air can be elite."),
            )
            .by(rule::AIR_CHART));
        }
        let supply = Supply { partial: group.partial_supply, oil_effects: group.oil_effects };
        Ok(AirGroup {
            nation,
            kind: group.kind,
            count: group.count,
            elite: group.elite,
            winter_effect: group.winter_effect,
            supply,
        })
    });
    read.collect()
}

/// The groups of a side that must have at least one unit.
pub(super) fn air_force(
    groups: &[AirGroupInput],
    side: &str,
    rule: flagplot_kernel::Rule,
) -> Result<Vec<AirGroup>, Refusal> {
    let path = format!("input.{side}");
    let force = air_groups(groups, &path)?;
    if air::strength(&force) == 0 {
        return Err(super::nobody(side, &path, rule));
    }
    Ok(force)
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum TargetInput {
    Ship(ShipInput),
    Light(LightInput),
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ShipInput {
    kind: ShipKind,
    nation: String,
    size: u32,
    damaged: bool,
    partial_supply: bool,
    oil_effects: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct LightInput {
    pub(super) nation: String,
    #[serde(flatten)]
    ships: LightShips,
    one_factor_order: Vec<OneFactorClass>,
    #[serde(default)]
    pub(super) soft_screened: bool,
    #[serde(default)]
    partial_supply: bool,
    #[serde(default)]
    oil_effects: bool,
}

/// The state of a ship that is afloat.
pub(super) fn afloat(damaged: bool) -> ShipState {
    if damaged { ShipState::Damaged } else { ShipState::Unharmed }
}

impl LightInput {
    /// A group of light ships with at least one of them.
    pub(super) fn read(&self, path: &str) -> Result<LightTarget, Refusal> {
        let nation = Nation::read(&self.nation, &format!("{path}.nation"))?;
        let order = OneFactorClass::order(&self.one_factor_order, &format!("{path}.one_factor_order"))?;
        if self.ships.is_empty() {
            return Err(
                Refusal::new("no-target", format!("{path}: there is no ship in the light group.")).by(rule::R_25)
            );
        }
        Ok(LightTarget {
            nation,
            ships: self.ships,
            order,
            supply: Supply { partial: self.partial_supply, oil_effects: self.oil_effects },
        })
    }
}

impl TargetInput {
    pub(super) fn read(&self, path: &str) -> Result<Target, Refusal> {
        match self {
            TargetInput::Light(light) => light.read(path).map(Target::Light),
            TargetInput::Ship(ship) => Ok(Target::Ship(ShipTarget {
                kind: ship.kind,
                nation: Nation::read(&ship.nation, &format!("{path}.nation"))?,
                size: ship.size,
                state: afloat(ship.damaged),
                supply: Supply { partial: ship.partial_supply, oil_effects: ship.oil_effects },
            })),
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct FirersInput {
    nation: String,
    factors: u32,
    five_factor: bool,
    submarine: bool,
    partial_supply: bool,
    oil_effects: bool,
}

impl FirersInput {
    pub(super) fn read(&self, path: &str) -> Result<Firers, Refusal> {
        Ok(Firers {
            nation: Nation::read(&self.nation, &format!("{path}.nation"))?,
            factors: self.factors,
            five_factor: self.five_factor,
            submarine: self.submarine,
            supply: Supply { partial: self.partial_supply, oil_effects: self.oil_effects },
        })
    }
}

/// Refuses an id that appears twice.
pub(super) fn distinct<'a>(ids: impl IntoIterator<Item = &'a str>, path: &str) -> Result<(), Refusal> {
    let mut seen: Vec<&str> = Vec::new();
    for id in ids {
        if seen.contains(&id) {
            return Err(Refusal::new("duplicate-id", format!("{path}: '{id}' is there twice.")));
        }
        seen.push(id);
    }
    Ok(())
}
