import type {
  ChatLine,
  Done,
  GameState,
  Hint,
  Insight,
  Json,
  LogEntry,
  Preview,
  Refusal,
  Seat,
  SeatMeta,
  StateChange,
  Thinking,
} from '../wire/types';
import { ApiError, api, freshId, refusalOf, type Reply } from './api';
import { changed } from './delta';
import { dropBits, keepBits, nextStep } from './entropy';
import { measureAs } from './geometry';

/** The state of the connection to the server. */
export type Line = 'connecting' | 'open' | 'cut';

/** The log after a state that holds every entry numbered above `after`: what was above it is replaced. */
export function mergeLog(old: LogEntry[], after: number, news: LogEntry[]): LogEntry[] {
  return [...old.filter((entry) => entry.number <= after), ...news];
}

/** The new entries. Their numbers do not count, because they change when the end of the game opens every line. */
export function freshEntries(old: LogEntry[], now: LogEntry[]): LogEntry[] {
  const known = new Map<string, number>();
  for (const { text } of old) known.set(text, (known.get(text) ?? 0) + 1);
  return now.filter(({ text }) => {
    const left = known.get(text) ?? 0;
    known.set(text, left - 1);
    return left <= 0;
  });
}

/** The new lines about what happened since, without those about the past that the end of the game opened. */
export function sinceThen(old: LogEntry[], fresh: LogEntry[]): LogEntry[] {
  const last = Math.max(0, ...old.map((entry) => entry.at));
  return fresh.filter((entry) => entry.at >= last);
}

/** How long the stream may take to bring what the server has acknowledged, in milliseconds. */
const STREAM_LATE = 3000;

/** A seat or spectator of a game: its state, kept up to date by the server, and its actions. */
export class Table {
  state = $state.raw<GameState | null>(null);
  line = $state<Line>('connecting');
  refusal = $state.raw<Refusal | null>(null);
  busy = $state(false);
  /** Counts this page's answers, to tell two questions with the same text apart. */
  answered = $state(0);
  /** Entries that arrived with the last change, for announcing and animating. */
  news = $state.raw<LogEntry[]>([]);
  /** Is told of every change that brought new lines of the log. */
  heard: ((old: GameState, now: GameState, fresh: LogEntry[]) => void) | null = null;
  private source: EventSource | null = null;
  /** The state as the stream has told it, which its next change applies to. */
  private told: GameState | null = null;
  /** Those who wait for a version of the state. */
  private waiting: { version: number; go: () => void }[] = [];
  private retry: ReturnType<typeof setTimeout> | undefined;
  private sending: number | null = null;
  private attempts = 0;
  private pending: { at: number; value: string; id: string } | null = null;
  /** Whether this browser lacks the random bits that its seat committed to. */
  lostBits = $state(false);
  private joining = false;

  constructor(
    readonly game: string,
    readonly token: string | undefined,
  ) {}

  get seat(): Seat | null {
    const you = this.state?.you;
    return typeof you === 'object' ? you.seat : null;
  }

  get seats(): SeatMeta[] {
    return this.state?.meta.seats ?? [];
  }

  open(): void {
    this.close();
    const query = new URLSearchParams({ changes: 'true', ...(this.token ? { token: this.token } : {}) });
    const source = new EventSource(`/api/games/${encodeURIComponent(this.game)}/events?${query}`);
    this.source = source;
    window.addEventListener('offline', this.offline);
    window.addEventListener('online', this.online);
    source.addEventListener('open', () => (this.line = 'open'));
    source.addEventListener('error', () => {
      this.line = this.state ? 'cut' : 'connecting';
      // The browser reconnects by itself, unless the server refused; then the reason is fetched.
      if (source.readyState === EventSource.CLOSED) {
        clearTimeout(this.retry);
        this.retry = setTimeout(() => void this.reopen(), 1500);
      }
    });
    const hear = <T>(name: string, heard: (data: T) => void) =>
      source.addEventListener(name, (event) => {
        // What a connection that was closed has still brought is out of date.
        if (this.source === source) heard(JSON.parse((event as MessageEvent<string>).data) as T);
      });
    hear<GameState>('state', (state) => this.hear(state));
    hear<StateChange>('change', (change) => {
      const next = this.told && changed(this.told, change);
      // The stream begins again, with the whole state.
      if (next) this.hear(next);
      else this.open();
    });
    hear<ChatLine>('chat', (line) => this.amend((state) => ({ ...state, chat: [...state.chat, line] })));
    hear<Thinking>('thinking', ({ seats }) => this.amend((state) => ({ ...state, thinking: seats })));
  }

  private hear(state: GameState): void {
    this.line = 'open';
    this.told = state;
    this.take(state);
  }

  /** Changes something that no version counts. */
  private amend(change: (state: GameState) => GameState): void {
    if (this.told) this.told = change(this.told);
    if (this.state) this.state = change(this.state);
  }

  private async reopen(): Promise<void> {
    try {
      this.take(await api.state(this.game, this.token));
      this.open();
    } catch (error) {
      this.refusal = refusalOf(error);
      if (!(error instanceof ApiError)) this.retry = setTimeout(() => void this.reopen(), 3000);
    }
  }

  close(): void {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
    this.told = null;
    window.removeEventListener('offline', this.offline);
    window.removeEventListener('online', this.online);
  }

  // The browser may notice a lost or restored connection before the stream does.
  private readonly offline = () => (this.line = this.state ? 'cut' : 'connecting');
  private readonly online = () => this.open();

