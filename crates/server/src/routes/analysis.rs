//! Was it me or the dice? A finished game taken apart, one at a time, by one process for all; the result is kept with the game.

use crate::access::{Body, Caller, Entered};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Doing;
use crate::live::{lock, now};
use crate::store::AnalysisRow;
use crate::wire::{AnalysisBody, AnalysisState, Written};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use flagplot_catalog::Catalog;
use flagplot_desk::{LuckSettings, Record, analyse, os_random};
use flagplot_kernel::Refusal;
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;

/// So long an analysis should take; how carefully it looks follows from it.
const USUAL: Duration = Duration::from_secs(60);
/// A longer look takes so many times as long.
const LONGER: u32 = 5;
/// So many wait at most.
const MOST_WAITING: usize = 8;
/// So many failures are remembered.
const MOST_FAILED: usize = 100;
/// So often whoever is at work says so.
const PULSE: Duration = Duration::from_secs(2);
/// Who was not heard of for so long, in milliseconds, has gone, and another may take the work over.
const SILENCE: i64 = 20_000;

/// The analyses this process is at work on.
pub struct Analyses {
    usual: Duration,
    room: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// Games that could not be taken apart, and why.
    failed: Mutex<VecDeque<(String, Refusal)>>,
}

impl Analyses {
    /// None yet. Each is to take about this time, or the usual one.
    pub fn new(time: Option<Duration>) -> Self {
        Self {
            usual: time.unwrap_or(USUAL),
            room: Arc::new(Semaphore::new(1)),
            waiting: AtomicUsize::new(0),
            failed: Mutex::default(),
        }
    }
}

/// Begins the analysis of a finished game, or says how far it has come; its result, once it is there.
pub async fn analysis(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(wish): Body<AnalysisBody>,
) -> Reply<Json<AnalysisState>> {
    let effort = if wish.longer { 2 } else { 1 };
    let id = entered.live.id();
    let record = {
        let table = app.hold(&entered.live).await?;
        if table.desk.outcome().is_none() {
            return Err(Failure::new(StatusCode::CONFLICT, "not-over", "A game is taken apart when it is over."));
        }
        table.desk.record(false)
    };
    let row = app.store.analysis(id).await?.unwrap_or_default();
    let busy = row.working >= effort && now() - row.alive < SILENCE;
    if row.effort >= effort || busy {
        return shown(row, effort);
    }
    if let Some((_, refusal)) = lock(&app.analyses.failed).iter().find(|(game, _)| game == id) {
        return Err(refusal.clone().into());
    }
    caller.may(&app, Doing::Heavy)?;
    if app.analyses.waiting.load(Relaxed) >= MOST_WAITING {
        return Err(Failure {
            retry: Some(30),
            ..Failure::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "Other games are being taken apart. Try again later.",
            )
        });
    }
    if app.store.claim_analysis(id, effort, now(), now() - SILENCE).await? {
        app.analyses.waiting.fetch_add(1, Relaxed);
        tokio::spawn(work(app.clone(), id.to_owned(), effort, record));
    }
    shown(AnalysisRow { working: effort, progress: (0, 0), ..row }, effort)
}

/// What is there, for somebody who wants this effort.
fn shown(row: AnalysisRow, effort: i64) -> Reply<Json<AnalysisState>> {
    let analysis =
        row.body.map(|body| RawValue::from_string(body).map(Written::from)).transpose().map_err(Failure::internal)?;
    let number = |count: i64| usize::try_from(count).unwrap_or(0);
    let (done, total) = if row.effort >= effort { (1, 1) } else { (number(row.progress.0), number(row.progress.1)) };
    Ok(Json(AnalysisState { done, total, analysis, longer: row.effort > 1 }))
}

/// Takes a game apart once it is its turn, and says meanwhile that somebody is at work.
async fn work(app: Arc<App>, game: String, effort: i64, record: Record) {
    let progress = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let done = {
        let (catalog, counts, room) = (app.catalog.clone(), progress.clone(), app.analyses.room.clone());
        let time = app.analyses.usual * if effort > 1 { LONGER } else { 1 };
        let working = async move {
            let permit = room.acquire_owned().await;
            tokio::task::spawn_blocking(move || {
                let _permit = permit;
                take_apart(&catalog, &record, time, &counts)
            })
            .await
        };
        tokio::pin!(working);
        loop {
            tokio::select! {
                done = &mut working => break done,
                () = tokio::time::sleep(PULSE) => {
                    let count = |at: usize| i64::try_from(progress[at].load(Relaxed)).unwrap_or(i64::MAX);
                    if let Err(error) = app.store.advance_analysis(&game, effort, (count(0), count(1)), now()).await {
                        eprintln!("flagplot: the progress of an analysis was not kept: {error}");
                    }
                }
            }
        }
    };
    app.analyses.waiting.fetch_sub(1, Relaxed);
    let body = match done.unwrap_or_else(|_| Err(Refusal::new("internal", "The game could not be taken apart."))) {
        Ok(body) => Some(body),
        Err(refusal) => {
            let mut failed = lock(&app.analyses.failed);
            failed.truncate(MOST_FAILED - 1);
            failed.push_front((game.clone(), refusal));
            None
        }
    };
    if let Err(error) = app.store.put_analysis(&game, effort, body).await {
        eprintln!("flagplot: an analysis was not kept: {error}");
    }
}

fn take_apart(
    catalog: &Catalog,
    record: &Record,
    time: Duration,
    progress: &[AtomicUsize; 2],
) -> Result<String, Refusal> {
    // Somebody may be playing meanwhile: one core is left to them.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).saturating_sub(1).max(1);
    let settings = LuckSettings::within(time, catalog, record, u64::from_le_bytes(os_random()), cores)?;
    let found = analyse(catalog, record, &settings, |done, total| {
        progress[0].store(done, Relaxed);
        progress[1].store(total, Relaxed);
    })?;
    serde_json::to_string(&found).map_err(|error| Refusal::new("internal", error.to_string()))
}
