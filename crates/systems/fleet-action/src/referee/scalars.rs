//! The odds of every scalar field of a damage result, field by field: a critical has tens of thousands of outcomes,
//! and writing each of them as JSON would take longer than counting them.

use super::hits::DamageResult;
use super::project;
use crate::book::Book;
use crate::critical::Spending;
use crate::ship::Sheet;
use crate::words::{Sheer, Status};
use flagplot_odds::{Dist, Exact};
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

/// The odds of all scalar fields, or of the one that is wanted.
pub(super) fn damage_odds(
    book: &Book,
    sheet: &Sheet,
    dist: &Dist<Spending, Exact>,
    output: impl Fn(&Spending) -> DamageResult,
    wanted: Option<&str>,
) -> Result<FieldOdds, Halt> {
    let mut odds = FieldOdds::default();
    let put = |odds: &mut FieldOdds, &(field, show, read): &(&str, Show, Read)| {
        odds.put(field, wanted, &dist.map(|end| read(book, sheet, end)), |reading| show.value(*reading))
    };
    if let Some(field) = wanted {
        let Some(varying) = VARYING.iter().find(|(name, ..)| *name == field && (*name != "ship.cargo.destroyed" || sheet.cargo.is_some())) else {
            return project(dist, output, wanted);
        };
        put(&mut odds, varying);
        return Ok(odds);
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
