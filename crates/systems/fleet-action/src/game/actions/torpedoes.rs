//! Torpedoes arrive. [5.5, 9.7, C-9, R-29]

use crate::game::FleetGame;
use crate::game::harm::{Hits, Strikes};
use crate::game::state::*;
use crate::geometry::{Place, arc};
use crate::gunnery::Range;
use crate::rule;
use crate::torpedo::{Launch, Launcher, SMALLEST_TARGET, Spread, TorpedoTarget};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Note};

impl FleetGame {
    /// The next launch of a squadron is resolved: all its dice, then the hits wait.
    pub(super) fn torpedoes_arrive(&self, sea: &mut Sea, squadron: SquadronId, ask: &mut impl Ask) -> Asked<()> {
        let of = |running: &Running| self.battle.member(running.by).squadron == squadron;
        let Some(at) = sea.running.iter().position(of) else { return Ok(()) };
        let running = sea.running[at].clone();
        let hits = self.torpedo_hits(sea, &running, ask)?;
        sea.running.remove(at);
        if let Some(aim) = running.aim {
            let to = match aim.at {
                AimPoint::Vessel(target) => sea.vessel(target).at.at,
                AimPoint::Point(point) => point,
            };
            let (by, from, torpedoes) = (running.by, running.from.at, running.torpedoes);
            let hits = hits.iter().map(|(_, hits)| hits).sum();
            sea.arrived.push(Arrived { by, from, to, torpedoes, hits });
        }
        if running.hidden {
            sea.vessel_mut(running.by).seen = true;
        }
        let torpedo = self.battle.model(running.by).torpedo.as_ref();
        let (ip, cv) = torpedo.map_or((0, 0), |torpedo| (torpedo.ratings.ip, torpedo.ratings.cv));
        for (place, (on, left)) in hits.into_iter().filter(|(_, left)| *left > 0).enumerate() {
            let strikes = Strikes::Underwater(self.approach(sea, running.from.at, on));
            sea.pending.insert(place, Pending::Hits(Hits { on, left, ip, cv, pen: 0, multiple: 1, strikes }));
        }
        Ok(())
    }

    /// The vessels that the torpedoes may hit, with the hits of each.
    fn torpedo_hits(&self, sea: &mut Sea, running: &Running, ask: &mut impl Ask) -> Asked<Vec<(VesselId, i32)>> {
        let Some(aim) = running.aim else { return Ok(Vec::new()) };
        let targets = self.torpedo_targets(sea, running, aim.at);
        self.note_arrival(running, &aim, ask);
        if targets.is_empty() {
            ask.note(|| Note::new("torpedoes-miss", "The torpedoes find nothing").by(&[rule::C_9]));
            return Ok(Vec::new());
        }
        let dice = self.battle.rules.band(running.torpedoes);
        let mut hits = Vec::with_capacity(targets.len());
        for (place, &target) in targets.iter().enumerate() {
            // The dice are dealt one at a time, in rotation.
            let (count, place) = (targets.len() as i32, place as i32);
            let dealt = dice / count + i32::from(place < dice % count);
            hits.push((target, self.torpedo_dice(sea, running, target, dealt, ask)?));
        }
        for &target in &targets {
            sea.vessel_mut(target).ledger.shot_at = true;
            // A spread that strays among her own is no attack on them.
            if self.battle.member(target).side == self.battle.member(running.by).side {
                continue;
            }
            let (turn, squadron) = (sea.turn, self.battle.member(target).squadron);
            let squadron = sea.squadron_mut(squadron);
            if squadron.torpedoed_on != Some(turn) {
                squadron.torpedoed_by.clear();
            }
            squadron.torpedoed_on = Some(turn);
            if !squadron.torpedoed_by.contains(&running.by) {
                squadron.torpedoed_by.push(running.by);
            }
        }
        Ok(hits)
    }

