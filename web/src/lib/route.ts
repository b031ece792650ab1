import type { Json } from '../wire/types';

/** An address: the parts of the path after `#/`, and the query after `?`. */
export interface Route {
  path: string[];
  query: Record<string, string>;
}

/** Parses the hash of an address. */
export function parseHash(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return {
    path: path.split('/').filter(Boolean).map(decode),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The hash for a path and query. */
export function href(path: string[], query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const search = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`;
}

/** The address of a rule. */
export function ruleHref(system: string, rule: string): string {
  return href(['rules', system, rule]);
}

/** Encodes a JSON value for an address. */
export function pack(value: Json): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Decodes a packed value; undefined if it is not one. */
export function unpack(text: string | undefined): Json | undefined {
  if (!text) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))) as Json;
  } catch {
    return undefined;
  }
}
