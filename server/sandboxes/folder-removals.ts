import { readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { removeFolder } from '../../protocol/system/remove-folder.ts';

/** Deletes the folders of sandboxes in the background. */
interface FolderRemovals {
  add(path: string): void;
  /** Resolves when all that were added are deleted. */
  ended(): Promise<void>;
}

/** Deletes folders one after the other. Those that are left when the process ends are deleted at the next start. */
export function createFolderRemovals(log: Log): FolderRemovals {
  let removing: Promise<void> = Promise.resolve();
  return {
    add(path) {
      removing = removing.then(() =>
        removeEntries(path)
          .catch(() => removeFolder(path))
          .catch((thrown: unknown) =>
            log.warn({ reason: messageOf(thrown) }, 'the files of a deleted sandbox could not be deleted'),
          ),
      );
    },
    ended: () => removing,
  };
}

/**
 * Deletes a folder by one call for each entry. Those of `removeFolder` ask what each is and try to delete folders before they
 * are empty, which is half of what the deletion of a small sandbox takes. A file that a system keeps open fails.
 */
async function removeEntries(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    await (entry.isDirectory() ? removeEntries(inside) : unlink(inside));
  }
  await rmdir(path);
}
