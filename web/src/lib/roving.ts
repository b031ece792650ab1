import type { Point } from '../wire/types';

/** Something on the board that keys can reach, with its middle in the window. */
export interface Stop<T> {
  of: T;
  at: Point;
}

/** The directions of the arrow keys, and of the six keys that lie round the S and the W like the hexes round a hex. */
const WAYS = new Map<string, Point>([
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
  ['ArrowUp', [0, -1]],
  ['ArrowDown', [0, 1]],
  ['q', [-0.87, -0.5]],
  ['w', [0, -1]],
  ['e', [0.87, -0.5]],
  ['a', [-0.87, 0.5]],
  ['s', [0, 1]],
  ['d', [0.87, 0.5]],
]);

/** The direction that a key leads to on the screen. */
export const wayOf = (key: string): Point | null => WAYS.get(key) ?? WAYS.get(key.toLowerCase()) ?? null;

/** How much worse it is to be off the line than far along it. */
const ASIDE = 2;
/** What is nearer than this to where one stands lies in no direction. */
const APART = 2;

/** The nearest stop in a direction: within 45 degrees of it if there is one, else anywhere on that side. */
export function nearest<T>(from: Point, [wx, wy]: Point, stops: Stop<T>[]): T | null {
  let best: { of: T; wide: boolean; score: number } | null = null;
  for (const { of, at } of stops) {
    const [dx, dy] = [at[0] - from[0], at[1] - from[1]];
    const along = dx * wx + dy * wy;
    const aside = Math.abs(dx * wy - dy * wx);
    if (along < APART) continue;
    const one = { of, wide: aside > along, score: along + ASIDE * aside };
    if (!best || (best.wide && !one.wide) || (best.wide === one.wide && one.score < best.score)) best = one;
  }
  return best?.of ?? null;
}
