//! The secret torpedo sheet of a squadron, and the launch. [C-38, 5.5, R-50, R-51, R-54]

use crate::data::TorpedoEntry;
use crate::derive::Setting;
use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::id::Id;
use crate::game::moving::Stage;
use crate::game::state::{Aim, AimPoint, Mood, Running, Sea, SquadronId, VesselId};
use crate::geometry::{Place, arc, bears};
use crate::rule;
use crate::ship_tests::crew_test;
use crate::sight::{Line, Sight};
use crate::torpedo::check_size;
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Decision, Note, Refusal, Seat, Silent, Viewer};
use serde::{Deserialize, Serialize};

/// Torpedoes whose ships reload every mount once. [5.5]
pub(crate) const RELOADED: [&str; 2] = ["type-93", "type-90"];
/// Turns until a mount is loaded again.
pub(crate) const RELOAD_TURNS: i32 = 3;

/// One declaration of the sheet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    pub ship: Id,
    /// The mounts, numbered from 1 as on the data sheet; empty for small craft, which launch everything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mounts: Vec<u8>,
    pub mode: Mode,
    /// The ship at which they are aimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Id>,
    /// The point into which a wide spread goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Point>,
    /// The speed setting, numbered from 1 as on the list of the torpedo.
    pub setting: u8,
}

/// A declaration that has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) struct Shot {
    pub by: VesselId,
    pub mounts: u32,
    pub mode: Mode,
    pub aim: Aim,
    /// Whether a Crew Test comes first.
    pub leave: Leave,
}

impl FleetGame {
    /// The torpedo of a ship and whether she has something to launch: mounts that are loaded and not lost, or boats
    /// with torpedoes left.
    pub(in crate::game) fn tubes(&self, sea: &Sea, id: VesselId) -> u32 {
        let (vessel, model) = (sea.vessel(id), self.battle.model(id));
        match model.hull {
            _ if model.torpedo.is_none() => 0,
            Hull::Boats => u32::from(vessel.torpedoes > 0 && vessel.vessels > 0),
            _ => vessel.loaded & !vessel.now.torpedoes_lost,
        }
    }

    /// How many torpedoes some mounts launch.
    pub(in crate::game) fn torpedoes_in(&self, sea: &Sea, id: VesselId, mounts: u32) -> i32 {
        let (vessel, model) = (sea.vessel(id), self.battle.model(id));
        match model.hull {
            Hull::Boats => vessel.vessels * vessel.torpedoes,
            _ => {
                let chosen = model.sheet.torpedoes.iter().enumerate().filter(|(at, _)| mounts >> at & 1 == 1);
                chosen.map(|(_, mount)| mount.tubes).sum()
            }
        }
    }

