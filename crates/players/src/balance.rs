//! Whether a scenario is fair: who wins it, how long it is, how much there is to decide, and whether one idea wins it.

use crate::exploit::Exploit;
use crate::parallel::side_by_side;
use crate::policy::Playout;
use crate::tournament::wilson;
use flagplot_kernel::Side;
use serde::{Deserialize, Serialize};

/// What a fair scenario keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// The most of a side's share, draws split.
    pub most_for_a_side: f64,
    pub most_draws: f64,
    /// The fewest real decisions of a seat, on average.
    pub least_decisions: f64,
    /// The most that a single idea may score, draws split.
    pub most_for_an_idea: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { most_for_a_side: 0.6, most_draws: 0.35, least_decisions: 4.0, most_for_an_idea: 0.5 }
    }
}

/// How some games ended. Shares come with the ends of their 95% interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Games {
    pub games: u32,
    pub first: [f64; 3],
    pub drawn: [f64; 3],
    pub second: [f64; 3],
    /// The share of the first side, draws split.
    pub score: [f64; 3],
    /// Games that did not end within the step limit, which is a defect.
    pub at_step_limit: [f64; 3],
    /// Steps of a game, on average.
    pub steps: f64,
    /// Real decisions of each seat, on average.
    pub decisions: Vec<f64>,
}

impl Games {
    /// Whether more games would hardly change the verdict: every interval, widened for having been looked at again and
    /// again, lies on one side of its bound.
    fn decided(played: &[Playout], bounds: &Bounds) -> bool {
        let scores: Vec<f64> = played.iter().map(|game| points(game, Side::First)).collect();
        let draws: Vec<f64> = scores.iter().map(|score| f64::from(u8::from(*score == 0.5))).collect();
        let [low, high] = often_seen(&scores);
        let [few, many] = often_seen(&draws);
        let most = bounds.most_for_a_side;
        let lopsided = low > most || high < 1.0 - most || few > bounds.most_draws;
        let fair = low > 1.0 - most && high < most && many < bounds.most_draws;
        lopsided || fair
    }

    fn of(played: &[Playout]) -> Games {
        let n = played.len() as u32;
        let ended = |wanted: Option<Option<Side>>| {
            let count = played.iter().filter(|game| game.outcome.as_ref().map(|outcome| outcome.winner) == wanted);
            count.count() as u32
        };
        let mean = |sum: f64| sum / f64::from(n.max(1));
        let scores: Vec<f64> = played.iter().map(|game| points(game, Side::First)).collect();
        let seats = played.iter().map(|game| game.decisions.len()).max().unwrap_or(0);
        let made = |seat: usize| -> f64 {
            played.iter().map(|game| f64::from(game.decisions.get(seat).copied().unwrap_or(0))).sum()
        };
        Games {
            games: n,
            first: wilson(ended(Some(Some(Side::First))), n),
            drawn: wilson(ended(Some(None)), n),
            second: wilson(ended(Some(Some(Side::Second))), n),
            score: around(&scores),
            at_step_limit: wilson(ended(None), n),
            steps: mean(played.iter().map(|game| f64::from(game.steps)).sum()),
            decisions: (0..seats).map(|seat| mean(made(seat))).collect(),
        }
    }
}

/// What a game counts for a side: a win, half for a draw, or nothing.
fn points(game: &Playout, side: Side) -> f64 {
    match game.outcome.as_ref().and_then(|outcome| outcome.winner) {
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    }
}

/// The interval of a mean that is looked at up to ten times: so wide that it misses in one run of twenty at any of the
/// looks (Pocock).
fn often_seen(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    // Games that all end alike leave no interval of their own; one more of the other kind does.
    let half = 2.555 * (variance / n).sqrt().max(1.0 / n);
    [mean - half, mean + half]
}

/// Whether the whole interval lies on one side of a bound.
fn settled([_, low, high]: [f64; 3], bound: f64) -> bool {
    high < bound || low > bound
}

/// A mean of shares with the ends of its 95% interval; the interval of so many halves is Wilson's, which does not
/// vanish when all games end alike.
fn around(scores: &[f64]) -> [f64; 3] {
    let halves: f64 = scores.iter().map(|score| score * 2.0).sum();
    let n = scores.len() as u32;
    let [share, low, high] = wilson(halves.round() as u32, 2 * n);
    // Two halves of one game hang together: the interval is that of n games.
    let stretch = std::f64::consts::SQRT_2;
    [share, (share - (share - low) * stretch).max(0.0), (share + (high - share) * stretch).min(1.0)]
}

/// What an idea came to on one side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exploited {
    pub exploit: Exploit,
    pub side: Side,
    pub games: u32,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// Its share, draws split, with the ends of the 95% interval.
    pub score: [f64; 3],
}

