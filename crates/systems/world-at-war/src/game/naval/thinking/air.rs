//! Squadrons: strikes and targets. [15.8]

use super::super::NavalGame;
use super::super::air_choices::{Aims, Launch, Launches, Targets};
use super::super::facts::Home;
use super::super::odds::{ALL, WEIGHTS};
use super::super::said::Said;
use super::super::state::{Flight, Mark, NavalState, Open};
use super::POINT;
use crate::air::{AirGroup, AirType};
use crate::air_defense;
use crate::charts::Toll;
use crate::nation::majority;
use flagplot_kernel::{Chance, Choice, Side};

/// What a squadron is worth in each round that is left, in hundredths of a point.
const SQUADRON: i64 = 40;

/// A force in the air, as far as its quality goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Force {
    pub count: u32,
    pub drm: i32,
    /// Whether most of it is naval air.
    pub naval: bool,
}

impl Force {
    pub fn new(game: &NavalGame, groups: impl Iterator<Item = AirGroup> + Clone) -> Self {
        let count = groups.clone().map(|air| air.count).sum();
        let drms = groups.clone().map(|air| (air.drm::<i32>(&game.rules.nations), air.count));
        let naval: u32 = groups.filter(|air| air.kind == AirType::NavalAir).map(|air| air.count).sum();
        Self { count, drm: majority(drms.filter(|part| part.1 > 0)), naval: 2 * naval > count }
    }
}

/// A strike on a group: what it meets and what it can hit.
pub(crate) struct Prospect<'a> {
    pub game: &'a NavalGame,
    pub open: &'a Open,
    pub target: u8,
    pub force: Force,
    pub surprise: u32,
    /// What flies over the group, and whether it flies CAP.
    pub patrol: Force,
    pub on_cap: bool,
}

/// What squadrons over a group can do to it.
pub(crate) struct Sights {
    pub marks: Vec<Mark>,
    /// By target and squadrons: hundredths of a point, times 36.
    worth: Vec<Vec<i64>>,
    /// By squadrons in all: the best total.
    best: Vec<i64>,
    /// By target and squadrons for it and those before it: how many go to it.
    shares: Vec<Vec<u8>>,
}

impl<'a> Prospect<'a> {
    pub fn modifier(&self, mark: Mark) -> i32 {
        let target = self.game.target(self.open, self.target, mark, false);
        let side = self.game.side_of_group(self.target);
        self.force.drm - target.drm::<i32>(&self.game.rules)
            + i32::from(self.force.naval && self.game.facts.at_sea[side])
            + i32::from(self.surprise >= 3)
    }

    pub fn level(&self) -> i32 {
        let defenses = self.game.defenses(self.open, self.target);
        air_defense::level(&defenses, self.surprise, &self.game.rules.naval).level()
    }

    /// Squadrons shared out by dynamic programming over exact expected points. [15.8]
    pub fn sights(&self) -> Sights {
        let Prospect { game, open, target, force, .. } = *self;
        let marks = game.marks(open, target);
        let most = force.count as usize;
        let deck = SQUADRON * game.rounds_left(open) + game.scenario.victory.squadron_eliminated * POINT / 2;
        let worth = marks.iter().map(|&mark| {
            let (aim, modifier) = (game.target(open, target, mark, false), self.modifier(mark));
            let dice = WEIGHTS.len();
            let hits = |squadrons: u32, at: usize| game.glance.air(squadrons, at, modifier) as usize;
            let most_hits = (0..=most as u32).flat_map(|count| (0..dice).map(move |at| (count, at)));
            let most_hits = most_hits.map(|(count, at)| hits(count, at)).max().unwrap_or(0);
            // What each number of hits is worth, once for all squadrons and dice.
            let harms: Vec<i64> = (0..=most_hits as u32)
                .map(|hits| game.harm(open, mark, &aim, hits))
                .map(|harm| harm.points * POINT + i64::from(harm.decks) * deck)
                .collect();
            let value = |squadrons: u32| -> i64 {
                WEIGHTS.iter().enumerate().map(|(at, weight)| weight * harms[hits(squadrons, at)]).sum()
            };
            (0..=most as u32).map(value).collect()
        });
        let worth: Vec<Vec<i64>> = worth.collect();
        let mut best: Vec<i64> = vec![0; most + 1];
        let mut shares: Vec<Vec<u8>> = Vec::with_capacity(marks.len());
        for worth in &worth {
            let mut chosen = vec![0; most + 1];
            for all in (1..=most).rev() {
                for here in 1..=all {
                    let value = best[all - here] + worth[here];
                    if value > best[all] {
                        best[all] = value;
                        chosen[all] = here as u8;
                    }
                }
            }
            shares.push(chosen);
        }
        Sights { marks, worth, best, shares }
    }

