//! Guns: where they fire, whether to fight, whether to leave. [15.9]

use super::super::NavalGame;
use super::super::choices::{Engage, EngageOption, Evade, StandOrEvade};
use super::super::gun_choices::{FireOrders, Leavers, Salvos, Withdraw};
use super::super::odds::{ALL, WEIGHTS};
use super::super::said::Said;
use super::super::state::{Gun, Mark, Open, Status};
use super::POINT;
use flagplot_kernel::{BySide, Chance, Choice, Side};

/// What a fleet factor that no longer fires is worth in each round that is left, in hundredths of a point.
const SILENCED: i64 = 22;
/// What a deck that no longer launches is worth in each round that is left.
const DECK: i64 = 45;

/// Guns and targets with what every amount of fire is worth.
struct Table {
    guns: Vec<(Gun, u32, usize)>,
    marks: Vec<Mark>,
    /// The modifiers of the guns on the naval chart, the lower first.
    drms: Vec<i32>,
    /// By target, modifier and fleet factors: hundredths of a point, times 36.
    worth: Vec<Vec<Vec<i64>>>,
}

/// What counts beside points.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    /// Points alone.
    Points,
    /// And what the enemy can no longer do.
    AndSilence,
}

impl Table {
    fn new(orders: &FireOrders<'_>, count: Count) -> Self {
        let FireOrders { game, open, own, enemy, screened, .. } = *orders;
        let firers: Vec<_> = orders.guns().map(|gun| (gun, game.firers(open, own, gun))).collect();
        let mut drms: Vec<i32> = firers.iter().map(|(_, firers)| firers.drm::<i32>(&game.rules)).collect();
        drms.sort_unstable();
        drms.dedup();
        let class = |drm: i32| drms.iter().position(|other| *other == drm).unwrap_or(0);
        let guns: Vec<(Gun, u32, usize)> =
            firers.iter().map(|(gun, firers)| (*gun, firers.factors, class(firers.drm::<i32>(&game.rules)))).collect();
        let most: u32 = guns.iter().map(|gun| gun.1).sum();
        let activity = game.activity(open, own, enemy);
        let encumbered = i32::from(activity.target_encumbered) - i32::from(activity.attacker_encumbered);
        let marks = orders.marks();
        let rounds = game.rounds_left(open);
        let worth = marks.iter().map(|&mark| {
            let target = game.target(open, enemy, mark, screened);
            let base = encumbered - target.drm::<i32>(&game.rules);
            let mut by_hits: Vec<i64> = Vec::new();
            let mut of_hits = |hits: u32| {
                while by_hits.len() <= hits as usize {
                    let harm = game.harm(open, mark, &target, by_hits.len() as u32);
                    let silence = i64::from(harm.silenced) * SILENCED + i64::from(harm.decks) * DECK;
                    let more = if count == Count::AndSilence { rounds * silence } else { 0 };
                    by_hits.push(harm.points * POINT + more);
                }
                by_hits[hits as usize]
            };
            drms.iter()
                .map(|drm| {
                    let modifier = drm + base;
                    (0..=most)
                        .map(|factors| {
                            let dice = WEIGHTS.iter().enumerate();
                            dice.map(|(at, weight)| weight * of_hits(game.glance.fleet(factors, at, modifier))).sum()
                        })
                        .collect()
                })
                .collect()
        });
        let worth = worth.collect();
        Self { guns, marks, worth, drms }
    }

    /// What fire on a target is worth, by the factors of each modifier.
    fn of(&self, mark: usize, factors: &[u32]) -> i64 {
        let total: u32 = factors.iter().sum();
        // Most factors decide, the lower modifier when tied.
        let class = (0..factors.len()).max_by_key(|at| (factors[*at], std::cmp::Reverse(*at))).unwrap_or(0);
        self.worth[mark][class][total as usize]
    }

    /// All on the best target, then one or two guns are moved while that helps.
    fn improve(&self) -> (Vec<usize>, i64) {
        let (guns, marks, classes) = (self.guns.len(), self.marks.len(), self.drms.len());
        if guns == 0 || marks == 0 {
            return (Vec::new(), 0);
        }
        let mut all = vec![0; classes];
        for gun in &self.guns {
            all[gun.2] += gun.1;
        }
        let best = (0..marks).max_by_key(|mark| (self.of(*mark, &all), std::cmp::Reverse(*mark))).unwrap_or(0);
        let mut aim = vec![best; guns];
        let mut fire = vec![vec![0u32; classes]; marks];
        fire[best] = all;
        for _ in 0..4 {
            let mut moved = false;
            for one in 0..guns {
                for two in one..guns {
                    for to in 0..marks {
                        let (a, b) = (aim[one], aim[two]);
                        if a == to && b == to {
                            continue;
                        }
                        let before: i64 = self.touched(&fire, &[a, b, to]);
                        let shift = |fire: &mut [Vec<u32>], gun: usize, from: usize, to: usize| {
                            let (_, factors, class) = self.guns[gun];
                            fire[from][class] -= factors;
                            fire[to][class] += factors;
                        };
                        shift(&mut fire, one, a, to);
                        if two != one {
                            shift(&mut fire, two, b, to);
                        }
                        if self.touched(&fire, &[a, b, to]) > before {
                            (aim[one], aim[two]) = (to, to);
                            moved = true;
                        } else {
                            shift(&mut fire, one, to, a);
                            if two != one {
                                shift(&mut fire, two, to, b);
                            }
                        }
                    }
                }
            }
            if !moved {
                break;
            }
        }
        let worth = (0..marks).map(|mark| self.of(mark, &fire[mark])).sum();
        (aim, worth)
    }

