//! Strikes: launch, CAP, air defense, targets, attacks. [6.2, C-16]

use super::NavalGame;
use super::air_choices::{Launch, Launches, Targets};
use super::choices::Share;
use super::facts::{Home, air_name};
use super::screens::mark_piece;
use super::state::{Condition, Flight, Mark, NavalState, Open, Phase, Stage, Task, Wing};
use crate::air::{self, AirGroup, AirRole, AirSetting, AirUnit};
use crate::air_defense;
use crate::hits::{LightEffect, LightShips};
use crate::messages::counted;
use crate::naval::{self, Conditions};
use crate::rule;
use crate::scenarios::Contact;
use crate::strike;
use flagplot_kernel::{Ask, Asked, BySide, Effect, Note, Side};

/// Squadrons lost by wing and by cover.
pub(super) type Losses = Vec<u8>;

impl NavalGame {
    /// Whether a side is asked for a strike: it found a group, and may have squadrons to send. Which of them are ready
    /// is its secret. [C-24]
    fn launches(&self, open: &Open, side: Side) -> bool {
        !self.found(open, side).is_empty() && self.wings_of(open, side).any(|(_, wing)| wing.free() > 0)
    }

    /// The sides that launch next: the one with more surprise first, both together if it is equal. [6.2]
    pub(crate) fn launching(&self, open: &Open) -> Vec<Side> {
        let (attacker, defender) = (self.attacker(), self.attacker().other());
        let surprise = |side: Side| open.sight[side].surprise;
        let order: [&[Side]; 2] = match surprise(attacker).cmp(&surprise(defender)) {
            std::cmp::Ordering::Equal => [&[attacker, defender], &[]],
            std::cmp::Ordering::Greater => [&[attacker], &[defender]],
            std::cmp::Ordering::Less => [&[defender], &[attacker]],
        };
        let next = order.get(usize::from(open.launches)).copied().unwrap_or(&[]);
        next.iter().copied().filter(|side| self.launches(open, *side)).collect()
    }

    /// Strikes are launched. [6.2]
    pub(crate) fn launch(&self, state: &mut NavalState, ask: &mut impl Ask) -> Asked<()> {
        let NavalState { open, tasks } = &*state;
        if open.launches >= 2 {
            state.open.phase = Phase::Recovery;
            return Ok(());
        }
        let sides = self.launching(open);
        let choices: Vec<Launch<'_>> = sides.iter().map(|&side| Launch { game: self, open, tasks, side }).collect();
        let said = match choices.as_slice() {
            [] => Vec::new(),
            [one] => vec![ask.decide(one)?],
            several => ask.in_secret(several)?,
        };
        let plans: Vec<Launches> =
            choices.iter().zip(&said).map(|(choice, said)| choice.read(said).unwrap_or(Launches(Vec::new()))).collect();
        state.open.launches += 1;
        for (side, plan) in sides.into_iter().zip(plans) {
            self.take_off(state, side, &plan, ask);
        }
        if !state.open.flights.is_empty() {
            state.open.phase = Phase::Strike(Stage::Arrive);
        }
        Ok(())
    }

    fn take_off(&self, state: &mut NavalState, side: Side, plan: &Launches, ask: &mut impl Ask) {
        let mut targets: Vec<u8> = plan.0.iter().map(|launch| launch.1).collect();
        targets.sort_unstable();
        targets.dedup();
        if targets.is_empty() {
            ask.note(|| {
                Note::new("hold", format!("The {} launch no strike.", super::SIDES[side])).by(&[rule::NAVAL_ROUND])
            });
        }
        for target in targets {
            let mut force: Vec<(u8, u8)> = Vec::new();
            for &(wing, at, count) in &plan.0 {
                if at == target && count > 0 {
                    force.push((wing, count));
                    state.open.wings[usize::from(wing)].flying += count;
                    state.tasks[usize::from(wing)].strike -= count;
                }
            }
            let home = |&(wing, _): &(u8, u8)| state.open.wings[usize::from(wing)].home;
            force.sort_by_key(|one| (home(one), one.0));
            let flight = Flight { side, target, force, aims: Vec::new() };
            ask.note(|| {
                let sent = counted(flight.squadrons(), "squadron");
                let text = format!("The {} launch {sent} against {}.", super::SIDES[side], self.group_name(target));
                let id = &self.facts.groups[usize::from(target)].id;
                Note::new("launch", text).by(&[rule::NAVAL_ROUND, rule::C_16]).pieces([id])
            });
            state.open.flights.push(flight);
        }
    }

