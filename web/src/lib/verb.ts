import type { Form, OptionView, SeatQuestion } from '../wire/types';
import { goes, make, openWay, type Draft } from './answer';

/** What the button of a question says, by the code of its prompt. */
const VERBS: Record<string, string> = {
  actions: 'Carry out',
  allocate: 'Assign the hits',
  advance: 'Advance',
  'after-strike': 'Fly on',
  'break-off': 'Break off',
  contact: 'Sail',
  counters: 'Remove',
  das: 'Send air support',
  declare: 'Attack',
  'declare-attacks': 'Attack',
  'detection-number': 'Search',
  escorts: 'Escort',
  exploit: 'Exploit',
  fire: 'Fire',
  flak: 'Open fire',
  flight: 'Fly',
  intercept: 'Intercept',
  interceptors: 'Intercept',
  join: 'Join combat',
  launch: 'Launch',
  leave: 'Leave the sea',
  losses: 'Remove',
  match: 'Pair off',
  move: 'Fly',
  movement: 'Move',
  'next-combat': 'Fight',
  orders: 'Give orders',
  path: 'Move',
  pick: 'Take this force',
  refit: 'Refit',
  repairs: 'Repair',
  resume: 'Fly on',
  'set-up': 'Place',
  'setup-cards': 'Place the cards',
  'setup-deployed': 'Place',
  'setup-roles': 'Arm',
  shed: 'Give up',
  'strike-next': 'Strike',
  targets: 'Set targets',
  tasking: 'Set tasks',
  teams: 'Send the teams',
  torpedoes: 'Launch',
};

/** What the button says where giving no ships, hits or orders is an answer, if not `Do not` and the verb. */
const NOTHING: Record<string, string> = {
  shed: 'Give up nothing',
};

/** Ways to answer begin with their verb: `launch b2`, `move the carriers`. */
const WAYS: Record<string, string> = {
  arm: 'Arm',
  attack: 'Attack',
  dogfight: 'Dogfight',
  fly: 'Fly',
  give: 'Give way',
  intercept: 'Intercept',
  join: 'Join',
  land: 'Land',
  launch: 'Launch',
  leave: 'Leave',
  move: 'Move',
  patrol: 'Patrol',
  refuel: 'Refuel',
  search: 'Search',
  slip: 'Slip away',
  steam: 'Steam',
  strike: 'Strike',
};

/** A label longer than this does not fit on a button. */
const LONGEST = 28;

/** Whether a draft chooses nothing, where that is an answer. */
function empty(form: Form, draft: Draft): boolean {
  if (form.kind === 'assign' && draft.kind === 'assign')
    return /^(no\b|holds)/i.test(form.none) && Object.values(draft.chosen).every((one) => one === null);
  // A ship without new orders is under orders all the same.
  if (form.kind === 'sheet' && draft.kind === 'sheet')
    return draft.entries.length === 0 && form.parts.every((part) => /\b(no|not|nothing)\b/i.test(part.left_out));
  if (draft.kind === 'subset') return Object.values(draft.chosen).every((one) => !one);
  return draft.kind === 'numbers' && Object.values(draft.numbers).every((one) => !one);
}

/** What an option says that does not act. */
const HOLDS = /^(no|none|not|hold|stay|stop|wait|keep|pass|do not)\b/i;

/** The verb of an option: its own words if they are few and begin with a verb, else that verb. */
function optionVerb({ label, pieces = [] }: OptionView): string | undefined {
  const [head = '', rest = ''] = label.split(/: (.*)/s);
  const first = (text: string) => text.toLowerCase().split(/[\s,]/)[0]!;
  const whole = head.split(' (')[0]!;
  const short = whole.length <= LONGEST ? whole.charAt(0).toUpperCase() + whole.slice(1) : undefined;
  // The label of an option about pieces may begin with their names.
  if (pieces.length === 0 || HOLDS.test(head) || pieces.some((id) => id.includes('@')))
    return short ?? WAYS[first(whole)];
  return WAYS[first(rest)] ?? (WAYS[first(head)] && (rest === '' ? short : undefined)) ?? WAYS[first(head)];
}

/** The verb of an answer: the chosen option itself, or of its question, or of the way it is given; else `Confirm`. */
export function verbOf({ prompt, form, options }: SeatQuestion, draft: Draft): string {
  const [open, inner] = openWay(form, draft);
  const option = inner.kind === 'pick' && inner.option !== null ? options[inner.option] : undefined;
  const told = option && optionVerb(option);
  if (told) return told;
  // A way with a single answer is that answer.
  const sole = open.kind === 'parts' && open.items.length === 1 && open.places.length === 0 ? open.items[0]! : null;
  if (sole?.options.length === 1 && !goes(sole.options[0]!)) return sole.options[0]!.label;
  const way =
    form.kind === 'choices' && draft.kind === 'choices'
      ? form.ways[draft.way]?.[0].toLowerCase().split(/[\s,]/)[0]
      : undefined;
  const verb = VERBS[prompt.code] ?? WAYS[way ?? ''];
  if (!verb) return 'Confirm';
  // Where nothing is no answer, the button says what is to be done.
  if (!empty(open, inner) || 'wants' in make(open, options, inner)) return verb;
  return NOTHING[prompt.code] ?? `Do not ${verb.charAt(0).toLowerCase()}${verb.slice(1)}`;
}
