import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Closes the files of databases that were closed. The SQLite library keeps them open until the statements of the connection are
 * garbage-collected. Only Windows needs this: it renames and deletes no folder in which a file is open.
 */
export async function releaseClosedDatabases(): Promise<void> {
  collectGarbage();
  // What a collected object has held is released in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect();
}
