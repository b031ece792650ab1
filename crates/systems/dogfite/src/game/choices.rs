//! What players decide, apart from targets and the steps of a move.

use super::moves::Plan;
use super::state::{CraftId, GivenUp, Mover, Stage, State, VerticalOption};
use super::{COMPASS, Dogfight, think};
use crate::bet::Tasks;
use crate::fire::{self, Gun};
use crate::flight;
use crate::initiative::Tailing;
use crate::movement;
use crate::refusals::Barred;
use crate::rule;
use crate::words::{Engine, Extent, Flight, Pip, Pitch};
use flagplot_kernel::hex::Direction;
use flagplot_kernel::{Chance, Decision, Menu, Prompt, Refusal, Seat};
use flagplot_referee::words;
use smallvec::SmallVec;

/// The options of a short list that are open.
pub(super) type Open<T> = SmallVec<[T; 8]>;

/// Those options of a closed list that the rules allow.
fn open<T: Copy>(all: &[T], check: impl Fn(T) -> Result<(), Barred>) -> Open<T> {
    all.iter().copied().filter(|&option| check(option).is_ok()).collect()
}

/// The same option, where there is only one.
fn only<T: Copy>(all: &[T], check: impl Fn(T) -> Result<(), Barred>) -> Option<T> {
    let mut open = all.iter().copied().filter(|&option| check(option).is_ok());
    let first = open.next()?;
    open.next().is_none().then_some(first)
}

#[words]
pub enum TailOption {
    Wait,
    MoveNow,
}

/// Whether an aircraft waits for its target. (Tailing; R-13)
pub(super) struct Tail<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub who: CraftId,
}

impl Tail<'_> {
    /// The comparison that lets it wait, if it has a target that has not moved.
    pub fn tailing(&self) -> Result<Tailing, Barred> {
        let prey = self.state.prey(self.game, self.who).ok_or(Barred::NoTargetToTail)?;
        if self.state.order.has_moved(prey) {
            return Err(Barred::TargetHasMoved);
        }
        let (craft, target) = (self.state.get(self.who), self.state.get(prey));
        Ok(Tailing {
            edge: craft.edge.unwrap_or(0),
            posted: craft.posted,
            target_posted: target.posted,
            target_has_target: target.target.is_some(),
        })
    }

    pub fn check_wait(&self) -> Result<(), Barred> {
        if self.tailing()?.allowed() { Ok(()) } else { Err(Barred::EdgeTooSmall) }
    }
}

impl Menu for Tail<'_> {
    type Option = TailOption;

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }

    fn prompt(&self) -> Prompt {
        let text = format!("{}: wait for the target, or move now?", self.game.who(self.who));
        Prompt::new("tail", text, rule::TAILING)
    }

    fn options(&self) -> Vec<TailOption> {
        TailOption::ALL.to_vec()
    }

    fn label(&self, option: &TailOption) -> String {
        match option {
            TailOption::Wait => "Wait and move after the target".into(),
            TailOption::MoveNow => "Move now".into(),
        }
    }

    fn allow(&self, option: &TailOption) -> Result<(), Refusal> {
        match option {
            TailOption::Wait => Ok(self.check_wait()?),
            TailOption::MoveNow => Ok(()),
        }
    }

    fn pieces(&self, option: &TailOption) -> Vec<String> {
        self.game.target_if(self.state, self.who, *option == TailOption::Wait)
    }

    fn instinct(&self, _: &mut Chance) -> TailOption {
        if self.check_wait().is_ok() { TailOption::Wait } else { TailOption::MoveNow }
    }
}

/// The climb or dive of a move. (Climbing / Diving)
pub(super) struct VerticalChoice<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub mover: &'a Mover,
}

impl VerticalChoice<'_> {
    pub fn open(&self) -> Open<VerticalOption> {
        open(VerticalOption::ALL, |option| self.check_option(option))
    }

    pub fn only(&self) -> Option<VerticalOption> {
        only(VerticalOption::ALL, |option| self.check_option(option))
    }

    pub fn check_option(&self, option: VerticalOption) -> Result<(), Barred> {
        let position = &self.state.get(self.mover.who).position;
        let ends = matches!(option, VerticalOption::Finish | VerticalOption::LevelOff);
        match (position.pitch != Pitch::Level, ends) {
            (true, false) => return Err(Barred::HalfWay),
            (false, true) => return Err(Barred::NotHalfWay),
            _ => {}
        }
        let Some((way, extent)) = option.way(position.pitch) else { return Ok(()) };
        movement::vertical_move(&self.game.rules.tables, self.mover.tally.speed, way, extent)?;
        if extent == Extent::Finish {
            return Ok(());
        }
        movement::check_ceiling(way, position.level, self.game.scenario.top_level)
    }
}

