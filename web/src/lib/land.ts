import type { Hex, HexMark, Land, Piece, Point, Side, Surface, Terrain } from '../wire/types';
import { hexCells, hexCentre } from './geometry';

/** Hexes of a scene. */
export type Hexes = Extract<Surface, { kind: 'hexes' }>;

/** What options call a hex. */
export const keyOf = ([q, r]: Hex): string => `${q},${r}`;

/** The hex of a key such as `3,-1`. */
export function hexOf(key: string): Hex | null {
  const found = /^(-?\d+),(-?\d+)$/.exec(key);
  return found ? [Number(found[1]), Number(found[2])] : null;
}

/** The six neighbours of a hex, clockwise from the top. */
const STEPS: readonly Hex[] = [
  [0, -1],
  [1, -1],
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
];

/** The keys that go to a neighbour, as the hexes lie round the S and the W of a keyboard. */
const KEYS: Record<string, number> = { w: 0, e: 1, d: 2, s: 3, a: 4, q: 5 };

/** The neighbour that a key leads to. */
export function neighbourBy(key: string, [q, r]: Hex): Hex | null {
  const step = STEPS[KEYS[key.toLowerCase()] ?? -1];
  return step ? [q + step[0], r + step[1]] : null;
}

/** The corners of side `n` of a hex, clockwise from the top, as seen from its centre. */
function corners(n: number, width: number, height: number): [Point, Point] {
  const [w, h] = [width / 2, height / 2];
  const all: Point[] = [
    [-w / 2, -h],
    [w / 2, -h],
    [w, 0],
    [w / 2, h],
    [-w / 2, h],
    [-w, 0],
  ];
  return [all[n]!, all[(n + 1) % 6]!];
}

/** The side between two neighbours as a line of the drawing; null if they do not touch. */
export function sideBetween(a: Hex, b: Hex, { width, height }: Hexes): [Point, Point] | null {
  const n = STEPS.findIndex(([q, r]) => a[0] + q === b[0] && a[1] + r === b[1]);
  if (n < 0) return null;
  const [x, y] = hexCentre(a[0], a[1], width, height);
  return corners(n, width, height).map(([dx, dy]): Point => [x + dx, y + dy]) as [Point, Point];
}

const path = (points: Point[]) => points.map((point) => point.map(Math.round).join(' ')).join('L');

/** A number from 0 to 1 that is always the same for the same place: drawings vary, but never flicker. */
function chance(q: number, r: number, n: number): number {
  const mixed = Math.sin(q * 127.1 + r * 311.7 + n * 74.7) * 43758.5453;
  return mixed - Math.floor(mixed);
}

/** A winding line between two points. */
export function winding([ax, ay]: Point, [bx, by]: Point, bend: number): string {
  const [dx, dy] = [bx - ax, by - ay];
  const at = (along: number, aside: number) =>
    `${Math.round(ax + dx * along - dy * aside * bend)} ${Math.round(ay + dy * along + dx * aside * bend)}`;
  return `M${at(0, 0)}C${at(0.18, 1)} ${at(0.34, 1)} ${at(0.5, 0)}S${at(0.82, -1)} ${at(1, 0)}`;
}

/** Where small pictures stand in a hex: scattered, but off its middle, where the counters are. */
export function scattered([q, r]: Hex, { width, height }: Hexes, count: number) {
  const [x, y] = hexCentre(q, r, width, height);
  return Array.from({ length: count }, (_, n) => {
    const turn = ((n + 0.5 * chance(q, r, n)) / count) * 2 * Math.PI + chance(q, r, 99);
    const out = 0.27 + 0.13 * chance(q, r, n + 40);
    return {
      x: Math.round(x + Math.cos(turn) * out * width),
      y: Math.round(y + Math.sin(turn) * out * height),
      size: 0.75 + 0.5 * chance(q, r, n + 70),
    };
  }).sort((a, b) => a.y - b.y);
}

/** What is known of a hex. */
export interface HexFacts {
  hex: Hex;
  label: string;
  name: string;
  terrain: Terrain | undefined;
  holder: { side: Side; name: string } | undefined;
  marks: HexMark[];
}

