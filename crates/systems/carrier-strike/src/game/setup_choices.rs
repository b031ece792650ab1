//! What is asked in set-up, and what is legal there.

use super::CarrierGame;
use super::piece::{SquadronId, Squads};
use super::refusals::{Barred, Legal};
use super::state::{Deck, Table, Where};
use crate::geometry::{LENGTH, lengths};
use crate::scenario::CvStart;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Decision, Refusal, Seat, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsLaid {
    pub real: Point,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decoy: Option<Point>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arming {
    Fighter,
    Strike,
    Refuelled,
}

impl Arming {
    pub(super) fn words(self) -> &'static str {
        match self {
            Arming::Fighter => "as fighters",
            Arming::Strike => "for strikes",
            Arming::Refuelled => "refuelled only",
        }
    }

    pub(super) fn deck(self) -> Deck {
        match self {
            Arming::Fighter => Deck::Fighter,
            Arming::Strike => Deck::Strike,
            Arming::Refuelled => Deck::Refuelled,
        }
    }
}

pub(super) struct SetupCards<'a> {
    pub game: &'a CarrierGame,
    pub side: Side,
}

impl SetupCards<'_> {
    pub(super) fn hidden(&self) -> bool {
        self.game.scenario.sheet(self.side).cv == CvStart::Hidden
    }

    pub(super) fn home(&self) -> i64 {
        self.game.scenario.home(self.side)
    }

    /// Pairs of cards, west to east and near enough together that every launch fits both, with their words.
    pub(super) fn pairs(&self) -> Vec<([i64; 2], String)> {
        let width = self.game.rules.geometry.area_width;
        let spots = [(width / 4, "In the west"), (width / 2, "In the centre"), (width * 3 / 4, "In the east")];
        let pair = |(middle, place): (i64, &str)| {
            [3, 5].map(|apart| {
                let half = apart * LENGTH / 2;
                ([middle - half, middle + half], format!("{place}, {apart} lengths apart"))
            })
        };
        spots.into_iter().flat_map(pair).collect()
    }

    pub(super) fn laid(&self, real: i64, decoy: i64) -> CardsLaid {
        CardsLaid { real: Point::new(real, self.home()), decoy: self.hidden().then(|| Point::new(decoy, self.home())) }
    }
}

impl Decision for SetupCards<'_> {
    type Value = CardsLaid;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &CardsLaid) -> Result<(), Refusal> {
        let width = self.game.rules.geometry.area_width;
        if self.hidden() != value.decoy.is_some() {
            return Err(if self.hidden() { Barred::LayBoth } else { Barred::LayOne }.into());
        }
        for card in [Some(value.real), value.decoy].into_iter().flatten() {
            if card.y != self.home() || !(0..=width).contains(&card.x) {
                return Err(Barred::OffHomeEdge.into());
            }
        }
        if value.decoy.is_some_and(|decoy| self.game.rules.geometry.overlap(decoy, value.real)) {
            return Err(Barred::CardsOverlap.into());
        }
        Ok(())
    }
}

pub(super) struct SetupRoles<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    pub side: Side,
}

impl SetupRoles<'_> {
    pub(super) fn combat(&self) -> impl Iterator<Item = SquadronId> + '_ {
        SquadronId::of(self.side).filter(|id| !id.is_recce() && self.table[*id].place != Where::Absent)
    }

    /// Whether a squadron may start so.
    pub(super) fn may_start(&self, id: SquadronId, arming: Arming) -> Legal {
        match arming {
            Arming::Fighter if self.game.kamikaze.has(id) => Err(Barred::KamikazesStrike { who: self.game.kamikaze }),
            Arming::Refuelled if self.game.scenario.sheet(self.side).must_be_armed => Err(Barred::MustStartArmed),
            _ => Ok(()),
        }
    }

    pub(super) fn choices(&self, id: SquadronId) -> Vec<Arming> {
        [Arming::Fighter, Arming::Strike, Arming::Refuelled]
            .into_iter()
            .filter(|arming| self.may_start(id, *arming).is_ok())
            .collect()
    }

    /// The squadrons that can be fighters.
    pub(super) fn able(&self) -> Squads {
        self.combat().filter(|id| !self.game.kamikaze.has(*id)).collect()
    }

    pub(super) fn armed(&self, fighters: Squads) -> BTreeMap<SquadronId, Arming> {
        self.combat().map(|id| (id, if fighters.has(id) { Arming::Fighter } else { Arming::Strike })).collect()
    }
}

impl Decision for SetupRoles<'_> {
    type Value = BTreeMap<SquadronId, Arming>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let asked: Squads = self.combat().collect();
        let given: Squads = value.keys().copied().collect();
        if asked != given {
            return Err(Barred::ArmAll { who: asked }.into());
        }
        Ok(value.iter().try_for_each(|(id, arming)| self.may_start(*id, *arming))?)
    }
}

pub(super) struct SetupDeployed<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    pub id: SquadronId,
    pub card: Point,
    /// From the card to the squadron, at most.
    pub distance: i64,
}

impl SetupDeployed<'_> {
    pub(super) fn spots(&self) -> Vec<Point> {
        let geometry = &self.game.rules.geometry;
        let (half_width, half_length) = (geometry.card_width / 2, geometry.card_length / 2);
        let slant = self.distance * 70 / 100;
        let reach = Point::new(half_width, half_length);
        let mut all = Vec::new();
        for line in [(0, 1), (1, 0), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)] {
            let away = if line.0 == 0 || line.1 == 0 { self.distance - 5 } else { slant };
            let mut point = self.card + Point::new(line.0 * (reach.x + away), line.1 * (reach.y + away));
            // Diagonals are brought to the right distance step by step.
            while line.0 != 0 && line.1 != 0 && geometry.to_card(point, self.card) < self.distance - 9 {
                point = point + Point::new(line.0, line.1);
            }
            if self.check(&point).is_ok() {
                all.push(point);
            }
        }
        all
    }
}

impl Decision for SetupDeployed<'_> {
    type Value = Point;

    fn seat(&self) -> Seat {
        self.id.side().into()
    }

    fn check(&self, value: &Point) -> Result<(), Refusal> {
        if !self.game.in_sea_room(*value) {
            return Err(Barred::StartsOutside.into());
        }
        let distance = self.game.rules.geometry.to_card(*value, self.card);
        if !(self.distance - 10..=self.distance).contains(&distance) {
            return Err(Barred::WrongDistance { is: lengths(distance), wanted: lengths(self.distance) }.into());
        }
        if !(0..=self.game.rules.geometry.area_width).contains(&value.x)
            || !(0..=self.game.scenario.length).contains(&value.y)
        {
            return Err(Barred::StartsOutside.into());
        }
        Ok(())
    }
}
