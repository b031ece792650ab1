import { describe, expect, it } from 'vitest';
import { href, pack, parseHash, ruleHref, unpack } from './route';

describe('addresses', () => {
  it('are read and written alike', () => {
    const route = { path: ['game', 'ab c'], query: { token: 'x/y?z' } };
    expect(parseHash(href(route.path, route.query))).toEqual(route);
    expect(parseHash('')).toEqual({ path: [], query: {} });
    expect(parseHash('#/rules/schiffskrieg/R-12').path).toEqual(['rules', 'schiffskrieg', 'R-12']);
    expect(parseHash('#/a/%E0%A4%A').path).toEqual(['a', '%E0%A4%A']);
    expect(ruleHref('schiffskrieg', 'R-12')).toBe('#/rules/schiffskrieg/R-12');
  });

  it('leave out undefined parts', () => {
    expect(href(['odds'], { q: undefined })).toBe('#/odds');
  });

  it('hold any question', () => {
    const value = { units: [{ name: 'Dunkerque – “la belle”', g: 5 }], ok: true, none: null };
    expect(unpack(pack(value))).toEqual(value);
    expect(pack(value)).toMatch(/^[\w-]+$/);
    expect(unpack('§§')).toBeUndefined();
    expect(unpack(undefined)).toBeUndefined();
  });
});
