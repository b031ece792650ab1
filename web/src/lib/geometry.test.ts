import { describe, expect, it } from 'vitest';
import { scene as sea } from '../fixture/sea';
import type { BoxArea, Piece, Point } from '../wire/types';
import {
  inUnits,
  shownUnits,
  unitStep,
  drawn,
  edge,
  extent,
  fit,
  fitBoxes,
  focus,
  hexAt,
  hexCells,
  hexCentre,
  layoutBoxes,
  lengths,
  measureAs,
  shorten,
  spread,
  stacks,
  toDrawing,
  zoomAt,
  type Rect,
  stillGood,
  spotAt,
  fittedSize,
  twoLines,
} from './geometry';

function area(id: string, side: 'first' | 'second', weight: number): BoxArea {
  return { id, title: id, side, weight };
}
function piece(id: string, box: string): Piece {
  return { id, name: id, kind: 'battleship', place: { box }, text: id };
}
const boxes = (['first', 'second'] as const).flatMap((side) => [
  area(`${side}-line`, side, 6),
  ...['a', 'b', 'c'].map((id) => area(`${side}-${id}`, side, 2)),
]);
const contains = (outer: Rect, inner: Rect) =>
  inner.x >= outer.x - 0.01 &&
  inner.y >= outer.y - 0.01 &&
  inner.x + inner.width <= outer.x + outer.width + 0.01 &&
  inner.y + inner.height <= outer.y + outer.height + 0.01;
const overlap = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('boards of boxes', () => {
  const pieces = Array.from({ length: 9 }, (_, at) => piece(`p${at}`, at < 7 ? 'first-line' : 'second-a'));

  for (const width of [340, 700, 1200])
    it(`keeps counters inside their boxes and boxes apart at ${width}`, () => {
      const layout = layoutBoxes(boxes, pieces, width, 'first');
      for (const one of pieces)
        expect(contains(layout.boxes.get((one.place as { box: string }).box)!, layout.pieces.get(one.id)!)).toBe(true);
      const rects = [...layout.boxes.values()];
      for (const [at, a] of rects.entries()) for (const b of rects.slice(at + 1)) expect(overlap(a, b)).toBe(false);
      for (const rect of rects) expect(contains({ x: 0, y: 0, width, height: layout.height }, rect)).toBe(true);
    });

  it('lets the lines of battle face each other, one’s own below', () => {
    const y = (side: 'first' | 'second', id: string) => layoutBoxes(boxes, pieces, 1000, side).boxes.get(id)!.y;
    expect(y('first', 'first-line')).toBeGreaterThan(y('first', 'second-line'));
    expect(y('first', 'first-a')).toBeGreaterThan(y('first', 'first-line'));
    expect(y('first', 'second-a')).toBeLessThan(y('first', 'second-line'));
    expect(y('second', 'second-line')).toBeGreaterThan(y('second', 'first-line'));
  });
});

describe('boards in windows', () => {
  it('are as large as the window lets them be', () => {
    const pieces = [piece('a', 'first-line')];
    const large = fitBoxes(boxes, pieces, 1200, 900, 'first');
    const small = fitBoxes(boxes, pieces, 1200, 300, 'first');
    expect(large.scale).toBeGreaterThan(small.scale);
    expect(large.layout.height * large.scale).toBeLessThanOrEqual(900);
    // Too many counters for any window are shown at a size that can be read.
    expect(fitBoxes(boxes, pieces, 1200, 10, 'first').scale).toBe(1);
  });

  it('let arrows end at a counter’s rim', () => {
    const rect = { x: 0, y: 0, width: 20, height: 10 };
    expect(edge(rect, [10, 100])).toEqual([10, 10]);
    expect(edge(rect, [110, 5])).toEqual([20, 5]);
    expect(edge(rect, [10, 5])).toEqual([10, 5]);
  });
});

