// Courses: the same arithmetic as `crates/kernel/src/course.rs`, so that a plotted end is where the ship will be.
import type { FormItem, Form, Json, Point } from '../wire/types';
import { blankItems, same } from './parts';

export type CourseForm = Extract<Form, { kind: 'course' }>;
export type Leg = { ahead: number } | { turn: number };
/** A turn with how far the ship runs straight before it; to starboard if positive. */
export type Turn = [run: number, degrees: number];
/** A course in preparation. */
export interface Plotted {
  speed: number;
  turns: Turn[];
  chosen: Record<string, number | null>;
}

/** The smallest turn. */
export const STEP = 15;
/** The widest turn that is laid by itself. */
const WIDEST = 180;
const UNIT = 10_000;
/** Sines of 0 to 90 degrees in steps of 15, per ten thousand. */
const SINES = [0, 2588, 5000, 7071, 8660, 9659, 10_000];

const circle = (degrees: number): number => ((degrees % 360) + 360) % 360;

function sine(degrees: number): number {
  const at = circle(degrees);
  const of = (one: number) => SINES[Math.trunc(one / STEP)]!;
  if (at <= 90) return of(at);
  if (at <= 180) return of(180 - at);
  return at <= 270 ? -of(at - 180) : -of(360 - at);
}

/** The direction of a heading in degrees clockwise from the top, with the length 10,000. */
export const direction = (heading: number): Point => [sine(heading), sine(heading + 90)];

/** Where a straight run ends: each coordinate rounded to the nearest whole number, halves away from zero. */
export function ahead([x, y]: Point, heading: number, length: number): Point {
  const nearest = (n: number) => Math.sign(n) * Math.floor((2 * Math.abs(n) + UNIT) / (2 * UNIT)) || 0;
  const [dx, dy] = direction(heading);
  return [x + nearest(length * dx), y + nearest(length * dy)];
}

/** The corners of a course and its end, beginning with its start, and the heading at its end. */
export function run(from: Point, heading: number, legs: Leg[]): { points: Point[]; heading: number } {
  let [at, to] = [from, heading];
  const points = [from];
  for (const leg of legs) {
    if ('turn' in leg) to = circle(to + leg.turn);
    else points.push((at = ahead(at, to, leg.ahead)));
  }
  return { points, heading: to };
}

/** The turns of some legs. */
export function turnsOf(legs: Leg[]): Turn[] {
  const turns: Turn[] = [];
  let straight = 0;
  for (const leg of legs) {
    if ('ahead' in leg) straight += leg.ahead;
    else {
      turns.push([straight, leg.turn]);
      straight = 0;
    }
  }
  return turns;
}

const used = (turns: Turn[]): number => turns.reduce((sum, [length]) => sum + length, 0);

/** The legs of a course with some turns, the rest straight ahead; null if the turns need more room than there is. */
export function legsOf(form: CourseForm, speed: number, turns: Turn[]): Leg[] | null {
  const left = speed * form.scale - used(turns);
  if (left < 0) return null;
  const legs = turns.flatMap(([length, turn]): Leg[] => [...(length > 0 ? [{ ahead: length }] : []), { turn }]);
  return left > 0 ? [...legs, { ahead: left }] : legs;
}

/** The course of a form that begins with nothing: straight ahead at the lowest speed. */
export function blankCourse(form: CourseForm): Plotted {
  const chosen = blankItems(form.items ?? []);
  for (const item of form.items ?? []) chosen[item.id] ??= 0;
  return { speed: form.speeds[0], turns: [], chosen };
}

const optionOf = (item: FormItem, plotted: Plotted) => item.options[plotted.chosen[item.id] ?? -1];

/** What is wrong with a course, in words. */
export function wrongCourse(form: CourseForm, plotted: Plotted): string | null {
  const { speed, turns } = plotted;
  const [slowest, fastest] = form.speeds;
  if (!Number.isInteger(speed) || speed < slowest || speed > fastest)
    return `The speed is ${speed}; it must be from ${slowest} to ${fastest}.`;
  for (const [length, degrees] of turns) {
    if (degrees === 0 || degrees % STEP !== 0 || Math.abs(degrees) > form.turn)
      return `A turn is 15 to ${form.turn} degrees, in steps of 15.`;
    if (length < form.run) return `The ship must run ${form.run} straight before a turn; it has run ${length}.`;
  }
  const [total, whole] = [used(turns), speed * form.scale];
  if (total > whole) return `The legs are ${total} mm long; at ${speed} knots they are ${whole} mm.`;
  const open = (form.items ?? []).find((item) => !optionOf(item, plotted));
  return open ? `${open.label}: one of the options must be chosen.` : null;
}

/** The answer of a course. */
export function courseValue(form: CourseForm, plotted: Plotted): Json {
  const items = (form.items ?? []).flatMap((item): [string, Json][] => {
    const value = optionOf(item, plotted)?.value ?? null;
    return value === null ? [] : [[item.id, value]];
  });
  const orders = legsOf(form, plotted.speed, plotted.turns) ?? [];
  return { speed: plotted.speed, orders, ...Object.fromEntries(items) };
}

