import { describe, expect, it } from 'vitest';
import { blank, draftOf } from '../lib/answer';
import type { SeatQuestion } from '../wire/types';
import { nextControl, selectors } from './light';

const option = (value: unknown, label: string) => ({ value, label });
function asked(form: SeatQuestion['form'], options: SeatQuestion['options'] = []): SeatQuestion {
  return { seat: 0, prompt: { code: 'bet', text: 'How much?', confirm: false }, options, form };
}

describe('the lit control', () => {
  const pick = asked({ kind: 'pick' }, [option('stay', 'Stay'), option('go', 'Go')]);

  it('is the option of a list, and then the button that gives the answer', () => {
    const empty = blank(pick.form, pick.options);
    expect(nextControl(pick, empty, 'go')).toEqual({ kind: 'option', at: 1 });
    const chosen = draftOf(pick.form, pick.options, 'go')!;
    expect(nextControl(pick, chosen, 'go')).toEqual({ kind: 'confirm' });
    expect(nextControl(pick, chosen, 'stay')).toEqual({ kind: 'option', at: 0 });
  });

  it('fills in what no list holds', () => {
    const items = [{ id: 'a', label: 'Hood', options: [option({ a: 1 }, 'fires at Bismarck')] }];
    const assign = asked({ kind: 'assign', items, none: 'holds fire' });
    expect(nextControl(assign, blank(assign.form, []), [{ a: 1 }])).toEqual({ kind: 'fill' });
    expect(nextControl(assign, draftOf(assign.form, [], [{ a: 1 }])!, [{ a: 1 }])).toEqual({ kind: 'confirm' });
  });

  it('is the plan that makes the answer, if one is suggested', () => {
    const items = [{ id: 'a', label: 'Hood', options: [option({ a: 1 }, 'fires at Bismarck')] }];
    const plans = [option([], 'No attack'), option([{ a: 1 }], 'All attacks on Bismarck')];
    const assign = asked({ kind: 'assign', items, none: 'holds fire' }, plans);
    expect(nextControl(assign, blank(assign.form, plans), [{ a: 1 }])).toEqual({ kind: 'plan', at: 1, listed: 1 });
  });

  it('takes a number that the lesson leaves out for 0', () => {
    const items = ['a', 'b'].map((id) => ({ id, label: id, options: [] }));
    const limits: [number, number][] = [
      [0, 3],
      [0, 3],
    ];
    const form: SeatQuestion['form'] = { kind: 'numbers', items, limits, total: null };
    const losses = asked(form, [option({ b: 3 }, 'Midway: 3')]);
    const draft = (a: number, b: number) => draftOf(form, losses.options, { a, b })!;
    expect(nextControl(losses, draft(0, 0), { b: 3 })).toEqual({ kind: 'plan', at: 0, listed: 0 });
    expect(nextControl(losses, draft(0, 3), { b: 3 })).toEqual({ kind: 'confirm' });
    expect(nextControl(losses, draft(1, 2), { b: 3 })).toEqual({ kind: 'plan', at: 0, listed: 0 });
  });

  it('is looked for at the confirmation first, and an option out of sight is filled in', () => {
    expect(selectors({ kind: 'confirm' })[0]).toContain('sure');
    expect(selectors({ kind: 'option', at: 3 })).toEqual(['[data-option="3"]', '[data-act="hint"]']);
    expect(selectors({ kind: 'plan', at: 3, listed: 2 })).toContain('.plans [data-option="2"]');
  });
});
