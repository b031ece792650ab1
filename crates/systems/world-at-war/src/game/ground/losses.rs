//! Which counters a side gives up. [15.61, C-8, C-31]

use super::GroundGame;
use super::attacks::listed;
use super::map::{HexAt, UnitAt};
use super::set::Set;
use super::state::{Fight, GroundState, Owed};
use super::thinking;
use crate::ground::Measure;
use crate::messages::{counted, ensure};
use crate::rule;
use flagplot_kernel::{Candidate, Chance, Decision, Form, Menu, Prompt, Refusal, Screen, Seat, Side};
use serde::{Deserialize, Serialize};

/// Units and air factors given up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Losses {
    pub units: Vec<String>,
    #[serde(default)]
    pub air: u8,
}

/// What a side gives up after a round: enough, and nothing that could be kept. [C-31]
pub struct LossChoice<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
    pub fight: &'a Fight,
    pub side: Side,
    pub owed: Owed,
}

/// What a side has to pay with: its units with what each is worth, and its air factors.
pub struct Purse {
    pub units: Vec<(UnitAt, u32)>,
    pub air: u32,
    /// What an air factor is worth.
    pub each: u32,
}

impl Purse {
    fn worth(&self) -> u32 {
        self.units.iter().map(|(_, worth)| worth).sum::<u32>() + self.air * self.each
    }
}

/// A set of losses by place in a purse: units, and a number of air factors.
pub type Paid = (Vec<usize>, u32);

impl LossChoice<'_> {
    pub fn purse(&self) -> Purse {
        let attack = &self.fight.attack;
        let worth = |unit: UnitAt| {
            let factors = u32::from(self.game.info(unit).factors);
            match self.owed.measure() {
                Measure::Modified => factors * self.game.multiplier(self.state, unit, attack.target, self.fight.river),
                Measure::Printed => factors,
            }
        };
        let units = self.game.in_fight(self.state, attack, self.side);
        Purse {
            units: units.into_iter().map(|unit| (unit, worth(unit))).collect(),
            air: u32::from(self.game.air_in_fight(self.state, attack, self.side)),
            each: self.game.rules.units.air.support_per_air_factor.max(1),
        }
    }

    pub(super) fn losses(&self, purse: &Purse, (units, air): &Paid) -> Losses {
        let ids = units.iter().map(|&at| self.game.info(purse.units[at].0).id.clone());
        Losses { units: ids.collect(), air: *air as u8 }
    }

    /// All smallest sets that pay, equal ones once: units of one kind in one hex stand for each other.
    pub fn smallest(&self, purse: &Purse) -> Vec<Paid> {
        let owed = u32::from(self.owed.factors);
        if purse.worth() <= owed {
            return vec![((0..purse.units.len()).collect(), purse.air)];
        }
        let class = |at: usize| {
            let unit = purse.units[at].0;
            (self.game.info(unit).class, self.state.unit(unit).hex, self.state.unit(unit).isolation, purse.units[at].1)
        };
        let mut sets = Vec::new();
        for mask in 0u32..1 << purse.units.len().min(16) {
            let chosen: Vec<usize> = (0..purse.units.len()).filter(|at| mask >> at & 1 == 1).collect();
            // Of equal units the first ones go.
            let skips = |at: &usize| (0..*at).any(|before| mask >> before & 1 == 0 && class(before) == class(*at));
            if chosen.iter().any(skips) {
                continue;
            }
            let sum: u32 = chosen.iter().map(|&at| purse.units[at].1).sum();
            let air = owed.saturating_sub(sum).div_ceil(purse.each);
            let paid = sum + air * purse.each;
            let needed = |worth: u32| paid - worth < owed;
            if air <= purse.air && paid >= owed && chosen.iter().all(|&at| needed(purse.units[at].1)) {
                sets.push((chosen, air));
            }
        }
        if sets.is_empty() {
            sets.push(self.in_order(purse, owed));
        }
        sets
    }

    /// Enough of the units from the last one back, for a stack too tall to try all sets of it.
    fn in_order(&self, purse: &Purse, owed: u32) -> Paid {
        let (mut chosen, mut sum): (Vec<usize>, u32) = ((0..purse.units.len()).collect(), purse.worth());
        chosen.retain(|&at| {
            let kept = sum - purse.units[at].1 >= owed;
            sum -= if kept { purse.units[at].1 } else { 0 };
            !kept
        });
        let spare = (sum - owed) / purse.each;
        (chosen, purse.air - spare.min(purse.air))
    }

    /// The losses, if there is only one way to take them.
    pub fn only(&self) -> Option<Losses> {
        let purse = self.purse();
        let owed = u32::from(self.owed.factors);
        if purse.worth() > owed && purse.units.len() + purse.air as usize > 1 {
            if purse.units.is_empty() {
                return Some(Losses { units: Vec::new(), air: owed.div_ceil(purse.each) as u8 });
            }
            let sets = self.smallest(&purse);
            return match sets.as_slice() {
                [only] => Some(self.losses(&purse, only)),
                _ => None,
            };
        }
        Some(self.losses(&purse, &((0..purse.units.len()).collect(), purse.air)))
    }
}