impl Menu for VerticalChoice<'_> {
    type Option = VerticalOption;

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn prompt(&self) -> Prompt {
        let (who, die) = (self.game.who(self.mover.who), self.mover.die);
        Prompt::new("vertical", format!("{who} rolled {die}. Climb, dive, or stay level?"), rule::CLIMB_DIVE)
    }

    fn options(&self) -> Vec<VerticalOption> {
        VerticalOption::ALL.to_vec()
    }

    fn label(&self, option: &VerticalOption) -> String {
        let position = &self.state.get(self.mover.who).position;
        let speed = self.mover.tally.speed;
        let what = match option {
            VerticalOption::Stay => "Stay level",
            VerticalOption::HalfClimb => "Begin to climb",
            VerticalOption::HalfDive => "Begin to dive",
            VerticalOption::FullClimb => "Climb a level",
            VerticalOption::FullDive => "Dive a level",
            VerticalOption::Finish if position.pitch == Pitch::Climbing => "Finish the climb",
            VerticalOption::Finish => "Finish the dive",
            VerticalOption::LevelOff => {
                let level = movement::finish_points(&self.game.rules.tables, speed);
                return format!("Level off, with a bet of level {level}");
            }
        };
        let made = self.game.vertical(self.state, self.mover, *option);
        let to = made.map_or(String::new(), |made| format!(", speed {speed} to {}", made.speed));
        let crash = made.is_some_and(|made| position.level + made.levels < 1);
        format!("{what}{to}{}", if crash { ", and crash" } else { "" })
    }

    fn allow(&self, option: &VerticalOption) -> Result<(), Refusal> {
        Ok(self.check_option(*option)?)
    }

    fn sample(&self, chance: &mut Chance) -> VerticalOption {
        any(&self.open(), chance)
    }

    fn instinct(&self, _: &mut Chance) -> VerticalOption {
        think::vertical(self)
    }
}

/// One of some options, each as likely as any other.
fn any<T: Copy>(options: &[T], chance: &mut Chance) -> T {
    options[chance.below(options.len() as u32) as usize]
}

/// Which tasks of a lost bet are given up. (Bet failure; R-31)
pub(super) struct Cancel<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub mover: &'a Mover,
    pub tasks: Tasks,
    pub count: i32,
    pub plan: &'a Plan,
}

impl Decision for Cancel<'_> {
    type Value = GivenUp;

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn check(&self, value: &GivenUp) -> Result<(), Refusal> {
        if self.tasks.ways(self.count).contains(&(*value).into()) {
            return Ok(());
        }
        Err(Barred::WrongCut { count: self.count }.into())
    }
}

/// The edge by which an aircraft is thrown out of the middle.
pub(super) struct ExitEdge<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub who: CraftId,
}

impl Menu for ExitEdge<'_> {
    type Option = Direction;

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }

    fn prompt(&self) -> Prompt {
        let text = format!("{} is thrown out of the middle. By which edge?", self.game.who(self.who));
        Prompt::new("exit-edge", text, rule::R_33)
    }

    fn options(&self) -> Vec<Direction> {
        Direction::ALL.to_vec()
    }

    fn label(&self, edge: &Direction) -> String {
        format!("To the {}", COMPASS[usize::from(edge.index())])
    }

    fn instinct(&self, _: &mut Chance) -> Direction {
        think::exit_edge(self.game, self.state, self.who)
    }
}

/// What the end of a move is used for; a spin is tried before power or drag.
#[words]
pub enum EngineOption {
    Power,
    Drag,
    None,
    Spin,
}

impl EngineOption {
    /// What the engine does; none for a spin.
    pub(super) fn engine(self) -> Option<Engine> {
        match self {
            EngineOption::Power => Some(Engine::Power),
            EngineOption::Drag => Some(Engine::Drag),
            EngineOption::None => Some(Engine::None),
            EngineOption::Spin => None,
        }
    }
}

