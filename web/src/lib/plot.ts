import { mean, share } from './fraction';

/** A distribution to draw: its values in order, with their chances in each variant. */
export interface Plot {
  field: string;
  numeric: boolean;
  values: string[];
  /** The chance of each value in each variant as `a/b`; `0/1` for an impossible value. */
  chances: string[][];
  means: (number | null)[];
  /** The largest chance, for the scale. */
  top: number;
}

const NUMBER = /^-?\d+$/;

/** Lines up the distributions of a field. */
export function plot(field: string, variants: (Record<string, string> | undefined)[]): Plot {
  const all = [...new Set(variants.flatMap((one) => Object.keys(one ?? {})))];
  const numeric = all.length > 0 && all.every((value) => NUMBER.test(value));
  const values = numeric ? all.sort((a, b) => Number(a) - Number(b)) : all;
  const chances = variants.map((one) => values.map((value) => one?.[value] ?? '0/1'));
  return {
    field,
    numeric,
    values,
    chances,
    means: variants.map((one) => mean(one ?? {})),
    top: Math.max(0, ...chances.flat().map(share)),
  };
}

/** Whether a field varies, by chance or between variants. */
export function varies(one: Plot): boolean {
  return one.values.length > 1;
}

/** The exact chance of at least each value, as fractions. */
export function atLeast(one: Plot, variant: number): string[] {
  let numerator = 0n;
  let denominator = 1n;
  const out: string[] = [];
  for (const text of [...(one.chances[variant] ?? [])].reverse()) {
    const [a = '0', b = '1'] = text.split('/');
    numerator = numerator * BigInt(b) + BigInt(a) * denominator;
    denominator *= BigInt(b);
    const divisor = gcd(numerator, denominator);
    numerator /= divisor;
    denominator /= divisor;
    out.unshift(`${numerator}/${denominator}`);
  }
  return out;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}
