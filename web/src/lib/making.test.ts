import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Form, FormItem, FormPlace, OptionView, SeatQuestion } from '../wire/types';
import { question } from '../fixture/sea';
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

/** A question with options and a table that keeps what it was sent. */
function asked(question: Partial<SeatQuestion>) {
  const whole = (part: Partial<SeatQuestion>): SeatQuestion => ({
    seat: 0,
    prompt: { code: 'x', text: 'x', confirm: false },
    options: [],
    form: { kind: 'pick' },
    ...part,
  });
  let now = whole(question);
  const sent: unknown[] = [];
  const answer = (value: unknown) => sent.push(value);
  const table = { refusal: null, state: null, busy: false, answer } as unknown as Table;
  const hands = new Making(
    () => table,
    () => now,
  );
  hands.begin();
  const ask = (next: Partial<SeatQuestion>) => {
    now = whole(next);
    hands.begin();
  };
  return { hands, sent, ask };
}
const step = (unit: string, to: string, tag = ''): OptionView => ({
  value: `${unit} ${to}`,
  label: `${unit} to ${to}`,
  pieces: [unit, to],
  tag,
});

it('a click takes a unit in hand and lights where it can go; a second one chooses a hex, and Enter goes there', () => {
  const done: OptionView = { value: 'done', label: 'Done' };
  const first = [step('pz', '0,1', '2'), step('pz', '1,0'), step('inf', '0,1'), done];
  const { hands, sent, ask } = asked({ options: first });
  expect([[...hands.lit.sources], [...hands.lit.targets]]).toEqual([['pz', 'inf'], []]);
  hands.touch('0,1');
  expect(sent).toEqual([]);
  hands.touch('pz');
  expect([...hands.lit.targets]).toEqual(['0,1', '1,0']);
  expect([...hands.tags]).toEqual([['0,1', '2']]);
  hands.touch('0,1');
  expect([sent, hands.made]).toEqual([[], { value: 'pz 0,1' }]);
  hands.done();
  expect(sent).toEqual(['pz 0,1']);
  ask({ options: [step('pz', '0,2'), step('inf', '0,1'), done] });
  expect([hands.hand, [...hands.lit.targets]]).toEqual(['pz', ['0,2']]);
  hands.touch('0,2');
  hands.confirm();
  ask({ options: [step('inf', '0,1'), done] });
  expect([hands.hand, hands.only]).toEqual([null, null]);
  hands.drop('inf', [0, 0], '0,1@3');
  hands.done();
  ask({ options: [done] });
  hands.done();
  expect(sent, 'the end of the moves is chosen before it is given').toEqual(['pz 0,1', 'pz 0,2', 'inf 0,1']);
  hands.done();
  expect(sent).toEqual(['pz 0,1', 'pz 0,2', 'inf 0,1', 'done']);
});

it('a final answer, or one of several that lead to a hex, is prepared and not sent', () => {
  const prompt = { code: 'x', text: 'x', confirm: true };
  const { hands, sent, ask } = asked({ prompt, options: [step('pz', '0,1')] });
  hands.touch('pz');
  hands.touch('0,1');
  expect([sent, hands.draft]).toEqual([[], { kind: 'pick', option: 0 }]);
  ask({ options: [step('inf', '0,1'), step('pz', '0,1'), { ...step('pz', '0,1'), value: 'the other way' }] });
  hands.touch('0,1');
  expect([sent, hands.draft]).toEqual([[], { kind: 'pick', option: 1 }]);
});

it('a click on a target opens its attack with every unit that can join, and a click on a unit leaves it out', () => {
  const joins = (unit: string, hex: string): FormItem => ({
    id: unit,
    label: unit,
    options: [
      { value: null, label: 'stays out' },
      { value: unit, label: 'attacks', pieces: [hex] },
    ],
  });
  const attack = (hex: string, ...units: string[]): Form => ({
    kind: 'parts',
    places: [],
    items: units.map((unit) => joins(unit, hex)),
    template: { hex, units: units.map((unit) => `$${unit}`) },
  });
  const form: Form = {
    kind: 'choices',
    ways: [
      ['Attack 0,1', attack('0,1', 'pz', 'inf')],
      ['Attack 1,0', attack('1,0', 'pz', 'inf')],
    ],
  };
  const { hands } = asked({ form });
  expect(hands.lit.targets.has('1,0')).toBe(true);
  hands.touch('1,0');
  expect(make(form, [], hands.draft)).toEqual({ value: { hex: '1,0', units: ['pz', 'inf'] } });
  expect(hands.aims.map(({ from, to }) => [from, to])).toEqual([
    ['pz', '1,0'],
    ['inf', '1,0'],
  ]);
  hands.touch('pz');
  expect(make(form, [], hands.draft)).toEqual({ value: { hex: '1,0', units: ['inf'] } });
  hands.touch('pz');
  expect(make(form, [], hands.draft)).toEqual({ value: { hex: '1,0', units: ['pz', 'inf'] } });
});

