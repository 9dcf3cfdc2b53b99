import { rmSync, type RmOptions } from 'node:fs';
import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseClosedDatabases } from './closed-databases.ts';
import { THIS_SYSTEM, type System } from './this-system.ts';

const TRIES = 10;
const PAUSE_MS = 50;

interface RemovalCalls {
  system: System;
  remove(path: string, options: RmOptions): Promise<void>;
  /** Deletes a folder by one call for each entry. @throws where it is none, or an entry cannot be deleted */
  removeEntries(path: string): Promise<void>;
  /** Closes files that this process does not need any more. */
  releaseFiles(): Promise<void>;
}

const CALLS: RemovalCalls = {
  system: THIS_SYSTEM,
  remove: rm,
  removeEntries: removeFolderEntries,
  releaseFiles: releaseClosedDatabases,
};

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
  { system, remove, removeEntries, releaseFiles }: RemovalCalls = CALLS,
): Promise<void> {
  if (system === 'win32') await releaseFiles();
  await removeEntries(path).catch(() => remove(path, optionsOn(system)));
}

/** Half of what `rm` takes for a small folder, since it asks what each entry is and tries to delete folders before they are empty. */
async function removeFolderEntries(path: string): Promise<void> {
  // A link to a folder is deleted, and not what it leads to.
  if (!(await lstat(path)).isDirectory()) return unlink(path);
  await removeAllIn(path);
}

async function removeAllIn(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inside = join(folder, entry.name);
    await (entry.isDirectory() ? removeAllIn(inside) : unlink(inside));
  }
  await rmdir(folder);
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
