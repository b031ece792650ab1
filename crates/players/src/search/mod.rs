//! Information-set Monte Carlo tree search.
//!
//! Each iteration imagines a world from what the seat knows, replays the answers of the present step in it, tries an
//! answer to the question and plays on: along the tree while it has something to say, then by instinct to the end or to
//! a cut. A node of the tree is an information set (what the asked seat knew before the step, and the answers since),
//! so that no seat in the tree plays by what it cannot know. Faces that the rules read alike are one branch; a roll
//! with few branches follows their exact odds, others are sampled.

mod dice;
pub(crate) mod game;
pub(crate) mod scale;
mod secret;
mod tree;
mod variant;

use crate::clock::{Clock, Stopwatch};
use crate::kind::{Budget, PlayerKind};
use crate::knowledge::Knowledge;
use crate::policy::{Alternative, Habit, Thought, at_once};
use crate::probe::{Options, TRIES, legal, surveyed};
use flagplot_kernel::{Chance, Game, Seat, Side};
use game::{Plan, Played, Until, play};
use scale::Scale;
use serde_json::Value;
use std::num::NonZero;
use std::time::Duration;
use tree::{Arm, Node, Tree};

/// How a search is made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long it may take.
    pub budget: Budget,
    /// What a time counts.
    pub clock: Clock,
    /// How many cores it may use. The answer for a number of iterations does not depend on it.
    pub cores: usize,
    /// An imagined game is cut so many steps after the question, at the next settled moment, and judged by the system's
    /// evaluation; none for what the system says of it.
    pub depth: Option<u32>,
    /// In playouts one answer in so many is random; 0 for none.
    pub random_one_in: u32,
    /// The part of the margin in what a game is worth; the rest is winning.
    pub margin: f64,
    /// Whether secret answers are drawn from the mix of the exact payoffs where the rules give them, without a search.
    pub exact: bool,
    /// Answers that are weighed in any case, beside the system's candidates.
    pub also: Vec<Value>,
}

impl Settings {
    /// The usual settings on all cores.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            budget,
            clock: Clock::Wall,
            cores,
            depth: None,
            random_one_in: 0,
            margin: 0.2,
            exact: true,
            also: Vec::new(),
        }
    }

    /// The same on one core.
    #[must_use]
    pub fn on_one_core(mut self) -> Self {
        self.cores = 1;
        self
    }

    /// The same with another clock.
    #[must_use]
    pub fn by(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }
}

/// When a tree has to stop.
#[derive(Clone, Copy, Debug)]
enum Limit {
    Time(Clock, Duration),
    Games(u32),
}

impl Limit {
    /// The limit, from now on.
    fn begin(self) -> Running {
        match self {
            Limit::Time(clock, time) => Running::Time(Stopwatch::start(clock), time),
            Limit::Games(games) => Running::Games(games),
        }
    }
}

#[derive(Debug)]
enum Running {
    Time(Stopwatch, Duration),
    Games(u32),
}

impl Running {
    fn allows(&self, played: u32) -> bool {
        match self {
            Running::Time(clock, time) => clock.elapsed() < *time,
            Running::Games(games) => played < *games,
        }
    }
}

/// What all trees of one search share.
struct Shared<'a, 'k, G: Game> {
    knowledge: &'a Knowledge<'k, G>,
    sides: &'a [Side],
    settings: &'a Settings,
    depth: u32,
    scale: Scale,
    habit: Habit<'static>,
    seed: u64,
    /// So many answers after instinct's are weighed in any case.
    also: usize,
}

impl<G: Game> Shared<'_, '_, G> {
    /// What is worth so much to the first side, for the side that thinks.
    fn for_the_seat(&self, worth: f64) -> f64 {
        if self.knowledge.side() == Side::First { worth } else { 1.0 - worth }
    }

    /// The game of a plan in the `round`-th world of a tree, and what it is worth to the first side. All plans meet the
    /// same worlds and dice, so that their results can be compared round by round. A world that does not allow what has
    /// happened is passed over.
    fn play(&self, number: u64, round: u32, plan: Plan<'_>, tree: &mut Tree) -> Option<(Played, f64)> {
        let until = Until::Cut(self.depth);
        for attempt in 0..TRIES {
            let mut chance =
                Chance::stream(self.seed ^ u64::from(attempt) << 48, (number + 1) << 32 | u64::from(round));
            if let Some(played) = play(self.knowledge, self.sides, plan, Some(tree), self.habit, until, &mut chance) {
                let worth = self.scale.worth(played.ending);
                tree.learn(&played.path, worth);
                return Some((played, worth));
            }
        }
        None
    }
}