/// Power, drag or neither; or a spin after the last step. (7.4; R-42)
pub(super) struct EngineChoice<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub mover: &'a Mover,
}

impl EngineChoice<'_> {
    pub fn open(&self) -> Open<EngineOption> {
        open(EngineOption::ALL, |option| self.check_option(option))
    }

    pub fn only(&self) -> Option<EngineOption> {
        only(EngineOption::ALL, |option| self.check_option(option))
    }

    fn check_option(&self, option: EngineOption) -> Result<(), Barred> {
        let (mover, ratings) = (self.mover, &self.game.info(self.mover.who).ratings);
        let no_engine = self.state.get(mover.who).harm.engine_destroyed;
        match option.engine() {
            None => check_spin(self.state, mover),
            Some(Engine::Drag) if mover.stage == Stage::Recovered => Err(Barred::NoDrag),
            Some(Engine::None) if mover.stage == Stage::Recovered => Ok(()),
            Some(engine) => mover.tally.check_engine(engine, ratings, no_engine),
        }
    }
}

/// Whether an aircraft may try to go into a spin. (8.6; R-65)
pub(super) fn check_spin(state: &State, mover: &Mover) -> Result<(), Barred> {
    match state.get(mover.who).flight {
        Flight::Spinning => Err(Barred::AlreadySpinning),
        Flight::Stalled => Err(Barred::StalledFliesStraight),
        Flight::Flying if mover.stage == Stage::Recovered => Err(Barred::JustRecovered),
        Flight::Flying if mover.spin_tried => Err(Barred::SpinTried),
        Flight::Flying if mover.leveling.is_some() => Err(Barred::LevelBeforeSpin),
        Flight::Flying => Ok(()),
    }
}

impl Menu for EngineChoice<'_> {
    type Option = EngineOption;

    fn seat(&self) -> Seat {
        self.game.seat(self.mover.who)
    }

    fn prompt(&self) -> Prompt {
        let (who, speed) = (self.game.who(self.mover.who), self.mover.tally.speed_before_engine());
        Prompt::new("engine", format!("{who} ends its move at speed {speed}. Power, drag, or neither?"), rule::R_42)
    }

    fn options(&self) -> Vec<EngineOption> {
        EngineOption::ALL.to_vec()
    }

    fn label(&self, option: &EngineOption) -> String {
        let speed = self.mover.tally.speed_before_engine();
        match option {
            EngineOption::Power => format!("Power, from speed {speed}"),
            EngineOption::Drag => format!("Drag, from speed {speed}"),
            EngineOption::None => format!("Neither: stay at speed {speed}"),
            EngineOption::Spin => "Try to go into a spin".into(),
        }
    }

    fn allow(&self, option: &EngineOption) -> Result<(), Refusal> {
        Ok(self.check_option(*option)?)
    }

    /// Spins are rare among random answers too: they end a move, and most games.
    fn sample(&self, chance: &mut Chance) -> EngineOption {
        let mut options = self.open();
        if chance.below(16) > 0 && options.len() > 1 {
            options.retain(|option| *option != EngineOption::Spin);
        }
        any(&options, chance)
    }

    fn instinct(&self, _: &mut Chance) -> EngineOption {
        think::engine(self)
    }
}

#[words]
pub enum RecoverOption {
    Try,
    KeepSpinning,
}

/// Whether a spinning pilot tries to recover. (8.6)
pub(super) struct Recover<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub who: CraftId,
}

impl Menu for Recover<'_> {
    type Option = RecoverOption;

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }

    fn prompt(&self) -> Prompt {
        let (who, level) = (self.game.who(self.who), self.state.get(self.who).position.level);
        Prompt::new("recover", format!("{who} is spinning at level {level}. Try to recover?"), rule::SPIN)
    }

    fn options(&self) -> Vec<RecoverOption> {
        RecoverOption::ALL.to_vec()
    }

    fn label(&self, option: &RecoverOption) -> String {
        let level = flight::spin_bet_level(self.game.flying(self.state, self.who));
        match option {
            RecoverOption::Try => format!("Try to recover, with a bet of level {level}"),
            RecoverOption::KeepSpinning => "Keep spinning".into(),
        }
    }

    fn instinct(&self, _: &mut Chance) -> RecoverOption {
        RecoverOption::Try
    }
}

