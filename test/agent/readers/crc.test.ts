import { expect, test } from 'vitest';
import { crcCcitt, crcKermit } from '../../../agent/readers/crc.ts';

const CHECK = new TextEncoder().encode('123456789');

test('both checks give the value that their catalogue gives for 123456789', () => {
  expect(crcKermit(CHECK)).toBe(0x2189);
  expect(crcCcitt(CHECK)).toBe(0x29b1);
});
