import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { delay, processClock } from '../clock.ts';
import { errorCode } from '../failures.ts';
import { releaseClosedDatabases } from './closed-databases.ts';
import { THIS_SYSTEM, type System } from './this-system.ts';

// What Windows says of a file that is open: in this process, in another, or in a virus scanner.
const HELD = ['EPERM', 'EACCES', 'EBUSY'];
const TRIES = 20;
const PAUSE_MS = 50;

interface MoveCalls {
  system: System;
  rename(from: string, to: string): Promise<void>;
  /** Closes files that this process does not need any more. */
  releaseFiles(): Promise<void>;
  pause(ms: number): Promise<void>;
}

const CALLS: MoveCalls = {
  system: THIS_SYSTEM,
  rename,
  releaseFiles: releaseClosedDatabases,
  pause: (ms) => delay(processClock(), ms),
};

/**
 * Renames a file or folder in one step; a file replaces another.
 *
 * - Linux and macOS: rename(2). Who has the file open keeps the one from before.
 * - Windows: refuses while another program has the file, or a file of the folder, open. It is tried again for a second.
 *
 * @throws the system error, such as ENOENT, or EPERM for a file that stays open
 */
export async function moveFile(from: string, to: string, calls: MoveCalls = CALLS): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await calls.rename(from, to);
    } catch (error) {
      if (!isHeld(error, calls.system) || tried === TRIES) throw error;
      await calls.releaseFiles();
      await calls.pause(PAUSE_MS);
    }
  }
}

interface BlockingMoveCalls {
  system: System;
  rename(from: string, to: string): void;
  pause(ms: number): unknown;
}

const BLOCKING_CALLS: BlockingMoveCalls = {
  system: THIS_SYSTEM,
  rename: renameSync,
  pause: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/** Does what `moveFile` does with a file, and blocks the process meanwhile. */
export function moveFileSync(from: string, to: string, calls: BlockingMoveCalls = BLOCKING_CALLS): void {
  for (let tried = 1; ; tried += 1) {
    try {
      return calls.rename(from, to);
    } catch (error) {
      if (!isHeld(error, calls.system) || tried === TRIES) throw error;
      calls.pause(PAUSE_MS);
    }
  }
}

function isHeld(error: unknown, system: System): boolean {
  return system === 'win32' && HELD.includes(errorCode(error) ?? '');
}
