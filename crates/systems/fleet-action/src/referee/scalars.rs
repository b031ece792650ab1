//! The odds of every scalar field of a damage result, field by field: a critical has tens of thousands of outcomes,
//! and writing each of them as JSON would take longer than counting them.

use super::hits::DamageResult;
use super::project;
use crate::book::Book;
use crate::critical::{Critical, Spending};
use crate::ship::{GunMount, Sheet, is_lost};
use crate::words::{Sheer, Status};
use flagplot_kernel::{Ask, Asked, Flow, Process};
use flagplot_odds::{Budget, Dist, Exact, distribution};
use flagplot_referee::{FieldOdds, Halt};
use serde_json::Value;

type Read = fn(&Book, &Sheet, &Spending) -> i32;

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

/// Every scalar field that a critical can change.
const VARYING: &[(&str, Show, Read)] = &[
    ("ship.status", Show::Status, |_, _, end| end.ship.status as i32),
    ("ship.f", Show::Number, |_, _, end| end.ship.f),
    ("ship.s", Show::Number, |_, _, end| end.ship.s),
    ("ship.crew_quality", Show::Number, |_, _, end| end.ship.crew_quality),
    ("ship.command", Show::Number, |_, _, end| end.ship.command),
    ("ship.speed", Show::Number, |_, _, end| end.ship.speed),
    ("ship.sv", Show::Number, |_, _, end| end.ship.sv),
    ("ship.fc", Show::Number, |_, _, end| end.ship.fc),
    ("ship.sd", Show::Number, |_, _, end| end.ship.sd),
    ("ship.gm", Show::Number, |_, _, end| end.ship.gm),
    ("ship.dc", Show::Number, |_, _, end| end.ship.dc),
    ("ship.fires", Show::Number, |_, _, end| end.ship.fires),
    ("ship.splash", Show::Number, |_, _, end| end.ship.splash),
    ("ship.h", Show::Number, |_, _, end| end.ship.h),
    ("ship.rrr", Show::Number, |_, _, end| end.ship.rrr),
    ("ship.catapults", Show::Number, |_, _, end| end.ship.catapults),
    ("ship.asw", Show::Number, |_, _, end| end.ship.asw),
    ("ship.mrf", Show::Number, |_, _, end| end.ship.mrf),
    ("ship.crf", Show::Number, |_, _, end| end.ship.crf),
    ("ship.lrf", Show::Number, |book, sheet, end| sheet.lrf(book, &end.ship)),
    ("ship.searchlights", Show::Flag, |_, _, end| end.ship.gear.searchlights.into()),
    ("ship.ship_planes", Show::Flag, |_, _, end| end.ship.gear.ship_planes.into()),
    ("ship.gunnery_radar", Show::Flag, |_, _, end| end.ship.gear.gunnery_radar.into()),
    ("ship.search_radar", Show::Flag, |_, _, end| end.ship.gear.search_radar.into()),
    ("ship.smoke", Show::Flag, |_, _, end| end.ship.gear.smoke.into()),
    ("ship.power_failed", Show::Flag, |_, _, end| end.ship.gear.power_failed.into()),
    ("ship.main_lost", Show::Number, |_, _, end| end.ship.main_lost.count_ones() as i32),
    ("ship.other_lost", Show::Number, |_, _, end| end.ship.other_lost.count_ones() as i32),
    ("ship.torpedo_mounts_lost", Show::Number, |_, _, end| end.ship.torpedoes_lost.count_ones() as i32),
    ("ship.cargo.destroyed", Show::Flag, |_, _, end| end.ship.cargo_destroyed.into()),
    ("stopped_by_armour", Show::Number, |_, _, end| end.harm.stopped_by_armour),
    ("helm", Show::Sheer, |_, _, end| end.harm.helm as i32),
    ("officers_killed", Show::Number, |_, _, end| end.harm.officers_killed),
    ("explosion_dice", Show::Number, |_, _, end| end.harm.explosion_dice),
    ("flashovers", Show::Number, |_, _, end| end.harm.flashovers),
];

/// A critical of which one field is wanted. What its rules only write is forgotten, mounts of one make are not told apart, and
/// an outcome is nothing but that field: so a large ship has a hundredth of the states.
struct Watched<'a> {
    book: &'a Book,
    critical: &'a Critical<'a>,
    field: &'a str,
    read: Read,
}

/// A critical under way, or what came of it.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Watch {
    Going(Spending),
    Over(i32),
}

impl Process for Watched<'_> {
    type State = Watch;

    fn step(&self, watch: &mut Watch, ask: &mut impl Ask) -> Asked<Flow> {
        let Watch::Going(spending) = watch else { return Ok(Flow::Done) };
        let flow = self.critical.step(spending, ask)?;
        if flow == Flow::Done {
            *watch = Watch::Over((self.read)(self.book, self.critical.sheet, spending));
        } else {
            self.forget(spending);
        }
        Ok(flow)
    }
}

impl Watched<'_> {
    /// Sets to nothing what no rule of criticals reads, unless it is wanted.
    fn forget(&self, spending: &mut Spending) {
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
    book: &Book,
    critical: &Critical<'_>,
    start: Spending,
    field: &str,
    budget: Budget<'_>,
) -> Result<Option<FieldOdds>, Halt> {
    let there = |name: &str| name == field && (name != "ship.cargo.destroyed" || critical.sheet.cargo.is_some());
    let Some(&(_, show, read)) = VARYING.iter().find(|(name, ..)| there(name)) else {
        return Ok(None);
    };
    let watched = Watched { book, critical, field, read };
    let ends: Dist<Watch, Exact> = distribution(&watched, Dist::certain(Watch::Going(start)), budget)?;
    let mut odds = FieldOdds::default();
    odds.put(field, Some(field), &ends, |end| match end {
        Watch::Over(reading) => show.value(*reading),
        Watch::Going(_) => Value::Null,
    });
    Ok(Some(odds))
}

/// The odds of all scalar fields, or of a whole part of the result that is wanted.
pub(super) fn damage_odds(
    book: &Book,
    sheet: &Sheet,
    dist: &Dist<Spending, Exact>,
    output: impl Fn(&Spending) -> DamageResult,
    wanted: Option<&str>,
) -> Result<FieldOdds, Halt> {
    let mut odds = FieldOdds::default();
    let put = |odds: &mut FieldOdds, &(field, show, read): &(&str, Show, Read)| {
        odds.put(field, None, &dist.map(|end| read(book, sheet, end)), |reading| show.value(*reading))
    };
    if wanted.is_some() {
        return project(dist, output, wanted);
    }
    let Some((first, _)) = dist.iter().next() else {
        return Ok(odds);
    };
    // What is not in the list is the same in every outcome, so that one outcome tells it.
    let mut fields = Vec::new();
    scalars(&serde_json::to_value(output(first)).unwrap_or_default(), String::new(), &mut fields);
    for (field, value) in fields {
        match VARYING.iter().find(|(name, ..)| *name == field) {
            Some(varying) => put(&mut odds, varying),
            None => odds.put_certain(field, None, value),
        }
    }
    Ok(odds)
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
