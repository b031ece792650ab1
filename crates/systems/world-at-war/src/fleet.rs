//! A round of fire between two fleets. [22.55, C-14, C-20]

use crate::Rulebook;
use crate::hits::{LightShips, OneFactorClass, ShipState};
use crate::nation::{Nation, Supply};
use crate::naval::{self, Activity, Effect, Firers, FleetAttack, LightTarget, ShipTarget, Target};
use crate::naval_data::ShipKind;
use crate::rule;
use flagplot_kernel::{Ask, Asked, Note, Refusal};

/// A named ship in a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FleetShip<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its kind.
    pub kind: ShipKind,
    /// Its navy.
    pub nation: Nation,
    /// Its naval factors.
    pub size: u32,
    /// How it is.
    pub state: ShipState,
    /// Whether other ships stand between it and the enemy. [C-14]
    pub screened: bool,
}

/// The light ships of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FleetLight {
    /// Their navy.
    pub nation: Nation,
    /// The ships.
    pub ships: LightShips,
    /// Which ships of one factor are sunk first.
    pub order: [OneFactorClass; 3],
    /// Whether escort carriers and transports are screened. [C-14]
    pub soft_screened: bool,
}

impl FleetLight {
    /// The ships that can be fired on.
    #[must_use]
    pub fn exposed(&self) -> LightShips {
        if self.soft_screened { LightShips { cves: 0, transports: 0, ..self.ships } } else { self.ships }
    }
}

/// One side of a fleet combat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FleetSide<'a> {
    /// Its named ships.
    pub ships: Vec<FleetShip<'a>>,
    /// Its light ships, if it has any.
    pub light: Option<FleetLight>,
    /// Whether a task burdens it.
    pub encumbered: bool,
    /// Its supply.
    pub supply: Supply,
}

/// What is fired on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// An enemy ship, by its place in the list.
    Ship(usize),
    /// The enemy's light ships.
    Light,
}

/// Who fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Firer {
    /// An own ship, by its place in the list.
    Ship(usize),
    /// All sound cruisers together.
    Cruisers,
    /// All destroyers together.
    Destroyers,
}

/// All fire of a side on one target. [C-20]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FireOrder {
    /// What is fired on.
    pub target: Mark,
    /// Who fires.
    pub firers: Vec<Firer>,
}

