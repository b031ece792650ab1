import type { LogEntry } from '../wire/types';

/** A ruling in the log: what was done, its proof, and the verdict. */
export interface RulingLine {
  number: number;
  act: string;
  verdict: string;
  proof: LogEntry[];
  pieces: string[];
}

/** The log as rulings and other lines, oldest first; `say` puts names in the place of ids. */
export function rulings(log: LogEntry[], say: (text: string) => string): RulingLine[] {
  const out: RulingLine[] = [];
  for (const entry of log) {
    const last = out.at(-1);
    if (entry.what === 'act') {
      out.push({ number: entry.number, act: entry.text, verdict: '', proof: [], pieces: entry.pieces ?? [] });
    } else if (last && last.verdict === '' && last.act !== '') {
      if (entry.what === 'verdict') last.verdict = entry.text;
      else last.proof.push({ ...entry, text: say(entry.text) });
    } else out.push({ number: entry.number, act: '', verdict: entry.text, proof: [], pieces: entry.pieces ?? [] });
  }
  return out;
}
