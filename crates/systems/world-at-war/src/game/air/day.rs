//! A day of an air battle, phase by phase. [5.2]

use super::choices::{LossChoice, LossKind, PlanChoice, ReserveChoice, StayOrLeave, Staying};
use super::state::{AirState, ByRole, Loss, Phase, Raid, Role};
use super::{AirGame, Group, setting};
use crate::air;
use crate::air::AirType;
use crate::air_defense;
use crate::charts::Toll;
use crate::game::victory::SIDES;
use crate::messages::counted;
use crate::rule;
use crate::scenarios::Mission;
use flagplot_kernel::{Ask, Asked, Effect, Note};

pub(crate) fn factors(number: u32) -> String {
    counted(number, "factor")
}

impl AirGame {
    pub(super) fn proceed(&self, state: &mut AirState, ask: &mut impl Ask) -> Asked<()> {
        match state.phase {
            Phase::Dawn => self.dawn(state, ask),
            Phase::Plans => self.plans(state, ask)?,
            Phase::Reserve => self.reserve(state, ask)?,
            Phase::Fight { target, round } => self.fight(state, target, round, ask)?,
            Phase::Losses { target, round, guns } => {
                if let Some((role, kind)) = self.next_due(state) {
                    let choice = LossChoice { game: self, state, role, kind, target, guns };
                    let numbers = ask.decide(&choice)?.checked(choice.keys());
                    self.take(state, role, kind, target, &numbers, ask);
                }
                self.settle(state, target, round, guns, ask);
            }
            Phase::Stay { target, round, role } => self.stay(state, target, round, role, ask)?,
            Phase::Guns { target } => self.guns(state, target, ask)?,
            Phase::Over => {}
        }
        Ok(())
    }

