//! A scene as a picture (SVG), for the book: surface, pieces with their badges, arrows. It knows no rule.

use flagplot_kernel::Side;
use flagplot_kernel::hex::Hex;
use flagplot_kernel::scene::{BoxArea, Outline, Piece, Place, Scene, Surface};
use std::fmt::Write;

const WIDTH: i64 = 900;
const MARGIN: i64 = 12;
/// The height of a counter and of the heading of a box.
const COUNTER: [i64; 2] = [150, 46];
const HEADING: i64 = 24;

/// Text inside an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn colour(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::First) => "#1d4f7c",
        Some(Side::Second) => "#96401f",
        None => "#4b5c68",
    }
}

/// A picture being drawn: elements so far, and where pieces stand in it.
struct Canvas {
    body: String,
    at: Vec<(String, [i64; 2])>,
    height: i64,
}

/// The scene as SVG, with a title for readers who do not see it.
pub fn svg(scene: &Scene, title: &str) -> String {
    let mut canvas = Canvas { body: String::new(), at: Vec::new(), height: 0 };
    // Writing to a string cannot fail.
    let _infallible = match &scene.surface {
        Surface::Boxes { boxes } => canvas.boxes(scene, boxes),
        Surface::Plane { .. } => canvas.plane(scene),
        Surface::Hexes { width, height, columns, .. } => canvas.hexes(scene, [*width, *height], columns),
    };
    let _infallible = canvas.arrows(scene);
    let Canvas { body, height, .. } = canvas;
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#e4ecee\"/>\n{body}</svg>\n"
    )
}

impl Canvas {
    fn counter(&mut self, piece: &Piece, [x, y]: [i64; 2]) -> std::fmt::Result {
        let [width, height] = COUNTER;
        let (ink, name) = (colour(piece.side), escaped(&piece.name));
        let badges: Vec<String> =
            piece.badges.iter().map(|badge| format!("{} {}", badge.label, badge.value).trim().to_owned()).collect();
        let badges = escaped(&badges.join("  "));
        let (middle, line, below) = (x + width / 2, y + 19, y + 37);
        writeln!(
            self.body,
            "<g><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\" fill=\"#fdfbf5\" \
             stroke=\"{ink}\" stroke-width=\"2\"/><text x=\"{middle}\" y=\"{line}\" text-anchor=\"middle\" \
             fill=\"{ink}\" font-weight=\"bold\">{name}</text><text x=\"{middle}\" y=\"{below}\" \
             text-anchor=\"middle\" fill=\"#14242f\" font-size=\"12\">{badges}</text></g>"
        )?;
        self.at.push((piece.id.clone(), [middle, y + height / 2]));
        Ok(())
    }

    /// Boxes one below the other, those without pieces left out.
    fn boxes(&mut self, scene: &Scene, boxes: &[BoxArea]) -> std::fmt::Result {
        let mut y = MARGIN;
        for area in boxes {
            let place = Place::Box(area.id.clone());
            let inside: Vec<&Piece> = scene.pieces.iter().filter(|piece| piece.place == place).collect();
            if inside.is_empty() {
                continue;
            }
            let a_row = ((WIDTH - 3 * MARGIN) / (COUNTER[0] + MARGIN)).max(1);
            let rows = (inside.len() as i64 + a_row - 1) / a_row;
            let height = HEADING + rows * (COUNTER[1] + MARGIN) + MARGIN / 2;
            let (ink, title) = (colour(area.side), escaped(&area.title));
            let (x, width, text) = (MARGIN, WIDTH - 2 * MARGIN, y + 17);
            writeln!(
                self.body,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#cfdfe4\" \
                 stroke=\"#9fbac5\"/><text x=\"22\" y=\"{text}\" fill=\"{ink}\">{title}</text>"
            )?;
            for (n, piece) in (0..).zip(inside) {
                let spot =
                    [2 * MARGIN + n % a_row * (COUNTER[0] + MARGIN), y + HEADING + n / a_row * (COUNTER[1] + MARGIN)];
                self.counter(piece, spot)?;
            }
            y += height + MARGIN;
        }
        self.height = y;
        Ok(())
    }