  /** Takes a state from the server, unless a newer one is there already. */
  protected take(next: GameState): void {
    const old = this.state;
    if (old && next.version < old.version) return;
    if (!old && (next.log_after > 0 || next.chat_after > 0)) return void this.reopen();
    if (this.sending !== null && next.situation.at > this.sending) {
      this.sending = null;
      this.answered += 1;
      // The answer has arrived, so the next one need not wait for the reply.
      this.busy = false;
    }
    const log = mergeLog(old?.log ?? [], next.log_after, next.log);
    // The same state may arrive twice, by the reply and by the stream, so the last news stay until there are new ones.
    const fresh = old ? freshEntries(old.log, log) : [];
    if (fresh.length > 0) this.news = fresh;
    // The lines of chat before these have been sent already.
    const chat = [...(old?.chat ?? []).slice(0, next.chat_after), ...next.chat];
    measureAs(next.situation.scene);
    const now = { ...next, log, chat };
    this.state = now;
    if (old && fresh.length > 0) this.heard?.(old, now, sinceThen(old.log, fresh));
    const there = this.waiting.filter(({ version }) => version <= now.version);
    this.waiting = this.waiting.filter(({ version }) => version > now.version);
    for (const { go } of there) go();
    void this.joinDice();
  }

  /** A stream that is open brings every state, so that replies need not. */
  private get reply(): Reply {
    return this.told && this.line === 'open' ? 'minimal' : 'state';
  }

  /** Takes the reply to a change: a state, or how far the game has come, which the stream is about to bring. */
  private async settle(reply: GameState | Done): Promise<void> {
    if ('situation' in reply) return this.take(reply);
    const { version } = reply;
    if (this.state && this.state.version >= version) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = await new Promise<boolean>((resolve) => {
      this.waiting.push({ version, go: () => resolve(false) });
      timer = setTimeout(() => resolve(true), STREAM_LATE);
    });
    clearTimeout(timer);
    if (late) this.take(await api.state(this.game, this.token));
  }

  /** Adds random numbers to fair dice automatically; a failure is tried again with the next state. */
  private async joinDice(): Promise<void> {
    const seat = this.seat;
    if (seat === null || this.joining || !this.state || this.state.situation.outcome) return;
    const step = nextStep(this.game, this.seats, seat);
    this.lostBits = step === 'lost';
    if (step === null || step === 'lost') return;
    this.joining = true;
    try {
      const reply = await api.entropy(this.game, this.token ?? '', step.body, this.reply);
      // Another page of the same seat may have stored other bits; these are the ones that count.
      if ('commit' in step.body) keepBits(this.game, seat, step.bits);
      else dropBits(this.game, seat);
      await this.settle(reply);
      this.joining = false;
      // The stream may have brought a newer state meanwhile, in which it is this seat's turn to reveal.
      void this.joinDice();
    } catch (error) {
      if (refusalOf(error).code === 'wrong-reveal') this.lostBits = true;
    } finally {
      this.joining = false;
    }
  }

  /** Continues without random numbers from this seat; the record says so. */
  waive(): Promise<boolean> {
    return this.change((reply) => api.entropy(this.game, this.token ?? '', { waive: true }, reply));
  }

  /** Does something that no answer waits for. */
  private async aside(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.refusal = refusalOf(error);
      return false;
    }
  }

  /** Does something on the server and keeps a refusal to show. */
  private async attempt<T>(act: () => Promise<T>): Promise<T | null> {
    if (this.busy) return null;
    this.busy = true;
    this.refusal = null;
    const attempt = ++this.attempts;
    try {
      return await act();
    } catch (error) {
      if (error instanceof ApiError && error.state) this.take(error.state);
      if (attempt === this.attempts) this.refusal = refusalOf(error);
      return null;
    } finally {
      if (attempt === this.attempts) this.busy = false;
    }
  }

  private async change(act: (reply: Reply) => Promise<GameState | Done>): Promise<boolean> {
    const done = await this.attempt(async () => {
      await this.settle(await act(this.reply));
      return true;
    });
    return done ?? false;
  }

  /** Answers the open question. The same answer sent again after a lost connection has the same id. */
  answer(value: Json): Promise<boolean> {
    const at = this.state?.situation.at ?? 0;
    const text = JSON.stringify(value);
    if (this.pending?.at !== at || this.pending.value !== text) this.pending = { at, value: text, id: freshId() };
    const id = this.pending.id;
    // The next state may come by the stream before the reply; the first one ends this question.
    this.sending = at;
    return this.change((reply) => api.answer(this.game, this.token ?? '', { id, at, value }, reply)).finally(() => {
      if (this.sending === at) this.sending = null;
    });
  }

  dice(faces: number[]): Promise<boolean> {
    const at = this.state?.situation.at ?? 0;
    return this.change((reply) => api.dice(this.game, this.token ?? '', { id: freshId(), at, faces }, reply));
  }

  undo(): Promise<boolean> {
    const at = this.state?.situation.at ?? 0;
    return this.change((reply) => api.undo(this.game, this.token ?? '', { at }, reply));
  }

  resign(): Promise<boolean> {
    return this.change((reply) => api.resign(this.game, this.token ?? '', reply));
  }

  draw(offer: boolean): Promise<boolean> {
    return this.change((reply) => api.draw(this.game, this.token ?? '', offer, reply));
  }

  /** Explains the open question, or an answer to it. */
  explain(value?: Json): Promise<Insight[]> {
    return api.explain(this.game, this.token ?? '', value);
  }

  /** Tries an answer without giving it. */
  preview(value: Json): Promise<Preview> {
    return api.preview(this.game, this.token ?? '', value);
  }

  /** What the admiral would answer. */
  hint(): Promise<Hint> {
    return api.hint(this.game, this.token ?? '', 'admiral');
  }

  chat(text: string): Promise<boolean> {
    return this.aside(() => api.chat(this.game, this.token ?? '', text));
  }

  notes(text: string): Promise<boolean> {
    return this.aside(() => api.notes(this.game, this.token ?? '', text));
  }
}
