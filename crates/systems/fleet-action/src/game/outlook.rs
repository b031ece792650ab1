//! What the position holds for a player: the fire to be expected, how it changes with the range, the tests that are
//! near, and what is known before a turn, a contact or a minefield. Everything is exact and from the view.

use super::actions::budget;
use super::actions::guns::Bearing;
use super::battle::{Hull, side};
use super::moving::contact::{ContactMove, Formation, MoveContact};
use super::state::{Holds, MarkerId, Phase, Sea, SquadronId, VesselId};
use super::{FleetGame, View, moving};
use crate::initiative;
use crate::morale::{self, Decline};
use crate::rules::RANGE_BANDS;
use crate::ship_tests::{MagazineTest, Sinking, WreckCause};
use crate::sight::{Line, Sight};
use crate::volley::{CHANCE_PARTS, percent};
use crate::words::*;
use flagplot_kernel::{Curve, Curves, Insight, Seat, Side, Silent};
use flagplot_odds::{Exact, Fraction, enumerate};
use serde_json::Value;

/// So many enemies stand side by side in a table.
const MOST_COLUMNS: usize = 6;
/// So many ships of a squadron have curves.
const MOST_CURVES: usize = 4;

/// Thousandths of a point with one decimal.
fn points(thousandths: i64) -> String {
    super::actions::screens::points(thousandths)
}

impl FleetGame {
    /// Every battery and the light guns of a squadron at every enemy: chance to hit and expected points. [17.4, 18.8]
    pub(in crate::game) fn fire_table(&self, sea: &Sea, squadron: SquadronId, title: &str) -> Option<Insight> {
        let side = self.battle.squad(squadron).side;
        let mut enemies: Vec<VesselId> = self.enemies(sea, side).collect();
        let middle = self.afloat(sea, squadron).next()?;
        enemies.sort_by_key(|enemy| self.range(sea, middle, *enemy));
        enemies.truncate(MOST_COLUMNS);
        let mut rows = Vec::new();
        for ship in self.afloat(sea, squadron) {
            let (member, vessel) = (self.battle.member(ship), sea.vessel(ship));
            let directed = vessel.now.fc > 0 && vessel.now.s > 0 && !member.model.amc;
            let control = if directed { Control::Directed } else { Control::Local };
            for battery in &member.model.batteries {
                let cells = enemies.iter().map(|enemy| {
                    let bearing = self.bearing(sea, ship, *enemy);
                    let mounts = self.bearing_mounts(ship, battery, self.sound_mounts(vessel, battery), bearing.arc);
                    let guns = self.guns_in(ship, battery, mounts);
                    let boats = self.battle.model(*enemy).hull == Hull::Boats;
                    let control = if boats { Control::Local } else { control };
                    match self.battery_value(sea, &bearing, battery, guns, control) {
                        0 => None,
                        value => Some((self.gun_chance(sea, &bearing, battery, guns, control), value)),
                    }
                });
                rows.push((format!("{}, {}", member.name, battery.name), cells.collect::<Vec<_>>()));
            }
            for weapon in [LightGuns::Mrf, LightGuns::Crf] {
                let cells = enemies.iter().map(|enemy| {
                    let fire = self.light_fire(sea, ship, *enemy, weapon, None).ok()?;
                    let chance = fire.salvo(&self.battle.rules).aim.chance();
                    Some((chance, self.light_value(sea, ship, weapon, *enemy)))
                });
                rows.push((format!("{}, {}", member.name, weapon.word().to_uppercase()), cells.collect()));
            }
        }
        rows.retain(|(_, cells)| cells.iter().any(Option::is_some));
        if rows.is_empty() {
            return None;
        }
        let names = enemies.iter().map(|enemy| self.battle.member(*enemy).name.clone());
        let mut insight = Insight::exact(title).row(std::iter::once(String::new()).chain(names).collect());
        for (name, cells) in rows {
            let cells = cells.into_iter().map(|cell| {
                cell.map_or_else(|| "–".to_owned(), |(chance, value)| format!("{}, {}", percent(chance), points(value)))
            });
            insight = insight.row(std::iter::once(name).chain(cells).collect());
        }
        Some(insight.line("Chance to hit, and the victory points that the fire is worth on average."))
    }

