//! Puzzles: positions of real games in which one answer is clearly the best, with the proof.
//!
//! A file holds games as the answers and dice that lead to its positions, so that a position is always one of the rules
//! as they are. What each answer is worth was found in games played out from what the seat sees and can be found again.

mod mine;
mod proof;

pub use mine::{Mine, from_record};
pub use proof::Worth;

use crate::script::{Misfit, Opening, Stage};
use crate::words::in_words;
use flagplot_catalog::Catalog;
use flagplot_kernel::{OptionView, Question, Refusal, Seat, SeatQuestion};
use proof::Scores;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The version of the files.
const FORMAT: u32 = 1;

/// The seed with which stored puzzles are proved again.
pub const CHECK_SEED: u64 = 20_261_117;

/// The first line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    puzzles: u32,
    system: String,
    edition: String,
}

/// An answer of a seat, and the rolls after it that do not follow from the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn(pub Seat, pub Value, #[serde(default, skip_serializing_if = "Vec::is_empty")] pub Vec<Vec<u8>>);

/// A game, as far as the last of its positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What it begins with.
    pub opening: Opening,
    /// What was answered.
    pub turns: Vec<Turn>,
    #[serde(default)]
    pub puzzles: Vec<Position>,
}

/// A position of a game in which one answer is clearly the best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Its name, which stays the same when other puzzles come and go.
    pub id: String,
    /// How many answers of the game lead to it.
    pub at: usize,
    /// The seat that is asked.
    pub seat: Seat,
    /// The code of the question.
    pub ask: String,
    /// How many answers the game offers; the puzzle offers some of a longer list.
    #[serde(default)]
    pub of: usize,
    /// The best answer: its place among the options.
    pub best: usize,
    /// What a player without thought takes, if it is one of the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instinct: Option<usize>,
    /// How many games each answer was played out in.
    pub games: u32,
    /// The seed of these games.
    pub seed: u64,
    /// The answers offered, each with what it is worth.
    pub options: Vec<Worth>,
}

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Difficulty {
    /// The best answer is far better, and the obvious one.
    Easy,
    /// The best answer is the obvious one, by less.
    Medium,
    /// The obvious answer is not the best.
    Hard,
}

/// The least gap of an easy puzzle.
const EASY: f64 = 0.2;

/// A puzzle of a file.
#[derive(Clone, Copy, Debug)]
pub struct Puzzle<'a> {
    /// Its number among the puzzles of its system, from 1, easy ones first.
    pub number: usize,
    /// The game it comes from.
    pub source: &'a Source,
    pub position: &'a Position,
}

/// The puzzles of a system.
#[derive(Clone, Debug)]
pub struct Collection {
    pub system: String,
    /// The edition they were proved under.
    pub edition: String,
    /// The games they come from.
    pub sources: Vec<Source>,
    /// The game and the position of each puzzle, in order.
    order: Vec<(usize, usize)>,
}

/// A puzzle on the board.
pub struct Posed {
    /// The game at the position.
    pub stage: Stage,
    /// What the seat is asked.
    pub question: SeatQuestion,
    /// The answers offered, in the order of the puzzle.
    pub options: Vec<OptionView>,
}

/// The puzzles inside the program.
static COLLECTIONS: LazyLock<Vec<Result<Collection, Refusal>>> = LazyLock::new(|| {
    [
        include_str!("../../puzzles/carrier-strike.jsonl"),
        include_str!("../../puzzles/dogfite.jsonl"),
        include_str!("../../puzzles/fleet-action.jsonl"),
        include_str!("../../puzzles/world-at-war.jsonl"),
        include_str!("../../puzzles/schiffskrieg.jsonl"),
    ]
    .map(Collection::parse)
    .into()
});

fn bad_file(line: usize, why: &str) -> Refusal {
    Refusal::new("bad-puzzles", format!("Line {line} of the puzzles cannot be read: {why}"))
}

impl Collection {
    /// No puzzles yet.
    pub fn empty(catalog: &Catalog, system: &str) -> Result<Self, Refusal> {
        let edition = catalog.edition(system)?;
        Ok(Self { system: system.to_owned(), edition, sources: Vec::new(), order: Vec::new() })
    }

