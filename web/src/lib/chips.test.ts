import { expect, it } from 'vitest';
import type { Form, OptionView, SeatQuestion } from '../wire/types';
import { blank } from './answer';
import { chipsOf } from './chips';

const ask = (form: Form, options: OptionView[]): SeatQuestion => ({
  seat: 0,
  prompt: { code: 'x', text: '', confirm: false },
  form,
  options,
});
const one = (label: string, ...pieces: string[]): OptionView => ({ value: label, label, pieces });

it('beside a squadron stand what it can do, and the way to launch it, once', () => {
  const place = {
    id: 'b1',
    label: 'Start',
    piece: { id: 'b1', name: 'b1', kind: 'squadron', place: { point: [0, 0] as [number, number] }, text: '' },
    regions: [],
    origin: null,
    optional: false,
  };
  const launch: Form = { kind: 'parts', places: [place], items: [], template: '$b1' };
  const form: Form = {
    kind: 'choices',
    ways: [
      ['Pick', { kind: 'pick' }],
      ['Launch Squadron 1', launch],
    ],
  };
  const options = [
    one('Launch Squadron 1: N', 'b1', 'cv'),
    one('Launch Squadron 1: S', 'b1', 'cv'),
    one('Arm Squadron 1', 'b1', 'cv'),
    one('Pass'),
  ];
  const question = ask(form, options);
  const draft = blank(form, options);
  expect(chipsOf(question, draft, ['b1'], null, []).map(({ label, does }) => [label, does])).toEqual([
    ['Launch Squadron 1', { way: 1 }],
    ['Arm Squadron 1', { option: 2 }],
  ]);
  expect(chipsOf(question, draft, [], null, []).map(({ label }) => label)).toEqual(['Pass']);
});

it('of one step the bets stand there, each with its chance', () => {
  const bet = (level: number, tag: string) => ({ ...one(`Turn 1 left: bet level ${level}`, '0,1', '0,1@2', 'A'), tag });
  const options = [bet(1, '72%'), bet(2, '42%')];
  const question = ask({ kind: 'pick' }, options);
  const chips = chipsOf(question, { kind: 'pick', option: 1 }, ['0,1@2'], null, []);
  expect(chips.map(({ label, note, chosen }) => [label, note, chosen])).toEqual([
    ['Bet level 1', '72%', false],
    ['Bet level 2', '42%', true],
  ]);
});

it('a unit that is aimed shows the other ways to attack the same target, and not to', () => {
  const items = [
    {
      id: 'hood',
      label: 'Hood',
      options: [one('Gneisenau with guns', 'g'), one('Gneisenau with torpedoes', 'g'), one('Scharnhorst', 's')],
    },
  ];
  const question = ask({ kind: 'assign', items, none: 'no attack' }, []);
  const chips = chipsOf(question, { kind: 'assign', chosen: { hood: 1 } }, ['hood'], null, []);
  expect(chips.map(({ label }) => label)).toEqual(['Gneisenau with guns', 'Gneisenau with torpedoes', 'No attack']);
});
