import { rmSync, type RmOptions } from 'node:fs';
import { rm } from 'node:fs/promises';
import { releaseClosedDatabases } from './closed-databases.ts';
import { THIS_SYSTEM, type System } from './this-system.ts';

const TRIES = 10;
const PAUSE_MS = 50;

interface RemovalCalls {
  system: System;
  remove(path: string, options: RmOptions): Promise<void>;
  /** Closes files that this process does not need any more. */
  releaseFiles(): Promise<void>;
}

const CALLS: RemovalCalls = { system: THIS_SYSTEM, remove: rm, releaseFiles: releaseClosedDatabases };

/**
 * Deletes a file or folder, with what is in it, if it exists.
 *
 * - Linux and macOS: at once, also while files in it are open.
 * - Windows: refuses while a file in it is open. Node tries it again for some seconds.
 *
 * @throws the system error, such as EACCES, or EPERM for a file that stays open
 */
export async function removeFolder(
  path: string,
  { system, remove, releaseFiles }: RemovalCalls = CALLS,
): Promise<void> {
  if (system === 'win32') await releaseFiles();
  await remove(path, optionsOn(system));
}

interface BlockingRemovalCalls {
  system: System;
  remove(path: string, options: RmOptions): void;
}

const BLOCKING_CALLS: BlockingRemovalCalls = { system: THIS_SYSTEM, remove: rmSync };

/** Does what `removeFolder` does with a folder that holds no database, and blocks the process meanwhile. */
export function removeFolderSync(
  path: string,
  { system, remove }: BlockingRemovalCalls = BLOCKING_CALLS,
): void {
  remove(path, optionsOn(system));
}

/**
 * Deletes a folder while its files are in use, where the system can: nothing is left of it then, even after kill -9.
 * @returns deletes it where the system could not, such as Windows; to be called when the files are closed. Never rejects: a
 *   system cleans its temporary folder itself.
 */
export function removeOpenFolder(
  path: string,
  calls: RemovalCalls & { removeNow(path: string, options: RmOptions): void } = {
    ...CALLS,
    removeNow: rmSync,
  },
): () => Promise<void> {
  let isRemoved = false;
  try {
    if (calls.system !== 'win32') {
      calls.removeNow(path, optionsOn(calls.system));
      isRemoved = true;
    }
  } catch {
    // It is deleted when the files are closed.
  }
  return async () => (isRemoved ? undefined : removeFolder(path, calls).catch(() => undefined));
}

function optionsOn(system: System): RmOptions {
  const tries = system === 'win32' ? { maxRetries: TRIES, retryDelay: PAUSE_MS } : {};
  return { recursive: true, force: true, ...tries };
}
