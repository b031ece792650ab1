//! Air combat to the end, and its exact odds. [19.2, C-2]

use crate::Rulebook;
use crate::air::{self, AirGroup, AirLosses, AirRound, AirSetting};
use crate::charts::Toll;
use crate::rule;
use flagplot_kernel::{Ask, Asked, Flow, Note, Process};
use flagplot_odds::{Budget, Exact, OddsError, Weight, enumerate};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// How an air battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AirOutcome {
    /// Only the attacker is left.
    DefenderGone,
    /// Only the defender is left.
    AttackerGone,
    /// Nobody is left.
    BothGone,
    /// The attacker has had enough.
    AttackerWithdrew,
    /// The defender has had enough.
    DefenderWithdrew,
    /// No more rounds were allowed.
    RoundLimit,
}

/// An air battle with both sides' decisions on when to leave.
#[derive(Clone, Copy, Debug)]
pub struct AirBattle<'a> {
    /// The rules.
    pub book: &'a Rulebook,
    /// The attacker's groups at the start.
    pub attackers: &'a [AirGroup],
    /// The defender's groups at the start.
    pub defenders: &'a [AirGroup],
    /// What it is about.
    pub setting: AirSetting,
    /// The attacker withdraws after a round that leaves him so many or fewer; 0: never.
    pub attacker_withdraws_at: u32,
    /// The same for the defender.
    pub defender_withdraws_at: u32,
    /// At most so many rounds, if there is a limit.
    pub max_rounds: Option<u32>,
}

/// Where a battle stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AirBattleState {
    /// The attacker's groups.
    pub attackers: Vec<AirGroup>,
    /// The defender's groups.
    pub defenders: Vec<AirGroup>,
    /// What the attacker has lost so far.
    pub attacker: Toll,
    /// What the defender has lost so far.
    pub defender: Toll,
    /// Rounds fought.
    pub rounds: u32,
    /// How it ended, once it has.
    pub outcome: Option<AirOutcome>,
}

