//! A scene as a picture (SVG), for the book: surface, pieces with their badges, arrows. It knows no rule.

use flagplot_kernel::hex::Hex;
use flagplot_kernel::scene::{BoxArea, Outline, Piece, Place, Scene, Surface};
use flagplot_kernel::{Note, Side};
use std::fmt::Write;

const WIDTH: i64 = 900;
const MARGIN: i64 = 12;
/// The size of a counter, and the height of the heading of a box.
const COUNTER: [i64; 2] = [160, 56];
const HEADING: i64 = 24;
/// What an example speaks of.
const LIT: &str = "#b35900";

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

/// A rectangle: its corner and its size.
type Rect = [i64; 4];

/// A picture being drawn: elements so far, where pieces stand in it, and what is covered.
struct Canvas {
    body: String,
    at: Vec<(String, [i64; 2])>,
    taken: Vec<Rect>,
    height: i64,
}

/// How wide a text is at most, in bold letters of a size.
fn width_of(text: &str, size: i64) -> i64 {
    text.chars().count() as i64 * size * 64 / 100
}

/// The badges of a piece in one line.
fn badges_of(piece: &Piece) -> String {
    let each = piece.badges.iter().map(|badge| format!("{} {}", badge.label, badge.value).trim().to_owned());
    each.collect::<Vec<_>>().join("  ")
}

/// A text in as many lines as it needs, each as short as its words allow.
fn broken(text: &str, lines: usize) -> Vec<String> {
    let whole = text.chars().count();
    let mut out: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match out.last_mut() {
            Some(last) if last.chars().count() + word.chars().count() / 2 <= whole / lines => {
                last.push(' ');
                last.push_str(word);
            }
            _ => out.push(word.to_owned()),
        }
    }
    out
}

/// The scene as SVG, with a title for readers who do not see it. What the notes name is lit, with an arrow from the
/// pieces that act to those they act on.
pub fn svg(scene: &Scene, title: &str, told: &[&Note]) -> String {
    let mut canvas = Canvas { body: String::new(), at: Vec::new(), taken: Vec::new(), height: 0 };
    // Writing to a string cannot fail.
    let _infallible = match &scene.surface {
        Surface::Boxes { boxes } => canvas.boxes(scene, boxes),
        Surface::Plane { .. } => canvas.plane(scene),
        Surface::Hexes { width, height, columns, .. } => canvas.hexes(scene, [*width, *height], columns),
    };
    let boxed = matches!(scene.surface, Surface::Boxes { .. });
    let _infallible = canvas.arrows(scene);
    let _infallible = canvas.told(told, boxed);
    if !boxed {
        let _infallible = canvas.labels(scene);
    }
    let Canvas { body, height, .. } = canvas;
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"15\">\n<title>{title}</title>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" markerWidth=\"5\" \
         markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L10 5L0 10L3 5Z\" fill=\"{LIT}\"/></marker></defs>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#e4ecee\"/>\n{body}</svg>\n"
    )
}

impl Canvas {
    fn counter(&mut self, piece: &Piece, [x, y]: [i64; 2]) -> std::fmt::Result {
        let [width, height] = COUNTER;
        let (ink, badges) = (colour(piece.side), badges_of(piece));
        let lines = broken(&piece.name, if width_of(&piece.name, 14) > width { 2 } else { 1 });
        let longest = lines.iter().map(|line| width_of(line, 14)).max().unwrap_or(1).max(1);
        let size = (14 * (width - 10) / longest).clamp(8, 14);
        let (middle, small) = (x + width / 2, (12 * (width - 10) / width_of(&badges, 11).max(1)).clamp(8, 12));
        writeln!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\" fill=\"#fdfbf5\" \
             stroke=\"{ink}\" stroke-width=\"2\"/>"
        )?;
        let top = if lines.len() > 1 { y + 16 } else { y + 24 };
        for (n, line) in (0..).zip(&lines) {
            let (line, at) = (escaped(line), top + n * (size + 2));
            writeln!(
                self.body,
                "<text x=\"{middle}\" y=\"{at}\" text-anchor=\"middle\" fill=\"{ink}\" font-size=\"{size}\" \
                 font-weight=\"bold\">{line}</text>"
            )?;
        }
        let (below, badges) = (y + height - 9, escaped(&badges));
        writeln!(
            self.body,
            "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\" fill=\"#14242f\" \
             font-size=\"{small}\">{badges}</text>"
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

    /// A piece at a point: a model seen from above if it has a heading, else a pin.
    fn pin(&mut self, piece: &Piece, [x, y]: [i64; 2], model: &str) -> std::fmt::Result {
        let ink = colour(piece.side);
        match piece.facing {
            Some(facing) => writeln!(
                self.body,
                "<path d=\"{model}\" transform=\"translate({x} {y}) rotate({facing})\" fill=\"{ink}\"/>"
            )?,
            None => writeln!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" fill=\"{ink}\"/>")?,
        }
        self.taken.push([x - 14, y - 14, 28, 28]);
        self.at.push((piece.id.clone(), [x, y]));
        Ok(())
    }

