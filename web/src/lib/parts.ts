import type { FormItem, FormPlace, Json, Point, Region } from '../wire/types';
import { lengths } from './geometry';

/** The chosen parts of an answer: points by name, and the option of each item by its number. */
export interface Chosen {
  places: Record<string, Point | null>;
  chosen: Record<string, number | null>;
}

/** Whether two values are equal, whatever the order of their keys. */
export function same(a: Json, b: Json): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}

const name = (template: Json | undefined): string | null =>
  typeof template === 'string' && template.startsWith('$') ? template.slice(1) : null;

/** Replaces every placeholder of a template; entries without a value are left out. */
export function filled(template: Json, part: (id: string) => Json): Json {
  const id = name(template);
  if (id !== null) return part(id);
  const keeps = (one: Json, value: Json) => value !== null || one === null;
  if (Array.isArray(template))
    return template
      .map((one): [Json, Json] => [one, filled(one, part)])
      .filter(([one, value]) => keeps(one, value))
      .map(([, value]) => value);
  if (template !== null && typeof template === 'object') {
    const entries = Object.entries(template).map(([key, one]): [string, Json, Json] => [key, one!, filled(one!, part)]);
    return Object.fromEntries(
      entries.filter(([, one, value]) => keeps(one, value)).map(([key, , value]) => [key, value]),
    );
  }
  return template;
}

/** The parts that make `value` out of a template, without those left out; null if the rest differs. */
export function partsOf(
  template: Json,
  value: Json,
  fits: (id: string, value: Json) => boolean,
): Record<string, Json> | null {
  const id = name(template);
  if (id !== null) return fits(id, value) ? { [id]: value } : null;
  const found: Record<string, Json> = {};
  /** Takes the parts of one entry and says whether the entry is present. */
  const take = (one: Json, given: Json | undefined): 'there' | 'left out' | 'differs' => {
    const parts = given === undefined ? null : partsOf(one, given, fits);
    if (parts) Object.assign(found, parts);
    return parts ? 'there' : name(one) !== null ? 'left out' : 'differs';
  };
  if (Array.isArray(template) && Array.isArray(value)) {
    let at = 0;
    for (const one of template) {
      const how = take(one, value[at]);
      if (how === 'differs') return null;
      if (how === 'there') at++;
    }
    return at === value.length ? found : null;
  }
  if (template !== null && typeof template === 'object' && !Array.isArray(template)) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    if (Object.keys(value).some((key) => !(key in template))) return null;
    for (const [key, one] of Object.entries(template)) {
      const how = take(one, (value as Record<string, Json>)[key]);
      if (how === 'differs' || (how === 'left out' && key in value)) return null;
    }
    return found;
  }
  return same(template, value) ? {} : null;
}

export function isPoint(value: Json | undefined): value is Point {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'number');
}

/** Where the piece of a place starts. */
export function startOf(place: FormPlace): Point {
  return 'point' in place.piece.place ? place.piece.place.point : [0, 0];
}

/** A blank choice: required points at their start, optional items left out. */
export function blankParts(places: FormPlace[], items: FormItem[]): Chosen {
  return {
    places: Object.fromEntries(places.map((place) => [place.id, place.optional ? null : startOf(place)])),
    chosen: blankItems(items),
  };
}

export function blankItems(items: FormItem[]): Record<string, number | null> {
  const first = (item: FormItem) =>
    item.options.length === 1 ? 0 : item.options.findIndex((option) => option.value === null);
  return Object.fromEntries(items.map((item) => [item.id, first(item) < 0 ? null : first(item)]));
}

/** The value of a part in the answer. */
export function partValue(places: FormPlace[], items: FormItem[], draft: Chosen, id: string): Json {
  const place = places.find((one) => one.id === id);
  const point = place ? draft.places[id] : undefined;
  if (place && point) return [point[0] - (place.origin?.[0] ?? 0), point[1] - (place.origin?.[1] ?? 0)];
  return items.find((one) => one.id === id)?.options[draft.chosen[id] ?? -1]?.value ?? null;
}

/** What is missing before the answer is complete. */
export function wantedParts(places: FormPlace[], items: FormItem[], draft: Chosen): string | null {
  for (const place of places) {
    const point = draft.places[place.id];
    if (!point && !place.optional) return `Choose a place: ${place.label}.`;
    if (point && !inside(place.regions, point))
      return `${place.label}: ${place.regions.map(regionWords).join(', or ')}.`;
  }
  const open = items.filter((item) => item.options[draft.chosen[item.id] ?? -1] === undefined);
  return open.length > 0 ? `Still to choose: ${open.map((item) => item.label.replace(/[:?]$/, '')).join(', ')}.` : null;
}

