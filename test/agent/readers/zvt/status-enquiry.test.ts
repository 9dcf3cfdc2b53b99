import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeApdu } from '../../../../agent/readers/zvt/apdu.ts';
import { statusEnquiry } from '../../../../agent/readers/zvt/commands.ts';
import { parseStatusCompletion } from '../../../../agent/readers/zvt/status-enquiry.ts';
import { createZvtTerminal } from '../../../../agent/readers/zvt/terminal.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { scriptedTerminal } from './scripted-terminal.ts';
import { property } from '../../../property.ts';

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