impl AirBattle<'_> {
    /// Before the first round.
    #[must_use]
    pub fn start(&self) -> AirBattleState {
        AirBattleState {
            attackers: self.attackers.to_vec(),
            defenders: self.defenders.to_vec(),
            attacker: Toll::default(),
            defender: Toll::default(),
            rounds: 0,
            outcome: None,
        }
    }

    /// How the battle stands with so many left after so many rounds. The order of the tests is that of the rules.
    #[must_use]
    pub fn outcome(&self, attackers: u32, defenders: u32, rounds: u32) -> Option<AirOutcome> {
        match (attackers, defenders) {
            (0, 0) => Some(AirOutcome::BothGone),
            (0, _) => Some(AirOutcome::AttackerGone),
            (_, 0) => Some(AirOutcome::DefenderGone),
            (attackers, _) if attackers <= self.attacker_withdraws_at => Some(AirOutcome::AttackerWithdrew),
            (_, defenders) if defenders <= self.defender_withdraws_at => Some(AirOutcome::DefenderWithdrew),
            _ => self.max_rounds.is_some_and(|most| rounds >= most).then_some(AirOutcome::RoundLimit),
        }
    }

    /// One round, and whether it was the last.
    pub fn round(&self, state: &mut AirBattleState, ask: &mut impl Ask) -> Asked<AirRound> {
        let round = air::round(self.book, &mut state.attackers, &mut state.defenders, self.setting, ask)?;
        for (toll, losses) in
            [(&mut state.attacker, &round.attacker_losses), (&mut state.defender, &round.defender_losses)]
        {
            toll.eliminated += losses.eliminated;
            toll.aborted += losses.aborted;
        }
        state.rounds += 1;
        state.outcome = self.outcome(round.attacker_losses.remaining, round.defender_losses.remaining, state.rounds);
        let (rounds, outcome) = (state.rounds, state.outcome);
        ask.note(|| {
            let text = match outcome {
                None => format!("Round {rounds} is over, and both sides fight on."),
                Some(AirOutcome::DefenderGone) => format!("After {rounds} rounds the defender is gone."),
                Some(AirOutcome::AttackerGone) => format!("After {rounds} rounds the attacker is gone."),
                Some(AirOutcome::BothGone) => format!("After {rounds} rounds the sky is empty."),
                Some(AirOutcome::AttackerWithdrew) => format!("After {rounds} rounds the attacker withdraws."),
                Some(AirOutcome::DefenderWithdrew) => format!("After {rounds} rounds the defender withdraws."),
                Some(AirOutcome::RoundLimit) => format!("Round {rounds} was the last one allowed."),
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
    /// Nothing more.
    Nothing,
    /// The attacker's eliminated units.
    AttackerEliminated,
    /// The defender's eliminated units.
    DefenderEliminated,
}

/// How a battle can end, with the number followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AirEnd {
    /// How.
    pub outcome: AirOutcome,
    /// Attackers left.
    pub attackers: u32,
    /// Defenders left.
    pub defenders: u32,
    /// The number followed.
    pub followed: u32,
    /// Rounds fought; 0 if there is no limit, because they have no finite distribution then.
    pub rounds: u32,
}

/// All ends of a battle with their exact weights.
#[derive(Clone, Debug)]
pub struct AirEnds {
    /// The ends.
    pub ends: Vec<(AirEnd, Exact)>,
    /// The sum of all weights.
    pub total: Exact,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Standing {
    attackers: u32,
    defenders: u32,
    followed: u32,
    rounds: u32,
}

/// Weights over several denominators, brought together when they are needed.
struct Mix<T> {
    parts: Vec<(Exact, FxHashMap<T, Exact>)>,
}

impl<T> Default for Mix<T> {
    fn default() -> Self {
        Self { parts: Vec::new() }
    }
}

impl<T: Eq + std::hash::Hash> Mix<T> {
    /// Adds a weight; says whether the outcome is new under its denominator.
    fn add(&mut self, at: T, weight: Exact, denominator: &Exact) -> bool {
        let part = match self.parts.iter().rposition(|(other, _)| other == denominator) {
            Some(part) => part,
            None => {
                self.parts.push((denominator.clone(), FxHashMap::default()));
                self.parts.len() - 1
            }
        };
        let outcomes = self.parts[part].1.len();
        *self.parts[part].1.entry(at).or_insert_with(|| Exact::whole(0)) += weight;
        self.parts[part].1.len() > outcomes
    }

    fn finish(self) -> (Exact, FxHashMap<T, Exact>) {
        let denominators: Vec<Exact> = self.parts.iter().map(|(denominator, _)| denominator.clone()).collect();
        let (total, factors) = Exact::common(&denominators);
        let mut all = FxHashMap::default();
        for ((_, part), factor) in self.parts.into_iter().zip(factors) {
            for (at, weight) in part {
                *all.entry(at).or_insert_with(|| Exact::whole(0)) += weight * &factor;
            }
        }
        (total, all)
    }
}

/// What rolling out a round counts in the budget: 121 throws, each some ten times as dear as a step.
const ROUND_COST: u64 = 1210;

/// What a round does to both sides, with its weight in 1296 throws of four dice.
type Changes = Vec<((Toll, Toll), u64)>;

impl AirBattle<'_> {
    /// A force of which only so many are left: losses come off the front.
    fn thinned(force: &[AirGroup], left: u32) -> Vec<AirGroup> {
        let mut force = force.to_vec();
        let lost = air::strength(&force).saturating_sub(left);
        air::lose(&mut force, Toll { eliminated: lost, aborted: 0 }, |_| true);
        force
    }

    /// Everything a round can do when so many are left.
    fn changes(&self, attackers: u32, defenders: u32, budget: Budget<'_>) -> Result<Changes, OddsError> {
        let forces = (Self::thinned(self.attackers, attackers), Self::thinned(self.defenders, defenders));
        let dist = enumerate::<_, Exact>(budget, |ask| {
            let (mut attackers, mut defenders) = forces.clone();
            let round = air::round(self.book, &mut attackers, &mut defenders, self.setting, ask)?;
            let toll = |losses: AirLosses| Toll { eliminated: losses.eliminated, aborted: losses.aborted };
            Ok((toll(round.attacker_losses), toll(round.defender_losses)))
        })?;
        Ok(dist.iter().map(|(change, weight)| (*change, u64::try_from(weight.clone()).unwrap_or(u64::MAX))).collect())
    }

    /// The exact odds of every end.
    ///
    /// What a round does depends only on how many are left on both sides, so that each such pair is rolled out once.
    /// Without a limit of rounds, a round in which nothing happens is played again, and is divided out.
    pub fn ends(&self, follow: Follow, budget: Budget<'_>) -> Result<AirEnds, OddsError> {
        let start = Standing {
            attackers: air::strength(self.attackers),
            defenders: air::strength(self.defenders),
            followed: 0,
            rounds: 0,
        };
        // With a limit a level is a round, without one it is the number of units gone: every step leads to a later level.
        let level = |at: &Standing| match self.max_rounds {
            Some(_) => at.rounds,
            None => start.attackers + start.defenders - at.attackers - at.defenders,
        };
        let mut known: FxHashMap<(u32, u32), Changes> = FxHashMap::default();
        let mut levels: BTreeMap<u32, Mix<Standing>> = BTreeMap::new();
        levels.entry(0).or_default().add(start, Exact::whole(1), &Exact::whole(1));
        let mut ends: Mix<AirEnd> = Mix::default();
        let (mut walked, mut held) = (0, 1);
        while let Some((_, mix)) = levels.pop_first() {
            held -= mix.parts.iter().map(|(_, part)| part.len()).sum::<usize>();
            let (denominator, standings) = mix.finish();
            let mut products: Vec<(u64, Exact)> = Vec::new();
            for (at, weight) in standings {
                let pair = (at.attackers, at.defenders);
                let all = match known.entry(pair) {
                    Entry::Occupied(changes) => changes.into_mut(),
                    Entry::Vacant(place) => {
                        walked += ROUND_COST;
                        place.insert(self.changes(at.attackers, at.defenders, budget)?)
                    }
                };
                let idle =
                    |change: &(Toll, Toll)| self.max_rounds.is_none() && *change == (Toll::default(), Toll::default());
                let changes: Vec<_> = all.iter().filter(|(change, _)| !idle(change)).collect();
                let total: u64 = changes.iter().map(|(_, ways)| ways).sum();
                let denominator = match products.iter().find(|(other, _)| *other == total) {
                    Some((_, product)) => product.clone(),
                    None => {
                        let product = &denominator * Exact::whole(total);
                        products.push((total, product.clone()));
                        product
                    }
                };
                walked += changes.len() as u64;
                if walked > budget.branches || held > budget.states || budget.give_up.is_some_and(|give_up| give_up()) {
                    return Err(OddsError::BudgetExceeded);
                }
                for ((attacker, defender), ways) in changes {
                    let next = Standing {
                        attackers: at.attackers - attacker.eliminated - attacker.aborted,
                        defenders: at.defenders - defender.eliminated - defender.aborted,
                        followed: at.followed
                            + match follow {
                                Follow::Nothing => 0,
                                Follow::AttackerEliminated => attacker.eliminated,
                                Follow::DefenderEliminated => defender.eliminated,
                            },
                        rounds: if self.max_rounds.is_some() { at.rounds + 1 } else { 0 },
                    };
                    let weight = &weight * Exact::whole(*ways);
                    match self.outcome(next.attackers, next.defenders, next.rounds) {
                        Some(outcome) => {
                            let end = AirEnd {
                                outcome,
                                attackers: next.attackers,
                                defenders: next.defenders,
                                followed: next.followed,
                                rounds: next.rounds,
                            };
                            held += usize::from(ends.add(end, weight, &denominator));
                        }
                        None => {
                            held += usize::from(levels.entry(level(&next)).or_default().add(next, weight, &denominator))
                        }
                    }
                }
            }
        }
        let (total, ends) = ends.finish();
        Ok(AirEnds { ends: ends.into_iter().collect(), total })
    }
}
