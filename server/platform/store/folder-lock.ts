import { join } from 'node:path';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import { makeFolder } from '../../../protocol/system/make-folder.ts';
import { PRIVATE_FOLDER } from '../../../protocol/system/private-mode.ts';
import { lockFile } from './sqlite.ts';

export interface FolderLock {
  release(): void;
}

/**
 * Makes the data folder this server's own for as long as the process lives, making the folder (for its owner
 * alone) where there is none.
 * @param addressIn reads the address of the server that has the folder, for the message
 * @throws Fault `data_folder_in_use` when another server works on it, `data_folder` when it cannot be written.
 */
export function lockFolder(
  dir: string,
  addressIn: (dir: string) => string | undefined = () => undefined,
): FolderLock {
  let lock: FolderLock | undefined;
  try {
    makeFolder(dir, PRIVATE_FOLDER);
    lock = lockFile(join(dir, 'server.lock'));
  } catch (thrown) {
    throw new Fault('data_folder', `DATA_DIR ${dir} cannot be written: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
  if (!lock) {
    const holder = addressIn(dir);
    const by = holder === undefined ? 'another server' : `the server at ${holder}`;
    throw new Fault(
      'data_folder_in_use',
      `DATA_DIR ${dir} is in use by ${by}: stop that one, or set DATA_DIR to another folder`,
    );
  }
  return lock;
}
