import { expect, test } from 'vitest';
import { AIP, TVR } from '../../../agent/emv/bits.ts';
import { createDataStore, unwrapTemplate, primitivesOf } from '../../../agent/emv/data-store.ts';
import { TAGS } from '../../../agent/emv/tags.ts';
import { terminalData } from '../../../agent/emv/terminal.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

test('data store: ignores an amount from the card', () => {
  const store = createDataStore([['9F02', fromHex('000000001500')]]);
  store.putFromCard({ tag: '9F02', value: fromHex('000000000001') });
  expect(toHex(store.need('9F02'))).toBe('000000001500');
});

test("data store: ignores terminal data from the card, contactless kernels' data included", () => {
  const transaction = {
    type: 'Payment',
    amountMinor: 1,
    currency: 'GBP',
    sequence: 1,
    atMs: 0,
    countryCode: '826',
    technology: 'Contactless',
    cvmRequiredLimitMinor: 1,
  } as const;
  const store = terminalData(transaction, seededRandom('data store'));
  for (const tag of ['9F06', '9F09', '9F66', '9F6D', '9F6E', '9F1D', '8A']) store.put(tag, fromHex('AA'));
  for (const [tag, value] of store.entries()) {
    store.putFromCard({ tag, value: fromHex('01') });
    expect(toHex(store.need(tag)), tag).toBe(toHex(value));
  }
});

test.each([
  ['5F24', '2612', 'length'],
  ['5F24', '26120F', 'digits'],
  ['5A', '40120000F0060085', 'digits'],
  ['5A', '0102030405060708090A0B', 'length'],
  ['9F26', '01', 'length'],
])('data store: %s with the value %s has a wrong %s', (tag, value, problem) => {
  const store = createDataStore();
  expect(() => store.putFromCard({ tag, value: fromHex(value) })).toThrow(problem);
  expect(store.get(tag)).toBeUndefined();
});

test('data store: errors have the tag and never the value', () => {
  const store = createDataStore();
  expect(() => store.putFromCard({ tag: '5A', value: fromHex('401200000006008A') })).toThrow(
    /^5A \(Application Primary Account Number\) has other than digits$/,
  );
  expect(() => store.need('5A')).toThrow('the card has no 5A (Application Primary Account Number)');
});

test('data store: bits are numbered as in EMV, bytes from the left and bits from the right', () => {
  const store = createDataStore([
    ['95', new Uint8Array(5)],
    ['82', fromHex('3D00')],
  ]);
  store.setBit(TVR.floorLimitExceeded);
  store.setBit(TVR.cdaFailed);
  store.setBit(TVR.onlinePinEntered);
  expect(toHex(store.need('95'))).toBe('0400048000');
  store.clearBit(TVR.cdaFailed);
  expect(toHex(store.need('95'))).toBe('0000048000');
  expect([store.has(AIP.dda), store.has(AIP.cda), store.has(AIP.sda)]).toEqual([true, true, false]);
});

test('primitivesOf: reads nested templates to a maximum depth', () => {
  expect(primitivesOf(fromHex('6F0A8401AAA5055003414243'))).toHaveLength(2);
  const deep = Array.from({ length: 20 }).reduce<string>(
    (inside) => `70${(inside.length / 2).toString(16).padStart(2, '0')}${inside}`,
    '5001AA',
  );
  expect(() => primitivesOf(fromHex(deep))).toThrow('too many templates');
});

test('unwrapTemplate: throws unless the data is exactly one such template', () => {
  expect(toHex(unwrapTemplate(fromHex('70025A00'), '70'))).toBe('5A00');
  expect(() => unwrapTemplate(fromHex('77025A00'), '70')).toThrow('template 70');
  expect(() => unwrapTemplate(fromHex('70025A009F3600'), '70')).toThrow('template 70');
  expect(() => unwrapTemplate(fromHex('70055A00'), '70')).toThrow('malformed TLV');
});

test('tag table: is consistent', () => {
  for (const [tag, { min, max }] of TAGS) {
    expect(tag, tag).toMatch(/^([0-9A-F]{2}){1,3}$/);
    expect(min <= max, tag).toBe(true);
  }
});