/// What was found against a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// A sentence.
    pub text: String,
    /// Whether the whole interval lies outside the bound; otherwise it is too close to call.
    pub clear: bool,
}

/// The measure of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    pub games: Games,
    /// The ideas that had something to say, each on both sides.
    pub exploits: Vec<Exploited>,
    pub findings: Vec<Finding>,
}

/// An idea's score is looked at after each so many games, and an idea that clearly fails or wins is tried no further.
const ROUND: u32 = 4;

/// The verdict on a scenario is looked at after each so many games; two players have exchanged seats by then.
const LOOK: u32 = 20;

/// What is measured, and how thoroughly.
#[derive(Clone, Copy, Debug)]
pub struct Study<'a> {
    /// The most games between the usual players.
    pub games: u32,
    /// The most games with each idea on each side.
    pub tries: u32,
    /// Whether the usual players stop once the verdict is clear.
    pub early: bool,
    pub cores: usize,
    pub names: [&'a str; 2],
    /// Whether the scenario says that there is little to decide in it.
    pub demonstration: bool,
}

/// Plays the games of a study and judges them.
///
/// `play` plays a game by its number; `try_idea` plays one with an idea and says how many answers the idea gave.
pub fn balance(
    study: &Study<'_>,
    bounds: &Bounds,
    play: impl Fn(u64) -> Playout + Sync,
    try_idea: impl Fn(Exploit, Side, u64) -> (Playout, u32) + Sync,
) -> Balance {
    let Study { games, tries, cores, .. } = *study;
    let mut played: Vec<Playout> = Vec::new();
    while (played.len() as u32) < games {
        let before = played.len() as u64;
        let look = if study.early { LOOK } else { games };
        let more = u64::from(look).min(u64::from(games) - before);
        played.extend(side_by_side(more, cores, |number| play(before + number)));
        if study.early && Games::decided(&played, bounds) {
            break;
        }
    }
    let played = Games::of(&played);
    let mut exploits = Vec::new();
    for (exploit, side) in Exploit::ALL.into_iter().flat_map(|exploit| Side::BOTH.map(|side| (exploit, side))) {
        let mut tried: Vec<(Playout, u32)> = Vec::new();
        let mut score = [0.0, 0.0, 1.0];
        while (tried.len() as u32) < tries && !settled(score, bounds.most_for_an_idea) {
            let before = tried.len() as u64;
            let round = u64::from(tries.min(ROUND)).min(u64::from(tries) - before);
            tried.extend(side_by_side(round, cores, |number| try_idea(exploit, side, before + number)));
            if tried.iter().all(|(_, given)| *given == 0) {
                break;
            }
            score = around(&tried.iter().map(|(game, _)| points(game, side)).collect::<Vec<_>>());
        }
        if tried.iter().all(|(_, given)| *given == 0) {
            continue;
        }
        let count = |wanted: f64| tried.iter().filter(|(game, _)| points(game, side) == wanted).count() as u32;
        let (won, drawn, lost) = (count(1.0), count(0.5), count(0.0));
        exploits.push(Exploited { exploit, side, games: tried.len() as u32, won, drawn, lost, score });
    }
    let findings = judge(&played, &exploits, study, bounds);
    Balance { games: played, exploits, findings }
}

