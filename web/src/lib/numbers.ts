import type { Form, FormSum } from '../wire/types';

export type NumbersForm = Extract<Form, { kind: 'numbers' }>;
export type Numbers = Record<string, number>;

const sumOf = (numbers: Numbers, ids: string[]) => ids.reduce((sum, id) => sum + (numbers[id] || 0), 0);

/** What the items of a sum add up to. */
export const summed = (numbers: Numbers, { items }: FormSum): number => sumOf(numbers, items);

/** What is wrong with the sums of some numbers, in words. */
export function wrongSum(form: NumbersForm, numbers: Numbers): string | null {
  const all = sumOf(
    numbers,
    form.items.map((item) => item.id),
  );
  if (form.total !== null && all !== form.total)
    return `The numbers add up to ${all} instead of ${form.total}.`;
  for (const one of form.sums ?? []) {
    const sum = summed(numbers, one);
    if (sum >= one.min && sum <= one.max) continue;
    if (one.min === one.max) return `${one.label}: ${sum}, must be ${one.max}.`;
    return sum > one.max ? `${one.label}: ${sum}, at most ${one.max}.` : `${one.label}: ${sum}, at least ${one.min}.`;
  }
  return null;
}

/** How much an item can be raised before it meets its own limit or that of a sum. */
export function roomFor(form: NumbersForm, numbers: Numbers, id: string): number {
  const at = form.items.findIndex((item) => item.id === id);
  const sums = (form.sums ?? []).filter((one) => one.items.includes(id));
  return Math.min(
    (form.limits[at]?.[1] ?? 0) - (numbers[id] || 0),
    ...sums.map((one) => one.max - summed(numbers, one)),
  );
}

/** A limit in words: `3 of 5`, or `3, at least 2`. */
export function limitWords(numbers: Numbers, one: FormSum): string {
  const sum = summed(numbers, one);
  return one.min > 0 && one.min < one.max ? `${sum}, ${one.min} to ${one.max}` : `${sum} of ${one.max}`;
}

/** The items of a form as a table, with the sums that belong to whole rows and columns; null if they make none. */
export interface NumbersTable {
  columns: { name: string; sum: FormSum | undefined }[];
  rows: { name: string; sum: FormSum | undefined; cells: (number | null)[] }[];
  /** Sums of neither a row nor a column. */
  others: FormSum[];
}

export function tableOf(form: NumbersForm): NumbersTable | null {
  const cells = form.cells ?? [];
  if (cells.length === 0 || cells.length !== form.items.length) return null;
  const names = (which: 0 | 1) => [...new Set(cells.map((cell) => cell[which]))];
  const idsOf = (which: 0 | 1, name: string) =>
    form.items.flatMap((item, at) => (cells[at]![which] === name ? [item.id] : []));
  const sumFor = (ids: string[]) =>
    (form.sums ?? []).find((one) => one.items.length === ids.length && ids.every((id) => one.items.includes(id)));
  const columns = names(1).map((name) => ({ name, sum: sumFor(idsOf(1, name)) }));
  const rows = names(0).map((name) => ({
    name,
    sum: sumFor(idsOf(0, name)),
    cells: columns.map((column) => {
      const at = cells.findIndex((cell) => cell[0] === name && cell[1] === column.name);
      return at < 0 ? null : at;
    }),
  }));
  const used = new Set([...columns, ...rows].map(({ sum }) => sum));
  return { columns, rows, others: (form.sums ?? []).filter((one) => !used.has(one)) };
}
