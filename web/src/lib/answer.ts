import type { Form, FormItem, FormPlace, Json, OptionView, Point, SeatQuestion } from '../wire/types';
import { isHex } from './options';
import { wrongSum } from './numbers';
import { blankCourse, courseOf, courseValue, wrongCourse, type Plotted } from './course';
import { blankItems, blankParts, draftOfParts, filled, isPoint, partValue, same, wantedParts } from './parts';
import { blankSheet, makeSheet, sheetOf, type Entry } from './sheet';

/** An answer in preparation. */
export type Draft =
  | { kind: 'pick'; option: number | null }
  | { kind: 'assign'; chosen: Record<string, number | null> }
  | { kind: 'subset'; chosen: Record<string, boolean> }
  | { kind: 'numbers'; numbers: Record<string, number> }
  | { kind: 'points'; points: Point[]; chosen: Record<string, number | null> }
  | { kind: 'parts'; places: Record<string, Point | null>; chosen: Record<string, number | null> }
  | ({ kind: 'course' } & Plotted)
  /** The entries in the order in which they are carried out, and the one that is being changed. */
  | { kind: 'sheet'; entries: Entry[]; open: number | null }
  | { kind: 'choices'; way: number; drafts: Draft[] };

/** A draft with nothing chosen yet. */
export function blank(form: Form, options: OptionView[]): Draft {
  switch (form.kind) {
    case 'pick':
      return { kind: 'pick', option: null };
    case 'assign':
      return { kind: 'assign', chosen: Object.fromEntries(form.items.map((item) => [item.id, null])) };
    case 'subset':
      return { kind: 'subset', chosen: Object.fromEntries(form.items.map((item) => [item.id, false])) };
    case 'numbers':
      return {
        kind: 'numbers',
        numbers: Object.fromEntries(form.items.map((item, at) => [item.id, Math.max(0, form.limits[at]?.[0] ?? 0)])),
      };
    case 'points':
      return { kind: 'points', points: [], chosen: blankItems(form.items ?? []) };
    case 'parts':
      return { kind: 'parts', ...blankParts(form.places, form.items) };
    case 'course':
      return { kind: 'course', ...blankCourse(form) };
    case 'sheet':
      return blankSheet(form);
    case 'choices':
      return { kind: 'choices', way: 0, drafts: form.ways.map(([, way]) => blank(way, options)) };
  }
}

/** The answer of a draft, or what is still missing. */
export type Made = { value: Json } | { wants: string };

export function make(form: Form, options: OptionView[], draft: Draft): Made {
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
      if (number === undefined || !Number.isInteger(number) || number < least || number > most)
        return { wants: `${item.label}: a whole number from ${least} to ${most}.` };
    }
    const wrong = wrongSum(form, draft.numbers);
    if (wrong) return { wants: wrong };
    return { value: Object.fromEntries(form.items.map((item) => [item.id, draft.numbers[item.id] ?? 0])) };
  }
  if (form.kind === 'points' && draft.kind === 'points') {
    const last = draft.points.at(-1);
    if (!last) return { wants: 'Mark a point on the board.' };
    if (draft.points.length > form.max) return { wants: `At most ${form.max} points.` };
    const items = form.items ?? [];
    const parts = { places: {}, chosen: draft.chosen };
    const wants = wantedParts([], items, parts);
    if (wants) return { wants };
    return {
      value: filled(form.template, (id) =>
        id === 'points' ? draft.points : id === 'point' ? last : partValue([], items, parts, id),
      ),
    };
  }
  if (form.kind === 'parts' && draft.kind === 'parts') {
    const wants = wantedParts(form.places, form.items, draft);
    return wants ? { wants } : { value: filled(form.template, (id) => partValue(form.places, form.items, draft, id)) };
  }
  if (form.kind === 'course' && draft.kind === 'course') {
    const wants = wrongCourse(form, draft);
    return wants ? { wants } : { value: courseValue(form, draft) };
  }
  if (form.kind === 'sheet' && draft.kind === 'sheet') return makeSheet(form, draft);
  if (form.kind === 'choices' && draft.kind === 'choices') {
    const way = form.ways[draft.way];
    const inner = draft.drafts[draft.way];
    if (!way || !inner) return { wants: 'Choose a way to answer.' };
    // Where doing nothing is a way of its own, an empty list is no answer.
    const end = form.ways.find(([, other]) => other.kind === 'pick' && other !== way[1]);
    if (end && way[1].kind === 'assign' && inner.kind === 'assign' && nothingChosen(inner.chosen))
      return { wants: `Choose what to do, or “${end[0]}”.` };
    return make(way[1], options, inner);
  }
  return { wants: 'Choose an answer.' };
}

