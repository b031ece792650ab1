//! What hits do to ships. [23.44]

use crate::naval_data::Damage;
use crate::rule;
use flagplot_kernel::{Ask, Note, Refusal};
use serde::{Deserialize, Serialize};

/// How a ship is after an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShipState {
    /// As good as new.
    Unharmed,
    /// Damaged, now or before.
    Damaged,
    /// Sunk.
    Sunk,
}

/// What an attack did to one ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct ShipEffect {
    /// How it is now.
    pub state: ShipState,
    /// The hits of this attack.
    pub hits: u32,
}

/// Hits on one ship: its size sinks it, one less damages it, and damages a damaged one to the bottom. [23.44, C-11, R-39]
pub fn hit_ship(size: u32, before: ShipState, hits: u32, damage: &Damage, ask: &mut impl Ask) -> ShipEffect {
    // A ship of one factor would be damaged by no hit at all: it is sunk or unharmed.
    let enough_to_damage = size.saturating_sub(1).max(1);
    let state = if before == ShipState::Sunk
        || hits >= size.max(1)
        || (before == ShipState::Damaged && damage.second_damage_sinks && hits >= enough_to_damage)
    {
        ShipState::Sunk
    } else if hits >= enough_to_damage {
        ShipState::Damaged
    } else {
        before
    };
    ask.note(|| {
        let mut rules = vec![rule::HITS];
        if before == ShipState::Damaged {
            rules.push(rule::C_11);
        }
        if size == 1 {
            rules.push(rule::R_39);
        }
        let text = format!(
            "{hits} hits on a ship of {size} factors: {}.",
            match state {
                ShipState::Unharmed => "unharmed",
                ShipState::Damaged => "damaged",
                ShipState::Sunk => "sunk",
            }
        );
        Note::new("hits", text).by(&rules).outcome(hits)
    });
    ShipEffect { state, hits }
}

/// A class of ships of one factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OneFactorClass {
    /// Destroyers.
    Destroyers,
    /// Escort carriers.
    Cves,
    /// Transports.
    Transports,
}

impl OneFactorClass {
    /// All classes in the order in which they are sunk if nobody says otherwise.
    pub const ALL: [OneFactorClass; 3] = [OneFactorClass::Destroyers, OneFactorClass::Cves, OneFactorClass::Transports];
    /// Their words.
    pub const WORDS: [&'static str; 3] = ["destroyers", "cves", "transports"];

    /// The whole order: the classes named, then the others in the usual order. A class named twice is refused.
    pub fn order(named: &[OneFactorClass], path: &str) -> Result<[OneFactorClass; 3], Refusal> {
        let mut order = Vec::with_capacity(3);
        for &class in named {
            if order.contains(&class) {
                return Err(Refusal::new(
                    "duplicate-id",
                    format!("{path} names {} twice.", Self::WORDS[class as usize]),
                )
                .by(rule::HITS));
            }
            order.push(class);
        }
        order.extend(Self::ALL.into_iter().filter(|class| !named.contains(class)));
        Ok([order[0], order[1], order[2]])
    }
}

/// The light ships of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LightShips {
    /// Sound cruisers.
    pub cruisers: u32,
    /// Damaged cruisers.
    pub damaged_cruisers: u32,
    /// Destroyer factors.
    pub destroyers: u32,
    /// Escort carriers.
    pub cves: u32,
    /// Transports.
    pub transports: u32,
}

impl LightShips {
    /// Ships of one factor.
    #[must_use]
    pub fn one_factor(&self) -> u32 {
        self.destroyers + self.cves + self.transports
    }

    /// Naval factors of all ships.
    #[must_use]
    pub fn factors(&self) -> u32 {
        2 * (self.cruisers + self.damaged_cruisers) + self.one_factor()
    }

    /// Whether there is any ship.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct LightEffect {
    /// The hits of this attack.
    pub hits: u32,
    /// Hits that cruisers took.
    pub cruiser_hits: u32,
    /// Hits that ships of one factor took.
    pub one_factor_hits: u32,
    /// Cruisers sunk.
    pub cruisers_sunk: u32,
    /// Cruisers newly damaged and afloat.
    pub cruisers_damaged: u32,
    /// Ships of one factor sunk.
    pub one_factor_sunk: u32,
    /// Destroyers sunk.
    pub destroyers_sunk: u32,
    /// Escort carriers sunk.
    pub cves_sunk: u32,
    /// Transports sunk.
    pub transports_sunk: u32,
    /// Hits that found nothing more to sink.
    pub excess_hits: u32,
    /// What is left.
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

/// Hits on a group of light ships. [23.44, R-21, R-26]
pub fn hit_light(ships: &LightShips, order: [OneFactorClass; 3], hits: u32, ask: &mut impl Ask) -> LightEffect {
    let (cruiser_hits, one_factor_hits) = share(ships, hits);
    let sunk = ships.cruisers_sunk(cruiser_hits);
    let sound_sunk = sunk.min(ships.cruisers);
    // Below the capacity of the sound cruisers an odd hit is left over, and there is a sound cruiser for it.
    let damaged = if cruiser_hits < 2 * ships.cruisers { cruiser_hits % 2 } else { 0 };
    let mut remaining = *ships;
    remaining.cruisers -= sound_sunk + damaged;
    remaining.damaged_cruisers = remaining.damaged_cruisers - (sunk - sound_sunk) + damaged;
    let mut left = one_factor_hits;
    for class in order {
        let ships = remaining.class(class);
        let lost = (*ships).min(left);
        *ships -= lost;
        left -= lost;
    }
    let effect = LightEffect {
        hits,
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
    };
    ask.note(|| {
        let mut rules = vec![rule::HITS];
        if ships.cruiser_capacity() > 0 {
            rules.push(rule::R_21);
            if ships.one_factor() > 0 {
                rules.push(rule::R_26);
            }
        }
        if ships.cves > 0 {
            rules.push(rule::R_32);
        }
        let text = format!("{hits} hits on light ships: {sunk} cruisers sunk, {damaged} damaged, {one_factor_hits} ships of one factor sunk.");
        Note::new("hits", text).by(&rules).outcome(hits)
    });
    effect
}
