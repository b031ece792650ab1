//! Puzzles: positions with a best answer. The server keeps how many have solved each, and not who.

use crate::access::{Body, Caller, Id};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Action;
use crate::pool::Lane;
use crate::secret;
use crate::store::PuzzleRow;
use crate::wire::{PuzzleAnswer, PuzzleBrief, PuzzleOverview, PuzzleResult, PuzzleShelf, PuzzleState, PuzzleWorth};
use axum::Json;
use axum::extract::State;
use flagplot_catalog::Catalog;
use flagplot_desk::puzzle::{Collection, Puzzle};
use flagplot_kernel::{Refusal, Side, Viewer};
use std::sync::Arc;
use std::time::Duration;

/// The processor time for playing up to a puzzle.
const LONGEST_POSE: Duration = Duration::from_secs(2);
/// How many browsers of one address count for a puzzle.
const MOST_BROWSERS: i64 = 20;
/// How long the name of a browser may be.
const BROWSER: std::ops::RangeInclusive<usize> = 16..=64;
/// How many of the latest lines of the log are shown.
const LOG: usize = 8;
/// A day, in milliseconds.
const DAY: i64 = 86_400_000;

fn count<'a>(rows: &'a [PuzzleRow], id: &str) -> Option<&'a PuzzleRow> {
    rows.iter().find(|row| row.puzzle == id)
}

fn brief(catalog: &Catalog, puzzle: &Puzzle<'static>, rows: &[PuzzleRow]) -> Result<PuzzleBrief, Refusal> {
    let row = count(rows, &puzzle.position.id);
    Ok(PuzzleBrief {
        id: &puzzle.position.id,
        system: &puzzle.source.opening.system,
        number: puzzle.number,
        title: puzzle.title(),
        scenario: puzzle.scenario(catalog)?,
        difficulty: puzzle.position.difficulty(),
        tried: row.map_or(0, |row| row.tried),
        solved: row.map_or(0, |row| row.solved),
    })
}

/// The puzzle of the day, and how many there are.
pub async fn overview(State(app): State<Arc<App>>) -> Reply<Json<PuzzleOverview>> {
    let rows = app.store.puzzle_counts().await?;
    let today = Puzzle::of_day(app.wall.millis().div_euclid(DAY).unsigned_abs())?;
    let shelf = |one: Result<&'static Collection, Refusal>| {
        let one = one?;
        Ok(PuzzleShelf { system: &one.system, title: app.catalog.system(&one.system)?.title(), puzzles: one.len() })
    };
    let systems = Collection::all().map(shelf).collect::<Result<Vec<_>, Refusal>>()?;
    Ok(Json(PuzzleOverview { today: brief(&app.catalog, &today, &rows)?, systems }))
}

pub async fn list(State(app): State<Arc<App>>, Id(id): Id) -> Reply<Json<Vec<PuzzleBrief>>> {
    let collection = Collection::of(&id)?;
    let rows = app.store.puzzle_counts().await?;
    let all = collection.puzzles().map(|puzzle| brief(&app.catalog, &puzzle, &rows));
    Ok(Json(all.collect::<Result<_, _>>()?))
}

/// The question and the board of a puzzle.
pub async fn puzzle(State(app): State<Arc<App>>, caller: Caller, Id(id): Id) -> Reply<Json<PuzzleState>> {
    caller.may(&app, Action::Heavy)?;
    let puzzle = Puzzle::named(&id)?;
    let rows = app.store.puzzle_counts().await?;
    let catalog = app.catalog.clone();
    let share = caller.share(Lane::Quick, LONGEST_POSE, None);
    let work = move || Ok(Json(state(&catalog, &puzzle, &rows)?));
    app.pool.run(share, work).await
}

fn state(catalog: &Catalog, puzzle: &Puzzle<'static>, rows: &[PuzzleRow]) -> Result<PuzzleState, Refusal> {
    let posed = puzzle.pose(catalog)?;
    let (desk, seat) = (posed.stage.desk(), puzzle.position.seat);
    let viewer = Viewer::Seat(seat);
    let seats = desk.seats();
    let own = seats.get(usize::from(seat.0));
    let side = own.map_or(seat.side(), |one| one.side);
    let faction =
        |side: Side| seats.iter().find(|one| one.side == side).map_or_else(String::new, |one| one.name.clone());
    let mut log: Vec<_> = desk.log(viewer, 0).into_iter().filter(|entry| !entry.note.detail).collect();
    log.drain(..log.len().saturating_sub(LOG));
    let collection = Collection::of(&puzzle.source.opening.system)?;
    let next = collection.puzzle(puzzle.number % collection.len() + 1)?;
    Ok(PuzzleState {
        puzzle: brief(catalog, puzzle, rows)?,
        system_title: catalog.system(&puzzle.source.opening.system)?.title(),
        factions: [Side::First, Side::Second].map(faction),
        side,
        seat: own.map_or_else(|| seat.to_string(), |one| one.name.clone()),
        aim: desk.game().aims()[side].clone(),
        question: posed.question.prompt.text.clone(),
        rule: posed.question.prompt.rule,
        options: posed.options.clone(),
        scene: desk.situation(viewer).scene,
        log,
        next: &next.position.id,
    })
}

/// Judges an answer, and counts a browser's first one.
pub async fn answer(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id,
    Body(PuzzleAnswer { option, browser }): Body<PuzzleAnswer>,
) -> Reply<Json<PuzzleResult>> {
    caller.may(&app, Action::Heavy)?;
    let puzzle = Puzzle::named(&id)?;
    let position = puzzle.position;
    if option >= position.options.len() {
        let message = format!("The puzzle has {} options, numbered from 0.", position.options.len());
        return Err(Failure::bad("no-option", message));
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !BROWSER.contains(&browser.len()) || !browser.chars().all(plain) {
        let message = "A browser's name has 16 to 64 letters, digits, hyphens or underscores.";
        return Err(Failure::bad("bad-browser", message));
    }
    let right = option == position.best;
    let named = secret::hash(&format!("browser {browser}"));
    let address = caller.address.stored();
    let counted = app.store.try_puzzle(&position.id, &named, &address, MOST_BROWSERS, right).await?;
    let rows = app.store.puzzle_counts().await?;
    let row = count(&rows, &position.id).cloned().unwrap_or_default();
    Ok(Json(PuzzleResult {
        right,
        best: position.best,
        options: position.options.iter().map(|one| PuzzleWorth { worth: one.worth(), error: one.error() }).collect(),
        method: puzzle.method(),
        counted,
        tried: row.tried,
        solved: row.solved,
    }))
}
