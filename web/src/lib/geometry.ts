import type { BoxArea, Piece, Point, Scene, Side, Surface } from '../wire/types';
import { baseOf, hull, isSea } from './hulls';

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const centre = (rect: Rect): Point => [rect.x + rect.width / 2, rect.y + rect.height / 2];

/** The size of a counter on a board of boxes, in drawing units. */
export const COUNTER = { width: 118, height: 82 };
const GAP = 8;
const HEAD = 31;
const PAD = 10;

/** Where boxes and counters are drawn. */
export interface BoxLayout {
  width: number;
  height: number;
  boxes: Map<string, Rect>;
  pieces: Map<string, Rect>;
  /** Boxes that stand alone in their row. */
  main: Set<string>;
  /** The water between the two sides. */
  middle: Rect | null;
}

/**
 * Lays out boxes in one band for each side, `bottom` below, large boxes towards the middle, so that the
 * lines of battle face each other. A box is as high as its counters need.
 */
export function layoutBoxes(boxes: BoxArea[], pieces: Piece[], width: number, bottom: Side): BoxLayout {
  const inside = new Map<string, Piece[]>();
  for (const piece of pieces)
    if ('box' in piece.place) inside.set(piece.place.box, [...(inside.get(piece.place.box) ?? []), piece]);
  const rows = (side: Side | undefined) =>
    boxRows(
      boxes.filter((box) => box.side === side),
      width,
    );
  const top: Side = bottom === 'first' ? 'second' : 'first';
  // Boxes of neither side lie between the sides; small ones (a turn track) at the bottom.
  const neutral = boxes.filter((box) => box.side === undefined);
  const most = Math.max(0, ...boxes.filter((box) => box.side !== undefined).map((box) => box.weight));
  const large = (box: BoxArea) => box.weight > 2 || box.weight >= most;
  const shared = boxRows(neutral.filter(large), width);
  const foot = boxRows(
    neutral.filter((box) => !large(box)),
    width,
  );
  const bands = [rows(top).reverse(), shared, rows(bottom), foot];
  const layout: BoxLayout = { width, height: 0, boxes: new Map(), pieces: new Map(), main: new Set(), middle: null };
  let y = 0;
  for (const [band, list] of bands.entries()) {
    for (const row of list) {
      if (row.length === 1 && row[0]!.weight > 2) layout.main.add(row[0]!.id);
      const height = placeRow(row, inside, y, width, layout);
      y += height + GAP;
    }
    if (band === 0 && list.length > 0 && (bands[1]!.length > 0 || bands[2]!.length > 0)) {
      layout.middle = { x: 0, y, width, height: 30 };
      y += 30 + GAP;
    }
  }
  layout.height = Math.max(0, y - GAP);
  return layout;
}

/** Large boxes stand alone; the rest share rows, as many as fit. */
function boxRows(boxes: BoxArea[], width: number): BoxArea[][] {
  const most = Math.max(...boxes.map((box) => box.weight), 0);
  const rows: BoxArea[][] = [];
  let open: BoxArea[] = [];
  const room = Math.max(1, Math.floor((width + GAP) / (COUNTER.width + 2 * PAD + GAP)));
  for (const box of boxes) {
    if (boxes.length > 1 && box.weight === most && most >= 2 * (median(boxes) || 1)) {
      if (open.length) rows.push(open);
      rows.push([box]);
      open = [];
    } else {
      if (open.length >= room) {
        rows.push(open);
        open = [];
      }
      open.push(box);
    }
  }
  if (open.length) rows.push(open);
  return rows;
}

function median(boxes: BoxArea[]): number {
  const weights = boxes.map((box) => box.weight).sort((a, b) => a - b);
  return weights[Math.floor(weights.length / 2)] ?? 0;
}

/** The widths of the boxes in a row: enough for few lines of counters each, the rest shared by weight. */
function widths(row: BoxArea[], counts: number[], free: number): number[] {
  const slot = COUNTER.width + GAP;
  const weights = row.map((box) => Math.max(1, box.weight));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const wide = (columns: number) => (columns === 0 ? 124 : columns * slot - GAP + 2 * PAD);
  const columns = counts.map((count) => Math.min(1, count));
  const used = () => columns.reduce((sum, one) => sum + wide(one), 0);
  if (used() > free) return weights.map((weight) => (free * weight) / all);
  for (;;) {
    const lines = counts.map((count, at) => (columns[at] === 0 ? 0 : Math.ceil(count / columns[at]!)));
    const at = lines.indexOf(Math.max(...lines));
    if (lines[at]! <= 1) break;
    columns[at]! += 1;
    if (used() > free) {
      columns[at]! -= 1;
      break;
    }
  }
  const rest = free - used();
  return columns.map((one, at) => wide(one) + (rest * weights[at]!) / all);
}

