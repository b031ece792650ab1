import { describe, expect, it } from 'vitest';
import type { Point } from '../wire/types';
import { nearest, wayOf } from './roving';

/** Stops from a drawing, a letter each, 10 apart. */
function drawn(picture: string[]) {
  return picture.flatMap((row, y) =>
    [...row].flatMap((of, x) => (of === '.' || of === ' ' ? [] : [{ of, at: [x * 10, y * 10] as Point }])),
  );
}
function go(picture: string[], from: string, key: string): string | null {
  const stops = drawn(picture);
  const here = stops.find(({ of }) => of === from)!;
  return nearest(
    here.at,
    wayOf(key)!,
    stops.filter((one) => one !== here),
  );
}

describe('the keys of the board', () => {
  it('go to the nearest in their direction', () => {
    const picture = ['..b..', 'd.a.e', '..c.f'];
    expect(go(picture, 'a', 'ArrowUp')).toBe('b');
    expect(go(picture, 'a', 'ArrowDown')).toBe('c');
    expect(go(picture, 'a', 'ArrowLeft')).toBe('d');
    expect(go(picture, 'a', 'ArrowRight')).toBe('e');
  });
  it('weigh how far something is against how far off the line it is', () => {
    expect(go(['a....b', '......', '..c...'], 'a', 'ArrowRight')).toBe('b');
    expect(go(['a.......b', '..c......'], 'a', 'ArrowRight')).toBe('c');
  });
  it('take what is far aside if nothing lies ahead, and nothing behind', () => {
    expect(go(['a', '.', '.', '.b'], 'a', 'ArrowRight')).toBe('b');
    expect(go(['b.a'], 'a', 'ArrowRight')).toBeNull();
    expect(go(['a', 'b'], 'a', 'ArrowRight')).toBeNull();
  });
  it('lead to the six neighbours of a hex', () => {
    const picture = ['...w...', '.q...e.', '...x...', '.a...d.', '...s...'];
    for (const key of 'qweasd') expect(go(picture, 'x', key)).toBe(key);
    expect(go(picture, 'x', 'Q')).toBe('q');
  });
  it('are those keys alone', () => {
    for (const key of ['x', 'Enter', 'Tab', 'toString']) expect(wayOf(key)).toBeNull();
  });
});
