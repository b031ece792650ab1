//! What the table looks like: big hexes, aircraft on edges and in middles, arrows from hunter to target, log sheets.

use super::state::{CraftId, Phase, State};
use super::{Dogfight, spot};
use crate::bet::Bet;
use crate::position::Position;
use crate::words::{Flight, Maneuver, Pitch, Status, counted, signed};
use flagplot_kernel::Scene;
use flagplot_kernel::hex::Hex;
use flagplot_kernel::scene::{Arrow, Badge, Panel, Piece, Place, Surface, Track};

/// A hex, corner to corner and side to side.
const WIDTH: i64 = 1200;
const HEIGHT: i64 = 1040;

/// Where an aircraft stands: in the middle, or near its edge; several on one spot stand side by side.
fn point(position: &Position, place: i64) -> [i64; 2] {
    let [x, y] = position.hex.centre(WIDTH, HEIGHT);
    let aside = [0, 1, -1, 2, -2, 3, -3, 4][place.unsigned_abs() as usize % 8] * 130;
    match position.facing {
        None => [x + aside, y - aside.abs() / 4],
        Some(facing) => {
            let [nx, ny] = position.hex.step(facing).centre(WIDTH, HEIGHT);
            let (dx, dy) = (nx - x, ny - y);
            // A third of the way out, shifted along the edge.
            [x + dx / 3 + aside * dy / HEIGHT, y + dy / 3 - aside * dx / HEIGHT]
        }
    }
}

pub(super) fn scene(game: &Dogfight, state: &State) -> Scene {
    let phase = match state.phase {
        Phase::Smoke => "smoke and fire",
        Phase::Targets => "targets",
        Phase::Initiative => "initiative",
        Phase::Movement => "movement",
        Phase::Combat => "combat",
        Phase::Hits => "hits",
        Phase::End => "end of turn",
        Phase::Over => "the game is over",
    };
    let map: Vec<[i32; 3]> = Hex::new(0, 0).columns_within(game.scenario.radius.unsigned_abs()).collect();
    let pieces: Vec<Piece> = state.in_play().map(|id| piece(game, state, id)).collect();
    Scene {
        title: format!("{}, turn {} of {}: {phase}", game.scenario.title, state.turn, game.scenario.turns),
        status: status(game, state),
        surface: Surface::Hexes {
            width: WIDTH,
            height: HEIGHT,
            labels: map.iter().flat_map(|column| labels(game, *column)).collect(),
            columns: map,
            land: None,
        },
        pieces,
        tracks: tracks(game, state),
        arrows: arrows(game, state),
        panels: panels(game, state),
        ..Scene::default()
    }
}

/// The names of the hexes of a column.
fn labels(game: &Dogfight, [q, first, last]: [i32; 3]) -> impl Iterator<Item = (i32, i32, String)> + '_ {
    (first..=last).map(move |r| (q, r, game.hex_name(Hex::new(q, r))))
}

fn status(game: &Dogfight, state: &State) -> Vec<String> {
    let score = game.current_score(state);
    let (allied, central, margin) = (score.allied, score.central, game.win_margin());
    let mut lines = vec![format!("Points so far: Allied {allied}, Central {central}. A lead of {margin} wins.")];
    let waiting = state.order.places().iter().copied().filter(|&id| !state.order.has_moved(id)).collect();
    for (what, ids) in [("Moved", state.order.moved().to_vec()), ("Still to move, low rank first", waiting)] {
        if !ids.is_empty() {
            let names: Vec<&str> = ids.into_iter().map(|id| game.who(id).name).collect();
            lines.push(format!("{what}: {}.", names.join(", ")));
        }
    }
    if let Some(mover) = &state.mover {
        let (who, die) = (game.who(mover.who), mover.die);
        let left = counted(game.points_left(mover), "movement point");
        lines.push(format!("{who} is moving: die {die}, {left} left."));
    }
    lines
}

fn piece(game: &Dogfight, state: &State, id: CraftId) -> Piece {
    let craft = state.get(id);
    let info = game.info(id);
    let place = state
        .in_play()
        .filter(|&other| {
            other < id
                && state.get(other).position.hex == craft.position.hex
                && state.get(other).position.facing == craft.position.facing
        })
        .count() as i64;
    let pitch = match craft.position.pitch {
        Pitch::Level => "",
        Pitch::Climbing => "↑",
        Pitch::Diving => "↓",
    };
    let (level, speed) = (craft.position.level, craft.speed);
    let mut badges = vec![
        Badge::new("L", format!("{level}{pitch}"), format!("level {level}, {}", craft.position.pitch)),
        Badge::new("S", speed, format!("speed {speed}")),
    ];
    if let Some(edge) = craft.edge {
        badges.push(Badge::new("E", signed(edge), "edge over its target"));
    }
    let states = [
        (craft.flight.word(), craft.flight != Flight::Flying),
        ("burning", craft.harm.burning),
        ("smoking", craft.harm.smoking && !craft.harm.burning),
        ("damaged", craft.harm.boxes.marks_made() > 0),
        ("acted", state.order.has_moved(id)),
        ("active", state.mover.as_ref().is_some_and(|mover| mover.who == id)),
    ];
    let states = states.into_iter().filter(|(_, holds)| *holds).map(|(state, _)| state.to_owned()).collect();
    let target = craft.target.map_or(String::new(), |target| format!(", after {}", game.who(target)));
    let edge = craft.edge.map_or(String::new(), |edge| format!(" with edge {}", signed(edge)));
    let (hex, spot) = (game.hex_name(craft.position.hex), spot(&craft.position));
    Piece {
        id: info.start.id.clone(),
        name: info.name.clone(),
        side: Some(info.start.side.side()),
        kind: info.start.kind.clone(),
        place: Place::Point(point(&craft.position, place)),
        facing: craft.position.facing.map(|facing| i32::from(facing.index()) * 60),
        size: None,
        badges,
        states,
        text: format!(
            "{} at {hex} {spot}, level {level}{pitch}, speed {speed}, {}{target}{edge}",
            info.title, craft.flight
        ),
    }
}