    /// Whether nothing lies in a rectangle, and it lies inside the picture.
    fn clear(&self, [x, y, width, height]: Rect) -> bool {
        let apart =
            |&[ox, oy, wide, high]: &Rect| x >= ox + wide || ox >= x + width || y >= oy + high || oy >= y + height;
        x >= 2 && y >= 2 && x + width <= WIDTH - 2 && y + height <= self.height - 2 && self.taken.iter().all(apart)
    }

    /// The names of pieces at points, each where it covers nothing.
    fn labels(&mut self, scene: &Scene) -> std::fmt::Result {
        for (id, [x, y]) in self.at.clone() {
            let Some(piece) = scene.pieces.iter().find(|piece| piece.id == id) else { continue };
            let (ink, badges) = (colour(piece.side), badges_of(piece));
            let width = width_of(&piece.name, 15).max(width_of(&badges, 12)) + 4;
            let height = if badges.is_empty() { 20 } else { 36 };
            let beside = [[16, -height / 2], [-16 - width, -height / 2], [-width / 2, -18 - height], [-width / 2, 18]];
            let further = (1..8).flat_map(|row| {
                let down = row * 20;
                [[24, down], [24, -down - height], [-24 - width, down], [-24 - width, -down - height]]
            });
            let rects = beside.into_iter().chain(further).map(|[dx, dy]| [x + dx, y + dy, width, height]);
            let rect = rects.clone().find(|rect| self.clear(*rect)).unwrap_or([x + 16, y - height / 2, width, height]);
            let [left, top, ..] = rect;
            if (top - y).abs() > 60 || left > x + 20 || left + width < x - 20 {
                let (to, middle) = (if left > x { left } else { left + width }, top + height / 2);
                writeln!(self.body, "<path d=\"M{x} {y}L{to} {middle}\" stroke=\"{ink}\" opacity=\"0.5\"/>")?;
            }
            let (name, badges, line, below) = (escaped(&piece.name), escaped(&badges), top + 15, top + 31);
            writeln!(
                self.body,
                "<g stroke=\"#e4ecee\" stroke-width=\"4\" paint-order=\"stroke\"><text x=\"{left}\" y=\"{line}\" \
                 fill=\"{ink}\" font-weight=\"bold\">{name}</text><text x=\"{left}\" y=\"{below}\" fill=\"#14242f\" \
                 font-size=\"12\">{badges}</text></g>"
            )?;
            self.taken.push(rect);
        }
        Ok(())
    }

