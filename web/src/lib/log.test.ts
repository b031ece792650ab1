import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../wire/types';
import { diceOf, headlines, hasProof } from './log';

const entry = (number: number, more: Partial<LogEntry> = {}): LogEntry => ({
  number,
  at: 0,
  what: 'x',
  text: `line ${number}`,
  detail: false,
  ...more,
});

describe('headlines', () => {
  it('gather the details after them', () => {
    const lines = headlines([entry(1, { detail: true }), entry(2), entry(3, { detail: true, dice: [6] }), entry(4)]);
    expect(lines.map((line) => [line.entry.number, line.details.map((one) => one.number)])).toEqual([
      [1, []],
      [2, [3]],
      [4, []],
    ]);
    expect(diceOf(lines[1]!)).toEqual([6]);
    expect(lines.map(hasProof)).toEqual([false, true, false]);
  });

  it('show their own dice rather than those of the details', () => {
    expect(diceOf({ entry: entry(1, { dice: [2] }), details: [entry(2, { dice: [3] })] })).toEqual([2]);
  });
});
