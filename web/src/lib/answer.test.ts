import { describe, expect, it } from 'vitest';
import type { Form, OptionView, SeatQuestion } from '../wire/types';
import {
  aims,
  draggable,
  wayOf,
  blank,
  draftOf,
  make,
  openWay,
  same,
  touchable,
  withOpenWay,
  type Draft,
} from './answer';
import { grouped, matches } from './options';

const options: OptionView[] = [
  { value: 'day', label: 'Day' },
  { value: 'night', label: 'Night', pieces: ['hood'] },
];
const assign: Form = {
  kind: 'assign',
  none: 'no attack',
  items: [
    {
      id: 'hood',
      label: 'Hood',
      options: [
        { value: { attacker: 'hood', target: 'bismarck' }, label: 'Bismarck, 5 dice', pieces: ['bismarck'] },
        { value: { attacker: 'hood', target: 'eugen' }, label: 'Prinz Eugen, 5 dice', pieces: ['eugen'] },
      ],
    },
    {
      id: 'wales',
      label: 'Wales',
      options: [{ value: { attacker: 'wales', target: 'bismarck' }, label: 'Bismarck', pieces: ['bismarck'] }],
    },
  ],
};

function question(form: Form): SeatQuestion {
  return { seat: 0, prompt: { code: 'x', text: 'x', confirm: false }, options, form };
}

