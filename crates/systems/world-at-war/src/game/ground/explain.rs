//! What a player may want to know before a decision, all of it exact. [12, "What the odds tool should answer"]

use super::GroundGame;
use super::choices::Order;
use super::plan;
use super::state::{Attack, GroundState, Phase, StruggleStage};
use crate::air::{AirCombat, AirGroup};
use crate::air_battle::{AirBattle, AirBattlePlan, AirOutcome, Follow};
use crate::assault::{Assault, AssaultOutcome, AssaultState, Keep, LossOrders};
use crate::charts::OddsColumn;
use crate::ground::{AttackArm, DefenseArm, Forces};
use crate::messages::counted;
use flagplot_kernel::{Insight, SeatQuestion};
use flagplot_odds::{Budget, Dist, Exact, Fraction, OddsError, distribution};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(super) fn explain(
    game: &GroundGame,
    state: &GroundState,
    question: &SeatQuestion,
    value: Option<&Value>,
) -> Vec<Insight> {
    let order = given::<Order>(value);
    let insights = match (question.prompt.code, state.phase) {
        ("option", _) => Ok(game.attrition_column(state)),
        ("movement", _) => Ok(game.after_move(state, order)),
        ("declare", _) => game.declared(state, order),
        ("das", _) => game.with_das(state),
        ("intercept", _) | ("air-continue", Phase::AirCombat(_)) => game.in_the_air(state, question),
        ("go-on", Phase::Fight(fight)) => {
            game.plans("If you fight on", &game.forces(state, &fight.attack), u32::from(fight.rounds))
        }
        ("resolve", _) => game.attacks_to_come(state),
        ("losses", Phase::Fight(fight)) => game.losses_weighed(state, &fight, given(value)),
        ("counters" | "take-hex" | "retreat", Phase::Attrition(now)) => Ok(match now.next {
            StruggleStage::Counters(count) => game.counters_weighed(state, &now, count, given(value)),
            StruggleStage::Hex => game.hexes_weighed(state, &now, given(value)),
            StruggleStage::Retreat(hex) => game.retreats_weighed(state, hex, given(value)),
            _ => Vec::new(),
        }),
        _ => Ok(Vec::new()),
    };
    insights.unwrap_or_else(|error| vec![Insight::with_basis("No odds", error.to_string())])
}

/// What a player looks at; nothing if it cannot be read.
fn given<T: DeserializeOwned>(value: Option<&Value>) -> Option<T> {
    value.and_then(|value| serde_json::from_value(value.clone()).ok())
}

/// How an assault goes if it is pressed on in one way and both sides give up what costs them least.
pub(super) struct Pressed {
    ends: Dist<AssaultState>,
    start: Forces,
}

