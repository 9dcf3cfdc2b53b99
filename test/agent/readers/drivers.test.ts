import { expect, test } from 'vitest';
import { detectDrivers, suggestDrivers } from '../../../agent/readers/drivers.ts';
import { explainOpenError } from '../../../agent/readers/serial-port.ts';
import { serialDevices } from '../../../protocol/system/serial-devices.ts';

const names = (port: { vendorId?: string | undefined; productId?: string | undefined }) =>
  detectDrivers(port).map(({ name }) => name);

test('detectDrivers: an ID TECH reader has its vendor id, a USB serial bridge suggests the other drivers', () => {
  expect(names({ vendorId: '0ACD', productId: '3530' })).toEqual(['vivotech']);
  for (const [vendorId, productId] of [
    ['10C4', 'EA60'],
    ['1A86', '7523'],
    ['0403', '6001'],
    ['067B', '2303'],
  ]) {
    expect(names({ vendorId, productId })).toEqual(['pn532', 'ccid', 'zvt', 'ecr17', 'concert']);
  }
  expect(suggestDrivers({ vendorId: '1A86', productId: '7523' })[0]?.what).toBe('WCH CH340');
});

test('detectDrivers: an unknown device suggests no driver', () => {
  expect(names({ vendorId: '1A86', productId: '0001' })).toEqual([]);
  expect(names({})).toEqual([]);
});

test.each([
  ['Error: No such file or directory, cannot open /dev/x', 'linux', 'there is no port /dev/x'],
  ['Error: Permission denied, cannot open /dev/x', 'linux', 'usermod -aG dialout'],
  ['Error: Permission denied, cannot open /dev/x', 'darwin', 'may not be opened by this user'],
  ['Opening COM3: Access denied', 'win32', 'in use by another program'],
  ['Error Resource temporarily unavailable Cannot lock port', 'linux', 'in use by another program'],
  ['Error: Inappropriate ioctl for device, cannot open', 'linux', 'is no serial port'],
  ['Opening COM9: File not found', 'win32', 'there is no port /dev/x'],
  ['the moon is full', 'linux', '/dev/x does not open: the moon is full'],
] as const)('explainOpenError: %s on %s: %s', (message, system, words) => {
  expect(explainOpenError('/dev/x', new Error(message), serialDevices(system))).toContain(words);
});