describe('hexes', () => {
  it('are found again at their centres and near them', () => {
    for (let q = -5; q <= 5; q++)
      for (let r = -5; r <= 5; r++) {
        const [x, y] = hexCentre(q, r, 40, 34);
        for (const [dx, dy] of [
          [0, 0],
          [8, 6],
          [-8, -6],
          [0, 15],
        ] as Point[])
          expect(hexAt([x + dx, y + dy], 40, 34)).toEqual([q, r]);
      }
  });

  it('have a middle and six sides', () => {
    const [x, y] = hexCentre(2, -1, 40, 34);
    expect(spotAt([x, y], 40, 34)).toBe('2,-1@m');
    for (let side = 0; side < 6; side++) {
      const turn = (side * Math.PI) / 3;
      expect(spotAt([x + Math.sin(turn) * 11, y - Math.cos(turn) * 11], 40, 34)).toBe(`2,-1@${side}`);
    }
  });

  it('are told in columns', () => {
    expect(
      hexCells([
        [-1, 0, 1],
        [0, -1, -1],
        [1, 3, 2],
      ]),
    ).toEqual([
      [-1, 0],
      [-1, 1],
      [0, -1],
    ]);
  });

  it('span an extent with their rims', () => {
    expect(
      extent({
        kind: 'hexes',
        width: 40,
        height: 34,
        columns: [
          [0, 0, 0],
          [1, 0, 0],
        ],
        labels: [],
      }),
    ).toEqual({ x: -20, y: -17, width: 70, height: 51 });
    expect(extent({ kind: 'plane', min: [-10, 0], max: [30, 20], marks: [] })).toEqual({
      x: -10,
      y: -20,
      width: 40,
      height: 20,
    });
  });
});

describe('where the pieces are', () => {
  const columns = Array.from({ length: 21 }, (_, q): [number, number, number] => [q - 10, -10, 10]);
  const surface = { kind: 'hexes' as const, width: 40, height: 34, columns, labels: [] };
  const at = (point: Point): Piece => ({ ...piece('one', ''), place: { point } });
  it('is looked at on hexes, with room round them', () => {
    const near = focus(surface, [at([0, 0]), at([60, 40])]);
    expect(near.width).toBeLessThan(extent(surface).width / 2);
    expect([near.x + near.width / 2, near.y + near.height / 2]).toEqual([30, -20]);
    expect(focus(surface, [])).toEqual(extent(surface));
  });
  it('stays while everything is well inside, and follows what leaves it', () => {
    const near = focus(surface, [at([0, 0])]);
    expect(stillGood(near, focus(surface, [at([20, 10])]), surface, [at([20, 10])])).toBe(true);
    expect(stillGood(near, focus(surface, [at([160, 0])]), surface, [at([160, 0])])).toBe(false);
  });
});

describe('boxes of a row', () => {
  it('are as wide as their counters want, so that the row stays low', () => {
    const boxes = ['a', 'b', 'c'].map((id) => ({ id, title: id, side: 'first' as const, weight: 1 }));
    const layout = layoutBoxes(
      boxes,
      Array.from({ length: 4 }, (_, n) => piece(`p${n}`, 'b')),
      800,
      'first',
    );
    const tops = new Set([...layout.pieces.values()].map((rect) => rect.y));
    expect(tops.size).toBe(1);
  });
  it('put small neutral boxes at the bottom', () => {
    const boxes = [
      { id: 'turn', title: 'turn', weight: 2 },
      { id: 'own', title: 'own', side: 'first' as const, weight: 4 },
      { id: 'zone', title: 'zone', weight: 4 },
      { id: 'theirs', title: 'theirs', side: 'second' as const, weight: 4 },
    ];
    const { boxes: placed } = layoutBoxes(boxes, [], 800, 'first');
    expect([...placed].sort(([, a], [, b]) => a.y - b.y).map(([id]) => id)).toEqual(['theirs', 'zone', 'own', 'turn']);
  });
});

describe('planes', () => {
  it('are looked at where their marks are', () => {
    const marks = [{ label: 'area', from: [0, 0] as Point, to: [100, 50] as Point }];
    expect(focus({ kind: 'plane', min: [-1000, -10], max: [1000, 1000], marks })).toEqual({
      x: -10,
      y: -60,
      width: 120,
      height: 70,
    });
    // A wide area of one side is not shown first.
    const station = { label: 'station', side: 'first' as const, from: [-900, 0] as Point, to: [900, 40] as Point };
    expect(focus({ kind: 'plane', min: [-1000, -10], max: [1000, 1000], marks: [...marks, station] }).width).toBe(120);
    const far: Piece = { ...piece('far', ''), kind: 'card', place: { point: [500, 0] } };
    expect(focus({ kind: 'plane', min: [-1000, -10], max: [1000, 1000], marks }, [far]).width).toBe(2000);
    expect(focus({ kind: 'plane', min: [0, 0], max: [10, 10], marks: [] })).toEqual({
      x: 0,
      y: -10,
      width: 10,
      height: 10,
    });
  });
});

