import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { TVR } from '../../../agent/emv/bits.ts';
import { createDataStore } from '../../../agent/emv/data-store.ts';
import { dolValues, parseDol } from '../../../agent/emv/dol.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

const store = () =>
  createDataStore([
    ['95', new Uint8Array(5)],
    ['9A', fromHex('261120')],
    ['9F02', fromHex('000000001500')],
    ['5A', fromHex('4012000000060085')],
    ['9F37', fromHex('DEADBEEF')],
    ['97', fromHex('9F0206')],
  ]);
const values = (list: string) => toHex(dolValues(fromHex(list), store()));

test('parseDol: reads tags of one to three bytes with their lengths', () => {
  expect(parseDol(fromHex('9A039F0206DF812804'))).toEqual([
    { tag: '9A', length: 3 },
    { tag: '9F02', length: 6 },
    { tag: 'DF8128', length: 4 },
  ]);
});

test.each(['9F', '9F02', '9A', 'DF81'])('parseDol: a list that ends after %s is malformed', (list) => {
  expect(() => parseDol(fromHex(list))).toThrow('cut-off');
});

test('dolValues: returns zeros for unknown tags and templates (Book 3 §5.4)', () => {
  expect(values('9F02069A03')).toBe('000000001500261120');
  expect(values('DF0102')).toBe('0000');
  expect(values('7002')).toBe('0000');
});

test('dolValues: truncates and pads by format (Book 3 §5.4)', () => {
  expect(values('9F0203')).toBe('001500');
  expect(values('9F0208')).toBe('0000000000001500');
  expect(values('5A0A')).toBe('4012000000060085FFFF');
  expect(values('5A04')).toBe('40120000');
  expect(values('9F3706')).toBe('DEADBEEF0000');
  expect(values('9F3702')).toBe('DEAD');
});

test('dolValues: the TC hash covers the TDOL of the card, or is empty', () => {
  const hash = (data: string) => createHash('sha1').update(fromHex(data)).digest('hex').toUpperCase();
  expect(values('9814')).toBe(hash('000000001500'));
  const without = createDataStore([['95', new Uint8Array(5)]]);
  expect(toHex(dolValues(fromHex('9814'), without))).toBe(hash(''));
  expect(without.has(TVR.defaultTdolUsed)).toBe(true);
});

test('dolValues: throws when the values do not fit a command', () => {
  expect(() => values('9F02FF')).toThrow('more data than a command can carry');
});
