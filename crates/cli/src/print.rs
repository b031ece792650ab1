//! Data sheets and chart cards: in the terminal, and drawn for the printer with what is lost struck out.

use crate::bars::escape;
use crate::odds::read_json;
use crate::referee::own_items;
use crate::{Done, file_refusal};
use clap::Args;
use flagplot_catalog::{Catalog, GameSystem, LibraryItem};
use flagplot_kernel::Refusal;
use flagplot_referee::{Card, Chart, Figure, Fitting, Section};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `flagplot print SYSTEM ITEM…`
#[derive(Args)]
#[command(after_help = "Examples:\n  flagplot print fleet-action bismarck hood --html ships.html\
        \n  flagplot print fleet-action --record battle.flagplot --html battle.html\
        \n  flagplot print world-at-war charts --html charts.html")]
pub struct Print {
    /// The system
    system: String,
    /// Objects of the data by name, or `charts` for the tables; `charts` and ids for those tables alone
    #[arg(value_name = "ITEM")]
    items: Vec<String>,
    /// A record of a referee's table: its sheets as they are now, and its log
    #[arg(long, value_name = "FILE", conflicts_with = "items")]
    record: Option<PathBuf>,
    /// Objects of your own, as a JSON list of {"id","name","kind","value"}
    #[arg(long, value_name = "FILE")]
    own: Option<PathBuf>,
    /// Draw an SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a page for the printer
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// The page with the log of a table after its sheets.
fn with_log(page: String, log: &[String]) -> String {
    if log.is_empty() {
        return page;
    }
    let lines: String = log.iter().map(|line| format!("<li>{}</li>", escape(line))).collect();
    page.replace("</body>", &format!("<h2>Log</h2><ol>{lines}</ol></body>"))
}

/// Something that is printed.
enum Sheet {
    Card(Card),
    Chart(Chart),
}

impl Print {
    pub fn run(&self, catalog: &Catalog) -> Done {
        let system = catalog.system(&self.system)?;
        let (sheets, log) = match &self.record {
            Some(file) => {
                let (cards, log) = crate::table::cards(catalog, file)?;
                (cards.into_iter().map(Sheet::Card).collect(), log)
            }
            None => (self.sheets(system)?, Vec::new()),
        };
        let drawn = || {
            sheets.iter().map(|sheet| match sheet {
                Sheet::Card(card) => draw_card(card, system.title()),
                Sheet::Chart(chart) => draw_chart(chart, system.title()),
            })
        };
        if let Some(path) = &self.svg {
            write(path, &stacked(&drawn().collect::<Vec<_>>()))?;
        }
        if let Some(path) = &self.html {
            write(path, &with_log(page(system.title(), &drawn().collect::<Vec<_>>()), &log))?;
        }
        if self.svg.is_none() && self.html.is_none() {
            for sheet in &sheets {
                let lines = match sheet {
                    Sheet::Card(card) => terminal(card),
                    Sheet::Chart(chart) => chart_lines(chart),
                };
                lines.iter().for_each(|line| anstream::println!("{line}"));
            }
            log.iter().enumerate().for_each(|(at, line)| println!("{:>4}  {line}", at + 1));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn sheets(&self, system: &dyn GameSystem) -> Result<Vec<Sheet>, Refusal> {
        if let Some(("charts", wanted)) = self.items.split_first().map(|(first, rest)| (first.as_str(), rest)) {
            let charts = system.charts();
            let known: Vec<String> = charts.iter().map(|chart| chart.id.clone()).collect();
            if let Some(strange) = wanted.iter().find(|id| !known.contains(id)) {
                return Err(Refusal::new("unknown-chart", format!("{} has no chart '{strange}'.", system.title()))
                    .remedy(format!("Its charts are: {}.", known.join(", "))));
            }
            if charts.is_empty() {
                return Err(Refusal::new("unknown-chart", format!("{} has no charts to print.", system.title())));
            }
            return Ok(charts
                .into_iter()
                .filter(|chart| wanted.is_empty() || wanted.contains(&chart.id))
                .map(Sheet::Chart)
                .collect());
        }
        let mut library = system.library();
        if let Some(path) = &self.own {
            library.splice(0..0, own_items(&read_json(path)?)?);
        }
        let card = |item: &LibraryItem| {
            Sheet::Card(system.card(item, library.iter().find(|fresh| fresh.id == item.id && fresh.kind == item.kind)))
        };
        if self.items.is_empty() {
            return Err(Refusal::new(
                "nothing-to-print",
                "Name an object of the data, or charts, or the --record of a table.",
            ));
        }
        self.items.iter().map(|name| Ok(card(named(name, &library)?))).collect()
    }
}

fn named<'a>(name: &str, library: &'a [LibraryItem]) -> Result<&'a LibraryItem, Refusal> {
    let wanted = name.to_lowercase();
    let all = || library.iter();
    let exact = all().find(|item| item.id.to_lowercase() == wanted || item.name.to_lowercase() == wanted);
    if let Some(item) = exact {
        return Ok(item);
    }
    let found: Vec<&LibraryItem> = all().filter(|item| item.name.to_lowercase().contains(&wanted)).collect();
    match found.as_slice() {
        [] => Err(Refusal::new("unknown-object", format!("Nothing in the data is called '{name}'."))),
        [first, rest @ ..] if rest.iter().all(|item| item.id == first.id) => Ok(first),
        several => {
            let names: Vec<&str> = several.iter().take(12).map(|item| item.id.as_str()).collect();
            Err(Refusal::new("unknown-object", format!("'{name}' can be several things."))
                .remedy(format!("Type one of: {}.", names.join(", "))))
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    std::fs::write(path, text).map_err(|error| file_refusal("cannot-write", path, &error))
}

// ---- in the terminal ------------------------------------------------------------------------------------------------

const STRUCK: anstyle::Style = anstyle::Style::new().strikethrough().dimmed();
const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// A card as lines. What is lost is marked with a cross, and struck out where the terminal can.
pub fn terminal(card: &Card) -> Vec<String> {
    let stamp = card.stamp.as_ref().map_or(String::new(), |stamp| format!("  ** {} **", stamp.to_uppercase()));
    let mut lines = vec![format!("{BOLD}{}{BOLD:#}{stamp}  ({})", card.title, card.subtitle)];
    for section in &card.sections {
        match section {
            Section::Track { label, now, most } => {
                for (row, boxes) in boxes(*now, *most).chunks(TERMINAL_ROW).enumerate() {
                    let boxes =
                        boxes.chunks(5).map(|five| five.iter().collect::<String>()).collect::<Vec<_>>().join(" ");
                    let count = if row == 0 { format!("{now}/{most}") } else { String::new() };
                    let label = if row == 0 { label.as_str() } else { "" };
                    lines.push(format!("  {label:16} {count:>7}  {boxes}"));
                }
            }
            Section::Figures { label, figures } => {
                let shown = |figure: &Figure| match &figure.was {
                    Some(was) => format!("{} {STRUCK}{was}{STRUCK:#} → {}", figure.name, figure.now),
                    None => format!("{} {}", figure.name, figure.now),
                };
                lines.push(format!("  {label:16} {}", figures.iter().map(shown).collect::<Vec<_>>().join(", ")));
            }
            Section::Pieces { label, pieces } => {
                // Equal things side by side are counted, not repeated.
                let mut counted: Vec<(&Fitting, usize)> = Vec::new();
                for piece in pieces {
                    match counted.last_mut() {
                        Some((held, count)) if *held == piece => *count += 1,
                        _ => counted.push((piece, 1)),
                    }
                }
                let shown = |(piece, count): &(&Fitting, usize)| {
                    let detail = if piece.detail.is_empty() { String::new() } else { format!(" {}", piece.detail) };
                    let times = if *count > 1 { format!("{count} × ") } else { String::new() };
                    let text = format!("{times}{}{detail}", piece.name);
                    if piece.lost { format!("✗ {STRUCK}{text}{STRUCK:#} lost") } else { text }
                };
                lines.push(format!("  {label:16} {}", counted.iter().map(shown).collect::<Vec<_>>().join("; ")));
            }
            Section::Grid { label, columns, rows } => {
                lines.push(format!("  {label}"));
                lines.extend(aligned(columns, rows).into_iter().map(|line| format!("    {line}")));
            }
        }
    }
    lines.push(String::new());
    lines
}

/// Boxes in one line of the terminal.
const TERMINAL_ROW: usize = 50;

/// A sign for each box, those that are left first.
fn boxes(now: u32, most: u32) -> Vec<char> {
    (0..most).map(|n| if n < now { '■' } else { '×' }).collect()
}

/// Rows with their columns one below the other; the first column to the left, the others to the right.
pub fn aligned(head: &[String], rows: &[Vec<String>]) -> Vec<String> {
    let all = || std::iter::once(head).chain(rows.iter().map(Vec::as_slice));
    let width = |at: usize| all().map(|row| row.get(at).map_or(0, |cell| cell.chars().count())).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &[String]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| {
            let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
            if at == 0 { format!("{cell}{gap}") } else { format!("{gap}{cell}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    all().map(line).collect()
}

fn chart_lines(chart: &Chart) -> Vec<String> {
    let mut head = vec![chart.down.clone()];
    head.extend(chart.columns.iter().cloned());
    let rows: Vec<Vec<String>> = chart
        .rows
        .iter()
        .map(|(label, cells)| std::iter::once(label.clone()).chain(cells.iter().cloned()).collect())
        .collect();
    let across = if chart.across.is_empty() { String::new() } else { format!(", {} across", chart.across) };
    let mut lines = vec![format!("{BOLD}{}{BOLD:#} [{}] ({}{across})", chart.title, chart.rule, chart.id)];
    lines.extend(aligned(&head, &rows).into_iter().map(|line| format!("  {line}")));
    lines.extend(chart.notes.iter().map(|note| format!("  {note}")));
    lines.push(String::new());
    lines
}

// ---- drawn ----------------------------------------------------------------------------------------------------------

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 28.0;
const LABEL: f64 = 128.0;
const INK: &str = "#12283a";
const SOFT: &str = "#5b6f80";
const LINE: &str = "#c9d4dd";
const PALE: &str = "#f1f5f8";
const LOST: &str = "#b3261e";
const SERIF: &str = "Georgia, 'Times New Roman', serif";

/// A drawing: its elements and its size.
struct Drawing {
    body: String,
    width: f64,
    height: f64,
}

/// A pen that adds elements.
struct Pen(String);

impl Pen {
    fn add(&mut self, part: std::fmt::Arguments<'_>) {
        let _infallible = self.0.write_fmt(part);
        self.0.push('\n');
    }

    fn text(&mut self, x: f64, y: f64, size: f64, colour: &str, more: &str, text: &str) {
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\" {more}>{}</text>",
            escape(text)
        ));
    }

    fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str, more: &str) {
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{fill}\" {more}/>"
        ));
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.add(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
             stroke-width=\"{width}\" stroke-linecap=\"round\"/>"
        ));
    }

