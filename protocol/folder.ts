import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it, where there is none. Not with `recursive` of mkdirSync, which never returns
 * where a file system has a folder but takes no new ones, as /proc does.
 * @param mode of those that are made; 0o777 less the umask when left out
 * @throws the system's error: there is a file of that name, no permission, no room
 */
export function makeFolder(path: string, mode?: number): void {
  const above = dirname(path);
  if (above !== path && !existsSync(above)) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(`${path}/.`)) throw error;
  }
}
