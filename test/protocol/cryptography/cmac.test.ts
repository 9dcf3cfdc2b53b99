import { expect, test } from 'vitest';
import { aesCmac } from '../../../protocol/cryptography/cmac.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

const KEY = fromHex('2B7E151628AED2A6ABF7158809CF4F3C');
const MESSAGE = fromHex(
  '6BC1BEE22E409F96E93D7E117393172A AE2D8A571E03AC9C9EB76FAC45AF8E51' +
    '30C81C46A35CE411E5FBC1191A0A52EF F69F2445DF4F9B17AD2B417BE66C3710',
);

test.each([
  { bytes: 0, mac: 'BB1D6929E95937287FA37D129B756746' },
  { bytes: 16, mac: '070A16B46B4D4144F79BDD9DD04A287C' },
  { bytes: 40, mac: 'DFA66747DE9AE63030CA32611497C827' },
  { bytes: 64, mac: '51F0BEBF7E3B9D92FC49741779363CFE' },
])('AES-CMAC of $bytes bytes is that of RFC 4493 §4', ({ bytes, mac }) => {
  expect(toHex(aesCmac(KEY, MESSAGE.subarray(0, bytes)))).toBe(mac);
});
