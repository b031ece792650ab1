//! A scene as plain text: no cursor tricks, nothing that depends on colour.

use crate::unit::Unit;
use crate::{chart, country, print, sky};
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
        Surface::Hexes { width, height, columns, labels, land: None } => {
            sky::write(text, scene, [*width, *height], columns, labels, letter)?;
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

/// A rough map with a scale at its edges: each piece is a letter, explained in the list below it.
fn map(scene: &Scene, min: [i64; 2], max: [i64; 2]) -> String {
    const COLUMNS: usize = 72;
    const ROWS: usize = 24;
    /// Every so many rows and columns have their number.
    const EACH: [usize; 2] = [12, 4];
    let unit = Unit::of(scene);
    let (width, height) = ((max[0] - min[0]).max(1), (max[1] - min[1]).max(1));
    let mut cells = vec![vec!['·'; COLUMNS]; ROWS];
    for (at, piece) in scene.pieces.iter().enumerate() {
        if let Some([x, y]) = point(piece) {
            let column = ((x - min[0]).clamp(0, width) * (COLUMNS as i64 - 1) / width) as usize;
            let row = ((max[1] - y).clamp(0, height) * (ROWS as i64 - 1) / height) as usize;
            cells[row][column] = if cells[row][column] == '·' { letter(at) } else { '*' };
        }
    }
    // To a tenth of a length.
    let tenth = |units: i64| unit.shown((units + 50).div_euclid(100) * 100);
    let mut text = String::from("\nnorth\n");
    for (row, cells) in cells.into_iter().enumerate() {
        let north = max[1] - row as i64 * height / (ROWS as i64 - 1);
        let scale = if row % EACH[1] == 0 || row == ROWS - 1 { tenth(north) } else { String::new() };
        text += &format!("{scale:>6} {}\n", cells.into_iter().collect::<String>());
    }
    let mut scale = String::from("  east ");
    for column in (0..COLUMNS).step_by(EACH[0]) {
        let east = min[0] + column as i64 * width / (COLUMNS as i64 - 1);
        scale += &format!("{:<1$}", tenth(east), EACH[0]);
    }
    text + scale.trim_end() + "\n"
}

fn letter(at: usize) -> char {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".chars().nth(at).unwrap_or('#')
}

fn list(text: &mut String, scene: &Scene) -> std::fmt::Result {
    let unit = Unit::of(scene);
    writeln!(text)?;
    for (at, piece) in scene.pieces.iter().enumerate() {
        let place = point(piece)
            .map_or(String::new(), |[x, y]| format!("  at {} east, {} north", unit.shown(x), unit.shown(y)));
        writeln!(text, "  {} {}{place}", letter(at), piece.text)?;
    }
    Ok(())
}
