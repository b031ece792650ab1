//! The luck meter: what the dice of a step gave a side, beside what they give on average.
//!
//! Harm is counted in thousandths of a victory point. Everything up to the number of criticals is exact: whether a
//! salvo hits, how many torpedoes and bombs do, what the saving throws spare, whether a wreck stays afloat. A critical
//! counts for what one of its CV costs on average, whatever it then strikes. [17.4]

use super::FleetGame;
use super::actions::{Action, Shot, ShotTest, Stage as Acting, budget};
use super::battle::Hull;
use super::deeps;
use super::deeps::mines::SWEPT_CLEAR;
use super::end::Stage as Ending;
use super::harm::{Hits, Strikes};
use super::state::{Pending, Phase, Sea, State, VesselId};
use super::thinking::fire::{BOAT, critical_weight};
use crate::hit::{Hit, Weapon, take_damage};
use crate::ship::{Condition, is_lost};
use crate::volley::CHANCE_PARTS;
use crate::words::*;
use flagplot_kernel::{Game, Luck, Side};
use flagplot_odds::{Dist, Exact, enumerate};

const POINT: i64 = 1000;
/// Added to every outcome, so that none is negative where means are taken.
const SHIFT: i64 = 1 << 40;
/// Aircraft for a point. [C-24]
const AIRCRAFT: i64 = 4;
/// Points for each point of cargo. [C-24]
const CARGO: i64 = 3;
/// What a fire costs a ship, in thousandths of her points. [section 15]
const FIRE: i64 = 20;

/// The mean of the harm that a distribution does.
fn mean<T: Eq + std::hash::Hash>(odds: &Dist<T>, harm: impl Fn(&T) -> i64) -> i64 {
    let sum = odds.expect(|outcome| u64::try_from(harm(outcome) + SHIFT).unwrap_or(0));
    let shifted: i64 = (sum.numerator() / sum.denominator()).try_into().unwrap_or(SHIFT);
    shifted - SHIFT
}

impl FleetGame {
    /// What the dice of one step gave each side.
    pub(super) fn luck_of(&self, before: &State, after: &State) -> [Luck; 2] {
        match before.sea.pending.first() {
            Some(Pending::Hits(hits)) => return self.hit_luck(before, after, hits),
            Some(Pending::Blast { cv, left, .. }) => return self.blast_luck(before, after, *cv, left),
            Some(Pending::Explosion { .. } | Pending::Sheer { .. }) => return Default::default(),
            None => {}
        }
        match &before.phase {
            Phase::Ships(_) => self.mine_luck(before, after),
            Phase::Actions(Acting::Carry { squadron, left }) => match left.first() {
                Some(Action::Shoot(shoot)) => {
                    let shot = self.read_shot(&before.sea, *squadron, shoot).ok();
                    shot.map_or_else(Default::default, |shot| self.shot_luck(before, after, &shot))
                }
                Some(Action::Light(_) | Action::AntiAir(_) | Action::Deep(deeps::Act::DepthCharge(_))) => {
                    self.dice_luck(before, after)
                }
                _ => Default::default(),
            },
            Phase::Actions(Acting::Torpedoes(_) | Acting::Air { .. })
            | Phase::End(Ending::Control { .. } | Ending::Burning { .. } | Ending::Fuel { .. }) => {
                self.dice_luck(before, after)
            }
            _ => Default::default(),
        }
    }

    /// Harm to the enemy of a vessel's side.
    fn gain(&self, on: VesselId, expected: i64, real: i64) -> [Luck; 2] {
        let mut luck = [Luck::default(); 2];
        luck[self.battle.member(on).side.other().index()] = Luck { expected, real };
        luck
    }

