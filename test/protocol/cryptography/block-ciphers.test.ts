import { expect, test } from 'vitest';
import {
  adjustParity,
  macAlgorithm3,
  tdesCbcDecrypt,
  tdesCbcEncrypt,
  tdesDecrypt,
  tdesEncrypt,
} from '../../../protocol/cryptography/block-ciphers.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

// NIST SP 800-67: the worked example of three keys, and single DES as three equal ones.
const THREE_KEYS = fromHex('0123456789ABCDEF23456789ABCDEF01456789ABCDEF0123');
const PLAIN = fromHex('5468652071756663 6B2062726F776E20 666F78206A756D70');
const CIPHER = 'A826FD8CE53B855FCCE21C8112256FE668D5C05DD9B6B900';

test('TDES: encrypts and decrypts the blocks of SP 800-67 with three keys', () => {
  expect(toHex(tdesEncrypt(THREE_KEYS, PLAIN))).toBe(CIPHER);
  expect(tdesDecrypt(THREE_KEYS, fromHex(CIPHER))).toEqual(PLAIN);
});

test('TDES: a key of 8 bytes is single DES', () => {
  // FIPS 81 Table B1, the first block of "Now is the time for all ".
  const key = fromHex('0123456789ABCDEF');
  expect(toHex(tdesEncrypt(key, fromHex('4E6F772069732074')))).toBe('3FA40E8A984D4815');
});

test('TDES: a key of 16 bytes is K1 K2 K1', () => {
  const key = fromHex('0123456789ABCDEFFEDCBA9876543210');
  const block = fromHex('1122334455667788');
  const inSteps = tdesEncrypt(
    key.subarray(0, 8),
    tdesDecrypt(key.subarray(8), tdesEncrypt(key.subarray(0, 8), block)),
  );
  expect(tdesEncrypt(key, block)).toEqual(inSteps);
});

test('TDES CBC: each block depends on those before it, and decrypts again', () => {
  const key = fromHex('0123456789ABCDEFFEDCBA9876543210');
  const same = fromHex('11111111111111111111111111111111');
  const cipher = tdesCbcEncrypt(key, same);
  expect(cipher.subarray(0, 8)).not.toEqual(cipher.subarray(8));
  expect(tdesCbcDecrypt(key, cipher)).toEqual(same);
  const iv = fromHex('0000000000000001');
  expect(tdesCbcEncrypt(key, same, iv)).not.toEqual(cipher);
  expect(tdesCbcDecrypt(key, tdesCbcEncrypt(key, same, iv), iv)).toEqual(same);
});

test('odd parity: sets the low bit so that each byte has an odd number of ones', () => {
  expect(toHex(adjustParity(fromHex('0001FEFF10117F80')))).toBe('0101FEFE10107F80');
});

test('retail MAC: one block is TDES, and of several blocks only the last uses the second half of the key', () => {
  const key = fromHex('0123456789ABCDEFFEDCBA9876543210');
  const block = fromHex('1122334455667788');
  expect(macAlgorithm3(key, block, 'zeros')).toEqual(tdesEncrypt(key, block));
  // ISO/IEC 9797-1 Annex B.4, MAC algorithm 3 with "Now is the time for all " and with "... it".
  const text = (words: string) => new TextEncoder().encode(words);
  expect(toHex(macAlgorithm3(key, text('Now is the time for all '), 'zeros'))).toBe('A1C72E74EA3FA9B6');
  expect(toHex(macAlgorithm3(key, text('Now is the time for it'), 'zeros'))).toBe('2E2B1428CC78254F');
  expect(toHex(macAlgorithm3(key, text('Now is the time for all '), '80'))).toBe('E9086230CA3BE796');
  expect(toHex(macAlgorithm3(key, text('Now is the time for it'), '80'))).toBe('5A692CE64F404145');
});
