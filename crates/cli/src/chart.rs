//! A chart of an open sea as text: areas as fill characters, ships as letters with an arrow for the heading.

use flagplot_kernel::Scene;
use flagplot_kernel::scene::{Area, Outline, Piece, Place};

const COLUMNS: i64 = 72;
const ROWS: i64 = 24;
/// How much higher than wide a character is.
const HIGH: i64 = 2;
/// The shortest side of a chart, in the scene's unit.
const LEAST: i64 = 600;

/// Whether a scene is one of models on an open sea, for which the chart is made.
pub fn fits(scene: &Scene) -> bool {
    !scene.areas.is_empty() || scene.pieces.iter().any(|piece| piece.facing.is_some())
}

/// The chart, with what its characters mean below it.
pub fn draw(scene: &Scene, min: [i64; 2], max: [i64; 2], letter: impl Fn(usize) -> char) -> String {
    let sheet = Sheet::around(&scene.pieces, min, max);
    let mut cells = vec![vec!['·'; COLUMNS as usize]; ROWS as usize];
    let mut legend: Vec<(char, Vec<&str>)> = Vec::new();
    for area in &scene.areas {
        let mark = fill(area);
        let mut seen = false;
        for (row, line) in cells.iter_mut().enumerate() {
            for (column, cell) in line.iter_mut().enumerate() {
                if covers(&area.outline, sheet.point(column as i64, row as i64)) {
                    *cell = mark;
                    seen = true;
                }
            }
        }
        if seen {
            match legend.iter_mut().find(|(other, _)| *other == mark) {
                Some((_, labels)) if labels.contains(&area.label.as_str()) => {}
                Some((_, labels)) => labels.push(&area.label),
                None => legend.push((mark, vec![&area.label])),
            }
        }
    }
    let places: Vec<_> = scene.pieces.iter().map(|piece| sheet.cell(piece)).collect();
    let mut taken = vec![vec![false; COLUMNS as usize]; ROWS as usize];
    for (at, place) in places.iter().enumerate() {
        if let Some((column, row)) = *place {
            cells[row][column] = if taken[row][column] { '*' } else { letter(at) };
            taken[row][column] = true;
        }
    }
    for (piece, place) in scene.pieces.iter().zip(&places) {
        if let (Some(facing), Some((column, row))) = (piece.facing, *place) {
            // The arrow stands beside the letter, on whichever side is free.
            let beside = [column.checked_add(1), column.checked_sub(1)].into_iter().flatten();
            let free = beside.filter(|at| *at < COLUMNS as usize).find(|at| !taken[row][*at]);
            if let Some(free) = free {
                cells[row][free] = arrow(facing);
                taken[row][free] = true;
            }
        }
    }
    let mut text = String::from("\n");
    for line in cells {
        text.extend(line);
        text.push('\n');
    }
    text.push_str(&format!(
        "North is up; a character is {} mm wide and {} mm high. * stands for several pieces.\n",
        sheet.unit,
        sheet.unit * HIGH
    ));
    for (mark, labels) in legend {
        text.push_str(&format!("{mark} {}\n", labels.join(", ")));
    }
    text
}

/// Which part of the sea the chart shows.
struct Sheet {
    /// The left and the upper edge.
    left: i64,
    top: i64,
    /// The width of a character.
    unit: i64,
}

impl Sheet {
    /// All pieces with a margin, or everything if there are none.
    fn around(pieces: &[Piece], min: [i64; 2], max: [i64; 2]) -> Self {
        let points: Vec<[i64; 2]> = pieces.iter().filter_map(point).collect();
        let side = |axis: usize| {
            let all = || points.iter().map(|point| point[axis]);
            let (low, high) = all().min().zip(all().max()).unwrap_or((min[axis], max[axis]));
            let room = ((high - low) / 10).max(50);
            (low - room, high + room)
        };
        let ((west, east), (south, north)) = (side(0), side(1));
        let (wide, high) = ((east - west).max(LEAST), (north - south).max(LEAST));
        let up = |length: i64, count: i64| (length + count - 1) / count;
        let unit = up(wide, COLUMNS - 1).max(up(high, HIGH * (ROWS - 1))).max(1);
        let middle = [(west + east) / 2, (south + north) / 2];
        Self { left: middle[0] - unit * COLUMNS / 2, top: middle[1] + unit * HIGH * ROWS / 2, unit }
    }

    /// The middle of a character.
    fn point(&self, column: i64, row: i64) -> [i64; 2] {
        let Self { left, top, unit } = *self;
        [left + column * unit + unit / 2, top - row * unit * HIGH - unit * HIGH / 2]
    }

