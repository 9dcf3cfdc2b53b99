import { expect, test } from 'vitest';
import {
  decodePinBlock0,
  decryptPinBlock4,
  encodePinBlock0,
  encryptPinBlock4,
} from '../../../protocol/cryptography/pin-block.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

test('PIN block format 0: combines the PIN with twelve digits of the card number', () => {
  // The block of the key examples of X9.24-1: PIN 1234, number 4012345678909.
  expect(toHex(encodePinBlock0('1234', '4012345678909'))).toBe('041274EDCBA9876F');
  expect(decodePinBlock0(fromHex('041274EDCBA9876F'), '4012345678909')).toBe('1234');
});

test('PIN block format 4: encodes and decodes the example of X9.24-3', () => {
  const key = fromHex('AF8CB133A78F8DC2D1359F18527593FB');
  const block = encryptPinBlock4(key, '1234', '4111111111111111', fromHex('2F69ADDE2E9E7ACE'));
  expect(toHex(block)).toBe('A912150391AB65A67E52883D81CE2D15');
  expect(decryptPinBlock4(key, block, '4111111111111111')).toBe('1234');
});

const KEY = fromHex('00112233445566778899AABBCCDDEEFF');
const RANDOM = fromHex('0102030405060708');

test.each([
  { pin: '1234', pan: '4761739001010119' },
  { pin: '98765', pan: '374245001751006' },
  { pin: '123456789012', pan: '5413330089020011' },
  { pin: '0000', pan: '6799998900000000018' },
  { pin: '4321', pan: '123456789012' },
])('PIN block: decodes a PIN of $pin.length digits with a card number of $pan.length', ({ pin, pan }) => {
  expect(decodePinBlock0(encodePinBlock0(pin, pan), pan)).toBe(pin);
  expect(decryptPinBlock4(KEY, encryptPinBlock4(KEY, pin, pan, RANDOM), pan)).toBe(pin);
});

test('PIN block format 4: the same PIN with other random bytes gives another block', () => {
  const first = encryptPinBlock4(KEY, '1234', '4761739001010119', RANDOM);
  const second = encryptPinBlock4(KEY, '1234', '4761739001010119', fromHex('0102030405060709'));
  expect(first).not.toEqual(second);
});

test('PIN block: decoding throws with another card number', () => {
  const block4 = encryptPinBlock4(KEY, '1234', '4761739001010119', RANDOM);
  expect(() => decryptPinBlock4(KEY, block4, '4761739001010010')).toThrow('there is no PIN in the block');
  const block0 = encodePinBlock0('1234', '4761739001010119');
  expect(() => decodePinBlock0(block0, '4761730991019999')).toThrow('there is no PIN in the block');
});

test('encodePinBlock0: throws for a PIN of three digits', () => {
  expect(() => encodePinBlock0('123', '4761739001010119')).toThrow('a PIN has 4 to 12 digits');
});