    /// A pin with a name, for a piece at a point.
    fn pin(&mut self, piece: &Piece, [x, y]: [i64; 2], row: i64) -> std::fmt::Result {
        let (ink, name) = (colour(piece.side), escaped(&piece.name));
        let badges: Vec<String> =
            piece.badges.iter().map(|badge| format!("{} {}", badge.label, badge.value).trim().to_owned()).collect();
        let (badges, label, below) = (escaped(&badges.join("  ")), y - 10 + 30 * row, y + 4 + 30 * row);
        let turn = piece.facing.map_or(String::new(), |facing| {
            format!("<path d=\"M{x} {}l6 12h-12z\" transform=\"rotate({facing} {x} {y})\" fill=\"{ink}\"/>", y - 16)
        });
        let right = x + 12;
        writeln!(
            self.body,
            "<g><circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"{ink}\"/>{turn}<text x=\"{right}\" y=\"{label}\" \
             fill=\"{ink}\" font-weight=\"bold\">{name}</text><text x=\"{right}\" y=\"{below}\" fill=\"#14242f\" \
             font-size=\"11\">{badges}</text></g>"
        )?;
        self.at.push((piece.id.clone(), [x, y]));
        Ok(())
    }

    /// The part of a plane on which the pieces stand.
    fn plane(&mut self, scene: &Scene) -> std::fmt::Result {
        let point = |piece: &Piece| match piece.place {
            Place::Point(at) => Some(at),
            _ => None,
        };
        let points: Vec<[i64; 2]> = scene.pieces.iter().filter_map(point).collect();
        let span = |axis: usize| {
            let of = || points.iter().map(|point| point[axis]);
            (of().min().unwrap_or(0), of().max().unwrap_or(1))
        };
        let ((left, right), (bottom, top)) = (span(0), span(1));
        // A tenth of the room on every side, and a picture that is neither a line nor a tower.
        let (wide, high) = ((right - left).max(1), (top - bottom).max(1));
        let wide = wide.max(high * 4 / 5);
        let (room, high) = (wide / 6 + 1, high.max(wide * 2 / 5));
        let (x0, y0) = ((left + right - wide) / 2 - room, (bottom + top + high) / 2 + room);
        let (whole, tall) = (wide + 2 * room, high + 2 * room);
        let scaled = |length: i64| length * WIDTH / whole;
        let put = |at: [i64; 2]| [scaled(at[0] - x0), scaled(y0 - at[1])];
        self.height = scaled(tall);
        for area in &scene.areas {
            let label = escaped(&area.label);
            match &area.outline {
                Outline::Circle { at, radius } => {
                    let ([x, y], r) = (put(*at), scaled(*radius));
                    writeln!(
                        self.body,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"#d8d2bd\"><title>{label}</title></circle>"
                    )?;
                }
                Outline::Polygon { points } => {
                    let corners: Vec<String> =
                        points.iter().map(|at| put(*at)).map(|[x, y]| format!("{x},{y}")).collect();
                    let corners = corners.join(" ");
                    writeln!(
                        self.body,
                        "<polygon points=\"{corners}\" fill=\"#d8d2bd\"><title>{label}</title></polygon>"
                    )?;
                }
            }
        }
        for track in &scene.tracks {
            let line: Vec<String> = track.points.iter().map(|at| put(*at)).map(|[x, y]| format!("{x},{y}")).collect();
            let (line, ink) = (line.join(" "), colour(track.side));
            writeln!(
                self.body,
                "<polyline points=\"{line}\" fill=\"none\" stroke=\"{ink}\" stroke-dasharray=\"6 5\"/>"
            )?;
        }
        let mut taken: Vec<[i64; 2]> = Vec::new();
        for piece in &scene.pieces {
            let Some(at) = point(piece).map(put) else { continue };
            if let (Some([width, height]), "card") = (piece.size, piece.kind.as_str()) {
                let (width, height, ink) = (scaled(width), scaled(height), colour(piece.side));
                let (x, y) = (at[0] - width / 2, at[1] - height / 2);
                writeln!(
                    self.body,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"#fdfbf5\" \
                     stroke=\"{ink}\"/>"
                )?;
            }
            // Names of pieces that stand close together are written one below the other.
            let near = taken.iter().filter(|other| (other[0] - at[0]).abs() < 110 && (other[1] - at[1]).abs() < 26);
            let row = near.count() as i64;
            taken.push(at);
            self.pin(piece, at, row)?;
        }
        Ok(())
    }