impl Decision for LossChoice<'_> {
    type Value = Losses;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Losses) -> Result<(), Refusal> {
        let (purse, owed) = (self.purse(), u32::from(self.owed.factors));
        let mut paid = u32::from(value.air) * purse.each;
        let mut worths = Vec::new();
        for (at, id) in value.units.iter().enumerate() {
            let unit = self.game.find(id).filter(|_| !value.units[..at].contains(id));
            let Some((_, worth)) = purse.units.iter().find(|(own, _)| Some(*own) == unit) else {
                return Err(unknown(id));
            };
            paid += worth;
            worths.push((self.game.info(unit.unwrap_or(0)).name.as_str(), *worth));
        }
        ensure(u32::from(value.air) <= purse.air, || {
            let message = format!("You have {} here.", counted(purse.air, "air factor"));
            Refusal::new("not-enough-air", message).by(rule::C_31).remedy("Give up fewer air factors.")
        })?;
        ensure(paid >= owed, || {
            let message = format!("Give up at least {}; you chose {paid}.", counted(owed, "factor"));
            Refusal::new("insufficient-losses", message).by(rule::COMBAT_RESULTS).remedy("Give up more.")
        })?;
        let kept = worths.into_iter().find(|(_, worth)| paid - worth >= owed).map(|(name, _)| name);
        let kept = kept.or((value.air > 0 && paid - purse.each >= owed).then_some("An air factor"));
        kept.map_or(Ok(()), |name| {
            let message = format!("{name} can be kept.");
            Err(Refusal::new("needless-losses", message).by(rule::C_31).remedy("Give up no more than you must."))
        })
    }
}

fn unknown(id: &str) -> Refusal {
    let shown: String = id.chars().take(30).collect();
    Refusal::new("unknown-unit", format!("There is no unit '{shown}' to choose here."))
        .by(rule::C_31)
        .remedy("Choose from the units listed, each once.")
}

impl LossChoice<'_> {
    fn label(&self, purse: &Purse, (units, air): &Paid) -> String {
        let air_named = (*air > 0).then(|| counted(*air, "air factor"));
        let names = units.iter().map(|&at| self.game.info(purse.units[at].0).name.as_str()).chain(air_named.as_deref());
        let gone: u32 = units.iter().map(|&at| purse.units[at].1).sum::<u32>() + air * purse.each;
        let left = (0..purse.units.len()).filter(|at| !units.contains(at)).map(|at| purse.units[at].0);
        let ground = self.game.factors(left);
        let rest = match purse.air - air {
            0 => counted(ground, "ground factor"),
            air => format!("{} and {}", counted(ground, "ground factor"), counted(air, "air factor")),
        };
        format!("{} (worth {gone}); {rest} left", listed(names))
    }
}

impl Screen for LossChoice<'_> {
    fn prompt(&self) -> Prompt {
        let (owed, hex) = (u32::from(self.owed.factors), self.game.map.name(self.fight.attack.target));
        let counted_as = if self.owed.modified { ", ground units by their multipliers" } else { "" };
        let text = format!("{hex}: you must lose at least {}{counted_as}. What goes?", counted(owed, "factor"));
        Prompt::new("losses", text, rule::COMBAT_RESULTS)
            .confirm()
            .missing(format!("More than needed: nothing that can be kept is given up. [{}]", rule::C_31))
    }

    fn candidates(&self) -> Vec<Candidate<Losses>> {
        let purse = self.purse();
        let mut sets = self.smallest(&purse);
        let best = thinking::losses(self.game, &purse, &sets);
        sets[..=best].rotate_right(1);
        let each = sets.iter().map(|set| {
            let losses = self.losses(&purse, set);
            let pieces = losses.units.clone();
            Candidate::new(losses, self.label(&purse, set)).at(pieces)
        });
        each.collect()
    }
}

/// Which counters attrition costs. [C-19, C-31]
pub struct Counters<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
    pub among: Set,
    pub count: u8,
}

impl Counters<'_> {
    pub(super) fn ids(&self, units: impl IntoIterator<Item = UnitAt>) -> Vec<String> {
        units.into_iter().map(|unit| self.game.info(unit).id.clone()).collect()
    }

    pub(super) fn cheapest(&self, hex: Option<HexAt>) -> Vec<UnitAt> {
        let mut units: Vec<UnitAt> = self.among.iter().collect();
        units.sort_by_key(|unit| {
            let elsewhere = hex.is_some() && self.state.unit(*unit).hex != hex;
            (elsewhere, thinking::price(self.game, self.state, *unit))
        });
        units.truncate(usize::from(self.count));
        units
    }
}

