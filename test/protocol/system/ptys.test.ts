import { expect, test } from 'vitest';
import { isPty, requirePtys } from '../../../protocol/system/ptys.ts';

test('requirePtys: refuses Windows, which has none', () => {
  requirePtys('linux');
  requirePtys('darwin');
  expect(() => requirePtys('win32')).toThrow('Windows has not');
});

test.each([
  ['/dev/pts/4', 'linux'],
  ['/dev/ttys004', 'darwin'],
] as const)('isPty: %s is the device of a pty on %s alone', (path, its) => {
  const systems = (['linux', 'darwin', 'win32'] as const).filter((system) => isPty(path, system));
  expect(systems).toEqual([its]);
});

test.each(['/dev/ttyUSB0', '/dev/pts/', '/tmp/dev/pts/4'])('isPty: %s is none', (path) => {
  expect((['linux', 'darwin'] as const).some((system) => isPty(path, system))).toBe(false);
});
