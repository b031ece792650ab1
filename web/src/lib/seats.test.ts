import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keepToken, seatHref, seatsHere, tokensOf } from './seats';

function storage(room = true): void {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (!room) throw new Error('full');
      kept.set(key, value);
    },
    removeItem: (key: string) => kept.delete(key),
  });
}

describe('seats', () => {
  beforeEach(() => storage());

  it('are kept in the browser and not in the address', () => {
    expect(seatHref('g', [{ seat: 1, token: 'secret' }])).toBe('#/game/g?seat=1');
    expect(tokensOf('g', { seat: '1' })).toEqual(['secret']);
    expect(tokensOf('g', {})).toEqual(['secret']);
    expect(tokensOf('other', { seat: '1' })).toEqual([]);
  });

  it('of one keyboard are opened together, and by themselves only when named', () => {
    const address = seatHref('g', [{ seat: 0, token: 'a' }, { seat: 1, token: 'b' }, { seat: 2 }]);
    expect(address).toBe('#/game/g?seats=0%2C1');
    expect(tokensOf('g', { seats: '0,1' })).toEqual(['a', 'b']);
    expect(tokensOf('g', { seat: '0' })).toEqual(['a']);
    expect(tokensOf('g', {})).toEqual([]);
  });

  it('stay in the address where nothing is kept', () => {
    storage(false);
    expect(seatHref('g', [{ seat: 1, token: 'secret' }])).toBe('#/game/g?token=secret');
    expect(
      seatHref('g', [
        { seat: 0, token: 'a' },
        { seat: 1, token: 'b' },
      ]),
    ).toBe('#/game/g?hotseat=a%2Cb');
  });

  it('of old addresses are still read', () => {
    expect(tokensOf('g', { token: 'x' })).toEqual(['x']);
    expect(tokensOf('g', { hotseat: 'x,y' })).toEqual(['x', 'y']);
  });

  it('of the games played last are kept', () => {
    for (let game = 0; game < 310; game++) keepToken(`g${game}`, 0, 'x');
    expect(seatsHere('g309')).toHaveLength(1);
    expect(JSON.parse(localStorage.getItem('flagplot.seats')!)).not.toHaveProperty('g310');
    expect(Object.keys(JSON.parse(localStorage.getItem('flagplot.seats')!) as object)).toHaveLength(300);
  });
});
