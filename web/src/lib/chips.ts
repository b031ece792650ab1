import type { FormItem, OptionView, SeatQuestion } from '../wire/types';
import { moves, openWay, ownerOf, goes, type Draft } from './answer';
import { isHex } from './options';

/** What a chip does when it is chosen. */
export type Chosen =
  | { option: number }
  | { way: number }
  | { item: string; option: number | null }
  | { plan: OptionView }
  /** Takes the open part off its sheet. */
  | { leave: true }
  /** Narrows the choice to the options under a heading; null goes back to all of them. */
  | { head: string | null };

/** A choice that stands beside a piece, or below the board. */
export interface Chip {
  label: string;
  /** What it brings or costs, in a few words. */
  note: string;
  chosen: boolean;
  does: Chosen;
}

/** The choices on the board, the piece they stand beside, and whether they are about a piece that is chosen. */
export interface Choices {
  beside: string | null;
  about: boolean;
  list: Chip[];
}

/** More chips than this do not stand beside a piece at once. */
export const MOST_CHIPS = 9;

/** More choices of one thing than this open with a chip. */
const MANY = 6;

const split = (label: string): [string, string] => {
  const at = label.indexOf(': ');
  return at < 0 ? [label, ''] : [label.slice(0, at), label.slice(at + 2)];
};
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether the options of a question are answers by themselves. */
const picks = ({ form }: SeatQuestion): boolean =>
  form.kind === 'pick' || (form.kind === 'choices' && form.ways.some(([, way]) => way.kind === 'pick'));

/** Options as chips: those under one heading as one chip that opens it, unless it is the only heading. */
function gathered(
  options: [number, OptionView][],
  chosen: number | null,
  head: string | null,
  ways: Map<string, number>,
  open: number | null,
): Chip[] {
  const heads = new Map<string, [number, OptionView][]>();
  for (const one of options) {
    const [name] = split(one[1].label);
    heads.set(name, [...(heads.get(name) ?? []), one]);
  }
  const single = ([at, option]: [number, OptionView], label: string): Chip => ({
    label: capital(label),
    note: label.includes(option.tag || '\n') ? '' : (option.tag ?? ''),
    chosen: chosen === at,
    does: { option: at },
  });
  const within = heads.get(head ?? '') ?? (heads.size === 1 && ways.size === 0 ? [...heads.values()][0] : undefined);
  if (within)
    return [
      ...(heads.has(head ?? '') && heads.size > 1
        ? [{ label: '‹ Back', note: '', chosen: false, does: { head: null } } satisfies Chip]
        : []),
      ...within.map((one) => single(one, split(one[1].label)[1] || one[1].label)),
    ];
  return [...heads].map(([name, list]): Chip => {
    const way = ways.get(name);
    if (way !== undefined) return { label: name, note: '', chosen: open === way, does: { way } };
    if (list.length === 1) return single(list[0]!, list[0]![1].label);
    return {
      label: `${name} …`,
      note: `${list.length}`,
      chosen: list.some(([at]) => at === chosen),
      does: { head: name },
    };
  });
}

/** The options of an item as chips; an option that means nothing of it is told as it is. */
const itemChips = (item: FormItem, chosen: number | null, options: [number, OptionView][], label = ''): Chip[] =>
  options.map(([at, option]) => ({
    label: capital(label ? `${label}: ${option.label}` : option.label),
    note: '',
    chosen: chosen === at,
    does: { item: item.id, option: at },
  }));