    /// The next stage of the first flight in line.
    pub(crate) fn strike(&self, state: &mut NavalState, stage: Stage, ask: &mut impl Ask) -> Asked<()> {
        match stage {
            Stage::Arrive => {
                self.arrive(state, ask);
                Ok(())
            }
            Stage::Cap => self.cap_combat(state, ask),
            Stage::Guns => self.guns(state, ask),
            Stage::Targets => self.choose_targets(state, ask),
            Stage::Attack(at) => self.attack(state, at, ask),
        }
    }

    /// The strike arrives, and CAP over the group shows itself. [C-24]
    fn arrive(&self, state: &mut NavalState, ask: &mut impl Ask) {
        let target = state.open.flights[0].target;
        let mut cap = 0;
        for (at, wing) in state.open.wings.iter_mut().enumerate() {
            if wing.home == Home::Group(target) {
                wing.cap_shown = true;
                cap += u32::from(state.tasks[at].cap);
            }
        }
        if self.scenario.contact != Contact::AirOnly {
            ask.note(|| {
                let text = format!("{} has {} on CAP.", self.group_name(target), counted(cap, "squadron"));
                Note::new("cap", text).by(&[rule::C_24]).outcome(cap)
            });
        }
        let cover = self.covers(&state.open, target).next().is_some();
        state.open.phase = Phase::Strike(if cap > 0 || cover { Stage::Cap } else { Stage::Guns });
    }

    fn force(&self, open: &Open, flight: &Flight) -> Vec<AirGroup> {
        flight.force.iter().map(|&(wing, count)| self.squadrons(open, wing, count)).collect()
    }

    /// One round between the strike and the aircraft over the group. [6.2, R-15]
    fn cap_combat(&self, state: &mut NavalState, ask: &mut impl Ask) -> Asked<()> {
        let NavalState { open, tasks } = &*state;
        let flight = &open.flights[0];
        let target = flight.target;
        let on_cap = open.wings.iter().enumerate().filter(|(_, wing)| wing.home == Home::Group(target));
        let wings: Vec<u8> = on_cap.map(|(at, _)| at as u8).filter(|at| tasks[usize::from(*at)].cap > 0).collect();
        let covers: Vec<(usize, AirGroup)> = self.covers(open, target).collect();
        let flies_cap = wings.iter().map(|at| self.squadrons(open, *at, tasks[usize::from(*at)].cap));
        let defenders: Vec<AirGroup> = flies_cap.chain(covers.iter().map(|cover| cover.1)).collect();
        let attackers = self.force(open, flight);
        let role = if wings.is_empty() { AirRole::AirCover } else { AirRole::Cap };
        let setting = AirSetting { unit: AirUnit::Squadrons, role, radar_results: 0 };
        let (mut one, mut other) = (attackers.clone(), defenders.clone());
        let round = air::round(&self.rules, &mut one, &mut other, setting, ask)?;
        let side = flight.side;
        let striker = |at: usize| self.wing_name(open, flight.force[at].0);
        let losses = &round.attacker_losses;
        let gone = losses_of(side, &attackers, striker, losses.eliminated, Fate::Eliminated, ask)?;
        let left = less(&attackers, &gone);
        let home = losses_of(side, &left, striker, losses.aborted, Fate::Aborted, ask)?;
        let patrol = |at: usize| match wings.get(at) {
            Some(wing) => self.wing_name(open, *wing),
            None => format!("cover by {}", air_name(&covers[at - wings.len()].1)),
        };
        let down =
            losses_of(side.other(), &defenders, patrol, round.defender_losses.eliminated, Fate::Eliminated, ask)?;
        self.strikers_lost(&mut state.open, &gone, &home);
        for (&wing, &lost) in wings.iter().zip(&down) {
            state.tasks[usize::from(wing)].cap -= lost;
            state.open.wings[usize::from(wing)].count -= lost;
        }
        for (&(cover, _), &lost) in covers.iter().zip(&down[wings.len()..]) {
            state.open.covers[cover] -= lost;
        }
        state.open.squadrons_lost[side.other()] += down.iter().map(|lost| u16::from(*lost)).sum::<u16>();
        state.open.phase = Phase::Strike(Stage::Guns);
        Ok(())
    }

