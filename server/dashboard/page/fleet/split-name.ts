// More digits than a fleet has terminals.
const DIGITS_MAX = 6;

/** Splits a name before the number at its end, which distinguishes it from others and is never clipped. */
export function splitName(name: string): [start: string, number: string] {
  const digits = /\d*$/.exec(name)![0].slice(-DIGITS_MAX);
  return [name.slice(0, name.length - digits.length), digits];
}
