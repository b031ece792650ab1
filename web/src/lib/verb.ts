import type { SeatQuestion } from '../wire/types';
import { openWay, type Draft } from './answer';

/** What the button of a question says, by the code of its prompt. */
const VERBS: Record<string, string> = {
  allocate: 'Assign the hits',
  'after-strike': 'Fly on',
  'break-off': 'Break off',
  'declare-attacks': 'Attack',
  'detection-number': 'Search',
  join: 'Join combat',
  match: 'Pair off',
  move: 'Fly',
  'next-combat': 'Fight',
  orders: 'Give orders',
  path: 'Move',
  pick: 'Take this force',
  refit: 'Refit',
  repairs: 'Repair',
  resume: 'Fly on',
  'setup-cards': 'Place the cards',
  'setup-deployed': 'Place',
  'setup-roles': 'Arm',
  shed: 'Give up',
  'strike-next': 'Strike',
  targets: 'Set targets',
};

/** Ways to answer begin with their verb: `launch b2`, `move the carriers`. */
const WAYS: Record<string, string> = {
  arm: 'Arm',
  dogfight: 'Dogfight',
  give: 'Give way',
  intercept: 'Intercept',
  launch: 'Launch',
  leave: 'Leave',
  move: 'Move',
  search: 'Search',
  slip: 'Slip away',
  strike: 'Strike',
};

/** A label longer than this does not fit on a button. */
const LONGEST = 28;

/** The verb of an answer: of its question, of the way it is given, or the chosen option itself; else `Confirm`. */
export function verbOf({ prompt, form, options }: SeatQuestion, draft: Draft): string {
  const way =
    form.kind === 'choices' && draft.kind === 'choices'
      ? form.ways[draft.way]?.[0].toLowerCase().split(/[\s,]/)[0]
      : undefined;
  const verb = VERBS[prompt.code] ?? WAYS[way ?? ''];
  if (verb) return verb;
  const [, inner] = openWay(form, draft);
  const option = inner.kind === 'pick' && inner.option !== null ? options[inner.option] : undefined;
  // The label of an option about pieces begins with their names, not with a verb.
  const label = option && !option.pieces?.length ? option.label.split(/: | \(/)[0]! : '';
  return label !== '' && label.length <= LONGEST ? label.charAt(0).toUpperCase() + label.slice(1) : 'Confirm';
}
