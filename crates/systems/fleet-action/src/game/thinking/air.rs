//! What aircraft are worth, and the instinct for their questions. [17.8]

use super::fire::BOAT;
use crate::game::FleetGame;
use crate::game::air::{Act, Battery, Cover, Doing, FlakSheet, FlightEntry, FlightSheet, Guard, Pairing, Pounce};
use crate::game::battle::Hull;
use crate::game::harm::Strikes;
use crate::game::state::{Aloft, Mission, Sea, Stand, StandId, VesselId};
use crate::hit::Weapon;
use crate::volley::{CHANCE_PARTS, Salvo};
use crate::words::*;
use flagplot_kernel::Side;
use flagplot_kernel::plane::Point;

/// What an aircraft counts for. [C-24]
const AIRCRAFT: i64 = 250;
/// How much more a flight deck counts than her points, in per cent: aircraft and bonuses hang on it.
const DECK_PER_CENT: i64 = 150;
/// What it is worth to get a stand with its load into the air, and one of fighters.
const LAUNCH: i64 = 1500;
const LAUNCH_FIGHTERS: i64 = 800;
/// What it is worth to get a stand down to arm it.
const LAND: i64 = 600;

/// What a volley can be expected to do, in thousandths: failed saves, or hits where there are none.
fn expected(salvo: &Salvo<'_>, needed: i32) -> i64 {
    let hits = i64::from(salvo.dice) * salvo.aim.chance() * 1000 / CHANCE_PARTS;
    match &salvo.saves {
        None => hits,
        Some(saves) => {
            let fails = i64::from((needed - 1 - saves.modifiers.total()).clamp(0, 10));
            let most = saves.lives.map_or(i64::MAX, |lives| i64::from(lives) * 1000);
            (hits * fails / 10).min(most)
        }
    }
}

impl FleetGame {
    fn save_needed(&self) -> i32 {
        self.battle.rules.needs.test_pass_d10
    }

    /// What the load of a stand can be expected to do to a vessel: thousandths of a victory point.
    pub(in crate::game) fn load_worth(&self, sea: &Sea, id: StandId, target: VesselId) -> i64 {
        if !sea.stand(id).loaded {
            return 0;
        }
        let Some(attack) = self.air_attack(sea, id, target).filter(|attack| attack.check().is_ok()) else { return 0 };
        let Some((ip, cv, pen, strikes)) = self.load_hit(sea, id, target) else { return 0 };
        let hits = expected(&attack.salvo(&self.battle.rules), self.save_needed());
        let model = self.battle.model(target);
        if model.hull == Hull::Boats {
            let fails = i64::from((self.save_needed() - 1 - model.save_modifier + ip).clamp(0, 10));
            return hits * BOAT * fails / 10_000;
        }
        let direction = match strikes {
            Strikes::Vertical => Direction::Vertical,
            Strikes::Horizontal | Strikes::Either => Direction::Horizontal,
            Strikes::Underwater(_) => Direction::Underwater,
        };
        let weapon = Weapon { ip, cv, pen, multiple: 1, direction, column: Column::Midships };
        let worth = hits * self.hit_value(sea, target, &weapon) / 1000;
        if self.flies_aircraft(target) { worth * DECK_PER_CENT / 100 } else { worth }
    }

    /// What the guns of a stand can be expected to do to a vessel.
    pub(in crate::game) fn guns_worth(&self, sea: &Sea, id: StandId, target: VesselId) -> i64 {
        let Some(attack) = self.gun_attack(sea, id, target) else { return 0 };
        let failed = expected(&attack.salvo(&self.battle.rules), self.save_needed());
        let model = self.battle.model(target);
        let each = match model.hull {
            Hull::Boats => BOAT,
            _ => 350 * i64::from(model.vp) / i64::from(model.sheet.s_max.max(1)),
        };
        failed * each / 1000
    }

    /// What the declared attack of a stand can be expected to bring.
    pub(in crate::game) fn mission_worth(&self, sea: &Sea, id: StandId) -> i64 {
        match sea.stand(id).mission {
            Mission::Attack(target) => self.load_worth(sea, id, target),
            Mission::Strafe(target) => self.guns_worth(sea, id, target),
            Mission::Intercept(other) => AIRCRAFT + self.mission_worth_once(sea, other) / 2,
            _ => 0,
        }
    }

