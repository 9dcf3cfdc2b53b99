import { fromHex, toHex } from '../emv/hex.ts';
import { Fault } from '../failures.ts';
import { aesDecrypt, aesEncrypt, xor } from './block-ciphers.ts';

const PIN_MIN = 4;
const PIN_MAX = 12;

/**
 * Encodes a clear PIN block of format 0 (ISO 9564-1:2017 §9.3.2): length and PIN padded with F, XORed with the twelve
 * rightmost digits of the card number without its check digit. 8 bytes.
 */
export function encodePinBlock0(pin: string, pan: string): Uint8Array<ArrayBuffer> {
  return xor(fromHex(pinField(pin, '0', 'F')), panField0(pan));
}

/** Returns the PIN in a PIN block. @throws Fault `garbage_message` when it contains no PIN for this card. */
export function decodePinBlock0(block: Uint8Array, pan: string): string {
  return readPinField(toHex(xor(block, panField0(pan))), '0', 'F');
}

/**
 * Encrypts a PIN block of format 4 with AES, bound to the card number (ISO 9564-1:2017 §9.4.2). `random` has 8 bytes,
 * the result 16.
 */
export function encryptPinBlock4(
  key: Uint8Array,
  pin: string,
  pan: string,
  random: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const block = fromHex(pinField(pin, '4', 'A') + toHex(random.subarray(0, 8)));
  return aesEncrypt(key, xor(aesEncrypt(key, block), panField4(pan)));
}

/** Returns the PIN in a PIN block. @throws Fault `garbage_message` when it contains no PIN for this card. */
export function decryptPinBlock4(key: Uint8Array, block: Uint8Array, pan: string): string {
  const field = aesDecrypt(key, xor(aesDecrypt(key, block), panField4(pan)));
  return readPinField(toHex(field).slice(0, 16), '4', 'A');
}

function pinField(pin: string, format: '0' | '4', fill: 'F' | 'A'): string {
  if (!/^[0-9]{4,12}$/.test(pin)) throw new Fault('internal', 'a PIN has 4 to 12 digits');
  return (format + pin.length.toString(16) + pin).padEnd(16, fill);
}

function readPinField(field: string, format: '0' | '4', fill: 'F' | 'A'): string {
  const length = Number.parseInt(field[1]!, 16);
  const pin = field.slice(2, 2 + length);
  const isOne = field.startsWith(format) && length >= PIN_MIN && length <= PIN_MAX && /^[0-9]+$/.test(pin);
  if (!isOne || field.slice(2 + length) !== fill.repeat(14 - length)) {
    throw new Fault('garbage_message', 'there is no PIN in the block');
  }
  return pin;
}

function panField0(pan: string): Uint8Array {
  return fromHex(pan.slice(0, -1).slice(-12).padStart(16, '0'));
}

/** Returns the number of digits beyond twelve, then the digits; a shorter number is left-padded to twelve. */
function panField4(pan: string): Uint8Array {
  const digits = pan.padStart(12, '0');
  return fromHex((String(digits.length - 12) + digits).padEnd(32, '0'));
}
