//! Players against each other: both seats, paired seeds, ratings with intervals.

use crate::kind::PlayerKind;
use flagplot_kernel::{Chance, Outcome, Side};
use serde::Serialize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Elo points for a factor of e in the odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// How often the games are drawn again for the intervals of the ratings.
const RESAMPLES: usize = 400;

/// The games between two players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Match {
    pub one: PlayerKind,
    pub two: PlayerKind,
    /// Games that `one` won.
    pub wins: u32,
    /// Games without a winner.
    pub draws: u32,
    /// Games that `two` won.
    pub losses: u32,
    /// Games that did not end, which is a defect.
    pub unfinished: u32,
    /// Wins of `one` in the first and in the second seat.
    pub wins_by_seat: [u32; 2],
    /// Games won by the first and by the second side, with either player in the seat.
    pub wins_by_side: [u32; 2],
    /// The share of decided games that `one` won, with the ends of its 95% interval (Wilson).
    pub decided: [f64; 3],
    /// The points of `one` (a draw a half) per game, with the ends of its 95% interval over pairs of games.
    pub score: [f64; 3],
}

/// How strong a player is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    pub player: PlayerKind,
    /// Elo-like points; the mean of all players is 0.
    pub rating: f64,
    /// The ends of the 95% interval.
    pub interval: [f64; 2],
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tournament {
    /// The players with their ratings, the strongest first.
    pub ratings: Vec<Rating>,
    /// Every pair of players.
    pub matches: Vec<Match>,
    /// Games for each pair.
    pub games: u32,
    /// The seed of the dice.
    pub seed: u64,
    /// How it was played and reckoned.
    pub method: String,
}

/// A share with its 95% interval after Wilson; `[0.5, 0, 1]` of nothing.
#[must_use]
pub fn wilson(count: u32, of: u32) -> [f64; 3] {
    if of == 0 {
        return [0.5, 0.0, 1.0];
    }
    let (n, z) = (f64::from(of), 1.959_963_984_540_054);
    let share = f64::from(count) / n;
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    [share, (middle - half).max(0.0), (middle + half).min(1.0)]
}

/// Two games with the same dice and the seats exchanged: what `one` got in each.
type Pair = [Option<f64>; 2];

