//! Hexes without land as staggered rows of text: the name of each hex, and the pieces in it as letters with an arrow
//! for their heading. Only the hexes around the pieces are shown.

use flagplot_kernel::hex::Hex;
use flagplot_kernel::scene::{Piece, Place, Scene};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The characters of a hex in its row, and how many hexes lie around the pieces.
const CELL: usize = 11;
const ROOM: i32 = 1;
/// Headings in steps of sixty degrees, clockwise from north.
const ARROWS: [char; 6] = ['↑', '↗', '↘', '↓', '↙', '↖'];

pub(crate) fn write(
    text: &mut String,
    scene: &Scene,
    [width, height]: [i64; 2],
    columns: &[[i32; 3]],
    labels: &[(i32, i32, String)],
    letter: impl Fn(usize) -> char,
) -> std::fmt::Result {
    let hexes = || columns.iter().flat_map(|&[q, first, last]| (first..=last).map(move |r| Hex::new(q, r)));
    let mut inside: BTreeMap<Hex, String> = BTreeMap::new();
    for (at, piece) in scene.pieces.iter().enumerate() {
        let stands = match piece.place {
            Place::Hex(hex) => Some(hex),
            Place::Point([x, y]) => hexes().min_by_key(|hex| {
                let [cx, cy] = hex.centre(width, height);
                (cx - x).pow(2) + (cy - y).pow(2)
            }),
            Place::Box(_) => None,
        };
        if let Some(hex) = stands {
            let cell = inside.entry(hex).or_default();
            cell.push(letter(at));
            cell.extend(arrow(piece));
        }
    }
    // Twice the row, so that half a hex is a line.
    let line = |hex: Hex| 2 * hex.r + hex.q;
    let near = |of: fn(&Hex) -> i32, room: i32| {
        let low = inside.keys().map(of).min()?;
        Some(low - room..=inside.keys().map(of).max()? + room)
    };
    let (Some(across), Some(along)) = (near(|hex| hex.q, ROOM), near(|hex| 2 * hex.r + hex.q, 2 * ROOM)) else {
        return Ok(());
    };
    let mut rows: BTreeMap<i32, String> = BTreeMap::new();
    for hex in hexes().filter(|hex| across.contains(&hex.q) && along.contains(&line(*hex))) {
        let at = (hex.q - across.start()) as usize * CELL;
        let label = labels.iter().find(|(q, r, _)| (*q, *r) == (hex.q, hex.r)).map(|(_, _, label)| label.clone());
        let label = label.unwrap_or_else(|| hex.key());
        let cell = inside.get(&hex).map_or_else(|| format!("·{label}"), |pieces| format!("[{label} {pieces}]"));
        let row = rows.entry(line(hex)).or_default();
        // A crowded hex pushes its neighbours to the right.
        let gap = at.saturating_sub(row.chars().count()).max(usize::from(!row.is_empty()));
        write!(row, "{:gap$}{cell}", "")?;
    }
    writeln!(text)?;
    for row in rows.values() {
        writeln!(text, "  {}", row.trim_end())?;
    }
    writeln!(text)?;
    for (at, piece) in scene.pieces.iter().enumerate() {
        writeln!(text, "  {} {}", letter(at), piece.text)?;
    }
    Ok(())
}

fn arrow(piece: &Piece) -> Option<char> {
    piece.facing.map(|facing| ARROWS[(facing.rem_euclid(360) / 60) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_kernel::scene::Surface;

    fn piece(id: &str, place: Place, facing: Option<i32>) -> Piece {
        Piece {
            id: id.into(),
            name: id.into(),
            side: None,
            kind: "fighter".into(),
            place,
            facing,
            size: None,
            badges: Vec::new(),
            states: Vec::new(),
            text: id.into(),
        }
    }

    #[test]
    fn aircraft_stand_in_their_hexes_with_their_headings() {
        let columns: Vec<[i32; 3]> = Hex::new(0, 0).columns_within(3).collect();
        let surface = Surface::Hexes { width: 1200, height: 1040, columns, labels: Vec::new(), land: None };
        // A third of the way to its edge a piece still stands in its hex.
        let [x, y] = Hex::new(1, 0).centre(1200, 1040);
        let pieces = vec![
            piece("a", Place::Hex(Hex::new(0, 0)), Some(120)),
            piece("b", Place::Point([x, y + 340]), Some(0)),
            piece("c", Place::Hex(Hex::new(1, 0)), None),
        ];
        let text = crate::board::draw(&Scene { surface, pieces, ..Scene::default() });
        let at = |part: &str| {
            let row = text.lines().position(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {text}"));
            (row, text.lines().nth(row).unwrap().split(part).next().unwrap().chars().count())
        };
        let (a, b) = (at("[0,0 A↘]"), at("[1,0 B↑C]"));
        assert_eq!((b.0, b.1), (a.0 + 1, a.1 + CELL), "a column further, half a hex lower: {text}");
        assert_eq!(at("·0,1").0, a.0 + 2, "{text}");
        assert!(!text.contains("·3,"), "only the hexes around the pieces: {text}");
    }
}
