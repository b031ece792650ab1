//! What hits do to ships. [23.44]

use crate::messages::{counted, ensure};
use crate::naval_data::Damage;
use crate::rule;
use flagplot_kernel::{Ask, Note, Refusal};
use flagplot_referee::{Shape, Shaped, int, words};
use serde::{Deserialize, Serialize};

/// How a ship is after an attack.
#[words]
pub enum ShipState {
    Unharmed,
    /// Damaged, now or before.
    Damaged,
    Sunk,
}

impl ShipState {
    #[must_use]
    pub fn afloat(damaged: bool) -> Self {
        if damaged { ShipState::Damaged } else { ShipState::Unharmed }
    }
}

/// Refuses a damaged ship of one factor.
pub(crate) fn check_damage(size: u32, damaged: bool, path: &str) -> Result<(), Refusal> {
    ensure(!damaged || size > 1, || {
        let message = format!("{path}.damaged: a ship of one factor is sunk or unharmed, never damaged.");
        Refusal::new("bad-value", message).by(rule::R_39)
    })
}

/// What an attack did, to a ship or to light ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Effect {
    /// of a ship, after the attack
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<ShipState>,
    /// hits of the attack
    pub hits: u32,
    #[serde(flatten)]
    pub light: Option<LightEffect>,
}

/// How a ship is after some hits: its size sinks it, one less damages it, and damages a damaged one to the bottom.
/// [23.44, C-11, R-39]
#[must_use]
pub fn ship_after(size: u32, before: ShipState, hits: u32, damage: &Damage) -> ShipState {
    // A ship of one factor would be damaged by no hit at all: it is sunk or unharmed.
    let enough_to_damage = size.saturating_sub(1).max(1);
    if before == ShipState::Sunk
        || hits >= size.max(1)
        || (before == ShipState::Damaged && damage.second_damage_sinks && hits >= enough_to_damage)
    {
        ShipState::Sunk
    } else if hits >= enough_to_damage {
        ShipState::Damaged
    } else {
        before
    }
}

/// Hits on one ship. [23.44, C-11, R-39]
pub fn hit_ship(size: u32, before: ShipState, hits: u32, damage: &Damage, ask: &mut impl Ask) -> Effect {
    let state = ship_after(size, before, hits, damage);
    ask.note(|| {
        let mut cited = vec![rule::HITS];
        if before == ShipState::Damaged {
            cited.push(rule::C_11);
        }
        if size == 1 {
            cited.push(rule::R_39);
        }
        let text = format!("{} on a ship of {}: {state}.", counted(hits, "hit"), counted(size, "factor"));
        Note::new("hits", text).by(&cited).outcome(hits)
    });
    Effect { state: Some(state), hits, light: None }
}

/// A class of ships of one factor, in the order in which they are sunk unless their owner says otherwise.
#[words]
pub enum OneFactorClass {
    Destroyers,
    Cves,
    Transports,
}

/// Light ships by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct LightShips {
    /// sound cruisers
    #[shape(0..=1000, or = 0)]
    pub cruisers: u32,
    /// damaged cruisers
    #[shape(0..=1000, or = 0)]
    pub damaged_cruisers: u32,
    /// destroyer factors
    #[shape(0..=1000, or = 0)]
    pub destroyers: u32,
    /// escort carriers
    #[shape(0..=1000, or = 0)]
    pub cves: u32,
    /// transports
    #[shape(0..=1000, or = 0)]
    pub transports: u32,
}

impl LightShips {
    /// The shape of what an attack leaves: one more cruiser may be damaged than any request gives.
    pub(crate) fn left() -> Shape {
        Self::shape().with("damaged_cruisers", int(0, 1001))
    }

    /// Ships of one factor.
    #[must_use]
    pub fn one_factor(&self) -> u32 {
        self.destroyers + self.cves + self.transports
    }

    #[must_use]
    pub fn factors(&self) -> u32 {
        2 * (self.cruisers + self.damaged_cruisers) + self.one_factor()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.factors() == 0
    }

    /// Hits all cruisers together can take.
    fn cruiser_capacity(&self) -> u32 {
        2 * self.cruisers + self.damaged_cruisers
    }

    /// Cruisers sunk by hits on cruisers alone: sound ones in pairs of hits, then damaged ones one by one.
    fn cruisers_sunk(&self, hits: u32) -> u32 {
        if hits < 2 * self.cruisers {
            hits / 2
        } else {
            self.cruisers + (hits - 2 * self.cruisers).min(self.damaged_cruisers)
        }
    }

