import { expect, it } from 'vitest';
import { blank, make } from './answer';
import { limitWords, roomFor, tableOf, wrongSum, type NumbersForm } from './numbers';

const groups = ['fleet-2', 'fleet-3'];
const goals = ['London', 'Ports'];
const ids = groups.flatMap((group) => goals.map((goal) => `${group}/${goal}`));
const form: NumbersForm = {
  kind: 'numbers',
  items: ids.map((id) => ({ id, label: id, options: [] })),
  limits: ids.map(() => [0, 4]),
  total: null,
  cells: groups.flatMap((group) => goals.map((goal): [string, string] => [group, goal])),
  sums: [
    { label: 'Fleet 2', items: ids.slice(0, 2), min: 0, max: 5 },
    { label: 'London', items: ['fleet-2/London', 'fleet-3/London'], min: 1, max: 6 },
    { label: 'Crossed', items: ['fleet-2/London', 'fleet-3/Ports'], min: 3, max: 3 },
  ],
};
const numbers = (...list: number[]) => Object.fromEntries(ids.map((id, at) => [id, list[at]!]));

it('numbers make a table with the sums of rows and columns beside them', () => {
  const table = tableOf(form)!;
  expect(table.columns.map(({ name, sum }) => [name, sum?.label])).toEqual([
    ['London', 'London'],
    ['Ports', undefined],
  ]);
  expect(table.rows.map(({ name, sum, cells }) => [name, sum?.label, cells])).toEqual([
    ['fleet-2', 'Fleet 2', [0, 1]],
    ['fleet-3', undefined, [2, 3]],
  ]);
  expect(table.others.map((sum) => sum.label)).toEqual(['Crossed']);
  expect(tableOf({ ...form, cells: [] })).toBeNull();
});

it('every sum is kept to, in the words of the rules', () => {
  expect(wrongSum(form, numbers(0, 0, 0, 3))).toBe('London: 0, at least 1.');
  expect(wrongSum(form, numbers(3, 3, 0, 0))).toBe('Fleet 2: 6, at most 5.');
  expect(wrongSum(form, numbers(1, 0, 0, 0))).toBe('Crossed: 1, must be 3.');
  expect(wrongSum(form, numbers(3, 2, 3, 0))).toBeNull();
  expect(wrongSum({ ...form, total: 7 }, numbers(3, 2, 3, 0))).toBe('The numbers add up to 8 instead of 7.');
  expect(make(form, [], { kind: 'numbers', numbers: numbers(3, 2, 3, 0) })).toEqual({ value: numbers(3, 2, 3, 0) });
  expect(make(form, [], blank(form, []))).toEqual({ wants: 'London: 0, at least 1.' });
});

it('an item can grow until one of its limits is met', () => {
  expect(roomFor(form, numbers(0, 0, 0, 0), 'fleet-2/London')).toBe(3);
  expect(roomFor(form, numbers(0, 4, 0, 0), 'fleet-2/London')).toBe(1);
  expect(roomFor(form, numbers(0, 0, 4, 0), 'fleet-3/London')).toBe(0);
  expect(limitWords(numbers(2, 1, 0, 0), form.sums![0]!)).toBe('3 of 5');
  expect(limitWords(numbers(2, 1, 0, 0), form.sums![1]!)).toBe('2, 1 to 6');
});
