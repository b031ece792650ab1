//! The game itself, in the order of the sequence of play.

mod absent;
mod action;
mod candidates;
mod carrier;
mod choices;
mod deck;
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
mod imagine;
mod instinct;
mod knowledge;
mod legal_air;
mod legal_sea;
pub mod piece;
mod sample;
mod scene;
mod setup;
mod squadron;
mod stances;
mod state;
mod strike;
mod turn;
mod view;
mod worth;

pub use crate::walk::Waypoints;
pub use action::{Action, DetectPlan, Evasion, When};
pub use piece::{CardId, CardLabel, PieceId, SquadronId, Squads};
pub use state::{ActKind, Carrier, Class, Deck, Form, Phase, Squadron, State, Trail, Unseen, Where};
pub use view::View;

use crate::combat::{Line, Striker};
use crate::data::{AaTable, Book};
use crate::procedures::{ValueMatrix, stance_matrix, strike_matrix};
use crate::scenario::Scenario;
use crate::victory::Verdict;
use crate::words::{Markers, Role, Skill, Stance, name};
use dashu_ratio::RBig;
use flagplot_kernel::{
    Answer, Ask, Asked, BySide, Chance, Game, Insight, Outcome, Refusal, Scene, Seat, SeatInfo, SeatQuestion, Side,
    Standing, Viewer,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// A game of one scenario.
pub struct CarrierGame {
    /// The figures.
    pub(crate) book: Arc<Book>,
    /// The scenario.
    pub(crate) scenario: Scenario,
    /// The guns of each side by hits.
    pub(crate) aa: BySide<AaTable>,
    /// The kamikaze squadrons.
    pub(crate) kamikaze: Squads,
    pub(crate) mixes: Mixes,
    /// What strikes are worth.
    pub(crate) strike_worth: worth::StrikeWorth,
}

/// How a sensible player mixes secret stances, as weights.
pub(crate) struct Mixes {
    /// Fighters of about the same strength.
    pub even: [u64; 3],
    /// The stronger side.
    pub strong: [u64; 3],
    /// The weaker side.
    pub weak: [u64; 3],
    /// Fighters against bombers.
    pub hunters: [u64; 3],
    /// Bombers against fighters.
    pub hunted: [u64; 3],
    /// Strikers and guns, by whether the carrier is crippled.
    pub strikers: [[u64; 3]; 2],
    pub guns: [[u64; 3]; 2],
}

fn weights(shares: &[RBig]) -> [u64; 3] {
    let mut weights = [0; 3];
    for (weight, share) in weights.iter_mut().zip(shares) {
        let scaled = share * RBig::from(5040);
        *weight = u64::try_from(scaled.trunc()).unwrap_or(0);
    }
    weights
}

impl Mixes {
    fn new(book: &Book) -> Self {
        fn line(role: Role, squadrons: &[(u8, u8)]) -> Line<'_> {
            Line { role, squadrons, stance: Stance::Instinctive, markers: Markers::default() }
        }
        let fight = |first: (Role, u8), second: (Role, u8)| {
            stance_matrix(book, &line(first.0, &[(first.1, 4)]), &line(second.0, &[(second.1, 4)]), &RBig::ONE)
        };
        let striker =
            Striker { strength: 12, kamikaze: false, stance: Stance::Instinctive, markers: Markers::default() };
        let strike = |hits| strike_matrix(book, &striker, hits, &book.carrier.aa_by_hits, &RBig::from(3));
        let rows = |matrix: &ValueMatrix| weights(&matrix.play.rows);
        let columns = |matrix: &ValueMatrix| weights(&matrix.play.columns);
        let (even, uneven, hunt) = (
            fight((Role::Fighter, 12), (Role::Fighter, 12)),
            fight((Role::Fighter, 12), (Role::Fighter, 8)),
            fight((Role::Fighter, 12), (Role::Strike, 12)),
        );
        let strikes = [strike(0), strike(4)];
        Self {
            even: rows(&even),
            strong: rows(&uneven),
            weak: columns(&uneven),
            hunters: rows(&hunt),
            hunted: columns(&hunt),
            strikers: [rows(&strikes[0]), rows(&strikes[1])],
            guns: [columns(&strikes[0]), columns(&strikes[1])],
        }
    }
}

/// Whether and how a seat is told: nobody but this side.
pub(crate) fn only(side: Side) -> Viewer {
    Viewer::Seat(Seat::from(side))
}