    /// The band at the top with title, subtitle and a word to the right.
    fn head(&mut self, width: f64, title: &str, subtitle: &str, right: &str) -> f64 {
        self.rect((0.0, 0.0), (width, 70.0), INK, "");
        self.rect((0.0, 70.0), (width, 3.0), "#c8a24a", "");
        self.text(MARGIN, 36.0, 26.0, "#ffffff", &format!("font-family=\"{SERIF}\" font-weight=\"700\""), title);
        self.text(MARGIN, 57.0, 13.0, "#c6d5e2", "", subtitle);
        self.text(
            width - MARGIN,
            36.0,
            12.0,
            "#c6d5e2",
            "text-anchor=\"end\" letter-spacing=\"1.5\"",
            &right.to_uppercase(),
        );
        94.0
    }
}

/// About how wide a text is drawn.
fn wide(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.56
}

fn draw_card(card: &Card, system: &str) -> Drawing {
    let mut pen = Pen(String::new());
    let mut y = pen.head(WIDTH, &card.title, &card.subtitle, system);
    for section in &card.sections {
        y = match section {
            Section::Track { label, now, most } => draw_track(&mut pen, y, label, *now, *most),
            Section::Figures { label, figures } => draw_figures(&mut pen, y, label, figures),
            Section::Pieces { label, pieces } => draw_pieces(&mut pen, y, label, pieces),
            Section::Grid { label, columns, rows } => draw_grid(&mut pen, y, label, columns, rows),
        };
    }
    if let Some(stamp) = &card.stamp {
        let (x, y) = (WIDTH / 2.0, y / 2.0 + 40.0);
        let width = stamp.chars().count() as f64 * 54.0 + 50.0;
        pen.add(format_args!(
            "<g transform=\"rotate(-18 {x:.1} {y:.1})\" opacity=\"0.82\"><rect x=\"{:.1}\" y=\"{:.1}\" \
             width=\"{width:.1}\" height=\"92\" rx=\"10\" fill=\"none\" stroke=\"{LOST}\" stroke-width=\"6\"/><text \
             x=\"{x:.1}\" y=\"{:.1}\" font-size=\"64\" font-weight=\"800\" letter-spacing=\"8\" text-anchor=\"middle\" \
             fill=\"{LOST}\">{}</text></g>",
            x - width / 2.0,
            y - 64.0,
            y + 4.0,
            escape(&stamp.to_uppercase())
        ));
    }
    framed(pen, WIDTH, y + 6.0)
}

