// The types of everything on the wire, made from the server's OpenAPI document (`npm run wire`), and a few names that
// only the client uses.
export type * from './api';

export type Json = unknown;
export type Point = [number, number];
/** The odds of each field of a result: dotted name, value as text, chance as `a/b`. */
export type FieldOdds = Record<string, Record<string, string>>;
