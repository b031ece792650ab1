import { expect, it } from 'vitest';
import type { Piece, Surface } from '../wire/types';
import { compass, whereWords } from './where';

const sea: Surface = { kind: 'plane', min: [-1000, 0], max: [9000, 9000], marks: [] };
const piece = (name: string, point: [number, number]): Piece => ({
  id: name.toLowerCase(),
  name,
  kind: 'card',
  place: { point },
  text: name,
});

it('a point is told from the nearest piece, in the words of the compass', () => {
  const pieces = [piece('Card A', [0, 0]), piece('Card B', [5000, 5000])];
  expect(whereWords([2400, 0], pieces, sea)).toBe('2.4 lengths east of Card A');
  expect(whereWords([4000, 4000], pieces, sea)).toBe('1.4 lengths south-west of Card B');
  expect(whereWords([0, 0], pieces, sea)).toBe('with Card A');
  expect(whereWords([0, 0], pieces, sea, 'card a')).toBe('7.1 lengths south-west of Card B');
  expect(whereWords([0, 500], [], sea)).toBe('1 length from the west edge, 0.5 lengths from the south edge');
  const ways: [number, number][] = [
    [0, 9],
    [0, -9],
    [-9, 0],
  ];
  expect(ways.map((to) => compass([0, 0], to))).toEqual(['north', 'south', 'west']);
});