/** The chosen parts for a value; null if the parts cannot express it. */
export function draftOfParts(
  places: FormPlace[],
  items: FormItem[],
  template: Json,
  value: Json,
  more: (id: string, value: Json) => boolean = () => false,
): (Chosen & { found: Record<string, Json> }) | null {
  const option = (id: string, wanted: Json) =>
    items.find((item) => item.id === id)?.options.findIndex((one) => same(one.value, wanted)) ?? -1;
  const found = partsOf(
    template,
    value,
    (id, part) => more(id, part) || option(id, part) >= 0 || (places.some((place) => place.id === id) && isPoint(part)),
  );
  if (!found) return null;
  const draft = blankParts(places, items);
  for (const place of places) {
    const point = found[place.id];
    if (isPoint(point))
      draft.places[place.id] = [point[0] + (place.origin?.[0] ?? 0), point[1] + (place.origin?.[1] ?? 0)];
    else if (!place.optional) return null;
  }
  for (const item of items) {
    const at = option(item.id, found[item.id] ?? null);
    if (at < 0) return null;
    draft.chosen[item.id] = at;
  }
  return { ...draft, found };
}

/** The squared distance of a point from the box of a region, and the nearest point of the box. */
function fromBox(region: Extract<Region, { kind: 'around' }>, [x, y]: Point): { near: Point; square: number } {
  const half = region.size.map((one) => Math.trunc(one / 2)) as Point;
  const near: Point = [
    Math.max(region.middle[0] - half[0], Math.min(region.middle[0] + half[0], x)),
    Math.max(region.middle[1] - half[1], Math.min(region.middle[1] + half[1], y)),
  ];
  return { near, square: (x - near[0]) ** 2 + (y - near[1]) ** 2 };
}

function lies(region: Region, point: Point): boolean {
  if (region.kind === 'line') return same(onLine(region, point), point);
  const { square } = fromBox(region, point);
  // Distances are rounded up to whole units.
  return square <= region.most ** 2 && (region.least <= 0 || square > (region.least - 1) ** 2);
}

/** Whether a point lies in one of the regions. */
export function inside(regions: Region[], point: Point): boolean {
  return regions.length === 0 || regions.some((region) => lies(region, point));
}

function onLine({ from, to }: Extract<Region, { kind: 'line' }>, [x, y]: Point): Point {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from[0]) * dx + (y - from[1]) * dy) / length));
  return [Math.round(from[0] + part * dx), Math.round(from[1] + part * dy)];
}

function onRing(region: Extract<Region, { kind: 'around' }>, point: Point): Point {
  let { near, square } = fromBox(region, point);
  let away: Point = [point[0] - near[0], point[1] - near[1]];
  if (square === 0) {
    // A point inside the box leaves it at the top or the bottom.
    away = [0, point[1] < region.middle[1] ? -1 : 1];
    near = [near[0], region.middle[1] + away[1] * Math.trunc(region.size[1] / 2)];
    square = 1;
  }
  const radius = (square > region.most ** 2 ? region.most : region.least) - 0.5;
  const scale = Math.max(0, radius) / Math.sqrt(square);
  const aimed: Point = [near[0] + away[0] * scale, near[1] + away[1] * scale];
  const round = aimed.map(Math.round) as Point;
  const tries = [0, -1, 1].flatMap((dx) => [0, -1, 1].map((dy): Point => [round[0] + dx, round[1] + dy]));
  const far = ([x, y]: Point) => (x - aimed[0]) ** 2 + (y - aimed[1]) ** 2;
  return tries.sort((a, b) => far(a) - far(b)).find((one) => lies(region, one)) ?? round;
}

/** The nearest point in one of the regions. */
export function snapped(regions: Region[], point: Point): Point {
  const whole: Point = [Math.round(point[0]), Math.round(point[1])];
  if (inside(regions, whole)) return whole;
  const found = regions.map((region) => (region.kind === 'line' ? onLine(region, point) : onRing(region, whole)));
  const far = (one: Point) => (one[0] - point[0]) ** 2 + (one[1] - point[1]) ** 2;
  return found.sort((a, b) => far(a) - far(b))[0] ?? whole;
}

/** A region in words; the board marks it. */
export function regionWords(region: Region): string {
  if (region.kind === 'line') return 'on the marked line';
  const from = region.size.some((one) => one > 0) ? 'the edge of the card' : 'the marked point';
  if (region.least <= 0) return `within ${lengths(region.most)} of ${from}`;
  if (region.least === region.most) return `exactly ${lengths(region.most)} from ${from}`;
  const [least, most] = [lengths(region.least), lengths(region.most)];
  return least === most ? `about ${most} from ${from}` : `${least.split(' ')[0]} to ${most} from ${from}`;
}

/** The circle that a region consists of, if it is one: there a course is as good as a point. */
export function circleOf(regions: Region[]): { middle: Point; radius: number } | null {
  const [one] = regions;
  return regions.length === 1 &&
    one?.kind === 'around' &&
    one.least === one.most &&
    one.size.every((side) => side === 0)
    ? { middle: one.middle, radius: one.most }
    : null;
}

/** The course from one point to another in whole degrees, clockwise from the top. */
export function course([ax, ay]: Point, [bx, by]: Point): number {
  return (Math.round((Math.atan2(bx - ax, by - ay) * 180) / Math.PI) + 360) % 360;
}

/** The point of a circle on a course. */
export function onCourse({ middle, radius }: { middle: Point; radius: number }, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return [middle[0] + Math.sin(angle) * radius, middle[1] + Math.cos(angle) * radius];
}
