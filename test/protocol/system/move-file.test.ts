import { expect, test } from 'vitest';
import { moveFile, moveFileSync } from '../../../protocol/system/move-file.ts';
import type { System } from '../../../protocol/system/this-system.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

/** A file that cannot be renamed `times` times, with what was tried. */
function heldFile(system: System, code: string, times: number) {
  const tried: string[] = [];
  const blocking = {
    system,
    rename() {
      tried.push('rename');
      if (tried.filter((call) => call === 'rename').length <= times) throw failure(code);
    },
    pause: (ms: number) => void tried.push(`pause ${ms}`),
  };
  const waiting = {
    system,
    rename: async () => blocking.rename(),
    releaseFiles: async () => void tried.push('release'),
    pause: async (ms: number) => blocking.pause(ms),
  };
  return { tried, blocking, waiting };
}

test.each(['EPERM', 'EACCES', 'EBUSY'])(
  'moveFile: on Windows releases closed databases and tries again after %s',
  async (code) => {
    const { tried, waiting } = heldFile('win32', code, 2);
    await moveFile('a', 'b', waiting);
    expect(tried).toEqual(['rename', 'release', 'pause 50', 'rename', 'release', 'pause 50', 'rename']);
    const other = heldFile('win32', code, 1);
    moveFileSync('a', 'b', other.blocking);
    expect(other.tried).toEqual(['rename', 'pause 50', 'rename']);
  },
);

test('moveFile: on Windows throws the error of a file that stays open for a second', async () => {
  const { tried, waiting, blocking } = heldFile('win32', 'EPERM', Infinity);
  await expect(moveFile('a', 'b', waiting)).rejects.toThrow('EPERM');
  expect(tried.filter((call) => call === 'pause 50')).toHaveLength(19);
  expect(() => moveFileSync('a', 'b', blocking)).toThrow('EPERM');
  expect(tried.filter((call) => call === 'pause 50')).toHaveLength(38);
});

test.each(['linux', 'darwin'] as const)('moveFile: on %s an error is thrown at once', async (system) => {
  const { tried, waiting, blocking } = heldFile(system, 'EPERM', Infinity);
  await expect(moveFile('a', 'b', waiting)).rejects.toThrow('EPERM');
  expect(() => moveFileSync('a', 'b', blocking)).toThrow('EPERM');
  expect(tried).toEqual(['rename', 'rename']);
});

test('moveFile: on Windows an error that waiting does not mend is thrown at once', async () => {
  const { tried, waiting } = heldFile('win32', 'ENOENT', Infinity);
  await expect(moveFile('a', 'b', waiting)).rejects.toThrow('ENOENT');
  expect(tried).toEqual(['rename']);
});