    /// A step whose every outcome can be walked: the same rules with every face of its dice.
    fn dice_luck(&self, before: &State, after: &State) -> [Luck; 2] {
        let start = self.harm_done(&before.sea);
        let grown = |state: &State| {
            let [first, second] = self.harm_done(&state.sea);
            [first - start[0], second - start[1]]
        };
        let odds = enumerate::<_, Exact>(budget(), |ask| {
            let mut state = before.clone();
            self.step(&mut state, ask)?;
            Ok(grown(&state))
        });
        let Ok(odds) = odds else { return Default::default() };
        if odds.len() < 2 {
            return Default::default();
        }
        let real = grown(after);
        [0, 1].map(|side| Luck { expected: mean(&odds, |harm| harm[side]), real: real[side] })
    }

    /// What each side has done to the other so far: ships, cargo, small craft, aircraft, and hits still to be resolved.
    fn harm_done(&self, sea: &Sea) -> [i64; 2] {
        let mut harm = [0; 2];
        for (id, vessel) in sea.all() {
            let member = self.battle.member(id);
            let boats = member.model.hull == Hull::Boats;
            harm[member.side.other().index()] +=
                if boats { BOAT * i64::from(member.vessels - vessel.vessels) } else { self.worn(id, &vessel.now) };
        }
        for side in Side::BOTH {
            harm[side.index()] += i64::from(self.aircraft_lost(sea, side.other())) * POINT / AIRCRAFT;
        }
        for pending in &sea.pending {
            if let Pending::Hits(hits) = pending {
                let each = self.damage_of(sea, hits.on, hits);
                harm[self.battle.member(hits.on).side.other().index()] += i64::from(hits.left) * each;
            }
        }
        harm
    }

    /// What a ship has lost of her points. [section 15]
    fn worn(&self, id: VesselId, now: &Condition) -> i64 {
        let model = self.battle.model(id);
        let sheet = &model.sheet;
        let worth = i64::from(model.vp) * POINT;
        let cargo = sheet.cargo.filter(|_| now.cargo_destroyed || !now.afloat());
        let cargo = cargo.map_or(0, |cargo| CARGO * i64::from(cargo.points) * POINT);
        if !now.afloat() {
            return worth + cargo;
        }
        let share = |weight: i64, now: i32, most: i32| weight * i64::from(most - now) / i64::from(most.max(1));
        let guns = |lost: u64| {
            let mounts = sheet.main.iter().enumerate().filter(|(at, _)| !is_lost(lost, *at));
            mounts.map(|(_, mount)| mount.guns).sum::<i32>()
        };
        let lost = share(500, now.f, sheet.f_max)
            + share(250, now.s, sheet.s_max)
            + share(250, guns(now.main_lost), guns(0))
            + FIRE * i64::from(now.fires);
        worth * lost.min(1000) / 1000 + cargo
    }

    /// What the damage of one of some hits costs, its Wreck Test and criticals apart.
    fn damage_of(&self, sea: &Sea, on: VesselId, hits: &Hits) -> i64 {
        if self.battle.model(on).hull == Hull::Boats {
            return BOAT / 2;
        }
        let sides = directions(hits.strikes);
        let all: i64 = sides.iter().map(|side| self.damage(sea, on, &weapon(hits, *side))).sum();
        all / sides.len() as i64
    }

    fn damage(&self, sea: &Sea, on: VesselId, weapon: &Weapon) -> i64 {
        let sheet = self.sheet_at(sea, on);
        let mut ship = sea.vessel(on).now;
        let before = self.worn(on, &ship);
        let (points, _) = Hit { rules: &self.battle.rules, sheet: &sheet, weapon: *weapon }.cost();
        take_damage(&sheet, &mut ship, weapon.direction, points);
        self.worn(on, &ship) - before
    }

    /// What a hit costs on average, with its Wreck Test and the number of its criticals.
    fn strike_mean(&self, sea: &Sea, on: VesselId, weapon: &Weapon) -> i64 {
        let sheet = self.sheet_at(sea, on);
        let (ship, _) = self.as_today(sea, on);
        let hit = Hit { rules: &self.battle.rules, sheet: &sheet, weapon: *weapon };
        let odds = enumerate::<_, Exact>(budget(), |ask| {
            let mut striking = hit.begin(ship);
            hit.strike(&mut striking, ask)?;
            Ok((striking.ship.afloat(), striking.criticals))
        });
        odds.map_or(0, |odds| mean(&odds, |&(afloat, criticals)| self.struck(sea, on, weapon, afloat, criticals)))
    }