    /// Reads a file: a first line with the system and its edition, then a game a line.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let mut lines = (1..).zip(text.lines());
        let (_, head) = lines.next().ok_or_else(|| bad_file(1, "the file is empty."))?;
        let head: Head = serde_json::from_str(head).map_err(|error| bad_file(1, &error.to_string()))?;
        if head.puzzles != FORMAT {
            let why = format!("this program reads format {FORMAT}, not {}.", head.puzzles);
            return Err(bad_file(1, &why));
        }
        let mut sources: Vec<Source> = Vec::new();
        for (number, line) in lines {
            let source: Source = serde_json::from_str(line).map_err(|error| bad_file(number, &error.to_string()))?;
            if source.opening.system != head.system {
                let why = format!("it is a game of {}, not of {}.", source.opening.system, head.system);
                return Err(bad_file(number, &why));
            }
            for position in &source.puzzles {
                let inside = |at: usize| at < position.options.len();
                let fits = position.at <= source.turns.len()
                    && inside(position.best)
                    && position.instinct.is_none_or(inside)
                    && position.options.len() > 1;
                if !fits {
                    return Err(bad_file(number, &format!("puzzle {} points beyond its data.", position.id)));
                }
            }
            sources.push(source);
        }
        let mut made = Self { system: head.system, edition: head.edition, sources, order: Vec::new() };
        made.arrange();
        match made.order.windows(2).find(|two| made.position(two[0]).id == made.position(two[1]).id) {
            Some(two) => Err(bad_file(two[1].0 + 2, &format!("puzzle {} appears twice.", made.position(two[1]).id))),
            None => Ok(made),
        }
    }

    /// The text of the file.
    #[must_use]
    pub fn written(&self) -> String {
        let head = Head { puzzles: FORMAT, system: self.system.clone(), edition: self.edition.clone() };
        let lines = self.sources.iter().map(|source| serde_json::to_string(source).unwrap_or_default());
        let mut text = serde_json::to_string(&head).unwrap_or_default();
        for line in lines {
            text.push('\n');
            text.push_str(&line);
        }
        text.push('\n');
        text
    }

    fn position(&self, (source, at): (usize, usize)) -> &Position {
        &self.sources[source].puzzles[at]
    }

    /// Adds a game with its puzzles.
    pub fn add(&mut self, source: Source) {
        self.sources.push(source);
        self.arrange();
    }

    /// Keeps the puzzles that a judge wants, and of the games what leads to them.
    pub fn retain(&mut self, mut wanted: impl FnMut(&Position) -> bool) {
        for source in &mut self.sources {
            source.puzzles.retain(&mut wanted);
            source.cut();
        }
        self.sources.retain(|source| !source.puzzles.is_empty());
        self.arrange();
    }

    /// Puzzles of one game lie apart, because the names decide among those that are as hard.
    fn arrange(&mut self) {
        let all = self.sources.iter().enumerate();
        let mut order: Vec<(usize, usize)> =
            all.flat_map(|(source, game)| (0..game.puzzles.len()).map(move |at| (source, at))).collect();
        order.sort_by(|a, b| {
            let key = |of: &(usize, usize)| self.position(*of).difficulty();
            key(a).cmp(&key(b)).then_with(|| self.position(*a).id.cmp(&self.position(*b).id))
        });
        self.order = order;
    }

    /// How many puzzles there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The puzzles in order.
    pub fn puzzles(&self) -> impl Iterator<Item = Puzzle<'_>> {
        (1..).zip(&self.order).map(|(number, &(source, at))| {
            let source = &self.sources[source];
            Puzzle { number, source, position: &source.puzzles[at] }
        })
    }

    pub fn puzzle(&self, number: usize) -> Result<Puzzle<'_>, Refusal> {
        let found = number.checked_sub(1).and_then(|at| self.puzzles().nth(at));
        found.ok_or_else(|| {
            Refusal::new("no-puzzle", format!("There is no puzzle {number} of {}.", self.system)).remedy(format!(
                "The puzzles of {} are numbered from 1 to {}.",
                self.system,
                self.len()
            ))
        })
    }

    /// Every collection of the program.
    pub fn all() -> impl Iterator<Item = Result<&'static Collection, Refusal>> {
        COLLECTIONS.iter().map(|one| one.as_ref().map_err(Clone::clone))
    }

    pub fn of(system: &str) -> Result<&'static Collection, Refusal> {
        let mut known = Vec::new();
        for one in Self::all() {
            let one = one?;
            if one.system == system {
                return Ok(one);
            }
            known.push(one.system.as_str());
        }
        let shown: String = system.chars().take(60).collect();
        Err(Refusal::new("no-puzzles", format!("There are no puzzles for '{shown}'."))
            .remedy(format!("There are puzzles for {}.", known.join(", "))))
    }

    /// Replays every game once and looks at each of its positions: the question and the options must be those stored.
    /// The first puzzle that does not fit is named.
    pub fn replay(&self, catalog: &Catalog, mut seen: impl FnMut(Puzzle<'_>, &Posed)) -> Result<(), Refusal> {
        for source in &self.sources {
            let mut positions: Vec<Puzzle<'_>> =
                self.puzzles().filter(|one| std::ptr::eq(one.source, source)).collect();
            positions.sort_by_key(|one| one.position.at);
            let Some(first) = positions.first() else { continue };
            let mut stage = Stage::open(catalog, &source.opening).map_err(|misfit| first.broken(&misfit.why))?;
            for puzzle in positions {
                puzzle.advance(&mut stage)?;
                let posed = puzzle.look(stage)?;
                seen(puzzle, &posed);
                stage = posed.stage;
            }
        }
        Ok(())
    }
}