    fn class(&mut self, class: OneFactorClass) -> &mut u32 {
        match class {
            OneFactorClass::Destroyers => &mut self.destroyers,
            OneFactorClass::Cves => &mut self.cves,
            OneFactorClass::Transports => &mut self.transports,
        }
    }
}

/// What an attack did to light ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct LightEffect {
    /// hits cruisers took
    pub cruiser_hits: u32,
    /// hits ships of one factor took
    pub one_factor_hits: u32,
    /// cruisers sunk
    pub cruisers_sunk: u32,
    /// cruisers newly damaged and afloat
    pub cruisers_damaged: u32,
    /// ships of one factor sunk
    pub one_factor_sunk: u32,
    /// destroyers sunk
    pub destroyers_sunk: u32,
    /// escort carriers sunk
    pub cves_sunk: u32,
    /// transports sunk
    pub transports_sunk: u32,
    /// hits beyond what could be sunk
    pub excess_hits: u32,
    /// light ships left
    #[shape(with = LightShips::left())]
    pub remaining: LightShips,
}

/// How hits are shared: on cruisers, on ships of one factor.
///
/// The ships of one factor take as many as they may: half of the hits, no more than there are, and no more than the
/// factors of the cruisers that the other hits sink. What the cruisers cannot take comes back to them.
#[must_use]
pub fn share(ships: &LightShips, hits: u32) -> (u32, u32) {
    let (small, capacity) = (ships.one_factor(), ships.cruiser_capacity());
    let most = if capacity == 0 { small.min(hits) } else { small.min(hits / 2) };
    let small_hits = (0..=most).rev().find(|&x| capacity == 0 || x <= 2 * ships.cruisers_sunk(hits - x)).unwrap_or(0);
    let cruiser_hits = (hits - small_hits).min(capacity);
    (cruiser_hits, (hits - cruiser_hits).min(small))
}

/// What some hits do to a group of light ships. Ships of one factor are sunk in the order named, then in the usual
/// order. [23.44, R-21, R-26]
#[must_use]
pub fn light_after(ships: &LightShips, named: &[OneFactorClass], hits: u32) -> LightEffect {
    let (cruiser_hits, one_factor_hits) = share(ships, hits);
    let sunk = ships.cruisers_sunk(cruiser_hits);
    let sound_sunk = sunk.min(ships.cruisers);
    // Below the capacity of the sound cruisers an odd hit is left over, and there is a sound cruiser for it.
    let damaged = if cruiser_hits < 2 * ships.cruisers { cruiser_hits % 2 } else { 0 };
    let mut remaining = *ships;
    remaining.cruisers -= sound_sunk + damaged;
    remaining.damaged_cruisers = remaining.damaged_cruisers - (sunk - sound_sunk) + damaged;
    let mut left = one_factor_hits;
    for &class in named.iter().chain(OneFactorClass::ALL) {
        let ships = remaining.class(class);
        let lost = (*ships).min(left);
        *ships -= lost;
        left -= lost;
    }
    LightEffect {
        cruiser_hits,
        one_factor_hits,
        cruisers_sunk: sunk,
        cruisers_damaged: damaged,
        one_factor_sunk: one_factor_hits,
        destroyers_sunk: ships.destroyers - remaining.destroyers,
        cves_sunk: ships.cves - remaining.cves,
        transports_sunk: ships.transports - remaining.transports,
        excess_hits: hits - cruiser_hits - one_factor_hits,
        remaining,
    }
}

/// Hits on a group of light ships. [23.44, R-21, R-26]
pub fn hit_light(ships: &LightShips, named: &[OneFactorClass], hits: u32, ask: &mut impl Ask) -> Effect {
    let light = light_after(ships, named, hits);
    let LightEffect { cruisers_sunk: sunk, cruisers_damaged: damaged, one_factor_hits, .. } = light;
    ask.note(|| {
        let mut cited = vec![rule::HITS];
        if ships.cruiser_capacity() > 0 {
            cited.push(rule::R_21);
            if ships.one_factor() > 0 {
                cited.push(rule::R_26);
            }
        }
        if ships.cves > 0 {
            cited.push(rule::R_32);
        }
        let (hit, cruisers) = (counted(hits, "hit"), counted(sunk, "cruiser"));
        let text = format!(
            "{hit} on light ships: {cruisers} sunk, {damaged} damaged; ships of one factor sunk: {one_factor_hits}."
        );
        Note::new("hits", text).by(&cited).outcome(hits)
    });
    Effect { state: None, hits, light: Some(light) }
}