    /// What a hit has cost: everything if its Wreck Test failed, else its damage and its criticals.
    fn struck(&self, sea: &Sea, on: VesselId, weapon: &Weapon, afloat: bool, criticals: i32) -> i64 {
        if !afloat {
            let lost = Condition { status: Status::Wreck, ..sea.vessel(on).now };
            return self.worn(on, &lost) - self.worn(on, &sea.vessel(on).now);
        }
        let sheet = self.sheet_at(sea, on);
        let (_, through) = Hit { rules: &self.battle.rules, sheet: &sheet, weapon: *weapon }.cost();
        self.damage(sea, on, weapon) + i64::from(criticals) * self.critical(on, weapon.cv, through)
    }

    fn critical(&self, on: VesselId, cv: i32, through: bool) -> i64 {
        i64::from(self.battle.model(on).vp) * critical_weight(cv, through) / 8
    }

    /// What a hit really cost, from what it left: without a critical only its Wreck Test can have cost the ship.
    fn struck_in(&self, before: &Sea, after: &Sea, on: VesselId, weapon: &Weapon) -> i64 {
        let criticals = new_criticals(before, after, on);
        let afloat = after.vessel(on).now.afloat() || criticals > 0;
        self.struck(before, on, weapon, afloat, criticals)
    }

    /// One salvo. [5.2, 5.3]
    fn shot_luck(&self, before: &State, after: &State, shot: &Shot<'_>) -> [Luck; 2] {
        let (sea, target) = (&before.sea, shot.bearing.target);
        if self.battle.model(target).hull == Hull::Boats {
            return self.dice_luck(before, after);
        }
        let test = match shot.test {
            ShotTest::None => 10,
            _ => self.crew_test_tenths(sea, shot.bearing.shooter),
        };
        let by = self.battle.member(shot.bearing.shooter);
        let faulty = by.placed.as_ref().and_then(|placed| placed.faulty_main);
        let faulty = i64::from(faulty.filter(|_| shot.battery.group == GunGroup::Main).unwrap_or(0).clamp(0, 10));
        // All guns, or half of them where the battery fails in part: tenths, chance and shell of each.
        let ways = [(10 - faulty, shot.guns), (faulty, (shot.guns / 2).max(1))];
        let ways = ways.into_iter().filter(|(tenths, _)| *tenths > 0).map(|(tenths, guns)| {
            let chance = self.gun_chance(sea, &shot.bearing, shot.battery, guns, shot.control);
            (tenths * chance, self.shell(&shot.bearing, shot.battery, guns))
        });
        let ways: Vec<(i64, Weapon)> = ways.collect();
        let parts: i64 = ways.iter().map(|(chance, _)| chance).sum();
        if parts == 0 {
            return Default::default();
        }
        let mean: i64 = ways.iter().map(|(chance, shell)| chance * self.strike_mean(sea, target, shell)).sum();
        let expected = mean * test / (100 * CHANCE_PARTS);
        // A hit leaves a splash marker. [C-54]
        let (then, now) = (sea.vessel(target), after.sea.vessel(target));
        let hit = now.now.splash > then.now.splash;
        let each = |(chance, shell): &(i64, Weapon)| chance * self.struck_in(sea, &after.sea, target, shell);
        let real = if hit { ways.iter().map(each).sum::<i64>() / parts } else { 0 };
        self.gain(target, expected, real)
    }

    /// The Wreck Test and the criticals of a torpedo, bomb or rocket that has hit.
    fn hit_luck(&self, before: &State, after: &State, hits: &Hits) -> [Luck; 2] {
        let (sea, on) = (&before.sea, hits.on);
        if !sea.vessel(on).in_play() {
            return Default::default();
        }
        if self.battle.model(on).hull == Hull::Boats {
            return self.dice_luck(before, after);
        }
        let sides = directions(hits.strikes);
        let (mut expected, mut real) = (0, 0);
        for side in sides {
            let weapon = weapon(hits, *side);
            let certain = self.damage(sea, on, &weapon);
            expected += self.strike_mean(sea, on, &weapon) - certain;
            real += self.struck_in(sea, &after.sea, on, &weapon) - certain;
        }
        let count = sides.len() as i64;
        self.gain(on, expected / count, real / count)
    }

