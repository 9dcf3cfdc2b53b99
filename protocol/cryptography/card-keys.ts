import { createHash } from 'node:crypto';
import { concat } from '../emv/tlv.ts';
import { fromHex } from '../emv/hex.ts';
import { Fault } from '../failures.ts';
import { adjustParity, tdesEncrypt } from './block-ciphers.ts';

/**
 * Derives the key of a card from its issuer's master key (EMV 4.4 Book 2 Annex A1.4). `psn` is the PAN sequence
 * number, two digits (tag 5F34). Option B differs from A only for numbers of more than 16 digits.
 */
export function deriveCardKey(
  imk: Uint8Array,
  pan: string,
  psn: string,
  option: 'A' | 'B' = 'A',
): Uint8Array<ArrayBuffer> {
  if (!/^[0-9]{12,19}$/.test(pan) || !/^[0-9]{2}$/.test(psn)) {
    throw new Fault('garbage_message', 'a card number has 12 to 19 digits, its sequence number two');
  }
  const digits = option === 'B' && pan.length > 16 ? hashedDigits(pan + psn) : rightmost16(pan + psn);
  const y = fromHex(digits);
  const inverted = Uint8Array.from(y, (byte) => byte ^ 0xff);
  return adjustParity(concat(tdesEncrypt(imk, y), tdesEncrypt(imk, inverted)));
}

/**
 * Derives a session key (EMV 4.4 Book 2 Annex A1.3.1). `r` has 8 bytes; the third one is replaced by F0 for the left
 * half and by 0F for the right half.
 */
export function commonSessionKey(cardKey: Uint8Array, r: Uint8Array): Uint8Array<ArrayBuffer> {
  const half = (mark: number) =>
    tdesEncrypt(
      cardKey,
      Uint8Array.from(r, (byte, at) => (at === 2 ? mark : byte)),
    );
  return adjustParity(concat(half(0xf0), half(0x0f)));
}

/**
 * Derives the session key for application cryptograms: `r` is the application transaction counter (2 bytes) and
 * zeros.
 */
export function sessionKeyOf(cardKey: Uint8Array, atc: Uint8Array): Uint8Array<ArrayBuffer> {
  return commonSessionKey(cardKey, concat(atc, new Uint8Array(6)));
}

function rightmost16(digits: string): string {
  return digits.slice(-16).padStart(16, '0');
}

/**
 * Returns 16 decimal digits of the SHA-1 hash; letters are converted to 0 to 5 only when there are too few (Annex
 * A1.4.2).
 */
function hashedDigits(digits: string): string {
  const packed = fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
  const hash = createHash('sha1').update(packed).digest('hex');
  const decimal = hash.replaceAll(/[a-f]/g, '');
  const letters = hash
    .replaceAll(/[0-9]/g, '')
    .replaceAll(/[a-f]/g, (letter) => String(Number.parseInt(letter, 16) - 10));
  return (decimal + letters).slice(0, 16);
}