export { same };

/** Whether no item has an option. */
export const nothingChosen = (chosen: Record<string, number | null>): boolean =>
  Object.values(chosen).every((one) => one === null);

/** Whether an answer says of an item that nothing is chosen: it is an option of it with null for what is chosen. */
function leavesOut(option: Json, wanted: Json): boolean {
  if (typeof option !== 'object' || typeof wanted !== 'object' || !option || !wanted) return false;
  const nulled = Object.entries(wanted).filter(([, part]) => part === null);
  const rest = Object.entries(wanted).filter(([, part]) => part !== null);
  const own = option as Record<string, Json>;
  return nulled.length > 0 && nulled.every(([key]) => key in own) && rest.every(([key, part]) => same(own[key], part));
}

/** The draft for a given answer (a plan, a hint), if the form can express it. */
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
        const item = form.items.find(
          (item) => draft.chosen[item.id] === null && item.options.some((option) => same(option.value, wanted)),
        );
        if (item) draft.chosen[item.id] = item.options.findIndex((option) => same(option.value, wanted));
        // An answer may name what it leaves out.
        else if (!form.items.some(({ options }) => options.some((one) => leavesOut(one.value, wanted)))) return null;
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
      const listed = (id: string, part: Json) =>
        id === 'points' ? Array.isArray(part) && part.every(isPoint) : id === 'point' && isPoint(part);
      const draft = draftOfParts([], form.items ?? [], form.template, value, listed);
      const { points, point } = draft?.found ?? {};
      const marked = Array.isArray(points) ? (points as Point[]) : isPoint(point) ? [point] : [];
      return draft && marked.length > 0 ? { kind: 'points', points: marked, chosen: draft.chosen } : null;
    }
    case 'parts': {
      const draft = draftOfParts(form.places, form.items, form.template, value);
      return draft ? { kind: 'parts', places: draft.places, chosen: draft.chosen } : null;
    }
    case 'course': {
      const plotted = courseOf(form, value);
      return plotted && { kind: 'course', ...plotted };
    }
    case 'sheet':
      return sheetOf(form, value);
    case 'choices': {
      for (const [at, [, way]] of form.ways.entries()) {
        const inner = draftOf(way, options, value);
        if (inner) {
          const draft = blank(form, options) as Extract<Draft, { kind: 'choices' }>;
          draft.way = at;
          draft.drafts[at] = inner;
          return draft;
        }
      }
      return null;
    }
  }
}

/** The form and draft of the selected way to answer. */
export function openWay(form: Form, draft: Draft): [Form, Draft] {
  if (form.kind === 'choices' && draft.kind === 'choices') {
    const way = form.ways[draft.way];
    const inner = draft.drafts[draft.way];
    if (way && inner) return openWay(way[1], inner);
  }
  return [form, draft];
}

/** Replaces the draft of the selected way. */
export function withOpenWay(draft: Draft, inner: Draft): Draft {
  if (draft.kind !== 'choices') return inner;
  return { ...draft, drafts: draft.drafts.map((one, at) => (at === draft.way ? withOpenWay(one, inner) : one)) };
}

/** Whether a form moves a piece, along a path or to a place. */
export const moves = (form: Form, piece: string): boolean =>
  ((form.kind === 'points' || form.kind === 'course') && form.piece === piece) ||
  (form.kind === 'parts' && form.places.some((place) => place.id === piece));

