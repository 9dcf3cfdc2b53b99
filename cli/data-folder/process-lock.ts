import { rmSync } from 'node:fs';
import { Fault, messageOf } from '../../protocol/failures.ts';

/**
 * Locks the file `path` for this process, until the returned function is called or the process ends. Releasing
 * removes the file.
 * @param inUse message of the Fault when another process holds the lock
 * @throws Fault `bad_setting` when another process holds it, or it cannot be written.
 */
export async function acquireLock(path: string, inUse: string): Promise<() => void> {
  const { lockFile } = await import('../../server/platform/store/sqlite.ts');
  let lock: { release(): void } | undefined;
  try {
    lock = lockFile(path);
  } catch (error) {
    throw new Fault('bad_setting', `${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
  if (!lock) throw new Fault('bad_setting', inUse);
  return () => {
    // Before the release: afterwards the file may be the lock of another process.
    rmSync(path, { force: true });
    lock.release();
  };
}