function placeRow(row: BoxArea[], inside: Map<string, Piece[]>, y: number, width: number, layout: BoxLayout): number {
  const free = width - GAP * (row.length - 1);
  const wide = widths(
    row,
    row.map((box) => inside.get(box.id)?.length ?? 0),
    free,
  );
  let x = 0;
  let height = 0;
  const placed = row.map((box, at) => {
    const own = wide[at]!;
    const columns = Math.max(1, Math.floor((own - 2 * PAD + GAP) / (COUNTER.width + GAP)));
    const pieces = inside.get(box.id) ?? [];
    const lines = Math.ceil(pieces.length / columns);
    const rect = { x, y, width: own, height: 0 };
    x += own + GAP;
    height = Math.max(
      height,
      HEAD + (lines > 0 ? lines * (COUNTER.height + GAP) + PAD - GAP / 2 : row.length === 1 ? COUNTER.height / 2 : 18),
    );
    return { box, rect, columns, pieces };
  });
  for (const { box, rect, columns, pieces } of placed) {
    rect.height = height;
    layout.boxes.set(box.id, rect);
    const alone = row.length === 1;
    for (const [at, piece] of pieces.entries()) {
      const line = Math.floor(at / columns);
      const inLine = Math.min(columns, pieces.length - line * columns);
      const used = inLine * (COUNTER.width + GAP) - GAP;
      const left = alone
        ? rect.x + (rect.width - used) / 2
        : rect.x + Math.max(PAD, (rect.width - (columns * (COUNTER.width + GAP) - GAP)) / 2);
      layout.pieces.set(piece.id, {
        x: left + (at % columns) * (COUNTER.width + GAP),
        y: rect.y + HEAD + line * (COUNTER.height + GAP),
        width: COUNTER.width,
        height: COUNTER.height,
      });
    }
  }
  return height;
}

/** The layout that makes counters as large as they can be in a window, unless they cannot be read. */
export function fitBoxes(
  boxes: BoxArea[],
  pieces: Piece[],
  width: number,
  height: number,
  bottom: Side,
): { layout: BoxLayout; scale: number } {
  for (let tenths = 16; ; tenths--) {
    const scale = tenths / 10;
    const layout = layoutBoxes(boxes, pieces, width / scale, bottom);
    if (layout.height * scale <= height) return { layout, scale };
    if (tenths <= 8) return { layout: layoutBoxes(boxes, pieces, width, bottom), scale: 1 };
  }
}

/** The hexes of a surface, column by column. */
export function hexCells(columns: [number, number, number][]): [number, number][] {
  return columns.flatMap(([q, first, last]) =>
    Array.from({ length: last - first + 1 }, (_, n): [number, number] => [q, first + n]),
  );
}

/** The centre of a hex with a flat top, y downward for drawing. */
export function hexCentre(q: number, r: number, width: number, height: number): Point {
  return [q * width * 0.75, (r + q / 2) * height];
}

/** The corners of a flat-topped hex as an SVG path. */
export function hexPath([x, y]: Point, width: number, height: number): string {
  const [w, h] = [width / 2, height / 2];
  return `M${x - w} ${y}L${x - w / 2} ${y - h}L${x + w / 2} ${y - h}L${x + w} ${y}L${x + w / 2} ${y + h}L${x - w / 2} ${y + h}Z`;
}

/** The hex a drawn point lies in, as axial coordinates. */
export function hexAt([x, y]: Point, width: number, height: number): Point {
  const q = x / (width * 0.75);
  const r = y / height - q / 2;
  const s = -q - r;
  let [rq, rr, rs] = [Math.round(q), Math.round(r), Math.round(s)];
  const [dq, dr, ds] = [Math.abs(rq - q), Math.abs(rr - r), Math.abs(rs - s)];
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return [rq + 0, rr + 0];
}

