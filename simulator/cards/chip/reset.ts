import { createHash } from 'node:crypto';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat } from '../../../protocol/emv/tlv.ts';

/** ISO/IEC 7816-4 §8.1.1: compact TLV, of which one object: pre-issuing data, eight characters. */
const HISTORICAL = concat(fromHex('8068'), Buffer.from('TAPBENCH'));

/**
 * Answer to reset, T=0 alone (EMV 4.4 Book 1 §8.3, table 15): TB1 and TC1 are there, and no check character, which
 * ISO/IEC 7816-3 §8.2.5 leaves out for T=0.
 */
export const ATR = concat(Uint8Array.of(0x3b, 0x60 | HISTORICAL.length, 0x00, 0x00), HISTORICAL);

/** SENS_RES: one size of number, no collision yet (EMV Contactless Book D §5.3). */
export const ATQA = Uint8Array.of(0x00, 0x04);
/** SEL_RES: ISO/IEC 14443-4 is understood (Book D §5.4.3). */
export const SAK = 0x20;

/** Answer to select (Book D §5.7.2): frames of 256 bytes, 106 kbit/s, a frame waiting time of 39 ms, CID. */
export const ATS = concat(Uint8Array.of(5 + HISTORICAL.length, 0x78, 0x80, 0x70, 0x02), HISTORICAL);

/** Four bytes that begin with 08, as the number of a payment card does that hides who it is (ISO/IEC 14443-3 §6.5.4). */
export function uidOf(name: string): Uint8Array {
  return concat(Uint8Array.of(0x08), createHash('sha256').update(name).digest().subarray(0, 3));
}
