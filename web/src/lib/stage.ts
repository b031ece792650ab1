import type { LogEntry, Piece, Scene, Side } from '../wire/types';

/** What befell a piece. */
export type Effect = NonNullable<LogEntry['effect']>;

/** One act of a battle: who fires at what, with which dice, and what comes of it. */
export interface Beat {
  /** The number of the line of the log that it begins with. */
  number: number;
  text: string;
  from: string[];
  to: string[];
  dice: number[];
  effects: Map<string, Effect>;
  /** What the log says of the outcome. */
  outcome: string[];
}

/** A beat with the board as it looks while the beat is shown. */
export interface Frame {
  beat: Beat;
  scene: Scene;
}

/** A change of the board with the lines of the log that tell of it. */
export interface Change {
  before: Scene;
  after: Scene;
  entries: LogEntry[];
}

const WEIGHT: Record<Effect, number> = { miss: 0, hit: 1, lost: 2 };
const MOST_DICE = 24;

const same = (one: string[], other: string[]) => one.length === other.length && one.every((id) => other.includes(id));

function worsen(effects: Map<string, Effect>, ids: string[], effect: Effect): void {
  for (const id of ids) {
    const known = effects.get(id);
    if (known === undefined || WEIGHT[known] < WEIGHT[effect]) effects.set(id, effect);
  }
}

/** The acts that lines of the log tell of, in order. Lines about nothing that can be shown are left out. */
export function beats(entries: LogEntry[]): Beat[] {
  const out: Beat[] = [];
  let now: Beat | null = null;
  for (const entry of entries) {
    const to = entry.targets ?? [];
    const about = entry.pieces ?? [];
    const hurt = to.length > 0 ? to : about;
    const from = about.filter((id) => !to.includes(id));
    const inside: boolean = now !== null && hurt.every((id) => now!.to.includes(id) || now!.from.includes(id));
    const goesOn = to.length > 0 ? now !== null && same(now.to, to) && same(now.from, from) : inside;
    const begins = to.length > 0 || (entry.effect !== undefined && entry.effect !== null && entry.effect !== 'miss');
    if (begins && !goesOn && hurt.length > 0) {
      now = {
        number: entry.number,
        text: entry.text,
        from: to.length > 0 ? from : [],
        to: hurt,
        dice: [],
        effects: new Map(),
        outcome: [],
      };
      out.push(now);
    }
    if (!now) continue;
    now.dice.push(...(entry.dice ?? []).slice(0, MOST_DICE - now.dice.length));
    if (!entry.effect) continue;
    worsen(now.effects, hurt.length > 0 ? hurt : now.to, entry.effect);
    if (entry.number !== now.number && !entry.detail) now.outcome.push(entry.text);
  }
  return out;
}

/** The strongest effect of a beat. */
export function strongest(beat: Beat): Effect | null {
  return [...beat.effects.values()].sort((a, b) => WEIGHT[b] - WEIGHT[a])[0] ?? null;
}

/** Whether pieces stay where they were until their part is played: in boxes and on land they leave because of it. */
const staysPut = ({ surface }: Scene) =>
  surface.kind === 'boxes' || (surface.kind === 'hexes' && surface.land !== undefined);

/** A change of the board as the frames that show it: a piece looks as before until its part has been played. */
export function frames({ before, after, entries }: Change): Frame[] {
  const list = beats(entries);
  /** The last frame in which something befalls a piece, and the last in which it takes part. */
  const hurtUntil = new Map<string, number>();
  const partUntil = new Map<string, number>();
  for (const [at, beat] of list.entries()) {
    for (const id of beat.effects.keys()) hurtUntil.set(id, at);
    for (const id of [...beat.from, ...beat.to, ...beat.effects.keys()]) partUntil.set(id, at);
  }
  const was = new Map(before.pieces.map((piece) => [piece.id, piece]));
  const is = new Set(after.pieces.map((piece) => piece.id));
  const still = staysPut(after);
  return list.map((beat, at) => {
    const looks = (piece: Piece): Piece => {
      const old = was.get(piece.id);
      if (!old) return piece;
      const hurt = (hurtUntil.get(piece.id) ?? -1) > at;
      if (still && (partUntil.get(piece.id) ?? -1) >= at) return hurt ? old : { ...piece, place: old.place };
      if (!hurt) return piece;
      const { badges: _, states: __, ...bare } = piece;
      return {
        ...bare,
        text: old.text,
        ...(old.badges ? { badges: old.badges } : {}),
        ...(old.states ? { states: old.states } : {}),
      };
    };
    const gone = before.pieces.filter((piece) => !is.has(piece.id) && (partUntil.get(piece.id) ?? -1) >= at);
    const pieces = [...after.pieces.map(looks), ...gone];
    const there = new Set(pieces.map((piece) => piece.id));
    // A hex or box among the actors is where it happens, not who acts.
    const shown = { ...beat, from: beat.from.filter((id) => there.has(id)) };
    return { beat: shown, scene: { ...after, pieces } };
  });
}

