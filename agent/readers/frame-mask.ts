import { luhnWeight, passesLuhnCheck } from '../../protocol/card-numbers.ts';

/** The decimal digits of a frame, -1 where it has none, and the index of the byte of each. */
interface Digits {
  values: number[];
  places: number[];
}

// ISO/IEC 7812-1: 8 to 19 digits; payment cards have 13 and more, and none begins with 0.
const CARD_DIGITS_MIN = 13;
const CARD_DIGITS_MAX = 19;

/**
 * Finds runs of digits that could be a card number: 13 to 19 digits that pass the Luhn check. Spans may overlap.
 */
function* cardDigits({ values, places }: Digits): Iterable<Span> {
  let run = 0;
  for (let end = 0; end < values.length; end += 1) {
    run = values[end]! < 0 ? 0 : run + 1;
    if (run < CARD_DIGITS_MIN) continue;
    const start = longestCard(values, end, Math.min(run, CARD_DIGITS_MAX));
    if (start !== undefined) yield { start: places[start]!, end: places[end]! + 1 };
  }
}

/** Returns the index at which the longest card number ending at `end` starts. */
function longestCard(values: readonly number[], end: number, most: number): number | undefined {
  let found: number | undefined;
  let sum = 0;
  for (let place = 0; place < most; place += 1) {
    const digit = values[end - place]!;
    sum += luhnWeight(digit, place);
    if (place + 1 >= CARD_DIGITS_MIN && digit !== 0 && sum % 10 === 0) found = end - place;
  }
  return found;
}

/** Numbers of cards begin so, with their lengths (ISO/IEC 7812-1): those of the networks. */
const NETWORK_NUMBER =
  /^(4\d{12}(\d{3}){0,2}|(5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15,18}|5[06-9]\d{10,17}|[89]\d{15,18})$/;

/** Counters and lengths of frames; of the numbers of cards only those of test cards have as many. */
const MANY_ZEROS = /0{6}/;

/** Returns whether bytes are text that begins with a digit: writtenFields finds the numbers in that. */
function isDigitText(bytes: Uint8Array): boolean {
  const isDigit = bytes[0]! >= 0x30 && bytes[0]! <= 0x39;
  return isDigit && bytes.every((byte) => byte >= SPACE && byte < 0x7f);
}

/** Finds numbers of the networks that begin with a byte and end with one, or with F. */
function* packedFields(bytes: Uint8Array): Iterable<Span> {
  const digits = hex(bytes);
  for (let start = 0; start < bytes.length; start += 1) {
    const [run = ''] = /^[0-9]*/.exec(digits.slice(2 * start, 2 * start + CARD_DIGITS_MAX))!;
    for (let length = CARD_DIGITS_MIN; length <= run.length; length += 1) {
      const isWhole = length % 2 === 0 || digits[2 * start + length] === 'f';
      const number = run.slice(0, length);
      const end = start + Math.ceil(length / 2);
      const isOther = MANY_ZEROS.test(number) || isDigitText(bytes.subarray(start, end));
      if (isWhole && !isOther && NETWORK_NUMBER.test(number) && passesLuhnCheck(number)) yield { start, end };
    }
  }
}

/** Finds fields of digits that are as long as a card number and could be one. */
function* writtenFields(bytes: Uint8Array): Iterable<Span> {
  const text = Buffer.from(bytes).toString('latin1');
  for (const { 0: run, index } of text.matchAll(/\d(?:[ -]?\d){12,}/g)) {
    const number = run.replaceAll(/[ -]/g, '');
    const isCard = number.length <= CARD_DIGITS_MAX && number[0] !== '0' && passesLuhnCheck(number);
    if (isCard) yield { start: index, end: index + run.length };
  }
}

/** Replaces a byte that is hidden. */
const HIDDEN = '··';

/** Returns a frame in upper-case hexadecimal, without cardholder data. */
type FrameMask = (frame: Uint8Array) => string;

interface FrameMaskOptions {
  /**
   * Where card numbers are looked for. `anywhere` also hides many numbers of other kinds; `wholeFields` is for frames
   * which have no card number by their protocol, and have to stay readable.
   */
  numbers?: 'anywhere' | 'wholeFields';
}

/** Most bytes of an acknowledgement: after it a value that continues in the next frame is still to come. */
export const ACKNOWLEDGEMENT_BYTES_MAX = 7;

/**
 * Creates a mask for the frames of one direction, of any protocol. It hides VERIFY data and PIN blocks, values of tags
 * with a card number, track or name, and every run of digits that could be a card number, in BCD at any nibble or as
 * text. If a value continues in the next frame, that frame is hidden as a whole.
 */
