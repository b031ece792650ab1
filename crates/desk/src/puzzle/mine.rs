//! Finds puzzles in games that have been played.

use super::proof::{self, Scores};
use super::{Collection, Posed, Position, Puzzle, Source, Turn, name};
use crate::luck::standing;
use crate::mean::Mean;
use crate::record::{Entry, Record};
use crate::script::{Opening, Stage};
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_kernel::{Chance, Question, Refusal, Seat, SeatQuestion, Viewer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};

/// How many options a question of a puzzle has.
const OPTIONS: std::ops::RangeInclusive<usize> = 2..=400;
/// How many options of a long list are looked at.
const LOOKED_AT: usize = 8;
/// A longer list than this is offered without the answers that are about as good as the best one.
const SHORT: usize = 4;
/// How many options are offered of a longer list.
const OFFERED: std::ops::RangeInclusive<usize> = 3..=5;
/// How many answers of a simulated game are looked at: what leads to a position is stored with it.
const LONGEST: usize = 120;
/// Games of each answer for a first look, and for a second one of the answers that are still in question.
const LOOKS: [u32; 2] = [12, 64];
/// The least gap at each look, and how many standard errors it must be.
const PROMISING: [(f64, f64); 2] = [(0.14, 1.0), (0.06, 2.2)];
/// Games of each answer for the proof.
const PROOF: std::ops::RangeInclusive<f64> = 240.0..=2_500.0;
/// The gap in standard errors that the number of games is chosen for.
const AIM: f64 = 8.0;
/// A best answer that wins less often than this decides little.
const HOPELESS: f64 = 0.15;
/// A second answer that is worse by more than this tempts no player.
const ABSURD: f64 = 0.45;
/// The share that questions of one kind may take, and puzzles of one scenario, among several.
const ONE_KIND: f64 = 0.4;
/// The answers at which a simulated game is looked at: one in so many, so that positions lie apart.
const ONE_IN: u32 = 2;

/// Looks for puzzles of a system.
pub struct Mine<'a> {
    catalog: &'a Catalog,
    /// What has been found.
    pub collection: Collection,
    scenarios: Vec<String>,
    /// How many are wanted.
    wanted: usize,
    /// How many may come from one game.
    pub per_game: usize,
    /// The share of puzzles whose best answer may be the obvious one.
    pub obvious_share: f64,
    /// The share of each simulated game that is left out at its beginning: late answers decide more, and the games that
    /// prove it are shorter.
    pub late: f64,
    /// Whether answers that both sides give in secret are looked at too: the other side gives its own by instinct.
    pub secret: bool,
    seed: u64,
    games: u64,
    /// What was seen and asked in positions that have been looked at.
    known: HashSet<[u8; 32]>,
    kinds: BTreeMap<String, usize>,
    obvious: usize,
}

impl<'a> Mine<'a> {
    /// A search for puzzles of some scenarios, or of all, until there are so many in a collection.
    pub fn new(
        catalog: &'a Catalog,
        collection: Collection,
        scenarios: &[String],
        wanted: usize,
        seed: u64,
    ) -> Result<Self, Refusal> {
        let system = &collection.system;
        let all = || catalog.system(system).map(|one| one.scenarios().into_iter().map(|one| one.id).collect());
        let scenarios: Vec<String> = if scenarios.is_empty() { all()? } else { scenarios.to_vec() };
        scenarios.iter().try_for_each(|id| catalog.game(system, id, &Value::Null).map(drop))?;
        if scenarios.is_empty() {
            return Err(Refusal::new("no-scenario", format!("{system} has no scenario to play.")));
        }
        let mut known = HashSet::new();
        collection.replay(catalog, |_, posed| {
            known.insert(seen(&posed.stage, &posed.question));
        })?;
        let sources = collection.sources.clone();
        let (kinds, obvious) = (BTreeMap::new(), 0);
        let (per_game, obvious_share, late) = (3, 0.6, 0.0);
        let mut mine = Self {
            catalog,
            collection,
            scenarios,
            wanted,
            per_game,
            obvious_share,
            late,
            secret: false,
            seed,
            games: 0,
            known,
            kinds,
            obvious,
        };
        for (source, position) in sources.iter().flat_map(|one| one.puzzles.iter().map(move |two| (one, two))) {
            mine.count(&source.opening.scenario, position);
        }
        Ok(mine)
    }

