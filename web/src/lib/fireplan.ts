import type { FormItem, OptionView, SeatQuestion } from '../wire/types';
import { draftOf, goes, ownerOf } from './answer';

/** What an item can do to one target: the numbers of its options, and what they say. */
export interface Cell {
  options: number[];
  label: string;
}
export interface Row {
  item: FormItem;
  cells: (Cell | null)[];
}
/** Items that belong to pieces and are aimed at others, as a table of items by targets. */
export interface FirePlan {
  targets: { id: string; name: string }[];
  rows: Row[];
  /** The items that are not part of the table. */
  rest: FormItem[];
}

/** More targets than this do not fit beside each other. */
const WIDEST = 7;

/** `Graf Spee, directed: 45%, 6.2 points` as the target, the way, and the outcome. */
export function toldApart(label: string): { target: string; way: string; outcome: string } {
  const [about = '', ...outcome] = label.split(': ');
  const [target = '', ...way] = about.split(', ');
  return { target, way: way.join(', '), outcome: outcome.join(': ') };
}

export function firePlan(items: FormItem[]): FirePlan | null {
  // Only shots have a chance to show in a table.
  const aimed = items.filter((item) => ownerOf(item) !== item.id && item.options.every(({ label }) => /%/.test(label)));
  const targets = new Map<string, string>();
  for (const item of aimed)
    for (const { pieces = [], label } of item.options)
      if (!targets.has(pieces.at(-1)!)) targets.set(pieces.at(-1)!, toldApart(label).target);
  if (aimed.length === 0 || targets.size > WIDEST) return null;
  const list = [...targets].map(([id, name]) => ({ id, name }));
  const rows = aimed.map((item): Row => {
    const cells = list.map(({ id }): Cell | null => {
      const options = item.options.flatMap((option, at) => (option.pieces?.at(-1) === id ? [at] : []));
      return options.length > 0 ? { options, label: item.options[options[0]!]!.label } : null;
    });
    return { item, cells };
  });
  return { targets: list, rows, rest: items.filter((item) => !aimed.includes(item)) };
}

/**
 * The ready-made answers of a question with a fire plan: whole plans, and what the plan itself cannot say. Single shots
 * stand in the table. Null for any other question.
 */
export function readyPlans({ prompt, form, options }: SeatQuestion): OptionView[] | null {
  if (form.kind !== 'choices') return null;
  const plans = (items: FormItem[]) => prompt.code === 'actions' || firePlan(items) !== null;
  const table = form.ways.findIndex(([, way]) => way.kind === 'assign' && plans(way.items));
  if (table < 0) return null;
  return options.filter((option) => {
    const draft = draftOf(form, options, option.value);
    if (draft?.kind !== 'choices') return false;
    return draft.way !== table || (Array.isArray(option.value) && option.value.length > 1);
  });
}

/** The whole answers that are offered for a question whose answer is put together. */
export function plansOf(question: SeatQuestion): OptionView[] {
  const { form, options } = question;
  const listed = form.kind === 'pick' || (form.kind === 'choices' && form.ways.some(([, way]) => way.kind === 'pick'));
  const takes = (option: OptionView) => !goes(option) && draftOf(form, options, option.value) !== null;
  return readyPlans(question) ?? (listed ? [] : options.filter(takes));
}

/** The option after a click on a cell: its first, then the others, then none. */
export function clicked(cell: Cell, now: number | null | undefined): number | null {
  const at = cell.options.indexOf(now ?? -1);
  return cell.options[at + 1] ?? (at < 0 ? cell.options[0]! : null);
}
