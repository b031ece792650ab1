import type { ActInfo, FactView, Json, ObjectView, OwedView, TableView } from '../wire/types';

/** An act that is being put together. */
export interface Draft {
  act: string;
  cast: Record<string, string[]>;
  part: string | null;
  facts: Record<string, Json>;
  owed: number | null;
}

export const emptyDraft = (act: string): Draft => ({ act, cast: {}, part: null, facts: {}, owed: null });

/** The draft of something owed, with what is known of it. */
export const owedDraft = (owed: OwedView): Draft => ({
  ...emptyDraft(owed.act),
  cast: Object.fromEntries(Object.entries(owed.cast).map(([role, ids]) => [role, [...(ids ?? [])]])),
  owed: owed.number,
});

/** The deed that a draft stands for. */
export function deedOf(draft: Draft): Json {
  const { act, cast, part, facts, owed } = draft;
  return { do: 'act', act, cast, facts, ...(part === null ? {} : { part }), ...(owed === null ? {} : { owed }) };
}

/** The same act once more, with those who are still in play; facts count only if all of them are. */
export function againDraft(deed: Json, view: TableView, act: ActInfo | undefined): Draft | null {
  const { cast = {}, part, facts = {}, owed } = deed as unknown as Partial<Draft>;
  if (!act || act.only_owed || act.roles.length === 0 || (owed !== undefined && owed !== null)) return null;
  const there = (id: string) => view.objects.some((one) => one.id === id && one.gone === '');
  const left = Object.fromEntries(Object.entries(cast).map(([role, ids]) => [role, ids.filter(there)]));
  const draft = { ...emptyDraft(act.id), cast: left, part: part ?? null };
  if (nextRole(act, draft) !== null) return null;
  const whole = Object.entries(cast).every(([role, ids]) => ids.length === left[role]?.length);
  return whole ? { ...draft, facts } : draft;
}

/** Whether a seat may choose an act at all: the referee any, a player those that ships do. */
export const mayChoose = (act: ActInfo, seat: number): boolean => seat === 0 || act.roles.some((role) => role.acts);

/** The first role that still needs an object. */
export function nextRole(act: ActInfo, draft: Draft): string | null {
  const open = act.roles.find(
    (role) => (role.count === 'one' || role.count === 'many') && (draft.cast[role.id] ?? []).length === 0,
  );
  return open?.id ?? null;
}

/** The objects that can play a role, those of the other side first for a target. */
export function fitting(view: TableView, act: ActInfo, draft: Draft, role: string, seat = 0): ObjectView[] {
  const wanted = act.roles.find((one) => one.id === role);
  if (!wanted) return [];
  const actor = act.roles.find((one) => one.acts && one.id !== role);
  const acting = actor ? view.objects.find((one) => one.id === draft.cast[actor.id]?.[0]) : undefined;
  const others = Object.entries(draft.cast).flatMap(([name, ids]) => (name === role ? [] : ids));
  const list = view.objects.filter(
    (one) =>
      wanted.kinds.includes(one.kind) &&
      one.gone === '' &&
      !others.includes(one.id) &&
      // A player acts for the ships that the referee has given to the chair.
      (seat === 0 || !wanted.acts || one.player === seat),
  );
  const enemy = (one: ObjectView) => Number(acting !== undefined && !wanted.acts && one.side === acting.side);
  return [...list].sort((a, b) => enemy(a) - enemy(b));
}

/** Whole numbers in a text, in order; with dice of at most nine faces every digit is a die. */
export function facesIn(text: string, sides: number): number[] {
  const apart = /[^\d]/.test(text.trim());
  const found = sides <= 9 && !apart ? (text.match(/\d/g) ?? []) : text.split(/[^\d]+/).filter(Boolean);
  return found.map(Number);
}

/** A number in another unit: to the whole where it is the smaller one, otherwise as exact as it was. */
export function toUnit(value: number, unit: { these: number; those: number }): number {
  const places = Math.max(0, Math.ceil(Math.log10(unit.those / unit.these)));
  return Number(((value * unit.these) / unit.those).toFixed(places));
}
export const fromUnit = (value: number, unit: { these: number; those: number }): number =>
  Math.ceil((value * unit.those) / unit.these - 1e-9);

/** A text in which objects are called by their names, where a procedure calls them by their ids. */
export function named(text: string, objects: { id: string; name: string }[]): string {
  const written = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  const names = new Map(
    objects
      .map(({ id, name }): [string, string] => [id.replaceAll('#', '_'), name])
      // A plain word such as `strike` may be an id, and is a word all the same.
      .filter(([id, name]) => id !== name && (/[_\d]/.test(id) || id === written(name))),
  );
  return text.replace(/[\w-]+/g, (word) => names.get(word) ?? word);
}

/** A word of the rules as people read it. */
export const spoken = (word: string): string => word.replaceAll(/[-_]/g, ' ');

/** What a switch would change, for the value that it would get. */
export function worthOf(worth: { path: string; value: Json; worth: string }[], fact: FactView, value: Json): string {
  const text = JSON.stringify(value);
  return worth.find((one) => one.path === fact.path && JSON.stringify(one.value) === text)?.worth ?? '';
}