/** The spot of a hex at a drawn point: `q,r@m` in the middle, else `q,r@n` towards side `n`, clockwise from the top. */
export function spotAt(point: Point, width: number, height: number): string {
  const [q, r] = hexAt(point, width, height);
  const [x, y] = hexCentre(q, r, width, height);
  const [dx, dy] = [point[0] - x, point[1] - y];
  if (Math.hypot(dx, dy) < height * 0.17) return `${q},${r}@m`;
  return `${q},${r}@${(Math.round((Math.atan2(dx, -dy) * 180) / Math.PI / 60) + 6) % 6}`;
}

/** Whether a plane is turned by 180° to bring a side's own edge to the bottom. */
export function turnedAbout(surface: Surface, bottom: Side): boolean {
  if (surface.kind !== 'plane') return false;
  const own = surface.marks.filter((mark) => mark.side === bottom && mark.from[1] === mark.to[1]);
  return own.length > 0 && own.every((mark) => mark.from[1] > (surface.min[1] + surface.max[1]) / 2);
}

/** A point of a scene (y upward) as a point of the drawing (y downward), and the other way round. */
export function drawn([x, y]: Point, turned = false): Point {
  return turned ? [-x, y] : [x, -y];
}

/** The rectangle between two points. */
export function between([ax, ay]: Point, [bx, by]: Point): Rect {
  return { x: Math.min(ax, bx), y: Math.min(ay, by), width: Math.abs(bx - ax), height: Math.abs(by - ay) };
}

/** What a surface covers, in drawing coordinates (y downward), with a margin for hexes and planes. */
export function extent(surface: Surface, turned = false): Rect {
  if (surface.kind === 'plane') {
    const all = between(drawn(surface.min, turned), drawn(surface.max, turned));
    return { ...all, width: Math.max(1, all.width), height: Math.max(1, all.height) };
  }
  if (surface.kind === 'hexes') {
    const centres = hexCells(surface.columns).map(([q, r]) => hexCentre(q, r, surface.width, surface.height));
    if (centres.length === 0) return { x: 0, y: 0, width: surface.width, height: surface.height };
    const xs = centres.map(([x]) => x);
    const ys = centres.map(([, y]) => y);
    const x = Math.min(...xs) - surface.width / 2;
    const y = Math.min(...ys) - surface.height / 2;
    return { x, y, width: Math.max(...xs) + surface.width / 2 - x, height: Math.max(...ys) + surface.height / 2 - y };
  }
  return { x: 0, y: 0, width: 1, height: 1 };
}

/** The part of a rectangle that lies in another one. */
function within(rect: Rect, all: Rect): Rect {
  const [x, y] = [Math.max(all.x, rect.x), Math.max(all.y, rect.y)];
  return {
    x,
    y,
    width: Math.max(1, Math.min(all.x + all.width, rect.x + rect.width) - x),
    height: Math.max(1, Math.min(all.y + all.height, rect.y + rect.height) - y),
  };
}

/** The area of the pieces on hexes, with room to move around them, and at least a few hexes across. */
function nearHexes(surface: Extract<Surface, { kind: 'hexes' }>, pieces: Piece[]): Rect {
  const all = extent(surface);
  const points = pieces.flatMap(({ place }) => ('point' in place ? [drawn(place.point)] : []));
  if (points.length === 0) return all;
  const least = [7 * surface.width * 0.75, 6 * surface.height] as const;
  const side = (values: number[], room: number, small: number): [number, number] => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const long = Math.max(small, high - low + 2 * room);
    return [(low + high - long) / 2, long];
  };
  const [x, width] = side(
    points.map(([at]) => at),
    2 * surface.width * 0.75,
    least[0],
  );
  const [y, height] = side(
    points.map(([, at]) => at),
    1.8 * surface.height,
    least[1],
  );
  return within({ x, y, width, height }, all);
}

/** The least width of a sea that is shown, in lengths of its largest model. */
const ROOM = 11;

/** The area of the pieces on an open sea, with room around them. */
function nearPieces(surface: Surface, pieces: Piece[], turned: boolean): Rect {
  const all = extent(surface, turned);
  const points = pieces.flatMap(({ place }) => ('point' in place ? [drawn(place.point, turned)] : []));
  if (points.length === 0) return all;
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const long = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  // Two ships on a wide sea are shown large, with room for a turn's run around them.
  const models = pieces.filter((piece) => hull(piece.kind) !== null).map(baseOf);
  const wide = 0.4 * Math.max(all.width, all.height);
  const least = models.length > 0 ? Math.min(wide, ROOM * Math.max(...models)) : wide;
  const side = (values: number[]): [number, number] => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const length = Math.max(least, high - low + 0.36 * long);
    return [(low + high - length) / 2, length];
  };
  const [[x, width], [y, height]] = [side(xs), side(ys)];
  return within({ x, y, width, height }, all);
}

