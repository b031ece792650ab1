//! The steps of a turn, in their order. [turn-1 … turn-9]

use super::choices::{Orders, Refit, Repairs};
use super::{CampaignGame, CampaignState, Command, Goal, Station, Step};
use crate::battle::{self, Battle, Place, UnitState, Units};
use crate::delay::{self, Waiting};
use crate::faction::Role;
use crate::points::{self, step_loss};
use crate::raid::{self, Raid};
use crate::resolution::strength;
use crate::rule;
use crate::scenario::{Fight, tell};
use crate::unit::Kind;
use flagplot_kernel::{Ask, Asked, BySide, Flow, Note, Rule, Side};

impl CampaignGame {
    pub fn step(&self, state: &mut CampaignState, ask: &mut impl Ask) -> Asked<()> {
        if state.fight.is_some() {
            return self.fight(state, ask);
        }
        let first = self.initiative(state);
        match state.step {
            Step::Arrivals => {
                self.arrivals(state, ask);
                state.step = Step::Refit(first);
            }
            Step::Refit(side) => {
                self.refit(state, side, ask)?;
                state.step = if side == first { Step::Refit(first.other()) } else { Step::Orders };
            }
            Step::Orders => {
                self.orders(state, ask)?;
                state.step = Step::Raids(first);
            }
            Step::Raids(side) => {
                self.raid(state, side, ask);
                if state.fight.is_none() {
                    self.after_raid(state, side);
                }
            }
            Step::Battles(zone) => {
                self.battle(state, usize::from(zone), ask);
                if state.fight.is_none() {
                    self.after_battle(state, zone);
                }
            }
            Step::Points => {
                self.points(state, ask);
                state.over = state.turn == self.last_turn();
                // Delay and Recovery could change nothing any more after the last turn. [C-20]
                if state.over {
                    tell(ask, "turn", &[rule::C_20], || "The last turn is over.".into());
                }
                state.step = Step::Repairs(first);
            }
            Step::Repairs(side) => {
                self.repairs(state, side, ask)?;
                state.step = Step::Delay(side);
            }
            Step::Delay(side) => {
                self.delay(state, side, ask)?;
                state.step = if side == first { Step::Repairs(first.other()) } else { Step::Recovery };
            }
            Step::Recovery => {
                self.recovery(state, ask);
                state.turn += 1;
                state.step = Step::Arrivals;
            }
        }
        Ok(())
    }

    /// Step 1: what is due comes to its Port; no zone is contested. [turn-1]
    fn arrivals(&self, state: &mut CampaignState, ask: &mut impl Ask) {
        let turn = state.turn;
        tell(ask, "turn", &[rule::TURN_1, rule::C_16], || {
            let initiative = &self.names[self.initiative(state)];
            format!("Turn {turn}, {}. {initiative} has the initiative.", self.campaign.turns[usize::from(turn - 1)])
        });
        for zone in &mut state.zones {
            zone.contested = false;
        }
        state.attacked = BySide::default();
        for side in Side::BOTH {
            for at in 0..state.stations[side].len() {
                state.orders[side][at] = None;
                if matches!(state.stations[side][at], Station::Arriving(due) | Station::TurnTrack(due) if due == turn) {
                    state.stations[side][at] = Station::Port;
                    state.units[side][at].place = Place::Ready;
                    let sheet = &self.sheets[side][at];
                    let how = if state.units[side][at].damaged { ", damaged" } else { "" };
                    ask.note(|| {
                        let text = format!("{} comes to {}{how}.", sheet.name, self.campaign.factions[side].port);
                        Note::new("arrival", text).by(&[rule::TURN_1]).pieces([sheet.id]).detail()
                    });
                }
            }
        }
    }

    /// Step 2: damaged ships in Port may go to be repaired. [turn-2]
    fn refit(&self, state: &mut CampaignState, side: Side, ask: &mut impl Ask) -> Asked<()> {
        let choice = Refit(Command { campaign: self, state, side });
        if choice.ships().next().is_none() {
            return Ok(());
        }
        for at in choice.positions(&ask.decide(&choice)?) {
            state.stations[side][at] = Station::NavalWarfareDelayBox(Some(delay::Choice::Repair));
            self.tell_of(side, at, ask, "refit", &[rule::TURN_2, rule::C_14], |name| {
                format!("{name} goes to be repaired.")
            });
        }
        Ok(())
    }

    fn tell_of(
        &self,
        side: Side,
        at: usize,
        ask: &mut impl Ask,
        code: &'static str,
        rules: &[Rule],
        text: impl FnOnce(&str) -> String,
    ) {
        let sheet = &self.sheets[side][at];
        ask.note(|| Note::new(code, text(sheet.name.as_str())).by(rules).pieces([sheet.id]));
    }

