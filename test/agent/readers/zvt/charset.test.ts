import fc from 'fast-check';
import { expect, test } from 'vitest';
import { characterSetIn, decodeText } from '../../../../agent/readers/zvt/charset.ts';
import { createReceiptCollector } from '../../../../agent/readers/zvt/receipt.ts';
import { parseStatusInformation } from '../../../../agent/readers/zvt/status-information.ts';
import { createZvtTerminal } from '../../../../agent/readers/zvt/terminal.ts';
import { fromHex } from '../../../../protocol/emv/hex.ts';
import { scriptedTerminal } from './scripted-terminal.ts';
import { property } from '../../../property.ts';

test.each([
  [undefined, '8E9484819A E1', 'ÄöäüÜß'],
  [0xff, '8E9484819A E1', 'ÄöäüÜß'],
  [0x01, 'C4F6E4FCDC DF', 'ÄöäüÜß'],
  [0x0f, 'C4 A4', 'Ä€'],
  [0xfe, 'C384 E282AC', 'Ä€'],
])('decodeText: decodes character set %s', (set, hex, text) => {
  expect(decodeText(fromHex(hex), set)).toBe(text);
});

test.each([
  ['14 01 01', 0x01],
  ['12 01 40 14 01 FE', 0xfe],
  ['27 03 14 01 01', 0x01],
  ['14 01 FF 27 09 14 01 01 14 01 FE 14 01 FF', 0xff],
  ['27 06 14 01 01 14 01 FE', undefined],
  ['27 09 14', undefined],
  ['', undefined],
])('characterSetIn: container %s has character set %s', (hex, set) => {
  expect(characterSetIn(fromHex(hex))).toBe(set);
});

property([fc.uint8Array({ maxLength: 60 }), fc.constantFrom(0x01, 0x0f, 0xfe, 0xff)])(
  'decodeText: decodes any bytes to text without control characters',
  (bytes, set) => {
    expect(decodeText(bytes, set)).not.toMatch(/\p{Cc}/u);
  },
);

test('receipt collector: decodes a text block in the character set that it names', () => {
  const collector = createReceiptCollector();
  collector.take({ control: 0x06d3, data: fromHex('06 10 1F07 01 01 14 01 01 25 07 07 05 47 72 FC DF 65') });
  expect(collector.receipt()?.merchantCopy).toBe('Grüße');
});

test('status information: decodes additional text and card name in the registered character set', () => {
  const status = parseStatusInformation(fromHex('27 05 3C F0F0F5 67 65 72 FC 67 8B F0F3 4B E4 00'), 0x01);
  expect(status.text).toBe('gerüg');
  expect(status.card.applicationLabel).toBe('Kä');
});

/** Runs an end of day on a terminal whose registration completes with `container`, and returns its report. */
async function endOfDay(container: string, line: string): Promise<string> {
  const fixture = scriptedTerminal((command) => {
    if (command.startsWith('0501')) return ['06 0F 01 00'];
    if (command.startsWith('0600')) return [`06 0F ${container}`];
    return command.startsWith('0620') ? ['06 1E 01 83'] : [`06 D1 ${line}`, '06 0F 00'];
  });
  const terminal = createZvtTerminal(fixture.parts);
  const report = terminal.endOfDay();
  await fixture.clock.advance(10_000);
  await terminal.close();
  return report;
}

test('ZVT terminal: decodes printed lines in the character set of the registration', async () => {
  const latin1 = '07 83 47 72 FC DF 65 21';
  expect(await endOfDay('0F 19 00 29 52 52 35 35 49 09 78 06 03 14 01 01', latin1)).toBe('Grüße!');
  // Recorded from a terminal with one character set.
  expect(await endOfDay('11 19 00 29 52 00 12 33 49 09 78 06 05 27 03 14 01 FF', '03 83 81 E1')).toBe('üß');
  expect(await endOfDay('0A 19 00 29 52 52 35 35 49 09 78', '03 83 81 E1')).toBe('üß');
});

test('status information: parses the bitmaps after 92 and 4C', () => {
  const status = parseStatusInformation(fromHex('27 00 92 F0F0F2 AA BB 4C F0F1 CC 04 000000001742 87 0012'));
  expect(status).toMatchObject({ amountMinor: 1742, receiptNumber: 12 });
});
