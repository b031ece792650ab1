import { expect, test } from 'vitest';
import { find, reading } from './charts.svelte';

test('a row is found as it is written, by its range, or by its beginning', () => {
  expect(find(['1-2', '3-5', '6+'], '3-5')).toBe(1);
  expect(find(['1-2', '3-5', '6+'], '4')).toBe(1);
  expect(find(['1-2', '3-5', '6+'], '9')).toBe(2);
  expect(find(['0 or less', '1', '2'], '-3')).toBe(0);
  expect(find(['−1', '0', '+1'], '-1')).toBe(0);
  expect(find(['battleship', 'cruiser'], 'Cruiser')).toBe(1);
  expect(find(['level flight', 'dive'], 'level')).toBe(0);
  expect(find(['a', 'b'], 'c')).toBe(-1);
});

test('row and column of a reading', () => {
  const chart = {
    id: 't',
    title: 'T',
    rule: 'r',
    down: 'die',
    across: 'range',
    columns: ['near', 'far'],
    rows: [
      ['1', ['x', 'y']],
      ['2', ['z', 'w']],
    ] as [string, string[]][],
    notes: [],
  };
  expect(reading(chart, { table: 't', row: '2', column: 'far' })).toEqual({ row: 1, column: 1 });
  expect(reading(chart, { table: 't', row: '7', column: 'far' })).toEqual({ row: -1, column: 1 });
});
