import type { SeatMeta } from '../wire/types';

const LEVELS = ['recruit', 'officer', 'admiral'];

/** A computer player's name as people say it: `officer` is the Officer, whatever its budget is written like. */
export function playerTitle(id: string): string {
  const word = id.split(':')[0] ?? id;
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Whether it is one of the levels that people choose from. */
export const isLevel = (id: string) => LEVELS.includes(id);

/** Who sits on a chair, beside the name of the faction: a person's name, or the computer's level. */
export function playerName(seat: SeatMeta): string {
  if (seat.kind === 'computer') return `${playerTitle(seat.player ?? '')} (computer)`;
  return seat.name !== seat.faction ? seat.name : '';
}