impl Source {
    /// Leaves out the answers after the last position.
    fn cut(&mut self) {
        self.turns.truncate(self.puzzles.iter().map(|one| one.at).max().unwrap_or(0));
    }
}

impl Position {
    /// How hard it is.
    #[must_use]
    pub fn difficulty(&self) -> Difficulty {
        let second = (self.options.iter().enumerate())
            .filter(|(at, _)| *at != self.best)
            .map(|(_, one)| one.gap())
            .fold(1.0, f64::min);
        match self.instinct {
            Some(at) if at == self.best && second >= EASY => Difficulty::Easy,
            Some(at) if at == self.best => Difficulty::Medium,
            _ => Difficulty::Hard,
        }
    }

    /// The best answer.
    #[must_use]
    pub fn best(&self) -> &Worth {
        &self.options[self.best]
    }
}

/// The name of a position: the same game and moment have the same.
fn name(source: &Source, at: usize, ask: &str) -> String {
    let mut hash = Sha256::new();
    let turns = &source.turns[..at.min(source.turns.len())];
    hash.update(serde_json::to_vec(&(&source.opening, turns, ask)).unwrap_or_default());
    let digest: String = hash.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{digest}", source.opening.system)
}

/// What puzzles are called whose question's code says too little.
const TITLES: &[(&str, &str)] = &[
    ("choose-action", "The next action"),
    ("actions", "What each ship does"),
    ("contact", "Contact"),
    ("counters", "Which counter to lose"),
    ("engine", "Power or drag"),
    ("first-mover", "Who moves first"),
    ("flight", "Where to fly"),
    ("go-on", "Go on or stop"),
    ("leave", "Leave the sea"),
    ("move", "The next manoeuvre"),
    ("move-next", "Which ship moves next"),
    ("option", "What to do this turn"),
    ("path", "Where to go"),
    ("recover", "In a spin"),
    ("resume", "Fly on or stop"),
    ("setup-roles", "Roles before the battle"),
    ("slide", "Slide off or stay"),
    ("stage", "Day or night"),
    ("strike-next", "The next attack"),
    ("tail", "On his tail"),
    ("targets", "Choose targets"),
    ("vertical", "Climb, dive or stay level"),
    ("withdraw", "Fight on or withdraw"),
];

