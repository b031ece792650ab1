import type { Chart, TableReading } from '../wire/types';
import { api } from './api';

/** The tables of each system, fetched once when a proof first wants one. */
const known = $state<Record<string, Chart[]>>({});
const asked = new Set<string>();

/** The table a proof names, once it is there. */
export function chartOf(system: string, id: string): Chart | undefined {
  return known[system]?.find((one) => one.id === id);
}

/** Fetches a system's tables, unless that has been done. */
export function wantCharts(system: string): void {
  if (asked.has(system) || system === '') return;
  asked.add(system);
  api.tables(system).then(
    (found) => (known[system] = found),
    // Without its tables a proof says in words what was read; it is tried again with the next one.
    () => asked.delete(system),
  );
}

const plain = (text: string) => text.toLowerCase().replaceAll('−', '-').replace(/\s+/g, ' ').trim();

/** Where a label stands in a list of headings: as it is written, else the one heading that begins with it or holds it as a range. */
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
  const begins = headings.flatMap((one, at) => (plain(one).startsWith(wanted) || wanted.startsWith(plain(one)) ? [at] : []));
  return begins.length === 1 ? begins[0]! : -1;
}

/** The row and column of a table that were read; -1 for one that is not found by its heading. */
export function reading(chart: Chart, read: TableReading): { row: number; column: number } {
  return { row: find(chart.rows.map(([name]) => name), read.row), column: find(chart.columns, read.column) };
}