/// The paper behind a drawing and the frame around it.
fn framed(pen: Pen, width: f64, height: f64) -> Drawing {
    let body = format!(
        "<rect width=\"{width}\" height=\"{height:.1}\" fill=\"#ffffff\"/>\n{}<rect x=\"0.5\" y=\"0.5\" \
         width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" stroke=\"{INK}\"/>\n",
        pen.0,
        width - 1.0,
        height - 1.0
    );
    Drawing { body, width, height }
}

fn section_label(pen: &mut Pen, y: f64, label: &str) {
    pen.text(MARGIN, y, 12.0, INK, "font-weight=\"700\"", label);
}

fn draw_track(pen: &mut Pen, top: f64, label: &str, now: u32, most: u32) -> f64 {
    const SIDE: f64 = 13.0;
    const STEP: f64 = 15.5;
    const GROUP: u32 = 5;
    const ROW: u32 = 30;
    section_label(pen, top + 11.0, label);
    for n in 0..most {
        let (at, row) = (n % ROW, n / ROW);
        let (x, y) = (MARGIN + LABEL + f64::from(at) * STEP + f64::from(at / GROUP) * 6.0, top + f64::from(row) * 18.0);
        let lost = n >= now;
        pen.rect(
            (x, y),
            (SIDE, SIDE),
            if lost { "#fbe9e7" } else { "#ffffff" },
            &format!("rx=\"2\" stroke=\"{}\" stroke-width=\"1.2\"", if lost { LOST } else { INK }),
        );
        if lost {
            pen.line((x + 2.0, y + SIDE - 2.0), (x + SIDE - 2.0, y + 2.0), LOST, 1.8);
        }
    }
    pen.text(
        WIDTH - MARGIN,
        top + 11.0,
        13.0,
        if now < most { LOST } else { INK },
        "text-anchor=\"end\" font-weight=\"700\"",
        &format!("{now} / {most}"),
    );
    top + f64::from(most.saturating_sub(1) / ROW) * 18.0 + SIDE + 14.0
}