    /// The ships of a squadron that may launch torpedoes now.
    pub(in crate::game) fn may_launch<'a>(
        &'a self,
        sea: &'a Sea,
        squadron: SquadronId,
    ) -> impl Iterator<Item = VesselId> {
        let awake = !sea.squadron(squadron).surprised;
        let ships = self.afloat(sea, squadron).filter(move |_| awake);
        ships.filter(|id| sea.vessel(*id).mood == Mood::Steady && !self.holds(sea, *id) && self.tubes(sea, *id) != 0)
    }

    /// The loaded mounts of a ship that bear on a point. [5.5]
    pub(in crate::game) fn tubes_bearing(&self, sea: &Sea, id: VesselId, at: Point) -> u32 {
        let loaded = self.tubes(sea, id);
        let model = self.battle.model(id);
        if model.hull == Hull::Boats {
            return loaded;
        }
        let arc = arc(sea.vessel(id).at, at);
        let mounts = model.sheet.torpedoes.iter().enumerate();
        mounts
            .filter(|(at, mount)| loaded >> at & 1 == 1 && bears(mount.arc, arc))
            .fold(0, |bits, (at, _)| bits | 1 << at)
    }

    pub(in crate::game) fn settings(&self, id: VesselId) -> &[Setting] {
        self.battle.model(id).torpedo.as_ref().map_or(&[], |torpedo: &TorpedoEntry| &torpedo.ratings.settings)
    }

    /// How far a ship may send a wide spread, and whether it needs a Crew Test: not if an enemy ship is in clear sight.
    ///
    pub(in crate::game) fn spread_leave(&self, sea: &Sea, by: VesselId, point: Point) -> Leave {
        let from = self.point(sea, by);
        let (sd, tvr) = (sea.vessel(by).now.sd, self.battle.tvr(sea.turn));
        let in_sight = |enemy: VesselId| {
            let at = self.point(sea, enemy);
            self.band(self.reach(from, at)) <= tvr && !self.obscured(sea, from, at)
        };
        let seen = self.enemies(sea, self.battle.member(by).side).any(in_sight);
        let line = Line {
            light: self.battle.light(sea.turn),
            band: self.band(self.reach(from, point)),
            sight: Sight { sd, tvr, obscured: !seen, illuminated: false },
        };
        line.permission(false, &mut Silent).wide_spread
    }

    /// Whether a ship may aim at another, and after a Crew Test or not. A target that she has identified this turn
    /// needs no second test. [9.1, R-51]
    pub(in crate::game) fn aimed_leave(&self, sea: &Sea, by: VesselId, target: VesselId) -> Leave {
        let leave = self.permitted(sea, by, target, false).aimed;
        match sea.vessel(by).ledger.identified {
            Some((known, true)) if leave == Leave::CrewTest && known == target => Leave::Allowed,
            Some(_) if leave == Leave::CrewTest => Leave::Forbidden,
            _ => leave,
        }
    }

    /// The enemies that a launch could have been meant for, which is what everybody knows of it. [C-38]
    fn could_be_meant(&self, sea: &Sea, shot: &Shot) -> Vec<VesselId> {
        let furthest = self.settings(shot.by).iter().map(|setting| setting.max_band).max().unwrap_or(0);
        let enemies = self.enemies(sea, self.battle.member(shot.by).side);
        enemies
            .filter(|enemy| {
                let at = self.point(sea, *enemy);
                let band = self.band(self.reach(self.point(sea, shot.by), at));
                let bears = self.tubes_bearing(sea, shot.by, at) & shot.mounts == shot.mounts;
                let open = match shot.mode {
                    Mode::Aimed => {
                        let small = check_size(self.battle.model(*enemy).size()).is_err();
                        !small && self.permitted(sea, shot.by, *enemy, false).aimed != Leave::Forbidden
                    }
                    Mode::WideSpread => self.spread_leave(sea, shot.by, at) != Leave::Forbidden,
                };
                bears && open && band <= furthest
            })
            .collect()
    }

    /// Asks for the sheet; with the answer everybody knows who launches, which mounts and in which mode. [C-38]
    pub(super) fn declare_torpedoes(
        &self,
        sea: &mut Sea,
        squadron: SquadronId,
        ask: &mut impl Ask,
    ) -> Asked<Option<Stage>> {
        let side = self.battle.squad(squadron).side;
        if self.may_launch(sea, squadron).next().is_none() {
            return Ok(self.moved(sea, side));
        }
        let sheet = TorpedoSheet { game: self, sea, squadron };
        let declared = ask.decide(&sheet)?;
        let shots: Vec<Shot> = declared.iter().filter_map(|declaration| sheet.read(declaration).ok()).collect();
        let running: Vec<Running> = shots
            .iter()
            .map(|shot| Running {
                by: shot.by,
                from: sea.vessel(shot.by).at,
                mode: shot.mode,
                mounts: shot.mounts,
                torpedoes: self.torpedoes_in(sea, shot.by, shot.mounts),
                aim: Some(shot.aim),
                could: self.could_be_meant(sea, shot),
                frozen: None,
                hidden: false,
            })
            .collect();
        for (shot, launch) in shots.iter().zip(&running) {
            self.tell_declaration(shot, launch, ask);
        }
        let left = running.len();
        sea.running.extend(running);
        if left == 0 {
            return Ok(self.moved(sea, side));
        }
        Ok(Some(Stage::Launch { squadron, left }))
    }

    fn tell_declaration(&self, shot: &Shot, launch: &Running, ask: &mut impl Ask) {
        let member = self.battle.member(shot.by);
        ask.note(|| {
            let count = launch.torpedoes;
            let plural = if count == 1 { "torpedo" } else { "torpedoes" };
            let test = if shot.leave == Leave::CrewTest { ", after a Crew Test" } else { "" };
            let how = match shot.mode {
                Mode::Aimed => "aimed",
                Mode::WideSpread => "in a wide spread",
            };
            let text = format!("{} declares {count} {plural}, {how}{test}", member.name);
            Note::new("torpedoes-declared", text).by(&[rule::C_38, rule::R_54]).pieces([&member.id])
        });
        ask.note(|| {
            let setting = self.settings(shot.by).get(usize::from(shot.aim.setting));
            let knots = setting.map_or(0, |setting| setting.speed_kn);
            let at = match shot.aim.at {
                AimPoint::Vessel(target) => format!("at {}", self.battle.member(target).name),
                AimPoint::Point(_) => "into the area marked".to_owned(),
            };
            Note::new("torpedo-aim", format!("{}: {at}, set to {knots} knots", member.name))
                .by(&[rule::C_38])
                .detail()
                .only(Viewer::Seat(member.side.into()))
        });
    }

    /// The next launch: its Crew Test, then the tubes are empty. `left` of the last launches are still to come.
    pub(super) fn launch_next(
        &self,
        sea: &mut Sea,
        squadron: SquadronId,
        left: usize,
        ask: &mut impl Ask,
    ) -> Asked<Option<Stage>> {
        let side = self.battle.squad(squadron).side;
        let at = sea.running.len().saturating_sub(left);
        let Some(launch) = sea.running.get(at).cloned() else { return Ok(self.moved(sea, side)) };
        let passed = match launch.aim.map(|aim| aim.at) {
            Some(AimPoint::Vessel(target)) => self.identify(sea, launch.by, target, ask)?,
            Some(AimPoint::Point(place)) if self.spread_leave(sea, launch.by, place.point()) == Leave::CrewTest => {
                let name = format!("{}: Crew Test for a wide spread", self.battle.member(launch.by).name);
                crew_test(&self.battle.rules, &name, self.crew_quality(sea, launch.by)).roll(ask)?
            }
            _ => true,
        };
        let member = self.battle.member(launch.by);
        if passed && sea.vessel(launch.by).in_play() {
            self.empty_tubes(sea, &launch);
        } else {
            sea.running.remove(at);
        }
        ask.note(|| {
            let text = if passed {
                format!("{} launches", member.name)
            } else {
                format!("{} launches nothing; the tubes stay loaded", member.name)
            };
            Note::new("torpedo-launch", text).by(&[rule::C_38, rule::S9_1]).outcome(passed).pieces([&member.id])
        });
        if left > 1 {
            return Ok(Some(Stage::Launch { squadron, left: left - 1 }));
        }
        Ok(self.moved(sea, side))
    }

    /// The night identification test, made once for a ship and turn.
    fn identify(&self, sea: &mut Sea, by: VesselId, target: VesselId, ask: &mut impl Ask) -> Asked<bool> {
        if self.permitted(sea, by, target, false).aimed != Leave::CrewTest {
            return Ok(true);
        }
        if let Some((known, passed)) = sea.vessel(by).ledger.identified {
            return Ok(passed && known == target);
        }
        let name = format!("{}: Crew Test to identify her target", self.battle.member(by).name);
        let passed = crew_test(&self.battle.rules, &name, self.crew_quality(sea, by)).roll(ask)?;
        sea.vessel_mut(by).ledger.identified = Some((target, passed));
        Ok(passed)
    }

    fn empty_tubes(&self, sea: &mut Sea, launch: &Running) {
        let turn = sea.turn;
        let model = self.battle.model(launch.by);
        let reloads = model.torpedo.as_ref().is_some_and(|torpedo| RELOADED.contains(&torpedo.id.as_str()));
        let vessel = sea.vessel_mut(launch.by);
        vessel.ledger.launched = true;
        if model.hull == Hull::Boats {
            vessel.torpedoes = 0;
            return;
        }
        vessel.loaded &= !launch.mounts;
        if reloads && model.hull == Hull::Ship {
            let mounts = (0..32_u8).filter(|at| launch.mounts >> at & 1 == 1 && vessel.reloaded >> at & 1 == 0);
            vessel.reloads.extend(mounts.map(|at| (at, turn + RELOAD_TURNS)));
        }
    }
}

