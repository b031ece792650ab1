import { expect, it } from 'vitest';
import type { FormItem } from '../wire/types';
import { clicked, firePlan, readyPlans, toldApart } from './fireplan';

const battery = (id: string, aims: [string, string][]): FormItem => ({
  id,
  label: `Ajax, ${id}`,
  options: aims.map(([to, label]) => ({ value: `${id} ${label}`, label, pieces: ['ajax', to] })),
});
const lookouts: FormItem = { id: '9', label: 'Ajax, lookouts', options: [{ value: 'spot', label: 'Contact 1' }] };

it('batteries stand in a table by their targets', () => {
  const plan = firePlan([
    battery('1', [
      ['graf-spee', 'Graf Spee, Directed: 45%, 6.2 points'],
      ['graf-spee', 'Graf Spee, Local: 30%, 4.1 points'],
      ['z1', 'Z 1, Directed: 60%, 2.0 points'],
    ]),
    battery('2', [['z1', 'Z 1, Local: 20%, 0.4 points']]),
    lookouts,
  ])!;
  expect(plan.targets).toEqual([
    { id: 'graf-spee', name: 'Graf Spee' },
    { id: 'z1', name: 'Z 1' },
  ]);
  expect(plan.rows.map((row) => row.cells.map((cell) => cell?.options ?? null))).toEqual([
    [[0, 1], [2]],
    [null, [0]],
  ]);
  expect(plan.rest).toEqual([lookouts]);
  const cell = plan.rows[0]!.cells[0]!;
  expect([null, 0, 1, 2].map((now) => clicked(cell, now))).toEqual([0, 1, null, 0]);
  expect(toldApart(cell.label)).toEqual({ target: 'Graf Spee', way: 'Directed', outcome: '45%, 6.2 points' });
  expect(firePlan([lookouts])).toBeNull();
});

it('whole plans and the end are ready made, single shots are not', () => {
  const items = [
    battery('1', [['z1', 'Z 1, Local: 20%, 0.4 points']]),
    battery('2', [['z1', 'Z 1, Local: 9%, 0.1 points']]),
  ];
  const shots = items.map((item) => item.options[0]!.value);
  const options = [
    { value: shots, label: 'The whole plan' },
    ...shots.map((shot) => ({ value: [shot], label: 'One shot' })),
    { value: 'end', label: 'End the activation' },
  ];
  const question = {
    seat: 0,
    prompt: { code: 'actions', text: 'What now?', confirm: false },
    options,
    form: {
      kind: 'choices' as const,
      ways: [
        ['Act', { kind: 'assign' as const, items, none: 'holds fire' }],
        ['End', { kind: 'pick' as const }],
      ] as [string, { kind: 'assign'; items: FormItem[]; none: string } | { kind: 'pick' }][],
    },
  };
  expect(readyPlans(question)?.map((option) => option.label)).toEqual(['The whole plan', 'End the activation']);
  expect(readyPlans({ ...question, form: { kind: 'pick' } })).toBeNull();
});
