import { load, save } from '../lib/settings.svelte';
import type { PuzzleBrief, PuzzleWorth } from '../wire/types';

const BROWSER = 'flagplot.browser';
const ANSWERS = 'flagplot.puzzles';

/** A random name for this browser: its first answer to a puzzle counts, and no other. */
export function browserName(): string {
  const known = load<string>(BROWSER, '');
  if (/^[\w-]{16,64}$/.test(known)) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const name = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  save(BROWSER, name);
  return name;
}

/** The puzzles that this browser has answered, and whether its first answer was right. */
export function answered(): Record<string, boolean> {
  return load<Record<string, boolean>>(ANSWERS, {});
}

/** Keeps the first answer to a puzzle. */
export function keepAnswer(puzzle: string, right: boolean): void {
  const known = answered();
  if (!(puzzle in known)) save(ANSWERS, { ...known, [puzzle]: right });
}

/** How many players have solved a puzzle, in words. */
export function rating({ tried, solved }: Pick<PuzzleBrief, 'tried' | 'solved'>): string {
  if (tried === 0) return 'No player has tried it yet';
  return `Solved by ${Math.round((100 * solved) / tried)}% of ${tried} ${tried === 1 ? 'player' : 'players'}`;
}

/** A share of wins with the half-width of its 95% interval. */
export function percent({ worth, error }: PuzzleWorth): string {
  return `${Math.round(100 * worth)}% (±${Math.max(1, Math.ceil(200 * error - 1e-9))})`;
}

export const LEVELS: Record<PuzzleBrief['difficulty'], string> = { easy: 'Easy', medium: 'Medium', hard: 'Hard' };
