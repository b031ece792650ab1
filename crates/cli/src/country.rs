//! Hexes with land as staggered rows of text: `[f]` is a forest that the first side holds, `(f)` one of the second;
//! what stands in them is listed below.

use flagplot_kernel::hex::Hex;
use flagplot_kernel::scene::{Land, Piece, Place, Scene};
use flagplot_kernel::{BySide, Side};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The brackets round the terrain's letter, by the side that holds the hex; none if neither does.
const HELD: BySide<[char; 2]> = BySide { first: ['[', ']'], second: ['(', ')'] };
const FREE: [char; 2] = [' ', ' '];

/// A hex is so many characters wide in its column.
const CELL: usize = 6;

/// The map, its key, and everything that stands on it.
pub(crate) fn write(
    text: &mut String,
    scene: &Scene,
    columns: &[[i32; 3]],
    labels: &[(i32, i32, String)],
    land: &Land,
) -> std::fmt::Result {
    let country = Country { scene, labels, land };
    writeln!(text)?;
    for line in country.rows(columns) {
        writeln!(text, "{line}")?;
    }
    writeln!(text)?;
    country.key(text)?;
    country.hexes(text, columns)
}

struct Country<'a> {
    scene: &'a Scene,
    labels: &'a [(i32, i32, String)],
    land: &'a Land,
}