    /// Steps 3 and 4: secret orders, which are then revealed. [turn-3, turn-4]
    fn orders(&self, state: &mut CampaignState, ask: &mut impl Ask) -> Asked<()> {
        let command = |side| Orders(Command { campaign: self, state, side });
        let asked: Vec<Orders<'_>> =
            Side::BOTH.into_iter().map(command).filter(|orders| orders.units().next().is_some()).collect();
        let given = if asked.is_empty() { Vec::new() } else { ask.in_secret(&asked)? };
        let goals: Vec<(Side, Vec<(usize, Goal)>)> =
            asked.iter().zip(&given).map(|(choice, given)| (choice.0.side, choice.goals(given))).collect();
        for side in Side::BOTH {
            for (order, station) in state.orders[side].iter_mut().zip(&state.stations[side]) {
                if *station == Station::Port {
                    *order = Some(Goal::Port);
                }
            }
        }
        for (side, goals) in goals {
            for (at, goal) in goals {
                state.orders[side][at] = Some(goal);
                state.stations[side][at] = match goal {
                    Goal::Port => Station::Port,
                    Goal::Zone(zone) => Station::Zone(zone),
                    Goal::Raid => Station::Raid,
                };
            }
        }
        for side in Side::BOTH {
            for goal in (0..self.campaign.zones.len() as u8).map(Goal::Zone).chain([Goal::Raid, Goal::Port]) {
                let there = ordered(state, side, goal);
                if there.is_empty() {
                    continue;
                }
                ask.note(|| {
                    let sheets = || there.iter().map(|&at| &self.sheets[side][at]);
                    let names: Vec<&str> = sheets().map(|sheet| sheet.name.as_str()).collect();
                    let text = format!("{}, {}: {}.", self.names[side], self.goal_words(side, goal), names.join(", "));
                    Note::new("orders", text).by(&[rule::TURN_4, rule::TURN_3]).pieces(sheets().map(|sheet| sheet.id))
                });
            }
        }
        Ok(())
    }

    pub fn goal_words(&self, side: Side, goal: Goal) -> String {
        match goal {
            Goal::Port => format!("in port at {}", self.campaign.factions[side].port),
            Goal::Zone(zone) => self.campaign.zones[usize::from(zone)].name.clone(),
            Goal::Raid => format!("raid on {}", self.campaign.factions[side.other()].port),
        }
    }

    /// Step 5: through the approach to the enemy's Port, unless a warship is there to stop it. [turn-5]
    fn raid(&self, state: &mut CampaignState, side: Side, ask: &mut impl Ask) {
        let raiders: Vec<usize> = self.at(state, side, Station::Raid).collect();
        if raiders.is_empty() {
            return;
        }
        let enemy = side.other();
        let target = &self.campaign.factions[enemy];
        let approach = target.port_approach as u8;
        let there = ordered(state, enemy, Goal::Zone(approach));
        if let Some(guard) = there.into_iter().find(|&at| self.sheets[enemy][at].kind.is_warship()) {
            tell(ask, "raid", &[rule::TURN_5], || {
                let (guard, zone) = (&self.sheets[enemy][guard].name, &self.campaign.zones[target.port_approach].name);
                format!("The raid on {} meets {guard} in {zone} and must fight there.", target.port)
            });
            for at in raiders {
                state.stations[side][at] = Station::Zone(approach);
            }
            return;
        }
        let in_port = ordered(state, enemy, Goal::Port);
        if in_port.is_empty() {
            let cited = [rule::TURN_5, rule::C_19];
            tell(ask, "raid", &cited, || format!("The raid finds {} empty.", target.port));
            return;
        }
        let surprised = !in_port.iter().any(|&at| self.sheets[enemy][at].kind == Kind::Lba);
        tell(ask, "raid", &[rule::TURN_5, rule::BASE_ATTACK], || {
            let how = if surprised {
                "There is no LBA in port: the first round is a surprise."
            } else {
                "An LBA is in port: no surprise."
            };
            format!("{} raids {}. {how}", self.names[side], target.port)
        });
        let mut present = BySide::default();
        present[side] = raiders;
        present[enemy] = in_port;
        let rounds = self.rules.base_attack.max_rounds;
        state.fight = Some(Fight::Raid(Raid::new(side, &state.units, &present, rounds, u8::from(surprised))));
    }

    fn after_raid(&self, state: &mut CampaignState, side: Side) {
        for station in state.stations[side].iter_mut().filter(|station| **station == Station::Raid) {
            *station = Station::Port;
        }
        state.step = if side == self.initiative(state) { Step::Raids(side.other()) } else { Step::Battles(0) };
    }

