import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../failures.ts';
import { THIS_SYSTEM, type System } from './this-system.ts';

interface FolderCalls {
  system: System;
  make(path: string, options: { mode: number | undefined }): void;
}

const CALLS: FolderCalls = { system: THIS_SYSTEM, make: mkdirSync };

/**
 * Creates a folder and its parents unless they exist. Without `recursive` of mkdirSync, which never returns under a
 * file system that takes no new folders, such as /proc of Linux.
 *
 * - Linux and macOS: created with the mode.
 * - Windows: without a mode. For the root of a drive it says EPERM instead of EEXIST.
 *
 * @param mode of created folders; 0o777 less the umask by default
 * @throws the system error, such as EEXIST for a file of that name, EACCES or ENOSPC
 */
export function makeFolder(path: string, mode?: number, { system, make }: FolderCalls = CALLS): void {
  const above = dirname(path);
  if (above !== path && !existsSync(above)) makeFolder(above, mode, { system, make });
  try {
    make(path, { mode });
  } catch (error) {
    const isThere = errorCode(error) === 'EEXIST' || (system === 'win32' && errorCode(error) === 'EPERM');
    if (!isThere || !isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  // Windows ignores the dot behind the name of a file.
  return existsSync(`${path}/.`) && statSync(path).isDirectory();
}
