import { secretData, sensitiveValues, type Span } from './sensitive-values.ts';
import { passesLuhnCheck } from '../../protocol/luhn.ts';

/** A decimal digit of a frame and the index of its byte; `value` is -1 where the frame has no digit. */
interface Digit {
  value: number;
  place: number;
}

// ISO/IEC 7812-1: 8 to 19 digits; payment cards have 13 and more, and none begins with 0.
const CARD_DIGITS_MIN = 13;
const CARD_DIGITS_MAX = 19;

/**
 * Finds runs of digits that could be a card number: 13 to 19 digits that pass the Luhn check. Spans may overlap.
 */
function* cardDigits(digits: readonly Digit[]): Iterable<Span> {
  let run = 0;
  for (let end = 0; end < digits.length; end += 1) {
    run = digits[end]!.value < 0 ? 0 : run + 1;
    if (run < CARD_DIGITS_MIN) continue;
    const start = longestCard(digits, end, Math.min(run, CARD_DIGITS_MAX));
    if (start !== undefined) yield { start: digits[start]!.place, end: digits[end]!.place + 1 };
  }
}

/** Returns the index at which the longest card number ending at `end` starts. */
function longestCard(digits: readonly Digit[], end: number, most: number): number | undefined {
  const run = digits.slice(end - most + 1, end + 1).map(({ value }) => value);
  for (let start = 0; run.length - start >= CARD_DIGITS_MIN; start += 1) {
    if (run[start] !== 0 && passesLuhnCheck(run.slice(start).join(''))) return end - most + 1 + start;
  }
  return undefined;
}

/** Replaces a byte that is hidden. */
const HIDDEN = '··';

/** Returns a frame in upper-case hexadecimal, without cardholder data. */
type FrameMask = (frame: Uint8Array) => string;

// Shorter frames are acknowledgements: a value that continues in the next frame is still to come.
const ACKNOWLEDGEMENT_BYTES_MAX = 7;

/**
 * Creates a mask for the frames of one direction, of any protocol. It hides VERIFY data and PIN blocks, values of tags
 * with a card number, track or name, and every run of digits that could be a card number, in BCD at any nibble or as
 * text. If a value continues in the next frame, that frame is hidden as a whole.
 */
export function createFrameMask(): FrameMask {
  let unfinished = false;
  return (frame) => {
    if (unfinished && frame.length > 0) {
      const { goesOn } = hiddenIn(frame);
      if (frame.length > ACKNOWLEDGEMENT_BYTES_MAX) unfinished = goesOn;
      return HIDDEN.repeat(frame.length);
    }
    const { hidden, goesOn } = hiddenIn(frame);
    unfinished = goesOn;
    return Array.from(frame, (byte, index) =>
      hidden[index] ? HIDDEN : byte.toString(16).toUpperCase().padStart(2, '0'),
    ).join('');
  };
}

/** Returns which bytes are hidden, and whether a hidden value continues in the next frame. */
function hiddenIn(frame: Uint8Array): { hidden: Uint8Array; goesOn: boolean } {
  const hidden = new Uint8Array(frame.length);
  let goesOn = false;
  for (const { bytes, places } of viewsOf(frame)) {
    const spans: Span[] = [
      ...secretData(bytes),
      ...sensitiveValues(bytes),
      ...cardDigits(packedDigits(bytes)),
      ...cardDigits(writtenDigits(bytes)),
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
function packedDigits(bytes: Uint8Array): Digit[] {
  const digits: Digit[] = [];
  bytes.forEach((byte, place) => {
    for (const value of [byte >> 4, byte & 0xf]) digits.push({ value: value <= 9 ? value : -1, place });
  });
  return digits;
}

const SPACE = 0x20;
const HYPHEN = 0x2d;

/** Returns the ASCII digits of a frame; a space or hyphen between two of them does not end a run. */
function writtenDigits(bytes: Uint8Array): Digit[] {
  const digits: Digit[] = [];
  bytes.forEach((byte, place) => {
    const isDigit = byte >= 0x30 && byte <= 0x39;
    const separates = (byte === SPACE || byte === HYPHEN) && digits.at(-1)?.place === place - 1;
    if (isDigit || !separates) digits.push({ value: isDigit ? byte - 0x30 : -1, place });
  });
  return digits;
}
