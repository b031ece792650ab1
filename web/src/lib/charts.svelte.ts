import type { Chart, TableReading } from '../wire/types';
import { api } from './api';

/** The tables of each system, fetched when a proof first needs one. */
const known = $state<Record<string, Chart[]>>({});
const asked = new Set<string>();

/** The table with this id, once it has been fetched. */
export function chartOf(system: string, id: string): Chart | undefined {
  return known[system]?.find((one) => one.id === id);
}

/** Fetches the tables of a system once. */
export function fetchCharts(system: string): void {
  if (asked.has(system) || system === '') return;
  asked.add(system);
  api.tables(system).then(
    (found) => (known[system] = found),
    // Without tables a proof names the row and column; the next proof tries again.
    () => asked.delete(system),
  );
}

const plain = (text: string) => text.toLowerCase().replaceAll('−', '-').replace(/\s+/g, ' ').trim();

/** Finds a label among headings: as written, within a range, or as the only heading that begins with it. */
export function find(headings: string[], label: string): number {
  const wanted = plain(label);
  const exact = headings.findIndex((one) => plain(one) === wanted);
  if (exact >= 0 || wanted === '') return exact;
  const number = Number(wanted);
  if (Number.isFinite(number)) {
    const range = headings.findIndex((one) => {
      const [, from, to] = /^(-?\d+)\s*(?:to|–|-)\s*(-?\d+)$/.exec(plain(one)) ?? [];
      if (from !== undefined && to !== undefined) return number >= Number(from) && number <= Number(to);
      const [, least, beyond] = /^(?:≥\s*)?(-?\d+)\s*(\+|or more|and more|and above)?$/.exec(plain(one)) ?? [];
      const [, most] = /^(?:≤\s*)?(-?\d+)\s*(?:or less|or fewer|and less)$/.exec(plain(one)) ?? [];
      if (least !== undefined && beyond) return number >= Number(least);
      return most !== undefined && number <= Number(most);
    });
    if (range >= 0) return range;
  }
  const begins = headings.flatMap((one, at) =>
    plain(one).startsWith(wanted) || wanted.startsWith(plain(one)) ? [at] : [],
  );
  return begins.length === 1 ? begins[0]! : -1;
}

/** The row and column of a reading; -1 where no heading matches. */
export function reading(chart: Chart, read: TableReading): { row: number; column: number } {
  return {
    row: find(
      chart.rows.map(([name]) => name),
      read.row,
    ),
    column: find(chart.columns, read.column),
  };
}
