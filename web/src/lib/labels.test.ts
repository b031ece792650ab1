import { describe, expect, it } from 'vitest';
import { baseOf, HULL_KINDS, hull, modelLength, modelOf } from './hulls';
import { alongArrows, placeLabels, type Wanted } from './labels';

const label = (id: string, x: number, y: number, rank = 0): Wanted => ({
  id,
  at: [x, y],
  radius: 20,
  width: 60,
  height: 16,
  rank,
});
const boxes = (wanted: Wanted[]) =>
  [...placeLabels(wanted, 600, 400)].map(([id, { x, y }]) => ({ id, x, y, width: 60, height: 16 }));

describe('labels of arrows', () => {
  it('keep clear of each other on arrows that lie side by side', () => {
    const arrows = Array.from({ length: 5 }, (_, n) => ({
      ends: [
        [0, 0],
        [300 + n * 12, 400],
      ] as [[number, number], [number, number]],
      width: 34,
      height: 15,
      aside: 12,
    }));
    const found = alongArrows(arrows).filter((one) => one !== null);
    expect(found.length).toBeGreaterThanOrEqual(4);
    for (const [at, a] of found.entries())
      for (const b of found.slice(at + 1))
        expect(Math.abs(a[0] - b[0]) >= 34 || Math.abs(a[1] - b[1]) >= 15, `${a} ${b}`).toBe(true);
  });
  it('stand a third of the way along if they can', () => {
    const [x, y] = alongArrows([{ ends: [[0, 0], [100, 0]], width: 30, height: 15, aside: 10 }])[0] ?? [];
    expect([x, y]).toEqual([36, -10]);
  });
  it('keep clear of what is to be read, and are left out where another stands', () => {
    const ends: [[number, number], [number, number]] = [[0, 0], [100, 0]];
    const arrow = { ends, width: 30, height: 15, aside: 10 };
    const [at] = alongArrows([arrow], [{ x: 20, y: -20, width: 34, height: 20 }]);
    expect(at![0]).toBeGreaterThan(60);
    expect(alongArrows([arrow, arrow, arrow, arrow]).filter((one) => one === null)).not.toHaveLength(0);
  });
});

describe('labels', () => {
  it('stand to the right where there is room', () => {
    expect(placeLabels([label('a', 100, 100)], 600, 400).get('a')).toEqual({ x: 119, y: 92, apart: false });
  });

  it('keep clear of what has no label of its own', () => {
    const silent = { ...label('b', 130, 100), silent: true };
    const found = placeLabels([label('a', 100, 100), silent], 600, 400);
    expect([...found.keys()]).toEqual(['a']);
    expect(found.get('a')!.x, 'not over the piece to its right').toBeLessThan(100);
  });

  it('never cover each other or leave the window', () => {
    const line = Array.from({ length: 12 }, (_, n) => label(`s${n}`, 200 + n * 14, 120 + n * 9));
    const found = boxes(line);
    expect(found.length).toBeGreaterThanOrEqual(6);
    for (const [at, a] of found.entries()) {
      expect(a.x >= 0 && a.y >= 0 && a.x + 60 <= 600 && a.y + 16 <= 400).toBe(true);
      for (const b of found.slice(at + 1))
        expect(a.x + 60 <= b.x || b.x + 60 <= a.x || a.y + 16 <= b.y || b.y + 16 <= a.y, `${a.id} ${b.id}`).toBe(true);
    }
  });

  it('of higher rank come first', () => {
    const heap = Array.from({ length: 40 }, (_, n) => label(`s${n}`, 300 + (n % 3), 200, n === 39 ? 1 : 0));
    expect(placeLabels(heap, 600, 400).has('s39')).toBe(true);
    expect(placeLabels(heap, 600, 400).size).toBeLessThan(40);
  });
});

describe('models', () => {
  it('can be told apart at any zoom', () => {
    for (const kind of HULL_KINDS)
      for (const scale of [0.001, 0.1, 1, 10]) expect(modelLength(hull(kind)!, 36, scale), kind).toBeGreaterThan(22);
    expect(modelLength(hull('battleship')!, 40, 0.1)).toBeGreaterThan(modelLength(hull('destroyer')!, 24, 0.1));
    expect(hull('toString')).toBeNull();
    const piece = (kind: string, size: [number, number], states: string[] = []) => ({
      id: 'a',
      name: 'a',
      kind,
      place: { point: [0, 0] as [number, number] },
      size,
      states,
      text: 'a',
    });
    expect(modelOf(piece('cruiser', [6, 0]))).toBe(hull('heavy-cruiser'));
    expect(modelOf(piece('cruiser', [4, 0]))).toBe(hull('light-cruiser'));
    expect(modelOf(piece('carrier', [4, 0]))).toBe(hull('escort-carrier'));
    expect(modelOf(piece('battleship', [8, 0], ['wreck']))).toBe(hull('wreck'));
    expect([1, 3, 5, 8].map((size) => baseOf(piece('cruiser', [size, 0])))).toEqual([24, 30, 36, 40]);
    expect(baseOf(piece('cruiser', [36, 36]))).toBe(36);
  });
});