pub(in crate::game) struct TorpedoSheet<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub squadron: SquadronId,
}

impl TorpedoSheet<'_> {
    /// What a declaration means, if it is legal by itself.
    pub(in crate::game) fn read(&self, declared: &Declaration) -> Result<Shot, Refusal> {
        let (game, sea) = (self.game, self.sea);
        let shown = |id: &Id| id.as_str().chars().take(60).collect::<String>();
        let in_squadron = game.afloat(sea, self.squadron).find(|id| game.battle.member(*id).id == declared.ship);
        let Some(by) = in_squadron else {
            let names: Vec<&str> =
                game.may_launch(sea, self.squadron).map(|id| game.battle.member(id).id.as_str()).collect();
            return Err(Refusal::new("not-on-sheet", format!("'{}' launches nothing here.", shown(&declared.ship)))
                .by(rule::C_38)
                .remedy(format!("Torpedoes are with: {}.", names.join(", "))));
        };
        let name = &game.battle.member(by).name;
        let refuse = |code, text: String, rule| Err(Refusal::new(code, text).by(rule));
        if sea.vessel(by).mood != Mood::Steady {
            return refuse("morale-forbids", format!("{name} is shaken or broken and launches nothing."), rule::C_22);
        }
        if !game.may_launch(sea, self.squadron).any(|id| id == by) {
            return refuse("no-tubes-bear", format!("{name} has no loaded tubes that she may use."), rule::C_38);
        }
        let mounts = self.mounts(by, &declared.mounts)?;
        let Some(setting) = declared.setting.checked_sub(1).filter(|at| usize::from(*at) < game.settings(by).len())
        else {
            let most = game.settings(by).len();
            let text = format!("{name}: setting {} is not one of her torpedoes'; from 1 to {most}.", declared.setting);
            return refuse("out-of-range", text, rule::S9_7);
        };
        let at = self.aim_point(by, declared)?;
        let point = match at {
            AimPoint::Vessel(target) => game.point(sea, target),
            AimPoint::Point(place) => place.point(),
        };
        let band = game.band(game.reach(game.point(sea, by), point));
        let reach = game.settings(by).get(usize::from(setting)).map_or(0, |setting| setting.max_band);
        if band > reach {
            let text = format!("{name}: the range is band {band}; at this setting her torpedoes run {reach}.");
            return refuse("out-of-torpedo-range", text, rule::S9_7);
        }
        let leave = match at {
            AimPoint::Vessel(target) => game.aimed_leave(sea, by, target),
            AimPoint::Point(_) => game.spread_leave(sea, by, point),
        };
        if leave == Leave::Forbidden {
            let text = match at {
                AimPoint::Vessel(target) => {
                    format!("{name} does not see {} well enough to aim at her.", game.battle.member(target).name)
                }
                AimPoint::Point(_) => format!("{name} cannot see that far. Aim the spread at a point in sight."),
            };
            return refuse("not-visible", text, rule::S9_1);
        }
        if game.tubes_bearing(sea, by, point) & mounts != mounts {
            let text = format!("{name}: not all of these mounts bear.");
            return refuse("no-tubes-bear", text, rule::C_9);
        }
        Ok(Shot { by, mounts, mode: declared.mode, aim: Aim { at, setting }, leave })
    }

    /// The mounts of a declaration, if they are loaded.
    fn mounts(&self, by: VesselId, numbers: &[u8]) -> Result<u32, Refusal> {
        let loaded = self.game.tubes(self.sea, by);
        let name = &self.game.battle.member(by).name;
        let refuse = |text: String| Err(Refusal::new("no-tubes-bear", text).by(rule::C_38));
        if self.game.battle.model(by).hull == Hull::Boats {
            return if numbers.is_empty() { Ok(loaded) } else { refuse(format!("{name} launch everything at once.")) };
        }
        let mut mounts = 0_u32;
        for number in numbers {
            let bit = number.checked_sub(1).and_then(|at| 1_u32.checked_shl(at.into())).unwrap_or(0);
            if loaded & bit == 0 {
                return refuse(format!("{name}: torpedo mount {number} is missing, lost or empty."));
            }
            if mounts & bit != 0 {
                return refuse(format!("{name}: torpedo mount {number} is named twice."));
            }
            mounts |= bit;
        }
        if mounts == 0 {
            return refuse(format!("{name}: name the mounts that launch."));
        }
        Ok(mounts)
    }

    fn aim_point(&self, by: VesselId, declared: &Declaration) -> Result<AimPoint, Refusal> {
        let game = self.game;
        let member = game.battle.member(by);
        let refuse = |code, text: String, rule| Err(Refusal::new(code, text).by(rule));
        match (declared.mode, &declared.target, declared.point) {
            (Mode::Aimed, Some(target), None) => {
                let known = game.enemies(self.sea, member.side).find(|id| game.battle.member(*id).id == *target);
                let Some(target) = known else {
                    let shown: String = target.as_str().chars().take(60).collect();
                    let text = format!("{}: '{shown}' is not an enemy ship in sight.", member.name);
                    return refuse("not-a-torpedo-target", text, rule::C_38);
                };
                check_size(game.battle.model(target).size())?;
                if game.battle.model(target).sheet.is_air_base() {
                    let text = format!("{} stands on land.", game.battle.member(target).name);
                    return refuse("not-a-torpedo-target", text, rule::R_4);
                }
                Ok(AimPoint::Vessel(target))
            }
            (Mode::WideSpread, None, Some(point)) => {
                if point.x.abs() > 1_000_000 || point.y.abs() > 1_000_000 {
                    return refuse(
                        "out-of-torpedo-range",
                        format!("{}: the point is off the chart.", member.name),
                        rule::C_38,
                    );
                }
                Ok(AimPoint::Point(Place { x: point.x, y: point.y }))
            }
            (Mode::Aimed, ..) => {
                let text = format!("{}: aimed torpedoes need a target and no point.", member.name);
                refuse("missing-field", text, rule::C_38)
            }
            (Mode::WideSpread, ..) => {
                let text = format!("{}: a wide spread needs a point and no target.", member.name);
                refuse("missing-field", text, rule::C_38)
            }
        }
    }
}

