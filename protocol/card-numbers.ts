import { passesLuhnCheck } from './luhn.ts';

/** A stretch of a text, from its first to after its last character. */
interface TextRange {
  start: number;
  end: number;
}

// Digits as people and printers part them, with any space, dash or invisible character. A line break parts two facts,
// not a number.
const DIGIT_RUN = /[0-9](?:[\p{Zs}\p{Pd}\p{Cf}\t._]{0,2}[0-9]){12,}/gu;
const [DIGITS_MIN, DIGITS_MAX] = [13, 19];

/** Whether digits are as many and as checked as those of a card number (ISO/IEC 7812-1). */
export function isCardNumber(digits: string): boolean {
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX || digits[0] === '0') return false;
  return passesLuhnCheck(digits);
}

/**
 * What of a run of digits may be a card number: the `whole` run; or also a part of it that is as long as its first
 * digits have it (`likely`); or `any` part that passes the check.
 */
type Strictness = 'whole' | 'likely' | 'any';

/** The lengths of the networks whose cards are taken, by how their numbers begin. */
const ACCEPTED_NETWORKS = /^(?:3[47][0-9]{13}|[2456][0-9]{15})$/;

/** Whether a text has as many digits in a row as a card number has. */
export function hasLongDigitRun(text: string): boolean {
  return text.search(DIGIT_RUN) >= 0;
}

/** Whether digits are as many as their first digits have it, and pass the check. */
export function isLikelyCardNumber(digits: string): boolean {
  return ACCEPTED_NETWORKS.test(digits) && isCardNumber(digits);
}

/** Finds what could be card numbers. Those that overlap are one stretch. */
function findCardNumbers(text: string, strictness: Strictness): TextRange[] {
  return [...text.matchAll(DIGIT_RUN)].flatMap(({ 0: run, index }) => withinRun(run, index, strictness));
}

function withinRun(run: string, offset: number, strictness: Strictness): TextRange[] {
  const digits = run.replaceAll(/[^0-9]/g, '');
  if (isCardNumber(digits)) return [{ start: offset, end: offset + run.length }];
  if (strictness === 'whole') return [];
  const places = [...run.matchAll(/[0-9]/g)].map((digit) => digit.index);
  const found: TextRange[] = [];
  for (let from = 0; from + DIGITS_MIN <= digits.length; from += 1) {
    const length = longestCardNumberAt(digits, from, strictness);
    if (length === 0) continue;
    const stretch = { start: offset + places[from]!, end: offset + places[from + length - 1]! + 1 };
    const before = found.at(-1);
    if (before && stretch.start < before.end) before.end = Math.max(before.end, stretch.end);
    else found.push(stretch);
  }
  return found;
}

function longestCardNumberAt(digits: string, from: number, strictness: Strictness): number {
  for (let length = Math.min(DIGITS_MAX, digits.length - from); length >= DIGITS_MIN; length -= 1) {
    const part = digits.slice(from, from + length);
    if (strictness === 'any' ? isCardNumber(part) : isLikelyCardNumber(part)) return length;
  }
  return 0;
}

/** Replaces what could be a card number. */
export function replaceCardNumbers(
  text: string,
  strictness: Strictness,
  replace: (found: string) => string,
): string {
  let [replaced, done] = ['', 0];
  for (const { start, end } of findCardNumbers(text, strictness)) {
    replaced += text.slice(done, start) + replace(text.slice(start, end));
    done = end;
  }
  return replaced + text.slice(done);
}

/** Hides all but the last four digits of each card number, and keeps the length of the text: for receipts. */
export function maskCardNumbers(text: string, strictness: Strictness): string {
  return replaceCardNumbers(text, strictness, (found) => {
    let left = found.replaceAll(/[^0-9]/g, '').length;
    return found.replaceAll(/[0-9]/g, (digit) => (left-- > 4 ? '*' : digit));
  });
}

// A number at the start of hexadecimal digits, one or two of them for each digit.
const BCD = /^(?:3[47][0-9]{13}|[2456][0-9]{15})/;
const ASCII = /^(?:3[0-9]){13,}/;

/** Hides each byte of a card number in hexadecimal digits, written as BCD or as ASCII, by `··`. */
export function maskCardNumbersInHex(bytes: string): string {
  const hidden = new Set<number>();
  const hide = (start: number, end: number) => {
    for (let at = start - (start % 2); at < end; at += 2) hidden.add(at);
  };
  for (let at = 0; at < bytes.length; at += 2) {
    const rest = bytes.slice(at, at + 4 * DIGITS_MAX);
    const bcd = BCD.exec(rest)?.[0];
    if (bcd !== undefined && isCardNumber(bcd)) hide(at, at + bcd.length);
    const ascii = ASCII.exec(rest)?.[0].replaceAll(/3(.)/g, '$1') ?? '';
    const length = longestCardNumberAt(ascii, 0, 'likely');
    if (length > 0) hide(at, at + 2 * length);
  }
  if (hidden.size === 0) return bytes;
  return bytes.replaceAll(/../g, (byte, at: number) => (hidden.has(at) ? '··' : byte));
}
