import type { Form, Json, OptionView, Point, SeatQuestion } from '../wire/types';
import { isHex } from './options';

/** An answer that is being put together. */
export type Draft =
  | { kind: 'pick'; option: number | null }
  | { kind: 'assign'; chosen: Record<string, number | null> }
  | { kind: 'subset'; chosen: Record<string, boolean> }
  | { kind: 'numbers'; numbers: Record<string, number> }
  | { kind: 'points'; points: Point[] }
  | { kind: 'choices'; way: number; drafts: Draft[] }
  | { kind: 'json'; text: string };

/** The same JSON, whatever the order of its keys. */
export function same(a: Json, b: Json): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object')
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key]!)}`).join(',')}}`;
  return JSON.stringify(value);
}

/** The form a screen asks by: where the rules list answers and also take any other, the list comes first. */
export function formOf(question: SeatQuestion): Form {
  const { form, options } = question;
  if (form.kind !== 'json' || options.length === 0) return form;
  return { kind: 'choices', ways: [['Listed', { kind: 'pick' }], ['In other words (JSON)', form]] };
}

/** A draft with nothing chosen yet. A question that lists no option is asked as JSON. */
export function blank(form: Form, options: OptionView[]): Draft {
  switch (form.kind) {
    case 'pick':
      return options.length > 0 ? { kind: 'pick', option: null } : { kind: 'json', text: '' };
    case 'assign':
      return { kind: 'assign', chosen: Object.fromEntries(form.items.map((item) => [item.id, null])) };
    case 'subset':
      return { kind: 'subset', chosen: Object.fromEntries(form.items.map((item) => [item.id, false])) };
    case 'numbers':
      return { kind: 'numbers', numbers: Object.fromEntries(form.items.map((item, at) => [item.id, Math.max(0, form.limits[at]?.[0] ?? 0)])) };
    case 'points':
      return { kind: 'points', points: [] };
    case 'choices':
      return { kind: 'choices', way: 0, drafts: form.ways.map(([, way]) => blank(way, options)) };
    case 'json':
      return { kind: 'json', text: JSON.stringify(form.example, null, 2) };
  }
}

/** The answer a draft stands for, or why it is none yet. */
export type Made = { value: Json } | { wants: string };

export function make(form: Form, options: OptionView[], draft: Draft): Made {
  if (draft.kind === 'json') {
    try {
      return { value: JSON.parse(draft.text) as Json };
    } catch {
      return { wants: 'This is no JSON yet.' };
    }
  }
  if (form.kind === 'pick' && draft.kind === 'pick') {
    const option = draft.option === null ? undefined : options[draft.option];
    return option ? { value: option.value } : { wants: 'Choose one of the options.' };
  }
  if (form.kind === 'assign' && draft.kind === 'assign') {
    return {
      value: form.items.flatMap((item) => {
        const option = item.options[draft.chosen[item.id] ?? -1];
        return option ? [option.value] : [];
      }),
    };
  }
  if (form.kind === 'subset' && draft.kind === 'subset') {
    const chosen = form.items.filter((item) => draft.chosen[item.id]);
    if (chosen.length < form.min) return { wants: `Choose ${form.min - chosen.length} more.` };
    if (chosen.length > form.max) return { wants: `Choose ${chosen.length - form.max} fewer.` };
    return { value: chosen.map((item) => item.options[0]?.value ?? item.id) };
  }
  if (form.kind === 'numbers' && draft.kind === 'numbers') {
    for (const [at, item] of form.items.entries()) {
      const [least, most] = form.limits[at] ?? [0, 0];
      const number = draft.numbers[item.id];
      if (number === undefined || !Number.isInteger(number) || number < least || number > most) return { wants: `${item.label}: a whole number from ${least} to ${most}.` };
    }
    const sum = form.items.reduce((total, item) => total + (draft.numbers[item.id] ?? 0), 0);
    if (form.total !== null && sum !== form.total) return { wants: `The numbers add up to ${sum}; they must make ${form.total}.` };
    return { value: Object.fromEntries(form.items.map((item) => [item.id, draft.numbers[item.id] ?? 0])) };
  }
  if (form.kind === 'points' && draft.kind === 'points') {
    const last = draft.points.at(-1);
    if (!last) return { wants: 'Mark a point on the board.' };
    if (draft.points.length > form.max) return { wants: `At most ${form.max} points.` };
    return { value: fill(form.template, draft.points, last) };
  }
  if (form.kind === 'choices' && draft.kind === 'choices') {
    const way = form.ways[draft.way];
    const inner = draft.drafts[draft.way];
    return way && inner ? make(way[1], options, inner) : { wants: 'Choose a way to answer.' };
  }
  return { wants: 'Choose an answer.' };
}