impl Decision for TorpedoSheet<'_> {
    type Value = Vec<Declaration>;

    fn seat(&self) -> Seat {
        self.game.battle.squad(self.squadron).side.into()
    }

    fn check(&self, value: &Vec<Declaration>) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        let mut shots: Vec<Shot> = Vec::with_capacity(value.len());
        for declared in value {
            let shot = match self.read(declared) {
                Ok(shot) => shot,
                Err(refusal) => {
                    reasons.push(refusal);
                    continue;
                }
            };
            let name = &self.game.battle.member(shot.by).name;
            if shots.iter().any(|other| other.by == shot.by && other.mounts & shot.mounts != 0) {
                let text = format!("{name}: a mount is named twice.");
                reasons.push(Refusal::new("no-tubes-bear", text).by(rule::C_38));
            }
            let tests = |shot: &Shot| shot.mode == Mode::Aimed && shot.leave == Leave::CrewTest;
            if shots
                .iter()
                .any(|other| other.by == shot.by && tests(other) && tests(&shot) && other.aim.at != shot.aim.at)
            {
                let text = format!("{name} can identify only one target in a turn.");
                reasons.push(Refusal::new("not-visible", text).by(rule::R_51));
            }
            shots.push(shot);
        }
        Refusal::all(reasons)
    }
}
