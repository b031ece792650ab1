import type { SeatMeta } from '../wire/types';

const LEVELS = ['recruit', 'officer', 'admiral'];

/** The name of a computer player, without the budget after its colon. */
export function playerTitle(id: string): string {
  const word = id.split(':')[0] ?? id;
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Whether a player is one of the standard levels. */
export const isLevel = (id: string) => LEVELS.includes(id);

/** Who plays a seat: a person's name unless it is the faction's, or the level of the computer. */
export function playerName(seat: SeatMeta): string {
  if (seat.kind === 'computer') return `${playerTitle(seat.player ?? '')} (computer)`;
  return seat.name !== seat.faction ? seat.name : '';
}
