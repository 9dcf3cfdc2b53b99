import { Fault, messageOf } from '../../../protocol/failures.ts';

/**
 * Whether what SQLite shows is on disk. After a failed sync the system may have thrown away what it could not write,
 * so nothing is read or written any more: the next start finds out what the disk holds.
 * @param sync brings the write-ahead log to the disk; nothing to wait for when it is undefined
 */
export function createDurability(sync: (() => Promise<void>) | undefined) {
  let broken: Fault | undefined;
  let unsynced: Promise<void> | undefined;

  function throwIfBroken(): void {
    if (broken) throw broken;
  }

  return {
    /** Set once a sync has failed. */
    get broken() {
      return broken;
    },
    /**
     * Runs `commit` and syncs. Reads wait from before the commit on.
     * @throws Fault `store` when the sync fails
     */
    async commit(commit: () => void): Promise<void> {
      if (!sync) return commit();
      let settled!: () => void;
      unsynced = new Promise((resolve) => (settled = resolve));
      try {
        commit();
        await sync().catch((thrown: unknown) => {
          throw (broken = syncFault(thrown));
        });
      } finally {
        unsynced = undefined;
        settled();
      }
    },
    /**
     * Returns a promise that resolves when everything that is committed is on disk, or undefined when it is.
     * @throws Fault `store` after a failed sync
     */
    readable(): Promise<void> | undefined {
      throwIfBroken();
      return unsynced?.then(throwIfBroken);
    },
  };
}

function syncFault(thrown: unknown): Fault {
  const reason = `the disk failed to sync, restart the server: ${messageOf(thrown)}`;
  return new Fault('store', reason, { cause: thrown });
}
