import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../wire/types';
import { freshEntries, mergeLog } from './table.svelte';

const entry = (number: number, text = `line ${number}`): LogEntry => ({
  number,
  at: 0,
  what: 'x',
  text,
  detail: false,
});

describe('the log', () => {
  it('is replaced above what the server says stands', () => {
    const merged = mergeLog([entry(1), entry(2, 'unfinished'), entry(3, 'taken back')], 1, [entry(2, 'finished')]);
    expect(merged.map((one) => one.text)).toEqual(['line 1', 'finished']);
  });

  it('stays as it is when nothing is new', () => {
    expect(mergeLog([entry(1)], 1, [])).toEqual([entry(1)]);
  });

  it('tells what is new by its words, since numbers change when hidden lines are opened', () => {
    const fresh = freshEntries(
      [entry(1), entry(2, 'again')],
      [entry(1), entry(2, 'hidden'), entry(3, 'again'), entry(4, 'again')],
    );
    expect(fresh.map((one) => one.number)).toEqual([2, 4]);
  });
});
