import type { LogEntry } from '../wire/types';

/** A line of the log with the details that prove it. */
export interface Headline {
  entry: LogEntry;
  details: LogEntry[];
}

/** Groups details under the headline before them; leading details become headlines. */
export function headlines(log: LogEntry[]): Headline[] {
  const out: Headline[] = [];
  for (const entry of log) {
    const last = out.at(-1);
    if (entry.detail && last) last.details.push(entry);
    else out.push({ entry, details: [] });
  }
  return out;
}

/** All dice of a headline, its own first. */
export function diceOf(line: Headline): number[] {
  const own = line.entry.dice ?? [];
  return own.length > 0 ? own : line.details.flatMap((detail) => detail.dice ?? []);
}

/** Whether a line has a proof to open. */
export function hasProof({ entry, details }: Headline): boolean {
  return details.length > 0 || Boolean(entry.table || entry.rules?.length || entry.modifiers?.length);
}
