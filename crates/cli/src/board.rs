//! A scene as plain text: no cursor tricks, nothing that depends on colour.

use crate::{chart, country, print};
use flagplot_kernel::Scene;
use flagplot_kernel::scene::{Badge, Piece, Place, Surface};
use std::fmt::Write;

/// The board in lines of text.
pub fn draw(scene: &Scene) -> String {
    let mut text = String::new();
    let _infallible = write_board(&mut text, scene);
    text
}

/// The data card of a piece by its name, its id or its letter on the board; or which cards there are.
pub fn card(scene: &Scene, name: &str) -> Vec<String> {
    let wanted = name.to_lowercase();
    let called = |piece: &Piece| piece.id.to_lowercase() == wanted || piece.name.to_lowercase() == wanted;
    let named = scene.pieces.iter().find(|piece| called(piece)).or_else(|| {
        let mut letters = scene.pieces.iter().enumerate().filter(|(at, _)| name == letter(*at).to_string());
        letters.next().map(|(_, piece)| piece)
    });
    let begins = || scene.pieces.iter().find(|piece| !wanted.is_empty() && piece.name.to_lowercase().contains(&wanted));
    let found = named.or_else(begins).and_then(|piece| scene.cards.iter().find(|card| card.piece == piece.id));
    match found {
        Some(found) => print::terminal(&found.card),
        None if scene.cards.is_empty() => vec!["This game has no data cards.".to_owned()],
        None => {
            let titles: Vec<&str> = scene.cards.iter().map(|card| card.card.title.as_str()).collect();
            vec![format!("Which card? card NAME. There are cards of {}.", titles.join(", "))]
        }
    }
}

fn write_board(text: &mut String, scene: &Scene) -> std::fmt::Result {
    let rule = "─".repeat(scene.title.chars().count().max(40));
    writeln!(text, "{rule}\n{}\n{rule}", scene.title)?;
    for line in &scene.status {
        writeln!(text, "{line}")?;
    }
    match &scene.surface {
        Surface::Boxes { boxes } => {
            for area in boxes {
                let inside: Vec<&Piece> =
                    scene.pieces.iter().filter(|piece| piece.place == Place::Box(area.id.clone())).collect();
                if inside.is_empty() {
                    continue;
                }
                let note = if area.note.is_empty() { String::new() } else { format!(" ({})", area.note) };
                writeln!(text, "\n{}{note}", area.title)?;
                for piece in inside {
                    writeln!(text, "  {}", line(piece))?;
                }
            }
        }
        Surface::Plane { min, max, .. } => {
            let drawn =
                if chart::fits(scene) { chart::draw(scene, *min, *max, letter) } else { map(scene, *min, *max) };
            text.push_str(&drawn);
            list(text, scene)?;
        }
        Surface::Hexes { columns, labels, land: Some(land), .. } => country::write(text, scene, columns, labels, land)?,
        Surface::Hexes { .. } => {
            let points: Vec<[i64; 2]> = scene.pieces.iter().filter_map(point).collect();
            if let (Some(min), Some(max)) = (corner(&points, i64::min), corner(&points, i64::max)) {
                text.push_str(&map(scene, [min[0] - 1000, min[1] - 1000], [max[0] + 1000, max[1] + 1000]));
            }
            list(text, scene)?;
        }
    }
    let name =
        |id: &str| scene.pieces.iter().find(|piece| piece.id == id).map_or(id.to_owned(), |piece| piece.name.clone());
    for arrow in &scene.arrows {
        writeln!(text, "  {} → {}: {}", name(&arrow.from), name(&arrow.to), arrow.label)?;
    }
    for panel in &scene.panels {
        writeln!(text, "\n{}", panel.title)?;
        let columns = panel.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|at| {
                panel.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0)
            })
            .collect();
        for row in &panel.rows {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            writeln!(text, "  {}", cells.join("  ").trim_end())?;
        }
    }
    Ok(())
}

fn line(piece: &Piece) -> String {
    let badge = |badge: &Badge| {
        let gap = if badge.label.chars().count() > 2 { " " } else { "" };
        format!("{}{gap}{}", badge.label, badge.value)
    };
    let badges: Vec<String> = piece.badges.iter().map(badge).collect();
    let states = if piece.states.is_empty() { String::new() } else { format!("  [{}]", piece.states.join(", ")) };
    format!("{:44} {:24}{states}  ({})", piece.name, badges.join(" "), piece.id)
}

fn point(piece: &Piece) -> Option<[i64; 2]> {
    match piece.place {
        Place::Point(point) => Some(point),
        Place::Box(_) | Place::Hex(_) => None,
    }
}

fn corner(points: &[[i64; 2]], pick: fn(i64, i64) -> i64) -> Option<[i64; 2]> {
    points.iter().copied().reduce(|a, b| [pick(a[0], b[0]), pick(a[1], b[1])])
}

/// A rough map: each piece is a letter, explained in the list below it.
fn map(scene: &Scene, min: [i64; 2], max: [i64; 2]) -> String {
    const COLUMNS: usize = 72;
    const ROWS: usize = 24;
    let (width, height) = ((max[0] - min[0]).max(1), (max[1] - min[1]).max(1));
    let mut cells = vec![vec!['·'; COLUMNS]; ROWS];
    for (at, piece) in scene.pieces.iter().enumerate() {
        if let Some([x, y]) = point(piece) {
            let column = ((x - min[0]).clamp(0, width) * (COLUMNS as i64 - 1) / width) as usize;
            let row = ((max[1] - y).clamp(0, height) * (ROWS as i64 - 1) / height) as usize;
            cells[row][column] = if cells[row][column] == '·' { letter(at) } else { '*' };
        }
    }
    let lines: Vec<String> = cells.into_iter().map(|row| row.into_iter().collect()).collect();
    format!("\n{}\n", lines.join("\n"))
}

fn letter(at: usize) -> char {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".chars().nth(at).unwrap_or('#')
}

fn list(text: &mut String, scene: &Scene) -> std::fmt::Result {
    writeln!(text)?;
    for (at, piece) in scene.pieces.iter().enumerate() {
        let place = point(piece).map_or(String::new(), |[x, y]| format!("  at {x}, {y}"));
        writeln!(text, "  {} {}{place}", letter(at), piece.text)?;
    }
    Ok(())
}
