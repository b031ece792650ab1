import type { OptionView } from '../wire/types';

/** An option with its number in the whole list, and its label without the heading. */
export interface Listed {
  option: OptionView;
  at: number;
  rest: string;
}

/** Options under a common heading; a blank name means no heading. A long list is grouped again inside. */
export interface OptionGroup {
  name: string;
  list: Listed[];
  groups: OptionGroup[];
}

/** More lines than this are not shown before the player narrows them down. */
export const DOZEN = 12;

/** Whether an id names a hex or a spot in one. */
export const isHex = (id: string) => /^-?\d+,-?\d+(@\w)?$/.test(id);

/** The words of a label. */
const words = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .filter(Boolean);

/** Whether every search word begins a word of the label. */
export function matches(label: string, wanted: string): boolean {
  const own = words(label);
  return words(wanted).every((word) => own.some((part) => part.startsWith(word)));
}

const head = (label: string): [string, string] => {
  const at = label.indexOf(': ');
  return at < 0 ? [label, ''] : [label.slice(0, at), label.slice(at + 2)];
};

/** What options can be grouped by: the text before a colon, the first piece, or the first word. */
type Key = (option: OptionView, called: Map<string, string>) => string;
const KEYS: Key[] = [
  ({ label }) => (head(label)[1] === '' ? '' : head(label)[0]),
  ({ pieces = [] }, called) => called.get(pieces.find((piece) => !isHex(piece)) ?? '') ?? '',
  ({ label }) => label.split(' ')[0]!,
];

/** The groups by one key; what is alone under its key stands without a heading, in its place. */
function byKey(listed: Listed[], key: Key, called: Map<string, string>): OptionGroup[] {
  const groups = new Map<string, Listed[]>();
  for (const one of listed) {
    const name = key(one.option, called) || `\n${one.at}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const out: OptionGroup[] = [];
  for (const [name, list] of groups)
    if (list.length > 1) out.push({ name, list, groups: [] });
    else if (out.at(-1)?.name === '') out.at(-1)!.list.push(list[0]!);
    else out.push({ name: '', list: [list[0]!], groups: [] });
  return out;
}

const lines = (groups: OptionGroup[]) => groups.reduce((sum, one) => sum + (one.name === '' ? one.list.length : 1), 0);

/** Splits a list that is too long by the key that leaves a dozen lines or fewer, else by the one that leaves fewest. */
function narrowed(listed: Listed[], keys: Key[], called: Map<string, string>): OptionGroup[] {
  const whole: OptionGroup[] = [{ name: '', list: listed, groups: [] }];
  if (listed.length <= DOZEN) return whole;
  const ways = keys
    .map((key) => ({ key, groups: byKey(listed, key, called) }))
    .filter(({ groups }) => groups.length > 1);
  const best =
    ways.find(({ groups }) => lines(groups) <= DOZEN) ??
    ways.sort((one, other) => lines(one.groups) - lines(other.groups))[0];
  if (!best) return whole;
  const rest = keys.filter((key) => key !== best.key);
  return best.groups.map((group) => {
    const inner = group.name === '' ? [] : narrowed(group.list, rest, called);
    // Under its own heading a label need not repeat it.
    const list = group.list.map((one) => {
      const [name, after] = head(one.option.label);
      return name === group.name ? { ...one, rest: after } : one;
    });
    return { ...group, list, groups: inner.length > 1 ? inner : [] };
  });
}

/**
 * Groups a long list so that no more than about a dozen lines stand there at once. `only` keeps the options of one
 * piece or place, `wanted` those that contain these words; `called` has the names of pieces.
 */
export function grouped(
  options: OptionView[],
  only: string | null,
  wanted = '',
  called: Map<string, string> = new Map(),
): OptionGroup[] {
  const names = (option: OptionView) => (option.pieces ?? []).flatMap((piece) => called.get(piece) ?? []);
  const listed = options
    .map((option, at): Listed => ({ option, at, rest: '' }))
    .filter(
      ({ option }) =>
        (!only || option.pieces?.includes(only)) && matches([option.label, ...names(option)].join(' '), wanted),
    );
  return narrowed(listed, KEYS, called);
}