/// What a search answers to the question the seat is asked. Nothing if it is not asked.
///
/// For a number of iterations the answer follows from `chance` alone, on every machine and any number of cores.
pub fn search<G: Game>(knowledge: &Knowledge<'_, G>, settings: &Settings, chance: &mut Chance) -> Option<Thought> {
    let begun = Stopwatch::start(settings.clock);
    let sides: Vec<Side> = knowledge.game().seats().iter().map(|seat| seat.side).collect();
    let mut survey = surveyed(knowledge, &sides, settings.exact, chance)?;
    if survey.own.values.is_empty() {
        return None;
    }
    let mut also = 0;
    for value in &settings.also {
        let values = &mut survey.own.values;
        let known = values.iter().position(|(known, _)| known == value);
        if known == Some(0) {
            continue;
        }
        // An answer that is asked about comes right after instinct's, if the rules accept it.
        if known.is_some() || legal(knowledge, value, chance) {
            let told = known.map_or_else(|| (value.clone(), "The answer given".to_owned()), |at| values.remove(at));
            values.insert(1, told);
            also += 1;
        }
    }
    if survey.own.closed && survey.own.values.len() == 1 {
        return Some(Thought::at_once(survey.own.values.swap_remove(0).0));
    }
    let seed = chance.bits();
    let habit = Habit::Instinct { random_one_in: settings.random_one_in };
    let time = match settings.budget {
        Budget::Millis(millis) => Some(Duration::from_millis(u64::from(millis))),
        Budget::Iterations(_) => None,
    };
    // A few whole games by instinct say what endings there are and what a standing at the cut is worth.
    let warm_up = match settings.budget {
        Budget::Millis(_) => 16,
        Budget::Iterations(iterations) => (iterations / 16).clamp(4, 16),
    };
    let depth = settings.depth.unwrap_or_else(|| knowledge.game().horizon());
    let mut samples = Vec::new();
    for round in 0..warm_up {
        let spent = time.is_some_and(|time| samples.len() >= 3 && begun.elapsed() * 8 > time);
        if spent {
            break;
        }
        let mut dice = Chance::stream(seed, u64::from(round));
        let played = play(knowledge, &sides, Plan::Instinct, None, habit, Until::End(depth), &mut dice);
        samples.extend(played.map(|played| (played.cut, played.ending)));
    }
    // How many games there will be, for those who must share them out beforehand.
    let left = time.map(|time| time.saturating_sub(begun.elapsed()));
    let games = match (settings.budget, left) {
        (Budget::Millis(_), Some(left)) => {
            let each = begun.elapsed().as_secs_f64() / samples.len().max(1) as f64;
            (left.as_secs_f64() / each.max(1e-7)) as u32 * settings.cores.max(1) as u32
        }
        (Budget::Millis(games) | Budget::Iterations(games), _) => games,
    };
    let shared = Shared {
        knowledge,
        sides: &sides,
        settings,
        depth,
        scale: Scale::fit(&samples, settings.margin),
        habit,
        seed,
        also,
    };
    let limits = limits(settings, left);
    // An exact equilibrium needs no imagined games, but for what the position is worth: as much with every answer in
    // it.
    if let Some(mix) = survey.own.mix.take() {
        let mut worth = Arm::new(Value::Null);
        samples.iter().for_each(|(_, ending)| worth.add(shared.for_the_seat(shared.scale.worth(*ending))));
        let tried = |value: &Value| {
            let (mut arm, mut tree) = (Arm::new(value.clone()), Tree::default());
            let plan = Plan::Answers { own: value, rival: None };
            let games = (0..samples.len() as u32).filter_map(|round| shared.play(0, round, plan, &mut tree));
            games.for_each(|(_, worth)| arm.add(shared.for_the_seat(worth)));
            arm
        };
        return secret::exact(&mix, &worth, tried, &survey.own, chance);
    }
    // Answers that can be listed are weighed against each other; where there is no end of them, against what the
    // rival's instinct does.
    let thought = match survey.rival.take().filter(|(_, theirs)| survey.own.closed && theirs.closed) {
        Some(rival) => secret::search(&shared, survey.own, rival, games, &limits, chance),
        None => open(&shared, survey.own, &limits),
    };
    // If no imagined world could be played at all, instinct still has an answer.
    thought.or_else(|| at_once(knowledge, PlayerKind::Greedy, chance))
}

/// The limit of each tree. With a number of iterations the number of trees follows from it, not from the machine.
fn limits(settings: &Settings, left: Option<Duration>) -> Vec<Limit> {
    match settings.budget {
        Budget::Millis(_) => {
            vec![left.map_or(Limit::Games(1), |left| Limit::Time(settings.clock, left)); settings.cores.max(1)]
        }
        Budget::Iterations(iterations) => {
            let trees = (iterations / 500).clamp(1, 8);
            (0..trees).map(|tree| Limit::Games(iterations / trees + u32::from(tree < iterations % trees))).collect()
        }
    }
}