const isLeg = (leg: Json): leg is Leg => {
  if (leg === null || typeof leg !== 'object') return false;
  const entries = Object.entries(leg);
  return (
    entries.length === 1 && ['ahead', 'turn'].includes(entries[0]![0]) && Number.isInteger(entries[0]![1] as number)
  );
};

/** The course of an answer; null if the form cannot express it. */
export function courseOf(form: CourseForm, value: Json): Plotted | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const { speed, orders, ...rest } = value as Record<string, Json>;
  if (typeof speed !== 'number' || !Array.isArray(orders) || !orders.every(isLeg)) return null;
  const items = form.items ?? [];
  if (Object.keys(rest).some((key) => !items.some((item) => item.id === key))) return null;
  const chosen: Plotted['chosen'] = {};
  for (const item of items) {
    const at = item.options.findIndex((option) => same(option.value, rest[item.id] ?? null));
    if (at < 0) return null;
    chosen[item.id] = at;
  }
  return { speed, turns: turnsOf(orders), chosen };
}

/** Where a course leads. */
export function track(form: CourseForm, plotted: Plotted): { points: Point[]; heading: number } {
  return run(form.from, form.heading, legsOf(form, plotted.speed, plotted.turns) ?? []);
}

/** A course at another speed within the limits; turns for which there is no room any more are given up. */
export function atSpeed(form: CourseForm, plotted: Plotted, speed: number): Plotted {
  const within = Math.max(form.speeds[0], Math.min(form.speeds[1], Math.round(speed)));
  let turns = plotted.turns;
  while (turns.length > 0 && used(turns) > within * form.scale) turns = turns.slice(0, -1);
  return { ...plotted, speed: within, turns };
}

/** A wide turn as several, with the straight run between them that is needed. */
function wide(form: CourseForm, degrees: number, first: number): Turn[] {
  const turns: Turn[] = [];
  for (let left = Math.abs(degrees); left > 0; left -= form.turn)
    turns.push([turns.length === 0 ? first : form.run, Math.sign(degrees) * Math.min(left, form.turn)]);
  return turns;
}

/** Turns by one step more at the next legal point: the last turn becomes wider, or another one follows it. */
export function steered(form: CourseForm, plotted: Plotted, by: number): Plotted {
  const last = plotted.turns.at(-1);
  if (last && last[1] + by === 0) return { ...plotted, turns: plotted.turns.slice(0, -1) };
  const wider = last ? Math.abs(last[1] + by) <= form.turn : false;
  const turns: Turn[] =
    last && wider ? [...plotted.turns.slice(0, -1), [last[0], last[1] + by]] : [...plotted.turns, [form.run, by]];
  return used(turns) > plotted.speed * form.scale ? plotted : { ...plotted, turns };
}

/** The course that keeps some turns and then turns once more so that it ends nearest to a point. */
export function laid(form: CourseForm, plotted: Plotted, kept: Turn[], to: Point): Plotted {
  const whole = plotted.speed * form.scale;
  let best: { turns: Turn[]; far: number } | null = null;
  const start = run(form.from, form.heading, legsOf(form, used(kept) / form.scale, kept) ?? []);
  const from = start.points.at(-1)!;
  const attempt = (more: Turn[]): void => {
    const left = whole - used(kept) - used(more);
    if (left < 0) return;
    let [at, heading] = [from, start.heading];
    for (const [length, degrees] of more) {
      at = ahead(at, heading, length);
      heading = circle(heading + degrees);
    }
    at = ahead(at, heading, left);
    // A plainer course wins where there is next to no difference.
    const far = Math.hypot(at[0] - to[0], at[1] - to[1]) + more.length * 0.01;
    if (!best || far < best.far) best = { turns: [...kept, ...more], far };
  };
  attempt([]);
  const coarse = Math.max(1, Math.round(form.scale));
  for (let degrees = -WIDEST; degrees <= WIDEST; degrees += STEP) {
    if (degrees === 0) continue;
    const least = used(wide(form, degrees, form.run));
    const most = whole - used(kept) - (least - form.run);
    for (let first = form.run; first <= most; first += coarse) attempt(wide(form, degrees, first));
  }
  const found = best as { turns: Turn[]; far: number } | null;
  return found ? { ...plotted, turns: found.turns } : plotted;
}

/** How many of the last turns were made together: same side, as soon as they may be. */
export function lastTurn(form: CourseForm, turns: Turn[]): number {
  let count = Math.min(1, turns.length);
  while (count < turns.length) {
    const [after, before] = [turns[turns.length - count]!, turns[turns.length - count - 1]!];
    const together = after[0] === form.run && Math.sign(after[1]) === Math.sign(before[1]);
    if (!together || Math.abs(before[1]) !== form.turn) break;
    count++;
  }
  return count;
}

