import { href } from './route';
import { load, save } from './settings.svelte';

/** The tokens of the seats that this browser plays, stored so that no address contains them. */
interface Kept {
  when: number;
  tokens: Record<string, string>;
}

const KEY = 'flagplot.seats';
/** The most games to remember; the least recently used are dropped first. */
const MOST = 300;

const all = () => load<Record<string, Kept>>(KEY, {});

/** Stores the token of a seat; false if this browser stores nothing. */
export function keepToken(game: string, seat: number, token: string): boolean {
  const games = all();
  if (games[game]?.tokens[seat] === token) return true;
  games[game] = { when: Date.now(), tokens: { ...games[game]?.tokens, [seat]: token } };
  const rest = Object.entries(games).sort(([, a], [, b]) => b.when - a.when);
  return save(KEY, Object.fromEntries(rest.slice(0, MOST)));
}

/** The seats of a game that this browser plays, with their tokens. */
export function seatsHere(game: string): { seat: number; token: string }[] {
  return Object.entries(all()[game]?.tokens ?? {}).map(([seat, token]) => ({ seat: Number(seat), token }));
}

/** The seats that an address names. */
export interface SeatQuery {
  seat?: string | undefined;
  seats?: string | undefined;
  token?: string | undefined;
  hotseat?: string | undefined;
}

/** The part of a query that names seats. */
export const seatQuery = ({ seat, seats, token, hotseat }: SeatQuery): Record<string, string | undefined> => ({
  seat,
  seats,
  token,
  hotseat,
});

/** The tokens for an address: none for a spectator, several where one browser plays both sides. */
export function tokensOf(game: string, query: SeatQuery): string[] {
  if (query.hotseat) return query.hotseat.split(',').filter(Boolean);
  if (query.token) return [query.token];
  const here = seatsHere(game);
  const wanted = (query.seats ?? query.seat)?.split(',').map(Number);
  if (wanted) return wanted.flatMap((seat) => here.find((one) => one.seat === seat)?.token ?? []);
  return here.length === 1 ? [here[0]!.token] : [];
}

/** The address of the player's seats; it contains tokens only if this browser cannot store them. */
export function seatHref(game: string, seats: { seat: number; token?: string | undefined }[]): string {
  const own = seats.filter((one): one is { seat: number; token: string } => one.token !== undefined);
  const kept = own.map(({ seat, token }) => keepToken(game, seat, token)).every(Boolean);
  const several = own.length > 1;
  const list = own.map((one) => (kept ? one.seat : one.token)).join(',');
  return href(['game', game], { [kept ? (several ? 'seats' : 'seat') : several ? 'hotseat' : 'token']: list });
}
