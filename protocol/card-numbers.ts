import { wholeIdsInText } from './ids.ts';

/** Returns whether the last digit is the Luhn check digit of those before it (ISO/IEC 7812-1 Annex B). */
export function passesLuhnCheck(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    sum += luhnWeight(Number(digits[digits.length - 1 - place]), place);
  }
  return sum % 10 === 0;
}

/** Returns what a digit adds to the sum that its check digit makes a multiple of ten. @param place from the right, from 0 */
export function luhnWeight(digit: number, place: number): number {
  if (place % 2 === 0) return digit;
  return digit > 4 ? 2 * digit - 9 : 2 * digit;
}

/** A range of a text; `end` is exclusive. */
interface TextRange {
  start: number;
  end: number;
}

// Digits with the separators that people and printers use: spaces, dashes, invisible characters. A line break ends a
// number.
const DIGIT_RUN = /[0-9](?:[\p{Zs}\p{Pd}\p{Cf}\t._]{0,2}[0-9]){12,}/gu;
// As a text of any program may write one: also with slashes, line breaks or their escapes, up to four in a row.
const LOOSE_SEPARATOR = String.raw`(?:[\s\p{Pd}\p{Cf}._/\\|]|\\[nrt])`;
// Decimal digits of ASCII, full width, Arabic and Devanagari.
const ZERO = 0x30;
const ZEROS = [ZERO, 0x660, 0x6f0, 0x966, 0xff10];
const DIGIT = `[${ZEROS.map((zero) => `${String.fromCodePoint(zero)}-${String.fromCodePoint(zero + 9)}`).join('')}]`;
const ANY_DIGIT = new RegExp(DIGIT, 'gu');
// Its beginning is enough to find out whether there is one.
const LOOSE_BEGINNING = new RegExp(`${DIGIT}(?:${LOOSE_SEPARATOR}{0,4}${DIGIT}){12}`, 'u');
const LOOSE_RUN = new RegExp(`${DIGIT}(?:${LOOSE_SEPARATOR}{0,4}${DIGIT}){12,}`, 'gu');
const LOOSE_TEXT = new RegExp(`^(?:${DIGIT}|${LOOSE_SEPARATOR})+$`, 'u');
const ASCII_TEXT = new TextDecoder();
const [DIGITS_MIN, DIGITS_MAX] = [13, 19];

/** Returns whether `digits` has the length and check digit of a card number (ISO/IEC 7812-1). */
export function isCardNumber(digits: string): boolean {
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX || digits[0] === '0') return false;
  return passesLuhnCheck(digits);
}

/**
 * Which parts of a run of digits count as a card number: only the `whole` run; also a part with the prefix and length
 * of an accepted network (`likely`); or `any` part with a valid check digit.
 */
type Strictness = 'whole' | 'likely' | 'any';

/** Prefixes and lengths of the accepted networks. */
const ACCEPTED_NETWORKS = /^(?:3[47][0-9]{13}|[2456][0-9]{15})$/;

/** Returns whether a text contains a run of at least 13 digits, however they are separated. */
export function hasLongDigitRun(text: string): boolean {
  return hasManyDigits(text) && LOOSE_BEGINNING.test(text);
}

/** Returns the decimal digits in a text, of any script that a card number may be written in, as those of ASCII. */
export function digitsOf(text: string): string {
  return digitsWithPlaces(text).digits;
}

/** Returns whether a text has digits and what may separate those of a card number, and nothing else. */
export function areDigitsAndSeparators(text: string): boolean {
  return LOOSE_TEXT.test(text);
}

/** Returns a text with another character in place of each digit. */
export function hideDigits(text: string, instead: string): string {
  return text.replaceAll(ANY_DIGIT, instead);
}

function valueOf(code: number): number {
  return code - (code < 0x660 ? ZERO : ZEROS.findLast((zero) => code >= zero)!);
}

/** Returns whether `digits` has the prefix, length and check digit of an accepted network. */
function isLikelyCardNumber(digits: string): boolean {
  return ACCEPTED_NETWORKS.test(digits) && isCardNumber(digits);
}

// Its digits together, or in the groups of a card with one separator between them. Looked at from each place, since a
// group before the number may look like its first.
const SIXTEEN = '[0-9]{4}([ -])[0-9]{4}\\2[0-9]{4}\\2[0-9]{4}';
const FIFTEEN = '3[0-9]{3}([ -])[0-9]{6}\\3[0-9]{5}';
const WRITTEN = new RegExp(
  `(?<![0-9])(?=([0-9]{15,16}(?![0-9])|(?:${SIXTEEN}|${FIFTEEN})(?![0-9A-Za-z])))`,
  'g',
);

/**
 * Returns whether a text contains a card number of an accepted network as people write one. Fields that stand one after another,
 * such as a code and a date, are none, whatever their digits are together.
 */
export function hasWrittenCardNumber(text: string): boolean {
  if (!hasManyDigits(text)) return false;
  return [...text.matchAll(WRITTEN)].some((found) => isLikelyCardNumber(digitsOf(found[1]!)));
}

/** Why a report of a terminal is shown as refused that is used, with its card numbers masked. */
export const CARD_NUMBER_MASKED = 'it had a card number, which was masked. It is used';

// The smallest number of an accepted network has 15 digits.
const SMALLEST_ACCEPTED = 1e14;

/** Returns whether the whole part of a number has the digits of a card number of an accepted network. */
export function isLikelyCardNumberAsNumber(value: number): boolean {
  const whole = Math.trunc(Math.abs(value));
  return whole >= SMALLEST_ACCEPTED && isLikelyCardNumber(whole.toFixed(0));
}

