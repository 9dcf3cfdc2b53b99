import type { Span } from './trace-values.ts';

/** A digit and the byte that it stands in; -1 for what is none. */
export interface Digit {
  value: number;
  place: number;
}

// ISO/IEC 7812-1: 8 to 19 digits; payment cards have 13 and more, and none begins with 0.
const LEAST = 13;
const MOST = 19;

/** Where digits in a row could be a card number: as many, and with its check digit. A shorter one may be in a longer. */
export function* cardDigits(digits: readonly Digit[]): Iterable<Span> {
  let run = 0;
  for (let end = 0; end < digits.length; end += 1) {
    run = digits[end]!.value < 0 ? 0 : run + 1;
    if (run < LEAST) continue;
    const start = longestCard(digits, end, Math.min(run, MOST));
    if (start !== undefined) yield { start: digits[start]!.place, end: digits[end]!.place + 1 };
  }
}

/** Where the longest card number begins that ends at `end`; the check digit counts from there (ISO/IEC 7812-1 annex B). */
function longestCard(digits: readonly Digit[], end: number, most: number): number | undefined {
  let longest: number | undefined;
  let sum = 0;
  for (let length = 1; length <= most; length += 1) {
    const { value } = digits[end - length + 1]!;
    sum += length % 2 === 1 ? value : value > 4 ? 2 * value - 9 : 2 * value;
    if (length >= LEAST && value !== 0 && sum % 10 === 0) longest = end - length + 1;
  }
  return longest;
}
