//! A campaign: turns of refit, secret orders, raids, battles, points and delay. [C-16]

pub mod choices;
pub mod data;
pub(crate) mod explain;
pub(crate) mod scene;
mod screens;
pub(crate) mod thinking;
mod turn;

use crate::battle::{Ground, Place, UnitState, Units};
use crate::day_night::Waters;
use crate::delay;
use crate::faction::{ByRole, Role};
use crate::game::title;
use crate::points;
use crate::rules::Rules;
use crate::scenario::{Fight, judge};
use crate::unit::{Counter, Id, Kind, Sheet};
use data::{Campaign, CampaignFaction};
use flagplot_kernel::{BySide, Outcome, Side};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Station {
    Arriving(u8),
    Port,
    Zone(u8),
    Raid,
    /// A disabled or refitting ship, with what its owner has chosen if it is damaged.
    NavalWarfareDelayBox(Option<delay::Choice>),
    DelayBox,
    TurnTrack(u8),
    Delivered,
    /// Sunk, or not back before the end.
    Removed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    Port,
    Zone(u8),
    Raid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    Arrivals,
    Refit(Side),
    Orders,
    Raids(Side),
    Battles(u8),
    Points,
    Repairs(Side),
    Delay(Side),
    Recovery,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Score {
    pub losses: i64,
    pub zones: i64,
    pub convoys: i64,
}

impl Score {
    pub fn sum(self) -> i64 {
        self.losses + self.zones + self.convoys
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ZoneState {
    pub control: Option<Side>,
    pub contested: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CampaignState {
    pub turn: u8,
    pub step: Step,
    /// The side that is up of all units; their place only matters within a fight.
    pub units: Units,
    pub stations: BySide<Vec<Station>>,
    pub orders: BySide<Vec<Option<Goal>>>,
    /// Which units were attacked in Port this turn: a bit each.
    pub attacked: BySide<u64>,
    pub zones: Vec<ZoneState>,
    pub fight: Option<Fight>,
    pub score: BySide<Score>,
    pub over: bool,
}

pub struct CampaignGame {
    pub(crate) rules: Arc<Rules>,
    pub(crate) campaign: Campaign,
    pub(crate) sheets: BySide<Vec<Sheet>>,
    pub(crate) names: BySide<String>,
    started_damaged: BySide<Vec<bool>>,
    pub(crate) memory: thinking::Memory,
}

/// A side at a position of a campaign: what a question to its player is about.
#[derive(Clone, Copy)]
pub struct Command<'a> {
    pub campaign: &'a CampaignGame,
    pub state: &'a CampaignState,
    pub side: Side,
}

impl<'a> Command<'a> {
    pub(crate) fn faction(&self) -> &'a CampaignFaction {
        &self.campaign.campaign.factions[self.side]
    }

    pub(crate) fn sheet(&self, at: usize) -> &'a Sheet {
        &self.campaign.sheets[self.side][at]
    }

    fn id(&self, at: usize) -> Id {
        self.sheet(at).id
    }

    fn unit(&self, at: usize) -> Counter<'a> {
        self.campaign.counter(self.state, self.side, at)
    }

    fn at(&self, station: Station) -> impl Iterator<Item = usize> + use<'a> {
        self.campaign.at(self.state, self.side, station)
    }

    fn goal_words(&self, goal: Goal) -> String {
        self.campaign.goal_words(self.side, goal)
    }
}

impl CampaignGame {
    pub fn new(rules: Arc<Rules>, campaign: Campaign) -> Self {
        let sheets = BySide::new_with(|side| campaign.factions[side].units.iter().map(|unit| unit.sheet).collect());
        let names = BySide::new_with(|side| title(&campaign.factions[side].id));
        let started_damaged = BySide::new_with(|side| campaign.factions[side].units.iter().map(|_| false).collect());
        Self { rules, campaign, sheets, names, started_damaged, memory: thinking::Memory::default() }
    }

    pub fn setup(&self) -> CampaignState {
        let all = |side: Side| self.campaign.factions[side].units.iter();
        let zones = self.campaign.zones.iter();
        CampaignState {
            turn: 1,
            step: Step::Arrivals,
            units: BySide::new_with(|side| vec![UnitState { damaged: false, place: Place::Ready }; all(side).len()]),
            stations: BySide::new_with(|side| all(side).map(|unit| Station::Arriving(unit.turn)).collect()),
            orders: BySide::new_with(|side| vec![None; all(side).len()]),
            attacked: BySide::default(),
            zones: zones.map(|zone| ZoneState { control: zone.control, contested: false }).collect(),
            fight: None,
            score: BySide::default(),
            over: false,
        }
    }

    /// How it ended, once it has. [winning]
    pub fn outcome(&self, state: &CampaignState) -> Option<Outcome> {
        state.over.then(|| judge(&self.names, state.score.map(Score::sum), self.campaign.bands))
    }