impl Country<'_> {
    fn holder(&self, hex: Hex) -> Option<(Side, &str)> {
        let control = self.land.control.iter().find(|control| control.hexes.contains(&hex))?;
        Some((control.side, control.name.as_str()))
    }

    fn letter(&self, hex: Hex) -> char {
        self.land.terrain.iter().find(|terrain| terrain.hexes.contains(&hex)).map_or('.', |terrain| terrain.letter)
    }

    fn label(&self, hex: Hex) -> String {
        let label = self.labels.iter().find(|(q, r, _)| (*q, *r) == (hex.q, hex.r));
        let name = self.land.names.iter().find(|(named, _)| *named == hex).map(|(_, name)| format!(" {name}"));
        label.map_or_else(|| hex.key(), |(_, _, label)| label.clone()) + &name.unwrap_or_default()
    }

    fn inside(&self, hex: Hex) -> Vec<&Piece> {
        self.scene.pieces.iter().filter(|piece| piece.place == Place::Hex(hex)).collect()
    }

    /// A cell: the terrain in the brackets of the holder, and how many pieces stand there.
    fn cell(&self, hex: Hex) -> String {
        let [open, close] = self.holder(hex).map_or(FREE, |(side, _)| HELD[side]);
        let pieces = match self.inside(hex).len() {
            0 => String::new(),
            count => count.to_string(),
        };
        format!("{open}{}{close}{pieces}", self.letter(hex))
    }

    /// Two lines for each row of hexes; every other column stands on the lower of them.
    fn rows(&self, columns: &[[i32; 3]]) -> Vec<String> {
        // Twice the height, so that half a hex is a line.
        let line = |q: i32, r: i32| 2 * i64::from(r) + i64::from(q);
        let cells: BTreeMap<i64, Vec<(usize, String)>> = columns
            .iter()
            .enumerate()
            .flat_map(|(at, &[q, first, last])| (first..=last).map(move |r| (at, Hex::new(q, r))))
            .fold(BTreeMap::new(), |mut rows, (at, hex)| {
                rows.entry(line(hex.q, hex.r)).or_default().push((at * CELL, self.cell(hex)));
                rows
            });
        let drawn = |cells: &[(usize, String)]| {
            cells.iter().fold(String::new(), |line, (at, cell)| format!("{line:at$}{cell}"))
        };
        cells.values().map(|cells| format!("  {}", drawn(cells).trim_end())).collect()
    }

    fn key(&self, text: &mut String) -> std::fmt::Result {
        let terrain: Vec<String> =
            self.land.terrain.iter().map(|terrain| format!("{} {}", terrain.letter, terrain.name)).collect();
        let held = self.land.control.iter().map(|control| {
            let [open, close] = HELD[control.side];
            format!("{open} {close} {}", control.name)
        });
        let held: Vec<String> = held.chain(["a number: counters there".to_owned()]).collect();
        writeln!(text, "  {}\n  {}", terrain.join(", "), held.join(", "))?;
        let mut edges: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for edge in &self.land.edges {
            let [a, b] = edge.between.map(|hex| self.label(hex));
            edges.entry(&edge.kind).or_default().push(format!("{a}/{b}"));
        }
        for (kind, sides) in edges {
            writeln!(text, "  {kind}: {}", sides.join(", "))?;
        }
        Ok(())
    }

    /// The hexes in which something stands, in the order of the map.
    fn hexes(&self, text: &mut String, columns: &[[i32; 3]]) -> std::fmt::Result {
        writeln!(text)?;
        for hex in columns.iter().flat_map(|&[q, first, last]| (first..=last).map(move |r| Hex::new(q, r))) {
            let marks = self.land.marks.iter().filter(|mark| mark.hex == hex).map(|mark| mark.text.as_str());
            let marks: Vec<&str> = marks.collect();
            let inside = self.inside(hex);
            if marks.is_empty() && inside.is_empty() {
                continue;
            }
            let holder = self.holder(hex).map(|(_, name)| format!("held by {name}"));
            let about: Vec<&str> = marks.into_iter().chain(holder.as_deref()).collect();
            let about = if about.is_empty() { String::new() } else { format!(": {}", about.join(", ")) };
            writeln!(text, "  {}{about}", self.label(hex))?;
            for piece in inside {
                let states =
                    if piece.states.is_empty() { String::new() } else { format!(" [{}]", piece.states.join(", ")) };
                writeln!(text, "    {}{states}", piece.text)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_kernel::hex::ColumnRow;
    use flagplot_kernel::scene::{Control, HexEdge, HexMark, Surface, Terrain};

    fn hex(text: &str) -> Hex {
        text.parse::<ColumnRow>().expect("a hex").hex()
    }

    fn piece(id: &str, side: Side, place: &str) -> Piece {
        Piece {
            id: id.into(),
            name: id.into(),
            side: Some(side),
            kind: "infantry".into(),
            place: Place::Hex(hex(place)),
            facing: None,
            size: None,
            badges: Vec::new(),
            states: if id == "ger-1" { vec!["isolated".into()] } else { Vec::new() },
            text: format!("{id}, 3-3"),
        }
    }

    #[test]
    fn a_country_is_drawn_in_staggered_rows_with_what_stands_on_it() {
        let map = ["..f", "~C."];
        let all: Vec<String> = (1..=3).flat_map(|c| (1..=2).map(move |r| format!("{c:02}{r:02}"))).collect();
        let code =
            |id: &str| map[id[3..].parse::<usize>().unwrap() - 1].as_bytes()[id[1..2].parse::<usize>().unwrap() - 1];
        let of = |wanted: u8| all.iter().filter(|id| code(id) == wanted).map(|id| hex(id)).collect::<Vec<_>>();
        let terrain = [(b'.', "clear"), (b'f', "forest"), (b'C', "objective city"), (b'~', "sea")];
        let land = Land {
            terrain: terrain
                .iter()
                .map(|&(code, name)| Terrain {
                    id: name.into(),
                    name: name.into(),
                    letter: char::from(code),
                    hexes: of(code),
                })
                .collect(),
            edges: vec![HexEdge { between: [hex("0101"), hex("0201")], kind: "river".into() }],
            control: vec![
                Control { side: Side::First, name: "Axis".into(), hexes: vec![hex("0101")] },
                Control {
                    side: Side::Second,
                    name: "Allies".into(),
                    hexes: vec![hex("0201"), hex("0202"), hex("0301")],
                },
            ],
            names: vec![(hex("0202"), "Sedan".into())],
            marks: vec![HexMark {
                hex: hex("0202"),
                kind: "objective".into(),
                value: Some(4),
                side: None,
                text: "objective worth 4 points".into(),
            }],
        };
        let columns = vec![[0, 0, 1], [1, 0, 1], [2, -1, 0]];
        let labels = all.iter().map(|id| (hex(id).q, hex(id).r, id.clone())).collect::<Vec<_>>();
        let scene = Scene {
            title: "Sedan".into(),
            status: Vec::new(),
            surface: Surface::Hexes { width: 1200, height: 1040, columns, labels, land: Some(Box::new(land)) },
            pieces: vec![
                piece("ger-1", Side::First, "0101"),
                piece("ger-2", Side::First, "0101"),
                piece("fra-1", Side::Second, "0202"),
            ],
            ..Scene::default()
        };
        let text = crate::board::draw(&scene);
        let drawn = text.split_once("\n\n").expect("a map after the title").1;
        assert_eq!(
            drawn,
            "  [.]2        (f)\n        (.)\n   ~           .\n        (C)1\n\n  \
             . clear, f forest, C objective city, ~ sea\n  [ ] Axis, ( ) Allies, a number: counters there\n  \
             river: 0101/0201\n\n  0101: held by Axis\n    ger-1, 3-3 [isolated]\n    ger-2, 3-3\n  \
             0202 Sedan: objective worth 4 points, held by Allies\n    fra-1, 3-3\n"
        );
    }
}
