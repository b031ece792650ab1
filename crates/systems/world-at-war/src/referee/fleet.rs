//! A round of fire between two fleets.

use super::inputs::{LightInput, afloat, distinct};
use super::shapes::{self, ID, LONGEST, count};
use super::{projected, rolled, to_json};
use crate::Rulebook;
use crate::fleet::{self, FireOrder, Firer, FleetLight, FleetShip, FleetSide, Mark};
use crate::hits::{LightShips, ShipState};
use crate::nation::{Nation, Supply};
use crate::naval::{Effect, FleetAttack, Target};
use crate::naval_data::ShipKind;
use crate::rule;
use flagplot_kernel::{Ask, Refusal};
use flagplot_odds::{Budget, Dist};
use flagplot_referee::{
    About, FieldOdds, Halt, OldProcedure, bool, int, list, map, nullable, opt, or, record, req, text,
};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;
use std::sync::Arc;

/// `fleet-combat-round`
pub(super) struct FleetCombatRound(pub(super) Arc<Rulebook>);

#[derive(Deserialize)]
pub(super) struct FleetInput {
    sides: Vec<SideInput>,
    orders: Vec<Vec<OrderInput>>,
}

#[derive(Deserialize)]
struct SideInput {
    ships: Vec<FleetShipInput>,
    light: Option<LightInput>,
    encumbered: bool,
    partial_supply: bool,
    oil_effects: bool,
}

#[derive(Deserialize)]
struct FleetShipInput {
    id: String,
    kind: ShipKind,
    nation: String,
    size: u32,
    damaged: bool,
    screened: bool,
}

#[derive(Deserialize)]
struct OrderInput {
    target: String,
    firers: Vec<String>,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
struct FleetAttackOutput {
    side: usize,
    target: String,
    #[serde(flatten)]
    attack: FleetAttack,
}

/// Ships with their states, in the order of the input.
#[derive(PartialEq, Eq, Hash)]
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

#[derive(Serialize, PartialEq, Eq, Hash)]
struct SideOutput {
    ships: ShipStates,
    light: Option<LightShips>,
    factors_sunk: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct FleetOutput {
    attacks: Vec<FleetAttackOutput>,
    sides: Vec<SideOutput>,
}

/// The words an order has for light ships; no ship may be called so.
const LIGHT_WORDS: [&str; 3] = ["light", "cruisers", "destroyers"];

impl SideInput {
    fn read(&self, path: &str) -> Result<FleetSide<'_>, Refusal> {
        if self.ships.is_empty() && self.light.is_none() {
            return Err(Refusal::new("no-ships", format!("{path} has neither ships nor a light group.")).by(rule::C_20));
        }
        distinct(self.ships.iter().map(|ship| ship.id.as_str()), &format!("{path}.ships"))?;
        let ships = self.ships.iter().enumerate().map(|(at, ship)| {
            if LIGHT_WORDS.contains(&ship.id.as_str()) {
                return Err(Refusal::new(
                    "bad-value",
                    format!("{path}.ships[{at}].id: '{}' is a word for light ships.", ship.id),
                )
                .by(rule::C_20));
            }
            let nation = Nation::read(&ship.nation, &format!("{path}.ships[{at}].nation"))?;
            Ok(FleetShip {
                id: &ship.id,
                kind: ship.kind,
                nation,
                size: ship.size,
                state: afloat(ship.damaged),
                screened: ship.screened,
            })
        });
        let ships = ships.collect::<Result<_, _>>()?;
        let light = self.light.as_ref().map(|input| {
            let light = input.read(&format!("{path}.light"))?;
            Ok::<_, Refusal>(FleetLight {
                nation: light.nation,
                ships: light.ships,
                order: light.order,
                soft_screened: input.soft_screened,
            })
        });
        Ok(FleetSide {
            ships,
            light: light.transpose()?,
            encumbered: self.encumbered,
            supply: Supply { partial: self.partial_supply, oil_effects: self.oil_effects },
        })
    }
}

/// Both sides and all orders, in the order in which they are carried out.
struct ReadFleet<'a> {
    sides: [FleetSide<'a>; 2],
    orders: Vec<(usize, FireOrder)>,
}

impl FleetInput {
    fn read(&self, book: &Rulebook) -> Result<ReadFleet<'_>, Refusal> {
        let sides = [self.sides[0].read("input.sides[0]")?, self.sides[1].read("input.sides[1]")?];
        let mut orders = Vec::new();
        for (side, given) in self.orders.iter().enumerate() {
            let (own, enemy) = (&sides[side], &sides[1 - side]);
            let mut read = Vec::new();
            for (at, order) in given.iter().enumerate() {
                let path = format!("input.orders[{side}][{at}]");
                let place = |fleet: &FleetSide<'_>, id: &str| fleet.ships.iter().position(|ship| ship.id == id);
                let target = match order.target.as_str() {
                    "light" if enemy.light.is_some() => Mark::Light,
                    id => Mark::Ship(place(enemy, id).ok_or_else(|| {
                        Refusal::new("unknown-target", format!("{path}.target: the enemy has no '{id}'."))
                            .by(rule::C_20)
                    })?),
                };
                let firers = order.firers.iter().map(|firer| match firer.as_str() {
                    "cruisers" => Ok(Firer::Cruisers),
                    "destroyers" => Ok(Firer::Destroyers),
                    id => place(own, id).map(Firer::Ship).ok_or_else(|| {
                        Refusal::new("unknown-firer", format!("{path}.firers: the side has no '{id}'.")).by(rule::C_20)
                    }),
                });
                read.push(FireOrder { target, firers: firers.collect::<Result<_, _>>()? });
            }
            own.check_orders(book, enemy, &read)?;
            orders.extend(read.into_iter().map(|order| (side, order)));
        }
        Ok(ReadFleet { sides, orders })
    }
}

