//! Posted initiative, rank, and the order of movement with its followers, chains and circles. (Initiative, Tailing)

use crate::rule;
use crate::tables::Tables;
use crate::words::{divided_up, words};
use flagplot_kernel::{Ask, Asked, D6, D10, Die, Modifier, Note, Rule};
use serde::{Deserialize, Serialize};

words! {
    /// Why an aircraft moves directly after another.
    Why {
        /// It flies in formation.
        Formation = "formation",
        /// It outranks its target.
        Initiative = "initiative",
        /// Its edge lets it wait.
        Tailing = "tailing",
    }
}

/// The groups in which aircraft move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// Spinning aircraft.
    Spinning,
    /// Aircraft with a target.
    WithTarget,
    /// Aircraft without one.
    WithoutTarget,
}

/// How equals are put into an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollOff {
    /// With d6, again and again until they differ.
    Dice,
    /// Every order alike, which is what the dice come to: for exact odds.
    EveryOrderAlike,
}

/// The initiative die, read 0 to 9: the ten shows 0.
pub fn initiative_die(ask: &mut impl Ask, id: &str) -> Asked<u8> {
    Ok(ask.roll(D10, format_args!("initiative of {id}, the ten read as 0"))? % 10)
}

/// The posted number: die, experience and speed. (Initiative)
pub fn posted(tables: &Tables, id: &str, die: u8, experience: i32, speed: i32, ask: &mut impl Ask) -> i32 {
    let modifier = tables.initiative.read(ask, rule::INITIATIVE, 0, speed);
    let posted = i32::from(die) + experience + modifier;
    ask.note(|| {
        let rules: &[_] = if speed == 0 { &[rule::INITIATIVE, rule::R_16] } else { &[rule::INITIATIVE] };
        Note::new("initiative", format!("{id} posts {posted}."))
            .detail()
            .by(rules)
            .dice(&[die])
            .modifier(Modifier::new("experience", experience.into(), rule::INITIATIVE))
            .modifier(Modifier::new("speed", modifier.into(), rule::INITIATIVE))
            .outcome(posted)
            .pieces([id])
    });
    posted
}

/// What ranks an aircraft, in this order: posted number, experience, level, speed.
pub type RankKey = (i32, i32, i32, i32);

/// Ranks aircraft from low to high; `keys` in listing order. Equals roll, from the lowest group of equals on. (Initiative; R-1)
pub fn rank(keys: &[RankKey], names: &[&str], how: RollOff, ask: &mut impl Ask) -> Asked<Vec<usize>> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&at| keys[at]);
    let mut ranked = Vec::with_capacity(order.len());
    for equals in order.chunk_by(|&a, &b| keys[a] == keys[b]) {
        ranked.extend(settle_equals(equals, names, how, ask)?);
    }
    ask.note(|| {
        let order: Vec<&str> = ranked.iter().map(|&at| names[at]).collect();
        Note::new("rank", format!("Ranks from low to high: {}.", order.join(", ")))
            .by(&[rule::INITIATIVE, rule::R_1])
            .outcome(serde_json::json!(order))
    });
    Ok(ranked)
}

fn settle_equals(equals: &[usize], names: &[&str], how: RollOff, ask: &mut impl Ask) -> Asked<Vec<usize>> {
    if equals.len() < 2 {
        return Ok(equals.to_vec());
    }
    if how == RollOff::EveryOrderAlike {
        let mut left = equals.to_vec();
        let mut settled = Vec::new();
        while left.len() > 1 {
            let pick = ask.roll(Die { sides: left.len() as u8 }, "order of equals")?;
            settled.push(left.remove(usize::from(pick) - 1));
        }
        settled.append(&mut left);
        return Ok(settled);
    }
    let mut rolled = Vec::with_capacity(equals.len());
    for &at in equals {
        rolled.push((ask.roll(D6, format_args!("roll-off of {}", names[at]))?, at));
    }
    note_dice("roll-off", "The higher die ranks higher", &rolled, names, &[rule::INITIATIVE, rule::R_1], ask);
    rolled.sort_by_key(|&(die, _)| die);
    let mut settled = Vec::with_capacity(equals.len());
    for same in rolled.chunk_by(|a, b| a.0 == b.0) {
        let mut same: Vec<usize> = same.iter().map(|&(_, at)| at).collect();
        same.sort_unstable();
        settled.extend(settle_equals(&same, names, how, ask)?);
    }
    Ok(settled)
}

/// Notes the dice of equals, or of a circle.
fn note_dice(
    what: &'static str,
    text: &str,
    rolled: &[(u8, usize)],
    names: &[&str],
    rules: &[Rule],
    ask: &mut impl Ask,
) {
    ask.note(|| {
        let (faces, who): (Vec<u8>, Vec<&str>) = rolled.iter().map(|&(die, at)| (die, names[at])).unzip();
        let words: Vec<String> = rolled.iter().map(|&(die, at)| format!("{} {die}", names[at])).collect();
        Note::new(what, format!("{text}: {}.", words.join(", "))).detail().by(rules).dice(&faces).pieces(who)
    });
}