    /// How many squadrons get through, with their chances out of 36³, and the squadrons eliminated on the way.
    pub fn arrivals(&self) -> Vec<(u32, u32, i64)> {
        let (glance, level) = (&self.game.glance, self.level());
        let mut all: Vec<(u32, u32, i64)> = Vec::new();
        let mut add =
            |left: u32, gone: u32, weight: i64| match all.iter_mut().find(|known| (known.0, known.1) == (left, gone)) {
                Some(known) => known.2 += weight,
                None => all.push((left, gone, weight)),
            };
        let lose = |count: u32, toll: Toll| {
            let gone = toll.eliminated.min(count);
            (count - gone - toll.aborted.min(count - gone), gone)
        };
        for (roll, weight) in WEIGHTS.iter().enumerate() {
            let fought = if self.patrol.count > 0 {
                lose(self.force.count, glance.combat(self.patrol.count, roll, -self.combat_modifier()))
            } else {
                (self.force.count, 0)
            };
            for (guns, shot) in WEIGHTS.iter().enumerate() {
                let (left, gone) =
                    lose(fought.0, if fought.0 > 0 { glance.defense(level, guns) } else { Toll::default() });
                add(left, fought.1 + gone, weight * shot);
            }
        }
        all
    }

    /// What the strike adds to its dice against the aircraft over the group.
    pub fn combat_modifier(&self) -> i32 {
        self.force.drm - self.patrol.drm - i32::from(self.on_cap)
    }

    /// Squadrons of the patrol that the strike shoots down, in hundredths.
    pub fn patrol_lost(&self) -> i64 {
        if self.patrol.count == 0 {
            return 0;
        }
        let dice = WEIGHTS.iter().enumerate().map(|(roll, weight)| {
            let toll = self.game.glance.combat(self.force.count, roll, self.combat_modifier());
            weight * i64::from(toll.eliminated.min(self.patrol.count))
        });
        dice.sum::<i64>() * 100 / ALL
    }

    /// The expected gain of the strike, in hundredths of a point.
    pub fn gain(&self) -> i64 {
        if self.force.count == 0 { 0 } else { self.gain_by(&self.sights()) }
    }

    /// The same with what its squadrons can do known.
    pub fn gain_by(&self, sights: &Sights) -> i64 {
        if self.force.count == 0 {
            return 0;
        }
        let each = self.game.scenario.victory.squadron_eliminated * POINT;
        let mine = each + SQUADRON * self.game.rounds_left(self.open);
        let arrivals = self.arrivals().into_iter();
        let hits: i64 = arrivals
            .map(|(left, gone, weight)| weight * (sights.best[left as usize] / ALL - mine * i64::from(gone)))
            .sum();
        hits / (ALL * ALL) + self.patrol_lost() * mine / 100
    }
}

impl Sights {
    /// The best share-out of so many squadrons, the most certain target first.
    pub fn share(&self, squadrons: u32) -> Aims {
        let mut left = squadrons as usize;
        let mut aims: Vec<(usize, u8)> = Vec::new();
        for (at, chosen) in self.shares.iter().enumerate().rev() {
            if chosen[left] > 0 {
                aims.push((at, chosen[left]));
                left -= usize::from(chosen[left]);
            }
        }
        aims.reverse();
        let given: u32 = aims.iter().map(|(_, share)| u32::from(*share)).sum();
        if given < squadrons {
            // More than can do any good still has to go somewhere.
            let rest = (squadrons - given) as u8;
            match aims.first_mut() {
                Some(first) => first.1 += rest,
                None => aims.push((0, rest)),
            }
        }
        aims.sort_by_key(|&(at, share)| {
            (std::cmp::Reverse(self.worth[at][usize::from(share)] / i64::from(share.max(1))), at)
        });
        Aims(aims.into_iter().map(|(at, share)| (self.marks[at], share)).collect())
    }
}

/// A strike on a group with all that is known or supposed of the aircraft over it.
pub(crate) fn prospect<'a>(
    game: &'a NavalGame,
    open: &'a Open,
    side: Side,
    target: u8,
    force: Force,
    caps: &dyn Fn(u8) -> u8,
) -> Prospect<'a> {
    let cap = game.wings_at(open, Home::Group(target)).map(|(at, _)| game.squadrons(open, at, caps(at)));
    let cap: Vec<AirGroup> = cap.filter(|air| air.count > 0).collect();
    let on_cap = !cap.is_empty();
    let patrol: Vec<AirGroup> = cap.into_iter().chain(game.covers(open, target).map(|cover| cover.1)).collect();
    let surprise = u32::from(open.sight[side].surprise);
    Prospect { game, open, target, force, surprise, patrol: Force::new(game, patrol.iter().copied()), on_cap }
}

impl NavalGame {
    /// What a strike adds to its dice against a target.
    pub(crate) fn strike_modifier(&self, open: &Open, flight: &Flight, mark: Mark, force: Force) -> i32 {
        prospect(self, open, flight.side, flight.target, force, &|_| 0).modifier(mark)
    }

    /// The air defense level that a strike meets.
    pub(crate) fn gun_level(&self, open: &Open, flight: &Flight) -> i32 {
        let defenses = self.defenses(open, flight.target);
        let surprise = u32::from(open.sight[flight.side].surprise);
        air_defense::level(&defenses, surprise, &self.rules.naval).level()
    }

