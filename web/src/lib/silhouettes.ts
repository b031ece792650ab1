import { BIPLANES } from './biplanes';

/** A picture made of filled paths in a box; our own drawing. */
export interface Silhouette {
  width: number;
  height: number;
  paths: string[];
  /** Contours between upper and lower parts. */
  lines?: string[];
}

// Ships from the side, bow to the right, the waterline at the lower edge.
const SHIPS: Record<string, Silhouette> = {
  battleship: {
    width: 120,
    height: 34,
    paths: [
      'M2 24 L118 22 Q116 30 108 34 L10 34 Q4 31 2 24Z',
      'M14 23v-4h4l1-3h12l1 3h3v4z M2 17.2h14v1.8H2z M33 19v-3l2-3h11l1 3v7h-14z M22 13h15v1.8H22z',
      'M48 23V13h4V8h3V3h2V0h2v3h3v5h3v5h5v10z',
      'M72 23v-8h3v-5h6v5h3v8z',
      'M86 23v-5l2-4h10l2 4v5z M95 15h16v1.8H95z M101 22v-2l2-3h7l2 3v2z M108 18h11v1.6h-11z',
    ],
  },
  carrier: {
    width: 120,
    height: 34,
    paths: ['M1 18h117l1 3-6 2 -1 4q-3 5-8 7H12q-6-3-7-9l-4-3z', 'M62 17v-6h3V6h4V1h2v5h5v3h6v3h3v5z', 'M14 17l3-2h8l1 2z M32 17l3-2h8l1 2z M96 17l3-2h8l1 2z'],
  },
  cruiser: {
    width: 100,
    height: 30,
    paths: [
      'M2 22 L98 19 Q96 27 90 30 L8 30 Q3 27 2 22Z',
      'M12 21v-3l2-3h8l2 3v3z M3 16h13v1.5H3z M24 20v-5l2-2h7l1 2v6z M13 13h13v1.4H13z',
      'M38 20V11h4V6h2V1h2v5h3v5h4v9z M56 20v-9h5v9z M64 20v-7h5v7z',
      'M72 20v-5l2-3h7l2 3v5z M80 13h14v1.4H80z',
    ],
  },
  destroyer: {
    width: 76,
    height: 24,
    paths: ['M1 17 L75 14 Q72 22 68 24 L6 24 Q2 21 1 17Z', 'M8 16v-3h6v3z M2 13h8v1.2H2z M18 16v-3h10v3z', 'M32 16V9h4V3h1.6v6H42v7z M46 15V8h4l1 7z', 'M55 15v-4h7v4z M60 11h10v1.2H60z'],
  },
  submarine: {
    width: 90,
    height: 22,
    paths: ['M1 17 Q12 13 30 13 L72 12 Q84 12 89 14 Q86 20 76 22 L20 22 Q8 21 1 17Z', 'M38 13V6h3V0h1.6v6h2V2h1.4v4h5l1 7z', 'M60 12V9h2v3z M58 8.4h10v1.2H58z'],
  },
  merchant: {
    width: 84,
    height: 30,
    paths: ['M2 18 L10 20 L72 20 L82 16 Q80 26 76 30 L8 30 Q3 25 2 18Z', 'M12 19V5h1.6v14z M9 8h8v1H9z M60 19V4h1.6v15z M57 7h8v1h-8z', 'M28 19v-8h4V7h14v4h4v8z M35 7V1h6v6z', 'M18 19v-3h7v3z M52 19v-3h7v3z M66 18v-4h8l-1 4z'],
  },
  transport: {
    width: 96,
    height: 30,
    paths: ['M2 19 L94 16 Q92 26 86 30 L8 30 Q3 25 2 19Z', 'M20 18v-5h52l4 5z M28 13V9h38l3 4z M38 9V3h5v6z M50 9V3h5v6z', 'M12 18V5h1.4v13z M84 17V5h1.4v12z'],
  },
  base: { width: 90, height: 30, paths: ['M1 30 Q10 20 22 22 Q34 12 48 18 Q62 10 74 20 Q84 22 89 30Z', 'M40 17V2h1.6v15z M42 3h14l-3 4 3 4H42z'] },
};

// Aircraft from above, nose to the top, so that they can be rotated.
const AIRCRAFT: Record<string, Silhouette> = {
  fighter: {
    width: 60,
    height: 56,
    paths: ['M30 1 Q33.5 3 33.8 12 L58 20 Q60 21 59 25 L34 27 L32.4 44 L41 49 L41 52 L30 51 L19 52 L19 49 L27.6 44 L26 27 L1 25 Q0 21 2 20 L26.2 12 Q26.5 3 30 1Z'],
  },
  bomber: {
    width: 80,
    height: 60,
    paths: ['M40 1 Q44 4 44 16 L50 17 L50 11 Q52.5 8 55 11 L55 18 L78 23 Q80 25 79 29 L44 31 L42.6 49 L54 54 L54 57 L40 56 L26 57 L26 54 L37.4 49 L36 31 L1 29 Q0 25 2 23 L25 18 L25 11 Q27.5 8 30 11 L30 17 L36 16 Q36 4 40 1Z'],
  },
  seaplane: {
    width: 70,
    height: 56,
    paths: [
      'M35 1Q38 3 38.4 13L67 15Q69.4 17 68 23L38.6 26L37 44L46 48V51L35 50L24 51V48L33 44L31.4 26L2 23Q.6 17 3 15L31.6 13Q32 3 35 1Z',
      'M17 8Q19.4 5 21.8 8L21 34Q19.4 37 17.8 34ZM48.2 8Q50.6 5 53 8L52.2 34Q50.6 37 49 34Z',
    ],
  },
};

const NAMES: Record<string, Silhouette> = {
  ...SHIPS,
  ...AIRCRAFT,
  ...BIPLANES,
  destroyers: SHIPS.destroyer!,
  convoy: SHIPS.merchant!,
  lba: AIRCRAFT.bomber!,
  aircraft: BIPLANES.biplane!,
  squadron: AIRCRAFT.fighter!,
  'fighter-squadron': AIRCRAFT.fighter!,
  'strike-squadron': AIRCRAFT.bomber!,
  scout: AIRCRAFT.seaplane!,
  'light-cruiser': SHIPS.cruiser!,
  'heavy-cruiser': SHIPS.cruiser!,
  battlecruiser: SHIPS.battleship!,
};

/** How many ships the picture of a kind shows: destroyers sail in pairs, a convoy is several ships. */
export function shipCount(kind: string): number {
  return kind === 'destroyers' || kind === 'convoy' ? 2 : 1;
}

/** Kinds that fly. */
export function flies(kind: string): boolean {
  const shape = picture(kind);
  return shape !== null && (Object.values(AIRCRAFT).includes(shape) || Object.values(BIPLANES).includes(shape));
}

/** The picture of a kind, if there is one. */
export function picture(kind: string): Silhouette | null {
  return NAMES[kind] ?? null;
}
