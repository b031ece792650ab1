import type { Json } from '../wire/types';

/** The settings of the reader, stored in this browser. */
export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  animate: boolean;
  /** How fast a battle is shown; off shows its end at once. */
  pace: 'off' | 'slow' | 'normal' | 'fast';
  sound: boolean;
  notify: boolean;
  textBoard: boolean;
  name: string;
}

const KEY = 'flagplot.settings';
const standard: Settings = {
  theme: 'auto',
  animate: true,
  pace: 'normal',
  sound: false,
  notify: false,
  textBoard: false,
  name: '',
};

export function load<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Keeps something; false in a browser that keeps nothing, which still plays. */
export function save(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function drop(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    /* What was not kept need not be forgotten. */
  }
}

export const settings = $state<Settings>({ ...standard, ...load<Partial<Settings>>(KEY, {}) });

export function keepSettings(): void {
  save(KEY, settings);
  document.documentElement.dataset.theme = settings.theme;
  document.documentElement.dataset.motion = settings.animate ? 'on' : 'off';
}

/** A game that this browser has opened. */
export interface Recent {
  game: string;
  title: string;
  href: string;
  when: number;
  over: boolean;
  /** Missing in what earlier releases kept. */
  system?: string;
  scenario?: string;
  /** The seats that this browser plays; none for a spectator. */
  seats?: { game: string; token: string }[];
  faction?: string;
  outcome?: string;
}

export function recentGames(): Recent[] {
  return load<Recent[]>('flagplot.recent', []);
}

/** A referee's table is found again where tables are opened, not among the games. */
export const isTable = (recent: Recent): boolean => recent.href.startsWith('#/table/');

export function remember(recent: Recent): void {
  save('flagplot.recent', [recent, ...recentGames().filter((one) => one.href !== recent.href)].slice(0, 40));
}

export function forget(href: string): void {
  save(
    'flagplot.recent',
    recentGames().filter((one) => one.href !== href),
  );
}

/** An object kept on the referee's sheet. */
export interface Kept {
  id: number;
  name: string;
  from: string;
  value: Json;
}

export const sheet = $state<{ kept: Kept[] }>({ kept: load<Kept[]>('flagplot.sheet', []) });

export function keep(name: string, from: string, value: Json): void {
  sheet.kept = [{ id: Math.max(0, ...sheet.kept.map((one) => one.id)) + 1, name, from, value }, ...sheet.kept].slice(
    0,
    60,
  );
  save('flagplot.sheet', sheet.kept);
}

export function discard(id: number): void {
  sheet.kept = sheet.kept.filter((one) => one.id !== id);
  save('flagplot.sheet', sheet.kept);
}
