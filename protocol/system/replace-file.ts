import { closeSync, fchownSync, fdatasyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { moveFileSync } from './move-file.ts';
import { PRIVATE_FILE } from './private-mode.ts';
import { syncFolderSync } from './sync-folder.ts';

interface ReplaceOptions {
  /** Also survives a power failure once it returns; false by default. */
  sync?: boolean;
  /** Who owns the file; by default the user of this process. */
  owner?: { uid: number; gid: number } | undefined;
}

/**
 * Writes a file that only its owner may read, in place of one of that name, in one step: who reads it meanwhile, or after a crash,
 * finds the one before or all of the new one.
 * @throws the system error, such as ENOSPC; then the file is as it was
 */
export function replaceFile(
  path: string,
  content: string,
  { sync = false, owner }: ReplaceOptions = {},
): void {
  const next = `${path}.new`;
  try {
    const file = openSync(next, 'w', PRIVATE_FILE);
    try {
      if (owner) fchownSync(file, owner.uid, owner.gid);
      writeFileSync(file, content);
      if (sync) fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
    moveFileSync(next, path);
  } catch (error) {
    removeUnfinished(next);
    throw error;
  }
  if (sync) syncFolderSync(dirname(path));
}

function removeUnfinished(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The next one writes over it.
  }
}
