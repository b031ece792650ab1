//! The game itself.
//!
//! | files | what they hold |
//! |---|---|
//! | `turn`, `process` | goes, housekeeping, the end of a turn; actions under way |
//! | `flight`, `walking`, `guns`, `search`, `dogfight`, `strike`, `carrier`, `deck` | the rules of each action |
//! | `knowledge`, `setup` | what everybody may conclude; the start |
//! | `state`, `squadron`, `group`, `piece`, `action` | the words: what there is, and what players say |
//! | `legal_*`, `*_choices`, `stances` | which actions and answers are legal |
//! | `screen_*`, `forms`, `candidates`, `missing`, `scene`, `explain*` | how it is shown and asked |
//! | `thinking`, `instinct`, `sample`, `mixes`, `duel`, `worth`, `evaluate` | how a computer thinks |
//! | `view`, `imagine` | what a viewer knows, and worlds that fit it |
#![allow(clippy::large_enum_variant, reason = "a state is flat and copied as a whole; boxes would cost more")]

mod action;
mod candidates;
mod carrier;
mod choices;
mod deck;
mod deductions;
mod dogfight;
mod duel;
mod evaluate;
mod explain;
mod explain_fights;
mod fight_choices;
mod flight;
mod flight_choices;
mod forms;
mod group;
mod guns;
mod imagine;
mod instinct;
mod knowledge;
mod legal_air;
mod legal_sea;
mod missing;
mod mixes;
pub mod piece;
mod process;
mod refusals;
mod sample;
mod scene;
mod screen_air;
mod screen_turn;
mod search;
mod setup;
mod setup_choices;
mod squadron;
mod stances;
mod state;
mod strike;
mod thinking;
mod turn;
mod view;
mod walking;
mod worth;

pub use crate::walk::Waypoints;
pub use action::{Action, DetectPlan, Evasion, When};
pub use flight::Flight;
pub use piece::{CardId, CardLabel, PieceId, SquadronId, Squads};
pub use process::Underway;
pub use state::{Carrier, Class, Deck, Form, Phase, Squadron, State, Table, Trail, Unseen, Where};
pub use view::View;

use crate::combat::Guns;
use crate::data::{AaTable, Rules};
use crate::scenario::Scenario;
use crate::victory::Verdict;
use crate::words::{Role, Skill, name};
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Flow, Game, Insight, Outcome, Refusal, Scene, Seat, SeatInfo, SeatQuestion,
    Side, Standing, Viewer,
};
use process::Process;
use serde_json::{Value, json};
use std::sync::Arc;

pub struct CarrierGame {
    pub(crate) rules: Arc<Rules>,
    pub(crate) scenario: Scenario,
    /// The guns of each side by hits.
    pub(crate) aa: BySide<AaTable>,
    pub(crate) kamikaze: Squads,
    pub(crate) mixes: mixes::Mixes,
    pub(crate) strike_worth: worth::StrikeWorth,
}

/// Whether and how a seat is told: nobody but this side.
pub(crate) fn only(side: Side) -> Viewer {
    Viewer::Seat(Seat::from(side))
}

impl CarrierGame {
    /// A game of a scenario. There are no options.
    pub(crate) fn new(rules: &Arc<Rules>, scenario: &str, options: &Value) -> Result<Self, Refusal> {
        let Some(scenario) = rules.scenario(scenario) else {
            let known = rules.scenario.iter().map(|scenario| scenario.id.as_str());
            return Err(Refusal::unknown("unknown-scenario", "Carrier Strike has", "scenario", scenario, known));
        };
        let no_options = match options {
            Value::Null => true,
            Value::Object(fields) => fields.is_empty(),
            _ => false,
        };
        if !no_options {
            return Err(Refusal::new("unknown-field", "Carrier Strike has no options."));
        }
        let kamikaze = Side::BOTH
            .into_iter()
            .flat_map(|side| &scenario.sheet(side).kamikaze)
            .filter_map(|id| SquadronId::named(id))
            .collect();
        Ok(Self {
            aa: BySide::new_with(|side| rules.aa_table(scenario.sheet(side))),
            kamikaze,
            mixes: mixes::Mixes::new(rules),
            strike_worth: worth::StrikeWorth::default(),
            scenario: scenario.clone(),
            rules: rules.clone(),
        })
    }

    /// The skill of a side's pilots in a role. Scouts have none.
    pub(crate) fn skill(&self, side: Side, role: Role) -> Skill {
        let sheet = self.scenario.sheet(side);
        match role {
            Role::Fighter => sheet.skill.fighter,
            Role::Strike => sheet.skill.strike,
            Role::Recce => Skill::None,
        }
    }

