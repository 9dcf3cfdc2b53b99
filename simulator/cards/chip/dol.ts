import { toHex } from '../../../protocol/emv/hex.ts';

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
