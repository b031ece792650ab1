//! Two ways must agree: counting against walking single faces, exact against fast, exact against the sampler.

use flagplot_kernel::{Ask, Asked, AtRandom, Chance, D6, Flow, Process, Sampler, Tally, Volley};
use flagplot_odds::{Budget, Dist, Exact, Fast, Weight, distribution, enumerate};
use std::collections::HashMap;

/// 4 misses, a five, a six that is rolled again for points: the pool of Schiffskrieg.
fn class(face: u8) -> usize {
    match face {
        6 => 2,
        5 => 1,
        _ => 0,
    }
}

fn volley(dice: u32, tally: [Tally; 3]) -> Volley<3, fn(u8) -> usize> {
    Volley { dice, die: D6, class, tally, scored: 2, points: D6 }
}

/// The same pool die by die.
fn by_hand(dice: u32, tally: [Tally; 3], ask: &mut impl Ask) -> Asked<([u32; 3], u32)> {
    let mut counts = [0; 3];
    let mut points = 0;
    for _ in 0..dice {
        let class = class(ask.roll(D6, "attack")?);
        counts[class] += 1;
        if class == 2 {
            points += u32::from(ask.roll(D6, "points")?);
        }
    }
    for (count, tally) in counts.iter_mut().zip(tally) {
        *count = tally.of(*count);
    }
    Ok((counts, points))
}

fn same<T: Eq + std::hash::Hash + std::fmt::Debug>(one: &Dist<T>, two: &Dist<T>) {
    assert_eq!(one.len(), two.len());
    for (outcome, _) in one.iter() {
        assert_eq!(one.chance(outcome), two.chance(outcome), "{outcome:?}");
    }
}

#[test]
fn a_volley_counted_is_a_volley_walked_for_every_tally() {
    use Tally::{Any, Count, Ignore};
    for misses in [Ignore, Any, Count] {
        for fives in [Ignore, Any, Count] {
            for hits in [Ignore, Any, Count] {
                let tally = [misses, fives, hits];
                for dice in 0..=3 {
                    let counted = enumerate::<_, Exact>(Budget::default(), |ask| {
                        let got = ask.volley(volley(dice, tally), "attack")?;
                        Ok((got.counts, got.points))
                    });
                    let walked = enumerate::<_, Exact>(Budget::default(), |ask| by_hand(dice, tally, ask));
                    same(&counted.unwrap(), &walked.unwrap());
                }
            }
        }
    }
}

#[test]
fn pools_and_sums_are_what_single_dice_give() {
    let pool = enumerate::<_, Exact>(Budget::default(), |ask| Ok(ask.pool::<3>(4, D6, "pool", class)?.counts)).unwrap();
    let walked = enumerate::<_, Exact>(Budget::default(), |ask| {
        let mut counts = [0; 3];
        for _ in 0..4 {
            counts[class(ask.roll(D6, "die")?)] += 1;
        }
        Ok(counts)
    });
    same(&pool, &walked.unwrap());
    let sum = enumerate::<_, Exact>(Budget::default(), |ask| Ok(ask.sum(3, D6, "sum")?.total)).unwrap();
    assert_eq!(sum.chance(&10).to_string(), "1/8");
    assert_eq!(sum.chance(&18).to_string(), "1/216");
}

#[test]
fn a_reading_is_a_branch() {
    let mut runs = 0;
    let odds = enumerate::<_, Exact>(Budget::default(), |ask| {
        runs += 1;
        Ok(ask.roll_as(D6, "to hit", |face| face >= 5)?.read)
    });
    assert_eq!(odds.unwrap().chance(&true).to_string(), "1/3");
    assert_eq!(runs, 2);
}

#[test]
fn two_hundred_dice_are_exact_and_sum_to_one() {
    let odds = enumerate::<_, Exact>(Budget::default(), |ask| {
        let got = ask.volley(volley(200, [Tally::Ignore, Tally::Any, Tally::Ignore]), "attack")?;
        Ok((got.counts[1], got.points))
    })
    .unwrap();
    assert_eq!(odds.chance_of(|_| true).to_string(), "1/1");
    let no_five = flagplot_odds::Fraction::new(Exact::from(5u8).pow(200), Exact::from(6u8).pow(200));
    assert_eq!(odds.chance_of(|(fives, _)| *fives == 0), no_five);
}

/// A duel: both fire until somebody is hit; a state is who is left.
struct Duel;

impl Process for Duel {
    type State = (u8, [bool; 2], u8);
    fn step(&self, (turn, alive, rounds): &mut Self::State, ask: &mut impl Ask) -> Asked<Flow> {
        let target = 1 - *turn as usize;
        if ask.roll_as(D6, "shot", |face| face == 6)?.read {
            alive[target] = false;
        }
        *turn = 1 - *turn;
        *rounds += 1;
        Ok(if alive.contains(&false) || *rounds == 40 { Flow::Done } else { Flow::Continue })
    }
}

#[test]
fn fast_agrees_with_exact_and_the_sampler_with_both() {
    let start = (0, [true; 2], 0);
    let exact = distribution::<_, Exact>(&Duel, Dist::certain(start), Budget::default()).unwrap().map(|state| state.1);
    let fast = distribution::<_, Fast>(&Duel, Dist::certain(start), Budget::default()).unwrap().map(|state| state.1);
    let mut chance = Chance::seeded(11);
    let mut sampled = HashMap::new();
    for _ in 0..40_000 {
        let (mut state, mut dice) = (start, Sampler::new(&mut chance, AtRandom));
        while Duel.step(&mut state, &mut dice).unwrap() == Flow::Continue {}
        *sampled.entry(state.1).or_insert(0.0) += 1.0 / 40_000.0;
    }
    let mut chi = 0.0;
    for (outcome, weight) in exact.iter() {
        let share = weight.share(exact.total());
        let other = fast.share(|o| o == outcome);
        assert!((share - other).abs() < 1e-12);
        let seen = sampled.get(outcome).unwrap_or(&0.0);
        chi += 40_000.0 * (seen - share).powi(2) / share;
    }
    assert!(chi < 20.0, "chi squared {chi}");
}

#[test]
fn a_budget_says_no_instead_of_hanging() {
    let tight = Budget { branches: 10, ..Budget::default() };
    let refused = distribution::<_, Exact>(&Duel, Dist::certain((0, [true; 2], 0)), tight);
    assert_eq!(refused.unwrap_err(), flagplot_odds::OddsError::BudgetExceeded);
}

/// dashu-int 0.4.3 panicked in `gcd` for some pairs of large numbers, such as the denominators of long air battles.
#[test]
fn the_common_denominator_of_huge_numbers_is_found() {
    let mut chance = flagplot_kernel::Chance::seeded(7);
    let mut big =
        |words: u32| (0..words).fold(Exact::from(1u8), |number, _| (number << 64) + Exact::from(chance.bits()));
    for words in 1..120 {
        let (shared, one, two) = (big(words / 2), big(words), big(1 + words * 7 % 40));
        let denominators = [&shared * &one, &shared * &two, Exact::from(6u8).pow(3 * words as usize)];
        let (common, factors) = <Exact as Weight>::common(&denominators).expect("exact numbers always fit");
        for (denominator, factor) in denominators.iter().zip(&factors) {
            assert_eq!(denominator * factor, common);
        }
    }
}
