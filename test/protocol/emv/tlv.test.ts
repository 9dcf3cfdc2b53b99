import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv, findTlv, isConstructed, parseTlv } from '../../../protocol/emv/tlv.ts';

const parsed = (hex: string) => parseTlv(fromHex(hex)).map(({ tag, value }) => `${tag}=${toHex(value)}`);

test('parseTlv: parses adjacent objects with tags of one and two bytes', () => {
  expect(parsed('8202 1800 9F3602 001C 5F3401 01')).toEqual(['82=1800', '9F36=001C', '5F34=01']);
});

test('parseTlv: parses a tag of three bytes', () => {
  expect(parsed('DF8104 01 AA')).toEqual(['DF8104=AA']);
});

test('encodeTlv: long lengths take one or two more bytes', () => {
  for (const length of [0, 1, 127, 128, 255, 256, 1000]) {
    const value = new Uint8Array(length).fill(0x5c);
    const [object] = parseTlv(encodeTlv('70', value));
    expect(object).toEqual({ tag: '70', value });
  }
  expect(toHex(encodeTlv('70', new Uint8Array(128))).slice(0, 6)).toBe('708180');
  expect(toHex(encodeTlv('70', new Uint8Array(256))).slice(0, 8)).toBe('70820100');
});

test('parseTlv: skips padding of 00 before, between and after objects', () => {
  expect(parsed('0000 8202 1800 00 9C01 00 0000')).toEqual(['82=1800', '9C=00']);
});

test('parseTlv: returns no objects for no bytes', () => {
  expect(parseTlv(new Uint8Array(0))).toEqual([]);
});

test('findTlv: finds an object inside constructed ones', () => {
  const fci = fromHex('6F18 8407 A0000000031010 A50D 500B 5649534120435245444954');
  expect(toHex(findTlv(fci, '50')!)).toBe('5649534120435245444954');
  expect(findTlv(fci, '9F38')).toBeUndefined();
  expect(isConstructed('A5')).toBe(true);
  expect(isConstructed('9F38')).toBe(false);
});

test.each(['9F', '82', '8203 1800', '82 81', '82 85 0000000001 00', '82 80 18', '9FFFFFFFFF 01 00'])(
  'parseTlv: %s throws as malformed without quoting the bytes',
  (hex) => {
    expect(() => parseTlv(fromHex(hex))).toThrow(/^malformed TLV: [a-z ]+$/);
  },
);

test('concat: joins bytes in order', () => {
  expect(toHex(concat(fromHex('01'), new Uint8Array(0), fromHex('0203')))).toBe('010203');
});

test('fromHex: throws for text that is not hexadecimal', () => {
  expect(() => fromHex('123')).toThrow('not an even number of hexadecimal digits');
  expect(() => fromHex('4761x7')).toThrow('not an even number of hexadecimal digits');
});
