import type { Outline, Point } from '../wire/types';

/** A number from 0 to 1 that is always the same for the same place. */
function noise(seed: number, at: number): number {
  const n = Math.sin(seed * 12.9898 + at * 78.233) * 43758.5453;
  return n - Math.floor(n);
}

/** The outline of an area as points, circles as polygons. */
export function rim(outline: Outline, corners = 72): Point[] {
  if (outline.kind === 'polygon') return outline.points;
  const [x, y] = outline.at;
  return Array.from({ length: corners }, (_, n) => {
    const angle = (n / corners) * 2 * Math.PI;
    return [x + Math.cos(angle) * outline.radius, y + Math.sin(angle) * outline.radius];
  });
}

/** The middle of an outline. */
export function middleOf(outline: Outline): Point {
  if (outline.kind === 'circle') return outline.at;
  const count = Math.max(1, outline.points.length);
  const sum = outline.points.reduce(([ax, ay], [x, y]): Point => [ax + x, ay + y], [0, 0]);
  return [sum[0] / count, sum[1] / count];
}

/** A shore inside an outline, between two shares of the way from its middle: ragged, and always the same. */
export function shore(outline: Outline, from: number, to: number): Point[] {
  const [cx, cy] = middleOf(outline);
  const edge = rim(outline, 56);
  // Polygons get points between their corners, so that their sides are ragged too.
  const points =
    outline.kind === 'circle'
      ? edge
      : edge.flatMap(([x, y], at): Point[] => {
          const [nx, ny] = edge[(at + 1) % edge.length]!;
          return Array.from({ length: 8 }, (_, n): Point => [x + ((nx - x) * n) / 8, y + ((ny - y) * n) / 8]);
        });
  const seed = cx * 0.013 + cy * 0.007 + to;
  const wave = (at: number) => {
    const share = at / points.length;
    const low = 0.5 + 0.5 * Math.sin(share * 2 * Math.PI * 3 + seed * 5) * Math.sin(share * 2 * Math.PI * 5 + seed);
    return 0.7 * low + 0.3 * noise(seed, at % points.length);
  };
  return points.map(([x, y], at): Point => {
    const share = from + (to - from) * wave(at);
    return [cx + (x - cx) * share, cy + (y - cy) * share];
  });
}

/** A closed path through points, rounded between them. */
export function smooth(points: Point[]): string {
  if (points.length < 3) return '';
  const mid = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2];
  const round = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const start = mid(points.at(-1)!, points[0]!);
  return `M${round(start)}${points
    .map((point, at) => `Q${round(point)} ${round(mid(point, points[(at + 1) % points.length]!))}`)
    .join('')}Z`;
}

/** A closed path with straight sides. */
export function straightPath(points: Point[]): string {
  return points.length < 2 ? '' : `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
}

/** Places for a texture inside an outline, spread evenly and always the same; at most `most` of them. */
export function scattered(outline: Outline, most: number): { at: Point; size: number }[] {
  const points = rim(outline, 40);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const cell = Math.max(1, Math.sqrt((wide * high) / Math.max(1, most)));
  const out: { at: Point; size: number }[] = [];
  for (let row = 0; row * cell <= high; row++)
    for (let column = 0; column * cell <= wide; column++) {
      const seed = left + top + row * 17;
      const at: Point = [
        left + (column + 0.5 + (noise(seed, column) - 0.5) * 0.7) * cell,
        top + (row + 0.5 + (noise(seed + 3, column) - 0.5) * 0.7) * cell,
      ];
      if (insideOf(points, at)) out.push({ at, size: cell * (0.75 + 0.5 * noise(seed + 9, column)) });
    }
  return out;
}

/** Whether a point lies inside a polygon. */
export function insideOf(corners: Point[], [x, y]: Point): boolean {
  let inside = false;
  for (const [at, [ax, ay]] of corners.entries()) {
    const [bx, by] = corners[(at + 1) % corners.length]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
