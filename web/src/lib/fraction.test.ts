import { describe, expect, it } from 'vitest';
import { mean, parseFraction, percent, share, short } from './fraction';

describe('fractions', () => {
  it('are read exactly, whatever their size', () => {
    expect(parseFraction('11/36')).toEqual({ numerator: 11n, denominator: 36n });
    expect(parseFraction('1')).toEqual({ numerator: 1n, denominator: 1n });
    expect(parseFraction('1/0')).toBeNull();
    expect(parseFraction('half')).toBeNull();
    expect(share(`1/${'3' + '0'.repeat(40)}`)).toBe(0);
    expect(share('1/4')).toBe(0.25);
  });

  it('round to tenths of a per cent without pretending certainty', () => {
    expect(percent('1/3')).toBe('33.3%');
    expect(percent('2/3')).toBe('66.7%');
    expect(percent('1/1')).toBe('100%');
    expect(percent('0/1')).toBe('0%');
    expect(percent('9999/10000')).toBe('> 99.9%');
    expect(percent('1/10000')).toBe('< 0.1%');
  });

  it('are shortened in the middle when they are too long to read, and left out where they are 0 or 1', () => {
    expect(short('0/1')).toBe('');
    expect(short('1/1')).toBe('');
    expect(short('1/36')).toBe('1/36');
    expect(short('12345678901234567890/98765432109876543210')).toBe('12345…/…43210');
  });

  it('have a mean if their values are numbers', () => {
    expect(mean({ '1': '1/2', '2': '1/2' })).toBeCloseTo(1.5);
    expect(mean({ day: '1/2', night: '1/2' })).toBeNull();
    expect(mean({})).toBeNull();
  });
});
