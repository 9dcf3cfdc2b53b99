import { encodeQR } from 'qr';
import { BAR_CODES } from './bar-codes.ts';
import type { Format } from './format.ts';
import { strideOf, type Bitmap } from './paper.ts';

/** A bar code that can be printed, or the rule of its kind that its data breaks. */
type BarCode = { bitmap: Bitmap; text: string; kind: string } | { problem: string };

/** Kinds that are shown as a frame with their data, by their number. */
const NOT_DRAWN: Record<number, string> = {
  74: 'GS1-128',
  75: 'GS1 DataBar',
  76: 'GS1 DataBar Truncated',
  77: 'GS1 DataBar Limited',
  78: 'GS1 DataBar Expanded',
  79: 'CODE128 auto',
};

/** Encodes a bar code by its number of `GS k`; undefined for a number that none has. */
export function barCodeOf(number: number, bytes: Uint8Array): BarCode | undefined {
  const sent = Buffer.from(bytes).toString('latin1');
  const notDrawn = NOT_DRAWN[number];
  if (notDrawn !== undefined) return { kind: notDrawn, text: sent, bitmap: frame(95, 24) };
  const isNumber = number <= 6 || number >= 65;
  const kind = isNumber ? BAR_CODES[number % 65] : undefined;
  if (!kind) return undefined;
  const { name, data, rule, encode } = kind;
  if (!data.test(sent)) return { problem: `${name} ${rule}, not '${shown(sent)}': nothing is printed` };
  const encoded = encode(sent);
  if (!encoded)
    return { problem: `${name} has a wrong check digit or letter, '${shown(sent)}': nothing is printed` };
  const modules = [...encoded.modules].map((module) => module === '1');
  return { kind: name, text: encoded.text, bitmap: bitmapOf([modules]) };
}

/** Returns the modules of a QR code, or undefined when the text is too long for one. */
export function qrCodeOf(bytes: Uint8Array, { level }: Format['qr']): Bitmap | undefined {
  if (bytes.length > QR_BYTES[level]) return undefined;
  // The encoder takes a text, and only the till knows what letters its bytes are.
  const rows = encodeQR('', 'raw', { ecc: level, encoding: 'byte', textEncoder: () => bytes, border: 1 });
  return bitmapOf(rows.slice(1, -1).map((row) => row.slice(1, -1)));
}

/** How many bytes a code of the largest size has room for: the encoder throws the same error for all that is wrong. */
const QR_BYTES: Readonly<Record<Format['qr']['level'], number>> = {
  low: 2_953,
  medium: 2_331,
  quartile: 1_663,
  high: 1_273,
};

/** Returns a frame in place of a code that is not drawn. */
export function frame(width: number, height: number): Bitmap {
  const inside = (x: number, y: number) => x > 0 && y > 0 && x < width - 1 && y < height - 1;
  return bitmapOf(
    Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_column, x) => !inside(x, y))),
  );
}

function bitmapOf(rows: readonly (readonly boolean[])[]): Bitmap {
  const width = rows[0]?.length ?? 0;
  const stride = strideOf(width);
  const bits = new Uint8Array(stride * rows.length);
  for (const [y, row] of rows.entries())
    for (const [x, black] of row.entries()) if (black) bits[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  return { width, height: rows.length, bits };
}

// oxlint-disable-next-line no-control-regex -- what is sent may have any byte
const shown = (text: string) => text.slice(0, 40).replaceAll(/[\u0000-\u001f\u007f-\u00ff]/g, '?');
