import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { GameState, Json, StateChange } from '../wire/types';
import { applied, changed, digest, type Delta } from './delta';

const cases = JSON.parse(
  readFileSync(new URL('../../../crates/server/tests/deltas.json', import.meta.url), 'utf8'),
) as {
  changes: { old: Json; new: Json; change: Delta }[];
  digests: [string, number][];
  ordered: [string, string][];
  states: unknown[];
};

describe('changes', () => {
  it('make the new value of the old one, with the members in the same order', () => {
    for (const { old, new: now, change } of cases.changes) {
      expect(JSON.stringify(applied(old, change))).toBe(JSON.stringify(now));
    }
  });

  it('share what stays', () => {
    const old = { a: { b: 1 }, c: [{ id: 'x', n: 1 }, { id: 'y', n: 1 }] };
    const now = applied(old, { c: [1, { n: [2] }] }) as typeof old;
    expect(now).toEqual({ a: { b: 1 }, c: [{ id: 'x', n: 1 }, { id: 'y', n: 2 }] });
    expect(now.a).toBe(old.a);
    expect(now.c[0]).toBe(old.c[0]);
  });

  it('that do not fit are refused', () => {
    for (const [old, change] of [
      [1, { a: [2] }],
      [[1], { a: [2] }],
      [{ a: 1 }, [1, -1]],
      [[1], [2, [3]]],
      [[1], [1, { a: [1] }]],
      [{ a: 1 }, [['a', 'b'], {}]],
    ] as [Json, Delta][]) {
      expect(() => applied(old, change)).toThrow();
    }
  });

  it('have the digests of the server', () => {
    for (const [text, sum] of cases.digests) expect(digest(text)).toBe(sum);
    // The server knows in which order this program writes the members of an object.
    for (const [text, ordered] of cases.ordered) expect(JSON.stringify(JSON.parse(text))).toBe(ordered);
  });
});

describe('a state that follows a stream', () => {
  const [state, change, after] = cases.states as [GameState, StateChange, GameState];

  it('comes to what the server has', () => {
    expect(JSON.stringify(changed(state, change))).toBe(JSON.stringify(after));
  });

  it('is asked for whole when a change was missed, or something else went wrong', () => {
    expect(changed({ ...state, version: state.version - 1 }, change)).toBeNull();
    expect(changed({ ...state, log: [] }, change)).toBeNull();
    expect(changed({ ...state, notes: 'other notes' }, change)).toBeNull();
    expect(changed({ ...state, situation: { ...state.situation, view: null } }, change)).toBeNull();
    expect(changed(state, { ...change, digest: change.digest + 1 })).toBeNull();
  });
});