/** Selects a way that moves this piece; keeps the selected way if it does. */
export function wayOf(form: Form, draft: Draft, piece: string): Draft | null {
  if (moves(openWay(form, draft)[0], piece)) return draft;
  if (form.kind !== 'choices' || draft.kind !== 'choices') return null;
  const way = form.ways.findIndex(([, one]) => moves(one, piece));
  return way < 0 ? null : { ...draft, way };
}

/** The pieces that can be dragged: along a path, to a place, at a target, or into a hex. */
export function draggable(question: SeatQuestion, draft: Draft): Set<string> {
  const out = new Set<string>();
  const { form } = question;
  const ways = form.kind === 'choices' ? form.ways.map(([, way]) => way) : [form];
  for (const way of ways) {
    if ((way.kind === 'points' || way.kind === 'course') && way.piece) out.add(way.piece);
    if (way.kind === 'course') for (const handle of HANDLES) out.add(handle);
    if (way.kind === 'parts') for (const place of way.places) out.add(place.id);
  }
  const [open] = openWay(form, draft);
  if (open.kind === 'assign' || open.kind === 'parts')
    for (const item of open.items) if (aimable(item)) out.add(ownerOf(item));
  for (const option of question.options)
    if (goes(option) || (open.kind === 'pick' && option.pieces?.some(isHex)))
      for (const id of option.pieces ?? []) if (!isHex(id)) out.add(id);
  return out;
}

/** The handles of a plotted course: its end, and the place of a further turn. */
export const HANDLES = ['@bow', '@turn'] as const;

/**
 * The piece that an item belongs to. Several items may belong to one piece, as the batteries of a ship do: then each of
 * their options names that piece first.
 */
export function ownerOf(item: FormItem): string {
  // `hornet.3` is an item of Hornet, if its options name her.
  const head = item.id.split('.')[0]!;
  if (head !== item.id && item.options.some(({ pieces = [] }) => pieces.includes(head))) return head;
  const first = item.options[0]?.pieces?.[0];
  const shared = item.options.every(({ pieces = [] }) => pieces.length > 1 && pieces[0] === first);
  const named = item.options.some(({ pieces = [] }) => pieces.includes(item.id));
  return first !== undefined && shared && !named ? first : item.id;
}

/** Whether an item can be aimed at other pieces. */
const aimable = (item: FormItem): boolean =>
  item.options.some((option) => option.pieces?.some((piece) => piece !== item.id));

/** The place that the next marked point is for: the current one, else one without a point, else the first. */
export function placeInHand(places: FormPlace[], draft: Draft, hand: string | null): FormPlace | undefined {
  const open = (place: FormPlace) => draft.kind === 'parts' && !draft.places[place.id];
  return places.find((place) => place.id === hand) ?? places.find(open) ?? places[0];
}

/** What the open question makes selectable on the board: pieces that act, and their targets. */
export interface Touchable {
  sources: Set<string>;
  targets: Set<string>;
}

/** The selectable pieces and boxes, given the piece in hand; in a part of a sheet, whatever its items are aimed at. */
export function touchable(question: SeatQuestion, draft: Draft, hand: string | null, part = false): Touchable {
  const [form, inner] = openWay(question.form, draft);
  const sources = new Set<string>();
  const targets = new Set<string>();
  const picking = form.kind === 'pick' && inner.kind === 'pick';
  for (const option of question.options)
    for (const piece of option.pieces ?? [])
      if (!goes(option)) {
        // A place that stands for a whole answer prepares it, whatever the form.
        if (picking || (isHex(piece) && form.kind !== 'points')) targets.add(piece);
      } else if (!isHex(piece)) sources.add(piece);
      else if (hand !== null && option.pieces?.includes(hand)) targets.add(piece);
  // A hex that only another way names opens that way.
  for (const key of otherWays(question, draft).keys()) targets.add(key);
  if (form.kind === 'assign')
    for (const item of form.items) {
      const owner = ownerOf(item);
      sources.add(owner);
      if (item.id === hand || owner === hand)
        for (const option of item.options)
          for (const piece of option.pieces ?? []) if (piece !== owner || owner === item.id) targets.add(piece);
    }
  if (form.kind === 'parts') {
    for (const place of form.places) sources.add(place.id);
    for (const item of form.items) {
      if (item.options.some(goes) && !optional(item)) continue;
      sources.add(item.id);
      // Optional items can be selected at any time.
      if (part || item.id === hand || item.options.some((option) => option.value === null))
        for (const option of item.options) for (const piece of option.pieces ?? []) targets.add(piece);
    }
  }
  if (form.kind === 'subset')
    for (const item of form.items) {
      targets.add(item.id);
      for (const option of item.options) for (const piece of option.pieces ?? []) targets.add(piece);
    }
  if (form.kind === 'numbers') for (const item of form.items) targets.add(item.id);
  return { sources, targets };
}

