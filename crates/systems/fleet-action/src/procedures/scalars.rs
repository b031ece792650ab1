//! The odds of every scalar field of a damage result, field by field: a critical has tens of thousands of outcomes,
//! and writing each of them as JSON would take longer than counting them.

use super::hits::DamageResult;
use crate::critical::{Critical, CriticalState};
use crate::rules::Rules;
use crate::ship::{GunMount, Sheet, is_lost};
use crate::words::{Sheer, Status};
use flagplot_kernel::{Ask, Asked, Flow, Process, Refusal};
use flagplot_odds::{Budget, Dist, Exact, distribution};
use flagplot_referee::FieldOdds;
use serde_json::Value;

type Read = fn(&Rules, &Sheet, &CriticalState) -> i32;

/// How a reading is shown.
#[derive(Clone, Copy)]
enum Show {
    Number,
    Flag,
    Status,
    Sheer,
}

impl Show {
    fn value(self, reading: i32) -> Value {
        let at = reading as usize;
        match self {
            Show::Number => reading.into(),
            Show::Flag => (reading != 0).into(),
            Show::Status => Status::WORDS.get(at).copied().into(),
            Show::Sheer => Sheer::WORDS.get(at).copied().into(),
        }
    }
}

/// Fields of the ship, of her gear or of the harm, by the names they have there.
macro_rules! same_names {
    ($show:ident, $prefix:literal, |$end:ident| $part:expr, $($name:ident)*) => {
        [$((concat!($prefix, stringify!($name)), Show::$show, (|_, _, $end| i32::from($part.$name)) as Read)),*]
    };
}

/// Every scalar field that a critical can change.
fn varying() -> impl Iterator<Item = (&'static str, Show, Read)> {
    let ship = same_names!(Number, "ship.", |end| end.ship, f s crew_quality command speed sv fc sd gm dc fires splash
        h rrr catapults asw mrf crf);
    let gear = same_names!(Flag, "ship.", |end| end.ship.gear, searchlights ship_planes gunnery_radar search_radar
        smoke power_failed);
    let harm = same_names!(Number, "", |end| end.harm, stopped_by_armour officers_killed explosion_dice flashovers);
    let others: [(_, _, Read); 7] = [
        ("ship.status", Show::Status, |_, _, end| end.ship.status as i32),
        ("ship.lrf", Show::Number, |rules, sheet, end| sheet.lrf(rules, &end.ship)),
        ("ship.main_lost", Show::Number, |_, _, end| end.ship.main_lost.count_ones() as i32),
        ("ship.other_lost", Show::Number, |_, _, end| end.ship.other_lost.count_ones() as i32),
        ("ship.torpedo_mounts_lost", Show::Number, |_, _, end| end.ship.torpedoes_lost.count_ones() as i32),
        ("ship.cargo.destroyed", Show::Flag, |_, _, end| end.ship.cargo_destroyed.into()),
        ("helm", Show::Sheer, |_, _, end| end.harm.helm as i32),
    ];
    ship.into_iter().chain(gear).chain(harm).chain(others)
}

/// A critical of which one field is wanted. It forgets what its rules only write, does not tell mounts of one make
/// apart, and keeps nothing of an outcome but that field: so a large ship has a hundredth of the states.
struct Watched<'a> {
    critical: &'a Critical<'a>,
    field: &'a str,
    read: Read,
}

/// A critical under way, or what came of it.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Watch {
    Going(CriticalState),
    Over(i32),
}

impl Process for Watched<'_> {
    type State = Watch;

    fn step(&self, watch: &mut Watch, ask: &mut impl Ask) -> Asked<Flow> {
        let Watch::Going(spending) = watch else { return Ok(Flow::Done) };
        let flow = self.critical.step(spending, ask)?;
        if flow == Flow::Done {
            *watch = Watch::Over((self.read)(self.critical.rules, self.critical.sheet, spending));
        } else {
            self.forget(spending);
        }
        Ok(flow)
    }
}

impl Watched<'_> {
    /// Sets to nothing what no rule of criticals reads, unless it is wanted.
    fn forget(&self, spending: &mut CriticalState) {
        let (ship, harm) = (&mut spending.ship, &mut spending.harm);
        let numbers = [
            ("ship.gm", &mut ship.gm),
            ("ship.command", &mut ship.command),
            ("ship.splash", &mut ship.splash),
            ("stopped_by_armour", &mut harm.stopped_by_armour),
            ("officers_killed", &mut harm.officers_killed),
            ("explosion_dice", &mut harm.explosion_dice),
            ("flashovers", &mut harm.flashovers),
        ];
        for (_, number) in numbers.into_iter().filter(|(field, _)| *field != self.field) {
            *number = 0;
        }
        if self.field != "helm" {
            harm.helm = Sheer::None;
        }
        if self.field != "ship.smoke" {
            ship.gear.smoke = false;
        }
        ship.main_lost = first_of_their_make(&self.critical.sheet.main, ship.main_lost);
    }
}

/// The same losses among mounts of the same make, the first ones being lost.
fn first_of_their_make(mounts: &[GunMount], lost: u64) -> u64 {
    let make = |mount: &GunMount| (mount.mounting, mount.ac, mount.guns, mount.arc, mount.aa);
    let mut first = 0;
    for at in (0..mounts.len()).filter(|&at| is_lost(lost, at)) {
        let place =
            (0..=at).find(|&place| !is_lost(first, place) && make(&mounts[place]) == make(&mounts[at])).unwrap_or(at);
        first |= 1u64 << place;
    }
    first
}

/// The odds of one scalar field that a critical can change; `None` if it is another one.
pub(super) fn watched_odds(
    critical: &Critical<'_>,
    start: CriticalState,
    field: &str,
    budget: Budget<'_>,
) -> Result<Option<FieldOdds>, Refusal> {
    let there = |name: &str| name == field && (name != "ship.cargo.destroyed" || critical.sheet.cargo.is_some());
    let Some((_, show, read)) = varying().find(|(name, ..)| there(name)) else {
        return Ok(None);
    };
    let watched = Watched { critical, field, read };
    let ends: Dist<Watch, Exact> = distribution(&watched, Dist::certain(Watch::Going(start)), budget)?;
    let mut odds = FieldOdds::default();
    odds.put(field, Some(field), &ends, |end| match end {
        Watch::Over(reading) => show.value(*reading),
        Watch::Going(_) => Value::Null,
    });
    Ok(Some(odds))
}

/// The odds of all scalar fields.
pub(super) fn damage_odds(
    critical: &Critical<'_>,
    dist: &Dist<CriticalState, Exact>,
    output: impl Fn(&CriticalState) -> DamageResult,
) -> FieldOdds {
    let mut odds = FieldOdds::default();
    let Some((first, _)) = dist.iter().next() else {
        return odds;
    };
    // What no critical can change is the same in every outcome, so one outcome tells it.
    let mut fields = Vec::new();
    scalars(&serde_json::to_value(output(first)).unwrap_or_default(), String::new(), &mut fields);
    for (field, value) in fields {
        match varying().find(|(name, ..)| *name == field) {
            Some((field, show, read)) => {
                let readings = dist.map(|end| read(critical.rules, critical.sheet, end));
                odds.put(field, None, &readings, |reading| show.value(*reading));
            }
            None => odds.put_certain(field, None, value),
        }
    }
    odds
}

fn scalars(value: &Value, path: String, out: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                scalars(value, path, out);
            }
        }
        Value::Array(_) => {}
        scalar => out.push((path, scalar.clone())),
    }
}
