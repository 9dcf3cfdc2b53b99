import { expect, test } from 'vitest';
import { pcscPlatform } from '../../../protocol/system/pcsc-platform.ts';

test.each([
  ['linux', 'libpcsclite.so.1', '', 'systemctl start pcscd'],
  ['darwin', '/System/Library/Frameworks/PCSC.framework/PCSC', '', 'plug the reader in again'],
  ['win32', 'winscard.dll', 'A', 'SCardSvr'],
] as const)(
  'PC/SC: on %s the library is %s, its functions with text end in %j',
  (system, library, ending, start) => {
    expect(pcscPlatform(system)).toMatchObject({ library, ending, start: expect.stringContaining(start) });
  },
);
