import { load, save } from './settings.svelte';

const KEY = 'flagplot.seen';
/** The most seats to remember; the least recently used are dropped first. */
const MOST = 100;

/** How far a seat of this browser has followed its game, so that it can be shown what happened since. */
export class Seen {
  private readonly key: string;
  /** The step after which the player has been away or has waited. */
  private from: number | null;
  private answered = 0;

  constructor(game: string, seat: number | null) {
    this.key = `${game} ${seat ?? 'spectator'}`;
    this.from = load<Record<string, number>>(KEY, {})[this.key] ?? null;
  }

  /** The steps since the player last looked, or since the player's last answer; none if there are none. */
  missed(at: number, answered: number): [number, number] | null {
    if (answered !== this.answered) [this.from, this.answered] = [at, answered];
    return this.from !== null && at > this.from ? [this.from, at] : null;
  }

  /** The player sees the game at this step. */
  note(at: number, answered: number): void {
    if (this.from === null || answered !== this.answered) [this.from, this.answered] = [at, answered];
    const all = load<Record<string, number>>(KEY, {});
    delete all[this.key];
    save(KEY, Object.fromEntries([[this.key, at] as const, ...Object.entries(all)].slice(0, MOST)));
  }
}
