// The types of everything on the wire, as the server's serde attributes write them.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Side = 'first' | 'second';
export type Seat = number;
/** A rule's id: `R-12`. */
export type Rule = string;
export type Point = [number, number];

export interface Scene {
  title: string;
  status: string[];
  surface: Surface;
  pieces: Piece[];
  rings?: Ring[];
  tracks?: Track[];
  arrows?: Arrow[];
  panels?: Panel[];
}

export type Surface =
  | { kind: 'boxes'; boxes: BoxArea[] }
  | { kind: 'plane'; min: Point; max: Point; marks: PlaneMark[] }
  | { kind: 'hexes'; width: number; height: number; cells: Point[]; labels: [number, number, string][] };

export interface BoxArea {
  id: string;
  title: string;
  side?: Side;
  note?: string;
  weight: number;
}

export interface PlaneMark {
  label: string;
  side?: Side;
  from: Point;
  to: Point;
}

export type Place = { box: string } | { point: Point };

export interface Piece {
  id: string;
  name: string;
  side?: Side;
  kind: string;
  place: Place;
  facing?: number;
  size?: Point;
  badges?: Badge[];
  states?: string[];
  text: string;
}

export interface Badge {
  label: string;
  value: string;
  title: string;
}

export interface Ring {
  at: Point;
  radius: number;
  label: string;
  side?: Side;
  piece?: string;
}

export interface Track {
  points: Point[];
  label: string;
  side?: Side;
  piece?: string;
}

export interface Arrow {
  from: string;
  to: string;
  label: string;
  side?: Side;
}

export interface Panel {
  title: string;
  side?: Side;
  rows: string[][];
  header: boolean;
}

export interface Prompt {
  code: string;
  text: string;
  rule?: Rule;
  confirm: boolean;
  missing?: string[];
}

export interface OptionView {
  value: Json;
  label: string;
  pieces?: string[];
}

export interface FormItem {
  id: string;
  label: string;
  options: OptionView[];
}

export type Form =
  | { kind: 'pick' }
  | { kind: 'assign'; items: FormItem[]; none: string }
  | { kind: 'subset'; items: FormItem[]; min: number; max: number }
  | { kind: 'numbers'; items: FormItem[]; limits: [number, number][]; total: number | null }
  | { kind: 'points'; piece: string | null; max: number; reach: number | null; template: Json }
  | { kind: 'choices'; ways: [string, Form][] }
  | { kind: 'json'; example: Json };

export interface SeatQuestion {
  seat: Seat;
  prompt: Prompt;
  options: OptionView[];
  form: Form;
}

export interface Modifier {
  name: string;
  value: number;
  rule?: Rule;
}

export interface TableReading {
  table: string;
  row: string;
  column: string;
}

export interface Note {
  what: string;
  text: string;
  rules?: Rule[];
  table?: TableReading;
  dice?: number[];
  modifiers?: Modifier[];
  outcome?: Json;
  pieces?: string[];
  detail: boolean;
  only?: Json;
}

export interface LogEntry extends Note {
  number: number;
  at: number;
}

export interface Waiting {
  seats: Seat[];
  secret: boolean;
  /** How many, the sides of the die, what for. */
  dice?: [number, number, string];
}

export interface Outcome {
  winner: Side | null;
  level: string;
  points: [number, number];
  summary: string;
  details: Json;
}

export interface Situation {
  at: number;
  view: Json;
  scene: Scene;
  question: SeatQuestion | null;
  waiting: Waiting;
  can_undo: boolean;
  outcome: Outcome | null;
}

export interface Chancy {
  label: string;
  chance: string;
}

export interface Insight {
  title: string;
  basis: string;
  chances?: Chancy[];
  lines?: string[];
}

export interface Refusal {
  code: string;
  message: string;
  rule?: Rule;
  remedy?: string;
  also?: Refusal[];
}

export interface SeatInfo {
  id: string;
  name: string;
  side: Side;
}

export interface ScenarioInfo {
  id: string;
  title: string;
  brief: string;
  group: string;
  seats: SeatInfo[];
}

export type Need = 'required' | 'optional' | { default: Json };

export interface Field {
  name: string;
  help: string;
  shape: Shape;
  need: Need;
}

export type Shape =
  | { kind: 'bool' }
  | { kind: 'int'; min: number; max: number }
  | { kind: 'text'; max: number }
  | { kind: 'word'; words: string[] }
  | { kind: 'list'; of: Shape; min: number; max: number }
  | { kind: 'tuple'; of: Shape[] }
  | { kind: 'map'; of: Shape; max: number }
  | { kind: 'record'; fields: Field[] }
  | { kind: 'nullable'; of: Shape }
  | { kind: 'either'; of: Shape[] };

export interface About {
  name: string;
  help: string;
  dice: string;
  input: Shape;
  result: Shape;
  rules: Rule[];
}

export interface SystemBrief {
  id: string;
  title: string;
  blurb: string;
  edition: string;
  scenarios: ScenarioInfo[];
  procedures: { name: string; help: string }[];
}

export interface SystemDetail extends Omit<SystemBrief, 'procedures'> {
  rules: { id: string; title: string }[];
  procedures: About[];
}

export interface PlayerInfo {
  id: string;
  title: string;
  help: string;
}

export interface Rolled {
  die: string;
  face: number;
  for: string;
}

export interface Ruling {
  result: Json;
  rolls: Rolled[];
  trace: Note[];
}

export type FieldOdds = Record<string, Record<string, string>>;

export interface SeatMeta {
  seat: Seat;
  id: string;
  name: string;
  side: Side;
  kind: 'human' | 'computer';
  player?: string | null;
}

export interface GameMeta {
  system: string;
  scenario: string;
  title: string;
  seats: SeatMeta[];
  dice: string;
  commitment?: string | null;
  created: string | number;
  spectators: boolean;
}

export interface ChatLine {
  at: string | number;
  from: string;
  text: string;
}

export interface GameState {
  game: string;
  meta: GameMeta;
  you: { seat: Seat } | 'spectator' | 'everything';
  situation: Situation;
  log: LogEntry[];
  chat: ChatLine[];
  notes?: string | null;
  clock?: Json;
  draw_offer: Seat | null;
  thinking: Seat[];
}

export interface Created {
  game: string;
  seats: { seat: Seat; token: string; link: string }[];
  spectate: string;
}

export interface Verdict {
  entries: number;
  rolls_proved: number;
  dice: string;
  outcome: Outcome | null;
}