export function createFrameMask({ numbers = 'anywhere' }: FrameMaskOptions = {}): FrameMask {
  let unfinished = false;
  return (frame) => {
    if (unfinished && frame.length > 0) {
      const { goesOn } = hiddenIn(frame, numbers);
      if (frame.length > ACKNOWLEDGEMENT_BYTES_MAX) unfinished = goesOn;
      return HIDDEN.repeat(frame.length);
    }
    const { hidden, goesOn } = hiddenIn(frame, numbers);
    unfinished = goesOn;
    return shownBytes(frame, (index) => hidden[index] === 1);
  };
}

/** Returns bytes of a receipt in upper-case hexadecimal, without each run of digits that could be a card number. */
export function maskedReceipt(bytes: Uint8Array): string {
  const hidden = new Set<number>();
  for (const { start, end } of cardDigits(writtenDigits(bytes)))
    for (let index = start; index < end; index += 1) hidden.add(index);
  return shownBytes(bytes, (index) => hidden.has(index));
}

function shownBytes(bytes: Uint8Array, isHidden: (index: number) => boolean): string {
  return Array.from(bytes, (byte, index) =>
    isHidden(index) ? HIDDEN : byte.toString(16).toUpperCase().padStart(2, '0'),
  ).join('');
}

/** Returns which bytes are hidden, and whether a hidden value continues in the next frame. */
function hiddenIn(
  frame: Uint8Array,
  numbers: 'anywhere' | 'wholeFields',
): { hidden: Uint8Array; goesOn: boolean } {
  const hidden = new Uint8Array(frame.length);
  let goesOn = false;
  for (const { bytes, places } of viewsOf(frame)) {
    const spans: Span[] = [
      ...secretData(bytes),
      ...sensitiveValues(bytes),
      ...(numbers === 'anywhere' ? cardDigits(packedDigits(bytes)) : packedFields(bytes)),
      ...(numbers === 'anywhere' ? cardDigits(writtenDigits(bytes)) : writtenFields(bytes)),
    ];
    for (const { start, end } of spans) {
      if (end > bytes.length) goesOn = true;
      const to = places[Math.min(end, bytes.length)]!;
      for (let index = places[start]!; index < to; index += 1) hidden[index] = 1;
    }
  }
  return { hidden, goesOn };
}

/** Bytes of a frame with their indexes in it, and the index of the end. */
interface View {
  bytes: Uint8Array;
  places: number[];
}

function viewsOf(frame: Uint8Array): View[] {
  const bare = withoutStuffing(frame);
  return bare.bytes.length === frame.length ? [bare] : [asItIs(frame), bare];
}

function asItIs(frame: Uint8Array): View {
  return { bytes: frame, places: Array.from({ length: frame.length + 1 }, (_, index) => index) };
}

const DLE = 0x10;

/** Removes the doubling of DLE (10) in serial ZVT (ZVT 13.13 §1.3), since 10 may be two digits of a card number. */
function withoutStuffing(frame: Uint8Array): View {
  const bytes: number[] = [];
  const places: number[] = [];
  for (let index = 0; index < frame.length; index += 1) {
    bytes.push(frame[index]!);
    places.push(index);
    if (frame[index] === DLE && frame[index + 1] === DLE) index += 1;
  }
  places.push(frame.length);
  return { bytes: Uint8Array.from(bytes), places };
}

/** Returns the nibbles of a frame; a nibble that is not a digit ends a run. */
function packedDigits(bytes: Uint8Array): Digits {
  const digits: Digits = { values: [], places: [] };
  for (let place = 0; place < bytes.length; place += 1) {
    const byte = bytes[place]!;
    digits.values.push(digitOf(byte >> 4), digitOf(byte & 0xf));
    digits.places.push(place, place);
  }
  return digits;
}

function digitOf(value: number): number {
  return value >= 0 && value <= 9 ? value : -1;
}

const SPACE = 0x20;
const HYPHEN = 0x2d;
const ZERO = 0x30;

/** Returns the ASCII digits of a frame; a space or hyphen between two of them does not end a run. */
function writtenDigits(bytes: Uint8Array): Digits {
  const digits: Digits = { values: [], places: [] };
  for (let place = 0; place < bytes.length; place += 1) {
    const byte = bytes[place]!;
    const value = digitOf(byte - ZERO);
    const separates = (byte === SPACE || byte === HYPHEN) && digits.places.at(-1) === place - 1;
    if (value < 0 && separates) continue;
    digits.values.push(value);
    digits.places.push(place);
  }
  return digits;
}

