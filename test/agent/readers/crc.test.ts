import { expect, test } from 'vitest';
import { crcCcitt, crcKermit } from '../../../agent/readers/crc.ts';

const CHECK = new TextEncoder().encode('123456789');

test('CRC: both checks of 123456789 are the values of the catalogue', () => {
  expect(crcKermit(CHECK)).toBe(0x2189);
  expect(crcCcitt(CHECK)).toBe(0x29b1);
});