impl Decision for Counters<'_> {
    type Value = Vec<String>;

    fn seat(&self) -> Seat {
        self.state.active.other().into()
    }

    fn check(&self, value: &Vec<String>) -> Result<(), Refusal> {
        for (at, id) in value.iter().enumerate() {
            let unit = self.game.find(id).filter(|unit| self.among.contains(*unit) && !value[..at].contains(id));
            ensure(unit.is_some(), || unknown(id))?;
        }
        let (count, given) = (usize::from(self.count), value.len());
        ensure(given >= count, || {
            let message = format!("{} must be removed; this is {given}.", counted(count as u32, "counter"));
            Refusal::new("insufficient-losses", message).by(rule::C_19).remedy("Choose more.")
        })?;
        ensure(given == count, || {
            let message =
                format!("Only {} must be removed; one of these can be kept.", counted(count as u32, "counter"));
            Refusal::new("needless-losses", message).by(rule::C_31).remedy("Choose fewer.")
        })
    }
}

impl Screen for Counters<'_> {
    fn prompt(&self) -> Prompt {
        let text = format!("Attrition costs you {}. Which?", counted(u32::from(self.count), "counter"));
        Prompt::new("counters", text, rule::C_19)
            .confirm()
            .missing(format!("Units that are not next to an involved attacker are not hurt. [{}]", rule::C_19))
    }

    fn candidates(&self) -> Vec<Candidate<Vec<String>>> {
        let places: Set = self.among.iter().filter_map(|unit| self.state.unit(unit).hex).collect();
        let mut out: Vec<Candidate<Vec<String>>> = Vec::new();
        for hex in std::iter::once(None).chain(places.iter().map(Some)) {
            let units = self.cheapest(hex);
            let ids = self.ids(units.iter().copied());
            if out.iter().all(|other| other.value != ids) {
                out.push(Candidate::new(ids.clone(), self.game.names(units)).at(ids));
            }
        }
        out
    }

    fn form(&self) -> Form {
        self.game.subset(self.state, self.among.iter(), u32::from(self.count), u32::from(self.count))
    }
}

/// Which units of an overstacked hex are eliminated. [C-8]
pub struct Overstacked<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
    pub hex: HexAt,
}

impl Overstacked<'_> {
    pub fn only(&self) -> Option<Vec<String>> {
        let mut options = self.options();
        if options.len() == 1 { options.pop() } else { None }
    }

    fn price(&self, option: &[String]) -> i64 {
        let units = option.iter().filter_map(|id| self.game.find(id));
        units.map(|unit| thinking::price(self.game, self.state, unit)).sum()
    }
}

impl Menu for Overstacked<'_> {
    type Option = Vec<String>;

    fn seat(&self) -> Seat {
        self.state.active.into()
    }

    fn prompt(&self) -> Prompt {
        let (hex, limit) = (self.game.map.name(self.hex), self.game.stacking());
        let text = format!("{hex} holds more than {limit} units. Which are eliminated?");
        Prompt::new("overstacked", text, rule::C_8).confirm()
    }

    fn options(&self) -> Vec<Vec<String>> {
        let units: Vec<UnitAt> = self.game.stack(self.state, self.hex).collect();
        let keep = self.game.stacking() as usize;
        let class = |unit: UnitAt| (self.game.info(unit).class, self.state.unit(unit).isolation);
        let mut options: Vec<Vec<String>> = Vec::new();
        let mut known: Vec<Vec<(u8, u8)>> = Vec::new();
        // Of a stack taller than this the last ones go in any case.
        let tall = units.len().min(16);
        for mask in 0u32..1 << tall {
            let gone = (0..units.len()).filter(|at| *at >= tall || mask >> at & 1 == 1).map(|at| units[at]);
            let gone: Vec<UnitAt> = gone.collect();
            if gone.len() + keep != units.len() {
                continue;
            }
            let mut classes: Vec<(u8, u8)> = gone.iter().map(|unit| class(*unit)).collect();
            classes.sort_unstable();
            if !known.contains(&classes) {
                options.push(gone.iter().map(|unit| self.game.info(*unit).id.clone()).collect());
                known.push(classes);
            }
        }
        options
    }

    fn label(&self, option: &Vec<String>) -> String {
        self.game.names(option.iter().filter_map(|id| self.game.find(id)))
    }

    fn pieces(&self, option: &Vec<String>) -> Vec<String> {
        option.clone()
    }

    fn instinct(&self, _: &mut Chance) -> Vec<String> {
        self.options().into_iter().min_by_key(|option| self.price(option)).unwrap_or_default()
    }
}
