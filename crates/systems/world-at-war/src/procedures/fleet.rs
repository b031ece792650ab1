//! A round of fire between two fleets.

use super::to_json;
use crate::fleet::{FireOrder, Firer, FleetRound, FleetSide, Mark};
use crate::hits::{LightShips, ShipState};
use crate::messages::all;
use crate::naval::Attack;
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_odds::{Budget, Dist, enumerate};
use flagplot_referee::{FieldOdds, Procedure, Shaped, by_enumeration, map, projected};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) struct FleetCombatRound(pub(super) Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub(super) struct FleetInput {
    /// the two fleets
    sides: [FleetSide; 2],
    /// the fire orders of both sides
    orders: [Orders; 2],
}

#[derive(Deserialize, Shaped)]
#[shape(items = 0..=200)]
struct Orders(Vec<OrderInput>);

#[derive(Deserialize, Shaped)]
struct OrderInput {
    /// an enemy ship, or light
    #[shape(chars = 80)]
    target: String,
    /// own ships, cruisers, destroyers
    #[shape(chars = 80, items = 0..=200)]
    firers: Vec<String>,
}

impl OrderInput {
    fn read(&self, own: &FleetSide, enemy: &FleetSide, path: &str) -> Result<FireOrder, Refusal> {
        let place = |fleet: &FleetSide, id: &str| fleet.ships.iter().position(|ship| ship.id == id);
        let target = match self.target.as_str() {
            "light" if enemy.light.is_some() => Mark::Light,
            id => Mark::Ship(place(enemy, id).ok_or_else(|| {
                Refusal::new("unknown-target", format!("{path}.target: the enemy has no '{id}'.")).by(rule::C_20)
            })?),
        };
        let firers = self.firers.iter().map(|firer| match firer.as_str() {
            "cruisers" => Ok(Firer::Cruisers),
            "destroyers" => Ok(Firer::Destroyers),
            id => place(own, id).map(Firer::Ship).ok_or_else(|| {
                Refusal::new("unknown-firer", format!("{path}.firers: the side has no '{id}'.")).by(rule::C_20)
            }),
        });
        Ok(FireOrder { target, firers: firers.collect::<Result<_, _>>()? })
    }
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
struct FleetAttackOutput {
    /// who fires
    #[shape(0..=1)]
    side: usize,
    /// on what
    #[shape(chars = 80)]
    target: String,
    #[serde(flatten)]
    attack: Attack,
}

/// Ships with their states, in the order of the input.
#[derive(PartialEq, Eq, Hash, Shaped)]
#[shape(with = map(ShipState::shape(), 200))]
struct ShipStates(Vec<(String, ShipState)>);

impl Serialize for ShipStates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (id, state) in &self.0 {
            map.serialize_entry(id, state)?;
        }
        map.end()
    }
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
struct SideOutput {
    /// each ship's state
    ships: ShipStates,
    /// light ships left
    #[shape(with = LightShips::left())]
    light: Option<LightShips>,
    /// naval factors sunk
    factors_sunk: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
pub(super) struct FleetOutput {
    /// each attack
    #[shape(items = 0..=400)]
    attacks: Vec<FleetAttackOutput>,
    /// both fleets afterwards
    sides: [SideOutput; 2],
}

/// An attack with its side and its target.
fn named(fleet: &FleetRound, at: usize, attack: Attack) -> FleetAttackOutput {
    FleetAttackOutput { side: fleet.orders[at].0, target: fleet.target_name(at).to_owned(), attack }
}

/// Naval factors sunk by the attack an order led to.
fn sunk(fleet: &FleetRound, at: usize, attack: &Attack) -> u32 {
    fleet.orders[at].1.target.factors_sunk(&attack.effect)
}

fn side_output(fleet: &FleetRound, side: usize, attacks: &[Attack]) -> SideOutput {
    let attack_on = |mark| fleet.order_on(side, mark).map(|order| &attacks[order]);
    let FleetSide { ships, light, .. } = &fleet.sides[side];
    let ships = ships.iter().enumerate().map(|(at, ship)| (ship.id.clone(), ship.after(attack_on(Mark::Ship(at)))));
    SideOutput {
        ships: ShipStates(ships.collect()),
        light: light.as_ref().map(|light| light.after(attack_on(Mark::Light))),
        factors_sunk: fleet.against(side).map(|at| sunk(fleet, at, &attacks[at])).sum(),
    }
}

impl Procedure for FleetCombatRound {
    const NAME: &'static str = "fleet-combat-round";
    const HELP: &'static str = "One round of fire between two fleets; effects come after all attacks.";
    const DICE: &'static str = "two dice for each order, those of the first side first";
    const RULES: &'static [Rule] = &[
        rule::NAVAL_TABLE,
        rule::NAVAL_CHART,
        rule::HITS,
        rule::R_20,
        rule::R_25,
        rule::R_49,
        rule::C_11,
        rule::C_14,
        rule::C_20,
    ];
    type Input = FleetInput;
    type Facts = FleetRound;
    type Output = FleetOutput;

    fn read(&self, FleetInput { sides, orders: given }: FleetInput) -> Result<FleetRound, Refusal> {
        all(sides.iter().enumerate().map(|(at, side)| side.check(&format!("input.sides[{at}]"))))?;
        let mut orders = Vec::new();
        for (side, Orders(given)) in given.iter().enumerate() {
            let (own, enemy) = (&sides[side], &sides[1 - side]);
            let read = given.iter().enumerate();
            let read = read.map(|(at, order)| order.read(own, enemy, &format!("input.orders[{side}][{at}]")));
            let aimed = own.aim(&self.0, enemy, &read.collect::<Result<Vec<_>, _>>()?)?;
            orders.extend(aimed.into_iter().map(|order| (side, order)));
        }
        Ok(FleetRound { sides, orders })
    }

    fn run(&self, fleet: &FleetRound, ask: &mut impl Ask) -> Asked<FleetOutput> {
        let attacks = (0..fleet.orders.len()).map(|at| fleet.fire(&self.0, at, ask)).collect::<Asked<Vec<_>>>()?;
        let sides = [0, 1].map(|side| side_output(fleet, side, &attacks));
        let attacks = attacks.into_iter().enumerate().map(|(at, attack)| named(fleet, at, attack)).collect();
        Ok(FleetOutput { attacks, sides })
    }

    /// Every attack has its own dice and its own target, so that each field is counted by itself.
    fn odds(&self, fleet: &FleetRound, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let attacks = (0..fleet.orders.len()).map(|at| enumerate(budget, |ask| fleet.fire(&self.0, at, ask)));
        let attacks: Vec<Dist<Attack>> = attacks.collect::<Result<_, _>>()?;
        if let Some(rest) = wanted.and_then(|field| field.strip_prefix("attacks.")) {
            let at = rest.split('.').next().and_then(|at| at.parse::<usize>().ok());
            let Some(at) = at.filter(|at| *at < attacks.len()) else { return Ok(FieldOdds::default()) };
            let output = |attack: &Attack| json!({"attacks": {at.to_string(): named(fleet, at, attack.clone())}});
            return Ok(projected(&attacks[at], output, wanted));
        }
        let mut odds = FieldOdds::default();
        for (side, own) in fleet.sides.iter().enumerate() {
            let mut put =
                |field: String, mark, value: &dyn Fn(Option<&Attack>) -> Value| match fleet.order_on(side, mark) {
                    Some(order) => odds.put(field, wanted, &attacks[order], |attack| value(Some(attack))),
                    None => odds.put_certain(field, wanted, value(None)),
                };
            for (at, ship) in own.ships.iter().enumerate() {
                let field = format!("sides.{side}.ships.{}", ship.id);
                put(field, Mark::Ship(at), &|attack| to_json(&ship.after(attack)));
            }
            match &own.light {
                None => odds.put_certain(format!("sides.{side}.light"), wanted, Value::Null),
                Some(light) => {
                    for class in ["cruisers", "damaged_cruisers", "destroyers", "cves", "transports"] {
                        let left = |attack: Option<&Attack>| to_json(&light.after(attack))[class].clone();
                        put(format!("sides.{side}.light.{class}"), Mark::Light, &left);
                    }
                }
            }
            let sunk = fleet.against(side).fold(Dist::certain(0), |sum: Dist<u32>, at| {
                sum.with(&attacks[at], |sum, attack| sum + sunk(fleet, at, attack))
            });
            odds.put(format!("sides.{side}.factors_sunk"), wanted, &sunk, |sunk| (*sunk).into());
        }
        match wanted {
            Some(field) if !odds.has(field) => by_enumeration(|ask| self.run(fleet, ask), wanted, budget),
            _ => Ok(odds),
        }
    }
}
