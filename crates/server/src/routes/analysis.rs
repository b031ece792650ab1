//! Was it me or the dice? A finished game taken apart, one at a time, kept for those who ask again.

use crate::access::{Address, Entered};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Doing;
use crate::wire::{AnalysisState, Written};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use flagplot_catalog::{Budget, Catalog};
use flagplot_desk::{LuckSettings, Record, analyse, os_random};
use flagplot_kernel::Refusal;
use serde_json::value::to_raw_value;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// So long an analysis should take; how carefully it looks follows from it.
const PATIENCE: Duration = Duration::from_secs(60);
/// So many wait at most.
const MOST_WAITING: usize = 8;
/// So many are kept.
const MOST_KEPT: usize = 200;
/// Games and thoughts of the first, quick look, which shows how fast this game is.
const QUICK: (u32, u32) = (2, 8);

/// One analysis.
#[derive(Default)]
struct Analysis {
    done: AtomicUsize,
    total: AtomicUsize,
    result: OnceLock<Result<Written, Refusal>>,
}

/// All analyses that are wanted, going on or done.
pub struct Analyses {
    room: Arc<Semaphore>,
    known: Mutex<VecDeque<(String, Arc<Analysis>)>>,
}

impl Default for Analyses {
    fn default() -> Self {
        Self { room: Arc::new(Semaphore::new(1)), known: Mutex::default() }
    }
}

impl Analyses {
    /// The analysis of a game, and whether it is new. None if too many wait.
    fn of(&self, game: &str) -> Option<(Arc<Analysis>, bool)> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, analysis)) = known.iter().find(|(id, _)| id == game) {
            return Some((analysis.clone(), false));
        }
        if known.iter().filter(|(_, analysis)| analysis.result.get().is_none()).count() > MOST_WAITING {
            return None;
        }
        if known.len() >= MOST_KEPT
            && let Some(oldest) = known.iter().position(|(_, analysis)| analysis.result.get().is_some())
        {
            known.remove(oldest);
        }
        let analysis = Arc::new(Analysis::default());
        known.push_back((game.to_owned(), analysis.clone()));
        Some((analysis, true))
    }
}

/// Begins the analysis of a finished game, or says how far it has come; its result, once it is there.
pub async fn analysis(State(app): State<Arc<App>>, address: Address, entered: Entered) -> Reply<Json<AnalysisState>> {
    let record = {
        let table = app.hold(&entered.live).await?;
        if table.desk.outcome().is_none() {
            return Err(Failure::new(StatusCode::CONFLICT, "not-over", "A game is taken apart when it is over."));
        }
        table.desk.record(false)
    };
    let busy = || Failure { retry: Some(30), ..Failure::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "Other games are being taken apart. Try again later.") };
    let (analysis, new) = app.analyses.of(entered.live.id()).ok_or_else(busy)?;
    if new {
        address.may(&app, Doing::Heavy)?;
        let (app, analysis) = (app.clone(), analysis.clone());
        tokio::spawn(async move {
            let Ok(permit) = app.analyses.room.clone().acquire_owned().await else { return };
            let catalog = app.catalog.clone();
            let work = analysis.clone();
            let done = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                take_apart(&catalog, &record, &work)
            })
            .await;
            let failed = |_| Err(Refusal::new("internal", "The game could not be taken apart."));
            let _ = analysis.result.set(done.unwrap_or_else(failed));
        });
    }
    match analysis.result.get() {
        Some(Err(refusal)) => Err(refusal.clone().into()),
        Some(Ok(result)) => Ok(Json(AnalysisState { done: 1, total: 1, analysis: Some(result.clone()) })),
        None => Ok(Json(AnalysisState { done: analysis.done.load(Relaxed), total: analysis.total.load(Relaxed), analysis: None })),
    }
}

fn take_apart(catalog: &Catalog, record: &Record, work: &Analysis) -> Result<Written, Refusal> {
    let seed = u64::from_le_bytes(os_random());
    // Somebody may be playing meanwhile: one core is left to them.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).saturating_sub(1).max(1);
    let begun = Instant::now();
    analyse(catalog, record, &LuckSettings { games: QUICK.0, budget: Budget::Iterations(QUICK.1), seed, cores }, |_, _| {})?;
    let times = (PATIENCE.as_secs_f64() / begun.elapsed().as_secs_f64().max(1e-6)) as u32;
    let games = QUICK.0.saturating_mul(times).clamp(10, 400);
    let budget = Budget::Iterations(QUICK.1.saturating_mul(times).clamp(40, 1000));
    let found = analyse(catalog, record, &LuckSettings { games, budget, seed, cores }, |done, total| {
        work.done.store(done, Relaxed);
        work.total.store(total, Relaxed);
    })?;
    to_raw_value(&found).map(Written::from).map_err(|error| Refusal::new("internal", error.to_string()))
}
