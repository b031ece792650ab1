//! Posted initiative, rank, and the order of movement with its followers, chains and circles. (Initiative, Tailing)

use crate::rule;
use crate::tables::Tables;
use crate::who::Who;
use crate::words::divided_up;
use flagplot_kernel::{Ask, Asked, D6, D10, Die, Modifier, Note, Rule};
use flagplot_referee::words;
use serde::{Deserialize, Serialize};

/// Why an aircraft moves directly after another.
#[words]
pub enum Why {
    Formation,
    Initiative,
    Tailing,
}

/// The groups in which aircraft move, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Spinning,
    WithTarget,
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

/// What decides between equal numbers, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seniority {
    pub experience: i32,
    pub level: i32,
    pub speed: i32,
}

/// What ranks an aircraft, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RankKey {
    pub posted: i32,
    pub seniority: Seniority,
}

/// The number an aircraft posts: the die, the ten read as 0 (unless it is known), with experience and speed.
/// (Initiative)
pub fn post(
    tables: &Tables,
    who: Who<'_>,
    known: Option<u8>,
    seniority: Seniority,
    ask: &mut impl Ask,
) -> Asked<RankKey> {
    let Seniority { experience, speed, .. } = seniority;
    let die = match known {
        Some(die) => die,
        None => ask.roll(D10, format_args!("initiative of {}, the ten read as 0", who.id))? % 10,
    };
    let modifier = tables.initiative.read(ask, rule::INITIATIVE, 0, speed);
    let posted = i32::from(die) + experience + modifier;
    ask.note(|| {
        let rules: &[_] = if speed == 0 { &[rule::INITIATIVE, rule::R_16] } else { &[rule::INITIATIVE] };
        Note::new("initiative", format!("{who} posts {posted}."))
            .detail()
            .by(rules)
            .dice(&[die])
            .modifier(Modifier::new("experience", experience.into(), rule::INITIATIVE))
            .modifier(Modifier::new("speed", modifier.into(), rule::INITIATIVE))
            .outcome(posted)
            .pieces([who.id])
    });
    Ok(RankKey { posted, seniority })
}

