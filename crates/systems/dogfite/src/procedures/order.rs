//! The order of movement.

use super::edges::Ids;
use crate::Rules;
use crate::initiative::{self, Entrant, Next, Order, RankKey, RollOff, Seniority, Tailing, Why};
use crate::refusals::Barred;
use crate::rule;
use crate::words::{Alliance, ById};
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_odds::{Budget, Exact, OddsError, enumerate};
use flagplot_referee::{FieldOdds, Procedure, Shaped, json, projected};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

#[derive(Deserialize, Shaped)]
pub(super) struct Ordered {
    /// Its name.
    #[shape(chars = 40)]
    id: String,
    /// Its side.
    side: Alliance,
    /// Its speed.
    #[shape(0..=99)]
    speed: i32,
    /// Its level.
    #[shape(1..=99)]
    level: i32,
    /// Effective experience.
    #[shape(-99..=99, or = 0)]
    experience: i32,
    /// Whether it spins.
    #[shape(or = false)]
    spinning: bool,
    /// Its target.
    #[shape(chars = 40, null, or = null)]
    target: Option<String>,
    /// Its edge.
    #[shape(-999..=999, or = 0)]
    edge: i32,
    /// Whether it tails, if it may, when its place comes up.
    #[shape(or = false)]
    tail: bool,
    /// Whether the target is its formation leader.
    #[shape(or = false)]
    formation: bool,
    /// Its initiative die, if it is known.
    #[shape(0..=9, null, or = null)]
    roll: Option<u8>,
}

#[derive(Deserialize, Shaped)]
pub(super) struct OrderInput {
    /// All aircraft.
    #[shape(items = 0..=64)]
    aircraft: Vec<Ordered>,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
struct Loop {
    /// The aircraft in it.
    #[shape(chars = 40, items = 2..=64)]
    members: Vec<String>,
    /// The one that goes first.
    #[shape(chars = 40)]
    first: String,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct OrderOutput {
    /// The posted numbers.
    #[shape(-999..=999)]
    initiative: ById<i32>,
    /// Ids from low to high.
    #[shape(chars = 40, items = 0..=64)]
    rank: Vec<String>,
    /// The aircraft after which each follower moves.
    #[shape(chars = 40)]
    follows: ById<String>,
    /// Why it follows.
    why: ById<Why>,
    /// Circles that were rolled for.
    #[shape(items = 0..=64)]
    loops: Vec<Loop>,
    /// The order of movement.
    #[shape(chars = 40, items = 0..=64)]
    order: Vec<String>,
}

pub(super) struct InitiativeOrder(pub Arc<Rules>);

pub(super) struct Facts {
    ids: Ids,
    aircraft: Vec<Ordered>,
    targets: Vec<Option<u8>>,
}

impl Procedure for InitiativeOrder {
    const NAME: &'static str = "initiative-order";
    const HELP: &'static str = "Posted initiative, rank, who follows whom, and the order in which all aircraft move.";
    const DICE: &'static str = "d10 (0 to 9) for each aircraft without a roll, in list order; d6 for roll-offs of \
        equals, lowest group first; d6 for circles as they close";
    const RULES: &'static [Rule] = &[rule::INITIATIVE, rule::FOLLOWING, rule::TAILING, rule::CIRCLES];
    type Input = OrderInput;
    type Facts = Facts;
    type Output = OrderOutput;

    fn read(&self, OrderInput { aircraft }: OrderInput) -> Result<Facts, Refusal> {
        let mut reasons = Vec::new();
        let ids = Ids::new(aircraft.iter().map(|craft| &craft.id), &mut reasons);
        let mut targets = Vec::new();
        for craft in &aircraft {
            let target = ids.target(&craft.id, craft.target.as_ref(), &mut reasons);
            if craft.target.is_none() && craft.formation {
                reasons.push(Barred::NoLeader.into());
            }
            if craft.target.is_some() && craft.spinning {
                reasons.push(Barred::SpinningHasTarget.into());
            }
            if let Some(leader) = target.map(|at| &aircraft[at]) {
                match (craft.formation, leader.side == craft.side) {
                    (false, true) => reasons.push(Barred::FriendWithoutFormation.into()),
                    (true, false) => reasons.push(Barred::FormationOnEnemy.into()),
                    (true, true) if leader.formation => reasons.push(Barred::LeaderFollows.into()),
                    _ => {}
                }
            }
            targets.push(target.map(|at| at as u8));
        }
        Refusal::all(reasons)?;
        Ok(Facts { ids, aircraft, targets })
    }

    fn run(&self, facts: &Facts, ask: &mut impl Ask) -> Asked<OrderOutput> {
        Ok(output(facts, &self.order(facts, RollOff::Dice, ask)?))
    }

