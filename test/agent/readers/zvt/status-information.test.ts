import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bcd, bcdToNumber, encodeBitmap, parseBitmaps } from '../../../../agent/readers/zvt/bitmaps.ts';
import { statusEnquiry } from '../../../../agent/readers/zvt/commands.ts';
import { encodeApdu } from '../../../../agent/readers/zvt/frame.ts';
import { resultText } from '../../../../agent/readers/zvt/result-codes.ts';
import {
  approvalOf,
  parseReference,
  parseStatusCompletion,
  parseStatusInformation,
} from '../../../../agent/readers/zvt/status-information.ts';
import { createZvtTerminal } from '../../../../agent/readers/zvt/terminal.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { concat } from '../../../../protocol/emv/tlv.ts';
import { property } from '../../../property.ts';
import { scriptedTerminal } from './scripted-terminal.ts';

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

/** A recorded completion: software version, status, container. */
const RECORDED = fromHex(
  'F0F4F0 4745522D4150502D76322E302E393B635230322E30312E30312D30302E30392D322D323B43433236 00' +
    '06 5B 1F44 04 52500245 E4 43 1F40 0A 6356454E4420626F782B' +
    '1F41 28 4745522D4150502D76322E302E393B635230322E30312E30312D30302E30392D322D323B43433236' +
    '1F42 04 11E930EC 1F43 01 00 34 0D 1F0E 04 20230622 1F0F 03 085556',
);

test('status enquiry: requests the container without the software version, service byte 06', () => {
  expect(toHex(encodeApdu(statusEnquiry()))).toBe('0501050000000306');
});

test('status completion: has a device name after software version and status', () => {
  expect(parseStatusCompletion(RECORDED)).toEqual({ code: 0, deviceName: 'cVEND box+' });
});

test.each([
  ['software version and status', 'F0F0F7322E31342E313500', 0x00],
  ['the status alone', '9C', 0x9c],
  ['a status that looks like the digit of a length', 'F0', 0xf0],
  ['nothing', '', 0x00],
])('status completion: with %s it has no device name', (_, hex, code) => {
  expect(parseStatusCompletion(fromHex(hex))).toEqual({ code, deviceName: undefined });
});

property([fc.uint8Array({ maxLength: 80 })])('status completion: parses any bytes', (bytes) => {
  expect(parseStatusCompletion(bytes).code).toBeGreaterThanOrEqual(0);
});

const namedLikeTheTwin = `06 0F 15 00 06 12 E4 10 1F 40 0D ${Buffer.from('TAPBENCH TWIN').toString('hex')}`;

test.each([
  ['refusalReason the status enquiry', '84 83 00', 'the device at the port'],
  ['gives no device name', '06 0F 01 00', 'the device at the port'],
  ['gives another name', '06 0F 0B 00 06 08 E4 06 1F 40 03 41 43 4D', "'ACM'"],
])('ZVT terminal: does not register without permission at one that %s', async (_, answer, what) => {
  const fixture = scriptedTerminal((command) => (command.startsWith('0501') ? [answer] : ['06 0F 00']));
  const terminal = createZvtTerminal({ ...fixture.parts, allowRealTerminal: false });
  const refused = terminal.identify().catch((error: Error) => error.message);
  await fixture.clock.advance(5_000);
  expect(await refused).toContain(`${what} is a real payment terminal`);
  expect(fixture.commands.filter((command) => !command.startsWith('0501'))).toEqual([]);
  await terminal.close();
});

test('ZVT terminal: recognises the twin by its device name', async () => {
  const fixture = scriptedTerminal((command) => {
    if (command.startsWith('0501')) return [namedLikeTheTwin];
    return command.startsWith('0620') ? ['06 1E 01 83'] : ['06 0F 0A 19 00 29 52 50 00 41 49 09 78'];
  });
  const terminal = createZvtTerminal({ ...fixture.parts, allowRealTerminal: false });
  const identity = terminal.identify();
  await fixture.clock.advance(5_000);
  expect(await identity).toEqual({ terminalId: '52500041', deviceName: 'TAPBENCH TWIN', isTwin: true });
  await terminal.close();
});

test('ZVT terminal: checkReady throws while the terminal is busy', async () => {
  const fixture = scriptedTerminal((command) => {
    if (command.startsWith('0501')) return ['06 0F 01 9C'];
    return command.startsWith('0620') ? ['06 1E 01 83'] : ['06 0F 0A 19 00 29 52 50 00 41 49 09 78'];
  });
  const terminal = createZvtTerminal(fixture.parts);
  const ready = terminal.checkReady().catch((error: Error) => error.message);
  await fixture.clock.advance(5_000);
  expect(await ready).toBe('the terminal is not ready: please wait');
  await terminal.close();
});