    /// The points a player may choose: the area with its sea room.
    pub(crate) fn in_sea_room(&self, point: flagplot_kernel::plane::Point) -> bool {
        let room = self.rules.geometry.sea_room;
        (-room..=self.rules.geometry.area_width + room).contains(&point.x)
            && (-room..=self.scenario.length + room).contains(&point.y)
    }

    /// How far a carrier group may move.
    pub(crate) fn speed(&self, hits: u8) -> i64 {
        if hits >= self.rules.carrier.crippled_at { self.rules.speeds.cv_crippled } else { self.rules.speeds.cv }
    }

    /// The guns of a side's carrier group.
    pub(crate) fn guns(&self, table: &Table, side: Side) -> Guns {
        Guns { hits: table.carriers[side].hits, aa: self.aa[side] }
    }

    pub(crate) fn side_name(&self, side: Side) -> &'static str {
        name(side)
    }

    /// The question of the present phase and what follows from its answer.
    fn go_on(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let State { table, phase } = state;
        *phase = match phase {
            Phase::Cards(side) => self.lay_cards(table, *side, ask)?,
            Phase::Roles(side) => self.arm_squadrons(table, *side, ask)?,
            Phase::Airborne(at) => self.place_airborne(table, *at, ask)?,
            Phase::Choose => return self.choose_action(state, ask),
            Phase::Action(underway) => match underway.step(self, table, ask)? {
                Flow::Continue => return Ok(()),
                Flow::Done => self.action_done(table, ask),
            },
            Phase::Shed(side) => self.shed(table, *side, ask)?,
            Phase::Over => return Ok(()),
        };
        Ok(())
    }

    fn outcome_of(&self, verdict: &Verdict, state: &State) -> Outcome {
        let hits = [state.carriers.first.hits, state.carriers.second.hits];
        let level = verdict.level();
        let taken = format!("{}, Red {}", refusals::Count(hits[0], "hit"), hits[1]);
        let summary = match (verdict.winner, level) {
            (Some(side), "surface") => format!("{} wins: the other side lost a carrier to gunfire.", name(side)),
            (Some(side), level) => {
                let mut level = level.to_owned();
                level[..1].make_ascii_uppercase();
                format!("{level} victory for {}: Blue has taken {taken}.", name(side))
            }
            (None, "both-lose") => "Both sides lose: the carriers met and sank each other.".into(),
            (None, _) => format!("A draw: Blue has taken {taken}."),
        };
        Outcome {
            summary,
            details: json!({
                "reason": verdict.reason,
                "blue_level": verdict.levels.first,
                "red_level": verdict.levels.second,
                "blue_hits": hits[0],
                "red_hits": hits[1],
                "turn": state.turn,
            }),
            ..result_of(verdict, state)
        }
    }
}

fn result_of(verdict: &Verdict, state: &State) -> Outcome {
    let hits = [state.carriers.first.hits, state.carriers.second.hits];
    Outcome {
        winner: verdict.winner,
        level: verdict.level().to_owned(),
        points: [i64::from(hits[1]), i64::from(hits[0])],
        summary: String::new(),
        details: Value::Null,
    }
}

impl Game for CarrierGame {
    type State = State;
    type View = View;

    fn seats(&self) -> Vec<SeatInfo> {
        crate::seats(&self.scenario)
    }

    fn aims(&self) -> BySide<String> {
        BySide::new_with(|side| self.scenario.victory.aim(side, self.scenario.bid))
    }

    fn setup(&self) -> State {
        self.first_state()
    }

    /// Puts the question of the present phase, then goes on by the rules to the next one. A secret answer is thus the
    /// only one of its step.
    fn step(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let known = ask.listening().then(|| self.known(&state.table));
        self.go_on(state, ask)?;
        if let Some(known) = known {
            self.tell_deductions(known, &state.table, ask);
        }
        Ok(())
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.verdict.as_ref().map(|verdict| self.outcome_of(verdict, state))
    }

    fn result(&self, state: &State) -> Option<Outcome> {
        state.verdict.as_ref().map(|verdict| result_of(verdict, state))
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        self.view_of(state, viewer)
    }

    fn scene(&self, view: &View) -> Scene {
        self.scene_of(view)
    }

    fn learned(&self, before: &View, after: &View, by: Seat) -> bool {
        self.learned_by(before, after, by.side())
    }

    fn imagine(&self, view: &View, chance: &mut Chance) -> State {
        self.imagine_from(view, chance)
    }

    fn evaluate(&self, view: &View, side: Side) -> Standing {
        self.evaluate_view(view, side)
    }

    fn explain(&self, view: &View, answers: &[Answer], question: &SeatQuestion, value: Option<&Value>) -> Vec<Insight> {
        self.explain_question(view, answers, question, value)
    }

    fn step_limit(&self) -> u32 {
        // A turn has at most some thirty goes, a go at most some forty questions.
        u32::from(self.scenario.turns) * 1500 + 20
    }
}