/** Everything about every hex, by key. */
export function hexFacts(surface: Hexes): Map<string, HexFacts> {
  const land: Land = surface.land ?? {};
  const out = new Map<string, HexFacts>();
  const labels = new Map((surface.labels ?? []).map(([q, r, label]) => [keyOf([q, r]), label]));
  for (const hex of hexCells(surface.columns)) {
    const key = keyOf(hex);
    out.set(key, { hex, label: labels.get(key) ?? key, name: '', terrain: undefined, holder: undefined, marks: [] });
  }
  for (const terrain of land.terrain ?? [])
    for (const hex of terrain.hexes) {
      const facts = out.get(keyOf(hex));
      if (facts) facts.terrain = terrain;
    }
  for (const { side, name, hexes } of land.control ?? [])
    for (const hex of hexes) {
      const facts = out.get(keyOf(hex));
      if (facts) facts.holder = { side, name };
    }
  for (const [hex, name] of land.names ?? []) {
    const facts = out.get(keyOf(hex));
    if (facts) facts.name = name;
  }
  for (const mark of land.marks ?? []) out.get(keyOf(mark.hex))?.marks.push(mark);
  return out;
}

/** A hex in words: `0402 Rzhev, city, fortress, held by the Axis`. */
export function hexWords({ label, name, terrain, holder, marks }: HexFacts): string {
  const parts = [[label, name].filter(Boolean).join(' '), terrain?.name, ...marks.map((mark) => mark.text)];
  if (holder) parts.push(`held by ${holder.name}`);
  return parts.filter(Boolean).join(', ');
}

/** The terrain of a hex and what stands on it, as marks of the glossary. */
export const hexMarks = ({ terrain, marks }: HexFacts): string =>
  [terrain ? `terrain:${terrain.id}` : 'terrain:clear', ...marks.map((mark) => `mark:${mark.kind}`)].join('\n');

/** A band inside each hex side behind which the other side holds the land, for each side; none at sea. */
export function fronts(surface: Hexes, facts: Map<string, HexFacts>): Record<Side, string> {
  const out: Record<Side, string> = { first: '', second: '' };
  const inner = 0.8;
  const open = (one: HexFacts | undefined) => (one?.terrain?.id === 'sea' ? undefined : one?.holder);
  for (const one of facts.values()) {
    const { hex } = one;
    const holder = open(one);
    if (!holder) continue;
    const [x, y] = hexCentre(hex[0], hex[1], surface.width, surface.height);
    for (const [n, [q, r]] of STEPS.entries()) {
      const other = open(facts.get(keyOf([hex[0] + q, hex[1] + r])));
      if (!other || other.side === holder.side) continue;
      const [a, b] = corners(n, surface.width, surface.height);
      const at = ([dx, dy]: Point, share: number): Point => [x + dx * share, y + dy * share];
      out[holder.side] += `M${path([at(a, 1), at(b, 1), at(b, inner), at(a, inner)])}Z`;
    }
  }
  return out;
}

/** How large the counters in hexes are, for the width of a hex. */
export function counterSize(hex: number): number {
  return Math.max(15, hex * 0.36);
}

/** Where pieces stand, from the centre of their hex: one in the middle, two side by side, more in rows of two. */
export function standing(pieces: Piece[], hex: number): Map<string, Point> {
  const inside = new Map<string, Piece[]>();
  for (const piece of pieces)
    if ('hex' in piece.place) {
      const key = keyOf(piece.place.hex);
      inside.set(key, [...(inside.get(key) ?? []), piece]);
    }
  const out = new Map<string, Point>();
  const step = counterSize(hex) * 1.06;
  for (const group of inside.values()) {
    const rows = Math.ceil(group.length / 2);
    for (const [at, piece] of group.entries()) {
      const row = Math.floor(at / 2);
      const inRow = Math.min(2, group.length - row * 2);
      out.set(piece.id, [((at % 2) - (inRow - 1) / 2) * step, (row - (rows - 1) / 2) * step * (rows > 1 ? 0.82 : 1)]);
    }
  }
  return out;
}