/** Whether the visible area may stay: it holds every piece well inside and is not much too large. */
export function stillGood(kept: Rect, wanted: Rect, surface: Surface, pieces: Piece[], turned = false): boolean {
  if (kept.width * kept.height > 1.8 * wanted.width * wanted.height) return false;
  if (surface.kind === 'boxes') return false;
  if (surface.kind === 'plane' && surface.marks.length > 0 && !isSea(surface, pieces)) return false;
  const all = extent(surface, turned);
  const room = surface.kind === 'hexes' ? surface.height * 0.9 : 0.06 * Math.max(wanted.width, wanted.height);
  return pieces.every(({ place }) => {
    if (!('point' in place)) return true;
    const [x, y] = drawn(place.point, turned);
    const inside = (at: number, low: number, high: number, least: number, most: number) =>
      (at >= low + room || low <= least) && (at <= high - room || high >= most);
    return (
      inside(x, kept.x, kept.x + kept.width, all.x, all.x + all.width) &&
      inside(y, kept.y, kept.y + kept.height, all.y, all.y + all.height)
    );
  });
}

/**
 * The area of a surface that is shown first: on a plane its marks with a margin (or all of it, if a piece lies
 * outside), on hexes the area of the pieces.
 */
export function focus(surface: Surface, pieces: Piece[] = [], turned = false): Rect {
  const all = extent(surface, turned);
  if (surface.kind === 'hexes') return nearHexes(surface, pieces);
  if (surface.kind !== 'plane') return all;
  if (surface.marks.length === 0 || isSea(surface, pieces)) return nearPieces(surface, pieces, turned);
  // A wide area of one side says where that side may be, not what to show.
  const framed = surface.marks.filter(
    (mark) => mark.side === undefined || mark.from[0] === mark.to[0] || mark.from[1] === mark.to[1],
  );
  const ends = (framed.length > 0 ? framed : surface.marks).flatMap((mark) => [
    drawn(mark.from, turned),
    drawn(mark.to, turned),
  ]);
  const xs = ends.map(([x]) => x);
  const ys = ends.map(([, y]) => y);
  const room = 0.1 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const x = Math.max(all.x, Math.min(...xs) - room);
  const y = Math.max(all.y, Math.min(...ys) - room);
  const near = {
    x,
    y,
    width: Math.max(1, Math.min(all.x + all.width, Math.max(...xs) + room) - x),
    height: Math.max(1, Math.min(all.y + all.height, Math.max(...ys) + room) - y),
  };
  const beyond = ({ place }: Piece) => {
    if (!('point' in place)) return false;
    const [px, py] = drawn(place.point, turned);
    return px < near.x || px > near.x + near.width || py < near.y || py > near.y + near.height;
  };
  return pieces.some(beyond) ? all : near;
}

/** The size of letters, at most `most`, at which a text fits a width. Bold letters are two thirds as wide as high. */
export function fittedSize(text: string, width: number, most: number): number {
  return Math.max(4, Math.min(most, width / (Math.max(1, text.length) * 0.66)));
}

/** A text in one line, or in two of about the same length if it is longer than `most` letters. */
export function twoLines(text: string, most: number): string[] {
  const gaps = [...text.matchAll(/ /g)].map((gap) => gap.index);
  if (text.length <= most || gaps.length === 0) return [text];
  const middle = text.length / 2;
  const at = gaps.reduce((best, gap) => (Math.abs(gap - middle) < Math.abs(best - middle) ? gap : best));
  return [text.slice(0, at), text.slice(at + 1)];
}

/** How the drawing is placed in the window: scale and offset. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

/** The view that shows all of a rectangle, centred. */
export function fit(rect: Rect, width: number, height: number, margin = 12): View {
  const scale = Math.max(1e-6, Math.min((width - 2 * margin) / rect.width, (height - 2 * margin) / rect.height));
  return {
    scale,
    x: (width - rect.width * scale) / 2 - rect.x * scale,
    y: (height - rect.height * scale) / 2 - rect.y * scale,
  };
}