    /// The same for a stand that attacks a ship; 0 for everything else.
    fn mission_worth_once(&self, sea: &Sea, id: StandId) -> i64 {
        match sea.stand(id).mission {
            Mission::Attack(target) => self.load_worth(sea, id, target),
            Mission::Strafe(target) => self.guns_worth(sea, id, target),
            _ => 0,
        }
    }

    /// What an action of a stand or a deck is worth.
    pub(in crate::game) fn air_worth(&self, sea: &Sea, id: StandId, act: &Act) -> i64 {
        match act {
            Act::Attack(_) => self.mission_worth(sea, id).max(1),
            Act::Launch(_) if sea.stand(id).loaded => LAUNCH,
            Act::Launch(_) => LAUNCH_FIGHTERS,
            // Never arm while an enemy stand can arrive; fighters have nothing to arm that is worth the danger.
            Act::Land(_) => {
                let flight = self.battle.flight(id);
                let deck = self.can_land(sea, id).ok().map(|(deck, _)| deck);
                let threat = deck.is_some_and(|deck| self.threatened(sea, flight.side, deck));
                if threat || (flight.attack.is_none() && !matches!(sea.stand(id).aloft, Aloft::Landing { .. })) {
                    return 0;
                }
                LAND
            }
        }
    }

    /// Whether an enemy stand with its load can be over a ship next turn.
    fn threatened(&self, sea: &Sea, side: Side, ship: VesselId) -> bool {
        let at = self.point(sea, ship);
        sea.all_stands().any(|(id, stand)| {
            let flight = self.battle.flight(id);
            let reach = i64::from(flight.aircraft.ratings.move_cm) * 10;
            let comes = match stand.aloft {
                Aloft::Airborne => stand.at.point().dist2(at) <= reach * reach,
                Aloft::Awaited => flight.placed.arrives <= sea.turn + 1,
                _ => false,
            };
            flight.side != side && stand.loaded && stand.aircraft > 0 && comes
        })
    }

    /// Aircraft that flak at a ship can be expected to cost a stand, in thousandths.
    pub(in crate::game) fn flak_losses(&self, sea: &Sea, id: StandId, target: VesselId) -> i64 {
        let hit_points = self.battle.flight(id).aircraft.ratings.hit_points;
        let fails = i64::from((self.save_needed() - 1 - self.battle.rules.hit_points(hit_points)).clamp(0, 10));
        let needed = self.battle.rules.needs.aa_fire;
        let batteries = self.flak_at(sea, self.point(sea, target), target);
        let each = |battery: &Battery| {
            let faces = i64::from((21 - needed + sea.vessel(battery.ship).now.crew_quality).clamp(0, 20));
            i64::from(battery.factors) * faces * fails * 5
        };
        batteries.iter().map(each).sum::<i64>().min(i64::from(sea.stand(id).aircraft) * 1000)
    }

    /// What fire at a stand that attacks nothing can be expected to bring; nothing while others are about to attack,
    /// because the guns are wanted then.
    pub(in crate::game) fn anti_air_value(&self, sea: &Sea, ship: VesselId, flak: Flak, stand: StandId) -> i64 {
        let side = self.battle.member(ship).side;
        let attacks = |(id, one): (StandId, &Stand)| {
            self.battle.flight(id).side != side && one.flies() && !one.acted && self.raided(sea, id).is_some()
        };
        if sea.all_stands().any(attacks) {
            return 0;
        }
        let Ok(volley) = self.anti_air(sea, ship, flak, stand, None) else { return 0 };
        let salvo = self.volley(sea, stand, volley).salvo(&self.battle.rules);
        expected(&salvo, self.save_needed()) * AIRCRAFT / 1000
    }

    /// How good a target is for a stand: what it can be expected to bring for each aircraft lost.
    fn target_score(&self, sea: &Sea, id: StandId, target: VesselId) -> i64 {
        let worth = self.load_worth(sea, id, target).max(self.guns_worth(sea, id, target));
        worth * 1000 / (1000 + self.flak_losses(sea, id, target))
    }

