//! A table as a game.

use super::object::VERSION;
use super::{Act, Phase, State, TableView};
use crate::{Index, LibraryItem, System};
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Game, Insight, Outcome, Refusal, Scene, SeatInfo, SeatQuestion, Side, Standing,
    Viewer,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// A table of a system.
pub struct Table<S: ?Sized> {
    pub(super) index: Index,
    pub(super) acts: Vec<Act>,
    pub(super) phases: Vec<Phase>,
    /// What can be put on the table.
    pub(super) forces: Vec<LibraryItem>,
    /// Everything the data has.
    pub(super) library: Vec<LibraryItem>,
    pub(super) system: Arc<S>,
    version: u32,
}

/// The version of a table's rules that new tables have. Version 1 counts no torpedoes; until version 2 losses went in
/// the order in which their owners were chosen for an act; until version 3 a correction knew no limits; until version 4
/// nothing that was told was remembered; until version 5 only Fleet Action said what a turn owes.
const NEWEST: u32 = 6;

/// The options of a new table.
#[must_use]
pub fn table_options() -> Value {
    json!({VERSION: NEWEST})
}

impl<S: System + Send + Sync + ?Sized + 'static> Table<S> {
    /// A table of a system under the rules that new tables have.
    #[must_use]
    pub fn new(system: Arc<S>) -> Self {
        let (acts, phases) = (system.acts(), system.phases());
        let (forces, library) = (system.recruits(), system.library());
        Self { index: system.index(), acts, phases, forces, library, system, version: NEWEST }
    }

    /// The same under the rules that its options name: none, or [`table_options`].
    pub fn with_options(self, options: &Value) -> Result<Self, Refusal> {
        let wrong = || Refusal::new("unknown-field", "A referee's table has no options but its version.");
        let fields = match options {
            Value::Null => return Ok(Self { version: 1, ..self }),
            Value::Object(fields) => fields,
            _ => return Err(wrong()),
        };
        if fields.keys().any(|name| name != VERSION) {
            return Err(wrong());
        }
        let version = fields.get(VERSION).map_or(Some(1), Value::as_u64).and_then(|n| u32::try_from(n).ok());
        let known = version.filter(|version| (1..=NEWEST).contains(version)).ok_or_else(|| {
            Refusal::new("unknown-version", format!("This program knows tables up to version {NEWEST}."))
        })?;
        Ok(Self { version: known, ..self })
    }

    /// The phases of a turn.
    #[must_use]
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// What can be done.
    #[must_use]
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }
}

impl<S: System + Send + Sync + ?Sized + 'static> Game for Table<S> {
    type State = State;
    type View = TableView;

    fn seats(&self) -> Vec<SeatInfo> {
        let referee = SeatInfo { id: "referee".into(), name: "Referee".into(), side: Side::First };
        let player = |n: u8| SeatInfo {
            id: format!("player-{n}"),
            name: format!("Player {n}"),
            side: if n % 2 == 1 { Side::First } else { Side::Second },
        };
        [referee].into_iter().chain((1..=super::PLAYERS).map(player)).collect()
    }

    fn aims(&self) -> BySide<String> {
        BySide::new_with(|_| "A referee's table has no winner; the players keep score.".to_owned())
    }

    fn setup(&self) -> State {
        let mut state = State { turn: 1, sides: self.system.sides().map(str::to_owned), ..State::default() };
        if self.version > 1 {
            state.marks.insert(VERSION.to_owned(), self.version.into());
        }
        state
    }

    fn step(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        self.take_step(state, ask)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let rulings = state.rulings;
        state.closed.then(|| Outcome {
            winner: None,
            level: "closed".into(),
            points: [0, 0],
            summary: format!(
                "The table was closed after {rulings} {}.",
                if rulings == 1 { "ruling" } else { "rulings" }
            ),
            details: json!({"turn": state.turn}),
        })
    }

    fn view(&self, state: &State, _: Viewer) -> TableView {
        self.shown(state)
    }

    fn scene(&self, view: &TableView) -> Scene {
        view.scene()
    }

    fn open(&self) -> bool {
        true
    }

    fn table(&self) -> bool {
        true
    }

    fn consider(&self, state: &State, value: &Value) -> Option<Value> {
        serde_json::to_value(self.considered(state, value)).ok()
    }

    fn imagine(&self, view: &TableView, _: &mut Chance) -> State {
        view.state.clone()
    }

    fn evaluate(&self, _: &TableView, _: Side) -> Standing {
        0
    }

    fn explain(&self, _: &TableView, _: &[Answer], _: &SeatQuestion, _: Option<&Value>) -> Vec<Insight> {
        Vec::new()
    }

    fn settled(&self, _: &State) -> bool {
        true
    }

    fn step_limit(&self) -> u32 {
        u32::MAX
    }
}
