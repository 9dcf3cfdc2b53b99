import { cardDigits, type Digit } from './card-number-digits.ts';
import { secretData, sensitiveValues, type Span } from './sensitive-values.ts';

/** What stands for a byte that is not shown. */
const HIDDEN = '··';

/** A frame as it may be shown: upper-case hexadecimal, without what is a cardholder's. */
type FrameMask = (frame: Uint8Array) => string;

// Shorter frames acknowledge, and say nothing of a card: what an earlier one left unfinished is still to come.
const ACKNOWLEDGEMENT_BYTES_MAX = 7;

/**
 * A mask for the frames of one direction of a line, whatever the protocol: it hides the data of VERIFY and PIN
 * blocks, the values of tags that hold a card number, a track or a name, and every run of digits that could be a card
 * number, packed in BCD at any nibble or as text. Where a value goes on in the next frame, that is hidden whole.
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

/** Which bytes are hidden, and whether the next frame goes on with something that is. */
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

/** Bytes of a frame, each with its place in it; one more place for the end. */
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

/** Serial ZVT sends a DLE of the data twice (ZVT 13.13 §1.3), and 10 is two digits of a card number too. */
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

/** The nibbles of a frame; what is no digit ends a run. */
function packedDigits(bytes: Uint8Array): Digit[] {
  const digits: Digit[] = [];
  bytes.forEach((byte, place) => {
    for (const value of [byte >> 4, byte & 0xf]) digits.push({ value: value <= 9 ? value : -1, place });
  });
  return digits;
}

const SPACE = 0x20;
const HYPHEN = 0x2d;

/** The digits that a frame has as text; a space or a hyphen between two of them does not end a run. */
function writtenDigits(bytes: Uint8Array): Digit[] {
  const digits: Digit[] = [];
  bytes.forEach((byte, place) => {
    const isDigit = byte >= 0x30 && byte <= 0x39;
    const separates = (byte === SPACE || byte === HYPHEN) && digits.at(-1)?.place === place - 1;
    if (isDigit || !separates) digits.push({ value: isDigit ? byte - 0x30 : -1, place });
  });
  return digits;
}
