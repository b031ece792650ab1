//! What a player may want to know once the dice have fallen: losses, counters, hexes, retreats, the next attack. [12]

use super::GroundGame;
use super::attacks::listed;
use super::choices::{Counters, LossChoice, Losses, RetreatTo, Take};
use super::map::{HexAt, UnitAt};
use super::outlook::Face;
use super::set::Set;
use super::state::{Fight, FightStage, GroundState, Struggle};
use crate::charts::OddsColumn;
use crate::messages::counted;
use crate::retreat::{Evil, Stacking};
use flagplot_kernel::{Decision, Insight, Screen, Side};
use flagplot_odds::OddsError;
use std::collections::BTreeSet;

/// How many ways to pay are told apart.
const MOST_WAYS: usize = 12;

impl GroundGame {
    /// Each attack still to be fought, by itself.
    pub(super) fn attacks_to_come(&self, state: &GroundState) -> Result<Vec<Insight>, OddsError> {
        let mut insight = Insight::exact("The attacks, each broken off below 1:1");
        for attack in &state.attacks {
            let (hex, forces) = (self.map.name(attack.target), self.forces(state, attack));
            let told = match forces.strengths().ratio().column() {
                None => "called off, the odds are below 1:4".to_owned(),
                Some(_) => self.press(&forces, 0, Some(OddsColumn::Even), u32::MAX)?.told(),
            };
            insight = insight.line(format!("{hex}, {}: {told}.", forces.strengths().ratio()));
        }
        Ok(vec![insight.line(
            "No attack changes the odds of another: each has its own units and air. The order decides only what you \
             know when armor advances.",
        )])
    }

    /// Every way to take a loss, or the one that is looked at, with the fight that it leaves.
    pub(super) fn losses_weighed(
        &self,
        state: &GroundState,
        fight: &Fight,
        given: Option<Losses>,
    ) -> Result<Vec<Insight>, OddsError> {
        let FightStage::Losses(left) = fight.next else { return Ok(Vec::new()) };
        let sides = [state.active.other(), state.active];
        let Some(side) = sides.into_iter().find(|side| left[*side].factors > 0) else { return Ok(Vec::new()) };
        let choice = LossChoice { game: self, state, fight, side, owed: left[side] };
        let given = given.filter(|losses| choice.check(losses).is_ok());
        let ways = match given {
            Some(losses) => vec![losses],
            None => choice.candidates().into_iter().map(|candidate| candidate.value).take(MOST_WAYS).collect(),
        };
        let mut insight = Insight::exact("What each loss leaves");
        for losses in ways {
            let names = losses.units.iter().filter_map(|id| self.find(id)).map(|unit| self.info(unit).name.as_str());
            let air = (losses.air > 0).then(|| counted(u32::from(losses.air), "air factor"));
            let names = listed(names.chain(air.as_deref()));
            let told = self.after_loss(state, fight, side, &losses)?;
            insight = insight.line(format!("Without {names}: {told}."));
        }
        if side != state.active && left[state.active].factors > 0 {
            let owes = counted(u32::from(left[state.active].factors), "factor");
            insight = insight.line(format!("The attacker then loses {owes}; these odds assume the cheapest units."));
        }
        Ok(vec![insight])
    }

    /// The fight after a loss, as the side that took it sees it.
    fn after_loss(&self, state: &GroundState, fight: &Fight, side: Side, losses: &Losses) -> Result<String, OddsError> {
        let (mut state, mut fight) = (state.clone(), *fight);
        self.remove(&mut state, &mut fight, side, losses, &mut Face(1));
        if let FightStage::Losses(left) = fight.next
            && side != state.active
            && left[state.active].factors > 0
        {
            let owed = left[state.active];
            let choice = LossChoice { game: self, state: &state, fight: &fight, side: state.active, owed };
            let cheapest = choice.candidates().into_iter().next().map(|candidate| candidate.value).unwrap_or_default();
            self.remove(&mut state, &mut fight, side.other(), &cheapest, &mut Face(1));
        }
        let attackers = self.in_fight(&state, &fight.attack, state.active).len();
        let defenders = self.in_fight(&state, &fight.attack, state.active.other()).len();
        let forces = self.forces(&state, &fight.attack);
        Ok(match (attackers, defenders) {
            (0, 0) => "no unit is left on either side".into(),
            (0, _) => "the attackers are gone and the hex holds".into(),
            (_, 0) => "the hex falls".into(),
            _ => {
                let (strengths, ratio) = (forces.strengths(), forces.strengths().ratio());
                let odds = format!("{} against {}, {ratio}", strengths.attack, strengths.defense);
                if ratio.column().is_none() {
                    return Ok(format!("{odds}, and the attack ends"));
                }
                let pressed = self.press(&forces, u32::from(fight.rounds), None, u32::MAX)?;
                let told = if side == state.active { pressed.told() } else { pressed.told_to_defender() };
                format!("{odds}; if the attack goes on, {told}")
            }
        })
    }