/** A template with its placeholders replaced by points. */
export function fill(template: Json, points: Point[], last: Point): Json {
  if (template === '$points') return points;
  if (template === '$point') return last;
  if (Array.isArray(template)) return template.map((item) => fill(item, points, last));
  if (template !== null && typeof template === 'object') return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, fill(item, points, last)]));
  return template;
}

/** The draft that stands for a ready answer (a plan, a hint), if the form can say it. */
export function draftOf(form: Form, options: OptionView[], value: Json): Draft | null {
  switch (form.kind) {
    case 'pick': {
      const at = options.findIndex((option) => same(option.value, value));
      return at < 0 ? null : { kind: 'pick', option: at };
    }
    case 'assign': {
      if (!Array.isArray(value)) return null;
      const draft = blank(form, options) as Extract<Draft, { kind: 'assign' }>;
      for (const wanted of value) {
        const item = form.items.find((item) => draft.chosen[item.id] === null && item.options.some((option) => same(option.value, wanted)));
        if (!item) return null;
        draft.chosen[item.id] = item.options.findIndex((option) => same(option.value, wanted));
      }
      return draft;
    }
    case 'subset': {
      if (!Array.isArray(value)) return null;
      const draft = blank(form, options) as Extract<Draft, { kind: 'subset' }>;
      for (const wanted of value) {
        const item = form.items.find((item) => same(item.options[0]?.value ?? item.id, wanted));
        if (!item) return null;
        draft.chosen[item.id] = true;
      }
      return draft;
    }
    case 'numbers': {
      if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
      const numbers = (blank(form, options) as Extract<Draft, { kind: 'numbers' }>).numbers;
      for (const [key, number] of Object.entries(value)) {
        if (typeof number !== 'number' || !(key in numbers)) return null;
        numbers[key] = number;
      }
      return { kind: 'numbers', numbers };
    }
    case 'points': {
      const points = pointsOf(form.template, value);
      return points ? { kind: 'points', points } : null;
    }
    case 'choices': {
      for (const [at, [, way]] of form.ways.entries()) {
        const inner = draftOf(way, options, value);
        if (inner && way.kind !== 'json') {
          const draft = blank(form, options) as Extract<Draft, { kind: 'choices' }>;
          draft.way = at;
          draft.drafts[at] = inner;
          return draft;
        }
      }
      return null;
    }
    case 'json':
      return { kind: 'json', text: JSON.stringify(value, null, 2) };
  }
}

function isPoint(value: Json | undefined): value is Point {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'number');
}

/** The points that make `value` out of a template; nothing if the rest differs. */
function pointsOf(template: Json, value: Json): Point[] | null {
  if (template === '$point') return isPoint(value) ? [value] : null;
  if (template === '$points') return Array.isArray(value) && value.every(isPoint) ? (value as Point[]) : null;
  if (Array.isArray(template)) {
    if (!Array.isArray(value) || value.length !== template.length) return null;
    return several(template.map((part, at) => [part, value[at]!]));
  }
  if (template !== null && typeof template === 'object') {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    const keys = Object.keys(template);
    if (keys.length !== Object.keys(value).length || keys.some((key) => !(key in value))) return null;
    return several(keys.map((key) => [template[key]!, value[key]!]));
  }
  return same(template, value) ? [] : null;
}

