/** An exact fraction `a/b` of whole numbers of any size. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** Parses `a/b` or `a`; null for anything else. */
export function parseFraction(text: string): Fraction | null {
  const match = /^(-?\d+)(?:\/(\d+))?$/.exec(text.trim());
  if (!match) return null;
  const denominator = BigInt(match[2] ?? '1');
  if (denominator === 0n) return null;
  return { numerator: BigInt(match[1]!), denominator };
}

/** An approximation for drawing, however many digits the fraction has. */
function approximate(fraction: Fraction): number {
  const scale = 1_000_000_000_000n;
  return Number((fraction.numerator * scale) / fraction.denominator) / Number(scale);
}

/** A fraction in text as a number; 0 for anything else. */
export function share(text: string): number {
  const fraction = parseFraction(text);
  return fraction ? approximate(fraction) : 0;
}

/** Per cent with one decimal, rounded exactly; only 0 is shown as 0% and only 1 as 100%. */
export function percent(text: string): string {
  const fraction = parseFraction(text);
  if (!fraction) return text;
  const { numerator, denominator } = fraction;
  if (numerator === 0n) return '0%';
  if (numerator === denominator) return '100%';
  const tenths = (numerator * 2000n + denominator) / (denominator * 2n);
  if (tenths === 0n) return '< 0.1%';
  if (tenths === 1000n) return '> 99.9%';
  return `${tenths / 10n}.${tenths % 10n}%`;
}

/** A fraction, shortened in the middle if it is too long to read; nothing where its percentage says it all. */
export function short(text: string, longest = 15): string {
  const fraction = parseFraction(text);
  if (fraction && (fraction.numerator === 0n || fraction.numerator === fraction.denominator)) return '';
  return text.length <= longest ? text : `${text.slice(0, 5)}…/…${text.slice(-5)}`;
}

/** The approximate mean of a distribution over whole numbers; null if a value is not a whole number. */
export function mean(distribution: Record<string, string>): number | null {
  let sum = 0;
  for (const [value, chance] of Object.entries(distribution)) {
    if (!/^-?\d+$/.test(value)) return null;
    sum += Number(value) * share(chance);
  }
  return Object.keys(distribution).length > 0 ? sum : null;
}
