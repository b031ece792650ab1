import type { Badge, Piece } from '../wire/types';

/** The numbers of an aircraft on its tag, each with its place. */
export interface Tag {
  short: string;
  cells: (Badge & { x: number; width: number })[];
  /** The upper left corner, from the middle of the aircraft. */
  x: number;
  y: number;
  width: number;
}

/** The tag of an aircraft. It is behind the aircraft, so that its target stays visible. */
export function tagOf(piece: Piece, size: number, turned: number): Tag {
  const short = piece.id.length <= 5 ? piece.id : (piece.name.split(' ')[0] ?? piece.name);
  let width = short.length * 7 + 9;
  const cells = (piece.badges ?? []).slice(0, size < 38 ? 1 : 4).map((badge) => {
    const one = { ...badge, x: width, width: badge.value.length * 6.4 + 13 };
    width += one.width;
    return one;
  });
  const angle = ((piece.facing === undefined ? 0 : turned) * Math.PI) / 180;
  return {
    short,
    cells,
    x: -Math.sin(angle) * (size * 0.52 + width * 0.42) - width / 2,
    y: Math.cos(angle) * (size * 0.52 + 14) - 8 + (piece.facing === undefined ? 6 : 0),
    width,
  };
}

/** How large an aircraft is drawn over hexes of a width. */
export const flyingSize = (hex: number): number => Math.max(34, Math.min(72, hex * 0.5 || 40));
