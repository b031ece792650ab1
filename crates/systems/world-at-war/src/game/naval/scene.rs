//! The board of a naval battle: a box for each group and base, ships and squadrons in it. [16.6]

use super::NavalGame;
use super::SIDES;
use super::facts::Home;
use super::imagine::NavalView;
use super::screens::{light_piece, sentence};
use super::state::{Condition, Open, Phase, Stage, Status};
use crate::messages::counted;
use crate::naval_data::ShipKind;
use crate::scenarios::Contact;
use flagplot_kernel::scene::{Arrow, Badge, BoxArea, Panel, Piece, Place, Surface};
use flagplot_kernel::{Scene, Side};

pub(super) fn draw(game: &NavalGame, view: &NavalView) -> Scene {
    let open = &view.open;
    let mut boxes = Vec::new();
    let mut pieces = Vec::new();
    for side in Side::BOTH {
        for group in 0..open.groups.len() as u8 {
            if game.side_of_group(group) == side && !matches!(open.groups[usize::from(group)].status, Status::Merged(_))
            {
                boxes.push(group_box(game, open, group));
                pieces.extend(ships(game, open, group));
                pieces.extend(air(game, view, Home::Group(group)));
                pieces.extend(cover(game, open, group));
            }
        }
        for (at, base) in game.facts.bases.iter().enumerate().filter(|(_, base)| base.side == side) {
            let (id, title) = (base.id.clone(), base.name.clone());
            boxes.push(BoxArea { id, title, side: Some(side), note: "base".into(), weight: 1 });
            pieces.extend(air(game, view, Home::Base(at as u8)));
        }
    }
    Scene {
        title: format!("{}: {}", game.scenario.name, headline(game, open)),
        status: status(game, open),
        surface: Surface::Boxes { boxes },
        pieces,
        arrows: arrows(game, open),
        panels: panels(game, view),
        ..Scene::default()
    }
}

fn headline(game: &NavalGame, open: &Open) -> String {
    let round = format!("round {} of {}", open.round, game.scenario.rounds);
    let phase = match open.phase {
        Phase::Pick => return "picking ships".into(),
        Phase::Over => return "the end".into(),
        Phase::Arrivals => "arrivals",
        Phase::Merge(_) => "merging",
        Phase::Tasking => "tasking",
        Phase::Search => "search",
        Phase::Launch => "launching",
        Phase::Strike(Stage::Arrive | Stage::Cap) => "the strike meets CAP",
        Phase::Strike(Stage::Guns) => "air defense",
        Phase::Strike(Stage::Targets) => "targets",
        Phase::Strike(Stage::Attack(_)) => "attacks",
        Phase::Recovery => "recovery",
        Phase::Engage(_) | Phase::Evade { .. } => "surface contact",
        Phase::Orders(_) => "fire orders",
        Phase::Shot { .. } | Phase::Effects(_) => "fire",
        Phase::Withdraw(_) => "withdrawal",
        Phase::RoundEnd => "end of the round",
    };
    format!("{round}, {phase}")
}

fn status(game: &NavalGame, open: &Open) -> Vec<String> {
    if open.groups.is_empty() {
        return Vec::new();
    }
    let mut lines = game.facts.limits.status(game.points(open));
    for side in Side::BOTH {
        let sight = open.sight[side];
        if sight.found != 0 && game.scenario.contact != Contact::Engaged {
            let names: Vec<&str> = game.found(open, side).iter().map(|group| game.group_name(*group)).collect();
            if !names.is_empty() {
                lines.push(format!(
                    "The {} have found {}; surprise {}.",
                    SIDES[side],
                    names.join(", "),
                    sight.surprise
                ));
            }
        }
    }
    lines
}

fn group_box(game: &NavalGame, open: &Open, group: u8) -> BoxArea {
    let (facts, state) = (&game.facts.groups[usize::from(group)], &open.groups[usize::from(group)]);
    let enemy = facts.side.other();
    let mut notes: Vec<String> = Vec::new();
    match state.status {
        Status::Coming => notes.push(format!("arrives in round {}", facts.from_round)),
        Status::Withdrawn => notes.push("withdrawn".into()),
        Status::Here => {
            notes.push(format!("{} naval factors", game.naval_factors(open, group)));
            notes.push(if game.fast(open, group) { "fast" } else { "slow" }.into());
            if game.screened(open, group) {
                notes.push("carriers and transports screened".into());
            }
            if state.encumbered {
                notes.push("encumbered".into());
            }
            if open.sight[enemy].found & (1 << group) != 0 {
                notes.push("found".into());
            }
        }
        Status::Merged(_) => {}
    }
    BoxArea {
        id: facts.id.clone(),
        title: facts.name.clone(),
        side: Some(facts.side),
        note: notes.join(", "),
        weight: 2,
    }
}

