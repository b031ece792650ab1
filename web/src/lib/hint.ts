import { same } from './answer';
import type { Alternative, Hint } from '../wire/types';

/** A chance with its 95% interval: "68% (±3)". */
export function chance(estimate: number, error: number): string {
  const around = Math.max(1, Math.round(200 * error));
  return `${Math.round(100 * estimate)}% (±${around})`;
}

const percent = (share: number) => `${Math.round(100 * share)}%`;
const short = (label: string) => (label.length > 60 ? '' : ` (${label})`);

/** Whether an alternative is as good as the answer given, as far as can be told: within two standard errors. */
export const close = (best: Alternative, other: Alternative) =>
  best.estimate - other.estimate < 2 * Math.max(other.gap_error, 0.005);

/** The alternatives as they are shown: the answer given first, then by their worth, or by their part in a mix. */
export function ranked(hint: Hint): Alternative[] {
  const given = (one: Alternative) => (same(one.value, hint.value) ? 1 : 0);
  if (isMix(hint))
    return [...hint.alternatives].sort((a, b) => (b.share ?? 0) - (a.share ?? 0) || given(b) - given(a));
  return [...hint.alternatives].sort((a, b) => given(b) - given(a) || b.estimate - a.estimate);
}

export const isMix = (hint: Hint) => hint.alternatives.some((one) => (one.share ?? 1) < 0.995 && (one.share ?? 0) > 0);

/** Why the hint says what it says, in a sentence. */
export function why(hint: Hint): string {
  const list = ranked(hint);
  const best = list.find((one) => same(one.value, hint.value));
  if (!best) return '';
  if (isMix(hint)) {
    const mix = list.filter((one) => (one.share ?? 0) >= 0.005).map((one) => `${percent(one.share ?? 0)} ${one.label}`);
    return `Predictable play loses here, so the advice is drawn at random: ${mix.join(', ')}.`;
  }
  const rival = list.find((one) => one !== best);
  if (!rival) return 'There is nothing else to compare it with.';
  if (close(best, rival)) return `Too close to call: the next best${short(rival.label)} is about as good.`;
  const ahead = Math.round(100 * (best.estimate - rival.estimate));
  return `${ahead} ${ahead === 1 ? 'point' : 'points'} better than the next best${short(rival.label)}.`;
}
