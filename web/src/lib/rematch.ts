import { api } from './api';
import { seatHref } from './seats';
import type { Table } from './table.svelte';

/** Starts a rematch with sides swapped for every seat of this page; returns the address of the new seats. */
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