    /// Takes losses from the first flight in line.
    fn strikers_lost(&self, open: &mut Open, eliminated: &Losses, aborted: &Losses) {
        let Open { flights, wings, squadrons_lost, .. } = open;
        let flight = &mut flights[0];
        for ((wing, count), (&gone, &home)) in flight.force.iter_mut().zip(eliminated.iter().zip(aborted)) {
            let wing = &mut wings[usize::from(*wing)];
            *count -= gone + home;
            wing.count -= gone;
            wing.flying -= gone + home;
            wing.aborted += home;
            squadrons_lost[flight.side] += u16::from(gone);
        }
    }

    /// The guns of the group. [23.42]
    fn guns(&self, state: &mut NavalState, ask: &mut impl Ask) -> Asked<()> {
        let open = &state.open;
        let flight = &open.flights[0];
        if flight.squadrons() > 0 {
            let force = self.force(open, flight);
            let surprise = u32::from(open.sight[flight.side].surprise);
            let defenses = self.defenses(open, flight.target);
            let shot = air_defense::air_defense(&self.rules, &mut force.clone(), &defenses, surprise, ask)?;
            let striker = |at: usize| self.wing_name(open, flight.force[at].0);
            let gone = losses_of(flight.side, &force, striker, shot.eliminated, Fate::Eliminated, ask)?;
            let home = losses_of(flight.side, &less(&force, &gone), striker, shot.aborted, Fate::Aborted, ask)?;
            self.strikers_lost(&mut state.open, &gone, &home);
        }
        let through = state.open.flights[0].squadrons();
        if through > 0 {
            state.open.phase = Phase::Strike(Stage::Targets);
        } else {
            ask.note(|| Note::new("strike-fails", "No squadron gets through.").by(&[rule::R_47]));
            self.flight_done(&mut state.open);
        }
        Ok(())
    }

    fn choose_targets(&self, state: &mut NavalState, ask: &mut impl Ask) -> Asked<()> {
        let open = &state.open;
        let choice = Targets { game: self, open, flight: &open.flights[0] };
        let aims = match *choice.marks() {
            // One target needs no question.
            [only] => vec![(only, choice.flight.squadrons() as u8)],
            _ => {
                let said = ask.decide(&choice)?;
                choice.read(&said).map(|aims| aims.0).unwrap_or_default()
            }
        };
        ask.note(|| {
            let named = aims
                .iter()
                .map(|(mark, count)| format!("{} at {}", counted((*count).into(), "squadron"), self.mark_name(*mark)));
            let text = format!("The strike goes in: {}.", named.collect::<Vec<String>>().join(", "));
            Note::new("targets", text).by(&[rule::C_16]).pieces(aims.iter().map(|(mark, _)| self.mark_id(*mark)))
        });
        state.open.flights[0].aims = aims;
        state.open.phase = Phase::Strike(Stage::Attack(0));
        Ok(())
    }

    /// The squadrons that attack each target of a flight. [C-16]
    pub(crate) fn filled(&self, open: &Open, flight: &Flight) -> Vec<Vec<AirGroup>> {
        strike::fill(flight.aims.iter().map(|(_, count)| u32::from(*count)), &self.force(open, flight))
    }

    pub(crate) fn conditions(&self, open: &Open, flight: &Flight) -> Conditions {
        Conditions {
            at_sea: self.facts.at_sea[flight.side.other()],
            surprise_level: u32::from(open.sight[flight.side].surprise),
        }
    }

    /// One attack of a strike; its effect is at once. [23.44]
    fn attack(&self, state: &mut NavalState, at: u8, ask: &mut impl Ask) -> Asked<()> {
        let open = &state.open;
        let flight = &open.flights[0];
        let Some(&(mark, _)) = flight.aims.get(usize::from(at)) else {
            self.flight_done(&mut state.open);
            return Ok(());
        };
        let group = flight.target;
        let squadrons = self.filled(open, flight).swap_remove(usize::from(at));
        let target = self.target(open, group, mark, false);
        ask.note(|| {
            let (count, name) = (counted(air::strength(&squadrons), "squadron"), self.mark_name(mark));
            let wings = flight.force.iter().map(|(wing, _)| format!("{}.air", self.wing_id(open, *wing)));
            Note::new("strike-target", format!("{count} against {name}."))
                .by(&[rule::C_16])
                .pieces(wings)
                .on([mark_piece(self, group, mark)])
        });
        let attack = naval::air_attack(&self.rules, &squadrons, &target, self.conditions(open, flight), ask)?;
        let light = match attack.effect.light {
            Some(light) => Some(self.sunk_classes(open, group, light, ask)?),
            None => None,
        };
        match (mark, attack.effect.state, light) {
            (Mark::Ship(ship), Some(after), _) => self.ship_hit(state, ship, after.into(), ask),
            (_, _, Some(light)) => self.light_hit(state, group, light),
            _ => {}
        }
        state.open.phase = Phase::Strike(Stage::Attack(at + 1));
        Ok(())
    }