    /// Step 6: two sides in a zone fight; one alone takes it if it can hold it. [turn-6]
    fn battle(&self, state: &mut CampaignState, zone: usize, ask: &mut impl Ask) {
        let present = BySide::new_with(|side| self.at(state, side, Station::Zone(zone as u8)).collect::<Vec<_>>());
        let name = &self.campaign.zones[zone].name;
        let alone = match (present.first.is_empty(), present.second.is_empty()) {
            (true, true) => return,
            (false, false) => {
                let phasing = self.phasing(state, zone);
                tell(ask, "battle", &[rule::TURN_6], || {
                    format!("Battle in {name}; {} is the phasing faction.", self.names[phasing])
                });
                state.fight = Some(Fight::Battle(Battle::new(phasing, &state.units, &present)));
                return;
            }
            (false, true) => Side::First,
            (true, false) => Side::Second,
        };
        let who = &self.names[alone];
        if present[alone].iter().any(|&at| strength(self.counter(state, alone, at)) > 0) {
            state.zones[zone].control = Some(alone);
            tell(ask, "control", &[rule::TURN_6], || format!("{who} is alone in {name} and controls it."));
        } else {
            tell(ask, "control", &[rule::TURN_6, rule::C_11], || {
                format!("{who} is alone in {name}, but has nothing there that can hold it.")
            });
        }
        for &at in &present[alone] {
            self.deliver(state, alone, at, Through::Whole, ask);
        }
    }

    /// A convoy has come through, wholly or half of it. [turn-6-convoys]
    fn deliver(&self, state: &mut CampaignState, side: Side, at: usize, through: Through, ask: &mut impl Ask) {
        if self.sheets[side][at].kind != Kind::Convoy {
            return;
        }
        let whole = points::convoy(self.counter(state, side, at));
        let points = match through {
            Through::Whole => whole,
            Through::Half => whole / 2,
        };
        state.score[side].convoys += points;
        state.stations[side][at] = Station::Delivered;
        self.tell_of(side, at, ask, "convoy", &[rule::CONVOYS, rule::C_9], |name| {
            format!("{name} has come through: {points} points to {}.", self.names[side])
        });
    }

    fn fight(&self, state: &mut CampaignState, ask: &mut impl Ask) -> Asked<()> {
        let Some(mut fight) = state.fight.take() else { return Ok(()) };
        let ground = self.ground(state);
        let takes_effect = match &fight {
            Fight::Battle(battle) => battle.phase == battle::Phase::Results,
            Fight::Raid(raid) => raid.phase == raid::Phase::Damage,
        };
        let before = takes_effect.then(|| state.units.clone());
        let flow = fight.step(&ground, &mut state.units, ask)?;
        if let Some(before) = before {
            self.score_losses(state, &before, ask);
        }
        if flow == Flow::Continue {
            state.fight = Some(fight);
            return Ok(());
        }
        self.leave(state);
        match (fight, state.step) {
            (Fight::Battle(battle), Step::Battles(zone)) => {
                self.resolve(state, usize::from(zone), &battle, ask);
                self.after_battle(state, zone);
            }
            (Fight::Raid(raid), Step::Raids(side)) => {
                for &unit in &raid.attacked {
                    state.attacked[side.other()] |= 1 << unit;
                }
                self.after_raid(state, side);
            }
            // A fight belongs to its step.
            _ => {}
        }
        Ok(())
    }

    /// Losses score when they happen. [turn-7]
    fn score_losses(&self, state: &mut CampaignState, before: &Units, ask: &mut impl Ask) {
        for side in Side::BOTH {
            let enemy = side.other();
            for (at, was) in before[side].iter().enumerate() {
                let now = state.units[side][at];
                let sunk = was.place == Place::Ready && matches!(now.place, Place::Removed | Place::DelayBox);
                let points = step_loss(&self.sheets[side][at], was.damaged, sunk, now.damaged);
                if points > 0 {
                    state.score[enemy].losses += points;
                    self.tell_of(side, at, ask, "points", &[rule::TURN_7, rule::C_15], |name| {
                        format!("{name}: {points} points to {}.", self.names[enemy])
                    });
                }
            }
        }
    }

    /// Units that are no longer fit leave their station for a box.
    fn leave(&self, state: &mut CampaignState) {
        for side in Side::BOTH {
            for (station, unit) in state.stations[side].iter_mut().zip(&state.units[side]) {
                if matches!(station, Station::Port | Station::Zone(_) | Station::Raid) {
                    *station = match unit.place {
                        Place::Ready | Place::Absent => *station,
                        Place::NavalWarfareDelayBox => Station::NavalWarfareDelayBox(None),
                        Place::DelayBox => Station::DelayBox,
                        Place::Removed => Station::Removed,
                    };
                }
            }
        }
    }

