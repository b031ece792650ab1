//! Orders: move a unit, declare an attack or take it back, exploit, or be done. [4.2, C-25, C-33]

use super::GroundGame;
use super::attacks::{MOST_TAKEN_BACK, adjective};
use super::map::{HexAt, UnitAt};
use super::movement::no_such_hex;
use super::set::Set;
use super::state::{Attack, GroundState, Phase};
use crate::messages::ensure;
use crate::rule;
use crate::scenarios::HexId;
use flagplot_kernel::{Decision, Refusal, Seat};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    Move {
        unit: String,
        to: HexId,
    },
    Attack {
        target: HexId,
        units: Vec<String>,
        #[serde(default, skip_serializing_if = "none")]
        support: u8,
    },
    TakeBack {
        target: HexId,
    },
    /// A unit goes through a breakthrough hex to where its way ends.
    Exploit {
        unit: String,
        through: HexId,
        to: HexId,
    },
    Done,
}

/// The next order of the active side, in movement, declaration and exploitation.
pub struct Orders<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
}

fn none(factors: &u8) -> bool {
    *factors == 0
}

impl Orders<'_> {
    /// One of the active side's units that is still on the map.
    fn own(&self, id: &str) -> Result<(UnitAt, HexAt), Refusal> {
        let unit = self.game.find(id).filter(|unit| self.game.info(*unit).side == self.state.active);
        unit.and_then(|unit| Some((unit, self.state.unit(unit).hex?))).ok_or_else(|| {
            let shown: String = id.chars().take(30).collect();
            Refusal::new("unknown-unit", format!("You have no unit '{shown}' on the map."))
                .by(rule::GROUND_TURN)
                .remedy("Choose one of your units.")
        })
    }

    fn not_now(&self) -> Refusal {
        let what = match self.state.phase {
            Phase::Movement => "move units",
            Phase::Exploit => "exploit the breakthrough",
            _ => "declare attacks",
        };
        let message = format!("It is the {} turn to {what}.", adjective(self.state.active));
        Refusal::new("not-now", message).by(rule::GROUND_TURN).remedy("Give an order of this phase, or be done.")
    }

    fn check_move(&self, unit: &str, to: HexId) -> Result<(), Refusal> {
        let (unit, from) = self.own(unit)?;
        let points = self.game.points_left(self.state, unit);
        if self.state.phase == Phase::Exploit && !self.state.unit(unit).exploiting {
            let message = format!("{} has not gone through a breakthrough.", self.game.info(unit).name);
            return Err(Refusal::new("not-now", message).by(rule::C_9).remedy("Exploit a breakthrough hex first."));
        }
        let to = self.game.map.place(to).ok_or_else(no_such_hex)?;
        self.game.check_leg(self.state, unit, from, to, points).map(|_| ())
    }

    fn check_attack(&self, target: HexId, units: &[String], support: u8) -> Result<(), Refusal> {
        let target = self.game.map.place(target).ok_or_else(no_such_hex)?;
        let mut set = Set::default();
        for id in units {
            let (unit, _) = self.own(id)?;
            ensure(!set.contains(unit), || {
                let message = format!("{} is named twice.", self.game.info(unit).name);
                Refusal::new("cannot-attack", message).by(rule::GROUND_TURN).remedy("Name each unit once.")
            })?;
            set.insert(unit);
        }
        self.game.check_attack(self.state, &Attack { target, units: set, support, das: 0, interceptors: 0 })
    }

    fn check_take_back(&self, target: HexId) -> Result<(), Refusal> {
        let attack = self.game.map.place(target).and_then(|hex| self.state.attack_on(hex));
        ensure(attack.is_some(), || {
            Refusal::new("not-now", format!("There is no attack on {target} to take back.")).by(rule::C_33)
        })?;
        ensure(self.state.taken_back < MOST_TAKEN_BACK, || {
            Refusal::new("not-now", format!("{MOST_TAKEN_BACK} attacks have been taken back in this phase."))
                .by(rule::C_33)
                .remedy("Declare the rest, or be done.")
        })
    }

    fn check_exploit(&self, unit: &str, through: HexId, to: HexId) -> Result<(), Refusal> {
        let (unit, _) = self.own(unit)?;
        let place = |hex| self.game.map.place(hex).ok_or_else(no_such_hex);
        let (through, to) = (place(through)?, place(to)?);
        ensure(self.game.may_exploit(self.state, unit).contains(through), || {
            let (name, hex) = (&self.game.info(unit).name, self.game.map.name(through));
            Refusal::new("cannot-attack", format!("{name} cannot exploit through {hex}.")).by(rule::C_9).remedy(
                "Only armor next to a breakthrough hex that has not attacked this turn can, and isolated armor \
                     only if it has not moved.",
            )
        })?;
        if to == through {
            return ensure(self.game.has_room(self.state, to, unit), || self.game.full(to));
        }
        let fresh = self.game.fresh(self.state, unit, through);
        let points = self.game.points_left(&fresh, unit);
        self.game.check_leg(&fresh, unit, through, to, points).map(|_| ())
    }
}

impl Decision for Orders<'_> {
    type Value = Order;

    fn seat(&self) -> Seat {
        self.state.active.into()
    }

    fn check(&self, order: &Order) -> Result<(), Refusal> {
        match (self.state.phase, order) {
            (_, Order::Done) => Ok(()),
            (Phase::Movement | Phase::Exploit, Order::Move { unit, to }) => self.check_move(unit, *to),
            (Phase::Declare, Order::Attack { target, units, support }) => self.check_attack(*target, units, *support),
            (Phase::Declare, Order::TakeBack { target }) => self.check_take_back(*target),
            (Phase::Exploit, Order::Exploit { unit, through, to }) => self.check_exploit(unit, *through, *to),
            _ => Err(self.not_now()),
        }
    }
}

impl Orders<'_> {
    pub(crate) fn named(&self, attack: &Attack) -> Order {
        let ids = attack.units.iter().map(|unit| self.game.info(unit).id.clone());
        Order::Attack { target: self.game.map.id(attack.target), units: ids.collect(), support: attack.support }
    }
}
