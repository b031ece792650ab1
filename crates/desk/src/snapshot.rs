//! A game as it stood after some of its entries, so that it opens without being played from the beginning.
//!
//! The entries are the truth; a snapshot only saves time. One of another format or edition, or one that does not fit
//! the entries, is ignored, and the game is played from the beginning.

use crate::derived::{Derived, Entered, Line, Logged};
use crate::record::Record;
use crate::{Desk, DiceSource};
use flagplot_catalog::Catalog;
use flagplot_kernel::{Answer, Luck, Refusal, Seat, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::{BTreeMap, VecDeque};
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
    /// The game as it stands, for [`Desk::resume_from`] together with its entries. None once it is over: a game may end
    /// for a reason outside its rules.
    pub fn snapshot(&self) -> Result<Option<String>, serde_json::Error> {
        let derived = &self.derived;
        if derived.outcome.is_some() {
            return Ok(None);
        }
        let log = derived.log.iter().map(|line| {
            Ok(match line {
                Logged::Noted(noted) => (noted.note.only, to_raw_value(noted)?),
                Logged::Written(line) => (line.only, line.json.clone()),
            })
        });
        let state = String::from_utf8(derived.checkpoint.bytes()).map_err(serde::ser::Error::custom)?;
        let snapshot = Snapshot {
            snapshot: FORMAT,
            edition: self.header.edition.clone(),
            scenario: self.header.scenario.clone(),
            entries: self.entries.len(),
            state: RawValue::from_string(state)?,
            answers: derived.answers.clone(),
            sealed: derived.sealed.clone(),
            rolls: derived.rolls,
            luck: derived.luck.map(|luck| (luck.expected, luck.real)),
            standing: derived.standing.clone(),
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
        let game = catalog.game(&header.system, &header.scenario, &header.options).ok()?;
        let checkpoint = game.restore(snapshot.state.get().as_bytes()).ok()?;
        if snapshot.standing.iter().any(|entered| entered.at >= snapshot.entries) {
            return None;
        }
        let derived = Derived {
            outcome: game.outcome(checkpoint.as_ref()),
            checkpoint: checkpoint.into(),
            step: 0,
            answers: snapshot.answers,
            sealed: snapshot.sealed,
            question: None,
            log: snapshot.log.into_iter().map(|(only, json)| Logged::Written(Line { only, json })).collect(),
            running: Vec::new(),
            rolls: snapshot.rolls,
            luck: snapshot.luck.map(|(expected, real)| Luck { expected, real }),
            standing: snapshot.standing,
            saved: VecDeque::new(),
        };
        let desk = Self {
            game,
            header: header.clone(),
            dice: Arc::new(DiceSource::Typed),
            entries: record.entries[..snapshot.entries].to_vec(),
            derived,
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
