import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { THIS_SYSTEM, type System } from './this-system.ts';

interface FolderCalls {
  system: System;
  openFolder(path: string): Promise<{ sync(): Promise<void>; close(): Promise<void> }>;
}

const CALLS: FolderCalls = { system: THIS_SYSTEM, openFolder: (path) => open(path, 'r') };

/**
 * Makes the names in a folder, such as that of a file renamed into it, survive a power failure.
 *
 * - Linux: fsync(2) of the folder.
 * - macOS: the same; Node also flushes the cache of the disk (F_FULLFSYNC).
 * - Windows: nothing, since it cannot open a folder. NTFS keeps a log of the changes of names.
 *
 * @throws the system error, such as EIO
 */
export async function syncFolder(path: string, { system, openFolder }: FolderCalls = CALLS): Promise<void> {
  if (system === 'win32') return;
  const folder = await openFolder(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

interface BlockingFolderCalls {
  system: System;
  openFolder(path: string): number;
  sync(folder: number): void;
  close(folder: number): void;
}

const BLOCKING_CALLS: BlockingFolderCalls = {
  system: THIS_SYSTEM,
  openFolder: (path) => openSync(path, 'r'),
  sync: fsyncSync,
  close: closeSync,
};

/** Does what `syncFolder` does, and blocks the process meanwhile. */
export function syncFolderSync(
  path: string,
  { system, openFolder, sync, close }: BlockingFolderCalls = BLOCKING_CALLS,
): void {
  if (system === 'win32') return;
  const folder = openFolder(path);
  try {
    sync(folder);
  } finally {
    close(folder);
  }
}
