import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SeatMeta } from '../wire/types';
import { diceLine, dropBits, hashOf, nextStep } from './entropy';

const seat = (number: number, entropy: SeatMeta['entropy'], kind: SeatMeta['kind'] = 'human'): SeatMeta => ({
  seat: number,
  id: `s${number}`,
  faction: ['Red', 'Blue'][number]!,
  name: '',
  side: number ? 'second' : 'first',
  aim: '',
  kind,
  entropy,
  taken: true,
});

describe('random numbers of a player', () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
  });

  it('is hashed as the server hashes it', () => {
    expect(hashOf('00'.repeat(32))).toBe('66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925');
  });

  it('is committed to, kept, and revealed when all have committed', () => {
    const first = nextStep('g', [seat(0, 'awaited'), seat(1, 'awaited')], 0);
    if (first === null || first === 'lost') throw new Error('no commitment');
    expect(first.body).toEqual({ commit: hashOf(first.bits) });
    expect(nextStep('g', [seat(0, 'awaited'), seat(1, 'awaited')], 0)).toEqual(first);
    expect(nextStep('g', [seat(0, 'committed'), seat(1, 'awaited')], 0)).toBeNull();
    expect(nextStep('g', [seat(0, 'committed'), seat(1, 'committed')], 0)).toEqual({
      body: { reveal: first.bits },
      bits: first.bits,
    });
    dropBits('g', 0);
    expect(nextStep('g', [seat(0, 'committed'), seat(1, 'added')], 0)).toBe('lost');
    expect(nextStep('g', [seat(0, 'added'), seat(1, 'added')], 0)).toBeNull();
    expect(nextStep('g', [seat(0, 'none'), seat(1, 'none')], 0)).toBeNull();
  });

  it('are described in a sentence', () => {
    expect(diceLine([seat(0, 'added'), seat(1, 'added')], 0)).toBe('Both players added random numbers.');
    expect(diceLine([seat(0, 'added'), seat(1, 'none', 'computer')], 0)).toBe('You added random numbers.');
    expect(diceLine([seat(0, 'added'), seat(1, 'waived')], null)).toBe('Red added random numbers. Blue added none.');
    expect(diceLine([seat(0, 'committed'), seat(1, 'awaited')], 0)).toContain('wait for you and Blue');
    expect(diceLine([seat(0, 'none'), seat(1, 'none')], 0)).toBe('');
  });
});
