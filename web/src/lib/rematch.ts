import type { RematchBody, ScenarioInfo, SystemBrief } from '../wire/types';
import { api } from './api';
import { seatHref } from './seats';

/** A seat that this browser plays. */
export interface OwnSeat {
  game: string;
  token?: string | undefined;
}

/** Starts another game for every seat of this page; returns the address of the new seats. */
export async function rematch(seats: OwnSeat[], wish: RematchBody): Promise<string> {
  const own = [];
  let game = '';
  for (const { game: old, token } of seats) {
    // At one keyboard the second seat joins the game that the first has made.
    const made = await api.rematch(old, token ?? '', wish);
    game = made.game;
    own.push(...made.seats);
  }
  return seatHref(
    game,
    own.sort((a, b) => a.seat - b.seat),
  );
}

/** The scenario that follows another in its system, with as many seats; none after the last. */
export function nextScenario(systems: SystemBrief[], system: string, scenario: string): ScenarioInfo | null {
  const all = systems.find((one) => one.id === system)?.scenarios ?? [];
  const at = all.findIndex((one) => one.id === scenario);
  if (at < 0) return null;
  const fits = (one: ScenarioInfo) => one.group !== 'free play' && one.seats.length === all[at]!.seats.length;
  return all.slice(at + 1).find(fits) ?? all.slice(0, at).find(fits) ?? null;
}
