import { expect, test } from 'vitest';
import type { Alternative, Hint } from '../wire/types';
import { chance, ranked, why } from './hint';

const one = (label: string, estimate: number, gap_error: number, share?: number): Alternative => ({
  value: label,
  label,
  estimate,
  error: 0.015,
  gap_error,
  games: 100,
  ...(share === undefined ? {} : { share }),
});
const hint = (value: string, ...alternatives: Alternative[]): Hint => ({
  value,
  label: value,
  alternatives,
  method: 'games',
});

test('a chance has its interval, and none is certain', () => {
  expect(chance(0.684, 0.015)).toBe('68% (±3)');
  expect(chance(1, 0)).toBe('100% (±1)');
});

test('the answer given comes first, then the others by their worth', () => {
  const told = hint('Attack', one('Wait', 0.5, 0.01), one('Retreat', 0.61, 0.02), one('Attack', 0.61, 0));
  expect(ranked(told).map(({ label }) => label)).toEqual(['Attack', 'Retreat', 'Wait']);
  expect(why(told)).toBe('Too close to call: the next best (Retreat) is about as good.');
});

test('a clear lead is told in points', () => {
  const told = (wait: Alternative) => why(hint('Attack', one('Attack', 0.61, 0), wait));
  expect(told(one('Wait', 0.5, 0.02))).toBe('11 points better than the next best (Wait).');
  expect(told(one('Wait', 0.6, 0.001))).toBe('1 point better than the next best (Wait).');
});

test('a mix is told once, by its parts', () => {
  const told = hint('B', one('A', 0.5, 0, 0.43), one('B', 0.5, 0, 0.57), one('C', 0.4, 0.01, 0));
  expect(ranked(told).map(({ label }) => label)).toEqual(['B', 'A', 'C']);
  expect(why(told)).toBe('Predictable play loses here, so the advice is drawn at random: 57% B, 43% A.');
});
