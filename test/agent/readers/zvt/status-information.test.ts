import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bcd, encodeBitmap, bcdToNumber, parseBitmaps } from '../../../../agent/readers/zvt/bitmaps.ts';
import { resultText } from '../../../../agent/readers/zvt/result-codes.ts';
import {
  approvalOf,
  parseReference,
  parseStatusInformation,
} from '../../../../agent/readers/zvt/status-information.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { concat } from '../../../../protocol/emv/tlv.ts';
import { property } from '../../../property.ts';

const ascii = (text: string) => Uint8Array.from(Buffer.from(text, 'ascii'));

/** Parses a usual status information with some bitmaps changed or removed. */
function status(changes: Record<number, Uint8Array | undefined> = {}) {
  const usual: Record<number, Uint8Array | undefined> = {
    0x27: Uint8Array.of(0),
    0x04: bcd(1742, 6),
    0x0e: fromHex('3912'),
    0x22: fromHex('476173EEEEEE0010'),
    0x29: fromHex('52500041'),
    0x3b: ascii('123456  '),
    0x87: bcd(12, 2),
    0x8a: Uint8Array.of(10),
    0x8b: concat(ascii('VISA DEBIT'), Uint8Array.of(0)),
    0x06: fromHex('1F12010260094307A0000000031010'),
  };
  const bitmaps = Object.entries({ ...usual, ...changes }).flatMap(([number, value]) =>
    value ? [encodeBitmap(Number(number), value)] : [],
  );
  return parseStatusInformation(concat(...bitmaps));
}

test('status information: has amount, receipt number, authorisation code and card', () => {
  const info = status();
  expect(info).toMatchObject({
    resultCode: 0,
    amountMinor: 1742,
    receiptNumber: 12,
    authorisationCode: '123456',
  });
  expect(info.card).toEqual({
    scheme: 'Visa',
    bin: '476173',
    last4: '0010',
    expiryMonth: '12',
    expiryYear: '2039',
    entryMode: 'Contactless',
    applicationLabel: 'VISA DEBIT',
    aid: 'A0000000031010',
  });
});

test('status information: keeps only BIN and last four of a whole card number', () => {
  const info = status({ 0x22: fromHex('4761739001010010') });
  expect(JSON.stringify(info)).not.toContain('4761739001010010');
  expect(info.card).toMatchObject({ bin: '476173', last4: '0010' });
});

test('status information: uses placeholders for what a terminal masks or omits', () => {
  const info = status({ 0x22: fromHex('EEEEEEEEEEEE0010'), 0x0e: undefined, 0x06: undefined });
  expect(info.card).toMatchObject({ bin: '000000', last4: '0010', expiryMonth: '12', expiryYear: '2099' });
  expect(info.card, 'the terminal names no technology').not.toHaveProperty('entryMode');
});

test('status information: takes the scheme from the card type, or else from the card name', () => {
  const scheme = (type: number, name: string) =>
    status({ 0x8a: Uint8Array.of(type), 0x8b: ascii(name) }).card.scheme;
  expect(scheme(6, '')).toBe('Mastercard');
  expect(scheme(8, '')).toBe('Amex');
  expect(scheme(99, 'American Express')).toBe('Amex');
  expect(scheme(5, 'girocard')).toBe('Visa');
  expect(status({ 0x8a: Uint8Array.of(5), 0x8b: ascii('girocard'), 0x22: undefined }).card.scheme).toBe(
    'Mastercard',
  );
});

test('approval: its reference has the receipt number and the terminal id', () => {
  const approval = approvalOf(status());
  expect(approval).toEqual({ authorisationCode: '123456', reference: '0012/52500041' });
  expect(parseReference(approval!.reference)).toEqual({ receiptNumber: 12, terminalId: '52500041' });
  expect(parseReference('0012')).toEqual({ receiptNumber: 12, terminalId: undefined });
  expect(parseReference('psp_123')).toBeUndefined();
  expect(approvalOf(status({ 0x87: undefined }))).toBeUndefined();
});

test('bitmaps: encodes and parses LL and LLL lengths', () => {
  expect(toHex(encodeBitmap(0x8b, ascii('VISA')))).toBe('8BF0F456495341');
  expect(toHex(encodeBitmap(0x3c, ascii('no')))).toBe('3CF0F0F26E6F');
  const parsed = parseBitmaps(concat(encodeBitmap(0x3c, new Uint8Array(123)), encodeBitmap(0x04, bcd(5, 6))));
  expect(parsed.get(0x3c)).toHaveLength(123);
  expect(bcdToNumber(parsed.get(0x04))).toBe(5);
});

property([fc.uint8Array({ maxLength: 120 })])('status information: parses any bytes', (bytes) => {
  expect(parseStatusInformation(bytes).card.last4).toMatch(/^[0-9]{4}$/);
});

test('resultText: returns a text for every result code', () => {
  expect(resultText(0x64)).toBe('card not readable');
  expect(resultText(51)).toBe('declined by the bank (33)');
  expect(resultText(0xf7)).toBe('result code F7');
});