/// A code as the beginning of a sentence: `declare-attacks` is `Declare attacks`.
fn sentence(code: &str) -> String {
    if let Some((_, title)) = TITLES.iter().find(|(known, _)| *known == code) {
        return (*title).to_owned();
    }
    let mut words = code.replace('-', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// A share of wins in words, with the half-width of its 95% interval: `71% (±2)`.
#[must_use]
pub fn percent(worth: f64, error: f64) -> String {
    format!("{:.0}% (±{:.0})", 100.0 * worth, (200.0 * error).ceil().max(1.0))
}

impl<'a> Puzzle<'a> {
    /// A puzzle of the program by its name.
    pub fn named(id: &str) -> Result<Puzzle<'static>, Refusal> {
        for collection in Collection::all() {
            if let Some(found) = collection?.puzzles().find(|one| one.position.id == id) {
                return Ok(found);
            }
        }
        let shown: String = id.chars().take(60).collect();
        Err(Refusal::new("no-puzzle", format!("There is no puzzle '{shown}'.")))
    }

    /// The puzzle of a day, counted from 1970-01-01: the systems take turns, and the puzzles of each.
    pub fn of_day(day: u64) -> Result<Puzzle<'static>, Refusal> {
        let all: Vec<&'static Collection> = Collection::all().collect::<Result<_, _>>()?;
        let all: Vec<_> = all.into_iter().filter(|one| !one.is_empty()).collect();
        let none = || Refusal::new("no-puzzles", "There are no puzzles.");
        let count = all.len() as u64;
        let collection = all.get(day.checked_rem(count).ok_or_else(none)? as usize).ok_or_else(none)?;
        // A step that no collection's size is a multiple of, so that easy and hard ones alternate.
        let at = (day / count).wrapping_mul(61) % collection.len() as u64;
        collection.puzzle(at as usize + 1)
    }

    /// The battle it comes from.
    pub fn scenario(&self, catalog: &Catalog) -> Result<String, Refusal> {
        let Opening { system, scenario, .. } = &self.source.opening;
        let found = catalog.system(system)?.scenarios().into_iter().find(|one| one.id == *scenario);
        Ok(found.map_or_else(|| scenario.clone(), |one| one.title))
    }

    /// What it is called: `Declare attacks`.
    #[must_use]
    pub fn title(&self) -> String {
        sentence(&self.position.ask)
    }

    fn broken(&self, why: &str) -> Refusal {
        let (id, at) = (&self.position.id, self.position.at);
        Refusal::new(
            "puzzle-broken",
            format!("Puzzle {id} no longer fits the rules, {at} answers into its game: {why}"),
        )
    }

    /// Plays the game on to the position.
    fn advance(&self, stage: &mut Stage) -> Result<(), Refusal> {
        let turns = &self.source.turns[stage.moved()..self.position.at];
        let played = turns.iter().try_for_each(|Turn(seat, value, rolls)| stage.answer(*seat, value, rolls));
        played.map_err(|misfit: Misfit| self.broken(&misfit.why))
    }

    /// Whether the game asks what the puzzle asks, with the same options.
    fn look(&self, stage: Stage) -> Result<Posed, Refusal> {
        let Position { seat, ask, of, options, .. } = self.position;
        let open = stage.desk().question().map_or(&[][..], Question::open);
        let Some(question) = open.iter().find(|question| question.seat == *seat).cloned() else {
            return Err(self.broken(&format!("{seat} is not asked.")));
        };
        if question.prompt.code != ask {
            return Err(self.broken(&format!("{seat} is asked '{}', not '{ask}'.", question.prompt.code)));
        }
        let offered = |worth: &Worth| question.options.iter().find(|one| one.value == *worth.value()).cloned();
        let Some(found) = options.iter().map(offered).collect::<Option<Vec<_>>>() else {
            return Err(self.broken("an answer of the puzzle is no longer offered."));
        };
        if question.options.len() != *of {
            let why = format!("{} answers are offered, not {of}.", question.options.len());
            return Err(self.broken(&why));
        }
        Ok(Posed { stage, question, options: found })
    }

    /// Sets the position up.
    pub fn pose(&self, catalog: &Catalog) -> Result<Posed, Refusal> {
        let mut stage = Stage::open(catalog, &self.source.opening).map_err(|misfit| self.broken(&misfit.why))?;
        self.advance(&mut stage)?;
        self.look(stage)
    }

    /// Proves the puzzle again with other games, as many as before.
    pub fn prove(&self, posed: &Posed, seed: u64) -> Result<(), Refusal> {
        let Position { id, seat, best, games, options, .. } = self.position;
        let values: Vec<&Value> = options.iter().map(Worth::value).collect();
        let fresh = Scores::play(posed.stage.desk(), *seat, &values, 0..*games, seed);
        match proof::faults(options, *best, &fresh, |value| in_words(&posed.question, value)) {
            None => Ok(()),
            Some(why) => Err(Refusal::new("puzzle-unproved", format!("Puzzle {id} does not hold: {why}."))),
        }
    }

    /// How the figures were found, in words.
    #[must_use]
    pub fn method(&self) -> String {
        format!(
            "Each answer was played out in {} games, in worlds that fit what this seat sees, with the same worlds and \
             dice for every answer. After the answer both sides play by rules of thumb; a draw counts a half. \
             The figures in brackets are 95% intervals.",
            self.position.games
        )
    }
}
