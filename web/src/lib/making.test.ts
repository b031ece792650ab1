import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Form, FormItem, FormPlace, SeatQuestion } from '../wire/types';
import { make } from './answer';
import { Making } from './making.svelte';
import type { Table } from './table.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function making(form: Form): { hands: Making; made: () => unknown } {
  const question: SeatQuestion = { seat: 0, prompt: { code: 'x', text: 'x', confirm: false }, options: [], form };
  const hands = new Making(
    () => ({ refusal: null }) as unknown as Table,
    () => question,
  );
  hands.begin();
  return { hands, made: () => make(form, [], hands.draft) };
}

const against = (id: string): FormItem => ({
  id,
  label: `${id} fights`,
  options: ['r1', 'r2'].map((enemy) => ({ value: enemy, label: enemy, pieces: [enemy] })),
});

it('squadrons are paired off by touching one, then its enemy, or by dragging it there', () => {
  const { hands, made } = making({
    kind: 'parts',
    places: [],
    items: [against('b1'), against('b2')],
    template: { b1: '$b1', b2: '$b2' },
  });
  expect(made()).toEqual({ wants: 'Still to choose: b1 fights, b2 fights.' });
  hands.touch('b1');
  expect([...hands.lit.targets]).toEqual(['r1', 'r2']);
  hands.touch('r2');
  expect(hands.aims).toEqual([{ from: 'b1', to: 'r2', label: 'r2' }]);
  expect(hands.hand).toBe('b2');
  hands.touch('b2');
  expect(hands.hand).toBe('b2');
  expect(hands.grabs).toEqual(new Set(['b1', 'b2']));
  hands.drag('b2', [0, 0], 'r1');
  expect(hands.aims).toHaveLength(2);
  hands.drop('b2', [0, 0], 'r1');
  expect(made()).toEqual({ value: { b1: 'r2', b2: 'r1' } });
});

it('a click adds an optional piece, and another leaves it out', () => {
  const item: FormItem = {
    id: 'b2',
    label: 'b2',
    options: [
      { value: null, label: 'stays' },
      { value: 'b2', label: 'comes', pieces: ['b2'] },
    ],
  };
  const { hands, made } = making({ kind: 'parts', places: [], items: [item], template: ['b1', '$b2'] });
  expect(made()).toEqual({ value: ['b1'] });
  hands.touch('b2');
  expect(made()).toEqual({ value: ['b1', 'b2'] });
  hands.touch('b2');
  expect(made()).toEqual({ value: ['b1'] });
});

it('places are marked one after the other, dragged, and moved by keys; all within their regions', () => {
  const place = (id: string, x: number): FormPlace => ({
    id,
    label: id,
    piece: { id, name: id, kind: 'card', place: { point: [x, 0] }, text: id },
    regions: [{ kind: 'line', from: [0, 0], to: [900, 0] }],
    origin: null,
    optional: false,
  });
  const { hands, made } = making({
    kind: 'parts',
    places: [place('real', 300), place('decoy', 600)],
    items: [],
    template: { real: '$real', decoy: '$decoy' },
  });
  expect(made()).toEqual({ value: { real: [300, 0], decoy: [600, 0] } });
  hands.mark([100, 70]);
  hands.mark([5000, 70]);
  expect(made()).toEqual({ value: { real: [100, 0], decoy: [900, 0] } });
  expect(hands.places.find((one) => one.current)?.place.id).toBe('real');
  hands.drag('decoy', [450, -90], null);
  expect(hands.current).toMatchObject({ places: { decoy: [450, 0] } });
  expect(hands.draft).toMatchObject({ places: { decoy: [900, 0] } });
  hands.drop('decoy', [460, -90], null);
  hands.nudge('decoy', [100, 0]);
  hands.nudge('decoy', [0, 100]);
  expect(made()).toEqual({ value: { real: [100, 0], decoy: [560, 0] } });
});