/** Bytes from `start` to before `end`. An end beyond the frame means that the value continues in the next one. */
interface Span {
  start: number;
  end: number;
}

const VERIFY = 0x20;

/** Finds the data of VERIFY commands (EMV 4.4 Book 3 §6.5.12), in any wrapping, and plaintext PIN blocks. */
function* secretData(bytes: Uint8Array): Iterable<Span> {
  for (let at = 0; at < bytes.length; at += 1) {
    if (isPinBlock(bytes, at)) yield { start: at, end: at + PIN_BLOCK_BYTES };
    if (bytes[at + 1] !== VERIFY) continue;
    const [cla, , p1, p2, lc] = bytes.subarray(at, at + 5);
    const isVerify = (cla! & 0x70) === 0 && p1 === 0 && (p2! & 0x80) !== 0;
    if (isVerify && lc !== undefined && lc > 0) yield { start: at + 5, end: at + 5 + lc };
  }
}

const PIN_BLOCK_BYTES = 8;

/** Recognises ISO 9564-1 format 2: a 2, the number of digits, the digits, and F to the end. T=0 sends it without its command. */
function isPinBlock(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at]!;
  const count = first & 0xf;
  if (first >> 4 !== 2 || count < 4 || count > 12 || at + PIN_BLOCK_BYTES > bytes.length) return false;
  for (let place = 0; place < 14; place += 1) {
    const byte = bytes[at + 1 + (place >> 1)]!;
    const nibble = place % 2 === 0 ? byte >> 4 : byte & 0xf;
    if (place < count ? nibble > 9 : nibble !== 0xf) return false;
  }
  return true;
}

/** Tags with cardholder data (EMV 4.4 Book 3 annex A, Book C-2 §A.1), their maximum length and a check of the value. */
const TAGS: { tag: number[]; most: number; fits(value: Uint8Array): boolean }[] = [
  { tag: [0x5a], most: 10, fits: isNumber }, // application PAN
  { tag: [0x57], most: 19, fits: isTrack2 },
  { tag: [0x56], most: 76, fits: isTrack1 },
  { tag: [0x5f, 0x20], most: 26, fits: () => true }, // cardholder name
  { tag: [0x9f, 0x0b], most: 45, fits: isText }, // cardholder name, extended
  { tag: [0x9f, 0x1f], most: 127, fits: () => true }, // track 1 discretionary data
  { tag: [0x9f, 0x20], most: 127, fits: () => true }, // track 2 discretionary data
  { tag: [0x9f, 0x6b], most: 19, fits: isTrack2 }, // track 2 of a magnetic stripe mode
];

/** Finds the values of those tags anywhere in the bytes, which need not be TLV. */
function* sensitiveValues(bytes: Uint8Array): Iterable<Span> {
  for (let at = 0; at < bytes.length; at += 1) {
    for (const { tag, most, fits } of TAGS) {
      if (bytes[at] !== tag[0] || !tag.every((byte, index) => bytes[at + index] === byte)) continue;
      const span = valueAt(bytes, at + tag.length);
      if (!span || span.end - span.start > most) continue;
      // If a value continues in another frame, the end of this one may be a checksum or trailer.
      const cut = span.end > bytes.length;
      const value = bytes.subarray(span.start, cut ? span.start + 1 : span.end);
      if (value.length > 0 && fits(value)) yield span;
    }
  }
}

/** Returns the value after a BER-TLV length of one or two bytes (EMV 4.4 Book 3 annex B2). */
function valueAt(bytes: Uint8Array, at: number): Span | undefined {
  const [first, second] = bytes.subarray(at, at + 2);
  if (first === undefined || first === 0) return undefined;
  if (first < 0x80) return { start: at + 1, end: at + 1 + first };
  return first === 0x81 && second !== undefined ? { start: at + 2, end: at + 2 + second } : undefined;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function isNumber(value: Uint8Array): boolean {
  return /^[0-9]+f*$/.test(hex(value));
}

function isTrack2(value: Uint8Array): boolean {
  return /^[0-9]+(d[0-9]*)?f*$/.test(hex(value));
}

/** Track 1 begins with the code of its format, B. */
function isTrack1(value: Uint8Array): boolean {
  return isText(value) && value[0] === 0x42;
}

function isText(value: Uint8Array): boolean {
  return value.every((byte) => byte >= 0x20 && byte !== 0x7f);
}