fn ships(game: &NavalGame, open: &Open, group: u8) -> Vec<Piece> {
    let here = |home: u8| open.joined(home) == group;
    let side = game.side_of_group(group);
    let place = || Place::Box(game.facts.groups[usize::from(group)].id.clone());
    let mut pieces = Vec::new();
    for (ship, condition) in game.facts.ships.iter().zip(&open.ships).filter(|(ship, _)| here(ship.group)) {
        let (state, word) = match condition {
            Condition::Absent => continue,
            Condition::Sound => (None, "sound"),
            Condition::Damaged => (Some("damaged"), "damaged"),
            Condition::Sunk => (Some("sunk"), "sunk"),
        };
        let kind = if ship.kind == ShipKind::CapitalShip { "battleship" } else { "carrier" };
        let mut badges = vec![Badge::new("S", ship.size, format!("size {}", ship.size))];
        if ship.capacity > 0 {
            badges.push(Badge::new("A", ship.capacity, format!("room for {}", counted(ship.capacity, "squadron"))));
        }
        let mut states: Vec<String> = state.into_iter().map(str::to_owned).collect();
        if is_target(game, open, group, &ship.id) {
            states.push("detected".into());
        }
        pieces.push(Piece {
            id: ship.id.clone(),
            name: ship.name.clone(),
            side: Some(side),
            kind: kind.into(),
            place: place(),
            facing: None,
            size: Some([i64::from(ship.size), 0]),
            text: format!("{}, {kind}, size {}, {word}", ship.name, ship.size),
            badges,
            states,
        });
    }
    let lights = &open.groups[usize::from(group)].lights;
    if !lights.is_empty() {
        let classes = [
            ("C", lights.cruisers, "cruiser"),
            ("C†", lights.damaged_cruisers, "damaged cruiser"),
            ("D", lights.destroyers, "destroyer"),
            ("E", lights.cves, "escort carrier"),
            ("T", lights.transports, "transport"),
        ];
        let there = classes.iter().filter(|class| class.1 > 0);
        let text: Vec<String> = there.clone().map(|(_, count, name)| counted(*count, name)).collect();
        pieces.push(Piece {
            id: light_piece(game, group),
            name: "Light ships".into(),
            side: Some(side),
            kind: "destroyer".into(),
            place: place(),
            facing: None,
            size: Some([i64::from(lights.factors()), 0]),
            badges: there.map(|(label, count, name)| Badge::new(*label, count, counted(*count, name))).collect(),
            states: Vec::new(),
            text: format!("Light ships: {}", text.join(", ")),
        });
    }
    pieces
}

/// Whether a ship is a target of the strike that is going in.
fn is_target(game: &NavalGame, open: &Open, group: u8, id: &str) -> bool {
    open.flights
        .first()
        .is_some_and(|flight| flight.target == group && flight.aims.iter().any(|(mark, _)| game.mark_id(*mark) == id))
}

fn air(game: &NavalGame, view: &NavalView, home: Home) -> Vec<Piece> {
    let open = &view.open;
    let side = game.facts.side_of(home);
    let wings = open.wings.iter().zip(&view.tasks).enumerate();
    wings
        .filter(|(_, (wing, _))| wing.home == home && wing.count > 0)
        .map(|(at, (wing, task))| {
            let mut badges = vec![Badge::new("", wing.count, counted(wing.count.into(), "squadron"))];
            let mut add = |label: &str, number: Option<u8>, title: &str| {
                if let Some(number) = number.filter(|number| *number > 0) {
                    badges.push(Badge::new(label, number, format!("{number} {title}")));
                }
            };
            add("CAP", task.cap, "on CAP");
            add("ready", task.strike, "ready to strike");
            add("out", Some(wing.flying), "on a strike");
            add("away", Some(wing.away), "away for the round");
            add("aborted", Some(wing.aborted.max(wing.tired)), "aborted");
            let words: Vec<&str> = badges.iter().map(|badge| badge.title.as_str()).collect();
            let name = game.facts.unit_name(wing.unit);
            Piece {
                id: format!("{}.air", game.wing_id(open, at as u8)),
                text: format!("{}: {}", sentence(&name), words.join(", ")),
                name: sentence(&name),
                side: Some(side),
                kind: "squadron".into(),
                place: Place::Box(game.facts.home_id(home).to_owned()),
                facing: None,
                size: Some([i64::from(wing.count), 0]),
                badges,
                states: Vec::new(),
            }
        })
        .collect()
}

