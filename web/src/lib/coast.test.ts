import { describe, expect, it } from 'vitest';
import type { Outline, Point } from '../wire/types';
import { insideOf, middleOf, rim, scattered, shore, smooth } from './coast';

const round: Outline = { kind: 'circle', at: [100, 50], radius: 40 };
const square: Outline = {
  kind: 'polygon',
  points: [
    [0, 0],
    [60, 0],
    [60, 60],
    [0, 60],
  ],
};

describe('areas', () => {
  it('have their shore inside the outline that the rules use', () => {
    for (const outline of [round, square]) {
      const edge = rim(outline, 360);
      const [x, y] = middleOf(outline);
      for (const [px, py] of shore(outline, 0.86, 0.995)) {
        const nearer: Point = [x + (px - x) * 0.999, y + (py - y) * 0.999];
        expect(insideOf(edge, nearer), `${px} ${py}`).toBe(true);
      }
    }
    expect(shore(round, 0.8, 1)).toEqual(shore(round, 0.8, 1));
  });

  it('are filled evenly and always in the same way', () => {
    const puffs = scattered(square, 30);
    expect(puffs.length).toBeGreaterThan(15);
    expect(puffs.length).toBeLessThan(60);
    expect(puffs.every(({ at }) => insideOf(square.points, at))).toBe(true);
    expect(scattered(square, 30)).toEqual(puffs);
    expect(smooth(square.points)).toMatch(/^M.*Z$/);
    expect(smooth([])).toBe('');
  });
});
