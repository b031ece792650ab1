import type { ProcedureBrief } from '../wire/types';

/** The group of procedures that no act at a table uses. */
const OTHERS = 'Other';

/** The procedures that have all words of a search, in the groups of the acts that they rule on. */
export function grouped(procedures: ProcedureBrief[], search: string): [string, ProcedureBrief[]][] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, ProcedureBrief[]>();
  for (const one of procedures) {
    const group = one.group || OTHERS;
    const text = [one.name.replaceAll('-', ' '), one.help, group, ...one.acts].join(' ').toLowerCase();
    if (words.every((word) => text.includes(word))) groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  return [...groups];
}
