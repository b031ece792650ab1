import { beforeEach, expect, test } from 'vitest';
import { answered, browserName, keepAnswer, percent, rating } from './rating';

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    },
  });
});

test('a rating says how many players solved the puzzle', () => {
  expect(rating({ tried: 0, solved: 0 })).toBe('No player has tried it yet');
  expect(rating({ tried: 1, solved: 1 })).toBe('Solved by 100% of 1 player');
  expect(rating({ tried: 25, solved: 16 })).toBe('Solved by 64% of 25 players');
});

test('a share of wins has an interval that is never nothing', () => {
  expect(percent({ worth: 0.7123, error: 0.01 })).toBe('71% (±2)');
  expect(percent({ worth: 1, error: 0.0001 })).toBe('100% (±1)');
});

test('a browser keeps its name and the first answer to a puzzle', () => {
  const name = browserName();
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(browserName()).toBe(name);
  kept.set('flagplot.browser', '"no name"');
  expect(browserName()).not.toBe('no name');
  keepAnswer('dogfite-1', false);
  keepAnswer('dogfite-1', true);
  expect(answered()).toEqual({ 'dogfite-1': false });
});
