import type { Field, Json, Shape } from '../wire/types';

type Obj = { [key: string]: Json };

export function isObject(value: Json | undefined): value is Obj {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Abbreviations that the rulebooks write in capitals. */
const LETTERS = new Set([
  'aa',
  'ac',
  'acf',
  'asw',
  'cap',
  'crf',
  'ct',
  'ctl',
  'cv',
  'dc',
  'dm',
  'drm',
  'fc',
  'gm',
  'ip',
  'lba',
  'lrf',
  'mrf',
  'rl',
  'rrr',
  'sd',
  'sv',
  'tvr',
  'vp',
  'zoc',
]);

/** A field name in words; people know things by name. */
export function humanize(name: string): string {
  if (name === 'id') return 'Name';
  const words = name
    .replaceAll(/[a-z0-9]+/g, (word) => (LETTERS.has(word) ? word.toUpperCase() : word))
    .replaceAll(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A code such as `damaged-and-disabled` in words; any other text unchanged. */
export function readable(text: string): string {
  return /^[a-z0-9]+([-_][a-z0-9]+)+$/.test(text)
    ? text.replaceAll(/[-_]/g, ' ')
    : text === 'true'
      ? 'yes'
      : text === 'false'
        ? 'no'
        : text;
}

/** A tagged shape as the record for its present tag; any other shape unchanged. */
export function plain(shape: Shape, value: Json | undefined): Shape {
  if (shape.kind !== 'tagged') return shape;
  const word = isObject(value) ? value[shape.tag] : undefined;
  const kind = shape.kinds.find((one) => typeof word === 'string' && one.words.includes(word)) ?? shape.kinds[0];
  const tag: Field = {
    name: shape.tag,
    help: shape.help,
    shape: { kind: 'word', words: shape.kinds.flatMap((one) => one.words) },
    need: 'required',
  };
  return { kind: 'record', fields: [tag, ...(kind?.fields ?? [])] };
}

/** Fits a tagged object to its new tag: drops fields of the old kind and adds required ones. */
export function retag(shape: Shape, value: Json): Json {
  const record = plain(shape, value);
  if (shape.kind !== 'tagged' || record.kind !== 'record' || !isObject(value)) return value;
  const out: Obj = {};
  for (const field of record.fields) {
    const given = value[field.name];
    if (given !== undefined) out[field.name] = given;
    else if (field.need === 'required') out[field.name] = initial(field.shape);
  }
  return out;
}

/** The smallest value of a shape, to start a form with. */
export function initial(shape: Shape): Json {
  switch (shape.kind) {
    case 'bool':
      return false;
    case 'int':
      return Math.min(Math.max(0, shape.min), shape.max);
    case 'text':
      return '';
    case 'word':
      return shape.words[0] ?? '';
    case 'list':
      return Array.from({ length: shape.min }, () => initial(shape.of));
    case 'tuple':
      return shape.of.map(initial);
    case 'map':
      return {};
    case 'record':
      return Object.fromEntries(
        shape.fields.filter((field) => field.need === 'required').map((field) => [field.name, initial(field.shape)]),
      );
    case 'tagged':
      return initial(plain(shape, undefined));
    case 'nullable':
      return null;
    case 'either':
      return shape.of[0] ? initial(shape.of[0]) : null;
  }
}

/** The default of a field. */
export function defaultOf(field: Field): Json | undefined {
  return typeof field.need === 'object' ? field.need.default : undefined;
}

/** Whether a value's JSON type fits a shape. */
export function fits(shape: Shape, value: Json): boolean {
  switch (shape.kind) {
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'number';
    case 'text':
    case 'word':
      return typeof value === 'string';
    case 'list':
    case 'tuple':
      return Array.isArray(value);
    case 'map':
    case 'record':
    case 'tagged':
      return isObject(value);
    case 'nullable':
      return value === null || fits(shape.of, value);
    case 'either':
      return shape.of.some((one) => fits(one, value));
  }
}

/** Obvious errors in a value, by path, to show at once. The server decides. */
export function faults(shape: Shape, value: Json | undefined, path = ''): Record<string, string> {
  const out: Record<string, string> = {};
  const say = (text: string) => (out[path] = text);
  if (value === undefined) {
    say('is missing');
    return out;
  }
  switch (shape.kind) {
    case 'int':
      if (typeof value !== 'number' || !Number.isInteger(value)) say('must be a whole number');
      else if (value < shape.min || value > shape.max) say(`must be between ${shape.min} and ${shape.max}`);
      break;
    case 'bool':
      if (typeof value !== 'boolean') say('must be yes or no');
      break;
    case 'text':
      if (typeof value !== 'string') say('must be text');
      else if ([...value].length > shape.max) say(`must have at most ${shape.max} characters`);
      break;
    case 'word':
      if (typeof value !== 'string' || !shape.words.includes(value)) say(`must be one of ${shape.words.join(', ')}`);
      break;
    case 'list':
      if (!Array.isArray(value)) say('must be a list');
      else {
        if (value.length < shape.min) say(`needs at least ${shape.min}`);
        if (value.length > shape.max) say(`allows at most ${shape.max}`);
        value.forEach((item, at) => Object.assign(out, faults(shape.of, item, join(path, at))));
      }
      break;
    case 'tuple':
      if (!Array.isArray(value) || value.length !== shape.of.length) say(`must have ${shape.of.length} items`);
      else shape.of.forEach((one, at) => Object.assign(out, faults(one, value[at], join(path, at))));
      break;
    case 'map':
      if (!isObject(value)) say('must have named entries');
      else for (const [key, item] of Object.entries(value)) Object.assign(out, faults(shape.of, item, join(path, key)));
      break;
    case 'record':
      if (!isObject(value)) say('must have fields');
      else
        for (const field of shape.fields) {
          const given = value[field.name];
          if (given === undefined && field.need !== 'required') continue;
          Object.assign(out, faults(field.shape, given, join(path, field.name)));
        }
      break;
    case 'tagged':
      Object.assign(out, faults(plain(shape, value), value, path));
      break;
    case 'nullable':
      if (value !== null) Object.assign(out, faults(shape.of, value, path));
      break;
    case 'either': {
      const fit = shape.of.find((one) => fits(one, value));
      if (fit) Object.assign(out, faults(fit, value, path));
      else say('has the wrong form');
    }
  }
  return out;
}

function join(path: string, part: string | number): string {
  return path === '' ? String(part) : `${path}.${part}`;
}

/** A whole number in a value, with its limits. */
export interface IntPath {
  path: (string | number)[];
  value: number;
  min: number;
  max: number;
}

/** The path of a number in words. */
export const pathName = ({ path }: IntPath): string =>
  path.map((part) => (typeof part === 'number' ? part + 1 : humanize(part))).join(' › ');

/** Every whole number in a value, in order; missing fields count with their default. */
export function intPaths(shape: Shape, value: Json | undefined, path: (string | number)[] = []): IntPath[] {
  if (value === undefined) return [];
  switch (shape.kind) {
    case 'int':
      return typeof value === 'number' ? [{ path, value, min: shape.min, max: shape.max }] : [];
    case 'list':
      return Array.isArray(value) ? value.flatMap((item, at) => intPaths(shape.of, item, [...path, at])) : [];
    case 'tuple':
      return Array.isArray(value) ? shape.of.flatMap((one, at) => intPaths(one, value[at], [...path, at])) : [];
    case 'map':
      return isObject(value)
        ? Object.entries(value).flatMap(([key, item]) => intPaths(shape.of, item, [...path, key]))
        : [];
    case 'record':
      return isObject(value)
        ? shape.fields.flatMap((field) =>
            intPaths(field.shape, value[field.name] ?? defaultOf(field), [...path, field.name]),
          )
        : [];
    case 'tagged':
      return intPaths(plain(shape, value), value, path);
    case 'nullable':
      return intPaths(shape.of, value === null ? undefined : value, path);
    case 'either': {
      const fit = shape.of.find((one) => fits(one, value));
      return fit ? intPaths(fit, value, path) : [];
    }
    default:
      return [];
  }
}

/** Replaces the value at a path; everything else is shared with the original. */
export function put(value: Json | undefined, path: (string | number)[], next: Json): Json {
  const [head, ...rest] = path;
  if (head === undefined) return next;
  if (typeof head === 'number') {
    const list = Array.isArray(value) ? [...value] : [];
    list[head] = put(list[head], rest, next);
    return list;
  }
  const object = isObject(value) ? value : {};
  return { ...object, [head]: put(object[head], rest, next) };
}

/** A whole number changed by −1, 0 and +1, as far as its limits let it. */
export function neighbours(value: Json, at: IntPath): { step: -1 | 0 | 1; value: Json }[] {
  return ([-1, 0, 1] as const)
    .filter((step) => at.value + step >= at.min && at.value + step <= at.max)
    .map((step) => ({ step, value: step === 0 ? value : put(value, at.path, at.value + step) }));
}

/** Fits a kept value to a shape by dropping unknown fields; undefined if it does not fit. */
export function adapt(shape: Shape, value: Json): Json | undefined {
  switch (shape.kind) {
    case 'record': {
      if (!isObject(value)) return undefined;
      const out: Obj = {};
      for (const field of shape.fields) {
        const given = value[field.name];
        const taken = given === undefined ? undefined : adapt(field.shape, given);
        if (taken !== undefined) out[field.name] = taken;
        else if (field.need === 'required') return undefined;
      }
      return Object.keys(out).length > 0 ? out : undefined;
    }
    case 'list': {
      if (!Array.isArray(value)) return undefined;
      const items = value.map((item) => adapt(shape.of, item)).filter((item): item is Json => item !== undefined);
      return items.length === value.length && items.length >= shape.min && items.length <= shape.max
        ? items
        : undefined;
    }
    case 'tuple': {
      if (!Array.isArray(value) || value.length !== shape.of.length) return undefined;
      const items = shape.of.map((one, at) => adapt(one, value[at]!));
      return items.every((item) => item !== undefined) ? (items as Json[]) : undefined;
    }
    case 'map': {
      if (!isObject(value)) return undefined;
      const entries = Object.entries(value).map(([key, item]) => [key, adapt(shape.of, item)] as const);
      return entries.every(([, item]) => item !== undefined) ? (Object.fromEntries(entries) as Obj) : undefined;
    }
    case 'tagged':
      return adapt(plain(shape, value), value);
    case 'nullable':
      return value === null ? null : adapt(shape.of, value);
    case 'either':
      for (const one of shape.of) {
        const taken = fits(one, value) ? adapt(one, value) : undefined;
        if (taken !== undefined) return taken;
      }
      return undefined;
    default:
      return Object.keys(faults(shape, value)).length === 0 ? value : undefined;
  }
}

/** The name of an object, if it has one. */
export function givenName(value: Json): string {
  const key = isObject(value)
    ? ['name', 'id', 'unit', 'title', 'attacker', 'target', 'type', 'nation', 'kind'].find(
        (one) => typeof value[one] === 'string' && value[one] !== '',
      )
    : undefined;
  return key !== undefined && isObject(value) ? readable(String(value[key])) : '';
}

/** A short name for a kept object. */
export function nameOf(value: Json): string {
  if (isObject(value)) return givenName(value) || Object.keys(value).slice(0, 3).join(', ');
  if (Array.isArray(value)) return `${value.length} × ${value[0] === undefined ? 'nothing' : nameOf(value[0])}`;
  return String(value);
}
