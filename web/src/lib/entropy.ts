import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { EntropyBody, Seat, SeatMeta } from '../wire/types';
import { drop, load, save } from './settings.svelte';

/** Where the random bits of a seat are kept until they are revealed. */
const key = (game: string, seat: Seat) => `flagplot.dice.${game}.${seat}`;

/** The SHA-256 of bits that are written as hexadecimal digits. A page on a plain http address has no such function of its own. */
export const hashOf = (bits: string) => bytesToHex(sha256(hexToBytes(bits)));

const fresh = () => bytesToHex(crypto.getRandomValues(new Uint8Array(32)));

/** What a seat does next about fair dice: commits to bits of its own, or reveals them when all have committed. */
export function nextStep(game: string, seats: SeatMeta[], own: Seat): { body: EntropyBody; bits: string } | 'lost' | null {
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

/** Keeps the bits that were committed to. */
export const keepBits = (game: string, seat: Seat, bits: string) => save(key(game, seat), bits);
/** Forgets bits that have been revealed. */
export const dropBits = (game: string, seat: Seat) => drop(key(game, seat));

/** The players' part in fair dice, in a sentence. */
export function diceLine(seats: SeatMeta[], own: Seat | null): string {
  const people = seats.filter((one) => one.kind === 'human' && one.entropy !== 'none');
  const names = (list: SeatMeta[]) => list.map((one) => (one.seat === own ? 'you' : one.faction)).join(' and ');
  const of = (...states: SeatMeta['entropy'][]) => people.filter((one) => states.includes(one.entropy));
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  const [waiting, waived, added] = [of('awaited', 'committed'), of('waived'), of('added')];
  if (people.length === 0) return '';
  if (waiting.length > 0) return `The dice wait for ${names(waiting)} to add randomness; that happens by itself when the game is open.`;
  if (waived.length === 0) return people.length === 2 ? 'Both players added randomness.' : `${capital(names(people))} added randomness.`;
  return [added.length ? `${capital(names(added))} added randomness.` : '', `${capital(names(waived))} added none.`].filter(Boolean).join(' ');
}