impl ReadFleet<'_> {
    fn fire(&self, book: &Rulebook, at: usize, ask: &mut impl Ask) -> Result<FleetAttack, Halt> {
        let (side, order) = &self.orders[at];
        Ok(fleet::fire(book, &self.sides[*side], &self.sides[1 - side], order, ask)??)
    }

    /// The order that fires on something of a side.
    fn order_on(&self, side: usize, mark: Mark) -> Option<usize> {
        self.orders.iter().position(|(by, order)| *by == 1 - side && order.target == mark)
    }

    fn sunk(&self, at: usize, attack: &FleetAttack) -> u32 {
        let (side, order) = &self.orders[at];
        self.sides[1 - side].target(order.target).map_or(0, |target: Target| attack.shot.effect.factors_sunk(&target))
    }
}

/// How a ship is after the attack on it, if there was one.
fn ship_state(ship: &FleetShip<'_>, attack: Option<&FleetAttack>) -> ShipState {
    match attack.map(|attack| attack.shot.effect) {
        Some(Effect::Ship(effect)) => effect.state,
        _ => ship.state,
    }
}

/// The light ships left after the attack on them, if there was one.
fn light_left(light: Option<FleetLight>, attack: Option<&FleetAttack>) -> Option<LightShips> {
    light.map(|light| match attack.map(|attack| attack.shot.effect) {
        Some(Effect::Light(effect)) => effect.remaining,
        _ => light.ships,
    })
}

impl OldProcedure for FleetCombatRound {
    type Input = FleetInput;
    type Output = FleetOutput;

    fn about(&self) -> About {
        let mut side = vec![
            or("ships", list(shapes::fleet_ship(), 0, LONGEST), json!([]), "named ships"),
            opt("light", shapes::fleet_light(), "light ships"),
            or("encumbered", bool(), false, "a task burdens the group"),
        ];
        side.extend(shapes::supplies());
        let order = record(vec![
            req("target", text(ID), "an enemy ship, or light"),
            req("firers", list(text(ID), 0, LONGEST), "own ships, cruisers, destroyers"),
        ]);
        let mut attack = shapes::shot();
        attack.splice(0..0, [req("side", int(0, 1), "who fires"), req("target", text(ID), "on what")]);
        About {
            name: "fleet-combat-round",
            help: "One round of fire between two fleets; effects come after all attacks.",
            dice: "two dice for each order, those of the first side first",
            input: record(vec![
                req("sides", list(record(side), 2, 2), "the two fleets"),
                req("orders", list(list(order, 0, LONGEST), 2, 2), "the fire orders of both sides"),
            ]),
            result: record(vec![
                req("attacks", list(record(attack), 0, 2 * LONGEST), "each attack"),
                req(
                    "sides",
                    list(
                        record(vec![
                            req("ships", map(shapes::ship_state(), LONGEST), "each ship's state"),
                            req("light", nullable(shapes::light_left()), "light ships left"),
                            req("factors_sunk", count(), "naval factors sunk"),
                        ]),
                        2,
                        2,
                    ),
                    "both fleets afterwards",
                ),
            ]),
            rules: &[
                rule::NAVAL_TABLE,
                rule::NAVAL_CHART,
                rule::HITS,
                rule::R_20,
                rule::R_25,
                rule::R_49,
                rule::C_11,
                rule::C_14,
                rule::C_20,
            ],
        }
    }

