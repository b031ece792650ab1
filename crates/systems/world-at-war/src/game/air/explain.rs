//! The odds a player wants at the moment of choice, all of them exact. [5.2]

use super::AirGame;
use super::choices::{LossChoice, LossKind, Numbers, PlanChoice, ReserveChoice, StayOrLeave, Staying, slot_name};
use super::day::factors;
use super::forecast::{ALL_WAYS, Force, ONE, plus, strength};
use super::plans::{Slots, day_value};
use super::scene::points;
use super::state::{AirState, ByRole, Loss, Phase, Role};
use crate::air_defense;
use flagplot_kernel::{Decision, Insight, SeatQuestion};
use flagplot_odds::Fraction;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Millionths with one decimal.
pub(super) fn tenths(millionths: i64) -> String {
    let tenths = (millionths + millionths.signum() * ONE / 20) / (ONE / 10);
    let sign = if tenths < 0 { "−" } else { "" };
    format!("{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10)
}

fn percent(part: u64, all: u64) -> String {
    match part * 100 / all.max(1) {
        0 if part > 0 => "under 1%".to_owned(),
        whole => format!("{whole}%"),
    }
}

/// A raid foreseen round by round, if neither side withdraws.
struct Outlook {
    /// Mean losses of each round, in millionths of a factor: eliminated and aborted.
    rounds: Vec<ByRole<[i64; 2]>>,
    guns: [i64; 2],
    /// The ways in which so many points of bombs fall, out of their sum.
    bombs: BTreeMap<i64, u128>,
}

impl AirGame {
    fn outlook(&self, target: u8, forces: ByRole<Force>, rounds: u32) -> Outlook {
        let (mut now, mut all) = (BTreeMap::from([((forces.attacker, forces.defender), 1u128)]), 1u128);
        let mut means = Vec::new();
        let both = u128::from((ALL_WAYS * ALL_WAYS) as u64);
        for _ in 0..rounds {
            let fighting = |(attacker, defender): &(Force, Force)| strength(*attacker) > 0 && strength(*defender) > 0;
            if !now.keys().any(fighting) {
                break;
            }
            all *= both;
            let mut next: BTreeMap<(Force, Force), u128> = BTreeMap::new();
            let mut sums = ByRole::<[u128; 2]>::default();
            for (pair, weight) in &now {
                if !fighting(pair) {
                    *next.entry(*pair).or_default() += weight * both;
                    continue;
                }
                let left = self.kinds.round(&self.rules, ByRole { attacker: pair.0, defender: pair.1 });
                for role in Role::BOTH {
                    let start = strength(if role == Role::Attacker { pair.0 } else { pair.1 });
                    for &(force, gone, ways) in &left[role] {
                        let weight = weight * u128::from((ways * ALL_WAYS) as u64);
                        sums[role][0] += weight * u128::from(gone);
                        sums[role][1] += weight * u128::from(start - strength(force) - gone);
                    }
                }
                for &(attacker, _, ways) in &left.attacker {
                    for &(defender, _, others) in &left.defender {
                        *next.entry((attacker, defender)).or_default() += weight * u128::from((ways * others) as u64);
                    }
                }
            }
            means.push(ByRole::new_with(|role| sums[role].map(|sum| mean(sum, all))));
            now = next;
        }
        all *= ALL_WAYS as u128;
        let (mut guns, mut bombs) = ([0u128; 2], BTreeMap::new());
        for ((attacker, _), weight) in now {
            for (left, gone, ways) in self.kinds.barrage(target, attacker) {
                let weight = weight * ways as u128;
                guns[0] += weight * u128::from(gone);
                guns[1] += weight * u128::from(strength(attacker) - strength(left) - gone);
                *bombs.entry(self.target(target).bombs(strength(left))).or_default() += weight;
            }
        }
        Outlook { rounds: means, guns: guns.map(|sum| mean(sum, all)), bombs }
    }

    fn raid_insight(&self, target: u8, forces: ByRole<Force>, rounds: u32) -> Insight {
        let place = self.target(target);
        let [attackers, defenders] = Role::BOTH.map(|role| strength(forces[role]));
        let outlook = self.outlook(target, forces, rounds);
        let title = match defenders {
            0 => format!("{}: {attackers} attack, none defend", place.name),
            _ => format!("{}: {attackers} attack, {defenders} defend, neither side withdraws", place.name),
        };
        let mut insight = Insight::exact(title);
        for (round, losses) in outlook.rounds.iter().enumerate() {
            let side = |role: Role| {
                let [gone, back] = losses[role].map(tenths);
                format!("the {} lose {gone} and {back} turn back", self.whose(role))
            };
            let (attacker, defender) = (side(Role::Attacker), side(Role::Defender));
            insight = insight.line(format!("Round {}, on average: {attacker}; {defender}.", round + 1));
        }
        let level = air_defense::level(&place.defenses, 0, &self.rules.naval).level();
        if level > 0 {
            let [gone, back] = outlook.guns.map(tenths);
            insight = insight.line(format!("Guns of level {level}: {gone} eliminated, {back} turned back."));
        }
        let all: u128 = outlook.bombs.values().sum();
        let sum: i128 = outlook.bombs.iter().map(|(&points, &ways)| i128::from(points) * ways as i128).sum();
        let average = i64::try_from(sum * i128::from(ONE) / all.max(1) as i128).unwrap_or(0);
        insight = insight.line(format!("Bombs bring {} points on average.", tenths(average)));
        for (bombs, ways) in &outlook.bombs {
            insight = insight.chance(format!("bombs for {}", points(*bombs)), Fraction::new(*ways, all).to_string());
        }
        insight
    }

    pub(super) fn insights(&self, state: &AirState, question: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
        let role = self.role(question.seat.side());
        match (question.prompt.code, state.phase) {
            ("attack-plan" | "defense-plan", Phase::Plans) => {
                let choice = PlanChoice { game: self, state, role };
                let given = value.and_then(|value| Numbers::deserialize(value).ok());
                match given.filter(|plan| choice.check(plan).is_ok()) {
                    Some(plan) => self.plan_insights(&choice, &plan.checked(choice.keys())),
                    None => self.day_insights(&choice),
                }
            }
            ("reserve", Phase::Reserve) => self.reserve_insights(state, value),
            ("losses", Phase::Losses { target, guns, .. }) => {
                let kind = if state.due[role].eliminated > 0 { LossKind::Eliminated } else { LossKind::Aborted };
                let choice = LossChoice { game: self, state, role, kind, target, guns };
                self.loss_insights(&choice, value)
            }
            ("stay", Phase::Stay { target, round, role }) => {
                self.stay_insights(&Staying { game: self, state, role, target, round }, value)
            }
            _ => Vec::new(),
        }
    }

    /// How often a sensible player flies each plan, and what the day is worth.
    fn day_insights(&self, choice: &PlanChoice<'_>) -> Vec<Insight> {
        let weighed = choice.weighed();
        let all: u64 = weighed.iter().map(|(_, share)| share).sum();
        let mut flown: Vec<(&Numbers<'_>, u64)> =
            weighed.iter().filter(|(_, share)| *share > 0).map(|(plan, share)| (plan, *share)).collect();
        flown.sort_by_key(|(_, share)| std::cmp::Reverse(*share));
        let title = if flown.len() == 1 { "The plan to fly" } else { "Plans to draw from: the same every day loses" };
        let basis = "exact for today, estimated for later days".into();
        let mut insight = Insight { basis, ..Insight::exact(title) };
        for (plan, share) in flown {
            if let Numbers::Placed { numbers, .. } = plan {
                insight = insight.line(format!("{}: {}.", percent(share, all), choice.words(numbers)));
            }
        }
        let value = self.worked_out(self.ready(choice.state), 0, None).value;
        let attacker = self.whose(Role::Attacker);
        vec![insight.line(format!(
            "With the best plans of both, a day like this is worth {} to the {attacker}.",
            tenths(value)
        ))]
    }

    /// What a plan scores against the plans of the other side, and its raids round by round.
    fn plan_insights(&self, choice: &PlanChoice<'_>, numbers: &[u16]) -> Vec<Insight> {
        let (state, role) = (choice.state, choice.role);
        let slots = self.slots(role);
        let own: Slots =
            (0..slots).map(|slot| self.kinds.force(role, numbers.iter().skip(slot).step_by(slots).copied())).collect();
        let plans = choice.plans();
        let theirs = &plans.plans[role.other()];
        let mut forecast = self.forecast(0);
        let scores: Vec<i64> = theirs
            .iter()
            .map(|other| match role {
                Role::Attacker => day_value(&mut forecast, &own, other).0,
                Role::Defender => day_value(&mut forecast, other, &own).0,
            })
            .collect();
        let shares = &plans.shares[role.other()];
        let all = i128::from(shares.iter().sum::<u64>().max(1));
        let sum: i128 = scores.iter().zip(shares).map(|(&score, &share)| i128::from(score) * i128::from(share)).sum();
        let attacker = self.whose(Role::Attacker);
        let mut summary = Insight::exact("What this plan brings today")
            .line("Both sides then send the reserve and withdraw for the points of the day.")
            .line(format!(
                "Against the enemy's suggested plans the {attacker} score {} on average.",
                tenths(i64::try_from(sum / all).unwrap_or(0))
            ));
        let worst = match role {
            Role::Attacker => scores.iter().enumerate().min_by_key(|(_, score)| **score),
            Role::Defender => scores.iter().enumerate().max_by_key(|(_, score)| **score),
        };
        if let Some((at, &score)) = worst {
            let rival = PlanChoice { game: self, state, role: role.other() };
            let plan = rival.words(&self.by_group(state, role.other(), &theirs[at]));
            summary =
                summary.line(format!("At worst the {attacker} score {} on average, against: {plan}.", tenths(score)));
        }
        let mut insights = vec![summary];
        for target in 0..self.targets().len() {
            let mine = own[target];
            // The enemy that stays away, the one most likely to come and the largest.
            let mut cases: Vec<Force> = Vec::new();
            let likely = theirs.iter().zip(shares).max_by_key(|(_, share)| **share).map(|(plan, _)| plan[target]);
            let largest = theirs.iter().map(|plan| plan[target]).max_by_key(|force| strength(*force));
            let none = (role == Role::Attacker).then(Force::default);
            for case in [none, likely, largest].into_iter().flatten() {
                if !cases.contains(&case) && (role == Role::Attacker || strength(case) > 0) {
                    cases.push(case);
                }
            }
            if strength(mine) == 0 {
                continue;
            }
            for other in cases {
                let forces = match role {
                    Role::Attacker => ByRole { attacker: mine, defender: other },
                    Role::Defender => ByRole { attacker: other, defender: mine },
                };
                insights.push(self.raid_insight(target as u8, forces, self.scenario.rounds));
            }
        }
        insights
    }

    /// What each place for the reserve makes of the day, and the raid it would join.
    fn reserve_insights(&self, state: &AirState, value: Option<&Value>) -> Vec<Insight> {
        let choice = ReserveChoice { game: self, state };
        let attacker = self.whose(Role::Attacker);
        let mut insight = Insight::exact("The rest of the day for each place of the reserve")
            .line("This counts today's points and what lost factors would score later.");
        for (target, worth) in self.reserve_values(state) {
            let place = target.map_or("at home", |target| slot_name(self, target.into()));
            insight = insight.line(format!("{place}: {} for the {attacker}.", tenths(worth)));
        }
        let mut insights = vec![insight];
        let looked_at = value.and_then(Value::as_str).and_then(|answer| choice.target(answer));
        let reserve = self.reserve_force(state);
        for target in choice.open().into_iter().filter(|target| looked_at.is_none_or(|at| at == *target)) {
            let forces = self.forces(state, target);
            let met = ByRole { defender: plus(forces.defender, reserve), ..forces };
            insights.push(self.raid_insight(target, met, self.scenario.rounds));
        }
        insights
    }

    fn loss_insights(&self, choice: &LossChoice<'_>, value: Option<&Value>) -> Vec<Insight> {
        let given = value.and_then(|value| Numbers::deserialize(value).ok());
        let answer = given.filter(|answer| choice.check(answer).is_ok()).unwrap_or_else(|| choice.sensible());
        let numbers = answer.checked(choice.keys());
        let (state, role, target) = (choice.state, choice.role, choice.target);
        let title = if value.is_some() { "After these losses" } else { "After the suggested losses" };
        let mut insight = Insight::exact(title);
        for (at, group) in self.groups[role].iter().enumerate() {
            let left = self.over(state, role, at, target) - numbers[at];
            insight = insight.line(format!("{} has {} left over the target.", group.name, factors(left.into())));
        }
        let mut after = state.clone();
        let due: Loss = after.due[role];
        for (at, &number) in numbers.iter().enumerate() {
            after.wings[role].over[at * self.targets().len() + usize::from(target)] -= number;
        }
        let drm = crate::nation::majority(
            self.force(&after, role, target)
                .iter()
                .filter(|group| group.count > 0)
                .map(|group| (group.drm::<i32>(&self.rules.nations), group.count)),
        );
        insight = insight.line(format!("The modifier of the force is then {drm:+}."));
        if choice.kind == LossKind::Eliminated && due.aborted > 0 {
            insight = insight.line(format!("{} turn back after that.", factors(due.aborted.into())));
        }
        vec![insight]
    }

    /// What leaving and staying are worth, and the next rounds.
    fn stay_insights(&self, choice: &Staying<'_>, value: Option<&Value>) -> Vec<Insight> {
        let [stays, leaves] = choice.values();
        let attacker = self.whose(Role::Attacker);
        let about = |answer: StayOrLeave| value.is_none_or(|value| *value == json!(answer));
        let mut insights = Vec::new();
        if about(StayOrLeave::Continue) {
            insights.push(
                Insight::exact("If you fight on")
                    .line(format!("The rest of this raid is worth {} to the {attacker}.", tenths(stays)))
                    .line("This counts today's points and what lost factors would score later."),
            );
            let rounds = self.scenario.rounds + 1 - u32::from(choice.round);
            insights.push(self.raid_insight(choice.target, self.forces(choice.state, choice.target), rounds));
        }
        if about(StayOrLeave::Withdraw) {
            let what = match choice.role {
                Role::Attacker => "Your attackers fly home: no bombs, no further losses.".to_owned(),
                Role::Defender => "The attackers get through to the guns, and you lose nothing more here.".to_owned(),
            };
            insights.push(
                Insight::exact("If you withdraw")
                    .line(what)
                    .line(format!("The rest of this raid is worth {} to the {attacker}.", tenths(leaves))),
            );
        }
        insights
    }
}

fn mean(sum: u128, all: u128) -> i64 {
    i64::try_from(sum * ONE as u128 / all).unwrap_or(0)
}
