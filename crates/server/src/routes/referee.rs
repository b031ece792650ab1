//! Systems, rules, rulings and odds.

use crate::access::{Caller, Id, Raw};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Action;
use crate::pool::{Lane, too_much_work};
use crate::wire::{PlayerInfo, ProcedureBrief, RulesPage, ScenarioOptions, SystemBrief, SystemDetail};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::os_random;
use flagplot_kernel::{Refusal, ScenarioInfo};
use flagplot_odds::Budget;
use flagplot_referee::table::TableInfo;
use flagplot_referee::{About, Chart, Response};
use serde_json::Value;
use std::sync::{Arc, OnceLock};

fn brief(catalog: &Catalog, id: &str) -> Result<SystemBrief, Refusal> {
    let system = catalog.system(id)?;
    let acts = system.acts();
    let listed = |about: About| {
        let ruled = || acts.iter().filter(|act| act.procedure == about.name);
        ProcedureBrief {
            name: about.name,
            help: about.help,
            group: ruled().next().map_or("", |act| act.group),
            icon: ruled().next().map_or("dice", |act| act.icon),
            acts: ruled().map(|act| act.title).collect(),
        }
    };
    let procedures = system.procedures().iter().map(|procedure| listed(procedure.about())).collect();
    Ok(SystemBrief {
        id: system.id(),
        title: system.title(),
        blurb: system.blurb(),
        edition: catalog.edition(id)?,
        scenarios: system.scenarios(),
        procedures,
    })
}

pub async fn systems(State(app): State<Arc<App>>) -> Reply<Json<Vec<SystemBrief>>> {
    let all: Result<Vec<_>, _> = app.catalog.ids().map(|id| brief(&app.catalog, id)).collect();
    Ok(Json(all?))
}

pub async fn system(State(app): State<Arc<App>>, Id(id): Id) -> Reply<Json<SystemDetail>> {
    let SystemBrief { id, title, blurb, edition, scenarios, .. } = brief(&app.catalog, &id)?;
    let system = app.catalog.system(id)?;
    let procedures = system.procedures().iter().map(|procedure| procedure.about()).collect();
    let options = |scenario: &ScenarioInfo| {
        system.options(&scenario.id).map(|(shape, value)| ScenarioOptions {
            scenario: scenario.id.clone(),
            shape,
            value,
        })
    };
    let options = scenarios.iter().filter_map(options).collect();
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

pub async fn rules(State(app): State<Arc<App>>, Id(id): Id) -> Reply<Json<RulesPage>> {
    Ok(Json(RulesPage { markdown: app.catalog.system(&id)?.rules_page() }))
}

/// A system's tables, with all their cells.
pub async fn tables(State(app): State<Arc<App>>, Id(id): Id) -> Reply<Json<Vec<Chart>>> {
    Ok(Json(app.catalog.system(&id)?.charts()))
}

/// What a referee's table of a system offers.
pub async fn table(State(app): State<Arc<App>>, Id(id): Id) -> Reply<Json<TableInfo>> {
    Ok(Json(app.catalog.table(&id)?))
}

pub async fn players() -> Json<Vec<PlayerInfo>> {
    Json(PlayerKind::ALL.iter().map(player).collect())
}

fn player(kind: &PlayerKind) -> PlayerInfo {
    PlayerInfo { id: kind.to_string(), title: kind.title(), help: kind.help() }
}

/// A ruling or odds.
pub async fn adjudicate(State(app): State<Arc<App>>, caller: Caller, Raw(body): Raw) -> Reply<Json<Response>> {
    settle(app, caller, move || Ok(body.to_vec())).await
}

/// Odds for the same request.
pub async fn odds(State(app): State<Arc<App>>, caller: Caller, Raw(body): Raw) -> Reply<Json<Response>> {
    let asked = move || {
        let mut request: Value =
            serde_json::from_slice(&body).map_err(|error| Refusal::new("bad-json", format!("Not JSON: {error}.")))?;
        if let Some(fields) = request.as_object_mut() {
            fields.insert("odds".into(), Value::Bool(true));
        }
        serde_json::to_vec(&request).map_err(Failure::internal)
    };
    settle(app, caller, asked).await
}

/// What would make the odds less work: fewer of what the request has many of, or fewer fields of the result.
fn smaller(request: &Value) -> String {
    let mut large = Vec::new();
    sizes(&request["input"], &mut large);
    large.sort_by(|(name, size), (other, more)| more.cmp(size).then(name.cmp(other)));
    large.dedup_by(|(name, _), (other, _)| name == other);
    let named: Vec<String> = large.iter().take(3).map(|(name, size)| format!("{name} ({size})")).collect();
    let less = match named.as_slice() {
        [] => "Give fewer facts that are left to the dice".to_owned(),
        named => format!("Make one of these smaller: {}", named.join(", ")),
    };
    if request["field"].is_null() { format!("{less}; or ask for one field of the result.") } else { format!("{less}.") }
}

/// The lists with more than one item and the numbers above 5, by the name of their field.
fn sizes(value: &Value, large: &mut Vec<(String, u64)>) {
    let Value::Object(fields) = value else { return };
    for (name, value) in fields {
        let short = || name.chars().take(60).collect::<String>();
        match value {
            Value::Array(items) => {
                items.iter().for_each(|item| sizes(item, large));
                if items.len() > 1 {
                    large.push((short(), items.len() as u64));
                }
            }
            Value::Number(number) => {
                large.extend(number.as_u64().filter(|size| *size > 5).map(|size| (short(), size)));
            }
            inner => sizes(inner, large),
        }
    }
}

/// Rules on a request, which is read in the pool, too: a large one takes its time.
async fn settle(
    app: Arc<App>,
    caller: Caller,
    body: impl FnOnce() -> Reply<Vec<u8>> + Send + 'static,
) -> Reply<Json<Response>> {
    caller.may(&app, Action::Heavy)?;
    let catalog = app.catalog.clone();
    let remedy = Arc::new(OnceLock::new());
    let found = remedy.clone();
    let longest = app.rule_for;
    let share = caller.share(Lane::Long, longest, None);
    // The limits of the pool stop what goes beyond them, so that the budget needs none of its own.
    app.pool
        .run(share, move || {
            let body = body()?;
            let request = flagplot_referee::parse(&body)?;
            found.get_or_init(|| smaller(&serde_json::from_slice(&body).unwrap_or_default()));
            let refused = |refusal: Refusal| match refusal.code {
                "budget-exceeded" => too_much_work(longest),
                // The system is named in the body, so an unknown one is no missing page.
                _ => Failure { status: StatusCode::UNPROCESSABLE_ENTITY, ..Failure::from(refusal) },
            };
            let dice = || u64::from_le_bytes(os_random());
            Ok(Json(catalog.adjudicate(request, dice, Budget::default()).map_err(refused)?))
        })
        .await
        .map_err(|mut failure| {
            if failure.refusal.code == "too-much-work"
                && let Some(remedy) = remedy.get()
            {
                failure.refusal.remedy = Some(remedy.clone());
            }
            failure
        })
}