fn draw_figures(pen: &mut Pen, top: f64, label: &str, figures: &[Figure]) -> f64 {
    const CELL: f64 = 69.0;
    let left = MARGIN + LABEL;
    let in_row = ((WIDTH - MARGIN - left) / CELL).floor() as usize;
    section_label(pen, top + 14.0, label);
    let mut bottom = top;
    for (at, figure) in figures.iter().enumerate() {
        let (x, y) = (left + (at % in_row) as f64 * CELL, top + (at / in_row) as f64 * 44.0);
        pen.rect((x, y), (CELL - 5.0, 38.0), PALE, "rx=\"4\"");
        let size = if wide(&figure.name, 9.5) > CELL - 12.0 { 8.0 } else { 9.5 };
        pen.text(x + 6.0, y + 12.0, size, SOFT, "", &figure.name);
        match &figure.was {
            None => pen.text(
                x + 6.0,
                y + 31.0,
                if wide(&figure.now, 17.0) > CELL - 14.0 { 11.0 } else { 17.0 },
                INK,
                "font-weight=\"700\"",
                &figure.now,
            ),
            Some(was) => {
                let size = if wide(was, 13.0) + wide(&figure.now, 17.0) > CELL - 20.0 { 10.0 } else { 14.0 };
                pen.text(x + 6.0, y + 31.0, size, SOFT, "", was);
                pen.line(
                    (x + 4.0, y + 29.0 - size * 0.3),
                    (x + 8.0 + wide(was, size), y + 27.0 - size * 0.3),
                    LOST,
                    1.6,
                );
                pen.text(x + 14.0 + wide(was, size), y + 31.0, size + 2.0, LOST, "font-weight=\"700\"", &figure.now);
            }
        }
        bottom = y + 38.0;
    }
    bottom + 12.0
}

