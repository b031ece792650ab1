//! What players are asked while something moves: paths, carriers, sliding, contact.

use super::CarrierGame;
use super::flight::{Flight, Purpose};
use super::piece::{CardId, Order, SquadronId, Squads};
use super::refusals::Barred;
use super::state::Table;
use crate::geometry::{COMPASS, COMPASS_NAMES, GivingWay, comes_no_nearer};
use crate::rule;
use crate::walk::Waypoints;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Chance, Decision, Menu, Prompt, Refusal, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A path, or none to stay or stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PathAnswer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squadrons: Option<Order>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Waypoints>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathUse {
    AfterSearch,
    Resume,
    AfterStrike,
}

pub(super) struct PathChoice<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    pub flight: &'a Flight,
    pub squadrons: &'a [SquadronId],
    pub allowance: i64,
    pub purpose: PathUse,
}

impl PathChoice<'_> {
    pub(super) fn to_card(&self) -> Option<Point> {
        if self.purpose == PathUse::Resume && self.flight.purpose == Purpose::Strike {
            self.game.strike_target(self.table, self.table.phasing)
        } else {
            None
        }
    }

    pub(super) fn legal(&self, to: Point) -> Option<PathAnswer> {
        let answer = PathAnswer { squadrons: None, path: Some(Waypoints::to(to)) };
        self.check(&answer).is_ok().then_some(answer)
    }
}

impl Decision for PathChoice<'_> {
    type Value = PathAnswer;

    fn seat(&self) -> Seat {
        self.table.phasing.into()
    }

    fn check(&self, value: &PathAnswer) -> Result<(), Refusal> {
        let Some(path) = &value.path else {
            return Ok(());
        };
        let squadrons = value.squadrons.as_deref().unwrap_or(self.squadrons);
        let set: Squads = squadrons.iter().copied().collect();
        if value.squadrons.is_some() && self.purpose != PathUse::Resume && squadrons != self.squadrons {
            return Err(Barred::FlyTogether.into());
        }
        if set.is_empty() || set.count() != squadrons.len() || squadrons.iter().any(|id| !self.squadrons.contains(id)) {
            return Err(Barred::NotTakingPart.into());
        }
        self.game.path(self.table, squadrons, path, self.allowance)?;
        if self.purpose == PathUse::Resume && self.flight.meets_forbidden(self.game, self.table, squadrons, path) {
            return Err(Barred::MeetsWhoGaveWay.into());
        }
        if self.to_card().is_some_and(|card| !self.game.ends_at_card(self.table, squadrons, path, card)) {
            return Err(Barred::NotAtCard.into());
        }
        Ok(())
    }
}

/// Where the cards go; nowhere to stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CvMoveAnswer {
    #[serde(default)]
    pub to: BTreeMap<CardId, Point>,
}

pub(super) struct CvMoveChoice<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
}

impl Decision for CvMoveChoice<'_> {
    type Value = CvMoveAnswer;

    fn seat(&self) -> Seat {
        self.table.phasing.into()
    }

    fn check(&self, value: &CvMoveAnswer) -> Result<(), Refusal> {
        if !value.to.is_empty() {
            self.game.cv_move(self.table, self.table.phasing, &value.to)?;
        }
        Ok(())
    }
}

/// Whether a die slides off a card or stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SlideAnswer {
    Slide,
    Stay,
}

pub(super) struct SlideChoice {
    pub id: SquadronId,
}

impl Menu for SlideChoice {
    type Option = SlideAnswer;

    fn seat(&self) -> Seat {
        self.id.side().into()
    }

    fn prompt(&self) -> Prompt {
        let text = format!("An enemy card lies under {}. Slide off, or stay and draw fire?", self.id);
        Prompt::new("slide", text, rule::R_36)
    }

    fn options(&self) -> Vec<SlideAnswer> {
        vec![SlideAnswer::Slide, SlideAnswer::Stay]
    }

    fn label(&self, option: &SlideAnswer) -> String {
        if *option == SlideAnswer::Slide { "slide off" } else { "stay" }.to_owned()
    }

    fn pieces(&self, option: &SlideAnswer) -> Vec<String> {
        if *option == SlideAnswer::Slide { vec![self.id.id().to_owned()] } else { Vec::new() }
    }

    fn instinct(&self, _: &mut Chance) -> SlideAnswer {
        SlideAnswer::Slide
    }
}

/// What a group that is met does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "contact", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum ContactAnswer {
    Intercept { squadrons: Order },
    GiveWay { line: Point },
}

pub(super) struct ContactChoice<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    /// The squadrons that move.
    pub movers: Squads,
    /// The group that they meet.
    pub met: Squads,
}

/// Whether a line is short enough to be measured at all.
pub(super) fn modest(line: Point) -> bool {
    line.x.abs() <= 100_000 && line.y.abs() <= 100_000
}

impl ContactChoice<'_> {
    pub(super) fn fighters(&self) -> Squads {
        self.table.interceptors(self.met)
    }

    pub(super) fn inside(&self, line: Point) -> bool {
        self.met.iter().all(|id| self.game.in_sea_room(self.table[id].pos + line))
    }

    pub(super) fn allowed(&self, line: Point, how: GivingWay) -> bool {
        self.inside(line)
            && comes_no_nearer(&self.table.positions(self.met), &self.table.positions(self.movers), line, how)
    }

    /// How strictly a line is judged: as strictly as leaves one of the compass lines open.
    pub(super) fn strictness(&self) -> GivingWay {
        let open = |how| COMPASS.iter().any(|line| self.allowed(*line, how));
        [GivingWay::AllAlong, GivingWay::AtTheEnd].into_iter().find(|how| open(*how)).unwrap_or(GivingWay::Anywhere)
    }

    pub(super) fn lines(&self) -> Vec<(Point, &'static str)> {
        let how = self.strictness();
        COMPASS
            .iter()
            .zip(COMPASS_NAMES)
            .filter(|(line, _)| self.allowed(**line, how))
            .map(|(line, name)| (*line, name))
            .collect()
    }
}

impl Decision for ContactChoice<'_> {
    type Value = ContactAnswer;

    fn seat(&self) -> Seat {
        self.met.side().into()
    }

    fn check(&self, value: &ContactAnswer) -> Result<(), Refusal> {
        match value {
            ContactAnswer::Intercept { squadrons } => {
                let set: Squads = squadrons.iter().copied().collect();
                if set.is_empty() || set.count() != squadrons.len() || !set.without(self.met).is_empty() {
                    return Err(Barred::NotMet { met: self.met }.into());
                }
                if let Some(id) = set.without(self.fighters()).first() {
                    let fighter = self.table[id].role == Some(Role::Fighter);
                    return Err(
                        if fighter { Barred::NoFuelToIntercept { id } } else { Barred::OnlyFightersIntercept }.into()
                    );
                }
                Ok(())
            }
            ContactAnswer::GiveWay { line } => {
                if !modest(*line) || line.ceil_dist(Point::default()) != self.game.rules.speeds.contact_evasion {
                    return Err(Barred::GiveWayByThree.into());
                }
                if !self.inside(*line) {
                    return Err(Barred::LineOutside.into());
                }
                if !self.allowed(*line, self.strictness()) {
                    return Err(Barred::ComesCloser.into());
                }
                Ok(())
            }
        }
    }
}