/// What the order of movement needs to know of an aircraft when the phase begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Its group.
    pub group: Group,
    /// Its place among all, from 0 for the lowest.
    pub rank: u8,
    /// Whom it has fixed on.
    pub target: Option<u8>,
    /// Whether that is the leader of its formation.
    pub formation: bool,
}

/// A circle of followers that was rolled for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Circle {
    /// Who is in it, in listing order.
    pub members: Vec<u8>,
    /// Who goes first.
    pub first: u8,
}

/// The order of movement while it unfolds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Order {
    /// Everybody by group and rank.
    places: Vec<u8>,
    /// The place that is being looked at.
    at: u8,
    /// Who moves directly after whom, and why.
    follows: Vec<Option<(u8, Why)>>,
    /// Who has moved, in order.
    moved: Vec<u8>,
    /// Who is to move next, the next one last: a leader's followers and theirs.
    due: Vec<u8>,
    /// Those who go first in a circle and are not asked to tail again.
    settled: Vec<u8>,
    /// The circles rolled for.
    circles: Vec<Circle>,
}

/// What comes next in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This aircraft moves.
    Moves(u8),
    /// The place of this aircraft has come up; it moves unless it declares that it tails.
    Place(u8),
    /// All have moved.
    Nobody,
}

impl Order {
    /// The order when movement begins (nothing for aircraft that are not in play): groups, ranks, formations and those who outrank their targets are fixed. (Following)
    pub fn begin(entrants: &[Option<Entrant>], names: &[&str], how: RollOff, ask: &mut impl Ask) -> Asked<Order> {
        let entrant = |at: u8| entrants.get(usize::from(at)).copied().flatten();
        let mut places: Vec<u8> = (0..entrants.len() as u8).filter(|&at| entrant(at).is_some()).collect();
        places.sort_by_key(|&at| entrant(at).map(|entrant| (entrant.group, entrant.rank)));
        let follows = entrants
            .iter()
            .map(|own| {
                let own = (*own)?;
                let target = own.target?;
                if own.formation {
                    return Some((target, Why::Formation));
                }
                (own.rank > entrant(target)?.rank).then_some((target, Why::Initiative))
            })
            .collect();
        let mut order = Order { places, at: 0, follows, ..Order::default() };
        for at in 0..entrants.len() as u8 {
            if let Some((leader, why)) = order.follows(at) {
                ask.note(|| {
                    let (text, rules): (_, &[_]) = match why {
                        Why::Formation => {
                            ("flies in formation on", &[rule::FOLLOWING, rule::FORMATION, rule::R_12, rule::R_15])
                        }
                        _ => {
                            ("outranks its target and moves directly after", &[rule::FOLLOWING, rule::R_13, rule::R_15])
                        }
                    };
                    Note::new("follows", format!("{} {text} {}.", names[usize::from(at)], names[usize::from(leader)]))
                        .detail()
                        .by(rules)
                });
            }
        }
        // A formation can close a circle before anybody declares anything: it is rolled for like any other.
        for at in 0..entrants.len() as u8 {
            order.settle_circle(at, names, how, ask)?;
        }
        Ok(order)
    }

    /// Whom an aircraft follows, and why.
    #[must_use]
    pub fn follows(&self, at: u8) -> Option<(u8, Why)> {
        self.follows.get(usize::from(at)).copied().flatten()
    }

    /// Who has moved, in order.
    #[must_use]
    pub fn moved(&self) -> &[u8] {
        &self.moved
    }

    /// The circles rolled for.
    #[must_use]
    pub fn circles(&self) -> &[Circle] {
        &self.circles
    }

    /// Everybody by group and rank.
    #[must_use]
    pub fn places(&self) -> &[u8] {
        &self.places
    }

    /// Whether an aircraft has moved.
    #[must_use]
    pub fn has_moved(&self, at: u8) -> bool {
        self.moved.contains(&at)
    }

    /// Who moves or whose place it is.
    pub fn up_next(&mut self) -> Next {
        if let Some(&due) = self.due.last() {
            return Next::Moves(due);
        }
        while let Some(&at) = self.places.get(usize::from(self.at)) {
            if self.has_moved(at) || self.follows(at).is_some() {
                self.at += 1;
            } else if self.settled.contains(&at) {
                return Next::Moves(at);
            } else {
                return Next::Place(at);
            }
        }
        Next::Nobody
    }

    /// Notes that an aircraft has moved: those who follow it are due, formations first, then low rank to high, each with its own
    /// followers directly behind it.
    pub fn has_just_moved(&mut self, at: u8, ranks: &[u8]) {
        if self.due.last() == Some(&at) {
            self.due.pop();
        }
        self.moved.push(at);
        let mut followers: Vec<u8> = (0..self.follows.len() as u8)
            .filter(|&other| self.follows(other).is_some_and(|(leader, _)| leader == at) && !self.has_moved(other))
            .collect();
        followers.sort_by_key(|&other| {
            (self.follows(other).map(|(_, why)| why != Why::Formation), ranks.get(usize::from(other)).copied())
        });
        self.due.extend(followers.into_iter().rev());
    }