    /// Lights what an example speaks of, with an arrow from the piece that acts to the one it acts on.
    fn told(&mut self, told: &[&Note], boxed: bool) -> std::fmt::Result {
        let place = |id: &String| self.at.iter().find(|(piece, _)| piece == id).map(|(_, at)| *at);
        let mut lit: Vec<[i64; 2]> = Vec::new();
        let mut drawn: Vec<[[i64; 2]; 2]> = Vec::new();
        let mut out = String::new();
        for note in told {
            let here: Vec<[i64; 2]> = note.pieces.iter().chain(&note.targets).filter_map(place).collect();
            for &[x, y] in &here {
                if lit.contains(&[x, y]) {
                    continue;
                }
                lit.push([x, y]);
                let [width, height] = if boxed { [COUNTER[0] + 8, COUNTER[1] + 8] } else { [44, 44] };
                let (left, top, round) = (x - width / 2, y - height / 2, if boxed { 8 } else { 22 });
                writeln!(
                    out,
                    "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\" \
                     fill=\"none\" stroke=\"{LIT}\" stroke-width=\"3\" stroke-dasharray=\"7 4\"/>"
                )?;
            }
            let actor = note.pieces.iter().find(|id| !note.targets.contains(id)).and_then(place);
            let (Some(from), Some(to)) = (actor, note.targets.first().and_then(place)) else { continue };
            if from == to || drawn.contains(&[from, to]) || drawn.contains(&[to, from]) {
                continue;
            }
            drawn.push([from, to]);
            let end = |from: [i64; 2], to: [i64; 2]| {
                let (dx, dy) = ((from[0] - to[0]) as f64, (from[1] - to[1]) as f64);
                let far = dx.hypot(dy).max(1.0);
                let edge = if boxed {
                    let half = |size: i64, by: f64| if by == 0.0 { f64::MAX } else { (size / 2 + 5) as f64 / by.abs() };
                    half(COUNTER[0], dx).min(half(COUNTER[1], dy)) * far
                } else {
                    24.0
                };
                let share = (edge / far).min(0.45);
                [to[0] + (dx * share) as i64, to[1] + (dy * share) as i64]
            };
            let ([x1, y1], [x2, y2]) = (end(to, from), end(from, to));
            writeln!(
                out,
                "<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{LIT}\" stroke-width=\"3\" marker-end=\"url(#head)\"/>"
            )?;
        }
        self.body += &out;
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
        for piece in &scene.pieces {
            let Some(at) = point(piece).map(put) else { continue };
            if let (Some([width, height]), "card") = (piece.size, piece.kind.as_str()) {
                let (width, height, ink) = (scaled(width), scaled(height), colour(piece.side));
                let (x, y) = (at[0] - width / 2, at[1] - height / 2);
                writeln!(
                    self.body,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"#fdfbf5\" \
                     stroke=\"{ink}\" stroke-width=\"2\"/>"
                )?;
                self.taken.push([x, y, width, height]);
                self.at.push((piece.id.clone(), at));
                continue;
            }
            // Pieces at one point stand side by side.
            let mut spot = at;
            let close =
                |spot: [i64; 2], other: [i64; 2]| (other[0] - spot[0]).abs() < 18 && (other[1] - spot[1]).abs() < 18;
            while spot[0] < WIDTH - 30 && self.at.iter().any(|(_, other)| close(spot, *other)) {
                spot[0] += 18;
            }
            self.pin(piece, spot, "M0 -20Q8 -8 6 18H-6Q-8 -8 0 -20Z")?;
        }
        Ok(())
    }

    fn hexes(&mut self, scene: &Scene, [width, height]: [i64; 2], columns: &[[i32; 3]]) -> std::fmt::Result {
        // Only the hexes around the pieces are shown, three at least on each side.
        let stands = |piece: &Piece| match &piece.place {
            Place::Hex(hex) => Some(hex.centre(width, height)),
            Place::Point(at) => Some(*at),
            Place::Box(_) => None,
        };
        let points: Vec<[i64; 2]> = scene.pieces.iter().filter_map(stands).collect();
        let near = |axis: usize, room: i64| {
            let of = || points.iter().map(|point| point[axis]);
            (of().min().unwrap_or(i64::MIN / 2) - room)..=(of().max().unwrap_or(i64::MAX / 2) + room)
        };
        let (across, along) = (near(0, width * 9 / 4), near(1, height * 5 / 3));
        let all: Vec<Hex> = columns
            .iter()
            .flat_map(|&[q, first, last]| (first..=last).map(move |r| Hex { q, r }))
            .filter(|hex| {
                let [x, y] = hex.centre(width, height);
                across.contains(&x) && along.contains(&y)
            })
            .collect();
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
            let model = "M0 -22L4 -8L26 -3V4L5 4L3 16L10 20V24H-10V20L-3 16L-5 4L-26 4V-3L-4 -8Z";
            self.pin(piece, [at[0], at[1] + 24 * row], model)?;
        }
        Ok(())
    }

    fn arrows(&mut self, scene: &Scene) -> std::fmt::Result {
        let place = |id: &str| self.at.iter().find(|(piece, _)| piece == id).map(|(_, at)| *at);
        let ends: Vec<_> =
            scene.arrows.iter().filter_map(|one| Some((place(&one.from)?, place(&one.to)?, one))).collect();
        for ([x1, y1], [x2, y2], arrow) in ends {
            let (ink, label) = (colour(arrow.side), escaped(&arrow.label));
            // Nearer to where it starts, so that the arrow that answers it has room for its own.
            let (x, y) = (x1 + (x2 - x1) * 2 / 5, y1 + (y2 - y1) * 2 / 5 - 4);
            let wide = width_of(&arrow.label, 13);
            self.taken.push([x - wide / 2, y - 13, wide, 17]);
            writeln!(
                self.body,
                "<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{ink}\" stroke-width=\"2\" opacity=\"0.5\"/>\
                 <text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{ink}\" font-size=\"13\" stroke=\"#e4ecee\" \
                 stroke-width=\"4\" paint-order=\"stroke\">{label}</text>"
            )?;
        }
        Ok(())
    }
}