    /// What each set of counters leaves in front of the attackers.
    pub(super) fn counters_weighed(
        &self,
        state: &GroundState,
        struggle: &Struggle,
        count: u8,
        given: Option<Vec<String>>,
    ) -> Vec<Insight> {
        let choice = Counters { game: self, state, among: struggle.defenders, count };
        let ways = match given.filter(|ids| choice.check(ids).is_ok()) {
            Some(ids) => vec![ids],
            None => choice.candidates().into_iter().map(|candidate| candidate.value).take(MOST_WAYS).collect(),
        };
        let mut insight = Insight::exact("What each choice leaves");
        for ids in ways {
            let lost: Set = ids.iter().filter_map(|id| self.find(id)).collect();
            let mut after = state.clone();
            let (names, factors) = (self.names(lost.iter()), self.factors(lost.iter()));
            let hexes: BTreeSet<HexAt> = lost.iter().filter_map(|unit| state.unit(unit).hex).collect();
            self.eliminate(&mut after, lost);
            let empty = hexes.into_iter().filter(|hex| self.stack(&after, *hex).next().is_none());
            let empty: Vec<String> = empty.map(|hex| self.map.name(hex)).collect();
            let bare = match empty.len() {
                0 => "no hex is left empty".to_owned(),
                _ => format!("{} left empty", is_are(&empty)),
            };
            let mut line = format!("{names} ({}): {bare}", counted(factors, "factor"));
            if struggle.hexes > 0 {
                let trapped: Vec<UnitAt> = struggle
                    .defenders
                    .without(&lost)
                    .iter()
                    .filter(|unit| self.retreat(&after, *unit).0.severity.is_none())
                    .collect();
                if !trapped.is_empty() {
                    line += &format!("; with nowhere to retreat: {}", self.names(trapped));
                }
            }
            insight = insight.line(format!("{line}."));
        }
        let taken = match struggle.hexes {
            0 => "The enemy takes no hex.".to_owned(),
            n => format!("The enemy may then take {}.", counted(u32::from(n), "hex")),
        };
        vec![insight.line(taken)]
    }

    /// What taking a hex brings: its value, what retreats and where to, and who is cut off by it.
    pub(super) fn hexes_weighed(&self, state: &GroundState, struggle: &Struggle, given: Option<Take>) -> Vec<Insight> {
        let open = self.within_grasp(state, struggle);
        let only = match given {
            Some(Take::Hex(id)) => self.map.place(id),
            _ => None,
        };
        let hexes = open.iter().filter(|hex| !self.is_fortress(*hex) && only.is_none_or(|only| only == *hex));
        hexes
            .map(|hex| {
                let mut insight = Insight::exact(format!("If you take {}", self.map.name(hex)));
                if self.map.worth(hex) > 0 {
                    insight = insight.line(format!("An objective worth {}.", self.map.worth(hex)));
                }
                for unit in self.stack(state, hex) {
                    insight = insight.line(format!("{}.", self.way_out(state, unit)));
                }
                insight.line(self.cut_off(state, struggle, hex))
            })
            .collect()
    }

    fn way_out(&self, state: &GroundState, unit: UnitAt) -> String {
        let (retreat, near) = self.retreat(state, unit);
        let name = &self.info(unit).name;
        let names: Vec<String> = retreat.options.iter().map(|at| self.map.name(near[*at])).collect();
        let names = names.join(" or ");
        match retreat.evil {
            Evil::Eliminated => format!("{name} has nowhere to go and is eliminated"),
            Evil::None => format!("{name} retreats to {names}"),
            evil => format!("{name} retreats to {names} ({})", evil_word(evil)),
        }
    }