fn decimal(fraction: &Fraction) -> String {
    let tenths: u128 = ((fraction.numerator() * 20u8 / fraction.denominator() + 1u8) / 2u8).try_into().unwrap_or(0);
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn percent(fraction: &Fraction) -> String {
    let tenths: u128 = ((fraction.numerator() * 2000u16 / fraction.denominator() + 1u8) / 2u8).try_into().unwrap_or(0);
    format!("{}.{}%", tenths / 10, tenths % 10)
}

impl Pressed {
    fn chance(&self, of: impl Fn(AssaultOutcome) -> bool) -> Fraction {
        self.ends.chance_of(|state| state.outcome.is_some_and(&of))
    }

    fn taken(&self) -> Fraction {
        self.chance(|outcome| outcome == AssaultOutcome::DefenderEliminated)
    }

    /// The attacker's expected losses in counters and air factors, then the defender's.
    fn losses(&self) -> [Fraction; 4] {
        let attackers = |state: &AssaultState, arm: AttackArm| {
            let pairs =
                self.start.attackers.iter().zip(&state.forces.attackers).filter(move |(unit, _)| unit.arm == arm);
            pairs.map(|(was, is)| (was.factors, is.factors)).collect::<Vec<_>>()
        };
        let defenders = |state: &AssaultState, arm: DefenseArm| {
            let pairs =
                self.start.defenders.iter().zip(&state.forces.defenders).filter(move |(unit, _)| unit.arm == arm);
            pairs.map(|(was, is)| (was.factors, is.factors)).collect::<Vec<_>>()
        };
        let counters = |pairs: Vec<(u32, u32)>| pairs.iter().filter(|(was, is)| *was > 0 && *is == 0).count() as u64;
        let factors = |pairs: Vec<(u32, u32)>| pairs.iter().map(|(was, is)| u64::from(was - is)).sum::<u64>();
        [
            self.ends.expect(|state| counters(attackers(state, AttackArm::Ground))),
            self.ends.expect(|state| factors(attackers(state, AttackArm::Air))),
            self.ends.expect(|state| counters(defenders(state, DefenseArm::Ground))),
            self.ends.expect(|state| factors(defenders(state, DefenseArm::Air))),
        ]
    }

    pub(super) fn told(&self) -> String {
        let [own, air, enemy, das] = self.losses();
        let lost = |counters: &Fraction, air: &Fraction| match *air == Fraction::zero() {
            true => format!("{} counters", decimal(counters)),
            false => format!("{} counters and {} air factors", decimal(counters), decimal(air)),
        };
        let (taken, own, enemy) = (percent(&self.taken()), lost(&own, &air), lost(&enemy, &das));
        format!("the hex falls in {taken} of cases; you lose {own}, the enemy {enemy} on average")
    }

    /// The same as the defender sees it.
    pub(super) fn told_to_defender(&self) -> String {
        let [own, _, enemy, _] = self.losses();
        let (taken, own, enemy) = (percent(&self.taken()), decimal(&enemy), decimal(&own));
        format!("the hex falls in {taken} of cases; you lose {own} counters, the enemy {enemy} on average")
    }
}

impl GroundGame {
    /// The exact odds of an assault that has been fought for some rounds.
    pub(super) fn press(
        &self,
        forces: &Forces,
        rounds: u32,
        break_off_below: Option<OddsColumn>,
        max_rounds: u32,
    ) -> Result<Pressed, OddsError> {
        let assault = Assault {
            charts: &self.rules.charts,
            orders: &LossOrders::Cheapest,
            break_off_below,
            max_rounds,
            keep: Keep::Nothing,
        };
        let start = AssaultState { rounds, ..AssaultState::new(forces.clone()) };
        let ends = distribution::<_, Exact>(&assault, Dist::certain(start), Budget::default())?;
        Ok(Pressed { ends, start: forces.clone() })
    }

    /// An assault by every plan: to the end, with a limit of odds, for one round.
    fn plans(&self, title: &str, forces: &Forces, rounds: u32) -> Result<Vec<Insight>, OddsError> {
        let strengths = forces.strengths();
        let head = format!("{title}: {} against {}, {}", strengths.attack, strengths.defense, strengths.ratio());
        let whole = self.press(forces, rounds, None, u32::MAX)?;
        let ends = [
            ("The hex falls", AssaultOutcome::DefenderEliminated),
            ("Your units are gone", AssaultOutcome::AttackerEliminated),
            ("Both sides are gone", AssaultOutcome::BothEliminated),
            ("The odds fall below 1:4", AssaultOutcome::OddsTooLow),
        ];
        let mut outcome = Insight::exact(format!("{head}, pressed to the end"));
        for (label, end) in ends {
            let chance = whole.chance(|outcome| outcome == end);
            if chance != Fraction::zero() {
                outcome = outcome.chance(label, chance.to_string());
            }
        }
        let mut plans = Insight::exact("When to break off").line(format!("Never: {}.", whole.told()));
        for column in [OddsColumn::Even, OddsColumn::TwoToOne, OddsColumn::ThreeToOne] {
            let pressed = self.press(forces, rounds, Some(column), u32::MAX)?;
            plans = plans.line(format!("Below {column}: {}.", pressed.told()));
        }
        let once = self.press(forces, rounds, None, rounds + 1)?;
        Ok(vec![outcome, plans.line(format!("After one round: {}.", once.told()))])
    }

    fn declared(&self, state: &GroundState, order: Option<Order>) -> Result<Vec<Insight>, OddsError> {
        let Some(Order::Attack { target, units, support }) = order else {
            return self.every_attack(state);
        };
        let Some(target) = self.map.place(target) else { return Ok(Vec::new()) };
        let units = units.iter().filter_map(|id| self.find(id)).collect();
        let attack = Attack { target, units, support, das: 0, interceptors: 0 };
        if self.check_attack(state, &attack).is_err() {
            return Ok(Vec::new());
        }
        let mut insights = self.plans(&self.map.name(target), &self.forces(state, &attack), 0)?;
        insights.push(self.multipliers_told(state, &attack));
        let more = Attack { support: support.saturating_add(1), ..attack };
        if self.check_attack(state, &more).is_ok() {
            let (without, with) = (self.forces(state, &attack), self.forces(state, &more));
            let press = |forces: &Forces| self.press(forces, 0, None, u32::MAX);
            let insight = Insight::exact("One more air factor")
                .line(format!("Now {}: {}.", without.strengths().ratio(), press(&without)?.told()))
                .line(format!("With it {}: {}.", with.strengths().ratio(), press(&with)?.told()));
            insights.push(insight);
        }
        Ok(insights)
    }

    fn multipliers_told(&self, state: &GroundState, attack: &Attack) -> Insight {
        let river = self.behind_river(state, attack.target, &attack.units);
        let each = self.stack(state, attack.target).map(|unit| {
            let parts = self.multiplier_parts(state, unit, attack.target, river);
            let parts: Vec<String> = parts.iter().map(|(why, value)| format!("{why} {value:+}")).collect();
            let dm = self.multiplier(state, unit, attack.target, river);
            let info = self.info(unit);
            format!("{}: {} × {dm} ({}).", info.name, info.factors, parts.join(", "))
        });
        each.fold(Insight::exact("Defense multipliers"), Insight::line)
    }

    /// The cheapest attack for each odds column on each hex within reach.
    fn every_attack(&self, state: &GroundState) -> Result<Vec<Insight>, OddsError> {
        let mut insights: Vec<Insight> = Vec::new();
        let attacks = plan::cheapest_attacks(self, state);
        for target in self.attackable(state).iter() {
            let mut insight = Insight::exact(format!("Attacks on {}", self.map.name(target)));
            for attack in attacks.iter().filter(|attack| attack.target == target) {
                let forces = self.forces(state, attack);
                let (ratio, names) = (forces.strengths().ratio(), self.attackers_named(attack));
                let told = self.press(&forces, 0, Some(OddsColumn::Even), u32::MAX)?.told();
                insight = insight.line(format!("{ratio} with {names}: {told}."));
            }
            insights.push(insight);
        }
        Ok(insights)
    }

    fn with_das(&self, state: &GroundState) -> Result<Vec<Insight>, OddsError> {
        let mut insights = Vec::new();
        for attack in &state.attacks {
            let mut insight = Insight::exact(format!("Defensive air support over {}", self.map.name(attack.target)));
            let limit = self.support_limit(self.factors(self.stack(state, attack.target)));
            let ready = u32::from(state.air[state.active.other()].ready);
            let mut last = None;
            for das in 0..=limit.min(ready).min(255) {
                let forces = self.forces(state, &Attack { das: das as u8, ..*attack });
                let ratio = forces.strengths().ratio();
                // Only where the column changes is a factor worth its flight.
                if last == Some(ratio.column()) {
                    continue;
                }
                last = Some(ratio.column());
                let told = match ratio.column() {
                    None => "the attack is called off".to_owned(),
                    Some(_) => self.press(&forces, 0, Some(OddsColumn::Even), u32::MAX)?.told_to_defender(),
                };
                insight = insight.line(format!("{}, {ratio}: {told}.", counted(das, "air factor")));
            }
            insights.push(insight);
        }
        Ok(insights)
    }

    /// Air combat over the attacked hexes, fought to its last round. [C-21]
    fn in_the_air(&self, state: &GroundState, question: &SeatQuestion) -> Result<Vec<Insight>, OddsError> {
        let (only, fought) = match state.phase {
            Phase::AirCombat(combat) => (Some(combat.target), combat.rounds),
            _ => (None, 0),
        };
        let mut insights = Vec::new();
        for attack in state.attacks.iter().filter(|attack| only.is_none_or(|target| target == attack.target)) {
            let interceptors = if only.is_some() { attack.interceptors } else { attack.das };
            if attack.das == 0 || interceptors == 0 {
                continue;
            }
            let group = |side, count: u8| vec![AirGroup::new(self.air_nation(side), u32::from(count))];
            let plan = AirBattlePlan {
                combat: AirCombat {
                    attackers: group(state.active, interceptors),
                    defenders: group(state.active.other(), attack.das),
                    setting: Self::air_setting(),
                },
                attacker_withdraws_at: 0,
                defender_withdraws_at: 0,
                max_rounds: u32::from(super::attacks::AIR_ROUNDS - fought),
            };
            let battle = AirBattle { rules: &self.rules, plan: &plan };
            let title = format!(
                "Over {}: {} against {}, fought to the end",
                self.map.name(attack.target),
                counted(u32::from(interceptors), "interceptor"),
                counted(u32::from(attack.das), "factor")
            );
            let ends = battle.ends(Follow::AttackerEliminated, Budget::default())?;
            let mut insight = Insight::exact(title);
            for (label, gone) in [
                ("The air support is gone", [AirOutcome::DefenderGone, AirOutcome::BothGone].as_slice()),
                ("The interceptors are gone", &[AirOutcome::AttackerGone]),
                ("Both are left after the last round", &[AirOutcome::RoundLimit]),
            ] {
                insight = insight.chance(label, ends.chance_of(|(end, _)| gone.contains(end)).to_string());
            }
            let lost = ends.expect(|(_, standing)| u64::from(standing.followed));
            let other = battle.ends(Follow::DefenderEliminated, Budget::default())?;
            let theirs = other.expect(|(_, standing)| u64::from(standing.followed));
            let (own, enemy) = match question.seat.side() == state.active {
                true => (lost, theirs),
                false => (theirs, lost),
            };
            let lost = format!("You lose {} factors on average, the enemy {}.", decimal(&own), decimal(&enemy));
            insights.push(insight.line(lost));
        }
        Ok(insights)
    }

    /// The whole column of the attrition table for the units that are involved now.
    fn attrition_column(&self, state: &GroundState) -> Vec<Insight> {
        let (attackers, defenders) = self.involved(state);
        if attackers.is_empty() {
            return vec![Insight::exact("Attrition now").line("No supplied unit of yours stands next to an enemy.")];
        }
        let front = self.front(state, &attackers, &defenders);
        let factors = self.factors(attackers.iter());
        let title =
            format!("Attrition now: {} against {}", counted(factors, "factor"), counted(defenders.len(), "unit"));
        let mut insight = Insight::exact(title);
        let (mut counters, mut hexes) = (0u64, 0u64);
        for face in 1..=6u8 {
            let Ok(result) = front.attrition(&self.rules.charts, &mut super::outlook::Face(face)) else { continue };
            let lost = result.counters.min(defenders.len());
            counters += u64::from(lost);
            hexes += u64::from(result.hexes);
            let (lost, taken) = (counted(lost, "counter"), counted(result.hexes, "hex"));
            insight = insight.line(format!("{face} on the die ({}): {lost} and {taken}.", result.cell));
        }
        let mean = |sum: u64| decimal(&Fraction::new(sum, 6u64));
        let line = format!("On average {} counters and {} hexes.", mean(counters), mean(hexes));
        insight = insight.line(line);
        let next = (factors.saturating_sub(1) / 10 + 1) * 10 + 1;
        vec![insight.line(format!("The next step of the table begins at {next} factors."))]
    }

    /// What a leg costs and what it does to supply; attrition if that is the option.
    fn after_move(&self, state: &GroundState, order: Option<Order>) -> Vec<Insight> {
        let mut insights = Vec::new();
        if let Some(Order::Move { unit, to }) = order
            && let (Some(unit), Some(to)) = (self.find(&unit), self.map.place(to))
            && let Some(from) = state.unit(unit).hex
            && self.check_leg(state, unit, from, to, self.points_left(state, unit)).is_ok()
        {
            let mut there = state.clone();
            self.go(&mut there, unit, from, to);
            let info = self.info(unit);
            let supplied = self.supplied(&there, info.side).contains(to);
            let left = counted(u32::from(self.points_left(&there, unit)), "movement point");
            insights.push(
                Insight::exact(format!("{} to {}", info.name, self.map.name(to)))
                    .line(format!("{left} left."))
                    .line(if supplied { "It stays in supply." } else { "It is out of supply there." }),
            );
        }
        if state.option == crate::scenarios::TurnOption::Attrition {
            insights.extend(self.attrition_column(state));
        }
        insights
    }
}
