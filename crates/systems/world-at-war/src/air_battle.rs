//! Air combat to the end, and its exact odds. [19.2, C-2]

use crate::air::{self, AirCombat, AirGroup, AirLosses, AirRound};
use crate::charts::Toll;
use crate::messages::counted;
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, Flow, Note, Process};
use flagplot_odds::{Budget, Dist, Exact, Mixture, OddsError, Weight, enumerate};
use flagplot_referee::{Shaped, words};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// How an air battle ended.
#[words]
pub enum AirOutcome {
    DefenderGone,
    AttackerGone,
    BothGone,
    AttackerWithdrew,
    DefenderWithdrew,
    RoundLimit,
}

/// The forces of an air battle and both sides' decisions on when to leave.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct AirBattlePlan {
    #[serde(flatten)]
    pub combat: AirCombat,
    /// withdraws with this many or fewer left; 0: never
    #[shape(0..=1_000_000, or = 0)]
    pub attacker_withdraws_at: u32,
    /// withdraws with this many or fewer left; 0: never
    #[shape(0..=1_000_000, or = 0)]
    pub defender_withdraws_at: u32,
    /// most rounds fought; 0: no limit
    #[shape(0..=1000, or = 0)]
    pub max_rounds: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct AirBattle<'a> {
    pub rules: &'a Rules,
    pub plan: &'a AirBattlePlan,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AirBattleState {
    pub attackers: Vec<AirGroup>,
    pub defenders: Vec<AirGroup>,
    /// What the attacker has lost so far.
    pub attacker: Toll,
    /// What the defender has lost so far.
    pub defender: Toll,
    pub rounds: u32,
    pub outcome: Option<AirOutcome>,
}

impl AirBattle<'_> {
    /// Before the first round.
    #[must_use]
    pub fn start(&self) -> AirBattleState {
        let AirCombat { attackers, defenders, .. } = self.plan.combat.clone();
        let none = Toll::default();
        AirBattleState { attackers, defenders, attacker: none, defender: none, rounds: 0, outcome: None }
    }

    fn limited(&self) -> bool {
        self.plan.max_rounds > 0
    }

    /// Whether the battle is over. The order of the tests is that of the rules.
    #[must_use]
    pub fn outcome(&self, attackers: u32, defenders: u32, rounds: u32) -> Option<AirOutcome> {
        match (attackers, defenders) {
            (0, 0) => Some(AirOutcome::BothGone),
            (0, _) => Some(AirOutcome::AttackerGone),
            (_, 0) => Some(AirOutcome::DefenderGone),
            (attackers, _) if attackers <= self.plan.attacker_withdraws_at => Some(AirOutcome::AttackerWithdrew),
            (_, defenders) if defenders <= self.plan.defender_withdraws_at => Some(AirOutcome::DefenderWithdrew),
            _ => (self.limited() && rounds >= self.plan.max_rounds).then_some(AirOutcome::RoundLimit),
        }
    }

    /// One round, and whether it was the last.
    pub fn round(&self, state: &mut AirBattleState, ask: &mut impl Ask) -> Asked<AirRound> {
        let setting = self.plan.combat.setting;
        let round = air::round(self.rules, &mut state.attackers, &mut state.defenders, setting, ask)?;
        let both = [(&mut state.attacker, &round.attacker_losses), (&mut state.defender, &round.defender_losses)];
        for (toll, losses) in both {
            toll.eliminated += losses.eliminated;
            toll.aborted += losses.aborted;
        }
        state.rounds += 1;
        state.outcome = self.outcome(round.attacker_losses.remaining, round.defender_losses.remaining, state.rounds);
        let (rounds, outcome) = (state.rounds, state.outcome);
        ask.note(|| {
            let after = format!("After {}", counted(rounds, "round"));
            let text = match outcome {
                None => format!("{after} both sides fight on."),
                Some(AirOutcome::DefenderGone) => format!("{after} the defender is gone."),
                Some(AirOutcome::AttackerGone) => format!("{after} the attacker is gone."),
                Some(AirOutcome::BothGone) => format!("{after} the sky is empty."),
                Some(AirOutcome::AttackerWithdrew) => format!("{after} the attacker withdraws."),
                Some(AirOutcome::DefenderWithdrew) => format!("{after} the defender withdraws."),
                Some(AirOutcome::RoundLimit) => format!("{after} no further round is allowed."),
            };
            Note::new("air-battle", text).by(&[rule::C_2])
        });
        Ok(round)
    }
}

impl Process for AirBattle<'_> {
    type State = AirBattleState;

    fn step(&self, state: &mut AirBattleState, ask: &mut impl Ask) -> Asked<Flow> {
        self.round(state, ask)?;
        Ok(if state.outcome.is_some() { Flow::Done } else { Flow::Continue })
    }
}

/// The number whose distribution is wanted beside the outcome and what is left. Following one at a time keeps the
/// states few: a battle of sixty against sixty has thousands of them, not millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    Nothing,
    AttackerEliminated,
    DefenderEliminated,
}

/// Where a battle stands, as far as its odds go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    pub attackers: u32,
    pub defenders: u32,
    pub followed: u32,
    /// Rounds fought; 0 if there is no limit, because they have no finite distribution then.
    pub rounds: u32,
}

