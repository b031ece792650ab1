import { describe, expect, it } from 'vitest';
import { chart, headingTo, namedAbove, steered } from './map';

const at = (x: number, y: number, heading = 0) => ({ x, y, heading });

describe('the map of a table', () => {
  it('shows everything with room around it, and a piece of sea when it is empty', () => {
    expect(chart([])).toEqual({ x: -300, y: -300, w: 600, h: 600 });
    const box = chart([at(0, 0), at(1000, 100)]);
    expect(box).toEqual({ x: -150, y: -250, w: 1300, h: 600 });
  });

  it('writes a name above its ship where another name is below', () => {
    const ship = (name: string, x: number, y: number) => ({ name, place: at(x, y) });
    const [hood, wales] = [ship('Hood', 0, 0), ship('Prince of Wales', 30, 10)];
    expect(namedAbove([hood, wales], 20)).toEqual([false, true]);
    expect(namedAbove([hood, ship('Bismarck', 0, 900)], 20)).toEqual([false, false]);
    expect(namedAbove([hood, ship('Bismarck', 20, 60)], 20), 'Hood herself is below').toEqual([false, true]);
    expect(namedAbove([hood, wales, ship('Suffolk', 10, 5)], 20), 'no room for a third').toEqual([false, true, false]);
  });

  it('turns to where it is pulled, in steps of 15 degrees', () => {
    expect(headingTo(at(0, 0), { x: 0, y: 50 })).toBe(0);
    expect(headingTo(at(0, 0), { x: 50, y: 3 })).toBe(90);
    expect(headingTo(at(0, 0), { x: -50, y: 1 })).toBe(270);
    expect(headingTo(at(0, 0), { x: -1, y: 50 })).toBe(0);
  });

  it('is steered by keys', () => {
    expect(steered(at(5, 5), 'ArrowUp', false)).toEqual(at(5, 105));
    expect(steered(at(5, 5), 'ArrowLeft', true)).toEqual(at(-5, 5));
    expect(steered(at(0, 0), 'q', false)).toEqual(at(0, 0, 345));
    expect(steered(at(0, 0, 345), 'E', false)).toEqual(at(0, 0, 0));
    expect(steered(at(0, 0), 'Tab', false)).toBeNull();
  });
});
