//! A game as it stood after so many entries, so that opening it again need not play it from the beginning.
//!
//! A snapshot is a help and never the truth: the entries are. One that was written by another format or edition, or that does not fit
//! the entries it is used with, is left aside, and the game is played from the beginning.

use crate::live::{Entered, Line, Live, Logged};
use crate::record::Record;
use crate::{Desk, DiceSource};
use flagplot_catalog::Catalog;
use flagplot_kernel::{Answer, Luck, Refusal, Seat, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The version of the form of snapshots. It changes whenever an older one would be misread.
const FORMAT: u32 = 2;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    snapshot: u32,
    edition: String,
    scenario: String,
    /// How many entries it stands for.
    entries: usize,
    state: Box<RawValue>,
    answers: Vec<Answer>,
    sealed: BTreeMap<Seat, Value>,
    rolls: u64,
    luck: [(i64, i64); 2],
    /// The entries still in effect.
    standing: Vec<Entered>,
    log: Vec<(Option<Viewer>, Box<RawValue>)>,
}

impl Desk {
    /// The game as it stands, to be used with its entries by [`Desk::resume_from`]. None once it is over: what ends a game may lie outside its rules.
    pub fn snapshot(&self) -> Result<Option<String>, serde_json::Error> {
        let live = &self.live;
        if live.outcome.is_some() {
            return Ok(None);
        }
        let log = live.log.iter().map(|line| {
            Ok(match line {
                Logged::Noted(noted) => (noted.note.only, to_raw_value(noted)?),
                Logged::Written(line) => (line.only, line.json.clone()),
            })
        });
        let state = String::from_utf8(live.checkpoint.bytes()).map_err(serde::ser::Error::custom)?;
        let snapshot = Snapshot {
            snapshot: FORMAT,
            edition: self.header.edition.clone(),
            scenario: self.header.scenario.clone(),
            entries: self.entries.len(),
            state: RawValue::from_string(state)?,
            answers: live.answers.clone(),
            sealed: live.sealed.clone(),
            rolls: live.rolls,
            luck: live.luck.map(|luck| (luck.expected, luck.real)),
            standing: live.standing.clone(),
            log: log.collect::<Result<_, serde_json::Error>>()?,
        };
        serde_json::to_string(&snapshot).map(Some)
    }

    /// Goes on with a record from a snapshot of it, and plays only what came after. None if the snapshot does not fit.
    #[must_use]
    pub fn resume_from(catalog: &Catalog, record: &Record, snapshot: &str) -> Option<Self> {
        let snapshot: Snapshot = serde_json::from_str(snapshot).ok()?;
        let header = &record.header;
        let fits = snapshot.snapshot == FORMAT
            && snapshot.edition == header.edition
            && snapshot.scenario == header.scenario
            && snapshot.entries <= record.entries.len();
        if !fits || catalog.edition(&header.system).ok()? != header.edition {
            return None;
        }
        let game = catalog.system(&header.system).ok()?.game(&header.scenario, &header.options).ok()?;
        let checkpoint = game.restore(snapshot.state.get().as_bytes()).ok()?;
        if snapshot.standing.iter().any(|entered| entered.at >= snapshot.entries) {
            return None;
        }
        let live = Live {
            outcome: game.outcome(checkpoint.as_ref()),
            checkpoint,
            step: 0,
            answers: snapshot.answers,
            sealed: snapshot.sealed,
            question: None,
            log: snapshot.log.into_iter().map(|(only, json)| Logged::Written(Line { only, json })).collect(),
            running: Vec::new(),
            rolls: snapshot.rolls,
            luck: snapshot.luck.map(|(expected, real)| Luck { expected, real }),
            standing: snapshot.standing,
        };
        let desk = Self {
            game,
            header: header.clone(),
            dice: Arc::new(DiceSource::Typed),
            entries: record.entries[..snapshot.entries].to_vec(),
            live,
        };
        desk.go_on(record, snapshot.entries).ok()
    }

    /// Plays the entries of a record from number `from` on, and rolls its dice from then on.
    fn go_on(mut self, record: &Record, from: usize) -> Result<Self, Refusal> {
        self.settle()?;
        for entry in &record.entries[from..] {
            self.apply(entry.clone())?;
        }
        self.with_dice_of(record)
    }
}