describe('views', () => {
  it('show all of a drawing and keep the point under the pointer', () => {
    const view = fit({ x: -10, y: -20, width: 40, height: 20 }, 424, 400);
    expect(view.scale).toBe(10);
    const at: Point = [100, 150];
    const before = toDrawing(view, at);
    const after = toDrawing(zoomAt(view, 1.7, at, [0.1, 100]), at);
    expect(after[0]).toBeCloseTo(before[0]);
    expect(after[1]).toBeCloseTo(before[1]);
    expect(zoomAt(view, 1000, at, [0.1, 100]).scale).toBe(100);
  });

  it('part what lies too close, and only that', () => {
    const points: [string, Point][] = [
      ['a', [0, 0]],
      ['b', [0, 0]],
      ['c', [5, 0]],
      ['d', [200, 0]],
    ];
    const out = spread(points, 30);
    expect(out.get('d')).toEqual([200, 0]);
    const [a, b, c] = ['a', 'b', 'c'].map((id) => out.get(id)!) as [Point, Point, Point];
    for (const [one, two] of [
      [a, b],
      [b, c],
      [a, c],
    ] as const)
      expect(Math.hypot(one[0] - two[0], one[1] - two[1])).toBeGreaterThan(20);
    expect(spread(points, 30)).toEqual(out);
    expect(points[0]![1]).toEqual([0, 0]);
  });

  it('fan out stacks and shorten arrows', () => {
    const at = (id: string, point: Point): Piece => ({ ...piece(id, ''), place: { point } });
    expect(stacks([at('a', [0, 0]), at('b', [0, 0]), at('c', [1, 0])]).get('b')).toEqual({ at: 1, of: 2 });
    expect(shorten([0, 0], [10, 0], 2, 3)).toEqual([
      [2, 0],
      [7, 0],
    ]);
    expect(shorten([0, 0], [1, 0], 2, 3)).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });
});

it('places of neither side that are as large as the others lie between the sides', () => {
  const box = (id: string, weight: number, side?: 'first' | 'second'): BoxArea => ({ id, title: id, weight, side });
  const all = [box('a', 2, 'first'), box('town', 2), box('track', 1), box('b', 2, 'second')];
  const { boxes } = layoutBoxes(all, [], 900, 'first');
  const order = [...boxes].sort(([, one], [, two]) => one.y - two.y).map(([id]) => id);
  expect(order).toEqual(['b', 'town', 'a', 'track']);
});

it('a long text gets smaller letters or a second line, and is never cut', () => {
  expect(fittedSize('Hood', 100, 11)).toBe(11);
  const long = 'Damaged & Disabled';
  expect(fittedSize(long, 100, 11) * long.length * 0.66).toBeLessThanOrEqual(100.001);
  expect(twoLines('Hood', 18)).toEqual(['Hood']);
  expect(twoLines('6th Division: Mogador and Volta', 18)).toEqual(['6th Division:', 'Mogador and Volta']);
  expect(twoLines('Donaudampfschifffahrt', 18)).toEqual(['Donaudampfschifffahrt']);
});

it('a sea with models on it is measured in millimetres', () => {
  measureAs(sea);
  expect([lengths(250.4), shownUnits(-30), inUnits(12), unitStep()]).toEqual(['250 mm', -30, 12, '1']);
  measureAs({ ...sea, pieces: [] });
  expect([lengths(1500), shownUnits(-1500), inUnits(1.2)]).toEqual(['1.5 lengths', -1.5, 1200]);
});

it('an open sea shows its pieces with room around them, and stays while they are inside', () => {
  const near = focus(sea.surface, sea.pieces);
  for (const { place } of sea.pieces) {
    if (!('point' in place)) continue;
    const [x, y] = drawn(place.point);
    expect(x > near.x && x < near.x + near.width && y > near.y && y < near.y + near.height).toBe(true);
  }
  expect(stillGood(near, near, sea.surface, sea.pieces)).toBe(true);
  const there = { point: [1690, 1190] as [number, number] };
  const away = sea.pieces.map((piece, at) => (at === 0 ? { ...piece, place: there } : piece));
  expect(stillGood(near, focus(sea.surface, away), sea.surface, away)).toBe(false);
});

it('two ships on a wide sea are shown large', () => {
  const [one, other] = sea.pieces.filter((piece) => 'point' in piece.place);
  const close = [
    { ...one!, place: { point: [900, 600] as [number, number] } },
    { ...other!, place: { point: [960, 640] as [number, number] } },
  ];
  const corners = { min: [0, 0] as [number, number], max: [3000, 2400] as [number, number] };
  const wide = { kind: 'plane' as const, ...corners, marks: [] };
  const near = focus(wide, close);
  expect(Math.max(near.width, near.height)).toBeLessThan(500);
  // What a ship runs in a turn stays in sight.
  expect(Math.min(near.width, near.height)).toBeGreaterThan(220);
});