fn cover(game: &NavalGame, open: &Open, group: u8) -> Vec<Piece> {
    game.covers(open, group)
        .map(|(at, air)| {
            let name = format!("Cover by {}", super::facts::air_name(&air));
            Piece {
                id: format!("cover.{at}"),
                text: format!("{name}: {}", counted(air.count, "squadron")),
                name,
                side: Some(game.side_of_group(group)),
                kind: "squadron".into(),
                place: Place::Box(game.facts.groups[usize::from(group)].id.clone()),
                facing: None,
                size: Some([i64::from(air.count), 0]),
                badges: vec![Badge::new("", air.count, counted(air.count, "squadron"))],
                states: Vec::new(),
            }
        })
        .collect()
}

/// Strikes on their way, and fire that has been ordered.
fn arrows(game: &NavalGame, open: &Open) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for flight in &open.flights {
        for &(wing, count) in flight.force.iter().filter(|(_, count)| *count > 0) {
            arrows.push(Arrow {
                from: format!("{}.air", game.wing_id(open, wing)),
                to: game.facts.groups[usize::from(flight.target)].id.clone(),
                label: count.to_string(),
                side: Some(flight.side),
            });
        }
    }
    let pair = match open.phase {
        Phase::Shot { pair, .. } | Phase::Effects(pair) => game.pair(open, pair),
        _ => None,
    };
    if let Some(pair) = pair {
        for order in &open.fire {
            let (own, enemy) = (pair[order.side], pair[order.side.other()]);
            for &gun in &order.guns {
                let from = match gun {
                    super::state::Gun::Ship(at) => game.ship(at).id.clone(),
                    _ => light_piece(game, own),
                };
                let to = super::screens::mark_piece(game, enemy, order.target);
                let label = game.firers(open, own, gun).factors.to_string();
                arrows.push(Arrow { from, to, label, side: Some(order.side) });
            }
        }
    }
    arrows
}

fn panels(game: &NavalGame, view: &NavalView) -> Vec<Panel> {
    let open = &view.open;
    let mut panels = Vec::new();
    if open.groups.is_empty() {
        return panels;
    }
    let (points, lost) = (game.points(open), game.losses(open));
    let row = |side: Side| {
        let conceded = if game.concedes(open, side.other()) { game.concession(side.other()) } else { 0 };
        let for_losses = lost[side.other()];
        let other = points[side] - for_losses - conceded;
        let cells = [for_losses, other, conceded, points[side]].map(|points| points.to_string());
        [vec![SIDES[side].to_owned()], cells.to_vec()].concat()
    };
    let header = ["Side", "Enemy losses", "Invasion", "Conceded", "Points"].map(str::to_owned).to_vec();
    panels.push(Panel {
        title: "Score as it stands".into(),
        side: None,
        rows: vec![header, row(Side::First), row(Side::Second)],
        header: true,
    });
    for side in Side::BOTH {
        let sunk = game.facts.ships.iter().zip(&open.ships);
        let names: Vec<&str> = sunk
            .filter(|(ship, condition)| ship.side == side && **condition == Condition::Sunk)
            .map(|(ship, _)| ship.name.as_str())
            .collect();
        let ships = if names.is_empty() { "none".into() } else { names.join(", ") };
        let rows = [
            ("Ships sunk", ships),
            ("Light ships sunk", format!("{} factors", open.light_sunk[side])),
            ("Squadrons lost", open.squadrons_lost[side].to_string()),
        ];
        panels.push(Panel {
            title: format!("Losses of the {}", SIDES[side]),
            side: Some(side),
            rows: rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect(),
            header: false,
        });
    }
    if !open.shown.is_empty() {
        let header = ["Home", "CAP", "Ready", "Reserve"].map(str::to_owned).to_vec();
        let rows = open.shown.iter().map(|shown| {
            let numbers = [shown.cap, shown.strike, shown.reserve].map(|number| number.to_string());
            [vec![game.facts.home_name(shown.home).to_owned()], numbers.to_vec()].concat()
        });
        panels.push(Panel {
            title: "Tasks at the end of the last round".into(),
            side: None,
            rows: std::iter::once(header).chain(rows).collect(),
            header: true,
        });
    }
    panels
}
