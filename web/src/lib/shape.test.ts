import { describe, expect, it } from 'vitest';
import type { Shape } from '../wire/types';
import { adapt, faults, fits, humanize, initial, intPaths, nameOf, neighbours, put, retag } from './shape';

const unit: Shape = {
  kind: 'record',
  fields: [
    { name: 'id', help: '', shape: { kind: 'text', max: 8 }, need: 'required' },
    { name: 'defense', help: '', shape: { kind: 'int', min: 1, max: 12 }, need: 'required' },
    { name: 'damaged', help: '', shape: { kind: 'bool' }, need: { default: false } },
    { name: 'note', help: '', shape: { kind: 'nullable', of: { kind: 'text', max: 3 } }, need: 'optional' },
  ],
};
const battle: Shape = {
  kind: 'record',
  fields: [
    { name: 'action', help: '', shape: { kind: 'word', words: ['day', 'night'] }, need: 'required' },
    { name: 'units', help: '', shape: { kind: 'list', of: unit, min: 1, max: 2 }, need: 'required' },
    { name: 'bonus', help: '', shape: { kind: 'int', min: 0, max: 3 }, need: { default: 2 } },
  ],
};

describe('shapes', () => {
  it('give a first value that has no fault but what must be filled in', () => {
    const value = initial(battle);
    expect(value).toEqual({ action: 'day', units: [{ id: '', defense: 1 }] });
    expect(faults(battle, value)).toEqual({});
  });

  it('name every fault by its path', () => {
    expect(
      faults(battle, {
        action: 'dusk',
        units: [
          { id: 'much too long', defense: 0.5 },
          { id: 'a', defense: 13, note: 'long' },
        ],
      }),
    ).toEqual({
      action: 'must be one of day, night',
      'units.0.id': 'must have at most 8 characters',
      'units.0.defense': 'must be a whole number',
      'units.1.defense': 'must be between 1 and 12',
      'units.1.note': 'must have at most 3 characters',
    });
    expect(faults(battle, { action: 'day', units: [] })).toEqual({ units: 'needs at least 1' });
    expect(faults({ kind: 'tuple', of: [{ kind: 'bool' }] }, [])).toEqual({ '': 'must have 1 items' });
  });

  it('choose among several by type', () => {
    const either: Shape = {
      kind: 'either',
      of: [
        { kind: 'int', min: 0, max: 5 },
        { kind: 'text', max: 2 },
      ],
    };
    expect(fits(either, 'abc')).toBe(true);
    expect(faults(either, 'abc')).toEqual({ '': 'must have at most 2 characters' });
    expect(faults(either, true)).toEqual({ '': 'has the wrong form' });
  });

  it('list whole numbers with their neighbours', () => {
    const value = { action: 'day', units: [{ id: 'a', defense: 12 }] };
    const paths = intPaths(battle, value);
    expect(paths.map((at) => at.path.join('.'))).toEqual(['units.0.defense', 'bonus']);
    expect(neighbours(value, paths[0]!).map((one) => one.step)).toEqual([-1, 0]);
    expect(neighbours(value, paths[1]!).map((one) => (one.value as { bonus?: number }).bonus)).toEqual([
      1,
      undefined,
      3,
    ]);
    expect(value.units[0]!.defense).toBe(12);
  });

  it('put values anywhere without touching the rest', () => {
    expect(put({ a: [1, 2] }, ['a', 1], 5)).toEqual({ a: [1, 5] });
    expect(put(undefined, ['a', 'b'], true)).toEqual({ a: { b: true } });
  });

  it('take from a kept result what they know', () => {
    expect(adapt(unit, { id: 'hood', defense: 7, box: 'sunk', damaged: true })).toEqual({
      id: 'hood',
      defense: 7,
      damaged: true,
    });
    expect(adapt(unit, { id: 'hood' })).toBeUndefined();
    expect(adapt(battle, { action: 'day', units: [{ id: 'x', defense: 99 }] })).toBeUndefined();
  });

  it('have names people read', () => {
    expect(humanize('damage_points')).toBe('Damage points');
    expect(nameOf({ id: 'hood', defense: 7 })).toBe('hood');
    expect(nameOf([{ id: 'hood' }])).toBe('1 × hood');
  });
});

describe('tagged objects', () => {
  const unit: Shape = {
    kind: 'tagged',
    tag: 'kind',
    help: 'what it is',
    kinds: [
      {
        words: ['ship'],
        fields: [{ name: 'guns', help: '', shape: { kind: 'int', min: 1, max: 9 }, need: 'required' }],
      },
      {
        words: ['air', 'naval-air'],
        fields: [{ name: 'planes', help: '', shape: { kind: 'int', min: 2, max: 5 }, need: 'required' }],
      },
    ],
  };
  it('have the fields of the kind their word names', () => {
    expect(initial(unit)).toEqual({ kind: 'ship', guns: 1 });
    expect(faults(unit, { kind: 'naval-air', planes: 9 })).toEqual({ planes: 'must be between 2 and 5' });
    expect(intPaths(unit, { kind: 'air', planes: 3 }).map((one) => one.path)).toEqual([['planes']]);
  });
  it('lose what another kind does not have when the word changes', () => {
    expect(retag(unit, { kind: 'air', guns: 4 })).toEqual({ kind: 'air', planes: 2 });
  });
});
