use flagplot_kernel::{
    Answer, BySide, Chance, Game, Insight, Luck, Outcome, Progress, Refusal, Scene, Seat, SeatInfo, SeatQuestion, Side,
    Standing, Tape, Viewer, advance,
};
use flagplot_players::{
    Clock, Comparison, Exploit, Knowledge, PlayerKind, Playout, Settings, Thought, compare, contest, exploit, playout,
    search, think, weigh, worth,
};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::any::Any;
use std::ops::Range;

/// A state whose type is forgotten.
pub trait AnyState: Send + Sync {
    /// A copy.
    fn clone_box(&self) -> Position;
    /// Its JSON form, the same bytes for equal states.
    fn bytes(&self) -> Vec<u8>;
    /// For going back to the type.
    fn as_any(&self) -> &dyn Any;
}

/// A state of some game.
pub type Position = Box<dyn AnyState>;

impl<S: Clone + serde::Serialize + Send + Sync + 'static> AnyState for S {
    fn clone_box(&self) -> Position {
        Box::new(self.clone())
    }

    fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a state has a JSON form")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A game whose types are forgotten. A position given to it must be one of its own; another game's is a fault of the
/// caller.
pub trait AnyGame: Send + Sync {
    /// The chairs, in order.
    fn seats(&self) -> Vec<SeatInfo>;
    /// How each side wins, in a sentence that begins with "You win if".
    fn aims(&self) -> BySide<String>;
    /// The position before the first step.
    fn setup(&self) -> Position;
    /// A position from its JSON form.
    fn restore(&self, bytes: &[u8]) -> Result<Position, Refusal>;
    /// One step from a checkpoint with the answers on the tape.
    fn advance(&self, checkpoint: &dyn AnyState, tape: &mut Tape) -> Result<Progress<Position>, Refusal>;
    /// How the game ended, once it has.
    fn outcome(&self, position: &dyn AnyState) -> Option<Outcome>;
    /// What a viewer knows, as JSON.
    fn view(&self, position: &dyn AnyState, viewer: Viewer) -> Value;
    /// What a viewer sees.
    fn scene(&self, position: &dyn AnyState, viewer: Viewer) -> Scene;
    /// What a viewer knows and what it sees, written as JSON: both from one view.
    fn show(&self, position: &dyn AnyState, viewer: Viewer) -> [Box<RawValue>; 2];
    /// Whether every viewer knows and sees the same.
    fn open(&self) -> bool;
    /// Whether it is a referee's table.
    fn table(&self) -> bool;
    /// What is to be said of a deed at a referee's table before it is done.
    fn consider(&self, position: &dyn AnyState, value: &Value) -> Option<Value>;
    /// Whether the step of a seat between two checkpoints told any seat or spectator something of another's pieces,
    /// beyond the act itself.
    fn tells(&self, before: &dyn AnyState, after: &dyn AnyState, by: Seat) -> bool;
    /// A world that the viewer cannot tell from this one, made from its view alone.
    fn imagine(&self, position: &dyn AnyState, viewer: Viewer, chance: &mut Chance) -> Position;
    /// How good the position is for a side, as far as the viewer knows.
    fn evaluate(&self, position: &dyn AnyState, viewer: Viewer, side: Side) -> Standing;
    /// What the asked seat may want to know before it answers. Computed from its view.
    fn explain(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        question: &SeatQuestion,
        value: Option<&Value>,
    ) -> Vec<Insight>;
    /// What a player made of code answers for a seat, from that seat's view.
    fn think(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        seat: Seat,
        kind: PlayerKind,
        chance: &mut Chance,
    ) -> Option<Thought>;
    /// A whole game between players made of code.
    fn playout(&self, players: &[PlayerKind], chance: &mut Chance) -> Playout;
    /// A whole game in which every player answers from what its seat knows, as at a desk.
    fn contest(&self, players: &[PlayerKind], clock: Clock, chance: &mut Chance) -> Playout;
    /// A whole game in which one side has a single idea, against a player; also how many answers the idea gave.
    fn exploit(
        &self,
        side: Side,
        idea: Exploit,
        against: PlayerKind,
        clock: Clock,
        chance: &mut Chance,
    ) -> (Playout, u32);
    /// What the dice of the step between two checkpoints gave each side, beside what they give on average.
    fn luck(&self, before: &dyn AnyState, after: &dyn AnyState) -> [Luck; 2];
    /// The forces of a game that were put together at the table, as a data file from which they can be played again
    /// under this id.
    fn scenario_file(&self, position: &dyn AnyState, id: &str, title: &str) -> Result<String, Refusal>;
    /// The number of steps after which a game is certainly over.
    fn step_limit(&self) -> u32;
    /// What a search with these settings answers for a seat, from that seat's view.
    fn search(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        seat: Seat,
        settings: &Settings,
        chance: &mut Chance,
    ) -> Option<Thought>;
    /// A seat's chance to win as far as it knows, at several moments of a step, each named by how many of the answers
    /// stood: the score of each game played out, by moment. Games with one number share world and dice.
    fn weigh(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        seat: Seat,
        moments: &[usize],
        games: Range<u32>,
        seed: u64,
    ) -> Vec<Vec<Option<f64>>>;
    /// What each of several answers of a seat is worth as far as it knows: the score of each game played out, by
    /// answer. Games with one number share world and dice.
    fn worth(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        seat: Seat,
        values: &[&Value],
        games: Range<u32>,
        seed: u64,
    ) -> Vec<Vec<Option<f64>>>;
    /// How much better one answer of a seat is than another as far as it knows, by pairs of games played out.
    #[allow(clippy::too_many_arguments)]
    fn compare(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        seat: Seat,
        one: &Value,
        two: &Value,
        games: u32,
        chance: &mut Chance,
    ) -> Comparison;
}