    /// Who holds the zone after its battle, and what becomes of convoys. [turn-6, turn-6-convoys]
    fn resolve(&self, state: &mut CampaignState, zone: usize, battle: &Battle, ask: &mut impl Ask) {
        let holder = battle.outcome.and_then(|outcome| outcome.holder()).map(|role| role.side(battle.phasing));
        let name = &self.campaign.zones[zone].name;
        if let Some(side) = holder {
            state.zones[zone].control = holder;
            tell(ask, "control", &[rule::TURN_6], || format!("{} holds {name} and controls it.", self.names[side]));
        } else {
            state.zones[zone].contested = true;
            tell(ask, "control", &[rule::TURN_6, rule::C_20], || {
                format!("{name} is contested: control does not change, and neither side scores this turn.")
            });
        }
        for side in Side::BOTH {
            let retreated = battle.retreated == Some(Role::of(side, battle.phasing));
            for at in battle.line[side].iter().map(|fighter| usize::from(fighter.unit)) {
                match holder {
                    _ if retreated => state.stations[side][at] = Station::Port,
                    None => self.deliver(state, side, at, Through::Half, ask),
                    Some(holder) if holder == side => self.deliver(state, side, at, Through::Whole, ask),
                    Some(_) => {}
                }
            }
        }
    }

    fn after_battle(&self, state: &mut CampaignState, zone: u8) {
        let next = zone + 1;
        state.step = if usize::from(next) < self.campaign.zones.len() { Step::Battles(next) } else { Step::Points };
    }

    /// Step 7: zones that are controlled and not contested. [turn-7]
    fn points(&self, state: &mut CampaignState, ask: &mut impl Ask) {
        for (zone, now) in self.campaign.zones.iter().zip(&state.zones) {
            if let (Some(side), false) = (now.control, now.contested) {
                let points = zone.vp[side];
                state.score[side].zones += points;
                tell(ask, "points", &[rule::TURN_7], || {
                    format!("{}: {points} points to {}.", zone.name, self.names[side])
                });
            }
        }
    }

    /// Step 8: the owner decides for all damaged ships in the box before any die. [turn-8, C-14, C-20]
    fn repairs(&self, state: &mut CampaignState, side: Side, ask: &mut impl Ask) -> Asked<()> {
        let choice = Repairs(Command { campaign: self, state, side });
        if choice.ships().next().is_none() {
            return Ok(());
        }
        for (at, choice) in choice.positions(&ask.decide(&choice)?) {
            state.stations[side][at] = Station::NavalWarfareDelayBox(Some(choice));
            self.tell_of(side, at, ask, "repair", &[rule::TURN_8, rule::C_14, rule::C_20], |name| {
                format!("{name}: {}.", choice.title())
            });
        }
        Ok(())
    }

    /// Step 8: one die for each counter in either box, in the order of the data. [turn-8, C-13]
    fn delay(&self, state: &mut CampaignState, side: Side, ask: &mut impl Ask) -> Asked<()> {
        let faction = &self.campaign.factions[side];
        for at in 0..state.stations[side].len() {
            let choice = match state.stations[side][at] {
                Station::NavalWarfareDelayBox(choice) => choice,
                Station::DelayBox => None,
                _ => continue,
            };
            let sheet = &self.sheets[side][at];
            let waiting = Waiting { id: sheet.id, choice };
            let turn = i64::from(state.turn);
            let back = delay::roll(&self.rules, waiting, sheet.name.as_str(), turn, faction.delay_drm, ask)?;
            let due = u8::try_from(back.turn).unwrap_or(u8::MAX);
            // What is due after the last turn does not come back.
            state.stations[side][at] = if due > self.last_turn() { Station::Removed } else { Station::TurnTrack(due) };
            state.units[side][at] = UnitState { damaged: back.damaged, place: Place::Ready };
        }
        Ok(())
    }

    /// Step 9: all units go back to Port; a reduced LBA that was not attacked there is made good. [turn-9]
    fn recovery(&self, state: &mut CampaignState, ask: &mut impl Ask) {
        for side in Side::BOTH {
            for at in 0..state.stations[side].len() {
                let station = &mut state.stations[side][at];
                if matches!(station, Station::Zone(_) | Station::Raid) {
                    *station = Station::Port;
                }
                let rested = state.orders[side][at] == Some(Goal::Port) && state.attacked[side] & (1 << at) == 0;
                let lba = self.sheets[side][at].kind == Kind::Lba && *station == Station::Port;
                if lba && rested && state.units[side][at].damaged {
                    state.units[side][at].damaged = false;
                    self.tell_of(side, at, ask, "recovery", &[rule::TURN_9], |name| {
                        format!("{name} is at full strength again.")
                    });
                }
            }
        }
    }
}

fn ordered(state: &CampaignState, side: Side, goal: Goal) -> Vec<usize> {
    (0..state.orders[side].len()).filter(|&at| state.orders[side][at] == Some(goal)).collect()
}

#[derive(Clone, Copy)]
enum Through {
    Whole,
    Half,
}
