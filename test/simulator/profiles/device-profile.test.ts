import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  DEFAULT_DEVICE,
  DEVICE_NAMES,
  deviceNamed,
  deviceOf,
  deviceOfType,
} from '../../../simulator/profiles/device-profile.ts';

test('deviceNamed: finds every profile in the folder by file name', () => {
  const files = readdirSync(new URL('../../../simulator/profiles/', import.meta.url));
  const names = files.filter((file) => file.endsWith('.json')).map((file) => file.replace(/\.json$/, ''));

  expect([...DEVICE_NAMES].sort(), 'PROFILES of device-profile.ts has a row for each file').toEqual(
    names.sort(),
  );
  for (const name of names) expect(deviceNamed(name)).toMatchObject({ version: 1 });
  expect(deviceNamed('toaster')).toBeUndefined();
});

test('deviceOfType: returns the device of a type, and the default for an unknown type', () => {
  expect(deviceOfType('Pocket Reader')).toMatchObject({ hasPrinter: false, interfaces: ['Contactless'] });
  expect(deviceOfType('Toaster 3000')).toBe(deviceNamed(DEFAULT_DEVICE));
  expect(deviceOfType(undefined)).toMatchObject({ deviceType: 'PAX A920 Pro', hasPrinter: true });
});

test('DEVICE_NAMES: every device has its own type', () => {
  const types = DEVICE_NAMES.map((name) => deviceNamed(name)!.deviceType);

  expect(new Set(types).size).toBe(types.length);
});

test('deviceOf: throws for a device without an interface', () => {
  const device = { ...deviceNamed(DEFAULT_DEVICE)!, interfaces: [] };

  expect(() => deviceOf('deaf', device)).toThrow(/deaf: interfaces/);
});
