//! The game: one to eight aircraft a side over the trenches.

mod choices;
mod choose_move;
mod choose_targets;
mod combat;
mod explain;
mod finish;
mod fire_odds;
mod foresee;
mod home;
mod moves;
mod scene;
mod screen;
mod setup;
mod state;
#[cfg(test)]
mod tests;
mod think;
mod turn;

pub use choices::{EngineOption, FireOption, RecoverOption, TailOption};
pub use choose_targets::Declarations;
pub use setup::FREE_PLAY;
pub(crate) use setup::{game, wishes};
pub use state::{
    Act, Craft, CraftId, Formation, GivenUp, Leg, Mover, Phase, Shots, Stage, State, Step, Trail, VerticalOption,
};

use crate::Rules;
use crate::hangar::{PilotGrade, Ratings};
use crate::position::Position;
use crate::rule;
use crate::scenario::{Points, Scenario, Special, SpecialKind, Start};
use crate::victory::{self, Score, SideOrNobody, Tallied, Winner};
use crate::who::Who;
use crate::words::{Alliance, Status, counted};
use flagplot_kernel::hex::Hex;
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Game, Insight, Outcome, Rule, Scene, Seat, SeatInfo, SeatQuestion, Side,
    Standing, Tape, Viewer, lead,
};
use serde::Serialize;
use serde_json::{Value, json};
use smallvec::SmallVec;
use std::sync::Arc;

/// The six edges of a hex, in words.
const COMPASS: [&str; 6] = ["north", "north-east", "south-east", "south", "south-west", "north-west"];

/// Where in its hex an aircraft is, in words.
fn spot(position: &Position) -> String {
    position
        .facing
        .map_or("in the middle".to_owned(), |facing| format!("facing {}", COMPASS[usize::from(facing.index())]))
}

/// What stays the same of an aircraft.
#[derive(Clone, Debug)]
pub struct CraftInfo {
    /// How it starts, its pilot included.
    pub start: Start,
    pub seat: Seat,
    pub type_name: String,
    /// What sentences call it: its pilot, and the side where two pilots are called the same.
    pub name: String,
    /// The same with its id and its type.
    pub title: String,
    pub ratings: Ratings,
    /// The ratings in words, for the log sheet.
    pub ratings_told: String,
    pub pilot: PilotGrade,
    /// The pilot in words, for the log sheet.
    pub pilot_told: String,
}

/// A game of Dogfite.
#[derive(Clone, Debug)]
pub struct Dogfight {
    pub(crate) rules: Arc<Rules>,
    pub(crate) scenario: Scenario,
    seats: Vec<SeatInfo>,
    craft: Vec<CraftInfo>,
}

/// What a viewer knows: a copy of the state, because nothing on the table is hidden. Targets are sealed only while they
/// are declared, within a step that then shows them to everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    pub state: State,
    /// The ids of the aircraft, in the order of the state.
    pub names: Vec<String>,
}

impl Dogfight {
    /// What players call a hex: a letter for its column from the west, a number for its row from the north.
    pub(crate) fn hex_name(&self, hex: Hex) -> String {
        let radius = self.scenario.radius;
        let (column, first) = (hex.q + radius, (-radius).max(-hex.q - radius));
        let (Ok(column), row) = (u8::try_from(column), hex.r - first + 1) else { return "off the map".to_owned() };
        let letter = char::from(b'A' + column % 26);
        let again = if column < 26 { String::new() } else { char::from(b'@' + column / 26).to_string() };
        format!("{again}{letter}{row}")
    }

    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    pub fn info(&self, id: CraftId) -> &CraftInfo {
        &self.craft[usize::from(id)]
    }

    /// An aircraft by its id in the game.
    pub fn find(&self, id: &str) -> Option<CraftId> {
        self.craft.iter().position(|info| info.start.id == id).map(|at| at as CraftId)
    }

