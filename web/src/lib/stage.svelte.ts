import type { GameState, LogEntry, Scene } from '../wire/types';
import { api, refusalOf } from './api';
import { playEffect } from './sound';
import { settings } from './settings.svelte';
import { frames, movement, report, stops, strongest, type Frame, type Report } from './stage';
import { freshEntries } from './table.svelte';

/** How long a beat is shown, in milliseconds. */
export const PACES = { slow: 2000, normal: 1000, fast: 500 } as const;

/** Whether the reader wants to see things move. */
export function wantsMotion(): boolean {
  return settings.animate && settings.pace !== 'off' && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Shows what happened beat by beat; anything the player does ends it. */
export class Stage {
  /** The frames still to be shown, the present one first. */
  private queue = $state.raw<Frame[]>([]);
  /** How many frames of this showing have been shown. */
  private done = $state(0);
  /** The frames of the present battle. */
  private battle = $state.raw<Frame[]>([]);
  /** The steps of the game before and after that battle. */
  span = $state.raw<[number, number] | null>(null);
  /** Whether the report is open. */
  reading = $state(false);
  /** Whether an earlier part of the game is being fetched and shown. */
  playing = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private quiet = true;
  private showing = 0;

  get frame(): Frame | null {
    return this.queue[0] ?? null;
  }

  get scene(): Scene | null {
    return this.frame?.scene ?? null;
  }

  /** Which beat is shown, and of how many. */
  get count(): [number, number] {
    return [this.done + 1, this.done + this.queue.length];
  }

  readonly report = $derived<Report | null>(report(this.battle));

  /** Hears of a change of the game. */
  hear(old: GameState, now: GameState, entries: LogEntry[]): void {
    if (this.playing) return;
    const change = { before: old.situation.scene, after: now.situation.scene, entries };
    const list = frames(change);
    if (list.length === 0) {
      this.quiet = true;
      return;
    }
    const begins = this.quiet || this.span === null;
    this.battle = begins ? list : [...this.battle, ...list];
    this.span = [begins ? old.situation.at : this.span![0], now.situation.at];
    this.quiet = false;
    if (wantsMotion() && !document.hidden) this.show(list);
  }

  /** Adds frames to those being shown. */
  private show(list: Frame[]): void {
    const idle = this.queue.length === 0;
    if (idle) this.done = 0;
    this.queue = [...this.queue, ...list];
    if (idle) this.begin();
  }

  private begin(): void {
    const frame = this.frame;
    if (!frame) return;
    if (settings.sound) playEffect(strongest(frame.beat), frame.beat.from.length > 0);
    const pace = settings.pace === 'off' ? 'fast' : settings.pace;
    this.timer = setTimeout(() => this.next(), PACES[pace]);
  }

  private next(): void {
    this.done += 1;
    this.queue = this.queue.slice(1);
    this.begin();
  }

  /** Ends the showing at once. */
  skip(): void {
    this.showing += 1;
    clearTimeout(this.timer);
    this.queue = [];
    this.done = 0;
    this.playing = false;
  }

  /** Plays the game again between two of its steps, as a viewer knew it; says why if it cannot. */
  async playback(game: string, token: string | undefined, eyes: string, from: number, to: number): Promise<string> {
    this.skip();
    const showing = this.showing;
    this.playing = true;
    try {
      let before = await api.replay(game, from, eyes, token);
      const end = await api.replay(game, to, eyes, token);
      const shown: Frame[] = [];
      for (const at of stops(from, to, freshEntries(before.log, end.log))) {
        const after = at === to ? end : await api.replay(game, at, eyes, token);
        if (showing !== this.showing) return '';
        const change = {
          before: before.situation.scene,
          after: after.situation.scene,
          entries: freshEntries(before.log, after.log),
        };
        const acts = frames(change);
        shown.push(...acts);
        if (wantsMotion()) this.show(acts.length > 0 ? acts : movement(change));
        before = after;
      }
      if (shown.length > 0) [this.battle, this.span] = [shown, [from, to]];
      return '';
    } catch (error) {
      return refusalOf(error).message;
    } finally {
      if (showing === this.showing) this.playing = false;
    }
  }
}