fn draw_pieces(pen: &mut Pen, top: f64, label: &str, pieces: &[Fitting]) -> f64 {
    let (left, right) = (MARGIN + LABEL, WIDTH - MARGIN);
    section_label(pen, top + 14.0, label);
    let (mut x, mut y) = (left, top);
    for piece in pieces {
        let detail = if piece.detail.is_empty() { 0.0 } else { wide(&piece.detail, 9.5) + 8.0 };
        let width = wide(&piece.name, 11.0) + detail + 14.0;
        if x + width > right {
            (x, y) = (left, y + 26.0);
        }
        let (fill, edge, ink) = if piece.lost { ("#fbe9e7", LOST, SOFT) } else { ("#ffffff", INK, INK) };
        pen.rect((x, y), (width, 21.0), fill, &format!("rx=\"4\" stroke=\"{edge}\" stroke-width=\"1\""));
        pen.text(x + 7.0, y + 14.5, 11.0, ink, "", &piece.name);
        if !piece.detail.is_empty() {
            pen.text(x + width - 7.0, y + 14.5, 9.5, SOFT, "text-anchor=\"end\"", &piece.detail);
        }
        if piece.lost {
            pen.line((x + 3.0, y + 17.0), (x + width - 3.0, y + 4.0), LOST, 1.8);
        }
        x += width + 6.0;
    }
    y + 21.0 + 12.0
}

