//! Systems, rules, rulings and odds.

use crate::access::{Caller, Raw};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Doing;
use crate::wire::{PlayerInfo, ProcedureBrief, RulesPage, ScenarioOptions, SystemBrief, SystemDetail};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::os_random;
use flagplot_kernel::{Refusal, ScenarioInfo};
use flagplot_odds::Budget;
use flagplot_referee::{Chart, Response};
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So long a ruling or odds may take.
const PATIENCE: Duration = Duration::from_secs(20);

fn brief(catalog: &Catalog, id: &str) -> Result<SystemBrief, Refusal> {
    let system = catalog.system(id)?;
    let procedures = system
        .procedures()
        .iter()
        .map(|procedure| procedure.about())
        .map(|about| ProcedureBrief { name: about.name, help: about.help })
        .collect();
    Ok(SystemBrief {
        id: system.id(),
        title: system.title(),
        blurb: system.blurb(),
        edition: catalog.edition(id)?,
        scenarios: system.scenarios(),
        procedures,
    })
}

/// All systems.
pub async fn systems(State(app): State<Arc<App>>) -> Reply<Json<Vec<SystemBrief>>> {
    let all: Result<Vec<_>, _> = app.catalog.ids().map(|id| brief(&app.catalog, id)).collect();
    Ok(Json(all?))
}

/// One system.
pub async fn system(State(app): State<Arc<App>>, Path(id): Path<String>) -> Reply<Json<SystemDetail>> {
    let SystemBrief { id, title, blurb, edition, scenarios, .. } = brief(&app.catalog, &id)?;
    let system = app.catalog.system(id)?;
    let procedures = system.procedures().iter().map(|procedure| procedure.about()).collect();
    let wishes = |scenario: &ScenarioInfo| {
        system.options(&scenario.id).map(|(shape, value)| ScenarioOptions {
            scenario: scenario.id.clone(),
            shape,
            value,
        })
    };
    let options = scenarios.iter().filter_map(wishes).collect();
    let rules = system.rules().iter().map(Into::into).collect();
    Ok(Json(SystemDetail {
        id,
        title,
        blurb,
        edition,
        scenarios,
        procedures,
        examples: system.examples(),
        options,
        rules,
    }))
}

/// A system's rules page.
pub async fn rules(State(app): State<Arc<App>>, Path(id): Path<String>) -> Reply<Json<RulesPage>> {
    Ok(Json(RulesPage { markdown: app.catalog.system(&id)?.rules_page() }))
}

/// A system's tables: those that proofs name, with all their cells.
pub async fn tables(State(app): State<Arc<App>>, Path(id): Path<String>) -> Reply<Json<Vec<Chart>>> {
    Ok(Json(app.catalog.system(&id)?.charts()))
}

/// The computer players.
pub async fn players() -> Json<Vec<PlayerInfo>> {
    Json(PlayerKind::ALL.iter().map(player).collect())
}

fn player(kind: &PlayerKind) -> PlayerInfo {
    PlayerInfo { id: kind.to_string(), title: kind.title(), help: kind.help() }
}

/// A ruling or odds, as the request says.
pub async fn adjudicate(State(app): State<Arc<App>>, caller: Caller, Raw(body): Raw) -> Reply<Json<Response>> {
    settle(app, caller, body.to_vec()).await
}

/// Odds: the same request, asked for odds.
pub async fn odds(State(app): State<Arc<App>>, caller: Caller, Raw(body): Raw) -> Reply<Json<Response>> {
    let mut request: Value =
        serde_json::from_slice(&body).map_err(|error| Refusal::new("bad-json", format!("Not JSON: {error}.")))?;
    if let Some(fields) = request.as_object_mut() {
        fields.insert("odds".into(), Value::Bool(true));
    }
    let body = serde_json::to_vec(&request).map_err(Failure::internal)?;
    settle(app, caller, body).await
}

async fn settle(app: Arc<App>, caller: Caller, body: Vec<u8>) -> Reply<Json<Response>> {
    caller.may(&app, Doing::Heavy)?;
    let request = flagplot_referee::parse(&body)?;
    let catalog = app.catalog.clone();
    app.heavy(move || {
        let begun = Instant::now();
        let late = move || begun.elapsed() > PATIENCE;
        let budget = Budget { give_up: Some(&late), ..Budget::default() };
        // The system is named in the request, not in the address: one that is not there is a refusal like any other.
        let refused = |refusal| Failure { status: StatusCode::UNPROCESSABLE_ENTITY, ..Failure::from(refusal) };
        Ok(Json(catalog.adjudicate(request, || u64::from_le_bytes(os_random()), budget).map_err(refused)?))
    })
    .await
}
