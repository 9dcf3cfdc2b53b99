import { rmSync } from 'node:fs';
import { THIS_SYSTEM, type System } from './this-system.ts';

interface LockCalls {
  system: System;
  remove(path: string): void;
}

const CALLS: LockCalls = { system: THIS_SYSTEM, remove: (path) => rmSync(path, { force: true }) };

/**
 * Releases the lock that a process has on a file, and deletes the file.
 *
 * - Linux and macOS: deletes it before the release: afterwards it may be the lock of another process.
 * - Windows: deletes it after the release, since it deletes no open file. One that another process has locked by then stays.
 */
export function releaseLock(path: string, release: () => void, { system, remove }: LockCalls = CALLS): void {
  if (system !== 'win32') remove(path);
  release();
  if (system !== 'win32') return;
  try {
    remove(path);
  } catch {
    // A file without a lock counts as none.
  }
}