    fn who(&self, id: CraftId) -> Who<'_> {
        let info = self.info(id);
        Who { id: &info.start.id, name: &info.name }
    }

    fn names(&self) -> SmallVec<[Who<'_>; 8]> {
        (0..self.craft.len() as u8).map(|id| self.who(id)).collect()
    }

    /// The id of an aircraft's target, for an option that means it.
    fn target_if(&self, state: &State, id: CraftId, means_it: bool) -> Vec<String> {
        let target = state.get(id).target.filter(|_| means_it);
        target.map(|target| self.who(target).id.to_owned()).into_iter().collect()
    }

    fn title(&self, id: CraftId) -> &str {
        &self.info(id).title
    }

    /// Whether two aircraft are on the same side.
    fn friends(&self, one: CraftId, other: CraftId) -> bool {
        self.side(one) == self.side(other)
    }

    pub fn side(&self, id: CraftId) -> Alliance {
        self.info(id).start.side
    }

    pub fn seat(&self, id: CraftId) -> Seat {
        self.info(id).seat
    }

    /// Effective experience.
    pub fn experience(&self, state: &State, id: CraftId) -> i32 {
        self.info(id).pilot.experience - state.get(id).harm.skill_penalty()
    }

    /// Effective flying skill.
    pub fn flying(&self, state: &State, id: CraftId) -> i32 {
        self.info(id).pilot.flying - state.get(id).harm.skill_penalty()
    }

    /// Effective shooting skill.
    pub fn shooting(&self, state: &State, id: CraftId) -> i32 {
        self.info(id).pilot.shooting - state.get(id).harm.skill_penalty()
    }

    /// The rules a set-up rests on.
    fn origin(&self) -> &'static [Rule] {
        if self.scenario.id == FREE_PLAY {
            &[rule::C_13, rule::C_12, rule::C_3, rule::C_4]
        } else {
            &[rule::C_9, rule::C_12, rule::C_3, rule::C_4]
        }
    }

    fn tallied(&self, state: &State, id: CraftId) -> Tallied {
        let craft = state.get(id);
        Tallied { side: self.side(id), grade: self.info(id).start.grade, status: craft.status, harm: craft.harm }
    }

    /// The points an aircraft has cost its side so far.
    fn points_lost(&self, state: &State, id: CraftId) -> i64 {
        victory::points_for(&self.rules.points, &self.tallied(state, id))
    }

    /// The lead that wins here.
    fn win_margin(&self) -> i64 {
        self.scenario.win_margin.unwrap_or(self.rules.points.win_margin)
    }

    fn current_score(&self, state: &State) -> Score {
        self.score(state, &mut Tape::new(Vec::new()).deaf())
    }

    /// The points as they stand, the scenario's own included. (C-10)
    pub(crate) fn score(&self, state: &State, ask: &mut impl Ask) -> Score {
        let craft: Vec<Tallied> = (0..state.craft.len() as u8).map(|id| self.tallied(state, id)).collect();
        let special: Vec<(Alliance, i64)> = self
            .scenario
            .special
            .iter()
            .filter(|special| {
                if special.kind == SpecialKind::HeadStart {
                    return true;
                }
                let craft = special.aircraft.as_ref().and_then(|id| self.find(id)).map(|id| state.get(id));
                let Some(craft) = craft else { return false };
                match special.kind {
                    SpecialKind::LeaveHome => {
                        craft.status == Status::LeftHome && craft.left_in_turn >= special.from_turn
                    }
                    SpecialKind::Leave => {
                        !matches!(craft.status, Status::InPlay | Status::Destroyed)
                            && craft.left_in_turn >= special.from_turn
                    }
                    SpecialKind::Survive => craft.status == Status::InPlay,
                    SpecialKind::DrawGoesTo | SpecialKind::HeadStart => false,
                }
            })
            .map(|special| (special.side, special.points))
            .collect();
        let points = Points { win_margin: self.win_margin(), ..self.rules.points };
        victory::score(&points, &craft, &special, self.scenario.draw_goes_to(), ask)
    }
}

impl Game for Dogfight {
    type State = State;
    type View = View;

    fn seats(&self) -> Vec<SeatInfo> {
        self.seats.clone()
    }

