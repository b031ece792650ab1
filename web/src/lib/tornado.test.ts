import { expect, test } from 'vitest';
import type { FieldOdds } from '../wire/types';
import { measured, measures, nudges, swings } from './tornado';

const at = (name: string, value: number, min = 0) => ({ path: [name], value, min, max: 9 });
/** A coin with `a` heads in ten, worth `b` each. */
const count = (input: { a: number; b: number }): FieldOdds => ({
  hits: { 0: `${10 - input.a}/10`, [input.b]: `${input.a}/10` },
  sunk: { true: `${input.a}/10`, false: `${10 - input.a}/10` },
  sure: { yes: '1/1' },
});

test('measures are means and chances of words; certain fields have none', () => {
  expect(measures(count({ a: 3, b: 2 }))).toEqual([{ field: 'hits' }, { field: 'sunk', value: 'true' }]);
  expect(measured(count({ a: 3, b: 2 }), { field: 'hits' })).toBeCloseTo(0.6);
  expect(measured(count({ a: 3, b: 2 }), { field: 'sunk', value: 'true' })).toBeCloseTo(0.3);
  expect(measured(null, { field: 'hits' })).toBeNull();
});

test('every number one less and one more, the largest change first, limits kept', async () => {
  const input = { a: 3, b: 2 };
  const steps: number[] = [];
  const found = await nudges(
    input,
    [at('b', 2, 2), at('a', 3)],
    async (changed) => count(changed as { a: number; b: number }),
    (done) => steps.push(done),
  );
  expect(steps).toEqual([1, 2, 3]);
  const list = swings(count(input), found, { field: 'hits' });
  expect(list.map((one) => one.at.path[0])).toEqual(['b', 'a']);
  expect(list[0]?.less).toBeNull();
  expect(list[0]?.more).toBeCloseTo(0.3);
  expect(list[1]?.less).toBeCloseTo(-0.2);
  expect(list[1]?.more).toBeCloseTo(0.2);
});