    pub fn last_turn(&self) -> u8 {
        self.campaign.turns.len() as u8
    }

    pub fn initiative(&self, state: &CampaignState) -> Side {
        self.campaign.initiative[usize::from(state.turn - 1)]
    }

    pub fn counter(&self, state: &CampaignState, side: Side, at: usize) -> Counter<'_> {
        Counter { sheet: &self.sheets[side][at], damaged: state.units[side][at].damaged }
    }

    pub fn at<'a>(&self, state: &'a CampaignState, side: Side, station: Station) -> impl Iterator<Item = usize> + 'a {
        state.stations[side].iter().enumerate().filter(move |(_, here)| **here == station).map(|(at, _)| at)
    }

    /// The phasing side in a zone: the one that does not control it; without control the one with the initiative.
    /// [turn-6]
    pub fn phasing(&self, state: &CampaignState, zone: usize) -> Side {
        state.zones[zone].control.map_or(self.initiative(state), Side::other)
    }

    pub(crate) fn ground(&self, state: &CampaignState) -> Ground<'_> {
        match state.step {
            Step::Battles(zone) => self.waters(usize::from(zone), self.phasing(state, usize::from(zone))),
            _ => self.ground_of(Waters { all_sea: false, nearest_air_base: ByRole::default() }, 0),
        }
    }

    pub(crate) fn waters(&self, zone: usize, phasing: Side) -> Ground<'_> {
        let zone = &self.campaign.zones[zone];
        let waters = Waters {
            all_sea: zone.all_sea,
            nearest_air_base: ByRole::new_with(|role: Role| zone.air_base[role.side(phasing)]),
        };
        // Holding scores nothing by itself; this is what control this turn and the hope of the next is worth.
        self.ground_of(waters, (zone.vp.first + zone.vp.second) * 3 / 4)
    }

    fn ground_of(&self, waters: Waters, hold_vp: i64) -> Ground<'_> {
        Ground {
            rules: &self.rules,
            sheets: &self.sheets,
            names: &self.names,
            started_damaged: &self.started_damaged,
            waters,
            fixed_actions: [None; 2],
            hold_vp,
            hold_scores: 0,
        }
    }

    /// How good the position is for a side: points, what the zones it holds promise, and what its forces will do in the
    /// turns they are there.
    ///
    /// The weights were fitted by least squares to some thousands of games of the quick player against itself, between
    /// two turns: control of a zone is worth four tenths of its points however many turns are left, for it must be
    /// fought for again in each; a ship's point gains an eighth of a point in each turn she can sail; a convoy still to
    /// come brings a third of its points.
    pub fn evaluate(&self, state: &CampaignState, side: Side) -> i64 {
        let (last, turn) = (i64::from(self.last_turn()), i64::from(state.turn));
        // Once a turn's points have been counted it is over for those at sea.
        let counted = matches!(state.step, Step::Repairs(_) | Step::Delay(_) | Step::Recovery);
        let next = if counted { turn + 1 } else { turn };
        let of = |side: Side| {
            let zones = self.campaign.zones.iter().zip(&state.zones).filter(|(_, now)| now.control == Some(side));
            let zones: i64 = zones.map(|(zone, _)| zone.vp[side]).sum();
            let force = |at: usize| {
                let from = match state.stations[side][at] {
                    Station::Removed | Station::Delivered => return 0,
                    Station::TurnTrack(due) | Station::Arriving(due) => i64::from(due).max(next),
                    Station::DelayBox | Station::NavalWarfareDelayBox(_) => next + 2,
                    Station::Port | Station::Zone(_) | Station::Raid => next,
                };
                let turns = (last - from + 1).max(0);
                let unit = self.counter(state, side, at);
                match (unit.sheet.kind, unit.damaged) {
                    (Kind::Convoy, _) if turns > 0 => 350 * points::convoy(unit),
                    (Kind::Convoy, _) => 0,
                    (_, true) => 70 * turns * i64::from(unit.sheet.vp),
                    (_, false) => 130 * turns * i64::from(unit.sheet.vp),
                }
            };
            let forces: i64 = (0..self.sheets[side].len()).map(force).sum();
            let promise = if state.over || next > last { 0 } else { 400 * zones + forces };
            1000 * state.score[side].sum() + promise
        };
        of(side) - of(side.other())
    }

    pub fn step_limit(&self) -> u32 {
        // Two raids and a battle in each zone a turn, each of at most three rounds, and the other steps of a turn.
        let units = (self.sheets.first.len() + self.sheets.second.len()) as u32;
        let fights = 2 + self.campaign.zones.len() as u32;
        self.campaign.turns.len() as u32 * (fights * 3 * (units + 12) + 20) + 1
    }
}
