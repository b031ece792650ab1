import { expect, it } from 'vitest';
import type { Form, OptionView, SeatQuestion } from '../wire/types';
import { blank } from './answer';
import { verbOf } from './verb';

const ask = (code: string, form: Form, options: OptionView[] = []): SeatQuestion => ({
  seat: 0,
  prompt: { code, text: '', confirm: false },
  form,
  options,
});

it('a button says the verb of its question, and that nothing is chosen', () => {
  const item = { id: 'a', label: 'A', options: [{ value: 1, label: 'B' }] };
  const attacks = ask('declare-attacks', { kind: 'assign', items: [item], none: 'no attack' });
  expect(verbOf(attacks, blank(attacks.form, []))).toBe('Do not attack');
  expect(verbOf(attacks, { kind: 'assign', chosen: { a: 0 } })).toBe('Attack');
  const orders = ask('orders', { kind: 'assign', items: [item], none: 'stays in port' });
  expect(verbOf(orders, blank(orders.form, []))).toBe('Give orders');
  const support = ask('intercept', { kind: 'numbers', items: [item], limits: [[0, 3]], total: null });
  expect(verbOf(support, blank(support.form, []))).toBe('Do not intercept');
  expect(verbOf(support, { kind: 'numbers', numbers: { a: 2 } })).toBe('Intercept');
  const shed = ask('shed', { kind: 'numbers', items: [item], limits: [[0, 3]], total: null });
  expect(verbOf(shed, blank(shed.form, []))).toBe('Give up nothing');
  const hits = ask('allocate', { kind: 'numbers', items: [item], limits: [[0, 3]], total: 3 });
  expect(verbOf(hits, blank(hits.form, [])), 'nothing is no answer').toBe('Assign the hits');
});

it('or of the way to answer', () => {
  const points: Form = { kind: 'points', piece: 'b1', max: 1, reach: null, template: '$point' };
  const action = ask('choose-action', {
    kind: 'choices',
    ways: [
      ['listed', { kind: 'pick' }],
      ['launch b2', points],
      ['search, then move', points],
    ],
  });
  const draft = blank(action.form, []);
  if (draft.kind !== 'choices') throw new Error('not a choice of ways');
  expect([0, 1, 2].map((way) => verbOf(action, { ...draft, way }))).toEqual(['Confirm', 'Launch', 'Search']);
  const label = 'Take back the attack on 0404 Sedan';
  const items = [{ id: 'back', label, options: [{ value: 1, label }] }];
  const only: Form = { kind: 'parts', places: [], items, template: '$back' };
  const back = ask('declare', { kind: 'choices', ways: [[label, only]] });
  expect(verbOf(back, blank(back.form, []))).toBe(label);
  // A unit that can go to one hex only still moves.
  const there = { value: 1, label: '0201, 2 points', pieces: ['army', '2,1'] };
  const hexes = [{ id: 'army', label: 'Army', options: [there] }];
  const march: Form = { kind: 'parts', places: [], items: hexes, template: '$army' };
  const move = ask('movement', { kind: 'choices', ways: [['Army', march]] });
  expect(verbOf(move, blank(move.form, []))).toBe('Move');
});

it('or the option itself, if it is short', () => {
  const options = [
    'break off',
    'Day: aircraft and torpedoes attack',
    'Stay and fight a second round with every ship',
  ].map((label) => ({ value: label, label }));
  const pick = ask('wish', { kind: 'pick' }, options);
  expect([0, 1, 2].map((option) => verbOf(pick, { kind: 'pick', option }))).toEqual(['Break off', 'Day', 'Confirm']);
  expect(verbOf(pick, { kind: 'pick', option: null })).toBe('Confirm');
  const stop = ask('break-off', { kind: 'pick' }, [{ value: 1, label: 'Fight on' }]);
  expect(verbOf(stop, { kind: 'pick', option: 0 })).toBe('Fight on');
  const scout = { value: 1, label: 'Scout 1: land', pieces: ['br1'] };
  expect(verbOf(ask('wish', { kind: 'pick' }, [scout]), { kind: 'pick', option: 0 })).toBe('Land');
  const none = { value: 1, label: 'No attack', pieces: ['br1'] };
  expect(verbOf(ask('declare-attacks', { kind: 'pick' }, [none]), { kind: 'pick', option: 0 })).toBe('No attack');
});

it('an empty sheet is a refusal only where nothing is done by leaving a part out', () => {
  const form = { kind: 'pick' as const };
  const part = (left_out: string) => ({ id: 'ajax', label: 'Ajax', form, left_out, most: 1 });
  const sheet = (code: string, left_out: string) => {
    const form = { kind: 'sheet' as const, key: 'ship', parts: [part(left_out)] };
    const asked = { seat: 0, prompt: { code, text: '', confirm: false }, options: [], form };
    return verbOf(asked, { kind: 'sheet', entries: [], open: null });
  };
  expect(sheet('torpedoes', 'launches nothing')).toBe('Do not launch');
  expect(sheet('orders', 'keeps her course')).toBe('Give orders');
});
