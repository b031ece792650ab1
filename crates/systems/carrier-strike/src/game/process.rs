//! Actions under way: each is a process with a state of its own that asks one question a step.

use super::CarrierGame;
use super::carrier::CarrierMove;
use super::dogfight::{Attack, Dogfight, FightStage};
use super::flight::{Flight, FlightStage, Move, MoveStage};
use super::search::{Planned, Search};
use super::stances::Encounter;
use super::state::Table;
use super::strike::{Strike, StrikeStage};
use flagplot_kernel::{Ask, Asked, Flow};
use serde::{Deserialize, Serialize};

/// A part of an action that asks questions.
pub(super) trait Process {
    /// Puts the question that is open.
    fn question(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()>;

    /// Goes on by the rules to the next question, or to the end.
    fn run(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Flow;

    /// One question, and what follows from its answer.
    fn step(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<Flow> {
        self.question(game, table, ask)?;
        Ok(self.run(game, table, ask))
    }
}

/// An action that has been chosen and is not over yet. Launching, landing and deck work are over at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Underway {
    Move(Move),
    FlyHome(Flight),
    MoveCv(CarrierMove),
    Attack(Attack),
    Strike(Strike),
    Search(Search),
}

macro_rules! each {
    ($underway:expr, $process:ident => $does:expr) => {
        match $underway {
            Underway::Move($process) => $does,
            Underway::FlyHome($process) => $does,
            Underway::MoveCv($process) => $does,
            Underway::Attack($process) => $does,
            Underway::Strike($process) => $does,
            Underway::Search($process) => $does,
        }
    };
}

impl Process for Underway {
    fn question(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        each!(self, process => process.question(game, table, ask))
    }

    fn run(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Flow {
        each!(self, process => process.run(game, table, ask))
    }
}

impl Underway {
    /// The flight that the action is about, if it is about one.
    pub fn flight(&self) -> Option<&Flight> {
        match self {
            Underway::Move(Move { flight, .. })
            | Underway::FlyHome(flight)
            | Underway::Strike(Strike { flight, .. }) => Some(flight),
            _ => None,
        }
    }

    pub(super) fn flight_mut(&mut self) -> Option<&mut Flight> {
        match self {
            Underway::Move(Move { flight, .. })
            | Underway::FlyHome(flight)
            | Underway::Strike(Strike { flight, .. }) => Some(flight),
            _ => None,
        }
    }

    /// The search for which numbers are due.
    pub(super) fn search(&self) -> Option<Search> {
        match self {
            Underway::Search(search) => Some(*search),
            Underway::Move(Move { search, stage: MoveStage::SearchFirst | MoveStage::SearchAfter, .. }) => {
                search.and_then(Planned::search)
            }
            Underway::MoveCv(carriers) => carriers.search(),
            Underway::Attack(Attack::Search { search, .. }) => Some(*search),
            _ => None,
        }
    }

    fn dogfight(&self) -> Option<&Dogfight> {
        match self {
            Underway::Attack(Attack::Fight(fight)) => Some(fight),
            _ => match &self.flight()?.stage {
                FlightStage::Fight(fight) => Some(fight),
                _ => None,
            },
        }
    }

    /// What stances are due for.
    pub(super) fn encounter(&self) -> Option<Encounter> {
        if let Some(fight) = self.dogfight() {
            return match &fight.stage {
                FightStage::Combat(combat) => Some(fight.encounter(*combat)),
                FightStage::Lines(lines) => lines.flak.map(Encounter::Flak),
                _ => None,
            };
        }
        match self {
            Underway::MoveCv(carriers) => carriers.under_fire().map(Encounter::Flak),
            Underway::Strike(Strike { stage: StrikeStage::Run(id), .. }) => Some(Encounter::Strike(*id)),
            _ => match &self.flight()?.stage {
                FlightStage::Flak(id) => Some(Encounter::Flak(*id)),
                FlightStage::GivingWay(lines) => lines.flak.map(Encounter::Flak),
                _ => None,
            },
        }
    }
}
