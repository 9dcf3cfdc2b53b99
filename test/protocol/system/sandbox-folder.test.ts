import { expect, test } from 'vitest';
import { sandboxFolder, sandboxOfFolder } from '../../../protocol/system/sandbox-folder.ts';

const DEVICES = ['con', 'prn', 'aux', 'nul', 'com1', 'lpt9'];
const OTHERS = ['shop', 'con-1', 'com', 'com10', '.new-con'];

test('sandboxFolder: on Windows the folder of a sandbox has not the name of a device', () => {
  expect(DEVICES.map((name) => sandboxFolder(name, 'win32'))).toEqual(DEVICES.map((name) => `${name}_`));
  expect(OTHERS.map((name) => sandboxFolder(name, 'win32'))).toEqual(OTHERS);
});

test.each(['linux', 'darwin'] as const)('sandboxFolder: on %s it has the name of the sandbox', (system) => {
  const names = [...DEVICES, ...OTHERS];
  expect(names.map((name) => sandboxFolder(name, system))).toEqual(names);
});

test.each(['linux', 'darwin', 'win32'] as const)(
  'sandboxOfFolder: finds the sandbox again on %s',
  (system) => {
    const names = [...DEVICES, ...OTHERS];
    expect(names.map((name) => sandboxOfFolder(sandboxFolder(name, system), system))).toEqual(names);
  },
);
