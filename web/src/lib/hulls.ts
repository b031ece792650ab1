import type { Piece, Surface } from '../wire/types';

// Models seen from above, our own drawing: bow to the top, 100 units long, centred, so that they can be rotated.

/** A part of a model: the hull, what stands on it, what is drawn on it, or what is dark. */
export interface HullPart {
  d: string;
  as: 'hull' | 'deck' | 'house' | 'line' | 'dark';
}
export interface Hull {
  /** How long the model is, beside a battleship. */
  length: number;
  /** Half its width, of a length of 100. */
  beam: number;
  parts: HullPart[];
}

const part = (as: HullPart['as'], d: string): HullPart => ({ as, d });

/** The outline of a hull: a pointed bow and a rounded stern. */
function outline(beam: number, fine = 0.5, stern = 0.72): string {
  const b = beam;
  return (
    `M0 -50C${b * fine} -40 ${b} -26 ${b} -6L${b} 28C${b} 40 ${b * stern} 49 0 50` +
    `C${-b * stern} 49 ${-b} 40 ${-b} 28L${-b} -6C${-b} -26 ${-b * fine} -40 0 -50Z`
  );
}

/** A turret with its barrels, pointing ahead or astern. */
function turret(y: number, size: number, way: 1 | -1, barrels: number): HullPart[] {
  const reach = size * 2.3 * way;
  const across = Array.from({ length: barrels }, (_, n) => (n - (barrels - 1) / 2) * size * 0.62);
  return [
    part('line', across.map((x) => `M${x} ${y}V${y - reach}`).join('')),
    part('house', `M${-size} ${y}a${size} ${size} 0 1 0 ${size * 2} 0a${size} ${size} 0 1 0 ${-size * 2} 0Z`),
  ];
}

const house = (y: number, long: number, wide: number): HullPart =>
  part('house', `M${-wide} ${y + 2}Q${-wide} ${y} 0 ${y}Q${wide} ${y} ${wide} ${y + 2}V${y + long}H${-wide}Z`);
const funnel = (y: number, size: number): HullPart =>
  part('dark', `M${-size} ${y}a${size} ${size * 1.3} 0 1 0 ${size * 2} 0a${size} ${size * 1.3} 0 1 0 ${-size * 2} 0Z`);
const hatch = (y: number, wide: number): HullPart => part('line', `M${-wide} ${y}h${wide * 2}v7h${-wide * 2}Z`);

function warship(length: number, beam: number, parts: HullPart[], fine = 0.5): Hull {
  return {
    length,
    beam,
    parts: [part('hull', outline(beam, fine)), part('deck', outline(beam * 0.72, fine)), ...parts],
  };
}

/** A small hull at a place, for boats that keep together. */
const small = (x: number, y: number): HullPart =>
  part('hull', `M${x} ${y - 17}C${x + 6} ${y - 9} ${x + 6} ${y} ${x + 5} ${y + 15}H${x - 5}C${x - 6} ${y} ${x - 6} ${y - 9} ${x} ${y - 17}Z`);

/** An aircraft at a place, nose to the top. */
function plane(x: number, y: number, span: number, twin: boolean): HullPart {
  const s = span / 2;
  const engines = twin ? `M${x - s * 0.4} ${y - s * 0.55}v${s * 0.5}M${x + s * 0.4} ${y - s * 0.55}v${s * 0.5}` : '';
  return part(
    'hull',
    `M${x} ${y - s}Q${x + s * 0.16} ${y - s * 0.8} ${x + s * 0.16} ${y - s * 0.3}L${x + s} ${y - s * 0.05}V${y + s * 0.2}` +
      `L${x + s * 0.14} ${y + s * 0.2}L${x + s * 0.08} ${y + s * 0.7}L${x + s * 0.36} ${y + s * 0.85}V${y + s}H${x - s * 0.36}` +
      `V${y + s * 0.85}L${x - s * 0.08} ${y + s * 0.7}L${x - s * 0.14} ${y + s * 0.2}L${x - s} ${y + s * 0.2}V${y - s * 0.05}` +
      `L${x - s * 0.16} ${y - s * 0.3}Q${x - s * 0.16} ${y - s * 0.8} ${x} ${y - s}Z${engines}`,
  );
}