    /// The character where a piece stands.
    fn cell(&self, piece: &Piece) -> Option<(usize, usize)> {
        let [x, y] = point(piece)?;
        let column = (x - self.left).div_euclid(self.unit).clamp(0, COLUMNS - 1);
        let row = (self.top - y).div_euclid(self.unit * HIGH).clamp(0, ROWS - 1);
        Some((column as usize, row as usize))
    }
}

fn point(piece: &Piece) -> Option<[i64; 2]> {
    match piece.place {
        Place::Point(point) => Some(point),
        Place::Box(_) | Place::Hex(_) => None,
    }
}

fn fill(area: &Area) -> char {
    match area.kind.as_str() {
        "land" => '▒',
        "squall" => '/',
        "smoke" => '%',
        "mine-field" => '+',
        _ => ':',
    }
}

fn arrow(facing: i32) -> char {
    const ARROWS: [char; 8] = ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'];
    // Halves between two arrows go clockwise.
    ARROWS[((2 * facing.rem_euclid(360) + 45) / 90 % 8) as usize]
}

/// Whether a point lies in an outline.
fn covers(outline: &Outline, [x, y]: [i64; 2]) -> bool {
    let wide = i128::from;
    match outline {
        Outline::Circle { at, radius } => {
            let (dx, dy) = (wide(x) - wide(at[0]), wide(y) - wide(at[1]));
            dx * dx + dy * dy <= wide(*radius) * wide(*radius)
        }
        Outline::Polygon { points } => {
            let ends = points.iter().zip(points.iter().cycle().skip(1));
            let crossed = ends.filter(|([ax, ay], [bx, by])| {
                let ([ax, ay], [bx, by]) = ([wide(*ax), wide(*ay)], [wide(*bx), wide(*by)]);
                let side = (bx - ax) * (wide(y) - ay) - (by - ay) * (wide(x) - ax);
                (ay > wide(y)) != (by > wide(y)) && (side > 0) == (by > ay)
            });
            crossed.count() % 2 == 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ship(id: &str, at: [i64; 2], facing: i32) -> Piece {
        Piece {
            id: id.into(),
            name: id.into(),
            side: None,
            kind: "destroyer".into(),
            place: Place::Point(at),
            facing: Some(facing),
            size: None,
            badges: Vec::new(),
            states: Vec::new(),
            text: id.into(),
        }
    }

    fn area(kind: &str, outline: Outline) -> Area {
        Area { kind: kind.into(), label: format!("the {kind}"), outline, side: None }
    }

    #[test]
    fn ships_stand_where_they_are_and_point_where_they_head() {
        let letters = |at: usize| char::from(b'A' + at as u8);
        let scene = Scene {
            pieces: vec![ship("ajax", [-500, 0], 90), ship("exeter", [500, 0], 225), ship("z1", [501, 0], 0)],
            areas: vec![
                area("land", Outline::Circle { at: [0, 0], radius: 100 }),
                area("squall", Outline::Polygon { points: vec![[200, 100], [400, 100], [400, 300], [200, 300]] }),
            ],
            ..Scene::default()
        };
        assert!(fits(&scene) && !fits(&Scene::default()));
        let text = draw(&scene, [-1000, -1000], [1000, 1000], letters);
        let lines: Vec<&str> = text.lines().collect();
        let row = lines.iter().find(|line| line.contains('A')).unwrap();
        assert!(row.contains("A→") && row.contains("*↙↑") | row.contains("↑*↙"), "{text}");
        assert!(row.find('A') < row.find('▒') && row.find('▒') < row.find('*'), "{text}");
        let squall = lines.iter().position(|line| line.contains("//")).unwrap();
        assert!(squall < lines.iter().position(|line| line.contains('A')).unwrap(), "north is up: {text}");
        assert!(text.contains("▒ the land\n/ the squall\n"), "{text}");
    }

    #[test]
    fn every_heading_has_its_arrow() {
        let arrows: String = (0..24).map(|step| arrow(step * 15)).collect();
        assert_eq!(arrows, "↑↑↗↗↗→→→↘↘↘↓↓↓↙↙↙←←←↖↖↖↑");
    }

    #[test]
    fn nothing_is_too_far_away() {
        let scene =
            Scene { pieces: vec![ship("a", [-100_000, 100_000], 0), ship("b", [100_000, 0], 345)], ..Scene::default() };
        let text = draw(&scene, [0, 0], [0, 0], |_| 'X');
        assert_eq!(text.matches('X').count(), 2, "{text}");
        let empty = draw(&Scene::default(), [-500, -500], [500, 500], |_| 'X');
        assert_eq!(empty.lines().count(), 1 + ROWS as usize + 1, "{empty}");
    }
}