    /// An aircraft whose place has come up waits for its target. A circle that this closes is rolled for at once. (Tailing)
    pub fn tail(&mut self, at: u8, target: u8, names: &[&str], how: RollOff, ask: &mut impl Ask) -> Asked<()> {
        self.follows[usize::from(at)] = Some((target, Why::Tailing));
        ask.note(|| {
            Note::new(
                "tails",
                format!("{} tails {} and waits for it.", names[usize::from(at)], names[usize::from(target)]),
            )
            .by(&[rule::TAILING, rule::R_13, rule::R_64])
            .pieces([names[usize::from(at)], names[usize::from(target)]])
        });
        if let Some(first) = self.settle_circle(at, names, how, ask)? {
            let place = |who: u8| self.places.iter().position(|&other| other == who);
            if place(first) <= place(at) {
                self.due.push(first);
            }
        }
        Ok(())
    }

    /// If an aircraft is part of a circle, its members roll; the lowest goes first and follows nobody. Tells who it is.
    fn settle_circle(&mut self, at: u8, names: &[&str], how: RollOff, ask: &mut impl Ask) -> Asked<Option<u8>> {
        let mut members = vec![at];
        let mut here = at;
        loop {
            let Some((leader, _)) = self.follows(here) else { return Ok(None) };
            if leader == at {
                break;
            }
            if members.contains(&leader) {
                return Ok(None); // It leads into a circle of others.
            }
            members.push(leader);
            here = leader;
        }
        members.sort_unstable();
        let mut tied: Vec<u8> = members
            .iter()
            .copied()
            .filter(|&member| self.follows(member).is_some_and(|(_, why)| why != Why::Formation))
            .collect();
        while tied.len() > 1 {
            if how == RollOff::EveryOrderAlike {
                let pick = ask.roll(Die { sides: tied.len() as u8 }, "first of a circle")?;
                tied = vec![tied[usize::from(pick) - 1]];
                break;
            }
            let mut rolled = Vec::with_capacity(tied.len());
            for member in tied.into_iter().map(usize::from) {
                rolled.push((ask.roll(D6, format_args!("circle roll of {}", names[member]))?, member));
            }
            note_dice("circle-roll", "The lowest die goes first", &rolled, names, &[rule::CIRCLES, rule::R_14], ask);
            let lowest = rolled.iter().map(|&(die, _)| die).min();
            tied = rolled.into_iter().filter(|&(die, _)| Some(die) == lowest).map(|(_, member)| member as u8).collect();
        }
        let Some(&first) = tied.first() else { return Ok(None) };
        self.follows[usize::from(first)] = None;
        self.settled.push(first);
        ask.note(|| {
            let circle: Vec<&str> = members.iter().map(|&member| names[usize::from(member)]).collect();
            Note::new(
                "circle",
                format!(
                    "{} chase each other in a circle; {} goes first.",
                    circle.join(", "),
                    names[usize::from(first)]
                ),
            )
            .by(&[rule::CIRCLES, rule::R_14, rule::R_64])
            .outcome(names[usize::from(first)])
            .pieces(circle)
        });
        self.circles.push(Circle { members, first });
        Ok(Some(first))
    }
}

/// What an edge adds to the posted number of a pilot who would tail: all of it if the target is busy with a target of its own, else half.
#[must_use]
pub fn tailing_bonus(edge: i32, target_has_target: bool) -> i32 {
    if target_has_target { edge } else { divided_up(edge, 2) }
}

/// Whether a pilot's edge lifts him above his target's bare posted number. A negative edge is never added. (Tailing; R-13)
#[must_use]
pub fn can_tail(edge: i32, posted: i32, target_posted: i32, target_has_target: bool) -> bool {
    edge > 0 && posted + tailing_bonus(edge, target_has_target) > target_posted
}

/// Notes the comparison by which a pilot may wait for his target, or not.
pub(crate) fn note_tailing(
    who: &str,
    edge: i32,
    posted: i32,
    target_posted: i32,
    target_has_target: bool,
    ask: &mut impl Ask,
) {
    ask.note(|| {
        let bonus = if edge > 0 { tailing_bonus(edge, target_has_target) } else { 0 };
        let can = can_tail(edge, posted, target_posted, target_has_target);
        let end = if can { "may wait" } else { "may not wait" };
        Note::new("may-tail", format!("{who} compares {} with {target_posted} and {end}.", posted + bonus))
            .detail()
            .by(&[rule::TAILING, rule::R_13])
            .modifier(Modifier::new("posted", posted.into(), rule::INITIATIVE))
            .modifier(Modifier::new(
                if target_has_target { "edge" } else { "half the edge" },
                bonus.into(),
                rule::TAILING,
            ))
            .outcome(can)
            .pieces([who])
    });
}
