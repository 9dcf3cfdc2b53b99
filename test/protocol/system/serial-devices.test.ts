import { expect, test } from 'vitest';
import { serialDevices } from '../../../protocol/system/serial-devices.ts';

test.each([
  ['linux', { isListedInSys: true, isFile: true }],
  ['darwin', { isListedInSys: false, isFile: true }],
  ['freebsd', { isListedInSys: false, isFile: true }],
  ['win32', { isListedInSys: false, isFile: false }],
] as const)('serialDevices: of %s: %j', (system, expected) => {
  expect(serialDevices(system)).toMatchObject(expected);
});

test('serialDevices: the advice for a port that refuses names the group dialout on Linux alone', () => {
  const advice = (['linux', 'darwin', 'win32'] as const).map((system) =>
    serialDevices(system).explainRefusal('x'),
  );
  expect(advice.map((text) => text.includes('dialout'))).toEqual([true, false, false]);
  expect(advice[2]).toBe('x is in use by another program');
});