    /// An explosion reaches the next ship. [C-18]
    fn blast_luck(&self, before: &State, after: &State, cv: i32, left: &[VesselId]) -> [Luck; 2] {
        let Some(&on) = left.first() else { return Default::default() };
        if !before.sea.vessel(on).in_play() || self.battle.model(on).hull == Hull::Boats {
            return Default::default();
        }
        let each = self.critical(on, cv, false);
        let expected = each * i64::from(cv.clamp(0, 20)) / 20;
        self.gain(on, expected, each * i64::from(new_criticals(&before.sea, &after.sea, on)))
    }

    /// The fields that a ship has entered on her way. [C-31]
    fn mine_luck(&self, before: &State, after: &State) -> [Luck; 2] {
        let sea = &before.sea;
        if sea.fields.iter().all(|field| field.density.is_none()) {
            return Default::default();
        }
        let moved = after.sea.all().find(|(id, vessel)| vessel.wake != sea.vessel(*id).wake && vessel.wake.len() > 1);
        let Some((id, vessel)) = moved else { return Default::default() };
        let run: i64 = vessel.wake.windows(2).map(|leg| leg[0].ceil_dist(leg[1])).sum();
        let speed = (run / i64::from(self.battle.rules.scale.mm_per_knot.max(1))) as i32;
        let weapon = self.mine(Column::Midships);
        let boats = self.battle.model(id).hull == Hull::Boats;
        let each = if boats { BOAT } else { self.strike_mean(sea, id, &weapon) };
        let (mut expected, mut strikes) = (0, 0);
        for number in self.fields_met(sea, &vessel.wake) {
            let (then, now) = (&sea.fields[number], &after.sea.fields[number]);
            let Some(density) = then.density else { continue };
            let (sweeps, transit) = self.transit(id, speed, density);
            let exposed = if sweeps { i64::from((SWEPT_CLEAR - self.crew_quality(sea, id)).clamp(0, 10)) } else { 10 };
            expected += each * transit.aim(&self.battle.rules).chance() * exposed / (10 * CHANCE_PARTS);
            strikes += i64::from(now.density != then.density);
        }
        if expected == 0 {
            return Default::default();
        }
        let hurt = vessel.now.f < sea.vessel(id).now.f || !vessel.now.afloat();
        let real = match (boats, hurt) {
            (true, _) => BOAT * i64::from(sea.vessel(id).vessels - vessel.vessels),
            // Further strikes cost their damage again.
            (false, true) => {
                let more = (strikes - 1).max(0) * self.damage(sea, id, &weapon);
                self.struck_in(sea, &after.sea, id, &weapon) + more
            }
            (false, false) => 0,
        };
        self.gain(id, expected, real)
    }
}

/// Criticals that have struck a ship between two checkpoints.
fn new_criticals(before: &Sea, after: &Sea, on: VesselId) -> i32 {
    (after.vessel(on).ledger.criticals - before.vessel(on).ledger.criticals).max(0)
}

/// The directions from which a hit may come, each as likely.
fn directions(strikes: Strikes) -> &'static [Direction] {
    match strikes {
        Strikes::Vertical => &[Direction::Vertical],
        Strikes::Horizontal => &[Direction::Horizontal],
        Strikes::Either => &[Direction::Vertical, Direction::Horizontal],
        Strikes::Underwater(_) => &[Direction::Underwater],
    }
}

fn weapon(hits: &Hits, direction: Direction) -> Weapon {
    let Hits { ip, cv, pen, multiple, .. } = *hits;
    Weapon { ip, cv, pen, multiple, direction, column: Column::Midships }
}
