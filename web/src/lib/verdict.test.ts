import { describe, expect, it } from 'vitest';
import type { Verdict } from '../wire/types';
import { inWords } from './verdict';

const verdict = (more: Partial<Verdict>): Verdict => ({
  entries: 12,
  rolls_proved: 3,
  rolls_imported: 0,
  dice: 'committed',
  seats_added: [0, 1],
  seats_waived: [],
  hints: [],
  outcome: null,
  ...more,
});

describe('a verdict', () => {
  it('says what is proved and by whom', () => {
    expect(inWords(verdict({}))).toEqual([
      '12 entries replayed.',
      '3 rolls proved to come from the secret fixed in advance.',
      'Seats 1 and 2 added random numbers, committed to before any was revealed.',
    ]);
  });

  it('says who asked for hints, and when', () => {
    const hints: [number, number][] = [
      [1, 4],
      [0, 6],
      [1, 9],
    ];
    expect(inWords(verdict({ hints })).slice(3)).toEqual([
      'Seat 1 asked for a hint, before entry 7.',
      'Seat 2 asked for 2 hints, before entry 5, 10.',
    ]);
  });

  it('says what is not', () => {
    expect(inWords(verdict({ rolls_imported: 1, rolls_proved: 0 })).slice(1)).toEqual([
      '1 roll came with an imported record; nothing proves that chance decided them.',
      'No roll is proved to come from a secret fixed in advance.',
    ]);
    expect(inWords(verdict({ seats_added: [], seats_waived: [1] })).slice(2)).toEqual([
      'No player added random numbers, so the server that chose the secret knew every roll.',
      'Seat 2 chose not to add any.',
    ]);
    expect(inWords(verdict({ dice: 'typed', rolls_proved: 0 })).at(-1)).toContain('typed in by hand');
  });
});