    /// Counts a puzzle among those of its kind.
    fn count(&mut self, scenario: &str, position: &Position) {
        *self.kinds.entry(position.ask.clone()).or_default() += 1;
        *self.kinds.entry(format!("{scenario} ")).or_default() += 1;
        self.obvious += usize::from(position.instinct == Some(position.best));
    }

    /// Whether as many have been found as were wanted.
    #[must_use]
    pub fn done(&self) -> bool {
        self.collection.len() >= self.wanted
    }

    /// Plays one more game, by players of different skill, and looks for puzzles in it. How many there were.
    pub fn dig(&mut self) -> Result<usize, Refusal> {
        let scenario = &self.scenarios[(self.games % self.scenarios.len() as u64) as usize];
        let mut chance = Chance::stream(self.seed, self.games);
        self.games += 1;
        let source = simulated(self.catalog, &self.collection.system, scenario, &mut chance)?;
        let first = (self.late.clamp(0.0, 1.0) * source.turns.len() as f64) as usize;
        self.search_from(first, source, &mut chance)
    }

    /// Looks for puzzles in a game. How many there were.
    pub fn search(&mut self, source: Source, chance: &mut Chance) -> Result<usize, Refusal> {
        self.search_from(0, source, chance)
    }

    fn search_from(&mut self, first: usize, mut source: Source, chance: &mut Chance) -> Result<usize, Refusal> {
        let before = self.collection.len();
        let mut stage = Stage::open(self.catalog, &source.opening)?;
        let mut found: Vec<Position> = Vec::new();
        for at in 0..source.turns.len() {
            if found.len() >= self.per_game || before + found.len() >= self.wanted {
                break;
            }
            if let Some(position) = (at >= first).then(|| self.look(&stage, &source, at, chance)).flatten() {
                self.count(&source.opening.scenario, &position);
                found.push(position);
            }
            let Turn(seat, value, rolls) = &source.turns[at];
            stage.answer(*seat, value, rolls)?;
        }
        if found.is_empty() {
            return Ok(0);
        }
        source.puzzles = found;
        source.cut();
        self.collection.add(source);
        Ok(self.collection.len() - before)
    }

    /// Whether there are enough questions of a kind; `of` says among how many kinds.
    fn enough(&self, kind: &str, of: usize) -> bool {
        let most = (ONE_KIND * self.wanted as f64).max(self.wanted as f64 / of.max(1) as f64 + 1.0);
        self.kinds.get(kind).copied().unwrap_or(0) as f64 >= most
    }