    /// The way home: to a deck that can take it, or off the table.
    pub(in crate::game) fn homeward(&self, sheet: &FlightSheet<'_>, stand: StandId) -> FlightEntry {
        let sea = sheet.sea;
        let mut entry = sheet.blank(stand);
        let own = sea.stand(stand).home.filter(|home| sea.vessel(*home).in_play());
        let side = self.battle.flight(stand).side;
        let able = |deck: &VesselId| sea.vessel(*deck).now.h > 0 && sea.vessel(*deck).now.s > 0;
        let deck = own.filter(able).or_else(|| own.and_then(|_| self.decks(sea, side).find(able))).or(own);
        match deck {
            Some(deck) => {
                let from = sheet.from(stand, &entry);
                entry.to = Some(sheet.as_far(stand, from, self.point(sea, deck)).0);
            }
            None => entry.doing = Some(Doing::Leave),
        }
        entry
    }

    /// The entry with which a stand attacks a ship, or comes nearer to it.
    fn onto(&self, sheet: &FlightSheet<'_>, stand: StandId, target: VesselId) -> FlightEntry {
        let sea = sheet.sea;
        let heading = sea.vessel(target).at.heading;
        let goal = self.point(sea, target);
        // From abeam, where torpedoes run best; whichever side is nearer.
        let bearings = [90, 270, 0, 180].map(|turn| heading.turned(turn).degrees());
        let ways = bearings.iter().map(|bearing| sheet.toward(stand, target, *bearing));
        let nearest = ways.min_by_key(|(entry, there)| (!there, sheet.from(stand, entry).dist2(goal)));
        let Some((mut entry, there)) = nearest else { return sheet.blank(stand) };
        if there {
            // A stand that comes from a bearing of its own choice drops on that side of the ship.
            let from = sheet.from(stand, &entry);
            entry.to = Some(abeam(from, goal, i64::from(self.battle.rules.reach.aircraft_contact) - 5));
            let id = self.battle.member(target).id.clone();
            let loaded = self.load_worth(sea, stand, target) > 0;
            entry.doing = Some(if loaded { Doing::Attack(id) } else { Doing::Strafe(id) });
        }
        if sheet.legal(&entry).is_err() {
            entry.doing = None;
        }
        entry
    }

    /// What a sensible player lets a squadron fly. [17.8]
    pub(in crate::game) fn flight_instinct(&self, sheet: &FlightSheet<'_>) -> Vec<FlightEntry> {
        let sea = sheet.sea;
        let targets = sheet.targets();
        let stands: Vec<StandId> = sheet.stands().collect();
        let armed: Vec<StandId> =
            stands.iter().copied().filter(|id| sea.stand(*id).loaded || !self.fights(sea, *id)).collect();
        // All together at the ship that is worth most.
        let score = |target: &VesselId| armed.iter().map(|id| self.target_score(sea, *id, *target)).sum::<i64>();
        let best = targets.iter().copied().map(|target| (score(&target), target)).max_by_key(|(score, _)| *score);
        let best = best.filter(|(score, _)| *score > 0).map(|(_, target)| target);
        let mut entries: Vec<FlightEntry> = Vec::with_capacity(stands.len());
        let mut led: Option<(StandId, Point)> = None;
        for id in &armed {
            let entry = match best {
                Some(target) if self.target_score(sea, *id, target) > 0 => self.onto(sheet, *id, target),
                _ => match targets.iter().copied().max_by_key(|target| self.target_score(sea, *id, *target)) {
                    Some(target) if self.target_score(sea, *id, target) > 0 => self.onto(sheet, *id, target),
                    _ => self.homeward(sheet, *id),
                },
            };
            if sea.stand(*id).loaded && led.is_none() {
                let to = entry.to.unwrap_or_else(|| sheet.from(*id, &entry));
                led = Some((*id, to));
            }
            entries.push(entry);
        }
        for id in stands.iter().filter(|id| !armed.contains(id)) {
            entries.push(self.fighter_instinct(sheet, *id, led));
        }
        entries
    }

    /// Whether a stand fights other aircraft now.
    fn fights(&self, sea: &Sea, id: StandId) -> bool {
        self.fighters(sea, id).factor(Encounter::Intercept) > 0
    }

