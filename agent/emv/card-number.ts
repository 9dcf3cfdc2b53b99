import { toHex } from '../../protocol/emv/hex.ts';
import { Fault } from '../../protocol/failures.ts';

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