    fn aims(&self) -> BySide<String> {
        let (points, turns) = (&self.rules.points, self.scenario.turns);
        let draw = self.scenario.draw_goes_to();
        BySide::new_with(|side| {
            let own = Alliance::ALL.iter().copied().find(|alliance| alliance.side() == side);
            let need = match draw {
                SideOrNobody::Nobody => self.win_margin(),
                of if own.is_some_and(|own| of == Some(own).into()) => 1 - self.win_margin(),
                _ => self.win_margin(),
            };
            let (lead, shot) = (lead(need), points.destroyed);
            let head_start = self.scenario.special.iter().find(|one| one.kind == SpecialKind::HeadStart);
            let head_start = head_start.map_or(String::new(), |one| {
                let who = if Some(one.side) == own { "You begin" } else { "The enemy begins" };
                format!(" {who} with {}, which evens the sides.", counted(one.points, "point"))
            });
            let earned = |one: &&Special| one.kind != SpecialKind::HeadStart && one.points > 0;
            let special = self.scenario.special.iter().filter(earned).find(|one| Some(one.side) == own);
            let special = special.map_or(String::new(), |one| {
                let what = match one.kind {
                    SpecialKind::LeaveHome => "reaching home",
                    SpecialKind::Leave => "getting away",
                    SpecialKind::Survive => "flying at the end",
                    SpecialKind::DrawGoesTo | SpecialKind::HeadStart => return String::new(),
                };
                let flown = self.scenario.aircraft.iter().find(|start| Some(&start.id) == one.aircraft.as_ref());
                format!(" {what} with {} {},", flown.map_or("an aircraft", |start| &start.pilot), one.points)
            });
            format!(
                "You win if you {lead} after turn {turns}. An aircraft shot down is worth {shot} points,{special} \
                 damage and wounds less.{head_start}"
            )
        })
    }

    fn setup(&self) -> State {
        self.start()
    }

    fn step(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        self.take_step(state, ask)
    }

    fn result(&self, state: &State) -> Option<Outcome> {
        if state.phase != Phase::Over {
            return None;
        }
        let score = self.current_score(state);
        let winner = match score.winner {
            Winner::Allied => Some(Side::First),
            Winner::Central => Some(Side::Second),
            Winner::Draw => None,
        };
        let lead = (score.allied - score.central).abs();
        let level = match winner {
            None => "draw",
            Some(_) if lead >= 10 => "decisive",
            Some(_) => "victory",
        };
        Some(Outcome {
            winner,
            level: level.into(),
            points: [score.allied, score.central],
            summary: String::new(),
            details: Value::Null,
        })
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let result = self.result(state)?;
        let end = result.winner.map_or("A draw".to_owned(), |side| format!("{} victory", Alliance::from(side).name()));
        let [allied, central] = result.points;
        let summary = format!("{end}: Allied {allied}, Central {central}.");
        let aircraft: Vec<Value> = (0..state.craft.len() as u8)
            .map(|id| {
                let lost = self.points_lost(state, id);
                json!({"id": self.who(id).id, "status": state.get(id).status, "points_lost": lost})
            })
            .collect();
        Some(Outcome { summary, details: json!({"turn": state.turn, "aircraft": aircraft}), ..result })
    }

    fn view(&self, state: &State, _: Viewer) -> View {
        View { state: state.clone(), names: self.craft.iter().map(|info| info.start.id.clone()).collect() }
    }

    fn scene(&self, view: &View) -> Scene {
        scene::scene(self, &view.state)
    }

    fn open(&self) -> bool {
        true
    }

    fn imagine(&self, view: &View, _: &mut Chance) -> State {
        view.state.clone() // Everything is on the table.
    }

    fn evaluate(&self, view: &View, side: Side) -> Standing {
        think::evaluate(self, &view.state, side.into())
    }

    fn explain(&self, view: &View, answers: &[Answer], question: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
        explain::explain(self, &view.state, answers, question, value)
    }

    /// A turn that is over, with nothing in the air but aircraft.
    fn settled(&self, state: &State) -> bool {
        state.phase == Phase::Smoke
    }

    /// About two turns of four aircraft: an edge is built up in one turn and used in the next.
    fn horizon(&self) -> u32 {
        60
    }

    fn step_limit(&self) -> u32 {
        // Eight phases, and for each aircraft: a place, a die, a climb, three steps, a spin, an engine, a spin, fire.
        self.scenario.turns.unsigned_abs() * (8 + 14 * self.craft.len() as u32)
    }
}