    /// The target of an aimed launch, or the ships near the point of a wide spread, the nearest to the launch first.
    fn torpedo_targets(&self, sea: &Sea, running: &Running, at: AimPoint) -> Vec<VesselId> {
        let swims = |id: VesselId| {
            let vessel = sea.vessel(id);
            let model = self.battle.model(id);
            vessel.in_play()
                && vessel.level == Level::Surfaced
                && model.size() >= SMALLEST_TARGET
                && !model.sheet.is_air_base()
        };
        match at {
            AimPoint::Vessel(target) => [target].into_iter().filter(|target| swims(*target)).collect(),
            AimPoint::Point(point) => {
                let radius = i64::from(self.battle.rules.spreads.wide_spread_radius_mm);
                let near = |id: &VesselId| self.point(sea, *id).ceil_dist(point.point()) <= radius;
                let ships = sea.all().map(|(id, _)| id).filter(|id| swims(*id));
                let mut ships: Vec<VesselId> = ships.filter(near).collect();
                ships.sort_by_key(|id| (self.point(sea, *id).dist2(running.from.at.point()), *id));
                ships
            }
        }
    }

    /// From where a launch point sees a ship's hull.
    pub(in crate::game) fn approach(&self, sea: &Sea, from: Place, on: VesselId) -> Approach {
        match arc(sea.vessel(on).at, from.point()) {
            Arc::Bow => Approach::Bow,
            Arc::Stern => Approach::Stern,
            Arc::Port | Arc::Starboard => Approach::Beam,
        }
    }

    fn torpedo_dice(
        &self,
        sea: &Sea,
        running: &Running,
        target: VesselId,
        dice: i32,
        ask: &mut impl Ask,
    ) -> Asked<i32> {
        let Some(spread) = self.spread(sea, running, target) else { return Ok(0) };
        if dice < 1 {
            return Ok(0);
        }
        if spread.out_of_range() {
            ask.note(|| {
                let text = format!(
                    "{} is in range band {}: the torpedoes have run out",
                    self.battle.member(target).name,
                    spread.band
                );
                Note::new("torpedoes-miss", text).by(&[rule::S9_7])
            });
            return Ok(0);
        }
        let mut salvo = spread.salvo(&self.battle.rules);
        salvo.dice = dice;
        Ok(salvo.fire(ask)?.hits)
    }

    /// The launch as the rules of torpedoes see it, with the target where she is now.
    pub(in crate::game) fn spread(&self, sea: &Sea, running: &Running, target: VesselId) -> Option<Spread> {
        let aim = running.aim?;
        let torpedo = self.battle.model(running.by).torpedo.as_ref()?;
        let setting = torpedo.ratings.settings.get(usize::from(aim.setting))?;
        let launcher = sea.vessel(running.by);
        let (crew_quality, splash) =
            running.frozen.unwrap_or((self.crew_quality(sea, running.by), launcher.now.splash));
        let range_mm = self.reach(running.from.at.point(), self.point(sea, target));
        let model = self.battle.model(target);
        let launch = Launch {
            torpedoes: running.torpedoes,
            range: Range { range_mm: Some(range_mm), range_band: None },
            max_band: setting.max_band,
            mode: running.mode,
            setting_modifier: setting.modifier,
            shooter: Launcher { crew_quality, splash },
            target: TorpedoTarget {
                size: model.size(),
                arc: match self.approach(sea, running.from.at, target) {
                    Approach::Bow => Aspect::Bow,
                    Approach::Stern => Aspect::Stern,
                    Approach::Beam | Approach::Mine => Aspect::Beam,
                },
                motion: self.motion(sea, target),
                sv: sea.vessel(target).now.sv,
            },
        };
        launch.read(&self.battle.rules).ok()
    }

    fn note_arrival(&self, running: &Running, aim: &Aim, ask: &mut impl Ask) {
        ask.note(|| {
            let by = self.battle.member(running.by);
            let at = match aim.at {
                AimPoint::Vessel(target) => format!("aimed at {}", self.battle.member(target).name),
                AimPoint::Point(_) => "in a wide spread".to_owned(),
            };
            let count = match running.torpedoes {
                1 => "1 torpedo".to_owned(),
                count => format!("{count} torpedoes"),
            };
            let target = match aim.at {
                AimPoint::Vessel(target) => Some(&self.battle.member(target).id),
                AimPoint::Point(_) => None,
            };
            Note::new("torpedoes", format!("{count} of {}, {at}", by.name))
                .by(&[rule::S9_7, rule::R_54, rule::R_29])
                .pieces([&by.id])
                .on(target)
        });
    }
}