pub(crate) struct Typed<G>(pub G);

impl<G: Game> Typed<G> {
    fn state<'a>(&self, position: &'a dyn AnyState) -> &'a G::State {
        position.as_any().downcast_ref().expect("a position belongs to the game it is given to")
    }
}

impl<G: Game> AnyGame for Typed<G> {
    fn seats(&self) -> Vec<SeatInfo> {
        self.0.seats()
    }

    fn aims(&self) -> BySide<String> {
        self.0.aims()
    }

    fn setup(&self) -> Position {
        Box::new(self.0.setup())
    }

    fn restore(&self, bytes: &[u8]) -> Result<Position, Refusal> {
        let state: G::State = serde_json::from_slice(bytes)
            .map_err(|error| Refusal::new("bad-snapshot", format!("The stored position cannot be read: {error}.")))?;
        Ok(Box::new(state))
    }

    fn advance(&self, checkpoint: &dyn AnyState, tape: &mut Tape) -> Result<Progress<Position>, Refusal> {
        Ok(match advance(&self.0, self.state(checkpoint), tape)? {
            Progress::Stepped(state) => Progress::Stepped(Box::new(state)),
            Progress::Asks(question) => Progress::Asks(question),
        })
    }

    fn outcome(&self, position: &dyn AnyState) -> Option<Outcome> {
        self.0.outcome(self.state(position))
    }

    fn view(&self, position: &dyn AnyState, viewer: Viewer) -> Value {
        serde_json::to_value(self.0.view(self.state(position), viewer)).expect("a view has a JSON form")
    }

    fn scene(&self, position: &dyn AnyState, viewer: Viewer) -> Scene {
        self.0.scene(&self.0.view(self.state(position), viewer))
    }

    fn show(&self, position: &dyn AnyState, viewer: Viewer) -> [Box<RawValue>; 2] {
        let view = self.0.view(self.state(position), viewer);
        [
            to_raw_value(&view).expect("a view has a JSON form"),
            to_raw_value(&self.0.scene(&view)).expect("a scene has a JSON form"),
        ]
    }

    fn open(&self) -> bool {
        self.0.open()
    }

