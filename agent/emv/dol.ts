import { createHash } from 'node:crypto';
import { concat, isConstructed } from '../../protocol/emv/tlv.ts';
import { toHex } from '../../protocol/emv/hex.ts';
import { TVR } from './bits.ts';
import { CardError } from './card-connection.ts';
import type { DataStore } from './data-store.ts';
import { TAGS } from './tags.ts';

/** One entry of a data object list (DOL). Length in bytes. */
interface DolEntry {
  tag: string;
  length: number;
}

// Maximum Lc (ISO/IEC 7816-4), minus the template 83 of GET PROCESSING OPTIONS.
const VALUES_MAX = 252;

/**
 * Parses a data object list, a sequence of tags and lengths (EMV 4.4 Book 3 §5.4).
 * @throws CardError `malformed_data`.
 */
export function parseDol(bytes: Uint8Array): DolEntry[] {
  const entries: DolEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    if ((bytes[at++]! & 0x1f) === 0x1f) {
      while (at < bytes.length && (bytes[at]! & 0x80) !== 0) at += 1;
      at += 1;
    }
    const length = bytes[at];
    if (length === undefined)
      throw new CardError('malformed_data', 'the card sent a cut-off data object list');
    entries.push({ tag: toHex(bytes.subarray(start, at)), length });
    at += 1;
  }
  return entries;
}

/**
 * Returns the concatenated values for a data object list.
 * @throws CardError `too_much_data` when they do not fit into a command.
 */
export function dolValues(list: Uint8Array, store: DataStore): Uint8Array {
  const entries = parseDol(list);
  if (entries.reduce((sum, { length }) => sum + length, 0) > VALUES_MAX) {
    throw new CardError('too_much_data', 'the card asks for more data than a command can carry');
  }
  return concat(...entries.map((entry) => fitToLength(entry, valueFor(entry, store))));
}

function valueFor({ tag }: DolEntry, store: DataStore): Uint8Array | undefined {
  if (isConstructed(tag)) return undefined;
  return tag === '98' ? transactionCertificateHash(store) : store.get(tag);
}

/** Truncates or pads a value by its format; an unknown value is zeros (EMV 4.4 Book 3 §5.4). */
function fitToLength({ tag, length }: DolEntry, value: Uint8Array | undefined): Uint8Array {
  const field = new Uint8Array(length);
  if (!value) return field;
  const format = TAGS.get(tag)?.format;
  if (format === 'n') {
    const kept = value.subarray(Math.max(value.length - length, 0));
    field.set(kept, length - kept.length);
    return field;
  }
  if (format === 'cn') field.fill(0xff);
  field.set(value.subarray(0, length));
  return field;
}

/**
 * Returns the TC hash over the card's TDOL (97), or the terminal's default TDOL, which is empty (EMV 4.4 Book 3
 * §6.5.5.3).
 */
function transactionCertificateHash(store: DataStore): Uint8Array {
  const list = store.get('97');
  if (!list) store.setBit(TVR.defaultTdolUsed);
  const values = list
    ? concat(...parseDol(list).map((entry) => fitToLength(entry, store.get(entry.tag))))
    : new Uint8Array(0);
  return Uint8Array.from(createHash('sha1').update(values).digest());
}
