import type { Seat, Verdict } from '../wire/types';

const rolls = (count: number) => `${count} ${count === 1 ? 'roll' : 'rolls'}`;
const seats = (list: Seat[]) => `${list.length === 1 ? 'Seat' : 'Seats'} ${list.map((seat) => seat + 1).join(' and ')}`;

/** What the proof of a record found about its dice, in sentences. */
export function inWords(verdict: Verdict): string[] {
  const lines = [`${verdict.entries} ${verdict.entries === 1 ? 'entry' : 'entries'} replayed.`];
  if (verdict.rolls_imported > 0) lines.push(`${rolls(verdict.rolls_imported)} came with an imported record: nothing proves that they were left to chance.`);
  if (verdict.dice === 'typed') return [...lines, 'The dice were typed in by hand: nothing can prove them.'];
  if (verdict.rolls_proved === 0) return [...lines, 'No roll is proved by a secret fixed beforehand.'];
  if (verdict.dice === 'seeded') return [...lines, `${rolls(verdict.rolls_proved)} follow from the seed; whoever knew the seed knew them.`];
  lines.push(`${rolls(verdict.rolls_proved)} proved to come from the secret fixed beforehand.`);
  lines.push(verdict.seats_added.length > 0 ? `${seats(verdict.seats_added)} added randomness committed to before anything was revealed.` : 'No player committed to randomness of their own: whoever chose the secret knew every roll.');
  if (verdict.seats_waived.length > 0) lines.push(`${seats(verdict.seats_waived)} chose to add none.`);
  return lines;
}