#[words]
pub enum FireOption {
    Fire,
    Hold,
}

/// Why a pilot may want his target alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReasonToHold {
    /// The scenario pays more for it than a kill.
    WorthMoreAlive,
    /// A kill ends the game short of victory, while the scenario's own points are still to be had.
    EndsTheGame,
}

/// Whether an aircraft fires, where there is a reason not to. (9.1)
pub(super) struct FireChoice<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub who: CraftId,
    pub reason: ReasonToHold,
}

impl Menu for FireChoice<'_> {
    type Option = FireOption;

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }

    fn prompt(&self) -> Prompt {
        let (game, craft) = (self.game, self.state.get(self.who));
        let at = craft.target.map_or("its target", |target| game.who(target).name);
        let why = match self.reason {
            ReasonToHold::WorthMoreAlive => format!("The scenario pays more for {at} alive than for a kill"),
            ReasonToHold::EndsTheGame => {
                "A kill would end the game before you have won, and your side can still score scenario points".into()
            }
        };
        let (who, edge) = (game.who(self.who), craft.edge.unwrap_or(0));
        let text = format!("{who} has an edge of {edge} over {at}. {why}. Fire?");
        let prompt = Prompt::new("fire", text, rule::FIRE);
        let enemies = self.state.in_play().filter(|&other| game.side(other) != game.side(self.who));
        let others = enemies.filter(|&other| Some(other) != craft.target).map(|other| game.who(other).name);
        match others.collect::<Vec<_>>().join(", ") {
            names if names.is_empty() => prompt,
            names => prompt
                .missing(format!("Fire at {names}: an aircraft fires only at its declared target. [{}]", rule::FIRE)),
        }
    }

    fn options(&self) -> Vec<FireOption> {
        FireOption::ALL.to_vec()
    }

    fn label(&self, option: &FireOption) -> String {
        match option {
            FireOption::Fire => "Fire".into(),
            FireOption::Hold => "Hold fire".into(),
        }
    }

    fn allow(&self, option: &FireOption) -> Result<(), Refusal> {
        match option {
            FireOption::Fire => Ok(self.game.may_fire(self.state, self.who).map(drop)?),
            FireOption::Hold => Ok(()),
        }
    }

    fn pieces(&self, option: &FireOption) -> Vec<String> {
        self.game.target_if(self.state, self.who, *option == FireOption::Fire)
    }

    fn instinct(&self, _: &mut Chance) -> FireOption {
        let may = self.game.may_fire(self.state, self.who).is_ok();
        if may && self.reason == ReasonToHold::EndsTheGame { FireOption::Fire } else { FireOption::Hold }
    }
}

/// Which pip is moved. (9.4; R-48)
pub(super) struct PipChoice<'a> {
    pub game: &'a Dogfight,
    pub who: CraftId,
    pub gun: &'a Gun,
    pub dice: [u8; 2],
}

impl Menu for PipChoice<'_> {
    type Option = Pip;

    fn seat(&self) -> Seat {
        self.game.seat(self.who)
    }

    fn prompt(&self) -> Prompt {
        let (who, [one, other]) = (self.game.who(self.who), self.dice);
        Prompt::new("pip", format!("{who} rolled {one} and {other}. Move a pip?"), rule::R_48)
    }

    fn options(&self) -> Vec<Pip> {
        Pip::ALL.to_vec()
    }

    fn label(&self, pip: &Pip) -> String {
        let what = match pip {
            Pip::None => "Leave the dice",
            Pip::Subtract => "Take a pip off the higher die",
            Pip::Add => "Add a pip to the lower die",
        };
        match self.gun.check_pip(self.dice, *pip) {
            Err(_) => what.to_owned(),
            Ok(()) => {
                let burst = self.gun.score(&self.game.rules.tables, self.dice, *pip);
                format!("{what}: {}", fire::told(burst.hits, burst.criticals))
            }
        }
    }

    fn allow(&self, pip: &Pip) -> Result<(), Refusal> {
        Ok(self.gun.check_pip(self.dice, *pip)?)
    }

    fn instinct(&self, _: &mut Chance) -> Pip {
        self.gun.best_pip(&self.game.rules.tables, self.dice)
    }
}