/** The choices about a piece or a place, or about several of them together. */
function aboutPieces(
  question: SeatQuestion,
  draft: Draft,
  about: string[],
  head: string | null,
  but: Set<string>,
): Chip[] {
  const [form, inner] = openWay(question.form, draft);
  const chips: Chip[] = [];
  const [piece] = about;
  const open = draft.kind === 'choices' ? draft.way : null;
  if (picks(question)) {
    const named = question.options.flatMap((option, at): [number, OptionView][] =>
      about.every((id) => option.pieces?.includes(id)) &&
      !option.pieces?.some((id) => but.has(id)) &&
      (!goes(option) || about.some(isHex))
        ? [[at, option]]
        : [],
    );
    const ways = new Map<string, number>();
    if (question.form.kind === 'choices' && about.length === 1)
      for (const [at, [name, way]] of question.form.ways.entries()) if (moves(way, piece!)) ways.set(name, at);
    const chosen = inner.kind === 'pick' ? inner.option : null;
    const found = gathered(named, chosen, head, ways, open);
    chips.push(...found);
    // Ways that no option names, such as a path of one's own.
    if (head === null)
      for (const [name, way] of ways)
        if (!found.some(({ does }) => 'way' in does && does.way === way))
          chips.push({ label: name, note: '', chosen: open === way, does: { way } });
  }
  if (form.kind === 'assign' && inner.kind === 'assign')
    for (const item of form.items.filter((one) => ownerOf(one) === piece)) {
      const now = inner.chosen[item.id] ?? null;
      const target = item.options[now ?? -1]?.pieces?.at(-1);
      const own = item.options.every(({ pieces = [] }) => pieces.every((id) => id === piece));
      if (now === null && !own) continue;
      // Once a target is chosen, the other ways to act on it, and not to.
      const same = item.options.flatMap((option, at): [number, OptionView][] =>
        own || option.pieces?.at(-1) === target ? [[at, option]] : [],
      );
      const several = form.items.filter((one) => ownerOf(one) === piece).length > 1;
      chips.push(...itemChips(item, now, same, several ? split(item.label)[0] : ''));
      if (now !== null)
        chips.push({ label: capital(form.none), note: '', chosen: false, does: { item: item.id, option: null } });
    }
  if (form.kind === 'parts' && inner.kind === 'parts')
    for (const item of form.items.filter((one) => one.id === piece))
      chips.push(
        ...itemChips(
          item,
          inner.chosen[item.id] ?? null,
          item.options.map((option, at) => [at, option]),
        ),
      );
  return chips;
}

/** The choices about no piece: the options and plans that name none, and what goes with a marked move. */
function general(question: SeatQuestion, draft: Draft, head: string | null, plans: OptionView[]): Chip[] {
  const [form, inner] = openWay(question.form, draft);
  const chips: Chip[] = [];
  if ((form.kind === 'parts' || form.kind === 'points') && (inner.kind === 'parts' || inner.kind === 'points'))
    for (const item of form.items ?? []) {
      const now = inner.chosen[item.id] ?? null;
      const options = item.options.map((option, at): [number, OptionView] => [at, option]);
      if (options.length <= 1) continue;
      if (options.length <= MANY) chips.push(...itemChips(item, now, options, item.label));
      else if (head === item.label)
        return [{ label: '‹ Back', note: '', chosen: false, does: { head: null } }, ...itemChips(item, now, options)];
      // Many, such as the bearings of an attack, open with a chip of their own.
      else
        chips.push({
          label: `${item.label} …`,
          note: item.options[now ?? -1]?.label ?? `${options.length}`,
          chosen: now !== null,
          does: { head: item.label },
        });
    }
  if (picks(question)) {
    const free = question.options.flatMap((option, at): [number, OptionView][] =>
      option.pieces?.length ? [] : [[at, option]],
    );
    const chosen = inner.kind === 'pick' ? inner.option : null;
    if (free.length <= MOST_CHIPS && head === null)
      chips.push(
        ...free.map(([at, option]): Chip => ({
          label: capital(option.label),
          note: '',
          chosen: chosen === at,
          does: { option: at },
        })),
      );
    else chips.push(...gathered(free, chosen, head, new Map(), null));
    return chips;
  }
  const free = plans.filter((plan) => !plan.pieces?.length);
  const shown = free.length > 0 ? free : plans;
  return [
    ...chips,
    ...shown.slice(0, MOST_CHIPS).map((plan): Chip => ({
      label: plan.label,
      note: '',
      chosen: false,
      does: { plan },
    })),
  ];
}

/** What can be chosen on the board now, besides its pieces and places; nothing about the pieces in `but`. */
export function chipsOf(
  question: SeatQuestion,
  draft: Draft,
  about: string[],
  head: string | null,
  plans: OptionView[],
  but: Set<string> = new Set(),
): Chip[] {
  return about.length > 0 ? aboutPieces(question, draft, about, head, but) : general(question, draft, head, plans);
}
