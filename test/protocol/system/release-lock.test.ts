import { expect, test } from 'vitest';
import { releaseLock } from '../../../protocol/system/release-lock.ts';
import type { System } from '../../../protocol/system/this-system.ts';

function callsOn(system: System, trouble?: Error) {
  const made: string[] = [];
  const release = () => void made.push('release');
  const remove = (path: string) => {
    made.push(`remove ${path}`);
    if (trouble) throw trouble;
  };
  releaseLock('a.lock', release, { system, remove });
  return made;
}

test.each(['linux', 'darwin'] as const)(
  'releaseLock: on %s deletes the file while it is locked',
  (system) => {
    expect(callsOn(system)).toEqual(['remove a.lock', 'release']);
  },
);

test('releaseLock: on Windows deletes the file after the release, unless another process has it', () => {
  expect(callsOn('win32')).toEqual(['release', 'remove a.lock']);
  expect(callsOn('win32', new Error('EBUSY'))).toEqual(['release', 'remove a.lock']);
});
