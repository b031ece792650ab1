/** One small picture at a point, as an SVG path; our own drawing. */
type Glyph = (x: number, y: number, size: number) => string;

/** How a kind of terrain is drawn: so many small pictures in a hex, filled or in lines. */
export interface Drawing {
  count: number;
  glyph: Glyph;
  filled: boolean;
}

/** A glyph of straight and curved strokes given for size 1, with its numbers scaled. */
function scaled(d: string): Glyph {
  const parts = d.split(/(-?\d+(?:\.\d+)?)/);
  return (x, y, size) =>
    `M${x} ${y}${parts.map((part, at) => (at % 2 === 1 ? String(Math.round(Number(part) * size)) : part)).join('')}`;
}

const house = scaled('m-44 44 v-54 l44 -40 l44 40 v54z m60 0 v-44 h34 v44z');
const DRAWINGS: Record<string, Drawing> = {
  forest: {
    count: 13,
    filled: true,
    glyph: scaled('m0 -70 q34 44 40 92 h-32 v22 h-16 v-22 h-32 q6 -48 40 -92z'),
  },
  jungle: {
    count: 15,
    filled: true,
    glyph: scaled('m-52 8 q-12 -48 30 -50 q22 -34 46 0 q42 2 28 50 q-52 34 -104 0z'),
  },
  mountain: {
    count: 6,
    filled: true,
    glyph: scaled('m-104 60 l82 -136 l40 62 l22 -30 l66 104z m82 -136 l6 60 l-26 30 m60 -28 l4 46'),
  },
  swamp: {
    count: 9,
    filled: false,
    glyph: scaled('m-60 24 h120 m-88 18 h56 m-28 -20 v-66 m-22 66 l-12 -46 m56 46 l12 -46'),
  },
  city: { count: 7, filled: true, glyph: house },
  'objective-city': { count: 11, filled: true, glyph: house },
  desert: { count: 7, filled: false, glyph: scaled('m-84 10 q42 -40 84 0 q42 -40 84 0') },
  sea: { count: 6, filled: false, glyph: scaled('m-78 0 q20 -22 39 0 t39 0 t39 0 t39 0') },
};

/** How a kind of terrain is drawn; open land has no pictures. */
export const drawingOf = (terrain: string): Drawing | null => DRAWINGS[terrain] ?? null;

/** The terrains that have colours of their own; others look like open land. */
export const PAINTED: ReadonlySet<string> = new Set(['clear', ...Object.keys(DRAWINGS)]);
