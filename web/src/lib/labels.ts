import type { Point } from '../wire/types';

/** A label that wants a place beside what it names. */
export interface Wanted {
  id: string;
  at: Point;
  /** How far what it names reaches. */
  radius: number;
  width: number;
  height: number;
  /** Labels of higher rank are placed first. */
  rank: number;
  /** Whether it wants to stand below what it names rather than beside it. */
  below?: boolean;
  /** Whether it is not drawn, so that what it names only stands in the way of the others. */
  silent?: boolean;
}
/** The upper left corner of a label. */
export interface Label {
  x: number;
  y: number;
  /** Whether it lies apart from what it names, so that a line should lead to it. */
  apart: boolean;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Places labels beside what they name so that none covers another or a piece; those without room are left out. */
export function placeLabels(wanted: Wanted[], width: number, height: number): Map<string, Label> {
  const pieces = wanted.map(({ id, at: [x, y], radius }) => {
    const half = radius * 0.62;
    return { id, box: { x: x - half, y: y - half, width: half * 2, height: half * 2 } };
  });
  const placed: Box[] = [];
  const out = new Map<string, Label>();
  for (const one of [...wanted].sort((a, b) => b.rank - a.rank || a.at[1] - b.at[1])) {
    if (one.silent) continue;
    const [x, y] = one.at;
    const near = one.radius * 0.75 + 4;
    const spots: [number, number, boolean][] = [];
    for (const far of [near, near + 24, near + 52]) {
      const apart = far > near;
      const under: [number, number, boolean] = [x - one.width / 2, y + far, apart];
      if (one.below) spots.push(under);
      spots.push(
        [x + far, y - one.height / 2, apart],
        [x - far - one.width, y - one.height / 2, apart],
        under,
        [x - one.width / 2, y - far - one.height, apart],
        [x + far * 0.7, y + far * 0.7, apart],
        [x - far * 0.7 - one.width, y + far * 0.7, apart],
        [x + far * 0.7, y - far * 0.7 - one.height, apart],
        [x - far * 0.7 - one.width, y - far * 0.7 - one.height, apart],
      );
    }
    const free = spots.find(([left, top]) => {
      const box = { x: left - 1, y: top - 1, width: one.width + 2, height: one.height + 2 };
      if (left < 2 || top < 2 || left + one.width > width - 2 || top + one.height > height - 2) return false;
      return !placed.some((other) => meets(box, other)) && !pieces.some((piece) => meets(box, piece.box));
    });
    if (!free) continue;
    placed.push({ x: free[0], y: free[1], width: one.width, height: one.height });
    out.set(one.id, { x: free[0], y: free[1], apart: free[2] });
  }
  return out;
}

/** Where along an arrow its label may stand, the best place first. */
const SHARES = [0.36, 0.5, 0.22, 0.64, 0.78];

/**
 * The middles of the labels of arrows, each beside its arrow, where no other stands and, if possible, nothing in
 * `taken`; null where there is no such place.
 */
export function alongArrows(
  arrows: { ends: [Point, Point]; width: number; height: number; aside: number }[],
  taken: Box[] = [],
): (Point | null)[] {
  const placed: Box[] = [];
  return arrows.map(({ ends: [a, b], width, height, aside }) => {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const spots = SHARES.map((share): { at: Point; box: Box } => {
      const x = a[0] + (b[0] - a[0]) * share + ((b[1] - a[1]) / length) * aside;
      const y = a[1] + (b[1] - a[1]) * share - ((b[0] - a[0]) / length) * aside;
      return { at: [x, y], box: { x: x - width / 2 - 1, y: y - height / 2 - 1, width: width + 2, height: height + 2 } };
    });
    const open = spots.filter(({ box }) => !placed.some((other) => meets(box, other)));
    const found = open.find(({ box }) => !taken.some((other) => meets(box, other))) ?? open[0];
    if (!found) return null;
    placed.push(found.box);
    return found.at;
  });
}