impl FleetSide<'_> {
    /// The target an order names, or why it cannot be fired on. [C-14]
    pub fn target(&self, mark: Mark) -> Result<Target, Refusal> {
        match mark {
            Mark::Ship(at) => {
                let ship = &self.ships[at];
                if ship.screened {
                    return Err(Refusal::new("target-screened", format!("{} is screened.", ship.id))
                        .by(rule::C_14)
                        .remedy("Fire on the ships that screen it."));
                }
                Ok(Target::Ship(ShipTarget {
                    kind: ship.kind,
                    nation: ship.nation,
                    size: ship.size,
                    state: ship.state,
                    supply: self.supply,
                }))
            }
            Mark::Light => {
                let light = self
                    .light
                    .ok_or_else(|| Refusal::new("unknown-target", "The enemy has no light ships.").by(rule::C_20))?;
                let ships = light.exposed();
                if ships.is_empty() {
                    return Err(Refusal::new("target-screened", "All light ships are screened.").by(rule::C_14));
                }
                Ok(Target::Light(LightTarget { nation: light.nation, ships, order: light.order, supply: self.supply }))
            }
        }
    }

    /// What a firer fires with, or why it cannot. [C-11]
    pub fn firers(&self, book: &Rulebook, firer: Firer) -> Result<Firers, Refusal> {
        let fires_damaged = book.naval.damage.damaged_ship_fires;
        let refused = |text: String| Err(Refusal::new("firer-cannot-fire", text).by(rule::C_11));
        match firer {
            Firer::Ship(at) => {
                let ship = &self.ships[at];
                if ship.kind.is_carrier() {
                    return refused(format!("{} is a carrier.", ship.id));
                }
                if ship.state == ShipState::Sunk || (ship.state == ShipState::Damaged && !fires_damaged) {
                    return refused(format!("{} is damaged.", ship.id));
                }
                let five_factor = Firers::is_five_factor(ship.kind, ship.size);
                Ok(Firers {
                    nation: ship.nation,
                    factors: ship.size,
                    five_factor,
                    submarine: false,
                    supply: self.supply,
                })
            }
            Firer::Cruisers | Firer::Destroyers => {
                let (word, factors) = match (firer, &self.light) {
                    (Firer::Cruisers, Some(light)) => (
                        "sound cruisers",
                        2 * (light.ships.cruisers + if fires_damaged { light.ships.damaged_cruisers } else { 0 }),
                    ),
                    (Firer::Cruisers, None) => ("cruisers", 0),
                    (_, light) => ("destroyers", light.map_or(0, |light| light.ships.destroyers)),
                };
                match self.light {
                    Some(light) if factors > 0 => Ok(Firers {
                        nation: light.nation,
                        factors,
                        five_factor: false,
                        submarine: false,
                        supply: self.supply,
                    }),
                    _ => refused(format!("There are no {word} to fire.")),
                }
            }
        }
    }

    /// Whether a side may give these orders against an enemy. [C-14, C-20]
    pub fn check_orders(&self, book: &Rulebook, enemy: &FleetSide<'_>, orders: &[FireOrder]) -> Result<(), Refusal> {
        let mut fired: Vec<Firer> = Vec::new();
        for (at, order) in orders.iter().enumerate() {
            if orders[..at].iter().any(|other| other.target == order.target) {
                return Err(Refusal::new(
                    "duplicate-target",
                    format!("{} is the target of two orders.", enemy.name(order.target)),
                )
                .by(rule::C_20)
                .remedy("Give all its firers in one order."));
            }
            enemy.target(order.target)?;
            if order.firers.is_empty() {
                return Err(Refusal::new(
                    "no-attackers",
                    format!("Nobody is ordered to fire on {}.", enemy.name(order.target)),
                )
                .by(rule::C_20));
            }
            for &firer in &order.firers {
                if fired.contains(&firer) {
                    let name = match firer {
                        Firer::Ship(at) => self.ships[at].id,
                        Firer::Cruisers => "cruisers",
                        Firer::Destroyers => "destroyers",
                    };
                    return Err(
                        Refusal::new("firer-used-twice", format!("{name} can fire once in a round.")).by(rule::C_20)
                    );
                }
                self.firers(book, firer)?;
                fired.push(firer);
            }
        }
        Ok(())
    }

    fn name(&self, mark: Mark) -> &str {
        match mark {
            Mark::Ship(at) => self.ships[at].id,
            Mark::Light => "light",
        }
    }
}

/// Carries out one order; effects wait until all orders of both sides are carried out. The orders must have been checked. [22.55]
pub fn fire(
    book: &Rulebook,
    own: &FleetSide<'_>,
    enemy: &FleetSide<'_>,
    order: &FireOrder,
    ask: &mut impl Ask,
) -> Asked<Result<FleetAttack, Refusal>> {
    let firers: Result<Vec<Firers>, Refusal> = order.firers.iter().map(|&firer| own.firers(book, firer)).collect();
    let (firers, target) = match (firers, enemy.target(order.target)) {
        (Ok(firers), Ok(target)) => (firers, target),
        (Err(refusal), _) | (_, Err(refusal)) => return Ok(Err(refusal)),
    };
    ask.note(|| Note::new("fire", format!("Fire on {}.", enemy.name(order.target))).by(&[rule::C_20]));
    let activity = Activity { attacker_encumbered: own.encumbered, target_encumbered: enemy.encumbered };
    let mut attack = naval::fleet_attack(book, &firers, &target, activity, ask)?;
    if let (Effect::Light(effect), Some(light)) = (&mut attack.shot.effect, enemy.light)
        && light.soft_screened
    {
        effect.remaining.cves = light.ships.cves;
        effect.remaining.transports = light.ships.transports;
        ask.note(|| Note::new("screen", "Escort carriers and transports are screened.").detail().by(&[rule::C_14]));
    }
    Ok(Ok(attack))
}