    /// The owner says which of his ships of one factor are sunk. [23.44]
    pub(crate) fn sunk_classes(
        &self,
        open: &Open,
        group: u8,
        mut effect: LightEffect,
        ask: &mut impl Ask,
    ) -> Asked<LightEffect> {
        let lost = effect.one_factor_sunk;
        let before = |left: u32, sunk: u32| (left + sunk) as u8;
        let LightShips { destroyers, cves, transports, .. } = effect.remaining;
        let classes = [
            ("destroyers", before(destroyers, effect.destroyers_sunk)),
            ("cves", before(cves, effect.cves_sunk)),
            ("transports", before(transports, effect.transports_sunk)),
        ];
        let all: u32 = classes.iter().map(|class| u32::from(class.1)).sum();
        if lost == 0 || lost == all || classes.iter().filter(|class| class.1 > 0).count() < 2 {
            return Ok(effect);
        }
        let side = self.side_of_group(group);
        let items: Vec<(String, String, u8)> = classes
            .iter()
            .filter(|class| class.1 > 0)
            .map(|&(id, most)| (id.to_owned(), if id == "cves" { "escort carriers" } else { id }.to_owned(), most))
            .collect();
        // The transports of an invasion are what it is fought for.
        let precious = self.facts.invasion.is_some_and(|invasion| open.joined(invasion) == group);
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&at| match items[at].0.as_str() {
            "transports" if precious => 2,
            "transports" => 0,
            "cves" => 1,
            _ => {
                if precious {
                    0
                } else {
                    2
                }
            }
        });
        let share = Share {
            side,
            code: "sunk-classes",
            text: format!("{} of {} sink. Which?", counted(lost, "light ship"), self.group_name(group)),
            rule: rule::HITS,
            usual: Share::in_order(&items, lost as u8, order),
            items,
            total: lost as u8,
        };
        let said = ask.decide(&share)?;
        let shares = share.read(&said).unwrap_or_else(|_| share.usual.clone());
        let sunk = |id: &str| {
            share.items.iter().zip(&shares).find(|(item, _)| item.0 == id).map_or(0, |(_, sunk)| u32::from(*sunk))
        };
        let [destroyers, cves, transports] = classes.map(|class| (u32::from(class.1), sunk(class.0)));
        (effect.destroyers_sunk, effect.cves_sunk, effect.transports_sunk) = (destroyers.1, cves.1, transports.1);
        effect.remaining.destroyers = destroyers.0 - destroyers.1;
        effect.remaining.cves = cves.0 - cves.1;
        effect.remaining.transports = transports.0 - transports.1;
        Ok(effect)
    }

    /// A ship changes its condition; squadrons aboard that its group can no longer carry are lost at once. [C-15]
    pub(crate) fn ship_hit(&self, state: &mut NavalState, ship: u8, after: Condition, ask: &mut impl Ask) {
        let before = std::mem::replace(&mut state.open.ships[usize::from(ship)], after);
        if before == after {
            return;
        }
        let facts = self.ship(ship);
        ask.note(|| {
            let text = format!("{} is {}.", facts.name, if after == Condition::Sunk { "sunk" } else { "damaged" });
            let effect = if after == Condition::Sunk { Effect::Lost } else { Effect::Hit };
            Note::new("ship", text).by(&[rule::HITS]).pieces([&facts.id]).effect(effect)
        });
        if facts.capacity > 0 {
            let group = state.open.joined(facts.group);
            self.crowded(state, group, ask);
        }
    }

    /// Squadrons aboard above the capacity of a group's sound carriers are eliminated: those ready to strike before the
    /// reserve, and CAP that has landed last; wing by wing. [6.2, C-15]
    fn crowded(&self, state: &mut NavalState, group: u8, ask: &mut impl Ask) {
        let NavalState { open, tasks } = state;
        let capacity = self.capacity(open, group);
        // After recovery everything has landed.
        let landed = !matches!(open.phase, Phase::Strike(_));
        let parts = |wing: &Wing, task: Task| -> [u8; 3] {
            let (aboard, cap) =
                if landed { (wing.count, task.cap.min(wing.count)) } else { (wing.aboard(task.cap), 0) };
            let strike = task.strike.min(aboard - cap);
            [strike, aboard - cap - strike, cap]
        };
        let here: Vec<usize> = (0..open.wings.len()).filter(|at| open.wings[*at].home == Home::Group(group)).collect();
        let aboard = here.iter().flat_map(|&at| parts(&open.wings[at], tasks[at])).map(u32::from).sum::<u32>();
        let mut excess = aboard.saturating_sub(capacity);
        if excess == 0 {
            return;
        }
        ask.note(|| {
            let (squadrons, have) = (counted(excess, "squadron"), if excess == 1 { "has" } else { "have" });
            let text = format!("{squadrons} aboard {} {have} no carrier left to land on.", self.group_name(group));
            Note::new("squadrons-lost", text).by(&[rule::C_15]).outcome(excess)
        });
        open.squadrons_lost[self.side_of_group(group)] += excess as u16;
        for part in 0..3 {
            for &at in &here {
                let (wing, task) = (&mut open.wings[at], &mut tasks[at]);
                let lost = u32::from(parts(wing, *task)[part]).min(excess) as u8;
                excess -= u32::from(lost);
                wing.count -= lost;
                match part {
                    0 => task.strike -= lost,
                    2 => task.cap -= lost,
                    _ => wing.tired = wing.tired.min(parts(wing, *task)[1]),
                }
                wing.aborted = wing.aborted.min(wing.count);
            }
        }
    }

    pub(crate) fn light_hit(&self, state: &mut NavalState, group: u8, effect: LightEffect) {
        let sunk = 2 * effect.cruisers_sunk + effect.one_factor_sunk;
        state.open.light_sunk[self.side_of_group(group)] += sunk as u16;
        state.open.groups[usize::from(group)].lights = effect.remaining;
    }

    fn flight_done(&self, open: &mut Open) {
        open.flights.remove(0);
        open.phase = if open.flights.is_empty() { Phase::Launch } else { Phase::Strike(Stage::Arrive) };
    }
}

