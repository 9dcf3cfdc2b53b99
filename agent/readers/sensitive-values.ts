/** Bytes from `start` to before `end`. An end beyond the frame means that the value continues in the next one. */
export interface Span {
  start: number;
  end: number;
}

const VERIFY = 0x20;

/** Finds the data of VERIFY commands (EMV 4.4 Book 3 §6.5.12), in any wrapping, and plaintext PIN blocks. */
export function* secretData(bytes: Uint8Array): Iterable<Span> {
  for (let at = 0; at < bytes.length; at += 1) {
    if (isPinBlock(bytes, at)) yield { start: at, end: at + PIN_BLOCK_BYTES };
    const [cla, ins, p1, p2, lc] = bytes.subarray(at, at + 5);
    const isVerify = ins === VERIFY && (cla! & 0x70) === 0 && p1 === 0 && (p2! & 0x80) !== 0;
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
  { tag: [0x56], most: 76, fits: isText }, // track 1
  { tag: [0x5f, 0x20], most: 26, fits: () => true }, // cardholder name
  { tag: [0x9f, 0x0b], most: 45, fits: isText }, // cardholder name, extended
  { tag: [0x9f, 0x1f], most: 127, fits: () => true }, // track 1 discretionary data
  { tag: [0x9f, 0x20], most: 127, fits: () => true }, // track 2 discretionary data
  { tag: [0x9f, 0x6b], most: 19, fits: isTrack2 }, // track 2 of a magnetic stripe mode
];

/** Finds the values of those tags anywhere in the bytes, which need not be TLV. */
export function* sensitiveValues(bytes: Uint8Array): Iterable<Span> {
  for (let at = 0; at < bytes.length; at += 1) {
    for (const { tag, most, fits } of TAGS) {
      if (!tag.every((byte, index) => bytes[at + index] === byte)) continue;
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

function isText(value: Uint8Array): boolean {
  return value.every((byte) => byte >= 0x20 && byte !== 0x7f);
}