    /// What the guns of two ships are worth against each other in each range band, broadside to broadside. [section 15]
    pub(in crate::game) fn range_curves(&self, sea: &Sea, squadron: SquadronId) -> Vec<Insight> {
        let side = self.battle.squad(squadron).side;
        let mut insights = Vec::new();
        for ship in self.afloat(sea, squadron).take(MOST_CURVES) {
            let Some(enemy) = self.enemies(sea, side).min_by_key(|enemy| self.range(sea, ship, *enemy)) else { break };
            let (own, theirs) = (self.fire_by_band(sea, ship, enemy), self.fire_by_band(sea, enemy, ship));
            if own.iter().chain(&theirs).all(|value| *value == 0) {
                continue;
            }
            let (one, other) = (self.battle.member(ship), self.battle.member(enemy));
            let mut insight =
                Insight::exact(format!("{} and {} by range, broadside to broadside", one.name, other.name));
            insight.curves = Some(Curves {
                along: "Range band".into(),
                steps: (1..=RANGE_BANDS).map(|band| band.to_string()).collect(),
                unit: "points a turn".into(),
                curves: vec![
                    Curve { label: format!("{} at {}", one.name, other.name), side: Some(one.side), values: own },
                    Curve { label: format!("{} at {}", other.name, one.name), side: Some(other.side), values: theirs },
                ],
            });
            insights.push(insight);
        }
        insights
    }

    /// What the broadside of a ship is worth against another in each range band, in this light.
    fn fire_by_band(&self, sea: &Sea, shooter: VesselId, target: VesselId) -> Vec<i64> {
        let (model, ship) = (self.battle.model(shooter), sea.vessel(shooter));
        let light = self.battle.light(sea.turn);
        let value = |band: i32| {
            let sight = Sight {
                sd: ship.now.sd,
                tvr: self.battle.tvr(sea.turn),
                obscured: false,
                illuminated: light == Light::Night && self.lit(sea, target),
            };
            let permission = Line { light, band, sight }.permission(ship.now.gear.gunnery_radar, &mut Silent);
            let (arc, direction) = (Arc::Starboard, Direction::Vertical);
            let bearing = Bearing { shooter, target, band, permission, between: 0, arc, direction };
            self.broadside_value(sea, &bearing, model, ship)
        };
        (1..=RANGE_BANDS as i32).map(value).collect()
    }

    /// The tests that may come next for a ship: Wreck Test, magazines under a CV, the nerve of her crew. [7.7, 7.8, 8]
    pub(in crate::game) fn dangers(&self, sea: &Sea, ship: VesselId, cv: i32) -> Option<Insight> {
        let (member, rules) = (self.battle.member(ship), &self.battle.rules);
        let model = &member.model;
        if model.hull == Hull::Boats || !sea.vessel(ship).in_play() {
            return None;
        }
        let sheet = self.sheet_at(sea, ship);
        let (now, _) = self.as_today(sea, ship);
        let sinking = Sinking::of(&sheet, &now);
        let afloat = enumerate::<_, Exact>(budget(), |ask| {
            Ok(sinking.wreck_test(rules, WreckCause::Damage, ask)? == Status::Afloat)
        })
        .ok()?;
        let mut insight = Insight::exact(format!("The next tests of {}", member.name))
            .chance("survives a Wreck Test", afloat.chance(&true).to_string());
        let turrets = sheet.main.iter().any(|mount| mount.mounting == Mounting::Turret);
        if turrets && cv > 0 {
            let test = MagazineTest::new(rules, cv, sheet.weakness.unsafe_magazines);
            let odds = enumerate::<_, Exact>(budget(), |ask| test.roll(ask)).ok()?;
            let chance = |outcome: MagazineOutcome| odds.chance(&outcome).to_string();
            insight = insight
                .chance(
                    format!("explodes when a turret is lost to a hit of CV {cv}"),
                    chance(MagazineOutcome::Explosion),
                )
                .chance("flashover then", chance(MagazineOutcome::Flashover));
        }
        // The next test of her nerve: her structure at one third.
        let (structure, flotation, nerve) = self.ship_decline(sea, ship);
        let falls = Decline { now: structure.original / 3, ..structure };
        if 3 * structure.now > structure.original {
            let before = Decline { before: structure.now, ..falls };
            let still = Decline { now: flotation.now, before: flotation.now, ..flotation };
            let odds = enumerate::<_, Exact>(budget(), |ask| {
                Ok(morale::ship(rules, before, still, nerve, now.fires, ask)?.failures)
            });
            if let Ok(odds) = odds {
                insight =
                    insight.chance("her crew holds when Structure falls to one third", odds.chance(&0).to_string());
            }
        }
        Some(insight)
    }