/// A force with losses taken off.
fn less(force: &[AirGroup], lost: &Losses) -> Vec<AirGroup> {
    force.iter().zip(lost).map(|(air, lost)| AirGroup { count: air.count - u32::from(*lost), ..*air }).collect()
}

/// What becomes of squadrons that their owner chooses.
#[derive(Clone, Copy)]
pub(super) enum Fate {
    Eliminated,
    Aborted,
    NoCarrier,
}

/// Which squadrons a force loses: in order where they are alike, as the owner says where they differ. [C-29]
pub(super) fn losses_of(
    side: Side,
    force: &[AirGroup],
    name: impl Fn(usize) -> String,
    lost: u32,
    fate: Fate,
    ask: &mut impl Ask,
) -> Asked<Losses> {
    let kind = |air: &AirGroup| AirGroup { count: 0, ..*air };
    let mut there = force.iter().filter(|air| air.count > 0);
    let first = there.next().map(kind);
    let alike = there.all(|air| Some(kind(air)) == first);
    if alike || lost == 0 || lost == air::strength(force) {
        let mut left = lost;
        let take = |air: &AirGroup| {
            let taken = air.count.min(left);
            left -= taken;
            taken as u8
        };
        return Ok(force.iter().map(take).collect());
    }
    let items: Vec<(String, String, u8)> =
        force.iter().enumerate().map(|(at, air)| ((at + 1).to_string(), name(at), air.count as u8)).collect();
    let usual = Share::in_order(&items, lost as u8, (0..items.len()).rev());
    let squadrons = counted(lost, "squadron");
    let text = match fate {
        Fate::Eliminated => format!("You lose {squadrons}. Which?"),
        Fate::Aborted => format!("{squadrons} must turn back. Which?"),
        Fate::NoCarrier => format!("You lose {squadrons} for want of a carrier. Which?"),
    };
    let share = Share { side, code: "air-losses", text, rule: rule::C_29, items, total: lost as u8, usual };
    let said = ask.decide(&share)?;
    Ok(share.read(&said).unwrap_or(share.usual))
}

/// An engaged pair by side.
pub(crate) fn by_side(attacker: Side, (own, enemy): (u8, u8)) -> BySide<u8> {
    BySide::new_with(|side| if side == attacker { own } else { enemy })
}
