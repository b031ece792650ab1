//! A round of fire between two fleets. [22.55, C-14, C-20]

use crate::hits::{LightShips, ShipState, check_damage};
use crate::messages::{all, distinct, ensure};
use crate::nation::{Nation, Supply, nation};
use crate::naval::{self, Activity, Attack, Firers, LightGroup, LightTarget, ShipTarget, Target};
use crate::naval_data::ShipKind;
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, Note, Refusal};
use flagplot_referee::{Shaped, word};
use serde::Deserialize;

/// A named ship in a fleet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct FleetShip {
    /// a name for orders
    #[shape(chars = 80)]
    pub id: String,
    /// its kind
    #[shape(with = word(ShipKind::NAMED))]
    pub kind: ShipKind,
    /// whose it is
    #[shape(with = nation())]
    pub nation: Nation,
    /// naval factors
    #[shape(1..=9)]
    pub size: u32,
    /// already damaged
    #[shape(or = false)]
    pub damaged: bool,
    /// cannot be fired on
    ///
    /// Other ships stand between it and the enemy. [C-14]
    #[shape(or = false)]
    pub screened: bool,
}

impl FleetShip {
    /// How the ship is after the attack on it, if there was one.
    #[must_use]
    pub fn after(&self, attack: Option<&Attack>) -> ShipState {
        attack.and_then(|attack| attack.effect.state).unwrap_or(ShipState::afloat(self.damaged))
    }
}

/// The light ships of a fleet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct FleetLight {
    #[serde(flatten)]
    pub group: LightGroup,
    /// escort carriers and transports cannot be hit
    ///
    /// [C-14]
    #[shape(or = false)]
    pub soft_screened: bool,
}

impl FleetLight {
    /// The ships that can be fired on.
    #[must_use]
    pub fn exposed(&self) -> LightShips {
        let ships = self.group.ships;
        if self.soft_screened { LightShips { cves: 0, transports: 0, ..ships } } else { ships }
    }

    /// The ships left after the attack on them, if there was one.
    #[must_use]
    pub fn after(&self, attack: Option<&Attack>) -> LightShips {
        attack.and_then(|attack| attack.effect.light).map_or(self.group.ships, |effect| effect.remaining)
    }
}

/// One side of a fleet combat.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct FleetSide {
    /// named ships
    #[shape(items = 0..=200, or = [])]
    pub ships: Vec<FleetShip>,
    /// light ships
    pub light: Option<FleetLight>,
    /// a task encumbers the group
    ///
    ///
    #[shape(or = false)]
    pub encumbered: bool,
    #[serde(flatten)]
    pub supply: Supply,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// An enemy ship, by its place in the list.
    Ship(usize),
    /// The enemy's light ships.
    Light,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Firer {
    /// An own ship, by its place in the list.
    Ship(usize),
    /// All sound cruisers together.
    Cruisers,
    Destroyers,
}

/// All fire of a side on one target. [C-20]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FireOrder {
    pub target: Mark,
    pub firers: Vec<Firer>,
}

/// An order that can be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fire {
    pub mark: Mark,
    pub target: Target,
    pub firers: Vec<Firers>,
}

/// The words an order has for light ships; no ship may be called so.
pub const LIGHT_WORDS: [&str; 3] = ["light", "cruisers", "destroyers"];

/// Refuses a screened ship as a target. [C-14]
pub fn unscreened(name: &str, screened: bool) -> Result<(), Refusal> {
    ensure(!screened, || {
        let refusal = Refusal::new("target-screened", format!("{name} is screened.")).by(rule::C_14);
        refusal.remedy("Fire on the ships that screen it.")
    })
}

/// Refuses light ships as a target if the screen covers all of them. [C-14]
pub fn exposed(ships: &LightShips) -> Result<(), Refusal> {
    ensure(!ships.is_empty(), || Refusal::new("target-screened", "All light ships are screened.").by(rule::C_14))
}

/// Refuses a ship that has no guns to fire. [C-11]
pub fn can_fire(rules: &Rules, name: &str, kind: ShipKind, damaged: bool) -> Result<(), Refusal> {
    if kind.is_carrier() {
        return Err(no_fire(format!("{name} is a carrier.")));
    }
    ensure(!damaged || rules.naval.damage.damaged_ship_fires, || no_fire(format!("{name} is damaged.")))
}

pub(crate) fn no_fire(why: String) -> Refusal {
    Refusal::new("firer-cannot-fire", why).by(rule::C_11)
}

/// The refusal of a second order for a ship. [C-20]
pub(crate) fn used_twice(name: &str) -> Refusal {
    Refusal::new("firer-used-twice", format!("{name}: a ship fires once in a round.")).by(rule::C_20)
}

impl FleetSide {
    /// Whether it has ships, and orders can tell them apart. [C-20]
    pub fn check(&self, path: &str) -> Result<(), Refusal> {
        let any = ensure(!self.ships.is_empty() || self.light.is_some(), || {
            Refusal::new("no-ships", format!("{path} has neither ships nor a light group.")).by(rule::C_20)
        });
        let names = distinct(self.ships.iter().map(|ship| ship.id.as_str()), &format!("{path}.ships"));
        let ships = self.ships.iter().enumerate().flat_map(|(at, &FleetShip { ref id, size, damaged, .. })| {
            let path = format!("{path}.ships[{at}]");
            let word = ensure(!LIGHT_WORDS.contains(&id.as_str()), || {
                Refusal::new("bad-value", format!("{path}.id: '{id}' is a word for light ships.")).by(rule::C_20)
            });
            [word, check_damage(size, damaged, &path)]
        });
        let light = self.light.as_ref().map(|light| light.group.check(&format!("{path}.light")));
        all([any, names].into_iter().chain(ships).chain(light))
    }

