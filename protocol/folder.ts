import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './failures.ts';

/**
 * Creates a folder and its parents unless they exist. Without `recursive` of mkdirSync, which never returns under a
 * file system that takes no new folders, such as /proc.
 * @param mode of created folders; 0o777 less the umask by default
 * @throws the system error, such as EEXIST for a file of that name, EACCES or ENOSPC
 */
export function makeFolder(path: string, mode?: number): void {
  const above = dirname(path);
  if (above !== path && !existsSync(above)) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !existsSync(`${path}/.`)) throw error;
  }
}