    fn hexes(&mut self, scene: &Scene, [width, height]: [i64; 2], columns: &[[i32; 3]]) -> std::fmt::Result {
        let all: Vec<Hex> =
            columns.iter().flat_map(|&[q, first, last]| (first..=last).map(move |r| Hex { q, r })).collect();
        let centres: Vec<[i64; 2]> = all.iter().map(|hex| hex.centre(width, height)).collect();
        let of = |axis: usize| centres.iter().map(move |centre| centre[axis]);
        let (left, right) = (of(0).min().unwrap_or(0) - width / 2, of(0).max().unwrap_or(1) + width / 2);
        let (bottom, top) = (of(1).min().unwrap_or(0) - height / 2, of(1).max().unwrap_or(1) + height / 2);
        let whole = (right - left).max(1);
        let scaled = |length: i64| length * (WIDTH - 2 * MARGIN) / whole;
        let put = |at: [i64; 2]| [MARGIN + scaled(at[0] - left), MARGIN + scaled(top - at[1])];
        self.height = scaled(top - bottom) + 2 * MARGIN;
        let land = match &scene.surface {
            Surface::Hexes { land: Some(land), .. } => Some(land),
            _ => None,
        };
        for (hex, centre) in all.iter().zip(&centres) {
            let corner = |dx: i64, dy: i64| put([centre[0] + dx, centre[1] + dy]);
            let corners = [
                corner(-width / 2, 0),
                corner(-width / 4, height / 2),
                corner(width / 4, height / 2),
                corner(width / 2, 0),
                corner(width / 4, -height / 2),
                corner(-width / 4, -height / 2),
            ];
            let corners: Vec<String> = corners.iter().map(|[x, y]| format!("{x},{y}")).collect();
            let terrain = land.and_then(|land| land.terrain.iter().find(|terrain| terrain.hexes.contains(hex)));
            let fill = match terrain.map(|terrain| terrain.id.as_str()) {
                Some("forest" | "jungle") => "#cfdcc0",
                Some("mountain") => "#d5cabb",
                Some("swamp") => "#cbd8d0",
                Some("city" | "objective-city") => "#e6d9c9",
                Some("desert") => "#eee3c2",
                Some("sea") => "#cfdfe4",
                Some(_) => "#ece8da",
                None => "#dbe6ea",
            };
            let (corners, named) = (corners.join(" "), escaped(terrain.map_or("", |terrain| terrain.name.as_str())));
            writeln!(
                self.body,
                "<polygon points=\"{corners}\" fill=\"{fill}\" stroke=\"#9fbac5\"><title>{named}</title></polygon>"
            )?;
        }
        for mark in land.iter().flat_map(|land| &land.marks) {
            let [x, y] = put(mark.hex.centre(width, height));
            let (text, at) = (escaped(&mark.text), y + scaled(height) / 2 - 5);
            writeln!(
                self.body,
                "<text x=\"{x}\" y=\"{at}\" text-anchor=\"middle\" font-size=\"10\" fill=\"#4b5c68\">{text}</text>"
            )?;
        }
        let mut crowd: Vec<(Hex, i64)> = Vec::new();
        for piece in &scene.pieces {
            let (at, row) = match &piece.place {
                Place::Hex(hex) => {
                    let row = match crowd.iter_mut().find(|(other, _)| other == hex) {
                        Some((_, row)) => {
                            *row += 1;
                            *row
                        }
                        None => {
                            crowd.push((*hex, 0));
                            0
                        }
                    };
                    (put(hex.centre(width, height)), row)
                }
                Place::Point(at) => (put(*at), 0),
                Place::Box(_) => continue,
            };
            self.pin(piece, [at[0] - 20, at[1] - 12 + 24 * row], 0)?;
        }
        Ok(())
    }

    fn arrows(&mut self, scene: &Scene) -> std::fmt::Result {
        let place = |id: &str| self.at.iter().find(|(piece, _)| piece == id).map(|(_, at)| *at);
        let ends: Vec<_> =
            scene.arrows.iter().filter_map(|one| Some((place(&one.from)?, place(&one.to)?, one))).collect();
        for ([x1, y1], [x2, y2], arrow) in ends {
            let (ink, label) = (colour(arrow.side), escaped(&arrow.label));
            let (x, y) = ((x1 + x2) / 2 + 6, (y1 + y2) / 2);
            writeln!(
                self.body,
                "<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{ink}\" stroke-width=\"2\" opacity=\"0.7\"/>\
                 <circle cx=\"{x2}\" cy=\"{y2}\" r=\"5\" fill=\"{ink}\"/>\
                 <text x=\"{x}\" y=\"{y}\" fill=\"{ink}\">{label}</text>"
            )?;
        }
        Ok(())
    }
}