    /// The position before an answer, if it makes a puzzle.
    fn look(&mut self, stage: &Stage, source: &Source, at: usize, chance: &mut Chance) -> Option<Position> {
        let desk = stage.desk();
        let asked = match desk.question()? {
            Question::Choice(question) => question,
            Question::Secret { open, .. } if self.secret => open.first()?,
            _ => return None,
        };
        let SeatQuestion { seat, prompt, options, .. } = asked;
        if !OPTIONS.contains(&options.len()) || chance.below(ONE_IN) > 0 {
            return None;
        }
        let kinds = self.kinds.keys().filter(|kind| !kind.ends_with(' ')).count().max(2);
        if self.enough(prompt.code, kinds)
            || self.enough(&format!("{} ", source.opening.scenario), self.scenarios.len())
            || !self.known.insert(seen(stage, asked))
        {
            return None;
        }
        let obvious = desk.think(*seat, PlayerKind::Greedy, chance);
        let looked_at = looked_at(asked, obvious.as_ref(), chance)?;
        let instinct = |values: &[&Value]| values.iter().position(|one| Some(*one) == obvious.as_ref());
        // The obvious answer is the best in most positions: those are looked at less often once there are enough.
        let sated = self.obvious as f64 >= self.obvious_share * self.wanted as f64;
        let Trial { offered, games } = trial(stage, *seat, &looked_at, instinct(&looked_at), sated, chance.bits())?;
        let values: Vec<&Value> = offered.iter().map(|&at| looked_at[at]).collect();
        let instinct = instinct(&values);
        let seed = chance.bits() >> 12;
        let scores = Scores::play(desk, *seat, &values, 0..games, seed);
        let (best, worth) = (scores.best(), scores.worth(&values));
        let second = worth.iter().enumerate().filter(|(at, _)| *at != best).map(|(_, one)| one.gap());
        let clear = scores.sound()
            && proof::is_new(&worth, best)
            && worth[best].worth() >= HOPELESS
            && second.fold(1.0, f64::min) <= ABSURD
            && !(sated && instinct == Some(best));
        let (id, ask, of) = (name(source, at, prompt.code), prompt.code.to_owned(), options.len());
        clear.then(|| Position { id, at, seat: *seat, ask, of, best, instinct, games, seed, options: worth })
    }
}

/// The answers to look at: all of a short list; of a long one the obvious answer and some others. None if two of them
/// are called the same.
fn looked_at<'q>(question: &'q SeatQuestion, obvious: Option<&Value>, chance: &mut Chance) -> Option<Vec<&'q Value>> {
    let all = &question.options;
    let mut left: Vec<usize> = (0..all.len()).collect();
    let mut chosen: Vec<usize> =
        left.iter().position(|&at| Some(&all[at].value) == obvious).map(|at| left.remove(at)).into_iter().collect();
    while chosen.len() < LOOKED_AT && !left.is_empty() {
        chosen.push(left.remove(chance.below(left.len() as u32) as usize));
    }
    chosen.sort_unstable();
    let same = |one: usize, two: usize| all[one].value == all[two].value || all[one].label == all[two].label;
    let clash = (1..chosen.len()).any(|at| chosen[..at].iter().any(|&other| same(other, chosen[at])));
    (!clash).then(|| chosen.into_iter().map(|at| &all[at].value).collect())
}

/// What a few games say of a position: the answers to offer, by their places, and the games that a proof needs.
struct Trial {
    offered: Vec<usize>,
    games: u32,
}

/// Tries a position; none if no answer looks like the best by far. Where there are enough puzzles with an obvious
/// answer (`sated`), that answer may not be the best.
fn trial(
    stage: &Stage,
    seat: Seat,
    values: &[&Value],
    instinct: Option<usize>,
    sated: bool,
    seed: u64,
) -> Option<Trial> {
    let mut scores = Scores::play(stage.desk(), seat, values, 0..LOOKS[0], seed);
    let mut offered: Vec<usize> = (0..values.len()).collect();
    for (round, (least, errors)) in PROMISING.into_iter().enumerate() {
        if round > 0 {
            let left: Vec<&Value> = offered.iter().map(|&at| values[at]).collect();
            scores = scores.and(Scores::play(stage.desk(), seat, &left, LOOKS[0]..LOOKS[0] + LOOKS[round], seed));
        }
        let best = scores.best();
        if !scores.sound() || (sated && instinct == Some(offered[best])) {
            return None;
        }
        let far = |at: usize| {
            let gap = scores.gap(best, at);
            at == best || (gap.value >= least && gap.value >= errors * gap.error)
        };
        let mut kept: Vec<usize> = (0..offered.len()).filter(|&at| far(at)).collect();
        if values.len() > SHORT {
            // The most tempting of those that are worse: the obvious answer, then those that come nearest.
            let rank = |at: &usize| {
                let own = *at == best || instinct == Some(offered[*at]);
                (!own, scores.gap(best, *at).value)
            };
            kept.sort_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal));
            kept.truncate(*OFFERED.end());
            kept.sort_unstable();
        }
        let enough = if values.len() > SHORT { *OFFERED.start() } else { values.len() };
        if kept.len() < enough {
            return None;
        }
        let gaps: Vec<_> = kept.iter().filter(|&&at| at != best).map(|&at| scores.gap(best, at)).collect();
        offered = kept.iter().map(|&at| offered[at]).collect();
        if round + 1 == PROMISING.len() {
            let needed = |gap: &Mean| f64::from(scores.tried) * (AIM * gap.error / gap.value).powi(2);
            let games = gaps.iter().map(needed).fold(0.0, f64::max);
            let games = (games <= *PROOF.end()).then(|| games.max(*PROOF.start()).ceil() as u32)?;
            return Some(Trial { offered, games });
        }
        scores = scores.only(&kept);
    }
    None
}