/// Lets every two of the players play `games` games (an odd number is raised by one), each dice seed once with either
/// seating.
///
/// `play` plays one game between the players of the two sides, in order. Games run on `cores` threads; `progress` hears
/// how many are done.
pub fn tournament(
    players: &[PlayerKind],
    games: u32,
    seed: u64,
    cores: usize,
    play: impl Fn(&[PlayerKind; 2], &mut Chance) -> Option<Outcome> + Sync,
    progress: impl Fn(usize, usize) + Sync,
) -> Tournament {
    let pairs = games.div_ceil(2).max(1);
    let duels: Vec<(usize, usize)> =
        (0..players.len()).flat_map(|one| (one + 1..players.len()).map(move |two| (one, two))).collect();
    let jobs: Vec<(usize, u32, usize)> = duels
        .iter()
        .enumerate()
        .flat_map(|(duel, _)| (0..pairs).flat_map(move |pair| [(duel, pair, 0), (duel, pair, 1)]))
        .collect();
    let results: Mutex<Vec<Vec<Pair>>> = Mutex::new(vec![vec![[None; 2]; pairs as usize]; duels.len()]);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..cores.clamp(1, jobs.len().max(1)) {
            scope.spawn(|| {
                while let Some(&(duel, pair, exchanged)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (one, two) = (players[duels[duel].0], players[duels[duel].1]);
                    let seated = if exchanged == 0 { [one, two] } else { [two, one] };
                    let outcome = play(&seated, &mut Chance::stream(seed, u64::from(pair)));
                    let side_of_one = Side::BOTH[exchanged];
                    let points = outcome.map(|outcome| {
                        outcome.winner.map_or(0.5, |winner| if winner == side_of_one { 1.0 } else { 0.0 })
                    });
                    if let Ok(mut results) = results.lock() {
                        results[duel][pair as usize][exchanged] = points;
                    }
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let matches =
        duels.iter().zip(&results).map(|(&(one, two), pairs)| tally(players[one], players[two], pairs)).collect();
    Tournament {
        ratings: ratings(players, &duels, &results, seed),
        matches,
        games: 2 * pairs,
        seed,
        method: format!(
            "{pairs} seeds for each two players, each played twice with the seats exchanged; every player answers from \
             its own view, a search on one core. Ratings by maximum likelihood (Bradley-Terry, a draw half a win, one \
             drawn game added to each two players); their 95% intervals from {RESAMPLES} redraws of the pairs of games."
        ),
    }
}

fn tally(one: PlayerKind, two: PlayerKind, pairs: &[Pair]) -> Match {
    let count = |wanted: f64, seat: Option<usize>| {
        let games =
            pairs.iter().flat_map(|pair| pair.iter().enumerate()).filter(|(at, _)| seat.is_none_or(|seat| seat == *at));
        games.filter(|(_, points)| **points == Some(wanted)).count() as u32
    };
    let (wins, draws, losses) = (count(1.0, None), count(0.5, None), count(0.0, None));
    // Two games on one seed hang together, so that the interval is over pairs.
    let scores: Vec<f64> = pairs.iter().filter_map(|pair| Some((pair[0]? + pair[1]?) / 2.0)).collect();
    let n = scores.len().max(1) as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let error = (scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0) / n).sqrt();
    let half = 1.959_963_984_540_054 * error;
    Match {
        one,
        two,
        wins,
        draws,
        losses,
        unfinished: 2 * pairs.len() as u32 - wins - draws - losses,
        wins_by_seat: [count(1.0, Some(0)), count(1.0, Some(1))],
        wins_by_side: [count(1.0, Some(0)) + count(0.0, Some(1)), count(1.0, Some(1)) + count(0.0, Some(0))],
        decided: wilson(wins, wins + losses),
        score: [mean, (mean - half).max(0.0), (mean + half).min(1.0)],
    }
}

fn ratings(players: &[PlayerKind], duels: &[(usize, usize)], results: &[Vec<Pair>], seed: u64) -> Vec<Rating> {
    let points = |chosen: &mut dyn FnMut(usize) -> usize| -> Vec<[f64; 2]> {
        let duel = |pairs: &Vec<Pair>, chosen: &mut dyn FnMut(usize) -> usize| {
            let mut sum = [0.5, 1.0];
            for at in 0..pairs.len() {
                for points in pairs[chosen(at) % pairs.len()].iter().flatten() {
                    sum[0] += points;
                    sum[1] += 1.0;
                }
            }
            sum
        };
        results.iter().map(|pairs| duel(pairs, chosen)).collect()
    };
    let middle = strengths(players.len(), duels, &points(&mut |at| at));
    let mut chance = Chance::stream(seed, u64::MAX);
    let drawn: Vec<Vec<f64>> = (0..RESAMPLES)
        .map(|_| {
            let pairs = results.first().map_or(1, Vec::len) as u32;
            strengths(players.len(), duels, &points(&mut |_| chance.below(pairs.max(1)) as usize))
        })
        .collect();
    let mut ratings: Vec<Rating> = players
        .iter()
        .enumerate()
        .map(|(at, &player)| {
            let mut column: Vec<f64> = drawn.iter().map(|strengths| strengths[at]).collect();
            column.sort_by(f64::total_cmp);
            let quantile = |share: f64| column[((RESAMPLES - 1) as f64 * share).round() as usize];
            Rating { player, rating: middle[at], interval: [quantile(0.025), quantile(0.975)] }
        })
        .collect();
    ratings.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    ratings
}

/// Ratings of most likelihood, by the usual fixed point; `points` are what the first of each duel got, and of how many
/// games.
fn strengths(players: usize, duels: &[(usize, usize)], points: &[[f64; 2]]) -> Vec<f64> {
    let mut strength = vec![1.0f64; players];
    for _ in 0..500 {
        let mut won = vec![0.0; players];
        let mut due = vec![0.0; players];
        for (&(one, two), &[got, of]) in duels.iter().zip(points) {
            won[one] += got;
            won[two] += of - got;
            let share = of / (strength[one] + strength[two]);
            due[one] += share;
            due[two] += share;
        }
        for at in 0..players {
            if due[at] > 0.0 {
                strength[at] = (won[at] / due[at]).max(1e-9);
            }
        }
        let mean = strength.iter().map(|s| s.ln()).sum::<f64>() / players.max(1) as f64;
        strength.iter_mut().for_each(|s| *s /= mean.exp());
    }
    strength.iter().map(|s| ELO * s.ln()).collect()
}

impl Tournament {
    /// The ratings with their intervals as a drawing, for a page or a file.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let (width, row, left, right) = (720.0, 34.0, 170.0, 40.0);
        let low = self.ratings.iter().map(|rating| rating.interval[0]).fold(0.0, f64::min);
        let high = self.ratings.iter().map(|rating| rating.interval[1]).fold(0.0, f64::max);
        let step = [10.0, 25.0, 50.0, 100.0, 200.0, 500.0]
            .into_iter()
            .find(|step| (high - low) / step <= 8.0)
            .unwrap_or(1000.0);
        let (low, high) =
            ((low / step).floor() * step, ((high / step).ceil() * step).max((low / step).floor() * step + step));
        let x = |value: f64| left + (value - low) / (high - low) * (width - left - right);
        let height = row * (self.ratings.len() as f64 + 2.0);
        let foot = height - row;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\"><title>Ratings with 95% intervals</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        );
        let mut tick = low;
        while tick <= high + step / 2.0 {
            let at = x(tick);
            svg += &format!(
                "<line x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{foot:.1}\" stroke=\"#ddd\"/><text \
                 x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{tick:.0}</text>\n",
                row / 2.0,
                foot + 18.0
            );
            tick += step;
        }
        for (n, rating) in self.ratings.iter().enumerate() {
            let y = row * (n as f64 + 1.0);
            let [from, to] = rating.interval.map(x);
            svg += &format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><line x1=\"{from:.1}\" y1=\"{y:.1}\" \
                 x2=\"{to:.1}\" y2=\"{y:.1}\" stroke=\"#27517d\" stroke-width=\"3\"/><circle cx=\"{:.1}\" \
                 cy=\"{y:.1}\" r=\"5\" fill=\"#27517d\"><title>{:.0} ({:.0} to {:.0})</title></circle>\n",
                left - 12.0,
                y + 4.0,
                rating.player,
                x(rating.rating),
                rating.rating,
                rating.interval[0],
                rating.interval[1]
            );
        }
        svg + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up game: the first side wins with this chance out of 100.
    fn coin(first: u32, chance: &mut Chance) -> Option<Outcome> {
        let winner = if chance.below(100) < first { Side::First } else { Side::Second };
        Some(Outcome {
            winner: Some(winner),
            level: "victory".into(),
            points: [0, 0],
            summary: String::new(),
            details: serde_json::Value::Null,
        })
    }

    #[test]
    fn ratings_find_the_chances_that_were_put_in() {
        // Each player wins against the next weaker one with odds of 3 to 1: 191 points apart.
        let strength = |kind: PlayerKind| match kind {
            PlayerKind::Random => 1,
            PlayerKind::Greedy => 3,
            _ => 9,
        };
        let players = [PlayerKind::Greedy, PlayerKind::Admiral, PlayerKind::Random];
        let play = |seated: &[PlayerKind; 2], chance: &mut Chance| {
            let [a, b] = seated.map(strength);
            coin(100 * a / (a + b), chance)
        };
        let found = tournament(&players, 800, 7, 2, play, |_, _| {});
        assert_eq!(
            found.ratings.iter().map(|rating| rating.player).collect::<Vec<_>>(),
            [PlayerKind::Admiral, PlayerKind::Greedy, PlayerKind::Random]
        );
        for (rating, expected) in found.ratings.iter().zip([191.0, 0.0, -191.0]) {
            assert!((rating.rating - expected).abs() < 30.0, "{rating:?}");
            assert!(rating.interval[0] < rating.rating && rating.rating < rating.interval[1], "{rating:?}");
        }
        assert_eq!(found, tournament(&players, 800, 7, 1, play, |_, _| {}), "the number of cores changes nothing");
        assert!(found.to_svg().contains("admiral"));
    }

    #[test]
    fn who_wins_by_the_seat_alone_is_rated_even() {
        let found =
            tournament(&[PlayerKind::Greedy, PlayerKind::Random], 100, 1, 1, |_, chance| coin(100, chance), |_, _| {});
        assert_eq!((found.matches[0].wins, found.matches[0].losses), (50, 50));
        assert_eq!(found.matches[0].wins_by_seat, [50, 0]);
        assert_eq!(found.matches[0].wins_by_side, [100, 0]);
        assert_eq!(found.matches[0].score, [0.5; 3], "every pair of games is even");
        assert!(found.ratings.iter().all(|rating| rating.rating.abs() < 1e-6));
    }

    #[test]
    fn wilson_s_interval_is_the_known_one() {
        let [share, low, high] = wilson(8, 10);
        assert!(
            (share - 0.8).abs() < 1e-12 && (low - 0.4902).abs() < 1e-3 && (high - 0.9433).abs() < 1e-3,
            "{low} {high}"
        );
        assert_eq!(wilson(0, 0), [0.5, 0.0, 1.0]);
    }
}