/// The step that a straight flight would be, for the aircraft that is moving.
fn tracks(game: &Dogfight, state: &State) -> Vec<Track> {
    let Some(mover) = &state.mover else { return Vec::new() };
    let position = &state.get(mover.who).position;
    let Some(facing) = position.facing else { return Vec::new() };
    let ahead = Position { hex: position.hex.step(facing), ..*position };
    vec![Track {
        points: vec![point(position, 0), point(&ahead, 0)],
        label: "straight ahead".into(),
        side: Some(game.side(mover.who).side()),
        piece: Some(game.who(mover.who).id.to_owned()),
        ..Track::default()
    }]
}

fn arrows(game: &Dogfight, state: &State) -> Vec<Arrow> {
    let arrow = |id: CraftId| {
        let craft = state.get(id);
        let target = craft.target.filter(|&target| state.get(target).in_play())?;
        let label = craft.edge.map_or("formation".to_owned(), |edge| format!("edge {}", signed(edge)));
        Some(Arrow {
            from: game.who(id).id.to_owned(),
            to: game.who(target).id.to_owned(),
            label,
            side: Some(game.side(id).side()),
        })
    };
    state.in_play().filter_map(arrow).collect()
}

fn panels(game: &Dogfight, state: &State) -> Vec<Panel> {
    let header: Vec<String> = [
        "aircraft",
        "level",
        "speed",
        "target",
        "edge",
        "initiative",
        "experience",
        "flying",
        "shooting",
        "bets",
        "with aerobatics",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut rows = vec![header];
    for id in state.in_play() {
        let craft = state.get(id);
        let numbers = |points: i32| {
            let number = |level| {
                let bet = Bet {
                    maneuver: Maneuver::Straight,
                    level,
                    required: None,
                    leveling: false,
                    points,
                    flying: game.flying(state, id),
                    control_penalty: craft.harm.control_penalty,
                    formation_points: 0,
                    stress_bet_level: 3,
                };
                bet.needs(&game.rules.tables).to_string()
            };
            (0..=3).map(number).collect::<Vec<_>>().join("/")
        };
        rows.push(vec![
            game.title(id).to_owned(),
            match craft.position.pitch {
                Pitch::Level => craft.position.level.to_string(),
                pitch => format!("{}, {pitch}", craft.position.level),
            },
            format!("{} ({})", craft.speed, craft.flight),
            craft.target.map_or("none".to_owned(), |target| game.who(target).name.to_owned()),
            craft.edge.map_or("–".to_owned(), signed),
            craft.posted.to_string(),
            signed(game.experience(state, id)),
            signed(game.flying(state, id)),
            signed(game.shooting(state, id)),
            numbers(0),
            numbers(1),
        ]);
    }
    let mut panels = vec![Panel { title: "In the air".into(), side: None, rows, header: true }];
    panels.extend((0..state.craft.len() as u8).map(|id| log_sheet(game, state, id)));
    panels
}

/// The log sheet of one aircraft: ratings, boxes and everything it has suffered.
fn log_sheet(game: &Dogfight, state: &State, id: CraftId) -> Panel {
    let (info, craft) = (game.info(id), state.get(id));
    let r = &info.ratings;
    let wear = craft.harm.boxes.wear();
    let mut rows = vec![
        vec!["pilot".into(), info.pilot_told.clone()],
        vec![
            "speeds".into(),
            format!("minimum {}, maximum {}, dive {}", r.min_speed, r.max_speed, r.max_dive - wear.max_dive_reduction),
        ],
        vec!["ratings".into(), info.ratings_told.clone()],
    ];
    rows.extend(
        craft.harm.boxes.texts().into_iter().enumerate().map(|(set, text)| vec![format!("set {}", set + 1), text]),
    );
    let harm = &craft.harm;
    let engine = if harm.engine_destroyed { "destroyed".to_owned() } else { signed(-harm.power_penalty) };
    let fire = match (harm.burning, harm.smoking) {
        (true, _) => ", burning",
        (false, true) => ", smoking",
        (false, false) => "",
    };
    let harm = format!("engine {engine}, controls −{}, wounds −{}{fire}", harm.control_penalty, harm.wounds);
    let stress = format!("{} to tests, due from bet level {}", wear.stress_modifier, wear.stress_bet_level);
    rows.push(vec!["stress".into(), stress]);
    rows.push(vec!["harm".into(), harm]);
    rows.push(vec!["points lost".into(), game.points_lost(state, id).to_string()]);
    let gone = if craft.status == Status::InPlay { String::new() } else { format!(" – {}", craft.status) };
    Panel { title: format!("{}{gone}", game.title(id)), side: Some(info.start.side.side()), rows, header: false }
}
