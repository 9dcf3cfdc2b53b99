import { expect, test } from 'vitest';
import {
  applicationCryptogram,
  arpcMethod1,
  arpcMethod2,
} from '../../../protocol/cryptography/application-cryptogram.ts';
import { commonSessionKey, deriveCardKey } from '../../../protocol/cryptography/card-keys.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

const IMK = fromHex('0123456789ABCDEFFEDCBA9876543210');
const CARD_KEY = deriveCardKey(IMK, '9901234567890123', '45');
const SESSION_KEY = commonSessionKey(CARD_KEY, fromHex('1234567890123456'));
const ARQC = fromHex('4B46013359B7A58B');

test('commonSessionKey: derives the session key of the published example', () => {
  expect(toHex(CARD_KEY)).toBe('F84315C7B95BD3B0C74694922C3808B0');
  expect(toHex(SESSION_KEY)).toBe('3E736BF8D37664348A04E3ABE00DEFC1');
});

test('applicationCryptogram: signs sixteen bytes with padding 80', () => {
  const data = fromHex('0123456789ABCDEF0123456789ABCDEF');
  expect(toHex(applicationCryptogram(SESSION_KEY, data, '80'))).toBe('4B46013359B7A58B');
});

test.each([
  { arc: '0000', arpc: 'E49DB40BFF246CCA' },
  { arc: '3030', arpc: 'F6E72DDCEB080F21' },
])('arpcMethod1: response code $arc under the session key gives $arpc', ({ arc, arpc }) => {
  expect(toHex(arpcMethod1(SESSION_KEY, ARQC, fromHex(arc)))).toBe(arpc);
});

test('arpcMethod1: accepts the card key in place of a session key', () => {
  expect(toHex(arpcMethod1(CARD_KEY, ARQC, fromHex('0000')))).toBe('F8C9CECAABD55AD1');
});

test('arpcMethod2: signs the card status update and proprietary data', () => {
  const proprietary = fromHex('1234567890ABCDEF');
  expect(toHex(arpcMethod2(SESSION_KEY, ARQC, fromHex('00000000'), proprietary))).toBe('4962B76C');
});
