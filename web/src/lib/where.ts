import type { Piece, Point, Surface } from '../wire/types';
import { distance, lengths } from './geometry';

const POINTS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'];

/** The point of the compass from one point to another. */
export function compass([fx, fy]: Point, [tx, ty]: Point): string {
  const turn = Math.atan2(tx - fx, ty - fy) / (Math.PI / 4);
  return POINTS[((Math.round(turn) % 8) + 8) % 8]!;
}

/** Where a point of a plane lies, told from the nearest other piece, else from the edges of the board. */
export function whereWords(point: Point, pieces: Piece[], surface: Surface, but: string | null = null): string {
  const others = pieces.flatMap((piece) =>
    piece.id !== but && 'point' in piece.place ? [{ name: piece.name, at: piece.place.point }] : [],
  );
  const near = others.sort((one, other) => distance(one.at, point) - distance(other.at, point))[0];
  if (near) {
    const far = Math.round(distance(near.at, point));
    return far === 0 ? `with ${near.name}` : `${lengths(far)} ${compass(near.at, point)} of ${near.name}`;
  }
  if (surface.kind !== 'plane') return '';
  const [west, south] = [point[0] - surface.min[0], point[1] - surface.min[1]];
  return `${lengths(west)} from the west edge, ${lengths(south)} from the south edge`;
}