/** The outline of what is within reach: from turning hard at the highest speed to turning hard at the lowest. */
export function reach(form: CourseForm, slowest = form.speeds[0], fastest = form.speeds[1]): Point[] {
  const ends = (speed: number): Point[] => {
    const out: Point[] = [];
    for (let degrees = -WIDEST; degrees <= WIDEST; degrees += STEP) {
      const turns = wide(form, degrees, form.run);
      const legs = legsOf(form, speed, turns);
      if (legs) out.push(run(form.from, form.heading, legs).points.at(-1)!);
    }
    return out;
  };
  return slowest === fastest ? ends(fastest) : [...ends(fastest), ...ends(slowest).reverse()];
}

const slug = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-');
const theOne = (item: FormItem): number => {
  const some = item.options.flatMap((option, at) => (option.value === null ? [] : [at]));
  return some.length === 1 ? some[0]! : -1;
};

/** A course as it is typed: `26 s40 p30 s190 smoke`. */
export function courseText(form: CourseForm, plotted: Plotted): string {
  const legs = legsOf(form, plotted.speed, plotted.turns) ?? [];
  const words = legs.map((leg) =>
    'ahead' in leg ? `s${leg.ahead}` : leg.turn < 0 ? `p${-leg.turn}` : `sb${leg.turn}`,
  );
  for (const item of form.items ?? []) {
    const option = optionOf(item, plotted);
    if (!option || option.value === null) continue;
    words.push(item.options[theOne(item)] === option ? slug(item.id) : `${slug(item.id)}=${slug(option.label)}`);
  }
  return [plotted.speed, ...words].join(' ');
}

/** A course from what was typed; what is not typed stays as it is. */
export function parseCourse(form: CourseForm, text: string, now: Plotted): { course: Plotted } | { wrong: string } {
  let { speed, turns: kept } = now;
  const chosen = { ...now.chosen };
  const turns: Turn[] = [];
  let straight: number | null = null;
  let steering = false;
  for (const word of text.toLowerCase().split(/[\s,]+/).filter(Boolean)) {
    const [, letters, digits] = /^([a-z]*)(\d{1,6})$/.exec(word) ?? [];
    const number = Number(digits);
    if (letters === '') speed = number;
    else if (letters === 's' || letters === 'a') {
      steering = true;
      straight = (straight ?? 0) + number;
    } else if (letters !== undefined && ['p', 'l', 'sb', 'r'].includes(letters)) {
      steering = true;
      const first: number = straight ?? form.run;
      straight = null;
      const sign = letters === 'p' || letters === 'l' ? -1 : 1;
      const sensible = number > 0 && number <= 3600;
      turns.push(...(sensible ? wide(form, sign * number, first) : [[first, sign * number] as Turn]));
    } else {
      const wrong = choose(form, word, chosen);
      if (wrong) return { wrong };
    }
  }
  if (steering) {
    const total = used(turns) + (straight ?? 0);
    if (total > speed * form.scale)
      return { wrong: `The legs are ${total} mm long; at ${speed} knots they are ${speed * form.scale} mm.` };
    kept = turns;
  } else if (used(kept) > speed * form.scale)
    return { wrong: `At ${speed} knots there is no room for the turns. Type the course again.` };
  const course = { speed, turns: kept, chosen };
  const wrong = wrongCourse(form, course);
  return wrong ? { wrong } : { course };
}

/** Chooses an option by a word: `smoke`, `no-smoke`, `lights=off`; returns what is wrong. */
function choose(form: CourseForm, word: string, chosen: Record<string, number | null>): string | null {
  const items = form.items ?? [];
  const named = (name: string) => items.find((item) => slug(item.id) === name || slug(item.label) === name);
  const [name, value] = word.split('=') as [string, string | undefined];
  let item = named(name);
  let at = -1;
  if (item && value !== undefined)
    at = item.options.findIndex((option) => slug(option.label) === value || slug(String(option.value)) === value);
  else if (item) at = theOne(item);
  else if (name.startsWith('no-') && value === undefined) {
    item = named(name.slice(3));
    at = item?.options.findIndex((option) => option.value === null) ?? -1;
  }
  if (item && at >= 0) {
    chosen[item.id] = at;
    return null;
  }
  const known = items.flatMap((one) =>
    theOne(one) >= 0 ? [slug(one.id)] : one.options.map((option) => `${slug(one.id)}=${slug(option.label)}`),
  );
  const more = known.length > 0 ? ` Here also: ${known.join(', ')}.` : '';
  return `“${word}” is not part of a course. Type legs such as s40, turns such as p30 or sb30.${more}`;
}

/** A course in words: `26 knots, 45° to port after 40 mm, make smoke`. */
export function courseWords(form: CourseForm, plotted: Plotted): string {
  const { speed, turns } = plotted;
  const words = [speed === 0 ? 'stopped' : `${speed} ${speed === 1 ? 'knot' : 'knots'}`];
  for (const [at, [length, degrees]] of turns.entries())
    words.push(
      `${Math.abs(degrees)}° to ${degrees < 0 ? 'port' : 'starboard'} after ${length}${at > 0 ? ' more' : ''} mm`,
    );
  if (turns.length === 0 && speed > 0) words.push('straight ahead');
  for (const item of form.items ?? []) {
    const option = optionOf(item, plotted);
    if (option && option.value !== null) words.push(option.label);
  }
  return words.join(', ');
}