/// Ranks aircraft from low to high; `keys` in listing order. Equals roll, from the lowest group of equals on.
/// (Initiative; R-1)
pub fn rank(keys: &[RankKey], names: &[Who<'_>], how: RollOff, ask: &mut impl Ask) -> Asked<Vec<usize>> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&at| keys[at]);
    let mut ranked = Vec::with_capacity(order.len());
    for equals in order.chunk_by(|&a, &b| keys[a] == keys[b]) {
        ranked.extend(settle_equals(equals, names, how, ask)?);
    }
    ask.note(|| {
        let (ids, order): (Vec<&str>, Vec<&str>) = ranked.iter().map(|&at| (names[at].id, names[at].name)).unzip();
        Note::new("rank", format!("Ranks from low to high: {}.", order.join(", ")))
            .by(&[rule::INITIATIVE, rule::R_1])
            .outcome(serde_json::json!(ids))
    });
    Ok(ranked)
}

fn settle_equals(equals: &[usize], names: &[Who<'_>], how: RollOff, ask: &mut impl Ask) -> Asked<Vec<usize>> {
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
        rolled.push((ask.roll(D6, format_args!("roll-off of {}", names[at].id))?, at));
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

fn note_dice(
    what: &'static str,
    text: &str,
    rolled: &[(u8, usize)],
    names: &[Who<'_>],
    rules: &[Rule],
    ask: &mut impl Ask,
) {
    ask.note(|| {
        let (faces, who): (Vec<u8>, Vec<&str>) = rolled.iter().map(|&(die, at)| (die, names[at].id)).unzip();
        let words: Vec<String> = rolled.iter().map(|&(die, at)| format!("{} {die}", names[at])).collect();
        Note::new(what, format!("{text}: {}.", words.join(", "))).detail().by(rules).dice(&faces).pieces(who)
    });
}

/// What the order of movement needs to know of an aircraft when the phase begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entrant {
    pub spinning: bool,
    /// Its place among all, from 0 for the lowest.
    pub rank: u8,
    pub target: Option<u8>,
    /// Whether the target is the leader of its formation.
    pub formation: bool,
}

impl Entrant {
    fn group(&self) -> Group {
        match (self.spinning, self.target) {
            (true, _) => Group::Spinning,
            (false, Some(_)) => Group::WithTarget,
            (false, None) => Group::WithoutTarget,
        }
    }
}

/// A circle of followers that was rolled for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Circle {
    /// Who is in it, in listing order.
    pub members: Vec<u8>,
    pub first: u8,
}

/// The order of movement while it unfolds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Order {
    /// Everybody by group and rank.
    places: Vec<u8>,
    /// The place that is being looked at.
    at: u8,
    /// When one aircraft moves directly after another, and why.
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
    Moves(u8),
    /// The place of this aircraft has come up; it moves unless it declares that it tails.
    Place(u8),
    Nobody,
}

impl Order {
    /// The order when movement begins (no entrant for aircraft that are not in play): groups, ranks, formations and
    /// those who outrank their targets are fixed. (Following)
    pub fn begin(entrants: &[Option<Entrant>], names: &[Who<'_>], how: RollOff, ask: &mut impl Ask) -> Asked<Order> {
        let entrant = |at: u8| entrants.get(usize::from(at)).copied().flatten();
        let mut places: Vec<u8> = (0..entrants.len() as u8).filter(|&at| entrant(at).is_some()).collect();
        places.sort_by_key(|&at| entrant(at).map(|entrant| (entrant.group(), entrant.rank)));
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
                        Why::Formation => ("flies in formation on", &[rule::FORMATION, rule::R_12]),
                        _ => ("outranks its target and moves directly after", &[rule::R_13]),
                    };
                    Note::new("follows", format!("{} {text} {}.", names[usize::from(at)], names[usize::from(leader)]))
                        .detail()
                        .by(&[rule::FOLLOWING])
                        .by(rules)
                        .by(&[rule::R_15])
                });
            }
        }
        // A formation can close a circle before anybody declares anything: it is rolled for like any other.
        for at in 0..entrants.len() as u8 {
            order.settle_circle(at, names, how, ask)?;
        }
        Ok(order)
    }

    pub fn follows(&self, at: u8) -> Option<(u8, Why)> {
        self.follows.get(usize::from(at)).copied().flatten()
    }

    pub fn moved(&self) -> &[u8] {
        &self.moved
    }

    pub fn circles(&self) -> &[Circle] {
        &self.circles
    }

    pub fn places(&self) -> &[u8] {
        &self.places
    }

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

    /// An aircraft has moved: its followers are due, formations first, then low rank to high, each with its own
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

    /// An aircraft whose place has come up waits for its target. A circle that this closes is rolled for at once.
    /// (Tailing)
    pub fn tail(&mut self, at: u8, target: u8, names: &[Who<'_>], how: RollOff, ask: &mut impl Ask) -> Asked<()> {
        self.follows[usize::from(at)] = Some((target, Why::Tailing));
        ask.note(|| {
            let (who, prey) = (names[usize::from(at)], names[usize::from(target)]);
            Note::new("tails", format!("{who} tails {prey} and waits for it."))
                .by(&[rule::TAILING, rule::R_13, rule::R_64])
                .pieces([who.id, prey.id])
        });
        if let Some(first) = self.settle_circle(at, names, how, ask)? {
            let place = |who: u8| self.places.iter().position(|&other| other == who);
            if place(first) <= place(at) {
                self.due.push(first);
            }
        }
        Ok(())
    }

    /// If an aircraft is part of a circle, its members roll; the lowest goes first and follows nobody. Returns it.
    fn settle_circle(&mut self, at: u8, names: &[Who<'_>], how: RollOff, ask: &mut impl Ask) -> Asked<Option<u8>> {
        if self.follows(at).is_none() {
            return Ok(None);
        }
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
                rolled.push((ask.roll(D6, format_args!("circle roll of {}", names[member].id))?, member));
            }
            note_dice("circle-roll", "The lowest die goes first", &rolled, names, &[rule::CIRCLES, rule::R_14], ask);
            let lowest = rolled.iter().map(|&(die, _)| die).min();
            tied = rolled.into_iter().filter(|&(die, _)| Some(die) == lowest).map(|(_, member)| member as u8).collect();
        }
        let Some(&first) = tied.first() else { return Ok(None) };
        self.follows[usize::from(first)] = None;
        self.settled.push(first);
        ask.note(|| {
            let circle = members.iter().map(|&member| names[usize::from(member)]);
            let (ids, circle): (Vec<&str>, Vec<&str>) = circle.map(|who| (who.id, who.name)).unzip();
            let first = names[usize::from(first)];
            Note::new("circle", format!("{} chase each other in a circle; {first} goes first.", circle.join(", ")))
                .by(&[rule::CIRCLES, rule::R_14, rule::R_64])
                .outcome(first.id)
                .pieces(ids)
        });
        self.circles.push(Circle { members, first });
        Ok(Some(first))
    }
}

/// The comparison by which a pilot may wait for his target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tailing {
    pub edge: i32,
    pub posted: i32,
    pub target_posted: i32,
    pub target_has_target: bool,
}

impl Tailing {
    /// What the edge adds to the posted number: all of it if the target is busy with a target of its own, else half. A
    /// negative edge is never added.
    pub fn bonus(&self) -> i32 {
        let edge = self.edge.max(0);
        if self.target_has_target { edge } else { divided_up(edge, 2) }
    }

    /// Whether the edge lifts the pilot above his target's bare posted number. (Tailing; R-13)
    pub fn allowed(&self) -> bool {
        self.edge > 0 && self.posted + self.bonus() > self.target_posted
    }

    pub(crate) fn note(&self, who: Who<'_>, ask: &mut impl Ask) {
        ask.note(|| {
            let end = if self.allowed() { "may wait" } else { "may not wait" };
            let text = format!("{who} compares {} with {} and {end}.", self.posted + self.bonus(), self.target_posted);
            let edge = if self.target_has_target { "edge" } else { "half the edge" };
            Note::new("may-tail", text)
                .detail()
                .by(&[rule::TAILING, rule::R_13])
                .modifier(Modifier::new("posted", self.posted.into(), rule::INITIATIVE))
                .modifier(Modifier::new(edge, self.bonus().into(), rule::TAILING))
                .outcome(self.allowed())
                .pieces([who.id])
        });
    }
}
