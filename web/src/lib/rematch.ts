import { api } from './api';
import { href } from './route';
import type { Table } from './table.svelte';

/** Asks for the game that follows, with sides changed; gives the address of one's seat there. */
export async function rematch(table: Table, hotseat: boolean): Promise<string> {
  const made = await api.rematch(table.game, table.token ?? '');
  if (hotseat && made.seats.length > 1) return href(['game', made.game], { hotseat: made.seats.map((seat) => seat.token).join(',') });
  const last = table.seats.length - 1;
  const own = made.seats.find((seat) => seat.seat === last - (table.seat ?? 0)) ?? made.seats[0];
  return href(['game', made.game], { token: own?.token });
}