/// What the seat sees and is asked, as a hash: a position that looks the same is no other puzzle.
fn seen(stage: &Stage, question: &SeatQuestion) -> [u8; 32] {
    let view = stage.desk().situation(Viewer::Seat(question.seat)).view;
    let bytes = serde_json::to_vec(&(view, question.seat, &question.prompt)).unwrap_or_default();
    Sha256::digest(bytes).into()
}

/// A game between players of different skill, as far as it is looked at.
fn simulated(catalog: &Catalog, system: &str, scenario: &str, chance: &mut Chance) -> Result<Source, Refusal> {
    // Seeds of 52 bits stay whole numbers in every reader of JSON.
    let seed = Some(chance.bits() >> 12);
    let (system, scenario) = (system.to_owned(), scenario.to_owned());
    let opening = Opening { system, scenario, options: Value::Null, seed, rolls: Vec::new() };
    let mut stage = Stage::open(catalog, &opening)?;
    let mut player = || match chance.below(4) {
        0 => PlayerKind::Random,
        1 => PlayerKind::Recruit,
        _ => PlayerKind::Greedy,
    };
    let players: Vec<PlayerKind> = stage.desk().seats().iter().map(|_| player()).collect();
    let mut turns: Vec<Turn> = Vec::new();
    while turns.len() < LONGEST {
        let Some(seat) = stage.desk().question().and_then(|one| one.open().first()).map(|one| one.seat) else { break };
        let kind = players.get(usize::from(seat.0)).copied().unwrap_or(PlayerKind::Greedy);
        let Some(value) = stage.desk().think(seat, kind, chance) else { break };
        stage.answer(seat, &value, &[])?;
        turns.push(Turn(seat, value, Vec::new()));
    }
    Ok(Source { opening, turns, puzzles: Vec::new() })
}

/// A recorded game, with its dice, as one in which puzzles can be looked for.
pub fn from_record(record: &Record) -> Source {
    let header = &record.header;
    let (system, scenario, options) = (header.system.clone(), header.scenario.clone(), header.options.clone());
    let mut opening = Opening { system, scenario, options, seed: None, rolls: Vec::new() };
    let mut turns: Vec<Turn> = Vec::new();
    for (_, entry) in standing(&record.entries) {
        match entry {
            Entry::Dice(faces) => turns.last_mut().map_or(&mut opening.rolls, |turn| &mut turn.2).push(faces.0),
            Entry::Answer { seat, value } => turns.push(Turn(seat, value, Vec::new())),
            _ => break,
        }
    }
    Source { opening, turns, puzzles: Vec::new() }
}

impl Puzzle<'_> {
    /// The puzzle's figures found anew, if one answer is still clearly the best.
    #[must_use]
    pub fn renewed(&self, posed: &Posed) -> Option<Position> {
        let old = self.position;
        let values: Vec<&Value> = old.options.iter().map(proof::Worth::value).collect();
        let scores = Scores::play(posed.stage.desk(), old.seat, &values, 0..old.games, old.seed);
        let options = scores.worth(&values);
        let kept = scores.sound() && scores.best() == old.best && proof::is_new(&options, old.best);
        kept.then(|| Position { options, of: posed.question.options.len(), ..old.clone() })
    }
}