    /// Fighters meet attackers, else they escort, else they patrol over what is worth most.
    fn fighter_instinct(&self, sheet: &FlightSheet<'_>, id: StandId, led: Option<(StandId, Point)>) -> FlightEntry {
        let sea = sheet.sea;
        let side = self.battle.flight(id).side;
        let mut entry = sheet.blank(id);
        let from = sheet.from(id, &entry);
        let attackers = sea.all_stands().filter(|(other, stand)| {
            self.battle.flight(*other).side != side && stand.flies() && self.raided(sea, *other).is_some()
        });
        let worst = attackers
            .map(|(other, _)| (self.mission_worth(sea, other), other))
            .filter(|(_, other)| sheet.as_far(id, from, self.stand_point(sea, *other)).1)
            .max_by_key(|(worth, _)| *worth);
        if let Some((_, other)) = worst {
            entry.to = Some(self.stand_point(sea, other));
            entry.doing = Some(Doing::Intercept(self.battle.flight(other).id.clone()));
            return entry;
        }
        if let Some((stand, at)) = led {
            let (to, there) = sheet.as_far(id, from, at);
            let guarded = self.most_precious(sea, side).is_some_and(|ship| self.threatened(sea, side, ship));
            if there && !guarded {
                entry.to = Some(to);
                entry.doing = Some(Doing::Escort(self.battle.flight(stand).id.clone()));
                return entry;
            }
        }
        if let Some(ship) = self.most_precious(sea, side) {
            entry.to = Some(sheet.as_far(id, from, self.point(sea, ship)).0);
            entry.doing = Some(Doing::Patrol);
        }
        entry
    }

    /// The ship of a side that is worth guarding most: a flight deck, else the greatest.
    fn most_precious(&self, sea: &Sea, side: Side) -> Option<VesselId> {
        let own = sea.all().filter(|(id, vessel)| vessel.in_play() && self.battle.member(*id).side == side);
        own.max_by_key(|(id, _)| (self.flies_aircraft(*id), self.battle.model(*id).vp)).map(|(id, _)| id)
    }

    /// Each escort takes the strongest enemy that fewest fight already.
    pub(in crate::game) fn cover_instinct(&self, cover: &Cover<'_>) -> Vec<Pairing> {
        let mut pairs: Vec<(StandId, StandId)> = Vec::new();
        for escort in &cover.escorts {
            let taken = |enemy: &StandId| pairs.iter().filter(|(_, other)| other == enemy).count();
            let strength = |enemy: &StandId| {
                self.fighters(cover.sea, *enemy).factor(Encounter::Intercept) * cover.sea.stand(*enemy).aircraft
            };
            let best = cover.enemies.iter().copied().min_by_key(|enemy| (taken(enemy), -strength(enemy)));
            pairs.extend(best.map(|enemy| (*escort, enemy)));
        }
        pairs.into_iter().map(|(escort, enemy)| cover.pair(escort, enemy)).collect()
    }

    /// Whether another attack on the same side is still to come that is worth much more than this one.
    fn worse_to_come(&self, sea: &Sea, stand: StandId, reaches: impl Fn(StandId) -> bool) -> bool {
        let side = self.battle.flight(stand).side;
        let now = self.mission_worth(sea, stand);
        sea.all_stands().any(|(other, one)| {
            other != stand
                && self.battle.flight(other).side == side
                && one.flies()
                && !one.acted
                && self.raided(sea, other).is_some()
                && reaches(other)
                && self.mission_worth(sea, other) > now * 3 / 2
        })
    }

    /// Fighters attack what comes, unless something much worse is on its way to them.
    pub(in crate::game) fn pounce_instinct(&self, pounce: &Pounce<'_>) -> Vec<StandId> {
        let sea = pounce.sea;
        let waits = |fighter: &StandId| {
            self.worse_to_come(sea, pounce.stand, |other| self.interceptors(sea, other).contains(fighter))
        };
        pounce.fighters.iter().copied().filter(|fighter| !waits(fighter)).collect()
    }

    /// The ship under attack fires all she has, others their long guns, unless something much worse is coming.
    pub(in crate::game) fn guard_instinct(&self, guard: &Guard<'_>) -> FlakSheet {
        let sea = guard.sea;
        guard.sheet(|battery| {
            let reaches = |other: StandId| {
                let target = self.raided(sea, other);
                target.is_some_and(|target| {
                    let against = self.flak_at(sea, self.stand_point(sea, other), target);
                    against.iter().any(|one| one.ship == battery.ship && one.flak == battery.flak)
                })
            };
            if self.worse_to_come(sea, guard.stand, reaches) { 0 } else { battery.factors }
        })
    }
}

/// The point short of a goal, on the way to it.
fn abeam(from: Point, goal: Point, short: i64) -> Point {
    let far = from.ceil_dist(goal).max(1);
    if far <= short { from } else { goal + (from - goal).scale(short, far) }
}