/// Runs a job for each tree on the cores there are; the results come in the order of the trees.
fn on_cores<T: Send>(cores: usize, limits: &[Limit], job: impl Fn(u64, Limit) -> T + Sync) -> Vec<T> {
    let workers = cores.clamp(1, limits.len().max(1));
    if workers == 1 {
        return limits.iter().enumerate().map(|(tree, &limit)| job(tree as u64, limit)).collect();
    }
    let job = &job;
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers)
            .map(|worker| {
                scope.spawn(move || {
                    (worker..limits.len())
                        .step_by(workers)
                        .map(|tree| (tree, job(tree as u64, limits[tree])))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap_or_default()).collect()
    });
    results.sort_by_key(|(tree, _)| *tree);
    results.into_iter().map(|(_, result)| result).collect()
}

/// What an answer got in each round, tree by tree.
type Results = Vec<(usize, Vec<f32>)>;

/// How many standard errors an answer must be better than instinct's to be preferred. There are many answers, and the
/// luckiest of them is looked at.
const DOUBT: f64 = 1.5;

/// So many alternatives are told, and those that were asked about.
const TOLD: usize = 12;

/// By how much one answer did better than another in the rounds that both have met, with the standard error.
fn paired(one: &Results, two: &Results) -> [f64; 2] {
    let both = one.iter().filter_map(|(tree, a)| Some((a, &two.iter().find(|(other, _)| other == tree)?.1)));
    mean_and_error(&both.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| f64::from(a - b))).collect::<Vec<_>>())
}

/// The mean of differences in pairs of games, and its standard error.
fn mean_and_error(differences: &[f64]) -> [f64; 2] {
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n.max(1.0);
    let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
    // As if one further pair had differed by a quarter: a handful of equal games proves nothing.
    [mean, ((squares + 0.0625) / (n + 1.0) / n.max(1.0)).sqrt()]
}

/// A choice that is made alone: the answer with the best results.
fn open<G: Game>(shared: &Shared<'_, '_, G>, options: Options, limits: &[Limit]) -> Option<Thought> {
    let roots = on_cores(shared.settings.cores, limits, |tree, limit| grow(shared, &options, tree, limit));
    let mut arms: Vec<(Arm, Results)> = Vec::new();
    for (tree, root) in roots.into_iter().enumerate() {
        for (arm, results) in root.into_iter().filter(|(arm, _)| arm.games > 0) {
            match arms.iter_mut().find(|(known, _)| known.value == arm.value) {
                Some((known, by_tree)) => {
                    known.merge(&arm);
                    by_tree.push((tree, results));
                }
                None => arms.push((arm, vec![(tree, results)])),
            }
        }
    }
    let total: u32 = arms.iter().map(|(arm, _)| arm.games).sum();
    // Instinct's answer stands until another is shown to be better in the same worlds: by how much it is better, less
    // what luck explains.
    let (_, instinct) = arms.first()?;
    let gain = |results: &Results| {
        let [difference, error] = paired(results, instinct);
        difference - DOUBT * error
    };
    let gains: Vec<f64> =
        arms.iter().enumerate().map(|(at, (_, results))| if at == 0 { 0.0 } else { gain(results) }).collect();
    let best = (0..arms.len()).max_by(|&a, &b| gains[a].total_cmp(&gains[b]).then(b.cmp(&a)))?;
    let value = arms[best].0.value.clone();
    let mut order: Vec<usize> = (0..arms.len()).collect();
    order.sort_by(|&a, &b| gains[b].total_cmp(&gains[a]).then(a.cmp(&b)));
    let told = order
        .into_iter()
        .enumerate()
        .filter(|&(place, at)| place < TOLD || shared.settings.also.contains(&arms[at].0.value));
    // The arms have met different numbers of worlds, so that their means cannot be compared. What can be is the
    // instinctive answer's mean and what each answer gained on it. An answer that did better than the one given, but
    // not clearly, is shown as its equal.
    let base = (arms[0].0.mean(), arms[0].0.error());
    let worth = |at: usize| {
        let [difference, error] = if at == 0 { [0.0, 0.0] } else { paired(&arms[at].1, instinct) };
        ((base.0 + difference).clamp(0.0, 1.0), base.1.hypot(error))
    };
    let (most, _) = worth(best);
    let mut alternatives: Vec<Alternative> = told
        .map(|(_, at)| {
            let (estimate, error) = worth(at);
            let gap_error = if at == best { 0.0 } else { paired(&arms[at].1, &arms[best].1)[1] };
            Alternative { estimate: estimate.min(most), error, gap_error, ..alternative(&arms[at].0, &options, None) }
        })
        .collect();
    let given = |one: &Alternative| one.value == value;
    alternatives.sort_by(|a, b| given(b).cmp(&given(a)).then(b.estimate.total_cmp(&a.estimate)));
    let method = format!("{total} imagined games; the estimate is close to the chance to win, with one standard error");
    Some(Thought { value, alternatives, method })
}

