import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { EntropyBody, Seat, SeatMeta } from '../wire/types';
import { drop, load, save } from './settings.svelte';

/** The storage key of a seat's random bits, until they are revealed. */
const key = (game: string, seat: Seat) => `flagplot.dice.${game}.${seat}`;

/** The SHA-256 of hexadecimal bits; browsers offer their own only on secure addresses. */
export const hashOf = (bits: string) => bytesToHex(sha256(hexToBytes(bits)));

const fresh = () => bytesToHex(crypto.getRandomValues(new Uint8Array(32)));

/** The next step of a seat in fair dice: it commits to bits, or reveals them when all have committed. */
export function nextStep(
  game: string,
  seats: SeatMeta[],
  own: Seat,
): { body: EntropyBody; bits: string } | 'lost' | null {
  const entropy = seats.find((one) => one.seat === own)?.entropy;
  const bits = load<string | null>(key(game, own), null);
  if (entropy === 'awaited') {
    const mine = bits ?? fresh();
    keepBits(game, own, mine);
    return { body: { commit: hashOf(mine) }, bits: mine };
  }
  if (entropy !== 'committed' || seats.some((one) => one.entropy === 'awaited')) return null;
  return bits === null ? 'lost' : { body: { reveal: bits }, bits };
}

/** Stores committed bits. */
export const keepBits = (game: string, seat: Seat, bits: string) => save(key(game, seat), bits);
/** Removes revealed bits. */
export const dropBits = (game: string, seat: Seat) => drop(key(game, seat));

/** The players' part in fair dice, in a sentence. */
export function diceLine(seats: SeatMeta[], own: Seat | null): string {
  const people = seats.filter((one) => one.kind === 'human' && one.entropy !== 'none');
  const names = (list: SeatMeta[]) => list.map((one) => (one.seat === own ? 'you' : one.faction)).join(' and ');
  const of = (...states: SeatMeta['entropy'][]) => people.filter((one) => states.includes(one.entropy));
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  const [waiting, waived, added] = [of('awaited', 'committed'), of('waived'), of('added')];
  if (people.length === 0) return '';
  if (waiting.length > 0)
    return (
      `The dice wait for ${names(waiting)} to add random numbers. ` +
      'That happens automatically when they open the game.'
    );
  if (waived.length === 0)
    return people.length === 2
      ? 'Both players added random numbers.'
      : `${capital(names(people))} added random numbers.`;
  return [added.length ? `${capital(names(added))} added random numbers.` : '', `${capital(names(waived))} added none.`]
    .filter(Boolean)
    .join(' ');
}