/// What rolling out a round counts in the budget: 121 throws, each some ten times as dear as a step.
const ROUND_COST: u64 = 1210;

/// What a round does to both sides, with its weight in 1296 throws of four dice.
type Changes = Vec<((Toll, Toll), u64)>;

/// A force reduced to a number of units by losses from the front.
fn thinned(force: &[AirGroup], left: u32) -> Vec<AirGroup> {
    let mut force = force.to_vec();
    let lost = air::strength(&force).saturating_sub(left);
    air::lose(&mut force, Toll { eliminated: lost, aborted: 0 }, |_| true);
    force
}

impl AirBattle<'_> {
    /// Everything a round can do to what is left of both sides. Without a limit of rounds, a round in which nothing
    /// happens is played again, and is divided out.
    fn changes(&self, attackers: u32, defenders: u32, budget: Budget<'_>) -> Result<Changes, OddsError> {
        let combat = &self.plan.combat;
        let forces = (thinned(&combat.attackers, attackers), thinned(&combat.defenders, defenders));
        let dist = enumerate::<_, Exact>(budget, |ask| {
            let (mut attackers, mut defenders) = forces.clone();
            let round = air::round(self.rules, &mut attackers, &mut defenders, combat.setting, ask)?;
            let toll = |losses: AirLosses| Toll { eliminated: losses.eliminated, aborted: losses.aborted };
            Ok((toll(round.attacker_losses), toll(round.defender_losses)))
        })?;
        let idle = (Toll::default(), Toll::default());
        let changes = dist.iter().filter(|(change, _)| self.limited() || **change != idle);
        Ok(changes.map(|(change, weight)| (*change, u64::try_from(weight.clone()).unwrap_or(u64::MAX))).collect())
    }

    /// The exact odds of every end.
    ///
    /// What a round does depends only on how many are left on both sides, so that each such pair is rolled out once.
    pub fn ends(&self, follow: Follow, budget: Budget<'_>) -> Result<Dist<(AirOutcome, Standing)>, OddsError> {
        let AirCombat { attackers, defenders, .. } = &self.plan.combat;
        let (attackers, defenders) = (air::strength(attackers), air::strength(defenders));
        let start = Standing { attackers, defenders, followed: 0, rounds: 0 };
        // With a limit a level is a round, without one the number of units gone: every step leads to a later level.
        let level = |at: &Standing| {
            if self.limited() { at.rounds } else { attackers + defenders - at.attackers - at.defenders }
        };
        let mut known: FxHashMap<(u32, u32), Changes> = FxHashMap::default();
        let mut levels: BTreeMap<u32, Mixture<Standing>> = BTreeMap::new();
        levels.entry(0).or_default().add(start, Exact::whole(1), &Exact::whole(1));
        let mut ends = Mixture::default();
        let mut walked = 0;
        while let Some((_, mix)) = levels.pop_first() {
            let standings = mix.finish();
            let mut products: Vec<(u64, Exact)> = Vec::new();
            for (at, weight) in standings.iter() {
                let changes = match known.entry((at.attackers, at.defenders)) {
                    Entry::Occupied(changes) => changes.into_mut(),
                    Entry::Vacant(place) => {
                        walked += ROUND_COST;
                        place.insert(self.changes(at.attackers, at.defenders, budget)?)
                    }
                };
                let total: u64 = changes.iter().map(|(_, ways)| ways).sum();
                let denominator = match products.iter().find(|(other, _)| *other == total) {
                    Some((_, product)) => product.clone(),
                    None => {
                        let product = standings.total().times(&Exact::whole(total));
                        products.push((total, product.clone()));
                        product
                    }
                };
                walked += changes.len() as u64;
                let held = ends.outcomes() + levels.values().map(Mixture::outcomes).sum::<usize>();
                if walked > budget.branches || held > budget.states || budget.give_up.is_some_and(|give_up| give_up()) {
                    return Err(OddsError::BudgetExceeded);
                }
                for ((attacker, defender), ways) in changes {
                    let followed = match follow {
                        Follow::Nothing => 0,
                        Follow::AttackerEliminated => attacker.eliminated,
                        Follow::DefenderEliminated => defender.eliminated,
                    };
                    let next = Standing {
                        attackers: at.attackers - attacker.eliminated - attacker.aborted,
                        defenders: at.defenders - defender.eliminated - defender.aborted,
                        followed: at.followed + followed,
                        rounds: if self.limited() { at.rounds + 1 } else { 0 },
                    };
                    let weight = weight.times(&Exact::whole(*ways));
                    match self.outcome(next.attackers, next.defenders, next.rounds) {
                        Some(outcome) => ends.add((outcome, next), weight, &denominator),
                        None => levels.entry(level(&next)).or_default().add(next, weight, &denominator),
                    }
                }
            }
        }
        Ok(ends.finish())
    }

    /// What the side that was followed has lost at an end.
    #[must_use]
    pub fn losses(&self, follow: Follow, end: &Standing) -> AirLosses {
        let (force, remaining) = match follow {
            Follow::DefenderEliminated => (&self.plan.combat.defenders, end.defenders),
            _ => (&self.plan.combat.attackers, end.attackers),
        };
        let aborted = air::strength(force) - remaining - end.followed;
        AirLosses { eliminated: end.followed, aborted, remaining }
    }
}