fn draw_grid(pen: &mut Pen, top: f64, label: &str, columns: &[String], rows: &[Vec<String>]) -> f64 {
    let left = MARGIN;
    section_label(pen, top + 12.0, label);
    let mut y = top + 20.0;
    let first = columns
        .first()
        .into_iter()
        .chain(rows.iter().filter_map(|row| row.first()))
        .map(|cell| wide(cell, 11.5))
        .fold(80.0, f64::max)
        + 24.0;
    let step = (WIDTH - MARGIN - left - first) / (columns.len().saturating_sub(1).max(1)) as f64;
    let line = |pen: &mut Pen, y: f64, cells: &[String], style: &str, colour: &str| {
        for (at, cell) in cells.iter().enumerate() {
            if at == 0 {
                pen.text(left + 8.0, y, 11.5, colour, style, cell);
            } else {
                pen.text(
                    left + first + (at as f64 - 0.5) * step,
                    y,
                    11.5,
                    colour,
                    &format!("text-anchor=\"middle\" {style}"),
                    cell,
                );
            }
        }
    };
    pen.rect((left, y), (WIDTH - 2.0 * MARGIN, 20.0), INK, "rx=\"3\"");
    line(pen, y + 14.0, columns, "font-weight=\"600\"", "#ffffff");
    y += 20.0;
    for (at, row) in rows.iter().enumerate() {
        if at % 2 == 1 {
            pen.rect((left, y), (WIDTH - 2.0 * MARGIN, 19.0), PALE, "");
        }
        line(pen, y + 13.5, row, "", INK);
        y += 19.0;
    }
    pen.line((left, y), (WIDTH - MARGIN, y), LINE, 1.0);
    y + 16.0
}

fn draw_chart(chart: &Chart, system: &str) -> Drawing {
    let cell = |text: &str| wide(text, 13.0) + 18.0;
    let first = chart.rows.iter().map(|(label, _)| cell(label)).chain([cell(&chart.down)]).fold(56.0, f64::max);
    let column = |at: usize| {
        chart
            .rows
            .iter()
            .filter_map(|(_, cells)| cells.get(at))
            .chain(chart.columns.get(at))
            .map(|text| cell(text))
            .fold(46.0, f64::max)
    };
    let widths: Vec<f64> = (0..chart.columns.len()).map(column).collect();
    let table = first + widths.iter().sum::<f64>();
    let notes = chart.notes.iter().map(|note| wide(note, 11.5)).fold(0.0, f64::max);
    let title = wide(&chart.title, 28.0) + wide(system, 16.0) + 60.0;
    let width = (table.max(notes).max(title) + 2.0 * MARGIN).max(380.0).ceil();
    // A narrow table fills its card.
    let stretch = ((width - 2.0 * MARGIN - first) / widths.iter().sum::<f64>().max(1.0)).max(1.0);
    let widths: Vec<f64> = widths.into_iter().map(|width| width * stretch).collect();
    let table = first + widths.iter().sum::<f64>();
    let mut pen = Pen(String::new());
    let mut y = pen.head(width, &chart.title, &format!("Rule {}", chart.rule), system);
    if !chart.across.is_empty() {
        pen.text(
            MARGIN + first + (table - first) / 2.0,
            y + 4.0,
            11.0,
            SOFT,
            "text-anchor=\"middle\" font-style=\"italic\"",
            &chart.across,
        );
        y += 12.0;
    }
    pen.rect((MARGIN, y), (table, 24.0), PALE, "");
    pen.text(MARGIN + 8.0, y + 16.5, 11.0, SOFT, "font-style=\"italic\"", &chart.down);
    let mut x = MARGIN + first;
    for (label, width) in chart.columns.iter().zip(&widths) {
        pen.text(x + width / 2.0, y + 16.5, 13.0, INK, "text-anchor=\"middle\" font-weight=\"700\"", label);
        x += width;
    }
    y += 24.0;
    pen.line((MARGIN, y), (MARGIN + table, y), INK, 1.4);
    for (at, (label, cells)) in chart.rows.iter().enumerate() {
        if at % 2 == 1 {
            pen.rect((MARGIN, y), (table, 22.0), PALE, "");
        }
        pen.text(MARGIN + 8.0, y + 15.5, 13.0, INK, "font-weight=\"700\"", label);
        let mut x = MARGIN + first;
        for (text, width) in cells.iter().zip(&widths) {
            pen.text(x + width / 2.0, y + 15.5, 13.0, INK, "text-anchor=\"middle\"", text);
            x += width;
        }
        y += 22.0;
    }
    pen.line((MARGIN, y), (MARGIN + table, y), INK, 1.4);
    y += 8.0;
    for note in &chart.notes {
        y += 16.0;
        pen.text(MARGIN, y, 11.5, SOFT, "", note);
    }
    framed(pen, width, y + 20.0)
}

