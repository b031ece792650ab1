import type { ObjectView } from '../wire/types';

/** Where an object stands: millimetres to the east and north, degrees clockwise from north. */
export interface Place {
  x: number;
  y: number;
  heading: number;
}

export type Placed = ObjectView & { place: Place };

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The least width and height of the map, and what is left free around the outermost objects. */
const LEAST = 600;
const MARGIN = 150;
/** Headings are multiples of this. */
export const STEP = 15;

/** The part of the sea that is shown. */
export function chart(places: Place[]): Box {
  if (places.length === 0) return { x: -LEAST / 2, y: -LEAST / 2, w: LEAST, h: LEAST };
  const range = (values: number[]): [number, number] => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const size = Math.max(high - low + 2 * MARGIN, LEAST);
    return [(low + high - size) / 2, size];
  };
  const [x, w] = range(places.map((one) => one.x));
  const [y, h] = range(places.map((one) => one.y));
  return { x, y, w, h };
}

/** Whether each name stands above its ship because another name or ship is below it already. */
export function namedAbove(ships: { name: string; place: Place }[], unit: number): boolean[] {
  // A letter is about as wide as half its size.
  const [size, below, above] = [unit * 1.5, -unit * 3.1, unit * 2.4];
  const taken: { x: number; y: number; half: number }[] = [];
  return ships.map(({ name, place }) => {
    const half = (name.length * size) / 3.4;
    const apart = (x: number, wide: number) => Math.abs(x - place.x) > wide + half;
    const free = (y: number) =>
      taken.every((one) => Math.abs(one.y - y) > size || apart(one.x, one.half)) &&
      ships.every(({ place: one }) => Math.abs(one.y - y) > size || apart(one.x, unit / 2));
    const up = !free(place.y + below) && free(place.y + above);
    taken.push({ x: place.x, y: place.y + (up ? above : below), half });
    return up;
  });
}

/** The heading from one point to another, to the nearest step. */
export function headingTo(from: Place, to: { x: number; y: number }): number {
  const degrees = (Math.atan2(to.x - from.x, to.y - from.y) * 180) / Math.PI;
  return (Math.round(degrees / STEP) * STEP + 360) % 360;
}

/** A place after a key: arrows move, with Shift by a tenth; Q and E turn. None for another key. */
export function steered(place: Place, key: string, fine: boolean): Place | null {
  const by = fine ? 10 : 100;
  const { x, y, heading } = place;
  switch (key) {
    case 'ArrowUp':
      return { x, y: y + by, heading };
    case 'ArrowDown':
      return { x, y: y - by, heading };
    case 'ArrowLeft':
      return { x: x - by, y, heading };
    case 'ArrowRight':
      return { x: x + by, y, heading };
    case 'q':
    case 'Q':
      return { x, y, heading: (heading + 360 - STEP) % 360 };
    case 'e':
    case 'E':
      return { x, y, heading: (heading + STEP) % 360 };
    default:
      return null;
  }
}
