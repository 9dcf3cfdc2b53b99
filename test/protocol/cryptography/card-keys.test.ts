import { expect, test } from 'vitest';
import { commonSessionKey, deriveCardKey, sessionKeyOf } from '../../../protocol/cryptography/card-keys.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

const IMK = fromHex('0123456789ABCDEFFEDCBA9876543210');

test('deriveCardKey: option A uses the sixteen rightmost digits of card number and sequence number', () => {
  expect(toHex(deriveCardKey(IMK, '12345678901234567', '01'))).toBe('73AD54688CEF2934B0979857E3C719F1');
});

test('deriveCardKey: option B hashes a card number of more than sixteen digits', () => {
  expect(toHex(deriveCardKey(IMK, '12345678901234567', '01', 'B'))).toBe('AD406D7F6D7570916D75E5DCAB8CF737');
});

test('deriveCardKey: option B equals option A for sixteen digits or fewer', () => {
  for (const pan of ['4761739001010119', '374245001751006', '123456789012']) {
    expect(deriveCardKey(IMK, pan, '01', 'B')).toEqual(deriveCardKey(IMK, pan, '01', 'A'));
  }
});

test('deriveCardKey: each card number and sequence number has a different key', () => {
  const keys = [
    deriveCardKey(IMK, '4761739001010119', '00'),
    deriveCardKey(IMK, '4761739001010119', '01'),
    deriveCardKey(IMK, '4761739001010010', '00'),
  ].map(toHex);
  expect(new Set(keys).size).toBe(3);
});

test('deriveCardKey: throws for an invalid card number without quoting it', () => {
  expect(() => deriveCardKey(IMK, '47617390010101x9', '00')).toThrow(/^a card number has 12 to 19 digits/);
  expect(() => deriveCardKey(IMK, '4761739001010119', '0')).toThrow(/sequence number two$/);
});

test('commonSessionKey: replaces the third byte for each half of the key', () => {
  expect(toHex(commonSessionKey(IMK, fromHex('001C000000000000')))).toBe('E9FB384AF807B940FEDCEA613461B0C4');
});

test('sessionKeyOf: diversifies by the transaction counter padded with zeros', () => {
  expect(toHex(sessionKeyOf(IMK, fromHex('001C')))).toBe('E9FB384AF807B940FEDCEA613461B0C4');
});