/** Whether an option sends a piece to a hex, so that a click on the piece and one on the hex mean it. */
export function goes({ pieces = [] }: OptionView): boolean {
  return pieces.some(isHex) && !pieces.every(isHex) && !pieces.some((piece) => piece.includes('@'));
}

/** Whether an item can be left out. */
const optional = (item: FormItem): boolean => item.options.some((option) => option.value === null);

/** The hexes that stand for a way: those its options name, unless an option sends a piece there by itself. */
const hexesOf = (way: Form): string[] =>
  'items' in way && way.items
    ? way.items.flatMap((item) =>
        item.options.flatMap((option) =>
          goes(option) && !optional(item) ? [] : (option.pieces ?? []).filter(isHex),
        ),
      )
    : [];

/** Selects the way that is about one item. */
export function wayAbout(form: Form, draft: Draft, id: string): Draft {
  if (form.kind !== 'choices' || draft.kind !== 'choices') return draft;
  const about = ([, way]: [string, Form]) =>
    way.kind === 'parts' && way.places.length === 0 && way.items.length === 1 && way.items[0]!.id === id;
  const way = form.ways.findIndex(about);
  return way < 0 ? draft : { ...draft, way };
}

/** The other ways to answer by the hexes that stand for them. */
export function otherWays({ form }: SeatQuestion, draft: Draft): Map<string, number> {
  const out = new Map<string, number>();
  if (form.kind !== 'choices' || draft.kind !== 'choices') return out;
  const here = new Set(hexesOf(form.ways[draft.way]?.[1] ?? { kind: 'pick' }));
  for (const [at, [, way]] of form.ways.entries())
    if (at !== draft.way) for (const key of hexesOf(way)) if (!here.has(key) && !out.has(key)) out.set(key, at);
  return out;
}

/** The option of an item that means nothing of it: `0 air factors`. */
const nothing = (item: FormItem): number | null => {
  const at = item.options.findIndex((option) => option.value === 0);
  return at < 0 ? null : at;
};

/** A way opened by a click on its hex: every optional item that can be there is there. */
export function gathered(form: Form, draft: Draft, key: string): Draft {
  if (form.kind !== 'parts' || draft.kind !== 'parts') return draft;
  const chosen = { ...draft.chosen };
  for (const item of form.items) {
    const at = item.options.findIndex((option) => option.value !== null && option.pieces?.includes(key));
    if (at >= 0 && optional(item)) chosen[item.id] = at;
    else if (chosen[item.id] === null) chosen[item.id] = nothing(item);
  }
  return { ...draft, chosen };
}

/** The pairs of pieces that a draft connects, for arrows on the board. */
export function aims(question: SeatQuestion, draft: Draft): { from: string; to: string; label: string }[] {
  const [form, inner] = openWay(question.form, draft);
  if (!(form.kind === 'assign' && inner.kind === 'assign') && !(form.kind === 'parts' && inner.kind === 'parts'))
    return [];
  const { chosen } = inner;
  return form.items.flatMap((item) => {
    const option = item.options[chosen[item.id] ?? -1];
    const from = form.kind === 'assign' ? ownerOf(item) : item.id;
    return (option?.pieces ?? []).filter((to) => to !== from).map((to) => ({ from, to, label: option?.label ?? '' }));
  });
}
