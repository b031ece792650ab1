import type { FieldOdds, Json } from '../wire/types';
import { mean, share } from './fraction';
import { neighbours, type IntPath } from './shape';

/** What is measured while numbers change: the mean of a field, or the chance of one of its values. */
export interface Measure {
  field: string;
  /** The value whose chance is measured; without it, the mean. */
  value?: string;
}

/** One number of the input with the odds at −1 and +1; null where the rules forbid it. */
export interface Nudge {
  at: IntPath;
  less: FieldOdds | null;
  more: FieldOdds | null;
}

/** One number of the input with the change of the measure at −1 and +1. */
export interface Swing {
  at: IntPath;
  less: number | null;
  more: number | null;
}

/** The possible measures: means of number fields, chances of other values. Certain fields have none. */
export function measures(odds: FieldOdds): Measure[] {
  return Object.entries(odds).flatMap(([field, chances]): Measure[] => {
    const values = Object.keys(chances);
    if (values.length < 2) return [];
    if (mean(chances) !== null) return [{ field }];
    const shown = values.length === 2 && values.includes('true') ? ['true'] : values.slice(0, 8);
    return shown.map((value) => ({ field, value }));
  });
}

/** The value of a measure; null if its field is missing or has no mean. */
export function measured(odds: FieldOdds | null, { field, value }: Measure): number | null {
  const chances = odds?.[field];
  if (!chances) return null;
  return value === undefined ? mean(chances) : share(chances[value] ?? '0/1');
}

/** Calculates the odds with every number at −1 and +1, a few at a time. */
export async function nudges(
  input: Json,
  paths: IntPath[],
  count: (input: Json) => Promise<FieldOdds | null>,
  told: (done: number, of: number) => void,
): Promise<Nudge[]> {
  const out: Nudge[] = paths.map((at) => ({ at, less: null, more: null }));
  const jobs = out.flatMap((nudge) =>
    neighbours(input, nudge.at)
      .filter((one) => one.step !== 0)
      .map((one) => ({ nudge, ...one })),
  );
  let next = 0;
  let done = 0;
  const work = async () => {
    for (let job = jobs[next++]; job; job = jobs[next++]) {
      job.nudge[job.step < 0 ? 'less' : 'more'] = await count(job.value);
      told(++done, jobs.length);
    }
  };
  await Promise.all([work(), work(), work()]);
  return out;
}

/** The changes of a measure, largest first. */
export function swings(base: FieldOdds, list: Nudge[], measure: Measure): Swing[] {
  const now = measured(base, measure) ?? 0;
  const change = (odds: FieldOdds | null) => {
    const then = measured(odds, measure);
    return then === null ? null : then - now;
  };
  const size = (one: Swing) => Math.max(Math.abs(one.less ?? 0), Math.abs(one.more ?? 0));
  return list
    .map(({ at, less, more }) => ({ at, less: change(less), more: change(more) }))
    .sort((a, b) => size(b) - size(a));
}