const HULLS: Record<string, Hull> = {
  battleship: warship(1, 15, [
    ...turret(-25, 5.6, 1, 3),
    ...turret(-13, 5.6, 1, 3),
    house(-7, 16, 6.5),
    funnel(13, 3.6),
    house(18, 5, 5),
    ...turret(30, 5.6, -1, 3),
  ]),
  battlecruiser: warship(1.04, 12.5, [
    ...turret(-27, 4.8, 1, 2),
    ...turret(-17, 4.8, 1, 2),
    house(-10, 11, 5.4),
    funnel(5, 3.2),
    funnel(13, 3.2),
    ...turret(23, 4.8, -1, 2),
    ...turret(34, 4.8, -1, 2),
  ]),
  'heavy-cruiser': warship(0.86, 11, [
    ...turret(-27, 4.2, 1, 3),
    ...turret(-16, 4.2, 1, 3),
    house(-9, 12, 4.8),
    funnel(8, 2.8),
    funnel(16, 2.8),
    ...turret(31, 4.2, -1, 3),
  ]),
  'light-cruiser': warship(0.76, 10, [
    ...turret(-27, 3.6, 1, 2),
    ...turret(-17, 3.6, 1, 2),
    house(-11, 9, 4),
    funnel(3, 2.5),
    funnel(11, 2.5),
    ...turret(24, 3.6, -1, 2),
    ...turret(34, 3.6, -1, 2),
  ]),
  destroyer: warship(0.6, 9, [
    ...turret(-26, 3.4, 1, 1),
    house(-18, 10, 3.8),
    funnel(-3, 2.3),
    funnel(6, 2.3),
    part('line', 'M-4 14h8M-4 20h8'),
    ...turret(32, 3.4, -1, 1),
  ]),
  escort: warship(
    0.5,
    12,
    [...turret(-24, 4, 1, 1), house(-15, 13, 5), funnel(4, 3.2), part('line', 'M-6 34h12M-6 40h12')],
    0.7,
  ),
  carrier: {
    length: 1.04,
    beam: 16,
    parts: [
      part('hull', 'M-8 -50H10L16 -42V44L12 50H-12L-15 44V-40Z'),
      part('deck', 'M-6 -46H8L12 -40V42L9 46H-9L-11 42V-38Z'),
      part('line', 'M0 -42V-28M0 -22V-8M0 -2V12M0 18V32M-5 -26h10v8h-10zM-5 22h10v8h-10z'),
      part('dark', 'M10 -12h5v20h-5z'),
      part('house', 'M11 -9h3.4v8h-3.4z'),
    ],
  },
  'escort-carrier': {
    length: 0.76,
    beam: 18,
    parts: [
      part('hull', 'M-12 -50H12L18 -42V46H-18V-42Z'),
      part('deck', 'M-10 -46H10L14 -40V42H-14V-40Z'),
      part('line', 'M0 -40V-24M0 -16V0M0 8V24M-6 28h12v9h-12z'),
      part('dark', 'M13 -20h5v12h-5z'),
    ],
  },
  merchant: warship(
    0.66,
    15,
    [hatch(-34, 6), hatch(-22, 8), house(-9, 15, 9), funnel(1, 3.6), hatch(14, 8), hatch(27, 7), part('line', 'M0 -14V-36M0 12V36')],
    0.85,
  ),
  'armed-merchant': warship(
    0.74,
    13.5,
    [...turret(-31, 3.6, 1, 1), hatch(-24, 7), house(-12, 18, 8), funnel(1, 3.4), hatch(14, 7), ...turret(32, 3.6, -1, 1)],
    0.8,
  ),
  boats: {
    length: 0.56,
    beam: 30,
    parts: [small(0, -24), small(-18, 12), small(18, 12), part('line', 'M0 -26v8M-18 10v8M18 10v8')],
  },
  submarine: {
    length: 0.56,
    beam: 7,
    parts: [
      part('hull', 'M0 -50C5 -42 7 -26 7 -8C7 14 5 36 0 50C-5 36 -7 14 -7 -8C-7 -26 -5 -42 0 -50Z'),
      part('line', 'M0 -42V-14M0 10V40'),
      part('house', 'M-3.4 -6Q0 -12 3.4 -6V6Q0 10 -3.4 6Z'),
    ],
  },
  wreck: {
    length: 0.72,
    beam: 16,
    parts: [
      part('hull', 'M-4 -48C6 -40 11 -24 9 -6L2 -11L-3 -3L-9 -8C-12 -24 -10 -40 -4 -48Z'),
      part('hull', 'M10 4L13 24C13 38 8 46 2 48C-6 46 -10 36 -9 24L-8 6L-2 12L4 3Z'),
      part('line', 'M-4 -34L5 -18M5 -34L-5 -18M-3 22L8 36M7 22L-3 36'),
    ],
  },
  contact: {
    length: 0.5,
    beam: 34,
    parts: [
      part('hull', 'M0 -46L34 0L0 46L-34 0Z'),
      part('deck', 'M0 -35L26 0L0 35L-26 0Z'),
      part('dark', 'M-9 -9C-9 -22 11 -22 11 -8C11 0 2 0 2 9H-4C-4 -3 5 -4 5 -8C5 -14 -3 -14 -3 -8ZM-4 14h6v6h-6z'),
    ],
  },
  'aim-point': {
    length: 0.6,
    beam: 40,
    parts: [
      part('deck', 'M-38 0a38 38 0 1 0 76 0a38 38 0 1 0 -76 0Z'),
      part('hull', 'M-2 -48h4v30h-4zM-2 18h4v30h-4zM-48 -2h30v4h-30zM18 -2h30v4h-30zM-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z'),
    ],
  },
  'air-base': {
    length: 0.7,
    beam: 40,
    parts: [
      part('hull', 'M-40 -8Q-36 -44 4 -46Q44 -40 42 4Q40 42 0 46Q-44 40 -40 -8Z'),
      part('dark', 'M-6 -38H6V38H-6ZM-34 6L-28 -4L34 20L28 30Z'),
      part('line', 'M0 -30V-20M0 -12V-2M0 10V20M0 26V34'),
    ],
  },
  'shore-battery': {
    length: 0.5,
    beam: 40,
    parts: [
      part('hull', 'M-42 34Q-42 -30 0 -34Q42 -30 42 34Z'),
      part('deck', 'M-30 30Q-30 -18 0 -22Q30 -18 30 30Z'),
      part('line', 'M-12 8V-44M12 8V-44'),
      part('house', 'M-22 10a10 10 0 1 0 20 0a10 10 0 1 0 -20 0ZM2 10a10 10 0 1 0 20 0a10 10 0 1 0 -20 0Z'),
    ],
  },
  fighters: {
    length: 0.56,
    beam: 44,
    parts: [plane(0, -22, 46, false), plane(-26, 20, 46, false), plane(26, 20, 46, false)],
  },
  bombers: {
    length: 0.64,
    beam: 48,
    parts: [plane(0, -16, 66, true), plane(-26, 26, 48, true), plane(26, 26, 48, true)],
  },
  'torpedo-bombers': {
    length: 0.6,
    beam: 46,
    parts: [
      plane(0, -20, 52, false),
      plane(-25, 22, 46, false),
      plane(25, 22, 46, false),
      part('line', 'M0 -6V18M-25 34V46M25 34V46'),
    ],
  },
};