/** The view after zooming about a point of the window that stays in place. */
export function zoomAt(view: View, factor: number, at: Point, limits: [number, number]): View {
  const scale = Math.min(Math.max(view.scale * factor, limits[0]), limits[1]);
  const ratio = scale / view.scale;
  return { scale, x: at[0] - (at[0] - view.x) * ratio, y: at[1] - (at[1] - view.y) * ratio };
}

/** The point of the drawing under a point of the window. */
export function toDrawing(view: View, [x, y]: Point): Point {
  return [(x - view.x) / view.scale, (y - view.y) / view.scale];
}

/** Fans out pieces at the same point: the place of each in its stack. */
export function stacks(pieces: Piece[]): Map<string, { at: number; of: number }> {
  const groups = new Map<string, Piece[]>();
  for (const piece of pieces) {
    if (!('point' in piece.place)) continue;
    const key = piece.place.point.join(' ');
    groups.set(key, [...(groups.get(key) ?? []), piece]);
  }
  const out = new Map<string, { at: number; of: number }>();
  for (const group of groups.values())
    for (const [at, piece] of group.entries()) out.set(piece.id, { at, of: group.length });
  return out;
}

/** What the plane of the page is measured in: thousandths of a card length, or millimetres where models stand on it. */
let unit: 'length' | 'mm' = 'length';

/** Measures from now on as a scene does. */
export function measureAs(scene: Scene): void {
  unit = isSea(scene.surface, scene.pieces) ? 'mm' : 'length';
}

/** A length as it is typed and shown: in millimetres, or in lengths of a card. */
export const shownUnits = (units: number): number => (unit === 'mm' ? units : units / 1000);
/** A length as it was typed, in the scene's units. */
export const inUnits = (shown: number): number => Math.round(unit === 'mm' ? shown : shown * 1000);
export const unitStep = (): string => (unit === 'mm' ? '1' : '0.1');

/** A distance on a plane in words. */
export function lengths(units: number): string {
  if (unit === 'mm') return `${Math.round(units)} mm`;
  const number = Math.round(units / 100) / 10;
  return `${number} ${number === 1 ? 'length' : 'lengths'}`;
}

/** How far apart two points are. */
export function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(bx - ax, by - ay);
}

/** Where a line from the middle of a rectangle towards a point leaves it. */
export function edge(rect: Rect, to: Point): Point {
  const [x, y] = centre(rect);
  const [dx, dy] = [to[0] - x, to[1] - y];
  const reach = Math.min(
    dx === 0 ? Infinity : rect.width / 2 / Math.abs(dx),
    dy === 0 ? Infinity : rect.height / 2 / Math.abs(dy),
  );
  return Number.isFinite(reach) ? [x + dx * Math.min(1, reach), y + dy * Math.min(1, reach)] : [x, y];
}

/** Lines from piece to piece, shortened at both ends so that the arrowhead is seen. */
export function shorten(from: Point, to: Point, start: number, end: number): [Point, Point] {
  const length = distance(from, to);
  if (length <= start + end) return [from, to];
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  return [
    [from[0] + ux * start, from[1] + uy * start],
    [to[0] - ux * end, to[1] - uy * end],
  ];
}

/** Moves points that are too close apart, each by at most `apart`; the same points always move the same way. */
export function spread(points: [string, Point][], apart: number): Map<string, Point> {
  const now = points.map(([, [x, y]]) => [x, y] as Point);
  for (let round = 0; round < 24; round++) {
    let moved = false;
    for (let a = 0; a < now.length; a++)
      for (let b = a + 1; b < now.length; b++) {
        const [one, two] = [now[a]!, now[b]!];
        const gap = distance(one, two);
        if (gap >= apart - 0.5) continue;
        moved = true;
        // Points at the same place move apart in a direction that depends on their order.
        const angle = gap < 0.01 ? a + b * 2.4 : Math.atan2(two[1] - one[1], two[0] - one[0]);
        const push = (apart - gap) / 2;
        one[0] -= Math.cos(angle) * push;
        one[1] -= Math.sin(angle) * push;
        two[0] += Math.cos(angle) * push;
        two[1] += Math.sin(angle) * push;
      }
    if (!moved) break;
  }
  return new Map(
    points.map(([id, from], at) => {
      const to = now[at]!;
      const far = distance(from, to);
      const share = far > apart ? apart / far : 1;
      return [id, [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share] as Point];
    }),
  );
}
