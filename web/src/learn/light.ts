import { make, openWay, same, type Draft } from '../lib/answer';
import { plansOf } from '../lib/fireplan';
import type { Json, SeatQuestion } from '../wire/types';

/** The one control that leads to an answer from a draft: an option of the list, a suggested plan, the button that gives
 * the answer, or the one that fills it in. */
export type Lit =
  | { kind: 'option'; at: number }
  /** A plan by its place among the options, and by its place in the list of plans. */
  | { kind: 'plan'; at: number; listed: number }
  | { kind: 'confirm' }
  | { kind: 'fill' };

/** Whether two answers mean the same: a number that one of them leaves out is 0. */
export function alike(one: Json, other: Json): boolean {
  const counts = (value: Json): value is Record<string, number> =>
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.values(value).every((part) => typeof part === 'number');
  if (!counts(one) || !counts(other)) return same(one, other);
  return [...Object.keys(one), ...Object.keys(other)].every((key) => (one[key] ?? 0) === (other[key] ?? 0));
}

export function nextControl(question: SeatQuestion, draft: Draft, answer: Json): Lit {
  const made = make(question.form, question.options, draft);
  if ('value' in made && alike(made.value, answer)) return { kind: 'confirm' };
  const [form] = openWay(question.form, draft);
  const at = question.options.findIndex((option) => alike(option.value, answer));
  if (at < 0) return { kind: 'fill' };
  if (form.kind === 'pick') return { kind: 'option', at };
  const listed = plansOf(question).findIndex((plan) => alike(plan.value, answer));
  return { kind: 'plan', at, listed };
}

/** Where the control is on the page, the likeliest first. */
export function selectors(lit: Lit): string[] {
  const hint = '[data-act="hint"]';
  if (lit.kind === 'option') return [`[data-option="${lit.at}"]`, hint];
  if (lit.kind === 'plan') return [`[data-plan="${lit.at}"]`, `.plans [data-option="${lit.listed}"]`, hint];
  return lit.kind === 'confirm' ? ['[data-act="sure"]', '[data-act="confirm"]'] : [hint];
}
