import { toHex } from '../../../protocol/emv/hex.ts';

/** Which data objects a list wants, and how long (EMV 4.4 Book 3 §5.4). */
export function parseDol(list: Uint8Array): { tag: string; length: number }[] {
  const entries: { tag: string; length: number }[] = [];
  let at = 0;
  while (at < list.length) {
    const start = at;
    // Annex B1: five ones say that the tag goes on, a high bit that it goes on further.
    if ((list[at++]! & 0x1f) === 0x1f) while (at < list.length && list[at++]! & 0x80);
    entries.push({ tag: toHex(list.subarray(start, at)), length: list[at++] ?? 0 });
  }
  return entries;
}

/** The values that were sent for a list, by tag; undefined when they are not as long as the list wants. */
export function readDolValues(list: Uint8Array, data: Uint8Array): Map<string, Uint8Array> | undefined {
  const values = new Map<string, Uint8Array>();
  let at = 0;
  for (const { tag, length } of parseDol(list)) {
    values.set(tag, data.slice(at, at + length));
    at += length;
  }
  return at === data.length ? values : undefined;
}