fn judge(games: &Games, exploits: &[Exploited], study: &Study<'_>, bounds: &Bounds) -> Vec<Finding> {
    let names = study.names;
    let mut findings = Vec::new();
    let mut above = |[share, low, _]: [f64; 3], bound: f64, text: String| {
        if share > bound {
            findings.push(Finding { text, clear: low > bound });
        }
    };
    if games.games > 0 {
        let [share, low, high] = games.score;
        let sides = [games.score, [1.0 - share, 1.0 - high, 1.0 - low]];
        for (name, score) in names.into_iter().zip(sides) {
            above(score, bounds.most_for_a_side, format!("{name} scores {:.0}%", 100.0 * score[0]));
        }
        above(games.drawn, bounds.most_draws, format!("{:.0}% of the games are drawn", 100.0 * games.drawn[0]));
        above(games.at_step_limit, 0.0, "games do not end within the step limit".into());
    }
    for tried in exploits {
        let name = names[tried.side.index()];
        let text = format!("{name} scores {:.0}% if it {}", 100.0 * tried.score[0], tried.exploit.idea());
        above(tried.score, bounds.most_for_an_idea, text);
    }
    let fewest = games.decisions.iter().copied().fold(f64::INFINITY, f64::min);
    if fewest < bounds.least_decisions && !study.demonstration {
        findings.push(Finding { text: format!("a seat has {fewest:.1} decisions a game"), clear: true });
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_kernel::Outcome;

    fn ended(winner: Option<Side>, decisions: u32) -> Playout {
        let outcome = Outcome {
            winner,
            level: String::new(),
            points: [0, 0],
            summary: String::new(),
            details: serde_json::Value::Null,
        };
        Playout { outcome: Some(outcome), steps: 10, answered: 20, decisions: vec![decisions; 2] }
    }

    const STUDY: Study<'_> =
        Study { games: 100, tries: 20, early: false, cores: 2, names: ["Blue", "Red"], demonstration: false };

    fn measured(play: impl Fn(u64) -> Playout + Sync, idea: Option<Side>, given: u32) -> Balance {
        balance(&STUDY, &Bounds::default(), play, |_, _, _| (ended(idea, 9), given))
    }

    #[test]
    fn a_fair_scenario_has_no_findings() {
        let alternating = |n: u64| ended([Some(Side::First), Some(Side::Second), None, None][n as usize % 4], 5);
        let even = measured(|n| if n % 10 < 3 { ended(None, 5) } else { alternating(n & 1) }, None, 0);
        assert_eq!(even.findings, [], "{even:?}");
        assert!(even.exploits.is_empty(), "ideas that say nothing are left out");
        assert_eq!(even.games.decisions, [5.0, 5.0]);
        assert_eq!(even.games.drawn[0], 0.3);
    }

    #[test]
    fn every_fault_is_found() {
        let texts = |balance: &Balance| balance.findings.iter().map(|found| found.text.clone()).collect::<Vec<_>>();
        let lopsided = measured(|_| ended(Some(Side::Second), 5), None, 0);
        assert_eq!(texts(&lopsided), ["Red scores 100%"]);
        assert!(lopsided.findings[0].clear);
        assert_eq!(texts(&measured(|_| ended(None, 5), None, 0)), ["100% of the games are drawn"]);
        let thin = measured(|n| ended(Some(Side::BOTH[n as usize % 2]), 1), None, 0);
        assert_eq!(texts(&thin), ["a seat has 1.0 decisions a game"]);
        let idle = measured(|n| ended(Some(Side::BOTH[n as usize % 2]), 5), Some(Side::First), 1);
        assert_eq!(idle.exploits.len(), 16);
        assert_eq!(idle.findings.len(), 8, "{idle:?}");
        assert_eq!(idle.findings[0].text, "Blue scores 100% if it passes whenever it can");
        let endless = |_| Playout { outcome: None, ..ended(None, 5) };
        assert!(texts(&measured(endless, None, 0)).contains(&"games do not end within the step limit".to_owned()));
    }

    #[test]
    fn an_idea_that_clearly_fails_is_given_up() {
        let tried = |winner: fn(u64) -> Option<Side>| {
            let play = |_| ended(None, 5);
            let idea = |_, _, number| (ended(winner(number), 9), 1);
            balance(&Study { games: 0, ..STUDY }, &Bounds::default(), play, idea).exploits[0].clone()
        };
        let fails = tried(|_| Some(Side::Second));
        assert_eq!((fails.games, fails.won, fails.drawn, fails.lost), (4, 0, 0, 4));
        let even = tried(|number| Some(Side::BOTH[number as usize % 2]));
        assert_eq!((even.games, even.won, even.drawn, even.lost), (20, 10, 0, 10));
    }

    #[test]
    fn a_demonstration_may_leave_little_to_decide() {
        let thin = |n: u64| ended(Some(Side::BOTH[n as usize % 2]), 1);
        let study = Study { demonstration: true, ..STUDY };
        assert_eq!(balance(&study, &Bounds::default(), thin, |_, _, _| (ended(None, 9), 0)).findings, []);
    }

    #[test]
    fn games_stop_when_the_verdict_is_clear() {
        let study = Study { games: 200, early: true, ..STUDY };
        let games = |winner: fn(u64) -> Option<Side>| {
            let play = |n| ended(winner(n), 9);
            balance(&study, &Bounds::default(), play, |_, _, _| (ended(None, 9), 0)).games.games
        };
        assert_eq!(games(|_| Some(Side::First)), LOOK, "lopsided");
        assert_eq!(games(|_| None), LOOK, "all drawn");
        assert_eq!(games(|n| Some(Side::BOTH[n as usize % 2])), 180, "even, without draws");
        let with_draws = games(|n| {
            [Some(Side::First), Some(Side::Second), None, Some(Side::First), Some(Side::Second)][n as usize % 5]
        });
        assert!((100..180).contains(&with_draws), "even, with some draws: {with_draws}");
        assert_eq!(games(|n| Some(if n % 5 < 3 { Side::First } else { Side::Second })), 200, "on the bound");
    }

    #[test]
    fn a_lean_within_the_interval_is_too_close_to_call() {
        let leaning = measured(|n| ended(Some(if n % 100 < 63 { Side::First } else { Side::Second }), 5), None, 0);
        assert_eq!(leaning.findings.len(), 1);
        assert!(!leaning.findings[0].clear);
    }
}