impl CarrierGame {
    /// A game of a scenario. There are no options.
    pub(crate) fn new(book: &Arc<Book>, scenario: &str, options: &Value) -> Result<Self, Refusal> {
        let Some(scenario) = book.scenario(scenario) else {
            let known: Vec<&str> = book.scenario.iter().map(|scenario| scenario.id.as_str()).collect();
            let shown: String = scenario.chars().take(60).collect();
            return Err(Refusal::new("unknown-scenario", format!("There is no scenario '{shown}'."))
                .remedy(format!("The scenarios are: {}.", known.join(", "))));
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
            aa: BySide::new_with(|side| book.aa_table(scenario.sheet(side))),
            kamikaze,
            mixes: Mixes::new(book),
            strike_worth: worth::StrikeWorth::default(),
            scenario: scenario.clone(),
            book: book.clone(),
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
        let room = self.book.geometry.sea_room;
        (-room..=self.book.geometry.area_width + room).contains(&point.x)
            && (-room..=self.scenario.length + room).contains(&point.y)
    }

    /// How far a carrier group may move.
    pub(crate) fn speed(&self, hits: u8) -> i64 {
        if hits >= self.book.carrier.crippled_at { self.book.speeds.cv_crippled } else { self.book.speeds.cv }
    }

    /// The names of the sides.
    pub(crate) fn side_name(&self, side: Side) -> &'static str {
        name(side)
    }

    fn outcome_of(&self, verdict: &Verdict, state: &State) -> Outcome {
        let hits = [state.carriers.first.hits, state.carriers.second.hits];
        let level = verdict.level();
        let summary = match (verdict.winner, level) {
            (Some(side), "surface") => format!("{} wins: the other side lost a carrier to gunfire.", name(side)),
            (Some(side), level) => {
                format!("{} wins, {level}: Blue has taken {} hits, Red {}.", name(side), hits[0], hits[1])
            }
            (None, "both-lose") => "Both sides lose: the carriers met and sank each other.".into(),
            (None, _) => format!("A draw: Blue has taken {} hits, Red {}.", hits[0], hits[1]),
        };
        Outcome {
            winner: verdict.winner,
            level: level.to_owned(),
            points: [i64::from(hits[1]), i64::from(hits[0])],
            summary,
            details: json!({"reason": verdict.reason, "blue_level": verdict.levels.first, "red_level": verdict.levels.second, "blue_hits": hits[0], "red_hits": hits[1], "turn": state.turn}),
        }
    }
}

impl Game for CarrierGame {
    type State = State;
    type View = View;

    fn seats(&self) -> Vec<SeatInfo> {
        crate::seats(&self.scenario)
    }

    fn setup(&self) -> State {
        self.first_state()
    }

    /// Asks the question of the present phase, then lets the rules run on to the next one. A secret answer is thus the
    /// only one of its step.
    fn step(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        self.put_question(state, ask)?;
        self.run_on(state, ask);
        Ok(())
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.verdict.as_ref().map(|verdict| self.outcome_of(verdict, state))
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

impl CarrierGame {
    fn put_question(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        match state.phase {
            Phase::Cards(side) => self.lay_cards(state, side, ask),
            Phase::Roles(side) => self.arm_squadrons(state, side, ask),
            Phase::Airborne(at) => self.place_airborne(state, at, ask),
            Phase::Choose => self.choose_action(state, ask),
            Phase::Numbers => self.numbers(state, ask),
            Phase::Path => self.path_after_search(state, ask),
            Phase::CvTo => self.cv_after_search(state, ask),
            Phase::Flak(id) => self.flak(state, id, ask),
            Phase::Contact => self.contact(state, ask),
            Phase::Resume => self.resume(state, ask),
            Phase::Match => self.pair(state, ask),
            Phase::Join => self.join(state, ask),
            Phase::NextCombat => self.next_combat(state, ask),
            Phase::Combat => self.combat(state, ask),
            Phase::Step3 => self.step_3(state, ask),
            Phase::StrikeNext => self.strike_next(state, ask),
            Phase::StrikeRun(id) => self.strike_run(state, id, ask),
            Phase::AfterStrike => self.after_strike(state, ask),
            Phase::Slide(id) => self.slide(state, id, ask),
            Phase::Shed(side) => self.shed(state, side, ask),
            _ => Ok(()),
        }
    }

    fn run_on(&self, state: &mut State, ask: &mut impl Ask) {
        loop {
            match state.phase {
                Phase::Walking => self.walk_on(state, ask),
                Phase::Lines => self.next_line(state),
                Phase::Meet => self.meet(state, ask),
                Phase::AfterContact => self.after_contact(state, ask),
                Phase::BeginFight => self.begin_fight(state, ask),
                Phase::FightOn => self.fight_on(state, ask),
                Phase::Finish => self.finish(state, ask),
                Phase::Housekeeping => self.housekeeping(state, ask),
                Phase::Next => self.next_go(state),
                Phase::EndTurn => self.end_turn(state, ask),
                _ => return,
            }
        }
    }
}
