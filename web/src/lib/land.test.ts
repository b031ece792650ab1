import { expect, it } from 'vitest';
import type { Piece } from '../wire/types';
import { fronts, hexFacts, hexOf, hexWords, keyOf, neighbourBy, sideBetween, standing, type Hexes } from './land';

// Two columns of two; the second sits half a hex lower.
const surface: Hexes = {
  kind: 'hexes',
  width: 1200,
  height: 1000,
  columns: [
    [0, 0, 1],
    [1, 0, 1],
  ],
  labels: [[1, 0, '0201']],
  land: {
    terrain: [{ id: 'city', name: 'city', letter: 'c', hexes: [[1, 0]] }],
    control: [
      { side: 'first', name: 'the Axis', hexes: [[0, 0]] },
      {
        side: 'second',
        name: 'the Allies',
        hexes: [
          [1, 0],
          [1, 1],
        ],
      },
    ],
    names: [[[1, 0], 'Sedan']],
    marks: [{ hex: [1, 0], kind: 'objective', value: 4, text: 'objective worth 4 points' }],
  },
};
const unit = (id: string, hex: [number, number]): Piece => ({
  id,
  name: id,
  kind: 'infantry',
  place: { hex },
  text: id,
});

it('a hex is told in words with all that is on it', () => {
  const facts = hexFacts(surface);
  expect([...facts.keys()]).toEqual(['0,0', '0,1', '1,0', '1,1']);
  expect(hexWords(facts.get('1,0')!)).toBe('0201 Sedan, city, objective worth 4 points, held by the Allies');
  expect(hexWords(facts.get('0,1')!)).toBe('0,1');
});

it('keys lead to the neighbours as they lie on the board, and every neighbour shares a side', () => {
  const names = Object.fromEntries([...'wedsaq'].map((key) => [key, keyOf(neighbourBy(key, [0, 0])!)]));
  expect(names).toEqual({ w: '0,-1', e: '1,-1', d: '1,0', s: '0,1', a: '-1,1', q: '-1,0' });
  expect(neighbourBy('x', [0, 0])).toBeNull();
  for (const key of Object.values(names)) {
    const [there, back] = [sideBetween([0, 0], hexOf(key)!, surface)!, sideBetween(hexOf(key)!, [0, 0], surface)!];
    expect(there).toEqual([back[1], back[0]]);
  }
  expect(sideBetween([0, 0], [2, 0], surface)).toBeNull();
});

it('the front runs along the sides between two holders, on both', () => {
  const { first, second } = fronts(surface, hexFacts(surface));
  // Hex 0,0 touches 1,0 and not 1,1; hex 0,1 is nobody's.
  expect([first, second].map((d) => d.split('M').length - 1)).toEqual([1, 1]);
});

it('two counters stand side by side and a crowd in rows of two', () => {
  const alone = standing([unit('a', [0, 0])], 100);
  expect(alone.get('a')).toEqual([0, 0]);
  const two = standing([unit('a', [0, 0]), unit('b', [0, 0])], 100);
  expect(two.get('a')![0]).toBeLessThan(0);
  expect(two.get('b')).toEqual([-two.get('a')![0], two.get('a')![1]]);
  const three = standing([unit('a', [0, 0]), unit('b', [0, 0]), unit('c', [0, 0])], 100);
  expect(new Set([...three.values()].map(String)).size).toBe(3);
  expect(three.get('c')![1]).toBeGreaterThan(three.get('a')![1]);
});