    fn check(&self, input: &FleetInput) -> Result<(), Refusal> {
        input.read(&self.0).map(|_| ())
    }

    fn run(&self, input: &FleetInput, ask: &mut impl Ask) -> Result<FleetOutput, Halt> {
        let fleet = input.read(&self.0)?;
        let mut attacks = Vec::new();
        for at in 0..fleet.orders.len() {
            attacks.push(fleet.fire(&self.0, at, ask)?);
        }
        let side = |side: usize| SideOutput {
            ships: ShipStates(
                fleet.sides[side]
                    .ships
                    .iter()
                    .enumerate()
                    .map(|(at, ship)| {
                        (
                            ship.id.to_owned(),
                            ship_state(ship, fleet.order_on(side, Mark::Ship(at)).map(|order| &attacks[order])),
                        )
                    })
                    .collect(),
            ),
            light: light_left(fleet.sides[side].light, fleet.order_on(side, Mark::Light).map(|order| &attacks[order])),
            factors_sunk: (0..attacks.len())
                .filter(|at| fleet.orders[*at].0 != side)
                .map(|at| fleet.sunk(at, &attacks[at]))
                .sum(),
        };
        let sides = vec![side(0), side(1)];
        let target = |at: usize| match fleet.orders[at].1.target {
            Mark::Light => "light".to_owned(),
            Mark::Ship(ship) => fleet.sides[1 - fleet.orders[at].0].ships[ship].id.to_owned(),
        };
        let attacks = attacks
            .into_iter()
            .enumerate()
            .map(|(at, attack)| FleetAttackOutput { side: fleet.orders[at].0, target: target(at), attack })
            .collect();
        Ok(FleetOutput { attacks, sides })
    }

    /// Every attack has its own dice and its own target, so that each field is counted by itself.
    fn odds(&self, input: &FleetInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        let fleet = input.read(&self.0)?;
        let attacks: Vec<Dist<FleetAttack>> = (0..fleet.orders.len())
            .map(|at| rolled(budget, |ask| fleet.fire(&self.0, at, ask)))
            .collect::<Result<_, _>>()?;
        if let Some(rest) = wanted.and_then(|field| field.strip_prefix("attacks.")) {
            let Some(at) =
                rest.split('.').next().and_then(|at| at.parse::<usize>().ok()).filter(|at| *at < attacks.len())
            else {
                return Ok(FieldOdds::default());
            };
            return Ok(projected(&attacks[at], wanted, |attack| {
                let (side, order) = &fleet.orders[at];
                let target = match order.target {
                    Mark::Light => "light",
                    Mark::Ship(ship) => fleet.sides[1 - side].ships[ship].id,
                };
                json!({"attacks": {at.to_string(): to_json(&FleetAttackOutput { side: *side, target: target.to_owned(), attack: attack.clone() })}})
            }));
        }
        let mut odds = FieldOdds::default();
        for (side, own) in fleet.sides.iter().enumerate() {
            for (at, ship) in own.ships.iter().enumerate() {
                let field = format!("sides.{side}.ships.{}", ship.id);
                match fleet.order_on(side, Mark::Ship(at)) {
                    Some(order) => {
                        odds.put(field, wanted, &attacks[order], |attack| to_json(&ship_state(ship, Some(attack))))
                    }
                    None => odds.put_certain(field, wanted, to_json(&ship.state)),
                }
            }
            let order = fleet.order_on(side, Mark::Light);
            if own.light.is_none() {
                odds.put_certain(format!("sides.{side}.light"), wanted, serde_json::Value::Null);
            } else {
                for class in ["cruisers", "damaged_cruisers", "destroyers", "cves", "transports"] {
                    let field = format!("sides.{side}.light.{class}");
                    let left = |attack: Option<&FleetAttack>| to_json(&light_left(own.light, attack))[class].clone();
                    match order {
                        Some(order) => odds.put(field, wanted, &attacks[order], |attack| left(Some(attack))),
                        None => odds.put_certain(field, wanted, left(None)),
                    }
                }
            }
            let firing = (0..attacks.len()).filter(|at| fleet.orders[*at].0 != side);
            let sunk = firing.fold(Dist::certain(0), |sum: Dist<u32>, at| {
                sum.with(&attacks[at], |sum, attack| sum + fleet.sunk(at, attack))
            });
            odds.put(format!("sides.{side}.factors_sunk"), wanted, &sunk, |sunk| (*sunk).into());
        }
        match wanted {
            Some(field) if !odds.has(field) => {
                Ok(projected(&rolled(budget, |ask| self.run(input, ask))?, wanted, to_json))
            }
            _ => Ok(odds),
        }
    }
}