    /// Who moves first: what is still to move, and the initiative of the next turn.
    pub(in crate::game) fn first_mover_insights(&self, view: &View) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let groups = Side::BOTH.map(|side| self.movable_next(sea, side));
        let count = |number: usize| if number == 1 { "1 move".to_owned() } else { format!("{number} moves") };
        let moves = Insight::exact("Moves this turn")
            .line(format!(
                "{} has {}, {} {}. The sides alternate; the side with more squadrons moves last.",
                self.battle.side_name(Side::First),
                count(groups[0]),
                self.battle.side_name(Side::Second),
                count(groups[1])
            ))
            .line("The side that moves last declares torpedoes and aims its guns knowing where the enemy is.");
        let totals = Side::BOTH.map(|side| self.command_total(sea, side));
        let holder = match view.viewer {
            flagplot_kernel::Viewer::Seat(seat) if seat.side() == Side::Second => Holder::B,
            _ => Holder::A,
        };
        let odds = enumerate::<_, Exact>(budget(), |ask| {
            Ok(initiative::roll(&self.battle.rules, totals, holder, ["", ""], ask)?.winner)
        });
        let mut insights = vec![moves];
        if let Ok(odds) = odds {
            let mut insight = Insight::exact("Initiative next turn, if no command value changes");
            for name in [SideName::A, SideName::B] {
                insight = insight.chance(self.battle.side_name(side(name)), odds.chance(&name).to_string());
            }
            insights.push(insight);
        }
        insights
    }

    fn movable_next(&self, sea: &Sea, of: Side) -> usize {
        let squads = self.battle.squadrons.iter().enumerate().filter(|(at, squad)| {
            let id = SquadronId(*at as u8);
            squad.side == of && sea.squadron(id).deployed && self.afloat(sea, id).next().is_some()
        });
        squads.count() + self.contacts(sea, of).count()
    }

    /// Before a contact moves: which enemies could spot it where it ends, and whom its squadron could fire at.
    pub(in crate::game) fn contact_move_insights(&self, view: &View, value: Option<&Value>) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let Phase::Ships(moving::Stage::Contact(marker)) = view.seen.phase else { return Vec::new() };
        let contact = MoveContact { game: self, sea, marker };
        let given = value.and_then(|value| serde_json::from_value::<ContactMove>(value.clone()).ok());
        let end = match &given {
            Some(ContactMove::Run(run)) => moving::end_of(sea.marker(marker).at, &run.orders),
            _ => sea.marker(marker).at,
        };
        let mut after = sea.clone();
        after.marker_mut(marker).at = end;
        let mut insights = vec![self.spotters(&after, marker)];
        if let Some(Holds::Squadron(of)) = sea.marker(contact.marker).holds {
            let mut deployed = after;
            self.deploy(&mut deployed, marker, Formation::Ahead);
            let title = format!("{} deployed there: best hit chances", self.battle.squad(of).name);
            insights.push(self.hit_chances(&deployed, of, &title));
        }
        insights
    }

    /// The chance of each enemy ship to spot a contact.
    fn spotters(&self, sea: &Sea, marker: MarkerId) -> Insight {
        let side = sea.marker(marker).side;
        let mut insight = Insight::exact(format!("Who can spot {} there", self.marker_name(marker)));
        for enemy in self.enemies(sea, side) {
            let Ok(look) = self.ship_look(sea, enemy, marker) else { continue };
            let seen = enumerate::<_, Exact>(budget(), |ask| Ok(look.lookout.look(&self.battle.rules, ask)?.spotted));
            if let Ok(seen) = seen {
                insight = insight.chance(&self.battle.member(enemy).name, seen.chance(&true).to_string());
            }
        }
        if insight.chances.is_empty() { insight.line("No enemy ship can spot it there.") } else { insight }
    }

    /// Before a field is laid: what a ship that enters it risks. [C-31]
    pub(in crate::game) fn laying_insights(&self, view: &View, of: Side) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let mut insight = Insight::exact("Chance of a strike when a ship enters a medium field");
        for enemy in self.enemies(sea, of) {
            let (_, transit) = self.transit(enemy, sea.vessel(enemy).speed, Density::Medium);
            let chance = transit.aim(&self.battle.rules).chance();
            let strike = Fraction::new(chance.clamp(0, CHANCE_PARTS) as u64, CHANCE_PARTS as u64).to_string();
            insight = insight.chance(format!("{} at her present speed", self.battle.member(enemy).name), strike);
        }
        let mine = self.mine(Column::Midships);
        let mut insight =
            insight.line(format!("A strike costs {} Flotation and may bring a critical of CV {}.", mine.ip, mine.cv));
        if insight.chances.is_empty() {
            insight = insight.line("No enemy ship is in sight.");
        }
        vec![insight]
    }

    /// Before the set-up: what each side may have where.
    pub(in crate::game) fn setup_insights(&self, view: &View) -> Vec<Insight> {
        let sea = &view.seen.sea;
        let own = |side: Side| view.viewer.sees(Seat::from(side));
        let mut insight = Insight::exact("Distances from your markers and ships to the enemy, in range bands");
        let mine: Vec<(String, flagplot_kernel::plane::Point)> = self.setup_places(sea, &own);
        let theirs: Vec<(String, flagplot_kernel::plane::Point)> = self.setup_places(sea, &|side| !own(side));
        if mine.is_empty() || theirs.is_empty() {
            return Vec::new();
        }
        let theirs = &theirs[..theirs.len().min(MOST_COLUMNS)];
        insight =
            insight.row(std::iter::once(String::new()).chain(theirs.iter().map(|(name, _)| name.clone())).collect());
        for (name, at) in &mine {
            let bands = theirs.iter().map(|(_, there)| self.band(self.reach(*at, *there)).to_string());
            insight = insight.row(std::iter::once(name.clone()).chain(bands).collect());
        }
        let tvr = self.battle.tvr(sea.turn);
        vec![insight.line(format!("Visibility on turn 1: {tvr} range bands."))]
    }

    fn setup_places(&self, sea: &Sea, of: &impl Fn(Side) -> bool) -> Vec<(String, flagplot_kernel::plane::Point)> {
        let markers = sea.markers.iter().enumerate().filter(|(_, marker)| of(marker.side) && !marker.gone);
        let markers = markers.map(|(at, marker)| (self.marker_name(MarkerId(at as u8)), marker.at.at.point()));
        let ships = sea.all().filter(|(id, ship)| of(self.battle.member(*id).side) && ship.in_play());
        let ships = ships.map(|(id, ship)| (self.battle.member(id).name.clone(), ship.at.at.point()));
        markers.chain(ships).collect()
    }
}
