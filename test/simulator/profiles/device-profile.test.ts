import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  DEFAULT_DEVICE,
  DEVICE_NAMES,
  deviceNamed,
  deviceOf,
  deviceOfType,
} from '../../../simulator/profiles/device-profile.ts';

test('every profile in the folder can be had by the name of its file', () => {
  const files = readdirSync(new URL('../../../simulator/profiles/', import.meta.url));
  const names = files.filter((file) => file.endsWith('.json')).map((file) => file.replace(/\.json$/, ''));

  expect([...DEVICE_NAMES].sort()).toEqual(names.sort());
  for (const name of names) expect(deviceNamed(name)).toMatchObject({ version: 1 });
  expect(deviceNamed('toaster')).toBeUndefined();
});

test('a terminal gets the device of its type, and the usual one for a type that nobody simulates', () => {
  expect(deviceOfType('Pocket Reader')).toMatchObject({ hasPrinter: false, interfaces: ['Contactless'] });
  expect(deviceOfType('Toaster 3000')).toBe(deviceNamed(DEFAULT_DEVICE));
  expect(deviceOfType(undefined)).toMatchObject({ deviceType: 'PAX A920 Pro', hasPrinter: true });
});

test('no two devices share a type', () => {
  const types = DEVICE_NAMES.map((name) => deviceNamed(name)!.deviceType);

  expect(new Set(types).size).toBe(types.length);
});

test('a device without a way for a card is refused by name', () => {
  const device = { ...deviceNamed(DEFAULT_DEVICE)!, interfaces: [] };

  expect(() => deviceOf('deaf', device)).toThrow(/deaf: interfaces/);
});
