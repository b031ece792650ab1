import type { GameState, Json, StateChange } from '../wire/types';

/**
 * What changed in a JSON value, as the server writes it (`crates/server/src/delta.rs`): `[value]`; edits of an object's
 * members; the order of an object's members and edits; or a list's script, which begins with a number.
 */
export type Delta = null | Delta[] | number | { [name: string]: Delta };

type Fields = { [name: string]: Json };

class Misfit extends Error {}

/** The value that a change makes of another; the parts that stay are shared. Throws if the change does not fit. */
export function applied(old: Json | undefined, change: Delta): Json {
  if (!Array.isArray(change)) {
    if (typeof change !== 'object' || change === null) throw new Misfit();
    const before = fieldsOf(old);
    const kept = Object.keys(before).filter((name) => change[name] !== null);
    const added = Object.keys(change).filter((name) => !Object.hasOwn(before, name));
    return assembled(before, [...kept, ...added], change);
  }
  if (change.length === 1) return change[0] as Json;
  const [first, second] = change;
  if (Array.isArray(first)) return assembled(fieldsOf(old), first as unknown as string[], second as never);
  if (!Array.isArray(old)) throw new Misfit();
  return relisted(old, change);
}

function fieldsOf(value: Json | undefined): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Misfit();
  return value as Fields;
}

function assembled(before: Fields, order: string[], edits: { [name: string]: Delta }): Json {
  return Object.fromEntries(
    order.map((name) => {
      if (Object.hasOwn(edits, name)) return [name, applied(before[name], edits[name] as Delta)];
      if (!Object.hasOwn(before, name)) throw new Misfit();
      return [name, before[name] as Json];
    }),
  );
}

function relisted(old: Json[], script: Delta[]): Json[] {
  const made: Json[] = [];
  let at = 0;
  for (const part of script) {
    if (typeof part === 'number') {
      const end = at + Math.abs(part);
      if (end > old.length) throw new Misfit();
      if (part > 0) made.push(...old.slice(at, end));
      at = end;
    } else if (Array.isArray(part) && part.length === 1) {
      made.push(part[0] as Json);
    } else {
      if (at >= old.length) throw new Misfit();
      made.push(applied(old[at++], part));
    }
  }
  return [...made, ...old.slice(at)];
}

const START = 0x811c9dc5;
const add = (sum: number, word: number) => Math.imul(sum ^ word, 0x01000193) >>> 0;

/** FNV-1a over the 32-bit words of a text, filled up with zeros, and its length. */
export function digest(text: string): number {
  const bytes = new TextEncoder().encode(text);
  let sum = START;
  // Like the server, this adds a word of zeros to a text that fills its last word.
  for (let at = 0; at <= bytes.length; at += 4) {
    const word =
      (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    sum = add(sum, word);
  }
  return add(sum, bytes.length);
}

type Frame = Pick<GameState, 'meta' | 'situation' | 'notes' | 'draw_offer' | 'rematch'>;

function frameDigest({ meta, situation, ...aside }: Frame): number {
  const { view, scene, ...moment } = situation;
  const parts = [meta, view, scene, moment, aside].map((part) => digest(JSON.stringify(part)));
  return parts.reduce(add, START);
}

/** The state that a change makes of another; null if it does not fit, so that the whole state is needed. */
export function changed(old: GameState, change: StateChange): GameState | null {
  if (change.after !== old.version || change.log_after > old.log.length || change.chat_after > old.chat.length) {
    return null;
  }
  const { meta, situation, notes, draw_offer, rematch } = old;
  const frame = { meta, situation, notes, draw_offer, ...(rematch === undefined ? {} : { rematch }) };
  let next: Frame;
  try {
    next = applied(frame as unknown as Json, change.change as Delta) as unknown as Frame;
  } catch {
    return null;
  }
  if (frameDigest(next) !== change.digest) return null;
  const { version, clock, thinking } = change;
  const log = [...old.log.slice(0, change.log_after), ...change.log];
  const chat = [...old.chat.slice(0, change.chat_after), ...change.chat];
  return { ...old, ...next, version, clock, thinking, log_after: 0, log, chat_after: 0, chat };
}
