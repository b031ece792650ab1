import { describe, expect, it } from 'vitest';
import { atLeast, plot, varies } from './plot';

describe('plots', () => {
  it('put numbers in order and fill gaps of a variant', () => {
    const one = plot('hits', [{ '10': '1/4', '2': '3/4' }, { '2': '1/1' }]);
    expect(one.values).toEqual(['2', '10']);
    expect(one.chances).toEqual([
      ['3/4', '1/4'],
      ['1/1', '0/1'],
    ]);
    expect(one.means).toEqual([4, 2]);
    expect(one.top).toBe(1);
    expect(varies(one)).toBe(true);
  });

  it('keep words in the order they came', () => {
    const one = plot('box', [{ sunk: '1/2', line: '1/2' }, undefined]);
    expect(one.numeric).toBe(false);
    expect(one.values).toEqual(['sunk', 'line']);
    expect(one.means).toEqual([null, null]);
    expect(varies(plot('x', [{ a: '1/1' }]))).toBe(false);
  });

  it('count at least exactly', () => {
    expect(atLeast(plot('n', [{ '0': '1/6', '1': '1/3', '2': '1/2' }]), 0)).toEqual(['1/1', '5/6', '1/2']);
  });
});