    fn table(&self) -> bool {
        self.0.table()
    }

    fn consider(&self, position: &dyn AnyState, value: &Value) -> Option<Value> {
        self.0.consider(self.state(position), value)
    }

    fn tells(&self, before: &dyn AnyState, after: &dyn AnyState, by: Seat) -> bool {
        let (before, after) = (self.state(before), self.state(after));
        let learned = |viewer| self.0.learned(&self.0.view(before, viewer), &self.0.view(after, viewer), by);
        !self.0.open()
            && (0..self.0.seats().len() as u8)
                .map(|seat| Viewer::Seat(Seat(seat)))
                .chain([Viewer::Spectator])
                .any(learned)
    }

    fn imagine(&self, position: &dyn AnyState, viewer: Viewer, chance: &mut Chance) -> Position {
        Box::new(self.0.imagine(&self.0.view(self.state(position), viewer), chance))
    }

    fn evaluate(&self, position: &dyn AnyState, viewer: Viewer, side: Side) -> Standing {
        self.0.evaluate(&self.0.view(self.state(position), viewer), side)
    }

    fn explain(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        question: &SeatQuestion,
        value: Option<&Value>,
    ) -> Vec<Insight> {
        let view = self.0.view(self.state(position), Viewer::Seat(question.seat));
        self.0.explain(&view, answers, question, value)
    }

    fn think(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        seat: Seat,
        kind: PlayerKind,
        chance: &mut Chance,
    ) -> Option<Thought> {
        let view = self.0.view(self.state(position), Viewer::Seat(seat));
        think(&self.0, &view, answers, seat, kind, chance)
    }

    fn playout(&self, players: &[PlayerKind], chance: &mut Chance) -> Playout {
        playout(&self.0, players, chance)
    }

    fn contest(&self, players: &[PlayerKind], clock: Clock, chance: &mut Chance) -> Playout {
        contest(&self.0, players, clock, chance)
    }

    fn exploit(
        &self,
        side: Side,
        idea: Exploit,
        against: PlayerKind,
        clock: Clock,
        chance: &mut Chance,
    ) -> (Playout, u32) {
        exploit(&self.0, side, idea, against, clock, chance)
    }

    fn luck(&self, before: &dyn AnyState, after: &dyn AnyState) -> [Luck; 2] {
        self.0.luck(self.state(before), self.state(after))
    }

    fn scenario_file(&self, position: &dyn AnyState, id: &str, title: &str) -> Result<String, Refusal> {
        self.0.scenario_file(self.state(position), id, title)
    }

    fn step_limit(&self) -> u32 {
        self.0.step_limit()
    }

    fn search(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        seat: Seat,
        settings: &Settings,
        chance: &mut Chance,
    ) -> Option<Thought> {
        let view = self.0.view(self.state(position), Viewer::Seat(seat));
        search(&Knowledge::new(&self.0, &view, answers, seat), settings, chance)
    }

    fn weigh(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        seat: Seat,
        moments: &[usize],
        games: Range<u32>,
        seed: u64,
    ) -> Vec<Vec<Option<f64>>> {
        let view = self.0.view(self.state(position), Viewer::Seat(seat));
        weigh(&Knowledge::new(&self.0, &view, answers, seat), moments, games, seed)
    }

    fn worth(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        seat: Seat,
        values: &[&Value],
        games: Range<u32>,
        seed: u64,
    ) -> Vec<Vec<Option<f64>>> {
        let view = self.0.view(self.state(position), Viewer::Seat(seat));
        worth(&Knowledge::new(&self.0, &view, answers, seat), values, games, seed)
    }

    fn compare(
        &self,
        position: &dyn AnyState,
        answers: &[Answer],
        seat: Seat,
        one: &Value,
        two: &Value,
        games: u32,
        chance: &mut Chance,
    ) -> Comparison {
        let view = self.0.view(self.state(position), Viewer::Seat(seat));
        compare(&Knowledge::new(&self.0, &view, answers, seat), one, two, games, chance)
    }
}