    fn touched(&self, fire: &[Vec<u32>], marks: &[usize; 3]) -> i64 {
        let [a, b, to] = *marks;
        let mut sum = self.of(a, &fire[a]);
        if b != a {
            sum += self.of(b, &fire[b]);
        }
        if to != a && to != b {
            sum += self.of(to, &fire[to]);
        }
        sum
    }
}

/// The best fire of a side.
pub(crate) fn aimed(orders: &FireOrders<'_>) -> Salvos {
    let table = Table::new(orders, Count::AndSilence);
    let (aim, _) = table.improve();
    Salvos(table.guns.iter().zip(aim).map(|(gun, mark)| (gun.0, table.marks[mark])).collect())
}

/// What a round of fire between two groups is worth to each side, in hundredths of a point.
pub(crate) fn exchange(game: &NavalGame, open: &Open, pair: BySide<u8>) -> BySide<i64> {
    BySide::new_with(|side| Table::new(&FireOrders::new(game, open, side, pair), Count::Points).improve().1 / ALL)
}

impl<'a> Choice for FireOrders<'a> {
    fn sample(&self, chance: &mut Chance) -> Said<'a, Salvos> {
        let marks = self.marks();
        let count = marks.len() as u32;
        let mut salvos = Vec::with_capacity(8);
        // One gun in eight is silent.
        salvos.extend(self.guns().filter_map(|gun| {
            let mark = chance.below(8 * count);
            (mark < 7 * count).then(|| (gun, marks[(mark % count) as usize]))
        }));
        self.placed(Salvos(salvos))
    }

    fn instinct(&self, _: &mut Chance) -> Said<'a, Salvos> {
        self.placed(aimed(self))
    }
}

fn pair_of(game: &NavalGame, own: u8, enemy: u8) -> BySide<u8> {
    let side = game.side_of_group(own);
    BySide::new_with(|which| if which == side { own } else { enemy })
}

/// Engages where a round of fire gains most, if it gains anything.
pub(crate) fn engage(choice: &Engage<'_>) -> EngageOption {
    let options = choice.open();
    let gain = |option: &EngageOption| match *option {
        EngageOption::None => 0,
        EngageOption::Engage(own, enemy) => {
            let worth = exchange(choice.game, choice.open, pair_of(choice.game, own, enemy));
            worth[choice.side] - worth[choice.side.other()] - POINT / 2
        }
    };
    options.into_iter().rev().max_by_key(gain).unwrap_or(EngageOption::None)
}

/// Evades if a round of fire would cost more than it brings.
pub(crate) fn evade(choice: &Evade<'_>) -> StandOrEvade {
    let side = choice.game.side_of_group(choice.own);
    let worth = exchange(choice.game, choice.open, pair_of(choice.game, choice.own, choice.enemy));
    if worth[side] >= worth[side.other()] { StandOrEvade::Stand } else { StandOrEvade::Evade }
}

/// What leaving and staying come to.
pub(crate) struct Prospects {
    /// The score if all groups of the side leave now.
    pub leave: i64,
    /// The score at the end if both fight on as they can, in hundredths of a point.
    pub stay: i64,
}

pub(crate) fn prospects(choice: &Withdraw<'_>) -> Prospects {
    let Withdraw { game, open, side } = *choice;
    let limits = &game.facts.limits;
    let mut left = open.clone();
    for group in choice.groups() {
        left.groups[usize::from(group)].status = Status::Withdrawn;
    }
    let leave = limits.score(game.points(&left));
    let mut stay = POINT * limits.score(game.points(open));
    let rounds = game.rounds_left(open);
    let sign = |which: Side| if which == limits.attacker { 1 } else { -1 };
    if let Some(pair) = game.pair(open, 0).filter(|pair| Side::BOTH.iter().all(|side| game.present(open, pair[*side])))
    {
        let worth = exchange(game, open, pair);
        // Fire weakens as ships are lost: each round is worth three quarters of the one before it.
        let mut next = sign(side) * (worth[side] - worth[side.other()]);
        for _ in 0..rounds {
            stay += next;
            next = next * 3 / 4;
        }
    }
    if game.keeps_secrets() {
        let air = super::tasks::outlook(game, open);
        stay += sign(Side::First) * rounds * (air.first - air.second);
    }
    Prospects { leave, stay }
}

/// Leaves if that wins now, or draws what is being lost. [15.9]
fn leaves(choice: &Withdraw<'_>) -> bool {
    let limits = &choice.game.facts.limits;
    let Prospects { leave, stay } = prospects(choice);
    let side = choice.side;
    match limits.winner(leave) {
        Some(winner) => winner == side,
        None => limits.winner(stay.div_euclid(POINT)) == Some(side.other()),
    }
}

impl<'a> Choice for Withdraw<'a> {
    fn listed(&self) -> bool {
        true
    }

    fn sample(&self, chance: &mut Chance) -> Said<'a, Leavers> {
        self.placed(Leavers(self.groups().filter(|_| chance.below(6) == 0).collect()))
    }

    fn instinct(&self, _: &mut Chance) -> Said<'a, Leavers> {
        self.placed(Leavers(if leaves(self) { self.groups().collect() } else { Vec::new() }))
    }
}
