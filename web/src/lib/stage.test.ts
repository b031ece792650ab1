import { describe, expect, test } from 'vitest';
import type { LogEntry, Piece, Scene } from '../wire/types';
import { beats, frames, movement, report, stops, strongest } from './stage';

let number = 0;
const line = (text: string, rest: Partial<LogEntry> = {}): LogEntry => {
  number += 1;
  return { number, at: number, what: 'note', text, detail: false, ...rest } as LogEntry;
};
const piece = (id: string, side: 'first' | 'second', rest: Partial<Piece> = {}): Piece => ({
  id,
  name: id.toUpperCase(),
  side,
  kind: 'cruiser',
  place: { point: [0, 0] },
  text: id,
  ...rest,
});
const sea = (...pieces: Piece[]): Scene => ({
  title: '',
  status: [],
  surface: { kind: 'plane', min: [0, 0], max: [10, 10], marks: [] },
  pieces,
});

describe('beats', () => {
  test('a volley gathers its dice and what comes of it', () => {
    const [one, two, ...rest] = beats([
      line('The round begins.', { dice: [6] }),
      line('A fires at B', { pieces: ['a', 'b'], targets: ['b'] }),
      line('To hit', { dice: [3, 5], detail: true }),
      line('B takes a hit', { pieces: ['b'], effect: 'hit' }),
      line('C fires at A', { pieces: ['c', 'a'], targets: ['a'], effect: 'miss', dice: [1] }),
      line('The round ends.'),
    ]);
    expect(rest).toEqual([]);
    expect([one!.from, one!.to, one!.dice, [...one!.effects], one!.outcome]).toEqual([
      ['a'],
      ['b'],
      [3, 5],
      [['b', 'hit']],
      ['B takes a hit'],
    ]);
    expect([two!.from, two!.to, two!.dice, strongest(two!)]).toEqual([['c'], ['a'], [1], 'miss']);
  });

  test('a loss of a piece that nobody fires at is a beat of its own', () => {
    const list = beats([
      line('A fires at B', { pieces: ['a', 'b'], targets: ['b'] }),
      line('D burns out', { pieces: ['d'], effect: 'lost' }),
    ]);
    expect(list.map((beat) => [beat.from, beat.to, strongest(beat)])).toEqual([
      [['a'], ['b'], null],
      [[], ['d'], 'lost'],
    ]);
  });

  test('a second line of the same volley is not another volley', () => {
    const list = beats([
      line('A attacks B', { pieces: ['a', 'b'], targets: ['b'], dice: [6], effect: 'hit' }),
      line('A at B: 4 points', { pieces: ['a', 'b'], targets: ['b'], dice: [4], effect: 'hit' }),
    ]);
    expect(list.length).toBe(1);
    expect(list[0]!.dice).toEqual([6, 4]);
  });

  test('both sides of a fight may suffer', () => {
    const [only] = beats([
      line('A against B', { pieces: ['a', 'b'], targets: ['b'] }),
      line('A loses 1', { pieces: ['a'], effect: 'hit', detail: true }),
      line('B is lost', { pieces: ['b'], effect: 'lost' }),
    ]);
    expect([...only!.effects]).toEqual([
      ['a', 'hit'],
      ['b', 'lost'],
    ]);
    expect(strongest(only!)).toBe('lost');
  });
});

describe('frames', () => {
  const before = sea(piece('a', 'first'), piece('b', 'second', { states: ['fresh'] }), piece('c', 'second'));
  const after = sea(piece('a', 'first', { place: { point: [5, 5] } }), piece('b', 'second', { states: ['damaged'] }));
  const entries = [
    line('A fires at C', { pieces: ['a', 'c'], targets: ['c'], dice: [2] }),
    line('A fires at B', { pieces: ['a', 'b'], targets: ['b'], effect: 'hit', dice: [6] }),
    line('C sinks', { pieces: ['c'], effect: 'lost' }),
  ];
  const shown = frames({ before, after, entries });
  const at = (frame: number, id: string) => shown[frame]!.scene.pieces.find((one) => one.id === id);

  test('a piece looks as before until its part is played, and is gone only after its loss', () => {
    expect(shown.length).toBe(3);
    expect(at(0, 'b')!.states).toEqual(['fresh']);
    expect(at(1, 'b')!.states).toEqual(['damaged']);
    expect(at(2, 'c')).toBeDefined();
    expect(after.pieces.some((one) => one.id === 'c')).toBe(false);
  });

  test('at sea a piece fires from where it has moved to, in boxes from where it was', () => {
    expect(at(0, 'a')!.place).toEqual({ point: [5, 5] });
    const boxed = (place: string, ...more: Piece[]): Scene => ({
      ...sea(piece('a', 'first', { place: { box: place } }), piece('b', 'second', { place: { box: 'line' } }), ...more),
      surface: { kind: 'boxes', boxes: [] },
    });
    const [first] = frames({ before: boxed('line'), after: boxed('port'), entries: [entries[1]!] });
    expect(first!.scene.pieces[0]!.place).toEqual({ box: 'line' });
  });

  test('a hex among the actors draws no arrow', () => {
    const [only] = frames({ before, after, entries: [line('Attack', { pieces: ['3,4', 'a', 'b'], targets: ['b'] })] });
    expect(only!.beat.from).toEqual(['a']);
  });

  test('the report names the losses of both sides and the roll that did most', () => {
    const told = report(shown)!;
    expect(told.losses).toEqual({ first: [], second: ['C'] });
    expect(told.damaged).toEqual({ first: [], second: ['B'] });
    expect(told.decisive).toEqual({ text: 'A fires at B', dice: [6], outcome: [] });
    expect(told.volleys).toBe(2);
    expect(report([])).toBeNull();
  });

  test('a change without fire is a movement if something moved', () => {
    const moves = [line('A moves')];
    expect(movement({ before: sea(piece('a', 'first')), after, entries: moves }).map((one) => one.beat.text)).toEqual([
      'A moves',
    ]);
    expect(movement({ before, after: before, entries: moves })).toEqual([]);
  });
});

test('a playback stops where the log has something new, and not too often', () => {
  const entries = [3, 3, 5, 9].map((at) => ({ ...line('x'), at }));
  expect(stops(2, 9, entries)).toEqual([3, 5, 9]);
  expect(stops(4, 11, entries)).toEqual([5, 7, 11]);
  const many = Array.from({ length: 200 }, (_, at) => ({ ...line('x'), at }));
  expect(stops(0, 199, many).length).toBeLessThanOrEqual(41);
});
