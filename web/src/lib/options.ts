import type { OptionView } from '../wire/types';

/** An option with its number in the whole list, and its label without the heading. */
export interface Listed {
  option: OptionView;
  at: number;
  rest: string;
}

/** Options under a common heading; a blank name means no heading. */
export interface OptionGroup {
  name: string;
  list: Listed[];
}

/** Lists up to this length are not grouped. */
const SHORT = 8;

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

/**
 * Groups a long list by the text before the first colon, else by pieces; single options get no heading.
 * `only` keeps the options of one piece or place, `wanted` those that contain these words.
 */
export function grouped(options: OptionView[], only: string | null, wanted = ''): OptionGroup[] {
  const listed = options
    .map((option, at): Listed => ({ option, at, rest: '' }))
    .filter(
      ({ option }) =>
        (!only || option.pieces?.includes(only)) &&
        matches([option.label, ...(option.pieces ?? []).filter((piece) => !isHex(piece))].join(' '), wanted),
    );
  if (listed.length <= SHORT) return [{ name: '', list: listed }];
  const split = (label: string) => label.split(/: (.*)/s) as [string, string | undefined];
  const heads = new Set(
    listed.flatMap(({ option }) => (split(option.label)[1] === undefined ? [] : [split(option.label)[0]])),
  );
  const groups = new Map<string, Listed[]>();
  for (const one of listed) {
    const [head, rest] = split(one.option.label);
    const pieces = (one.option.pieces ?? []).filter((piece) => !isHex(piece));
    const name =
      rest !== undefined || heads.has(head)
        ? head
        : pieces.length > 0 && pieces.length === (one.option.pieces ?? []).length
          ? pieces.join(', ')
          : '';
    groups.set(name, [...(groups.get(name) ?? []), { ...one, rest: rest ?? '' }]);
  }
  const alone = groups.get('') ?? [];
  groups.delete('');
  const out: OptionGroup[] = [];
  for (const [name, list] of groups) {
    if (list.length > 1) out.push({ name, list });
    else alone.push({ ...list[0]!, rest: '' });
  }
  if (out.length <= 1 && alone.length === 0) return [{ name: '', list: listed }];
  // Single options stay before all groups or come after them.
  alone.sort((a, b) => a.at - b.at);
  const first = Math.min(...out.map((group) => group.list[0]!.at));
  const [before, after] = [alone.filter((one) => one.at < first), alone.filter((one) => one.at > first)];
  return [
    ...(before.length > 0 ? [{ name: '', list: before }] : []),
    ...out,
    ...(after.length > 0 ? [{ name: ' ', list: after }] : []),
  ];
}