    /// The first flight in line against the aircraft it meets.
    pub(crate) fn cap_prospect<'a>(&'a self, state: &'a NavalState, flight: &Flight) -> Prospect<'a> {
        let NavalState { open, tasks } = state;
        let groups = flight.force.iter().map(|&(wing, count)| self.squadrons(open, wing, count));
        let force = Force::new(self, groups);
        prospect(self, open, flight.side, flight.target, force, &|wing| tasks[usize::from(wing)].cap)
    }
}

impl<'a> Choice for Targets<'a> {
    fn sample(&self, chance: &mut Chance) -> Said<'a, Aims> {
        let marks = self.marks();
        let mut aims: Vec<(Mark, u8)> = Vec::new();
        let mut left = self.flight.squadrons();
        while left > 0 {
            let (mark, count) = (marks[chance.below(marks.len() as u32) as usize], 1 + chance.below(left));
            left -= count;
            match aims.iter_mut().find(|aim| aim.0 == mark) {
                Some(aim) => aim.1 += count as u8,
                None => aims.push((mark, count as u8)),
            }
        }
        self.placed(Aims(aims))
    }

    fn instinct(&self, _: &mut Chance) -> Said<'a, Aims> {
        self.placed(aimed(self))
    }
}

/// The best targets of a strike that got through.
pub(crate) fn aimed(choice: &Targets<'_>) -> Aims {
    let Targets { game, open, flight } = *choice;
    let groups = flight.force.iter().map(|&(wing, count)| game.squadrons(open, wing, count));
    let force = Force::new(game, groups);
    prospect(game, open, flight.side, flight.target, force, &|_| 0).sights().share(force.count)
}

/// CAP that a seat supposes over a group whose tasks it does not know: a quarter.
pub(crate) fn supposed_cap(open: &Open, wing: u8) -> u8 {
    let wing = &open.wings[usize::from(wing)];
    wing.free().div_ceil(4)
}

/// Where the squadrons of each home go, and what that is worth.
pub(crate) fn launched(choice: &Launch<'_>, caps: &dyn Fn(u8) -> u8) -> (Launches, i64) {
    let Launch { game, open, side, .. } = *choice;
    let found = choice.found();
    let mut homes: Vec<Home> = Vec::new();
    for wing in choice.wings() {
        let home = open.wings[usize::from(wing)].home;
        if !homes.contains(&home) {
            homes.push(home);
        }
    }
    let wings: Vec<u8> = choice.wings().collect();
    let value = |target: u8, aim: &[Option<u8>]| {
        let flies = |wing: &&u8| {
            let home = open.wings[usize::from(**wing)].home;
            homes.iter().zip(aim).any(|(other, aim)| *other == home && *aim == Some(target))
        };
        let groups: Vec<AirGroup> =
            wings.iter().filter(flies).map(|wing| game.squadrons(open, *wing, choice.ready(*wing))).collect();
        prospect(game, open, side, target, Force::new(game, groups.iter().copied()), caps).gain()
    };
    let total = |aim: &[Option<u8>]| found.iter().map(|target| value(*target, aim)).sum::<i64>();
    let mut aim: Vec<Option<u8>> = vec![None; homes.len()];
    let mut best = 0;
    for &target in &found {
        let all = vec![Some(target); homes.len()];
        let worth = total(&all);
        if worth > best {
            (aim, best) = (all, worth);
        }
    }
    for home in 0..homes.len() {
        for to in found.iter().copied().map(Some).chain([None]) {
            let mut other = aim.clone();
            other[home] = to;
            let worth = total(&other);
            if worth > best {
                (aim, best) = (other, worth);
            }
        }
    }
    let sent = wings.iter().filter_map(|&wing| {
        let home = open.wings[usize::from(wing)].home;
        let at = homes.iter().position(|other| *other == home)?;
        Some((wing, aim[at]?, choice.ready(wing)))
    });
    (Launches(sent.collect()), best)
}

impl<'a> Choice for Launch<'a> {
    fn sample(&self, chance: &mut Chance) -> Said<'a, Launches> {
        let found = self.found();
        let mut homes: Vec<(Home, u8)> = Vec::new();
        let mut sent = Vec::new();
        for wing in self.wings() {
            let home = self.open.wings[usize::from(wing)].home;
            let target = match homes.iter().find(|known| known.0 == home) {
                Some(known) => known.1,
                None => {
                    let target = found[chance.below(found.len() as u32) as usize];
                    homes.push((home, target));
                    target
                }
            };
            let count = chance.below(u32::from(self.ready(wing)) + 1) as u8;
            if count > 0 {
                sent.push((wing, target, count));
            }
        }
        self.placed(Launches(sent))
    }

    fn instinct(&self, _: &mut Chance) -> Said<'a, Launches> {
        let caps = |wing: u8| {
            let shown = self.open.wings[usize::from(wing)].cap_shown;
            if shown { self.tasks[usize::from(wing)].cap } else { supposed_cap(self.open, wing) }
        };
        self.placed(launched(self, &caps).0)
    }
}