fn alternative(arm: &Arm, options: &Options, share: Option<f64>) -> Alternative {
    let label = options
        .values
        .iter()
        .find(|(value, _)| *value == arm.value)
        .map_or_else(|| short(&arm.value), |(_, label)| label.clone());
    let (estimate, error) = (arm.mean(), arm.error());
    Alternative { value: arm.value.clone(), label, estimate, error, gap_error: error, games: arm.games, share }
}

/// A value without words of its own, cut to a length that fits a line.
fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 80 { text } else { text.chars().take(79).chain(['…']).collect() }
}

/// Instinct's answer is tried at least in one game of so many, since every other answer is compared with it.
const DUTY: u32 = 4;

/// A difference that does not matter: half a hundredth of a win.
const MATTERS: f64 = 0.005;

/// Whether more games could hardly change the choice: no answer can be better than the one that would be given now by
/// as much as matters, with three standard errors to spare. Small matters are decided so after a few games, great ones
/// never.
fn decided(results: &[Vec<f32>]) -> bool {
    let difference = |one: &[f32], two: &[f32]| {
        let n = one.len().min(two.len()) as f64;
        let differences = || one.iter().zip(two).map(|(a, b)| f64::from(a - b));
        let mean = differences().sum::<f64>() / n.max(1.0);
        let squares: f64 = differences().map(|difference| (difference - mean).powi(2)).sum();
        // As if one further pair had differed by a twentieth.
        [mean, ((squares + 0.0025) / (n + 1.0) / n.max(1.0)).sqrt()]
    };
    let Some(instinct) = results.first() else { return false };
    let gain = |at: usize| {
        let [mean, error] = difference(&results[at], instinct);
        if at == 0 { 0.0 } else { mean - DOUBT * error }
    };
    let best = (0..results.len()).max_by(|&a, &b| gain(a).total_cmp(&gain(b)).then(b.cmp(&a))).unwrap_or(0);
    results.iter().enumerate().filter(|(at, _)| *at != best).all(|(_, other)| {
        let [mean, error] = difference(other, &results[best]);
        other.len() >= 4 && mean + 3.0 * error < MATTERS
    })
}

/// One tree: the root's answers with their results.
fn grow<G: Game>(shared: &Shared<'_, '_, G>, options: &Options, number: u64, limit: Limit) -> Vec<(Arm, Vec<f32>)> {
    let mut waiting: Vec<Value> = options.values.iter().rev().map(|(value, _)| value.clone()).collect();
    let first = if options.closed { waiting.len() } else { 1 + shared.also };
    let mut root =
        Node::with(shared.knowledge.side(), waiting.split_off(waiting.len().saturating_sub(first)).into_iter().rev());
    let mut results: Vec<Vec<f32>> = Vec::new();
    let mut tree = Tree::default();
    let mut whims = Chance::stream(shared.seed, (number + 1) << 32 | u64::from(u32::MAX));
    let mut repeats = 0;
    let mut look = 48;
    let limit = limit.begin();
    while limit.allows(root.games()) {
        let due = !options.closed
            && repeats < 32
            && root.arms.len() < Node::width(root.games())
            && root.arms.iter().all(|arm| arm.games > 0);
        if due {
            let candidate = if root.arms.len() % 2 == 1 { waiting.pop() } else { None };
            let fresh = candidate.or_else(|| variant::fresh(shared.knowledge, options, &root, &mut whims));
            match fresh.filter(|value| !root.has(value)) {
                Some(value) => root.arms.push(Arm::new(value)),
                None => repeats += 1,
            }
        }
        let at = root.next(DUTY);
        let plan = Plan::Answers { own: &root.arms[at].value, rival: None };
        let Some((_, worth)) = shared.play(number, root.arms[at].games, plan, &mut tree) else { break };
        results.resize(root.arms.len(), Vec::new());
        results[at].push(root.learn(at, worth) as f32);
        if root.games() == look {
            look += look / 2;
            if (options.closed || root.arms.len() >= 6) && decided(&results) {
                break;
            }
        }
    }
    results.resize(root.arms.len(), Vec::new());
    root.arms.into_iter().zip(results).collect()
}

/// The seat that chooses at the same moment, with its answers.
type Rival = (Seat, Options);