    pub(super) fn whose(&self, role: Role) -> &'static str {
        SIDES[self.side(role)]
    }

    /// The replacements of the day join the first group of each side.
    fn dawn(&self, state: &mut AirState, ask: &mut impl Ask) {
        let day = usize::from(state.day);
        ask.note(|| {
            let text = format!("Day {day} of {}.", self.scenario.days);
            Note::new("day", text).by(&[rule::AIR_DAY, rule::C_17]).outcome(state.day)
        });
        for role in Role::BOTH {
            let replacements = match role {
                Role::Attacker => &self.scenario.attacker_replacements,
                Role::Defender => &self.scenario.defender_replacements,
            };
            let more = replacements.get(day - 1).copied().unwrap_or(0);
            let wing = &mut state.wings[role];
            wing.ready[0] += more as u16;
            wing.plan.clear();
            wing.over.clear();
            if more > 0 {
                ask.note(|| {
                    let Group { id, name, .. } = &self.groups[role][0];
                    let text = format!("{name} receives {} as replacements.", factors(more));
                    Note::new("replacements", text).by(&[rule::AIR_DAY]).pieces([id])
                });
            }
        }
        state.raids.fill(Raid::default());
        state.reserve_to = None;
        state.phase = Phase::Plans;
    }

    /// Both sides plan at once; the plans are open from here on.
    fn plans(&self, state: &mut AirState, ask: &mut impl Ask) -> Asked<()> {
        // A side without a factor has nothing to plan.
        let able = Role::BOTH.into_iter().filter(|&role| state.wings[role].strength() > 0);
        let choices: Vec<PlanChoice<'_>> = able.map(|role| PlanChoice { game: self, state, role }).collect();
        let answers = ask.in_secret(&choices)?.into_iter();
        let mut plans = ByRole::new_with(|role| vec![0; self.keys[role].len()]);
        for (choice, plan) in choices.iter().zip(answers) {
            plans[choice.role] = plan.checked(choice.keys());
        }
        for role in Role::BOTH {
            let wing = &mut state.wings[role];
            let (slots, targets) = (self.slots(role), self.targets().len());
            wing.plan = std::mem::take(&mut plans[role]);
            wing.over = wing.plan.chunks(slots).flat_map(|group| group[..targets].iter().copied()).collect();
            ask.note(|| {
                let sent: Vec<String> = (0..slots)
                    .map(|slot| (slot, self.planned(state, role, slot)))
                    .filter(|(_, number)| *number > 0)
                    .map(|(slot, number)| match self.targets().get(slot) {
                        Some(target) => format!("{number} to {}", target.name),
                        None => format!("{number} in reserve"),
                    })
                    .collect();
                let whose = self.whose(role);
                let text = match sent.is_empty() {
                    true => format!("The {whose} stay at home."),
                    false => format!("The {whose} send {}.", sent.join(", ")),
                };
                let bounds = if role == Role::Attacker { "attack-plan" } else { "defense-plan" };
                Note::new(bounds, text).by(&[rule::AIR_DAY, rule::C_22])
            });
        }
        let attacked = (0..self.targets().len() as u8).any(|target| self.present(state, Role::Attacker, target) > 0);
        if attacked && self.in_reserve(state) > 0 {
            state.phase = Phase::Reserve;
        } else {
            self.next_target(state, 0, ask);
        }
        Ok(())
    }

    /// Factors of the defender's plan in reserve.
    pub(super) fn in_reserve(&self, state: &AirState) -> u32 {
        self.planned(state, Role::Defender, self.targets().len())
    }

    /// The defender commits the whole reserve to one target, or keeps it at home.
    fn reserve(&self, state: &mut AirState, ask: &mut impl Ask) -> Asked<()> {
        let choice = ReserveChoice { game: self, state };
        let target = choice.target(&ask.decide(&choice)?);
        let number = self.in_reserve(state);
        if let Some(target) = target {
            self.commit_reserve(state, target);
        }
        ask.note(|| {
            let (whose, number) = (self.whose(Role::Defender), factors(number));
            let text = match target {
                Some(target) => format!("The {whose} send the reserve of {number} to {}.", self.target(target).name),
                None => format!("The {whose} keep the reserve of {number} at home."),
            };
            Note::new("reserve", text).by(&[rule::AIR_DAY, rule::C_22])
        });
        self.next_target(state, 0, ask);
        Ok(())
    }

    pub(super) fn commit_reserve(&self, state: &mut AirState, target: u8) {
        let (slots, targets) = (self.slots(Role::Defender), self.targets().len());
        let wing = &mut state.wings.defender;
        for group in 0..self.groups.defender.len() {
            wing.over[group * targets + usize::from(target)] += wing.plan[group * slots + targets];
        }
        state.reserve_to = Some(target);
    }

    /// Goes to the next target that is attacked; a target without attackers is skipped.
    fn next_target(&self, state: &mut AirState, from: u8, ask: &mut impl Ask) {
        let count = self.targets().len() as u8;
        let Some(target) = (from..count).find(|&target| self.present(state, Role::Attacker, target) > 0) else {
            return self.dusk(state, ask);
        };
        state.phase = match self.present(state, Role::Defender, target) {
            0 => Phase::Guns { target },
            _ => Phase::Fight { target, round: 1 },
        };
    }

    /// A round of air combat: both roll, and the losses are due together.
    fn fight(&self, state: &mut AirState, target: u8, round: u8, ask: &mut impl Ask) -> Asked<()> {
        let (attackers, defenders) =
            (self.force(state, Role::Attacker, target), self.force(state, Role::Defender, target));
        let (attacking, defending) = (air::strength(&attackers), air::strength(&defenders));
        ask.note(|| {
            let place = &self.target(target).name;
            let text = format!("{place}, round {round}: {attacking} attacking against {defending} defending.");
            let [attackers, defenders] = Role::BOTH.map(|role| self.pieces_of(state, role, target));
            Note::new("air-round", text).by(&[rule::AIR_DAY, rule::C_2]).pieces(attackers).on(defenders)
        });
        let setting = setting(&self.scenario);
        let clash = air::clash(&self.rules, &attackers, &defenders, setting, ask)?;
        state.due.attacker = air::owed(&clash.defender, attacking, true, "attacker", ask).into();
        state.due.defender = air::owed(&clash.attacker, defending, setting.role.aborts(), "defender", ask).into();
        let raid = &mut state.raids[usize::from(target)];
        raid.rounds += 1;
        for role in Role::BOTH {
            raid.lost[role] += state.due[role];
        }
        self.settle(state, target, round, false, ask);
        Ok(())
    }

    /// How many factors of a group over a target can be lost in this way. Guns do not abort kamikazes.
    pub(super) fn able(
        &self,
        state: &AirState,
        role: Role,
        kind: LossKind,
        group: usize,
        target: u8,
        guns: bool,
    ) -> u16 {
        let stays = guns && kind == LossKind::Aborted && self.groups[role][group].unit.kind == AirType::Kamikaze;
        if stays { 0 } else { self.over(state, role, group, target) }
    }

    /// The next losses to be taken: the attacker's before the defender's, eliminations first.
    fn next_due(&self, state: &AirState) -> Option<(Role, LossKind)> {
        let all = Role::BOTH.into_iter().flat_map(|role| LossKind::BOTH.map(|kind| (role, kind)));
        all.into_iter().find(|&(role, kind)| kind.of(state.due[role]) > 0)
    }

    /// Whether it matters which groups take losses. Groups of one nation and type are all the same, and so is losing
    /// everything. [C-29]
    fn matters(&self, state: &AirState, role: Role, kind: LossKind, target: u8, guns: bool) -> bool {
        let groups = self.groups[role].iter().enumerate();
        let able = groups.map(|(at, group)| (self.able(state, role, kind, at, target, guns), group.unit));
        let able: Vec<_> = able.filter(|(factors, _)| *factors > 0).collect();
        able.iter().any(|(_, unit)| *unit != able[0].1)
            && kind.of(state.due[role]) < able.iter().map(|(factors, _)| factors).sum()
    }

    /// Takes every loss that leaves no choice, up to the first that does; then the round or the barrage is over.
    fn settle(&self, state: &mut AirState, target: u8, round: u8, guns: bool, ask: &mut impl Ask) {
        while let Some((role, kind)) = self.next_due(state) {
            if self.matters(state, role, kind, target, guns) {
                state.phase = Phase::Losses { target, round, guns };
                return;
            }
            let mut left = kind.of(state.due[role]);
            let groups = 0..self.groups[role].len();
            let numbers: Vec<u16> = groups
                .map(|group| {
                    let taken = self.able(state, role, kind, group, target, guns).min(left);
                    left -= taken;
                    taken
                })
                .collect();
            self.take(state, role, kind, target, &numbers, ask);
        }
        if guns { self.bomb(state, target, ask) } else { self.after_round(state, target, round, ask) }
    }

    /// The groups lose what their owner says.
    fn take(&self, state: &mut AirState, role: Role, kind: LossKind, target: u8, numbers: &[u16], ask: &mut impl Ask) {
        let targets = self.targets().len();
        let wing = &mut state.wings[role];
        for (group, &number) in numbers.iter().enumerate().filter(|(_, number)| **number > 0) {
            wing.over[group * targets + usize::from(target)] -= number;
            if kind == LossKind::Eliminated {
                wing.ready[group] -= number;
                wing.eliminated[group] += number;
            }
            ask.note(|| {
                let Group { id, name, .. } = &self.groups[role][group];
                let what = if kind == LossKind::Eliminated { "loses" } else { "turns back with" };
                let text = format!("{name} {what} {}.", factors(number.into()));
                let piece = super::key(id, &self.target(target).id);
                Note::new("group-losses", text)
                    .detail()
                    .by(&[rule::AIR_DAY, rule::C_29])
                    .pieces([id.clone(), piece])
                    .effect(Effect::Hit)
            });
        }
        let due = &mut state.due[role];
        match kind {
            LossKind::Eliminated => due.eliminated = 0,
            LossKind::Aborted => due.aborted = 0,
        }
    }

    fn after_round(&self, state: &mut AirState, target: u8, round: u8, ask: &mut impl Ask) {
        let [attackers, defenders] = Role::BOTH.map(|role| self.present(state, role, target));
        let more = u32::from(round) < self.scenario.rounds && self.scenario.mission == Mission::Counterair;
        if attackers == 0 {
            self.close(state, target, ask);
        } else if defenders > 0 && more {
            state.phase = Phase::Stay { target, round: round + 1, role: Role::Attacker };
        } else {
            state.phase = Phase::Guns { target };
        }
    }

    /// The attacker goes on or withdraws; then the defender.
    fn stay(&self, state: &mut AirState, target: u8, round: u8, role: Role, ask: &mut impl Ask) -> Asked<()> {
        let staying = ask.decide(&Staying { game: self, state, role, target, round })?;
        if staying == StayOrLeave::Withdraw {
            self.leave(state, role, target);
            ask.note(|| {
                let text = format!("The {} withdraw from {}.", self.whose(role), self.target(target).name);
                Note::new("withdraw", text).by(&[rule::AIR_DAY])
            });
        }
        match (staying, role) {
            (StayOrLeave::Withdraw, Role::Attacker) => self.next_target(state, target + 1, ask),
            (StayOrLeave::Withdraw, Role::Defender) => state.phase = Phase::Guns { target },
            (StayOrLeave::Continue, Role::Attacker) => {
                state.phase = Phase::Stay { target, round, role: Role::Defender };
            }
            (StayOrLeave::Continue, Role::Defender) => state.phase = Phase::Fight { target, round },
        }
        Ok(())
    }

    /// A side leaves a target and is out for the day.
    fn leave(&self, state: &mut AirState, role: Role, target: u8) {
        self.go_home(state, role, target);
        state.raids[usize::from(target)].withdrew = Some(role);
    }

    fn go_home(&self, state: &mut AirState, role: Role, target: u8) {
        for group in 0..self.groups[role].len() {
            state.wings[role].over[group * self.targets().len() + usize::from(target)] = 0;
        }
    }

    /// The guns of the target fire at the attackers that are left.
    fn guns(&self, state: &mut AirState, target: u8, ask: &mut impl Ask) -> Asked<()> {
        let force = self.force(state, Role::Attacker, target);
        let attackers = air::strength(&force);
        ask.note(|| {
            let text = format!("{} reach {}.", factors(attackers), self.target(target).name);
            Note::new("at-the-target", text).by(&[rule::AIR_DAY]).on(self.pieces_of(state, Role::Attacker, target))
        });
        let (_, barrage) = air_defense::guns(&self.rules, &self.target(target).defenses, 0, ask)?;
        let table = barrage.map_or(Toll::default(), |barrage| barrage.reading.sum);
        let suicidal = force.iter().any(|group| group.kind == AirType::Kamikaze && group.count > 0);
        let toll = air::lose(&mut force.clone(), table, |group| group.kind != AirType::Kamikaze);
        air_defense::note_losses(toll, attackers - toll.eliminated - toll.aborted, suicidal, ask);
        let due = Loss::from(toll);
        state.due.attacker = due;
        state.raids[usize::from(target)].lost.attacker += due;
        self.settle(state, target, 0, true, ask);
        Ok(())
    }

    /// Every attacker that is left bombs; those beyond the capacity of the target count nothing. [C-17]
    fn bomb(&self, state: &mut AirState, target: u8, ask: &mut impl Ask) {
        let left = self.present(state, Role::Attacker, target);
        let place = self.target(target);
        let counted = left.min(place.capacity);
        let points = place.bombs(left);
        state.bombing += points;
        state.raids[usize::from(target)].bombed = Some(counted as u16);
        ask.note(|| {
            let text = match left {
                0 => format!("No bombs fall on {}.", place.name),
                _ if left > counted => {
                    format!("{} bomb {}; {counted} count, for {points} points.", factors(left), place.name)
                }
                _ => format!("{} bomb {} for {points} points.", factors(left), place.name),
            };
            Note::new("bombing", text).by(&[rule::AIR_DAY, rule::C_17]).outcome(points)
        });
        self.close(state, target, ask);
    }

    /// Everyone over a target flies home.
    fn close(&self, state: &mut AirState, target: u8, ask: &mut impl Ask) {
        for role in Role::BOTH {
            self.go_home(state, role, target);
        }
        self.next_target(state, target + 1, ask);
    }

    /// The day ends, and with the last day, or the last attacker, the battle.
    fn dusk(&self, state: &mut AirState, ask: &mut impl Ask) {
        for role in Role::BOTH {
            state.wings[role].over.fill(0);
        }
        let score = self.score(state);
        ask.note(|| {
            let text = format!("The day ends with a score of {score}.");
            Note::new("end-of-day", text).by(&[rule::AIR_DAY]).outcome(score)
        });
        if self.days_left(state) == 0 || state.wings.attacker.strength() == 0 {
            state.phase = Phase::Over;
        } else {
            state.day += 1;
            state.phase = Phase::Dawn;
        }
    }
}
