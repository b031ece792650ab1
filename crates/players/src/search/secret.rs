//! Choices made in secret at the same moment: a mix in equilibrium, not a best reply.

use super::game::Plan;
use super::tree::{Arm, Tree};
use super::{DOUBT, Limit, Rival, Shared, alternative, mean_and_error, on_cores};
use crate::policy::{Alternative, BY_INSTINCT, Thought};
use crate::probe::{Options, answered};
use flagplot_kernel::{Chance, Game};
use flagplot_odds::equilibrium;
use serde_json::Value;

/// The most answers of each seat that are weighed against each other.
const MOST: usize = 6;
/// Each pair of answers gets at least about so many games; where there are too few, fewer answers are weighed.
const EACH: u32 = 40;
/// A pair's result counts as if so many games had come out as the mean of all, so that a few lucky games are not taken
/// for a discovery.
const PRIOR: f64 = 4.0;
/// So often instinct is asked what it would do, to know its mix.
const DRAWS: usize = 24;

/// The results of one round, in which all pairs of answers meet the same world and dice: row by row, for the searching
/// side. No number where a pair was not played.
type Round = Vec<f64>;

/// Weighs the answers of both seats against each other and draws from an equilibrium.
pub(super) fn search<G: Game>(
    shared: &Shared<'_, '_, G>,
    own: Options,
    rival: Rival,
    games: u32,
    limits: &[Limit],
    chance: &mut Chance,
) -> Option<Thought> {
    let (seat, theirs) = rival;
    let most = (f64::from(games / EACH).sqrt() as usize).clamp(1, MOST);
    let rows: Vec<Value> = own.values.iter().take(most + shared.also).map(|(value, _)| value.clone()).collect();
    let columns: Vec<Value> = theirs.values.iter().take(most).map(|(value, _)| value.clone()).collect();
    let (width, height) = (columns.len().max(1), rows.len());
    let results = on_cores(shared.settings.cores, limits, |number, limit| {
        let mut rounds: Vec<Round> = Vec::new();
        let mut tree = Tree::default();
        let mut turn = 0u32;
        let limit = limit.begin();
        while limit.allows(turn) {
            let (cell, round) = (turn as usize % (width * height), turn / (width * height) as u32);
            turn += 1;
            let (row, column) = (cell / width, cell % width);
            let plan = Plan::Answers { own: &rows[row], rival: columns.get(column).map(|value| (seat, value)) };
            let Some((game, worth)) = shared.play(number, round, plan, &mut tree) else { break };
            if cell == 0 {
                rounds.push(vec![f64::NAN; width * height]);
            }
            // In a world where the rival cannot answer so, it answers otherwise, and that is what was measured.
            let Some(column) = columns.iter().position(|value| Some(value) == game.rival.as_ref()) else { continue };
            if let Some(results) = rounds.last_mut() {
                results[row * width + column] = shared.for_the_seat(worth);
            }
        }
        rounds
    });
    let rounds = results.concat();
    let mut cells = vec![Arm::new(Value::Null); width * height];
    for round in &rounds {
        cells.iter_mut().zip(round).filter(|(_, worth)| !worth.is_nan()).for_each(|(cell, worth)| cell.add(*worth));
    }
    let total: u32 = cells.iter().map(|cell| cell.games).sum();
    if total == 0 {
        return None;
    }
    let mean = cells.iter().map(|cell| cell.sum).sum::<f64>() / f64::from(total);
    let shrunk = |cell: &Arm| (cell.sum + PRIOR * mean) / (f64::from(cell.games) + PRIOR);
    let payoff: Vec<Vec<f64>> = cells.chunks(width).map(|row| row.iter().map(shrunk).collect()).collect();
    let game = equilibrium(&payoff);
    let mut mix = game.rows.clone();
    // Instinct may know a mix by exact reckoning. Unless the rival has an answer against which it does worse than the
    // game is worth, and worse than the equilibrium in the same worlds by more than luck explains, it is an equilibrium
    // as far as can be told, and it is played.
    let instinct = instinct_mix(shared, &rows, chance);
    let against = |column: usize| (0..height).map(|row| instinct[row] * payoff[row][column]).sum::<f64>();
    let worse = |column: usize| {
        let shares: Vec<(usize, f64)> = (0..height)
            .map(|row| (row * width + column, game.rows[row] - instinct[row]))
            .filter(|(_, share)| *share != 0.0)
            .collect();
        let differences = rounds
            .iter()
            .map(|round| shares.iter().map(|(cell, share)| share * round[*cell]).sum::<f64>())
            .filter(|difference| !difference.is_nan());
        let [mean, error] = mean_and_error(&differences.collect::<Vec<_>>());
        against(column) < game.value && mean > DOUBT * error
    };
    if instinct.iter().sum::<f64>() > 0.5 && !(0..width).any(worse) {
        mix = instinct;
    }
    let mut alternatives: Vec<_> = (0..height)
        .map(|row| {
            let mut arm = Arm::new(rows[row].clone());
            (0..width).for_each(|column| arm.merge(&cells[row * width + column]));
            let mut told = alternative(&arm, &own, Some(mix[row]));
            told.estimate = (0..width).map(|column| game.columns[column] * payoff[row][column]).sum();
            told.error = (0..width)
                .map(|column| (game.columns[column] * cells[row * width + column].error()).powi(2))
                .sum::<f64>()
                .sqrt();
            told
        })
        .collect();
    let value = rows[draw(&mix, chance)].clone();
    level(&mut alternatives);
    alternatives.sort_by(|a, b| {
        b.share.unwrap_or(0.0).total_cmp(&a.share.unwrap_or(0.0)).then(b.estimate.total_cmp(&a.estimate))
    });
    let method = format!(
        "{total} imagined games over {height} by {width} pairs of answers; drawn from the equilibrium of their results"
    );
    Some(Thought { value, alternatives, method })
}

