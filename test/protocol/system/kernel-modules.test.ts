import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { blockingModules } from '../../../protocol/system/kernel-modules.ts';

let root: string;
afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ['linux', ['pn533_usb', 'pn533']],
  ['darwin', []],
  ['win32', []],
] as const)('kernel modules: on %s those that take NFC readers are %j', async (system, modules) => {
  root = mkdtempSync(join(tmpdir(), 'modules-'));
  for (const name of ['pn533', 'pn533_usb', 'usbserial']) mkdirSync(join(root, name));
  expect(await blockingModules(system, root)).toEqual(modules);
});

test('kernel modules: none is named that is not loaded', async () => {
  root = mkdtempSync(join(tmpdir(), 'modules-'));
  expect(await blockingModules('linux', root)).toEqual([]);
});
