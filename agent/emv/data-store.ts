import { toHex } from '../../protocol/emv/hex.ts';
import { isConstructed, parseTlv, type Tlv } from '../../protocol/emv/tlv.ts';
import { Fault } from '../../protocol/failures.ts';
import { isSet, withBit, type Bit } from './bits.ts';
import { CardError } from './card-connection.ts';
import { describeTag, TAGS } from './tags.ts';

/** Data objects of one transaction, by tag. Contains card numbers and must not leave the reader module. */
export interface DataStore {
  get(tag: string): Uint8Array | undefined;
  /** Returns a mandatory data object. @throws CardError `missing_data`. */
  need(tag: string): Uint8Array;
  /** Stores data of the terminal or the kernel. */
  put(tag: string, value: Uint8Array): void;
  /**
   * Stores a primitive data object from the card. Ignores objects whose source is not the card, so that a card cannot
   * change the amount (EMV Contactless Book C-2 §4.1.1).
   * @throws CardError when its length or format is not that of the tag table (EMV 4.4 Book 3 §7.5).
   */
  putFromCard(object: Tlv): void;
  has(bit: Bit): boolean;
  /** Sets a bit of a data object, which must be present. */
  setBit(bit: Bit): void;
  clearBit(bit: Bit): void;
  /** Returns all data objects, to copy the store. */
  entries(): Iterable<[tag: string, value: Uint8Array]>;
}

export function createDataStore(initial: Iterable<[tag: string, value: Uint8Array]> = []): DataStore {
  const values = new Map<string, Uint8Array>(initial);
  const change = (bit: Bit, on: boolean) => {
    values.set(bit.tag, withBit(values.get(bit.tag)!, bit, on));
  };
  return {
    get: (tag) => values.get(tag),
    need(tag) {
      const value = values.get(tag);
      if (!value) throw new CardError('missing_data', `the card has no ${describeTag(tag)}`);
      return value;
    },
    put: (tag, value) => void values.set(tag, value),
    putFromCard(object) {
      const row = TAGS.get(object.tag);
      if (row && row.source !== 'card') return;
      checkForm(object);
      values.set(object.tag, object.value);
    },
    has: (bit) => isSet(values.get(bit.tag), bit),
    setBit: (bit) => change(bit, true),
    clearBit: (bit) => change(bit, false),
    entries: () => values.entries(),
  };
}

/** Checks length and format of a data object against Annex A (EMV 4.4 Book 3 §7.5). */
function checkForm({ tag, value }: Tlv): void {
  const row = TAGS.get(tag);
  if (!row) return;
  if (value.length < row.min || value.length > row.max) {
    throw new CardError('wrong_length', `${describeTag(tag)} has a length of ${value.length}`);
  }
  const digits = toHex(value);
  const wrong =
    row.format === 'n' ? !/^[0-9]*$/.test(digits) : row.format === 'cn' && !/^[0-9]+F*$/.test(digits);
  if (wrong) throw new CardError('wrong_format', `${describeTag(tag)} has other than digits`);
}

/** Parses TLV data from a card. @throws CardError `malformed_data`. */
export function parseFromCard(bytes: Uint8Array): Tlv[] {
  try {
    return parseTlv(bytes);
  } catch {
    throw new CardError('malformed_data', 'the card sent malformed TLV');
  }
}

// Book 3 Annex B sets no limit. Cards use up to three levels; the limit protects the call stack.
const DEPTH_MAX = 8;

/** Returns the primitive data objects of a template and of the templates nested in it, in order. */
export function primitivesOf(bytes: Uint8Array, depth = 0): Tlv[] {
  if (depth > DEPTH_MAX)
    throw new CardError('malformed_data', 'the card sent templates in too many templates');
  return parseFromCard(bytes).flatMap((object) =>
    isConstructed(object.tag) ? primitivesOf(object.value, depth + 1) : [object],
  );
}

/**
 * Returns the content of the template that a response consists of.
 * @throws CardError `malformed_data` when it is another template, or not the only data object.
 */
export function unwrapTemplate(bytes: Uint8Array, tag: string): Uint8Array {
  const objects = parseFromCard(bytes);
  const [first] = objects;
  if (objects.length !== 1 || first?.tag !== tag) {
    throw new CardError('malformed_data', `the card did not answer with one template ${tag}`);
  }
  return first.value;
}

/** Returns the value of a data object by its tag in upper-case hexadecimal (EMV 4.4 Book 3 Annex A). */
export type TagLookup = (tag: string) => Uint8Array | undefined;

/**
 * Returns the card number (PAN) from 5A or track 2 equivalent data (57). It must not leave the reader module.
 * @throws Fault `reader` when there is none.
 */
export function panFrom(lookup: TagLookup): string {
  const number = lookup('5A');
  const digits = number ? toHex(number).replace(/F+$/, '') : track2Of(lookup)?.pan;
  if (!digits || !/^[0-9]{12,19}$/.test(digits)) throw new Fault('reader', 'the card gave no card number');
  return digits;
}

/** Parses track 2 (ISO/IEC 7813): PAN, separator D, expiry YYMM, service code, discretionary data, padded with F. */
export function track2Of(lookup: TagLookup): { pan: string; expiry: string } | undefined {
  const track2 = lookup('57');
  const [, pan, expiry] = /^([0-9]{12,19})D([0-9]{4})/.exec(track2 ? toHex(track2) : '') ?? [];
  return pan && expiry ? { pan, expiry } : undefined;
}