/// In equilibrium every answer of the mix is worth as much as the mix, and no other is worth more. Estimates scatter
/// about that.
fn level(alternatives: &mut [Alternative]) {
    let share = |one: &Alternative| one.share.unwrap_or(0.0);
    let total: f64 = alternatives.iter().map(share).sum();
    if total <= 0.0 {
        return;
    }
    let worth = alternatives.iter().map(|one| share(one) * one.estimate).sum::<f64>() / total;
    let error = alternatives.iter().map(|one| (share(one) * one.error).powi(2)).sum::<f64>().sqrt() / total;
    for one in alternatives {
        if share(one) > 0.0 {
            (one.estimate, one.error, one.gap_error) = (worth, error, 0.0);
        } else {
            one.estimate = one.estimate.min(worth);
        }
    }
}

/// Where there are so few answers, those that are never to be given are told too, with what they would cost.
const FEW: usize = 3;

/// An answer drawn from a mix that the system has reckoned from the exact payoffs. `worth` is what the position came to
/// in some imagined games, which is what every answer in the mix is worth; `tried` tells how an answer does in a few
/// more.
pub(super) fn exact(
    mix: &[(Value, u64)],
    worth: &Arm,
    tried: impl Fn(&Value) -> Arm,
    options: &Options,
    chance: &mut Chance,
) -> Option<Thought> {
    let weights: Vec<u64> = mix.iter().map(|(_, weight)| *weight).collect();
    let sum = weights.iter().sum::<u64>().max(1) as f64;
    let value = mix.get(chance.weighted(&weights)?)?.0.clone();
    let all = mix.len() <= FEW && weights.contains(&0);
    let arm = |value: &Value| if all { tried(value) } else { Arm { value: value.clone(), ..worth.clone() } };
    let told = mix.iter().filter(|(_, weight)| all || *weight > 0);
    let mut alternatives: Vec<_> =
        told.map(|(value, weight)| alternative(&arm(value), options, Some(*weight as f64 / sum))).collect();
    level(&mut alternatives);
    alternatives.sort_by(|a, b| b.share.unwrap_or(0.0).total_cmp(&a.share.unwrap_or(0.0)));
    let method = format!(
        "{} imagined games for the worth of the position; the answer is drawn from the equilibrium of the exact \
         payoffs",
        worth.games
    );
    Some(Thought { value, alternatives, method })
}

/// How often instinct gives each answer. It is asked only a few times if it always says the same.
fn instinct_mix<G: Game>(shared: &Shared<'_, '_, G>, rows: &[Value], chance: &mut Chance) -> Vec<f64> {
    let mut counts = vec![0.0; rows.len()];
    let mut drawn = 0;
    while drawn < DRAWS && (drawn < 5 || counts.iter().filter(|&&count| count > 0.0).count() > 1) {
        let instinct = answered(shared.knowledge, BY_INSTINCT, chance);
        if let Some(row) = rows.iter().position(|value| Some(value) == instinct.as_ref()) {
            counts[row] += 1.0;
        }
        drawn += 1;
    }
    let sum: f64 = counts.iter().sum::<f64>().max(1.0);
    counts.into_iter().map(|count| count / sum).collect()
}

/// An index, in proportion to the shares.
fn draw(shares: &[f64], chance: &mut Chance) -> usize {
    let weights: Vec<u64> = shares.iter().map(|&share| (share.max(0.0) * 1e9) as u64).collect();
    chance.weighted(&weights).unwrap_or(0)
}
