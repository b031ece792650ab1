import type { Seat, Verdict } from '../wire/types';

const rolls = (count: number) => `${count} ${count === 1 ? 'roll' : 'rolls'}`;
const seats = (list: Seat[]) => `${list.length === 1 ? 'Seat' : 'Seats'} ${list.map((seat) => seat + 1).join(' and ')}`;

/** What the verification of a record found out about its dice, in sentences. */
export function inWords(verdict: Verdict): string[] {
  return [...diceInWords(verdict), ...hintsInWords(verdict)];
}

function hintsInWords({ hints }: Verdict): string[] {
  const asked = [...new Set(hints.map(([seat]) => seat))].sort((a, b) => a - b);
  return asked.map((seat) => {
    const when = hints.filter(([by]) => by === seat).map(([, at]) => at + 1);
    const count = when.length === 1 ? 'a hint' : `${when.length} hints`;
    return `${seats([seat])} asked for ${count}, before entry ${when.join(', ')}.`;
  });
}

function diceInWords(verdict: Verdict): string[] {
  const lines = [`${verdict.entries} ${verdict.entries === 1 ? 'entry' : 'entries'} replayed.`];
  if (verdict.rolls_imported > 0)
    lines.push(
      `${rolls(verdict.rolls_imported)} came with an imported record; nothing proves that chance decided them.`,
    );
  if (verdict.dice === 'typed') return [...lines, 'The dice were typed in by hand, so nothing can prove them.'];
  if (verdict.rolls_proved === 0) return [...lines, 'No roll is proved to come from a secret fixed in advance.'];
  if (verdict.dice === 'seeded')
    return [...lines, `${rolls(verdict.rolls_proved)} follow from the seed; a player who knew the seed knew them.`];
  lines.push(`${rolls(verdict.rolls_proved)} proved to come from the secret fixed in advance.`);
  lines.push(
    verdict.seats_added.length > 0
      ? `${seats(verdict.seats_added)} added random numbers, committed to before any was revealed.`
      : 'No player added random numbers, so the server that chose the secret knew every roll.',
  );
  if (verdict.seats_waived.length > 0) lines.push(`${seats(verdict.seats_waived)} chose not to add any.`);
  return lines;
}