const FONTS: &str = "font-family=\"'Inter', 'Helvetica Neue', Arial, system-ui, sans-serif\"";

/// Several drawings one below the other as one SVG.
fn stacked(drawings: &[Drawing]) -> String {
    const GAP: f64 = 24.0;
    let width = drawings.iter().map(|drawing| drawing.width).fold(0.0, f64::max);
    let height = drawings.iter().map(|drawing| drawing.height + GAP).sum::<f64>() - GAP;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height:.1}\" width=\"{width}\" height=\"{height:.1}\" {FONTS} role=\"img\">\n"
    );
    let mut y = 0.0;
    for drawing in drawings {
        let _infallible = writeln!(text, "<g transform=\"translate(0 {y:.1})\">\n{}</g>", drawing.body);
        y += drawing.height + GAP;
    }
    text.push_str("</svg>\n");
    text
}

/// A page for the printer, a card on no more than one sheet of paper.
fn page(title: &str, drawings: &[Drawing]) -> String {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>\n\
         @page {{ margin: 12mm; }}\nbody {{ margin: 24px; background: #e7ecf0; }}\n\
         main {{ display: flex; flex-wrap: wrap; gap: 24px; align-items: flex-start; justify-content: center; }}\n\
         svg {{ display: block; max-width: 100%; height: auto; break-inside: avoid; box-shadow: 0 2px 10px rgb(18 40 \
         58 / 0.25); }}\n\
         @media print {{ body {{ margin: 0; background: none; }} svg {{ box-shadow: none; }} * {{ print-color-adjust: \
         exact; -webkit-print-color-adjust: exact; }} }}\n\
         </style>\n</head>\n<body>\n<main>\n",
        escape(title)
    );
    for drawing in drawings {
        let Drawing { body, width, height } = drawing;
        let _infallible = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height:.1}\" width=\"{width}\" height=\"{height:.1}\" {FONTS} role=\"img\">\n{body}</svg>"
        );
    }
    text.push_str("</main>\n</body>\n</html>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card() -> Card {
        let piece = |name: &str, lost| Fitting { name: name.into(), detail: "fwd".into(), lost };
        Card {
            title: "Hood & Co".into(),
            subtitle: "battlecruiser".into(),
            stamp: Some("sunk".into()),
            sections: vec![
                Section::Track { label: "Flotation".into(), now: 3, most: 5 },
                Section::Figures { label: "Ship".into(), figures: vec![Figure::new("Speed", 20, 29)] },
                Section::Pieces {
                    label: "Guns".into(),
                    pieces: vec![piece("turret", false), piece("turret", false), piece("turret", true)],
                },
            ],
        }
    }

    #[test]
    fn the_terminal_marks_what_is_lost() {
        let lines: Vec<String> =
            terminal(&card()).iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect();
        assert_eq!(lines[0], "Hood & Co  ** SUNK **  (battlecruiser)");
        assert!(lines[1].ends_with("3/5  ■■■××"), "{}", lines[1]);
        assert!(lines[2].ends_with("Speed 29 → 20"), "{}", lines[2]);
        assert!(lines[3].ends_with("2 × turret fwd; ✗ turret fwd lost"), "{}", lines[3]);
    }

    #[test]
    fn a_drawing_strikes_out_each_thing_that_is_lost_and_escapes_names() {
        let drawn = stacked(&[draw_card(&card(), "Fleet Action")]);
        // Two boxes, a figure and a turret.
        assert_eq!(drawn.matches("<line ").count(), 4);
        assert!(drawn.contains("Hood &amp; Co") && drawn.contains("SUNK"));
    }

    #[test]
    fn columns_stand_one_below_the_other() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            aligned(&row(&["die", "1:1"]), &[row(&["1", "Ex"]), row(&["2-10", "D"])]),
            ["die   1:1", "1      Ex", "2-10    D"]
        );
    }
}