    /// Roll-offs among equals could go on for ever; what they come to is every order alike.
    fn odds(&self, facts: &Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let dice = facts.aircraft.iter().filter(|craft| craft.roll.is_none()).count() as u32;
        let budget = Budget { branches: budget.branches.min(MOST_BRANCHES), ..budget };
        if 10u64.checked_pow(dice).is_none_or(|branches| branches > budget.branches) {
            return Err(OddsError::BudgetExceeded.into());
        }
        let dist = enumerate::<_, Exact>(budget, |ask| self.order(facts, RollOff::EveryOrderAlike, ask))?;
        // An aircraft that follows nobody is absent from the result. Among the chances of a single aircraft that is a
        // null, so that they add up, and every ruling lists the aircraft in the same order.
        let by_name: &[&str] = if matches!(wanted, Some("follows" | "why")) { &[] } else { &["follows", "why"] };
        let ruling = |ranked: &Ranked| {
            let mut ruling = json!(output(facts, ranked));
            for &field in by_name {
                let every = facts.ids.0.iter().map(|id| (id.clone(), ruling[field][id].clone()));
                ruling[field] = Value::Object(every.collect());
            }
            ruling
        };
        Ok(projected(&dist, ruling, wanted))
    }
}

/// The most branches that are walked for an order: six dice with all that ties may add.
const MOST_BRANCHES: u64 = 4_000_000;

/// The order by places in the list, without names.
#[derive(PartialEq, Eq, Hash)]
struct Ranked {
    posted: Vec<i32>,
    rank: Vec<usize>,
    order: Order,
}

impl InitiativeOrder {
    fn order(&self, facts: &Facts, how: RollOff, ask: &mut impl Ask) -> Asked<Ranked> {
        let Facts { ids, aircraft: list, targets } = facts;
        let names = ids.names();
        let mut keys: Vec<RankKey> = Vec::with_capacity(list.len());
        for (craft, &who) in list.iter().zip(&names) {
            let Ordered { experience, level, speed, roll, .. } = *craft;
            let seniority = Seniority { experience, level, speed };
            keys.push(initiative::post(&self.0.tables, who, roll, seniority, ask)?);
        }
        let posted: Vec<i32> = keys.iter().map(|key| key.posted).collect();
        let rank = initiative::rank(&keys, &names, how, ask)?;
        let mut ranks = vec![0u8; list.len()];
        for (place, &at) in rank.iter().enumerate() {
            ranks[at] = place as u8;
        }
        let entrants = list.iter().zip(&ranks).zip(targets).map(|((craft, &rank), &target)| {
            Some(Entrant { spinning: craft.spinning, rank, target, formation: craft.formation })
        });
        let mut order = Order::begin(&entrants.collect::<Vec<_>>(), &names, how, ask)?;
        loop {
            match order.up_next() {
                Next::Nobody => break,
                Next::Moves(at) => order.has_just_moved(at, &ranks),
                Next::Place(place) => {
                    let at = usize::from(place);
                    let prey = targets[at].filter(|&prey| list[at].tail && !order.has_moved(prey));
                    let tailing = prey.map(|prey| {
                        let prey = usize::from(prey);
                        Tailing {
                            edge: list[at].edge,
                            posted: posted[at],
                            target_posted: posted[prey],
                            target_has_target: targets[prey].is_some(),
                        }
                    });
                    if let Some(tailing) = tailing {
                        tailing.note(names[at], ask);
                    }
                    match prey.filter(|_| tailing.is_some_and(|tailing| tailing.allowed())) {
                        Some(prey) => order.tail(place, prey, &names, how, ask)?,
                        None => order.has_just_moved(place, &ranks),
                    }
                }
            }
        }
        Ok(Ranked { posted, rank, order })
    }
}

fn output(facts: &Facts, ranked: &Ranked) -> OrderOutput {
    let (ids, order) = (&facts.ids.0, &ranked.order);
    let name = |at: u8| ids[usize::from(at)].clone();
    let named = |places: &[u8]| places.iter().map(|&at| name(at)).collect();
    let followers = || (0..ids.len() as u8).filter_map(|at| Some((name(at), order.follows(at)?)));
    OrderOutput {
        initiative: ids.iter().cloned().zip(ranked.posted.iter().copied()).collect(),
        rank: ranked.rank.iter().map(|&at| ids[at].clone()).collect(),
        follows: followers().map(|(id, (leader, _))| (id, name(leader))).collect(),
        why: followers().map(|(id, (_, why))| (id, why)).collect(),
        loops: order
            .circles()
            .iter()
            .map(|circle| Loop { members: named(&circle.members), first: name(circle.first) })
            .collect(),
        order: named(order.moved()),
    }
}