function several(parts: [Json, Json][]): Point[] | null {
  const found = parts.map(([part, value]) => pointsOf(part, value));
  return found.some((points) => points === null) ? null : found.flatMap((points) => points ?? []);
}

/** The draft of the way that is open, with its form. */
export function openWay(form: Form, draft: Draft): [Form, Draft] {
  if (form.kind === 'choices' && draft.kind === 'choices') {
    const way = form.ways[draft.way];
    const inner = draft.drafts[draft.way];
    if (way && inner) return openWay(way[1], inner);
  }
  return [form, draft];
}

/** A draft with the open way's part replaced. */
export function withOpenWay(draft: Draft, inner: Draft): Draft {
  if (draft.kind !== 'choices') return inner;
  return { ...draft, drafts: draft.drafts.map((one, at) => (at === draft.way ? withOpenWay(one, inner) : one)) };
}

/** The draft with a way open whose path this piece travels; the way that is open already, if it is such a one. */
export function wayOf(form: Form, draft: Draft, piece: string): Draft | null {
  const [open] = openWay(form, draft);
  if (open.kind === 'points' && open.piece === piece) return draft;
  if (form.kind !== 'choices' || draft.kind !== 'choices') return null;
  const way = form.ways.findIndex(([, one]) => one.kind === 'points' && one.piece === piece);
  return way < 0 ? null : { ...draft, way };
}

/** The pieces that can be dragged: those that travel a path, those that are aimed, those that step into a hex. */
export function carriers(question: SeatQuestion, draft: Draft): Set<string> {
  const out = new Set<string>();
  const { form } = question;
  const ways = form.kind === 'choices' ? form.ways.map(([, way]) => way) : [form];
  for (const way of ways) if (way.kind === 'points' && way.piece) out.add(way.piece);
  const [open] = openWay(form, draft);
  if (open.kind === 'assign') for (const item of open.items) out.add(item.id);
  if (open.kind === 'pick') for (const { pieces = [] } of question.options) if (pieces.some(isHex)) for (const id of pieces) if (!isHex(id)) out.add(id);
  return out;
}

/** What can be touched on the board for the open question: starting pieces, and where they may go. */
export interface Touchable {
  sources: Set<string>;
  targets: Set<string>;
}

/** Which pieces and boxes are lit, given the piece in hand. */
export function touchable(question: SeatQuestion, draft: Draft, hand: string | null): Touchable {
  const [form, inner] = openWay(question.form, draft);
  const sources = new Set<string>();
  const targets = new Set<string>();
  if (form.kind === 'pick' && inner.kind === 'pick') for (const option of question.options) for (const piece of option.pieces ?? []) targets.add(piece);
  if (form.kind === 'assign')
    for (const item of form.items) {
      sources.add(item.id);
      if (item.id === hand) for (const option of item.options) for (const piece of option.pieces ?? []) targets.add(piece);
    }
  if (form.kind === 'subset')
    for (const item of form.items) {
      targets.add(item.id);
      for (const option of item.options) for (const piece of option.pieces ?? []) targets.add(piece);
    }
  if (form.kind === 'numbers') for (const item of form.items) targets.add(item.id);
  return { sources, targets };
}

/** The pairs of pieces a draft joins, for arrows on the board. */
export function aims(question: SeatQuestion, draft: Draft): { from: string; to: string; label: string }[] {
  const [form, inner] = openWay(question.form, draft);
  if (form.kind !== 'assign' || inner.kind !== 'assign') return [];
  return form.items.flatMap((item) => {
    const option = item.options[inner.chosen[item.id] ?? -1];
    return (option?.pieces ?? []).map((to) => ({ from: item.id, to, label: option?.label ?? '' }));
  });
}
