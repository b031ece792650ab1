//! The order of movement.

use super::edges::{bad_formation, check_ids, find};
use super::{EDGE, LEVEL, flag, id, maybe, procedure, side, skill, speed};
use crate::Rules;
use crate::initiative::{self, Entrant, Group, Next, Order, RollOff, Why};
use crate::rule;
use crate::words::{Alliance, ById};
use flagplot_kernel::{Ask, Asked, Refusal};
use flagplot_odds::{Budget, Exact, OddsError, enumerate};
use flagplot_referee::{About, FieldOdds, Halt, Projection, int, list, map, or, record, req, word};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize)]
pub(super) struct Ordered {
    id: String,
    side: Alliance,
    speed: i32,
    level: i32,
    experience: i32,
    spinning: bool,
    target: Option<String>,
    edge: i32,
    tail: bool,
    formation: bool,
    roll: Option<u8>,
}

#[derive(Deserialize)]
pub(super) struct OrderInput {
    aircraft: Vec<Ordered>,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct Loop {
    members: Vec<String>,
    first: String,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct OrderOutput {
    initiative: ById<i32>,
    rank: Vec<String>,
    follows: ById<String>,
    why: ById<Why>,
    loops: Vec<Loop>,
    order: Vec<String>,
}

procedure! {
    /// The whole order.
    InitiativeOrder(OrderInput) -> OrderOutput {
        about: About {
            name: "initiative-order",
            help: "Posted initiative, rank, who follows whom, and the order in which all aircraft move.",
            dice: "d10 (0 to 9) for each aircraft without a roll, in list order; d6 for roll-offs of equals, lowest group first; d6 for circles as they close",
            input: record(vec![req(
                "aircraft",
                list(
                    record(vec![
                        req("id", id(), "its id"),
                        side("side"),
                        req("speed", speed(), "its speed"),
                        req("level", int(LEVEL.0, LEVEL.1), "its level"),
                        skill("experience", "effective experience"),
                        flag("spinning", "whether it spins"),
                        maybe("target", id(), "its target"),
                        or("edge", int(EDGE.0, EDGE.1), 0, "its edge"),
                        flag("tail", "whether it tails if it may when its place comes up"),
                        flag("formation", "whether the target is its formation leader"),
                        maybe("roll", int(0, 9), "its initiative die, if it is known"),
                    ]),
                    0,
                    64,
                ),
                "all aircraft",
            )]),
            result: record(vec![
                req("initiative", map(int(-999, 999), 64), "the posted numbers"),
                req("rank", list(id(), 0, 64), "ids from low to high"),
                req("follows", map(id(), 64), "who moves directly after whom"),
                req("why", map(word(Why::WORDS), 64), "why"),
                req("loops", list(record(vec![req("members", list(id(), 2, 64), "who is in it"), req("first", id(), "who goes first")]), 0, 64), "circles that were rolled for"),
                req("order", list(id(), 0, 64), "the order of movement"),
            ]),
            rules: &[rule::INITIATIVE, rule::FOLLOWING, rule::TAILING, rule::CIRCLES],
        },
        check(_rules, input) {
            let list = &input.aircraft;
            let ids: Vec<&str> = list.iter().map(|craft| craft.id.as_str()).collect();
            check_ids(&ids)?;
            for craft in list {
                let Some(target) = &craft.target else {
                    if craft.formation {
                        return Err(bad_formation("A formation needs a leader."));
                    }
                    continue;
                };
                let leader = &list[find(&ids, &craft.id, target)?];
                if craft.spinning {
                    return Err(Refusal::new("spinning-has-target", format!("{} spins and cannot have a target.", craft.id)).by(rule::R_58));
                }
                match (craft.formation, leader.side == craft.side) {
                    (false, true) => return Err(bad_formation("A friend can only be followed in formation.")),
                    (true, false) => return Err(bad_formation("There is no formation on an enemy.")),
                    (true, true) if leader.formation => return Err(bad_formation("A leader follows nobody.")),
                    _ => {}
                }
            }
            Ok(())
        }
        run(rules, input, ask) { Ok(output(input, &order(rules, input, RollOff::Dice, ask)?)) }
        odds order_odds
    }
}

/// The order by places in the list, without names.
#[derive(PartialEq, Eq, Hash)]
struct Ranked {
    posted: Vec<i32>,
    rank: Vec<usize>,
    order: Order,
}

fn order(rules: &Rules, input: &OrderInput, how: RollOff, ask: &mut impl Ask) -> Asked<Ranked> {
    let list = &input.aircraft;
    let ids: Vec<&str> = list.iter().map(|craft| craft.id.as_str()).collect();
    let target = |craft: &Ordered| craft.target.as_ref().and_then(|target| ids.iter().position(|id| id == target));
    let mut posted = Vec::with_capacity(list.len());
    for craft in list {
        let die = match craft.roll {
            Some(die) => die,
            None => initiative::initiative_die(ask, &craft.id)?,
        };
        posted.push(initiative::posted(&rules.tables, &craft.id, die, craft.experience, craft.speed, ask));
    }
    let keys: Vec<_> =
        list.iter().zip(&posted).map(|(craft, &posted)| (posted, craft.experience, craft.level, craft.speed)).collect();
    let rank = initiative::rank(&keys, &ids, how, ask)?;
    let mut ranks = vec![0u8; list.len()];
    for (place, &at) in rank.iter().enumerate() {
        ranks[at] = place as u8;
    }
    let entrants: Vec<Option<Entrant>> = list
        .iter()
        .zip(&ranks)
        .map(|(craft, &rank)| {
            let group = match (craft.spinning, &craft.target) {
                (true, _) => Group::Spinning,
                (false, Some(_)) => Group::WithTarget,
                (false, None) => Group::WithoutTarget,
            };
            Some(Entrant { group, rank, target: target(craft).map(|at| at as u8), formation: craft.formation })
        })
        .collect();
    let mut order = Order::begin(&entrants, &ids, how, ask)?;
    loop {
        match order.up_next() {
            Next::Nobody => break,
            Next::Moves(at) => order.has_just_moved(at, &ranks),
            Next::Place(at) => {
                let craft = &list[usize::from(at)];
                let prey = target(craft).filter(|&prey| craft.tail && !order.has_moved(prey as u8));
                if let Some(prey) = prey {
                    initiative::note_tailing(
                        &craft.id,
                        craft.edge,
                        posted[usize::from(at)],
                        posted[prey],
                        list[prey].target.is_some(),
                        ask,
                    );
                }
                match prey {
                    Some(prey)
                        if initiative::can_tail(
                            craft.edge,
                            posted[usize::from(at)],
                            posted[prey],
                            list[prey].target.is_some(),
                        ) =>
                    {
                        order.tail(at, prey as u8, &ids, how, ask)?;
                    }
                    _ => order.has_just_moved(at, &ranks),
                }
            }
        }
    }
    Ok(Ranked { posted, rank, order })
}

fn output(input: &OrderInput, ranked: &Ranked) -> OrderOutput {
    let list = &input.aircraft;
    let order = &ranked.order;
    let name = |at: u8| list[usize::from(at)].id.clone();
    let followers: Vec<(u8, (u8, Why))> =
        (0..list.len() as u8).filter_map(|at| Some((at, order.follows(at)?))).collect();
    OrderOutput {
        initiative: ById(list.iter().zip(&ranked.posted).map(|(craft, posted)| (craft.id.clone(), *posted)).collect()),
        rank: ranked.rank.iter().map(|&at| list[at].id.clone()).collect(),
        follows: ById(followers.iter().map(|&(at, (leader, _))| (name(at), name(leader))).collect()),
        why: ById(followers.iter().map(|&(at, (_, why))| (name(at), why)).collect()),
        loops: order
            .circles()
            .iter()
            .map(|circle| Loop {
                members: circle.members.iter().map(|&at| name(at)).collect(),
                first: name(circle.first),
            })
            .collect(),
        order: order.moved().iter().map(|&at| name(at)).collect(),
    }
}

/// The most branches that are walked for an order: six dice with all that ties may add.
const MOST_BRANCHES: u64 = 4_000_000;

/// Roll-offs among equals could go on for ever; what they come to is every order alike.
fn order_odds(rules: &Rules, input: &OrderInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
    let dice = input.aircraft.iter().filter(|craft| craft.roll.is_none()).count() as u32;
    let budget = Budget { branches: budget.branches.min(MOST_BRANCHES), ..budget };
    if 10u64.checked_pow(dice).is_none_or(|branches| branches > budget.branches) {
        return Err(OddsError::BudgetExceeded.into());
    }
    let dist = enumerate::<_, Exact>(budget, |ask| order(rules, input, RollOff::EveryOrderAlike, ask))?;
    let mut projection = Projection::new(wanted);
    // Whoever follows nobody is absent from the result; among the chances of a single aircraft that is a null, so that they add up.
    let by_name: &[&str] = if matches!(wanted, Some("follows" | "why")) { &[] } else { &["follows", "why"] };
    for (ranked, weight) in dist.iter() {
        let mut ruling = serde_json::to_value(output(input, ranked)).unwrap_or_default();
        for field in by_name {
            for craft in &input.aircraft {
                if let Some(followers) = ruling[field].as_object_mut() {
                    followers.entry(craft.id.clone()).or_insert(Value::Null);
                }
            }
        }
        projection.add(&ruling, weight);
    }
    Ok(projection.finish(dist.total()))
}
