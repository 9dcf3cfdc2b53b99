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
        removeFolder(path).catch((thrown: unknown) =>
          log.warn({ reason: messageOf(thrown) }, 'the files of a deleted sandbox could not be deleted'),
        ),
      );
    },
    ended: () => removing,
  };
}
