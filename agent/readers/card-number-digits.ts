import { passesLuhnCheck } from '../../protocol/luhn.ts';
import type { Span } from './sensitive-values.ts';

/** A decimal digit of a frame and the index of its byte; `value` is -1 where the frame has no digit. */
export interface Digit {
  value: number;
  place: number;
}

// ISO/IEC 7812-1: 8 to 19 digits; payment cards have 13 and more, and none begins with 0.
const LEAST = 13;
const MOST = 19;

/**
 * Finds runs of digits that could be a card number: 13 to 19 digits that pass the Luhn check. Spans may overlap.
 */
export function* cardDigits(digits: readonly Digit[]): Iterable<Span> {
  let run = 0;
  for (let end = 0; end < digits.length; end += 1) {
    run = digits[end]!.value < 0 ? 0 : run + 1;
    if (run < LEAST) continue;
    const start = longestCard(digits, end, Math.min(run, MOST));
    if (start !== undefined) yield { start: digits[start]!.place, end: digits[end]!.place + 1 };
  }
}

/** Returns the index at which the longest card number ending at `end` starts. */
function longestCard(digits: readonly Digit[], end: number, most: number): number | undefined {
  const run = digits.slice(end - most + 1, end + 1).map(({ value }) => value);
  for (let start = 0; run.length - start >= LEAST; start += 1) {
    if (run[start] !== 0 && passesLuhnCheck(run.slice(start).join(''))) return end - most + 1 + start;
  }
  return undefined;
}