it('units move by clicks where each has a way of its own, and a target prepares the attack that stands for it', () => {
  const move = (unit: string, ...hexes: string[]): [string, Form] => [
    unit,
    {
      kind: 'parts',
      places: [],
      items: [{ id: unit, label: unit, options: hexes.map((hex) => step(unit, hex)) }],
      template: `$${unit}`,
    },
  ];
  const end: OptionView = { value: 'done', label: 'End movement' };
  const ends: Form = {
    kind: 'parts',
    places: [],
    items: [{ id: 'done', label: 'End movement', options: [end] }],
    template: '$done',
  };
  const ways: [string, Form][] = [move('pz', '0,1', '1,0'), move('inf', '0,1'), ['End movement', ends]];
  const options = [step('pz', '0,1'), step('pz', '1,0'), step('inf', '0,1'), end];
  const { hands, sent, ask } = asked({ options, form: { kind: 'choices', ways } });
  expect([[...hands.lit.sources], [...hands.lit.targets]]).toEqual([['pz', 'inf'], []]);
  hands.touch('inf');
  expect([hands.draft, [...hands.lit.targets]]).toMatchObject([{ way: 1 }, ['0,1']]);
  hands.touch('pz');
  hands.touch('1,0');
  hands.confirm();
  hands.drop('inf', [0, 0], '0,1@2');
  hands.confirm();
  expect(sent).toEqual(['pz 1,0', 'inf 0,1']);

  const units: Form = {
    kind: 'parts',
    places: [],
    items: [
      { id: 'pz', label: 'pz', options: [{ value: null, label: 'out' }, { value: 'pz', label: 'in', pieces: ['pz'] }] },
    ],
    template: { target: '0404', units: ['$pz'] },
  };
  const attack = { value: { target: '0404', units: ['pz'] }, label: '0404', pieces: ['3,2'] };
  const form: Form = { kind: 'choices', ways: [['End', ends], ['Attack 0404', units]] };
  ask({ options: [attack, end], form });
  expect(hands.lit.targets.has('3,2')).toBe(true);
  hands.touch('3,2');
  expect(make(form, [], hands.draft)).toEqual({ value: attack.value });
  expect(sent).toHaveLength(2);
});

it('a ship of a sheet is steered by dragging it, the end of its path, or a further turn', () => {
  const hands = new Making(
    () => ({ refusal: null }) as unknown as Table,
    () => question,
  );
  hands.begin();
  const plot = (id: string) => hands.plots.find((one) => one.piece === id)!;
  const turns = (at: number) => {
    const draft = hands.current;
    const entry = draft.kind === 'sheet' ? draft.entries[at]?.draft : undefined;
    return entry?.kind === 'course' ? entry.turns : null;
  };
  expect(hands.plots.map((one) => [one.piece, one.open])).toEqual([
    ['ajax', false],
    ['achilles', false],
    ['exeter', false],
  ]);
  expect([...hands.lit.sources]).toEqual(['ajax', 'achilles', 'exeter', 'hotspur']);
  expect(hands.grabs.has('ajax') && !hands.grabs.has('@bow')).toBe(true);

  // Held over a point, the course follows; let go, it stays.
  hands.drag('ajax', [-300, 100], null);
  expect(turns(0)).not.toEqual([]);
  expect(plot('ajax')).toMatchObject({ open: true, speed: 28 });
  expect(plot('ajax').reach.length).toBeGreaterThan(20);
  hands.drag('ajax', [-300, 100], null);
  const held = turns(0);
  hands.drop('ajax', [-300, 100], null);
  expect(turns(0)).toEqual(held);
  expect(held!.every(([run, degrees]) => run >= 40 && degrees < 0)).toBe(true);

  // A further turn keeps those before it; the end of the path changes only the last one.
  expect(hands.grabs.has('@bow')).toBe(true);
  hands.drop('@turn', [-200, 140], null);
  expect(turns(0)!.slice(0, held!.length)).toEqual(held);
  expect(turns(0)!.length).toBeGreaterThan(held!.length);
  hands.drop('@bow', [-420, 160], null);
  expect(turns(0)!.slice(0, held!.length)).toEqual(held);

  hands.hasten(2);
  expect(plot('ajax').speed).toBe(30);
  hands.touch('exeter');
  expect(plot('exeter').open && !plot('ajax').open).toBe(true);
  hands.touch('hotspur');
  expect(hands.plots.map((one) => one.piece)).toEqual(['ajax', 'achilles', 'exeter', 'hotspur']);
});

it('in a part of a sheet a click on an enemy aims at it', () => {
  const target: FormItem = {
    id: 'target',
    label: 'Target',
    options: ['graf-spee', 'z1'].map((enemy) => ({ value: enemy, label: enemy, pieces: [enemy] })),
  };
  const { hands, made } = making({
    kind: 'sheet',
    key: 'ship',
    parts: [
      {
        id: 'ajax',
        label: 'Ajax',
        form: { kind: 'parts', places: [], items: [target], template: { target: '$target' } },
        left_out: 'launches nothing',
        most: 2,
      },
    ],
  });
  expect(made()).toEqual({ value: [] });
  hands.touch('ajax');
  expect([...hands.lit.targets]).toEqual(['graf-spee', 'z1']);
  hands.touch('z1');
  expect(made()).toEqual({ value: [{ ship: 'ajax', target: 'z1' }] });
  expect(hands.aims).toEqual([{ from: 'ajax', to: 'z1', label: 'z1' }]);
});

it('the batteries of a ship are aimed one after the other', () => {
  const battery = (id: string): FormItem => ({
    id,
    label: `Ajax, battery ${id}`,
    options: ['graf-spee', 'z1'].map((enemy) => ({
      value: `${id} at ${enemy}`,
      label: enemy,
      pieces: ['ajax', enemy],
    })),
  });
  const { hands, made } = making({ kind: 'assign', items: [battery('1'), battery('2')], none: 'holds fire' });
  expect([...hands.lit.sources]).toEqual(['ajax']);
  hands.touch('ajax');
  expect([...hands.lit.targets]).toEqual(['graf-spee', 'z1']);
  hands.touch('graf-spee');
  hands.touch('z1');
  expect(made()).toEqual({ value: ['1 at graf-spee', '2 at z1'] });
  expect(hands.aims.map(({ from, to }) => [from, to])).toEqual([
    ['ajax', 'graf-spee'],
    ['ajax', 'z1'],
  ]);
  expect(hands.hand).toBe('ajax');
});
