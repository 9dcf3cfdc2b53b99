import { AsyncLocalStorage } from 'node:async_hooks';

const spared = new AsyncLocalStorage<true>();

/**
 * Calls what reads a world while its faults strike. None strikes what it sends, and nothing of that counts as something that
 * happened: who judges changes nothing.
 */
export function spareReads<T>(read: () => Promise<T>): Promise<T> {
  return spared.run(true, read);
}

/** Returns whether what happens just now comes from such reads. */
export function isSpared(): boolean {
  return spared.getStore() ?? false;
}
