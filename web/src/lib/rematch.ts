import { api } from './api';
import { seatHref } from './seats';
import type { Table } from './table.svelte';

/** Asks for the game that follows, with sides changed, for every seat at this keyboard; gives the address of one's seats there. */
export async function rematch(tables: Table[]): Promise<string> {
  const own = [];
  let game = '';
  for (const table of tables) {
    const made = await api.rematch(table.game, table.token ?? '');
    game = made.game;
    own.push(...made.seats);
  }
  return seatHref(
    game,
    own.sort((a, b) => a.seat - b.seat),
  );
}
