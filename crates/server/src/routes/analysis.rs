//! Was it me or the dice? The luck analysis of a finished game. One process makes it, and it is stored with the game.

use crate::access::{Body, Caller, Entered};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Action;
use crate::pool::{Lane, Share};
use crate::store::AnalysisRow;
use crate::wire::{AnalysisBody, AnalysisState, Written};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use flagplot_catalog::Catalog;
use flagplot_desk::{LuckSettings, Record, analyse, os_random};
use flagplot_kernel::Refusal;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tracing::error;

/// How many times as long the longer analysis takes.
const LONGER: u32 = 5;
/// How many analyses wait at most.
const MOST_WAITING: usize = 8;
/// How often the process at work reports its progress.
const PULSE: Duration = Duration::from_secs(2);
/// A process that has been silent for this time, in milliseconds, has gone, and another may take over.
const SILENCE: i64 = 20_000;

/// Starts the analysis of a finished game, reports its progress, or gives its result.
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
            return Err(Failure::new(StatusCode::CONFLICT, "not-over", "Analysis is available when the game is over."));
        }
        super::games::no_table(&table.desk)?;
        table.desk.record(false)
    };
    let row = app.store.analysis(id).await?.unwrap_or_default();
    let busy = row.working >= effort && app.wall.millis() - row.alive < SILENCE;
    if row.effort >= effort || busy {
        return shown(row, effort);
    }
    if let Some(refusal) = app.analyses.failure(id) {
        return Err(refusal.into());
    }
    caller.may(&app, Action::Heavy)?;
    if app.analyses.waiting.load(Relaxed) >= MOST_WAITING {
        return Err(Failure {
            retry: Some(30),
            ..Failure::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "Other games are being analysed. Try again later.")
        });
    }
    if app.store.claim_analysis(id, effort, app.wall.millis(), app.wall.millis() - SILENCE).await? {
        app.analyses.waiting.fetch_add(1, Relaxed);
        let time = app.analyses.time * if effort > 1 { LONGER } else { 1 };
        let share = caller.share(Lane::Background, 3 * time, Some(&entered.live));
        tokio::spawn(work(app.clone(), id.to_owned(), effort, record, time, share));
    }
    shown(AnalysisRow { working: effort, progress: (0, 0), ..row }, effort)
}

/// The stored analysis, and the progress of one with this effort.
fn shown(row: AnalysisRow, effort: i64) -> Reply<Json<AnalysisState>> {
    let analysis =
        row.body.map(|body| RawValue::from_string(body).map(Written::from)).transpose().map_err(Failure::internal)?;
    let number = |count: i64| usize::try_from(count).unwrap_or(0);
    let (done, total) = if row.effort >= effort { (1, 1) } else { (number(row.progress.0), number(row.progress.1)) };
    Ok(Json(AnalysisState { done, total, analysis, longer: row.effort > 1 }))
}

/// Analyses a game once it is its turn, and reports progress meanwhile.
async fn work(app: Arc<App>, game: String, effort: i64, record: Record, time: Duration, share: Share) {
    let progress = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let done = {
        let (catalog, counts) = (app.catalog.clone(), progress.clone());
        let working = app.pool.run(share, move || Ok(analysed(&catalog, &record, time, &counts)?));
        tokio::pin!(working);
        loop {
            tokio::select! {
                done = &mut working => break done,
                () = tokio::time::sleep(PULSE) => {
                    let count = |at: usize| i64::try_from(progress[at].load(Relaxed)).unwrap_or(i64::MAX);
                    let (done, now) = ((count(0), count(1)), app.wall.millis());
                    if let Err(error) = app.store.advance_analysis(&game, effort, done, now).await {
                        error!(game, %error, "the progress of an analysis was not stored");
                    }
                }
            }
        }
    };
    app.analyses.waiting.fetch_sub(1, Relaxed);
    let body = match done {
        Ok(body) => Some(body),
        Err(failure) => {
            app.analyses.failed(game.clone(), *failure.refusal);
            None
        }
    };
    if let Err(error) = app.store.put_analysis(&game, effort, body).await {
        error!(game, %error, "an analysis was not stored");
    }
}

fn analysed(
    catalog: &Catalog,
    record: &Record,
    time: Duration,
    progress: &[AtomicUsize; 2],
) -> Result<String, Refusal> {
    // One thread: the others are for those who play.
    let settings = LuckSettings::within(time, catalog, record, u64::from_le_bytes(os_random()), 1)?;
    let found = analyse(catalog, record, &settings, |done, total| {
        progress[0].store(done, Relaxed);
        progress[1].store(total, Relaxed);
    })?;
    serde_json::to_string(&found).map_err(|error| Refusal::new("internal", error.to_string()))
}