    /// How many enemy units are out of supply for each way in which a hex can be given up and entered by one unit.
    fn cut_off(&self, state: &GroundState, struggle: &Struggle, hex: HexAt) -> String {
        let enemy = state.active.other();
        let count = |state: &GroundState| {
            let supplied = self.supplied(state, enemy);
            self.army(state, enemy).filter(|(_, _, at)| !supplied.contains(*at)).count() as u32
        };
        let mut ends = Vec::new();
        self.given_up(state, hex, &mut ends);
        let mut counts = BTreeSet::new();
        for end in ends {
            for unit in self.advancers(&end, struggle, hex) {
                let mut end = end.clone();
                end.unit_mut(unit).hex = Some(hex);
                end.take(state.active, hex);
                counts.insert(count(&end));
            }
        }
        let now = count(state);
        match (counts.first(), counts.last()) {
            (Some(least), Some(most)) if least != most => format!(
                "Enemy units out of supply: {now} now, {least} to {most} then, by the retreat and by who advances."
            ),
            (Some(then), _) => format!("Enemy units out of supply: {now} now, {then} then."),
            _ => format!("Enemy units out of supply: {now} now."),
        }
    }

    /// Every way in which the units of a hex can leave it.
    fn given_up(&self, state: &GroundState, hex: HexAt, ends: &mut Vec<GroundState>) {
        let Some(unit) = self.stack(state, hex).next() else {
            ends.push(state.clone());
            return;
        };
        let (retreat, near) = self.retreat(state, unit);
        let mut leave = |to: Option<HexAt>| {
            let mut next = state.clone();
            match to {
                Some(to) => {
                    next.unit_mut(unit).hex = Some(to);
                    next.take(self.info(unit).side, to);
                }
                None => self.eliminate(&mut next, [unit].into_iter().collect()),
            }
            self.given_up(&next, hex, ends);
        };
        if retreat.options.is_empty() {
            leave(None);
        }
        for at in retreat.options {
            leave(Some(near[at]));
        }
    }

    /// Every neighbour of a unit that must retreat, with its evils, and its supply where it may go.
    pub(super) fn retreats_weighed(&self, state: &GroundState, hex: HexAt, given: Option<RetreatTo>) -> Vec<Insight> {
        let only = given.and_then(|given| self.find(&given.unit));
        let units = self.stack(state, hex).filter(|unit| only.is_none_or(|only| only == *unit));
        units
            .map(|unit| {
                let (retreat, near) = self.retreat(state, unit);
                let mut insight = Insight::exact(format!("Where {} can go", self.info(unit).name));
                let stacking = Stacking { limit: self.stacking(), retreating: 1 };
                for (at, look) in self.retreat_hexes(state, unit).into_iter().enumerate() {
                    let name = self.map.name(near[at]);
                    let Some(evils) = look.evils(stacking) else {
                        insight = insight.line(format!("{name}: closed, enemy units stand there."));
                        continue;
                    };
                    let evils: Vec<&str> = evils.into_iter().map(evil_word).collect();
                    let evils = if evils.is_empty() { "no evil".into() } else { evils.join(", ") };
                    if !retreat.options.contains(&at) {
                        insight = insight.line(format!("{name}: {evils}; a lesser evil is open."));
                        continue;
                    }
                    let mut there = state.clone();
                    let side = self.info(unit).side;
                    there.unit_mut(unit).hex = Some(near[at]);
                    there.take(side, near[at]);
                    let supplied = self.supplied(&there, side).contains(near[at]);
                    let supply = if supplied { "in supply" } else { "out of supply" };
                    let worth = match self.map.worth(near[at]) {
                        0 => String::new(),
                        worth => format!(", an objective worth {worth}"),
                    };
                    insight = insight.line(format!("{name}: {evils}, {supply}{worth}."));
                }
                insight
            })
            .collect()
    }
}

fn is_are(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", listed(names.iter().map(String::as_str)))
}

fn evil_word(evil: Evil) -> &'static str {
    match evil {
        Evil::None => "no evil",
        Evil::Overstack => "overstacked",
        Evil::EnemyZoc => "in an enemy zone of control",
        Evil::EnemyControlled => "enemy-controlled",
        Evil::Eliminated => "closed",
    }
}
