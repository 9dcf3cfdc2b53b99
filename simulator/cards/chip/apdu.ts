import { toHex } from '../../../protocol/emv/hex.ts';

/** Status words (ISO/IEC 7816-4 §5.6; EMV 4.4 Book 3 §6.3.5). */
export const SW = {
  ok: 0x9000,
  authenticationFailed: 0x6300,
  /** The low nibble is the number of tries left. */
  pinRejected: 0x63c0,
  applicationBlocked: 0x6283,
  wrongLength: 0x6700,
  secureMessagingWrong: 0x6988,
  pinBlocked: 0x6983,
  pinUnusable: 0x6984,
  notNow: 0x6985,
  functionNotSupported: 0x6a81,
  notFound: 0x6a82,
  recordNotFound: 0x6a83,
  wrongParameters: 0x6a86,
  dataNotFound: 0x6a88,
  unknownInstruction: 0x6d00,
  unknownClass: 0x6e00,
} as const;

/** A command APDU (ISO/IEC 7816-3 §12.1) with short lengths, as in EMV. */
export interface Command {
  cla: number;
  ins: number;
  p1: number;
  p2: number;
  data: Uint8Array;
  /** Expected length, 1 to 256; undefined when no data is expected. */
  le: number | undefined;
}

export interface ResponseApdu {
  sw: number;
  data?: Uint8Array;
}

export const OK: ResponseApdu = { sw: SW.ok };

export function status(sw: number): ResponseApdu {
  return { sw };
}

export function respondWith(data: Uint8Array): ResponseApdu {
  return { sw: SW.ok, data };
}

/** Parses a command APDU; undefined when it is none of the four cases. */
export function parseCommand(bytes: Uint8Array): Command | undefined {
  if (bytes.length < 4) return undefined;
  const [cla = 0, ins = 0, p1 = 0, p2 = 0] = bytes;
  const header = { cla, ins, p1, p2 };
  const none = new Uint8Array(0);
  if (bytes.length === 4) return { ...header, data: none, le: undefined };
  const p3 = bytes[4]!;
  if (bytes.length === 5) return { ...header, data: none, le: p3 || 256 };
  const data = bytes.slice(5, 5 + p3);
  if (p3 === 0 || data.length !== p3) return undefined;
  if (bytes.length === 5 + p3) return { ...header, data, le: undefined };
  if (bytes.length === 6 + p3) return { ...header, data, le: bytes[5 + p3]! || 256 };
  return undefined;
}

export function encodeResponse({ sw, data }: ResponseApdu): Uint8Array {
  const bytes = new Uint8Array((data?.length ?? 0) + 2);
  if (data) bytes.set(data);
  bytes.set([sw >> 8, sw & 0xff], bytes.length - 2);
  return bytes;
}

/** Parses a data object list into tags and lengths (EMV 4.4 Book 3 §5.4). */
export function parseDol(list: Uint8Array): { tag: string; length: number }[] {
  const entries: { tag: string; length: number }[] = [];
  let at = 0;
  while (at < list.length) {
    const start = at;
    // Annex B1: five ones mean that the tag continues, a high bit that it continues further.
    if ((list[at++]! & 0x1f) === 0x1f) while (at < list.length && list[at++]! & 0x80);
    entries.push({ tag: toHex(list.subarray(start, at)), length: list[at++] ?? 0 });
  }
  return entries;
}

/** Splits the data for a list into values by tag; undefined when the length does not match. */
export function readDolValues(list: Uint8Array, data: Uint8Array): Map<string, Uint8Array> | undefined {
  const values = new Map<string, Uint8Array>();
  let at = 0;
  for (const { tag, length } of parseDol(list)) {
    values.set(tag, data.slice(at, at + length));
    at += length;
  }
  return at === data.length ? values : undefined;
}
