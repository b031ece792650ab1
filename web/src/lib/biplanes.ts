import type { Silhouette } from './silhouettes';

// Aircraft of the First World War from above, nose to the top, in a box of 60 by 56, each drawn from a few measures:
// enough to tell a triplane from a monoplane and a Nieuport from a SPAD.
interface Wing {
  /** Where its leading edge meets the fuselage. */
  y: number;
  span: number;
  chord: number;
  /** How far the tips are behind the middle. */
  sweep?: number;
  tip: 'square' | 'round' | 'raked';
}
interface Plan {
  wings: Wing[];
  nose: 'rotary' | 'inline' | 'pusher';
  tail: 'fish' | 'delta' | 'comma';
}

const MIDDLE = 30;
const both = (points: [number, number][]): string => {
  const right = points.map(([x, y]) => `${MIDDLE + x} ${y}`);
  const left = [...points].reverse().map(([x, y]) => `${MIDDLE - x} ${y}`);
  return `M${[...right, ...left].join('L')}Z`;
};

function wing({ y, span, chord, sweep = 0, tip }: Wing): string {
  const half = span / 2;
  if (tip === 'square') return both([[0, y], [half - 1, y + sweep], [half, y + sweep + 1], [half, y + sweep + chord - 1], [half - 1, y + sweep + chord], [0, y + chord]]);
  if (tip === 'raked') return both([[0, y], [half - 5, y + sweep], [half - 1, y + sweep + chord * 0.6], [half, y + sweep + chord], [half - 2, y + sweep + chord + 0.6], [0, y + chord]]);
  return both([[0, y], [half - 4, y + sweep], [half - 1.4, y + sweep + chord * 0.2], [half, y + sweep + chord * 0.55], [half - 1.6, y + sweep + chord * 0.9], [half - 5, y + sweep + chord], [0, y + chord]]);
}

function fuselage(nose: Plan['nose']): string[] {
  if (nose === 'pusher') return ['M26.6 9Q30 4 33.4 9L33.6 27Q30 31 26.4 27Z', 'M20.4 14h1.6l5.4 32h-1.6zM38 14h1.6l-5.4 32h-1.6z', 'M19 29.4h22v1.4H19z'];
  const tailed = nose === 'rotary' ? 'M25.6 6Q25.6 2.6 30 2.6T34.4 6L34.6 20L31.4 50H28.6L25.4 20Z' : 'M28.6 1.4h2.8L33.6 10L33.8 22L31.3 51H28.7L26.2 22L26.4 10Z';
  return [tailed, nose === 'rotary' ? 'M21.5 1.2h17v1.2h-17z' : 'M22.5 .4h15v1.1h-15z'];
}

const TAILS: Record<Plan['tail'], string> = {
  fish: both([[0, 42], [6, 43.6], [9.6, 47.4], [8.4, 51.4], [2.4, 50], [1.2, 54.6], [0, 55.4]]),
  delta: both([[0, 42], [9, 48.6], [9, 50.6], [1, 51], [0.9, 55], [0, 55.4]]),
  comma: both([[0, 45], [8.4, 45.6], [9.4, 47.6], [8.4, 50], [1.1, 50.2], [1, 54.6], [0, 55.2]]),
};

/** Draws a plan: lower wings show behind the upper ones, with a bright line between them. */
function draw({ wings, nose, tail }: Plan): Silhouette {
  const [upper, ...lower] = wings.map(wing);
  return { width: 60, height: 56, paths: [...lower, TAILS[tail], ...fuselage(nose), upper ?? ''], lines: [upper ?? ''] };
}

const upper = (y: number, span: number, chord: number, tip: Wing['tip'], sweep = 0): Wing => ({ y, span, chord, tip, sweep });

const NIEUPORT: Plan = { wings: [upper(11, 54, 8.6, 'raked', 1.6), upper(17, 50, 4.6, 'raked', 1)], nose: 'rotary', tail: 'comma' };
const ALBATROS: Plan = { wings: [upper(11, 58, 9, 'raked'), upper(18, 52, 5.2, 'round')], nose: 'inline', tail: 'fish' };
const SPAD: Plan = { wings: [upper(10.5, 54, 9.4, 'square'), upper(15, 52, 8.6, 'square')], nose: 'inline', tail: 'delta' };
const SOPWITH: Plan = { wings: [upper(9.5, 56, 9, 'raked'), upper(14.6, 55, 9, 'raked')], nose: 'rotary', tail: 'delta' };
const FOKKER7: Plan = { wings: [upper(11, 58, 9.6, 'square'), upper(16, 48, 7.4, 'square')], nose: 'inline', tail: 'delta' };

const PLANS: Record<string, Plan> = {
  'fokker-e3': { wings: [upper(13, 58, 10.6, 'square')], nose: 'rotary', tail: 'comma' },
  'airco-dh2': { wings: [upper(11, 57, 9.4, 'round'), upper(14, 57, 9.4, 'round')], nose: 'pusher', tail: 'comma' },
  'nieuport-11': { ...NIEUPORT, wings: [upper(11, 50, 8, 'raked', 1.6), upper(17, 47, 4.2, 'raked', 1)] },
  'nieuport-17': NIEUPORT,
  'nieuport-28': { wings: [upper(11, 53, 8, 'round', 0.6), upper(16, 50, 6.4, 'round', 0.6)], nose: 'rotary', tail: 'delta' },
  'sopwith-pup': SOPWITH,
  'sopwith-camel': { ...SOPWITH, wings: [upper(9, 58, 9.4, 'raked'), upper(14.4, 58, 9, 'raked')] },
  'sopwith-snipe': { ...SOPWITH, wings: [upper(9, 60, 10, 'round'), upper(15, 59, 9, 'round')] },
  'sopwith-triplane': { wings: [upper(8, 56, 6, 'raked'), upper(13, 56, 6, 'raked'), upper(18, 56, 6, 'raked')], nose: 'rotary', tail: 'delta' },
  'fokker-dr1': { wings: [upper(8.5, 56, 6.8, 'round'), upper(13.4, 50, 6.4, 'round'), upper(18.2, 46, 6.4, 'round')], nose: 'rotary', tail: 'delta' },
  'fokker-d8': { wings: [upper(10.5, 58, 10.6, 'round')], nose: 'rotary', tail: 'delta' },
  'albatros-d2': { ...ALBATROS, wings: [upper(11, 55, 9.6, 'raked'), upper(15, 53, 9, 'raked')] },
  'albatros-d3': ALBATROS,
  'albatros-d5a': ALBATROS,
  'pfalz-d3a': { wings: [upper(11, 58, 9.4, 'raked'), upper(16, 50, 7, 'round')], nose: 'inline', tail: 'comma' },
  'spad-7': SPAD,
  'spad-13': SPAD,
  'se5a': { wings: [upper(10, 56, 9.6, 'raked'), upper(15, 55, 9.2, 'raked')], nose: 'inline', tail: 'delta' },
  'hanriot-hd1': { wings: [upper(10.5, 57, 9, 'round'), upper(16.4, 49, 7.6, 'round')], nose: 'rotary', tail: 'delta' },
  'fokker-d7': FOKKER7,
  'fokker-d7f': FOKKER7,
  'siemens-d4': { wings: [upper(9.5, 55, 8.6, 'square'), upper(15, 55, 8.6, 'square')], nose: 'rotary', tail: 'comma' },
};

/** Aircraft with their own drawing, by type; `biplane` is any other. */
export const BIPLANES: Record<string, Silhouette> = { biplane: draw(SOPWITH), ...Object.fromEntries(Object.entries(PLANS).map(([id, plan]) => [id, draw(plan)])) };