/** Kinds that share a model. */
const SAME: Record<string, string> = {
  base: 'air-base',
  cruiser: 'light-cruiser',
  fighter: 'fighters',
  bomber: 'bombers',
  'torpedo-bomber': 'torpedo-bombers',
};

/** The model of a kind, if there is one. */
export function hull(kind: string): Hull | null {
  const own = Object.hasOwn(SAME, kind) ? SAME[kind]! : kind;
  return Object.hasOwn(HULLS, own) ? HULLS[own]! : null;
}

/** The size class of a piece, from 1 for the smallest; a size with a height is not a class. */
const classOf = ({ size }: Piece): number | null => (size && size[1] === 0 ? size[0] : null);

/** The model of a piece: a wreck is one, whatever it was, and cruisers and carriers go by their size. */
export function modelOf(piece: Piece): Hull {
  const size = classOf(piece) ?? 5;
  const kind = piece.states?.includes('wreck')
    ? 'wreck'
    : piece.kind === 'cruiser' && size >= 6
      ? 'heavy-cruiser'
      : piece.kind === 'carrier' && size < 6 && classOf(piece) !== null
        ? 'escort-carrier'
        : piece.kind;
  return hull(kind) ?? HULLS.contact!;
}

/** The width of the base that a model stands on, in millimetres. */
export function baseOf(piece: Piece): number {
  const size = classOf(piece);
  if (size === null) return Math.max(24, ...(piece.size ?? [0]));
  return size <= 2 ? 24 : size <= 4 ? 30 : size <= 6 ? 36 : 40;
}

/** Whether a scene is an open sea with models on it. */
export const isSea = (surface: Surface, pieces: Piece[]): boolean =>
  surface.kind === 'plane' && pieces.some((piece) => hull(piece.kind) !== null);

/** The kinds that have a model. */
export const HULL_KINDS = Object.keys(HULLS);

/** Kinds that fly and so are drawn above ships, with a shadow. */
export const isStand = (kind: string): boolean => /^(fighter|bomber|torpedo-bomber)s?$/.test(kind);

/** The shortest a battleship is drawn, in pixels, on a small board and on a large one. */
const LEAST = [38, 56] as const;
/** The longest a battleship is drawn. */
const MOST = 150;

/** How long a model is drawn, in pixels: to the scale of the base, but always long enough to be told apart. */
export function modelLength(model: Hull, base: number, scale: number): number {
  const share = model.length;
  const least = Math.min(LEAST[1], LEAST[0] + 60 * scale);
  return Math.max(least * Math.max(0.6, share), Math.min(MOST * share, base * scale * 1.1));
}