describe('answers', () => {
  it('pick an option by its value', () => {
    expect(make({ kind: 'pick' }, options, { kind: 'pick', option: 1 })).toEqual({ value: 'night' });
    expect(make({ kind: 'pick' }, options, blank({ kind: 'pick' }, options))).toHaveProperty('wants');
    expect(blank({ kind: 'pick' }, [])).toEqual({ kind: 'pick', option: null });
  });

  it('assign leaves out items without an option', () => {
    const draft = blank(assign, []) as Extract<Draft, { kind: 'assign' }>;
    expect(make(assign, [], draft)).toEqual({ value: [] });
    draft.chosen.hood = 1;
    expect(make(assign, [], draft)).toEqual({ value: [{ attacker: 'hood', target: 'eugen' }] });
    expect(aims(question(assign), draft)).toEqual([{ from: 'hood', to: 'eugen', label: 'Prinz Eugen, 5 dice' }]);
  });

  it('a plan fills the form, whatever the order of keys', () => {
    const draft = draftOf(assign, [], [{ target: 'bismarck', attacker: 'wales' }]);
    expect(draft).toEqual({ kind: 'assign', chosen: { hood: null, wales: 0 } });
    expect(draftOf(assign, [], [{ target: 'tirpitz' }])).toBeNull();
    // A hint may name what it leaves out.
    const left = draftOf(assign, [], [{ attacker: 'hood', target: null }]);
    expect(left).toEqual({ kind: 'assign', chosen: { hood: null, wales: null } });
    expect(draftOf(assign, [], [{ attacker: 'eugen', target: null }])).toBeNull();
    expect(draftOf(assign, [], 'day')).toBeNull();
    expect(same({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  });

  it('a subset has its limits', () => {
    const form: Form = {
      kind: 'subset',
      min: 1,
      max: 1,
      items: [
        { id: 'a', label: 'A', options: [{ value: 7, label: 'A' }] },
        { id: 'b', label: 'B', options: [] },
      ],
    };
    expect(make(form, [], blank(form, []))).toEqual({ wants: 'Choose 1 more.' });
    expect(make(form, [], { kind: 'subset', chosen: { a: true, b: true } })).toEqual({ wants: 'Choose 1 fewer.' });
    expect(make(form, [], { kind: 'subset', chosen: { a: true } })).toEqual({ value: [7] });
    expect(draftOf(form, [], ['b'])).toEqual({ kind: 'subset', chosen: { a: false, b: true } });
  });

  it('numbers must add up', () => {
    const form: Form = {
      kind: 'numbers',
      total: 3,
      limits: [
        [0, 2],
        [1, 3],
      ],
      items: [
        { id: 'a', label: 'A', options: [] },
        { id: 'b', label: 'B', options: [] },
      ],
    };
    expect(blank(form, [])).toEqual({ kind: 'numbers', numbers: { a: 0, b: 1 } });
    expect(make(form, [], blank(form, []))).toEqual({ wants: 'The numbers add up to 1 instead of 3.' });
    expect(make(form, [], { kind: 'numbers', numbers: { a: 5, b: 1 } })).toEqual({
      wants: 'A: a whole number from 0 to 2.',
    });
    expect(make(form, [], { kind: 'numbers', numbers: { a: 1, b: 2 } })).toEqual({ value: { a: 1, b: 2 } });
    expect(draftOf(form, [], { a: 2, b: 1 })).toEqual({ kind: 'numbers', numbers: { a: 2, b: 1 } });
  });

  it('points are put into the template', () => {
    const form: Form = {
      kind: 'points',
      piece: 'tf1',
      max: 2,
      reach: 100,
      template: { card: 'tf1', to: '$point', by: '$points' },
    };
    expect(make(form, [], { kind: 'points', points: [], chosen: {} })).toHaveProperty('wants');
    expect(
      make(form, [], {
        kind: 'points',
        points: [
          [1, 2],
          [3, 4],
        ],
        chosen: {},
      }),
    ).toEqual({
      value: {
        card: 'tf1',
        to: [3, 4],
        by: [
          [1, 2],
          [3, 4],
        ],
      },
    });
    const single: Form = { ...form, template: { card: 'tf1', to: '$point' } };
    expect(draftOf(single, [], { card: 'tf1', to: [5, 6] })).toEqual({ kind: 'points', points: [[5, 6]], chosen: {} });
    expect(draftOf(single, [], { card: 'tf2', to: [5, 6] })).toBeNull();
  });

  it('one of several ways is answered by its own form', () => {
    const form: Form = {
      kind: 'choices',
      ways: [
        ['Attack', assign],
        ['Wait', { kind: 'pick' }],
      ],
    };
    let draft = blank(form, []);
    expect(make(form, [], draft)).toEqual({ wants: 'Choose what to do, or “Wait”.' });
    draft = { ...draft, way: 1 } as Draft;
    expect(make(form, options, draft)).toEqual({ wants: 'Choose one of the options.' });
    expect(make(form, options, withOpenWay(draft, { kind: 'pick', option: 1 }))).toEqual({ value: 'night' });
    expect(openWay(form, draft)[0].kind).toBe('pick');
    expect(draftOf(form, options, 'night')).toMatchObject({ kind: 'choices', way: 1, drafts: [{}, { option: 1 }] });
    expect(draftOf(form, options, { dawn: true })).toBeNull();
    expect(draftOf(form, [], [{ attacker: 'wales', target: 'bismarck' }])).toMatchObject({ way: 0 });
  });

  it('highlight what can be selected', () => {
    const draft = blank(assign, []);
    expect([...touchable(question(assign), draft, null).sources]).toEqual(['hood', 'wales']);
    expect([...touchable(question(assign), draft, null).targets]).toEqual([]);
    expect([...touchable(question(assign), draft, 'hood').targets]).toEqual(['bismarck', 'eugen']);
    expect([...touchable(question({ kind: 'pick' }), blank({ kind: 'pick' }, options), null).targets]).toEqual([
      'hood',
    ]);
  });
});

it('a long list is shown in groups, each option with its own number', () => {
  const labels = [
    'Straight',
    'Stay: bet 1',
    'Stay: bet 2',
    'Stay: bet 3',
    'Turn: bet 1',
    'Turn: bet 2',
    'Turn: bet 3',
    'Turn: bet 4',
    'Turn: bet 5',
    'Turn: bet 6',
    'Turn: bet 7',
    'Stop',
    'Spin',
  ];
  const options = labels.map((label) => ({
    value: label,
    label,
    ...(label.startsWith('Turn') ? { pieces: ['A'] } : {}),
  }));
  const groups = grouped(options, null);
  expect(groups.map((group) => group.name)).toEqual(['', 'Stay', 'Turn', '']);
  expect(groups.flatMap((group) => group.list.map((one) => one.at)).sort((a, b) => a - b)).toEqual(
    labels.map((_, at) => at),
  );
  expect(groups[1]?.list[1]).toMatchObject({ at: 2, rest: 'bet 2' });
  expect(grouped(options, 'A').map((group) => group.list.length)).toEqual([7]);
  expect(grouped(options, null, 'tu 3').map((group) => group.list.map((one) => one.at))).toEqual([[6]]);
});

it('a list of more than a dozen lines is grouped by piece, and inside by what is done', () => {
  const one = (label: string, ...pieces: string[]) => ({ value: label, label, ...(pieces.length ? { pieces } : {}) });
  const called = new Map([1, 2, 3, 4].map((n): [string, string] => [`b${n}`, `Squadron ${n}`]));
  const points = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
  const options = [1, 2, 3, 4].flatMap((n) => [
    ...points.map((point) => one(`Launch Squadron ${n}: ${point}`, `b${n}`, 'cv')),
    ...points.map((point) => one(`Launch Squadron ${n} as a dummy: ${point}`, `b${n}`, 'cv')),
    ...['Land', 'Refuel', 'Arm'].map((verb) => one(`${verb} Squadron ${n}`, `b${n}`, 'cv')),
  ]);
  const groups = grouped([...options, one('Pass')], null, '', called);
  expect(groups.map(({ name, list }) => [name, list.length])).toEqual([
    ['Squadron 1', 19],
    ['Squadron 2', 19],
    ['Squadron 3', 19],
    ['Squadron 4', 19],
    ['', 1],
  ]);
  expect(groups[1]!.groups.map(({ name, list }) => [name, list.length])).toEqual([
    ['Launch Squadron 2', 8],
    ['Launch Squadron 2 as a dummy', 8],
    ['', 3],
  ]);
});

it('words are looked for by their beginnings, in any order', () => {
  expect(matches('b1, b2: to 2900 from red-a', 'red b1')).toBe(true);
  expect(matches('b1, b2: to 2900 from red-a', 'red-b')).toBe(false);
  expect(matches('anything', '')).toBe(true);
});

it('a piece is dragged along its path, whichever way is open, or into a hex', () => {
  const form: Form = {
    kind: 'choices',
    ways: [
      ['list', { kind: 'pick' }],
      ['move', { kind: 'points', piece: 'r1', max: 2, reach: 6, template: '$points' }],
    ],
  };
  const options = [{ value: 1, label: 'one', pieces: ['2,-1', 'C1'] }];
  const question = { seat: 0, prompt: { code: 'move', text: '', confirm: false }, options, form };
  const draft = blank(form, options);
  expect([...draggable(question, draft)].sort()).toEqual(['C1', 'r1']);
  expect(wayOf(form, draft, 'r1')).toMatchObject({ way: 1 });
  expect(wayOf(form, draft, 'C1')).toBeNull();
});