/** Returns whether a text has as many digits as a card number, which costs less than the search for a run of them. */
function hasManyDigits(text: string): boolean {
  if (text.length < DIGITS_MIN) return false;
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code) && ++digits === DIGITS_MIN) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  if (code < 0x660) return code >= 0x30 && code <= 0x39;
  return ZEROS.some((zero) => code >= zero && code <= zero + 9);
}

/** Finds possible card numbers. Overlapping ones are merged. */
function findCardNumbers(text: string, strictness: Strictness, runs = DIGIT_RUN): TextRange[] {
  if (!hasManyDigits(text)) return [];
  return [...text.matchAll(runs)].flatMap(({ 0: run, index }) => withinRun(run, index, strictness));
}

function withinRun(run: string, offset: number, strictness: Strictness): TextRange[] {
  const { digits, places } = digitsWithPlaces(run);
  if (isCardNumber(digits)) return [{ start: offset, end: offset + run.length }];
  if (strictness === 'whole') return [];
  const lengthAt = cardNumberLengths(digits, strictness);
  const found: TextRange[] = [];
  for (let from = 0; from + DIGITS_MIN <= digits.length; from += 1) {
    const length = lengthAt(from);
    if (length === 0) continue;
    const [start, end] = [offset + places[from]!, offset + places[from + length - 1]! + 1];
    const before = found.at(-1);
    if (before && start < before.end) before.end = Math.max(before.end, end);
    else found.push({ start, end });
  }
  return found;
}

/** Returns the digits in a text as `digitsOf` does, and where each of them is. */
function digitsWithPlaces(text: string): { digits: string; places: Uint32Array } {
  const [codes, places] = [new Uint8Array(text.length), new Uint32Array(text.length)];
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) continue;
    codes[count] = ZERO + valueOf(code);
    places[count++] = at;
  }
  return { digits: ASCII_TEXT.decode(codes.subarray(0, count)), places };
}

/**
 * Returns a function that finds the length of the longest card number that begins at a place among digits; 0 for none.
 * Both sums of ISO/IEC 7812-1 are made once for all places, so that each part takes one comparison: a megabyte of digits
 * has seven million parts.
 */
function cardNumberLengths(digits: string, strictness: Strictness): (from: number) => number {
  const sums = [weightedSums(digits, 0), weightedSums(digits, 1)];
  const isNumber = (from: number, end: number) => {
    const sum = sums[(end - 1) % 2]!;
    return sum[end] === sum[from] && isAccepted(digits, { from, end, strictness });
  };
  return (from) => {
    if (digits[from] === '0') return 0;
    for (let length = Math.min(DIGITS_MAX, digits.length - from); length >= DIGITS_MIN; length -= 1)
      if (isNumber(from, from + length)) return length;
    return 0;
  };
}

function isAccepted(
  digits: string,
  { from, end, strictness }: { from: number; end: number; strictness: Strictness },
): boolean {
  return strictness === 'any' || ACCEPTED_NETWORKS.test(digits.slice(from, end));
}

/**
 * Returns the last digits of the sums of the digits before each place, of which those are doubled that are not at `plain`
 * of two places.
 */
function weightedSums(digits: string, plain: number): Uint8Array {
  const sums = new Uint8Array(digits.length + 1);
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(at) - ZERO;
    const doubled = digit > 4 ? 2 * digit - 9 : 2 * digit;
    sums[at + 1] = (sums[at]! + (at % 2 === plain ? digit : doubled)) % 10;
  }
  return sums;
}

/** Replaces each possible card number by the result of `replace`. */
function replaceCardNumbers(
  text: string,
  strictness: Strictness,
  replace: (found: string) => string,
  runs = DIGIT_RUN,
): string {
  const found = findCardNumbers(text, strictness, runs);
  if (found.length === 0) return text;
  let [replaced, done] = ['', 0];
  for (const { start, end } of found) {
    replaced += text.slice(done, start) + replace(text.slice(start, end));
    done = end;
  }
  return replaced + text.slice(done);
}

/** Replaces each possible card number, but leaves ids as they are, whose digits may look like one. */
export function replaceCardNumbersBesideIds(text: string, replace: (digits: string) => string): string {
  if (!hasLongDigitRun(text)) return text;
  const replaceIn = (part: string) =>
    replaceCardNumbers(part, 'any', (found) => replace(digitsOf(found)), LOOSE_RUN);
  const ids = text.match(wholeIdsInText()) ?? [];
  const parts = text.split(wholeIdsInText());
  return parts.map((part, index) => replaceIn(part) + (ids[index] ?? '')).join('');
}

const LAST_FOUR = /[0-9](?:[^0-9]*[0-9]){3}[^0-9]*$/;

/** Masks all but the last four digits of each card number. Keeps the length of the text, for receipts. */
export function maskCardNumbers(text: string, strictness: Strictness): string {
  if (!hasManyDigits(text)) return text;
  return replaceCardNumbers(text, strictness, (found) => {
    const shown = found.search(LAST_FOUR);
    return found.slice(0, shown).replaceAll(/[0-9]/g, '*') + found.slice(shown);
  });
}

// A card number at the start of hexadecimal text, as BCD or as ASCII.
const BCD = /^(?:3[47][0-9]{13}|[2456][0-9]{15})/;
const ASCII = /^(?:3[0-9]){13,}/;

/** Masks each byte of a card number in hexadecimal text by `··`. Finds numbers in BCD and ASCII. */
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
    const length = cardNumberLengths(ascii, 'likely')(0);
    if (length > 0) hide(at, at + 2 * length);
  }
  if (hidden.size === 0) return bytes;
  return bytes.replaceAll(/../g, (byte, at: number) => (hidden.has(at) ? '··' : byte));
}