    /// The target an order names, or why it cannot be fired on. [C-14]
    pub fn target(&self, mark: Mark) -> Result<Target, Refusal> {
        match mark {
            Mark::Ship(at) => {
                let &FleetShip { ref id, kind, nation, size, damaged, screened } = &self.ships[at];
                unscreened(id, screened)?;
                Ok(Target::Ship(ShipTarget { kind, nation, size, damaged, supply: self.supply }))
            }
            Mark::Light => {
                let none = || Refusal::new("unknown-target", "The enemy has no light ships.").by(rule::C_20);
                let light = self.light.as_ref().ok_or_else(none)?;
                let ships = light.exposed();
                exposed(&ships)?;
                let group = LightGroup { ships, ..light.group.clone() };
                Ok(Target::Light(LightTarget { group, supply: self.supply }))
            }
        }
    }

    /// What a firer fires with, or why it cannot. [C-11]
    pub fn firers(&self, rules: &Rules, firer: Firer) -> Result<Firers, Refusal> {
        let fires_damaged = rules.naval.damage.damaged_ship_fires;
        let firers =
            |nation, factors| Firers { nation, factors, five_factor: false, submarine: false, supply: self.supply };
        let (light, what) = match firer {
            Firer::Ship(at) => {
                let ship = &self.ships[at];
                can_fire(rules, &ship.id, ship.kind, ship.damaged)?;
                let five_factor = Firers::is_five_factor(ship.kind, ship.size);
                return Ok(Firers { five_factor, ..firers(ship.nation, ship.size) });
            }
            Firer::Cruisers => (self.light.as_ref(), "sound cruisers"),
            Firer::Destroyers => (self.light.as_ref(), "destroyers"),
        };
        let factors = |ships: &LightShips| match firer {
            Firer::Destroyers => ships.destroyers,
            _ => 2 * (ships.cruisers + if fires_damaged { ships.damaged_cruisers } else { 0 }),
        };
        match light.map(|light| firers(light.group.nation, factors(&light.group.ships))) {
            Some(firers) if firers.factors > 0 => Ok(firers),
            _ => Err(no_fire(format!("There are no {what} to fire."))),
        }
    }

    /// What a side's orders against an enemy mean, or why it may not give them. [C-14, C-20]
    pub fn aim(&self, rules: &Rules, enemy: &FleetSide, orders: &[FireOrder]) -> Result<Vec<Fire>, Refusal> {
        let (mut aimed, mut fired): (Vec<Fire>, Vec<Firer>) = (Vec::new(), Vec::new());
        for order in orders {
            let name = enemy.name(order.target);
            if aimed.iter().any(|other| other.mark == order.target) {
                return Err(Refusal::new("duplicate-target", format!("{name} is the target of two orders."))
                    .by(rule::C_20)
                    .remedy("Give all its firers in one order."));
            }
            let target = enemy.target(order.target)?;
            if order.firers.is_empty() {
                let message = format!("No ship is ordered to fire on {name}.");
                return Err(Refusal::new("no-attackers", message).by(rule::C_20));
            }
            let mut firers = Vec::new();
            for &firer in &order.firers {
                if fired.contains(&firer) {
                    let name = match firer {
                        Firer::Ship(at) => &self.ships[at].id,
                        Firer::Cruisers => "cruisers",
                        Firer::Destroyers => "destroyers",
                    };
                    return Err(used_twice(name));
                }
                firers.push(self.firers(rules, firer)?);
                fired.push(firer);
            }
            aimed.push(Fire { mark: order.target, target, firers });
        }
        Ok(aimed)
    }

    #[must_use]
    pub fn name(&self, mark: Mark) -> &str {
        match mark {
            Mark::Ship(at) => &self.ships[at].id,
            Mark::Light => "light",
        }
    }
}

/// Two fleets with all orders of a round, in the order in which they are carried out.
#[derive(Clone, Debug)]
pub struct FleetRound {
    pub sides: [FleetSide; 2],
    /// The side that fires, and how.
    pub orders: Vec<(usize, Fire)>,
}

impl FleetRound {
    /// Carries out one order; effects wait until all orders of both sides are carried out. [22.55]
    pub fn fire(&self, rules: &Rules, at: usize, ask: &mut impl Ask) -> Asked<Attack> {
        let (side, order) = &self.orders[at];
        let (own, enemy) = (&self.sides[*side], &self.sides[1 - side]);
        ask.note(|| Note::new("fire", format!("Fire on {}.", self.target_name(at))).by(&[rule::C_20]));
        let activity = Activity { attacker_encumbered: own.encumbered, target_encumbered: enemy.encumbered };
        let mut attack = naval::fleet_attack(rules, &order.firers, &order.target, activity, ask)?;
        if let (Some(effect), Some(light)) = (&mut attack.effect.light, &enemy.light)
            && light.soft_screened
        {
            let LightShips { cves, transports, .. } = light.group.ships;
            effect.remaining = LightShips { cves, transports, ..effect.remaining };
            ask.note(|| Note::new("screen", "Escort carriers and transports are screened.").detail().by(&[rule::C_14]));
        }
        Ok(attack)
    }

    /// The order that fires on something of a side.
    #[must_use]
    pub fn order_on(&self, side: usize, mark: Mark) -> Option<usize> {
        self.orders.iter().position(|(by, order)| *by == 1 - side && order.mark == mark)
    }

    /// The orders that fire on a side.
    pub fn against(&self, side: usize) -> impl Iterator<Item = usize> {
        (0..self.orders.len()).filter(move |at| self.orders[*at].0 != side)
    }

    /// What an order fires on.
    #[must_use]
    pub fn target_name(&self, at: usize) -> &str {
        let (side, order) = &self.orders[at];
        self.sides[1 - side].name(order.mark)
    }
}