/** A frame for a change in which nobody fires, so that moves are seen in a playback too. */
export function movement({ before, after, entries }: Change): Frame[] {
  const headline = entries.find((entry) => !entry.detail);
  const old = new Map(before.pieces.map((piece) => [piece.id, JSON.stringify([piece.place, piece.facing])]));
  const moved = after.pieces.some(
    (piece) => old.has(piece.id) && old.get(piece.id) !== JSON.stringify([piece.place, piece.facing]),
  );
  if (!headline || (!moved && before.pieces.length === after.pieces.length)) return [];
  const beat: Beat = {
    number: headline.number,
    text: headline.text,
    from: [],
    to: [],
    dice: [],
    effects: new Map(),
    outcome: [],
  };
  return [{ beat, scene: after }];
}

/** What a battle cost. */
export interface Report {
  /** The first and last line of the log that it tells of. */
  lines: [number, number];
  volleys: number;
  losses: Record<Side, string[]>;
  damaged: Record<Side, string[]>;
  decisive: { text: string; dice: number[]; outcome: string[] } | null;
}

/** The report of a battle shown in frames: losses on both sides, and the roll that did most. */
export function report(shown: Frame[]): Report | null {
  const first = shown[0];
  const last = shown.at(-1);
  if (!first || !last) return null;
  const losses: Record<Side, string[]> = { first: [], second: [] };
  const damaged: Record<Side, string[]> = { first: [], second: [] };
  const worst = new Map<string, Effect>();
  const pieces = new Map<string, Piece>();
  for (const { beat, scene } of shown) {
    for (const piece of scene.pieces) if (!pieces.has(piece.id)) pieces.set(piece.id, piece);
    for (const [id, effect] of beat.effects) worsen(worst, [id], effect);
  }
  for (const [id, effect] of worst) {
    const piece = pieces.get(id);
    if (!piece?.side || effect === 'miss') continue;
    (effect === 'lost' ? losses : damaged)[piece.side].push(piece.name);
  }
  // What a roll did is its own effect; losses told in the next beats on the same pieces are due to it too.
  const weight = (at: number): number => {
    const { beat } = shown[at]!;
    const own = [...beat.effects.values()].reduce((sum, effect) => sum + WEIGHT[effect], 0);
    const sinks = ({ effects }: Beat) => beat.to.some((id) => effects.get(id) === 'lost');
    return own > 0 && shown.slice(at + 1).some((later) => sinks(later.beat)) ? own + 2 : own;
  };
  let best = -1;
  for (const at of shown.keys())
    if (shown[at]!.beat.dice.length > 0 && weight(at) > 0 && (best < 0 || weight(at) >= weight(best))) best = at;
  const decisive = shown[best]?.beat;
  return {
    lines: [first.beat.number, last.beat.number],
    volleys: shown.filter(({ beat }) => beat.from.length > 0).length,
    losses,
    damaged,
    decisive: decisive ? { text: decisive.text, dice: decisive.dice, outcome: decisive.outcome } : null,
  };
}

/** The steps of a game between two points at which the log has something new, at most `most` of them. */
export function stops(from: number, to: number, entries: LogEntry[], most = 40): number[] {
  // Answers taken back count among the steps but not in the log.
  const shift = Math.max(0, to - Math.max(0, ...entries.map((entry) => entry.at)));
  const all = [...new Set(entries.map((entry) => entry.at + shift))]
    .filter((at) => at > from && at < to)
    .sort((a, b) => a - b);
  const step = Math.max(1, Math.ceil(all.length / Math.max(1, most - 1)));
  return [...all.filter((_, at) => at % step === 0), to];
}
